"""Checks of chapter 08: features of a polynomial, Task 2.6 with its circle, and Task 2.7, SMO with a kernel."""
from __future__ import annotations

from functools import cache, partial
from typing import Any

import numpy as np

from svmlib.classroom.checks.core import Answer, Mistake, Wrong, as_array, as_number, compare, task

CHAPTER = "08_feature_maps_and_the_kernel_trick"


def features(X: np.ndarray, how: str = "") -> np.ndarray:
    """Features of (1 + x'z)^2 in two variables, or what a known mistake makes of them."""
    u, v = X.T
    r = np.sqrt(2.0)
    linear = 1.0 if how in ("no-root-linear", "no-roots") else r
    cross = 1.0 if how in ("no-root-cross", "no-roots") else 2.0 if how == "two-for-root" else r
    linear = 2.0 if how == "two-for-root" else linear
    parts = [np.ones_like(u), linear * u, linear * v, u**2, cross * u * v, v**2]
    if how == "no-constant":
        parts = parts[1:]
    elif how == "no-linear":
        parts = [parts[0], *parts[3:]]
    elif how == "no-cross":
        parts = [*parts[:4], parts[5]]
    if how == "kernel":
        return np.asarray((1 + X @ X.T) ** 2)
    return np.column_stack(parts)


def gram_of(phi: Any) -> Any:
    """The inner products of the features: their order and signs do not matter, nor does the notes' longer list."""
    def gram(X: np.ndarray) -> Any:
        Z = as_array(phi(X), "phi(X)", (len(X), None))
        return Z @ Z.T if hasattr(phi, "name") else (Z @ Z.T,)

    gram.name = getattr(phi, "name", "phi")  # type: ignore[attr-defined]
    return gram


POLYNOMIAL = [Mistake(key, message, hint, gram_of(partial(features, how=key))) for key, message, hint in [
    ("no-roots", "All six monomials are there, but none has its factor.",
     "The square of a sum contains each mixed product twice."),
    ("no-root-linear", "The features of degree 1 lack their factor.", "(1 + s)² contains 2s."),
    ("no-root-cross", "The feature of the mixed product lacks its factor.",
     "(x1 z1 + x2 z2)² contains 2 x1 z1 x2 z2."),
    ("two-for-root", "The factor is 2; the inner product multiplies it with itself, which gives 4.",
     "Which number times itself is 2?"),
    ("no-constant", "The constant feature is missing.", "(1 + 0)² = 1: at the origin the kernel is not 0."),
    ("no-linear", "The features of degree 1 are missing: these belong to 1 + (x'z)².", "(1 + s)² = 1 + 2s + s²"),
    ("no-cross", "The feature of the mixed product x1 x2 is missing.", "(x1 z1 + x2 z2)² has three terms."),
    ("kernel", "These are the values of the kernel. Asked for are features whose inner products are these values.",
     "One row for each point, computed from this point alone."),
]]


@task(CHAPTER, "Features of a kernel", POLYNOMIAL)
def polynomial_features(phi: Answer) -> str:
    """`phi(X)` returns features (n, 6) whose inner products are (1 + x'z)²; any order, any sign."""
    cases = [(np.random.default_rng(seed).normal(size=(7, 2)),) for seed in range(3)]
    compare(gram_of(phi), cases, gram_of(features), ("the matrix of inner products of your features",), POLYNOMIAL)
    return "the inner products of your features are those of the kernel."


RINGS = [
    Mistake("radius-uniform", "The points crowd at the centre: the radius is drawn uniformly, not the point.",
            "A ring between r and r + dr has an area proportional to r. Draw from the square and reject."),
    Mistake("no-rejection", "Some points of class -1 lie outside the disc: a square.", "Draw until |t| < 1."),
    Mistake("whole-disc", "Some points of class +1 lie inside the small disc.", "The annulus is 1 < |t| < 2."),
    Mistake("labels-exchanged", "The labels are exchanged: the disc is class -1."),
    Mistake("labels-01", "The labels are 0 and 1; an SVM needs -1 and +1."),
    Mistake("one-quarter", "All coordinates are positive: this is a quarter of the picture.",
            "rng.random gives numbers from 0 to 1; the square reaches from -1 to 1."),
    Mistake("corners", "Some points of class +1 lie beyond radius 2: the corners of the square are still there."),
]


@task(CHAPTER, "Task 2.6, first step: the data", RINGS)
def task_2_6_data(draw: Answer) -> str:
    """`draw(rng)` returns X (100, 2) and y (100,)."""
    known, drawn = {m.key: m for m in RINGS}, []
    for seed in range(20):
        answer = draw(np.random.default_rng(seed))
        if not isinstance(answer, (tuple, list)) or len(answer) != 2:
            raise Wrong("parts", f"{draw.name} should return X and y.", "return X, y")
        drawn.append((as_array(answer[0], "X", (100, 2)), as_array(answer[1], "y", (100,))))
    X, y = (np.concatenate(parts) for parts in zip(*drawn, strict=True))
    if set(np.unique(y)) == {0.0, 1.0}:
        raise known["labels-01"].wrong()
    if set(np.unique(y)) != {-1.0, 1.0} or any((labels > 0).sum() != 50 for _, labels in drawn):
        raise Wrong("labels", "y should hold -1 fifty times and +1 fifty times.")
    inner, outer = (np.linalg.norm(X[y == label], axis=1) for label in (-1, 1))
    found = next((key for key, met in (
        ("one-quarter", X.min() > 0), ("labels-exchanged", inner.min() > 1 and outer.max() < 1),
        ("no-rejection", inner.max() > 1), ("corners", outer.max() > 2), ("whole-disc", outer.min() < 1),
        ("radius-uniform", inner.mean() < 0.6 or outer.mean() < 1.53)) if met), None)
    if found:
        raise known[found].wrong()
    if not (0.63 < inner.mean() < 0.70 and 1.52 < outer.mean() < 1.59):           # 2/3 and 14/9
        raise Wrong("distribution", f"The mean radii are {inner.mean():.2f} and {outer.mean():.2f}; uniform points "
                    "give 0.67 and 1.56.", "Draw from a square around the region and keep what lies in it.")
    return "50 points in the disc, 50 in the annulus, both uniform."


def circle(w: np.ndarray, b: float, how: str = "") -> tuple[np.ndarray, float]:
    """Centre and radius of w1 t1 + w2 t2 + w3 |t|² + b = 0, or of a known mistake."""
    w = np.asarray(w, float)
    centre = -w[:2] / (2 * w[2])
    square = centre @ centre - b / w[2]
    if how == "centre-sign":
        centre = -centre
    elif how == "no-half":
        centre = 2 * centre
        square = centre @ centre - b / w[2]
    elif how == "b-only":
        square = -b / w[2]
    elif how == "sign-of-b":
        square = centre @ centre + b / w[2]
    elif how == "w3-forgotten":
        centre = -w[:2] / 2
        square = centre @ centre - b
    return centre, float(square if how == "squared" else np.sqrt(abs(square)))


CIRCLE = [Mistake(key, message, hint, partial(circle, how=key)) for key, message, hint in [
    ("centre-sign", "The radius is right; the centre has the wrong sign.", "(t1 - m1)² has its centre at +m1."),
    ("no-half", "The centre is twice as far from the origin as it should be.",
     "(t1 - m1)² contains -2 m1 t1: half of the linear coefficient goes into the bracket."),
    ("squared", "The centre is right; this is the square of the radius.", "One root is missing."),
    ("b-only", "The centre is right; the radius leaves out what completing the square adds.",
     "What you add on the left to complete the squares has to be added on the right, too."),
    ("sign-of-b", "In the radius b has the wrong sign.", "b moves to the other side of the equation."),
    ("w3-forgotten", "w3 is taken for 1.", "Divide the equation by w3 first."),
]]


@task(CHAPTER, "Task 2.6 (b): the circle", CIRCLE)
def task_2_6_circle(circle_of: Answer) -> str:
    """`circle(w, b)` returns the centre (2,) and the radius of the curve w'phi(t) + b = 0."""
    cases = [(np.array([0.4, -1.0, 2.0]), -3.0), (np.array([1.5, 0.5, 3.0]), -2.0), (np.array([-1.0, 2.0, -4.0]), 5.0)]
    compare(circle_of, cases, circle, ("the centre", "the radius"), CIRCLE)
    return "a plane cuts the paraboloid above this circle."


ACCURACIES = [
    Mistake("exchanged", "The values are exchanged: the linear machine cannot be the better one here."),
    Mistake("training-data", "These accuracies move in steps of 1/100: they come from the 100 training points.",
            "Draw 2,000 new points."),
    Mistake("percent", "Give shares between 0 and 1, not percent."),
    Mistake("errors", "These are shares of wrong points; an accuracy counts the right ones."),
    Mistake("map-forgotten", "The second machine is no better than the first: did its points go through phi?",
            "Both the training points and the test points have to be mapped."),
    Mistake("best-line", "The linear machine is better here than any line can be (.637).",
            "Is it trained on the two coordinates only?"),
]


@task(CHAPTER, "Task 2.6: two machines", ACCURACIES)
def task_2_6(linear: Any, lifted: Any) -> str:
    """Accuracies on 2,000 new points: linear, and with phi, both with C = 10."""
    known = {m.key: m for m in ACCURACIES}
    one, two = as_number(linear, "the accuracy of the linear machine"), as_number(lifted, "the accuracy with phi")
    if max(one, two) > 1:
        raise known["percent"].wrong()
    if one < 0.5 and two < 0.2:
        raise known["errors"].wrong()
    if one != two and all(abs(100 * a - round(100 * a)) < 1e-9 for a in (one, two)):
        raise known["training-data"].wrong()
    if one > 0.9 and two < 0.7:
        raise known["exchanged"].wrong()
    if two < 0.7:
        raise known["map-forgotten"].wrong()
    if one > 0.68:
        raise known["best-line"].wrong()
    if not (one >= 0.42 and two >= 0.94):
        raise Wrong("range", f"{one:.3f} and {two:.3f} are outside of what 20 draws gave.",
                    "Are the test points drawn like the training points? Is C = 10?")
    return "near one half, and nearly all: the same machine in another space."


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
    Mistake("sigma-not-squared", "These are the alpha of a kernel with sigma in the place of sigma².", "2 * sigma**2"),
    Mistake("no-two", "These are the alpha of a kernel without the 2 in front of sigma².", "2 * sigma**2"),
    Mistake("four", "These are the alpha of a kernel with (2 sigma)².", "2 * sigma**2"),
    Mistake("not-at-the-optimum", "The dual value is far from the optimum after 4,000 steps.",
            "Are the new alpha, f and b of each step used by the next one? Are the pairs drawn anew?"),
    Mistake("nothing-learned", "All alpha are 0.", "alpha, f, b = one_step(...) keeps what the step gives."),
    Mistake("b", "alpha is right, b is not: the margin vectors do not lie on the margin.",
            "Correct b by the mean of f - y over 0 < alpha < C, and return it."),
]


@cache
def rings() -> list[tuple[np.ndarray, np.ndarray, float, dict[str, float]]]:
    """X, y, sigma, and the optimal dual values at C = 1 of the right kernel ("") and of the mistaken ones."""
    from svmlib import DualProblem, solve
    from svmlib.data import disc_and_annulus
    from svmlib.kernels import Precomputed

    cases = []
    for seed, sigma in ((0, 0.5), (1, 1.5)):
        X, y = disc_and_annulus(seed, 30)
        best = {how: solve(DualProblem(Precomputed(), kernel(X, X, sigma, how), y, C=1.0), "qp", tol=1e-7).objective
                for how in ("", "linear", "sigma-not-squared", "no-two", "four")}
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
        near = {how: abs(dual(alpha, y, kernel(X, X, sigma, how)) / value - 1) for how, value in best.items()}
        solved.append((alpha, b, near))
    if all(near[""] < 1e-3 for *_, near in solved):
        for (X, y, sigma, _), (alpha, b, _) in zip(rings(), solved, strict=True):
            free = (alpha > 1e-3) & (alpha < 1 - 1e-3)
            f = kernel(X, X, sigma) @ (alpha * y) + b
            if free.any() and abs(np.mean((f - y)[free])) > 0.05:
                raise known["b"].wrong()
        return "the optimum of the Gaussian machine, with one line changed."
    for how in ("linear", "sigma-not-squared", "no-two", "four"):
        if all(near[how] < 1e-3 for *_, near in solved):
            raise known[how].wrong()
    raise known["not-at-the-optimum"].wrong()
