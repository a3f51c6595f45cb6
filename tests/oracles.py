"""Slow, independent ways to the optimum of a dual problem, and random problems to try solvers on."""
from __future__ import annotations

from itertools import product

import cvxopt
import numpy as np

from svmlib.dual import DualProblem
from svmlib.kernels import Gaussian, Kernel, Linear, Polynomial


def brute_force(problem: DualProblem) -> tuple[np.ndarray, float]:
    """The dual's maximum by trying all 3^n active sets (0, C or free for each point): alpha and the value.

    On each face the stationary point solves one linear system; the best feasible one is the maximum.  Exact also for
    indefinite kernels (a maximum is stationary on the face where it lies) and for singular ones (some maximum lies on
    a face where the system is regular).
    """
    Q, y, n = problem.Q, problem.y, problem.n
    best, value = np.zeros(n), 0.0
    states = [(0, 2) if np.isinf(C) else (0, 1, 2) for C in problem.C]
    for state in product(*states):
        free = np.array(state) == 2
        alpha = np.where(np.array(state) == 1, problem.C, 0.0)
        if free.any():
            k = int(free.sum())
            A = np.block([[Q[np.ix_(free, free)], y[free, None]], [y[None, free], np.zeros((1, 1))]])
            r = np.append(1.0 - Q[free] @ alpha, -y @ alpha)
            x = np.linalg.lstsq(A, r, rcond=1e-11)[0]
            if not np.allclose(A @ x, r, atol=1e-9 * max(1.0, np.abs(r).max())):
                continue
            alpha[free] = x[:k]
        slack = 1e-9 * max(1.0, np.abs(alpha).max())
        if (alpha >= -slack).all() and (alpha <= problem.C + slack).all() and abs(y @ alpha) <= slack:
            reached = alpha.sum() - 0.5 * alpha @ Q @ alpha
            if reached > value:
                best, value = alpha, float(reached)
    return best, value


def cvxopt_dual(problem: DualProblem) -> tuple[np.ndarray, float]:
    """The dual's maximum by cvxopt's interior point method at tight tolerances: alpha and the value."""
    n, bounded = problem.n, np.flatnonzero(np.isfinite(problem.C))
    G = np.vstack([-np.eye(n), np.eye(n)[bounded]])
    h = np.append(np.zeros(n), problem.C[bounded])
    options = {"show_progress": False, "abstol": 1e-11, "reltol": 1e-11, "feastol": 1e-11, "maxiters": 200}
    result = cvxopt.solvers.qp(cvxopt.matrix(problem.Q), cvxopt.matrix(-np.ones(n)), cvxopt.matrix(G),
                               cvxopt.matrix(h), cvxopt.matrix(problem.y[None]), cvxopt.matrix(0.0), options=options)
    alpha = np.clip(np.array(result["x"]).ravel(), 0.0, problem.C)
    return alpha, float(alpha.sum() - 0.5 * alpha @ problem.Q @ alpha)


def random_kernel(rng: np.random.Generator) -> Kernel:
    """A positive semidefinite kernel, chosen at random."""
    return [Linear(), Polynomial(Q=int(rng.integers(2, 5)), a=0.5, b=1.0), Gaussian(sigma=float(rng.uniform(0.3, 3))),
            Gaussian(gamma=1.0) + 2 * Linear()][rng.integers(4)]


def random_problem(rng: np.random.Generator, n: int, *, C: float | None = None) -> DualProblem:
    """A problem that is nasty in the ways data are: duplicates, contradictory labels, one C a point, any overlap."""
    X = rng.normal(size=(n, rng.integers(1, 4)))
    for _ in range(rng.integers(3)):
        i, j = rng.integers(n, size=2)
        X[i] = X[j]
    y = np.where(X[:, 0] + rng.uniform(0, 2) * rng.normal(size=n) > 0, 1, -1)
    y[:2] = 1, -1
    if C is None:
        C = 10 ** rng.uniform(-2, 3)
    return DualProblem(random_kernel(rng), X, y, C * rng.uniform(0.2, 1, size=n) if rng.random() < 0.3 else C)
