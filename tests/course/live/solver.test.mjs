// The solver of the page: what it refuses, what it repairs, and 2,000 drags. Against svmlib: test_live_solver.py.
import assert from "node:assert/strict";
import { test } from "node:test";
import { kernelFunction } from "../../../svmcourse/live/kernels.js";
import { solve } from "../../../svmcourse/live/solver.js";
import { drawn, numbers } from "./drawing.mjs";

const GAUSSIAN = { name: "gaussian", sigma: 0.7 };
const TWO = { points: [[0], [2], [3]], labels: [-1, 1, 1], kernel: { name: "linear" }, C: 10 };

/** Gap and dual value by their definitions, from K itself, and what doubles may err by in the gap. */
function recomputed({ points, labels, kernel, C }, { alpha, b }) {
  const k = kernelFunction(kernel);
  let [gap, objective, rounding] = [0, 0, 0];
  points.forEach((x, i) => {
    const terms = points.reduce((sum, z, j) => sum + alpha[j] * Math.abs(k(x, z)), 0);
    rounding += 2 ** -52 * points.length * terms * Math.max(alpha[i], C - alpha[i]);
    const g = points.reduce((sum, z, j) => sum + alpha[j] * labels[j] * k(x, z), 0);
    const r = labels[i] * (g + b) - 1;
    gap += alpha[i] * Math.max(r, 0) + (C - alpha[i]) * Math.max(-r, 0);
    objective += alpha[i] - 0.5 * alpha[i] * labels[i] * g;
  });
  return { gap, objective, rounding };
}

/** Every property that a solution must have. */
function check(problem, solution) {
  const { alpha, b, objective, gap, status } = solution;
  assert.equal(status, "optimal");
  assert.ok([...alpha, b, objective, gap].every(Number.isFinite));
  assert.ok(alpha.every((value) => value >= 0 && value <= problem.C));
  const [pull, size] = alpha.reduce(([p, s], value, i) => [p + problem.labels[i] * value, s + value], [0, 0]);
  assert.ok(Math.abs(pull) <= 1e-12 * size, `sum y alpha = ${pull}`);
  assert.ok(gap >= 0 && gap <= 1e-6 * objective, `gap ${gap} of ${objective}`);
  const proof = recomputed(problem, solution);
  assert.ok(Math.abs(proof.gap - gap) <= 1e-9 * objective + 1e-12 + proof.rounding);
  assert.ok(Math.abs(proof.objective - objective) <= 1e-9 * objective);
}

test("three points on a line, by hand", () => {
  const { alpha, b, objective } = solve(TWO);
  assert.deepEqual([...alpha], [0.5, 0.5, 0]);
  assert.ok(Math.abs(b + 1) < 1e-12 && Math.abs(objective - 0.5) < 1e-12);
});

test("bad input is refused, and the message names the argument", () => {
  const bad = [
    [{ points: [], labels: [] }, /points is empty/], [{ points: [[0], [NaN], [1]] }, /points\[1\] is not finite/],
    [{ points: [[0], [1, 2], [1]] }, /points\[1\] must have 1 coordinates/], [{ labels: [1, 1, 1] }, /labels must hold both classes/],
    [{ labels: [1, -1] }, /labels must hold one label for each of the 3 points/], [{ labels: [0, 1, -1] }, /labels must hold -1 and \+1/],
    [{ C: 0 }, /C must be a positive/], [{ C: -1 }, /C must/], [{ C: NaN }, /C must/], [{ C: Infinity }, /C must/],
    [{ tol: 0 }, /tol must/], [{ kernel: { name: "cosine" } }, /kernel.name/], [{ kernel: { name: "gaussian", sigma: 0 } }, /kernel.sigma/],
    [{ kernel: { name: "polynomial", Q: 1.5 } }, /kernel.Q/], [{ kernel: { name: "sigmoid", kappa: NaN } }, /kernel.kappa/],
    [{ kernel: { name: "polynomial", Q: 40 }, points: [[1e9], [0], [1]] }, /kernel: its values .* too large/],
  ];
  for (const [change, message] of bad) assert.throws(() => solve({ ...TWO, ...change }), { name: "RangeError", message });
});

test("any start is made feasible and leads to the same machine", () => {
  const problem = { ...drawn(40, 3), kernel: GAUSSIAN, C: 5 };
  const cold = solve(problem);
  const starts = [[], [NaN, -3, 1e9], Array(40).fill(5), Array(99).fill(1), problem.labels.map((s) => (s > 0 ? 5 : 0)), cold.alpha];
  for (const alpha0 of starts) {
    const warm = solve({ ...problem, alpha0 });
    check(problem, warm);
    assert.ok(Math.abs(warm.objective - cold.objective) <= 1e-9 * cold.objective);
  }
  assert.equal(solve({ ...problem, alpha0: cold.alpha }).steps, 0);
});

test("the same problem gives the same numbers, to the last bit", () => {
  const problem = { ...drawn(80, 9), kernel: { name: "polynomial", Q: 3 }, C: 300 };
  assert.deepEqual(solve(problem), solve(problem));
});

test("where no step is allowed, the status says so and the numbers are numbers", () => {
  const problem = { ...drawn(80, 9), kernel: GAUSSIAN, C: 300 };
  const { alpha, b, gap, status } = solve({ ...problem, maxSteps: 3 });
  assert.equal(status, "max_iter");
  assert.ok([...alpha, b, gap].every(Number.isFinite) && gap > 1);
});

test("all points in one place, and a kernel that is constant", () => {
  const same = { points: [[1, 1], [1, 1], [1, 1]], labels: [1, 1, -1], C: 3 };
  for (const kernel of [GAUSSIAN, { name: "linear" }, { name: "sigmoid", kappa: 0, delta: 1 }, { name: "polynomial", a: 0 }]) {
    const { alpha, b, gap, objective } = solve({ ...same, kernel });
    assert.ok([...alpha, b, gap, objective].every(Number.isFinite));
    assert.ok(gap < 1e-9 && Math.abs(objective - 6) < 1e-9, `${kernel.name}: ${objective}, ${gap}`);
  }
});

test("far from the origin, b makes up for it", () => {
  const { points, labels } = drawn(60, 5);
  const near = solve({ points, labels, kernel: { name: "linear" }, C: 10 });
  const far = solve({ points: points.map(([x, y]) => [x + 1000, y - 2000]), labels, kernel: { name: "linear" }, C: 10 });
  assert.ok(Math.abs(near.objective - far.objective) < 1e-6 * near.objective);
});

test("an indefinite kernel: stationary", () => {
  const { gap, status } = solve({ ...drawn(60, 8), kernel: { name: "sigmoid", kappa: 1, delta: 1 }, C: 1 });
  assert.equal(status, "stationary");
  assert.ok(Number.isFinite(gap));
});

for (const [kernel, C, n] of [[GAUSSIAN, 10, 60], [{ name: "linear" }, 1000, 40], [{ name: "polynomial", Q: 4 }, 100, 40]]) {
  test(`2,000 random drags of ${n} points, ${kernel.name}: feasible and certified after each`, () => {
    const problem = { ...drawn(n, 7), kernel, C };
    const random = numbers(11);
    let { alpha } = solve(problem);
    for (let drag = 0; drag < 2000; drag += 1) {
      const i = Math.floor(n * random());
      const reach = random() < 0.1 ? 4 : 0.1; // now and then across the picture
      problem.points[i] = problem.points[i].map((x) => Math.max(-3, Math.min(3, x + reach * (random() - 0.5))));
      const solution = solve({ ...problem, alpha0: alpha });
      check(problem, solution);
      alpha = solution.alpha;
    }
  });
}
