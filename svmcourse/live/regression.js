// Support vector regression in the page: the box problem of solver.js, in which each point stands twice.
//
//     minimise  1/2 beta'K beta - p'beta   over  lo <= beta <= hi,  sum(beta) = 0
//
// with p = y - epsilon, 0 <= beta <= C for the copy that pulls f up, p = y + epsilon, -C <= beta <= 0 for the other.
import { gradient } from "./certificate.js";
import { centre, gramMatrix } from "./kernels.js";
import { provenGap } from "./proof.js";
import { descend } from "./solver.js";

/**
 * @typedef {{x: number[], y: number[], kernel: import("./kernels.js").Kernel, C: number, epsilon: number}} Regression
 */

/**
 * @param {Regression & {beta0?: ArrayLike<number> | null, tol?: number}} problem  beta0: one number per point
 * @returns {{beta: Float64Array, b: number, objective: number, gap: number, status: string}}  gap: what the
 *   primal, 1/2 |w|^2 + C sum max(0, |y - f| - epsilon), does not exceed the dual value by, rounding included
 */
export function regress({ x, y, kernel, C, epsilon, beta0 = null, tol = 1e-9 }) {
  if (!(C > 0 && C < Infinity)) throw new RangeError(`C must be a positive, finite number, got ${C}`);
  if (!(epsilon >= 0 && epsilon < Infinity)) throw new RangeError(`epsilon must be a finite number, 0 or more, got ${epsilon}`);
  if (!x.length || x.length !== y.length) throw new RangeError(`y must hold one number for each of the ${x.length} points, got ${y.length}`);
  if (![...x, ...y].every(Number.isFinite)) throw new RangeError("x and y must be finite");
  const n = x.length;
  const twice = [...x, ...x].map((value) => [value]);
  const K = gramMatrix(twice, kernel);
  const { largest, rounding } = centre(K, 2 * n);
  const p = Float64Array.from(twice, (_, i) => (i < n ? y[i] - epsilon : y[i - n] + epsilon));
  const lo = p.map((_, i) => (i < n ? 0 : -C));
  const hi = p.map((_, i) => (i < n ? C : 0));
  const beta2 = started(beta0, n, C);
  const { status } = descend({ n: 2 * n, K, y: p, beta: beta2, lo, hi, rounding, F: gradient(K, beta2, p) }, { tol, largest });
  const beta = Float64Array.from(y, (_, i) => beta2[i] + beta2[i + n]).map((v) => (Math.abs(v) > 2 ** -46 * C ? v : 0)); // no crumbs
  return { beta, ...proof({ x, y, kernel, C, epsilon }, beta), status };
}

/** A start within the box whose sum is 0. @param {ArrayLike<number> | null} beta0 @param {number} n @param {number} C */
function started(beta0, n, C) {
  const sum = [0, 0];
  const start = Float64Array.from({ length: 2 * n }, (_, i) => {
    const value = Math.max(-C, Math.min(C, Number(beta0?.[i % n]) || 0));
    const mine = i < n ? Math.max(0, value) : Math.min(0, value);
    sum[i < n ? 0 : 1] += Math.abs(mine);
    return mine;
  });
  const least = Math.min(...sum);
  return start.map((value, i) => (value === 0 ? 0 : value * (least / sum[i < n ? 0 : 1])));
}

/**
 * b, both values and their difference, computed anew from beta.
 * @param {Regression} problem
 * @param {Float64Array} beta
 */
function proof({ x, y, kernel, C, epsilon }, beta) {
  const points = x.map((at) => [at]);
  const K = gramMatrix(points, kernel);
  const g = x.map((_, i) => x.reduce((sum, __, j) => (beta[j] ? sum + beta[j] * K[i * x.length + j] : sum), 0));
  const slack = 1e-8 * C;
  let [total, count, least, most] = [0, 0, -Infinity, Infinity];
  for (let i = 0; i < y.length; i += 1) { // the b that put a point on the upper edge, y = f + epsilon, and on the lower
    const [upper, lower] = [y[i] - g[i] - epsilon, y[i] - g[i] + epsilon];
    if (Math.abs(beta[i]) > slack && Math.abs(beta[i]) < C - slack) [total, count] = [total + (beta[i] > 0 ? upper : lower), count + 1];
    if (beta[i] < C - slack) least = Math.max(least, beta[i] < -slack ? lower : upper);
    if (beta[i] > slack - C) most = Math.min(most, beta[i] > slack ? upper : lower);
  }
  const b = count > 0 ? total / count : most === Infinity ? least : least === -Infinity ? most : (least + most) / 2;
  const objective = y.reduce((sum, value, i) => sum + value * beta[i] - epsilon * Math.abs(beta[i]) - 0.5 * beta[i] * g[i], 0);
  const gap = provenGap({ points, kernel, K, y, beta, b, objective }, (i, rho) => (
    C * Math.max(0, Math.abs(rho) - epsilon) + Math.abs(beta[i]) * (epsilon + Math.sign(beta[i]) * rho)));
  return { b, objective, gap };
}
