"""All machines of one-vs-one, held as libsvm holds them: k - 1 numbers for each support vector, whatever k is.

A dense matrix has a row for each of the k (k - 1) / 2 pairs, and all of it is 0 but for the two classes of the pair:
with a hundred classes that is 50 times as much memory and work, with four hundred 200 times.
"""
from collections.abc import Callable, Sequence
from functools import cached_property
from itertools import pairwise
from typing import Any, overload

import numpy as np

from svmlib.dual import Solution
from svmlib.svc.multiclass import BinaryMachine

COLUMNS = ("b", "objective", "gap", "violation", "gap_bound")       # of a Solution, one number for each pair


class PairMachines(Sequence[Solution]):
    """The solutions of all pairs, ordered as class_pairs(k), in little memory; each is made when it is asked for.

    codes (n,): classes 0 … k-1 of the training points; C (n,): bounds of alpha.  To be filled by put, a pair after the
    other, or by what writes into layout and the columns itself, and then packed.

    order (n,): the points class by class; starts (k + 1,): where each class begins; layout (k - 1, n): the beta of a
    point of class p in its pair with q, for each q but p in ascending order, points as in order; once packed, of the
    support vectors alone, which stand at places (n_SV,) of order.
    """

    def __init__(self, codes: np.ndarray, C: np.ndarray, tol: float) -> None:
        self.k = k = int(codes.max()) + 1
        self.codes = codes.astype(np.min_scalar_type(k))             # a byte for each point says what its order says
        self.starts = np.concatenate([[0], np.cumsum(np.bincount(codes, minlength=k))])
        pairs = k * (k - 1) // 2
        self.layout, self.places, self.asked = np.zeros((k - 1, len(codes))), np.arange(len(codes)), tol
        self.C = C if np.any(C[0] != C) else C[:1].copy()            # one number says the same as n
        self.b, self.objective, self.gap, self.violation, self.gap_bound = np.zeros((5, pairs))
        self.n_iter = np.zeros(pairs, dtype=np.int32)
        self.outcomes: list[tuple[str, str]] = []               # status and solver, as they occur
        self.outcome = np.zeros(pairs, dtype=np.int8)
        self.tol: dict[int, float] = {}                       # where it is not what was asked for

    @cached_property
    def order(self) -> np.ndarray:
        """The points class by class."""
        return np.argsort(self.codes, kind="stable")

    def __getstate__(self) -> dict[str, Any]:
        return {name: value for name, value in self.__dict__.items() if name != "order"}

    def put(self, index: int, p: int, q: int, machine: BinaryMachine) -> None:
        """Take the machine of a pair; its rows are those of p and q, in any order."""
        solution, beta = machine.solution, np.zeros(len(self.order))
        beta[machine.rows] = machine.y * machine.solution.alpha
        for own, other in ((p, q - 1), (q, p)):
            columns = slice(*self.starts[own:own + 2])
            self.layout[other, columns] = beta[self.order[columns]]
        for name in COLUMNS:
            getattr(self, name)[index] = getattr(solution, name)
        self.n_iter[index], self.outcome[index] = solution.n_iter, self.code(solution.status, solution.solver)
        if solution.tol != self.asked:
            self.tol[index] = solution.tol

    @property
    def bounds(self) -> np.ndarray:
        """C (n,)."""
        return np.broadcast_to(self.C, self.codes.shape)

    def code(self, status: str, solver: str) -> int:
        """The number that stands for a status and a solver."""
        if (status, solver) not in self.outcomes:
            self.outcomes.append((status, solver))
        return self.outcomes.index((status, solver))

    def pack(self) -> np.ndarray:
        """Keep the support vectors only: the columns of layout that are not 0.  Their indices (n_SV,)."""
        self.places = np.flatnonzero(self.layout.any(axis=0))
        self.layout = self.layout[:, self.places]
        return self.order[self.places]

    @property
    def solvers(self) -> set[str]:
        """Names of the solvers."""
        return {self.outcomes[outcome][1] for outcome in np.unique(self.outcome)}

    def times(self, K: Any, of: Callable[[np.ndarray], np.ndarray] | None = None) -> np.ndarray:
        """sum_j beta_j K_ij of all pairs, (m, n_pairs), from values K (m, n_SV); or of(beta_j) in place of beta_j.

        The support vectors of class p meet the k - 1 numbers of each: a product for each class; a pair is then the sum
        of two of its columns, one of each class.
        """
        k, column = self.k, 0
        layout = (self.layout if of is None else of(self.layout)).astype(K.dtype, copy=False)
        ends = np.searchsorted(self.places, self.starts)
        parts = np.empty((k, k, K.shape[0]), K.dtype)            # parts[p, q]: of class p, in its pair with q
        for own, (start, end) in enumerate(pairwise(ends)):
            product = layout[:, start:end] @ K[:, start:end].T
            parts[own, :own], parts[own, own + 1:] = product[:own], product[own:]
        out = np.empty((len(self), K.shape[0]))
        for p in range(k - 1):
            end = column + k - 1 - p
            np.add(parts[p, p + 1:], parts[p + 1:, p], out=out[column:end])
            column = end
        return out.T

    # ---- a sequence of solutions ---------------------------------------------------------------------------
    def __len__(self) -> int:
        return len(self.b)

    @overload
    def __getitem__(self, index: int) -> Solution: ...

    @overload
    def __getitem__(self, index: slice) -> list[Solution]: ...

    def __getitem__(self, index: int | slice) -> Solution | list[Solution]:
        if isinstance(index, slice):
            return [self[i] for i in range(*index.indices(len(self)))]
        i = range(len(self))[index]
        k = self.k
        heads = np.cumsum([0, *range(k - 1, 0, -1)])          # where the pairs (p, p + 1), (p, p + 2), … begin
        p = int(np.searchsorted(heads, i, side="right")) - 1
        q = int(i - heads[p]) + p + 1
        rows, alpha = [], []
        for own, other in ((p, q - 1), (q, p)):
            start, end = self.starts[own:own + 2]
            some = slice(*np.searchsorted(self.places, (start, end)))
            values = np.zeros(end - start)
            values[self.places[some] - start] = np.abs(self.layout[other, some])
            rows.append(self.order[start:end])
            alpha.append(values)
        points = np.concatenate(rows)
        ascending = np.argsort(points)
        status, solver = self.outcomes[self.outcome[i]]
        b, objective, gap, violation, bound = (float(getattr(self, name)[i]) for name in COLUMNS)
        return Solution(np.concatenate(alpha)[ascending], b, objective, gap, violation, int(self.n_iter[i]), status,
                        solver, self.tol.get(i, self.asked), self.bounds[points[ascending]], gap_bound=bound)

    def __repr__(self) -> str:
        return f"<{len(self)} solutions, the first: {self[0]!r}>"
