"""The machinery of checks: no answer can hang it, crash it or get past it without being named."""
from __future__ import annotations

import json
import sys
import time

import cvxopt
import numpy as np
import pytest
from scipy import sparse

from svmcourse.checking import all_tasks, limits, progress
from svmcourse.checking.core import (
    CheckFailed,
    Mistake,
    Result,
    Task,
    Wrong,
    as_array,
    as_number,
    as_parts,
    compare,
)

forks = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="needs fork")


@pytest.fixture(autouse=True)
def own_progress(tmp_path, monkeypatch):
    monkeypatch.setenv("SVMLIB_PROGRESS", str(tmp_path / "progress.json"))


def square(seconds=0.5):
    """A task: square(x) returns x squared."""
    mistakes = [Mistake("double", "That is 2 x.", "x times x", lambda x: (2 * x,))]

    def body(answer):
        compare(answer, [(1.5,), (3.0,), (-1.0,)], lambda x: (x * x,), ("the square",), mistakes)

    return Task("00_test.square", "00_test", "Square", body, tuple(mistakes), seconds)


def test_right_and_wrong():
    assert square()(lambda x: x ** 2).passed
    wrong = square()(lambda x: x + x)
    assert (wrong.passed, wrong.key, wrong.message, wrong.hint) == (False, "double", "That is 2 x.", "x times x")
    assert square()(lambda x: -x * x).key == "sign"
    assert square()(lambda x: 3 * x * x).key == "factor"
    assert square()(lambda x: 1e-17 * x).key == "zero"
    assert square()(lambda x: x ** 3).key == "unknown"
    assert square()(lambda x: None).key == "blank"
    assert square()(lambda x: float("nan")).key == "nan"
    assert square()(lambda x: "a").key == "type"
    assert square()(lambda x: [x, x]).key == "type"


def test_an_exception_is_told_with_its_line():
    def broken(x):
        return x / 0

    result = square()(broken)
    assert result.key == "exception"
    assert "ZeroDivisionError" in result.message
    assert "`return x / 0`" in result.message


def test_an_exception_of_a_check_is_not_the_students():
    def body(answer):
        if answer(3.0) != [9.0]:
            raise IndexError("no case")

    result = Task("00_test.square", "00_test", "Square", body)(lambda x: x * x)
    assert (result.passed, result.key) == (False, "check-error")
    assert "The check itself stopped with IndexError (no case)" in result.message
    assert "not of yours" in result.message


@pytest.mark.timeout(60)
@pytest.mark.parametrize("way", [pytest.param("child", marks=forks), "thread"])
def test_an_endless_loop_is_stopped(way, monkeypatch):
    def endless(x):
        while True:
            x += 1

    if way == "thread":
        monkeypatch.setattr(limits, "run", limits._in_thread)
    result = square()(endless)
    assert result.key == "timeout"
    assert "0.5 seconds" in result.message


@forks
def test_a_loop_that_catches_everything_or_never_leaves_c_is_stopped():
    def stubborn(x):
        while True:
            try:
                time.sleep(1)
            except BaseException:
                continue

    assert square()(stubborn).key == "timeout"
    assert square()(lambda x: sum(range(10 ** 12))).key == "timeout"
    assert "stubborn" in square()(stubborn).message


@forks
@pytest.mark.parametrize(("answer", "key"), [
    (lambda x: sys.exit(), "crash"),
    (lambda x: __import__("os")._exit(0), "crash"),
    (lambda x: __import__("ctypes").string_at(0), "crash"),
    (lambda x: np.ones(10 ** 12), "exception"),
    (lambda x: answerless(x) + 0, "exception"),
], ids=["exit", "_exit", "segfault", "memory", "recursion"])
def test_what_ends_python_ends_only_the_check(answer, key):
    assert square(2.0)(answer).key == key


def answerless(x):
    return answerless(x)


@forks
def test_a_check_changes_nothing_here():
    kept = []
    assert square()(lambda x: kept.append(x) or x * x).passed
    assert kept == []


def test_words_fit_one_thing_and_many():
    def body(answer):
        compare(answer, [(1.0,), (2.0,)], lambda x: (x, x + 1), ("the sizes", "the votes"))

    told = Task("t", "t", "T", body)(lambda x: (x, x * x + 3))
    assert told.message.startswith("Right: the sizes. Wrong in 2 of 2 tests of")
    assert ": the votes. For " in told.message
    assert "points" not in told.hint


def test_a_name_that_holds_none_is_told_so():
    told = Task("t", "t", "T", lambda value: str(as_number(value, "the accuracy")))(None)
    assert told.key == "blank"
    assert told.message == "Still None: the accuracy. It is not written yet."
    assert square()(lambda x: None).message.endswith("or its return is missing.")


def test_in_place_changes_are_told():
    def body(answer):
        compare(answer, [(np.arange(3.0),)], lambda x: (x + 1,), ("x",))

    def plus_one(x):
        x += 1
        return x

    assert Task("t", "t", "T", body)(plus_one).key == "in-place"
    assert Task("t", "t", "T", body)(lambda x: x + 1).passed


def test_the_truth_of_a_result():
    assert square()(lambda x: x * x)
    with pytest.raises(CheckFailed, match=r"That is 2 x\.") as caught:
        assert square()(lambda x: 2 * x)
    assert caught.value._render_traceback_() == ["✗ Square: That is 2 x.", "  Hint: x times x"]


def test_a_result_shows_itself_and_escapes():
    shown = Result("t", "T <1>", False, "k", "a < b", "h & h")._repr_html_()
    for text in ("T &lt;1&gt;", "a &lt; b", "h &amp; h", "<details>"):
        assert text in shown


FORMS = {
    "tuple": tuple, "list": list, "array": np.array, "iterator": iter, "map": lambda pair: map(float, pair),
    "generator": lambda pair: (value for value in pair), "dict": lambda pair: dict(zip("ab", pair, strict=True)),
    "names": lambda pair: {"cube": pair[1], "square": pair[0]},
}


@pytest.mark.parametrize("form", FORMS.values(), ids=FORMS)
def test_two_values_in_any_form(form):
    def body(answer):
        compare(answer, [(2.0,), (3.0,)], lambda x: (x * x, x ** 3), ("square", "cube"))

    assert Task("t", "t", "T", body)(lambda x: form((x * x, x ** 3))).passed
    assert Task("t", "t", "T", body)(lambda x: form((x * x, x ** 2))).key == "unknown"


def test_a_factor_is_told_only_where_it_holds_at_zeros_too():
    def body(answer):
        compare(answer, [(np.array([2.0, -3.0, 1.0]),)], lambda x: (np.maximum(0, x),), ("the part above 0",))

    assert Task("t", "t", "T", body)(np.abs).key == "unknown"
    told = Task("t", "t", "T", body)(lambda x: 2 * np.maximum(0, x))
    assert told.message == "In every case 2 times what it should be: the part above 0."


def test_parts_are_told_from_one_vector_and_from_too_many():
    assert as_parts(np.array([1.0, 2.0]), ("a", "b"), "f") == (1.0, 2.0)
    for value, found in (((1, 2, 3), "3 values"), (np.ones((2, 2)), "type ndarray"), (5, "type int"),
                         ("ab", "type str"), ({1, 2}, "type set")):
        with pytest.raises(Wrong, match=found) as caught:
            as_parts(value, ("a", "b"), "f")
        assert caught.value.key == "parts"
    with pytest.raises(Wrong, match="not written yet"):
        as_parts(None, ("a", "b"), "f")

    def body(answer):
        compare(answer, [(2.0,)], lambda x: (np.array([x, x]), np.array([x, 2 * x])), ("p", "q"))

    assert Task("t", "t", "T", body)(lambda x: np.array([[x, x], [x, 2 * x]])).passed
    told = Task("t", "t", "T", body)(lambda x: np.array([x, x]))
    assert (told.key, "one array, array([2., 2.])" in told.message) == ("parts", True)


def test_an_error_within_a_generator_is_the_answer_s():
    told = square()(lambda x: (1 / 0 for _ in range(2)))
    assert (told.key, "ZeroDivisionError" in told.message) == ("exception", True)


@forks
def test_an_endless_generator_is_stopped():
    from itertools import count

    assert square(0.3)(lambda x: count()).key in ("timeout", "memory", "exception", "type")


@pytest.mark.parametrize("way", [pytest.param("child", marks=forks), "thread"])
def test_an_exception_of_a_check_is_ours_and_says_so(way, monkeypatch):
    def body(answer):
        return "right" if answer(np.ones(2)) == 1 else "wrong"           # ambiguous where the answer is an array

    if way == "thread":
        monkeypatch.setattr(limits, "run", limits._in_thread)
    told = Task("t", "t", "T", body)(lambda x: x)
    assert (told.passed, told.key) == (False, "check-error")
    assert told.message.startswith("The check itself stopped with ValueError (The truth value of an array")
    assert "a mistake of the check" in told.message
    assert "teacher" in told.hint


def test_so_is_an_exception_of_what_a_check_prepares():
    def prepare():
        raise ImportError("no solver")

    told = Task("t", "t", "T", lambda answer: None, prepare=prepare)(abs)
    assert (told.passed, told.key, "ImportError (no solver)" in told.message) == (False, "check-error", True)


def test_numbers_in_sparse_matrices_dicts_and_generators():
    A = np.array([[1.0, 0.0, 0.0], [0.0, 0.0, 2.0]])
    for held in (sparse.csr_matrix(A), sparse.coo_array(A), cvxopt.sparse(cvxopt.matrix(A)), iter(A),
                 dict(enumerate(A))):
        np.testing.assert_array_equal(as_array(held, "A", (2, 3)), A)


def test_numbers_and_arrays_in_any_form():
    assert as_number(np.array([[2]]), "x") == 2
    assert as_number([3], "x") == 3
    np.testing.assert_array_equal(as_array([1, 2], "x", (2,)), [1.0, 2.0])
    np.testing.assert_array_equal(as_array(np.ones((3, 1)), "x", (3,)), np.ones(3))
    with pytest.raises(Wrong, match=r"Shape \(2, 40\) of X; expected is \(40, 2\)") as caught:
        as_array(np.ones((2, 40)), "X", (40, 2))
    assert "exchanged" in caught.value.hint
    with pytest.raises(Wrong, match="NaN"):
        as_array([np.nan], "x", (1,))


def test_progress_is_kept_and_shown(tmp_path):
    assert square()(lambda x: 2 * x).passed is False
    assert not (tmp_path / "progress.json").exists()
    assert square()(lambda x: x * x).passed
    assert square()(lambda x: 2 * x).passed is False        # takes nothing away
    assert json.loads((tmp_path / "progress.json").read_text()) == {"00_test.square": "solved"}
    assert [path.name for path in tmp_path.iterdir()] == ["progress.json"]
    (tmp_path / "progress.json").write_text(json.dumps({"10_smo.task_2_1": "solved"}))
    shown = progress()
    assert repr(shown).startswith(f"1 of {len(all_tasks())} tasks are solved.")
    assert "✓ Task 2.1: one step" in repr(shown)
    assert "✓ Task 2.1: one step" in shown._repr_html_()
    (tmp_path / "progress.json").write_text("{broken")
    assert repr(progress()).startswith("0 of")


def test_a_directory_that_cannot_be_written_is_no_reason_to_fail(monkeypatch):
    monkeypatch.setenv("SVMLIB_PROGRESS", "/nowhere/progress.json")
    assert square()(lambda x: x * x).passed


def test_every_task_knows_four_mistakes_and_says_what_it_wants():
    for name, task in all_tasks().items():
        keys = [m.key for m in task.mistakes]
        assert len(set(keys)) == len(keys) >= 4, name
        assert all(m.message.endswith((".", "?")) for m in task.mistakes), name
        assert task.body.__doc__, name
