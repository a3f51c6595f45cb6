"""Newton steps between the pair steps of SMO: the minimum over a face, from the inverse of its block of K.

Pair steps crawl where the dual is badly conditioned: a linear kernel in few dimensions, a large C, a hard margin.
They find out soon which variables are on their bounds, and then need thousands of steps for the values of the rest,
which are the solution of one linear system.  The equations, and the step to the first bound, are those of
svmlib.engine.face.  For the small faces that SMO meets, an inverse takes half the time of a factor: its products do
not wait for each other.
"""
from __future__ import annotations

import numpy as np

from svmlib.compilation import njit
from svmlib.engine.face import balance, move
from svmlib.engine.rows_on_demand import rows_of

__all__ = ["minimise", "newton_steps"]

MAX_FREE = 700             # a Newton step over more would keep a Ctrl-C waiting
RIDGE = 1e-10              # below the accuracy of K: along its null space a step is then so long that a bound ends it

_jit = njit(nogil=True, cache=True, error_model="numpy", fastmath={"reassoc", "contract"})


@_jit
def inverse(A, c):
    """(A + c 1 1' + ridge I)^-1 by Gauss-Jordan elimination; c makes it regular where A is so on steps with sum 0."""
    k = len(A)
    M = np.empty((k, k))
    for p in range(k):
        for q in range(k):
            M[p, q] = A[p, q] + c
        M[p, p] += RIDGE * c
    for p in range(k):
        pivot, M[p, p] = M[p, p], 1.0
        for q in range(k):
            M[p, q] /= pivot
        for r in range(k):
            if r != p:
                factor, M[r, p] = M[r, p], 0.0
                for q in range(k):
                    M[r, q] -= factor * M[p, q]
    return M


@_jit
def direction(M, free, k, G, u, v, g):
    """u := lam v - M G with v = M 1 and 1'u = 0, the step to the minimum; returns the slope along it."""
    su = sv = 0.0
    for a in range(k):
        g[a] = G[free[a]]
    for a in range(k):
        x = y = 0.0
        for e in range(k):
            x -= M[a, e] * g[e]
            y += M[a, e]
        u[a], v[a] = x, y
        su += x
        sv += y
    slope = 0.0
    for a in range(k):
        u[a] -= su / sv * v[a]
    balance(u, k)
    for a in range(k):
        slope += u[a] * g[a]
    return slope


@_jit
def remove(M, free, k, h, row):
    """Inverse and indices without row and column h, M - M e_h e_h'M / M_hh; the last one takes their place."""
    for e in range(k):
        row[e] = M[h, e] / M[h, h]
    for a in range(k):
        factor = M[a, h]
        for e in range(k):
            M[a, e] -= factor * row[e]
    free[h] = free[k - 1]
    for e in range(k):
        M[h, e] = M[k - 1, e]
    for a in range(k):
        M[a, h] = M[a, k - 1]


@_jit
def minimise(A, G, beta, lo, hi, most):
    """Minimise over k variables off their bounds, sum(beta) kept, by at most `most` Newton steps; returns their number.

    A (k, k) is their block of K, G (k,) their gradient; G and beta change in place.
    """
    k, steps, c = len(G), 0, 1e-300
    u, v, g, free = np.empty(k), np.empty(k), np.empty(k), np.empty(k, np.int64)
    for a in range(k):
        free[a], c = a, max(c, abs(A[a, a]))
    M = inverse(A, c)
    while steps < most and k > 1 and direction(M, free, k, G, u, v, g) < 0.0:
        _, h = move(A, beta, G, lo, hi, free, k, u, 1.0)
        steps += 1
        if h < 0:
            break
        remove(M, free, k, h, v)
        k -= 1
    return steps


@njit(nogil=True, cache=True, error_model="numpy")
def newton_steps(K, row_kernel, slot, F, beta, lo, hi, paid, most):
    """minimise over the variables off their bounds, if that costs no more than `paid` pair steps of SMO.

    The rows of K (float32 or float64) are computed on demand, row_kernel and slot as in rows_on_demand; F = K beta - p.
    Returns the number of Newton steps, at most `most`, -1 where the price is too high, and the price in pair steps:
    nanoseconds over nanoseconds, measured.
    """
    n, k = len(F), 0
    face = np.empty(n, np.int64)
    for i in range(n):
        if lo[i] < beta[i] < hi[i]:
            face[k] = i
            k += 1
    face = face[:k]
    price = k * (0.3 * k ** 2 + 10.0 * k + n) / (200 + 1.2 * n)
    if price > paid or k > MAX_FREE:
        return -1, price
    rows = rows_of(row_kernel, face, K, slot)
    A, G, values, low, high = np.empty((k, k)), np.empty(k), np.empty(k), np.empty(k), np.empty(k)
    for a in range(k):
        i = face[a]
        G[a], values[a], low[a], high[a] = F[i], beta[i], lo[i], hi[i]
        for e in range(k):
            A[a, e] = K[rows[a], face[e]]
    steps = minimise(A, G, values, low, high, most)
    for a in range(k):
        G[a], beta[face[a]] = values[a] - beta[face[a]], values[a]
    for a in range(k):
        row, value = K[rows[a]], G[a]
        for l in range(n):
            F[l] += value * row[l]
    return steps, price
