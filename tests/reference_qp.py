"""Slow and obvious ways to the same dual solutions, and random problems to compare on."""
import numpy as np

from svmlib import DualProblem
from svmlib.kernels import Gaussian, Linear, Polynomial


def random_problem(seed, n_max=60, psd=True):
    """A dual problem that is unpleasant now and then: repeated points, contradictory labels, C per point, far away."""
    rng = np.random.default_rng(seed)
    n, d = int(rng.integers(4, n_max + 1)), int(rng.integers(1, 6))
    X = rng.normal(size=(n, d)) * 10 ** rng.uniform(-1, 0.5)
    y = np.where(X[:, 0] + rng.normal(size=n) * rng.choice([0.1, 1]) * X.std() > 0, 1, -1)
    y[:2] = [-1, 1]
    if seed % 5 == 0:                                    # repeated points, each label drawn for itself
        X[n // 2:] = X[:n - n // 2]
    kernel = [Linear(), Polynomial(Q=int(rng.integers(1, 4))), Gaussian(sigma=10 ** rng.uniform(-1, 1))][seed % 3]
    if seed % 11 == 0 and isinstance(kernel, Linear):
        X = X + 1000
    C = 10 ** rng.uniform(-2, 3)
    if seed % 7 == 0:
        C = C * rng.uniform(0.1, 1, n)
    return DualProblem(kernel, X, y, C=C)


def active_set_full_kkt(problem, tol=1e-6, max_moves=np.inf):
    """The active-set method with the KKT system of all n steps and all active bounds solved anew at each step.

    Returns alpha and the number of moves.
    """
    n, K, lo, hi = problem.n, problem.K, problem.lo, problem.hi
    beta, F, free = np.zeros(n), -problem.y.copy(), []
    moves = 0
    while True:
        while len(free) >= 2 and moves < max_moves:
            moves += 1
            bound = np.setdiff1d(np.arange(n), free)
            m = len(bound)
            M = np.zeros((n + 1 + m, n + 1 + m))
            M[:n, :n], M[:n, n], M[n, :n] = K, 1.0, 1.0
            M[bound, n + 1 + np.arange(m)] = M[n + 1 + np.arange(m), bound] = 1.0
            step = np.linalg.solve(M, np.r_[-F, np.zeros(1 + m)])[free]
            with np.errstate(divide="ignore"):
                room = np.where(step > 0, hi[free] - beta[free], lo[free] - beta[free]) / step
            first = int(room.argmin())
            s = min(1.0, room[first])
            beta[free] += s * step
            F += K[:, free] @ (s * step)
            if s == 1.0:
                break
            beta[free[first]] = hi[free[first]] if step[first] > 0 else lo[free[first]]
            free.pop(first)
        up, low = np.where(beta < hi, F, np.inf), np.where(beta > lo, F, -np.inf)
        i, j = int(up.argmin()), int(low.argmax())
        if low[j] - up[i] < tol or moves >= max_moves:
            return problem.y * beta, moves
        new = [p for p in (i, j) if p not in free]
        if free and len(new) == 2:
            mean = F[free].mean()
            new = [i] if mean - up[i] > low[j] - mean else [j]
        free += new


def assert_optimal(problem, solution, tol=1e-6):
    """Box, equality, KKT, gap, and sets that are what they say."""
    alpha = solution.alpha
    assert solution.status == "optimal"
    assert np.all((alpha >= 0) & (alpha <= problem.C))
    assert abs(problem.y @ alpha) <= 1e-10 * max(1.0, alpha.sum())
    scale = np.abs(problem.decision(alpha)).max()
    assert problem.violation(alpha, solution.b).max() <= tol + 1e-9 * scale
    assert 0 <= solution.gap <= 1e-6 * max(1.0, solution.objective)
    assert sorted([*solution.free, *solution.bounded]) == list(solution.support)
    margin = problem.y * problem.decision(alpha, solution.b)
    np.testing.assert_allclose(margin[solution.free], 1.0, atol=tol + 1e-8 * scale)
