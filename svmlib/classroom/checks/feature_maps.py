"""Checks of chapter 08: features of a polynomial, Task 2.6 with its circle, and from `feature_maps_smo` Task 2.7."""
from functools import partial
from typing import Any

import numpy as np

from svmlib.classroom.checks.core import Answer, Mistake, Wrong, as_array, as_number, compare, task
from svmlib.classroom.checks.feature_maps_smo import task_2_7, task_2_7_decision

__all__ = ["polynomial_features", "task_2_6", "task_2_6_circle", "task_2_6_data", "task_2_7", "task_2_7_decision"]

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
    Mistake("radius-uniform", "The points crowd at the centre, as they do when the radius is drawn uniformly.",
            "A ring between r and r + dr has an area proportional to r. Draw from the square and reject."),
    Mistake("no-rejection", "Some points of class -1 lie outside the disc.", "Draw until |t| < 1."),
    Mistake("whole-disc", "Some points of class +1 lie inside the small disc.", "The annulus is 1 < |t| < 2."),
    Mistake("labels-exchanged", "The labels are exchanged: the disc is class -1."),
    Mistake("labels-01", "The labels are 0 and 1; an SVM needs -1 and +1."),
    Mistake("one-quarter", "All coordinates are positive: this is a quarter of the picture.",
            "rng.random gives numbers from 0 to 1; the square reaches from -1 to 1."),
    Mistake("corners", "Some points of class +1 lie beyond radius 2.", "The square around it has corners."),
    Mistake("one-side", "The points lie more on one side of the origin than on the other.",
            "In each class the mean of either coordinate should be near 0."),
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
    if any(np.abs(X[y == label].mean(axis=0)).max() > limit for label, limit in ((-1, 0.1), (1, 0.2))):
        raise known["one-side"].wrong()
    return "50 points in the disc, 50 in the annulus, around the origin and as far from it as uniform points."


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
            "Call score with the 2,000 new points T, t."),
    Mistake("percent", "Give shares between 0 and 1, not percent."),
    Mistake("errors", "These are shares of wrong points; an accuracy counts the right ones."),
    Mistake("map-forgotten", "The second machine is far below what phi makes possible: did its points go through phi?",
            "Both the training points and the test points have to be mapped."),
    Mistake("best-line", "The linear machine is better here than the best line is on average (.637).",
            "Is it trained on the two coordinates only?"),
    Mistake("C-is-one", "The machine with phi is the one with C = 1.", "SVC(Linear(), C=10): the default of C is 1."),
]

#: Accuracy with phi on the 2,000 new points of the exercise, C = 1 and C = 10; a test computes them anew.
LIFTED = {1: 0.985, 10: 0.9925}


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
    if one > 0.637:
        raise known["best-line"].wrong()
    if abs(two - LIFTED[1]) < 1e-9:
        raise known["C-is-one"].wrong()
    if not (one >= 0.42 and two >= 0.94):
        raise Wrong("range", f"{one:.3f} and {two:.3f} are outside of what 20 draws gave.",
                    "Are the test points drawn like the training points? Is C = 10?")
    return "below the .637 of the best line, and nearly all: the same machine in another space."
