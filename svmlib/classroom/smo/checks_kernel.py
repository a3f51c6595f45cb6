"""Checks of chapter 10, Task 2.7: SMO with a kernel."""
from functools import cache

import numpy as np

from svmlib.classroom.checking.core import Answer, Wrong, as_array, as_number, as_parts, refuse
from svmlib.classroom.checking.mistakes import judged

CHAPTER = "10_smo"


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
