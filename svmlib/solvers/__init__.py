"""Many ways to solve one dual problem, all behind one signature: `solve(problem, name)` -> `Solution`."""
from collections.abc import Callable
from functools import cache
from pkgutil import resolve_name
from typing import Any

import numpy as np

from svmlib.dual import BoxProblem, KernelPoints, Solution
from svmlib.kernels import Precomputed
from svmlib.solvers.monitor import Callback, is_interrupt
from svmlib.validation import check_limits

__all__ = ["SOLVERS", "WARM_STARTS", "choose_solver", "solve", "worth_sharing"]

SMO_POINTS, CHEAP_ROW_POINTS = 1500, 8000       # points up to which SMO is the fastest, as measured
#: Solvers that can start from a given alpha.
WARM_STARTS = ("smo", "smo_random", "smo_kkt", "active_set", "working_set")


@cache
def _load(name: str) -> Callable[..., Solution]:
    """The function behind a name, imported at first use so that a QP does not wait for numba."""
    return resolve_name(f"svmlib.solvers.{SOLVERS[name]}")


#: name -> module:function below svmlib.solvers
SOLVERS = {
    "qp": "quadratic_program:qp",
    "qp_low_rank": "quadratic_program:qp_low_rank",
    "active_set": "active_set:active_set",
    "smo": "smo:smo",
    "smo_random": "smo_lab_sheet:smo_random",
    "smo_kkt": "smo_lab_sheet:smo_kkt",
    "working_set": "working_set:working_set",
}


def choose_solver(problem: BoxProblem) -> str:
    """The solver that "auto" takes: SMO while the Gram matrix is small, then what needs only a part of it.

    From SMO_POINTS points on: the low-rank interior point where X is tall and the kernel linear, SMO up to
    CHEAP_ROW_POINTS where rows of K are cheap (few features), a growing working set otherwise.  A hard margin always
    goes to SMO, which notices where there is none.
    """
    n, X = problem.n, problem.distinct.X
    if n <= SMO_POINTS or problem.hard.any():
        return "smo"
    if _tall(problem.distinct, n):
        return "qp_low_rank"
    from svmlib.engine.row_kernels import row_kernel_of  # brings numba, which a QP need not wait for

    return "smo" if n <= CHEAP_ROW_POINTS and row_kernel_of(problem.kernel, X) is not None else "working_set"


def _tall(points: KernelPoints, n: float) -> bool:
    """Whether the low-rank interior point pays on n of these points: a linear kernel, and few features."""
    return points.kernel.is_inner_product and isinstance(points.X, np.ndarray) and n >= 20 * points.X.shape[1]


def worth_sharing(points: KernelPoints, k: int) -> bool:
    """Whether "auto" solves k classes on shared Gram rows: many points, no cheaper method at hand."""
    return (k > 2 and points.n > 2000 and not _tall(points, 2 * points.n / k)
            and not isinstance(points.kernel, Precomputed))


def solve(problem: BoxProblem, name: str = "auto", *, tol: float = 1e-3, max_iter: int | None = None,
          callback: Callback | None = None, verbose: bool = False, history: bool | str = False,
          **options: Any) -> Solution:
    """Solve a dual problem with the named solver and certify the result.

    problem: a DualProblem, or another BoxProblem.  name: "qp", "qp_low_rank", "active_set", "smo", "smo_random",
    "smo_kkt", "working_set", or "auto".  tol > 0 bounds the KKT violation of every point, in units of f.  max_iter is
    a finite default of the solver where None; -1 sets no limit.  callback(state) is called with a dict of the current
    state (at least n_iter) and stops the solver by returning True; a threading.Event in its place stops it once it is
    set.  verbose shows a progress bar.  history=True keeps one dict per iteration, history="alpha" with alpha in it.
    Further options go to the solver.

    Returns a Solution; a KeyboardInterrupt gives one too, with status "interrupted".  Raises ValueError for an
    unknown name or a tol <= 0, NotSeparableError where a hard margin does not exist.

    >>> from svmlib import DualProblem
    >>> from svmlib.kernels import Linear
    >>> p = DualProblem(Linear(), [[0.0], [2.0], [3.0]], [-1, 1, 1], C=10.0)
    >>> solve(p, "smo").alpha.round(3)
    array([0.5, 0.5, 0. ])
    """
    if name != "auto" and name not in SOLVERS:
        raise ValueError(f"solver must be one of {', '.join(map(repr, SOLVERS))} or 'auto', got {name!r}")
    check_limits(tol, max_iter)
    name = choose_solver(problem) if name == "auto" else name
    try:
        return _load(name)(problem, tol=tol, max_iter=max_iter, callback=callback, verbose=verbose, history=history,
                           **options)
    except BaseException as error:
        if not is_interrupt(error):
            raise
    # An interrupt: solvers keep what they have reached, so there was nothing yet, not even a matrix.
    return problem.solution(problem.y * problem.start(options.get("alpha0")), solver=name, status="interrupted",
                            n_iter=0, tol=tol)
