"""Chapter 05: answers as students write them, right in several ways and wrong in the known ones."""
import numpy as np
from course.checking.both_ways import Answers

from svmcourse.feature_maps_and_the_kernel_trick import checks as check
from svmlib import SVC
from svmlib.data import disc_and_annulus
from svmlib.kernels import Gaussian, Linear
from svmlib.kernels.feature_maps import paraboloid

ANSWERS = Answers(check)
right, wrong = ANSWERS.right, ANSWERS.wrong


# ---- features
@right("polynomial_features")
def phi(x):
    return np.stack([3 + 0 * x, 6**0.5 * x, x * x], axis=1)


right("polynomial_features")(lambda x: -phi(x)[:, ::-1])
right("polynomial_features")(lambda x: np.c_[3 + 0 * x, 3**0.5 * x, 3**0.5 * x, x * x])   # a product of both, twice
right("polynomial_features")(lambda x: [[3, 6**0.5 * a, a * a] for a in x])
wrong("polynomial_features", "no-constant")(lambda x: [row[1:] for row in phi(x)])
wrong("polynomial_features", "shape")(lambda x: phi(x).T)


# ---- Task 2.6: the data
def rejected(rng, keep, reach, low=-1.0):
    points = []
    while len(points) < 50:
        t = reach * rng.uniform(low, 1, size=2)
        if keep(np.hypot(*t)):
            points.append(t)
    return points


def both(rng, inner=lambda r: r < 1, outer=lambda r: 1 < r < 2, low=-1.0, labels=(-1, 1)):
    X = rejected(rng, inner, 1.0, low) + rejected(rng, outer, 2.0, low)
    return np.array(X), np.repeat(labels, 50)


def by_angle(rng, root):
    angle = rng.uniform(0, 2 * np.pi, 100)
    u = rng.random(50)
    r = np.concatenate([u**0.5, (1 + 3 * rng.random(50)) ** 0.5]) if root else np.concatenate([u, 1 + rng.random(50)])
    return np.column_stack([r * np.cos(angle), r * np.sin(angle)]), np.repeat([-1.0, 1.0], 50)


right("task_2_6_data")(both)
right("task_2_6_data")(lambda rng: by_angle(rng, True))
right("task_2_6_data")(lambda rng: tuple(part[::-1].tolist() for part in both(rng)))
wrong("task_2_6_data", "radius-uniform")(lambda rng: by_angle(rng, False))
wrong("task_2_6_data", "no-rejection")(lambda rng: both(rng, inner=lambda r: True))
wrong("task_2_6_data", "corners")(lambda rng: both(rng, outer=lambda r: r > 1))
wrong("task_2_6_data", "whole-disc")(lambda rng: both(rng, outer=lambda r: r < 2))
wrong("task_2_6_data", "labels-exchanged")(lambda rng: both(rng, labels=(1, -1)))
wrong("task_2_6_data", "labels-01")(lambda rng: both(rng, labels=(0, 1)))
wrong("task_2_6_data", "one-quarter")(lambda rng: both(rng, low=0.0))


@wrong("task_2_6_data", "one-side")
def right_half(rng, classes=(-1, 1)):
    X, y = both(rng)
    X[np.isin(y, classes), 0] = np.abs(X[np.isin(y, classes), 0])
    return X, y


wrong("task_2_6_data", "one-side")(lambda rng: right_half(rng, (-1,)))
wrong("task_2_6_data", "one-side")(lambda rng: right_half(rng, (1,)))
wrong("task_2_6_data", "parts")(lambda rng: both(rng)[0])


# ---- Task 2.6: circle and machines
@right("task_2_6_circle")
def centre_and_radius(w, b):
    m = -0.5 * np.asarray(w[:2]) / w[2]
    return m, (m[0]**2 + m[1]**2 - b / w[2]) ** 0.5


right("task_2_6_circle")(lambda w, b: [[-w[0] / w[2] / 2, -w[1] / w[2] / 2], np.sqrt(w[0]**2 + w[1]**2 - 4 * w[2] * b)
                                       / abs(2 * w[2])])
wrong("task_2_6_circle", "b-only")(lambda w, b: ([-w[0] / w[2] / 2, -w[1] / w[2] / 2], np.sqrt(-b / w[2])))
wrong("task_2_6_circle", "parts")(lambda w, b: centre_and_radius(w, b)[1])


def accuracies(seed, count=2000):
    (X, y), (T, t) = disc_and_annulus(seed), disc_and_annulus(500 + seed, count)
    line, lift = (SVC(Linear(), C=10).fit(Z, y) for Z in (X, paraboloid(X)))
    return line.score(T, t), lift.score(paraboloid(T), t)


def of_the_exercise(C):
    (X, y), (T, t) = disc_and_annulus(0), disc_and_annulus(1, n=2000)
    return SVC(Linear(), C=C).fit(X, y).score(T, t), SVC(Linear(), C=C).fit(paraboloid(X), y).score(paraboloid(T), t)


ONE, TWO = accuracies(0)
right("task_2_6")(of_the_exercise(10))
wrong("task_2_6", "C-is-one")(of_the_exercise(1))
right("task_2_6")((ONE, TWO))
right("task_2_6")(accuracies(3))
right("task_2_6")((np.array([ONE]), np.float32(TWO)))
wrong("task_2_6", "exchanged")((TWO, ONE))
wrong("task_2_6", "training-data")(accuracies(1, 100))
wrong("task_2_6", "percent")((100 * ONE, 100 * TWO))
wrong("task_2_6", "errors")((1 - ONE, 1 - TWO))
wrong("task_2_6", "map-forgotten")((ONE, ONE))
wrong("task_2_6", "best-line")((TWO, TWO))
wrong("task_2_6", "best-line")((0.6595, TWO))


# ---- Task 2.7, first step
right("task_2_7_decision")(lambda T, X, y, alpha, b, sigma: Gaussian(sigma=sigma)(T, X) @ (alpha * y) + b)


@right("task_2_7_decision")
def with_loops(T, X, y, alpha, b, sigma):
    return [sum(a * s * np.exp(-sum((t - x) ** 2) / (2 * sigma**2)) for a, s, x in zip(alpha, y, X, strict=True)) + b
            for t in T]


@wrong("task_2_7_decision", "distance")
def by_the_norm(T, X, y, alpha, b, sigma):
    distances = np.linalg.norm(T[:, None] - X, axis=2)
    return (alpha * y * np.exp(-distances / 2 / sigma**2)).sum(axis=1) + b


wrong("task_2_7_decision", "shape")(lambda T, X, y, a, b, s: by_the_norm(X, X, y, a, b, s))


def test_the_stored_accuracies_are_those_of_the_machines():
    assert {C: of_the_exercise(C)[1] for C in (1, 10)} == check.LIFTED


test_right, test_wrong, test_blank, test_enough = ANSWERS.tests({"task_2_6": (None, None)})
