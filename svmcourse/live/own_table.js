// The reader's own table in the playground: dropped, pasted or opened, with its choices above the plane. Entry of a script of its own,
// which mounting.js loads when somebody brings a table. What is read stays in the browser.
import Papa from "papaparse";
import { button, choice as choose } from "./controls.js";
import { html } from "./elements.js";
import { decoded, readTable } from "./table.js";
import { axesFor, classesOf, firstChoice, offered, plusOf, pointsOf, saidOfTable } from "./table_points.js";

/**
 * @typedef {import("./figure.js").Figure} Figure
 * @typedef {import("./table_points.js").Choice} Choice
 * @typedef {{text: string, name: string, table: import("./table.js").Table, choice: Choice, taken: import("./table_points.js").Taken}} Shown
 *   a table, and the points that are made of it
 * @typedef {{file?: File, text: string}} Given
 */

const MOST_BYTES = 5e7;
const TEXT_FIELDS = "input, textarea, select, [contenteditable]";

class OwnTable {
  /** @param {Figure} figure */
  constructor(figure) {
    this.figure = figure;
    /** @type {Shown | null} */
    this.shown = null;
    /** @type {{shown: Shown | null, setting: any}[]} */
    this.before = []; // to go back to
    this.file = html("input", { type: "file", accept: ".csv,.tsv,.txt,.data,.dat,text/csv,text/tab-separated-values,text/plain", hidden: "" });
    this.field = html("textarea", { class: "live-taken-away", rows: "2", spellcheck: "false", autocomplete: "off", "aria-label": "Paste or type a table here", placeholder: "paste it here" });
    this.opener = button("Open a file…", () => this.file.click());
    this.problem = html("p", { class: "live-table-problem", role: "alert" });
    this.said = html("ul");
    this.report = html("div", { class: "live-table-said", role: "status" }, [this.said]);
    this.choices = html("div", { class: "live-controls" });
    /** @type {Map<string, HTMLElement>} */
    this.fields = new Map();
    this.other = button("Draw others", () => this.choose({ seed: (this.shown?.choice.seed ?? 0) + 2 }));
    this.undo = button("Undo", () => this.goBack());
    this.root = html("section", { class: "live-own-table", "aria-label": "Your own table" }, [
      html("p", {}, [html("b", {}, ["Your own table. "]), "Drop a CSV file on the plane, open it, or paste cells of a spreadsheet. Nothing leaves this browser."]),
      html("div", { class: "live-tools" }, [this.opener, this.file, this.field, button("Read", () => this.take(this.field.value, ""))]),
      this.problem, this.report, this.choices,
      html("div", { class: "live-tools" }, [this.other, this.undo, button("Close", () => this.close())]),
    ]);
    this.file.addEventListener("change", () => {
      this.bring({ file: this.file.files?.[0], text: "" });
      this.file.value = ""; // the same file once more is another one
    });
    this.field.addEventListener("paste", (event) => this.paste(event));
    document.addEventListener("paste", (event) => {
      if (!this.root.hidden && this.root.isConnected && !(event.target instanceof Element && event.target.closest(TEXT_FIELDS))) this.paste(event);
    });
    figure.stage.root.prepend(this.root);
    figure.machine.subscribe(() => this.hideOthers());
    this.show();
  }

  /** @param {Given | null} given */
  open(given) {
    this.root.hidden = false;
    if (given?.file || given?.text) this.bring(given);
    else this.opener.focus();
  }

  close() {
    this.root.hidden = true;
    /** @type {HTMLElement | null} */ (this.figure.root.querySelector(".live-bring"))?.focus();
  }

  /** @param {ClipboardEvent} event */
  paste(event) {
    const { clipboardData } = event;
    const text = clipboardData?.getData("text/plain") ?? "";
    if (!clipboardData?.files.length && !text.includes("\n")) return; // a word that is typed
    event.preventDefault();
    this.bring({ file: text ? undefined : clipboardData?.files[0], text });
  }

  /** @param {Given} given */
  async bring({ file, text }) {
    if (!file) {
      this.take(text, "");
      return;
    }
    if (file.size > MOST_BYTES) {
      this.refuse(`${file.name} has ${Math.round(file.size / 1e6)} MB; ${MOST_BYTES / 1e6} are the most that is read here.`);
      return;
    }
    const bytes = await file.arrayBuffer().catch(() => null);
    const found = bytes ? decoded(new Uint8Array(bytes)) : { problem: "The file cannot be read." };
    if (typeof found === "string") this.take(found, file.name);
    else this.refuse(found.problem);
  }

  /**
   * Read a text and show its points; the old ones stay where it cannot be used.
   * @param {string} text
   * @param {string} name
   * @param {boolean} [named] whether the first row names the columns
   */
  take(text, name, named) {
    const table = readTable(text, Papa.parse, named);
    if ("problem" in table) {
      this.refuse(table.problem);
      return;
    }
    const choice = firstChoice(table);
    if ("problem" in choice) {
      this.refuse(`${saidOfTable(table, name)[0]} ${choice.problem}`);
      return;
    }
    const { machine, stage } = this.figure;
    const before = { shown: this.shown, setting: { ...machine.setting, limits: [...stage.limits], units: stage.units } };
    const again = named === undefined ? [] : this.before.splice(-1); // the same table, read in another way, is one step
    if (this.accept({ text, name: name || "a table of yours", table, choice })) {
      this.before.push(again[0] ?? before);
      this.field.value = "";
      this.show();
    } else this.before.push(...again);
  }

  /**
   * Show what a choice makes of a table; whether it could.
   * @param {Omit<Shown, "taken">} what
   */
  accept(what) {
    const taken = pointsOf(what.table, what.choice);
    if ("problem" in taken) {
      this.refuse(taken.problem);
      return false;
    }
    this.shown = { ...what, taken };
    const { points, labels, units } = taken;
    this.figure.offer(what.name, { points, labels, units });
    this.figure.set({ points, labels, units });
    return true;
  }

  /** @param {string} problem */
  refuse(problem) {
    this.show();
    this.problem.textContent = `${problem} The points are as they were.`;
    this.problem.hidden = false;
  }

  /** @param {Partial<Choice>} changed */
  choose(changed) {
    if (!this.shown) return;
    const { table } = this.shown;
    const choice = { ...this.shown.choice, ...changed };
    if (changed.label !== undefined) {
      choice.plus = plusOf(table.columns[choice.label]);
      if (choice.axes?.includes(choice.label)) {
        const [first, second] = axesFor(table, choice.label);
        choice.axes = [first, second];
      }
    }
    if (this.accept({ ...this.shown, choice })) this.show();
  }

  /** Back to the points before the last table. */
  goBack() {
    const last = this.before.pop();
    if (!last) return;
    const { setting, shown } = last;
    this.shown = shown;
    if (shown) this.figure.offer(shown.name, shown.taken);
    this.figure.set(setting);
    this.figure.machine.words = "The points are as they were before.";
    this.show();
    if (!this.before.length) this.opener.focus();
  }

  /** Fields for what can be chosen of this table. */
  offerChoices() {
    const { shown, fields } = this;
    const [focused] = [...fields].find(([, field]) => field === document.activeElement) ?? [];
    fields.clear();
    this.choices.replaceChildren();
    if (!shown) return;
    const { table, choice } = shown;
    const { columns } = table;
    const named = (/** @type {number[]} */ all) => all.map((c) => /** @type {[string, string]} */ ([String(c), columns[c].name]));
    /** @type {(label: string, options: [string, string][], now: string, changed: (value: string) => void) => void} */
    const add = (label, options, now, changed) => {
      const { element, select } = choose(label, options, changed);
      select.value = now;
      fields.set(label, select);
      this.choices.append(element);
    };
    add("class", named(offered(table).labels), String(choice.label), (value) => this.choose({ label: Number(value) }));
    add("+1 is", classesOf(columns[choice.label]).map(([value, count]) => [value, `${value} (${count})`]), choice.plus, (plus) => this.choose({ plus }));
    const numbers = axesFor(table, choice.label);
    const [first, second] = numbers;
    if (numbers.length > 2) {
      add("plane", [["columns", "two columns"], ["variance", "largest variance"]], choice.axes ? "columns" : "variance",
        (value) => this.choose({ axes: value === "columns" ? [first, second] : null }));
    }
    const { axes } = choice;
    if (axes) {
      add("across", named(numbers), String(axes[0]), (value) => this.choose({ axes: [Number(value), Number(value) === axes[1] ? axes[0] : axes[1]] }));
      add("up", named(numbers), String(axes[1]), (value) => this.choose({ axes: [Number(value) === axes[0] ? axes[1] : axes[0], Number(value)] }));
    }
    /** @type {(label: string, on: boolean, changed: (on: boolean) => void) => void} */
    const addBox = (label, on, changed) => {
      const input = html("input", { type: "checkbox", autocomplete: "off" });
      input.checked = on;
      input.addEventListener("change", () => changed(input.checked));
      fields.set(label, input);
      this.choices.append(html("label", { class: "live-tick" }, [input, ` ${label}`]));
    };
    addBox("scale the columns", choice.scaled, (scaled) => this.choose({ scaled }));
    addBox("first row: names", table.named, (on) => this.take(shown.text, shown.name, on));
    fields.get(focused ?? "")?.focus();
  }

  /** The report and the choices of what is shown. */
  show() {
    const { shown } = this;
    this.offerChoices();
    this.said.replaceChildren(...(shown ? [...saidOfTable(shown.table, shown.name), ...shown.taken.said] : []).map((words) => html("li", {}, [words])));
    this.problem.textContent = "";
    this.hideOthers();
  }

  /** Leave what is about the points on the plane: they may be others now. */
  hideOthers() {
    const { shown, figure } = this;
    const here = Boolean(shown && figure.stage.units === shown.taken.units);
    this.report.hidden = this.choices.hidden = !here;
    this.other.hidden = !(here && shown?.taken.drawn);
    this.undo.hidden = !(here && this.before.length);
    this.problem.hidden = !this.problem.textContent;
  }
}

/** @type {WeakMap<Figure, OwnTable>} */
const panels = new WeakMap();

/** @type {any} */ (window).svmlibTables = {
  open(/** @type {Figure} */ figure, /** @type {Given | null} */ given) {
    const panel = panels.get(figure) ?? new OwnTable(figure);
    panels.set(figure, panel);
    panel.open(given);
  },
};
