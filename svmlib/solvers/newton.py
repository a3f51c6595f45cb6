"""Newton steps on the free variables of the dual: the exact minimum over a face of the box, in one solve."""
from __future__ import annotations

import numpy as np
from scipy.linalg import LinAlgError, cho_factor, cho_solve

__all__ = ["newton_steps"]

MAX_FREE = 1500            # larger blocks cost more than the pair steps that they replace


def newton_steps(K: np.ndarray, F: np.ndarray, beta: np.ndarray, lo: np.ndarray, hi: np.ndarray, count: int) -> int:
    """Take up to count Newton steps on {lo < beta < hi}, with F = K beta - y and beta in place; returns their number.

    Over the free variables the minimum under sum(d) = 0 solves

        [ K_FF  1 ] [d]     [-F_F]
        [ 1'    0 ] [m]  =  [ 0  ]        d = -(u - v (1'u) / (1'v)),   K_FF u = F_F,   K_FF v = 1.

    The step is cut where the first variable meets its bound; that one leaves the free set, and the next step follows.
    """
    free = np.flatnonzero((beta > lo) & (beta < hi))
    done = 0
    while done < count and 2 <= len(free) <= MAX_FREE:
        d = _direction(K[np.ix_(free, free)], F[free])
        if d is None or not d @ F[free] < 0:
            break
        target = np.where(d > 0, hi[free], lo[free])
        with np.errstate(divide="ignore", invalid="ignore"):
            room = np.where(d != 0, (target - beta[free]) / d, np.inf)
        first = int(np.argmin(room))
        t = min(1.0, room[first])
        moved = beta[free] + t * d
        if t < 1.0:
            moved[first] = target[first]                   # exactly, so that it counts as bounded
        change = moved - beta[free]
        beta[free] = moved
        F += change @ K[free]
        done += 1
        if t == 1.0:
            break
        free = np.delete(free, first)
    return done


def _direction(A: np.ndarray, r: np.ndarray) -> np.ndarray | None:
    """Newton direction for the block A = K_FF and gradient r; None where A is indefinite.

    The ridge makes a singular block solvable: along its null space the direction is then so long that a bound stops it.
    """
    A[np.diag_indices_from(A)] += 1e-10 * np.abs(A.diagonal()).max()
    try:
        uv = cho_solve(cho_factor(A, lower=True, overwrite_a=True, check_finite=False),
                       np.column_stack([r, np.ones(len(r))]), check_finite=False)
    except LinAlgError:
        return None
    u, v = uv.T
    return v * (u.sum() / v.sum()) - u
