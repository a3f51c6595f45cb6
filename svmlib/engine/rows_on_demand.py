"""The Gram matrix as SMO sees it: row by row, each computed when a step first reads it.

SMO reads two rows a step, and those of most points never: points far outside the margin stay at alpha = 0.  For points
of few features a row of a Gaussian, polynomial or linear kernel is a short compiled loop.  Other kernels, and whoever
has the matrix already, give it whole.
"""
from __future__ import annotations

from math import factorial
from typing import Any

import numpy as np

from svmlib.checks import all_finite
from svmlib.compilation import njit
from svmlib.dual import DualProblem
from svmlib.engine.row_cache import add_rows
from svmlib.kernels import FEW, Gaussian, Linear, Polynomial

__all__ = ["NO_FORM", "LazyGram", "compute_row", "exp_in_place", "row_of", "rows_of", "whole_place"]

EXACT: dict[str, Any] = {"nogil": True, "cache": True, "error_model": "numpy", "fastmath": {"nsz", "nnan", "contract"}}
GAUSSIAN, POLYNOMIAL = 1, 2
LOG2_E = 1.4426950408889634
LN2_HIGH, LN2_LOW = 0.6931471803691238, 1.9082149292705877e-10     # ln 2 in two parts; m LN2_HIGH has no rounding
SERIES = tuple(1.0 / factorial(k) for k in range(13, -1, -1))      # of exp, highest power first
LEAST = -708.0                                                     # exp of less is below the normal float64


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
def compute_row(form, i, out):
    """out (n,) := k(x_i, x_j) for all j; form = (kind, XT (d, n), factor, offset, Q).

    Gaussian: factor = gamma, offset = its prefactor.  Polynomial and linear: (factor x'z + offset)^Q.
    """
    kind, XT, factor, offset, Q = form
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
def row_of(form, i, K, place):
    """Row of K that holds k(x_i, .), computed now if it was not; place[n] counts the rows that are in use."""
    if place[i] < 0:
        place[i] = place[-1]
        place[-1] += 1
        compute_row(form, i, K[place[i]])
    return place[i]


@njit(**EXACT)
def rows_of(form, points, K, place):
    """row_of for several points."""
    out = np.empty(len(points), np.int64)
    for l in range(len(points)):
        out[l] = row_of(form, points[l], K, place)
    return out


@njit(**EXACT)
def _add_times(form, K, place, beta, out):
    """out += K beta.  The loop does what numpy's flatnonzero would, and compiles in half the time."""
    points, values, k = np.empty(len(beta), np.int64), np.empty(len(beta)), 0
    for i in range(len(beta)):
        if beta[i] != 0.0:
            points[k], values[k] = i, beta[i]
            k += 1
    add_rows(out, K, rows_of(form, points[:k], K, place), values[:k])


class LazyGram:
    """Gram matrix of a problem in float64, by rows: k(x_i, .) is row place[i] of K where place[i] >= 0.

    Rows stand in the order in which they were asked for, so that the memory behind them is touched from the front and
    no further than needed.  form is what compute_row needs.  Raises ValueError for a kernel whose values overflow.
    """

    def __init__(self, problem: DualProblem) -> None:
        self.n = problem.n
        form = None if "K" in problem.__dict__ else _form(problem)
        if form is None:
            K = problem.K
            self.K = K if K.flags.c_contiguous and K.flags.writeable else np.array(K, order="C")    # one compilation
            self.diag = K.diagonal().astype(np.float64)
        else:
            problem.check_memory()
            self.K = np.empty((problem.n, problem.n))
            self.diag = problem.diag
        self.form = NO_FORM if form is None else form
        self.place = whole_place(problem.n) if form is None else np.full(problem.n + 1, -1)
        if form is not None:
            self.place[-1] = 0
        if not all_finite(self.diag):
            raise ValueError(f"kernel {problem.kernel!r} gives values that overflow; scale the features")

    def times(self, beta: np.ndarray) -> np.ndarray:
        """K beta (n,), from the rows where beta is not 0: K is symmetric."""
        out = np.zeros(self.n)
        _add_times(self.form, self.K, self.place, beta, out)
        return out


def whole_place(n: int) -> np.ndarray:
    """place of a whole matrix: each point's row is its own, all n are in use."""
    return np.arange(n + 1)


#: Stands for a whole matrix: nothing is left to compute.
NO_FORM = (0, np.empty((0, 0)), 0.0, 0.0, 1)


def _form(problem: DualProblem) -> tuple | None:
    """What compute_row needs, or None where rows would not be cheaper than the matrix, or its eigenvalues are due."""
    kernel, X = problem.kernel, problem.X
    if np.ndim(X) != 2 or X.shape[1] > FEW or not kernel.psd:
        return None
    if type(kernel) is Gaussian:
        numbers = (GAUSSIAN, kernel.gamma, kernel.factor, 1)
    elif type(kernel) is Polynomial:
        numbers = (POLYNOMIAL, kernel.a, kernel.b, int(kernel.Q))
    elif type(kernel) is Linear and kernel.A is None:
        numbers = (0, 1.0, 0.0, 1)
    else:
        return None
    kind, factor, offset, Q = numbers
    return kind, np.ascontiguousarray(X.T), float(factor), float(offset), Q
