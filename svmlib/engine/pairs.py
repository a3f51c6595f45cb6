"""The compiled twin of svmlib.solvers.smo: the same pairs and steps, on rows that are computed when first read.

The algorithm and its glossary are there; here it is written for SIMD, and for a Ctrl-C, in the signed variables beta =
y alpha, where a pair goes beta_i up and beta_j down.  Where many small pair steps would follow each other (linear
kernel, large C, hard margin), Newton steps over all free variables take over: svmlib.engine.newton_steps.
"""
from collections.abc import Callable

import numpy as np

from svmlib.compilation import FAST_FINITE, njit
from svmlib.dual.certificate import violating_pair
from svmlib.engine.face import Point
from svmlib.engine.gram_rows import RowsOnDemand
from svmlib.engine.newton_steps import newton_steps
from svmlib.engine.row_kernels import NO_ROW_KERNEL, Gram, row_of

LANES = 64                 # entries that are compared side by side; a few SIMD registers
NEVER = -1e300             # stands for "not in the set": finite, so that sums stay ordinary numbers
NEVER_SINGLE = -1e30       # the same in float32
HUGE = 1e50                # a step where nothing bounds it
BURST_WORK = 50_000_000    # entries of K per burst: some 50 ms
NEVER_MORE = 2 ** 62       # disables Newton steps: no run takes this many pair steps
# Pair steps before the first Newton step (as a rule, where points are few, where pairs are not known to be slow), and
# before the next one.  Measured.
FIRST_BURST, SHORT_BURST, LONG_BURST, NEXT_BURST, FEW_POINTS = 100, 32, 256, 6, 64


# What is called in each step is inlined by numba: left to the linker, it comes back from the cache on disk as a copy of
# half the speed and other rounding, so a first process is fast and all later ones are slow, on another path.
@njit(inline="always", fastmath=FAST_FINITE)
def argmax(v, lane):
    """Index of the largest entry of v, whose length is a multiple of LANES; lane (LANES + 1,) ends with a 0.

    A plain argmax carries its index from entry to entry and cannot use SIMD; the maxima of LANES interleaved
    subsequences can.  The index is looked up afterwards, in the one subsequence that holds the maximum.
    """
    zero = lane[LANES]
    for l in range(LANES):
        lane[l] = v[l]
    for start in range(LANES, len(v), LANES):
        strip = v[start:start + LANES]
        for l in range(LANES):
            # Plus a 0 that the compiler does not know, or it would store only what has changed: five times as slow.
            lane[l] = max(lane[l], strip[l]) + zero
    best = 0
    for l in range(LANES):
        if lane[l] > lane[best]:
            best = l
    t = best
    while v[t] != lane[best] and t + LANES < len(v):
        t += LANES
    return t


@njit(inline="always", fastmath=FAST_FINITE)
def step_length(d, eta, floor, up, down):
    """Minimiser t of -d t + eta t^2 / 2 over -down <= t <= up, where d > 0: how far beta_i goes up and beta_j down.

    A negative curvature (indefinite kernel) leaves only the two ends: the larger gain d t - eta t^2 / 2 wins.
    """
    if eta >= -floor:
        return min(d / max(eta, floor), up)
    up, down = min(up, HUGE), min(down, HUGE)
    return up if d * up - 0.5 * eta * up * up >= -d * down - 0.5 * eta * down * down else -down


@njit(inline="always", fastmath=FAST_FINITE)
def moved(value, step, lo, hi):
    """value + step, exactly on the bound where the step ends there: I_up and I_low then need no tolerance."""
    if step == hi - value:
        return hi
    return lo if step == lo - value else value + step


@njit(inline="always", fastmath=FAST_FINITE)
def inlined_steps(gram, point, tol, most):
    """SMO steps in place until the KKT violation is <= tol, `most` of them at most.

    gram: a Gram, whose missing rows are computed; point: a Point.  Returns the number of steps, the most negative eta,
    and the last pair.
    """
    K, (F, beta, lo, hi) = gram.K, point
    n, real, never = len(F), K.dtype.type, NEVER if K.itemsize == 8 else NEVER_SINGLE
    padded = (n + LANES - 1) // LANES * LANES
    up, low, gain = np.empty(padded, K.dtype), np.empty(padded, K.dtype), np.empty(padded, K.dtype)
    lane, size = np.zeros(LANES + 1, K.dtype), np.empty(n, K.dtype)       # size: the diagonal, as fast as K
    largest, curvature, i, j, step = 0.0, 0.0, 0, 0, 0
    for l in range(n):
        size[l], largest = gram.diag[l], max(largest, abs(gram.diag[l]))
        up[l] = -F[l] if beta[l] < hi[l] else never                       # -F on I_up, F on I_low
        low[l] = F[l] if beta[l] > lo[l] else never
    for l in range(n, padded):
        up[l], low[l], gain[l] = never, never, 0.0
    floor = (1e-12 if K.itemsize == 8 else 1e-6) * (largest if largest > 0 else 1.0)     # a smaller eta is rounding
    least, none, two = real(floor), real(0.0), real(2.0)
    while step < most:
        first = argmax(up, lane)
        Ki, Kii, minus_Fi = K[row_of(gram.row_kernel, first, K, gram.slot)], size[first], up[first]
        for l in range(n):
            d = max(low[l] + minus_Fi, none)
            gain[l] = d * d / max(Kii + size[l] - two * Ki[l], least)
        second = argmax(gain, lane)
        if low[second] + minus_Fi <= tol:                                 # else the violation is above tol, too
            worst = never
            for l in range(n):
                worst = max(worst, low[l])
            if worst + minus_Fi <= tol:
                break
        i, j = first, second
        Kj, eta = K[row_of(gram.row_kernel, j, K, gram.slot)], float(Kii + size[j] - two * Ki[j])
        t = step_length(float(low[j] + minus_Fi), eta, floor,
                        min(hi[i] - beta[i], beta[j] - lo[j]), min(beta[i] - lo[i], hi[j] - beta[j]))
        beta[i] = moved(beta[i], t, lo[i], hi[i])
        beta[j] = moved(beta[j], -t, lo[j], hi[j])
        rate = real(t)
        for l in range(n):
            dF = rate * (Ki[l] - Kj[l])
            up[l] -= dF
            low[l] += dF
        for l, F_l in ((i, -up[i]), (j, low[j])):                         # only these two may change sets
            up[l] = -F_l if beta[l] < hi[l] else never
            low[l] = F_l if beta[l] > lo[l] else never
        curvature = min(curvature, eta)
        step += 1
    for l in range(n):
        F[l] = low[l] if beta[l] > lo[l] else -up[l]
    return step, curvature, i, j


@njit(fastmath=FAST_FINITE)
def pair_steps(gram, point, tol, most):
    """inlined_steps, compiled alone."""
    return inlined_steps(Gram(*gram), Point(*point), tol, most)


@njit(fastmath=FAST_FINITE)
def mixed_steps(gram, point, tol, most, left, since, until):
    """Pair steps, and Newton steps in turn with them, until the KKT violation is <= tol or `most` are done.

    since: pair steps since the last Newton step; until: from how many on the next one is due.  left: steps that remain
    in all, which Newton steps in one go may use.  Returns the number of steps, whether they ended at the tolerance,
    since and until, the most negative eta, and the last pair, -1 and -1 after a Newton step.
    """
    gram, point = Gram(*gram), Point(*point)
    steps, curvature, i, j = 0, 0.0, 0, 0
    while steps < most:
        if since >= until:
            newton, price = newton_steps(gram, point, since, left - steps)
            if newton < 0:
                until = max(since, int(min(price, BURST_WORK))) + 1
                continue
            since, until = 0, NEXT_BURST
            if newton > 0:
                i, j = -1, -1
            steps += newton
        else:
            limit = min(most - steps, until - since)
            pairs, eta, k, l = inlined_steps(gram, point, tol, limit)
            if pairs > 0:
                i, j, curvature = k, l, min(curvature, eta)
            since += pairs
            steps += pairs
            if pairs < limit:
                return steps, True, since, until, curvature, i, j
    return steps, False, since, until, curvature, i, j


def solve_block(K: np.ndarray, diag: np.ndarray, F: np.ndarray, beta: np.ndarray, lo: np.ndarray, hi: np.ndarray,
                tol: float, most: int) -> int:
    """Solve the problem on a dense block K (n, n), in place; returns the steps, `most` of them at most.

    K is float32 or float64, C-contiguous, with diagonal diag; F = K beta - p (n,), the feasible beta (n,), lo and hi
    are float64.  Newton steps are taken in float64 only.
    """
    gram, point = (K, NO_ROW_KERNEL, np.arange(len(F) + 1), diag), (F, beta, lo, hi)
    since, until = 0, LONG_BURST
    steps, done = 0, False
    while steps < most and not done:
        left = most - steps
        burst = min(left, BURST_WORK // len(F))
        if K.dtype == np.float64:
            taken, done, since, until, *_ = mixed_steps(gram, point, tol, burst, left, since, until)
        else:
            taken, *_ = pair_steps(gram, point, tol, burst)
            done = taken < burst
        steps += taken
    return steps


class PairRun:
    """The state of one run: beta and F = K beta - p, and how much has been done.

    rows: the Gram matrix; p, lo, hi (n,): the problem; beta (n,): a feasible start, changed in place; newton=False:
    pair steps only; eager: whether pairs alone are expected to need many steps, so that Newton steps should begin soon.
    """

    def __init__(self, rows: RowsOnDemand, p: np.ndarray, lo: np.ndarray, hi: np.ndarray, beta: np.ndarray, tol: float,
                 newton: bool, eager: bool) -> None:
        self.rows, self.p, self.lo, self.hi, self.beta, self.tol = rows, p, lo, hi, beta, tol
        n = len(p)
        self.F = rows.times(beta) - p if np.count_nonzero(beta) else -p
        self.curvature, self.i, self.j = 0.0, 0, 0
        self.n_iter = self.stalls = 0
        first = LONG_BURST if not eager else SHORT_BURST if n < FEW_POINTS else FIRST_BURST
        self.since, self.until = 0, first if newton else NEVER_MORE
        self.look, self.best = 500 + 5 * n, 0.0                 # when to ask again whether it is hopeless
        self.unsure = True                                      # whether there is a solution at all

    @property
    def objective(self) -> float:
        """Dual value p' beta - 1/2 beta' K beta, from F = K beta - p."""
        return 0.5 * float(self.beta @ (self.p - self.F))

    @property
    def violation(self) -> float:
        """max F over I_low - min F over I_up, at least 0."""
        _, _, least, most = violating_pair(self.F, self.beta, self.lo, self.hi)
        return max(0.0, most - least)

    @property
    def pair(self) -> tuple[int, int] | None:
        """The last pair; None after a Newton step."""
        return (self.i, self.j) if self.i >= 0 else None

    def advance(self, most: int, left: int) -> tuple[int, bool]:
        """Take up to `most` steps, fewer where hopeless() or a Ctrl-C is due; how many, and whether that is all.

        left: steps that remain in all, which a series of Newton steps may use.
        """
        n, rows = len(self.p), self.rows
        limit = min(most, left, BURST_WORK // n, self.look - self.n_iter)
        gram, point = (rows.K, rows.row_kernel, rows.slot, rows.diag), (self.F, self.beta, self.lo, self.hi)
        steps, done, self.since, self.until, eta, i, j = mixed_steps(gram, point, self.tol, limit, left, self.since,
                                                                     self.until)
        if steps:
            self.curvature, self.i, self.j = min(self.curvature, eta), i, j
        self.n_iter += steps
        if done and self.n_iter > 10 * n:                       # F carries the rounding of every step: look again
            self.F = rows.times(self.beta) - self.p
            return steps, self.violation <= self.tol
        return steps, done

    def hopeless(self, hard: bool, separable: Callable[[], bool]) -> bool:
        """Whether no further step can help: no hard margin exists, the dual is unbounded, or F is rounding error.

        To be asked when n_iter has reached look.
        """
        self.look = self.n_iter + 500 + 5 * len(self.p)
        size, largest = float(np.abs(self.beta).sum()), float(np.abs(self.rows.diag).max())
        indefinite = self.curvature < -1e-12 * largest
        if hard and self.unsure and not indefinite and not separable():
            return True                                         # the certificate says so, and raises
        if indefinite and not size < np.sqrt(HUGE):
            raise ValueError(f"with C=inf the dual of an indefinite kernel is unbounded (a curvature of "
                             f"{self.curvature:.3g} was met); give a finite C")
        self.unsure = False
        if hard and not 2e-16 * size * largest < 10 * self.tol:
            return True                                         # a margin so thin that F is rounding error
        before, self.best = self.best, self.objective
        self.stalls = self.stalls + 1 if self.best <= before + 1e-14 * abs(before) else 0
        return self.stalls >= 3
