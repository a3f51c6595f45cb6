"""Whether a hard margin exists, decided by the kernel, by a linear program over features, or by duplicates."""
import numpy as np
import pytest

from svmlib.dual import DualProblem
from svmlib.dual.separability import separable
from svmlib.kernels import Gaussian, Linear, Polynomial, Subsequence
from svmlib.kernels.feature_maps import polynomial_features


def decided(kernel, X, y):
    """separable, with the Gram matrix at hand."""
    X = np.asarray(X, dtype=float)
    return separable(kernel, X, np.asarray(y, dtype=float), lambda: kernel(X))


def test_alternating_labels_on_a_line_need_as_many_degrees_as_changes():
    X, y = np.arange(5.0)[:, None] - 2.0, [1, -1, 1, -1, 1]
    assert [decided(Polynomial(Q=Q), X, y) for Q in range(1, 6)] == [False, False, False, True, True]
    assert [decided(k, X, y) for k in (Linear(), Gaussian(sigma=1.0))] == [False, True]


@pytest.mark.parametrize("seed", range(40))
def test_a_polynomial_kernel_separates_what_its_features_do(seed):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(12, 2))
    y = np.where(np.sum(X ** 2, axis=1) + 0.3 * rng.normal(size=12) > 1.2, 1.0, -1.0)
    assert decided(Polynomial(Q=2), X, y) == decided(Linear(), polynomial_features(X, 2), y)


@pytest.mark.parametrize("kernel", [Gaussian(sigma=1.0), Polynomial(Q=3), Linear()], ids=repr)
def test_two_labels_in_one_place_are_never_separable(kernel):
    assert not decided(kernel, [[0.0, 1.0], [0.0, 1.0], [2.0, 0.0]], [1, -1, 1])


def test_hard_margin_refuses_a_string_with_both_labels():
    p = DualProblem(Subsequence(), ["ab", "ba", "ab"], [1, -1, -1], C=np.inf)
    assert not p.separable()
    assert DualProblem(Subsequence(), ["ab", "ba", "a"], [1, -1, -1], C=np.inf).separable()
