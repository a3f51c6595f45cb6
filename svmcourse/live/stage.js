// A plane with points that one can take hold of: by mouse, by finger, by keyboard.
import { html, put, svg } from "./elements.js";
import { known, knownPoint, planar } from "./units.js";
import { number, place } from "./words.js";

const REACH = 24; // pixels about a grip in which it is taken
const STEP = 0.02; // of the width of the plane, for an arrow key; a fifth of it with Shift
const AXIS_NAMES = ["x₁", "x₂"]; // of the axes
const LONGEST = 24; // letters of a name that stand at an axis
export const CELL = 5; // pixels between two nodes of the grid on which a figure computes f

/**
 * What can be taken hold of. `move` gets the place under the pointer; without `remove`, `toggle` or `add` the keys for
 * them do nothing.
 * @typedef {object} Grip
 * @property {() => ArrayLike<number>} at
 * @property {(to: number[]) => void} [move]
 * @property {() => void} [remove]
 * @property {() => void} [toggle]
 * @property {() => void} [add] a point beside it
 * @property {() => void} [pick] it is clicked and not moved; Enter and the space bar do the same, before `add` and `toggle`
 * @property {() => string} label what it is and where, in words
 * @property {SVGGElement} [element]
 */

/**
 * @typedef {object} Options
 * @property {string} alt what is to be seen
 * @property {number[]} limits x0, x1, y0, y1
 * @property {boolean} [equal] one unit is as long in both directions (the default)
 * @property {number} [ratio] height over width
 * @property {string[]} [names] of the axes
 * @property {(at: number[]) => void} [add] where the empty plane is clicked
 * @property {(from: number[], to: number[]) => void} [stroke] where a line is drawn on the empty plane
 * @property {(grip: Grip | null) => void} [selected]
 * @property {() => void} [resized] draw anew: the plane has another size
 * @property {() => void} [dropped] a drag has ended
 */

export class Stage {
  /**
   * @param {HTMLElement} root
   * @param {Options} options
   */
  constructor(root, options) {
    this.root = root;
    this.options = options;
    this.limits = [...options.limits];
    this.shown = [0, 1, 0, 1]; // x0, x1, y0, y1
    /** @type {import("./units.js").Units | null} */
    this.units = null; // of the axes, where they are not those of the plane
    this.width = this.height = 0;
    this.naming = 0;
    /** @type {Grip[]} */
    this.grips = [];
    /** @type {Grip | null} */
    this.selected = null;
    /** @type {{grip: Grip | null, id: number, x: number, y: number, dx: number, dy: number, moved: boolean} | null} */
    this.drag = null;
    this.overlay = () => {}; // to be drawn with the grips
    this.canvas = html("canvas", { class: "live-field", "aria-hidden": "true" });
    this.svg = svg("svg", { class: "live-plane", role: "application", "aria-label": options.alt });
    this.axes = svg("g", { class: "live-axes", "aria-hidden": "true" }, this.svg);
    this.under = svg("g", { class: "live-under", "aria-hidden": "true" }, this.svg); // for a figure's own drawing
    this.names = svg("g", { class: "live-axes", "aria-hidden": "true" }, this.svg); // of the axes, which no line strikes out
    this.pointLayer = svg("g", {}, this.svg);
    this.over = svg("g", { class: "live-over" }, this.svg); // and above the points
    this.frame = html("div", { class: "live-stage" }, [this.canvas, this.svg]);
    root.append(this.frame);
    this.svg.addEventListener("pointerdown", (event) => this.take(event));
    this.svg.addEventListener("pointermove", (event) => this.pull(event));
    for (const kind of ["pointerup", "pointercancel"]) this.svg.addEventListener(kind, (event) => this.release(/** @type {PointerEvent} */ (event)));
    this.svg.addEventListener("touchmove", (event) => this.hold(event), { passive: false });
    this.svg.addEventListener("keydown", (event) => this.press(event));
    this.frame.addEventListener("focusin", (event) => { // an <svg> that listens itself is a stop of the Tab key in Chromium
      const grip = this.grips.find(({ element }) => element === event.target);
      if (grip) this.select(grip);
    });
    this.observer = new ResizeObserver(() => { if (this.measure()) this.options.resized?.(); });
    this.observer.observe(this.frame);
    this.measure();
  }

  /** End it. */
  destroy() {
    this.observer.disconnect();
    this.frame.remove();
  }

  /** Take the size that the page gives; whether it is another one. */
  measure() {
    const width = Math.max(220, Math.round(this.frame.clientWidth) || 380);
    const height = Math.round(width * (this.options.ratio ?? 1));
    if (width === this.width && height === this.height) return false;
    [this.width, this.height] = [width, height];
    this.svg.setAttribute("viewBox", `0 0 ${width} ${height}`);
    this.frame.style.aspectRatio = `${width} / ${height}`;
    this.look(this.limits);
    return true;
  }

  /** Whether one unit is as long in both directions. */
  get equal() {
    return !this.units && (this.options.equal ?? true);
  }

  /** A coordinate in words, in the units of its axis: "x₂ = 0.3". @param {number} m @param {number} value */
  level(m, value) {
    const { units } = this;
    return `${(units?.names ?? this.options.names ?? AXIS_NAMES)[m]} = ${units ? number(known(units, m, value), 4) : number(value, 2)}`;
  }

  /** A place in words, in the units of the axes. @param {ArrayLike<number>} at */
  told(at) {
    return this.units ? `(${knownPoint(this.units, at).map((value) => number(value, 4)).join(", ")})` : place(at);
  }

  /** Show x0 <= x <= x1, y0 <= y <= y1, and more where units are equal. @param {number[]} limits */
  look(limits) {
    this.limits = [...limits];
    let [x0, x1, y0, y1] = limits;
    const { width, height } = this;
    if (this.equal) {
      const unit = Math.min(width / (x1 - x0), height / (y1 - y0));
      const [more, higher] = [(width / unit - (x1 - x0)) / 2, (height / unit - (y1 - y0)) / 2];
      [x0, x1, y0, y1] = [x0 - more, x1 + more, y0 - higher, y1 + higher];
    }
    this.shown = [x0, x1, y0, y1];
    this.drawAxes();
  }

  /** Pixels of a coordinate. @param {number} value */
  x(value) {
    const [x0, x1] = this.shown;
    return ((value - x0) / (x1 - x0)) * this.width;
  }

  /** Pixels of the other coordinate, downwards. @param {number} value */
  y(value) {
    const [, , y0, y1] = this.shown;
    return ((y1 - value) / (y1 - y0)) * this.height;
  }

  /** The place at a pixel. @param {number} px @param {number} py */
  at(px, py) {
    const [x0, x1, y0, y1] = this.shown;
    return [x0 + (px / this.width) * (x1 - x0), y1 - (py / this.height) * (y1 - y0)];
  }

  /** A place within what is shown, with as many digits as one can see. @param {ArrayLike<number>} to */
  inside(to) {
    const [x0, x1, y0, y1] = this.shown;
    const digits = [x1 - x0, y1 - y0].map((size) => 10 ** Math.ceil(3 - Math.log10(size))); // no finer than the eye
    return [Math.min(x1, Math.max(x0, to[0])), Math.min(y1, Math.max(y0, to[1]))].map((v, m) => Math.round(v * digits[m]) / digits[m]);
  }

  /** Ticks with their numbers, along the lower and the left edge. */
  drawAxes() {
    const [x0, x1, y0, y1] = this.shown;
    const [width, height] = [this.width, this.height];
    this.axes.replaceChildren();
    this.names.replaceChildren();
    const names = (this.units?.names ?? this.options.names ?? AXIS_NAMES).map((name) => (name.length > LONGEST ? `${name.slice(0, LONGEST - 1)}…` : name));
    for (const { at, text } of this.marks(0, x0, x1)) {
      const x = this.x(at);
      svg("line", { x1: x, x2: x, y1: height - 5, y2: height }, this.axes);
      if (x > 16 && x < width - Math.max(30, 9 * names[0].length)) svg("text", { x, y: height - 8, "text-anchor": "middle" }, this.names).textContent = text;
    }
    for (const { at, text } of this.marks(1, y0, y1)) {
      const y = this.y(at);
      svg("line", { x1: 0, x2: 5, y1: y, y2: y }, this.axes);
      if (y > 26 && y < height - 24) svg("text", { x: 8, y: y + 4 }, this.names).textContent = text;
    }
    svg("text", { x: width - 8, y: height - 8, "text-anchor": "end", class: "live-name" }, this.names).textContent = names[0];
    svg("text", { x: 8, y: 16, class: "live-name" }, this.names).textContent = names[1];
  }

  /** Round numbers of an axis in its units: where they stand, and how they are written. @param {number} m @param {number} from @param {number} to */
  marks(m, from, to) {
    const { units } = this;
    const [first, last] = units ? [known(units, m, from), known(units, m, to)] : [from, to];
    return ticks(first, last).map((value) => ({ at: units ? planar(units, m, value) : value, text: tickText(value, last - first) }));
  }

  /**
   * Something to take hold of, in `over`. Its element is a <g> at the origin of which the figure draws what it looks like.
   * @param {Grip} grip
   * @param {Element} layer
   */
  grip(grip, layer = this.over) {
    grip.element = svg("g", { class: "live-grip", role: "button", tabindex: this.grips.length ? -1 : 0 }, layer);
    svg("circle", { class: "live-hit", r: 15 }, grip.element);
    this.grips.push(grip);
    return grip;
  }

  /** Take a grip away. @param {Grip} grip */
  ungrip(grip) {
    const k = this.grips.indexOf(grip);
    const focused = document.activeElement === grip.element;
    this.grips.splice(k, 1);
    grip.element?.remove();
    if (this.selected !== grip) return;
    this.select(this.grips[Math.min(k, this.grips.length - 1)] ?? null);
    if (focused) this.selected?.element?.focus({ preventScroll: true });
  }

  /** Put the grips where they belong. */
  place() {
    for (const { element, at } of this.grips) {
      const [x, y] = [this.x(at()[0]), this.y(at()[1])];
      if (element) put(element, "transform", `translate(${x.toFixed(1)} ${y.toFixed(1)})`);
    }
    this.overlay();
    if (this.selected) this.name(this.selected);
    for (const grip of this.grips) if (!grip.element?.hasAttribute("aria-label")) this.name(grip); // none is ever nameless
    clearTimeout(this.naming); // three hundred sentences need not be written sixty times a second
    this.naming = window.setTimeout(() => this.grips.forEach((grip) => this.name(grip)), 300);
  }

  /** @param {Grip} grip */
  name({ element, label }) {
    element?.setAttribute("aria-label", label());
  }

  /** The grip that keys and buttons act upon, and the one where Tab comes in. @param {Grip | null} grip */
  select(grip) {
    if (grip === this.selected && (!grip || grip.element?.tabIndex === 0)) return;
    for (const other of this.grips) {
      other.element?.setAttribute("tabindex", other === (grip ?? this.grips[0]) ? "0" : "-1");
      other.element?.classList.toggle("live-selected", other === grip);
    }
    this.selected = grip;
    if (grip) this.name(grip);
    this.options.selected?.(grip);
  }

  /** Where a pointer is. @param {PointerEvent} event */
  where(event) {
    const box = this.svg.getBoundingClientRect();
    const scale = box.width / this.width;
    return [(event.clientX - box.left) / scale, (event.clientY - box.top) / scale];
  }

  /** The nearest grip within reach. @param {number} px @param {number} py @param {number} reach */
  nearest(px, py, reach = REACH) {
    let [best, found] = [reach, /** @type {Grip | null} */ (null)];
    for (const grip of this.grips) {
      const distance = Math.hypot(this.x(grip.at()[0]) - px, this.y(grip.at()[1]) - py);
      if (distance < best) [best, found] = [distance, grip];
    }
    return found;
  }

  /**
   * While one finger pulls, the page stays where it is: Chromium takes no touch-action from elements inside of an <svg>, and
   * would scroll. A second finger is one that zooms.
   * @param {TouchEvent} event
   */
  hold(event) {
    const { drag } = this;
    if (drag && (drag.grip || this.options.stroke) && event.touches.length === 1 && event.cancelable) event.preventDefault();
  }

  /** @param {PointerEvent} event */
  take(event) {
    if (this.drag && event.pointerType === "touch" && event.pointerId !== this.drag.id) this.letGo(); // two fingers zoom
    if (this.drag || event.button !== 0 || (event.pointerType === "touch" && !event.isPrimary)) return;
    const [px, py] = this.where(event);
    const grip = this.nearest(px, py, event.pointerType === "touch" ? REACH : 0.6 * REACH);
    this.drag = { grip, id: event.pointerId, x: px, y: py, dx: 0, dy: 0, moved: false };
    if (!grip && !this.options.stroke) return;
    event.preventDefault();
    this.svg.setPointerCapture(event.pointerId);
    if (!grip) return;
    Object.assign(this.drag, { dx: this.x(grip.at()[0]) - px, dy: this.y(grip.at()[1]) - py }); // it does not jump to the finger
    this.select(grip);
    grip.element?.focus({ preventScroll: true });
    grip.element?.classList.add("live-taken");
  }

  /** @param {PointerEvent} event */
  pull(event) {
    const { drag } = this;
    if (!drag || drag.id !== event.pointerId) return;
    const [px, py] = this.where(event);
    drag.moved ||= Math.hypot(px - drag.x, py - drag.y) > 4;
    if (!drag.moved) return;
    if (drag.grip) drag.grip.move?.(this.inside(this.at(px + drag.dx, py + drag.dy)));
    else this.options.stroke?.(this.inside(this.at(drag.x, drag.y)), this.inside(this.at(px, py)));
  }

  /** The end of a drag; what is pulled stays where it has got to. */
  letGo() {
    const { drag } = this;
    this.drag = null;
    drag?.grip?.element?.classList.remove("live-taken");
    if (drag?.grip && drag.moved) this.options.dropped?.();
  }

  /** @param {PointerEvent} event */
  release(event) {
    const { drag } = this;
    if (!drag || drag.id !== event.pointerId) return;
    this.letGo();
    if (drag.moved || event.type !== "pointerup") return;
    if (drag.grip) drag.grip.pick?.();
    else this.options.add?.(this.at(drag.x, drag.y));
  }

  /**
   * Arrows move, Shift makes their steps finer; Delete removes, Enter and A add, T changes the class, Page Up and Page Down go from grip to grip.
   * @param {KeyboardEvent} event
   */
  press(event) {
    const grip = this.selected;
    if (!grip || event.ctrlKey || event.metaKey || event.altKey) return;
    const [x0, x1, y0, y1] = this.shown;
    const step = STEP * (x1 - x0) * (event.shiftKey ? 0.2 : 1);
    const stepUp = step * (this.equal ? 1 : (y1 - y0) / (x1 - x0));
    /** @type {Record<string, () => void>} */
    const keys = {
      ArrowLeft: () => this.nudge(grip, -step, 0), ArrowRight: () => this.nudge(grip, step, 0),
      ArrowUp: () => this.nudge(grip, 0, stepUp), ArrowDown: () => this.nudge(grip, 0, -stepUp),
      PageDown: () => this.go(1), PageUp: () => this.go(-1), Home: () => this.go(-Infinity), End: () => this.go(Infinity),
      Delete: () => grip.remove?.(), Backspace: () => grip.remove?.(),
      Enter: () => (grip.pick ?? grip.add)?.(), a: () => grip.add?.(), t: () => grip.toggle?.(), " ": () => (grip.pick ?? grip.toggle)?.(),
    };
    const act = keys[event.key.length === 1 ? event.key.toLowerCase() : event.key];
    if (!act) return;
    event.preventDefault();
    act();
  }

  /** @param {Grip} grip @param {number} dx @param {number} dy */
  nudge(grip, dx, dy) {
    grip.move?.(this.inside([grip.at()[0] + dx, grip.at()[1] + dy]));
    this.options.dropped?.();
  }

  /** Focus another grip. @param {number} by */
  go(by) {
    const k = this.grips.indexOf(/** @type {Grip} */ (this.selected)) + by;
    this.grips[Math.min(this.grips.length - 1, Math.max(0, k))]?.element?.focus({ preventScroll: true });
  }

  /** The path of polylines in units of a grid whose nodes lie `spacing` pixels apart. @param {number[][]} lines @param {number} spacing */
  static path(lines, spacing) {
    let d = "";
    for (const line of lines) {
      for (let k = 0; k < line.length; k += 2) d += `${k ? "L" : "M"}${(line[k] * spacing).toFixed(1)} ${(line[k + 1] * spacing).toFixed(1)}`;
    }
    return d;
  }
}

/** Four to eight round numbers. @param {number} from @param {number} to */
export function ticks(from, to) {
  const rough = (to - from) / 6;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map((m) => m * power).find((s) => s >= rough) ?? power;
  const found = [];
  for (let k = Math.ceil(from / step); k * step <= to; k += 1) found.push(k * step);
  return found;
}

/** With as many digits as tell it from the next. @param {number} value @param {number} span of the axis */
function tickText(value, span) {
  const digits = 3 + Math.ceil(Math.log10(Math.abs(value) / span || 1));
  return String(Number(value.toPrecision(Math.min(15, Math.max(6, digits))))).replace("-", "−");
}
