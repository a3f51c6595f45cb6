// Ten challenges of the playground: each sets the figure up, and says at every change what is still missing. Entry of a
// script of its own, which book/_static/live.js loads on the page that has them. Their sentences stand on that page.
import { button } from "./controls.js";
import { html } from "./elements.js";
import { hullOf, shortestBridge } from "./hulls.js";
import { complete } from "./kernels.js";
import { Machine } from "./machine.js";
import { counted, number } from "./words.js";

/**
 * @typedef {import("./machine.js").Setting} Setting
 * @typedef {Setting & {limits?: number[]}} Start
 * @typedef {{machine: Machine, start: Start, first: Machine}} Trial  first: the machine of the start
 * @typedef {Record<string, {points: number[][], labels: number[]}>} Sets
 * @typedef {{start: (sets: Sets) => Start, missing: (trial: Trial) => string, why: string}} Challenge  missing: "" when it is
 *   done; why: what there was to see in it
 */

const LINEAR = /** @type {const} */ ({ name: "linear" });
const SAME = 1e-6; // of a unit of the plane: a point that has not been moved
const DIFFERENT = 1e-3; // of the largest |f|: a boundary that has

/** How many points are not on their side. @param {Machine} machine */
const wrong = (machine) => machine.points.filter((point, i) => !(machine.labels[i] * machine.decision(point) > 0)).length;

/** Width of a linear machine's band. @param {Machine} machine */
const width = (machine) => 2 / machine.length;

/** Points that are somewhere else, or of the other class, than at the start. @param {{machine: Machine, start: Start}} trial */
function moved({ machine, start }) {
  return [...start.points.keys()].filter((i) => machine.labels[i] !== start.labels[i]
    || Math.hypot(...start.points[i].map((x, m) => x - (machine.points[i] ?? [NaN, NaN])[m])) > SAME || !machine.points[i]);
}

/** Whether points and labels are those of the start. @param {Trial} trial */
const untouched = ({ machine, start }) => machine.points.length === start.points.length && moved({ machine, start }).length === 0;

/** Whether f is that of the start, at 81 places about its points. @param {Trial} trial */
function boundaryStays({ machine, first, start }) {
  const span = [0, 1].map((m) => start.points.map((point) => point[m]));
  const at = (/** @type {number} */ m, /** @type {number} */ k) => Math.min(...span[m]) + (k / 8) * (Math.max(...span[m]) - Math.min(...span[m]));
  const places = Array.from({ length: 81 }, (_, k) => [at(0, k % 9), at(1, Math.floor(k / 9))]);
  const f = places.map((place) => first.decision(place));
  const most = Math.max(...f.map(Math.abs));
  return places.every((place, k) => Math.abs(machine.decision(place) - f[k]) <= DIFFERENT * most);
}

/** Fresh points of the disc and the ring, spread evenly: the disc has radius 1, the ring reaches to 2. */
function freshPoints() {
  const found = { points: /** @type {number[][]} */ ([]), labels: /** @type {number[]} */ ([]) };
  for (const [label, inner, outer] of [[-1, 0, 1], [1, 1, 4]]) {
    for (let k = 0; k < 200; k += 1) {
      const radius = Math.sqrt(inner + ((k + 0.5) / 200) * (outer - inner));
      const angle = 2.399963 * k; // the golden one
      found.points.push([radius * Math.cos(angle), radius * Math.sin(angle)]);
      found.labels.push(label);
    }
  }
  return found;
}
const FRESH = freshPoints();

/** Share of the fresh points that a machine gets wrong. @param {Machine} machine */
const freshErrors = (machine) => FRESH.points.filter((point, k) => !(FRESH.labels[k] * machine.decision(point) > 0)).length / FRESH.points.length;

/** @param {number} part */
const percent = (part) => `${number(100 * part, 2)} %`;

/** In the order of the list on the page. @type {Challenge[]} */
export const CHALLENGES = [
  { // one point halves the band
    start: (sets) => ({ ...sets["two clouds"], kernel: LINEAR, C: 1000 }),
    missing({ machine, start, first }) {
      const added = machine.points.length - start.points.length;
      if (moved({ machine, start }).length) return "The old points must stay where they were: press Start again.";
      if (machine.kernel.name !== "linear") return "Keep the linear kernel.";
      if (added !== 1) return added ? `Add one point; you have added ${added}.` : "Choose a class below the plane, and click where the new point shall be.";
      if (wrong(machine)) return `${counted(wrong(machine), "point")} on the wrong side: the line must make no error.`;
      return width(machine) <= width(first) / 2 ? "" : `The band is ${number(width(machine), 2)} wide. It was ${number(width(first), 2)}.`;
    },
    why: "On its own side of the old line no point can do that: from there it is more than half a band to the other class.",
  },
  { // two support vectors
    start: (sets) => ({ ...sets["two clouds"], kernel: LINEAR, C: 1000 }),
    missing({ machine, start }) {
      if (machine.points.length !== start.points.length || machine.labels.some((label, i) => label !== start.labels[i])) {
        return "Pull points, and neither add nor remove any: press Start again.";
      }
      if (machine.kernel.name !== "linear") return "Keep the linear kernel.";
      if (wrong(machine)) return "Every point must be on its side.";
      return machine.support.length === 2 ? "" : `${counted(machine.support.length, "point")} carry the boundary.`;
    },
    why: "Two α, and they are equal: one pushes from each side, along the line that joins them.",
  },
  { // a point that does not matter
    start: (sets) => ({ ...sets["two clouds"], kernel: LINEAR, C: 1000 }),
    missing({ machine, start, first }) {
      const others = moved({ machine, start });
      if (machine.points.length !== start.points.length || others.length > 1) return "Move one point only: press Start again.";
      const far = others.map((i) => Math.hypot(machine.points[i][0] - start.points[i][0], machine.points[i][1] - start.points[i][1]))[0] ?? 0;
      if (far < 1) return `You have moved a point by ${number(far, 2)}. Move one by 1 or more.`;
      return boundaryStays({ machine, start, first }) ? "" : "The boundary has moved. This point matters: put it back.";
    },
    why: "A point with α = 0 may go wherever it likes beyond its edge of the band.",
  },
  { // a support vector that is not needed
    start: () => ({ points: [[-1, -1], [-1, 1], [1, -1], [1, 1]], labels: [-1, -1, 1, 1], kernel: LINEAR, C: 10, limits: [-2, 2, -2, 2] }),
    missing(trial) {
      const { machine, start, first } = trial;
      const stands = (/** @type {number[]} */ post, /** @type {number[][]} */ posts) => posts.some((other) => Math.hypot(other[0] - post[0], other[1] - post[1]) < SAME);
      const gone = [...start.points.keys()].filter((i) => !stands(start.points[i], machine.points));
      if (!gone.length && machine.points.length === start.points.length) return "Two of the four posts have rings. Take one of these away.";
      if (gone.length !== 1 || machine.points.length !== start.points.length - 1) return "Take one post away, and leave the others where they are: press Start again.";
      if (!first.support.includes(gone[0])) return "That one had no ring. Press Start again, and take one that has.";
      return boundaryStays(trial) ? "" : "The boundary has moved.";
    },
    why: "Another post takes over its push. One line, and more than one choice of α: only w and b are unique.",
  },
  { // a kernel instead of a line
    start: (sets) => ({ ...sets["the disc and the ring"], kernel: LINEAR, C: 10 }),
    missing(trial) {
      if (!untouched(trial)) return "Do not touch the points: press Start again.";
      return wrong(trial.machine) ? `${counted(wrong(trial.machine), "point")} on the wrong side.` : "";
    },
    why: "In the kernel's feature space a plane cuts the classes apart; down here its cut is curved.",
  },
  { // learnt by heart
    start: (sets) => ({ ...sets["the disc and the ring"], kernel: { name: "gaussian", sigma: 0.6 }, C: 10 }),
    missing(trial) {
      if (!untouched(trial)) return "Do not touch the points: press Start again.";
      const [seen, fresh] = [wrong(trial.machine), freshErrors(trial.machine)];
      return !seen && fresh > 0.1 ? "" : `Training errors: ${seen}. Wrong on 400 fresh points: ${percent(fresh)}.`;
    },
    why: "No error on the points that were learnt says little about those that come later.",
  },
  { // every bar full
    start: (sets) => ({ ...sets["the disc and the ring"], kernel: { name: "gaussian", sigma: 0.6 }, C: 10 }),
    missing(trial) {
      if (!untouched(trial)) return "Do not touch the points: press Start again.";
      const { alpha, C } = trial.machine;
      const full = alpha.filter((value) => value >= C * (1 - 1e-6)).length;
      return full === alpha.length ? "" : `${full} of ${alpha.length} bars are full.`;
    },
    why: "With so little allowed to each, all together cannot push f to its 1 and −1.",
  },
  { // four points that no line separates
    start: () => ({ points: [[-0.7, -0.6], [-0.6, 0.7], [0.7, -0.7], [0.6, 0.6]], labels: [-1, -1, 1, 1], kernel: LINEAR, C: 1000, limits: [-1.4, 1.4, -1.4, 1.4] }),
    missing({ machine }) {
      const { points, labels } = machine;
      if (points.length !== 4) return `There are ${points.length} points. Make it four.`;
      if (!machine.solution) return machine.problem;
      const [plus, minus] = [1, -1].map((label) => hullOf(points.filter((_, i) => labels[i] === label)));
      if (shortestBridge(plus, minus)) return "A line still separates them.";
      if (machine.kernel.name !== "polynomial" || complete(machine.kernel).Q !== 2) return "No line does it. Now choose the polynomial kernel with Q = 2.";
      return wrong(machine) ? `${counted(wrong(machine), "point")} on the wrong side. Is the price of an error high enough?` : "";
    },
    why: "With Q = 2, f is a polynomial of degree two in the coordinates, and f = 0 a conic section.",
  },
  { // the class of the far plane
    start: (sets) => ({ ...sets["the W"], kernel: { name: "gaussian", sigma: 0.7 }, C: 10 }),
    missing(trial) {
      const { machine } = trial;
      if (!untouched(trial)) return "Do not touch the points: press Start again.";
      if (machine.kernel.name !== "gaussian") return "Keep the Gaussian kernel.";
      const b = machine.solution?.b ?? 0;
      return b > 0 ? "" : `Far away f is b = ${number(b, 2)}, which is class −1.`;
    },
    why: "Far from all points every bump has died away, and b alone decides.",
  },
  { // no proof
    start: (sets) => ({ ...sets["two clouds and an intruder"], kernel: { name: "gaussian", sigma: 0.6 }, C: 10 }),
    missing({ machine }) {
      return machine.solution?.status === "stationary" ? "" : "This machine comes with a proof.";
    },
    why: "The Gram matrix has a negative eigenvalue here: the dual value bends upwards somewhere, and where no small step gains a large one may.",
  },
];

const KEY = "svmlib-challenges";

/** Which have been solved, kept in this browser alone. @returns {number[]} */
function solvedBefore() {
  try {
    const kept = JSON.parse(localStorage.getItem(KEY) ?? "[]");
    return Array.isArray(kept) ? kept.filter((k) => Number.isInteger(k) && k >= 0 && k < CHALLENGES.length) : [];
  } catch {
    return [];
  }
}

/**
 * Give the figure a chip for each sentence of a list, and the challenge that has been chosen.
 * @param {HTMLElement} place holds an ordered list, one item a challenge
 * @param {import("./figure.js").Figure} figure
 * @param {Sets} sets data by name
 */
export function mountChallenges(place, figure, sets) {
  const items = [...place.querySelectorAll(":scope > ol > li")];
  if (items.length !== CHALLENGES.length) throw new Error(`${items.length} sentences for ${CHALLENGES.length} challenges`);
  const solved = new Set(solvedBefore());
  const now = html("p", { class: "live-challenge-goal" });
  const status = html("p", { class: "live-challenge-status", role: "status" });
  const next = button("Next", () => start(((current?.k ?? -1) + 1) % CHALLENGES.length));
  const panel = html("div", { class: "live-challenge" }, [now, status, html("div", { class: "live-tools" }, [
    next, button("Start again", () => current && start(current.k)), button("Leave", () => leave())])]);
  panel.hidden = true;
  figure.stage.root.prepend(panel); // goal and plane are seen together
  const count = html("p", { class: "live-challenge-count", role: "status" });
  place.append(count);
  /** @type {{k: number, trial: Omit<Trial, "machine">} | null} */
  let current = null;
  let timer = 0;

  const goals = items.map((item) => (item.textContent ?? "").trim());
  const marks = items.map((item, k) => {
    const begin = button(`${k + 1}`, () => start(k));
    begin.setAttribute("aria-label", `Start challenge ${k + 1}`);
    begin.title = goals[k];
    const mark = html("span", { class: "live-challenge-mark" });
    (item.querySelector("p") ?? item).append(" ", mark);
    return { begin, mark };
  });
  const chips = html("div", { class: "live-chips", role: "group", "aria-label": "Challenges" }, marks.map(({ begin }) => begin));
  figure.stage.root.prepend(chips); // in the room that live.css keeps over the plane

  /** @param {number} k */
  function start(k) {
    const begin = CHALLENGES[k].start(sets);
    current = { k, trial: { start: begin, first: new Machine(begin) } };
    now.replaceChildren(html("b", {}, [`Challenge ${k + 1} of ${CHALLENGES.length}. `]), goals[k]);
    panel.hidden = false;
    show();
    figure.set(begin);
    figure.machine.refresh(); // now: the old solution says nothing about the new points; look hears of it
    panel.scrollIntoView({ block: "start" });
    figure.points.grips[0]?.element?.focus({ preventScroll: true });
  }

  /** Back to a figure without a task, and to the list. */
  function leave() {
    const { begin } = marks[current?.k ?? 0];
    current = null;
    clearTimeout(timer);
    panel.hidden = true;
    show();
    begin.focus();
  }

  /** Say what is missing, when the hand has come to rest; that it is done, at once. */
  function look() {
    if (!current) return;
    const { k, trial } = current;
    const missing = CHALLENGES[k].missing({ ...trial, machine: figure.machine });
    clearTimeout(timer);
    panel.classList.toggle("live-challenge-done", !missing);
    if (missing) {
      timer = window.setTimeout(() => { status.textContent = missing; }, 250);
      return;
    }
    if (!status.textContent?.startsWith("Done.")) status.replaceChildren(html("b", {}, ["Done."]), ` ${CHALLENGES[k].why}`);
    solved.add(k);
    try {
      localStorage.setItem(KEY, JSON.stringify([...solved]));
    } catch { /* a browser that keeps nothing */ }
    show();
  }

  function show() {
    marks.forEach(({ begin, mark }, k) => {
      mark.textContent = solved.has(k) ? " ✓ solved" : "";
      begin.classList.toggle("live-chip-solved", solved.has(k));
      begin.setAttribute("aria-description", solved.has(k) ? "solved" : "");
      begin.setAttribute("aria-pressed", String(current?.k === k));
    });
    count.textContent = solved.size ? `You have solved ${solved.size} of ${CHALLENGES.length}${solved.size === CHALLENGES.length ? ": all there are" : ""}.` : "";
  }

  show();
  figure.machine.subscribe(look);
}

/** @type {any} */ (window).svmlibChallenges = { mount: mountChallenges };
