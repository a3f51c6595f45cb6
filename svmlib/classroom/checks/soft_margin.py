"""Checks of chapter 06: slack, the dual as a quadratic program, b, the outlier of Aufgabe 4, the hinge loss."""
from functools import partial
from typing import Any

import numpy as np

from svmlib.classroom.checks.core import Answer, Mistake, Wrong, as_array, compare, filled, task
from svmlib.classroom.checks.soft_margin_bias import bias

__all__ = ["aufgabe_4", "bias", "quadratic_program", "slack", "subgradient"]

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
    ("maximum", "P and q are those of the maximum; cvxopt minimises, and with this P the program is not convex.",
     "Turn the sign of the whole objective."),
    ("no-upper", "The bound alpha <= C is missing: this is the hard margin.",
     "Two blocks in G: -alpha <= 0, alpha <= C."),
    ("lower-sign", "alpha >= 0 is written as alpha <= 0.", "G alpha <= h: a lower bound needs a minus."),
    ("h-order", "The halves of h are exchanged with respect to G.", "The right-hand side of -alpha <= . is 0."),
    ("A-ones", "The equality says sum alpha = 0, which leaves only alpha = 0.", "sum y_i alpha_i = 0"),
]]

#: Programs that say the right thing in a form that cvxopt refuses.
FORMS = {m.key: m for m in (
    Mistake("A-flat", "The program is right, but cvxopt refuses A: it is a vector, or a column, and not a matrix with "
            "one row.", "y[None, :] has the shape (1, n)."),
    Mistake("b-flat", "The program is right, but cvxopt refuses b in this form; a vector with one entry will do.",
            "np.zeros(1)"),
    Mistake("list", "The program is right, but G or A is a list of lists, which cvxopt reads column by column.",
            "np.array([...]) has rows."),
    Mistake("integers", "The program is right, but cvxopt refuses whole numbers: one of the six is of type int.",
            "np.zeros(1), not np.array([0]); .astype(float)"))}


@task(CHAPTER, "The dual for a QP solver", [*PROGRAM, *FORMS.values()])
def quadratic_program(to_qp: Answer) -> str:
    """`to_qp(K, y, C)` returns P, q, G, h, A, b; the rows of G may come in any order."""
    cases = []
    for seed in range(3):
        rng = np.random.default_rng(seed)
        X, y = rng.normal(size=(6, 2)), np.array([-1.0, 1, 1, -1, 1, -1])
        cases.append((X @ X.T, y, 2.0 + seed))
    compare(_canonical(to_qp), cases, _canonical(program), ("P", "q", "G with h", "A", "b"),
            [Mistake(m.key, m.message, m.hint, _canonical(m.variant)) for m in PROGRAM])
    answer = to_qp(*cases[0])
    parts = [np.asarray(part) for part in answer]
    if parts[4].shape != (1, 6):
        raise FORMS["A-flat"].wrong()
    if isinstance(answer[2], (list, tuple)) or isinstance(answer[4], (list, tuple)):
        raise FORMS["list"].wrong()
    if parts[5].ndim == 0 and not isinstance(answer[5], float):            # cvxopt takes 0.0, but no 0, no 0-d array
        raise FORMS["b-flat"].wrong()
    if any(part.dtype.kind != "f" for part in parts):
        raise FORMS["integers"].wrong()
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


# ---- Aufgabe 4 -------------------------------------------------------------------------------------------------------
OUTLIER = [
    Mistake("width", "These are widths of the whole band; the half margin is 1/|w|.", "Divide by 2."),
    Mistake("norms", "These are |w|, not 1/|w|.", "A long w is a narrow band."),
    Mistake("outlier-forgotten", "With and without the outlier you give the same margin: the point is not in the data.",
            "xs_linear(outlier=True)"),
    Mistake("label-of-outlier", "The point (0.38, 0.05) has the label -1; these are the numbers with +1."),
    Mistake("soft-is-hard", "The last machine is the hard margin again: C = 10 has no effect.",
            "Give C to the machine: SVC(Linear(), C=10)."),
    Mistake("soft-without-outlier", "The soft machine was trained without the outlier."),
    Mistake("hard-is-soft", "The first two machines are soft: a hard margin has C = np.inf.",
            "The default of C is 1."),
]


#: Half margins on `xs_linear` by data (without the outlier, with it, with it as +1) and C; a test computes them anew.
HALF_MARGINS = {("clean", np.inf): 0.107159, ("outlier", np.inf): 0.021662, ("outlier", 10.0): 0.142248,
                ("plus", np.inf): 0.101242, ("plus", 10.0): 0.144618, ("clean", 10.0): 0.139942,
                ("clean", 1.0): 0.287785, ("outlier", 1.0): 0.289579}


@task(CHAPTER, "Programming sheet, Aufgabe 4: the outlier", OUTLIER)
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
        "width": 2 * right, "norms": 1 / right, "outlier-forgotten": of(hard, hard),
        "soft-is-hard": of(hard, dirty, dirty),
        "label-of-outlier": of(hard, ("plus", np.inf), ("plus", 10.0)),
        "soft-without-outlier": of(hard, dirty, ("clean", 10.0)),
        "hard-is-soft": of(("clean", 1.0), ("outlier", 1.0)),
    }
    if np.allclose(got, right, rtol=5e-3):
        return "the outlier takes four fifths of the hard margin; the soft one gives the point up."
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
    return (2 if how == "twice-w" else 1) * w - pull @ X, (b - pull.sum() if how == "b-penalised" else -pull.sum())


HINGE = [Mistake(key, message, hint, partial(gradient, how=key)) for key, message, hint in [
    ("sign", "The part of the points has the wrong sign: each step would push them into the band.",
     "The derivative of 1 - y w'x by w is -y x."),
    ("wrong-side", "The points beyond their margin are the ones that pull; they have no loss.", "y f < 1 has loss."),
    ("errors-only", "Only misclassified points pull; points inside the band have loss, too.", "y f < 1, not y f < 0."),
    ("all-points", "All points pull, those without loss too.", "Only where y f < 1."),
    ("without-y", "The labels are missing: both classes pull in the same direction.", "-y x for each point with loss."),
    ("without-w", "The derivative of 1/2 |w|² is missing.", "It is w."),
    ("twice-w", "The part of w is twice as large as it should be.", "The derivative of 1/2 |w|² is w."),
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
    return "right; where no y f is 1, it is the gradient."
