"""Stationary points of the dual for an indefinite kernel, by a sequence of convex programs.

The convex-concave procedure (Yuille and Rangarajan, 2003) writes Q = (Q + mu I) - mu I with Q + mu I PSD and replaces
the concave part -mu/2 |alpha|^2 by its tangent at alpha_k:

    alpha_k+1 = argmin  1/2 alpha'(Q + mu I) alpha - (1 + mu alpha_k)'alpha    over the box and y'alpha = 0.

Each step raises the dual value W by mu/2 |alpha_k+1 - alpha_k|^2 or more, and a fixed point satisfies the KKT
conditions of Q itself.  The steps get short, so each is prolonged by an exact line search; negative curvature within
the free block is followed to a bound, and Newton steps finish.  All of them raise W, so the way is monotone.
"""
from __future__ import annotations

from collections.abc import Callable

import numpy as np

from svmlib.dual import DualProblem
from svmlib.solvers.crossover import block, centred, polish

__all__ = ["convex_concave", "negative_curvature"]

#: Convex programs after which a solution is returned unfinished.
MAX_PROGRAMS = 500


def negative_curvature(problem: DualProblem) -> float:
    """The shift mu >= 0 that makes K + mu I PSD: minus the smallest eigenvalue, 0 where that is rounding."""
    if problem.kernel.psd is True:
        return 0.0
    mu = -problem.smallest_eigenvalue()
    return mu if mu > 1e-10 * float(np.abs(problem.K).max()) else 0.0


def convex_concave(problem: DualProblem, mu: float, alpha: np.ndarray, tol: float,
                   solve: Callable[[np.ndarray, np.ndarray], np.ndarray | None]) -> np.ndarray:
    """alpha (n,) with KKT violation <= tol, or the last of MAX_PROGRAMS steps.

    solve(p, alpha) returns the minimiser of 1/2 a'(Q + mu I)a - p'a, found from alpha, or None to stop.
    """
    for _ in range(MAX_PROGRAMS):
        new = solve(1.0 + mu * alpha, alpha)
        if new is None:
            break
        new = _off_saddles(problem, _prolonged(problem, alpha, new))
        finer = polish(problem, new)
        if problem.objective(finer) >= problem.objective(new):
            new = finer
        still = np.array_equal(new, alpha)
        alpha = new
        if still or problem.violation(alpha).max() <= tol:
            break
    return alpha


def _prolonged(problem: DualProblem, old: np.ndarray, new: np.ndarray) -> np.ndarray:
    """new + s (new - old) with the s >= 0 that maximises W within the box."""
    d = new - old
    slope = float(problem.gradient(new) @ d)
    if slope <= 0:
        return new
    curvature = float((problem.y * d) @ problem.times_K(problem.y * d))
    return _along(problem, new, d, slope / curvature if curvature > 0 else np.inf)


def _off_saddles(problem: DualProblem, alpha: np.ndarray) -> np.ndarray:
    """Follow negative curvature to a bound until W is concave on the free block, so that Newton climbs there."""
    while True:
        free = np.flatnonzero((alpha > 0) & (alpha < problem.C))
        if len(free) < 2:
            return alpha
        K = block(problem, free)
        size = np.abs(K).max()                                                       # centring may leave only rounding
        values, vectors = np.linalg.eigh(centred(K))                                 # K on sum(step) = 0
        if values[0] >= -1e-9 * size:
            return alpha
        d = np.zeros(problem.n)
        d[free] = problem.y[free] * (vectors[:, 0] - vectors[:, 0].mean())
        d *= 1.0 if problem.gradient(alpha) @ d >= 0 else -1.0
        further = _along(problem, alpha, d, np.inf)
        if np.array_equal(further, alpha):
            return alpha
        alpha = further


def _along(problem: DualProblem, alpha: np.ndarray, d: np.ndarray, longest: float) -> np.ndarray:
    """alpha + s d with s = longest, or less where a bound is met, which is then met exactly."""
    with np.errstate(divide="ignore", invalid="ignore"):
        room = np.where(d > 0, (problem.C - alpha) / d, np.where(d < 0, -alpha / d, np.inf))
    first = int(room.argmin())
    s = min(float(room[first]), longest)
    if not np.isfinite(s):
        return alpha
    out = np.clip(alpha + s * d, 0.0, problem.C)
    if s == room[first]:
        out[first] = problem.C[first] if d[first] > 0 else 0.0
    return out
