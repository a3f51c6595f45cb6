"""The certificate: what alpha is worth by the KKT conditions alone, whatever solver it came from.

Plain loops over the points, compiled: a small fit costs less than a dozen calls of numpy.  Points count as svmlib.dual
names them: positive, alpha > 0, and below, alpha < C; an alpha within 1e-8 of a bound is at the bound.
"""
from math import isnan
from typing import Any, NamedTuple

import numpy as np
from numba.extending import register_jitable

from svmlib.compilation import is_cold, njit

ULP = 2.0 ** -50           # a few roundings of a sum of three numbers, relative
FEW_POINTS = 1000          # over which a loop takes milliseconds in plain Python, and most of a second to be compiled


class Certificate(NamedTuple):
    """Bias, dual value, KKT violation of each point (n,) in units of f, the largest of them, and the duality gap."""

    b: float
    objective: float
    violation: np.ndarray
    worst: float
    gap: float


def sooner(loop: Any, n: int) -> Any:
    """A compiled loop over n points, or its Python form where they are few and it would have to be compiled first."""
    return loop.py_func if n <= FEW_POINTS and is_cold(loop) else loop


@register_jitable
def _slack(alpha):
    """How close to a bound counts as on it."""
    largest = 1e-300
    for value in alpha:
        largest = max(largest, value)
    return 1e-8 * largest


@register_jitable
def _bias(y, C, p, alpha, g):
    """Mean of p - g over 0 < alpha < C: each of these is the bias with which the gradient of a free point is zero.

    Without such points, the midpoint of the interval that the others leave, or its one end.
    """
    slack = _slack(alpha)
    total, count, least, most = 0.0, 0, -np.inf, np.inf
    for i in range(len(y)):
        edge = min(slack, 1e-8 * C[i])
        positive, below = alpha[i] > edge, alpha[i] < C[i] - edge
        fit = p[i] - g[i]
        if positive and below:
            total += fit
            count += 1
        if below if y[i] > 0 else positive:
            least = max(least, fit)
        if positive if y[i] > 0 else below:
            most = min(most, fit)
    if count > 0:
        return total / count
    return least if most == np.inf else most if least == -np.inf else 0.5 * (least + most)


@njit()
def evaluate(y, C, p, alpha, g, b, known, violation):
    """The numbers of certificate; violation (n,) is filled.  Returns floats only: see certificate.

    known: whether b is given; a NaN in its place would not reach this loop from compiled code that has no NaN.
    """
    slack = _slack(alpha)
    if not known:
        b = _bias(y, C, p, alpha, g)
    smallest = np.inf                                              # margin of the points with C = inf
    for i in range(len(y)):
        if C[i] == np.inf:
            smallest = min(smallest, y[i] * (g[i] + b))
    s = max(1.0, 1.0 / smallest) if smallest > 0.0 else 1.0
    linear = quadratic = worst = gap = 0.0
    for i in range(len(y)):
        edge, margin, target = min(slack, 1e-8 * C[i]), y[i] * (g[i] + b), y[i] * p[i]
        over, under = max(margin - target, 0.0), max(target - margin, 0.0)
        violation[i] = max(over if alpha[i] > edge else 0.0, under if alpha[i] < C[i] - edge else 0.0)
        worst = max(worst, violation[i])
        linear += alpha[i] * target
        quadratic += alpha[i] * y[i] * g[i]
        gap += alpha[i] * max(s * margin - target, 0.0)
        if C[i] < np.inf:
            gap += (C[i] - alpha[i]) * max(target - s * margin, 0.0)
    if not smallest > 0.0:
        gap = np.inf
    elif s > 1.0:
        gap += 0.5 * (s - 1.0) ** 2 * quadratic
    return b, linear - 0.5 * quadratic, worst, gap


def certificate(y: np.ndarray, C: np.ndarray, p: np.ndarray, alpha: np.ndarray, g: np.ndarray,
                b: float = np.nan) -> Certificate:
    """How good alpha is: its bias, dual value, KKT violations and duality gap, by which every solver is judged.

    g = K beta with beta = y alpha; all arrays (n,) float64.  b = nan stands for the best bias.

    With r = y (g + b - p), which for a classifier (p = y) is y f - 1:

        violation_i = max(0, r_i where alpha_i > 0, -r_i where alpha_i < C_i)
        gap         = sum_i alpha_i max(0, r_i) + (C_i - alpha_i) max(0, -r_i)

    Where C_i = inf (classifiers only) a point with r < 0 is infeasible, so (w, b) is lengthened by s = 1 / min y f, to
    r = s y f - 1, which adds (s - 1)^2 |w|^2 / 2 to the gap; it is inf where such a point is misclassified.

    >>> y, C = np.array([-1.0, 1.0]), np.array([10.0, 10.0])
    >>> certificate(y, C, y, np.array([0.5, 0.5]), np.array([0.0, 2.0]))         # x = 0 and 2, linear kernel: w = 1
    Certificate(b=-1.0, objective=0.5, violation=array([0., 0.]), worst=0.0, gap=0.0)
    """
    # Packed here: a Ctrl-C that arrives while numba makes a tuple with a name, or an array, ends the process.
    violation = np.empty(len(y))
    b, objective, worst, gap = sooner(evaluate, len(y))(y, C, p, alpha, g, b, not isnan(b), violation)
    return Certificate(float(b), float(objective), violation, float(worst), float(gap))


@register_jitable
def error_of(kernel, n):
    """How far (K beta)_i may be off, relative to kappa_i |beta kappa| with kappa_i = sqrt(k(x_i, x_i)).

    kernel: units of 2^-53 kappa_i kappa_j by which a kernel value may be off; n: terms of the sum.  |k(x, z)| <=
    sqrt(k(x, x) k(z, z)), and rounding errors have any sign, so that they add up like a root of squares (Higham and
    Mary 2019); twice that, because the largest of all that were tried came to half of it.
    """
    return 2.0 ** -52 * (kernel + 2.0 + 2.0 * np.sqrt(n))


@njit()
def upper_gap(y, C, p, total, alpha, g, b, error):
    """A bound of the duality gap in spite of rounding: the sum of certificate, with each term as large as it may be.

    error (n,): how far g_i = (K beta)_i may be off.  To it come the rounding of r itself, that of the sum, and what is
    left of y'alpha - total, which is 0 on paper only: to restore it costs |b| for each unit, in the primal and the dual
    value.
    """
    n, left, lost, largest = len(y), -total, 0.0, 0.0
    smallest = np.inf                                   # margin of the points with C = inf, as small as it may be
    for i in range(n):
        term = y[i] * alpha[i]
        after = left + term                             # exact: what the sum loses is added up beside it
        part = after - left
        lost += (left - (after - part)) + (term - part)
        left = after
        off = error[i] + ULP * (abs(g[i]) + abs(b) + abs(p[i]))
        largest = max(largest, abs(p[i] - g[i]))
        if C[i] == np.inf:
            smallest = min(smallest, y[i] * (g[i] + b) - off)
    s = max(1.0, 1.0 / smallest) if smallest > 0.0 else 1.0
    gap = quadratic = 0.0
    for i in range(n):
        off = s * (error[i] + ULP * (abs(g[i]) + abs(b) + abs(p[i])))
        r = s * y[i] * (g[i] + b) - y[i] * p[i]
        gap += alpha[i] * max(r + off, 0.0)
        if C[i] < np.inf:
            gap += (C[i] - alpha[i]) * max(off - r, 0.0)
        quadratic += alpha[i] * (y[i] * g[i] + error[i])
        gap += 2.0 ** -56 * alpha[i] * abs(p[i])            # also where each term is exactly 0, for whoever sums again
    if not smallest > 0.0:
        return np.inf
    gap += 0.5 * (s - 1.0) ** 2 * quadratic + (abs(left + lost) + ULP * abs(lost)) * (2.0 * abs(b) + largest)
    return gap * (1.0 + ULP * (n + 10))


@njit()
def settle(alpha, C):
    """The loop of settled, in place."""
    rounding = 1e-7 * _slack(alpha)
    for i in range(len(alpha)):
        if not alpha[i] > rounding:
            alpha[i] = 0.0
        elif not alpha[i] < C[i] - rounding:
            alpha[i] = C[i]


def bounded_gap(y: np.ndarray, C: np.ndarray, p: np.ndarray, total: float, alpha: np.ndarray, g: np.ndarray, b: float,
                error: np.ndarray) -> float:
    """upper_gap of arrays (n,) float64, as a float.

    >>> y, C = np.array([-1.0, 1.0]), np.array([10.0, 10.0])
    >>> bounded_gap(y, C, y, 0.0, np.array([0.5, 0.5]), np.array([0.0, 2.0]), -1.0, np.full(2, 1e-15)) < 1e-13
    True
    """
    return float(sooner(upper_gap, len(y))(y, C, p, float(total), alpha, g, b, error))


def settled(alpha: np.ndarray, C: np.ndarray) -> np.ndarray:
    """alpha in the box; what a rounding error has left beside a bound lies on it, and is neither free nor support.

    Where one step takes two alpha to their bounds, one of the two may miss its own by such an error.

    >>> settled(np.array([-1e-20, 0.5, 1.0 - 1e-16]), np.ones(3))
    array([0. , 0.5, 1. ])
    """
    alpha = np.array(alpha, dtype=np.float64)
    sooner(settle, len(alpha))(alpha, C)
    return alpha


def violating_pair(F: np.ndarray, beta: np.ndarray, lo: np.ndarray, hi: np.ndarray) -> tuple[int, int, float, float]:
    """The pair that violates the KKT conditions most: i of the least F on I_up, j of the largest on I_low; both F.

    Where a set is empty, its F is inf, or -inf.
    """
    up, low = np.where(beta < hi, F, np.inf), np.where(beta > lo, F, -np.inf)
    i, j = int(up.argmin()), int(low.argmax())
    return i, j, float(up[i]), float(low[j])
