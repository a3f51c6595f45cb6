"""Checks of chapter 05: the method, the separator, the kernel's f (sheet 3), and from `active_set_steps` one turn."""
from functools import cache, partial
from typing import Any

import numpy as np

from svmlib.classroom.checks.active_set_steps import kkt_step, longest, ratio, system
from svmlib.classroom.checks.core import Answer, Mistake, Wrong, as_array, as_number, compare, filled, task

__all__ = ["aufgabe_1", "aufgabe_2", "aufgabe_3", "ratio", "system"]

CHAPTER = "05_active_set"


def active_set(A: np.ndarray, b: np.ndarray, C: np.ndarray, D: np.ndarray, delta: np.ndarray, x0: np.ndarray,
               tol: float, max_iter: int, how: str = "") -> tuple[np.ndarray]:
    """The sheet's method with line 13 corrected, or a known mistake."""
    x = np.array(x0, float)
    active = np.abs(D.T @ x - delta) <= tol
    for _ in range(1 if how == "one-step" else max_iter):
        p, _, lam = kkt_step(A, b, C, D, np.flatnonzero(active), x)
        if np.linalg.norm(p) >= tol:
            t, j = longest(x, p, D, delta, active)
            x = x + t * p
            if j >= 0 and how != "never-adds":
                active[j] = True
            continue
        if how == "never-drops" or not (lam < -tol).any():
            break
        active[np.flatnonzero(active)[lam.argmax() if how == "drops-largest" else lam.argmin()]] = False
    return (x,)


METHOD = [Mistake(key, message, hint, partial(active_set, how=key)) for key, message, hint in [
    ("never-drops", "The method ends at the first point with p = 0, though multipliers are negative there.",
     "Where p = 0 and some lambda_i < 0, this constraint is dropped, and the loop goes on (lines 8 to 10). Have your "
     "multipliers the sign that step gives them?"),
    ("drops-largest", "Where a multiplier is negative, the constraint with the largest one is dropped.",
     "Line 8: the smallest lambda_i."),
    ("never-adds", "A constraint that stops a step does not join the working set, so that the next step runs into it "
     "again.", "Lines 14 and 15"),
    ("one-step", "This is the point after one turn of the loop.",
     "Is return, or break, inside the test of line 5? Only there may the loop end."),
]] + [
    Mistake("line-13", "The answer violates inequalities.",
            "Line 17 moves by t p. In line 13 (misprinted on the sheet) t is a minimum over the constraints outside "
            "the working set; inside it d_i'p = 0."),
    Mistake("equation", "The answer violates the equations: C'x is not what it was at x0.",
            "p must satisfy C'p = 0: does the system hold the columns of C?"),
    Mistake("not-optimal", "The answer is feasible, but not the minimum.",
            "Compare the path with that of Example 16.4 in the chapter, step by step."),
]


def example_16_4() -> tuple:
    """Nocedal and Wright's Example 16.4 in the sheet's form, with no equation."""
    D = np.array([[1.0, -1, -1, 1, 0], [-2, -2, 2, 0, 1]])
    return (2 * np.eye(2), np.array([2.0, 5.0]), np.zeros((2, 0)), D, np.array([-2.0, -6, -2, 0, 0]),
            np.array([2.0, 0.0]), 1e-9, 100)


@cache
def qp_cases() -> list[tuple]:
    """Example 16.4, and strictly convex problems with and without an equation, from inside and from an edge."""
    cases = [example_16_4()]
    for seed in range(6):
        rng = np.random.default_rng(seed)
        R, x0 = rng.normal(size=(4, 4)), rng.normal(size=4)
        D = np.hstack([np.eye(4), -np.eye(4), rng.normal(size=(4, 3))])
        room = rng.uniform(0.1, 1.0, 11)
        if seed > 2:
            room[[0, 2, 9]] = 0.0
        cases.append((R @ R.T + np.eye(4), 6 * rng.normal(size=4), rng.normal(size=(4, seed % 2)), D,
                      D.T @ x0 - room, x0, 1e-9, 200))
    return cases


@task(CHAPTER, "Aufgabe 1: the active-set method", METHOD, seconds=5.0)
def aufgabe_1(active_set_method: Answer) -> str:
    """`activeSet(A, b, C, D, delta, x0, tol, maxIter)` returns x."""
    try:
        compare(active_set_method, qp_cases(), active_set, ("x",), METHOD, tol=1e-5)
    except Wrong as wrong:
        if wrong.key not in ("unknown", "sign", "factor"):
            raise
    else:
        return "(1.4, 1.7) on Example 16.4, and right on six more, with and without an equation."
    known = {m.key: m for m in METHOD}
    for case in qp_cases():
        C, D, delta, x0 = case[2:6]
        x = as_array(active_set_method(*case), "x", x0.shape)
        if np.abs(C.T @ (x - x0)).max(initial=0.0) > 1e-5:
            raise known["equation"].wrong()
        if (D.T @ x - delta).min() < -1e-5:
            raise known["line-13"].wrong()
    raise known["not-optimal"].wrong()


#: The machine on `xs_linear` without its outlier: w, the sheet's w0, and the support vectors; a test computes it anew.
W_LINEAR, W0_LINEAR, SUPPORT_LINEAR = np.array([8.7829, -3.1535]), 2.3643, (2, 7, 28)
#: The sum of lambda_i x_i there: w without the labels.
W_WITHOUT_LABELS = np.array([28.089, 12.942])

LINEAR = [
    Mistake("w0-sign", "w is right, but w0 has the wrong sign: this is b of f(x) = w'x + b.",
            "The sheet writes f(x) = w'x - w0, so w0 = w'x_i - y_i at a support vector."),
    Mistake("active-is-support", "These are the indices of the active set of the dual, where lambda_i = 0. The support "
            "vectors are the others.", "Support vectors have lambda_i > 0."),
    Mistake("w-zero", "w is 0.", "A sum over the active set of the dual adds only terms with lambda_i = 0. "
            "Sum over all i, or over those with lambda_i > 0."),
    Mistake("without-y", "The labels are missing in w.", "w = sum of lambda_i y_i x_i"),
    Mistake("w-sign", "w points to the class -1.", "w = sum of lambda_i y_i x_i, with a plus."),
    Mistake("unit", "w has length 1: the picture is right, but the lines f = -1 and 1 are not the margins.",
            "Do not divide by the norm."),
    Mistake("tiny-lambda", "Multipliers that are 0 up to rounding are counted as support vectors.",
            "Compare with a share of the largest, such as 1e-6 * lam.max()."),
    Mistake("third-forgotten", "One support vector is missing: its multiplier is below .01 beside 43.5, but not 0.",
            "Compare with a smaller share of the largest, such as 1e-6 * lam.max()."),
]


@task(CHAPTER, "Aufgabe 2: the linear separator", LINEAR)
def aufgabe_2(normal: Any, offset: Any, support: Any) -> str:
    """w, w0 and the indices of the support vectors on `xs_linear`."""
    filled(w=normal, w0=offset, support=support)
    known = {m.key: m for m in LINEAR}
    w, w0 = as_array(normal, "w", (2,)), as_number(offset, "w0")
    mask = np.asarray(support)
    indices = np.flatnonzero(mask) if mask.dtype == bool else as_array(support, "the support vectors", (None,))
    chosen = {int(k) for k in indices}
    right = set(SUPPORT_LINEAR)
    if not np.abs(w).max() > 1e-6:
        raise known["w-zero"].wrong()
    for key, value in (("w-sign", -W_LINEAR), ("unit", W_LINEAR / np.linalg.norm(W_LINEAR)),
                       ("without-y", W_WITHOUT_LABELS)):
        if np.allclose(w, value, rtol=5e-3):
            raise known[key].wrong()
    if not np.allclose(w, W_LINEAR, rtol=5e-3):
        raise Wrong("w-unknown", f"w = ({w[0]:.4f}, {w[1]:.4f}) is not the normal of the widest band.",
                    "The half margin 1/|w| should be 0.1072. Has your method converged, and is y'lambda = 0?")
    if np.isclose(w0, -W0_LINEAR, rtol=5e-3):
        raise known["w0-sign"].wrong()
    if not np.isclose(w0, W0_LINEAR, rtol=5e-3):
        raise Wrong("w0-unknown", f"w is right, but w0 = {w0:.4f} is not.", "y_i (w'x_i - w0) = 1 where lambda_i > 0.")
    if chosen == set(range(40)) - right:
        raise known["active-is-support"].wrong()
    if chosen > right:
        raise known["tiny-lambda"].wrong()
    if chosen == {2, 7}:
        raise known["third-forgotten"].wrong()
    if chosen != right:
        raise Wrong("support-unknown", f"w and w0 are right; the support vectors are not {sorted(chosen)[:6]}.",
                    "Indices count from 0.")
    return "three points hold the line, and the half margin is 0.1072."


def kernel_f(Z: np.ndarray, X: np.ndarray, y: np.ndarray, lam: np.ndarray, w0: float, sigma: float,
             how: str = "") -> tuple[np.ndarray]:
    """The sheet's f with its normalised Gaussian, or a known mistake."""
    d2 = ((Z[:, None] - X[None]) ** 2).sum(axis=-1)
    if how == "not-squared":
        d2 = np.sqrt(d2)
    width = {"sigma": 2 * sigma, "no-two": sigma ** 2}.get(how, 2 * sigma ** 2)
    K = np.exp((1 if how == "plus" else -1) * d2 / width)
    if how == "prefactor-upside-down":
        K = K * np.sqrt(2 * np.pi * sigma ** 2)
    elif how != "no-prefactor":
        K = K / np.sqrt(2 * np.pi * sigma ** 2)
    return (K @ (lam if how == "without-y" else lam * y) + (w0 if how == "w0-sign" else -w0),)


KERNEL = [Mistake(key, message, hint, partial(kernel_f, how=key)) for key, message, hint in [
    ("plus", "The exponent has no minus: similarity would grow with the distance.", "exp(-|x - z|² / (2 sigma²))"),
    ("sigma", "The exponent is divided by 2 sigma, not by 2 sigma².", "sigma is a length, like |x - z|."),
    ("no-two", "The 2 in the exponent's denominator is missing.", "2 sigma²"),
    ("not-squared", "The exponent has the distance, not its square.", "|x - z|² is a sum of squares; no root."),
    ("no-prefactor", "The factor 1/sqrt(2 pi sigma²) is missing. It is part of the sheet's kernel, and lambda and w0 "
     "belong to it.", "Many other texts leave it out; see the page on notation."),
    ("prefactor-upside-down", "The prefactor is upside down.", "1/sqrt(2 pi sigma²)"),
    ("without-y", "The labels are missing in the sum.", "lambda_i y_i k(x_i, x)"),
    ("w0-sign", "w0 has the wrong sign.", "f(x) = sum ... - w0"),
]]


@task(CHAPTER, "Aufgabe 3: the decision function", KERNEL)
def aufgabe_3(decision: Answer) -> str:
    """`decision(Z, X, y, lam, w0, sigma)` returns f at the rows of Z."""
    cases = []
    for seed, sigma in enumerate((0.25, 0.5, 1.5)):
        rng = np.random.default_rng(seed)
        cases.append((rng.random((5, 2)), rng.random((8, 2)), rng.choice([-1.0, 1.0], 8),
                      rng.choice([0.0, 0.5, 2.0], 8), float(rng.normal()), sigma))
    compare(decision, cases, kernel_f, ("f",), KERNEL)
    return "right, for each sigma."
