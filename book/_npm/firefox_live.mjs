// Moves a point of a live figure in Firefox, and has it solve problems: node firefox_live.mjs PATH-OF-FIREFOX FIGURE SOLVER
import { firefox } from "./firefox_tab.mjs";

const [executablePath, figure, solver] = process.argv.slice(2);
const { browser, tab, bad } = await firefox(executablePath);
const point = (tab) => tab.evaluate(() => [...window.svmlibLive.figure(document.querySelector(".live-panel")).machine.points[0]]);
const rest = () => new Promise((done) => { setTimeout(done, 1000); });
try {
  await tab.goto(figure);
  await tab.waitForSelector(".live-on .live-point");
  await rest();
  const before = await point(tab);
  await tab.evaluate(() => document.querySelector(".live-point").focus());
  await tab.keyboard.press("ArrowRight");
  await rest();
  const after = await point(tab);
  const said = await tab.$eval(".live-said", (element) => element.textContent);
  const box = await (await tab.$(".live-point .live-hit")).boundingBox();
  const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
  await tab.mouse.move(x, y);
  await tab.mouse.down();
  await tab.mouse.move(x, y - 15);
  await tab.mouse.move(x, y - 40);
  await tab.mouse.up();
  await rest();
  const dragged = await point(tab);
  const place = await (await tab.$(".live-point .live-hit")).boundingBox();
  const [u, v] = [place.x + place.width / 2, place.y + place.height / 2 + 6]; // it may stand on the edge
  const scrolled = await tab.evaluate(() => scrollY);
  await tab.touchscreen.touchStart(u, v); // a finger, aslant and down
  for (let k = 1; k <= 6; k += 1) await tab.touchscreen.touchMove(u + 3 * k, v + 8 * k);
  await tab.touchscreen.touchEnd();
  await rest();
  const pulled = await point(tab);
  if (await tab.evaluate(() => scrollY) !== scrolled) bad.push("the page scrolls under the finger");
  await tab.goto(solver);
  const solved = await tab.evaluate(() => window.solved());
  const draggedProblems = await tab.evaluate(() => window.dragged());
  process.stdout.write(JSON.stringify({ before, after, dragged, pulled, said, solved, dragged_problems: draggedProblems, bad }));
} finally {
  await browser.close();
}
