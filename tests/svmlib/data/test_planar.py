"""Each data set is what its source says of it: sizes, labels, distributions, separability, best possible rules."""

import make_csv
import numpy as np
import pytest
from scipy.optimize import linprog
from sklearn.svm import SVC as ReferenceSVC

from svmlib.data import planar as datasets

SEEDED = {
    "exponential_classes": (datasets.exponential_classes, 40),
    "disc_and_annulus": (datasets.disc_and_annulus, 100),
    "draw_km40m2": (datasets.draw_km40m2, 40),
    "draw_xs_linear": (datasets.draw_xs_linear, 40),
    "draw_xs_kernel": (datasets.draw_xs_kernel, 60),
    "separable_blobs": (datasets.separable_blobs, 40),
    "blobs_with_intruders": (datasets.blobs_with_intruders, 42),
    "ring": (datasets.ring, 100),
    "noisy_unit_disc": (lambda seed: datasets.noisy_unit_disc(seed, n=50), 50),
}
SHIPPED = {"km40m2": 40, "xs_linear": 40, "xs_kernel": 60}


def separable(X: np.ndarray, y: np.ndarray) -> bool:
    """Whether a w and b with y (X w + b) >= 1 exist: a linear program without objective."""
    n, d = X.shape
    rows = -y[:, None] * np.column_stack([X, np.ones(n)])
    program = linprog(np.zeros(d + 1), A_ub=rows, b_ub=-np.ones(n), bounds=(None, None))
    assert program.status in (0, 2), program.message
    return program.status == 0


def monomials(X: np.ndarray, degree: int) -> np.ndarray:
    """All x1^i x2^j with 1 <= i + j <= degree: what a polynomial kernel of that degree is linear in."""
    powers = [(i, j) for i in range(degree + 1) for j in range(degree + 1 - i) if i + j]
    return np.column_stack([X[:, 0] ** i * X[:, 1] ** j for i, j in powers])


def assert_data(X: np.ndarray, y: np.ndarray, n: int) -> None:
    assert X.shape == (n, 2)
    assert y.shape == (n,)
    assert X.dtype == y.dtype == np.float64
    assert set(y) == {-1.0, 1.0}
    assert np.isfinite(X).all()


# ---- what holds for all

@pytest.mark.parametrize("name", SEEDED)
def test_shape_and_labels(name):
    make, n = SEEDED[name]
    assert_data(*make(3), n)


@pytest.mark.parametrize("name", SEEDED)
def test_seed_decides(name):
    make, _ = SEEDED[name]
    X, y = make(5)
    again, y_again = make(np.random.default_rng(5))
    np.testing.assert_array_equal(X, again)
    np.testing.assert_array_equal(y, y_again)
    assert not np.array_equal(X, make(6)[0])


@pytest.mark.parametrize("name", SEEDED)
def test_generator_moves_on(name):
    make, _ = SEEDED[name]
    rng = np.random.default_rng(0)
    assert not np.array_equal(make(rng)[0], make(rng)[0])


@pytest.mark.parametrize("name", SEEDED)
@pytest.mark.parametrize("seed", [-1, 1.5, "7", None, True])
def test_bad_seed(name, seed):
    make, _ = SEEDED[name]
    with pytest.raises(ValueError, match="seed must be"):
        make(seed)


@pytest.mark.parametrize("name", [name for name in SEEDED if name != "noisy_unit_disc"])
@pytest.mark.parametrize("n", [0, -2, 7, 4.0, "10"])
def test_bad_size(name, n):
    with pytest.raises(ValueError, match="n must be an even integer"):
        getattr(datasets, name)(0, n)


@pytest.mark.parametrize("name", [name for name in SEEDED if name != "noisy_unit_disc"])
def test_classes_of_equal_size(name):
    for n in (2, 12, 500):
        assert getattr(datasets, name)(1, n)[1].sum() == 0


@pytest.mark.parametrize("name", SHIPPED)
def test_shipped_file_is_what_the_generator_draws(name):
    X, y = getattr(datasets, name)()
    assert_data(X, y, SHIPPED[name])
    drawn, y_drawn = getattr(datasets, f"draw_{name}")()
    np.testing.assert_allclose(X, drawn, rtol=0, atol=1e-12)
    np.testing.assert_array_equal(y, y_drawn)


def test_make_csv_writes_what_is_shipped(tmp_path, monkeypatch):
    make_csv.main([str(tmp_path)])
    shipped = {name: getattr(datasets, name)() for name in SHIPPED}
    monkeypatch.setattr(datasets, "__file__", str(tmp_path / "planar.py"))
    for name, (X, y) in shipped.items():
        written, y_written = getattr(datasets, name)()
        np.testing.assert_allclose(written, X, rtol=0, atol=1e-12)
        np.testing.assert_array_equal(y_written, y)


def test_callers_may_change_what_they_get():
    X, y = datasets.xs_linear()
    X[:] = 0
    y[:] = 0
    assert datasets.xs_linear()[0].any()
    assert datasets.xs_linear()[1].all()


# ---- lab sheet

def test_exponential_classes_follow_their_rates():
    X, y = datasets.exponential_classes(0, n=40_000)
    assert (y[:20_000] == -1).all()
    # Mean 1/rate; its standard error is 1/rate/sqrt(20000), of which 5 are allowed.
    np.testing.assert_allclose(X[y < 0].mean(axis=0), 1 / 4, rtol=5 / np.sqrt(20_000))
    np.testing.assert_allclose(X[y > 0].mean(axis=0), 1 / 0.5, rtol=5 / np.sqrt(20_000))
    assert np.mean(X[y > 0] > 2, axis=0) == pytest.approx(np.exp(-1), abs=0.02)


def test_bayes_rule_of_the_exponential_classes():
    rule = datasets.exponential_bayes_rule()
    assert -rule.b == pytest.approx(np.log(64) / 3.5, rel=1e-14)
    X, y = datasets.exponential_classes(1, n=200_000)
    assert np.mean(np.sign(X @ rule.w + rule.b) == y) == pytest.approx(rule.accuracy, abs=0.003)
    on_line = np.array([[0.3, -rule.b - 0.3]])      # both densities are equal there
    densities = [rate**2 * np.exp(-rate * on_line.sum()) for rate in (4.0, 0.5)]
    assert densities[0] == pytest.approx(densities[1], rel=1e-12)


def test_disc_and_annulus_are_uniform_in_area():
    X, y = datasets.disc_and_annulus(0, n=40_000)
    r2 = (X**2).sum(axis=1)
    assert ((r2 < 1) == (y < 0)).all()
    assert r2.max() < 4
    # Uniform in area is uniform in r^2; the standard error of these means is below 0.007.
    assert r2[y < 0].mean() == pytest.approx(1 / 2, abs=0.02)
    assert r2[y > 0].mean() == pytest.approx(5 / 2, abs=0.03)


# ---- report

def test_km40m2_needs_degree_four():
    X, y = datasets.km40m2()
    assert [separable(monomials(X, degree), y) for degree in range(1, 7)] == [False] * 3 + [True] * 3


@pytest.mark.parametrize(("gamma", "enclosed"), [(1.0, 1), (1.5, -1)])
def test_km40m2_class_that_a_gaussian_kernel_encloses(gamma, enclosed):
    X, y = datasets.km40m2()
    machine = ReferenceSVC(C=10, gamma=gamma).fit(X, y)
    assert machine.score(X, y) == 1
    assert machine.predict([[50.0, 50.0]])[0] == -enclosed      # what lies far away is the other class


def test_three_point_example_has_a_margin_point_without_multiplier():
    X, y = datasets.three_point_example()
    machine = ReferenceSVC(kernel="linear", C=1e6, tol=1e-10).fit(X, y)
    np.testing.assert_allclose(y * machine.decision_function(X), 1, atol=1e-6)
    np.testing.assert_array_equal(machine.support_, [0, 1])


@pytest.mark.parametrize("seed", range(20))
def test_blobs_are_separable_and_intruders_spoil_it(seed):
    X, y = datasets.separable_blobs(seed)
    assert separable(X, y)
    X2, y2 = datasets.blobs_with_intruders(seed)
    np.testing.assert_array_equal(X2[:-2], X)
    assert not separable(X2, y2)
    assert separable(X2[:-2], y2[:-2])


def test_gap_of_the_blobs():
    X, y = datasets.separable_blobs(0, n=2_000, gap=1.4)
    distance = y * X.sum(axis=1) / np.sqrt(2)
    assert 1.4 <= distance.min() < 1.42
    for gap in (-0.1, 1.5, np.nan):
        with pytest.raises(ValueError, match="gap must be"):
            datasets.separable_blobs(0, gap=gap)


# ---- programming sheet

def test_xs_linear_stays_separable_with_its_outlier():
    X, y = datasets.xs_linear()
    X_out, y_out = datasets.xs_linear(outlier=True)
    np.testing.assert_array_equal(X_out[-1], [0.38, 0.05])
    assert y_out[-1] == -1
    np.testing.assert_array_equal(X_out[:-1], X)
    assert separable(X, y)
    assert separable(X_out, y_out)
    margins = [1 / np.linalg.norm(ReferenceSVC(kernel="linear", C=1e7).fit(*data).coef_)
               for data in ((X, y), (X_out, y_out))]
    assert margins[0] / margins[1] == pytest.approx(4.9, abs=0.1)


def test_xs_kernel_is_a_disc_and_its_outlier_the_centre():
    X, y = datasets.xs_kernel()
    assert not separable(X, y)
    r = np.linalg.norm(X - 0.5, axis=1)
    assert r[y > 0].max() <= 0.22
    assert r[y < 0].min() >= 0.38
    X_out, y_out = datasets.xs_kernel(outlier=True)
    np.testing.assert_array_equal(X_out[-1], [0.5, 0.5])
    assert y_out[-1] == -1
    np.testing.assert_array_equal(X_out[:-1], X)


@pytest.mark.parametrize("draw", [datasets.draw_xs_linear, datasets.draw_xs_kernel])
def test_fresh_points_stay_in_the_unit_square(draw):
    X, _ = draw(9, n=1_000)
    assert X.min() >= 0
    assert X.max() <= 1


# ---- lecture notes and slides

def test_integers_beyond_two_need_the_square():
    X, y = datasets.integers_beyond_two(10)
    assert X.shape == (21, 1)
    np.testing.assert_array_equal(y, np.sign(X[:, 0] ** 2 - 6))     # the notes' (w, b) = ((0, 1), -6)
    assert not separable(X, y)
    assert separable(np.column_stack([X, X**2]), y)
    for radius in (2, 3.5, "4"):
        with pytest.raises(ValueError, match="radius must be"):
            datasets.integers_beyond_two(radius)


@pytest.mark.parametrize("seed", range(5))
def test_ring_needs_the_cone(seed):
    X, y = datasets.ring(seed)
    assert not separable(X, y)
    assert separable(np.column_stack([X, -np.linalg.norm(X, axis=1)]), y)


def test_gap_of_the_ring():
    X, y = datasets.ring(0, n=4_000, gap=2.0)
    r = np.linalg.norm(X, axis=1)
    assert r[y < 0].max() < 1
    assert 3 < r[y > 0].min() < r[y > 0].max() < 4
    for gap in (-1, np.inf, np.nan):
        with pytest.raises(ValueError, match="gap must be"):
            datasets.ring(0, gap=gap)


def test_noisy_unit_disc_flips_its_share():
    X, y = datasets.noisy_unit_disc(0, n=40_001, noise=0.25)
    assert np.linalg.norm(X, axis=1).max() < 1
    assert np.mean(y != np.sign(X[:, 0])) == pytest.approx(0.25, abs=0.011)     # 5 standard errors
    X, y = datasets.noisy_unit_disc(0, n=100, noise=0.0)
    np.testing.assert_array_equal(y, np.sign(X[:, 0]))
    with pytest.raises(ValueError, match="noise must be"):
        datasets.noisy_unit_disc(0, n=10, noise=0.6)
    with pytest.raises(ValueError, match="n must be"):
        datasets.noisy_unit_disc(0, n=0)
