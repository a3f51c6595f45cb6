// A kernel of the reader's own: a field for k(x, z), a slider for each of its letters, and whether it is a kernel on these points.
import { slider } from "./controls.js";
import { leastEigenvalue } from "./eigenvalue.js";
import { html, raised } from "./elements.js";
import { LONGEST } from "./expression.js";
import { gramMatrix } from "./kernels.js";
import { faultOf, gramErrors, typedFormula } from "./typed_kernels.js";
import { atMost, number } from "./words.js";

/** @typedef {import("./kernels.js").Kernel} Kernel */

const RANGE = { least: 0.025, most: 6.025 }; // of a letter: its 240 steps meet the whole numbers
const SOON = 100; // points whose eigenvalues a frame has time for
const MOST_ROWS = 400; // of a matrix whose eigenvalues nobody has to wait for
const HELP = "+ − * / ^ and brackets; dot(x, z), dist(x, z); x1, x2, z1, z2; exp, log, sqrt, abs, tanh, sin, cos, min, max; numbers, pi and e. "
  + "Any other letter becomes a slider.";

/**
 * Whether a typed kernel is one on these points.
 * @param {number[][]} points
 * @param {Kernel} kernel
 * @param {string} status of the solution, "" where there is none
 * @returns {{isKernel: boolean, least: number, floor: number, words: string}}  floor: what rounding, of the values too, can make of the least
 *   eigenvalue
 */
export function verdictOf(points, kernel, status = "") {
  const all = points.length;
  const shown = all > MOST_ROWS ? Array.from({ length: MOST_ROWS }, (_, k) => points[Math.floor((k * all) / MOST_ROWS)]) : points;
  const n = shown.length;
  const { least, rounding } = leastEigenvalue(gramMatrix(shown, kernel), n);
  const floor = rounding + Math.hypot(...gramErrors(shown, kernel));
  const isKernel = least >= -floor;
  const where = `the smallest eigenvalue of the Gram matrix on ${n < all ? `${n} of them` : "them"} is ${number(least)}`;
  const rounded = `rounding: ${atMost(floor)} at most`;
  if (!isKernel) {
    const answers = status === "optimal" ? "It is so little that the proof above has room for it." : "What you see is one of possibly several answers.";
    return { isKernel, least, floor, words: `Not a kernel, as these points show: ${where} (${rounded}). ${status ? answers : ""}`.trim() };
  }
  const zero = least <= floor ? ", which rounding cannot tell from zero" : "";
  return { isKernel, least, floor, words: `A kernel on these points: ${where}${zero} (${rounded}).` };
}

/**
 * The field, its sliders and the verdict.
 * @param {import("./machine.js").Machine} machine
 * @param {() => void} redraw draws the figure as it is
 * @returns {{element: HTMLElement, update: () => void, words: () => string, destroy: () => void}}  words: the verdict, to be said
 */
export function ownKernel(machine, redraw) {
  const id = `live-own-${Math.random().toString(36).slice(2)}`;
  const input = html("input", {
    id, type: "text", class: "live-formula", maxlength: String(LONGEST), autocomplete: "off", autocapitalize: "off", spellcheck: "false",
    "aria-describedby": `${id}-fault`,
  });
  const fault = html("p", { id: `${id}-fault`, class: "live-own-fault", "aria-live": "polite" });
  const sliders = html("div", { class: "live-controls" });
  const verdict = html("p", { class: "live-own-verdict" });
  const element = html("div", { class: "live-own", role: "group", "aria-label": "your own kernel" }, [
    html("label", { for: id }, ["k(x, z) ="]), input, fault, sliders, verdict,
    html("details", { class: "live-help" }, [html("summary", {}, ["What you can type"]), html("p", {}, [HELP])]),
  ]);
  /** @type {Map<string, number>} */
  const values = new Map(); // of letters, those that have left the formula too
  /** @type {Map<string, ReturnType<typeof slider>>} */
  let known = new Map();
  let [shown, waiting, said, timer] = ["", false, "", 0];

  /** Take what stands in the field, if it can be taken; else say why, and leave the machine as it is. */
  function take() {
    const text = input.value;
    const kernel = { ...machine.kernel, name: /** @type {const} */ ("typed"), text, letters: Object.fromEntries(values) };
    let wrong = "";
    try {
      wrong = faultOf(machine.points, kernel);
    } catch (error) {
      if (!(error instanceof RangeError)) throw error;
      wrong = error.message;
    }
    waiting = wrong !== "";
    input.setAttribute("aria-invalid", String(waiting));
    const words = wrong && `${wrong} The picture still shows ${machine.kernel.text === undefined ? "the kernel before" : machine.kernel.text}.`;
    if (fault.textContent !== words) fault.textContent = words;
    if (waiting || text === shown) return;
    shown = text;
    machine.change({ kernel: { ...kernel, letters: typedFormula(kernel).letters } }, `k(x, z) = ${text}.`);
  }
  input.addEventListener("input", take);

  /** A slider for each letter. @param {Record<string, number>} letters */
  function offer(letters) {
    if (Object.keys(letters).join() !== [...known.keys()].join()) {
      known = new Map(Object.keys(letters).map((letter) => [letter, slider({ label: letter, ...RANGE }, (value) => {
        values.set(letter, value);
        machine.change({ kernel: { ...machine.kernel, letters: { ...machine.kernel.letters, [letter]: value } } });
      })]));
      sliders.replaceChildren(...[...known.values()].map((each) => each.element));
      sliders.hidden = !known.size;
    }
    for (const [letter, value] of Object.entries(letters)) {
      values.set(letter, value);
      known.get(letter)?.set(value);
    }
  }

  /** @param {boolean} inTime */
  function judge(inTime) {
    if (inTime && machine.points.length > SOON) return;
    const { points, kernel, solution } = machine;
    said = points.length && !faultOf(points, kernel) ? verdictOf(points, kernel, solution?.status).words : "";
    verdict.replaceChildren(...raised(said));
  }

  function update() {
    element.hidden = machine.kernel.name !== "typed";
    clearTimeout(timer);
    if (element.hidden) return;
    const { text, letters } = typedFormula(machine.kernel);
    if (text !== shown) [input.value, shown, waiting] = [text, text, false];
    offer(letters);
    if (waiting || fault.textContent) take(); // perhaps the points have come to suit it
    judge(true);
    timer = window.setTimeout(() => { // it has come to rest
      judge(false);
      if (!machine.hurried) return;
      machine.hurried = false;
      redraw();
    }, 200);
  }
  const forget = machine.subscribe(() => { machine.hurried = !element.hidden; });
  return {
    element, update,
    words: () => (element.hidden ? "" : said),
    destroy() {
      clearTimeout(timer);
      forget();
    },
  };
}
