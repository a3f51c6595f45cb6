"""Checks of chapter 16: what a fair comparison needs; the pseudo-inverse, alpha-LMS, what an answer costs."""
from typing import Any

import numpy as np

from svmcourse.checking.core import Answer, Wrong, as_array, refuse
from svmcourse.checking.mistakes import Cases, Solved, compared, generator, generators, judged

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
        rng = generator(90 + seed)
        t = rng.choice([-1.0, 1.0], 60)
        yield RandomLine, X, y, rng.normal(size=(60, 2)) + 0.8 * t[:, None] + 1.5, t, [seed, 11, 12, 13, 14]


@compared(CHAPTER, "Which start to report", ("the start", "its error"), "the test points had no say.")
def choose_start() -> Cases:
    """`choose_start(validation, test)` returns the place of the chosen start and its test error."""
    return [(rng.permutation(8) / 50 + 0.05, rng.permutation(8) / 40 + 0.04)
            for rng in map(np.random.default_rng, (1, 2, 5, 8))]


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


# ---- the pseudo-inverse ----------------------------------------------------------------------------------------------
@compared(CHAPTER, "The pseudo-inverse (report, section 6.2)", ("w", "b"), "one formula, no start.")
def pseudo_inverse() -> Cases:
    """`pseudo_inverse(X, y)` returns w and b."""
    return clouds() + clouds(1, d=3)


# ---- alpha-LMS -------------------------------------------------------------------------------------------------------
LMS = Solved(CHAPTER, "alpha_lms")


@judged(CHAPTER, "One pass of α-LMS (report, section 6.2)")
def alpha_lms(one_pass: Answer) -> str:
    """`lms_pass(v, X, y, alpha, order)` returns v after one pass."""
    cases = []
    for seed, (X, y) in enumerate(clouds()):
        rng = generator(50 + seed)
        cases.append((rng.normal(size=3), X, y, (0.1, 0.4, 0.8)[seed], rng.permutation(9)))
    try:
        LMS.compare(one_pass, cases, ("v",))
    except Wrong as wrong:
        if wrong.key == "in-place":
            raise Wrong(wrong.key, "The new v is right, but lms_pass changes the v that it was given.",
                        "Begin with a copy: v = v.copy(). v += … changes the array itself.") from None
        raise
    return "each point takes a share of its error away."


# ---- the half margins ------------------------------------------------------------------------------------------------
#: Half margins of hard margin, pseudo-inverse: clouds (seed 4), exponentials (seed 5); a test computes them anew.
MARGINS = {"clouds": (0.4153, 0.3372), "exponentials": (0.1596, -1.0575)}
#: What mistakes make of them: min y f, not divided by |w|; the smallest |f| / |w|; 1 / |w|; and C = 1.
OTHERS = {"not-divided": [(1.0, 0.1844), (1.0, -0.3887)], "unsigned": [(0.4153, 0.3372), (0.1596, 0.0311)],
          "one-over-w": [(0.4153, 1.8289), (0.1596, 2.7203)], "soft": [(0.1679, 0.3372), (-0.0612, -1.0575)]}

@judged(CHAPTER, "Whose band is wider (report, section 6.2)")
def report_6_2(margins: Any) -> str:
    """A dictionary: data set -> half margins of the hard margin and of the pseudo-inverse."""
    if not isinstance(margins, dict) or not set(MARGINS) <= set(margins):
        raise Wrong("parts", f"half_margins should be a dictionary with the keys {', '.join(MARGINS)}.")
    if any(margins[name] is None or (np.ndim(margins[name]) and None in list(margins[name])) for name in MARGINS):
        raise Wrong("blank", "half_margins is not written yet: it still holds None.",
                    "Two numbers for each data set.")
    got = np.array([as_array(margins[name], f"half_margins[{name!r}]", (2,)) for name in MARGINS])
    right = np.array(list(MARGINS.values()))

    def near(target: Any) -> bool:
        return bool(np.allclose(got, target, rtol=0.01, atol=1e-3))

    if near(right):
        return "two lines, and one of them does not separate the exponentials."
    wrong_ones = {"whole-band": 2 * right, "exchanged": right[:, ::-1], **OTHERS}
    refuse({key: near(target) for key, target in wrong_ones.items()})
    k, j = np.argwhere(~np.isclose(got, right, rtol=0.01, atol=1e-3))[0]
    raise Wrong("unknown", f"The number of the {('hard margin', 'pseudo-inverse')[j]} on {list(MARGINS)[k]}, "
                f"{got[k, j]:.4g}, is not the smallest signed distance of a training point.",
                "np.min(y * (X @ w + b)) / np.linalg.norm(w)")


# ---- cost ------------------------------------------------------------------------------------------------------------
@compared(CHAPTER, "What an answer costs", ("the line", "the line by support vectors", "the Gaussian", "the network"),
          "no clock was needed.")
def cost() -> Cases:
    """`multiplications(d, n, n_sv, hidden)` returns four numbers."""
    return [(784, 2000, 1000, 10), (2, 40, 9, 10), (30, 500, 77, 6)]
