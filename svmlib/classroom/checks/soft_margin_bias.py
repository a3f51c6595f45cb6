"""The check of chapter 06 of b: a mean over the margin vectors, and the middle of an interval where there are none."""
from functools import cache, partial

import numpy as np

from svmlib.classroom.checks.core import Answer, Mistake, Wrong, compare, task

CHAPTER = "06_soft_margin"


def bias_of(alpha: np.ndarray, y: np.ndarray, K: np.ndarray, C: float, how: str = "") -> tuple[float]:
    """b of the soft margin: mean over the free vectors, else the middle of the KKT interval; or a mistake."""
    low, high = 1e-6 * C, C * (1 - 1e-6)
    if how == "tiny-threshold":
        low = 1e-10
    signed = alpha if how == "without-y" else alpha * y
    proposals = y - K @ signed
    free, support = (alpha > low) & (alpha < high), alpha > low
    chosen = {"any-support": np.flatnonzero(support)[:1], "all-support": support}.get(how, free)
    if chosen.any() or how == "any-support":
        return (float(proposals[chosen].mean()) * (-1 if how == "sign" else 1),)
    if how == "zero":
        return (0.0,)
    up = ((y > 0) & (alpha < high)) | ((y < 0) & (alpha > low))      # b may not be below these
    down = ((y > 0) & (alpha > low)) | ((y < 0) & (alpha < high))
    least, most = proposals[up].max(), proposals[down].min()
    return ((least + most) / 2 * (-1 if how == "sign" else 1),)


BIAS = [Mistake(key, message, hint, partial(bias_of, how=key)) for key, message, hint in [
    ("any-support", "b comes from the first support vector, whatever its alpha; one with alpha = C may have slack.",
     "Only 0 < alpha < C says y f = 1. (The report's 'any support vector' holds for the hard margin only.)"),
    ("all-support", "b is the mean over all support vectors; those with alpha = C may have slack, and b is off by it.",
     "Only 0 < alpha < C."),
    ("tiny-threshold", "A residue of the solver, such as 2e-9, is taken for a margin vector.",
     "Compare with a share of C, such as 1e-6 C, not with 1e-10."),
    ("without-y", "The labels are missing in w'x = sum alpha_j y_j k(x_j, x).", "K @ (alpha * y)"),
    ("sign", "b has the wrong sign.", "f(x) = w'x + b here; the programming sheet's w0 is -b."),
    ("zero", "Without a margin vector b is not 0: the KKT conditions still leave an interval.",
     "Each point gives a limit: alpha = 0 asks for y f >= 1, alpha = C for y f <= 1."),
]] + [
    Mistake("interval", "b is right where there are margin vectors; where there are none it is not the middle of the "
            "interval.", "From below limits y = 1, alpha = 0 and y = -1, alpha = C, from above the other two: "
            "the largest of the first, the smallest of the second."),
]


@cache
def bias_cases() -> tuple[list[tuple], list[tuple]]:
    """Solutions (alpha, y, K, C) with margin vectors, and without."""
    from svmlib import DualProblem, solve
    from svmlib.kernels import Linear

    with_free: list[tuple] = []
    without: list[tuple] = []
    for seed in range(16):
        rng = np.random.default_rng(seed)
        X = np.concatenate([rng.exponential(0.25, (10, 2)), rng.exponential(2.0, (10, 2))])
        y = np.repeat([-1.0, 1.0], 10)
        C = 0.01 if seed % 2 else 1.0
        problem = DualProblem(Linear(), X, y, C=C)
        s = solve(problem, "qp", tol=1e-6)                              # the one that compiles nothing
        alpha = s.alpha.copy()
        alpha[np.flatnonzero(alpha == 0)[:2]] = 2e-9                    # what an interior point leaves
        (with_free if len(s.free) else without).append((alpha, y, problem.K, C))
    return with_free, without


@task(CHAPTER, "b of the soft margin", BIAS, prepare=bias_cases)
def bias(b: Answer) -> str:
    """`bias(alpha, y, K, C)` returns b: mean over the margin vectors, else the middle of the interval."""
    with_free, without = bias_cases()
    known = {m.key: m for m in BIAS}
    # The residues move b by 1e-8 or so: tol is looser than that.
    compare(b, with_free[:5], bias_of, ("b",), BIAS, tol=1e-6)
    try:
        compare(b, without[:3], bias_of, ("b",), BIAS, tol=1e-6)
    except Wrong as wrong:
        if wrong.key in ("unknown", "sign", "factor", "zero") and wrong.message not in {m.message for m in BIAS}:
            raise known["interval"].wrong() from None
        if wrong.key in ("nan", "exception"):
            raise Wrong("b-nan", "b is right where there are margin vectors; where there are none it is no number, "
                        "or an error.",
                        "Each point still gives a limit: alpha = 0 asks for y f >= 1, alpha = C for y f <= 1. "
                        "Take the middle.") from None
        raise
    return "right, with margin vectors and without."
