"""Every row of the five sources must run on a page, in cells that exist, were executed and hold what the row says."""
import re
from functools import cache
from pathlib import Path

import nbformat
import pytest
from inventory import CHAPTERS, EXERCISES, SOURCES

NOTEBOOKS = Path(__file__).resolve().parents[2] / "notebooks"


def places(value) -> list[tuple[str, tuple[str, ...]]]:
    """A row's value as (cell, needles) pairs; see inventory.py for its three forms."""
    if isinstance(value, str):
        return [(cell, ()) for cell in value.split()]
    if isinstance(value, tuple):
        cell, *needles = value
        return [(cell, tuple(needles))]
    return [place for item in value for place in places(item)]


ROWS = [(source, row, places(value)) for source, rows in SOURCES.items() for row, value in rows.items()]


def squeezed(text: str) -> str:
    """Spaces and line breaks as one space, so that a needle survives another layout."""
    return re.sub(r"\s+", " ", text)


def shown(cell) -> str:
    """What a reader meets in a cell: its text and, for code, its stored outputs as text."""
    outputs = [output.get("text", "") or "".join(str(text) for kind, text in output.get("data", {}).items()
                                                 if kind in ("text/plain", "text/html"))
               for output in cell.get("outputs", [])]
    return squeezed("\n".join([cell.source, *outputs]))


@cache
def cells_of(chapter: str) -> dict[str, tuple[bool, str]]:
    """id -> (whether it is executed code, what it shows) of the non-empty cells of a chapter."""
    notebook = nbformat.read(NOTEBOOKS / f"{(CHAPTERS | EXERCISES)[chapter]}.ipynb", as_version=4)
    return {cell.id: (cell.cell_type == "code", shown(cell)) for cell in notebook.cells if cell.source.strip()
            and (cell.cell_type == "markdown" or cell.execution_count is not None)}


@pytest.mark.parametrize(("source", "row", "cells"), ROWS, ids=[f"{s}: {r}" for s, r, _ in ROWS])
def test_row_runs_on_a_page(source, row, cells):
    assert cells, f"{source}, {row}: no cell shows it"
    for cell, needles in cells:
        chapter, _, name = cell.partition("#")
        found = cells_of(chapter)
        assert name in found, f"{source}, {row}: {chapter} has no executed cell {name!r}, only {list(found)}"
        is_code, text = found[name]
        assert is_code or needles, f"{source}, {row}: {name!r} is text, say what it must contain"
        for needle in needles:
            assert squeezed(needle) in text, f"{source}, {row}: cell {cell!r} does not contain {needle!r}"
    ran = (cells_of(chapter)[name][0] for chapter, _, name in (cell.partition("#") for cell, _ in cells))
    assert any(ran), f"{source}, {row}: only text, nothing runs"


@pytest.mark.parametrize("chapter", sorted(CHAPTERS))
def test_every_chapter_shows_rows(chapter):
    assert any(cell.startswith(f"{chapter}#") for _, _, cells in ROWS for cell, _ in cells)


def test_the_three_forms_of_a_row():
    assert places("01#a 02#b") == [("01#a", ()), ("02#b", ())]
    assert places(("01#a", "solve(", "0.25")) == [("01#a", ("solve(", "0.25"))]
    assert places([("01#a", "x"), "02#b 02#c"]) == [("01#a", ("x",)), ("02#b", ()), ("02#c", ())]
