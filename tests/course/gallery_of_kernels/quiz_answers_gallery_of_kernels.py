"""The quiz of this chapter, computed."""
import numpy as np

from svmlib import SVC
from svmlib.data import xs_kernel
from svmlib.kernels import Gaussian

POINTS = np.random.default_rng(0).normal(size=(30, 2))


def psd(K: np.ndarray) -> bool:
    values = np.linalg.eigvalsh(K)
    return bool(values[0] >= -1e-9 * abs(values).max())


def answers() -> list[list[bool]]:
    return [halfway(), decimetres(), polynomials(), closure(), spelling()]


def halfway() -> list[bool]:
    f = (Gaussian(gamma=1.0)([[1.0]], [[0.0], [2.0]]) @ [-1.0, 1.0])[0] - 0.3
    return [f < 0, f > 0, f == 0]


def decimetres() -> list[bool]:
    X, y = xs_kernel()
    before = SVC(Gaussian(gamma=2.0), C=10, tol=1e-8).fit(X, y).decision_function(X)
    return [np.allclose(SVC(Gaussian(gamma=gamma), C=10, tol=1e-8).fit(10 * X, y).decision_function(10 * X), before,
                        atol=1e-5) for gamma in (0.02, 0.2, 200, 2)]


def polynomials() -> list[bool]:
    t = POINTS @ POINTS.T
    return [psd(K) for K in ((t - 1) ** 2, (-2 * t - 1) ** 2, (2 * t) ** 3, (-t - 1) ** 3)]


def closure() -> list[bool]:
    """On a Gaussian and on constant kernels: each wrong choice fails on one of them."""
    kernels = [Gaussian(sigma=1.0)(POINTS), POINTS @ POINTS.T, np.zeros((30, 30)), np.full((30, 30), 3.0)]
    rules = (lambda K: K**2, lambda K: K - 1, lambda K: 1 + K + K**2, lambda K: 2 - K)
    return [all(psd(rule(K)) for K in kernels) for rule in rules]


def spelling() -> list[bool]:
    x, z, sigma = np.array([[0.3, 1.0]]), np.array([[2.0, -0.5]]), 2.0
    printed = np.exp(-np.sum((x - z) ** 2) / (2 * sigma))
    return [np.isclose(Gaussian(gamma=gamma)(x, z)[0, 0], printed) for gamma in (1 / 8, 1 / 4, 2)]
