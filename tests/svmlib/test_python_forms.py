"""Compiled functions are Python too: each solver on problems so small that the interpreter can follow.

`make coverage` runs this file with NUMBA_DISABLE_JIT=1, where the functions are plain Python and their lines and
branches are counted; without it the same tests run the compiled forms.
"""
import numpy as np
import pytest
from oracles import cvxopt_dual
from problems import random_problem

from svmlib import SVC, DualProblem, solve
from svmlib.engine.row_kernels import row_of
from svmlib.kernels import GapWeighted, Gaussian, Linear, Polynomial, Sigmoid, Subsequence, Substring
from svmlib.solvers.active_set_general import minimize_qp
from svmlib.solvers.smo import rows_of_problem

pytestmark = pytest.mark.filterwarnings("ignore::svmlib.kernels.NotPSDWarning")

KERNELS = [Linear(), Polynomial(Q=3), Gaussian(sigma=0.8), Gaussian(sigma=0.8, normalized=True), Sigmoid(delta=1.0)]
SOLVERS = ["active_set", "smo", "smo_random", "smo_kkt", "working_set"]


def problem(kernel, n=24, C=1.0):
    """Two classes that overlap, with duplicates and contradictions."""
    return random_problem(0, n, recipe="plain", overlap=0.7, repeated=True, kernel=kernel, C=C)


@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
@pytest.mark.parametrize("C", [0.1, 20.0])
@pytest.mark.parametrize("kernel", KERNELS, ids=repr)
@pytest.mark.parametrize("name", SOLVERS)
def test_every_solver_reaches_the_optimum(name, kernel, C):
    p = problem(kernel, C=C)
    if name == "active_set" and not kernel.psd:
        with pytest.raises(ValueError, match="positive semidefinite"):
            solve(p, name)
        return
    s = solve(p, name, tol=1e-4)
    assert s.alpha.min() >= 0
    assert abs(p.y @ s.alpha) < 1e-9 * max(1.0, s.alpha.sum())
    if kernel.psd:
        value = cvxopt_dual(p)[1]
        assert value - s.objective <= s.gap + 1e-6 * max(1.0, value)
        assert s.converged or name.startswith("smo_")


@pytest.mark.parametrize("kernel", KERNELS[:4], ids=repr)
def test_rows_on_demand_are_the_gram_matrix(kernel):
    p = problem(kernel, n=70)
    gram = rows_of_problem(p)
    assert gram.slot[-1] == 0
    beta = np.where(np.arange(70) % 3 == 0, 0.5, 0.0)
    assert gram.times(beta) == pytest.approx(p.K @ beta, rel=1e-12)
    assert gram.slot[-1] == np.count_nonzero(beta)
    points = np.array([0, 1, 2, 3])
    rows = [row_of(gram.row_kernel, i, gram.K, gram.slot) for i in points]
    assert gram.K[rows] == pytest.approx(p.K[:4], rel=1e-12, abs=1e-300)
    assert gram.slot[-1] == np.count_nonzero(beta) + 2


def test_exponential_far_out_is_zero():
    p = DualProblem(Gaussian(gamma=1.0), [[0.0], [1.0], [30.0]], [1, -1, 1])
    gram = rows_of_problem(p)
    gram.times(np.ones(3))
    assert np.allclose(gram.K[gram.slot[:3]], np.exp(-(p.X - p.X.T) ** 2), rtol=1e-13, atol=1e-300)


def test_hard_margin_takes_newton_steps():
    p = random_problem(1, 30, recipe="plain", overlap=0.0, kernel=Linear(), C=np.inf)
    values = [solve(p, name, tol=1e-6).objective for name in ("smo", "active_set", "qp")]
    assert values == pytest.approx([values[2]] * 3, rel=1e-5)


def test_large_c_takes_newton_steps():
    p = problem(Linear(), n=40, C=1e4)
    assert solve(p, "smo", tol=1e-5).objective == pytest.approx(solve(p, "qp").objective, rel=1e-6)


def test_growing_working_set_grows():
    p = random_problem(2, 330, recipe="plain", overlap=1.0, kernel=Gaussian(sigma=0.5), C=1.0)
    s = solve(p, "working_set", tol=1e-2)
    assert s.status == "optimal"
    assert s.violation <= 1.01e-2


def test_three_classes_on_shared_rows():
    rng = np.random.default_rng(3)
    X = rng.normal(size=(60, 2)) + np.repeat([[0, 0], [3, 0], [0, 3]], 20, axis=0)
    y = np.repeat([0, 1, 2], 20)
    shared = SVC(Gaussian(sigma=1.0), solver="working_set").fit(X, y)
    assert np.array_equal(shared.predict(X), SVC(Gaussian(sigma=1.0), solver="smo").fit(X, y).predict(X))


@pytest.mark.parametrize("kernel", [Subsequence(), Substring(), GapWeighted(lam=0.5, length=2), GapWeighted(lam=0.7),
                                    Subsequence(normalized=True)], ids=repr)
def test_string_kernels(kernel):
    words = ["BERT", "BEERE", "", "ABBA", "TREBEEB"]
    K = kernel(words)
    assert pytest.approx(K.T) == K
    assert kernel(words[:2], words) == pytest.approx(K[:2])
    assert bool(kernel.is_psd(words[:2]))


def test_long_equal_strings_count_without_overflow():
    K = Subsequence(normalized=True)(["AB" * 300, "AB" * 300, "B" * 600])
    assert K[0, 1] == pytest.approx(1.0)
    assert 0 <= K[0, 2] <= 1


def test_general_active_set():
    """Nocedal and Wright, Example 16.4."""
    D = np.array([[1.0, -2.0], [-1.0, -2.0], [-1.0, 2.0], [1.0, 0.0], [0.0, 1.0]]).T
    r = minimize_qp(2 * np.eye(2), np.array([2.0, 5.0]), None, None, D, np.array([-2.0, -6.0, -2.0, 0.0, 0.0]),
                    x0=np.array([2.0, 0.0]))
    assert r.x == pytest.approx([1.4, 1.7])
