// Sets formulas for book/_ext/formulas.py: a line of JSON {tex, display} in, a line of JSON {html} or {error} out.
const katex = require("katex");
const lines = require("readline").createInterface({ input: process.stdin });

lines.on("line", (line) => {
  const { tex, display } = JSON.parse(line);
  const answer = {};
  try {
    // MathML says the formula to screen readers; the TeX that KaTeX adds to it is said by nobody and as long again.
    answer.html = katex.renderToString(tex, { displayMode: display, throwOnError: true, strict: false })
      .replace(/<semantics>(.*)<annotation[^>]*>.*<\/annotation><\/semantics>/s, "$1")
      .replace(' xmlns="http://www.w3.org/1998/Math/MathML"', "");
  } catch (error) {
    answer.error = error.message;
  }
  process.stdout.write(JSON.stringify(answer) + "\n");
});
