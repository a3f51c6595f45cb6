"""Blocks of a Gram matrix as matrix products."""
import tracemalloc
import warnings

import numpy as np
import pytest

from svmlib import SVC, DualProblem, solve
from svmlib.engine.gram_blocks import Points, frame_of
from svmlib.kernels import Gaussian, Linear, Polynomial, Precomputed, Sigmoid


def laplacian(X, Z):
    """A user's kernel."""
    return np.exp(-np.abs(X[:, None] - Z).sum(axis=2))


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("kernel", [Gaussian(gamma=0.05), Gaussian(sigma=2.0, normalized=True), Polynomial(Q=1),
                                    Polynomial(Q=9, a=0.1, b=0.5), Sigmoid(0.1, 0.2), Linear(),
                                    Linear(np.diag([1.0, 2.0, 0.5, 0.0, 3.0]))], ids=str)
def test_coordinates_are_the_kernel(kernel, dtype):
    rng = np.random.default_rng(0)
    X, Z = rng.normal(size=(20, 5)) + 2, rng.normal(size=(30, 5))
    X[:, 2] = 0.0                                            # matters for new points only
    points = Points.of(kernel, X, dtype)
    tolerance = 1e-4 if dtype is np.float32 else 1e-11
    np.testing.assert_allclose(points.block(points), kernel(X), rtol=tolerance)
    np.testing.assert_allclose(points.like(Z).block(points), kernel(Z, X), rtol=tolerance, atol=tolerance)
    np.testing.assert_allclose(points.diag, kernel.diag(X))
    frame = frame_of(kernel, X, dtype)
    assert len(frame.columns) == 4 if frame else kernel.A is not None


def test_a_subclass_is_asked_itself():
    class Twice(Gaussian):
        def block(self, X, Z):
            return 2 * super().block(X, Z)

    X = np.random.default_rng(0).normal(size=(10, 3))
    assert frame_of(Twice(gamma=0.5), X) is None
    points = Points.of(Twice(gamma=0.5), X)
    np.testing.assert_allclose(points.block(points), 2 * Gaussian(gamma=0.5)(X))


@pytest.mark.parametrize("kernel", [Gaussian(sigma=1.0), Polynomial(Q=3), Linear(), laplacian, Sigmoid(0.3, 0.1),
                                    Precomputed()], ids=lambda k: getattr(k, "__name__", str(k)))
@pytest.mark.parametrize(("n", "m", "d"), [(1300, 1100, 2), (30, 30, 20), (700, 3, 20), (5, 0, 2)])
def test_product_from_half_of_the_blocks(kernel, n, m, d):
    rng = np.random.default_rng(0)
    X, beta = 100 + rng.normal(size=(2 * n, d)), rng.normal(size=m)
    problem = DualProblem(kernel, Gaussian(sigma=1.0)(X) if isinstance(kernel, Precomputed) else X,
                          np.resize([1.0, -1.0], 2 * n))
    rows = rng.permutation(2 * n)[:n]
    K = problem.K[np.ix_(rows, rows[:m])]
    np.testing.assert_allclose(Points.of(problem.kernel, problem.X, order=rows).times(beta), K @ beta,
                               rtol=1e-9, atol=1e-9 * np.abs(K).max(initial=1.0))


def test_certificate_needs_less_memory_than_the_matrix_of_support_vectors():
    X = np.random.default_rng(0).normal(size=(4000, 30))
    tracemalloc.start()
    Points.of(Gaussian(sigma=1.0), X).times(np.ones(4000))
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 0.4 * 8 * 4000 ** 2


class Twice(Linear):
    """A subclass with a block of its own."""

    def block(self, X, Z):
        return 2 * super().block(X, Z)

    def diagonal(self, X):
        return 2 * super().diagonal(X)


class Half(Gaussian):
    """A subclass with a formula of its own."""

    def of_products(self, P, x2=None, z2=None):
        return 0.5 * super().of_products(P, x2, z2)

    def diagonal(self, X):
        return 0.5 * super().diagonal(X)


class Doubled(Linear):
    """The same, of a kernel that needs no lengths."""

    def of_products(self, P, x2=None, z2=None):
        return 2 * P


class Hidden(Twice):
    """A formula behind a block that does not ask it."""

    def of_products(self, P, x2=None, z2=None):
        return 3 * P


KINDS = [(kernel, d) for kernel in (Twice(), Half(sigma=1.0), Doubled(), Hidden()) for d in (3, 30)]


@pytest.mark.parametrize(("kernel", "d"), [*KINDS, (Doubled(np.diag([1.0, 2.0, 1.0])), 3)], ids=str)
def test_engine_and_kernel_compute_the_same_for_every_subclass(kernel, d):
    rng = np.random.default_rng(0)
    X = rng.normal(size=(40, d))
    points = Points.of(kernel, X)
    np.testing.assert_allclose(points.block(points), kernel(X), rtol=1e-10, atol=1e-10)
    np.testing.assert_allclose(points.diag, kernel(X).diagonal(), rtol=1e-10)
    y = np.where(X[:, 0] + rng.normal(size=40) > 0, 1, -1)
    given = solve(DualProblem(Precomputed(), kernel(X), y), "smo", tol=1e-8).objective
    for name in ("smo", "working_set", "qp", "auto"):
        assert solve(DualProblem(kernel, X, y), name, tol=1e-6).objective == pytest.approx(given, rel=1e-5)
    if d == 3 and isinstance(kernel, Linear):
        assert solve(DualProblem(kernel, X, y), "qp_low_rank", tol=1e-6).objective == pytest.approx(given, rel=1e-5)
    machine = SVC(kernel, tol=1e-8).fit(X, y)
    f = kernel(X, X[machine.support_]) @ machine.dual_coef_[0] + machine.intercept_
    np.testing.assert_allclose(machine.decision_function(X), f, atol=1e-8)


def test_no_points_have_a_frame():
    X = np.random.default_rng(0).normal(size=(20, 30))
    assert Points.of(Gaussian(sigma=1.0), X[:0]).like(X).block(Points.of(Gaussian(sigma=1.0), X[:0])).shape == (20, 0)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert Gaussian(sigma=1.0)(X, X[:0]).shape == (20, 0)
