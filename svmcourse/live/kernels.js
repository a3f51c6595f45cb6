// The kernels of svmlib.kernels, under the same names and with the same parameters, and one that a reader types, which typed.js knows.

/**
 * @typedef {"linear" | "polynomial" | "gaussian" | "sigmoid" | "typed"} KernelName
 * @typedef {{name: KernelName, sigma?: number, Q?: number, a?: number, b?: number, kappa?: number, delta?: number,
 *   text?: string, letters?: Record<string, number>}} Kernel  text, letters: of a typed one, the formula and its sliders
 * @typedef {ArrayLike<number>} Point
 */

/** What a parameter is where nobody gives it; svmlib.kernels has the same. @type {Record<string, number>} */
export const DEFAULTS = { sigma: 1, Q: 2, a: 1, b: 1, kappa: 1, delta: 0 };

/** The parameters of each kernel. @type {Record<KernelName, string[]>} */
export const PARAMETERS = { linear: [], polynomial: ["Q", "a", "b"], gaussian: ["sigma"], sigmoid: ["kappa", "delta"], typed: [] };

/**
 * A kernel with all its parameters, checked.
 * @param {Kernel} kernel
 * @returns {Required<Kernel>}
 */
export function complete(kernel) {
  if (!Object.hasOwn(PARAMETERS, kernel?.name)) {
    throw new RangeError(`kernel.name must be one of ${Object.keys(PARAMETERS).join(", ")}, got ${kernel?.name}`);
  }
  const full = /** @type {Required<Kernel>} */ ({ ...DEFAULTS, ...kernel });
  for (const name of PARAMETERS[full.name]) {
    const value = full[/** @type {"sigma"} */ (name)];
    if (!Number.isFinite(value)) throw new RangeError(`kernel.${name} must be a finite number, got ${value}`);
  }
  if (full.name === "gaussian" && !(full.sigma > 1e-150 && full.sigma < 1e150)) {
    throw new RangeError(`kernel.sigma must be positive, between 1e-150 and 1e150, got ${full.sigma}`);
  }
  if (full.name === "polynomial" && !(Number.isInteger(full.Q) && full.Q >= 1)) {
    throw new RangeError(`kernel.Q must be a positive integer, got ${full.Q}`);
  }
  return full.name === "typed" ? { ...full, ...typing().typedFormula(kernel) } : full;
}

/** Whether a reader can type kernels here. */
export const canType = () => "svmlibTyped" in globalThis;

/** What reads and computes formulas: a script of its own, for the page that has a field for them. @returns {typeof import("./typed.js").TYPED} */
export function typing() {
  const known = /** @type {any} */ (globalThis).svmlibTyped;
  if (!known) throw new RangeError("kernel.name is typed, and typed.js is not here");
  return known;
}

/**
 * x^Q by repeated squaring.
 * @param {number} x
 * @param {number} Q
 * @returns {number}
 */
export function power(x, Q) {
  if (Q === 1) return x;
  const half = power(x, Q >> 1);
  return Q & 1 ? half * half * x : half * half;
}

/**
 * Whether theory promises that Gram matrices have no negative eigenvalue.
 * @param {Required<Kernel>} k
 */
export function positive(k) {
  return k.name === "sigmoid" || k.name === "typed" ? false : k.name !== "polynomial" || (k.a >= 0 && k.b >= 0);
}

/**
 * The function k(x, z) of a kernel.
 * @param {Kernel} kernel
 * @returns {(x: Point, z: Point) => number}
 */
export function kernelFunction(kernel) {
  const k = complete(kernel);
  switch (k.name) {
    case "gaussian": {
      const gamma = 0.5 / (k.sigma * k.sigma);
      return (x, z) => {
        let square = 0;
        for (let m = 0; m < x.length; m += 1) square += (x[m] - z[m]) * (x[m] - z[m]);
        return square === 0 ? 1 : Math.exp(-gamma * square); // gamma may be inf, and inf * 0 is no number
      };
    }
    case "polynomial": return (x, z) => power(k.a * inner(x, z) + k.b, k.Q);
    case "sigmoid": return (x, z) => Math.tanh(k.kappa * inner(x, z) - k.delta);
    case "typed": return typing().typedFunction(k);
    default: return inner;
  }
}

/**
 * The inner product x'z.
 * @param {Point} x
 * @param {Point} z
 */
export function inner(x, z) {
  let sum = 0;
  for (let m = 0; m < x.length; m += 1) sum += x[m] * z[m];
  return sum;
}

/**
 * The Gram matrix of n points, by rows (n * n).
 * @param {Point[]} points
 * @param {Kernel} kernel
 */
export function gramMatrix(points, kernel) {
  const n = points.length;
  const K = new Float64Array(n * n);
  const k = kernelFunction(kernel);
  for (let i = 0; i < n; i += 1) for (let j = 0; j <= i; j += 1) K[i * n + j] = K[j * n + i] = k(points[i], points[j]);
  return K;
}

/**
 * K with the mean of the points in feature space as origin, in place. Returns the mean (n) of each row before, the
 * largest entry before, and by how much that exceeds the largest entry now: K has lost so many digits.
 *
 * Where sum(beta) = 0, K beta = K_centred beta + (mean'beta) 1: steps do not see the difference, and the digits of K
 * then measure distances between points, not how far away from the origin all of them are.
 * @param {Float64Array} K
 * @param {number} n
 */
export function centre(K, n) {
  const mean = new Float64Array(n);
  let [total, largest, now] = [0, 0, 0];
  for (let i = 0; i < n; i += 1) {
    for (let j = 0; j < n; j += 1) {
      mean[i] += K[i * n + j] / n;
      largest = Math.max(largest, Math.abs(K[i * n + j]));
    }
    total += mean[i] / n;
  }
  if (!(largest < 1e150)) throw new RangeError(`kernel: its values at these points are too large (${largest})`);
  for (let i = 0; i < n; i += 1) {
    for (let j = 0; j < n; j += 1) {
      K[i * n + j] += total - mean[i] - mean[j];
      now = Math.max(now, Math.abs(K[i * n + j]));
    }
  }
  return { mean, largest, rounding: now > 1e-14 * largest ? Math.max(1, largest / now) : 1 };
}
