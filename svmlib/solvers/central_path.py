"""A method that follows the central path to the optimum of the hard margin's dual: chapter 09, "Through the inside".

    Q alpha + b y - z = 1,   y' alpha = 0,   alpha_i z_i = mu,   alpha > 0,   z > 0        (equations qp-kkt, qp-centre)

Each step solves the linear system that Newton's method makes of these for a mu that is a tenth of alpha'z / n, and
goes almost all the way to the first alpha_i or z_i that would become 0.  svmlib solves its quadratic programs by
cvxopt, whose method is of this kind: svmlib.solvers.interior_point.
"""
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

Vector = np.ndarray


# printed in 09_quadratic_programming
def room(v: Vector, dv: Vector) -> float:
    """The longest step t <= 1 that leaves at least 5 % of every v."""
    return min(1.0, 0.95 / max(np.max(-dv / v), 1e-300))


# printed in 09_quadratic_programming
def newton(mu: Any, alpha: Vector, z: Vector, b: float, y: Vector, Q_times: Callable[[Vector], Vector],
           inverse: Callable[[Vector], Callable]) -> tuple[Vector, Vector, float]:
    """One step towards mu, equation qp-system; inverse(D) is the map r -> (Q + D)^-1 r."""
    r = 1 - Q_times(alpha) - b * y + mu / alpha
    H_inv = inverse(z / alpha)
    Hr, Hy = H_inv(r), H_inv(y)
    d_b = (y @ Hr + y @ alpha) / (y @ Hy)
    d_alpha = Hr - d_b * Hy
    d_z = mu / alpha - z - z / alpha * d_alpha
    t = min(room(alpha, d_alpha), room(z, d_z))
    return alpha + t * d_alpha, z + t * d_z, b + t * d_b


# printed in 09_quadratic_programming
def interior_point(y: Vector, Q_times: Callable[[Vector], Vector], inverse: Callable[[Vector], Callable],
                   tol: float = 1e-6, shrink: float = 0.1) -> Iterator[tuple[Vector, Vector, float]]:
    """The hard margin's dual, through the inside: alpha, z and b at the start and after each step, until two are small.

    The two: the gap alpha'z, relative to W, and the residual of Q alpha + b y - z = 1.
    """
    alpha = np.where(y > 0, 1 / np.sum(y > 0), 1 / np.sum(y < 0))
    z, b = np.ones(len(y)), 0.0
    while True:
        yield alpha, z, b
        gap, Qa = alpha @ z, Q_times(alpha)
        residual = np.abs(Qa + b * y - z - 1).max()
        if residual < tol and gap < tol * (alpha.sum() - alpha @ Qa / 2):
            return
        mu = shrink * gap / len(y)
        alpha, z, b = newton(mu, alpha, z, b, y, Q_times, inverse)


# printed in 09_quadratic_programming
def dense(Q: np.ndarray) -> Callable[[Vector], Callable]:
    """inverse, for a matrix Q."""
    return lambda D: lambda r: np.linalg.solve(Q + np.diag(D), r)


# printed in 09_quadratic_programming
def low_rank(Z: np.ndarray) -> Callable[[Vector], Callable]:
    """inverse, for Q = Z Z' with Z (n, r), in O(n r^2): equation qp-woodbury."""
    def inverse(D):
        E = Z / D[:, None]  # D^-1 Z
        middle = np.eye(Z.shape[1]) + Z.T @ E
        return lambda r: r / D - E @ np.linalg.solve(middle, E.T @ r)
    return inverse
