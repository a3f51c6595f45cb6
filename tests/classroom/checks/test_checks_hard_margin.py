"""Chapter 02: answers as students write them, right in several ways and wrong in the known ones."""
import numpy as np
from classroom.checks.both_ways import Answers

from svmlib.classroom.checks import hard_margin as check

ANSWERS = Answers(check)
right, wrong = ANSWERS.right, ANSWERS.wrong


# ---- distance
right("distance")(lambda w, b, X: (X @ w + b) / np.linalg.norm(w))
right("distance")(lambda w, b, X: [(sum(w * x) + b) / sum(w * w) ** 0.5 for x in X])


@right("distance")
def by_the_foot(w, b, X):
    foot = X - np.outer((X @ w + b) / (w @ w), w)
    return np.linalg.norm(X - foot, axis=1) * np.sign((X - foot) @ w)


wrong("distance", "not-divided")(lambda w, b, X: X @ w + b)
wrong("distance", "squared-norm")(lambda w, b, X: (X @ w + b) / (w @ w))
wrong("distance", "unsigned")(lambda w, b, X: abs(X @ w + b) / np.linalg.norm(w))
wrong("distance", "sign-of-b")(lambda w, b, X: (X @ w - b) / np.linalg.norm(w))
wrong("distance", "norm-with-b")(lambda w, b, X: (X @ w + b) / np.linalg.norm(np.append(w, b)))
wrong("distance", "one-norm")(lambda w, b, X: (X @ w + b) / np.linalg.norm(w, 1))
wrong("distance", "b-outside")(lambda w, b, X: X @ (w / np.linalg.norm(w)) + b)
wrong("distance", "shape")(lambda w, b, X: (X * w + b) / np.linalg.norm(w))
wrong("distance", "exception")(lambda w, b, X: (w @ X + b) / np.linalg.norm(w))


# ---- two margins
def margins(w, b, X, y, *, value=lambda f, y: y * f, of=np.min, geometric=lambda m, w: m / np.sqrt(w @ w)):
    m = of(value(X @ w + b, y))
    return m, geometric(m, w)


def measured(**parts):
    return lambda *arguments: margins(*arguments, **parts)


right("margins")(margins)


@right("margins")
def with_loop(w, b, X, y):
    functional = min(s * (x.dot(w) + b) for x, s in zip(X, y, strict=True))
    return [functional, functional / np.linalg.norm(w)]


wrong("margins", "order")(lambda *a: margins(*a)[::-1])
wrong("margins", "absolute")(measured(value=lambda f, y: abs(f)))
wrong("margins", "without-y")(measured(value=lambda f, y: f))
wrong("margins", "inverse-norm")(measured(geometric=lambda m, w: 1 / np.sqrt(w @ w)))
wrong("margins", "width")(measured(geometric=lambda m, w: 2 * m / np.sqrt(w @ w)))
wrong("margins", "times")(measured(geometric=lambda m, w: m * np.sqrt(w @ w)))
wrong("margins", "mean")(measured(of=np.mean))
wrong("margins", "largest")(measured(of=np.max))
wrong("margins", "parts")(lambda *a: margins(*a)[0])


# ---- the canonical form
def canonical(w, b, X, y, *, factor=lambda w, b, f, y: min(y * f)):
    c = factor(w, b, X @ w + b, y)
    return w / c, b / c


def scaling(factor):
    return lambda *arguments: canonical(*arguments, factor=factor)


right("canonical")(canonical)


@right("canonical")
def in_two_steps(w, b, X, y):
    size = np.linalg.norm(w)
    w, b = w / size, b / size
    nearest = np.abs(X @ w + b).argmin()
    c = abs(X[nearest] @ w + b)
    return (w / c).tolist(), np.array([b / c])


wrong("canonical", "unit")(scaling(lambda w, b, f, y: np.linalg.norm(w)))
wrong("canonical", "geometric")(scaling(lambda w, b, f, y: min(y * f) / np.linalg.norm(w)))
wrong("canonical", "inverse")(scaling(lambda w, b, f, y: 1 / min(y * f)))
wrong("canonical", "furthest")(scaling(lambda w, b, f, y: max(abs(f))))
wrong("canonical", "b-one")(scaling(lambda w, b, f, y: b))
wrong("canonical", "one-class")(scaling(lambda w, b, f, y: min(f[y == 1])))
wrong("canonical", "w-only")(lambda w, b, X, y: (canonical(w, b, X, y)[0], b))
wrong("canonical", "band")(scaling(lambda w, b, f, y: min(y * f) / 2))
wrong("canonical", "mean")(scaling(lambda w, b, f, y: np.mean(y * f)))


# ---- the primal
def to_primal(X, y, *, last=0.0, size=1.0, q=0.0, w_rows=lambda X, y: (X.T * y).T, b_row=lambda y: y, sign=-1, h=-1.0):
    n, d = X.shape
    P = size * np.eye(d + 1)
    P[d, d] = last
    G = sign * np.hstack([w_rows(X, y), b_row(y).reshape(n, 1)])
    return P, np.append(np.full(d, q), 0), G, np.full(n, h)


def program(**parts):
    return lambda X, y: to_primal(X, y, **parts)


right("primal")(to_primal)


@right("primal")
def by_classes(X, y):
    G = np.vstack([np.c_[-X[y > 0], -np.ones(sum(y > 0))], np.c_[X[y < 0], np.ones(sum(y < 0))]])
    return [np.diag([1, 1, 1, 0]), [0, 0, 0, 0], G, -np.ones((len(y), 1))]


wrong("primal", "b-penalised")(program(last=1.0))
wrong("primal", "twice")(program(size=2.0))
wrong("primal", "without-y")(program(w_rows=lambda X, y: X, b_row=np.ones_like))
wrong("primal", "b-without-y")(program(b_row=np.ones_like))
wrong("primal", "b-sign")(program(b_row=lambda y: -y))
wrong("primal", "G-sign")(program(sign=1))
wrong("primal", "both-signs")(program(sign=1, h=1.0))
wrong("primal", "h-sign")(program(h=1.0))
wrong("primal", "h-zero")(program(h=0.0))
wrong("primal", "q-ones")(program(q=1.0))
wrong("primal", "shape")(lambda X, y: (np.eye(3), np.zeros(3), -y[:, None] * X, -np.ones(len(y))))
wrong("primal", "parts")(lambda X, y: to_primal(X, y)[2:])

test_right, test_wrong, test_blank, test_enough = ANSWERS.tests()
