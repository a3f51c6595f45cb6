"""What the search page looks through: a section each, its title before its text, its text before its code.

Formulas leave their letters and no TeX; German terms of the glossary lead to their entries and to what these name.
"""

from __future__ import annotations

import json
import re
import shutil
from pathlib import Path
from typing import Any

from docutils import nodes
from sphinx import addnodes
from sphinx.application import Sphinx
from sphinx_proof.nodes import NODE_TYPES

GREEK = {
    "alpha": "α", "beta": "β", "gamma": "γ", "delta": "δ", "varepsilon": "ε", "epsilon": "ε", "eta": "η",
    "theta": "θ", "kappa": "κ", "lambda": "λ", "mu": "μ", "nu": "ν", "xi": "ξ", "rho": "ρ", "sigma": "σ",
    "varphi": "φ", "phi": "φ",
}
LEFT_OUT = (nodes.title, nodes.literal_block, nodes.raw, nodes.math_block, nodes.figure, nodes.caption, nodes.comment,
            nodes.section, addnodes.glossary)


def letters(tex: str) -> str:
    """A formula of one letter, or a sign that a formula stands here."""
    tex = tex.strip()
    if tex.startswith("\\") and tex[1:] in GREEK:
        return GREEK[tex[1:]]
    return tex if re.fullmatch(r"\w|[-+]?\d+(\.\d+)?|[A-Za-z] ?[<>=] ?\d+", tex) else "…"


def words(node: nodes.Node) -> str:
    """The running text of a node without formulas, code and what belongs to sections inside."""
    if isinstance(node, nodes.math):
        return node.get("before", "") + letters(node.astext()) + node.get("after", "")
    if isinstance(node, LEFT_OUT):
        return ""
    if isinstance(node, nodes.Text):
        return node.astext()
    if isinstance(node, nodes.container) and "ref-entry" in node["classes"]:    # a docstring: its name is searched for
        return node.next_node(nodes.literal).astext() + " "
    text = "".join(words(child) for child in node.children)
    return text + (" " if isinstance(node, (nodes.paragraph, nodes.term, nodes.list_item, nodes.entry)) else "")


def squeezed(text: str) -> str:
    """Text with single spaces."""
    return re.sub(r"(…\W?\s*){2,}", "… ", " ".join(text.split()))


def own(section: nodes.Element, kind: type[nodes.Node]) -> list[Any]:
    """Nodes of a kind in a section, without those of its subsections."""
    found = []
    for child in section.children:
        if isinstance(child, nodes.section) and not any(name.endswith("-content") for name in child["classes"]):
            continue
        if isinstance(child, kind):
            found.append(child)
        elif isinstance(child, nodes.Element):
            found += own(child, kind)
    return found


def names_in(code: str, text: str) -> str:
    """The words of code that the text does not have, each once.

    >>> names_in("X, y = load_digits(); clf = SVC().fit(X, y)", "Load the digits.")
    'SVC X clf fit y'
    """
    seen = {word.lower() for word in re.findall(r"[^\W_]+", text)}
    return " ".join(sorted({word for word in re.findall(r"[^\W\d_][^\W_]*", code) if word.lower() not in seen}))


def collect(app: Sphinx, doctree: nodes.document, docname: str) -> None:
    """Note the sections, theorems and glossary entries of a page."""
    if app.builder.format != "html":
        return
    entries: list[dict[str, Any]] = []
    numbers = app.env.toc_secnumbers.get(docname, {})
    page = squeezed(app.env.titles[docname].astext())
    alias = " ".join(re.findall(r"[a-z]+", docname.rpartition("/")[2]))
    for section in doctree.findall(nodes.section):
        title = section.next_node(nodes.title)
        if title is None or title.parent is not section or not section["ids"]:
            continue
        first = section.parent is doctree or isinstance(section.parent, nodes.document)
        anchor = "" if first else "#" + section["ids"][0]
        number = ".".join(map(str, numbers.get(anchor, ()) or ()))
        heading, text = squeezed(words_of_title(title)), squeezed(" ".join(words(child) for child in section.children))
        code = " ".join(block.astext() for block in own(section, nodes.literal_block))
        entries.append({
            "kind": "page" if first else "section", "title": heading, "number": number, "page": page,
            "url": f"{docname}.html{anchor}", "alias": alias if first else "", "text": text,
            "code": names_in(code, f"{heading} {text}")})
    for item in doctree.findall(nodes.definition_list_item):
        term = item.next_node(nodes.term)
        if term is not None and term["ids"] and isinstance(item.parent.parent, addnodes.glossary):
            body = squeezed(" ".join(words(child) for child in item if isinstance(child, nodes.definition)))
            german = next((part.astext().rstrip(".") for part in item.findall(nodes.emphasis)), "")
            entries.append({"kind": "term", "title": term.astext().strip(), "number": "", "page": page,
                            "german": german, "url": f"{docname}.html#{term['ids'][0]}",
                            "alias": "", "text": body, "code": ""})
    for kind in NODE_TYPES.values():
        for block in doctree.findall(kind):
            counted = app.env.toc_fignumbers.get(docname, {}).get(block["countertype"], {})
            number = ".".join(map(str, counted.get(block["ids"][0], ())))
            title = block["title"].strip().removeprefix("(").removesuffix(")").replace("$", "")
            name = f"{block['realtype'].title()} {number}" + (f" ({title})" if title else "")
            text = " ".join(words(part) for section in block.findall(nodes.section) for part in section.children)
            entries.append({"kind": "theorem", "title": name, "number": "", "page": page, "alias": "", "code": "",
                            "url": f"{docname}.html#{block['ids'][0]}", "text": squeezed(text)})
    SEEN[docname] = entries


def words_of_title(title: nodes.Element) -> str:
    """A heading with the letters of its formulas."""
    return "".join(words(child) if isinstance(child, nodes.math) else child.astext() for child in title)


SEEN: dict[str, list[dict[str, Any]]] = {}


def write_sections(site: Path, book: Sphinx) -> None:
    """Write what was collected, with pages that this build did not touch as they were."""
    path = site / "_static" / "search" / "sections.js"
    path.parent.mkdir(exist_ok=True)
    before: dict[str, Any] = {}
    if path.exists():
        before = json.loads(path.read_text(encoding="utf8").partition("=")[2].rstrip().rstrip(";"))
    order = [book.config.root_doc, *toctree(book.env, book.config.root_doc)]
    pages = {name: SEEN.get(name, before.get(name, [])) for name in order if name in book.env.found_docs}
    text = json.dumps(pages, ensure_ascii=False, separators=(",", ":"))
    # The script lies beside the page's template: Jupyter Book loads what lies in _static on every page.
    shutil.copy(Path(book.srcdir) / "book" / "_templates" / "search.js", path.parent)
    path.write_text(f"window.SEARCH_SECTIONS={text};\n", encoding="utf8")
    SEEN.clear()


def toctree(env: Any, docname: str) -> list[str]:
    """Pages in reading order."""
    found = []
    for child in env.toctree_includes.get(docname, []):
        found += [child, *toctree(env, child)]
    return found


def setup(app: Sphinx) -> dict[str, Any]:
    """Connect the hooks."""
    app.connect("doctree-resolved", collect, priority=100)
    return {"parallel_read_safe": True, "parallel_write_safe": False}
