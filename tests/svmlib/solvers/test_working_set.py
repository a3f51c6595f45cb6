"""The growing working set against SMO on the whole Gram matrix; its promises on memory, precision and interrupts."""
import tracemalloc
import warnings
from functools import partial

import numpy as np
import pytest
from problems import random_problem

from svmlib import ConvergenceWarning, DualProblem, NotSeparableError, solve
from svmlib.engine import gram_rows as rows_module
from svmlib.engine.gram_blocks import Points
from svmlib.engine.gram_rows import BlockGram, Budget, add_rows
from svmlib.engine.pairs import solve_block
from svmlib.engine.precision import working_dtype
from svmlib.kernels import Gaussian, Linear, Polynomial, Precomputed, Sigmoid
from svmlib.solvers import working_set as module
from svmlib.solvers.driver import drive
from svmlib.solvers.monitor import Monitor
from svmlib.solvers.working_set import grow, select_working_set, violations, working_set

#: Two classes that overlap, in the plane; only their number, kernel and C matter below.
plain = partial(random_problem, 0, recipe="plain")


def laplacian(X, Z):
    """A user's kernel."""
    return np.exp(-np.abs(X[:, None] - Z).sum(axis=2))


KERNELS = [Gaussian(sigma=1.0), Gaussian(sigma=0.5, normalized=True), Polynomial(Q=3), Linear(),
           Linear(np.array([[1.0, 0.5], [0.5, 2.0]])), Gaussian(sigma=1.0) + Linear(), laplacian]


@pytest.mark.parametrize("C", [1.0, 100.0])
@pytest.mark.parametrize("kernel", KERNELS, ids=lambda k: getattr(k, "__name__", str(k)))
def test_same_optimum_as_smo(kernel, C):
    problem = plain(1500, kernel=kernel, C=C)
    grown, whole = working_set(problem, tol=1e-4), solve(plain(1500, kernel=kernel, C=C), "smo", tol=1e-4)
    assert grown.status == "optimal"
    assert grown.violation <= 1.01e-4
    # Both dual values are below the optimum by at most their gaps, and by what rounding leaves of sums of such size.
    rounding = 1e-12 * whole.objective
    assert abs(grown.objective - whole.objective) <= max(grown.gap, whole.gap) + rounding
    assert abs(grown.objective - whole.objective) <= 1e-6 * whole.objective


@pytest.mark.parametrize("kernel", KERNELS, ids=lambda k: getattr(k, "__name__", str(k)))
def test_certificate_is_that_of_the_problem(kernel):
    """Recomputing near the margin only must give the figures that recomputing everything gives."""
    problem = plain(1500, kernel=kernel, C=10.0)
    s = working_set(problem)
    assert s.gap == pytest.approx(problem.gap(s.alpha, s.b), rel=1e-6, abs=1e-9)
    assert s.objective == pytest.approx(problem.objective(s.alpha), rel=1e-10)
    assert s.b == pytest.approx(problem.bias(s.alpha), abs=1e-8)
    assert s.violation == pytest.approx(problem.violation(s.alpha, s.b).max(), abs=1e-8)


def test_certificate_of_float32():
    problem = plain(3000, d=200, kernel=Gaussian(gamma=0.002), C=10.0)
    assert working_dtype(problem.kernel, problem.X, problem.C, 1e-3) is np.float32
    s = working_set(problem)
    assert s.status == "optimal"
    assert s.gap == pytest.approx(problem.gap(s.alpha, s.b), rel=1e-3)
    assert s.objective == pytest.approx(problem.objective(s.alpha), rel=1e-10)
    assert abs(s.objective - solve(problem, "smo").objective) < 1e-6 * s.objective


@pytest.fixture
def treacherous():
    """Few dimensions, a linear kernel far from the origin, a large C: float32 converges to something else."""
    return plain(2000, far=30.0, kernel=Linear(), C=100.0)


def test_float32_alone_would_be_wrong(treacherous):
    p = treacherous
    gram = BlockGram(Points.of(p.kernel, p.X, np.float32), Budget(100))
    beta, monitor = p.start(), Monitor("test", history=True, max_iter=20_000)
    drive(grow(gram, p, beta, -p.p, np.zeros(p.n), 1e-3, monitor, p.n), monitor)
    claimed = monitor.history[-1]["violation"]
    assert p.violation(p.y * beta).max() > 10 * 1e-3
    assert p.violation(p.y * beta).max() > 2 * claimed or claimed > 1e-3


def test_float32_falls_back_to_float64(treacherous):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        s = working_set(treacherous, dtype=np.float32)
    assert s.status == "optimal"
    assert treacherous.violation(s.alpha, s.b).max() <= 1.01e-3
    assert working_dtype(treacherous.kernel, treacherous.X, treacherous.C, 1e-3) is np.float64


def test_indefinite_kernel_is_stationary():
    problem = plain(800, kernel=Sigmoid(kappa=0.5, delta=-0.1), C=1.0)
    with pytest.warns(UserWarning, match="not positive semidefinite"):
        s = working_set(problem)
    assert s.status == "stationary"
    assert s.violation <= 1.01e-3


def test_precomputed_and_bounds_of_each_point():
    C = np.random.default_rng(1).uniform(0.1, 5.0, 900)
    problem = plain(900, kernel=Gaussian(sigma=1.0), C=C)
    a = working_set(DualProblem(Precomputed(), problem.K, problem.y, C), tol=1e-6)
    b = solve(problem, "smo", tol=1e-6)
    assert np.all(a.alpha <= C)
    assert len(a.bounded) > 50
    np.testing.assert_allclose(a.alpha, b.alpha, atol=1e-4)


def test_memory_bound(monkeypatch):
    """With room for a few rows only, the result is the same and the rows stay within the bound."""
    most, take = 0, Budget.take

    def watched(self, size):
        nonlocal most
        fits = take(self, size)
        most = max(most, 1e6 * 2.0 * 0.8 - self.left)
        return fits

    monkeypatch.setattr(Budget, "take", watched)
    problem = plain(3000, kernel=Gaussian(sigma=0.5), C=10.0)
    small = working_set(problem, cache_mb=2.0, tol=1e-5)
    assert 0 < most <= 1.6e6 + 1
    monkeypatch.undo()
    large = working_set(problem, tol=1e-5)
    assert len(small.support) * 8 * problem.n > 10e6            # all rows would not have fitted
    assert small.status == large.status == "optimal"
    assert small.objective == pytest.approx(large.objective, rel=1e-8)


def test_peak_memory_is_far_below_the_gram_matrix():
    problem = plain(8000, kernel=Gaussian(sigma=1.0), C=1.0)
    working_set(plain(600, kernel=Gaussian(sigma=1.0), C=1.0))                 # compiles
    tracemalloc.start()
    working_set(problem, cache_mb=20.0)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 0.25 * 8 * problem.n ** 2


@pytest.mark.parametrize("when", [2, 5, 8])
def test_keyboard_interrupt_in_the_middle_of_an_update(monkeypatch, when):
    problem = plain(3000, kernel=Gaussian(sigma=0.5), C=10.0)
    calls = 0

    def interrupted(*arguments):
        nonlocal calls
        calls += 1
        if calls == when:
            raise KeyboardInterrupt
        add_rows(*arguments)

    monkeypatch.setattr(rows_module, "add_rows", interrupted)
    s = working_set(problem)
    assert s.status == "interrupted"
    assert problem.y @ s.alpha == pytest.approx(0, abs=1e-8)
    assert s.gap == pytest.approx(problem.gap(s.alpha, s.b), rel=1e-6)


def test_max_iter_warns_and_keeps_the_certificate():
    problem = plain(2000, kernel=Gaussian(sigma=0.5), C=10.0)
    with pytest.warns(UserWarning, match="working_set stopped after"):
        s = working_set(problem, max_iter=200)
    assert s.status == "max_iter"
    assert s.n_iter <= 200
    assert s.gap == pytest.approx(problem.gap(s.alpha, s.b), rel=1e-6)


def test_rounding_ends_the_search_where_tol_is_out_of_reach():
    problem = plain(80, overlap=np.inf, kernel=Gaussian(sigma=0.5), C=10.0)
    with pytest.warns(ConvergenceWarning):
        s = working_set(problem, tol=1e-300)
    assert s.status == "max_iter"
    assert s.n_iter < 1_000_000                       # of ten million
    assert s.violation < 1e-9


@pytest.mark.parametrize("kernel", [Linear(), Polynomial(Q=2)])
def test_a_hard_margin_that_does_not_exist_is_found_out_early(kernel, monkeypatch):
    taken = []
    monkeypatch.setattr(module, "solve_block", lambda *block: taken.append(solve_block(*block)) or taken[-1])
    problem = plain(300, overlap=np.inf, kernel=kernel, C=np.inf)
    with pytest.raises(NotSeparableError):
        working_set(problem)
    assert 0 < sum(taken) < 100_000


def test_warm_start_needs_fewer_steps():
    first = working_set(plain(3000, kernel=Gaussian(sigma=0.5), C=10.0))
    problem = plain(3000, kernel=Gaussian(sigma=0.5), C=12.0)
    warm, cold = working_set(problem, alpha0=first.alpha), working_set(problem)
    assert warm.status == "optimal"
    assert warm.objective == pytest.approx(cold.objective, rel=1e-6)
    assert warm.n_iter < 0.8 * cold.n_iter


@pytest.mark.parametrize(("option", "value", "message"), [
    ("cache_mb", 0, "cache_mb must be a finite number > 0, got 0"),
    ("cache_mb", "many", "cache_mb must be a finite number > 0, got 'many'"),
    ("alpha0", np.full(300, 2.0), "alpha0"),
])
def test_bad_options(option, value, message):
    problem = plain(300, kernel=Linear(), C=1.0)
    with pytest.raises(ValueError, match=message):
        working_set(problem, **{option: value})


# ---- the parts ------------------------------------------------------------------------------------------------
def test_selection_keeps_to_the_limit_and_takes_the_worst():
    v = np.linspace(-1, 1, 100)
    S = np.arange(40, 60)
    stay, new = select_working_set(S, v, near=2.0, limit=16)
    assert set(new) == set(range(92, 100))
    assert set(S[stay]) == set(range(52, 60))


def test_the_worst_pair_is_that_of_all_points():
    """Even where all of S is at one kind of bound, and no bias suits it."""
    F, lo, hi = np.array([0.0, 0.0, 3.0, -3.0]), np.array([0.0, 0, -1, 0]), np.array([1.0, 1, 0, 1])
    v, i, j, b = violations(F, np.zeros(4), lo, hi, np.array([0, 1]))
    assert (i, j, b) == (3, 2, 0.0)
    assert v.tolist() == [0.0, 0.0, 3.0, 3.0]


def test_history_counts_on_where_float64_takes_over_and_ends_with_the_last_round(treacherous):
    s = working_set(treacherous, dtype=np.float32, history=True)
    steps = [state["n_iter"] for state in s.history]
    assert steps == sorted(set(steps))
    assert steps[-1] == s.n_iter
    assert s.history[-1]["violation"] <= 1.01e-3
    assert s.history[-1]["objective"] == pytest.approx(s.objective, rel=1e-9)
