// Points on a line, and the plane of the unknowns (w, b), where each of them is a half plane and the best line a corner.
import { button } from "./controls.js";
import { html, raised, spokenText, svg } from "./elements.js";
import { Separator } from "./separator.js";
import { Stage } from "./stage.js";
import { area, clip, trail } from "./strips.js";
import { stillPoint } from "./turn.js";
import { atMost, classOf, number } from "./words.js";

/** @typedef {{x: number[], labels: number[], hand: number[], alt: string, limits: number[], unknowns: number[]}} UnknownsState */

/**
 * What all points allow: the (w, b) of a rectangle with y (w x + b) >= 1 for each.
 * @param {number[]} x
 * @param {number[]} labels
 * @param {number[]} limits w0, w1, b0, b1
 */
export function allowed(x, labels, [w0, w1, b0, b1]) {
  const rectangle = [[w0, b0], [w1, b0], [w1, b1], [w0, b1]];
  return x.reduce((corners, value, i) => clip(corners, [labels[i] * value, labels[i]], -1), rectangle);
}

/**
 * @param {HTMLElement} root
 * @param {UnknownsState} state
 * @param {{changed?: (setting: any) => void}} home
 */
export function unknownsFigure(root, state, home = {}) {
  const { labels } = state;
  let x = [...state.x];
  let hand = [...state.hand];
  const machine = new Separator({ points: x.map((value) => [value, 0]), labels, kernel: { name: "linear" }, C: 1 });
  let timer = 0;
  let chosen = -1; // the point whose line is thick
  const [left, right] = ["The points, and f over them", "The unknowns: one line per point"].map((title) => html("section", { "aria-label": title }, [html("p", { class: "live-title" }, [title])]));
  const proof = html("p", { class: "live-proof" });
  const said = html("p", { class: "live-said", "aria-live": "polite" });
  root.classList.add("live-root");
  root.append(html("div", { class: "live-pair" }, [left, right]), proof);

  const data = new Stage(left, {
    alt: `${state.alt} Left: the points, to be dragged along the line.`, limits: state.limits, equal: false, ratio: 0.86, names: ["x", "f"],
    resized: () => draw(), dropped: speakSoon, selected: (grip) => choose(grip ? points.indexOf(grip) : -1),
  });
  const plane = new Stage(right, {
    alt: `${state.alt} Right: the plane of w and b, with your own (w, b) to be dragged.`, limits: state.unknowns, equal: false, ratio: 0.86, names: ["w", "b"],
    resized: () => draw(), dropped: speakSoon,
  });
  const band = svg("path", { class: "live-band" }, data.under);
  const levels = [-1, 0, 1].map((level) => ({ level, path: svg("path", { class: level ? "live-edge" : "live-zero" }, data.under) }));
  const best = svg("path", { class: "live-boundary" }, data.under);
  const yours = svg("path", { class: "live-yours" }, data.under);
  const misses = svg("path", { class: "live-miss" }, data.under);
  const wedge = svg("path", { class: "live-wedge" }, plane.under);
  const axis = svg("path", { class: "live-zero" }, plane.under);
  const lines = labels.map((label) => svg("path", { class: `live-constraint live-constraint-${label > 0 ? "plus" : "minus"}` }, plane.under));
  const reach = svg("path", { class: "live-bridge" }, plane.under);
  const names = labels.map((label) => svg("text", { "text-anchor": "middle", class: `live-plain live-plain-${label > 0 ? "plus" : "minus"}` }, plane.under));
  const star = svg("path", { class: "live-star" }, plane.under);
  const points = labels.map((label, i) => {
    const grip = data.grip({
      at: () => [x[i], 0],
      move: (to) => {
        x[i] = to[0];
        change();
      },
      label: () => `Point at x = ${number(x[i])}, class ${classOf(label)}`,
    });
    const element = /** @type {SVGGElement} */ (grip.element);
    element.classList.add("live-point");
    stillPoint(label, element);
    return grip;
  });
  const yourGrip = plane.grip({
    at: () => hand,
    move: (to) => {
      hand = [...to];
      change();
    },
    label: () => `Your (w, b) = (${number(hand[0])}, ${number(hand[1])})`,
  });
  svg("circle", { r: 6.5, class: "live-your-point" }, /** @type {SVGGElement} */ (yourGrip.element));
  root.append(html("div", { class: "live-tools" }, [button("To the star", toStar), button("Start again", again)]), unknownsHelp(), said);

  /** @param {number} i */
  function choose(i) {
    chosen = i;
    draw();
  }

  function change() {
    machine.change({ points: x.map((value) => [value, 0]) });
  }

  function toStar() {
    if (!machine.separable) return;
    hand = [machine.w[0], machine.b];
    change();
    speakSoon();
  }

  function again() {
    [x, hand] = [[...state.x], [...state.hand]];
    change();
    speakSoon();
  }

  /** The points that (w, b) does not put on their side of the band. @param {number} w @param {number} b */
  function broken(w, b) {
    return [...x.keys()].filter((i) => labels[i] * (w * x[i] + b) < 1 - 1e-9);
  }

  function draw() {
    if (!root.contains(said)) return; // not yet built
    const { separable, b } = machine;
    const w = machine.w[0];
    const [x0, x1] = data.shown;
    const over = (/** @type {number} */ slope, /** @type {number} */ bias) => trail(data, [x0, x1].map((t) => [t, slope * t + bias]));
    for (const { level, path } of levels) path.setAttribute("d", over(0, level));
    best.setAttribute("d", separable ? over(w, b) : "");
    const [, , f0, f1] = data.shown;
    const [from, to] = [(-1 - b) / w, (1 - b) / w];
    band.setAttribute("d", separable ? area(data, [[from, f0], [to, f0], [to, f1], [from, f1]]) : "");
    yours.setAttribute("d", over(hand[0], hand[1]));
    const wrong = broken(hand[0], hand[1]);
    misses.setAttribute("d", wrong.map((i) => trail(data, [[x[i], labels[i]], [x[i], hand[0] * x[i] + hand[1]]])).join(""));
    drawPlane(separable, w, b, wrong);
    data.place();
    plane.place();
    proof.replaceChildren(...sentence(wrong));
  }

  /** @param {boolean} separable @param {number} w @param {number} b @param {number[]} wrong */
  function drawPlane(separable, w, b, wrong) {
    const [w0, w1, b0, b1] = plane.shown;
    wedge.setAttribute("d", area(plane, allowed(x, labels, [w0, w1, b0, b1])));
    axis.setAttribute("d", trail(plane, [[0, b0], [0, b1]]));
    x.forEach((value, i) => {
      lines[i].setAttribute("d", trail(plane, [w0, w1].map((t) => [t, labels[i] - value * t])));
      lines[i].classList.toggle("live-thick", i === chosen || (separable && machine.support.includes(i)));
      lines[i].classList.toggle("live-broken", wrong.includes(i));
    });
    nameLines();
    const inside = separable && w > w0 && w < w1 && b > b0 && b < b1;
    star.setAttribute("d", inside ? starAt(plane.x(w), plane.y(b), 10) : "");
    reach.setAttribute("d", inside ? trail(plane, [[0, b], [w, b]]) : "");
    yourGrip.element?.classList.toggle("live-outside", wrong.length > 0);
  }

  /** The name of each line, near the edge where it leaves the picture; of two beside each other each on its outer side. */
  function nameLines() {
    const [w0, w1, b0, b1] = plane.shown;
    const places = x.map((value, i) => {
      const ends = value ? [b0 + 0.12 * (b1 - b0), b1 - 0.1 * (b1 - b0)].map((height) => (labels[i] - height) / value) : [Infinity];
      const w = Math.min(w1 - 0.14 * (w1 - w0), Math.max(...ends));
      return [plane.x(w), plane.y(labels[i] - value * w)];
    });
    places.forEach(([px, py], i) => {
      const between = places.some(([other, height], k) => k !== i && other > px && other - px < 70 && Math.abs(height - py) < 14);
      names[i].textContent = `x = ${number(Number(x[i].toFixed(2)))}`;
      names[i].setAttribute("x", Math.min(plane.width - 32, px + (between ? -28 : 28)).toFixed(1));
      names[i].setAttribute("y", (py - 6).toFixed(1));
    });
  }

  /** @param {number[]} wrong */
  function sentence(wrong) {
    const { solution } = machine;
    const cost = (/** @type {number} */ v) => number(0.5 * v * v);
    const mine = wrong.length ? `Your (w, b) is not allowed: ${wrong.map((i) => `x = ${number(Number(x[i].toFixed(2)))}`).join(", ")} ${wrong.length > 1 ? "are" : "is"} short of the band's edge. `
      : `Your (w, b) is allowed and costs ½w² = ${cost(hand[0])}. `;
    if (!solution) return ["No (w, b) satisfies all the points: the classes overlap, and the grey wedge is empty."];
    const [w0, w1, b0, b1] = plane.shown;
    const far = machine.w[0] < w0 || machine.w[0] > w1 || machine.b < b0 || machine.b > b1 ? ", beyond this picture" : "";
    return [mine, `The star, at w = ${number(machine.w[0])}, b = ${number(machine.b)}${far}, costs `, html("b", {}, [cost(machine.w[0])]), ", proved to be within ",
      html("b", {}, raised(atMost(solution.gap))), " of the least."];
  }

  function speakSoon() {
    clearTimeout(timer);
    timer = window.setTimeout(() => { said.textContent = spokenText(proof); }, 350);
  }

  const forget = machine.subscribe(() => {
    draw();
    home.changed?.({ x: [...x], hand: [...hand] });
  });
  draw();
  return {
    set(/** @type {Partial<UnknownsState>} */ setting) {
      [x, hand] = [[...(setting.x ?? x)], [...(setting.hand ?? hand)]];
      change();
    },
    destroy() {
      forget();
      clearTimeout(timer);
      data.destroy();
      plane.destroy();
      root.replaceChildren();
    },
  };
}

/** A star of five points. @param {number} x @param {number} y @param {number} size */
function starAt(x, y, size) {
  return Array.from({ length: 10 }, (_, k) => {
    const [angle, r] = [(Math.PI * (k - 2.5)) / 5, k % 2 ? 0.42 * size : size];
    return `${k ? "L" : "M"}${(x + r * Math.cos(angle)).toFixed(1)} ${(y + r * Math.sin(angle)).toFixed(1)}`;
  }).join("") + "Z";
}

function unknownsHelp() {
  return html("details", { class: "live-help" }, [
    html("summary", {}, ["By mouse, finger and keyboard"]),
    html("p", {}, ["Drag a point along its line, or the ring, which is your own (w, b). With the keyboard: Tab to the points or to the ring, Page Up and Page Down to another point, and the arrow keys move what has the focus, with Shift a fifth as far."]),
  ]);
}
