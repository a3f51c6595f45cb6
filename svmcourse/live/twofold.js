// Numbers of twice the length: a sum high + low of two doubles, low at most half a unit in the last place of high.
//
// Each operation errs by less than 2^-100 of its result (addition: of its larger operand); see Dekker 1971, and Hida, Li
// and Bailey 2001. They stand in numbered registers, two entries of one array each: numbers that functions hand to each
// other would be objects to the browser, and ten times as slow.
import { complete } from "./kernels.js";

export const TWOFOLD_ERROR = 2 ** -76; // of a kernel, relative, with much room to spare: see exponential

const R = new Float64Array(32);
const [ONE, LN2, SIXTH] = [13, 14, 15]; // registers that keep their value; kernels work in 3 to 12
load(ONE, 1, 0);
load(LN2, 0.6931471805599453, 2.3190468138462996e-17);
load(SIXTH, 1 / 6, 9.25185853854297e-18);

/** Register d := h + l, with l small. @param {number} d @param {number} h @param {number} l */
function load(d, h, l) {
  const s = h + l;
  R[2 * d] = s;
  R[2 * d + 1] = l - (s - h);
}

/** Register d := x + y, two doubles, exactly. @param {number} d @param {number} x @param {number} y */
function loadSum(d, x, y) {
  const s = x + y;
  const t = s - x;
  R[2 * d] = s;
  R[2 * d + 1] = (x - (s - t)) + (y - t);
}

/** Register d := a b. @param {number} d @param {number} a @param {number} b */
function multiply(d, a, b) {
  const x = R[2 * a];
  const y = R[2 * b];
  const p = x * y;
  const u = 134217729 * x; // 2^27 + 1 splits each into halves of 26 bits
  const v = 134217729 * y;
  const xh = u - (u - x);
  const yh = v - (v - y);
  const xl = x - xh;
  const yl = y - yh;
  load(d, p, ((xh * yh - p) + xh * yl + xl * yh) + xl * yl + (x * R[2 * b + 1] + R[2 * a + 1] * y));
}

/** Register d := a + b. @param {number} d @param {number} a @param {number} b */
function add(d, a, b) {
  const x = R[2 * a];
  const y = R[2 * b];
  const s = x + y;
  const t = s - x;
  const e = (x - (s - t)) + (y - t);
  const z = R[2 * a + 1];
  const w = R[2 * b + 1];
  const f = z + w;
  const g = f - z;
  const h = s + (e + f);
  load(d, h, ((e + f) - (h - s)) + ((z - (f - g)) + (w - g)));
}

/** Register d := s d, s a power of two. @param {number} d @param {number} s */
function scale(d, s) {
  R[2 * d] *= s;
  R[2 * d + 1] *= s;
}

/** Register d := a / b, by long division: three digits of 53 bits; d is none of a, b. Uses 12. @param {number} d @param {number} a @param {number} b */
function divide(d, a, b) {
  load(d, 0, 0);
  for (let k = 0; k < 3; k += 1) {
    const digit = R[2 * a] / R[2 * b];
    load(12, -digit, 0);
    multiply(12, 12, b);
    add(a, a, 12);
    load(12, digit, 0);
    add(d, d, 12);
  }
}

/**
 * Register 3 := e^-t, t >= 0 in register 4: e^-t = 2^-k (e^r)^64 with |r| < 0.0055. Of the series of e^r - 1 the first
 * three terms are twofold, the others, below 4e-11, are doubles; their error, below 4e-27, is 64 times as large in the
 * end, below 2^-81.
 */
function exponential() {
  if (!(R[8] < 745)) {
    load(3, 0, 0);
    return;
  }
  const k = Math.round(R[8] / R[2 * LN2]);
  load(5, k, 0);
  multiply(5, 5, LN2);
  scale(4, -1);
  add(5, 5, 4);
  scale(5, 1 / 64); // r
  multiply(6, 5, 5);
  multiply(7, 6, 5);
  multiply(7, 7, SIXTH);
  const x = R[10];
  load(8, x ** 4 * (1 / 24 + x * (1 / 120 + x * (1 / 720 + x * (1 / 5040 + x * (1 / 40320 + x / 362880))))), 0);
  scale(6, 0.5);
  add(7, 7, 8);
  add(6, 6, 7);
  add(3, 5, 6); // e^r - 1
  for (let j = 0; j < 6; j += 1) { // (1 + e)^2 - 1
    multiply(6, 3, 3);
    scale(3, 2);
    add(3, 3, 6);
  }
  add(3, ONE, 3);
  scale(3, 2 ** -k);
}

/** Register 3 := x'z. @param {ArrayLike<number>} x @param {ArrayLike<number>} z */
function twofoldInner(x, z) {
  load(3, 0, 0);
  for (let m = 0; m < x.length; m += 1) {
    load(4, x[m], 0);
    load(5, z[m], 0);
    multiply(4, 4, 5);
    add(3, 3, 4);
  }
}

/**
 * What brings the kernel of two points, as they are stored, into register 3.
 * @param {import("./kernels.js").Kernel} kernel
 * @returns {(x: ArrayLike<number>, z: ArrayLike<number>) => void}
 */
function twofoldKernel(kernel) {
  const k = complete(kernel);
  switch (k.name) {
    case "gaussian": return (x, z) => {
      load(9, 0, 0);
      for (let m = 0; m < x.length; m += 1) {
        loadSum(4, x[m], -z[m]);
        multiply(4, 4, 4);
        add(9, 9, 4);
      }
      load(10, k.sigma, 0);
      multiply(10, 10, 10);
      scale(10, 2);
      divide(4, 9, 10);
      exponential();
    };
    case "polynomial": return (x, z) => {
      twofoldInner(x, z);
      load(4, k.a, 0);
      multiply(3, 3, 4);
      load(4, k.b, 0);
      add(3, 3, 4);
      load(9, R[6], R[7]);
      for (let q = 1; q < k.Q; q += 1) multiply(3, 3, 9);
    };
    case "sigmoid": return (x, z) => { // tanh v = (1 - e^-2v) / (1 + e^-2v)
      twofoldInner(x, z);
      load(4, k.kappa, 0);
      multiply(3, 3, 4);
      load(4, -k.delta, 0);
      add(4, 3, 4);
      const sign = R[8] < 0 ? -1 : 1;
      scale(4, 2 * sign);
      exponential();
      add(10, ONE, 3);
      scale(3, -1);
      add(9, ONE, 3);
      divide(3, 9, 10);
      scale(3, sign);
    };
    default: return twofoldInner;
  }
}

/**
 * f(x_i) - y_i of a machine f = sum beta_j k(x_j, .) + b by twofold numbers, rounded once; where they overflow, no number.
 * @param {{points: ArrayLike<number>[], kernel: import("./kernels.js").Kernel, y: ArrayLike<number>, beta: ArrayLike<number>, b: number}} machine
 * @returns {(i: number) => number}
 */
export function twofoldResidual({ points, kernel, y, beta, b }) {
  const exact = twofoldKernel(kernel);
  return (i) => {
    loadSum(1, b, -y[i]);
    for (let j = 0; j < y.length; j += 1) {
      if (beta[j] === 0) continue;
      exact(points[i], points[j]);
      load(2, beta[j], 0);
      multiply(2, 2, 3);
      add(1, 1, 2);
    }
    return R[2] + R[3];
  };
}

/** The sum of numbers, rounded once. @param {ArrayLike<number>} values */
export function twofoldSum(values) {
  load(1, 0, 0);
  for (let j = 0; j < values.length; j += 1) {
    load(2, values[j], 0);
    add(1, 1, 2);
  }
  return R[2] + R[3];
}
