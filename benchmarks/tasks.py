"""The problems: MNIST from two classes to sixty thousand digits, plane toy data, and a tall linear problem."""
from __future__ import annotations

from collections.abc import Iterator
from functools import cache

import numpy as np

from benchmarks.timing import Task
from svmlib.data import MNIST, MNISTError, load_mnist
from svmlib.kernels import Gaussian, Linear

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


def digits(short: bool) -> Iterator[Task]:
    """MNIST: 3 against 8, then one-vs-one for growing n."""
    data = mnist()
    X, y, Xt, yt = data.X_train, data.y_train, data.X_test, data.y_test
    some, some_t = np.isin(y, (3, 8)), np.isin(yt, (3, 8))
    yield Task("3-vs-8", X[some], y[some], Xt[some_t], yt[some_t], DIGITS, 10.0, repeat=2 if short else 3)
    for n in [2500, 5000, 10_000] if short else [2500, 5000, 10_000, 20_000, 60_000]:
        if n <= len(X):
            yield Task(f"one-vs-one {n}", X[:n], y[:n], Xt, yt, DIGITS, 10.0, repeat=1 if short or n > 20_000 else 2,
                       gap=n <= 20_000)


def small() -> Iterator[Task]:
    """Plane toy data, where calling costs as much as solving."""
    for n in (40, 200, 1000, 4000):
        (X, y), (X_test, y_test) = plane(n), plane(1000, seed=1)
        for kernel in (Gaussian(gamma=1.0), Linear()):
            for C in (1.0, 100.0):
                yield Task(f"plane {type(kernel).__name__} C={C:g} n={n}", X, y, X_test, y_test, kernel, C,
                           repeat=9 if n <= 200 else 3, number=100 if n <= 200 else max(1, 4000 // n))


def tall() -> Iterator[Task]:
    """Many points in few dimensions with a linear kernel: the low-rank interior-point method."""
    for n in (2000, 10_000):
        rng = np.random.default_rng(0)
        X, w = rng.normal(size=(n + 1000, 10)), rng.normal(size=10)
        noise = 0.5 * np.linalg.norm(w) * rng.normal(size=n + 1000)
        y = np.where(X @ w + noise > 0, 1, -1)
        for C in (1.0, 10.0):
            yield Task(f"linear C={C:g} n={n} d=10", X[:n], y[:n], X[n:], y[n:], Linear(), C, repeat=3)


def dimensions(short: bool) -> Iterator[Task]:
    """Cost against d at n = 4000: 3 against 8 in its first d principal components."""
    data = mnist()
    some = np.flatnonzero(np.isin(data.y_train, (3, 8)))[:5000]
    X, y = data.X_train[some], data.y_train[some]
    axes = np.linalg.svd(X - X.mean(axis=0), full_matrices=False)[2]
    m = min(4000, len(X) * 4 // 5)
    for d in (2, 8, 32, 128, 512):
        Z = (X - X.mean(axis=0)) @ axes[:d].T
        Z *= np.sqrt(50.0 / np.square(Z).sum(axis=1).mean())     # the same mean distance for every d
        yield Task(f"3-vs-8 d={d}", Z[:m], y[:m], Z[m:], y[m:], DIGITS, 10.0, repeat=1 if short else 3, gap=False)
