// Tables that readers bring: what each gets, in points and in words.
import assert from "node:assert/strict";
import { createRequire } from "node:module";
import { test } from "node:test";
import { decoded, numberIn, readTable } from "../../../svmcourse/live/table.js";
import { axesFor, firstChoice, pointsOf, saidOfTable, twoDirections } from "../../../svmcourse/live/table_points.js";
import { addressOf, settingOf, tableOf } from "../../../svmcourse/live/taking.js";
import { knownPoint } from "../../../svmcourse/live/units.js";
import { drawn, numbers } from "./drawing.mjs";
import { TABLES } from "./tables.mjs";

const { parse } = createRequire(new URL("../../../book/_npm/package.json", import.meta.url))("papaparse");

const known = new Map(); // tables that have been read

/** The table in a text or in bytes, or why there is none. */
function read(given) {
  if (!known.has(given)) {
    const text = typeof given === "string" ? given : decoded(given);
    known.set(given, typeof text === "string" ? readTable(text, parse) : text);
  }
  return known.get(given);
}

/** What a reader gets at first, or with other choices. */
function got(given, changed = {}) {
  const table = read(given);
  const choice = table.problem ? table : firstChoice(table);
  const taken = choice.problem ? choice : pointsOf(table, { ...choice, ...changed });
  return { ...taken, said: taken.problem ? "" : [...saidOfTable(table, ""), ...taken.said].join(" "), table, choice };
}

for (const [name, given, { problem, n, plus, first, names, said }] of TABLES) {
  test(`${problem === undefined ? "taken" : "refused"}: ${name}`, () => {
    for (const scaled of [true, false]) {
      const found = got(given, { scaled });
      if (problem !== undefined) {
        assert.ok(found.problem, "it has been taken");
        assert.ok(found.problem.includes(problem), found.problem);
        continue;
      }
      assert.equal(found.problem, undefined);
      assert.deepEqual([found.points.length, found.labels.filter((label) => label > 0).length, new Set(found.labels).size], [n, plus, 2]);
      assert.ok(found.points.flat().every(Number.isFinite));
      if (first) assert.deepEqual(knownPoint(found.units, found.points[0]), first);
      if (names) assert.deepEqual(found.units.names, names);
      if (said) assert.ok(found.said.includes(said), found.said);
      if (!scaled) continue;
      for (const m of [0, 1]) { // mean 0, deviation 1
        const values = found.points.map((point) => point[m]);
        const mean = values.reduce((sum, v) => sum + v, 0) / n;
        assert.ok(Math.abs(mean) < 1e-6 && Math.abs(values.reduce((sum, v) => sum + (v - mean) ** 2, 0) / n - 1) < 1e-6);
      }
    }
  });
}

test("there are forty tables and more", () => {
  assert.ok(TABLES.length > 60);
  assert.equal(new Set(TABLES.map(([name]) => name)).size, TABLES.length);
});

test("one number, in two ways of writing", () => {
  const cells = { 5: [5, 5], "1.5": [1.5, NaN], "1,5": [NaN, 1.5], "1,234": [1234, 1.234], "1.234": [1.234, 1234], "0,123": [NaN, 0.123], "1,234,567.5": [1234567.5, NaN],
    "1.234.567,5": [NaN, 1234567.5], "1e-9": [1e-9, 1e-9], "−2": [-2, -2], ".5": [0.5, NaN], "5.": [5, NaN], "1,23,456": [NaN, NaN], "1,2345": [NaN, 1.2345], "12.03.2021": [NaN, NaN],
    "2021-03-12": [NaN, NaN], "12:30": [NaN, NaN], abc: [NaN, NaN], "": [NaN, NaN], "1e999": [NaN, NaN], "0x10": [NaN, NaN], "€ 12": [12, 12], "12 %": [12, 12], "1 2": [NaN, NaN], "-": [NaN, NaN] };
  for (const [cell, expected] of Object.entries(cells)) assert.deepEqual([numberIn(cell, "."), numberIn(cell, ",")], expected, cell);
});

test("the reader has the last word: names or not, another class, other columns", () => {
  const [, text] = TABLES[1];
  const table = readTable(text, parse, false);
  assert.equal(table.rows, 7);
  assert.deepEqual(table.columns.slice(0, 2).map(({ name }) => name), ["column 1", "column 2"]);
  const other = got(text, { plus: "virginica", axes: [2, 3], scaled: false });
  assert.deepEqual(other.points[4], [6, 2.5]);
  assert.deepEqual(other.labels, [-1, -1, -1, -1, 1, 1]);
  assert.match(got(text, { axes: [1, 1] }).problem, /Both axes are “sepal_width”/);
});

test("the same points are drawn for the same seed, and others for another", () => {
  const [, text] = TABLES.find(([name]) => name === "50,000 rows");
  const table = read(text);
  const choice = firstChoice(table);
  const [one, same, other] = [1, 1, 3].map((seed) => pointsOf(table, { ...choice, scaled: false, seed }).points);
  assert.deepEqual(one, same);
  assert.notDeepEqual(one, other);
  assert.equal(new Set(one.map(String)).size, 1000); // none twice
  assert.ok(pointsOf(table, choice).drawn);
});

test("directions of largest variance: orthonormal, and no other two have more", () => {
  const random = numbers(5);
  for (const [n, d] of [[30, 3], [200, 6], [8, 20]]) {
    const columns = Array.from({ length: d }, (_, k) => {
      const column = Array.from({ length: n }, () => (random() - 0.5) * (k + 1));
      const mean = column.reduce((sum, v) => sum + v, 0) / n;
      return column.map((v) => v - mean);
    });
    columns[d - 1] = columns[0].map((v, i) => 2 * v + 0.1 * columns[d - 1][i]);
    const { directions: [v, w], shares } = twoDirections(columns);
    const dot = (one, other) => one.reduce((sum, value, k) => sum + value * other[k], 0);
    assert.ok(Math.abs(dot(v, v) - 1) < 1e-12 && Math.abs(dot(w, w) - 1) < 1e-12 && Math.abs(dot(v, w)) < 1e-12);
    const image = (u) => columns.map((one) => columns.reduce((sum, other, k) => sum + u[k] * dot(one, other), 0));
    for (const [u, share] of [[v, shares[0]], [w, shares[1]]]) { // eigenvectors
      const total = columns.reduce((sum, column) => sum + dot(column, column), 0);
      image(u).forEach((value, k) => assert.ok(Math.abs(value - share * total * u[k]) < 1e-5 * total));
    }
    for (let trial = 0; trial < 200; trial += 1) {
      const u = Array.from({ length: d }, () => random() - 0.5);
      const rest = u.map((value, k) => value - dot(u, v) * v[k] - dot(u, w) * w[k]); // what is left beside both
      const total = columns.reduce((sum, column) => sum + dot(column, column), 0);
      if (dot(rest, rest) > 1e-9) assert.ok(dot(rest, image(rest)) / dot(rest, rest) / total <= shares[1] + 1e-9);
    }
    assert.ok(shares[0] >= shares[1]);
  }
  const iris = got(TABLES[1][1], { axes: null });
  assert.match(iris.said, /The two directions of largest variance of 4 columns, each by its standard deviation: \d+ % of the variance/);
  assert.match(got(TABLES[0][1], { axes: null }).said, /2 columns/);
  assert.match(got("x,y,z,class\n1,2,3,a\n2,4,6,b\n3,6,9,a\n", { axes: null }).problem, /one line/);
});

test("units are said: whose distances count", () => {
  const text = `alcohol,proline,class\n${Array.from({ length: 20 }, (_, i) => `${12 + i / 20},${300 + 40 * ((i * 7) % 20)},${i % 2 ? "a" : "b"}`).join("\n")}`;
  assert.match(got(text, { scaled: false }).said, /In their own units: .* of the squared distance between two points, on average, comes from “proline”/);
  assert.match(got(text).said, /one step is one standard deviation, 0\.288 of “alcohol” and 231 of “proline”/);
});

test("what counts the rows is taken for an axis only where there is nothing else", () => {
  const table = read(`id,x,class\n${Array.from({ length: 6 }, (_, i) => `${i + 1},${i * i},${i % 2 ? "a" : "b"}`).join("\n")}`);
  assert.deepEqual(axesFor(table, 2), [1, 0]);
});

test("an address brings points of a table back in their units", () => {
  for (const [name, given, { problem }] of TABLES) {
    if (problem !== undefined) continue;
    for (const changed of [{}, { scaled: false }]) {
      const { points, labels, units } = got(given, changed);
      if (points.length > 500) continue;
      const moved = points.map(([x, y], i) => (i ? [x, y] : [x + 0.123456789, y]));
      const back = settingOf(addressOf({ points: moved, labels, kernel: { name: "linear" }, C: 1, units }));
      assert.deepEqual(back.labels, labels, name);
      assert.deepEqual(back.units, { names: units.names.map((each) => each.slice(0, 60)), middle: units.middle, size: units.size });
      back.points.forEach((point, i) => point.forEach((value, m) => {
        assert.ok(Math.abs(value - moved[i][m]) <= 1e-15 * (Math.abs(value) + Math.abs(units.middle[m] / units.size[m])) * 4, `${name}: ${value} for ${moved[i][m]}`);
        if (i) assert.equal(value, points[i][m]);
      }));
    }
  }
  for (const query of ["u=0_1_0_1&n=a~b&p=1_2_x", "u=0_0_0_1&n=a~b&p=5000_1_1", "u=0_1_0&n=a~b&p=5000_1_1", "u=0_1_0_1&n=a&p=5000_1_1", "u=0_1_0_1&n=a~b&p=1e200_1_1"]) {
    assert.deepEqual(settingOf(query), {}, query);
  }
});

test("the table that is taken away is in the units, with its names, and f", () => {
  const { points, labels, units } = got('"x, y",b,class\n1.1,2,a\n3.3,4,b\n');
  assert.equal(tableOf({ points, labels, units }, [0.5, 0.5], [1, -1]), '"x, y",b,y,alpha,f\n1.1,2,1,0.5,1\n3.3,4,-1,0.5,-1\n');
});

test("what people have drawn stays without units", () => {
  const setting = { ...drawn(5, 1), kernel: { name: "linear" }, C: 1 };
  assert.ok(!addressOf(setting).includes("&u="));
});
