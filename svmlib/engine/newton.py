"""Newton steps on the free variables of the dual: the minimum over a face of the box, from one inverse.

Pair steps crawl where the dual is badly conditioned: a linear kernel in few dimensions, a large C, a hard margin.
They find out soon which variables are on their bounds, and then need thousands of steps for the values of the rest,
which are the solution of one linear system.  beta, F, lo, hi as in svmlib.solvers.smo.
"""
from __future__ import annotations

from typing import Any

import numpy as np

from svmlib.compilation import njit
from svmlib.engine.row_cache import add_rows
from svmlib.engine.rows_on_demand import rows_of

__all__ = ["minimise_face", "newton_steps"]

#: Loops, not array expressions: those take numba seconds to compile, and BLAS threads only cost at this size.  What has
#: one caller is inlined by numba, which saves compiling it twice.
LOOPS: dict[str, Any] = {"nogil": True, "cache": True, "error_model": "numpy", "fastmath": {"reassoc", "contract"}}
MAX_FREE = 700             # a Newton step over more would keep a Ctrl-C waiting


@njit(inline="always", **LOOPS)
def _invert(M):
    """M := its inverse, for a positive definite M, by Gauss-Jordan elimination."""
    k = len(M)
    for p in range(k):
        pivot, M[p, p] = M[p, p], 1.0
        for q in range(k):
            M[p, q] /= pivot
        for r in range(k):
            if r != p:
                c, M[r, p] = M[r, p], 0.0
                for q in range(k):
                    M[r, q] -= c * M[p, q]


@njit(**LOOPS)
def _times(A, x, out):
    """out := A x."""
    for p in range(len(x)):
        total = 0.0
        for q in range(len(x)):
            total += A[p, q] * x[q]
        out[p] = total


@njit(**LOOPS)
def _direction(M, G, on_face, u, d):
    """d := v (1'u) / (1'v) - u, which leads to the minimum over the face and has sum 0; u = M G, v = M 1."""
    _times(M, G, u)
    _times(M, on_face, d)
    sum_u = sum_v = size = rest = 0.0
    for p in range(len(d)):
        sum_u += u[p]
        sum_v += d[p]
        size += on_face[p]
    for p in range(len(d)):
        d[p] = d[p] * (sum_u / sum_v) - u[p]
        rest += d[p]
    for p in range(len(d)):
        d[p] -= on_face[p] * (rest / size)                 # what rounding in M has added to the sum


@njit(inline="always", **LOOPS)
def _first_bound(d, value, lo, hi, most):
    """Step t <= most along d to the first bound, and the index that meets it (-1 where none does)."""
    t, first = most, -1
    for p in range(len(d)):
        if d[p] != 0.0:
            room = ((hi[p] if d[p] > 0.0 else lo[p]) - value[p]) / d[p]
            if room < t:
                t, first = room, p
    return t, first


@njit(inline="always", **LOOPS)
def _leave(M, p, row):
    """Inverse after row and column p have left the matrix: M - M e_p e_p' M / M_pp, in place; row (k,) is scratch."""
    pivot = M[p, p]
    for q in range(len(M)):
        row[q] = M[p, q]
    for r in range(len(M)):
        c = row[r] / pivot
        for q in range(len(M)):
            M[r, q] -= c * row[q]
    for q in range(len(M)):
        M[p, q] = M[q, p] = 0.0


@njit(inline="always", **LOOPS)
def _face(beta, lo, hi):
    """Indices of the variables off their bounds."""
    face, k = np.empty(len(beta), np.int64), 0
    for i in range(len(beta)):
        if lo[i] < beta[i] < hi[i]:
            face[k] = i
            k += 1
    return face[:k]


@njit(inline="always", **LOOPS)
def _minimise(A, G, value, lo, hi, most):
    """Newton steps over variables with the Hessian A (k, k), all off their bounds; value and its gradient G in place.

    Each step goes to the minimum along its direction or to the first bound on the way; the variable that meets one
    leaves the face, and the inverse follows by an update of rank one.  Returns the number of steps, at most `most`.

    The matrix that is inverted is A + c 1 1' + r I.  Directions with sum 0 do not see the c, which keeps it regular
    where A is so only on them; the ridge r, below the accuracy of A, does the rest (linear kernel, duplicates): along a
    null space of A, d is so long that a bound stops it.
    """
    k, c = len(G), 1e-300
    M, d, Ad, scratch, on_face = np.empty((k, k)), np.empty(k), np.empty(k), np.empty(k), np.empty(k)
    for p in range(k):
        c, on_face[p] = max(c, abs(A[p, p])), 1.0
    for p in range(k):
        for q in range(k):
            M[p, q] = A[p, q] + c
        M[p, p] += 1e-10 * c
    _invert(M)
    steps, left = 0, k
    while steps < most and left > 1:
        _direction(M, G, on_face, scratch, d)
        _times(A, d, Ad)
        slope = curvature = 0.0
        for p in range(k):
            slope += d[p] * G[p]
            curvature += d[p] * Ad[p]
        if not slope < 0.0:
            break
        t, p = _first_bound(d, value, lo, hi, -slope / curvature if curvature > 0.0 else np.inf)
        if t == np.inf:
            break
        for q in range(k):
            value[q] += t * d[q]
            G[q] += t * Ad[q]
        steps += 1
        if p < 0:
            break
        value[p] = hi[p] if d[p] > 0.0 else lo[p]
        on_face[p] = 0.0
        left -= 1
        _leave(M, p, scratch)
    return steps


@njit(inline="always", **LOOPS)
def minimise_face(K, rows, face, F, beta, lo, hi, most):
    """Minimise over beta on the face, sum(beta) kept, with at most `most` Newton steps; returns their number.

    k(x_i, .) for i = face[p] is row rows[p] of K, float32 or float64.  beta and F = K beta - y change in place.
    """
    k = len(face)
    A, G, value, low, high = np.empty((k, k)), np.empty(k), np.empty(k), np.empty(k), np.empty(k)
    for p in range(k):
        i = face[p]
        G[p], value[p], low[p], high[p] = F[i], beta[i], lo[i], hi[i]
        for q in range(k):
            A[p, q] = K[rows[p], face[q]]
    steps = _minimise(A, G, value, low, high, most)
    for p in range(k):
        G[p], beta[face[p]] = value[p] - beta[face[p]], value[p]
    add_rows(F, K, rows, G)
    return steps


@njit(nogil=True, cache=True, error_model="numpy")
def newton_steps(K, form, place, F, beta, lo, hi, paid, most):
    """minimise_face on a matrix K whose rows are computed on demand, if it costs no more than `paid` pair steps.

    form and place as in rows_on_demand.  Returns the number of steps, -1 where the price
    is too high, and the price in pair steps: nanoseconds over nanoseconds, measured.
    """
    n, face = len(F), _face(beta, lo, hi)
    k = len(face)
    price = k * (0.3 * k ** 2 + 10.0 * k + n) / (200 + 1.2 * n)
    if price > paid or k > MAX_FREE:
        return -1, price
    return minimise_face(K, rows_of(form, face, K, place), face, F, beta, lo, hi, most), price
