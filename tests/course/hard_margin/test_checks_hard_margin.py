"""Chapter 02: answers as students write them, right in several ways and wrong in the known ones."""
import cvxopt
import numpy as np
from course.checking.both_ways import Answers
from scipy import sparse

from svmcourse.hard_margin import checks as check

ANSWERS = Answers(check)
right, wrong = ANSWERS.right, ANSWERS.wrong


# ---- distance
right("distance")(lambda w, b, X: (X @ w + b) / np.linalg.norm(w))
right("distance")(lambda w, b, X: [(sum(w * x) + b) / sum(w * w) ** 0.5 for x in X])


@right("distance")
def by_the_foot(w, b, X):
    foot = X - np.outer((X @ w + b) / (w @ w), w)
    return np.linalg.norm(X - foot, axis=1) * np.sign((X - foot) @ w)


wrong("distance", "b-outside")(lambda w, b, X: X @ (w / np.linalg.norm(w)) + b)


# ---- two margins
@right("margins")
def with_a_root(w, b, X, y):
    functional = min(y * (X @ w + b))
    return functional, functional / np.sqrt(w @ w)


@right("margins")
def with_loop(w, b, X, y):
    functional = min(s * (x.dot(w) + b) for x, s in zip(X, y, strict=True))
    return [functional, functional / np.linalg.norm(w)]


@wrong("margins", "absolute")
def of_distances(w, b, X, y):
    distances = abs(X @ w + b) / np.linalg.norm(w)
    return min(distances) * np.linalg.norm(w), min(distances)


# ---- the canonical form
@right("canonical")
def in_one(w, b, X, y):
    return tuple(part / min(y * (X @ w + b)) for part in (w, b))


@right("canonical")
def in_two_steps(w, b, X, y):
    size = np.linalg.norm(w)
    w, b = w / size, b / size
    nearest = np.abs(X @ w + b).argmin()
    c = abs(X[nearest] @ w + b)
    return (w / c).tolist(), np.array([b / c])


@wrong("canonical", "furthest")
def by_the_largest(w, b, X, y):
    c = max(abs(X @ w + b))
    return w / c, b / c


# ---- the primal
@right("primal")
def to_primal(X, y):
    n, d = X.shape
    P = np.eye(d + 1)
    P[d, d] = 0
    return P, np.zeros(d + 1), -np.hstack([(X.T * y).T, y.reshape(n, 1)]), np.full(n, -1)


@right("primal")
def by_classes(X, y):
    G = np.vstack([np.c_[-X[y > 0], -np.ones(sum(y > 0))], np.c_[X[y < 0], np.ones(sum(y < 0))]])
    return [np.diag([1, 1, 1, 0]), [0, 0, 0, 0], G, -np.ones((len(y), 1))]


@right("primal")
def each_row_times_something(X, y):
    P, q, G, h = to_primal(X, y)
    k = np.arange(1.0, len(y) + 1)
    return P, q, k[:, None] * G, k * h


right("primal")(lambda X, y: dict(zip("GhPq", [*to_primal(X, y)[2:], *to_primal(X, y)[:2]], strict=True)))
right("primal")(lambda X, y: (part for part in to_primal(X, y)))
right("primal")(lambda X, y: [sparse.csr_array(part) if part.ndim == 2 else part for part in to_primal(X, y)])
right("primal")(lambda X, y: [
    cvxopt.sparse(cvxopt.matrix(part)) if part.ndim == 2 else part for part in map(np.atleast_1d, to_primal(X, y))])


@wrong("primal", "b-first")
def with_ones_in_front(X, y):
    n, d = X.shape
    P = np.eye(d + 1)
    P[0, 0] = 0
    return P, np.zeros(d + 1), -y[:, None] * np.c_[np.ones(n), X], -np.ones(n)


wrong("primal", "parts")(lambda X, y: to_primal(X, y)[2:])
wrong("primal", "shape")(lambda X, y: (np.eye(3), np.zeros(3), -y[:, None] * X, -np.ones(len(y))))

test_right, test_wrong, test_blank, test_enough = ANSWERS.tests()
