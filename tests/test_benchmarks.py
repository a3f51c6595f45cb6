"""The benchmarks run, on a few points, and what they wrote last agrees with what the book says of it."""
import ast
import csv
import json
import re
from concurrent.futures import ProcessPoolExecutor
from itertools import pairwise
from multiprocessing import get_context
from pathlib import Path

import numpy as np
import pytest

from benchmarks import contest, linear, mnist_runs, searches, virtual
from benchmarks.tasks import DIGITS, measure, plane, tall
from benchmarks.timing import Task, compare
from svmcourse.mnist import runs
from svmcourse.svms_at_scale.features import DRAWS, SIZES, N, one_draw
from svmlib.data import MNIST, load_mnist
from svmlib.kernels import Gaussian

RESULTS = Path(__file__).parents[1] / "benchmarks" / "results"


@pytest.fixture(scope="module")
def few():
    """A few hundred digits."""
    data = load_mnist()
    return MNIST(data.X_train[:400], data.y_train[:400], data.X_test[:200], data.y_test[:200])


def test_both_sides_reach_the_same_optimum(few):
    X, y = plane(60)
    for task in (Task(X, y, X, y, Gaussian(gamma=1.0), 10.0, repeat=2, number=3),
                 Task(few.X_train, few.y_train, few.X_test, few.y_test, DIGITS, 10.0, repeat=1)):
        ours, theirs = compare("task", task)[:2]
        assert (ours["peer"], theirs["peer"]) == ("svmlib", "scikit-learn")
        assert ours["fit_ratio"] == ours["predict_ratio"] == 1.0
        assert theirs["fit_s"] > 0
        assert theirs["objective_difference"] < 1e-5
        assert theirs["predictions_that_differ"] <= 1
        assert 0 <= ours["largest_gap"] < 2e-2


def test_liblinear_and_svmlib_reach_the_same_sum_of_hinges_again():
    """What is stored of LIBLINEAR comes out again but for the seconds."""
    rows = {(row["task"], row["machine"]): row for row in read("linear.csv")}
    assert len(rows) == 4 * 3
    title = "linear C=1 n=2000 d=10"
    for row in linear.compare(title, tall(2000, 1.0), turns=1):
        old = rows[title, row["machine"]]
        assert row["primal"] == pytest.approx(float(old["primal"]), rel=1e-7)
        assert row["predictions_that_differ"] == int(old["predictions_that_differ"])
        assert row["fit_s"] > 0
        assert row["predict_s"] > 0
    for (_, name), row in rows.items():
        assert (float(row["above_lowest"]) < 1e-6) == (name != "LIBLINEAR, squared")


def test_recipes_for_digits(few):
    rows = list(virtual.measure(few))
    assert [row["shifts"] for row in rows] == [0, 0, 0, 8, 8, 8, 12]
    errors = [row["error"] for row in rows]
    assert errors[1] < errors[0]                                           # upright, and shifts, each help alone
    assert errors[3] < errors[0]
    assert max(errors[4:]) < errors[0]


def read(name):
    """The rows of one table."""
    with (RESULTS / name).open(newline="") as file:
        return list(csv.DictReader(file))


def test_last_results_show_the_same_optimum_everywhere():
    rows = [row for row in read("results.csv") if row["peer"] == "scikit-learn"]
    assert len(rows) > 20
    for row in rows:
        assert float(row["objective_difference"]) <= 1e-5, row["task"]
        assert int(row["predictions_that_differ"]) <= 2e-4 * int(row["test_points"]) + 1, row["task"]
        assert float(row["fit_ratio"]) > 1.0, row["task"]


def test_chapter_15_says_of_virtual_support_vectors_what_was_measured():
    rows = {row["recipe"]: row for row in read("virtual.csv")}
    assert {row["n"] for row in rows.values()} == {"60000"}
    eight, twelve = rows["upright, of length 1, 8 shifts"], rows["upright, of length 1, 12 shifts"]
    assert float(eight["error"]) < 0.0080
    assert float(eight["fit_s"]) < 80
    assert float(twelve["error"]) == pytest.approx(0.0070, abs=0.0003)
    assert float(twelve["fit_s"]) < 140
    assert np.all([float(row["error"]) < 0.015 for row in rows.values()])


def test_the_runs_of_chapter_15_are_complete_and_come_out_again():
    stored = {tuple(map(str, row.values()))[:2] + tuple(map(float, (row["n"], row["C"], row["gamma"]))):
              float(row["accuracy"]) for row in read("mnist.csv")}
    assert len(stored) == 10 * 9 + 3 * 15 + 3 * 3 + 5 * 9 + 3
    for run, seed, n, C, gamma, accuracy in (*runs.search(7), *runs.held_out("width", 2, sizes=(125,))):
        assert stored[run, str(seed), n, C, gamma] == pytest.approx(accuracy, abs=0.003), (run, C, gamma)
    sets = {(int(row["seed"]), int(row["n"])): row for row in read("training_sets.csv")}
    assert set(sets) == {(seed, n) for seed in range(1, 6) for n in (500, 2000)}
    again, old = runs.training_set(3, 2000), sets[3, 2000]
    assert again["accuracy"] == pytest.approx(float(old["accuracy"]), abs=0.0003)
    assert [again[read] - int(old[read]) for read in ("7 read as 2", "2 read as 7")] == pytest.approx([0, 0], abs=1)
    assert again["most frequent error"] == old["most frequent error"]


@pytest.mark.thorough
def test_all_runs_of_chapter_15_come_out_again(tmp_path):
    mnist_runs.run(tmp_path / "mnist.csv")
    with (tmp_path / "mnist.csv").open(newline="") as file:
        again = list(csv.DictReader(file))
    for row, old in zip(again, read("mnist.csv"), strict=True):
        assert float(row.pop("accuracy")) == pytest.approx(float(old.pop("accuracy")), abs=0.003)
        assert row == old
    assert (tmp_path / "training_sets.csv").read_text() == (RESULTS / "training_sets.csv").read_text()


def test_the_contest_is_complete():
    stored = read("contest.csv")
    keys = {(row["data"], row["method"], row["form"], row["split"]) for row in stored}
    assert len(keys) == len(stored)
    assert keys == {(*task, str(split)) for task in contest.tasks() for split in range(10)}
    about = json.loads((RESULTS / "contest.json").read_text())
    assert re.fullmatch(r"\d{4}-\d\d-\d\d", about["date"])
    assert {"numpy", "scikit-learn", "svmlib"} <= set(about["packages"])


@pytest.mark.parametrize(("data", "method", "form", "split"), [
    ("wine", "logistic regression", "scaled", 1), ("wine", "nearest neighbours", "raw, one × 1000", 2),
    pytest.param("wine", "SVM, Gaussian", "raw", 0, marks=pytest.mark.thorough),
    pytest.param("iris", "SVM, Gaussian", "scaled", 3, marks=pytest.mark.thorough),
    pytest.param("iris", "random forest", "scaled", 0, marks=pytest.mark.thorough)])
def test_rows_of_the_contest_come_out_again(data, method, form, split):
    row = next(row for row in read("contest.csv") if (row["data"], row["method"], row["form"], row["split"])
               == (data, method, form, str(split)))
    again = contest.alone(data, method, split, form)
    apart = abs(again["error"] - float(row["error"])) * again["test_points"]
    assert apart < 1.5                                      # rounding may turn one point over
    assert (again["n"], again["test_points"]) == (int(row["n"]), int(row["test_points"]))


def test_the_searches_are_complete_and_come_out_again(tmp_path, monkeypatch):
    stored = read("searches.csv")
    assert [(row["data"], int(row["seed"])) for row in stored] == [(data, seed) for data in searches.TASKS
                                                                    for seed in range(24)]
    pairs, two = read("grid_random.csv"), list(searches.TASKS)[1:]
    assert [(row["data"], int(row["seed"])) for row in pairs] == [(data, seed) for data in two for seed in range(400)]
    same = {(row["data"], row["seed"]): row for row in stored}                  # 24 of them were drawn before
    assert sum(row["grid"] == same[row["data"], row["seed"]]["grid"] for row in pairs if int(row["seed"]) < 24) >= 46
    names = ["coin toss, 40 points", "exponentials, 40 points"]
    monkeypatch.setattr(searches, "DRAWS", 1)
    monkeypatch.setattr(searches, "PAIRS", 1)
    monkeypatch.setattr(searches, "TASKS", {name: searches.TASKS[name] for name in names})
    searches.run(tmp_path / "searches.csv", jobs=1)
    with (tmp_path / "searches.csv").open(newline="") as file:
        again = list(csv.DictReader(file))
    assert [again[0][key] for key in ("data", "seed")] == ["coin toss, 40 points", "0"]
    with (tmp_path / "grid_random.csv").open(newline="") as file:
        pair, = csv.DictReader(file)
    assert [pair[key] for key in ("data", "seed")] == ["exponentials, 40 points", "0"]
    assert all(float(pair[key]) == pytest.approx(float(pairs[0][key]), abs=1e-3) for key in ("grid", "random"))
    for key, apart in (("best", 1 / 40), ("fresh", 2 / 1000), ("nested", 1 / 40),
                       ("grid", 2 / 2000), ("random", 2 / 2000)):            # rounding may turn a point over
        assert float(again[0][key]) == pytest.approx(float(stored[0][key]), abs=apart + 1e-9)


def test_the_draws_of_features_are_complete():
    """Chapter 17 trains a part of them again, and compares."""
    stored = read("features.csv")
    names = [("Gaussian", 0), ("pixels", 784), *((kind, D) for D in SIZES for kind in ("random waves", "landmarks"))]
    assert [(row["draw"], row["features"], row["D"]) for row in stored] == [
        (str(seed), name, str(D)) for seed in range(DRAWS) for name, D in names]
    about = json.loads((RESULTS / "features.json").read_text())
    assert re.fullmatch(r"\d{4}-\d\d-\d\d", about["date"])


@pytest.mark.thorough
def test_a_draw_of_features_comes_out_again():
    stored = {row["features"] + row["D"]: row for row in read("features.csv") if row["draw"] == "3"}
    for row in one_draw(3):
        before = stored[row["features"] + str(row["D"])]
        assert abs(row["error"] - float(before["error"])) * N < 2.5, row        # rounding may turn a point over
        assert row["off"] == pytest.approx(float(before["off"]), rel=1e-3)


def test_one_task_measured_anew_takes_the_place_of_its_row(tmp_path, monkeypatch):
    from benchmarks import __main__ as command

    monkeypatch.setattr(command, "RESULTS", tmp_path)
    about = {**command.machine.describe(), "form": "full"}
    first = [{"task": task, "peer": "svmlib", "fit_s": 1.0} for task in "ab"]
    command.write(about, first)
    again = {"task": "a", "peer": "svmlib", "fit_s": 2.0}
    table, form = command.with_earlier({**about, "form": "short"}, [again])
    assert (table, form) == ([again, first[1]], "full")
    assert command.with_earlier({**about, "cores": -1}, [again])[0] == []


def test_tasks_are_chosen_by_group_or_name():
    from benchmarks import __main__ as command

    every = [title for _, title in command.chosen(None, short=False)]
    assert len(set(every)) == len(every) == 16 + 4 + 5 + 6 + 8
    assert list(command.chosen(["tall", "3-vs-8"], short=True)) == [
        *[("tall", f"linear C={C} n={n} d=10") for n in (2000, 10_000) for C in (1, 10)], ("digits", "3-vs-8")]


@pytest.mark.thorough
def test_a_task_is_measured_in_a_process_of_its_own():
    with ProcessPoolExecutor(1, get_context("spawn")) as process:
        rows = process.submit(measure, "small", "plane Linear C=1 n=40", True).result()
    assert [(row["task"], row["peer"], row["n"]) for row in rows][:2] == [
        ("plane Linear C=1 n=40", "svmlib", 40), ("plane Linear C=1 n=40", "scikit-learn", 40)]


def test_a_name_that_is_none_is_refused_before_anything_is_measured(monkeypatch, capsys):
    from benchmarks import __main__ as command

    monkeypatch.setattr("sys.argv", ["benchmarks", "--only", "3-vs-8", "--only", "one-vs-one 7"])
    with pytest.raises(SystemExit):
        command.main()
    assert "no task: one-vs-one 7" in capsys.readouterr().err


def test_axes_name_what_was_measured():
    """Tick labels of matplotlib's own choice, 2 x 10^4 beside 3 x 10^4, lay over each other."""
    from matplotlib import pyplot as plt

    from benchmarks.figures import against

    rows = [{"peer": "svmlib", "n": n, "fit_s": n / 1e4, "predict_s": n / 1e5} for n in (2500, 5000, 60_000)]
    figure = against(rows, "n", "n", "title")
    figure.canvas.draw()
    for axis in figure.axes:
        labels = axis.get_xticklabels()
        assert [label.get_text() for label in labels] == ["2,500", "5,000", "60,000"]
        boxes = [label.get_window_extent() for label in labels]
        assert all(a.x1 < b.x0 for a, b in pairwise(boxes))
        assert not axis.xaxis.get_minorticklabels()
    plt.close(figure)


def test_no_test_asserts_on_a_clock():
    """Speed is measured here; what must end has a timeout.  A name that holds a clock's reading counts as the clock."""
    for file in sorted(Path(__file__).parent.rglob("*.py")):
        text = file.read_text(encoding="utf8")
        if not re.search(r"\btime\b", text):
            continue
        tree = list(ast.walk(ast.parse(text)))
        assert not any(isinstance(node, ast.ImportFrom) and node.module == "time" for node in tree), file.name
        read = {target.id for node in tree if isinstance(node, ast.Assign) and clocks(node.value)
                for target in node.targets if isinstance(target, ast.Name)}
        for check in (node for node in tree if isinstance(node, ast.Assert)):
            names = {node.id for node in ast.walk(check) if isinstance(node, ast.Name)}
            assert not clocks(check) | (names & read), f"{file.name}:{check.lineno}"


def clocks(tree):
    """The clocks of module time that are read below a node."""
    return {node.func.attr for node in ast.walk(tree) if isinstance(node, ast.Call)
            and isinstance(node.func, ast.Attribute) and getattr(node.func.value, "id", "") == "time"} - {"sleep"}
