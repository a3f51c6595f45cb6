// What a reader can take away: an address that leads back here, the machine in Python, the points, the picture.
import { RANGES } from "./controls.js";
import { svg } from "./elements.js";
import { complete, PARAMETERS, typing } from "./kernels.js";
import { CELL } from "./stage.js";
import { known, planar } from "./units.js";

/** @typedef {import("./machine.js").Setting & {units?: import("./units.js").Units}} Setting */

const CLASSES = /** @type {Record<string, string>} */ ({ linear: "Linear", polynomial: "Polynomial", gaussian: "Gaussian", sigmoid: "Sigmoid" });
const MOST = 500; // points that an address may bring
const LETTERS = 8000; // of an address: beyond, some programs cut it off

/** Whether a query is short enough for an address. @param {string} query */
export const inAddress = (query) => query.length <= LETTERS;

/**
 * A setting as the query of an address: k=gaussian&sigma=0.6&C=10&p=0.1_0.2_1~…, a point's class being 1 or 0; of a typed kernel
 * the formula and its letters, k=typed&f=exp(-s*dist(x%2Cz))&v=s_0.6. Points of a table are in its units: &u=5.8_0.8_3.1_0.4 are the
 * middle and the size of both axes, &n= their names.
 * @param {Setting} setting
 */
export function addressOf({ points, labels, kernel, C, units }) {
  const full = complete(kernel);
  const parts = [`k=${full.name}`, ...PARAMETERS[full.name].map((name) => `${name}=${full[/** @type {"sigma"} */ (name)]}`), `C=${C}`];
  if (full.name === "typed") parts.push(`f=${encodeURIComponent(full.text)}`, `v=${Object.entries(full.letters).map((each) => each.join("_")).join("~")}`);
  if (units) {
    parts.push(`u=${[0, 1].flatMap((m) => [units.middle[m], units.size[m]]).join("_")}`);
    parts.push(`n=${units.names.map((name) => encodeURIComponent(name.replaceAll("~", " "))).join("~")}`);
  }
  return `${parts.join("&")}&p=${points.map((point, i) => `${inUnits(point, units).join("_")}_${labels[i] > 0 ? 1 : 0}`).join("~")}`;
}

/** A point in the units of a table. @param {number[]} point @param {import("./units.js").Units | undefined} units */
function inUnits(point, units) {
  return units ? point.map((value, m) => known(units, m, value)) : point;
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
  const units = unitsOf(asked);
  const far = units ? 1e100 : 1000;
  if (asked.has("p") && rows.length <= MOST && rows.every((row) => row.length === 3 && row.every((v) => Math.abs(v) < far))) {
    if (units) setting.units = units;
    setting.points = rows.map((row) => [0, 1].map((m) => (units ? planar(units, m, row[m]) : row[m])));
    setting.labels = rows.map(([, , sign]) => (sign > 0 ? 1 : -1));
  }
  return setting;
}

/** The units that a query names, if it does. @param {URLSearchParams} asked @returns {import("./units.js").Units | undefined} */
function unitsOf(asked) {
  const u = (asked.get("u") ?? "").split("_").map(Number);
  const names = (asked.get("n") ?? "").split("~").map((name) => name.slice(0, 60));
  if (u.length !== 4 || names.length !== 2 || !u.every((v) => Math.abs(v) < 1e100) || !(u[1] > 1e-100 && u[3] > 1e-100)) return undefined;
  return { names, middle: [u[0], u[2]], size: [u[1], u[3]] };
}

/**
 * Points and labels in Python, X and y: of a table as its numbers, with what makes points of them; as points where rounding would
 * tell.
 * @param {Setting} setting
 */
function dataOf({ points, labels, units }) {
  const rows = (/** @type {number[][]} */ all) => all.map(([x, y]) => `[${x}, ${y}]`).join(", ");
  const y = `y = np.array([${labels.join(", ")}])`;
  const from = units?.from;
  if (!units || !from) return `X = np.array([${rows(points)}])\n${y}`;
  const text = (/** @type {string | string[]} */ words) => JSON.stringify(words); // one line, whatever it holds
  const numbers = points.map((point) => inUnits(point, units));
  const exact = !from.directions && numbers.every((row, i) => row.every((value, m) => Math.abs(planar(units, m, value) - points[i][m]) <= 1e-12));
  return `# The columns ${text(from.columns)} of a table; class +1 is ${text(from.plus)}.
mean, size = np.array([${from.mean.join(", ")}]), np.array([${from.size.join(", ")}])
${from.directions ? `directions = np.array([${from.directions.map((direction) => `[${direction.join(", ")}]`).join(", ")}])\n` : ""}
def points(values):
    """Rows of these columns, as the machine has learnt them."""
    return (np.asarray(values, float) - mean) / size${from.directions ? " @ directions.T" : ""}

X = ${exact ? `points([${rows(numbers)}])` : `np.array([${rows(points)}])`}
${y}`;
}

/**
 * The same machine in Python, with svmlib.
 * @param {Setting} setting
 * @param {ArrayLike<number> | null} start where a kernel is indefinite: of the machines at which a solver can end, the one with this alpha
 */
export function pythonOf(setting, start = null) {
  const { kernel, C } = setting;
  const full = complete(kernel);
  const typed = full.name === "typed";
  const name = typed ? "kernel" : CLASSES[full.name];
  const given = PARAMETERS[full.name].map((each) => `${each}=${full[/** @type {"sigma"} */ (each)]}`).join(", ");
  const made = typed ? name : `${name}(${given})`;
  const [uses, fit] = start ? ["DualProblem, solve", `alpha = np.array([${Array.from(start).join(", ")}])
# The kernel is indefinite on these points: a solver that starts elsewhere may end at another machine.
machine = solve(DualProblem(${made}, X, y, ${C}), tol=1e-8, alpha0=alpha)
print(machine)`]
    : ["SVC", `machine = SVC(kernel=${made}, C=${C}, tol=1e-8).fit(X, y)
print(machine.solutions_[0])`];
  return `import numpy as np

from svmlib import ${uses}
${typed ? `\n\n${typing().pythonKernel(typing().typedFormula(full))}\n` : `from svmlib.kernels import ${name}`}

${dataOf(setting)}
${fit}
`;
}

/**
 * And with scikit-learn: its SVC, and the machine itself, as LIBSVM holds kernel values in single precision, which large C make
 * visible in f.
 * @param {Setting} setting
 * @param {import("./machine.js").Solution | null} solution
 */
export function scikitOf(setting, solution) {
  const full = complete(setting.kernel);
  const { sigma, Q, a, b, kappa, delta } = full;
  const typed = full.name === "typed";
  const kernel = /** @type {Record<string, string>} */ ({
    linear: '"kernel": "linear"',
    gaussian: `"kernel": "rbf", "gamma": ${0.5 / sigma ** 2}`,
    polynomial: `"kernel": "poly", "degree": ${Q}, "gamma": ${a}, "coef0": ${b}`,
    sigmoid: `"kernel": "sigmoid", "gamma": ${kappa}, "coef0": ${-delta}`,
  })[full.name];
  const fit = `import numpy as np
${typed ? "" : "from sklearn.metrics.pairwise import pairwise_kernels\n"}from sklearn.svm import SVC
${typed ? `\n\n${typing().pythonKernel(typing().typedFormula(full))}\n` : ""}
${dataOf(setting)}
${typed ? `C = ${setting.C}
machine = SVC(kernel=kernel, C=C, tol=1e-6).fit(X, y)` : `C, kernel = ${setting.C}, {${kernel}}
machine = SVC(C=C, tol=1e-6, **kernel).fit(X, y)`}
`;
  if (solution?.alpha.length !== setting.points.length) return fit;
  return `${fit}
# The same machine in double precision: LIBSVM, on which SVC stands, holds kernel values in single.
alpha = np.array([${Array.from(solution.alpha).join(", ")}])
b = ${solution.b}

def decision(values):
    """f of points (rows of two numbers, as in X); SVC calls it decision_function."""
${typed ? "    return kernel(values, X) @ (alpha * y) + b" : `    parameters = {name: value for name, value in kernel.items() if name != "kernel"}
    return pairwise_kernels(values, X, metric=kernel["kernel"], **parameters) @ (alpha * y) + b`}

f = decision(X)
print(f"SVC's f and this one differ by at most {abs(machine.decision_function(X) - f).max():.1e}")
${solution.status === "stationary" ? `# The kernel is indefinite on these points: SVC may end at another machine, and no gap proves which is best.
` : `# How good is it?  No machine has a dual value that is larger by more than the gap.
half = 0.5 * (alpha * y) @ (f - b)
dual, primal = alpha.sum() - half, half + C * np.maximum(0, 1 - y * f).sum()
print(f"dual value {dual:.6g}, gap {primal - dual:.1e}")
`}`;
}

/**
 * Points, labels and multipliers as a table, with f where there is a machine.
 * @param {Setting} setting
 * @param {ArrayLike<number>} alpha
 * @param {number[] | null} f
 */
export function tableOf({ points, labels, units }, alpha, f = null) {
  const quoted = (/** @type {string} */ name) => (/[",\n]|^\s|\s$/.test(name) ? `"${name.replaceAll('"', '""')}"` : name);
  const names = [...(units?.names ?? ["x1", "x2"]).map(quoted), "y", "alpha", ...(f ? ["f"] : [])];
  const rows = points.map((point, i) => [...inUnits(point, units), labels[i], alpha[i], ...(f ? [f[i]] : [])].join(","));
  return [names.join(","), ...rows, ""].join("\n");
}

const STYLES = ["fill", "stroke", "stroke-width", "stroke-dasharray", "font-family", "font-size", "text-anchor", "display"];

/**
 * The plane as a file of its own: what the style sheet says is written out, and the regions become an image in it.
 * @param {import("./stage.js").Stage} stage
 * @param {string} words  what has been proved of the machine
 */
export function pictureOf(stage, words = "") {
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
  const proof = svg("desc");
  proof.textContent = words;
  copy.prepend(proof);
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
