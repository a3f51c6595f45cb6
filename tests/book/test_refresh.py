"""`make refresh` stores a notebook anew only where more than timings changed."""

import nbformat
import pytest
from nbformat.v4 import new_code_cell, new_notebook, new_output
from refresh import normalise, settled


def notebook(result: str, timing: str):
    """A cell that nbval compares and one that it does not."""
    cells = [new_code_cell("1 + 1", outputs=[new_output("stream", name="stdout", text=result)], execution_count=1),
             new_code_cell("clock()", outputs=[new_output("stream", name="stdout", text=timing)], execution_count=2,
                           metadata={"tags": ["nbval-ignore-output"]})]
    for cell, name in zip(cells, ("result", "timing"), strict=True):
        cell.id = name
    return normalise(new_notebook(cells=cells))


@pytest.mark.parametrize(("result", "changed"), [("2\n", False), ("3\n", True)])
def test_new_timings_alone_are_no_change(result, changed):
    before = nbformat.writes(notebook("2\n", "0.10 s\n")) + "\n"
    after = settled(before, notebook(result, "0.25 s\n"))
    assert (after != before) == changed
    assert ("0.25 s" in after) == changed
