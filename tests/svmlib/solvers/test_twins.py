"""Each method stands twice: as its chapter prints it, in plain numpy, and in the form that is fast.

Both forms of a method solve the same problems here.  SMO takes the same pairs, one by one; the others reach the same
optimum by steps of their own.
"""
from collections import deque
from collections.abc import Callable
from itertools import islice

import numpy as np
import pytest
from problems import random_problem

from svmlib import DualProblem, NotSeparableError, solve
from svmlib.engine import face
from svmlib.kernels import Gaussian, Linear
from svmlib.solvers.active_set import append, delete, walk
from svmlib.solvers.active_set_general import minimize_qp
from svmlib.solvers.central_path import interior_point, newton_low_rank
from svmlib.solvers.interior_point import UnboundedError
from svmlib.solvers.plain_active_set import free_turns
from svmlib.solvers.primal import subgradient_descent, subgradient_steps
from svmlib.solvers.quadratic_program import plain_qp
from svmlib.solvers.smo import plain_smo, select_pair, smo
from svmlib.solvers.smo_lab_sheet import kkt_sweeps, one_step, random_pairs
from svmlib.solvers.working_set import plain_working_set

pytestmark = pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")


def last(steps):
    """The end of the steps of a method."""
    return deque(steps, maxlen=1)[0]


def by_active_set(problem: DualProblem) -> np.ndarray:
    """The general method on the dual: alpha = 0 at the start."""
    eye, n = np.eye(problem.n), problem.n
    D, delta = (eye, np.zeros(n)) if problem.hard.all() else (np.hstack([eye, -eye]), np.r_[np.zeros(n), -problem.C])
    return minimize_qp(problem.Q, np.ones(n), problem.y, 0.0, D, delta, np.zeros(n)).x


def by_interior_point(problem: DualProblem) -> np.ndarray:
    """The chapter's, a hard margin only."""
    return last(interior_point(problem.Q, problem.y, tol=1e-9))[0]


def by_low_rank(problem: DualProblem) -> np.ndarray:
    """Its steps without Q, from where the chapter's begin and as many: a hard margin and a linear kernel only."""
    path, Z = list(interior_point(problem.Q, problem.y, tol=1e-7)), problem.y[:, None] * problem.X
    alpha, z, b = path[0]
    for _ in path[1:]:
        alpha, z, b = newton_low_rank(0.1 * alpha @ z / problem.n, alpha, z, b, Z, problem.y)
    return alpha


def by_random_pairs(problem: DualProblem) -> np.ndarray:
    """10,000 random steps."""
    steps = random_pairs(problem.K, problem.y, problem.C, np.random.default_rng(0))
    return last(islice(steps, 10_000))[0]


def by_sweeps(problem: DualProblem) -> np.ndarray:
    """KKT sweeps, 20,000 steps at most."""
    steps = kkt_sweeps(problem.K, problem.y, problem.C, 1e-7, np.random.default_rng(0))
    return last(islice(steps, 20_000))[0]


def by_cvxopt(problem: DualProblem) -> np.ndarray:
    """Chapter 09's: cvxopt, and nothing else."""
    alpha, b = plain_qp(problem.kernel, problem.X, problem.y, float(problem.C[0]))
    assert b == pytest.approx(solve(problem, "qp", tol=1e-6).b, abs=1e-4)
    return alpha


#: The fast solver, its plain twin, and the relative distance of their optima that is allowed: random pairs are slow.
TWINS: dict[str, tuple[str, Callable[[DualProblem], np.ndarray], float]] = {
    "cvxopt": ("qp", by_cvxopt, 1e-6),
    "interior point": ("qp", by_interior_point, 1e-6),
    "low rank": ("qp_low_rank", by_low_rank, 1e-6),
    "active set": ("active_set", by_active_set, 1e-6),
    "random pairs": ("smo_random", by_random_pairs, 1e-3),
    "KKT sweep": ("smo_kkt", by_sweeps, 1e-5),
    "SMO": ("smo", lambda p: plain_smo(p, tol=1e-6).alpha, 1e-6),
    "growing working set": ("working_set", lambda p: plain_working_set(p, tol=1e-6, first=8, more=8).alpha, 1e-6)}


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("method", TWINS)
def test_twins_reach_the_same_optimum(method, seed):
    name, plain, off = TWINS[method]
    hard = "qp" in name
    kernel = Linear() if hard or seed % 2 else Gaussian(sigma=1.0)
    problem = random_problem(seed, 24, recipe="plain", kernel=kernel, C=np.inf if hard else 2.0,
                             overlap=0.0 if hard else 0.3)
    options = {"tol": 1e-6} | ({"max_iter": 200_000} if "smo_" in name else {})
    fast, alpha = solve(problem, name, **options), plain(problem)
    assert fast.status == "optimal"
    assert alpha.min() >= -1e-9 * alpha.max()
    lost = 1e-7 if method == "low rank" else 1e-9           # Woodbury's formula loses digits as alpha / z spreads
    assert abs(problem.y @ alpha) < lost * alpha.sum()
    assert problem.objective(alpha) == pytest.approx(fast.objective, rel=off)


def as_wrong_as_others(problem, beta, free):
    """Whether several points violate their conditions most, up to rounding."""
    F = problem.K @ beta - problem.p
    up = F[free := sorted(free)].mean() - np.where(beta < problem.hi, F, np.inf)
    low = np.where(beta > problem.lo, F, -np.inf) - F[free].mean()
    most = np.sort(np.maximum(up, low)[np.setdiff1d(np.arange(problem.n), free)])
    return most[-1] - most[-2] < 1e-9


@pytest.mark.parametrize("seed", range(24))
def test_on_the_free_points_both_take_the_same_way(seed):
    """Turn by turn: the same free points and the same beta, with flat directions (linear), hard and soft.

    Each point has a C of its own: with one for all, the last two free points come to their bounds together, and
    rounding says which of them stays.
    """
    rng = np.random.default_rng(seed)
    hard, n = seed % 3 == 0, int(rng.integers(6, 60))
    given = random_problem(rng, n, recipe="plain", C=1.0, kernel=Linear() if seed % 2 else Gaussian(sigma=0.7),
                           overlap=0.0 if hard else 0.4)
    C = np.inf * np.ones(n) if hard else 10 ** rng.uniform(-1, 2) * rng.uniform(0.5, 1.5, n)
    problem = DualProblem(given.kernel, given.X, given.y, C=C)
    beta = np.zeros(n)
    fast = face.Face(problem.K, problem.p, problem.lo, problem.hi, beta)
    way = [(beta.copy(), set(np.flatnonzero(fast.inside).tolist())) for _ in walk(fast, 5e-7, 5e-9)]
    plain = [(at, set(free)) for at, free in free_turns(problem.K, problem.y, C, tol=5e-7)]
    assert len(way) > 3
    for k, ((mine, free), (other, inside)) in enumerate(zip(plain, way, strict=False)):
        if free != inside:
            assert seed in (7, 13)                                      # w = 0 there, and all are wrong alike
            assert as_wrong_as_others(problem, *plain[k - 1])
            break
        np.testing.assert_allclose(mine, other, atol=1e-6 * max(1.0, np.abs(other).max()))
    else:
        assert all(inside == way[-1][1] for _, inside in way[len(plain) - 1:])      # F afresh, and looked at again
    best = solve(problem, "qp", tol=1e-9).objective
    assert problem.objective(problem.y * plain[-1][0]) == pytest.approx(best, rel=1e-5)


@pytest.mark.parametrize("seed", range(8))
def test_with_one_price_for_all_both_reach_the_optimum(seed):
    problem = random_problem(seed, 40, recipe="plain", kernel=Linear() if seed % 2 else Gaussian(sigma=1.0), C=2.0)
    *_, (beta, _) = free_turns(problem.K, problem.y, 2.0)
    assert problem.objective(problem.y * beta) == pytest.approx(solve(problem, "active_set").objective, rel=1e-6)


def test_a_hard_margin_that_does_not_exist_is_noticed():
    K, y = np.outer([0.0, 1, 2], [0.0, 1, 2]), np.array([1.0, -1, 1])
    with pytest.raises(UnboundedError, match="flat descent"):
        list(free_turns(K, y, np.inf))


@pytest.mark.parametrize("seed", [0, 1, *(pytest.param(k, marks=pytest.mark.thorough) for k in (2, 3, 4))])
def test_subgradients_with_and_without_a_bias(seed):
    """Where each point has its mirror image in the other class, the best b is 0, and both are the same problem."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(20, 2)) + 0.7
    X, y, lam = np.vstack([X, -X]), np.repeat([1.0, -1.0], 20), 0.02
    w = last(islice(subgradient_steps(X, y, lam, lambda t: 2 / (t + 1)), 5_000))
    mean = lam * w @ w + np.maximum(0, 1 - y * (X @ w)).mean()
    r = subgradient_descent(DualProblem(Linear(), X, y, C=1 / (2 * lam * 40)))
    assert mean == pytest.approx(2 * lam * r.objective, rel=1e-3)
    np.testing.assert_allclose(w, r.w, atol=0.02)


def near_tie(problem, alpha, chosen, other):
    """Whether two pairs are as good as each other, up to rounding: the same F_i, or the same gain."""
    F, K = problem.K @ (problem.y * alpha) - problem.p, problem.K
    i, (k, l) = chosen[0], other
    gain = [max(F[b] - F[a], 0.0) ** 2 / max(K[a, a] + K[b, b] - 2 * K[a, b], 1e-12 * np.abs(problem.diag).max())
            for a, b in (chosen, (i, l))]
    return abs(F[i] - F[k]) <= 1e-9 * (1 + abs(F[i])) and (i != k or abs(gain[0] - gain[1]) <= 1e-7 * gain[0])


@pytest.mark.parametrize("seed", range(25))
def test_smo_takes_the_pairs_and_the_steps_of_its_twin(seed):
    """One by one: the plain method, in the same state, selects the same, and steps alike."""
    rng = np.random.default_rng(seed)
    problem = random_problem(rng, int(rng.integers(3, 120)))
    fast = smo(problem, tol=1e-5, newton=False, history="alpha", max_iter=400)
    K, y, C, alpha = problem.K, problem.y, problem.C, np.zeros(problem.n)
    for state in [*fast.history, None]:
        F = K @ (y * alpha) - problem.p
        up, low = np.where(y > 0, alpha < C, alpha > 0), np.where(y > 0, alpha > 0, alpha < C)
        i, j, violation = select_pair(K, F, up, low)
        rounding = 1e-9 * np.abs(K @ alpha).max()
        if state is None:
            assert violation <= 1.01e-5 + rounding or fast.n_iter == 400
            break
        assert violation > 1e-5 - rounding
        assert state["pair"] == (i, j) or near_tie(problem, alpha, (i, j), state["pair"])
        stepped, _, _ = one_step(*state["pair"], alpha, y, K, F + y, C, 0.0)
        np.testing.assert_allclose(stepped, state["alpha"], atol=1e-7 * max(1.0, np.abs(alpha).max()))
        assert problem.objective(stepped) >= problem.objective(alpha) * (1 - 1e-9)
        alpha = state["alpha"]                                          # rounding does not add up over the steps


def test_smo_takes_a_copy_for_the_partner_whatever_rounding_leaves_of_its_eta():
    K = np.eye(3)
    for K[0, 1] in (1.0, 1.0 + 2.0 ** -52):                              # eta is 0, or a little below
        K[1, 0] = K[0, 1]
        pair = select_pair(K, np.array([-1.0, 0.5, 1.0]), np.full(3, True), np.array([False, True, True]))
        assert pair == (0, 1, 2.0)


@pytest.mark.parametrize("seed", range(12))
def test_plain_smo_tells_what_the_fast_one_tells(seed):
    problem = random_problem(100 + seed, 30, C=1.0)
    plain, fast = plain_smo(problem, tol=1e-6, history=True), smo(problem, tol=1e-6, history=True)
    assert plain.status == fast.status == "optimal"
    assert plain.objective == pytest.approx(fast.objective, rel=1e-8)
    assert len(plain.history) == plain.n_iter
    assert plain.history[0].keys() == fast.history[0].keys()
    assert plain.history[-1]["objective"] == pytest.approx(plain.objective, rel=1e-9)


@pytest.mark.parametrize("kernel", [Linear(), Gaussian(sigma=0.7)], ids=repr)
@pytest.mark.parametrize("C", [0.01, 1.0, 100.0, np.inf])
def test_qp_is_chapter_09s_and_exact(kernel, C):
    """The same machine; and the fast form has alpha of exactly 0 and C where cvxopt has left a little."""
    problem = random_problem(5, 40, recipe="plain", kernel=kernel, C=C, overlap=0.0)
    (alpha, b), s = plain_qp(kernel, problem.X, problem.y, C), solve(problem, "qp", tol=1e-8)
    np.testing.assert_allclose(problem.decision(alpha, b), problem.decision(s.alpha, s.b), atol=1e-4)
    assert (s.alpha == 0).sum() > 0 == (alpha == 0).sum()
    assert s.gap <= problem.gap(alpha) + 1e-9


@pytest.mark.parametrize("seed", range(4))
def test_while_nothing_is_compiled_the_twin_takes_the_first_steps(seed, monkeypatch):
    """All of them where they are few; else the compiled loop goes on where they end.  What is told is the same."""
    problem = random_problem(seed, 40, recipe="plain", kernel=Gaussian(sigma=0.5), C=[1.0, np.inf][seed % 2],
                             overlap=0.0)
    plain, told = plain_smo(problem, tol=1e-6, history="alpha"), []
    monkeypatch.setattr("svmlib.solvers.smo.is_cold", lambda function: True)
    for most in (10_000, 7):
        monkeypatch.setattr("svmlib.solvers.smo.FIRST_STEPS", iter(range(most)))
        first = smo(problem, tol=1e-6, newton=False, history="alpha", callback=told.append)
        assert (first.status, first.solver) == ("optimal", "smo")
        assert first.objective == pytest.approx(plain.objective, rel=1e-9)
        assert [state["n_iter"] for state in first.history] == list(range(1, first.n_iter + 1))
        for mine, twin in list(zip(first.history, plain.history, strict=False))[:most]:
            assert (mine["pair"], mine["alpha"].tolist()) == (twin["pair"], twin["alpha"].tolist())
        assert told.pop()["n_iter"] == first.n_iter
    monkeypatch.setattr("svmlib.solvers.smo.FIRST_STEPS", iter(range(10_000)))
    assert smo(problem, tol=1e-6, callback=lambda state: state["n_iter"] == 3).status == "interrupted"
    assert smo(problem, tol=1e-6, max_iter=3).n_iter == 3


def test_a_first_hard_margin_that_does_not_exist_is_named_at_once(monkeypatch):
    monkeypatch.setattr("svmlib.solvers.smo.is_cold", lambda function: True)
    monkeypatch.setattr("svmlib.solvers.smo.FIRST_STEPS", iter(()))
    with pytest.raises(NotSeparableError):
        smo(random_problem(0, 40, recipe="plain", kernel=Linear(), C=np.inf, overlap=2.0))


def test_the_kept_factor_is_that_of_its_twin():
    """Two hundred points come and go: both forms hold the same L, with LL' = K + c, and the fast one solves with it."""
    rng = np.random.default_rng(3)
    n, c = 12, 0.7
    B = rng.normal(size=(n, n))
    K = B @ B.T + np.eye(n)
    L, inside, fast = np.zeros((0, 0)), [], (np.zeros((n, n)), np.zeros(n, np.int64))
    for _ in range(200):
        k = len(inside)
        if k < n and (k == 0 or rng.random() < 0.55):
            p = int(rng.choice(sorted(set(range(n)) - set(inside))))
            L = append(L, K[p, inside] + c, K[p, p] + c)
            face.append(K, c, fast, k, p)
            inside.append(p)
        else:
            h = int(rng.integers(k))
            L = delete(L, h)
            face.delete(fast, k, h)
            inside.pop(h)
        k, block = len(inside), K[np.ix_(inside, inside)] + c
        assert list(fast[1][:k]) == inside
        np.testing.assert_allclose(np.tril(fast[0][:k, :k]), L, atol=1e-9)
        np.testing.assert_allclose(L @ L.T, block, atol=1e-9)
        r = rng.normal(size=k)
        x = r.copy()
        face.forward(fast[0], k, x)
        face.backward(fast[0], k, x)
        np.testing.assert_allclose(block @ x, r, atol=1e-8)
