"""The general problem: a classifier is one, what is none is refused, and a sum that leaves no choice has its bias."""
import numpy as np
import pytest

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
    y = np.where(np.sin(2 * X[:, 0]) + 0.3 * X[:, 1] > 0, 1, -1)
    a = solve(DualProblem(Gaussian(sigma=1.0), X, y, 3.0), "smo", tol=1e-8)
    b = solve(BoxProblem(Gaussian(sigma=1.0), X, y, 3.0, y), "smo", tol=1e-8)
    assert np.array_equal(a.alpha, b.alpha)
    assert (a.b, a.gap) == (b.b, b.gap)


@pytest.mark.parametrize(("change", "says"), [
    ({"total": 81.0}, "total must lie between"), ({"total": -0.1}, "total must lie between"),
    ({"C": np.inf}, "C must be finite"), ({"p": np.nan}, "p must be"), ({"p": np.ones(3)}, "p must be"),
    ({"y": np.zeros(80)}, "y must hold"), ({"y": np.ones(3)}, "y must have shape")])
def test_bad_problems_are_refused(change, says):
    with pytest.raises(ValueError, match=says):
        BoxProblem(Linear(), X, **{"y": np.ones(80), "C": 1.0, "p": 0.0, "total": 8.0, **change})
