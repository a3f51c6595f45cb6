"""The steps of svmlib.engine.pairs for a first small fit: in numpy, so that nobody waits for a compiler.

To compile pair_steps and newton_steps takes many seconds, the hundreds of steps of a fit of two hundred points some
milliseconds in numpy.  So where nothing is compiled yet, in memory or on disk, small problems are solved here, by the
same pairs and the same steps, until a process has spent about a second on it: the compiler is then worth its time.
"""
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import numpy as np

from svmlib.compilation import put_off, python_form

NEVER = -1e300             # stands for "not in the set": finite, so that sums stay ordinary numbers
PLAIN_POINTS, PLAIN_STEPS = 500, 25_000      # largest problem; pair steps of a process, of some 40 microseconds each
account = SimpleNamespace(spent=0.0)         # of these steps so far; two threads may lose a few


def unready(n: int, function: Any) -> bool:
    """Whether a problem of n variables ends sooner in numpy, because the function would have to be compiled first."""
    return n <= PLAIN_POINTS and account.spent < PLAIN_STEPS and put_off(function)


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
            account.spent += step
            return step, curvature, i, j
        i, j = first, second
        eta = float(diag[i] + diag[j] - 2 * row[j])
        t = length(float(low[j] + minus_F), eta, floor,
                   min(hi[i] - beta[i], beta[j] - lo[j]), min(beta[i] - lo[i], hi[j] - beta[j]))
        beta[i], beta[j] = put(beta[i], t, lo[i], hi[i]), put(beta[j], -t, lo[j], hi[j])
        F += t * (row - K[j % len(K)])
        curvature = min(curvature, eta)
    account.spent += most
    return most, curvature, i, j


def plain_newton(gram: Any, point: Any, paid: float, most: int, ridge: float, price: Callable) -> tuple[int, float]:
    """What newton_steps does, with the same arguments and results, and two of its parts; K must be whole."""
    K, (F, beta, lo, hi) = gram[0], point
    face = np.flatnonzero((lo < beta) & (beta < hi))
    k, rows, cost = len(face), face % len(K), price(len(face), len(F))
    if cost > paid:
        return -1, cost
    account.spent += cost
    A, G, before, left, steps = K[rows][:, rows], F[face], beta[face], np.arange(k), 0
    c = float(np.abs(A.diagonal()).max(initial=0.0))
    H = A + c + 2.0 * ridge * c * np.eye(k)
    if c < 1e-280 or np.linalg.eigvalsh(H)[0] <= 0.0:           # its ridge would be no number; an indefinite kernel
        return 0, cost
    while steps < most and len(left) > 1:
        u, v = np.linalg.solve(H[left][:, left], np.array([-G[left], np.ones(len(left))]).T).T
        u -= u.sum() / v.sum() * v
        u -= u.mean()
        bound = np.where(u > 0.0, hi[face[left]], lo[face[left]])
        room = np.divide(bound - beta[face[left]], u, out=np.full(len(u), np.inf), where=u != 0.0)
        h, step = int(room.argmin()), min(float(room.min()), 1.0)
        beta[face[left]] += step * u
        G += A[:, left] @ (step * u)
        steps += 1
        if room[h] >= 1.0:
            break
        beta[face[left[h]]] = bound[h]
        left = np.delete(left, h)
    F += np.resize((beta[face] - before) @ K[rows], len(F))
    return steps, cost
