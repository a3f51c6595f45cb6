"""Strings go through the dual problem, its solvers and the estimator as points do."""
import numpy as np
import pytest

from svmlib import SVC, DualProblem, solve
from svmlib.kernels import GapWeighted, Substring


def labelled(n, seed):
    """Random strings; the class is whether "ab" or "ba" has been written into them."""
    rng = np.random.default_rng(seed)
    y = np.where(np.arange(n) % 2, 1, -1)
    words = ["".join(rng.choice(list("cdefgh"), 12)) for _ in range(n)]
    return [w[:5] + ("abab" if label > 0 else "baba") + w[5:] for w, label in zip(words, y, strict=True)], y


def test_dual_problem_of_strings_solved_by_two_solvers():
    X, y = labelled(40, seed=1)
    p = DualProblem(GapWeighted(lam=0.5, length=2, normalized=True), X, y, C=10.0)
    a, b = solve(p, "qp", tol=1e-6), solve(p, "smo", tol=1e-6)
    assert a.converged
    assert b.converged
    assert a.objective == pytest.approx(b.objective, rel=1e-5)
    direct = p.K @ (y * a.alpha) + a.b
    np.testing.assert_allclose(p.decision(a.alpha, a.b), direct, atol=1e-12)


@pytest.mark.parametrize("kernel", [Substring(normalized=True), GapWeighted(lam=0.3, length=2, normalized=True)])
def test_svc_on_lists_of_strings(kernel):
    X, y = labelled(80, seed=2)
    T, u = labelled(80, seed=3)
    machine = SVC(kernel=kernel, C=10.0).fit(X, y)
    assert machine.score(T, u) >= 0.95
    by_hand = kernel(T, [X[i] for i in machine.support_]) @ machine.dual_coef_.ravel() + machine.intercept_
    np.testing.assert_allclose(machine.decision_function(T), by_hand, atol=1e-9)
