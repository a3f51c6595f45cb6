"""From an interior point to exact sets: which alpha are 0, which are C, and the free ones by one linear system.

An interior-point method ends with 0 < alpha < C everywhere: on some data all 40 of 40 alpha exceed 1e-10 (erratum
report 21), so no fixed threshold tells support vectors.  Complementarity does: of alpha_i and its multiplier z_i,
product mu, one tends to 0 like mu and the other does not, so the smaller of the two, in its own unit, is the zero.
"""
from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from scipy.linalg import lstsq

from svmlib.dual import DualProblem

__all__ = ["block", "centred", "crossover", "polish", "repair", "snap"]

#: Operations after which polishing ends with what it has: a degenerate problem may free many points, one at a time.
BUDGET = 4e9
#: Up to this relative gap an end of the interior-point method counts as near the optimum.
NEAR = 1e-6
#: How often a pair is freed that should not have been put on its bounds.
RELEASES = 20


def crossover(problem: DualProblem, alpha: np.ndarray, z_lower: np.ndarray, z_upper: np.ndarray) -> np.ndarray:
    """Exact solution (n,) near an interior point alpha, from the multipliers of alpha >= 0 and alpha <= C.

    Where complementarity has put a point on the wrong side, the pair that violates the KKT conditions most joins the
    free block, some times over.  Each candidate is feasible.  Far from the optimum the one with the smallest gap is
    returned; near it the one that violates the conditions least, and of those that only the rounding of K beta tells
    apart (data far from the origin), the one with exact sets.
    """
    rounding = np.finfo(float).eps * float(alpha.sum()) * float(np.abs(problem.diag).max())
    snapped = snap(problem, alpha, z_lower, z_upper)
    candidates = [polish(problem, snapped)]
    for _ in range(RELEASES):
        pair, violation = _worst_pair(problem, candidates[0])
        if violation <= 1e-9 + 4.0 * rounding:
            break
        freed = polish(problem, candidates[0], pair)
        if np.array_equal(freed, candidates[0]):         # back where it was, and so it would be each time
            break
        candidates.insert(0, freed)
    candidates += [snapped, repair(problem, alpha)]
    proofs = [problem._certificate(candidate) for candidate in candidates]
    best = min(range(len(proofs)), key=lambda p: (proofs[p].gap, proofs[p].worst))
    if proofs[best].gap <= NEAR * proofs[best].objective:
        least = min(proof.worst for proof in proofs)
        best = next(p for p, proof in enumerate(proofs) if proof.worst <= least + rounding)
    return candidates[best]


def _worst_pair(problem: DualProblem, alpha: np.ndarray) -> tuple[list[int], float]:
    """The pair that SMO would take next, and its violation max F over I_low - min F over I_up."""
    beta = problem.y * alpha
    F = problem.times_K(beta) - problem.y
    up, low = np.where(beta < problem.hi, F, np.inf), np.where(beta > problem.lo, F, -np.inf)
    i, j = int(up.argmin()), int(low.argmax())
    return [i, j], float(low[j] - up[i])


def snap(problem: DualProblem, alpha: np.ndarray, z_lower: np.ndarray, z_upper: np.ndarray) -> np.ndarray:
    """Put alpha on the bounds that complementarity decides for, and y'alpha = 0 right again."""
    alpha = np.clip(alpha, 0.0, problem.C)
    unit = np.minimum(problem.C, max(float(alpha.max()), 1e-300))
    at_zero, at_C = alpha / unit < z_lower, (problem.C - alpha) / unit < z_upper
    return repair(problem, np.where(at_zero, 0.0, np.where(at_C, problem.C, alpha)))


def repair(problem: DualProblem, alpha: np.ndarray) -> np.ndarray:
    """Nearest-at-hand alpha in the box with y'alpha = 0, that leaves points at their bounds where it can.

    The excess of one class is taken from its free points, all in proportion; or else given to the free points of the
    other class, in proportion to their room; or else, if neither suffices, taken from the whole larger class.
    """
    alpha = np.clip(alpha, 0.0, problem.C)
    for _ in range(2):                                   # the second pass removes the rounding of the first
        excess = float(problem.y @ alpha)
        larger = problem.y * np.sign(excess) > 0
        excess = abs(excess)
        if excess <= 1e-15 * float(alpha.sum()):
            break
        free = (alpha > 0) & (alpha < problem.C)
        down, up = larger & free, ~larger & free
        room = np.minimum(problem.C[up], 2.0 * alpha[up].max(initial=0.0)) - alpha[up]
        if alpha[down].sum() >= excess:
            alpha[down] *= 1.0 - excess / alpha[down].sum()
        elif room.sum() > excess and room.min() >= 0.0:
            alpha[up] += excess / room.sum() * room
        else:
            alpha[larger] *= max(0.0, 1.0 - excess / alpha[larger].sum())
    return alpha


def polish(problem: DualProblem, alpha: np.ndarray, also: Sequence[int] = ()) -> np.ndarray:
    """Newton steps on the free block F, each up to the first bound that it meets; also: points that are to join it.

        [ K_FF  1 ] [ step ]   [ -F_F ]        F = K beta - y, the gradient in beta = y alpha;
        [ 1'    0 ] [ b    ] = [   0  ]        least squares, as K_FF may be singular

    Steps with 1'step = 0 do not see K_FF lose its means, and its digits then measure distances, not how far away all
    points are.  What least squares leave over is orthogonal to all columns, so it is a direction without curvature that
    leads downhill (two points in the same place with different labels): it is followed to the first bound.
    """
    beta, lo, hi = problem.y * alpha, problem.lo, problem.hi
    inside = (alpha > 0) & (alpha < problem.C)
    inside[list(also)] = True
    free = np.flatnonzero(inside)
    spent = 0.0
    while len(free) >= 2 and (spent := spent + float(len(free)) ** 3) <= BUDGET:
        gradient = (problem.times_K(beta) - problem.y)[free]
        k = len(free)
        M = np.ones((k + 1, k + 1))
        K = block(problem, free)
        M[:k, :k] = centred(K)
        M[k, k] = 0.0
        cond = 1e-13 * max(1.0, float(np.abs(K).max() / np.abs(M).max()))       # below that, M is what K was rounded by
        rhs = np.r_[-gradient, 0.0]
        answer = lstsq(M, rhs, cond=cond, lapack_driver="gelsy")[0]
        step, rest = answer[:k], (rhs - M @ answer)[:k]
        endless = float(np.abs(rest).max()) > 1e-6 * max(1.0, float(np.abs(gradient).max()))
        step = rest if endless else step
        with np.errstate(divide="ignore", invalid="ignore"):
            room = np.where(step > 0, hi[free] - beta[free], lo[free] - beta[free]) / step
        room[step == 0] = np.inf
        first = int(room.argmin())
        if room[first] >= (np.inf if endless else 1.0):
            beta[free] += 0.0 if endless else step
            break
        beta[free] += room[first] * step
        beta[free[first]] = hi[free[first]] if step[first] > 0 else lo[free[first]]
        free = np.delete(free, first)
    return repair(problem, problem.y * beta)


def centred(K: np.ndarray) -> np.ndarray:
    """Gram matrix (n, n) of the same points with their mean in feature space as origin."""
    mean = K.mean(axis=0)
    return K - mean - mean[:, None] + mean.mean()


def block(problem: DualProblem, rows: np.ndarray) -> np.ndarray:
    """Gram block of some points, without forming the whole matrix."""
    if "K" in problem.__dict__:
        return problem.K[np.ix_(rows, rows)]
    return problem.kernel._block(problem.X[rows], problem.X[rows])
