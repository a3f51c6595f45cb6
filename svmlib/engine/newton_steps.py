"""Newton steps between the pair steps of SMO: the minimum over a face, from a Cholesky factor of its block of K.

Pair steps are slow where the dual is badly conditioned: a linear kernel in few dimensions, a large C, a hard margin.
They find out soon which variables are on their bounds, and then need thousands of steps for the values of the rest,
which are the solution of one linear system.  Its equations, and the step to the first bound: svmlib.engine.face.
"""
import numpy as np

from svmlib.compilation import FAST, njit
from svmlib.engine.face import Factor, Point, append, newton_step
from svmlib.engine.row_kernels import row_of

MAX_FREE = 1000            # a Newton step over more would keep a Ctrl-C waiting
# Added to the diagonal of K, relative to its size: less than K is accurate to.  Where K has a null space, the factor
# exists all the same, and a step along the null space is so long that a bound ends it.
RIDGE = 1e-10


@njit(inline="always", fastmath=FAST)
def minimise(A, G, beta, lo, hi, most):
    """Minimise over k variables off their bounds, sum(beta) kept, by at most `most` Newton steps; returns their number.

    A (k, k) is their block of K, G (k,) their gradient; G and beta change in place.  An A of 0, or indefinite: no step.
    """
    k, steps, c = len(G), 0, 0.0
    factor, u, v = Factor(np.empty((k, k)), np.arange(k)), np.empty(k), np.empty(k)
    for a in range(k):
        c = max(c, abs(A[a, a]))
    if c < 1e-280:                                       # its ridge would be no number
        return 0
    for a in range(k):
        if append(A, c, factor, a, a) < -RIDGE:            # an indefinite kernel
            return 0
        factor.L[a, a] = np.sqrt(factor.L[a, a] ** 2 + 2.0 * RIDGE * c)
    while steps < most and k > 1:
        k, gone = newton_step(A, Point(G, beta, lo, hi), factor, k, u, v)
        steps += 1
        if gone < 0:
            break
    return steps


@njit(inline="always")
def price_of(k, n):
    """Price of Newton steps over k of n variables in pair steps: nanoseconds over nanoseconds, measured."""
    return k * (0.12 * k ** 2 + 12.0 * k + n) / (200 + 1.2 * n) if k <= MAX_FREE else np.inf


@njit(inline="always")
def newton_steps(gram, point, paid, most):
    """minimise over the variables off their bounds, if that costs no more than `paid` pair steps of SMO.

    gram and point as in svmlib.engine.pairs: rows of K (float32 or float64) are computed on demand, F = K beta - p.
    Returns the number of Newton steps, at most `most`, -1 where the price is too high, and the price.
    """
    K, (F, beta, lo, hi) = gram.K, point
    n, k = len(F), 0
    face = np.empty(n, np.int64)
    for i in range(n):
        if lo[i] < beta[i] < hi[i]:
            face[k] = i
            k += 1
    face = face[:k]
    price = price_of(k, n)
    if price > paid:
        return -1, price
    rows = np.empty(k, np.int64)
    for a in range(k):
        rows[a] = row_of(gram.row_kernel, face[a], K, gram.slot)
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
