"""exp in compiled code, and Gaussian blocks from inner products, against arithmetic with more digits."""
import numba
import numpy as np
import pytest

from svmlib.kernels import Gaussian
from svmlib.kernels.exponential import DOUBLE, SINGLE, exp_in_place


@numba.njit
def double(v):
    exp_in_place(v, np.float64, np.int64, DOUBLE)


@numba.njit
def single(v):
    exp_in_place(v, np.float32, np.int32, SINGLE)


KINDS = pytest.mark.parametrize(("exp", "dtype", "least"), [(double, np.float64, -708.0), (single, np.float32, -87.0)])


@KINDS
def test_exp_is_exact_to_two_units_in_the_last_place(exp, dtype, least):
    some = np.random.default_rng(0).uniform(0.0, 40.0, 20_000)
    v = -np.r_[0.0, np.geomspace(1e-12, -least, 20_000), some].astype(dtype)
    e = v.copy()
    exp(e)
    exact = np.exp(v.astype(np.longdouble)).astype(dtype)
    assert e[0] == 1.0
    assert (np.abs(e - exact) / np.spacing(exact)).max() <= 2.0


@KINDS
def test_exp_of_what_is_far_below_is_zero(exp, dtype, least):
    far = np.array([1.001 * least, -1e4, -1e30, -np.inf], dtype)
    exp(far)
    assert not far.any()


@pytest.mark.parametrize("dtype", [np.float64, np.float32])
@pytest.mark.parametrize("normalized", [False, True])
def test_values_from_products(dtype, normalized):
    """In either precision, of blocks that lie together in memory or not: within the rounding of the exponent."""
    rng = np.random.default_rng(1)
    X, Z = rng.normal(size=(37, 20)).astype(dtype), rng.normal(size=(53, 20)).astype(dtype)
    k, x2, z2 = Gaussian(sigma=4.0, normalized=normalized), np.vecdot(X, X), np.vecdot(Z, Z)
    exponent = (X.astype(np.longdouble)[:, None] - Z.astype(np.longdouble)) ** 2
    exact = k.factor * np.exp(-k.gamma * exponent.sum(axis=2))
    for P in (X @ Z.T, (Z @ X.T).T):
        values = k.of_products(P, x2, z2)
        assert values is P
        assert values.dtype == dtype
        np.testing.assert_allclose(values, exact.astype(float), rtol=60 * np.finfo(dtype).eps)


@pytest.mark.parametrize("dtype", [np.float64, np.float32])
@pytest.mark.parametrize("gamma", [1e-300, 1e300])
def test_no_rate_is_too_extreme(dtype, gamma):
    """k(x, x) = 1 whatever the rate, and k(x, z) is 1 or 0: no inf times 0 on the way."""
    X = np.array([[1.0, 2.0], [1.0, 3.0]], dtype)
    x2 = np.vecdot(X, X)
    assert Gaussian(gamma=gamma).of_products(X @ X.T, x2, x2).tolist() == (
        [[1.0, 1.0], [1.0, 1.0]] if gamma < 1 else [[1.0, 0.0], [0.0, 1.0]])


def test_a_block_with_itself_is_symmetric_to_the_last_bit():
    X = np.random.default_rng(2).normal(size=(200, 30))
    K = Gaussian(sigma=3.0)(X)
    np.testing.assert_array_equal(K, K.T)
    assert (K.diagonal() == 1.0).all()
    assert K.max() == 1.0
