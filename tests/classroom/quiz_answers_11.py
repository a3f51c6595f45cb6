"""The answers to the quiz of chapter 11, computed."""
import numpy as np

from svmlib.kernels import Constant, Gaussian, Linear

CHAPTER = "11_hilbert_spaces_and_mercer"


def answers() -> list[list[bool]]:
    return [rounding(), cauchy_schwarz(), reproducing(), representer(), closure()]


def rounding() -> list[bool]:
    below = np.finfo(float).eps * 40 > 3e-15                      # what rounding may add to an eigenvalue
    return [not below, False, below]


def cauchy_schwarz() -> list[bool]:
    possible = [c for c in np.arange(-7, 7.25, 0.25) if np.linalg.eigvalsh([[4, c], [c, 9]])[0] >= -1e-12]
    low, high = min(possible), max(possible)
    return [(low, high) == bounds for bounds in ((-6, 6), (-6.5, 6.5), (0, 6))]


def reproducing() -> list[bool]:
    k = Gaussian(sigma=1.0)
    value = k([[0.0]], [[2.0]])[0, 0]
    t = np.linspace(-20, 20, 40_001)[:, None]
    integral = float(np.sum(k(t, [[0.0]]) * k(t, [[2.0]])) * 1e-3)
    return [bool(np.isclose(value, choice)) for choice in (0.0, np.exp(-2), integral)]


def representer() -> list[bool]:
    """Does taking the part of w that is orthogonal to the data away ever make the regulariser larger?"""
    rng = np.random.default_rng(0)
    covered = []
    for regulariser in (lambda w: w @ w, lambda w: np.abs(w).sum(), lambda w: np.exp(np.linalg.norm(w))):
        grows = False
        for _ in range(200):
            w, x = rng.normal(size=(2, 3))
            grows |= bool(regulariser(x * (w @ x) / (x @ x)) > regulariser(w) + 1e-9)
        covered.append(not grows)
    return [not c for c in covered]


def closure() -> list[bool]:
    """A choice that fails for one pair of kernels at one set of points is not certain."""
    X = np.random.default_rng(0).normal(size=(12, 1))
    k1s, certain = (Constant(1.0), Gaussian(sigma=1.0), Linear()), [True, True, True]
    for k1 in k1s:
        for k2 in k1s:
            K1, K2 = k1(X), k2(X)
            for j, K in enumerate((K1 - K2 / 2, np.minimum(K1, K2), (K1 + 1) ** 3 * K2)):
                certain[j] &= bool(np.linalg.eigvalsh(K)[0] > -1e-8 * np.abs(K).max())
    return certain
