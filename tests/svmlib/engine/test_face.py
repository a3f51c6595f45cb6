"""Steps on a face of the box; its kept factor is in tests/svmlib/solvers/test_twins.py."""
import numpy as np
import pytest
from problems import random_problem

from svmlib.engine.face import Face


@pytest.mark.parametrize("seed", range(40))
def test_steps_end_at_the_optimum_of_the_face_and_keep_sum_and_box(seed):
    problem = random_problem(seed, 12, C=1.0)
    count = np.where(problem.y > 0, np.sum(problem.y > 0), np.sum(problem.y < 0))
    beta = 0.5 * problem.y / count                                     # nobody at a bound
    before = beta @ (problem.p - 0.5 * problem.K @ beta)
    face = Face(problem.K, problem.p, problem.lo, problem.hi, beta)
    while not face.settled:
        face.step(1e-10)
    F = problem.K @ beta - problem.p
    assert np.all((beta >= problem.lo) & (beta <= problem.hi))
    assert beta.sum() == pytest.approx(0, abs=1e-12)
    assert F[face.inside].max(initial=-1e9) - F[face.inside].min(initial=1e9) <= 1e-7 * max(1.0, np.abs(F).max())
    assert beta @ (problem.p - 0.5 * problem.K @ beta) >= before * (1 - 1e-12)


@pytest.mark.parametrize("seed", range(20))
def test_variables_that_share_a_point_take_the_steps_that_a_matrix_of_copies_gives(seed):
    rng = np.random.default_rng(seed)
    Z = rng.normal(size=(9, 20))
    K, p = 3.0 * Z @ Z.T, rng.normal(size=18)
    lo, hi, beta = np.r_[np.zeros(9), -np.ones(9)], np.r_[np.ones(9), np.zeros(9)], np.zeros(18)
    beta[[0, 1, 11]] = 0.5, 0.25, -0.6                 # whose sum is not 0: no two meet their bounds at once
    twice = np.tile(K, (2, 2))
    faces = [Face(M, p, lo, hi, beta.copy()) for M in (K, twice)]
    for face in faces:
        face.step(1e-12)
        for i in (4, 15, 4 + 9):                     # at the end both variables of point 4
            face.enter(i)
            face.step(1e-12)
    shared, copied = faces
    assert shared.inside.tolist() == copied.inside.tolist()
    np.testing.assert_allclose(shared.beta, copied.beta, atol=1e-12)
    np.testing.assert_allclose(shared.F, copied.F, atol=1e-11)
    for face in faces:
        face.refresh()
    np.testing.assert_allclose(shared.F, copied.F, atol=1e-11)
