"""What holds for every solver on every problem: swept over seeds, and searched for counterexamples by hypothesis.

The problems are as nasty as data are: duplicated points, contradictory labels, constant features, points on a grid,
one bound C a point, kernels of low rank, kernels that are none.
"""
from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from oracles import brute_force, cvxopt_dual
from problems import random_problem

from svmlib import DualProblem, NotSeparableError, Solution, solve
from svmlib.kernels import (
    GapWeighted,
    Gaussian,
    Kernel,
    Linear,
    NotPSDWarning,
    Polynomial,
    Precomputed,
    Sigmoid,
    Subsequence,
    Substring,
)
from svmlib.solvers import SOLVERS
from svmlib.solvers.primal import subgradient_descent
from svmlib.solvers.smo import plain_smo

pytestmark = [pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning"),
              pytest.mark.filterwarnings("ignore::svmlib.kernels.NotPSDWarning")]

TOL = 1e-4
#: Problems in the sweep of each solver, 5,100 in all, three tenths of them in make test; a new solver gets some, too.
SWEEP = dict.fromkeys(SOLVERS, 200) | {"smo": 1700, "active_set": 1000, "working_set": 900, "smo_kkt": 600,
                                       "smo_random": 300, "qp": 400}
#: Solvers for convex problems, which refuse others.
CONVEX = ("qp", "qp_low_rank", "active_set")
#: Solvers that end at the tolerance on each of these problems; the lab sheet's may run out of calls.
EXACT = ("qp", "active_set", "smo", "working_set")
BLOCKS, AT_ONCE = 10, 3


def some(few: int, all_of_them: int) -> list[Any]:
    """Seeds: a few for make test, the others for make test-all."""
    return [*range(few), *(pytest.param(seed, marks=pytest.mark.thorough) for seed in range(few, all_of_them))]


# ---- problems ------------------------------------------------------------------------------------------------
def low_rank_kernel(seed: int) -> Kernel:
    """A kernel of at most five features on points of up to four coordinates."""
    return [Linear(), Linear() + 1.0, 2 * Linear() + Polynomial(Q=1)][seed % 3]


# ---- what must hold --------------------------------------------------------------------------------------------
def assert_feasible(problem: DualProblem, alpha: np.ndarray) -> None:
    """0 <= alpha <= C exactly, y' alpha = 0 up to rounding."""
    assert (alpha >= 0).all()
    assert (alpha <= problem.C).all()
    assert abs(problem.y @ alpha) <= 1e-9 * max(1.0, float(alpha.sum()))


def assert_monotone(values: list[float]) -> None:
    """The dual value never falls, up to the rounding of its last digits."""
    steps = np.diff(values)
    assert steps.min(initial=0.0) >= -1e-9 * max(1.0, float(np.abs(values).max(initial=0.0)))


def assert_certified(problem: DualProblem, s: Solution, tol: float) -> None:
    """The numbers in a Solution are those of the problem, and a claim of optimality has its proof."""
    assert_feasible(problem, s.alpha)
    size = max(1.0, abs(s.objective), float(np.abs(s.alpha).sum()))
    assert s.objective == pytest.approx(problem.objective(s.alpha), abs=1e-8 * size)
    assert s.gap == pytest.approx(problem.gap(s.alpha, s.b), abs=1e-7 * size)
    assert s.gap >= 0
    xi = np.maximum(0.0, 1.0 - problem.y * problem.decision(s.alpha, s.b))
    primal = s.alpha.sum() - s.objective + problem.C @ xi          # |w|^2 / 2 = sum alpha - W
    assert primal - s.objective == pytest.approx(s.gap, abs=1e-6 * max(size, primal))
    if s.converged:
        assert s.violation <= 1.02 * tol + 1e-8 * float(np.abs(problem.decision(s.alpha, 0.0)).max())
        assert s.gap <= 1.05 * tol * problem.C.sum() + 1e-7 * size


def run(problem: DualProblem, name: str, seed: int, tol: float = TOL) -> Solution:
    """Solve with a history, or with a callback where that has no objective, and check that the dual never falls."""
    values: list[float] = []
    options: dict[str, Any] = {"rng": seed} if name.startswith("smo_") else {}
    if name == "working_set":
        options["callback"] = lambda state: values.append(problem.objective(state["alpha"]))
    s = solve(problem, name, tol=tol, history="alpha" if name.startswith("qp") else name != "working_set", **options)
    if name.startswith("qp"):
        for entry in s.history:
            assert_feasible(problem, np.clip(entry["alpha"], 0.0, problem.C))
            assert entry["bound"] >= s.objective - 1e-5 * max(1.0, abs(s.objective)) or entry["residual"] > 1e-9
    elif name != "working_set":
        values = [entry["objective"] for entry in s.history]
    assert_monotone([*values, s.objective])
    return s


# ---- the sweeps ------------------------------------------------------------------------------------------------
@pytest.mark.parametrize("block", some(AT_ONCE, BLOCKS))
@pytest.mark.parametrize("name", SWEEP)
def test_sweep(name: str, block: int) -> None:
    """Feasible, monotone, certified, and as high as another solver gets; one problem in five is indefinite."""
    each = SWEEP[name] // BLOCKS
    for seed in range(block * each, (block + 1) * each):
        indefinite = seed % 5 == 4 and name != "qp_low_rank"
        kernel = low_rank_kernel(seed) if name == "qp_low_rank" else None
        largest = 15 if name == "smo_random" else 30        # whose calls grow with n, not what they show
        problem = random_problem(seed, largest=largest, indefinite=indefinite, kernel=kernel)
        if name in CONVEX and problem.kernel.psd is not True:
            smallest = np.linalg.eigvalsh(problem.K)[0] / max(float(np.abs(problem.K).max()), 1e-290)
            if smallest < -1e-9:
                with pytest.raises(ValueError, match=r"positive semidefinite .* eigenvalue -.* use solver=\"smo\""):
                    solve(problem, name)
                continue
            indefinite &= smallest < -1e-11                     # in between, rounding decides
        s = run(problem, name, seed)
        if indefinite:
            assert_feasible(problem, s.alpha)
            assert s.violation <= 1.02 * TOL or not s.converged
            continue
        assert_certified(problem, s, TOL)
        other = solve(problem, "active_set" if name == "smo" else "smo", tol=1e-6)
        slack = 1e-6 * max(1.0, abs(other.objective), float(other.alpha.sum()))
        assert -other.gap - slack <= other.objective - s.objective <= s.gap + slack
        if name in EXACT:
            assert s.status == "optimal"


@pytest.mark.parametrize("seed", some(30, 60))
def test_agreement_with_cvxopt(seed: int) -> None:
    problem = random_problem(50_000 + seed)
    alpha, value = cvxopt_dual(problem)
    for name in EXACT:
        s = solve(problem, name, tol=1e-6)
        assert s.objective == pytest.approx(value, rel=1e-5, abs=1e-5)
        assert problem.times_K(problem.y * (s.alpha - alpha)) == pytest.approx(0.0, abs=2e-2 * max(1.0, value) ** 0.5)


@pytest.mark.parametrize("seed", some(60, 200))
def test_interior_point_and_smo_agree(seed: int) -> None:
    """200 problems, n from 2 to 60, C from 0.01 to 1000: both certified, one objective, one machine."""
    problem = random_problem(seed, recipe="plain", largest=60, d=None, overlap=(0.0, 0.5, 1.5)[seed % 3])
    a, b = solve(problem, "qp"), solve(problem, "smo", tol=1e-6)
    assert (a.status, b.status) == ("optimal", "optimal")
    assert a.violation <= 1e-3
    assert b.violation <= 1e-6 + 1e-9 * float(np.abs(problem.decision(b.alpha, 0.0)).max())
    assert a.objective == pytest.approx(b.objective, rel=1e-6)
    assert problem.decision(a.alpha, a.b) == pytest.approx(problem.decision(b.alpha, b.b), abs=1e-4)


def assert_best_of_all_faces(problem: DualProblem) -> None:
    """Each exact solver reaches the best of all 3^n splits into alpha = 0, alpha = C and free."""
    _, value = brute_force(problem)
    for name in EXACT:
        s = solve(problem, name, tol=1e-8)
        assert_feasible(problem, s.alpha)
        assert s.status == "optimal"
        assert s.objective == pytest.approx(value, rel=1e-7, abs=1e-9)


@pytest.mark.parametrize("seed", some(20, 40))
def test_brute_force_over_all_active_sets(seed: int) -> None:
    assert_best_of_all_faces(random_problem(90_000 + seed, largest=7 if seed < 4 else 5))


@pytest.mark.parametrize("seed", range(1, 9))       # each kernel, repeated points, one bound C a point
def test_brute_force_over_all_active_sets_of_some_unpleasant_problems(seed: int) -> None:
    assert_best_of_all_faces(random_problem(seed, recipe="unpleasant", largest=6))


@pytest.mark.thorough
@settings(max_examples=40, deadline=None)
@given(st.integers(0, 10_000).filter(lambda seed: seed % 11))      # data far away are too much for brute force
def test_brute_force_over_all_active_sets_of_unpleasant_problems(seed: int) -> None:
    assert_best_of_all_faces(random_problem(seed, recipe="unpleasant", largest=6))


# ---- invariance ------------------------------------------------------------------------------------------------
def regular(seed: int) -> DualProblem:
    """A problem whose machine is unique, b included as far as the KKT interval says; one bound C a point."""
    rng = np.random.default_rng(seed)
    n = int(rng.integers(6, 25))
    return random_problem(rng, n, recipe="plain", overlap=1.0, kernel=Gaussian(sigma=float(rng.uniform(0.4, 2))),
                          C=10 ** rng.uniform(-1, 2) * rng.uniform(0.3, 1, size=n))


@pytest.mark.parametrize("name", EXACT)
@pytest.mark.parametrize("seed", range(15))
def test_order_of_the_points_does_not_matter(seed: int, name: str) -> None:
    p = regular(seed)
    order = np.random.default_rng(seed).permutation(p.n)
    q = DualProblem(p.kernel, p.X[order], p.y[order], p.C[order])
    s, t = solve(p, name, tol=1e-7), solve(q, name, tol=1e-7)
    assert s.objective == pytest.approx(t.objective, rel=1e-7)
    assert p.decision(s.alpha, s.b)[order] == pytest.approx(q.decision(t.alpha, t.b), abs=1e-4)


@pytest.mark.parametrize("name", EXACT)
@pytest.mark.parametrize("seed", range(15))
def test_flipped_labels_flip_the_machine(seed: int, name: str) -> None:
    p = regular(100 + seed)
    q = DualProblem(p.kernel, p.X, -p.y, p.C)
    s, t = solve(p, name, tol=1e-7), solve(q, name, tol=1e-7)
    assert s.objective == pytest.approx(t.objective, rel=1e-7)
    assert p.decision(s.alpha, s.b) == pytest.approx(-q.decision(t.alpha, t.b), abs=1e-4)


@pytest.mark.parametrize("name", EXACT)
@pytest.mark.parametrize("seed", range(15))
def test_weight_is_repetition(seed: int, name: str) -> None:
    """A point with the bound k C is the point k times with the bound C."""
    once = regular(200 + seed)
    k = np.random.default_rng(seed).integers(1, 4, size=once.n)
    p = DualProblem(once.kernel, once.X, once.y, k * once.C)
    q = DualProblem(once.kernel, once.X.repeat(k, axis=0), once.y.repeat(k), once.C.repeat(k))
    s, t = solve(p, name, tol=1e-7), solve(q, name, tol=1e-7)
    assert s.objective == pytest.approx(t.objective, rel=1e-6)
    assert p.decision(s.alpha, s.b).repeat(k) == pytest.approx(q.decision(t.alpha, t.b), abs=1e-4)


@pytest.mark.parametrize("name", EXACT)
@pytest.mark.parametrize("c", [1e-3, 7.0])
def test_scale_of_the_kernel_is_the_inverse_scale_of_C(c: float, name: str) -> None:
    p = regular(300)
    s = solve(p, name, tol=1e-7)
    t = solve(DualProblem(c * p.kernel, p.X, p.y, p.C / c), name, tol=1e-7)
    assert s.objective == pytest.approx(c * t.objective, rel=1e-6)
    assert s.b == pytest.approx(t.b, abs=1e-4)


# ---- counterexamples wanted --------------------------------------------------------------------------------------
@st.composite
def small_problems(draw: st.DrawFn) -> DualProblem:
    """Points on a small grid, any labels, any kernel, any C: hypothesis shrinks what fails to the smallest case."""
    n = draw(st.integers(2, 9))
    d = draw(st.integers(1, 2))
    X = np.array(draw(st.lists(st.lists(st.integers(-2, 2), min_size=d, max_size=d), min_size=n, max_size=n)), float)
    y = np.array([1, -1, *draw(st.lists(st.sampled_from([1, -1]), min_size=n - 2, max_size=n - 2))])
    kernel = draw(st.sampled_from([Linear(), Polynomial(Q=2), Polynomial(Q=3, b=0.0), Gaussian(sigma=0.5),
                                   Gaussian(sigma=4.0), Linear() + 1.0]))
    C = draw(st.sampled_from([0.01, 0.5, 1.0, 30.0, 1000.0]))
    weight = draw(st.lists(st.sampled_from([0.5, 1.0, 2.0]), min_size=n, max_size=n))
    return DualProblem(kernel, X, y, C * np.array(weight))


@pytest.mark.parametrize("name", [*EXACT, "smo_kkt"])
@settings(max_examples=60, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck))
@given(problem=small_problems())
def test_no_counterexample_on_the_grid(name: str, problem: DualProblem) -> None:
    s = run(problem, name, 0)
    assert_certified(problem, s, TOL)
    if name in EXACT:
        assert s.status == "optimal"


# ---- strings -----------------------------------------------------------------------------------------------------
@pytest.mark.parametrize("seed", range(20))
def test_problems_of_strings(seed: int) -> None:
    rng = np.random.default_rng(seed)
    words = ["".join(rng.choice(list("abc"), size=rng.integers(1, 7))) for _ in range(12)]
    y = np.where(rng.random(12) < 0.5, 1, -1)
    y[:2] = 1, -1
    kernel = [Subsequence(), Substring(), GapWeighted(length=2, lam=0.5)][seed % 3]
    problem = DualProblem(kernel, words, y, C=1.0)
    values = []
    for name in EXACT:
        s = run(problem, name, seed, tol=1e-5)
        assert_certified(problem, s, 1e-5)
        values.append(s.objective)
    assert values == pytest.approx([values[0]] * len(values), rel=1e-4)


@pytest.mark.parametrize("name", EXACT)
@pytest.mark.parametrize("kernel", [Linear(), Polynomial(Q=4, a=0.5, b=1.0), Gaussian(sigma=1.0)], ids=str)
@pytest.mark.parametrize("seeds", [range(12), pytest.param(range(12, 40), marks=pytest.mark.thorough)], ids=str)
def test_one_point_with_three_labels(name, kernel, seeds):
    """K is one number everywhere; what its centring leaves was rounding, which the active set took for curvature."""
    for seed in seeds:
        X = np.repeat(np.random.default_rng(seed).normal(size=(1, 2)), 3, axis=0)
        s = solve(DualProblem(kernel, X, [-1, 1, -1], C=2.0), name, tol=TOL)
        assert s.status == "optimal"
        assert s.objective == pytest.approx(4.0)                # as far as y'alpha = 0 lets alpha grow: 2 + 1 + 1


# ---- no hard margin ----------------------------------------------------------------------------------------------
@pytest.mark.parametrize("name", ["smo", "active_set", "qp"])
def test_solvers_say_so_for_a_kernel_with_finitely_many_features(name):
    X, y = np.arange(5.0)[:, None] - 2.0, [1, -1, 1, -1, 1]
    with pytest.raises(NotSeparableError, match="give a finite C"):
        solve(DualProblem(Polynomial(Q=2), X, y, C=np.inf), name)
    assert solve(DualProblem(Polynomial(Q=4), X, y, C=np.inf), name, tol=1e-6).status == "optimal"


@pytest.mark.parametrize("name", ["smo", "active_set", "qp"])
@pytest.mark.parametrize("seeds", [range(40), pytest.param(range(40, 150), marks=pytest.mark.thorough)], ids=str)
def test_solvers_say_so_far_from_the_origin_too(name, seeds):
    """alpha grows to 1e30 here, and with it the rounding of K beta, behind which a violation of 1 once went unseen."""
    for seed in seeds:
        rng = np.random.default_rng(seed)
        X = np.round(2 * rng.normal(size=(int(rng.integers(5, 40)), 1))) + rng.uniform(0.0, 100.0)
        y = np.where(np.arange(len(X)) % 2, 1, -1)
        X[1] = X[0]                                                    # one point with both labels
        with pytest.raises(NotSeparableError):
            solve(DualProblem([Linear(), Polynomial(Q=3)][seed % 2], X, y, C=np.inf), name)


@pytest.mark.parametrize("name", ["smo", "smo_kkt", "working_set", "plain_smo"])
def test_an_indefinite_kernel_is_seen_on_more_than_a_thousand_points(name):
    rng = np.random.default_rng(0)
    X = rng.normal(size=(1100, 2))
    problem = DualProblem(Sigmoid(0.05, -0.5), X, np.where(X[:, 0] + rng.normal(size=1100) > 0, 1, -1), C=0.05)
    with pytest.warns(NotPSDWarning, match="smallest eigenvalue is -.* on 1000 of them"):
        s = plain_smo(problem, tol=1e-2) if name == "plain_smo" else solve(problem, name, tol=1e-2)
    assert s.status == "stationary"


@pytest.mark.parametrize("eigenvalue", [-5e-9, -1e-9])
def test_who_is_sent_to_smo_is_told_the_same_there(eigenvalue):
    rng = np.random.default_rng(0)
    X, u = rng.uniform(-0.5, 0.5, size=(40, 3)), rng.normal(size=40)
    problem = DualProblem(Precomputed(), X @ X.T + eigenvalue * np.outer(u, u) / (u @ u), np.resize([1, -1], 40))
    for name in ("qp", "qp_low_rank", "active_set"):
        with pytest.raises(ValueError, match='use solver="smo", which ends at a stationary point'):
            solve(problem, name)
    with pytest.warns(NotPSDWarning):
        assert solve(problem, "smo").status == "stationary"
    with pytest.raises(ValueError, match="needs a positive semidefinite Gram matrix"):
        subgradient_descent(problem)
