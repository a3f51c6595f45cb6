// The smallest eigenvalue of a symmetric matrix: reflections make it tridiagonal, and signs of pivots are counted (Givens 1954).

/**
 * @param {Float64Array} K by rows (n * n)
 * @param {number} n
 * @returns {{least: number, rounding: number}}  rounding: what least may be wrong by, n 2^-52 |K|_F
 */
export function leastEigenvalue(K, n) {
  const { diagonal, beside } = tridiagonal(K.slice(), n);
  const rounding = n * 2 ** -52 * Math.sqrt(K.reduce((sum, value) => sum + value * value, 0));
  let [low, high] = [Infinity, Infinity];
  for (let i = 0; i < n; i += 1) { // no eigenvalue is below a circle's left end, and the least is not above the least of the diagonal
    low = Math.min(low, diagonal[i] - Math.abs(beside[i]) - Math.abs(beside[i + 1] ?? 0));
    high = Math.min(high, diagonal[i]);
  }
  low -= rounding;
  while (high - low > 0.01 * rounding) {
    const middle = low + 0.5 * (high - low);
    if (middle === low || middle === high) break;
    if (anyBelow(diagonal, beside, middle)) high = middle;
    else low = middle;
  }
  return { least: high, rounding };
}

/** Whether a tridiagonal matrix has an eigenvalue below t: whether a pivot of T - t I is negative. @param {Float64Array} diagonal @param {Float64Array} beside @param {number} t */
function anyBelow(diagonal, beside, t) {
  let pivot = 1;
  for (let i = 0; i < diagonal.length; i += 1) {
    pivot = diagonal[i] - t - (i ? (beside[i] * beside[i]) / pivot : 0);
    if (pivot < 0) return true;
    if (pivot === 0) pivot = 1e-300;
  }
  return false;
}

/**
 * Householder's reflections, from the last row up: A = Q T Q', of which T's diagonal, and what stands left of it in each row.
 * @param {Float64Array} A by rows, of which the lower half is used up
 * @param {number} n
 */
function tridiagonal(A, n) {
  const [diagonal, beside] = [new Float64Array(n), new Float64Array(n)];
  for (let i = n - 1; i > 0; i -= 1) {
    const u = A.subarray(i * n, i * n + i);
    const size = u.reduce((most, value) => Math.max(most, Math.abs(value)), 0);
    diagonal[i] = A[i * n + i];
    beside[i] = u[i - 1];
    if (i === 1 || size === 0) continue;
    let square = 0;
    for (let k = 0; k < i; k += 1) square += (u[k] /= size) * u[k];
    const root = u[i - 1] >= 0 ? -Math.sqrt(square) : Math.sqrt(square);
    beside[i] = size * root;
    const h = square - u[i - 1] * root; // |u|^2 / 2
    u[i - 1] -= root;
    const p = new Float64Array(i); // A u / h, by the lower half alone
    for (let j = 0; j < i; j += 1) {
      const row = A.subarray(j * n, j * n + j);
      let sum = A[j * n + j] * u[j];
      for (let k = 0; k < j; k += 1) {
        sum += row[k] * u[k];
        p[k] += row[k] * u[j];
      }
      p[j] += sum;
    }
    let along = 0;
    for (let j = 0; j < i; j += 1) along += (p[j] /= h) * u[j];
    for (let j = 0; j < i; j += 1) p[j] -= (along / (2 * h)) * u[j];
    for (let j = 0; j < i; j += 1) for (let k = 0; k <= j; k += 1) A[j * n + k] -= u[j] * p[k] + p[j] * u[k];
  }
  if (n) diagonal[0] = A[0];
  return { diagonal, beside };
}
