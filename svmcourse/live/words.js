// Numbers and sentences for people.

const SUPERSCRIPT = "⁰¹²³⁴⁵⁶⁷⁸⁹";

/**
 * A number as the book writes it: 0.52, −3, 2.7·10⁻⁷.
 * @param {number} value
 * @param {number} digits significant ones
 * @returns {string}
 */
export function number(value, digits = 3) {
  if (!Number.isFinite(value)) return value > 0 ? "∞" : value < 0 ? "−∞" : "?";
  if (value === 0) return "0";
  const rounded = Number(value.toPrecision(digits));
  const size = Math.abs(rounded);
  let text = String(rounded);
  if (size < 1e-3 || size >= 1e6) {
    const [mantissa, exponent] = value.toExponential(digits - 1).split("e");
    const power = [...String(Math.abs(Number(exponent)))].map((d) => SUPERSCRIPT[Number(d)]).join("");
    const front = Number(mantissa);
    text = `${Math.abs(front) === 1 ? (front < 0 ? "-" : "") : `${front}·`}10${Number(exponent) < 0 ? "⁻" : ""}${power}`;
  }
  return text.replace("-", "−");
}

/**
 * A bound as the book writes it, rounded up: what is shown holds, too.
 * @param {number} bound 0 or more
 * @param {number} digits significant ones
 */
export function atMost(bound, digits = 2) {
  const [mantissa, exponent] = bound.toExponential(digits - 1).split("e");
  const above = Number.isFinite(bound) && Number(`${mantissa}e${exponent}`) < bound;
  return number(above ? Number(`${(Number(mantissa) + 10 ** (1 - digits)).toFixed(digits - 1)}e${exponent}`) : bound, digits);
}

/**
 * "1 point", "2 points".
 * @param {number} count
 * @param {string} noun
 */
export function counted(count, noun) {
  return `${count} ${noun}${count === 1 ? "" : "s"}`;
}

/**
 * A class as the book writes it.
 * @param {number} label
 */
export function classOf(label) {
  return label > 0 ? "+1" : "−1";
}

/**
 * A place in the plane.
 * @param {ArrayLike<number>} point
 */
export function place(point) {
  return `(${Array.from(point, (x) => number(Number(x.toFixed(2)))).join(", ")})`;
}
