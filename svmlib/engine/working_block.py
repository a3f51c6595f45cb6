"""K(S, S), the block of the Gram matrix on which a working set S is solved, kept while S changes.

Most of S stays from round to round, and so do its entries: gaps are closed up in place, those of new points computed.
"""
import numpy as np

from svmlib.compilation import njit
from svmlib.engine.gram_blocks import Points
from svmlib.engine.gram_rows import TILE_COLUMNS, TILE_ROWS, BlockGram, Budget, add_passing, add_rows, unwritten
from svmlib.validation import check_number


@njit()
def close_up(K, stay):
    """Move the entries between the points `stay`, ascending, to the upper left of K, in place."""
    for a in range(len(stay)):
        to, row = K[a], K[stay[a]]
        for b in range(len(stay)):
            to[b] = row[stay[b]]


class WorkingBlock:
    """The working set S, indices of points, and its block: K[k, l] = k(S_k, S_l), in the upper left of K.

    gram: the Gram matrix of which it is a part; limit: the largest |S|.
    """

    def __init__(self, gram: BlockGram, limit: int) -> None:
        self.gram, self.limit = gram, limit                # K: its memory is taken as S grows
        self.S, self.K = np.empty(0, np.intp), unwritten(limit, limit, gram.dtype)

    def change(self, stay: np.ndarray, new: np.ndarray) -> None:
        """S := the points at the positions `stay`, ascending, and new ones.  A few that could leave stay."""
        if len(stay) > 0.75 * len(self.S) and len(self.S) + len(new) <= self.limit:
            stay = np.arange(len(self.S))                  # to close up takes longer than to solve with them
        if len(stay) < len(self.S):
            close_up(self.K, stay)
        self.S = np.concatenate([self.S[stay], new])
        m, n = len(stay), len(self.S)
        if self.gram.points.cheap:
            self._compute(m)
        else:
            self.K[:n, m:n] = self.gram.block(self.S, new)           # most of S has rows, from which this is copied
            self.K[m:n, :m] = self.K[:m, m:n].T

    def _compute(self, m: int) -> None:
        """The entries of the points from the m-th on, by tiles that stay in the cache."""
        points, n = self.gram.some(self.S), len(self.S)

        def strip(rows: slice) -> None:
            """Some rows: all entries of new points, the new entries of others."""
            some, start = points[rows], m if rows.start < m else 0
            R: np.ndarray = np.empty((len(some), TILE_COLUMNS), points.dtype)
            for first in range(start, n, TILE_COLUMNS):
                columns = points[first:min(first + TILE_COLUMNS, n)]
                tile = R.reshape(-1)[:len(some) * len(columns)].reshape(len(some), -1)
                self.K[rows, first:first + len(columns)] = some.block(columns, out=tile)

        list(self.gram.run(strip, [slice(first, min(first + TILE_ROWS, end)) for start, end in ((0, m), (m, n))
                                   for first in range(start, end, TILE_ROWS)]))

    def update(self, F: np.ndarray, beta: np.ndarray, in_F: np.ndarray) -> None:
        """Bring F = K beta - p from in_F to beta (n,), and in_F with it: only rows of variables that differ are needed.

        Once there is a working set, beta may differ from in_F on S alone.  Cheap rows are not kept; K(S, S) is here.
        """
        changed = np.flatnonzero(beta != in_F)
        delta = beta[changed] - in_F[changed]
        if self.gram.points.cheap:
            at = np.flatnonzero(beta[self.S] != in_F[self.S])
            outside = np.ones(len(F), dtype=bool)
            outside[self.S] = False
            rest = np.flatnonzero(outside)
            F_S, F_rest = F[self.S], F[rest]
            add_rows(F_S, self.K, at, beta[self.S[at]] - in_F[self.S[at]])
            add_passing(F_rest, self.gram.some(changed), self.gram.some(rest), delta, self.gram.run)
            F[self.S], F[rest] = F_S, F_rest
        else:
            self.gram.add(F, changed, delta)
        in_F[changed] = beta[changed]


class Memory:
    """The memory of a fit, cache_mb megabytes (1000 where None): four fifths for Gram rows, the rest for K(S, S)."""

    def __init__(self, cache_mb: float | None, workers: int = 1) -> None:
        if cache_mb is not None:
            check_number(cache_mb, "cache_mb", 0.0, strict=True)
        self.mb, self.workers = 1000.0 if cache_mb is None else float(cache_mb), workers

    def rows(self, share: float = 1.0) -> Budget:
        """A budget for Gram rows, or for a share of them."""
        return Budget(0.8 * self.mb * share)

    def limit(self, n: int, points: Points) -> int:
        """Largest working set whose block K(S, S) fits; beside it, rows of K are kept unless they are cheap."""
        share, size = 0.8 if points.cheap else 0.2, np.dtype(points.dtype).itemsize
        return int(min(n, max(64, np.sqrt(share * 1e6 * self.mb / self.workers / size))))
