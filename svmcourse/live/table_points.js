// Points of the plane from a table: which column tells the classes, which two are the axes, what is left out, what is drawn from
// too many, in which units; and all of it in words.
import { MOST_CLASSES } from "./table.js";
import { number } from "./words.js";

/**
 * @typedef {import("./table.js").Table} Table
 * @typedef {import("./table.js").Column} Column
 * @typedef {import("./units.js").Units} Units
 * @typedef {{label: number, plus: string, axes: [number, number] | null, scaled: boolean, seed: number}} Choice
 *   label: the column of the classes; plus: the one that is +1; axes: two columns, null for the two directions of largest variance;
 *   scaled: each column less its mean, by its standard deviation; seed: of what is drawn
 * @typedef {{points: number[][], labels: number[], units: Units, said: string[], drawn: boolean}} Taken
 * @typedef {import("./table.js").Refused} Refused
 */

export const MOST_POINTS = 1000;
const SPARSE = 0.1; // share of missing values with which a column is no part of the directions
const CLASS = /^(class|classes|label|labels|target|y|species|outcome|diagnosis|category|type|variety|group|quality|survived|klasse|art|ziel|gruppe|label_?name)$/i;
const YES = /^(\+|\+?1|yes|true|t|pos|positive|ja|wahr|malignant|m)$/i;

/**
 * What can be chosen: columns of classes and columns of numbers, by index.
 * @param {Table} table
 * @returns {{labels: number[], numbers: number[]}}
 */
export function offered({ columns, rows }) {
  const all = [...columns.keys()];
  return {
    labels: all.filter((c) => ["text", "number", "dates"].includes(columns[c].kind) && columns[c].counts.size <= Math.min(MOST_CLASSES, Math.max(2, rows / 2))),
    numbers: all.filter((c) => ["number", "counter"].includes(columns[c].kind)),
  };
}

/** The classes of a column, with how often each occurs. @param {Column} column @returns {[string, number][]} */
export function classesOf({ counts, kind }) {
  const all = [...counts];
  return kind === "number" ? all.sort(([one], [other]) => Number(one) - Number(other)) : all;
}

/**
 * What a reader is shown first: the column that is called a class, or else the last that looks like one, where it leaves two for the
 * axes; the first two columns of numbers; scaled.
 * @param {Table} table
 * @returns {Choice | Refused}
 */
export function firstChoice(table) {
  const { columns } = table;
  const { labels, numbers } = offered(table);
  if (!labels.length) return { problem: noClasses(table) };
  const rank = (/** @type {number} */ c) => (CLASS.test(columns[c].name) ? 3 : columns[c].kind === "text" ? 2
    : columns[c].kind === "number" && [...columns[c].counts.keys()].every((value) => Number.isInteger(Number(value))) && columns[c].counts.size <= 10 ? 1 : 0);
  const ranked = [...labels].reverse().sort((one, other) => rank(other) - rank(one));
  const label = ranked.find((c) => axesFor(table, c).length > 1) ?? ranked[0]; // a y may be an axis
  const axes = axesFor(table, label);
  if (axes.length < 2) return { problem: onlyClass(oneWord(table)) ?? tooFewNumbers(table, numbers.filter((c) => c !== label)) };
  return { label, plus: plusOf(columns[label]), axes: [axes[0], axes[1]], scaled: true, seed: 1 };
}

/** Columns for axes in the order in which they are taken: what counts the rows comes last. @param {Table} table @param {number} label */
export function axesFor(table, label) {
  const numbers = offered(table).numbers.filter((c) => c !== label);
  return [...numbers.filter((c) => table.columns[c].kind !== "counter"), ...numbers.filter((c) => table.columns[c].kind === "counter")];
}

/** The class that is +1 at first: "yes", the larger of two numbers, or else the first. @param {Column} column */
export function plusOf(column) {
  const classes = classesOf(column).map(([value]) => value);
  const yes = classes.length === 2 ? classes.find((value) => YES.test(value)) : undefined;
  return yes ?? classes[column.kind === "number" && classes.length === 2 ? 1 : 0];
}

/** The class that is the only one of a table, in words. @param {Column | undefined} alone */
const onlyClass = (alone) => alone && `There is one class only: each row has ${quoted([...alone.counts.keys()][0])} in ${quoted(alone.name)}. A machine needs two.`;

/** A column of one word. @param {Table} table */
const oneWord = ({ columns }) => columns.find(({ kind, numbers }) => kind === "constant" && numbers.every(Number.isNaN));

/** @param {Table} table */
function noClasses(table) {
  if (table.rows < 2) return "There is one row of values only: a machine needs points of two classes.";
  return onlyClass(table.columns.find(({ kind, name }) => kind === "constant" && CLASS.test(name)) ?? oneWord(table)) ?? `No column says which row is of which class. It should hold two to ${MOST_CLASSES} different words or numbers, each of them more than once.`;
}

/** @param {Table} table @param {number[]} numbers */
function tooFewNumbers({ columns }, numbers) {
  const still = columns.filter(({ kind, numbers: values }) => kind === "constant" && !values.every(Number.isNaN)).map(({ name }) => quoted(name));
  const constant = still.length ? ` ${list(still)} ${still.length === 1 ? "has" : "have"} the same value in every row.` : "";
  return `${numbers.length ? `Only one column holds numbers that differ: ${quoted(columns[numbers[0]].name)}` : "No column holds numbers that differ"}; the plane needs two.${constant}`;
}

/**
 * The points that a choice makes of a table.
 * @param {Table} table
 * @param {Choice} choice
 * @returns {Taken | Refused}
 */
export function pointsOf(table, choice) {
  const { columns } = table;
  const label = columns[choice.label];
  const used = choice.axes ?? axesFor(table, choice.label).filter((c) => columns[c].kind === "number" && columns[c].missing <= SPARSE * table.rows);
  if (used.length < 2) return { problem: "Fewer than two columns of numbers are full enough to look for directions in them." };
  if (used[0] === used[1]) return { problem: `Both axes are ${quoted(columns[used[0]].name)}: choose another column for one of them.` };
  const whole = [...label.texts.keys()].filter((i) => label.texts[i] && used.every((c) => !Number.isNaN(columns[c].numbers[i])));
  const isPlus = (/** @type {number} */ i) => label.texts[i] === choice.plus;
  const counts = [whole.filter(isPlus).length, whole.filter((i) => !isPlus(i)).length];
  if (!counts[0] || !counts[1]) {
    return { problem: `Without the rows in which a value is missing, ${whole.length ? `one class is left: a machine needs two` : "no row is left"}.` };
  }
  const shown = whole.length > MOST_POINTS ? [...drawn(whole.filter(isPlus), whole.length, choice.seed), ...drawn(whole.filter((i) => !isPlus(i)), whole.length, choice.seed + 1)].sort((i, j) => i - j) : whole;
  const values = used.map((c) => Float64Array.from(shown, (i) => columns[c].numbers[i]));
  const mean = values.map(average);
  const deviation = values.map((column, k) => Math.sqrt(average(column.map((value) => (value - mean[k]) ** 2))));
  const flat = used.findIndex((_, k) => !(deviation[k] > 1e-14 * Math.abs(mean[k])));
  if (choice.axes && flat >= 0) return { problem: `${quoted(columns[used[flat]].name)} has the same value in all of the ${shown.length} rows that are left: choose another column.` };
  if (![...mean, ...deviation].every(Number.isFinite)) return { problem: "Its numbers are too large to calculate with." };
  const names = used.map((c) => columns[c].name);
  const size = choice.scaled ? deviation.map((value) => value || 1) : used.map(() => 1);
  const from = { columns: names, mean: choice.scaled || !choice.axes ? mean : used.map(() => 0), size, plus: choice.plus, directions: /** @type {number[][] | null} */ (null) };
  const inUnits = values.map((column, k) => column.map((value) => (value - from.mean[k]) / size[k]));
  const labels = shown.map((i) => (isPlus(i) ? 1 : -1));
  const said = [...saidOfColumns(table, choice), ...saidOfRows(table, used, whole.length, shown.length)];
  if (choice.axes) {
    const units = { names, middle: from.mean, size, from };
    return { points: shown.map((_, i) => inUnits.map((column) => column[i])), labels, units, said: [...said, saidOfUnits(names, deviation, choice.scaled)], drawn: shown.length < whole.length };
  }
  const { directions, shares } = twoDirections(inUnits);
  if (!(shares[1] > 1e-14)) return { problem: "All rows lie on one line: there is no second direction." };
  const axes = shares.map((part, k) => `direction ${k + 1}, ${number(100 * part, 2)} %`);
  const points = shown.map((_, i) => directions.map((direction) => direction.reduce((sum, part, k) => sum + part * inUnits[k][i], 0)));
  return {
    points, labels, units: { names: axes, middle: [0, 0], size: [1, 1], from: { ...from, directions } }, drawn: shown.length < whole.length,
    said: [...said, saidOfDirections(names, directions, shares, choice.scaled)],
  };
}

/** @param {ArrayLike<number>} values */
function average(values) {
  const rough = Array.from(values).reduce((sum, value) => sum + value / values.length, 0);
  return rough + Array.from(values).reduce((sum, value) => sum + (value - rough) / values.length, 0);
}

/**
 * Of the rows of one class as many as its share of MOST_POINTS, and one at least, at random.
 * @param {number[]} rows
 * @param {number} total rows of both
 * @param {number} seed
 */
function drawn(rows, total, seed) {
  const random = numbersFrom(seed);
  const count = Math.min(MOST_POINTS - 1, Math.max(1, Math.round((MOST_POINTS * rows.length) / total)));
  const all = [...rows];
  for (let k = 0; k < count; k += 1) { // the beginning of a shuffle
    const other = k + Math.floor(random() * (all.length - k));
    [all[k], all[other]] = [all[other], all[k]];
  }
  return all.slice(0, count);
}

/** Random numbers in [0, 1), the same for the same seed: Mulberry32. @param {number} seed */
function numbersFrom(seed) {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/**
 * The two directions in which centred columns vary most, and their shares of the variance: orthogonal iteration with the covariance
 * matrix. The largest part of a direction is positive.
 * @param {ArrayLike<number>[]} columns
 */
export function twoDirections(columns) {
  const [d, n] = [columns.length, columns[0].length];
  const covariance = columns.map((one) => columns.map((other) => {
    let sum = 0;
    for (let i = 0; i < n; i += 1) sum += one[i] * other[i];
    return sum / n;
  }));
  const total = covariance.reduce((sum, row, k) => sum + row[k], 0);
  const times = (/** @type {number[]} */ v) => covariance.map((row) => dot(row, v));
  const random = numbersFrom(1);
  let pair = orthonormal([0, 1].map(() => Array.from({ length: d }, () => random() - 0.5)));
  for (let step = 0, change = 1; step < 5000 && change > 1e-13; step += 1) {
    const next = orthonormal(rotated(pair.map(times), pair));
    change = Math.max(...next.map((v, k) => 1 - Math.abs(dot(v, pair[k]))));
    pair = next;
  }
  const directions = pair.map((v) => {
    const largest = v.reduce((best, value) => (Math.abs(value) > Math.abs(best) ? value : best), 0);
    return v.map((value) => (largest < 0 ? -value : value));
  });
  return { directions, shares: directions.map((v) => Math.max(0, dot(v, times(v)) / total)) };
}

/** @param {ArrayLike<number>} v @param {ArrayLike<number>} w */
function dot(v, w) {
  let sum = 0;
  for (let k = 0; k < v.length; k += 1) sum += v[k] * w[k];
  return sum;
}

/**
 * C v, C w turned so that v and w are the best directions in the plane that they span (Rayleigh and Ritz).
 * @param {number[][]} images @param {number[][]} pair
 */
function rotated([Cv, Cw], [v, w]) {
  const angle = 0.5 * Math.atan2(2 * dot(v, Cw), dot(v, Cv) - dot(w, Cw));
  const [c, s] = [Math.cos(angle), Math.sin(angle)];
  return [Cv.map((value, k) => c * value + s * Cw[k]), Cw.map((value, k) => c * value - s * Cv[k])];
}

/** @param {number[][]} pair @returns {number[][]} */
function orthonormal([v, w]) {
  const unit = (/** @type {number[]} */ u) => u.map((value) => value / (Math.sqrt(dot(u, u)) || 1));
  const first = unit(v);
  let second = unit(w);
  for (let k = 0; k < 2; k += 1) { // twice: the second time takes what rounding has left
    const along = dot(first, second);
    second = unit(second.map((value, m) => value - along * first[m]));
  }
  return [first, second];
}

/** @param {string} name */
const quoted = (name) => `“${name}”`;

/** "a, b and c". @param {string[]} names */
function list(names) {
  const shown = names.length > 6 ? [...names.slice(0, 5), `${names.length - 5} more`] : names;
  return shown.length > 1 ? `${shown.slice(0, -1).join(", ")} and ${shown[shown.length - 1]}` : shown.join("");
}

/** "1 row", "50,000 rows". @param {number} count @param {string} noun */
const many = (count, noun) => `${count.toLocaleString("en-US")} ${noun}${count === 1 ? "" : "s"}`;

/** @param {Table} table @param {Choice} choice */
function saidOfColumns(table, { label, plus }) {
  const { columns } = table;
  const classes = classesOf(columns[label]);
  const others = classes.filter(([value]) => value !== plus).map(([value]) => quoted(value));
  const rest = { counter: ["counts the rows", "count the rows"], dates: ["holds dates", "hold dates"], constant: ["never changes", "never change"], empty: ["is empty", "are empty"] };
  const aside = Object.entries(rest).flatMap(([kind, [one, several]]) => {
    const names = columns.filter((column, c) => column.kind === kind && c !== label).map(({ name }) => quoted(name));
    return names.length ? [`${list(names)} ${names.length > 1 ? several : one}`] : [];
  });
  return [
    `Class: ${quoted(columns[label].name)}, ${classes.length} of them. +1 is ${quoted(plus)}, −1 ${others.length > 1 ? "the rest: " : ""}${list(others)}.`,
    ...(aside.length ? [`No axis: ${aside.join("; ")}.`] : []),
  ];
}

/** @param {Table} table @param {number[]} used @param {number} whole @param {number} shown */
function saidOfRows(table, used, whole, shown) {
  const { columns } = table;
  const out = table.rows - whole;
  const odd = used.flatMap((c) => (columns[c].odd.length ? [`${quoted(columns[c].name)} holds ${quoted(columns[c].odd[0].slice(0, 20))}${columns[c].odd.length > 1 ? ` and ${columns[c].odd.length - 1} more` : ""}, not a number`] : []));
  return [
    ...(out ? [`${many(out, "row")} with missing values left out${odd.length ? ` (${odd.join("; ")})` : ""}.`] : []),
    ...(shown < whole ? [`${many(shown, "point")} drawn at random from ${many(whole, "row")}, of each class its share.`] : []),
  ];
}

/** What the table is as a whole. @param {Table} table @param {string} name of its file */
export function saidOfTable({ columns, rows, named, delimiter, decimal, long, above }, name) {
  const separators = /** @type {Record<string, string>} */ ({ ",": "commas", ";": "semicolons", "\t": "tabs", "|": "bars", " ": "spaces" });
  const commas = decimal === "," ? ", a comma before the decimals" : "";
  return [
    `${name ? `${name}: ` : ""}${many(rows, "row")}, ${many(columns.length, "column")}, ${separators[delimiter] ?? quoted(delimiter)} between them${commas}. ${named ? "The first row names the columns." : "No row names the columns."}`,
    ...(above ? [`${many(above, "line")} above the table left out.`] : []),
    ...(long ? [`${many(long, "row")} with more cells than there are columns left out.`] : []),
  ];
}

/** @param {string[]} names @param {number[]} deviation @param {boolean} scaled */
function saidOfUnits(names, deviation, scaled) {
  const [least, most] = deviation[0] > deviation[1] ? [1, 0] : [0, 1];
  const part = 100 / (1 + (deviation[least] / deviation[most]) ** 2);
  const percent = part > 99.95 ? `${(100 - part).toPrecision(1) === "0" ? "nearly all" : `all but ${number(100 - part, 1)} %`}` : `${number(part, 3)} %`;
  return scaled ? `Scaled: one step is one standard deviation, ${number(deviation[0])} of ${quoted(names[0])} and ${number(deviation[1])} of ${quoted(names[1])}. In their own units ${percent} of a squared distance would come from ${quoted(names[most])}.`
    : `In their own units: ${percent} of the squared distance between two points, on average, comes from ${quoted(names[most])}.`;
}

/** @param {string[]} names @param {number[][]} directions @param {number[]} shares @param {boolean} scaled */
function saidOfDirections(names, directions, shares, scaled) {
  const formula = (/** @type {number[]} */ direction) => [...direction.keys()].sort((one, other) => Math.abs(direction[other]) - Math.abs(direction[one])).slice(0, 3)
    .map((k) => `${number(direction[k], 2)} ${quoted(names[k])}`).join(" + ").replaceAll("+ −", "− ") + (names.length > 3 ? " …" : "");
  return `The two directions of largest variance of ${names.length} columns, ${scaled ? "each by its standard deviation" : "in their own units"}: ${number(100 * (shares[0] + shares[1]), 2)} % of the variance. The first is ${formula(directions[0])}; the second ${formula(directions[1])}.`;
}
