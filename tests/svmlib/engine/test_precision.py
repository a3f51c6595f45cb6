"""float32 where it will do, and blocks of decision values in it."""
import numpy as np
import pytest

from svmlib.engine.precision import block_with, single_error, sums_of_single, working_dtype
from svmlib.kernels import Gaussian, Linear, Polynomial, Sigmoid


def test_dtype_follows_the_rounding_error():
    X = np.random.default_rng(0).normal(size=(300, 150))
    one = np.ones(300)
    assert working_dtype(Gaussian(gamma=0.01), X, 10 * one, 1e-3) is np.float32
    assert working_dtype(Gaussian(gamma=0.01), X, 1e6 * one, 1e-3) is np.float64
    assert working_dtype(Gaussian(gamma=0.01), 1e4 * X, 10 * one, 1e-3) is np.float64
    assert working_dtype(Gaussian(gamma=0.01), X, 10 * one, 1e-7) is np.float64
    few = X[:, :50]
    assert working_dtype(Gaussian(gamma=0.01), few, 10 * one, 1e-3) is np.float32
    assert working_dtype(Gaussian(gamma=0.01), few, 101 * one, 1e-3) is np.float64
    assert working_dtype(Gaussian(gamma=0.01), few, 10 * one, 1e-4) is np.float64
    assert working_dtype(Linear(), few, 10 * one, 1e-3) is np.float64
    assert working_dtype(Gaussian(gamma=0.01), X, np.inf * one, 1e-3) is np.float64
    assert working_dtype(Gaussian(gamma=0.01) + Linear(), X, 10 * one, 1e-3) is np.float64


@pytest.mark.parametrize("d", [3, 150])
@pytest.mark.parametrize("kernel", [Gaussian(gamma=0.05), Polynomial(Q=3, a=0.1), Sigmoid(0.1, 0.1),
                                    Gaussian(gamma=0.05) + Linear()], ids=lambda k: getattr(k, "__name__", str(k)))
@pytest.mark.parametrize("C", [1.0, 100.0])
def test_what_single_precision_changes_is_below_its_bound(kernel, d, C):
    rng = np.random.default_rng(0)
    support, X = rng.normal(size=(2500, d)), rng.normal(size=(700, d))
    for beta in (rng.normal(size=2500) * C, np.full(2500, C)):
        sizes = np.linalg.norm(beta), np.abs(beta).sum()
        want, error = kernel(X, support) @ beta, single_error(kernel, support, X, *sizes)
        for tol in (0.5 * error, 2.0 * error):
            K = block_with(kernel, support, X, sizes, tol)(X)
            assert (K.dtype == np.float32) == (error <= tol < np.inf)
            got = sums_of_single(K, beta[None])[:, 0] if K.dtype == np.float32 else K @ beta
            assert np.abs(got - want).max() <= tol


def test_lengths_beyond_float32_ask_for_float64():
    X = np.random.default_rng(0).normal(size=(300, 150))
    for scale in (1e22, 1e-22):
        kernel = Gaussian(gamma=0.01 / scale ** 2)
        assert working_dtype(kernel, scale * X, np.ones(300), 1e-3) is np.float64
        assert block_with(kernel, scale * X, scale * X, (1.0, 1.0), 1e9)(scale * X).dtype == np.float64
