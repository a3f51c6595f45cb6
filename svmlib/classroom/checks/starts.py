"""Checks of chapter 16 that a fair comparison needs: one scale, several starts, and which of them to report."""
from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np

from svmlib.classroom.checks.core import Answer, Mistake, compare, task

CHAPTER = "16_svms_and_their_neighbours"


def clouds(count: int = 3, d: int = 2) -> list[tuple[np.ndarray, np.ndarray]]:
    """Points (9, d) away from the origin, with labels of unequal numbers."""
    cases = []
    for seed in range(count):
        rng = np.random.default_rng(seed)
        y = rng.permutation(np.repeat([-1.0, 1.0], [3, 6]))
        cases.append((rng.normal(size=(9, d)) + 0.8 * y[:, None] + 1.5, y))
    return cases


# ---- scales ----------------------------------------------------------------------------------------------------------
def standard(X: np.ndarray, T: np.ndarray, how: str = "") -> tuple[np.ndarray, np.ndarray]:
    """Both sets with the training set's means and deviations, or a known mistake."""
    def scaled(A: np.ndarray, by: np.ndarray) -> np.ndarray:
        s = by.std(axis=0, ddof=1 if how == "ddof" else 0)
        s = by.var(axis=0) if how == "variance" else s
        s = by.std() if how == "one-deviation" else s
        if how == "range":
            s = np.ptp(by, axis=0)
        if how == "all-columns":
            return np.asarray((A - by.mean()) / by.std())
        if how == "no-mean":
            return np.asarray(A / s)
        return np.asarray(A - by.mean(axis=0) if how == "no-deviation" else (A - by.mean(axis=0)) / s)

    if how == "rows":
        return standard(X.T, X.T)[0].T, standard(T.T, T.T)[0].T
    both = np.vstack([X, T])
    if how == "test-untouched":
        return scaled(X, X), T
    return scaled(X, both if how == "together" else X), scaled(T, {"together": both, "own": T}.get(how, X))


STANDARD = [Mistake(key, message, hint, partial(standard, how=key)) for key, message, hint in [
    ("together", "Means and deviations are those of training and test points together: the test points have entered "
     "the training.", "X.mean(axis=0), for both."),
    ("own", "The test points are scaled by their own mean and deviation: the same point means something else in "
     "training and in test.", "X.mean(axis=0), for both."),
    ("test-untouched", "The test points are not scaled: the machine would see points of another kind.",
     "The same shift and the same factor for both."),
    ("all-columns", "One mean and one deviation for all columns: their scales still differ.", "axis=0"),
    ("one-deviation", "All columns are divided by the same number: their scales still differ.", "std(axis=0)"),
    ("rows", "Each point is scaled by itself, each column should be.", "axis=0"),
    ("variance", "You divide by the variance.", "std"),
    ("range", "You divide by the range of the column; asked for is its deviation.", "std"),
    ("ddof", "The training columns should have the deviation 1 as np.std measures it, with 1/n.", "std(axis=0)"),
    ("no-mean", "The mean is not subtracted.", "(X - mean) / deviation"),
    ("no-deviation", "Only the mean is subtracted.", "(X - mean) / deviation"),
]]


@task(CHAPTER, "One scale for all coordinates", STANDARD)
def standardise(scale: Answer) -> str:
    """`standardise(X, T)` returns both arrays, scaled."""
    cases = []
    for seed in range(3):
        rng = np.random.default_rng(seed)
        units = np.array([0.01, 1.0, 300.0])
        cases.append(((rng.normal(size=(12, 3)) + 1) * units, (rng.normal(size=(5, 3)) * 2 - 0.5) * units))
    compare(scale, cases, standard, ("the training points", "the test points"), STANDARD)
    return "the training points decide."


# ---- several starts --------------------------------------------------------------------------------------------------
class RandomLine:
    """A machine to test with: a line that depends on its start and a little on the points."""

    def __init__(self, start: int) -> None:
        self.w = np.random.default_rng(start).normal(size=2) + 1.0

    def fit(self, X: np.ndarray, y: np.ndarray) -> "RandomLine":
        """Add the direction between the class means; returns self."""
        self.w = self.w + X[y > 0].mean(axis=0) - X[y < 0].mean(axis=0)
        self.b = -float(np.mean(X @ self.w))
        return self

    def predict(self, X: np.ndarray) -> np.ndarray:
        """Labels of the rows of X."""
        return np.where(X @ self.w + self.b > 0, 1.0, -1.0)


def over_starts(make: Callable[[int], Any], X: np.ndarray, y: np.ndarray, T: np.ndarray, t: np.ndarray,
                starts: list[int], how: str = "") -> tuple[float, float, float]:
    """Mean error, deviation over starts, mean disagreement of two starts; or a known mistake."""
    machines = [make(starts[0] if how == "one-start" else r).fit(X, y) for r in starts]
    A, a = (X, y) if how == "training" else (T, t)
    said = np.array([m.predict(A) for m in machines])
    errors = np.mean(said != a, axis=1)
    apart = np.mean(said[:, None] != said[None], axis=2)
    k = len(starts)
    pairs = apart[np.triu_indices(k, 1)]
    disagreement = {"with-itself": apart.mean(), "sum-of-pairs": pairs.sum(), "largest": pairs.max(),
                    "from-first": apart[0, 1:].mean(), "agreement": 1 - pairs.mean(),
                    "errors-apart": np.mean([abs(e - f) for i, e in enumerate(errors) for f in errors[:i]]),
                    "errors-signed": np.mean([e - f for i, e in enumerate(errors) for f in errors[:i]]),
                    "errors-reversed": np.mean([f - e for i, e in enumerate(errors) for f in errors[:i]]),
                    "errors-range": np.ptp(errors)}.get(how, pairs.mean())
    mean = {"best": errors.min(), "accuracy": 1 - errors.mean()}.get(how, errors.mean())
    return float(mean), float(errors.std(ddof=1 if how == "ddof" else 0)), float(disagreement)


STARTS = [Mistake(key, message, hint, partial(over_starts, how=key)) for key, message, hint in [
    ("best", "The first number is the best start's error. It was chosen by the test points, and so it is too good.",
     "The mean over all starts."),
    ("training", "These are numbers of the training points.", "Predict T, compare with t."),
    ("one-start", "All machines are the same: each run begins at the same start.", "make(r) inside the loop."),
    ("accuracy", "The first number is a mean accuracy; asked for is the mean error.", "!="),
    ("with-itself", "Error and deviation are right. The disagreement counts each machine with itself, which is 0.",
     "Pairs of different starts only."),
    ("sum-of-pairs", "Error and deviation are right. The disagreement is a sum over the pairs; take the mean.",
     "k (k - 1) / 2 pairs"),
    ("largest", "Error and deviation are right. This is the largest disagreement; asked for is the mean.", "np.mean"),
    ("from-first", "Error and deviation are right. Only pairs with the first start are counted.", "All pairs."),
    ("agreement", "Error and deviation are right. This is the share of points on which two starts agree.", "!="),
    *((key, "Error and deviation are right. Two machines of the same error may err at different points: "
       "compare their labels, not their errors.", "np.mean(said[i] != said[j])")
      for key in ("errors-apart", "errors-signed", "errors-reversed", "errors-range")),
    ("ddof", "The deviation is np.std's with 1/(n-1); asked for is the plain one, with 1/n.", "errors.std()"),
]]


@task(CHAPTER, "Report, section 6.8: several starts", STARTS)
def several_starts(measure: Answer) -> str:
    """`several_starts(make, X, y, T, t, starts)` returns mean error, deviation, mean disagreement."""
    cases = []
    for seed, (X, y) in enumerate(clouds()):
        rng = np.random.default_rng(90 + seed)
        t = rng.choice([-1.0, 1.0], 60)
        cases.append((RandomLine, X, y, rng.normal(size=(60, 2)) + 0.8 * t[:, None] + 1.5, t, [seed, 11, 12, 13, 14]))
    compare(measure, cases, over_starts, ("the mean error", "the deviation", "the disagreement"), STARTS)
    return "stability is a number, too."


def honest(validation: np.ndarray, test: np.ndarray, how: str = "") -> tuple[float, float]:
    """Place of the start that validation chooses, and its test error; or a known mistake."""
    best = int(np.argmin(test) if how in ("by-test", "best-test") else np.argmax(validation) if how == "worst"
               else np.argmin(validation + test) if how == "both" else np.argmin(validation))
    value = {"validation-error": validation[best], "mean": test.mean(), "lowest": test.min()}.get(how, test[best])
    return float(best), float(value)


HONEST = [Mistake(key, message, hint, partial(honest, how=key)) for key, message, hint in [
    ("by-test", "The start is chosen by its test error: then this error is no estimate any more.",
     "Choose by validation; look at the test error of that start only."),
    ("both", "The test errors take part in the choice.", "Choose by validation alone."),
    ("lowest", "The start is chosen rightly, but the error is the lowest of all tests, not that of the chosen start.",
     "test[best]"),
    ("validation-error", "This is the error by which the start was chosen. The lowest of several is too good.",
     "test[best]"),
    ("mean", "The start is right. This is the mean test error of all starts; asked for is that of the chosen one.",
     "test[best]"),
    ("worst", "This is the start with the largest error.", "argmin"),
]]


@task(CHAPTER, "Which start to report", HONEST)
def choose_start(choose: Answer) -> str:
    """`choose_start(validation, test)` returns the place of the chosen start and its test error."""
    cases = [(rng.permutation(8) / 50 + 0.05, rng.permutation(8) / 40 + 0.04)
             for rng in map(np.random.default_rng, (1, 2, 5, 8))]
    compare(choose, cases, honest, ("the start", "its error"), HONEST)
    return "the test points had no say."
