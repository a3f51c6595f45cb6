"""A whole class is graded by one command; each gets the points expected, whatever the others do.

The class is graded behind bubblewrap by whoever runs the tests.  Where that is root, those who attack are graded once
more by an ordinary user.
"""
from __future__ import annotations

import csv
import html
import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from multiprocessing import get_context
from pathlib import Path

import a_class
import attackers
import grade
import nbformat
import numpy as np
import pytest
from grading import boundary as boundaries
from grading import course
from grading.boundary import Boundary
from grading.judge import look_at, own_parts
from grading.remote import Function, Limits, Sandbox, Stopped
from grading.submission import Submission
from pebble import ProcessPool

from svmlib.classroom.soft_margin import checks
from svmlib.svc.scales import _ranges

ROOT = Path(__file__).resolve().parents[2]
pytestmark = [pytest.mark.slow, pytest.mark.timeout(1800)]
LIMITS = Limits(cell=8.0, total=100.0, memory=3_000_000_000, disk=20_000_000)
ORDINARY = 61_234       # the number of a user whom nobody has made is as good as any
STUDENTS = {student.file.partition("/")[0]: student for student in reversed(a_class.students())}
# `make site` has all attacks run by an ordinary user, too
EVERY = 1 if os.environ.get("SVMLIB_PAGES") == "all" else 3
ATTACKERS = list(dict.fromkeys(student.file.partition("/")[0] for student in attackers.attackers()))
ATTACKERS = [*ATTACKERS[:2], *ATTACKERS[2::EVERY]]         # those with most attacks first
#: All files of each of them; a link needs what it points to.
TRIED_AGAIN = [student for student in attackers.attackers()
               if student.file.partition("/")[0] in {*ATTACKERS, "half a character"}]


def state_of(top: Path) -> dict[str, tuple]:
    """Content and times of all files below a directory but what running Python writes."""
    found = {}
    for path in sorted(top.rglob("*")):
        about = path.lstat()
        if "__pycache__" not in path.parts and not path.is_dir():
            regular = path.is_file() and not path.is_symlink() and about.st_size < 10_000_000
            found[str(path)] = (about.st_mode, about.st_mtime, path.read_bytes() if regular else b"")
    return found


def behind(top: Path) -> Boundary:
    """The boundary of the class."""
    return Boundary("bwrap", top / "out" / "course", top / "out" / "compiled")


@pytest.fixture(scope="module")
def graded():
    """The class, where it lies, and the rows of its grading by student."""
    top = Path(tempfile.mkdtemp(prefix="svmlib-class-"))
    top.chmod(0o755)
    os.environ["GRADER_SECRET"] = "nobody may see this"
    try:
        students = a_class.students()
        a_class.write(top / "submitted", students)
        watched = (top / "submitted", ROOT / "svmlib", ROOT / "notebooks" / "exercises", ROOT / "book" / "_tools")
        before = [state_of(place) for place in watched]
        rows = grade.grade_all(top / "submitted", top / "out", LIMITS)
        assert [state_of(place) for place in watched] == before
        yield students, top, {row["student"]: row for row in rows}
    finally:
        del os.environ["GRADER_SECRET"]
        shutil.rmtree(top, ignore_errors=True)


@pytest.fixture(scope="module")
def graded_by_a_user(graded):
    """Rows of those who attack, graded by an ordinary user at the same places."""
    if os.geteuid() != 0:
        pytest.skip("these tests are run by an ordinary user, for whom the whole class was graded")
    _, top, _ = graded
    own = Path(tempfile.mkdtemp(prefix="svmlib-user-"))
    try:
        own.chmod(0o755)
        a_class.write(own / "submitted", [s for s in a_class.ordinary() if s.file.startswith(("no max", "李雷"))]
                      + TRIED_AGAIN)
        for name in ("course", "compiled"):
            shutil.copytree(top / "out" / name, own / "out" / name, symlinks=True)
        shutil.copy2(top / "out" / "course.key", own / "out")
        for path in [own, *own.rglob("*")]:
            os.chown(path, ORDINARY, ORDINARY, follow_symlinks=False)
        code = ("import json, sys; from pathlib import Path; import grade; from grading.remote import Limits\n"
                "if __name__ == '__main__':\n"
                "    top, out, own, *limits = sys.argv[1:]\n"
                "    limits = Limits(*map(float, limits[:2]), *map(int, limits[2:]))\n"
                "    rows = grade.grade_all(Path(top), Path(out), limits)\n"
                "    Path(own, 'rows.json').write_text(json.dumps(rows))\n")
        (own / "run.py").write_text(code)
        limits = [str(value) for value in grade.settings(LIMITS).values()]
        command = [*as_user(top / "out", own / "out"), sys.executable, str(own / "run.py"), str(own / "submitted"),
                   str(top / "out"), str(own), *limits]
        environment = {**os.environ, "HOME": str(own), "PYTHONPATH": str(ROOT / "book" / "_tools"),
                       "PYTHONDONTWRITEBYTECODE": "1"}
        done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stdout[-2000:] + done.stderr[-3000:]
        yield {row["student"]: row for row in json.loads((own / "rows.json").read_text())}
    finally:
        shutil.rmtree(own, ignore_errors=True)


def as_user(place: Path, holds: Path) -> list[str]:
    """The command that makes root an ordinary user, for whom `place` holds what is in `holds`.

    Python and the course may lie where only root can look, as below /root: those directories are opened on the way.
    """
    needed = dict.fromkeys(Path(name).resolve() for name in (sys.prefix, sys.base_prefix, ROOT))
    closed = {next((above for above in reversed(path.parents) if not above.stat().st_mode & 1), None): None
              for path in needed}
    command = [shutil.which("bwrap"), "--dev-bind", "/", "/", "--cap-drop", "ALL", "--cap-add", "CAP_SETUID",
               "--cap-add", "CAP_SETGID"]
    for top in filter(None, closed):
        command += ["--perms", "755", "--tmpfs", str(top)]
    for path in needed:
        if any(top and path.is_relative_to(top) for top in closed):
            command += boundaries._mounted(path)
    command += ["--bind", str(holds), str(place)]
    return [*command, "setpriv", "--reuid", str(ORDINARY), "--regid", str(ORDINARY), "--clear-groups",
            "--inh-caps=-all", "--ambient-caps=-all"]


def test_it_is_a_class(graded):
    _, _, rows = graded
    assert len(STUDENTS) >= 80
    assert set(rows) == set(STUDENTS)


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


@pytest.mark.parametrize("name", STUDENTS)
def test_points_and_reasons(graded, name):
    told(graded[2][name], STUDENTS[name])


@pytest.mark.parametrize(("name", "words", "lines"), [
    pytest.param(student, words, lines, id=name)
    for student, cells in ((attackers.MANY, attackers.TOGETHER), (attackers.ENDED, attackers.ENDS))
    for name, words, lines in cells])
def test_each_attack_is_made_and_noted(graded, name, words, lines):
    (cell,) = (cell for cell in graded[2][name]["result"]["cells"] if cell["source"] == "\n".join(lines))
    said = "".join(output.get("text", "") for output in cell["outputs"])
    assert "Error (" not in said                                # it came to its end
    said += "\n".join(look_at([nbformat.v4.new_code_cell(cell["source"])], checks))
    for word in words:
        assert word in said


@pytest.mark.parametrize("name", ["no max", "李雷", *ATTACKERS])
def test_points_and_reasons_for_an_ordinary_user(graded_by_a_user, name):
    told(graded_by_a_user[name], STUDENTS[name])


def test_reports(graded):
    _, top, rows = graded
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
    for words in ("Zoë Müller-Łukasz", "李雷", "no-max", "matrix-product", "stale-f", "How to mark the open questions",
                  "Answers ran behind bubblewrap", "look at a cell of its own"):
        assert words in page
    pages = {row["feedback"] for row in rows.values()}
    assert len(pages) == len(rows) == len(list((out / "feedback").iterdir()))
    for row in rows.values():
        feedback = (out / row["feedback"]).read_text(encoding="utf8")
        assert "<script" not in feedback
        told_to_us = [note for note in row["result"]["notes"] if note.startswith("look at ")]
        assert not [note for note in told_to_us if html.escape(note) in feedback or note in feedback]
        assert "UNCONFINED" not in feedback
    assert sum(any(note.startswith("look at ") for note in row["result"]["notes"]) for row in rows.values()) > 10
    assert "data:image/png;base64" in (out / rows["unordered"]["feedback"]).read_text()
    with open(out / "totals.csv", encoding="utf-8-sig", newline="") as file:
        totals = {line["student"]: line for line in csv.DictReader(file)}
    assert float(totals["no max"]["points"]) == STUDENTS["no max"].points


def test_marks_by_hand_survive_and_a_second_run_grades_only_what_changed(graded):
    students, top, rows = graded
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
    changed = students[5].file
    submitted = top / "submitted" / changed
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
            if name != changed.partition("/")[0]:
                assert row["result"].get("hash") == rows[name]["result"].get("hash")
    with open(path, encoding="utf-8-sig", newline="") as file:
        kept = list(csv.DictReader(file))
    assert [line["points"] for line in kept if line["student"] == "Nobody"] == ["1,5"]
    assert len(kept) == len(lines)


def test_without_a_boundary_nothing_is_graded_unless_that_is_said(graded, tmp_path, monkeypatch):
    students, top, _ = graded
    a_class.write(tmp_path / "few", [s for s in students if s.file.startswith("blank/")])
    for name in ("course", "compiled"):
        shutil.copytree(top / "out" / name, tmp_path / "out" / name)
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
    secret = ROOT / "notebooks"
    whole = Boundary("bwrap", *(graded[1] / "out" / name for name in ("course", "compiled")), (secret,))
    assert whole.fault() == ""
    leaks = Boundary("bwrap", whole.course, whole.compiled, (secret, Path("/usr/bin/env")))
    assert "answers could read /usr/bin/env" in leaks.fault()


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
    course = graded[1] / "out" / "course"
    names = {path.relative_to(course / "svmlib") for path in (course / "svmlib").rglob("*") if path.is_file()}
    assert not [name for name in names if name.name in ("mistakes.txt", "answers.bin", "mistakes.py", "core.py")
                and name.parts[0] == "classroom"]
    for path in (course / "svmlib" / "classroom").glob("*/checks*.py"):
        lines = path.read_text(encoding="utf8").splitlines()
        assert all(line.startswith(('"""', "from svmlib")) or not line or " = Elsewhere(" in line for line in lines)
    from svmlib.classroom.checking import all_tasks

    stubs = {f"{path.parent.name}.{line.partition(' = ')[0]}" for path in course.rglob("checks.py")
             for line in path.read_text(encoding="utf8").splitlines() if "Elsewhere(" in line}
    assert stubs == {name[3:] for name in all_tasks()}


def test_what_we_have_compiled_is_not_compiled_again(graded, tmp_path):
    _ranges(np.eye(2))
    made = graded[1] / "out" / "course"
    course._take_over(made, tmp_path)
    code = ("import numpy; from svmlib.svc.scales import _ranges; _ranges(numpy.eye(2)); print(_ranges.__module__, "
            "*(sum(counts.values()) for counts in (_ranges.stats.cache_hits, _ranges.stats.cache_misses)))")
    done = subprocess.run([sys.executable, "-c", code], cwd=tmp_path, capture_output=True, text=True, check=True,
                          env={**os.environ, "PYTHONPATH": str(made), "NUMBA_CACHE_DIR": str(tmp_path / "numba")})
    assert done.stdout.split() == ["svmlib.svc.scales", "1", "0"]


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


def hangs(*given):
    time.sleep(60)


def ends(*given):
    os._exit(1)


def raises(*given):
    raise RuntimeError("a check of ours is wrong")


def spins(content, release, limits, boundary, seconds):
    signal.setitimer(signal.ITIMER_PROF, seconds)       # as judge does
    while True:
        pass


def test_a_judge_that_fails_says_so_and_the_next_one_is_asked(graded, tmp_path, monkeypatch):
    students, top, rows = graded
    student = next(s for s in students if s.file.startswith("blank/"))
    release = next((top / "out" / "release").rglob(f"{student.exercise}.ipynb"))
    given = Submission("blank", student.exercise, student.file, student.content.encode())
    monkeypatch.setattr(grade, "GRACE", 1.0)
    with ProcessPool(1, context=get_context("spawn")) as judges:
        for judge, why in ((hangs, "had to be stopped"), (ends, "the judge stopped"), (spins, "the judge stopped"),
                           (raises, "a check of ours is wrong")):
            with monkeypatch.context() as broken:
                broken.setattr(grade, "PATIENCE", 1.0 if judge is hangs else 100.0)
                broken.setattr(grade, "judge", judge)
                result = grade.grade(judges, given, release, tmp_path / f"{judge.__name__}.json", Limits(total=1.0),
                                     behind(top), b"")
            assert {task["points"] for task in result["tasks"]} == {0.0}
            assert all(why in task["message"] for task in result["tasks"])
        monkeypatch.undo()
        again = grade.grade(judges, given, release, tmp_path / "again.json", LIMITS, behind(top), b"")
    assert "judge" not in json.dumps(again["tasks"])
    assert len(again["tasks"]) == len(rows["blank"]["result"]["tasks"])


def answer_of(sandbox, code, seconds=20.0):
    """What the sandbox says to a cell."""
    return sandbox.ask(seconds, do="run", code=code, name="cell")


def test_time_limits_are_those_of_an_idle_machine(graded):
    """Beside many that keep the processors busy a second of the processor is to be had; a sleeper's end comes."""
    busy, sandbox = [], Sandbox(behind(graded[1]), Limits(total=60.0))
    work = "import time\nend = time.process_time() + 1.0\nwhile time.process_time() < end: pass"
    try:
        assert answer_of(sandbox, "1")["error"] is None
        for _ in range(12 * (os.cpu_count() or 2)):             # each a group of its own, as the answer is
            busy.append(subprocess.Popen([sys.executable, "-c", "while True: pass"], start_new_session=True))
        assert answer_of(sandbox, work, 1.5)["error"] is None   # by the clock alone its time would have been over
        with pytest.raises(Stopped, match=r"still running after 0\.3 seconds"):
            answer_of(sandbox, "time.sleep(60)", 0.3)
    finally:
        sandbox.stop()
        for process in busy:
            process.kill()
            process.wait()


FORMS = """
import collections, cvxopt, itertools, numpy as np, pandas as pd
from scipy import sparse
M = np.array([[1.0, 0.0, -2.0], [0.0, 3.5, 0.0]])
a = collections.OrderedDict(a=1, b=2, c=3)
forms = {
    "generator": lambda: (v for v in [1, 2, 3]), "map": lambda: map(float, [1, 2, 3]), "range": lambda: range(1, 4),
    "values": lambda: dict(a).values(), "of ordered": lambda: a.values(), "keys": lambda: {1: 0, 2: 0, 3: 0}.keys(),
    "items": lambda: {1: 2, 3: 4}.items(), "zip": lambda: zip([1, 3], [2, 4]), "set": lambda: {1, 2, 3},
    "counter": lambda: itertools.islice(itertools.count(1), 3), "deque": lambda: collections.deque([1, 2, 3]),
    "ordered": lambda: a, "scalar": lambda: np.float64(2.5), "series": lambda: pd.Series([1, 2, 3]),
    "frame": lambda: pd.DataFrame(M), "csr": lambda: sparse.csr_matrix(M), "csc": lambda: sparse.csc_array(M),
    "coo": lambda: sparse.coo_array(M), "lil": lambda: sparse.lil_matrix(M), "cvxopt": lambda: cvxopt.matrix(M),
    "spmatrix": lambda: cvxopt.sparse(cvxopt.matrix(M)), "endless": lambda: itertools.count(),
    "inside": lambda: (cvxopt.matrix(M), iter([1]), {"K": sparse.eye(2)}),
}
made = {name: make() for name, make in forms.items()}
"""


def test_answers_in_every_form_cross_the_pipe(graded):
    """As what a function gives, and as what a name holds."""
    M = np.array([[1.0, 0.0, -2.0], [0.0, 3.5, 0.0]])
    expected = {**dict.fromkeys(("frame", "csr", "csc", "coo", "lil", "cvxopt", "spmatrix"), M), "scalar": 2.5,
                **dict.fromkeys(("items", "zip"), ((1, 2), (3, 4)))}
    for name in ("generator", "map", "range", "values", "of ordered", "keys", "set", "counter", "deque", "series"):
        expected[name] = (1, 2, 3)
    sandbox = Sandbox(behind(graded[1]), Limits())

    def value(code):
        return sandbox.decode(sandbox.ask(20.0, do="evaluate", code=code)["value"], 20.0)

    try:
        assert answer_of(sandbox, FORMS)["error"] is None
        for name, wanted in expected.items():
            for got in (value(f"forms[{name!r}]")(), value(f"made[{name!r}]")):
                assert np.array_equal(np.asarray(got), wanted), f"{name}: {got!r}"
        assert value("made['ordered']") == {"a": 1, "b": 2, "c": 3}
        matrix, once, named = value("forms['inside']")()
        assert np.array_equal(matrix, M)
        assert once == [1]
        assert np.array_equal(named["K"], np.eye(2))
        assert repr(value("forms['endless']")()) == "more than 100,000 values"
    finally:
        sandbox.stop()


def test_a_call_over_the_pipe_changes_its_arguments_as_one_without_it(graded):
    cell = ("import numpy as np\ndef scaled(x, y):\n    x *= 2\n    return x + y\n"
            "def clean(x, y):\n    return 2 * x + y\n")
    sandbox = Sandbox(behind(graded[1]), Limits())
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
    sandbox, x = Sandbox(Boundary("", tmp_path, tmp_path), Limits()), np.ones(3)
    monkeypatch.setattr(sandbox, "ask", lambda *_, **__: {"value": {"v": 4}, "changed": changed})
    assert Function(sandbox, 0, "f", 1.0)(x) == 4
    np.testing.assert_array_equal(x, np.ones(3))
