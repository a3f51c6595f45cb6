"""What pages are made of: folded proofs and imports, notes beside the text, chapter numbers, quiet theme."""

from __future__ import annotations

import ast
import json
import re
from pathlib import Path
from typing import Any

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.transforms.post_transforms import SphinxPostTransform
from sphinx_proof.nodes import NODE_TYPES, proof_node, unenumerable_node

# The theme's style sheet names some two thousand icons and their fonts; pages show ten, set in page.css.
ICONS = re.compile(r'(?:\.fa-[\w-]+:{1,2}before,?)+\{content:"[^"]*"\}|@font-face\{[^}]*Font ?Awesome[^}]*\}'
                   r'|@font-face\{[^}]*Font Awesome\\ 6[^}]*\}|content:"\\f\w+";font-family:Font Awesome\\ 6 Free;')
# The theme measures all that may scroll, and so lays out what is out of sight; page.js does it as a block comes near.
MEASURES = re.compile(r'document\.querySelectorAll\(\["pre",[^\]]*\]\.join\(", "\)\)')
# Names, brackets and blanks of code look like the text around them: a sixth of a chapter's elements.
UNCOLOURED = re.compile(r'<span class="(?:n|nn|p|w)">([^<]*)</span>')
UNIT = re.compile(r" in (?=[^\s<]{1,3}</th>)")   # of a column: °, s, GB
CORNER = re.compile(r'<th (?:scope="col"|class="head[^"]*")>(?:<p></p>)?</th>')
CHAPTER = re.compile(r"^notebooks/(\d\d)_")
EXERCISES = re.compile(r"^notebooks/exercises/(\d\d)_")
DESCRIPTION = 155  # characters that search engines show


class details(nodes.Element):
    """A native disclosure: folded on the page, open on paper, no script."""


class margin_note(nodes.Element):
    """A remark beside the paragraph that it belongs to; folded under it where there is no room."""


def visit_details(self: Any, node: nodes.Element) -> None:
    self.body.append(self.starttag(node, "details"))
    self.body.append(f"<summary>{node['summary']}</summary>")


def visit_margin_note(self: Any, node: nodes.Element) -> None:
    self.body.append(self.starttag(node, "div", CLASS="margin-note", role="note", **{"aria-label": node["summary"]}))
    self.body.append(f"<details><summary>{node['summary']}</summary>")


class Blocks(SphinxPostTransform):
    """Make proofs, folded admonitions and margin notes what they are in HTML."""

    default_priority = 850
    formats = ("html",)

    def run(self, **kwargs: Any) -> None:
        for note in list(self.document.findall(nodes.sidebar)):
            if "margin" in note["classes"]:
                titles = [child for child in note if isinstance(child, nodes.title)]
                name = " ".join(title.astext() for title in titles).strip()
                kept = [child for child in note if not isinstance(child, nodes.title)]
                place_note(note, margin_note("", *kept, summary=name or "Source note"))
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


class noted(nodes.Element):
    """A paragraph with its notes; the notes stand first, so that they float beside it."""


def place_note(old: nodes.Element, note: nodes.Element) -> None:
    """Put a note beside the block before it."""
    place = old.parent.index(old)
    before = old.parent[place - 1] if place else None
    if isinstance(before, noted):
        before.insert(len(before) - 1, note)
        old.parent.remove(old)
    elif isinstance(before, (nodes.paragraph, nodes.bullet_list, nodes.enumerated_list, nodes.math_block)):
        parent = old.parent
        parent.remove(old)
        parent.replace(before, noted("", note, before))
    else:
        old.replace_self(note)
        note["classes"] = []   # which the theme would set beside the text in its own way


def drop_first_word(block: nodes.Element, word: str) -> None:
    """Take away the word that sphinx-proof writes before a proof: the style sheet and the summary say it."""
    text = next(iter(block.findall(nodes.Text)), None)
    if text is not None and text.astext().startswith(f"{word}. "):
        text.parent.replace(text, nodes.Text(text.astext().removeprefix(f"{word}. ")))


def fold_cells(app: Sphinx, docname: str, source: list[str]) -> None:
    """Fold cells that only import or only draw, unless their author has said what to do with them."""
    if docname.startswith("notebooks/"):
        notebook = json.loads(source[0])
        fold(notebook)
        source[0] = json.dumps(notebook)


def fold(notebook: Any) -> None:
    """The same for a notebook's JSON; the cache of outputs knows a notebook by its tags, too."""
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
    """Whether a call is one of draw.…(…), explore(…) or plt.show()."""
    name = ast.unparse(call.func)
    return name.startswith("draw.") or name in ("explore", "plt.show")


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


def number_exercises(app: Sphinx, env: Any) -> list[str]:
    """Number figures and formulas of exercises by their chapter, Fig. E6.1: Sphinx counts them through all pages."""
    for docname, kinds in env.toc_fignumbers.items():
        if found := EXERCISES.match(docname):
            for kind, numbers in kinds.items():
                kinds[kind] = {anchor: (f"E{int(found[1])}", k) for k, anchor in enumerate(numbers, 1)}
    return []   # Sphinx writes the pages whose numbers it has counted anew


def quiet_theme(app: Sphinx, pagename: str, templatename: str, context: dict[str, Any], doctree: Any) -> None:
    """Leave out scripts that pages do without, load the others after the text, and describe the page."""
    def unwanted(asset: Any) -> bool:
        body = (getattr(asset, "attributes", {}) or {}).get("body") or ""
        return ("THEBE_JS_URL" in body or "toggle" in body or "sphinx-thebe" in str(asset)
                or "togglebutton" in str(asset))

    for kind in ("script_files", "css_files"):
        context[kind] = [asset for asset in context.get(kind, []) if not unwanted(asset)]
    for script in context["script_files"]:
        name, attributes = str(getattr(script, "filename", script)), getattr(script, "attributes", None)
        if attributes is not None and name.endswith(".js") and not name.endswith(
                ("documentation_options.js", "searchindex.js", "language_data.js", "searchtools.js")):
            attributes["defer"] = "defer"
    if "body" in context:
        body = context["body"]
        body = body.replace(' role="doc-biblioentry"', ' role="listitem"')  # as the role of a bibliography demands
        body = body.replace(' aria-label="Toggle hidden content"', "")        # the words that are seen are its name
        body = CORNER.sub("<td></td>", body)                                  # an empty corner heads no column
        body = UNIT.sub(" in\u00a0", body)                                           # no unit on a line of its own
        body = body.replace('<span class="pre">--', '<span class="pre option">--')
        body = UNCOLOURED.sub(r"\1", body)
        context["body"] = body.replace("tex2jax_ignore mathjax_ignore", "")
    context["page_description"] = description(doctree) if doctree is not None else ""


def description(doctree: nodes.document) -> str:
    """The first words of a page, without formulas."""
    for paragraph in doctree.findall(nodes.paragraph):
        words = " ".join(paragraph.astext().split())
        if len(words) > 40 and not list(paragraph.findall(nodes.math)):
            return words if len(words) <= DESCRIPTION else words[:DESCRIPTION].rsplit(" ", 1)[0] + " …"
    return ""


def prune(app: Sphinx, error: Exception | None) -> None:
    """Drop files of the theme that no page loads: its icons, and maps of its scripts."""
    static = Path(app.outdir) / "_static"
    if error is None and static.is_dir():
        for path in [*static.rglob("*.map"), *static.rglob("fontawesome*.js*"), *static.rglob("fa-*.*"),
                     *static.rglob("fontawesome/**/*.LICENSE.txt")]:
            path.unlink(missing_ok=True)


def light_without_script(app: Sphinx, error: Exception | None) -> None:
    """Make light what is not dark: without script the theme would have no colours. Drop its icons and measurements."""
    static = Path(app.outdir) / "_static"
    if error is None and static.is_dir():
        for path in (*(static / "styles").glob("*.css"), static / "pygments.css"):
            text = path.read_text(encoding="utf8")
            if path.name == "pygments.css":
                light = code_on_paper(text)
            else:
                light = ICONS.sub("", re.sub(r'html\[data-theme="?light"?\]', 'html:not([data-theme="dark"])', text))
                light = light.replace(".hide:not(:hover)", ".hide:not(:hover,:focus-within)")   # keys open it, too
            if light != text:
                path.write_text(light, encoding="utf8")
        script = static / "scripts" / "pydata-sphinx-theme.js"
        script.write_text(MEASURES.sub("[]", script.read_text(encoding="utf8")), encoding="utf8")


def code_on_paper(style: str) -> str:
    """Let the colours of code on a dark page end where the paper begins, whose colours are the light ones.

    >>> code_on_paper('html[data-theme="light"] .k{color:#123}html[data-theme="dark"] .k{color:#def}')
    'html .k{color:#123}@media not print{html[data-theme="dark"] .k{color:#def}}'
    """
    dark = re.compile(r'html\[data-theme="?dark"?\][^{}]*\{[^{}]*\}\s*')
    screen = "".join(dark.findall(style))
    light = re.sub(r'html\[data-theme="?light"?\]', "html", dark.sub("", style))
    return light + (f"@media not print{{{screen}}}" if screen else "")


def setup(app: Sphinx) -> dict[str, Any]:
    """Connect the hooks."""
    app.add_node(details, html=(visit_details, lambda self, node: self.body.append("</details>\n")))
    app.add_node(margin_note, html=(visit_margin_note, lambda self, node: self.body.append("</details></div>\n")))
    app.add_node(noted, html=(lambda self, node: self.body.append('<div class="noted">\n'),
                              lambda self, node: self.body.append("</div>\n")))
    app.add_post_transform(Blocks)
    app.connect("source-read", fold_cells)
    app.connect("env-get-updated", number_chapters, priority=900)
    app.connect("env-get-updated", number_exercises, priority=900)
    app.connect("html-page-context", quiet_theme, priority=900)
    app.connect("build-finished", prune, priority=900)
    app.connect("build-finished", light_without_script, priority=900)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
