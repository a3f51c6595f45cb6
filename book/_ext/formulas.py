r"""Formulas are set when the book is built: a page holds KaTeX's HTML and MathML and needs no script.

Formulas of the text are nodes of Sphinx.  Formulas in what a cell shows (captions, status lines, quizzes) are
`<span class="tex2jax_process">\(…\)</span>` in its HTML, and in the texts of JSON scripts within.
"""

from __future__ import annotations

import html
import json
import re
import subprocess
from functools import cache
from pathlib import Path
from typing import Any

from assets import install, node
from docutils import nodes
from sphinx.application import Sphinx
from sphinx.errors import ExtensionError
from sphinx.transforms.post_transforms import SphinxPostTransform
from sphinx.util.math import get_node_equation_number
from theme import must

OPENING = re.compile(r"[(\[“‘]+$")
PUNCTUATION = re.compile(r"^[.,;:!?)’”]+(?:-(?=\w))?|^-(?=\w)")
PERCENT = re.compile(r"(?<=\d) (?=%)")
LONG = 33                # letters that fit beside the formula's number in the measure of the text
IN_HTML = re.compile(r'<span class="(?:math|tex2jax_process)">\\\((.*?)\\\)</span>([.,;:!?)]*)', re.S)
IN_SCRIPT = re.compile(r'(<script type="application/json"[^>]*>)(.*?)(</script>)', re.S)


class Typesetter:
    """One node process that sets formulas, each once."""

    def __init__(self) -> None:
        self.npm: Path | None = None
        self.process: subprocess.Popen[str] | None = None

    def ask(self, tex: str, display: bool) -> str:
        """KaTeX's HTML; ValueError with KaTeX's words where it cannot read the formula."""
        if self.process is None:
            assert self.npm is not None
            install(self.npm)
            self.process = subprocess.Popen([*node(), "formulas.js"], cwd=self.npm, stdin=subprocess.PIPE,
                                            stdout=subprocess.PIPE, text=True, encoding="utf8")
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self.process.stdin.write(json.dumps({"tex": tex, "display": display}) + "\n")
        self.process.stdin.flush()
        line = self.process.stdout.readline()
        if not line:
            raise ExtensionError("the process that sets formulas has ended")
        answer = json.loads(line)
        if "error" in answer:
            raise ValueError(answer["error"])
        return answer["html"]

    def close(self) -> None:
        """End the process."""
        if self.process is not None:
            self.process.communicate()
            self.process = None


TYPESETTER = Typesetter()


@cache
def set_formula(tex: str, display: bool = False, after: str = "", before: str = "") -> str:
    """The HTML of a formula; what stands `after` or `before` it stays in its line."""
    text = TYPESETTER.ask(tex, display)
    if before:
        text = must(r'(?s)^(.*?<span class="base">)', rf'\1<span class="after-formula">{before}</span>', text, "KaTeX")
    if after:   # the last box of the formula ends with the base, katex-html and katex spans
        put = f'<span class="after-formula">{html.escape(after)}</span></span></span></span>'
        text = must("</span></span></span>$", put, text, "KaTeX")
    return text


def formulas_in(text: str) -> str:
    r"""Set each `<span class="math">\(…\)</span>` in a piece of HTML."""
    def set_one(match: re.Match[str]) -> str:
        tex, after = html.unescape(match[1]), match[2]
        try:
            return f'<span class="math">{set_formula(tex, after=after)}</span>'
        except ValueError as error:
            raise ExtensionError(f"KaTeX cannot read \\({tex}\\): {error}") from None

    return IN_HTML.sub(set_one, text)


def formulas_of(value: Any) -> Any:
    """The same for every text of a JSON value."""
    if isinstance(value, str):
        return formulas_in(value)
    if isinstance(value, list):
        return [formulas_of(item) for item in value]
    if isinstance(value, dict):
        return {key: formulas_of(item) for key, item in value.items()}
    return value


def set_body(app: Sphinx, pagename: str, templatename: str, context: dict[str, Any], doctree: Any) -> None:
    """Set the formulas in outputs of cells."""
    if "body" not in context:
        return

    def in_script(match: re.Match[str]) -> str:
        if "\\\\(" not in match[2]:
            return match[0]
        done = json.dumps(formulas_of(json.loads(match[2])), ensure_ascii=False, separators=(",", ":"))
        return match[1] + done.replace("<", "\\u003c") + match[3]

    body = IN_SCRIPT.sub(in_script, context["body"])
    context["body"] = formulas_in(body)


class KeepPunctuation(SphinxPostTransform):
    """Hand the punctuation around an inline formula to it: no line begins with a comma or %, nor ends with “."""

    default_priority = 900
    formats = ("html",)

    def run(self, **kwargs: Any) -> None:
        for formula in list(self.document.findall(nodes.math)):
            parent = formula.parent
            place = parent.index(formula) + 1
            if place < len(parent) and isinstance(parent[place], nodes.Text):
                text = parent[place].astext()
                found = PUNCTUATION.match(text)
                if found:
                    formula["after"] = found[0]
                    parent[place] = nodes.Text(text[found.end():])
            if place > 1 and isinstance(parent[place - 2], nodes.Text):
                text = parent[place - 2].astext()
                if found := OPENING.search(text):
                    formula["before"] = found[0]
                    parent[place - 2] = nodes.Text(text[:found.start()])
        for piece in list(self.document.findall(nodes.Text)):
            if not isinstance(piece.parent, (nodes.FixedTextElement, nodes.literal, nodes.math)):
                piece.parent.replace(piece, nodes.Text(PERCENT.sub("\u00a0", piece.astext())))


def visit_math(self: Any, formula: nodes.Element) -> None:
    """An inline formula."""
    self.body.append(self.starttag(formula, "span", "", CLASS="math"))
    self.body.append(typeset(formula, False, formula.get("after", ""), formula.get("before", "")) + "</span>")
    raise nodes.SkipNode


def visit_displaymath(self: Any, formula: nodes.Element) -> None:
    """A formula on a line of its own, with its number."""
    text = typeset(formula, True)
    kind = "math display long" if columns(text) > LONG else "math display"
    self.body.append(self.starttag(formula, "div", CLASS=kind))
    self.body.append(f'<div class="formula">{text}</div>')
    if formula["number"]:
        number = get_node_equation_number(self, formula)
        self.body.append(f'<span class="eqno">({number})')
        self.add_permalink_ref(formula, "Link to this equation")
        self.body.append("</span>")
    self.body.append("</div>\n")
    raise nodes.SkipNode


def columns(text: str) -> float:
    """About how many letters wide a set formula is: as its rows are on average, or as its longest one is."""
    def letters(piece: str) -> int:
        return len(re.sub(r"<[^>]+>|[\u200b\s]", "", piece))

    marked, _, seen = text.partition('class="katex-html"')   # MathML, whose rows are whole, and what is seen
    rows = [letters(row) for row in re.findall(r"<mtr>.*?(?=<mtr>|</mtable>)", marked, re.S)]
    wide_spaces = text.count('class="mspace" style="margin-right:2em')
    whole = letters(f"<{seen}") + 2 * wide_spaces
    return whole * max(1 / len(rows), max(rows) / sum(rows)) if sum(rows) else whole


def typeset(formula: nodes.Element, display: bool, after: str = "", before: str = "") -> str:
    """The formula of a node; one that cannot be read is a warning, and so fails the build."""
    from sphinx.util import logging

    try:
        return set_formula(formula.astext().strip(), display, after, before)
    except ValueError as error:
        logging.getLogger(__name__).warning("KaTeX cannot read a formula: %s", error, location=formula)
        return f"{before}<code>{html.escape(formula.astext())}</code>{html.escape(after)}"


def start(app: Sphinx) -> None:
    """Say where KaTeX is."""
    TYPESETTER.npm = Path(app.srcdir) / "book" / "_npm"


def stop(app: Sphinx, error: Exception | None) -> None:
    """End KaTeX's process with the build."""
    TYPESETTER.close()


def setup(app: Sphinx) -> dict[str, Any]:
    """Become Sphinx's renderer of mathematics."""
    app.add_html_math_renderer("katex", inline_renderers=(visit_math, None),
                               block_renderers=(visit_displaymath, None))
    app.add_post_transform(KeepPunctuation)
    app.connect("builder-inited", start)
    app.connect("html-page-context", set_body, priority=800)
    app.connect("build-finished", stop)
    return {"parallel_read_safe": True, "parallel_write_safe": False}
