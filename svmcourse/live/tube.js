// The tube of a regression: points to drag, a tube to widen by its edge, solved again at every frame.
import { button, slider } from "./controls.js";
import { html, raised, spokenText, svg } from "./elements.js";
import { guess } from "./guess.js";
import { kernelFunction } from "./kernels.js";
import { regress } from "./regression.js";
import { Stage } from "./stage.js";
import { atMost, counted, number, place } from "./words.js";

const SAMPLES = 160; // of f, from edge to edge
const RING = 13; // radius of the largest ring, in pixels

/**
 * @typedef {object} TubeState
 * @property {number[]} x
 * @property {number[]} y
 * @property {import("./kernels.js").Kernel} kernel
 * @property {number} C
 * @property {number} epsilon
 * @property {number[]} limits
 * @property {string} alt
 * @property {import("./guess.js").Ask} [ask]
 */

/**
 * @param {HTMLElement} root
 * @param {TubeState} state
 * @param {import("./figure.js").Home} home
 */
export function tubeFigure(root, state, home = {}) {
  const { kernel } = state;
  const k = kernelFunction(kernel);
  let [x, y, C, epsilon] = [[...state.x], [...state.y], state.C, state.epsilon];
  let solution = regress({ x, y, kernel, C, epsilon });
  let [frame, timer] = [0, 0];
  const widest = 0.6 * (state.limits[3] - state.limits[2]);
  const slideEpsilon = slider({ label: "ε", least: 0, most: 1.6 }, (value) => change({ epsilon: value }));
  const slideC = slider({ label: "C", least: 0.01, most: 100, log: true }, (value) => change({ C: value }));
  const main = html("div", { class: "live-main live-tube" });
  const facts = html("p", { class: "live-facts" });
  const proof = html("p", { class: "live-proof" });
  const said = html("p", { class: "live-said", "aria-live": "polite" });
  root.classList.add("live-root");
  root.append(html("div", { class: "live-controls" }, [slideEpsilon.element, slideC.element]), main, said);
  const stage = new Stage(main, { alt: state.alt, limits: state.limits, equal: false, ratio: root.clientWidth < 480 ? 0.85 : 0.62, names: ["x", "y"], resized: draw });
  main.append(facts, proof, html("div", { class: "live-tools" }, [button("Reset", () => reset())]));
  const inside = svg("path", { class: "live-inside" }, stage.under);
  const edges = svg("path", { class: "live-edge" }, stage.under);
  const curve = svg("path", { class: "live-boundary" }, stage.under);
  const f = (/** @type {number} */ at) => x.reduce((sum, z, i) => (solution.beta[i] ? sum + solution.beta[i] * k([z], [at]) : sum), solution.b);

  const pointGrips = x.map((_, i) => {
    const grip = stage.grip({
      at: () => [x[i], y[i]], label: () => describe(i),
      move: (to) => change({ x: x.map((v, j) => (j === i ? to[0] : v)), y: y.map((v, j) => (j === i ? to[1] : v)) }),
    }, stage.pointLayer);
    svg("circle", { class: "live-ring", r: 0 }, grip.element);
    svg("circle", { class: "live-dot", r: 4 }, grip.element);
    return /** @type {SVGGElement} */ (grip.element);
  });
  const end = () => state.limits[1] - 0.06 * (state.limits[1] - state.limits[0]);
  const edge = stage.grip({
    at: () => [end(), f(end()) + epsilon], label: () => `Upper edge of the tube, ε = ${number(epsilon)}. Arrow keys up and down.`,
    move: (to) => change({ epsilon: Number(Math.max(0, Math.min(widest, to[1] - f(end()))).toFixed(3)) }),
  });
  svg("path", { d: "M0 -4L-6 -11H6ZM0 4L-6 11H6Z", class: "live-handle" }, edge.element);

  const selected = () => stage.grips.indexOf(/** @type {import("./stage.js").Grip} */ (stage.selected));

  /** @param {{x?: number[], y?: number[], C?: number, epsilon?: number}} setting */
  function change(setting) {
    ({ x, y, C, epsilon } = { x, y, C, epsilon, ...setting });
    frame ||= requestAnimationFrame(refresh);
  }

  function reset() {
    change({ x: [...state.x], y: [...state.y], C: state.C, epsilon: state.epsilon });
  }

  /** Solve and draw, now. */
  function refresh() {
    cancelAnimationFrame(frame);
    frame = 0;
    solution = regress({ x, y, kernel, C, epsilon, beta0: solution.beta });
    draw();
    home.changed?.(/** @type {any} */ ({ x: [...x], y: [...y], C, epsilon }));
    clearTimeout(timer);
    timer = window.setTimeout(() => {
      const i = selected();
      said.textContent = `${x[i] === undefined ? "" : `${describe(i)}. `}${facts.textContent} ${spokenText(proof)}`;
    }, 400);
  }

  /** Whether a point carries f: 0, 1 on an edge of the tube, 2 outside. @param {number} i */
  function kind(i) {
    const size = Math.abs(solution.beta[i]);
    return size <= 1e-8 * C ? 0 : size < C * (1 - 1e-8) ? 1 : 2;
  }

  /** @param {number} i */
  function describe(i) {
    return `Point ${i + 1} of ${x.length} at ${place([x[i], y[i]])}, ${["in the tube, no support vector", "on the edge of the tube", "outside, pulling with C"][kind(i)]}`;
  }

  function draw() {
    if (!edge) return;
    const [x0, x1] = stage.shown;
    const nodes = Array.from({ length: SAMPLES + 1 }, (_, j) => x0 + (j / SAMPLES) * (x1 - x0)).map((at) => [at, f(at)]);
    const line = (/** @type {number[][]} */ through, /** @type {number} */ shift) => through.map(([at, value], j) => `${j ? "L" : "M"}${stage.x(at).toFixed(1)} ${stage.y(value + shift).toFixed(1)}`).join("");
    curve.setAttribute("d", line(nodes, 0));
    edges.setAttribute("d", line(nodes, epsilon) + line(nodes, -epsilon));
    inside.setAttribute("d", `${line(nodes, epsilon)}${line([...nodes].reverse(), -epsilon).replace("M", "L")}Z`);
    const most = solution.beta.reduce((largest, value) => Math.max(largest, Math.abs(value)), 0) || 1;
    pointGrips.forEach((element, i) => {
      for (const [name, level] of /** @type {const} */ ([["live-free", 1], ["live-bounded", 2]])) element.classList.toggle(name, kind(i) === level);
      element.children[1].setAttribute("r", kind(i) ? (RING * Math.sqrt(Math.abs(solution.beta[i]) / most)).toFixed(1) : "0");
    });
    slideEpsilon.set(epsilon);
    slideC.set(C);
    const kinds = x.map((_, i) => kind(i));
    const count = (/** @type {number} */ level) => kinds.filter((each) => each === level).length;
    facts.textContent = `${count(1) + count(2)} of ${counted(x.length, "point")} are support vectors: ${count(1)} on the edge of the tube, ${count(2)} pulling with the full force C.`;
    proof.dataset.gap = String(solution.gap);
    if (solution.gap === 0) proof.replaceChildren(`Proved to be the optimum, ${number(solution.objective, 4)}.`); // no point pulls
    else proof.replaceChildren("Proved to be within ", html("b", {}, raised(atMost(solution.gap))), ` of the optimum, ${number(solution.objective, 4)}.`);
    stage.place();
  }

  draw();
  if (state.ask) {
    const { ask } = state;
    guess(root, {
      ask, stage, reset, memory: home.memory, at: (i) => [x[i] ?? 0, y[i] ?? 0], selected: () => (x[selected()] === undefined ? -1 : selected()),
      judges: { point: (i) => ({ right: kind(i) > 0, words: `${describe(i)}. ${kind(i) ? "Right." : "It does not carry the curve."}` }) },
      reveal() {
        change(ask.setting ?? {});
        refresh();
      },
    });
  }
  return {
    set: (/** @type {Partial<TubeState>} */ setting) => change(structuredClone(setting)),
    destroy() {
      cancelAnimationFrame(frame);
      clearTimeout(timer);
      stage.destroy();
      root.replaceChildren();
    },
  };
}
