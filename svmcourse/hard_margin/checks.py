"""Checks of chapter 02: distances, the two margins, the canonical scale, the primal as a quadratic program."""
from typing import Any

import numpy as np

from svmcourse.checking.core import as_array, as_parts
from svmcourse.checking.mistakes import Cases, compared, generators

CHAPTER = "02_hard_margin"


def planes(count: int = 5, separating: bool = False) -> list[tuple]:
    """Cases (w, b, X, y): any plane, or one with all points on their sides."""
    cases = []
    for seed, rng in enumerate(generators(count)):
        w, b, X = rng.normal(size=3) * 1.7, float(rng.normal()), rng.normal(size=(9, 3))
        y = rng.permutation(np.repeat([-1.0, 1.0], [4, 5]))
        if separating:
            w = w * (0.4, 3.0)[seed % 2]
            place = np.sort(X @ w)[3:5]                                     # between two points, nearer to either
            b = -float(place @ ((0.3, 0.7) if seed % 3 else (0.6, 0.4)))
            y = np.where(X @ w + b > 0, 1.0, -1.0)
        cases.append((w, b, X, y))
    return cases


# ---- distance --------------------------------------------------------------------------------------------------------
@compared(CHAPTER, "The distance from a plane", ("the distances",), "right, on both sides.")
def distance() -> Cases:
    """`signed_distance(w, b, X)` returns one number for each row of X."""
    return [case[:3] for case in planes()]


# ---- two margins -----------------------------------------------------------------------------------------------------
@compared(CHAPTER, "Two margins", ("the functional margin", "the geometric margin"),
          "right, where points are on the wrong side, too.")
def margins() -> Cases:
    """`margins(w, b, X, y)` returns the functional and the geometric margin."""
    return planes(4) + planes(4, separating=True)


# ---- the canonical form ----------------------------------------------------------------------------------------------
@compared(CHAPTER, "The canonical form", ("w", "b"), "the same plane, with 1 at the nearest point.")
def canonical() -> Cases:
    """`canonical(w, b, X, y)` returns w, b of the same plane with min y f = 1."""
    return planes(6, separating=True)


# ---- the primal ------------------------------------------------------------------------------------------------------
def _sorted_rows(to_qp: Any) -> Any:
    """The same program with the rows of G sorted and h beside them."""
    def program(X: np.ndarray, y: np.ndarray) -> tuple:
        answer = as_parts(to_qp(X, y), ("P", "q", "G", "h"), program.name)  # type: ignore[attr-defined]
        d = X.shape[1] + 1
        P, q = as_array(answer[0], "P", (d, d)), as_array(answer[1], "q", (d,))
        G = as_array(answer[2], "G", (len(y), d))
        h = as_array(answer[3], "h", (len(y),))
        rows = np.column_stack([G, h]) / np.where(h == 0, 1.0, np.abs(h))[:, None]       # 3 Gv <= 3 h is Gv <= h
        return P, q, rows[np.lexsort(rows.T[::-1])]

    program.name = getattr(to_qp, "name", "to_primal")  # type: ignore[attr-defined]
    return program


@compared(CHAPTER, "The primal for a QP solver", ("P", "q", "G with h"),
          "a quadratic program of d + 1 unknowns.", through=_sorted_rows)
def primal() -> Cases:
    """`to_primal(X, y)` returns P, q, G, h for the unknowns (w_1, ..., w_d, b); rows of G in any order."""
    return [(X, y) for _, _, X, y in planes(3)]
