"""Checks of chapter 13: folds, plain and stratified, Algorithm 2.2, and a test set that is left alone."""
from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np

from svmcourse.checking.core import Answer, Wrong, as_array, as_number, as_parts, blank, refuse
from svmcourse.checking.mistakes import Row, Solved, generators, judged

CHAPTER = "13_choosing_hyperparameters"


def as_folds(value: Any, k: int, n: int) -> list[np.ndarray]:
    """The answer as k arrays of indices below n."""
    if value is None or value is Ellipsis:
        raise blank("the list of folds")
    if not isinstance(value, (list, tuple, np.ndarray)) or len(value) != k:
        found = len(value) if isinstance(value, (list, tuple, np.ndarray)) else type(value).__name__
        raise Wrong("parts", f"Expected is a list of {k} arrays of indices, one for each fold; found: {found}.")
    folds = [as_array(part, "a fold", (None,)) for part in value]
    for part in folds:
        if (part != np.floor(part)).any() or part.min(initial=0) < 0 or part.max(initial=0) >= n:
            raise Wrong("indices", f"A fold holds the indices of its points, whole numbers from 0 to {n - 1}.")
    return [part.astype(int) for part in folds]


def _check_luck(draw: Callable[[int, np.random.Generator], list[np.ndarray]]) -> None:
    """Other generators give other folds, in whatever order, and two in the same state the same; draw(k, rng)."""
    drawn = [draw(5, rng) for rng in generators(4)]
    if len({frozenset(frozenset(map(int, part)) for part in folds) for folds in drawn}) == 1:
        raise Wrong("same-again")
    once, again = (draw(2, np.random.default_rng(1)) for _ in range(2))
    if not all(np.array_equal(np.sort(a), np.sort(b)) for a, b in zip(once, again, strict=True)):
        raise Wrong("own-luck")


# ---- folds -----------------------------------------------------------------------------------------------------------
@judged(CHAPTER, "Algorithm 2.2, first step: folds")
def folds(make: Answer) -> str:
    """`folds(n, k, rng)` returns k arrays of indices."""
    for n, k in ((20, 5), (23, 4), (50, 10)):
        parts = as_folds(make(n, k, np.random.default_rng(n)), k, n)
        sizes, counts = np.array([len(p) for p in parts]), np.bincount(np.concatenate(parts), minlength=n)
        refuse({"training-parts": (counts == k - 1).all(),
                "overlap": counts.max() > 1,
                "remainder-lost": counts.min() == 0 and n % k > 0 and (sizes == n // k).all(),
                "lost": counts.min() == 0,
                "uneven": np.ptp(sizes) > 1})
        steps = [np.unique(np.diff(np.sort(p))) for p in parts]
        if all(len(step) == 1 for step in steps):
            raise Wrong("not-shuffled" if all(step[0] == 1 for step in steps) else "strided")
    _check_luck(lambda k, rng: as_folds(make(50, k, rng), k, 50))
    return "each point is in one fold, at random."


@judged(CHAPTER, "Stratified folds")
def stratified_folds(make: Answer) -> str:
    """`stratified_folds(y, k, rng)` returns k arrays of indices with equal shares of the classes."""
    ordered = []
    for seed, (few, many, k) in enumerate(((10, 20, 5), (13, 18, 4), (30, 30, 5), (11, 40, 5))):
        y = np.random.default_rng(seed).permutation(np.repeat([-1.0, 1.0], [few, many]))
        answer = make(y, k, np.random.default_rng(seed))
        if isinstance(answer, (list, tuple)) and all(np.isin(np.ravel(p), (-1, 1)).all() for p in answer):
            raise Wrong("labels-not-indices")
        parts = as_folds(answer, k, len(y))
        counts = np.bincount(np.concatenate(parts), minlength=len(y))
        plus = np.array([np.sum(y[p] > 0) for p in parts])
        minus = np.array([np.sum(y[p] < 0) for p in parts])
        refuse({"overlap": counts.max() > 1,
                "remainder-lost": counts.min() == 0,
                "one-class": (plus == 0).any() or (minus == 0).any(),
                "unstratified": np.ptp(plus) > 1 or np.ptp(minus) > 1})
        ranks = [[np.searchsorted(np.flatnonzero(y == c), np.sort(p[y[p] == c])) for p in parts] for c in (-1, 1)]
        ordered.append([all(len(np.unique(np.diff(r))) <= 1 for r in of_class) for of_class in ranks])
    if np.all(ordered, axis=0).any():                                       # in one class, in each of the cases
        raise Wrong("not-shuffled")
    _check_luck(lambda k, rng: as_folds(make(y, k, rng), k, len(y)))
    return "each fold has its share of each class."


# ---- one score -------------------------------------------------------------------------------------------------------
class Neighbours:
    """A small machine to test with: the majority of the three nearest training points."""

    def fit(self, X: Any, y: Any) -> "Neighbours":
        """Keep the points."""
        self.X, self.y = np.asarray(X, float), np.asarray(y, float)
        return self

    def predict(self, X: Any) -> np.ndarray:
        """Labels of the rows of X."""
        d2 = ((np.asarray(X, float)[:, None] - self.X[None]) ** 2).sum(axis=2)
        return np.asarray(np.sign(self.y[np.argsort(d2, axis=1, kind="stable")[:, :3]].sum(axis=1)))

    def score(self, X: Any, y: Any) -> float:
        """Share of right predictions."""
        return float(np.mean(self.predict(X) == y))


SCORE = Solved(CHAPTER, "one_score")


@judged(CHAPTER, "Algorithm 2.2: the score of one candidate")
def one_score(score: Answer) -> str:
    """`cross_validation(machine, X, y, folds)` returns the mean accuracy on the folds left out."""
    cases = []
    for seed, rng in enumerate(generators(3)):
        y = rng.permutation(np.repeat([-1.0, 1.0], 20))
        X = rng.normal(size=(40, 2)) + 0.8 * y[:, None]
        cases.append((Neighbours(), X, y, np.split(rng.permutation(40), ([4, 13, 30], [9, 15], [3, 12, 20, 33])[seed])))
    SCORE.compare(score, cases, ("the score",))
    return "each point was predicted by a machine that had not seen it."


# ---- Algorithm 2.2 ---------------------------------------------------------------------------------------------------
CS, SIGMAS = [0.1, 1.5, 100.0], [0.3, 0.9, 0.9 + 1e-9, 1e100]         # the last kernel is 1 everywhere


@cache
def noisy_rings() -> tuple[np.ndarray, np.ndarray, dict[str, np.ndarray]]:
    """Points with three labels of each class flipped, and tables of scores: right (of three draws), and of mistakes."""
    from svmlib.data import disc_and_annulus

    X, y = disc_and_annulus(5, 60)
    flipped = [np.random.default_rng(0).choice(np.flatnonzero(y == c), 3, replace=False) for c in (-1, 1)]
    y[np.concatenate(flipped)] *= -1
    known = {row.key: row for row in SCORE.rows}
    tables = {"": np.mean([_table(X, y, seed) for seed in range(3)], axis=0),
              "training": _table(X, y, 0, known["training"]),
              "gamma": np.mean([_table(X, y, seed, gamma=True) for seed in range(3)], axis=0)}
    return X, y, tables


def _table(X: np.ndarray, y: np.ndarray, seed: int, mistake: Row | None = None, gamma: bool = False) -> np.ndarray:
    """Scores of all candidates, or what a mistake makes of them."""
    from svmlib import SVC
    from svmlib.kernels import Gaussian
    from svmlib.model_selection import k_folds

    score, parts = SCORE.function(mistake), k_folds(y, k=5, rng=seed)
    machine = [[SVC(Gaussian(gamma=s) if gamma else Gaussian(sigma=s), C=C) for s in SIGMAS] for C in CS]
    return np.array([[score(m, X, y, parts) for m in row] for row in machine])


@judged(CHAPTER, "Algorithm 2.2: the search", seconds=20.0, prepare=noisy_rings)
def algorithm_2_2(search: Answer) -> str:
    """`grid_search(X, y, Cs, sigmas, k, rng)` returns C, sigma and the table of scores (C down, sigma across)."""
    X, y, tables = noisy_rings()
    answer = search(X, y, CS, SIGMAS, 5, np.random.default_rng(7))
    price, width, filled_in = as_parts(answer, ("C", "sigma", "scores"), search.name)
    C, sigma = as_number(price, "C"), as_number(width, "sigma")
    scores = as_array(filled_in, "the table", (len(CS), len(SIGMAS)))

    def off(table: np.ndarray) -> float:
        return float(np.abs(scores - table).mean())

    right, distance = tables[""], off(tables[""])
    refuse({"C-ignored": np.ptp(scores, axis=0).max() < 1e-9,
            "sigma-ignored": np.ptp(scores, axis=1).max() < 1e-9,
            "redrawn": (np.abs(scores[:, 1] - scores[:, 2]) > 1e-9).sum() >= 2,
            "unstratified": scores[:, 3].max() < 0.5 - 1e-9,                # a constant is right on half of each fold
            "training": off(tables["training"]) < min(0.04, distance),
            "errors": off(1 - right) < distance,
            "gamma": off(tables["gamma"]) < distance})
    if distance > 0.12:                                                     # 200 right searches: at most 0.10
        raise Wrong("scores", f"The scores are on average {distance:.2f} away from ours.",
                    "Train SVC(Gaussian(sigma=sigma), C=C) on four folds, predict the fifth, take the mean of five.")
    best = np.argwhere(scores >= scores.max() - 1e-12)
    if any((C, sigma) == (CS[i], SIGMAS[j]) for i, j in best):
        return "the best candidate of a table whose entries can be compared."
    raise Wrong("indices" if any((C, sigma) == (i, j) for i, j in best) else "not-the-best")


# ---- the test set ----------------------------------------------------------------------------------------------------
@cache
def trap() -> tuple[tuple, list[tuple], list[dict[str, float]]]:
    """Training points and candidates; three sets of test points; for each of them accuracies by mistake.

    The test points lie so near the boundary that a machine of fewer points gets others right.  By the first ones a
    constant -1 is better than the best machine, by the second ones it is worse; both can be learnt.  The third ones
    are -1 among the training points of class +1, and far away twins of opposite labels, each of which a narrow kernel
    takes for the other: searched together with them, a constant wins.
    """
    from svmlib import SVC
    from svmlib.data import disc_and_annulus
    from svmlib.kernels import Gaussian

    X, y = disc_and_annulus(2, 90)
    X, y = X[:70], y[:70]                                                    # 45 of class -1, 25 of class +1
    best, tests, known = SVC(Gaussian(sigma=0.7), C=10.0).fit(X, y), [], []
    for seed, quota in ((3, (200, 60, 40, 0)), (5, (150, 0, 30, 120))):      # of -1 right and wrong, of +1 likewise
        T, t = disc_and_annulus(seed, 80_000)
        f = best.decision_function(T)
        near = np.argsort(np.abs(f), kind="stable")                          # where every training point matters
        right, minus = (f * t > 0)[near], (t < 0)[near]
        chosen = np.concatenate([near[(right == r) & (minus == m)][:size] for size, (r, m) in zip(
            quota, ((True, True), (False, True), (True, False), (False, False)), strict=True)])
        tests.append((T[chosen], t[chosen]))
    rng = np.random.default_rng(8)
    far = 10.0 + 4.0 * np.stack(np.meshgrid(range(5), range(4)), axis=-1).reshape(-1, 2)
    T = X[y > 0][rng.integers(np.sum(y > 0), size=260)] + 0.1 * rng.normal(size=(260, 2))
    tests.append((np.vstack([T, far, far + 0.01]), np.r_[np.full(260, -1.0), np.full(20, 1.0), np.full(20, -1.0)]))
    for T, t in tests:
        joint = SVC(Gaussian(sigma=0.7), C=10.0).fit(np.vstack([X, T]), np.r_[y, t])
        known.append({"": best.score(T, t), "training-accuracy": best.score(X, y),
                      "trained-on-test": joint.score(T, t)})
    return (X, y, [0.001, 10.0], [0.7, 50.0]), tests, known


@judged(CHAPTER, "Algorithm 2.2: an honest number at the end", seconds=10.0, prepare=trap)
def honest_test(tune: Answer) -> str:
    """`tune_and_test(X, y, X_test, y_test, Cs, sigmas, k, rng)` returns C, sigma and the test accuracy."""
    (X, y, Cs, sigmas), tests, accuracies = trap()
    answers = [as_parts(tune(X, y, T, t, Cs, sigmas, 5, np.random.default_rng(0)), ("C", "sigma", "accuracy"),
                        tune.name) for T, t in tests]
    values = [tuple(as_number(v, n) for v, n in zip(answer, ("C", "sigma", "the accuracy"), strict=True))
              for answer in answers]
    refuse({"test-in-tuning": any(value[:2] != values[0][:2] for value in values),
            "wrong-choice": values[0][:2] != (10.0, 0.7)})
    got = [value[2] for value in values]

    def near(key: str, tol: float = 0.005) -> bool:
        return all(abs(value - accuracy[key]) < tol for value, accuracy in zip(got, accuracies, strict=True))

    if near(""):
        return "chosen without the test points, tested once."
    refuse({"training-accuracy": near("training-accuracy", 0.004),
            "trained-on-test": near("trained-on-test", 0.004),
            "cv-score": got[0] == got[1] and 0.88 < got[0] < 0.985})
    raise Wrong("accuracy", f"{got[0]:.3f} is not the accuracy of the chosen machine on the test points.",
                "Fit the chosen machine on all of X, y, then score it on X_test, y_test.")
