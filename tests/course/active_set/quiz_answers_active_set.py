"""The quiz of this chapter, computed."""
import numpy as np

from svmlib import DualProblem
from svmlib.data import xs_linear
from svmlib.kernels import Linear
from svmlib.solvers.active_set_general import minimize_qp

D = np.array([[1.0, -1, -1, 1, 0], [-2, -2, 2, 0, 1]])
DELTA = np.array([-2.0, -6, -2, 0, 0])


def answers() -> list[list[bool]]:
    """For each question whether each choice holds."""
    return [first_step(), growth(), counts(), with_ridge(), flat_directions()]


def first_step() -> list[bool]:
    """Example 16.4 from (2, 1): where the first step ends, and what is held then."""
    x, held = minimize_qp(2 * np.eye(2), [2.0, 5.0], None, None, D, DELTA, [2.0, 1.0]).path[1]
    return [np.allclose(x, place) and held == W for place, W in (((1, 2.5), ()), ((1.5, 1.75), (0,)), ((1, 2.5), (1,)))]


def growth() -> list[bool]:
    """A random problem with these multipliers, scaled so that the step after the second is dropped has p'Ap = 6."""
    rng = np.random.default_rng(0)
    root = rng.normal(size=(5, 5))
    A, N = root @ root.T, rng.normal(size=(5, 3))
    r = -N @ [0.3, -2.0, -0.1]                                                   # p = 0 with these multipliers
    Z = np.linalg.svd(N[:, [0, 2]])[0][:, 2:]                                    # the second is dropped
    p = Z @ np.linalg.solve(Z.T @ A @ Z, Z.T @ r)
    growth = N[:, 1] @ p * 6 / (p @ A @ p)                                       # both are quadratic in a factor of r
    return [np.isclose(growth, value) for value in (3, 12, 0)]


def counts() -> list[bool]:
    """100 points, 80 at zero, 15 at C."""
    alpha = np.r_[np.zeros(80), np.full(15, 10.0), np.full(5, 3.0)]
    found = (int(np.sum(alpha > 0)), int(np.sum((alpha > 0) & (alpha < 10))))
    return [found == value for value in ((5, 5), (20, 5), (95, 15))]


def with_ridge() -> list[bool]:
    """ξ = εα on a ridged hard margin, then the case of the question."""
    X, y = xs_linear()
    p, eps, n = DualProblem(Linear(), X, y, C=np.inf), 1e-3, len(y)
    r = minimize_qp(p.Q + eps * np.eye(n), np.ones(n), y, [0.0], np.eye(n), np.zeros(n), np.zeros(n))
    yf = y * ((r.x * y) @ p.K - r.mu[0])
    assert np.allclose(np.maximum(0, 1 - yf), eps * r.x, atol=1e-9)
    yf = 1 - eps * 400
    return [np.isclose(yf, 1), 0 < yf < 1, yf < 0]


def flat_directions() -> list[bool]:
    """Directions of six alphas that change neither w in the plane nor y'alpha."""
    rng = np.random.default_rng(0)
    y = np.array([1.0, 1, 1, -1, -1, -1])
    equations = np.vstack([(rng.normal(size=(6, 2)) * y[:, None]).T, y])
    free = 6 - np.linalg.matrix_rank(equations)
    return [free == value for value in (0, 4, 3)]
