"""The general problem: its certificate for any alpha, a classifier as an instance, and what is refused."""
import numpy as np
import pytest
from problems import random_problem

from svmlib.dual import BoxProblem, DualProblem
from svmlib.kernels import Gaussian, Linear
from svmlib.solvers import solve

X = np.random.default_rng(0).normal(size=(80, 2))


def test_all_at_one_bound_has_one_end_of_the_interval_for_its_bias():
    problem = BoxProblem(Gaussian(gamma=0.5), X, np.ones(80), 1.0, 0.0, 80.0)
    s = solve(problem, "smo")
    assert np.all(s.alpha == 1.0)
    assert np.isfinite(s.b)
    assert s.gap == pytest.approx(0.0, abs=1e-9)


def test_a_classifier_is_an_instance():
    p = random_problem(0, 80, recipe="plain", kernel=Gaussian(sigma=1.0), C=3.0)
    a = solve(p, "smo", tol=1e-8)
    b = solve(BoxProblem(p.kernel, p.X, p.y, 3.0, p.y), "smo", tol=1e-8)
    assert np.array_equal(a.alpha, b.alpha)
    assert (a.b, a.gap) == (b.b, b.gap)


@pytest.mark.parametrize("seed", range(20))
def test_certificate_is_primal_minus_dual_whatever_alpha(seed):
    """The dual value by hand: the minimum of the Lagrangian over the box, taken point by point."""
    rng = np.random.default_rng(seed)
    problem = random_problem(rng, 25, general=True)
    beta, bias = problem.start() if seed % 2 else problem.y * rng.random(25) * problem.C, rng.normal()
    g = problem.K @ beta
    r = g + bias - problem.p
    below = -0.5 * beta @ g + np.minimum(r * problem.lo, r * problem.hi).sum() - bias * beta.sum()
    proof = problem.certificate(problem.y * beta, b=bias)
    assert proof.objective == pytest.approx(problem.p @ beta - 0.5 * beta @ g)
    assert proof.gap == pytest.approx(-proof.objective - below)


@pytest.mark.parametrize(("change", "says"), [
    ({"total": 81.0}, "total must lie between"), ({"total": -0.1}, "total must lie between"),
    ({"C": np.inf}, "C must be finite"), ({"p": np.nan}, "p must be"), ({"p": np.ones(3)}, "p must be"),
    ({"y": np.zeros(80)}, "y must hold"), ({"y": np.ones(3)}, "y must have shape")])
def test_bad_problems_are_refused(change, says):
    with pytest.raises(ValueError, match=says):
        BoxProblem(Linear(), X, **{"y": np.ones(80), "C": 1.0, "p": 0.0, "total": 8.0, **change})


def test_the_feasible_point_keeps_the_box_and_the_bounds():
    problem = DualProblem(Linear(), [[0.0], [1], [2], [3]], [1, 1, -1, -1], C=1.0)
    alpha = problem.feasible(np.array([1.0, 0.5, 0.6, 0.0]))
    np.testing.assert_allclose(alpha, [0.4, 0.2, 0.6, 0.0])
    alpha = problem.feasible(np.array([1.0, 0.5, 1.0, 0.0]))
    np.testing.assert_allclose(alpha, [1.0, 0.0, 1.0, 0.0])
    alpha = problem.feasible(np.array([1.0, 0.5, 1.0, 0.2]))
    np.testing.assert_allclose(alpha, [1.0, 0.2, 1.0, 0.2])


@pytest.mark.parametrize("seed", range(40))
def test_the_feasible_point_is_feasible_wherever_one_starts(seed):
    """Also with a total, where a class may have to give more than it has, and points at both bounds."""
    rng = np.random.default_rng(seed)
    y, C = rng.choice([-1.0, 1.0], 8), rng.uniform(0.5, 2.0, 8)
    ends = np.minimum(C * y, 0.0).sum(), np.maximum(C * y, 0.0).sum()
    total = rng.uniform(*ends)
    problem = BoxProblem(Linear(), rng.normal(size=(8, 2)), y, C, 0.0, total=total)
    alpha = problem.feasible(C * rng.choice([-0.1, 0.0, 0.3, 0.8, 1.0, 1.2], 8))
    assert alpha.min() >= 0
    assert (alpha <= C * (1 + 1e-12)).all()
    assert problem.y @ alpha == pytest.approx(problem.total, abs=1e-12)


def test_a_start_may_be_off_by_the_rounding_of_its_size():
    problem = DualProblem(Linear(), [[0.0], [1.0]], [-1, 1], C=1e9)
    assert problem.start([1e8, 1e8 + 1e-4]).tolist() == [-1e8, 1e8 + 1e-4]
    with pytest.raises(ValueError, match="alpha0 must satisfy"):
        problem.start([1e8, 1e8 + 1.0])
