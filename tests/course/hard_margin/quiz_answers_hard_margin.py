"""The quiz of this chapter, computed."""
import numpy as np

from svmlib import SVC
from svmlib.kernels import Linear
from svmlib.solvers.interior_point import solve_qp


def hard(X, y) -> SVC:
    X = np.array(X, float)
    return SVC(Linear(), C=np.inf, tol=1e-10).fit(X.reshape(len(X), -1), y)


def answers() -> list[list[bool]]:
    return [distance_twice(), two_points(), unchanged(), triangle(), hidden_bias()]


def distance_twice() -> list[bool]:
    once, tripled = (abs(c * (np.dot([3, 4], [2, 6]) - 10)) / np.linalg.norm([3 * c, 4 * c]) for c in (1, 3))
    return [bool(np.allclose((once, tripled), pair)) for pair in ((4, 4), (20, 60), (4, 12), (0.8, 0.8))]


def two_points() -> list[bool]:
    w = hard([[0, 0], [3, 4]], [-1, 1]).coef_[0]
    return [bool(np.allclose(w, choice)) for choice in ((3, 4), (0.6, 0.8), (0.24, 0.32))]


def unchanged() -> list[bool]:
    old = hard([0, 4, 6], [-1, 1, 1])
    changed = [hard([0, 4], [-1, 1]), hard([0, 4, 6, 4.1], [-1, 1, 1, 1]), hard([0, 6], [-1, 1]),
               hard([0, 4, 6, 0.1], [-1, 1, 1, -1])]
    at = [[0.0], [1.0]]
    return [bool(np.allclose(m.decision_function(at), old.decision_function(at))) for m in changed]


def triangle() -> list[bool]:
    half = hard([[0, 0], [2, 1], [2, -1]], [-1, 1, 1]).margin_
    return [np.isclose(half, choice) for choice in (np.sqrt(5) / 2, 1, 2)]


def hidden_bias() -> list[bool]:
    y = np.array([-1.0, 1.0])
    solved = solve_qp(np.eye(2), np.zeros(2), -y[:, None] * np.array([[2.0, 1.0], [4.0, 1.0]]), -np.ones(2), tol=1e-10)
    border = -solved.x[1] / solved.x[0]
    return [np.isclose(border, 3, atol=1e-4), 2 < border < 3 - 1e-4, solved.status != "optimal"]
