"""Newton steps on the free variables of the dual: the minimum over a face of the box, from one inverse.

Pair steps crawl where the dual is badly conditioned: a linear kernel in few dimensions, a large C, a hard margin.
They find out soon which variables are on their bounds, and then need thousands of steps for the values of the rest,
which are the solution of one linear system.  beta, F, lo, hi as in svmlib.solvers.smo.
"""
from __future__ import annotations

import numpy as np
from numba import njit

__all__ = ["minimise_face"]


@njit(nogil=True, cache=True, error_model="numpy")
def _bordered_inverse(A):
    """Inverse M of

        [ A + r  1 ]
        [ 1'     0 ]     so that  d = -M [F_F; 0]  minimises over the free variables with sum(d) = 0.

    The ridge r, far below the accuracy of A, makes a singular A invertible (linear kernel, duplicates): along its
    null space d is then so long that a bound stops it.
    """
    k = len(A)
    B = np.ones((k + 1, k + 1))
    B[:k, :k] = A
    B[k, k] = 0.0
    ridge = 1e-10 * np.abs(np.diag(A)).max() + 1e-300
    for p in range(k):
        B[p, p] += ridge
    return np.linalg.inv(B)


@njit(nogil=True, cache=True, error_model="numpy")
def _first_bound(d, value, lo, hi):
    """Step t <= 1 along d to the first bound, and the index that meets it (-1 where none does)."""
    t, first = 1.0, -1
    for p in range(len(d)):
        if d[p] != 0.0:
            room = ((hi[p] if d[p] > 0.0 else lo[p]) - value[p]) / d[p]
            if room < t:
                t, first = room, p
    return t, first


@njit(nogil=True, cache=True, error_model="numpy")
def minimise_face(K, F, beta, lo, hi, most):
    """Newton steps over {lo < beta < hi} with sum(beta) kept, at most `most` of them; returns their number.

    Each step goes to the minimum of the face or to the first bound on the way.  The variable that met it leaves the
    face, and the inverse follows by an update of rank one: M - M e_p e_p' M / M_pp.
    beta and F = K beta - y are changed in place.
    """
    free = np.flatnonzero((beta > lo) & (beta < hi))
    k = len(free)
    if k < 2:
        return 0
    A = np.empty((k, k))
    for p in range(k):
        for q in range(k):
            A[p, q] = K[free[p], free[q]]
    M = _bordered_inverse(A)
    G, value, low, high = F[free], beta[free], lo[free], hi[free]
    steps = 0
    while steps < most:
        d = -(M[:k, :k] @ G)
        if not d @ G < 0.0:            # d' A d = -d' G: a descent direction has positive curvature, the minimum is at 1
            break
        t, p = _first_bound(d, value, low, high)
        value += t * d
        steps += 1
        if p < 0:
            break
        value[p] = high[p] if d[p] > 0.0 else low[p]
        G += t * (A @ d)
        M -= np.outer(M[:, p], M[p] / M[p, p])
        M[p, :] = 0.0
        M[:, p] = 0.0
    change = value - beta[free]
    beta[free] = value
    for p in range(k):
        if change[p] != 0.0:
            F += change[p] * K[free[p]]
    return steps
