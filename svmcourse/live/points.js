// The points of a machine on a stage: to be moved, added, removed, with rings whose area is alpha.
import { put, svg } from "./elements.js";
import { classOf, counted } from "./words.js";

export const SYMBOL = 4.5; // half the size of a point, in pixels
const LARGEST = 17; // radius of the largest ring, in pixels

/** @typedef {import("./stage.js").Stage} Stage */
/** @typedef {import("./stage.js").Grip} Grip */

/**
 * The points of a machine on a stage, as grips that change the machine; with rings whose area is alpha.
 */
export class Points {
  /**
   * @param {Stage} stage
   * @param {import("./machine.js").Machine} machine
   * @param {{move?: boolean, add?: boolean, remove?: boolean, toggle?: boolean, pick?: (i: number) => void, spoken?: () => string}} may  pick: what a click on a point does; spoken: what to add to "point 3 now at …"
   */
  constructor(stage, machine, may = {}) {
    this.stage = stage;
    this.machine = machine;
    this.may = { move: true, add: true, remove: true, toggle: true, ...may };
    /** @type {Grip[]} */
    this.grips = [];
    this.renaming = 0;
    this.start = JSON.stringify(machine.setting);
    this.draw();
  }

  /** Say what is to be seen: the figure's own words are those of its start. */
  rename() {
    const { labels, setting, solution, support } = this.machine;
    const words = JSON.stringify(setting) === this.start ? this.stage.options.alt
      : `${counted(labels.length, "point")}, ${labels.filter((label) => label > 0).length} of class +1${solution ? `; ${support.length} of them carry the boundary` : ""}.`;
    put(this.stage.svg, "aria-label", words);
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
    clearTimeout(this.renaming);
    this.renaming = window.setTimeout(() => this.rename(), 300); // when it has come to rest
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
    const { pick } = may;
    if (pick) grip.pick = () => pick(index());
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
    return `Point ${i + 1} of ${machine.points.length}, class ${classOf(machine.labels[i])}, at ${this.stage.told(machine.points[i])}, ${role}`;
  }

  /** @param {ArrayLike<number>} at @param {number} label */
  add(at, label) {
    const i = this.machine.add(this.stage.inside(at), label);
    this.grips.push(this.make());
    this.machine.words = `Point added, class ${classOf(label)}, at ${this.stage.told(this.machine.points[i])}.`;
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
