"""The inner loops of the active-set method for the SVM dual: one step at a time, on a Cholesky factor that is kept.

State: beta (n,) signed variables; F (n,) gradient K beta - target; free (n,) the indices of the free block in the
order of the factor, k of them; L (n, n) with L L' = K_FF + c in its first k rows; inside (n,) whether i is free.

The constant c is added to every entry of K.  As sum(beta) is kept, that changes nothing but a common shift of F, and
it makes K_FF + c positive definite exactly where the KKT matrix [K_FF 1; 1' 0] is regular: d + 1 free points are then
possible with a linear kernel in d dimensions, where K_FF alone has rank d.
"""
from __future__ import annotations

import numpy as np

from svmlib.compilation import njit

#: What `advance` reports.  (Plain ints: numba compiles them in.)
RUNNING, OPTIMAL, UNBOUNDED = 0, 1, 2

#: A pivot below this multiple of the diagonal is rounding: the block would be singular.
SINGULAR = 4e-14

_jit = njit(cache=True, nogil=True, error_model="numpy", fastmath={"reassoc", "contract", "arcp", "nsz"})


@_jit
def forward(L, k, r):
    """r := L^-1 r, in place."""
    for a in range(k):
        s = 0.0
        for e in range(a):
            s += L[a, e] * r[e]
        r[a] = (r[a] - s) / L[a, a]


@_jit
def backward(L, k, r):
    """r := L'^-1 r, in place; by rows of L, which lie together in memory."""
    for a in range(k - 1, -1, -1):
        r[a] /= L[a, a]
        for e in range(a):
            r[e] -= L[a, e] * r[a]


@_jit
def append(K, c, L, free, k, p):
    """Write row k of the factor for the new point p; returns its squared pivot relative to the diagonal.

    [ L  0 ] [ L' l ]     L l = K_Fp + c,    pivot^2 = K_pp + c - |l|^2
    [ l' * ] [ 0  * ]
    """
    row = L[k]
    for a in range(k):
        row[a] = K[p, free[a]] + c
    forward(L, k, row)
    square = K[p, p] + c
    diagonal = square
    for a in range(k):
        square -= row[a] * row[a]
    row[k] = np.sqrt(max(square, 0.0))
    free[k] = p
    return square / diagonal if diagonal > 0.0 else 0.0


@_jit
def delete(L, free, k, h):
    """Remove row h of the factor; Givens rotations bring the rows below back to triangular form."""
    for a in range(h, k - 1):
        free[a] = free[a + 1]
        for e in range(a + 2):
            L[a, e] = L[a + 1, e]
    for a in range(h, k - 1):                            # now L[a, a + 1] != 0: rotate columns a and a + 1
        length = np.hypot(L[a, a], L[a, a + 1])
        cosine, sine = L[a, a] / length, L[a, a + 1] / length
        for e in range(a, k - 1):
            x, z = L[e, a], L[e, a + 1]
            L[e, a] = cosine * x + sine * z
            L[e, a + 1] = cosine * z - sine * x


@_jit
def balance(d, k):
    """d := d - mean(d) in its first k entries: sum(d) is 0 by the equations, and now in float64 too."""
    mean = 0.0
    for a in range(k):
        mean += d[a] / k
    for a in range(k):
        d[a] -= mean


@_jit
def newton(L, free, k, F, u, v):
    """u := the step of the free block to its optimum, by the equations

        (K_FF + c) u = -F_F + lam 1,   1'u = 0,   so   u = u_0 + lam v   with   lam = -sum(u_0) / sum(v).
    """
    for a in range(k):
        u[a] = -F[free[a]]
        v[a] = 1.0
    forward(L, k, u)
    backward(L, k, u)
    forward(L, k, v)
    backward(L, k, v)
    su = sv = 0.0
    for a in range(k):
        su += u[a]
        sv += v[a]
    for a in range(k):
        u[a] -= su / sv * v[a]
    balance(u, k)


@_jit
def move(K, beta, F, lo, hi, free, k, d, longest):
    """Go along d (k,) in the free block, by longest or to the first bound; returns the step and who stopped it (-1)."""
    step, h = longest, -1
    for a in range(k):
        i = free[a]
        room = np.inf
        if d[a] > 0.0:
            room = (hi[i] - beta[i]) / d[a]
        elif d[a] < 0.0:
            room = (lo[i] - beta[i]) / d[a]
        if room < step:
            step, h = room, a
    if step == np.inf:
        return step, h
    for a in range(k):
        i = free[a]
        w = step * d[a]
        beta[i] += w
        row = K[i]
        for e in range(len(F)):
            F[e] += w * row[e]
    if h >= 0:
        i = free[h]
        beta[i] = hi[i] if d[h] > 0.0 else lo[i]
    return step, h


@_jit
def enter(K, c, beta, F, target, lo, hi, L, free, inside, k, p, d):
    """Take p into the free block.  Returns the new k, or -1 where the objective falls without bound.

    Where p makes the block singular, d = [-(K_FF + c)^-1 (K_Fp + c); 1] has K d = 0 and sum(d) = 0.  The objective is
    linear along d, with slope -target'd, so the step goes downhill to the first bound; who meets it leaves.
    """
    while append(K, c, L, free, k, p) <= SINGULAR * (k + 1):
        for a in range(k):
            d[a] = -L[k, a]
        backward(L, k, d)
        d[k] = 1.0
        balance(d, k + 1)
        slope = 0.0
        for a in range(k + 1):
            slope -= target[free[a]] * d[a]
        if slope > 0.0:
            for a in range(k + 1):
                d[a] = -d[a]
        _, h = move(K, beta, F, lo, hi, free, k + 1, d, np.inf)
        if h < 0:
            return -1
        if h == k:                                       # p itself went from one bound to the other
            return k
        inside[free[h]] = False
        delete(L, free, k, h)
        k -= 1
    inside[p] = True
    return k + 1


@_jit
def price(beta, F, lo, hi, inside):
    """The most violating points: i with the least F that may grow, j with the largest F that may shrink."""
    i = j = -1
    low, high = np.inf, -np.inf
    for e in range(len(beta)):
        if inside[e]:
            continue
        if beta[e] < hi[e] and F[e] < low:
            low, i = F[e], e
        if beta[e] > lo[e] and F[e] > high:
            high, j = F[e], e
    return i, j, low, high


@_jit
def spread(F, free, k):
    """Mean and half width of F over the free block; the mean is -b, the width is 0 at the optimum of the block."""
    total, low, high = 0.0, np.inf, -np.inf
    for a in range(k):
        f = F[free[a]]
        total += f
        low, high = min(low, f), max(high, f)
    return total / k, 0.5 * (high - low)


@_jit
def advance(K, c, target, lo, hi, beta, F, L, free, inside, k, stationary, tol, budget, u, v):
    """Take up to budget steps; returns (what is reported, k, stationary, steps taken).

    A step is either a move of the free block towards its optimum, by Newton's equations, up to the first bound that
    it meets; or, when the block is optimal, the entry of the point that violates the KKT conditions most.
    """
    for taken in range(budget):
        if not stationary:
            before = np.inf
            stationary = True
            for _ in range(4):                           # once is exact; more, where rounding left something over
                if k < 2:
                    break
                _, width = spread(F, free, k)
                if width <= 0.01 * tol or width > 0.5 * before:
                    break
                before = width
                newton(L, free, k, F, u, v)
                _, h = move(K, beta, F, lo, hi, free, k, u, 1.0)
                if h >= 0:
                    inside[free[h]] = False
                    delete(L, free, k, h)
                    k -= 1
                    stationary = False
                    break
            continue
        i, j, low, high = price(beta, F, lo, hi, inside)
        if k == 0:                                       # no free point tells b: the two that disagree most enter
            if high - low <= tol:
                return OPTIMAL, k, stationary, taken
            k = enter(K, c, beta, F, target, lo, hi, L, free, inside, k, i, u)
            k = enter(K, c, beta, F, target, lo, hi, L, free, inside, k, j, u)
        else:
            mean, _ = spread(F, free, k)
            if max(mean - low, high - mean) <= tol:
                return OPTIMAL, k, stationary, taken
            k = enter(K, c, beta, F, target, lo, hi, L, free, inside, k, i if mean - low >= high - mean else j, u)
        if k < 0:
            return UNBOUNDED, 0, stationary, taken
        stationary = False
    return RUNNING, k, stationary, budget
