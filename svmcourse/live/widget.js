// Entry of the notebook's widget (anywidget): the figure, with its setting in the traits X, y, kernel and C.
import { digitsFigure } from "./digits.js";
import { FIGURES } from "./register.js";

/** @type {typeof FIGURES} */
const KINDS = { ...FIGURES, digits: digitsFigure }; // those that pages load apart, too

const PAUSE = 80; // ms between two messages to the kernel while a point is dragged

/** Settings of a machine, and the traits that hold them. @type {Record<string, string>} */
const TRAITS = { points: "X", labels: "y", kernel: "kernel", C: "C" };

/** @param {{model: any, el: HTMLElement}} view */
function render({ model, el }) {
  const state = model.get("state");
  const names = Object.keys(TRAITS);
  const isMachine = state.kind === "machine";
  const read = () => (isMachine ? Object.fromEntries(names.map((name) => [name, model.get(TRAITS[name])])) : model.get("setting"));
  const root = document.createElement("div");
  const caption = document.createElement("p");
  caption.className = "live-caption";
  caption.innerHTML = model.get("_caption");
  el.append(root, caption);
  let [waiting, last, known] = [0, 0, JSON.stringify(read())];
  /** @type {any} */
  let setting = null;
  const send = () => {
    [waiting, last, known] = [0, Date.now(), JSON.stringify(setting)];
    if (isMachine) for (const name of names) model.set(TRAITS[name], setting[name]);
    else model.set("setting", setting);
    model.save_changes();
  };
  const figure = KINDS[state.kind](root, { ...state, ...read() }, {
    changed(now) {
      setting = now;
      if (JSON.stringify(now) === known || waiting) return;
      waiting = window.setTimeout(send, Math.max(0, last + PAUSE - Date.now()));
    },
  });
  const listen = () => {
    const now = read();
    const text = JSON.stringify(now);
    if (waiting || text === known || (isMachine && now.points.length !== now.labels.length)) return; // ours, or half of it
    known = text;
    figure.set?.(now);
  };
  const events = isMachine ? names.map((name) => `change:${TRAITS[name]}`).join(" ") : "change:setting";
  model.on(events, listen);
  return () => {
    model.off(events, listen);
    figure.destroy?.();
  };
}

export default { render };
