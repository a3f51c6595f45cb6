"""What the book's labels stand for: titles, numbers and works cited, read from the sources.

The build numbers theorems, formulas and figures; here the same numbers are counted, so that an edition of a notebook
needs no built site.  tests/book/site/test_references.py compares them with those on the pages.
"""
from __future__ import annotations

import ast
import json
import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

CHAPTER = re.compile(r"^notebooks/(\d\d)_")
FENCE = re.compile(r"^( *)(:{3,}|`{3,})\{([\w:-]+)\} *(.*)$")
OPTION = re.compile(r"^:(\w+): *(.*)$")
FORMULA = re.compile(r"\$\$(.*?)\$\$(?: *\(([\w:-]+)\))?", re.S)
TARGET = re.compile(r"^\(([\w:-]+)\)=\n+(?=#+ (.*)$)?", re.M)
NUMBERED = {"prf:theorem": "Theorem", "prf:lemma": "Lemma", "prf:definition": "Definition"}


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
    """All titles, labels and works."""

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
        within: Counter[str] = Counter()        # what stands in a fold is numbered after what stands before it

        def place(kind: str, label: str, anchor: str, form: str, folded: bool) -> None:
            counts[kind] += not folded
            within[kind] = within[kind] + 1 if folded else 0
            if label:
                whole = f"{number}.{counts[kind]}" + (f".{within[kind]}" if folded else "")
                self.places[label] = Place(page, form.format(whole), anchor.lower())

        def read(text: str, folded: bool = False) -> None:
            for block in blocks(text):
                closed = folded or (bool(number) and "dropdown" in block.options.get("class", ""))
                if block.name in NUMBERED:
                    place(block.name, block.options.get("label", ""), block.options.get("label", ""),
                          f"{NUMBERED[block.name]} {{}}", closed)
                if block.name:
                    read(block.body, closed)
                    continue
                for _, label in FORMULA.findall(block.body):
                    if label:
                        place("equation", label, f"equation-{label}", "({})", closed)
                for label, heading in TARGET.findall(block.body):
                    self.places[label] = Place(page, heading.strip(), label)

        for cell in cells:
            source = "".join(cell["source"])
            if cell["cell_type"] == "markdown":
                if page not in self.titles:
                    self.titles[page] = f"{number}. {_title(source)}" if number else _title(source)
                read(source)
            elif (figure := figure_of(cell)) and number:
                tags = cell["metadata"].get("tags", [])
                place("figure", figure["name"], figure["name"], "Fig. {}", "hide-output" in tags or "hide-cell" in tags)

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


MOVING = ("canvas", "explore", "live.figure", "live.pairs", "live.stage")      # what makes a figure that moves


def figure_of(cell: Any) -> dict[str, str] | None:
    """Name and caption of the figure that a cell draws; one that moves writes its caption itself."""
    if "remove-cell" in cell["metadata"].get("tags", []):
        return None
    figure = cell["metadata"].get("mystnb", {}).get("figure")
    if figure:
        return {"name": figure.get("name", ""), "caption": figure.get("caption", "")}
    source = "".join(cell["source"])
    if not re.search(r"\b(?:canvas|explore|live\.\w+)\(", source):
        return None
    for call in ast.walk(ast.parse(re.sub(r"^(\s*)%.*$", r"\1pass", source, flags=re.M))):
        if isinstance(call, ast.Call) and ast.unparse(call.func) in MOVING:
            texts = {word.arg: word.value.value for word in call.keywords
                     if isinstance(word.value, ast.Constant) and isinstance(word.value.value, str)}
            if any(word.arg == "caption" for word in call.keywords):
                return {"name": texts.get("name", ""), "caption": "Run the cell above to move it."}
    return None
