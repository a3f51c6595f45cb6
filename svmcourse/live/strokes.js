// From strokes to the image that the machine of the digits reads, as svmcourse/mnist/hand.py does it, number for number.

/** @typedef {number[][]} Stroke  points [x, y], y down, in parts of the canvas */

export const ACROSS = 28;
const BOX = 20;
const PEN = 1.3; // half the width of a line, in pixels of the image
const FADES = 1.5; // how wide its edge fades
const SMALLEST = 0.1; // of the canvas: what is smaller is not blown up to the whole box
const MIDDLE = (ACROSS - 1) / 2;

/**
 * The image of a drawing, 0 paper and 1 ink, row by row: scaled to a box of 20 pixels, centred by its mass, deskewed.
 * @param {Stroke[]} strokes
 * @returns {Float64Array}
 */
export function seen(strokes) {
  const pieces = strokes.flatMap((points) => (points.length > 1 ? points.slice(1).map((point, i) => [...points[i], ...point]) : points.map((point) => [...point, ...point])));
  if (!pieces.length) return new Float64Array(ACROSS * ACROSS);
  const lines = fitted(pieces);
  const once = massOf(ink(lines));
  return deskewed(ink(shifted(lines, MIDDLE - once.x, MIDDLE - once.y)));
}

/** @param {number[][]} pieces  x0, y0, x1, y1 @param {number} right @param {number} down */
function shifted(pieces, right, down) {
  return pieces.map(([x0, y0, x1, y1]) => [x0 + right, y0 + down, x1 + right, y1 + down]);
}

/** The same lines in the middle of the image, so large that with the width of the pen they fill the box. @param {number[][]} pieces */
function fitted(pieces) {
  const ends = pieces.flatMap(([x0, y0, x1, y1]) => [[x0, y0], [x1, y1]]);
  const low = [0, 1].map((m) => ends.reduce((least, end) => Math.min(least, end[m]), Infinity));
  const high = [0, 1].map((m) => ends.reduce((most, end) => Math.max(most, end[m]), -Infinity));
  const scale = (BOX - 2 * PEN) / Math.max(high[0] - low[0], high[1] - low[1], SMALLEST);
  return pieces.map((piece) => piece.map((value, k) => (value - (low[k % 2] + high[k % 2]) / 2) * scale + MIDDLE));
}

/** Grey levels: 1 inside the lines, 0 outside, and between them over a width of FADES where their edges are. @param {number[][]} pieces */
function ink(pieces) {
  const square = new Float64Array(ACROSS * ACROSS).fill(Infinity); // of the distance to the nearest piece, where that is near
  const far = PEN + FADES / 2; // from where on there is no ink
  const from = (/** @type {number} */ value) => Math.max(0, Math.ceil(value - far));
  const to = (/** @type {number} */ value) => Math.min(ACROSS - 1, Math.floor(value + far));
  for (const [x0, y0, x1, y1] of pieces) {
    const [dx, dy] = [x1 - x0, y1 - y0];
    const length = Math.max(dx * dx + dy * dy, 1e-12);
    for (let row = from(Math.min(y0, y1)); row <= to(Math.max(y0, y1)); row += 1) {
      for (let column = from(Math.min(x0, x1)); column <= to(Math.max(x0, x1)); column += 1) {
        const [right, down] = [column - x0, row - y0];
        const part = Math.min(1, Math.max(0, (right * dx + down * dy) / length));
        const [u, v] = [right - part * dx, down - part * dy];
        const k = row * ACROSS + column;
        square[k] = Math.min(square[k], u * u + v * v);
      }
    }
  }
  return square.map((value) => Math.min(1, Math.max(0, 0.5 + (PEN - Math.sqrt(value)) / FADES)));
}

/** Where the middle of the ink is, and how far its x leans with its y. @param {Float64Array} image */
function massOf(image) {
  let [total, x, y, xy, yy] = [0, 0, 0, 0, 0];
  image.forEach((value, k) => {
    const [column, row] = [k % ACROSS, Math.floor(k / ACROSS)];
    total += value;
    x += value * column;
    y += value * row;
    xy += value * column * row;
    yy += value * row * row;
  });
  [x, y] = [x / total, y / total];
  const spread = yy / total - y * y;
  return { x, y, slope: spread > 1e-9 ? (xy / total - x * y) / spread : 0 };
}

/** The slant taken out and the mass in the middle, as svmlib.data.digits.deskew does it. @param {Float64Array} image */
function deskewed(image) {
  const { x, y, slope } = massOf(image);
  const at = (/** @type {number} */ column, /** @type {number} */ row) => (column < 0 || row < 0 || column >= ACROSS || row >= ACROSS ? 0 : image[row * ACROSS + column]);
  const least = image.reduce((most, value) => Math.max(most, value), 0) / 512; // below the first of 256 grey levels: paper
  return image.map((_, k) => {
    const [column, row] = [k % ACROSS - MIDDLE, Math.floor(k / ACROSS) - MIDDLE];
    const [px, py] = [x + column + slope * row, y + row];
    const [left, top] = [Math.floor(px), Math.floor(py)];
    const [u, v] = [px - left, py - top];
    const value = (1 - v) * ((1 - u) * at(left, top) + u * at(left + 1, top)) + v * ((1 - u) * at(left, top + 1) + u * at(left + 1, top + 1));
    return value < least ? 0 : value;
  });
}
