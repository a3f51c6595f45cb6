"""Many binary problems on the same points, with each Gram row computed once: one-vs-one and one-vs-rest.

One-vs-one trains k (k - 1) / 2 machines.  A point of class p takes part in k - 1 of them, and each one needs its
Gram row against class p again.  So the points are sorted by class, and the Gram matrix of a pair is put together from
blocks of rows, of which those of one class against itself are shared (svmlib.engine.gram_rows).

The problems run side by side on threads, each with BLAS at one thread: numba and BLAS release Python's lock.
"""
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from itertools import pairwise
from threading import Event
from typing import Any

import numpy as np
from joblib import effective_n_jobs

from svmlib.compilation import announce
from svmlib.dual import DualProblem, KernelPoints
from svmlib.engine.gram_blocks import Points
from svmlib.engine.gram_rows import BlockGram, RowCache, add_rows, copy_entries
from svmlib.engine.pairs import pair_steps
from svmlib.engine.precision import working_dtype
from svmlib.kernels import Kernel
from svmlib.solvers.driver import certified
from svmlib.solvers.monitor import Monitor
from svmlib.solvers.working_set import Memory, rounds
from svmlib.svc.multiclass import BinaryMachine, class_pairs
from svmlib.threads import blas_threads


class SharedRows:
    """Solves all binary problems of a multiclass machine on one set of Gram rows.

    kernel: a Kernel; X: n points as kernel.points gives them; codes (n,): classes 0 … k-1; C (n,): upper bounds of
    alpha; tol, max_iter: of each problem; n_jobs: threads, as many as BLAS has where None; cache_mb: megabytes for
    rows, 1000 where None.

    >>> from svmlib.kernels import Linear
    >>> X, codes = np.array([[0.0], [2.0], [5.0]]), np.array([0, 1, 2])
    >>> rows, y, solution = SharedRows(Linear(), X, codes, np.full(3, 10.0)).machine("ovo", 0)
    >>> rows, solution.alpha.round(3)
    (array([0, 1]), array([0.5, 0.5]))
    """

    def __init__(self, kernel: Kernel, X: Any, codes: np.ndarray, C: np.ndarray, *, tol: float = 1e-3,
                 max_iter: int | None = None, n_jobs: int | None = None, cache_mb: float | None = None) -> None:
        self.whole, self.codes, self.C = KernelPoints(kernel, X, check=False), codes, C
        self.k, self.tol, self.max_iter = int(codes.max()) + 1, tol, max_iter
        self.workers = blas_threads() if n_jobs is None else effective_n_jobs(n_jobs)
        self.memory = Memory(cache_mb, self.workers)
        self.budget = self.memory.rows()
        self.dtype = working_dtype(kernel, X, C, tol)
        self.order = np.argsort(codes, kind="stable")
        ends = np.searchsorted(codes[self.order], np.arange(self.k + 1))
        self.classes = [slice(a, b) for a, b in pairwise(ends)]
        with ThreadPoolExecutor(self.workers) as pool:
            self.points = Points.of(kernel, X, self.dtype, self.order, pool.map)
        # Rows of each class against itself, and, for one-vs-rest, of all points against all points.
        self.own = [RowCache(self.points[c], self.points[c], self.budget) for c in self.classes]
        self.every = RowCache(self.points, self.points, self.budget)

    def machine(self, scheme: str, number: int, stop: Event | None = None) -> BinaryMachine:
        """One machine of a scheme, "ovr" or one-vs-one, by its number among the `binary_tasks`; rows are ascending.

        stop: looked at between the rounds.
        """
        announce(pair_steps, add_rows, copy_entries)
        if scheme == "ovr":
            gram = BlockGram(self.points, self.budget, own=[self.every])
            y = np.where(self.codes[self.order] == number, 1.0, -1.0)
        else:
            pair = class_pairs(self.k)[number]
            gram = BlockGram(self.points, self.budget, [self.classes[c] for c in pair], [self.own[c] for c in pair])
            y = np.repeat([1.0, -1.0], np.diff(gram.starts))
        rows = self.order[gram.where]                        # the points stand in the order of their classes
        problem = DualProblem.cut(self.whole, rows, y, self.C[rows])

        def in_dtype(dtype: type) -> BlockGram:
            """The shared rows, or, where float64 has to take over, rows of this problem's own."""
            if dtype is self.dtype:
                return gram
            return BlockGram(Points.of(problem.kernel, problem.X, dtype), self.memory.rows(0.3))

        monitor = Monitor("working_set", stop, max_iter=10_000_000 if self.max_iter is None else int(self.max_iter))
        beta = problem.start()
        steps = rounds(problem, beta, self.tol, monitor, in_dtype, self.dtype, self.memory)
        solution = certified(steps, problem, beta, self.tol, monitor)
        gram.clear()
        ascending = np.argsort(rows)                         # as fit received the points
        solution = replace(solution, alpha=solution.alpha[ascending], C=problem.C[ascending])
        return BinaryMachine(rows[ascending], y[ascending], solution)
