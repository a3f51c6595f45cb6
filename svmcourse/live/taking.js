// What a reader can take away: an address that leads back here, the machine in Python, the points, the picture.
import { RANGES } from "./controls.js";
import { svg } from "./elements.js";
import { complete, PARAMETERS, typing } from "./kernels.js";
import { CELL } from "./stage.js";

/** @typedef {import("./machine.js").Setting} Setting */

const CLASSES = /** @type {Record<string, string>} */ ({ linear: "Linear", polynomial: "Polynomial", gaussian: "Gaussian", sigmoid: "Sigmoid" });
const MOST = 500; // points that an address may bring

/**
 * A setting as the query of an address: k=gaussian&sigma=0.6&C=10&p=0.1_0.2_1~…, a point's class being 1 or 0; of a typed kernel
 * the formula and its letters, k=typed&f=exp(-s*dist(x%2Cz))&v=s_0.6.
 * @param {Setting} setting
 */
export function addressOf({ points, labels, kernel, C }) {
  const full = complete(kernel);
  const parts = [`k=${full.name}`, ...PARAMETERS[full.name].map((name) => `${name}=${full[/** @type {"sigma"} */ (name)]}`), `C=${C}`];
  if (full.name === "typed") parts.push(`f=${encodeURIComponent(full.text)}`, `v=${Object.entries(full.letters).map((each) => each.join("_")).join("~")}`);
  return `${parts.join("&")}&p=${points.map((point, i) => `${point[0]}_${point[1]}_${labels[i] > 0 ? 1 : 0}`).join("~")}`;
}

/**
 * The setting that such a query names. What it does not name, or names wrongly, is left out; what no slider reaches becomes
 * the end of its slider.
 * @param {string} query
 * @param {Record<string, Partial<import("./controls.js").Range>>} ranges  of the sliders, where not what others reach
 * @returns {Partial<Setting>}
 */
export function settingOf(query, ranges = {}) {
  const asked = new URLSearchParams(query);
  /** @type {Partial<Setting>} */
  const setting = {};
  const value = (/** @type {string} */ name) => Number(asked.get(name) || NaN);
  const reached = (/** @type {string} */ name, /** @type {number} */ given) => {
    const { least, most } = { ...RANGES[name], ...ranges[name] };
    return Math.min(most, Math.max(least, given));
  };
  if (value("C") > 0 && value("C") < Infinity) setting.C = reached("C", value("C"));
  const name = /** @type {import("./kernels.js").KernelName} */ (asked.get("k"));
  if (Object.hasOwn(PARAMETERS, name)) {
    const given = PARAMETERS[name].filter((each) => asked.has(each)).map((each) => [each, Number(asked.get(each))]);
    try {
      const letters = Object.fromEntries((asked.get("v") ?? "").split("~").filter(Boolean).map((each) => each.split("_")).map(([letter, v]) => [letter, Number(v)]));
      const whole = complete({ name, ...Object.fromEntries(given), ...(name === "typed" ? { text: asked.get("f") ?? "", letters } : {}) });
      setting.kernel = { ...whole, ...Object.fromEntries(given.map(([each, v]) => [each, reached(String(each), Number(v))])) };
    } catch { /* a parameter that makes no kernel */ }
  }
  const rows = (asked.get("p") ?? "").split("~").filter(Boolean).map((row) => row.split("_").map(Number));
  if (asked.has("p") && rows.length <= MOST && rows.every((row) => row.length === 3 && row.every((v) => Math.abs(v) < 1000))) {
    setting.points = rows.map(([x, y]) => [x, y]);
    setting.labels = rows.map(([, , sign]) => (sign > 0 ? 1 : -1));
  }
  return setting;
}

/**
 * The same machine in Python, with svmlib.
 * @param {Setting} setting
 * @param {ArrayLike<number> | null} start where a kernel is indefinite: of the machines at which a solver can end, the one with this alpha
 */
export function pythonOf({ points, labels, kernel, C }, start = null) {
  const full = complete(kernel);
  const typed = full.name === "typed";
  const name = typed ? "kernel" : CLASSES[full.name];
  const given = PARAMETERS[full.name].map((each) => `${each}=${full[/** @type {"sigma"} */ (each)]}`).join(", ");
  const made = typed ? name : `${name}(${given})`;
  const [uses, fit] = start ? ["DualProblem, solve", `alpha = np.array([${Array.from(start).join(", ")}])
# The kernel is indefinite on these points: a solver that starts elsewhere may end at another machine.
print(solve(DualProblem(${made}, X, y, ${C}), tol=1e-8, alpha0=alpha))`]
    : ["SVC", `machine = SVC(kernel=${made}, C=${C}, tol=1e-8).fit(X, y)
print(machine.solutions_[0])`];
  return `import numpy as np

from svmlib import ${uses}
${typed ? `\n\n${typing().pythonKernel(typing().typedFormula(full))}\n` : `from svmlib.kernels import ${name}`}

X = np.array([${points.map(([x, y]) => `[${x}, ${y}]`).join(", ")}])
y = np.array([${labels.join(", ")}])
${fit}
`;
}

/**
 * Points, labels and multipliers as a table.
 * @param {Setting} setting
 * @param {ArrayLike<number>} alpha
 */
export function tableOf({ points, labels }, alpha) {
  return `x1,x2,y,alpha\n${points.map(([x, y], i) => `${x},${y},${labels[i]},${alpha[i]}\n`).join("")}`;
}

const STYLES = ["fill", "stroke", "stroke-width", "stroke-dasharray", "font-family", "font-size", "text-anchor", "display"];

/**
 * The plane as a file of its own: what the style sheet says is written out, and the regions become an image in it.
 * @param {import("./stage.js").Stage} stage
 */
export function pictureOf(stage) {
  const copy = /** @type {SVGSVGElement} */ (stage.svg.cloneNode(true));
  const [from, to] = [stage.svg.querySelectorAll("*"), copy.querySelectorAll("*")];
  from.forEach((element, k) => {
    const style = getComputedStyle(element);
    for (const name of STYLES) to[k].setAttribute(name, style.getPropertyValue(name));
    for (const name of ["class", "role", "tabindex", "aria-label", "aria-hidden"]) to[k].removeAttribute(name);
  });
  for (const name of ["class", "style"]) copy.removeAttribute(name);
  copy.setAttribute("role", "img"); // with the words of the plane
  from.forEach((element, k) => { if (element.matches(".live-hit") || to[k].getAttribute("display") === "none") to[k].remove(); });
  copy.setAttribute("xmlns", "http://www.w3.org/2000/svg");
  const { canvas, width, height } = stage;
  const regions = { href: canvas.toDataURL(), x: -CELL / 2, y: -CELL / 2, width: canvas.width * CELL, height: canvas.height * CELL, preserveAspectRatio: "none" };
  const image = svg("image", regions);
  copy.prepend(image);
  copy.setAttribute("width", String(width));
  copy.setAttribute("height", String(height));
  return new XMLSerializer().serializeToString(copy);
}

/**
 * Save a text as a file.
 * @param {string} name
 * @param {string} text
 * @param {string} type
 */
export function save(name, text, type) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([text], { type }));
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10000);
}
