"""OneClassSVM: equal to scikit-learn's, certified, with the property of nu."""
import numpy as np
import pytest
from sklearn.datasets import load_breast_cancer, load_digits, load_iris, load_wine
from sklearn.preprocessing import StandardScaler
from sklearn.svm import OneClassSVM as Libsvm
from sklearn.utils.estimator_checks import check_estimator

from svmlib import OneClassSVM
from svmlib.kernels import Gaussian, Linear, Precomputed, Subsequence

RNG = np.random.default_rng(0)
DATA = {"normal": RNG.normal(size=(150, 2)),
        **{load.__name__[5:]: StandardScaler().fit_transform(load(return_X_y=True)[0])
           for load in (load_iris, load_wine, load_breast_cancer)},
        "digits": load_digits(return_X_y=True)[0][:300] / 16}


STOPS_AT_TOL = dict.fromkeys(["check_sample_weight_equivalence_on_dense_data",
                              "check_sample_weight_equivalence_on_sparse_data"], "solutions agree to tol")


@pytest.mark.parametrize("machine", [OneClassSVM(), OneClassSVM(Linear()), OneClassSVM(nu=0.1, tol=1e-8)], ids=repr)
def test_is_a_scikit_learn_outlier_detector(machine):
    check_estimator(machine, expected_failed_checks=STOPS_AT_TOL, on_skip=None)


@pytest.mark.parametrize("nu", [0.05, 0.3, 0.9])
@pytest.mark.parametrize("name", DATA)
def test_is_scikit_learns(name, nu):
    X = DATA[name]
    gamma = 0.5 / X.shape[1]
    peer = Libsvm(gamma=gamma, nu=nu, tol=1e-9).fit(X)
    mine = OneClassSVM(Gaussian(gamma=gamma), nu=nu, tol=1e-8).fit(X)
    if len(mine.solution_.free):
        np.testing.assert_allclose(mine.decision_function(X), peer.decision_function(X), atol=1e-4)
    else:                                              # all alpha are 0 or 1: any rho between two scores is optimal
        scores, m = np.sort(mine.score_samples(X)), len(mine.support_)
        assert (name, nu) in [("normal", 0.9), ("iris", 0.9)]
        assert mine.offset_[0] == pytest.approx(scores[m - 1:m + 1].mean())
        assert scores[m - 1] - 1e-6 <= peer.offset_[0] <= scores[m] + 1e-6
    np.testing.assert_allclose(mine.score_samples(X), peer.score_samples(X), atol=1e-4)


def test_nu_of_one_is_the_mean_of_all_kernels():
    X = DATA["normal"]
    machine = OneClassSVM(Gaussian(gamma=0.5), nu=1.0).fit(X)
    np.testing.assert_allclose(machine.score_samples(X), Gaussian(gamma=0.5)(X).sum(axis=1))
    assert np.isfinite(machine.offset_).all()


@pytest.mark.parametrize("solver", ["smo", "working_set", "qp", "active_set"])
@pytest.mark.parametrize("kernel", [Gaussian(gamma=0.5), Linear()], ids=repr)
def test_each_solver_certifies_what_a_hand_computes(solver, kernel):
    X = DATA["normal"] + 3.0
    m = OneClassSVM(kernel, nu=0.2, solver=solver, tol=1e-6).fit(X)
    assert (m.solver_, m.solution_.status, m.solutions_) == (solver, "optimal", [m.solution_])
    alpha, rho = m.solution_.alpha, -m.solution_.b
    scores = kernel(X) @ alpha
    assert 0 < rho - m.offset_[0] < 2e-6                 # so that rounding makes no outlier of a point with f = 0
    primal = 0.5 * alpha @ scores - 0.2 * len(X) * rho + np.maximum(0.0, rho - scores).sum()
    assert primal - m.solution_.objective == pytest.approx(m.solution_.gap, abs=1e-7)
    assert m.solution_.gap < 1e-3
    assert alpha.sum() == pytest.approx(0.2 * len(X))


@pytest.mark.parametrize("solver", ["auto", "qp", "active_set", "working_set"])
@pytest.mark.parametrize("tol", [1e-3, 1e-10])
def test_nu_bounds_outliers_by_their_sign(solver, tol):
    for seed, d, nu in zip(range(9), [1, 2, 3] * 3, [0.1, 0.3, 0.05] * 3, strict=True):
        X = np.random.default_rng(seed).normal(size=(40, d))
        X[:seed] = X[-seed:] if seed else X[:0]                                     # some points twice
        m = OneClassSVM(nu=nu, solver=solver, tol=tol).fit(X)
        assert np.sum(m.predict(X) < 0) <= nu * 40 <= len(m.support_)
        alone = np.array([m.predict(x[None])[0] for x in X])
        np.testing.assert_array_equal(alone, m.predict(X))


def test_no_outlier_by_rounding_among_many():
    """Where the block of kernel values is large, they were once taken in float32."""
    X = np.random.default_rng(0).normal(size=(4000, 2))
    m = OneClassSVM(nu=0.2).fit(X)
    assert np.sum(m.predict(np.vstack([X, X]))[:4000] < 0) <= 800
    np.testing.assert_array_equal(m.predict(X)[::400], m.predict(X[::400]))


@pytest.mark.parametrize("nu", [1e-4, 1e-3, 0.01])
@pytest.mark.parametrize("kernel", [Gaussian(sigma=1.0), Linear(), 1e-3 * Gaussian(sigma=1.0)], ids=repr)
def test_the_gap_is_a_small_part_of_the_dual_value(kernel, nu):
    X = np.random.default_rng(1).normal(size=(300, 3)) + 4.0
    m = OneClassSVM(kernel, nu=nu).fit(X)
    assert m.solution_.status == "optimal"
    assert m.solution_.gap <= 1e-3 * abs(m.solution_.objective)
    exact = OneClassSVM(kernel, nu=nu, tol=1e-9).fit(X)
    np.testing.assert_allclose(m.solution_.objective, exact.solution_.objective, rtol=1e-3)


@pytest.mark.parametrize("nu", [0.013, 0.1, 0.5, 0.83])
@pytest.mark.parametrize("seed", range(5))
def test_nu_bounds_outliers_from_above_and_support_vectors_from_below(nu, seed):
    X = np.random.default_rng(seed).normal(size=(101, 2))
    m = OneClassSVM(Gaussian(sigma=1.0), nu=nu, tol=1e-10).fit(X)
    assert np.sum(m.decision_function(X) < -1e-6) <= nu * 101 <= len(m.support_)


def test_a_gram_matrix_and_strings():
    X = DATA["normal"]
    k = Gaussian(gamma=0.5)
    np.testing.assert_allclose(OneClassSVM(Precomputed(), tol=1e-8).fit(k(X)).decision_function(k(X)),
                               OneClassSVM(k, tol=1e-8).fit(X).decision_function(X), atol=1e-6)
    words = ["aab", "aba", "abb", "baa", "bab"]
    machine = OneClassSVM(Subsequence(), nu=0.2).fit(words)
    assert machine.predict(["aab", "xyz"]).tolist() == [1, -1]


@pytest.mark.parametrize(("options", "X", "message"), [
    *[({"nu": nu}, [[0.0], [1.0]], f"nu must be a finite number > 0 and <= 1, got {nu!r}")
      for nu in (0, -0.1, np.nan, "all", 1.01, 50)],
    ({}, [[0.0], [np.nan]], "X contains NaN"),
    ({}, np.array([[0.0], [np.inf]]), "X contains (NaN or )?infinity"),
    ({}, [0.0, 1.0], "(?i)reshape"),
    ({}, ["a", "b"], "X must hold real numbers, got an array of <U1"),
    ({}, [["a"], ["b"]], "X must hold numbers, got an array of <U1"),
    ({"kernel": Subsequence()}, [[0.0], [1.0]], "X must be a list or one-dimensional array of strings"),
    ({"kernel": Subsequence()}, ["a", 1.0], r"X must hold strings only, got X\[1\] = 1\.0"),
    ({"kernel": Precomputed()}, [[1.0, 0.0]], "X must be the square Gram matrix"),
])
def test_bad_input_is_a_value_error_that_names_it(options, X, message):
    with pytest.raises(ValueError, match=message):
        OneClassSVM(**options).fit(X)


def test_the_wrong_number_of_features():
    machine = OneClassSVM().fit(DATA["normal"])
    with pytest.raises(ValueError, match="features"):
        machine.predict([[0.0]])
