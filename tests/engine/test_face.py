"""Steps on a face of the box; its kept factor is in tests/solvers/test_twins.py."""
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
    face = Face(problem.K, problem.K @ beta - problem.p, problem.lo, problem.hi, beta)
    while not face.settled:
        face.step(1e-10)
    F = problem.K @ beta - problem.p
    assert np.all((beta >= problem.lo) & (beta <= problem.hi))
    assert beta.sum() == pytest.approx(0, abs=1e-12)
    assert F[face.inside].max(initial=-1e9) - F[face.inside].min(initial=1e9) <= 1e-7 * max(1.0, np.abs(F).max())
    assert beta @ (problem.p - 0.5 * problem.K @ beta) >= before * (1 - 1e-12)
