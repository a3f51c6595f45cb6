"""Kernels: values, the closure operations of the slides, what is not a kernel, and parameters."""
import operator
import pickle
import re
import warnings
from copy import deepcopy
from fractions import Fraction
from functools import reduce
from math import exp, pi, sqrt, tanh

import numpy as np
import pytest
import sklearn.metrics.pairwise as peer
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.sparse import csr_matrix
from sklearn.base import clone

from svmlib import SVC, kernels
from svmlib.kernels import (
    Constant,
    Function,
    Gaussian,
    Kernel,
    Linear,
    Mapped,
    NotPSDWarning,
    Polynomial,
    Precomputed,
    Product,
    Scaled,
    Sigmoid,
    Sum,
    as_kernel,
)
from svmlib.kernels.psd import PSDReport

INDEFINITE = np.array([[1.0, 2.0], [2.0, 1.0]])          # eigenvalues 3 and -1


def square(X):
    """A feature map for `map`; a function of the module, so that it can be pickled and cloned."""
    return np.hstack([X, X ** 2])


def dot(X, Z):
    """A user's kernel function."""
    return X @ Z.T


with warnings.catch_warnings():
    warnings.simplefilter("ignore", NotPSDWarning)
    DIFFERENCE = Linear() - Gaussian(sigma=1.0)
    A_INDEFINITE = Linear(A=INDEFINITE)

PSD = [
    Linear(), Linear(A=np.array([[2.0, 1.0], [1.0, 2.0]])), Polynomial(), Polynomial(Q=3, a=0.5, b=2.0),
    Polynomial(Q=5, a=1.0, b=0.0), Gaussian(sigma=0.7), Gaussian(gamma=2.0), Gaussian(sigma=2.0, normalized=True),
    Constant(2.0), Linear() + Gaussian(sigma=1.0), 3 * Linear(), Linear() * Polynomial(Q=2), Gaussian(gamma=1.0) ** 3,
    Linear().map(square), Gaussian(gamma=0.1).map(square), Linear() + 1, 0.0 * Gaussian(sigma=1.0),
]
ALL = [*PSD, Sigmoid(), Sigmoid(kappa=0.5, delta=1.0), DIFFERENCE, A_INDEFINITE, Function(dot), as_kernel(dot)]


def name(kernel):
    """The repr without addresses, so that all workers of a parallel run collect the same tests."""
    return re.sub(r" at 0x\w+", "", repr(kernel)) if isinstance(kernel, Kernel) else None


def points(n, d=2, seed=0):
    return np.random.default_rng(seed).normal(size=(n, d))


# ---- what every kernel does ------------------------------------------------------------------------------
@pytest.mark.parametrize("kernel", ALL, ids=name)
def test_gram_blocks(kernel):
    X, Z = points(30), points(7, seed=1)
    K = kernel(X)
    assert K.shape == (30, 30)
    assert K.dtype == np.float64
    np.testing.assert_array_equal(K, K.T)                              # symmetric to the last bit
    np.testing.assert_allclose(kernel.diag(X), K.diagonal(), rtol=1e-12, atol=1e-12)
    np.testing.assert_allclose(kernel(X, X.copy()), K, rtol=1e-11, atol=1e-12)
    np.testing.assert_allclose(kernel(X[:5], X), K[:5], rtol=1e-11, atol=1e-12)
    one_by_one = [[kernel([x], [z])[0, 0] for z in Z] for x in X]
    np.testing.assert_allclose(kernel(X, Z), one_by_one, rtol=1e-11, atol=1e-12)
    np.testing.assert_allclose(kernel(X.astype(np.float32)), K, rtol=1e-3, atol=1e-3)
    before = X.copy()
    kernel(X)[:] = 0
    np.testing.assert_array_equal(X, before)                           # the points are left alone


@pytest.mark.parametrize("kernel", PSD, ids=name)
@settings(max_examples=15, deadline=None)
@given(seed=st.integers(0, 10_000), n=st.integers(1, 25), scale=st.floats(0.01, 30))
def test_kernels_are_positive_semidefinite(kernel, seed, n, scale):
    X = scale * points(n, 2, seed)
    assert kernel.psd
    assert kernel.is_psd(np.vstack([X, X[:1]]))                        # with a duplicate


@settings(max_examples=25, deadline=None)
@given(n=st.integers(1, 12), d=st.integers(1, 4), seed=st.integers(0, 999))
def test_comparison_with_scikit_learn(n, d, seed):
    X, Z = points(n, d, seed), points(5, d, seed + 1)
    same = {"rtol": 1e-10, "atol": 1e-12}
    np.testing.assert_allclose(Linear()(X, Z), peer.linear_kernel(X, Z), **same)
    np.testing.assert_allclose(Polynomial(Q=3, a=0.5, b=2.0)(X, Z), peer.polynomial_kernel(X, Z, 3, 0.5, 2.0), **same)
    np.testing.assert_allclose(Gaussian(gamma=0.3)(X, Z), peer.rbf_kernel(X, Z, 0.3), **same)
    np.testing.assert_allclose(Sigmoid(kappa=0.5, delta=1.0)(X, Z), peer.sigmoid_kernel(X, Z, 0.5, -1.0), **same)


# ---- values ----------------------------------------------------------------------------------------------
def test_values_by_hand():
    x, z = [[1.0, 2.0]], [[3.0, -1.0]]                                 # x'z = 1, |x - z|^2 = 13
    assert Linear()(x, z) == 1
    assert Linear(A=np.array([[2.0, 1.0], [1.0, 3.0]]))(x, z) == 1 * (2 * 3 - 1) + 2 * (3 - 3)
    assert Polynomial(Q=4, a=2.0, b=1.0)(x, z) == 81
    assert Gaussian(sigma=2.0)(x, z)[0, 0] == pytest.approx(exp(-13 / 8), rel=1e-15)
    assert Sigmoid(kappa=2.0, delta=0.5)(x, z)[0, 0] == pytest.approx(tanh(1.5), rel=1e-15)
    assert Constant(3)(x, z) == 3


@pytest.mark.parametrize("Q", [1, 2, 3, 4, 5, 7, 8, 12])
def test_powers_are_exact(Q):
    X = np.array([[1.0], [2.0], [-3.0]])
    assert Polynomial(Q=Q)(X).tolist() == [[float((1 + x * z) ** Q) for z in (1, 2, -3)] for x in (1, 2, -3)]


@settings(max_examples=40, deadline=None)
@given(sigma=st.floats(0.05, 20))
def test_parametrisations_of_the_gaussian(sigma):
    X = points(8)
    by_sigma, by_gamma = Gaussian(sigma=sigma), Gaussian(gamma=1 / (2 * sigma ** 2))
    np.testing.assert_allclose(by_sigma(X), by_gamma(X), rtol=1e-10)
    assert by_gamma.sigma == pytest.approx(sigma)
    assert by_sigma.gamma == pytest.approx(by_gamma.gamma)
    prefactor = 1 / sqrt(2 * pi * sigma ** 2)                          # of the programming sheet
    for normalized in (Gaussian(sigma=sigma, normalized=True), Gaussian(gamma=by_gamma.gamma, normalized=True)):
        np.testing.assert_allclose(normalized(X), prefactor * by_sigma(X), rtol=1e-10)
        np.testing.assert_allclose(normalized.diag(X), prefactor)
        assert normalized.factor == pytest.approx(prefactor)


def test_prefactor_rescales_C():
    """c k with the bound C is k with the bound c C: the effective C of the programming sheet at C = 10."""
    effective = [10 * Gaussian(sigma=sigma, normalized=True).factor for sigma in (0.125, 0.5, 2.0)]
    assert np.round(effective, 2).tolist() == [31.92, 7.98, 1.99]


@pytest.mark.parametrize("d", [1, 2, 16, 17, 50])
@pytest.mark.parametrize("origin", [0.0, 1e3, 1e7])
def test_gaussian_far_from_the_origin(d, origin):
    X = origin + np.random.default_rng(0).integers(-8, 9, (12, d)) / 8.0          # exact in float64 wherever the origin
    Z = X[:5] + 0.25
    K, L = Gaussian(gamma=0.5)(X, Z), Gaussian(gamma=0.5)(X)
    def exactly(x, z):
        return exp(-0.5 * float(sum((Fraction(a) - Fraction(b)) ** 2 for a, b in zip(x, z, strict=True))))
    np.testing.assert_allclose(K, [[exactly(x, z) for z in Z] for x in X], rtol=1e-11)
    np.testing.assert_allclose(L, [[exactly(x, z) for z in X] for x in X], rtol=1e-11)
    np.testing.assert_array_equal(L.diagonal(), 1.0)
    np.testing.assert_array_equal(L, L.T)


@pytest.mark.parametrize("d", [2, 40])
def test_gaussian_never_exceeds_one(d):
    X = np.repeat(1e4 * points(10, d), 3, axis=0)
    K = Gaussian(sigma=1e-3)(X, X.copy())
    assert K.max() <= 1
    assert Gaussian(sigma=1e-3)(X).diagonal().tolist() == [1.0] * 30


# ---- closure operations (slides 39) ----------------------------------------------------------------------
def test_algebra_on_gram_matrices():
    X, Z = points(9), points(4, seed=3)
    k1, k2 = Polynomial(Q=2), Gaussian(sigma=1.0)
    A, B = k1(X, Z), k2(X, Z)
    F, G = square(X), square(Z)
    pairs = [(k1 + k2, A + B), (3 * k1, 3 * A), (k1 * 3, 3 * A), (np.float64(3) * k1, 3 * A), (k1 * k2, A * B),
             (k1 ** 3, A ** 3), (k1 ** 1, A), (k1 + 2, A + 2), (2 + k1, A + 2), (k1 + dot, A + X @ Z.T),
             (k1.map(square), (F @ G.T + 1) ** 2), (np.int64(2) * (k1 + k2) * k2, 2 * (A + B) * B)]
    for kernel, expected in pairs:
        assert isinstance(kernel, Kernel)
        np.testing.assert_allclose(kernel(X, Z), expected, rtol=1e-12)
        np.testing.assert_allclose(kernel.diag(X), kernel(X).diagonal(), rtol=1e-12)
    with pytest.warns(NotPSDWarning):
        difference = k1 - k2
    np.testing.assert_allclose(difference(X, Z), A - B)


def test_sum_and_product_have_the_features_that_make_them_kernels():
    X = points(6)
    F, G = square(X), X ** 3
    k1, k2 = Linear().map(square), Linear().map(lambda X: X ** 3)
    side_by_side = np.hstack([F, G])
    all_products = (F[:, :, None] * G[:, None, :]).reshape(6, -1)
    np.testing.assert_allclose((k1 + k2)(X), side_by_side @ side_by_side.T, rtol=1e-12)
    np.testing.assert_allclose((k1 * k2)(X), all_products @ all_products.T, rtol=1e-12)


def test_what_the_algebra_knows_about_definiteness():
    gauss, line, sigmoid = Gaussian(sigma=1.0), Linear(), Sigmoid()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", NotPSDWarning)
        minus, minus_sigmoid, indefinite = -1 * line, -2.0 * sigmoid, Linear(A=INDEFINITE)
        difference = line - gauss
    psd = {line + gauss: True, line * gauss: True, 2 * line: True, line.map(square): True, line + sigmoid: None,
           line * sigmoid: None, minus: False, minus_sigmoid: None, difference: None, Function(dot): None,
           sigmoid: False, 2 * sigmoid: False, indefinite: False, Precomputed(): None}
    assert {repr(k): k.psd for k in psd} == {repr(k): v for k, v in psd.items()}
    strict = {line: False, gauss: True, line + gauss: True, gauss + 1: True, gauss * gauss: True, line * gauss: False,
              2 * gauss: True, 0 * gauss: False, gauss + sigmoid: False, gauss.map(square): False}
    assert {repr(k): k.strictly_positive for k in strict} == {repr(k): v for k, v in strict.items()}


def test_strictly_positive_kernels_have_regular_gram_matrices():
    X = np.arange(6.0)[:, None]
    for kernel in (Gaussian(sigma=1.0), Linear() + Gaussian(sigma=1.0), Gaussian(sigma=1.0) * Gaussian(sigma=2.0)):
        assert kernel.strictly_positive
        assert np.linalg.eigvalsh(kernel(X))[0] > 1e-4
    assert abs(np.linalg.eigvalsh(Linear()(X))[0]) < 1e-10


# ---- what is not a kernel --------------------------------------------------------------------------------
def test_difference_of_kernels():
    with pytest.warns(NotPSDWarning, match="c = -1 < 0"):
        k = Linear() - Gaussian(sigma=1.0)
    report = k.is_psd([[0.0]])                                         # 0 - 1
    assert not report
    assert report.smallest == -1


def test_negative_multiple():
    with pytest.warns(NotPSDWarning, match="c = -1 < 0") as caught:
        k = -1 * Gaussian(sigma=1.0)
    assert caught[0].filename == __file__                              # the warning points to the user's line
    assert not k.is_psd([[0.0]])
    with pytest.warns(NotPSDWarning) as caught:
        Scaled(Linear(), -2.0)
    assert caught[0].filename == __file__


def test_indefinite_matrix():
    with pytest.warns(NotPSDWarning, match="eigenvalue -1"):
        k = Linear(A=INDEFINITE)
    assert k([[1.0, -1.0]])[0, 0] == -2
    assert not k.is_psd(points(5))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        Linear(A=np.ones((2, 2)))                                      # singular, but PSD


def test_polynomial_with_a_negative_constant():
    """Erratum report 14: (x x' - 1)^2 and (-x x' + 1)^3 are printed as kernels."""
    X = np.linspace(-2, 2, 9)[:, None]
    for a, b, Q in [(1.0, -1.0, 2), (-1.0, 1.0, 3)]:
        with pytest.warns(NotPSDWarning, match="negative"):
            k = Polynomial(Q=Q, a=a, b=b)
        assert k.psd is None
        assert not k.is_psd(X)
    with pytest.warns(NotPSDWarning):
        even = Polynomial(Q=2, a=-1.0, b=0.0)                          # (-x'z)^2 happens to be one
    with pytest.warns(NotPSDWarning, match="may be indefinite"):
        both = Polynomial(Q=2, a=-1.0, b=-1.0)                         # and so is (-x'z - 1)^2 = (x'z + 1)^2
    assert even.is_psd(X)
    np.testing.assert_array_equal(both(X), Polynomial(Q=2)(X))


def test_sigmoid_is_no_kernel_even_for_one_point():
    assert Sigmoid(delta=1.0)([[0.0]])[0, 0] == pytest.approx(tanh(-1))
    assert not Sigmoid(delta=1.0).is_psd([[0.0]])
    assert np.linalg.det(Sigmoid()([[1.0], [2.0]])) < 0                # nor for delta = 0


def test_gaussian_with_the_printed_sign():
    """Erratum report 15: exp(+gamma d^2) has a negative eigenvalue for any two points."""
    printed = Function(lambda X, Z: 1 / Gaussian(gamma=1.0)(X, Z))
    assert printed.is_psd([[0.0], [1.0]]).smallest == pytest.approx(1 - np.e)


def test_psd_report():
    report = Gaussian(sigma=1.0).is_psd([[0.0], [1.0]])
    assert report.smallest == pytest.approx(1 - exp(-0.5))
    assert report.largest == pytest.approx(1 + exp(-0.5))
    assert repr(report).startswith("PSD: eigenvalues from 0.393 to 1.61")
    assert repr(Sigmoid(delta=1.0).is_psd([[0.0]])).startswith("not PSD: eigenvalues from -0.762")
    assert PSDReport(-1e-12, 1.0, 1e-10)
    assert not PSDReport(-1e-9, 1.0, 1e-10)
    assert Linear().is_psd([[0.0]])                                    # the zero matrix


# ---- user functions and precomputed matrices -------------------------------------------------------------
@pytest.mark.parametrize(("function", "message"), [
    (lambda X, Z: X @ X.T, r"must return an array of shape \(3, 2\) for 3 and 2 points, got \(3, 3\)"),
    (lambda X, Z: 1.0, r"shape \(3, 2\) for 3 and 2 points, got \(\)"),
    (lambda X, Z: np.full((3, 2), np.nan), "returned NaN or infinity"),
])
def test_functions_that_return_something_else(function, message):
    with pytest.raises(ValueError, match=message):
        Function(function)(points(3), points(2))


def test_function_that_is_not_symmetric():
    shear = Function(lambda X, Z: X @ np.array([[1.0, 1.0], [0.0, 1.0]]) @ Z.T)
    with pytest.raises(ValueError, match="must return a symmetric matrix for X with itself; it differs"):
        shear(points(3))
    assert shear(points(3), points(2)).shape == (3, 2)


def test_precomputed():
    K = Gaussian(sigma=1.0)(points(5))
    k = Precomputed()
    np.testing.assert_array_equal(k(K), K)
    np.testing.assert_array_equal(k.diag(K), np.ones(5))
    skew = K.copy()
    skew[0, 1] += 0.25
    with pytest.raises(ValueError, match=r"X must be a symmetric Gram matrix .* differs from its transpose by 0\.25"):
        k(skew)
    k(K + 1e-12 * points(5, 5))                                        # rounding is forgiven
    with pytest.raises(ValueError, match=r"X must be the square Gram matrix .* got shape \(2, 5\)"):
        k(K[:2])
    with pytest.raises(ValueError, match="has no blocks between two sets of points"):
        k(K, K[:2])
    assert not k.is_psd(INDEFINITE)


def test_as_kernel():
    k = Linear()
    assert as_kernel(k) is k
    assert isinstance(as_kernel(2), Constant)
    assert isinstance(as_kernel(dot), Function)
    for bad in ("rbf", None, Linear, True, object()):
        with pytest.raises(ValueError, match="kernel must be a svmlib kernel or a function"):
            as_kernel(bad)


def test_a_kernel_of_ones_own():
    class Minimum(Kernel):
        """min(x, z) on the positive half-line, the covariance of Brownian motion."""

        psd = True

        def block(self, X, Z):
            return np.minimum(X, Z.T)

    k = Minimum() + 1
    X = np.array([[0.5], [2.0], [1.0]])
    assert k(X).tolist() == [[1.5, 1.5, 1.5], [1.5, 3, 2], [1.5, 2, 2]]
    assert k.diag(X).tolist() == [1.5, 3, 2]                           # without a diagonal of its own
    assert k.is_psd(X)
    with pytest.raises(TypeError, match="Kernel does not define a Gram block"):
        Kernel()(X)


@pytest.mark.parametrize("sigma", [1e-200, 1e200])
def test_a_sigma_whose_square_is_no_number_is_refused(sigma):
    with pytest.raises(ValueError, match="sigma must lie between 1e-150 and 1e150"):
        Gaussian(sigma=sigma)
    assert Gaussian(sigma=1.0).set_params(sigma=2.0).gamma == 0.125


# ---- bad input -------------------------------------------------------------------------------------------
@pytest.mark.parametrize(("X", "message"), [
    ([1.0, 2.0], r"X must be two-dimensional, one point per row, got shape \(2,\).*X\.reshape\(-1, 1\)"),
    ([[np.inf, 1.0]], "X contains NaN or infinity"),
    ([["a", "b"]], r"X must hold real numbers, got an array of <U1; for strings use a kernel of svmlib\.kernels"),
])
@pytest.mark.parametrize("kernel", [Gaussian(sigma=1.0), Linear() + 1, Linear().map(square), Function(dot)], ids=name)
def test_bad_points(kernel, X, message):
    """Each kind of kernel asks as_points, whose refusals are in tests/svmlib/test_validation.py."""
    with pytest.raises(ValueError, match=message):
        kernel(X)


@pytest.mark.parametrize("kernel", [Linear() + 1, Linear().map(square), Function(dot), Precomputed()], ids=name)
def test_points_must_be_dense_where_a_kernel_is_not_of_vectors_alone(kernel):
    with pytest.raises(ValueError, match=r"X must be a dense array, got a sparse matrix; give X\.toarray\(\)"):
        kernel(csr_matrix([[1.0, 2.0]]))


def test_bad_second_set_of_points():
    with pytest.raises(ValueError, match=r"Z must have as many columns as X, got shape \(1, 3\) for \(2, 2\)"):
        Linear()(points(2), [[1.0, 2.0, 3.0]])
    with pytest.raises(ValueError, match="Z contains NaN"):
        Linear()(points(2), [[1.0, np.nan]])


@pytest.mark.parametrize(("make", "message"), [
    (Gaussian, "give exactly one of sigma and gamma"),
    (lambda: Gaussian(sigma=1.0, gamma=1.0), "give exactly one of sigma and gamma"),
    (lambda: Gaussian(sigma=0.0), "sigma must be a finite number > 0, got 0"),
    (lambda: Gaussian(gamma=-1.0), "gamma must be a finite number > 0, got -1"),
    (lambda: Gaussian(sigma=np.inf), "sigma must be"),
    (lambda: Gaussian(sigma="1"), "sigma must be a finite number > 0, got '1'"),
    (lambda: Polynomial(Q=0), "Q must be a positive integer, got 0"),
    (lambda: Polynomial(Q=2.5), "Q must be a positive integer, got 2.5"),
    (lambda: Polynomial(Q=True), "Q must be a positive integer, got True"),
    (lambda: Polynomial(a=np.nan), "a must be a finite number, got nan"),
    (lambda: Polynomial(b="1"), "b must be a finite number"),
    (lambda: Sigmoid(kappa=None), "kappa must be a finite number, got None"),
    (lambda: Sigmoid(delta=np.inf), "delta must be a finite number, got inf"),
    (lambda: Linear(A=[[1.0, 2.0], [0.0, 1.0]]), "A must be a symmetric matrix"),
    (lambda: Linear(A=[[1.0, 2.0]]), r"A must be a symmetric matrix, got shape \(1, 2\)"),
    (lambda: Constant(-1.0), "c must be a finite number >= 0, got -1"),
    (lambda: Scaled(Linear(), np.nan), "c must be a finite number"),
    (lambda: Linear() ** 0, "Q must be a positive integer"),
    (lambda: Linear() ** 1.5, "Q must be a positive integer"),
    (lambda: Linear().map(3), "phi must be a function of points, got 3"),
    (lambda: Function(3), "function must be callable"),
    (lambda: Linear() + "rbf", "kernel must be a svmlib kernel"),
    (lambda: Linear().map(lambda X: X[:1])(points(3)), "phi must give one row for each of the 3 points, got 1"),
    (lambda: Linear().map(lambda X: X[:, 0])(points(3)), r"phi\(X\) must be two-dimensional"),
])
def test_bad_parameters(make, message):
    with pytest.raises(ValueError, match=message):
        make()


# ---- parameters ------------------------------------------------------------------------------------------
@pytest.mark.filterwarnings("ignore::svmlib.kernels.NotPSDWarning")
@pytest.mark.parametrize("kernel", [k for k in ALL if k is not A_INDEFINITE] + [Precomputed()], ids=name)
def test_clone_pickle_parameters_and_repr(kernel):
    X = points(6)
    X = X @ X.T if isinstance(kernel, Precomputed) else X
    scope = {name: getattr(kernels, name) for name in kernels.__all__}
    text = repr(kernel).replace(f"<function square at {hex(id(square))}>", "square")
    text = text.replace(f"<function dot at {hex(id(dot))}>", "dot")
    again = eval(text, {**scope, "array": np.array, "square": square, "dot": dot})
    rebuilt = type(kernel)(**kernel.get_params(deep=False))
    for other in (clone(kernel), pickle.loads(pickle.dumps(kernel)), again, rebuilt):
        assert type(other) is type(kernel)
        assert repr(other) == repr(kernel)
        np.testing.assert_array_equal(other(X), kernel(X))


def test_repr_shows_what_differs_from_the_default():
    assert repr(Polynomial()) == "Polynomial()"
    assert repr(Polynomial(Q=4, a=1)) == "Polynomial(Q=4)"
    assert repr(Gaussian(gamma=0.5)) == "Gaussian(gamma=0.5)"
    assert repr(2 * Linear() + Gaussian(sigma=1.0)) == (
        "Sum(k1=Scaled(kernel=Linear(), c=2), k2=Gaussian(sigma=1.0))")
    assert Linear()._repr_mimebundle_() == {"text/plain": "Linear()"}


def test_set_params_checks_and_rolls_back():
    k = Polynomial(Q=2)
    assert k.set_params(Q=3, b=2.0) is k
    assert (k.Q, k.b) == (3, 2.0)
    for bad in ({"Q": 0}, {"b": np.nan}, {"degree": 3}):
        with pytest.raises(ValueError, match=r"Q must|b must|Invalid parameter 'degree'"):
            k.set_params(**bad)
        assert (k.Q, k.b) == (3, 2.0)


def test_set_params_of_the_gaussian_switches_the_parametrisation():
    k = Gaussian(sigma=2.0, normalized=True)
    assert k.set_params(gamma=0.5).get_params() == {"sigma": None, "gamma": 0.5, "normalized": True}
    assert k.sigma == 1.0
    assert k.set_params(normalized=False).factor == 1.0
    for bad, message in [({"sigma": -1.0}, "sigma must be"), ({"sigma": 1.0, "gamma": 1.0}, "exactly one"),
                         ({"width": 1.0}, "Gaussian has no parameter 'width'")]:
        with pytest.raises(ValueError, match=message):
            k.set_params(**bad)
        assert k.get_params() == {"sigma": None, "gamma": 0.5, "normalized": False}


def test_nested_parameters():
    k = 2 * Polynomial(Q=2) + Gaussian(sigma=1.0)
    assert k.get_params()["k1__kernel__Q"] == 2
    k.set_params(k1__kernel__Q=3, k1__c=4.0, k2__gamma=2.0)
    assert repr(k) == "Sum(k1=Scaled(kernel=Polynomial(Q=3), c=4.0), k2=Gaussian(gamma=2.0))"
    with pytest.raises(ValueError, match="Q must"):
        k.set_params(k1__kernel__Q=-1)
    assert k.k1.kernel.Q == 3


def test_star_import_brings_all_that_a_repr_needs():
    assert {"Sum", "Product", "Scaled", "Mapped", "Constant", "Function"} <= set(kernels.__all__)
    assert [type(k) for k in (Linear() + 1, Linear() * Linear(), 2 * Linear(), Linear().map(square))] == [
        Sum, Product, Scaled, Mapped]


@pytest.mark.parametrize("join", [operator.add, operator.mul])
def test_three_hundred_kernels_are_one(join):
    """To copy, to show, to store and to fit it takes no call for each of them."""
    X = np.random.default_rng(0).normal(size=(20, 2))
    kernels = [Gaussian(sigma=20.0 + i) for i in range(300)]
    kernel = reduce(join, kernels)
    values = reduce(join, [part(X) for part in kernels])
    for form in (kernel, deepcopy(kernel), clone(kernel), pickle.loads(pickle.dumps(kernel)), eval(repr(kernel))):
        np.testing.assert_allclose(form(X), values, rtol=1e-12)
    assert kernel.psd
    assert kernel.strictly_positive
    machine = SVC(kernel, C=1e3).fit(X, np.sign(X[:, 0]))
    assert machine.predict(X).shape == (20,)
    np.testing.assert_allclose((Gaussian(sigma=90.0) ** 300)(X), Gaussian(sigma=90.0)(X) ** 300, rtol=1e-11)


def test_a_few_kernels_are_joined_from_the_left():
    a, b, c, d = Gaussian(sigma=1.0), Linear(), Gaussian(sigma=2.0), Linear()
    assert repr(a + b + c + d) == f"Sum(k1=Sum(k1=Sum(k1={a!r}, k2={b!r}), k2={c!r}), k2={d!r})"
    assert repr(a ** 3) == f"Product(k1={a!r}, k2=Product(k1={a!r}, k2={a!r}))"
