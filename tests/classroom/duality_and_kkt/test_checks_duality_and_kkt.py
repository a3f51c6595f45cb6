"""Chapter 03: answers as students write them, right in several ways and wrong in the known ones."""
import numpy as np
from classroom.checking.both_ways import Answers
from scipy.linalg import null_space, orth

from svmlib.classroom.duality_and_kkt import checks as check

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


# ---- the best scale
right("best_scale")(lambda a, X, y: a.sum() / np.sum(((a * y) @ X) ** 2))


@right("best_scale")
def by_search(a, X, y):
    q, low, high = np.sum((X.T @ (a * y)) ** 2), 0.0, 1e3
    for _ in range(200):
        middle = (low + high) / 2
        low, high = (middle, high) if sum(a) - middle * q > 0 else (low, middle)
    return [low]


wrong("best_scale", "half")(lambda a, X, y: 0.5 * a.sum() / np.linalg.norm(X.T @ (a * y)) ** 2)


# ---- the KKT conditions
@right("conditions")
def violations(alpha, w, b, X, y):
    m = y * (X @ w + b)
    return (np.sum((w - (alpha * y) @ X) ** 2) ** 0.5, abs(sum(alpha * y)), np.maximum(0, 1 - m).max(),
            -np.minimum(0, alpha).min(), max(abs(alpha * (m - 1))))


right("conditions")(lambda *given: np.array(violations(*given)))
right("conditions")(lambda *given: (number for number in violations(*given)))
right("conditions")(lambda *given: dict(zip("12345", violations(*given), strict=True)))
wrong("conditions", "balance-sign")(
    lambda alpha, w, b, X, y: ((v := violations(alpha, w, b, X, y))[0], alpha @ y, *v[2:]))
wrong("conditions", "balance-one-side")(
    lambda alpha, w, b, X, y: ((v := violations(alpha, w, b, X, y))[0], max(0, y @ alpha), *v[2:]))


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

@wrong("span", "absolute")
def whatever_the_label(w, X, y):
    S = X[np.abs(np.abs(X @ w) - 1) < 1e-6]
    return np.linalg.norm(w - S.T @ np.linalg.pinv(S.T) @ w)


test_right, test_wrong, test_blank, test_enough = ANSWERS.tests()
