"""Random dual problems for all tests.

They are as nasty as data are: duplicated points, contradictory labels, constant features, points on a grid, any
overlap and any scale, one bound C a point, kernels of low rank, kernels that are none.
"""
from __future__ import annotations

import warnings
from typing import Any

import numpy as np

from svmlib import DualProblem
from svmlib.kernels import Gaussian, Kernel, Linear, Polynomial, Precomputed, Sigmoid


def overlap(n, seed=0, d=2):
    """n points in d dimensions whose classes overlap."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, d))
    y = np.where(X[:, 0] + 0.5 * rng.normal(size=n) > 0, 1, -1)
    y[:2] = 1, -1
    return X, y


def random_kernel(rng: np.random.Generator, indefinite: bool = False, precomputed: float = 0.1) -> Kernel:
    """A kernel at random, of the kind asked for."""
    if indefinite:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return [Sigmoid(kappa=float(rng.uniform(0.2, 2)), delta=float(rng.uniform(-1, 2))),
                    Polynomial(Q=3, a=1.0, b=-1.0), Gaussian(sigma=1.0) - Gaussian(sigma=0.5)][rng.integers(3)]
    return [Linear(), Polynomial(Q=int(rng.integers(1, 5)), a=0.5, b=1.0), Gaussian(sigma=float(rng.uniform(0.3, 3))),
            Gaussian(sigma=0.4, normalized=True), 0.5 * Linear() + Gaussian(gamma=1.0),
            Linear() * Gaussian(sigma=2.0)][rng.integers(6)]


def random_points(rng: np.random.Generator, n: int) -> np.ndarray:
    """Points with everything that breaks a careless solver."""
    X = rng.normal(size=(n, rng.integers(1, 5))) * 10 ** rng.uniform(-1, 0.5)
    if rng.random() < 0.2:
        X = np.round(X)                                         # a grid: many ties
    if rng.random() < 0.2:
        X[:, 0] = 1.0                                           # a feature that says nothing
    for _ in range(rng.integers(0, 4)):
        i, j = rng.integers(n, size=2)
        X[i] = X[j]                                             # duplicates, with either label
    return X


def random_problem(seed: int | np.random.Generator, n: int | None = None, *, largest: int = 30, C: Any = None,
                   kernel: Kernel | None = None, indefinite: bool = False, precomputed: float = 0.1) -> DualProblem:
    """One random problem; the same for the same seed.

    n : number of points; None draws 2 to `largest`.  C, kernel : given, or drawn.  indefinite : draw a kernel that is
    none.  precomputed : share of problems that are given by their Gram matrix, where the kernel is drawn.
    """
    rng = np.random.default_rng(seed)
    n = int(rng.integers(2, largest + 1)) if n is None else n
    X = random_points(rng, n)
    y = np.where(X @ rng.normal(size=X.shape[1]) + rng.uniform(0, 2) * rng.normal(size=n) > 0, 1, -1)
    y[rng.permutation(n)[:2]] = 1, -1
    if C is None:
        C = 10 ** rng.uniform(-2, 3)
        if rng.random() < 0.3:
            C = C * rng.uniform(0.1, 1, size=n)
    k = kernel or random_kernel(rng, indefinite)
    if kernel is None and rng.random() < precomputed:
        return DualProblem(Precomputed(), k(X), y, C)
    return DualProblem(k, X, y, C)


def unpleasant_problem(seed: int, n_max: int = 60) -> DualProblem:
    """A problem for the methods of quadratic programming: any scale, half of the points repeated, or far away.

    Tests keep seeds of problems that once went wrong, so what a seed gives must not change.
    """
    rng = np.random.default_rng(seed)
    n, d = int(rng.integers(4, n_max + 1)), int(rng.integers(1, 6))
    X = rng.normal(size=(n, d)) * 10 ** rng.uniform(-1, 0.5)
    y = np.where(X[:, 0] + rng.normal(size=n) * rng.choice([0.1, 1]) * X.std() > 0, 1, -1)
    y[:2] = [-1, 1]
    if seed % 5 == 0:                                    # repeated points, each label drawn for itself
        X[n // 2:] = X[:n - n // 2]
    kernel = [Linear(), Polynomial(Q=int(rng.integers(1, 4))), Gaussian(sigma=10 ** rng.uniform(-1, 1))][seed % 3]
    if seed % 11 == 0 and isinstance(kernel, Linear):
        X = X + 1000
    C = 10 ** rng.uniform(-2, 3)
    if seed % 7 == 0:
        C = C * rng.uniform(0.1, 1, n)
    return DualProblem(kernel, X, y, C=C)
