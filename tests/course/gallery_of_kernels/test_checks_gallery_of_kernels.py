"""Chapter 06: answers as students write them, right in several ways and wrong in the known ones."""
import numpy as np
from course.checking.both_ways import Answers

from svmcourse.gallery_of_kernels import checks as check
from svmlib import SVC
from svmlib.data import km40m2
from svmlib.kernels import Gaussian, Polynomial

ANSWERS = Answers(check)
right, wrong = ANSWERS.right, ANSWERS.wrong


# ---- the polynomial kernel
right("polynomial_kernel")(lambda X, Z, Q, a, b: [[(a * sum(x * z) + b) ** Q for z in Z] for x in X])
right("polynomial_kernel")(lambda X, Z, Q, a, b: Polynomial(Q=Q, a=a, b=b)(X, Z))
wrong("polynomial_kernel", "b-outside")(lambda X, Z, Q, a, b: (a * X @ Z.T) ** Q + b)
wrong("polynomial_kernel", "shape")(lambda X, Z, Q, a, b: (a * Z @ X.T + b) ** Q)


# ---- the Gaussian
def squares(X, Z):
    return (X**2).sum(axis=1)[:, None] + (Z**2).sum(axis=1) - 2 * X @ Z.T


right("gaussian_kernel")(lambda X, Z, sigma: np.exp(-squares(X, Z) / (2 * sigma**2)))
right("gaussian_kernel")(lambda X, Z, sigma: Gaussian(gamma=1 / (2 * sigma**2))(X, Z))
wrong("gaussian_kernel", "sum-first")(
    lambda X, Z, sigma: np.exp(-(X.sum(axis=1)[:, None] - Z.sum(axis=1)) ** 2 / (2 * sigma**2)))
wrong("gaussian_kernel", "shape")(lambda X, Z, sigma: np.exp(-squares(X, Z) / (2 * sigma**2)).T)


# ---- the prefactor
@right("prefactor")
def by_the_root(C, alpha, sigma):
    return C / np.sqrt(2 * np.pi) / sigma, alpha / np.sqrt(2 * np.pi) / sigma


right("prefactor")(lambda C, alpha, s: [C / (s * (2 * np.pi) ** 0.5), [a / (s * (2 * np.pi) ** 0.5) for a in alpha]])
wrong("prefactor", "no-root")(lambda C, alpha, s: (C / (2 * np.pi * s**2), alpha / (2 * np.pi * s**2)))
wrong("prefactor", "parts")(lambda C, alpha, sigma: by_the_root(C, alpha, sigma)[0])

# ---- which degree, and who encloses whom
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
