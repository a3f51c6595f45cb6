"""How the planar data sets are drawn and read: seeds, halves, rejection, and the files that svmlib ships."""
from collections.abc import Callable
from numbers import Integral
from pathlib import Path

import numpy as np

from svmlib.validation import check_integer

Data = tuple[np.ndarray, np.ndarray]
Seed = int | np.random.Generator


def generator(seed: Seed) -> np.random.Generator:
    """The generator that a seed stands for."""
    if isinstance(seed, np.random.Generator):
        return seed
    return np.random.default_rng(check_integer(seed, "seed", 0, expected="an int >= 0 or an np.random.Generator"))


def half_of(n: int) -> int:
    """n / 2, the size of a class."""
    if not isinstance(n, Integral) or n < 2 or n % 2:
        raise ValueError(f"n must be an even integer of at least 2, half for each class, got {n!r}")
    return int(n) // 2


def halves(half: int) -> np.ndarray:
    """Labels of as many points of class -1 and then of class +1."""
    return np.repeat([-1.0, 1.0], half)


def uniform_where(rng: np.random.Generator, n: int, r_max: float,
                  accept: Callable[[np.ndarray], np.ndarray]) -> np.ndarray:
    """n points uniform where their distance r from the origin is accepted, by rejection from a square."""
    kept = np.empty((0, 2))
    while len(kept) < n:
        points = rng.uniform(-r_max, r_max, (n, 2))
        kept = np.concatenate([kept, points[accept(np.hypot(points[:, 0], points[:, 1]))]])
    return kept[:n]


def draw_beside(seed: Seed, n: int, distance: Callable[[np.ndarray], np.ndarray], gap: float = 0.08) -> Data:
    """The first n/2 points of each class that fall into the unit square gap or more from a curve.

    distance : signed distance (m,) of points (m, 2) from the curve; its sign is the label.
    """
    rng, half = generator(seed), half_of(n)
    X = np.empty((0, 2))
    while True:
        X = np.concatenate([X, rng.random((n, 2))])
        d = distance(X)
        minus, plus = np.flatnonzero(d <= -gap), np.flatnonzero(d >= gap)
        if min(len(minus), len(plus)) >= half:
            first = np.sort(np.concatenate([minus[:half], plus[:half]]))
            return X[first], np.sign(d[first])


def shipped(name: str, outlier: tuple[float, float] | None = None) -> Data:
    """Points and labels of a CSV file of svmlib, and where it is given a last point of class -1."""
    table = np.loadtxt(Path(__file__).with_name(f"{name}.csv"), delimiter=",", skiprows=1)
    X, y = table[:, :-1].copy(), table[:, -1].copy()
    return (X, y) if outlier is None else (np.vstack([X, outlier]), np.append(y, -1.0))
