"""Rows of a Gram matrix, computed when a solver asks for them, and kept while a memory budget lasts."""
from __future__ import annotations

import threading
from weakref import WeakKeyDictionary

import numpy as np

from svmlib.compilation import njit
from svmlib.engine.points import Points

__all__ = ["Budget", "Gram", "RowCache", "add_rows", "copy_entries"]

STRIP = 512                  # rows of one matrix product: enough for GEMM
PAGE = 1024                  # rows that are kept, to a piece of memory


@njit(nogil=True, cache=True, fastmath={"reassoc", "nsz", "contract"}, error_model="numpy")
def add_rows(F, R, rows, delta):
    """F += sum_k delta_k R[rows_k, :] in place, for F and delta in float64 and R in float32 or float64.

    By strips of F that stay in the cache while all rows pass, four rows at a time, so that F is read and written a
    quarter as often: twice as fast as row by row.
    """
    fours = len(rows) // 4 * 4
    for start in range(0, len(F), 2048):
        end = min(start + 2048, len(F))
        for k in range(0, fours, 4):
            r0, r1, r2, r3 = R[rows[k]], R[rows[k + 1]], R[rows[k + 2]], R[rows[k + 3]]
            d0, d1, d2, d3 = delta[k], delta[k + 1], delta[k + 2], delta[k + 3]
            for t in range(start, end):
                F[t] += d0 * r0[t] + d1 * r1[t] + d2 * r2[t] + d3 * r3[t]
        for k in range(fours, len(rows)):
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
    """Bytes that kernel rows may still take, shared by all caches of one fit.

    Caches that are released, and held by nobody else, keep their rows until others need the memory.
    """

    def __init__(self, cache_mb: float) -> None:
        self.left = cache_mb * 1e6
        self.lock = threading.RLock()
        # The cache that was released longest ago comes first; caches know their budget, so it must not keep them alive.
        self.holders: WeakKeyDictionary[RowCache, int] = WeakKeyDictionary()

    def take(self, size: int) -> bool:
        """Reserve size bytes where there are as many, also by clearing released caches; a negative size gives back."""
        with self.lock:
            for cache in [cache for cache, holders in self.holders.items() if not holders]:
                if size <= self.left:
                    break
                cache.clear()
            fits = size <= self.left
            self.left -= size if fits else 0
        return fits

    def hold(self, cache: RowCache) -> None:
        """Somebody needs these rows from now on."""
        with self.lock:
            self.holders[cache] = self.holders.get(cache, 0) + 1

    def release(self, cache: RowCache) -> None:
        """Somebody who held these rows needs them no longer."""
        with self.lock:
            self.holders[cache] = self.holders.pop(cache) - 1


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
        self.row_bytes = len(columns) * np.dtype(points.dtype).itemsize
        self.lock = threading.Lock()

    def add(self, F: np.ndarray, rows: np.ndarray, delta: np.ndarray) -> None:
        """F += sum_k delta_k K(x_rows_k, columns), in place."""
        with self.lock:
            new = np.flatnonzero(self.place[rows] < 0)
            for start in range(0, len(new), STRIP):
                some = new[start:start + STRIP]
                if not self._keep(rows[some]):
                    R = self.points[rows[some]].block(self.columns)
                    add_rows(F, R, np.arange(len(some)), delta[some])
                    delta = np.where(np.isin(np.arange(len(rows)), some), 0.0, delta)
            place = self.place[rows]
        for number, page in enumerate(self.pages):
            here = np.flatnonzero((place // PAGE == number) & (delta != 0))
            add_rows(F, page, place[here] % PAGE, delta[here])

    def _keep(self, rows: np.ndarray) -> bool:
        """Compute new rows, straight into the pages, if the budget allows."""
        if not self.budget.take(len(rows) * self.row_bytes):
            return False
        done = 0
        while done < len(rows):
            number, first = divmod(self.used, PAGE)
            if number == len(self.pages):                     # memory that nobody has written to costs nothing yet
                self.pages.append(np.empty((PAGE, len(self.columns)), self.points.dtype))
            some = rows[done:done + PAGE - first]
            self.points[some].block(self.columns, out=self.pages[number][first:first + len(some)])
            self.place[some] = np.arange(self.used, self.used + len(some))
            self.used += len(some)
            done += len(some)
        return True

    def look_up(self, out: np.ndarray, at: np.ndarray, rows: np.ndarray, to: np.ndarray, columns: np.ndarray) -> None:
        """out[at, to] = K(x_rows, columns) for rows that are kept."""
        place = self.place[rows]
        for number, page in enumerate(self.pages):
            here = np.flatnonzero(place // PAGE == number)
            copy_entries(out, at[here], to, page, place[here] % PAGE, columns)

    def clear(self) -> None:
        """Forget all rows and give their bytes back."""
        self.budget.take(-self.used * self.row_bytes)
        self.place[:], self.used, self.pages = -1, 0, []


class Gram:
    """The Gram matrix of all points of one problem, as far as a solver has asked for it."""

    def __init__(self, points: Points, budget: Budget) -> None:
        self.points, self.diag, self.dtype = points, points.diag, points.dtype
        self.cache = RowCache(points, points, budget)

    def block(self, rows: np.ndarray, columns: np.ndarray) -> np.ndarray:
        """K[rows, columns]; what is in the kept rows is looked up."""
        out: np.ndarray = np.empty((len(rows), len(columns)), self.dtype)
        kept = self.cache.place[rows] >= 0
        at, rest = np.flatnonzero(kept), np.flatnonzero(~kept)
        self.cache.look_up(out, at, rows[at], np.arange(len(columns)), columns)
        out[rest] = self.points[rows[rest]].block(self.points[columns])
        return out

    def add(self, F: np.ndarray, rows: np.ndarray, delta: np.ndarray) -> None:
        """F += sum_k delta_k K[rows_k, :], in place."""
        self.cache.add(F, rows, delta)

    def clear(self) -> None:
        """Nothing to forget: these rows are there for the next problem, too."""
