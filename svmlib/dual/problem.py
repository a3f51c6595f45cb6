"""The dual problem of the support vector machine, and the certificate that says how good a solution is.

    maximise  W(alpha) = sum_i alpha_i - 1/2 alpha' Q alpha    over  0 <= alpha <= C,  y' alpha = 0,

with Q = (y y') o K, the entrywise product.  Glossary, used in every solver:

    alpha   dual variables, in [0, C];   beta = y alpha, the signed ones
    f       decision values f(x_i) = sum_j beta_j K_ij + b
    xi      slacks max(0, 1 - y f)
    I_up    points whose beta may grow,   I_low   points whose beta may shrink
    gap     primal value minus dual value: 0 exactly at the optimum

In beta it is one case of a problem that has others, and that all solvers solve (module's class BoxProblem):

    minimise  1/2 beta' K beta - p' beta    over  lo <= beta <= hi,  sum(beta) = total.
"""
from collections.abc import Callable
from math import isfinite, sqrt
from typing import TYPE_CHECKING, Any, Self

import numpy as np

from svmlib.dual.gram import LOOKED_AT, KernelPoints
from svmlib.dual.solution import ConvergenceWarning, NotSeparableError, Solution
from svmlib.kernels import Kernel, NotPSDWarning
from svmlib.validation import as_bounds, as_labels, as_signs, check_number, one_each

if TYPE_CHECKING:
    from svmlib.dual.certificate import Certificate

WAYS_OUT = "raise max_iter, raise tol, or scale the features"


class BoxProblem(KernelPoints):
    """Minimise 1/2 beta' K beta - p' beta over lo <= beta <= hi, sum(beta) = total: a box and one equation.

    Each box has 0 at one end: beta = y alpha with 0 <= alpha <= C, so that lo = min(0, C y) and hi = max(0, C y).
    kernel, X: points as for DualProblem.  y (n,) in {-1, +1}: signs of beta.  C > 0, finite: a number or (n,).  p: a
    number or (n,).  Its solutions hold alpha, W = p' beta - 1/2 beta' K beta, and b, the multiplier of the equation,
    with K beta + b = p where 0 < alpha < C.

        classifier (DualProblem)          p = y                       total = 0
        epsilon-insensitive regression    each point twice, y = +1 with p = target - epsilon, and y = -1 with
                                          p = target + epsilon        total = 0;   f = sum of both K beta + b
        one class, with nu                y = 1, p = 0, C = 1         total = nu n;   f = K beta + b

    Raises ValueError, naming the argument, for wrong shapes or values, and where no beta of the box has this sum.

    >>> from svmlib.kernels import Linear
    >>> line = BoxProblem(Linear(), [[0.0], [2.0]] * 2, [1, 1, -1, -1], 10.0, p=[0.9, 4.9, 1.1, 5.1])  # targets 1 and 5
    >>> proof = line.certificate([0.0, 0.95, 0.95, 0.0])                         # w = 0.95 * 2 - 0.95 * 0 = 1.9
    >>> round(proof.b, 9), round(proof.gap, 9)
    (1.1, 0.0)
    """

    def __init__(self, kernel: Kernel | Callable, X: Any, y: Any, C: Any, p: Any, total: float = 0.0) -> None:
        super().__init__(kernel, X)
        self.y, self.C, self.p = as_signs(y, self.n), as_bounds(C, self.n), one_each(p, "p", self.n, "a number")
        if not np.isfinite(self.p).all():
            raise ValueError(f"p must be finite, got {self.p}")
        check_number(total, "total")
        self.total = float(total)
        if not np.isfinite(self.C).all():
            raise ValueError("C must be finite; only a classifier has a hard margin")
        if not self.lo.sum() <= self.total <= self.hi.sum():
            raise ValueError(f"total must lie between the sums {self.lo.sum():g} and {self.hi.sum():g} of the bounds, "
                             f"got {total!r}")

    @classmethod
    def cut(cls, whole: KernelPoints, rows: np.ndarray, y: np.ndarray, C: np.ndarray, p: np.ndarray | None = None,
            total: float = 0.0) -> Self:
        """The problem of some rows (m,) of points, or of all of them several times over; nothing is copied yet.

        y, C, p (m,) and total are taken as they are; a classifier, where p is None, has p = y.
        """
        problem = cls.__new__(cls)
        problem._cut_from(whole, rows)
        problem.y, problem.C, problem.p, problem.total = y, C, y if p is None else p, total
        return problem

    def __repr__(self) -> str:
        low, high = self.C.min(), self.C.max()
        C = f"{low:g}" if low == high else f"{low:g}…{high:g}"
        return f"{type(self).__name__}({self.kernel!r}, n={self.n}, C={C})"

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

    def start(self, alpha0: Any = None) -> np.ndarray:
        """A feasible beta (n,): y alpha0, checked to rounding; where None, 0, or the first points filled up to total.

        Raises ValueError unless 0 <= alpha0 <= C and y' alpha0 = total.
        """
        if alpha0 is None:
            if self.total == 0.0:
                return np.zeros(self.n)
            room = self.hi if self.total > 0.0 else -self.lo
            return np.sign(self.total) * np.clip(abs(self.total) - (np.cumsum(room) - room), 0.0, room)
        alpha = self.as_alpha(alpha0, "alpha0")
        slack = 1e-9 * max(1.0, float(np.abs(alpha).max()))
        if not (np.all(alpha >= -slack) and np.all(alpha <= self.C + slack)):
            raise ValueError(f"alpha0 must lie in [0, C], got values from {alpha.min():g} to {alpha.max():g}")
        if not abs(self.y @ alpha - self.total) <= slack * self.n:
            raise ValueError(f"alpha0 must satisfy y' alpha0 = {self.total:g}, got {self.y @ alpha:g}")
        return self.y * np.clip(alpha, 0.0, self.C)

    def feasible(self, alpha: np.ndarray) -> np.ndarray:
        """A feasible alpha near this one: in the box, with y'alpha = total; points at a bound stay where they can.

        The excess of one class is taken from its free points, in proportion; or else given to the free points of the
        other class, in proportion to their room; or else taken from the whole larger class, or given to all the other.
        """
        alpha = np.clip(alpha, 0.0, self.C)
        for _ in range(2):                                   # the second pass removes the rounding of the first
            excess = float(self.y @ alpha) - self.total
            larger = self.y * np.sign(excess) > 0
            excess = abs(excess)
            if excess <= 1e-15 * float(alpha.sum()):
                break
            free = (alpha > 0) & (alpha < self.C)
            down, up = larger & free, ~larger & free
            room = np.minimum(self.C[up], 2.0 * alpha[up].max(initial=0.0)) - alpha[up]
            if alpha[down].sum() >= excess:
                alpha[down] *= 1.0 - excess / alpha[down].sum()
            elif room.sum() > excess and room.min() >= 0.0:
                alpha[up] += excess / room.sum() * room
            elif alpha[larger].sum() >= excess:
                alpha[larger] *= 1.0 - excess / alpha[larger].sum()
            else:
                room = self.C[~larger] - alpha[~larger]
                alpha[~larger] += min(1.0, excess / room.sum()) * room      # the second pass takes what is left
        return alpha

    def as_alpha(self, alpha: Any, name: str = "alpha") -> np.ndarray:
        """Check the shape of alpha."""
        alpha = np.ascontiguousarray(alpha, dtype=np.float64)
        if alpha.shape != (self.n,):
            raise ValueError(f"{name} must have shape ({self.n},), one number per point, got {alpha.shape}")
        return alpha

    def certificate(self, alpha: Any, K_beta: np.ndarray | None = None, b: float | None = None) -> "Certificate":
        """The certificate of alpha, and of b where it is given; K_beta: K beta, where it is known."""
        from svmlib.dual.certificate import certificate  # brings numba, which `import svmlib` need not wait for

        if K_beta is None:
            alpha = self.as_alpha(alpha)
            K_beta = self.times_K(self.y * alpha)
        return certificate(self.y, self.C, self.p, alpha, K_beta, np.nan if b is None else float(b))

    def solution(self, alpha: np.ndarray, *, solver: str, status: str, n_iter: int, tol: float,
                 history: list[dict[str, Any]] | None = None, K_beta: np.ndarray | None = None) -> Solution:
        """Certify alpha in float64 and wrap it up; whether it is "optimal" the certificate says, not the solver.

        K_beta (n,) is K beta where the solver has it in float64.  The tolerance that the Solution states is no
        smaller than what rounding leaves of tol; where rounding leaves no margin at all, nothing is "optimal".  Warns
        when the tolerance was not reached or when the kernel is indefinite; raises NotSeparableError when a hard
        margin does not exist.  An interrupt in the meantime makes the status "interrupted", and alpha is kept.
        """
        try:
            return self._judged(alpha, solver, status, n_iter, tol, history or [], K_beta)
        except KeyboardInterrupt:
            return self._judged(alpha, solver, "interrupted", n_iter, tol, history or [], K_beta)

    def _judged(self, alpha: np.ndarray, solver: str, status: str, n_iter: int, tol: float,
                history: list[dict[str, Any]], K_beta: np.ndarray | None) -> Solution:
        """The Solution, with what the certificate says of its status."""
        from svmlib.dual.certificate import settled

        alpha = settled(alpha, self.C)
        g = self.times_K(self.y * alpha) if K_beta is None else K_beta
        b, objective, _, worst, gap = self.certificate(alpha, g)
        rounding, status = 0.0, "optimal" if status == "max_iter" and worst <= tol else status
        if status == "optimal":
            rounding = self._rounding(alpha, tol)
            # Rounding may excuse a little, never so much that a point on the wrong side would pass.
            if not isfinite(objective) or rounding > 1.0 or (
                    worst > 1.01 * tol and worst > 1.01 * tol + min(1e-9 * float(np.abs(g).max()), 0.01)):
                status = "max_iter"
            else:
                tol = max(tol, worst / 1.01 + rounding)
        if status == "max_iter" and self.hard.any() and not self.separable():
            raise NotSeparableError("the classes cannot be separated by this kernel, so there is no hard margin; "
                                    "give a finite C (C=1, C=10, ...) to allow for errors")
        if status == "optimal" and (value := self.negative_eigenvalue(alpha)):
            status = "stationary"
            where = f" on {LOOKED_AT} of them" if self.n > LOOKED_AT else ""
            self._warn("the kernel is not positive semidefinite on these points (the smallest eigenvalue is "
                       f"{value:.3g}{where}): the dual may have several stationary points; this is one", NotPSDWarning)
        if status == "max_iter":
            off = f", rounding up to {rounding:.0e}" if rounding > 1.0 else ""
            self._warn(f"{solver} stopped after {n_iter} iterations at a KKT violation of {worst:.1e} (tol={tol:g}"
                       f"{off}) and a duality gap of {gap:.1e}; {WAYS_OUT}", ConvergenceWarning)
        return Solution(alpha, b, objective, gap, worst, int(n_iter), status, solver, tol, self.C, history,
                        self._gap_bound(alpha, g, b))

    def _gap_bound(self, alpha: np.ndarray, g: np.ndarray, b: float) -> float:
        """The gap with an estimate of its rounding, on the safe side: see error_of."""
        from svmlib.dual.certificate import bounded_gap, error_of

        size = np.sqrt(np.abs(self.diag))
        units = error_of(self.kernel_error, self.n)
        return bounded_gap(self.y, self.C, self.p, self.total, alpha, g, b,
                           units * float(np.linalg.norm(size * alpha)) * size)

    def _rounding(self, alpha: np.ndarray, tol: float) -> float:
        """What rounding may add to K beta, 4 eps max |K| sum(alpha); 0 where that is clearly below tol."""
        eps, d = 2.0 ** -50, self.diag                  # 4: K_ij is itself rounded, a power of a product several times
        if eps * sqrt(self.n * alpha.dot(alpha) * d.dot(d)) <= tol:         # max |d| sum(alpha) is at most this root
            return 0.0
        return eps * float(alpha.sum() * np.abs(d).max())

    def separable(self) -> bool:
        """Whether the kernel's feature space has a hyperplane with both classes strictly on their sides.

        Distinct points are always separable for a strictly positive kernel; otherwise a linear program decides
        over the coordinates of the points in feature space.  Where only some points have C = inf, only they count.
        """
        from svmlib.dual.separability import separable

        rows = np.flatnonzero(self.hard) if self.hard.any() else np.arange(self.n)
        y = self.y[rows]
        return abs(y.sum()) == len(y) or separable(self.kernel, self.X[rows], y, lambda: self.K[np.ix_(rows, rows)])


class DualProblem(BoxProblem):
    """The dual problem of a kernel, points X (n, d), labels y (n,) in {-1, +1} and an upper bound C.

    C > 0 is a number or one number per point; C = inf is the hard margin.  kernel=Precomputed() takes X = K (n, n).
    Raises ValueError, naming the argument, for labels other than -1 and +1, one class only, NaN, or C <= 0.

    >>> from svmlib.kernels import Linear
    >>> p = DualProblem(Linear(), [[0.0], [2.0]], [-1, 1], C=10.0)
    >>> alpha = np.array([0.5, 0.5])                     # 1/|w|^2 with w = 1: the band is 2 wide
    >>> p.objective(alpha), p.bias(alpha), p.gap(alpha)
    (0.5, -1.0, 0.0)
    """

    def __init__(self, kernel: Kernel | Callable, X: Any, y: Any, C: Any = 1.0, *, check: bool = True) -> None:
        KernelPoints.__init__(self, kernel, X, check=check)
        self.p = self.y = as_labels(y, self.n) if check else y
        self.C, self.total = as_bounds(C, self.n) if check else C, 0.0

    def objective(self, alpha: Any) -> float:
        """Dual value sum_i alpha_i - 1/2 alpha' Q alpha: a lower bound of the primal value for every feasible alpha."""
        beta = self.y * self.as_alpha(alpha)
        return float(self.p @ beta - 0.5 * beta @ self.times_K(beta))

    def gradient(self, alpha: Any) -> np.ndarray:
        """Gradient (n,) of the dual value: 1 - Q alpha."""
        return 1.0 - self.y * self.times_K(self.y * self.as_alpha(alpha))

    def decision(self, alpha: Any, b: float | None = None) -> np.ndarray:
        """Decision values f(x_i) (n,) at the training points."""
        return self.times_K(self.y * self.as_alpha(alpha)) + (self.bias(alpha) if b is None else b)

    def bias(self, alpha: Any) -> float:
        """Bias b: the mean of y - K beta over 0 < alpha < C; without such points, the midpoint of the KKT interval.

        Bounded support vectors lie off the margin and say nothing about b (erratum report 16).
        """
        return self.certificate(alpha).b

    def gap(self, alpha: Any, b: float | None = None) -> float:
        """Duality gap of (alpha, b): primal minus dual value, a sum of n terms >= 0, each zero where KKT holds.

        With r = y f - 1: gap = sum_i alpha_i max(r_i, 0) + (C_i - alpha_i) max(-r_i, 0), the measure (2.3) of the lab
        sheet summed.  Under a hard margin a point with r < 0 is infeasible, so w and b are first lengthened by
        s = 1 / min y f until all fit; that adds (s - 1)^2 |w|^2 / 2.  It is inf when some hard point is misclassified.
        """
        return self.certificate(alpha, b=b).gap

    def violation(self, alpha: Any, b: float | None = None) -> np.ndarray:
        """KKT violation (n,) of each point, in units of f: how far y f is on the wrong side of 1.

        y f >= 1 is required where alpha < C, y f <= 1 where alpha > 0; all zeros exactly at an optimum.
        """
        return self.certificate(alpha, b=b).violation
