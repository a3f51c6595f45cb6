// A formula of two points as closures: its value, a bound for what rounding has done to it, and its values along a row of a grid.
import { power } from "./kernels.js";

/**
 * A node of a formula's tree.
 * @typedef {object} Term
 * @property {string} name "number", "letter", "x1", "x2", "z1", "z2", "+", "-", "*", "/", "^", "negative", or a function
 * @property {Term[]} args
 * @property {number} [value] of a number, and of what is made of numbers alone
 * @property {string} [letter]
 * @property {string} [pair] "dot" or "dist" where it stands for one of x and z
 *
 * @typedef {ArrayLike<number>} Place
 * @typedef {(x: Place, z: Place) => number} Value
 * @typedef {(a: ArrayLike<number>, b: ArrayLike<number>, out: Float64Array) => void} Loop
 *
 * @typedef {object} Operation
 * @property {number} arity
 * @property {(a: number, b: number) => number} f
 * @property {(v: number, a: number, da: number, b: number, db: number) => number} error of v = f(a, b) where a and b are wrong by da and db at
 *   most, before v itself is rounded
 * @property {Loop} [loop] the same for many numbers; the processor likes each to have its own
 */

// What browsers compute is the nearest number for + - * / and the root; other functions miss by less than two units.
const UNIT = 2 ** -52;
const SMALLEST = 2 ** -1020; // what underflow loses
const far = (/** @type {boolean} */ safe, /** @type {number} */ error) => (safe ? error : Infinity);

/** @type {Record<string, Operation>} */
export const OPERATIONS = {
  "+": { arity: 2, f: (a, b) => a + b, error: (_v, _a, da, _b, db) => da + db, loop(a, b, out) { for (let c = 0; c < out.length; c += 1) out[c] = a[c] + b[c]; } },
  "-": { arity: 2, f: (a, b) => a - b, error: (_v, _a, da, _b, db) => da + db, loop(a, b, out) { for (let c = 0; c < out.length; c += 1) out[c] = a[c] - b[c]; } },
  "*": {
    arity: 2, f: (a, b) => a * b, error: (_v, a, da, b, db) => Math.abs(a) * db + Math.abs(b) * da + da * db,
    loop(a, b, out) { for (let c = 0; c < out.length; c += 1) out[c] = a[c] * b[c]; },
  },
  "/": {
    arity: 2, f: (a, b) => a / b, error: (v, _a, da, b, db) => far(Math.abs(b) > db, (da + Math.abs(v) * db) / (Math.abs(b) - db)),
    loop(a, b, out) { for (let c = 0; c < out.length; c += 1) out[c] = a[c] / b[c]; },
  },
  "^": { arity: 2, f: raisedTo, error: errorOfPower },
  negative: { arity: 1, f: (a) => -a, error: (_v, _a, da) => da, loop(a, _, out) { for (let c = 0; c < out.length; c += 1) out[c] = -a[c]; } },
  exp: {
    arity: 1, f: Math.exp, error: (v, _a, da) => v * Math.expm1(da),
    loop(a, _, out) { for (let c = 0; c < out.length; c += 1) out[c] = Math.exp(a[c]); },
  },
  tanh: { // (browsers take ten times as long for it as for exp)
    arity: 1, f: Math.tanh, error: (_v, _a, da) => da, loop(a, _, out) { for (let c = 0; c < out.length; c += 1) out[c] = 1 - 2 / (Math.exp(2 * a[c]) + 1); },
  },
  log: { arity: 1, f: Math.log, error: (_v, a, da) => far(a > da, da / (a - da)) },
  sqrt: {
    arity: 1, f: Math.sqrt, error: (v, _a, da) => Math.min(da / v || 0, Math.sqrt(da)),
    loop(a, _, out) { for (let c = 0; c < out.length; c += 1) out[c] = Math.sqrt(a[c]); },
  },
  abs: { arity: 1, f: Math.abs, error: (_v, _a, da) => da },
  sin: { arity: 1, f: Math.sin, error: (_v, _a, da) => da },
  cos: { arity: 1, f: Math.cos, error: (_v, _a, da) => da },
  min: { arity: 2, f: Math.min, error: (_v, _a, da, _b, db) => Math.max(da, db) },
  max: { arity: 2, f: Math.max, error: (_v, _a, da, _b, db) => Math.max(da, db) },
};

/** @param {number} a @param {number} b */
function raisedTo(a, b) {
  return Number.isInteger(b) && b > 0 && b <= 64 ? power(a, b) : a ** b;
}

/** A power is monotone in both arguments while the base keeps its sign: its extremes are at corners. @type {Operation["error"]} */
function errorOfPower(v, a, da, b, db) {
  const [size, own] = [Math.abs(a), 64 * UNIT * Math.abs(v)]; // of repeated products
  if (db === 0 && b > 0 && Number.isInteger(b)) return b * raisedTo(size + da, b - 1) * da + own;
  if (da === 0 && db === 0) return own;
  if (size > da && (a > 0 || db === 0)) {
    const corners = [size - da, size + da].flatMap((base) => [b - db, b + db].map((exponent) => base ** exponent));
    return Math.max(...corners.map((corner) => Math.abs(corner - Math.abs(v)))) + own;
  }
  return far(b > 0 && db === 0, 2 * (size + da) ** b + own);
}

/** @type {Record<string, Value>} */
const COORDINATE = { x1: (x) => x[0], x2: (x) => x[1], z1: (_, z) => z[0], z2: (_, z) => z[1] };
/** The names of the coordinates. */
export const AXES = Object.keys(COORDINATE);

/**
 * The value of a term at two points.
 * @param {Term} term
 * @param {Record<string, number>} letters
 * @returns {Value}
 */
export function valueOf(term, letters) {
  const { name, args, letter } = term;
  if (Object.hasOwn(COORDINATE, name)) return COORDINATE[name];
  if (name === "number" || letter) {
    const constant = Number(letter ? letters[letter] : term.value);
    return () => constant;
  }
  const [a, b] = args.map((arg) => valueOf(arg, letters));
  const { f } = OPERATIONS[name];
  if (!dependsOn(term, AXES)) { // the same for all points
    const constant = f(a([], []), b?.([], []) ?? 0);
    return () => constant;
  }
  switch (name) { // the processor likes these better than a call
    case "+": return (x, z) => a(x, z) + b(x, z);
    case "-": return (x, z) => a(x, z) - b(x, z);
    case "*": return (x, z) => a(x, z) * b(x, z);
    case "/": return (x, z) => a(x, z) / b(x, z);
    default: return b ? (x, z) => f(a(x, z), b(x, z)) : (x, z) => f(a(x, z), 0);
  }
}

let wrong = 0; // by how much the last value of a guarded term can be wrong

/**
 * The value of a term, which leaves the bound of its error in `wrong`.
 * @param {Term} term
 * @param {Record<string, number>} letters
 * @returns {Value}
 */
function guarded(term, letters) {
  const { name, args } = term;
  const exact = valueOf(term, letters);
  if (!args.length) return (x, z) => { wrong = 0; return exact(x, z); };
  const [first, second] = args.map((arg) => guarded(arg, letters));
  const { f, error } = OPERATIONS[name];
  return (x, z) => {
    const a = first(x, z);
    const da = wrong;
    wrong = 0;
    const b = second ? second(x, z) : 0;
    const db = wrong;
    const v = f(a, b);
    wrong = error(v, a, da, b, db) * (1 + 16 * UNIT) + 2 * UNIT * Math.abs(v) + SMALLEST;
    return v;
  };
}

/**
 * What rounding has changed the value of a term by, at most; numbers and letters are what is stored.
 * @param {Term} term
 * @param {Record<string, number>} letters
 * @returns {Value}
 */
export function errorOf(term, letters) {
  const value = guarded(term, letters);
  return (x, z) => {
    value(x, z);
    return wrong;
  };
}

/** Whether a term changes with one of these. @param {Term} term @param {string[]} names @returns {boolean} */
export function dependsOn({ name, args }, names) {
  return names.includes(name) || args.some((arg) => dependsOn(arg, names));
}

/**
 * The values of a term at a row of points, (x1[c], x2), in an array; what does not change from row to row once for each z.
 * @param {Term} term
 * @param {Record<string, number>} letters
 * @param {number} length of the row
 * @returns {(x1: Float64Array, x: Place, z: Place, first: boolean) => Float64Array}  x: any point with that x2; first: whether the row is
 *   the first with this z
 */
export function rowOf(term, letters, length) {
  if (term.name === "x1") return (x1) => x1;
  const out = new Float64Array(length);
  const moves = dependsOn(term, ["x2"]);
  if (!dependsOn(term, ["x1"])) {
    const level = valueOf(term, letters);
    return (_, x, z, first) => (moves || first ? out.fill(level(x, z)) : out);
  }
  const [base, exponent] = term.args;
  const square = term.name === "^" && !dependsOn(exponent, AXES) && valueOf(exponent, letters)([], []) === 2;
  const { f, loop } = square ? { f: raisedTo, loop: squares } : OPERATIONS[term.name];
  const known = square && base.pair === "dist" ? rowOf(base.args[0], letters, length) : null; // the square of a root of a sum of squares
  if (known) return known;
  const [left, right] = term.args.map((arg) => rowOf(arg, letters, length));
  return (x1, x, z, first) => {
    if (!moves && !first) return out;
    const a = left(x1, x, z, first);
    const b = right?.(x1, x, z, first) ?? a;
    if (loop) loop(a, b, out);
    else for (let c = 0; c < length; c += 1) out[c] = f(a[c], b[c]);
    return out;
  };
}

/** @type {Loop} */
function squares(a, _, out) {
  for (let c = 0; c < out.length; c += 1) out[c] = a[c] * a[c];
}

/** How tightly what is written binds in Python: sums, products, signs, powers, and what needs no brackets. */
const [SUM, PRODUCT, SIGN, POWER, ATOM] = [1, 2, 3, 4, 5];
/** What stands at its left and right, at least. @type {Record<string, [own: number, left: number, right: number]>} */
const BINDING = { "+": [SUM, SUM, PRODUCT], "-": [SUM, SUM, PRODUCT], "*": [PRODUCT, PRODUCT, SIGN], "/": [PRODUCT, PRODUCT, SIGN], "^": [POWER, ATOM, SIGN] };
const LARGE = 1e6;
const NUMPY = /** @type {Record<string, string>} */ ({ min: "minimum", max: "maximum" });

/**
 * A term as Python, with numpy as np.
 * @param {Term} term
 * @param {number} least how tightly it has to bind
 * @returns {string}
 */
export function pythonTerm({ name, args, value, letter, pair }, least = 0) {
  if (pair) return pair;
  if (value !== undefined && (name === "number" || Math.abs(value) >= LARGE)) return inPython(value, least);
  if (!args.length) return letter ?? name;
  if (name === "negative") return bracketed(`-${pythonTerm(args[0], SIGN)}`, SIGN, least);
  if (!Object.hasOwn(BINDING, name)) return `np.${NUMPY[name] ?? name}(${args.map((arg) => pythonTerm(arg)).join(", ")})`;
  const [own, left, right] = BINDING[name];
  const sign = name === "^" ? "**" : own === SUM ? ` ${name} ` : name;
  return bracketed(pythonTerm(args[0], left) + sign + pythonTerm(args[1], right), own, least);
}

/** @param {string} text @param {number} own @param {number} least */
function bracketed(text, own, least) {
  return own < least ? `(${text})` : text;
}

/** A number that numpy can hold: 2 to the power of 500 is 3.27e+150, not an integer of 151 digits. @param {number} value @param {number} least */
function inPython(value, least) {
  return bracketed(Math.abs(value) < LARGE ? String(value) : value.toExponential(), value < 0 ? SIGN : ATOM, least);
}

/** Whether dot(x, z) or dist(x, z) stands in a term. @param {Term} term @param {string} name @returns {boolean} */
function uses({ pair, args }, name) {
  return pair === name || args.some((arg) => uses(arg, name));
}

/**
 * A typed kernel as a function of two arrays of points, which svmlib and scikit-learn take. It is written anew from the tree: nothing of what
 * was typed is copied.
 * @param {{term: Term, letters: Record<string, number>}} formula
 */
export function pythonKernel({ term, letters }) {
  return ["def kernel(first, second):", '"""k(x, z) for each row x of first and each row z of second (scikit-learn\'s SVC takes it, too)."""',
    "x1, x2, z1, z2 = first[:, :1], first[:, 1:], second[:, 0], second[:, 1]",
    ...(uses(term, "dot") ? ["dot = x1*z1 + x2*z2"] : []),
    ...(uses(term, "dist") ? ["dist = np.sqrt((x1 - z1)**2 + (x2 - z2)**2)"] : []),
    ...Object.entries(letters).map(([letter, value]) => `${letter} = np.float64(${value})`),
    `return np.full((len(first), len(second)), ${pythonTerm(term)}, float)`,
  ].join("\n    ");
}
