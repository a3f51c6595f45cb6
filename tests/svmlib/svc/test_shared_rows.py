"""One-vs-one and one-vs-rest on shared rows against one problem at a time."""
import threading
import warnings

import numpy as np
import pytest
from sklearn.svm import SVC as Peer

from svmlib import SVC, DualProblem, solve
from svmlib.data import load_mnist
from svmlib.dual import KernelPoints
from svmlib.engine.gram_blocks import Points
from svmlib.engine.shared_rows import SharedRows
from svmlib.kernels import Gaussian, Linear, Polynomial, Precomputed, Sigmoid
from svmlib.solvers import worth_sharing
from svmlib.svc.multiclass import class_pairs


def clusters(n=1200, k=4, d=3, seed=0):
    """k overlapping clusters."""
    rng = np.random.default_rng(seed)
    codes = rng.integers(k, size=n)
    return rng.normal(size=(k, d))[codes] * 2 + rng.normal(size=(n, d)), codes


def laplacian(X, Z):
    """A user's kernel."""
    return np.exp(-0.5 * np.abs(X[:, None] - Z).sum(axis=2))


KERNELS = [Gaussian(sigma=1.0), Polynomial(Q=2, a=0.2), Linear(), laplacian, Gaussian(sigma=2.0) + Linear()]


@pytest.fixture(scope="module")
def digits():
    return load_mnist()


@pytest.mark.parametrize("scheme", ["ovo", "ovr"])
@pytest.mark.parametrize("kernel", KERNELS, ids=lambda k: getattr(k, "__name__", str(k)))
def test_as_one_problem_at_a_time(kernel, scheme):
    X, y = clusters()
    shared = SVC(kernel, C=5.0, multiclass=scheme, solver="working_set", tol=1e-5).fit(X, y)
    alone = SVC(kernel, C=5.0, multiclass=scheme, solver="smo", tol=1e-5).fit(X, y)
    assert shared.solver_ == "working_set"
    for a, b in zip(shared.solutions_, alone.solutions_, strict=True):
        assert a.status == "optimal"
        assert a.objective == pytest.approx(b.objective, rel=1e-7)
    np.testing.assert_allclose(shared.pairwise_decision(X), alone.pairwise_decision(X), atol=2e-3)
    assert np.mean(shared.predict(X) == alone.predict(X)) > 0.998


def test_solutions_are_those_of_the_pairs_in_ascending_order():
    X, codes = clusters()
    C = np.random.default_rng(1).uniform(0.5, 3.0, len(X))
    kernel = Gaussian(sigma=1.0)
    machine = SVC(kernel, C=1.0, solver="working_set").fit(X, codes, sample_weight=C)
    for s, (p, q) in zip(machine.solutions_, class_pairs(4), strict=True):
        rows = np.flatnonzero((codes == p) | (codes == q))
        y = np.where(codes[rows] == p, 1, -1)
        np.testing.assert_array_equal(s.C, C[rows])
        problem = DualProblem(kernel, X[rows], y, C[rows])
        assert s.gap == pytest.approx(problem.gap(s.alpha, s.b), rel=1e-6)
        assert problem.violation(s.alpha, s.b).max() <= 1.01e-3


def test_weights():
    X, y = clusters(2500)
    weight = np.random.default_rng(2).integers(0, 3, len(y))
    machine = SVC(Gaussian(sigma=1.0), C=2.0, solver="working_set", class_weight="balanced", tol=1e-4)
    other = SVC(Gaussian(sigma=1.0), C=2.0, solver="smo", class_weight="balanced", tol=1e-4)
    machine.fit(X, y, sample_weight=weight)
    other.fit(X, y, sample_weight=weight)
    for a, b in zip(machine.solutions_, other.solutions_, strict=True):
        assert a.objective == pytest.approx(b.objective, rel=1e-6)


def test_precomputed_and_labels():
    X, codes = clusters(600)
    names = np.array(["c", "a", "d", "b"])[codes]
    kernel = Gaussian(sigma=1.0)
    a = SVC(Precomputed(), C=2.0, solver="working_set").fit(kernel(X), names)
    b = SVC(kernel, C=2.0, solver="working_set").fit(X, names)
    np.testing.assert_allclose(a.pairwise_decision(kernel(X)), b.pairwise_decision(X), atol=3e-3)
    assert np.mean(a.predict(kernel(X)) == b.predict(X)) > 0.99
    assert set(a.classes_) == set("abcd")


def test_indefinite_kernel():
    X, y = clusters(500)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        machine = SVC(Sigmoid(kappa=0.3, delta=0.2), C=1.0, solver="working_set").fit(X, y)
    assert {s.status for s in machine.solutions_} <= {"stationary", "optimal"}
    assert "stationary" in {s.status for s in machine.solutions_}


def test_auto_chooses_by_size_classes_and_kernel():
    X, y = clusters(3600)                                              # 1,800 in a pair
    assert SVC(Gaussian(sigma=1.0)).fit(X, y).solver_ == "working_set"
    assert SVC(Gaussian(sigma=1.0)).fit(X[:900], y[:900]).solver_ == "smo"
    assert not worth_sharing(KernelPoints(Linear(), X), 4)                   # the low-rank interior point is faster
    assert not worth_sharing(KernelPoints(Gaussian(sigma=1.0), X), 2)


def test_memory_bound_changes_nothing():
    X, y = clusters(2400)
    small = SVC(Gaussian(sigma=0.5), C=5.0, solver="working_set", cache_mb=1, tol=1e-5).fit(X, y)
    large = SVC(Gaussian(sigma=0.5), C=5.0, solver="working_set", tol=1e-5).fit(X, y)
    for a, b in zip(small.solutions_, large.solutions_, strict=True):
        assert a.objective == pytest.approx(b.objective, rel=1e-7)


@pytest.mark.parametrize("n_jobs", [1, 2, -1])
def test_any_number_of_threads(n_jobs):
    X, y = clusters(1500)
    a = SVC(Gaussian(sigma=1.0), solver="working_set", n_jobs=n_jobs, tol=1e-5).fit(X, y)
    b = SVC(Gaussian(sigma=1.0), solver="smo", tol=1e-5).fit(X, y)
    for s, t in zip(a.solutions_, b.solutions_, strict=True):
        assert s.objective == pytest.approx(t.objective, rel=1e-7)


def test_interrupt_leaves_a_usable_machine(monkeypatch):
    """A Ctrl-C that arrives in the waiting thread after the first pair: the others get the rule of the nearest mean."""
    from svmlib.svc import training

    X, y = clusters(3000, k=5, d=6)
    original, fired = training.as_completed, threading.Event()

    def interrupted(futures):
        for future in original(futures):
            if not fired.is_set():
                fired.set()
                raise KeyboardInterrupt
            yield future

    monkeypatch.setattr(training, "as_completed", interrupted)
    machine = SVC(Gaussian(sigma=1.0), C=10.0, solver="working_set", tol=1e-6).fit(X, y)
    assert "interrupted" in {s.status for s in machine.solutions_}
    assert len(machine.solutions_) == 10
    assert machine.score(X, y) > 0.75


def test_as_scikit_learn_on_digits(digits):
    X, y, Xt = digits.X_train[:700], digits.y_train[:700], digits.X_test[:300]
    machine = SVC(Gaussian(gamma=0.02), C=10.0, solver="working_set", tol=1e-4).fit(X, y)
    peer = Peer(C=10.0, gamma=0.02, tol=1e-4, decision_function_shape="ovo").fit(X.astype(float), y)
    np.testing.assert_allclose(machine.pairwise_decision(Xt), peer.decision_function(Xt.astype(float)), atol=2e-3)
    assert np.sum(machine.predict(Xt) != peer.predict(Xt.astype(float))) <= 1


# ---- the parts ------------------------------------------------------------------------------------------------
def test_pair_of_large_problems_is_certified(digits):
    """The certificate of the shared path, near the margin only, is that of the whole problem."""
    X, y = digits.X_train[:3000], digits.y_train[:3000]
    machine = SVC(Gaussian(gamma=0.02), C=10.0).fit(X, y)
    assert machine.solver_ == "working_set"
    rows = np.flatnonzero((y == 3) | (y == 8))
    problem = DualProblem(Gaussian(gamma=0.02), X[rows], np.where(y[rows] == 3, 1, -1), 10.0)
    s = machine.solutions_[class_pairs(10).index((3, 8))]
    assert s.gap == pytest.approx(problem.gap(s.alpha, s.b), rel=1e-3)
    assert problem.violation(s.alpha, s.b).max() <= 1.01e-3
    assert s.objective == pytest.approx(solve(problem, "smo").objective, rel=1e-6)


def test_rows_are_got_ready_when_a_problem_asks_for_them(monkeypatch):
    """And not before: the thread that asks is one that a Ctrl-C can stop without losing the machine."""
    X, codes = clusters(300)
    points = KernelPoints(Gaussian(sigma=1.0), X)
    made, of = [], Points.of
    monkeypatch.setattr(Points, "of", lambda *arguments: made.append(1) or of(*arguments))
    shared = SharedRows(points, [np.flatnonzero(codes == p) for p in range(4)], 1.0)
    assert not made
    rows = np.flatnonzero(codes <= 1)
    rows = rows[np.argsort(codes[rows], kind="stable")]
    K, some = shared.gram(rows), np.arange(5)
    np.testing.assert_allclose(K.block(some, some), points.block(rows[:5]), atol=1e-5)
    shared.gram(rows)
    assert len(made) == 1
