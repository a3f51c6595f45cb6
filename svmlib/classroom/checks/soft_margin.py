"""Checks of chapter 06: slack, the dual as a quadratic program, b, the outlier of Aufgabe 4, the hinge loss."""
from __future__ import annotations

from functools import cache, partial
from typing import Any

import numpy as np

from svmlib.classroom.checks.core import Answer, Mistake, Wrong, as_array, blank, compare, task

CHAPTER = "06_soft_margin"


def planes(count: int = 5) -> list[tuple]:
    """Cases (w, b, X, y) with points on both sides of both margins."""
    cases = []
    for seed in range(count):
        rng = np.random.default_rng(seed)
        cases.append((rng.normal(size=2) * 1.5, float(rng.normal()), rng.normal(size=(14, 2)),
                      rng.choice([-1.0, 1.0], 14)))
    return cases


# ---- slack -----------------------------------------------------------------------------------------------------------
SLACK = [Mistake(key, message, hint, variant) for key, message, hint, variant in [
    ("no-max", "Points beyond their margin get a negative slack.", "A slack is never negative: max(0, .)",
     lambda w, b, X, y: (1 - y * (X @ w + b),)),
    ("without-y", "The labels are missing: points of class -1 are measured from the wrong side.",
     "The constraint is y f(x) >= 1 - xi.", lambda w, b, X, y: (np.maximum(0, 1 - (X @ w + b)),)),
    ("distance", "This is a distance in the plane; slack is measured in units of f.",
     "Slack is |w| times the distance to the margin: do not divide by |w|.",
     lambda w, b, X, y: (np.maximum(0, 1 - y * (X @ w + b)) / np.linalg.norm(w),)),
    ("from-the-boundary", "This is measured from the boundary f = 0, as for the perceptron, not from the margin.",
     "A point with y f = 1/2 is on the right side and inside the band: its slack is 1/2.",
     lambda w, b, X, y: (np.maximum(0, -y * (X @ w + b)),)),
    ("sign-of-b", "b enters with the wrong sign.", "f(x) = w'x + b; the programming sheet writes w'x - w0.",
     lambda w, b, X, y: (np.maximum(0, 1 - y * (X @ w - b)),)),
    ("beyond", "This is how far points are beyond their margin, not how much they lack.", "1 - y f, not y f - 1",
     lambda w, b, X, y: (np.maximum(0, y * (X @ w + b) - 1),)),
    ("zero-one", "This counts wrong points; slack says how wrong they are, and some right points have it too.",
     "xi = max(0, 1 - y f) is any number from 0 up.",
     lambda w, b, X, y: ((y * (X @ w + b) < 0).astype(float),)),
]]


@task(CHAPTER, "Slack", SLACK)
def slack(xi: Answer) -> str:
    """`slack(w, b, X, y)` returns xi (n,)."""
    compare(xi, planes(), lambda w, b, X, y: (np.maximum(0, 1 - y * (X @ w + b)),), ("xi",), SLACK)
    return "right, on both sides of the margin."


# ---- the quadratic program -------------------------------------------------------------------------------------------
def program(K: np.ndarray, y: np.ndarray, C: float, how: str = "") -> tuple[np.ndarray, ...]:
    """P, q, G, h, A, b of cvxopt's min 1/2 a'Pa + q'a, Ga <= h, Aa = b, or one of the mistakes."""
    n = len(y)
    P = np.outer(y, y) * K
    if how == "matrix-product":
        P = np.outer(y, y) @ K
    elif how == "without-y":
        P = K
    elif how == "maximum":
        P = -P
    q = np.ones(n) if how in ("q-sign", "maximum") else -np.ones(n)
    I, zero, top = np.eye(n), np.zeros(n), np.full(n, float(C))
    G, h = np.vstack([-I, I]), np.concatenate([zero, top])
    if how == "no-upper":
        G, h = -I, zero
    elif how == "lower-sign":
        G = np.vstack([I, I])
    elif how == "h-order":
        h = np.concatenate([top, zero])
    return P, q, G, h, (np.ones((1, n)) if how == "A-ones" else y[None, :]), np.zeros(1)


PROGRAM = [Mistake(key, message, hint, partial(program, how=key)) for key, message, hint in [
    ("matrix-product", "P is the matrix product of yy' and K; it is not even symmetric.",
     "The report's (yy')K means entry by entry: y_i y_j K_ij."),
    ("without-y", "The labels are missing in P.", "P_ij = y_i y_j K_ij"),
    ("q-sign", "q has the wrong sign: the minimum is then at alpha = 0.",
     "cvxopt minimises; the dual maximises sum alpha - 1/2 alpha'Q alpha."),
    ("maximum", "P and q are those of the maximum; cvxopt minimises, and this P has no minimum.",
     "Turn the sign of the whole objective."),
    ("no-upper", "The bound alpha <= C is missing: this is the hard margin.",
     "Two blocks in G: -alpha <= 0, alpha <= C."),
    ("lower-sign", "alpha >= 0 is written as alpha <= 0.", "G alpha <= h: a lower bound needs a minus."),
    ("h-order", "The halves of h are exchanged with respect to G.", "The right-hand side of -alpha <= . is 0."),
    ("A-ones", "The equality says sum alpha = 0, which leaves only alpha = 0.", "sum y_i alpha_i = 0"),
]]


@task(CHAPTER, "The dual for a QP solver", PROGRAM)
def quadratic_program(to_qp: Answer) -> str:
    """`to_qp(K, y, C)` returns P, q, G, h, A, b; the rows of G may come in any order."""
    cases = []
    for seed in range(3):
        rng = np.random.default_rng(seed)
        X, y = rng.normal(size=(6, 2)), np.array([-1.0, 1, 1, -1, 1, -1])
        cases.append((X @ X.T, y, 2.0 + seed))
    compare(_canonical(to_qp), cases, _canonical(program), ("P", "q", "G with h", "A", "b"),
            [Mistake(m.key, m.message, m.hint, _canonical(m.variant)) for m in PROGRAM])
    return "cvxopt can solve this."


def _canonical(to_qp: Any) -> Any:
    """The same program with rows of G sorted and the equality's sign fixed, so that only its meaning counts."""
    def canonical(K: np.ndarray, y: np.ndarray, C: float) -> tuple:
        answer = to_qp(K, y, C)
        if not isinstance(answer, (tuple, list)) or len(answer) != 6:
            raise Wrong("parts", "to_qp should return six things: P, q, G, h, A, b.", "return P, q, G, h, A, b")
        n = len(y)
        P, G = as_array(answer[0], "P", (n, n)), as_array(answer[2], "G", (None, n))
        q, h = as_array(answer[1], "q", (n,)), as_array(answer[3], "h", (len(G),))
        A, b = as_array(np.reshape(answer[4], (1, -1)), "A", (1, n)), as_array(np.ravel(answer[5]), "b", (1,))
        rows = np.column_stack([G, h])
        rows = np.vstack([rows, np.zeros((max(0, 2 * n - len(rows)), n + 1))])         # where some are missing
        rows = rows[np.lexsort(rows.T[::-1])]
        return P, q, rows, A * np.sign(A[0, 0]), b

    canonical.name = getattr(to_qp, "name", "to_qp")  # type: ignore[attr-defined]
    return canonical


# ---- b ---------------------------------------------------------------------------------------------------------------
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
    ("any-support", "b comes from the first support vector, whatever its alpha; one with alpha = C has slack.",
     "Only 0 < alpha < C says y f = 1. (The report's 'any support vector' holds for the hard margin only.)"),
    ("all-support", "b is the mean over all support vectors; those with alpha = C have slack, and b is off by it.",
     "Only 0 < alpha < C."),
    ("tiny-threshold", "A residue of the solver, such as 2e-9, is taken for a margin vector.",
     "Compare with a share of C, such as 1e-6 C, not with 1e-10."),
    ("without-y", "The labels are missing in w'x = sum alpha_j y_j k(x_j, x).", "K @ (alpha * y)"),
    ("sign", "b has the wrong sign.", "f(x) = w'x + b here; the programming sheet's w0 is -b."),
    ("zero", "Without a margin vector b is not 0: the KKT conditions still leave an interval.",
     "Each point gives a limit: alpha = 0 asks for y f >= 1, alpha = C for y f <= 1."),
]]


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
    # The residues move b by 1e-8 or so: tol is looser than that.
    compare(b, with_free[:5], bias_of, ("b",), BIAS, tol=1e-6)
    try:
        compare(b, without[:3], bias_of, ("b",), BIAS, tol=1e-6)
    except Wrong as wrong:
        if wrong.key in ("nan", "exception"):
            raise Wrong("b-nan", "b is right where there are margin vectors; where there are none it is no number.",
                        "Each point still gives a limit: alpha = 0 asks for y f >= 1, alpha = C for y f <= 1. "
                        "Take the middle.") from None
        raise
    return "right, with margin vectors and without."


# ---- Aufgabe 4 -------------------------------------------------------------------------------------------------------
OUTLIER = [
    Mistake("width", "These are widths of the whole band; the half margin is 1/|w|.", "Divide by 2."),
    Mistake("norms", "These are |w|, not 1/|w|.", "A long w is a narrow band."),
    Mistake("outlier-forgotten", "With and without the outlier you give the same margin: the point is not in the data.",
            "xs_linear(outlier=True)"),
    Mistake("label-of-outlier", "The point (0.38, 0.05) has the label -1; with +1 it hardly matters."),
    Mistake("soft-is-hard", "The last machine is the hard margin again: C = 10 has no effect.",
            "Give C to the machine: SVC(Linear(), C=10)."),
    Mistake("soft-without-outlier", "The soft machine was trained without the outlier."),
    Mistake("hard-is-soft", "The first two machines are soft: a hard margin has C = np.inf.",
            "The default of C is 1, and no slack is free only where C is infinite."),
]


#: Half margins on `xs_linear` by data (without the outlier, with it, with it as +1) and C; a test computes them anew.
HALF_MARGINS = {("clean", np.inf): 0.107159, ("outlier", np.inf): 0.021662, ("outlier", 10.0): 0.142248,
                ("plus", np.inf): 0.101242, ("plus", 10.0): 0.144618, ("clean", 10.0): 0.139942,
                ("clean", 1.0): 0.287785, ("outlier", 1.0): 0.289579}


@task(CHAPTER, "Programming sheet, Aufgabe 4: the outlier", OUTLIER)
def aufgabe_4(half_margins: Any) -> str:
    """Half margins of: hard without the outlier, hard with it, soft (C = 10) with it."""
    values = list(half_margins.values()) if isinstance(half_margins, dict) else half_margins
    if isinstance(values, list) and None in values:
        raise blank("one of the half margins")
    got = as_array(values, "the answer", (3,))

    def of(*names: tuple[str, float]) -> np.ndarray:
        return np.array([HALF_MARGINS[name] for name in names])

    hard, dirty, soft = ("clean", np.inf), ("outlier", np.inf), ("outlier", 10.0)
    right = of(hard, dirty, soft)
    variants = {
        "width": 2 * right, "norms": 1 / right, "outlier-forgotten": of(hard, hard),
        "soft-is-hard": of(hard, dirty, dirty),
        "label-of-outlier": of(hard, ("plus", np.inf), ("plus", 10.0)),
        "soft-without-outlier": of(hard, dirty, ("clean", 10.0)),
        "hard-is-soft": of(("clean", 1.0), ("outlier", 1.0)),
    }
    if np.allclose(got, right, rtol=5e-3):
        return "the outlier takes four fifths of the margin, and the soft margin ignores it."
    for mistake in OUTLIER:
        value = variants[mistake.key]
        if np.allclose(got[:len(value)], value, rtol=5e-3):
            raise mistake.wrong()
    wrong = int(np.flatnonzero(~np.isclose(got, right, rtol=5e-3))[0])
    raise Wrong("unknown", f"Number {wrong + 1} is {got[wrong]:.4f}; a half margin with other data or another C?",
                "First hard, without the outlier; then hard, with it; then C = 10, with it.")


# ---- the hinge loss --------------------------------------------------------------------------------------------------
def gradient(w: np.ndarray, b: float, X: np.ndarray, y: np.ndarray, C: float, how: str = "") -> tuple:
    """A subgradient of 1/2 |w|^2 + C sum max(0, 1 - y f) in (w, b), or a mistake."""
    f = X @ w + b
    inside = (y * f > 1) if how == "wrong-side" else (y * f < 0) if how == "errors-only" else (y * f < 1)
    pull = C * np.where(inside, 1.0 if how == "without-y" else y, 0.0)
    if how == "mean":
        pull = pull / len(y)
    if how == "all-points":
        pull = C * y
    if how == "sign":
        return w + pull @ X, pull.sum()
    if how == "without-w":
        return -pull @ X, -pull.sum()
    if how == "without-C":
        pull = pull / C
    return w - pull @ X, (b - pull.sum() if how == "b-penalised" else -pull.sum())


HINGE = [Mistake(key, message, hint, partial(gradient, how=key)) for key, message, hint in [
    ("sign", "The part of the points has the wrong sign: each step would push them into the band.",
     "The derivative of 1 - y w'x by w is -y x."),
    ("wrong-side", "The points beyond their margin are the ones that pull; they have no loss.", "y f < 1 has loss."),
    ("errors-only", "Only misclassified points pull; points inside the band have loss, too.", "y f < 1, not y f < 0."),
    ("all-points", "All points pull, those without loss too.", "Only where y f < 1."),
    ("without-y", "The labels are missing: both classes pull in the same direction.", "-y x for each point with loss."),
    ("without-w", "The derivative of 1/2 |w|² is missing.", "It is w."),
    ("without-C", "C is missing.", "The cost is 1/2 |w|² plus C times the sum of the losses."),
    ("mean", "The losses are averaged; the cost has their sum.", "With the mean, C would mean n times as much."),
    ("b-penalised", "b is drawn towards 0; 1/2 |w|² does not contain b.",
     "The derivative by b has no term of its own."),
]]


@task(CHAPTER, "The hinge loss: a subgradient", HINGE)
def subgradient(of_the_cost: Answer) -> str:
    """`subgradient(w, b, X, y, C)` returns the parts for w and b."""
    cases = [(*case, 0.5 + k) for k, case in enumerate(planes(4))]
    compare(of_the_cost, cases, gradient, ("g_w", "g_b"), HINGE)
    return "a step against it lowers the cost."
