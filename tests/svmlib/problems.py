"""One generator of random problems for all tests.

By default they are as nasty as data are: duplicated points, contradictory labels, constant features, points on a grid,
any overlap and any scale, one bound C a point, kernels of low rank, kernels that are none.  Where a test is about
something else, such as what happens when a solver is interrupted, its problem is plain.
"""
from __future__ import annotations

import warnings
from functools import partial
from typing import Any

import numpy as np

from svmlib.dual import BoxProblem, DualProblem
from svmlib.kernels import Gaussian, Kernel, Linear, Polynomial, Precomputed, Sigmoid


def random_problem(seed: int | np.random.Generator, n: int | None = None, *, recipe: str = "mixed", largest: int = 30,
                   d: int | None = 2, overlap: float = 0.5, far: float = 0.0, repeated: bool = False, C: Any = None,
                   kernel: Any = None, indefinite: bool = False, precomputed: float = 0.1,
                   general: bool = False) -> BoxProblem:
    """One random problem; the same for the same seed, for good: tests keep seeds of problems that once went wrong.

    recipe : "mixed", everything that breaks a careless solver, at random; "plain", normally distributed points of two
    classes that overlap; "unpleasant", what is hard for the methods of quadratic programming, in turn (it takes seed,
    n and largest only).

    n : number of points; None draws up to `largest`.  d : of plain points, their dimension; None draws 1 to 5.
    overlap : of plain points, the noise in the first coordinate, whose sign is the class; at 0 the classes are
    separable, at inf labels have nothing to do with points.  far : distance from the origin, in each coordinate.
    repeated : half of the points are there twice, each label drawn for itself.

    C, kernel : given, or drawn.  indefinite : draw a kernel that is none.  precomputed : share of problems that are
    given by their Gram matrix, where the kernel is drawn.  general : a BoxProblem with any p and any total.
    """
    if recipe == "unpleasant":
        return _unpleasant(seed, n, largest)
    rng = np.random.default_rng(seed)
    n = int(rng.integers(2, largest + 1)) if n is None else n
    X, y = {"mixed": _mixed, "plain": partial(_plain, d=d, overlap=overlap)}[recipe](rng, n)
    if repeated:
        X[n // 2:] = X[:n - n // 2]
    X += far
    if C is None:
        C = 10 ** rng.uniform(-2, 3)
        if rng.random() < 0.3:
            C = C * rng.uniform(0.1, 1, size=n)
    drawn = kernel is None
    kernel = _kernel(rng, indefinite) if drawn else kernel
    if drawn and rng.random() < precomputed:
        kernel, X = Precomputed(), kernel(X)
    if not general:
        return DualProblem(kernel, X, y, C)
    ends = y * C
    return BoxProblem(kernel, X, y, C, rng.normal(size=n), rng.uniform(ends[y < 0].sum(), ends[y > 0].sum()))


def _mixed(rng: np.random.Generator, n: int) -> tuple[np.ndarray, np.ndarray]:
    """Points with everything that breaks a careless solver, and labels that some direction has to do with."""
    X = rng.normal(size=(n, rng.integers(1, 5))) * 10 ** rng.uniform(-1, 0.5)
    if rng.random() < 0.2:
        X = np.round(X)                                         # a grid: many ties
    if rng.random() < 0.2:
        X[:, 0] = 1.0                                           # a feature that says nothing
    for _ in range(rng.integers(0, 4)):
        i, j = rng.integers(n, size=2)
        X[i] = X[j]                                             # duplicates, with either label
    y = np.where(X @ rng.normal(size=X.shape[1]) + rng.uniform(0, 2) * rng.normal(size=n) > 0, 1, -1)
    y[rng.permutation(n)[:2]] = 1, -1
    return X, y


def _plain(rng: np.random.Generator, n: int, d: int | None, overlap: float) -> tuple[np.ndarray, np.ndarray]:
    """Normal points; the class is the sign of the first coordinate, with noise."""
    X = rng.normal(size=(n, int(rng.integers(1, 6)) if d is None else d))
    y = np.where(X[:, 0] + overlap * rng.normal(size=n) > 0, 1, -1)
    if abs(y.sum()) == n:
        y[0] = -y[0]                                            # one class only is no problem
    return X, y


def _kernel(rng: np.random.Generator, indefinite: bool) -> Kernel:
    """A kernel at random, of the kind asked for."""
    if indefinite:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return [Sigmoid(kappa=float(rng.uniform(0.2, 2)), delta=float(rng.uniform(-1, 2))),
                    Polynomial(Q=3, a=1.0, b=-1.0), Gaussian(sigma=1.0) - Gaussian(sigma=0.5)][rng.integers(3)]
    return [Linear(), Polynomial(Q=int(rng.integers(1, 5)), a=0.5, b=1.0), Gaussian(sigma=float(rng.uniform(0.3, 3))),
            Gaussian(sigma=0.4, normalized=True), 0.5 * Linear() + Gaussian(gamma=1.0),
            Linear() * Gaussian(sigma=2.0)][rng.integers(6)]


def _unpleasant(seed: int, n: int | None, largest: int) -> DualProblem:
    """Any scale, half of the points repeated, or all of them far away, and kernels in turn."""
    rng = np.random.default_rng(seed)
    n, d = int(rng.integers(4, largest + 1)) if n is None else n, int(rng.integers(1, 6))
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
