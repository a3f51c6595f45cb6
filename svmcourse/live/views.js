// What stands beside the plane: the same machine, seen from another side.
import { mixed } from "./colours.js";
import { contours } from "./contours.js";
import { html, put, svg } from "./elements.js";
import { gramMatrix } from "./kernels.js";
import { Stage } from "./stage.js";
import { classOf, number } from "./words.js";

/**
 * What a view can look at.
 * @typedef {object} Context
 * @property {import("./machine.js").Machine} machine
 * @property {Stage} stage
 * @property {() => number} selected index of the selected point, or -1
 * @property {(i: number) => void} select
 * @property {() => import("./colours.js").Colours} colours
 * @property {() => void} redraw
 */

/**
 * A view: its title, a sentence on how to read it, and what makes it in an element and returns how to draw it.
 * @typedef {{title: string, text: string, make: (root: HTMLElement, context: Context) => () => void}} View
 */

/** Height of the small pictures, in pixels. */
const SIDE = 200;

/**
 * The size of an element, kept: to ask for it in each frame would have the page laid out each time.
 * @param {Element} element
 * @param {() => void} changed
 */
function sizeOf(element, changed) {
  const size = { width: Math.max(120, element.clientWidth), height: Math.max(120, element.clientHeight) };
  new ResizeObserver(() => {
    const [width, height] = [Math.max(120, element.clientWidth), Math.max(120, element.clientHeight)];
    if (width === size.width && height === size.height) return;
    Object.assign(size, { width, height });
    changed();
  }).observe(element);
  return size;
}

/** A canvas as sharp as the screen. @param {HTMLElement} root @param {string} label @param {() => void} changed */
function canvasIn(root, label, changed) {
  const canvas = html("canvas", { role: "img", "aria-label": label, class: "live-canvas" });
  root.append(canvas);
  const size = sizeOf(canvas, changed);
  return () => {
    const { width, height } = size;
    const sharp = Math.min(2, window.devicePixelRatio || 1);
    if (canvas.width !== Math.round(width * sharp)) [canvas.width, canvas.height] = [Math.round(width * sharp), Math.round(height * sharp)];
    const pen = /** @type {CanvasRenderingContext2D} */ (canvas.getContext("2d"));
    pen.setTransform(sharp, 0, 0, sharp, 0, 0);
    pen.clearRect(0, 0, width, height);
    return { canvas, pen, width, height };
  };
}

/** Points of class -1 first. @param {number[]} labels */
function byClass(labels) {
  return [...labels.keys()].sort((i, j) => labels[i] - labels[j] || i - j);
}

/** @type {View} */
const alpha = {
  title: "The multipliers α",
  text: "One bar per point, as long as its α. Class +1 presses from above, class −1 from below, and the two sums are equal.",
  make(root, { machine, selected, select, redraw }) {
    const HEIGHT = 170;
    const picture = svg("svg", { class: "live-bars", role: "img" }, root);
    const plank = svg("line", { class: "live-plank", y1: HEIGHT / 2, y2: HEIGHT / 2, x1: 0 }, picture);
    const sides = [1, -1].map((label) => ({
      label, bars: svg("path", { class: `live-${label > 0 ? "plus" : "minus"}-bars` }, picture),
      sum: svg("text", { x: 4, y: label > 0 ? 14 : HEIGHT - 5, class: "live-number" }, picture),
    }));
    const mark = svg("path", { class: "live-mark" }, picture);
    /** @type {number[][]} */
    const members = [[], []];
    const size = sizeOf(picture, redraw);
    picture.addEventListener("pointerdown", (event) => {
      const box = picture.getBoundingClientRect();
      const side = members[event.clientY - box.top < box.height / 2 ? 0 : 1];
      const k = Math.floor(((event.clientX - box.left) / box.width) * side.length);
      if (side[k] !== undefined) select(side[k]);
    });
    return () => {
      const { width } = size;
      put(picture, "viewBox", `0 0 ${width} ${HEIGHT}`);
      plank.setAttribute("x2", String(width));
      const values = machine.alpha;
      const most = values.reduce((largest, value) => Math.max(largest, value), 0) || 1;
      mark.setAttribute("d", "");
      const sums = sides.map(({ label, bars, sum }, s) => {
        members[s] = byClass(machine.labels).filter((i) => machine.labels[i] === label);
        const wide = width / Math.max(1, members[s].length);
        const bar = Math.min(0.8 * wide, 22);
        const total = members[s].reduce((all, i) => all + values[i], 0);
        bars.setAttribute("d", members[s].map((i, k) => {
          const y = HEIGHT / 2 - label * 1.5;
          const path = `M${((k + 0.5) * wide - bar / 2).toFixed(1)} ${y}h${bar.toFixed(1)}v${(-label * (HEIGHT / 2 - 20) * (values[i] / most)).toFixed(1)}h${(-bar).toFixed(1)}z`;
          if (i === selected()) mark.setAttribute("d", `M${((k + 0.5) * wide).toFixed(1)} ${y + label * 3}l-5 ${label * 9}h10z`);
          return values[i] > 0 ? path : "";
        }).join(""));
        sum.textContent = `class ${classOf(label)}: Σα = ${number(total)}`;
        return total;
      });
      picture.setAttribute("aria-label", `Bars of α. The α of class +1 add up to ${number(sums[0])}, those of class −1 to ${number(sums[1])}; the largest is ${number(most)}.`);
    };
  },
};

/** The mean of K over pairs of one class, or of both. @param {Float64Array} K @param {number[]} labels @param {boolean} same */
function average(K, labels, same) {
  let [sum, count] = [0, 0];
  for (let i = 0; i < labels.length; i += 1) {
    for (let j = 0; j < i; j += 1) if ((labels[i] === labels[j]) === same) [sum, count] = [sum + K[i * labels.length + j], count + 1];
  }
  return count ? number(sum / count, 2) : "nothing";
}

/** @type {View} */
const gram = {
  title: "The Gram matrix",
  text: "One square per pair of points: the more it stands out, the more alike the kernel finds them. Class −1 comes first.",
  make(root, { machine, selected, colours, redraw }) {
    const begin = canvasIn(root, "Gram matrix", redraw);
    const small = document.createElement("canvas");
    let naming = 0;
    return () => {
      const { canvas, pen, width, height } = begin();
      const [side, n] = [Math.min(width, height), machine.points.length];
      if (!n) return;
      const order = byClass(machine.labels);
      const K = gramMatrix(machine.points, machine.kernel);
      let most = 1e-300;
      for (let k = 0; k < K.length; k += 1) most = Math.max(most, Math.abs(K[k]));
      if (!Number.isFinite(most)) return;
      const { paper, ink, plus } = colours();
      if (small.width !== n) [small.width, small.height] = [n, n];
      const dots = /** @type {CanvasRenderingContext2D} */ (small.getContext("2d"));
      const image = dots.createImageData(n, n);
      const pixels = image.data;
      for (let a = 0, o = 0; a < n; a += 1) {
        for (let c = 0; c < n; c += 1, o += 4) {
          const value = K[order[a] * n + order[c]] / most;
          const to = value < 0 ? plus : ink;
          const part = 0.92 * Math.abs(value);
          pixels[o] = paper[0] + part * (to[0] - paper[0]);
          pixels[o + 1] = paper[1] + part * (to[1] - paper[1]);
          pixels[o + 2] = paper[2] + part * (to[2] - paper[2]);
          pixels[o + 3] = 255;
        }
      }
      dots.putImageData(image, 0, 0);
      pen.imageSmoothingEnabled = false;
      pen.drawImage(small, 0, 0, side, side);
      const split = (machine.labels.filter((label) => label < 0).length / n) * side;
      pen.strokeStyle = mixed(colours().muted);
      pen.strokeRect(0.5, 0.5, side - 1, side - 1);
      pen.beginPath();
      for (const [x, y] of [[split, 0], [0, split]]) {
        pen.moveTo(x, y);
        pen.lineTo(x || side, y || side);
      }
      pen.stroke();
      const row = order.indexOf(selected());
      if (row >= 0) {
        pen.strokeStyle = mixed(colours().minus);
        pen.lineWidth = 1.5;
        pen.strokeRect(0, (row / n) * side, side, side / n);
        pen.lineWidth = 1;
      }
      clearTimeout(naming); // in words when it has come to rest
      naming = window.setTimeout(() => canvas.setAttribute("aria-label", `Gram matrix of ${n} points: ${
        average(K, machine.labels, true)} on average within a class, ${average(K, machine.labels, false)} between the classes.`), 300);
    };
  },
};

/** @type {View} */
const square = {
  title: "Two of the α",
  text: "All other α held fixed. Lines of equal dual value; the sum of yα ties the two to a segment, and on it they can do no better.",
  make(root, { machine, selected }) {
    const picture = svg("svg", { class: "live-square-view", role: "img", viewBox: `-8 -20 ${SIDE + 16} ${SIDE + 40}` }, root);
    const box = svg("rect", { x: 0, y: 0, width: SIDE, height: SIDE, class: "live-box" }, picture);
    const levels = svg("path", { class: "live-levels" }, picture);
    const segment = svg("path", { class: "live-segment" }, picture);
    const here = svg("circle", { r: 5, class: "live-here" }, picture);
    const [first, second] = [svg("text", { x: SIDE, y: SIDE + 14, "text-anchor": "end" }, picture), svg("text", { x: 0, y: -8 }, picture)];
    let [i, j] = [-1, -1];
    const GRID = 41;
    return () => {
      const { labels, solution, points } = machine;
      const values = machine.alpha;
      const largest = (/** @type {(k: number) => boolean} */ fits) => [...labels.keys()].filter(fits)
        .reduce((best, k) => (best < 0 || values[k] > values[best] ? k : best), -1);
      if (selected() >= 0 && selected() !== i) [j, i] = [i >= 0 && i < points.length ? i : j, selected()];
      if (i < 0 || i >= points.length) i = largest(() => true);
      if (j < 0 || j >= points.length || j === i) j = largest((k) => k !== i && labels[k] !== labels[i]);
      picture.toggleAttribute("hidden", !solution || j < 0);
      if (!solution || j < 0) return;
      const [ai, aj, yi, yj] = [values[i], values[j], labels[i], labels[j]];
      const most = Math.min(machine.C, 1.7 * Math.max(ai, aj) || machine.C);
      const K = gramMatrix([points[i], points[j]], machine.kernel);
      const slopes = [i, j].map((k) => 1 - labels[k] * (machine.decision(points[k]) - solution.b)); // of the dual value
      const W = new Float64Array(GRID * GRID);
      for (let r = 0; r < GRID; r += 1) {
        for (let c = 0; c < GRID; c += 1) {
          const [s, t] = [(c / (GRID - 1)) * most - ai, (1 - r / (GRID - 1)) * most - aj];
          W[r * GRID + c] = s * slopes[0] + t * slopes[1] - 0.5 * (s * s * K[0] + t * t * K[3]) - s * t * yi * yj * K[1];
        }
      }
      const [low, high] = [W.reduce((a, b) => Math.min(a, b)), W.reduce((a, b) => Math.max(a, b))];
      let d = "";
      for (let k = 1; k < 9; k += 1) d += Stage.path(contours(W, GRID, GRID, high - (high - low) * (k / 9) ** 2), SIDE / (GRID - 1));
      d += Stage.path(contours(W, GRID, GRID, 0), SIDE / (GRID - 1)); // through where we stand
      levels.setAttribute("d", d);
      const x = (/** @type {number} */ a) => ((a / most) * SIDE).toFixed(1);
      const y = (/** @type {number} */ a) => ((1 - a / most) * SIDE).toFixed(1);
      const same = yi === yj ? -1 : 1; // aj goes down when ai goes up, or up with it
      const [back, on] = [Math.min(ai, same > 0 ? aj : most - aj), Math.min(most - ai, same > 0 ? most - aj : aj)];
      segment.setAttribute("d", `M${x(ai - back)} ${y(aj - same * back)}L${x(ai + on)} ${y(aj + same * on)}`);
      here.setAttribute("cx", x(ai));
      here.setAttribute("cy", y(aj));
      box.classList.toggle("live-whole", most === machine.C);
      first.textContent = `α of point ${i + 1}, 0 to ${number(most)}${most === machine.C ? " = C" : ""}`;
      second.textContent = `α of point ${j + 1}`;
      picture.setAttribute("aria-label", `Point ${i + 1} has α = ${number(ai)}, point ${j + 1} α = ${number(aj)}; C = ${number(machine.C)}.`);
    };
  },
};

/** @type {View} */
const section = {
  title: "f along a line",
  text: "The decision function on the level line through the selected point: 0 is the boundary, −1 and 1 are the edges of the band.",
  make(root, { machine, selected, stage, redraw }) {
    const picture = svg("svg", { class: "live-section", role: "img" }, root);
    const size = sizeOf(picture, redraw);
    const lines = [1, 0, -1].map((level) => svg("line", { x1: 0, class: level ? "live-edge" : "live-zero" }, picture));
    const names = [1, 0, -1].map(() => svg("text", { x: 3 }, picture));
    const curve = svg("path", { class: "live-curve" }, picture);
    const here = svg("circle", { r: 4, class: "live-here" }, picture);
    const HEIGHT = 150;
    return () => {
      const { width } = size;
      put(picture, "viewBox", `0 0 ${width} ${HEIGHT}`);
      const [x0, x1, y0, y1] = stage.shown;
      const point = machine.points[selected()];
      const level = point ? point[1] : (y0 + y1) / 2;
      const across = Float64Array.from({ length: 121 }, (_, k) => x0 + (k / 120) * (x1 - x0));
      const f = machine.field(across, [level]);
      const most = Math.min(6, Math.max(1.4, f.reduce((largest, value) => Math.max(largest, Math.abs(value)), 0)));
      const y = (/** @type {number} */ value) => ((1 - Math.max(-1.1, Math.min(1.1, value / most)) / 1.1) * HEIGHT) / 2;
      [1, 0, -1].forEach((value, k) => {
        for (const end of ["y1", "y2"]) lines[k].setAttribute(end, y(value).toFixed(1));
        lines[k].setAttribute("x2", String(width));
        names[k].setAttribute("y", (y(value) - 3).toFixed(1));
        names[k].textContent = value && Math.abs(y(value) - y(0)) < 13 ? "" : ["+1", "0", "−1"][k]; // where there is room
      });
      curve.setAttribute("d", Array.from(f, (value, k) => `${k ? "L" : "M"}${((k / 120) * width).toFixed(1)} ${y(value).toFixed(1)}`).join(""));
      here.toggleAttribute("hidden", !point);
      if (point) {
        here.setAttribute("cx", (((point[0] - x0) / (x1 - x0)) * width).toFixed(1));
        here.setAttribute("cy", y(machine.decision(point)).toFixed(1));
      }
      picture.setAttribute("aria-label", `f on the line ${stage.level(1, level)}: from ${number(f[0], 2)} at the left to ${number(f[120], 2)} at the right${
        point ? `, ${number(machine.decision(point), 2)} at the selected point` : ""}.`);
    };
  },
};

/** @type {View} */
const landscape = {
  title: "f as a landscape",
  text: "The decision function as hills and hollows; the shore, f = 0, is the boundary.",
  make(root, { machine, stage, colours, redraw }) {
    const begin = canvasIn(root, "landscape", redraw);
    const turn = html("input", { type: "range", min: "-180", max: "180", step: "5", value: "30", "aria-label": "Turn the landscape, in degrees" });
    root.append(html("label", { class: "live-turn" }, ["turn ", turn]));
    turn.addEventListener("input", redraw);
    const GRID = 27;
    return () => {
      const { canvas, pen, width, height } = begin();
      const [x0, x1, y0, y1] = stage.shown;
      const axis = (/** @type {number} */ from, /** @type {number} */ to) => Float64Array.from({ length: GRID }, (_, k) => from + (k / (GRID - 1)) * (to - from));
      const f = machine.field(axis(x0, x1), axis(y0, y1));
      const most = Math.max(1, Math.min(3, f.reduce((largest, value) => Math.max(largest, Math.abs(value)), 0)));
      const angle = (Number(turn.value) * Math.PI) / 180;
      const [cosine, sine, scale] = [Math.cos(angle), Math.sin(angle), width / 2.9];
      const project = (/** @type {number} */ c, /** @type {number} */ r, /** @type {number} */ z) => {
        const [u, v] = [(2 * c) / (GRID - 1) - 1, (2 * r) / (GRID - 1) - 1];
        const [a, depth] = [u * cosine - v * sine, u * sine + v * cosine];
        return [width / 2 + scale * a, height / 2 - scale * (0.45 * depth + 0.42 * Math.max(-1, Math.min(1, z / most))), depth];
      };
      const nodes = Array.from(f, (z, k) => project(k % GRID, Math.floor(k / GRID), z));
      const cells = [];
      for (let r = 0; r + 1 < GRID; r += 1) for (let c = 0; c + 1 < GRID; c += 1) cells.push(r * GRID + c);
      cells.sort((k, l) => nodes[l][2] - nodes[k][2]); // the farthest first
      const { paper, ink, minus, plus } = colours();
      for (const k of cells) {
        const corners = [k, k + 1, k + GRID + 1, k + GRID];
        const z = corners.reduce((sum, l) => sum + f[l], 0) / 4;
        const slope = Math.max(-1, Math.min(1, ((f[k + 1] - f[k]) + (f[k + GRID] - f[k])) / most * 2.5));
        const colour = (z > 0 ? plus : minus).map((v, m) => paper[m] + (0.25 + 0.5 * Math.min(1, Math.abs(z) / most)) * (v - paper[m]));
        pen.fillStyle = pen.strokeStyle = mixed(colour, slope > 0 ? paper : ink, 0.22 * Math.abs(slope));
        pen.beginPath();
        corners.forEach((l, m) => (m ? pen.lineTo(nodes[l][0], nodes[l][1]) : pen.moveTo(nodes[l][0], nodes[l][1])));
        pen.closePath();
        pen.fill();
        pen.stroke();
      }
      pen.strokeStyle = mixed(ink);
      pen.lineWidth = 1.6;
      for (const line of contours(f, GRID, GRID, 0)) {
        pen.beginPath();
        for (let k = 0; k < line.length; k += 2) {
          const [a, b] = project(line[k], line[k + 1], 0);
          if (k) pen.lineTo(a, b);
          else pen.moveTo(a, b);
        }
        pen.stroke();
      }
      pen.lineWidth = 1;
      canvas.setAttribute("aria-label", `f as a landscape, from ${number(f.reduce((a, b) => Math.min(a, b)), 2)} to ${number(f.reduce((a, b) => Math.max(a, b)), 2)}.`);
    };
  },
};

/** All views by name. @type {Record<string, View>} */
export const VIEWS = { alpha, gram, square, section, landscape };
