"""The active-set method for the SVM dual: which alpha are 0, which are C, and Newton's step for the others.

    minimise  1/2 beta' K beta - p' beta    over  lo <= beta <= hi,  sum(beta) = total

where a classifier has p = y and total = 0.

The general method for any convex QP is `minimize_qp` (module `active_set_general`): the reader's version, which solves
the whole KKT system at each step.  Here the structure of the dual pays: constraints are bounds, so the working set only
says which beta are on theirs, and the step concerns the free ones alone, O(n |F|) on a factor that svmlib.engine.face
keeps.  Glossary, beside the one of svmlib.dual: F = K beta - p, the gradient; it is -b on the free variables where they
are at their optimum, may be no smaller where beta can grow, and no larger where it can shrink.
"""
from typing import Any

import numpy as np

from svmlib.checks import check_number
from svmlib.dual import BoxProblem, DualProblem, Solution
from svmlib.engine.face import Face
from svmlib.kernels import Precomputed
from svmlib.solvers.convex import require_convex
from svmlib.solvers.crossover import repair
from svmlib.solvers.monitor import Callback, Monitor


def active_set(problem: BoxProblem, *, tol: float = 1e-3, max_iter: int | None = None, callback: Callback | None = None,
               verbose: bool = False, history: bool | str = False, alpha0: np.ndarray | None = None,
               ridge: float = 0.0) -> Solution:
    """Solve the dual by working sets (programming sheet 3, equations 5 to 7), hard or soft margin, C also per point.

    max_iter bounds the steps (1000 + 200 n where None); a step moves the free variables to their optimum or to the
    first bound on the way, or lets the point enter that violates the KKT conditions most.  alpha0 (n,) is a feasible
    start: 0 where None (nothing free); the sheet's way out of dependent constraints is a start with all free, alpha
    in proportion to 1/n_+ and 1/n_- on the two classes.
    ridge > 0 adds ridge to the diagonal of K: the sheet's hint A + tol I.  It makes the problem another one, the
    2-norm soft margin with penalty 1/(2 ridge) sum xi^2, and the certificate is that problem's.  Singular free blocks
    need no ridge: the step then follows the null direction to a bound.

    callback(state) has for each step n_iter, objective, gap, alpha and the sets zero, bounded (at C) and free;
    returning True stops.  history=True keeps these dicts without alpha, history="alpha" with it.

    Returns a Solution.  Raises NotSeparableError where a hard margin does not exist, ValueError for an alpha0 that is
    not feasible and for an indefinite Gram matrix.

    >>> from svmlib.kernels import Linear
    >>> s = active_set(DualProblem(Linear(), [[0.0], [2.0], [3.0]], [-1, 1, 1], C=np.inf))
    >>> s.alpha, s.free, s.status
    (array([0.5, 0.5, 0. ]), array([0, 1]), 'optimal')
    """
    check_number(ridge, "ridge", 0.0)
    if ridge:
        K = problem.K + ridge * np.eye(problem.n)
        problem = (DualProblem(Precomputed(), K, problem.y, problem.C) if isinstance(problem, DualProblem)
                   else BoxProblem(Precomputed(), K, problem.y, problem.C, problem.p, problem.total))
    require_convex(problem, "active_set")
    beta, lo, hi = problem.start(alpha0), problem.lo, problem.hi
    max_iter = 1000 + 200 * problem.n if max_iter is None else int(max_iter)
    n_iter, exact, status = 0, 0, "max_iter"              # exact: after which step F was computed afresh
    with Monitor("active_set", callback, verbose, history) as monitor:
        face = Face(problem.K, problem.K @ beta - problem.p, lo, hi, beta, np.flatnonzero((beta > lo) & (beta < hi)))
        shift = problem.total * problem.K.mean(axis=0)    # what centring K changes in K beta, up to a number
        while n_iter < max_iter and not face.unbounded:
            if not face.settled:
                face.step(0.005 * tol)
            else:
                points, violation = most_violating(face)
                if violation <= 0.5 * tol and n_iter > exact + 1:
                    face.F, face.settled, exact = face.K @ beta + shift - problem.p, False, n_iter
                    continue
                if violation <= 0.5 * tol:
                    status = "optimal"
                    break
                for i in points:
                    face.enter(i)
            n_iter += 1
            if monitor.active and monitor(n_iter=n_iter, **_state(problem, beta)):
                break
    return problem.solution(_on_bounds(problem, beta), solver="active_set", status=monitor.status or status,
                            n_iter=n_iter, tol=tol, history=monitor.history)


def most_violating(face: Face) -> tuple[list[int], float]:
    """The point that violates its KKT condition most, and by how much; face is at its optimum.

    Where no point is free, which would tell b, the two that disagree most about it.
    """
    up = np.where((face.beta < face.hi) & ~face.inside, face.F, np.inf)
    low = np.where((face.beta > face.lo) & ~face.inside, face.F, -np.inf)
    i, j = int(up.argmin()), int(low.argmax())
    if not face.inside.any():
        return [i, j], float(low[j] - up[i])
    minus_b = face.F[face.inside].mean()
    if minus_b - up[i] >= low[j] - minus_b:
        return [i], float(minus_b - up[i])
    return [j], float(low[j] - minus_b)


def _on_bounds(problem: BoxProblem, beta: np.ndarray) -> np.ndarray:
    """alpha, on the bounds that it has reached up to rounding: one step may meet several bounds at once."""
    alpha = problem.y * beta
    unit = 1e-12 * np.minimum(problem.C, alpha.max(initial=0.0))
    return repair(problem, np.where(alpha <= unit, 0.0, np.where(alpha >= problem.C - unit, problem.C, alpha)))


def _state(problem: BoxProblem, beta: np.ndarray) -> dict[str, Any]:
    """What history and callback are told of a step."""
    alpha = np.clip(problem.y * beta, 0.0, problem.C)
    proof = problem.certificate(alpha)
    return {"objective": proof.objective, "gap": proof.gap, "zero": np.flatnonzero(alpha == 0),
            "bounded": np.flatnonzero(alpha == problem.C),
            "free": np.flatnonzero((alpha > 0) & (alpha < problem.C)), "alpha": alpha}
