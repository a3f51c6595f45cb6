"""The certificate has the last word, and is what it says: primal minus dual value."""
import contextlib

import numpy as np
import pytest
from problems import random_problem

from svmlib import ConvergenceWarning, DualProblem, solve
from svmlib.data import exponential_classes
from svmlib.dual.certificate import evaluate, violating_pair
from svmlib.kernels import Linear


def test_certificate_decides_whether_it_is_optimal():
    problem = random_problem(0, 30, recipe="plain", kernel=Linear(), C=1.0)
    alpha = solve(problem, "smo", tol=1e-6).alpha
    assert problem.solution(alpha, solver="any", status="max_iter", n_iter=3, tol=1e-3).status == "optimal"
    with pytest.warns(ConvergenceWarning):
        assert problem.solution(0.5 * alpha, solver="any", status="optimal", n_iter=3, tol=1e-3).status == "max_iter"


@pytest.mark.parametrize(("times", "status"), [(1.005, "optimal"), (1.1, "max_iter")])
def test_a_violation_may_be_a_hundredth_above_the_tolerance(times, status):
    problem = random_problem(0, 30, recipe="plain", kernel=Linear(), C=1.0)
    alpha = solve(problem, "smo", tol=1e-2, newton=False).alpha
    worst = problem.certificate(alpha).worst
    with contextlib.nullcontext() if status == "optimal" else pytest.warns(ConvergenceWarning):
        s = problem.solution(alpha, solver="any", status="optimal", n_iter=3, tol=worst / times)
    assert s.status == status


@pytest.mark.parametrize("seed", range(20))
def test_certificate_is_primal_minus_dual(seed):
    """The gap by its terms is the difference of the two values; also where some points, or all, have C = inf."""
    rng = np.random.default_rng(seed)
    problem = random_problem(rng, 25, C=1.0)
    alpha, b = rng.random(25), rng.normal()
    problem.C = np.where(rng.random(25) < (0.0, 0.3)[seed % 2], np.inf, alpha + rng.random(25))
    alpha -= problem.y * (problem.y @ alpha) / 25                            # y' alpha = 0
    alpha = np.minimum(np.maximum(alpha, 0.0), problem.C)
    beta = problem.y * alpha
    f = problem.K @ beta
    beta_beta, hard = float(beta @ f), np.isinf(problem.C)
    margins = problem.y * (f + b)
    if hard.any() and margins[hard].min() <= 0:
        assert problem.gap(alpha, b) == np.inf
        return
    s = max(1.0, 1.0 / margins[hard].min()) if hard.any() else 1.0
    primal = 0.5 * s ** 2 * beta_beta + problem.C[~hard] @ np.maximum(0.0, 1.0 - s * margins[~hard])
    # beta has a sum of its own here: b times it is what the terms of the gap see beside primal minus dual
    assert problem.gap(alpha, b) == pytest.approx(primal - problem.objective(alpha) + s * b * beta.sum(), rel=1e-9)


@pytest.mark.parametrize(("scale", "status"), [(1.0, "optimal"), (1e3, "optimal"), (1e9, "max_iter")])
def test_no_claim_finer_than_the_rounding_of_the_gram_matrix(scale, status):
    """K beta is a difference of huge numbers: 0 in float64, and something else in exact arithmetic."""
    p = DualProblem(Linear(), scale * np.array([[1.0], [-1.0], [1.1], [-1.1]]), [1, 1, -1, -1], C=1.0)
    with contextlib.nullcontext() if status == "optimal" else pytest.warns(ConvergenceWarning, match="rounding up to"):
        s = p.solution(np.ones(4), solver="qp", status="optimal", n_iter=1, tol=1e-12)
    assert s.status == status
    assert s.tol >= max(1e-12, 4 * np.finfo(float).eps * p.diag.max()) or status == "max_iter"
    assert s.tol <= 1e-8


def test_a_solution_that_is_no_number_is_not_optimal():
    p = DualProblem(Linear(), [[0.0], [2.0]], [-1, 1], C=10.0)
    with pytest.warns(ConvergenceWarning):
        assert p.solution(np.full(2, np.nan), solver="qp", status="optimal", n_iter=1, tol=1e-3).status == "max_iter"


@pytest.mark.parametrize("scale", [1e-3, 1.0, 1e5])
@pytest.mark.parametrize(("seed", "C"), [(29, 0.7), (40, 0.3), (82, 1.0)])
def test_what_rounding_leaves_beside_a_bound_lies_on_it(seed, C, scale):
    """Three problems on which SMO once left 1e-17 for 0, and a point well off the margin counted as a margin vector."""
    X, y = exponential_classes(seed)
    problem = DualProblem(Linear(), scale * X, y, C=C / scale ** 2)
    s = solve(problem, "smo", tol=1e-9)
    margins = y * (problem.K @ (y * s.alpha) + s.b)
    assert np.allclose(margins[s.free], 1.0, atol=1e-6)
    assert (margins[s.bounded] < 1 + 1e-6).all()
    assert (margins[s.alpha == 0] > 1 - 1e-6).all()


@pytest.mark.parametrize("seed", range(5))
def test_uncompiled_it_says_the_same_without_a_warning(seed):
    """A first small fit reads the loop as plain Python, where infinities that meet zeros would warn."""
    rng = np.random.default_rng(seed)
    y = rng.permutation(np.repeat([-1.0, 1.0], 6))
    C = np.where(rng.random(12) < 0.5, np.inf, rng.uniform(0.1, 10.0, 12))
    alpha = np.where(rng.random(12) < 0.5, 0.0, np.minimum(C, 1.0) * rng.random(12))
    for g in (np.zeros(12), y * rng.uniform(0.5, 3.0, 12), rng.normal(size=12)):   # on the border, apart, mixed
        for b, known in ((np.nan, False), (0.0, True)):
            compiled, plain = np.empty(12), np.empty(12)
            with np.errstate(all="raise"):
                numbers = getattr(evaluate, "py_func", evaluate)(y, C, y, alpha, g, b, known, plain)
            np.testing.assert_allclose(numbers, evaluate(y, C, y, alpha, g, b, known, compiled), rtol=1e-12)
            np.testing.assert_allclose(plain, compiled, rtol=1e-12)
            hard = y * (g + numbers[0]) <= 0
            assert np.isinf(numbers[3]) == (hard & np.isinf(C)).any()


@pytest.mark.parametrize("seed", range(5))
def test_the_worst_pair_is_that_of_a_search(seed):
    rng = np.random.default_rng(seed)
    F, beta, lo, hi = rng.normal(size=20), rng.choice([-1.0, 0.0, 1.0], 20), np.full(20, -1.0), np.ones(20)
    up, low = [k for k in range(20) if beta[k] < 1], [k for k in range(20) if beta[k] > -1]
    i, j = min(up, key=lambda k: F[k]), max(low, key=lambda k: F[k])
    assert violating_pair(F, beta, lo, hi) == (i, j, F[i], F[j])
    F[i], F[j] = 9.0, -9.0                        # the extremes once more, where a bound forbids them
    beta[i], beta[j] = -1.0, 1.0
    other = violating_pair(F, beta, lo, hi)
    assert other[0] != j
    assert other[1] != i
    assert violating_pair(F, lo, lo, hi)[3] == -np.inf
    assert violating_pair(F, hi, lo, hi)[2] == np.inf
