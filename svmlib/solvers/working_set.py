"""A growing working set: the dual for tens of thousands of points, without their Gram matrix.

Almost all alpha are 0 at the optimum, and nobody knows beforehand which.  So guess, solve, check, and learn:

    1. S = some points of both classes, at random.
    2. Solve the dual on S by SMO, on the small block K(S, S).
    3. For the points whose beta has changed, add their Gram rows to F = K beta - y, which covers all n points.
    4. Every point says by F how much it violates the KKT conditions.  Nobody does: done.
    5. Of S keep what is near the margin, add some hundred of the worst violators, go to 2.

A row K(x_i, all) is computed once, for points that are support vectors at some check; the other n - n_SV rows never.
Glossary as in svmlib.solvers.smo: beta = y alpha, F, lo, hi, I_up, I_low.  S: indices of the working set.
"""
from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import nullcontext
from dataclasses import dataclass
from typing import Any

import numpy as np

from svmlib.checks import check_number
from svmlib.compilation import announce
from svmlib.dual import DualProblem, Solution
from svmlib.engine.newton import newton_steps
from svmlib.engine.points import Points, coordinates
from svmlib.engine.row_cache import STRIP, Budget, Gram, add_rows, copy_entries
from svmlib.engine.rows_on_demand import NO_FORM, whole_place
from svmlib.engine.threads import blas_limit, blas_threads
from svmlib.kernels import FEW, Kernel, Precomputed
from svmlib.solvers.monitor import Monitor
from svmlib.solvers.smo import _steps, feasible, smo_loop

__all__ = ["Growth", "certified_gradient", "grow", "working_dtype", "working_set"]

CACHE_MB, ROWS = 1000.0, 0.8   # memory in MB where the user does not say; the part of it that is for Gram rows
MAX_ITER = 10_000_000        # SMO steps where the user does not say
FIRST, MORE = 256, 384       # points of the first working set; points added a round
SHRINK = 0.02                # S is solved to this part of the violation that all n points have, no further
NEWTON = 1000                # free variables up to which a Newton step is worth its price
CLEAR = 0.02                 # outside the margin by this much, in units of f, F need not be exact
NEAR = 0.1                   # points of S further on the right side of their KKT condition leave S (units of f)


@dataclass
class Growth:
    """Where a growing working set stands: beta (n,), F = K beta - y (n,), steps taken, largest KKT violation."""

    beta: np.ndarray
    F: np.ndarray
    n_iter: int = 0
    violation: float = np.inf
    status: str = "max_iter"


def grow(gram: Any, y: np.ndarray, C: np.ndarray, tol: float, max_iter: int, monitor: Monitor, *,
         beta: np.ndarray | None = None, limit: int = 20_000) -> Growth:
    """The whole algorithm, for any gram with block(rows, columns), add(F, rows, delta) and diag.

    y (n,) in {-1, +1}, C (n,), tol in units of f, max_iter steps of SMO; beta (n,): a feasible start.  limit: the
    largest |S|.  Returns a Growth of status "optimal", "max_iter", or "interrupted" where the monitor says so between
    two rounds; after a KeyboardInterrupt it is "max_iter", and F may be halfway between two rounds.
    """
    lo, hi = np.minimum(0, C * y), np.maximum(0, C * y)
    g = Growth(np.zeros(len(y)) if beta is None else beta.copy(), -y.astype(np.float64))
    in_F = np.zeros(len(y))                                # the beta that F accounts for
    S = first_points(y, g.beta, limit)
    with monitor:
        update(gram, g.F, g.beta, in_F)
        K = extend(gram, np.empty((0, 0), gram.dtype), S, S)
        while g.n_iter < max_iter:
            F_S, beta_S = g.F[S], g.beta[S]
            g.n_iter += solve_block(K, gram.diag[S], F_S, beta_S, lo[S], hi[S],
                                    max(0.9 * tol, SHRINK * min(g.violation, 1.0)), max_iter - g.n_iter)
            g.beta[S] = beta_S
            update(gram, g.F, g.beta, in_F)
            v, g.violation = violations(g.F, g.beta, lo, hi, S)
            if g.violation <= tol:
                g.status = "optimal"
                break
            if monitor.active and monitor(n_iter=g.n_iter, violation=g.violation, working_set=len(S), alpha=y * g.beta):
                g.status = "interrupted"
                break
            stay, new = choose(S, v, max(NEAR, 0.2 * g.violation), limit)
            S, K = np.concatenate([S[stay], new]), K[np.ix_(stay, stay)]
            K = extend(gram, K, S, new)
    return g


# ---- the steps of the algorithm ---------------------------------------------------------------------------------
def first_points(y: np.ndarray, beta: np.ndarray, limit: int) -> np.ndarray:
    """First working set: FIRST points, half of each class, at random; all points with beta != 0 where some have."""
    rng = np.random.default_rng(0)
    sets = [np.flatnonzero(beta)[:limit // 2]]
    for sign in (1, -1):
        members = np.flatnonzero(y == sign)
        sets.append(rng.permutation(members)[:FIRST // 2])
    return np.unique(np.concatenate(sets))


def extend(gram: Any, K: np.ndarray, S: np.ndarray, new: np.ndarray) -> np.ndarray:
    """K(S, S) from K of the points that were there before; the new ones are the last of S."""
    m = len(S) - len(new)
    out = np.empty((len(S), len(S)), K.dtype)
    out[:m, :m] = K
    out[:, m:] = gram.block(S, new)                        # most of S has rows, from which this is copied
    out[m:, :m] = out[:m, m:].T
    return out


def solve_block(K: np.ndarray, diag: np.ndarray, F: np.ndarray, beta: np.ndarray, lo: np.ndarray, hi: np.ndarray,
                tol: float, max_steps: int) -> int:
    """Solve the dual on S alone, in place: SMO, with Newton steps between where pairs crawl; returns the steps."""
    burst = max(1000, 2 * len(F))
    steps = 0
    while steps < max_steps:
        most = min(burst, max_steps - steps)
        taken = smo_loop(K, diag, F, beta, lo, hi, tol, most)
        steps += taken
        if taken < most:
            break
        if K.dtype == np.float64 and np.count_nonzero((beta > lo) & (beta < hi)) <= NEWTON:
            room = min(20, max_steps - steps)
            steps += max(0, newton_steps(K, NO_FORM, whole_place(len(F)), F, beta, lo, hi, 2 ** 62, room)[0])
    return steps


def update(gram: Any, F: np.ndarray, beta: np.ndarray, in_F: np.ndarray) -> None:
    """Bring F = K beta - y up to date: only rows of variables that have changed are needed."""
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
    up = np.where(beta < hi, F, np.inf)
    low = np.where(beta > lo, F, -np.inf)
    i, j = int(up.argmin()), int(low.argmax())
    minus_b = 0.5 * (low[S].max() + up[S].min())
    if not np.isfinite(minus_b):                           # all of S is at one kind of bound
        minus_b = 0.5 * (low[j] + up[i])
    v = np.maximum(minus_b - up, low - minus_b)
    v[[i, j]] = np.inf
    return v, float(low[j] - up[i])


def choose(S: np.ndarray, v: np.ndarray, near: float, limit: int) -> tuple[np.ndarray, np.ndarray]:
    """Positions in S that stay, violators or nearly so, and the worst violators outside; at most limit in all."""
    outside = v.copy()
    outside[S] = -np.inf
    new = np.flatnonzero(outside > 0)
    more = min(MORE, limit // 2)
    if len(new) > more:
        new = np.sort(new[np.argpartition(-outside[new], more)[:more]])
    stay = np.flatnonzero(v[S] > -near)
    room = limit - len(new)
    if len(stay) > room:
        stay = np.sort(stay[np.argpartition(-v[S[stay]], room)[:room]])
    return stay, new


# ---- float32 or float64, and the proof that it was good enough --------------------------------------------------
def working_dtype(kernel: Kernel, X: Any, C: np.ndarray, tol: float) -> type:
    """float32 where its rounding cannot matter much: many features, and eps |K| C, how K is rounded, below tol."""
    if np.ndim(X) != 2 or X.shape[1] < 100 or not np.isfinite(C).all():
        return np.float64
    some = X[::max(1, len(X) // 200)]
    factors = coordinates(kernel, some)
    if factors is None:
        return np.float64
    rounding = np.finfo(np.float32).eps * factors.condition(some) * np.abs(kernel._diag(some)).max()
    return np.float32 if rounding * C.max() <= tol else np.float64


def certified_gradient(problem: DualProblem, g: Growth, exact: Callable, tol: float) -> np.ndarray | None:
    """K beta (n,), recomputed in float64 wherever it decides; None where that shows F to be wrong.

    The dual value needs K beta at the support vectors, the KKT conditions and the gap at all points near the margin or
    inside it.  A point of alpha = 0 further outside contributes exactly 0 to both, if only F is right within CLEAR;
    the points that are recomputed measure how right it is, and it has to be twenty times better than that.
    exact(rows): points, as Points for Gram blocks in float64.
    """
    alpha, K_beta = problem.y * g.beta, g.F + problem.y
    margin = problem.y * (K_beta + problem._certificate(alpha, K_beta).b)
    clear = max(CLEAR, 2 * tol)
    support = np.flatnonzero(alpha)
    near = np.concatenate([support, np.flatnonzero((alpha == 0) & (margin < 1 + clear))])
    recomputed = product(exact(near), g.beta[support])
    if np.abs(recomputed - K_beta[near]).max(initial=0.0) > clear / 20:
        return None
    K_beta[near] = recomputed
    return K_beta


def product(points: Points, beta: np.ndarray) -> np.ndarray:
    """sum_j beta_j k(x_i, x_j) for all points (n,), where beta (m,) belongs to the first m of them.

    By strips; K among the first m is symmetric, so that half of it is enough.
    """
    m = len(beta)
    out = np.zeros(len(points))
    for i in range(0, m, STRIP):
        end = min(i + STRIP, m)
        K = points[i:end].block(points[i:m])
        out[i:end] += K @ beta[i:]
        out[end:m] += beta[i:end] @ K[:, end - i:]
    for i in range(m, len(points), STRIP):
        out[i:i + STRIP] = points[i:i + STRIP].block(points[:m]) @ beta
    return out


def exact_points(kernel: Kernel, X: Any, rows: np.ndarray) -> Points:
    """Points of X, for Gram blocks in float64; with few coordinates by differences, which have no rounding."""
    if isinstance(kernel, Precomputed):
        return Points.of(kernel, X, order=rows)
    some = X[rows]
    few = np.ndim(X) == 2 and X.shape[1] <= FEW
    return Points(kernel, some, kernel._diag(some)) if few else Points.of(kernel, some)


def confirmed(problem: DualProblem, g: Growth, K_beta: np.ndarray | None, tol: float) -> bool:
    """Whether float64 finds no KKT violation above tol where float32 found none."""
    if K_beta is None:
        return False
    return problem._certificate(problem.y * g.beta, K_beta).worst <= tol


def certified(problem: DualProblem, gram: Callable[[type], Any], exact: Callable, dtype: type, tol: float,
              max_iter: int, monitor: Monitor, beta: np.ndarray | None, limit: int) -> Solution:
    """Grow in the given precision; where float64 does not confirm the result, go on from there in float64.

    gram(dtype) gives the Gram matrix for grow, exact(rows) Points for blocks in float64; the rest as in grow.
    """
    n_iter = 0
    while True:
        # A little less than tol leaves room for the rounding of float32.
        target = tol if dtype is np.float64 else 0.95 * tol
        g = grow(gram(dtype), problem.y, problem.C, target, max_iter - n_iter, monitor, beta=beta, limit=limit)
        n_iter += g.n_iter
        torn = bool(monitor.status) and g.status != "interrupted"    # Ctrl-C may have struck in the middle of F += ...
        K_beta = None if torn else certified_gradient(problem, g, exact, tol)
        if dtype is np.float64 or g.status != "optimal" or confirmed(problem, g, K_beta, tol):
            break
        beta, dtype = g.beta, np.float64
    return problem.solution(problem.y * g.beta, solver="working_set", status=monitor.status or g.status,
                            n_iter=n_iter, tol=tol, history=monitor.history,
                            curvature=curvature(problem, g.beta, exact), K_beta=K_beta)


def curvature(problem: DualProblem, beta: np.ndarray, exact: Callable) -> float:
    """Smallest eigenvalue of the Gram matrix of up to 1000 support vectors; 0 for a kernel known to have none below."""
    if problem.kernel.psd:
        return 0.0
    some = exact(np.flatnonzero(beta)[:1000])
    return float(np.linalg.eigvalsh(some.block(some)).min(initial=0.0))


# ---- the solver ---------------------------------------------------------------------------------------------------
def working_set(problem: DualProblem, *, tol: float = 1e-3, max_iter: int | None = None,
                callback: Callable[[dict[str, Any]], Any] | None = None, verbose: bool = False, history: bool = False,
                cache_mb: float | None = None, alpha0: np.ndarray | None = None, dtype: type | None = None) -> Solution:
    """Solve the dual with a growing working set: tens of thousands of points, and memory within a bound.

    problem: a DualProblem; its Gram matrix is never formed.  tol: largest KKT violation, in units of f.  max_iter:
    SMO steps, 10 million where None.  callback, verbose, history: see svmlib.solve; one report a round, with
    violation and working_set = |S|.  cache_mb: megabytes for Gram rows and for K(S, S), 1000 where None; less memory
    costs time, because rows are then computed again.  alpha0 (n,): a feasible start.  dtype: np.float32 or np.float64
    for the blocks; None chooses.  The result is certified in float64 in any case.

    Returns a Solution.  Raises ValueError for an infeasible alpha0 or a cache_mb <= 0.

    >>> from svmlib.kernels import Gaussian
    >>> X = np.random.default_rng(0).normal(size=(3000, 2))
    >>> s = working_set(DualProblem(Gaussian(sigma=1.0), X, np.where(X[:, 0] * X[:, 1] > 0, 1, -1), C=10.0))
    >>> s.status, bool(s.violation <= 1e-3)
    ('optimal', True)
    """
    cache_mb = check_cache(cache_mb)
    announce(_steps, add_rows, copy_entries)
    # Products of a few columns are over before a second thread has woken up.
    few = np.shape(problem.X)[-1] < 100

    def gram(dtype: type) -> Gram:
        """Fresh rows in one precision."""
        with ThreadPoolExecutor(1 if few else blas_threads()) as pool:
            return Gram(Points.of(problem.kernel, problem.X, dtype, run=pool.map), Budget(ROWS * cache_mb))

    dtype = working_dtype(problem.kernel, problem.X, problem.C, tol) if dtype is None else dtype
    beta = None if alpha0 is None else problem.y * feasible(problem, alpha0)
    monitor = Monitor("working_set", callback, verbose, history)
    with blas_limit() if few else nullcontext():
        return certified(problem, gram, lambda rows: exact_points(problem.kernel, problem.X, rows), dtype, tol,
                         MAX_ITER if max_iter is None else int(max_iter), monitor, beta,
                         working_set_limit(cache_mb, problem.n, dtype))


def working_set_limit(cache_mb: float, n: int, dtype: type) -> int:
    """Largest working set whose block K(S, S), twice while it is being extended, takes a fifth of the memory."""
    return int(min(n, max(64, np.sqrt(0.2 * cache_mb * 1e6 / (2 * np.dtype(dtype).itemsize)))))


def check_cache(cache_mb: Any) -> float:
    """Check cache_mb: megabytes > 0, CACHE_MB where None."""
    if cache_mb is None:
        return CACHE_MB
    check_number(cache_mb, "cache_mb", 0.0, strict=True)
    return float(cache_mb)
