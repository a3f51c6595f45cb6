// What a point has to be before it is solved, and what alpha is worth afterwards: the certificate of svmlib.dual.

/**
 * The labels as floating-point numbers, after a look at everything.
 * @param {ArrayLike<number>[]} points
 * @param {ArrayLike<number>} labels
 * @param {number} C
 * @param {number} tol
 */
export function checked(points, labels, C, tol) {
  if (!points?.length) throw new RangeError("points is empty");
  const [n, d] = [points.length, points[0].length];
  for (let i = 0; i < n; i += 1) {
    if (points[i].length !== d || !(d > 0)) throw new RangeError(`points[${i}] must have ${d} coordinates, as points[0]`);
    if (!Array.from(points[i]).every(Number.isFinite)) throw new RangeError(`points[${i}] is not finite: ${points[i]}`);
  }
  if (labels?.length !== n) throw new RangeError(`labels must hold one label for each of the ${n} points, got ${labels?.length}`);
  const y = Float64Array.from(labels);
  if (!y.every((s) => Math.abs(s) === 1)) throw new RangeError(`labels must hold -1 and +1 only, got ${[...new Set(y)].slice(0, 5)}`);
  if (y.every((s) => s === y[0])) throw new RangeError(`labels must hold both classes, got only ${y[0]}`);
  if (!(C > 0 && C < Infinity)) throw new RangeError(`C must be a positive, finite number, got ${C}`);
  if (!(tol > 0)) throw new RangeError(`tol must be a positive number, got ${tol}`);
  return y;
}

/**
 * A start that keeps the constraints: alpha0 where it does, what is nearest to it by clipping and shrinking elsewhere.
 * @param {ArrayLike<number> | null | undefined} alpha0
 * @param {Float64Array} y
 * @param {number} C
 * @returns {Float64Array} beta = y alpha
 */
export function feasible(alpha0, y, C) {
  const sum = { "-1": 0, 1: 0 };
  const alpha = y.map((s, i) => {
    const value = Math.min(C, Math.max(0, Number(alpha0?.[i]) || 0)); // NaN and missing ones are 0
    sum[/** @type {1} */ (s)] += value;
    return value;
  });
  const balanced = Math.min(sum[-1], sum[1]);
  return alpha.map((value, i) => {
    const total = sum[/** @type {1} */ (y[i])];
    return value === 0 || total === 0 ? 0 : total === balanced ? y[i] * value : y[i] * value * (balanced / total);
  });
}

/**
 * F = K beta - y.
 * @param {Float64Array} K
 * @param {Float64Array} beta
 * @param {Float64Array} y
 */
export function gradient(K, beta, y) {
  const n = y.length;
  const F = y.map((s) => -s);
  for (let i = 0; i < n; i += 1) if (beta[i] !== 0) for (let l = 0; l < n; l += 1) F[l] += beta[i] * K[i * n + l];
  return F;
}

/**
 * alpha, b, dual value and duality gap, gap = sum alpha max(r, 0) + (C - alpha) max(-r, 0) with r = y f - 1.
 *
 * b is the mean of -F over the free points, 0 < alpha < C; without such points, the midpoint of the interval that the
 * KKT conditions of the others leave.
 * @param {{y: Float64Array, F: Float64Array, beta: Float64Array}} dual
 * @param {number} C
 */
export function certificate({ y, F, beta }, C) {
  const alpha = beta.map(Math.abs);
  const slack = 1e-8 * Math.min(C, alpha.reduce((most, value) => Math.max(most, value), 0));
  let [total, count, least, most] = [0, 0, -Infinity, Infinity];
  for (let i = 0; i < y.length; i += 1) {
    const [above, below] = [alpha[i] > slack, alpha[i] < C - slack];
    if (above && below) [total, count] = [total - F[i], count + 1];
    if (y[i] > 0 ? below : above) least = Math.max(least, -F[i]);
    if (y[i] > 0 ? above : below) most = Math.min(most, -F[i]);
  }
  const b = count > 0 ? total / count : most === Infinity ? least : least === -Infinity ? most : 0.5 * (least + most);
  let [objective, gap] = [0, 0];
  for (let i = 0; i < y.length; i += 1) {
    const r = y[i] * (F[i] + b);
    objective += 0.5 * alpha[i] * (1 - y[i] * F[i]); // y F = y K beta - 1
    gap += r > 0 ? alpha[i] * r : (alpha[i] - C) * r;
  }
  return { alpha, b, objective, gap };
}
