// Turn a line by its normal: the band answers, and its width is written down where the hand has been.
import { button } from "./controls.js";
import { html, raised, spokenText, svg } from "./elements.js";
import { guess, lineOf } from "./guess.js";
import { SYMBOL } from "./points.js";
import { Separator } from "./separator.js";
import { Stage } from "./stage.js";
import { area, arrowTo, clipped, groundOf, lineAcross, trail } from "./strips.js";
import { atMost, counted, number } from "./words.js";

const RADIUS = 0.3; // of the plane: how far the tip of the arrow is from the middle of the points
const SPIN = 900; // ms that the arrow takes to the widest band

/** @typedef {{points: number[][], labels: number[], alt: string, limits: number[], angle: number, heights?: number[], ask?: import("./guess.js").Ask}} TurnState */

/**
 * The line with its normal at an angle, in the middle between the classes.
 * @param {number[][]} points
 * @param {number[]} labels
 * @param {number} degrees
 */
export function bandAt(points, labels, degrees) {
  const u = [Math.cos((degrees * Math.PI) / 180), Math.sin((degrees * Math.PI) / 180)];
  const along = points.map((x) => u[0] * x[0] + u[1] * x[1]);
  const [low, high] = along.reduce(([most, least], t, i) => (labels[i] < 0 ? [Math.max(most, t), least] : [most, Math.min(least, t)]), [-Infinity, Infinity]);
  const b = -(low + high) / 2;
  const edge = [...along.keys()].filter((i) => Math.abs(along[i] - (labels[i] > 0 ? high : low)) < 1e-9);
  const wrong = along.filter((t, i) => labels[i] * (t + b) <= 0).length;
  return { u, b, width: high - low, edge, wrong };
}

/** Between -180 and 180. @param {number} degrees */
function wrapped(degrees) {
  return degrees - 360 * Math.ceil((degrees - 180) / 360);
}

/**
 * What the widest band makes of a line that a reader has drawn.
 * @param {number[][]} points
 * @param {number[]} labels
 * @param {number[][]} ends
 */
export function drawnLine(points, labels, ends) {
  const { w, b } = lineOf(ends);
  const f = points.map((x) => w[0] * x[0] + w[1] * x[1] + b);
  const sided = [1, -1].map((side) => f.map((v, i) => side * labels[i] * v)).sort((one, other) => Math.min(...other) - Math.min(...one))[0];
  const wrong = Math.min(...[1, -1].map((side) => f.filter((v, i) => side * labels[i] * v <= 0).length));
  const machine = new Separator({ points, labels, kernel: { name: "linear" }, C: 1 });
  const [yours, best] = [Math.min(...sided), 1 / machine.length];
  if (wrong) return { right: false, words: `Your line has ${counted(wrong, "point")} on the wrong side. The widest band keeps every point at least ${number(best)} from its line.` };
  const right = yours >= 0.9 * best;
  return { right, words: `Your line keeps ${number(yours)} from its nearest point; the middle of the widest band keeps ${number(best)}.${right ? " Well drawn." : ""}` };
}

/**
 * @param {HTMLElement} root
 * @param {TurnState} state
 * @param {{changed?: (setting: any) => void, memory?: import("./guess.js").Memory}} home
 */
export function turnFigure(root, state, home = {}) {
  const { points, labels } = state;
  const middle = [0, 1].map((m) => points.reduce((sum, x) => sum + x[m], 0) / points.length);
  let { angle } = state;
  let [timer, frame] = [0, 0];
  /** Where the hand has been: width by whole degree. @type {Map<number, number>} */
  const seen = new Map();
  const [main, side] = [html("div", { class: "live-main" }), html("section", { "aria-label": "Width of the band over the angle" })];
  const proof = html("p", { class: "live-proof" });
  const said = html("p", { class: "live-said", "aria-live": "polite" });
  root.classList.add("live-root");
  root.append(html("div", { class: "live-columns" }, [main, html("div", { class: "live-views" }, [side])]), said);

  const stage = new Stage(main, { alt: state.alt, limits: state.limits, resized: () => draw(), dropped: speakSoon });
  const ground = groundOf(stage);
  const sides = [-1, 1].map((label) => svg("path", { class: `live-side-${label > 0 ? "plus" : "minus"}` }, ground));
  const dial = svg("circle", { class: "live-dial" }, stage.under);
  const shadow = svg("path", { class: "live-thread" }, stage.under);
  const edges = [-1, 1].map(() => svg("path", { class: "live-edge" }, stage.under));
  const boundary = svg("path", { class: "live-boundary" }, stage.under);
  const marks = labels.map((label) => stillPoint(label, stage.pointLayer));
  stage.pointLayer.setAttribute("aria-hidden", "true");
  const arrow = svg("path", { class: "live-normal" }, stage.over);
  const grip = stage.grip({
    at: () => tip(),
    move: (to) => turn((Math.atan2(to[1] - middle[1], to[0] - middle[0]) * 180) / Math.PI),
    label: () => "Angle of the normal",
  });
  const handle = /** @type {SVGGElement} */ (grip.element);
  svg("circle", { r: 12, class: "live-wide-handle" }, handle);
  for (const [name, value] of Object.entries({ role: "slider", "aria-valuemin": "-180", "aria-valuemax": "180" })) handle.setAttribute(name, value);
  handle.addEventListener("keydown", (event) => {
    const way = { ArrowLeft: 1, ArrowUp: 1, ArrowRight: -1, ArrowDown: -1 }[event.key];
    if (!way || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    event.stopPropagation(); // a step round the circle, instead of one to the side
    turn(angle + way * (event.shiftKey ? 0.2 : 1));
    speakSoon();
  });
  main.append(proof, html("div", { class: "live-tools" }, [button("Turn to the widest", () => swing()), button("Start again", () => again())]), turnHelp());

  side.append(html("p", { class: "live-title" }, ["Width over the angle"]));
  const record = new Stage(side, {
    alt: "The width of the band over the angle of the normal, at the angles that you have tried.", equal: false, ratio: 1,
    limits: [-180, 180, ...(state.heights ?? heights())], names: ["°", "width"], resized: () => draw(),
  });
  record.svg.setAttribute("role", "img");
  side.append(html("p", { class: "live-text" }, ["Your hand draws this curve, where it has been. Below zero no line with this normal has class +1 on the side of the arrow."]));
  const zero = svg("path", { class: "live-zero" }, record.under);
  const curve = svg("path", { class: "live-curve" }, record.under);
  const best = svg("path", { class: "live-best" }, record.under);
  const here = svg("circle", { r: 5, class: "live-here" }, record.over);
  const peak = svg("text", { "text-anchor": "start" }, record.over);

  /** What the curve needs. */
  function heights() {
    const widths = Array.from({ length: 360 }, (_, k) => bandAt(points, labels, k).width);
    const [least, most] = [Math.min(...widths), Math.max(...widths)];
    return [least - 0.1 * (most - least), most + 0.18 * (most - least)];
  }

  function radius() {
    return RADIUS * Math.min(stage.shown[1] - stage.shown[0], stage.shown[3] - stage.shown[2]);
  }

  function tip() {
    const { u } = bandAt(points, labels, angle);
    return middle.map((c, m) => c + radius() * u[m]);
  }

  /** @param {number} to in degrees; what lies on the shorter way there has been seen, too */
  function turn(to) {
    const by = wrapped(to - angle);
    for (let k = 1; k <= Math.floor(Math.abs(by)); k += 1) note(angle + Math.sign(by) * k);
    angle = wrapped(Math.round((angle + by) * 10) / 10);
    note(angle);
    draw();
    home.changed?.({ angle });
  }

  /** @param {number} degrees */
  function note(degrees) {
    const whole = wrapped(Math.round(degrees));
    seen.set(whole, bandAt(points, labels, whole).width);
  }

  /** To the solver's answer. */
  function swing() {
    cancelAnimationFrame(frame);
    const machine = new Separator({ points, labels, kernel: { name: "linear" }, C: 1 });
    if (!machine.solution) {
      said.textContent = machine.problem;
      return;
    }
    const found = machine.solution;
    const [w1, w2] = machine.w;
    const [from, to] = [angle, (Math.atan2(w2, w1) * 180) / Math.PI];
    const by = wrapped(to - from);
    const begin = performance.now();
    const time = matchMedia("(prefers-reduced-motion: reduce)").matches ? 0 : SPIN;
    const step = () => {
      const part = time ? Math.min(1, (performance.now() - begin) / time) : 1;
      turn(from + by * part * part * (3 - 2 * part));
      if (part < 1) frame = requestAnimationFrame(step);
      else {
        proof.append(` The solver's band is ${number(2 / machine.length, 4)} wide, proved to be within `, html("b", {}, raised(atMost(found.gap))), ` of the optimum of ½‖w‖², ${number(found.objective)}.`);
        speakSoon();
      }
    };
    step();
  }

  function again() {
    cancelAnimationFrame(frame);
    seen.clear();
    angle = state.angle;
    turn(angle);
    speakSoon();
  }

  function draw() {
    if (!peak) return; // not yet built
    const { u, b, width, edge, wrong } = bandAt(points, labels, angle);
    const half = Math.max(0, width / 2);
    sides.forEach((path, k) => path.setAttribute("d", area(stage, clipped(stage, u.map((v) => (k ? v : -v)), (k ? b : -b) - half))));
    edges.forEach((path, k) => path.setAttribute("d", width > 0 ? lineAcross(stage, u, b, k ? half : -half) : ""));
    boundary.setAttribute("d", lineAcross(stage, u, b));
    boundary.classList.toggle("live-failed", width <= 0);
    const f = u[0] * middle[0] + u[1] * middle[1] + b;
    const pixels = (/** @type {number[]} */ x) => [stage.x(x[0]), stage.y(x[1])];
    arrow.setAttribute("d", arrowTo(pixels(middle.map((c, m) => c - f * u[m])), pixels(middle.map((c, m) => c + radius() * u[m])), 13));
    for (const [name, value] of Object.entries({ cx: stage.x(middle[0]), cy: stage.y(middle[1]), r: stage.x(radius()) - stage.x(0) })) dial.setAttribute(name, value.toFixed(1));
    const [low, high] = [-1, 1].map((label) => points[edge.find((i) => labels[i] === label) ?? 0]);
    shadow.setAttribute("d", width > 0 ? trail(stage, [low, high]) : "");
    marks.forEach((mark, i) => {
      mark.setAttribute("transform", `translate(${stage.x(points[i][0]).toFixed(1)} ${stage.y(points[i][1]).toFixed(1)})`);
      mark.classList.toggle("live-on-edge", width > 0 && edge.includes(i));
      mark.classList.toggle("live-wrong", labels[i] * (u[0] * points[i][0] + u[1] * points[i][1] + b) <= 0);
    });
    handle.setAttribute("aria-valuenow", String(angle));
    handle.setAttribute("aria-valuetext", `${number(angle, 4)} degrees, ${width > 0 ? `the band is ${number(width)} wide` : `${counted(wrong, "point")} on the wrong side`}`);
    proof.replaceChildren(`Normal at ${number(angle, 4)}°: `, ...(width > 0 ? ["the band is ", html("b", {}, [number(width)]), ` wide and rests on the ${edge.length} ringed points.`]
      : [`no line with this normal has class +1 on the arrow's side. This one has `, html("b", {}, [counted(wrong, "point")]), " on the wrong side."]));
    stage.place();
    drawRecord(width);
  }

  /** @param {number} width */
  function drawRecord(width) {
    const pieces = /** @type {number[][][]} */ ([]);
    let most = -Infinity;
    let at = 0;
    for (let k = -180; k <= 180; k += 1) {
      const value = seen.get(k === -180 ? 180 : k);
      if (value === undefined) continue;
      if (!seen.has(k - 1) || !pieces.length) pieces.push([]);
      pieces[pieces.length - 1].push([k, value]);
      if (value > most) [most, at] = [value, k];
    }
    curve.setAttribute("d", pieces.map((piece) => trail(record, piece)).join(""));
    zero.setAttribute("d", trail(record, [[-180, 0], [180, 0]]));
    here.setAttribute("cx", record.x(angle).toFixed(1));
    here.setAttribute("cy", record.y(width).toFixed(1));
    const known = most > 0 && seen.size > 1;
    best.setAttribute("d", known ? trail(record, [[at, 0], [at, most]]) : "");
    peak.textContent = known ? `widest so far: ${number(most)} at ${number(at)}°` : "";
    peak.setAttribute("x", Math.min(record.width - 175, Math.max(60, record.x(at) - 60)).toFixed(1));
    peak.setAttribute("y", (record.y(most) - 10).toFixed(1));
  }

  function speakSoon() {
    clearTimeout(timer);
    timer = window.setTimeout(() => { said.textContent = spokenText(proof); }, 350);
  }

  note(angle);
  draw();
  if (state.ask) guess(root, { ask: state.ask, stage, memory: home.memory, reset: again, reveal: swing, judges: { line: (ends) => drawnLine(points, labels, ends) } });
  return {
    set(/** @type {Partial<TurnState>} */ setting) { if (Number.isFinite(setting.angle)) turn(Number(setting.angle)); },
    destroy() {
      cancelAnimationFrame(frame);
      clearTimeout(timer);
      stage.destroy();
      record.destroy();
      root.replaceChildren();
    },
  };
}

/** A point that nobody can move. @param {number} label @param {Element} layer */
export function stillPoint(label, layer) {
  const mark = svg("g", { class: `live-mark-point live-${label > 0 ? "plus" : "minus"}` }, layer);
  svg("circle", { class: "live-halo", r: 9 }, mark);
  svg("circle", { class: "live-disc", r: SYMBOL + 0.5 }, mark);
  svg("rect", { class: "live-square", x: -SYMBOL, y: -SYMBOL, width: 2 * SYMBOL, height: 2 * SYMBOL }, mark);
  return mark;
}

function turnHelp() {
  return html("details", { class: "live-help" }, [
    html("summary", {}, ["By mouse, finger and keyboard"]),
    html("p", {}, ["Drag the tip of the arrow round. With the keyboard: Tab to the tip, then the arrow keys turn it by a degree, with Shift by a fifth of one."]),
  ]);
}
