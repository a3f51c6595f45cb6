"""A whole class is graded by one command; each gets the points expected, whatever the others do."""
from __future__ import annotations

import csv
import json
import os
import time
from multiprocessing import get_context
from pathlib import Path

import a_class
import grade
import numpy as np
import pytest
from grading.remote import Function, Limits, Sandbox
from pebble import ProcessPool

ROOT = Path(__file__).resolve().parents[2]
pytestmark = [pytest.mark.slow, pytest.mark.timeout(900)]
LIMITS = Limits(cell=8.0, total=100.0, memory=3_000_000_000, disk=20_000_000)


@pytest.fixture(scope="module")
def graded(tmp_path_factory):
    """The class, where it lies, and the rows of its grading by file."""
    top = tmp_path_factory.mktemp("class")
    students = a_class.write(top / "submitted")
    before = (ROOT / "svmlib/classroom/checking/core.py").read_bytes()
    rows = grade.grade_all(top / "submitted", top / "out", LIMITS)
    assert (ROOT / "svmlib/classroom/checking/core.py").read_bytes() == before
    return students, top, {f"{row['student']}/{row['exercise']}.ipynb": row for row in rows}


def test_it_is_a_class(graded):
    students, _, rows = graded
    assert len(students) >= 30
    assert set(rows) == {student.file for student in students}


@pytest.mark.parametrize("file", [student.file for student in a_class.students()])
def test_points_and_reasons(graded, file):
    students, _, rows = graded
    student = next(s for s in students if s.file == file)
    result = rows[file]["result"]
    reached, most, _ = grade.report.points_of(result)
    told = {task["name"]: (task["points"], task["key"], task["message"]) for task in result["tasks"]}
    assert most >= a_class.points(student.exercise)
    assert reached == student.points, f"{told}\n{result['notes']}"
    text = json.dumps(result, ensure_ascii=False)
    for words in student.words:
        assert words in text, f"{words!r} is not said: {told}\n{result['notes']}"
    assert "WROTE" not in "".join(o.get("text", "") for c in result["cells"] for o in c["outputs"])


def test_reports(graded):
    students, top, rows = graded
    out = top / "out"
    with open(out / "grades.csv", encoding="utf-8-sig", newline="") as file:
        table = list(csv.DictReader(file))
    assert len(table) == len(students)
    by_file = {f"{line['student']}/{line['exercise']}.ipynb": line for line in table}
    for student in students:
        assert float(by_file[student.file]["points"]) == student.points
    assert by_file["no max/04_soft_margin.ipynb"]["check_slack"] == "0"
    assert by_file["no max/04_soft_margin.ipynb"]["check_qp"] == "4"
    assert by_file["no max/04_soft_margin.ipynb"]["open_question_C"] == ""        # to be marked by hand
    page = (out / "index.html").read_text(encoding="utf8")
    for words in ("Zoë Müller-Łukasz", "李雷", "no-max", "matrix-product", "stale-f", "How to mark the open questions"):
        assert words in page
    for row in rows.values():
        feedback = (out / row["feedback"]).read_text(encoding="utf8")
        assert "<script" not in feedback
        assert "look at a cell of its own" not in feedback          # that is for the instructor
    assert "data:image/png;base64" in (out / rows["unordered/04_soft_margin.ipynb"]["feedback"]).read_text()


def test_a_second_run_grades_only_what_changed(graded):
    students, top, rows = graded
    changed = students[5].file
    path = top / "submitted" / changed
    path.write_text(path.read_text(encoding="utf8") + "\n", encoding="utf8")
    again = grade.grade_all(top / "submitted", top / "out", LIMITS)
    for row in again:
        file = f"{row['student']}/{row['exercise']}.ipynb"
        assert row["result"]["hash"] == rows[file]["result"]["hash"] or file == changed


def hangs(*given):
    time.sleep(60)


def ends(*given):
    os._exit(1)


def raises(*given):
    raise RuntimeError("a check of ours is wrong")


@pytest.mark.parametrize(("judge", "why"), [(hangs, "had to be stopped"), (ends, "the judge stopped"),
                                            (raises, "a check of ours is wrong")])
def test_a_judge_that_fails_says_so_and_the_next_one_is_asked(graded, tmp_path, monkeypatch, judge, why):
    students, top, rows = graded
    student = next(s for s in students if s.file.startswith("blank/"))
    release = next((top / "out" / "release").rglob(f"{student.exercise}.ipynb"))
    path = top / "submitted" / student.file
    monkeypatch.setattr(grade, "GRACE", 1.0)
    with ProcessPool(1, context=get_context("spawn")) as judges:
        with monkeypatch.context() as broken:
            broken.setattr(grade, "judge", judge)
            result = grade.grade(judges, path, release, tmp_path / "first.json", Limits(total=1.0))
        assert {task["points"] for task in result["tasks"]} == {0.0}
        assert all(why in task["message"] for task in result["tasks"])
        again = grade.grade(judges, path, release, tmp_path / "second.json", LIMITS)
    assert "judge" not in json.dumps(again["tasks"])
    assert len(again["tasks"]) == len(rows[student.file]["result"]["tasks"])


def test_a_call_over_the_pipe_changes_its_arguments_as_one_without_it(tmp_path):
    cell = ("import numpy as np\ndef scaled(x, y):\n    x *= 2\n    return x + y\n"
            "def clean(x, y):\n    return 2 * x + y\n")
    sandbox = Sandbox(tmp_path, Limits())
    try:
        assert sandbox.ask(20.0, do="run", code=cell, name="cell")["error"] is None
        for name, after in (("scaled", [2.0, np.inf, 6.0]), ("clean", [1.0, np.inf, 3.0])):
            function = sandbox.decode(sandbox.ask(20.0, do="evaluate", code=name)["value"], 20.0)
            x, y = np.array([1.0, np.inf, 3.0]), np.ones(3)
            np.testing.assert_array_equal(function(x, y), [3.0, np.inf, 7.0])
            np.testing.assert_array_equal(x, after)
            np.testing.assert_array_equal(y, np.ones(3))
    finally:
        sandbox.stop()


@pytest.mark.parametrize("changed", [7, "ab", [7], [["a", 1]], [[9, {"v": 1}]], [[-1, {"v": 1}]], [[0, {"v": 1}]],
                                     [[0, {"a": ["<f8", [2], "AAAAAAAAAAAAAAAAAAAAAA=="]}]]])
def test_a_forged_change_changes_nothing(changed, tmp_path, monkeypatch):
    sandbox, x = Sandbox(tmp_path, Limits()), np.ones(3)
    monkeypatch.setattr(sandbox, "ask", lambda *_, **__: {"value": {"v": 4}, "changed": changed})
    assert Function(sandbox, 0, "f", 1.0)(x) == 4
    np.testing.assert_array_equal(x, np.ones(3))
