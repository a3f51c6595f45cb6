// A table that a reader brings, as columns: the text of a file, or cells copied from a spreadsheet, with or without names, with
// commas, semicolons or tabs, with a decimal comma or point. How a line is cut into cells is papaparse's matter; which
// separator, which names and which numbers were meant is asked here.

/**
 * @typedef {(text: string, how: {delimiter: string, skipEmptyLines: "greedy", quoteChar?: string}) => {data: string[][], errors: {code: string}[]}} Parse
 *   Papa.parse
 * @typedef {"number" | "text" | "dates" | "counter" | "constant" | "empty"} Kind  counter: it counts the rows
 * @typedef {{name: string, kind: Kind, texts: string[], numbers: Float64Array, missing: number, odd: string[], counts: Map<string, number>}} Column
 *   numbers: NaN where there is none; missing: how many cells are; odd: cells among numbers that are none; counts: of its
 *   values, as far as they may be classes
 * @typedef {{columns: Column[], rows: number, named: boolean, delimiter: string, decimal: "," | ".", long: number, above: number}} Table
 *   named: the first row names the columns; long: rows with more cells than there are columns, left out; above: lines above the
 *   table, left out
 * @typedef {{problem: string}} Refused  why it cannot be used, in words
 */

const SEPARATORS = ["\t", ";", ",", "|"];
const LOOKED_AT = 200; // lines by which a separator is judged
export const MOST_CLASSES = 30;
const NUMERIC = 0.9; // share of numbers that makes a column one of numbers
const NAME = 60; // letters of a column's name that are kept

const ABSENT = /^(n\.?a\.?|n\/a|nan|null|\?|#n\/a|#na)?$/i; // in any column
const NO_NUMBER = /^(-+|–|—|\.+|:?-+:?|none|nil|missing|unknown|[+-]?inf(inity)?|#\S+!|#\S+\?)$/i; // and among numbers
const DATE = /^(\d{4}[-/.]\d{1,2}([-/.]\d{1,2})?|\d{1,2}[-/.]\d{1,2}[-/.]\d{2,4})([ T]\d{1,2}:\d{2}(:\d{2}(\.\d+)?)?.*)?$|^\d{1,2}:\d{2}(:\d{2})?$/;
const COUNTS = /^(|id|idx|index|no|nr|row|rows|rownames|row[ _.]?(id|no|nr|number|names?)|obs|#|unnamed: ?0)\.?$/i;
const FORMS = { // one number, its thousands in groups or not
  ".": /^[+-]?(?:(?:\d+|[1-9]\d{0,2}([,'’ ])\d{3}(?:\1\d{3})*)(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?$/i,
  ",": /^[+-]?(?:(?:\d+|[1-9]\d{0,2}([.'’ ])\d{3}(?:\1\d{3})*)(?:,\d*)?|,\d+)(?:e[+-]?\d+)?$/i,
};

/**
 * The text in a file, whatever programs call a text.
 * @param {Uint8Array} bytes
 * @returns {string | Refused}
 */
export function decoded(bytes) {
  const start = [...bytes.subarray(0, 2)].map((byte) => byte.toString(16).padStart(2, "0")).join("");
  if (start === "504b" || start === "d0cf") {
    return { problem: "This is a workbook, not a text. Save it as CSV, or copy its cells and paste them here." };
  }
  const wide = /** @type {Record<string, string>} */ ({ fffe: "utf-16le", feff: "utf-16be" })[start];
  let text = "";
  try {
    text = new TextDecoder(wide ?? "utf-8", { fatal: !wide }).decode(bytes);
  } catch {
    text = new TextDecoder("windows-1252").decode(bytes);
  }
  return text.includes("\0") ? { problem: "This is not a text: it cannot be a table." } : text;
}

/**
 * The number that a cell holds, NaN where it holds none: 1234.5, .5, 1e-9, 1,234.5, 1 234.5, 1'234.5, 12 %, €12; with "," for
 * the decimals 1234,5, 1.234,5.
 * @param {string} cell
 * @param {"," | "."} decimal
 */
export function numberIn(cell, decimal) {
  const text = cell.replace(/−/g, "-").replace(/[\u00a0\u2009\u202f]/g, " ").replace(/^([+-]?)[€$£¥] ?/, "$1").replace(/ ?[€$£¥%]$/, "");
  if (!/\d/.test(text) || !FORMS[decimal].test(text)) return NaN;
  const value = Number(decimal === "," ? text.replace(/[.'’ ]/g, "").replace(",", ".") : text.replace(/[,'’ ]/g, ""));
  return Number.isFinite(value) ? value : NaN;
}

/**
 * Read a table.
 * @param {string} given
 * @param {Parse} parse
 * @param {boolean} [named] whether the first row names the columns; it is judged where nobody says so
 * @returns {Table | Refused}
 */
export function readTable(given, parse, named) {
  const [, told, text] = /** @type {RegExpMatchArray} */ (given.replace(/^\ufeff/, "").match(/^(?:sep=(.)\r?\n)?([^]*)$/i));
  if (!text.trim()) return { problem: "There is nothing in it." };
  const { delimiter, rows: cut } = cells(text, parse, told);
  const usual = mostFrequent(cut.map((row) => row.length));
  if (usual < 2) return { problem: "No columns can be told apart in it: between two values there should be a comma, a semicolon or a tab." };
  const above = Math.max(0, usual > 2 ? cut.findIndex((row) => row.filter(Boolean).length > 1) : 0);
  const rows = cut.slice(above);
  const isNamed = named ?? namesColumns(rows, usual);
  const head = isNamed ? rows[0] : [];
  const body = rows.slice(isNamed ? 1 : 0);
  const fits = body.filter((row) => row.slice(usual).every((cell) => !cell));
  if (!fits.length) return { problem: "There are no rows of values in it." };
  const ends = fits.some((row) => row[usual - 1]); // a separator at the end of each line makes no column
  const names = isNamed && ends && head.length === usual - 1 ? ["", ...head] : head; // R names no column of row names
  const columns = Array.from({ length: usual }, (_, c) => fits.map((row) => row[c] ?? ""));
  const decimal = decimalOf(columns, delimiter);
  return {
    columns: unlike(columns.map((_, c) => names[c] ?? "")).map((name, c) => columnOf(name, names[c] ?? "", columns[c], decimal)),
    rows: fits.length, named: isNamed, delimiter, decimal, long: body.length - fits.length, above,
  };
}

/**
 * Rows of cells, cut where the cells then look most like a table: equally many in each row, and numbers.
 * @param {string} text
 * @param {Parse} parse
 * @param {string | undefined} told the separator, where the text names it
 */
function cells(text, parse, told) {
  const trimmed = (/** @type {string[][]} */ rows) => rows.map((row) => row.map((cell) => {
    const inner = cell.trim();
    return /^'.*'$/.test(inner) ? inner.slice(1, -1) : inner;
  })).filter((row) => row.some((cell) => !ABSENT.test(cell) && !/^:?-+:?$/.test(cell)));
  const cut = (/** @type {string} */ from, /** @type {string} */ delimiter) => {
    const how = /** @type {const} */ ({ delimiter, skipEmptyLines: "greedy" });
    const { data, errors } = parse(from, how);
    const open = errors.some(({ code }) => code === "MissingQuotes"); // a quote that never ends would swallow the rest
    return trimmed(open ? parse(from, { ...how, quoteChar: "\0" }).data : data);
  };
  const head = text.split(/(?<=\n|\r(?!\n))/, LOOKED_AT).join("");
  const judged = (told ? [told] : SEPARATORS).map((delimiter) => {
    const rows = cut(head, delimiter);
    const usual = mostFrequent(rows.map((row) => row.length));
    const regular = rows.filter((row) => row.length === usual);
    const clean = regular.flat().filter((cell) => ABSENT.test(cell) || !Number.isNaN(numberIn(cell, ".")) || !Number.isNaN(numberIn(cell, ",")));
    return { delimiter, score: usual < 2 ? 0 : (regular.length / rows.length) * (1 + clean.length / regular.flat().length) };
  });
  const best = judged.reduce((one, other) => (other.score > one.score ? other : one));
  if (best.score > 0) return { delimiter: best.delimiter, rows: cut(text, best.delimiter) };
  const spaced = text.split(/\r\n|\r|\n/).map((line) => line.trim().replace(/\s+/g, "\t")).join("\n"); // columns under each other
  return { delimiter: " ", rows: cut(spaced, "\t") };
}

/** @param {number[]} values */
function mostFrequent(values) {
  const counts = new Map();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  return [...counts].reduce((best, one) => (one[1] > best[1] || (one[1] === best[1] && one[0] > best[0]) ? one : best), [0, 0])[0];
}

/** The share of the cells that hold anything, and hold a number. @param {string[]} texts @param {"," | "."} decimal */
function share(texts, decimal) {
  const there = texts.filter((cell) => !ABSENT.test(cell) && !NO_NUMBER.test(cell));
  return there.length ? there.filter((cell) => !Number.isNaN(numberIn(cell, decimal))).length / there.length : 0;
}

/**
 * Whether the first row names the columns: a word above numbers; 0, 1, 2, … above anything; words that occur nowhere below.
 * @param {string[][]} rows
 * @param {number} width
 */
function namesColumns(rows, width) {
  const [first, ...body] = rows.slice(0, LOOKED_AT);
  if (!body.length) return false;
  const isNumber = (/** @type {string} */ cell) => [".", ","].some((sign) => !Number.isNaN(numberIn(cell, /** @type {"."} */ (sign))));
  const shift = first.length === width - 1 && body.every((row) => row.length >= width && row[width - 1]) ? 1 : 0;
  const numeric = Array.from({ length: width }, (_, c) => c).filter((c) => {
    const texts = body.map((row) => row[c] ?? "");
    return Math.max(share(texts, "."), share(texts, ",")) >= NUMERIC;
  });
  const above = numeric.map((c) => first[c - shift] ?? "");
  if (above.some((cell) => !ABSENT.test(cell) && !NO_NUMBER.test(cell) && !isNumber(cell))) return true;
  const counting = first.filter((cell, c) => c || cell);
  if (counting.length > 2 && counting.every((cell, k) => Number(cell) === Number(counting[0]) + k) && /^[01]$/.test(counting[0])) return true;
  if (above.some(isNumber)) return false;
  return new Set(first).size === first.length && first.every((cell, c) => !ABSENT.test(cell) && body.every((row) => row[c] !== cell));
}

/**
 * What stands before the decimals: what most cells ask for that can be read in one way only. 1,234 between semicolons is
 * taken for one and a bit, between commas and tabs for a thousand and more.
 * @param {string[][]} columns
 * @param {string} delimiter
 * @returns {"," | "."}
 */
function decimalOf(columns, delimiter) {
  let [commas, points, open] = [0, 0, 0];
  for (const cell of columns.flatMap((texts) => texts.slice(0, 10 * LOOKED_AT))) {
    if (!/\d/.test(cell) || !/[.,]/.test(cell)) continue;
    const [asPoint, asComma] = [numberIn(cell, "."), numberIn(cell, ",")].map((value) => !Number.isNaN(value));
    if (asComma && !asPoint) commas += 1;
    if (asPoint && !asComma) points += 1;
    if (asPoint && asComma && cell.includes(",")) open += 1;
  }
  if (commas !== points) return commas > points ? "," : ".";
  return delimiter === ";" && open ? "," : ".";
}

/** Names that differ, and say at least where they stand. @param {string[]} names */
function unlike(names) {
  /** @type {Map<string, number>} */
  const used = new Map();
  return names.map((given, c) => {
    const name = given.replace(/\s+/g, " ").slice(0, NAME) || `column ${c + 1}`;
    const count = (used.get(name) ?? 0) + 1;
    used.set(name, count);
    return count > 1 ? `${name} (${count})` : name;
  });
}

/**
 * @param {string} name
 * @param {string} given  its name in the table, which may be none
 * @param {string[]} texts
 * @param {"," | "."} usual what stands before the decimals elsewhere in the table
 * @returns {Column}
 */
function columnOf(name, given, texts, usual) {
  const other = usual === "," ? "." : ",";
  const decimal = share(texts, usual) >= share(texts, other) ? usual : other;
  const isNumeric = share(texts, decimal) >= NUMERIC;
  const numbers = Float64Array.from(texts, (cell) => (isNumeric ? numberIn(cell, decimal) : NaN));
  const isThere = (/** @type {string} */ cell, /** @type {number} */ i) => (isNumeric ? !Number.isNaN(numbers[i]) : !ABSENT.test(cell));
  /** @type {Map<string, number>} */
  const counts = new Map();
  const values = isNumeric ? texts.map((cell, i) => (isThere(cell, i) ? String(numbers[i]) : "")) : texts.map((cell) => (ABSENT.test(cell) ? "" : cell));
  for (const value of values) if (value && counts.size <= MOST_CLASSES) counts.set(value, (counts.get(value) ?? 0) + 1);
  const odd = isNumeric ? texts.filter((cell, i) => Number.isNaN(numbers[i]) && !ABSENT.test(cell) && !NO_NUMBER.test(cell)) : [];
  const counting = isNumeric && texts.length > 4 && numbers.every((value, i) => value === numbers[0] + i) && [0, 1].includes(numbers[0]);
  /** @type {Kind} */
  let kind = "text";
  if (!counts.size) kind = "empty";
  else if (counts.size === 1) kind = "constant";
  else if (counting && COUNTS.test(given)) kind = "counter";
  else if (isNumeric) kind = "number";
  else if (texts.filter((cell) => DATE.test(cell)).length >= NUMERIC * texts.filter((cell) => !ABSENT.test(cell)).length) kind = "dates";
  return { name, kind, texts: values, numbers, missing: values.filter((value) => !value).length, odd, counts };
}
