"""The general problem under all solvers: regression and one-class machines are instances, as good as scikit-learn's."""
import numpy as np
import pytest
from problems import random_problem
from sklearn.svm import SVR, OneClassSVM

from svmlib.dual import BoxProblem, ConvergenceWarning
from svmlib.kernels import Gaussian, Linear
from svmlib.solvers import SOLVERS, solve
from svmlib.solvers.primal import subgradient_descent
from svmlib.solvers.smo import plain_smo

PATIENCE = {"smo_random": 5_000_000, "smo_kkt": 5_000_000}     # steps; whoever draws pairs needs many
RNG = np.random.default_rng(0)
N = 40
X = RNG.normal(size=(N, 2))
TARGET = np.sin(2 * X[:, 0]) + 0.3 * X[:, 1] + 0.2 * RNG.normal(size=N)
Z = RNG.normal(size=(50, 2))


def regression(kernel, C=2.0, epsilon=0.1):
    """Epsilon-insensitive regression: each point twice, pulled up and pulled down."""
    return BoxProblem(kernel, np.vstack([X, X]), np.repeat([1, -1], N), C, np.r_[TARGET - epsilon, TARGET + epsilon])


def one_class(kernel, nu):
    """The nu fraction of the points may stay outside."""
    return BoxProblem(kernel, X, np.ones(N), 1.0, 0.0, nu * N)


def values(problem, solution):
    """Decision values at Z."""
    return problem.kernel(Z, problem.X) @ (problem.y * solution.alpha) + solution.b


@pytest.mark.parametrize(("name", "kernel"), [(name, Linear()) for name in SOLVERS] + [
    (name, Gaussian(gamma=0.5)) for name in SOLVERS if name != "qp_low_rank"], ids=repr)
def test_regression_is_scikit_learns(name, kernel):
    problem = regression(kernel)
    s = solve(problem, name, tol=1e-7, max_iter=PATIENCE.get(name))
    options = {"kernel": "rbf", "gamma": 0.5} if isinstance(kernel, Gaussian) else {"kernel": "linear"}
    peer = SVR(C=2.0, epsilon=0.1, tol=1e-9, **options).fit(X, TARGET)
    assert s.status == "optimal"
    np.testing.assert_allclose(values(problem, s), peer.predict(Z), atol=1e-4)
    # primal minus dual, by hand: |w|^2 / 2 + C sum of what sticks out of the tube
    beta = s.alpha[:N] - s.alpha[N:]
    f = kernel(X) @ beta + s.b
    primal = 0.5 * beta @ kernel(X) @ beta + 2.0 * np.maximum(0.0, np.abs(f - TARGET) - 0.1).sum()
    assert primal - s.objective == pytest.approx(s.gap, abs=1e-6)


@pytest.mark.parametrize("nu", [0.05, 0.3, 0.8])
@pytest.mark.parametrize("name", sorted(set(SOLVERS) - {"qp_low_rank"}))
def test_one_class_is_scikit_learns(name, nu):
    problem = one_class(Gaussian(gamma=0.5), nu)
    s = solve(problem, name, tol=1e-7, max_iter=PATIENCE.get(name))
    peer = OneClassSVM(gamma=0.5, nu=nu, tol=1e-9).fit(X)
    assert s.status == "optimal"
    assert s.alpha.sum() == pytest.approx(nu * N)
    np.testing.assert_allclose(values(problem, s), peer.decision_function(Z), atol=1e-4)


@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
@pytest.mark.parametrize("problem", [
    regression(Linear()), pytest.param(regression(Gaussian(gamma=0.5)), marks=pytest.mark.thorough),
    one_class(Gaussian(gamma=0.5), 0.3), pytest.param(one_class(Gaussian(gamma=0.5), 0.05), marks=pytest.mark.thorough),
], ids=repr)
def test_subgradients_solve_the_primal_of_any_problem(problem):
    r, s = subgradient_descent(problem), solve(problem, "qp", tol=1e-8)
    g = problem.K @ r.beta
    by_hand = 0.5 * r.beta @ g + problem.C @ np.maximum(0.0, problem.y * (problem.p - g - r.b)) + problem.total * r.b
    assert r.objective == pytest.approx(by_hand)
    assert -1e-9 <= r.objective - s.objective <= r.gap + 1e-9
    assert r.gap <= 1e-4 * abs(r.objective)
    assert r.beta.sum() == pytest.approx(problem.total)


@pytest.mark.parametrize("seed", range(20))
def test_any_p_and_total(seed):
    """Random signs, bounds, p and total: certified, and the same from every start."""
    rng = np.random.default_rng(seed)
    problem = random_problem(rng, 25, recipe="plain", overlap=np.inf, kernel=Gaussian(sigma=1.0),
                             C=rng.uniform(0.2, 2.0, 25), general=True)
    a, b = solve(problem, "smo", tol=1e-8), plain_smo(problem, tol=1e-8)
    c = solve(problem, "working_set", tol=1e-8, alpha0=b.alpha)
    for s in (a, b, c):
        assert s.status == "optimal"
        assert problem.y @ s.alpha == pytest.approx(problem.total)
        assert 0 <= s.gap <= 1e-7 * problem.C.sum()
        assert s.objective == pytest.approx(a.objective, abs=1e-7)


def test_too_few_steps_leave_the_sum_right():
    problem = one_class(Gaussian(gamma=0.5), 0.3)
    with pytest.warns(ConvergenceWarning):
        s = solve(problem, "smo", tol=1e-9, max_iter=2)
    assert s.alpha.sum() == pytest.approx(0.3 * N)
    with pytest.raises(ValueError, match="y' alpha0 = 12"):
        solve(problem, "smo", alpha0=np.zeros(N))


@pytest.mark.parametrize("name", sorted(SOLVERS))
@pytest.mark.parametrize("end", ["low", "high", "one sign"])
def test_a_box_with_one_feasible_point(name, end):
    rng = np.random.default_rng(0)
    y = np.ones(6) if end == "one sign" else np.resize([1.0, -1.0], 6)
    total = {"low": -3.0, "high": 3.0, "one sign": 0.0}[end]
    problem = BoxProblem(Linear(), rng.normal(size=(6, 2)), y, 1.0, rng.normal(size=6), total)
    s = solve(problem, name)
    assert s.status == "optimal"
    np.testing.assert_allclose(s.alpha, np.where(y * total > 0, 1.0, 0.0), atol=1e-12)
    assert s.gap == pytest.approx(0.0, abs=1e-9)


@pytest.mark.parametrize("name", sorted(SOLVERS))
def test_one_point(name):
    s = solve(BoxProblem(Linear(), [[1.0, 2.0]], [1], 1.0, 0.0, 0.5), name)
    assert (s.status, s.alpha.tolist()) == ("optimal", [0.5])
