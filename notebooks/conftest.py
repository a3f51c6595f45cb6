"""What nbval executes here goes into the book's cache: the build then executes nothing again.

So the notebooks run as in the build, with frames for sliders; what is stored in them has the sliders.  Both forms of a
figure say the same in text, which is what is compared.  Where the book has the outputs of a notebook already, it runs
with sliders, as for a student: its frames have been drawn.
"""

from __future__ import annotations

import copy
import os
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import nbformat
import pytest
from branching import branch
from freshness import CACHE, inputs_of, kernel_environment, prepared
from jupyter_cache import get_cache
from jupyter_cache.base import CacheBundleIn
from nbval.plugin import IPyNbCell, IPyNbFile, NbCellError
from test_cells import alone, is_test
from workers import alone as one_at_a_time
from workers import say_executed

ROOT = Path(__file__).resolve().parents[1]
PARCEL = '<script type="application/vnd.svmlib+json">'     # what the build makes a figure of; no output that is stored
collect_ignore_glob = ["conftest.py"]       # no doctests in here; as a module it would have the name of another one
compared = IPyNbCell.compare_outputs


def compare_outputs(cell: IPyNbCell, test: list[Any], reference: list[Any], skip_compare: Any = None) -> bool:
    """nbval's comparison, of what a running notebook shows, too."""
    shown = copy.deepcopy(test)
    for output in shown:
        if output.get("data", {}).get("text/html", "").startswith(PARCEL):
            del output["data"]["text/html"]
    return compared(cell, shown, reference, skip_compare)


IPyNbCell.compare_outputs = compare_outputs
branch()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_setup(item: pytest.Item) -> Iterator[None]:
    """Start the kernel of a notebook as the build does."""
    before = dict(os.environ)
    os.environ.update(kernel_environment())
    if isinstance(item, IPyNbCell) and in_the_book(Path(item.parent.path)):
        del os.environ["SVMLIB_STATIC"]
    try:
        yield
    finally:
        os.environ.clear()
        os.environ.update(before)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item: pytest.Item) -> Iterator[None]:
    """Run a cell that only asserts with names of its own."""
    if not (isinstance(item, IPyNbCell) and is_test(item.cell)):
        return (yield)
    source, item.cell.source = item.cell.source, alone(item.cell.source)
    try:
        return (yield)
    except NbCellError as error:
        error.source = source
        raise
    finally:
        item.cell.source = source


@pytest.hookimpl(trylast=True)
def pytest_runtest_teardown(item: pytest.Item, nextitem: pytest.Item | None) -> None:
    """Keep the outputs of a cell; after the last one, give the notebook to the book."""
    if isinstance(item, IPyNbCell):
        outputs = item.parent.__dict__.setdefault("executed", {})
        if not is_test(item.cell):
            outputs[item.cell_num] = item.test_outputs
        if nextitem is None or nextitem.parent is not item.parent:
            keep(item.parent, outputs)
            say_executed(item)


def as_cached(path: Path) -> Any:
    """A notebook as the book's cache knows it: without the cells that only assert, with the key of its inputs."""
    return nbformat.reads(prepared(path, inputs_of(ROOT), path.read_text(encoding="utf8")), as_version=4)


@cache
def in_the_book(path: Path) -> bool:
    """Whether the book has the outputs of a notebook, as it was when its first cell began."""
    folder = ROOT / CACHE
    if not folder.is_dir():
        return False
    with one_at_a_time(folder / "writing.lock"):
        try:
            get_cache(folder).match_cache_notebook(as_cached(path))
        except KeyError:
            return False
    return True


def keep(file: IPyNbFile, outputs: dict[int, list[Any] | None]) -> None:
    """Put an executed notebook into the book's cache, if all its cells ran."""
    if "NUMBA_CPU_NAME" in os.environ:      # make rounding: the digits of another processor
        return
    path = Path(file.path)
    if in_the_book(path):
        return
    notebook = as_cached(path)
    cells = [cell for cell in notebook.cells if cell.cell_type == "code"]
    made = [outputs[number] for number in sorted(outputs)]
    if len(cells) != len(made) or not all(map(ran, cells, made)):
        return
    for count, (cell, shown) in enumerate(zip(cells, made, strict=True), start=1):
        cell.outputs, cell.execution_count = [nbformat.from_dict(output) for output in shown or []], count
    folder = ROOT / CACHE
    folder.mkdir(parents=True, exist_ok=True)
    with one_at_a_time(folder / "writing.lock"):
        bundle = CacheBundleIn(notebook, str(path), data={"execution_seconds": 0})
        get_cache(folder).cache_notebook_bundle(bundle, check_validity=False, overwrite=True)


def ran(cell: Any, outputs: list[Any] | None) -> bool:
    """Whether a cell came to its end, or to the error that it is to show."""
    failed = outputs is None or any(output.output_type == "error" for output in outputs)
    return not failed or (outputs is not None and "raises-exception" in cell.metadata.get("tags", []))
