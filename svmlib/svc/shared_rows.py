"""Many binary problems on the same points, with each Gram row computed once: one-vs-one, one-vs-rest, prediction.

One-vs-one trains k (k - 1) / 2 machines.  A point of class p takes part in k - 1 of them, and each one asks for its
Gram row against class p again.  So the points are sorted by class, and the Gram matrix of a pair (p, q) is put
together from four blocks of rows,

                 columns in p     columns in q
    rows in p    own_p            p_q                own_p, own_q: shared by all pairs with that class
    rows in q    q_p              own_q              p_q, q_p: of this pair alone, forgotten after it

The pairs run side by side on threads, each with BLAS at one thread: numba and BLAS release Python's lock.
Prediction computes each kernel value once too, for all machines, over the union of their support vectors.
"""
from __future__ import annotations

import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor, as_completed
from dataclasses import replace
from functools import cached_property, partial
from itertools import combinations
from typing import Any

import numpy as np
from joblib import effective_n_jobs
from tqdm.auto import tqdm

from svmlib.compilation import announce
from svmlib.dual import DualProblem, Solution
from svmlib.engine.points import Points
from svmlib.engine.row_cache import Budget, Gram, RowCache, add_rows, copy_entries
from svmlib.engine.threads import blas_limit, blas_threads
from svmlib.kernels import Kernel, Precomputed
from svmlib.solvers.monitor import Monitor
from svmlib.solvers.smo import _steps
from svmlib.solvers.working_set import (
    MAX_ITER,
    ROWS,
    certified,
    check_cache,
    exact_points,
    working_dtype,
    working_set_limit,
)

__all__ = ["SharedRows", "decision_values", "tournament"]

STRIP, CHUNK = 1024, 2048         # rows and columns of one block at prediction: 8 MB, small enough for the cache

Start = Callable[..., np.ndarray | None]


def no_start(problem: DualProblem, place: int) -> None:
    """Start from alpha = 0."""


class SharedRows:
    """Solves all binary problems of a multiclass machine on one set of Gram rows.

    kernel: a Kernel; X: n points as kernel._points gives them; codes (n,): classes 0 … k-1; tol, max_iter: of each
    problem; n_jobs: threads, as many as BLAS has where None; cache_mb: megabytes for rows, 1000 where None.

    Rows are kept from one call of `one_vs_one` or `one_vs_rest` to the next, for another C, say.

    >>> from svmlib.kernels import Linear
    >>> X, codes = np.array([[0.0], [2.0], [5.0]]), np.array([0, 1, 2])
    >>> rows, y, solution = SharedRows(Linear(), X, codes).one_vs_one(np.full(3, 10.0))[0]
    >>> rows, solution.alpha.round(3)
    (array([0, 1]), array([0.5, 0.5]))
    """

    def __init__(self, kernel: Kernel, X: Any, codes: np.ndarray, *, C_max: float = 1.0, tol: float = 1e-3,
                 max_iter: int | None = None, n_jobs: int | None = None, cache_mb: float | None = None,
                 verbose: bool = False) -> None:
        self.kernel, self.X, self.codes, self.tol, self.verbose = kernel, X, codes, tol, verbose
        self.max_iter = MAX_ITER if max_iter is None else int(max_iter)
        self.k = int(codes.max()) + 1
        self.workers = blas_threads() if n_jobs is None else effective_n_jobs(n_jobs)
        self.cache_mb = check_cache(cache_mb)
        self.budget = Budget(ROWS * self.cache_mb)
        self.dtype = working_dtype(kernel, X, np.array([C_max]), tol)
        self.order = np.argsort(codes, kind="stable")
        self.ends = np.searchsorted(codes[self.order], np.arange(self.k + 1))
        with ThreadPoolExecutor(self.workers) as pool:
            self.points = Points.of(kernel, X, self.dtype, self.order, pool.map)

    # ---- the two schemes ---------------------------------------------------------------------------------------
    def one_vs_one(self, C: np.ndarray, start: Start = no_start) -> list[tuple[np.ndarray, np.ndarray, Solution]]:
        """One machine for each pair of classes p < q, with y = +1 on p, ordered as itertools.combinations.

        C (n,): upper bounds; start(problem, place) -> a feasible alpha0, or None.  Returns rows (m,), ascending,
        y (m,) and the Solution of each pair.
        """
        pairs = list(combinations(range(self.k), 2))
        place = {pair: i for i, pair in enumerate(pairs)}

        def problem(pair: tuple[int, int]) -> Callable[[Monitor], tuple]:
            """The pair as a task."""
            p, q = (slice(self.ends[c], self.ends[c + 1]) for c in pair)
            y = np.repeat([1.0, -1.0], [p.stop - p.start, q.stop - q.start])
            begin = partial(start, place=place[pair])

            def task(monitor: Monitor) -> tuple:
                """Build the Gram matrix when the turn of the pair comes, solve."""
                gram = PairGram(self.points, p, q, self.own[pair[0]], self.own[pair[1]], self.budget)
                return self._solve(gram, np.r_[p, q], y, C, begin, monitor)

            return task

        return self._run({place[pair]: problem(pair) for pair in tournament(self.k)})

    def one_vs_rest(self, C: np.ndarray, start: Start = no_start) -> list[tuple[np.ndarray, np.ndarray, Solution]]:
        """One machine for each class, against all others together; arguments and result as in `one_vs_one`."""
        every = np.arange(len(self.order))

        def problem(c: int) -> Callable[[Monitor], tuple]:
            """The class as a task."""
            y = np.where(self.codes[self.order] == c, 1.0, -1.0)
            return lambda monitor: self._solve(self.whole, every, y, C, partial(start, place=c), monitor)

        return self._run({c: problem(c) for c in range(self.k)})

    @cached_property
    def own(self) -> list[RowCache]:
        """Rows of each class against itself."""
        classes = [self.points[a:b] for a, b in zip(self.ends[:-1], self.ends[1:], strict=True)]
        return [RowCache(points, points, self.budget) for points in classes]

    @cached_property
    def whole(self) -> Gram:
        """Rows of all points against all points, for one-vs-rest."""
        return Gram(self.points, self.budget)

    # ---- one problem, and all of them --------------------------------------------------------------------------
    def _solve(self, gram: Any, members: np.ndarray, y: np.ndarray, C: np.ndarray, start: Callable,
               monitor: Monitor) -> tuple[np.ndarray, np.ndarray, Solution]:
        """Solve one binary problem on shared rows, and certify it.  members: its points, in the order of classes."""
        rows = self.order[members]
        ascending = np.argsort(rows)                         # the order that the world outside knows
        problem = CutProblem(self.kernel, self.X, rows, y, C[rows])
        alpha0 = start(CutProblem(self.kernel, self.X, rows[ascending], y[ascending], C[rows[ascending]]))
        beta = None if alpha0 is None else y * alpha0[np.argsort(ascending)]

        def in_dtype(dtype: type) -> Any:
            """The shared rows, or, where float64 has to take over, rows of this problem's own."""
            if dtype is self.dtype:
                return gram
            return Gram(Points.of(self.kernel, problem.X, dtype), Budget(self.cache_mb / 4))

        solution = certified(problem, in_dtype, lambda some: exact_points(self.kernel, self.X, rows[some]),
                             self.dtype, self.tol, self.max_iter, monitor, beta,
                             working_set_limit(self.cache_mb / self.workers, problem.n, self.dtype))
        gram.clear()
        solution = replace(solution, alpha=solution.alpha[ascending], C=problem.C[ascending])
        return rows[ascending], y[ascending], solution

    def _run(self, tasks: dict[int, Callable[[Monitor], tuple]]) -> list[tuple]:
        """Run all tasks on threads.  After a KeyboardInterrupt each gets one more round, and no more."""
        announce(_steps, add_rows, copy_entries)
        stop, results = threading.Event(), {}
        bar = tqdm(total=len(tasks), desc="working_set", unit=" problems", disable=not self.verbose)

        def job(task: Callable[[Monitor], tuple]) -> tuple:
            """A task that looks between its rounds whether it has been told to stop."""
            return task(Monitor("working_set", lambda state: stop.is_set()))

        with blas_limit(), ThreadPoolExecutor(self.workers) as pool, bar:
            futures = {pool.submit(job, task): name for name, task in tasks.items()}
            waiting = set(futures)
            while waiting:
                try:
                    for future in as_completed(list(waiting)):
                        results[futures[future]] = future.result()
                        waiting.discard(future)
                        bar.set_postfix_str(f"gap {future.result()[2].gap:.1e}", refresh=False)
                        bar.update()
                except KeyboardInterrupt:
                    stop.set()
        return [results[name] for name in sorted(results)]


class PairGram:
    """The Gram matrix of two classes, the points of the first before those of the second."""

    def __init__(self, points: Points, p: slice, q: slice, own_p: RowCache, own_q: RowCache, budget: Budget) -> None:
        self.points, self.dtype, self.m = points, points.dtype, p.stop - p.start
        self.where = np.r_[p, q]
        self.diag = points.diag[self.where]
        self.own_p, self.own_q, self.budget = own_p, own_q, budget
        budget.hold(own_p)
        budget.hold(own_q)
        self.p_q, self.q_p = RowCache(points[p], points[q], budget), RowCache(points[q], points[p], budget)

    def block(self, rows: np.ndarray, columns: np.ndarray) -> np.ndarray:
        """K[rows, columns]; what is in the kept rows is looked up."""
        out: np.ndarray = np.empty((len(rows), len(columns)), self.dtype)
        to_p, to_q = np.flatnonzero(columns < self.m), np.flatnonzero(columns >= self.m)
        first, found = rows < self.m, np.zeros(len(rows), dtype=bool)
        for mine, start, with_p, with_q in ((first, 0, self.own_p, self.p_q), (~first, self.m, self.q_p, self.own_q)):
            at = np.flatnonzero(mine)
            at = at[(with_p.place[rows[at] - start] >= 0) & (with_q.place[rows[at] - start] >= 0)]
            with_p.look_up(out, at, rows[at] - start, to_p, columns[to_p])
            with_q.look_up(out, at, rows[at] - start, to_q, columns[to_q] - self.m)
            found[at] = True
        rest = np.flatnonzero(~found)
        out[rest] = self.points[self.where[rows[rest]]].block(self.points[self.where[columns]])
        return out

    def add(self, F: np.ndarray, rows: np.ndarray, delta: np.ndarray) -> None:
        """F += sum_k delta_k K[rows_k, :], in place, block by block."""
        first = rows < self.m
        i, d_i = rows[first], delta[first]
        j, d_j = rows[~first] - self.m, delta[~first]
        self.own_p.add(F[:self.m], i, d_i)
        self.q_p.add(F[:self.m], j, d_j)
        self.p_q.add(F[self.m:], i, d_i)
        self.own_q.add(F[self.m:], j, d_j)

    def clear(self) -> None:
        """Forget the rows that no other pair needs; the others stay while there is memory."""
        self.p_q.clear()
        self.q_p.clear()
        self.budget.release(self.own_p)
        self.budget.release(self.own_q)


class CutProblem(DualProblem):
    """A DualProblem on some rows of X, which are copied only where somebody asks for them."""

    def __init__(self, kernel: Kernel, X: Any, rows: np.ndarray, y: np.ndarray, C: np.ndarray) -> None:
        self.kernel, self.whole, self.rows = kernel, X, rows
        self.n, self.y, self.C = len(rows), y, C

    @cached_property
    def X(self) -> Any:
        """The points, or their Gram matrix where the kernel is precomputed."""
        precomputed = isinstance(self.kernel, Precomputed)
        return self.whole[np.ix_(self.rows, self.rows)] if precomputed else self.whole[self.rows]


def tournament(k: int) -> list[tuple[int, int]]:
    """All pairs p < q of k classes, so that pairs next to each other rarely share a class (and wait for its rows).

    The circle method: player 0 sits, the others move on by one seat a round.

    >>> tournament(4)
    [(0, 3), (1, 2), (0, 2), (1, 3), (0, 1), (2, 3)]
    """
    players = list(range(k)) + ([-1] if k % 2 else [])
    order = []
    for _ in range(len(players) - 1):
        half = len(players) // 2
        order += [(min(a, b), max(a, b)) for a, b in zip(players[:half], players[:half - 1:-1], strict=True)
                  if min(a, b) >= 0]
        players = [players[0], players[-1], *players[1:-1]]
    return order


# ---- prediction ---------------------------------------------------------------------------------------------------
def decision_values(kernel: Kernel, support: np.ndarray, W: np.ndarray, X: np.ndarray) -> np.ndarray:
    """sum_j W_pj k(x_i, s_j), the decision values (m, n_problems) without b.

    support (n_SV, d), W (n_problems, n_SV): beta of every machine; X (m, d).  By strips of X and chunks of support
    vectors: one matrix product for the kernel values, one for all machines at once, summed up in float64.  The threads
    are those of BLAS.
    """
    dtype = working_dtype(kernel, support, np.array([np.abs(W).max(initial=1e-300)]), 1e-3)
    vectors = Points.of(kernel, support, dtype)
    chunks: list[tuple[Points, np.ndarray]] = [(vectors[c:c + CHUNK], W.T[c:c + CHUNK].astype(dtype))
                                               for c in range(0, len(support), CHUNK)]
    out = np.zeros((len(X), len(W)))
    for start in range(0, len(X), STRIP):
        points = vectors.like(X[start:start + STRIP])
        for chunk, weights in chunks:
            out[start:start + STRIP] += points.block(chunk) @ weights
    return out
