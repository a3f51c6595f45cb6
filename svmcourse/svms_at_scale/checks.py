"""Checks of chapter 17: costs without a machine, one round of the growing working set, a linear machine without K."""
from collections.abc import Callable
from typing import Any

import numpy as np

from svmcourse.checking.core import Answer, Wrong, as_array
from svmcourse.checking.mistakes import Cases, Solved, compared, generator, judged

CHAPTER = "17_svms_at_scale"


# ---- bytes -----------------------------------------------------------------------------------------------------------
@compared(CHAPTER, "The matrix that does not fit", ("the matrix", "the triangle"),
          "28.8 GB for the training set of MNIST, and half of it is no way out.")
def matrix_gigabytes() -> Cases:
    """`gigabytes(n, each)` returns GB of K, and of its lower triangle with the diagonal."""
    return [(300, 8), (2000, 4), (60_000, 8)]


@compared(CHAPTER, "Rows in a cache", ("the rows",),
          "873 of 60,000 rows in the 200 MiB that scikit-learn allows by default.")
def rows_in_cache() -> Cases:
    """`rows_in_cache(n, mib, each)` returns how many whole rows of K the cache holds."""
    return [(60_000, 200, 4), (1000, 200, 8), (10_000, 100, 8), (50_000, 500, 4)]


# ---- the exponent ----------------------------------------------------------------------------------------------------
def measured(seed: int) -> tuple[np.ndarray, np.ndarray]:
    """Sizes and costs that follow a power law with some scatter."""
    rng = generator(seed)
    n = np.array([500.0, 1000.0, 3000.0, 10_000.0, 25_000.0])[: 5 - seed % 2]
    return n, (3.0, 0.5, 12.0)[seed] * n ** (1.58, 2.1, 1.2)[seed] * np.exp(0.15 * rng.normal(size=len(n)))


EXPONENT = Solved(CHAPTER, "exponent")


@judged(CHAPTER, "The exponent of a cost")
def exponent(fit: Answer) -> str:
    """`power_law(n, cost)` returns p and c of cost = c n^p."""
    cases = [measured(seed) for seed in range(3)]
    answers: list[Any] = [fit(*case) for case in cases]
    if all(isinstance(a, (tuple, list, np.ndarray)) and len(a) == 2 for a in answers):
        p = np.array([np.ravel(np.asarray(a[0], float))[0] for a in answers])
        for row in EXPONENT.rows[:6]:                              # those with another exponent, whatever c is
            if np.allclose(p, [EXPONENT.function(row)(*case)[0] for case in cases], rtol=1e-6):
                raise Wrong(row.key, row.message, row.hint)
        if np.allclose(p, [EXPONENT.function()(*case)[1] for case in cases], rtol=1e-6):
            raise Wrong("order", "c and p are exchanged.", "return p, c")
    EXPONENT.compare(fit, cases, ("p", "c"))
    return "a slope of logarithms."


# ---- one round -------------------------------------------------------------------------------------------------------
def state(seed: int, n: int = 12, C: float = 2.0) -> tuple[np.ndarray, np.ndarray, np.ndarray, float]:
    """F, alpha (some at 0, some at C, some between), y and C."""
    rng = generator(seed)
    alpha = rng.permutation(np.r_[np.zeros(n // 3), np.full(n // 3, C), rng.uniform(0.2, 0.8 * C, n - 2 * (n // 3))])
    return rng.permutation(np.linspace(-3, 3, n)) + 0.1 * rng.normal(size=n), alpha, np.sign(rng.normal(size=n)), C


@compared(CHAPTER, "One round, first step: who may move", ("up", "low"),
          "free points may do both, points at a bound one of the two.")
def movable() -> Cases:
    """`movable(alpha, y, C)` returns two masks: where beta = y alpha may grow, and where it may shrink."""
    return [state(seed)[1:] for seed in range(4)]


@compared(CHAPTER, "One round: the worst pair", ("i", "j", "the violation"),
          "the optimum is where no beta can grow at a smaller F than one can shrink.")
def worst_pair() -> Cases:
    """`worst_pair(F, alpha, y, C)` returns i, j and the violation."""
    cases = [state(seed) for seed in range(12)] + [(np.array([2.0, 3.0, 4.0]), np.array([0.5, 1.0, 0.2]),
                                                    np.array([1.0, 1.0, -1.0]), 1.0)]
    return cases + [(F + shift, alpha, y, C) for F, alpha, y, C in cases[:4] for shift in (-8.0, 8.0)]  # of one sign


def violators(seed: int, n: int = 40) -> tuple[np.ndarray, np.ndarray, float, int]:
    """Violations v, a working set S, the violation of the worst pair, and how many may join."""
    rng = generator(seed)
    v = rng.permutation(np.r_[rng.uniform(0.05, 2.5, 12), rng.uniform(-4, -0.01, n - 12)])
    S = rng.choice(n, 14, replace=False)
    v[S[:6]] = [1.9, 0.3, -0.02, -0.07, -0.31, -3.0]
    return v, S, (2.0, 0.2, 1.0, 0.4)[seed], (4, 30, 3, 5)[seed]


NEXT = Solved(CHAPTER, "learn")


@judged(CHAPTER, "One round: the next working set")
def learn(make: Answer) -> str:
    """`learn(v, S, worst, more)` returns the indices of the next working set, in any order."""
    cases = [violators(seed) for seed in range(4)]

    def whole(v: np.ndarray, S: np.ndarray, worst: float, more: int) -> np.ndarray:
        answer = as_array(make(v, S, worst, more), "the set", (None,))
        if (answer % 1).any() or ((answer < 0) | (answer >= len(v))).any():
            raise Wrong("indices", f"The set holds indices of points, whole numbers from 0 to {len(v) - 1}.",
                        "S[mask] are indices; v[mask] are violations.")
        if len(np.unique(answer)) < len(answer):
            raise Wrong("twice", "Some points are twice in the set: the matrix K(S, S) would be singular.",
                        "np.unique, or add only points outside of S.")
        return answer

    def sets(function: Callable) -> list[list]:
        return [sorted(function(*case)) for case in cases]

    got, expected = sets(whole), sets(NEXT.function())
    if got != expected:
        for row in NEXT.rows:
            if got == sets(NEXT.function(row)):
                raise Wrong(row.key, row.message, row.hint)
        missing = sum(len(np.setdiff1d(e, g)) for g, e in zip(got, expected, strict=True))
        raise Wrong("unknown", f"In the four tests {missing} points are missing in all; others are too many, or none.",
                    "Two parts: who stays, and who joins.")
    return "violators stay, the worst of the others join, who is clearly satisfied leaves."


# ---- a linear machine without K --------------------------------------------------------------------------------------
BY_W = Solved(CHAPTER, "through_w")


@judged(CHAPTER, "A linear machine without K")
def through_w(compute: Answer) -> str:
    """`through_w(X, y, alpha)` returns w and F = K beta - y, in memory and time proportional to n d."""
    def case(seed: int, n: int, d: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        rng = generator(seed)
        y = np.where(rng.random(n) < 0.5, -1.0, 1.0)
        return rng.normal(size=(n, d)), y, rng.choice([0.0, 0.3, 1.0], n)

    BY_W.compare(compute, [case(0, 7, 3), case(1, 5, 2), case(2, 9, 4)], ("w", "F"))
    try:
        BY_W.compare(compute, [case(3, 200_000, 2)], ("w", "F"))
    except Wrong as wrong:
        if wrong.key == "exception" and ("Memory" in wrong.message or "llocate" in wrong.message):
            raise Wrong("matrix") from None
        raise
    return "200,000 points in a blink: n d operations, and no matrix."
