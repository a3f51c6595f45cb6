"""Chapter 03: answers as students write them, right in several ways and wrong in the known ones."""
import numpy as np
from classroom.checks.both_ways import Answers
from scipy.linalg import null_space, orth

from svmlib.classroom.checks import duality_and_kkt as check

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


@right("bound")
def by_loops(alpha, X, y):
    n, g = len(y), sum(alpha)
    for i in range(n):
        for j in range(n):
            g -= alpha[i] * alpha[j] * y[i] * y[j] * np.dot(X[i], X[j]) / 2
    return g


wrong("bound", "without-y")(lambda a, X, y: sum(a) - 0.5 * np.sum((a @ X) ** 2))
wrong("bound", "matrix-product")(lambda a, X, y: a.sum() - 0.5 * a @ (np.outer(y, y) @ X @ X.T) @ a)
wrong("bound", "without-half")(lambda a, X, y: a.sum() - np.sum(((a * y) @ X) ** 2))
wrong("bound", "root")(lambda a, X, y: a.sum() - 0.5 * np.linalg.norm((a * y) @ X))
wrong("bound", "diagonal")(lambda a, X, y: a.sum() - 0.5 * sum(a[i] ** 2 * X[i] @ X[i] for i in range(len(y))))
wrong("bound", "plus")(lambda a, X, y: a.sum() + 0.5 * np.sum(((a * y) @ X) ** 2))
wrong("bound", "minimum")(lambda a, X, y: 0.5 * np.sum(((a * y) @ X) ** 2) - a.sum())
wrong("bound", "primal")(lambda a, X, y: 0.5 * np.sum(((a * y) @ X) ** 2))
wrong("bound", "type")(lambda a, X, y: a - 0.5 * (a * y) @ X @ X.T * y * a)


# ---- the best scale
def w_of(a, X, y):
    return X.T @ (a * y)


right("best_scale")(lambda a, X, y: a.sum() / np.sum(w_of(a, X, y) ** 2))


@right("best_scale")
def by_search(a, X, y):
    q, low, high = w_of(a, X, y) @ w_of(a, X, y), 0.0, 1e3
    for _ in range(200):
        middle = (low + high) / 2
        low, high = (middle, high) if sum(a) - middle * q > 0 else (low, middle)
    return [low]


wrong("best_scale", "inverse")(lambda a, X, y: np.sum(w_of(a, X, y) ** 2) / a.sum())
wrong("best_scale", "root")(lambda a, X, y: a.sum() / np.linalg.norm(w_of(a, X, y)))
wrong("best_scale", "zero")(lambda a, X, y: a.sum() / (0.5 * np.sum(w_of(a, X, y) ** 2)))
wrong("best_scale", "half")(lambda a, X, y: 0.5 * a.sum() / np.sum(w_of(a, X, y) ** 2))
wrong("best_scale", "value")(lambda a, X, y: a.sum() ** 2 / np.sum(w_of(a, X, y) ** 2) / 2)
wrong("best_scale", "without-y")(lambda a, X, y: a.sum() / np.sum((a @ X) ** 2))
wrong("best_scale", "unit-w")(lambda a, X, y: 1 / np.linalg.norm(w_of(a, X, y)))
wrong("best_scale", "unit-sum")(lambda a, X, y: 1 / np.sum(a))
wrong("best_scale", "exception")(lambda a, X, y: a.sum() / (w_of(a, X, y) @ X))


# ---- the KKT conditions
def violations(alpha, w, b, X, y, *, w_of=lambda a, X, y: X.T @ (a * y), balance=lambda a, y: abs(a @ y), b_sign=1,
               primal=lambda m: max(0, (1 - m).max()), dual=lambda a: max(0, -a.min()),
               both=lambda a, m: np.abs(a * (m - 1)).max()):
    m = y * (X @ w + b_sign * b)
    return np.linalg.norm(w - w_of(alpha, X, y)), balance(alpha, y), primal(m), dual(alpha), both(alpha, m)


def measured(**parts):
    return lambda *arguments: violations(*arguments, **parts)


right("conditions")(violations)


@right("conditions")
def with_loops(alpha, w, b, X, y):
    off, total, band, negative, product = w.copy(), 0.0, 0.0, 0.0, 0.0
    for a, x, s in zip(alpha, X, y, strict=True):
        m = s * (x @ w + b)
        off -= a * s * x
        total += a * s
        band, negative, product = max(band, 1 - m), max(negative, -a), max(product, abs(a * (1 - m)))
    return [np.sqrt(off @ off), abs(total), band, negative, product]


wrong("conditions", "stationarity-y")(measured(w_of=lambda a, X, y: X.T @ a))
wrong("conditions", "stationarity-sign")(measured(w_of=lambda a, X, y: -X.T @ (a * y)))
wrong("conditions", "balance-y")(measured(balance=lambda a, y: sum(a)))
wrong("conditions", "sign-of-b")(measured(b_sign=-1))
wrong("conditions", "primal-side")(measured(primal=lambda m: max(0, (m - 1).max())))
wrong("conditions", "sides-only")(measured(primal=lambda m: max(0, (-m).max())))
wrong("conditions", "no-max")(measured(primal=lambda m: (1 - m).max()))
wrong("conditions", "dual-side")(measured(dual=lambda a: a.max()))
wrong("conditions", "complementarity-f")(measured(both=lambda a, m: np.abs(a * m).max()))
wrong("conditions", "cancels")(measured(both=lambda a, m: abs(a @ (m - 1))))
wrong("conditions", "primal-sum")(measured(primal=lambda m: np.maximum(0, 1 - m).sum()))
wrong("conditions", "dual-sum")(measured(dual=lambda a: -a[a < 0].sum()))
wrong("conditions", "products-sum")(measured(both=lambda a, m: np.abs(a * (m - 1)).sum()))
wrong("conditions", "signed")(measured(both=lambda a, m: (a * (m - 1)).max()))
wrong("conditions", "parts")(lambda *a: max(violations(*a)))
wrong("conditions", "type")(lambda alpha, w, b, X, y: (w - X.T @ (alpha * y), *violations(alpha, w, b, X, y)[1:]))


# ---- Theorem 15.4
def on_margin(w, X, y):
    return np.isclose(y * (X @ w), 1, atol=1e-6)


@right("span")
def by_least_squares(w, X, y):
    S = X[on_margin(w, X, y)].T
    return np.linalg.norm(S @ np.linalg.lstsq(S, w)[0] - w)


@right("span")
def by_projection(w, X, y):
    basis = orth(X[on_margin(w, X, y)].T)
    return np.linalg.norm(w - basis @ (basis.T @ w))


@right("span")
def by_the_complement(w, X, y):
    return [np.linalg.norm(null_space(X[on_margin(w, X, y)]).T @ w)]


def off(S, w):
    return np.linalg.norm(w - S.T @ (np.linalg.pinv(S.T) @ w))


wrong("span", "all-points")(lambda w, X, y: off(X, w))
wrong("span", "exact")(lambda w, X, y: off(X[y * (X @ w) == 1], w))
wrong("span", "others")(lambda w, X, y: off(X[~on_margin(w, X, y)], w))
wrong("span", "one-class")(lambda w, X, y: off(X[np.isclose(X @ w, 1)], w))
wrong("span", "squared")(lambda w, X, y: np.linalg.lstsq(X[on_margin(w, X, y)].T, w)[1])
wrong("span", "relative")(lambda w, X, y: by_projection(w, X, y) / np.linalg.norm(w))
wrong("span", "exception")(lambda w, X, y: np.linalg.solve(X[on_margin(w, X, y)].T, w))

test_right, test_wrong, test_blank, test_enough = ANSWERS.tests()
