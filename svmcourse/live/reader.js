// The machine that reads digits: 45 machines over a thousand stored images, as svmcourse/mnist/reader.py stores them.
import { ACROSS } from "./strokes.js";

const GREYS = 15; // levels above paper
const STEPS = 65535; // of an alpha between 0 and C
const PIXELS = ACROSS * ACROSS;

/** The pairs of digits, in the order of every list over them. */
export const PAIRS = Array.from({ length: 10 }, (_, p) => Array.from({ length: 9 - p }, (__, k) => [p, p + 1 + k])).flat();

/** @param {number} digit @param {number} other */
const pairOf = (digit, other) => PAIRS.findIndex(([p, q]) => p === Math.min(digit, other) && q === Math.max(digit, other));

/** A machine of two digits that knows a digit: its place, and the sign of that digit in it. @typedef {{pair: number, sign: number}} Part */
/** @type {Part[][]} */
const PARTS = Array.from({ length: 10 }, (_, digit) => PAIRS.flatMap(([p, q], pair) => (p === digit || q === digit ? [{ pair, sign: p === digit ? 1 : -1 }] : [])));

/**
 * @typedef {{gamma: number, greys: Uint8Array, digits: Uint8Array, alpha: Float64Array, squares: Float64Array, b: number[]}} Reader
 *   greys: 784 of each stored image; alpha: nine of each, by the other digit; squares: of the images' lengths
 */

/**
 * @param {string} text  base64 of the file
 * @returns {Promise<Reader>}
 */
export async function unpack(text) {
  const packed = Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
  const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream("gzip"));
  const bytes = new Uint8Array(await new Response(stream).arrayBuffer());
  const end = bytes.indexOf(10);
  const { gamma, C, counts, b } = JSON.parse(new TextDecoder().decode(bytes.subarray(0, end)));
  const digits = Uint8Array.from(/** @type {number[]} */ (counts).flatMap((count, digit) => Array.from({ length: count }, () => digit)));
  const n = digits.length;
  const greys = new Uint8Array(n * PIXELS);
  greys.forEach((_, k) => { greys[k] = k % 2 ? bytes[end + 1 + (k >> 1)] & 15 : bytes[end + 1 + (k >> 1)] >> 4; });
  const view = new DataView(bytes.buffer, end + 1 + greys.length / 2);
  const alpha = Float64Array.from({ length: 9 * n }, (_, k) => (view.getUint16(2 * k, true) * C) / STEPS);
  const squares = Float64Array.from(digits, (_, i) => greys.subarray(i * PIXELS, (i + 1) * PIXELS).reduce((sum, grey) => sum + grey * grey, 0) / GREYS ** 2);
  return { gamma, greys, digits, alpha, squares, b };
}

/** How much an image resembles each stored one. @param {Reader} reader @param {Float64Array} image */
function kernelRow({ gamma, greys, squares }, image) {
  const own = image.reduce((sum, value) => sum + value * value, 0);
  return squares.map((square, i) => {
    let product = 0;
    for (let k = 0, at = i * PIXELS; k < PIXELS; k += 1, at += 1) product += image[k] * greys[at];
    return Math.exp(-gamma * Math.max(0, own + square - (2 * product) / GREYS));
  });
}

/**
 * What the 45 machines say of an image, and how it is counted.
 * @param {Reader} reader
 * @param {Float64Array} image
 */
export function read(reader, image) {
  const { digits, alpha, b } = reader;
  const row = kernelRow(reader, image);
  const f = [...b];
  row.forEach((k, i) => PARTS[digits[i]].forEach(({ pair, sign }, m) => { f[pair] += sign * alpha[m * digits.length + i] * k; }));
  const votes = Array.from({ length: 10 }, () => 0);
  const winners = PAIRS.map(([p, q], pair) => (f[pair] > 0 ? p : q));
  for (const digit of winners) votes[digit] += 1;
  const [first, second] = [...votes.keys()].sort((p, q) => votes[q] - votes[p] || p - q);
  const value = (first < second ? 1 : -1) * f[pairOf(first, second)]; // positive for the first
  return { f, winners, votes, first, second, value, ...pushesFor(reader, row, first, second) };
}

/**
 * The stored images that push hardest in the machine of two digits: towards the first, towards the other; and how many push at all.
 * @param {Reader} reader
 * @param {Float64Array} row of the kernel
 * @param {number} first
 * @param {number} second
 * @returns {{towards: [i: number, push: number][], against: [i: number, push: number][], pushing: number}}
 */
function pushesFor({ digits, alpha }, row, first, second) {
  const pair = pairOf(first, second);
  const pushes = /** @type {[number, number][]} */ ([...digits.entries()].flatMap(([i, digit]) => {
    const m = digit === first || digit === second ? PARTS[digit].findIndex((part) => part.pair === pair) : -1;
    const push = m < 0 ? 0 : alpha[m * digits.length + i] * row[i];
    return push ? [[i, digit === first ? push : -push]] : [];
  })).sort((one, other) => other[1] - one[1]);
  const [towards, against] = [1, -1].map((sign) => pushes.filter(([, push]) => sign * push > 0));
  return { towards: towards.slice(0, 5), against: against.reverse().slice(0, 5), pushing: pushes.length };
}

/** A stored image. @param {Reader} reader @param {number} i */
export function storedImage({ greys }, i) {
  return Float64Array.from(greys.subarray(i * PIXELS, (i + 1) * PIXELS), (grey) => grey / GREYS);
}
