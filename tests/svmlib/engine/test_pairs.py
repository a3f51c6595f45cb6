"""Pair steps and Newton steps of the compiled loop, called by themselves."""
import numpy as np
import pytest
from problems import random_problem

from svmlib.engine import face, newton_steps
from svmlib.engine import pairs as module
from svmlib.engine.pairs import solve_block
from svmlib.engine.row_kernels import NO_ROW_KERNEL, Gram
from svmlib.kernels import Gaussian, Linear


def gram_of(K, diag):
    """A whole matrix as the loops take it."""
    return K, NO_ROW_KERNEL, np.arange(len(diag) + 1), diag


# Both by the loop that svmlib compiles, as others of their own would only be compiled for these tests.
def newton_on(K, F, beta, lo, hi, most):
    """Newton steps on a whole matrix, at any price; their number.  No pair violates this tolerance."""
    gram = gram_of(K, K.diagonal().copy())
    return module.mixed_steps(gram, (F, beta, lo, hi), 1e300, 1, most, module.NEVER_MORE, module.NEVER_MORE)[0]


def pair_loop(K, diag, F, beta, lo, hi, tol, most):
    """Pair steps alone."""
    gram, point = gram_of(K, diag), (F, beta, lo, hi)
    if K.dtype == np.float64:
        return module.mixed_steps(gram, point, tol, most, most, 0, module.NEVER_MORE)[0]
    return module.pair_steps(gram, point, tol, most)[0]


def start(problem, dtype=np.float64):
    """Arguments of pair_loop and solve_block up to tol."""
    K = problem.K.astype(dtype)
    return K, K.diagonal().astype(float), -problem.y, np.zeros(problem.n), problem.lo, problem.hi


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_loop_in_place_on_both_float_types(dtype):
    problem = random_problem(0, 100, recipe="plain", kernel=Gaussian(sigma=1.0), C=1.0)
    K, diag, F, beta, lo, hi = start(problem, dtype)
    steps = pair_loop(K, diag, F, beta, lo, hi, 1e-3, 100_000)
    assert 0 < steps < 100_000
    assert np.allclose(F, problem.K @ beta - problem.y, atol=1e-4)
    assert problem.violation(problem.y * beta).max() < 1.2e-3
    assert pair_loop(K, diag, F, beta, lo, hi, 1e-3, 100_000) == 0
    assert pair_loop(*start(problem, dtype), 1e-3, 7) == 7


def test_python_forms_do_what_the_compiled_ones_do(monkeypatch):
    """The interpreted functions, line for line, on a problem with clipped, free, hard and indefinite steps."""
    C = np.where(np.arange(30) % 2, np.inf, 0.5)
    problem = random_problem(0, 30, recipe="plain", kernel=Gaussian(sigma=1.0), C=C)
    compiled, plain = start(problem), start(problem)
    pair_loop(*compiled, 1e-6, 60)
    for name in ("argmax", "step_length", "moved", "inlined_steps", "pair_steps"):
        monkeypatch.setattr(module, name, getattr(module, name).py_func)
    K, diag, *point = plain
    module.pair_steps(gram_of(K, diag), point, 1e-6, 60)
    assert np.allclose(compiled[3], plain[3], atol=1e-9)
    steps = newton_on(compiled[0], *compiled[2:], 50)
    for place, names in ((newton_steps, "append newton_step minimise newton_steps price_of"),
                         (face, "delete move newton_direction")):
        for name in names.split():
            monkeypatch.setattr(place, name, getattr(place, name).py_func)
    assert newton_steps.newton_steps(Gram(*gram_of(K, diag)), face.Point(*point), 2 ** 62, 50)[0] == steps > 0
    assert np.allclose(compiled[3], plain[3], rtol=1e-5, atol=1e-7)


@pytest.mark.parametrize("length", [module.step_length, module.step_length.py_func])
def test_step_length_takes_the_better_end_of_a_concave_segment(length):
    # delta = 0.1, eta = -1, 0.8 of the way through [0, 1]: the far end gains more although the slope points away
    assert length(0.1, -1.0, 1e-12, 0.2, 0.8) == -0.8
    assert length(0.1, -1.0, 1e-12, 0.8, 0.2) == 0.8
    assert length(0.1, 0.0, 1e-12, 0.7, 0.3) == 0.7
    assert length(0.1, 1.0, 1e-12, 0.7, 0.3) == pytest.approx(0.1)


@pytest.mark.parametrize("seed", range(15))
def test_newton_step_keeps_sum_box_and_gradient_and_never_falls(seed):
    problem = random_problem(seed, 30, C=100.0)
    K, diag, F, beta, lo, hi = start(problem)
    pair_loop(K, diag, F, beta, lo, hi, 1e-9, 20)
    before = beta @ (problem.y - 0.5 * problem.K @ beta)
    newton_on(K, F, beta, lo, hi, 30)
    assert beta.sum() == pytest.approx(0, abs=1e-9 * np.abs(beta).sum())
    assert ((beta >= lo) & (beta <= hi)).all()
    assert np.allclose(F, problem.K @ beta - problem.y, atol=1e-9 * (1 + np.abs(F).max()))
    assert beta @ (problem.y - 0.5 * problem.K @ beta) >= before * (1 - 1e-12)


def test_newton_reaches_the_minimum_of_an_open_face():
    """No bound in the way: one step, and F is constant over the free variables."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(6, 2))
    K, y = Gaussian(sigma=0.5)(X), np.array([1.0, -1, 1, -1, 1, -1])
    beta, far = 0.1 * y, np.full(6, 1e6)
    F = K @ beta - y
    assert newton_on(K, F, beta, -far, far, 9) == 1
    assert np.ptp(F) < 1e-8


def test_face_without_room_is_left_alone():
    K, y = np.eye(3), np.array([1.0, -1.0, 1.0])
    beta = np.zeros(3)
    assert newton_on(K, -y, beta, np.minimum(0, y), np.maximum(0, y), 5) == 0
    assert not beta.any()


@pytest.mark.parametrize("K", [[[0.0, 1.0], [1.0, 0.0]], [[0.0, 0.0], [0.0, 0.0]], [[1e-300, 0.0], [0.0, 1e-300]]])
def test_newton_leaves_an_indefinite_or_empty_face_alone(K):
    K, beta = np.array(K), np.array([0.5, -0.5])
    assert newton_on(K, K @ beta - [1.0, -1.0], beta, np.array([0.0, -1.0]), np.array([1.0, 0.0]), 5) == 0
    assert beta.tolist() == [0.5, -0.5]


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_block_is_solved_with_newton_steps_only_in_float64(dtype):
    problem = random_problem(0, 200, recipe="plain", kernel=Linear(), C=100.0)
    block, pairs = start(problem, dtype), start(problem, dtype)
    steps = solve_block(*block, 1e-2, 1_000_000)
    alone = pair_loop(*pairs, 1e-2, 1_000_000)
    assert (steps < alone / 5) if dtype == np.float64 else (steps == alone)
    assert problem.violation(problem.y * block[3]).max() < 1.2e-2
    assert solve_block(*start(problem, dtype), 1e-2, 7) == 7
