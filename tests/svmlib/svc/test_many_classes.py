"""Many classes: one compiled loop and libsvm's layout, beside scikit-learn and beside each problem alone."""
import pickle

import numpy as np
import pytest
from sklearn.svm import SVC as Libsvm

import svmlib.svc.small_pairs
from svmlib import SVC
from svmlib.kernels import Gaussian, Linear, Polynomial, Precomputed
from svmlib.svc.multiclass import class_pairs


@pytest.fixture(autouse=True)
def compiled(monkeypatch):
    """As after the first fit of thousands of pairs: the loop is compiled."""
    monkeypatch.setattr("svmlib.svc.small_pairs.is_cold", lambda function: False)


def blobs(k, each, d, seed=0, scale=1.0):
    """Points of k clouds, some of them larger, in no order."""
    rng = np.random.default_rng(seed)
    y = rng.permutation(np.concatenate([np.repeat(np.arange(k), each), rng.integers(k, size=k)]))
    return scale * (1.5 * rng.normal(size=(k, d))[y] + rng.normal(size=(len(y), d))), y


KERNELS = {"rows on demand": (Gaussian(gamma=0.2), 5), "a whole matrix": (Gaussian(gamma=0.02), 30),
           "linear": (Linear(), 4), "polynomial": (Polynomial(Q=2, a=0.1), 20),
           "sum": (Gaussian(gamma=0.1) + Linear(), 3)}


@pytest.mark.parametrize("name", KERNELS)
@pytest.mark.parametrize("scheme", ["ovo", "ovo_weighted"])
def test_each_pair_is_the_machine_that_its_solver_finds(name, scheme):
    kernel, d = KERNELS[name]
    X, y = blobs(7, 9, d)
    fast = SVC(kernel, C=3.0, tol=1e-8, multiclass=scheme).fit(X, y)
    alone = SVC(kernel, C=3.0, tol=1e-8, multiclass=scheme, solver="qp").fit(X, y)
    assert fast.solver_ == "smo"
    for a, b, (p, q) in zip(fast.solutions_, alone.solutions_, class_pairs(7), strict=True):
        assert (a.status, len(a.alpha)) == ("optimal", np.sum((y == p) | (y == q)))
        assert a.objective == pytest.approx(b.objective, rel=1e-6)
        assert 0 <= a.gap <= a.gap_bound
        np.testing.assert_array_equal(a.C, 3.0)
    T = blobs(7, 20, d, seed=1)[0]
    np.testing.assert_allclose(fast.pairwise_decision(T), alone.pairwise_decision(T), atol=1e-5)
    np.testing.assert_allclose(fast.decision_function(T), alone.decision_function(T), atol=1e-3)
    np.testing.assert_array_equal(fast.predict(T), alone.predict(T))


@pytest.mark.parametrize("scale", [1e-2, 1.0, 1e3])
@pytest.mark.parametrize(("k", "each"), [(3, 30), (26, 8), (60, 4)])
def test_it_is_scikit_learns(k, each, scale):
    X, y = blobs(k, each, 6, scale=scale)
    gamma = 0.1 / scale ** 2
    mine = SVC(kernel="rbf", gamma=gamma, C=10.0, tol=1e-6).fit(X, y)
    peer = Libsvm(gamma=gamma, C=10.0, tol=1e-6).fit(X, y)
    assert mine.dual_coef_.shape == peer.dual_coef_.shape
    np.testing.assert_array_equal(mine.support_, peer.support_)
    np.testing.assert_array_equal(mine.n_support_, peer.n_support_)
    np.testing.assert_allclose(mine.dual_coef_, peer.dual_coef_, atol=2e-3)
    T = blobs(k, 3 * each, 6, seed=3, scale=scale)[0]
    peer.decision_function_shape = "ovo"
    np.testing.assert_allclose(mine.pairwise_decision(T), peer.decision_function(T), atol=1e-3)


def test_weights_names_and_bounds_reach_their_pairs():
    X, y = blobs(5, 12, 4)
    weight = np.random.default_rng(1).uniform(0.2, 3.0, len(y))
    weight[::9] = 0.0
    names = np.array(["ä", "b", "c", "d", "e"])[y]
    class_weight = {"ä": 0.5, "b": 2.0}
    mine = SVC(kernel="rbf", gamma=0.2, tol=1e-7, class_weight=class_weight).fit(X, names, sample_weight=weight)
    alone = SVC(kernel="rbf", gamma=0.2, tol=1e-7, class_weight=class_weight, solver="qp").fit(X, names, weight)
    for a, b in zip(mine.solutions_, alone.solutions_, strict=True):
        np.testing.assert_allclose(a.C, b.C)
        np.testing.assert_allclose(a.alpha, b.alpha, atol=1e-4)


def test_a_gram_matrix_is_looked_up_and_an_indefinite_one_is_named():
    X, y = blobs(6, 8, 3)
    kernel = Gaussian(gamma=0.3)
    mine, plain = SVC(Precomputed(), tol=1e-7).fit(kernel(X), y), SVC(kernel, tol=1e-7).fit(X, y)
    np.testing.assert_allclose(mine.pairwise_decision(kernel(X)), plain.pairwise_decision(X), atol=1e-5)
    K = kernel(X) - 0.2 * np.eye(len(y))
    with pytest.warns(UserWarning, match="not positive semidefinite"):
        bent = SVC(Precomputed()).fit(K, y)
    assert "stationary" in {s.status for s in bent.solutions_}


def test_what_the_loop_does_not_solve_the_solver_does():
    """A flat dual with a huge C takes more steps than the loop may: Newton steps are the solver's."""
    X, y = blobs(4, 25, 2, seed=5)
    machine = SVC(Linear(), C=1e5, tol=1e-5).fit(X, y)
    assert {s.status for s in machine.solutions_} == {"optimal"}
    assert max(s.violation for s in machine.solutions_) <= 1.01e-5


@pytest.mark.skipif(not hasattr(svmlib.svc.small_pairs.solve_pairs, "signatures"), reason="nothing is compiled")
def test_pairs_in_several_bursts_need_no_other_compiled_form(monkeypatch):
    X, y = blobs(8, 6, 3)
    whole = SVC(kernel="rbf").fit(X, y)
    forms = len(svmlib.svc.small_pairs.solve_pairs.signatures)
    monkeypatch.setattr("svmlib.svc.small_pairs.BURST", 1500)
    parts = SVC(kernel="rbf").fit(X, y)
    assert len(svmlib.svc.small_pairs.solve_pairs.signatures) == forms
    np.testing.assert_array_equal(parts.intercept_, whole.intercept_)


def test_in_little_memory():
    X, y = blobs(120, 4, 6)
    mine, peer = SVC(kernel="rbf", gamma=0.1).fit(X, y), Libsvm(gamma=0.1).fit(X, y)
    stored = pickle.dumps(mine)
    assert len(stored) < 1.5 * len(pickle.dumps(peer))
    again = pickle.loads(stored)
    np.testing.assert_array_equal(again.predict(X), mine.predict(X))
    assert len(again.solutions_) == 120 * 119 // 2 == len(again.intercept_)
    assert again.solutions_[-1].alpha.sum() > 0
    assert [len(s.alpha) for s in again.solutions_[5:7]] == [len(mine.solutions_[i].alpha) for i in (5, 6)]
    with pytest.raises(IndexError):
        again.solutions_[7140]


@pytest.mark.parametrize("kernel", [Gaussian(gamma=0.1), Linear()], ids=repr)
def test_strips_of_points_are_the_same_points(kernel, monkeypatch):
    X, y = blobs(30, 5, 4)
    machine = SVC(kernel).fit(X, y)
    T = blobs(30, 30, 4, seed=2)[0]
    asked = machine.predict, machine.decision_function, machine.pairwise_decision
    want = [ask(T) for ask in asked]
    monkeypatch.setattr("svmlib.svc.expansion.STRIP", 4000)
    for ask, values in zip(asked, want, strict=True):
        np.testing.assert_allclose(ask(T), values, atol=1e-10)
    assert machine.coef_.shape == (435, 4) if isinstance(kernel, Linear) else True


def test_predictions_in_single_precision_stay_within_tol():
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(3000, 120)), rng.integers(3, size=3000)
    for tol in (1e-3, 1e-7):
        machine = SVC(Gaussian(gamma=0.004), C=2.0, tol=tol).fit(X[:900], y[:900])
        alone = np.vstack([machine.pairwise_decision(part) for part in np.split(X, 30)])
        assert np.abs(machine.pairwise_decision(X) - alone).max() < 0.5 * tol


def test_a_ctrl_c_leaves_a_machine_that_predicts(monkeypatch):
    """Between two bursts of the loop; what is left over gets the rule of the nearest mean."""
    X, y = blobs(12, 6, 3)
    done, loop = [], svmlib.svc.small_pairs.solve_pairs

    def stopped(*arguments):
        loop(*arguments)
        done.append(len(arguments[6]))
        if len(done) == 2:
            raise KeyboardInterrupt

    monkeypatch.setattr("svmlib.svc.small_pairs.solve_pairs", stopped)
    monkeypatch.setattr("svmlib.svc.small_pairs.BURST", 4000)
    machine = SVC(kernel="rbf").fit(X, y)
    assert len(done) == 2
    status = [s.status for s in machine.solutions_]
    assert "optimal" in status
    assert status[-1] == "interrupted"
    assert machine.score(X, y) > 0.5
