"""The quiz of this chapter, computed."""
import numpy as np

from svmlib import DualProblem, solve
from svmlib.data import three_point_example
from svmlib.kernels import Linear


def answers() -> list[list[bool]]:
    return [prices(), bounds(), pairs(), four_posts(), shifted()]


def prices() -> list[bool]:
    """By brute force: the minimum over w, and then the maximum over a."""
    w, a = np.linspace(-10, 10, 20_001), np.linspace(0, 6, 601)
    g = np.array([np.min(0.5 * w**2 - price * (w - 2)) for price in a])
    found = g[np.argmin(abs(a - 1))], g.max(), a[g.argmax()]
    return [bool(np.allclose(found, choice, atol=1e-5)) for choice in ((1.5, 2, 2), (0.5, 0.5, 1), (1.5, 4, 4))]


def bounds() -> list[bool]:
    problem = DualProblem(Linear(), [[0.0], [1.0]], [-1, 1], C=np.inf)
    lower = problem.objective(np.ones(2))
    feasible = np.min(problem.y * (3 * problem.X[:, 0] - 1.5)) >= 1
    upper, optimum = 0.5 * 3**2, solve(problem, "qp", tol=1e-10).objective
    known = feasible and (lower, upper) == (1.5, 4.5) and lower <= optimum <= upper
    return [known, not known, np.isclose(optimum, 4.5), optimum <= 1.5]


def pairs() -> list[bool]:
    """Complementary slackness, and that each kind it allows does occur."""
    allowed = [alpha * (yf - 1) == 0 for alpha, yf in ((0.3, 1.0), (0.0, 2.5), (0.0, 1.0), (0.3, 1.2))]
    three = solve(DualProblem(Linear(), *three_point_example(), C=np.inf), "active_set", tol=1e-12)
    assert three.alpha[2] < 1e-12
    assert np.allclose(three.alpha[:2], 0.5)
    return allowed


def four_posts() -> list[bool]:
    """The KKT conditions of two different alpha, and the line without the first point."""
    X, y = np.array([[-1.0, -1.0], [-1.0, 1.0], [1.0, -1.0], [1.0, 1.0]]), np.array([-1.0, -1.0, 1.0, 1.0])
    lines = [(np.array(alpha) * y) @ X for alpha in ([0.5, 0, 0.5, 0], [0, 0.5, 0, 0.5])]
    best = all(np.allclose(w, [1, 0]) and np.all(y * (X @ w) >= 1) for w in lines)
    w, rest = lines[0], solve(DualProblem(Linear(), X[1:], y[1:], C=np.inf), tol=1e-10)
    same = bool(np.allclose((rest.alpha * y[1:]) @ X[1:], w)) and bool(np.isclose(rest.b, 0))
    assert np.allclose(rest.alpha, [0.5, 0, 0.5])
    return [best, same, y[1] * (X[1] @ w) > 1, not best]


def shifted() -> list[bool]:
    X, y = np.array([[0.0, 0.0], [0.4, 0.8]]), np.array([-1.0, 1.0])
    before, after = (solve(DualProblem(Linear(), X + shift, y, C=np.inf), "qp", tol=1e-10) for shift in (0.0, 5.0))
    weights = [(s.alpha * y) @ X for s in (before, after)]
    stay = bool(np.allclose(before.alpha, after.alpha, rtol=1e-4, atol=1e-4)), bool(np.allclose(*weights, rtol=1e-6))
    b_stays = bool(np.isclose(before.b, after.b))
    assert np.allclose(weights[0], [1, 2], rtol=1e-6)
    assert np.isclose(after.b, before.b - 15, rtol=1e-6)
    return [all(stay) and not b_stays, all(stay) and b_stays, not any(stay)]
