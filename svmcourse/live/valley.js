// The errors on the points at hand and on fresh ones, drawn over σ by the hand that moves it.
import { button } from "./controls.js";
import { html, svg } from "./elements.js";
import { galleryFigure } from "./gallery.js";
import { Machine } from "./machine.js";
import { Stage } from "./stage.js";
import { number } from "./words.js";

const MOST_WRONG = 0.5; // share of wrong points at the upper edge
const VALLEY_ROOM = [0.4, 0.08]; // in powers of ten, left for the numbers of the axis and right
const VALLEY_STEPS = 30; // machines that the button trains, from edge to edge

/** @typedef {{sigma: number, here: number, there: number}} Visit */

/**
 * The visits in order of σ with one more; of two with the same σ the new one stays.
 * @param {Visit[]} visits
 * @param {Visit} visit
 */
export function visited(visits, visit) {
  return [...visits.filter(({ sigma }) => sigma !== visit.sigma), visit].sort((a, b) => a.sigma - b.sigma);
}

/** A stage whose horizontal axis is the logarithm of σ, taken hold of at a σ, wherever along it. */
class ValleyStage extends Stage {
  /** @override */
  drawAxes() {
    const [x0, x1, y0, y1] = this.shown;
    const { width, height } = this;
    this.axes.replaceChildren();
    this.names.replaceChildren();
    for (let power = Math.ceil(x0 - 0.5); power <= x1; power += 1) {
      for (const value of [10 ** power, 3 * 10 ** power]) {
        const x = this.x(Math.log10(value));
        if (x < 0 || x > width) continue;
        svg("line", { x1: x, x2: x, y1: height - 5, y2: height }, this.axes);
        if (x > 36 && x < width - 24) svg("text", { x, y: height - 8, "text-anchor": "middle" }, this.names).textContent = number(value);
      }
    }
    for (let share = 0.1; share < y1 - 0.05; share += 0.1) {
      const y = this.y(share);
      svg("line", { x1: 0, x2: 5, y1: y, y2: y }, this.axes);
      svg("text", { x: 8, y: y + 4 }, this.names).textContent = `${Math.round(100 * share)} %`;
    }
    svg("line", { x1: 0, x2: width, y1: this.y(0), y2: this.y(0) }, this.axes);
    svg("text", { x: width - 8, y: height - 8, "text-anchor": "end", class: "live-name" }, this.names).textContent = "σ";
    svg("text", { x: 8, y: Math.max(16, this.y(y1) + 16), class: "live-name" }, this.names).textContent = y0 < 0 ? "wrong" : "";
  }

  /** @override @param {number} px @param {number} _ @param {number} reach */
  nearest(px, _, reach = 24) {
    const [grip] = this.grips;
    return Math.abs(this.x(grip.at()[0]) - px) < reach ? grip : null;
  }
}

/**
 * @param {HTMLElement} root
 * @param {import("./gallery.js").GalleryState} state
 * @param {import("./figure.js").Home} home
 */
export function valleyFigure(root, state, home = {}) {
  const [least, most] = [state.ranges?.sigma?.least ?? 0.03, state.ranges?.sigma?.most ?? 10];
  /** @type {Visit[]} */
  let visits = [];
  let [here, there, known] = [NaN, NaN, ""];
  /** @type {() => void} */
  let show = () => {};
  const figure = galleryFigure(root, { controls: ["sigma"], views: [], ...state }, home, (training, fresh) => {
    [here, there] = [training, fresh];
    show();
  });
  const { machine } = figure;
  const main = html("div", { class: "live-paths live-valley" });
  const columns = /** @type {HTMLElement} */ (root.querySelector(".live-columns"));
  columns.classList.add("live-halves");
  columns.append(html("div", { class: "live-views" }, [html("section", { "aria-label": "Errors over σ" }, [
    html("p", { class: "live-title" }, ["The share of wrong points over σ"]), main,
    html("div", { class: "live-tools" }, [button("Draw all of it", () => drawAll()), button("Wipe it", () => wipe())]),
  ])]));
  const stage = new ValleyStage(main, {
    alt: "Errors over σ", limits: [Math.log10(least) - VALLEY_ROOM[0], Math.log10(most) + VALLEY_ROOM[1], -0.1, MOST_WRONG], equal: false, ratio: 0.88, names: ["σ", "wrong"],
    add: (at) => setSigma(at[0]), resized: () => draw(),
  });
  const line = svg("line", { class: "live-now" }, stage.under);
  const curves = /** @type {const} */ (["here", "there"]).map((which) => ({
    which, path: svg("path", { class: `live-valley-${which}` }, stage.under), dots: svg("g", { class: `live-valley-${which}` }, stage.under),
    name: svg("text", { class: "live-point-name" }, stage.under),
  }));
  const grip = stage.grip({
    at: () => [Math.log10(sigma()), -0.03],
    move: (to) => setSigma(to[0]),
    label: () => `σ = ${number(sigma())}: ${words()} Arrow keys left and right change it.`,
  });
  svg("path", { d: "M-3 0L-10 -5V5ZM3 0L10 -5V5Z", class: "live-handle" }, grip.element);

  function sigma() {
    return machine.kernel.sigma ?? 1;
  }

  /** @param {number} logarithm */
  function setSigma(logarithm) {
    const value = Number(Math.min(most, Math.max(least, 10 ** logarithm)).toPrecision(3));
    if (value !== sigma()) machine.change({ kernel: { ...machine.kernel, sigma: value } });
  }

  function words() {
    return `${number(100 * here, 3)} % of the training points and ${number(100 * there, 3)} % of the fresh points are wrong.`;
  }

  /** The two errors of a machine. @param {Machine} other @returns {Visit} */
  function visit(other) {
    const wrong = (/** @type {number[][]} */ points, /** @type {number[]} */ labels) => (
      labels.reduce((sum, label, i) => sum + (label * other.decision(points[i]) > 0 ? 0 : 1), 0) / labels.length);
    return { sigma: other.kernel.sigma ?? 1, here: wrong(other.points, other.labels), there: wrong(state.fresh.points, state.fresh.labels) };
  }

  function drawAll() {
    for (let k = 0; k <= VALLEY_STEPS; k += 1) {
      const value = Number((least * (most / least) ** (k / VALLEY_STEPS)).toPrecision(3));
      if (!visits.some((each) => each.sigma === value)) visits = visited(visits, visit(new Machine({ ...machine.setting, kernel: { ...machine.kernel, sigma: value } })));
    }
    draw();
    figure.say(`${visits.length} machines drawn. The fewest fresh points are wrong at σ = ${number(visits.reduce((best, each) => (each.there < best.there ? each : best)).sigma)}.`);
  }

  function wipe() {
    visits = machine.solution ? [{ sigma: sigma(), here, there }] : [];
    draw();
  }

  function draw() {
    for (const [key, value] of Object.entries({ x1: stage.x(Math.log10(sigma())), x2: stage.x(Math.log10(sigma())), y1: stage.y(0), y2: stage.y(MOST_WRONG) })) line.setAttribute(key, String(value));
    const last = visits.at(-1);
    for (const { which, path, dots, name } of curves) {
      const at = visits.map((each) => [stage.x(Math.log10(each.sigma)), stage.y(Math.min(MOST_WRONG, each[which]))]);
      path.setAttribute("d", at.map(([x, y], k) => `${k ? "L" : "M"}${x.toFixed(1)} ${y.toFixed(1)}`).join(""));
      dots.replaceChildren(...at.map(([cx, cy], k) => svg("circle", { cx, cy, r: visits[k].sigma === sigma() ? 5 : 2.5 })));
      name.textContent = which === "here" ? "training" : "fresh";
      const [x, y] = [stage.x(Math.log10(sigma())), stage.y(Math.min(MOST_WRONG, which === "here" ? here : there) || 0)];
      const half = name.getComputedTextLength?.() / 2 || 24;
      name.setAttribute("x", (x + half + 10 > stage.width - half - 4 ? x - half - 10 : x + half + 10).toFixed(1));
      name.setAttribute("y", (which === "here" ? Math.min(y - 8, stage.height - 34) : Math.max(14, y - 8 - (Math.abs(stage.y(here) - y) < 16 ? 16 : 0))).toFixed(1));
    }
    stage.svg.setAttribute("aria-label", `Errors over σ from ${number(least)} to ${number(most)}, ${visits.length} drawn${last ? `, up to σ = ${number(last.sigma)}` : ""}. At σ = ${number(sigma())} ${words()}`);
    stage.place();
  }

  show = () => {
    const { points, labels, C } = machine;
    const now = JSON.stringify([points, labels, C]);
    if (now !== known) visits = []; // of other machines
    known = now;
    if (machine.solution) visits = visited(visits, { sigma: sigma(), here, there });
    draw();
  };
  show();
  return {
    ...figure,
    destroy() {
      stage.destroy();
      figure.destroy();
    },
  };
}
