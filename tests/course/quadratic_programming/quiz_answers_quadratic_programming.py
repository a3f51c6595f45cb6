"""The quiz of this chapter, computed."""
import numpy as np
from cvxopt import matrix, solvers

from svmlib import DualProblem, solve
from svmlib.data import separable_blobs
from svmlib.kernels import Linear


def answers() -> list[list[bool]]:
    return [shapes(), matrices(), on_the_path(), last_iterate()]


def shapes() -> list[bool]:
    n, y = 100, np.repeat([-1.0, 1.0], 50)
    G, A = np.vstack([-np.eye(n), np.eye(n)]), y[None, :]
    return [(G.shape, A.shape) == pair for pair in (((100, 100), (1, 100)), ((200, 100), (1, 100)),
                                                    ((100, 100), (101, 100)))]


def matrices() -> list[bool]:
    """cvxopt is asked; the machine is compared with that of another solver."""
    X, y = separable_blobs(seed=1)
    K, yy, n = X @ X.T, np.outer(y, y), len(y)
    s = solve(DualProblem(Linear(), X, y, C=np.inf), "active_set", tol=1e-10)
    right = []
    for P in (yy * K, yy * (K + 1), -yy * K, yy @ K):
        try:
            answer = solvers.qp(matrix(P), matrix(-np.ones(n)), matrix(-np.eye(n)), matrix(np.zeros(n)),
                                matrix(y[None, :]), matrix(0.0), options={"show_progress": False})
        except ValueError:
            right.append(False)
            continue
        alpha = np.array(answer["x"])[:, 0]
        right.append(bool(np.allclose((alpha * y) @ X, (s.alpha * y) @ X, rtol=1e-4)))
    return right


def on_the_path() -> list[bool]:
    mu, surplus, n = 1e-8, 0.02, 40
    pair = mu / surplus, n * mu
    return [bool(np.allclose(pair, choice, rtol=1e-9, atol=0)) for choice in ((5e-7, 4e-7), (0, 0), (2e-10, 1e-8))]


def last_iterate() -> list[bool]:
    alpha, z = np.array([1, 2e-8, 0.5, 1e-4]), np.array([1e-8, 0.5, 2e-8, 1e-4])
    sure = np.maximum(alpha / z, z / alpha) > 1e3
    positive = alpha > z
    return [sure.tolist() == [True, True, True, False] and np.flatnonzero(sure & positive).tolist() == [0, 2],
            bool(sure[3]) and bool(positive[3]), bool(sure[3]) and not positive[3]]
