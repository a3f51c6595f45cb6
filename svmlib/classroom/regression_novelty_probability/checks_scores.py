"""Checks of chapter 18: scores of points not seen, Platt's two numbers, and a product with a sparse matrix."""
from typing import Any

import numpy as np

from svmlib.classroom.checking.core import Answer, Mistake, Wrong, task
from svmlib.classroom.checking.mistakes import Solved

CHAPTER = "18_regression_novelty_probability"


# ---- probabilities ---------------------------------------------------------------------------------------------------
class Means:
    """A small machine to test with: the hyperplane halfway between the means of the classes."""

    def fit(self, X: Any, y: Any) -> "Means":
        """Keep the means."""
        X, y = np.asarray(X, float), np.asarray(y, float)
        plus, minus = X[y > 0].mean(axis=0), X[y < 0].mean(axis=0)
        self.w, self.b = plus - minus, (minus @ minus - plus @ plus) / 2
        return self

    def decision_function(self, X: Any) -> np.ndarray:
        """w'x + b of the rows of X."""
        return np.asarray(np.asarray(X, float) @ self.w + self.b)

    def predict(self, X: Any) -> np.ndarray:
        """Labels of the rows of X."""
        return np.where(self.decision_function(X) > 0, 1.0, -1.0)


SCORES = Solved(CHAPTER, "held_out")


@task(CHAPTER, "Probabilities, first step: scores of points not seen", SCORES.mistakes)
def held_out(score: Answer) -> str:
    """`held_out(machine, X, y, folds)` returns f of each point by a machine that has not seen it."""
    cases = []
    for seed in range(3):
        rng = np.random.default_rng(seed)
        y = rng.permutation(np.repeat([-1.0, 1.0], 20))
        cases.append((Means(), rng.normal(size=(40, 2)) + 0.4 * y[:, None], y, list(np.split(rng.permutation(40), 4))))
    SCORES.compare(score, cases, ("the scores",))
    return "each score is as honest as that of a fresh point."


PLATT = Solved(CHAPTER, "platt")


@task(CHAPTER, "Probabilities: Platt's two numbers", PLATT.mistakes)
def platt(fit: Answer) -> str:
    """`platt(f, y)` returns A and B of P(y = +1) = 1 / (1 + exp(A f + B)) by maximum likelihood."""
    cases = []
    for seed, (a, b) in enumerate(((1.3, 0.4), (0.6, -0.7), (2.0, 0.9))):
        rng = np.random.default_rng(seed)
        f = 1.5 * rng.normal(size=80)
        cases.append((f, np.where(rng.random(80) < 1 / (1 + np.exp(-a * f - b)), 1.0, -1.0)))
    PLATT.compare(fit, cases, ("A", "B"), tol=2e-3)
    return "two numbers turn scores into probabilities."


# ---- sparse rows -----------------------------------------------------------------------------------------------------
def sparse(seed: int, n: int = 7) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """A square matrix in CSR with an empty row in the middle, and a vector."""
    rng = np.random.default_rng(seed)
    A = np.round(rng.normal(size=(n, n)), 2) * (rng.random((n, n)) < 0.4)
    A[[0, n - 1], rng.integers(0, n, 2)] = 1.5                     # the first and the last row are not empty
    A[2 + seed] = 0
    rows, columns = np.nonzero(A)
    return A[rows, columns], columns, np.searchsorted(rows, np.arange(n + 1)), rng.normal(size=n)


PRODUCT = Solved(CHAPTER, "csr_product")
DENSE = Mistake("dense", "At 20,000 rows and 2,000,000 columns your function needs more memory than there is: it "
                "builds the whole matrix, 320 GB of zeros, for 60,000 entries.",
                "The entries of row i and their columns are in the slices indptr[i]:indptr[i + 1]; nothing else has to "
                "be multiplied.")


@task(CHAPTER, "A sparse matrix times a vector", [*PRODUCT.mistakes, DENSE])
def csr_product(multiply: Answer) -> str:
    """`csr_product(data, indices, indptr, w)` returns the matrix times w, also where it has no room as a whole."""
    PRODUCT.compare(multiply, [sparse(seed) for seed in range(3)], ("the product",))
    rng, m, n = np.random.default_rng(3), 20_000, 2_000_000
    large = rng.normal(size=3 * m), rng.integers(0, n, 3 * m), np.arange(0, 3 * m + 1, 3), rng.normal(size=n)
    try:
        PRODUCT.compare(multiply, [large], ("the product",))
    except Wrong as wrong:
        if wrong.key == "exception" and ("Memory" in wrong.message or "llocate" in wrong.message):
            raise DENSE.wrong() from None
        raise
    return "as many multiplications as there are entries."
