"""Checks of chapter 02: distances, the two margins, the canonical scale, the primal as a quadratic program."""
from functools import partial
from typing import Any

import numpy as np

from svmlib.classroom.checks.core import Answer, Mistake, Wrong, as_array, compare, task

CHAPTER = "02_hard_margin"


def planes(count: int = 5, separating: bool = False) -> list[tuple]:
    """Cases (w, b, X, y): any plane, or one with all points on their sides."""
    cases = []
    for seed in range(count):
        rng = np.random.default_rng(seed)
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
def signed(w: np.ndarray, b: float, X: np.ndarray, how: str = "") -> tuple[np.ndarray]:
    """Signed distances, or a known mistake."""
    f = X @ w + (-b if how == "sign-of-b" else b)
    size = {"not-divided": 1.0, "squared-norm": float(w @ w), "norm-with-b": float(np.sqrt(w @ w + b * b)),
            "one-norm": float(np.abs(w).sum())}.get(how, float(np.linalg.norm(w)))
    if how == "b-outside":
        return (X @ w / size + b,)
    return (np.abs(f) / size if how == "unsigned" else f / size,)


DISTANCE = [Mistake(key, message, hint, partial(signed, how=key)) for key, message, hint in [
    ("not-divided", "This is f(x); it is a distance only where |w| = 1.", "Divide by the length of w."),
    ("squared-norm", "f is divided by |w|²; the distance is f / |w|.",
     "Double w and b: the plane stays, and so should the distance."),
    ("unsigned", "The sizes are right, but the sign is lost: points behind the plane have a negative distance.",
     "Leave out the absolute value."),
    ("sign-of-b", "b enters with the wrong sign.", "f(x) = w'x + b; the programming sheet writes w'x - w0."),
    ("norm-with-b", "The length is that of (w, b); b has no part in it.", "np.linalg.norm(w)"),
    ("one-norm", "The length of w is its Euclidean norm, not the sum of absolute values.", "np.linalg.norm(w)"),
    ("b-outside", "Only w'x is divided by |w|; b has to be, too.", "(w'x + b) / |w|"),
]]


@task(CHAPTER, "The distance from a plane", DISTANCE)
def distance(signed_distance: Answer) -> str:
    """`signed_distance(w, b, X)` returns one number for each row of X."""
    compare(signed_distance, [case[:3] for case in planes()], signed, ("the distances",), DISTANCE)
    return "right, on both sides."


# ---- two margins -----------------------------------------------------------------------------------------------------
def both(w: np.ndarray, b: float, X: np.ndarray, y: np.ndarray, how: str = "") -> tuple[float, float]:
    """Functional and geometric margin, or a known mistake."""
    yf, size = y * (X @ w + b), float(np.linalg.norm(w))
    if how == "absolute":
        yf = np.abs(yf)
    elif how == "without-y":
        yf = X @ w + b
    functional = float({"mean": yf.mean(), "largest": yf.max()}.get(how, yf.min()))
    geometric = {"inverse-norm": 1 / size, "width": 2 * functional / size, "times": functional * size}.get(
        how, functional / size)
    return (geometric, functional) if how == "order" else (functional, geometric)


MARGINS = [Mistake(key, message, hint, partial(both, how=key)) for key, message, hint in [
    ("order", "The two margins are exchanged.", "The functional margin is min y f; return it first."),
    ("absolute", "The absolute value does not know the labels: a point on the wrong side counts as if it were right.",
     "y f is negative for a misclassified point, and so is the margin then."),
    ("without-y", "The labels are missing: for the class -1 a good f is negative.", "min over y_i f(x_i)"),
    ("inverse-norm", "1/|w| is the geometric margin only where the functional margin is 1.",
     "Divide the functional margin by |w|."),
    ("width", "The geometric margin is the distance from the plane to the nearest point; the band is twice as wide.",
     "Leave out the factor 2."),
    ("times", "The functional margin is multiplied by |w|; it is divided.", "Distances are f / |w|."),
    ("mean", "This is a mean over the points; a margin is that of the worst point.", "min"),
    ("largest", "This is the largest value; a margin is that of the worst point.", "min"),
]]


@task(CHAPTER, "Two margins", MARGINS)
def margins(two: Answer) -> str:
    """`margins(w, b, X, y)` returns the functional and the geometric margin."""
    compare(two, planes(4) + planes(4, separating=True), both, ("the functional margin", "the geometric margin"),
            MARGINS)
    return "right, where points are on the wrong side, too."


# ---- the canonical form ----------------------------------------------------------------------------------------------
def scaled(w: np.ndarray, b: float, X: np.ndarray, y: np.ndarray, how: str = "") -> tuple[np.ndarray, float]:
    """(w, b) with min y f = 1, or a known mistake."""
    yf = y * (X @ w + b)
    c = {"unit": np.linalg.norm(w), "inverse": 1 / yf.min(), "furthest": yf.max(), "b-one": b,
         "geometric": yf.min() / np.linalg.norm(w),
         "one-class": (X @ w + b)[y > 0].min(), "band": yf.min() / 2, "mean": yf.mean()}.get(how, yf.min())
    return w / c, float(b if how == "w-only" else b / c)


SCALED = [Mistake(key, message, hint, partial(scaled, how=key)) for key, message, hint in [
    ("unit", "w has length 1; then f is a distance, but the nearest point does not have y f = 1.",
     "Divide by the functional margin, not by |w|."),
    ("geometric", "The division is by the geometric margin, a distance; y f of the nearest point is then |w|.",
     "Divide by min y f itself, without |w|."),
    ("inverse", "Multiplied where one has to divide.", "After the division by c, min y f is divided by c."),
    ("furthest", "The furthest point has y f = 1; it should be the nearest.", "min, not max"),
    ("b-one", "b is 1 now. There is one factor to choose, and it is used up by min y f = 1.",
     "The slides' s = 1 is a choice; b = 1 as well would be a second one."),
    ("one-class", "The nearest point of the class +1 has f = 1; the nearest of all points may belong to the class -1.",
     "min over y_i f(x_i), all i"),
    ("w-only", "w is scaled and b is not: this is another plane.", "Divide both."),
    ("band", "The nearest point has y f = 2.", "Divide by the functional margin itself."),
    ("mean", "The mean of y f is 1; the smallest should be.", "min"),
]]


@task(CHAPTER, "The canonical form", SCALED)
def canonical(scale: Answer) -> str:
    """`canonical(w, b, X, y)` returns w, b of the same plane with min y f = 1."""
    compare(scale, planes(6, separating=True), scaled, ("w", "b"), SCALED)
    return "the same plane, with 1 at the nearest point."


# ---- the primal ------------------------------------------------------------------------------------------------------
def program(X: np.ndarray, y: np.ndarray, how: str = "") -> tuple[np.ndarray, ...]:
    """P, q, G, h of the primal in (w, b), or a known mistake."""
    n, d = X.shape
    P = np.diag(np.r_[np.ones(d), 1.0 if how == "b-penalised" else 0.0])
    if how == "twice":
        P = 2 * P
    column = np.ones(n)
    rows = np.column_stack([X if how == "without-y" else y[:, None] * X,
                            column if how in ("b-without-y", "without-y") else -y if how == "b-sign" else y * column])
    G = rows if how in ("G-sign", "both-signs") else -rows
    h = {"h-sign": column, "both-signs": column, "h-zero": 0 * column}.get(how, -column)
    return P, (np.r_[np.ones(d), 0.0] if how == "q-ones" else np.zeros(d + 1)), G, h


PRIMAL = [Mistake(key, message, hint, partial(program, how=key)) for key, message, hint in [
    ("b-penalised", "b is penalised: the last entry of P's diagonal should be 0.",
     "The objective 1/2 |w|² does not contain b. With 1 there it is the homogeneous problem of the lecture notes."),
    ("twice", "P is twice as large; the factor 1/2 is already in the solver's objective.", "1/2 x'Px with P = I is 1/2 "
     "|x|²."),
    ("without-y", "The labels are missing in G.", "y_i (w'x_i + b) >= 1"),
    ("b-without-y", "The labels are missing in the column of b.", "y_i multiplies the whole bracket w'x_i + b."),
    ("b-sign", "b enters with the wrong sign.", "f(x) = w'x + b; the programming sheet writes w'x - w0."),
    ("G-sign", "G v <= h with these rows says y f <= -1: every point on the wrong side.",
     ">= becomes <= when both sides change their sign."),
    ("both-signs", "Neither G nor h has its minus: G v <= h says y f <= 1, no point beyond the margin.",
     ">= becomes <= when both sides change their sign."),
    ("h-sign", "G has its minus, h has not: this allows y f >= -1.", "-y f <= -1"),
    ("h-zero", "With h = 0 the solution is w = 0: y f >= 0 is no band.", "y f >= 1"),
    ("q-ones", "The objective has no linear part: q is 0.", "1/2 |w|² and nothing else"),
]]


@task(CHAPTER, "The primal for a QP solver", PRIMAL)
def primal(to_qp: Answer) -> str:
    """`to_primal(X, y)` returns P, q, G, h for the unknowns (w_1, ..., w_d, b); rows of G in any order."""
    cases = [(X, y) for _, _, X, y in planes(3)]
    compare(_canonical(to_qp), cases, _canonical(program), ("P", "q", "G with h"),
            [Mistake(m.key, m.message, m.hint, _canonical(m.variant)) for m in PRIMAL])
    return "a quadratic program of d + 1 unknowns."


def _canonical(to_qp: Any) -> Any:
    """The same program with the rows of G sorted and h beside them."""
    def canonical(X: np.ndarray, y: np.ndarray) -> tuple:
        answer = to_qp(X, y)
        if not isinstance(answer, (tuple, list)) or len(answer) != 4:
            raise Wrong("parts", "to_primal should return four things: P, q, G, h.", "return P, q, G, h")
        d = X.shape[1] + 1
        P, q = as_array(answer[0], "P", (d, d)), as_array(answer[1], "q", (d,))
        G = as_array(answer[2], "G", (len(y), d))
        rows = np.column_stack([G, as_array(answer[3], "h", (len(y),))])
        return P, q, rows[np.lexsort(rows.T[::-1])]

    canonical.name = getattr(to_qp, "name", "to_primal")  # type: ignore[attr-defined]
    return canonical
