"""SMO as the lab sheet teaches it: one exact step for a given pair, pairs at random, pairs by a KKT sweep.

Glossary as in svmlib.dual; for the pair (i, j), with t the change of alpha_i:

    chi     K_ii + K_jj - 2 K_ij, the curvature;   delta = y_i ((f_j - y_j) - (f_i - y_i)), the slope
    s       y_i y_j;   gamma = s alpha_i + alpha_j stays as it is, so that alpha_j = gamma - s alpha_i
    L, H    the ends of the segment that the box leaves to alpha_i
    gain    W(t) - W(0) = delta t - chi t^2 / 2

The functions of one step are plain numpy.  `register_jitable` leaves them so, and lets the loops below, which are
compiled, call them: the same lines run in both.
"""
import numpy as np
from numba.extending import register_jitable

from svmlib.compilation import njit
from svmlib.dual import BoxProblem, Solution
from svmlib.dual.certificate import Certificate
from svmlib.solvers.monitor import Callback, Monitor


@register_jitable
def _segment(i, j, alpha, y, C):
    """Ends L <= H of the values of alpha_i that keep both variables in their boxes [0, C_i] and [0, C_j]."""
    gamma = y[i] * y[j] * alpha[i] + alpha[j]
    if y[i] == y[j]:
        return max(0.0, gamma - C[j]), min(C[i], gamma)
    return max(0.0, -gamma), min(C[i], C[j] - gamma)


@register_jitable
def _snapped(value, C, crumb):
    """The value, or the bound beside it: what rounding leaves of a bound would count as a margin vector."""
    if value < crumb:
        return 0.0
    return C if value > C - crumb else value


@register_jitable
def _updated(i, j, alpha_i, alpha, y, K, f, C, b):
    """Set alpha_i, let alpha_j follow, and bring the decision values f and the bias b up to date."""
    s, crumb = y[i] * y[j], 1e-14 * (alpha[i] + alpha[j] + alpha_i)
    alpha_j = _snapped(s * alpha[i] + alpha[j] - s * alpha_i, C[j], crumb)
    alpha_i = _snapped(alpha_i, C[i], crumb)
    f = f + y[i] * (alpha_i - alpha[i]) * K[i] + y[j] * (alpha_j - alpha[j]) * K[j]
    alpha = alpha.copy()
    alpha[i], alpha[j] = alpha_i, alpha_j
    shift = -0.5 * (f[i] - y[i] + f[j] - y[j])
    return alpha, f + shift, b + shift             # f contains b, so the kept values move with it


@register_jitable
def one_step(i, j, alpha, y, K, f, C, b):
    """Exact maximum of the dual over alpha_i and alpha_j: lab sheet, Algorithm 2.1, its branch chi <= 0 corrected.

    i != j: the pair.  alpha (n,) in [0, C] and f (n,) = K (y alpha) + b, the decision values at the training points.
    y (n,) in {-1, +1}.  K (n, n): Gram matrix.  C: bound, a number or (n,).  b: bias.  Nothing is changed in place.

    Returns the new (alpha, f, b).  The dual value rises by delta t - chi t^2 / 2 >= 0, and y' alpha stays as it was.
    For chi > 0 the parabola has its top at t = delta / chi, clipped to the segment.  Otherwise the top is an end: for
    chi = 0 the one that delta points to (the sheet prints the opposite one, erratum labsheet 1), for chi < 0, which
    takes an indefinite kernel, the better of the two (erratum labsheet 2).  Raises ValueError where C = inf lets the
    dual grow for ever: two equal points with different labels.

    >>> y, K = np.array([-1.0, 1.0]), np.array([[0.0, 0.0], [0.0, 4.0]])        # the points 0 and 2 on a line
    >>> alpha, f, b = one_step(0, 1, np.zeros(2), y, K, np.zeros(2), 10.0, 0.0)
    >>> alpha, f, float(b)
    (array([0.5, 0.5]), array([-1.,  1.]), -1.0)
    """
    C = C * np.ones(len(alpha))
    delta = y[i] * ((f[j] - y[j]) - (f[i] - y[i]))
    chi = K[i, i] + K[j, j] - 2 * K[i, j]
    L, H = _segment(i, j, alpha, y, C)
    if chi > 0:
        alpha_i = min(max(alpha[i] + delta / chi, L), H)
    elif np.isinf(H):
        raise ValueError("C must be finite: no curvature keeps this pair, "
                         "equal points with two labels, from growing")
    else:
        down, up = L - alpha[i], H - alpha[i]
        gain_L = delta * down - 0.5 * chi * down * down
        gain_H = delta * up - 0.5 * chi * up * up
        alpha_i = alpha[i]
        if max(gain_L, gain_H) > 0:
            alpha_i = L if gain_L > gain_H else H
    return _updated(i, j, alpha_i, alpha, y, K, f, C, b)


@register_jitable
def kkt(alpha, y, f, C):
    """KKT_i (n,) = (C - alpha_i) max(0, 1 - y_i f_i) + alpha_i max(0, y_i f_i - 1): lab sheet, (2.3).

    Zero exactly where point i satisfies its optimality condition; the sum over i is the duality gap.

    >>> kkt(np.array([0.0, 1.0]), np.array([1.0, -1.0]), np.array([0.5, -1.25]), 2.0)
    array([1.  , 0.25])
    """
    r = y * f - 1.0
    room = np.minimum(C - alpha, 1e300)                                        # inf * 0 is not a number
    return room * np.maximum(-r, 0.0) + alpha * np.maximum(r, 0.0)


@njit()
def _take(pairs, alpha, y, K, f, C, b):
    """one_step for each row (i, j) of pairs."""
    for p in range(len(pairs)):
        alpha, f, b = one_step(pairs[p, 0], pairs[p, 1], alpha, y, K, f, C, b)
    return alpha, f, b


@njit()
def _partner(i, alpha, C, u):
    """The j != i that u in [0, 1) points to among the free variables (0 < alpha < C); among all where none is free."""
    n = len(alpha)
    others = np.flatnonzero((alpha > 0) & (alpha < C) & (np.arange(n) != i))
    if len(others) > 0:
        return others[int(u * len(others))]
    return (i + 1 + int(u * (n - 1))) % n


@njit()
def _sweep(first, alpha, y, K, f, C, b, tol, product, u, most):
    """Call one_step for the points from `first` on that violate their KKT condition by more than tol, `most` at most.

    Returns alpha, f, b, the number of calls, the point to go on with (n after the last), and the last pair.
    """
    n, calls, i, j = len(alpha), 0, first, -1
    while i < n and calls < most:
        r = y[i] * f[i] - 1.0
        room = alpha[i] if r > 0 else C[i] - alpha[i]
        error = abs(r) * (room if product else 1.0) if room > 0 else 0.0
        if error > tol:
            j = _partner(i, alpha, C, u[i])
            alpha, f, b = one_step(i, j, alpha, y, K, f, C, b)
            calls += 1
        i += 1
    return alpha, f, b, calls, i, (i - 1, j)


class _Steps:
    """The state of a run of smo_random or smo_kkt: alpha, f and b as one_step wants them, and the calls so far.

    one_step reads f - y only: with f = K beta + b - shift, shift = p - y, it takes the steps of any BoxProblem.
    """

    def __init__(self, problem: BoxProblem, solver: str, tol: float, max_iter: int | None, monitor: Monitor,
                 alpha0: np.ndarray | None) -> None:
        self.problem, self.solver, self.tol, self.monitor = problem, solver, tol, monitor
        self.max_iter = 10_000 if max_iter is None else int(max_iter)
        self.K, self.y, self.C = np.require(problem.K, requirements=["C", "W"]), problem.y, problem.C
        beta, self.shift = problem.start(alpha0), problem.p - problem.y
        self.alpha, self.f, self.b = problem.y * beta + 0.0, self.K @ beta - self.shift, 0.0
        self.n_iter, self.status = 0, "max_iter"
        if problem.hard.any() and not problem.separable():
            self.solution()                                    # raises NotSeparableError: no step needs to be tried

    def report(self, calls: int, pair: tuple[int, int]) -> bool:
        """Count calls of one_step, tell the monitor, if anybody listens, and say whether to stop."""
        self.n_iter += calls
        if not self.monitor.active:
            return False
        proof = self.proof()
        return self.monitor(n_iter=self.n_iter, objective=proof.objective, violation=proof.worst, pair=pair,
                            alpha=self.alpha)

    def proof(self) -> Certificate:
        """The certificate, from the f at hand."""
        return self.problem.certificate(self.alpha, self.f - self.b + self.shift)

    def solution(self) -> Solution:
        """Certify; b becomes the mean over 0 < alpha < C, or the midpoint of the KKT interval (erratum labsheet 3)."""
        return self.problem.solution(self.alpha, solver=self.solver, status=self.monitor.status or self.status,
                                     n_iter=self.n_iter, tol=self.tol, history=self.monitor.history)


def smo_random(problem: BoxProblem, *, tol: float = 1e-3, max_iter: int | None = None,
               callback: Callback | None = None, verbose: bool = False, history: bool | str = False,
               rng: int | np.random.Generator = 0, fixed_steps: bool = False,
               alpha0: np.ndarray | None = None) -> Solution:
    """SMO with random pairs i != j: lab sheet, Task 2.3.  It gets there, slowly: smo_kkt and smo choose.

    max_iter: calls of one_step, 10,000 where None, as in the task.  It stops at the tolerance, for which it looks
    every n calls; fixed_steps=True makes exactly max_iter calls.  rng: seed or generator of the pairs.  alpha0 (n,): a
    feasible start, 0 where None.
    callback(state) has n_iter, objective, violation, the last pair and alpha; history=True keeps every call.

    Returns a Solution, with a ConvergenceWarning where tol was not reached.  Raises NotSeparableError where C = inf
    has no solution.

    >>> from svmlib.dual import DualProblem
    >>> from svmlib.kernels import Linear
    >>> smo_random(DualProblem(Linear(), [[0.0], [2.0], [3.0]], [-1, 1, 1], C=10.0)).alpha.round(3)
    array([0.5, 0.5, 0. ])
    """
    run = _Steps(problem, "smo_random", tol, max_iter, Monitor("smo_random", callback, verbose, history), alpha0)
    rng, n = np.random.default_rng(rng), problem.n
    with run.monitor:
        while n > 1 and run.n_iter < run.max_iter:
            i = rng.integers(n, size=min(n, run.max_iter - run.n_iter))
            pairs = np.column_stack([i, (i + rng.integers(1, n, size=len(i))) % n])
            for some in pairs[:, None] if history else [pairs]:
                run.alpha, run.f, run.b = _take(some, run.alpha, run.y, run.K, run.f, run.C, run.b)
                if run.report(len(some), (int(some[-1, 0]), int(some[-1, 1]))):
                    break
            if run.monitor.status or (not fixed_steps and run.proof().worst <= tol):
                run.status = "optimal"
                break
        if fixed_steps and run.proof().worst <= tol:
            run.status = "optimal"
    return run.solution()


def smo_kkt(problem: BoxProblem, *, tol: float = 1e-3, max_iter: int | None = None, callback: Callback | None = None,
            verbose: bool = False, history: bool | str = False, rng: int | np.random.Generator = 0,
            product: bool = False, alpha0: np.ndarray | None = None) -> Solution:
    """SMO that sweeps over the points and takes those that violate their KKT condition: lab sheet, Task 2.5.

    i runs over all points; where the condition fails by more than tol, j is drawn from the free variables
    (0 < alpha_j < C), or from all where none is free.  A sweep without a call of one_step ends the search, or, where
    the certificate with a b of its own still finds more than tol, goes on at tol / 2.  The failure is y_i f_i - 1
    itself, in units of f; product=True multiplies it with the room that alpha_i has, which is KKT_i of (2.3), where
    a small C lets large errors pass, and a sweep without a call is the end.  (Demanding 0, as printed, may never
    end: erratum labsheet 4.)  max_iter: calls of one_step, 10,000 where None.  rng: seed or generator of j.  callback,
    history and alpha0 as in smo_random.

    Returns a Solution, with a ConvergenceWarning where tol was not reached.  Raises NotSeparableError where C = inf
    has no solution.

    >>> from svmlib.dual import DualProblem
    >>> from svmlib.kernels import Linear
    >>> smo_kkt(DualProblem(Linear(), [[0.0], [2.0], [3.0]], [-1, 1, 1], C=10.0)).alpha.round(3)
    array([0.5, 0.5, 0. ])
    """
    run = _Steps(problem, "smo_kkt", tol, max_iter, Monitor("smo_kkt", callback, verbose, history), alpha0)
    rng, n = np.random.default_rng(rng), problem.n
    with run.monitor:
        quiet = False                                          # whether the sweep so far has found nothing to do
        i, bound = n, tol
        while run.n_iter < run.max_iter:
            if i == n:
                # Without a free variable b may jump for ever past an interval of optimal values: then alpha decides.
                # The mean b of the certificate is within bound of the last b, so that half of tol is enough.
                if (quiet and (product or bound < tol)) or (run.n_iter and run.proof().worst <= tol):
                    run.status = "optimal"
                    break
                bound = 0.5 * tol if quiet else bound
                i, quiet, u = 0, True, rng.random(n)
            most = 1 if history else run.max_iter - run.n_iter
            run.alpha, run.f, run.b, calls, i, pair = _sweep(i, run.alpha, run.y, run.K, run.f, run.C, run.b,
                                                             bound, product, u, most)
            quiet &= calls == 0
            if calls and run.report(calls, (int(pair[0]), int(pair[1]))):
                break
    return run.solution()
