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
from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from svmlib.kernels import Gaussian, Kernel, Linear, Polynomial, Precomputed, Sigmoid
from svmlib.kernels.vectors import _power

__all__ = ["Coordinates", "Points", "coordinates"]

FEW_ROWS = 128
IN_CACHE = 64            # points that are converted at a time, so that what one pass writes the next finds in the cache


# ---- coordinates: how a kernel becomes a matrix product --------------------------------------------------------
class Coordinates:
    """Left and right factors of one kernel, with the columns of X that matter; this base is the linear kernel.

    kernel: a Kernel; X (n, d): training points, float64; dtype: float32 or float64, of factors and blocks.
    """

    extra = 0                # columns of the factors beside those of X

    def __init__(self, kernel: Any, X: np.ndarray, dtype: type) -> None:
        self.kernel, self.dtype = kernel, dtype
        self.origin = self._origin(X)
        self.columns = _columns_that_matter(X, self.origin)
        self._learn(X)

    def _origin(self, X: np.ndarray) -> np.ndarray:
        """What a column that contributes nothing is full of: zeros."""
        return np.zeros(X.shape[1])

    def _learn(self, X: np.ndarray) -> None:
        """Anything else that depends on the training points."""

    @property
    def width(self) -> int:
        """Columns of the factors."""
        return len(self.columns) + self.extra

    def right(self, X: np.ndarray) -> np.ndarray:
        """Right factor of points X (m, d): (m, width)."""
        V: np.ndarray = np.ones((len(X), self.width), self.dtype)
        V[:, :len(self.columns)] = np.take(X, self.columns, axis=1)
        return V

    def left(self, V: np.ndarray) -> np.ndarray:
        """Left factor of points whose right factor is V."""
        A = self.kernel.A
        return V if A is None else V @ np.asarray(A, self.dtype)[np.ix_(self.columns, self.columns)]

    def finish(self, P: np.ndarray) -> np.ndarray:
        """Turn the product of the factors into kernel values, in place."""
        return P

    def condition(self, X: np.ndarray) -> float:
        """By how much phi and the sum before it magnify the relative rounding error of a kernel value, at most."""
        return 1.0


class _Gaussian(Coordinates):
    """Gaussian kernel: the exponent -gamma |x - z|^2 + log c is one inner product."""

    extra = 2

    def _origin(self, X: np.ndarray) -> np.ndarray:
        """A constant column contributes nothing to any distance between training points."""
        return X[0]

    def _learn(self, X: np.ndarray) -> None:
        """Take the mean of some points for the origin."""
        mean = X[::max(1, len(X) // 1000)].mean(axis=0)
        self.shift = self.origin.copy()                      # constant columns become exactly 0
        self.shift[self.columns] = mean[self.columns]

    def right(self, X: np.ndarray) -> np.ndarray:
        """[z, -gamma |z|^2, 1]; the norm counts the columns left out too, in which only new points can differ."""
        V: np.ndarray = np.ones((len(X), self.width), self.dtype)
        for start in range(0, len(X), IN_CACHE):
            some = slice(start, start + IN_CACHE)
            Z = X[some] - self.shift
            V[some, :-2] = np.take(Z, self.columns, axis=1)
            V[some, -2] = -self.kernel.gamma * np.vecdot(Z, Z)
        return V

    def left(self, V: np.ndarray) -> np.ndarray:
        """[2 gamma z, 1, log c - gamma |z|^2]."""
        U = V * self.dtype(2 * self.kernel.gamma)
        U[:, -2], U[:, -1] = 1.0, V[:, -2] + np.log(self.kernel.factor)
        return U

    def finish(self, P: np.ndarray) -> np.ndarray:
        """exp, entry by entry."""
        return np.exp(P, out=P)

    def condition(self, X: np.ndarray) -> float:
        """The absolute error of an exponent, a sum of terms up to this size, is the relative error of exp."""
        return 1.0 + 4.0 * self.kernel.gamma * float(np.square(X - self.shift).sum(axis=1).max())


class _Polynomial(Coordinates):
    """Polynomial kernel: a x'z + b is one inner product."""

    extra = 1

    def left(self, V: np.ndarray) -> np.ndarray:
        """[a x, b]."""
        U = V * self.dtype(self.kernel.a)
        U[:, -1] = self.kernel.b
        return U

    def finish(self, P: np.ndarray) -> np.ndarray:
        """Power Q by squaring."""
        P[:] = _power(P, self.kernel.Q)
        return P

    def condition(self, X: np.ndarray) -> float:
        """A power multiplies relative errors by its exponent."""
        return float(self.kernel.Q)


class _Sigmoid(Coordinates):
    """Sigmoid kernel: kappa x'z - delta is one inner product."""

    extra = 1

    def left(self, V: np.ndarray) -> np.ndarray:
        """[kappa x, -delta]."""
        U = V * self.dtype(self.kernel.kappa)
        U[:, -1] = -self.kernel.delta
        return U

    def finish(self, P: np.ndarray) -> np.ndarray:
        """tanh, entry by entry."""
        return np.tanh(P, out=P)


#: By exact type: a subclass may compute something else.
FACTORED: dict[type[Kernel], type[Coordinates]] = {
    Linear: Coordinates, Gaussian: _Gaussian, Polynomial: _Polynomial, Sigmoid: _Sigmoid}


def coordinates(kernel: Kernel, X: Any, dtype: type = np.float64) -> Coordinates | None:
    """Coordinates in which the kernel is a function of inner products; None for kernels that are not (or not known).

    >>> X = np.array([[0.0, 1.0], [2.0, 3.0]])
    >>> c = coordinates(Gaussian(gamma=0.1), X)
    >>> V = c.right(X)
    >>> bool(np.allclose(c.finish(c.left(V) @ V.T), Gaussian(gamma=0.1)(X)))
    True
    """
    factor = FACTORED.get(type(kernel))
    return None if factor is None else factor(kernel, X, dtype)


def _columns_that_matter(X: np.ndarray, origin: np.ndarray) -> np.ndarray:
    """Columns of X that are not full of their origin; most are found among a few rows."""
    matter = (X[::max(1, len(X) // 1000)] != origin).any(axis=0)
    rest = np.flatnonzero(~matter)
    matter[rest] = (X[:, rest] != origin[rest]).any(axis=0)
    return np.flatnonzero(matter)


# ---- points and blocks ------------------------------------------------------------------------------------------
class _Lookup:
    """A Gram matrix that is there already, as a kernel between indices."""

    def __init__(self, K: np.ndarray) -> None:
        self.K = K

    def _block(self, rows: np.ndarray, columns: np.ndarray) -> np.ndarray:
        return self.K[np.ix_(rows, columns)]


class Points:
    """Points ready for Gram blocks: their right factor, or, for a kernel without factors, the points themselves.

    data: right factor (n, D), or points, or indices; diag (n,): k(x, x) in float64.
    """

    def __init__(self, kernel: Any, data: Any, diag: np.ndarray, factors: Coordinates | None = None) -> None:
        self.kernel, self.data, self.diag, self.factors = kernel, data, diag, factors
        self.dtype = np.float64 if factors is None else factors.dtype

    @classmethod
    def of(cls, kernel: Kernel, X: Any, dtype: type = np.float64, order: np.ndarray | None = None,
           run: Callable = map) -> Points:
        """Points X[order], all of them where None; run maps a function over strips of X (a thread pool's map, say)."""
        order = np.arange(len(X)) if order is None else order
        if isinstance(kernel, Precomputed):
            return cls(_Lookup(X), order, X.diagonal()[order])
        factors = coordinates(kernel, X, dtype)
        if factors is None:
            return cls(kernel, X[order], kernel._diag(X)[order])
        strips = [slice(i, i + 256) for i in range(0, len(order), 256)]
        data: np.ndarray = np.empty((len(order), factors.width), dtype)
        diag = np.empty(len(order))

        def convert(strip: slice) -> None:
            points = X[order[strip]]
            data[strip], diag[strip] = factors.right(points), kernel._diag(points)

        list(run(convert, strips))
        return cls(kernel, data, diag, factors)

    def __len__(self) -> int:
        return len(self.diag)

    def __getitem__(self, rows: Any) -> Points:
        """Some of the points."""
        return Points(self.kernel, self.data[rows], self.diag[rows], self.factors)

    def like(self, X: Any) -> Points:
        """Other points in the same coordinates, for blocks with these ones (without their diagonal)."""
        return Points(self.kernel, X if self.factors is None else self.factors.right(X), np.empty(0), self.factors)

    def block(self, other: Points, out: np.ndarray | None = None) -> np.ndarray:
        """Gram block (n, m) of these points and others, written to out where given (C-contiguous, of this dtype)."""
        if out is None:
            out = np.empty((len(self.data), len(other.data)), self.dtype)
        if self.factors is None:
            out[:] = self.kernel._block(self.data, other.data)
            return out
        U = self.factors.left(self.data)
        if len(U) < FEW_ROWS:                    # of few rows, BLAS is faster where the long factor comes first
            out[:] = (other.data @ U.T).T
        else:
            np.matmul(U, other.data.T, out=out)
        return self.factors.finish(out)
