// Moves every slider of a page in Firefox, by keyboard: node firefox.mjs PATH-OF-FIREFOX URL
import puppeteer from "puppeteer-core";

const [executablePath, url] = process.argv.slice(2);
const browser = await puppeteer.launch({ browser: "firefox", executablePath, headless: true });
const bad = [];
try {
  const tab = await browser.newPage();
  tab.on("pageerror", (error) => bad.push(`error: ${error.message}`));
  tab.on("request", (request) => { if (!/^(file|data|blob|about):/.test(request.url())) bad.push(`request: ${request.url()}`); });
  await tab.goto(url);
  const sliders = await tab.$$("figure.explore input[type=range]");
  if (!sliders.length) bad.push("no slider");
  for (const slider of sliders) {
    const state = () => slider.evaluate((input) => [input.closest("figure").querySelector("img").src, input.getAttribute("aria-valuetext")]);
    await slider.focus();
    await tab.keyboard.press("Home");
    const seen = [await state()];
    const last = await slider.evaluate((input) => Number(input.max));
    for (let i = 0; i < last; i += 1) {
      await tab.keyboard.press("ArrowRight");
      seen.push(await state());
    }
    const [pictures, spoken] = [0, 1].map((i) => new Set(seen.map((pair) => pair[i])).size);
    if (pictures < 2 || spoken !== last + 1) bad.push(`slider ${await slider.evaluate((input) => input.id)}: ${pictures} pictures, ${spoken} values`);
  }
  const formula = await tab.$eval(".katex-html", (element) => element.getBoundingClientRect().height);
  if (!(formula > 5)) bad.push("formulas are not seen");
  console.log(`${sliders.length} sliders moved in ${await browser.version()}`);
} finally {
  await browser.close();
}
if (bad.length) {
  console.error(bad.join("\n"));
  process.exit(1);
}
