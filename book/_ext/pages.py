"""What pages are made of: folded proofs and imports, chapter numbers, quiet code."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from typing import Any

import columns
from docutils import nodes
from myst_nb.sphinx_ import HideCodeCellNode
from pygments.formatters import HtmlFormatter
from pygments.token import Token
from sphinx.application import Sphinx
from sphinx.highlighting import PygmentsBridge
from sphinx.transforms.post_transforms import SphinxPostTransform
from sphinx_proof.nodes import NODE_TYPES, proof_node, unenumerable_node

# Names, brackets and blanks of code look like the text around them: a sixth of a chapter's elements.
PLAIN = {Token.Name, Token.Name.Namespace, Token.Punctuation, Token.Text.Whitespace}
UNIT = re.compile(r" in (?=[^\s<]{1,3}</th>)")   # of a column: °, s, GB
CORNER = re.compile(r'<th (?:scope="col"|class="head[^"]*")>(?:<p></p>)?</th>')
CHAPTER = re.compile(r"^notebooks/(\d\d)_")
EXERCISES = re.compile(r"^notebooks/exercises/(\d\d)_")
DESCRIPTION = 155  # characters that search engines show


class details(nodes.Element):
    """A native disclosure: folded on the page, open on paper, no script."""


def visit_details(self: Any, node: nodes.Element) -> None:
    self.body.append(self.starttag(node, "details"))
    self.body.append(f"<summary>{node['summary']}</summary>")


class Blocks(SphinxPostTransform):
    """Make proofs and folded admonitions what they are in HTML."""

    default_priority = 850
    formats = ("html",)

    def run(self, **kwargs: Any) -> None:
        for proof in list(self.document.findall(proof_node)):
            for block in list(proof.findall(nodes.admonition)):
                drop_first_word(block, "Proof")
                block["ids"] = []
                self.fold(block, "Proof")
            proof.replace_self(proof.children)
        for kind in (*NODE_TYPES.values(), unenumerable_node):
            for block in self.document.findall(kind):
                for section in block.findall(nodes.section):
                    section["ids"] = []  # sphinx-proof gives all of a page the same
        join_folds(self.document)
        for table in self.document.findall(nodes.tgroup):
            head_rows(table)
        for block in list(self.document.findall(nodes.admonition)):
            if "dropdown" in block["classes"]:
                title = next((child for child in block if isinstance(child, nodes.title)), None)
                if title is not None:
                    block.remove(title)
                self.fold(block, title.astext() if title is not None else "More")

    def fold(self, block: nodes.Element, name: str) -> None:
        """Replace a block by a disclosure if its class asks for one, else give it its name as a run-in title."""
        classes = [word for word in dict.fromkeys(block["classes"]) if word not in ("dropdown", "toggle")]
        if "dropdown" in block["classes"]:
            block.replace_self(details("", *block.children, classes=classes, ids=block["ids"], summary=name))
        else:
            block.replace_self(nodes.container("", *block.children, classes=classes, ids=block["ids"]))


def join_folds(document: nodes.document) -> None:
    """Let the fold of a cell that shows nothing begin the fold of the next cell: no two stand in a pile."""
    for cell in list(document.findall(nodes.container)):
        following = cell.next_node(descend=False, siblings=True)
        first, then = fold_of(cell), fold_of(following)
        if first is not None and then is not None and len(cell) == 1:
            if first["prompt_show"] != then["prompt_show"]:
                then.attributes.update(prompt_show="Show the code", prompt_hide="Hide the code")
            then[:0] = first.children
            if cell["ids"]:
                following["ids"] = [*cell["ids"], *following["ids"]]
            cell.parent.remove(cell)


def fold_of(cell: Any) -> HideCodeCellNode | None:
    """The fold that a cell begins with, but for a solution's, which is opened for itself."""
    fold = cell[0] if isinstance(cell, nodes.container) and cell.children else None
    return fold if isinstance(fold, HideCodeCellNode) and "solution" not in fold["prompt_show"] else None


def head_rows(table: nodes.Element) -> None:
    """Where the corner of a table is empty, its first column heads the rows."""
    corner = next(iter(table.findall(nodes.entry)), None)
    if corner is not None and isinstance(corner.parent.parent, nodes.thead) and not corner.astext().strip():
        next(iter(table.findall(nodes.colspec)))["stub"] = 1


def drop_first_word(block: nodes.Element, word: str) -> None:
    """Take away the word that sphinx-proof writes before a proof: the style sheet and the summary say it."""
    text = next(iter(block.findall(nodes.Text)), None)
    if text is not None and text.astext().startswith(f"{word}. "):
        text.parent.replace(text, nodes.Text(text.astext().removeprefix(f"{word}. ")))


def fold(notebook: Any) -> None:
    """Leave out cells that only assert; fold those that only import or draw, if their author says nothing else.

    The cache of outputs knows a notebook by its tags, too.
    """
    notebook["cells"] = [cell for cell in notebook["cells"] if "test" not in cell["metadata"].get("tags", [])]
    for cell in notebook["cells"]:
        tags = cell.get("metadata", {}).setdefault("tags", []) if cell["cell_type"] == "code" else None
        if tags is None or any(tag.startswith(("remove-", "show-", "hide-cell", "hide-output")) for tag in tags):
            continue
        kind = kind_of_cell("".join(cell["source"]))
        if kind:
            if "hide-input" not in tags:
                tags.append("hide-input")
            prompts = cell["metadata"].setdefault("mystnb", {})
            prompts.setdefault("code_prompt_show", f"Show the {kind}")
            prompts.setdefault("code_prompt_hide", f"Hide the {kind}")


def kind_of_cell(code: str) -> str | None:
    """What a cell does that does nothing but import or draw.

    >>> kind_of_cell("import numpy as np"), kind_of_cell("fig = draw.slacks(clf, X, y)"), kind_of_cell("x = 1")
    ('imports', 'call that draws', None)
    """
    try:
        body = ast.parse(code).body
    except SyntaxError:
        return None
    if body and all(isinstance(line, (ast.Import, ast.ImportFrom)) for line in body):
        return "imports"
    calls = [line.value for line in body if isinstance(line, (ast.Assign, ast.Expr))]
    if body and len(calls) == len(body) and all(isinstance(c, ast.Call) and draws(c) for c in calls):
        return "call that draws"
    return None


def draws(call: ast.Call) -> bool:
    """Whether a call is one of draw.…(…), explore(…), live.figure(…), live.pairs(…), live.stage(…) or plt.show()."""
    name = ast.unparse(call.func)
    return name.startswith("draw.") or name in ("explore", "live.figure", "live.pairs", "live.stage", "plt.show")


def number_chapters(app: Sphinx, env: Any) -> list[str]:
    """Give each chapter the number in its file's name, whatever stands before it in the contents."""
    changed = []
    for docname, numbers in env.toc_secnumbers.items():
        found = CHAPTER.match(docname)
        if not found or not numbers:
            continue
        number = int(found[1])

        def moved(old: Any, number: int = number) -> tuple[int, ...]:
            return (number, *old[1:])

        env.toc_secnumbers[docname] = {anchor: moved(old) if old else old for anchor, old in numbers.items()}
        env.toc_fignumbers[docname] = {
            kind: {anchor: moved(old) for anchor, old in figures.items()}
            for kind, figures in env.toc_fignumbers.get(docname, {}).items()}
        for entry in (*env.tocs[docname].findall(nodes.reference), env.titles[docname]):
            if entry.get("secnumber"):
                entry["secnumber"] = moved(entry["secnumber"])
        changed.append(docname)
    return changed


def number_folds(app: Sphinx, env: Any) -> list[str]:
    """Number what stands in a fold after what stands before the fold, Fig. 9.2.1: no number is missing on the page."""
    for docname in filter(CHAPTER.match, env.toc_fignumbers):
        document = env.get_doctree(docname)
        hidden = {anchor for fold in document.findall(is_fold) for node in fold.findall(nodes.Element)
                  for anchor in node["ids"]}
        for kind, numbers in env.toc_fignumbers[docname].items():
            env.toc_fignumbers[docname][kind] = numbers_in_sight(numbers, hidden)
    return []


def is_fold(node: nodes.Node) -> bool:
    """Whether a node is closed until one opens it."""
    return isinstance(node, nodes.Element) and (
        "dropdown" in node.get("classes", ()) or node.get("hide_mode") in ("all", "output", "input+output"))


def numbers_in_sight(numbers: dict[str, tuple[Any, ...]], hidden: set[str]) -> dict[str, tuple[Any, ...]]:
    """Count what is in sight; what is hidden counts from there.

    >>> numbers_in_sight({"a": (9, 1), "b": (9, 2), "c": (9, 3), "d": (9, 4)}, hidden={"b", "c"})
    {'a': (9, 1), 'b': (9, 1, 1), 'c': (9, 1, 2), 'd': (9, 2)}
    """
    counted, k, within = {}, 0, 0
    for anchor, (chapter, *_) in numbers.items():
        k, within = (k, within + 1) if anchor in hidden else (k + 1, 0)
        counted[anchor] = (chapter, k, within) if within else (chapter, k)
    return counted


def number_exercises(app: Sphinx, env: Any) -> list[str]:
    """Number figures and formulas of exercises by their chapter, Fig. E6.1; their pages are no sections of it."""
    for docname in filter(EXERCISES.match, env.toc_secnumbers):
        env.toc_secnumbers[docname] = {}
        for entry in (*env.tocs[docname].findall(nodes.reference), env.titles[docname]):
            entry.attributes.pop("secnumber", None)
    for docname, kinds in env.toc_fignumbers.items():
        if found := EXERCISES.match(docname):
            for kind, numbers in kinds.items():
                kinds[kind] = {anchor: (f"E{int(found[1])}", k) for k, anchor in enumerate(numbers, 1)}
    return []   # Sphinx writes the pages whose numbers it has counted anew


class QuietCode(HtmlFormatter[str]):
    """Code without marks around what is not coloured."""

    def format(self, tokensource: Iterator[tuple[Any, str]], outfile: Any) -> None:
        """Write the tokens, of which some are text like any other."""
        super().format(((Token.Text if kind in PLAIN else kind, text) for kind, text in tokensource), outfile)


def finish(app: Sphinx, pagename: str, templatename: str, context: dict[str, Any], doctree: Any) -> None:
    """Set tables right, and describe the page."""
    if "body" in context:
        body = CORNER.sub("<td></td>", context["body"])                     # an empty corner heads no column
        body = UNIT.sub(" in\u00a0", body)                                  # no unit on a line of its own
        context["body"] = columns.set_right(body)
    context["page_description"] = description(doctree) if doctree is not None else ""


def description(doctree: nodes.document) -> str:
    """The first words of a page, without formulas."""
    for paragraph in doctree.findall(nodes.paragraph):
        words = " ".join(paragraph.astext().split())
        if len(words) > 40 and not list(paragraph.findall(nodes.math)):
            return words if len(words) <= DESCRIPTION else words[:DESCRIPTION].rsplit(" ", 1)[0] + " …"
    return ""


def setup(app: Sphinx) -> dict[str, Any]:
    """Connect the hooks."""
    app.add_node(details, html=(visit_details, lambda self, node: self.body.append("</details>\n")))
    app.add_post_transform(Blocks)
    app.connect("env-get-updated", number_chapters, priority=900)
    app.connect("env-get-updated", number_folds, priority=901)
    app.connect("env-get-updated", number_exercises, priority=900)
    app.connect("html-page-context", finish, priority=900)
    PygmentsBridge.html_formatter = QuietCode
    return {"parallel_read_safe": True, "parallel_write_safe": True}
