"""Every row of the five sources must run on a page, in cells that exist and were executed."""
from functools import cache
from pathlib import Path

import nbformat
import pytest
from inventory import CHAPTERS, SOURCES

NOTEBOOKS = Path(__file__).resolve().parents[2] / "notebooks"
ROWS = [(source, row, cells) for source, rows in SOURCES.items() for row, cells in rows.items()]


@cache
def executed_cells(chapter: str) -> dict[str, str]:
    """id -> source of the executed code cells of a chapter."""
    notebook = nbformat.read(NOTEBOOKS / f"{CHAPTERS[chapter]}.ipynb", as_version=4)
    return {cell.id: cell.source for cell in notebook.cells
            if cell.cell_type == "code" and cell.execution_count is not None}


@pytest.mark.parametrize(("source", "row", "cells"), ROWS, ids=[f"{s}: {r}" for s, r, _ in ROWS])
def test_row_runs_on_a_page(source, row, cells):
    assert cells.split(), f"{source}, {row}: no cell shows it"
    for cell in cells.split():
        chapter, _, name = cell.partition("#")
        found = executed_cells(chapter)
        assert name in found, f"{source}, {row}: {CHAPTERS[chapter]} has no executed cell {name!r}, only {list(found)}"
        assert found[name].strip(), f"{source}, {row}: cell {name!r} is empty"


@pytest.mark.parametrize("chapter", sorted(c for c in CHAPTERS if c < "10"))
def test_every_chapter_shows_rows(chapter):
    assert any(f"{chapter}#" in cells for _, _, cells in ROWS)
