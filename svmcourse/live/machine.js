// What a live figure is about: labelled points, a kernel, C, and the machine that they make, solved at most once a frame.
import { complete, inner, kernelFunction, power, typing } from "./kernels.js";
import { solve } from "./solver.js";

/**
 * @typedef {import("./kernels.js").Kernel} Kernel
 * @typedef {{points: number[][], labels: number[], kernel: Kernel, C: number}} Setting
 * @typedef {ReturnType<typeof solve>} Solution
 * @typedef {{machine: Machine, words: string}} Change
 */

export class Machine {
  /** @param {Setting} setting */
  constructor({ points, labels, kernel, C }) {
    this.points = points.map((point) => [...point]);
    this.labels = [...labels];
    this.kernel = { ...kernel };
    this.C = C;
    /** @type {Solution | null} */
    this.solution = null;
    this.problem = ""; // why there is no solution
    /** @type {Float64Array | undefined} */
    this.warm = undefined; // the alpha to start from where points have come or gone
    /** @type {((change: Change) => void)[]} */
    this.listeners = [];
    this.frame = 0;
    this.words = "";
    this.hurried = false; // whether more changes are on their way: a typed kernel then draws in a hurry
    this.pace = 0; // ms that a typed kernel has taken for each pair of a node and a support vector
    this.solve();
  }

  /** A copy of what can be changed. @returns {Setting} */
  get setting() {
    return { points: this.points.map((point) => [...point]), labels: [...this.labels], kernel: { ...this.kernel }, C: this.C };
  }

  /**
   * alpha, one for each point: of those that came since it was solved 0, and zeros where there is no machine or all points
   * are others. Who looks between two frames sees no alpha of a point that has gone.
   * @returns {Float64Array}
   */
  get alpha() {
    const known = this.solution && (this.warm ?? this.solution.alpha);
    return known?.length === this.points.length ? known : new Float64Array(this.points.length);
  }

  /** Indices of the support vectors: alpha above a 10^-8th of the largest one. */
  get support() {
    const { alpha } = this;
    const least = 1e-8 * alpha.reduce((most, value) => Math.max(most, value), 0);
    return [...alpha.keys()].filter((i) => alpha[i] > least);
  }

  /** ‖w‖ in feature space. */
  get length() {
    if (!this.solution) return 0;
    const { alpha, objective } = this.solution;
    return Math.sqrt(Math.max(0, 2 * (alpha.reduce((sum, value) => sum + value, 0) - objective)));
  }

  /**
   * Hear of every change, when the machine has been solved; returns a function that ends it.
   * @param {(change: Change) => void} listener
   */
  subscribe(listener) {
    this.listeners.push(listener);
    return () => { this.listeners = this.listeners.filter((other) => other !== listener); };
  }

  /**
   * Change points, labels, kernel or C. The machine is solved and drawn at the next frame, once for all changes until
   * then; `words` says what has been done, for those who do not see it.
   * @param {Partial<Setting>} setting
   * @param {string} words
   */
  change(setting, words = "") {
    Object.assign(this, setting);
    if (words) this.words = words;
    this.frame ||= requestAnimationFrame(() => this.refresh());
  }

  /** Solve and tell everybody, now. */
  refresh() {
    cancelAnimationFrame(this.frame);
    this.frame = 0;
    this.solve();
    const { words } = this;
    this.words = "";
    for (const listener of this.listeners) listener({ machine: this, words });
  }

  /** @param {number} i @param {number[]} to @param {string} words */
  move(i, to, words = "") {
    this.points[i] = [...to];
    this.change({}, words);
  }

  /** Add a point; returns its index. @param {number[]} at @param {number} label */
  add(at, label) {
    this.warm = Float64Array.of(...this.alpha, 0);
    this.points.push([...at]);
    this.labels.push(label);
    this.change({}, "");
    return this.points.length - 1;
  }

  /** @param {number} i */
  remove(i) {
    this.warm = this.alpha.filter((_, k) => k !== i);
    for (const list of [this.points, this.labels]) list.splice(i, 1);
    this.change({}, "");
  }

  /** Give a point the other class. @param {number} i */
  toggle(i) {
    this.labels[i] = -this.labels[i];
    this.change({}, "");
  }

  /** Solve from where the last solution stands. */
  solve() {
    const { points, labels, kernel, C } = this;
    const alpha0 = this.warm ?? this.solution?.alpha;
    this.warm = undefined;
    try {
      this.solution = solve({ points, labels, kernel, C, alpha0 });
      this.problem = "";
    } catch (error) {
      if (!(error instanceof RangeError)) throw error;
      this.solution = null;
      this.problem = /points is empty|both classes/.test(error.message) ? "A machine needs points of both classes." : error.message;
    }
  }

  /** The decision function f(x) = sum beta_i k(x_i, x) + b. @param {ArrayLike<number>} x */
  decision(x) {
    if (!this.solution) return 0;
    const k = kernelFunction(this.kernel);
    const { alpha } = this;
    return this.points.reduce((sum, point, i) => (alpha[i] ? sum + this.labels[i] * alpha[i] * k(point, x) : sum), this.solution.b);
  }

  /**
   * f at the nodes of a grid, row by row. As x1 and x2 run over a grid, most of the work is done once for each column
   * and once for each row: exp(-gamma |x - z|^2) = exp(-gamma (x1 - z1)^2) exp(-gamma (x2 - z2)^2).
   * @param {ArrayLike<number>} x1 of the columns
   * @param {ArrayLike<number>} x2 of the rows
   */
  field(x1, x2) {
    const [columns, rows] = [x1.length, x2.length];
    const f = new Float64Array(columns * rows).fill(this.solution?.b ?? 0);
    const kernel = complete(this.kernel);
    const support = this.support.map((i) => ({ z: this.points[i], beta: this.labels[i] * this.alpha[i] }));
    if (kernel.name === "linear") {
      const w = [0, 1].map((m) => support.reduce((sum, { z, beta }) => sum + beta * z[m], 0));
      for (let r = 0; r < rows; r += 1) for (let c = 0; c < columns; c += 1) f[r * columns + c] += w[0] * x1[c] + w[1] * x2[r];
      return f;
    }
    if (kernel.name === "typed") return typing().typedField(this, f, x1, x2, support);
    const across = new Float64Array(columns);
    for (const { z, beta } of support) {
      if (kernel.name === "gaussian") {
        const gamma = 0.5 / (kernel.sigma * kernel.sigma);
        for (let c = 0; c < columns; c += 1) across[c] = Math.exp(-gamma * (x1[c] - z[0]) ** 2);
        for (let r = 0; r < rows; r += 1) {
          const factor = beta * Math.exp(-gamma * (x2[r] - z[1]) ** 2);
          if (factor !== 0) for (let c = 0; c < columns; c += 1) f[r * columns + c] += factor * across[c];
        }
      } else if (kernel.name === "polynomial") {
        for (let c = 0; c < columns; c += 1) across[c] = kernel.a * x1[c] * z[0] + kernel.b;
        for (let r = 0; r < rows; r += 1) {
          const down = kernel.a * x2[r] * z[1];
          for (let c = 0; c < columns; c += 1) f[r * columns + c] += beta * power(across[c] + down, kernel.Q);
        }
      } else { // tanh(u + v) = (tanh u + tanh v) / (1 + tanh u tanh v)
        for (let c = 0; c < columns; c += 1) across[c] = Math.tanh(kernel.kappa * x1[c] * z[0]);
        for (let r = 0; r < rows; r += 1) {
          const down = Math.tanh(kernel.kappa * x2[r] * z[1] - kernel.delta);
          for (let c = 0; c < columns; c += 1) {
            const below = 1 + across[c] * down;
            f[r * columns + c] += beta * (below > 1e-6 ? (across[c] + down) / below
              : Math.tanh(kernel.kappa * inner([x1[c], x2[r]], z) - kernel.delta));
          }
        }
      }
    }
    return f;
  }
}
