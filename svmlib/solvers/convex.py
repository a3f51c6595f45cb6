"""What the methods for convex programs ask of their input: no negative eigenvalue, finite arrays of shapes that fit."""
from typing import Any

import numpy as np
from cvxopt import matrix, spmatrix
from scipy.linalg import LinAlgError, cholesky

from svmlib.dual import BoxProblem
from svmlib.dual.points import NEGATIVE


def require_convex(problem: BoxProblem, solver: str, rows: np.ndarray | None = None) -> None:
    """Raise a ValueError where the Gram matrix, of these rows where given, has a negative eigenvalue, which it names.

    Free for kernels that are known to be PSD, else one Cholesky factorisation of K + (rounding) I.

    >>> from svmlib.dual import DualProblem
    >>> from svmlib.kernels import Sigmoid
    >>> require_convex(DualProblem(Sigmoid(delta=1.0), [[0.0], [1.0]], [-1, 1]), "qp")
    Traceback (most recent call last):
    ValueError: solver="qp" needs a positive semidefinite Gram matrix, but on these points Sigmoid(delta=1.0) has ...
    """
    if problem.kernel.psd:
        return
    K = problem.K if rows is None else problem.block(rows)
    shift = -NEGATIVE * max(float(np.abs(K).max()), 1e-290)
    try:
        cholesky(K + shift * np.eye(len(K)), overwrite_a=True)
    except LinAlgError:
        raise ValueError(f'solver="{solver}" needs a positive semidefinite Gram matrix, but on '
                         f"{'these' if rows is None else 'some of these'} points {problem.kernel!r} has the eigenvalue "
                         f"{np.linalg.eigvalsh(K)[0]:.3g}; "
                         'use solver="smo", which ends at a stationary point') from None


def finite(value: Any, name: str, ndim: int) -> np.ndarray:
    """A finite vector or matrix, as ndim says, from an array or from a matrix of cvxopt, dense or sparse; a copy."""
    out = np.array(matrix(value) if isinstance(value, spmatrix) else value, dtype=np.float64)
    out = out.reshape(-1) if ndim == 1 else np.atleast_2d(out)
    if out.ndim != ndim or not np.isfinite(out).all():
        raise ValueError(f"{name} must be {'finite' if ndim == 1 else 'a finite matrix'}, got "
                         f"{out if ndim == 1 else f'shape {out.shape}'}")
    return out


def constraints(M: Any, v: Any, n: int, M_name: str, v_name: str,
                columns: bool = False) -> tuple[np.ndarray, np.ndarray]:
    """Constraints on n variables, each a row or a column of M, and their right-hand side v; none for None."""
    if (M is None) != (v is None):
        raise ValueError(f"give {M_name} and {v_name} together, or neither")
    M, v = (np.zeros((0, n)), np.zeros(0)) if M is None else (finite(M, M_name, 2), finite(v, v_name, 1))
    if columns and M.shape in ((0, n), (1, n)) and len(v) == len(M):        # one constraint may be given as a vector
        M = M.T
    shape = (n, len(v)) if columns else (len(v), n)
    if M.shape != shape:
        raise ValueError(f"{M_name} must have shape {shape}, one constraint a {'column' if columns else 'row'}, to fit "
                         f"{v_name}, got {M.shape}")
    return M, v
