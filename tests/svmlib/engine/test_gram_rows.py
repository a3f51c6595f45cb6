"""Gram rows that are kept while a budget lasts."""
import numpy as np
import pytest

from svmlib.engine.gram_blocks import Points
from svmlib.engine.gram_rows import Budget, RowCache
from svmlib.kernels import Gaussian


@pytest.mark.parametrize("megabytes", [0.0, 0.03, 100.0])
def test_row_cache_adds_rows_kept_or_not(megabytes):
    X = np.random.default_rng(0).normal(size=(600, 3))
    K = Gaussian(sigma=1.0)(X)
    points, rng = Points.of(Gaussian(sigma=1.0), X), np.random.default_rng(1)
    budget = Budget(megabytes)
    cache = RowCache(points, points, budget)
    F = np.zeros(600)
    want = np.zeros(600)
    for _ in range(4):
        rows = rng.permutation(600)[:300]
        delta = rng.normal(size=300)
        cache.add(F, rows, delta)
        want += delta @ K[rows]
    np.testing.assert_allclose(F, want, atol=1e-10)
    assert 8 * 600 * cache.slot[-1] <= megabytes * 1e6
    cache.clear()
    assert budget.left == pytest.approx(megabytes * 1e6)


def test_released_rows_make_room_and_held_ones_do_not():
    X = np.random.default_rng(0).normal(size=(100, 2))
    points = Points.of(Gaussian(sigma=1.0), X)
    budget = Budget(60 * 100 * 8 / 1e6)                            # sixty rows
    first, second = RowCache(points, points, budget), RowCache(points, points, budget)
    F, rows, one = np.zeros(100), np.arange(40), np.ones(40)
    budget.use([first, second], 1)
    first.add(F, rows, one)
    second.add(F, rows, one)                                       # the first one is held: these do not fit
    assert (first.slot[-1], second.slot[-1]) == (40, 0)
    budget.use([first], 1)
    budget.use([first], -1)
    second.add(F, rows, one)                                       # somebody else still holds it
    assert (first.slot[-1], second.slot[-1]) == (40, 0)
    budget.use([first], -1)
    second.add(F, rows, one)
    assert (first.slot[-1], second.slot[-1]) == (0, 40)
    assert budget.left == 20 * 100 * 8
    np.testing.assert_allclose(F, 4 * Gaussian(sigma=1.0)(X)[:40].sum(axis=0), rtol=1e-12)
