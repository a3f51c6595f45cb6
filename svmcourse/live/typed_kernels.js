// Kernels that a reader has typed: what is wrong with them on some points, their rounding errors, and f on a grid.
import { readFormula } from "./expression.js";
import { errorOf, rowOf, valueOf } from "./formula.js";
import { complete } from "./kernels.js";
import { number } from "./words.js";

/** @typedef {import("./kernels.js").Kernel} Kernel */
/** @typedef {import("./kernels.js").Point} Point */

const FIELD_TIME = 4; // ms of a frame for f

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

/** A typed kernel as a function of two points. @param {Kernel} kernel */
export function typedFunction(kernel) {
  const { term, letters } = typedFormula(kernel);
  return valueOf(term, letters);
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
 * rounding explains; "" where nothing is.
 * @param {Point[]} points
 * @param {Kernel} kernel
 */
export function faultOf(points, kernel) {
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

/** The last ones are kept: a frame asks for the proof and for the verdict. @type {{key: string, errors: Float64Array}} */
let lastErrors = { key: "", errors: new Float64Array() };

/**
 * What no entry of a typed kernel's Gram matrix is wrong by, entry by entry (n * n).
 * @param {Point[]} points
 * @param {Kernel} kernel
 */
export function gramErrors(points, kernel) {
  const { term, letters } = typedFormula(kernel);
  const [n, error] = [points.length, errorOf(term, letters)];
  const key = JSON.stringify([kernel.text, letters, points]);
  if (lastErrors.key === key) return lastErrors.errors;
  const errors = new Float64Array(n * n);
  for (let i = 0; i < n; i += 1) for (let j = 0; j <= i; j += 1) errors[i * n + j] = errors[j * n + i] = error(points[i], points[j]);
  lastErrors = { key, errors };
  return errors;
}

/**
 * f of a machine with a typed kernel at the nodes of a grid, row by row; where its formula has no value, 0.
 * While the machine changes from frame to frame it is computed at fewer nodes, as many as the time allows, with straight lines between them.
 * @param {import("./machine.js").Machine} machine
 * @param {Float64Array} f  all b @param {ArrayLike<number>} x1 @param {ArrayLike<number>} x2 @param {{z: number[], beta: number}[]} support
 */
export function typedField(machine, f, x1, x2, support) {
  const { term, letters } = typedFormula(machine.kernel);
  const step = machine.hurried ? Math.ceil(Math.sqrt((machine.pace * f.length * support.length) / FIELD_TIME)) || 1 : 1;
  const [columns, rows] = [some(x1, step), some(x2, step)];
  const begun = performance.now();
  const row = rowOf(term, letters, columns.length);
  const g = new Float64Array(columns.length * rows.length).fill(f[0]);
  const x = [NaN, NaN];
  for (const { z, beta } of support) {
    for (let r = 0, o = 0; r < rows.length; r += 1) {
      x[1] = rows[r];
      const k = row(columns, x, z, r === 0);
      for (let c = 0; c < columns.length; c += 1, o += 1) g[o] += beta * k[c];
    }
  }
  if (g.length * support.length > 1000) machine.pace = (performance.now() - begun) / (g.length * support.length);
  for (let o = 0; o < g.length; o += 1) if (!Number.isFinite(g[o])) g[o] = 0;
  return step === 1 ? g : between(f, g, x1.length, columns.length, step);
}

/** Every step-th of some numbers, and the next one beyond the last. @param {ArrayLike<number>} all @param {number} step */
function some(all, step) {
  const last = all.length - 1;
  return Float64Array.from({ length: Math.ceil(last / step) + 1 }, (_, k) => (k * step <= last ? all[k * step] : all[last] + (k * step - last) * (all[last] - all[last - 1])));
}

/**
 * A grid filled from one with every step-th node.
 * @param {Float64Array} f @param {Float64Array} g @param {number} columns of f @param {number} across  columns of g @param {number} step
 */
function between(f, g, columns, across, step) {
  for (let o = 0, r = 0; o < f.length; r += 1) {
    const [top, v] = [Math.floor(r / step) * across, (r % step) / step];
    for (let c = 0; c < columns; c += 1, o += 1) {
      const [k, u] = [top + Math.floor(c / step), (c % step) / step];
      const upper = g[k] + (u && u * (g[k + 1] - g[k]));
      f[o] = v ? upper + v * (g[k + across] + (u && u * (g[k + across + 1] - g[k + across])) - upper) : upper;
    }
  }
  return f;
}
