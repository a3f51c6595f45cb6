"""The Cholesky factor of a face of the box, and steps on the face."""
import numpy as np
import pytest
from problems import random_problem

from svmlib.engine.face import Face, append, backward, delete, forward


def test_factor_is_kept_through_additions_and_deletions():
    rng = np.random.default_rng(3)
    n, c = 12, 0.7
    B = rng.normal(size=(n, n))
    K = B @ B.T + np.eye(n)
    L, free, k = np.zeros((n, n)), np.zeros(n, np.int64), 0
    inside = []
    for _ in range(200):
        if k < n and (k == 0 or rng.random() < 0.55):
            p = int(rng.choice([i for i in range(n) if i not in inside]))
            assert append.py_func(K, c, (L, free), k, p) > 0
            inside.append(p)
            k += 1
        else:
            h = int(rng.integers(k))
            delete.py_func((L, free), k, h)
            inside.pop(h)
            k -= 1
        assert list(free[:k]) == inside
        factor = np.tril(L[:k, :k])
        np.testing.assert_allclose(factor @ factor.T, K[np.ix_(inside, inside)] + c, atol=1e-10)
        r = rng.normal(size=k)
        x = r.copy()
        forward.py_func(L, k, x)
        backward.py_func(L, k, x)
        np.testing.assert_allclose((K[np.ix_(inside, inside)] + c) @ x, r, atol=1e-8)


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
