"""From an interior point to exact sets: the active-set method, started at the point with every alpha on its bound.

An interior-point method ends with 0 < alpha < C everywhere: on some data all 40 of 40 alpha exceed 1e-10 (erratum
report 21), so no fixed threshold tells support vectors.  Complementarity does: of alpha_i and its multiplier z_i,
product mu, one tends to 0 like mu and the other does not, so the smaller of the two, in its own unit, is the zero.
"""
from typing import Any

import numpy as np

from svmlib.dual import BoxProblem
from svmlib.engine.face import Face

#: Free points up to which their block is worth a factor.
MOST_FREE = 1500
#: Up to this relative gap an end of the interior-point method counts as near the optimum.
NEAR = 1e-6
#: How often a pair enters that should not have been put on its bounds.
ENTRIES = 20


def crossover(problem: BoxProblem, gram: Any, p: np.ndarray, alpha: np.ndarray, z_lower: np.ndarray,
              z_upper: np.ndarray) -> np.ndarray:
    """Exact solution (n,) near an interior point alpha, from the multipliers of alpha >= 0 and alpha <= C.

    gram and p (n,): K, with gram.times(beta) and gram.block(rows), and the linear term, centred or not.
    Each candidate is feasible.  Far from the optimum the one with the smallest gap is returned; near it the one that
    violates the KKT conditions least, and of those that only the rounding of K beta tells apart (data far from the
    origin), the one with exact sets.
    """
    rounding = np.finfo(float).eps * float(alpha.sum()) * float(np.abs(problem.diag).max())
    snapped = snap(problem, alpha, z_lower, z_upper)
    candidates = [walk(problem, gram, p, snapped, 1e-9 + 4.0 * rounding), snapped, repair(problem, alpha)]
    proofs = [problem.certificate(candidate) for candidate in candidates]
    best = min(range(3), key=lambda p: (proofs[p].gap, proofs[p].worst))
    if proofs[best].gap <= NEAR * abs(proofs[best].objective):
        least = min(proof.worst for proof in proofs)
        best = next(p for p, proof in enumerate(proofs) if proof.worst <= least + rounding)
    return candidates[best]


def walk(problem: BoxProblem, gram: Any, p: np.ndarray, alpha: np.ndarray, tol: float) -> np.ndarray:
    """The active-set method from alpha, ENTRIES entries long: the free points go to their optimum, then the pair that
    violates the KKT conditions most joins them.
    """
    lo, hi, beta, pair = problem.lo, problem.hi, problem.y * alpha, np.zeros(0, np.int64)
    F = gram.times(beta) - p
    for _ in range(ENTRIES + 1):
        free = np.union1d(np.flatnonzero((beta > lo) & (beta < hi)), pair)
        if len(free) > MOST_FREE:
            break
        face = Face(gram.block(free), F[free], lo[free], hi[free], beta[free], range(len(free)))
        while not face.settled and not face.unbounded:
            face.step(0.0)
        if len(pair) and np.array_equal(face.beta, beta[free]):
            break                                        # back where it was, and so it would be each time
        beta[free] = face.beta
        F = gram.times(beta) - p
        up, low = np.where(beta < hi, F, np.inf), np.where(beta > lo, F, -np.inf)
        pair = np.array([up.argmin(), low.argmax()])
        if low[pair[1]] - up[pair[0]] <= tol:
            break
    return repair(problem, problem.y * beta)


def snap(problem: BoxProblem, alpha: np.ndarray, z_lower: np.ndarray, z_upper: np.ndarray) -> np.ndarray:
    """Put alpha on the bounds that complementarity decides for, and y'alpha = total right again."""
    alpha = np.clip(alpha, 0.0, problem.C)
    unit = np.minimum(problem.C, max(float(alpha.max()), 1e-300))
    at_zero, at_C = alpha / unit < z_lower, (problem.C - alpha) / unit < z_upper
    return repair(problem, np.where(at_zero, 0.0, np.where(at_C, problem.C, alpha)))


def repair(problem: BoxProblem, alpha: np.ndarray) -> np.ndarray:
    """Nearest-at-hand alpha in the box with y'alpha = total, that leaves points at their bounds where it can.

    The excess of one class is taken from its free points, all in proportion; or else given to the free points of the
    other class, in proportion to their room; or else, if neither suffices, taken from the whole larger class, or given
    to all of the other one.
    """
    alpha = np.clip(alpha, 0.0, problem.C)
    for _ in range(2):                                   # the second pass removes the rounding of the first
        excess = float(problem.y @ alpha) - problem.total
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
        elif alpha[larger].sum() >= excess:
            alpha[larger] *= 1.0 - excess / alpha[larger].sum()
        else:
            room = problem.C[~larger] - alpha[~larger]
            alpha[~larger] += excess / room.sum() * room
    return alpha
