// Figures of the published page: book/_static/live.js loads their script when one comes near. The page has live.css.
import { spokenText } from "./elements.js";
import { addressOf, inAddress, settingOf } from "./taking.js";

/** @typedef {typeof import("./register.js").FIGURES} Kinds */

/** @type {WeakMap<Element, any>} */
const figures = new WeakMap();

/**
 * Bring a figure to life: its panel holds the picture that the build has drawn, and its state.
 * @param {HTMLElement} panel
 * @param {Kinds} kinds
 * @param {((root: HTMLElement) => void) | undefined} translate
 */
function mount(panel, kinds, translate) {
  if (figures.has(panel)) return figures.get(panel);
  const state = JSON.parse(panel.querySelector('script[type="application/json"]')?.textContent ?? "{}");
  const make = kinds[state.kind] ?? /** @type {any} */ (window).svmlibApart?.[state.kind]; // which a script of its own has brought
  if (!make) throw new Error(`no live figure is called ${state.kind}`);
  const root = document.createElement("div");
  const id = panel.closest("figure")?.id ?? "";
  panel.prepend(root);
  panel.classList.add("live-on");
  const home = {
    address: (/** @type {string} */ query) => `${location.href.split("#")[0]}#${id}?${query}`,
    changed: (/** @type {any} */ setting) => note(id, state, setting),
    memory: memoryOf(panel.dataset.asks),
    table: (/** @type {import("./figure.js").Figure} */ figure, /** @type {DataTransfer | null} */ brought) => bringTable(String(panel.dataset.script), figure, brought),
  };
  try {
    const figure = make(root, state, home);
    translate?.(root);
    panel.querySelector(".live-room")?.remove(); // which was kept for the figure
    follow(id, figure, state.ranges);
    addEventListener("hashchange", () => follow(id, figure, state.ranges));
    figures.set(panel, figure);
    return figure;
  } catch (error) { // the picture is still there
    root.remove();
    panel.classList.remove("live-on");
    throw error;
  }
}

/**
 * Where the page keeps what the reader has predicted: with the answers of its Predict boxes (book/_static/predict.js),
 * which counts them.
 * @param {string | undefined} question its name
 * @returns {import("./guess.js").Memory | undefined}
 */
function memoryOf(question) {
  if (!question) return undefined;
  const predictions = /** @type {any} */ (window).svmlibPredictions;
  return { read: () => predictions?.read()[question], write: (answer) => predictions?.note(question, answer) };
}

/**
 * Show the setting that the page's address names, if it names this figure.
 * @param {string} id
 * @param {any} figure
 * @param {any} ranges of its sliders
 */
function follow(id, figure, ranges) {
  const [name, query] = location.hash.slice(1).split("?");
  if (id && name === id && query !== undefined) figure.set?.(settingOf(query, ranges));
}

/** @type {Promise<unknown> | undefined} */
let tables;

/**
 * Let a reader's own table into a figure. What reads it is a script of its own, which comes when it is needed.
 * @param {string} script of the figures
 * @param {import("./figure.js").Figure} figure
 * @param {DataTransfer | null} brought
 */
function bringTable(script, figure, brought) {
  const given = brought && { file: brought.files[0], text: brought.getData("text/plain") }; // which is gone after the event
  tables ??= new Promise((done, fail) => {
    const element = document.createElement("script");
    element.src = script.replace(/figures(?=[^/]*$)/, "tables"); // as book/_static/live.js finds the others
    element.addEventListener("load", done);
    element.addEventListener("error", fail);
    document.head.append(element);
  });
  tables.then(() => /** @type {any} */ (window).svmlibTables.open(figure, given), () => {
    tables = undefined; // perhaps the next time
    figure.say("The script that reads tables did not come. The points are as they were.");
  });
}

let writing = 0;

/**
 * Keep the setting in the page's address, a moment later: browsers count how often it changes.
 * @param {string} id
 * @param {any} state
 * @param {any} setting
 */
function note(id, state, setting) {
  if (!state.controls?.includes("export") || !setting.points) return;
  clearTimeout(writing);
  writing = window.setTimeout(() => {
    const start = ["points", "labels", "kernel", "C"].every((key) => JSON.stringify(state[key]) === JSON.stringify(setting[key]));
    try {
      const query = start ? "" : addressOf(setting);
      history.replaceState(history.state, "", `#${id}${query && inAddress(query) ? `?${query}` : ""}`);
    } catch { /* some browsers refuse it for files */ }
  }, 250);
}

/** What a figure says, copied: 10⁻¹⁴, not 10−14. @param {ClipboardEvent} event */
function copyRaised(event) {
  const range = getSelection()?.rangeCount ? getSelection()?.getRangeAt(0) : undefined;
  const inside = range?.commonAncestorContainer;
  if (!range || !(inside instanceof Element ? inside : inside?.parentElement)?.closest(".live-proof")) return;
  event.clipboardData?.setData("text/plain", spokenText(range.cloneContents()));
  event.preventDefault();
}

/**
 * Let the page bring its figures to life.
 * @param {Kinds} kinds those that it has
 * @param {(root: HTMLElement) => void} [translate] for a page in another language: keeps a figure's words in it
 */
export function open(kinds, translate) {
  document.addEventListener("copy", copyRaised);
  /** @type {any} */ (window).svmlibLive = {
    mount: (/** @type {HTMLElement} */ panel) => mount(panel, kinds, translate),
    figure: (/** @type {Element} */ panel) => figures.get(panel),
  };
}
