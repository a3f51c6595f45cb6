// One style sheet and one script for book/_ext/bundling.py: JSON {sheets, scripts, shown} in, JSON {css, js} out.
// Sheets and scripts are {name in _static: text}.  Rules stay whose classes are among the words shown, and so do variables
// that a rule or a script reads.
import { readFileSync } from "node:fs";
import { posix } from "node:path";
import { transformSync } from "esbuild";
import { Features, transform } from "lightningcss";

const { sheets, scripts, shown } = JSON.parse(readFileSync(0, "utf8"));
const words = new Set(shown);
const names = (text, pattern) => [...text.matchAll(pattern)].map(([, name]) => name.replaceAll("\\", ""));

function shrink(filename, text, pattern) {
  if (text.includes("@import")) throw new Error(`${filename} imports another sheet: name that in book/_ext/bundling.py`);
  return transform({
    filename,
    code: Buffer.from(text),
    minify: true,
    include: Features.MediaRangeSyntax,   // as older browsers read it
    unusedSymbols: names(text, pattern).filter((name) => !words.has(name)),
    // Addresses are read from _static.
    visitor: { Url: (at) => (/^(?:data:|#)/.test(at.url) ? at : { ...at, url: posix.join(posix.dirname(filename), at.url) }) },
  }).code.toString();
}

const sheet = Object.entries(sheets).map(([name, text]) => shrink(name, text, /\.((?:[\w-]|\\.)+)/g)).join("\n");
names(sheet, /var\(\s*(--[\w-]+)/g).forEach((name) => words.add(name));
const css = shrink("bundle.css", sheet, /[{;](--[\w-]+)\s*:/g);
const js = transformSync(Object.values(scripts).join(";\n"), { minify: true, charset: "utf8" }).code;
process.stdout.write(JSON.stringify({ css, js }));
