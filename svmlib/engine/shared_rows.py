"""Gram rows that many binary problems share, each computed once: one-vs-one and one-vs-rest.

One-vs-one trains k (k - 1) / 2 machines.  A point of class p takes part in k - 1 of them, and each one needs its
Gram row against class p again.  So the points are sorted by class, and the Gram matrix of a pair is put together from
blocks of rows, of which those of one class against itself are shared (svmlib.engine.gram_rows).

The problems may run side by side on threads, each with BLAS at one thread: numba and BLAS release Python's lock.
"""
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise
from threading import Lock

import numpy as np

from svmlib.dual import KernelPoints
from svmlib.engine.gram_blocks import Points
from svmlib.engine.gram_rows import BlockGram, RowCache
from svmlib.engine.precision import working_dtype
from svmlib.engine.working_block import Memory


class SharedRows:
    """Gram matrices of pairs of classes, or of all classes, out of one set of rows; for `solve(..., shared=...)`.

    whole: the points of all classes; members: for each class the numbers of its points, ascending; C: the largest
    upper bound of alpha; tol: of each problem; workers: problems that are solved at a time; cache_mb: megabytes for all
    of them, 1000 where None.

    >>> from svmlib.dual import DualProblem
    >>> from svmlib.kernels import Linear
    >>> from svmlib.solvers import solve
    >>> points = KernelPoints(Linear(), [[0.0], [2.0], [5.0]])
    >>> shared = SharedRows(points, [np.array([0]), np.array([1]), np.array([2])], C=10.0)
    >>> pair = DualProblem.cut(points, np.array([0, 1]), np.array([1.0, -1.0]), np.full(2, 10.0))
    >>> solve(pair, "working_set", shared=shared).alpha.round(3)
    array([0.5, 0.5])
    """

    def __init__(self, whole: KernelPoints, members: list[np.ndarray], C: float, *, tol: float = 1e-3,
                 workers: int = 1, cache_mb: float | None = None) -> None:
        self.whole, self.members, self.C, self.tol, self.workers = whole, members, C, tol, workers
        self.memory = Memory(cache_mb, workers)
        self.budget = self.memory.rows()
        self.lock, self.points = Lock(), Points(whole.kernel, None, np.empty(0))       # not yet prepared

    def _prepare(self) -> None:
        """Sort the points by class, in the precision that will do, with memory for rows: once, when a row is due."""
        sizes, order = [len(some) for some in self.members], np.concatenate(self.members)
        self.classes = [slice(a, b) for a, b in pairwise(np.cumsum([0, *sizes]))]
        self.class_of = np.empty(len(order), np.intp)
        self.class_of[order] = np.repeat(np.arange(len(sizes)), sizes)
        dtype = working_dtype(self.whole.kernel, self.whole.X, np.array([self.C]), self.tol)
        with ThreadPoolExecutor(self.workers) as pool:
            points = Points.of(self.whole.kernel, self.whole.X, dtype, order, pool.map)
        # Rows of each class against itself, and, for one-vs-rest, of all points against all points.
        self.own = [RowCache(points[c], points[c], self.budget) for c in self.classes]
        self.every = RowCache(points, points, self.budget)
        self.points = points

    def gram(self, rows: np.ndarray) -> BlockGram:
        """The Gram matrix of the points rows (m,), class by class: all points, or all of two classes."""
        with self.lock:
            if not len(self.points):
                self._prepare()
            points = self.points
        if len(rows) == len(points):
            return BlockGram(points, self.budget, own=[self.every])
        pair = self.class_of[rows[[0, -1]]]
        return BlockGram(points, self.budget, [self.classes[c] for c in pair], [self.own[c] for c in pair])
