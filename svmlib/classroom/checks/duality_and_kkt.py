"""Checks of chapter 03: the dual value, the best scale, the KKT conditions, and the span of Theorem 15.4."""
from functools import partial

import numpy as np

from svmlib.classroom.checks.core import Answer, Mistake, compare, task

CHAPTER = "03_duality_and_kkt"


def multipliers(count: int = 4) -> list[tuple]:
    """Cases (alpha, X, y) with alpha >= 0 and y'alpha = 0, and zeros among them."""
    cases = []
    for seed in range(count):
        rng = np.random.default_rng(seed)
        y = np.repeat([-1.0, 1.0], 4)
        alpha = rng.uniform(0, 2, 8) * (rng.random(8) < 0.7)
        alpha[0], alpha[7] = 0.5, 0.75
        alpha[y > 0] *= alpha[y < 0].sum() / alpha[y > 0].sum()
        cases.append((alpha, rng.normal(size=(8, 2)) + y[:, None], y))
    return cases


# ---- the dual value --------------------------------------------------------------------------------------------------
def dual_value(alpha: np.ndarray, X: np.ndarray, y: np.ndarray, how: str = "") -> tuple[float]:
    """g(alpha) of the hard margin, or a known mistake."""
    Q = X @ X.T if how == "without-y" else np.outer(y, y) @ (X @ X.T) if how == "matrix-product" else \
        np.outer(y, y) * (X @ X.T)
    half = 1.0 if how == "without-half" else 0.5
    quadratic = half * alpha @ Q @ alpha
    if how == "root":
        quadratic = 0.5 * np.sqrt(alpha @ Q @ alpha)
    if how == "diagonal":
        quadratic = 0.5 * alpha**2 @ np.diag(Q)
    value = alpha.sum() + (quadratic if how == "plus" else -quadratic)
    return (float(-value if how == "minimum" else quadratic if how == "primal" else value),)


VALUE = [Mistake(key, message, hint, partial(dual_value, how=key)) for key, message, hint in [
    ("without-y", "The labels are missing in the quadratic term.", "w = sum of alpha_i y_i x_i"),
    ("matrix-product", "yy' and XX' are multiplied as matrices; meant is entry by entry.",
     "In numpy: * and not @. Or compute w first, and use |w|²."),
    ("without-half", "The factor 1/2 of the quadratic term is missing.", "sum alpha - 1/2 |w|²"),
    ("root", "The quadratic term has |w|, not |w|².", "No root: w @ w"),
    ("diagonal", "Only the terms with i = j are there; the sum is over all pairs.", "alpha_i alpha_j for all i and j"),
    ("plus", "The quadratic term is added; it is subtracted.", "Put the best w into the Lagrangian: 1/2 |w|² - |w|²"),
    ("minimum", "This is -g, what a solver minimises. As a lower bound of p* it has the wrong sign.",
     "Turn the sign."),
    ("primal", "This is 1/2 |w|², the primal's cost. The dual value subtracts it from the sum of the alpha.",
     "sum alpha - 1/2 |w|²"),
]]


@task(CHAPTER, "The dual function", VALUE)
def bound(g: Answer) -> str:
    """`g(alpha, X, y)` returns the dual value."""
    compare(g, multipliers(), dual_value, ("g",), VALUE)
    return "a lower bound of p* for every balanced alpha ≥ 0."


# ---- the best scale --------------------------------------------------------------------------------------------------
def scale(alpha: np.ndarray, X: np.ndarray, y: np.ndarray, how: str = "") -> tuple[float]:
    """The t >= 0 that makes g(t alpha) largest, or a known mistake."""
    w = X.T @ (alpha * (1.0 if how == "without-y" else y))
    total, square = alpha.sum(), w @ w
    return (float({"inverse": square / total, "root": total / np.sqrt(square), "zero": 2 * total / square,
                   "half": total / (2 * square), "value": total**2 / (2 * square), "unit-w": 1 / np.sqrt(square),
                   "unit-sum": 1 / total}.get(how, total / square)),)


SCALE = [Mistake(key, message, hint, partial(scale, how=key)) for key, message, hint in [
    ("inverse", "The fraction is upside down.", "Set the derivative sum alpha - t |w|² to 0 and solve for t."),
    ("root", "The denominator is |w|; it should be |w|².", "w is linear in t, so |w|² has the factor t²."),
    ("zero", "This is where g(t alpha) is 0 again, twice as far as its maximum.", "The maximum of t - t²/2 is at 1."),
    ("half", "This is half of the best t: the derivative of t²/2 is t, not 2 t.", "Mind the factor 1/2 in g."),
    ("value", "This is the largest value g(t alpha); expected is the t that reaches it.", "Return t."),
    ("without-y", "The labels are missing in w.", "w = sum of alpha_i y_i x_i"),
    ("unit-w", "This t makes |w| = 1, which is not where g is largest.", "Write g(t alpha) as a parabola in t."),
    ("unit-sum", "This t makes the sum of alpha 1, which is not where g is largest.",
     "Write g(t alpha) as a parabola in t."),
]]


@task(CHAPTER, "The best multiple", SCALE)
def best_scale(best: Answer) -> str:
    """`best_scale(alpha, X, y)` returns t."""
    compare(best, multipliers(), scale, ("t",), SCALE)
    return "no other multiple of alpha gives a better bound."


# ---- the KKT conditions ----------------------------------------------------------------------------------------------
PARTS = ("the stationarity in w", "the stationarity in b", "the primal violation", "the dual violation",
         "the complementarity")


def kkt(alpha: np.ndarray, w: np.ndarray, b: float, X: np.ndarray, y: np.ndarray, how: str = "") -> tuple[float, ...]:
    """How far each of the five KKT conditions is violated, or a known mistake."""
    surplus = y * (X @ w + b) - 1
    if how == "sign-of-b":
        surplus = y * (X @ w - b) - 1
    in_w = np.linalg.norm(w + X.T @ (alpha * y) if how == "stationarity-sign" else
                          w - X.T @ (alpha if how == "stationarity-y" else alpha * y))
    in_b = float(alpha.sum()) if how == "balance-y" else abs(float(alpha @ y))
    primal = {"primal-side": max(0.0, surplus.max()), "no-max": -surplus.min()}.get(how, max(0.0, -surplus.min()))
    if how == "sides-only":
        primal = max(0.0, -(surplus + 1).min())
    if how == "primal-sum":
        primal = float(np.maximum(0.0, -surplus).sum())
    dual = max(0.0, alpha.max()) if how == "dual-side" else max(0.0, -alpha.min())
    if how == "dual-sum":
        dual = float(np.maximum(0.0, -alpha).sum())
    products = alpha * (surplus + 1 if how == "complementarity-f" else surplus)
    together = abs(products.sum()) if how == "cancels" else np.abs(products).max()
    together = {"products-sum": np.abs(products).sum(), "signed": products.max()}.get(how, together)
    return float(in_w), in_b, float(primal), float(dual), float(together)


CONDITIONS = [Mistake(key, message, hint, partial(kkt, how=key)) for key, message, hint in [
    ("stationarity-y", "The labels are missing in the stationarity in w.", "w = sum of alpha_i y_i x_i"),
    ("stationarity-sign", "The stationarity in w has a wrong sign: it asks for w = -sum of alpha_i y_i x_i.",
     "w - sum of alpha_i y_i x_i"),
    ("balance-y", "The stationarity in b is about the sum of y_i alpha_i, not that of alpha_i.",
     "Differentiate the Lagrangian by b."),
    ("sign-of-b", "b enters f with the wrong sign.", "f(x) = w'x + b"),
    ("primal-side", "The primal violation measures the points beyond their margin; these are in order.",
     "1 - y f where it is positive"),
    ("sides-only", "The primal violation asks for y f >= 0; the constraint is y f >= 1.",
     "Being on the right side is not enough: the points keep out of the band."),
    ("no-max", "The primal violation is negative where all constraints hold; no violation is 0.", "max(0, .)"),
    ("dual-side", "The dual violation measures positive alpha; the condition is alpha >= 0.", "-alpha where it is "
     "positive"),
    ("complementarity-f", "The complementarity multiplies alpha with y f; it should be y f - 1, the surplus.",
     "alpha > 0 means y f = 1."),
    ("primal-sum", "The primal violation is a sum over the points; asked for is the largest.", "max, not sum"),
    ("dual-sum", "The dual violation is a sum over the multipliers; asked for is the largest.", "max, not sum"),
    ("products-sum", "The complementarity is a sum of absolute values; asked for is the largest.", "max, not sum"),
    ("signed", "The complementarity is the largest product; a negative one counts by its size as well.",
     "np.abs before the maximum"),
    ("cancels", "The products of the complementarity are summed before their size is taken, so that they cancel.",
     "Take the largest absolute value."),
]]


def kkt_cases() -> list[tuple]:
    """Candidates (alpha, w, b, X, y) that violate this and that; w of a length that makes both kinds of slack."""
    cases = []
    for seed in range(5):
        rng = np.random.default_rng(seed)
        alpha, X, y = multipliers(5)[seed]
        if seed == 0:                                       # primal feasible: widely apart, long w
            X = rng.normal(size=(8, 2)) + 9 * y[:, None]
            cases.append((alpha, np.array([0.5, 0.5]), 0.1, X, y))
            continue
        alpha = alpha + np.where(rng.random(8) < 0.3, -0.6, 0.0)
        cases.append((alpha, rng.normal(size=2), float(rng.normal()), X, y))
    return cases


@task(CHAPTER, "The KKT conditions as numbers", CONDITIONS)
def conditions(violations: Answer) -> str:
    """`violations(alpha, w, b, X, y)` returns five numbers, each 0 where its condition holds."""
    compare(violations, kkt_cases(), kkt, PARTS, CONDITIONS)
    return "five zeros prove that a solution is optimal."


# ---- Theorem 15.4 ----------------------------------------------------------------------------------------------------
def residual(w: np.ndarray, X: np.ndarray, y: np.ndarray, how: str = "") -> tuple[float]:
    """The distance of w from the span of the points with y w'x = 1 (to 1e-6), or a known mistake."""
    f = y * (X @ w)
    chosen = {"all-points": np.ones(len(y), bool), "exact": f == 1.0, "others": np.abs(f - 1) >= 1e-6,
              "one-class": np.abs(X @ w - 1) < 1e-6}.get(how, np.abs(f - 1) < 1e-6)
    S = X[chosen]
    off = w - S.T @ np.linalg.lstsq(S.T, w)[0] if len(S) else w
    value = float(np.linalg.norm(off))
    return (value**2 if how == "squared" else value / float(np.linalg.norm(w)) if how == "relative" else value,)


SPAN = [Mistake(key, message, hint, partial(residual, how=key)) for key, message, hint in [
    ("all-points", "The span is that of all points; the theorem is about the support vectors only.",
     "Support vectors here are the points with y_i w'x_i = 1."),
    ("exact", "No point has y w'x == 1 exactly: after rounding there are none, and the distance is |w|.",
     "np.abs(y * (X @ w) - 1) < 1e-6"),
    ("others", "These are the points that are not on the margin.", "Those with y_i w'x_i = 1 are wanted."),
    ("one-class", "Only the support vectors of the class +1 are there.", "w'x_i = -1 for those of the other class."),
    ("squared", "This is the square of the distance.", "lstsq's second result is a sum of squares: take the root."),
    ("relative", "This is the distance divided by |w|.", "Leave out the division."),
]]


def span_cases() -> list[tuple]:
    """w, not optimal, in six dimensions; three points of both classes on its margin to rounding, five beyond."""
    cases = []
    for seed in range(4):
        rng = np.random.default_rng(seed)
        w, y = rng.normal(size=6), np.array([-1.0, 1, 1, -1, 1, -1, 1, -1])[:5 + seed % 3]
        X = rng.normal(size=(len(y), 6))
        margin = np.where(np.arange(len(y)) < 3, 1.0 + 3e-9, 1.5 + rng.random(len(y)))
        X += ((margin * y - X @ w) / (w @ w))[:, None] * w
        cases.append((w, X, y))
    return cases


@task(CHAPTER, "Theorem 15.4, measured", SPAN)
def span(distance: Answer) -> str:
    """`span_distance(w, X, y)` returns the distance of w from the span of its support vectors."""
    compare(distance, span_cases(), residual, ("the distance",), SPAN)
    return "right; for an optimal w it is 0."
