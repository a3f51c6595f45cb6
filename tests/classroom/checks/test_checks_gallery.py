"""Chapter 09: answers as students write them, right in several ways and wrong in the known ones."""
import numpy as np
from classroom.checks.both_ways import Answers

from svmlib import SVC
from svmlib.classroom.checks import gallery as check
from svmlib.data import km40m2
from svmlib.kernels import Gaussian, Polynomial

ANSWERS = Answers(check)
right, wrong = ANSWERS.right, ANSWERS.wrong


# ---- the polynomial kernel
right("polynomial_kernel")(lambda X, Z, Q, a, b: (a * X @ Z.T + b) ** Q)
right("polynomial_kernel")(lambda X, Z, Q, a, b: [[(a * sum(x * z) + b) ** Q for z in Z] for x in X])
right("polynomial_kernel")(lambda X, Z, Q, a, b: Polynomial(Q=Q, a=a, b=b)(X, Z))
wrong("polynomial_kernel", "b-outside")(lambda X, Z, Q, a, b: (a * X @ Z.T) ** Q + b)
wrong("polynomial_kernel", "a-outside")(lambda X, Z, Q, a, b: a * (X @ Z.T + b) ** Q)
wrong("polynomial_kernel", "without-a")(lambda X, Z, Q, a, b: (X @ Z.T + b) ** Q)
wrong("polynomial_kernel", "without-b")(lambda X, Z, Q, a, b: (a * X @ Z.T) ** Q)
wrong("polynomial_kernel", "coordinates")(lambda X, Z, Q, a, b: a * X**Q @ (Z**Q).T + b)
wrong("polynomial_kernel", "times-Q")(lambda X, Z, Q, a, b: (a * X @ Z.T + b) * Q)
wrong("polynomial_kernel", "exchanged")(lambda X, Z, Q, a, b: (b * X @ Z.T + a) ** Q)
wrong("polynomial_kernel", "shape")(lambda X, Z, Q, a, b: (a * Z @ X.T + b) ** Q)
wrong("polynomial_kernel", "exception")(lambda X, Z, Q, a, b: (a * X @ Z + b) ** Q)


# ---- the Gaussian
def squares(X, Z):
    return (X**2).sum(axis=1)[:, None] + (Z**2).sum(axis=1) - 2 * X @ Z.T


right("gaussian_kernel")(lambda X, Z, sigma: np.exp(-squares(X, Z) / (2 * sigma**2)))
right("gaussian_kernel")(
    lambda X, Z, sigma: [[np.exp(-np.linalg.norm(x - z) ** 2 / (2 * sigma**2)) for z in Z] for x in X])
right("gaussian_kernel")(lambda X, Z, sigma: Gaussian(gamma=1 / (2 * sigma**2))(X, Z))
wrong("gaussian_kernel", "plus")(lambda X, Z, sigma: np.exp(squares(X, Z) / (2 * sigma**2)))
wrong("gaussian_kernel", "sigma-not-squared")(lambda X, Z, sigma: np.exp(-squares(X, Z) / (2 * sigma)))
wrong("gaussian_kernel", "no-two")(lambda X, Z, sigma: np.exp(-squares(X, Z) / sigma**2))
wrong("gaussian_kernel", "four")(lambda X, Z, sigma: np.exp(-squares(X, Z) / (2 * sigma) ** 2))
wrong("gaussian_kernel", "prefactor")(
    lambda X, Z, sigma: np.exp(-squares(X, Z) / (2 * sigma**2)) / np.sqrt(2 * np.pi) / sigma)
wrong("gaussian_kernel", "distance")(lambda X, Z, sigma: np.exp(-np.sqrt(squares(X, Z)) / (2 * sigma**2)))
wrong("gaussian_kernel", "sum-first")(
    lambda X, Z, sigma: np.exp(-(X.sum(axis=1)[:, None] - Z.sum(axis=1)) ** 2 / (2 * sigma**2)))
wrong("gaussian_kernel", "times")(lambda X, Z, sigma: np.exp(-squares(X, Z) * (2 * sigma**2)))
wrong("gaussian_kernel", "precedence")(lambda X, Z, sigma: np.exp(-squares(X, Z) / 2 * sigma**2))
wrong("gaussian_kernel", "mean")(
    lambda X, Z, sigma: np.exp(-((X[:, None] - Z) ** 2).mean(axis=2) / (2 * sigma**2)))
wrong("gaussian_kernel", "shape")(lambda X, Z, sigma: np.exp(-squares(X, Z) / (2 * sigma**2)).T)
wrong("gaussian_kernel", "shape")(lambda X, Z, sigma: np.exp(-squares(X, Z) / (2 * sigma**2)).diagonal())


# ---- the prefactor
def changed(C, alpha, sigma, *, c=lambda s: 1 / np.sqrt(2 * np.pi * s**2), on_C=1, on_alpha=1):
    return C * c(sigma) ** on_C, alpha * c(sigma) ** on_alpha


def change(**parts):
    return lambda *arguments: changed(*arguments, **parts)


right("prefactor")(changed)
right("prefactor")(lambda C, alpha, s: [C / (s * (2 * np.pi) ** 0.5), [a / (s * (2 * np.pi) ** 0.5) for a in alpha]])
wrong("prefactor", "inverse")(change(on_C=-1, on_alpha=-1))
wrong("prefactor", "unchanged")(lambda C, alpha, sigma: (C, alpha))
wrong("prefactor", "alpha-unchanged")(change(on_alpha=0))
wrong("prefactor", "C-unchanged")(change(on_C=0))
wrong("prefactor", "alpha-inverse")(change(on_alpha=-1))
wrong("prefactor", "no-root")(change(c=lambda s: 1 / (2 * np.pi * s**2)))
wrong("prefactor", "sigma-not-squared")(change(c=lambda s: 1 / np.sqrt(2 * np.pi * s)))
wrong("prefactor", "two-forgotten")(change(c=lambda s: 1 / np.sqrt(np.pi * s**2)))
wrong("prefactor", "parts")(lambda C, alpha, sigma: changed(C, alpha, sigma)[0])

# ---- the report
X, y = km40m2()


def errors(degrees=range(1, 7), b=1.0, C=1000.0):
    return [int(np.sum(SVC(Polynomial(Q=Q, a=1.0, b=b), C=C).fit(X, y).predict(X) != y)) for Q in degrees]


ERRORS, WITHOUT = errors(), errors(b=0.0)
right("report_6_6")(ERRORS)
right("report_6_6")(dict(zip(range(1, 7), ERRORS, strict=True)))
wrong("report_6_6", "accuracy")([1 - e / 40 for e in ERRORS])
wrong("report_6_6", "share")(np.array(ERRORS) / 40)
wrong("report_6_6", "right-points")([40 - e for e in ERRORS])
wrong("report_6_6", "off-by-one")([20, *ERRORS[:5]])
wrong("report_6_6", "off-by-one")([*ERRORS[1:], 0])
wrong("report_6_6", "homogeneous")(WITHOUT)
wrong("report_6_6", "C-is-one")(errors(C=1.0))
wrong("report_6_6", "reversed")(ERRORS[::-1])
wrong("report_6_6", "unknown")([13, 8, 4, 4, 4, 4])
wrong("report_6_6", "shape")(ERRORS[:5])


def b_of(**width):
    return float(SVC(Gaussian(**width), C=100).fit(X, y).intercept_[0])


B = [b_of(gamma=1.0), b_of(gamma=1.5)]
right("report_6_7")(([1, -1], B))
right("report_6_7")((np.array([1.0, -1.0]), np.round(B, 2)))
wrong("report_6_7", "outside")(([-1, 1], B))
wrong("report_6_7", "always-plus")(([1, 1], B))
wrong("report_6_7", "b-itself")((B, B))
wrong("report_6_7", "b")(([1, -1], [b_of(sigma=1.0), b_of(sigma=1.5)]))
wrong("report_6_7", "labels")(([2, -2], B))


def test_what_is_still_none_is_named():
    assert "Still None: enclosed[1], values_of_b[0]." in check.report_6_7.judge([1, None], [None, B[1]]).message
    assert "Still None: errors." in check.report_6_6.judge(None).message
    empty = check.report_6_6.judge([])
    assert "empty" in empty.message
    assert "append" in empty.hint


def test_stored_errors_are_those_of_the_machines():
    assert tuple(ERRORS) == check.ERRORS
    assert tuple(errors(C=1.0)) == check.ERRORS_C_1
    assert tuple(WITHOUT) == check.ERRORS_HOMOGENEOUS


test_right, test_wrong, test_blank, test_enough = ANSWERS.tests(
    {"report_6_6": [], "report_6_7": ([None, None], [None, None])})
