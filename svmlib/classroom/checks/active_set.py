"""Checks of chapter 05: one system, the step length, the whole method (sheet 3, Aufgaben 1 and 2), the kernel's f."""
from __future__ import annotations

from functools import cache, partial
from typing import Any

import numpy as np

from svmlib.classroom.checks.core import Answer, Mistake, Wrong, as_array, as_number, blank, compare, task

CHAPTER = "05_active_set"
Arrays = tuple[np.ndarray, ...]


def kkt_step(A: np.ndarray, b: np.ndarray, C: np.ndarray, D: np.ndarray, W: np.ndarray, x: np.ndarray,
             how: str = "") -> Arrays:
    """p, mu and lambda over W from line 3's system, or a known mistake."""
    N, n = np.hstack([C, D[:, W]]), len(b)
    r = b if how == "without-Ax" else A @ x - b if how == "gradient" else b - A @ x
    border = N if how == "plus" else -N
    rest = np.r_[C.T @ x, D[:, W].T @ x] if how == "target-not-zero" else np.zeros(N.shape[1])
    M = np.block([[A, border], [border.T, np.zeros((N.shape[1],) * 2)]])
    s = np.linalg.solve(M, np.r_[r, rest])
    mu, lam = s[n:n + C.shape[1]], s[n + C.shape[1]:]
    return (s[:n], lam, mu) if how == "order" else (s[:n] + x if how == "point" else s[:n], mu, lam)


STEP = [Mistake(key, message, hint, partial(kkt_step, how=key)) for key, message, hint in [
    ("plus", "p is right, but the multipliers have the wrong sign: the blocks C and D_W stand with a plus.",
     "The Lagrangian subtracts the constraints, so that the border of the matrix is -C, -D_W."),
    ("without-Ax", "The right-hand side is b, without A x: this is no step from x.", "b - A x"),
    ("gradient", "p has the wrong sign: it goes uphill.", "The right-hand side is b - A x, minus the gradient."),
    ("target-not-zero", "The step leaves the constraints that are held: the lower right-hand side should be 0.",
     "C'(x + p) = C'x, so C'p = 0, and the same for D_W."),
    ("point", "This is x + p, the point that is reached; expected is the step p.", "Subtract x."),
    ("order", "mu and lambda are exchanged.", "mu belongs to the columns of C, which come first."),
]]


def step_cases() -> list[tuple]:
    """Problems (A, b, C, D, W, x) with two equations and two inequalities held, of five."""
    cases = []
    for seed in range(4):
        rng = np.random.default_rng(seed)
        R = rng.normal(size=(6, 6))
        cases.append((R @ R.T + np.eye(6), rng.normal(size=6), rng.normal(size=(6, 2)), rng.normal(size=(6, 5)),
                      np.sort(rng.choice(5, 2, replace=False)), rng.normal(size=6)))
    return cases


@task(CHAPTER, "Aufgabe 1, first step: the system of line 3", STEP)
def system(step: Answer) -> str:
    """`step(A, b, C, D, W, x)` returns p, mu, lam; W holds the indices of the columns of D that are held."""
    compare(step, step_cases(), kkt_step, ("p", "mu", "lam"), STEP)
    return "p stays on the working set, and the multipliers have their signs."


def longest(x: np.ndarray, p: np.ndarray, D: np.ndarray, delta: np.ndarray, active: np.ndarray,
            how: str = "") -> tuple[float, float]:
    """t of line 13 over the inactive constraints, and which one stops it, -1 for none; or a known mistake."""
    slope = D.T @ p
    rows = np.flatnonzero({"printed": active, "all": np.ones_like(active)}.get(how, ~active))
    nearer = {"no-sign": slope != 0, "uphill": slope > 0}.get(how, slope < 0)
    rows = rows[nearer[rows]]
    if not len(rows):
        return 1.0, -1
    ratio = (delta - D.T @ x)[rows] / slope[rows]
    if how == "ratio-sign":
        ratio = -ratio
    k = int(ratio.argmax() if how == "furthest" else ratio.argmin())
    t, j = float(ratio[k]), int(k if how == "place" else rows[k])
    if how == "no-cap":
        return t, j
    return (t, j) if t < 1 else (1.0, j if how == "always-joins" else -1)


RATIO = [Mistake(key, message, hint, partial(longest, how=key)) for key, message, hint in [
    ("printed", "The minimum runs over the working set, as line 13 is printed. There d_i'p = 0, so nothing stops the "
     "step, and it walks through the inactive constraints.", "i not in the working set."),
    ("no-sign", "Constraints that the step moves away from take part, too; their ratio is negative.",
     "Only those with d_i'p < 0 come nearer."),
    ("uphill", "The constraints with d_i'p > 0 are taken: the step moves away from them.", "d_i'p < 0"),
    ("no-cap", "The step is longer than 1 where no constraint is met before: it jumps over the minimum.",
     "min(1, .): at x + p the minimum on the working set is reached."),
    ("always-joins", "t is right, but a constraint that lies beyond x + p does not stop the step: j is -1 there.",
     "Only a ratio below 1 stops it."),
    ("place", "t is right; j is the place among the candidates, not the number of the constraint.",
     "np.flatnonzero(mask)[k] is the number of the k-th True."),
    ("furthest", "The last constraint on the way is taken; the first one stops the step.", "The smallest ratio."),
    ("ratio-sign", "The ratio has the wrong sign.",
     "delta - d'x is negative inside, and so is d'p: their quotient is positive."),
]]


def ratio_cases() -> list[tuple]:
    """Cases (x, p, D, delta, active): stopped early, not stopped, and with none in the way; d'p = 0 on the active."""
    cases = []
    for seed in range(14):
        rng = np.random.default_rng(seed)
        D, x = rng.integers(-3, 4, (3, 6)).astype(float), rng.integers(-2, 3, 3).astype(float)
        D[0, :2], active = 0.0, np.arange(6) < 2             # the first two depend on x2, x3 only; p along x1
        p = np.array([float(rng.choice([-2, -1, 1, 2])), 0.0, 0.0])
        D[0, 2 + seed % 3] = -np.sign(p[0]) * (1 + seed % 3)                         # at least one comes nearer
        delta = D.T @ x - np.where(active, 0.0, rng.uniform(0.2, 9.0, 6))              # no ties, and no ratio of 1
        cases.append((x, p, D, delta, active))
    x, p, D, delta, active = cases[0]
    D = D.copy()
    D[0, 2:] = np.sign(p[0])
    cases.append((x, p, D, D.T @ x - 1.0 * ~active, active))
    return cases


@task(CHAPTER, "Aufgabe 1, second step: how far to go", RATIO)
def ratio(step_length: Answer) -> str:
    """`step_length(x, p, D, delta, active)` returns t and j, the constraint that stops the step, or -1."""
    compare(step_length, ratio_cases(), longest, ("t", "j"), RATIO)
    return "the first inactive constraint stops the step, and none beyond x + p does."


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
    ("drops-largest", "Where a multiplier is negative, the constraint with the largest one is dropped; it is needed.",
     "Line 8: the smallest lambda_i."),
    ("never-adds", "A constraint that stops a step does not join the working set, so that the next step runs into it "
     "again.", "Lines 14 and 15"),
    ("one-step", "This is the point after one turn of the loop.",
     "Is return, or break, inside the test of line 5? Only there may the loop end."),
]] + [
    Mistake("line-13", "The answer violates inequalities that were not active at the start: nothing stops the steps.",
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
    Mistake("w-zero", "w is 0: the sum over the active set of the dual adds only terms with lambda_i = 0.",
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
    if any(value is None or value is Ellipsis for value in (normal, offset, support)):
        raise blank("one of w, w0 and the support vectors")
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
