"""Convex quadratic programs by cvxopt's interior-point method, every iteration of which can be looked at.

    minimise  1/2 x'Px + q'x   over   Gx <= h,  Ax = b        (report, equation 2.24; Boyd and Vandenberghe, 11)

Glossary: s = h - Gx >= 0 slacks, y multipliers of Ax = b, z >= 0 multipliers of Gx <= h, s'z the duality gap.
cvxopt shows its iterates nowhere but on the screen.  Where P, G and A are functions it has to pass them the current
x and z, exactly once an iteration, so a program of functions sees them all without a second run.
"""
from __future__ import annotations

import warnings
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from cvxopt import matrix, misc, solvers, spmatrix
from scipy.optimize import linprog

from svmlib.dual import ConvergenceWarning
from svmlib.solvers.monitor import Monitor

__all__ = ["InfeasibleError", "Program", "QPResult", "UnboundedError", "run", "solve_qp"]

#: Iterations without progress in gap or residual after which the limit of float64 is taken to be reached.
PATIENCE = 20

Vector = np.ndarray


class InfeasibleError(ValueError):
    """No x satisfies the constraints of a quadratic program."""


class UnboundedError(ValueError):
    """A quadratic program decreases without bound over its feasible set."""


@dataclass(frozen=True)
class Program:
    """A quadratic program whose matrices are what they do to a vector; kkt is cvxopt's `kktsolver(W)`.

    refinement is the number of times that each solution of a KKT system is corrected by its residual.
    """

    P: Callable[[Vector], Vector]
    q: Vector
    G: Callable[[Vector], Vector]
    Gt: Callable[[Vector], Vector]
    h: Vector
    A: Callable[[Vector], Vector]
    At: Callable[[Vector], Vector]
    b: Vector
    kkt: Callable[[dict], Callable]
    refinement: int = 1


@dataclass(frozen=True, eq=False)
class QPResult:
    """A solved program: x (n,), multipliers y of Ax = b and z >= 0 of Gx <= h, both objectives, and how it went.

    status is "optimal", "max_iter" or "interrupted".  history holds, for each iteration, n_iter, x, y, z, primal and
    dual objective, gap (z'(h - Gx), >= 0 once x is feasible), and residual (the norms of Px + q + A'y + G'z and of
    what x violates, added).
    """

    x: Vector
    y: Vector
    z: Vector
    primal: float
    dual: float
    gap: float
    n_iter: int
    status: str
    history: list[dict[str, Any]] = field(default_factory=list, repr=False)


class _Stop(Exception):
    """Raised inside cvxopt to leave it; args[0] is the reason."""


class _Iterates:
    """Hands a program to cvxopt as functions, and notes the iterate each time that cvxopt evaluates it."""

    def __init__(self, program: Program, max_iter: int, monitor: Monitor, tell: Callable[[dict], dict]) -> None:
        self.program, self.max_iter, self.monitor, self.tell = program, max_iter, monitor, tell
        self.best_gap, self.best_residual, self.best_at = np.inf, np.inf, 0
        self.current: dict[str, Any] = {}
        self.last: dict[str, Any] | None = None
        self.best: dict[str, Any] | None = None

    def P(self, x: matrix, out: matrix, alpha: float = 1.0, beta: float = 0.0) -> None:
        """out := alpha P x + beta out; with alpha = beta = 1 an iteration begins, and x is its iterate."""
        x_ = _view(x)
        Px = self.program.P(x_)
        if alpha == beta == 1.0:
            self.current = {"x": x_.copy(), "Px": Px}
        _accumulate(out, Px, alpha, beta)

    def A(self, x: matrix, out: matrix, alpha: float = 1.0, beta: float = 0.0, trans: str = "N") -> None:
        """out := alpha A x + beta out, or A' x."""
        if trans == "T" and alpha == beta == 1.0:
            self.current["y"] = _view(x).copy()
        _accumulate(out, (self.program.A if trans == "N" else self.program.At)(_view(x)), alpha, beta)

    def G(self, x: matrix, out: matrix, alpha: float = 1.0, beta: float = 0.0, trans: str = "N") -> None:
        """out := alpha G x + beta out, or G' x; the product G'z completes P x + q + A'y + G'z."""
        _accumulate(out, (self.program.G if trans == "N" else self.program.Gt)(_view(x)), alpha, beta)
        if trans == "T" and alpha == beta == 1.0 and self.current:
            self._iterate(_view(x).copy(), float(np.linalg.norm(_view(out))))

    def _iterate(self, z: Vector, residual: float) -> None:
        """Note one iterate, tell the monitor, and stop where there is nothing more to gain."""
        p, x, Px, y = self.program, self.current["x"], self.current["Px"], self.current["y"]
        slack, off = p.h - p.G(x), p.A(x) - p.b
        primal = float(0.5 * x @ Px + p.q @ x)
        gap = float(z @ slack)
        residual += float(np.linalg.norm(np.minimum(slack, 0.0)) + np.linalg.norm(off))
        k = 0 if self.last is None else self.last["n_iter"] + 1
        self.last = {"n_iter": k, "x": x, "y": y, "z": z, "primal": primal, "dual": primal - gap + float(y @ off),
                     "gap": gap, "residual": residual}
        self.current = {}
        if self.best is None or _error(p, self.last) <= _error(p, self.best):
            self.best = self.last
        if self.monitor.active and self.monitor(**self.tell(self.last)):
            raise _Stop(self.monitor.status)
        if k >= self.max_iter:
            raise _Stop("max_iter")
        if abs(gap) < 0.9 * self.best_gap or residual < 0.9 * self.best_residual:
            self.best_gap, self.best_residual = min(abs(gap), self.best_gap), min(residual, self.best_residual)
            self.best_at = k
        elif k - self.best_at > PATIENCE:
            raise _Stop("stalled")


def _error(program: Program, iterate: dict[str, Any]) -> float:
    """The larger of relative gap and relative residual; near the limit of float64 the first shrinks on, noise only,
    while the second explodes.
    """
    return max(abs(iterate["gap"]) / max(1.0, abs(iterate["primal"])),
               iterate["residual"] / max(1.0, float(np.linalg.norm(program.q))))


def run(program: Program, monitor: Monitor, *, tol: float = 1e-10, max_iter: int = 100,
        start: dict[str, Vector] | None = None, tell: Callable[[dict], dict] = dict) -> QPResult:
    """Run cvxopt's `coneqp` on a program; an interrupt, or a callback that returns True, gives the last iterate.

    So does reaching tol; where float64 or max_iter ends the run before, the iterate of the smallest error is given.
    tol bounds the gap, absolute or relative, and the relative residuals.  start may hold x, s, y and z to begin with;
    tell(iterate) is what the monitor is told of it.  Status "optimal" is also given where float64 is exhausted before
    tol but cvxopt's own defaults (gap 1e-6, residual 1e-7) are met.
    """
    iterates = _Iterates(program, max_iter, monitor, tell)
    options = {"show_progress": False, "maxiters": max_iter, "abstol": tol, "reltol": tol, "feastol": tol,
               "refinement": program.refinement}
    status = "stalled"
    with monitor:
        try:
            answer = solvers.coneqp(
                iterates.P, _column(program.q), iterates.G, _column(program.h), {"l": len(program.h), "q": [], "s": []},
                iterates.A, _column(program.b), initvals=start and {k: _column(v) for k, v in start.items()},
                kktsolver=program.kkt, options=options)
            if not len(program.h):                       # one linear system, no iterations
                x, y = _view(answer["x"]).copy(), _view(answer["y"]).copy()
                value = answer["primal objective"]
                return QPResult(x, y, np.zeros(0), value, value, 0.0, 0, "optimal")
            if answer["status"] == "optimal":
                status = "optimal"
        except _Stop as stop:
            status = stop.args[0]
        except (ArithmeticError, ValueError):            # a singular KKT matrix, or numbers that overflowed
            if iterates.last is None:
                raise
    return _result(program, iterates, monitor.status or status)


def _result(program: Program, iterates: _Iterates, status: str) -> QPResult:
    """Wrap up the last iterate or the best; "stalled" becomes "optimal" or "max_iter", by cvxopt's own tolerances."""
    last = iterates.best if status in ("stalled", "max_iter") else iterates.last
    if last is None or iterates.last is None:            # interrupted before the first iterate
        x, y, z = np.zeros(len(program.q)), np.zeros(len(program.b)), np.zeros(len(program.h))
        return QPResult(x, y, z, 0.0, -np.inf, np.inf, 0, status)
    if status == "stalled":
        good = (abs(last["gap"]) <= 1e-6 * max(1.0, abs(last["primal"]))
                and last["residual"] <= 1e-7 * max(1.0, float(np.linalg.norm(program.q))))
        status = "optimal" if good else "max_iter"
    return QPResult(last["x"], last["y"], last["z"], last["primal"], last["dual"], last["gap"],
                    iterates.last["n_iter"], status, iterates.monitor.history)


def solve_qp(P: Any, q: Any, G: Any = None, h: Any = None, A: Any = None, b: Any = None, *,
             tol: float = 1e-10, max_iter: int = 100, callback: Callable[[dict[str, Any]], Any] | None = None,
             history: bool = False) -> QPResult:
    """Minimise 1/2 x'Px + q'x over Gx <= h, Ax = b (report, equation 2.24) with cvxopt.

    P (n, n) symmetric PSD, q (n,), G (m, n), h (m,), A (p, n), b (p,): arrays, or cvxopt matrices, dense or sparse.
    tol and max_iter as in `run`; callback and history as in every solver, of iterates as in QPResult; cvxopt's global
    options are neither read nor changed.

    Returns a QPResult, with a ConvergenceWarning where tol was not reached.  Raises ValueError for shapes that do not
    fit, InfeasibleError where no x satisfies the constraints, UnboundedError where the objective has no minimum.

    >>> r = solve_qp([[2.0, 0.0], [0.0, 2.0]], [-2.0, -5.0], G=[[1.0, 1.0]], h=[1.0])
    >>> (r.x + 0.0).round(6), round(float(r.z[0]), 6), r.status
    (array([-0.25,  1.25]), 2.5, 'optimal')
    """
    P_, q_ = _dense(P, "P"), _vector(q, "q")
    n = len(q_)
    G_, h_ = _rows(G, h, n, "G", "h")
    A_, b_ = _rows(A, b, n, "A", "b")
    if P_.shape != (n, n):
        raise ValueError(f"P must have shape ({n}, {n}) to fit q, got {P_.shape}")
    if len(b_) and np.linalg.matrix_rank(A_) < len(b_):
        raise ValueError("the rows of A must be linearly independent; drop those that follow from others")
    G__, A__ = (matrix(M) if len(M) else matrix(0.0, (0, n)) for M in (G_, A_))
    factor = misc.kkt_chol2(G__, {"l": len(h_), "q": [], "s": []}, A__)
    program = Program(lambda x: P_ @ x, q_, lambda x: G_ @ x, lambda z: G_.T @ z, h_, lambda x: A_ @ x,
                      lambda y: A_.T @ y, b_, lambda W: factor(W, matrix(P_)))
    try:
        result = run(program, Monitor("solve_qp", callback, history=history), tol=tol, max_iter=max_iter)
    except (ArithmeticError, ValueError) as error:
        _diagnose(P_, q_, G_, h_, A_, b_)
        raise ValueError("the KKT matrix is singular: no direction may be left free by P, G and A together "
                         f"({error})") from None
    if result.status == "max_iter":
        _diagnose(P_, q_, G_, h_, A_, b_)
        warnings.warn(f"the QP stopped after {result.n_iter} iterations at a gap of {result.gap:.1e} (tol={tol:g}); "
                      "raise max_iter, raise tol, or scale P, q, G and A to entries near 1",
                      ConvergenceWarning, stacklevel=2)
    return result


def _diagnose(
        P: np.ndarray, q: Vector, G: np.ndarray, h: Vector, A: np.ndarray, b: Vector) -> None:
    """Raise where the program has no solution: `coneqp` does not say why it failed, two linear programs do."""
    none = {"A_ub": G, "A_eq": A, "bounds": (None, None), "method": "highs"}
    if linprog(np.zeros_like(q), b_ub=h, b_eq=b, **none).status == 2:
        raise InfeasibleError("no x satisfies Gx <= h and Ax = b together: a multiplier z >= 0 with G'z + A'y = 0 and "
                              "h'z + b'y < 0 exists; relax a constraint (for an SVM: give a finite C)")
    # A direction d with Pd = 0, Gd <= 0, Ad = 0 and q'd < 0: within |d_i| <= 1, how low does q'd get?
    ray = linprog(q, A_ub=G, b_ub=np.zeros_like(h), A_eq=np.vstack([P, A]), b_eq=np.zeros(len(q) + len(b)),
                  bounds=(-1, 1), method="highs")
    if ray.status == 0 and ray.fun < -1e-6 * max(1.0, float(np.abs(q).max())):
        raise UnboundedError("the objective decreases without bound along a direction d with Pd = 0, Gd <= 0, Ad = 0 "
                             "and q'd < 0; add a bound on x")


# ---- between numpy and cvxopt ----------------------------------------------------------------------------------
def _view(x: matrix) -> Vector:
    """The entries of a cvxopt column as a numpy vector that shares its memory."""
    return np.asarray(x)[:, 0]


def _accumulate(out: matrix, value: Vector, alpha: float, beta: float) -> None:
    """out := alpha value + beta out, in place."""
    view = _view(out)
    view[:] = alpha * value if beta == 0.0 else alpha * value + beta * view


def _column(v: Vector) -> matrix:
    """A numpy vector as a cvxopt column; cvxopt takes no empty arrays."""
    return matrix(np.ascontiguousarray(v, dtype=np.float64).reshape(-1, 1)) if len(v) else matrix(0.0, (0, 1))


def _dense(M: Any, name: str) -> np.ndarray:
    """A finite matrix from an array or from one of cvxopt's, dense or sparse."""
    out = np.array(matrix(M) if isinstance(M, spmatrix) else M, dtype=np.float64)
    if out.ndim != 2 or not np.isfinite(out).all():
        raise ValueError(f"{name} must be a finite matrix, got shape {out.shape}")
    return out


def _vector(v: Any, name: str) -> Vector:
    """A finite vector from anything that holds numbers in one row or column."""
    out = np.array(v, dtype=np.float64).reshape(-1)
    if not np.isfinite(out).all():
        raise ValueError(f"{name} must be finite, got {out}")
    return out


def _rows(M: Any, v: Any, n: int, M_name: str, v_name: str) -> tuple[np.ndarray, Vector]:
    """The constraints M x (<= or =) v, none where both are None."""
    if (M is None) != (v is None):
        raise ValueError(f"give {M_name} and {v_name} together, or neither")
    if M is None:
        return np.zeros((0, n)), np.zeros(0)
    M_, v_ = _dense(M, M_name), _vector(v, v_name)
    if M_.shape != (len(v_), n):
        raise ValueError(f"{M_name} must have shape ({len(v_)}, {n}) to fit {v_name} and q, got {M_.shape}")
    return M_, v_
