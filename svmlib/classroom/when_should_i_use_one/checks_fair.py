"""Checks of chapter 16 that real data need: a scaler inside the folds, and four scores where one class is rare."""

import numpy as np

from svmlib.classroom.checking.core import Answer, task
from svmlib.classroom.checking.mistakes import Solved
from svmlib.classroom.when_should_i_use_one.checks_starts import CHAPTER


# ---- the scaler inside the folds -------------------------------------------------------------------------------------
class Nearest:
    """A machine to test with: the label of two of the three nearest training points."""

    def fit(self, X: np.ndarray, y: np.ndarray) -> "Nearest":
        """Keep the points; returns self."""
        self.X, self.y = X.copy(), y.copy()
        return self

    def predict(self, X: np.ndarray) -> np.ndarray:
        """Labels of the rows of X."""
        near = np.argsort(((X[:, None] - self.X[None]) ** 2).sum(axis=2), axis=1)[:, :3]
        return np.sign(self.y[near].sum(axis=1))


FOLDS = Solved(CHAPTER, "fold_errors")


@task(CHAPTER, "The scaler inside the folds", FOLDS.mistakes)
def fold_errors(errors: Answer) -> str:
    """`fold_errors(make, X, y, folds)` returns the error of each fold."""
    cases = []
    for seed in range(3):
        rng = np.random.default_rng(seed)
        y = rng.permutation(np.repeat([-1.0, 1.0], [14, 16]))
        X = (rng.normal(size=(30, 3)) + 0.7 * y[:, None]) * np.array([1.0, 5.0, 300.0])
        X[rng.integers(30), 0] = 40.0                       # scaled with this point, the others are hard to tell apart
        X[rng.integers(30), 2] = -9000.0
        cases.append((Nearest, X, y, np.array_split(rng.permutation(30), 3)))
    FOLDS.compare(errors, cases, ("the errors of the folds",))
    return "no fold had a say in its own scale."


# ---- one class is rare -----------------------------------------------------------------------------------------------
SCORES = Solved(CHAPTER, "rare_scores")


@task(CHAPTER, "Four scores for a rare class", SCORES.mistakes)
def rare_scores(scores: Answer) -> str:
    """`rare_scores(y, said)` returns accuracy, recall, precision, balanced accuracy."""
    cases = []
    for seed in range(3):
        rng = np.random.default_rng(seed)
        y = rng.permutation(np.repeat([-1.0, 1.0], [52, 8 + seed]))
        said = np.where(rng.uniform(size=len(y)) < 0.2, -y, y)
        cases.append((y, said))
    SCORES.compare(scores, cases, ("the accuracy", "the recall", "the precision", "the balanced accuracy"))
    return "one number would have hidden three."
