"""Checks of chapter 16 that a fair comparison needs: one scale, several starts, and which of them to report."""

import numpy as np

from svmlib.classroom.checking.mistakes import Cases, compared, generators

CHAPTER = "16_when_should_i_use_one"


def clouds(count: int = 3, d: int = 2) -> list[tuple[np.ndarray, np.ndarray]]:
    """Points (9, d) away from the origin, with labels of unequal numbers."""
    cases = []
    for rng in generators(count):
        y = rng.permutation(np.repeat([-1.0, 1.0], [3, 6]))
        cases.append((rng.normal(size=(9, d)) + 0.8 * y[:, None] + 1.5, y))
    return cases


# ---- scales ----------------------------------------------------------------------------------------------------------
@compared(CHAPTER, "One scale for all coordinates", ("the training points", "the test points"),
          "the training points decide.")
def standardise() -> Cases:
    """`standardise(X, T)` returns both arrays, scaled."""
    for rng in generators(3):
        units = np.array([0.01, 1.0, 300.0])
        yield (rng.normal(size=(12, 3)) + 1) * units, (rng.normal(size=(5, 3)) * 2 - 0.5) * units


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


@compared(CHAPTER, "Several starts (report, section 6.8)", ("the mean error", "the deviation", "the disagreement"),
          "stability is a number as well.")
def several_starts() -> Cases:
    """`several_starts(make, X, y, T, t, starts)` returns mean error, deviation, mean disagreement."""
    for seed, (X, y) in enumerate(clouds()):
        rng = np.random.default_rng(90 + seed)
        t = rng.choice([-1.0, 1.0], 60)
        yield RandomLine, X, y, rng.normal(size=(60, 2)) + 0.8 * t[:, None] + 1.5, t, [seed, 11, 12, 13, 14]


@compared(CHAPTER, "Which start to report", ("the start", "its error"), "the test points had no say.")
def choose_start() -> Cases:
    """`choose_start(validation, test)` returns the place of the chosen start and its test error."""
    return [(rng.permutation(8) / 50 + 0.05, rng.permutation(8) / 40 + 0.04)
            for rng in map(np.random.default_rng, (1, 2, 5, 8))]
