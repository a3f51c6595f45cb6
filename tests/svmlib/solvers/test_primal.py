"""The primal by subgradients, against the dual solvers."""
import numpy as np
import pytest
from scipy.optimize import minimize

from svmlib import ConvergenceWarning, DualProblem, solve
from svmlib.data import exponential_classes
from svmlib.kernels import Gaussian, Linear
from svmlib.solvers.primal import subgradient_descent

KERNELS = [Linear(), Gaussian(sigma=1.0)]


def primal(problem, beta, b):
    """P(w, b) from its definition."""
    g = problem.K @ beta
    return 0.5 * beta @ g + problem.C @ np.maximum(0, 1 - problem.y * (g + b))


@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
@pytest.mark.parametrize(("kernel", "C"), [
    (KERNELS[0], 0.01), (KERNELS[0], 1.0), (KERNELS[1], np.linspace(0.1, 3, 40)),
    *(pytest.param(*more, marks=pytest.mark.thorough) for more in (
        (KERNELS[1], 0.01), (KERNELS[1], 1.0), (KERNELS[0], np.linspace(0.1, 3, 40))))])
def test_twenty_thousand_steps_reach_the_optimum_of_the_qp(kernel, C):
    problem = DualProblem(kernel, *exponential_classes(0), C=C)
    best = solve(problem, "qp", tol=1e-8).objective
    r = subgradient_descent(problem, tol=1e-9, history=True)
    assert r.objective == pytest.approx(primal(problem, r.beta, r.b), rel=1e-9)
    assert 0 <= r.objective / best - 1 + 1e-12 < 4e-6
    assert r.objective - best <= r.gap + 1e-9 * best     # the certificate is one
    values, duals, gaps = (np.array([h[key] for h in r.history]) for key in ("objective", "dual", "gap"))
    assert np.all(duals <= best * (1 + 1e-9))
    assert np.all(values >= best * (1 - 1e-9))
    assert np.all(np.diff(gaps) <= 1e-12)


def test_linear_form_has_the_w_of_the_kernel_form_and_equals_the_dual():
    X, y = exponential_classes(1)
    problem = DualProblem(Linear(), X, y, C=1.0)
    r, s = subgradient_descent(problem, tol=1e-7), solve(problem, "qp", tol=1e-8)
    np.testing.assert_allclose(r.w, (s.alpha * y) @ X, atol=1e-3)
    assert r.b == pytest.approx(s.b, abs=1e-3)
    with pytest.warns(ConvergenceWarning, match="stopped after 5 steps at a duality gap of"):
        assert subgradient_descent(DualProblem(Gaussian(sigma=1.0), X, y), max_iter=5).w is None


def test_steps_with_no_free_choice_of_b():
    """One point a class and C tiny: every b between the points is optimal, the middle is taken."""
    r = subgradient_descent(DualProblem(Linear(), [[-1.0], [3.0]], [-1, 1], C=1e-3))
    s = solve(DualProblem(Linear(), [[-1.0], [3.0]], [-1, 1], C=1e-3), "qp")
    assert r.b == pytest.approx(s.b)
    assert r.status == "optimal"


def test_lam_and_C_name_the_same_problem():
    """The w of lam |w|^2 + mean hinge, found by a general optimiser on a smooth form, is that of C = 1/(2 lam n)."""
    X, y = exponential_classes(2)
    n, lam = len(y), 0.0125
    s = solve(DualProblem(Linear(), X, y, C=1 / (2 * lam * n)), "qp", tol=1e-8)
    w = (s.alpha * y) @ X
    answer = minimize(lambda v: lam * v[:2] @ v[:2] + v[3:].mean(), np.r_[np.zeros(3), np.ones(n)], method="SLSQP",
                      constraints=[{"type": "ineq", "fun": lambda v: y * (X @ v[:2] + v[2]) - 1 + v[3:]}],
                      bounds=[(None, None)] * 3 + [(0, None)] * n, options={"ftol": 1e-14, "maxiter": 500})
    np.testing.assert_allclose(answer.x[:2], w, rtol=1e-5)
    assert answer.fun == pytest.approx(s.objective * 2 * lam, rel=1e-8)


def test_a_stop_and_bad_arguments():
    problem = DualProblem(Linear(), *exponential_classes(0), C=1.0)
    r = subgradient_descent(problem, callback=lambda state: state["n_iter"] == 6)
    assert (r.status, r.n_iter) == ("interrupted", 6)
    assert r.objective == pytest.approx(primal(problem, r.beta, r.b))
    with pytest.warns(ConvergenceWarning):
        assert subgradient_descent(problem, max_iter=3).status == "max_iter"
    with pytest.raises(ValueError, match="C must be finite"):
        subgradient_descent(DualProblem(Linear(), problem.X, problem.y, C=np.inf))
    with pytest.raises(ValueError, match="tol must be a positive number"):
        subgradient_descent(problem, tol=0.0)
    with pytest.raises(ValueError, match="max_iter must be a positive integer, -1 for no limit, or None"):
        subgradient_descent(problem, max_iter=0)
