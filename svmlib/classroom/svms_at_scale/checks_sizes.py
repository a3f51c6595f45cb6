"""Checks of chapter 17 that need no machine: the bytes of K, its rows in a cache, and the exponent of a cost."""
from typing import Any

import numpy as np

from svmlib.classroom.checking.core import Answer, Wrong
from svmlib.classroom.checking.mistakes import Cases, Solved, compared, judged

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
    rng = np.random.default_rng(seed)
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
