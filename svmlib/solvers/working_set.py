"""A growing working set: the dual for tens of thousands of points, without their Gram matrix: chapter 17.

Almost all alpha are 0 at the optimum, but which of them is not known beforehand.  So guess, solve, check, and learn:

    1. Guess: S = some points of both classes, at random.
    2. Solve the dual on S by SMO, on the small block K(S, S).
    3. Check: for the points whose beta has changed, add their Gram rows to F = K beta - p, which covers all n points.
       Every point says by F how much it violates the KKT conditions.  If none does, done.
    4. Learn: of S keep what violates or nearly does, add the worst violators outside, go to 2.

A row K(x_i, all) is computed once, for points that are support vectors at some check; the other n - n_SV rows never.
Glossary as in svmlib.solvers.smo: beta = y alpha, F, lo, hi, I_up, I_low.  S: indices of the working set.
"""
from collections.abc import Callable, Generator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, nullcontext
from typing import Any

import numpy as np
from joblib import effective_n_jobs

from svmlib.compilation import announce
from svmlib.dual import BoxProblem
from svmlib.engine.gram_blocks import FEW_COORDINATES, Points
from svmlib.engine.gram_rows import BlockGram, Budget, add_rows, copy_entries
from svmlib.engine.pairs import pair_steps, solve_block
from svmlib.engine.precision import recomputed, working_dtype
from svmlib.engine.shared_rows import SharedRows
from svmlib.engine.working_block import Memory, WorkingBlock
from svmlib.kernels import Precomputed
from svmlib.solvers.driver import State, Steps, solver
from svmlib.solvers.monitor import Monitor
from svmlib.solvers.smo import plain_smo
from svmlib.threads import blas_limit, blas_threads

FIRST, MORE = 256, 384       # points of the first working set; points added a round
FIRST_CHEAP, MORE_CHEAP = 0.1, 0.2     # parts of all points, where kernel values cost less than another round
SHRINK, SHRINK_CHEAP = 0.02, 0.1        # S is solved to this part of the violation that all n points have, no further
MOST = 100                   # SMO steps per round for each point of S
IDLE = 10                    # rounds without a larger dual value: rounding errors are then all that changes
NEAR_MARGIN = 0.1            # points of S further on the right side of their KKT condition leave S (units of f)


# printed in 17_svms_at_scale
@solver(max_iter=1000)
def plain_working_set(problem: BoxProblem, beta: np.ndarray, tol: float, *, first: int = 16, more: int = 24,
                      rng: int | np.random.Generator = 0) -> Steps:
    """The growing working set in plain numpy, for the reader: one report per round: S, b, v, values of K so far.

    first: points of the first working set; more: points added a round; rng: seed or generator of the first ones.

    >>> from svmlib.dual import DualProblem
    >>> from svmlib.kernels import Linear
    >>> s = plain_working_set(DualProblem(Linear(), [[0.0], [2.0], [3.0]], [-1, 1, 1], C=10.0), first=2)
    >>> s.alpha, s.status
    (array([0.5, 0.5, 0. ]), 'optimal')
    """
    y, C, lo, hi = problem.y, problem.C, problem.lo, problem.hi
    K: dict[int, np.ndarray] = {}
    F, worst, values = problem.times_K(beta) - problem.p, np.inf, 0
    rng, everyone = np.random.default_rng(rng), np.arange(len(y))
    S = np.concatenate([rng.permutation(np.flatnonzero(y == s))
                        [:first // 2] for s in (-1, 1)])          # guess
    while True:
        K_S = problem.block(S)                                    # solve
        part = BoxProblem(Precomputed(), K_S, y[S], C[S],
                          p=K_S @ beta[S] - F[S], total=beta[S].sum())
        new_beta = y[S] * plain_smo(
            part, tol=max(0.9 * tol, 0.02 * min(worst, 1)),
            alpha0=y[S] * beta[S]).alpha
        moved = S[new_beta != beta[S]]                            # check
        new = np.array([i for i in moved if i not in K], int)
        K.update(zip(new, problem.block(new, everyone), strict=True))
        for i, change in zip(S, new_beta - beta[S], strict=True):
            if change:
                F += change * K[i]
        beta[S] = new_beta
        v, i, j, b = violations(F, beta, lo, hi, S)
        worst = F[j] - F[i]
        values += len(S)**2 + len(new) * len(y)
        yield {"objective": beta @ (problem.p - F) / 2,
               "violation": worst, "S": S, "b": b, "v": v,
               "values": values}
        if worst <= tol:
            return
        stay = S[v[S] > -max(0.1, 0.2 * worst)]                   # learn
        rank = np.argsort(-v, kind="stable")
        add = [k for k in rank if v[k] > 0 and k not in set(S)]
        S = np.unique(np.concatenate([stay, add[:more], [i, j]])
                      .astype(int))


def grow(gram: BlockGram, problem: BoxProblem, beta: np.ndarray, F: np.ndarray, in_F: np.ndarray, tol: float,
         monitor: Monitor, limit: int) -> Generator[State, None, str]:
    """The whole algorithm: a round a step, from a feasible beta (n,), which changes in place, as does F = K beta - p.

    gram: the Gram matrix of the problem.  tol in units of f.  in_F (n,): the beta that F accounts for so far.  limit:
    the largest |S|.  monitor knows how many steps of SMO are left.  Returns "optimal", or "max_iter" where rounding, or
    a hard margin that does not exist, keeps it from tol; after a KeyboardInterrupt F may be halfway between two rounds.
    """
    y, lo, hi = problem.y, problem.lo, problem.hi
    best, idle, violation = -np.inf, 0, np.inf             # largest dual value, and rounds since
    unsure, done = bool(problem.hard.any()), 0             # whether there is a solution at all; steps so far
    first, more, shrink = FIRST, MORE, SHRINK
    if gram.points.cheap:
        first, more, shrink = max(FIRST, int(FIRST_CHEAP * len(y))), max(MORE, int(MORE_CHEAP * len(y))), SHRINK_CHEAP
    block = WorkingBlock(gram, limit)
    block.update(F, beta, in_F)
    block.change(block.S, first_points(problem, F, beta, limit, first))                      # guess
    while True:
        S = block.S
        F_S, beta_S = F[S], beta[S]                        # solve
        steps = solve_block(block.K, gram.diag[S], F_S, beta_S, lo[S], hi[S],
                            max(0.9 * tol, shrink * min(violation, 1.0)), min(monitor.left, MOST * len(S)))
        beta[S], done = beta_S, done + steps
        block.update(F, beta, in_F)                        # check
        v, i, j, _ = violations(F, beta, lo, hi, S)
        violation = F[j] - F[i]
        objective = 0.5 * float(beta @ (problem.p - F))
        if steps:
            yield {"steps": steps, "violation": float(violation), "working_set": len(S), "objective": objective}
        if violation <= tol:
            return "optimal"
        idle = 0 if objective - best > 1e-14 * abs(objective) else idle + 1
        best = max(best, objective)
        if idle == IDLE:
            return "max_iter"
        if unsure and done > 5 * len(y):
            if not problem.separable():                    # the certificate says so, and raises
                return "max_iter"
            unsure = False
        v[[i, j]] = np.inf                                 # with both of them in S, the next round makes progress
        stay, new = select_working_set(S, v, max(NEAR_MARGIN, 0.2 * violation), limit, more)     # learn
        block.change(stay, new)


# ---- the steps of the algorithm ---------------------------------------------------------------------------------
def first_points(problem: BoxProblem, F: np.ndarray, beta: np.ndarray, limit: int, first: int = FIRST) -> np.ndarray:
    """First working set: half of each class, at random; and from a start other than 0 the points near the margin."""
    rng, most = np.random.default_rng(0), first if limit == len(F) else min(first, limit // 2)
    some = [rng.permutation(np.flatnonzero(problem.y == sign))[:most // 2] for sign in (1, -1)]
    if beta.any():
        v = violations(F, beta, problem.lo, problem.hi, np.arange(len(F)))[0]
        some.append(worst(np.flatnonzero(v > -NEAR_MARGIN), v, limit // 2))
    return np.unique(np.concatenate(some))


# printed in 17_svms_at_scale
def violations(F: np.ndarray, beta: np.ndarray, lo: np.ndarray, hi: np.ndarray,
               S: np.ndarray) -> tuple[np.ndarray, Any, Any, Any]:
    """How far each point is on the wrong side of its KKT condition (n,), the worst pair (i, j) of all, and b of S.

    By equation soft-b-interval: the ends of the interval of b, for S and for all points.

    Point i needs a bias of -F_i or more where its beta may grow, and of -F_i or less where it may shrink.
    The n figures, negative on the right side, are against the bias that suits S, or all points where S has no opinion.
    """
    up = np.where(beta < hi, F, np.inf)
    low = np.where(beta > lo, F, -np.inf)
    ends = np.array([low[S].max(), up[S].min()])
    if not np.isfinite(ends).all():
        ends = np.array([low.max(), up.min()])
    v = np.maximum(ends.mean() - up, low - ends.mean())
    return v, up.argmin(), low.argmax(), -ends.mean()


def select_working_set(S: np.ndarray, v: np.ndarray, near: float, limit: int,
                       more: int = MORE) -> tuple[np.ndarray, np.ndarray]:
    """Positions in S that stay, violators or nearly so, and the worst violators outside; at most limit in all."""
    outside = v.copy()
    outside[S] = -np.inf
    new = worst(np.flatnonzero(outside > 0), outside, min(more, limit // 2))
    return worst(np.flatnonzero(v[S] > -near), v[S], limit - len(new)), new


def worst(points: np.ndarray, v: np.ndarray, most: int) -> np.ndarray:
    """The points, ascending; where there are more than `most`, those of the largest v."""
    return points if len(points) <= most else np.sort(points[np.argpartition(-v[points], most)[:most]])


# ---- the solver: precision, memory, and the certificate ----------------------------------------------------------
def own_rows(problem: BoxProblem, dtype: type, budget: Budget, run: Callable = map) -> BlockGram:
    """The Gram matrix of one problem in one precision, of which nothing is computed yet."""
    points = problem.distinct
    prepared = Points.of(points.kernel, points.X, dtype, run=run)
    return BlockGram(prepared, budget, [slice(0, points.n)] * (problem.n // points.n), run=run)


def rounds(problem: BoxProblem, beta: np.ndarray, tol: float, monitor: Monitor, K: BlockGram,
           memory: Memory, spare: Budget) -> Steps:
    """Grow on the rows K; where float64 does not confirm the result, go on from there.

    From float64's F, float32 rounds only what still changes, so once more is often enough; then rows in float64 take
    over, within the spare budget.  The rest as in grow.
    """
    y, F, in_F, again = problem.y, -problem.p, np.zeros(problem.n), True
    points, rows = problem.part
    while True:
        # A little less than tol leaves a margin for the rounding of float32.
        target = tol if K.dtype is np.float64 else 0.9 * tol
        status = yield from grow(K, problem, beta, F, in_F, target, monitor, memory.limit(problem.n, K.points))
        K_beta = F + problem.p
        b = problem.certificate(y * beta, K_beta).b
        exact = recomputed(problem.kernel, points.X, rows, beta, K_beta, y * (F + b), tol)
        if K.dtype is np.float64 or (status == "optimal" and exact is not None
                                     and problem.certificate(y * beta, exact).worst <= tol):
            return {"status": status, "K_beta": exact}
        if again and exact is not None and status == "optimal":
            F, in_F, again = exact - problem.p, beta.copy(), False
        else:
            F, in_F = -problem.p, np.zeros(problem.n)
            K = own_rows(problem, np.float64, spare, K.run)


@solver(max_iter=10_000_000, watched=True)
def working_set(problem: BoxProblem, beta: np.ndarray, tol: float, monitor: Monitor, *, cache_mb: float | None = None,
                dtype: type | None = None, n_jobs: int | None = None,
                shared: SharedRows | None = None) -> Steps:
    """Solve the dual with a growing working set: tens of thousands of points, and memory within a bound.

    problem: a DualProblem; its Gram matrix is never formed.  tol: largest KKT violation, in units of f.  max_iter:
    SMO steps, 10 million where None.  callback, verbose, history: see svmlib.solve; one report per round, with
    objective, violation and working_set = |S|.  cache_mb: megabytes for Gram rows and for K(S, S), 1000 where None;
    less memory costs time, because rows are then computed again.  alpha0 (n,): a feasible start.  dtype: np.float32 or
    np.float64 for the blocks; None chooses.  The result is certified in float64 in any case.  n_jobs: threads for Gram
    rows, as in joblib; as many as BLAS has where None.  shared: rows that several problems share, with the memory and
    the precision of all of them; cache_mb, dtype and n_jobs do not count then.

    Returns a Solution.  Raises ValueError for an infeasible alpha0 or a cache_mb <= 0.

    >>> from svmlib.dual import DualProblem
    >>> from svmlib.kernels import Gaussian
    >>> X = np.random.default_rng(0).normal(size=(3000, 2))
    >>> s = working_set(DualProblem(Gaussian(sigma=1.0), X, np.where(X[:, 0] * X[:, 1] > 0, 1, -1), C=10.0))
    >>> s.status, bool(s.violation <= 1e-3)
    ('optimal', True)
    """
    announce(pair_steps, add_rows, copy_entries)
    if shared is not None:
        with closing(shared.gram(problem.part.rows)) as K:
            return (yield from rounds(problem, beta, tol, monitor, K, shared.memory, shared.memory.rows(0.3)))
    memory, workers = Memory(cache_mb), blas_threads() if n_jobs is None else effective_n_jobs(n_jobs)
    points = problem.distinct
    dtype = working_dtype(points.kernel, points.X, problem.C, tol) if dtype is None else dtype
    # With few coordinates the threads are ours: a product takes less time than BLAS needs to start a second one for it.
    few = np.shape(points.X)[-1] < FEW_COORDINATES
    with ThreadPoolExecutor(workers) as pool, blas_limit() if few else nullcontext():
        K = own_rows(problem, dtype, memory.rows(), pool.map if workers > 1 else map)
        return (yield from rounds(problem, beta, tol, monitor, K, memory, memory.rows()))
