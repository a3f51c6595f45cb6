"""The quiz of this chapter, computed."""
import numpy as np

from svmlib import DualProblem, solve
from svmlib.kernels import Gaussian, Polynomial
from svmlib.kernels.feature_maps import random_features


def answers() -> list[list[bool]]:
    return [intensity(), support_vectors_in_S(), forecast(), low_rank(), iteration(), waves()]


def nearest(value: float, choices: tuple[float, ...]) -> list[bool]:
    """Which of the choices is nearest in ratio."""
    distance = np.abs(np.log(np.array(choices) / value))
    return [bool(d == distance.min()) for d in distance]


def intensity() -> list[bool]:
    n = d = 4000
    row, block = (m * n * d / (m * d + n * d + m * n) for m in (1, 64))
    return nearest(block / row, (1, 64, 64**2, 8))


def support_vectors_in_S() -> list[bool]:
    """Solve on the support vectors and fifty others, and check all points; and on sixteen points, likewise."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(400, 2))
    y = np.where(X[:, 0] * X[:, 1] + 0.3 * rng.normal(size=400) > 0, 1, -1)
    kernel, C = Gaussian(sigma=1.0), 10.0
    whole = solve(DualProblem(kernel, X, y, C=C), "smo", tol=1e-6)

    def worst(S: np.ndarray) -> float:
        s = solve(DualProblem(kernel, X[S], y[S], C=C), "smo", tol=1e-6)
        f = kernel(X, X[S]) @ (s.alpha * y[S]) + s.b
        outside = np.setdiff1d(np.arange(400), S)
        return float((1 - y * f)[outside].max())

    enough = worst(np.union1d(whole.support, rng.permutation(400)[:50])) < 1e-4
    always = enough and worst(rng.permutation(400)[:16]) < 1e-4
    return [enough and not always, not enough, always]


def forecast() -> list[bool]:
    return nearest(100**0.1, (1.1, 1.6, 10, 100))


def low_rank() -> list[bool]:
    """n d^2 against n^3 / 3 with the numerical rank for d, measured on 1,500 points where n is larger."""
    rng = np.random.default_rng(0)

    def rank(K: np.ndarray) -> int:
        values = np.linalg.eigvalsh(K)
        return int(np.sum(values > 1e-12 * values.max()))

    plane = rng.normal(size=(1500, 2))
    cases = [(10_000, 20), (50_000, rank(Polynomial(Q=3, a=1.0, b=1.0)(plane))),
             (10_000, rank(Gaussian(sigma=2.0)(plane))), (100, 5000)]
    assert cases[1][1] == 10
    assert 60 < cases[2][1] < 150
    assert rank(Gaussian(sigma=2.0)(plane)) < 1.3 * rank(Gaussian(sigma=2.0)(plane[:750]))
    return [3 * n * d**2 < n**3 / 3 for n, d in cases]


def iteration() -> list[bool]:
    """Operations of the parts; K is no part of an iteration."""
    n, d = 10**6, 20
    parts = [n * d**2, d**3 / 3, n, 0]
    return [part == max(parts) for part in parts]


def waves() -> list[bool]:
    """The error of 100 waves beside that of 100 others, of 200 and of 400; and in 2 and in 50 dimensions."""
    def off(D: int, first: int = 0, d: int = 10) -> float:
        X = np.random.default_rng(0).normal(size=(30, d)) / np.sqrt(d)
        K, pairs = Gaussian(sigma=1.0)(X), np.triu_indices(30, 1)
        maps = (random_features(X, D, sigma=1.0, seed=seed) for seed in range(first, first + 100))
        return float(np.sqrt(np.mean([(F @ F.T - K)[pairs] ** 2 for F in maps])))

    halved = [bool(abs(off(D, first) / off(100) - 0.5) < 0.05) for D, first in ((100, 1000), (200, 0), (400, 0))]
    other = [off(400, d=d) / off(100, d=d) for d in (2, 50)]
    return [*halved, abs(other[0] - other[1]) > 0.05]
