"""Gram matrices that were computed in float32: rounding there is not an indefinite kernel."""
import warnings

import numpy as np
import pytest

from svmlib import SVC, SVR, NotPSDWarning, OneClassSVM
from svmlib.dual.gram import nearly_psd
from svmlib.kernels import Precomputed
from svmlib.validation import is_single


def points(n, seed):
    """Points in float32, and labels."""
    rng = np.random.default_rng(seed)
    X = rng.standard_normal((n, 4)).astype(np.float32)
    return X, np.sign(X[:, 0] + 0.5 * rng.standard_normal(n))


def linear(A, B):
    """Inner products in float32."""
    return np.asarray(A, np.float32) @ np.asarray(B, np.float32).T


def gaussian(A, B):
    """exp(-|a - b|^2 / 2) by the square completed, in float32."""
    A, B = np.asarray(A, np.float32), np.asarray(B, np.float32)
    return np.exp(-np.maximum((A ** 2).sum(1)[:, None] + (B ** 2).sum(1) - 2 * A @ B.T, 0) / 2)


@pytest.mark.parametrize("kernel", [linear, gaussian])
@pytest.mark.parametrize("n", [10, 50, 400])
@pytest.mark.parametrize("solver", ["auto", "qp", "smo", "active_set"])
def test_no_word_of_an_indefinite_kernel(kernel, n, solver):
    X, y = points(n, seed=n)
    K = kernel(X, X)
    with warnings.catch_warnings():
        warnings.simplefilter("error", NotPSDWarning)
        for machine in (SVC, SVR, OneClassSVM):
            fitted = machine("precomputed", solver=solver).fit(K, y)
            assert fitted.solutions_[0].status == "optimal"
        one = SVC(kernel, solver=solver, tol=1e-5).fit(X, y)
        other = SVC("precomputed", solver=solver, tol=1e-5).fit(K, y)
    exact = SVC("linear" if kernel is linear else "rbf", gamma=0.5, tol=1e-5).fit(X, y)
    np.testing.assert_allclose(one.decision_function(X), exact.decision_function(X), atol=2e-3)
    np.testing.assert_allclose(other.decision_function(K), exact.decision_function(X), atol=2e-3)


def test_rounding_may_have_gone_different_ways_on_both_sides_of_the_diagonal():
    X, y = points(60, seed=1)
    K = linear(X, X)
    K[np.triu_indices(60, 1)] *= np.float32(1 + 3e-7)
    assert SVC("precomputed").fit(K, y).solutions_[0].status == "optimal"
    with pytest.raises(ValueError, match="differs from its transpose"):
        SVC("precomputed").fit(K.astype(float) + 1e-6 * np.triu(np.ones_like(K), 1) * K.max() * np.pi, y)


@pytest.mark.parametrize("scale", [1e-20, 1.0, 1e12])
def test_what_is_indefinite_is_so_in_float32_too(scale):
    values, n = np.array([-1e-3, 0.5, 1.0, 2.0]), 4
    Q = np.linalg.qr(np.random.default_rng(0).standard_normal((n, n)))[0]
    K = ((Q * values) @ Q.T * scale).astype(np.float32).astype(float)
    K = (K + K.T) / 2
    assert is_single(K)
    assert not nearly_psd(K)
    assert nearly_psd(((Q * np.abs(values)) @ Q.T * scale).astype(np.float32).astype(float))


def test_integers_have_no_rounding():
    K = np.array([[1e6, 1e6 + 1], [1e6 + 1, 1e6]])        # the smaller eigenvalue is -1, as in a kernel that counts
    assert not is_single(K)
    with pytest.warns(NotPSDWarning):
        SVC(Precomputed()).fit(K, [-1, 1])
