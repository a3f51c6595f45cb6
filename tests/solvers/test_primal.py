"""The primal by subgradients, squared slack, and the machine without b, against the dual solvers."""
import numpy as np
import pytest
from scipy.optimize import minimize
from sklearn.svm import LinearSVC

import svmlib.solvers.primal as primal_module
from svmlib import DualProblem, solve
from svmlib.data import exponential_classes
from svmlib.kernels import Gaussian, Linear
from svmlib.solvers.primal import C_from_lambda, lambda_from_C, squared_slack, subgradient_descent, without_bias

KERNELS = [Linear(), Gaussian(sigma=1.0)]


def primal(problem, beta, b):
    """P(w, b) from its definition."""
    g = problem.K @ beta
    return 0.5 * beta @ g + problem.C @ np.maximum(0, 1 - problem.y * (g + b))


@pytest.mark.parametrize("kernel", KERNELS)
@pytest.mark.parametrize("C", [0.01, 1.0, np.linspace(0.1, 3, 40)])
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
    r, s = subgradient_descent(problem, tol=1e-9), solve(problem, "qp", tol=1e-8)
    np.testing.assert_allclose(r.w, (s.alpha * y) @ X, atol=1e-3)
    assert r.b == pytest.approx(s.b, abs=1e-3)
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
    assert lambda_from_C(C_from_lambda(lam, n), n) == pytest.approx(lam, rel=1e-12)
    s = solve(DualProblem(Linear(), X, y, C=C_from_lambda(lam, n)), "qp", tol=1e-8)
    w = (s.alpha * y) @ X
    answer = minimize(lambda v: lam * v[:2] @ v[:2] + v[3:].mean(), np.r_[np.zeros(3), np.ones(n)], method="SLSQP",
                      constraints=[{"type": "ineq", "fun": lambda v: y * (X @ v[:2] + v[2]) - 1 + v[3:]}],
                      bounds=[(None, None)] * 3 + [(0, None)] * n, options={"ftol": 1e-14, "maxiter": 500})
    np.testing.assert_allclose(answer.x[:2], w, rtol=1e-5)
    assert answer.fun == pytest.approx(s.objective * 2 * lam, rel=1e-8)


@pytest.mark.parametrize("function", [C_from_lambda, lambda_from_C])
def test_conversions_refuse_what_is_not_positive(function):
    with pytest.raises(ValueError, match="must be a finite number > 0"):
        function(0.0, 10)
    with pytest.raises(ValueError, match="n must be a finite number >= 1"):
        function(1.0, 0)


@pytest.mark.parametrize("kernel", KERNELS)
def test_squared_slack_solves_its_primal(kernel):
    """Primal value 1/2 |w|^2 + C sum xi^2 equals the dual value, and xi = alpha/(2C)."""
    problem = DualProblem(kernel, *exponential_classes(0), C=2.0)
    s = solve(squared_slack(problem), "active_set", tol=1e-8)
    beta = problem.y * s.alpha
    xi = np.maximum(0, 1 - problem.y * (problem.K @ beta + s.b))
    np.testing.assert_allclose(xi, s.alpha / 4.0, atol=1e-8)
    assert 0.5 * beta @ problem.K @ beta + 2.0 * xi @ xi == pytest.approx(s.objective, rel=1e-7)
    with pytest.raises(ValueError, match="no slack to square"):
        squared_slack(DualProblem(kernel, problem.X, problem.y, C=np.inf))


def test_without_bias_equals_liblinear():
    X, y = exponential_classes(0)
    for bias in (0.0, 1.0, 3.0):
        r = without_bias(DualProblem(Linear(), X, y, C=1.0), bias=bias, tol=1e-9, history=True)
        fit = {"fit_intercept": True, "intercept_scaling": bias} if bias else {"fit_intercept": False}
        lib = LinearSVC(C=1.0, loss="hinge", tol=1e-8, max_iter=1_000_000, random_state=0, **fit).fit(X, y)
        assert r.status == "optimal"
        np.testing.assert_allclose(r.w, lib.coef_[0], atol=1e-3)
        assert r.b == pytest.approx(float(np.ravel(lib.intercept_)[0]), abs=1e-3)
        assert np.all(np.diff([h["dual"] for h in r.history]) >= -1e-12)


def test_without_bias_hard_margin_is_another_machine():
    """Lecture notes, after (4): b is regularised too, so w differs; with a large bias the difference goes away."""
    X, y = np.array([[2.0, 1.0], [4.0, 1.5]]), np.array([-1, 1])
    problem = DualProblem(Linear(), X, y, C=np.inf)
    s = solve(problem, "qp", tol=1e-6)
    w = (s.alpha * y) @ X
    one = without_bias(problem, bias=1.0, max_iter=200_000)
    far = without_bias(problem, bias=100.0, max_iter=200_000, tol=1e-7)
    assert one.status == "optimal"
    assert np.min(y * (X @ one.w + one.b)) > 1 - 1e-3
    assert np.linalg.norm(one.w) >= np.linalg.norm(w) - 1e-6
    assert np.linalg.norm(one.w - w) > 10 * np.linalg.norm(far.w - w)


def test_an_interrupted_fit_without_bias_keeps_its_sweeps(monkeypatch):
    sweeps = iter([primal_module._sweep, primal_module._sweep])

    def interrupted(*arguments):
        sweep = next(sweeps, None)
        if sweep is None:
            raise KeyboardInterrupt
        sweep(*arguments)

    monkeypatch.setattr(primal_module, "_sweep", interrupted)
    r = without_bias(DualProblem(Linear(), *exponential_classes(0), C=10.0), tol=1e-12)
    assert (r.status, r.n_iter) == ("interrupted", 2)
    assert r.gap > 0


def test_without_bias_without_an_answer_says_so():
    r = without_bias(DualProblem(Linear(), [[0.0], [1], [2]], [1, -1, 1], C=np.inf), max_iter=50)
    assert r.status == "max_iter"
    assert r.gap == np.inf


def test_callback_interrupt_and_bad_arguments():
    problem = DualProblem(Linear(), *exponential_classes(0), C=1.0)

    def ctrl_c(state):
        if state["n_iter"] == 4:
            raise KeyboardInterrupt

    r = subgradient_descent(problem, callback=ctrl_c)
    assert (r.status, r.n_iter) == ("interrupted", 4)
    r = subgradient_descent(problem, callback=lambda state: state["n_iter"] == 6)
    assert (r.status, r.n_iter) == ("interrupted", 6)
    assert r.objective == pytest.approx(primal(problem, r.beta, r.b))
    assert subgradient_descent(problem, max_iter=3).status == "max_iter"
    with pytest.raises(ValueError, match="C must be finite"):
        subgradient_descent(DualProblem(Linear(), problem.X, problem.y, C=np.inf))
    with pytest.raises(ValueError, match="tol must be a finite number > 0"):
        subgradient_descent(problem, tol=0.0)
    with pytest.raises(ValueError, match="bias must be a finite number >= 0"):
        without_bias(problem, bias=-1.0)
