// The convex hulls of two classes, and the shortest bridge between them: geometry alone, without w, b or alpha.

/** @typedef {{p: number[], q: number[], length: number}} Bridge */

/** Twice the area of the triangle a, b, c; positive where it turns to the left. @param {number[]} a @param {number[]} b @param {number[]} c */
function leftTurn(a, b, c) {
  return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]);
}

/**
 * The corners of the convex hull, counterclockwise: what a rubber band around the points touches.
 * @param {number[][]} points
 * @returns {number[][]}
 */
export function hullOf(points) {
  const order = [...points].sort((p, q) => p[0] - q[0] || p[1] - q[1])
    .filter((p, k, all) => !k || p[0] !== all[k - 1][0] || p[1] !== all[k - 1][1]);
  if (order.length < 3) return order;
  const chain = (/** @type {number[][]} */ list) => {
    const kept = /** @type {number[][]} */ ([]);
    for (const p of list) {
      while (kept.length > 1 && leftTurn(kept[kept.length - 2], kept[kept.length - 1], p) <= 0) kept.pop();
      kept.push(p);
    }
    return kept.slice(0, -1);
  };
  return [...chain(order), ...chain(order.reverse())];
}

/** The point of the segment from a to b that is nearest to x. @param {number[]} x @param {number[]} a @param {number[]} b */
function nearestOf(x, a, b) {
  const [dx, dy] = [b[0] - a[0], b[1] - a[1]];
  const size = dx * dx + dy * dy;
  const t = size ? Math.max(0, Math.min(1, ((x[0] - a[0]) * dx + (x[1] - a[1]) * dy) / size)) : 0;
  return [a[0] + t * dx, a[1] + t * dy];
}

/**
 * The shortest bridge between two convex hulls: p on the first, q on the second. Null where they touch or overlap.
 *
 * It ends at a corner on one side at least, so each corner is measured against each side. Hulls that overlap show by
 * the theorem: across the shortest bridge there is a band with no point in it, and they leave none.
 * @param {number[][]} first corners
 * @param {number[][]} second corners
 * @returns {Bridge | null}
 */
export function shortestBridge(first, second) {
  let best = { p: first[0], q: second[0], length: Infinity };
  const measure = (/** @type {number[][]} */ corners, /** @type {number[][]} */ sides, /** @type {boolean} */ swapped) => {
    for (const x of corners) {
      sides.forEach((a, k) => {
        const foot = nearestOf(x, a, sides[(k + 1) % sides.length]);
        const length = Math.hypot(x[0] - foot[0], x[1] - foot[1]);
        if (length < best.length) best = swapped ? { p: foot, q: x, length } : { p: x, q: foot, length };
      });
    }
  };
  measure(first, second, false);
  measure(second, first, true);
  const { p, q, length } = best;
  const size = [...first, ...second].reduce((most, x) => Math.max(most, Math.abs(x[0] - p[0]), Math.abs(x[1] - p[1])), 0);
  if (!(length > 1e-6 * size)) return null;
  const u = [(p[0] - q[0]) / length, (p[1] - q[1]) / length];
  const along = (/** @type {number[]} */ x, /** @type {number[]} */ from) => u[0] * (x[0] - from[0]) + u[1] * (x[1] - from[1]);
  const room = 1e-9 * size;
  return first.every((x) => along(x, p) > -room) && second.every((x) => along(x, q) < room) ? best : null;
}
