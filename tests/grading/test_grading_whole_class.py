"""A class of more than eighty is graded by one command; each gets the points expected, whatever the others do.

The class is graded behind bubblewrap by whoever runs the tests.  Where that is root, those who attack are graded once
more by an ordinary user.  `test_grading.py` has the small class, which every change is tried on.
"""
from __future__ import annotations

import csv
import json
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import a_class
import attackers
import grade
import pytest
from graded import ROOT, graded_class, has_cases, made_and_noted, told
from grading import boundary as boundaries
from grading.remote import Limits

pytestmark = [pytest.mark.thorough, pytest.mark.long, pytest.mark.timeout(1800)]
LIMITS = Limits(cell=8.0, total=100.0, memory=3_000_000_000, disk=20_000_000)
ORDINARY = 61_234       # the number of a user whom nobody has made is as good as any
STUDENTS = {student.file.partition("/")[0]: student for student in reversed(a_class.students())}
ATTACKERS = list(dict.fromkeys(student.file.partition("/")[0] for student in attackers.attackers()))


@pytest.fixture(scope="module")
def graded():
    """Where the class lies, and the rows of its grading by student."""
    with graded_class(a_class.students(), LIMITS) as found:
        yield found


@pytest.fixture(scope="module")
def graded_by_a_user(graded):
    """Rows of those who attack, graded by an ordinary user at the same places."""
    if os.geteuid() != 0:
        pytest.skip("these tests are run by an ordinary user, for whom the whole class was graded")
    top, _ = graded
    own = Path(tempfile.mkdtemp(prefix="svmlib-user-"))
    try:
        own.chmod(0o755)
        a_class.write(own / "submitted", [s for s in a_class.ordinary() if s.file.startswith(("no max", "李雷"))]
                      + attackers.attackers())
        has_cases(own / "submitted")
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
    assert len(STUDENTS) >= 80
    assert set(graded[1]) == set(STUDENTS)


@pytest.mark.parametrize("name", STUDENTS)
def test_points_and_reasons(graded, name):
    told(graded[1][name], STUDENTS[name])


def test_in_the_table_too(graded):
    top, _ = graded
    with open(top / "out" / "grades.csv", encoding="utf-8-sig", newline="") as file:
        table = {line["student"].removeprefix("'"): float(line["points"]) for line in csv.DictReader(file)}
    assert table == {name: student.points for name, student in STUDENTS.items()}
    page = (top / "out" / "index.html").read_text(encoding="utf8")
    for words in ("Zoë Müller-Łukasz", "李雷", "no-max", "matrix-product", "stale-f"):
        assert words in page
    assert sum(any(note.startswith("look at ") for note in row["result"]["notes"]) for row in graded[1].values()) > 10


@pytest.mark.parametrize(("words", "lines"), [pytest.param(words, lines, id=name)
                                              for name, words, lines in attackers.ENDS])
def test_each_attack_is_made_and_noted(graded, words, lines):
    made_and_noted(graded[1][attackers.ENDED], words, lines)


@pytest.mark.parametrize("name", ["no max", "李雷", *ATTACKERS])
def test_points_and_reasons_for_an_ordinary_user(graded_by_a_user, name):
    told(graded_by_a_user[name], STUDENTS[name])
