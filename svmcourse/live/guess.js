// A question before the figure answers it: a line is drawn, a point chosen, a number named. Then yours stands beside the truth.
import { button } from "./controls.js";
import { html, svg } from "./elements.js";
import { lineAcross } from "./strips.js";
import { number, place } from "./words.js";

/**
 * What a figure asks first. `setting` is what it shows for an answer: another C, another kernel, …
 * @typedef {{kind: "line" | "point" | "number", question: string, setting?: any}} Ask
 * @typedef {{value: any, right: boolean, words: string}} Answer  value: two ends of a line, the index of a point, a number
 * @typedef {{read: () => Answer | undefined, write: (answer: Answer | undefined) => void}} Memory
 */

/**
 * @typedef {object} Asked
 * @property {Ask} ask
 * @property {import("./stage.js").Stage} stage where the answer is drawn
 * @property {Partial<Record<Ask["kind"], (value: any) => {right: boolean, words: string}>>} judges  for each kind that this
 *   figure can ask; called when the truth is shown
 * @property {() => void} reveal show the truth, at once
 * @property {() => void} reset the figure as it was
 * @property {(i: number) => ArrayLike<number>} [at] where a point is
 * @property {() => number} [selected] which point is selected, -1 if none
 * @property {Memory} [memory] of the page
 */

/**
 * Put the question above a figure.
 * @param {HTMLElement} root
 * @param {Asked} asked
 */
export function guess(root, { ask, stage, judges, reveal, reset, at, selected, memory }) {
  const judge = judges[ask.kind];
  if (!judge) throw new RangeError(`ask: this figure can ask for ${Object.keys(judges).join(", ")}, not for ${ask.kind}`);
  /** @type {number[][] | null} */
  let ends = null; // of the reader's line
  let chosen = -1; // her point
  /** @type {import("./stage.js").Grip[]} */
  let handles = [];
  const kept = { add: stage.options.add, selected: stage.options.selected };
  const yours = svg("path", { class: "live-yours live-guess" }, stage.under);
  const mark = svg("circle", { class: "live-guess-mark", r: 21 }, stage.under);
  const field = html("input", { type: "number", step: "any", inputmode: "decimal", autocomplete: "off", "aria-label": "Your number" });
  const hint = html("span", { class: "live-ask-hint" });
  const draw = button("Draw a line", () => begin());
  const commit = button("Commit", () => answer());
  const again = button("Ask me again", () => open(true));
  const result = html("p", { class: "live-ask-result", role: "status" });
  const parts = { line: [draw], point: [], number: [field] }[ask.kind];
  root.prepend(html("section", { class: "live-ask", "aria-label": "Predict" }, [
    html("p", { class: "live-ask-question" }, [html("b", {}, ["Predict. "]), ask.question]),
    html("div", { class: "live-tools" }, [...parts, commit, again, hint]), result,
  ]));
  stage.overlay = paint;
  stage.options.selected = (grip) => {
    kept.selected?.(grip);
    update();
  };
  field.addEventListener("input", update);
  field.addEventListener("keydown", (event) => {
    if (event.key !== "Enter" || commit.disabled) return;
    event.preventDefault(); // the next button gets the focus, not this key
    answer();
  });

  /** What has been said, undefined before it is something. */
  function value() {
    if (ask.kind === "line") return ends ?? undefined;
    if (ask.kind === "point") return (selected?.() ?? -1) >= 0 ? selected?.() : undefined;
    return field.value !== "" && Number.isFinite(Number(field.value)) ? Number(field.value) : undefined;
  }

  /** Whether there is something to commit. */
  function update() {
    commit.disabled = value() === undefined;
    if (ask.kind !== "point" || again.hidden === false) return;
    hint.textContent = commit.disabled ? "Select a point in the figure." : `Point ${Number(value()) + 1}, at ${place(at?.(Number(value())) ?? [])}.`;
  }

  /** Two ends to be pulled, and the whole plane to draw on. */
  function begin() {
    const [x0, x1, y0, y1] = stage.shown;
    ends ??= [[0.5 * (x0 + x1), y0 + 0.15 * (y1 - y0)], [0.5 * (x0 + x1), y1 - 0.15 * (y1 - y0)]].map((x) => stage.inside(x));
    stage.options.add = undefined;
    stage.options.stroke = (from, to) => {
      ends = [from, to];
      stage.place();
    };
    stage.svg.style.touchAction = "pinch-zoom"; // a finger draws, and does not scroll
    handles = [0, 1].map((k) => {
      const grip = stage.grip({
        at: () => ends?.[k] ?? [0, 0],
        move(to) {
          if (ends) ends[k] = to;
          stage.place();
        },
        label: () => `${k ? "Second" : "First"} end of your line, at ${place(ends?.[k] ?? [])}. Arrow keys move it, Page ${k ? "Up" : "Down"} goes to the other end.`,
      });
      svg("circle", { r: 9, class: "live-wide-handle" }, grip.element);
      return grip;
    });
    draw.hidden = true;
    hint.textContent = "Draw it across the plane, or pull its ends.";
    stage.place();
    handles[0].element?.focus({ preventScroll: true });
    update();
  }

  /** The handles go, and the plane is the figure's again. */
  function end() {
    for (const grip of handles) stage.ungrip(grip);
    handles = [];
    stage.options.add = kept.add;
    stage.options.stroke = undefined;
    stage.svg.style.touchAction = "";
  }

  /** Commit, then see. */
  function answer() {
    const said = value();
    if (said === undefined || !judge) return;
    end();
    reveal();
    const judged = { value: said, ...judge(said) };
    memory?.write(judged);
    close(judged);
    again.focus({ preventScroll: true });
  }

  /** @param {Answer} judged */
  function close(judged) {
    if (ask.kind === "line") ends = judged.value;
    if (ask.kind === "point") chosen = judged.value;
    if (ask.kind === "number") field.value = String(judged.value);
    for (const element of [draw, commit]) element.hidden = true;
    field.disabled = true;
    again.hidden = false;
    hint.textContent = "";
    result.classList.toggle("live-ask-right", judged.right);
    result.textContent = judged.words;
    stage.place();
  }

  /** Ask, for the first time or once more. @param {boolean} once */
  function open(once) {
    [ends, chosen] = [null, -1];
    field.value = "";
    field.disabled = false;
    for (const element of [draw, commit]) element.hidden = false;
    again.hidden = true;
    result.classList.remove("live-ask-right");
    result.textContent = "";
    hint.textContent = "";
    if (once) {
      memory?.write(undefined);
      reset();
      ({ line: draw, point: commit, number: field })[ask.kind].focus({ preventScroll: true });
    }
    update();
    stage.place();
  }

  /** Her line or point, on the figure. */
  function paint() {
    yours.setAttribute("d", ends ? through(ends) : "");
    mark.toggleAttribute("hidden", chosen < 0);
    if (chosen < 0) return;
    const [x, y] = Array.from(at?.(chosen) ?? [0, 0]);
    mark.setAttribute("cx", stage.x(x).toFixed(1));
    mark.setAttribute("cy", stage.y(y).toFixed(1));
  }

  /** @param {number[][]} two */
  function through(two) {
    const { w, b } = lineOf(two);
    return lineAcross(stage, w, b);
  }

  const known = memory?.read();
  open(false);
  if (known) close(known);
}

/** The line through two places as w'x + b = 0, |w| = 1. @param {number[][]} ends */
export function lineOf([from, to]) {
  const length = Math.hypot(to[0] - from[0], to[1] - from[1]) || 1;
  const w = [(from[1] - to[1]) / length, (to[0] - from[0]) / length];
  return { w, b: -(w[0] * from[0] + w[1] * from[1]) };
}

/**
 * What a machine makes of an answer.
 * @param {import("./machine.js").Machine} machine
 * @param {import("./stage.js").Stage} stage
 * @returns {Asked["judges"]}
 */
export function judgesOf(machine, stage) {
  return {
    line(ends) {
      const part = apart(machine, stage, ends);
      return { right: part <= 0.05, words: `Your line and the machine's part on ${number(100 * part, 2)} % of the plane${part <= 0.05 ? ": well drawn." : "."}` };
    },
    point(i) {
      const alpha = machine.alpha[i];
      const right = machine.support.includes(i);
      return { right, words: `Point ${i + 1} ${right ? `carries the boundary, with α = ${number(alpha)}. Right.` : "does not carry the boundary: its α is 0."}` };
    },
    number(said) {
      const [truth, n] = [machine.support.length, machine.points.length];
      const right = Math.abs(said - truth) <= 0.05 * n;
      return { right, words: `You said ${number(said, 6)}. It is ${truth} of ${n}${said === truth ? ": exactly right." : right ? ": near enough." : "."}` };
    },
  };
}

/**
 * The share of the plane in which a line and the machine say different classes, whichever side of the line is which.
 * @param {import("./machine.js").Machine} machine
 * @param {import("./stage.js").Stage} stage
 * @param {number[][]} ends
 */
function apart(machine, stage, ends) {
  const { w, b } = lineOf(ends);
  const [nodes, [x0, x1, y0, y1]] = [60, stage.shown];
  const grid = (/** @type {number} */ from, /** @type {number} */ to) => Float64Array.from({ length: nodes }, (_, k) => from + ((k + 0.5) / nodes) * (to - from));
  const [x, y] = [grid(x0, x1), grid(y0, y1)];
  const differ = machine.field(x, y).reduce((count, f, k) => count + Number((f > 0) !== (w[0] * x[k % nodes] + w[1] * y[Math.floor(k / nodes)] + b > 0)), 0);
  return Math.min(differ, nodes * nodes - differ) / (nodes * nodes);
}
