"""Checks of chapter 03: the dual value, the best mixture, the KKT conditions, and the span of Theorem 15.4."""
import numpy as np

from svmcourse.checking.mistakes import Cases, compared, generators

CHAPTER = "03_duality_and_kkt"


def multipliers(count: int = 4) -> list[tuple]:
    """Cases (alpha, X, y) with alpha >= 0 and y'alpha = 0, and zeros among them."""
    cases = []
    for rng in generators(count):
        y = np.repeat([-1.0, 1.0], 4)
        alpha = rng.uniform(0, 2, 8) * (rng.random(8) < 0.7)
        alpha[0], alpha[7] = 0.5, 0.75
        alpha[y > 0] *= alpha[y < 0].sum() / alpha[y > 0].sum()
        cases.append((alpha, rng.normal(size=(8, 2)) + y[:, None], y))
    return cases


# ---- the dual value --------------------------------------------------------------------------------------------------
@compared(CHAPTER, "The dual function", ("g",), "a lower bound of p* for every balanced alpha ≥ 0.")
def bound() -> Cases:
    """`g(alpha, X, y)` returns the dual value."""
    return multipliers()


# ---- the best mixture ------------------------------------------------------------------------------------------------
def pairs_of_multipliers() -> list[tuple]:
    """Cases (alpha, beta, X, y), both balanced: the best is between them, at beta, or at alpha."""
    cases = []
    for alpha, X, y in multipliers(8):
        w = X.T @ (alpha * y)
        near = alpha * alpha.sum() / (w @ w)                                # the best multiple
        other = np.roll(alpha.reshape(2, 4), 1, axis=1).ravel()             # within the classes: balanced as well
        cases += [(0.3 * near, 2.0 * other / other.sum() * near.sum(), X, y), (0.8 * near, 0.1 * near, X, y),
                  (0.5 * near, 0.8 * near, X, y), (1.1 * near, 1.4 * near, X, y)]
    return cases


@compared(CHAPTER, "The best mixture", ("t",), "no other mixture of the two gives a better bound.")
def best_mix() -> Cases:
    """`best_mix(alpha, beta, X, y)` returns t."""
    return pairs_of_multipliers()


# ---- the KKT conditions ----------------------------------------------------------------------------------------------
PARTS = ("the stationarity in w", "the stationarity in b", "the primal violation", "the dual violation",
         "the complementarity")


@compared(CHAPTER, "The KKT conditions as numbers", PARTS, "five zeros prove that a solution is optimal.")
def conditions() -> Cases:
    """`violations(alpha, w, b, X, y)` returns five numbers, each 0 where its condition holds.

    Candidates that violate this and that; w of a length that makes both kinds of slack.
    """
    cases = []
    for seed, rng in enumerate(generators(5)):
        alpha, X, y = multipliers(5)[seed]
        if seed == 0:                                       # primal feasible: widely apart, long w
            X = rng.normal(size=(8, 2)) + 9 * y[:, None]
            cases.append((alpha, np.array([0.5, 0.5]), 0.1, X, y))
            continue
        alpha = alpha + np.where(rng.random(8) < 0.3, -0.6, 0.0)
        cases.append((alpha, rng.normal(size=2), float(rng.normal()), X, y))
    alpha, *plane, X, y = cases[-1]
    return [*cases, *((alpha + 0.3 * (y == label), *plane, X, y) for label in (-1, 1))]      # y'alpha of either sign


# ---- Theorem 15.4 ----------------------------------------------------------------------------------------------------
@compared(CHAPTER, "Theorem 15.4, measured", ("the distance",), "right; for an optimal w it is 0.")
def span() -> Cases:
    """`span_distance(w, X, y)` returns the distance of w from the span of its support vectors.

    w is not optimal, in six dimensions; three points are on its margin to rounding, one is short of it, one as far on
    the wrong side, the others beyond.
    """
    for seed, rng in enumerate(generators(4)):
        w, y = rng.normal(size=6), np.array([-1.0, 1, 1, -1, 1, -1, 1, -1])[:5 + seed % 3]
        X = rng.normal(size=(len(y), 6))
        margin = np.where(np.arange(len(y)) < 3, 1.0 + 3e-9, 1.5 + rng.random(len(y)))
        margin[3:5] = 0.4, -1.0
        X += ((margin * y - X @ w) / (w @ w))[:, None] * w
        yield w, X, y
