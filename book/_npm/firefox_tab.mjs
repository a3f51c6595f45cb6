// A tab of Firefox, and what goes wrong in it: errors, and requests that leave the disk.
import puppeteer from "puppeteer-core";

/** @param {string} executablePath of Firefox */
export async function firefox(executablePath) {
  const browser = await puppeteer.launch({ browser: "firefox", executablePath, headless: true });
  const tab = await browser.newPage();
  const bad = [];
  await tab.setViewport({ width: 1200, height: 1000 });
  tab.on("pageerror", (error) => bad.push(`error: ${error.message}`));
  tab.on("request", (request) => { if (!/^(file|data|blob|about):/.test(request.url())) bad.push(`request: ${request.url()}`); });
  return { browser, tab, bad };
}
