"""A class that is graded: where it lies, what each student must get."""
from __future__ import annotations

import json
import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import a_class
import grade
import nbformat
from grading.boundary import Boundary
from grading.judge import look_at
from grading.remote import Limits

from svmcourse.soft_margin import checks

ROOT = Path(__file__).resolve().parents[2]


def state_of(top: Path) -> dict[str, tuple]:
    """Content and times of all files below a directory but what running Python writes."""
    found = {}
    for path in sorted(top.rglob("*")):
        about = path.lstat()
        if "__pycache__" not in path.parts and not path.is_dir():
            regular = path.is_file() and not path.is_symlink() and about.st_size < 10_000_000
            found[str(path)] = (about.st_mode, about.st_mtime, path.read_bytes() if regular else b"")
    return found


def has_cases(top: Path) -> None:
    """Give a class its secret number, which takes long to choose."""
    grade.seed_of(top).write_text("4242\n", encoding="utf8")


def behind(top: Path) -> Boundary:
    """The boundary of the class."""
    return Boundary("bwrap", top / "out" / "course", top / "out" / "compiled")


@contextmanager
def graded_class(students: list[a_class.Student], limits: Limits) -> Iterator[tuple[Path, dict[str, Any]]]:
    """Where the class lies, and the rows of its grading by student; nothing of ours has changed by it."""
    top = Path(tempfile.mkdtemp(prefix="svmlib-class-"))
    top.chmod(0o755)
    os.environ["GRADER_SECRET"] = "nobody may see this"
    try:
        a_class.write(top / "submitted", students)
        has_cases(top / "submitted")
        ours = ("svmlib", "svmcourse", "notebooks/exercises", "book/_tools")
        watched = (top / "submitted", *(ROOT / name for name in ours))
        before = [state_of(place) for place in watched]
        rows = grade.grade_all(top / "submitted", top / "out", limits)
        assert [state_of(place) for place in watched] == before
        yield top, {row["student"]: row for row in rows}
    finally:
        del os.environ["GRADER_SECRET"]
        shutil.rmtree(top, ignore_errors=True)


def told(row, student):
    """Whether a row is what a student must get; fails with what it is."""
    result = row["result"]
    reached, most, _ = grade.report.points_of(result)
    tasks = {task["name"]: (task["points"], task["key"], task["message"]) for task in result["tasks"]}
    assert most > a_class.points(student.exercise)
    assert reached == student.points, f"{tasks}\n{result['notes']}"
    text = json.dumps(result, ensure_ascii=False)
    for words in student.words:
        assert words in text, f"{words!r} is not said: {tasks}\n{result['notes']}"
    shown = "".join(o.get("text", "") for c in result["cells"] for o in c["outputs"])
    private = [line for line in shown.splitlines() if line.startswith("WROTE") and "/tmp/" in line]
    for line in private:                                        # in a /tmp that nobody else sees
        here = Path("/tmp") / line.partition("/tmp/")[2].partition("'")[0]
        assert not here.exists() or (here.name == "grades.csv" and here.read_bytes().strip() != b"{}"), line
    assert shown.count("WROTE") == len(private), shown
    assert "READ " not in shown, shown


def made_and_noted(row, words, lines):
    """An attack, a cell of a submission, was made and is noted; fails where it was not."""
    (cell,) = (cell for cell in row["result"]["cells"] if cell["source"] == "\n".join(lines))
    said = "".join(output.get("text", "") for output in cell["outputs"])
    assert "Error (" not in said                                # it came to its end
    said += "\n".join(look_at([nbformat.v4.new_code_cell(cell["source"])], checks))
    for word in words:
        assert word in said
