"""The block of a working set stays the block of its points, however the set changes; and what it rests on."""
import numpy as np
import pytest

from svmlib.engine.gram_blocks import Points
from svmlib.engine.gram_rows import BlockGram, Budget, unwritten
from svmlib.engine.row_kernels import add_products, row_kernel_of
from svmlib.engine.working_block import WorkingBlock
from svmlib.kernels import Gaussian, Linear, Polynomial

# Kernels with few coordinates in float32, whose values are cheap; the same in float64; many coordinates; no products.
KINDS = {"cheap": (Gaussian(sigma=2.0), 4, np.float32), "kept": (Gaussian(sigma=2e-3), 4, np.float64),
         "many coordinates": (Polynomial(Q=2, a=0.01), 120, np.float32),
         "no products": (Gaussian(sigma=2.0).map(np.tanh), 4, np.float64)}
SCALE = {"kept": 1e-3}


@pytest.mark.parametrize("kind", KINDS)
def test_the_block_follows_its_set(kind):
    kernel, d, dtype = KINDS[kind]
    rng = np.random.default_rng(5)
    X = SCALE.get(kind, 1.0) * rng.normal(size=(700, d))
    K, rough = kernel(X), 1e-5 if dtype is np.float32 else 1e-12
    gram = BlockGram(Points.of(kernel, X, dtype), Budget(2))
    assert gram.points.cheap == (kind == "cheap")
    block, F, beta = WorkingBlock(gram, 300), np.zeros(700), np.where(rng.random(700) < 0.2, 1.0, 0.0)
    in_F = np.zeros(700)
    block.update(F, beta, in_F)                                    # a warm start, before there is a working set
    for turn in range(12):
        stay = np.flatnonzero(rng.random(len(block.S)) < (0.3, 0.9, 0.0)[turn % 3])
        outside = np.setdiff1d(np.arange(700), block.S)
        kept = block.S[stay]
        new = rng.permutation(outside)[:rng.integers(1, 120)]
        block.change(stay, new)
        assert len(set(block.S)) == len(block.S) <= 300
        assert {*kept, *new} <= set(block.S)
        n = len(block.S)
        np.testing.assert_allclose(block.K[:n, :n], K[np.ix_(block.S, block.S)], atol=rough * np.abs(K).max())
        beta[block.S] += rng.normal(size=n)
        block.update(F, beta, in_F)
        np.testing.assert_array_equal(in_F, beta)
        np.testing.assert_allclose(F, K @ beta, atol=rough * 100 * np.abs(K).max() * np.abs(beta).sum() / n)


def test_a_set_at_its_limit_lets_points_go():
    """A few that could leave stay, but never so that the set grows beyond its limit."""
    X = np.random.default_rng(1).normal(size=(60, 3))
    block = WorkingBlock(BlockGram(Points.of(Gaussian(sigma=1.0), X), Budget(1)), 40)
    block.change(np.empty(0, np.intp), np.arange(40))
    block.change(np.arange(1, 40), np.array([50]))                 # one leaves, one comes
    assert len(block.S) == 40
    assert 0 not in block.S
    assert 50 in block.S
    block.change(np.arange(0, 40, 2), np.arange(51, 54))
    block.change(np.arange(22), np.arange(54, 56))                 # one of 23 could leave, and there is room
    assert len(block.S) == 25


@pytest.mark.parametrize(("rows", "columns"), [(0, 5), (3, 0), (7, 11), (2000, 1500)])
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_room_is_empty_and_its_own(rows, columns, dtype):
    one, other = unwritten(rows, columns, dtype), unwritten(rows, columns, dtype)
    assert one.shape == (rows, columns)
    assert one.dtype == dtype
    assert one.flags.writeable
    assert one.flags.c_contiguous
    assert not one[:3].any()
    one[:] = 1
    assert not other.any()


@pytest.mark.parametrize("kernel", [Gaussian(sigma=0.7), Gaussian(sigma=1.0, normalized=True), Linear(),
                                    Polynomial(Q=3, a=0.5, b=2.0)], ids=repr)
@pytest.mark.parametrize(("n", "m"), [(1, 1), (40, 40), (40, 7), (40, 0)])
def test_products_with_the_first_points_are_added(kernel, n, m):
    rng = np.random.default_rng(n + m)
    X, beta, start = rng.normal(size=(n, 2)), rng.normal(size=m), rng.normal(size=n)
    out = start.copy()
    add_products(out, row_kernel_of(kernel, X), beta)
    np.testing.assert_allclose(out, start + kernel(X)[:, :m] @ beta, rtol=1e-12, atol=1e-12)
