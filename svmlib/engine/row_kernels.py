"""The Gram matrix as SMO sees it: row by row, each computed when a step first reads it.

SMO reads two rows per step, and those of most points never: points far outside the margin stay at alpha = 0.  For
points of few features a row of a Gaussian, polynomial or linear kernel is a short compiled loop.  The matrix of another
kernel is formed whole, and one that has been formed already is taken as it is.

Where a row is kept: svmlib.engine.gram_rows.  row_kernel is what computes it.
"""
from typing import Any, NamedTuple

import numpy as np

from svmlib.compilation import EXACT, njit
from svmlib.kernels import FEW, Gaussian, Kernel, Polynomial
from svmlib.kernels.exponential import DOUBLE, exp_in_place

GAUSSIAN, POLYNOMIAL = 1, 2
NO_ROW_KERNEL = (0, np.empty((0, 0)), 0.0, 0.0, 1)      # the row kernel of a whole matrix: nothing is left to compute


class Gram(NamedTuple):
    """Rows of the Gram matrix of m points, as far as they have been needed."""

    K: np.ndarray                    # row i is K[slot[i]] where slot[i] >= 0
    row_kernel: tuple                # what computes the others, see compute_row
    slot: np.ndarray                 # (m + 1,), changed by row_of: slot[m] rows are in use
    diag: np.ndarray                 # of each variable


@njit(fastmath=EXACT)
def compute_row(row_kernel, i, out):
    """Compute the end of a row of the Gram matrix, all of it where out is (n,): out_l := k(x_i, x_j) for the last j.

    row_kernel = (kind, XT (d, n), factor, offset, Q):

    Gaussian: factor = gamma, offset = its prefactor.  Polynomial and linear: (factor x'z + offset)^Q.
    """
    kind, XT, factor, offset, Q = row_kernel
    out[:] = 0.0
    for k in range(len(XT)):
        x, z = XT[k, i], XT[k, XT.shape[1] - len(out):]
        if kind == GAUSSIAN:
            for l in range(len(out)):
                out[l] -= factor * (x - z[l]) * (x - z[l])
        else:
            for l in range(len(out)):
                out[l] += factor * x * z[l]
    if kind == GAUSSIAN:
        exp_in_place(out, np.float64, np.int64, DOUBLE)
        if offset != 1.0:
            out *= offset
    elif kind == POLYNOMIAL:
        for l in range(len(out)):
            base = out[l] + offset
            power = base
            for _ in range(Q - 1):
                power *= base
            out[l] = power


@njit(fastmath=EXACT)
def add_products(out, row_kernel, beta):
    """Add sum_j beta_j k(x_i, x_j) to out (n,), where beta (m,) belongs to the first m points; K is symmetric."""
    n, m = len(out), len(beta)
    row = np.empty(n)
    for i in range(m):
        part, value, own = row[i:], beta[i], 0.0
        compute_row(row_kernel, i, part)
        for l in range(n - i):
            out[i + l] += value * part[l]
        for l in range(1, m - i):
            own += beta[i + l] * part[l]
        out[i] += own


@njit(fastmath=EXACT)
def row_of(row_kernel, i, K, slot):
    """Where K keeps the row k(x_i, .), which is computed now if it was not; slot[m] counts the rows that are in use.

    slot (m + 1,): of m points, where variables i, i + m, ... (two of each point, in regression) share a row.
    """
    m = len(slot) - 1
    while i >= m:
        i -= m
    if slot[i] < 0:
        slot[i] = slot[-1]
        slot[-1] += 1
        row = K[slot[i]]
        compute_row(row_kernel, i, row[:m])
        for l in range(m, len(row)):
            row[l] = row[l - m]
    return slot[i]


def row_kernel_of(kernel: Kernel, X: Any) -> tuple | None:
    """What compute_row needs, or None where rows would not be cheaper than the matrix, or its eigenvalues are due."""
    if type(X) is not np.ndarray or X.ndim != 2 or X.shape[1] > FEW or not kernel.psd:
        return None
    if type(kernel) is Gaussian:
        kind, factor, offset, Q = GAUSSIAN, kernel.gamma, kernel.factor, 1
    elif type(kernel) is Polynomial:
        kind, factor, offset, Q = POLYNOMIAL, kernel.a, kernel.b, int(kernel.Q)
    elif kernel.is_inner_product:
        kind, factor, offset, Q = 0, 1.0, 0.0, 1
    else:
        return None
    return kind, np.ascontiguousarray(X.T), float(factor), float(offset), Q
