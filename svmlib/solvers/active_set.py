"""The active-set method for the SVM dual, O(n |F|) a step on a Cholesky factor of the free block F that is kept.

The general method for any convex QP is `minimize_qp` (module `active_set_qp`): the reader's version, which solves the
whole KKT system at each step.  Here the structure of the dual pays: constraints are bounds, so the working set only
says which alpha are 0 and which are C, and the step concerns the free ones alone.  The numerics are in `free_block`.
"""
from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from tqdm.auto import tqdm

from svmlib.checks import check_number
from svmlib.dual import DualProblem, Solution
from svmlib.engine.face import OPTIMAL, RUNNING, UNBOUNDED, advance, enter
from svmlib.kernels import Precomputed
from svmlib.solvers.active_set_general import ActiveSetResult, minimize_qp
from svmlib.solvers.convex_concave import convex_concave, negative_curvature
from svmlib.solvers.crossover import centred, repair

__all__ = ["ActiveSetResult", "active_set", "balanced_start", "minimize_qp"]

#: Steps between two looks at the callback, where no history is kept.
CHUNK = 64


def active_set(problem: DualProblem, *, tol: float = 1e-3, max_iter: int | None = None,
               callback: Callable[[dict[str, Any]], Any] | None = None, verbose: bool = False, history: bool = False,
               start: str | np.ndarray = "zero", ridge: float = 0.0) -> Solution:
    """Solve the dual by working sets (programming sheet 3, equations 5 to 7), hard or soft margin, C also per point.

    max_iter bounds the steps (1000 + 200 n where None); a step moves the free block to its optimum or to the first
    bound on the way, or lets the point enter that violates the KKT conditions most.  start is "zero" (nothing free),
    "balanced" (the sheet's way out of dependent constraints: everything free, see `balanced_start`), or an alpha (n,)
    with y'alpha = 0.  ridge > 0 adds ridge to the diagonal of K: the sheet's hint A + tol I.  It makes the problem
    another one, the 2-norm soft margin with penalty 1/(2 ridge) sum xi^2, and the certificate is that problem's.
    Singular free blocks need no ridge: the step then follows the null direction to a bound.

    history holds for each step n_iter, alpha, objective, gap and the working set: zero, bounded (at C), free.
    callback gets such a dict, each step with history, else every 64.  An indefinite kernel is solved to a stationary
    point by convex programs with K + mu I, as `qp` does; W then rises from program to program, not at each step.

    Returns a Solution.  Raises NotSeparableError where a hard margin does not exist, ValueError for a bad start.

    >>> from svmlib.kernels import Linear
    >>> s = active_set(DualProblem(Linear(), [[0.0], [2.0], [3.0]], [-1, 1, 1], C=np.inf))
    >>> s.alpha, s.free, s.status
    (array([0.5, 0.5, 0. ]), array([0, 1]), 'optimal')
    """
    check_number(ridge, "ridge", 0.0)
    if ridge:
        problem = DualProblem(Precomputed(), problem.K + ridge * np.eye(problem.n), problem.y, problem.C)
    mu = negative_curvature(problem)
    run = _Run(problem, mu, _start(problem, start), 1000 + 200 * problem.n if max_iter is None else int(max_iter))
    run.callback, run.keep = callback, history
    with tqdm(desc="active_set", unit=" steps", disable=not verbose, leave=False) as run.bar:
        status = run.solve(tol)
    return problem.solution(repair(problem, _snapped(problem, problem.y * run.beta)), solver="active_set",
                            status=status, n_iter=run.n_iter, tol=tol, history=run.history, curvature=-mu)


def balanced_start(problem: DualProblem) -> np.ndarray:
    """Feasible start (n,) with no constraint active: alpha = s/n_+ and s/n_-, with s = 1 or what keeps alpha < C.

    The sheet's start alpha = 0 has n active bounds, which together with y'alpha = 0 are linearly dependent.

    >>> from svmlib.kernels import Linear
    >>> balanced_start(DualProblem(Linear(), [[0.0], [2.0], [3.0]], [-1, 1, 1]))
    array([0.5 , 0.25, 0.25])
    """
    count = np.where(problem.y > 0, np.sum(problem.y > 0), np.sum(problem.y < 0))
    return min(1.0, 0.5 * float(np.min(problem.C * count))) / count


def _snapped(problem: DualProblem, alpha: np.ndarray) -> np.ndarray:
    """Put alpha on the bounds that it has reached up to rounding: one step may meet several bounds at once."""
    unit = 1e-12 * np.minimum(problem.C, alpha.max(initial=0.0))
    return np.where(alpha <= unit, 0.0, np.where(alpha >= problem.C - unit, problem.C, alpha))


def _start(problem: DualProblem, start: str | np.ndarray) -> np.ndarray:
    """The start as beta (n,)."""
    if isinstance(start, str):
        if start not in ("zero", "balanced"):
            raise ValueError(f'start must be "zero", "balanced" or an array alpha, got {start!r}')
        return problem.y * (balanced_start(problem) if start == "balanced" else np.zeros(problem.n))
    alpha = np.asarray(start, dtype=np.float64)
    if alpha.shape != (problem.n,) or not np.all((alpha >= 0) & (alpha <= problem.C) & np.isfinite(alpha)):
        raise ValueError(f"start must be {problem.n} finite numbers alpha in [0, C], got shape {alpha.shape}")
    if abs(problem.y @ alpha) > 1e-9 * alpha.sum():
        raise ValueError(f"start must satisfy y'alpha = 0, got {problem.y @ alpha:g}")
    return problem.y * alpha


class _Run:
    """The state of one solve; `free_block` names the arrays."""

    bar: Any
    status: str
    callback: Callable[[dict[str, Any]], Any] | None
    keep: bool

    def __init__(self, problem: DualProblem, mu: float, beta: np.ndarray, max_iter: int) -> None:
        self.problem, self.mu, self.max_iter = problem, mu, max_iter
        self.K, self.c = _shifted(problem.K, mu)
        self.lo, self.hi = problem.lo, problem.hi
        self.beta = beta
        self.target = problem.y.copy()
        self.u, self.v = np.empty(problem.n), np.empty(problem.n)
        self.history: list[dict[str, Any]] = []
        self.n_iter = 0
        self._load()

    def _load(self) -> None:
        """Factor the free block of the current beta; what makes it singular is moved to a bound on the way."""
        n = self.problem.n
        self.F = self.K @ self.beta - self.target
        self.L = np.empty((n, n))
        self.free, self.inside, self.k, self.stationary = np.zeros(n, np.int64), np.zeros(n, np.bool_), 0, False
        for p in np.flatnonzero((self.beta > self.lo) & (self.beta < self.hi)):
            if not self.lo[p] < self.beta[p] < self.hi[p]:
                continue                                 # an earlier null direction has taken it to a bound
            self.k = enter(self.K, self.c, self.beta, self.F, self.target, self.lo, self.hi, self.L, self.free,
                           self.inside, self.k, p, self.u)
            if self.k < 0:
                return

    def solve(self, tol: float) -> str:
        """Run to the end and return the status."""
        self.status = "optimal"
        try:
            if not self.mu:
                self.status = self._convex(0.5 * tol)
            else:
                alpha = convex_concave(self.problem, self.mu, self.problem.y * self.beta, 0.5 * tol, self._shifted_step)
                self.beta = self.problem.y * alpha
        except KeyboardInterrupt:
            self.status = "interrupted"
        return self.status

    def _shifted_step(self, p: np.ndarray, alpha: np.ndarray) -> np.ndarray | None:
        """One convex program of an indefinite problem, from alpha."""
        if self.status != "optimal":
            return None
        self.beta, self.target = self.problem.y * alpha, self.problem.y * p
        self._load()
        self.status = self._convex(1e-9)
        return repair(self.problem, _snapped(self.problem, self.problem.y * self.beta))

    def _convex(self, tol: float) -> str:
        """Steps until the convex problem is solved, with F recomputed before the end is believed."""
        refreshed = False
        while self.n_iter < self.max_iter and self.k >= 0:
            budget = 1 if self.keep else min(CHUNK, self.max_iter - self.n_iter)
            report, self.k, self.stationary, taken = advance(
                self.K, self.c, self.target, self.lo, self.hi, self.beta, self.F, self.L, self.free, self.inside,
                self.k, self.stationary, tol, budget, self.u, self.v)
            self.n_iter += taken
            self.bar.update(taken)
            if taken and self._stopped():
                return "interrupted"
            if report == OPTIMAL and (refreshed or (not taken and self.n_iter == 0)):
                return "optimal"
            if report == UNBOUNDED:
                break
            if report != RUNNING:                        # F has been added up step by step: take it afresh, look again
                self.F = self.K @ self.beta - self.target
                self.stationary = False
            refreshed = report == OPTIMAL or (refreshed and taken <= 1)
        return "max_iter"

    def _stopped(self) -> bool:
        """Record the state, tell the callback; True if it wants to stop."""
        if not self.keep and self.callback is None:
            return False
        p = self.problem
        alpha = np.clip(p.y * self.beta, 0.0, p.C)
        g = p.times_K(p.y * alpha)
        state = {"n_iter": self.n_iter, "alpha": alpha, "objective": float(alpha.sum() - 0.5 * (p.y * alpha) @ g),
                 "gap": p._certificate(alpha, g).gap, "zero": np.flatnonzero(alpha == 0),
                 "bounded": np.flatnonzero(alpha == p.C), "free": np.flatnonzero((alpha > 0) & (alpha < p.C))}
        if self.keep:
            self.history.append(state)
        return self.callback is not None and bool(self.callback(dict(state)))


def _shifted(K: np.ndarray, mu: float) -> tuple[np.ndarray, float]:
    """K + mu I, centred where its mean hides the rest (data far from the origin), and the constant c to add to it."""
    n = len(K)
    mean, diagonal = float(K.mean()), float(np.trace(K)) / n + mu
    if abs(mean) > 10 * abs(diagonal - mean):
        K = centred(K)
        diagonal -= mean
        if diagonal < 1e-14 * abs(mean):                  # all points are one point, and what is left is rounding
            diagonal = 0.0
    if mu:
        K = K + mu * np.eye(n)
    return np.ascontiguousarray(K, dtype=np.float64), diagonal if diagonal > 0 else 1.0
