"""The baselines: what each minimises, that all are scikit-learn classifiers, and what they leave of the margin."""
import warnings

import numpy as np
import pytest
from scipy.optimize import approx_fprime
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils.estimator_checks import check_estimator

from svmlib import SVC
from svmlib.baselines import AlphaLMS, LeastSquares, NeuralNetwork, PseudoInverse, _loss, _step, geometric_margin
from svmlib.data import planar as datasets
from svmlib.kernels import Linear

ALL = [LeastSquares(), PseudoInverse(), AlphaLMS(n_epochs=20, random_state=0),
       NeuralNetwork(max_iter=50, random_state=0),
       NeuralNetwork(solver="sgd", max_iter=3, random_state=0)]


@pytest.fixture
def line():
    """Two separable classes."""
    return datasets.separable_blobs(seed=3, n=40)


@pytest.mark.parametrize("machine", ALL, ids=repr)
def test_is_a_scikit_learn_classifier(machine):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        check_estimator(machine, on_skip=None)


def test_least_squares_solves_the_normal_equations():
    X, y = datasets.exponential_classes(seed=1)
    machine = LeastSquares().fit(X, y)
    residual = machine.decision_function(X) - y
    assert np.abs(np.column_stack([np.ones(len(X)), X]).T @ residual).max() < 1e-11


def test_pseudo_inverse_is_least_squares_where_the_solution_is_unique():
    X, y = datasets.exponential_classes(seed=2)
    a, b = LeastSquares().fit(X, y), PseudoInverse().fit(X, y)
    np.testing.assert_allclose(a.coef_, b.coef_, rtol=1e-10)
    np.testing.assert_allclose(a.intercept_, b.intercept_, rtol=1e-10)


def test_pseudo_inverse_is_the_shortest_solution_where_there_are_many():
    X, y = np.array([[1.0, 1.0], [-1.0, -1.0]]), np.array([1, -1])          # w1 + w2 = 1, b = 0 all fit
    machine = PseudoInverse().fit(X, y)
    np.testing.assert_allclose(machine.coef_, [[0.5, 0.5]], atol=1e-12)
    np.testing.assert_allclose(machine.intercept_, 0.0, atol=1e-12)


def test_far_correct_points_draw_least_squares_into_errors_but_leave_the_margin_alone(line):
    X, y = line
    svm = SVC(Linear(), C=np.inf, tol=1e-8).fit(X, y)
    normal = svm.coef_[0] / np.linalg.norm(svm.coef_)
    across = np.array([-normal[1], normal[0]])
    far = X[y > 0].mean(axis=0) + 30 * normal + 60 * across + np.random.default_rng(0).normal(size=(30, 2))
    X2, y2 = np.vstack([X, far]), np.concatenate([y, np.ones(30)])
    assert np.all(svm.decision_function(far) > 1)
    assert LeastSquares().fit(X, y).score(X, y) == 1.0
    assert LeastSquares().fit(X2, y2).score(X2, y2) < 1.0
    assert SVC(Linear(), C=np.inf, tol=1e-8).fit(X2, y2).margin_ == pytest.approx(svm.margin_, rel=1e-6)


def test_no_baseline_has_a_wider_margin_than_the_hard_margin_machine():
    for seed in range(10):
        X, y = datasets.separable_blobs(seed=seed)
        widest = SVC(Linear(), C=np.inf, tol=1e-8).fit(X, y).margin_
        for machine in (LeastSquares(), PseudoInverse(), AlphaLMS(random_state=seed)):
            assert machine.fit(X, y).margin_ <= widest * (1 + 1e-6)


def test_margin_is_the_smallest_signed_distance(line):
    X, y = line
    machine = LeastSquares().fit(X, y)
    w, b = machine.coef_[0], machine.intercept_[0]
    feet = X - np.outer((X @ w + b) / (w @ w), w)                            # projections onto the line
    assert machine.margin_ == pytest.approx(np.min(np.linalg.norm(X - feet, axis=1) * y * np.sign(X @ w + b)))
    assert geometric_margin(-w, -b, X, y) < 0


def test_alpha_lms_takes_the_share_alpha_of_the_error():
    X, y = np.array([[3.0], [3.0]]), np.array([1, -1])
    for alpha in (0.3, 1.0, 1.7):
        first = AlphaLMS(alpha=alpha, n_epochs=1, random_state=0).fit(X, y)
        rng = np.random.RandomState(0)
        v, z = rng.standard_normal(2), np.array([1.0, 3.0])
        for i in rng.permutation(2):
            before = y[i] - v @ z
            v = v + alpha * before * z / (z @ z)
            assert y[i] - v @ z == pytest.approx((1 - alpha) * before)
        np.testing.assert_allclose(np.r_[first.intercept_, first.coef_[0]], v)


def test_alpha_lms_depends_on_its_start_and_the_svm_does_not(line):
    X, y = line
    margins = [AlphaLMS(random_state=seed).fit(X, y).margin_ for seed in range(5)]
    assert np.ptp(margins) > 1e-3
    order = np.random.default_rng(0).permutation(len(X))
    a, b = (SVC(Linear(), C=np.inf, tol=1e-9).fit(X[i], y[i]).margin_ for i in (slice(None), order))
    assert a == pytest.approx(b, rel=1e-6)


def test_gradient_of_the_network_is_that_of_its_loss():
    rng = np.random.default_rng(0)
    X, s, p = rng.normal(size=(7, 3)), rng.choice([-1.0, 1.0], 7), rng.normal(size=4 * 3 + 4 + 4 + 1)
    numeric = approx_fprime(p, lambda q: _loss(q, X, s, 4)[0], 1e-7)
    np.testing.assert_allclose(_loss(p, X, s, 4)[1], numeric, atol=1e-6)


def test_a_compiled_pass_of_sgd_steps_against_the_gradient_of_each_point():
    rng = np.random.default_rng(1)
    X, s, p = rng.normal(size=(7, 3)), rng.choice([-1.0, 1.0], 7), rng.normal(size=4 * 3 + 4 + 4 + 1)
    order, stepped = rng.permutation(7), p.copy()
    for i in order:
        stepped -= 0.05 * _loss(stepped, X[i:i + 1], s[i:i + 1], 4)[1]
    assert np.abs(stepped - p).max() > 0.01
    _step(p, X, s, 4, 0.05, order)
    np.testing.assert_allclose(p, stepped, rtol=0, atol=1e-13)


@pytest.mark.parametrize("solver", ["sgd", "cg", "bfgs"])
def test_network_learns_what_no_line_can(solver):
    X, y = datasets.km40m2()
    machine = NeuralNetwork(solver=solver, random_state=1, max_iter=300 if solver == "sgd" else None).fit(X, y)
    assert np.sum(machine.predict(X) != y) <= 3 < np.sum(LeastSquares().fit(X, y).predict(X) != y)
    again = NeuralNetwork(solver=solver, random_state=1, max_iter=300 if solver == "sgd" else None).fit(X, y)
    np.testing.assert_array_equal(machine.weights_, again.weights_)


def test_network_ends_where_its_start_decides():
    X, y = datasets.km40m2()
    losses = [NeuralNetwork(random_state=seed).fit(X, y).loss_ for seed in range(6)]
    assert np.ptp(losses) > 0.01


def test_start_and_orders_of_sgd_can_be_drawn_apart():
    X, y = datasets.disc_and_annulus(0, n=40)
    pairs = ((0, 0), (0, 1), (1, 0), (0, 0))
    first, orders, start, same = (NeuralNetwork(solver="sgd", max_iter=3, random_state=r, order_state=o)
                                  .fit(X, y).weights_ for r, o in pairs)
    assert np.array_equal(first, same)
    assert not np.allclose(first, orders)
    assert not np.allclose(first, start)
    moved = [NeuralNetwork(solver="sgd", max_iter=1, rate=1e-12, random_state=0, order_state=o).fit(X, y).weights_
             for o in (0, 1)]
    assert np.allclose(*moved, atol=1e-9)                                  # the start is that of random_state


def test_network_says_when_it_was_cut_short():
    X, y = datasets.km40m2()
    with pytest.warns(ConvergenceWarning, match=r"bfgs stopped after 3 iterations at a loss of"):
        NeuralNetwork(max_iter=3, random_state=0).fit(X, y)


@pytest.mark.parametrize(("machine", "message"), [
    (AlphaLMS(alpha=0.0), r"alpha must be a finite number > 0, got 0\.0"),
    (AlphaLMS(alpha=2.0), r"alpha must be below 2.*got 2\.0"),
    (AlphaLMS(n_epochs=0), r"n_epochs must be a positive integer, got 0"),
    (NeuralNetwork(solver="adam"), r"solver must be 'sgd', 'cg' or 'bfgs', got 'adam'"),
    (NeuralNetwork(hidden=-1), r"hidden must be a positive integer, got -1"),
    (NeuralNetwork(max_iter=1.5), r"max_iter must be a positive integer, got 1\.5"),
    (NeuralNetwork(rate=-1.0), r"rate must be a finite number > 0, got -1\.0"),
])
def test_bad_parameters_are_named(machine, message, line):
    with pytest.raises(ValueError, match=message):
        machine.fit(*line)


def test_three_classes_and_one_class_are_refused():
    X = np.arange(6.0)[:, None]
    with pytest.raises(ValueError, match="Only binary classification is supported"):
        LeastSquares().fit(X, [0, 0, 1, 1, 2, 2])
    with pytest.raises(ValueError, match="one class only"):
        LeastSquares().fit(X, np.ones(6))
    with pytest.raises(ValueError, match="w must not be zero"):
        geometric_margin([0.0], 1.0, X, np.ones(6))
