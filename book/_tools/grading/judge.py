"""Grade one submission.

The notebook that is run is rebuilt from the release: locked cells and checks are the release's, whatever was handed
in; only solutions and cells of the student's own come from the submission.  Checks run here, answers in the sandbox.
"""
from __future__ import annotations

import ast
import copy
import importlib
import re
import tempfile
import time
from pathlib import Path
from typing import Any

import nbformat
from exercises import ANSWER, kind

from grading.remote import AnswerError, Limits, Sandbox, Stopped, isolation

SUSPICIOUS = {
    r"svmlib\.classroom.*\bcheck(s\b|s_|ing\b(?! import progress\s*$))|mistakes\.txt|answers\.bin":
        "reads the checks",
    r"smo_lab_sheet|active_set_general": "uses svmlib's own solution of a task",
    r"sys\s*\.\s*modules|_getframe|gc\.get_|__builtins__|builtins|addaudithook|ctypes": "reaches into Python",
    r"nbgrader|/proc/|os\.environ": "looks for the grading",
}


# ---- the notebook that is run ----------------------------------------------------------------------------------------
def rebuild(release: Any, submitted: Any) -> tuple[list[Any], list[str]]:
    """The cells to run, and what was changed that must not be."""
    notes: list[str] = []
    ours = {cell.metadata.nbgrader.grade_id: cell for cell in release.cells if "nbgrader" in cell.metadata}
    known = {cell.get("id"): cell.metadata.nbgrader.grade_id for cell in ours.values()}
    cells: list[Any] = []
    seen: dict[str, int] = {}
    for cell in submitted.cells:
        grader = cell.metadata.get("nbgrader", {})
        name = grader.get("grade_id") or known.get(cell.get("id"))
        if name not in ours:
            if grader.get("grade"):
                notes.append(f"a graded cell of its own, {name!r}, was ignored")
            cells.append(_plain(cell))
            continue
        if name in seen:
            notes.append(f"a second cell {name!r} was ignored")
            continue
        seen[name] = len(cells)
        cells.append(_restored(ours[name], cell, name, notes))
    missing = [name for name in ours if name not in seen]
    order = list(ours)
    for name in missing:
        if kind(ours[name]) != "plain" or ours[name].metadata.nbgrader.get("locked"):
            notes.append(f"the cell {name!r} was missing and has been put back")
        before = [k for k, cell in enumerate(cells) if cell.metadata.get("nbgrader", {}).get("grade_id") in
                  order[:order.index(name)]]
        cells.insert(before[-1] + 1 if before else 0, copy.deepcopy(ours[name]))
    return cells, notes


def _plain(cell: Any) -> Any:
    """A cell of the student's own."""
    kept = copy.deepcopy(cell)
    kept.metadata = nbformat.from_dict({})
    return kept


def _restored(ours: Any, theirs: Any, name: str, notes: list[str]) -> Any:
    """Our cell, with the student's source where that is the solution."""
    cell = copy.deepcopy(ours)
    if theirs.metadata.get("nbgrader", {}).get("points", ours.metadata.nbgrader.get("points")) != \
            ours.metadata.nbgrader.get("points"):
        notes.append(f"the points of {name!r} were changed")
    if kind(ours) in ("solution", "open"):
        cell.source = theirs.source
    elif _bare(theirs.source) != _bare(ours.source):
        notes.append(f"the cell {name!r} was changed and has been put back")
    return cell


def _bare(source: str) -> str:
    """Source without what does not count: the assert of the release, blanks at the ends."""
    return re.sub(r"^assert\s+", "", source.strip())


# ---- running it ------------------------------------------------------------------------------------------------------
class Run:
    """One submission on its way through the sandbox."""

    def __init__(self, cells: list[Any], module: Any, limits: Limits, directory: Path) -> None:
        self.cells, self.module, self.limits = cells, module, limits
        self.sandbox = Sandbox(directory, limits)
        self.done: list[tuple[str, str]] = []
        self.notes: list[str] = []
        self.tasks: list[dict[str, Any]] = []

    def all(self) -> None:
        """Run every cell; a check asks for points."""
        for k, cell in enumerate(self.cells):
            what, name = kind(cell), cell.metadata.get("nbgrader", {}).get("grade_id", f"cell {k + 1}")
            if what == "check":
                self.check(cell, name)
            elif what == "open":
                blank = cell.source.strip() in ("", ANSWER)
                self.enter(cell, name, 0.0 if blank else None, "blank" if blank else "by hand",
                           "Nothing was written." if blank else "To be marked by hand.")
            elif cell.cell_type == "code":
                self.code(cell, name)
        self.sandbox.stop()

    def code(self, cell: Any, name: str) -> None:
        """Run a cell that is no check."""
        try:
            answer = self.ask(do="run", code=cell.source, name=name)
        except Stopped as stopped:
            self.note(name, stopped)
            cell["outputs"] = [_stream(f"[stopped: {stopped}]")]
            return
        self.done.append((name, cell.source))
        outputs = answer.get("outputs")
        cell["outputs"] = outputs if isinstance(outputs, list) else []
        if answer.get("error"):
            cell["outputs"].append(_stream(f"[{str(answer['error'])[:600]}]"))

    def ask(self, **order: Any) -> dict[str, Any]:
        """Ask the sandbox; a new one first runs again what went well in the old one."""
        if self.sandbox.process is None:
            for name, code in self.done:
                self.sandbox.ask(self.limits.cell, do="run", code=code, name=name)
        return self.sandbox.ask(self.limits.cell, **order)

    def check(self, cell: Any, name: str) -> None:
        """Ask a check for its result."""
        call = ast.parse(_bare(cell.source), mode="eval").body
        assert isinstance(call, ast.Call)
        assert isinstance(call.func, ast.Attribute)
        task = getattr(self.module, call.func.attr)
        try:
            answers = []
            for argument in call.args:
                expression = ast.unparse(argument)
                answer = self.ask(do="evaluate", code=expression)
                if "error" in answer:
                    self.enter(cell, name, 0.0, "missing", f"{expression} is not there: {str(answer['error'])[:300]}",
                               title=task.title)
                    return
                answers.append(self.sandbox.decode(answer.get("value"), self.limits.cell))
            result = task.judge(*answers)
            points = float(cell.metadata.nbgrader.points) if result.passed else 0.0
            self.enter(cell, name, points, result.key, result.message, result.hint, task.title)
        except Stopped as stopped:
            self.note(name, stopped)
            self.enter(cell, name, 0.0, stopped.why, f"Your code was stopped: {stopped}.", title=task.title)
        except (AnswerError, ValueError, TypeError, KeyError, OverflowError) as error:
            self.enter(cell, name, 0.0, "unreadable", f"The answer could not be read: {error}.", title=task.title)

    def note(self, name: str, stopped: Stopped) -> None:
        """Keep for the report what was stopped."""
        self.notes.append(f"{name}: stopped ({stopped.why}), {stopped}")

    def enter(self, cell: Any, name: str, points: float | None, key: str, message: str, hint: str = "",
              title: str = "") -> None:
        """Enter the points of a cell."""
        entry = {"name": name, "title": title or name.removeprefix("open_").replace("_", " "), "points": points,
                 "most": float(cell.metadata.nbgrader.points), "key": key, "message": message, "hint": hint}
        cell["result"] = entry
        self.tasks.append(entry)


def _stream(text: str) -> dict[str, Any]:
    """An output that is text."""
    return {"output_type": "stream", "name": "stderr", "text": text}


def checks_of(release: Any) -> Any:
    """The module of checks that the release imports."""
    for cell in release.cells:
        for found in re.finditer(r"from (svmlib\.classroom\.\w+) import checks as check", cell.source):
            return importlib.import_module(f"{found[1]}.checks")
    raise ValueError("the release imports no checks")


def judge(submission: Path, released: Path, limits: Limits) -> dict[str, Any]:
    """The result of a submission: points and reasons of each task, what the report must say, the cells with outputs."""
    start, release = time.monotonic(), nbformat.read(released, as_version=4)
    notes: list[str] = []
    try:
        submitted = nbformat.read(submission, as_version=4)
        nbformat.validate(submitted)
    except Exception as error:
        notes.append(f"this is no notebook ({type(error).__name__}): all tasks count as blank")
        submitted = nbformat.v4.new_notebook()
    cells, changed = rebuild(release, submitted)
    for cell in cells:
        if cell.cell_type == "code" and kind(cell) != "check" and not cell.metadata.get("nbgrader", {}).get("locked"):
            notes += [f"look at {cell.metadata.get('nbgrader', {}).get('grade_id', 'a cell of its own')}: it {what}"
                      for pattern, what in SUSPICIOUS.items() if re.search(pattern, cell.source, re.M)]
    module = checks_of(release)
    for cell in release.cells:                      # what checks need of solvers is computed before time counts
        for found in re.finditer(r"check\.(\w+)\(", cell.source) if kind(cell) == "check" else ():
            prepare = getattr(module, found[1]).prepare
            if prepare is not None:
                prepare()
    with tempfile.TemporaryDirectory(prefix="submission-", ignore_cleanup_errors=True) as directory:
        run = Run(cells, module, limits, Path(directory))
        try:
            run.all()
        finally:
            run.sandbox.stop()
    return {"tasks": run.tasks, "notes": notes + changed + run.notes, "seconds": round(time.monotonic() - start, 1),
            "network": "cut off" if isolation() else "NOT cut off: this system does not permit it",
            "cells": [_shown(cell) for cell in cells]}


def _shown(cell: Any) -> dict[str, Any]:
    """What a report shows of a cell."""
    return {"type": cell.cell_type, "source": cell.source, "outputs": cell.get("outputs", []),
            "result": cell.get("result"), "own": kind(cell) in ("solution", "open") or "nbgrader" not in cell.metadata}
