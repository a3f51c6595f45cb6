"""The active-set method for a general convex QP: chapter 11, "The whole method", and its 19 lines.

    minimise  1/2 x'Ax - c'x    over   E'x = e,   D'x >= delta                      (chapter 11, equation as-qp)

Glossary, as there: W the working set, the inequalities held as equations; p the step, t its length; mu, lam multipliers
of E and D, together m; N = [E D_W].  `minimize_qp` takes c, E and e under the names of the sheet: b, C and gamma.
(Programming sheet 3, Aufgabe 1; Nocedal and Wright, algorithm 16.3.)
"""
import warnings
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from svmlib.dual import ConvergenceWarning
from svmlib.solvers.driver import Steps, drive
from svmlib.solvers.interior_point import UnboundedError
from svmlib.solvers.monitor import Callback, Monitor
from svmlib.validation import as_constraints, as_finite, check_limits, steps_allowed


@dataclass(frozen=True, eq=False)
class ActiveSetResult:
    """What `minimize_qp` returns.

    x (n,); mu (p,) and lam (m,) multipliers, lam 0 outside the working set; working_set, indices of the columns of D
    held as equations; slack (m,) = D'x - delta; status "optimal", "max_iter" or "interrupted"; history, from the start:
    n_iter, objective, x and working_set of each iteration.
    """

    x: np.ndarray
    mu: np.ndarray
    lam: np.ndarray
    working_set: tuple[int, ...]
    objective: float
    slack: np.ndarray
    n_iter: int
    status: str
    history: list[dict[str, Any]] = field(repr=False)

    @property
    def path(self) -> list[tuple[np.ndarray, tuple[int, ...]]]:
        """One (x, working set) for each iteration, the start first."""
        return [(state["x"], state["working_set"]) for state in self.history]


def minimize_qp(A: Any, b: Any, C: Any, gamma: Any, D: Any, delta: Any, x0: Any, tol: float = 1e-8,
                max_iter: int | None = None, *, callback: Callback | None = None,
                verbose: bool = False) -> ActiveSetResult:
    """Minimise 1/2 x'Ax - b'x over C'x = gamma, D'x >= delta from a feasible x0 by working sets.

    A (n, n) symmetric PSD, b (n,); C (n, p) and D (n, m) hold one constraint per column, gamma (p,), delta (m,); None
    for C or D where there are none.  tol > 0 is the size of what counts as none: of |Ap| for a step p, relative to the
    slope |b - Ax|, of a negative lam_i |d_i|, relative to the largest of these, and of a violation, relative to the
    distance from the farthest wall (or |b - Ax| / |A| where that is more).  From another origin and in other units of
    x, of the objective or of a constraint the answer is the same.  max_iter is 100 + 20 (n + m) where None.
    callback(state) is told what history keeps, and stops by returning True; verbose shows a bar.

    Two lines differ from the sheet: line 1 starts with an independent subset of the active constraints, as all can make
    the KKT matrix singular; line 13 takes its minimum outside the working set, as inside it d_i'p = 0 (as printed it
    walks through constraints).  Where A is singular on the working set, the step follows a null direction to a bound.

    Returns an ActiveSetResult.  Raises ValueError for an infeasible x0, shapes that do not fit, or an indefinite A;
    UnboundedError where the objective has no minimum.

    >>> D = np.array([[1.0, -1, -1, 1, 0], [-2, -2, 2, 0, 1]])               # Nocedal and Wright, example 16.4
    >>> r = minimize_qp(2 * np.eye(2), [2.0, 5.0], None, None, D, [-2.0, -6, -2, 0, 0], x0=[2.0, 0.0])
    >>> r.x, r.working_set, round(float(r.lam[0]), 9)
    (array([1.4, 1.7]), (0,), 0.8)
    """
    check_limits(tol, max_iter)
    A, b, C, gamma, D, delta, x = _check(A, b, C, gamma, D, delta, x0, tol)
    equalities, m = C.shape[1], D.shape[1]
    max_iter = steps_allowed(max_iter, 100 + 20 * (len(x) + m))
    # From here on each constraint has length 1, so that one in small units is not taken for none.
    length = size(np.hstack([C, D]), axis=0)
    length[length == 0] = 1.0
    E, walls, epsilon = C / length[:equalities], D / length[equalities:], delta / length[equalities:]
    W = _independent_active(E, walls, epsilon, x)                             # line 1

    def told() -> Steps:
        """What history keeps of each step, and of the start."""
        for k, (x, W) in enumerate(turns(A, b, E, walls, epsilon, x0, W0, tol)):
            yield {"steps": min(k, 1), "objective": float(0.5 * x @ A @ x - b @ x), "x": x.copy(),
                   "working_set": tuple(sorted(W))}

    x0, W0 = x, W
    monitor = Monitor("minimize_qp", callback, verbose, history=True, max_iter=max_iter)
    status, _ = drive(told(), monitor)
    if monitor.history:
        x, W = monitor.history[-1]["x"], list(monitor.history[-1]["working_set"])
    step, multipliers, flat = flat_step(A, b - A @ x, np.column_stack([E, walls[:, W]]))
    mu, own = multipliers[:equalities] / length[:equalities], multipliers[equalities:]
    if status == "max_iter" and not flat and is_none(step, x, A, b, tol) and none_negative(own, x, A, b, tol):
        status = "optimal"
    if status == "max_iter":
        warnings.warn(f"minimize_qp stopped after {max_iter} iterations with {len(W)} constraints in the working set; "
                      "raise max_iter", ConvergenceWarning, stacklevel=2)
    lam = np.zeros(m)
    lam[W] = own / length[equalities:][W]
    return ActiveSetResult(x, mu, lam, tuple(sorted(W)), float(0.5 * x @ A @ x - b @ x),
                           D.T @ x - delta, monitor.n_iter, status, monitor.history)


# ---- the method, as the chapter prints it ----------------------------------------------------------------------------
# printed in 11_active_set
size = np.linalg.norm


# printed in 11_active_set
def flat_step(A: np.ndarray, r: np.ndarray, N: np.ndarray) -> tuple[np.ndarray, np.ndarray, bool]:
    """Line 3, equation as-null-space: p and the multipliers of the columns of N; True where p is a flat descent.

        [  A   -N ] [ p ]   [ r ]         r = c - Ax,   Z an orthonormal basis of {p: N'p = 0}
        [ -N'   0 ] [ m ] = [ 0 ]         p = Z q,   Z'A Z q = Z'r,   and then   N m = A p - r

    In this order p keeps the working set to rounding even where A is all but singular.  Where Z'A Z has null
    directions and r a part along them, that part descends without end: it is the step.
    """
    U, values, _ = np.linalg.svd(N)
    Z = U[:, np.sum(values > 1e-12 * values.max(initial=0)):]
    curvature, V = np.linalg.eigh(Z.T @ A @ Z)
    flat = curvature <= 1e-12 * size(A)
    V = Z @ V
    g = V.T @ r
    p = V[:, flat] @ g[flat]
    descent = bool(size(p) > 1e-9 * size(r))
    if not descent:
        p = V[:, ~flat] @ (g[~flat] / curvature[~flat])
    return p, np.linalg.lstsq(N, A @ p - r, rcond=1e-12)[0], descent


# printed in 11_active_set
def rounding(x: np.ndarray, A: np.ndarray, c: np.ndarray) -> Any:
    """What is not known of c - Ax."""
    return 1e-12 * (size(A) * size(x) + size(c))


# printed in 11_active_set
def is_none(p: np.ndarray, x: np.ndarray, A: np.ndarray, c: np.ndarray, tol: float) -> Any:
    """Line 4: whether the step p changes the slope c - Ax by nothing that counts; a slope has no origin, unlike x."""
    return size(A @ p) <= max(tol * size(c - A @ x), rounding(x, A, c))


# printed in 11_active_set
def none_negative(lam: np.ndarray, x: np.ndarray, A: np.ndarray, c: np.ndarray, tol: float) -> Any:
    """Line 5: whether no multiplier is negative, up to what does not count beside the largest."""
    least = max(tol * max(abs(lam), default=0), rounding(x, A, c))
    return min(lam, default=0) >= -least


# printed in 11_active_set
def longest(D: np.ndarray, delta: np.ndarray, x: np.ndarray, p: np.ndarray, W: list[int]) -> tuple[float, Any]:
    """Line 13 without the 1: the quotient, and what stops the step."""
    slope = D.T @ p
    ahead = slope < -1e-12 * size(p) * size(D, axis=0)
    ahead[W] = False
    if not ahead.any():
        return np.inf, None
    room = np.full(len(delta), np.inf)
    quotient = (delta - D.T @ x)[ahead] / slope[ahead]
    room[ahead] = np.maximum(quotient, 0)
    return room.min(), int(room.argmin())


# printed in 11_active_set
def turns(A: np.ndarray, c: np.ndarray, E: np.ndarray, D: np.ndarray, delta: np.ndarray, x: np.ndarray, W: list[int],
         tol: float = 1e-8) -> Iterator[tuple[np.ndarray, list[int]]]:
    """Lines 2 to 19, from a feasible x and an independent W: x and W at the start and after each step.

    Each step solves equation as-step; without a step left, the signs of lam tell whether equation as-kkt holds.
    """
    stuck = 0  # steps of length zero in a row
    while True:
        yield x, W
        N = np.column_stack([E, D[:, W]])
        p, m, flat = flat_step(A, c - A @ x, N)
        lam = m[E.shape[1]:]
        if not flat and is_none(p, x, A, c, tol):
            if none_negative(lam, x, A, c, tol):
                return
            j = W[lam.argmin()]
            if stuck > len(delta):  # the least index, so as not to cycle
                j = min(i for i, l in zip(W, lam, strict=True) if l < 0)
            W = [i for i in W if i != j]
        else:
            t, j = longest(D, delta, x, p, W)
            if flat and j is None:
                raise UnboundedError("the objective decreases without "
                                     f"bound along p = {p}")
            if flat or t <= 1:
                W = [*W, j]
            t = t if flat else min(1, t)
            x, stuck = x + t * p, stuck + 1 if t == 0 else 0


# ---- the start, and what is refused ----------------------------------------------------------------------------------
def _independent_active(C: np.ndarray, D: np.ndarray, delta: np.ndarray, x: np.ndarray) -> list[int]:
    """Constraints that x meets up to rounding, those left out that depend linearly on C and on earlier ones."""
    W: list[int] = []
    N = C
    for i in np.flatnonzero(np.abs(D.T @ x - delta) <= 1e-12 * size(x) * size(D, axis=0)):
        d = D[:, i]
        if size(d - N @ np.linalg.lstsq(N, d)[0]) > 1e-10 * size(d):
            W.append(int(i))
            N = np.column_stack([N, d])
    return W


def _check(A: Any, b: Any, C: Any, gamma: Any, D: Any, delta: Any, x0: Any, tol: float) -> tuple:
    """The arguments as float64 arrays of shapes that fit, with a feasible start."""
    A, b, x = as_finite(A, "A", 2), as_finite(b, "b", 1), as_finite(x0, "x0", 1)
    n = len(b)
    largest = float(np.abs(A).max(initial=0.0))
    if A.shape != (n, n) or np.abs(A - A.T).max(initial=0.0) > 1e-5 * largest:
        raise ValueError(f"A must be symmetric with shape ({n}, {n}) to fit b, got shape {A.shape}")
    lowest = float(np.linalg.eigvalsh(A)[0])
    if lowest < -1e-9 * largest:
        raise ValueError(f"A must be positive semidefinite, got the eigenvalue {lowest:.3g}: the QP is not convex")
    if x.shape != (n,):
        raise ValueError(f"x0 must have shape ({n},) to fit b, got {x.shape}")
    C, gamma = as_constraints(C, gamma, n, "C", "gamma", columns=True)
    D, delta = as_constraints(D, delta, n, "D", "delta", columns=True)
    length = size(D, axis=0)
    room = np.abs(D.T @ x - delta)[length > 0] / length[length > 0]             # whatever the origin
    scale = max(room.max(initial=0.0), size(b - A @ x) / size(A) if A.any() else 0)
    for M, v, claim in ((C, gamma, "C'x = gamma"), (D, delta, "D'x >= delta")):
        short = v - M.T @ x
        short = np.abs(short) if v is gamma else short
        beyond = short - tol * scale * size(M, axis=0) - 1e-12 * (size(M, axis=0) * size(x) + np.abs(v))
        if beyond.max(initial=0.0) > 0:
            i = int(beyond.argmax())
            raise ValueError(f"x0 must satisfy {claim}, but ({claim[:2]}x0)[{i}] = {M[:, i] @ x:g}, "
                             f"{claim.split()[-1]}[{i}] = {v[i]:g}")
    return A, b, C, gamma, D, delta, x
