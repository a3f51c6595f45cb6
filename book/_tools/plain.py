"""Notebooks that any Jupyter shows as they are meant: directives and roles of the book become plain Markdown.

The build numbers theorems, equations and figures; here the same numbers are counted from the sources, so that an
edition needs no built site.  tests/book/test_site.py compares them with those on the pages.
"""
from __future__ import annotations

import ast
import copy
import json
import posixpath
import re
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

CHAPTER = re.compile(r"^notebooks/(\d\d)_")
FENCE = re.compile(r"^( *)(:{3,}|`{3,})\{([\w:-]+)\} *(.*)$")
OPTION = re.compile(r"^:(\w+): *(.*)$")
FORMULA = re.compile(r"\$\$(.*?)\$\$(?: *\(([\w:-]+)\))?", re.S)
TARGET = re.compile(r"^\(([\w:-]+)\)=\n+(?=#+ (.*)$)?", re.M)
ROLE = re.compile(r"\{(\w+(?::\w+)?)\}`([^`]+)`")
NUMBERED = {"prf:theorem": "Theorem", "prf:lemma": "Lemma", "prf:definition": "Definition"}
#: The address of a page and of a place on it; "" where it cannot be reached from the notebook.
Link = Callable[[str, str], str]


@dataclass
class Block:
    """A directive, or a piece of text or code where `name` is ""."""

    body: str
    name: str = ""
    title: str = ""
    indent: str = ""
    options: dict[str, str] = field(default_factory=dict)


def blocks(text: str) -> Iterator[Block]:
    """Cut Markdown into directives and what lies between them; fenced code is text of its own.

    >>> [(b.name, b.title, b.options, b.body) for b in blocks("a\\n:::{note} b\\n:class: c\\nd\\n:::\\ne")]
    [('', '', {}, 'a'), ('note', 'b', {'class': 'c'}, 'd'), ('', '', {}, 'e')]
    """
    lines, passed = text.split("\n"), []
    while lines:
        line = lines.pop(0)
        found = FENCE.match(line)
        code = re.match(r"^ *(`{3,})", line)
        if not found and not code:
            passed.append(line)
            continue
        fence = found[2] if found else code[1]  # type: ignore[index]
        inside = []
        while lines and not re.fullmatch(rf" *{fence[0]}{{{len(fence)},}} *", lines[0]):
            inside.append(lines.pop(0))
        if not lines:
            raise ValueError(f"nothing closes {line!r}")
        end = lines.pop(0)
        if not found:
            passed += [line, *inside, end]
            continue
        if passed:
            yield Block("\n".join(passed))
            passed = []
        indent, _, name, title = found.groups()
        inside = [row.removeprefix(indent) for row in inside]
        options = {}
        while inside and (option := OPTION.match(inside[0])):
            options[option[1]] = option[2]
            inside.pop(0)
        yield Block("\n".join(inside).strip("\n"), name, title.strip(), indent, options)
    if passed:
        yield Block("\n".join(passed))


@dataclass
class Place:
    """What a label stands at: the page, what a reference calls it, and its anchor there."""

    page: str
    name: str
    anchor: str


class Book:
    """Titles, numbers and works cited, read from the sources."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.titles: dict[str, str] = {}
        self.places: dict[str, Place] = {}
        for path in sorted((root / "notebooks").glob("**/[0-9][0-9]_*.ipynb")):
            if "ipynb_checkpoints" not in str(path):
                self._count(path.relative_to(root).with_suffix("").as_posix(),
                            json.loads(path.read_text(encoding="utf8"))["cells"])
        for path in sorted((root / "book").glob("*.md")):
            text = path.read_text(encoding="utf8")
            page = f"book/{path.stem}"
            self.titles[page] = _title(text)
            for label, heading in TARGET.findall(text):
                self.places[label] = Place(page, heading.strip(), label)

    def _count(self, page: str, cells: list[dict[str, Any]]) -> None:
        """Number what a page numbers."""
        chapter = CHAPTER.match(page)
        number = f"{int(chapter[1])}" if chapter else ""
        counts: Counter[str] = Counter()

        def place(kind: str, label: str, anchor: str, form: str) -> None:
            counts[kind] += 1
            if label:
                self.places[label] = Place(page, form.format(f"{number}.{counts[kind]}"), anchor.lower())

        def read(text: str) -> None:
            for block in blocks(text):
                if block.name in NUMBERED:
                    place(block.name, block.options.get("label", ""), block.options.get("label", ""),
                          f"{NUMBERED[block.name]} {{}}")
                if block.name:
                    read(block.body)
                    continue
                for _, label in FORMULA.findall(block.body):
                    if label:
                        place("equation", label, f"equation-{label}", "({})")
                for label, heading in TARGET.findall(block.body):
                    self.places[label] = Place(page, heading.strip(), label)

        for cell in cells:
            source = "".join(cell["source"])
            if cell["cell_type"] == "markdown":
                if page not in self.titles:
                    self.titles[page] = f"{number}. {_title(source)}" if number else _title(source)
                read(source)
            elif (figure := figure_of(cell)) and number:
                place("figure", figure["name"], figure["name"], "Fig. {}")

    @cached_property
    def works(self) -> dict[str, tuple[str, str]]:
        """Of each key of the bibliography: how the text calls the work, and the whole reference."""
        from pybtex.database import parse_file
        from pybtex.plugin import find_plugin

        style = find_plugin("pybtex.style.formatting", "unsrt")()
        backend = find_plugin("pybtex.backends", "text")()
        entries = parse_file(str(self.root / "book" / "references.bib")).entries
        found = {}
        for entry in style.format_entries(entries.values()):
            names = [" ".join(str(word) for word in [*person.rich_prelast_names, *person.rich_last_names])
                     for person in entries[entry.key].persons["author"]]
            authors = f"{names[0]} et al." if len(names) > 2 else " and ".join(names)
            found[entry.key] = (f"{authors} {entries[entry.key].fields['year']}", entry.text.render(backend))
        return found


def _title(text: str) -> str:
    """The first heading."""
    found = re.search(r"^# +(.*)$", text, re.M)
    return found[1].strip() if found else ""


def figure_of(cell: Any) -> dict[str, str] | None:
    """Name and caption of the figure that a cell draws; one that moves writes its caption itself."""
    if "remove-cell" in cell["metadata"].get("tags", []):
        return None
    figure = cell["metadata"].get("mystnb", {}).get("figure")
    if figure:
        return {"name": figure.get("name", ""), "caption": figure.get("caption", "")}
    source = "".join(cell["source"])
    if "explore(" not in source:
        return None
    for call in ast.walk(ast.parse(re.sub(r"^(\s*)%.*$", r"\1pass", source, flags=re.M))):
        if isinstance(call, ast.Call) and ast.unparse(call.func) == "explore":
            texts = {word.arg: word.value.value for word in call.keywords
                     if isinstance(word.value, ast.Constant) and isinstance(word.value.value, str)}
            if any(word.arg == "caption" for word in call.keywords):
                return {"name": texts.get("name", ""), "caption": "Run the cell above to move it."}
    return None


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
        if name == "margin":
            return _folded(block.title or "About the sources", body)
        if name == "dropdown" or (name in ("prf:proof", "admonition") and "dropdown" in classes):
            return _folded(block.title or "Proof", body)
        if name == "prf:proof":
            return f"*Proof.* {body}"
        if name in NUMBERED:
            head = f"**{NUMBERED[name]} {number}**" + (f" ({self.prose(block.title)})" if block.title else "")
            return _quoted(f"{head}\n\n{body}")
        if name == "admonition":
            return _quoted(f"**{block.title}**\n\n{body}")
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


def in_folder(page: str, carried: Callable[[str], bool], address: str) -> Link:
    """Links from a page's notebook: to notebooks that lie beside it, to the published page where it has an address."""
    def link(aim: str, anchor: str) -> str:
        if carried(aim):
            return posixpath.relpath(f"{aim}.ipynb", posixpath.dirname(page))
        place = f"#{anchor}" if anchor else ""
        return f"{address.rstrip('/')}/{aim}.html{place}" if address else ""

    return link
