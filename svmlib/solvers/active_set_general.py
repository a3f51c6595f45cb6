"""The active-set method for a general convex QP (programming sheet 3, Aufgabe 1; Nocedal and Wright, algorithm 16.3).

    minimise  1/2 x'Ax - b'x    over   C'x = gamma,   D'x >= delta                              (sheet, equation 2)

Glossary: W the working set, the inequalities held as equations; p the step; mu, lam multipliers of C and D.
"""
import warnings
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from svmlib.checks import check_limits
from svmlib.dual import ConvergenceWarning
from svmlib.solvers.convex import constraints, finite
from svmlib.solvers.interior_point import UnboundedError
from svmlib.solvers.monitor import Callback, Monitor


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

    A (n, n) symmetric PSD, b (n,); C (n, p) and D (n, m) hold one constraint a column, gamma (p,), delta (m,); None
    for C or D where there are none.  tol > 0 is the size of a step that counts as none, and of a violation that
    counts as feasible, relative to x.  max_iter is 100 + 20 (n + m) where None.  callback(state) is told what history
    keeps, and stops by returning True; verbose shows a bar.

    Two lines differ from the sheet: line 1 starts with a linearly independent subset of the active constraints, as
    all of them can make the KKT matrix singular, and line 13 takes its minimum over i outside the working set, as
    inside it d_i'p = 0 (as printed it walks through constraints).  Where A is singular on the working set, the step
    follows its null direction to a bound.

    Returns an ActiveSetResult.  Raises ValueError for an infeasible x0, shapes that do not fit, or an indefinite A;
    UnboundedError where the objective has no minimum.

    >>> D = np.array([[1.0, -1, -1, 1, 0], [-2, -2, 2, 0, 1]])               # Nocedal and Wright, example 16.4
    >>> r = minimize_qp(2 * np.eye(2), [2.0, 5.0], None, None, D, [-2.0, -6, -2, 0, 0], x0=[2.0, 0.0])
    >>> r.x, r.working_set, round(float(r.lam[0]), 9)
    (array([1.4, 1.7]), (0,), 0.8)
    """
    check_limits(tol, max_iter)
    A, b, C, gamma, D, delta, x = _check(A, b, C, gamma, D, delta, x0, tol)
    m, done = D.shape[1], 0
    max_iter = 100 + 20 * (len(x) + m) if max_iter is None else max_iter
    W = _independent_active(C, D, delta, x, tol)                                                # line 1
    status, stuck, mu, lam = "max_iter", 0, np.zeros(C.shape[1]), np.zeros(m)
    with Monitor("minimize_qp", callback, verbose, history=True) as monitor:
        while not monitor(n_iter=done, objective=float(0.5 * x @ A @ x - b @ x), x=x.copy(),
                          working_set=tuple(sorted(W))):                                        # line 2
            p, mu, lam, unbounded = _step(A, b - A @ x, C, D, W)                                # line 3
            stay = not unbounded and np.linalg.norm(p) < tol * max(1.0, float(np.linalg.norm(x)))      # line 4
            if stay and lam.min(initial=0.0) >= -tol * max(1.0, np.abs(lam).max(initial=0.0)):  # line 5
                status = "optimal"                                                              # line 6
                break
            if done == max_iter:
                break
            if stay:
                # Line 8; the least index (Bland's rule) once steps of length zero threaten to go in circles.
                negative = [i for i in W if lam[i] < 0]
                W.remove(min(negative) if stuck > m else min(W, key=lambda i: lam[i]))          # lines 8, 9
            else:
                limit, j = _longest(D, delta, x, p, W)                                          # line 13
                if unbounded and j is None:
                    raise UnboundedError("the objective decreases without bound along p = "
                                         f"{np.array2string(p, precision=3, threshold=8)}, where A p = 0 and no "
                                         "constraint is met; add a bound on x")
                step = limit if unbounded else min(1.0, limit)
                if j is not None and step == limit:
                    W.append(j)                                                                 # lines 14, 15
                x = x + step * p                                                                # line 17
                stuck = stuck + 1 if step == 0 else 0
            done += 1
    status = monitor.status or status
    if status == "max_iter":
        warnings.warn(f"minimize_qp stopped after {max_iter} iterations with {len(W)} constraints in the working set; "
                      "raise max_iter", ConvergenceWarning, stacklevel=2)
    return ActiveSetResult(x, mu, lam, tuple(sorted(W)), float(0.5 * x @ A @ x - b @ x), D.T @ x - delta,
                           done, status, monitor.history)


def _step(A: np.ndarray, r: np.ndarray, C: np.ndarray, D: np.ndarray,
          W: list[int]) -> tuple[np.ndarray, np.ndarray, np.ndarray, bool]:
    """Step p and multipliers from line 3's system, r = b - A x; True where p is a direction of unbounded descent.

        [  A   -N ] [  p  ]   [ r ]         N = [ C  D_W ],   Z an orthonormal basis of {p: N'p = 0}
        [ -N'   0 ] [ m l ] = [ 0 ]         p = Z q,   Z'A Z q = Z'r,   and then   N [m l] = A p - r

    In this order p keeps the working set to rounding even where A is all but singular.  Where Z'A Z has null
    directions and r a part along them, that part descends without end: it is the step.
    """
    N = np.hstack([C, D[:, W]])
    U, size, _ = np.linalg.svd(N)
    Z = U[:, np.sum(size > 1e-12 * size.max(initial=0.0)):]
    value, V = np.linalg.eigh(Z.T @ A @ Z)
    V = Z @ V
    flat = value <= 1e-12 * np.linalg.norm(A)
    g = V.T @ r
    p = V[:, flat] @ g[flat]
    unbounded = bool(np.linalg.norm(p) > 1e-9 * np.linalg.norm(r))
    if not unbounded:
        p = V[:, ~flat] @ (g[~flat] / value[~flat])
    multipliers = np.linalg.lstsq(N, A @ p - r, rcond=1e-12)[0]
    lam = np.zeros(D.shape[1])
    lam[W] = multipliers[C.shape[1]:]
    return p, multipliers[:C.shape[1]], lam, unbounded


def _longest(D: np.ndarray, delta: np.ndarray, x: np.ndarray, p: np.ndarray,
             W: list[int]) -> tuple[float, int | None]:
    """Line 13: how far along p the constraints outside W allow, and which one stops it."""
    slope = D.T @ p
    candidates = slope < -1e-12 * np.linalg.norm(p) * np.linalg.norm(D, axis=0)
    candidates[W] = False
    if not candidates.any():
        return np.inf, None
    index = np.flatnonzero(candidates)
    ratio = np.maximum((delta - D.T @ x)[index] / slope[index], 0.0)
    return float(ratio.min()), int(index[ratio.argmin()])


def _independent_active(C: np.ndarray, D: np.ndarray, delta: np.ndarray, x: np.ndarray, tol: float) -> list[int]:
    """Active constraints at x, those left out that depend linearly on C and on earlier ones."""
    W: list[int] = []
    for i in np.flatnonzero(np.abs(D.T @ x - delta) <= tol * np.maximum(1.0, np.abs(delta))):
        d, N = D[:, i], np.hstack([C, D[:, W]])
        if np.linalg.norm(d - N @ np.linalg.lstsq(N, d)[0]) > 1e-10 * np.linalg.norm(d):
            W.append(int(i))
    return W


def _check(A: Any, b: Any, C: Any, gamma: Any, D: Any, delta: Any, x0: Any, tol: float) -> tuple:
    """The arguments as float64 arrays of shapes that fit, with a feasible start."""
    A, b, x = finite(A, "A", 2), finite(b, "b", 1), finite(x0, "x0", 1)
    n = len(b)
    if A.shape != (n, n) or not np.allclose(A, A.T):
        raise ValueError(f"A must be symmetric with shape ({n}, {n}) to fit b, got shape {A.shape}")
    lowest = float(np.linalg.eigvalsh(A)[0])
    if lowest < -1e-9 * max(1.0, float(np.abs(A).max())):
        raise ValueError(f"A must be positive semidefinite, got the eigenvalue {lowest:.3g}: the QP is not convex")
    if x.shape != (n,):
        raise ValueError(f"x0 must have shape ({n},) to fit b, got {x.shape}")
    C, gamma = constraints(C, gamma, n, "C", "gamma", columns=True)
    D, delta = constraints(D, delta, n, "D", "delta", columns=True)
    for M, v, claim in ((C, gamma, "C'x = gamma"), (D, delta, "D'x >= delta")):
        short = (v - M.T @ x) / np.maximum(1.0, np.abs(v))
        short = np.abs(short) if v is gamma else short
        if short.max(initial=0.0) > tol:
            i = int(short.argmax())
            raise ValueError(f"x0 must satisfy {claim}, but ({claim[:2]}x0)[{i}] = {M[:, i] @ x:g}, "
                             f"{claim.split()[-1]}[{i}] = {v[i]:g}")
    return A, b, C, gamma, D, delta, x
