// The plane z = t1^2 + t2^2 lifted to a bowl, planes that cut it, and the circles below the cuts.
import { solve } from "./solver.js";

/**
 * The plane z = h + p t1 + q t2.
 * @typedef {{h: number, p: number, q: number}} Plane
 */

/** A point on the bowl. @param {ArrayLike<number>} t */
export function lifted(t) {
  const [t1, t2] = [t[0], t[1]];
  return [t1, t2, t1 * t1 + t2 * t2];
}

/**
 * Where a plane meets the bowl, seen from above: t1^2 + t2^2 = h + p t1 + q t2, a circle where `square` is positive.
 * @param {Plane} plane
 */
export function circleOf({ h, p, q }) {
  return { centre: [p / 2, q / 2], square: h + (p * p + q * q) / 4 };
}

/**
 * The plane that cuts the bowl above a circle.
 * @param {ArrayLike<number>} centre
 * @param {number} square the radius, squared
 * @returns {Plane}
 */
export function planeOf(centre, square) {
  return { h: square - centre[0] ** 2 - centre[1] ** 2, p: 2 * centre[0], q: 2 * centre[1] };
}

/** How far a point of the bowl lies above a plane, upwards. @param {Plane} plane @param {ArrayLike<number>} t */
export function above({ h, p, q }, t) {
  const [t1, t2] = [t[0], t[1]];
  return t1 * t1 + t2 * t2 - h - p * t1 - q * t2;
}

/**
 * The linear machine of the lifted points, and its plane.
 * @param {number[][]} points
 * @param {number[]} labels
 * @param {number} C
 */
export function machineOnBowl(points, labels, C) {
  const images = points.map(lifted);
  const solution = solve({ points: images, labels, kernel: { name: "linear" }, C });
  const w = [0, 1, 2].map((m) => images.reduce((sum, z, i) => sum + labels[i] * solution.alpha[i] * z[m], 0));
  // No machine costs less than the dual value sum alpha - 1/2 |w|^2; that as computed, less its rounding and the proof's.
  const rounding = 2 ** -52 * (points.length + 8);
  const size = solution.alpha.reduce((sum, value) => sum + value, 0);
  const terms = w.reduce((sum, v, m) => sum + Math.abs(v) * (Math.abs(v) + images.reduce((all, z, i) => all + Math.abs(solution.alpha[i] * z[m]), 0)), size);
  const least = size - 0.5 * w.reduce((sum, v) => sum + v * v, 0) - rounding * terms - solution.gap;
  return { ...solution, w, least, plane: { h: -solution.b / w[2], p: -w[0] / w[2], q: -w[1] / w[2] } };
}

/**
 * The least cost 1/2 |w|^2 + C sum max(0, 1 - y f) of the machines with this plane, f = s (z - h - p t1 - q t2), over
 * s >= 0. Its slope in s is straight between the s = 1/(y g) at which a point falls short no longer, and rises.
 * `most` is what it does not exceed, rounding included.
 * @param {Plane} plane
 * @param {number[][]} points
 * @param {number[]} labels
 * @param {number} C
 */
export function costOf(plane, points, labels, C) {
  const length = 1 + plane.p ** 2 + plane.q ** 2;
  const margins = points.map((t, i) => labels[i] * above(plane, t));
  const slope = (/** @type {number} */ s) => s * length - C * margins.reduce((sum, g) => sum + (s * g < 1 ? g : 0), 0);
  const bends = margins.filter((g) => g > 0).map((g) => 1 / g).sort((a, b) => a - b);
  let from = 0; // the slope is 0 or jumps past it between two bends, or at one
  for (const bend of bends) {
    if (slope(bend) > 0) break;
    from = bend;
  }
  const after = bends.find((bend) => bend > from) ?? Infinity;
  const pull = C * margins.reduce((sum, g) => sum + (g <= 0 || 1 / g > from ? g : 0), 0);
  const s = Math.min(after, Math.max(from, pull / length));
  const cost = 0.5 * s * s * length + C * margins.reduce((sum, g) => sum + Math.max(0, 1 - s * g), 0);
  const { h, p, q } = plane;
  const terms = points.reduce((sum, [t1, t2]) => sum + 1 + s * (t1 * t1 + t2 * t2 + Math.abs(h) + Math.abs(p * t1) + Math.abs(q * t2)), 0);
  return { cost, most: cost * (1 + 2 ** -52 * (points.length + 8)) + 2 ** -50 * C * terms };
}
