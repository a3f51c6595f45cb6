"""What goes wrong, and what the user then sees: each case of bad input or bad luck, with its message.

Broken downloads of MNIST have their own file, test_mnist.py.
"""
import os
import signal
import threading
import warnings

import numpy as np
import pytest
from problems import random_problem
from sklearn.exceptions import NotFittedError

from svmlib import SVC, ConvergenceWarning, DualProblem, NotPSDWarning, NotSeparableError
from svmlib.data import planar as datasets
from svmlib.kernels import Gaussian, Linear, Polynomial, Precomputed, Sigmoid, Subsequence

X = np.array([[0.0, 0.0], [1.0, 0.0], [0.0, 1.0], [3.0, 3.0]])
Y = np.array([-1, -1, 1, 1])
WORDS = ["BERT", "BEERE", "XYZ", "ZYX"]


def spoilt(value):
    """X with one entry that is not a finite number."""
    Z = X.copy()
    Z[1, 1] = value
    return Z


# ---- bad input ---------------------------------------------------------------------------------------------
@pytest.mark.parametrize(("call", "message"), [
    # labels
    (lambda: DualProblem(Linear(), X, [0, 0, 1, 1]), r"y must hold the labels -1 and \+1 only, got \[0, 1\]"),
    (lambda: DualProblem(Linear(), X, ["a", "a", "b", "b"]), r"y must hold the labels -1 and \+1 only"),
    (lambda: DualProblem(Linear(), X, [1, 1, 1, 1]), r"y must hold both classes, got only \+1"),
    (lambda: DualProblem(Linear(), X, [1, -1]), r"y must have shape \(4,\), one label for each row of X, got \(2,\)"),
    (lambda: SVC().fit(X, [1, 1, 1, 1]), r"y must hold at least two classes, got one class only: \[1\]"),
    (lambda: SVC().fit(X, Y, sample_weight=[1, 1, 0, 0]), r"one class only: \[-1\] \(after points of weight 0"),
    (lambda: SVC().fit(X, [0.1, 0.2, 0.3, 0.4]), r"Unknown label type: continuous"),
    (lambda: SVC().fit(X, [1.0, np.nan, -1.0, 1.0]), r"NaN"),
    (lambda: SVC().fit(X, None), r"requires y to be passed"),
    (lambda: SVC().fit(X, [1, -1]), r"inconsistent numbers of samples: \[4, 2\]"),
    (lambda: SVC().fit(X, np.array([1, -1])), r"inconsistent numbers of samples: \[4, 2\]"),
    # points
    (lambda: SVC().fit(spoilt(np.nan), Y), r"X contains NaN or infinity"),
    (lambda: SVC().fit(spoilt(np.inf), Y), r"X contains NaN or infinity"),
    (lambda: SVC().fit(spoilt(-np.inf).tolist(), Y), r"X contains NaN or infinity"),
    (lambda: SVC().fit(X, Y).predict(spoilt(np.nan)), r"X contains NaN or infinity"),
    (lambda: DualProblem(Linear(), spoilt(np.nan), Y), r"X contains NaN or infinity"),
    (lambda: SVC().fit(X[:, 0], Y), r"Expected 2D array, got 1D array"),
    (lambda: SVC().fit(X[:0], Y[:0]), r"0 sample"),
    (lambda: SVC().fit(X[:, :0], Y), r"0 feature"),
    (lambda: SVC().fit(X * 1j, Y), r"Complex data not supported"),
    (lambda: SVC().fit(X, Y).predict(X[:, :1]), r"X has 1 features, but SVC is expecting 2 features"),
    (lambda: SVC().fit(X, Y).predict(X[0]), r"Expected 2D array, got 1D array"),
    (lambda: Gaussian(sigma=1.0)(X, X[:, :1]), r"Z must have as many columns as X"),
    # parameters
    (lambda: SVC(C=0).fit(X, Y), r"C must be a positive number .* got 0"),
    (lambda: SVC(C=-1.0).fit(X, Y), r"C must be a positive number .* got -1\.0"),
    (lambda: SVC(C=np.nan).fit(X, Y), r"C must be a positive number .* got nan"),
    (lambda: SVC(C="1").fit(X, Y), r"C must be a positive number .* got '1'"),
    (lambda: SVC(C=[1, 1, 1, 1]).fit(X, Y), r"C must be a positive number .* got \[1, 1, 1, 1\]"),
    (lambda: DualProblem(Linear(), X, Y, C=0.0), r"C must be positive \(np\.inf for the hard margin\), got 0\.0"),
    (lambda: DualProblem(Linear(), X, Y, C=[1.0, 1.0]), r"C must be a number or have shape \(4,\), got shape \(2,\)"),
    (lambda: SVC(Gaussian(sigma=1.0)).set_params(kernel__sigma=-1.0), r"sigma must be a finite number > 0, got -1\.0"),
    (lambda: SVC(kernel="rfb").fit(X, Y), r"kernel must be .* got 'rfb'"),
    (lambda: SVC(solver="simplex").fit(X, Y), r"solver must be one of .* or 'auto', got 'simplex'"),
    (lambda: SVC(multiclass="all").fit(X, Y), r"multiclass must be one of 'ovo', 'ovo_weighted', 'ovr', got 'all'"),
    (lambda: SVC(tol=0.0).fit(X, Y), r"tol must be a positive number, got 0\.0"),
    (lambda: SVC(max_iter=0).fit(X, Y), r"max_iter must be a positive integer, -1 for no limit, or None, got 0"),
    (lambda: SVC(class_weight="fair").fit(X, Y), r'class_weight must be a dict, "balanced" or None, got \'fair\''),
    (lambda: SVC(class_weight={1: 0.0}).fit(X, Y), r"class_weight must be positive for each class"),
    (lambda: SVC().fit(X, Y, sample_weight=[1, 1, -1, 1]), r"sample_weight must be finite and not negative, got -1"),
    (lambda: SVC().fit(X, Y, sample_weight=[0, 0, 0, 0]), r"sample_weight must be positive for some points"),
    (lambda: SVC().fit(X, Y, sample_weight=[1, 1]), r"sample_weight must have shape \(4,\), .* got \(2,\)"),
    (lambda: SVC().fit(X, Y, sample_weight="heavy"), r"sample_weight must hold numbers, got 'heavy'"),
    # Gram matrices
    (lambda: SVC(Precomputed()).fit(np.triu(np.ones((4, 4))), Y), r"symmetric Gram matrix"),
    (lambda: SVC(Precomputed()).fit(X, Y), r"square Gram matrix .* got shape \(4, 2\)"),
    (lambda: SVC(Precomputed()).fit(X @ X.T, Y).predict(X), r"X has 2 features, but SVC is expecting 4"),
    (lambda: SVC(lambda A, B: A[:, :1]).fit(X, Y), r"must return an array of shape \(4, 4\)"),
    (lambda: SVC(lambda A, B: A @ B.T * np.nan).fit(X, Y), r"NaN or infinity"),
    # strings and arrays never mix
    (lambda: SVC(Gaussian(sigma=1.0)).fit(WORDS, Y), r"X must hold .*numbers.* svmlib\.kernels"),
    (lambda: SVC().fit(WORDS, Y), r"X must hold .*numbers.* svmlib\.kernels"),
    (lambda: SVC(Linear()).fit([["1", "2"]] * 4, Y), r"X must hold numbers, got an array of <U1"),
    (lambda: SVC(Subsequence()).fit(X, Y), r"X must be a list or one-dimensional array of strings"),
    (lambda: SVC(Subsequence()).fit([*WORDS[:3], 1.0], Y), r"X must hold strings only, got X\[3\] = 1\.0 of type"),
    (lambda: SVC(Subsequence()).fit(WORDS, Y).predict(X), r"X must be a list or one-dimensional array of strings"),
    (lambda: SVC(Subsequence()).fit(WORDS, Y).predict("BERT"), r"X must be a list of strings, got the single string"),
    (lambda: SVC(Subsequence()).fit(WORDS, [0, 1]), r"y must have one label for each of the 4 strings of X, got 2"),
    (lambda: SVC(Linear()).fit(X, Y).predict(WORDS), r"X must hold .*numbers.* svmlib\.kernels"),
])
def test_bad_input_is_a_value_error_that_names_it(call, message):
    with pytest.raises(ValueError, match=message):
        call()


def test_a_machine_that_was_not_fitted_says_so():
    for call in (lambda m: m.predict(X), lambda m: m.decision_function(X), lambda m: m.pairwise_decision(X)):
        with pytest.raises(NotFittedError, match="SVC instance is not fitted yet"):
            call(SVC())


def test_a_failed_fit_leaves_the_parameters_alone():
    machine = SVC(C=-1.0)
    with pytest.raises(ValueError, match="C must be"):
        machine.fit(X, Y)
    assert machine.set_params(C=1.0).fit(X, Y).predict(X).shape == (4,)


# ---- hard margin on data that are not separable --------------------------------------------------------------
CROSS = np.array([[0.0, 0.0], [1.0, 1.0], [0.0, 1.0], [1.0, 0.0]])


@pytest.mark.timeout(60)
@pytest.mark.parametrize("solver", ["auto", "smo", "qp", "active_set"])
@pytest.mark.parametrize("data", ["cross", "noise", "contradiction"])
def test_no_hard_margin_says_so_and_points_to_C(solver, data):
    noise = random_problem(0, 60, recipe="plain", overlap=np.inf, kernel=Linear(), C=1.0)
    points, labels, kernel = {
        "cross": (CROSS, Y, Linear()),
        "noise": (noise.X, noise.y, Linear()),
        "contradiction": (np.vstack([X, X[:1]]), np.append(Y, 1), Gaussian(sigma=1.0)),
    }[data]
    with pytest.raises(NotSeparableError, match=r"cannot be separated .*give a finite C"):
        SVC(kernel, C=np.inf, solver=solver).fit(points, labels)
    assert issubclass(NotSeparableError, ValueError)
    assert np.isfinite(SVC(kernel, C=10.0).fit(points, labels).decision_function(points)).all()


# ---- bad luck that leaves something usable -------------------------------------------------------------------
def test_an_indefinite_kernel_is_solved_to_a_stationary_point_with_a_warning():
    points = np.array([[1.2], [-1.1], [-2.3], [-1.1]])
    with pytest.warns(NotPSDWarning, match=r"not positive semidefinite on these points \(the .* is -[0-9.e+-]+\)"):
        machine = SVC(Sigmoid(kappa=1.0, delta=1.0), C=1.0).fit(points, [1, 1, -1, -1])
    assert machine.solutions_[0].status == "stationary"
    assert machine.solutions_[0].converged
    assert np.isfinite(machine.decision_function(points)).all()


def test_too_few_iterations_warn_with_the_gap_and_leave_a_usable_machine():
    points, labels = datasets.disc_and_annulus(seed=0)
    with pytest.warns(ConvergenceWarning, match=r"stopped after \d+ iterations at .* duality gap of .* raise max_iter"):
        machine = SVC(Gaussian(sigma=1.0), C=100.0, max_iter=1, tol=1e-10, solver="smo").fit(points, labels)
    (solution,) = machine.solutions_
    assert solution.status == "max_iter"
    assert not solution.converged
    assert solution.gap > 0
    assert machine.predict(points).shape == labels.shape


@pytest.mark.timeout(120)
def test_the_default_number_of_iterations_is_finite():
    rng = np.random.default_rng(0)
    points, labels = 1e4 * rng.normal(size=(12, 2)), np.arange(12) % 2
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        machine = SVC(Polynomial(Q=3), C=1e6, tol=1e-12).fit(points, labels)
    assert machine.solutions_[0].status in ("max_iter", "optimal")


@pytest.mark.timeout(60)
def test_an_interrupt_ends_a_long_fit_with_a_usable_machine():
    noise = random_problem(0, 400, recipe="plain", overlap=np.inf, kernel=Gaussian(sigma=0.5), C=1.0)
    points, labels = noise.X, noise.y
    with pytest.warns(ConvergenceWarning):                                   # compiled before the signal comes
        SVC(Gaussian(sigma=0.5), solver="smo_random", max_iter=9).fit(points, labels)
    machine = SVC(Gaussian(sigma=0.5), C=1e7, tol=1e-13, solver="smo_random", max_iter=10 ** 9)
    timer = threading.Timer(1.0, os.kill, (os.getpid(), signal.SIGINT))
    timer.start()
    try:
        machine.fit(points, labels)
    finally:
        timer.cancel()
    assert machine.solutions_[0].status == "interrupted"
    assert machine.solutions_[0].alpha.max() > 0
    assert machine.predict(points).shape == (400,)


def test_wildly_different_scales_get_one_warning_that_names_the_factor():
    rng = np.random.default_rng(0)
    points = rng.normal(size=(60, 3)) * [1.0, 1e-3, 1e5]
    for machine in (SVC(Linear(), max_iter=200), SVC()):
        with warnings.catch_warnings(record=True) as seen:
            warnings.simplefilter("always")
            machine.fit(points, rng.integers(0, 3, 60))
        about_scale = [w for w in seen if "StandardScaler" in str(w.message)]
        assert len(about_scale) == 1
        assert "the ranges of the features of X differ by a factor of" in str(about_scale[0].message)
        assert about_scale[0].filename == __file__


@pytest.mark.parametrize("layout", ["C", "F"])
def test_the_factor_of_the_scales_is_that_of_the_columns(layout):
    points = np.random.default_rng(1).normal(size=(50, 4)) * [1e5, 2.0, 0.0, 1.0]       # a constant column says nothing
    ranges = np.ptp(points, axis=0)
    with pytest.warns(UserWarning, match="StandardScaler") as seen:
        SVC().fit(np.array(points, order=layout), np.arange(50) % 2)
    assert f"a factor of {ranges[0] / np.sort(ranges)[1]:.1e};" in str(seen[0].message)


def test_a_huge_gram_diagonal_gets_one_warning():
    rng = np.random.default_rng(0)
    points, labels = 1e3 * rng.normal(size=(20, 2)), np.arange(20) % 2
    with warnings.catch_warnings(record=True) as seen:
        warnings.simplefilter("always")
        SVC(Polynomial(Q=4), max_iter=100).fit(points, labels)
    about_scale = [str(w.message) for w in seen if "StandardScaler" in str(w.message)]
    assert len(about_scale) == 1
    assert "kernel values k(x, x) reach" in about_scale[0]
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        SVC(Gaussian(sigma=1e3)).fit(points, labels)                         # |k| <= 1 whatever the scale
        SVC(Linear()).fit(points / 1e3, labels)
