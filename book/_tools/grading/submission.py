"""Submissions: which there are, what is in the file of one, and the cells to run.

A class's files are read as files of strangers: regular ones only, no link is followed, nothing that is there can stop
or hide another.  The notebook that runs is rebuilt from the release: locked cells and checks are the release's,
whatever was handed in; only solutions and cells of the student's own come from the submission.
"""
from __future__ import annotations

import ast
import copy
import difflib
import json
import os
import re
import stat
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import nbformat
from exercises import kind

LARGEST = 50_000_000        # bytes of a notebook
MOST = 2_000                # cells of one


@dataclass
class Submission:
    """A file that a student handed in: its content, or why there is none."""

    student: str
    exercise: str
    path: str                       # below the directory of the class
    content: bytes = b""
    refused: str = ""
    changed: float = 0.0            # when it was last written
    notes: list[str] = field(default_factory=list)


# ---- which there are -------------------------------------------------------------------------------------------------
def find(top: Path, names: list[str]) -> tuple[list[Submission], list[str]]:
    """The submissions below a directory, one for each student and exercise, and what was passed over."""
    found: dict[tuple[str, str], list[Submission]] = {}
    passed: list[str] = []
    for path, special in _entries(top):
        inner = Path(path).relative_to(top)
        if any(part.startswith(".") for part in inner.parts):
            continue
        content, refused = (b"", special) if special else read(path)
        named = [name for name in names if name in inner.name] or [name for name in names if name in inner.parts]
        exercise = named[0] if named else None if refused else exercise_of(content, names)
        shown = _words(str(inner))
        if exercise is None:
            passed.append(f"{shown}: {refused or 'it is no exercise of this book'}")
            continue
        stem = _words(inner.stem)
        student = _words(inner.parts[0]) if len(inner.parts) > 1 else stem.replace(exercise, "").strip("-_ ") or stem
        made = Submission(student, exercise, shown, content, refused, os.lstat(path).st_mtime)
        found.setdefault((student, exercise), []).append(made)
    chosen = [_one_of(files) for _, files in sorted(found.items())]
    _compare(chosen)
    return chosen, passed


def _entries(top: Path) -> Iterable[tuple[str, str]]:
    """Notebooks below a directory by their names, and what is no regular file or folder in the place of one."""
    for folder, folders, files in os.walk(top, followlinks=False):
        folders.sort()
        for name in sorted(folders):
            path = os.path.join(folder, name)
            if os.path.islink(path):
                yield path, "this is a link, which is not followed"
            elif name.endswith(".ipynb"):
                folders.remove(name)
                yield path, "this is a folder, not a notebook"
        for name in sorted(files):
            if name.endswith(".ipynb"):
                yield os.path.join(folder, name), ""


def read(path: str) -> tuple[bytes, str]:
    """The content of a regular file, or why it was not read; no link is followed, nothing is waited for."""
    try:
        descriptor = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
    except OSError as error:
        if os.path.islink(path):
            return b"", "this is a link, which is not followed"
        return b"", f"this cannot be read: {error.strerror}"
    with open(descriptor, "rb") as file:
        about = os.fstat(descriptor)
        if not stat.S_ISREG(about.st_mode):
            return b"", "this is no regular file"
        if about.st_size > LARGEST:
            return b"", f"this has more than {LARGEST / 1e6:g} MB"
        return file.read(LARGEST), ""


def exercise_of(content: bytes, names: list[str]) -> str | None:
    """The exercise whose checks a notebook imports."""
    text = decoded(content)
    return next((name for name in names if f"from svmlib.classroom.{name[3:]} import checks as check" in text), None)


def _one_of(files: list[Submission]) -> Submission:
    """Of several for the same exercise the one with its name, else the one written last; says which."""
    best = max(files, key=lambda file: (Path(file.path).stem == file.exercise, not file.refused, file.changed))
    others = ", ".join(file.path for file in files if file is not best)
    if others:
        best.notes.append(f"{len(files)} notebooks of this exercise: graded was {best.path}, not {others}")
    return best


def _compare(chosen: list[Submission]) -> None:
    """Note for the instructor which files are the same, byte for byte."""
    same: dict[tuple[str, bytes], list[Submission]] = {}
    for submission in chosen:
        if submission.content:
            same.setdefault((submission.exercise, submission.content), []).append(submission)
    for several in same.values():
        for submission in several if len(several) > 1 else ():
            others = ", ".join(other.student for other in several if other is not submission)
            submission.notes.append(f"look at the file: it is the same, byte for byte, as that of {others}")


def _words(name: str) -> str:
    """The name of a file as text that can be written anywhere."""
    return os.fsencode(name).decode("utf8", "replace")


# ---- what is in a file -----------------------------------------------------------------------------------------------
def decoded(content: bytes) -> str:
    """The text of a file in UTF-8, with a byte-order mark or without, UTF-16 or UTF-32; half characters become �."""
    text = content.decode(json.detect_encoding(content), "replace")
    return whole(text)


def whole(text: str) -> str:
    """Text without half characters (lone surrogates), which nothing can write."""
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")


def cells_of(content: bytes) -> list[Any]:
    """The cells of a notebook with what counts of them; raises ValueError for what is no notebook.

    Taken are source, identity and points; whatever else a program has written or left out does not matter.
    """
    notebook = json.loads(decoded(content))
    if not isinstance(notebook, dict):
        raise ValueError("no notebook")
    if "worksheets" in notebook or notebook.get("nbformat") in (1, 2, 3):
        notebook = nbformat.reads(json.dumps(notebook), as_version=4)
    if not isinstance(notebook.get("cells"), list):
        raise ValueError("a notebook without cells")
    cells = []
    for cell in notebook["cells"][:MOST]:
        if isinstance(cell, dict) and (source := _source(cell)) is not None:
            metadata = cell.get("metadata")
            grader = metadata.get("nbgrader") if isinstance(metadata, dict) else None
            kept = {"grade_id": _text(grader.get("grade_id")), "grade": grader.get("grade") is True,
                    "points": grader.get("points")} if isinstance(grader, dict) else {}
            cells.append(nbformat.from_dict({"cell_type": cell["cell_type"], "id": _text(cell.get("id")),
                                             "source": source, "outputs": [],
                                             "metadata": {"nbgrader": kept} if kept else {}}))
    return cells


def _text(value: Any) -> str:
    """A name, or "" for anything else."""
    return whole(value) if isinstance(value, str) else ""


def _source(cell: dict[str, Any]) -> str | None:
    """The source of a code or markdown cell."""
    source = cell.get("source", "")
    if isinstance(source, list) and all(isinstance(line, str) for line in source):
        source = "".join(source)
    wanted = cell.get("cell_type") in ("code", "markdown", "raw")
    return whole(source) if wanted and isinstance(source, str) else None


# ---- the notebook that is run ----------------------------------------------------------------------------------------
def rebuild(release: Any, submitted: list[Any]) -> tuple[list[Any], list[str]]:
    """The cells to run, and what was changed that must not be."""
    notes: list[str] = []
    ours = {cell.metadata.nbgrader.grade_id: cell for cell in release.cells if "nbgrader" in cell.metadata}
    cells: list[Any] = []
    seen: set[str] = set()
    for name, cell in zip(_names(release, submitted), submitted, strict=True):
        if name not in ours:
            if cell.metadata.get("nbgrader", {}).get("grade"):
                notes.append(f"a graded cell of its own, {cell.metadata.nbgrader.grade_id!r}, was ignored")
            cells.append(_plain(cell))
        elif name in seen:
            notes.append(f"a second cell {name!r} was ignored")
        else:
            seen.add(name)
            cells += _restored(ours[name], cell, name, notes)
    order = list(ours)
    for name in order:
        if name in seen:
            continue
        if kind(ours[name]) != "plain" or ours[name].metadata.nbgrader.get("locked"):
            notes.append(f"the cell {name!r} was missing and has been put back")
        before = [k for k, cell in enumerate(cells) if cell.metadata.get("nbgrader", {}).get("grade_id") in
                  order[:order.index(name)]]
        cells.insert(before[-1] + 1 if before else 0, copy.deepcopy(ours[name]))
    return cells, notes


def _names(release: Any, submitted: list[Any]) -> list[str]:
    """Which cell of the release each one is: by its name or id, else by its text, else by its place."""
    by_id = {cell.get("id"): cell.metadata.nbgrader.grade_id for cell in release.cells if "nbgrader" in cell.metadata}
    names = [cell.metadata.get("nbgrader", {}).get("grade_id") or by_id.get(cell.get("id"), "") for cell in submitted]
    missing = set(by_id.values()) - set(names)
    if not missing:
        return names
    mine, theirs = [bare(cell.source) for cell in release.cells], [bare(cell.source) for cell in submitted]
    for what, i, j, k, m in difflib.SequenceMatcher(None, mine, theirs, autojunk=False).get_opcodes():
        free = [n for n in range(k, m) if not names[n] and not submitted[n].metadata.get("nbgrader")]
        for offset, cell in enumerate(release.cells[i:j]):
            name = cell.metadata.get("nbgrader", {}).get("grade_id")
            if name not in missing:
                continue
            alike = [n for n in free if submitted[n].cell_type == cell.cell_type]
            if what == "equal":
                alike = [n for n in alike if n == k + offset]
            elif kind(cell) not in ("solution", "open"):
                continue
            defined = _defined(cell.source)
            best = next((n for n in alike if defined & _defined(submitted[n].source)), alike[0] if alike else None)
            if best is not None:
                names[best] = name
                free = [n for n in free if n > best]
    return names


def _defined(source: str) -> set[str]:
    """The names that a cell defines."""
    return set(re.findall(r"^(?:def |class )?(\w+)(?: *=|\()", source, re.M))


def _plain(cell: Any) -> Any:
    """A cell of the student's own."""
    kept = copy.deepcopy(cell)
    kept.metadata = nbformat.from_dict({})
    return kept


def _restored(ours: Any, theirs: Any, name: str, notes: list[str]) -> list[Any]:
    """Our cell, with the student's source where that is the solution; imports that were added follow in their own."""
    cell, most = copy.deepcopy(ours), ours.metadata.nbgrader.get("points")
    if theirs.metadata.get("nbgrader", {}).get("points", most) not in (most, None):
        notes.append(f"the points of {name!r} were changed")
    if kind(ours) in ("solution", "open"):
        cell.source = theirs.source
        return [cell]
    added = ""
    if bare(theirs.source) != bare(ours.source):
        added = _imports(theirs.source, ours.source) if cell.cell_type == "code" and kind(ours) == "plain" else ""
        notes.append(f"the cell {name!r} was changed and has been put back" + ("; its imports were kept" * bool(added)))
    return [cell, nbformat.v4.new_code_cell(added)] if added else [cell]


def _imports(theirs: str, ours: str) -> str:
    """The imports of a cell that another does not have."""
    from IPython.core.inputtransformer2 import TransformerManager

    try:
        known = {ast.unparse(node) for node in ast.parse(ours).body}
        nodes = ast.parse(TransformerManager().transform_cell(theirs)).body
        return "\n".join(text for node in nodes if isinstance(node, (ast.Import, ast.ImportFrom))
                         and (text := ast.unparse(node)) not in known)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return ""


def bare(source: str) -> str:
    """Source without what does not count: the assert of the release, blanks at the ends of lines."""
    lines = "\n".join(line.rstrip() for line in source.strip().splitlines())
    return re.sub(r"^assert\s+", "", lines)
