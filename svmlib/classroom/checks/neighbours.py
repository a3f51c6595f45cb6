"""Checks of chapter 16: the pseudo-inverse, alpha-LMS, what an answer costs; scales and starts from `starts`."""
from functools import partial
from typing import Any

import numpy as np

from svmlib.classroom.checks.core import Answer, Mistake, Wrong, as_array, compare, task
from svmlib.classroom.checks.starts import CHAPTER, choose_start, clouds, several_starts, standardise

__all__ = ["alpha_lms", "choose_start", "cost", "pseudo_inverse", "report_6_2", "several_starts", "standardise"]


# ---- the pseudo-inverse ----------------------------------------------------------------------------------------------
def pseudo_inverse_line(X: np.ndarray, y: np.ndarray, how: str = "") -> tuple[np.ndarray, float]:
    """w and b of the pseudo-inverse, or a known mistake."""
    n = len(y)
    if how == "no-ones":
        return np.linalg.pinv(X) @ y, 0.0
    if how == "mean-of-y":
        return np.linalg.pinv(X) @ y, float(y.mean())
    if how == "centred":
        return np.linalg.pinv(X - X.mean(axis=0)) @ (y - y.mean()), float(y.mean())
    v = np.linalg.pinv(np.column_stack([np.ones(n), X])) @ (0.5 * (y + 1) if how == "zero-one" else y)
    if how == "exchanged":
        return v[:-1], float(v[-1])
    if how == "unit":
        v = v / np.linalg.norm(v[1:])
    return v[1:], float(-v[0] if how == "sign-of-b" else v[0])


PSEUDO_INVERSE = [Mistake(key, message, hint, partial(pseudo_inverse_line, how=key)) for key, message, hint in [
    ("no-ones", "This line goes through the origin: the column of ones is missing.", "z = (1, x)"),
    ("mean-of-y", "w is computed without the column of ones; b cannot be added afterwards.", "z = (1, x)"),
    ("centred", "w is right. b is that of the centred points; move it back.", "Use z = (1, x), not centred."),
    ("exchanged", "b and w are exchanged: the first entry of v belongs to the 1 of z = (1, x).", "b, w = v[0], v[1:]"),
    ("zero-one", "The labels are 0 and 1 here; they should be -1 and +1.", "Use y as it is."),
    ("unit", "The line is right, but it was scaled to |w| = 1; expected is v itself.", "Return v[1:], v[0]."),
    ("sign-of-b", "b has the wrong sign.", "f(x) = w'x + b"),
]]


@task(CHAPTER, "Report, section 6.2: the pseudo-inverse", PSEUDO_INVERSE)
def pseudo_inverse(line: Answer) -> str:
    """`pseudo_inverse(X, y)` returns w and b."""
    compare(line, clouds() + clouds(1, d=3), pseudo_inverse_line, ("w", "b"), PSEUDO_INVERSE)
    return "one formula, no start."


# ---- alpha-LMS -------------------------------------------------------------------------------------------------------
def lms_round(v: np.ndarray, X: np.ndarray, y: np.ndarray, alpha: float, order: np.ndarray,
              how: str = "") -> tuple[np.ndarray]:
    """v after one pass over the points in the given order, or a known mistake."""
    Z, v, start = np.column_stack([np.ones(len(X)), X]), v.copy(), v
    for i in (range(len(y)) if how == "order-ignored" else order[:1] if how == "one-step" else order):
        z = Z[i]
        size = {"not-divided": 1.0, "length": np.linalg.norm(z), "without-one": X[i] @ X[i]}.get(how, z @ z)
        error = y[i] - (start if how == "all-at-once" else v) @ z
        if how == "perceptron":
            error = error if y[i] * (v @ z) <= 0 else 0.0
        if how == "sign-of-f":
            error = y[i] - np.sign(v @ z)
        v += (-1 if how == "uphill" else 1) * (1.0 if how == "no-alpha" else alpha) * error / size * z
    return (v,)


LMS = [Mistake(key, message, hint, partial(lms_round, how=key)) for key, message, hint in [
    ("not-divided", "The step is not divided by |z|²: long points move v more than short ones.", "z @ z"),
    ("length", "The step is divided by |z|; it is |z|².", "z @ z"),
    ("without-one", "The step is divided by |x|²; z = (1, x) is longer.", "z @ z"),
    ("all-at-once", "All errors are computed with the first v. α-LMS uses each new v at once.",
     "Compute the error inside the loop."),
    ("order-ignored", "The points are not taken in the given order.", "for i in order"),
    ("one-step", "Only the first point has moved v: does return stand inside the loop?", "return after the loop."),
    ("perceptron", "Only points on the wrong side move v. That is the perceptron; α-LMS removes errors of right "
     "points, too.", "No if."),
    ("sign-of-f", "The error is that of the predicted label; here it is y - v'z itself.", "No sign."),
    ("uphill", "v moves the wrong way: the error of a point grows.", "v + alpha * error …"),
    ("no-alpha", "The whole error is removed; asked for is the share α.", "alpha * error"),
]]


@task(CHAPTER, "Report, section 6.2: one pass of α-LMS", LMS)
def alpha_lms(one_pass: Answer) -> str:
    """`lms_pass(v, X, y, alpha, order)` returns v after one pass."""
    cases = []
    for seed, (X, y) in enumerate(clouds()):
        rng = np.random.default_rng(50 + seed)
        cases.append((rng.normal(size=3), X, y, (0.1, 0.4, 0.8)[seed], rng.permutation(9)))
    try:
        compare(one_pass, cases, lms_round, ("v",), LMS)
    except Wrong as wrong:
        if wrong.key == "in-place":
            raise Wrong(wrong.key, "The new v is right, but lms_pass changes the v that it was given.",
                        "Begin with a copy: v = v.copy(). v += … changes the array itself.") from None
        raise
    return "each point takes a share of its error away."


# ---- the half margins ------------------------------------------------------------------------------------------------
#: Half margins of hard margin, pseudo-inverse: clouds (seed 4), Task 2.2 (seed 5); a test computes them anew.
MARGINS = {"clouds": (0.4153, 0.3372), "Task 2.2": (0.1596, -1.0575)}
#: What mistakes make of them: min y f, not divided by |w|; the smallest |f| / |w|; 1 / |w|; and C = 1.
OTHERS = {"not-divided": [(1.0, 0.1844), (1.0, -0.3887)], "unsigned": [(0.4153, 0.3372), (0.1596, 0.0311)],
          "one-over-w": [(0.4153, 1.8289), (0.1596, 2.7203)], "soft": [(0.1679, 0.3372), (-0.0612, -1.0575)]}

REPORT_6_2 = [Mistake(key, message, hint) for key, message, hint in [
    ("whole-band", "These are widths of the whole band.", "Divide by 2."),
    ("not-divided", "These are functional margins, min y f; distances are divided by |w|.", "f / |w|"),
    ("unsigned", "The pseudo-inverse's number is positive on both data sets, but on one of them some points are on the "
     "wrong side.", "y f, with its sign, not |f|."),
    ("exchanged", "The two methods are exchanged: no line has a wider band than the hard margin.", ""),
    ("one-over-w", "1/|w| is the half margin where the nearest points have y f = 1. The pseudo-inverse does not "
     "promise that.", "The smallest y f, divided by |w|."),
    ("soft", "The hard margin's number is that of a soft margin: C = 1 is the default.", "C=np.inf"),
]]


@task(CHAPTER, "Report, section 6.2: whose band is wider", REPORT_6_2)
def report_6_2(margins: Any) -> str:
    """A dictionary: data set -> half margins of the hard margin and of the pseudo-inverse."""
    if not isinstance(margins, dict) or not set(MARGINS) <= set(margins):
        raise Wrong("parts", f"half_margins should be a dictionary with the keys {', '.join(MARGINS)}.")
    if any(margins[name] is None or (np.ndim(margins[name]) and None in list(margins[name])) for name in MARGINS):
        raise Wrong("blank", "half_margins is not written yet: it still holds None.",
                    "Two numbers for each data set.")
    got = np.array([as_array(margins[name], f"half_margins[{name!r}]", (2,)) for name in MARGINS])
    right = np.array(list(MARGINS.values()))

    def near(target: Any) -> bool:
        return bool(np.allclose(got, target, rtol=0.01, atol=1e-3))

    known = {m.key: m for m in REPORT_6_2}
    if near(right):
        return "two lines, and one of them does not separate Task 2.2."
    for key, target in {"whole-band": 2 * right, "exchanged": right[:, ::-1], **OTHERS}.items():
        if near(target):
            raise known[key].wrong()
    k, j = np.argwhere(~np.isclose(got, right, rtol=0.01, atol=1e-3))[0]
    raise Wrong("unknown", f"The number of the {('hard margin', 'pseudo-inverse')[j]} on {list(MARGINS)[k]}, "
                f"{got[k, j]:.4g}, is not the smallest signed distance of a training point.",
                "np.min(y * (X @ w + b)) / np.linalg.norm(w)")


# ---- cost ------------------------------------------------------------------------------------------------------------
def multiplications(d: int, n: int, n_sv: int, hidden: int, how: str = "") -> tuple[float, float, float, float]:
    """Multiplications for one answer: line, line by support vectors, Gaussian, network; or a known mistake."""
    m = n if how == "all-points" else n_sv
    line, by_sv, gauss, net = d, m * (d + 1), m * (d + 2), hidden * (d + 1)
    if how == "with-b":
        line, net = d + 1, hidden * (d + 2) + 1
    if how == "alpha-forgotten":
        by_sv, gauss = m * d, m * (d + 1)
    if how == "alpha-once":
        by_sv, gauss = m * d + 1, m * (d + 1) + 1
    if how == "gamma-forgotten":
        gauss = m * (d + 1)
    if how == "second-layer":
        net = hidden * d
    if how == "training":
        by_sv, gauss = n * n * (d + 1), n * n * (d + 2)
    if how == "additions":
        line, by_sv, gauss, net = 2 * line, 2 * by_sv, 2 * gauss, 2 * net
    return float(line), float(by_sv), float(gauss), float(net)


COST = [Mistake(key, message, hint, partial(multiplications, how=key)) for key, message, hint in [
    ("all-points", "All training points are counted; those with α = 0 drop out.", "n_sv in the place of n."),
    ("with-b", "b is counted as a multiplication; it is added.", "Only products."),
    ("alpha-forgotten", "Each kernel value is multiplied by its α y, and that is missing.", "One more for each."),
    ("alpha-once", "Each support vector has its own α y: one multiplication each, not one in all.", "n_sv (d + …)"),
    ("gamma-forgotten", "In the Gaussian the multiplication by γ is missing.", "d squares, γ, and α y."),
    ("second-layer", "The weights of the output unit are missing.", "hidden more."),
    ("training", "This counts pairs of training points. One answer needs the kernel of the new point with each support "
     "vector.", "n_sv, once."),
    ("additions", "Additions are counted, too; asked for are multiplications.", "Half of it."),
]]


@task(CHAPTER, "What an answer costs", COST)
def cost(count: Answer) -> str:
    """`multiplications(d, n, n_sv, hidden)` returns four numbers."""
    compare(count, [(784, 2000, 1000, 10), (2, 40, 9, 10), (30, 500, 77, 6)], multiplications,
            ("the line", "the line by support vectors", "the Gaussian", "the network"), COST)
    return "no clock was needed."
