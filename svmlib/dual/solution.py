"""What every solver returns, and what can go wrong."""
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from sklearn.exceptions import ConvergenceWarning

__all__ = ["AT_BOUND", "ConvergenceWarning", "NotSeparableError", "Solution"]

#: An alpha above this part of C counts as at the bound, as in the certificate: where one step takes two alpha to their
#: bounds, rounding may leave one of them a little below.
AT_BOUND = 1 - 1e-8


class NotSeparableError(ValueError):
    """A hard margin was asked for, but no hyperplane of the kernel's feature space separates the classes."""


@dataclass(frozen=True, eq=False)
class Solution:
    """What every solver returns: the dual variables, and the proof of how good they are.

    alpha (n,) and b describe the machine; objective is the dual value W(alpha); gap >= 0 bounds how far both the
    dual and the primal value are from the optimum, but for rounding errors, and gap_bound adds an estimate of them;
    violation is the largest KKT violation, in units of f.  status is "optimal", "max_iter", "interrupted" or, for an
    indefinite kernel, "stationary".  tol is the tolerance that was asked for, or more, where rounding of K beta leaves
    no less.
    """

    alpha: np.ndarray
    b: float
    objective: float
    gap: float
    violation: float
    n_iter: int
    status: str
    solver: str
    tol: float
    C: np.ndarray = field(repr=False)
    history: list[dict[str, Any]] = field(default_factory=list, repr=False)
    gap_bound: float = np.inf

    @property
    def converged(self) -> bool:
        """Whether the solver reached its tolerance."""
        return self.status in ("optimal", "stationary")

    @property
    def support(self) -> np.ndarray:
        """Indices of the support vectors, alpha > 0."""
        return np.flatnonzero(self.alpha > 0)

    @property
    def bounded(self) -> np.ndarray:
        """Indices with alpha = C, up to rounding: points inside the margin or beyond it (or exactly on it)."""
        return np.flatnonzero((self.alpha > 0) & (self.alpha >= AT_BOUND * self.C))

    @property
    def free(self) -> np.ndarray:
        """Indices with 0 < alpha < C: the margin vectors, on y f = 1."""
        return np.flatnonzero((self.alpha > 0) & (self.alpha < AT_BOUND * self.C))

    def __repr__(self) -> str:
        return (f"Solution({self.solver}: {self.status}, objective={self.objective:.6g}, gap={self.gap:.1e}, "
                f"{len(self.support)} support vectors, n_iter={self.n_iter})")
