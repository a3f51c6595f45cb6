"""Chapter 15: answers as students write them, right in several ways and wrong in the known ones."""
import numpy as np
from course.checking.both_ways import Answers
from sklearn.metrics import confusion_matrix as of_scikit_learn

from svmcourse.mnist import checks as check
from svmlib.data import load_mnist

ANSWERS = Answers(check)
right, wrong = ANSWERS.right, ANSWERS.wrong


# ---- the confusion matrix
@right("confusion_matrix")
def with_a_loop(true, read):
    M = np.zeros((10, 10), dtype=int)
    for t, r in zip(true, read, strict=True):
        M[t, r] += 1
    return M


def assigned(true, read):
    M = np.zeros((10, 10))
    M[true, read] += 1
    return M


right("confusion_matrix")(lambda true, read: np.bincount(10 * true + read, minlength=100).reshape(10, 10))
right("confusion_matrix")(lambda true, read: of_scikit_learn(true, read, labels=range(10)).tolist())
wrong("confusion_matrix", "digits-missing")(of_scikit_learn)
wrong("confusion_matrix", "not-counted")(assigned)
wrong("confusion_matrix", "shape")(lambda t, r: with_a_loop(t, r)[:9])
wrong("confusion_matrix", "shape")(lambda t, r: np.mean(t == r) * np.ones(10))

# ---- reading it
right("shares")(lambda M: (np.diag(M) / M.sum(axis=1), np.trace(M) / M.sum()))
right("shares")(lambda M: [[M[k, k] / sum(M[k]) for k in range(10)], sum(M[k, k] for k in range(10)) / M.sum()])
wrong("shares", "error")(lambda M: (emptied(M).sum(axis=1) / M.sum(axis=1), emptied(M).sum() / M.sum()))
wrong("shares", "parts")(lambda M: np.trace(M) / M.sum())


def largest(M):
    i, j = divmod(M.argmax(), 10)
    return i, j, M[i, j]


def emptied(M):
    M = M.copy()
    np.fill_diagonal(M, 0)
    return M


right("most_frequent")(lambda M: largest(emptied(M)))
right("most_frequent")(lambda M: max(((i, j, M[i, j]) for i in range(10) for j in range(10) if i != j),
                                     key=lambda entry: entry[2]))
wrong("most_frequent", "both-ways")(lambda M: largest(emptied(M + M.T)))
wrong("most_frequent", "parts")(lambda M: emptied(M).argmax())

# ---- Task 2.8
right("task_2_8_a")((10, 0.01, 0.886))
right("task_2_8_a")((1, 0.01, 0.88))                                         # seed 9: as good as 10, and first
right("task_2_8_a")((np.float64(100), 1e-2, np.array([0.874])))
wrong("task_2_8_a", "sigma")((10, 1 / np.sqrt(0.02), 0.886))
wrong("task_2_8_a", "exchanged")((0.01, 10, 0.886))
wrong("task_2_8_a", "raw-pixels")((1, 0.001, 0.118))
wrong("task_2_8_a", "training-score")((10, 0.01, 1.0))
wrong("task_2_8_a", "percent")((10, 0.01, 88.6))
wrong("task_2_8_a", "wrong-winner")((10, 0.1, 0.31))
wrong("task_2_8_a", "wrong-winner")((100, 0.001, 0.87))
wrong("task_2_8_a", "not-on-the-grid")((5, 0.01, 0.88))
wrong("task_2_8_a", "range")((10, 0.01, 0.945))


def matrix(accuracy, counts=check.COUNTS):
    M = np.diag(np.round(accuracy * counts)).astype(int)
    for k, n in enumerate(counts):
        M[k, (k + 5) % 10] += n - M[k].sum()
    M[4, 9], M[4, 4] = M[4, 9] + 20, M[4, 4] - 20                        # so that columns have other sums than rows
    return M


right("task_2_8_b")(matrix(0.941))
right("task_2_8_b")(matrix(0.945).tolist())
right("task_2_8_b")(matrix(0.931))                                           # C = 1
wrong("task_2_8_b", "swapped")(matrix(0.941).T)
wrong("task_2_8_b", "shares")(matrix(0.941) / check.COUNTS[:, None])
wrong("task_2_8_b", "2,000-images")(matrix(0.999, np.full(10, 200)))
wrong("task_2_8_b", "2,000-images")(matrix(0.94, check.COUNTS // 5 + (np.arange(10) < 4)))
wrong("task_2_8_b", "part-of-the-test")(matrix(0.94, check.COUNTS // 10))
wrong("task_2_8_b", "about-90")(matrix(0.9))
wrong("task_2_8_b", "about-90")(matrix(0.916))
wrong("task_2_8_b", "other-parameters")(matrix(0.85))
wrong("task_2_8_b", "trained-on-test")(matrix(0.98))
wrong("task_2_8_b", "counts")(matrix(0.94, np.full(10, 1000)))
wrong("task_2_8_b", "shape")(matrix(0.94).ravel())


def test_counts_are_those_of_the_test_set():
    assert np.array_equal(check.COUNTS, np.bincount(load_mnist().y_test))


test_right, test_wrong, test_blank, test_enough = ANSWERS.tests(
    {"task_2_8_a": (None, None, None), "task_2_8_b": (None,)})
