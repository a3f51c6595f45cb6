"""SMO as the lab sheet teaches it: one exact step for a given pair, pairs at random, pairs by a KKT sweep (chapter 10).

Glossary as in svmlib.dual; for the pair (i, j), t the change of alpha_i (chapter 10, smo-gamma to smo-gain):

    eta     K_ii + K_jj - 2 K_ij, the curvature (chi on the sheet)
    delta   y_i ((f_j - y_j) - (f_i - y_i)), the slope
    gamma   y_i y_j alpha_i + alpha_j, which stays as it is
    L, H    the ends of the segment that the box leaves to alpha_i
    gain    W(t) - W(0) = delta t - eta t^2 / 2

The functions of one step are plain numpy.  `register_jitable` leaves them so, and lets the loops below, which are
compiled, call them: the same lines run in both.
"""
from collections.abc import Iterator
from typing import Any

import numpy as np
from numba.extending import register_jitable

from svmlib.compilation import njit
from svmlib.dual import BoxProblem
from svmlib.dual.certificate import Certificate
from svmlib.solvers.driver import State, Steps, solver
from svmlib.solvers.monitor import Monitor


# ---- one step -------------------------------------------------------------------------------------------------------
# printed in 10_smo
@register_jitable
def segment(i, j, alpha, y, C):
    """L and H, the ends for alpha_i, equations smo-gamma and smo-ends; C (n,): each point has its own bound."""
    gamma = y[i] * y[j] * alpha[i] + alpha[j]
    if y[i] == y[j]:
        return max(0.0, gamma - C[j]), min(gamma, C[i])
    return max(0.0, -gamma), min(C[i], C[j] - gamma)


# printed in 10_smo
@register_jitable
def best_value(now, delta, eta, L, H):
    """The best alpha_i in [L, H], equation smo-gain: the top of the parabola, or the better end if it has none."""
    if eta > 0:
        return min(max(now + delta / eta, L), H)
    if np.isinf(H):
        raise ValueError("C must be finite: equal points with two labels "
                         "let the dual grow for ever")
    gain_L = delta * (L - now) - 0.5 * eta * (L - now) ** 2
    gain_H = delta * (H - now) - 0.5 * eta * (H - now) ** 2
    if max(gain_L, gain_H) <= 0:
        return now  # no end is better: stay
    return L if gain_L > gain_H else H


# printed in 10_smo
@register_jitable
def snap(a, C, crumb):
    """a, or the bound that it should have reached: a crumb beside it would count as a margin vector."""
    return 0.0 if a < crumb else C if a > C - crumb else a


# printed in 10_smo
@register_jitable
def one_step(i, j, alpha, y, K, f, C, b):
    """Exact maximum of the dual over alpha_i and alpha_j: lab sheet, Algorithm 2.1, its branch chi <= 0 corrected.

    i != j: the pair.  alpha (n,) in [0, C] and f (n,) = K (y alpha) + b, the decision values at the training points.
    y (n,) in {-1, +1}.  K (n, n): Gram matrix.  C: bound, a number or (n,).  b: bias.  Nothing is changed in place.

    Returns the new (alpha, f, b).  The dual value rises by delta t - eta t^2 / 2 >= 0, and y' alpha stays as it was.
    For eta > 0 the parabola has its top at t = delta / eta, clipped to the segment.  Otherwise the top is an end: for
    eta = 0 the one that delta points to (the sheet prints the opposite one, erratum labsheet 1), for eta < 0, which
    takes an indefinite kernel, the better of the two (erratum labsheet 2).  Raises ValueError where C = inf lets the
    dual grow for ever: two equal points with different labels.

    >>> y, K = np.array([-1.0, 1.0]), np.array([[0.0, 0.0], [0.0, 4.0]])        # the points 0 and 2 on a line
    >>> alpha, f, b = one_step(0, 1, np.zeros(2), y, K, np.zeros(2), 10.0, 0.0)
    >>> alpha, f, float(b)
    (array([0.5, 0.5]), array([-1.,  1.]), -1.0)
    """
    C = C * np.ones(len(y))  # one bound per point
    delta = y[i] * ((f[j] - y[j]) - (f[i] - y[i]))
    eta = K[i, i] + K[j, j] - 2 * K[i, j]
    L, H = segment(i, j, alpha, y, C)
    a_i = best_value(alpha[i], delta, eta, L, H)
    a_j = alpha[j] - y[i] * y[j] * (a_i - alpha[i])
    crumb = 1e-14 * (alpha[i] + alpha[j] + a_i)
    a_i, a_j = snap(a_i, C[i], crumb), snap(a_j, C[j], crumb)
    f = f + y[i] * (a_i - alpha[i]) * K[i]
    f = f + y[j] * (a_j - alpha[j]) * K[j]
    alpha = alpha.copy()
    alpha[i], alpha[j] = a_i, a_j
    shift = -0.5 * (f[i] - y[i] + f[j] - y[j])
    return alpha, f + shift, b + shift  # f contains b, and moves with it


# ---- which pair ------------------------------------------------------------------------------------------------------
# printed in 10_smo
@register_jitable
def kkt(alpha, y, f, C):
    """KKT_i (n,) = (C - alpha_i) max(0, 1 - y_i f_i) + alpha_i max(0, y_i f_i - 1), equation soft-kkt.

    Zero exactly where point i satisfies its optimality condition; the sum over i is the duality gap.

    >>> kkt(np.array([0.0, 1.0]), np.array([1.0, -1.0]), np.array([0.5, -1.25]), 2.0)
    array([1.  , 0.25])
    """
    r = y * f - 1.0
    room = np.minimum(C - alpha, 1e300)                                        # inf * 0 is not a number
    return room * np.maximum(-r, 0.0) + alpha * np.maximum(r, 0.0)


# printed in 10_smo
@register_jitable
def partner(i, alpha, C, u):
    """Another free point, or any other: the one that u points to."""
    free = (alpha > 0) & (alpha < C)
    free[i] = False
    others = np.flatnonzero(free)
    if len(others) == 0:
        return (i + 1 + int(u * (len(alpha) - 1))) % len(alpha)
    return others[int(u * len(others))]


# printed in 10_smo
def random_pairs(K: np.ndarray, y: np.ndarray, C: Any, rng: np.random.Generator) -> Iterator[tuple]:
    """SMO with random pairs, Task 2.3, in plain numpy: alpha, f and b after each step, for ever."""
    alpha, f, b = np.zeros(len(y)), np.zeros(len(y)), 0.0
    while True:
        i, j = rng.choice(len(y), 2, replace=False)
        alpha, f, b = one_step(i, j, alpha, y, K, f, C, b)
        yield alpha, f, b


# printed in 10_smo
def kkt_sweeps(K: np.ndarray, y: np.ndarray, C: Any, tol: float, rng: np.random.Generator) -> Iterator[tuple]:
    """SMO by sweeps, Task 2.5, in plain numpy: alpha, f and b after each step, until a sweep finds nothing to do."""
    alpha, f, b = np.zeros(len(y)), np.zeros(len(y)), 0.0
    error, quiet = kkt(alpha, y, f, C), False
    while not quiet:
        quiet = True
        for i in range(len(y)):
            if error[i] > tol:
                j = partner(i, alpha, C, rng.random())
                alpha, f, b = one_step(i, j, alpha, y, K, f, C, b)
                error, quiet = kkt(alpha, y, f, C), False
                yield alpha, f, b


# ---- the same, compiled ----------------------------------------------------------------------------------------------
@njit()
def take(pairs, alpha, y, K, f, C, b):
    """The twin of random_pairs: one_step for each row (i, j) of pairs."""
    for p in range(len(pairs)):
        alpha, f, b = one_step(pairs[p, 0], pairs[p, 1], alpha, y, K, f, C, b)
    return alpha, f, b


@njit()
def sweep(first, alpha, y, K, f, C, b, tol, product, u, most):
    """The twin of kkt_sweeps, for the points from `first` on and `most` steps at most.

    product: KKT_i decides, else |y_i f_i - 1|.  Returns alpha, f, b, number of steps, next point (or n), last pair.
    """
    n, calls, i, j = len(alpha), 0, first, -1
    while i < n and calls < most:
        r = y[i] * f[i] - 1.0
        room = alpha[i] if r > 0 else C[i] - alpha[i]
        error = abs(r) * (room if product else 1.0) if room > 0 else 0.0
        if error > tol:
            j = partner(i, alpha, C, u[i])
            alpha, f, b = one_step(i, j, alpha, y, K, f, C, b)
            calls += 1
        i += 1
    return alpha, f, b, calls, i, (i - 1, j)


class Run:
    """Where a run of smo_random or smo_kkt stands: beta, and alpha, f and b as one_step wants them.

    one_step reads f - y only: with f = K beta + b - shift, shift = p - y, it takes the steps of any BoxProblem.
    """

    def __init__(self, problem: BoxProblem, beta: np.ndarray, monitor: Monitor) -> None:
        self.problem, self.beta, self.monitor, self.shift = problem, beta, monitor, problem.p - problem.y
        self.K, self.y, self.C = np.require(problem.K, requirements=["C", "W"]), problem.y, problem.C
        self.alpha, self.f, self.b = problem.y * beta + 0.0, self.K @ beta - self.shift, 0.0

    def after(self, steps: int, pair: tuple[int, int], alpha: np.ndarray, f: np.ndarray, b: float) -> State:
        """Note where these steps have led, and tell of it."""
        self.alpha, self.f, self.b = alpha, f, b
        self.beta[:] = self.y * alpha
        if not self.monitor.active:
            return {"steps": steps}
        proof = self.proof()
        return {"steps": steps, "objective": proof.objective, "violation": proof.worst,
                "pair": (int(pair[0]), int(pair[1]))}

    def proof(self) -> Certificate:
        """The certificate, from the f at hand."""
        return self.problem.certificate(self.alpha, self.f - self.b + self.shift)


@solver(max_iter=10_000, watched=True)
def smo_random(problem: BoxProblem, beta: np.ndarray, tol: float, monitor: Monitor, *,
               rng: int | np.random.Generator = 0, fixed_steps: bool = False) -> Steps:
    """SMO with random pairs i != j: lab sheet, Task 2.3.  It gets there, slowly: smo_kkt and smo choose.

    max_iter: calls of one_step, 10,000 where None, as in the task.  It stops at the tolerance, for which it looks
    every n calls; fixed_steps=True makes exactly max_iter calls.  rng: seed or generator of the pairs.  alpha0 (n,): a
    feasible start, 0 where None.
    callback(state) has n_iter, objective, violation, the last pair and alpha; history=True keeps every call.

    Returns a Solution, with a ConvergenceWarning short of tol.  Raises NotSeparableError where C = inf has no solution.

    >>> from svmlib.dual import DualProblem
    >>> from svmlib.kernels import Linear
    >>> smo_random(DualProblem(Linear(), [[0.0], [2.0], [3.0]], [-1, 1, 1], C=10.0)).alpha.round(3)
    array([0.5, 0.5, 0. ])
    """
    if problem.hard.any() and not problem.separable():
        return {"status": "max_iter"}                           # the certificate says so, and raises
    at, rng, n = Run(problem, beta, monitor), np.random.default_rng(rng), problem.n
    while n > 1 and (fixed_steps or not monitor.n_iter or at.proof().worst > tol):
        i = rng.integers(n, size=min(n, monitor.left))
        pairs = np.column_stack([i, (i + rng.integers(1, n, size=len(i))) % n])
        for some in pairs[:, None] if monitor.keep else [pairs]:
            yield at.after(len(some), some[-1], *take(some, at.alpha, at.y, at.K, at.f, at.C, at.b))


@solver(max_iter=10_000, watched=True)
def smo_kkt(problem: BoxProblem, beta: np.ndarray, tol: float, monitor: Monitor, *,
            rng: int | np.random.Generator = 0, product: bool = False) -> Steps:
    """SMO that sweeps over the points and takes those that violate their KKT condition: lab sheet, Task 2.5.

    i runs over all points; where the condition fails by more than tol, j is drawn from the free variables
    (0 < alpha_j < C), or from all where none is free.  A sweep without a call of one_step ends the search, or, where
    the certificate with a b of its own still finds more than tol, goes on at tol / 2.  The failure is y_i f_i - 1
    itself, in units of f; product=True multiplies it with the room that alpha_i has, which is KKT_i of (2.3), where
    a small C lets large errors pass, and a sweep without a call is the end.  (Demanding 0, as printed, may never
    end: erratum labsheet 4.)  max_iter: calls of one_step, 10,000 where None.  rng: seed or generator of j.  callback,
    history, alpha0, result and errors as in smo_random.

    >>> from svmlib.dual import DualProblem
    >>> from svmlib.kernels import Linear
    >>> smo_kkt(DualProblem(Linear(), [[0.0], [2.0], [3.0]], [-1, 1, 1], C=10.0)).alpha.round(3)
    array([0.5, 0.5, 0. ])
    """
    if problem.hard.any() and not problem.separable():
        return {"status": "max_iter"}                           # the certificate says so, and raises
    at, rng, bound, quiet = Run(problem, beta, monitor), np.random.default_rng(rng), tol, False
    # Without a free variable b may jump for ever past an interval of optimal values: then alpha decides.  The mean b of
    # the certificate is within bound of the last b, so that half of tol is enough.
    while not (quiet and (product or bound < tol)) and not (monitor.n_iter and at.proof().worst <= tol):
        bound = 0.5 * tol if quiet else bound
        i, quiet, u = 0, True, rng.random(problem.n)
        while i < problem.n:
            *state, calls, i, pair = sweep(i, at.alpha, at.y, at.K, at.f, at.C, at.b, bound, product, u,
                                           1 if monitor.keep else monitor.left)
            if calls:
                quiet = False
                yield at.after(calls, pair, *state)
