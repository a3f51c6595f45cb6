"""From an interior point to exact sets: the active-set method, started at the point with every alpha on its bound.

An interior-point method ends with 0 < alpha < C everywhere: on some data all 40 of 40 alpha exceed 1e-10 (erratum
report 21), so no fixed threshold tells support vectors.  Complementarity does: of alpha_i and its multiplier z_i,
product mu, one tends to 0 like mu and the other does not, so the smaller of the two, in its own unit, is the zero.
"""
from itertools import islice
from typing import Any

import numpy as np

from svmlib.dual import BoxProblem
from svmlib.dual.certificate import violating_pair
from svmlib.engine.face import Face
from svmlib.solvers.active_set import walk

MOST_FREE = 1500           # free points up to which their block is worth a factor
NEAR_OPTIMUM = 1e-6        # relative gap up to which an end of the interior-point method counts as near the optimum
ENTRIES = 20               # how often a pair joins that should not have been put on its bounds


def crossover(problem: BoxProblem, gram: Any, p: np.ndarray, alpha: np.ndarray, z_lower: np.ndarray,
              z_upper: np.ndarray) -> np.ndarray:
    """Exact solution (n,) near an interior point alpha, from the multipliers of alpha >= 0 and alpha <= C.

    gram and p (n,): K, with gram.times(beta) and gram.block(rows), and the linear term, centred or not.
    All candidates are feasible.  Far from the optimum that of the smallest gap is returned; near it that of the least
    KKT violation, and of those that only the rounding of K beta tells apart (data far from 0), that of exact sets.
    """
    rounding = np.finfo(float).eps * float(alpha.sum()) * float(np.abs(problem.diag).max())
    snapped = decided(problem, alpha, z_lower, z_upper)
    candidates = [polish(problem, gram, p, snapped, 1e-9 + 4.0 * rounding), snapped, problem.feasible(alpha)]
    proofs = [problem.certificate(candidate) for candidate in candidates]
    best = min(range(3), key=lambda p: (proofs[p].gap, proofs[p].worst))
    if proofs[best].gap <= NEAR_OPTIMUM * abs(proofs[best].objective):
        least = min(proof.worst for proof in proofs)
        best = next(p for p, proof in enumerate(proofs) if proof.worst <= least + rounding)
    return candidates[best]


def polish(problem: BoxProblem, gram: Any, p: np.ndarray, alpha: np.ndarray, tol: float) -> np.ndarray:
    """The active-set method from alpha, on the free points and, ENTRIES times, the pair that violates KKT most."""
    lo, hi, beta = problem.lo, problem.hi, problem.y * alpha
    for joined in range(ENTRIES):
        F = gram.times(beta) - p
        i, j, least, most = violating_pair(F, beta, lo, hi)
        rows = np.union1d(np.flatnonzero((beta > lo) & (beta < hi)), [i, j])
        if (joined and most - least <= tol) or len(rows) > MOST_FREE:
            break
        K, before = gram.block(rows), beta[rows]
        rest = F[rows] - K @ before                       # what the points outside add to the gradient
        face = Face(K, -rest, lo[rows], hi[rows], before.copy())
        # A few steps only: from an interior point that has stopped far away, getting there is not the task here.
        for _ in islice(walk(face, tol, 0.0), 2 + len(rows)):
            pass
        if np.array_equal(face.beta, before):
            break                                        # nothing moved, and so it would be each time
        beta[rows] = face.beta
    return problem.feasible(problem.y * beta)


def decided(problem: BoxProblem, alpha: np.ndarray, z_lower: np.ndarray, z_upper: np.ndarray) -> np.ndarray:
    """Put alpha on the bounds that complementarity decides for, and y'alpha = total right again."""
    alpha = np.clip(alpha, 0.0, problem.C)
    unit = np.minimum(problem.C, max(float(alpha.max()), 1e-300))
    at_zero, at_C = alpha / unit < z_lower, (problem.C - alpha) / unit < z_upper
    return problem.feasible(np.where(at_zero, 0.0, np.where(at_C, problem.C, alpha)))
