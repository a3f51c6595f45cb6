"""The soft margin in the primal, by subgradients of the hinge loss, and its two relatives: squared slack and no bias.

    P(w, b) = 1/2 |w|^2 + C sum_i max(0, 1 - y_i (<w, phi(x_i)> + b))                  (slides 30; report, equation 3.2)

By the representer theorem w = sum_j beta_j phi(x_j) (lecture notes, theorem 16.9), so one routine serves the linear
form and every kernel: where the kernel is linear, w = X'beta is a vector.
"""
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from svmlib.checks import check_number
from svmlib.compilation import njit
from svmlib.dual import DualProblem
from svmlib.kernels import Precomputed
from svmlib.solvers.monitor import Callback, Monitor


@dataclass(frozen=True, eq=False)
class PrimalResult:
    """A machine found in the primal: f(x) = sum_j beta_j k(x_j, x) + b.

    objective is the primal value P, gap how far above the optimum it can be at most.  w (d,) is there for the linear
    kernel, else None.  history holds a dict an iteration where it was asked for: n_iter, objective (the primal
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


def C_from_lambda(lam: float, n: int) -> float:
    """C of 1/2 |w|^2 + C sum xi that gives the same w as lam of lam |w|^2 + (1/n) sum xi: C = 1/(2 lam n).

    The second form is the lecture notes' (6), lam > 0 and n >= 1 the number of points.

    >>> C_from_lambda(0.005, 100)
    1.0
    """
    check_number(lam, "lam", 0.0, strict=True)
    check_number(n, "n", 1)
    return 1.0 / (2.0 * lam * n)


def lambda_from_C(C: float, n: int) -> float:
    """lam of lam |w|^2 + (1/n) sum xi that belongs to C of 1/2 |w|^2 + C sum xi: lam = 1/(2 C n).

    >>> lambda_from_C(1.0, 100)
    0.005
    """
    check_number(C, "C", 0.0, strict=True)
    check_number(n, "n", 1)
    return 1.0 / (2.0 * C * n)


def subgradient_descent(problem: DualProblem, *, tol: float = 1e-6, max_iter: int = 20_000,
                        callback: Callback | None = None, verbose: bool = False,
                        history: bool | str = False) -> PrimalResult:
    """Minimise P(w, b) by subgradient steps of length 2/(t + 1) (Lacoste-Julien, Schmidt and Bach 2012; Pegasos: 1/t).

        w := w - 2/(t + 1) (w - sum_i v_i phi(x_i)),      v_i = y_i C where y_i f(x_i) < 1, else 0.

    A hinge has a kink, hence the decreasing steps (erratum slides 5).  For each w the best b is exact: P is piecewise
    linear in b, with a breakpoint at each y_i - <w, phi(x_i)>.  At that b the points on the kink can be weighted so
    that sum_i v_i = 0; then y v is feasible in the dual, and so are all later coefficients: each iterate has a gap.

    problem needs a finite C (a number, or one a point).  tol bounds the gap relative to P.  callback(state) has n_iter,
    objective, dual, gap and alpha = y beta; returning True stops.  history=True keeps these dicts without alpha.
    Returns the iterate with the least P.

    >>> from svmlib.kernels import Linear
    >>> p = DualProblem(Linear(), [[0.0], [2.0], [3.0]], [-1, 1, 1], C=10.0)
    >>> r = subgradient_descent(p)
    >>> r.w.round(3), round(r.b, 3), round(r.objective, 3)
    (array([1.]), -1.0, 0.5)
    """
    if problem.hard.any():
        raise ValueError("C must be finite: the hard margin has no hinge loss")
    check_number(tol, "tol", 0.0, strict=True)
    y, n = problem.y, problem.n
    beta, g = np.zeros(n), np.zeros(n)                                       # w = sum beta_j phi(x_j), g = <w, phi>
    best, upper, lower, b_best = beta, np.inf, -np.inf, 0.0
    n_iter, status = 0, "max_iter"
    with Monitor("subgradient_descent", callback, verbose, history) as monitor:
        for t in range(1, int(max_iter) + 1):
            b, v = _best_bias(g, y, problem.C)
            half = 0.5 * float(beta @ g)
            value = half + float(problem.C @ np.maximum(0.0, 1.0 - y * (g + b)))
            dual = float(y @ beta) - half
            if value < upper:
                best, upper, b_best = beta.copy(), value, b
            lower, n_iter = max(lower, dual), t
            if monitor.active and monitor(n_iter=t, objective=value, dual=dual, gap=upper - lower, alpha=y * beta):
                break
            if upper - lower <= tol * upper:
                status = "optimal"
                break
            step = 2.0 / (t + 1.0)
            beta = (1.0 - step) * beta + step * v
            g = (1.0 - step) * g + step * problem.times_K(v)
    return _result(problem, best, b_best, upper, upper - lower, n_iter, status, monitor)


def _result(problem: DualProblem, beta: np.ndarray, b: float, value: float, gap: float, n_iter: int, status: str,
            monitor: Monitor) -> PrimalResult:
    """With w where the kernel is linear."""
    return PrimalResult(beta, b, beta @ problem.X if problem.is_linear else None, value, gap, n_iter,
                        monitor.status or status, monitor.history)


def _best_bias(g: np.ndarray, y: np.ndarray, C: np.ndarray) -> tuple[float, np.ndarray]:
    """The b that minimises sum C max(0, 1 - y (g + b)), and the subgradient weights v (n,) there, with sum(v) = 0.

    Left of its breakpoint t_i = y_i - g_i a positive point has slope -C_i and a negative one 0; right of it 0 and
    +C_i.  So each breakpoint adds C_i to a slope that starts at -sum of C over the positive ones.
    """
    t = y - g
    order = np.argsort(t, kind="stable")
    total = float(C[y > 0].sum())
    slope = np.cumsum(C[order]) - total
    k = int(np.searchsorted(slope, -1e-12 * total))                          # the first breakpoint where it is >= 0
    b = float(t[order[k]])
    if slope[k] <= 1e-12 * total:                                            # flat up to the next one: the middle
        b = 0.5 * (b + float(t[order[k + 1]]))
    v = np.zeros_like(g)
    left, right = order[:k], order[k + 1:]
    v[left] = np.minimum(y[left], 0.0) * C[left]
    v[right] = np.maximum(y[right], 0.0) * C[right]
    v[order[k]] = -v.sum()
    return b, v


def squared_slack(problem: DualProblem) -> DualProblem:
    """The soft margin with squared slack, 1/2 |w|^2 + C sum xi^2 (slides 28), as a hard margin with K + I/(2C).

    At its solution xi = alpha/(2C).  The sheet's hint A + tol I is this, with C = 1/(2 tol).

    >>> from svmlib.kernels import Linear
    >>> p = squared_slack(DualProblem(Linear(), [[0.0], [2.0]], [-1, 1], C=1.0))
    >>> p.K
    array([[0.5, 0. ],
           [0. , 4.5]])
    """
    if problem.hard.any():
        raise ValueError("C must be finite: with C = inf there is no slack to square")
    return DualProblem(Precomputed(), problem.K + np.diag(0.5 / problem.C), problem.y, np.inf)


def without_bias(problem: DualProblem, *, bias: float = 1.0, tol: float = 1e-6, max_iter: int = 10_000,
                 callback: Callback | None = None, verbose: bool = False, history: bool | str = False) -> PrimalResult:
    """Soft margin without a free b: x' = (bias, x), w' = (w_0, w) (lecture notes, equation 4), by coordinate ascent.

    b = bias w_0 is then regularised with w, so the solution is another one; bias=0 gives hyperplanes through the
    origin.  Without b the dual has no equality constraint, and single coordinates can be optimised in turn, as
    LIBLINEAR does:  alpha_i := clip(alpha_i + (1 - y_i f_i) / K'_ii, 0, C_i)  with K' = K + bias^2.

    tol bounds the gap relative to the primal value, max_iter the sweeps over all points; C = inf needs data that a
    hyperplane through the origin of x' separates, or ends with status "max_iter".  callback and history as in
    `subgradient_descent`, once a sweep.

    >>> from svmlib.kernels import Linear
    >>> r = without_bias(DualProblem(Linear(), [[0.0], [2.0]], [-1, 1], C=10.0))
    >>> r.w.round(3), round(r.b, 3)                          # two constraints, two unknowns: as with a free b
    (array([1.]), -1.0)
    """
    check_number(bias, "bias", 0.0)
    check_number(tol, "tol", 0.0, strict=True)
    y, C = problem.y, problem.C
    K = np.ascontiguousarray(problem.K + bias ** 2)
    beta, f = np.zeros(problem.n), np.zeros(problem.n)
    n_iter, value, dual, status = 0, float(C.sum()), 0.0, "max_iter"
    with Monitor("without_bias", callback, verbose, history) as monitor:
        for t in range(1, int(max_iter) + 1):
            _sweep(K, y, C, beta, f)
            f = K @ beta                                                     # afresh: the sweep adds up rounding
            half = 0.5 * float(beta @ f)
            n_iter, value, dual = t, _primal(half, y * f, C), float(y @ beta) - half
            if monitor.active and monitor(n_iter=t, objective=value, dual=dual, gap=value - dual, alpha=y * beta):
                break
            if np.isfinite(value) and value - dual <= tol * value:
                status = "optimal"
                break
    return _result(problem, beta, bias ** 2 * float(beta.sum()), value, value - dual, n_iter, status, monitor)


def _primal(half: float, margins: np.ndarray, C: np.ndarray) -> float:
    """Primal value; where C = inf, of the shortest multiple of w that keeps those points out of the margin."""
    hard = np.isinf(C)
    if not hard.any():
        return half + float(C @ np.maximum(0.0, 1.0 - margins))
    least = float(margins[hard].min())
    if least <= 0:
        return np.inf
    s = max(1.0, 1.0 / least)
    return half * s ** 2 + float(C[~hard] @ np.maximum(0.0, 1.0 - s * margins[~hard]))


@njit(cache=True, nogil=True, error_model="numpy")
def _sweep(K, y, C, beta, f):
    """One exact maximisation over each alpha_i in turn; f = K beta is kept."""
    for i in range(len(y)):
        old = y[i] * beta[i]
        residual = 1.0 - y[i] * f[i]
        new = old + residual / K[i, i] if K[i, i] > 0.0 else (C[i] if residual > 0.0 else 0.0)
        new = min(max(new, 0.0), C[i])
        if new != old:
            change = y[i] * (new - old)
            beta[i] += change
            row = K[i]
            for e in range(len(f)):
                f[e] += change * row[e]
