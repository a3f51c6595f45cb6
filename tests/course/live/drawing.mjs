// Points for the tests, the same at every run.

/** Numbers that look random and are the same every time. */
export function numbers(seed) {
  let state = seed;
  return () => {
    state = (state * 16807) % 2147483647;
    return state / 2147483647;
  };
}

/** Points in a square, of the class of their side; some on the wrong one. */
export function drawn(n, seed) {
  const random = numbers(seed);
  const points = Array.from({ length: n }, () => [4 * random() - 2, 4 * random() - 2]);
  const labels = points.map(([x, y]) => ((x + 0.4 * y * y > 0.4) === random() > 0.08 ? 1 : -1));
  return { points, labels };
}
