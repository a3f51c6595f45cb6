"""A growing working set: the dual for tens of thousands of points, without their Gram matrix.

Almost all alpha are 0 at the optimum, and nobody knows beforehand which.  So guess, solve, check, and learn:

    1. S = some points of both classes, at random.
    2. Solve the dual on S by SMO, on the small block K(S, S).
    3. For the points whose beta has changed, add their Gram rows to F = K beta - p, which covers all n points.
    4. Every point says by F how much it violates the KKT conditions.  Nobody does: done.
    5. Of S keep what is near the margin, add some hundred of the worst violators, go to 2.

A row K(x_i, all) is computed once, for points that are support vectors at some check; the other n - n_SV rows never.
Glossary as in svmlib.solvers.smo: beta = y alpha, F, lo, hi, I_up, I_low.  S: indices of the working set.
"""
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import nullcontext
from dataclasses import dataclass

import numpy as np

from svmlib.checks import check_number
from svmlib.compilation import announce
from svmlib.dual import BoxProblem, Solution
from svmlib.engine.face import violating_pair
from svmlib.engine.gram_rows import BlockGram, Budget, add_rows, copy_entries
from svmlib.engine.pairs import pair_steps, solve_block
from svmlib.engine.points import Points
from svmlib.engine.precision import recomputed, working_dtype
from svmlib.engine.threads import blas_limit, blas_threads
from svmlib.solvers.monitor import Callback, Monitor

MAX_ITER = 10_000_000        # SMO steps where the user does not say
FIRST, MORE = 256, 384       # points of the first working set; points added a round
SHRINK = 0.02                # S is solved to this part of the violation that all n points have, no further
MOST = 100                   # SMO steps a round for each point of S
IDLE = 10                    # rounds without a larger dual value after which rounding has the word
NEAR = 0.1                   # points of S further on the right side of their KKT condition leave S (units of f)


@dataclass
class Growth:
    """Where a growing working set stands: beta (n,), F = K beta - p (n,), steps taken, largest KKT violation."""

    beta: np.ndarray
    F: np.ndarray
    n_iter: int = 0
    violation: float = np.inf
    status: str = "max_iter"


def grow(gram: BlockGram, problem: BoxProblem, beta: np.ndarray, tol: float, max_iter: int, monitor: Monitor,
         limit: int = 20_000, before: int = 0) -> Growth:
    """The whole algorithm: from a feasible beta (n,), which stays as it is, with max_iter steps of SMO.

    gram: the Gram matrix of the problem.  tol in units of f.  limit: the largest |S|.  before: steps taken earlier, for
    the monitor, which is told of each round, the last one too.  Returns a Growth of status
    "optimal", "max_iter", "stalled" where rounding keeps it from tol, or "interrupted" where the monitor says so
    between two rounds; after a KeyboardInterrupt it is "max_iter", and F may be halfway between two rounds.
    """
    y, lo, hi = problem.y, problem.lo, problem.hi
    g = Growth(beta.copy(), -problem.p)
    in_F = np.zeros(len(y))                                # the beta that F accounts for
    best, idle = -np.inf, 0                                # largest dual value, and rounds since
    unsure = bool(problem.hard.any())                      # whether there is a solution at all
    with monitor:
        S = first_points(y, g.beta, limit)                 # guess
        update(gram, g.F, g.beta, in_F)
        K = extend(gram, np.empty((0, 0), gram.dtype), S[:0], S)
        while g.n_iter < max_iter:
            F_S, beta_S = g.F[S], g.beta[S]                # solve
            steps = solve_block(K, gram.diag[S], F_S, beta_S, lo[S], hi[S],
                                max(0.9 * tol, SHRINK * min(g.violation, 1.0)), min(max_iter - g.n_iter, MOST * len(S)))
            g.n_iter, g.beta[S] = g.n_iter + steps, beta_S
            update(gram, g.F, g.beta, in_F)                # check
            v, g.violation = violations(g.F, g.beta, lo, hi, S)
            objective = 0.5 * float(g.beta @ (problem.p - g.F))
            if steps and monitor.active and monitor(n_iter=before + g.n_iter, violation=g.violation, working_set=len(S),
                                          objective=objective, alpha=y * g.beta):
                g.status = "interrupted"
                break
            if g.violation <= tol:
                g.status = "optimal"
                break
            idle = 0 if objective - best > 1e-14 * abs(objective) else idle + 1
            best = max(best, objective)
            if idle == IDLE:
                g.status = "stalled"
                break
            if unsure and g.n_iter > 5 * len(y):
                if not problem.separable():                # the certificate says so, and raises
                    break
                unsure = False
            stay, new = select_working_set(S, v, max(NEAR, 0.2 * g.violation), limit)        # learn
            S = np.concatenate([S[stay], new])
            K = extend(gram, K, stay, S)
    return g


# ---- the steps of the algorithm ---------------------------------------------------------------------------------
def first_points(y: np.ndarray, beta: np.ndarray, limit: int) -> np.ndarray:
    """First working set: FIRST points, half of each class, at random; all points with beta != 0 where some have."""
    rng = np.random.default_rng(0)
    some = [rng.permutation(np.flatnonzero(y == sign))[:FIRST // 2] for sign in (1, -1)]
    return np.unique(np.concatenate([np.flatnonzero(beta)[:limit // 2], *some]))


def extend(gram: BlockGram, K: np.ndarray, stay: np.ndarray, S: np.ndarray) -> np.ndarray:
    """K(S, S), where the first of S are those that stood at the positions `stay` in K; the others are new."""
    m, first = len(stay), np.arange(len(stay))
    out = np.empty((len(S), len(S)), K.dtype)
    copy_entries(out, first, first, K, stay, stay)         # K[np.ix_(stay, stay)] takes five times as long
    out[:, m:] = gram.block(S, S[m:])                      # most of S has rows, from which this is copied
    out[m:, :m] = out[:m, m:].T
    return out


def update(gram: BlockGram, F: np.ndarray, beta: np.ndarray, in_F: np.ndarray) -> None:
    """Bring F = K beta - p up to date: only rows of variables that have changed are needed."""
    changed = np.flatnonzero(beta != in_F)
    gram.add(F, changed, beta[changed] - in_F[changed])
    in_F[changed] = beta[changed]


def violations(F: np.ndarray, beta: np.ndarray, lo: np.ndarray, hi: np.ndarray,
               S: np.ndarray) -> tuple[np.ndarray, float]:
    """How far each point is on the wrong side of its KKT condition (n,), negative on the right side; and the worst.

    -F_i is the bias that point i asks for: at least that where beta may grow, at most that where it may shrink.
    The n figures are against the bias that suits S; the last one, max F over I_low - min F over I_up, needs no bias.
    The two points that attain it count as infinitely bad: with both of them in S, the next round makes progress.
    """
    i, j, least, most = violating_pair(F, beta, lo, hi)
    minus_b = 0.5 * sum(violating_pair(F[S], beta[S], lo[S], hi[S])[2:])
    if not np.isfinite(minus_b):                           # all of S is at one kind of bound
        minus_b = 0.5 * (least + most)
    v = np.maximum(np.where(beta < hi, minus_b - F, -np.inf), np.where(beta > lo, F - minus_b, -np.inf))
    v[[i, j]] = np.inf
    return v, most - least


def select_working_set(S: np.ndarray, v: np.ndarray, near: float, limit: int) -> tuple[np.ndarray, np.ndarray]:
    """Positions in S that stay, violators or nearly so, and the worst violators outside; at most limit in all."""
    outside = v.copy()
    outside[S] = -np.inf
    new = worst(np.flatnonzero(outside > 0), outside, min(MORE, limit // 2))
    return worst(np.flatnonzero(v[S] > -near), v[S], limit - len(new)), new


def worst(points: np.ndarray, v: np.ndarray, most: int) -> np.ndarray:
    """The points, ascending; where there are more than `most`, those of the largest v."""
    return points if len(points) <= most else np.sort(points[np.argpartition(-v[points], most)[:most]])


# ---- the solver: memory, precision, and the certificate ----------------------------------------------------------
class Memory:
    """cache_mb megabytes > 0, 1000 where None: four fifths for Gram rows, the rest for K(S, S) of each worker."""

    def __init__(self, cache_mb: float | None, workers: int = 1) -> None:
        if cache_mb is not None:
            check_number(cache_mb, "cache_mb", 0.0, strict=True)
        self.mb, self.workers = 1000.0 if cache_mb is None else float(cache_mb), workers

    def rows(self, share: float = 1.0) -> Budget:
        """A budget for Gram rows, or for a share of them."""
        return Budget(0.8 * self.mb * share)

    def limit(self, n: int, dtype: type) -> int:
        """Largest working set whose block K(S, S), twice while it is being extended, fits."""
        return int(min(n, max(64, np.sqrt(0.2e6 * self.mb / self.workers / (2 * np.dtype(dtype).itemsize)))))


def certified(problem: BoxProblem, gram: Callable[[type], BlockGram], dtype: type, tol: float, max_iter: int | None,
              monitor: Monitor, alpha0: np.ndarray | None, memory: Memory) -> Solution:
    """Grow in the given precision; where float64 does not confirm the result, go on from there in float64.

    gram(dtype) gives the Gram matrix for grow; the rest as in grow and working_set.
    """
    n_iter, y, exact = 0, problem.y, None
    most = MAX_ITER if max_iter is None else int(max_iter)
    X, rows = problem.source
    g = Growth(problem.start(alpha0), -problem.p)
    with monitor:
        while True:
            # A little less than tol leaves room for the rounding of float32.
            target = tol if dtype is np.float64 else 0.95 * tol
            g = grow(gram(dtype), problem, g.beta, target, most - n_iter, monitor, memory.limit(problem.n, dtype),
                     n_iter)
            n_iter += g.n_iter
            if monitor.status and g.status != "interrupted":         # Ctrl-C may have struck in the middle of F += ...
                break
            K_beta = g.F + problem.p
            b = problem.certificate(y * g.beta, K_beta).b
            exact = recomputed(problem.kernel, X, rows, g.beta, K_beta, y * (g.F + b), tol)
            if dtype is np.float64 or g.status in ("max_iter", "interrupted"):
                break
            if g.status == "optimal" and exact is not None and problem.certificate(y * g.beta, exact).worst <= tol:
                break
            dtype, exact = np.float64, None
    status = "max_iter" if g.status == "stalled" else g.status
    return problem.solution(y * g.beta, solver="working_set", status=monitor.status or status, n_iter=n_iter,
                            tol=tol, history=monitor.history, K_beta=exact)


def working_set(problem: BoxProblem, *, tol: float = 1e-3, max_iter: int | None = None,
                callback: Callback | None = None, verbose: bool = False, history: bool | str = False,
                cache_mb: float | None = None, alpha0: np.ndarray | None = None, dtype: type | None = None) -> Solution:
    """Solve the dual with a growing working set: tens of thousands of points, and memory within a bound.

    problem: a DualProblem; its Gram matrix is never formed.  tol: largest KKT violation, in units of f.  max_iter:
    SMO steps, 10 million where None.  callback, verbose, history: see svmlib.solve; one report a round, with
    objective, violation and working_set = |S|.  cache_mb: megabytes for Gram rows and for K(S, S), 1000 where None;
    less memory costs time, because rows are then computed again.  alpha0 (n,): a feasible start.  dtype: np.float32 or
    np.float64 for the blocks; None chooses.  The result is certified in float64 in any case.

    Returns a Solution.  Raises ValueError for an infeasible alpha0 or a cache_mb <= 0.

    >>> from svmlib.dual import DualProblem
    >>> from svmlib.kernels import Gaussian
    >>> X = np.random.default_rng(0).normal(size=(3000, 2))
    >>> s = working_set(DualProblem(Gaussian(sigma=1.0), X, np.where(X[:, 0] * X[:, 1] > 0, 1, -1), C=10.0))
    >>> s.status, bool(s.violation <= 1e-3)
    ('optimal', True)
    """
    memory = Memory(cache_mb)
    announce(pair_steps, add_rows, copy_entries)
    # Products of a few columns are over before a second thread has woken up.
    few = np.shape(problem.X)[-1] < 100

    def gram(dtype: type) -> BlockGram:
        """Fresh rows in one precision."""
        with ThreadPoolExecutor(1 if few else blas_threads()) as pool:
            return BlockGram(Points.of(problem.kernel, problem.X, dtype, run=pool.map), memory.rows())

    dtype = working_dtype(problem.kernel, problem.X, problem.C, tol) if dtype is None else dtype
    with blas_limit() if few else nullcontext():
        return certified(problem, gram, dtype, tol, max_iter, Monitor("working_set", callback, verbose, history),
                         alpha0, memory)
