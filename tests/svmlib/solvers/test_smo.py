"""Second-order SMO: its optima against independent ones, its invariances, and how it ends."""
from __future__ import annotations

import os
import signal
import threading

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from oracles import brute_force, cvxopt_dual
from problems import random_problem

from svmlib.dual import ConvergenceWarning, DualProblem, NotSeparableError
from svmlib.kernels import Gaussian, Linear, NotPSDWarning, Polynomial, Precomputed, Sigmoid
from svmlib.solvers.smo import plain_smo, smo


def slow_problem(C=1e6):
    """Pair steps alone need some ten seconds for this one."""
    return random_problem(0, 500, recipe="plain", kernel=Linear(), C=C)


def check_feasible(problem, alpha):
    """0 <= alpha <= C and y' alpha = 0, to rounding."""
    assert (alpha >= 0).all()
    assert (alpha <= problem.C).all()
    assert abs(problem.y @ alpha) <= 1e-9 * max(1.0, alpha.sum())


# ---- the optimum -------------------------------------------------------------------------------------------------
@settings(max_examples=60, deadline=None)
@given(seed=st.integers(0, 2**32 - 1), n=st.integers(4, 60), newton=st.booleans())
@example(seed=2048, n=48, newton=True)
@example(seed=2048, n=48, newton=False)
def test_agrees_with_cvxopt(seed, n, newton):
    problem = random_problem(seed, n)
    solution = smo(problem, tol=1e-6, newton=newton)
    alpha, best = cvxopt_dual(problem)
    check_feasible(problem, solution.alpha)
    if not newton and solution.status == "max_iter":      # ten million pairs: what Newton steps are there for
        assert 0 < best - solution.objective <= solution.gap < 1e-3 * best
        assert smo(problem, tol=1e-6).status == "optimal"
        return
    assert solution.status == "optimal"
    assert solution.violation <= 1.01e-6 + 1e-9 * np.abs(problem.K @ solution.alpha).max()
    # Weak duality holds W* between W and W + gap, whatever cvxopt says; cvxopt is near W* up to its own error.
    assert 0 <= solution.gap <= 2 * problem.C.sum() * 1e-6 + 1e-9 * best
    assert solution.objective == pytest.approx(best, rel=1e-6, abs=1e-6 + problem.gap(alpha))


@pytest.mark.parametrize("block", range(8))
def test_two_thousand_problems_end_with_their_certificate(block):
    for seed in range(250 * block, 250 * (block + 1)):
        rng = np.random.default_rng(seed)
        problem = random_problem(rng, int(rng.integers(3, 100)))
        solution = smo(problem, tol=1e-5)
        check_feasible(problem, solution.alpha)
        assert solution.status == "optimal", seed
        assert 0 <= solution.gap <= 1.01e-5 * 2 * problem.C.sum() + 1e-9 * solution.objective, seed


@pytest.mark.parametrize("kernel", [Linear(), Gaussian(sigma=1.0), Polynomial(Q=3)])
@pytest.mark.parametrize("C", [1.0, 1000.0])
def test_reaches_1e10_where_the_problem_allows_it(kernel, C):
    solution = smo(random_problem(0, 60, recipe="plain", kernel=kernel, C=C), tol=1e-10)
    assert solution.status == "optimal"
    assert solution.violation <= 2e-10


@pytest.mark.parametrize("seed", range(30))
def test_dual_rises_in_every_step(seed):
    problem = random_problem(seed, 25)
    solution = smo(problem, tol=1e-6, history=True)
    values = np.array([0.0] + [state["objective"] for state in solution.history])
    assert (np.diff(values) >= -1e-12 * values[-1]).all()
    assert solution.history[-1]["n_iter"] == solution.n_iter
    assert solution.history[-1]["violation"] <= 1e-6
    pairs = [state["pair"] for state in solution.history if state["pair"] is not None]
    assert pairs
    assert all(i != j for i, j in pairs)


def test_history_changes_nothing():
    problem = random_problem(0, 150, recipe="plain", kernel=Gaussian(sigma=0.7), C=50.0)
    plain, recorded = smo(problem), smo(problem, history=True)
    assert np.allclose(plain.alpha, recorded.alpha, rtol=0, atol=1e-8 * 50)
    assert plain.history == []


# ---- what must not matter ----------------------------------------------------------------------------------------
@pytest.mark.parametrize("scale", [1e-8, 1e8])
def test_scale_of_the_kernel_does_not_matter(scale):
    """c K with bound C / c has the solution alpha / c."""
    p = random_problem(0, 40, recipe="plain", kernel=Gaussian(sigma=1.0), C=5.0)
    a = smo(DualProblem(Precomputed(), p.K, p.y, 5.0), tol=1e-8)
    b = smo(DualProblem(Precomputed(), scale * p.K, p.y, 5.0 / scale), tol=1e-8)
    assert np.allclose(a.alpha, scale * b.alpha, atol=1e-5)


# ---- starts, stops, and reports ----------------------------------------------------------------------------------
def test_warm_start_at_the_optimum_has_nothing_to_do():
    problem = random_problem(0, 80, recipe="plain", kernel=Gaussian(sigma=1.0), C=10.0)
    first = smo(problem, tol=1e-6)
    again = smo(problem, tol=1e-5, alpha0=first.alpha)
    assert again.n_iter == 0
    assert np.array_equal(again.alpha, first.alpha)


@pytest.mark.parametrize(("alpha0", "says"), [
    ([1.0, 0.0, 0.0], "y' alpha0 = 0"), ([3.0, 3.0, 0.0], r"\[0, C\]"), ([-1.0, -1.0, 0.0], r"\[0, C\]"),
    ([np.nan, 0.0, 0.0], "alpha0"), ([1.0, 1.0], "shape")])
def test_infeasible_start_is_refused(alpha0, says):
    problem = DualProblem(Linear(), [[0.0], [1.0], [2.0]], [-1, 1, 1], 2.0)
    with pytest.raises(ValueError, match=says):
        smo(problem, alpha0=np.array(alpha0))


def test_too_few_steps_warn_and_leave_a_usable_solution():
    problem = random_problem(0, 60, recipe="plain", kernel=Gaussian(sigma=0.5), C=100.0)
    with pytest.warns(ConvergenceWarning, match="smo stopped after 5 iterations"):
        solution = smo(problem, max_iter=5)
    check_feasible(problem, solution.alpha)
    assert solution.status == "max_iter"
    assert solution.n_iter == 5
    assert solution.gap == pytest.approx(problem.gap(solution.alpha, solution.b))
    assert 0 < solution.objective <= smo(problem).objective <= solution.objective + solution.gap


@pytest.mark.timeout(60)
def test_sigint_ends_a_long_fit():
    problem = slow_problem()
    smo(DualProblem(Linear(), [[0.0], [1.0]], [-1, 1], 1.0))            # compiled before the signal comes
    assert problem.K.shape == (500, 500)
    timer = threading.Timer(0.4, os.kill, (os.getpid(), signal.SIGINT))
    timer.start()
    solution = smo(problem, tol=1e-9, newton=False)
    assert solution.status == "interrupted"
    assert solution.n_iter > 0
    assert solution.objective > 0
    check_feasible(problem, solution.alpha)


def test_callback_may_stop_and_sees_the_state():
    seen = []

    def stop(state):
        seen.append(state)
        return len(seen) == 3

    problem = random_problem(0, 40, recipe="plain", kernel=Linear(), C=100.0)
    solution = smo(problem, callback=stop)
    assert solution.status == "interrupted"
    assert len(seen) == 3
    assert seen[-1]["objective"] == pytest.approx(problem.objective(seen[-1]["alpha"]))
    assert np.array_equal(seen[-1]["alpha"], solution.alpha)


def test_verbose_shows_the_violation(capsys):
    smo(random_problem(0, 40, recipe="plain", kernel=Linear(), C=100.0), verbose=True)
    assert "KKT violation" in capsys.readouterr().err


@pytest.mark.parametrize("max_iter", [38, 39, 40, 45, 60])
def test_max_iter_is_kept_also_within_a_newton_phase(max_iter):
    problem = random_problem(0, 40, recipe="plain", kernel=Linear(), C=1000.0)
    with pytest.warns(ConvergenceWarning):
        assert smo(problem, tol=1e-9, max_iter=max_iter).n_iter == max_iter


@pytest.mark.filterwarnings("ignore::RuntimeWarning")
def test_overflowing_kernel_is_refused():
    problem = random_problem(0, 20, recipe="plain", far=1e4, kernel=Polynomial(Q=100), C=1.0)
    with pytest.raises(ValueError, match=r"overflow|finite|scale"):
        smo(problem)


# ---- hard margin -------------------------------------------------------------------------------------------------
def test_hard_margin_on_a_line_is_half_the_distance():
    X, y = np.array([[-3.0], [-1.0], [2.5], [4.0]]), [-1, -1, 1, 1]
    solution = smo(DualProblem(Linear(), X, y, np.inf), tol=1e-10)
    w = 2 / (2.5 - -1.0)
    assert solution.objective == pytest.approx(w**2 / 2)
    assert solution.b == pytest.approx(-w * (2.5 - 1.0) / 2)
    assert np.flatnonzero(solution.alpha).tolist() == [1, 2]


@pytest.mark.parametrize("kernel", [Linear(), Polynomial(Q=2), Gaussian(sigma=1.0)])
def test_hard_margin_agrees_with_cvxopt(kernel):
    problem = random_problem(0, 60, recipe="plain", overlap=0.0, kernel=kernel, C=np.inf)
    solution = smo(problem, tol=1e-8)
    assert solution.status == "optimal"
    assert (problem.y * problem.decision(solution.alpha, solution.b)).min() > 1 - 1e-6
    assert solution.objective == pytest.approx(cvxopt_dual(problem)[1], rel=1e-6)


@pytest.mark.timeout(60)
@pytest.mark.parametrize("n", [10, 200])
@pytest.mark.parametrize("kernel", [Linear(), Gaussian(sigma=1.0)])
def test_no_hard_margin_is_said_at_once(kernel, n):
    p = random_problem(0, n, recipe="plain", kernel=kernel, C=np.inf)
    X, y = np.vstack([p.X, p.X[:1]]), np.append(p.y, -p.y[0])           # one point with both labels
    with pytest.raises(NotSeparableError, match="finite C"):
        smo(DualProblem(kernel, X, y, np.inf))


def test_hard_margin_for_some_points_only():
    C = np.where(np.arange(60) < 3, np.inf, 1.0)
    problem = random_problem(0, 60, recipe="plain", kernel=Linear(), C=C)
    solution = smo(problem, tol=1e-8)
    assert not DualProblem(Linear(), problem.X, problem.y, np.inf).separable()
    assert (problem.y * problem.decision(solution.alpha, solution.b))[:3].min() > 1 - 1e-6
    assert solution.objective == pytest.approx(cvxopt_dual(problem)[1], rel=1e-6)
    with pytest.warns(ConvergenceWarning):                              # not NotSeparableError: the others may err
        smo(problem, max_iter=3)


@pytest.mark.timeout(60)
def test_margin_thinner_than_rounding_ends():
    """Distinct points under a wide Gaussian: separable on paper, by a margin that float64 cannot hold."""
    with pytest.warns(ConvergenceWarning):
        solution = smo(random_problem(0, 150, recipe="plain", kernel=Gaussian(sigma=3.0), C=np.inf))
    assert solution.gap == np.inf


@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
def test_unreachable_tolerance_ends():
    solution = smo(random_problem(0, 200, recipe="plain", kernel=Linear(), C=1e6), tol=1e-15)
    assert solution.n_iter < 1_000_000
    assert solution.violation < 1e-4


# ---- indefinite kernels ------------------------------------------------------------------------------------------
def four_points():
    """Slide 38: a sigmoid kernel whose dual has two strict local maxima."""
    return DualProblem(Sigmoid(kappa=1.0, delta=1.0), [[1.2], [-1.1], [-2.3], [-1.1]], [1, 1, -1, -1], 1.0)


@pytest.mark.filterwarnings("ignore::svmlib.kernels.NotPSDWarning")
def test_two_certified_optima_from_two_starts():
    problem = four_points()
    a = smo(problem, alpha0=np.array([0.0, 1.0, 1.0, 0.0]), tol=1e-9)
    b = smo(problem, alpha0=np.array([0.0, 1.0, 0.0, 1.0]), tol=1e-9)
    assert a.status == b.status == "stationary"
    assert max(a.violation, b.violation) < 1e-9
    assert a.objective == pytest.approx(brute_force(problem)[1])        # the better one is the maximum
    assert a.objective > b.objective + 0.01
    assert np.abs(a.alpha - b.alpha).max() > 0.5
    rng = np.random.default_rng(0)
    for solution in (a, b):                                             # strict: every feasible way leads down
        for _ in range(300):
            step = rng.normal(size=4) * 1e-3
            moved = np.clip(solution.alpha + step - problem.y * (problem.y @ step) / 4, 0, 1)
            if abs(problem.y @ moved) < 1e-12:
                assert problem.objective(moved) < solution.objective


def test_indefinite_kernel_is_named_by_its_eigenvalue():
    with pytest.warns(NotPSDWarning, match="smallest eigenvalue"):
        assert smo(four_points()).status == "stationary"


@pytest.mark.filterwarnings("ignore::svmlib.kernels.NotPSDWarning")
@pytest.mark.parametrize("seed", range(20))
def test_indefinite_kernels_rise_to_a_stationary_point(seed):
    problem = random_problem(seed, 30, recipe="plain", kernel=Sigmoid(kappa=1.0, delta=0.5), C=3.0)
    solution = smo(problem, tol=1e-7, history=True)
    values = np.array([0.0] + [state["objective"] for state in solution.history])
    check_feasible(problem, solution.alpha)
    assert solution.status == "stationary"
    assert solution.violation <= 1.01e-7
    assert (np.diff(values) >= -1e-12 * values[-1]).all()


def test_indefinite_kernel_without_bound_is_refused():
    with pytest.raises(ValueError, match="indefinite kernel is unbounded"):
        smo(random_problem(0, 40, recipe="plain", kernel=Sigmoid(kappa=1.0, delta=1.0), C=np.inf))


def test_read_only_and_fortran_matrices_are_taken():
    p = random_problem(0, 30, recipe="plain", kernel=Gaussian(sigma=1.0), C=1.0)
    K = np.asfortranarray(p.K)
    K.flags.writeable = False
    solution = smo(DualProblem(Precomputed(), K, p.y, 1.0), tol=1e-8)
    assert solution.objective == pytest.approx(smo(p, tol=1e-8).objective)


# ---- the plain form ----------------------------------------------------------------------------------------------
@pytest.mark.filterwarnings("ignore::svmlib.kernels.NotPSDWarning")
@pytest.mark.parametrize("seed", range(10))
def test_plain_smo_on_indefinite_kernels(seed):
    problem = random_problem(seed, 30, recipe="plain", kernel=Sigmoid(kappa=1.0, delta=0.5), C=3.0)
    solution = plain_smo(problem, tol=1e-6, history=True)
    assert solution.violation <= 1.01e-6
    assert (np.diff([0.0] + [state["objective"] for state in solution.history]) >= -1e-9).all()


# ---- Newton ------------------------------------------------------------------------------------------------------
@pytest.mark.parametrize("C", [100.0, 1000.0])
def test_newton_replaces_most_of_the_pair_steps(C):
    problem = random_problem(0, 200, recipe="plain", kernel=Linear(), C=C)
    fast, slow = smo(problem), smo(problem, newton=False)
    assert fast.n_iter < slow.n_iter / 5
    assert fast.objective == pytest.approx(slow.objective, rel=1e-6)
