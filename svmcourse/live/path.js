// The multipliers as functions of C: straight pieces, with a bend where a point gets to 0, to C, or off one of them.
import { solve } from "./solver.js";

/**
 * @typedef {{C: number, alpha: Float64Array, kinds: string}} Node  kinds: 0 for alpha = 0, 2 for alpha = C, 1 between
 */

/**
 * Nodes of alpha(C) for 0 <= C <= most, in order of C. The set of C at which the same points are at 0, at C and between
 * is an interval, and on it alpha is a linear function of C; so two nodes with the same kinds need none between them.
 * Others get one, until they are closer than `finest`. Each machine starts from its neighbour's alpha.
 * @param {{points: number[][], labels: number[], kernel: import("./kernels.js").Kernel}} problem
 * @param {number} most
 * @param {number} finest
 * @returns {Node[]}
 */
export function alphaPath(problem, most, finest) {
  /** @param {number} C @param {Float64Array} alpha0 */
  const node = (C, alpha0) => {
    const { alpha } = solve({ ...problem, C, alpha0, tol: 1e-8 });
    return { C, alpha, kinds: Array.from(alpha, (a) => (a <= 1e-7 * C ? 0 : a >= (1 - 1e-7) * C ? 2 : 1)).join("") };
  };
  const start = new Float64Array(problem.points.length);
  const least = Math.min(finest, most / 8);
  /** @type {Node[]} */
  const nodes = [{ C: 0, alpha: start, kinds: "" }, node(least, start)];
  /** @param {Node} left @param {Node} right */
  const fill = (left, right) => {
    if (left.kinds !== right.kinds && right.C - left.C > finest) {
      const middle = node((left.C + right.C) / 2, between(left, right, (left.C + right.C) / 2));
      fill(left, middle);
      fill(middle, right);
    } else nodes.push(right);
  };
  fill(nodes[1], node(most, nodes[1].alpha));
  nodes[0].kinds = nodes[1].kinds;
  return nodes;
}

/**
 * alpha between two nodes.
 * @param {Node} left
 * @param {Node} right
 * @param {number} C
 */
export function between(left, right, C) {
  const t = (C - left.C) / (right.C - left.C);
  return left.alpha.map((a, i) => a + t * (right.alpha[i] - a));
}

/**
 * alpha at any C of a path.
 * @param {Node[]} nodes
 * @param {number} C
 */
export function alphaAt(nodes, C) {
  const k = Math.max(1, nodes.findIndex((node) => node.C >= C));
  return between(nodes[k - 1], nodes[k], Math.min(C, nodes[nodes.length - 1].C));
}
