"""Pages as files: a tree of each page's elements, read once, without a browser."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cached_property
from html.parser import HTMLParser
from pathlib import Path

VOID = frozenset(["area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source", "track", "wbr"])


class Element:
    """A tag with its attributes, its texts and the elements in it."""

    __slots__ = ("attributes", "children", "parent", "tag")

    def __init__(self, tag: str, attributes: dict[str, str], parent: Element | None = None) -> None:
        self.tag, self.attributes, self.parent = tag, attributes, parent
        self.children: list[Element | str] = []

    def __iter__(self) -> Iterator[Element]:
        """All elements in it, in order."""
        for child in self.children:
            if isinstance(child, Element):
                yield child
                yield from child

    def __repr__(self) -> str:
        told = " ".join(f'{name}="{value[:60]}"' for name, value in self.attributes.items())
        return f"<{self.tag} {told}> {self.text()[:40]}".strip()

    def get(self, name: str) -> str:
        """An attribute; "" of one that is not there."""
        return self.attributes.get(name, "")

    def has(self, *classes: str) -> bool:
        """Whether it has one of these classes."""
        return not set(classes).isdisjoint(self.get("class").split())

    def above(self) -> Iterator[Element]:
        """What it is in, from within."""
        element = self.parent
        while element is not None:
            yield element
            element = element.parent

    def find(self, *tags: str) -> list[Element]:
        """All elements in it with one of these tags."""
        return [element for element in self if element.tag in tags]

    def text(self, without: frozenset[str] = frozenset(["script", "style", "template", "annotation"])) -> str:
        """What it says: its text without that of some tags, blanks as they are."""
        return "".join(child if isinstance(child, str) else child.text(without) if child.tag not in without else ""
                       for child in self.children)


class Reader(HTMLParser):
    """Builds the tree; what is not closed, or closed without having been opened, is noted."""

    def __init__(self) -> None:
        super().__init__()
        self.root = self.at = Element("", {})
        self.crossed: list[str] = []

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        element = Element(tag, {name: value or "" for name, value in attributes}, self.at)
        self.at.children.append(element)
        if tag not in VOID:
            self.at = element

    def handle_startendtag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        self.at.children.append(Element(tag, {name: value or "" for name, value in attributes}, self.at))

    def handle_endtag(self, tag: str) -> None:
        if tag == self.at.tag and self.at.parent is not None:
            self.at = self.at.parent
        elif tag not in VOID:
            self.crossed.append(f"</{tag}> in {self.at!r}")
            opened = next((element for element in self.at.above() if element.tag == tag), None)
            self.at = opened.parent if opened is not None and opened.parent is not None else self.at

    def handle_data(self, data: str) -> None:
        self.at.children.append(data)


class Page:
    """A page of the site, by its name: its text, its elements, and where they are."""

    def __init__(self, name: str, html: str) -> None:
        self.name, self.html = name, html
        reader = Reader()
        # A formula is set twice: in MathML, and in thousands of letters for the eye, which say nothing here.
        reader.feed(without_letters(html))
        reader.close()
        self.root, self.crossed = reader.root, reader.crossed
        self.elements = list(self.root)

    @cached_property
    def article(self) -> Element:
        """What the page has to say, without what all pages have."""
        return next((element for element in self.elements if element.has("bd-article")), self.root)

    @cached_property
    def ids(self) -> list[str]:
        """The names of its places."""
        return [element.attributes["id"] for element in self.elements if "id" in element.attributes]

    @cached_property
    def places(self) -> set[str]:
        """What an address may lead to here; "top" leads to the top of every page."""
        return {*self.ids, "top", *(element.get("name") for element in self.find("a"))}

    def find(self, *tags: str) -> list[Element]:
        """All elements with one of these tags."""
        return [element for element in self.elements if element.tag in tags]


def without_letters(html: str) -> str:
    """A page without what is in its <span class="katex-html">."""
    parts, end = [], 0
    while (start := html.find('<span class="katex-html"', end)) >= 0:
        start = html.index(">", start) + 1
        parts.append(html[end:start])
        depth = 1
        for tag in re.compile(r"<(/?)span\b").finditer(html, start):
            depth += -1 if tag[1] else 1
            if depth == 0:
                break
        end = tag.start()
    return "".join(parts) + html[end:]


def read(site: Path, name: str) -> Page:
    """A page of the built site."""
    return Page(name, (site / f"{name}.html").read_text(encoding="utf8"))
