"""Points and their kernel: the Gram matrix as the dual problem sees it, formed late, and no more of it than needed."""
from collections.abc import Callable
from functools import cached_property
from typing import Any

import numpy as np

from svmlib.kernels import Kernel, Precomputed, as_kernel

MAX_GRAM_BYTES = 8 * 1024 ** 3      # larger Gram matrices are not formed; solvers that need one say so
NEGATIVE = -1e-10          # an eigenvalue below this multiple of the largest entry of K is negative, not rounding
LOOKED_AT = 1000                                             # points whose eigenvalues take no more than a moment


class KernelPoints:
    """A kernel and points X (n, d); kernel=Precomputed() takes X = K (n, n).

    >>> from svmlib.kernels import Linear
    >>> points = KernelPoints(Linear(), [[0.0], [2.0], [3.0]])
    >>> points.times_K(np.array([1.0, 0.0, 1.0])), points.block(np.array([1, 2]))
    (array([0., 6., 9.]), array([[4., 6.],
           [6., 9.]]))
    """

    _cut: tuple["KernelPoints", np.ndarray] | None = None
    _diag: np.ndarray | None = None

    def __init__(self, kernel: Kernel | Callable, X: Any, *, check: bool = True) -> None:
        self.kernel = as_kernel(kernel)
        self.X = self.kernel.points(X, "X") if check else X     # this and K fill the cached properties below
        self.n = len(self.X)
        if isinstance(self.kernel, Precomputed):
            self.K = self.kernel.block(self.X, self.X)

    def cut_from(self, whole: "KernelPoints", rows: np.ndarray) -> None:
        """Be the points rows (n,) of the whole, whose X and K are cut out where somebody asks for them."""
        self.kernel, self.n, self._cut = whole.kernel, len(rows), (whole, rows)
        if self.n == whole.n and np.array_equal(rows, np.arange(whole.n)):
            self.__dict__.update({name: whole.__dict__[name] for name in ("X", "K") if name in whole.__dict__})

    @cached_property
    def X(self) -> Any:
        """The points; the Gram matrix where the kernel is precomputed."""
        assert self._cut is not None
        whole, rows = self._cut
        return whole.block(rows) if isinstance(self.kernel, Precomputed) else whole.X[rows]

    @property
    def source(self) -> tuple[Any, np.ndarray]:
        """Points and the rows (n,) of them that these are: where they can be had without a copy."""
        return (self.X, np.arange(self.n)) if self._cut is None else (self._cut[0].X, self._cut[1])

    @cached_property
    def K(self) -> np.ndarray:
        """Gram matrix (n, n), formed at first use."""
        if self._cut is not None and self._cut[0].formed:
            return self._cut[0].block(self._cut[1])
        self.check_memory()
        return self.kernel.block(self.X, self.X)

    @property
    def formed(self) -> bool:
        """Whether the Gram matrix is there already."""
        return "K" in self.__dict__ or (self._cut is not None and self._cut[0].formed)

    def block(self, rows: np.ndarray, columns: np.ndarray | None = None) -> np.ndarray:
        """K[rows, columns], K[rows, rows] where columns is None, looked up where the Gram matrix has been formed."""
        if self.formed:
            return self.K[np.ix_(rows, rows if columns is None else columns)]
        some = self.X[rows]
        return self.kernel.block(some, some if columns is None else self.X[columns])

    @property
    def diag(self) -> np.ndarray:
        """Diagonal k(x_i, x_i) (n,) of the Gram matrix, computed at first use; no lock, unlike a cached_property."""
        if self._diag is None:
            self._diag = self.kernel.diagonal(self.X) if self._cut is None else self._cut[0].diag[self._cut[1]]
        return self._diag

    def check_memory(self) -> None:
        """Raise a MemoryError, which names the way out, where the Gram matrix would be too large."""
        if 8 * self.n ** 2 > MAX_GRAM_BYTES:
            raise MemoryError(f"the Gram matrix of {self.n} points needs {8 * self.n ** 2 / 1e9:.1f} GB; "
                              'use solver="working_set", which computes the rows that it needs')

    def times_K(self, beta: np.ndarray) -> np.ndarray:
        """K beta (n,) in float64; forms only the columns that beta needs where K has not been formed."""
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
        value = float(np.linalg.eigvalsh(K)[0])
        return value if value < NEGATIVE * float(np.abs(K).max()) else 0.0
