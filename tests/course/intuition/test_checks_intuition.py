"""Chapter 01: answers as students write them, right in several ways and wrong in the known ones."""
import numpy as np
from course.checking.both_ways import Answers

from svmcourse.intuition import checks as check
from svmlib import SVC
from svmlib.baselines import LeastSquares
from svmlib.kernels import Linear

ANSWERS = Answers(check)
right, wrong = ANSWERS.right, ANSWERS.wrong


# ---- the rule
right("rule")(lambda w, b, X: [1 if sum(w * x) + b > 0 else -1 for x in X])
right("rule")(lambda w, b, X: 2 * (X @ w > -b) - 1)
wrong("rule", "tie")(lambda w, b, X: np.where(X @ w + b < 0, -1, 1))
wrong("rule", "shape")(lambda w, b, X: np.where(X * w + b > 0, 1, -1))


# ---- the band of a direction
@right("width")
def width(degrees, X, y):
    t = np.deg2rad(degrees)
    along = np.cos(t) * X[:, 0] + np.sin(t) * X[:, 1]
    return min(along[y == 1]) - max(along[y == -1])


@right("width")
def with_loop(degrees, X, y):
    c, s = np.cos(degrees * np.pi / 180), np.sin(degrees * np.pi / 180)
    near, far = np.inf, -np.inf
    for (u, v), label in zip(X, y, strict=True):
        if label > 0:
            near = min(near, c * u + s * v)
        else:
            far = max(far, c * u + s * v)
    return [near - far]


@wrong("width", "means")
def between_the_middles(degrees, X, y):
    middles = X[y > 0].mean(axis=0) - X[y < 0].mean(axis=0)
    return middles @ [np.cos(np.pi * degrees / 180), np.sin(np.pi * degrees / 180)]


# ---- the widest band
EVERY_ANGLE = np.arange(0, 360, 0.1)


def widest(X, y, *, angles=EVERY_ANGLE, pick=lambda a, w: a[np.argmax(w)], then=lambda a, w: (a, w)):
    widths = [width(a, X, y) for a in angles]
    return then(pick(angles, np.array(widths)), max(widths))


def turning(**parts):
    return lambda X, y: widest(X, y, **parts)


def middle(angles, widths):
    best = angles[np.argmax(widths)]
    off = (angles[widths > 0] - best + 180) % 360 - 180
    return best + (off.min() + off.max()) / 2


right("widest")(widest)
right("widest")(lambda X, y: np.array(widest(X, y)))
wrong("widest", "absolute")(turning(pick=lambda a, w: a[np.argmax(np.abs(w))]))
right("widest")(lambda X, y: {"width": widest(X, y)[1], "angle": widest(X, y)[0]})
right("widest")(turning(angles=np.arange(-180, 180, 0.2)))


@right("widest")
def by_svm(X, y):
    machine = SVC(Linear(), C=np.inf, tol=1e-8).fit(X, y)
    w = machine.coef_[0]
    return [np.degrees(np.arctan2(w[1], w[0])), 2 * machine.margin_]


def by_means(X, y):
    w = X[y > 0].mean(axis=0) - X[y < 0].mean(axis=0)
    angle = np.degrees(np.arctan2(w[1], w[0]))
    return angle, width(angle, X, y)


wrong("widest", "half-width")(turning(then=lambda a, w: (a, w / 2)))
wrong("widest", "radians")(turning(then=lambda a, w: (np.radians(a), w)))
wrong("widest", "index")(turning(pick=lambda a, w: np.argmax(w)))
wrong("widest", "opposite")(turning(then=lambda a, w: (a + 180, w)))
wrong("widest", "range")(turning(angles=np.arange(0, 180, 0.1)))
wrong("widest", "coarse")(turning(angles=np.arange(0, 360, 10.0)))
wrong("widest", "coarse")(by_means)
wrong("widest", "width")(turning(then=lambda a, w: (a, w + 0.1)))
wrong("widest", "width")(turning(then=lambda a, w: (a, 0.8 * w)))
wrong("widest", "middle")(turning(pick=middle))
wrong("widest", "order")(turning(then=lambda a, w: (w, a)))
wrong("widest", "parts")(turning(then=lambda a, w: a))
wrong("widest", "unknown")(turning(pick=lambda a, w: a[np.argmin(np.abs(w))]))


# ---- least squares
@right("least_squares")
def by_normal_equations(X, y):
    A = np.insert(X, 0, 1, axis=1)
    v = np.linalg.solve(A.T @ A, A.T @ y)
    return v[1:].tolist(), [v[0]]


@right("least_squares")
def of_the_library(X, y):
    machine = LeastSquares().fit(X, y)
    return np.ravel(machine.coef_), machine.intercept_


@wrong("least_squares", "means")
def midway(X, y):
    p, m = X[y == 1].mean(axis=0), X[y == -1].mean(axis=0)
    return p - m, (m @ m - p @ p) / 2


wrong("least_squares", "parts")(lambda X, y: np.linalg.lstsq(np.c_[X, np.ones(len(y))], y)[0])

test_right, test_wrong, test_blank, test_enough = ANSWERS.tests()
