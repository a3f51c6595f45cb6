// What the figures of the hard margin compute: hulls, bridges, bands, half planes, forces. Against svmlib: test_live_hard_margin.py.
import assert from "node:assert/strict";
import { test } from "node:test";
import { hullOf, shortestBridge } from "../../../svmcourse/live/hulls.js";
import { forceWidth } from "../../../svmcourse/live/plank.js";
import { forcesOn, Separator } from "../../../svmcourse/live/separator.js";
import { clip } from "../../../svmcourse/live/strips.js";
import { bandAt } from "../../../svmcourse/live/turn.js";
import { allowed } from "../../../svmcourse/live/unknowns.js";
import { numbers } from "./drawing.mjs";

const LINEAR = { name: "linear" };
const dot = (u, v) => u[0] * v[0] + u[1] * v[1];

/** Two clouds, `apart` from each other along a direction that is different for each seed. */
function clouds(seed, n, apart) {
  const random = numbers(seed + 1);
  const turn = 2 * Math.PI * random();
  const u = [Math.cos(turn), Math.sin(turn)];
  const labels = Array.from({ length: n }, (_, i) => (i % 2 ? 1 : -1));
  const points = labels.map((y) => {
    const [along, aside] = [random() + y * apart, 2 * random() - 1];
    return [along * u[0] - aside * u[1] + 3, along * u[1] + aside * u[0] - 1];
  });
  return { points, labels, kernel: LINEAR, C: 1 };
}

test("a hull has all points to its left, and its corners are points", () => {
  for (let seed = 0; seed < 50; seed += 1) {
    const { points } = clouds(seed, 3 + seed, 0);
    const hull = hullOf(points);
    hull.forEach((a, k) => {
      const b = hull[(k + 1) % hull.length];
      assert.ok(points.some((x) => x[0] === a[0] && x[1] === a[1]));
      for (const x of points) assert.ok((b[0] - a[0]) * (x[1] - a[1]) - (b[1] - a[1]) * (x[0] - a[0]) > -1e-12);
    });
  }
});

test("hulls of one point, of two, of points on a line and of one point many times", () => {
  assert.deepEqual(hullOf([]), []);
  assert.deepEqual(hullOf([[1, 2]]), [[1, 2]]);
  assert.deepEqual(hullOf([[1, 2], [1, 2], [1, 2]]), [[1, 2]]);
  assert.deepEqual(hullOf([[3, 0], [0, 0], [1, 0], [2, 0]]), [[0, 0], [3, 0]]);
});

test("bridges by hand: corner to corner, corner to side, side to side", () => {
  assert.deepEqual(shortestBridge([[3, 4]], [[0, 0]]), { p: [3, 4], q: [0, 0], length: 5 });
  assert.deepEqual(shortestBridge([[2, 0]], [[0, -1], [0, 3]]), { p: [2, 0], q: [0, 0], length: 2 });
  assert.equal(shortestBridge([[1, 0], [2, 0], [2, 1], [1, 1]], [[-1, 0], [0, 0], [0, 1], [-1, 1]])?.length, 1);
});

test("no bridge where hulls touch, cross or hold each other", () => {
  const square = [[0, 0], [4, 0], [4, 4], [0, 4]];
  for (const other of [[[2, 2]], [[4, 2]], [[-1, 2], [5, 2]], [[-1, -1], [9, -1], [9, 9], [-1, 9]], [[4, 4], [6, 6]], square]) {
    assert.equal(shortestBridge(square, other), null);
    assert.equal(shortestBridge(other, square), null);
  }
});

test("the bridge is as long as the band is wide, and no direction has a wider one", () => {
  for (let seed = 0; seed < 200; seed += 1) {
    const machine = new Separator(clouds(seed, 6 + (seed % 40), 0.55 + 0.01 * (seed % 50)));
    assert.ok(machine.separable && machine.bridge);
    const { w, b, bridge, points, labels } = machine;
    assert.ok(Math.abs(bridge.length * Math.hypot(...w) / 2 - 1) < 1e-7);
    points.forEach((x, i) => assert.ok(labels[i] * (dot(w, x) + b) > 1 - 1e-6));
    assert.ok(Math.abs(dot(w, [0, 1].map((m) => (bridge.p[m] + bridge.q[m]) / 2)) + b) < 1e-6);
    const best = (Math.atan2(w[1], w[0]) * 180) / Math.PI;
    assert.ok(Math.abs(bandAt(points, labels, best).width - bridge.length) < 1e-6 * bridge.length);
    for (let angle = 0; angle < 360; angle += 7) assert.ok(bandAt(points, labels, angle).width <= bridge.length * (1 + 1e-9));
  }
});

test("forces and torques cancel, and both classes push where the bridge ends", () => {
  for (let seed = 0; seed < 200; seed += 1) {
    const machine = new Separator(clouds(seed, 6 + (seed % 40), 0.55 + 0.01 * (seed % 50)));
    const forces = forcesOn(machine);
    const total = forces.reduce((sum, { force }) => sum + force, 0);
    const reach = Math.max(...forces.map(({ at }) => Math.abs(at)), 0.1);
    assert.ok(forces.length >= 2 && forces.every(({ force }) => force > 0));
    assert.ok(Math.abs(forces.reduce((sum, { label, force }) => sum + label * force, 0)) < 1e-10 * total);
    assert.ok(Math.abs(forces.reduce((sum, { torque }) => sum + torque, 0)) < 1e-7 * total * reach);
    assert.ok(Math.abs(total / dot(machine.w, machine.w) - 1) < 1e-7); // sum alpha = ‖w‖²
    for (const label of [1, -1]) { // where one class pushes is where the other does
      const mine = forces.filter((force) => force.label === label);
      assert.ok(Math.abs(mine.reduce((sum, { force, at }) => sum + force * at, 0)) < 1e-7 * total * reach);
    }
  }
});

test("where a drag makes the classes overlap there is no machine, and there is one again afterwards", () => {
  const { points, labels } = clouds(5, 20, 0.8);
  const machine = new Separator({ points, labels, kernel: LINEAR, C: 1 });
  const before = machine.length;
  const home = machine.points[0];
  machine.points[0] = [0, 1].map((m) => points.reduce((sum, x, i) => (labels[i] > 0 ? sum + x[m] / 10 : sum), 0));
  machine.solve();
  assert.ok(!machine.separable && /No line separates/.test(machine.problem) && machine.support.length === 0);
  machine.points[0] = home;
  machine.solve();
  assert.ok(Math.abs(machine.length / before - 1) < 1e-7);
  machine.labels.fill(1);
  machine.solve();
  assert.ok(!machine.separable && /both classes/.test(machine.problem));
});

test("2,000 drags: a machine exactly where there is a bridge, its alpha never near C", () => {
  const random = numbers(3);
  const machine = new Separator(clouds(8, 30, 0.7));
  let apart = 0;
  for (let drag = 0; drag < 2000; drag += 1) {
    const i = Math.floor(30 * random());
    const home = machine.points[i];
    machine.points[i] = home.map((x) => x + 0.8 * (random() - 0.5));
    machine.solve();
    if (!machine.separable) {
      machine.points[i] = home;
      continue;
    }
    apart += 1;
    assert.equal(machine.solution.status, "optimal");
    assert.ok(Math.max(...machine.alpha) < 0.11 * machine.C);
    assert.ok(machine.solution.gap < 1e-6 * machine.solution.objective);
    assert.ok(Math.abs(machine.bridge.length * machine.length / 2 - 1) < 1e-6);
  }
  assert.ok(apart > 500 && apart < 2000, String(apart));
});

test("the wedge of four points: its tip is the optimum, and the two inner points make it", () => {
  const [x, y] = [[0, 1, 3, 4], [-1, -1, 1, 1]];
  const wedge = allowed(x, y, [-1, 4, -9, 4]);
  const tip = wedge.reduce((best, corner) => (Math.abs(corner[0]) < Math.abs(best[0]) ? corner : best));
  assert.ok(Math.abs(tip[0] - 1) < 1e-12 && Math.abs(tip[1] + 2) < 1e-12);
  assert.deepEqual(allowed([0, 3, 1], [-1, -1, 1], [-9, 9, -9, 9]), []); // between the others: nothing is left
});

test("the corner nearest to w = 0 is the solver's answer, for random points on a line", () => {
  const random = numbers(17);
  for (let run = 0; run < 200; run += 1) {
    const y = Array.from({ length: 8 }, (_, i) => (i % 2 ? 1 : -1));
    const side = random() > 0.5 ? 1 : -1;
    const x = y.map((label) => side * label * (0.3 + 2 * random()) + 1);
    const machine = new Separator({ points: x.map((value) => [value, 0]), labels: y, kernel: LINEAR, C: 1 });
    const wedge = allowed(x, y, [-20, 20, -60, 60]);
    assert.ok(wedge.every(([w, b]) => x.every((value, i) => y[i] * (w * value + b) > 1 - 1e-9)));
    const tip = wedge.reduce((best, corner) => (Math.abs(corner[0]) < Math.abs(best[0]) ? corner : best));
    assert.ok(Math.abs(tip[0] - machine.w[0]) < 1e-7 && Math.abs(tip[1] - machine.b) < 1e-6);
  }
});

test("a polygon is cut along a line", () => {
  assert.deepEqual(clip([[0, 0], [2, 0], [2, 2], [0, 2]], [1, 0], -1), [[1, 0], [2, 0], [2, 2], [1, 2]]);
  assert.deepEqual(clip([[0, 0], [2, 0], [2, 2]], [1, 0], -5), []);
});

test("a harder push is a thicker arrow, since all lengths are to the longest one", () => {
  const widths = [0.9, 1.3, 52.6, 1e9].map(forceWidth);
  assert.equal(widths[0], widths[1]);
  assert.ok(widths[2] > 2 * widths[1] && widths[3] >= widths[2] && widths[3] < 12);
});
