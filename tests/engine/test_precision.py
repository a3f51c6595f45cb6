"""float32 where it will do, and decision values in it."""
import numpy as np
import pytest

from svmlib.engine.precision import decision_values, working_dtype
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
def test_decision_values_in_strips(kernel, d):
    rng = np.random.default_rng(0)
    support, X, W = rng.normal(size=(2500, d)), rng.normal(size=(700, d)), rng.normal(size=(6, 2500))
    want = kernel(X, support) @ W.T
    got = decision_values(kernel, support, W, X)
    np.testing.assert_allclose(got, want, atol=2e-4 * np.abs(want).max())


def test_lengths_beyond_float32_ask_for_float64():
    X = np.random.default_rng(0).normal(size=(300, 150))
    for scale in (1e22, 1e-22):
        kernel = Gaussian(gamma=0.01 / scale ** 2)
        assert working_dtype(kernel, scale * X, np.ones(300), 1e-3) is np.float64
        assert np.isfinite(decision_values(kernel, scale * X, np.ones((1, 300)), scale * X)).all()
