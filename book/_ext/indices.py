"""Lists for people: the bibliography by author and year, the theorems by their names and numbers."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from docutils import nodes
from formulas import formulas_in
from pybtex.plugin import register_plugin
from pybtex.style.formatting.unsrt import Style as PlainStyle
from pybtex.style.labels import BaseLabelStyle
from sphinx.application import Sphinx
from sphinx_proof import domain
from sphinx_proof.nodes import NODE_TYPES, unenumerable_node


class AuthorsAndYear(BaseLabelStyle):
    """Labels as the text cites: Boyd and Vandenberghe 2004."""

    def format_labels(self, entries: Iterable[Any]) -> Iterator[str]:
        for entry in entries:
            names = [" ".join(person.prelast_names + person.last_names) for person in entry.persons["author"]]
            if len(names) > 2:
                names = [names[0] + " et al."]
            yield f"{' and '.join(names)} {entry.fields['year']}".replace("{", "").replace("}", "")


class ByAuthors(PlainStyle):
    """pybtex's plain style, sorted by author and year."""

    default_label_style = AuthorsAndYear
    default_sorting_style = "author_year_title"


def named(app: Sphinx, doctree: nodes.document) -> None:
    """Remember the titles of theorems and definitions, and in which section they stand."""
    titles: dict[str, str] = getattr(app.env, "proof_titles", {})
    for kind in (*NODE_TYPES.values(), unenumerable_node):
        for block in doctree.findall(kind):
            titles[block["label"]] = block["title"].strip().removeprefix("(").removesuffix(")")
    app.env.proof_titles = titles  # type: ignore[attr-defined]


def generate(self: Any, docnames: Any = None) -> tuple[list[tuple[str, list[tuple[Any, ...]]]], bool]:
    """Theorems, definitions and the like, chapter by chapter: replaces sphinx-proof's list of labels."""
    env = self.domain.env
    titles = getattr(env, "proof_titles", {})
    chapters: dict[str, list[tuple[Any, ...]]] = {}
    order = list(env.toctree_includes.get(env.config.root_doc, [])) or sorted(env.found_docs)
    for label, entry in getattr(env, "proof_list", {}).items():
        docname = entry["docname"]
        number = env.toc_fignumbers.get(docname, {}).get(entry["countertype"], {}).get(label, ())
        name = " ".join([entry["realtype"].title(), ".".join(map(str, number))]).strip()
        chapters.setdefault(docname, []).append((name, 0, docname, label, titles.get(label, ""), "", ""))
    listed = sorted(chapters, key=lambda name: (order.index(name) if name in order else len(order), name))
    content = []
    for docname in listed:
        title = env.titles[docname]
        number = ".".join(map(str, title.get("secnumber", ())))
        content.append((f"{number}. {title.astext()}" if number else title.astext(), chapters[docname]))
    return content, False


def readable(app: Sphinx, pagename: str, templatename: str, context: dict[str, Any], doctree: Any) -> None:
    """Give the template of the list its titles with formulas set."""
    if templatename == "domainindex.html":
        import html
        import re

        def title(text: str) -> str:
            text = html.escape(text, quote=False)
            return formulas_in(re.sub(r"\$(.+?)\$", r'<span class="math">\\(\1\\)</span>', text))

        context["proof_title"] = title


def setup(app: Sphinx) -> dict[str, Any]:
    """Connect the hooks."""
    register_plugin("pybtex.style.formatting", "authors", ByAuthors)
    domain.ProofIndex.localname = "Theorems and definitions"
    domain.ProofIndex.shortname = "theorems"
    domain.ProofIndex.generate = generate
    app.connect("doctree-read", named)
    app.connect("html-page-context", readable)
    return {"parallel_read_safe": False, "parallel_write_safe": True}
