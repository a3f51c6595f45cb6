"""The soft margin in the primal, by subgradients of the hinge loss: chapter 04, soft-hinge and soft-subgradient.

    P(w, b) = 1/2 |w|^2 + C sum_i max(0, 1 - y_i (<w, phi(x_i)> + b))                  (slides 30; report, equation 3.2)

and for any BoxProblem (regression, one class) with y_i p_i instead of 1, and with total b added.

By the representer theorem w = sum_j beta_j phi(x_j) (lecture notes, theorem 16.9), so one routine serves the linear
form and every kernel: where the kernel is linear, w = X'beta is a vector.
"""
import warnings
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from itertools import count
from typing import Any

import numpy as np

from svmlib.dual import BoxProblem, ConvergenceWarning
from svmlib.solvers.driver import Steps, drive
from svmlib.solvers.monitor import Callback, Monitor
from svmlib.validation import check_limits, steps_allowed


@dataclass(frozen=True, eq=False)
class PrimalResult:
    """A machine found in the primal: f(x) = sum_j beta_j k(x_j, x) + b.

    objective is the primal value P, gap how far above the optimum it can be at most.  w (d,) is there for the linear
    kernel, else None.  history holds a dict per iteration where it was asked for: n_iter, objective (the primal
    value), dual and gap.  status is "optimal", "max_iter" or "interrupted".
    """

    beta: np.ndarray
    b: float
    w: np.ndarray | None
    objective: float
    gap: float
    n_iter: int
    status: str
    history: list[dict[str, Any]] = field(default_factory=list, repr=False)


def subgradient_descent(problem: BoxProblem, *, tol: float = 1e-6, max_iter: int | None = None,
                        callback: Callback | None = None, verbose: bool = False,
                        history: bool | str = False) -> PrimalResult:
    """Minimise P(w, b) by subgradient steps of length 2/(t + 1) (Lacoste-Julien, Schmidt and Bach 2012; Pegasos: 1/t).

        w := w - 2/(t + 1) (w - sum_i v_i phi(x_i)),      v_i = y_i C where y_i f(x_i) < 1, else 0.

    A hinge has a kink, hence the decreasing steps (erratum slides 5).  For each w the best b is exact: P is piecewise
    linear in b, with a breakpoint at each y_i - <w, phi(x_i)>.  At that b the points on the kink can be weighted so
    that sum_i v_i = 0; then y v is feasible in the dual, and so are all later coefficients: each iterate has a gap.

    problem needs a finite C (a number, or one per point).  tol bounds the gap relative to P.  max_iter: steps, 20,000
    where None.  callback(state) has n_iter, objective, dual, gap and alpha = y beta; returning True stops.
    history=True keeps these dicts without alpha, history="alpha" with it.

    Returns the iterate of the least P, with a ConvergenceWarning where tol was not reached.  Raises
    ValueError for C = inf and for an indefinite Gram matrix, where no bound would hold.

    >>> from svmlib.dual import DualProblem
    >>> from svmlib.kernels import Linear
    >>> p = DualProblem(Linear(), [[0.0], [2.0], [3.0]], [-1, 1, 1], C=10.0)
    >>> r = subgradient_descent(p)
    >>> r.w.round(3), round(r.b, 3), round(r.objective, 3)
    (array([1.]), -1.0, 0.5)
    """
    if problem.hard.any():
        raise ValueError("C must be finite: the hard margin has no hinge loss")
    problem.require_convex("subgradient_descent")
    check_limits(tol, max_iter)
    beta = problem.start()
    best: dict[str, Any] = {"beta": np.zeros(problem.n), "b": 0.0, "objective": np.inf, "gap": np.inf}
    monitor = Monitor("subgradient_descent", callback, verbose, history,
                      max_iter=steps_allowed(max_iter, 20_000))
    status, _ = drive(descend(problem, beta, tol, best), monitor, problem, beta)
    if status == "max_iter" and best["gap"] > tol * abs(best["objective"]):
        warnings.warn(f"subgradient_descent stopped after {monitor.n_iter} steps at a duality gap of {best['gap']:.1e} "
                      f"(tol={tol:g}, relative); raise max_iter or tol", ConvergenceWarning, stacklevel=2)
    elif status == "max_iter":
        status = "optimal"
    w = best["beta"] @ problem.X if problem.kernel.is_inner_product else None
    return PrimalResult(**best, w=w, n_iter=monitor.n_iter, status=status, history=monitor.history)


def descend(problem: BoxProblem, beta: np.ndarray, tol: float, best: dict[str, Any]) -> Steps:
    """The steps of subgradient_descent, w = sum beta_j phi(x_j); best gets beta and b of the least P, and the gap."""
    y, p, C = problem.y, problem.p, problem.C
    g, lower = problem.times_K(beta), -np.inf                                # g_i = <w, phi(x_i)>
    for t in count(1):
        b, v = _best_bias(p - g, y, C, problem.total)                        # v = y C where y f < y p, else 0
        half = 0.5 * float(beta @ g)
        value = half + float(C @ np.maximum(0.0, y * p - y * (g + b))) + problem.total * b
        dual = float(p @ beta) - half
        if value < best["objective"]:
            best.update(beta=beta.copy(), b=b, objective=value)
        lower = max(lower, dual)
        best["gap"] = best["objective"] - lower
        yield {"objective": value, "dual": dual, "gap": best["gap"]}
        if best["gap"] <= tol * abs(best["objective"]):
            return
        s = 2.0 / (t + 1.0)
        beta[:] = (1.0 - s) * beta + s * v
        g = (1.0 - s) * g + s * problem.times_K(v)


# printed in 04_soft_margin
def subgradient_steps(X: np.ndarray, y: np.ndarray, lam: float,
                      length: Callable[[int], float]) -> Iterator[np.ndarray]:
    """The steps of chapter 04, equation soft-subgradient, for a linear machine without b: w after each one, for ever.

    lam: weight of |w|^2 in equation soft-lambda-form.  length(t): length s of step t, 2/(t + 1) in subgradient_descent.
    """
    w = np.zeros(X.shape[1])
    for t in count(1):
        s, short = length(t), y * (X @ w) < 1
        w = (1 - s) * w + s / (2 * lam) * (y * short) @ X / len(y)
        yield w


def _best_bias(t: np.ndarray, y: np.ndarray, C: np.ndarray, total: float) -> tuple[float, np.ndarray]:
    """The b that minimises sum C max(0, y (t - b)) + total b, and subgradient weights v (n,) there, sum(v) = total.

    Left of its breakpoint t_i a positive point has slope -C_i and a negative one 0; right of it 0 and +C_i.  So each
    breakpoint adds C_i to a slope that starts at total - sum of C over the positive ones.
    """
    order = np.argsort(t, kind="stable")
    first = total - float(C[y > 0].sum())
    slope = np.cumsum(C[order]) + first
    k = int(np.searchsorted(slope, 1e-12 * first))                           # the first breakpoint where it is >= 0
    b = float(t[order[k]])
    if slope[k] <= -1e-12 * first and k + 1 < len(t):                        # flat up to the next one: the middle
        b = 0.5 * (b + float(t[order[k + 1]]))
    v = np.zeros_like(t)
    left, right = order[:k], order[k + 1:]
    v[left] = np.minimum(y[left], 0.0) * C[left]
    v[right] = np.maximum(y[right], 0.0) * C[right]
    v[order[k]] = total - v.sum()
    return b, v
