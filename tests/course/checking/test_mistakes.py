"""Tables of mistakes: each row, fed back as an answer, gets its own words; a table with a slip names the line."""
import os
import pickle
import subprocess
import sys
import zipfile
from importlib import import_module
from types import FunctionType

import kit
import pytest

from svmcourse.checking import all_tasks, mistakes
from svmcourse.checking.core import Wrong
from svmcourse.checking.mistakes import Solved, read
from svmcourse.checking.sources import ROOT, Sources, exercises, folder_of, packed, sources_of, written

TABLES = [(exercise, task) for exercise in exercises(ROOT) for task, rows in read(exercise).items()
          if any(row.change for row in rows)]


@pytest.mark.parametrize(("exercise", "task"), TABLES, ids=[".".join(table) for table in TABLES])
def test_the_solution_is_right_and_each_row_gets_its_own_words(exercise, task):
    judge, solved = all_tasks()[f"{exercise}.{task}"].judge, Solved(exercise, task)
    assert judge(solved.function()).passed
    for row in solved.rows:
        told = judge(solved.function(row))
        assert (told.key, told.message, told.hint) == (row.key, row.message, row.hint), row.where


@pytest.mark.parametrize("name", all_tasks())
def test_no_function_beside_a_check_is_its_answer(name):
    """Somebody who opens a chapter's checks, to look for a hint, meets cases and words, and no function to copy."""
    task = all_tasks()[name]
    beside = [one for file in (ROOT / folder_of(task.chapter)).glob("checks*.py")
              for one in vars(import_module(f"svmcourse.{file.parent.name}.{file.stem}")).values()
              if isinstance(one, FunctionType) and one.__module__.startswith(f"svmcourse.{file.parent.name}.")]
    assert not [one.__name__ for one in beside
                if task.judge(one).passed or task.judge(lambda *given, one=one: one(*given)[0]).passed]


# ---- cases of a class ------------------------------------------------------------------------------------------------
#: Tasks whose cases are no random draws, such as two words, or a size in gigabytes.
FIXED = {"04_soft_margin.bias", "05_feature_maps_and_the_kernel_trick.task_2_6_circle",
         "07_kernels_for_strings.cosine_of", "07_kernels_for_strings.subsequence_table",
         "07_kernels_for_strings.substring_kernel",
         "08_hilbert_spaces_and_mercer.refutes", "09_quadratic_programming.lines_11_12", "10_smo.count",
         "11_active_set.aufgabe_1", "12_why_margins_generalise.margin_bound", "12_why_margins_generalise.points_needed",
         "12_why_margins_generalise.best_B", "16_when_should_i_use_one.choose_start", "16_when_should_i_use_one.cost",
         "17_svms_at_scale.matrix_gigabytes", "17_svms_at_scale.rows_in_cache"}
MEASURED = {"01_intuition.width", "03_duality_and_kkt.kkt", "16_when_should_i_use_one.rare_scores",
            "18_regression_novelty_probability.platt"}


@pytest.fixture
def drawn():
    """What draws the cases of a class; afterwards they are again the usual ones."""
    yield mistakes.draw_by
    mistakes.draw_by(None)


@pytest.mark.parametrize(("exercise", "task"), [
    pytest.param(*table, id=".".join(table), marks=[] if ".".join(table) in MEASURED else pytest.mark.thorough)
    for table in TABLES])
def test_a_table_recorded_at_home_is_no_solution_for_a_class(exercise, task, drawn):
    judge, right, table = all_tasks()[f"{exercise}.{task}"].judge, Solved(exercise, task).function(), {}

    def recorded(*given):
        return table.setdefault(pickle.dumps(given), right(*given))

    assert judge(recorded).passed
    drawn(20_261_128)
    assert judge(lambda *given: table[pickle.dumps(given)]).passed == (f"{exercise}.{task}" in FIXED)


@pytest.mark.thorough
@pytest.mark.parametrize("seed", [1, 4242, 987_654_321])
@pytest.mark.parametrize(("exercise", "task"), TABLES, ids=[".".join(table) for table in TABLES])
def test_the_cases_of_a_class_tell_right_and_wrong_as_the_usual_ones_do(exercise, task, seed, drawn):
    """On other cases two mistakes may look alike: each then gets the words of one of them."""
    drawn(seed)
    judge, solved = all_tasks()[f"{exercise}.{task}"].judge, Solved(exercise, task)
    assert judge(solved.function()).passed
    known = {row.key for row in solved.rows}
    assert [row.where for row in solved.rows if judge(solved.function(row)).key not in known] == []


# ---- slips of authors ------------------------------------------------------------------------------------------------
CELLS = ["import math\nprepared = math.nonsense()", "def double(x):\n    return 2 * x", "check.task(double)"]


@pytest.fixture
def write(monkeypatch):
    """Give the chapter another table and other cells."""
    def give(table, cells=CELLS):
        monkeypatch.setattr(mistakes, "sources_of", lambda exercise: Sources(cells, table))
        monkeypatch.setattr(mistakes, "read", read.__wrapped__)

    return give


@pytest.mark.parametrize(("table", "message"), [
    ("task\n", r"line 1: expected is \[task\], .*found 'task'"),
    ("# of what\n\nkey | 2 => 3\n", "line 3: expected is"),
    ("[task]\n    Words.\n", "line 2: expected is"),
    ("[task]\nkey 2 => 3\n", "line 2: expected is"),
    ("[task]\n[other]\n[task]\n", r"line 3: a second section \[task\]"),
    ("[task]\nkey | 2 => 3\n", "line 2, task, key: no message"),
    ("[task]\nkey | 2 => 3\n    M.\nkey | 2 => 4\n    N.\n", "line 4, task, key: a second message"),
    ("[task]\nkey | 2\n    M.\n", "line 2, task, key: expected is a change, old => new, found '2'"),
    ("[task]\nkey | 2 => 2\n    M.\n", "line 2, task, key: expected is a change"),
    ("[task]\nkey | 3 => 2\n    M.\n", "line 2, task, key: the solution has no '3'"),
    ("[task]\nkey | 2 => (\n    M.\n", "line 2, task, key: .* was never closed"),
    ("[other]\n", r" has no section \[task\]"),
])
def test_a_slip_is_named_with_its_line(write, table, message):
    write(table)
    with pytest.raises(ValueError, match=f"svmcourse/smo/mistakes.txt,?{message}|, {message}"):
        [Solved("10_smo", "task").function(row) for row in Solved("10_smo", "task").rows]


def test_a_task_needs_a_cell_that_defines_its_function(write):
    write("[task]\n", ["double = lambda x: 2 * x", "check.task(double)"])
    with pytest.raises(ValueError, match=r"10_smo: no cell defines a function for check\.task"):
        Solved("10_smo", "task").function()


# ---- rows ------------------------------------------------------------------------------------------------------------
def test_rows_in_all_forms(write):
    write("[task]\ntwo | 2 * x\n    => 3\n    ;; return => y = 1\\n    return\n    Words\n    go on.\n    > And\n"
          "    >= on.\ntwo | 2 * => 4 *\nstops | 2 => [][0]\n    It stops.\n")
    solved = Solved("10_smo", "task")
    assert [(row.key, row.message, row.hint) for row in solved.rows[:2]] == [("two", "Words go on.", "And >= on.")] * 2
    assert [mistake.key for mistake in solved.mistakes] == ["two", "stops"]
    assert [solved.function(row)(5) for row in (None, *solved.rows[:2])] == [10, 3, 20]
    for answer, key in ((lambda x: 3, "two"), (lambda x: x * 4, "two"), (lambda x: x, "factor")):
        with pytest.raises(Wrong) as caught:
            solved.compare(answer, [(5,), (7,)], ("the double",))
        assert caught.value.key == key
    solved.compare(lambda x: -2 * x, [(5,)], ("the double",), through=lambda function: lambda x: abs(function(x)))


# ---- the installed package -------------------------------------------------------------------------------------------
def test_packing_loses_nothing(tmp_path):
    """Where a package holds the packed form, that is read."""
    folder = tmp_path / "svmcourse" / "smo"
    folder.mkdir(parents=True)
    (folder / "answers.bin").write_bytes(packed(written(ROOT, "10_smo")))
    assert sources_of("10_smo", tmp_path) == written(ROOT, "10_smo")


def test_a_course_without_answers_says_how_to_get_them(tmp_path):
    with pytest.raises(FileNotFoundError, match=r"of 10_smo, .*wheel that `make kit` writes"):
        sources_of("10_smo", tmp_path)


def test_an_installed_package_checks_answers_and_shows_none(tmp_path):
    for made in kit.build_wheels(ROOT, tmp_path):
        with zipfile.ZipFile(made) as wheel:
            wheel.extractall(tmp_path / "site")
    files = [path for path in (tmp_path / "site" / "svmcourse").rglob("*") if path.is_file()]
    assert "mistakes.txt" not in {path.name for path in files}
    assert ({path.parent.name for path in files if path.name == "answers.bin"}
            == {path.stem[3:] for path in (ROOT / "notebooks" / "exercises").glob("*.ipynb")})
    texts = b"\n".join(path.read_bytes() for path in files)
    for exercise, task in TABLES:
        solution = Solved(exercise, task).cells[1][-1].partition("### BEGIN SOLUTION\n")[2].partition("### END")[0]
        assert solution.strip()
        assert solution.encode() not in texts
    code = ("from svmcourse.checking import all_tasks\nfrom svmcourse.smo import checks as check\n"
            "print(check.__file__)\nprint(check.segment(lambda i, j, alpha, y, C: (0, C)).key)\n"
            "print(*[name for name, task in all_tasks().items() if any(mistake.variant for mistake in task.mistakes)])")
    done = subprocess.run([sys.executable, "-c", code], cwd=tmp_path, check=True, capture_output=True, text=True,
                          env={**os.environ, "PYTHONPATH": str(tmp_path / "site")})
    file, key, *with_functions = done.stdout.split()
    assert file.startswith(str(tmp_path))
    assert key == "L-H-whole-box"
    assert not with_functions
