"""Blocks of a Gram matrix at the speed of matrix multiplication.

All kernels of this course but the strings are one function of inner products, so that a block of the Gram matrix is
one matrix product (GEMM, where a processor is at its best) and one pass over its entries:

    K(X, Z) = phi( left(X) right(Z)' )

    Gaussian      left = [2 gamma z, 1, log c - gamma |z|^2]    right = [z, -gamma |z|^2, 1]    phi = exp
    polynomial    left = [a x, b]                               right = [x, 1]                  phi = power Q
    sigmoid       left = [kappa x, -delta]                      right = [x, 1]                  phi = tanh
    linear        left = A x                                    right = x                       phi = identity

z is x after a shift of the origin into the data, which no Gaussian notices and float32 does.  Columns that contribute
nothing to any product are left out.
"""
from collections.abc import Callable
from typing import Any

import numpy as np

from svmlib.kernels import FEW, Gaussian, Kernel, Linear, Polynomial, Precomputed, Sigmoid
from svmlib.kernels.vectors import power

FEW_ROWS = 128
IN_CACHE = 64            # points that are converted at a time, so that what one pass writes the next finds in the cache
#: Columns of the factors beside those of X.  By exact type: a subclass may compute something else.
EXTRA: dict[type[Kernel], int] = {Linear: 0, Polynomial: 1, Sigmoid: 1, Gaussian: 2}


class Factors:
    """Left and right factors of one kernel of the table above, with the columns of X that matter.

    kernel: a Kernel; X (n, d): training points, float64; dtype: float32 or float64, of factors and blocks.

    >>> X = np.array([[0.0, 1.0], [2.0, 3.0]])
    >>> factors = Factors(Gaussian(gamma=0.1), X)
    >>> V = factors.right(X)
    >>> bool(np.allclose(factors.finish(factors.left(V) @ V.T), Gaussian(gamma=0.1)(X)))
    True
    """

    def __init__(self, kernel: Any, X: np.ndarray, dtype: type = np.float64) -> None:
        self.kernel, self.dtype, self.gaussian = kernel, dtype, type(kernel) is Gaussian
        # Nothing comes from a column of zeros, nor, in a Gaussian, from a constant one: after the shift it is zero.
        origin = X[0] if self.gaussian else np.zeros(X.shape[1])
        some = X[::max(1, len(X) // 1000)]
        matter = (some != origin).any(axis=0)                    # most columns that matter show among a few rows
        rest = np.flatnonzero(~matter)
        matter[rest] = (X[:, rest] != origin[rest]).any(axis=0)
        self.columns = np.flatnonzero(matter)
        self.shift = np.where(matter, some.mean(axis=0), origin)
        self.width = len(self.columns) + EXTRA[type(kernel)]

    def right(self, X: np.ndarray) -> np.ndarray:
        """Right factor of points X (m, d): (m, width)."""
        V: np.ndarray = np.ones((len(X), self.width), self.dtype)
        if not self.gaussian:
            V[:, :len(self.columns)] = np.take(X, self.columns, axis=1)
            return V
        for start in range(0, len(X), IN_CACHE):
            some = slice(start, start + IN_CACHE)
            Z = X[some] - self.shift
            V[some, :-2] = np.take(Z, self.columns, axis=1)
            V[some, -2] = -self.kernel.gamma * np.vecdot(Z, Z)   # counts columns left out, where new points may differ
        return V

    def left(self, V: np.ndarray) -> np.ndarray:
        """Left factor of points whose right factor is V."""
        kernel = self.kernel
        if isinstance(kernel, Linear):
            return V if kernel.A is None else V @ np.asarray(kernel.A, self.dtype)[np.ix_(self.columns, self.columns)]
        if self.gaussian:
            U = V * self.dtype(2 * kernel.gamma)
            U[:, -2], U[:, -1] = 1.0, V[:, -2] + np.log(kernel.factor)
            return U
        scale, offset = (kernel.a, kernel.b) if isinstance(kernel, Polynomial) else (kernel.kappa, -kernel.delta)
        U = V * self.dtype(scale)
        U[:, -1] = offset
        return U

    def finish(self, P: np.ndarray) -> np.ndarray:
        """phi: turn the product of the factors into kernel values, in place."""
        if self.gaussian:
            return np.exp(P, out=P)
        if isinstance(self.kernel, Sigmoid):
            return np.tanh(P, out=P)
        if isinstance(self.kernel, Polynomial):
            P[:] = power(P, self.kernel.Q)
        return P

    def condition(self, X: np.ndarray) -> float:
        """By how much phi and the sum before it magnify the relative rounding error of a kernel value, at most.

        The absolute error of an exponent, a sum of terms up to this size, is the relative error of exp; a power
        multiplies relative errors by its exponent.
        """
        if self.gaussian:
            return 1.0 + 4.0 * self.kernel.gamma * float(np.square(X - self.shift).sum(axis=1).max())
        return float(self.kernel.Q) if isinstance(self.kernel, Polynomial) else 1.0


def factors_of(kernel: Kernel, X: Any, dtype: type = np.float64) -> Factors | None:
    """Factors of a kernel that is a function of inner products; None for others, and for sparse points."""
    return Factors(kernel, X, dtype) if type(kernel) in EXTRA and isinstance(X, np.ndarray) else None


class Points:
    """Points ready for Gram blocks: their right factor, or, for a kernel without factors, the points themselves.

    data: right factor (n, D), or points, or the indices of a precomputed matrix; diag (n,): k(x, x) in float64;
    kernel: a Kernel, or that matrix.
    """

    def __init__(self, kernel: Any, data: Any, diag: np.ndarray, factors: Factors | None = None) -> None:
        self.kernel, self.data, self.diag, self.factors = kernel, data, diag, factors
        self.dtype = np.float64 if factors is None else factors.dtype

    @classmethod
    def of(cls, kernel: Kernel, X: Any, dtype: type = np.float64, order: np.ndarray | None = None,
           run: Callable = map) -> "Points":
        """Points X[order], all of them where None; run maps a function over strips of X (a thread pool's map, say)."""
        order = np.arange(len(X)) if order is None else order
        if isinstance(kernel, Precomputed):
            return cls(X, order, X.diagonal()[order])
        factors = factors_of(kernel, X, dtype)
        if factors is None:
            return cls(kernel, X[order], kernel.diagonal(X)[order])
        data: np.ndarray = np.empty((len(order), factors.width), dtype)
        diag = np.empty(len(order))

        def convert(start: int) -> None:
            strip = slice(start, start + 256)
            points = X[order[strip]]
            data[strip], diag[strip] = factors.right(points), kernel.diagonal(points)

        list(run(convert, range(0, len(order), 256)))
        return cls(kernel, data, diag, factors)

    @classmethod
    def exact(cls, kernel: Kernel, X: Any, order: np.ndarray) -> "Points":
        """Points X[order] for blocks in float64; with few coordinates by differences, which have no rounding."""
        if np.ndim(X) == 2 and X.shape[1] <= FEW and not isinstance(kernel, Precomputed):
            return cls(kernel, X[order], kernel.diagonal(X[order]))
        return cls.of(kernel, X, order=order) if isinstance(kernel, Precomputed) else cls.of(kernel, X[order])

    def __len__(self) -> int:
        return len(self.diag)

    def __getitem__(self, rows: Any) -> "Points":
        """Some of the points."""
        return Points(self.kernel, self.data[rows], self.diag[rows], self.factors)

    def like(self, X: Any) -> "Points":
        """Other points in the same coordinates, for blocks with these ones (without their diagonal)."""
        return Points(self.kernel, X if self.factors is None else self.factors.right(X), np.empty(0), self.factors)

    def block(self, other: "Points", out: np.ndarray | None = None) -> np.ndarray:
        """Gram block (n, m) of these points and others, written to out where given (C-contiguous, of this dtype)."""
        if out is None:
            out = np.empty((len(self.data), len(other.data)), self.dtype)
        if self.factors is None:
            lookup = isinstance(self.kernel, np.ndarray)
            out[:] = self.kernel[np.ix_(self.data, other.data)] if lookup else self.kernel.block(self.data, other.data)
            return out
        U = self.factors.left(self.data)
        if len(U) < FEW_ROWS:                    # of few rows, BLAS is faster where the long factor comes first
            out[:] = (other.data @ U.T).T
        else:
            np.matmul(U, other.data.T, out=out)
        return self.factors.finish(out)

    def times(self, beta: np.ndarray, strip: int) -> np.ndarray:
        """sum_j beta_j k(x_i, x_j) for all points (n,), where beta (m,) belongs to the first m of them.

        By strips of rows; K among the first m is symmetric, so that half of it is enough.
        """
        m = len(beta)
        out = np.zeros(len(self))
        for i in range(0, m, strip):
            end = min(i + strip, m)
            K = self[i:end].block(self[i:m])
            out[i:end] += K @ beta[i:]
            out[end:m] += beta[i:end] @ K[:, end - i:]
        for i in range(m, len(self), strip):
            out[i:i + strip] = self[i:i + strip].block(self[:m]) @ beta
        return out
