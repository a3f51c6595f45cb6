// The colours of the page, for what is drawn on a canvas; live.css names them.

const NAMES = ["paper", "ink", "muted", "minus", "plus", "minus-wash", "plus-wash"];

/** @typedef {Record<"paper" | "ink" | "muted" | "minus" | "plus" | "minus-wash" | "plus-wash", number[]>} Colours */

/**
 * Red, green and blue of the colours that hold at an element.
 * @param {Element} element
 * @returns {Colours}
 */
export function coloursAt(element) {
  const style = getComputedStyle(element);
  const pen = /** @type {CanvasRenderingContext2D} */ (document.createElement("canvas").getContext("2d", { willReadFrequently: true }));
  return /** @type {Colours} */ (Object.fromEntries(NAMES.map((name) => {
    pen.fillStyle = style.getPropertyValue(`--live-${name}`).trim() || "#888";
    pen.fillRect(0, 0, 1, 1);
    return [name, [...pen.getImageData(0, 0, 1, 1).data.slice(0, 3)]];
  })));
}

/**
 * A colour as CSS writes it, with a part of another one.
 * @param {number[]} colour
 * @param {number[]} other
 * @param {number} part
 */
export function mixed(colour, other = colour, part = 0) {
  return `rgb(${colour.map((v, k) => Math.round(v + part * (other[k] - v))).join(" ")})`;
}

/**
 * Hear when the page turns dark or light; returns a function that ends it.
 * @param {() => void} heard
 */
export function watchTheme(heard) {
  const watch = new MutationObserver(heard);
  watch.observe(document.documentElement, { attributes: true, attributeFilter: ["data-theme", "data-mode", "class"] });
  watch.observe(document.body, { attributes: true, attributeFilter: ["data-jp-theme-light", "data-jp-theme-name", "class"] });
  const dark = matchMedia("(prefers-color-scheme: dark)");
  dark.addEventListener("change", heard);
  return () => {
    watch.disconnect();
    dark.removeEventListener("change", heard);
  };
}
