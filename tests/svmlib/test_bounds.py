"""Theorems 15.7 and 15.8: their figures, and that no measured error exceeds them."""
import numpy as np
import pytest
from sklearn.svm import LinearSVC

from svmlib import SVC
from svmlib.bounds import (
    best_on_noisy_disc,
    hard_instance,
    hinge_bound,
    lambda_star,
    margin_bound,
    points_needed,
)
from svmlib.data import noisy_unit_disc
from svmlib.kernels import Linear


def hinge(w, X, y):
    """Mean hinge loss of w without bias."""
    return float(np.maximum(0.0, 1.0 - y * (X @ w)).mean())


def soft_rule(X, y, lam, tol):
    """w of the rule that the theorem speaks of."""
    peer = LinearSVC(C=1 / (2 * lam * len(y)), loss="hinge", fit_intercept=False, tol=tol,
                     max_iter=10_000_000, random_state=0)
    return peer.fit(X, y).coef_[0]


def test_margin_bound_gives_the_figures_of_the_notes_formula():
    bounds = margin_bound(0.2, 1.0, np.array([20, 100, 400, 1000]), 0.05)
    np.testing.assert_allclose(bounds, (10 + np.sqrt(2 * np.log(40))) / np.sqrt([20, 100, 400, 1000]))
    assert np.all(np.diff(bounds) < 0)


def test_points_needed_is_the_first_m_below_the_error():
    for gamma, error in ((0.2, 1.0), (0.1, 0.5), (0.7, 0.1)):
        m = points_needed(gamma, 1.0, 0.05, error)
        assert margin_bound(gamma, 1.0, m, 0.05) < error <= margin_bound(gamma, 1.0, m - 1, 0.05)


def test_lambda_star_makes_the_bound_smallest():
    B, rho, m = 3.0, 2.0, 50
    lams = lambda_star(B, rho, m) * np.geomspace(0.2, 5, 401)
    cost = lams * B ** 2 + 2 * rho ** 2 / (lams * m)
    assert cost.argmin() == 200
    assert cost[200] == pytest.approx(hinge_bound(B, rho, m), rel=1e-12)
    np.testing.assert_allclose(hinge_bound(np.array([B]), rho, m), [cost[200]])


def test_hard_instance_has_unit_norm_and_the_margin_that_it_claims():
    X, y = hard_instance(rng=0, m=500, gamma=0.3, d=20)
    np.testing.assert_allclose(np.linalg.norm(X, axis=1), 1.0)
    np.testing.assert_allclose(y * X[:, 0], 0.3)
    assert np.abs(X[:, 1:].mean(axis=0)).max() < 0.05
    assert SVC(Linear(), C=np.inf, tol=1e-6).fit(X, y).margin_ >= 0.3 - 1e-6


@pytest.mark.parametrize(("d", "m"), [(2, 200), (50, 50), (50, 400), (500, 50)])
def test_no_measured_error_exceeds_theorem_15_7(d, m):
    gamma, errors = 0.1, []
    for seed in range(5):
        rng = np.random.default_rng(seed)
        X, y = hard_instance(rng, m, gamma, d)
        machine = SVC(Linear(), C=np.inf, tol=1e-4).fit(X, y)
        errors.append(1 - machine.score(*hard_instance(rng, 4000, gamma, d)))
    assert max(errors) <= margin_bound(gamma, 1.0, m, 0.05)
    if (d, m) == (50, 50):
        assert np.mean(errors) > 0.05                      # the instance is hard: few points do not suffice


@pytest.mark.parametrize(("B", "m"), [(2.0, 50), (2.0, 200), (5.0, 50), (5.0, 200), (5.0, 800)])
def test_no_measured_loss_exceeds_theorem_15_8(B, m):
    lam = lambda_star(B, 1.0, m)
    X_test, y_test = noisy_unit_disc(seed=999, n=50_000)
    losses = [hinge(soft_rule(*noisy_unit_disc(seed, m), lam, tol=1e-4), X_test, y_test) for seed in range(8)]
    best, competitor = best_on_noisy_disc(B), best_on_noisy_disc(1e3, lam=lam)
    first = competitor.loss + lam * competitor.length ** 2 + 2 / (lam * m)
    assert best.loss - 0.01 <= np.mean(losses) <= first <= best.loss + hinge_bound(B, 1.0, m) + 1e-9


def test_best_on_noisy_disc_is_what_sampling_says():
    X, y = noisy_unit_disc(seed=5, n=400_000)
    for B in (0.5, 2.0, 5.0):
        best = best_on_noisy_disc(B)
        assert hinge(np.array([best.length, 0.0]), X, y) == pytest.approx(best.loss, abs=4e-3)
        assert best.length <= B
        for t in (0.3 * best.length, 0.8 * best.length):
            assert hinge(np.array([t, 0.0]), X, y) > best.loss - 4e-3
    assert best_on_noisy_disc(50.0).length == pytest.approx(best_on_noisy_disc(5.0).length, abs=1e-5)


def test_soft_rule_is_a_sum_over_the_points_inside_its_margin():
    X, y = noisy_unit_disc(seed=1, n=60)
    for lam in (0.01, 0.1, 1.0):
        w = soft_rule(X, y, lam, tol=1e-11)
        margins = y * (X @ w)
        # w = sum alpha y x with alpha = C inside, 0 outside the margin: the free ones follow from the equation
        C = 1 / (2 * lam * len(X))
        rest = w - C * (y * (margins < 1 - 1e-6)) @ X
        free = np.abs(margins - 1) <= 1e-6
        alpha = np.linalg.lstsq((y[:, None] * X)[free].T, rest, rcond=None)[0]
        np.testing.assert_allclose((y[:, None] * X)[free].T @ alpha, rest, atol=1e-7)
        assert np.all((alpha > -1e-7) & (alpha < C + 1e-7))


def test_hard_rule_is_the_shortest_w():
    X, y = hard_instance(rng=2, m=30, gamma=0.3, d=4)
    w = soft_rule(X, y, lam=1e-9, tol=1e-10)                     # so large a C is a hard margin
    assert np.min(y * (X @ w)) == pytest.approx(1.0, abs=1e-6)
    assert np.linalg.norm(w) <= 1 / 0.3 + 1e-6


@pytest.mark.parametrize(("call", "message"), [
    (lambda: margin_bound(0.0, 1.0, 10, 0.1), r"gamma must be positive and finite, got 0\.0"),
    (lambda: margin_bound(2.0, 1.0, 10, 0.1), r"gamma must be at most rho = 1\.0.*got 2\.0"),
    (lambda: margin_bound(0.1, 1.0, 0, 0.1), r"m must be at least 1, got 0"),
    (lambda: margin_bound(0.1, 1.0, 10, 1.0), r"delta must be a probability below 1, got 1\.0"),
    (lambda: lambda_star(-1.0, 1.0, 10), r"B must be positive and finite, got -1\.0"),
    (lambda: hard_instance(0, 5, 1.5, 3), r"gamma must be a finite number > 0 and <= 1, got 1\.5"),
    (lambda: hard_instance(0, 5, 0.5, 1), r"d must be an integer >= 2, got 1"),
    (lambda: best_on_noisy_disc(1.0, 0.7), r"noise must be a probability in \[0, 0\.5\], got 0\.7"),
])
def test_bad_arguments_are_named(call, message):
    with pytest.raises(ValueError, match=message):
        call()
