"""Checks of chapter 07: one step, random pairs, the data of Task 2.2, accuracy, the KKT sweep (lab sheet, 2.1 to 2.5).

The wrong functions below are the mistakes that the checks know; each differs from the right one in a line or two.
"""
from __future__ import annotations

from functools import cache, partial
from typing import Any

import numpy as np

from svmlib.classroom.checks.core import Answer, Mistake, Wrong, as_array, as_number, compare, task

CHAPTER = "07_smo"


def problems(count: int = 10, n: int = 8) -> list[tuple]:
    """Arguments (i, j, alpha, y, K, f, C, b) of a step: feasible alpha, some at a bound, and pairs of both kinds."""
    cases = []
    for seed in range(count):
        rng = np.random.default_rng(seed)
        X, y = rng.normal(size=(n, 2)), np.where(np.arange(n) % 2, 1.0, -1.0)
        alpha = np.repeat(rng.choice([0.0, 0.2, 0.5, 1.0], n // 2), 2)     # in pairs of both labels: y'alpha = 0
        K, b = X @ X.T, float(rng.normal())
        i, j = (int(k) for k in rng.choice(n, 2, replace=False))
        cases.append((i, j, alpha, y, K, K @ (alpha * y) + b, 1.0, b))
    X = np.array([[1.0, 2.0], [1.0, 2.0], [0.0, 1.0]])                     # two equal points with different labels
    y, alpha = np.array([-1.0, 1.0, 1.0]), np.array([0.25, 0.25, 0.0])
    cases.append((0, 1, alpha, y, X @ X.T, X @ X.T @ (alpha * y), 1.0, 0.0))
    return cases


# ---- the segment -----------------------------------------------------------------------------------------------------
def ends(i: int, j: int, alpha: np.ndarray, y: np.ndarray, C: float, how: str = "") -> tuple[float, float]:
    """L and H of the segment for alpha_i, or what one of the known mistakes makes of it."""
    s = y[i] * y[j]
    gamma = s * alpha[i] + alpha[j]
    if how == "gamma":
        gamma = alpha[i] + s * alpha[j]
    same = (s > 0) != (how == "exchanged")
    if how == "one-case":
        same = True
    if same:
        L, H = max(0.0, gamma - C), min(gamma, C)
    elif how == "sign":
        L, H = max(0.0, gamma), min(C, C + gamma)
    else:
        L, H = max(0.0, -gamma), min(C, C - gamma)
    if how == "no-box":
        L, H = (gamma - C, gamma) if same else (-gamma, C - gamma)
    if how == "whole-box":
        L, H = 0.0, C
    return (H, L) if how == "order" else (L, H)


SEGMENT = [
    Mistake("L-H-order", "L and H are returned in the wrong order.", "L is the lower end: return L, H.", "order"),
    Mistake("L-H-cases", "The two cases are exchanged: equal labels get the ends of different labels.",
            "With equal labels the sum of both alpha stays, so that one grows while the other falls.", "exchanged"),
    Mistake("L-H-one-case", "Pairs with different labels get the ends of pairs with equal labels.",
            "The sign of s = y_i y_j decides which of the two cases it is.", "one-case"),
    Mistake("gamma-sign", "For different labels the sign of gamma is wrong in L and H.",
            "Put alpha_j = gamma - s alpha_i with s = -1 into 0 <= alpha_j <= C and solve for alpha_i.", "sign"),
    Mistake("gamma-places", "gamma belongs to alpha_j: s multiplies alpha_i, not alpha_j.",
            "gamma = s alpha_i + alpha_j is what stays when both move.", "gamma"),
    Mistake("L-H-no-box", "The ends respect the box of alpha_j only, not 0 <= alpha_i <= C.",
            "L is the larger of two lower limits, H the smaller of two upper limits.", "no-box"),
    Mistake("L-H-whole-box", "The ends are those of the box of alpha_i alone; alpha_j may then leave its own.",
            "alpha_j = gamma - s alpha_i must stay in [0, C] as well.", "whole-box"),
]
SEGMENT = [Mistake(m.key, m.message, m.hint, partial(ends, how=m.variant)) for m in SEGMENT]


@task(CHAPTER, "Task 2.1, first step: the segment", SEGMENT)
def segment(ends_of_alpha_i: Answer) -> str:
    """`segment(i, j, alpha, y, C)` returns L, H."""
    cases = [(i, j, alpha, y, C) for i, j, alpha, y, _, _, C, _ in problems(12)]
    y = np.array([1.0, -1.0, 1.0])
    cases += [(0, 1, np.array([0.75, 0.25, 0.0]), y, 1.0), (0, 2, np.array([0.75, 0.0, 0.5]), y, 1.0),
              (1, 0, np.array([0.5, 2.0, 0.0]), y, 2.0), (0, 2, np.array([0.25, 0.0, 0.5]), y, 1.0)]
    compare(ends_of_alpha_i, cases, ends, ("L", "H"), SEGMENT)
    return "L and H are right, for equal and for different labels."


# ---- one step ----------------------------------------------------------------------------------------------------
def step(i: int, j: int, alpha: np.ndarray, y: np.ndarray, K: np.ndarray, f: np.ndarray, C: float, b: float,
         how: str = "") -> tuple[np.ndarray, np.ndarray, float]:
    """Algorithm 2.1 with its branch chi <= 0 corrected, or with one known mistake."""
    delta = y[i] * ((f[j] - y[j]) - (f[i] - y[i]))
    if how == "delta":
        delta = -delta
    elif how == "delta-y":
        delta = delta * y[i]
    s = y[i] * y[j]
    gamma = s * alpha[i] + alpha[j]
    chi = K[i, i] + K[j, j] + (2 if how == "chi" else -2) * K[i, j]
    L, H = ends(i, j, alpha, y, C)
    if chi > 0:
        new_i = alpha[i] + delta / chi
        new_i = new_i if how == "no-clip" else min(max(new_i, L), H)
    else:
        new_i = (L if delta > 0 else H) if how == "printed" else (H if delta > 0 else L)
    new_j = alpha[j] if how == "alpha-j" else gamma - s * new_i
    new = alpha.copy()
    new[i], new[j] = new_i, new_j
    change = (new - alpha) * (1.0 if how == "no-y" else y)
    f = f if how == "f-not-updated" else f + K @ change
    shift = -0.5 * (f[i] - y[i] + f[j] - y[j])
    if how == "b-half":
        shift = 2 * shift
    if how == "b-sign":
        shift = -shift
    if how == "b-kept":
        return new, f, b
    return new, f if how == "stale-f" else f + shift, b + shift


STEP = [Mistake(key, message, hint, partial(step, how=how)) for how, key, message, hint in [
    ("printed", "printed-branch", "Where chi = 0 the step goes to the wrong end: the dual value falls there. You "
     "followed the lab sheet to the letter, which exchanges L and H in this branch.",
     "The gain is delta t - chi t²/2. With chi = 0 and delta > 0, which end of the segment gains?"),
    ("stale-f", "stale-f", "f is not shifted when b is. b is a part of f, so that from the next step on every error "
     "f - y is measured with an old b.", "After b changes by some amount, each f changes by the same amount."),
    ("f-not-updated", "f-not-updated", "f does not follow the new alpha.",
     "Two of the alpha changed: f changes by a multiple of row i of K and one of row j."),
    ("alpha-j", "alpha-j-kept", "alpha_j is not updated, so that the sum of y alpha is no longer 0.",
     "alpha_j = gamma - s alpha_i, with gamma from before the step: computed later, it gives back the old alpha_j."),
    ("delta", "delta-sign", "delta has the wrong sign: the step goes downhill.",
     "delta = y_i ((f_j - y_j) - (f_i - y_i)): the error of j comes first."),
    ("delta-y", "delta-without-y", "The factor y_i of delta is missing; only pairs with y_i = 1 move in the right way.",
     "delta = y_i ((f_j - y_j) - (f_i - y_i))"),
    ("chi", "chi-sign", "chi is |x_i + x_j|², not |x_i - x_j|².", "chi = K_ii + K_jj - 2 K_ij"),
    ("no-clip", "not-clipped", "alpha_i is not clipped to the segment and leaves its box.",
     "min(max(alpha_i, L), H) after the step to the top of the parabola."),
    ("no-y", "f-without-y", "The update of f leaves out the labels.",
     "f = sum over l of alpha_l y_l K(., x_l) + b: a change of alpha_l counts y_l times."),
    ("b-sign", "b-sign", "b is moved to the wrong side.", "A positive mean error means that f is too high."),
    ("b-half", "b-half", "b is corrected by the sum of the two errors instead of their mean.",
     "b - (E_i + E_j) / 2, with the errors E = f - y after the step."),
    ("b-kept", "b-kept", "alpha and the change of f are right; b has not moved.",
     "The last line of the algorithm corrects b by the mean of both errors."),
]]


@task(CHAPTER, "Task 2.1: one step", STEP)
def task_2_1(one_step: Answer) -> str:
    """`one_step(i, j, alpha, y, K, f, C, b)` returns the new alpha, f, b."""
    compare(one_step, problems(), step, ("alpha", "f", "b"), STEP)
    return "every step keeps the box and the sum, and none lowers the dual."


# ---- the data --------------------------------------------------------------------------------------------------------
DRAW = [
    Mistake("rate-as-scale", "The means of the classes are the rates, 4 and 0.5, not their inverses.",
            "NumPy's exponential wants the mean, which is 1 / rate."),
    Mistake("labels-exchanged", "The labels are exchanged: the dense class near 0, of rate 4, is class -1."),
    Mistake("labels-01", "The labels are 0 and 1; an SVM needs -1 and +1.", "All formulas multiply by y."),
    Mistake("one-coordinate", "Both coordinates of a point are the same number: the points lie on a line.",
            "Draw an array with two columns, rng.exponential(..., size=(20, 2))."),
    Mistake("same-draw", "Both classes are the same random numbers, only scaled.",
            "Draw the second class after the first one, from the same generator."),
]


@task(CHAPTER, "Task 2.2: the data", DRAW)
def task_2_2(draw: Answer) -> str:
    """`draw(rng)` returns X (40, 2) and y (40,)."""
    known = {m.key: m for m in DRAW}
    drawn = []
    for seed in range(60):
        answer = draw(np.random.default_rng(seed))
        if not isinstance(answer, (tuple, list)) or len(answer) != 2:
            raise Wrong("parts", f"{draw.name} should return X and y.", "return X, y")
        drawn.append((as_array(answer[0], "X", (40, 2)), as_array(answer[1], "y", (40,))))
    X, y = (np.concatenate(parts) for parts in zip(*drawn, strict=True))
    if set(np.unique(y)) == {0.0, 1.0}:
        raise known["labels-01"].wrong()
    if set(np.unique(y)) != {-1.0, 1.0} or (y > 0).mean() != 0.5:
        raise Wrong("labels", "y should hold -1 twenty times and +1 twenty times.")
    first, second = (np.sort(X[label == y].ravel()) for label in (-1.0, 1.0))
    if np.array_equal(X[:, 0], X[:, 1]):
        raise known["one-coordinate"].wrong()
    if np.allclose(first / first.mean(), second / second.mean()):
        raise known["same-draw"].wrong()
    means = first.mean(), second.mean()
    for target, key in (((0.25, 2.0), ""), ((4.0, 0.5), "rate-as-scale"), ((2.0, 0.25), "labels-exchanged"),
                        ((0.5, 4.0), "rate-as-scale")):
        if np.allclose(means, target, rtol=0.12):
            if key:
                raise known[key].wrong()
            break
    else:
        raise Wrong("means", f"Over 60 draws the means of the classes are {means[0]:.2f} and {means[1]:.2f}; "
                    "expected are 0.25 (class -1) and 2 (class +1).",
                    "An exponential distribution of rate r has the mean 1/r.")
    if np.quantile(second, 0.5) > 1.7:          # the median of an exponential is mean times ln 2
        raise Wrong("distribution", "The means are right, but this is no exponential distribution: half of the "
                    "coordinates of class +1 should be below 2 ln 2 = 1.39.")
    return "40 points, means 1/4 and 2."


# ---- random pairs ----------------------------------------------------------------------------------------------------
@cache
def separable_and_not() -> list[tuple[np.ndarray, np.ndarray]]:
    """Small data sets on which 3000 random pairs come close to the optimum at C = 1."""
    sets = []
    for seed in (0, 1):
        rng = np.random.default_rng(seed)
        X = np.concatenate([rng.exponential(0.25, (10, 2)), rng.exponential(2.0, (10, 2))])
        sets.append((X, np.repeat([-1.0, 1.0], 10)))
    return sets


def dual(alpha: np.ndarray, y: np.ndarray, X: np.ndarray) -> float:
    """The dual value of alpha for the linear kernel."""
    w = (alpha * y) @ X
    return float(alpha.sum() - 0.5 * w @ w)


@cache
def optimum(k: int, C: float) -> float:
    """The best dual value on data set k."""
    from svmlib import DualProblem, solve
    from svmlib.kernels import Linear

    return solve(DualProblem(Linear(), *separable_and_not()[k], C=C), "qp", tol=1e-6).objective   # compiles nothing


def optima() -> list[float]:
    """All optima that the checks below need."""
    return [optimum(k, C) for k in (0, 1) for C in (1.0, 0.01)]


FINAL = [Mistake(key, message, hint, variant) for key, message, hint, variant in [
    ("b-sign", "The correction has the wrong sign: it doubles the mean error.",
     "f contains b. If f is too high by me, b is too high by me.",
     lambda a, y, f, b, C: (b + _mean(f - y, (a > 0) & (a < C)),)),
    ("b-all-support", "The mean runs over all support vectors; those with alpha = C have slack and do not know b.",
     "Only 0 < alpha < C.", lambda a, y, f, b, C: (b - _mean(f - y, a > 0),)),
    ("b-all-points", "The mean runs over all points.", "Only points that lie on the margin, 0 < alpha < C, know b.",
     lambda a, y, f, b, C: (b - np.mean(f - y),)),
    ("b-one-point", "b is right for one margin vector; the task asks for the mean over all of them.", "np.mean",
     lambda a, y, f, b, C: (b - (f - y)[(a > 0) & (a < C)][0] if ((a > 0) & (a < C)).any() else b,)),
    ("b-labels", "The mean is that of y f - 1, not of f - y.", "Multiply the error by y, and its sign is lost.",
     lambda a, y, f, b, C: (b - _mean(y * f - 1, (a > 0) & (a < C)),)),
]]


def _mean(values: np.ndarray, where: np.ndarray) -> float:
    """Mean over some entries; 0 over none."""
    return float(values[where].mean()) if where.any() else 0.0


@task(CHAPTER, "Task 2.3, first step: the final b", FINAL)
def final_bias(corrected: Answer) -> str:
    """`final_bias(alpha, y, f, b, C)` returns b; where no 0 < alpha < C it stays as it was."""
    cases = []
    for seed in range(5):
        rng = np.random.default_rng(seed)
        y = rng.choice([-1.0, 1.0], 10)
        cases.append((rng.choice([0.0, 0.4, 0.7, 2.0], 10), y, rng.normal(0, 2, 10), float(rng.normal()), 2.0))

    def right(a: np.ndarray, y: np.ndarray, f: np.ndarray, b: float, C: float) -> tuple[float]:
        return (b - _mean(f - y, (a > 0) & (a < C)),)

    compare(corrected, cases, right, ("b",), FINAL)
    y = np.array([-1.0, 1.0])
    try:
        none = as_number(corrected(np.array([0.01, 0.01]), y, np.array([-0.2, 0.1]), 0.3, 0.01), "b")
    except Wrong as wrong:
        raise Wrong("b-nan", "b is right where there are margin vectors. Where there are none it is "
                    f"{'NaN, a mean over nothing' if wrong.key == 'nan' else 'an error'}.",
                    "At C = 0.01 this happens in every second draw of Task 2.2. Leave b as it is then.") from None
    if abs(none - 0.3) > 1e-9:
        raise Wrong("b-none", "Where there is no margin vector b should stay as it was.")
    return "b is right, and stays where there is no margin vector."


SMO = [
    Mistake("box", "Some alpha lie outside [0, C].", "The ends of the segment depend on C; is it the C you got?"),
    Mistake("sum", "The sum of y alpha is not 0.", "Do both alpha of a pair move in a step? Can i be the same as j? "
            "rng.choice(n, 2, replace=False) draws two different ones."),
    Mistake("not-started", "All alpha are 0: no step changes anything.",
            "Does your loop keep what one_step returns? alpha, f, b = one_step(...)"),
    Mistake("far-from-optimum", "After 3000 pairs the dual value is far from the optimum.",
            "Are i and j drawn from all points, anew in each step? Is f handed on from step to step?"),
    Mistake("gram-with-labels", "alpha solves another problem: K was multiplied by the labels before one_step got it.",
            "one_step multiplies by y itself: K is X X' alone."),
    Mistake("b-nan", "b is NaN: no alpha is between 0 and C, and a mean over nothing is NaN.",
            "Use final_bias, which knows this case."),
    Mistake("b-not-corrected", "alpha is right, b is not what the margin vectors say.",
            "After the last step b is corrected by the mean of f - y over 0 < alpha < C."),
]


@task(CHAPTER, "Task 2.3: SMO with random pairs", SMO, seconds=10.0, prepare=optima)
def task_2_3(smo: Answer) -> str:
    """`smo(X, y, C, steps, rng)` returns alpha and b, for the linear kernel."""
    known = {m.key: m for m in SMO}
    for C in (1.0, 0.01):
        for k, (X, y) in enumerate(separable_and_not()):
            answer = smo(X, y, C, 3000, np.random.default_rng(1))
            if not isinstance(answer, (tuple, list)) or len(answer) != 2:
                raise Wrong("parts", f"{smo.name} should return alpha and b.", "return alpha, b")
            alpha = as_array(answer[0], "alpha", (len(y),))
            if alpha.min() < -1e-9 or alpha.max() > C * (1 + 1e-9):
                raise known["box"].wrong()
            if abs(alpha @ y) > 1e-8 * max(1.0, alpha.sum()):
                raise known["sum"].wrong()
            if not alpha.any():
                raise known["not-started"].wrong()
            if dual(alpha, y, X) < 0.99 * optimum(k, C):
                raise known["gram-with-labels" if _solves_with_labels(alpha, X, y, C) else "far-from-optimum"].wrong()
            _check_bias(answer[1], alpha, X, y, C, known)
    return "feasible, close to the optimum, and b is right, with margin vectors and without."


def _solves_with_labels(alpha: np.ndarray, X: np.ndarray, y: np.ndarray, C: float) -> bool:
    """Whether alpha is nearly best for K = yy' o XX', so that the labels enter twice and drop out."""
    from svmlib import DualProblem, solve
    from svmlib.kernels import Linear

    best_value = solve(DualProblem(Linear(), y[:, None] * X, y, C=C), "qp", tol=1e-6).objective
    return bool(alpha.sum() - 0.5 * np.sum((alpha @ X) ** 2) > 0.97 * best_value)


def _check_bias(b: Any, alpha: np.ndarray, X: np.ndarray, y: np.ndarray, C: float, known: dict[str, Mistake]) -> None:
    """Compare b with the mean over the margin vectors that alpha has."""
    try:
        b = as_number(b, "b")
    except Wrong as wrong:
        raise known["b-nan"].wrong() if wrong.key == "nan" else wrong from None
    proposals = y - X @ ((alpha * y) @ X)
    # What rounding leaves of a bound counts as free where one compares with 0 and C, as the sheet says: accept both.
    for tol in (1e-8 * C, 0.0):
        free = (alpha > tol) & (alpha < C - tol)
        if not free.any() or abs(b - proposals[free].mean()) <= 1e-6 * max(1.0, abs(b)):
            return
    raise known["b-not-corrected"].wrong()


COUNT = [
    Mistake("all-positive", "Points with a residue such as 1e-9 are counted as support vectors.",
            "A solver leaves tiny numbers in place of 0: compare with a small share of C, not with 0 or 1e-10."),
    Mistake("margin-is-support", "The margin vectors are those with 0 < alpha < C, fewer than the support vectors.",
            "alpha = C means that the point may lie inside the band."),
    Mistake("support-without-bounded", "Points with alpha = C are support vectors too.", "Support vectors: alpha > 0."),
    Mistake("margin-is-bounded", "You counted those at alpha = C as margin vectors.",
            "At C a point may have slack; on the margin are those strictly between."),
    Mistake("order", "The two numbers are exchanged.", "First the support vectors, then the margin vectors."),
    Mistake("residue-at-C", "A point with alpha = C up to rounding is counted as a margin vector.",
            "Compare with C (1 - 1e-6), not with C."),
]


@task(CHAPTER, "Task 2.3: counting support vectors", COUNT)
def count(counted: Answer) -> str:
    """`count(alpha, C)` returns the numbers of support vectors and of margin vectors."""
    def counts(alpha: np.ndarray, C: float, how: str = "") -> tuple[float, float]:
        low, high = 1e-6 * C, C * (1 - 1e-6)
        support, free, at_C = alpha > low, (alpha > low) & (alpha < high), alpha >= high
        return {
            "all-positive": ((alpha > 0).sum(), ((alpha > 0) & (alpha < C)).sum()),
            "margin-is-support": (support.sum(), support.sum()),
            "support-without-bounded": (free.sum(), free.sum()),
            "margin-is-bounded": (support.sum(), at_C.sum()),
            "order": (free.sum(), support.sum()),
            "residue-at-C": (support.sum(), ((alpha > low) & (alpha < C)).sum()),
        }.get(how, (support.sum(), free.sum()))

    residues = (np.array([0.0, 3e-10, 0.4, 1.0, 1 - 1e-12, 0.0, 2e-9, 1.0]), 1.0)
    clean = (np.array([0.0, 25.0, 100.0, 100.0, 100.0, 60.0, 0.0]), 100.0)
    small = (np.array([0.01, 0.01, 0.004, 0.0, 1e-12, 0.01]), 0.01)
    mistakes = [Mistake(m.key, m.message, m.hint, partial(counts, how=m.key)) for m in COUNT]
    tiny = [Mistake("all-positive", COUNT[0].message, COUNT[0].hint, partial(_threshold, low=low))
            for low in (0.0, 1e-10)]
    compare(counted, [residues, clean, small], counts, ("support", "margin"), [*mistakes, *tiny])
    return "right, with the residues of a solver too."


def _threshold(alpha: np.ndarray, C: float, low: float) -> tuple[float, float]:
    """Counts with an absolute threshold below and rounding at C allowed for."""
    return (alpha > low).sum(), ((alpha > low) & (alpha < C * (1 - 1e-6))).sum()


# ---- accuracy --------------------------------------------------------------------------------------------------------
ACCURACY = [Mistake(key, message, hint, variant) for key, message, hint, variant in [
    ("error-rate", "This is the share of wrong points.", "Accuracy counts those that are right.",
     lambda f, y: (float(np.mean(np.sign(f) != y)),)),
    ("percent", "The value is right, in percent; expected is a share between 0 and 1.", "Do not multiply by 100.",
     lambda f, y: (100 * float(np.mean(np.sign(f) == y)),)),
    ("no-sign", "f itself is compared with y; only points with f exactly 1 or -1 count as right.",
     "The prediction is the sign of f.", lambda f, y: (float(np.mean(f == y)),)),
    ("margin-not-sign", "Only points beyond the margin are counted as right.",
     "A point is right where y f > 0; y f >= 1 asks for more.", lambda f, y: (float(np.mean(y * f >= 1)),)),
    ("count", "This is the number of right points; expected is their share.", "Divide by the number of points.",
     lambda f, y: (float(np.sum(np.sign(f) == y)),)),
    ("hinge", "This is the mean of y f, not the share of right points.", "Compare, then take the mean.",
     lambda f, y: (float(np.mean(y * f)),)),
]]


@task(CHAPTER, "Task 2.4: accuracy", ACCURACY)
def accuracy(share: Answer) -> str:
    """`accuracy(f, y)` returns the share of points on the right side."""
    cases = []
    for seed in range(4):
        rng = np.random.default_rng(seed)
        y = rng.choice([-1.0, 1.0], 50)
        cases.append((y * rng.normal(0.8, 1.0, 50), y))
    compare(share, cases, lambda f, y: (float(np.mean(np.sign(f) == y)),), ("the accuracy",), ACCURACY)
    return "right."


COMPARISON = [
    Mistake("exchanged", "The values are exchanged: least squares is the one that loses to the SVM with C = 1 here."),
    Mistake("training-data", "These accuracies move in steps of 1/40: they come from the training points.",
            "Draw 2,000 new points from the same distributions."),
    Mistake("percent", "Give shares between 0 and 1, not percent."),
    Mistake("wrong-side", "One of the accuracies is below one half: its classes are exchanged.",
            "Is the label of the prediction the sign of f, with y = -1 for the dense class?"),
]


@task(CHAPTER, "Task 2.4: least squares against the SVM", COMPARISON)
def task_2_4(least_squares: Any, svm: Any) -> str:
    """Accuracies on 2,000 test points, of least squares and of the SVM with C = 1."""
    known = {m.key: m for m in COMPARISON}
    lls, ours = as_number(least_squares, "the accuracy of least squares"), as_number(svm, "the accuracy of the SVM")
    if max(lls, ours) > 1:
        raise known["percent"].wrong()
    if min(lls, ours) < 0.5:
        raise known["wrong-side"].wrong()
    if all(abs(40 * a - round(40 * a)) < 1e-9 for a in (lls, ours)):
        raise known["training-data"].wrong()
    if lls > ours:
        raise known["exchanged"].wrong()
    if not (0.78 <= lls <= 0.9 and 0.86 <= ours <= 0.935):
        raise Wrong("range", f"{lls:.3f} and {ours:.3f} are outside of what 20 draws gave: .81 to .88 for least "
                    "squares, .88 to .92 for the SVM.", "Are the test points drawn like the training points?")
    return "the order and the size are as expected; the Bayes rule reaches .915."


# ---- the KKT sweep ---------------------------------------------------------------------------------------------------
KKT = [Mistake(key, message, hint, variant) for key, message, hint, variant in [
    ("exchanged", "alpha and C - alpha are exchanged.", "A point with alpha = 0 violates where y f < 1; "
     "which factor is then not 0?",
     lambda a, y, f, C: (a * np.maximum(0, 1 - y * f) + (C - a) * np.maximum(0, y * f - 1),)),
    ("without-y", "The labels are missing: f is compared with 1 for both classes.", "The margin of a point is y f.",
     lambda a, y, f, C: ((C - a) * np.maximum(0, 1 - f) + a * np.maximum(0, f - 1),)),
    ("no-max", "Without max(0, .) the two terms can be negative.", "A violation is never negative.",
     lambda a, y, f, C: ((C - a) * (1 - y * f) + a * (y * f - 1),)),
    ("one-term", "Only the first of the two terms is there.", "Points too far outside, with alpha > 0, violate too.",
     lambda a, y, f, C: ((C - a) * np.maximum(0, 1 - y * f),)),
    ("second-term", "Only the second of the two terms is there.", "Points inside the band with alpha < C violate, too.",
     lambda a, y, f, C: (a * np.maximum(0, y * f - 1),)),
    ("summed", "This is the sum over all points; expected is one number for each point.", "Leave out the sum.",
     lambda a, y, f, C: (np.full(len(a), np.sum((C - a) * np.maximum(0, 1 - y * f) + a * np.maximum(0, y * f - 1))),)),
]]


@task(CHAPTER, "Task 2.5, first step: the violation of a point", KKT)
def kkt(violation: Answer) -> str:
    """`kkt(alpha, y, f, C)` returns KKT_i for all points."""
    cases = []
    for seed in range(4):
        rng = np.random.default_rng(seed)
        y, C = rng.choice([-1.0, 1.0], 12), float(rng.choice([0.5, 2.0]))
        cases.append((rng.choice([0.0, 0.3 * C, C], 12), y, rng.normal(0, 2, 12), C))
    compare(violation, cases, lambda a, y, f, C: ((C - a) * np.maximum(0, 1 - y * f) + a * np.maximum(0, y * f - 1),),
            ("KKT",), KKT)
    return "right; at an optimum all are 0."


SWEEP = [
    Mistake("never-stops", "All 10,000 calls are used on every data set: the loop waits for KKT_i = 0 exactly.",
            "Rounding keeps KKT_i from becoming 0. Compare with a tolerance such as 1e-6."),
    Mistake("stops-early", "The loop ends before the KKT conditions hold.",
            "End only after a whole pass over all i in which no KKT_i was above the tolerance."),
    Mistake("box", "Some alpha lie outside [0, C]."),
    Mistake("sum", "The sum of y alpha is not 0."),
    Mistake("not-started", "All alpha are 0.",
            "At the start no alpha is between 0 and C: draw j from all other points then."),
    Mistake("calls-not-counted", "The number of calls is not that of one_step.", "Count each call, not each pass."),
]


@task(CHAPTER, "Task 2.5: the KKT sweep", SWEEP, seconds=10.0, prepare=optima)
def task_2_5(smo_kkt: Answer) -> str:
    """`smo_kkt(X, y, C, rng)` returns alpha, b and the number of calls of one_step."""
    known = {m.key: m for m in SWEEP}
    calls_of = []
    for k, (X, y) in enumerate(separable_and_not()):
        answer = smo_kkt(X, y, 1.0, np.random.default_rng(1))
        if not isinstance(answer, (tuple, list)) or len(answer) != 3:
            raise Wrong("parts", f"{smo_kkt.name} should return alpha, b and the number of calls.",
                        "return alpha, b, calls")
        alpha, calls = as_array(answer[0], "alpha", (len(y),)), as_number(answer[2], "the number of calls")
        as_number(answer[1], "b")
        if alpha.min() < -1e-9 or alpha.max() > 1 + 1e-9:
            raise known["box"].wrong()
        if abs(alpha @ y) > 1e-8 * max(1.0, alpha.sum()):
            raise known["sum"].wrong()
        if not alpha.any():
            raise known["not-started"].wrong()
        if dual(alpha, y, X) < (1 - 1e-3) * optimum(k, 1.0):
            raise known["stops-early"].wrong()
        calls_of.append(calls)
    if min(calls_of) >= 10_000:
        raise known["never-stops"].wrong()
    if max(calls_of) < 8:
        raise known["calls-not-counted"].wrong()
    return f"at the optimum after {' and '.join(f'{c:.0f}' for c in calls_of)} calls of one_step."
