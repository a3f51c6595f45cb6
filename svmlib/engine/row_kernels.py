"""The Gram matrix as SMO sees it: row by row, each computed when a step first reads it.

SMO reads two rows a step, and those of most points never: points far outside the margin stay at alpha = 0.  For points
of few features a row of a Gaussian, polynomial or linear kernel is a short compiled loop.  Other kernels, and whoever
has the matrix already, give it whole.

Where a row is kept: svmlib.engine.gram_rows.  row_kernel is what computes it.
"""
from math import factorial
from typing import Any

import numpy as np

from svmlib.compilation import njit
from svmlib.kernels import FEW, Gaussian, Kernel, Polynomial

EXACT: dict[str, Any] = {"nogil": True, "cache": True, "error_model": "numpy", "fastmath": {"nsz", "nnan", "contract"}}
GAUSSIAN, POLYNOMIAL = 1, 2
LOG2_E = 1.4426950408889634
LN2_HIGH, LN2_LOW = 0.6931471803691238, 1.9082149292705877e-10     # ln 2 in two parts; m LN2_HIGH has no rounding
SERIES = tuple(1.0 / factorial(k) for k in range(13, -1, -1))      # of exp, highest power first
LEAST = -708.0                                                     # exp of less is below the normal float64
NO_ROW_KERNEL = (0, np.empty((0, 0)), 0.0, 0.0, 1)      # the row kernel of a whole matrix: nothing is left to compute


@njit(inline="always", **EXACT)
def exp_in_place(v):
    """v := exp(v) for v <= 0 (n,), within 2 units in the last place, by operations that SIMD has.

    exp(v) = 2^m exp(r) with m = round(v / ln 2), so that |r| <= ln 2 / 2, where r^13 / 13! ends the series; 2^m is made
    of its exponent bits.  As fast as numpy's, and a call costs nothing.
    """
    for l in range(len(v)):
        x = max(v[l], LEAST)
        m = np.floor(x * LOG2_E + 0.5)
        r = (x - m * LN2_HIGH) - m * LN2_LOW
        p = 0.0
        for coefficient in SERIES:                                     # Horner: one fused operation a term
            p = p * r + coefficient
        v[l] = p * np.int64((np.int64(np.int32(m)) + 1023) << 52).view(np.float64)


@njit(**EXACT)
def compute_row(row_kernel, i, out):
    """out (n,) := k(x_i, x_j) for all j; row_kernel = (kind, XT (d, n), factor, offset, Q).

    Gaussian: factor = gamma, offset = its prefactor.  Polynomial and linear: (factor x'z + offset)^Q.
    """
    kind, XT, factor, offset, Q = row_kernel
    out[:] = 0.0
    for k in range(len(XT)):
        x, z = XT[k, i], XT[k]
        if kind == GAUSSIAN:
            for l in range(len(out)):
                out[l] -= factor * (x - z[l]) * (x - z[l])
        else:
            for l in range(len(out)):
                out[l] += factor * x * z[l]
    if kind == GAUSSIAN:
        exp_in_place(out)
        if offset != 1.0:
            out *= offset
    elif kind == POLYNOMIAL:
        for l in range(len(out)):
            base = out[l] + offset
            power = base
            for _ in range(Q - 1):
                power *= base
            out[l] = power


@njit(**EXACT)
def row_of(row_kernel, i, K, slot):
    """Row of K that holds k(x_i, .), computed now if it was not; slot[n] counts the rows that are in use."""
    if slot[i] < 0:
        slot[i] = slot[-1]
        slot[-1] += 1
        compute_row(row_kernel, i, K[slot[i]])
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
