// The widest band of points that one can drag: its hulls and the bridge between them, or the forces that hold it.
import { button } from "./controls.js";
import { html, raised, spokenText, svg } from "./elements.js";
import { forceText, forceWidth, plank } from "./plank.js";
import { Points } from "./points.js";
import { Separator } from "./separator.js";
import { Stage } from "./stage.js";
import { area, arrowTo, clipped, groundOf, lineAcross, trail } from "./strips.js";
import { atMost, counted, number } from "./words.js";

const REACH_OF_FORCE = 0.26; // of the plane: the longest arrow at the start
const LIMIT_OF_FORCE = 0.42; // and ever
const EDGE = 1e-6; // of a band whose half is 1

/**
 * @typedef {object} HardState
 * @property {number[][]} points
 * @property {number[]} labels
 * @property {string} alt
 * @property {number[]} limits
 * @property {string[]} shows of "hulls", "forces", "without"
 * @property {number} [held] index of the point that is selected at the start
 */

/**
 * @param {HTMLElement} root
 * @param {HardState} state
 * @param {{changed?: (setting: any) => void}} home
 */
export function hardFigure(root, state, home = {}) {
  const start = { points: state.points, labels: state.labels, kernel: /** @type {const} */ ({ name: "linear" }), C: 1 };
  const machine = new Separator(start);
  const shows = (/** @type {string} */ name) => state.shows.includes(name);
  const main = html("div", { class: "live-main" });
  const side = html("div", { class: "live-views" });
  const proof = html("p", { class: "live-proof" });
  const said = html("p", { class: "live-said", "aria-live": "polite" });
  let timer = 0;
  let spoken = "";
  /** The machine without the selected point, and what it was made for. @type {{key: string, machine: Separator | null}} */
  let without = { key: "", machine: null };
  root.classList.add("live-root");
  root.append(html("div", { class: `live-columns${shows("forces") ? "" : " live-single"}` }, shows("forces") ? [main, side] : [main]), said);

  const stage = new Stage(main, {
    alt: state.alt, limits: state.limits, resized: () => draw(), dropped: speakSoon, selected: () => draw(),
  });
  const ground = groundOf(stage);
  const sides = [1, -1].map((label) => svg("path", { class: `live-side-${label > 0 ? "plus" : "minus"}` }, ground));
  const hulls = [1, -1].map((label) => svg("path", { class: `live-hull live-hull-${label > 0 ? "plus" : "minus"}` }, stage.under));
  const ghost = svg("path", { class: "live-ghost" }, stage.under);
  const edges = [-1, 1].map((level) => ({ level, path: svg("path", { class: "live-edge" }, stage.under) }));
  const boundary = svg("path", { class: "live-boundary" }, stage.under);
  const square = svg("path", { class: "live-right-angle" }, stage.under);
  const points = new Points(stage, machine, { move: true, add: false, remove: shows("without"), toggle: false });
  const arrows = svg("g", { class: "live-forces", "aria-hidden": "true" }, stage.over);
  const bridge = svg("path", { class: "live-bridge" }, stage.over);
  const ends = shows("hulls") ? ["p", "q"].map((name) => {
    const group = svg("g", { "aria-hidden": "true", class: "live-end" }, stage.over);
    svg("circle", { r: 3.5 }, group);
    svg("text", { "text-anchor": "middle", "dominant-baseline": "middle" }, group).textContent = name;
    return group;
  }) : [];
  const most = Math.max(...machine.alpha) || 1;
  const tools = html("div", { class: "live-tools" });
  const remove = button("Remove", () => points.remove(points.selected));
  if (shows("without")) tools.append(remove);
  tools.append(button("Start again", reset));
  main.append(proof, tools, hardHelp(shows("without")));
  const drawPlank = shows("forces") ? plank(side, machine) : () => {};

  function draw() {
    if (!root.contains(tools)) return; // not yet built
    const { w, b, separable } = machine;
    const found = machine.bridge ?? null;
    sides.forEach((path, k) => path.setAttribute("d", separable ? area(stage, clipped(stage, w.map((v) => (k ? -v : v)), (k ? -b : b) - 1)) : ""));
    edges.forEach(({ level, path }) => path.setAttribute("d", separable ? lineAcross(stage, w, b, level) : ""));
    boundary.setAttribute("d", separable ? lineAcross(stage, w, b) : "");
    hulls.forEach((path, k) => path.setAttribute("d", shows("hulls") ? area(stage, machine.hulls[k]) : ""));
    drawBridge(found);
    const lean = drawWithout();
    drawForces();
    points.draw();
    markPoints();
    remove.disabled = points.selected < 0;
    drawPlank();
    proof.dataset.gap = machine.solution ? String(machine.solution.gap) : "";
    proof.replaceChildren(...sentence(found, lean));
  }

  /** Rings about all points on the edge where nobody speaks of forces yet; the point that the text speaks of is larger. */
  function markPoints() {
    const { w, b } = machine;
    points.grips.forEach(({ element }, i) => {
      element?.classList.toggle("live-marked", i === state.held && machine.points.length === state.points.length);
      if (shows("forces")) return;
      const on = machine.separable && machine.labels[i] * (w[0] * machine.points[i][0] + w[1] * machine.points[i][1] + b) < 1 + EDGE;
      element?.classList.toggle("live-free", on);
      element?.children[1].setAttribute("r", on ? "9" : "0");
    });
  }

  /** The bridge, its ends, and the right angle at which the line crosses it. @param {import("./hulls.js").Bridge | null} found */
  function drawBridge(found) {
    const seen = found && !shows("without");
    bridge.setAttribute("d", seen ? trail(stage, [found.q, found.p]) : "");
    bridge.classList.toggle("live-faint", shows("forces"));
    square.setAttribute("d", "");
    if (!found || !shows("hulls")) {
      for (const end of ends) end.setAttribute("visibility", "hidden");
      return;
    }
    const [p, q] = [found.p, found.q].map((x) => [stage.x(x[0]), stage.y(x[1])]);
    const long = Math.hypot(p[0] - q[0], p[1] - q[1]);
    const u = [(p[0] - q[0]) / long, (p[1] - q[1]) / long];
    ends.forEach((end, k) => {
      const at = k ? q : p;
      end.setAttribute("visibility", "visible");
      end.setAttribute("transform", `translate(${at[0].toFixed(1)} ${at[1].toFixed(1)})`);
      end.children[1].setAttribute("x", ((k ? -18 : 18) * u[0] - 15 * u[1]).toFixed(1));
      end.children[1].setAttribute("y", ((k ? -18 : 18) * u[1] + 15 * u[0]).toFixed(1));
    });
    const size = Math.min(9, long / 5);
    const [mx, my] = [(p[0] + q[0]) / 2, (p[1] + q[1]) / 2];
    square.setAttribute("d", `M${mx + size * u[0]} ${my + size * u[1]}l${-size * u[1]} ${size * u[0]}l${-size * u[0]} ${-size * u[1]}`);
  }

  /** The line without the point that is held; how the two differ. */
  function drawWithout() {
    const i = points.selected;
    if (!shows("without") || i < 0) {
      ghost.setAttribute("d", "");
      return null;
    }
    const rest = (/** @type {any[]} */ list) => list.filter((_, k) => k !== i);
    const key = JSON.stringify([rest(machine.points), rest(machine.labels)]);
    if (key !== without.key) without = { key, machine: new Separator({ ...start, points: rest(machine.points), labels: rest(machine.labels) }) };
    const other = without.machine;
    if (!other?.separable) {
      ghost.setAttribute("d", "");
      return null;
    }
    ghost.setAttribute("d", lineAcross(stage, other.w, other.b));
    const [u, v] = [machine.w, other.w];
    const turned = machine.separable ? Math.abs(Math.atan2(u[0] * v[1] - u[1] * v[0], u[0] * v[0] + u[1] * v[1])) : 0;
    return { narrower: machine.separable ? 1 - other.length / machine.length : 1, turned: (turned * 180) / Math.PI, i };
  }

  /** At each support vector an arrow against the edge, as long as its force. */
  function drawForces() {
    arrows.replaceChildren();
    const { solution, w, alpha, labels, support } = machine;
    if (!shows("forces") || !solution) return;
    const [length, size] = [Math.hypot(w[0], w[1]), Math.min(stage.width, stage.height)];
    const unit = Math.min((REACH_OF_FORCE * size) / most, (LIMIT_OF_FORCE * size) / Math.max(...alpha)); // pixels of a force of 1
    for (const i of support) {
      const [x, y] = [stage.x(machine.points[i][0]), stage.y(machine.points[i][1])];
      const [dx, dy] = [(labels[i] * w[0]) / length, (-labels[i] * w[1]) / length]; // outwards, in pixels
      const from = [x + dx * (unit * alpha[i] + 7), y + dy * (unit * alpha[i] + 7)];
      svg("path", { d: arrowTo(from, [x + 7 * dx, y + 7 * dy], 12), class: `live-force live-force-${labels[i] > 0 ? "plus" : "minus"}`, style: `stroke-width: ${forceWidth(Math.max(...alpha)).toFixed(1)}` }, arrows);
      const [tx, ty] = [[from[0] + 15 * dx, stage.width], [from[1] + 13 * dy, stage.height]].map(([at, end]) => Math.min(end - 16, Math.max(16, at)));
      const text = svg("text", { x: tx, y: ty, "text-anchor": "middle", "dominant-baseline": "middle" }, arrows);
      text.textContent = forceText(alpha[i]);
    }
  }

  /** @param {import("./hulls.js").Bridge | null} found @param {{narrower: number, turned: number, i: number} | null} lean */
  function sentence(found, lean) {
    const { solution } = machine;
    if (!solution || !found) return [html("b", {}, [shows("hulls") ? "The hulls overlap: there is no bridge, and no line separates the classes." : machine.problem])];
    const gap = html("b", {}, raised(atMost(solution.gap)));
    const optimum = ` of the optimum of ½‖w‖², ${number(solution.objective)}.`;
    const band = number(2 / machine.length, 4);
    if (shows("hulls")) {
      return ["The bridge, by geometry: ", html("b", {}, [number(found.length, 4)]), ". The band, by the solver: 2/‖w‖ = ",
        html("b", {}, [band]), ", proved to be within ", gap, optimum];
    }
    if (shows("forces")) {
      const list = (/** @type {number} */ label) => machine.support.filter((i) => machine.labels[i] === label).map((i) => number(machine.alpha[i], 4)).join(" + ");
      const sum = (/** @type {number} */ label) => number(machine.alpha.reduce((all, a, i) => (machine.labels[i] === label ? all + a : all), 0), 4);
      const pushes = (/** @type {number} */ label) => (list(label).includes("+") ? `${list(label)} = ${sum(label)}` : sum(label));
      return [`Class +1 pushes with ${pushes(1)}, class −1 with ${pushes(-1)}. The band is ${band} wide; proved to be within `, gap, optimum];
    }
    const difference = lean === null ? "" : !machine.support.includes(lean.i) ? ` Point ${lean.i + 1} does not hold it: without that point it is the same.`
      : ` Point ${lean.i + 1} holds it: without that point it is ${lean.narrower < 5e-5 ? "less than 0.01" : number(100 * (1 / (1 - lean.narrower) - 1), 2)} % wider and turned by ${number(lean.turned, 2)}° (grey).`;
    return [`The band is `, html("b", {}, [band]), ` wide, held by ${counted(machine.support.length, "point")}, proved to be within `, gap, optimum, difference];
  }

  function speakSoon() {
    clearTimeout(timer);
    timer = window.setTimeout(() => {
      const i = points.selected;
      said.textContent = `${spoken || (i >= 0 ? `${points.describe(i)}.` : "")} ${spokenText(proof)}`.trim();
      spoken = "";
    }, 350);
  }

  /** @param {Partial<HardState>} setting */
  function set(setting) {
    machine.change(structuredClone({ points: setting.points ?? machine.points, labels: setting.labels ?? machine.labels }));
  }

  function reset() {
    set(state);
    machine.words = "Back at the start.";
    machine.refresh();
    if (state.held !== undefined) stage.select(points.grips[state.held]);
  }

  const forget = machine.subscribe(({ words }) => {
    draw();
    if (words && words !== "moved") {
      spoken = words;
      speakSoon();
    }
    home.changed?.({ points: machine.setting.points, labels: machine.setting.labels });
  });
  if (state.held !== undefined) stage.select(points.grips[state.held]);
  draw();
  return {
    machine, stage, points, root, set, reset,
    destroy() {
      forget();
      clearTimeout(timer);
      stage.destroy();
      root.replaceChildren();
    },
  };
}

/** @param {boolean} removes */
function hardHelp(removes) {
  return html("details", { class: "live-help" }, [
    html("summary", {}, ["By mouse, finger and keyboard"]),
    html("p", {}, [`Drag any point. With the keyboard: Tab to the points, Page Up and Page Down to another one, and the arrow keys move it, with Shift a fifth as far.${
      removes ? " Delete removes it." : ""}`]),
  ]);
}
