// How far from the optimum a machine can be: a number that the truth does not exceed, whatever has been rounded on the way.
//
// Of the machine f = sum beta_j k(x_j, .) + b, primal minus dual value is a sum over the points and what is left of sum(beta) = 0,
//
//     P - D = sum_i price_i(f(x_i) - y_i) - b sum_j beta_j,
//
// each price convex, and 0 where the point keeps the KKT conditions. It is taken at both ends of an interval that holds f(x_i) - y_i. For
// most points doubles decide it; for the others f(x_i) is computed by twofold numbers from the points as they are stored.
import { complete } from "./kernels.js";
import { TWOFOLD_ERROR, twofoldResidual, twofoldSum } from "./twofold.js";

const GOAL = 1e-12; // of the objective: a bound that need not be finer
const MOST_KERNELS = 4000; // kernels by twofold numbers, a few ms: no frame waits for more

/**
 * Upper bound of P - D, of the distance from the best dual value to that of beta, and to that of a beta nearby with sum(beta) = 0, too.
 * @param {{points: ArrayLike<number>[], kernel: import("./kernels.js").Kernel, K: Float64Array, errors?: Float64Array | null,
 *   y: ArrayLike<number>, beta: ArrayLike<number>, b: number, objective: number}} machine  K: as computed (n * n, not centred); errors: what its entries are
 *   wrong by at most, where the kernel has been typed; y: what f is compared with
 * @param {(i: number, rho: number) => number} price  of point i where f(x_i) - y_i = rho
 */
export function provenGap({ points, kernel, K, errors = null, y, beta, b, objective }, price) {
  const n = y.length;
  const support = [...Array(n).keys()].filter((j) => beta[j] !== 0);
  const size = support.reduce((sum, j) => sum + Math.abs(beta[j]), 0);
  const most = errors ? K.reduce((largest, value, k) => Math.max(largest, Math.abs(value) + errors[k]), 0) : magnitudeOf(kernel, points);
  const { name, Q } = complete(kernel);
  const rounding = 2 ** -53 * (support.length + 4 * Q + 16); // of a sum, and of what it is made of
  const rows = Array.from({ length: n }, (_, i) => {
    let [rho, terms, wrong] = [b - y[i], Math.abs(b) + Math.abs(y[i]), 0];
    for (const j of support) {
      rho += beta[j] * K[i * n + j];
      if (errors) wrong += Math.abs(beta[j]) * errors[i * n + j];
      if (name === "gaussian") terms += Math.abs(beta[j]) * K[i * n + j];
    }
    if (name !== "gaussian") terms += most * size;
    return bounded(i, rho, rounding * terms + wrong, price);
  });
  let gap = rows.reduce((sum, { worst }) => sum + worst, 0);
  const residual = twofoldResidual({ points, kernel, y, beta, b });
  const vague = errors ? [] : rows.filter(({ worst, middle }) => !(worst <= 1.001 * middle)).sort((one, other) => other.worst - one.worst);
  for (const { i, worst } of vague.slice(0, Math.ceil(MOST_KERNELS / (support.length + 1)))) {
    if (gap <= GOAL * Math.abs(objective)) break;
    const rho = residual(i);
    if (!Number.isFinite(rho)) continue; // something has overflowed
    rows[i] = bounded(i, rho, TWOFOLD_ERROR * (most * size + Math.abs(b) + Math.abs(y[i])) + 2 ** -52 * Math.abs(rho), price);
    gap += rows[i].worst - worst;
  }
  gap = rows.reduce((sum, { worst }) => sum + worst, 0); // again: the differences have left their rounding
  // A beta that keeps the sum loses `slip` from the entries of one sign: each unit costs the slope |y - K beta| there at most.
  const slip = (1 + 2 ** -52) * Math.abs(twofoldSum(beta)) + 2 ** -90 * size;
  const slope = support.reduce((largest, i) => Math.max(largest, Math.abs(rows[i].rho - b) + rows[i].error), 0);
  const bound = (gap + slip * (Math.abs(b) + slope + 0.5 * slip * most)) * (1 + 2 ** -40);
  return Math.max(bound, 2 ** -52 * Math.abs(objective)); // nobody sees more of an objective
}

/** @param {number} i @param {number} rho @param {number} error @param {(i: number, rho: number) => number} price */
function bounded(i, rho, error, price) {
  return { i, rho, error, middle: price(i, rho), worst: Math.max(price(i, rho - error), price(i, rho + error)) };
}

/** What no |k(x_i, x_j)| exceeds, nor the terms from which it is computed. @param {import("./kernels.js").Kernel} kernel @param {ArrayLike<number>[]} points */
function magnitudeOf(kernel, points) {
  const { name, a, b, Q, kappa, delta } = complete(kernel);
  const square = points.reduce((most, x) => Math.max(most, Array.from(x).reduce((sum, v) => sum + v * v, 0)), 0);
  if (name === "gaussian") return 1;
  if (name === "sigmoid") return 1 + Math.abs(kappa) * square + Math.abs(delta);
  return name === "linear" ? square : (Math.abs(a) * square + Math.abs(b)) ** Q;
}
