"""What the first page is made of: the button to begin with, paths through the book with their hours, and its map.

`{start}` is a button to the first chapter with the minutes that it takes, `{reading-path}` a list of chapters with
their hours, `{concept-map}` the chapters as objects with arrows from each to what is made of it.
"""

from __future__ import annotations

import html
from pathlib import Path
from typing import Any, ClassVar

import yaml
from chapters import chapters as known
from coursemap import stored
from docutils import nodes
from docutils.parsers.rst import directives
from editions import tool
from sphinx.application import Sphinx
from sphinx.errors import ExtensionError
from sphinx.util.docutils import SphinxDirective

BOX, GAP = {"wide": (112, 58), "narrow": (102, 56)}, {"wide": (12, 24), "narrow": (17, 20)}     # width and height


NO_SHEET = '<p class="sheet-pdf"></p>'
SHEET, PRINTED = "book/cheat_sheet.html", "kit/svm-cheat-sheet.pdf"


class placed(nodes.General, nodes.Element):
    """Something of the first page; `make` says what, when the pages are known."""


class Start(SphinxDirective):
    """`{start}`: the first chapter, and how long it takes; what `:beside:` says stands beside the button."""

    option_spec: ClassVar = {"text": directives.unchanged, "beside": directives.unchanged}

    def run(self) -> list[nodes.Node]:
        button = placed(kind="start", text=self.options.get("text", "Start, {minutes} minutes"))
        words, messages = self.state.inline_text(self.options.get("beside", ""), self.lineno)
        return [nodes.paragraph("", "", button, nodes.inline("", "", *words), classes=["start"]), *messages]


class ReadingPath(SphinxDirective):
    """`{reading-path} I want to …`: numbers of chapters in the content, and `:for:` whom."""

    required_arguments = 1
    final_argument_whitespace = True
    has_content = True
    option_spec: ClassVar = {"for": directives.unchanged_required}

    def run(self) -> list[nodes.Node]:
        return [placed(kind="path", text=self.arguments[0], reader=self.options["for"],
                       chapters=[int(number) for number in " ".join(self.content).split()])]


class ConceptMap(SphinxDirective):
    """`{concept-map}`: the chapters as objects, with arrows."""

    def run(self) -> list[nodes.Node]:
        return [placed(kind="map")]


class SheetPdf(SphinxDirective):
    """`{sheet-pdf}`: where the link to the page as a PDF is to stand, if one is made."""

    def run(self) -> list[nodes.Node]:
        return [nodes.raw("", NO_SHEET, format="html")]


class Chapters:
    """The chapters as a page sees them: by number, their address from there, title and minutes."""

    def __init__(self, app: Sphinx, docname: str) -> None:
        toc = yaml.safe_load((Path(app.srcdir) / "_toc.yml").read_text(encoding="utf8"))
        files = [chapter["file"] for part in toc["parts"] if part.get("numbered") for chapter in part["chapters"]]
        self.app, self.docname, self.times = app, docname, tool(app, "times")
        self.files = {int(Path(file).name[:2]): file for file in files}
        self.root = Path(app.srcdir)

    def address(self, number: int) -> str:
        """The way to a chapter."""
        return str(self.app.builder.get_relative_uri(self.docname, self.files[number]))

    def title(self, number: int) -> str:
        """A chapter's title, as HTML."""
        return html.escape(self.app.env.titles[self.files[number]].astext())

    def minutes(self, number: int) -> int:
        """How long a chapter takes."""
        return int(self.times.of_chapter(stored(self.app, self.files[number])))


def start(chapters: Chapters, node: placed) -> str:
    """The button; none where all chapters were left out of the contents."""
    if not chapters.files:
        return ""
    first = min(chapters.files)
    text = html.escape(node["text"].format(minutes=chapters.minutes(first)))
    return f'<a class="start-button" href="{chapters.address(first)}">{text}</a> '


def path(chapters: Chapters, node: placed) -> str:
    """A path, with the hours of its chapters; those that were left out of the contents are left out here."""
    numbers = [number for number in node["chapters"] if number in chapters.files]
    time = chapters.times.hours(sum(map(chapters.minutes, numbers)))
    steps = "".join(f'<li><a href="{chapters.address(n)}" aria-label="Chapter {n}: {chapters.title(n)}">{n}</a></li>'
                    for n in numbers)
    return (f'<div class="reading-path"><p class="reading-path-name"><b>{html.escape(node["text"])}</b> '
            f'<span>{time}</span></p><p>{html.escape(node["reader"])}</p><ol>{steps}</ol></div>')


def objects(root: Path) -> dict[int, dict[str, Any]]:
    """Of each chapter, by its number, how it stands on the map: what it `says` on two lines, and for each form column
    and row (`at`) and the chapters from which an arrow leads to it (`after`)."""
    return {chapter.number: chapter.facts["map"] for chapter in known(root).values()}


def arrows(root: Path, form: str) -> list[tuple[int, int]]:
    """What is made of what, by numbers; the later chapter needs the earlier one.  Some are on one of the two maps."""
    return [(known(root)[before].number, number) for number, place in objects(root).items()
            for before in place[form]["after"]]


def centre(place: dict[str, Any], form: str) -> tuple[float, float]:
    """The middle of a chapter's box."""
    column, row = place[form]["at"]
    (width, height), (right, below) = BOX[form], GAP[form]
    return column * (width + right) + width / 2 + 1, row * (height + below) + height / 2 + 1


def arrow(first: dict[str, Any], last: dict[str, Any], form: str) -> str:
    """A line from the rim of one box to that of another, with a head."""
    (x0, y0), (x1, y1) = centre(first, form), centre(last, form)
    width, height = BOX[form]
    dx, dy = (x1 > x0) - (x1 < x0), (y1 > y0) - (y1 < y0)
    if dy:                              # from the lower edge to the upper one, towards each other
        near = dx * width * 0.3
        x0, x1, y0, y1 = x0 + near, x1 - near, y0 + height / 2, y1 - height / 2 - 3
    else:
        x0, x1 = x0 + dx * width / 2, x1 - dx * (width / 2 + 3)
    return f'<path d="M{x0:g} {y0:g}L{x1:g} {y1:g}" marker-end="url(#map-head-{form})"/>'


def drawn(chapters: Chapters, form: str) -> str:
    """One form of the map."""
    all_ = objects(chapters.root)
    shown = [number for number in all_ if number in chapters.files]
    (width, height), ends = BOX[form], [centre(place, form) for place in all_.values()]
    right, below = max(x for x, _ in ends) + width / 2 + 1, max(y for _, y in ends) + height / 2 + 1
    lines = "".join(arrow(all_[a], all_[b], form) for a, b in arrows(chapters.root, form)
                    if a in shown and b in shown)
    boxes = ""
    for number in shown:
        (x, y), (upper, lower) = centre(all_[number], form), all_[number]["says"]
        boxes += (f'<a href="{chapters.address(number)}" aria-label="Chapter {number}, {chapters.title(number)}: '
                  f'{upper} {lower}"><rect x="{x - width / 2:g}" y="{y - height / 2:g}" width="{width}" '
                  f'height="{height}" rx="7"/><text x="{x:g}" y="{y + 2:g}">{upper}</text>'
                  f'<text x="{x:g}" y="{y + 18:g}">{lower}</text>'
                  f'<text class="map-number" x="{x - width / 2 + 7:g}" y="{y - height / 2 + 11:g}">{number}</text></a>')
    head = (f'<marker id="map-head-{form}" viewBox="0 0 8 8" refX="5" refY="4" markerWidth="7" markerHeight="7" '
            'orient="auto"><path d="M0 0L8 4L0 8Z"/></marker>')
    return (f'<svg class="map-{form}" viewBox="0 0 {right:g} {below:g}" width="{right:g}" height="{below:g}">'
            f'<defs>{head}</defs><g class="map-arrows" aria-hidden="true">{lines}</g>{boxes}</svg>')


def concept_map(chapters: Chapters, node: placed) -> str:
    """Both forms; the style sheet shows one."""
    forms = "".join(drawn(chapters, form) for form in BOX)
    return f'<nav class="concept-map" aria-label="Map of the book">{forms}</nav>'


MAKERS = {"start": start, "path": path, "map": concept_map}


def make(app: Sphinx, doctree: nodes.document, docname: str) -> None:
    """Put everything in its place."""
    places = list(doctree.findall(placed))
    if places:
        chapters = Chapters(app, docname)
        for place in places:
            place.replace_self(nodes.raw("", MAKERS[place["kind"]](chapters, place), format="html"))


def print_sheet(site: Path, book: Sphinx) -> None:
    """The cheat sheet as a PDF, and a link to it, where there is a Chromium to print it."""
    page = site / SHEET
    if not page.exists() or NO_SHEET not in page.read_text("utf8"):     # a book without the sheet needs no tool
        return
    pdf = tool(book, "pdf")
    if pdf.found_chromium() is None:
        return
    (site / PRINTED).parent.mkdir(exist_ok=True)
    pages = pdf.print_sheet(site, SHEET, site / PRINTED)
    if pages != 1:
        raise ExtensionError(f"{SHEET} must fit on one sheet of paper, and takes {pages}")
    link = f'<p class="sheet-pdf"><a href="../{PRINTED}" download>The same as a PDF</a>, one sheet of A4.</p>'
    page.write_text(page.read_text("utf8").replace(NO_SHEET, link), "utf8")


def setup(app: Sphinx) -> dict[str, Any]:
    """Connect the directives."""
    app.add_node(placed)
    for name, directive in {"start": Start, "reading-path": ReadingPath, "concept-map": ConceptMap,
                            "sheet-pdf": SheetPdf}.items():
        app.add_directive(name, directive)
    app.connect("doctree-resolved", make)
    return {"parallel_read_safe": False, "parallel_write_safe": True}
