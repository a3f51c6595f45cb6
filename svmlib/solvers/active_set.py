"""The active-set method for the SVM dual: which alpha are 0, which are C, and Newton's step for the others.

    minimise  1/2 beta' K beta - p' beta    over  lo <= beta <= hi,  sum(beta) = total

where a classifier has p = y and total = 0.

The general method for any convex QP is `minimize_qp` (module `active_set_general`), which solves the KKT system of all
variables at each step.  Here the structure of the dual pays (chapter 11, "Only the free points"): constraints
are bounds, so the working set only says which beta are on theirs, and the step u concerns the free ones alone:

    [K_FF 1; 1' 0] [u; b] = [-F_F; 0]                                                        (equation as-free)

For k free ones that costs O(n k), on a factor that svmlib.engine.face keeps; a face is what is left of the box while
the other variables stay on their bounds.  Glossary, beside the one of svmlib.dual: F = K beta - p, the gradient; it is
-b on the free variables where they are at their optimum, may be no smaller where beta can grow, and no larger where it
can shrink.  `append` and `delete` show in plain numpy how that factor is kept, as the
chapter prints them; their compiled twins are in svmlib.engine.face.
"""
from collections.abc import Iterator

import numpy as np

from svmlib.dual import BoxProblem
from svmlib.dual.certificate import violating_pair
from svmlib.engine.face import Face
from svmlib.solvers.driver import State, Steps, solver
from svmlib.solvers.monitor import Monitor


def on_bounds(problem: BoxProblem, beta: np.ndarray) -> np.ndarray:
    """alpha, on the bounds that it has reached up to rounding: one step may meet several bounds at once."""
    alpha = problem.y * beta
    unit = 1e-12 * np.minimum(problem.C, alpha.max(initial=0.0))
    return problem.feasible(np.where(alpha <= unit, 0.0, np.where(alpha >= problem.C - unit, problem.C, alpha)))


@solver(max_iter=lambda n: 1000 + 200 * n, watched=True, finish=on_bounds)
def active_set(problem: BoxProblem, beta: np.ndarray, tol: float, monitor: Monitor) -> Steps:
    """Solve the dual by working sets (programming sheet 3, equations 5 to 7), hard or soft margin, C also per point.

    max_iter bounds the steps (1000 + 200 n where None); a step moves the free variables to their optimum or to the
    first bound on the way, or lets the point enter that violates the KKT conditions most.  alpha0 (n,) is a feasible
    start: 0 where None (nothing free); the sheet's way out of dependent constraints is a start with all free, alpha
    in proportion to 1/n_+ and 1/n_- on the two classes.  Singular free blocks need no ridge, the sheet's A + tol I: the
    step then follows the null direction to a bound.

    callback(state) has for each step n_iter, objective, gap, alpha and the sets zero, bounded (at C) and free;
    returning True stops.  history=True keeps these dicts without alpha, history="alpha" with it.

    Returns a Solution.  Raises NotSeparableError where a hard margin does not exist, ValueError for an alpha0 that is
    not feasible and for an indefinite Gram matrix.

    >>> from svmlib.dual import DualProblem
    >>> from svmlib.kernels import Linear
    >>> s = active_set(DualProblem(Linear(), [[0.0], [2.0], [3.0]], [-1, 1, 1], C=np.inf))
    >>> s.alpha, s.free, s.status
    (array([0.5, 0.5, 0. ]), array([0, 1]), 'optimal')
    """
    problem.require_convex("active_set")
    face = Face(problem.distinct.K, problem.p, problem.lo, problem.hi, beta)      # of regression, each point once
    for _ in walk(face, 0.5 * tol, 0.005 * tol):
        yield told(problem, beta) if monitor.active else {}
    return {"status": "max_iter"} if face.unbounded else {}           # unbounded: the certificate says why


def walk(face: Face, tol: float, width: float) -> Iterator[None]:
    """The method itself: yields after each step, and ends where no KKT condition is violated by more than tol.

    Before the end F is computed afresh and looked at again.  width: the spread of F over the free variables down to
    which a step is refined.
    """
    since = 0                                                            # steps since F was computed afresh
    while not face.unbounded:
        if not face.settled:
            face.step(width)                                             # equation as-free, or to the first bound
        else:
            points, violation = most_violating(face)
            if violation <= tol and since <= 1:
                return
            if violation <= tol:
                face.refresh()
                since = 0
                continue
            for i in points:
                face.enter(i)
        since += 1
        yield


def most_violating(face: Face) -> tuple[list[int], float]:
    """The point that violates its KKT condition most, and by how much; face is at its optimum.

    Where no point is free, which would tell b, the two that disagree most about it.
    """
    fixed = np.where(face.inside, face.beta, face.lo), np.where(face.inside, face.beta, face.hi)
    i, j, least, most = violating_pair(face.F, face.beta, *fixed)
    if not face.inside.any():
        return [i, j], most - least
    minus_b = float(face.F[face.inside].mean())
    return ([i], minus_b - least) if minus_b - least >= most - minus_b else ([j], most - minus_b)


def told(problem: BoxProblem, beta: np.ndarray) -> State:
    """What history and callback are told of a step."""
    alpha = np.clip(problem.y * beta, 0.0, problem.C)
    proof = problem.certificate(alpha)
    return {"objective": proof.objective, "gap": proof.gap, "zero": np.flatnonzero(alpha == 0),
            "bounded": np.flatnonzero(alpha == problem.C),
            "free": np.flatnonzero((alpha > 0) & (alpha < problem.C)), "alpha": alpha}


# ---- the kept factor, as the chapter prints it: the twins of svmlib.engine.face --------------------------------------
# printed in 11_active_set
def append(L: np.ndarray, K_fp: np.ndarray, K_pp: float) -> np.ndarray:
    """The factor with one more free point p, equation as-append: L (k, k), and K_fp (k,), its row of K.

    >>> append(np.array([[2.0]]), np.array([4.0]), 13.0)
    array([[2., 0.],
           [2., 3.]])
    """
    l = np.linalg.solve(L, K_fp)  # k²/2 by a triangular solver
    rho = np.sqrt(K_pp - l @ l)
    return np.block([[L, np.zeros((len(L), 1))], [l, rho]])


# printed in 11_active_set
def delete(L: np.ndarray, h: int) -> np.ndarray:
    """The factor without its point h: each rotation of two neighbouring columns clears an entry above the diagonal.

    >>> delete(np.array([[2.0, 0.0], [3.0, 4.0]]), 0)
    array([[5.]])
    """
    L = np.delete(L, h, axis=0)
    for i in range(h, len(L)):
        r = np.hypot(L[i, i], L[i, i + 1])
        c, s = L[i, i] / r, L[i, i + 1] / r
        L[:, i : i + 2] = L[:, i : i + 2] @ [[c, -s], [s, c]]
    return L[:, :-1]
