"""Checks of chapter 15: Task 2.8 in steps, with the confusion matrix and the numbers that it should give."""
from typing import Any

import numpy as np

from svmcourse.checking.core import Answer, Wrong, as_array, as_number, refuse
from svmcourse.checking.mistakes import Cases, Solved, compared, generator, generators, judged

CHAPTER = "15_mnist"

#: Test images of each digit, 0 to 9, among MNIST's 10,000.
COUNTS = np.array([980, 1135, 1032, 1010, 982, 892, 958, 1028, 974, 1009])


def labels(seed: int, n: int = 60) -> tuple[np.ndarray, np.ndarray]:
    """True and predicted digits; 9 never occurs among the true ones, nor 0 among the predicted."""
    rng = generator(seed)
    true = rng.integers(0, 9, n)
    return true, np.where(rng.random(n) < 0.6, np.maximum(true, 1), rng.integers(1, 10, n))


# ---- the confusion matrix --------------------------------------------------------------------------------------------
CONFUSION = Solved(CHAPTER, "confusion_matrix")


@judged(CHAPTER, "The confusion matrix")
def confusion_matrix(count: Answer) -> str:
    """`confusion(true, predicted)` returns counts (10, 10), true digits down, predicted ones across."""
    never = labels(3)
    kept = (never[0] > 0) & (never[1] < 9)                           # 0 and 9 are neither true nor predicted
    cases = [labels(seed) for seed in range(3)] + [(never[0][kept], never[1][kept])]
    if np.shape(count(*cases[-1])) == (8, 8):
        raise Wrong("digits-missing", "Where two digits never occur your matrix has eight rows and eight columns: row "
                    "4 is then no longer the digit 4.", "scikit-learn's function takes the digits by labels=range(10).")
    CONFUSION.compare(count, cases, ("the matrix",))
    return "each image is in one cell."


# ---- what it says ----------------------------------------------------------------------------------------------------
@compared(CHAPTER, "Reading the matrix", ("the share of each digit", "the accuracy"), "right.")
def shares() -> Cases:
    """`shares(M)` returns the share of right answers for each true digit (10,), and the accuracy."""
    for rng in generators(3):
        yield (rng.integers(1, 9, (10, 10)) + np.diag(rng.integers(20, 90, 10)),)


@compared(CHAPTER, "The most frequent error", ("the true digit", "the predicted digit", "the count"), "right.")
def most_frequent() -> Cases:
    """`worst(M)` returns the true digit, the predicted digit, and the count."""
    for seed, rng in enumerate(generators(3)):
        M = rng.permutation(np.arange(100)).reshape(10, 10) + 200 * np.eye(10, dtype=int)
        M[seed], M[seed, 5] = M[seed] // 4, M[seed, 5] // 4 + 60            # a rare digit, often misread
        M[seed + 4, 8] = 150
        M[3, 7], M[7, 3] = 120, 118                                         # the largest sum of both directions
        yield (M,)


# ---- Task 2.8 --------------------------------------------------------------------------------------------------------
WON = {
    1: "on your subset C = 1 scored at least as much as 10 and 100; of equal scores the first is returned.",
    10: "where no alpha reaches 10, C = 10 and C = 100 are the same machine, and the first of them is returned.",
    100: "on your subset some alpha exceeds 10, so that C = 100 is another machine, and it scored best.",
}


@judged(CHAPTER, "Task 2.8 (a): the search")
def task_2_8_a(C: Any, gamma: Any, score: Any) -> str:
    """The winner of the search on 500 images, and its score."""
    for name, value in (("best_C", C), ("best_gamma", gamma), ("best_score", score)):
        if value is None or value is Ellipsis:
            raise Wrong("blank", f"{name} is not written yet: it still is None.", f"{name} = …")
    price, width, got = as_number(C, "C"), as_number(gamma, "gamma"), as_number(score, "the score")
    refuse({"percent": got > 1 + 1e-9,
            "raw-pixels": got < 0.3,
            "exchanged": price < 0.5 and width > 0.5,
            "sigma": any(abs(width - s) < 0.01 * s for s in (2.2361, 7.0711, 22.3607)),
            "wrong-winner": abs(width - 0.01) > 1e-6,
            "not-on-the-grid": price not in (1, 10, 100),
            "training-score": got > 0.96})
    if not 0.83 < got < 0.93:
        raise Wrong("range", f"{got:.3f} is far from what 50 subsets gave, .85 to .91.",
                    "500 images, five folds, images divided by 255.")
    return WON[int(price)]


@judged(CHAPTER, "Task 2.8 (b): the test")
def task_2_8_b(matrix: Any) -> str:
    """The confusion matrix of all 10,000 test images."""
    if matrix is None or matrix is Ellipsis:
        raise Wrong("blank", "matrix is not written yet: it still is None.", "matrix = confusion(…)")
    M = as_array(matrix, "the matrix", (10, 10))
    total = M.sum()
    in_order = np.array_equal(M.sum(axis=1), COUNTS)
    refuse({"shares": total <= 100 and (M % 1).any(),
            "2,000-images": abs(total - 2000) < 0.5,
            "part-of-the-test": abs(total - 10_000) > 0.5,
            "swapped": not in_order and np.array_equal(M.sum(axis=0), COUNTS)})
    if not in_order:
        raise Wrong("counts", "The sums of the rows are not the numbers of test images of each digit (980 zeros, …).",
                    "Are images and labels in the same order?")
    accuracy = np.trace(M) / total
    refuse({"trained-on-test": accuracy > 0.96,
            "about-90": 0.875 < accuracy < 0.925,
            "other-parameters": accuracy < 0.925})
    return f"{accuracy:.2%} of the test images are read correctly; ten training sets gave 93.7 to 94.4 % with C = 10."
