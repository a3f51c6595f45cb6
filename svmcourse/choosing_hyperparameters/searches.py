"""The searches of chapter 13, which prints these functions; `python -m benchmarks --only searches` stores scores."""
from collections.abc import Callable
from typing import Any

import numpy as np
from scipy.stats import loguniform

from svmlib import SVC
from svmlib.data import disc_and_annulus, exponential_classes
from svmlib.kernels import Gaussian
from svmlib.model_selection import grid_search, k_folds, random_search

__all__ = ["DRAWS", "PAIRS", "TASKS", "coin", "compare", "nested", "promise"]

DRAWS = 24
PAIRS = 400     # grid or random: the difference is small, and its sign shows in hundreds of draws only
Cs, sigmas = [0.01, 0.1, 1, 10, 100], [0.1, 0.3, 1, 3, 10]
space = {"C": loguniform(1e-2, 1e3),
         "kernel__sigma": loguniform(0.05, 20)}
lattice: dict[str, Any] = {"C": np.geomspace(1e-2, 1e3, 4),
                           "kernel__sigma": np.geomspace(0.05, 20, 4)}


def coin(seed: int, n: int = 40) -> tuple[np.ndarray, np.ndarray]:
    """Points (n, 2) whose labels say nothing about them, half of each class.

    >>> X, y = coin(0)
    >>> X.shape, int(y.sum())
    ((40, 2), 0)
    """
    rng = np.random.default_rng(seed)
    y = np.repeat([-1, 1], n // 2)
    return rng.normal(size=(n, 2)), rng.permutation(y)


def promise(data: Callable[..., tuple[np.ndarray, np.ndarray]], seed: int) -> tuple[float, float]:
    """The best score of a grid search on one draw, and the winner's accuracy on 1,000 fresh points."""
    fresh = data(10_000 + seed, n=1000)
    s = grid_search(SVC(Gaussian(sigma=1.0)),
                    {"C": Cs, "kernel__sigma": sigmas}, *data(seed),
                    rng=seed, progress=False)
    return s.best_score, s.machine.score(*fresh)


# printed in 13_choosing_hyperparameters
def nested(X: np.ndarray, y: np.ndarray, seed: int) -> float:
    """Mean accuracy of five outer folds, each predicted by the winner of a grid search on the others."""
    scores = []
    for fold in k_folds(y, k=5, rng=seed):
        rest = np.setdiff1d(np.arange(len(y)), fold)
        s = grid_search(SVC(Gaussian(sigma=1.0)),
                        {"C": Cs, "kernel__sigma": sigmas},
                        X[rest], y[rest], rng=seed, progress=False)
        scores.append(s.machine.score(X[fold], y[fold]))
    return np.mean(scores)


def compare(data: Callable[..., tuple[np.ndarray, np.ndarray]], seed: int) -> list[float]:
    """Accuracy on 2,000 fresh points of the winners of a grid and of a random search, 16 candidates each."""
    points, fresh = data(seed), data(10_000 + seed, n=2000)
    m, how = SVC(Gaussian(sigma=1.0)), dict[str, Any](rng=seed, progress=False)
    both = (grid_search(m, lattice, *points, **how),
            random_search(m, space, *points, n=16, **how))
    return [s.machine.score(*fresh) for s in both]


#: The tasks of the chapter: (seed, n) -> points and labels.
TASKS: dict[str, Callable[..., tuple[np.ndarray, np.ndarray]]] = {
    "coin toss, 40 points": coin, "exponentials, 40 points": exponential_classes,
    "disc and ring, 100 points": disc_and_annulus}
