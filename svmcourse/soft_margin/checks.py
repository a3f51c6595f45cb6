"""Checks of chapter 04: slack, the dual as a quadratic program, b, the intruder of task 4, the hinge loss."""
from functools import cache
from typing import Any

import numpy as np

from svmcourse.checking.core import Answer, Wrong, as_array, as_parts, dense, filled, refuse
from svmcourse.checking.mistakes import Cases, Solved, compared, generators, judged
from svmcourse.shared.forms import Sparse

CHAPTER = "04_soft_margin"


def planes(count: int = 5) -> list[tuple]:
    """Cases (w, b, X, y) with points on both sides of both margins."""
    cases = []
    for rng in generators(count):
        cases.append((rng.normal(size=2) * 1.5, float(rng.normal()), rng.normal(size=(14, 2)),
                      rng.choice([-1.0, 1.0], 14)))
    return cases


# ---- slack -----------------------------------------------------------------------------------------------------------
@compared(CHAPTER, "Slack", ("xi",), "right, on both sides of the margin.")
def slack() -> Cases:
    """`slack(w, b, X, y)` returns xi (n,)."""
    return planes()


# ---- the quadratic program -------------------------------------------------------------------------------------------
PROGRAM = Solved(CHAPTER, "quadratic_program")
#: Mistakes that say the right thing in a form that cvxopt refuses.
FORMS = ("A-flat", "b-flat", "list", "integers")


@judged(CHAPTER, "The dual for a QP solver")
def quadratic_program(to_qp: Answer) -> str:
    """`to_qp(K, y, C)` returns P, q, G, h, A, b; the rows of G may come in any order."""
    cases = []
    for seed, rng in enumerate(generators(3)):
        X, y = rng.normal(size=(6, 2)), np.array([-1.0, 1, 1, -1, 1, -1])
        cases.append((X @ X.T, y, 2.0 + seed))
    PROGRAM.compare(to_qp, cases, ("P", "q", "G with h", "A", "b"), through=_canonical)
    answer = as_parts(to_qp(*cases[0]), ("P", "q", "G", "h", "A", "b"), to_qp.name)
    parts = [np.asarray(dense(part)) for part in answer]
    if parts[4].shape != (1, 6):
        raise Wrong("A-flat")
    if any(isinstance(part, Sparse) for part in answer):
        raise Wrong("scipy", "The program is right, but cvxopt takes no sparse matrices of scipy.",
                    "cvxopt.sparse(...), or .toarray()")
    if isinstance(answer[2], (list, tuple)) or isinstance(answer[4], (list, tuple)):
        raise Wrong("list")
    if parts[5].ndim == 0 and not isinstance(answer[5], float):            # cvxopt takes 0.0, but no 0, no 0-d array
        raise Wrong("b-flat")
    if any(part.dtype.kind != "f" for part in parts):
        raise Wrong("integers")
    return "a solver can take this."


def _canonical(to_qp: Any) -> Any:
    """The same program with rows of G sorted and the equality's sign fixed, so that only its meaning counts."""
    def canonical(K: np.ndarray, y: np.ndarray, C: float) -> tuple:
        answer = as_parts(to_qp(K, y, C), ("P", "q", "G", "h", "A", "b"), canonical.name)  # type: ignore[attr-defined]
        n = len(y)
        P, G = as_array(answer[0], "P", (n, n)), as_array(answer[2], "G", (None, n))
        q, h = as_array(answer[1], "q", (n,)), as_array(answer[3], "h", (len(G),))
        A, b = as_array(np.reshape(dense(answer[4]), (1, -1)), "A", (1, n)), as_array(np.ravel(answer[5]), "b", (1,))
        size = np.abs(G).max(axis=1, initial=0.0)
        rows = np.column_stack([G, h]) / np.where(size > 0, size, 1.0)[:, None]              # 3 Gv <= 3 h is Gv <= h
        rows = np.vstack([rows, np.zeros((max(0, 2 * n - len(rows)), n + 1))])         # where some are missing
        rows = rows[np.lexsort(rows.T[::-1])]
        return P, q, rows, A * np.sign(A[0, 0]) / max(np.abs(A).max(), 1e-300), b

    canonical.name = getattr(to_qp, "name", "to_qp")  # type: ignore[attr-defined]
    return canonical


# ---- b ---------------------------------------------------------------------------------------------------------------
BIAS = Solved(CHAPTER, "bias")


@cache
def bias_cases() -> tuple[list[tuple], list[tuple]]:
    """Solutions (alpha, y, K, C) with margin vectors, and without."""
    from svmlib import DualProblem, solve
    from svmlib.kernels import Linear

    with_free: list[tuple] = []
    without: list[tuple] = []
    for seed, rng in enumerate(generators(16)):
        X = np.concatenate([rng.exponential(0.25, (10, 2)), rng.exponential(2.0, (10, 2))])
        y = np.repeat([-1.0, 1.0], 10)
        C = 0.01 if seed % 2 else 1.0
        problem = DualProblem(Linear(), X, y, C=C)
        s = solve(problem, "qp", tol=1e-6)                              # the one that compiles nothing
        alpha = s.alpha.copy()
        alpha[np.flatnonzero(alpha == 0)[:2]] = 2e-9                    # what an interior point leaves
        (with_free if len(s.free) else without).append((alpha, y, problem.K, C))
    return with_free, without


@judged(CHAPTER, "b of the soft margin", prepare=bias_cases)
def bias(b: Answer) -> str:
    """`bias(alpha, y, K, C)` returns b: mean over the margin vectors, else the middle of the interval."""
    with_free, without = bias_cases()
    said = {m.message for m in BIAS.mistakes}
    BIAS.compare(b, with_free[:5], ("b",))               # the residues move b by 1e-8 or so: less than compare sees
    try:
        BIAS.compare(b, without[:3], ("b",))
    except Wrong as wrong:
        if wrong.key in ("unknown", "sign", "factor", "zero") and wrong.message not in said:
            raise Wrong("interval") from None
        if wrong.key in ("nan", "exception"):
            raise Wrong("b-nan", "b is right where there are margin vectors; where there are none it is no number, "
                        "or an error.",
                        "Each point still gives a limit: alpha = 0 needs y f >= 1, alpha = C needs y f <= 1. "
                        "Take the middle.") from None
        raise
    return "right, with margin vectors and without."


# ---- task 4 ----------------------------------------------------------------------------------------------------------
#: Half margins on `xs_linear` by data (without the outlier, with it, with it as +1) and C; a test computes them anew.
HALF_MARGINS = {("clean", np.inf): 0.107159, ("outlier", np.inf): 0.021662, ("outlier", 10.0): 0.142248,
                ("plus", np.inf): 0.101242, ("plus", 10.0): 0.144618, ("clean", 10.0): 0.139942,
                ("clean", 1.0): 0.287785, ("outlier", 1.0): 0.289579}


@judged(CHAPTER, "Task 4 (programming sheet): the intruder")
def aufgabe_4(half_margins: Any) -> str:
    """Half margins of: hard without the outlier, hard with it, soft (C = 10) with it."""
    values = list(half_margins.values()) if isinstance(half_margins, dict) else half_margins
    if isinstance(values, list):
        names = half_margins if isinstance(half_margins, dict) else ("the first number", "the second", "the third")
        filled(**dict(zip(map(str, names), values, strict=False)))
    got = as_array(values, "the answer", (3,))

    def of(*names: tuple[str, float]) -> np.ndarray:
        return np.array([HALF_MARGINS[name] for name in names])

    hard, dirty, soft = ("clean", np.inf), ("outlier", np.inf), ("outlier", 10.0)
    right = of(hard, dirty, soft)
    variants = {
        "width": 2 * right, "norms": 1 / right, "order": of(dirty, hard), "outlier-forgotten": of(hard, hard),
        "label-of-outlier": of(hard, ("plus", np.inf), ("plus", 10.0)),
        "soft-is-hard": of(hard, dirty, dirty),
        "soft-repeats-the-first": of(hard, dirty, hard),
        "soft-without-outlier": of(hard, dirty, ("clean", 10.0)),
        "C-of-the-soft": of(("clean", 10.0), soft), "hard-is-soft": of(("clean", 1.0), ("outlier", 1.0)),
    }
    if np.allclose(got, right, rtol=5e-3):
        return "the intruder takes four fifths of the hard margin; the soft one gives the point up."
    refuse({key: np.allclose(got[:len(value)], value, rtol=5e-3) for key, value in variants.items()})
    wrong = int(np.flatnonzero(~np.isclose(got, right, rtol=5e-3))[0])
    raise Wrong("unknown", f"Number {wrong + 1} is {got[wrong]:.4f}; a half margin with other data or another C?",
                "First hard, without the intruder; then hard, with it; then C = 10, with it.")


# ---- the hinge loss --------------------------------------------------------------------------------------------------
HINGE = Solved(CHAPTER, "subgradient")


@judged(CHAPTER, "The hinge loss: a subgradient")
def subgradient(of_the_cost: Answer) -> str:
    """`subgradient(w, b, X, y, C)` returns the parts for w and b."""
    cases = [(*case, 0.5 + k) for k, case in enumerate(planes(4))]
    HINGE.compare(of_the_cost, cases, ("g_w", "g_b"))
    return "right; where no y f is 1, it is the gradient."
