"""Finitely many features of the points of a problem, where its Gram matrix has a low rank."""
import numpy as np

from svmlib.dual import BoxProblem
from svmlib.dual.gram import NEGATIVE

EXAMINED = 2000            # points up to which K is formed to see whether it is PSD
MOST_FEATURES = 2000       # features of a Gram matrix that counts as one of low rank


def features(problem: BoxProblem) -> np.ndarray:
    """Phi (n, r) with Phi Phi' = K: X itself, or a Cholesky factor with the largest remaining diagonal as pivot."""
    if problem.kernel.is_inner_product:
        return problem.X if isinstance(problem.X, np.ndarray) else problem.X.toarray()
    n, kernel, every, pivots = problem.n, problem.kernel, np.arange(problem.n), np.zeros(0, np.int64)
    if n <= EXAMINED:
        problem.require_convex("qp_low_rank")
    limit = n if n <= 10 else min(max(10, n // 3), MOST_FEATURES)
    rest, L = np.array(problem.diag, dtype=np.float64), np.zeros((limit, n))
    size = max(float(np.abs(rest).max()), 1e-300)
    while rest.max() > 1e-14 * size * n ** 0.5 and len(pivots) < limit and rest.min() >= NEGATIVE * size:
        i, r = int(rest.argmax()), len(pivots)
        L[r] = (problem.block(every, np.array([i]))[:, 0] - L[:r, i] @ L[:r]) / np.sqrt(rest[i])
        rest -= L[r] ** 2
        rest[i] = 0.0
        pivots = np.append(pivots, i)
    L = L[:max(1, len(pivots))]                          # K = 0 has a feature, too: LAPACK takes no empty matrix
    if n > EXAMINED and not kernel.psd:
        problem.require_convex("qp_low_rank", np.union1d(pivots, _suspects(problem, L, rest, size)))
    if rest.max() > 1e-14 * size * n ** 0.5 and n > 10:
        raise ValueError(f"qp_low_rank needs a Gram matrix of low rank, but {kernel!r} has more than "
                         f'{limit} independent features on these {n} points; use solver="qp" or "smo"')
    return L.T


def _suspects(problem: BoxProblem, L: np.ndarray, rest: np.ndarray, size: float) -> np.ndarray:
    """Points that, with the pivots, may show a negative eigenvalue of K: where (K - L'L) v is largest, v random."""
    if rest.min() < NEGATIVE * size:
        return np.array([rest.argmin()])
    v = np.random.default_rng(0).normal(size=problem.n)
    order = np.argsort(-np.abs(problem.times_K(v) - (L @ v) @ L))
    column = problem.block(np.arange(problem.n), order[:1])[:, 0] - L[:, order[0]] @ L
    return np.append(order[:500], np.abs(column).argmax())
