"""What other tests rely on: a seed gives the problem that it gave before, and options do as they say."""
import numpy as np
import pytest
from problems import random_problem

from svmlib.dual import BoxProblem, DualProblem
from svmlib.kernels import Gaussian, Linear


@pytest.mark.parametrize(("options", "shape", "points", "labels", "bounds", "kernel"), [
    ({"seed": 2048, "n": 48}, (48, 4), 43.197148, 8, 5.837006, "Gaussian(sigma=2.29"),
    ({"seed": 4, "indefinite": True}, (23, 4), -9.275501, -5, 3304.408046, "Sum(k1=Gaussian(sigma=1.0), k2=Scaled("),
    ({"seed": 3003080, "recipe": "unpleasant", "largest": 60}, (48, 3), 25.737248, -14, 24764.386623, "Gaussian("),
    ({"seed": 10428, "recipe": "unpleasant", "largest": 30}, (12, 1), 12000.454952, 2, 5874.712172, "Linear()"),
    ({"seed": 243, "n": 40, "recipe": "plain", "d": None, "far": 1000.0, "kernel": Linear(), "C": 1.0}, (40, 5),
     199987.582585, -2, 40, "Linear()")])
def test_a_seed_that_once_went_wrong_still_gives_its_problem(options, shape, points, labels, bounds, kernel):
    p = random_problem(**options)
    assert type(p) is DualProblem
    assert p.X.shape == shape
    assert (p.X.sum(), p.y.sum(), p.C.sum()) == pytest.approx((points, labels, bounds), abs=1e-6)
    assert repr(p.kernel).startswith(kernel)


def test_options_of_plain_problems():
    def plain(**options):
        return random_problem(1, 60, recipe="plain", kernel=Linear(), **options)

    p = plain(C=np.inf, overlap=0.0)
    assert np.array_equal(p.y, np.sign(p.X[:, 0]))
    assert p.separable()
    assert not plain(C=np.inf).separable()
    assert np.allclose(plain(C=1.0, far=9.0).X, p.X + 9.0)
    noise = plain(C=1.0, overlap=np.inf)
    assert abs(noise.y @ np.sign(noise.X[:, 0])) < 30
    twice = plain(C=1.0, repeated=True)
    assert np.array_equal(twice.X[:30], twice.X[30:])
    assert not np.array_equal(twice.y[:30], twice.y[30:])
    assert plain(C=1.0, d=7).X.shape == (60, 7)
    for n in (2, 3, 4):
        for seed in range(20):
            assert abs(random_problem(seed, n, recipe="plain", kernel=Linear(), C=1.0).y.sum()) < n
    with pytest.raises(KeyError):
        random_problem(1, recipe="pleasant")


def test_a_general_problem_has_any_p_and_total():
    p = random_problem(1, 10, kernel=Gaussian(sigma=1.0), general=True)
    assert type(p) is BoxProblem
    assert not np.allclose(np.abs(p.p), 1.0)
    assert p.total != 0
