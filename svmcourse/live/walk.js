// Sequential minimal optimization, pair by pair: every step is kept, so that one can go back.
import { certificate, gradient } from "./certificate.js";
import { gramMatrix } from "./kernels.js";
import { Machine } from "./machine.js";
import { classifierGap, pairSteps, stepLength } from "./solver.js";

/**
 * One step: alpha of points i and j before and after it, the ends of its segment as values of alpha_i, and the gain
 * slope t - curvature t^2 / 2 of moving alpha_i by t.
 * @typedef {{i: number, j: number, before: number[], after: number[], ends: number[], slope: number, curvature: number}} Step
 * @typedef {{alpha: Float64Array, b: number, objective: number, gap: number, step: Step | null}} Frame
 * @typedef {"random" | "second order" | "I choose" | "my rule"} Rule
 */

/**
 * All steps from alpha = 0 on, with what stands after each; the first entry is the start.
 * @param {import("./machine.js").Setting} setting
 * @param {Rule} rule  "second order": the pairs that solve() takes, until it would stop; else the given ones in their order
 * @param {number[][]} pairs
 * @returns {Frame[]}
 */
export function walk({ points, labels, kernel, C }, rule, pairs) {
  const y = Float64Array.from(labels);
  const n = y.length;
  const K = gramMatrix(points, kernel);
  const beta = new Float64Array(n);
  const dual = {
    n, K, y, beta, rounding: 1, F: gradient(K, beta, y),
    lo: y.map((s) => Math.min(0, s * C)), hi: y.map((s) => Math.max(0, s * C)),
  };
  /** @type {Frame[]} */
  const frames = [{ ...certificate(dual, C), step: null }];
  for (let k = 0; k < pairs.length; k += 1) {
    const before = beta.slice();
    const slopes = dual.F.slice();
    const pair = rule === "second order" ? bestPair(dual, before) : givenPair(dual, pairs[k]);
    if (!pair) break;
    frames.push({ ...certificate(dual, C), step: described(pair, before, slopes, dual, y, C) });
  }
  return frames;
}

/**
 * The exact step with a pair; returns the pair.
 * @param {import("./newton.js").Dual} dual
 * @param {number[]} pair
 */
function givenPair({ n, K, F, beta, lo, hi }, [i, j]) {
  const down = F[j] >= F[i]; // beta_i grows where -F_i asks for more
  const [a, c] = down ? [i, j] : [j, i];
  const eta = K[a * n + a] + K[c * n + c] - 2 * K[a * n + c];
  const floor = 1e-12 * Math.max(K[a * n + a], K[c * n + c], 1e-288);
  const [up, back] = [Math.min(hi[a] - beta[a], beta[c] - lo[c]), Math.min(beta[a] - lo[a], hi[c] - beta[c])];
  const t = F[c] > F[a] ? stepLength(F[c] - F[a], eta, floor, up, back) : 0;
  const crumb = 1e-14 * (Math.abs(beta[a]) + Math.abs(beta[c]) + Math.abs(t)); // what a subtraction leaves of a bound
  for (const [l, change] of [[a, t], [c, -t]]) {
    const value = beta[l] + change;
    beta[l] = value - lo[l] < crumb ? lo[l] : hi[l] - value < crumb ? hi[l] : value;
  }
  for (let l = 0; l < n; l += 1) F[l] += t * (K[a * n + l] - K[c * n + l]);
  return [i, j];
}

/**
 * The step of solve(); null where no pair gains.
 * @param {import("./newton.js").Dual} dual
 * @param {Float64Array} before
 */
function bestPair(dual, before) {
  if (!pairSteps(dual, 1e-6, 1)) return null;
  const moved = [...before.keys()].filter((l) => dual.beta[l] !== before[l]);
  if (moved.length !== 2) return null;
  return dual.beta[moved[0]] > before[moved[0]] ? moved : [moved[1], moved[0]];
}

/**
 * A step in the chapter's words.
 * @param {number[]} pair
 * @param {Float64Array} before
 * @param {Float64Array} F before the step
 * @param {import("./newton.js").Dual} dual
 * @param {Float64Array} y
 * @param {number} C
 * @returns {Step}
 */
function described([i, j], before, F, { n, K, beta }, y, C) {
  const s = y[i] * y[j];
  const [ai, aj] = [Math.abs(before[i]), Math.abs(before[j])];
  const gamma = s * ai + aj;
  return {
    i, j, before: [ai, aj], after: [Math.abs(beta[i]), Math.abs(beta[j])],
    ends: s > 0 ? [Math.max(0, gamma - C), Math.min(gamma, C)] : [Math.max(0, -gamma), Math.min(C, C - gamma)],
    slope: y[i] * (F[j] - F[i]), curvature: K[i * n + i] + K[j * n + j] - 2 * K[i * n + j],
  };
}

/** A machine that stands where a walk has got to, not at its end. */
export class Walker extends Machine {
  /** @param {import("./machine.js").Setting & {pairs: number[][], step?: number, rule?: Rule, chosen?: number[][], mine?: {pairs: number[][]}}} setting  chosen: the reader's pairs; mine: those of her rule */
  constructor(setting) {
    super(setting);
    this.pairs = setting.pairs;
    this.chosen = structuredClone(setting.chosen ?? []);
    this.mine = setting.mine?.pairs;
    this.given = JSON.stringify([setting.points, setting.labels, setting.C]); // for which the rule chose
    this.step = setting.step ?? 0;
    /** @type {Rule} */
    this.rule = setting.rule ?? "random";
    this.solve();
  }

  /** Walk anew, since a point, C or the rule may be another one. */
  solve() {
    if (!this.pairs) return; // the base class solves before it knows them
    const { points, labels, kernel, C } = this;
    const now = { points, labels, kernel, C };
    this.best = walk(now, "second order", this.pairs);
    /** @type {Frame[] | undefined} */
    this.byMine = this.mine && walk(now, "my rule", this.stale ? [] : this.mine);
    /** @type {Frame[] | undefined} */
    this.byChance = this.mine && walk(now, "random", this.pairs);
    this.frames = this.rule === "second order" ? this.best : this.rule === "my rule" ? this.byMine ?? this.best
      : this.rule === "random" ? this.byChance ?? walk(now, "random", this.pairs) : walk(now, this.rule, this.chosen);
    this.show(this.step);
  }

  /** The reader's next pair, from where she stands: steps that she has gone back over are forgotten. @param {number[]} pair */
  choose(pair) {
    this.chosen = [...this.chosen.slice(0, this.step), pair];
    this.step += 1;
    this.change({});
  }

  /** Stand after so many steps. @param {number} step */
  show(step) {
    const frames = this.frames ?? [];
    this.step = Math.max(0, Math.min(frames.length - 1, step));
    const frame = frames[this.step];
    const { points, kernel, labels: y, C } = this;
    const beta = frame.alpha.map((value, i) => y[i] * value);
    const gap = classifierGap({ points, kernel, K: gramMatrix(points, kernel), y: Float64Array.from(y), beta, b: frame.b, objective: frame.objective }, C);
    this.solution = { ...frame, gap, steps: this.step, status: "max_iter" };
  }

  /** Whether points or C are others than those for which the reader's rule chose its pairs. */
  get stale() {
    return JSON.stringify([this.points, this.labels, this.C]) !== this.given;
  }

  /** W of the rule's steps, of which the last is the best there is but for its tolerance. */
  get ideal() {
    return (this.best ?? []).map((frame) => frame.objective);
  }

  /** The step that led here. */
  get taken() {
    return this.frames?.[this.step]?.step ?? null;
  }
}
