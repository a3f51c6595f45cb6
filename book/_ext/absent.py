"""A shortened edition: what refers to a chapter that is left out of _toc.yml names it in plain words instead.

A chapter of the whole course may refer to any other, by its page, a formula, a figure, a theorem.  Where an edition
holds fewer, such a reference becomes the chapter's title, after the number of what is meant in it, and the page says
once, at its end, that these are titles of chapters of the whole course.
"""

from __future__ import annotations

from pathlib import Path, PurePosixPath
from typing import Any

from docutils import nodes
from editions import tool
from sphinx.addnodes import pending_xref
from sphinx.application import Sphinx
from sphinx.transforms.post_transforms import SphinxPostTransform

NOTE = "Titles in italics that lead nowhere are chapters of the whole course, which this edition leaves out."


class Left:
    """What is left out of an edition: the pages, and whatever is labelled on them."""

    def __init__(self, app: Sphinx) -> None:
        book, held = tool(app, "labels").Book(Path(app.srcdir)), app.env.found_docs
        self.pages = {page: title_alone(title) for page, title in book.titles.items()
                      if page.startswith("notebooks/") and page not in held}
        self.labels = {label.lower(): place for label, place in book.places.items() if place.page in self.pages}

    def words(self, reference: pending_xref) -> list[nodes.Node]:
        """What is said instead of a reference; nothing where what it leads to is there."""
        target = reference["reftarget"]
        page = (PurePosixPath(reference.get("refdoc", "")).parent / target).as_posix() if target else ""
        for path in (target, _plain(page)):
            name = path.removesuffix(".ipynb").removesuffix(".md").lstrip("/")
            if name in self.pages:
                said = reference.astext() if reference.get("refexplicit") else self.pages[name]
                return [nodes.emphasis("", said)]
        place = self.labels.get(target.lower())
        if place is None or (reference.get("refdomain") or "std") not in ("std", "math", "prf", "myst"):
            return []
        title = self.pages[place.page]
        if reference.get("refexplicit"):
            return [nodes.emphasis("", reference.astext())]
        numbered = place.name != title and any(letter.isdigit() for letter in place.name)
        return [nodes.Text(f"{place.name} of "), nodes.emphasis("", title)] if numbered else [nodes.emphasis("", title)]


def title_alone(title: str) -> str:
    """A title without its number.

    >>> title_alone("9. Quadratic programming"), title_alone("Exercises: SMO")
    ('Quadratic programming', 'Exercises: SMO')
    """
    number, dot, rest = title.partition(". ")
    return rest if dot and number.isdigit() else title


def _plain(path: str) -> str:
    """A path without "..".

    >>> _plain("notebooks/exercises/../09_quadratic_programming")
    'notebooks/09_quadratic_programming'
    """
    parts: list[str] = []
    for part in path.split("/"):
        parts = parts[:-1] if part == ".." else [*parts, part]
    return "/".join(parts)


class Shorten(SphinxPostTransform):
    """Put the words in their places, before anybody looks for what is not there."""

    default_priority = 2

    def run(self, **kwargs: Any) -> None:
        if not hasattr(self.app, "left_out"):
            self.app.left_out = Left(self.app)      # type: ignore[attr-defined]
        left = self.app.left_out                    # type: ignore[attr-defined]
        replaced = False
        for reference in list(self.document.findall(pending_xref)) if left.pages else []:
            if words := left.words(reference):
                reference.replace_self(words)
                replaced = True
        if replaced:
            self.document.append(nodes.paragraph("", NOTE, classes=["left-out"]))


def setup(app: Sphinx) -> dict[str, Any]:
    """Connect the transform."""
    app.add_post_transform(Shorten)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
