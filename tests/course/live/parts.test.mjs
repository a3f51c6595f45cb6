// The parts of live figures that need no page: lines of equal height, words, addresses, Python and tables.
import assert from "node:assert/strict";
import { test } from "node:test";
import { contours } from "../../../svmcourse/live/contours.js";
import { kernelFunction } from "../../../svmcourse/live/kernels.js";
import { Machine } from "../../../svmcourse/live/machine.js";
import { clearest } from "../../../svmcourse/live/price.js";
import { addressOf, pythonOf, settingOf, tableOf } from "../../../svmcourse/live/taking.js";
import { atMost, number, place } from "../../../svmcourse/live/words.js";
import { drawn } from "./drawing.mjs";

const GRID = 41;
const onGrid = (f) => Float64Array.from({ length: GRID * GRID }, (_, k) => f((k % GRID) / 20 - 1, Math.floor(k / GRID) / 20 - 1));

test("the level line of a cone is one closed circle", () => {
  const lines = contours(onGrid(Math.hypot), GRID, GRID, 0.6);
  assert.equal(lines.length, 1);
  const [line] = lines;
  assert.deepEqual(line.slice(0, 2), line.slice(-2));
  for (let k = 0; k < line.length; k += 2) assert.ok(Math.abs(Math.hypot(line[k] / 20 - 1, line[k + 1] / 20 - 1) - 0.6) < 2e-3);
});

test("the level line of a slope is one line from border to border", () => {
  const [line, ...others] = contours(onGrid((x, y) => x + 0.3 * y), GRID, GRID, 0.01);
  assert.equal(others.length, 0);
  for (let k = 0; k < line.length; k += 2) assert.ok(Math.abs(line[k] / 20 - 1 + 0.3 * (line[k + 1] / 20 - 1) - 0.01) < 1e-12);
  assert.ok([line[1], line.at(-1)].every((row) => row === 0 || row === GRID - 1));
});

test("a saddle has two lines, and a level that is not reached none", () => {
  assert.equal(contours(onGrid((x, y) => x * y), GRID, GRID, 0.01).length, 2);
  assert.equal(contours(onGrid((x, y) => x * y), GRID, GRID, 5).length, 0);
});

test("numbers for people", () => {
  assert.deepEqual([0, -3, 0.5217, 1234567, 2.7e-7, 1e-10, -1e-9, Infinity].map((value) => number(value)),
    ["0", "−3", "0.522", "1.23·10⁶", "2.7·10⁻⁷", "10⁻¹⁰", "−10⁻⁹", "∞"]);
  assert.equal(place([0.123, -2]), "(0.12, −2)");
  assert.deepEqual([0, 1.96e-7, 1.91e-7, 2e-7, 9.91e-8, 0.00451, 12.01, 1, Infinity].map((value) => atMost(value)),
    ["0", "2·10⁻⁷", "2·10⁻⁷", "2·10⁻⁷", "10⁻⁷", "0.0046", "13", "1", "∞"]); // a bound is never rounded down
});

test("an address brings its setting back, and nonsense brings nothing", () => {
  for (const kernel of [{ name: "gaussian", sigma: 0.3 }, { name: "polynomial", Q: 4, a: 0.5, b: 2 }, { name: "linear" }, { name: "sigmoid", kappa: 2, delta: -1 }]) {
    const setting = { points: [[0.25, -1.5], [1e-7, 2]], labels: [1, -1], kernel, C: 12.5 };
    const back = settingOf(addressOf(setting));
    assert.deepEqual({ ...back, kernel: undefined }, { ...setting, kernel: undefined });
    for (const [name, value] of Object.entries(kernel)) assert.equal(back.kernel[name], value);
  }
  for (const query of ["", "C=0&k=none", "C=x&k=gaussian&sigma=-1&p=1_2~3", "p=1_NaN_1", "p=1e9_0_1", "k=__proto__", `p=${"1_1_1~".repeat(501)}`]) {
    assert.deepEqual(settingOf(query), {}, query);
  }
  assert.deepEqual(settingOf("p="), { points: [], labels: [] });
  const far = settingOf("k=polynomial&Q=99&a=1e9&b=-3&C=1e9"); // as far as the sliders go
  assert.deepEqual([far.C, far.kernel.Q, far.kernel.a, far.kernel.b], [10000, 8, 4, 0]);
  assert.equal(settingOf("C=1e-9").C, 0.01);
  assert.equal(settingOf("C=1e9", { C: { most: 999 } }).C, 999);
  assert.equal(settingOf("k=gaussian&sigma=1e9").kernel.sigma, 5);
  assert.equal(settingOf("k=sigmoid&delta=-77").kernel.delta, -2);
});

test("Python and table", () => {
  const setting = { points: [[0.25, -1.5], [1, 2]], labels: [1, -1], kernel: { name: "gaussian", sigma: 0.3 }, C: 12.5 };
  assert.match(pythonOf(setting), /SVC\(kernel=Gaussian\(sigma=0.3\), C=12.5/);
  assert.match(pythonOf(setting, [0.5, 0.5]), /alpha = np.array\(\[0.5, 0.5\]\)\n[^]*alpha0=alpha/);
  assert.equal(tableOf(setting, [1, 2]), "x1,x2,y,alpha\n0.25,-1.5,1,1\n1,2,-1,2\n");
});

for (const kernel of [{ name: "gaussian", sigma: 0.4 }, { name: "polynomial", Q: 3 }, { name: "linear" }, { name: "sigmoid", kappa: 1, delta: 0.3 }, { name: "sigmoid", kappa: 40, delta: 5 }]) {
  test(`f on a grid is f: ${JSON.stringify(kernel)}`, () => {
    const machine = new Machine({ ...drawn(40, 3), kernel, C: 5 });
    const [x1, x2] = [[-2, -0.3, 1.9], [-1.5, 0.2, 2]];
    const f = machine.field(x1, x2);
    const k = kernelFunction(kernel);
    const { alpha, b } = machine.solution;
    x2.forEach((y, r) => x1.forEach((x, c) => {
      const expected = machine.points.reduce((sum, z, i) => sum + machine.labels[i] * alpha[i] * k(z, [x, y]), b);
      assert.ok(Math.abs(f[r * 3 + c] - expected) < 1e-6 * (1 + Math.abs(expected)));
      assert.ok(Math.abs(machine.decision([x, y]) - expected) < 1e-12 * (1 + Math.abs(expected)));
    }));
  });
}

test("a machine starts from where it stood when points come, go and change sides", () => {
  globalThis.requestAnimationFrame = () => 1;
  globalThis.cancelAnimationFrame = () => {};
  const machine = new Machine({ ...drawn(30, 4), kernel: { name: "gaussian", sigma: 0.7 }, C: 5 });
  let heard = 0;
  const forget = machine.subscribe(() => { heard += 1; });
  const same = () => {
    machine.refresh();
    const fresh = new Machine(machine.setting);
    assert.ok(Math.abs(machine.solution.objective - fresh.solution.objective) < 1e-8 * fresh.solution.objective);
  };
  for (const act of [() => machine.add([0.1, 0.1], 1), () => machine.remove(0), () => machine.toggle(3), () => machine.move(5, [1, 1]),
    () => { machine.add([0, 1], -1); machine.add([0, 2], -1); machine.remove(2); }]) {
    act();
    same();
  }
  assert.equal(heard, 5);
  forget();
  machine.change({ labels: machine.labels.map(() => 1) });
  machine.refresh();
  assert.deepEqual([machine.solution, machine.problem, heard], [null, "A machine needs points of both classes.", 5]);
});

test("between a change and the next frame each point has an alpha, and what is drawn then is a number", () => {
  globalThis.requestAnimationFrame = () => 1;
  globalThis.cancelAnimationFrame = () => {};
  const fresh = () => new Machine({ ...drawn(20, 4), kernel: { name: "gaussian", sigma: 0.7 }, C: 5 });
  for (const act of [(m) => m.add([0.1, 0.1], 1), (m) => m.remove(0), (m) => m.remove(19), (m) => { m.remove(3); m.remove(3); },
    (m) => { m.add([1, 1], 1); m.remove(2); m.add([1, 0], -1); }, (m) => m.toggle(1), (m) => m.change(drawn(7, 1)), (m) => m.change(drawn(50, 1)),
    (m) => m.change({ points: [], labels: [] }), (m) => { while (m.points.length) m.remove(0); }]) {
    const machine = fresh();
    act(machine);
    assert.equal(machine.alpha.length, machine.points.length);
    assert.ok(machine.support.every((i) => machine.points[i]));
    assert.ok([...machine.alpha, machine.decision([0, 0]), ...machine.field([0, 1], [0, 1])].every(Number.isFinite));
    machine.refresh();
    assert.equal(machine.alpha.length, machine.points.length);
  }
  const machine = fresh();
  const [, second] = machine.alpha;
  machine.remove(0);
  assert.equal(machine.alpha[0], second); // each has kept its own
});

test("the name of a point hides no other point, no line and no number of the axes", () => {
  const plane = { width: 500, height: 400, x: (v) => 500 * v, y: (v) => 400 * (1 - v), at: (px, py) => [px / 500, 1 - py / 400] };
  const upright = (middle) => (at) => 40 * (at[0] - middle); // a band of 25 pixels about it
  const at = (points, decision, point = [0.5, 0.5]) => clearest(plane, { points: [point, ...points], decision }, point, 30);
  assert.deepEqual(at([], upright(2)), [198, 204]);
  assert.deepEqual(at([], upright(0.4)), [302, 204]); // the line would run through a name at the left
  assert.deepEqual(at([[0.4, 0.5], [0.6, 0.5]], upright(2)), [250, 178]); // points on both sides
  assert.deepEqual(at([], upright(2), [0.02, 0.5]), [62, 204]); // no room at the left
  assert.ok(at([[0.4, 0.1], [0.6, 0.1]], upright(2), [0.5, 0.1])[1] < 378);
});
