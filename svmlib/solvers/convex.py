"""Is the dual a convex program?  The question of the methods that are made for those."""
from __future__ import annotations

import numpy as np
from scipy.linalg import LinAlgError, cholesky

from svmlib.dual import BoxProblem

__all__ = ["NEGATIVE", "require_convex"]

#: An eigenvalue below this multiple of the largest entry of K is negative, not rounding.
NEGATIVE = -1e-10


def require_convex(problem: BoxProblem, solver: str) -> None:
    """Raise a ValueError where the Gram matrix has a negative eigenvalue, which it names.

    Free for kernels that are known to be PSD, else one Cholesky factorisation of K + (rounding) I.

    >>> from svmlib.dual import DualProblem
    >>> from svmlib.kernels import Sigmoid
    >>> require_convex(DualProblem(Sigmoid(delta=1.0), [[0.0], [1.0]], [-1, 1]), "qp")
    Traceback (most recent call last):
    ValueError: solver="qp" needs a positive semidefinite Gram matrix, but on these points Sigmoid(delta=1.0) has ...
    """
    if problem.kernel.psd:
        return
    shift = -NEGATIVE * max(float(np.abs(problem.K).max()), 1e-290)
    try:
        cholesky(problem.K + shift * np.eye(problem.n), overwrite_a=True)
    except LinAlgError:
        raise ValueError(f'solver="{solver}" needs a positive semidefinite Gram matrix, but on these points '
                         f"{problem.kernel!r} has the eigenvalue {problem.smallest_eigenvalue():.3g}; "
                         'use solver="smo", which ends at a stationary point') from None
