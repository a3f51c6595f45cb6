"""Sequential minimal optimization with second-order pairs: chapter 10, "Choosing pairs: second order".

    maximise  W(alpha) = p'(y o alpha) - 1/2 alpha' Q alpha  over  0 <= alpha <= C,  y' alpha = total

where a classifier has p = y and total = 0.  In the signed variables beta = y alpha, beside svmlib.dual's glossary:

    F       K beta - p, the gradient: f - b - y for a classifier;  -F_i is the bias that would put point i on its margin
    eta     K_ii + K_jj - 2 K_ij, the curvature along "beta_i up, beta_j down"

One step (Fan, Chen & Lin 2005, working set selection 2; chapter 10, equation smo-second-order):

    i = argmin F over I_up
    j = argmax (F_j - F_i)^2 / eta over I_low with F_j > F_i          the largest gain that i can have

and the exact maximum over the two, which is `one_step` of svmlib.solvers.smo_lab_sheet; until max F over I_low - min F
over I_up <= tol.  `plain_smo` is this and nothing else.  `smo` takes the same steps in the compiled loop of
svmlib.engine.pairs, and Newton steps where many small ones would follow each other.
"""
from inspect import unwrap

import numpy as np

from svmlib.compilation import announce, is_cold
from svmlib.dual import BoxProblem
from svmlib.engine.gram_rows import RowsOnDemand
from svmlib.engine.pairs import BURST_WORK, PairRun, mixed_steps
from svmlib.engine.row_kernels import NO_ROW_KERNEL, row_kernel_of
from svmlib.solvers.driver import Steps, solver
from svmlib.solvers.monitor import Monitor
from svmlib.solvers.smo_lab_sheet import one_step

REPORT = 32                # steps of smo between two reports to a callback, a history or a bar
# To compile the loop takes many seconds, once on a machine; a first small fit is some hundred steps of 0.1 ms in numpy.
# So as long as nothing is compiled the first steps of a process are the plain ones, where points are few.
FEW_POINTS, FIRST_STEPS = 500, iter(range(5000))


# printed in 10_smo
def select_pair(K: np.ndarray, F: np.ndarray, up: np.ndarray, low: np.ndarray) -> tuple[int, int, float]:
    """The pair (i, j) of equation smo-second-order, and the worst violation, max F over I_low - min F over I_up."""
    i = int(np.where(up, F, np.inf).argmin())
    violation = np.where(low, F, -np.inf).max() - F[i]
    eta = np.maximum(K[i, i] + K.diagonal() - 2 * K[i], 1e-12 * abs(K.diagonal()).max())
    gain = np.where(low & (F[i] < F), (F - F[i]) ** 2 / eta, -1)
    return i, int(gain.argmax()), violation


# printed in 10_smo
@solver(max_iter=100_000)
def plain_smo(problem: BoxProblem, beta: np.ndarray, tol: float) -> Steps:
    """SMO in plain numpy, for the reader; one report per step.  up and low: I_up and I_low of equation soft-sets.

    >>> from svmlib.dual import DualProblem
    >>> from svmlib.kernels import Linear
    >>> s = plain_smo(DualProblem(Linear(), [[0.0], [2.0], [3.0]], [-1, 1, 1], C=10.0), history=True)
    >>> s.alpha, [state["pair"] for state in s.history]
    (array([0.5, 0.5, 0. ]), [(1, 0)])
    """
    K, y, p, C = problem.K, problem.y, problem.p, problem.C
    alpha, f, b = y * beta, K @ beta + y - p, 0.0
    while True:
        up = np.where(y > 0, alpha < C, alpha > 0)
        low = np.where(y > 0, alpha > 0, alpha < C)
        F = f - b - y
        i, j, violation = select_pair(K, F, up, low)
        if violation <= tol:
            return
        alpha, f, b = one_step(i, j, alpha, y, K, f, C, b)
        beta[:] = y * alpha
        yield {"objective": beta @ (p - f + b + y) / 2,
               "violation": violation, "pair": (i, j)}


@solver(max_iter=10_000_000, watched=True)
def smo(problem: BoxProblem, beta: np.ndarray, tol: float, monitor: Monitor, *,
        newton: bool = True) -> Steps:
    """Solve the dual by SMO with second-order pairs, and by Newton steps on the free variables where pairs are slow.

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
    if problem.n <= FEW_POINTS and is_cold(mixed_steps) and (problem.kernel.psd or not problem.hard.any()):
        if problem.hard.any() and not problem.separable():
            return {"status": "max_iter"}                       # the certificate says so, and raises
        for state in unwrap(plain_smo)(problem, beta, tol):
            yield state
            if next(FIRST_STEPS, None) is None:
                break                                           # beta stays, and the compiled loop goes on
        else:
            return {}
    announce(mixed_steps)
    rows = rows_of_problem(problem)
    run = PairRun(rows, problem.p, problem.lo, problem.hi, beta, tol, newton, eager=worth_newton(problem))
    while True:
        steps, done = run.advance(1 if monitor.keep else REPORT if monitor.active else BURST_WORK, monitor.left)
        if steps:
            yield {"steps": steps} if not monitor.active else {
                "steps": steps, "objective": run.objective, "violation": run.violation, "pair": run.pair}
        hopeless = not done and run.n_iter >= run.look and run.hopeless(bool(problem.hard.any()), problem.separable)
        if done or hopeless:
            # X (X' beta) needs no K, and is more exact.
            K_beta = None if problem.kernel.is_inner_product else rows.times(beta)
            return {"status": "optimal" if done else "max_iter", "K_beta": K_beta}


def worth_newton(problem: BoxProblem) -> bool:
    """Whether pair steps are likely to be many: a flat dual (linear kernel), a large C, or many points."""
    return (problem.n > 500 or not problem.kernel.strictly_positive
            or problem.C[problem.C.argmax()] > 10.0)        # indexing by argmax takes a fifth of the time of max()


def rows_of_problem(problem: BoxProblem) -> RowsOnDemand:
    """The Gram matrix of a problem by rows, where they are cheap and it has not been formed; else all of it."""
    points, copies = problem.distinct, problem.n // problem.distinct.n
    row_kernel = None if points.formed else row_kernel_of(points.kernel, points.X)
    if copies > 1 or row_kernel is not None:
        problem.check_memory(points.n)
    if row_kernel is None:
        return RowsOnDemand(NO_ROW_KERNEL, points.K.diagonal(), points.K, copies)
    return RowsOnDemand(row_kernel, points.diag, copies=copies)
