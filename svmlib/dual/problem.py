"""The dual problem of the support vector machine, and the certificate that says how good a solution is.

    maximise  W(alpha) = sum_i alpha_i - 1/2 alpha' Q alpha    over  0 <= alpha <= C,  y' alpha = 0,

with Q = (y y') o K, the entrywise product.  Glossary, used in every solver:

    alpha   dual variables, in [0, C];   beta = y alpha, the signed ones
    f       decision values f(x_i) = sum_j beta_j K_ij + b
    xi      slacks max(0, 1 - y f)
    I_up    points whose beta may grow,   I_low   points whose beta may shrink
    gap     primal value minus dual value: 0 exactly at the optimum
"""
from __future__ import annotations

import warnings
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
from sklearn.exceptions import ConvergenceWarning

from svmlib.checks import stacklevel
from svmlib.kernels import Kernel, Linear, NotPSDWarning, Precomputed, as_kernel

if TYPE_CHECKING:
    from svmlib.dual.certificate import Certificate

__all__ = ["ConvergenceWarning", "DualProblem", "NotSeparableError", "Solution"]

#: Gram matrices above this many bytes are not formed; solvers that need one say so.
MAX_GRAM_BYTES = 8 * 1024 ** 3
#: An alpha above this part of C is at the bound, as in the certificate: two that reach theirs in one step may miss
#: one of them by a rounding error.
AT_BOUND = 1 - 1e-8


class NotSeparableError(ValueError):
    """A hard margin was asked for, but no hyperplane of the kernel's feature space separates the classes."""


@dataclass(frozen=True, eq=False)
class Solution:
    """What every solver returns: the dual variables, and the proof of how good they are.

    alpha (n,) and b describe the machine; objective is the dual value W(alpha); gap >= 0 bounds how far both the
    dual and the primal value are from the optimum; violation is the largest KKT violation, in units of f.  status
    is "optimal", "max_iter", "interrupted" or, for an indefinite kernel, "stationary".
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


class DualProblem:
    """The dual problem of a kernel, points X (n, d), labels y (n,) in {-1, +1} and an upper bound C.

    C > 0 is a number or one number a point; C = inf is the hard margin.  kernel=Precomputed() takes X = K (n, n).
    Raises ValueError, naming the argument, for labels other than -1 and +1, one class only, NaN, or C <= 0.

    >>> from svmlib.kernels import Linear
    >>> p = DualProblem(Linear(), [[0.0], [2.0]], [-1, 1], C=10.0)
    >>> alpha = np.array([0.5, 0.5])                     # 1/|w|^2 with w = 1: the band is 2 wide
    >>> p.objective(alpha), p.bias(alpha), p.gap(alpha)
    (0.5, -1.0, 0.0)
    """

    def __init__(self, kernel: Kernel | Callable, X: Any, y: Any, C: Any = 1.0, *, check: bool = True) -> None:
        self.kernel = as_kernel(kernel)
        self.X = self.kernel._points(X, "X") if check else X
        self.n = len(self.X)
        self.y = _labels(y, self.n) if check else y
        self.C = _bounds(C, self.n) if check else C
        if isinstance(self.kernel, Precomputed):
            self.K = self.kernel._block(self.X, self.X)      # fills the cached property below

    def __repr__(self) -> str:
        low, high = self.C.min(), self.C.max()
        return f"DualProblem({self.kernel!r}, n={self.n}, C={f'{low:g}' if low == high else f'{low:g}…{high:g}'})"

    # ---- matrices ----------------------------------------------------------------------------------------
    @cached_property
    def K(self) -> np.ndarray:
        """Gram matrix (n, n), formed at first use."""
        self.check_memory()
        return self.kernel._block(self.X, self.X)

    @cached_property
    def diag(self) -> np.ndarray:
        """Diagonal k(x_i, x_i) (n,) of the Gram matrix, computed at first use."""
        return self.kernel._diag(self.X)

    def check_memory(self) -> None:
        """Raise a MemoryError, which names the way out, where the Gram matrix would be too large."""
        if 8 * self.n ** 2 > MAX_GRAM_BYTES:
            raise MemoryError(f"the Gram matrix of {self.n} points needs {8 * self.n ** 2 / 1e9:.1f} GB; "
                              'use solver="working_set", which computes the rows that it needs')

    @property
    def Q(self) -> np.ndarray:
        """Matrix (y y') o K of the dual: the entrywise product, not the matrix product."""
        return self.y[:, None] * self.y * self.K

    @property
    def lo(self) -> np.ndarray:
        """Lower bound of beta = y alpha."""
        return np.minimum(self.C * self.y, 0.0)

    @property
    def hi(self) -> np.ndarray:
        """Upper bound of beta = y alpha."""
        return np.maximum(self.C * self.y, 0.0)

    @property
    def hard(self) -> np.ndarray:
        """Mask of the points with C = inf, which must end up outside the margin."""
        return np.isinf(self.C)

    @property
    def is_linear(self) -> bool:
        """Whether k(x, z) = x'z: then K beta = X (X' beta), without K."""
        return isinstance(self.kernel, Linear) and self.kernel.A is None

    def times_K(self, beta: np.ndarray) -> np.ndarray:
        """K beta (n,) in float64; forms only the columns that beta needs where K has not been formed."""
        if "K" in self.__dict__:
            return self.K @ beta
        if self.is_linear:
            return self.X @ (beta @ self.X)
        support = np.flatnonzero(beta)
        out = np.zeros(self.n)
        for rows in _strips(self.n, len(support)) if len(support) else ():
            out[rows] = self.kernel._block(self.X[rows], self.X[support]) @ beta[support]
        return out

    # ---- values ------------------------------------------------------------------------------------------
    def objective(self, alpha: np.ndarray) -> float:
        """Dual value sum_i alpha_i - 1/2 alpha' Q alpha: a lower bound of the primal value for every feasible alpha."""
        beta = self.y * self._alpha(alpha)
        return float(np.abs(beta).sum() - 0.5 * beta @ self.times_K(beta))

    def gradient(self, alpha: np.ndarray) -> np.ndarray:
        """Gradient (n,) of the dual value: 1 - Q alpha."""
        return 1.0 - self.y * self.times_K(self.y * self._alpha(alpha))

    def decision(self, alpha: np.ndarray, b: float | None = None) -> np.ndarray:
        """Decision values f(x_i) (n,) at the training points."""
        return self.times_K(self.y * self._alpha(alpha)) + (self.bias(alpha) if b is None else b)

    def bias(self, alpha: np.ndarray) -> float:
        """Bias b: the mean of y - K beta over 0 < alpha < C; without such points, the midpoint of the KKT interval.

        Bounded support vectors lie off the margin and say nothing about b (erratum report 16).
        """
        return self._certificate(self._alpha(alpha)).b

    def gap(self, alpha: np.ndarray, b: float | None = None) -> float:
        """Duality gap of (alpha, b): primal minus dual value, a sum of n terms >= 0, each zero where KKT holds.

        With r = y f - 1: gap = sum_i alpha_i max(r_i, 0) + (C_i - alpha_i) max(-r_i, 0), the measure (2.3) of the lab
        sheet summed.  Under a hard margin a point with r < 0 is infeasible, so w and b are first lengthened by
        s = 1 / min y f until all fit; that adds (s - 1)^2 |w|^2 / 2.  It is inf when some hard point is misclassified.
        """
        return self._certificate(self._alpha(alpha), b=b).gap

    def violation(self, alpha: np.ndarray, b: float | None = None) -> np.ndarray:
        """KKT violation (n,) of each point, in units of f: how far y f is on the wrong side of 1.

        y f >= 1 is required where alpha < C, y f <= 1 where alpha > 0; all zeros exactly at an optimum.
        """
        return self._certificate(self._alpha(alpha), b=b).violation

    def smallest_eigenvalue(self) -> float:
        """Smallest eigenvalue of the Gram matrix; negative means that the dual is not concave."""
        return float(np.linalg.eigvalsh(self.K)[0])

    # ---- the certificate, from g = K beta ----------------------------------------------------------------
    def _alpha(self, alpha: Any) -> np.ndarray:
        """Check the shape of alpha."""
        alpha = np.ascontiguousarray(alpha, dtype=np.float64)
        if alpha.shape != (self.n,):
            raise ValueError(f"alpha must have shape ({self.n},), one number a point, got {alpha.shape}")
        return alpha

    def _certificate(self, alpha: np.ndarray, g: np.ndarray | None = None, b: float | None = None) -> Certificate:
        """The certificate of alpha, and of b where it is given; g = K beta where somebody has it."""
        from svmlib.dual.certificate import certificate  # brings numba, which `import svmlib` need not wait for

        g = self.times_K(self.y * alpha) if g is None else g
        return certificate(self.y, self.C, alpha, g, np.nan if b is None else float(b))

    # ---- the end of every solver ---------------------------------------------------------------------------
    def solution(self, alpha: np.ndarray, *, solver: str, status: str, n_iter: int, tol: float,
                 history: list[dict[str, Any]] | None = None, curvature: float = 0.0,
                 K_beta: np.ndarray | None = None) -> Solution:
        """Certify alpha in float64 and wrap it up; whether it is "optimal" the certificate says, not the solver.

        curvature < 0 is the most negative curvature a solver met (an indefinite kernel).  K_beta (n,) is K beta where
        the solver has it in float64.  Warns when the tolerance was not reached or when the kernel is indefinite;
        raises NotSeparableError when a hard margin does not exist.
        """
        alpha = np.minimum(np.maximum(alpha, 0.0), self.C)
        g = self.times_K(self.y * alpha) if K_beta is None else K_beta
        b, objective, _, worst, gap = self._certificate(alpha, g)
        if status == "optimal" and worst > 1.01 * tol and worst > 1.01 * tol + _rounding(g):
            status = "max_iter"
        elif status == "max_iter" and worst <= tol:
            status = "optimal"
        if status == "max_iter" and self.hard.any() and not self.separable():
            raise NotSeparableError("the classes cannot be separated by this kernel, so there is no hard margin; "
                                    "give a finite C (C=1, C=10, ...) to allow for errors")
        if status == "optimal" and self._indefinite(curvature):
            status = "stationary"
        if status == "max_iter":
            warnings.warn(f"{solver} stopped after {n_iter} iterations at a KKT violation of {worst:.1e} (tol={tol:g}) "
                          f"and a duality gap of {gap:.1e}; raise max_iter, raise tol, or scale the features",
                          ConvergenceWarning, stacklevel=stacklevel())
        return Solution(alpha, b, objective, gap, worst, int(n_iter), status, solver, tol, self.C, history or [])

    def _indefinite(self, curvature: float) -> bool:
        """Whether the kernel is indefinite on these points; warns, with the figure that shows it."""
        if self.kernel.psd:
            return False
        what, value = "the negative curvature", curvature
        if "K" in self.__dict__ and self.n <= 1000:
            what, value = "the smallest eigenvalue", self.smallest_eigenvalue()
        if value >= -1e-8 * float(np.abs(self.diag).max()):
            return False
        warnings.warn(f"the kernel is not positive semidefinite on these points ({what} is {value:.3g}): the dual has "
                      "more than one stationary point, and this is one of them", NotPSDWarning, stacklevel=stacklevel())
        return True

    def separable(self) -> bool:
        """Whether the kernel's feature space has a hyperplane with both classes strictly on their sides.

        Distinct points are always separable for a strictly positive kernel; otherwise a linear program decides
        over the coordinates of the points in feature space.  Where only some points have C = inf, only they count.
        """
        from svmlib.dual.separability import separable

        rows = np.flatnonzero(self.hard) if self.hard.any() else np.arange(self.n)
        y = self.y[rows]
        return abs(y.sum()) == len(y) or separable(self.kernel, self.X[rows], y, lambda: self.K[np.ix_(rows, rows)])


def _rounding(g: np.ndarray) -> float:
    """What rounding may add to a violation in units of f; never so much that a point on the wrong side would pass."""
    return min(1e-9 * float(np.abs(g).max()), 0.01)


def _strips(n: int, m: int, entries: int = 4_000_000) -> list[slice]:
    """Cut n rows of m entries into strips of bounded size."""
    step = max(1, entries // max(1, m))
    return [slice(i, min(n, i + step)) for i in range(0, n, step)]


def _labels(y: Any, n: int) -> np.ndarray:
    """Check labels: one of -1 and +1 for each point, both present."""
    y = np.asarray(y)
    if y.shape != (n,):
        raise ValueError(f"y must have shape ({n},), one label for each row of X, got {y.shape}")
    if y.dtype.kind not in "fiub" or not np.all(np.abs(y.astype(float)) == 1):
        raise ValueError(f"y must hold the labels -1 and +1 only, got {np.unique(y)[:5]}")
    y = y.astype(np.float64)
    if abs(y.sum()) == n:
        raise ValueError(f"y must hold both classes, got only {y[0]:+g}" if n else "y is empty")
    return y


def _bounds(C: Any, n: int) -> np.ndarray:
    """Check C: positive (inf allowed), a number or one a point."""
    try:
        C = np.asarray(C, dtype=np.float64)
    except (TypeError, ValueError):
        raise ValueError(f"C must be a positive number or an array of {n}, got {C!r}") from None
    if C.shape not in ((), (n,)):
        raise ValueError(f"C must be a number or have shape ({n},), got shape {C.shape}")
    if not np.all(C > 0):                                    # also refuses NaN
        raise ValueError(f"C must be positive (np.inf for the hard margin), got {C if C.ndim == 0 else C.min()}")
    return np.full(n, float(C)) if C.ndim == 0 else C.copy()
