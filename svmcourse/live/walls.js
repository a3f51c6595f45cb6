// A room with walls, a cross, and you: hold, slide, let go. The active-set method in the plane, one turn at a time.
import { button } from "./controls.js";
import { html, spokenText, svg } from "./elements.js";
import { Stage } from "./stage.js";
import { area, arrowTo, clip, trail } from "./strips.js";
import { number, place } from "./words.js";

const NOTHING = 1e-9; // of a step, a slope or a multiplier, in a room of a few units
const RINGS = 9; // circles of equal distance about the cross
const BELOW = ["₀", "₁", "₂", "₃", "₄", "₅", "₆", "₇", "₈", "₉"];

/**
 * The room: it holds the x with walls[i][0] x1 + walls[i][1] x2 >= walls[i][2] for all i, and the cross may be anywhere.
 * @typedef {{walls: number[][], cross: number[]}} Room
 * @typedef {{at: number[], held: number[]}} Stand  a place in the room, and the walls that are held there
 * @typedef {{walls: number[][], cross: number[], at: number[], held: number[], limits: number[], alt: string}} WallsState
 */

/**
 * The step to the point of the held walls that is nearest to the cross, and the multiplier of each of them: the
 * objective is the square of the distance, so that its slope, twice the way back from the cross, is their sum.
 * @param {Room} room
 * @param {Stand} stand
 */
export function pushesAt({ walls, cross }, { at, held }) {
  const way = [cross[0] - at[0], cross[1] - at[1]];
  const [a, b] = held.map((i) => walls[i]);
  if (!a) return { step: way, lambda: [] };
  if (!b) {
    const part = (a[0] * way[0] + a[1] * way[1]) / (a[0] * a[0] + a[1] * a[1]);
    return { step: [way[0] - part * a[0], way[1] - part * a[1]], lambda: [-2 * part] };
  }
  const det = a[0] * b[1] - a[1] * b[0];
  return { step: [0, 0], lambda: [(2 * (way[1] * b[0] - way[0] * b[1])) / det, (2 * (way[0] * a[1] - way[1] * a[0])) / det] };
}

/**
 * One turn of the method: slide as far as the other walls allow and hold the one that stops you; where there is no way
 * to slide, let go of the wall with the smallest multiplier, if that is negative.
 * @param {Room} room
 * @param {Stand} stand
 * @returns {Stand & {did: "slide" | "hold" | "let go" | "arrive", wall: number}}
 */
export function turnAt(room, stand) {
  const { step, lambda } = pushesAt(room, stand);
  const { at, held } = stand;
  if (Math.hypot(step[0], step[1]) > NOTHING) {
    let [t, wall] = [1, -1];
    room.walls.forEach(([d1, d2, delta], i) => {
      const slope = d1 * step[0] + d2 * step[1];
      if (held.includes(i) || slope > -NOTHING) return;
      const quotient = Math.max(0, (delta - d1 * at[0] - d2 * at[1]) / slope);
      if (quotient < t || (quotient === t && wall < 0)) [t, wall] = [quotient, i];
    });
    const to = at.map((x, m) => x + t * step[m]);
    return wall < 0 ? { at: to, held, did: "slide", wall } : { at: to, held: [...held, wall], did: "hold", wall };
  }
  const least = Math.min(0, ...lambda);
  if (least > -NOTHING) return { at, held, did: "arrive", wall: -1 };
  const wall = held[lambda.indexOf(least)];
  return { at, held: held.filter((i) => i !== wall), did: "let go", wall };
}

/** Slide until no step is left, without letting go of anything. @param {Room} room @param {Stand} stand @returns {Stand} */
export function slideAlong(room, stand) {
  for (let k = 0; k < 4; k += 1) {
    const next = turnAt(room, stand);
    if (next.did !== "slide" && next.did !== "hold") break;
    stand = { at: next.at, held: next.held };
  }
  return stand;
}

/** Names of walls. @param {number[]} held */
function wallsNamed(held) {
  return held.length ? `wall${held.length > 1 ? "s" : ""} ${held.map((i) => i + 1).join(" and ")}` : "no wall";
}

/**
 * @param {HTMLElement} root
 * @param {WallsState} state
 * @param {{changed?: (setting: any) => void}} home
 */
export function wallsFigure(root, state, home = {}) {
  const { walls } = state;
  let cross = [...state.cross];
  /** @type {Stand} */
  let stand = { at: [...state.at], held: [...state.held] };
  let walked = [stand.at];
  let timer = 0;
  const main = html("div", { class: "live-main" });
  const proof = html("p", { class: "live-proof" });
  const said = html("p", { class: "live-said", "aria-live": "polite" });
  root.classList.add("live-root");
  root.append(html("div", { class: "live-columns live-single" }, [main]), said);

  const stage = new Stage(main, { alt: state.alt, limits: state.limits, ratio: 0.78, resized: () => draw(), dropped: speakSoon });
  const floor = svg("path", { class: "live-floor" }, stage.under);
  const rings = svg("g", {}, stage.under);
  const lines = walls.map(() => svg("path", { class: "live-wall-line" }, stage.under));
  const sides = walls.map(() => svg("path", { class: "live-wall" }, stage.under));
  const path = svg("path", { class: "live-walked" }, stage.under);
  const rope = svg("path", { class: "live-thread" }, stage.under);
  const names = walls.map((_, i) => {
    const group = svg("g", { class: "live-wall-name", "aria-hidden": "true" }, stage.under);
    svg("circle", { r: 10 }, group);
    svg("text", { "text-anchor": "middle", y: 4 }, group).textContent = String(i + 1);
    return group;
  });
  const arrows = svg("g", { class: "live-forces", "aria-hidden": "true" }, stage.over);
  const you = svg("circle", { r: 7, class: "live-you" }, stage.over);
  const grip = stage.grip({
    at: () => cross,
    move(to) {
      cross = [...to];
      stand = slideAlong({ walls, cross }, stand);
      walked = [stand.at];
      changed();
    },
    label: () => `The cross, at ${place(cross)}`,
  });
  svg("path", { d: "M-8 0H8M0 -8V8", class: "live-cross" }, /** @type {SVGGElement} */ (grip.element));
  const turn = button("Take a turn", () => go(1));
  const end = button("To the end", () => go(30));
  main.append(proof, html("div", { class: "live-tools" }, [turn, end, button("Start again", again)]), wallsHelp());

  /** @param {number} most of turns */
  function go(most) {
    for (let k = 0; k < most; k += 1) {
      const next = turnAt({ walls, cross }, stand);
      if (next.did === "arrive") break;
      stand = { at: next.at, held: next.held };
      if (next.did !== "let go") walked.push(stand.at);
    }
    changed();
    speakSoon();
  }

  function again() {
    cross = [...state.cross];
    stand = { at: [...state.at], held: [...state.held] };
    walked = [stand.at];
    changed();
    speakSoon();
  }

  function changed() {
    draw();
    home.changed?.({ cross: [...cross], at: [...stand.at], held: [...stand.held] });
  }

  function draw() {
    if (!root.contains(turn)) return; // not yet built
    const room = { walls, cross };
    const { lambda } = pushesAt(room, stand);
    const next = turnAt(room, stand);
    const { at, held } = stand;
    const [x0, x1, y0, y1] = stage.shown;
    const corners = walls.reduce((left, [d1, d2, delta]) => clip(left, [d1, d2], -delta), [[x0, y0], [x1, y0], [x1, y1], [x0, y1]]);
    floor.setAttribute("d", area(stage, corners));
    drawWalls(corners, lambda);
    const unit = stage.x(1) - stage.x(0);
    rings.replaceChildren(...Array.from({ length: RINGS }, (_, k) => svg("circle", {
      cx: stage.x(cross[0]).toFixed(1), cy: stage.y(cross[1]).toFixed(1), r: (0.5 * (k + 1) * unit).toFixed(1), class: "live-dial" })));
    path.setAttribute("d", trail(stage, walked));
    rope.setAttribute("d", trail(stage, [at, cross]));
    you.setAttribute("cx", stage.x(at[0]).toFixed(1));
    you.setAttribute("cy", stage.y(at[1]).toFixed(1));
    arrows.replaceChildren(...held.flatMap((i, k) => arrowOf(i, lambda[k], k)));
    turn.disabled = end.disabled = next.did === "arrive";
    proof.replaceChildren(...sentence(lambda, next));
    stage.place();
  }

  /** @param {number[][]} corners of the room @param {number[]} lambda */
  function drawWalls(corners, lambda) {
    const [x0, x1, y0, y1] = stage.shown;
    const middle = [0, 1].map((m) => corners.reduce((sum, x) => sum + x[m], 0) / corners.length);
    walls.forEach(([d1, d2, delta], i) => {
      const size = Math.hypot(d1, d2);
      const [u1, u2] = [d1 / size, d2 / size];
      const far = x1 - x0 + y1 - y0;
      const foot = [(delta / size) * u1, (delta / size) * u2];
      lines[i].setAttribute("d", trail(stage, [-far, far].map((t) => [foot[0] - t * u2, foot[1] + t * u1])));
      const ends = corners.filter((x) => Math.abs(u1 * x[0] + u2 * x[1] - delta / size) < 1e-9);
      sides[i].setAttribute("d", ends.length > 1 ? trail(stage, ends) : "");
      const k = stand.held.indexOf(i);
      for (const element of [sides[i], names[i]]) {
        element.classList.toggle("live-held", k >= 0);
        element.classList.toggle("live-pulls", k >= 0 && lambda[k] < -NOTHING);
      }
      const at = ends.length > 1 ? [0, 1].map((m) => (ends[0][m] + ends[ends.length - 1][m]) / 2) : middle;
      names[i].setAttribute("transform", `translate(${(stage.x(at[0]) - 17 * u1).toFixed(1)} ${(stage.y(at[1]) + 17 * u2).toFixed(1)})`);
      names[i].setAttribute("visibility", ends.length > 1 ? "visible" : "hidden");
    });
  }

  /** What a wall pushes with: lambda d, drawn at half its length, so that with the way to the cross it adds up to nothing. @param {number} i @param {number} value @param {number} k */
  function arrowOf(i, value, k) {
    const [d1, d2] = walls[i];
    const { at } = stand;
    const to = [at[0] + 0.5 * value * d1, at[1] + 0.5 * value * d2];
    const kind = `live-push${value < -NOTHING ? " live-pulls" : ""}`;
    const [fx, fy, tx, ty] = [stage.x(at[0]), stage.y(at[1]), stage.x(to[0]), stage.y(to[1])];
    const text = svg("text", {
      x: Math.min(stage.width - 34, Math.max(34, tx + (k ? -34 : 34))).toFixed(1), y: Math.min(stage.height - 26, Math.max(14, ty + 4)).toFixed(1), "text-anchor": "middle" });
    text.textContent = `λ${BELOW[i + 1]} = ${number(value, 2)}`;
    return [svg("path", { d: arrowTo([fx, fy], [tx, ty], 12), class: kind }), text];
  }

  /** @param {number[]} lambda @param {ReturnType<typeof turnAt>} next */
  function sentence(lambda, next) {
    const { at, held } = stand;
    const distance = number(Math.hypot(cross[0] - at[0], cross[1] - at[1]));
    const values = held.map((i, k) => `λ${BELOW[i + 1]} = ${number(lambda[k], 3)}`).join(", ");
    const where = `You stand at ${place(at)}, ${distance} from the cross, and hold ${wallsNamed(held)}${values ? `: ${values}` : ""}. `;
    /** @type {Record<string, string>} */
    const words = {
      "let go": `Wall ${next.wall + 1} would have to pull: let go of it.`,
      hold: `You can slide, until wall ${next.wall + 1} stops you: hold it.`,
      slide: "You can slide the whole way.",
      arrive: held.length ? "No wall pulls: no point of the room is nearer." : "Nothing is in the way.",
    };
    return [where, html("b", {}, [words[next.did]])];
  }

  function speakSoon() {
    clearTimeout(timer);
    timer = window.setTimeout(() => { said.textContent = spokenText(proof); }, 350);
  }

  draw();
  return {
    stage,
    set(/** @type {Partial<WallsState>} */ setting) {
      cross = [...(setting.cross ?? cross)];
      stand = { at: [...(setting.at ?? stand.at)], held: [...(setting.held ?? stand.held)] };
      walked = [stand.at];
      changed();
    },
    destroy() {
      clearTimeout(timer);
      stage.destroy();
      root.replaceChildren();
    },
  };
}

function wallsHelp() {
  return html("details", { class: "live-help" }, [
    html("summary", {}, ["By mouse, finger and keyboard"]),
    html("p", {}, ["Drag the cross: you slide along the walls that you hold, and hold each wall that stops you. A turn lets go of a wall that would have to pull, or slides. With the keyboard: Tab to the cross, then the arrow keys move it, with Shift a fifth as far."]),
  ]);
}
