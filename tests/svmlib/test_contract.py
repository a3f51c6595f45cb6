"""The public API, line by line, used as from outside: names, signatures, shapes, attributes, types of errors.

What kernels, data sets and machines of several classes promise stands with their own tests.
"""
import inspect

import numpy as np
import pytest
from problems import random_problem

from svmlib import SVC, ConvergenceWarning, DualProblem, NotPSDWarning, NotSeparableError, Solution, solve
from svmlib.kernels import Gaussian, Linear, Precomputed, Sigmoid
from svmlib.solvers import SOLVERS, WARM_STARTS

P = random_problem(0, 40, recipe="plain", overlap=0.3, kernel=Linear(), C=1.0)
X, Y = P.X, P.y.astype(int)
NAMES = [*SOLVERS, "auto"]


# ---- the dual problem and its solvers --------------------------------------------------------------------------
def test_dual_problem():
    p = DualProblem(Gaussian(sigma=1.0), X, Y, C=10.0)
    s = solve(p, "smo", tol=1e-8)
    Q = np.outer(Y, Y) * Gaussian(sigma=1.0)(X)
    assert p.objective(s.alpha) == pytest.approx(s.alpha.sum() - 0.5 * s.alpha @ Q @ s.alpha)
    assert np.allclose(p.gradient(s.alpha), 1 - Q @ s.alpha)
    assert p.bias(s.alpha) == pytest.approx(s.b)
    assert p.gap(s.alpha, s.b) == pytest.approx(s.gap, abs=1e-9)
    assert p.violation(s.alpha, s.b).shape == (40,)
    f = Q @ s.alpha * Y + s.b
    primal = 0.5 * s.alpha @ Q @ s.alpha + 10.0 * np.maximum(0, 1 - Y * f).sum()
    assert primal == pytest.approx(s.objective, abs=1e-6)
    assert DualProblem(Precomputed(), Gaussian(sigma=1.0)(X), Y, C=np.full(40, 10.0)).objective(s.alpha) == \
        pytest.approx(s.objective)


def test_signature_of_solve():
    parameters = inspect.signature(solve).parameters
    assert list(parameters)[:2] == ["problem", "name"]
    assert {k: parameters[k].default for k in ("tol", "max_iter", "callback", "verbose", "history")} == \
        {"tol": 1e-3, "max_iter": None, "callback": None, "verbose": False, "history": False}


@pytest.mark.parametrize("name", NAMES)
def test_every_name_returns_the_same_kind_of_solution(name):
    p = DualProblem(Linear() if name == "qp_low_rank" else Gaussian(sigma=1.0), X, Y, C=1.0)
    seen = []
    s = solve(p, name, tol=1e-3, history=True, callback=lambda state: seen.append(state["n_iter"]))
    assert isinstance(s, Solution)
    assert s.alpha.shape == (40,)
    assert isinstance(s.b, float)
    assert isinstance(s.objective, float)
    assert 0 <= s.gap <= 40 * 1.1e-3
    assert isinstance(s.n_iter, int)
    assert (s.status, s.converged) == ("optimal", True)
    assert s.history
    assert seen == sorted(seen)
    assert solve(p, name).history == []
    stopped = solve(p, name, callback=lambda state: True)
    assert stopped.status in ("interrupted", "optimal")                 # optimal: over before the first call
    assert np.isfinite(stopped.alpha).all()


def test_hard_margin():
    s = solve(DualProblem(Linear(), [[0.0], [2.0], [3.0]], [-1, 1, 1], C=np.inf), "smo", tol=1e-9)
    assert s.alpha == pytest.approx([0.5, 0.5, 0.0])
    for name in ("qp", "qp_low_rank", "active_set", "smo", "smo_random", "smo_kkt", "auto"):
        with pytest.raises(NotSeparableError, match="give a finite C"):
            solve(DualProblem(Linear(), [[0.0], [1.0], [2.0]], [-1, 1, -1], C=np.inf), name)
    assert issubclass(NotSeparableError, ValueError)


def test_statuses():
    with pytest.warns(NotPSDWarning, match="smallest eigenvalue"):
        assert solve(DualProblem(Sigmoid(delta=1.0), X, Y), "smo").status == "stationary"
    with pytest.warns(ConvergenceWarning, match="duality gap"):
        assert solve(DualProblem(Gaussian(sigma=1.0), X, Y), "smo", max_iter=1).status == "max_iter"


@pytest.mark.parametrize(("kernel", "n", "d", "C", "name"), [
    (Gaussian(sigma=1.0), 1000, 30, 1.0, "smo"), (Gaussian(sigma=1.0), 4000, 2, 1.0, "smo"),
    (Gaussian(sigma=1.0), 9000, 2, 1.0, "working_set"), (Gaussian(sigma=1.0), 4000, 30, 1.0, "working_set"),
    (Linear(), 1000, 2, 1.0, "smo"), (Linear(), 4000, 2, 1.0, "qp_low_rank"), (Linear(), 4000, 2, np.inf, "smo")])
def test_auto_chooses_by_size(kernel, n, d, C, name):
    from svmlib.solvers import choose_solver

    assert choose_solver(DualProblem(kernel, np.ones((n, d)), np.where(np.arange(n) % 2, 1, -1), C)) == name


def test_a_gram_matrix_beyond_memory_is_refused_with_the_way_out():
    p = DualProblem(Gaussian(sigma=1.0), np.ones((40_000, 1)), np.where(np.arange(40_000) % 2, 1, -1))
    for form in (lambda: p.K, lambda: solve(p, "smo"), lambda: solve(p, "qp")):
        with pytest.raises(MemoryError, match='solver="working_set"'):
            form()


def test_problems_and_solutions_say_what_they_are():
    p = DualProblem(Linear(), X, Y, C=np.where(Y > 0, 1.0, 2.0))
    s = solve(p, "smo")
    assert repr(p) == "DualProblem(Linear(), n=40, C=1…2)"
    assert repr(s).startswith("Solution(smo: optimal, objective=")
    assert sorted([*s.free, *s.bounded]) == s.support.tolist()


@pytest.mark.parametrize("name", ["smo", "working_set", "active_set", "qp", "auto"])
@pytest.mark.parametrize("C", [1.0, np.arange(1.0, 41.0)])
def test_points_that_are_all_the_same_have_an_optimum(name, C):
    """K = 0: each alpha of the class with the smaller sum of C is C, and the other class gets as much."""
    y = np.where(np.arange(40) % 3, 1.0, -1.0)
    s = solve(DualProblem(Linear(), np.zeros((40, 2)), y, C), name, tol=1e-6)
    least = min((C * np.ones(40))[y == sign].sum() for sign in (1, -1))
    assert s.status == "optimal"
    assert s.objective == pytest.approx(2 * least)


# ---- SVC -------------------------------------------------------------------------------------------------------
def test_signature_of_svc():
    defaults = {k: v.default for k, v in inspect.signature(SVC).parameters.items()}
    promised = {"kernel": None, "C": 1.0, "solver": "auto", "multiclass": "ovo", "tol": 1e-3, "class_weight": None,
                "n_jobs": None, "verbose": False}
    assert promised.items() <= defaults.items()
    assert list(inspect.signature(SVC.fit).parameters) == ["self", "X", "y", "sample_weight"]


def test_fitted_attributes():
    clf = SVC(Linear(), C=2.0)
    assert clf.fit(X, Y, sample_weight=np.ones(40)) is clf
    n_sv = len(clf.support_)
    assert clf.classes_.tolist() == [-1, 1]
    assert np.array_equal(clf.support_vectors_, X[clf.support_])
    assert clf.n_support_.sum() == n_sv
    assert clf.dual_coef_.shape == (1, n_sv)
    assert np.allclose(clf.dual_coef_[0], (Y * clf.solutions_[0].alpha)[clf.support_])
    assert clf.intercept_.shape == (1,)
    assert np.allclose(clf.decision_function(X), X @ clf.coef_[0] + clf.intercept_)
    assert clf.margin_ == pytest.approx(1 / np.linalg.norm(clf.coef_))
    assert clf.solver_ in NAMES
    assert len(clf.solutions_) == 1
    assert clf.score(X, Y) == np.mean(clf.predict(X) == Y)
    with pytest.raises(AttributeError, match="linear kernel only"):
        _ = SVC().fit(X, Y).coef_


# ---- the rest --------------------------------------------------------------------------------------------------
def test_what_students_write_themselves():
    from svmlib.solvers.active_set_general import minimize_qp
    from svmlib.solvers.smo_lab_sheet import one_step

    assert list(inspect.signature(minimize_qp).parameters)[:9] == \
        ["A", "b", "C", "gamma", "D", "delta", "x0", "tol", "max_iter"]
    r = minimize_qp(2 * np.eye(2), np.array([2.0, 5.0]), None, None, -np.eye(2), -np.ones(2), np.zeros(2))
    assert r.x == pytest.approx([1.0, 1.0])
    K, y = np.array([[0.0, 0.0], [0.0, 4.0]]), np.array([-1.0, 1.0])
    alpha, f, b = one_step(0, 1, np.zeros(2), y, K, np.zeros(2), 10.0, 0.0)
    assert (alpha.tolist(), f.tolist(), float(b)) == ([0.5, 0.5], [-1.0, 1.0], -1.0)


@pytest.mark.parametrize("name", WARM_STARTS)
def test_a_start_at_the_optimum_stays_there(name):
    problem = random_problem(3, 30, C=1.0, kernel=Gaussian(sigma=1.0))
    best = solve(problem, "qp", tol=1e-9)
    again = solve(problem, name, tol=1e-3, alpha0=best.alpha)
    assert again.status == "optimal"
    assert again.n_iter <= 30                                 # of the active set: it looks once more
    assert again.objective == pytest.approx(best.objective, rel=1e-6)
    with pytest.raises(ValueError, match="alpha0 must"):
        solve(problem, name, alpha0=np.full(30, 2.0))
