// Two points at a time: a pair, its segment in the square of its two alpha, and the parabola above it.
import { contours } from "./contours.js";
import { button, choice, slider } from "./controls.js";
import { html, svg } from "./elements.js";
import { Points } from "./points.js";
import { Stage } from "./stage.js";
import { Walker } from "./walk.js";
import { atMost, counted, number } from "./words.js";

const SPACING = 5; // pixels between two nodes of the grid on which f is computed
const PARABOLA_HEIGHT = 120; // height of the parabola, in pixels
const PACE = 350; // ms a step lasts where they play by themselves
const NEAR = 1e-3; // share of the best W that the gap falls to where the table counts steps
const STALE = "My rule chose for other points, or another C. Reset brings them back.";
const RACE_HEIGHT = 110; // height of W over the steps, in pixels, as in live.css

/**
 * @typedef {object} PairsState
 * @property {number[][]} points
 * @property {number[]} labels
 * @property {import("./kernels.js").Kernel} kernel
 * @property {number} C
 * @property {number[][]} pairs whose turn it is, in their order
 * @property {number} [step] how many steps have been taken
 * @property {import("./walk.js").Rule} [rule]
 * @property {number[][]} [chosen] the pairs that the reader has chosen
 * @property {{pairs: number[][], words: string, wrong: boolean}} [mine] what a rule written in Python has chosen, and how it ended
 * @property {number[]} limits x0, x1, y0, y1
 * @property {string} alt what is to be seen
 */

/**
 * @param {HTMLElement} root
 * @param {PairsState} state
 * @param {import("./figure.js").Home} home
 */
export function pairsFigure(root, state, home = {}) {
  const walker = new Walker(state);
  const main = html("div", { class: "live-main" });
  const views = html("div", { class: "live-views" });
  const said = html("p", { class: "live-said", "aria-live": "polite" });
  const proof = html("p", { class: "live-proof live-pairs-words" });
  const controls = html("div", { class: "live-controls" });
  root.classList.add("live-root");
  let timer = 0;
  let playing = 0;
  let first = -1; // the point that waits for its partner

  const price = slider({ label: "C", least: 0.01, most: 100, log: true }, (C) => { stop(); walker.change({ C }); speakSoon(); });
  const rules = ["random", "second order", "I choose", ...(state.mine ? ["my rule"] : [])];
  const rule = choice("pairs", rules.map((name) => [name, name]), (name) => {
    stop();
    walker.rule = /** @type {import("./walk.js").Rule} */ (name);
    if (name === "I choose") walker.step = walker.chosen.length;
    first = -1;
    walker.change({});
    speakSoon();
  });
  controls.append(rule.element, price.element);
  root.append(controls, html("div", { class: "live-columns" }, [main, views]), said);

  const stage = new Stage(main, { alt: state.alt, limits: state.limits, resized: () => draw(), dropped: speakSoon });
  const lines = [["live-edge", -1], ["live-edge", 1], ["live-boundary", 0]].map(([name, level]) => (
    { level: Number(level), path: svg("path", { class: String(name) }, stage.under) }));
  const bond = svg("path", { class: "live-segment" }, stage.under);
  const ends = [0, 1].map(() => svg("circle", { r: 12, class: "live-pair-end" }, stage.under));
  const waiting = svg("circle", { r: 15, class: "live-pair-first" }, stage.under);
  const points = new Points(stage, walker, { add: false, remove: false, toggle: false, pick: (i) => pick(i) });
  const transport = transportIn(main);
  main.append(proof);
  const pair = pairView(views, walker, () => speakSoon());
  const race = raceView(views, walker);
  const table = state.mine && raceTable(main, walker, state.mine);

  /** The first point of a pair, or its partner: then the step is taken. @param {number} i */
  function pick(i) {
    if (walker.rule !== "I choose") return;
    stop();
    const mine = first;
    first = mine < 0 ? i : -1; // the same point again: it is let go
    if (mine >= 0 && mine !== i) walker.choose([mine, i]);
    else refresh();
    speakSoon();
  }

  /** Buttons and a slider for the steps. @param {HTMLElement} place */
  function transportIn(place) {
    const input = html("input", { type: "range", min: "0", step: "1", "aria-label": "steps taken", autocomplete: "off" });
    const output = html("output", { "aria-hidden": "true" });
    const [back, on, play] = [button("Back", () => go(walker.step - 1)), button("Forward", () => go(walker.step + 1)), button("Play", () => (playing ? stop() : start()))];
    input.addEventListener("input", () => go(Number(input.value)));
    place.append(html("div", { class: "live-steps" }, [html("div", { class: "live-slider" }, [html("span", { class: "live-steps-name" }, ["steps"]), input, output]),
      html("div", { class: "live-tools" }, [back, on, play, button("Reset", reset)])]));
    return () => {
      const last = (walker.frames?.length ?? 1) - 1;
      input.max = String(last);
      input.value = String(walker.step);
      input.setAttribute("aria-valuetext", `${walker.step} of ${last}`);
      output.value = `${walker.step} of ${last}`;
      back.disabled = walker.step === 0;
      on.disabled = walker.step === last;
      play.textContent = playing ? "Pause" : "Play";
    };
  }

  /** @param {number} step */
  function go(step, byHand = true) {
    if (byHand) stop();
    walker.show(step);
    refresh();
    if (byHand) speakSoon();
  }

  function start() {
    if (walker.step === (walker.frames?.length ?? 1) - 1) walker.show(0);
    playing = window.setInterval(() => {
      if (walker.step >= (walker.frames?.length ?? 1) - 1) stop();
      else go(walker.step + 1, false);
    }, PACE);
    transport();
  }

  function stop() {
    clearInterval(playing);
    playing = 0;
    transport();
  }

  function reset() {
    stop();
    first = -1;
    walker.rule = state.rule ?? "random";
    walker.chosen = structuredClone(state.chosen ?? []);
    walker.step = state.step ?? 0;
    walker.change({ points: structuredClone(state.points), C: state.C });
    speakSoon();
  }

  function draw() {
    const [across, down] = [Math.ceil(stage.width / SPACING) + 1, Math.ceil(stage.height / SPACING) + 1];
    const x1 = Float64Array.from({ length: across }, (_, k) => stage.at(k * SPACING, 0)[0]);
    const x2 = Float64Array.from({ length: down }, (_, k) => stage.at(0, k * SPACING)[1]);
    const f = walker.field(x1, x2);
    for (const { level, path } of lines) path.setAttribute("d", walker.support.length ? Stage.path(contours(f, across, down, level), SPACING) : "");
    points.draw();
    const { taken } = walker;
    const at = taken ? [taken.i, taken.j].map((l) => [stage.x(walker.points[l][0]), stage.y(walker.points[l][1])]) : [];
    bond.setAttribute("d", at.map(([x, y], k) => `${k ? "L" : "M"}${x.toFixed(1)} ${y.toFixed(1)}`).join(""));
    ends.forEach((end, k) => {
      end.toggleAttribute("hidden", !taken);
      if (taken) end.setAttribute("transform", `translate(${at[k][0].toFixed(1)} ${at[k][1].toFixed(1)})`);
    });
    waiting.toggleAttribute("hidden", first < 0);
    if (first >= 0) waiting.setAttribute("transform", `translate(${stage.x(walker.points[first][0]).toFixed(1)} ${stage.y(walker.points[first][1]).toFixed(1)})`);
    price.set(walker.C);
    rule.select.value = walker.rule;
    transport();
    pair.draw();
    race.draw();
    table?.();
    proof.textContent = sentence();
  }

  /** What the step has done, in words. */
  function sentence() {
    const { taken, solution, step } = walker;
    if (!solution) return "";
    const worth = `W = ${number(solution.objective, 4)}, and the best is at most ${atMost(solution.gap)} higher.`;
    if (walker.rule === "my rule" && walker.stale) return STALE;
    const next = walker.rule !== "I choose" ? "" : first < 0 ? "Choose a point, then its partner. " : `Point ${first + 1} waits for its partner: choose another point. `;
    if (!taken) return `${next}No step yet: all α are 0. ${next ? "" : worth}`.trim();
    if (first >= 0) return `${next}${worth}`;
    const { i, j, before, after, ends: [low, high] } = taken;
    const where = after[0] === before[0] ? "nothing to gain: it stays"
      : Math.abs(after[0] - low) < 1e-12 * walker.C ? "stops at L" : Math.abs(after[0] - high) < 1e-12 * walker.C ? "stops at H" : "to the top of the parabola";
    return `${next ? score() : ""}Step ${step}: points ${i + 1} and ${j + 1}. α of point ${i + 1} from ${number(before[0])} to ${number(after[0])}: ${where}. ${worth}`;
  }

  /** The reader's steps beside the rule's. */
  function score() {
    const { ideal, solution, step } = walker;
    const best = ideal[ideal.length - 1];
    const share = (/** @type {number} */ W) => `${number(Math.floor(1000 * Math.max(0, W / best)) / 10)} %`;
    return `Your ${counted(step, "step")}: ${share(solution?.objective ?? 0)} of the best W. The rule has ${share(ideal[Math.min(step, ideal.length - 1)])} by then, and all of it after ${ideal.length - 1}. `;
  }

  function speakSoon() {
    clearTimeout(timer);
    timer = window.setTimeout(() => {
      const i = points.selected;
      said.textContent = `${document.activeElement === points.grips[i]?.element ? `${points.describe(i)}. ` : ""}${proof.textContent} ${pair.words()}`.trim();
    }, 350);
  }

  function refresh() {
    draw();
    const { points: places, C, rule: by, step, chosen } = walker;
    home.changed?.(/** @type {any} */ ({ points: places.map((point) => [...point]), C, rule: by, step, chosen: structuredClone(chosen) }));
  }

  const forget = walker.subscribe(refresh);
  draw();
  return {
    machine: walker, stage,
    /** @param {Partial<PairsState>} setting */
    set(setting) {
      if (setting.rule) walker.rule = setting.rule;
      if (setting.chosen) walker.chosen = structuredClone(setting.chosen);
      if (setting.step !== undefined) walker.step = setting.step;
      walker.change(structuredClone({ points: setting.points ?? walker.points, C: setting.C ?? walker.C }));
    },
    reset,
    destroy() {
      stop();
      clearTimeout(timer);
      forget();
      stage.destroy();
      pair.destroy();
      root.replaceChildren();
    },
  };
}

/**
 * The parabola, and the square below it on the same axis. The dot on the segment can be pulled: is there a better place?
 * @param {HTMLElement} place
 * @param {Walker} walker
 * @param {() => void} dropped
 */
function pairView(place, walker, dropped) {
  const title = html("p", { class: "live-title" }, ["The gain along the segment"]);
  const picture = svg("svg", { class: "live-parabola", role: "img", height: PARABOLA_HEIGHT });
  const second = html("p", { class: "live-title" }, ["The two α of the pair"]);
  const words = html("p", { class: "live-text" });
  const section = html("section", { "aria-label": "The pair" }, [title, picture, second]);
  place.append(section);
  const square = new Stage(section, {
    alt: "The square of the two α, with the segment on which the pair lives", limits: [0, 1, 0, 1],
    resized: () => draw(), dropped,
  });
  section.append(words);
  const box = svg("path", { class: "live-box" }, square.under);
  const uprights = [picture, square.under].map((layer) => [0, 1].map(() => svg("line", { class: "live-upright" }, layer)));
  const letters = ["L", "H"].map((letter) => {
    const text = svg("text", { y: 12, "text-anchor": "middle" }, picture);
    text.textContent = letter;
    return text;
  });
  const whole = svg("path", { class: "live-edge" }, picture);
  const curve = svg("path", { class: "live-curve" }, picture);
  const road = svg("path", { class: "live-segment" }, square.under);
  const starts = [picture, square.under].map((layer) => svg("circle", { r: 5, class: "live-start" }, layer));
  const landed = svg("circle", { r: 5, class: "live-here" }, picture);
  let trial = /** @type {number | null} */ (null); // alpha_i where the reader has pulled the dot
  let shown = /** @type {import("./walk.js").Step | null} */ (null);
  const other = (/** @type {import("./walk.js").Step} */ step, /** @type {number} */ a) => {
    const s = walker.labels[step.i] * walker.labels[step.j];
    return Math.min(walker.C, Math.max(0, step.before[1] - s * (a - step.before[0])));
  };
  const here = () => trial ?? walker.taken?.after[0] ?? 0;
  const grip = square.grip({
    at: () => (walker.taken ? [here(), other(walker.taken, here())] : [0, 0]),
    move(to) {
      const step = walker.taken;
      if (!step) return;
      const s = walker.labels[step.i] * walker.labels[step.j];
      const now = [here(), other(step, here())];
      const by = Math.abs(to[0] - now[0]) > 1e-9 && Math.abs(to[1] - now[1]) < 1e-9 ? to[0] - now[0] // an arrow key
        : Math.abs(to[0] - now[0]) < 1e-9 ? -s * (to[1] - now[1]) : ((to[0] - now[0]) - s * (to[1] - now[1])) / 2;
      trial = Math.min(step.ends[1], Math.max(step.ends[0], now[0] + by));
      draw();
    },
    label: () => `The pair on its segment. ${speech()}`,
  });
  svg("circle", { r: 6, class: "live-here" }, grip.element);

  /** @param {import("./walk.js").Step} step @param {number} a */
  const gain = ({ before, slope, curvature }, a) => slope * (a - before[0]) - 0.5 * curvature * (a - before[0]) ** 2;

  function speech() {
    const step = walker.taken;
    if (!step) return "";
    const a = here();
    const [got, best] = [gain(step, a), gain(step, step.after[0])];
    const pulled = trial !== null && Math.abs(a - step.after[0]) > 1e-9 * walker.C;
    const compared = pulled ? ` The step gains ${number(best)}.` : " Pull the dot: nowhere on the segment does it gain more.";
    return `α of point ${step.i + 1} = ${number(a)}, α of point ${step.j + 1} = ${number(other(step, a))}: a gain of ${number(got)}.${compared}`;
  }

  function draw() {
    const step = walker.taken;
    if (step !== shown) [shown, trial] = [step, null];
    section.classList.toggle("live-empty", !step);
    words.textContent = step ? speech() : "Take a step to see a pair.";
    if (!step) return;
    const { before, after, ends } = step;
    const { C } = walker;
    const far = 1.8 * Math.max(...before, ...after);
    const most = far > 0 && far < 0.25 * C ? far : C; // a large C leaves most of the square empty
    square.options.names = [step.i, step.j].map((l) => `α${below(l + 1)}`);
    square.look([-0.16 * most, 1.1 * most, -0.16 * most, 1.1 * most]);
    const [x, y] = [(/** @type {number} */ v) => square.x(v), (/** @type {number} */ v) => square.y(v)];
    const rim = most < C ? 1.3 * most : C; // the walls at C are out of sight
    box.setAttribute("d", `M${x(0)} ${y(0)}H${x(rim)}V${y(rim)}H${x(0)}Z`);
    road.setAttribute("d", `M${x(ends[0])} ${y(other(step, ends[0]))}L${x(ends[1])} ${y(other(step, ends[1]))}`);
    starts[1].setAttribute("transform", `translate(${x(before[0])} ${y(before[1])})`);
    picture.setAttribute("viewBox", `0 0 ${square.width} ${PARABOLA_HEIGHT}`);
    const sides = [Math.max(ends[0], -0.1 * most), Math.min(ends[1], 1.1 * most)];
    const across = (/** @type {number} */ from, /** @type {number} */ to) => Array.from({ length: 61 }, (_, k) => from + (k / 60) * (to - from));
    const values = [...across(sides[0], sides[1]), before[0], after[0]].map((a) => gain(step, a));
    const [low, high] = [Math.min(...values), Math.max(...values)];
    const up = (/** @type {number} */ value) => 22 + (high > low ? (high - value) / (high - low) : 0.5) * (PARABOLA_HEIGHT - 34);
    const path = (/** @type {number[]} */ at) => at.map((a, k) => `${k ? "L" : "M"}${x(a).toFixed(1)} ${Math.max(-PARABOLA_HEIGHT, Math.min(2 * PARABOLA_HEIGHT, up(gain(step, a)))).toFixed(1)}`).join("");
    whole.setAttribute("d", path(across(-0.16 * most, 1.1 * most)));
    curve.setAttribute("d", path(across(sides[0], sides[1])));
    starts[0].setAttribute("transform", `translate(${x(before[0])} ${up(0)})`);
    landed.setAttribute("transform", `translate(${x(here())} ${up(gain(step, here()))})`);
    ends.forEach((end, k) => {
      uprights.forEach((both, layer) => {
        for (const side of ["x1", "x2"]) both[k].setAttribute(side, x(end).toFixed(1));
        both[k].setAttribute("y1", layer ? "0" : "16");
        both[k].setAttribute("y2", layer ? y(other(step, end)).toFixed(1) : String(PARABOLA_HEIGHT));
      });
      letters[k].setAttribute("x", (x(end) + (ends[1] - ends[0] < 0.06 * most ? 8 * (2 * k - 1) : 0)).toFixed(1));
    });
    picture.setAttribute("aria-label", `The gain of the pair as a parabola over α of point ${step.i + 1}, from L = ${number(ends[0])} to H = ${number(ends[1])}.`);
    square.place();
  }
  return { draw, words: () => (trial === null ? "" : words.textContent ?? ""), destroy: () => square.destroy() };
}

/**
 * W after each step of this walk, and of the rule's; with a rule of the reader's, all three side by side.
 * @param {HTMLElement} place
 * @param {Walker} walker
 */
function raceView(place, walker) {
  const picture = svg("svg", { class: "live-race", role: "img", viewBox: `0 0 260 ${RACE_HEIGHT}`, preserveAspectRatio: "none" });
  place.append(html("section", { "aria-label": "W step by step" }, [
    html("p", { class: "live-title" }, ["W after each step"]), picture,
    html("p", { class: "live-text" }, [`Solid: this walk, with a dot where you stand. Dashed: second order. ${walker.mine ? "Thin: the others. " : ""}Dotted: the best W there is.`]),
  ]));
  const goal = svg("line", { class: "live-race-goal", x1: 0, x2: 260 }, picture);
  const others = [0, 1].map(() => svg("path", { class: "live-race-other" }, picture));
  const rule = svg("path", { class: "live-race-rule" }, picture);
  const walked = svg("path", { class: "live-curve" }, picture);
  const here = svg("ellipse", { class: "live-here", rx: 4.5, ry: 4.5 }, picture);

  function draw() {
    const { ideal, step } = walker;
    const values = (walker.frames ?? []).map((frame) => frame.objective);
    const best = ideal[ideal.length - 1];
    const last = Math.max(ideal.length - 1, Math.min(values.length - 1, Math.max(step, 2 * ideal.length)), 1);
    const x = (/** @type {number} */ k) => 6 + (k / last) * 248;
    const y = (/** @type {number} */ W) => RACE_HEIGHT - 8 - (best > 0 ? W / best : 0) * (RACE_HEIGHT - 20);
    const path = (/** @type {number[]} */ all) => all.slice(0, last + 1).map((W, k) => `${k ? "L" : "M"}${x(k).toFixed(1)} ${y(W).toFixed(1)}`).join("");
    for (const side of ["y1", "y2"]) goal.setAttribute(side, y(best).toFixed(1));
    rule.setAttribute("d", `${path(ideal)}L${x(last).toFixed(1)} ${y(best).toFixed(1)}`);
    walked.setAttribute("d", path(values));
    [walker.byChance, walker.byMine].forEach((frames, k) => others[k].setAttribute("d", path((frames ?? []).map((frame) => frame.objective))));
    here.setAttribute("cx", x(Math.min(step, last)).toFixed(1));
    here.setAttribute("cy", y(values[step] ?? 0).toFixed(1));
    const [now, its] = [values[step] ?? 0, ideal[Math.min(step, ideal.length - 1)]].map((W) => number(W));
    picture.setAttribute("aria-label", `W over the steps: ${now} after ${counted(step, "step")}, second order ${its}; the best is ${number(best)}, which second order reaches after ${ideal.length - 1}.`);
  }
  return { draw };
}

/**
 * The gap of the three rules after as many steps, and how many steps bring it down; returns what writes the numbers.
 * @param {HTMLElement} place
 * @param {Walker} walker
 * @param {NonNullable<PairsState["mine"]>} mine
 */
function raceTable(place, walker, mine) {
  const when = html("th", { scope: "col" });
  const rows = ["random", "second order", "my rule"].map((name) => ({ name, gap: html("td"), near: html("td") }));
  place.append(
    html("p", { class: `live-text live-race-words${mine.wrong ? " live-race-wrong" : ""}` }, [mine.words]),
    html("table", { class: "live-race-table" }, [
      html("thead", {}, [html("tr", {}, [html("th", { scope: "col" }, ["pairs"]), when, html("th", { scope: "col" }, ["steps until it is a thousandth of W"])])]),
      html("tbody", {}, rows.map(({ name, gap, near }) => html("tr", {}, [html("th", { scope: "row" }, [name]), gap, near]))),
    ]));
  return () => {
    const { step, ideal, stale } = walker;
    const least = NEAR * ideal[ideal.length - 1];
    when.textContent = `gap after ${counted(step, "step")}`;
    [walker.byChance, walker.best, walker.byMine].forEach((frames, k) => {
      const known = frames && !(k === 2 && stale) ? frames : [];
      const count = known.findIndex((frame) => frame.gap <= least);
      rows[k].gap.textContent = known.length ? atMost(known[Math.min(step, known.length - 1)].gap) : "–";
      rows[k].near.textContent = count < 0 ? "–" : String(count);
    });
  };
}

/** An index below the line: 27 as ₂₇. @param {number} index */
function below(index) {
  return [...String(index)].map((digit) => "₀₁₂₃₄₅₆₇₈₉"[Number(digit)]).join("");
}
