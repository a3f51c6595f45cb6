// Sliders and choices for the settings of a machine.
import { html } from "./elements.js";
import { DEFAULTS, PARAMETERS, typing } from "./kernels.js";
import { number } from "./words.js";

/**
 * @typedef {{label: string, least: number, most: number, log?: boolean, whole?: boolean}} Range
 */

/** What sliders reach. @type {Record<string, Range>} */
export const RANGES = {
  C: { label: "C", least: 0.01, most: 10000, log: true },
  sigma: { label: "σ", least: 0.05, most: 5, log: true },
  Q: { label: "Q", least: 1, most: 8, whole: true },
  a: { label: "a", least: 0.1, most: 4 },
  b: { label: "b", least: 0, most: 4 },
  kappa: { label: "κ", least: 0.05, most: 3, log: true },
  delta: { label: "δ", least: -2, most: 2 },
};
/** @type {Record<import("./kernels.js").KernelName, string>} */
const KERNELS = { linear: "linear", polynomial: "polynomial", gaussian: "Gaussian", sigmoid: "sigmoid", typed: "your own" };
const POSITIONS = 240;
/** An id of its own on the page, for all the scripts that make controls. */
function newId() {
  const shared = /** @type {any} */ (globalThis);
  shared.svmlibControls = (shared.svmlibControls ?? 0) + 1;
  return `live-control-${shared.svmlibControls}`;
}

/**
 * A slider with its label and value.
 * @param {Range} range
 * @param {(value: number) => void} changed
 * @returns {{element: HTMLElement, set: (value: number) => void}}
 */
export function slider(range, changed) {
  const { label, least, most, log, whole } = range;
  const id = newId();
  const last = whole ? most - least : POSITIONS;
  const input = html("input", { id, type: "range", min: "0", max: String(last), step: "1", autocomplete: "off" });
  const output = html("output", { for: id, "aria-hidden": "true" });
  const value = (/** @type {number} */ k) => Number((log ? least * (most / least) ** (k / last) : least + (k / last) * (most - least)).toPrecision(3));
  const position = (/** @type {number} */ v) => Math.round(last * (log ? Math.log(v / least) / Math.log(most / least) : (v - least) / (most - least)));
  const show = (/** @type {number} */ v) => {
    output.value = number(v);
    input.setAttribute("aria-valuetext", number(v));
  };
  input.addEventListener("input", () => {
    const v = value(Number(input.value));
    show(v);
    changed(v);
  });
  return {
    element: html("div", { class: "live-slider" }, [html("label", { for: id }, [label]), input, output]),
    set(v) {
      input.value = String(position(v));
      show(v);
    },
  };
}

/**
 * A list to choose from.
 * @param {string} label
 * @param {[value: string, text: string][]} options
 * @param {(value: string) => void} changed
 */
export function choice(label, options, changed) {
  const id = newId();
  const select = html("select", { id, autocomplete: "off" }, options.map(([value, text]) => html("option", { value }, [text])));
  select.addEventListener("change", () => changed(select.value));
  return { element: html("div", { class: "live-choice" }, [html("label", { for: id }, [label]), select]), select };
}

/** A button. @param {string} text @param {() => void} pressed */
export function button(text, pressed) {
  const element = html("button", { type: "button", class: "live-button" }, [text]);
  element.addEventListener("click", pressed);
  return element;
}

/**
 * The controls named, of "kernel", "C" and the kernels' parameters; those of other kernels are hidden. With "typed" one may choose a kernel of
 * one's own, which begins as the one that was there.
 * @param {import("./machine.js").Machine} machine
 * @param {string[]} names
 * @param {Record<string, Partial<Range>>} ranges in place of parts of RANGES
 * @returns {{element: HTMLElement, update: () => void}}
 */
export function machineControls(machine, names, ranges = {}) {
  const element = html("div", { class: "live-controls" });
  /** @type {(() => void)[]} */
  const updates = [];
  if (names.includes("kernel")) {
    const { element: field, select } = choice("kernel", Object.entries(KERNELS).filter(([name]) => name !== "typed" || names.includes(name)), (name) => {
      const kernel = name === "typed" ? typing().asTyped(machine.kernel) : { ...machine.kernel, name: /** @type {import("./kernels.js").KernelName} */ (name) };
      machine.change({ kernel }, `The kernel is ${KERNELS[/** @type {"linear"} */ (name)]} now.`);
    });
    element.append(field);
    updates.push(() => { select.value = machine.kernel.name; });
  }
  for (const name of names.filter((each) => Object.hasOwn(RANGES, each))) {
    const isParameter = name !== "C";
    const { element: field, set } = slider({ ...RANGES[name], ...ranges[name] }, (value) => {
      machine.change(isParameter ? { kernel: { ...machine.kernel, [name]: value } } : { C: value });
    });
    element.append(field);
    updates.push(() => {
      field.hidden = isParameter && !PARAMETERS[machine.kernel.name].includes(name);
      const value = isParameter ? machine.kernel[/** @type {"sigma"} */ (name)] ?? DEFAULTS[name] : machine.C;
      set(value);
    });
  }
  const update = () => updates.forEach((one) => one());
  update();
  element.hidden = !element.children.length;
  return { element, update };
}
