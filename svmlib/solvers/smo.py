"""Sequential minimal optimization: the smallest step that keeps y' alpha = 0 moves two variables, and it is exact.

    minimise  1/2 beta' K beta - p' beta    over  lo <= beta <= hi,  sum(beta) = total

where a classifier has p = y and total = 0.

Glossary, beside the one of svmlib.dual:

    beta    y alpha, the signed dual variables, in the box [lo, hi]: [0, C] where y = +1, [-C, 0] where y = -1
    F       K beta - p, the gradient;  -F_i is the bias that would put point i on its margin
    I_up    {beta < hi}, may grow;   I_low   {beta > lo}, may shrink
    eta     K_ii + K_jj - 2 K_ij, the curvature along "beta_i up, beta_j down"

One step (Fan, Chen & Lin 2005, working set selection 2):

    i   = argmin F over I_up
    j   = argmax (F_j - F_i)^2 / eta over I_low with F_j > F_i        the largest gain that i can have
    t   = min((F_j - F_i) / eta, hi_i - beta_i, beta_j - lo_j)
    beta_i += t,   beta_j -= t,   F += t (K_i - K_j)

until max F over I_low - min F over I_up <= tol.  `plain_smo` is this and nothing else.  `smo` takes the same steps, in
the compiled loop of svmlib.engine.pairs, and Newton steps where pairs crawl.
"""
import numpy as np

from svmlib.dual import BoxProblem, Solution
from svmlib.engine.gram_rows import RowsOnDemand
from svmlib.engine.pairs import BURST_WORK, PairRun
from svmlib.engine.row_kernels import NO_ROW_KERNEL, row_kernel_of
from svmlib.solvers.monitor import Callback, Monitor

REPORT = 32                # steps of smo between two reports, where somebody listens


def select_pair(K: np.ndarray, F: np.ndarray, beta: np.ndarray, lo: np.ndarray,
                hi: np.ndarray) -> tuple[int, int, float]:
    """The pair (i, j) of the largest gain, and how much the KKT conditions are violated."""
    F_up, F_low = np.where(beta < hi, F, np.inf), np.where(beta > lo, F, -np.inf)
    i = int(np.argmin(F_up))
    diag = np.diagonal(K)
    eta = np.maximum(diag[i] + diag - 2 * K[i], 1e-12 * np.abs(diag).max())
    gain = np.maximum(F_low - F_up[i], 0) ** 2 / eta
    return i, int(np.argmax(gain)), float(F_low.max() - F_up[i])


def take_step(i: int, j: int, K: np.ndarray, F: np.ndarray, beta: np.ndarray, lo: np.ndarray, hi: np.ndarray) -> None:
    """Move beta_i up and beta_j down, in place, to the minimum along this direction or to the first bound."""
    delta, eta = F[j] - F[i], K[i, i] + K[j, j] - 2 * K[i, j]
    up, down = min(hi[i] - beta[i], beta[j] - lo[j]), min(beta[i] - lo[i], hi[j] - beta[j])
    if eta > 0:
        t = min(delta / eta, up)
    else:                                  # an indefinite kernel, or equal points: the better of the two ends
        t = up if delta * up - eta * up**2 / 2 >= -delta * down - eta * down**2 / 2 else -down
    beta[i] = hi[i] if t == hi[i] - beta[i] else lo[i] if t == lo[i] - beta[i] else beta[i] + t
    beta[j] = lo[j] if -t == lo[j] - beta[j] else hi[j] if -t == hi[j] - beta[j] else beta[j] - t
    F += t * (K[i] - K[j])


def plain_smo(problem: BoxProblem, *, tol: float = 1e-3, max_iter: int = 100_000, callback: Callback | None = None,
              verbose: bool = False, history: bool | str = False, alpha0: np.ndarray | None = None) -> Solution:
    """SMO in plain numpy, for the reader; arguments and result as for smo, and one report a step.

    >>> from svmlib.dual import DualProblem
    >>> from svmlib.kernels import Linear
    >>> s = plain_smo(DualProblem(Linear(), [[0.0], [2.0], [3.0]], [-1, 1, 1], C=10.0), history=True)
    >>> s.alpha, [state["pair"] for state in s.history]
    (array([0.5, 0.5, 0. ]), [(1, 0)])
    """
    K, lo, hi, beta = problem.K, problem.lo, problem.hi, problem.start(alpha0)
    F = K @ beta - problem.p
    n_iter, status = 0, "max_iter"
    with Monitor("plain_smo", callback, verbose, history) as monitor:
        while n_iter < max_iter:
            i, j, violation = select_pair(K, F, beta, lo, hi)
            if violation <= tol:
                status = "optimal"
                break
            take_step(i, j, K, F, beta, lo, hi)
            n_iter += 1
            if monitor.active and monitor(n_iter=n_iter, objective=0.5 * float(beta @ (problem.p - F)),
                                          violation=violation, pair=(i, j), alpha=problem.y * beta):
                break
    return problem.solution(problem.y * beta, solver="plain_smo", status=monitor.status or status, n_iter=n_iter,
                            tol=tol, history=monitor.history)


def smo(problem: BoxProblem, *, tol: float = 1e-3, max_iter: int | None = None, callback: Callback | None = None,
        verbose: bool = False, history: bool | str = False, alpha0: np.ndarray | None = None,
        newton: bool = True) -> Solution:
    """Solve the dual by SMO with second-order pairs, and by Newton steps on the free variables where pairs crawl.

    problem: a DualProblem; of its Gram matrix, the rows that the steps need are formed.  tol > 0: largest KKT
    violation, in units of f.  max_iter: pair steps and Newton steps together, 10 million where None.  alpha0 (n,): a
    feasible start, 0 where None.  newton=False: pair steps only.  callback(state) is called after 32 steps or
    so, with n_iter, objective, violation, pair (None after Newton steps) and alpha; returning True stops.  verbose
    shows the violation in a progress bar.  history=True reports and keeps every pair step, and Newton steps in a row as
    one (without alpha).

    Returns a Solution, also on KeyboardInterrupt.  Raises ValueError for an alpha0 that is not feasible, and where
    C = inf leaves the dual unbounded: NotSeparableError, or plain ValueError for an indefinite kernel.

    >>> from svmlib.dual import DualProblem
    >>> from svmlib.kernels import Gaussian
    >>> p = DualProblem(Gaussian(sigma=1.0), [[0.0], [1.0], [2.0]], [-1, 1, -1], C=np.inf)
    >>> s = smo(p, tol=1e-8)
    >>> s.status, bool(s.violation < 1e-8)
    ('optimal', True)
    """
    y = problem.y
    run = PairRun(problem.p, problem.lo, problem.hi, problem.start(alpha0), tol,
                  10_000_000 if max_iter is None else int(max_iter), newton,
                  crawls=problem.n > 500 or not problem.kernel.strictly_positive
                  or problem.C[problem.C.argmax()] > 10.0)                            # a fifth of the time of max
    done, K_beta = False, None
    with Monitor("smo", callback, verbose, history) as monitor:
        run.rows = rows_of_problem(problem)
        if alpha0 is not None or problem.total != 0.0:
            run.F = run.rows.times(run.beta) - run.p
        while run.n_iter < run.max_iter:
            before, told = run.n_iter, monitor.active
            done = run.advance(1 if history else REPORT if told else BURST_WORK)
            if told and run.n_iter > before:
                monitor(n_iter=run.n_iter, objective=run.objective, violation=run.violation, pair=run.pair,
                        alpha=y * run.beta)
            if done or monitor.status or (run.n_iter >= run.look and
                                          run.hopeless(bool(problem.hard.any()), problem.separable)):
                break
        K_beta = None if problem.kernel.is_inner_product else run.rows.times(run.beta)      # X (X' beta) needs no K
    status = monitor.status or ("optimal" if done else "max_iter")
    return problem.solution(y * run.beta, solver="smo", status=status, n_iter=run.n_iter, tol=tol,
                            history=monitor.history, K_beta=K_beta)


def rows_of_problem(problem: BoxProblem) -> RowsOnDemand:
    """The Gram matrix of a problem by rows, where they are cheap and it has not been formed; else all of it."""
    row_kernel = None if problem.formed else row_kernel_of(problem.kernel, problem.X)
    if row_kernel is None:
        return RowsOnDemand(NO_ROW_KERNEL, problem.K.diagonal(), problem.K)
    problem.check_memory()
    return RowsOnDemand(row_kernel, problem.diag)
