"""A small class is graded by one command: one submission of each kind of fate gets its points and its reasons.

`test_grading_whole_class.py` has all eighty, and grades those who attack as an ordinary user, too.
"""
from __future__ import annotations

import csv
import functools
import html
import json
import os
import shutil
import subprocess
import sys
from multiprocessing import get_context
from pathlib import Path

import a_class
import attackers
import broken_judges
import exercises
import forms_of_answers
import grade
import numpy as np
import pytest
from exercises import kind
from graded import ROOT, behind, graded_class, has_cases, made_and_noted, told
from grading import boundary as boundaries
from grading import collect, course, submission
from grading.boundary import Boundary
from grading.collect import Submission
from grading.judge import outputs_of, own_parts
from grading.remote import Function, Limits, Sandbox, Stopped
from pebble import ProcessPool

from svmcourse.soft_margin import checks
from svmlib.dual.certificate import settle

pytestmark = [pytest.mark.long, pytest.mark.timeout(900)]
LIMITS = Limits(cell=3.0, total=60.0, memory=3_000_000_000, disk=20_000_000)
EVERYBODY = {student.file.partition("/")[0]: student for student in reversed(a_class.students())}
STUDENTS = {name: EVERYBODY[name] for name in a_class.FEW}


@pytest.fixture(scope="module")
def graded():
    """Where the small class lies, and the rows of its grading by student."""
    with graded_class(a_class.few(), LIMITS) as found:
        yield found


def test_it_is_a_class(graded):
    assert set(graded[1]) == set(STUDENTS)


@pytest.mark.parametrize("name", STUDENTS)
def test_points_and_reasons(graded, name):
    told(graded[1][name], STUDENTS[name])


@pytest.mark.parametrize(("words", "lines"), [pytest.param(words, lines, id=name)
                                              for name, words, lines in attackers.TOGETHER])
def test_each_attack_is_made_and_noted(graded, words, lines):
    made_and_noted(graded[1][attackers.MANY], words, lines)


# ---- what is read of the files of all eighty -------------------------------------------------------------------------
@pytest.fixture(scope="module")
def found(tmp_path_factory):
    """What is found in the files of the whole class, by student."""
    top = tmp_path_factory.mktemp("class")
    a_class.write(top, a_class.students())
    chosen, passed = collect.find(top, [path.stem for path in exercises.sources()])
    assert passed == []
    return {one.student: one for one in chosen}


def test_everybody_is_found(found):
    assert len(EVERYBODY) >= 80
    assert set(found) == set(EVERYBODY)


#: Words of what is said when a file is read.
READING = ("put back", "ignored", "points of", "imports were kept", "no notebook", "byte for byte", "2 notebooks")


@pytest.mark.parametrize("name", EVERYBODY)
def test_what_is_taken_of_each_file(found, name):
    """Answers are the student's, all else is ours; what was changed is said."""
    student, given = EVERYBODY[name], found[name]
    notes, release = [given.refused, *given.notes], exercises.release(a_class.source(student.exercise))
    try:
        submitted = submission.cells_of(given.content)
    except submission.NoNotebook as error:
        submitted = []
        notes.append(str(error))
    cells, changed = submission.rebuild(release, submitted)
    notes = "\n".join(notes + changed)
    for words in student.words:
        if given.refused or any(part in words for part in READING):
            assert words in notes
    ours, theirs = ({cell.metadata.nbgrader.grade_id: cell for cell in of if "nbgrader" in cell.metadata}
                    for of in (release.cells, cells))
    assert set(theirs) == set(ours)
    sources = [cell.source for cell in submitted]
    for key, cell in theirs.items():
        assert cell.metadata == ours[key].metadata
        answer = kind(cell) in ("solution", "open") and cell.source in sources
        assert answer or cell.source == ours[key].source
    if student.points == a_class.points(student.exercise):                  # no answer is lost
        assert {cell.source for cell in theirs.values() if kind(cell) == "solution"} <= set(sources)


def test_answers_are_found_without_names_and_in_other_codings(found):
    release, wanted = exercises.release(a_class.source(a_class.SOFT)), a_class.light()
    for name in ("a_b", "x" * 200, "converted", "converted twice", "two files", "own imports"):
        cells, _ = submission.rebuild(release, submission.cells_of(found[name].content))
        for cell in cells:
            if kind(cell) == "solution" and (name, cell.metadata.nbgrader.grade_id) != ("own imports", "slack"):
                assert cell.source == a_class.cell(wanted, cell.metadata.nbgrader.grade_id).source
        assert (name == "own imports") == ("import math" in [cell.source for cell in cells])


# ---- reports ---------------------------------------------------------------------------------------------------------
def test_reports(graded):
    top, rows = graded
    out = top / "out"
    with open(out / "grades.csv", encoding="utf-8-sig", newline="") as file:
        lines = list(csv.reader(file))
    head, table = lines[0], {line[0].removeprefix("'"): dict(zip(lines[0], line, strict=True)) for line in lines[1:]}
    assert len(head) == len(set(head))
    assert set(table) == set(STUDENTS)
    for name, student in STUDENTS.items():
        assert float(table[name]["points"]) == student.points
        full = a_class.source(student.exercise).cells
        assert float(table[name]["of"]) == sum(c.metadata.get("nbgrader", {}).get("points", 0) for c in full)
    assert table["no max"]["04_soft_margin.slack"] == "0"
    assert table["no max"]["04_soft_margin.qp"] == "4"
    assert table["no max"]["04_soft_margin.open_question_C"] == ""          # to be marked by hand
    assert table["blank"]["04_soft_margin.open_question_C"] == "0"
    page = (out / "index.html").read_text(encoding="utf8")
    for words in ("李雷", "no-max", "stale-f", "How to mark the open questions",
                  "Answers ran behind bubblewrap", "look at a cell of its own"):
        assert words in page
    pages = {row["feedback"] for row in rows.values()}
    assert len(pages) == len(rows) == len(list((out / "feedback").iterdir()))
    assert "&lt;script&gt;alert(1)" in (out / rows["a_b"]["feedback"]).read_text(encoding="utf8")
    for row in rows.values():
        feedback = (out / row["feedback"]).read_text(encoding="utf8")
        assert "<script" not in feedback
        told_to_us = [note for note in row["result"]["notes"] if note.startswith("look at ")]
        assert not [note for note in told_to_us if html.escape(note) in feedback or note in feedback]
        assert "UNCONFINED" not in feedback
    assert sum(any(note.startswith("look at ") for note in row["result"]["notes"]) for row in rows.values()) >= 4
    assert "data:image/png;base64" in (out / rows["a_b"]["feedback"]).read_text()
    with open(out / "totals.csv", encoding="utf-8-sig", newline="") as file:
        totals = {line["student"]: line for line in csv.DictReader(file)}
    assert float(totals["no max"]["points"]) == STUDENTS["no max"].points


def test_marks_by_hand_survive_and_a_second_run_grades_only_what_changed(graded):
    top, rows = graded
    path = top / "submitted-marks.csv"
    with open(path, encoding="utf-8-sig", newline="") as file:
        lines = list(csv.DictReader(file))
    waiting = [line for line in lines if line["student"] == "no max"]
    assert {line["task"] for line in waiting} == {"open_question_C", "open_question_hard"}
    waiting[0].update(points="1,5", comment="One case is missing.")
    waiting[1].update(points="99")
    lines.append({**waiting[0], "task": "slack", "points": "1", "comment": "", "answer": ""})
    lines.append({**waiting[0], "student": "Nobody"})
    with open(path, "w", encoding="utf-8-sig", newline="") as file:         # as a German spreadsheet does
        writer = csv.DictWriter(file, lines[0], delimiter=";")
        writer.writeheader()
        writer.writerows(lines)
    changed = "blank"
    submitted = top / "submitted" / STUDENTS[changed].file
    submitted.write_text(submitted.read_text(encoding="utf8") + "\n", encoding="utf8")
    for _ in range(2):
        again = {row["student"]: row for row in grade.grade_all(top / "submitted", top / "out", LIMITS)}
        got = {task["name"]: task["points"] for task in again["no max"]["result"]["tasks"]}
        assert (got["open_question_C"], got["open_question_hard"], got["check_slack"]) == (1.5, None, 1.0)
        page = (top / "out" / again["no max"]["feedback"]).read_text(encoding="utf8")
        assert "One case is missing." in page
        assert "Marked by hand. The check had said: Points beyond their margin get a negative slack." in page
        told_on_page = (top / "out" / "index.html").read_text(encoding="utf8")
        assert "no max, 04_soft_margin, open_question_hard: 99 points of 2" in told_on_page
        assert "Nobody, 04_soft_margin, open_question_C: no such task was handed in" in told_on_page
        for name, row in again.items():
            assert (row["result"].get("hash") == rows[name]["result"].get("hash")) == (name != changed), name
            assert (row["result"]["seconds"] == rows[name]["result"]["seconds"]) == (name != changed), name
    with open(path, encoding="utf-8-sig", newline="") as file:
        kept = list(csv.DictReader(file))
    assert [line["points"] for line in kept if line["student"] == "Nobody"] == ["1,5"]
    assert len(kept) == len(lines)


@pytest.mark.parametrize("name", ["sparse", pytest.param("blank", marks=pytest.mark.thorough)])
def test_without_a_boundary_nothing_is_graded_unless_that_is_said(name, graded, tmp_path, monkeypatch):
    top, _ = graded
    a_class.write(tmp_path / "few", [STUDENTS[name]])
    has_cases(tmp_path / "few")
    for folder in ("course", "compiled"):
        shutil.copytree(top / "out" / folder, tmp_path / "out" / folder)
    shutil.copy2(top / "out" / "course.key", tmp_path / "out")
    with monkeypatch.context() as without:
        without.setattr(boundaries.shutil, "which", lambda name: None)
        with pytest.raises(SystemExit, match=r"Nothing was graded.*bwrap is not installed(.|\n)*--unconfined"):
            grade.grade_all(tmp_path / "few", tmp_path / "out", LIMITS)
    assert not (tmp_path / "out" / "grades.csv").exists()
    grade.main([str(tmp_path / "few"), "--out", str(tmp_path / "out"), "--unconfined"])
    pages = [tmp_path / "out" / "index.html", *(tmp_path / "out" / "feedback").iterdir()]
    assert len(pages) == 2
    assert all("UNCONFINED" in page.read_text(encoding="utf8") for page in pages)


def test_a_boundary_that_leaks_is_found(graded):
    """One that is whole is not refused: the class has been graded."""
    leaks = Boundary("bwrap", *(graded[0] / "out" / name for name in ("course", "compiled")),
                     (ROOT / "notebooks", Path("/usr/bin/env")))
    assert leaks.fault().endswith("answers could read /usr/bin/env")


def test_bubblewrap_shows_nothing_but_what_is_named(tmp_path):
    """At its own place, for reading; nothing is shared with other processes."""
    made = Boundary("bwrap", tmp_path / "course", tmp_path / "compiled", (ROOT,))
    command = made.command(["python", "sandbox.py"], 4_000_000_000, 50_000_000)
    assert command[-2:] == ["python", "sandbox.py"]
    mounts = [(word, *command[k + 1:k + 3]) for k, word in enumerate(command) if "bind" in word]
    assert {word for word, _, _ in mounts} <= {"--ro-bind", "--ro-bind-try"}
    assert all(here == there for _, here, there in mounts)
    system = {f"/{name}" for name in boundaries.SYSTEM} | {f"/etc/{name}" for name in boundaries.SETTINGS} | {"/usr"}
    shown = {here for _, here, _ in mounts} - system
    assert shown == {str(path) for path in (*made.shown(), made.course, made.compiled)}
    assert {f"--unshare-{what}" for what in ("ipc", "pid", "net", "uts")} <= set(command)
    assert command[command.index("--cap-drop") + 1] == "ALL"
    assert not [path for path in made.shown() if ROOT.is_relative_to(path) or path.is_relative_to(ROOT / "notebooks")]


@pytest.mark.parametrize("runtime", ["podman", "docker"])
def test_an_engine_is_asked_for_the_same(runtime, tmp_path):
    made = Boundary(runtime, tmp_path / "course", tmp_path / "compiled", (ROOT,), "some-image")
    command = made.command(["python", "sandbox.py"], 4_000_000_000, 50_000_000, "a-name")
    assert command[:2] == [runtime, "run"]
    assert command[-3:] == ["some-image", "python", "sandbox.py"]
    text = " ".join(command)
    for words in ("--network none", "--read-only", "--cap-drop ALL", "--security-opt no-new-privileges", "--rm",
                  "--pids-limit 64", "--memory 4050000000", "--memory-swap 4050000000", "--user 65534:65534",
                  "--tmpfs /tmp:rw,size=50000000,mode=1777", "--name a-name", "--interactive"):
        assert words in text
    mounts = [word for word in command if word.startswith("type=bind")]
    assert all(mount.endswith(",readonly") for mount in mounts)
    shown = [mount.partition("dst=")[2].partition(",")[0] for mount in mounts]
    assert {str(tmp_path / "course"), str(tmp_path / "compiled"), "/usr", sys.prefix} <= {*shown, sys.prefix}
    assert not [path for path in shown if ROOT.is_relative_to(path)]


def test_what_answers_see_of_svmlib_has_no_check_and_no_solution(graded):
    course = graded[0] / "out" / "course"
    names = {path.relative_to(course) for path in course.rglob("*") if path.is_file()}
    assert {name.parts[0] for name in names} >= {"svmlib", "svmcourse"}
    assert not [name for name in names if name.name in ("mistakes.txt", "answers.bin", "mistakes.py", "core.py")
                and name.parts[0] == "svmcourse"]
    for path in (course / "svmcourse").glob("*/checks*.py"):
        lines = path.read_text(encoding="utf8").splitlines()
        assert all(line.startswith(('"""', "from svmcourse")) or not line or " = Elsewhere(" in line for line in lines)
    from svmcourse.checking import all_tasks

    stubs = {f"{path.parent.name}.{line.partition(' = ')[0]}" for path in course.rglob("checks.py")
             for line in path.read_text(encoding="utf8").splitlines() if "Elsewhere(" in line}
    assert stubs == {name[3:] for name in all_tasks()}


def test_what_we_have_compiled_is_not_compiled_again(graded, tmp_path):
    settle(np.ones(2), np.ones(2))
    made = graded[0] / "out" / "course"
    course._take_over(made, tmp_path)
    code = ("import numpy; from svmlib.dual.certificate import settle; settle(numpy.ones(2), numpy.ones(2)); "
            "print(settle.__module__, "
            "*(sum(counts.values()) for counts in (settle.stats.cache_hits, settle.stats.cache_misses)))")
    done = subprocess.run([sys.executable, "-c", code], cwd=tmp_path, capture_output=True, text=True, check=True,
                          env={**os.environ, "PYTHONPATH": str(made), "NUMBA_CACHE_DIR": str(tmp_path / "numba")})
    assert done.stdout.split() == ["svmlib.dual.certificate", "1", "0"]


@pytest.mark.parametrize(("source", "parts"), [
    ("check.slack(slack)", []), ("r = check.slack(slack)\nprint(r)", []), ("check = 5\nprint(check + 1)", []),
    ("def check(x):\n    return x\ncheck(3)", []), ("x = 'check.PROGRAM'", []),
    ("slack = check.PROGRAM.function()", ["PROGRAM"]), ("slack = check.slack.body", ["slack"]),
    ("m = check.slack\nslack = m.body", ["slack"]), ("c = check\nslack = c.PROGRAM.function()", ["check itself"]),
    ("f(check)", ["check itself"]), ("from_ = [check.PROGRAM, check.as_array]", ["PROGRAM", "as_array"]),
    ("slack = check.PROGRAM.function()\ncheck = 5", ["PROGRAM"]),
    ("%time slack = check.PROGRAM.function()", ["PROGRAM"]), ("%time check.slack(slack)", []),
])
def test_what_a_solution_takes_of_a_check_is_seen(source, parts):
    assert own_parts(source, checks) == parts


def test_a_judge_that_fails_says_so_and_the_next_one_is_asked(graded, tmp_path, monkeypatch):
    top, _ = graded
    student = STUDENTS["blank"]
    release = next((top / "out" / "release").rglob(f"{student.exercise}.ipynb"))
    given = Submission("blank", student.exercise, student.file, student.content.encode())
    monkeypatch.setattr(grade, "GRACE", 1.0)
    with ProcessPool(1, context=get_context("spawn")) as judges:
        for judge, why in ((broken_judges.hangs, "had to be stopped"), (broken_judges.ends, "the judge stopped"),
                           (broken_judges.spins, "the judge stopped"),
                           (broken_judges.raises, "a check of ours is wrong")):
            with monkeypatch.context() as broken:
                broken.setattr(grade, "PATIENCE", 1.0 if judge is broken_judges.hangs else 100.0)
                broken.setattr(grade, "judge", judge)
                result = grade.grade(judges, given, release, tmp_path / f"{judge.__name__}.json", Limits(total=1.0),
                                     behind(top), b"")
            assert {task["points"] for task in result["tasks"]} == {None}       # not judged is not wrong
            assert all(why in task["message"] for task in result["tasks"])
            assert not list(tmp_path.iterdir())                                 # nor stored: the next run tries again
        monkeypatch.setattr(grade, "judge", broken_judges.works)
        again = grade.grade(judges, given, release, tmp_path / "again.json", LIMITS, behind(top), b"")
        assert again["tasks"] == ["judged"]
        (stored,) = tmp_path.iterdir()
        assert json.loads(stored.read_text()) == again
        marked, empty = tmp_path / "begun", Submission("blank", student.exercise, student.file, b"")
        with monkeypatch.context() as first:
            first.setattr(grade, "judge", functools.partial(broken_judges.ends_once, marked))
            result = grade.grade(judges, given, release, tmp_path / "b.json", LIMITS, behind(top), b"")
            assert result["tasks"] == ["judged"]
        monkeypatch.setattr(grade, "judge", broken_judges.finds_no_notebook)
        result = grade.grade(judges, empty, release, tmp_path / "c.json", LIMITS, behind(top), b"")
    assert {(task["points"], task["key"]) for task in result["tasks"]} == {(0.0, "not-judged")}
    assert result["notes"] == ["Not read: this is no notebook: the file is empty."]


@pytest.fixture
def sandbox(graded):
    """A process behind the boundary of the class."""
    made = Sandbox(behind(graded[0]), Limits(total=60.0))
    yield made
    made.stop()


def answer_of(sandbox, code, seconds=20.0):
    """What the sandbox says to a cell."""
    return sandbox.ask(seconds, do="run", code=code, name="cell")


def test_time_limits_are_those_of_an_idle_machine(sandbox):
    """Beside many that keep the processors busy a part of a second is to be had; a sleeper's end comes."""
    busy, work, most = [], "import time\nend = time.process_time() + 0.4\nwhile time.process_time() < end: pass", 0.6
    try:
        assert answer_of(sandbox, "1")["error"] is None
        for _ in range(8 * (os.cpu_count() or 2)):             # each a group of its own, as the answer is
            busy.append(subprocess.Popen([sys.executable, "-IS", "-c", "while True: pass"], start_new_session=True))
        assert answer_of(sandbox, work, most)["error"] is None  # a ninth of a processor: by the clock alone too late
        with pytest.raises(Stopped, match=r"still running after 0\.2 seconds"):
            answer_of(sandbox, "time.sleep(60)", 0.2)
    finally:
        for process in busy:
            process.kill()
            process.wait()


def test_half_characters_end_nothing(sandbox):
    answer = answer_of(sandbox, "print('\\ud83d')\nraise ValueError('\\udc00')")
    assert "ValueError" in submission.whole(answer["error"])
    (output,) = outputs_of(answer)
    assert output["text"].encode("utf8").decode() == "\ufffd\n"


def test_answers_in_every_form_cross_the_pipe(sandbox):
    """As what a function gives, and as what a name holds: each as the judge at home sees it."""
    assert answer_of(sandbox, forms_of_answers.SOURCE)["error"] is None
    for name, wanted in forms_of_answers.EXPECTED.items():
        for code, called in ((f"forms[{name!r}]", True), (f"made[{name!r}]", False)):
            got = sandbox.decode(sandbox.ask(20.0, do="evaluate", code=code)["value"], 20.0)
            assert forms_of_answers.same(got() if called else got, wanted), f"{name}: {got!r}"


def test_a_call_over_the_pipe_changes_its_arguments_as_one_without_it(sandbox):
    cell = ("import numpy as np\ndef scaled(x, y):\n    x *= 2\n    return x + y\n"
            "def clean(x, y):\n    return 2 * x + y\n")
    assert answer_of(sandbox, cell)["error"] is None
    for name, after in (("scaled", [2.0, np.inf, 6.0]), ("clean", [1.0, np.inf, 3.0])):
        function = sandbox.decode(sandbox.ask(20.0, do="evaluate", code=name)["value"], 20.0)
        x, y = np.array([1.0, np.inf, 3.0]), np.ones(3)
        np.testing.assert_array_equal(function(x, y), [3.0, np.inf, 7.0])
        np.testing.assert_array_equal(x, after)
        np.testing.assert_array_equal(y, np.ones(3))


@pytest.mark.parametrize("changed", [7, "ab", [7], [["a", 1]], [[9, {"v": 1}]], [[-1, {"v": 1}]], [[0, {"v": 1}]],
                                     [[0, {"a": ["<f8", [2], "AAAAAAAAAAAAAAAAAAAAAA=="]}]]])
def test_a_forged_change_changes_nothing(changed, tmp_path, monkeypatch):
    sandbox, x = Sandbox(Boundary("", tmp_path, tmp_path), Limits()), np.ones(3)
    monkeypatch.setattr(sandbox, "ask", lambda *_, **__: {"value": {"v": 4}, "changed": changed})
    assert Function(sandbox, 0, "f", 1.0)(x) == 4
    np.testing.assert_array_equal(x, np.ones(3))
