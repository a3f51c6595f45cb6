// Sequential minimal optimization: the smallest step that keeps sum(beta) = 0 moves two variables, and it is exact.
//
//     minimise  1/2 beta'K beta - y'beta   over  lo <= beta <= hi,  sum(beta) = 0     beta = y alpha,  0 <= alpha <= C
//
// F = K beta - y is the gradient; -F_i is the bias that would put point i on its margin. A variable is "up" while it may
// grow, "low" while it may shrink. The KKT conditions hold when no F in low exceeds the least F in up.
import { certificate, checked, feasible, gradient } from "./certificate.js";
import { centre, complete, gramMatrix, positive, typing } from "./kernels.js";
import { burst, indefinite, newtonSteps } from "./newton.js";
import { provenGap } from "./proof.js";

/**
 * Train a support vector machine, and prove how good it is.
 * @param {{points: ArrayLike<number>[], labels: ArrayLike<number>, kernel: import("./kernels.js").Kernel, C: number,
 *   tol?: number, alpha0?: ArrayLike<number> | null, maxSteps?: number}} problem  tol: the largest KKT violation, in
 *   units of f; alpha0: where to start, made feasible if it is not
 * @returns {{alpha: Float64Array, b: number, objective: number, gap: number, steps: number, status: string}}  gap: what the
 *   distance to the optimum does not exceed, rounding included; status: "optimal", "max_iter", or "stationary" where the
 *   kernel is indefinite on these points (then it is the distance of primal and dual value)
 */
export function solve({ points, labels, kernel, C, tol = 1e-10, alpha0 = null, maxSteps = 100000 }) {
  const y = checked(points, labels, C, tol);
  const n = y.length;
  const typed = kernel.name === "typed" ? typing() : null;
  const fault = typed?.faultOf(points, kernel);
  if (fault) throw new RangeError(fault);
  const K = gramMatrix(points, kernel);
  const K0 = K.slice();
  const promised = positive(complete(kernel));
  const concave = !promised && indefinite(K, n);
  const { mean, largest, rounding } = centre(K, n);
  const beta = feasible(alpha0, y, C);
  const lo = y.map((s) => Math.min(0, s * C));
  const hi = y.map((s) => Math.max(0, s * C));
  const dual = { n, K, y, beta, lo, hi, rounding, F: gradient(K, beta, y) };
  const { steps, status } = descend(dual, { tol, largest, concave, maxSteps });
  const { alpha, objective, b: centred } = certificate(dual, C);
  const b = centred - mean.reduce((sum, m, i) => sum + m * beta[i], 0);
  /** @type {number | undefined} */
  let known;
  return {
    alpha, b, objective, steps, status,
    get gap() { // when somebody asks: a path of four hundred machines shows none
      if (known === undefined) {
        const errors = typed?.gramErrors(points, kernel) ?? null;
        known = classifierGap({ points, kernel, K: K0, errors, y, beta, b, objective }, C) + (promised || concave ? 0 : bent(K0, errors, alpha, C));
      }
      return known;
    },
  };
}

/**
 * Upper bound of primal minus dual value, alpha max(r, 0) + (C - alpha) max(-r, 0) at each point, with r = y f - 1.
 * @param {Parameters<typeof provenGap>[0]} machine
 * @param {number} C
 */
export function classifierGap(machine, C) {
  const { y, beta } = machine;
  return provenGap(machine, (i, rho) => (y[i] * rho > 0 ? Math.abs(beta[i]) : C - Math.abs(beta[i])) * Math.abs(rho));
}

/**
 * By how much a better alpha may exceed the proof where K may have eigenvalues just below 0: along a direction of the least of
 * them the dual value bends upwards, by 1/2 |lambda| |step|^2.
 * @param {Float64Array} K
 * @param {Float64Array | null} errors of K
 * @param {Float64Array} alpha
 * @param {number} C
 */
function bent(K, errors, alpha, C) {
  const n = alpha.length;
  const wrong = n * (errors?.reduce((most, value) => Math.max(most, value), 0) ?? 0); // an eigenvalue by no more
  const largest = K.reduce((most, value) => Math.max(most, Math.abs(value)), 0);
  const part = [1e-16, 1e-15, 1e-14, 1e-13, 1e-12, 1e-11].find((value) => !indefinite(K, n, value)) ?? 1e-10;
  const longest = alpha.reduce((sum, value) => sum + Math.max(value, C - value) ** 2, 0);
  return 0.5 * ((part + 2 ** -52 * n * n) * largest + wrong) * longest; // n^2 roundings in the factor
}

/**
 * From a feasible beta to the minimum, in place. dual.y may hold any numbers, lo and hi any box: a regression's, too.
 * @param {import("./newton.js").Dual} dual
 * @param {{tol: number, largest: number, concave?: boolean, maxSteps?: number}} how  largest: entry of K before centring
 */
export function descend(dual, { tol, largest, concave = false, maxSteps = 100000 }) {
  const { K, y, beta } = dual;
  const rounded = () => 2 ** -50 * largest * beta.reduce((sum, v) => sum + Math.abs(v), 0); // F is no better than this

  let [steps, idle, least, value] = [0, 0, Infinity, Infinity];
  for (let most = concave ? 5000 : 50; steps < maxSteps && idle < 20; most = burst(dual)) {
    const goal = Math.max(tol, rounded() / 16);
    steps += pairSteps(dual, goal, Math.min(most, maxSteps - steps));
    if (violation(dual) > goal) steps += newtonSteps(dual, 0.1 * goal);
    dual.F = gradient(K, beta, y); // all the steps have left their rounding in it
    const [worst, now] = [violation(dual), dual.F.reduce((sum, v, i) => sum + 0.5 * beta[i] * (v - y[i]), 0)];
    if (worst <= goal) break;
    idle = worst < 0.9 * least || now < value - 1e-13 * Math.abs(value) ? 0 : idle + 1;
    [least, value] = [Math.min(least, worst), Math.min(value, now)];
  }
  const status = violation(dual) > 1.01 * Math.max(tol, rounded()) ? "max_iter" : concave ? "stationary" : "optimal";
  return { steps, status };
}

/**
 * Pair steps until the KKT violation is at most tol, or `most` of them; how many were taken.
 * @param {import("./newton.js").Dual} dual
 * @param {number} tol
 * @param {number} most
 */
export function pairSteps({ n, K, F, beta, lo, hi }, tol, most) {
  const order = Array.from(F.keys()).sort((l, m) => l % 64 - m % 64); // ties go to the first: to svmlib's first, too
  const floor = order.reduce((value, l) => Math.max(value, 1e-12 * K[l * n + l]), 1e-300); // less curvature is rounding
  for (let step = 0; step < most; step += 1) {
    let [i, j, gain, worst] = [-1, -1, 0, -Infinity];
    for (const l of order) if (beta[l] < hi[l] && !(i >= 0 && F[l] >= F[i])) i = l;
    const Ki = K.subarray(i * n, i * n + n);
    for (const l of order) {
      const d = F[l] - F[i];
      if (!(beta[l] > lo[l] && d > 0)) continue;
      const g = d * d / Math.max(Ki[i] + K[l * n + l] - 2 * Ki[l], floor);
      if (g > gain) [gain, j] = [g, l];
      if (d > worst) worst = d;
    }
    if (j < 0 || worst <= tol) return step;
    const Kj = K.subarray(j * n, j * n + n);
    const t = stepLength(F[j] - F[i], Ki[i] + Kj[j] - 2 * Ki[j], floor,
      Math.min(hi[i] - beta[i], beta[j] - lo[j]), Math.min(beta[i] - lo[i], hi[j] - beta[j]));
    beta[i] = moved(beta[i], t, lo[i], hi[i]);
    beta[j] = moved(beta[j], -t, lo[j], hi[j]);
    for (let l = 0; l < n; l += 1) F[l] += t * (Ki[l] - Kj[l]);
  }
  return most;
}

/**
 * The t of the least -d t + eta t^2 / 2 over -down <= t <= up, d > 0. An indefinite kernel may bend it the other way:
 * then the better end.
 * @type {(d: number, eta: number, floor: number, up: number, down: number) => number}
 */
export function stepLength(d, eta, floor, up, down) {
  if (eta >= -floor) return Math.min(d / Math.max(eta, floor), up);
  return up * (d - 0.5 * eta * up) >= -down * (d + 0.5 * eta * down) ? up : -down;
}

/**
 * value + step, exactly on a bound where the step uses up the room: "up" and "low" then need no tolerance.
 * @type {(value: number, step: number, lo: number, hi: number) => number}
 */
function moved(value, step, lo, hi) {
  return step === hi - value ? hi : step === lo - value ? lo : Math.min(hi, Math.max(lo, value + step));
}

/**
 * The largest F in low minus the least in up, at least 0.
 * @param {import("./newton.js").Dual} dual
 */
function violation({ n, F, beta, lo, hi }) {
  let [up, low] = [Infinity, -Infinity];
  for (let l = 0; l < n; l += 1) {
    if (beta[l] < hi[l]) up = Math.min(up, F[l]);
    if (beta[l] > lo[l]) low = Math.max(low, F[l]);
  }
  return Math.max(0, low - up);
}
