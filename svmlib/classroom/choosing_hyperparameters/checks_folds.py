"""Checks of chapter 13 that the search needs first: folds at random, and folds with equal shares of the classes."""
from collections.abc import Callable
from typing import Any

import numpy as np

from svmlib.classroom.checking.core import Answer, Wrong, as_array, blank, refuse
from svmlib.classroom.checking.mistakes import generators, judged

CHAPTER = "13_choosing_hyperparameters"


def as_folds(value: Any, k: int, n: int) -> list[np.ndarray]:
    """The answer as k arrays of indices below n."""
    if value is None or value is Ellipsis:
        raise blank("the list of folds")
    if not isinstance(value, (list, tuple, np.ndarray)) or len(value) != k:
        found = len(value) if isinstance(value, (list, tuple, np.ndarray)) else type(value).__name__
        raise Wrong("parts", f"Expected is a list of {k} arrays of indices, one for each fold; found: {found}.")
    folds = [as_array(part, "a fold", (None,)) for part in value]
    for part in folds:
        if (part != np.floor(part)).any() or part.min(initial=0) < 0 or part.max(initial=0) >= n:
            raise Wrong("indices", f"A fold holds the indices of its points, whole numbers from 0 to {n - 1}.")
    return [part.astype(int) for part in folds]


def _check_luck(draw: Callable[[int, np.random.Generator], list[np.ndarray]]) -> None:
    """Other generators give other folds, in whatever order, and two in the same state the same; draw(k, rng)."""
    drawn = [draw(5, rng) for rng in generators(4)]
    if len({frozenset(frozenset(map(int, part)) for part in folds) for folds in drawn}) == 1:
        raise Wrong("same-again")
    once, again = (draw(2, np.random.default_rng(1)) for _ in range(2))
    if not all(np.array_equal(np.sort(a), np.sort(b)) for a, b in zip(once, again, strict=True)):
        raise Wrong("own-luck")


# ---- folds -----------------------------------------------------------------------------------------------------------
@judged(CHAPTER, "Algorithm 2.2, first step: folds")
def folds(make: Answer) -> str:
    """`folds(n, k, rng)` returns k arrays of indices."""
    for n, k in ((20, 5), (23, 4), (50, 10)):
        parts = as_folds(make(n, k, np.random.default_rng(n)), k, n)
        sizes, counts = np.array([len(p) for p in parts]), np.bincount(np.concatenate(parts), minlength=n)
        refuse({"training-parts": (counts == k - 1).all(),
                "overlap": counts.max() > 1,
                "remainder-lost": counts.min() == 0 and n % k > 0 and (sizes == n // k).all(),
                "lost": counts.min() == 0,
                "uneven": np.ptp(sizes) > 1})
        steps = [np.unique(np.diff(np.sort(p))) for p in parts]
        if all(len(step) == 1 for step in steps):
            raise Wrong("not-shuffled" if all(step[0] == 1 for step in steps) else "strided")
    _check_luck(lambda k, rng: as_folds(make(50, k, rng), k, 50))
    return "each point is in one fold, at random."


@judged(CHAPTER, "Stratified folds")
def stratified_folds(make: Answer) -> str:
    """`stratified_folds(y, k, rng)` returns k arrays of indices with equal shares of the classes."""
    ordered = []
    for seed, (few, many, k) in enumerate(((10, 20, 5), (13, 18, 4), (30, 30, 5), (11, 40, 5))):
        y = np.random.default_rng(seed).permutation(np.repeat([-1.0, 1.0], [few, many]))
        answer = make(y, k, np.random.default_rng(seed))
        if isinstance(answer, (list, tuple)) and all(np.isin(np.ravel(p), (-1, 1)).all() for p in answer):
            raise Wrong("labels-not-indices")
        parts = as_folds(answer, k, len(y))
        counts = np.bincount(np.concatenate(parts), minlength=len(y))
        plus = np.array([np.sum(y[p] > 0) for p in parts])
        minus = np.array([np.sum(y[p] < 0) for p in parts])
        refuse({"overlap": counts.max() > 1,
                "remainder-lost": counts.min() == 0,
                "one-class": (plus == 0).any() or (minus == 0).any(),
                "unstratified": np.ptp(plus) > 1 or np.ptp(minus) > 1})
        ranks = [[np.searchsorted(np.flatnonzero(y == c), np.sort(p[y[p] == c])) for p in parts] for c in (-1, 1)]
        ordered.append([all(len(np.unique(np.diff(r))) <= 1 for r in of_class) for of_class in ranks])
    if np.all(ordered, axis=0).any():                                       # in one class, in each of the cases
        raise Wrong("not-shuffled")
    _check_luck(lambda k, rng: as_folds(make(y, k, rng), k, len(y)))
    return "each fold has its share of each class."
