"""Sphinx hooks for exercises: pages without the machinery, and students' notebooks to download."""
from __future__ import annotations

import contextlib
import importlib.util
import os
from pathlib import Path
from typing import Any

import nbformat
from sphinx.application import Sphinx

FOLDER = "notebooks/exercises/"


def tools(app: Sphinx) -> Any:
    """book/_tools/exercises.py, which makes every edition."""
    path = Path(app.srcdir) / "book" / "_tools" / "exercises.py"
    spec = importlib.util.spec_from_file_location("exercise_editions", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def show_page(app: Sphinx, docname: str, source: list[str]) -> None:
    """Give the parser the page instead of the solved notebook, with the outputs that this build has computed."""
    if not docname.startswith(FOLDER):
        return
    from jupyter_cache import get_cache

    notebook = nbformat.reads(source[0], as_version=4)
    with contextlib.suppress(KeyError):         # not executed: the build stops elsewhere if it should have been
        _, notebook = get_cache(app.config.nb_execution_cache_path).merge_match_into_notebook(notebook)
    page = tools(app).page(notebook, docname.removeprefix(FOLDER), solutions=app.config.course_solutions)
    source[0] = nbformat.writes(page)


def offer_downloads(app: Sphinx, error: Exception | None) -> None:
    """Put the students' notebooks beside the pages, and in the place of the sources that Sphinx would offer."""
    top = Path(app.outdir)
    pages = [name for name in app.env.found_docs if name.startswith(FOLDER)]
    if error is not None or not pages:
        return
    editions = tools(app)
    for name in pages:
        edition = editions.student(nbformat.read(app.env.doc2path(name), as_version=4))
        beside = top / FOLDER / "student" / f"{name.removeprefix(FOLDER)}.ipynb"
        for target in (beside, top / "_sources" / f"{name}.ipynb"):
            target.parent.mkdir(parents=True, exist_ok=True)
            nbformat.write(edition, target)


def setup(app: Sphinx) -> dict[str, Any]:
    """Connect the hooks; SVMLIB_SOLUTIONS=0 builds the edition without solutions."""
    app.add_config_value("course_solutions", os.environ.get("SVMLIB_SOLUTIONS", "1") != "0", "env")
    app.connect("source-read", show_page)
    app.connect("build-finished", offer_downloads, priority=960)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
