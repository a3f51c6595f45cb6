"""Slow, independent ways to the optimum of a dual problem, and what an optimal solution must satisfy."""
from __future__ import annotations

from itertools import product

import cvxopt
import numpy as np

from svmlib.dual import DualProblem


def brute_force(problem: DualProblem) -> tuple[np.ndarray, float]:
    """The dual's maximum by trying all 3^n active sets (0, C or free for each point): alpha and the value.

    On each face the stationary point solves one linear system; the best feasible one is the maximum.  Exact also for
    indefinite kernels (a maximum is stationary on the face where it lies) and for singular ones (some maximum lies on
    a face where the system is regular).
    """
    Q, y, n = problem.Q, problem.y, problem.n
    best, value = np.zeros(n), 0.0
    bordered = np.block([[Q, y[:, None]], [y[None], np.zeros((1, 1))]])
    for state in product(*[(0, 2) if np.isinf(C) else (0, 1, 2) for C in problem.C]):
        free, at_C = np.array(state) == 2, np.array(state) == 1
        alpha = np.where(at_C, problem.C, 0.0)
        if free.any():
            rows = np.append(np.flatnonzero(free), n)
            A = bordered[np.ix_(rows, rows)]
            r = np.append(1.0 - Q[free] @ alpha, -y @ alpha)
            x = np.linalg.lstsq(A, r, rcond=1e-11)[0]
            if not (np.abs(A @ x - r) <= 1e-9 * max(1.0, np.abs(r).max())).all():
                continue
            alpha[free] = x[:-1]
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


def assert_optimal(problem, solution, tol=1e-6):
    """Box, equality, KKT, gap, and sets that are what they say."""
    alpha = solution.alpha
    assert solution.status == "optimal"
    assert np.all((alpha >= 0) & (alpha <= problem.C))
    assert abs(problem.y @ alpha) <= 1e-10 * max(1.0, alpha.sum())
    scale = np.abs(problem.decision(alpha)).max()
    # With entries of K in the millions float64 leaves K alpha no better than this, whatever the solver says of itself.
    rounding = 2.0**-50 * np.abs(problem.diag).max() * alpha.sum()
    assert problem.violation(alpha, solution.b).max() <= tol + 1e-9 * scale + rounding
    assert 0 <= solution.gap <= 1e-6 * max(1.0, solution.objective)
    assert sorted([*solution.free, *solution.bounded]) == list(solution.support)
    margin = problem.y * problem.decision(alpha, solution.b)
    np.testing.assert_allclose(margin[solution.free], 1.0, atol=tol + 1e-8 * scale)
