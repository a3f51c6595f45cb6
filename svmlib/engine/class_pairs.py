"""One-vs-one for many classes: all pairs in one compiled loop, because each of them is small and there are many.

A hundred classes are 4,950 problems.  Solved one by one from Python, a problem of twenty points spends a hundred times
longer on being prepared and certified than on its steps.  Here a pair is cut out of points that stand class by class,
takes the steps of svmlib.engine.pairs, and is certified as everywhere; what does not reach tol that way is left to the
solver, with all that it knows of slow, flat and badly scaled problems.
"""
import numpy as np

from svmlib.compilation import FAST_FINITE, njit
from svmlib.dual.certificate import error_of, evaluate, settle, upper_gap
from svmlib.engine.face import Point
from svmlib.engine.gram_rows import add_all
from svmlib.engine.pairs import inlined_steps
from svmlib.engine.row_kernels import Gram

STEPS = 20                 # for each point of a pair, and 2,000 more: then the solver takes over
ROUNDING = 2.0 ** -50      # of K, relative: see BoxProblem._rounding


@njit()
def cut(K, XT, where, block, mine):
    """The points `where` (m,) out of K (n, n), if it is there, into block (m, m), or out of XT (d, n) into mine."""
    for k in range(len(XT)):
        for l in range(len(where)):
            mine[k, l] = XT[k, where[l]]
    if len(K) > 0:
        for i in range(len(where)):
            row, out = K[where[i]], block[i]
            for l in range(len(where)):
                out[l] = row[where[l]]


@njit()
def certify(y, C, alpha, g, size, units, tol, numbers):
    """What the certificate says of one pair, into numbers (7,); size (m,): diagonal of K.  See solve_pairs."""
    error, violation = np.empty(len(y)), np.empty(len(y))
    b, objective, worst, gap = evaluate(y, C, y, alpha, g, 0.0, False, violation)
    off = error_of(units, len(y)) * np.sqrt((size * alpha ** 2).sum())
    for l in range(len(y)):
        error[l] = off * np.sqrt(size[l])
    numbers[0], numbers[1], numbers[2], numbers[3] = b, objective, gap, worst
    numbers[4] = upper_gap(y, C, y, 0.0, alpha, g, b, error)
    sure = ROUNDING * alpha.sum() * size.max() <= tol
    numbers[6] = 1.0 if sure and worst <= tol and np.abs(objective) < np.inf else 0.0


@njit(fastmath=FAST_FINITE)
def solve_pairs(row_kernel, K, diag, units, starts, C, pairs, tol, layout, numbers):
    """Solve the pairs (r, 2) of classes, in place: beta into layout, and what the certificate says into numbers.

    All n points stand class by class, class p from starts[p] on.  row_kernel: what computes their rows of the Gram
    matrix, or K (n, n), where it is there.  diag, C (n,): of K, and the bounds of alpha.  units: by how many a kernel
    value may be off, see error_of.  layout (k - 1, n): libsvm's.  numbers (r, 7): b, dual value, gap, worst violation,
    gap with its rounding, steps, and whether that is all: otherwise somebody else has to solve the pair.
    """
    kind, XT, factor, offset, Q = row_kernel
    largest = 0
    for p, q in pairs:
        largest = max(largest, starts[p + 1] - starts[p] + starts[q + 1] - starts[q])
    scratch = np.empty(largest * largest)                  # used again: new memory costs more than what is done in it
    for t in range(len(pairs)):
        p, q = pairs[t]
        some = starts[p + 1] - starts[p]
        where = np.concatenate((np.arange(starts[p], starts[p + 1]), np.arange(starts[q], starts[q + 1])))
        m = len(where)
        y, hi, beta = np.ones(m), C[where], np.zeros(m)
        block, mine = scratch[:m * m].reshape(m, m), np.empty((len(XT), m))
        bounds, size, lo = hi.copy(), diag[where], np.zeros(m)
        y[some:], hi[some:], lo[some:] = -1.0, 0.0, -bounds[some:]
        F, slot = -y, np.arange(m + 1) if len(K) > 0 else np.arange(-m, 1)
        cut(K, XT, where, block, mine)
        rows = (kind, mine, factor, offset, Q)
        steps, _, _, _ = inlined_steps(Gram(block, rows, slot, size), Point(F, beta, lo, hi), tol, 2000 + STEPS * m)
        alpha, g = y * beta, np.zeros(m)
        settle(alpha, bounds)
        beta = y * alpha
        add_all(g, block, rows, slot, beta)
        certify(y, bounds, alpha, g, size, units, tol, numbers[t])
        numbers[t, 5] = steps
        layout[q - 1, starts[p]:starts[p + 1]] = beta[:some]
        layout[p, starts[q]:starts[q + 1]] = beta[some:]
