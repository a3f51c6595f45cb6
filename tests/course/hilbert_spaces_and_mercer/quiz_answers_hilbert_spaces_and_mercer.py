"""The quiz of this chapter, computed."""
import warnings

import numpy as np

from svmlib import DualProblem, NotPSDWarning, solve
from svmlib.kernels import Gaussian, Sigmoid


def answers() -> list[list[bool]]:
    return [rounding(), cauchy_schwarz(), reproducing(), representer(), summits()]


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


def summits() -> list[bool]:
    """Two points that satisfy the KKT conditions, one lower than the other: four points, a sigmoid."""
    problem = DualProblem(Sigmoid(kappa=1.0, delta=1.0), [[1.2], [-1.1], [-2.3], [-1.1]], [1, 1, -1, -1], C=1.0)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", NotPSDWarning)
        ends = [solve(problem, tol=1e-9, alpha0=np.array(start, float)) for start in ([0, 1, 1, 0], [0, 1, 0, 1])]
    satisfied = all(end.violation < 1e-8 for end in ends)
    lower = ends[1].objective < ends[0].objective - 0.01
    a_kernel = bool(Sigmoid(kappa=1.0, delta=1.0).is_psd([[0.0]]))
    return [satisfied and not lower, satisfied and lower, a_kernel, not satisfied]
