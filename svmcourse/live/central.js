// The central path of three points: mu under the hand, the multipliers in their quadrant and the line in the plane.
import { html, svg } from "./elements.js";
import { slider } from "./controls.js";
import { contours } from "./contours.js";
import { CELL, Stage } from "./stage.js";
import { number } from "./words.js";

const PATH_NODES = 120; // of the path that is drawn
const [LEAST_MU, MOST_MU] = [1e-4, 4]; // mu at its ends

/**
 * @typedef {object} CentralState
 * @property {number[][]} points three: the first alone in its class, so that alpha_1 = alpha_2 + alpha_3
 * @property {number[]} labels
 * @property {number} mu
 * @property {number[]} limits of the plane
 * @property {number[]} quadrant x0, x1, y0, y1 of (alpha_2, alpha_3)
 * @property {string} alt
 */

/** @typedef {{mu: number, alpha: number[], z: number[], w: number[], b: number, W: number}} Centre */

/**
 * The point of the central path at mu: alpha_i z_i = mu for all i. It is the maximum of W + mu times the sum of the
 * logarithms, found by Newton's method with steps that halve until they stay inside and climb.
 * @param {number[][]} points
 * @param {number[]} labels
 * @param {number} mu
 * @param {number[]} from (alpha_2, alpha_3) to start at
 * @returns {Centre}
 */
export function centralPoint(points, labels, mu, from = [0.5, 0.5]) {
  const [u, v] = [points[1], points[2]].map((point) => point.map((x, m) => x - points[0][m]));
  const dot = (/** @type {number[]} */ p, /** @type {number[]} */ q) => p[0] * q[0] + p[1] * q[1];
  const Q = [dot(u, u), dot(u, v), dot(v, v)];
  const W = (/** @type {number} */ a, /** @type {number} */ c) => 2 * (a + c) - 0.5 * (Q[0] * a * a + 2 * Q[1] * a * c + Q[2] * c * c);
  const value = (/** @type {number} */ a, /** @type {number} */ c) => (Math.min(a, c) > 0 ? W(a, c) + mu * Math.log(a * c * (a + c)) : -Infinity);
  let [a, c] = from;
  for (let k = 0; k < 200; k += 1) {
    const share = mu / (a + c);
    const g = [2 - Q[0] * a - Q[1] * c + mu / a + share, 2 - Q[1] * a - Q[2] * c + mu / c + share];
    const bend = mu / (a + c) ** 2;
    const H = [Q[0] + mu / (a * a) + bend, Q[1] + bend, Q[2] + mu / (c * c) + bend];
    const det = H[0] * H[2] - H[1] * H[1];
    const step = [(H[2] * g[0] - H[1] * g[1]) / det, (H[0] * g[1] - H[1] * g[0]) / det];
    let t = 1;
    while (t > 1e-12 && !(value(a + t * step[0], c + t * step[1]) >= value(a, c))) t /= 2;
    [a, c] = [a + t * step[0], c + t * step[1]];
    if (Math.abs(step[0]) + Math.abs(step[1]) < 1e-13 * (a + c)) break;
  }
  const alpha = [a + c, a, c];
  const w = [0, 1].map((m) => labels.reduce((sum, y, i) => sum + y * alpha[i] * points[i][m], 0));
  const b = (mu / alpha[0] + 1) * labels[0] - dot(w, points[0]); // z_1 = y_1 f(x_1) - 1 = mu / alpha_1
  return { mu, alpha, z: alpha.map((each) => mu / each), w, b, W: W(a, c) };
}

/**
 * @param {HTMLElement} root
 * @param {CentralState} state
 * @param {import("./figure.js").Home} home
 */
export function centralFigure(root, state, home = {}) {
  const { points, labels } = state;
  root.classList.add("live-root");
  const controls = html("div", { class: "live-controls" });
  const left = html("div", { class: "live-main" });
  const right = html("div", { class: "live-main" });
  const facts = html("p", { class: "live-proof live-central-words" });
  const said = html("p", { class: "live-said", "aria-live": "polite" });
  const strength = slider({ label: "μ", least: LEAST_MU, most: MOST_MU, log: true }, (mu) => change(mu));
  controls.append(strength.element);
  root.append(controls, html("div", { class: "live-pair" }, [left, right]), facts, said);
  let here = centralPoint(points, labels, state.mu);
  let timer = 0;

  const plane = new Stage(left, { alt: state.alt, limits: state.limits, ratio: 0.8, resized: () => draw() });
  const lines = [["live-edge", -1], ["live-edge", 1], ["live-boundary", 0]].map(([name, level]) => (
    { level: Number(level), path: svg("path", { class: String(name) }, plane.under) }));
  const marks = points.map((_, i) => {
    const mark = svg("g", { class: `live-mark-point live-${labels[i] > 0 ? "plus" : "minus"}` }, plane.over);
    svg("circle", { class: "live-disc", r: 6 }, mark);
    svg("rect", { class: "live-square", x: -6, y: -6, width: 12, height: 12 }, mark);
    return mark;
  });
  const names = points.map((_, i) => {
    const name = svg("text", { class: "live-point-name" }, plane.over);
    name.textContent = `x${"₁₂₃"[i]}`;
    return name;
  });
  const quadrant = new Stage(right, {
    alt: "The quadrant of α₂ and α₃ with level lines of W, the central path and the point on it", names: ["α₂", "α₃"],
    limits: state.quadrant, equal: false, ratio: 0.8, resized: () => draw(), dropped: () => speak(),
  });
  const levels = svg("path", { class: "live-levels" }, quadrant.under);
  const walls = svg("path", { class: "live-central-walls" }, quadrant.under);
  const road = svg("path", { class: "live-segment live-road" }, quadrant.under);
  const star = svg("path", { class: "live-star", d: "M0 -9L2.4 -2.9 8.6 -2.8 3.7 1.1 5.3 7.3 0 3.7 -5.3 7.3 -3.7 1.1 -8.6 -2.8 -2.4 -2.9Z" }, quadrant.under);
  const nodes = centralNodes(points, labels);
  const grip = quadrant.grip({
    at: () => here.alpha.slice(1),
    move(to) {
      const now = here.alpha.slice(1);
      const [dx, dy] = [quadrant.x(to[0]) - quadrant.x(now[0]), quadrant.y(to[1]) - quadrant.y(now[1])];
      if (quadrant.drag) change(nearest(to).mu);
      else change(here.mu * 1.25 ** (Math.abs(dx) > Math.abs(dy) ? Math.sign(dx) : -Math.sign(dy))); // an arrow key: along the path
    },
    label: () => `The point on the central path, ${words()}`,
  });
  svg("circle", { r: 8, class: "live-here" }, grip.element);

  /** The node of the path that is nearest to a place, as the eye sees it. @param {number[]} to */
  function nearest(to) {
    const far = (/** @type {Centre} */ { alpha }) => Math.hypot(quadrant.x(alpha[1]) - quadrant.x(to[0]), quadrant.y(alpha[2]) - quadrant.y(to[1]));
    return nodes.reduce((best, node) => (far(node) < far(best) ? node : best));
  }

  /** @param {number} mu */
  function change(mu) {
    here = centralPoint(points, labels, Math.min(MOST_MU, Math.max(LEAST_MU, mu)), here.alpha.slice(1));
    draw();
    speak();
    home.changed?.(/** @type {any} */ ({ mu: here.mu }));
  }

  function words() {
    const list = (/** @type {number[]} */ values) => values.map((value) => number(value, 2)).join(", ");
    return `μ = ${number(here.mu, 2)}: α = (${list(here.alpha)}), surplus z = (${list(here.z)}). Each α times its z is μ, and W is within 3μ = ${number(3 * here.mu, 2)} of the best.`;
  }

  function speak() {
    clearTimeout(timer);
    timer = window.setTimeout(() => { said.textContent = words(); }, 350);
  }

  function draw() {
    const [across, down] = [Math.ceil(plane.width / CELL) + 1, Math.ceil(plane.height / CELL) + 1];
    const f = valuesOn(plane, across, down, (x, y) => here.w[0] * x + here.w[1] * y + here.b);
    for (const { level, path } of lines) path.setAttribute("d", Stage.path(contours(f, across, down, level), CELL));
    marks.forEach((mark, i) => mark.setAttribute("transform", `translate(${plane.x(points[i][0]).toFixed(1)} ${plane.y(points[i][1]).toFixed(1)})`));
    names.forEach((name, i) => {
      name.setAttribute("x", (plane.x(points[i][0]) + 18).toFixed(1));
      name.setAttribute("y", (plane.y(points[i][1]) - 10).toFixed(1));
    });
    drawQuadrant();
    strength.set(here.mu);
    facts.textContent = words();
    quadrant.place();
    plane.place();
  }

  function drawQuadrant() {
    const best = nodes[nodes.length - 1];
    const [u, v] = [points[1], points[2]].map((point) => point.map((x, m) => x - points[0][m]));
    const W = (/** @type {number} */ a, /** @type {number} */ c) => 2 * (a + c) - 0.5 * ((a * u[0] + c * v[0]) ** 2 + (a * u[1] + c * v[1]) ** 2);
    const [columns, rows] = [Math.ceil(quadrant.width / CELL) + 1, Math.ceil(quadrant.height / CELL) + 1];
    const heights = valuesOn(quadrant, columns, rows, W);
    levels.setAttribute("d", [0.05, 0.15, 0.3, 0.6, 1.2, 2.4, 4.8].map((below) => Stage.path(contours(heights, columns, rows, best.W - below), CELL)).join(""));
    const [x0, y0] = [quadrant.x(0), quadrant.y(0)];
    walls.setAttribute("d", `M${x0} 0V${y0}H${quadrant.width}V${quadrant.height}H0V0Z`);
    road.setAttribute("d", nodes.map(({ alpha }, k) => `${k ? "L" : "M"}${quadrant.x(alpha[1]).toFixed(1)} ${quadrant.y(alpha[2]).toFixed(1)}`).join(""));
    star.setAttribute("transform", `translate(${quadrant.x(best.alpha[1]).toFixed(1)} ${quadrant.y(0).toFixed(1)})`);
  }
  draw();
  return {
    stage: quadrant,
    /** @param {any} setting */
    set({ mu }) { if (mu) change(mu); },
    reset() { change(state.mu); },
    destroy() {
      clearTimeout(timer);
      plane.destroy();
      quadrant.destroy();
      root.replaceChildren();
    },
  };
}

/** The path from the inside to the wall. @param {number[][]} points @param {number[]} labels */
function centralNodes(points, labels) {
  /** @type {Centre[]} */
  const nodes = [];
  for (let k = 0; k <= PATH_NODES; k += 1) {
    const before = nodes[k - 1]?.alpha.slice(1);
    nodes.push(centralPoint(points, labels, MOST_MU * (LEAST_MU / MOST_MU) ** (k / PATH_NODES), before));
  }
  return nodes;
}

/**
 * A function at the nodes of a grid over a stage.
 * @param {Stage} stage
 * @param {number} columns
 * @param {number} rows
 * @param {(x: number, y: number) => number} f
 */
function valuesOn(stage, columns, rows, f) {
  const values = new Float64Array(columns * rows);
  for (let r = 0; r < rows; r += 1) for (let c = 0; c < columns; c += 1) {
    const [x, y] = stage.at(c * CELL, r * CELL);
    values[r * columns + c] = f(x, y);
  }
  return values;
}
