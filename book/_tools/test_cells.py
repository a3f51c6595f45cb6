"""Cells tagged `test` only assert what the text says: CI runs them, and nobody else has them.

The build of the book, the kit and the lab leave them out.  Where they run, they run with names of their own, so that no
other cell can come to depend on one.
"""

from __future__ import annotations

from typing import Any

TAG = "test"
# IPython keeps the text under the name that its cache gives, so that a traceback shows the line that failed.
ALONE = "exec(compile({0!r}, get_ipython().compile.cache({0!r}), 'exec'), dict(globals()))"


def is_test(cell: Any) -> bool:
    """Whether a cell only asserts."""
    return cell["cell_type"] == "code" and TAG in cell["metadata"].get("tags", [])


def alone(source: str) -> str:
    """Code that runs a cell with a copy of all names, and leaves none behind."""
    return ALONE.format(source)


def without_tests(notebook: Any) -> None:
    """Take the test cells out of a notebook."""
    notebook["cells"] = [cell for cell in notebook["cells"] if not is_test(cell)]
