"""Chapter 03: answers as students write them, right in several ways and wrong in the known ones."""
import numpy as np
import pandas as pd
from course.checking.both_ways import Answers
from scipy.linalg import null_space, orth

from svmcourse.duality_and_kkt import checks as check

ANSWERS = Answers(check)
right, wrong = ANSWERS.right, ANSWERS.wrong


# ---- the dual value
@right("bound")
def by_w(alpha, X, y):
    w = sum(a * s * x for a, s, x in zip(alpha, y, X, strict=True))
    return alpha.sum() - w @ w / 2


@right("bound")
def by_matrix(alpha, X, y):
    Q = (y[:, None] * X) @ (y[:, None] * X).T
    return np.array([np.ones(len(y)) @ alpha - 0.5 * alpha.T @ Q @ alpha])


wrong("bound", "diagonal")(lambda a, X, y: a.sum() - 0.5 * sum(a[i] ** 2 * X[i] @ X[i] for i in range(len(y))))
wrong("bound", "type")(lambda a, X, y: a - 0.5 * (a * y) @ X @ X.T * y * a)


# ---- the best mixture
@right("best_mix")
def by_derivative(alpha, beta, X, y):
    w, u = (alpha * y) @ X, (beta * y) @ X
    return min(1.0, max(0.0, (sum(beta) - sum(alpha) + w @ w - w @ u) / np.sum((u - w) ** 2)))


@right("best_mix")
def by_search(alpha, beta, X, y):
    def g(t):
        return by_matrix((1 - t) * alpha + t * beta, X, y)[0]

    low, high = 0.0, 1.0
    for _ in range(80):
        thirds = low + (high - low) / 3, high - (high - low) / 3
        low, high = (thirds[0], high) if g(thirds[0]) < g(thirds[1]) else (low, thirds[1])
    return [low]


wrong("best_mix", "no-clip")(lambda a, b, X, y: (sum(b - a) - (a * y) @ X @ X.T @ ((b - a) * y)) / np.linalg.norm(
    X.T @ ((b - a) * y)) ** 2)


def test_the_best_mixtures_are_between_and_at_both_ends():
    best = [by_derivative(*case) for case in check.pairs_of_multipliers()]
    assert min(best.count(0.0), best.count(1.0), sum(0.05 < t < 0.95 for t in best)) >= 4
    for alpha, beta, _, y in check.pairs_of_multipliers():
        assert min(alpha.min(), beta.min()) >= 0
        assert max(abs(alpha @ y), abs(beta @ y)) < 1e-12


# ---- the KKT conditions
@right("conditions")
def violations(alpha, w, b, X, y):
    m = y * (X @ w + b)
    return (np.sum((w - (alpha * y) @ X) ** 2) ** 0.5, abs(sum(alpha * y)), np.maximum(0, 1 - m).max(),
            -np.minimum(0, alpha).min(), max(abs(alpha * (m - 1))))


right("conditions")(lambda *given: np.array(violations(*given)))
right("conditions")(lambda *given: (number for number in violations(*given)))
right("conditions")(lambda *given: dict(zip("12345", violations(*given), strict=True)))
right("conditions")(lambda *given: dict(zip("12345", violations(*given), strict=True)).values())
right("conditions")(lambda *given: np.array([violations(*given)]))
right("conditions")(lambda *given: np.array([violations(*given)]).T)
right("conditions")(lambda *given: pd.Series(violations(*given)))


@right("conditions")
def with_loops(alpha, w, b, X, y):
    off, total, band, negative, product = w.copy(), 0.0, 0.0, 0.0, 0.0
    for a, x, s in zip(alpha, X, y, strict=True):
        m = s * (x @ w + b)
        off -= a * s * x
        total += a * s
        band, negative, product = max(band, 1 - m), max(negative, -a), max(product, abs(a * (1 - m)))
    return [np.sqrt(off @ off), abs(total), band, negative, product]


@wrong("conditions", "cancels")
def by_inner_product(alpha, w, b, X, y):
    return *violations(alpha, w, b, X, y)[:4], abs(alpha @ (y * (X @ w + b)) - alpha.sum())


wrong("conditions", "parts")(lambda *a: max(violations(*a)))
wrong("conditions", "type")(lambda alpha, w, b, X, y: (w - X.T @ (alpha * y), *violations(alpha, w, b, X, y)[1:]))


# ---- Theorem 15.4
def on_margin(w, X, y):
    return np.isclose(y * (X @ w), 1, atol=1e-6)


@right("span")
def by_projection(w, X, y):
    basis = orth(X[on_margin(w, X, y)].T)
    return np.linalg.norm(w - basis @ (basis.T @ w))


@right("span")
def by_the_complement(w, X, y):
    return [np.linalg.norm(null_space(X[on_margin(w, X, y)]).T @ w)]


wrong("span", "squared")(lambda w, X, y: np.linalg.lstsq(X[on_margin(w, X, y)].T, w)[1])

test_right, test_wrong, test_blank, test_enough = ANSWERS.tests()
