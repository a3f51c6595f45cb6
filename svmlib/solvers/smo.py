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
steps over all variables that are off their bounds take over: svmlib.engine.newton.
"""
from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from svmlib.compilation import njit
from svmlib.dual import DualProblem, Solution
from svmlib.engine.newton import newton_steps
from svmlib.engine.rows_on_demand import NO_FORM, LazyGram, row_of, whole_place
from svmlib.solvers.monitor import Monitor
from svmlib.solvers.smo_lab_sheet import one_step

__all__ = ["feasible", "one_step", "smo", "smo_loop"]

LANES = 64                 # entries that are compared side by side; a few SIMD registers
NEVER = -1e300             # stands for "not in the set": finite, so that sums with it stay ordinary numbers
HUGE = 1e50                # a step where nothing bounds it
BURST_WORK = 50_000_000    # entries of K per burst: some 50 ms
REPORT = 32                # steps between two reports, where somebody listens
NEVER_MORE = 2 ** 62       # pair steps that nobody takes
FIRST_BURST, NEXT_BURST = 32, 6      # pair steps before the first Newton step, and before the next ones; measured
# What is called in each step is inlined by numba: left to the linker, it comes back from the cache on disk as a copy of
# half the speed, so a first process is fast and all later ones are slow.
FAST: dict[str, Any] = {"nogil": True, "cache": True, "error_model": "numpy",
                        "fastmath": {"reassoc", "nsz", "nnan", "contract", "arcp"}}


@njit(inline="always", **FAST)
def _argmax(v, lane):
    """Index of the largest entry of v, whose length is a multiple of LANES.

    A plain argmax carries its index from entry to entry and cannot use SIMD; the maxima of LANES interleaved
    subsequences can.  The index is looked up afterwards, in the one subsequence that holds the maximum.
    """
    for l in range(LANES):
        lane[l] = v[l]
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


@njit(inline="always", **FAST)
def _length(d, eta, floor, up, down):
    """Minimiser t of -d t + eta t^2 / 2 over -down <= t <= up, where d > 0: how far beta_i goes up and beta_j down.

    A negative curvature (indefinite kernel) leaves only the two ends: the larger gain d t - eta t^2 / 2 wins.
    """
    if eta >= -floor:
        return min(d / max(eta, floor), up)
    up, down = min(up, HUGE), min(down, HUGE)
    return up if d * up - 0.5 * eta * up * up >= -d * down - 0.5 * eta * down * down else -down


@njit(inline="always", **FAST)
def _moved(value, step, lo, hi):
    """value + step, exactly on the bound where the step uses up the room: I_up and I_low then need no tolerance."""
    if step == hi - value:
        return hi
    return lo if step == lo - value else value + step


@njit(inline="always", **FAST)
def _steps(K, form, place, diag, F, beta, lo, hi, tol, max_steps, seen):
    """SMO steps in place until the KKT violation is <= tol; returns their number, max_steps if that came first.

    form and place: rows of K that are missing are computed, as in engine.rows_on_demand.  seen (3,) takes the most
    negative eta met, and the last pair.
    """
    n = len(F)
    padded = (n + LANES - 1) // LANES * LANES
    up, low, gain, lane = np.empty(padded), np.empty(padded), np.empty(padded), np.empty(LANES)
    largest = 0.0
    for l in range(n):
        largest = max(largest, abs(diag[l]))
        up[l] = -F[l] if beta[l] < hi[l] else NEVER                       # -F on I_up, F on I_low
        low[l] = F[l] if beta[l] > lo[l] else NEVER
    for l in range(n, padded):
        up[l], low[l], gain[l] = NEVER, NEVER, 0.0
    floor = (1e-12 if K.itemsize == 8 else 1e-6) * (largest if largest > 0 else 1.0)     # a smaller eta is rounding
    for step in range(max_steps):
        i = _argmax(up, lane)
        Ki, Kii, minus_Fi = K[row_of(form, i, K, place)], diag[i], up[i]
        for l in range(n):
            d = max(low[l] + minus_Fi, 0.0)
            gain[l] = d * d / max(Kii + diag[l] - 2 * Ki[l], floor)
        j = _argmax(gain, lane)
        if low[j] + minus_Fi <= tol:                                      # else the violation is above tol, too
            worst = NEVER
            for l in range(n):
                worst = max(worst, low[l])
            if worst + minus_Fi <= tol:
                return step
        Kj, eta = K[row_of(form, j, K, place)], Kii + diag[j] - 2 * Ki[j]
        t = _length(low[j] + minus_Fi, eta, floor,
                    min(hi[i] - beta[i], beta[j] - lo[j]), min(beta[i] - lo[i], hi[j] - beta[j]))
        beta[i] = _moved(beta[i], t, lo[i], hi[i])
        beta[j] = _moved(beta[j], -t, lo[j], hi[j])
        for l in range(n):
            dF = t * (Ki[l] - Kj[l])
            F[l] += dF
            up[l] -= dF
            low[l] += dF
        for l in (i, j):                                                  # only these two may change sets
            up[l] = -F[l] if beta[l] < hi[l] else NEVER
            low[l] = F[l] if beta[l] > lo[l] else NEVER
        seen[0], seen[1], seen[2] = min(seen[0], eta), i, j
    return max_steps


@njit(**FAST)
def _rounds(K, form, place, diag, F, beta, lo, hi, tol, most, room, pace, seen):
    """Pair steps, and Newton steps in turn with them, until the KKT violation is <= tol or `most` are done.

    pace = (pair steps since the last Newton step, how many there have to be before the next one); Newton steps in one
    go are limited by room only.  seen as in _steps, its second entry -1 after a Newton step.  Returns the number of
    steps and whether they ended at the tolerance.
    """
    done = 0
    while done < most:
        if pace[0] >= pace[1]:
            steps, price = newton_steps(K, form, place, F, beta, lo, hi, pace[0], room - done)
            if steps < 0:
                pace[1] = max(pace[0], int(min(price, BURST_WORK))) + 1
                continue
            pace[0], pace[1] = 0, NEXT_BURST
            seen[1] = -1 if steps else seen[1]
            done += steps
        else:
            limit = min(most - done, pace[1] - pace[0])
            steps = _steps(K, form, place, diag, F, beta, lo, hi, tol, limit, seen)
            pace[0] += steps
            done += steps
            if steps < limit:
                return done, True
    return done, False


def smo_loop(K: np.ndarray, diag: np.ndarray, F: np.ndarray, beta: np.ndarray, lo: np.ndarray, hi: np.ndarray,
             tol: float, max_steps: int) -> int:
    """SMO on a dense block K (n, n), float32 or float64, C-contiguous, with diagonal diag; F and beta in place.

    F = K beta - y (n,), the feasible beta (n,), lo and hi are float64.  Returns the number of steps taken; fewer
    than max_steps means that max F over I_low - min F over I_up <= tol.
    """
    return _steps(K, NO_FORM, whole_place(len(F)), diag, F, beta, lo, hi, tol, max_steps, np.zeros(3))


def smo(problem: DualProblem, *, tol: float = 1e-3, max_iter: int | None = None,
        callback: Callable[[dict[str, Any]], Any] | None = None, verbose: bool = False, history: bool = False,
        alpha0: np.ndarray | None = None, newton: bool = True) -> Solution:
    """Solve the dual by SMO with second-order pairs, and by Newton steps on the free variables where pairs crawl.

    problem: a DualProblem; of its Gram matrix, the rows that the steps need are formed.  tol > 0: largest KKT
    violation, in units of f.  max_iter: pair steps and Newton steps together, 10 million where None.  alpha0 (n,): a
    feasible start, 0 where None.  newton=False: pair steps only.  callback(state) is called after 32 steps or
    so, with n_iter, objective, violation, pair (None after a Newton step) and alpha; returning True
    stops.  verbose shows the violation in a progress bar.  history=True reports and keeps every single step (without
    alpha).

    Returns a Solution, also on KeyboardInterrupt.  Raises ValueError for an alpha0 that is not feasible, and where
    C = inf leaves the dual unbounded: NotSeparableError, or plain ValueError for an indefinite kernel.

    >>> from svmlib.kernels import Gaussian
    >>> p = DualProblem(Gaussian(sigma=1.0), [[0.0], [1.0], [2.0]], [-1, 1, -1], C=np.inf)
    >>> s = smo(p, tol=1e-8)
    >>> s.status, bool(s.violation < 1e-8)
    ('optimal', True)
    """
    run = _Run(problem, tol, 10_000_000 if max_iter is None else int(max_iter), alpha0, newton)
    monitor = Monitor("smo", callback, verbose, history)
    status = "max_iter"
    with monitor:
        run.start()
        while run.n_iter < run.max_iter:
            if run.rounds(monitor, 1 if history else REPORT if monitor.active else BURST_WORK):
                status = "optimal"
                break
            if monitor.status or run.hopeless():
                break
    return problem.solution(problem.y * run.beta, solver="smo", status=monitor.status or status, n_iter=run.n_iter,
                            tol=tol, history=monitor.history, curvature=run.seen[0], K_beta=run.K_beta())


class _Run:
    """The state of one run of smo: beta and F, and how much has been done."""

    gram: LazyGram                                              # from start() on

    def __init__(self, problem: DualProblem, tol: float, max_iter: int, alpha0: np.ndarray | None,
                 newton: bool) -> None:
        self.problem, self.tol, self.max_iter = problem, tol, max_iter
        self.y, ends = problem.y, problem.C * problem.y
        self.lo, self.hi = np.minimum(ends, 0.0), np.maximum(ends, 0.0)
        self.beta = np.zeros(problem.n) if alpha0 is None else self.y * feasible(problem, alpha0)
        self.F, self.warm = -self.y, alpha0 is not None
        self.seen = np.zeros(3)
        self.n_iter = self.stalls = 0
        self.pace = np.array([0, FIRST_BURST if newton else NEVER_MORE])
        self.look, self.best = 500 + 5 * problem.n, 0.0         # when to ask again whether it is hopeless
        self.unsure = True                                      # whether there is a solution at all

    def start(self) -> None:
        """Form what the Gram matrix needs at the beginning: long work, so that a Ctrl-C may come in the middle."""
        self.gram = LazyGram(self.problem)
        if self.warm:
            self.F = self.gram.times(self.beta) - self.y

    def K_beta(self) -> np.ndarray | None:
        """K beta afresh for the certificate, which takes X (X'beta) where this is None: for a linear kernel, or where
        an interrupt came before there was a Gram matrix.
        """
        return self.gram.times(self.beta) if hasattr(self, "gram") and not self.problem.is_linear else None

    @property
    def objective(self) -> float:
        """Dual value sum(alpha) - 1/2 beta' K beta, from F = K beta - y."""
        return 0.5 * float(self.beta @ (self.y - self.F))

    @property
    def violation(self) -> float:
        """max F over I_low - min F over I_up, at least 0."""
        low, up = self.F[self.beta > self.lo], self.F[self.beta < self.hi]
        return max(0.0, float(low.max(initial=-np.inf) - up.min(initial=np.inf)))

    def report(self, monitor: Monitor) -> bool:
        """Tell the monitor, if anybody listens, and whether to stop."""
        if not monitor.active:
            return False
        pair = (int(self.seen[1]), int(self.seen[2])) if self.seen[1] >= 0 else None
        return monitor(n_iter=self.n_iter, objective=self.objective, violation=self.violation, pair=pair,
                     alpha=self.y * self.beta)

    def rounds(self, monitor: Monitor, most: int) -> bool:
        """Take so many steps, fewer where a Ctrl-C or hopeless() has its turn; whether they ended at the tolerance."""
        gram, room = self.gram, self.max_iter - self.n_iter
        limit = max(1, min(most, room, BURST_WORK // self.problem.n, self.look - self.n_iter))
        steps, done = _rounds(gram.K, gram.form, gram.place, gram.diag, self.F, self.beta, self.lo, self.hi, self.tol,
                              limit, room, self.pace, self.seen)
        self.n_iter += steps
        if steps and self.report(monitor):
            return False
        if done and self.n_iter > 10 * self.problem.n:          # F carries the rounding of every step: look again
            self.F = self.gram.times(self.beta) - self.y
            return self.violation <= self.tol
        return done

    def hopeless(self) -> bool:
        """Whether no further step can help: no hard margin exists, the dual is unbounded, or rounding has the word."""
        if self.n_iter < self.look:
            return False
        self.look = self.n_iter + 500 + 5 * self.problem.n
        size, largest = float(np.abs(self.beta).sum()), float(np.abs(self.gram.diag).max())
        hard, indefinite = bool(self.problem.hard.any()), self.seen[0] < -1e-12 * largest
        if hard and self.unsure and not indefinite and not self.problem.separable():
            return True                                         # the certificate says so, and raises
        if indefinite and not size < np.sqrt(HUGE):
            raise ValueError(f"with C=inf the dual of an indefinite kernel is unbounded (a curvature of "
                             f"{self.seen[0]:.3g} was met); give a finite C")
        self.unsure = False
        if hard and not 2e-16 * size * largest < 10 * self.tol:
            return True                                         # a margin so thin that F is rounding
        before, self.best = self.best, self.objective
        self.stalls = self.stalls + 1 if self.best <= before + 1e-14 * abs(before) else 0
        return self.stalls >= 3


def feasible(problem: DualProblem, alpha0: np.ndarray) -> np.ndarray:
    """Check a warm start: 0 <= alpha0 <= C and y' alpha0 = 0, to rounding."""
    alpha = problem._alpha(alpha0)
    slack = 1e-9 * max(1.0, float(np.abs(alpha).max()))
    if not (np.all(alpha >= -slack) and np.all(alpha <= problem.C + slack)):
        raise ValueError(f"alpha0 must lie in [0, C], got values from {alpha.min():g} to {alpha.max():g}")
    if not abs(problem.y @ alpha) <= slack * problem.n:
        raise ValueError(f"alpha0 must satisfy y' alpha0 = 0, got {problem.y @ alpha:g}")
    return np.clip(alpha, 0.0, problem.C)
