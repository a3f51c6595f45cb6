"""Checks of chapter 05: features of a polynomial, Task 2.6 with its circle, the first step of Task 2.7."""
from typing import Any

import numpy as np

from svmcourse.checking.core import Answer, Wrong, as_array, as_number, as_parts, refuse
from svmcourse.checking.mistakes import Cases, compared, generator, generators, judged

CHAPTER = "05_feature_maps_and_the_kernel_trick"


def _gram_of(phi: Any) -> Any:
    """The inner products of the features: their order and signs do not matter, nor does a longer list."""
    def gram(x: np.ndarray) -> Any:
        Z = as_array(phi(x), "phi(x)", (len(x), None))
        return Z @ Z.T

    gram.name = getattr(phi, "name", "phi")  # type: ignore[attr-defined]
    return gram


@compared(CHAPTER, "Features of a kernel", ("the matrix of inner products of your features",),
          "the inner products of your features are those of the kernel.", through=_gram_of)
def polynomial_features() -> Cases:
    """`phi(x)` returns features (n, 3) whose inner products are (3 + xz)²; any order, any sign."""
    return [(2 * generator(seed).normal(size=7),) for seed in range(3)]


@judged(CHAPTER, "Task 2.6, first step: the data")
def task_2_6_data(draw: Answer) -> str:
    """`draw(rng)` returns X (100, 2) and y (100,)."""
    drawn = []
    for seed in range(20):
        points, labels = as_parts(draw(np.random.default_rng(seed)), ("X", "y"), draw.name)
        drawn.append((as_array(points, "X", (100, 2)), as_array(labels, "y", (100,))))
    X, y = (np.concatenate(parts) for parts in zip(*drawn, strict=True))
    if set(np.unique(y)) == {0.0, 1.0}:
        raise Wrong("labels-01")
    if set(np.unique(y)) != {-1.0, 1.0} or any((labels > 0).sum() != 50 for _, labels in drawn):
        raise Wrong("labels", "y should hold -1 fifty times and +1 fifty times.")
    inner, outer = (np.linalg.norm(X[y == label], axis=1) for label in (-1, 1))
    refuse({"one-quarter": X.min() > 0, "labels-exchanged": inner.min() > 1 and outer.max() < 1,
            "no-rejection": inner.max() > 1, "corners": outer.max() > 2, "whole-disc": outer.min() < 1,
            "radius-uniform": inner.mean() < 0.6 or outer.mean() < 1.53})
    if not (0.63 < inner.mean() < 0.70 and 1.52 < outer.mean() < 1.59):           # 2/3 and 14/9
        raise Wrong("distribution", f"The mean radii are {inner.mean():.2f} and {outer.mean():.2f}; uniform points "
                    "give 0.67 and 1.56.", "Draw from a square around the region and keep what lies in it.")
    if any(np.abs(X[y == label].mean(axis=0)).max() > limit for label, limit in ((-1, 0.1), (1, 0.2))):
        raise Wrong("one-side")
    return "50 points in the disc, 50 in the annulus, around the origin and as far from it as uniform points."


@compared(CHAPTER, "Task 2.6 (b): the circle", ("the centre", "the radius"),
          "a plane cuts the paraboloid above this circle.")
def task_2_6_circle() -> Cases:
    """`circle(w, b)` returns the centre (2,) and the radius of the curve w'phi(t) + b = 0."""
    return [(np.array([0.4, -1.0, 2.0]), -3.0), (np.array([1.5, 0.5, 3.0]), -2.0), (np.array([-1.0, 2.0, -4.0]), 5.0)]


#: Accuracy with phi on the 2,000 new points of the exercise, C = 1 and C = 10; a test computes them anew.
LIFTED = {1: 0.985, 10: 0.9925}


@judged(CHAPTER, "Task 2.6: two machines")
def task_2_6(linear: Any, lifted: Any) -> str:
    """Accuracies on 2,000 new points: linear, and with phi, both with C = 10."""
    one, two = as_number(linear, "the accuracy of the linear machine"), as_number(lifted, "the accuracy with phi")
    refuse({"percent": max(one, two) > 1,
            "errors": one < 0.5 and two < 0.2,
            "training-data": one != two and all(abs(100 * a - round(100 * a)) < 1e-9 for a in (one, two)),
            "exchanged": one > 0.9 and two < 0.7,
            "map-forgotten": two < 0.7,
            "best-line": one > 0.637,
            "C-is-one": abs(two - LIFTED[1]) < 1e-9})
    if not (one >= 0.42 and two >= 0.94):
        raise Wrong("range", f"{one:.3f} and {two:.3f} are outside of what 20 draws gave.",
                    "Are the test points drawn like the training points? Is C = 10?")
    return "below the .637 of the best line, and nearly all: the same machine in another space."


# ---- the decision function with a kernel -----------------------------------------------------------------------------
@compared(CHAPTER, "Task 2.7, first step: f without a map", ("f",), "this works for each kernel: exchange one line.")
def task_2_7_decision() -> Cases:
    """`decision(T, X, y, alpha, b, sigma)` returns f (m,) at the rows of T."""
    for seed, rng in enumerate(generators(3)):
        yield (rng.normal(size=(5, 2)), rng.normal(size=(8, 2)), np.where(np.arange(8) % 3, 1.0, -1.0),
               rng.choice([0.0, 0.5, 1.0, 2.0], 8), float(rng.normal()), (0.7, 1.6, 2.5)[seed])
