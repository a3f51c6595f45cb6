"""Rows of a Gram matrix in blocks: computed when a solver asks for them, and kept.

One problem is one block: SMO's is filled by its compiled loop, a row at a time; that of a working set by matrix
products, while a memory budget lasts.  Problems of several classes share theirs: the Gram matrix of a pair (p, q) is

                 columns in p     columns in q
    rows in p    own_p            p_q                own_p, own_q: shared by all pairs with that class
    rows in q    q_p              own_q              p_q, q_p: of this pair alone, forgotten after it
"""
import mmap
import threading
from collections.abc import Callable
from contextlib import suppress
from itertools import chain, pairwise
from weakref import WeakSet

import numpy as np

from svmlib.compilation import EXACT, njit
from svmlib.engine.gram_blocks import PRODUCT_ROWS, Points
from svmlib.engine.row_kernels import row_of
from svmlib.validation import all_finite

TILE_ROWS, TILE_COLUMNS = 256, 1024              # of a block that stays in the cache


@njit(fastmath={"reassoc", "nsz", "contract"})
def add_rows(F, R, rows, delta):
    """Bring F up to date after steps delta: F += sum_k delta_k R[rows_k, :] in place, R in float32 or float64.

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


def add_passing(F: np.ndarray, rows: Points, columns: Points, delta: np.ndarray, run: Callable) -> None:
    """F += sum_k delta_k K(rows_k, columns) in place, by tiles of K that pass through the cache and are forgotten."""
    def strip(start: int) -> None:
        """Some columns; the memory of a tile is used again, since new memory is expensive."""
        some, part = columns[start:start + TILE_COLUMNS], F[start:start + TILE_COLUMNS]
        R: np.ndarray = np.empty((min(TILE_ROWS, len(rows)), len(some)), rows.dtype)
        for first in range(0, len(rows), TILE_ROWS):
            tile = rows[first:first + TILE_ROWS].block(some, out=R[:len(rows) - first])
            add_rows(part, tile, np.arange(len(tile)), delta[first:first + TILE_ROWS])

    list(run(strip, range(0, len(columns), TILE_COLUMNS)))


@njit()
def copy_entries(out, at, to, R, rows, columns):
    """Copy a block out of kept rows: out[at_k, to_l] = R[rows_k, columns_l]."""
    for k in range(len(rows)):
        o, r = out[at[k]], R[rows[k]]
        for l in range(len(columns)):
            o[to[l]] = r[columns[l]]


@njit(fastmath=EXACT)
def add_all(F, K, row_kernel, slot, beta):
    """Add K beta to F, row by row: of the ways to write it, the one that compiles in a third of the time."""
    for i in range(len(beta)):
        if beta[i] != 0.0:
            row, value = K[row_of(row_kernel, i, K, slot)], beta[i]
            for l in range(len(F)):
                F[l] += value * row[l]


def unwritten(rows: int, columns: int, dtype: type) -> np.ndarray:
    """Memory of a large matrix (rows, columns); pages that have not been written to take neither memory nor time.

    Small pages: where rows are written up to their middle, those of 2 MB, for which numpy asks, would be mostly empty,
    and to clear them can cost five times as much.  Where rows are filled one after the other, numpy's are cheaper.
    """
    size = max(1, rows * columns * np.dtype(dtype).itemsize)
    memory = mmap.mmap(-1, size, flags=mmap.MAP_PRIVATE) if hasattr(mmap, "MAP_PRIVATE") else mmap.mmap(-1, size)
    with suppress(AttributeError, OSError):                # where the system knows no other pages
        memory.madvise(mmap.MADV_NOHUGEPAGE)
    return np.frombuffer(memory, dtype, rows * columns).reshape(rows, columns)


class GramRows:
    """Rows of a Gram matrix in the order in which they were first needed: row i is K[slot[i]] where slot[i] >= 0.

    K: memory of the rows; those that have not been written to take no memory yet.  slot (n + 1,): slot[n] rows
    are in use.
    """

    def __init__(self, K: np.ndarray, n: int) -> None:
        self.K, self.slot = K, np.arange(-n, 1)


class RowsOnDemand(GramRows):
    """All rows against all variables, in float64, with the row_kernel that computes them.

    diag (m,): k(x_i, x_i) of m points.  K (m, m): the matrix where it is there already; row_kernel is not used then.
    copies: variables of each point, which share its row (regression has two).  Raises ValueError for a kernel whose
    values overflow.
    """

    def __init__(self, row_kernel: tuple, diag: np.ndarray, K: np.ndarray | None = None, copies: int = 1) -> None:
        m = len(diag)
        if K is None:
            super().__init__(np.empty((m, copies * m)), m)
        else:                                              # of one type, for which the loops are compiled
            super().__init__(np.require(K if copies == 1 else np.tile(K, copies), requirements=("C", "W")), m)
            self.slot = np.arange(m + 1)                   # each point its own
        self.whole = K is not None
        self.row_kernel = row_kernel
        self.diag = np.array(diag if copies == 1 else np.tile(diag, copies), dtype=np.float64)      # of one type, too
        if not all_finite(self.diag):
            raise ValueError("the kernel gives values that overflow; scale the features")

    def times(self, beta: np.ndarray) -> np.ndarray:
        """K beta (n,), from the rows where beta is not 0: K is symmetric."""
        out = np.zeros(len(beta))
        add_all(out, self.K, self.row_kernel, self.slot, beta)
        return out


class Budget:
    """Bytes that kernel rows may still take, of cache_mb megabytes that all caches of one fit share.

    Shared caches that no problem is using keep their rows until another cache needs the memory.
    """

    def __init__(self, cache_mb: float) -> None:
        self.size = self.left = cache_mb * 1e6
        self.lock = threading.RLock()
        self.shared: WeakSet[RowCache] = WeakSet()         # caches know their budget, so it must not keep them alive

    def take(self, size: int) -> bool:
        """Reserve size bytes where there are as many, also by clearing idle caches; a negative size gives back."""
        with self.lock:
            for cache in [cache for cache in self.shared if not cache.users]:
                if size <= self.left:
                    break
                cache.clear()
            fits = size <= self.left
            self.left -= size if fits else 0
        return fits

    def use(self, caches: list["RowCache"], more: int) -> None:
        """More (or, below 0, fewer) problems need the rows of these caches from now on."""
        with self.lock:
            for cache in caches:
                cache.users += more
                self.shared.add(cache)


class RowCache(GramRows):
    """One block: rows K(x_i, columns) of some points, computed when first needed and kept while the budget lasts.

    Several threads may use one cache.  Rows that no longer fit are computed again each time they are needed, and so are
    rows that are cheap, which takes less time than new memory; run maps a function over strips of them (a thread pool's
    map, say).  K is made with the first one, for all rows of the budget.
    """

    def __init__(self, points: Points, columns: Points, budget: Budget, run: Callable = map) -> None:
        super().__init__(np.empty((0, len(columns)), points.dtype), len(points))
        self.points, self.columns, self.budget, self.users, self.run = points, columns, budget, 0, run
        self.row_bytes = max(1, len(columns)) * self.K.itemsize
        self.lock = threading.Lock()

    def add(self, F: np.ndarray, rows: np.ndarray, delta: np.ndarray) -> None:
        """Bring F up to date after steps delta of some points: F += sum_k delta_k K(x_rows_k, columns), in place."""
        if self.points.cheap:
            add_passing(F, self.points[rows], self.columns, delta, self.run)
            return
        with self.lock:
            new = np.flatnonzero(self.slot[rows] < 0)
            for start in range(0, len(new), PRODUCT_ROWS):
                some = new[start:start + PRODUCT_ROWS]
                if not self._keep(rows[some]):
                    R = self.points[rows[some]].block(self.columns)
                    add_rows(F, R, np.arange(len(some)), delta[some])
            slot = self.slot[rows]
        kept = np.flatnonzero(slot >= 0)
        add_rows(F, self.K, slot[kept], delta[kept])

    def _keep(self, rows: np.ndarray) -> bool:
        """Compute new rows, straight into K, if the budget allows."""
        if not self.budget.take(len(rows) * self.row_bytes):
            return False
        if not len(self.K):
            self.K = np.empty((min(len(self.points), int(self.budget.size / self.row_bytes)), len(self.columns)),
                              self.points.dtype)
        used = self.slot[-1]
        self.slot[-1] = end = used + len(rows)
        self.points[rows].block(self.columns, out=self.K[used:end])
        self.slot[rows] = np.arange(used, end)
        return True

    def clear(self) -> None:
        """Forget all rows and give their bytes back."""
        self.budget.take(-int(self.slot[-1]) * self.row_bytes)
        super().__init__(self.K[:0].copy(), len(self.points))


class BlockGram:
    """The Gram matrix of some groups of points, one after the other, as far as a solver has asked for it.

    points: all points; groups: slices of them, one where it is None; own: for each group its rows against itself,
    which outlive this matrix.  The blocks between two groups do not.  A group that occurs twice has its rows once.
    """

    def __init__(self, points: Points, budget: Budget, groups: list[slice] | None = None,
                 own: list[RowCache] | None = None, run: Callable = map) -> None:
        groups = [slice(0, len(points))] if groups is None else groups
        if own is None:
            cache = {g.start: RowCache(points[g], points[g], budget, run) for g in groups}
            own = [cache[g.start] for g in groups]
        self.points, self.dtype, self.budget, self.own, self.run = points, points.dtype, budget, own, run
        self.where = np.concatenate([np.arange(g.start, g.stop) for g in groups])
        self.starts = np.cumsum([0] + [g.stop - g.start for g in groups])
        self.diag = points.diag[self.where]
        self.blocks = [[own[a] if groups[a] == groups[b] else RowCache(points[groups[a]], points[groups[b]], budget)
                        for b in range(len(groups))] for a in range(len(groups))]
        budget.use(own, 1)

    def _split(self, rows: np.ndarray) -> list[tuple[np.ndarray, np.ndarray]]:
        """For each group: which of the rows are in it, and their numbers there."""
        at = [np.flatnonzero((rows >= a) & (rows < b)) for a, b in pairwise(self.starts)]
        return [(some, rows[some] - start) for some, start in zip(at, self.starts[:-1], strict=True)]

    def some(self, rows: np.ndarray) -> Points:
        """The points that rows of this matrix belong to."""
        return self.points[self.where[rows]]

    def block(self, rows: np.ndarray, columns: np.ndarray) -> np.ndarray:
        """K[rows, columns]; what is in the kept rows is looked up."""
        out: np.ndarray = np.empty((len(rows), len(columns)), self.dtype)
        missing = np.ones(len(rows), dtype=bool)
        to = self._split(columns)
        for (at, mine), caches in zip(self._split(rows), self.blocks, strict=True):
            kept = np.logical_and.reduce([cache.slot[mine] >= 0 for cache in caches])
            missing[at[kept]] = False
            for cache, (there, theirs) in zip(caches, to, strict=True):
                copy_entries(out, at[kept], there, cache.K, cache.slot[mine[kept]], theirs)
        rest = np.flatnonzero(missing)
        out[rest] = self.some(rows[rest]).block(self.some(columns))
        return out

    def add(self, F: np.ndarray, rows: np.ndarray, delta: np.ndarray) -> None:
        """Bring F up to date after steps delta, block by block: F += sum_k delta_k K[rows_k, :], in place."""
        for (at, mine), caches in zip(self._split(rows), self.blocks, strict=True):
            for cache, start, end in zip(caches, self.starts[:-1], self.starts[1:], strict=True):
                cache.add(F[start:end], mine, delta[at])

    def close(self) -> None:
        """Forget the rows that no other problem needs; the others stay while there is memory."""
        self.budget.use(self.own, -1)
        for cache in set(chain(*self.blocks)) - set(self.own):
            cache.clear()
