"""Sequential minimal optimization: the smallest step that keeps y' alpha = 0 moves two variables, and it is exact.

    minimise  1/2 beta' K beta - y' beta    over  lo <= beta <= hi,  sum(beta) = 0        (the dual, signed)

Glossary, beside the one of svmlib.dual:

    beta    y alpha, the signed dual variables, in the box [lo, hi]: [0, C] where y = +1, [-C, 0] where y = -1
    F       K beta - y, the gradient;  -F_i is the bias that would put point i on its margin
    I_up    {beta < hi}, may grow;   I_low   {beta > lo}, may shrink
    eta     K_ii + K_jj - 2 K_ij, the curvature along "beta_i up, beta_j down"

One step (Fan, Chen & Lin 2005, working set selection 2):

    i   = argmin F over I_up
    j   = argmax (F_j - F_i)^2 / eta over I_low with F_j > F_i        the largest gain that i can have
    t   = min((F_j - F_i) / eta, hi_i - beta_i, beta_j - lo_j)
    beta_i += t,   beta_j -= t,   F += t (K_i - K_j)

until max F over I_low - min F over I_up <= tol.  Where the pairs crawl (linear kernel, large C, hard margin), Newton
steps over all variables that are off their bounds take over: svmlib.solvers.newton.
"""
from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numba import njit

from svmlib.dual import DualProblem, Solution
from svmlib.solvers._loop import Watch
from svmlib.solvers.newton import newton_steps

__all__ = ["smo", "smo_loop"]

LANES = 64                 # entries that are compared side by side; a few SIMD registers
NEVER = -1e300             # stands for "not in the set": finite, so that sums with it stay ordinary numbers
FAST: dict[str, Any] = dict(nogil=True, cache=True, error_model="numpy",
                            fastmath={"reassoc", "nsz", "nnan", "contract", "arcp"})


@njit(inline="always", **FAST)
def _argmax(v, lane):
    """Index of the largest entry of v, whose length is a multiple of LANES.

    A plain argmax carries its index from entry to entry and cannot use SIMD; the maxima of LANES interleaved
    subsequences can.  The index is looked up afterwards, in the one subsequence that holds the maximum.
    """
    lane[:] = v[:LANES]
    for start in range(LANES, len(v), LANES):
        strip = v[start:start + LANES]
        for l in range(LANES):
            lane[l] = max(lane[l], strip[l])
    best = 0
    for l in range(LANES):
        if lane[l] > lane[best]:
            best = l
    t = best
    while v[t] != lane[best] and t + LANES < len(v):
        t += LANES
    return t


@njit(**FAST)
def _step_length(d, eta, floor, up, down):
    """Minimiser t of -d t + eta t^2 / 2 over -down <= t <= up, for d > 0: how far beta_i grows and beta_j shrinks.

    A negative curvature (indefinite kernel) leaves only the two ends: the larger gain d t - eta t^2 / 2 wins.
    """
    if eta >= -floor:
        return min(d / max(eta, floor), up)
    return up if d * up - 0.5 * eta * up * up >= -d * down - 0.5 * eta * down * down else -down


@njit(**FAST)
def _steps(K, diag, F, beta, lo, hi, tol, max_steps, seen):
    """SMO steps in place until the KKT violation is <= tol; returns their number, max_steps if that came first.

    seen (3,) takes the most negative eta met and the last pair.
    """
    n = len(F)
    padded = (n + LANES - 1) // LANES * LANES
    floor = (1e-12 if K.itemsize == 8 else 1e-6) * np.abs(diag).max()   # eta below it is rounding
    up = np.full(padded, NEVER)                            # -F on I_up
    low = np.full(padded, NEVER)                           # +F on I_low
    gain = np.zeros(padded)
    lane = np.empty(LANES)
    for t in range(n):
        if beta[t] < hi[t]:
            up[t] = -F[t]
        if beta[t] > lo[t]:
            low[t] = F[t]
    for step in range(max_steps):
        i = _argmax(up, lane)
        if up[i] + low[_argmax(low, lane)] <= tol:
            return step
        Ki, Kii, minus_Fi = K[i], diag[i], up[i]
        for t in range(n):
            d = max(low[t] + minus_Fi, 0.0)
            gain[t] = d * d / max(Kii + diag[t] - 2 * Ki[t], floor)
        j = _argmax(gain, lane)
        Kj = K[j]
        eta = Kii + diag[j] - 2 * Ki[j]
        seen[0], seen[1], seen[2] = min(seen[0], eta), i, j
        room_up, room_down = min(hi[i] - beta[i], beta[j] - lo[j]), min(beta[i] - lo[i], hi[j] - beta[j])
        t_step = _step_length(low[j] + minus_Fi, eta, floor, room_up, room_down)
        # A variable that is clipped gets its bound exactly, so that I_up and I_low need no tolerance.
        clip_i, clip_j = t_step == hi[i] - beta[i], t_step == beta[j] - lo[j]
        back_i, back_j = -t_step == beta[i] - lo[i], -t_step == hi[j] - beta[j]
        beta[i] = hi[i] if clip_i else lo[i] if back_i else beta[i] + t_step
        beta[j] = lo[j] if clip_j else hi[j] if back_j else beta[j] - t_step
        low[i], up[j] = -up[i], -low[j]
        for t in range(n):
            dF = t_step * (Ki[t] - Kj[t])
            F[t] += dF
            up[t] -= dF
            low[t] += dF
        for t in (i, j):
            up[t] = -F[t] if beta[t] < hi[t] else NEVER
            low[t] = F[t] if beta[t] > lo[t] else NEVER
    return max_steps


@njit(**FAST)
def smo_loop(K, diag, F, beta, lo, hi, tol, max_steps):
    """SMO on a dense block K (n, n) of float32 or float64, C-contiguous, with its diagonal; F and beta in place.

    F = K beta - y and the feasible beta are float64, as are lo and hi.  Returns the number of steps taken; fewer
    than max_steps means that max F over I_low - min F over I_up <= tol.
    """
    return _steps(K, diag, F, beta, lo, hi, tol, max_steps, np.zeros(3))


def smo(problem: DualProblem, *, tol: float = 1e-3, max_iter: int | None = None,
        callback: Callable[[dict[str, Any]], Any] | None = None, verbose: bool = False, history: bool = False,
        alpha0: np.ndarray | None = None, newton: bool = True) -> Solution:
    """Solve the dual by SMO with second-order pairs, and Newton steps on the free variables where pairs crawl.

    problem: a DualProblem, whose Gram matrix is formed.  tol: largest KKT violation, in units of f.  max_iter: pair
    steps plus Newton steps, 10 million where None.  callback, verbose, history: see svmlib.solve; with history=True
    each single step is recorded.  alpha0 (n,): a feasible start instead of 0.  newton=False: pair steps only.

    Returns a Solution.  Raises ValueError for an infeasible alpha0, NotSeparableError where C = inf has no solution.

    >>> from svmlib.kernels import Gaussian
    >>> p = DualProblem(Gaussian(sigma=1.0), [[0.0], [1.0], [2.0]], [-1, 1, -1], C=np.inf)
    >>> s = smo(p, tol=1e-8)
    >>> s.status, bool(s.violation < 1e-8)
    ('optimal', True)
    """
    max_iter = 10_000_000 if max_iter is None else int(max_iter)
    K = np.require(problem.K, requirements="CW")           # numba compiles once, for this layout
    n, lo, hi, y = problem.n, problem.lo, problem.hi, problem.y
    diag, seen = K.diagonal().astype(np.float64), np.zeros(3)
    beta = np.zeros(n) if alpha0 is None else y * _feasible(problem, alpha0)
    F = K @ beta - y
    watch = Watch("smo", callback, verbose, history)
    doubtful = bool(problem.hard.any())
    n_iter, status = 0, "max_iter"
    burst = max(64, 2 * n)
    with watch:
        while n_iter < max_iter:
            limit = min(1 if history else burst, max_iter - n_iter)
            steps = _steps(K, diag, F, beta, lo, hi, tol, limit, seen)
            n_iter += steps
            if steps < limit:
                F = K @ beta - y
                status = "optimal"
                break
            if newton and not history:
                n_iter += newton_steps(K, F, beta, lo, hi, 20)
    return problem.solution(y * beta, solver="smo", status=watch.status or status, n_iter=n_iter, tol=tol,
                            history=watch.history, curvature=seen[0])
