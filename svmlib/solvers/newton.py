"""A Newton step on the free variables of the dual: the minimum over a face of the box, in one solve.

Pair steps crawl where the dual is badly conditioned: a linear kernel in few dimensions, a large C, a hard margin.
They find out soon which variables are on their bounds, and then need thousands of steps for the values of the rest,
which are the solution of one linear system.  beta, F, lo, hi as in svmlib.solvers.smo.
"""
from __future__ import annotations

import numpy as np
from numba import njit

__all__ = ["CUT", "FULL", "NOTHING", "newton_step"]

NOTHING, CUT, FULL = 0, 1, 2      # what newton_step did: no step, up to the first bound, to the minimum of the face


@njit(nogil=True, cache=True, error_model="numpy")
def _direction(K, F, free):
    """Direction d (k,) to the minimum over the free variables, from

        [ K_FF  1 ] [d]     [-F_F]
        [ 1'    0 ] [m]  =  [ 0  ]

    A ridge far below the accuracy of K makes a singular block (linear kernel, duplicates) solvable: along its null
    space d is then so long that a bound stops it.
    """
    k = len(free)
    A, r = np.ones((k + 1, k + 1)), np.zeros(k + 1)
    scale = 0.0
    for p in range(k):
        r[p] = -F[free[p]]
        scale = max(scale, abs(K[free[p], free[p]]))
        for q in range(k):
            A[p, q] = K[free[p], free[q]]
    for p in range(k):
        A[p, p] += 1e-10 * scale
    A[k, k] = 0.0
    return np.linalg.solve(A, r)[:k] if scale > 0.0 else r[:k]


@njit(nogil=True, cache=True, error_model="numpy")
def newton_step(K, F, beta, lo, hi, most):
    """Newton step over {lo < beta < hi}, at most `most` variables, cut where the first of them meets its bound.

    F = K beta - y and beta are changed in place.  Returns NOTHING, CUT or FULL; after CUT one free variable fewer
    is left, and another step is worth its price.
    """
    free = np.flatnonzero((beta > lo) & (beta < hi))
    if len(free) < 2 or len(free) > most:
        return NOTHING
    d = _direction(K, F, free)
    d -= d.sum() / len(d)
    # d' K_FF d = -d' F_F, so a descent direction has positive curvature, and t = 1 is the minimum along it.
    if not d @ F[free] < 0.0:
        return NOTHING
    t, first = 1.0, -1
    for p in range(len(free)):
        bound = hi[free[p]] if d[p] > 0.0 else lo[free[p]]
        if d[p] != 0.0 and (bound - beta[free[p]]) / d[p] < t:
            t, first = (bound - beta[free[p]]) / d[p], p
    for p in range(len(free)):
        l = free[p]
        beta[l] = beta[l] + t * d[p] if p != first else hi[l] if d[p] > 0.0 else lo[l]
        for c in range(len(F)):
            F[c] += t * d[p] * K[l, c]
    return CUT if first >= 0 else FULL
