// Types a kernel and drops a table on a live figure in Firefox: node firefox_own.mjs PATH-OF-FIREFOX FIGURE TABLE
import { firefox } from "./firefox_tab.mjs";

const [executablePath, figure, table] = process.argv.slice(2);
const { browser, tab, bad } = await firefox(executablePath);
const rest = () => new Promise((done) => { setTimeout(done, 1500); });
try {
  await tab.goto(figure);
  await tab.waitForSelector(".live-on .live-point");
  await tab.select(".live-controls select", "typed");
  await rest();
  const field = await tab.$(".live-formula");
  await field.click({ count: 3 });
  await field.type("dot(x, z) - a*exp(-dist(x, z))");
  await rest();
  const verdict = await tab.$eval(".live-own-verdict", (element) => element.textContent);
  const kernel = await tab.evaluate(() => window.svmlibLive.figure(document.querySelector(".live-panel")).machine.kernel);
  await tab.evaluate((text) => {
    const brought = new DataTransfer();
    brought.items.add(new File([text], "flowers.csv", { type: "text/csv" }));
    document.querySelector(".live-root").dispatchEvent(new DragEvent("drop", { dataTransfer: brought, bubbles: true, cancelable: true }));
  }, table);
  await tab.waitForSelector(".live-own-table li");
  await rest();
  const said = await tab.$eval(".live-table-said", (element) => element.textContent);
  const labels = await tab.evaluate(() => window.svmlibLive.figure(document.querySelector(".live-panel")).machine.labels);
  process.stdout.write(JSON.stringify({ verdict, kernel, said, labels, bad }));
} finally {
  await browser.close();
}
