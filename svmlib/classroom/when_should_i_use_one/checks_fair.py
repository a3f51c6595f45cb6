"""Checks of chapter 16 that real data need: a scaler inside the folds, and four scores where one class is rare."""

import numpy as np

from svmlib.classroom.checking.mistakes import Cases, compared, generators
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


@compared(CHAPTER, "The scaler inside the folds", ("the errors of the folds",), "no fold had a say in its own scale.")
def fold_errors() -> Cases:
    """`fold_errors(make, X, y, folds)` returns the error of each fold."""
    for rng in generators(3):
        y = rng.permutation(np.repeat([-1.0, 1.0], [14, 16]))
        X = (rng.normal(size=(30, 3)) + 0.7 * y[:, None]) * np.array([1.0, 5.0, 300.0])
        X[rng.integers(30), 0] = 40.0                       # scaled with this point, the others are hard to tell apart
        X[rng.integers(30), 2] = -9000.0
        yield Nearest, X, y, np.array_split(rng.permutation(30), 3)


# ---- one class is rare -----------------------------------------------------------------------------------------------
@compared(CHAPTER, "Four scores for a rare class",
          ("the accuracy", "the recall", "the precision", "the balanced accuracy"),
          "one number would have hidden three.")
def rare_scores() -> Cases:
    """`rare_scores(y, said)` returns accuracy, recall, precision, balanced accuracy."""
    for seed, rng in enumerate(generators(3)):
        y = rng.permutation(np.repeat([-1.0, 1.0], [52, 8 + seed]))
        said = np.where(rng.uniform(size=len(y)) < 0.2, -y, y)
        yield y, said
