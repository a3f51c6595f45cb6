"""Newton steps on the free variables of the dual: the minimum over a face of the box, from one inverse.

Pair steps crawl where the dual is badly conditioned: a linear kernel in few dimensions, a large C, a hard margin.
They find out soon which variables are on their bounds, and then need thousands of steps for the values of the rest,
which are the solution of one linear system.  beta, F, lo, hi as in svmlib.solvers.smo.
"""
from __future__ import annotations

import numpy as np
from numba import njit

from svmlib.solvers.lazy_gram import rows_of
from svmlib.solvers.row_cache import add_rows

__all__ = ["minimise_face", "newton_steps"]

MAX_FREE = 700             # a Newton step over more would keep a Ctrl-C waiting


@njit(nogil=True, cache=True, error_model="numpy", fastmath={"reassoc", "contract"})
def _inverse(A):
    """Inverse of a positive definite A by Gauss-Jordan elimination; plain loops, as BLAS threads only cost here."""
    M, k = A.copy(), len(A)
    for p in range(k):
        pivot, M[p, p] = M[p, p], 1.0
        for q in range(k):
            M[p, q] /= pivot
        for r in range(k):
            if r != p:
                c, M[r, p] = M[r, p], 0.0
                for q in range(k):
                    M[r, q] -= c * M[p, q]
    return M


@njit(nogil=True, cache=True, error_model="numpy", fastmath={"reassoc", "contract"})
def _times(A, x):
    """A x, by loops for the same reason."""
    out = np.zeros(len(x))
    for p in range(len(x)):
        for q in range(len(x)):
            out[p] += A[p, q] * x[q]
    return out


@njit(nogil=True, cache=True, error_model="numpy")
def _direction(M, G, on_face):
    """Minimum over the face, seen from here: d = v (1'u) / (1'v) - u with u = M G, v = M 1, so that sum(d) = 0."""
    u, v = _times(M, G), _times(M, on_face)
    d = v * (u.sum() / v.sum()) - u
    return d - on_face * (d.sum() / on_face.sum())         # what rounding in M has added to the sum


@njit(nogil=True, cache=True, error_model="numpy")
def _first_bound(d, value, lo, hi, most):
    """Step t <= most along d to the first bound, and the index that meets it (-1 where none does)."""
    t, first = most, -1
    for p in range(len(d)):
        if d[p] != 0.0:
            room = ((hi[p] if d[p] > 0.0 else lo[p]) - value[p]) / d[p]
            if room < t:
                t, first = room, p
    return t, first


@njit(nogil=True, cache=True, error_model="numpy")
def _leave(M, p):
    """Inverse after row and column p have left the matrix: M - M e_p e_p' M / M_pp, in place."""
    row, pivot = M[p].copy(), M[p, p]
    for r in range(len(M)):
        c = row[r] / pivot
        for q in range(len(M)):
            M[r, q] -= c * row[q]
    M[p, :] = 0.0
    M[:, p] = 0.0


@njit(nogil=True, cache=True, error_model="numpy")
def minimise_face(K, F, beta, lo, hi, most):
    """Newton steps over {lo < beta < hi} with sum(beta) kept, at most `most` of them; returns their number.

    Each step goes to the minimum along its direction or to the first bound on the way; the variable that meets one
    leaves the face, and the inverse follows by an update of rank one.  beta and F = K beta - y are changed in place.

    The matrix that is inverted is K_FF + c 1 1' + r I.  Directions with sum 0 do not see the c, which keeps it regular
    where K_FF is so only on them; the ridge r, below the accuracy of K, does the rest (linear kernel, duplicates):
    along a null space of K_FF, d is so long that a bound stops it.
    """
    free = np.flatnonzero((beta > lo) & (beta < hi))
    k = len(free)
    if k < 2:
        return 0
    A, G, on_face = np.empty((k, k)), F[free], np.ones(k)
    value, low, high = beta[free], lo[free], hi[free]
    for p in range(k):
        for q in range(k):
            A[p, q] = K[free[p], free[q]]
    c = max(np.abs(np.diag(A)).max(), 1e-300)
    M = _inverse(A + c + 1e-10 * c * np.eye(k))
    steps = 0
    while steps < most:
        d = _direction(M, G, on_face)
        Ad = _times(A, d)
        slope, curvature = (d * G).sum(), (d * Ad).sum()
        if not slope < 0.0:
            break
        t, p = _first_bound(d, value, low, high, -slope / curvature if curvature > 0.0 else np.inf)
        if t == np.inf:
            break
        value += t * d
        G += t * Ad
        steps += 1
        if p < 0:
            break
        value[p] = high[p] if d[p] > 0.0 else low[p]
        on_face[p] = 0.0
        if on_face.sum() < 2.0:
            break
        _leave(M, p)
    for p in range(k):
        change = value[p] - beta[free[p]]
        if change != 0.0:
            F += change * K[free[p]]
            beta[free[p]] = value[p]
    return steps


@njit(nogil=True, cache=True, error_model="numpy")
def newton_steps(K, form, place, F, beta, lo, hi, paid, most):
    """minimise_face on a matrix K whose rows are computed on demand, if it costs no more than `paid` pair steps.

    form and place as in svmlib.solvers.lazy_gram.  Returns the number of steps, -1 where the price is too high, and the
    price in pair steps: nanoseconds over nanoseconds, measured.
    """
    n, face = len(F), np.flatnonzero((beta > lo) & (beta < hi))
    k = len(face)
    price = k * (0.3 * k ** 2 + 10.0 * k + n) / (200 + 1.2 * n)
    if price > paid or k > MAX_FREE:
        return -1, price
    rows = rows_of(form, face, K, place)
    block, value = np.empty((k, k)), beta[face]
    for p in range(k):
        for q in range(k):
            block[p, q] = K[rows[p], face[q]]
    steps = minimise_face(block, F[face], value, lo[face], hi[face], most)
    add_rows(F, K, rows, value - beta[face])
    beta[face] = value
    return steps, price
