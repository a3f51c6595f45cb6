"""The truth of a machine in long doubles, from formulas alone: Gram matrix, gap, violation, and the optimum itself."""
import numpy as np
import pytest

from svmlib.dual import BoxProblem
from svmlib.kernels import Gaussian, Kernel, Polynomial, Precomputed, Sigmoid

LONG = np.longdouble
no_long_doubles = pytest.mark.skipif(np.finfo(LONG).nmant < 63, reason="no numbers longer than doubles here")


def exact_gram(kernel: Kernel, X: np.ndarray) -> np.ndarray:
    """The Gram matrix in long doubles."""
    X = np.asarray(X).astype(LONG)
    if isinstance(kernel, Precomputed):
        return X
    if isinstance(kernel, Gaussian):
        return np.exp(-LONG(kernel.gamma) * ((X[:, None] - X) ** 2).sum(axis=-1))
    K = X @ X.T
    if isinstance(kernel, Sigmoid):
        return np.tanh(LONG(kernel.kappa) * K - LONG(kernel.delta))
    return (LONG(kernel.a) * K + LONG(kernel.b)) ** kernel.Q if isinstance(kernel, Polynomial) else K


def exact_optimum(problem: BoxProblem, K: np.ndarray, alpha: np.ndarray) -> tuple[np.ndarray, float, float] | None:
    """K beta* (n,) and the least and the largest optimal b, from an alpha near the optimum, to about 1e-17; or None.

    The free variables solve one linear system; that the result is optimal, the KKT conditions say.
    """
    y, C, p = problem.y.astype(LONG), problem.C.astype(LONG), problem.p.astype(LONG)
    edge = 1e-7 * max(float(alpha.max()), 1e-300)
    free = np.flatnonzero((alpha > edge) & (alpha < problem.C - edge))
    beta = np.where(alpha >= problem.C - edge, y * C, LONG(0))
    beta[free] = 0
    if len(free):
        A, r = np.ones((len(free) + 1,) * 2, dtype=LONG), np.empty(len(free) + 1, dtype=LONG)
        A[-1, -1], A[:-1, :-1] = 0, K[np.ix_(free, free)]
        r[:-1], r[-1] = p[free] - (K @ beta)[free], LONG(problem.total) - beta.sum()
        solved = eliminated(A, r)
        if solved is None:
            return None
        beta[free] = solved[:-1]
    g, tiny = K @ beta, LONG(1e-14) * (1 + np.abs(K @ beta).max())
    alpha, fit = y * beta, p - g
    low = fit[(beta < problem.hi) & ((beta <= problem.lo) | (np.isin(np.arange(len(y)), free)))]
    high = fit[(beta > problem.lo) & ((beta >= problem.hi) | (np.isin(np.arange(len(y)), free)))]
    least, most = low.max(initial=-np.inf), high.min(initial=np.inf)
    if alpha.min() < 0 or (alpha > C).any() or abs(beta.sum() - problem.total) > tiny or least > most + tiny:
        return None
    return g, min(least, most), max(least, most)


def eliminated(A: np.ndarray, r: np.ndarray) -> np.ndarray | None:
    """Solve A x = r by Gauss with pivots; None where A is singular, or nearly so."""
    A, r, scale = A.copy(), r.copy(), np.abs(A).max()
    for k in range(len(r)):
        i = k + int(np.abs(A[k:, k]).argmax())
        if abs(A[i, k]) < 1e-9 * scale:
            return None
        A[[k, i]], r[[k, i]] = A[[i, k]], r[[i, k]]
        for j in range(k + 1, len(r)):
            factor = A[j, k] / A[k, k]
            A[j, k:] -= factor * A[k, k:]
            r[j] -= factor * r[k]
    x = np.zeros_like(r)
    for k in range(len(r) - 1, -1, -1):
        x[k] = (r[k] - A[k, k + 1:] @ x[k + 1:]) / A[k, k]
    return x
