"""The compiled steps of svmlib.solvers.active_set: the minimum over the free variables, by one factor that is kept.

    minimise  1/2 beta' K beta - p' beta    over  lo <= beta <= hi,  sum(beta) kept

State: a Point and a Factor, see there; inside (n,) whether i is free.  K (m, m) holds each point once: variable i
belongs to point i mod m (regression has two variables a point, else m = n).

The constant c is added to every entry of K.  As sum(beta) is kept, that changes nothing but a common shift of F, and
it makes K_free + c positive definite exactly where the KKT matrix [K_free 1; 1' 0] is regular: d + 1 free points are
then possible with a linear kernel in d dimensions, where K_free alone has rank d.

The active-set method walks from face to face, and so does the end of an interior-point method; SMO goes to the minimum
of a face now and then, by steps that are in svmlib.engine.newton_steps.
"""
from typing import NamedTuple

import numpy as np

from svmlib.compilation import FAST, njit
from svmlib.dual.gram import centre


class Point(NamedTuple):
    """Where a method stands, n variables.  Compiled loops take it as a plain tuple, ten times as fast, and name it."""

    F: np.ndarray                    # the gradient K beta - p, changed by each step
    beta: np.ndarray                 # changed by each step
    lo: np.ndarray                   # the box stays
    hi: np.ndarray


class Factor(NamedTuple):
    """The factor of the free block, in its first k rows; it changes as variables come and go (equation as-append)."""

    L: np.ndarray                    # (n, n), with L L' = K_free + c, K_free the block of K of the free variables
    free: np.ndarray                 # (n,), the indices of these, in the order of the factor


# ---- the factor: what SMO calls, too, is inlined (svmlib.engine.pairs says why) ----------------------------------
@njit(inline="always", fastmath=FAST)
def forward(L, k, r):
    """r := L^-1 r, in place."""
    for a in range(k):
        s = 0.0
        for e in range(a):
            s += L[a, e] * r[e]
        r[a] = (r[a] - s) / L[a, a]


@njit(inline="always", fastmath=FAST)
def backward(L, k, r):
    """r := L'^-1 r, in place; by rows of L, which lie together in memory."""
    for a in range(k - 1, -1, -1):
        r[a] /= L[a, a]
        for e in range(a):
            r[e] -= L[a, e] * r[a]


@njit(inline="always")
def point_of(i, m):
    """i mod m, for an i of a few m: a division would take longer than all else that is done with the entry."""
    while i >= m:
        i -= m
    return i


@njit(inline="always", fastmath=FAST)
def append(K, c, factor, k, p):
    """Write row k of the factor for the new point p; returns its squared pivot relative to the diagonal.

    [ L  0   ] [ L' l   ]     L l = K[free, p] + c,    rho^2 = K_pp + c - |l|^2
    [ l' rho ] [ 0  rho ]
    """
    (L, free), m = factor, len(K)
    row, q = L[k], point_of(p, m)
    K_p = K[q]
    for a in range(k):
        row[a] = K_p[point_of(free[a], m)] + c
    forward(L, k, row)
    square = K_p[q] + c
    diagonal = square
    for a in range(k):
        square -= row[a] * row[a]
    row[k] = np.sqrt(max(square, 0.0))
    free[k] = p
    return square / diagonal if diagonal > 0.0 else 0.0


@njit(inline="always", fastmath=FAST)
def delete(factor, k, h):
    """Remove row h of the factor; Givens rotations bring the rows below back to triangular form."""
    L, free = factor
    for a in range(h, k - 1):
        free[a] = free[a + 1]
        for e in range(a + 2):
            L[a, e] = L[a + 1, e]
    for a in range(h, k - 1):                            # now L[a, a + 1] != 0: rotate columns a and a + 1
        length = np.sqrt(L[a, a] ** 2 + L[a, a + 1] ** 2)
        cosine, sine = L[a, a] / length, L[a, a + 1] / length
        for e in range(a, k - 1):
            x, z = L[e, a], L[e, a + 1]
            L[e, a] = cosine * x + sine * z
            L[e, a + 1] = cosine * z - sine * x


# ---- directions and steps -----------------------------------------------------------------------------------------
@njit(inline="always", fastmath=FAST)
def balance(d, k):
    """d := d - mean(d) in its first k entries: sum(d) is 0 by the equations, and now in float64 too."""
    mean = 0.0
    for a in range(k):
        mean += d[a] / k
    for a in range(k):
        d[a] -= mean


@njit(inline="always", fastmath=FAST)
def newton_direction(factor, k, F, u, v):
    """u := the step of the free block to its optimum, by the equations

        (K_free + c) u + b 1 = -F_free,   1'u = 0.    With z = -L^-1 F_free and v = L^-1 1:
        L'u = z - b v,   b = v'z / v'v.
    """
    L, free = factor
    vz = vv = 0.0
    for a in range(k):
        z, one = -F[free[a]], 1.0
        for e in range(a):
            z -= L[a, e] * u[e]
            one -= L[a, e] * v[e]
        u[a], v[a] = z / L[a, a], one / L[a, a]
        vz += v[a] * u[a]
        vv += v[a] * v[a]
    for a in range(k):
        u[a] -= vz / vv * v[a]
    backward(L, k, u)
    balance(u, k)


@njit(inline="always", fastmath=FAST)
def move(K, point, free, k, d, longest):
    """Go along d (k,) in the free block, by longest or to the first bound; the step, and who met a bound (else -1)."""
    (F, beta, lo, hi), m = point, len(K)
    step, h = longest, -1
    for a in range(k):
        i = free[a]
        reach = np.inf
        if d[a] > 0.0:
            reach = (hi[i] - beta[i]) / d[a]
        elif d[a] < 0.0:
            reach = (lo[i] - beta[i]) / d[a]
        if reach < step:
            step, h = reach, a
    if step == np.inf:
        return step, h
    for a in range(k):
        i = free[a]
        w = step * d[a]
        beta[i] += w
        row = K[point_of(i, m)]
        for start in range(0, len(F), m):
            part = F[start:start + m]
            for e in range(m):
                part[e] += w * row[e]
    if h >= 0:
        i = free[h]
        beta[i] = hi[i] if d[h] > 0.0 else lo[i]
    return step, h


@njit(fastmath=FAST)
def enter(K, c, singular, point, factor, inside, k, i, d):
    """Take i into the free block.  Returns the new k, or -1 where the objective falls without bound.

    Where i makes the block singular, d = [-(K_free + c)^-1 (K[free, i] + c); 1] has K d = 0 and sum(d) = 0.  On d
    the objective is linear (concave for an indefinite K): the step goes down to the first bound, whose variable leaves.
    """
    point, (L, free) = Point(*point), factor
    while append(K, c, factor, k, i) <= singular * (k + 1):
        for a in range(k):
            d[a] = -L[k, a]
        backward(L, k, d)
        d[k] = 1.0
        balance(d, k + 1)
        slope = 0.0
        for a in range(k + 1):
            slope += point.F[free[a]] * d[a]
        if slope > 0.0:
            for a in range(k + 1):
                d[a] = -d[a]
        _, h = move(K, point, free, k + 1, d, np.inf)
        if h < 0:
            return -1
        if h == k:                                       # i itself went from one bound to the other
            return k
        inside[free[h]] = False
        delete(factor, k, h)
        k -= 1
    inside[i] = True
    return k + 1


@njit(inline="always", fastmath=FAST)
def newton_step(K, point, factor, k, u, v):
    """One Newton step to the optimum of the free block; the variable that meets a bound on the way leaves (else -1)."""
    newton_direction(factor, k, point.F, u, v)
    _, h = move(K, point, factor.free, k, u, 1.0)
    if h < 0:
        return k, h
    i = factor.free[h]
    delete(factor, k, h)
    return k - 1, i


@njit(fastmath=FAST)
def approach(K, point, factor, inside, k, tol, u, v):
    """Newton's step towards the optimum of the free block; a variable that meets a bound on the way leaves.

    One step is exact, more are taken where rounding has left F wider than tol.  Returns k, and whether it has arrived.
    """
    point, factor, before = Point(*point), Factor(*factor), np.inf
    for _ in range(4):
        block = point.F[factor.free[:k]]                              # one number, -b, at the optimum of the block
        width = 0.5 * (block.max() - block.min()) if k > 1 else 0.0
        if k < 2 or width <= tol or width > 0.5 * before:
            break
        before = width
        k, i = newton_step(K, point, factor, k, u, v)
        if i >= 0:
            inside[i] = False
            return k, False
    return k, True


# ---- from face to face ----------------------------------------------------------------------------------------------
class Face:
    """The free variables of a beta within its box, and steps on them; beta and its gradient F change in place.

    K (m, m) PSD, of which a centred copy is kept; p, lo, hi and beta (n,), where variable i belongs to point i mod m;
    what is off its bounds is free, or inside.  F is K beta - p, up to one number that centring takes from all of it.
    `settled` says whether the free variables are at their optimum, `unbounded` whether the objective was seen to fall
    without bound (a hard margin that does not exist).

    >>> beta = np.array([0.9, 0.1, 0.0])
    >>> face = Face(np.eye(3), np.ones(3), np.zeros(3), np.ones(3), beta)
    >>> face.step(1e-9)
    >>> face.beta, face.inside, face.settled
    (array([0.5, 0.5, 0. ]), array([ True,  True, False]), True)
    """

    def __init__(self, K: np.ndarray, p: np.ndarray, lo: np.ndarray, hi: np.ndarray, beta: np.ndarray) -> None:
        n = len(p)
        self.K = np.array(K, dtype=np.float64, order="C")
        self.c, self.singular, mean = centre(self.K)
        self.shift = beta.sum() * np.resize(mean, n) - p
        self.F, self.lo, self.hi, self.beta = np.empty(n), lo, hi, beta
        self.point, self.factor = (self.F, beta, lo, hi), (np.empty((n, n)), np.zeros(n, np.int64))
        self.inside, self.k = np.zeros(n, np.bool_), 0
        self.u, self.v = np.empty(n), np.empty(n)
        self.unbounded = False
        self.refresh()
        for i in np.flatnonzero((beta > lo) & (beta < hi)).tolist():
            self.enter(i)

    def refresh(self) -> None:
        """Compute F afresh: each step adds its rounding to it."""
        self.F[:] = np.resize(self.K @ self.beta.reshape(-1, len(self.K)).sum(axis=0), len(self.beta)) + self.shift
        self.settled = False

    def step(self, tol: float) -> None:
        """Move towards the optimum of the free variables (F is one number there, within tol), or to the first bound."""
        self.k, self.settled = approach(self.K, self.point, self.factor, self.inside, self.k, tol, self.u, self.v)

    def enter(self, i: int) -> None:
        """Free the variable i; where that leaves a direction without curvature, go along it to a bound."""
        k = enter(self.K, self.c, self.singular, self.point, self.factor, self.inside, self.k, i, self.u)
        self.unbounded |= k < 0
        self.k, self.settled = max(k, 0), False
