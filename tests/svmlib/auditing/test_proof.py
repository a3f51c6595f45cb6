"""The bounds of an audit against the optimum itself, in long doubles: none fails, whoever stopped where."""
import warnings

import numpy as np
import pytest
from long_doubles import LONG, exact_gram, exact_optimum, no_long_doubles

from svmlib import DualProblem, audit, solve
from svmlib.auditing.proof import crossings, exact, prove, reach_of
from svmlib.dual import BoxProblem
from svmlib.kernels import Gaussian, Linear, Polynomial

pytestmark = no_long_doubles


def drawn(seed: int) -> BoxProblem:
    """A problem of one of four kinds with a kernel of one of three, of any C, some with a C for each point."""
    rng = np.random.default_rng(seed)
    n, d, kind = int(rng.integers(4, 26)), int(rng.integers(1, 6)), int(rng.integers(4))
    X = rng.normal(size=(n, d))
    kernel = (Linear(), Gaussian(sigma=10 ** rng.uniform(-0.5, 0.7)), Polynomial(Q=2, a=1 / d))[int(rng.integers(3))]
    C = 10 ** rng.uniform(-2, 3) * (rng.choice([1.0, 2.0, 0.3], n) if rng.random() < 0.4 else np.ones(n))
    if kind == 2:
        target = np.sin(2 * X[:, 0]) + 0.3 * rng.normal(size=n)
        signs = np.repeat([1.0, -1.0], n)
        return BoxProblem(kernel, np.vstack([X, X]), signs, np.tile(C, 2), np.tile(target, 2) - 0.1 * signs)
    if kind == 3:
        return BoxProblem(kernel, X, np.ones(n), C, 0.0, float(rng.uniform(0.1, 0.9) * C.sum()))
    y = np.where(X[:, 0] + rng.normal(size=n) * (kind == 0) > 0, 1.0, -1.0)
    y[:2] = 1.0, -1.0
    return DualProblem(kernel, X, y, C)


def held(seed: int) -> str:
    """Solve a problem roughly, spoil it perhaps, and compare what is proved with the truth: what became of it."""
    problem, rng = drawn(seed), np.random.default_rng([seed, 1])
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            fine = solve(problem, "active_set", tol=1e-10)
        except ValueError:
            return "no optimum"
        rough = solve(problem, "smo", tol=10 ** rng.uniform(-6, 0), newton=False)
    K = exact_gram(problem.kernel, problem.X)
    truth = exact_optimum(problem, K, fine.alpha)
    if truth is None:
        return "no optimum"
    alpha, b = rough.alpha, rough.b
    if seed % 4 == 1:
        alpha = alpha * (1 + 10 ** rng.uniform(-5, -1) * rng.normal(size=problem.n))                 # not feasible
    if seed % 4 == 2:
        b += 10 ** rng.uniform(-4, 0) * rng.normal()
    proof = prove(problem, alpha, b, better=rough if seed % 3 == 0 else None)
    compared(problem, proof, K, alpha, b, truth, seed)
    low, high = truth[1:]
    if high - low < 1e-9:
        return "unique"
    return "b free" if proof.reach.b_certain else "b not unique"


def compared(problem, proof, K, alpha, b, truth, seed):
    """All that a proof says of the optima holds."""
    g, low, high = truth
    f = K @ (problem.y * alpha).astype(LONG) + LONG(b)
    tiny = 1e-13 * (1 + float(np.abs(g).max()))
    assert np.abs(f - proof.f).max() <= proof.rounding + tiny, seed
    bound, found = proof.reach.at_points, proof.reach
    there = max(low, (f - g - bound).max()), min(high, (f - g + bound).min())           # biases of one and the same f*
    assert there[0] <= there[1] + tiny, seed
    assert found.b_range[0] - tiny <= low, seed
    assert high <= found.b_range[1] + tiny, seed
    if found.b_certain:
        assert low - tiny <= found.b_certain[0] < found.b_certain[1] <= high + tiny, seed


def test_no_bound_fails():
    outcomes = [held(seed) for seed in range(24)]
    assert outcomes.count("no optimum") < 6
    assert {"unique", "b free"} <= set(outcomes)


@pytest.mark.thorough
def test_no_bound_fails_on_many():
    outcomes = [held(seed) for seed in range(1000, 3600)]
    assert len(outcomes) - outcomes.count("no optimum") >= 2000
    assert outcomes.count("b free") > 20


def test_bounds_at_other_points():
    rng = np.random.default_rng(3)
    X, new = rng.normal(size=(60, 2)), 3 * rng.normal(size=(200, 2))
    y = np.where(X[:, 0] + 0.5 * rng.normal(size=60) > 0, 1, -1)
    for kernel in (Gaussian(sigma=1.0), lambda A, B: np.exp(-0.5 * ((A[:, None] - B) ** 2).sum(axis=-1))):
        problem = DualProblem(kernel, X, y, C=10.0)
        rough, fine = (solve(problem, "smo", tol=tol) for tol in (0.1, 1e-10))
        f, best = (problem.kernel.block(new, X) @ (y * s.alpha) + s.b for s in (rough, fine))
        alone, sharp = (audit((rough.alpha, rough.b, kernel, 10.0), X, y, sharp=sharp).problems[0] for sharp in (0, 1))
        off = np.abs(f - best)
        assert np.all(off <= alone.bound(new))
        assert np.all(off <= sharp.bound(new) + 1e-12)
        assert sharp.bound(new).max() < 1.2 * off.max() + 1e-3 < alone.bound(new).max()
        assert np.allclose(alone.bound(X), alone.decision_bound, rtol=1e-9)


def test_a_kernel_that_is_none_has_no_bound():
    X = np.random.default_rng(0).normal(size=(30, 2))
    y = np.where(X[:, 0] > 0, 1, -1)
    found = audit((np.zeros(30), 0.0, lambda A, B: np.tanh(A @ B.T - 1.0), 1.0), X, y)
    assert not found.problems[0].convex
    assert np.isinf(found.decision_bound)
    assert "not positive semidefinite" in str(found)
    assert "nothing here says" in str(found)

    def on_the_right(A, B):
        """x'z where both are on the right, else its negative: PSD on points of the right alone."""
        return np.where((A[:, :1] > 0) & (B[:, :1].T > 0), 1.0, -1.0) * (A @ B.T)

    right = np.abs(X)
    problem = audit((np.zeros(30), 0.0, on_the_right, 1.0), right, np.where(right[:, 1] > 0.5, 1, -1)).problems[0]
    assert problem.convex
    with pytest.raises(ValueError, match=r"X: the kernel is not positive semidefinite on the points and these"):
        problem.bound(-right)


def test_hard_margin():
    problem = DualProblem(Linear(), [[0.0], [2.0], [5.0]], [-1, 1, 1], C=np.inf)
    proof = prove(problem, np.array([0.5, 0.5, 0.0]), -1.0)
    assert proof.reach.at_points.max() < 1e-6                                  # the optimum: f = x - 1
    short = prove(problem, 0.9 * np.array([0.5, 0.5, 0.0]), -0.9)              # its band is too wide by 1 / 0.9
    assert np.all(np.abs(0.9 * np.array([-1.0, 1.0, 4.0]) - [-1.0, 1.0, 4.0]) <= short.reach.at_points)
    assert short.reach.at_points.max() < 3
    shifted = prove(problem, np.array([0.5, 0.5, 0.0]), 3.0)                   # a point on the wrong side, by b alone
    assert np.isinf(shifted.gap)
    assert np.allclose(shifted.reach.at_points, 4.0, atol=1e-5)
    flat = prove(problem, np.zeros(3), 0.0)                                    # no w separates less
    assert np.isinf(flat.gap)
    assert np.isinf(flat.reach.at_points).all()


def test_where_b_is_free_the_nearest_is_meant():
    X, y = [[0.0], [1.0]], [-1, 1]
    for b in (-0.9, 0.0, 0.9):                                      # C = 0.1 holds both: f = 0.1 x + b
        found = audit(([0.1, 0.1], b, "linear", 0.1), X, y)
        problem = found.problems[0]
        low, high = problem.b_free
        assert (round(low, 6), round(high, 6)) == (-1.0, 0.9)          # -1 <= f(0), f(1) <= 1
        assert found.decision_bound < 1e-7
        assert "b is not unique" in str(found)
    assert audit(([0.1, 0.1], 1.2, "linear", 0.1), X, y).decision_bound == pytest.approx(0.3, abs=1e-6)


def test_of_one_class_with_nu_1_no_b_is_too_small():
    problem = BoxProblem(Linear(), [[1.0], [2.0]], np.ones(2), 1.0, 0.0, 2.0)
    reach = prove(problem, np.ones(2), -6.0).reach
    assert reach.b_range[0] == -np.inf
    assert reach.at_points.max() < 1e-6


def test_crossings_count_exactly():
    problem = DualProblem(Linear(), np.arange(10.0)[:, None], np.tile([-1, 1], 5), C=0.1)
    t = np.arange(10.0)
    assert crossings(problem, t) == (4.0, 5.0)                          # 0.1 summed five times is not 0.5
    assert exact(np.array([0.1, 1e-300]), 0.3)[0][0] > 10 ** 280
    assert reach_of(problem, prove(problem, np.zeros(10), 0.0), [[3.0]])[0] > 0
