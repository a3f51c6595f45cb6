"""SVR: equal to scikit-learn's, certified, and a scikit-learn estimator."""
import tracemalloc
import warnings

import numpy as np
import pytest
from scipy.sparse import csr_array
from sklearn.datasets import load_diabetes, make_friedman1, make_friedman2, make_regression
from sklearn.model_selection import GridSearchCV
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVR as Libsvm
from sklearn.utils.estimator_checks import check_estimator

from svmlib import SVR, ConvergenceWarning, OneClassSVM, solve
from svmlib.dual import BoxProblem, KernelPoints
from svmlib.kernels import Gaussian, Linear, Precomputed, Subsequence
from svmlib.kernels.algebra import Scaled
from svmlib.solvers import SOLVERS


def waves(n=120, seed=0):
    """A sine with noise."""
    rng = np.random.default_rng(seed)
    X = rng.uniform(-3, 3, size=(n, 1))
    return X, np.sin(2 * X[:, 0]) + 0.2 * rng.normal(size=n)


def scaled(X, y):
    """Points and targets of mean 0 and variance 1."""
    return StandardScaler().fit_transform(X), (y - y.mean()) / y.std()


#: A point of weight 2 and the point twice agree to tol, not to the 1e-7 of these checks; at tol=1e-10 all pass.
STOPS_AT_TOL = dict.fromkeys(["check_sample_weight_equivalence_on_dense_data",
                              "check_sample_weight_equivalence_on_sparse_data"], "solutions agree to tol")

DATA = {
    "waves": waves(),
    "diabetes": scaled(*load_diabetes(return_X_y=True)),
    "friedman1": scaled(*make_friedman1(200, random_state=0, noise=0.5)),
    "friedman2": scaled(*make_friedman2(200, random_state=0, noise=0.5)),
    "linear": scaled(*make_regression(150, 20, noise=10.0, random_state=0)),
}


@pytest.mark.parametrize("machine", [SVR(), SVR(Linear()), SVR(Precomputed())], ids=repr)
def test_is_a_scikit_learn_regressor(machine):
    check_estimator(machine, expected_failed_checks=STOPS_AT_TOL, on_skip=None)


def test_every_check_passes_at_a_tight_tolerance():
    check_estimator(SVR(tol=1e-10), on_skip=None)


@pytest.mark.parametrize("epsilon", [0.0, 0.1, 0.5])
@pytest.mark.parametrize("name", DATA)
def test_is_scikit_learns(name, epsilon):
    X, y = DATA[name]
    gamma = 0.5 / X.shape[1]
    for kernel, options in ((Gaussian(gamma=gamma), {"gamma": gamma}), (Linear(), {"kernel": "linear"})):
        peer = Libsvm(C=2.0, epsilon=epsilon, tol=1e-8, **options).fit(X, y)
        mine = SVR(kernel, C=2.0, epsilon=epsilon, tol=1e-7).fit(X, y)
        np.testing.assert_allclose(mine.predict(X), peer.predict(X), atol=1e-4)
    np.testing.assert_allclose(mine.coef_, peer.coef_, atol=1e-4)
    assert SVR().fit(X, y).kernel_.gamma == pytest.approx(1 / (X.shape[1] * X.var()))


@pytest.mark.parametrize("name", DATA)
def test_is_scikit_learns_with_weights(name):
    X, y = DATA[name]
    weight = np.random.default_rng(0).integers(0, 4, len(y)) / 2.0                        # a quarter of them 0
    peer = Libsvm(gamma=0.1, C=2.0, tol=1e-8).fit(X, y, weight)
    mine = SVR(Gaussian(gamma=0.1), C=2.0, tol=1e-7).fit(X, y, weight)
    np.testing.assert_allclose(mine.predict(X), peer.predict(X), atol=1e-4)
    assert np.all(weight[mine.support_] > 0)
    assert np.all(np.abs(mine.dual_coef_[0]) <= 2.0 * weight[mine.support_])
    np.testing.assert_array_equal(mine.support_vectors_, X[mine.support_])
    k = Gaussian(gamma=0.1)
    np.testing.assert_allclose(SVR(Precomputed(), C=2.0, tol=1e-7).fit(k(X), y, weight).predict(k(X)),
                               mine.predict(X), atol=1e-5)
    thin = SVR(Gaussian(gamma=0.1), C=2.0, tol=1e-7).fit(csr_array(X), y, weight)
    np.testing.assert_allclose(thin.predict(X), mine.predict(X), atol=1e-5)


def test_a_point_of_weight_two_counts_as_two():
    X, y = waves(60)
    weight = np.arange(60) % 3
    twice = np.repeat(np.arange(60), weight)
    heavy, many = SVR(tol=1e-8).fit(X, y, weight), SVR(tol=1e-8).fit(X[twice], y[twice])
    assert heavy.kernel_.gamma == pytest.approx(many.kernel_.gamma)
    np.testing.assert_allclose(heavy.predict(X), many.predict(X), atol=1e-6)


@pytest.mark.parametrize(("weight", "message"), [
    ([1.0], r"sample_weight must have shape \(2,\)"), ([1.0, -1.0], "not negative, got -1"),
    ([1.0, np.nan], "sample_weight must be finite"), ([0, 0], "positive for some points"),
    ("heavy", "sample_weight must hold numbers"),
])
def test_bad_weights_are_named(weight, message):
    with pytest.raises(ValueError, match=message):
        SVR().fit([[0.0], [1.0]], [0.0, 1.0], weight)


@pytest.mark.parametrize("solver", ["smo", "working_set", "qp", "active_set", "qp_low_rank"])
def test_each_solver_certifies_what_a_hand_computes(solver):
    X, y = DATA["linear"]
    m = SVR(Linear(), C=0.5, epsilon=0.2, solver=solver, tol=1e-6).fit(X, y)
    assert (m.solver_, m.solution_.status, m.solutions_) == (solver, "optimal", [m.solution_])
    w, f = m.coef_[0], m.predict(X)
    primal = 0.5 * w @ w + 0.5 * np.maximum(0.0, np.abs(f - y) - 0.2).sum()
    assert primal - m.solution_.objective == pytest.approx(m.solution_.gap, abs=1e-8)
    assert m.solution_.gap < 1e-3
    np.testing.assert_allclose(f, m.dual_coef_[0] @ X[m.support_] @ X.T + m.intercept_, atol=1e-9)


def test_support_vectors_are_on_the_edge_of_the_tube_or_outside():
    X, y = waves()
    m = SVR(Gaussian(sigma=0.7), C=1.0, epsilon=0.3, tol=1e-8).fit(X, y)
    off = np.abs(m.predict(X) - y)
    inside = np.setdiff1d(np.arange(len(y)), m.support_)
    assert len(inside) > 0
    assert np.all(off[inside] <= 0.3 + 1e-6)
    assert np.all(off[m.support_] >= 0.3 - 1e-6)
    up, down = m.solution_.alpha.reshape(2, -1)
    assert np.all(up * down == 0)                             # nobody pulls both ways
    assert abs(m.dual_coef_).max() <= 1.0


def test_a_gram_matrix_and_strings():
    X, y = waves(40)
    k = Gaussian(sigma=0.7)
    np.testing.assert_allclose(SVR(Precomputed(), tol=1e-8).fit(k(X), y).predict(k(X)),
                               SVR(k, tol=1e-8).fit(X, y).predict(X), atol=1e-6)
    words = ["a", "ab", "abc", "b"]
    f = SVR(Subsequence(), C=100.0, epsilon=0.01).fit(words, [1.0, 2.0, 3.0, 1.0]).predict(["a", "abc"])
    assert f == pytest.approx([1.0, 3.0], abs=0.1)


def test_grid_search_over_epsilon_and_the_kernel():
    X, y = waves()
    search = GridSearchCV(SVR(Gaussian(sigma=1.0)), {"epsilon": [0.1, 2.0], "kernel__sigma": [0.5, 100.0]}).fit(X, y)
    assert search.best_params_ == {"epsilon": 0.1, "kernel__sigma": 0.5}
    assert search.best_score_ > 0.8


@pytest.mark.parametrize(("options", "X", "y", "message"), [
    ({"epsilon": -0.1}, [[0.0], [1.0]], [0, 1], r"epsilon must be a finite number >= 0, got -0\.1"),
    ({"epsilon": np.nan}, [[0.0], [1.0]], [0, 1], "epsilon must be a finite number >= 0, got nan"),
    ({"epsilon": "small"}, [[0.0], [1.0]], [0, 1], "epsilon must be a finite number >= 0, got 'small'"),
    ({"C": 0.0}, [[0.0], [1.0]], [0, 1], r"C must be a finite number > 0, got 0\.0"),
    ({"C": np.inf}, [[0.0], [1.0]], [0, 1], "C must be a finite number > 0, got inf"),
    ({"tol": 0}, [[0.0], [1.0]], [0, 1], "tol must be a positive number"),
    ({"solver": "best"}, [[0.0], [1.0]], [0, 1], "solver must be one of"),
    ({}, [[0.0], [np.nan]], [0, 1], "X contains NaN"),
    ({}, np.array([[0.0], [np.nan]]), np.array([0.0, 1.0]), "X contains NaN"),
    ({}, np.array([[0.0], [1.0]]), np.array([0.0, np.nan]), "y contains NaN"),
    ({}, [[0.0], [1.0]], [0.0, np.inf], "y contains infinity"),
    ({}, [[0.0], [1.0]], [0.0], "inconsistent numbers of samples"),
    ({}, [[0.0], [1.0]], ["a", "b"], "y must hold numbers|could not convert"),
    ({}, np.array([[0.0], [1.0]]), np.array(["a", "b"]), "y must hold numbers"),
    ({}, np.array([[0.0], [1.0]]), np.array([0, 1j]), "y must hold real numbers, got an array of complex128"),
    ({}, ["a", "b"], [0, 1], "X must hold real numbers, got an array of <U1"),
    ({}, [["a"], ["b"]], [0, 1], "X must hold numbers, got an array of <U1"),
    ({"kernel": Subsequence()}, [[0.0], [1.0]], [0, 1], "X must be a list or one-dimensional array of strings"),
    ({"kernel": Subsequence()}, ["a", 1.0], [0, 1], r"X must hold strings only, got X\[1\] = 1\.0"),
    ({"kernel": Subsequence() + Linear()}, ["a", "b"], [0, 1], "X must hold real numbers"),
    ({"kernel": Precomputed()}, [[1.0, 0.0]], [0], "X must be the square Gram matrix"),
    ({"kernel": Precomputed()}, [[1.0, 2.0], [0.0, 1.0]], [0, 1], "X must be a symmetric Gram matrix"),
])
def test_bad_input_is_a_value_error_that_names_it(options, X, y, message):
    with pytest.raises(ValueError, match=f"(?i){message}"):
        SVR(**options).fit(X, y)


@pytest.mark.parametrize("machine", [SVR(), OneClassSVM()], ids=repr)
def test_strings_and_arrays_do_not_mix_in_prediction(machine):
    machine.fit([[0.0], [1.0], [2.0]], [0.0, 1.0, 2.0])
    for X, message in ((["a", "b"], "X must hold real numbers"), ([["1"]], "X must hold numbers"),
                       (np.array([["1"]]), "X must hold real numbers"), ([[np.nan]], "X contains NaN"),
                       ([[0.0, 1.0]], "features")):
        with pytest.raises(ValueError, match=message):
            machine.predict(X)
    machine.set_params(kernel=Subsequence()).fit(["ab", "ba", "bb"], [0.0, 1.0, 2.0])
    with pytest.raises(ValueError, match="X must be a list or one-dimensional array of strings"):
        machine.predict(np.array([[0.0]]))


def test_too_few_iterations_warn_and_leave_a_usable_machine():
    X, y = waves()
    with pytest.warns(ConvergenceWarning, match="gap"):
        machine = SVR(max_iter=2).fit(X, y)
    assert np.isfinite(machine.predict(X)).all()


@pytest.mark.parametrize(("n", "d"), [(60, 3), (1600, 20)])
def test_nothing_sticks_out_of_the_tube(n, d):
    """No support vector: f is b, and no warning says that a mean of nothing is no number."""
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(n, d)), rng.uniform(-0.1, 0.1, size=n)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        machine = SVR(epsilon=1.0).fit(X, y)
        f = machine.predict(X)
    assert len(machine.support_) == 0
    assert np.abs(f - y).max() <= 1.0


# ---- two variables for each point, one row -----------------------------------------------------------------------
def twice(kernel, X, y, C=2.0, epsilon=0.1):
    """The dual of regression on points that are written down twice, and on points with two variables each."""
    n = len(y)
    signs, p = np.repeat([1.0, -1.0], n), np.concatenate([y - epsilon, y + epsilon])
    rows = np.tile(np.arange(n), 2)
    points = KernelPoints(kernel, X)
    written = points.X[np.ix_(rows, rows)] if isinstance(kernel, Precomputed) else points.X[rows]
    return (BoxProblem(kernel, written, signs, C, p), BoxProblem.cut(points, rows, signs, np.full(2 * n, C), p))


@pytest.mark.parametrize("name", sorted(SOLVERS))
@pytest.mark.parametrize("kernel", [Gaussian(sigma=1.0), Linear(), Precomputed(), 2 * Linear()], ids=repr)
def test_every_solver_finds_the_same_optimum_on_shared_rows(name, kernel):
    X, y = waves(40)
    plain, mapped = twice(kernel, Gaussian(sigma=1.0)(X) if isinstance(kernel, Precomputed) else X, y)
    options = {"tol": 1e-5, "max_iter": 1_000_000}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)                     # of smo_random, perhaps
        a, b = solve(plain, name, **options), solve(mapped, name, **options)
    assert a.status == b.status
    assert b.objective == pytest.approx(a.objective, rel=1e-6)
    assert b.gap == pytest.approx(plain.certificate(b.alpha, b=b.b).gap, rel=1e-6, abs=1e-9)
    np.testing.assert_allclose(mapped.K, plain.K, atol=1e-12)
    np.testing.assert_allclose(mapped.times_K(b.alpha), plain.times_K(b.alpha), atol=1e-9)
    np.testing.assert_allclose(mapped.times_K(mapped.y * b.alpha) + b.b, plain.times_K(plain.y * a.alpha) + a.b,
                               atol=2e-2 if name == "smo_random" else 2e-3)     # one machine, whatever the path to it
    if name == "smo" and not isinstance(kernel, Scaled):      # of which BLAS gives two K that differ in the last digit
        np.testing.assert_array_equal(a.alpha, b.alpha)                         # step by step


@pytest.mark.parametrize(("solver", "n", "d", "matrices"), [
    ("working_set", 1500, 120, 1.5), ("smo", 1500, 120, 3.5), ("smo", 1500, 3, 2.5),
    ("qp", 600, 120, 6.5),                                    # K, centred, times t, its factor; what the kernel needs
    ("active_set", 600, 120, 6.5)])                           # K, centred; room for a factor of all, mostly not touched
def test_memory_grows_with_n_squared_not_with_2n_squared(solver, n, d, matrices):
    """In units of an n x n matrix of float64, of which (2n)^2 would be four, and five with the one of the kernel."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(n, d))
    y = X[:, 0] + 0.1 * rng.normal(size=n)
    machine = SVR(Gaussian(gamma=0.5 / d), C=1.0, solver=solver, tol=1e-2).fit(X[:50], y[:50])     # compiles
    tracemalloc.start()
    machine.fit(X, y)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert machine.solution_.status == "optimal"
    assert peak < matrices * 8 * n ** 2
