"""What users pass in: what goes through, and the error that names the argument for what does not."""
import warnings
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest
from scipy import sparse

from svmlib import validation
from svmlib.kernels import Gaussian, Polynomial
from svmlib.validation import (
    SparseRows,
    all_finite,
    as_objects,
    as_points,
    as_strings,
    check_integer,
    check_limits,
    check_number,
    check_symmetric,
    stacklevel,
)


# ---- points ----------------------------------------------------------------------------------------------------
@pytest.mark.parametrize("X", [[[1, 2], [3, 4]], ((1, 2), (3, 4)), np.array([[1, 2], [3, 4]], np.uint8),
                               np.array([[1, 2], [3, 4]], np.float32), np.asfortranarray([[1.0, 2.0], [3.0, 4.0]])])
def test_points_become_float64(X):
    A = as_points(X)
    assert A.dtype == np.float64
    assert A.tolist() == [[1, 2], [3, 4]]


@pytest.mark.parametrize("make", [lambda: Gaussian(sigma=10 ** 400), lambda: Polynomial(Q=10 ** 400),
                                  lambda: Polynomial(a=-10 ** 400)])
def test_an_integer_beyond_the_floats_is_no_finite_number(make):
    with pytest.raises(ValueError, match=r"^(sigma|Q|a) must be .*got -?10{400}$"):
        make()


def test_booleans_are_numbers_and_no_points_are_points():
    assert as_points([[True, False]]).tolist() == [[1, 0]]
    assert as_points(np.empty((0, 3))).shape == (0, 3)


def test_float64_is_not_copied():
    X = np.ones((2, 2))
    assert as_points(X) is X


def test_finite_points_whose_squares_overflow_are_points():
    X = [[1e200, 1.0], [-1e200, 2.0]]
    assert as_points(X).tolist() == X


@pytest.mark.parametrize(("X", "message"), [
    ([1.0, 2.0], r"^Z must be two-dimensional, one point per row, got shape \(2,\)\. Reshape your data: "
                 r"Z\.reshape\(-1, 1\) for one feature, Z\.reshape\(1, -1\) for one point$"),
    (3.0, r"^Z must be two-dimensional, one point per row, got shape \(\)"),
    ([[[1.0]]], r"^Z must be two-dimensional, one point per row, got shape \(1, 1, 1\)"),
    ([[np.nan, 1.0]], "^Z contains NaN or infinity; every entry must be a finite number$"),
    ([[1.0, np.inf]], "^Z contains NaN or infinity; every entry must be a finite number$"),
    ([[1e200, -np.inf]], "^Z contains NaN or infinity; every entry must be a finite number$"),
    ([["a", "b"]], r"^Z must hold real numbers, got an array of <U1; for strings use a kernel of svmlib\.kernels$"),
    ([[b"a"]], r"^Z must hold real numbers, got an array of \|S1; for strings use a kernel of svmlib\.kernels$"),
    (None, r"^Z must hold real numbers, got an array of object; for strings use a kernel of svmlib\.kernels$"),
    ([[1j, 2.0]], "^Z must hold real numbers, got an array of complex128$"),
    ([[1.0], [1.0, 2.0]], "^Z must be an array with one point per row, all of the same length: "),
    (sparse.csr_array(np.eye(2)), r"^Z must be a dense array, got a sparse matrix; give Z\.toarray\(\)$"),
])
def test_what_is_no_points_is_named(X, message):
    with pytest.raises(ValueError, match=message):
        as_points(X, "Z")


# ---- sparse points ---------------------------------------------------------------------------------------------
@pytest.mark.parametrize("form", [sparse.csr_matrix, sparse.csr_array, sparse.csc_array, sparse.coo_array])
def test_sparse_points_are_rows_that_can_be_counted_and_cut(form):
    X = np.array([[0, 2], [0, 0], [3, 0]])
    rows = as_points(form(X), sparse=True)
    assert isinstance(rows, SparseRows)
    assert isinstance(rows[1:], SparseRows)
    assert (len(rows), len(rows[1:]), rows.dtype) == (3, 2, np.float64)
    np.testing.assert_array_equal(rows[[2, 0]].toarray(), X[[2, 0]])
    assert as_points(rows, sparse=True) is rows                          # checked once


def test_entries_of_one_place_are_added_before_they_are_checked():
    twice = sparse.coo_array(([1.5, 2.5, 1e308, -1e308], ([0, 0, 1, 1], [1, 1, 0, 0])), shape=(2, 2))
    assert as_points(twice, sparse=True).toarray().tolist() == [[0, 4], [0, 0]]
    beyond = sparse.coo_array(([1e308, 1e308], ([0, 0], [1, 1])), shape=(1, 2))
    with np.errstate(over="ignore"), pytest.raises(ValueError, match=r"^Z contains NaN or infinity"):
        as_points(beyond, "Z", sparse=True)


@pytest.mark.parametrize("columns", [[2, 0], [0, 0]])
def test_entries_out_of_order_are_ordered_in_a_copy(columns):
    X = sparse.csr_array((np.array([1.0, 2.0]), np.array(columns), np.array([0, 2])), (1, 3))
    rows = as_points(X, sparse=True)
    assert rows.has_canonical_format
    np.testing.assert_array_equal(rows.toarray(), X.toarray())
    assert (X.data.tolist(), X.indices.tolist()) == ([1.0, 2.0], columns)


@pytest.mark.parametrize(("X", "message"), [
    (sparse.csr_array([[np.nan, 1.0]]), "^Z contains NaN or infinity; every entry must be a finite number$"),
    (sparse.csr_array([[-np.inf, 1.0]]), "^Z contains NaN or infinity; every entry must be a finite number$"),
    (sparse.csr_array([[1j, 1.0]]), r"^Z must be a sparse matrix \(n, d\) of real numbers, got <"),
    (sparse.coo_array([1.0, 2.0]), r"^Z must be a sparse matrix \(n, d\) of real numbers, got <"),
])
def test_what_is_no_sparse_points_is_named(X, message):
    with pytest.raises(ValueError, match=message):
        as_points(X, "Z", sparse=True)


def test_a_sparse_matrix_stays_as_it_was_given():
    X = sparse.coo_array(([1, 2], ([0, 0], [1, 1])), shape=(1, 2))
    rows = as_points(X, sparse=True)
    rows.data[:] = 7.0
    assert X.data.tolist() == [1, 2]


@pytest.mark.parametrize(("A", "finite"), [
    ([], True), ([0.0, -1e308], True), ([1e200] * 3, True), ([1.0, np.nan], False), ([np.inf, -np.inf], False),
    ([1e200, np.inf], False)])
def test_finite_also_where_the_squares_are_not(A, finite):
    assert all_finite(np.array(A)) is finite


# ---- strings ---------------------------------------------------------------------------------------------------
@pytest.mark.parametrize("X", [["BERT", ""], ("BERT", ""), np.array(["BERT", ""]), np.array(["BERT", ""], dtype=object),
                               [np.str_("BERT"), np.str_("")], iter(["BERT", ""])], ids=lambda X: type(X).__name__)
def test_strings_become_an_array_of_str(X):
    out = as_strings(X)
    assert (out.dtype, out.shape) == (object, (2,))
    assert out.tolist() == ["BERT", ""]
    assert {type(word) for word in out} == {str}


def test_no_strings_are_strings():
    assert as_strings([]).shape == (0,)


@pytest.mark.parametrize(("X", "message"), [
    ("BERT", r"^Z must be a list of strings, got the single string 'BERT'; give \['BERT'\]$"),
    (b"BERT", r"^Z must be a list of strings, got the single string b'BERT'; give \[b'BERT'\]$"),
    (["BERT", 3], r"^Z must hold strings only, got Z\[1\] = 3 of type int$"),
    (["BERT", None], r"^Z must hold strings only, got Z\[1\] = None of type NoneType$"),
    ([b"BERT"], r"^Z must hold strings only, got Z\[0\] = b'BERT' of type bytes$"),
    ([["BERT"]], r"^Z must hold strings only, got Z\[0\] = \['BERT'\] of type list$"),
    (np.zeros(3), r"^Z must hold strings only, got Z\[0\] = np\.float64\(0\.0\) of type float64$"),
    (np.array([["a", "b"]]), r"^Z must be a list or one-dimensional array of strings, got an array of shape \(1, 2\)$"),
    (np.array("BERT"), r"^Z must be a list or one-dimensional array of strings, got an array of shape \(\)$"),
    (7, "^Z must be a list or one-dimensional array of strings, got 7$"),
])
def test_what_is_not_a_list_of_strings_is_named(X, message):
    with pytest.raises(ValueError, match=message):
        as_strings(X, "Z")


@pytest.mark.parametrize("X", [["a", "b"], ("a", "b"), np.array(["a", "b"]), np.array(["a", "b"], dtype=object)])
def test_objects_are_strings_where_the_first_is_one(X):
    assert as_objects(X).tolist() == ["a", "b"]


@pytest.mark.parametrize("X", [[[1, 2]], ((1, 2),), np.array([[1, 2]])])
def test_objects_are_points_elsewhere(X):
    assert as_objects(X).tolist() == [[1.0, 2.0]]


@pytest.mark.parametrize(("X", "message"), [
    (["a", 1.0], r"^Z must hold strings only, got Z\[1\] = 1\.0 of type float$"),
    ([1.0, "a"], r"^Z must hold real numbers, got an array of <U32; for strings use a kernel of svmlib\.kernels$"),
    ([[1.0, np.nan]], "^Z contains NaN or infinity"),
    ([], r"^Z must be two-dimensional, one point per row, got shape \(0,\)"),
    ("ab", "^Z must hold real numbers, got an array of <U2"),
    (None, "^Z must hold real numbers, got an array of object"),
    (sparse.csr_array(np.eye(2)), "^Z must be a dense array, got a sparse matrix"),
])
def test_objects_of_neither_kind_are_named(X, message):
    with pytest.raises(ValueError, match=message):
        as_objects(X, "Z")


# ---- numbers ---------------------------------------------------------------------------------------------------
@pytest.mark.parametrize("value", [0, -1.5, 1e300, np.float32(2), np.int64(3), Fraction(1, 3)])
def test_numbers_are_numbers_of_any_real_type(value):
    check_number(value, "z")


def test_the_ends_are_in_unless_strict():
    check_number(0, "z", 0.0, 1.0)
    check_number(1, "z", 0.0, 1.0, strict=True)
    with pytest.raises(ValueError, match=r"^z must be a finite number > 0 and <= 1, got 0$"):
        check_number(0, "z", 0.0, 1.0, strict=True)


@pytest.mark.parametrize("value", [np.nan, np.inf, -np.inf, True, np.True_, "1", None, 1j, [1.0], np.ones(1)], ids=repr)
def test_what_is_no_number_is_named(value):
    with pytest.raises(ValueError, match=r"^z must be a finite number, got ") as error:
        check_number(value, "z")
    assert str(error.value).endswith(f"got {value!r}")


@pytest.mark.parametrize(("limits", "message"), [
    ({"low": 0.0}, "^z must be a finite number >= 0, got -1$"),
    ({"low": 0.0, "strict": True}, "^z must be a finite number > 0, got -1$"),
    ({"low": 0.0, "high": 0.5}, r"^z must be a finite number >= 0 and <= 0\.5, got -1$"),
    ({"low": 0.0, "expected": "a probability"}, "^z must be a probability, got -1$"),
])
def test_a_number_beyond_its_limits_is_named_with_them(limits, message):
    with pytest.raises(ValueError, match=message):
        check_number(-1, "z", **limits)


def test_integers_come_back_as_int():
    assert type(check_integer(np.int64(3), "n")) is int
    assert check_integer(0, "n", 0) == 0
    assert check_integer(5, "n", 2, 5) == 5


@pytest.mark.parametrize(("value", "limits", "message"), [
    (0, {}, "^n must be a positive integer, got 0$"),
    (2.0, {}, r"^n must be a positive integer, got 2\.0$"),
    (True, {}, "^n must be a positive integer, got True$"),
    ("2", {}, "^n must be a positive integer, got '2'$"),
    (None, {}, "^n must be a positive integer, got None$"),
    (-1, {"low": 0}, "^n must be an integer >= 0, got -1$"),
    (9, {"low": 2, "high": 8, "expected": "from 2 to 8"}, "^n must be from 2 to 8, got 9$"),
])
def test_what_is_no_integer_is_named(value, limits, message):
    with pytest.raises(ValueError, match=message):
        check_integer(value, "n", **limits)


@pytest.mark.parametrize(("tol", "max_iter"), [(1e-3, None), (1, 1), (np.float32(0.1), np.int64(5)), (1, -1)])
def test_limits_of_a_run(tol, max_iter):
    check_limits(tol, max_iter)


@pytest.mark.parametrize(("tol", "max_iter", "message"), [
    (0.0, None, r"^tol must be a positive number, got 0\.0$"),
    (-1e-3, None, r"^tol must be a positive number, got -0\.001$"),
    (np.inf, None, "^tol must be a positive number, got inf$"),
    (None, None, "^tol must be a positive number, got None$"),
    (1e-3, 0, "^max_iter must be a positive integer, -1 for no limit, or None, got 0$"),
    (1e-3, 2.5, r"^max_iter must be a positive integer, -1 for no limit, or None, got 2\.5$"),
    (1e-3, True, "^max_iter must be a positive integer, -1 for no limit, or None, got True$"),
])
def test_what_is_no_limit_of_a_run_is_named(tol, max_iter, message):
    with pytest.raises(ValueError, match=message):
        check_limits(tol, max_iter)


def test_symmetric_up_to_rounding():
    for other in (1.0, 1.005):                                           # 1e-8 of the largest entry is 0.01
        check_symmetric(np.array([[1e6, 1.0], [other, 0.0]]), "A")
    check_symmetric(np.zeros((0, 0)), "A")
    with pytest.raises(ValueError, match=r"^A must be symmetric; it differs from its transpose by 0\.3$"):
        check_symmetric(np.array([[1e6, 1.0], [1.3, 0.0]]), "A must be symmetric; it")


# ---- warnings --------------------------------------------------------------------------------------------------
def in_svmlib(source, file="svmlib/solvers/example.py"):
    """Names of a source that says of itself that it stands in svmlib, or beside it."""
    names = {"warnings": warnings, "stacklevel": stacklevel}
    exec(compile(source, str(Path(validation.__file__).parents[1] / file), "exec"), names)
    return names


def test_a_warning_names_the_line_of_the_user():
    inside = in_svmlib("def low():\n    warnings.warn('low', stacklevel=stacklevel())\n"
                       "def high(call):\n    call()")
    for call in (inside["low"], lambda: inside["high"](inside["low"])):
        with pytest.warns(UserWarning, match="low") as seen:
            call()
        assert seen[0].filename == __file__


def test_the_user_ends_the_search_though_svmlib_called_him():
    """A callback that warns is itself the line in question."""
    beside = in_svmlib("def user(call):\n    call()", "svmlib_demo.py")       # a user's file, whatever its name
    with pytest.warns(UserWarning, match="low") as seen:
        beside["user"](in_svmlib("def low():\n    warnings.warn('low', stacklevel=stacklevel())")["low"])
    assert seen[0].filename.endswith("svmlib_demo.py")

    inside = in_svmlib("def high(call):\n    return call()\ndef level():\n    return stacklevel()")

    def callback():
        return inside["level"]()

    assert stacklevel() == 1
    assert inside["level"]() == 2
    assert inside["high"](inside["level"]) == 3
    assert inside["high"](callback) == 2
