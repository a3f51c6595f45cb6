"""Rows of a Gram matrix, computed when a solver asks for them, and kept while a memory budget lasts."""
from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise

import numpy as np
from numba import njit

from svmlib.solvers.rows import Points
from svmlib.solvers.threads import blas_limit

__all__ = ["Budget", "Gram", "RowCache", "add_rows", "copy_entries"]

STRIP = 512                  # rows of one matrix product: enough for GEMM
PAGE = 1024                  # rows that are kept, to a piece of memory


@njit(nogil=True, cache=True, fastmath={"reassoc", "nsz", "contract"}, error_model="numpy")
def add_rows(F, R, rows, delta):
    """F += sum_k delta_k R[rows_k, :] in place, for F and delta in float64 and R in float32 or float64.

    By strips of F that stay in the cache while all rows pass.
    """
    for start in range(0, len(F), 1024):
        end = min(start + 1024, len(F))
        for k in range(len(rows)):
            r, d = R[rows[k]], delta[k]
            for t in range(start, end):
                F[t] += d * r[t]


@njit(nogil=True, cache=True, error_model="numpy")
def copy_entries(out, at, to, R, rows, columns):
    """out[at_k, to_l] = R[rows_k, columns_l]."""
    for k in range(len(rows)):
        o, r = out[at[k]], R[rows[k]]
        for l in range(len(columns)):
            o[to[l]] = r[columns[l]]


class Budget:
    """Bytes that kernel rows may still take, shared by all caches of one fit."""

    def __init__(self, cache_mb: float) -> None:
        self.left = cache_mb * 1e6
        self.lock = threading.Lock()

    def take(self, size: int) -> bool:
        """Reserve size bytes if there are as many left; a negative size gives bytes back."""
        with self.lock:
            fits = size <= self.left
            self.left -= size if fits else 0
        return fits


class RowCache:
    """Gram rows K(x_i, columns) of some points, computed when first needed and kept while the budget lasts.

    Several threads may use one cache.  Rows that no longer fit are computed again each time they are needed.
    pages: rows in the order of their computation, PAGE to a page; place (n,): which of them is x_i's, or -1.
    """

    def __init__(self, points: Points, columns: Points, budget: Budget) -> None:
        self.points, self.columns, self.budget = points, columns, budget
        self.place = np.full(len(points), -1)
        self.used = 0
        self.pages: list[np.ndarray] = []
        self.lock = threading.Lock()

    def add(self, F: np.ndarray, rows: np.ndarray, delta: np.ndarray) -> None:
        """F += sum_k delta_k K(x_rows_k, columns), in place."""
        with self.lock:
            new = np.flatnonzero(self.place[rows] < 0)
            for start in range(0, len(new), STRIP):
                some = new[start:start + STRIP]
                R = self.points[rows[some]].block(self.columns)
                if not self._keep(rows[some], R):
                    add_rows(F, np.ascontiguousarray(R), np.arange(len(some)), delta[some])
                    delta = np.where(np.isin(np.arange(len(rows)), some), 0.0, delta)
            place = self.place[rows]
        for number, page in enumerate(self.pages):
            here = np.flatnonzero((place // PAGE == number) & (delta != 0))
            add_rows(F, page, place[here] % PAGE, delta[here])

    def _keep(self, rows: np.ndarray, R: np.ndarray) -> bool:
        """Copy new rows into the pages if the budget allows."""
        if not self.budget.take(R.nbytes):
            return False
        places = np.arange(self.used, self.used + len(rows))
        for number in range(places[0] // PAGE, places[-1] // PAGE + 1):
            if number == len(self.pages):                     # memory that nobody has written to costs nothing yet
                self.pages.append(np.empty((PAGE, R.shape[1]), R.dtype))
            here = places // PAGE == number
            self.pages[number][places[here] % PAGE] = R[here]
        self.place[rows] = places
        self.used += len(rows)
        return True

    def look_up(self, out: np.ndarray, at: np.ndarray, rows: np.ndarray, to: np.ndarray, columns: np.ndarray) -> None:
        """out[at, to] = K(x_rows, columns) for rows that are kept."""
        place = self.place[rows]
        for number, page in enumerate(self.pages):
            here = np.flatnonzero(place // PAGE == number)
            copy_entries(out, at[here], to, page, place[here] % PAGE, columns)

    def clear(self) -> None:
        """Forget all rows and give their bytes back."""
        self.budget.take(-self.used * len(self.columns) * np.dtype(self.points.dtype).itemsize)
        self.place[:], self.used, self.pages = -1, 0, []


class Gram:
    """The Gram matrix of all points of one problem, as far as a solver has asked for it.

    workers > 1: its columns are cut into as many parts, and a thread sees to each one.
    """

    def __init__(self, points: Points, budget: Budget, workers: int = 1) -> None:
        self.points, self.diag = points, points.diag
        self.dtype = points.dtype
        ends = np.linspace(0, len(points), workers + 1).astype(int)
        self.parts = [slice(a, b) for a, b in pairwise(ends)]
        self.caches = [RowCache(points, points[part], budget) for part in self.parts]

    def block(self, rows: np.ndarray, columns: np.ndarray) -> np.ndarray:
        """K[rows, columns]; what is in the kept rows is looked up."""
        out: np.ndarray = np.empty((len(rows), len(columns)), self.dtype)
        kept = np.logical_and.reduce([cache.place[rows] >= 0 for cache in self.caches])
        at, rest = np.flatnonzero(kept), np.flatnonzero(~kept)
        for part, cache in zip(self.parts, self.caches, strict=True):
            to = np.flatnonzero((columns >= part.start) & (columns < part.stop))
            cache.look_up(out, at, rows[at], to, columns[to] - part.start)
        out[rest] = self.points[rows[rest]].block(self.points[columns])
        return out

    def add(self, F: np.ndarray, rows: np.ndarray, delta: np.ndarray) -> None:
        """F += sum_k delta_k K[rows_k, :], in place."""
        if len(self.parts) == 1:
            self.caches[0].add(F, rows, delta)
            return
        with blas_limit(), ThreadPoolExecutor(len(self.parts)) as pool:
            list(pool.map(lambda part, cache: cache.add(F[part], rows, delta), self.parts, self.caches))

    def clear(self) -> None:
        """Nothing to forget: these rows are there for the next problem, too."""
