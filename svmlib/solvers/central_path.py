"""A method that follows the central path to the optimum of the hard margin's dual: chapter 09, "A step is one
linear system".

    Q alpha + b y - z = 1,   y' alpha = 0,   alpha_i z_i = mu,   alpha > 0,   z > 0        (equations qp-kkt, qp-centre)

Each step solves the linear system that Newton's method makes of these for a mu that is a tenth of alpha'z / n, and
goes almost all the way to the first alpha_i or z_i that would become 0.  svmlib solves its quadratic programs by
cvxopt, whose method is of this kind: svmlib.solvers.interior_point.
"""
from collections.abc import Iterator
from typing import Any

import numpy as np

Vector = np.ndarray
Point = tuple[Vector, Vector, float]


# printed in 09_quadratic_programming
def newton(mu: Any, alpha: Vector, z: Vector, b: float, Q: np.ndarray, y: Vector) -> Point:
    """One step towards mu: alpha, z and b after it, equation qp-system."""
    M = np.block([[Q + np.diag(z / alpha), y[:, None]], [y, 0.0]])
    r = 1 - Q @ alpha - b * y + mu / alpha
    step = np.linalg.solve(M, np.r_[r, -y @ alpha])
    d_alpha, d_b = step[:-1], step[-1]
    d_z = (mu - alpha * z - z * d_alpha) / alpha
    loss = np.max(-np.r_[d_alpha / alpha, d_z / z])  # the largest share
    t = min(1, 0.95 / loss) if loss > 0 else 1
    return alpha + t * d_alpha, z + t * d_z, b + t * d_b


# printed in 09_quadratic_programming
def interior_point(Q: np.ndarray, y: Vector, tol: float = 1e-6, shrink: float = 0.1) -> Iterator[Point]:
    """The hard margin's dual, through the inside: alpha, z and b at the start and after each step, until two are small.

    The two: the gap alpha'z, relative to W, and the residual of Q alpha + b y - z = 1.
    """
    alpha = np.where(y > 0, 1 / np.sum(y > 0), 1 / np.sum(y < 0))
    z, b = np.ones(len(y)), 0.0
    while True:
        yield alpha, z, b
        gap, W = alpha @ z, alpha.sum() - alpha @ Q @ alpha / 2
        residual = np.abs(Q @ alpha + b * y - z - 1).max()
        if residual < tol and gap < tol * W:
            return
        mu = shrink * gap / len(y)
        alpha, z, b = newton(mu, alpha, z, b, Q, y)


# printed in 17_svms_at_scale
def newton_low_rank(mu: Any, alpha: Vector, z: Vector, b: float, Z: np.ndarray, y: Vector) -> Point:
    """`newton` for Q = Z Z' with Z (n, d), in O(n d^2) by equation qp-woodbury: H is Q + diag(z / alpha)."""
    E = Z * (alpha / z)[:, None]  # D^-1 Z
    M = np.eye(Z.shape[1]) + Z.T @ E
    r = 1 - Z @ (alpha @ Z) - b * y + mu / alpha
    Hr, Hy = (v * alpha / z - E @ np.linalg.solve(M, E.T @ v) for v in (r, y))
    d_b = (y @ Hr + y @ alpha) / (y @ Hy)
    d_alpha = Hr - d_b * Hy
    d_z = (mu - alpha * z - z * d_alpha) / alpha
    loss = np.max(-np.r_[d_alpha / alpha, d_z / z])
    t = min(1, 0.95 / loss) if loss > 0 else 1
    return alpha + t * d_alpha, z + t * d_z, b + t * d_b
