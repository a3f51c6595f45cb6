"""Blocks of a Gram matrix at the speed of matrix multiplication.

All kernels of this course but the strings follow from inner products, so that a block of the Gram matrix is one matrix
product (GEMM, where a processor is at its best) and a pass over its entries, the kernel's `of_products`.  Here points
are got ready for that once: in float32 where that will do, and without the coordinates that contribute nothing.
"""
from collections.abc import Callable
from typing import Any

import numpy as np

from svmlib.kernels import Kernel, Precomputed
from svmlib.kernels.vectors import amid

FEW_ROWS, FEW_COORDINATES = 128, 100       # with few coordinates a block in float32 is cheaper to compute than to fetch
PRODUCT_ROWS = 512       # rows of one matrix product: enough for GEMM to be at its best
IN_CACHE = 64            # points that are converted at a time, so that what one pass writes the next finds in the cache


class Frame:
    """Coordinates in which the points of one kernel are kept.

    kernel: a Kernel; X (n, d): training points, float64; dtype: float32 or float64, of coordinates and blocks.  The
    origin is shifted into the data where no value notices, but float32 does.
    """

    def __init__(self, kernel: Any, X: np.ndarray, dtype: type = np.float64) -> None:
        self.dtype = dtype
        # Nothing comes from a column of zeros, nor, after the shift, from a constant one.
        origin = X[0] if kernel.of_differences and len(X) else np.zeros(X.shape[1])
        some = X[::max(1, len(X) // 1000)]
        matter = (some != origin).any(axis=0)                    # most columns that matter show among a few rows
        rest = np.flatnonzero(~matter)
        matter[rest] = (np.take(X, rest, axis=1) != origin[rest]).any(axis=0)       # half the time of X[:, rest]
        self.columns = np.flatnonzero(matter)
        self.shift = np.where(matter, amid(X), origin) if kernel.of_differences else origin

    def coordinates(self, X: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Coordinates (m, D) of points X (m, d), and squared lengths (m,), to which all columns count."""
        V: np.ndarray = np.empty((len(X), len(self.columns)), self.dtype)
        x2: np.ndarray = np.empty(len(X), self.dtype)
        for start in range(0, len(X), IN_CACHE):
            some = slice(start, start + IN_CACHE)
            Z = X[some] - self.shift
            V[some], x2[some] = np.take(Z, self.columns, axis=1), np.vecdot(Z, Z)
        return V, x2


def frame_of(kernel: Kernel, X: Any, dtype: type = np.float64) -> Frame | None:
    """The frame for a kernel that follows from inner products; None for others, and for sparse points."""
    return Frame(kernel, X, dtype) if getattr(kernel, "by_products", False) and isinstance(X, np.ndarray) else None


class Points:
    """Points ready for Gram blocks: their coordinates in a frame, or, where the kernel has none, the points themselves.

    data: coordinates (n, D), or points, or the indices of a precomputed matrix; diag (n,): k(x, x) in float64;
    kernel: a Kernel, or that matrix; x2 (n,): squared lengths in the frame.

    >>> from svmlib.kernels import Polynomial
    >>> X = np.array([[0.0, 1.0], [2.0, 3.0]])
    >>> points = Points.of(Polynomial(Q=2), X, np.float32)
    >>> points[[0]].block(points)
    array([[ 4., 16.]], dtype=float32)
    """

    def __init__(self, kernel: Any, data: Any, diag: np.ndarray, x2: Any = None, frame: Frame | None = None) -> None:
        self.kernel, self.data, self.diag, self.x2, self.frame = kernel, data, diag, x2, frame
        self.dtype = np.float64 if frame is None else frame.dtype

    @classmethod
    def of(cls, kernel: Kernel, X: Any, dtype: type = np.float64, order: np.ndarray | None = None,
           run: Callable = map) -> "Points":
        """Points X[order], all of them where None; run maps a function over strips of X (a thread pool's map, say)."""
        order = np.arange(len(X)) if order is None else order
        if isinstance(kernel, Precomputed):
            return cls(X, order, X.diagonal()[order])
        frame = frame_of(kernel, X, dtype)
        if frame is None:
            return cls(kernel, X[order], kernel.diagonal(X[order]))
        data: np.ndarray = np.empty((len(order), len(frame.columns)), dtype)
        x2: np.ndarray = np.empty(len(order), dtype)
        diag = np.empty(len(order))

        def convert(start: int) -> None:
            strip = slice(start, start + 256)
            points = X[order[strip]]
            (data[strip], x2[strip]), diag[strip] = frame.coordinates(points), kernel.diagonal(points)

        list(run(convert, range(0, len(order), 256)))
        return cls(kernel, data, diag, x2, frame)

    def __len__(self) -> int:
        return len(self.diag)

    def __getitem__(self, rows: Any) -> "Points":
        """Some of the points."""
        return Points(self.kernel, self.data[rows], self.diag[rows], None if self.x2 is None else self.x2[rows],
                      self.frame)

    @property
    def cheap(self) -> bool:
        """Whether a value of the kernel costs no more than to fetch it from memory."""
        return self.dtype is np.float32 and self.data.shape[1] < FEW_COORDINATES

    def like(self, X: Any) -> "Points":
        """Other points in the same coordinates, for blocks with these ones (without their diagonal)."""
        data, x2 = (X, None) if self.frame is None else self.frame.coordinates(X)
        return Points(self.kernel, data, np.empty(0), x2, self.frame)

    def block(self, other: "Points", out: np.ndarray | None = None) -> np.ndarray:
        """Gram block (n, m) of these points and others, written to out where given (C-contiguous, of this dtype)."""
        if out is None:
            out = np.empty((len(self.data), len(other.data)), self.dtype)
        if self.frame is None:
            lookup = isinstance(self.kernel, np.ndarray)
            out[:] = self.kernel[np.ix_(self.data, other.data)] if lookup else self.kernel.block(self.data, other.data)
            return out
        if len(out) < FEW_ROWS and not self.cheap:          # BLAS is faster where the long factor comes first
            out[:] = (other.data @ self.data.T).T
        else:
            np.matmul(self.data, other.data.T, out=out)
        values = self.kernel.of_products(out, self.x2, other.x2)
        if values is not out:
            out[:] = values
        return out

    def times(self, beta: np.ndarray) -> np.ndarray:
        """sum_j beta_j k(x_i, x_j) for all points (n,), where beta (m,) belongs to the first m of them.

        By strips of rows; K among the first m is symmetric, so that half of it is enough.
        """
        m, n, strip = len(beta), len(self), PRODUCT_ROWS
        out = np.zeros(n)
        scratch: np.ndarray = np.empty(min(strip, n) * n, self.dtype)              # used again: new memory costs time

        def block(rows: Points, columns: Points) -> np.ndarray:
            """Their block, in the memory of the last one."""
            return rows.block(columns, out=scratch[:len(rows) * len(columns)].reshape(len(rows), len(columns)))

        for i in range(0, m, strip):
            end = min(i + strip, m)
            K = block(self[i:end], self[i:m])
            out[i:end] += K @ beta[i:]
            out[end:m] += beta[i:end] @ K[:, end - i:]
        for i in range(m, n, strip):
            out[i:i + strip] = block(self[i:i + strip], self[:m]) @ beta
        return out
