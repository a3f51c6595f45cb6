// What a reader types as k(x, z), read by recursive descent: a tree of numbers, letters, coordinates and operations, or what is
// wrong with it, and where. Nothing is handed to the browser's own parser: what is not in this grammar is not read.
//
//     sum      = product { ("+" | "-") product }
//     product  = signed { ("*" | "·" | "/") signed }
//     signed   = [ "-" | "+" ] signed | power
//     power    = atom [ ("^" | "**") signed ]                     -a^b is -(a^b), a^b^c is a^(b^c)
//     atom     = number | name | function "(" sum { "," sum } ")" | pair "(" point "," point ")" | "(" sum ")"

import { AXES, OPERATIONS, valueOf } from "./formula.js";

/** @typedef {import("./formula.js").Term} Term */

const FUNCTIONS = Object.keys(OPERATIONS).filter((name) => /^[a-z]{3,4}$/.test(name));
/** @type {Record<string, number>} */
const CONSTANTS = { e: Math.E, pi: Math.PI, π: Math.PI };
const PAIRS = ["dot", "dist"];
export const LONGEST = 200; // characters
const DEEPEST = 40; // brackets, signs and powers in each other
const MOST_LETTERS = 6;
const SAME = new Map([["−", "-"], ["–", "-"], ["·", "*"], ["⋅", "*"], ["×", "*"], ["**", "^"]]);
const TOKEN = /\s*(?:(\d+\.?\d*(?:[eE][+-]?\d+)?|\.\d+(?:[eE][+-]?\d+)?)|([A-Za-zα-ω]\w*)|(\*\*|[-+*/^(),−–·⋅×])|(\S))/uy;

/** A formula that cannot be read; its message says where. */
export class ExpressionError extends RangeError {
  /** @param {string} words @param {number} at the character, from 0 */
  constructor(words, at) {
    super(`At character ${at + 1}: ${words}`);
    this.at = at;
  }
}

/** @typedef {{kind: "number" | "name" | "sign" | "end", text: string, at: number}} Token */

/** @param {string} text @returns {Token[]} */
function tokens(text) {
  if (text.length > LONGEST) throw new ExpressionError(`a formula has ${LONGEST} characters at most.`, LONGEST);
  /** @type {Token[]} */
  const found = [];
  const end = text.trimEnd().length;
  TOKEN.lastIndex = 0;
  while (TOKEN.lastIndex < end) {
    const [, digits, name, sign, other] = /** @type {RegExpExecArray} */ (TOKEN.exec(text));
    const what = digits ?? name ?? sign ?? other;
    const at = TOKEN.lastIndex - what.length;
    if (other) throw new ExpressionError(`${/[\p{C}\p{Z}]/u.test(other) ? `U+${other.codePointAt(0)?.toString(16).toUpperCase().padStart(4, "0")}` : `“${other}”`} means nothing here.`, at);
    found.push({ kind: digits ? "number" : name ? "name" : "sign", text: SAME.get(what) ?? what, at });
  }
  return [...found, { kind: "end", text: "", at: end }];
}

class Reader {
  /** @param {string} text */
  constructor(text) {
    this.left = tokens(text);
    this.depth = 0;
    /** @type {Set<string>} */
    this.letters = new Set();
  }

  /** Take the next token, if it is one of these signs. @param {string[]} signs */
  taken(...signs) {
    const [next] = this.left;
    return next.kind === "sign" && signs.includes(next.text) ? this.next() : null;
  }

  next() {
    return /** @type {Token} */ (this.left.length > 1 ? this.left.shift() : this.left[0]);
  }

  /** @param {() => Term} read something that may stand in itself @returns {Term} */
  deeper(read) {
    this.depth += 1;
    if (this.depth > DEEPEST) throw new ExpressionError(`more than ${DEEPEST} things stand in each other.`, this.left[0].at);
    const term = read();
    this.depth -= 1;
    return term;
  }

  /** @returns {Term} */
  sum() {
    let term = this.product();
    for (let sign = this.taken("+", "-"); sign; sign = this.taken("+", "-")) term = operation(sign.text, [term, this.product()], sign.at);
    return term;
  }

  /** @returns {Term} */
  product() {
    let term = this.signed();
    for (let sign = this.taken("*", "/"); sign; sign = this.taken("*", "/")) term = operation(sign.text, [term, this.signed()], sign.at);
    return term;
  }

  /** @returns {Term} */
  signed() {
    const sign = this.taken("-", "+");
    if (!sign) return this.power();
    const term = this.deeper(() => this.signed());
    return sign.text === "-" ? operation("negative", [term], sign.at) : term;
  }

  /** @returns {Term} */
  power() {
    const base = this.atom();
    const sign = this.taken("^");
    return sign ? operation("^", [base, this.deeper(() => this.signed())], sign.at) : base;
  }

  /** @returns {Term} */
  atom() {
    const token = this.next();
    const { kind, text, at } = token;
    if (kind === "number") return numeral(Number(text), at);
    if (kind === "name") return this.named(token);
    if (text === "(") return this.closed(token, () => this.sum());
    throw new ExpressionError(kind === "end" ? "the formula ends too early." : text === ")" ? "something is missing before this bracket."
      : `something is missing before “${text}”.`, at);
  }

  /** What stands in a bracket that has been opened. @param {Token} open @param {() => Term} read @returns {Term} */
  closed(open, read) {
    const term = this.deeper(read);
    if (this.taken(")")) return term;
    const [{ kind, text, at }] = this.left;
    throw new ExpressionError(kind === "end" ? `the bracket of character ${open.at + 1} is never closed.`
      : text === "," ? "a comma stands between the arguments of a function only, and decimals have a point." : lacking(text), at);
  }

  /** @param {Token} token @returns {Term} */
  named({ text, at }) {
    if (AXES.includes(text)) return { name: text, args: [] };
    if (Object.hasOwn(CONSTANTS, text)) return numeral(CONSTANTS[text], at);
    if (FUNCTIONS.includes(text) || PAIRS.includes(text)) {
      const open = this.taken("(");
      if (!open) throw new ExpressionError(`${text} wants its arguments in brackets, ${usage(text)}.`, this.left[0].at);
      return this.closed(open, () => (PAIRS.includes(text) ? this.pair(text) : this.call(text, at)));
    }
    if (text === "x" || text === "z") {
      throw new ExpressionError(`${text} is a point: take dot(x, z), dist(x, z), or a coordinate, ${text}1 or ${text}2.`, at);
    }
    if (text === "C") throw new ExpressionError("C is the machine's price of slack already: take another letter.", at);
    if (text.length > 1) {
      throw new ExpressionError(`“${text.slice(0, 20)}” is not known. There are ${[...PAIRS, ...FUNCTIONS, ...AXES].join(", ")
      }, and single letters.`, at);
    }
    this.letters.add(text);
    if (this.letters.size > MOST_LETTERS) throw new ExpressionError(`this is letter number ${MOST_LETTERS + 1}, and ${MOST_LETTERS} is the limit.`, at);
    return { name: "letter", letter: text, args: [] };
  }

  /** @param {string} name @param {number} at @returns {Term} */
  call(name, at) {
    const args = [this.sum()];
    while (this.taken(",")) args.push(this.sum());
    if (args.length === OPERATIONS[name].arity) return operation(name, args, at);
    throw new ExpressionError(`${name} wants ${OPERATIONS[name].arity} argument${OPERATIONS[name].arity > 1 ? "s" : ""}, and got ${args.length}.`, at);
  }

  /** x'z = x1 z1 + x2 z2, or the root of (x1 - z1)^2 + (x2 - z2)^2. @param {string} name @returns {Term} */
  pair(name) {
    const first = this.point(name);
    const { text, at } = this.next();
    if (text !== ",") throw new ExpressionError(`${name} compares two points, ${usage(name)}.`, at);
    const second = this.point(name);
    const each = ["1", "2"].map((k) => [first, second].map((point) => ({ name: point + k, args: [] })));
    const two = { name: "number", value: 2, args: [] };
    const parts = each.map((args) => (name === "dot" ? { name: "*", args } : { name: "^", args: [{ name: "-", args }, two] }));
    const sum = { name: "+", args: parts };
    const mixed = first === second ? {} : { pair: name };
    return name === "dot" ? { ...sum, ...mixed } : { name: "sqrt", args: [sum], ...mixed };
  }

  /** @param {string} name of the pair */
  point(name) {
    const { text, at } = this.next();
    if (text === "x" || text === "z") return text;
    throw new ExpressionError(`${name} compares two points, ${usage(name)}.`, at);
  }
}

/** @param {string} text */
function lacking(text) {
  return `something is missing before “${text.slice(0, 20)}”; a product is written with *.`;
}

/** @param {string} name */
function usage(name) {
  return PAIRS.includes(name) ? `${name}(x, z)` : OPERATIONS[name].arity > 1 ? `${name}(…, …)` : `${name}(…)`;
}

/** @param {number} value @param {number} at @returns {Term} */
function numeral(value, at) {
  if (!Number.isFinite(value)) throw new ExpressionError("this number is too large.", at);
  return { name: "number", value, args: [] };
}

/**
 * An operation; what can be computed now must be a number.
 * @param {string} name @param {Term[]} args @param {number} at
 * @returns {Term}
 */
function operation(name, args, at) {
  if (!args.every(({ value }) => value !== undefined)) return { name, args };
  const value = valueOf({ name, args }, {})([], []);
  if (!Number.isFinite(value)) throw new ExpressionError("this is not a finite number.", at);
  return { name, args, value };
}

/**
 * Read a formula.
 * @param {string} text
 * @returns {{term: Term, letters: string[]}}  letters: those that become sliders, in their order
 */
export function readFormula(text) {
  const reader = new Reader(text);
  if (reader.left[0].kind === "end") throw new ExpressionError("type a formula, for instance exp(-dist(x, z)^2).", 0);
  const term = reader.sum();
  const [rest] = reader.left;
  if (rest.kind !== "end") {
    throw new ExpressionError(rest.text === ")" ? "this bracket closes nothing." : rest.text === ","
      ? "a comma stands between the arguments of a function only, and decimals have a point." : lacking(rest.text), rest.at);
  }
  return { term, letters: [...reader.letters] };
}
