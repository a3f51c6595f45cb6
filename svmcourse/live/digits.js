// Draw a digit, and see what 45 machines make of it. Pages load this with the machine, as a script of its own (digits_page.js).
// What decides its size is written into its elements: the style sheet that every page carries need not know it.
import { coloursAt, mixed, watchTheme } from "./colours.js";
import { button, choice } from "./controls.js";
import { html, svg } from "./elements.js";
import { PAIRS, read, storedImage, unpack } from "./reader.js";
import { seen, ACROSS } from "./strokes.js";
import { number } from "./words.js";

/** @typedef {import("./strokes.js").Stroke} Stroke */
/** @typedef {{drawings: Record<string, Stroke[]>, start: string, machine?: string, alt: string}} DigitsState  machine: base64 of the stored machine, where the page has not brought it */
/** @typedef {{strokes: Stroke[], shown: number}} Drawing  shown: how many of its points */
/** @typedef {ReturnType<typeof read>} Answer */

const SHARP = 560; // pixels of the canvas, however large it is shown
const LINE = 0.055; // width of the pen, in parts of the canvas
const LAMP = 26; // of the triangle
const TALL = 96; // of nine votes
const CLOSE_BY = 1e-3; // in parts of the canvas, that the pen must go
const SAY = 500; // ms after which what has changed is said
const FIRST = "color-mix(in srgb, var(--live-done) 45%, var(--live-paper))";
const SECOND = "color-mix(in srgb, var(--live-plus) 45%, var(--live-paper))";
const NEITHER = "color-mix(in srgb, var(--live-ink) 8%, var(--live-paper))";
const WAYS = "Draw with mouse, finger or pen; several strokes are one digit. With the keyboard: choose one of the drawings, then Tab to the slider, "
  + "whose arrow keys draw it point by point, forwards and back.";

/** The part of a drawing that is shown. @param {Drawing} drawing @returns {Stroke[]} */
export function shownOf({ strokes, shown }) {
  let left = shown;
  return strokes.flatMap((stroke) => {
    const part = stroke.slice(0, Math.max(0, left));
    left -= stroke.length;
    return part.length ? [part] : [];
  });
}

/** @param {Stroke[]} strokes */
const lengthOf = (strokes) => strokes.reduce((sum, stroke) => sum + stroke.length, 0);

/** A digit with its article. @param {number} digit */
const named = (digit) => `${digit === 8 ? "an" : "a"} ${digit}`;

/** What is read, in a sentence: the part that matters, and the rest. @param {Answer | null} answer @returns {[string, string]} */
export function verdict(answer) {
  if (!answer) return ["Draw a digit.", ""];
  const { first, second, votes } = answer;
  if (votes[first] === votes[second]) return [`It says ${first},`, ` but ${second} has ${votes[first]} votes too.`];
  return [`It reads ${named(first)}:`, ` ${votes[first]} votes. Next is ${second} with ${votes[second]}.`];
}

/**
 * A picture of 28 x 28 pixels.
 * @param {string} size of its side, as style
 */
function smallPicture(size) {
  const canvas = html("canvas", { width: String(ACROSS), height: String(ACROSS), "aria-hidden": "true",
    style: `display:block;width:${size};aspect-ratio:1;image-rendering:pixelated;outline:1px solid var(--live-line)` });
  return {
    canvas,
    /** @param {Float64Array} image @param {import("./colours.js").Colours} colours */
    draw(image, { paper, ink }) {
      const pen = /** @type {CanvasRenderingContext2D} */ (canvas.getContext("2d"));
      const picture = pen.createImageData(ACROSS, ACROSS);
      image.forEach((grey, k) => picture.data.set([...paper.map((value, m) => value + grey * (ink[m] - value)), 255], 4 * k));
      pen.putImageData(picture, 0, 0);
    },
  };
}

/** A title with what stands below it. @param {string} title @param {(Node | string)[]} children */
function titled(title, children) {
  return html("div", { style: "min-width:0" }, [html("p", { class: "live-title" }, [title]), ...children]);
}

/** The triangle of lamps: each names the digit for which its machine has voted. */
function lampsView() {
  const side = 10 * LAMP;
  const picture = svg("svg", { viewBox: `0 0 ${side} ${side}`, role: "img", "aria-label": "45 lamps, one for each pair of digits", style: "display:block;width:100%;max-width:19rem" });
  const text = (/** @type {number} */ x, /** @type {number} */ y, /** @type {string | number} */ words, /** @type {string} */ style) => {
    const element = svg("text", { x: (x + 0.5) * LAMP, y: (y + 0.5) * LAMP + 4.5, "text-anchor": "middle", style: `font-size:13px;fill:var(--live-ink);${style}` }, picture);
    element.textContent = String(words);
    return element;
  };
  const lamps = PAIRS.map(([p, q]) => {
    const circle = svg("circle", { cx: (q + 0.5) * LAMP, cy: (p + 0.5) * LAMP, r: 0.4 * LAMP, class: "live-lamp" }, picture);
    return { circle, words: text(q, p, "", "") };
  });
  const names = Array.from({ length: 10 }, (_, digit) => text(digit, digit, digit, "font-weight:700"));
  return {
    picture,
    /** @param {Answer | null} answer */
    draw(answer) {
      PAIRS.forEach((pair, k) => {
        const winner = answer?.winners[k];
        const framed = answer && pair.includes(answer.first);
        lamps[k].words.textContent = winner === undefined ? "" : String(winner);
        lamps[k].words.style.fontWeight = framed ? "700" : "400";
        lamps[k].circle.style.fill = answer && winner === answer.first ? FIRST : answer && winner === answer.second ? SECOND : NEITHER;
        lamps[k].circle.style.stroke = framed ? "var(--live-ink)" : "none";
        lamps[k].circle.style.strokeWidth = framed ? "2" : "0";
        lamps[k].circle.classList.toggle("live-framed", Boolean(framed));
      });
      names.forEach((name, digit) => { name.style.fontSize = digit === answer?.first ? "19px" : "13px"; });
    },
  };
}

/** Ten bars of votes. */
function votesView() {
  const wide = 20;
  const picture = svg("svg", { viewBox: `0 0 ${10 * wide} ${TALL + 32}`, role: "img", "aria-label": "Votes of the ten digits", style: "display:block;width:100%;max-width:19rem" });
  const bars = Array.from({ length: 10 }, (_, digit) => {
    const bar = svg("rect", { x: digit * wide + 3, width: wide - 6, y: TALL + 14, height: 0 }, picture);
    const count = svg("text", { x: (digit + 0.5) * wide, "text-anchor": "middle", style: "font-size:11px;fill:var(--live-muted)" }, picture);
    const name = svg("text", { x: (digit + 0.5) * wide, y: TALL + 29, "text-anchor": "middle", style: "font-size:13px;fill:var(--live-ink)" }, picture);
    name.textContent = String(digit);
    return { bar, count, name };
  });
  return {
    picture,
    /** @param {Answer | null} answer */
    draw(answer) {
      bars.forEach(({ bar, count, name }, digit) => {
        const votes = answer?.votes[digit] ?? 0;
        const height = (votes / 9) * TALL;
        bar.setAttribute("y", String(TALL + 14 - height));
        bar.setAttribute("height", String(height));
        bar.style.fill = digit === answer?.first ? "var(--live-done)" : digit === answer?.second ? "var(--live-plus)" : "var(--live-muted)";
        count.setAttribute("y", String(TALL + 10 - height));
        count.textContent = answer ? String(votes) : "";
        name.style.fontWeight = digit === answer?.first ? "700" : "400";
      });
    },
  };
}

/** Five stored digits with what each adds to f. */
function pushersView() {
  const title = html("p", { class: "live-title" });
  const five = Array.from({ length: 5 }, () => ({ ...smallPicture("100%"), said: html("div", { style: "text-align:center;font-size:.86rem;min-height:1.4em;font-variant-numeric:tabular-nums" }) }));
  const row = html("div", { style: "display:grid;grid-template-columns:repeat(5,minmax(0,3.2rem));gap:.5rem" },
    five.map(({ canvas, said }) => html("div", { style: "min-width:0" }, [canvas, said])));
  return {
    element: html("div", { style: "min-width:0" }, [title, row]),
    /** @param {string} words @param {[i: number, push: number][]} pushes @param {(i: number) => Float64Array} imageOf @param {import("./colours.js").Colours} colours */
    draw(words, pushes, imageOf, colours) {
      title.textContent = words;
      five.forEach(({ draw, said }, k) => {
        const push = pushes[k];
        draw(push ? imageOf(push[0]) : new Float64Array(ACROSS * ACROSS), colours);
        said.textContent = push ? `${push[1] > 0 ? "+" : ""}${number(Number(push[1].toFixed(2)))}` : " ";
      });
    },
  };
}

/**
 * The canvas: it tells of strokes while they are drawn.
 * @param {string} alt
 * @param {{begin: (at: number[]) => void, go: (at: number[]) => void}} hand
 */
function canvasView(alt, hand) {
  const canvas = html("canvas", { width: String(SHARP), height: String(SHARP), role: "img", "aria-label": alt,
    style: "display:block;width:100%;aspect-ratio:1;touch-action:none;cursor:crosshair;user-select:none;-webkit-user-select:none" });
  let drawing = -1; // the pointer that draws
  const place = (/** @type {PointerEvent} */ event) => {
    const box = canvas.getBoundingClientRect();
    return [(event.clientX - box.left) / box.width, (event.clientY - box.top) / box.height].map((value) => Number(Math.min(1, Math.max(0, value)).toFixed(4)));
  };
  canvas.addEventListener("pointerdown", (event) => {
    if (drawing >= 0 || event.button !== 0) return; // one pen at a time
    drawing = event.pointerId;
    canvas.setPointerCapture(drawing);
    event.preventDefault();
    hand.begin(place(event));
  });
  canvas.addEventListener("pointermove", (event) => {
    if (event.pointerId !== drawing) return;
    const all = event.getCoalescedEvents?.() ?? [];
    for (const one of all.length ? all : [event]) hand.go(place(one));
  });
  for (const end of ["pointerup", "pointercancel"]) {
    canvas.addEventListener(end, (event) => { if (/** @type {PointerEvent} */ (event).pointerId === drawing) drawing = -1; });
  }
  return {
    canvas,
    /** @param {Stroke[]} strokes @param {import("./colours.js").Colours} colours */
    draw(strokes, colours) {
      const pen = /** @type {CanvasRenderingContext2D} */ (canvas.getContext("2d"));
      pen.clearRect(0, 0, SHARP, SHARP);
      Object.assign(pen, { lineWidth: LINE * SHARP, lineCap: "round", lineJoin: "round", strokeStyle: mixed(colours.ink) });
      for (const stroke of strokes) {
        pen.beginPath();
        stroke.forEach(([x, y], k) => pen[k ? "lineTo" : "moveTo"](x * SHARP, y * SHARP));
        if (stroke.length === 1) pen.lineTo(stroke[0][0] * SHARP, stroke[0][1] * SHARP); // a dot
        pen.stroke();
      }
    },
  };
}

/**
 * @param {HTMLElement} root
 * @param {DigitsState} state
 * @param {import("./figure.js").Home} home
 */
export function digitsFigure(root, state, home = {}) {
  root.classList.add("live-root");
  const { drawings, start } = state;
  /** @type {Drawing} */
  let drawing = { strokes: drawings[start], shown: lengthOf(drawings[start]) };
  let own = false; // the reader's, not a stored one
  let [waiting, timer, gone] = [0, 0, false];
  /** @type {import("./reader.js").Reader | null} */
  let reader = null;
  let colours = coloursAt(root);

  const paper = canvasView(state.alt, {
    begin(at) { show({ strokes: [...(own ? shownOf(drawing) : []), [at]], shown: -1 }, true); }, // a stored one makes room
    go(at) {
      const strokes = drawing.strokes;
      const last = strokes[strokes.length - 1];
      const [x, y] = last[last.length - 1];
      if (Math.hypot(at[0] - x, at[1] - y) < CLOSE_BY) return;
      show({ strokes: [...strokes.slice(0, -1), [...last, at]], shown: -1 }, true);
    },
  });
  const { element: list, select } = choice("or take a drawing", [["", "your own"], ...Object.keys(drawings).map((name) => /** @type {[string, string]} */ ([name, name]))], (name) => {
    const strokes = drawings[name] ?? [];
    show({ strokes, shown: lengthOf(strokes) }, !name);
  });
  const clear = button("Clear", () => show({ strokes: [], shown: 0 }, true));
  const id = `live-pen-${Math.random().toString(36).slice(2)}`;
  const pen = html("input", { id, type: "range", min: "0", step: "1", autocomplete: "off" });
  const count = html("output", { for: id, "aria-hidden": "true" });
  pen.addEventListener("input", () => show({ ...drawing, shown: Number(pen.value) }, own));
  const slider = html("div", { class: "live-slider" }, [html("label", { for: id }, ["drawn so far"]), pen, count]);
  const proof = html("p", { class: "live-proof", style: "font-size:1.15rem" });
  const said = html("p", { class: "live-said", "aria-live": "polite" });
  const image = smallPicture("100%");
  const [lamps, bars] = [lampsView(), votesView()];
  const [towards, against] = [pushersView(), pushersView()];
  const together = html("p", { class: "live-text", style: "min-height:2.8em" });
  const two = "display:grid;gap:1rem 1.4rem;grid-template-columns:repeat(auto-fit,minmax(min(16rem,100%),1fr))";
  root.append(
    html("div", { style: two }, [
      html("div", { style: "min-width:0" }, [
        html("div", { style: "max-width:21rem;margin-inline:auto" }, [titled("Draw a digit", [html("div", { class: "live-stage" }, [paper.canvas])])]), proof,
        html("div", { class: "live-controls", style: "margin:.6rem 0 0" }, [clear, list, slider])]),
      html("div", { style: "min-width:0;display:grid;gap:.8rem;align-content:start" }, [
        html("div", { style: "display:grid;gap:1.2rem;grid-template-columns:minmax(0,2fr) minmax(0,3fr)" }, [titled("What it sees", [image.canvas]), titled("Votes", [bars.picture])]),
        titled("45 machines, one lamp each", [lamps.picture])])]),
    html("div", { style: `${two};margin-top:.8rem` }, [towards.element, against.element]), together, said,
    html("details", { class: "live-help" }, [html("summary", {}, ["By mouse, finger and keyboard"]), html("p", {}, [WAYS])]),
  );

  /** @param {Drawing} next  shown: -1 for all @param {boolean} isOwn */
  function show(next, isOwn) {
    const all = lengthOf(next.strokes);
    drawing = { strokes: next.strokes, shown: next.shown < 0 ? all : Math.min(next.shown, all) };
    own = isOwn;
    home.changed?.({ ...drawing });
    if (!waiting) waiting = requestAnimationFrame(() => { waiting = 0; draw(); }) || 1;
  }

  function draw() {
    if (gone) return;
    const strokes = shownOf(drawing);
    const all = lengthOf(drawing.strokes);
    paper.draw(strokes, colours);
    pen.max = String(all);
    pen.value = String(drawing.shown);
    pen.setAttribute("aria-valuetext", `${drawing.shown} of ${all} points`);
    count.value = `${drawing.shown} of ${all} points`;
    select.value = own ? "" : Object.keys(drawings).find((name) => drawings[name] === drawing.strokes) ?? "";
    const inside = seen(strokes);
    image.draw(inside, colours);
    drawAnswer(reader && strokes.length ? read(reader, inside) : null);
  }

  /** @param {Answer | null} answer */
  function drawAnswer(answer) {
    lamps.draw(answer);
    bars.draw(answer);
    const [front, rest] = reader ? verdict(answer) : ["", " "];
    proof.replaceChildren(html("b", {}, [front]), rest);
    const imageOf = (/** @type {number} */ i) => storedImage(/** @type {import("./reader.js").Reader} */ (reader), i);
    towards.draw(answer ? `Push hardest for ${answer.first}` : "Push hardest for it", answer?.towards ?? [], imageOf, colours);
    against.draw(answer ? `Push hardest for ${answer.second}` : "Push hardest against it", answer?.against ?? [], imageOf, colours);
    together.textContent = answer ? `In the machine “${answer.first} or ${answer.second}?” ${answer.pushing} stored digits push. Sum and bias: ${number(Number(answer.value.toFixed(2)))}.` : " ";
    clearTimeout(timer);
    timer = window.setTimeout(() => { said.textContent = front + rest; }, SAY);
  }

  const unwatch = watchTheme(() => { colours = coloursAt(root); draw(); });
  draw();
  const machine = state.machine ?? /** @type {any} */ (globalThis).svmlibReader;
  if (machine) unpack(machine).then((unpacked) => { reader = unpacked; draw(); });
  return {
    set(/** @type {any} */ setting) {
      const strokes = setting.strokes ?? drawing.strokes;
      const [name] = Object.entries(drawings).find(([, stored]) => JSON.stringify(stored) === JSON.stringify(strokes)) ?? [];
      show({ strokes: name ? drawings[name] : strokes, shown: setting.shown ?? -1 }, !name);
    },
    destroy() {
      gone = true;
      clearTimeout(timer);
      unwatch();
      root.replaceChildren();
    },
  };
}
