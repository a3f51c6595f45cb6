// The hard margin of points in the plane: the bridge says whether there is one, the solver finds it, and each checks the other.
import { hullOf, shortestBridge } from "./hulls.js";
import { Machine } from "./machine.js";

const ROOM = 20; // C over the largest alpha that can occur

/**
 * A machine with C = infinity. At the optimum the alpha of each class add up to 2/D^2, D the length of the bridge, so
 * none can be larger, and a C of twenty times as much is never felt.
 */
export class Separator extends Machine {
  /** The corners of both hulls, class +1 first. */
  get hulls() {
    return [1, -1].map((label) => hullOf(this.points.filter((_, i) => this.labels[i] === label)));
  }

  /** Whether a line separates the classes. */
  get separable() {
    return this.solution !== null;
  }

  /** w = sum alpha y x. */
  get w() {
    return [0, 1].map((m) => this.points.reduce((sum, x, i) => sum + this.labels[i] * this.alpha[i] * x[m], 0));
  }

  /** b of the solution; 0 where there is none. */
  get b() {
    return this.solution?.b ?? 0;
  }

  /** Find the bridge, and the machine where there is one. */
  solve() {
    const [plus, minus] = this.hulls;
    this.bridge = plus.length && minus.length ? shortestBridge(plus, minus) : null;
    if (this.bridge) {
      this.C = ROOM / this.bridge.length ** 2;
      super.solve();
      return;
    }
    this.warm = undefined;
    this.solution = null;
    this.problem = plus.length && minus.length ? "No line separates the classes: there is no hard margin."
      : "A machine needs points of both classes.";
  }
}

/**
 * The forces with which points hold the band, and where on its edge they push: seen from the class -1, u upwards, and
 * measured from the place where the pushes of class +1 act together.
 * @param {Separator} machine
 * @returns {{i: number, label: number, force: number, at: number, torque: number}[]} torque: y alpha times the place
 */
export function forcesOn(machine) {
  const { w, alpha, points, labels, support } = machine;
  const length = Math.hypot(w[0], w[1]);
  const place = (/** @type {number} */ i) => (points[i][0] * w[1] - points[i][1] * w[0]) / length;
  const plus = support.filter((i) => labels[i] > 0);
  const total = plus.reduce((sum, i) => sum + alpha[i], 0);
  const middle = plus.reduce((sum, i) => sum + alpha[i] * place(i), 0) / total;
  return support.map((i) => ({ i, label: labels[i], force: alpha[i], at: place(i) - middle, torque: labels[i] * alpha[i] * (place(i) - middle) }))
    .sort((one, other) => one.at - other.at);
}
