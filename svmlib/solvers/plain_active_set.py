"""The active-set method on the free points only, in plain numpy, as chapter 11 prints it.

The twin of `walk` in svmlib.solvers.active_set: without its kept factor, which costs O(k^2) a turn where this one
solves equation as-free of the k free points afresh, and with F = K beta - y computed at each turn.  Both take the same
turns (tests/svmlib/solvers/test_twins.py).  Glossary: beta = y alpha, of which sum(beta) = 0; box = (lo, hi), its
bounds; free the indices of the free points; u, b the unknowns of equation as-free.
"""
from collections.abc import Iterator

import numpy as np

from svmlib.solvers.interior_point import UnboundedError

Box = tuple[np.ndarray, np.ndarray]


# printed in 11_active_set
def free_system(K: np.ndarray, free: list[int], right: np.ndarray, total: float) -> np.ndarray:
    """u of K_FF u + b 1 = right, 1'u = total, the system of the text, where right is -F_F and total 0.

    >>> free_system(np.eye(2), [0, 1], np.array([1.0, 0.0]), 0.0)
    array([ 0.5, -0.5])
    """
    one = np.ones((len(free), 1))
    M = np.block([[K[np.ix_(free, free)], one], [one.T, np.zeros((1, 1))]])
    return np.linalg.solve(M, np.r_[right, total])[:-1]


# printed in 11_active_set
def slide(beta: np.ndarray, box: Box, some: list[int], d: np.ndarray, longest: float) -> int | None:
    """Move along d, by longest or to the first bound: which of some has met it, or None."""
    lo, hi = box
    bound, room = np.where(d > 0, hi[some], lo[some]), np.full(len(d), np.inf)
    moves = d != 0
    room[moves] = (bound - beta[some])[moves] / d[moves]
    h = int(room.argmin())
    if min(room[h], longest) == np.inf:
        raise UnboundedError("no bound stops a flat descent")
    beta[some] += min(room[h], longest) * d
    if room[h] >= longest:
        return None
    beta[some[h]] = bound[h]
    return some[h]


# printed in 11_active_set
def let_go(K: np.ndarray, y: np.ndarray, beta: np.ndarray, box: Box, free: list[int], i: int) -> list[int]:
    """Free the point i, after each flat direction that it brings has been followed to a bound."""
    while free:
        some = [*free, i]
        d = np.r_[free_system(K, free, -K[free, i], -1.0), 1.0]
        block = K[np.ix_(some, some)]
        if d @ block @ d > 1e-10 * (abs(d) @ abs(block) @ abs(d)):
            break
        d = -d if (K @ beta - y)[some] @ d > 0 else d
        h = slide(beta, box, some, d, np.inf)
        if h == i:  # from one of its bounds to the other
            return free
        free = [j for j in free if j != h]
    return [*free, i]


# printed in 11_active_set
def worst(F: np.ndarray, beta: np.ndarray, box: Box, free: list[int]) -> tuple[list[int], float]:
    """Who violates its condition most, and by how much: two points where none is free."""
    up = np.where(beta < box[1], F, np.inf)
    low = np.where(beta > box[0], F, -np.inf)
    up[free], low[free] = np.inf, -np.inf
    i, j = int(up.argmin()), int(low.argmax())
    if not free:
        return [i, j], low[j] - up[i]
    minus_b = F[free].mean()
    grows, shrinks = minus_b - up[i], low[j] - minus_b
    return ([i], grows) if grows >= shrinks else ([j], shrinks)


# printed in 11_active_set
def free_turns(K: np.ndarray, y: np.ndarray, C: float, tol: float = 1e-6) -> Iterator[tuple[np.ndarray, list[int]]]:
    """beta and the free points, at beta = 0 and after each turn.

    >>> X, y = np.array([0.0, 2.0, 3.0]), np.array([-1.0, 1.0, 1.0])
    >>> *_, (beta, free) = free_turns(np.outer(X, X), y, np.inf)
    >>> beta, free
    (array([-0.5,  0.5,  0. ]), [1, 0])
    """
    box = np.minimum(0, y * C), np.maximum(0, y * C)
    beta, settled = np.zeros(len(y)), False
    free: list[int] = []
    while True:
        F = K @ beta - y
        if settled:
            points, violation = worst(F, beta, box, free)
            if violation <= tol:
                return
            for i in points:
                free = let_go(K, y, beta, box, free, i)
            settled = False
        else:
            stop = None
            if len(free) > 1:
                u = free_system(K, free, -F[free], 0.0)
                stop = slide(beta, box, free, u, 1.0)
            free, settled = [i for i in free if i != stop], stop is None
        yield beta.copy(), free
