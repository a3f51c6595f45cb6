// Take a point and pull: the machine of some points in the plane, solved again while one of them is dragged.
import { coloursAt, watchTheme } from "./colours.js";
import { contours } from "./contours.js";
import { button, choice, machineControls } from "./controls.js";
import { html, raised, svg } from "./elements.js";
import { guess, judgesOf } from "./guess.js";
import { canType, typing } from "./kernels.js";
import { Machine } from "./machine.js";
import { Points } from "./points.js";
import { CELL, Stage } from "./stage.js";
import { addressOf, inAddress, pictureOf, pythonOf, save, scikitOf, tableOf } from "./taking.js";
import { VIEWS } from "./views.js";
import { atMost, classOf, counted, number } from "./words.js";

const HELP = [
  ["arrow keys", "move the point that has the focus; with Shift, a fifth as far"],
  ["Page Up, Page Down, Home, End", "go to another point"],
  ["Enter or A", "add a point beside it"],
  ["T or Space", "give it the other class"],
  ["Delete", "remove it"],
];

/** @typedef {{points: number[][], labels: number[], limits?: number[], units?: import("./units.js").Units}} Set  points to choose */

/**
 * What makes a figure of this kind, as JSON.
 * @typedef {object} State
 * @property {number[][]} points
 * @property {number[]} labels
 * @property {import("./kernels.js").Kernel} kernel
 * @property {number} C
 * @property {string} alt what is to be seen
 * @property {number[]} [limits] x0, x1, y0, y1
 * @property {string[]} [views] names of VIEWS, in order
 * @property {string[]} [controls] of "kernel", "C", "sigma", "Q", "a", "b", "kappa", "delta", "typed", "export", "table"
 * @property {import("./units.js").Units | null} [units] of the axes, where they are a table's
 * @property {Record<string, Set>} [sets] data to choose from, by name
 * @property {{move?: boolean, add?: boolean, remove?: boolean, toggle?: boolean}} [may] what the reader can do to points
 * @property {number} [ratio] height of the plane over its width
 * @property {import("./guess.js").Ask} [ask] what the reader is asked first
 * @property {Record<string, Partial<import("./controls.js").Range>>} [ranges] what the sliders reach, where not what others do
 */

/**
 * What the home of a figure (page or notebook) may do with it.
 * @typedef {{changed?: (setting: any) => void, address?: (query: string) => string, memory?: import("./guess.js").Memory,
 *   table?: (figure: Figure, brought: DataTransfer | null) => void}} Home
 *   changed: hears of every new setting; address: of the page with the figure at such a query, where there is a page;
 *   memory: keeps what the reader has answered; table: takes a table that the reader has dropped, or asks for one
 * @typedef {{machine: Machine, stage: Stage, points: Points, root: HTMLElement, set: (setting: Partial<State>) => void, reset: () => void,
 *   offer: (name: string, set: Set) => void, say: (words: string) => void, destroy: () => void}} Figure
 */

/**
 * Build the figure in an element.
 * @param {HTMLElement} root
 * @param {State} state
 * @param {Home} home
 * @returns {Figure}
 */
export function machineFigure(root, state, home = {}) {
  const machine = new Machine(state);
  const may = { move: true, add: true, remove: true, toggle: true, ...state.may };
  const main = html("div", { class: "live-main" });
  const views = html("div", { class: "live-views" });
  const proof = html("p", { class: "live-proof" });
  const said = html("p", { class: "live-said", "aria-live": "polite" });
  const names = (state.controls ?? []).filter((name) => name !== "typed" || canType());
  const controls = machineControls(machine, names, state.ranges);
  const columns = html("div", { class: "live-columns" }, state.views?.length ? [main, views] : [main]);
  root.classList.add("live-root");
  root.append(controls.element, columns, said);
  const formula = names.includes("typed") ? typing().ownKernel(machine, () => draw()) : null;
  if (formula) columns.before(formula.element);
  const chooser = state.sets ? setChoice(state.sets) : null;
  if (chooser) controls.element.prepend(chooser.element);
  const { table } = home;
  if (table && state.controls?.includes("table")) {
    const bring = button("Your own table…", () => table(figure, null));
    bring.classList.add("live-bring");
    (chooser?.element ?? controls.element).after(bring);
    for (const kind of ["dragover", "drop"]) root.addEventListener(kind, (event) => dropped(/** @type {DragEvent} */ (event), (brought) => table(figure, brought)));
  }

  let pen = 1; // class of a new point
  let colours = coloursAt(root);
  let timer = 0;
  let size = "";
  const stage = new Stage(main, {
    alt: state.alt, limits: state.limits ?? around(state.points), ratio: state.ratio,
    add: may.add ? (at) => points.add(at, pen) : undefined,
    selected: () => { tools.update(); drawViews(); },
    resized: () => draw(),
    dropped: () => speakSoon(),
  });
  const field = svg("g", {}, stage.under);
  const lines = [["live-edge", -1], ["live-edge", 1], ["live-boundary", 0]].map(([name, level]) => (
    { level: Number(level), path: svg("path", { class: String(name) }, field) }));
  const points = new Points(stage, machine, may);
  main.append(proof);
  const tools = toolbar();
  if (tools.element.children.length) main.append(tools.element);
  if (state.controls?.includes("export")) main.append(takeAway());
  if (may.move) main.append(help(may));

  const context = { machine, stage, selected: () => points.selected, select: (/** @type {number} */ i) => points.grips[i]?.element?.focus(), colours: () => colours, redraw: () => drawViews() };
  const drawers = (state.views ?? []).map((name) => {
    const view = VIEWS[name];
    if (!view) throw new RangeError(`views: there is no ${name}; there are ${Object.keys(VIEWS).join(", ")}`);
    const place = html("div", { class: `live-view live-view-${name}` });
    views.append(html("section", { "aria-label": view.title }, [html("p", { class: "live-title" }, [view.title]), place, html("p", { class: "live-text" }, [view.text])]));
    return view.make(place, context);
  });

  /** Buttons for those without a keyboard. */
  function toolbar() {
    const element = html("div", { class: "live-tools" });
    const updates = /** @type {(() => void)[]} */ ([]);
    if (may.add) {
      const name = `live-pen-${Math.random().toString(36).slice(2)}`;
      element.append(html("fieldset", {}, [html("legend", {}, ["new points:"]), ...[1, -1].map((label) => {
        const input = html("input", { type: "radio", name, autocomplete: "off" });
        input.checked = label === pen;
        input.addEventListener("change", () => { pen = label; });
        return html("label", {}, [input, ` ${classOf(label)}`]);
      })]));
    }
    /** @type {[boolean, string, () => void][]} */
    const actions = [
      [may.toggle, "Other class", () => points.toggle(points.selected)], [may.remove, "Remove", () => points.remove(points.selected)],
    ];
    for (const [allowed, text, act] of actions) {
      if (!allowed) continue;
      const made = button(text, act);
      element.append(made);
      updates.push(() => { made.disabled = points.selected < 0; });
    }
    if (may.move || may.add || state.controls?.length) element.append(button("Reset", () => reset()));
    return { element, update: () => updates.forEach((one) => one()) };
  }

  /** Data by name, and an empty plane. @param {NonNullable<State["sets"]>} given */
  function setChoice(given) {
    const sets = { ...given };
    const empty = "draw your own";
    const { element, select } = choice("points", [...Object.keys(sets), empty].map((name) => [name, name]), (name) => {
      const chosen = sets[name] ?? { points: [], labels: [], limits: [-1, 1, -1, 1] };
      set(chosen);
      machine.words = name === empty ? "The plane is empty: click to add points." : `The points are ${name} now.`;
    });
    const written = (/** @type {number[][]} */ theirs, /** @type {number[]} */ labels) => JSON.stringify([theirs, labels]);
    const known = new Map(Object.entries(sets).map(([name, { points: theirs, labels }]) => [written(theirs, labels), name]));
    const update = () => { select.value = known.get(written(machine.points, machine.labels)) ?? empty; };
    /** One more to choose. @param {string} name @param {Set} one */
    const offer = (name, one) => {
      if (!Object.hasOwn(sets, name)) select.append(html("option", { value: name }, [name]));
      sets[name] = one;
      known.set(written(one.points, one.labels), name);
    };
    update();
    return { element, update, offer };
  }

  /** The setting, in the units of its axes. */
  function whole() {
    return { ...machine.setting, ...(stage.units ? { units: stage.units } : {}) };
  }

  /** A link, the machine in Python, a table, a picture. */
  function takeAway() {
    const shown = html("textarea", { class: "live-taken-away", rows: "4", readonly: "", "aria-label": "to copy", spellcheck: "false" });
    shown.hidden = true;
    const show = (/** @type {string} */ text, /** @type {boolean} */ copy = true) => {
      shown.hidden = false;
      shown.value = text;
      shown.select();
      if (!copy) say(text);
      else navigator.clipboard?.writeText(text).then(() => say("Copied."), () => say("Here is the text to copy."));
    };
    const buttons = html("div", { class: "live-tools", role: "group", "aria-label": "Take away" }, [
      ...(home.address ? [button("Link", () => {
        const query = addressOf(whole());
        if (inAddress(query)) show(home.address?.(query) ?? "");
        else show(`Too long for an address: it would have ${query.length} letters, and some programs cut addresses off after 8000. Take the Python or the CSV instead.`, false);
      })] : []),
      button("Python", () => show(pythonOf(whole(), machine.solution?.status === "stationary" ? machine.alpha : null))),
      button("scikit-learn", () => show(scikitOf(whole(), machine.solution))),
      button("CSV", () => save("points.csv", tableOf(whole(), machine.alpha, machine.solution ? machine.points.map((point) => machine.decision(point)) : null), "text/csv")),
      button("SVG", () => {
        points.rename();
        save("machine.svg", pictureOf(stage, sentence().join("")), "image/svg+xml");
      }),
    ]);
    return html("div", { class: "live-take-away" }, [html("span", {}, ["take away: "]), buttons, shown]);
  }

  /** Everything, for the machine as it is. */
  function draw() {
    const [width, height] = [stage.width, stage.height];
    const [across, down] = [Math.ceil(width / CELL) + 1, Math.ceil(height / CELL) + 1];
    const x1 = Float64Array.from({ length: across }, (_, k) => stage.at(k * CELL, 0)[0]);
    const x2 = Float64Array.from({ length: down }, (_, k) => stage.at(0, k * CELL)[1]);
    const f = machine.solution ? machine.field(x1, x2) : new Float64Array(across * down);
    for (const { level, path } of lines) path.setAttribute("d", machine.solution ? Stage.path(contours(f, across, down, level), CELL) : "");
    paint(f, across, down);
    points.draw();
    tools.update();
    controls.update();
    formula?.update();
    const [front, gap, back] = sentence();
    proof.replaceChildren(front, html("b", {}, raised(gap)), back);
    drawViews();
  }

  /** The two regions: paper on the boundary, the colour of a class at the edge of the band and beyond. @param {Float64Array} f @param {number} across @param {number} down */
  function paint(f, across, down) {
    const { canvas } = stage;
    if (size !== `${across} ${down}`) [canvas.width, canvas.height, size] = [across, down, `${across} ${down}`];
    canvas.style.width = `${(100 * across * CELL) / stage.width}%`; // a pixel about each node
    canvas.style.left = canvas.style.top = `${-CELL / 2}px`;
    const brush = /** @type {CanvasRenderingContext2D} */ (canvas.getContext("2d"));
    const image = brush.createImageData(across, down);
    const pixels = image.data;
    const { paper } = colours;
    const washes = [colours["minus-wash"], colours["plus-wash"]];
    for (let k = 0, o = 0; k < f.length; k += 1, o += 4) {
      const wash = washes[f[k] > 0 ? 1 : 0];
      const part = f[k] === 0 ? 0 : Math.min(1, 0.15 + 0.85 * Math.abs(f[k]));
      pixels[o] = paper[0] + part * (wash[0] - paper[0]);
      pixels[o + 1] = paper[1] + part * (wash[1] - paper[1]);
      pixels[o + 2] = paper[2] + part * (wash[2] - paper[2]);
      pixels[o + 3] = 255;
    }
    brush.putImageData(image, 0, 0);
  }

  function drawViews() {
    views.classList.toggle("live-void", !machine.points.length); // no titles above nothing
    for (const drawer of drawers) drawer();
  }

  /** How many points carry the boundary, and what has been proved: before the gap, the gap, and after it. */
  function sentence() {
    const { solution } = machine;
    proof.dataset.gap = solution ? String(solution.gap) : "";
    if (!solution) return [machine.problem, "", ""];
    const carried = `${machine.support.length} of ${counted(machine.points.length, "point")} carry the boundary. `;
    const gap = atMost(solution.gap);
    if (solution.status === "optimal") return [`${carried}Proved to be within `, gap, ` of the optimum, ${number(solution.objective, 4)}.`];
    if (solution.status === "stationary") return [`${carried}No small step makes it better, but this kernel is indefinite here, and there may be a better one elsewhere. Gap: `, gap, "."];
    return [`${carried}Not finished: the gap is `, gap, "."];
  }

  /** Say what has changed, when it has come to rest. */
  function speakSoon() {
    clearTimeout(timer);
    timer = window.setTimeout(() => {
      const i = points.selected;
      const what = spoken || (i >= 0 ? `${points.describe(i)}.` : "");
      spoken = "";
      say(`${what} ${sentence().join("")} ${formula?.words() ?? ""}`);
    }, 350);
  }
  let spoken = "";
  /** @type {Set | {}} */
  let own = {}; // points that have been brought

  /** @param {string} words */
  function say(words) {
    said.textContent = words.trim();
  }

  /** @param {Partial<State>} setting */
  function set(setting) {
    if (setting.points) stage.units = setting.units ?? null;
    const limits = setting.limits ?? (setting.units && around(setting.points ?? []));
    if (limits) stage.look(limits);
    machine.change(Object.fromEntries(["points", "labels", "kernel", "C"].filter((key) => key in setting)
      .map((key) => [key, structuredClone(setting[/** @type {"C"} */ (key)])])));
    chooser?.update();
  }

  function reset() {
    const limits = state.limits ?? around(state.points);
    set(stage.units ? { ...state, limits: undefined, ...own } : { limits, ...state }); // a table is not lost
    machine.words = "Back at the start.";
    speakSoon();
  }

  const forget = machine.subscribe(({ words }) => {
    draw();
    if (words && words !== "moved") {
      spoken = words;
      speakSoon();
    }
    home.changed?.(whole());
  });
  const unwatch = watchTheme(() => {
    colours = coloursAt(root);
    draw();
  });
  /** @type {Figure} */
  const figure = {
    machine, stage, points, root, set, reset, say,
    offer(name, one) {
      own = one;
      chooser?.offer(name, one);
    },
    destroy() {
      forget();
      formula?.destroy();
      unwatch();
      stage.destroy();
      root.replaceChildren();
    },
  };
  draw();
  if (state.ask) {
    const { ask } = state;
    guess(root, {
      ask, stage, reset, judges: judgesOf(machine, stage), memory: home.memory, selected: () => points.selected, at: (i) => machine.points[i] ?? [0, 0],
      reveal() {
        set(ask.setting ?? {});
        machine.refresh();
      },
    });
  }
  return figure;
}

/** A file or a text that is let go above the figure, which would open it in place of the page. @param {DragEvent} event @param {(brought: DataTransfer) => void} take */
function dropped(event, take) {
  const { dataTransfer } = event;
  if (!dataTransfer || ![...dataTransfer.types].some((type) => type === "Files" || type === "text/plain")) return;
  event.preventDefault();
  if (event.type === "drop") take(dataTransfer);
}

/** What the keys do, folded. @param {{add: boolean, remove: boolean, toggle: boolean}} may */
function help(may) {
  const shown = HELP.filter(([keys]) => (may.add || !keys.startsWith("Enter")) && (may.remove || keys !== "Delete") && (may.toggle || !keys.startsWith("T ")));
  return html("details", { class: "live-help" }, [
    html("summary", {}, ["By mouse, finger and keyboard"]),
    html("p", {}, [`Drag a point.${may.add ? " Click where there is none to add one." : ""}`]),
    html("dl", {}, shown.flatMap(([keys, what]) => [html("dt", {}, [keys]), html("dd", {}, [what])])),
  ]);
}

/** Limits about points, with some room. @param {number[][]} points */
export function around(points) {
  const limits = [0, 1].flatMap((m) => {
    const values = points.map((point) => point[m]);
    const [least, most] = values.length ? [Math.min(...values), Math.max(...values)] : [-1, 1];
    const room = 0.14 * (most - least) || 1;
    return [least - room, most + room];
  });
  return limits;
}
