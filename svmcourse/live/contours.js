// Lines of equal height on a grid: marching squares, chained into polylines so that dashes run through.

/**
 * The polylines where a function on a grid equals a level.
 * @param {ArrayLike<number>} values at the nodes, row by row (rows * columns)
 * @param {number} columns
 * @param {number} rows
 * @param {number} level
 * @returns {number[][]} each as [column, row, column, row, ...] in units of the grid
 */
export function contours(values, columns, rows, level) {
  // The edge from node k to the right is 2 k, the one downwards 2 k + 1. Each crossed edge has at most two neighbours.
  /** @type {Map<number, number[]>} */
  const beside = new Map();
  /** @param {number} p @param {number} q */
  const join = (p, q) => {
    for (const [from, to] of [[p, q], [q, p]]) {
      const known = beside.get(from);
      if (known) known.push(to);
      else beside.set(from, [to]);
    }
  };
  for (let r = 0; r + 1 < rows; r += 1) {
    for (let c = 0; c + 1 < columns; c += 1) {
      const k = r * columns + c;
      const a = values[k] > level;
      const b = values[k + 1] > level;
      const d = values[k + columns + 1] > level;
      const e = values[k + columns] > level;
      if (a === b && b === d && d === e) continue;
      const [top, right, bottom, left] = [2 * k, 2 * k + 3, 2 * (k + columns), 2 * k + 1];
      if (a !== b && b !== d && d !== e) { // a saddle: the middle decides which corners belong together
        const middle = (values[k] + values[k + 1] + values[k + columns + 1] + values[k + columns]) / 4 > level;
        if (middle === a) { join(top, right); join(bottom, left); } else { join(top, left); join(bottom, right); }
      } else {
        const crossed = [a !== b && top, b !== d && right, d !== e && bottom, e !== a && left].filter((edge) => edge !== false);
        join(crossed[0], crossed[1]);
      }
    }
  }
  /** @param {number} edge */
  const place = (edge) => {
    const k = edge >> 1;
    const next = values[edge & 1 ? k + columns : k + 1];
    const t = (level - values[k]) / (next - values[k]);
    const [c, r] = [k % columns, Math.floor(k / columns)];
    return edge & 1 ? [c, r + t] : [c + t, r];
  };
  const seen = new Set();
  /** @type {number[][]} */
  const lines = [];
  /** @param {number} start */
  const follow = (start) => {
    const line = [];
    for (let edge = start, next = /** @type {number | undefined} */ (start); next !== undefined;) {
      edge = next;
      seen.add(edge);
      line.push(...place(edge));
      next = beside.get(edge)?.find((other) => !seen.has(other));
    }
    return line;
  };
  for (const [edge, ends] of beside) if (ends.length === 1 && !seen.has(edge)) lines.push(follow(edge)); // from border to border
  for (const [edge] of beside) { // and round in circles
    if (seen.has(edge)) continue;
    const line = follow(edge);
    lines.push([...line, line[0], line[1]]);
  }
  return lines;
}
