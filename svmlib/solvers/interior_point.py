"""Convex quadratic programs by cvxopt's interior-point method, every iteration of which can be looked at.

    minimise  1/2 x'Px + q'x   over   Gx <= h,  Ax = b        (report, equation 2.24; Boyd and Vandenberghe, 11)

Glossary: s = h - Gx >= 0 slacks, y multipliers of Ax = b, z >= 0 multipliers of Gx <= h, s'z the duality gap.
cvxopt shows its iterates nowhere but on the screen.  Where P, G and A are functions it has to pass them the current
x, y and z, so a program of functions sees them all without a second run.  What such a method does is in
svmlib.solvers.central_path, as chapter 09 prints it.
"""
import warnings
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from cvxopt import matrix, misc, solvers
from scipy.optimize import linprog

from svmlib.dual import ConvergenceWarning
from svmlib.solvers.monitor import Callback, Monitor
from svmlib.validation import as_constraints, as_finite, check_limits, steps_allowed

PATIENCE = 20              # iterations without progress in gap or residual that say: the limit of float64

Vector = np.ndarray


class InfeasibleError(ValueError):
    """No x satisfies the constraints of a quadratic program."""


class UnboundedError(ValueError):
    """A quadratic program decreases without bound over its feasible set."""


@dataclass(frozen=True)
class Program:
    """A quadratic program, with P, G and G' as what they do to a vector; kkt is cvxopt's `kktsolver(W)`.

    refinement is the number of times that each solution of a KKT system is corrected by its residual.
    """

    P: Callable[[Vector], Vector]
    q: Vector
    G: Callable[[Vector], Vector]
    Gt: Callable[[Vector], Vector]
    h: Vector
    A: np.ndarray
    b: Vector
    kkt: Callable[[dict], Callable]
    refinement: int = 1


@dataclass(frozen=True, eq=False)
class QPResult:
    """A solved program: x (n,), multipliers y of Ax = b and z >= 0 of Gx <= h, both objectives, and how it went.

    status is "optimal", "max_iter" or "interrupted".  history holds, for each iteration, n_iter, x, y, z, objective,
    dual, gap (z'(h - Gx), >= 0 once x is feasible), residual (|Px + q + A'y + G'z| + |what x violates|).
    """

    x: Vector
    y: Vector
    z: Vector
    objective: float
    dual: float
    gap: float
    n_iter: int
    status: str
    history: list[dict[str, Any]] = field(default_factory=list, repr=False)


class _Stop(Exception):
    """Raised inside cvxopt to leave it; args[0] is the reason."""


class _Iterates:
    """Hands a program to cvxopt as functions, and notes its iterates.

    cvxopt begins an iteration with the products P x, A'y and G'z of its iterate.  Then it returns, or asks `kkt`, once,
    to solve its linear systems.  Then, and when it has returned, the last arguments of these products are the iterate.
    """

    def __init__(self, program: Program, max_iter: int, monitor: Monitor, tell: Callable[[dict], dict]) -> None:
        self.program, self.max_iter, self.monitor, self.tell = program, max_iter, monitor, tell
        self.least, self.progress_at = np.full(2, np.inf), 0   # of gap and residual, and when one of them last fell
        self.given: dict[str, tuple[Vector, Vector]] = {}      # of P, A' and G': the last argument, and what it gave
        self.last: dict[str, Any] = {}
        self.best: dict[str, Any] = {}

    def P(self, x: matrix, out: matrix, alpha: float = 1.0, beta: float = 0.0) -> None:
        """out := alpha P x + beta out."""
        self._multiply("P", self.program.P, x, out, alpha, beta)

    def A(self, x: matrix, out: matrix, alpha: float = 1.0, beta: float = 0.0, trans: str = "N") -> None:
        """out := alpha A x + beta out, or A' x."""
        A = self.program.A
        self._multiply("A" + trans, (A if trans == "N" else A.T).__matmul__, x, out, alpha, beta)

    def G(self, x: matrix, out: matrix, alpha: float = 1.0, beta: float = 0.0, trans: str = "N") -> None:
        """out := alpha G x + beta out, or G' x."""
        self._multiply("G" + trans, self.program.G if trans == "N" else self.program.Gt, x, out, alpha, beta)

    def _multiply(self, name: str, M: Callable[[Vector], Vector], x: matrix, out: matrix, alpha: float,
                  beta: float) -> None:
        """out := alpha M x + beta out, and remember x and M x under the name of the product."""
        value, view = M(_view(x)), _view(out)
        self.given[name] = _view(x).copy(), value
        view[:] = alpha * value if beta == 0.0 else alpha * value + beta * view

    def kkt(self, W: dict) -> Callable:
        """cvxopt's `kktsolver`: notes the iterate, and gives the program's solver of the systems with scaling W."""
        if self.given:                                         # not yet where cvxopt looks for a start
            try:
                self.note()
            except ArithmeticError as error:                   # cvxopt would take it for a singular matrix
                raise _Stop("error") from error
        return self.program.kkt(W)

    def note(self) -> None:
        """Note one iterate, tell the monitor, and stop where there is nothing more to gain."""
        p, (x, Px), (y, Ay), (z, Gz) = self.program, *(self.given[name] for name in ("P", "AT", "GT"))
        slack, off = p.h - p.G(x), p.A @ x - p.b
        objective, gap = float(0.5 * x @ Px + p.q @ x), float(z @ slack)
        residual = float(np.linalg.norm(Px + p.q + Ay + Gz))
        residual += float(np.linalg.norm(np.minimum(slack, 0.0)) + np.linalg.norm(off))
        k = self.last["n_iter"] + 1 if self.last else 0
        self.last = {"n_iter": k, "x": x, "y": y, "z": z, "objective": objective,
                     "dual": objective - gap + float(y @ off), "gap": gap, "residual": residual}
        # Near the limit of float64 the gap shrinks on, noise only, while the residual explodes.
        if not self.best or max(_errors(p, self.last)) <= max(_errors(p, self.best)):
            self.best = self.last
        if self.monitor.active and self.monitor(**self.tell(self.last)):
            raise _Stop(self.monitor.status)
        if k >= self.max_iter:
            raise _Stop("max_iter")
        if (np.array([abs(gap), residual]) < 0.9 * self.least).any():
            self.least, self.progress_at = np.minimum(self.least, [abs(gap), residual]), k
        elif k - self.progress_at > PATIENCE:
            raise _Stop("stalled")


def _errors(program: Program, iterate: dict[str, Any]) -> tuple[float, float]:
    """Relative gap and relative residual."""
    return (abs(iterate["gap"]) / max(1.0, abs(iterate["objective"])),
            iterate["residual"] / max(1.0, float(np.linalg.norm(program.q))))


def run(program: Program, monitor: Monitor, *, tol: float = 1e-10, max_iter: int | None = None,
        start: dict[str, Vector] | None = None, tell: Callable[[dict], dict] = dict) -> QPResult:
    """Run cvxopt's `coneqp` on a program; an interrupt, or a callback that returns True, gives the last iterate.

    So does reaching tol; where float64 or max_iter ends the run before, the iterate of the smallest error is given.
    tol bounds the gap, absolute or relative, and the relative residuals; max_iter is 100 where None.  start may hold
    x, s, y and z to begin with; tell(iterate) is what the monitor is told of it.  Status "optimal" is also given where
    float64 is exhausted before tol but cvxopt's own defaults (gap 1e-6, residual 1e-7) are met.
    """
    max_iter = steps_allowed(max_iter, 100)
    seen = _Iterates(program, max_iter, monitor, tell)
    options = {"show_progress": False, "maxiters": max_iter, "abstol": tol, "reltol": tol, "feastol": tol,
               "refinement": program.refinement}
    status = "stalled"
    with monitor:
        try:
            answer = solvers.coneqp(
                seen.P, _cvxopt(program.q), seen.G, _cvxopt(program.h), {"l": len(program.h), "q": [], "s": []}, seen.A,
                _cvxopt(program.b), initvals=start and {k: _cvxopt(v) for k, v in start.items()},
                kktsolver=seen.kkt, options=options)
            if not len(program.h):                       # one linear system, no iterations
                x, y = _view(answer["x"]).copy(), _view(answer["y"]).copy()
                value = answer["primal objective"]
                return QPResult(x, y, np.zeros(0), value, value, 0.0, 0, "optimal")
            if not seen.last or seen.last["n_iter"] < answer["iterations"]:       # no system was solved at the end
                seen.note()
            status = answer["status"] if answer["status"] == "optimal" else status
        except _Stop as stop:
            if stop.__cause__ is not None:               # the error of a callback
                raise stop.__cause__ from None
            status = stop.args[0]
        except (ArithmeticError, ValueError):            # a singular KKT matrix, or numbers that overflowed
            if not seen.last or monitor.telling:         # nothing to give, or the error of a callback
                raise
    status = monitor.status or status
    if not seen.last:                                    # interrupted before the first iterate
        x, y, z = np.zeros(len(program.q)), np.zeros(len(program.b)), np.zeros(len(program.h))
        return QPResult(x, y, z, 0.0, -np.inf, np.inf, 0, status)
    end = seen.best if status in ("stalled", "max_iter") else seen.last
    if status == "stalled":
        gap, residual = _errors(program, end)
        status = "optimal" if gap <= 1e-6 and residual <= 1e-7 else "max_iter"
    return QPResult(end["x"], end["y"], end["z"], end["objective"], end["dual"], end["gap"], seen.last["n_iter"],
                    status, monitor.history)


def solve_qp(P: Any, q: Any, G: Any = None, h: Any = None, A: Any = None, b: Any = None, *, tol: float = 1e-10,
             max_iter: int | None = None, callback: Callback | None = None, verbose: bool = False,
             history: bool | str = False) -> QPResult:
    """Minimise 1/2 x'Px + q'x over Gx <= h, Ax = b (report, equation 2.24) with cvxopt.

    P (n, n) symmetric PSD, q (n,), G (m, n), h (m,), A (p, n), b (p,): arrays, or cvxopt matrices, dense or sparse.
    tol and max_iter as in `run`; callback, verbose and history as in every solver, of iterates as in QPResult; cvxopt's
    global options are neither read nor changed.

    Returns a QPResult, with a ConvergenceWarning where tol was not reached.  Raises ValueError for shapes that do not
    fit, InfeasibleError where no x satisfies the constraints, UnboundedError where the objective has no minimum.

    >>> r = solve_qp([[2.0, 0.0], [0.0, 2.0]], [-2.0, -5.0], G=[[1.0, 1.0]], h=[1.0])
    >>> (r.x + 0.0).round(6), round(float(r.z[0]), 6), r.status
    (array([-0.25,  1.25]), 2.5, 'optimal')
    """
    check_limits(tol, max_iter)
    P, q = as_finite(P, "P", 2), as_finite(q, "q", 1)
    n = len(q)
    (G, h), (A, b) = as_constraints(G, h, n, "G", "h"), as_constraints(A, b, n, "A", "b")
    if P.shape != (n, n):
        raise ValueError(f"P must have shape ({n}, {n}) to fit q, got {P.shape}")
    if len(b) and np.linalg.matrix_rank(A) < len(b):
        raise ValueError("the rows of A must be linearly independent; drop those that follow from others")
    factor = misc.kkt_chol2(_cvxopt(G), {"l": len(h), "q": [], "s": []}, _cvxopt(A))
    program = Program(P.__matmul__, q, G.__matmul__, G.T.__matmul__, h, A, b, lambda W: factor(W, matrix(P)))
    monitor = Monitor("solve_qp", callback, verbose, history)
    try:
        result = run(program, monitor, tol=tol, max_iter=max_iter)
    except (ArithmeticError, ValueError) as error:
        if monitor.telling:
            raise
        _diagnose(P, q, G, h, A, b)
        raise ValueError("the KKT matrix is singular: no direction may be left free by P, G and A together "
                         f"({error})") from None
    if result.status == "max_iter":
        _diagnose(P, q, G, h, A, b)
        warnings.warn(f"the QP stopped after {result.n_iter} iterations at a gap of {result.gap:.1e} (tol={tol:g}); "
                      "raise max_iter, raise tol, or scale P, q, G and A to entries near 1",
                      ConvergenceWarning, stacklevel=2)
    return result


def _diagnose(P: np.ndarray, q: Vector, G: np.ndarray, h: Vector, A: np.ndarray, b: Vector) -> None:
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


def _view(x: matrix) -> Vector:
    """The entries of a cvxopt column as a numpy vector that shares its memory."""
    return np.asarray(x)[:, 0]


def _cvxopt(M: np.ndarray) -> matrix:
    """A numpy vector, as a column, or matrix for cvxopt, which takes no empty arrays."""
    shape = M.shape if M.ndim == 2 else (len(M), 1)
    return matrix(np.ascontiguousarray(M, dtype=np.float64).reshape(shape)) if len(M) else matrix(0.0, shape)
