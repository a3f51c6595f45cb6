"""`Solution.gap_bound` against the truth: primal minus dual value of the stored points in long doubles."""
import warnings

import numpy as np
import pytest
from long_doubles import LONG, exact_gram, no_long_doubles

from svmlib import SVC, DualProblem, solve
from svmlib.dual.certificate import bounded_gap, certificate
from svmlib.kernels import Gaussian, Kernel, Linear, Polynomial

pytestmark = no_long_doubles


def true_gap(kernel: Kernel, X: np.ndarray, y: np.ndarray, s) -> tuple[float, float]:
    """Primal minus dual value of (alpha, b), and the dual value."""
    alpha, signs = s.alpha.astype(LONG), y.astype(LONG)
    g = exact_gram(kernel, X) @ (signs * alpha)
    norm, slack = (signs * alpha) @ g, np.maximum(0, 1 - signs * (g + LONG(s.b)))
    return float(norm / 2 + s.C.astype(LONG) @ slack - alpha.sum() + norm / 2), float(alpha.sum() - norm / 2)


def drawn(rng: np.random.Generator, rough: bool) -> tuple[Kernel, np.ndarray, np.ndarray, float]:
    """A problem: kernel, points, labels, C; rough: of any scale, far off, with points that occur many times."""
    n, d = int(rng.integers(4, 80)), int(rng.integers(1, 30))
    X = rng.normal(size=(n, d))
    if rough:
        X = X * 10 ** rng.uniform(-4, 4, d if rng.random() < 0.3 else 1)
        X += 10 ** rng.uniform(-2, 3) * np.abs(X).max() * (rng.random() < 0.3)
        X = X[rng.integers(n, size=n)] if rng.random() < 0.3 else X
    y = np.where(X @ rng.normal(size=d) + np.std(X) * rng.normal(size=n) > np.median(X), 1.0, -1.0)
    y[:2] = 1.0, -1.0
    size = float(np.sqrt((X ** 2).sum(axis=1).mean()))
    C = 10 ** (rng.uniform(-3, 5) if rough else rng.uniform(-1, 1))
    width = 10 ** rng.uniform(-1.5, 1.5) if rough else rng.uniform(0.3, 2)
    polynomial = Polynomial(Q=int(rng.integers(2, 5)), a=1 / size ** 2, b=rng.random())
    kernels = Linear(), Gaussian(sigma=size * width), polynomial
    k = int(rng.integers(3))
    return kernels[k], X, y, C / size ** 2 if k == 0 else C


def claims_hold(seeds, rough: bool) -> None:
    """Solve problems by any solver, to any tolerance: none claims less than the truth; on plain ones little more."""
    for seed in seeds:
        rng = np.random.default_rng(seed)
        kernel, X, y, C = drawn(rng, rough)
        tol = 10 ** rng.uniform(-10 if rough else -7, -2)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            try:
                s = solve(DualProblem(kernel, X, y, C), ("smo", "qp", "active_set")[seed % 3], tol=tol, max_iter=2000)
            except ValueError:                               # a matrix that rounding has made indefinite
                continue
        gap, value = true_gap(kernel, X, y, s)
        assert s.gap_bound >= gap, (seed, rough)
        assert s.gap_bound >= s.gap
        assert rough or s.gap_bound <= max(10 * gap, 1e-10 * value), (seed, s.gap_bound, gap, value)


@pytest.mark.parametrize("rough", [False, True])
def test_no_problem_claims_less_than_the_truth(rough):
    claims_hold(range(150), rough)


@pytest.mark.thorough
@pytest.mark.parametrize("rough", [False, True])
def test_none_of_many_problems_claims_less(rough):
    claims_hold(range(1000, 6000), rough)


def balanced(seed: int, hard: bool) -> tuple[np.ndarray, ...]:
    """y, C, alpha with y'alpha exactly 0, g and b; hard: half of C is inf, and these points are on their sides."""
    rng = np.random.default_rng(seed)
    y = np.repeat([-1.0, 1.0], 6)
    alpha = np.tile(rng.integers(0, 9, size=6) / 8, 2)
    C = np.where(hard & (np.arange(12) % 2 == 0), np.inf, alpha + rng.integers(0, 3, size=12) / 4 + 0.25)
    b = rng.normal()
    return y, C, alpha, np.where(np.isinf(C), y * rng.uniform(0.3, 2.0, 12) - b, rng.normal(size=12)), b


@pytest.mark.parametrize("hard", [False, True])
@pytest.mark.parametrize("seed", range(5))
def test_the_bound_is_the_gap_with_each_term_as_large_as_it_may_be(seed, hard):
    y, C, alpha, g, b = balanced(seed, hard)
    nothing = np.zeros(12)
    gap = certificate(y, C, y, alpha, g, b).gap
    least = bounded_gap(y, C, y, 0.0, alpha, g, b, nothing)
    assert gap < least < gap * (1 + 1e-12) + 1e-12                  # more than the gap, and by rounding alone
    size = 1e-3
    bound = bounded_gap(y, C, y, 0.0, alpha, g, b, np.full(12, size))
    corners = np.random.default_rng(seed).choice([-size, size], (200, 12))
    gaps = [certificate(y, C, y, alpha, g + corner, b).gap for corner in corners]
    assert max(gaps) <= bound
    assert max(gaps) > gap
    apart = bounded_gap(y, C, y, 0.25, alpha, g, b, nothing)         # y'alpha is 0 where it should be 1/4
    assert apart - least == pytest.approx(0.25 * (2 * abs(b) + abs(y - g).max()), rel=1e-9)


def test_the_bound_has_the_unit_of_the_dual_value():
    """Points 1024 times as large, with the optimum that belongs to them, have a bound 4 ** -10 times as large."""
    near, far = (DualProblem(Linear(), [[-(2.0 ** k)], [2.0 ** k]], [-1, 1], C=4.0 ** -k).solution(
        np.full(2, 0.5 * 4.0 ** -k), solver="any", status="optimal", n_iter=1, tol=1e-3) for k in (0, 10))
    assert near.gap == far.gap == 0
    assert 1e-16 < near.gap_bound < 1e-13
    assert far.gap_bound == 4.0 ** -10 * near.gap_bound


def test_the_bound_is_infinite_where_rounding_leaves_a_hard_point_no_side():
    y, C, alpha, g, b = balanced(0, hard=True)
    margin = (y * (g + b))[np.isinf(C)].min()
    assert bounded_gap(y, C, y, 0.0, alpha, g, b, np.full(12, 0.9 * margin)) < np.inf
    assert bounded_gap(y, C, y, 0.0, alpha, g, b, np.full(12, 1.1 * margin)) == np.inf


def test_all_pairs_of_many_classes_have_their_bound(monkeypatch):
    monkeypatch.setattr("svmlib.svc.small_pairs.is_cold", lambda function: False)
    rng = np.random.default_rng(0)
    y = np.arange(96) % 12
    X = rng.normal(size=(12, 3))[y] * 2 + rng.normal(size=(96, 3))
    machine = SVC(Gaussian(sigma=1.5), C=5.0, tol=1e-9).fit(X, y)
    pairs = [(p, q) for p in range(12) for q in range(p + 1, 12)]
    for (p, q), s in zip(pairs, machine.solutions_, strict=True):
        rows = np.flatnonzero((y == p) | (y == q))
        gap, _ = true_gap(Gaussian(sigma=1.5), X[rows], np.where(y[rows] == p, 1.0, -1.0), s)
        assert gap <= s.gap_bound < 1e-7
