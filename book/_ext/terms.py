"""The glossary as an index: where the course introduces each term, and the way from German terms to English ones."""

from __future__ import annotations

import html
import re
import unicodedata
from typing import Any

from docutils import nodes
from searching import toctree
from sphinx import addnodes
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective


class german_terms(nodes.General, nodes.Element):
    """Where the list of German terms is to stand."""


class GermanTerms(SphinxDirective):
    """`{german-terms}`: the German terms of this page's glossary, each with its English one."""

    def run(self) -> list[nodes.Node]:
        return [german_terms()]


def in_order(text: str) -> str:
    """What a German list is sorted by: ä as a, no matter how large a letter is.

    >>> sorted(["Zug", "übrig", "Ufer"], key=in_order)
    ['übrig', 'Ufer', 'Zug']
    """
    return "".join(c for c in unicodedata.normalize("NFKD", text.casefold()) if not unicodedata.combining(c))


def counterparts(text: str) -> list[str]:
    """The German terms at the head of a definition.

    >>> counterparts("Zeilenformat (CSR, dünn), Format.")
    ['Zeilenformat (CSR, dünn)', 'Format']
    """
    return re.split(r", (?![^(]*\))", text.rstrip("."))


def note_uses(app: Sphinx, doctree: nodes.document) -> None:
    """Remember the paragraphs of a chapter, each with its section."""
    if re.match(r"notebooks/\d", app.env.docname):
        uses = getattr(app.env, "term_uses", {})
        uses[app.env.docname] = paragraphs(doctree)
        app.env.term_uses = uses  # type: ignore[attr-defined]


def plain(text: str) -> str:
    """A text in small letters, without hyphens and line ends.

    >>> plain("The active-set\\nmethod")
    'the active set method'
    """
    return " ".join(text.lower().replace("-", " ").split())


def paragraphs(doctree: nodes.document) -> list[tuple[str, str]]:
    """The sections and texts of all headings and paragraphs, in small letters and without hyphens."""
    found = []
    for paragraph in doctree.findall(lambda node: isinstance(node, (nodes.title, nodes.paragraph))):
        section: Any = paragraph
        while section is not None and not (isinstance(section, nodes.section) and section["ids"]
                                           and section["ids"] != ["proof-content"]):      # which is not on the page
            section = section.parent
        found.append((section["ids"][0] if section else "", plain(paragraph.astext())))
    return found


def introduced(app: Sphinx, term: str) -> tuple[str, str] | None:
    """The chapter that names a term first, in reading order, and the section."""
    uses = getattr(app.env, "term_uses", {})
    named = re.compile(rf"\b{re.escape(plain(term))}(?:s|es)?\b")
    for docname in toctree(app.env, app.config.root_doc):
        for section, text in uses.get(docname, []):
            if named.search(text):
                return docname, section
    return None


def draw(app: Sphinx, doctree: nodes.document, docname: str) -> None:
    """Put links into the definitions, and the list in its place."""
    places = list(doctree.findall(german_terms))
    if not places:
        return
    rows = []
    for item in doctree.findall(nodes.definition_list_item):
        term = item.next_node(nodes.term)
        if term is None or not term["ids"] or not isinstance(item.parent.parent, addnodes.glossary):
            continue
        name = " ".join(term.astext().split())
        emphasis = item.next_node(nodes.emphasis)
        if emphasis is not None:
            rows += [(german, name, term["ids"][0]) for german in counterparts(emphasis.astext())]
        place = introduced(app, name)
        paragraph = list(item.findall(nodes.paragraph))[-1]
        if place is not None:
            chapter, section = place
            address = app.builder.get_relative_uri(docname, chapter) + (f"#{section}" if section else "")
            number = int(chapter.rpartition("/")[2][:2])
            paragraph += [nodes.Text(" "), nodes.reference("", f"Chapter {number}", internal=True, refuri=address,
                                                           classes=["introduced"])]
    lines = "".join(
        f'<li><span lang="de">{html.escape(german)}</span>: <a href="#{anchor}">{html.escape(name)}</a></li>'
        for german, name, anchor in sorted(rows, key=lambda row: in_order(row[0])))
    for place_ in places:
        place_.replace_self(nodes.raw("", f'<ul class="german-terms">{lines}</ul>', format="html"))


def setup(app: Sphinx) -> dict[str, Any]:
    """Connect the directive."""
    app.add_node(german_terms)
    app.add_directive("german-terms", GermanTerms)
    app.connect("doctree-read", note_uses)
    app.connect("doctree-resolved", draw)
    return {"version": "1", "env_version": 1, "parallel_read_safe": False, "parallel_write_safe": True}
