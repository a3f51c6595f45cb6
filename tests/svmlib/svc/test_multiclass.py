"""One-vs-one and one-vs-rest: votes, ties, layouts, and each part against a machine of its own."""
import signal
import threading
import warnings

import numpy as np
import pytest
from sklearn import datasets as sk_datasets
from sklearn.multiclass import OneVsOneClassifier, OneVsRestClassifier
from sklearn.preprocessing import StandardScaler

from svmlib import SVC, ConvergenceWarning, DualProblem, NotPSDWarning, solve
from svmlib.kernels import Gaussian, Linear, Precomputed, Sigmoid
from svmlib.svc.multiclass import (
    BinaryMachine,
    binary_tasks,
    class_pairs,
    coefficients,
    vote_confidence,
    votes,
    weighted_votes,
)
from svmlib.svc.pair_machines import PairMachines
from svmlib.svc.training import unfinished


@pytest.fixture
def wine():
    """Three classes in 13 dimensions."""
    X, y = sk_datasets.load_wine(return_X_y=True)
    return StandardScaler().fit_transform(X), y


@pytest.fixture
def four():
    """Four overlapping classes in the plane."""
    rng = np.random.default_rng(0)
    y = np.repeat(np.arange(4), 15)
    return np.array([[0, 0], [2, 0], [0, 2], [2, 2]])[y] + 0.7 * rng.normal(size=(60, 2)), y


def test_number_of_pairs():
    assert len(class_pairs(10)) == 45
    assert class_pairs(4) == [(0, 1), (0, 2), (0, 3), (1, 2), (1, 3), (2, 3)]


def test_votes_are_counted_pair_by_pair():
    rng = np.random.default_rng(0)
    values = rng.normal(size=(50, 6))
    counts, sums = votes(values, 4), weighted_votes(values, 4)
    for i, row in enumerate(values):
        by_hand, weights = np.zeros(4), np.zeros(4)
        for f, (p, q) in zip(row, class_pairs(4), strict=True):
            by_hand[p if f > 0 else q] += 1
            weights[p if f > 0 else q] += abs(f)
        np.testing.assert_array_equal(counts[i], by_hand)
        np.testing.assert_allclose(sums[i], weights)
    assert np.all(counts.sum(axis=1) == 6)


def test_even_counts_go_to_the_lowest_class_and_a_zero_to_the_second_of_the_pair():
    circle = np.array([[1.0, -1.0, 1.0]])                                    # 0 beats 1, 2 beats 0, 1 beats 2
    assert votes(circle, 3).tolist() == [[1, 1, 1]]
    assert votes(circle, 3).argmax(axis=1).tolist() == [0]
    assert votes(np.zeros((1, 3)), 3).tolist() == [[0, 1, 2]]


def test_confidence_orders_even_counts_and_never_overrules_a_vote():
    circle = np.array([[1.0, -5.0, 2.0]])
    assert vote_confidence(circle, 3).argmax(axis=1).tolist() == [2]
    values = 1e6 * np.random.default_rng(1).normal(size=(200, 6))
    np.testing.assert_array_equal(np.rint(vote_confidence(values, 4)), votes(values, 4))


def test_predict_gives_a_three_way_tie_to_the_lowest_class():
    rng, seen = np.random.default_rng(0), 0
    points = rng.uniform(-3, 3, size=(4000, 2))
    for _ in range(10):                                      # noisy classes: three lines that leave a triangle between
        machine = SVC(Linear(), C=10.0).fit(rng.normal(size=(30, 2)), np.arange(30) % 3)
        tied = votes(machine.pairwise_decision(points), 3).max(axis=1) == 1
        assert np.all(machine.predict(points[tied]) == 0)
        seen += tied.sum()
    assert seen > 100


@pytest.mark.parametrize("scheme", ["ovo", "ovr"])
def test_each_part_is_the_machine_of_its_own_problem(four, scheme):
    X, y = four
    machine = SVC(Gaussian(sigma=1.0), C=2.0, multiclass=scheme, tol=1e-6).fit(X, y)
    tasks = [(np.isin(y, pq), np.where(y == pq[0], 1.0, -1.0)) for pq in class_pairs(4)] if scheme == "ovo" \
        else [(np.ones(60, bool), np.where(y == p, 1.0, -1.0)) for p in range(4)]
    values = machine.pairwise_decision(X)
    for (mask, signs), solution, column in zip(tasks, machine.solutions_, values.T, strict=True):
        own = solve(DualProblem(Gaussian(sigma=1.0), X[mask], signs[mask], C=2.0), "smo", tol=1e-6)
        assert solution.objective == pytest.approx(own.objective, rel=1e-6)
        f = Gaussian(sigma=1.0)(X, X[mask]) @ (signs[mask] * own.alpha) + own.b
        np.testing.assert_allclose(f, column, atol=1e-4)


def test_coefficients_and_layout_hold_every_beta_once(four):
    X, y = four
    parts = [BinaryMachine(rows, signs, solve(DualProblem(Linear(), X[rows], signs, 1.0), "smo"))
             for rows, signs in binary_tasks(y, 4, "ovo")]
    support, W = coefficients(parts, y)
    assert np.all(np.diff(y[support]) >= 0)
    for row, part in zip(W, parts, strict=True):
        beta = np.zeros(60)
        beta[part.rows] = part.y * part.solution.alpha
        np.testing.assert_array_equal(row, beta[support])
        assert np.flatnonzero(beta).tolist() == sorted(support[row != 0])
    pairs = PairMachines(y, np.ones(60), 1e-3)
    for i, part in enumerate(parts):
        pairs.put(i, *class_pairs(4)[i], part)
    np.testing.assert_array_equal(pairs.pack(), support)
    packed = pairs.layout
    assert packed.shape == (3, len(support))
    np.testing.assert_allclose(np.sort(np.abs(packed[packed != 0])), np.sort(np.abs(W[W != 0])))
    K = np.random.default_rng(0).normal(size=(9, len(support)))
    np.testing.assert_allclose(pairs.times(K), K @ W.T, atol=1e-12)
    np.testing.assert_allclose(pairs.times(K.astype(np.float32)), K @ W.T, atol=1e-4)
    for (rows, _), part, solution in zip(binary_tasks(y, 4, "ovo"), parts, pairs, strict=True):
        assert len(solution.alpha) == len(rows)
        for name in ("b", "objective", "gap", "gap_bound", "violation", "n_iter", "status", "solver", "tol"):
            assert getattr(solution, name) == getattr(part.solution, name)
        np.testing.assert_array_equal(solution.alpha, part.solution.alpha)


def test_weights_of_a_linear_machine_classify(four):
    X, y = four
    for scheme, problems in (("ovo", 6), ("ovr", 4)):
        machine = SVC(Linear(), multiclass=scheme).fit(X, y)
        assert machine.coef_.shape == (problems, 2)
        np.testing.assert_allclose(X @ machine.coef_.T + machine.intercept_, machine.pairwise_decision(X), atol=1e-10)


def test_shapes_of_every_scheme(four):
    X, y = four
    for scheme, rows, problems in (("ovo", 3, 6), ("ovo_weighted", 3, 6), ("ovr", 4, 4)):
        machine = SVC(Gaussian(sigma=1.0), multiclass=scheme).fit(X, y)
        assert machine.dual_coef_.shape == (rows, len(machine.support_))
        assert machine.intercept_.shape == machine.n_iter_.shape == (problems,)
        assert machine.pairwise_decision(X).shape == (60, problems)
        assert machine.decision_function(X).shape == (60, 4)
        assert len(machine.solutions_) == problems
        assert machine.n_support_.sum() == len(machine.support_)


def test_agrees_with_scikit_learns_wrappers(wine):
    X, y = wine
    base = SVC(Gaussian(sigma=4.0), C=2.0, tol=1e-5)
    np.testing.assert_array_equal(SVC(Gaussian(sigma=4.0), C=2.0, tol=1e-5).fit(X, y).predict(X),
                                  OneVsOneClassifier(base).fit(X, y).predict(X))
    rest = SVC(Gaussian(sigma=4.0), C=2.0, tol=1e-5, multiclass="ovr").fit(X, y)
    wrapped = OneVsRestClassifier(base).fit(X, y)
    np.testing.assert_allclose(rest.decision_function(X), wrapped.decision_function(X), atol=1e-4)
    np.testing.assert_array_equal(rest.predict(X), wrapped.predict(X))


def test_signed_values_decide_one_vs_rest(four):
    X, y = four
    machine = SVC(Gaussian(sigma=1.0), multiclass="ovr").fit(X, y)
    values = machine.decision_function(X)
    np.testing.assert_array_equal(machine.predict(X), values.argmax(axis=1))
    assert np.mean(machine.predict(X) == y) > 0.8
    assert np.mean(np.abs(values).argmax(axis=1) == y) < 0.3                # the distance without its sign is useless


def test_weighted_votes_decide_where_asked(four):
    X, y = four
    machine = SVC(Gaussian(sigma=1.0), multiclass="ovo_weighted").fit(X, y)
    sums = weighted_votes(machine.pairwise_decision(X), 4)
    np.testing.assert_array_equal(machine.decision_function(X), sums)
    np.testing.assert_array_equal(machine.predict(X), sums.argmax(axis=1))
    plain = SVC(Gaussian(sigma=1.0)).fit(X, y)
    np.testing.assert_array_equal(plain.pairwise_decision(X), machine.pairwise_decision(X))


def test_many_workers_find_the_same_machine(wine):
    X, y = wine
    for scheme in ("ovo", "ovr"):
        one, two = (SVC(C=3.0, multiclass=scheme, n_jobs=n).fit(X, y) for n in (1, 2))
        np.testing.assert_array_equal(one.dual_coef_, two.dual_coef_)
        np.testing.assert_array_equal(one.intercept_, two.intercept_)


def test_points_beyond_the_shared_gram_matrix(monkeypatch, wine):
    X, y = wine
    shared = SVC(C=3.0).fit(X, y).decision_function(X)
    monkeypatch.setattr("svmlib.svc.training.SHARED_GRAM_POINTS", 10)
    np.testing.assert_allclose(SVC(C=3.0).fit(X, y).decision_function(X), shared, atol=1e-8)


def test_bounds_of_single_points_reach_their_problem(four):
    X, y = four
    C = np.random.default_rng(0).uniform(0.1, 2, 60)
    for scheme in ("ovo", "ovr"):
        machine = SVC(Linear(), multiclass=scheme).fit(X, y, sample_weight=C)
        for (rows, _), solution in zip(binary_tasks(y, 4, scheme), machine.solutions_, strict=True):
            np.testing.assert_array_equal(solution.C, C[rows])


@pytest.mark.parametrize("precomputed", [False, True])
def test_an_unfinished_problem_is_the_rule_of_the_nearest_mean(four, precomputed):
    X, y = four
    X, signs = X[y < 2], np.where(y[y < 2] == 0, 1.0, -1.0)
    kernel, points = (Precomputed(), X @ X.T) if precomputed else (Linear(), X)
    problem = DualProblem(kernel, points, signs, 100.0)
    solution = unfinished(problem, 1e-3)
    plus, minus = X[signs > 0].mean(axis=0), X[signs < 0].mean(axis=0)
    w = (signs * solution.alpha) @ X
    np.testing.assert_allclose(w / np.linalg.norm(w), (plus - minus) / np.linalg.norm(plus - minus))
    assert solution.status == "interrupted"
    assert abs(signs @ solution.alpha) < 1e-9
    assert np.all((solution.alpha >= 0) & (solution.alpha <= 100.0))


def test_an_interrupt_leaves_a_machine_that_predicts(monkeypatch, four):
    X, y = four
    calls = []

    def interrupted_at_the_third(problem, name, **options):
        """Solve, but say of the third problem that the user stopped it."""
        calls.append(problem.n)
        solution = solve(problem, name, **options)
        return unfinished(problem, options["tol"]) if len(calls) == 3 else solution

    monkeypatch.setattr("svmlib.svc.training.solve", interrupted_at_the_third)
    machine = SVC(Gaussian(sigma=1.0), solver="qp").fit(X, y)
    assert len(calls) == 3
    assert [s.status for s in machine.solutions_] == ["optimal"] * 2 + ["interrupted"] * 4
    assert machine.score(X, y) > 0.7


@pytest.mark.parametrize("solver", ["smo", "smo_random", "working_set", "active_set"])
def test_ctrl_c_reaches_problems_that_run_on_threads(solver):
    """Random labels and a tolerance that nobody reaches: without the interrupt this takes minutes."""
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(1600, 2)), rng.integers(4, size=1600)
    machine = SVC(Gaussian(sigma=0.3), C=1e7, tol=1e-13, solver=solver, max_iter=10 ** 9, n_jobs=2)
    SVC(solver=solver).fit(X[:40], y[:40])                        # imports what a first fit imports
    timer = threading.Timer(0.5, signal.pthread_kill, (threading.get_ident(), signal.SIGINT))
    timer.start()
    machine.fit(X, y)
    timer.cancel()
    assert "interrupted" in {s.status for s in machine.solutions_}
    assert set(machine.predict(X)) <= {0, 1, 2, 3}


def test_an_error_on_a_thread_does_not_wait_for_the_other_problems(monkeypatch):
    begun = []

    def fails_first(problem, name, callback, **options):
        begun.append(name)
        if len(begun) == 1:
            raise ZeroDivisionError
        while not callback.is_set():                                  # runs until it is told to stop
            threading.Event().wait(0.01)
        return unfinished(problem, options["tol"])

    monkeypatch.setattr("svmlib.svc.training.solve", fails_first)
    rng = np.random.default_rng(0)
    with pytest.raises(ZeroDivisionError):
        SVC(Linear(), solver="qp", n_jobs=2).fit(rng.normal(size=(120, 2)), np.arange(120) % 6)
    assert len(begun) < 15


def test_threads_look_at_no_state_unless_they_are_to_stop(monkeypatch, four):
    """A step of the active set is cheap, its certificate is not: whoever only wants to stop must not pay for it."""
    monkeypatch.setattr("svmlib.solvers.active_set.told", None)
    machine = SVC(Gaussian(sigma=1.0), solver="active_set", n_jobs=2).fit(*four)
    assert {s.status for s in machine.solutions_} == {"optimal"}


def test_problems_on_threads_share_one_bar(capsys, four):
    SVC(Gaussian(sigma=1.0), solver="active_set", n_jobs=2, verbose=True).fit(*four)
    bars = {line.split(":")[0] for line in capsys.readouterr().err.replace("\r", "\n").splitlines() if ":" in line}
    assert bars == {"SVC"}
    SVC(Gaussian(sigma=1.0), solver="active_set", verbose=True).fit(*four)
    assert "active_set:" in capsys.readouterr().err


@pytest.mark.parametrize("k", [2, 3])
@pytest.mark.parametrize("n_jobs", ["two", 1.5, True, 0])
def test_n_jobs_is_checked(n_jobs, k):
    with pytest.raises(ValueError, match="n_jobs must be an integer"):
        SVC(n_jobs=n_jobs).fit([[0.0], [1.0], [2.0]], [0, 1, k - 1])


@pytest.mark.parametrize("options", [{}, {"n_jobs": 2}, {"multiclass": "ovr"}, {"solver": "working_set"}], ids=str)
def test_what_many_problems_have_to_say_is_said_once_and_counted(options):
    X, y = np.random.default_rng(0).normal(size=(60, 2)), np.arange(60) % 6
    with warnings.catch_warnings(record=True) as seen:
        warnings.simplefilter("always")
        machine = SVC(C=100.0, max_iter=2, **options).fit(X, y)
    count = sum(not solution.converged for solution in machine.solutions_)
    said = [warning for warning in seen if warning.category is ConvergenceWarning]
    assert len(said) == 1 < count
    assert str(said[0].message).endswith(f"(the first of {count} such warnings, of {len(machine.solutions_)} binary "
                                         "problems)")
    assert said[0].filename == __file__


def test_of_kernels_that_are_none_it_warns_once_too():
    X, y = np.random.default_rng(0).normal(size=(40, 2)), np.arange(40) % 4
    with pytest.warns(NotPSDWarning, match=r"eigenvalue is -.*the first of 6 such warnings") as seen:
        SVC(Sigmoid(delta=1.0)).fit(X, y)
    assert len(seen) == 1
    with pytest.warns(NotPSDWarning) as seen:
        SVC(Sigmoid(delta=1.0)).fit(X, y % 2)
    assert "such warnings" not in str(seen[0].message)
