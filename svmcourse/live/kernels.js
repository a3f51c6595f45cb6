// The kernels of svmlib.kernels, under the same names and with the same parameters, and one that a reader types.
import { readFormula } from "./expression.js";
import { errorOf, power, valueOf } from "./formula.js";
import { number } from "./words.js";

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
  return full.name === "typed" ? { ...full, ...typedFormula(kernel) } : full;
}

/** The last one is kept: a frame asks some thousand times. @type {{text: unknown, term: import("./formula.js").Term, letters: string[]} | null} */
let lastRead = null;

/**
 * A typed kernel: its formula as a tree, and its letters, 1 where nobody gives them. A RangeError says what cannot be read.
 * @param {Kernel} kernel
 * @returns {{text: string, term: import("./formula.js").Term, letters: Record<string, number>}}
 */
export function typedFormula({ text, letters: given }) {
  if (typeof text !== "string") throw new RangeError(`kernel.text must be a formula, got ${text}`);
  if (lastRead?.text !== text) lastRead = { text, ...readFormula(text) };
  const { term, letters } = lastRead;
  const values = Object.fromEntries(letters.map((letter) => [letter, given && Object.hasOwn(given, letter) ? given[letter] : 1]));
  for (const [letter, value] of Object.entries(values)) {
    if (!Number.isFinite(value)) throw new RangeError(`kernel.letters.${letter} must be a finite number, got ${value}`);
  }
  return { text, term, letters: values };
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
    case "typed": {
      const { term, letters } = typedFormula(k);
      return valueOf(term, letters);
    }
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
 * A kernel as one that has been typed: the same values, with its parameters as letters.
 * @param {Kernel} kernel
 * @returns {Kernel}
 */
export function asTyped(kernel) {
  if (typeof kernel.text === "string") return { ...kernel, name: "typed" };
  const { name, sigma, Q, a, b, kappa, delta } = complete(kernel);
  const [text, letters] = /** @type {Record<string, [string, Record<string, number>]>} */ ({
    linear: ["dot(x, z)", {}],
    gaussian: ["exp(-dist(x, z)^2 / (2*s^2))", { s: sigma }],
    polynomial: ["(a*dot(x, z) + b)^q", { a, b, q: Q }],
    sigmoid: ["tanh(k*dot(x, z) - d)", { k: kappa, d: delta }],
  })[name];
  return { ...kernel, name: "typed", text, letters };
}

/**
 * What is wrong with a typed kernel on these points: the first pair at which it has no value, or is not symmetric by more than
 * rounding explains; "" where nothing is, and for the other kernels.
 * @param {Point[]} points
 * @param {Kernel} kernel
 */
export function faultOf(points, kernel) {
  if (kernel.name !== "typed") return "";
  const { term, letters } = typedFormula(kernel);
  const [k, error] = [valueOf(term, letters), errorOf(term, letters)];
  for (let i = 0; i < points.length; i += 1) {
    for (let j = 0; j <= i; j += 1) {
      const [there, back] = [k(points[j], points[i]), k(points[i], points[j])];
      const pair = i === j ? `x = z = point ${i + 1}` : `x = point ${j + 1} and z = point ${i + 1}`;
      if (!Number.isFinite(there)) return `The formula has no finite value for ${pair}.`;
      if (!Number.isFinite(back)) return `The formula has no finite value for x = point ${i + 1} and z = point ${j + 1}.`;
      if (there === back) continue;
      if (!(Math.abs(there - back) <= error(points[j], points[i]) + error(points[i], points[j]))) {
        return `Not symmetric: k(x, z) is ${number(there)} for ${pair}, and ${number(back)} the other way round.`;
      }
    }
  }
  return "";
}

/**
 * What no entry of a typed kernel's Gram matrix is wrong by, entry by entry (n * n); null for the other kernels.
 * @param {Point[]} points
 * @param {Kernel} kernel
 */
export function gramErrors(points, kernel) {
  if (kernel.name !== "typed") return null;
  const { term, letters } = typedFormula(kernel);
  const [n, error] = [points.length, errorOf(term, letters)];
  const errors = new Float64Array(n * n);
  for (let i = 0; i < n; i += 1) for (let j = 0; j <= i; j += 1) errors[i * n + j] = errors[j * n + i] = error(points[i], points[j]);
  return errors;
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
