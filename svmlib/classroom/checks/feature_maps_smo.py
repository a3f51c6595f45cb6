"""Checks of chapter 08, Task 2.7: the decision function of a kernel, and SMO with a kernel."""
from functools import cache, partial

import numpy as np

from svmlib.classroom.checks.core import Answer, Mistake, Wrong, as_array, as_number, compare, task

CHAPTER = "08_feature_maps_and_the_kernel_trick"


def kernel(X: np.ndarray, Z: np.ndarray, sigma: float, how: str = "") -> np.ndarray:
    """The lab sheet's Gaussian, or a known mistake."""
    d2 = ((X[:, None] - Z[None]) ** 2).sum(axis=2)
    if how == "plus":
        return np.asarray(np.exp(d2 / (2 * sigma**2)))
    if how == "linear":
        return np.asarray(X @ Z.T)
    if how == "distance":
        return np.asarray(np.exp(-np.sqrt(d2) / (2 * sigma**2)))
    scale = {"sigma-not-squared": 2 * sigma, "no-two": sigma**2, "four": 4 * sigma**2}.get(how, 2 * sigma**2)
    return np.asarray(np.exp(-d2 / scale))


def decision(T: np.ndarray, X: np.ndarray, y: np.ndarray, alpha: np.ndarray, b: float, sigma: float,
             how: str = "") -> tuple[np.ndarray]:
    """f at the points T, or what a mistake gives."""
    K = kernel(T, X, sigma, how)
    if how == "prefactor":
        K = K / np.sqrt(2 * np.pi * sigma**2)
    return (K @ (alpha if how == "without-y" else y if how == "without-alpha" else alpha * y)
            + (0.0 if how == "without-b" else -b if how == "b-sign" else b),)


DECISION = [Mistake(key, message, hint, partial(decision, how=key)) for key, message, hint in [
    ("plus", "The minus sign of the Gaussian is missing: points count the more, the farther away they are.",
     "exp(-d²/(2 sigma²)) is 1 at distance 0 and falls. The report prints it without the minus."),
    ("sigma-not-squared", "The width stands in the kernel as sigma, not as sigma².",
     "Divide the squared distance by 2 sigma². The lecture notes print 2 sigma."),
    ("no-two", "The 2 in front of sigma² is missing in the kernel.", "exp(-d² / (2 sigma²))"),
    ("four", "The kernel has (2 sigma)², which is 4 sigma².", "The 2 is not squared: 2 * sigma**2."),
    ("distance", "The distance in the kernel is not squared.", "The sum of squares needs no root."),
    ("prefactor", "The kernel has the prefactor of the programming sheet; the lab sheet's has none.",
     "At distance 0 the kernel is 1."),
    ("linear", "This is the linear machine: the inner products are not replaced.", "k(t, x) in the place of t'x."),
    ("without-y", "The labels are missing in the sum.", "f(t) = sum over i of alpha_i y_i k(t, x_i) + b"),
    ("without-alpha", "The alpha are missing in the sum.", "f(t) = sum over i of alpha_i y_i k(t, x_i) + b"),
    ("without-b", "b is missing.", "f(t) = sum over i of alpha_i y_i k(t, x_i) + b"),
    ("b-sign", "b has the wrong sign.", "+ b; the programming sheet writes - w0."),
]]


@task(CHAPTER, "Task 2.7, first step: f without a map", DECISION)
def task_2_7_decision(f: Answer) -> str:
    """`decision(T, X, y, alpha, b, sigma)` returns f (m,) at the rows of T."""
    cases = []
    for seed in range(3):
        rng = np.random.default_rng(seed)
        cases.append((rng.normal(size=(5, 2)), rng.normal(size=(8, 2)), np.where(np.arange(8) % 3, 1.0, -1.0),
                      rng.choice([0.0, 0.5, 1.0, 2.0], 8), float(rng.normal()), (0.7, 1.6, 2.5)[seed]))
    compare(f, cases, decision, ("f",), DECISION)
    return "this works for each kernel: exchange one line."


KERNEL_SMO = [
    Mistake("box", "Some alpha lie outside [0, C].", "Is it the C you got that goes into one_step?"),
    Mistake("sum", "The sum of y alpha is not 0.", "Does i differ from j? Is alpha kept from step to step?"),
    Mistake("linear", "These are the alpha of the linear machine.", "Fill K with the Gaussian kernel."),
    Mistake("gram-with-labels", "alpha solves another problem: K was multiplied by the labels before one_step got it.",
            "one_step multiplies by y itself: K holds the values of the kernel alone."),
    Mistake("sigma-not-squared", "These are the alpha of a kernel with sigma in the place of sigma².", "2 * sigma**2"),
    Mistake("no-two", "These are the alpha of a kernel without the 2 in front of sigma².", "2 * sigma**2"),
    Mistake("four", "These are the alpha of a kernel with (2 sigma)².", "2 * sigma**2"),
    Mistake("not-at-the-optimum", "The dual value is far from the optimum after 4,000 steps.",
            "Are the new alpha, f and b of each step used by the next one? Are the pairs drawn anew?"),
    Mistake("nothing-learned", "All alpha are 0.", "alpha, f, b = one_step(...) keeps what the step gives."),
    Mistake("b", "alpha is right, b is not: the margin vectors do not lie on the margin.",
            "Correct b by the mean of f - y over 0 < alpha < C, and return it."),
]


OTHER_GRAMS = ("linear", "gram-with-labels", "sigma-not-squared", "no-two", "four")


def gram(X: np.ndarray, y: np.ndarray, sigma: float, how: str = "") -> np.ndarray:
    """The Gaussian Gram matrix, or that of a mistake."""
    K = kernel(X, X, sigma, how)
    return np.outer(y, y) * K if how == "gram-with-labels" else K


@cache
def rings() -> list[tuple[np.ndarray, np.ndarray, float, dict[str, float]]]:
    """X, y, sigma, and the optimal dual values at C = 1 of the right kernel ("") and of the mistaken ones."""
    from svmlib import DualProblem, solve
    from svmlib.data import disc_and_annulus
    from svmlib.kernels import Precomputed

    cases = []
    for seed, sigma in ((0, 0.5), (1, 1.5)):
        X, y = disc_and_annulus(seed, 30)
        best = {how: solve(DualProblem(Precomputed(), gram(X, y, sigma, how), y, C=1.0), "qp", tol=1e-7).objective
                for how in ("", *OTHER_GRAMS)}
        cases.append((X, y, sigma, best))
    return cases


def dual(alpha: np.ndarray, y: np.ndarray, K: np.ndarray) -> float:
    """The dual value."""
    return float(alpha.sum() - 0.5 * (alpha * y) @ K @ (alpha * y))


@task(CHAPTER, "Task 2.7: SMO with a kernel", KERNEL_SMO, seconds=10.0, prepare=rings)
def task_2_7(smo: Answer) -> str:
    """`kernel_smo(X, y, C, sigma, steps, rng)` returns alpha and b."""
    known = {m.key: m for m in KERNEL_SMO}
    solved = []
    for X, y, sigma, best in rings():
        answer = smo(X, y, 1.0, sigma, 4000, np.random.default_rng(0))
        if not isinstance(answer, (tuple, list)) or len(answer) != 2:
            raise Wrong("parts", f"{smo.name} should return alpha and b.", "return alpha, b")
        alpha, b = as_array(answer[0], "alpha", (len(y),)), as_number(answer[1], "b")
        if alpha.min() < -1e-9 or alpha.max() > 1 + 1e-9:
            raise known["box"].wrong()
        if abs(alpha @ y) > 1e-8 * max(1.0, alpha.sum()):
            raise known["sum"].wrong()
        if not alpha.any():
            raise known["nothing-learned"].wrong()
        near = {how: abs(dual(alpha, y, gram(X, y, sigma, how)) / value - 1) for how, value in best.items()}
        solved.append((alpha, b, near))
    if all(near[""] < 1e-3 for *_, near in solved):
        for (X, y, sigma, _), (alpha, b, _) in zip(rings(), solved, strict=True):
            free = (alpha > 1e-3) & (alpha < 1 - 1e-3)
            f = kernel(X, X, sigma) @ (alpha * y) + b
            if free.any() and abs(np.mean((f - y)[free])) > 0.05:
                raise known["b"].wrong()
        return "within a thousandth of the optimum of the Gaussian machine."
    for how in OTHER_GRAMS:
        if all(near[how] < 1e-3 for *_, near in solved):
            raise known[how].wrong()
    raise known["not-at-the-optimum"].wrong()
