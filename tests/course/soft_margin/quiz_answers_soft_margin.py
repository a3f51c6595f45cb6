"""The quiz of this chapter, computed."""
import numpy as np

from svmlib import SVC, DualProblem, solve
from svmlib.kernels import Linear


def answers() -> list[list[bool]]:
    """For each question whether each choice holds."""
    return [slack(), place(), contribution(), threshold(), certain(), conversion()]


def slack() -> list[bool]:
    """The slack of a point of class +1 with w'x = 0.1 where b = 0.2."""
    return [np.isclose(max(0, 1 - (0.1 + 0.2)), value) for value in (0.9, 0.7, 0.3)]


def place() -> list[bool]:
    """Put a point with slack 1.5 on the line f = 3x and see where it is."""
    x = (1 - 1.5) / 3                                                            # class +1: 1 - 3x = 1.5
    return [x < 0 and np.isclose(-x, 1 / 6), x < 0 and np.isclose(-x, 1 / 2), 0 < x < 1 / 3]


def contribution() -> list[bool]:
    """What a point with α = 0.25 and y f = 0.6 adds to the gap at C = 1."""
    C, alpha, yf = 1.0, 0.25, 0.6
    kkt = (C - alpha) * max(0, 1 - yf) + alpha * max(0, yf - 1)
    return [np.isclose(kkt, value) for value in (0.3, 0.4, 0.1)]


def threshold() -> list[bool]:
    """The least C on a grid at which w is the hard margin's, 1."""
    X, y = [[-1.0]] * 3 + [[1.0]], [-1, -1, -1, 1]
    same = [np.isclose(SVC(Linear(), C=C, solver="active_set", tol=1e-9).fit(X, y).coef_[0, 0], 1, atol=1e-6)
            for C in (1 / 6, 1 / 4, 0.499, 1 / 2)]
    assert not same[2]                                                           # just below it is not
    return [same[0], same[1], same[3]]


def certain() -> list[bool]:
    """What never fails from C = 1 to C = 2 in 200 draws of two clouds."""
    less_slack = fewer_errors = at_most_twice = True
    y = np.repeat([-1.0, 1.0], 20)
    for seed in range(200):
        X = np.random.default_rng(seed).normal(size=(40, 2)) + 0.8 * y[:, None]
        slacks, costs, errors = [], [], []
        for C in (1.0, 2.0):
            p = DualProblem(Linear(), X, y, C=C)
            s = solve(p, "active_set", tol=1e-9)
            xi = np.maximum(0, 1 - y * p.decision(s.alpha, s.b))
            slacks.append(xi.sum())
            costs.append(s.objective)
            errors.append(np.sum(xi > 1))
        less_slack &= bool(slacks[1] <= slacks[0] + 1e-6)
        fewer_errors &= bool(errors[1] <= errors[0])
        at_most_twice &= bool(costs[1] <= 2 * costs[0])
    return [less_slack, fewer_errors, at_most_twice]


def conversion() -> list[bool]:
    """C for λ = 0.01 on 50 and on 500 points."""
    found = [1 / (2 * 0.01 * n) for n in (50, 500)]
    return [np.allclose(found, pair) for pair in ((1, 0.1), (1, 10), (1, 1))]
