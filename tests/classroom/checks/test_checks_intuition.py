"""Chapter 01: answers as students write them, right in several ways and wrong in the known ones."""
import numpy as np
from classroom.checks.both_ways import Answers

from svmlib import SVC
from svmlib.baselines import LeastSquares
from svmlib.classroom.checks import intuition as check
from svmlib.kernels import Linear

ANSWERS = Answers(check)
right, wrong = ANSWERS.right, ANSWERS.wrong


# ---- the rule
right("rule")(lambda w, b, X: np.where(X @ w + b > 0, 1, -1))
right("rule")(lambda w, b, X: [1 if sum(w * x) + b > 0 else -1 for x in X])
right("rule")(lambda w, b, X: 2 * (X @ w > -b) - 1)
wrong("rule", "three-values")(lambda w, b, X: np.sign(X @ w + b))
wrong("rule", "tie")(lambda w, b, X: np.where(X @ w + b < 0, -1, 1))
wrong("rule", "zero-one")(lambda w, b, X: X @ w + b > 0)
wrong("rule", "f")(lambda w, b, X: X @ w + b)
wrong("rule", "exchanged")(lambda w, b, X: np.where(X @ w + b > 0, -1, 1))
wrong("rule", "without-b")(lambda w, b, X: np.where(X @ w > 0, 1, -1))
wrong("rule", "sign-of-b")(lambda w, b, X: np.where(X @ w - b > 0, 1, -1))
wrong("rule", "exception")(lambda w, b, X: 1 if X @ w + b > 0 else -1)
wrong("rule", "shape")(lambda w, b, X: np.where(X * w + b > 0, 1, -1))


# ---- the band of a direction
def width(degrees, X, y, *, angle=np.radians, of=lambda c, s: (c, s), ends=lambda p, m: min(p) - max(m),
          then=lambda v: v):
    t = angle(degrees)
    along = X @ np.array(of(np.cos(t), np.sin(t)))
    return then(ends(along[y == 1], along[y == -1]))


def banded(**parts):
    return lambda *arguments: width(*arguments, **parts)


right("width")(width)


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


wrong("width", "radians")(banded(angle=lambda d: d))
wrong("width", "sine-first")(banded(of=lambda c, s: (s, c)))
wrong("width", "half")(banded(then=lambda v: v / 2))
wrong("width", "absolute")(banded(then=abs))
wrong("width", "clipped")(banded(then=lambda v: max(v, 0)))
wrong("width", "sign")(banded(then=lambda v: -v))
wrong("width", "far-ends")(banded(ends=lambda p, m: max(p) - min(m)))
wrong("width", "inner-outer")(banded(ends=lambda p, m: min(p) - min(m)))
wrong("width", "means")(banded(ends=lambda p, m: p.mean() - m.mean()))


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
def fit(X, y, *, ones=True, target=lambda y: y, then=lambda w, b: (w, b)):
    A = np.c_[X, np.ones(len(y))] if ones else X
    v = np.linalg.pinv(A) @ target(y)
    return then(v[:2], v[2] if ones else 0)


def squares(**parts):
    return lambda X, y: fit(X, y, **parts)


right("least_squares")(fit)


@right("least_squares")
def by_normal_equations(X, y):
    A = np.insert(X, 0, 1, axis=1)
    v = np.linalg.solve(A.T @ A, A.T @ y)
    return v[1:].tolist(), [v[0]]


@right("least_squares")
def of_the_library(X, y):
    machine = LeastSquares().fit(X, y)
    return np.ravel(machine.coef_), machine.intercept_


wrong("least_squares", "without-b")(squares(ones=False))
wrong("least_squares", "zero-one")(squares(target=lambda y: (y + 1) / 2))
wrong("least_squares", "turned")(squares(target=lambda y: -y))
wrong("least_squares", "b-first")(squares(then=lambda w, b: (np.array([b, w[0]]), w[1])))
wrong("least_squares", "b-sign")(squares(then=lambda w, b: (w, -b)))
wrong("least_squares", "unit")(squares(then=lambda w, b: (w / np.linalg.norm(w), b / np.linalg.norm(w))))


@wrong("least_squares", "means")
def midway(X, y):
    p, m = X[y == 1].mean(axis=0), X[y == -1].mean(axis=0)
    return p - m, (m @ m - p @ p) / 2


wrong("least_squares", "parts")(lambda X, y: np.linalg.lstsq(np.c_[X, np.ones(len(y))], y)[0])

test_right, test_wrong, test_blank, test_enough = ANSWERS.tests()
