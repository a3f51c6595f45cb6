"""The answers of the Predict boxes of this chapter, computed."""
import numpy as np
from cvxopt import matrix, solvers

from svmcourse.quadratic_programming.figures import ThreePoints
from svmlib import DualProblem, solve
from svmlib.data import separable_blobs
from svmlib.kernels import Linear


def answers() -> list[float | str]:
    """The answer of each box, in order."""
    return [wall_first(), arrived_at_iteration_4(), pass_the_fixed_test()]


def wall_first() -> str:
    """Whether the central path touches the wall alpha_3 = 0 while it is still away from the star, at (1/2, 0)."""
    path = np.array([ThreePoints().centre(mu)[0][1:] for mu in np.geomspace(4, 1e-5, 40)])
    away = np.abs(path[:, 0] - 0.5)
    return "yes" if np.any(path[:, 1] < 0.1 * away) else "no"


def arrived_at_iteration_4() -> str:
    """How many of the multipliers that end at 0 or C are there, in the run of the figure."""
    rng, y = np.random.default_rng(1), np.repeat([-1.0, 1.0], 20)
    problem = DualProblem(Linear(), rng.normal(size=(40, 2)) + 0.8 * y[:, None], y, C=1.0)
    s = solve(problem, "qp", tol=1e-8, history="alpha")
    at_wall = np.isin(s.alpha, (0, 1))
    assert (at_wall.sum(), s.history[4]["n_iter"]) == (37, 4)
    there = np.sum(np.isin(s.history[4]["alpha"], (0, 1)) & at_wall)
    return "none" if there == 0 else "all of them" if there == 37 else "about half"


def pass_the_fixed_test() -> float:
    """How many alpha exceed 1e-10 after cvxopt with its own tolerances."""
    X, y = separable_blobs(seed=129)
    parts = np.outer(y, y) * (X @ X.T), -np.ones(40), -np.eye(40), np.zeros(40), y[None, :], np.zeros(1)
    alpha = np.ravel(solvers.qp(*map(matrix, parts), options={"show_progress": False})["x"])
    return float(np.sum(alpha > 1e-10))
