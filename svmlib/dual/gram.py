"""Points and their kernel: the Gram matrix as the dual problem sees it, formed late, and no more of it than needed."""
import warnings
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
from scipy.linalg import LinAlgError, cholesky

from svmlib.kernels import Kernel, Precomputed, as_kernel
from svmlib.kernels.rounding import error_units
from svmlib.validation import is_single, stacklevel

MAX_GRAM_BYTES = 8 * 1024 ** 3      # larger Gram matrices are not formed; solvers that need one say so
NEGATIVE = -1e-10          # an eigenvalue below this multiple of the largest entry of K is negative, not rounding
LOOKED_AT = 1000                                             # points whose eigenvalues take well under a second
SINGULAR = 4e-14           # a pivot below this multiple of the diagonal is rounding: the block would be singular


class KernelPoints:
    """A kernel, points X (n, d) and their Gram matrix K (n, n), which is formed when it is first asked for.

    kernel=Precomputed() takes X = K.

    >>> from svmlib.kernels import Linear
    >>> points = KernelPoints(Linear(), [[0.0], [2.0], [3.0]])
    >>> points.times_K(np.array([1.0, 0.0, 1.0])), points.block(np.array([1, 2]))
    (array([0., 6., 9.]), array([[4., 6.],
           [6., 9.]]))
    """

    _X: Any = None
    _K: np.ndarray | None = None
    _diag: np.ndarray | None = None
    _error: float | None = None
    _part: "Part | None" = None
    unsaid: list[tuple[str, type[Warning]]] | None = None        # where warnings go in place of the user's screen

    def __init__(self, kernel: Kernel | Callable, X: Any, *, check: bool = True) -> None:
        self.kernel: Kernel = as_kernel(kernel) if check else kernel  # type: ignore[assignment]
        self._X = self.kernel.points(X, "X") if check else X
        self.n = len(self._X)
        if isinstance(self.kernel, Precomputed):
            self._K = self.kernel.block(self._X, self._X)

    def _cut_from(self, points: "KernelPoints", rows: np.ndarray) -> None:
        """Become the points rows (n,) of others, whose X and K are looked up when they are needed.

        If there are more rows than points, they are all of the points, several times over: each variable of regression
        has its row of K, but Gram matrices that are kept hold each point once, see `distinct`.
        """
        self.kernel, self.n, self._part = points.kernel, len(rows), Part(points, rows)
        if self.n == points.n and np.array_equal(rows, np.arange(self.n)):
            self._X, self._K = points._X, points._K

    @property
    def part(self) -> "Part":
        """Of which points these are some, and which ones: all of themselves, where they were not cut out of others."""
        return Part(self, np.arange(self.n)) if self._part is None else self._part

    @property
    def distinct(self) -> "KernelPoints":
        """The m points, each once, where these are all of them several times over: K[i, j] is that of i, j mod m."""
        return self if self._part is None or self.n <= self._part.points.n else self._part.points

    @property
    def X(self) -> Any:
        """The points; the Gram matrix where the kernel is precomputed."""
        if self._X is None:
            self._X = self.K if isinstance(self.kernel, Precomputed) else self.part.points.X[self.part.rows]
        return self._X

    @property
    def K(self) -> np.ndarray:
        """Gram matrix (n, n), formed at first use."""
        if self._K is None:
            self.check_memory()
            if (copies := self.n // self.distinct.n) > 1:
                self._K = np.tile(self.distinct.K, (copies, copies))
            else:
                self._K = self.block(np.arange(self.n)) if self.formed else self.kernel.block(self.X, self.X)
        return self._K

    def form(self) -> None:
        """Form the Gram matrix now, so that whatever is cut out of these points need not."""
        self._K = self.K

    @property
    def formed(self) -> bool:
        """Whether the Gram matrix is there already, or the one that it can be cut out of."""
        return self._K is not None or (self._part is not None and self._part.points.formed)

    def block(self, rows: np.ndarray, columns: np.ndarray | None = None) -> np.ndarray:
        """K[rows, columns], K[rows, rows] where columns is None, looked up where the Gram matrix has been formed."""
        columns = rows if columns is None else columns
        if self._K is not None:
            return self._K[np.ix_(rows, columns)]
        if self._part is not None:
            points, mine = self._part
            return points.block(mine[rows], None if columns is rows else mine[columns])
        some = self.X[rows]
        return self.kernel.block(some, some if columns is rows else self.X[columns])

    @property
    def diag(self) -> np.ndarray:
        """Diagonal k(x_i, x_i) (n,) of the Gram matrix, computed at first use."""
        if self._diag is None:
            self._diag = (self.kernel.diagonal(self.X) if self._part is None
                          else self._part.points.diag[self._part.rows])
        return self._diag

    @property
    def kernel_error(self) -> float:
        """How many units of 2^-53 sqrt(k(x, x) k(z, z)) a kernel value may be off: of all points, computed once."""
        if self._part is not None:
            return self._part.points.kernel_error
        if self._error is None:
            self._error = error_units(self.kernel, self.X)
        return self._error

    def _warn(self, message: str, category: type[Warning]) -> None:
        """Warn, or leave that to whoever solves many problems and warns once for all of them."""
        return (warnings.warn(message, category, stacklevel=stacklevel()) if self.unsaid is None
                else self.unsaid.append((message, category)))

    def check_memory(self, rows: int | None = None) -> None:
        """Raise a MemoryError, which names the way out, where the Gram matrix, or rows of it, would be too large."""
        size = 8 * self.n * (self.n if rows is None else rows)
        if size > MAX_GRAM_BYTES:
            raise MemoryError(f"the Gram matrix of {self.n} points needs {size / 1e9:.1f} GB; "
                              'use solver="working_set", which computes the rows that it needs')

    def times_K(self, beta: np.ndarray) -> np.ndarray:
        """K beta (n,) in float64; forms only the columns that beta needs where K has not been formed."""
        if (copies := self.n // self.distinct.n) > 1:
            return np.tile(self.distinct.times_K(beta.reshape(copies, -1).sum(axis=0)), copies)
        if self.formed:
            return self.K @ beta
        if self.kernel.is_inner_product:
            return self.X @ (beta @ self.X)
        support = np.flatnonzero(beta)
        out = np.zeros(self.n)
        step = max(1, 4_000_000 // max(1, len(support)))         # strips of bounded size
        for start in range(0, self.n if len(support) else 0, step):
            some = slice(start, start + step)
            out[some] = self.kernel.block(self.X[some], self.X[support]) @ beta[support]
        return out

    def negative_eigenvalue(self, alpha: np.ndarray) -> float:
        """Smallest eigenvalue of K, on the LOOKED_AT points of the largest alpha, where it is negative; else 0."""
        if self.kernel.psd:
            return 0.0
        K = self.block(np.argsort(-alpha, kind="stable")[:LOOKED_AT])
        if nearly_psd(K):                                                  # many times faster than the eigenvalues
            return 0.0
        value = float(np.linalg.eigvalsh(K)[0])
        return value if value < -rounding(K) else 0.0

    def require_convex(self, solver: str, rows: np.ndarray | None = None) -> None:
        """Raise a ValueError, which names it, where the Gram matrix (of these rows) has a negative eigenvalue.

        Free for kernels that are known to be PSD, else one Cholesky factorisation of K + (rounding) I.

        >>> from svmlib.kernels import Sigmoid
        >>> KernelPoints(Sigmoid(delta=1.0), [[0.0], [1.0]]).require_convex("qp")
        Traceback (most recent call last):
        ValueError: solver="qp" needs a positive semidefinite Gram matrix, but on these points Sigmoid(delta=1.0) ...
        """
        if self.kernel.psd:
            return
        K = self.distinct.K if rows is None else self.block(rows)
        if not nearly_psd(K):
            raise ValueError(f'solver="{solver}" needs a positive semidefinite Gram matrix, but on '
                             f"{'these' if rows is None else 'some of these'} points {self.kernel!r} has the "
                             f"eigenvalue {np.linalg.eigvalsh(K)[0]:.3g}; "
                             'use solver="smo", which ends at a stationary point')


class Part(NamedTuple):
    """Some points out of others: the others, and which of them (n,)."""

    points: KernelPoints
    rows: np.ndarray


def rounding(K: np.ndarray) -> float:
    """How far below zero rounding may have put an eigenvalue of K (n, n): -NEGATIVE max |K|, more in float32."""
    share = len(K) * float(np.finfo(np.float32).eps) if is_single(K) else -NEGATIVE
    return share * max(float(np.abs(K).max()), 1e-290)


def nearly_psd(K: np.ndarray) -> bool:
    """Whether no eigenvalue of K (n, n) is below zero by more than rounding: K + (rounding) I can be factorised."""
    try:
        cholesky(K + rounding(K) * np.eye(len(K)), overwrite_a=True)
    except LinAlgError:
        return False
    return True


def centre(K: np.ndarray) -> tuple[float, float, np.ndarray]:
    """Move the origin of feature space to the mean of the points: K (n, n), PSD, changes in place, the dual does not.

    Steps with sum 0 do not see the difference, and the digits of K then measure distances between points, not how far
    away all of them are.  Returns the mean diagonal c; the relative pivot below which a block counts as singular, more
    where K had lost digits before; and the mean (n,) of the rows of K.
    """
    n, before = len(K), np.abs(K.diagonal()).max()                       # no entry of a PSD matrix is larger
    mean = K.sum(axis=1) / n
    K += mean.sum() / n - mean
    K -= mean[:, None]
    c = float(K.trace()) / n
    if c <= 1e-14 * before:                              # all points are one point, and the rest is rounding error
        return 1.0, SINGULAR, mean
    return c, SINGULAR * max(1.0, float(before / K.diagonal().max())), mean
