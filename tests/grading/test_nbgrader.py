"""nbgrader itself reads our course: its release is ours, and its own autograder tells the diagnosis."""
from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import a_class
import exercises
import nbformat
import nbgrader
import pytest

pytestmark = [pytest.mark.thorough, pytest.mark.timeout(300)]       # test_editions.py asks its validators
NAME = a_class.SOFT


def test_nbgrader_generates_our_release_and_grades_by_our_checks(tmp_path):
    exercises.write_course(tmp_path)
    ours = nbformat.read(tmp_path / "release" / NAME / f"{NAME}.ipynb", as_version=4)
    programs = [Path(sys.executable).parent, Path(nbgrader.__file__).parents[4] / "bin"]      # nbgrader calls alembic
    path = os.pathsep.join([*map(str, programs), os.environ["PATH"]])
    environment = {**os.environ, "PATH": path, "SVMLIB_PROGRESS": "off", "IPYTHONDIR": str(tmp_path / "ipython")}

    def run(*arguments):
        done = subprocess.run([sys.executable, "-m", "nbgrader", *arguments], cwd=tmp_path, env=environment,
                              capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr[-3000:]

    run("generate_assignment", NAME, "--create", "--force")
    theirs = nbformat.read(tmp_path / "release" / NAME / f"{NAME}.ipynb", as_version=4)
    assert [cell.source for cell in theirs.cells] == [cell.source for cell in ours.cells]
    locks = [[(cell.metadata.get("editable"), cell.metadata.get("deletable")) for cell in notebook.cells]
             for notebook in (theirs, ours)]
    assert locks[0] == locks[1]

    wrong = a_class.with_code(slack="def slack(w, b, X, y):\n    return 1 - y * (X @ w + b)")
    submitted = tmp_path / "submitted" / "bitdiddle" / NAME / f"{NAME}.ipynb"
    submitted.parent.mkdir(parents=True)
    nbformat.write(wrong, submitted)
    run("autograde", NAME, "--create")
    from nbgrader.api import Gradebook

    with Gradebook(f"sqlite:///{tmp_path / 'gradebook.db'}") as book:
        assert book.find_submission(NAME, "bitdiddle").score == a_class.points(NAME) - a_class.points(NAME, "slack")
    graded = nbformat.read(tmp_path / "autograded" / "bitdiddle" / NAME / f"{NAME}.ipynb", as_version=4)
    (error,) = [output for cell in graded.cells for output in cell.get("outputs", []) if output.output_type == "error"]
    assert error.ename == "CheckFailed"
    assert "negative slack" in error.evalue
