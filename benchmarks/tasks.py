"""The problems: MNIST from two classes to sixty thousand digits, plane toy data, a tall linear problem, and tables."""
from __future__ import annotations

import warnings
from collections.abc import Callable
from functools import cache, partial
from typing import Any

import numpy as np
from sklearn.datasets import make_classification
from sklearn.preprocessing import scale

from benchmarks.timing import Task, compare
from svmlib import SVC
from svmlib.data import MNIST, MNISTError, load_mnist
from svmlib.kernels import Gaussian, Kernel, Linear

DIGITS = Gaussian(gamma=0.02)


@cache
def mnist() -> MNIST:
    """All of MNIST where it can be had, otherwise the sample that svmlib ships; float64, as both sides want it."""
    try:
        data = load_mnist(full=True)
    except (MNISTError, OSError):
        data = load_mnist()
    return MNIST(data.X_train.astype(np.float64), data.y_train, data.X_test.astype(np.float64), data.y_test)


def plane(n: int, seed: int = 0) -> tuple[np.ndarray, np.ndarray]:
    """Two overlapping moons of n points."""
    rng = np.random.default_rng(seed)
    t, y = rng.uniform(0, np.pi, n), rng.permutation(np.repeat([-1, 1], [n // 2, n - n // 2]))
    X = np.where((y > 0)[:, None], np.c_[np.cos(t), np.sin(t)], np.c_[1 - np.cos(t), 0.5 - np.sin(t)])
    return X + 0.2 * rng.normal(size=X.shape), y


def groups(short: bool) -> dict[str, dict[str, Callable[[], Task | None]]]:
    """What makes each task, by group and name; None comes of digits that are not there."""
    sizes = [2500, 5000, 10_000] if short else [2500, 5000, 10_000, 20_000, 60_000]
    kernels: tuple[Kernel, ...] = (Gaussian(gamma=1.0), Linear())
    small = [(n, kernel, C) for n in (40, 200, 1000, 4000) for kernel in kernels for C in (1.0, 100.0)]
    return {"small": {f"plane {type(kernel).__name__} C={C:g} n={n}": partial(on_the_plane, n, kernel, C)
                      for n, kernel, C in small},
            "tall": {f"linear C={C:g} n={n} d=10": partial(tall, n, C) for n in (2000, 10_000) for C in (1.0, 10.0)},
            "tables": {f"table d={d} C={C:g}": partial(table, d, C, short)
                       for d in (5, 10, 20, 50) for C in (1.0, 10.0)},
            "dimensions": {f"3-vs-8 d={d}": partial(dimension, d, short) for d in (2, 8, 32, 128, 512)},
            "digits": {"3-vs-8": partial(three_against_eight, short),
                       **{f"one-vs-one {n}": partial(one_vs_one, n, short) for n in sizes}}}


def on_the_plane(n: int, kernel: Kernel, C: float) -> Task:
    """Plane toy data, where calling costs as much as solving."""
    (X, y), (X_test, y_test) = plane(n), plane(1000, seed=1)
    return Task(X, y, X_test, y_test, kernel, C, repeat=9 if n <= 200 else 3, number=100 if n <= 200 else 4000 // n)


def tall(n: int, C: float) -> Task:
    """Many points in few dimensions with a linear kernel: the low-rank interior-point method."""
    rng = np.random.default_rng(0)
    X, w = rng.normal(size=(n + 1000, 10)), rng.normal(size=10)
    noise = 0.5 * np.linalg.norm(w) * rng.normal(size=n + 1000)
    y = np.where(X @ w + noise > 0, 1, -1)
    return Task(X[:n], y[:n], X[n:], y[n:], Linear(), C)


def table(d: int, C: float, short: bool) -> Task:
    """What most people have: 20,000 rows of d scaled features, two classes that overlap, one label in twenty at random.

    The Gaussian kernel has scikit-learn's gamma="scale"; a third of the points become support vectors.
    """
    n, informative = 4000 if short else 20_000, max(4, d // 2)
    redundant = min(d - informative, max(1, d // 4))
    X, codes = make_classification(n + 5000, d, n_informative=informative, n_redundant=redundant,
                                   n_clusters_per_class=4, flip_y=0.05, random_state=0)
    X, y = scale(X), 2 * codes - 1
    kernel = Gaussian(gamma=1.0 / (d * X[:n].var()))
    return Task(X[:n], y[:n], X[n:], y[n:], kernel, C, repeat=1 if short else 3, gap=False)


def dimension(d: int, short: bool) -> Task:
    """Cost against d at n = 4000: 3 against 8 in its first d principal components."""
    data = mnist()
    some = np.flatnonzero(np.isin(data.y_train, (3, 8)))[:5000]
    X, y = data.X_train[some], data.y_train[some]
    axes = np.linalg.svd(X - X.mean(axis=0), full_matrices=False)[2]
    m = min(4000, len(X) * 4 // 5)
    Z = (X - X.mean(axis=0)) @ axes[:d].T
    Z *= np.sqrt(50.0 / np.square(Z).sum(axis=1).mean())         # the same mean distance for every d
    return Task(Z[:m], y[:m], Z[m:], y[m:], DIGITS, 10.0, repeat=1 if short else 3, gap=False)


def three_against_eight(short: bool) -> Task:
    """The two digits of MNIST that are hardest to tell apart."""
    data = mnist()
    some, some_t = np.isin(data.y_train, (3, 8)), np.isin(data.y_test, (3, 8))
    return Task(data.X_train[some], data.y_train[some], data.X_test[some_t], data.y_test[some_t], DIGITS, 10.0,
                repeat=3 if short else 9)


def one_vs_one(n: int, short: bool) -> Task | None:
    """The first n digits of MNIST, all ten classes."""
    data = mnist()
    return None if n > len(data.X_train) else Task(
        data.X_train[:n], data.y_train[:n], data.X_test, data.y_test, DIGITS, 10.0,
        repeat=1 if short or n > 20_000 else 2 if n > 10_000 else 3, gap=n <= 20_000)


def measure(group: str, title: str, short: bool) -> list[dict[str, Any]]:
    """The rows of one task, in a process that has done nothing else; none where its data are missing."""
    warnings.filterwarnings("ignore")
    task = groups(short)[group][title]()
    compile_everything()
    return [] if task is None else compare(title, task)


def compile_everything() -> None:
    """Let numba compile or load its functions before the clock runs: one small problem of each kind."""
    data = load_mnist()
    X, Xt = data.X_train[:2500].astype(np.float64), data.X_test[:2500].astype(np.float64)
    SVC(DIGITS, C=10.0).fit(X, data.y_train[:2500]).predict(Xt)
    X, y = plane(2500)
    for n, solver in ((40, "auto"), (2500, "auto"), (2500, "working_set")):         # the last in float64
        SVC(Gaussian(gamma=1.0), solver=solver).fit(X[:n], y[:n])
    compare("warm-up", Task(X[:200], y[:200], X, y, Gaussian(gamma=1.0), 1.0, repeat=1))
