"""Checks of chapter 18: scores of points not seen, Platt's two numbers, and a product with a sparse matrix."""
from functools import partial
from itertools import pairwise
from typing import Any

import numpy as np

from svmlib.classroom.checks.core import Answer, Mistake, Wrong, compare, task

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


def scores(machine: Any, X: np.ndarray, y: np.ndarray, folds: list, how: str = "") -> tuple[np.ndarray]:
    """f of each point by a machine that has not seen it, or a known mistake."""
    f, parts, everything = np.zeros(len(y)), [], np.arange(len(y))
    for k, fold in enumerate(folds):
        rest = np.setdiff1d(everything, fold)
        if how != "fitted-once" or k == 0:
            fit_on = {"training": everything, "exchanged": fold}.get(how, rest)
            machine.fit(X[fit_on], y[fit_on])
        f = np.zeros(len(y)) if how == "last" else f
        f[fold] = (machine.predict if how == "labels" else machine.decision_function)(X[fold])
        parts.append(f[fold])
    return (np.concatenate(parts) if how == "order" else y * f if how == "times-y" else f,)


SCORES = [Mistake(key, message, hint, partial(scores, how=key)) for key, message, hint in [
    ("training", "These are scores of points that the machine was trained on: there it has made an effort.",
     "Fit on the other folds only."),
    ("exchanged", "Training and left-out part are exchanged: each machine has seen just the points that it scores.",
     "Fit on all points but those of the fold."),
    ("order", "The scores come in the order of the folds; expected are they in that of the points.",
     "f[fold] = … puts each score into its place."),
    ("labels", "These are labels; a sigmoid needs the values of f.", "decision_function"),
    ("last", "Only the last fold has scores: the array is made anew in the loop.", "Make it before the loop."),
    ("fitted-once", "Only one machine was fitted: for the other folds it has seen their points.",
     "A fit for each fold."),
    ("times-y", "The scores are multiplied by y.", "f, not the margin y f."),
]]


@task(CHAPTER, "Probabilities, first step: scores of points not seen", SCORES)
def held_out(score: Answer) -> str:
    """`held_out(machine, X, y, folds)` returns f of each point by a machine that has not seen it."""
    cases = []
    for seed in range(3):
        rng = np.random.default_rng(seed)
        y = rng.permutation(np.repeat([-1.0, 1.0], 20))
        cases.append((Means(), rng.normal(size=(40, 2)) + 0.4 * y[:, None], y, list(np.split(rng.permutation(40), 4))))
    compare(score, cases, scores, ("the scores",), SCORES)
    return "each score is as honest as that of a fresh point."


def likeliest(f: np.ndarray, y: np.ndarray, how: str = "") -> tuple[float, float]:
    """A and B of P(+1) = 1 / (1 + exp(A f + B)) by maximum likelihood, or a known mistake; Newton's method."""
    target = (y > 0).astype(float)
    if how == "smoothed":
        plus, minus = np.sum(y > 0), np.sum(y < 0)
        target = np.where(y > 0, (plus + 1) / (plus + 2), 1 / (minus + 2))
    F = np.c_[f, np.ones(len(f))]
    if how == "line":
        return tuple(np.linalg.lstsq(F, y, rcond=None)[0])
    penalty = np.diag([1.0, 0.0]) if how == "penalised" else np.zeros((2, 2))
    if how == "no-B":
        F, penalty = F[:, :1], np.zeros((1, 1))
    v = np.zeros(F.shape[1])                                       # of the sigmoid 1 / (1 + exp(-v'F))
    for _ in range(40):
        p = 1 / (1 + np.exp(-F @ v))
        v = v + np.linalg.solve((F.T * (p * (1 - p))) @ F + penalty, F.T @ (target - p) - penalty @ v)
    A, B = -v if len(v) == 2 else (-v[0], 0.0)
    return (float(-A), float(-B)) if how == "sign" else (float(B), float(A)) if how == "order" else (float(A), float(B))


PLATT = [Mistake(key, message, hint, partial(likeliest, how=key)) for key, message, hint in [
    ("sign", "A and B have the wrong signs: with yours the probability of +1 falls where f grows.",
     "In the formula the exponent is A f + B, without a minus. So A is negative."),
    ("order", "A and B are exchanged.", "A multiplies f."),
    ("no-B", "B is 0 in your answer, and A alone is fitted.", "Two unknowns: minimise over both."),
    ("smoothed", "These are A and B for Platt's smoothed targets, such as 11/12 in the place of 1. They are a good "
     "idea; asked for are those of the labels as they are.", "The likelihood of y itself."),
    ("penalised", "A is drawn towards 0: your fit has a penalty on its size.", "scikit-learn's LogisticRegression has "
     "one by default; a large C takes it away."),
    ("line", "This is a straight line through the labels, no sigmoid.", "Minimise the log loss, not squares."),
]]


@task(CHAPTER, "Probabilities: Platt's two numbers", PLATT)
def platt(fit: Answer) -> str:
    """`platt(f, y)` returns A and B of P(y = +1) = 1 / (1 + exp(A f + B)) by maximum likelihood."""
    cases = []
    for seed, (a, b) in enumerate(((1.3, 0.4), (0.6, -0.7), (2.0, 0.9))):
        rng = np.random.default_rng(seed)
        f = 1.5 * rng.normal(size=80)
        cases.append((f, np.where(rng.random(80) < 1 / (1 + np.exp(-a * f - b)), 1.0, -1.0)))
    compare(fit, cases, likeliest, ("A", "B"), PLATT, tol=2e-3)
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


def product(data: np.ndarray, indices: np.ndarray, indptr: np.ndarray, w: np.ndarray,
            how: str = "") -> tuple[np.ndarray]:
    """The matrix times w, or a known mistake."""
    result = np.zeros(len(indptr) - 1)
    for i, (begin, end) in enumerate(pairwise(indptr)):
        row = slice(begin, max(begin, end - 1) if how == "last-lost" else end)
        entries, places = data[row], indices[row]
        if how == "transposed":
            result[places] += entries * w[i]
        elif how == "no-gather":
            result[i] = entries @ w[:len(entries)]
        elif how == "no-data":
            result[i] = w[places].sum()
        elif how == "reduceat" and begin == end:
            result[i] = data[begin] * w[indices[begin]]
        else:
            result[i] = entries @ w[places]
    return (np.cumsum(result) if how == "not-reset" else result,)


PRODUCT = [Mistake(key, message, hint, partial(product, how=key)) for key, message, hint in [
    ("last-lost", "The last entry of each row is left out.", "A slice ends before its second number: "
     "indptr[i]:indptr[i + 1]."),
    ("transposed", "This is the product with the transposed matrix.", "indices holds columns; indptr tells rows."),
    ("no-gather", "The entries of a row meet the first entries of w, not those of their columns.",
     "w[indices[begin:end]]"),
    ("no-data", "The values of the entries are left out, as if all were 1.", "data[begin:end]"),
    ("reduceat", "An empty row gets a value: np.add.reduceat gives that of the next row for an empty one.",
     "A row without entries gives 0."),
    ("not-reset", "The sum goes on from row to row.", "Each row begins at 0."),
]]
DENSE = Mistake("dense", "At 20,000 rows and 2,000,000 columns your function needs more memory than there is: it "
                "builds the whole matrix, 320 GB of zeros, for 60,000 entries.",
                "The entries of row i and their columns are in the slices indptr[i]:indptr[i + 1]; nothing else has to "
                "be multiplied.")


@task(CHAPTER, "A sparse matrix times a vector", [*PRODUCT, DENSE])
def csr_product(multiply: Answer) -> str:
    """`csr_product(data, indices, indptr, w)` returns the matrix times w, also where it has no room as a whole."""
    compare(multiply, [sparse(seed) for seed in range(3)], product, ("the product",), PRODUCT)
    rng, m, n = np.random.default_rng(3), 20_000, 2_000_000
    large = rng.normal(size=3 * m), rng.integers(0, n, 3 * m), np.arange(0, 3 * m + 1, 3), rng.normal(size=n)
    try:
        compare(multiply, [large], product, ("the product",))
    except Wrong as wrong:
        if wrong.key == "exception" and ("Memory" in wrong.message or "llocate" in wrong.message):
            raise DENSE.wrong() from None
        raise
    return "as many multiplications as there are entries."
