"""Explicit feature maps: <phi(x), phi(z)> = k(x, z), and how many features that takes."""
from math import comb, factorial

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import poisson
from sklearn.preprocessing import PolynomialFeatures

from svmlib.kernels import Gaussian, Linear, Polynomial
from svmlib.kernels import feature_maps as features
from svmlib.kernels.feature_maps import (
    cone,
    count_monomials,
    count_tensor,
    gaussian_features,
    monomials,
    nystroem_features,
    paraboloid,
    polynomial_features,
    random_features,
    tensor_features,
)


def points(n, d, seed=0):
    return np.random.default_rng(seed).normal(size=(n, d))


# ---- polynomials -----------------------------------------------------------------------------------------
@settings(max_examples=60, deadline=None)
@given(d=st.integers(1, 4), Q=st.integers(1, 5), a=st.floats(0, 3), b=st.floats(0, 3), seed=st.integers(0, 999))
def test_polynomial_features_have_the_polynomial_kernel(d, Q, a, b, seed):
    X, Z = points(5, d, seed), points(4, d, seed + 1)
    F, G = polynomial_features(X, Q, a, b), polynomial_features(Z, Q, a, b)
    scale = (a * np.abs(X) @ np.abs(Z).T + b).max() ** Q
    np.testing.assert_allclose(F @ G.T, Polynomial(Q=Q, a=a, b=b)(X, Z), rtol=1e-10,
                               atol=1e-13 * scale + 1e-300)         # a, b or powers of them may be subnormal
    assert F.shape == (5, comb(d + Q, Q))


def test_the_six_features_of_the_report():
    X = points(3, 2)
    x1, x2 = X.T
    printed = np.column_stack([np.ones(3), x1 ** 2, x2 ** 2, 2 ** .5 * x1, 2 ** .5 * x2, 2 ** .5 * x1 * x2])    # (5.6)
    ours = polynomial_features(X)
    np.testing.assert_allclose(ours, printed[:, [0, 3, 4, 1, 5, 2]], rtol=1e-15)
    np.testing.assert_allclose(ours @ ours.T, (1 + X @ X.T) ** 2, rtol=1e-13)                                   # (5.5)


def test_monomials_are_those_of_scikit_learn_in_its_order():
    peer = PolynomialFeatures(degree=4).fit(points(2, 3))
    assert monomials(3, 4).tolist() == peer.powers_.tolist()


def test_without_b_the_lower_degrees_are_zero():
    F = polynomial_features([[2.0, 3.0]], Q=2, a=1.0, b=0.0)
    np.testing.assert_allclose(F, [[0, 0, 0, 4, 2 ** .5 * 6, 9]])


@settings(max_examples=30, deadline=None)
@given(d=st.integers(1, 4), k=st.integers(1, 4), seed=st.integers(0, 999))
def test_tensor_features_repeat_the_monomials(d, k, seed):
    X = points(5, d, seed)
    psi = tensor_features(X, k)
    np.testing.assert_allclose(psi @ psi.T, (1 + X @ X.T) ** k, rtol=1e-10, atol=1e-10)
    assert psi.shape == (5, (d + 1) ** k)
    # Each monomial occurs multinomially often: the number of distinct columns is C(d + k, k).
    assert len(np.unique(psi.round(9), axis=1).T) == comb(d + k, k)


def test_a_component_of_the_tensor_map_is_the_product_it_says():
    X = points(4, 2)
    psi = tensor_features(X, 3).reshape(4, 3, 3, 3)
    np.testing.assert_allclose(psi[:, 0, 2, 1], X[:, 1] * X[:, 0])
    np.testing.assert_allclose(psi[:, 1, 1, 2], X[:, 0] ** 2 * X[:, 1])


def test_counts():
    assert (count_tensor(3, 3), count_monomials(3, 3)) == (64, 20)
    assert count_monomials(784, 4) == comb(788, 4)                     # exact, far beyond what could be stored
    assert count_tensor(784, 30) == 785 ** 30
    for d in range(1, 5):
        for Q in range(5):
            assert len(monomials(d, Q)) == count_monomials(d, Q) == len({tuple(row) for row in monomials(d, Q)})


# ---- the Gaussian ----------------------------------------------------------------------------------------
def remainder(r, degree, gamma):
    """Largest possible loss for |x|, |z| <= r: the tail of a Poisson distribution."""
    return float(poisson.sf(degree, 2 * gamma * r ** 2))


@pytest.mark.parametrize(("d", "degree"), [(1, 60), (2, 40), (3, 25)])
@pytest.mark.parametrize("sigma", [0.7, 1.0, 2.0])
def test_gaussian_features_converge_to_the_gaussian_kernel(d, degree, sigma):
    X = np.clip(points(8, d), -1.2, 1.2) / np.sqrt(d)
    F = gaussian_features(X, sigma=sigma, degree=degree)
    assert remainder(1.2, degree, 0.5 / sigma ** 2) < 1e-9
    np.testing.assert_allclose(F @ F.T, Gaussian(sigma=sigma)(X), atol=1e-9)


@settings(max_examples=60, deadline=None)
@given(d=st.integers(1, 3), degree=st.integers(0, 6), sigma=st.floats(0.3, 3), seed=st.integers(0, 999))
def test_the_remainder_is_a_bound(d, degree, sigma, seed):
    X = points(6, d, seed)
    F = gaussian_features(X, sigma=sigma, degree=degree)
    error = np.abs(F @ F.T - Gaussian(sigma=sigma)(X)).max()
    assert error <= remainder(float(np.linalg.norm(X, axis=1).max()), degree, 0.5 / sigma ** 2) + 1e-14


def test_the_remainder_is_attained():
    x = np.array([[1.5]])                                # at x = z nothing is lost in the bound
    F = gaussian_features(x, gamma=0.5, degree=3)
    assert 1 - (F @ F.T)[0, 0] == pytest.approx(remainder(1.5, 3, 0.5), rel=1e-12)


def test_one_dimension_as_printed():
    x = np.array([0.3, -1.2])
    notes = np.column_stack([x ** n / np.sqrt(factorial(n)) * np.exp(-x ** 2 / 2) for n in range(6)])
    np.testing.assert_allclose(gaussian_features(x[:, None], sigma=1.0, degree=5), notes, rtol=1e-13)
    report = np.column_stack([np.sqrt(2 ** k / factorial(k)) * x ** k * np.exp(-x ** 2) for k in range(6)])     # (5.11)
    np.testing.assert_allclose(gaussian_features(x[:, None], gamma=1.0, degree=5), report, rtol=1e-13)


def test_the_printed_map_in_d_dimensions_lacks_a_factor():
    """Errata 3 and 4 of the lecture notes: with sigma for the variance, sigma^(-n/2) is missing."""
    x, z, sigma = np.array([0.8, -0.5]), np.array([-0.4, 0.9]), 2.0
    def series(factor):
        shared = np.exp(-(x @ x + z @ z) / (2 * sigma))
        return shared * sum(factor ** n * (x @ z) ** n / factorial(n) for n in range(30))
    kernel = np.exp(-((x - z) @ (x - z)) / (2 * sigma))
    assert abs(series(1.0) - kernel) > 0.05 * kernel                   # as printed
    assert series(1 / sigma) == pytest.approx(kernel, rel=1e-14)       # corrected
    F = gaussian_features(np.array([x, z]), sigma=np.sqrt(sigma), degree=30)
    assert F[0] @ F[1] == pytest.approx(kernel, rel=1e-13)


def test_high_degrees_do_not_overflow():
    F = gaussian_features([[20.0]], sigma=1.0, degree=700)             # 20^700 = 1e910, 700! = 1e1689
    assert (F @ F.T)[0, 0] == pytest.approx(1.0, rel=1e-12)


# ---- approximations --------------------------------------------------------------------------------------
@pytest.mark.parametrize("d", [1, 3, 50])
@pytest.mark.parametrize("D", [20, 320])
def test_the_error_of_random_features_is_that_of_a_mean_of_D_draws(d, D):
    """Over 600 maps: mean 0, variance (1 - k^2 + k^4 / 2) / D for each pair of points; so it falls like 1 / sqrt(D)."""
    X = points(6, d) / np.sqrt(d)
    K = Gaussian(sigma=0.8)(X)
    errors = np.array([F @ F.T - K for F in (random_features(X, D, sigma=0.8, seed=seed) for seed in range(600))])
    spread = np.sqrt((1 - K ** 2 + K ** 4 / 2) / D)
    assert np.abs(errors.mean(axis=0) / spread).max() < 4.5 / np.sqrt(600)          # of 21 pairs, each normal nearly
    np.testing.assert_allclose(errors.std(axis=0), spread, rtol=0.17)               # 6 standard errors of a spread


def test_a_seed_is_a_map():
    X = points(5, 3)
    F = random_features(X, 40, gamma=0.5, seed=3)
    assert F.shape == (5, 40)
    np.testing.assert_allclose(random_features(X[2:3], 40, gamma=0.5, seed=3)[0], F[2], atol=1e-14)
    assert np.abs(random_features(X, 40, gamma=0.5, seed=4) - F).max() > 0.1
    np.testing.assert_array_equal(random_features(X, 40, sigma=1.0, seed=3), F)


@settings(max_examples=40, deadline=None)
@given(d=st.integers(1, 4), D=st.integers(1, 12), sigma=st.floats(0.4, 3), seed=st.integers(0, 999))
def test_landmarks_are_exact_and_nothing_is_made_larger(d, D, sigma, seed):
    X, kernel = points(12, d, seed), Gaussian(sigma=sigma)
    F = nystroem_features(X, X[:D], kernel)
    K = kernel(X)
    np.testing.assert_allclose((F @ F.T)[:D], K[:D], atol=1e-5)
    assert np.linalg.eigvalsh(K - F @ F.T).min() > -1e-5                   # a Schur complement
    if D == 12:
        np.testing.assert_allclose(F @ F.T, K, atol=1e-5)


def test_landmarks_that_span_the_feature_space_leave_no_error():
    X = points(30, 3)
    F = nystroem_features(X, X[:5], Linear())
    assert F.shape == (30, 3)                                              # five landmarks, rank three
    np.testing.assert_allclose(F @ F.T, X @ X.T, rtol=1e-10, atol=1e-12)
    ten = nystroem_features(X, np.vstack([X[:10], X[:4]]), Polynomial(Q=2))            # copies do no harm
    np.testing.assert_allclose(ten @ ten.T, Polynomial(Q=2)(X), rtol=1e-7, atol=1e-9)


# ---- lifts -----------------------------------------------------------------------------------------------
def test_paraboloid_separates_the_disc_from_the_ring():
    rng = np.random.default_rng(0)
    angle, radius = rng.uniform(0, 2 * np.pi, 100), np.r_[rng.uniform(0, 0.99, 50), rng.uniform(1.01, 2, 50)]
    T = np.column_stack([radius * np.cos(angle), radius * np.sin(angle)])
    lifted = paraboloid(T)
    np.testing.assert_allclose(lifted, np.column_stack([T[:, 0], T[:, 1], T[:, 0] ** 2 + T[:, 1] ** 2]))
    assert np.array_equal(lifted[:, 2] > 1, np.arange(100) >= 50)      # the plane t_3 = 1
    np.testing.assert_allclose(lifted @ lifted.T, T @ T.T + np.outer(radius ** 2, radius ** 2))
    np.testing.assert_allclose(Linear().map(paraboloid)(T), lifted @ lifted.T, rtol=1e-13, atol=1e-13)


def test_cone():
    X = points(6, 2)
    r = np.hypot(*X.T)
    np.testing.assert_allclose(cone(X), np.column_stack([X, -r]))
    np.testing.assert_allclose(cone(X) @ cone(X).T, X @ X.T + np.outer(r, r))


# ---- bad input -------------------------------------------------------------------------------------------
def test_bad_input_is_named():
    X = [[1.0, 2.0]]
    for bad in (0, -1, 1.5, True, "2"):
        with pytest.raises(ValueError, match="Q must be a positive integer"):
            polynomial_features(X, Q=bad)
        with pytest.raises(ValueError, match="k must be a positive integer"):
            tensor_features(X, bad)
        with pytest.raises(ValueError, match="d must be a positive integer"):
            count_monomials(bad, 2)
    with pytest.raises(ValueError, match="a must be a finite number >= 0, got -1"):
        polynomial_features(X, a=-1.0)
    with pytest.raises(ValueError, match="b must be a finite number >= 0, got nan"):
        polynomial_features(X, b=np.nan)
    with pytest.raises(ValueError, match="degree must be an integer >= 0, got -1"):
        gaussian_features(X, sigma=1.0, degree=-1)
    with pytest.raises(ValueError, match="exactly one of sigma and gamma"):
        gaussian_features(X)
    with pytest.raises(ValueError, match="D must be a positive integer, got 0"):
        random_features(X, 0, sigma=1.0)
    with pytest.raises(ValueError, match="exactly one of sigma and gamma"):
        random_features(X, 5)
    with pytest.raises(ValueError, match="seed must be an integer >= 0, got -1"):
        random_features(X, 5, sigma=1.0, seed=-1)
    with pytest.raises(ValueError, match="landmarks contains NaN"):
        nystroem_features(X, [[np.nan, 0.0]], Linear())
    for Z in (np.zeros((0, 2)), np.zeros((3, 3))):
        with pytest.raises(ValueError, match="landmarks must be at least one point with as many columns as X"):
            nystroem_features(X, Z, Linear())
    with pytest.raises(ValueError, match="kernel must be a svmlib kernel or a function"):
        nystroem_features(X, X[:1], "rbf")
    for function in (polynomial_features, paraboloid, cone, lambda X: tensor_features(X, 2)):
        with pytest.raises(ValueError, match="X must be two-dimensional"):
            function([1.0, 2.0])
        with pytest.raises(ValueError, match="X contains NaN"):
            function([[np.nan, 1.0]])


def test_too_many_features_are_refused(monkeypatch):
    for call in (lambda: polynomial_features(np.zeros((10, 784)), Q=4), lambda: tensor_features(np.zeros((1, 784)), 4),
                 lambda: gaussian_features(np.zeros((1, 100)), sigma=1.0, degree=10), lambda: monomials(784, 5),
                 lambda: random_features(np.zeros((1, 784)), 10 ** 6, sigma=1.0)):
        with pytest.raises(MemoryError, match="use the kernel"):
            call()
    monkeypatch.setattr(features, "MAX_FEATURE_BYTES", 8 * 6 * 10)
    assert polynomial_features(np.zeros((10, 2))).shape == (10, 6)
    with pytest.raises(MemoryError, match="6 components for each of 11 points"):
        polynomial_features(np.zeros((11, 2)))
