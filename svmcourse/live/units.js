// The units of a table on a plane: a coordinate times its size, plus its middle, is the number that the reader knows.

/**
 * @typedef {{columns: string[], mean: number[], size: number[], plus: string, directions: number[][] | null}} From  the columns
 *   of a table, less mean, by size, along two directions if need be; plus: the class that is +1
 * @typedef {{names: string[], middle: number[], size: number[], from?: From}} Units  of the two axes
 */

/**
 * What a coordinate is in the reader's units, without the last digits that only rounding has made.
 * @param {Units} units
 * @param {number} m
 * @param {number} value
 */
export function known(units, m, value) {
  const whole = units.middle[m] + units.size[m] * value;
  const order = (/** @type {number} */ of) => Math.floor(Math.log10(Math.abs(of)));
  const digits = whole ? 15 - Math.max(0, order(units.middle[m]) - order(whole)) : 0; // as many as the sum can have
  const short = digits > 0 ? Number(whole.toPrecision(digits)) : 0;
  return planar(units, m, short) === value ? short : whole;
}

/** The coordinate of a number in the reader's units. @param {Units} units @param {number} m @param {number} value */
export function planar(units, m, value) {
  return (value - units.middle[m]) / units.size[m];
}

/** @param {Units | null | undefined} units @param {ArrayLike<number>} point */
export function knownPoint(units, point) {
  return units ? [0, 1].map((m) => known(units, m, point[m])) : [point[0], point[1]];
}
