// What a browser does with the solver: problems solved, and 2,000 random drags, each solved from where the last one stands.
import { solve } from "../../../svmcourse/live/solver.js";
import { drawn, numbers } from "./drawing.mjs";

const plain = (solution) => ({ ...solution, alpha: [...solution.alpha] });

/** A problem's solution, as JSON. */
export const solved = (problem) => plain(solve(problem));

/** Drags of one problem: how many, those whose result is no proof, and every hundredth with its points. */
export function dragged({ n, seed, kernel, C }) {
  const { points, labels } = drawn(n, seed);
  const random = numbers(seed + 1);
  let { alpha } = solve({ points, labels, kernel, C });
  const [kept, refused] = [[], []];
  let count = 0;
  for (; count < 2000; count += 1) {
    const i = Math.floor(n * random());
    const reach = random() < 0.1 ? 4 : 0.1; // now and then across the picture
    points[i] = points[i].map((x) => Math.max(-3, Math.min(3, x + reach * (random() - 0.5))));
    const solution = solve({ points, labels, kernel, C, alpha0: alpha });
    ({ alpha } = solution);
    const pull = alpha.reduce((sum, value, k) => sum + labels[k] * value, 0);
    const size = alpha.reduce((sum, value) => sum + value, 0);
    const good = solution.status === "optimal" && alpha.every((value) => value >= 0 && value <= C) && Math.abs(pull) <= 1e-12 * size
      && solution.gap >= 0 && solution.gap <= 1e-6 * solution.objective && Number.isFinite(solution.b);
    if (!good) refused.push({ count, ...plain(solution) });
    if (count % 100 === 99) kept.push({ points: points.map((x) => [...x]), labels: [...labels], kernel: { ...kernel }, C, ...plain(solution) });
  }
  return { count, kept, refused };
}
