// Sets formulas for book/_ext/formulas.py: a line of JSON {tex, display} in, a line of JSON {html} or {error} out.
const katex = require("katex");
const lines = require("readline").createInterface({ input: process.stdin });

lines.on("line", (line) => {
  const { tex, display } = JSON.parse(line);
  const answer = {};
  try {
    answer.html = katex.renderToString(tex, { displayMode: display, throwOnError: true, strict: false });
  } catch (error) {
    answer.error = error.message;
  }
  process.stdout.write(JSON.stringify(answer) + "\n");
});
