"""Times: what a chapter and its exercises say is what the formula gives, and the formula counts what it says."""
from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace

import nbformat
import pytest
import times
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook, new_output

NOTEBOOKS = Path(__file__).resolve().parents[2] / "notebooks"


@pytest.mark.parametrize("path", sorted(NOTEBOOKS.glob("**/[0-9]*.ipynb")),
                         ids=lambda path: str(path.relative_to(NOTEBOOKS)))
def test_a_notebook_says_the_time_that_it_takes(path: Path) -> None:
    stored = nbformat.read(path, as_version=4)
    heads = [cell.source for cell in stored.cells[:3]]
    exercises = path.parent.name == "exercises"
    assert [cell.source for cell in times.timed(stored, exercises).cells[:3]] == heads, "run book/_tools/times.py"
    line = times.TOTAL if exercises else times.CHAPTER_TIME
    assert sum(len(line.findall(head)) for head in heads) == 1


@pytest.mark.parametrize("path", sorted((NOTEBOOKS / "exercises").glob("*.ipynb")), ids=lambda path: path.stem)
def test_points_of_the_tasks_are_those_that_are_given(path: Path) -> None:
    notebook = nbformat.read(path, as_version=4)
    given = sum(cell.metadata.get("nbgrader", {}).get("points", 0) for cell in notebook.cells)
    assert times.of_tasks(notebook)[0] == given


def test_the_formula_counts_what_takes_time() -> None:
    picture = new_code_cell("fig = draw.lines(X)", outputs=[new_output("display_data", {"image/png": ""})])
    table = new_code_cell("x = 1\ntable(rows)", outputs=[new_output("execute_result", {"text/html": ""})])
    folded = new_code_cell("y = 2\n" * 9, metadata={"tags": ["hide-input"]})
    hidden = new_code_cell("assert 1\n" * 9, metadata={"tags": ["remove-cell"]})
    text = new_markdown_cell("one two\n\n$$\na = b\n$$ (label)\n\n:::{prf:proof}\nmany words here\n:::\n\n"
                             ":::{admonition} Small print\n:class: dropdown small-print\nnot counted\n:::\n\n"
                             ":::{admonition} Predict\n:class: predict\nthree\n:::\n\n```{math}\n:label: x\nc\n```\n")
    notebook = new_notebook(cells=[text, picture, table, folded, hidden, new_code_cell("import numpy as np"),
                                   new_code_cell('quiz("x")')])
    assert times.parts(notebook) == {"words": 3, "lines": 3, "figures": 1, "formulas": 2, "tables": 1, "proofs": 1,
                                     "quizzes": 1}
    assert times.of_chapter(notebook) == 10


def test_hours_of_tasks_are_added() -> None:
    cells = [SimpleNamespace(cell_type="markdown", source=source) for source in (
        "# Exercises\n\n*5 points · about 1 hour*", "*2 points · core · 15 minutes*", "*3 points · open · 50 minutes*")]
    assert times.of_tasks(SimpleNamespace(cells=cells)) == (5, 65)


@pytest.mark.parametrize(("minutes", "text"), [(45, "45 min"), (150, "2.5 h"), (705, "12 h")])
def test_times_to_plan_with(minutes: int, text: str) -> None:
    assert times.hours(minutes) == text
