"""Sphinx hook for exercises: pages without the machinery."""
from __future__ import annotations

import contextlib
import importlib.util
import os
import re
import sys
from pathlib import Path
from typing import Any

import nbformat
from sphinx.application import Sphinx

FOLDER = "notebooks/exercises/"
FACTS = re.compile(r"^\*(\d+ points?)( · (about )?.*)\*$", flags=re.M)
HINTS = re.compile(r"(?:^<details><summary>.*?</details>\s*)+", flags=re.M | re.S)
SOLVED = ' <label class="task-solved"><input type="checkbox"> I have solved this</label>'


def tool(app: Sphinx, name: str) -> Any:
    """A module of book/_tools; exercises.py there makes every edition of a notebook."""
    spec = importlib.util.spec_from_file_location(f"tools_{name}", Path(app.srcdir) / "book" / "_tools" / f"{name}.py")
    assert spec is not None
    assert spec.loader is not None
    module = sys.modules[spec.name] = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def bar(facts: re.Match[str]) -> str:
    """Points and minutes of a task beside the place for its reader's tick; of the whole page without one."""
    points, more, whole = facts.groups()
    return f'<p class="task-bar"><span><b>{points}</b>{more}</span>{"" if whole else SOLVED}</p>'


def show_page(app: Sphinx, docname: str, source: list[str]) -> None:
    """Give the parser the page instead of the solved notebook, with the outputs that this build has computed."""
    if not docname.startswith(FOLDER):
        return
    from jupyter_cache import get_cache

    notebook = nbformat.reads(source[0], as_version=4)
    with contextlib.suppress(KeyError):         # not executed: the build stops elsewhere if it should have been
        _, notebook = get_cache(app.config.nb_execution_cache_path).merge_match_into_notebook(notebook)
    page = tool(app, "exercises").page(notebook, docname.removeprefix(FOLDER), solutions=app.config.course_solutions)
    for cell in page.cells:
        if cell.cell_type == "markdown":
            cell.source = HINTS.sub(lambda hints: f'<div class="hints">\n\n{hints[0].rstrip()}\n\n</div>\n',
                                    FACTS.sub(bar, cell.source))
    source[0] = nbformat.writes(page)


def setup(app: Sphinx) -> dict[str, Any]:
    """Connect the hook; SVMLIB_SOLUTIONS=0 builds the edition without solutions."""
    app.add_config_value("course_solutions", os.environ.get("SVMLIB_SOLUTIONS", "1") != "0", "env")
    app.connect("source-read", show_page)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
