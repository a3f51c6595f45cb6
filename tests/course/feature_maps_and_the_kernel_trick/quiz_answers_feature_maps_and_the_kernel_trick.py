"""The quiz of this chapter, computed."""
from itertools import product

import numpy as np

from svmlib.kernels import Gaussian, Polynomial
from svmlib.kernels.feature_maps import count_monomials, monomials, paraboloid


def answers() -> list[list[bool]]:
    return [circle(), square(), count(), rank(), numbers()]


def circle() -> list[bool]:
    """Which curve lies on the zero set."""
    turn = np.linspace(0, 2 * np.pi, 50)
    rim = np.column_stack([np.cos(turn), np.sin(turn)])
    line = np.column_stack([np.full(50, -1.5), np.linspace(-3, 3, 50)])
    curves = ([1, 0] + 2 * rim, [1, 0] + 4 * rim, [-1, 0] + 2 * rim, line)
    return [np.allclose(paraboloid(curve) @ [-2, 0, 1] - 3, 0) for curve in curves]


def square() -> list[bool]:
    x = np.random.default_rng(0).normal(size=20)
    one = np.ones(20)
    maps = ([one, np.sqrt(2) * x, x**2], [one, x, x, x**2], [one, x, x**2], [one, 2 * x, x**2])
    return [np.allclose(np.transpose(phi) @ phi, Polynomial(Q=2)(x[:, None])) for phi in maps]


def count() -> list[bool]:
    """Sequences of three of the factors 1, x_1, ..., x_4, equal products counted once."""
    distinct = {tuple(sorted(factors)) for factors in product(range(5), repeat=3)}
    assert len(distinct) == count_monomials(4, 3) == len(monomials(4, 3))
    return [len(distinct) == value for value in (35, 125, 64, 20)]


def rank() -> list[bool]:
    """A map of 50 dimensions is refuted by a Gram matrix whose rank it cannot have, or which is not PSD."""
    points = 3 * np.random.default_rng(0).normal(size=(51, 2))
    K = Gaussian(sigma=0.5)(points)
    least = np.linalg.eigvalsh(K)[0]
    ranks = [np.linalg.matrix_rank(K[:n, :n]) for n in (50, 51)]
    return [ranks[1] > 50, least < 0, ranks[0] > 50, ranks[1] <= 50]


def numbers() -> list[bool]:
    kept = Polynomial(Q=4)(np.random.default_rng(0).random((500, 256))).size
    return [kept == value for value in (250_000, 186_000_000, 500 * 186_000_000, 256)]
