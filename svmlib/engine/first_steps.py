"""The steps of svmlib.engine.pairs for a first small fit: in numpy, so that nobody waits for a compiler.

To compile pair_steps takes seconds, the hundred steps of a fit of forty points a few milliseconds in numpy.  So where
nothing is compiled yet, in memory or on disk, small problems are solved here: the same pairs, the same steps.
"""
from collections.abc import Callable
from typing import Any

import numpy as np

from svmlib.compilation import python_form

NEVER = -1e300             # stands for "not in the set": finite, so that sums stay ordinary numbers
PLAIN_STEPS = 500          # of one fit, from which on the compiler is worth its seconds


def plain_steps(gram: Any, point: Any, tol: float, most: int, step_length: Callable,
                moved: Callable) -> tuple[int, float, int, int]:
    """What pair_steps does, with the same arguments and results, and two of its parts; K must be whole, in float64."""
    (K, _, _, diag), (F, beta, lo, hi) = gram, point
    length, put = python_form(step_length), python_form(moved)
    floor = 1e-12 * (float(np.abs(diag).max()) or 1.0)
    curvature, i, j = 0.0, 0, 0
    for step in range(most):
        up, low = np.where(beta < hi, -F, NEVER), np.where(beta > lo, F, NEVER)
        first = int(up.argmax())
        row, minus_F = K[first % len(K)], up[first]
        gain = np.maximum(low + minus_F, 0.0) ** 2 / np.maximum(diag[first] + diag - 2 * row, floor)
        second = int(gain.argmax())
        if low[second] + minus_F <= tol and low.max() + minus_F <= tol:
            return step, curvature, i, j
        i, j = first, second
        eta = float(diag[i] + diag[j] - 2 * row[j])
        t = length(float(low[j] + minus_F), eta, floor,
                   min(hi[i] - beta[i], beta[j] - lo[j]), min(beta[i] - lo[i], hi[j] - beta[j]))
        beta[i], beta[j] = put(beta[i], t, lo[i], hi[i]), put(beta[j], -t, lo[j], hi[j])
        F += t * (row - K[j % len(K)])
        curvature = min(curvature, eta)
    return most, curvature, i, j
