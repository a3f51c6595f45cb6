// Kernel, C and their parameters on one stage: what they do to the points at hand, and to points that nobody has seen.
import { html } from "./elements.js";
import { machineFigure } from "./figure.js";
import { number } from "./words.js";

/**
 * @typedef {import("./figure.js").State & {fresh: {points: number[][], labels: number[]}}} GalleryState
 */

/**
 * @param {HTMLElement} root
 * @param {GalleryState} state
 * @param {import("./figure.js").Home} home
 * @param {((here: number, there: number) => void) | null} heard hears of both errors in the frame of every change
 */
export function galleryFigure(root, state, home = {}, heard = null) {
  const figure = machineFigure(root, { controls: ["kernel", "C", "sigma", "Q"], ...state }, home);
  const { machine } = figure;
  const training = bar("training points wrong");
  const fresh = bar("fresh points wrong");
  const said = html("p", { class: "live-said", "aria-live": "polite" });
  root.querySelector(".live-proof")?.before(html("div", { class: "live-errors" }, [training.element, fresh.element]));
  root.append(said);
  let timer = 0;

  function draw() {
    const here = share(machine.points, machine.labels);
    training.show(here);
    const ask = () => {
      const there = share(state.fresh.points, state.fresh.labels);
      fresh.show(there);
      heard?.(here, there);
      return `${number(100 * here, 3)} % of the training points and ${number(100 * there, 3)} % of the fresh points are wrong.`;
    };
    const now = heard ? ask() : "";
    clearTimeout(timer);
    timer = window.setTimeout(() => { said.textContent = now || ask(); }, 60); // two thousand points need not be asked sixty times a second
  }

  /** The share of points on the wrong side. @param {number[][]} points @param {number[]} labels */
  function share(points, labels) {
    if (!machine.solution) return NaN;
    return labels.reduce((wrong, label, i) => wrong + (label * machine.decision(points[i]) > 0 ? 0 : 1), 0) / labels.length;
  }

  const forget = machine.subscribe(draw);
  draw();
  return {
    ...figure,
    destroy() {
      clearTimeout(timer);
      forget();
      figure.destroy();
    },
  };
}

/** A bar from 0 to a half, where one guesses, with its number. @param {string} name */
function bar(name) {
  const output = html("output", {});
  const fill = html("span", { class: "live-errors-fill" });
  const element = html("div", { class: "live-errors-row" }, [html("span", {}, [name]), output, html("span", { class: "live-errors-bar", "aria-hidden": "true" }, [fill])]);
  return {
    element,
    /** @param {number} value */
    show(value) {
      output.textContent = Number.isFinite(value) ? `${number(100 * value, 3)} %` : "–";
      fill.style.width = `${Math.min(100, 200 * (value || 0))}%`;
    },
  };
}
