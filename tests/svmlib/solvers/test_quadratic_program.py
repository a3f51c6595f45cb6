"""The QP solvers: cvxopt as it is, brute force, scikit-learn, and what a user sees when there is no solution."""

import warnings

import numpy as np
import pytest
from cvxopt import matrix, misc, solvers, spmatrix
from hypothesis import given, settings
from hypothesis import strategies as st
from oracles import assert_optimal, cvxopt_dual
from problems import random_problem
from sklearn.svm import SVC as LibSVC

from svmlib import ConvergenceWarning, DualProblem, NotPSDWarning, NotSeparableError, solve
from svmlib.data import xs_kernel, xs_linear
from svmlib.kernels import Gaussian, Linear, Polynomial, Precomputed, Sigmoid
from svmlib.solvers.crossover import polish
from svmlib.solvers.interior_point import InfeasibleError, Program, UnboundedError, run, solve_qp
from svmlib.solvers.monitor import Monitor
from svmlib.solvers.quadratic_program import Dense


# ---- solve_qp ---------------------------------------------------------------------------------------------------
def test_solve_qp_satisfies_kkt_and_equals_cvxopt():
    rng = np.random.default_rng(0)
    for _ in range(20):
        n, m = 6, 9
        B = rng.normal(size=(n, n))
        P, q, G, A = B @ B.T, rng.normal(size=n), rng.normal(size=(m, n)), rng.normal(size=(2, n))
        x0 = rng.normal(size=n)
        h, b = G @ x0 + rng.uniform(0, 1, m), A @ x0
        r = solve_qp(P, q, G, h, A, b)
        assert r.status == "optimal"
        np.testing.assert_allclose(P @ r.x + q + G.T @ r.z + A.T @ r.y, 0, atol=1e-7)
        np.testing.assert_allclose(A @ r.x, b, atol=1e-8)
        assert (h - G @ r.x).min() > -1e-8
        assert r.z.min() > -1e-9
        assert abs(r.z @ (h - G @ r.x)) < 1e-7
        direct = solvers.qp(*(matrix(np.atleast_2d(M).T if M.ndim == 1 else M) for M in (P, q, G, h, A, b)),
                            options={"show_progress": False})
        assert r.objective == pytest.approx(direct["primal objective"], rel=1e-5, abs=1e-6)


def test_solve_qp_history_starts_at_the_start_and_closes_the_gap():
    r = solve_qp(np.eye(2), [-1.0, -1], [[1.0, 1]], [1.0], history=True)
    gaps = [h["gap"] for h in r.history]
    assert [h["n_iter"] for h in r.history] == list(range(r.n_iter + 1))
    assert abs(gaps[-1]) < 1e-9 < abs(gaps[0])
    np.testing.assert_allclose(r.history[-1]["x"], r.x)
    np.testing.assert_allclose(r.x, [0.5, 0.5], atol=1e-8)


def test_solve_qp_leaves_cvxopts_options_alone():
    solvers.options["maxiters"] = 1                      # what somebody else has set is not used, and stays
    try:
        before = dict(solvers.options)
        assert solve_qp(np.eye(2), [-1.0, -1], [[1.0, 1]], [1.0]).n_iter > 1
        assert dict(solvers.options) == before
    finally:
        del solvers.options["maxiters"]


def test_solve_qp_takes_sparse_matrices_and_problems_without_inequalities():
    eye = spmatrix(1.0, range(2), range(2))
    r = solve_qp(eye, [1.0, 1.0], -eye, [0.0, 0.0])
    np.testing.assert_allclose(r.x, 0, atol=1e-7)
    r = solve_qp(np.eye(2), [1.0, 1.0], A=[[1.0, 1.0]], b=[1.0])
    np.testing.assert_allclose(r.x, 0.5)
    np.testing.assert_allclose(r.y, -1.5)


def test_solve_qp_infeasible_unbounded_unfinished():
    with pytest.raises(InfeasibleError, match="no x satisfies Gx <= h"):
        solve_qp(np.eye(2), [1, 1], [[1.0, 0], [-1, 0]], [-1, -1])
    with pytest.raises(UnboundedError, match="decreases without bound"):
        solve_qp(np.diag([1.0, 0]), [1, -1], [[1.0, 0]], [1])
    with pytest.raises(UnboundedError, match="decreases without bound"):
        solve_qp(np.diag([1.0, 0]), [1, -1], [[1.0, 0], [0, -1]], [1, 0])
    with pytest.warns(ConvergenceWarning, match="stopped after 2 iterations at a gap of"):
        r = solve_qp(np.eye(2), [-1.0, -1], [[1.0, 1]], [1.0], max_iter=2)
    assert r.status == "max_iter"
    assert r.n_iter == 2


@pytest.mark.parametrize(("arguments", "message"), [
    (([[1.0]], [1.0, 2.0]), r"P must have shape \(2, 2\)"),
    ((np.eye(2), [1.0, 2.0], [[1.0, 2.0]]), "give G and h together"),
    ((np.eye(2), [1.0, 2.0], [[1.0]], [1.0]), r"G must have shape \(1, 2\)"),
    ((np.eye(2), [1.0, np.nan]), "q must be finite"),
    ((np.full((2, 2), np.inf), [1.0, 0.0]), "P must be a finite matrix"),
    ((np.eye(2), [1.0, 2.0], None, None, [[1.0, 1], [2, 2]], [1, 2]), "rows of A must be linearly independent"),
    ((np.diag([1.0, 0]), [1.0, 0.0]), "KKT matrix is singular"),
])
def test_solve_qp_names_what_is_wrong(arguments, message):
    with pytest.raises(ValueError, match=message):
        solve_qp(*arguments)


def digits_left(seed):
    """Relative accuracy of an objective of an unpleasant problem: far from the origin, K beta loses digits."""
    return 1e-6 if seed % 11 == 0 else 1e-8


# ---- qp -----------------------------------------------------------------------------------------------------------
@pytest.mark.parametrize("seed", range(60))
def test_qp_is_certified_and_equals_cvxopt(seed):
    problem = random_problem(seed, recipe="unpleasant", largest=60)
    s = solve(problem, "qp", tol=1e-6)
    assert_optimal(problem, s)
    assert s.objective == pytest.approx(cvxopt_dual(problem)[1], rel=2e-6, abs=1e-9)


@settings(max_examples=25, deadline=None)
@given(st.integers(0, 10_000))
def test_qp_does_not_depend_on_order_or_on_the_names_of_the_classes(seed):
    p = random_problem(seed, recipe="unpleasant", largest=30)
    s = solve(p, "qp", tol=1e-6)
    order = np.random.default_rng(seed).permutation(p.n)
    shuffled = DualProblem(p.kernel, p.X[order], p.y[order], C=p.C[order])
    flipped = DualProblem(p.kernel, p.X, -p.y, C=p.C)
    f = p.decision(s.alpha, s.b)
    for other, expected in ((shuffled, f[order]), (flipped, -f)):
        t = solve(other, "qp", tol=1e-6)
        assert t.objective == pytest.approx(s.objective, rel=digits_left(seed))
        if len(s.free):                                  # without free points b is an interval, its middle is chosen
            off = 3e-6 if seed % 11 == 0 else 1e-6       # far away: tol on either side, and rounding
            np.testing.assert_allclose(other.decision(t.alpha, t.b), expected, atol=off * max(1, np.abs(f).max()))


def test_qp_weight_equals_repetition():
    X, y = xs_kernel()
    twice = np.repeat(np.arange(60), np.where(np.arange(60) % 3 == 0, 2, 1))
    C = np.where(np.arange(60) % 3 == 0, 2.0, 1.0)
    one = solve(DualProblem(Gaussian(sigma=0.5), X, y, C=C), "qp", tol=1e-6)
    two = solve(DualProblem(Gaussian(sigma=0.5), X[twice], y[twice], C=1.0), "qp", tol=1e-6)
    assert one.objective == pytest.approx(two.objective, rel=1e-9)


def test_qp_bound_sets_are_exact():
    """Erratum report 21: cvxopt's own alpha are all above 1e-10."""
    X, y = xs_linear()
    s = solve(DualProblem(Linear(), X, y, C=np.inf), "qp")
    assert len(s.support) == 3
    assert s.alpha.max() == pytest.approx(43.542, abs=5e-4)
    s = solve(DualProblem(Linear(), *xs_linear(outlier=True), C=10.0), "qp")
    assert (len(s.support), len(s.free)) == (8, 2)
    assert set(s.alpha[s.bounded]) == {10.0}


@pytest.mark.parametrize(("sigma", "support", "total"), [(0.125, 27, 3.99), (0.5, 8, 82.4), (2.0, 7, 5.15e4)])
def test_qp_hard_margin_of_the_sheet(sigma, support, total):
    X, y = xs_kernel()
    problem = DualProblem(Gaussian(sigma=sigma, normalized=True), X, y, C=np.inf)
    s = solve(problem, "qp", tol=1e-6)
    assert_optimal(problem, s)
    assert len(s.support) == support
    assert s.alpha.sum() == pytest.approx(total, rel=2e-3)


def test_qp_solves_the_worst_conditioned_problem_of_the_sheet():
    X, y = xs_kernel(outlier=True)
    s = solve(DualProblem(Gaussian(sigma=2.0, normalized=True), X, y, C=np.inf), "qp")
    assert s.status == "optimal"
    assert s.alpha.sum() == pytest.approx(1.055e12, rel=2e-3)


def test_qp_without_free_support_vectors():
    """Sigma 2, C = 10 with the outlier: 60 of 61 alpha at C, b only fixed to an interval."""
    X, y = xs_kernel(outlier=True)
    s = solve(DualProblem(Gaussian(sigma=2.0, normalized=True), X, y, C=10.0), "qp")
    assert (len(s.bounded), len(s.free)) == (60, 0)
    assert -2.0627 <= s.b <= -2.0509


@pytest.mark.parametrize("name", ["qp", "qp_low_rank"])
def test_hard_margin_that_does_not_exist(name):
    with pytest.raises(NotSeparableError, match="give a finite C"):
        solve(DualProblem(Linear(), [[0.0], [1], [2]], [1, -1, 1], C=np.inf), name)
    mixed = DualProblem(Linear(), [[0.0], [1], [2]], [1, -1, 1], C=[1.0, np.inf, np.inf])
    assert_optimal(mixed, solve(mixed, name))            # soft for the first point alone: separable


@pytest.mark.parametrize("name", ["qp", "qp_low_rank"])
def test_history_is_feasible_and_callback_stops(name):
    problem = DualProblem(Linear(), *xs_linear(), C=10.0)
    s = solve(problem, name, tol=1e-6, history="alpha")
    for h in s.history:
        assert np.all((h["alpha"] > 0) & (h["alpha"] < 10))
        assert abs(problem.y @ h["alpha"]) < 1e-8 * h["alpha"].sum()
        assert h["objective"] == pytest.approx(problem.objective(h["alpha"]), rel=1e-6, abs=1e-6)
        assert h["objective"] <= s.objective * (1 + 1e-9)
    assert s.history[-1]["gap"] < 1e-6 < s.history[0]["gap"]
    assert s.history[-1]["bound"] == pytest.approx(s.objective, rel=1e-8)
    assert solve(problem, name).history == []
    stopped = solve(problem, name, callback=lambda state: state["n_iter"] >= 3)
    assert (stopped.status, stopped.n_iter) == ("interrupted", 3)
    assert np.all((stopped.alpha >= 0) & (stopped.alpha <= 10))
    assert abs(problem.y @ stopped.alpha) < 1e-10


@pytest.mark.parametrize("name", ["qp", "qp_low_rank"])
def test_too_few_iterations_leave_a_machine(name, monkeypatch):
    monkeypatch.setattr("svmlib.solvers.crossover.ENTRIES", 2)   # with 20 it may reach the optimum from one iterate
    problem = random_problem(0, 300, recipe="plain", d=5, overlap=1.0, kernel=Linear(), C=100.0)
    with pytest.warns(ConvergenceWarning, match="stopped after 1 iterations"):
        s = solve(problem, name, max_iter=1, tol=1e-9)
    assert s.status == "max_iter"
    assert s.objective > 0.01 * solve(problem, "smo").objective  # a machine, not alpha = 0
    assert len(s.support) > 0


def test_two_points_in_one_place_with_different_labels_move_to_their_bounds():
    """Newton's equations have no answer there: the direction without curvature leads downhill for ever."""
    problem = DualProblem(Gaussian(sigma=1.0), [[0.0], [0.0], [3.0], [-3.0]], [1, -1, 1, -1], C=5.0)
    alpha = polish(problem, Dense(problem.K), problem.p, np.array([2.0, 2.0, 0.5, 0.5]), 1e-9)
    np.testing.assert_allclose(alpha[:2], 5.0)
    assert problem.violation(alpha).max() < 1e-12


@pytest.mark.parametrize("refinement", [0, 1, 3])
def test_each_iteration_of_cvxopt_is_noted_once_however_it_refines(refinement):
    rng = np.random.default_rng(refinement)
    B, q, G, A = rng.normal(size=(6, 6)), rng.normal(size=6), rng.normal(size=(9, 6)), rng.normal(size=(2, 6))
    P, h, b = B @ B.T, rng.uniform(1, 2, 9), np.zeros(2)
    dims, given = {"l": 9, "q": [], "s": []}, [matrix(np.atleast_2d(M).T if M.ndim == 1 else M) for M in (G, h, A, b)]
    factor = misc.kkt_chol2(given[0], dims, given[2])
    limits = {"show_progress": False, "abstol": 1e-8, "reltol": 1e-8, "feastol": 1e-8, "refinement": refinement}
    answer = solvers.coneqp(matrix(P), matrix(q), given[0], given[1], dims, given[2], given[3],
                            kktsolver=lambda W: factor(W, matrix(P)), options=limits)
    program = Program(P.__matmul__, q, G.__matmul__, G.T.__matmul__, h, A, b, lambda W: factor(W, matrix(P)),
                      refinement)
    result = run(program, Monitor("qp", history="alpha"), tol=1e-8)
    assert [state["n_iter"] for state in result.history] == list(range(answer["iterations"] + 1))
    np.testing.assert_allclose(result.x, np.ravel(answer["x"]), atol=1e-12)
    np.testing.assert_allclose(result.z, np.ravel(answer["z"]), atol=1e-12)
    for state in result.history:
        x, y, z = state["x"], state["y"], state["z"]
        outside = np.linalg.norm(np.minimum(h - G @ x, 0)) + np.linalg.norm(A @ x - b)
        assert state["residual"] == pytest.approx(np.linalg.norm(P @ x + q + A.T @ y + G.T @ z) + outside, abs=1e-12)


@pytest.mark.parametrize("at", [0, 2])
@pytest.mark.parametrize("error", [ZeroDivisionError, ValueError, KeyError])
def test_the_error_of_a_callback_is_no_singular_matrix(error, at):
    def fails(state):
        if state["n_iter"] == at:
            raise error("mine")

    problem = random_problem(0, 20, C=1.0)
    with pytest.raises(error, match="mine"):
        solve(problem, "qp", callback=fails)


# ---- indefinite kernels ---------------------------------------------------------------------------------------------
def zero_diagonal(n):
    """Eigenvalues 1 and -1 behind a diagonal of zeros: a pivoted Cholesky factorisation ends at once."""
    K = np.zeros((n, n))
    K[:2, :2] = [[0, 1], [1, 0]]
    return DualProblem(Precomputed(), K, np.resize([1, -1], n))


@pytest.mark.parametrize("name", ["qp", "qp_low_rank", "active_set"])
def test_an_indefinite_gram_matrix_is_refused_with_its_eigenvalue_and_the_way_out(name):
    p = random_problem(0, 40, recipe="plain", kernel=Sigmoid(1.0, 1.0), C=1.0)
    for problem in (p, DualProblem(Precomputed(), -p.X @ p.X.T, p.y), zero_diagonal(40)):
        smallest = f"{np.linalg.eigvalsh(problem.K)[0]:.3g}"
        with pytest.raises(ValueError, match=rf'solver="{name}" needs a positive semidefinite Gram matrix, but on '
                                             rf'these points .* has the eigenvalue {smallest}; use solver="smo"'):
            solve(problem, name)
        with pytest.warns(NotPSDWarning):
            assert solve(problem, "smo").status == "stationary"


@pytest.mark.parametrize("seed", range(20))
@pytest.mark.parametrize("name", ["qp", "qp_low_rank", "active_set"])
def test_a_small_negative_eigenvalue_is_seen_by_all_three(name, seed):
    """-1e-8 in a random direction beside points of length 1 or so is no rounding."""
    rng = np.random.default_rng(seed)
    X, u = rng.normal(size=(400, 3)), rng.normal(size=400)
    problem = DualProblem(Precomputed(), X @ X.T - 1e-8 * np.outer(u, u) / (u @ u), np.resize([1, -1], 400))
    with pytest.raises(ValueError, match=r"has the eigenvalue -(1e-08|9\.\d+e-09)"):
        solve(problem, name)


def crossed(A, B):
    """x0 z1 + x1 z0, on whose axes the diagonal of the Gram matrix is 0."""
    return np.outer(A[:, 0], B[:, 1]) + np.outer(A[:, 1], B[:, 0])


@pytest.mark.parametrize(("kernel", "n"), [("Linear", 40_000), (crossed, 3000)])
def test_low_rank_refuses_an_indefinite_kernel_without_its_matrix(kernel, n):
    """40,000 points were a MemoryError."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(n, 2))
    if kernel == "Linear":
        with pytest.warns(NotPSDWarning):
            kernel = Linear(np.diag([1.0, -1.0]))
    else:
        X[::2, 0], X[1::2, 1] = 0.0, 0.0
    problem = DualProblem(kernel, X, np.resize([1, -1], n))
    with pytest.raises(ValueError, match=r'(?s)"qp_low_rank" needs .* on some of these points .* has the eigenvalue -'):
        solve(problem, "qp_low_rank")
    assert not problem.formed


@pytest.mark.parametrize("name", ["qp", "qp_low_rank", "active_set"])
def test_what_is_no_kernel_but_psd_on_these_points_is_solved(name):
    """psd is unknown for a user's function and a given matrix; an eigenvalue of -1e-15 is rounding."""
    X, y = xs_linear()
    one = solve(DualProblem(Linear(), X, y, C=1.0), "smo", tol=1e-6).objective
    for problem in (DualProblem(lambda A, B: A @ B.T, X, y, C=1.0), DualProblem(Precomputed(), X @ X.T, y, C=1.0)):
        assert solve(problem, name, tol=1e-6).objective == pytest.approx(one, rel=1e-6)


# ---- qp_low_rank ----------------------------------------------------------------------------------------------------
@pytest.mark.parametrize("seed", range(0, 60, 3))
def test_low_rank_equals_dense(seed):
    problem = random_problem(seed, recipe="unpleasant", largest=60)
    s = solve(problem, "qp_low_rank", tol=1e-6)
    assert_optimal(problem, s)
    assert s.objective == pytest.approx(solve(problem, "qp", tol=1e-6).objective, rel=digits_left(seed))


def overlapping(seed, C, far=0.0):
    """Forty points in one to five dimensions; far from the origin K is rounding in part."""
    return random_problem(seed, 40, recipe="plain", d=None, far=far, kernel=Linear(), C=C)


@pytest.mark.parametrize("name", ["qp", "qp_low_rank"])
def test_sets_are_exact_where_rounding_hides_which_candidate_is_best(name):
    """Candidates that only the rounding of K beta told apart: the interior point, all alpha free, won now and then."""
    for seed in [0, *range(2, 60)]:
        problem = overlapping(seed, 100.0, far=1000.0)
        s = solve(problem, name, tol=1e-6)
        assert s.status == "optimal"
        assert len(s.free) <= problem.X.shape[1] + 1, seed


@pytest.mark.parametrize("seed", [3003080, 3003400, 2003830, 2002660, 2001760, 8005850])
def test_a_point_on_the_wrong_bound_is_freed_again(seed):
    """Nearly degenerate: complementarity put points on bounds that they do not have, and nobody took them back."""
    problem = random_problem(seed, recipe="unpleasant", largest=60)
    assert_optimal(problem, solve(problem, "qp", tol=1e-6))


@pytest.mark.parametrize(("seed", "C", "far"), [(4, 100.0, 1000.0), (122, 1e4, 0.0), (136, 1e4, 1000.0),
                                                   (143, 1e4, 1000.0), (243, 1.0, 1000.0)])
def test_low_rank_survives_the_limit_of_float64(seed, C, far):
    """Here iterates that came after the best one exploded, and the last was taken for the solution."""
    problem = overlapping(seed, C, far)
    s = solve(problem, "qp_low_rank", tol=1e-6)
    assert_optimal(problem, s)
    assert s.objective == pytest.approx(solve(overlapping(seed, C), "smo", tol=1e-8).objective, rel=1e-6)


@pytest.mark.parametrize("kernel", [Linear(np.diag([1.0, 4.0])), Polynomial(Q=2), 2 * Linear() + Polynomial(Q=3)])
def test_low_rank_finds_the_features_of_other_kernels(kernel):
    problem = random_problem(1, 300, recipe="plain", kernel=kernel, C=1.0)
    s = solve(problem, "qp_low_rank", tol=1e-6)
    assert_optimal(problem, s)
    assert not problem.formed
    assert s.objective == pytest.approx(solve(problem, "qp", tol=1e-6).objective, rel=1e-8)


def test_low_rank_refuses_kernels_that_are_not():
    p = random_problem(1, 100, recipe="plain", d=3, overlap=np.inf, kernel=Gaussian(sigma=0.1), C=1.0)
    with pytest.raises(ValueError, match=r"Gaussian\(sigma=0\.1\) has more than 33 independent features"):
        solve(p, "qp_low_rank")
    p = DualProblem(Precomputed(), np.outer(p.X[:, 0], p.X[:, 0]), p.y)
    assert_optimal(p, solve(p, "qp_low_rank", tol=1e-6))


def test_low_rank_reaches_the_optimum_of_libsvm_on_four_thousand_points():
    problem = random_problem(0, 4000, recipe="plain", d=10, kernel=Linear(), C=1.0)
    s = solve(problem, "qp_low_rank", tol=1e-6)
    lib = LibSVC(kernel="linear", C=1.0, cache_size=2000).fit(problem.X, problem.y)
    v = (lib.dual_coef_ @ lib.support_vectors_).ravel()
    assert s.status == "optimal"
    assert s.objective == pytest.approx(np.abs(lib.dual_coef_).sum() - 0.5 * v @ v, rel=1e-6)


@pytest.mark.parametrize("copies", [1, 2])
@pytest.mark.parametrize("t", [1e-6, 1.0, 50.0])
def test_one_factor_of_the_size_of_k_solves_for_all_variables_of_a_point(copies, t):
    rng = np.random.default_rng(copies)
    Z = rng.normal(size=(30, 5))
    y = np.repeat([1.0, -1.0], 30) if copies == 2 else np.where(rng.normal(size=30) > 0, 1.0, -1.0)
    gram = Dense(Z @ Z.T + 100.0, copies)
    P = t * np.outer(y, y) * np.tile(gram.K, (copies, copies))
    for decades in (0, 3, 7):
        D, r = 10.0 ** rng.uniform(-decades, decades, len(y)), rng.normal(size=len(y))
        u = gram.inverse(y, t)(D)(r)
        assert np.abs((P + np.diag(D)) @ u - r).max() <= 1e-9 * max(np.abs(P).max() * np.abs(u).max(), 1.0)
    beta, rows = rng.normal(size=len(y)), np.array([0, len(y) - 1, 7])
    np.testing.assert_allclose(gram.times(beta), np.tile(gram.K, (copies, copies)) @ beta, atol=1e-10)
    np.testing.assert_allclose(gram.block(rows), np.tile(gram.K, (copies, copies))[np.ix_(rows, rows)])


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("tol", [1e-3, 1e-8])
def test_hard_separable_data_are_not_called_inseparable(seed, tol):
    """Classes that mix, a wide Gaussian, C = inf: cvxopt itself says "unknown" of most of these, though separable."""
    g, y = np.random.default_rng(2 * seed), np.repeat([-1.0, 1.0], 20)
    X = g.normal(size=(40, 2)) + 0.8 * y[:, None]
    X /= np.abs(X).max()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)     # the worst stops short of 1e-8, and says so
        p = DualProblem(Gaussian(sigma=3.0), X, y, C=np.inf)
        s = solve(p, "qp", tol=tol)
    assert np.min(y * p.decision(s.alpha, s.b)) > 0.9
    with pytest.raises(NotSeparableError):
        solve(DualProblem(Gaussian(sigma=3.0), np.vstack([X, X[:1]]), np.r_[y, -y[0]], C=np.inf), "qp", tol=tol)
