"""Grade one submission: run it, and ask each check.  Checks run here, answers behind the boundary."""
from __future__ import annotations

import ast
import base64
import contextlib
import importlib
import io
import re
import resource
import signal
import time
from pathlib import Path
from typing import Any

import nbformat
from exercises import ANSWER, SOURCES, kind

from grading import submission
from grading.boundary import Boundary
from grading.remote import AnswerError, Limits, Sandbox, Stopped
from svmcourse.checking import all_tasks
from svmcourse.checking.mistakes import Solved, draw_by

#: In what follows `svmcourse` on a line; as one pattern with that it would try each pair of their places.
CHECKS = re.compile(r"\bcheck(s\b(?! as check\s*$)|s_|ing\b(?! import progress\s*$))", re.M)
SUSPICIOUS = {
    r"mistakes\.txt|answers\.bin|(getattr|vars|dir)\(check\b": "reads the checks",
    r"smo_lab_sheet|active_set_general": "uses svmlib's own solution of a task",
    r"sys\s*\.\s*modules|_getframe|gc\.get_|__builtins__|builtins|addaudithook|ctypes|_posixsubprocess|__subclasses__":
        "reaches into Python",
    r"nbgrader|/proc/|os\.environ|notebooks/exercises|submitted|grades\.csv|svm(lib|course)\.__(file|path)__":
        "looks for the grading",
    r"\bsocket\b|urllib|requests\.|http\.client|ftplib|smtplib": "reaches for the network",
    r"subprocess|os\.(system|popen|fork|exec|posix_spawn|spawn|kill)|pty\.|multiprocessing": "starts or ends programs",
    r"os\.(replace|rename|link|symlink|mkfifo|mknod|utime|setxattr|chmod|chown|setuid)": "changes files beside its own",
}
REFUSALS = ("PermissionError", "Read-only file system", "Operation not permitted", "No space left on device",
            "BlockingIOError", "Resource temporarily unavailable")
SHOWN, PICTURE = 50, 3_000_000      # outputs of a cell and bytes of a picture that a report shows
OUTPUTS = 10_000_000                # bytes of all outputs of a notebook
SOURCE, MESSAGE = 200_000, 2_000    # characters of a cell, and of what is said of it


# ---- running it ------------------------------------------------------------------------------------------------------
class Run:
    """One submission on its way through the sandbox."""

    def __init__(self, cells: list[Any], release: Any, module: Any, limits: Limits, boundary: Boundary) -> None:
        self.cells, self.release, self.module, self.limits = cells, release, module, limits
        self.sandbox = Sandbox(boundary, limits)
        self.done: list[tuple[str, str]] = []
        self.notes: list[str] = []
        self.tasks: list[dict[str, Any]] = []
        self.failed: list[tuple[str, str, str]] = []        # name and source of a cell, and how it ended
        self.room = OUTPUTS

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
            self.failed.append((name, cell.source, f"was stopped: {stopped}"))
            return
        self.done.append((name, cell.source))
        cell["outputs"] = outputs_of(answer, self.room)
        self.room -= sum(map(_size, cell["outputs"]))
        if answer.get("error"):
            said = submission.whole(str(answer["error"])[:600])
            cell["outputs"].append(_stream(f"[{said}]"))
            self.failed.append((name, cell.source, f"ended with {said}"))
            self.refusal(name, said)

    def why_missing(self, expression: str, error: str) -> tuple[str, str, str]:
        """Key, message and hint where an answer is not there: how the cell ended that should have made it."""
        missing = {name.id for name in ast.walk(ast.parse(expression)) if isinstance(name, ast.Name)}
        cells = {cell.metadata.nbgrader.grade_id for cell in self.release.cells
                 if kind(cell) == "solution" and missing & submission.defined(cell.source)}
        for name, source, ending in self.failed:
            if name in cells or missing & submission.defined(source):
                hint = ("While a class is graded there are the packages of the course, and no others."
                        if "ModuleNotFoundError" in ending else "")
                return "cell-error", f"{expression} is not there, since its cell {ending}", hint
        if error.startswith("NameError"):
            return "missing", f"{expression} is not there: no cell defines it.", "Is it written with another name?"
        return "missing", f"{expression} is not there: {error}", ""

    def helpers(self, message: str) -> str:
        """How the cell ended that should have made what an answer did not find."""
        found = re.search(r"NameError \(name '(\w+)' is not defined\)", message)
        ends = [f" {found[1]} is not there, since its cell {ending}" for _, source, ending in self.failed
                if found and found[1] in submission.defined(source)]
        return "".join(ends[:1])

    def ask(self, **order: Any) -> dict[str, Any]:
        """Ask the sandbox; a new one first runs again what went well in the old one."""
        if self.sandbox.process is None:
            for name, code in self.done:
                self.sandbox.ask(self.limits.cell, do="run", code=code, name=name)
        return self.sandbox.ask(self.limits.cell, **order)

    def check(self, cell: Any, name: str) -> None:
        """Ask a check for its result."""
        call = ast.parse(submission.bare(cell.source), mode="eval").body
        assert isinstance(call, ast.Call)
        assert isinstance(call.func, ast.Attribute)
        task = getattr(self.module, call.func.attr)
        try:
            answers = []
            for argument in call.args:
                expression = ast.unparse(argument)
                answer = self.ask(do="evaluate", code=expression)
                if "error" in answer:
                    key, said, hint = self.why_missing(expression, str(answer["error"])[:300])
                    self.enter(cell, name, 0.0, key, said, hint, task.title)
                    return
                answers.append(self.sandbox.decode(answer.get("value"), self.limits.cell))
            result = task.judge(*answers)
            self.refusal(name, result.message if result.key == "exception" else "")
            if result.key == "check-error":
                self.notes.append(f"look at {name}, which waits to be marked by hand: {result.message}")
                self.enter(cell, name, None, result.key, result.message, result.hint, task.title)
                return
            points = float(cell.metadata.nbgrader.points) if result.passed else 0.0
            said = result.message + (self.helpers(result.message) if result.key == "exception" else "")
            self.enter(cell, name, points, result.key, said, result.hint, task.title)
        except Stopped as stopped:
            self.note(name, stopped)
            self.enter(cell, name, 0.0, stopped.why, f"Your code was stopped: {stopped}.", title=task.title)
        except (AnswerError, ValueError, TypeError, KeyError, OverflowError, RecursionError, MemoryError) as error:
            self.enter(cell, name, 0.0, "unreadable", f"The answer could not be read: {error}.", title=task.title)

    def refusal(self, name: str, said: str) -> None:
        """Keep for the instructor what the boundary refused."""
        if any(words in said for words in REFUSALS):
            self.notes.append(f"look at {name}: something was refused, {said[:200]}")

    def note(self, name: str, stopped: Stopped) -> None:
        """Keep for the report what was stopped."""
        self.notes.append(f"{name}: stopped ({stopped.why}), {stopped}")

    def enter(self, cell: Any, name: str, points: float | None, key: str, message: str, hint: str = "",
              title: str = "") -> None:
        """Enter the points of a cell."""
        entry = {"name": name, "title": title or name.removeprefix("open_").replace("_", " "), "points": points,
                 "most": float(cell.metadata.nbgrader.points), "key": key,
                 "message": submission.whole(message[:MESSAGE]),
                 "hint": submission.whole(hint[:MESSAGE])}
        cell["result"] = entry
        self.tasks.append(entry)


def _stream(text: str) -> dict[str, Any]:
    """An output that is text."""
    return {"output_type": "stream", "name": "stderr", "text": text}


def _size(output: dict[str, Any]) -> int:
    """Characters of an output."""
    return len(output.get("text", "")) + len(output.get("data", {}).get("image/png", ""))


def outputs_of(answer: dict[str, Any], room: int = OUTPUTS) -> list[dict[str, Any]]:
    """The outputs of a cell as texts and pictures that can be shown, in as many bytes; anything else is left out."""
    outputs, kept = answer.get("outputs"), []
    for output in outputs[:SHOWN] if isinstance(outputs, list) else []:
        data = output.get("data") if isinstance(output, dict) else None
        picture, plain = (data.get("image/png"), data.get("text/plain")) if isinstance(data, dict) else (None, None)
        if isinstance(picture, str) and is_png(picture):
            kept.append({"output_type": "display_data", "metadata": {}, "data": {"image/png": picture}})
        elif isinstance(text := plain or (output.get("text") if isinstance(output, dict) else None), str):
            kept.append({"output_type": "stream", "name": "stdout", "text": submission.whole(text[:20_000])})
        if sum(map(_size, kept)) > room:
            kept[-1] = _stream(f"[more is left out: a report shows {OUTPUTS / 1e6:g} MB of a notebook]")
            break
    return kept


def is_png(coded: str) -> bool:
    """Whether a text is a picture, coded."""
    try:
        return len(coded) < PICTURE and base64.b64decode("".join(coded.split()), validate=True)[:4] == b"\x89PNG"
    except ValueError:
        return False


def checks_of(release: Any) -> Any:
    """The module of checks that the release imports."""
    for cell in release.cells:
        for found in re.finditer(r"from (svmcourse\.\w+) import checks as check", cell.source):
            return importlib.import_module(f"{found[1]}.checks")
    raise ValueError("the release imports no checks")


def own_parts(source: str, module: Any) -> list[str]:
    """What a cell takes of `check` but calls of its tasks: their parts, the functions beside them, or all of it."""
    try:
        nodes = list(ast.walk(ast.parse(source)))
    except (SyntaxError, ValueError, RecursionError, MemoryError):      # a cell with magics, or none that Python reads
        used = re.findall(r"\bcheck\s*\.\s*(\w+)(\s*\.\s*\w+)?", source)
        return sorted({name for name, part in used if part or not hasattr(getattr(module, name, None), "judge")})
    own = any((isinstance(node, ast.Name) and node.id == "check" and not isinstance(node.ctx, ast.Load))
              or (isinstance(node, (ast.FunctionDef, ast.ClassDef)) and node.name == "check") for node in nodes)
    called = {id(node.func) for node in nodes if isinstance(node, ast.Call)}
    taken = {id(node.value): node for node in nodes if isinstance(node, ast.Attribute)}
    found = set()
    for node in nodes:
        if isinstance(node, ast.Name) and node.id == "check" and isinstance(node.ctx, ast.Load):
            part = taken.get(id(node))
            name = "check itself" if part is None else part.attr
            task = id(part) in called and hasattr(getattr(module, name, None), "judge")
            if not task and (hasattr(module, name) or not own):         # unless it is a name of the student's own
                found.add(name)
    return sorted(found)


def look_at(cells: list[Any], module: Any) -> list[str]:
    """Notes for the instructor: cells that do what no answer needs."""
    notes = []
    for cell in cells:
        grader = cell.metadata.get("nbgrader", {})
        if cell.cell_type != "code" or kind(cell) == "check" or grader.get("locked"):
            continue
        where = f"look at {grader.get('grade_id', 'a cell of its own')}: it"
        found = [what for pattern, what in SUSPICIOUS.items() if re.search(pattern, cell.source, re.M)]
        after = "\n".join(line.partition("svmcourse")[2] for line in cell.source.split("\n"))
        found += ["reads the checks"] if CHECKS.search(after) else []
        notes += [f"{where} {what}" for what in dict.fromkeys(found)]
        if parts := own_parts(cell.source, module):
            notes.append(f"{where} calls parts of the checks, {', '.join(parts)}")
    return notes


def typed_in(cells: list[Any], solved: list[Any]) -> list[str]:
    """Notes for the instructor: results that stand in a cell as numbers, where the solution computes them."""
    ours = {cell.metadata.nbgrader.grade_id: cell.source for cell in solved if kind(cell) == "solution"}
    notes = []
    for cell in cells:
        name = cell.metadata.get("nbgrader", {}).get("grade_id")
        if kind(cell) == "solution" and _only_values(cell.source) and not _only_values(ours.get(name, "")):
            notes.append(f"look at {name}: its results are typed in, and not computed there")
    return notes


def _only_values(source: str) -> bool:
    """Whether a cell only gives names to values that are written out, and one at least is no None."""
    try:
        nodes = ast.parse(source).body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return False
    given = [node.value for node in nodes if isinstance(node, (ast.Assign, ast.AnnAssign)) and node.value]
    used = {name.id for node in nodes for name in ast.walk(node)
            if isinstance(name, ast.Name) and isinstance(name.ctx, ast.Load)}
    parts = (part for value in given for part in ast.walk(value) if isinstance(part, ast.Constant))
    numbers = any(part.value is not None for part in parts)
    return len(given) == len(nodes) and numbers and used <= {"np", "dict", "list", "tuple", "float", "int", "array"}


def prepare(limits: Limits, seed: int) -> None:
    """What a process that judges does first: take the class's cases, and bound the memory that answers make it use."""
    draw_by(seed)
    most = max(8_000_000_000, 2 * limits.memory)
    resource.setrlimit(resource.RLIMIT_AS, (most, resource.getrlimit(resource.RLIMIT_AS)[1]))


def unfit(seed: int) -> list[str]:
    """Tasks for whose functions the solution itself is not right on the cases of a seed."""
    draw_by(seed)
    found = []
    for name, task in all_tasks().items():
        try:
            answer = Solved(*name.split(".")).function()
        except ValueError:                          # it asks for values, which no seed changes
            continue
        try:
            if task.prepare is not None:
                task.prepare()
            with contextlib.redirect_stdout(io.StringIO()):
                passed = task.judge(answer).passed
        except Exception:
            passed = False
        found += [] if passed else [name]
    return found


def judge(content: bytes, released: Path, limits: Limits, boundary: Boundary, seconds: float = 0.0) -> dict[str, Any]:
    """The result of a submission: points and reasons of each task, what the report must say, the cells with outputs.

    seconds : how many of the processor this process may take, before the system ends it; 0 for any.
    Raises NoNotebook for another file.
    """
    signal.setitimer(signal.ITIMER_PROF, seconds)
    try:
        return _judged(content, released, limits, boundary)
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0.0)


def _judged(content: bytes, released: Path, limits: Limits, boundary: Boundary) -> dict[str, Any]:
    """The result of a submission, in whatever time that takes."""
    start, release = time.monotonic(), nbformat.read(released, as_version=4)
    cells, changed = submission.rebuild(release, submission.cells_of(content))
    module = checks_of(release)
    for cell in release.cells:                      # what checks need of solvers is computed before time counts
        for found in re.finditer(r"check\.(\w+)\(", cell.source) if kind(cell) == "check" else ():
            prepared = getattr(module, found[1]).prepare
            if prepared is not None:
                prepared()
    run = Run(cells, release, module, limits, boundary)
    try:
        run.all()
        solved = nbformat.read(SOURCES / released.name, as_version=4).cells
        return {"tasks": run.tasks, "notes": look_at(cells, module) + typed_in(cells, solved) + changed + run.notes,
                "seconds": round(time.monotonic() - start, 1), "boundary": boundary.words,
                "cells": [_shown(cell) for cell in cells]}
    finally:
        run.sandbox.stop()


def _shown(cell: Any) -> dict[str, Any]:
    """What a report shows of a cell."""
    return {"type": cell.cell_type, "source": cell.source[:SOURCE], "outputs": cell.get("outputs", []),
            "result": cell.get("result"), "own": kind(cell) in ("solution", "open") or "nbgrader" not in cell.metadata}
