"""Checks of chapter 10: one step, the data, accuracy, a kernel (lab sheet, Tasks 2.1, 2.2, 2.4, 2.7).

`checks_runs` has the loops, those of Tasks 2.3 and 2.5.
"""
from functools import cache
from typing import Any

import numpy as np

from svmcourse.checking.core import Answer, Wrong, as_array, as_number, as_parts, refuse
from svmcourse.checking.mistakes import Cases, compared, generators, judged
from svmcourse.smo.checks_runs import count, final_bias, kkt, task_2_3, task_2_5

__all__ = ["accuracy", "count", "final_bias", "kkt", "segment", "task_2_1", "task_2_2", "task_2_3", "task_2_4",
           "task_2_5", "task_2_7"]

CHAPTER = "10_smo"


def problems(count: int = 10, n: int = 8) -> list[tuple]:
    """Arguments (i, j, alpha, y, K, f, C, b) of a step: feasible alpha, some at a bound, and pairs of both kinds."""
    cases = []
    for rng in generators(count):
        X, y = rng.normal(size=(n, 2)), np.where(np.arange(n) % 2, 1.0, -1.0)
        alpha = np.repeat(rng.choice([0.0, 0.2, 0.5, 1.0], n // 2), 2)     # in pairs of both labels: y'alpha = 0
        K, b = X @ X.T, float(rng.normal())
        i, j = (int(k) for k in rng.choice(n, 2, replace=False))
        cases.append((i, j, alpha, y, K, K @ (alpha * y) + b, 1.0, b))
    X = np.array([[1.0, 2.0], [1.0, 2.0], [0.0, 1.0]])                     # two equal points with different labels
    y, alpha = np.array([-1.0, 1.0, 1.0]), np.array([0.25, 0.25, 0.0])
    cases.append((0, 1, alpha, y, X @ X.T, X @ X.T @ (alpha * y), 1.0, 0.0))
    return cases


# ---- the segment, and one step ---------------------------------------------------------------------------------------
@compared(CHAPTER, "Task 2.1, first step: the segment", ("L", "H"),
          "L and H are right, for equal and for different labels.")
def segment() -> Cases:
    """`segment(i, j, alpha, y, C)` returns L, H."""
    cases = [(i, j, alpha, y, C) for i, j, alpha, y, _, _, C, _ in problems(12)]
    y = np.array([1.0, -1.0, 1.0])
    return [*cases, (0, 1, np.array([0.75, 0.25, 0.0]), y, 1.0), (0, 2, np.array([0.75, 0.0, 0.5]), y, 1.0),
            (1, 0, np.array([0.5, 2.0, 0.0]), y, 2.0), (0, 2, np.array([0.25, 0.0, 0.5]), y, 1.0)]


@compared(CHAPTER, "Task 2.1: one step", ("alpha", "f", "b"),
          "every step keeps the box and the sum, and none lowers the dual.")
def task_2_1() -> Cases:
    """`one_step(i, j, alpha, y, K, f, C, b)` returns the new alpha, f, b."""
    return problems()


# ---- the data --------------------------------------------------------------------------------------------------------
@judged(CHAPTER, "Task 2.2: the data")
def task_2_2(draw: Answer) -> str:
    """`draw(rng)` returns X (40, 2) and y (40,)."""
    drawn = []
    for seed in range(60):
        points, labels = as_parts(draw(np.random.default_rng(seed)), ("X", "y"), draw.name)
        drawn.append((as_array(points, "X", (40, 2)), as_array(labels, "y", (40,))))
    X, y = (np.concatenate(parts) for parts in zip(*drawn, strict=True))
    refuse({"no-rng": all(np.array_equal(Z, drawn[0][0]) for Z, _ in drawn),
            "labels-01": set(np.unique(y)) == {0.0, 1.0}})
    if set(np.unique(y)) != {-1.0, 1.0} or (y > 0).mean() != 0.5:
        raise Wrong("labels", "y should hold -1 twenty times and +1 twenty times.")
    first, second = (np.sort(X[label == y].ravel()) for label in (-1.0, 1.0))
    refuse({"one-coordinate": np.array_equal(X[:, 0], X[:, 1]),
            "same-draw": np.allclose(first / first.mean(), second / second.mean())})
    means = first.mean(), second.mean()
    refuse({key: any(np.allclose(means, target, rtol=0.12) for target in targets) for key, targets in
            {"rate-as-scale": ((4.0, 0.5), (0.5, 4.0)), "labels-exchanged": ((2.0, 0.25),)}.items()})
    if not np.allclose(means, (0.25, 2.0), rtol=0.12):
        raise Wrong("means", f"Over 60 draws the means of the classes are {means[0]:.2f} and {means[1]:.2f}; "
                    "expected are 0.25 (class -1) and 2 (class +1).",
                    "An exponential distribution of rate r has the mean 1/r.")
    if np.quantile(second, 0.5) > 1.7:          # the median of an exponential is mean times ln 2
        raise Wrong("distribution", "The means are right, but this is no exponential distribution: half of the "
                    "coordinates of class +1 should be below 2 ln 2 = 1.39.")
    return "40 points, means 1/4 and 2."


# ---- accuracy --------------------------------------------------------------------------------------------------------
@compared(CHAPTER, "Task 2.4: accuracy", ("the accuracy",), "right.")
def accuracy() -> Cases:
    """`accuracy(f, y)` returns the share of points on the right side."""
    for rng in generators(4):
        y = rng.choice([-1.0, 1.0], 50)
        yield y * rng.normal(0.8, 1.0, 50), y


@judged(CHAPTER, "Task 2.4: least squares against the SVM")
def task_2_4(least_squares: Any, svm: Any) -> str:
    """Accuracies on 2,000 test points, of least squares and of the SVM with C = 1."""
    lls, ours = as_number(least_squares, "the accuracy of least squares"), as_number(svm, "the accuracy of the SVM")
    refuse({"percent": max(lls, ours) > 1,
            "wrong-side": min(lls, ours) < 0.5,
            "training-data": all(abs(40 * a - round(40 * a)) < 1e-9 for a in (lls, ours)),
            "exchanged": lls > ours + 0.002})
    if not (0.70 <= lls <= 0.92 and 0.835 <= ours <= 0.94):
        raise Wrong("range", f"{lls:.3f} and {ours:.3f} are outside of what 400 draws gave: .71 to .90 for least "
                    "squares, .84 to .93 for the SVM.", "Are the test points drawn like the training points?")
    return "the size is as expected; the Bayes rule reaches .915."


# ---- a kernel --------------------------------------------------------------------------------------------------------
def grams(X: np.ndarray, y: np.ndarray, sigma: float) -> dict[str, np.ndarray]:
    """The Gaussian Gram matrix (""), and those of the mistakes."""
    d2 = ((X[:, None] - X[None]) ** 2).sum(axis=2)
    right = np.exp(-d2 / (2 * sigma**2))
    return {"": right, "linear": X @ X.T, "gram-with-labels": np.outer(y, y) * right,
            "sigma-not-squared": np.exp(-d2 / (2 * sigma)), "no-two": np.exp(-d2 / sigma**2),
            "four": np.exp(-d2 / (2 * sigma) ** 2), "times-sigma": np.exp(-d2 / 2 * sigma**2)}


@cache
def rings() -> list[tuple[np.ndarray, np.ndarray, float, dict[str, float]]]:
    """X, y, sigma, and the optimal dual values at C = 1 of the right kernel ("") and of the mistaken ones."""
    from svmlib import DualProblem, solve
    from svmlib.data import disc_and_annulus
    from svmlib.kernels import Precomputed

    cases = []
    for seed, sigma in ((0, 0.5), (1, 1.5)):
        X, y = disc_and_annulus(seed, 30)
        best = {how: solve(DualProblem(Precomputed(), K, y, C=1.0), "qp", tol=1e-7).objective
                for how, K in grams(X, y, sigma).items()}
        cases.append((X, y, sigma, best))
    return cases


def dual(alpha: np.ndarray, y: np.ndarray, K: np.ndarray) -> float:
    """The dual value."""
    return float(alpha.sum() - 0.5 * (alpha * y) @ K @ (alpha * y))


@judged(CHAPTER, "Task 2.7: SMO with a kernel", seconds=10.0, prepare=rings)
def task_2_7(smo: Answer) -> str:
    """`kernel_smo(X, y, C, sigma, steps, rng)` returns alpha and b."""
    solved = []
    for X, y, sigma, best in rings():
        multipliers, bias = as_parts(smo(X, y, 1.0, sigma, 4000, np.random.default_rng(0)), ("alpha", "b"), smo.name)
        alpha, b = as_array(multipliers, "alpha", (len(y),)), as_number(bias, "b")
        refuse({"box": alpha.min() < -1e-9 or alpha.max() > 1 + 1e-9,
                "sum": abs(alpha @ y) > 1e-8 * max(1.0, alpha.sum()),
                "nothing-learned": not alpha.any()})
        near = {how: abs(dual(alpha, y, K) / best[how] - 1) for how, K in grams(X, y, sigma).items()}
        solved.append((alpha, b, near))
    if all(near[""] < 1e-3 for *_, near in solved):
        for (X, y, sigma, _), (alpha, b, _) in zip(rings(), solved, strict=True):
            free = (alpha > 1e-3) & (alpha < 1 - 1e-3)
            f = grams(X, y, sigma)[""] @ (alpha * y) + b
            if free.any() and abs(np.mean((f - y)[free])) > 0.05:
                raise Wrong("b")
        return "within a thousandth of the optimum of the Gaussian machine."
    refuse({how: all(near[how] < 1e-3 for *_, near in solved) for how in solved[0][2]})
    raise Wrong("not-at-the-optimum")
