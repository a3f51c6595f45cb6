// The band as a stiff plank: what pushes on it from both sides, and the sums that must vanish.
import { html, svg } from "./elements.js";
import { forcesOn } from "./separator.js";
import { arrowTo } from "./strips.js";
import { number } from "./words.js";

const HIGH = 220; // pixels
const THICK = 16;
const LONG = 78; // of the largest arrow

/** A force beside its arrow, of which nobody sees more than a digit behind the point. @param {number} force */
export function forceText(force) {
  return force < 0.05 ? number(force, 1) : force.toFixed(1);
}

/** How thick arrows are, in pixels, whose largest is such a force: lengths are to the largest, so 1.3 and 52.6 would look alike. @param {number} most */
export function forceWidth(most) {
  return Math.min(9, 2.6 + 2.4 * Math.max(0, Math.log10(most / 1.3)));
}

/**
 * The plank seen along the band, class +1 above; returns how to draw it.
 * @param {HTMLElement} root
 * @param {import("./separator.js").Separator} machine
 */
export function plank(root, machine) {
  const place = html("div", { class: "live-view live-view-plank" });
  const table = html("table", { class: "live-table" });
  root.append(html("section", { "aria-label": "The plank" }, [html("p", { class: "live-title" }, ["The plank"]), place, table,
    html("p", { class: "live-text" }, ["The band, turned until class +1 is above. Places are measured from the bridge, where the pushes of each class act together."])]));
  const picture = svg("svg", { class: "live-plank-view", role: "img" }, place);
  return () => {
    const width = Math.max(200, place.clientWidth);
    picture.setAttribute("viewBox", `0 0 ${width} ${HIGH}`);
    picture.replaceChildren();
    const forces = machine.separable ? forcesOn(machine) : [];
    const reach = 1.15 * Math.max(...forces.map(({ at }) => Math.abs(at)), 0.5 / (machine.length || 1));
    const most = Math.max(...forces.map(({ force }) => force));
    const x = (/** @type {number} */ at) => width / 2 + (at / reach) * (width / 2 - 30);
    const y = HIGH / 2;
    svg("rect", { x: 6, y: y - THICK / 2, width: width - 12, height: THICK, rx: 3, class: "live-beam" }, picture);
    if (!forces.length) {
      picture.setAttribute("aria-label", "No band, no forces.");
      table.replaceChildren();
      return;
    }
    svg("path", { d: `M${x(0)} ${y - THICK / 2}V${y + THICK / 2}`, class: "live-bridge live-faint" }, picture);
    for (const { label, force, at } of forces) {
      const [near, far] = [y - label * (THICK / 2 + 1), y - label * (THICK / 2 + 1 + (LONG * force) / most)];
      const name = label > 0 ? "plus" : "minus";
      svg("path", { d: arrowTo([x(at), far], [x(at), near], 12), class: `live-force live-force-${name}`, style: `stroke-width: ${forceWidth(most).toFixed(1)}` }, picture);
      svg("text", { x: x(at), y: far - label * 10 + 4, "text-anchor": "middle" }, picture).textContent = forceText(force);
    }
    fill(forces);
    picture.setAttribute("aria-label", `A plank; ${forces.map(({ i, label, force, at }) => `point ${i + 1} pushes from ${label > 0 ? "above" : "below"} with ${number(force)} at ${number(at, 2)}`).join(", ")}.`);
  };

  /** One row per force, and the sums. @param {ReturnType<typeof forcesOn>} forces */
  function fill(forces) {
    const [push, torque] = forces.reduce(([a, b], { label, force, torque: turn }) => [a + label * force, b + turn], [0, 0]);
    const total = forces.reduce((sum, { force }) => sum + force, 0);
    const reach = Math.max(...forces.map(({ at }) => Math.abs(at)), 1 / machine.length);
    const tidy = (/** @type {number} */ value, /** @type {number} */ size) => (Math.abs(value) < 1e-7 * size ? "0" : number(value, 3)); // rounding of the solver, no force
    const row = (/** @type {string} */ tag, /** @type {string[]} */ texts, name = "") => html("tr", name ? { class: name } : {}, texts.map((text, k) => html(/** @type {"td"} */ (k ? tag : "th"), k ? {} : { scope: tag === "th" ? "col" : "row" }, [text])));
    table.replaceChildren(
      html("thead", {}, [row("th", ["point", "y α", "place", "torque"])]),
      html("tbody", {}, [
        ...forces.map(({ i, label, force, at, torque: turn }) => row("td", [String(i + 1), number(label * force), tidy(at, reach), tidy(turn, total * reach)])),
        row("td", ["sum", tidy(push, total), "", tidy(torque, total * reach)], "live-sum"),
      ]));
  }
}
