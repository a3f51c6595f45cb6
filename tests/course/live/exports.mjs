// Machines as a page takes them away, of random tables: seeds on the standard input, [{f, python, scikit, status}] on the output.
import { createRequire } from "node:module";
import { Machine } from "../../../svmcourse/live/machine.js";
import { readTable } from "../../../svmcourse/live/table.js";
import { firstChoice, pointsOf } from "../../../svmcourse/live/table_points.js";
import { pythonOf, scikitOf } from "../../../svmcourse/live/taking.js";
import "../../../svmcourse/live/typed.js";
import { numbers } from "./drawing.mjs";

const { parse } = createRequire(new URL("../../../book/_npm/package.json", import.meta.url))("papaparse");

/** Clouds of three classes, in columns of very different units, with holes, in one of the ways of writing. */
function tableOf(random, d) {
  const [decimal, separator] = random() < 0.5 ? [",", ";"] : [".", ","];
  const units = Array.from({ length: d }, () => [10 ** (4 * random() - 2), 100 * random()]);
  const rows = Array.from({ length: 12 + Math.floor(100 * random()) }, (_, i) => [...units.map(([size, middle], k) =>
    (random() < 0.02 ? "NA" : (size * (middle + random() + random() - 1 + 0.5 * ((i + k) % 3))).toPrecision(7).replace(".", decimal))), "abc"[i % 3]]);
  return [[...units.map((_, k) => `measured "${k}"`), "class"], ...rows].map((row) => row.map((cell) => (cell.includes('"') ? `"${cell.replaceAll('"', '""')}"` : cell)).join(separator)).join("\r\n");
}

function exported(seed) {
  const random = numbers(seed + 1);
  const d = 2 + (seed % 4);
  const table = readTable(tableOf(random, d), parse);
  const axes = d > 2 && seed % 2 ? { axes: null } : {};
  const { points, labels, units } = pointsOf(table, { ...firstChoice(table), ...axes, plus: "abc"[seed % 3], scaled: true });
  if (seed % 3 === 1) points[0] = [points[0][0] + 0.31, points[0][1] - 0.17]; // the hand has been there
  const kernel = [{ name: "gaussian", sigma: 0.3 + 2 * random() }, { name: "linear" }, { name: "polynomial", Q: 2 + Math.floor(2 * random()), a: 0.5 + random(), b: random() },
    { name: "sigmoid", kappa: 0.5 * random(), delta: random() - 0.5 },
    { name: "typed", text: "exp(-s*dist(x, z)^2) + c*dot(x, z)", letters: { s: 0.2 + random(), c: random() } }][Math.floor(seed / 2) % 5];
  const C = Number((10 ** (3 * random() - 1)).toPrecision(3));
  const machine = new Machine({ points, labels, kernel, C });
  const setting = { ...machine.setting, units };
  const { status } = machine.solution;
  return { f: points.map((point) => machine.decision(point)), status, kernel, python: pythonOf(setting, status === "stationary" ? machine.alpha : null), scikit: scikitOf(setting, machine.solution) };
}

let text = "";
for await (const chunk of process.stdin) text += chunk;
process.stdout.write(JSON.stringify(JSON.parse(text).map(exported)));
