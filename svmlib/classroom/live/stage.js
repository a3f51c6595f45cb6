// A plane with points that one can take hold of: by mouse, by finger, by keyboard.
import { classOf, place } from "./words.js";

const SVG = "http://www.w3.org/2000/svg";
const REACH = 24; // pixels about a grip in which it is taken
const STEP = 0.02; // of the width of the plane, for an arrow key; a fifth of it with Shift
export const CELL = 5; // pixels between two nodes of the grid on which a figure computes f
export const SYMBOL = 4.5; // half the size of a point, in pixels
const LARGEST = 17; // radius of the largest ring, in pixels

/**
 * An SVG element.
 * @template {keyof SVGElementTagNameMap} T
 * @param {T} name
 * @param {Record<string, string | number>} attributes
 * @param {Element | null} parent
 * @returns {SVGElementTagNameMap[T]}
 */
export function svg(name, attributes = {}, parent = null) {
  const element = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, String(value));
  parent?.append(element);
  return element;
}

/**
 * Set an attribute where that changes it: reading is cheap, and of three hundred points one has moved.
 * @param {Element} element
 * @param {string} name
 * @param {string} value
 */
export function put(element, name, value) {
  if (element.getAttribute(name) !== value) element.setAttribute(name, value);
}

/**
 * An HTML element.
 * @template {keyof HTMLElementTagNameMap} T
 * @param {T} name
 * @param {Record<string, string>} attributes
 * @param {(Node | string)[]} children
 * @returns {HTMLElementTagNameMap[T]}
 */
export function html(name, attributes = {}, children = []) {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  element.append(...children);
  return element;
}

/**
 * What can be taken hold of. `move` gets the place under the pointer; without `remove`, `toggle` or `add` the keys for
 * them do nothing.
 * @typedef {object} Grip
 * @property {() => ArrayLike<number>} at
 * @property {(to: number[]) => void} [move]
 * @property {() => void} [remove]
 * @property {() => void} [toggle]
 * @property {() => void} [add] a point beside it
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
    this.width = this.height = 0;
    this.naming = 0;
    /** @type {Grip[]} */
    this.grips = [];
    /** @type {Grip | null} */
    this.selected = null;
    /** @type {{grip: Grip | null, id: number, x: number, y: number, dx: number, dy: number, moved: boolean} | null} */
    this.drag = null;
    this.canvas = html("canvas", { class: "live-field", "aria-hidden": "true" });
    this.svg = svg("svg", { class: "live-plane", role: "application", "aria-label": options.alt });
    this.axes = svg("g", { class: "live-axes", "aria-hidden": "true" }, this.svg);
    this.under = svg("g", { class: "live-under", "aria-hidden": "true" }, this.svg); // for a figure's own drawing
    this.pointLayer = svg("g", {}, this.svg);
    this.over = svg("g", { class: "live-over" }, this.svg); // and above the points
    this.frame = html("div", { class: "live-stage" }, [this.canvas, this.svg]);
    root.append(this.frame);
    this.svg.addEventListener("pointerdown", (event) => this.take(event));
    this.svg.addEventListener("pointermove", (event) => this.pull(event));
    for (const kind of ["pointerup", "pointercancel"]) this.svg.addEventListener(kind, (event) => this.release(/** @type {PointerEvent} */ (event)));
    this.svg.addEventListener("keydown", (event) => this.press(event));
    this.svg.addEventListener("focusin", (event) => {
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

  /** Show x0 <= x <= x1, y0 <= y <= y1, and more where units are equal. @param {number[]} limits */
  look(limits) {
    this.limits = [...limits];
    let [x0, x1, y0, y1] = limits;
    const { width, height } = this;
    if (this.options.equal ?? true) {
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
    const [first, second] = this.options.names ?? ["x₁", "x₂"];
    for (const value of ticks(x0, x1)) {
      const x = this.x(value);
      svg("line", { x1: x, x2: x, y1: height - 5, y2: height }, this.axes);
      if (x > 16 && x < width - 30) svg("text", { x, y: height - 8, "text-anchor": "middle" }, this.axes).textContent = tickText(value);
    }
    for (const value of ticks(y0, y1)) {
      const y = this.y(value);
      svg("line", { x1: 0, x2: 5, y1: y, y2: y }, this.axes);
      if (y > 26 && y < height - 24) svg("text", { x: 8, y: y + 4 }, this.axes).textContent = tickText(value);
    }
    svg("text", { x: width - 8, y: height - 8, "text-anchor": "end", class: "live-name" }, this.axes).textContent = first;
    svg("text", { x: 8, y: 16, class: "live-name" }, this.axes).textContent = second;
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

  /** @param {PointerEvent} event */
  take(event) {
    if (this.drag || event.button !== 0) return;
    const [px, py] = this.where(event);
    const grip = this.nearest(px, py, event.pointerType === "touch" ? REACH : 0.6 * REACH);
    this.drag = { grip, id: event.pointerId, x: px, y: py, dx: 0, dy: 0, moved: false };
    if (!grip) return;
    event.preventDefault();
    this.svg.setPointerCapture(event.pointerId);
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
    if (drag.moved) drag.grip?.move?.(this.inside(this.at(px + drag.dx, py + drag.dy)));
  }

  /** @param {PointerEvent} event */
  release(event) {
    const { drag } = this;
    if (!drag || drag.id !== event.pointerId) return;
    this.drag = null;
    drag.grip?.element?.classList.remove("live-taken");
    if (drag.grip && drag.moved) this.options.dropped?.();
    if (!drag.grip && !drag.moved && event.type === "pointerup") this.options.add?.(this.at(drag.x, drag.y));
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
    const stepUp = step * (this.options.equal ?? true ? 1 : (y1 - y0) / (x1 - x0));
    /** @type {Record<string, () => void>} */
    const keys = {
      ArrowLeft: () => this.nudge(grip, -step, 0), ArrowRight: () => this.nudge(grip, step, 0),
      ArrowUp: () => this.nudge(grip, 0, stepUp), ArrowDown: () => this.nudge(grip, 0, -stepUp),
      PageDown: () => this.go(1), PageUp: () => this.go(-1), Home: () => this.go(-Infinity), End: () => this.go(Infinity),
      Delete: () => grip.remove?.(), Backspace: () => grip.remove?.(),
      Enter: () => grip.add?.(), a: () => grip.add?.(), t: () => grip.toggle?.(), " ": () => grip.toggle?.(),
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

/**
 * The points of a machine on a stage, as grips that change the machine; with rings whose area is alpha.
 */
export class Points {
  /**
   * @param {Stage} stage
   * @param {import("./machine.js").Machine} machine
   * @param {{move?: boolean, add?: boolean, remove?: boolean, toggle?: boolean, spoken?: () => string}} may  spoken: what to add to "point 3 now at …"
   */
  constructor(stage, machine, may = {}) {
    this.stage = stage;
    this.machine = machine;
    this.may = { move: true, add: true, remove: true, toggle: true, ...may };
    /** @type {Grip[]} */
    this.grips = [];
    this.draw();
  }

  /** The index of the selected point, or -1. */
  get selected() {
    return this.grips.indexOf(/** @type {Grip} */ (this.stage.selected));
  }

  /** As many grips as points, each of the right class, where it belongs. */
  draw() {
    const { machine, stage } = this;
    while (this.grips.length > machine.points.length) stage.ungrip(/** @type {Grip} */ (this.grips.pop()));
    while (this.grips.length < machine.points.length) this.grips.push(this.make());
    const { alpha } = machine;
    const most = alpha.reduce((largest, value) => Math.max(largest, value), 0);
    this.grips.forEach(({ element }, i) => {
      if (!element) return;
      const positive = machine.labels[i] > 0;
      const value = alpha[i] > 1e-8 * most ? alpha[i] : 0;
      const kind = `live-grip live-point live-${positive ? "plus" : "minus"}${
        value ? (value >= machine.C * (1 - 1e-8) ? " live-bounded" : " live-free") : ""}${
        element.classList.contains("live-selected") ? " live-selected" : ""}${element.classList.contains("live-taken") ? " live-taken" : ""}`;
      put(element, "class", kind);
      put(element.children[1], "r", most > 0 ? (LARGEST * Math.sqrt(value / most)).toFixed(1) : "0");
    });
    stage.place();
  }

  /** @returns {Grip} */
  make() {
    const { machine, stage, may } = this;
    /** @type {Grip} */
    const grip = {
      at: () => machine.points[index()] ?? [0, 0],
      label: () => this.describe(index()),
    };
    const index = () => this.grips.indexOf(grip);
    if (may.move) grip.move = (to) => machine.move(index(), to, "moved");
    if (may.remove) grip.remove = () => this.remove(index());
    if (may.toggle) grip.toggle = () => this.toggle(index());
    if (may.add) grip.add = () => this.add(beside(grip.at(), stage), machine.labels[index()]);
    stage.grip(grip, stage.pointLayer);
    const element = /** @type {SVGGElement} */ (grip.element);
    svg("circle", { class: "live-ring", r: 0 }, element);
    svg("circle", { class: "live-disc", r: SYMBOL + 0.5 }, element);
    svg("rect", { class: "live-square", x: -SYMBOL, y: -SYMBOL, width: 2 * SYMBOL, height: 2 * SYMBOL }, element);
    return grip;
  }

  /** "Point 3 of 40, class +1, at (0.2, 1.1), α = 3.2 = C". @param {number} i */
  describe(i) {
    const { machine } = this;
    if (!machine.points[i]) return "no point";
    const alpha = machine.alpha[i] ?? 0;
    const role = !machine.support.includes(i) ? "not a support vector" : alpha >= machine.C * (1 - 1e-8) ? "support vector with α = C" : "on the margin";
    return `Point ${i + 1} of ${machine.points.length}, class ${classOf(machine.labels[i])}, at ${place(machine.points[i])}, ${role}`;
  }

  /** @param {ArrayLike<number>} at @param {number} label */
  add(at, label) {
    const i = this.machine.add(this.stage.inside(at), label);
    this.grips.push(this.make());
    this.machine.words = `Point added, class ${classOf(label)}, at ${place(this.machine.points[i])}.`;
    this.draw();
    this.stage.select(this.grips[i]);
    this.grips[i].element?.focus({ preventScroll: true });
    this.stage.options.dropped?.();
  }

  /** @param {number} i */
  remove(i) {
    if (i < 0) return;
    const { labels } = this.machine;
    const label = labels[i];
    const [grip] = this.grips.splice(i, 1);
    this.machine.remove(i);
    this.machine.words = `Point removed, class ${classOf(label)}.`;
    this.stage.ungrip(grip);
    this.stage.options.dropped?.();
  }

  /** @param {number} i */
  toggle(i) {
    if (i < 0) return;
    this.machine.toggle(i);
    this.machine.words = `Point ${i + 1} is now of class ${classOf(this.machine.labels[i])}.`;
    this.stage.options.dropped?.();
  }
}

/** A place beside a point, within what is shown. @param {ArrayLike<number>} at @param {Stage} stage */
function beside(at, stage) {
  const [px, py] = [stage.x(at[0]), stage.y(at[1])];
  return stage.at(px + (px > stage.width / 2 ? -26 : 26), py);
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

/** @param {number} value */
function tickText(value) {
  return String(Number(value.toPrecision(6))).replace("-", "−");
}
