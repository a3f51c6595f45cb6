"""Checks of chapter 07: one step, the data, accuracy (lab sheet, Tasks 2.1, 2.2, 2.4); loops: `smo_runs`, `smo_sweep`.

The wrong functions below are the mistakes that the checks know; each differs from the right one in a line or two.
"""
from functools import partial
from typing import Any

import numpy as np

from svmlib.classroom.checks.core import Answer, Mistake, Wrong, as_array, as_number, compare, task
from svmlib.classroom.checks.smo_runs import count, final_bias, task_2_3
from svmlib.classroom.checks.smo_sweep import kkt, task_2_5

__all__ = ["accuracy", "count", "final_bias", "kkt", "segment", "task_2_1", "task_2_2", "task_2_3", "task_2_4",
           "task_2_5"]

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
    new_j = alpha[j] if how == "alpha-j" else gamma - (1 if how == "alpha-j-s" else s) * new_i
    if how == "alpha-j-plus":
        new_j = alpha[j] + (new_i - alpha[i])
    elif how == "alpha-j-minus":
        new_j = alpha[j] - (new_i - alpha[i])
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
    ("alpha-j-minus", "alpha-j-without-s", "alpha_j follows without the factor s: with different labels it moves the "
     "wrong way.", "alpha_j = gamma - s alpha_i: with different labels both rise or fall together."),
    ("alpha-j-plus", "alpha-j-sign", "alpha_j moves by as much as alpha_i, also where the labels are equal: the sum of "
     "y alpha changes.", "alpha_j = gamma - s alpha_i: with equal labels one rises as the other falls."),
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
    also = [Mistake(m.key, m.message, m.hint, partial(step, how="alpha-j-s")) for m in STEP
            if m.key == "alpha-j-without-s"]
    compare(one_step, problems(), step, ("alpha", "f", "b"), [*STEP, *also])
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
    Mistake("no-rng", "Sixty generators give sixty times the same points: the rng that you get is not used.",
            "rng.exponential(...), with no generator made in the function."),
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
    if all(np.array_equal(Z, drawn[0][0]) for Z, _ in drawn):
        raise known["no-rng"].wrong()
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
    Mistake("exchanged", "Least squares comes out ahead of the SVM with C = 1; it did so in 1 of 400 draws. Are the "
            "two values exchanged?"),
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
    if lls > ours + 0.002:
        raise known["exchanged"].wrong()
    if not (0.70 <= lls <= 0.92 and 0.835 <= ours <= 0.94):
        raise Wrong("range", f"{lls:.3f} and {ours:.3f} are outside of what 400 draws gave: .71 to .90 for least "
                    "squares, .84 to .93 for the SVM.", "Are the test points drawn like the training points?")
    return "the size is as expected; the Bayes rule reaches .915."
