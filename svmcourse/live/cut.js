// Cut the bowl: a plane that one takes hold of, and the circle below the cut, which one can take hold of, too.
import { button } from "./controls.js";
import { html, raised, spokenText, svg } from "./elements.js";
import { above, circleOf, costOf, lifted, machineOnBowl, planeOf } from "./lift.js";
import { Stage } from "./stage.js";
import { atMost, counted, number, place } from "./words.js";

const BOWL = 2; // radius of the bowl
const UPWARDS = 0.62; // of a unit upwards, on the screen
const FLOOR = -1.6; // height of the shadow below the bowl
const ARM = 1.75; // from the middle of the plane to the handles that tilt it
const UP_AND_DOWN = "M0 -4L-6 -11H6ZM0 4L-6 11H6Z";

/**
 * @typedef {object} CutState
 * @property {number[][]} points
 * @property {number[]} labels
 * @property {number} C
 * @property {import("./lift.js").Plane} plane
 * @property {string} alt
 */

/**
 * @param {HTMLElement} root
 * @param {CutState} state
 * @param {import("./figure.js").Home} home
 */
export function cutFigure(root, state, home = {}) {
  const { points, labels, C } = state;
  const best = machineOnBowl(points, labels, C);
  let plane = { ...state.plane };
  let [turn, lift] = [-30, 24]; // degrees
  let timer = 0;
  const left = html("div", { class: "live-main live-bowl" });
  const right = html("div", { class: "live-main" });
  const facts = html("p", { class: "live-facts" });
  const proof = html("p", { class: "live-proof" });
  const said = html("p", { class: "live-said", "aria-live": "polite" });
  const bowl = new Stage(left, { alt: state.alt, limits: [-2.5, 2.5, -2.15, 3.45], ratio: 1.12, names: ["", ""], resized: drawBowl, dropped: speak });
  const flat = new Stage(right, { alt: "The same from above: the points and the circle", limits: [-2.2, 2.2, -2.2, 2.2], names: ["t₁", "t₂"], resized: drawFlat, dropped: speak });
  left.append(angle("turn", -180, 180, () => turn, (v) => { turn = v; }), angle("look down", 0, 90, () => lift, (v) => { lift = v; }));
  right.append(facts, proof, html("div", { class: "live-tools" }, [
    button("The machine's plane", () => move(best.plane)), button("Reset", () => move(state.plane)),
  ]));
  root.classList.add("live-root");
  root.append(html("div", { class: "live-columns live-halves" }, [left, right]), said);

  /** Where a place in space is on the bowl's stage, and how far behind the middle. @param {ArrayLike<number>} x */
  function seen(x) {
    const [t1, t2, z] = [x[0], x[1], x[2]];
    const [a, e] = [(turn * Math.PI) / 180, (lift * Math.PI) / 180];
    const depth = t1 * Math.sin(a) + t2 * Math.cos(a);
    return [t1 * Math.cos(a) - t2 * Math.sin(a), UPWARDS * z * Math.cos(e) + depth * Math.sin(e), depth];
  }
  const onPlane = (/** @type {number} */ t1, /** @type {number} */ t2) => [t1, t2, plane.h + plane.p * t1 + plane.q * t2];

  // The plane: its height at the middle, and at the end of two arms.
  /** @param {number} t1 @param {number} t2 @param {string} label @param {(rise: number) => import("./lift.js").Plane} change */
  const handle = (t1, t2, label, change) => {
    const at = () => seen(onPlane(t1, t2));
    const grip = bowl.grip({
      at, label: () => `${label}. ${facts.textContent}`,
      move: (to) => move(change((to[1] - at()[1]) / (UPWARDS * Math.max(0.17, Math.cos((lift * Math.PI) / 180))))),
    });
    svg("path", { d: UP_AND_DOWN, class: "live-handle" }, grip.element);
  };
  handle(0, 0, "Height of the plane, arrow keys up and down", (rise) => ({ ...plane, h: plane.h + rise }));
  handle(ARM, 0, "Tilt along t₁, arrow keys up and down", (rise) => ({ ...plane, p: plane.p + rise / ARM }));
  handle(0, -ARM, "Tilt along t₂, arrow keys up and down", (rise) => ({ ...plane, q: plane.q - rise / ARM }));

  // The circle: its rim and its middle.
  const radius = () => Math.sqrt(Math.max(0, circleOf(plane).square));
  const rim = flat.grip({
    at: () => [circleOf(plane).centre[0] + radius(), circleOf(plane).centre[1]], label: () => `Rim of the circle. ${facts.textContent}`,
    move: (to) => move(planeOf(circleOf(plane).centre, Math.hypot(to[0] - circleOf(plane).centre[0], to[1] - circleOf(plane).centre[1]) ** 2)),
  });
  svg("circle", { r: 6, class: "live-handle" }, rim.element);
  const middle = flat.grip({
    at: () => circleOf(plane).centre, label: () => `Centre of the circle. ${facts.textContent}`,
    move: (to) => move(planeOf(to, circleOf(plane).square)),
  });
  svg("path", { d: "M-6 0H6M0 -6V6", class: "live-cross" }, middle.element);

  const disc = svg("circle", { class: "live-cut-inside" }, flat.under);
  const shadows = svg("g", {}, flat.under);
  const layers = Object.fromEntries(["floor", "back", "low", "sheet", "high"].map((name) => [name, svg("g", { class: `live-bowl-${name}` }, bowl.under)]));
  const net = [0.5, 1, 1.5, BOWL].map((r) => ring([0, 0], r));
  for (let k = 0; k < 12; k += 1) net.push(Array.from({ length: 13 }, (_, j) => [(BOWL * j * Math.cos((k * Math.PI) / 6)) / 12, (BOWL * j * Math.sin((k * Math.PI) / 6)) / 12]));

  /** @param {import("./lift.js").Plane} to */
  function move(to) {
    plane = { h: Math.max(-1.5, Math.min(4.4, to.h)), p: Math.max(-3, Math.min(3, to.p)), q: Math.max(-3, Math.min(3, to.q)) };
    draw();
    speak();
    home.changed?.(/** @type {any} */ ({ plane }));
  }

  function draw() {
    const { centre, square } = circleOf(plane);
    const wrong = points.filter((t, i) => labels[i] * above(plane, t) <= 0).length;
    const cut = square > 0 ? `The cut lies above a circle about ${place(centre)} with radius ${number(Math.sqrt(square))}.` : "The plane passes below the bowl: no circle, everything is class +1.";
    facts.textContent = `${cut} ${wrong} of ${counted(points.length, "point")} on the wrong side.`;
    const gap = costOf(plane, points, labels, C).most - best.least;
    proof.dataset.gap = String(gap);
    proof.replaceChildren("Your plane is proved to be within ", html("b", {}, raised(atMost(gap))), ` of the optimum, ${number(best.objective, 4)} at C = ${number(C)}.`);
    drawBowl();
    drawFlat();
  }

  function drawBowl() {
    if (!layers) return;
    const d = (/** @type {number[][]} */ line) => line.map((x, k) => { const [a, b] = seen(x); return `${k ? "L" : "M"}${bowl.x(a).toFixed(1)} ${bowl.y(b).toFixed(1)}`; }).join("");
    const { centre, square } = circleOf(plane);
    const cut = square > 0 ? ring(centre, Math.sqrt(square)) : [];
    const circle = cut.filter((t) => Math.hypot(t[0], t[1]) <= BOWL * 1.06);
    const sheet = ring([0, 0], 1.06 * BOWL).map(([a, b]) => onPlane(a, b));
    const floor = (/** @type {number[]} */ t) => [t[0], t[1], FLOOR];
    layers.floor.replaceChildren(svg("path", { d: `${d(ring([0, 0], BOWL).map(floor))}Z`, class: "live-shadow" }), svg("path", { d: `${d(circle.map(floor))}`, class: "live-edge" }));
    const drops = circle.length ? [0, 15, 30, 45].map((k) => cut[k]).filter((t) => Math.hypot(t[0], t[1]) <= BOWL).map((t) => d([lifted(t), floor(t)])) : [];
    layers.floor.append(svg("path", { d: drops.join(""), class: "live-drop" }));
    layers.back.replaceChildren(svg("path", { d: net.map((line) => d(line.map(lifted))).join(""), class: "live-net" }));
    layers.sheet.replaceChildren(svg("path", { d: `${d(sheet)}Z`, class: "live-sheet" }), svg("path", { d: d(circle.map(lifted)), class: "live-boundary" }));
    for (const [layer, side] of /** @type {const} */ ([[layers.low, -1], [layers.high, 1]])) {
      const found = points.map((t, i) => ({ i, x: seen(lifted(t)), up: above(plane, t) })).filter(({ up }) => up * side > 0 || (side > 0 && up === 0)).sort((l, m) => m.x[2] - l.x[2]);
      layer.replaceChildren(...found.map(({ i, x }) => pointMark(labels[i], bowl.x(x[0]), bowl.y(x[1]), 4)));
    }
    bowl.place();
  }

  function drawFlat() {
    if (!shadows) return;
    const { centre, square } = circleOf(plane);
    disc.setAttribute("cx", flat.x(centre[0]).toFixed(1));
    disc.setAttribute("cy", flat.y(centre[1]).toFixed(1));
    disc.setAttribute("r", ((Math.sqrt(Math.max(0, square)) / (flat.shown[1] - flat.shown[0])) * flat.width).toFixed(1));
    shadows.replaceChildren(...points.map((t, i) => pointMark(labels[i], flat.x(t[0]), flat.y(t[1]), 4.5)));
    flat.place();
  }

  function speak() {
    clearTimeout(timer);
    timer = window.setTimeout(() => { said.textContent = `${facts.textContent} ${spokenText(proof)}`; }, 400);
  }

  /** A slider in degrees. @param {string} name @param {number} least @param {number} most @param {() => number} get @param {(v: number) => void} set */
  function angle(name, least, most, get, set) {
    const input = html("input", { type: "range", min: String(least), max: String(most), step: "2", "aria-label": `${name}, in degrees`, autocomplete: "off" });
    input.value = String(get());
    input.addEventListener("input", () => { set(Number(input.value)); drawBowl(); });
    return html("label", { class: "live-turn" }, [html("span", {}, [name]), input]);
  }

  draw();
  return {
    set(/** @type {Partial<CutState>} */ setting) { if (setting.plane) move(setting.plane); },
    destroy() {
      clearTimeout(timer);
      bowl.destroy();
      flat.destroy();
      root.replaceChildren();
    },
  };
}

/** Sixty points round a circle, and the first again. @param {ArrayLike<number>} centre @param {number} r */
function ring(centre, r) {
  return Array.from({ length: 61 }, (_, k) => [centre[0] + r * Math.cos((k * Math.PI) / 30), centre[1] + r * Math.sin((k * Math.PI) / 30)]);
}

/** A disc for class -1, a square for class +1. @param {number} label @param {number} x @param {number} y @param {number} r */
function pointMark(label, x, y, r) {
  return label > 0 ? svg("rect", { x: (x - r).toFixed(1), y: (y - r).toFixed(1), width: 2 * r, height: 2 * r, class: "live-plus-mark" })
    : svg("circle", { cx: x.toFixed(1), cy: y.toFixed(1), r: r + 0.4, class: "live-minus-mark" });
}
