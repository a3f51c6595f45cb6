"""The active-set methods: Nocedal and Wright's examples, the sheet's data, and the QP solver as a second opinion."""

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from oracles import assert_optimal
from problems import random_problem

from svmlib import ConvergenceWarning, DualProblem, NotSeparableError, solve
from svmlib.data import blobs_with_intruders, separable_blobs, xs_kernel, xs_linear
from svmlib.kernels import Gaussian, Linear, Precomputed
from svmlib.solvers.active_set_general import minimize_qp
from svmlib.solvers.interior_point import UnboundedError

D_16_4 = np.array([[1.0, -1, -1, 1, 0], [-2, -2, 2, 0, 1]])
EXAMPLE_16_4 = (2 * np.eye(2), [2.0, 5.0], None, None, D_16_4, [-2.0, -6, -2, 0, 0], [2.0, 0.0])


def all_free(problem):
    """The sheet's start with no bound active: alpha in proportion to 1/n_+ and 1/n_- on the classes."""
    count = np.where(problem.y > 0, np.sum(problem.y > 0), np.sum(problem.y < 0))
    return min(1.0, 0.5 * float(np.min(problem.C * count))) / count


# ---- minimize_qp ------------------------------------------------------------------------------------------------
def test_example_16_4_of_nocedal_and_wright_with_its_path():
    r = minimize_qp(*EXAMPLE_16_4)
    points = [[2, 0], [2, 0], [1, 0], [1, 0], [1, 1.5], [1.4, 1.7]]
    np.testing.assert_allclose([x for x, _ in r.path], points, atol=1e-12)
    assert [W for _, W in r.path] == [(2, 4), (4,), (4,), (), (0,), (0,)]      # the book counts from 1
    np.testing.assert_allclose(r.lam, [0.8, 0, 0, 0, 0], atol=1e-12)
    assert (r.status, r.n_iter) == ("optimal", 5)
    assert r.slack.min() > -1e-12


def test_example_16_2_of_nocedal_and_wright_with_equalities_alone():
    G = np.array([[6.0, 2, 1], [2, 5, 2], [1, 2, 4]])
    C = np.array([[1.0, 0], [0, 1], [1, 1]])
    r = minimize_qp(G, [8.0, 3, 3], C, [3.0, 0], None, None, x0=[3.0, 0, 0])
    np.testing.assert_allclose(r.x, [2, -1, 1], atol=1e-12)
    np.testing.assert_allclose(r.mu, [3, -2], atol=1e-12)


@pytest.mark.parametrize("outlier", [False, True])
@pytest.mark.parametrize("C", [10.0, np.inf])
@pytest.mark.parametrize("balanced", [False, True])
def test_minimize_qp_solves_the_svm_dual_of_the_sheet(outlier, C, balanced):
    """Aufgaben 2 and 4, also from lambda = 0, whose 40 active bounds depend on each other with y'lambda = 0."""
    p = DualProblem(Linear(), *xs_linear(outlier), C=C)
    eye = np.eye(p.n)
    D, delta = (eye, np.zeros(p.n)) if np.isinf(C) else (np.hstack([eye, -eye]), np.repeat([0.0, -C], p.n))
    r = minimize_qp(p.Q, np.ones(p.n), p.y, 0.0, D, delta, all_free(p) if balanced else np.zeros(p.n), 1e-5)
    s = solve(p, "qp", tol=1e-6)
    assert r.status == "optimal"
    assert -r.objective == pytest.approx(s.objective, rel=1e-6)
    assert r.mu[0] == pytest.approx(-s.b, rel=1e-5)      # w_0 of the sheet is the multiplier of y'lambda = 0


@settings(max_examples=40, deadline=None)
@given(st.integers(0, 100_000))
def test_minimize_qp_satisfies_kkt_on_random_convex_problems(seed):
    rng = np.random.default_rng(seed)
    n, m, p, rank = int(rng.integers(2, 7)), int(rng.integers(1, 9)), int(rng.integers(0, 2)), int(rng.integers(1, 7))
    B = rng.normal(size=(n, rank))                       # singular where rank < n
    A, b = B @ B.T, rng.normal(size=n)
    C, D, x0 = rng.normal(size=(n, p)), np.hstack([rng.normal(size=(n, m)), np.eye(n), -np.eye(n)]), rng.normal(size=n)
    delta = np.r_[D[:, :m].T @ x0 - rng.choice([0, 0.5], m), np.full(2 * n, -10.0)]      # a box: never unbounded
    r = minimize_qp(A, b, C, C.T @ x0, D, delta, x0)
    assert r.status == "optimal"
    np.testing.assert_allclose(A @ r.x - b - C @ r.mu - D @ r.lam, 0, atol=1e-6)
    assert r.slack.min() > -1e-8
    assert r.lam.min() > -1e-6
    assert abs(r.lam @ r.slack) < 1e-6
    values = [0.5 * x @ A @ x - b @ x for x, _ in r.path]
    assert np.diff(values).max(initial=0) < 1e-8


@pytest.mark.parametrize("eps", [1e-9, 1e-11, 1e-13])
def test_all_but_singular_matrices_do_not_walk_out_of_the_constraints(eps):
    """Steps of 1 / eps along the null space of u u' would leave y'x = 0 by their own rounding, and then the box."""
    y = np.resize([1.0, -1.0], 6)
    box = np.hstack([np.eye(6), -np.eye(6)]), np.r_[np.zeros(6), -np.full(6, 1e4)]
    for seed in range(40):
        u = np.random.default_rng(seed).normal(size=(6, 2))
        r = minimize_qp(u @ u.T + eps * np.eye(6), np.ones(6), y[:, None], [0.0], *box, np.zeros(6))
        assert r.status == "optimal"
        for x, _ in r.path:
            assert abs(y @ x) < 1e-9
            assert -1e-9 < x.min() <= x.max() < 1e4 + 1e-9


@pytest.mark.parametrize("length", [1e-9, 1e-3, 1e3, 1e9, 1e12])
def test_minimize_qp_has_no_unit_of_its_constraints(length):
    """1000 a >= 1000 is a >= 1: the multiplier shrinks, but not what it says."""
    A, b, D = 2 * np.eye(2), [2.0, 5.0], np.array([[1.0, -1, -1, 1, 0], [-2, -2, 2, 0, 1]])
    delta, mixed = np.array([-2.0, -6, -2, 0, 0]), np.array([1.0, length, 1.0, 1.0, length])
    for scale in (length * np.ones(5), mixed):
        r = minimize_qp(A, b, None, None, D * scale, delta * scale, x0=[2.0, 0.0])
        assert np.allclose(r.x, [1.4, 1.7])
        assert np.isclose(r.lam[0] * scale[0], 0.8)
        assert r.working_set == (0,)


def test_minimize_qp_does_not_hold_a_wall_that_it_does_not_touch():
    """|b| / |A| is 10^6 here and the box small beside it; a start in its middle touches no wall."""
    D, delta = np.hstack([np.eye(2), -np.eye(2)]), np.array([0, 0, -0.01, -0.01])
    r = minimize_qp(1e-6 * np.eye(2), [1.0, -1.0], None, None, D, delta, x0=[0.005, 0.005])
    assert np.allclose(r.x, [0.01, 0.0], atol=1e-12)


def test_minimize_qp_refuses_in_any_unit():
    """Neither a small indefinite matrix nor a small infeasible start passes for rounding."""
    with pytest.raises(ValueError, match="positive semidefinite"):
        minimize_qp(1e-10 * np.array([[1.0, 2], [2, 1]]), [1e-10, 0], None, None, np.eye(2), [0, 0], x0=[0, 0])
    with pytest.raises(ValueError, match="symmetric"):
        minimize_qp(1e-10 * np.array([[1.0, 0.5], [0, 1]]), [1e-10, 0], None, None, np.eye(2), [0, 0], x0=[0, 0])
    with pytest.raises(ValueError, match="x0 must satisfy"):
        minimize_qp([[1.0]], [1e-10], None, None, [[1.0]], [1e-10], x0=[-1e-10])


@pytest.mark.parametrize("tol", [1e-5, 1e-8])
@pytest.mark.parametrize("unit", [1e-4, 1.0, 300.0, 1000.0])
def test_minimize_qp_has_no_unit(unit, tol):
    """Metres or millimetres, the machine is the same: an absolute tolerance would take alpha = 0 for the answer."""
    for seed in range(5):
        X, y = separable_blobs(seed)
        p, n = DualProblem(Linear(), unit * X, y, C=np.inf), len(y)
        r = minimize_qp(p.Q, np.ones(n), y, [0.0], np.eye(n), np.zeros(n), np.zeros(n), tol)
        assert r.status == "optimal"
        assert np.isclose(-r.objective, solve(p, "qp").objective, rtol=1e-6)


@pytest.mark.parametrize("tol", [1e-5, 1e-8])
@pytest.mark.parametrize("shift", [1e3, 1e5, 1e6, 1e8])
def test_minimize_qp_has_no_origin(shift, tol):
    """A room far from the origin: there tol |x| is longer than any step in it, and tol max |b| than any multiplier."""
    A, b, _, _, D, delta, x0 = EXAMPLE_16_4
    far = np.full(2, shift)
    r = minimize_qp(A, b + A @ far, None, None, D, delta + D.T @ far, x0 + far, tol)
    assert r.status == "optimal"
    assert r.working_set == (0,)
    assert np.allclose(r.x - far, [1.4, 1.7], atol=1e-15 * shift + 1e-9)
    with pytest.raises(ValueError, match="x0 must satisfy D'x >= delta"):               # a quarter outside of it
        minimize_qp(A, b + A @ far, None, None, D, delta + D.T @ far, x0 + far - [0, 0.25], tol)


@pytest.mark.parametrize("seed", range(12))
def test_minimize_qp_has_no_origin_on_random_problems(seed):
    rng = np.random.default_rng(seed)
    n = 2 + seed % 5
    B, x0 = rng.normal(size=(n, rng.integers(1, n + 1))), rng.normal(size=n)            # B B' is singular in most
    A, b = B @ B.T, 10 * rng.normal(size=n)
    C, D = rng.normal(size=(n, seed % 2)), np.hstack([rng.normal(size=(n, 2 * n)), np.eye(n), -np.eye(n)])
    slack = np.r_[rng.uniform(0, 1, 2 * n) * (rng.random(2 * n) < 0.7), np.full(2 * n, 5.0)]
    near, *others = (minimize_qp(A, b + A @ far, C, C.T @ (x0 + far), D, D.T @ (x0 + far) - slack, x0 + far, 1e-5)
                     for far in (np.zeros(n), np.full(n, 1e4), np.full(n, 1e6)))
    for far, r in zip((1e4, 1e6), others, strict=True):
        assert r.status == near.status == "optimal"
        x = r.x - far
        assert np.isclose(0.5 * x @ A @ x - b @ x, near.objective, rtol=1e-6, atol=1e-6)
        assert r.slack.min() > -1e-6


@pytest.mark.parametrize("C", [100.0, 1e5])
def test_minimize_qp_is_right_where_the_box_is_large(C):
    """Multipliers much smaller than C, which is a length of the box and not of the problem."""
    for seed in range(3):
        p = DualProblem(Linear(), *blobs_with_intruders(seed), C=C)
        box = np.hstack([np.eye(p.n), -np.eye(p.n)]), np.r_[np.zeros(p.n), np.full(p.n, -C)]
        r = minimize_qp(p.Q, np.ones(p.n), p.y, [0.0], *box, np.zeros(p.n), 1e-5)
        assert np.isclose(-r.objective, solve(p, "qp", tol=1e-9).objective, rtol=1e-7)


def test_minimize_qp_unbounded_and_singular():
    with pytest.raises(UnboundedError, match="decreases without bound along p"):
        minimize_qp(np.diag([1.0, 0]), [0, 1], None, None, np.eye(2), [0, 0], [1, 1])
    r = minimize_qp(np.diag([1.0, 0]), [0, -1], None, None, np.eye(2), [0, 0], [1, 1])
    np.testing.assert_allclose(r.x, 0, atol=1e-12)
    with pytest.warns(ConvergenceWarning, match="stopped after 2 iterations"):
        assert minimize_qp(*EXAMPLE_16_4, max_iter=2).status == "max_iter"
    steps = minimize_qp(*EXAMPLE_16_4).n_iter
    assert minimize_qp(*EXAMPLE_16_4, max_iter=steps).status == "optimal"          # as many as it takes


@pytest.mark.parametrize(("change", "message"), [
    ({"A": -np.eye(2)}, "A must be positive semidefinite, got the eigenvalue -1"),
    ({"A": np.array([[1.0, 1], [0, 1]])}, "A must be symmetric"),
    ({"x0": [0.0, 5.0]}, r"x0 must satisfy D'x >= delta, but \(D'x0\)\[0\] = -10, delta\[0\] = -2"),
    ({"C": [1.0, 0], "gamma": [5.0]}, r"x0 must satisfy C'x = gamma, but \(C'x0\)\[0\] = 2, gamma\[0\] = 5"),
    ({"D": D_16_4.T}, r"D must have shape \(2, 5\)"),
    ({"gamma": [1.0]}, "give C and gamma together"),
    ({"x0": [0.0]}, r"x0 must have shape \(2,\)"),
    ({"b": [0.0, np.nan]}, "b must be finite"),
    ({"tol": 0.0}, "tol must be a positive number"),
])
def test_minimize_qp_names_what_is_wrong(change, message):
    arguments = dict(zip(("A", "b", "C", "gamma", "D", "delta", "x0"), EXAMPLE_16_4, strict=True))
    with pytest.raises(ValueError, match=message):
        minimize_qp(**{**arguments, **change})


# ---- active_set -------------------------------------------------------------------------------------------------
@pytest.mark.parametrize("seed", range(90))
def test_active_set_equals_qp(seed):
    problem = random_problem(seed, recipe="unpleasant", largest=60)
    s = solve(problem, "active_set", tol=1e-6, alpha0=all_free(problem) if seed % 2 else None)
    assert_optimal(problem, s)
    assert s.objective == pytest.approx(solve(problem, "qp", tol=1e-6).objective, rel=1e-6)


@settings(max_examples=40, deadline=None)
@given(st.integers(0, 100_000))
@example(759)
@example(10428)                                          # far away: y'alpha drifted by 3e-6 with the rounding of steps
def test_history_climbs_and_stays_feasible(seed):
    problem = random_problem(seed, recipe="unpleasant", largest=30)
    s = solve(problem, "active_set", tol=1e-6, history="alpha")
    values = [0.0] + [h["objective"] for h in s.history]
    rounding = 1e-7 if seed % 11 == 0 else 1e-9          # of objectives, far from the origin and near
    assert np.diff(values).min() >= -rounding * max(values)
    for h in s.history:
        assert abs(problem.y @ h["alpha"]) <= 1e-9 * max(1.0, h["alpha"].sum())
        assert len(h["zero"]) + len(h["bounded"]) + len(h["free"]) == problem.n
    assert s.history[-1]["n_iter"] == s.n_iter


@pytest.mark.parametrize("balanced", [False, True])
@pytest.mark.parametrize(("sigma", "C", "outlier", "total"), [
    (0.125, np.inf, False, 3.99), (0.5, np.inf, False, 82.4), (2.0, np.inf, False, 5.15e4),
    (0.125, np.inf, True, 188), (0.5, np.inf, True, 4.46e6), (0.5, 10.0, True, None), (2.0, 10.0, True, None)])
def test_the_kernel_problems_of_the_sheet_need_no_ridge(balanced, sigma, C, outlier, total):
    problem = DualProblem(Gaussian(sigma=sigma, normalized=True), *xs_kernel(outlier), C=C)
    s = solve(problem, "active_set", tol=1e-6, alpha0=all_free(problem) if balanced else None)
    assert_optimal(problem, s)
    assert s.objective == pytest.approx(solve(problem, "qp", tol=1e-6).objective, rel=1e-6)
    if total:
        assert s.alpha.sum() == pytest.approx(total, rel=3e-3)


def test_the_worst_conditioned_problem_of_the_sheet():
    problem = DualProblem(Gaussian(sigma=2.0, normalized=True), *xs_kernel(outlier=True), C=np.inf)
    s = solve(problem, "active_set")
    assert s.status == "optimal"
    assert s.alpha.sum() == pytest.approx(1.055e12, rel=2e-3)


def test_ridge_is_the_two_norm_soft_margin():
    X, y = xs_linear()
    hard = DualProblem(Linear(), X, y, C=np.inf)
    s = solve(DualProblem(Precomputed(), hard.K + 1e-2 * np.eye(40), y, C=np.inf), "active_set", tol=1e-6)
    beta, xi = y * s.alpha, 1e-2 * s.alpha                           # slack xi at the price C = 50, 1/(2 C) = 1e-2
    np.testing.assert_allclose(np.maximum(0, 1 - y * (hard.K @ beta + s.b)), xi, atol=1e-8)
    assert 0.5 * beta @ hard.K @ beta + 50.0 * xi @ xi == pytest.approx(s.objective, rel=1e-7)
    assert s.objective < solve(hard, "active_set").objective - 1


@pytest.mark.parametrize(("X", "y", "kernel"), [
    ([[0.0], [1], [2]], [1, -1, 1], Linear()), ([[0.0], [1], [1]], [1, -1, 1], Linear()),
    ([[0.0], [1], [1]], [1, -1, 1], Gaussian(sigma=1.0))], ids=["line", "both labels", "both labels, Gaussian"])
def test_hard_margin_that_does_not_exist(X, y, kernel):
    with pytest.raises(NotSeparableError, match="give a finite C"):
        solve(DualProblem(kernel, X, y, C=np.inf), "active_set")


def test_start_from_the_solution_takes_no_step_that_changes_it():
    problem = random_problem(8, recipe="unpleasant", largest=60)
    s = solve(problem, "active_set", tol=1e-6)
    t = solve(problem, "active_set", tol=1e-6, alpha0=s.alpha)
    assert t.n_iter <= 2
    np.testing.assert_allclose(t.alpha, s.alpha, rtol=1e-9)


def test_too_few_steps_warn():
    problem = DualProblem(Linear(), *xs_linear(), C=10.0)
    with pytest.warns(ConvergenceWarning, match="active_set stopped after 3 iterations"):
        assert solve(problem, "active_set", max_iter=3).status == "max_iter"
