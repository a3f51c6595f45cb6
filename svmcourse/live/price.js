// The price of slack: pull any point while C moves, and see beside it what every alpha is at every C.
import { html, svg } from "./elements.js";
import { machineFigure } from "./figure.js";
import { alphaPath } from "./path.js";
import { Stage } from "./stage.js";
import { counted, number } from "./words.js";

const COARSE = 90; // nodes of a path are this many to its width while something moves
const FINE = 420; // and when it has come to rest

/**
 * @typedef {import("./figure.js").State & {window?: number, rule?: {w: number[], b: number, name: string},
 *   named?: {point: number, name: string}, proof?: boolean}} PriceState
 *   window: C at the right end of the paths, no paths without it; rule: a line to compare with, w'x + b = 0; named: a
 *   point with a name, whose path is drawn bold at first; proof: false where what has been proved of the machine is not
 *   what the figure is about
 */

/**
 * @param {HTMLElement} root
 * @param {PriceState} state
 * @param {import("./figure.js").Home} home
 */
export function priceFigure(root, state, home = {}) {
  const figure = machineFigure(root, { controls: ["C"], ...state }, home);
  const { machine, stage } = figure;
  const facts = html("p", { class: "live-facts" });
  const said = html("p", { class: "live-said", "aria-live": "polite" });
  const proof = /** @type {HTMLElement | null} */ (root.querySelector(".live-proof"));
  proof?.before(facts);
  if (proof) proof.hidden = state.proof === false;
  root.append(said);
  const drawRule = state.rule ? ruleOn(stage, state.rule) : () => {};
  const paths = state.window ? pathsBeside(figure, state.window, state.named) : null;
  const name = state.named ? svg("text", { class: "live-point-name" }, stage.over) : null;
  if (name && state.named) name.textContent = state.named.name;
  let timer = 0;

  function drawOver() {
    drawRule();
    const point = machine.points[state.named?.point ?? -1];
    if (!name || !point) return;
    const half = name.getComputedTextLength() / 2;
    const [x, y] = clearest(stage, machine, point, half);
    name.setAttribute("x", x.toFixed(1));
    name.setAttribute("y", y.toFixed(1));
  }

  function draw() {
    drawOver();
    facts.textContent = factsOf(machine);
    paths?.draw(false);
    clearTimeout(timer);
    timer = window.setTimeout(() => {
      said.textContent = facts.textContent;
      paths?.draw(true);
    }, 400);
  }
  const forget = machine.subscribe(draw);
  const observer = new ResizeObserver(drawOver);
  observer.observe(stage.frame);
  draw();
  if (state.named) stage.select(figure.points.grips[state.named.point]);
  return {
    ...figure,
    destroy() {
      clearTimeout(timer);
      forget();
      observer.disconnect();
      paths?.stage.destroy();
      figure.destroy();
    },
  };
}

/** Width of the band, points on and beyond its edges, errors. @param {import("./machine.js").Machine} machine */
function factsOf(machine) {
  if (!machine.solution) return "";
  const { alpha, C, labels, length, points, support } = machine;
  const bounded = support.filter((i) => alpha[i] >= C * (1 - 1e-8)).length;
  const errors = points.filter((point, i) => labels[i] * machine.decision(point) < 0).length;
  return `Half the band is ${number(1 / length, 2)} wide. ${counted(support.length - bounded, "point")} on its edge, ${bounded} with α = C; `
    + `${counted(errors, "training error")}.`;
}

/**
 * Where the name of a point hides least: at its left, at its right, above or below.
 * @param {Stage} stage
 * @param {import("./machine.js").Machine} machine
 * @param {ArrayLike<number>} point
 * @param {number} half of the name's width, in pixels
 */
export function clearest(stage, machine, point, half) {
  const places = [[-half - 22, 4], [half + 22, 4], [0, -22], [0, 32]].map(([dx, dy]) => [stage.x(point[0]) + dx, stage.y(point[1]) + dy]);
  const hidden = places.map(([x, y]) => {
    if (x < half || x > stage.width - half || y < 14 || y > stage.height - 22) return Infinity; // off the plane, or on the numbers
    const ends = [-half, half].map((dx) => machine.decision(stage.at(x + dx, y - 4)));
    const lines = [-1, 0, 1].filter((level) => (ends[0] - level) * (ends[1] - level) < 0);
    const points = machine.points.filter((other) => Math.abs(stage.x(other[0]) - x) < half + 6 && Math.abs(stage.y(other[1]) - y + 4) < 13);
    return lines.length + 2 * points.length;
  });
  return places[hidden.indexOf(Math.min(...hidden))];
}

/** A dotted line, right across. @param {Stage} stage @param {{w: number[], b: number, name: string}} rule */
function ruleOn(stage, { w, b, name }) {
  const line = svg("line", { class: "live-rule" }, stage.under);
  svg("title", {}, line).textContent = name;
  return () => {
    const [x0, x1, y0, y1] = stage.shown;
    const reach = x1 - x0 + y1 - y0;
    const square = w[0] * w[0] + w[1] * w[1];
    const middle = [(x0 + x1) / 2, (y0 + y1) / 2];
    const off = (w[0] * middle[0] + w[1] * middle[1] + b) / square;
    for (const [end, t] of /** @type {const} */ ([["1", -reach], ["2", reach]])) {
      line.setAttribute(`x${end}`, stage.x(middle[0] - off * w[0] - (t * w[1]) / Math.sqrt(square)).toFixed(1));
      line.setAttribute(`y${end}`, stage.y(middle[1] - off * w[1] + (t * w[0]) / Math.sqrt(square)).toFixed(1));
    }
  };
}

/** A stage that is taken hold of at a level of C, wherever along it. */
class PathStage extends Stage {
  /** @override @param {number} px @param {number} _ @param {number} reach */
  nearest(px, _, reach = 24) {
    const [grip] = this.grips;
    return Math.abs(this.x(grip.at()[0]) - px) < reach ? grip : null;
  }
}

/**
 * The paths alpha(C), a line where C is, and the points at their alpha on it.
 * @param {import("./figure.js").Figure} figure
 * @param {number} most
 * @param {{point: number, name: string} | undefined} named
 */
function pathsBeside(figure, most, named) {
  const { machine, points, root, stage: plane } = figure;
  const main = html("div", { class: "live-paths" });
  const columns = /** @type {HTMLElement} */ (root.querySelector(".live-columns"));
  columns.classList.add("live-halves");
  columns.append(html("div", { class: "live-views" }, [html("section", { "aria-label": "α over C" }, [
    html("p", { class: "live-title" }, ["Every α over C"]), main,
    html("p", { class: "live-text" }, ["One line per point. It runs up the rim α = C while the point lies inside the band or beyond, leaves the rim when the edge of the band comes to the point, and is 0 when the point is outside. Drag the upright line."]),
  ])]));
  let [end, finest] = [most, 0];
  let known = "";
  /** @type {import("./path.js").Node[]} */
  let nodes = [];
  const stage = new PathStage(main, {
    alt: "Paths of α over C", limits: [0, end, 0, end], equal: false, ratio: 0.9, names: ["C", "α"],
    add: (at) => setC(at[0]), resized: () => place(),
  });
  const forbidden = svg("path", { class: "live-forbidden" }, stage.under);
  const rim = svg("path", { class: "live-rim" }, stage.under);
  const rimName = svg("text", { class: "live-rim-name" }, stage.under);
  rimName.textContent = "α = C";
  const curves = svg("g", { class: "live-curves" }, stage.under);
  const line = svg("line", { class: "live-now" }, stage.under);
  const dots = svg("g", {}, stage.under);
  const name = svg("text", { class: "live-point-name" }, stage.over);
  const grip = stage.grip({
    at: () => [machine.C, machine.C],
    move: (to) => setC(to[0] === machine.C ? to[1] : to[0]), // keys upwards and to the right do the same
    label: () => `C = ${number(machine.C)}. Arrow keys change it.`,
  });
  svg("path", { d: "M-3 0L-10 -5V5ZM3 0L10 -5V5Z", class: "live-handle" }, grip.element);

  /** @param {number} C */
  function setC(C) {
    machine.change({ C: Number(Math.max(end / 500, Math.min(0.985 * end, C)).toPrecision(3)) });
  }

  /** New paths where the points have changed or more of them is seen; all where C alone has. @param {boolean} rest */
  function draw(rest) {
    end = most;
    while (machine.C > end) end *= 4;
    const { points: at, labels, kernel } = machine;
    const now = JSON.stringify([at, labels, kernel, end]);
    const wanted = end / (rest ? FINE : COARSE);
    if (machine.solution && (now !== known || wanted < finest)) {
      nodes = alphaPath({ points: at, labels, kernel }, end, wanted);
      [known, finest] = [now, wanted];
    }
    if (stage.limits[1] !== end) stage.look([0, end, 0, end]);
    place();
  }

  function place() {
    const xy = (/** @type {number} */ C, /** @type {number} */ a) => `${stage.x(C).toFixed(1)} ${stage.y(a).toFixed(1)}`;
    forbidden.setAttribute("d", `M${xy(0, 0)}L${xy(end, end)}L${xy(0, end)}Z`);
    rim.setAttribute("d", `M${xy(0, 0)}L${xy(end, end)}`);
    rimName.setAttribute("x", String(stage.x(0.7 * end) - 10));
    rimName.setAttribute("y", String(stage.y(0.7 * end) - 8));
    const { labels, alpha, C } = machine;
    const chosen = points.selected;
    const followed = named?.point ?? chosen;
    const seen = [...labels.keys()].filter((i) => nodes.some((node) => node.alpha[i] > 1e-6 * end));
    const [paths, marks] = [document.createDocumentFragment(), document.createDocumentFragment()];
    for (const i of seen.sort((a, b) => Number(a === chosen) - Number(b === chosen))) {
      const side = `live-${labels[i] > 0 ? "plus" : "minus"}-path${i === chosen ? " live-chosen" : ""}`;
      const d = nodes.map((node, k) => `${k ? "L" : "M"}${xy(node.C, node.alpha[i])}`).join("");
      paths.append(svg("path", { d, class: side }));
      if (machine.solution && alpha[i] > 1e-6 * end) marks.append(svg("circle", { cx: stage.x(C), cy: stage.y(alpha[i]), r: i === chosen ? 5.5 : 3.5, class: side }));
    }
    name.textContent = alpha[followed] > 1e-6 * end ? (named?.name ?? "") : "";
    name.setAttribute("x", String(stage.x(C) + 12 > stage.width - 50 ? stage.x(C) - 44 : stage.x(C) + 38));
    name.setAttribute("y", String(stage.y(alpha[followed] ?? 0) + (alpha[followed] > 0.92 * C ? 18 : -8)));
    curves.replaceChildren(paths);
    dots.replaceChildren(marks);
    for (const [key, value] of Object.entries({ x1: stage.x(C), x2: stage.x(C), y1: stage.y(0), y2: stage.y(end) })) line.setAttribute(key, String(value));
    stage.svg.setAttribute("aria-label", `Paths of α for C from 0 to ${number(end)}: ${counted(seen.length, "point")} with α above 0 somewhere. ${
      chosen >= 0 ? `Point ${chosen + 1} has α = ${number(alpha[chosen])} at C = ${number(C)}.` : ""}`);
    stage.place();
  }
  plane.frame.addEventListener("focusin", place);
  return { stage, draw };
}
