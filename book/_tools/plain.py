"""Notebooks that any Jupyter shows as they are meant: directives and roles of the book become plain Markdown."""
from __future__ import annotations

import copy
import posixpath
import re
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from labels import CHAPTER, FORMULA, NUMBERED, TARGET, Block, Book, blocks, figure_of

ROOT = Path(__file__).resolve().parents[2]
ROLE = re.compile(r"\{(\w+(?::\w+)?)\}`([^`]+)`")
#: The address of a page and of a place on it; "" where it cannot be reached from the notebook.
Link = Callable[[str, str], str]


@dataclass
class Writer:
    """Writes the cells of one page."""

    book: Book
    page: str
    link: Link
    cited: list[str] = field(default_factory=list)
    counts: Counter[str] = field(default_factory=Counter)

    def text(self, source: str) -> str:
        """Markdown that any Jupyter shows."""
        written = (_indented(self.block(block), block.indent) if block.name else self.prose(block.body)
                   for block in blocks(source))
        return "\n\n".join(stripped for piece in written if (stripped := piece.strip("\n")))

    def block(self, block: Block) -> str:
        """A directive: what is folded on the page folds, the rest is set off."""
        name, classes = block.name, block.options.get("class", "").split()
        self.counts[name] += 1
        number = f"{int(chapter[1])}.{self.counts[name]}" if (chapter := CHAPTER.match(self.page)) else ""
        body = self.text(block.body)
        if name == "dropdown" or (name in ("prf:proof", "admonition") and "dropdown" in classes):
            return _folded(block.title or "Proof", body)
        if name == "prf:proof":
            return f"*Proof.* {body}"
        if name in NUMBERED:
            head = f"**{NUMBERED[name]} {number}**" + (f" ({self.prose(block.title)})" if block.title else "")
            return _quoted(f"{head}\n\n{body}")
        if name == "admonition":
            return _quoted(f"**{block.title}**\n\n{body}")
        if name == "literalinclude":
            code = (ROOT / posixpath.dirname(self.page) / block.title).read_text(encoding="utf8").rstrip()
            return f"```{block.options.get('language', '')}\n{code}\n```"
        raise ValueError(f"{self.page}: the directive {name} has no plain form")

    def prose(self, text: str) -> str:
        """Text between directives: numbers of formulas, and roles; fenced code stays."""
        parts = re.split(r"(^ *```[^\n]*\n.*?^ *``` *$)", text, flags=re.M | re.S)
        for k in range(0, len(parts), 2):
            part = TARGET.sub("", parts[k])
            part = FORMULA.sub(self.formula, part)
            parts[k] = ROLE.sub(self.role, part)
        return "".join(parts)

    def formula(self, found: re.Match[str]) -> str:
        """A displayed formula with its number in it."""
        body, label = found.groups()
        if not label:
            return found[0]
        number = self.book.places[label].name.strip("()")
        return f"$${body.rstrip()} \\tag{{{number}}}\n$$" if "\n" in body else f"$${body} \\tag{{{number}}}$$"

    def role(self, found: re.Match[str]) -> str:
        """What a role shows: a number, a title, a name."""
        role, content = found.groups()
        words = re.fullmatch(r"(.*?)\s*<([^<>]+)>", content, re.S)
        shown, aim = (words[1], words[2]) if words else ("", content)
        if role.startswith("cite:"):
            keys = [key.strip() for key in aim.split(",")]
            self.cited += [key for key in keys if key not in self.cited]
            names = [self.book.works[key][0] for key in keys]
            if role == "cite:t":
                return re.sub(r"(.*) (\S+)$", r"\1 (\2)", "; ".join(names))
            return f"[{'; '.join(names)}]"
        if role == "term":
            return shown or aim
        if role == "doc":
            page = posixpath.normpath(posixpath.join(posixpath.dirname(self.page), aim))
            return self.linked(shown or self.book.titles[page], page, "")
        if role in ("ref", "eq", "numref", "prf:ref"):
            place = self.book.places[aim]
            heading = role == "ref" and not shown
            return self.linked(f"“{place.name}”" if heading else shown or place.name, place.page, place.anchor)
        raise ValueError(f"{self.page}: the role {role} has no plain form")

    def linked(self, shown: str, page: str, anchor: str) -> str:
        """Words that lead to another page where it can be reached."""
        address = "" if page == self.page else self.link(page, anchor)
        if not address:
            return f"*{shown}*" if page == "book/errata" else shown
        return f"[{shown}]({address})"


def _folded(title: str, body: str) -> str:
    return f"<details>\n<summary>{title}</summary>\n\n{body}\n\n</details>"


def _quoted(text: str) -> str:
    """A quotation; in one, Jupyter reads a formula with its marks, so each stands on a line."""
    text = FORMULA.sub(lambda found: " ".join(found[0].split()), text)
    return "\n".join(f"> {line}".rstrip() for line in text.split("\n"))


def _indented(text: str, indent: str) -> str:
    return "\n".join(indent + line if line else line for line in text.split("\n"))


def plain(notebook: Any, book: Book, page: str, link: Link) -> Any:
    """A notebook for any Jupyter: the same code; its text in plain Markdown; captions and references as text."""
    edition = copy.copy(notebook)
    edition.cells = []
    writer = Writer(book, page, link)
    for cell in copy.deepcopy(notebook.cells):
        edition.cells.append(cell)
        if cell.cell_type == "markdown":
            cell.source = writer.text(cell.source)
            if len(edition.cells) == 1:
                cell.source = re.sub(r"^# .*$", lambda _: f"# {book.titles[page]}", cell.source, count=1, flags=re.M)
            continue
        if CHAPTER.match(page) and {"remove-cell", "remove-input"} & set(cell.metadata.get("tags", [])):
            cell.metadata["jupyter"] = {**cell.metadata.get("jupyter", {}), "source_hidden": True}
        figure = figure_of(cell)
        if figure and CHAPTER.match(page):
            number = f"**{book.places[figure['name']].name}.** " if figure["name"] else ""
            edition.cells.append(_markdown(number + writer.prose(figure["caption"]), f"{cell.id}-caption"))
    if writer.cited:
        works = "\n".join(f"- {book.works[key][1]}" for key in sorted(writer.cited, key=lambda key: book.works[key]))
        edition.cells.append(_markdown(f"## References\n\n{works}", "references"))
    return edition


def _markdown(text: str, name: str) -> Any:
    from nbformat.v4 import new_markdown_cell

    return new_markdown_cell(text, id=name[:64])


def in_folder(page: str, carried: Callable[[str], bool], address: str,
              held: Callable[[str], bool] = lambda aim: True) -> Link:
    """Links from a page's notebook: to notebooks that lie beside it, to the published page where it has an address.

    An edition of fewer chapters has no link to a page that it does not hold.
    """
    def link(aim: str, anchor: str) -> str:
        if not held(aim):
            return ""
        if carried(aim):
            return posixpath.relpath(f"{aim}.ipynb", posixpath.dirname(page))
        place = f"#{anchor}" if anchor else ""
        return f"{address.rstrip('/')}/{aim}.html{place}" if address else ""

    return link
