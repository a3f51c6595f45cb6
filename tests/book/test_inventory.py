"""Every row of the five sources must run on a page, in cells that exist, were executed and hold what the row says."""
import re
from functools import cache
from pathlib import Path
from typing import Any

import nbformat
import pytest
from chapters import chapters
from inventory import SOURCES

NOTEBOOKS = Path(__file__).resolve().parents[2] / "notebooks"


def places(rows: list[Any]) -> list[tuple[str, tuple[str, ...]]]:
    """What a chapter says of a row as (cell, needles) pairs; see inventory.py for its two forms."""
    return [(row, ()) if isinstance(row, str) else (row[0], tuple(row[1:])) for row in rows]


def shows() -> dict[tuple[str, str], list[tuple[str, str, tuple[str, ...]]]]:
    """Source and row -> chapter, cell and needles of all that show it."""
    found: dict[tuple[str, str], list[tuple[str, str, tuple[str, ...]]]] = {}
    for chapter in chapters().values():
        for source, rows in chapter.facts.get("sources", {}).items():
            for row, cells in rows.items():
                for name, needles in places(cells):
                    page = f"exercises/{chapter.stem}" if name.startswith("exercises#") else chapter.stem
                    found.setdefault((source, row), []).append((page, name.rpartition("#")[2], needles))
    return found


SHOWN = shows()
ROWS = [(source, row) for source, rows in SOURCES.items() for row in rows]


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
    notebook = nbformat.read(NOTEBOOKS / f"{chapter}.ipynb", as_version=4)
    return {cell.id: (cell.cell_type == "code", shown(cell)) for cell in notebook.cells if cell.source.strip()
            and (cell.cell_type == "markdown" or cell.execution_count is not None)}


@pytest.mark.parametrize(("source", "row"), ROWS, ids=[f"{source}: {row}" for source, row in ROWS])
def test_row_runs_on_a_page(source, row):
    cells = SHOWN.get((source, row), [])
    assert cells, f"{source}, {row}: no cell shows it"
    for chapter, name, needles in cells:
        found = cells_of(chapter)
        assert name in found, f"{source}, {row}: {chapter} has no executed cell {name!r}, only {list(found)}"
        is_code, text = found[name]
        assert is_code or needles, f"{source}, {row}: {name!r} is text, say what it must contain"
        for needle in needles:
            assert squeezed(needle) in text, f"{source}, {row}: cell {name!r} of {chapter} does not contain {needle!r}"
    assert any(cells_of(chapter)[name][0] for chapter, name, _ in cells), f"{source}, {row}: only text, nothing runs"


def test_chapters_show_no_row_that_is_not_there():
    assert sorted(set(SHOWN) - set(ROWS)) == []


@pytest.mark.parametrize("chapter", [chapter.stem for chapter in chapters().values()])
def test_every_chapter_shows_rows(chapter):
    assert any(shown == chapter for cells in SHOWN.values() for shown, _, _ in cells)


def test_the_two_forms_of_a_row():
    assert places(["a", ["b", "solve(", "0.25"]]) == [("a", ()), ("b", ("solve(", "0.25"))]
