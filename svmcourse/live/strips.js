// Lines, half planes and arrows of a linear machine, as paths in the pixels of a stage.

import { svg } from "./elements.js";

/** @typedef {import("./stage.js").Stage} Stage */

/** Corners of the part of what a stage shows where g(x) = v0 x1 + v1 x2 + c >= 0. @param {Stage} stage @param {ArrayLike<number>} v @param {number} c */
export function clipped(stage, v, c) {
  const [x0, x1, y0, y1] = stage.shown;
  return clip([[x0, y0], [x1, y0], [x1, y1], [x0, y1]], v, c);
}

/** A layer below the axes, for what fills the plane. @param {Stage} stage */
export function groundOf(stage) {
  const layer = svg("g", { "aria-hidden": "true" });
  stage.svg.prepend(layer);
  return layer;
}

/** A convex polygon cut along v0 x1 + v1 x2 + c = 0. @param {number[][]} corners @param {ArrayLike<number>} v @param {number} c */
export function clip(corners, v, c) {
  const g = (/** @type {number[]} */ x) => v[0] * x[0] + v[1] * x[1] + c;
  return corners.flatMap((a, k) => {
    const b = corners[(k + 1) % corners.length];
    const [ga, gb] = [g(a), g(b)];
    const crossing = (ga < 0) !== (gb < 0) ? [[a[0] + (ga / (ga - gb)) * (b[0] - a[0]), a[1] + (ga / (ga - gb)) * (b[1] - a[1])]] : [];
    return ga >= 0 ? [a, ...crossing] : crossing;
  });
}

/** A closed path through corners. @param {Stage} stage @param {number[][]} corners */
export function area(stage, corners) {
  return corners.length ? `${trail(stage, corners)}Z` : "";
}

/** An open path. @param {Stage} stage @param {number[][]} places */
export function trail(stage, places) {
  return places.map((x, k) => `${k ? "L" : "M"}${stage.x(x[0]).toFixed(1)} ${stage.y(x[1]).toFixed(1)}`).join("");
}

/** The line w'x + b = level, as far as it is seen. @param {Stage} stage @param {number[]} w @param {number} b @param {number} level */
export function lineAcross(stage, w, b, level = 0) {
  const size = w[0] * w[0] + w[1] * w[1];
  const [x0, x1, y0, y1] = stage.shown;
  const [cx, cy] = [(x0 + x1) / 2, (y0 + y1) / 2];
  const f = (w[0] * cx + w[1] * cy + b - level) / size; // the foot of the middle, and far enough to both sides
  const far = Math.hypot(x1 - x0, y1 - y0) / Math.sqrt(size);
  if (!(size > 0) || Math.abs(f) * Math.sqrt(size) > Math.hypot(x1 - x0, y1 - y0)) return "";
  return trail(stage, [-far, far].map((t) => [cx - f * w[0] - t * w[1], cy - f * w[1] + t * w[0]]));
}

/**
 * An arrow between two pixels, its head `size` long: a path to be filled and stroked.
 * @param {number[]} from
 * @param {number[]} to
 * @param {number} size
 */
export function arrowTo(from, to, size = 11) {
  const length = Math.hypot(to[0] - from[0], to[1] - from[1]);
  if (!(length > 0.5)) return "";
  const head = Math.min(size, 0.6 * length);
  const [ux, uy] = [(to[0] - from[0]) / length, (to[1] - from[1]) / length];
  const [nx, ny] = [to[0] - head * ux, to[1] - head * uy];
  const side = 0.42 * head;
  return `M${from[0].toFixed(1)} ${from[1].toFixed(1)}L${nx.toFixed(1)} ${ny.toFixed(1)}`
    + `L${(nx - side * uy).toFixed(1)} ${(ny + side * ux).toFixed(1)}L${to[0].toFixed(1)} ${to[1].toFixed(1)}`
    + `L${(nx + side * uy).toFixed(1)} ${(ny - side * ux).toFixed(1)}L${nx.toFixed(1)} ${ny.toFixed(1)}Z`;
}
