"""Chapter 08: answers as students write them, right in several ways and wrong in the known ones."""
import numpy as np
from classroom.checks.both_ways import Answers

from svmlib import SVC
from svmlib.classroom.checks import feature_maps as check
from svmlib.data import disc_and_annulus
from svmlib.kernels import Gaussian, Linear
from svmlib.kernels.feature_maps import paraboloid, tensor_features
from svmlib.solvers.smo_lab_sheet import one_step

ANSWERS = Answers(check)
right, wrong = ANSWERS.right, ANSWERS.wrong


# ---- features
def phi(X, one=1.0, line=2**0.5, cross=2**0.5, drop=()):
    a, b = X[:, 0], X[:, 1]
    parts = [one + 0 * a, line * a, line * b, a * a, cross * a * b, b * b]
    return np.column_stack([p for k, p in enumerate(parts) if k not in drop])


right("polynomial_features")(phi)
right("polynomial_features")(lambda X: -phi(X)[:, ::-1])
right("polynomial_features")(lambda X: tensor_features(X, 2))                # the notes' nine components
right("polynomial_features")(lambda X: [[1, 2**0.5 * a, 2**0.5 * b, a * a, 2**0.5 * a * b, b * b] for a, b in X])
wrong("polynomial_features", "no-roots")(lambda X: phi(X, line=1, cross=1))
wrong("polynomial_features", "no-root-linear")(lambda X: phi(X, line=1))
wrong("polynomial_features", "no-root-cross")(lambda X: phi(X, cross=1))
wrong("polynomial_features", "two-for-root")(lambda X: phi(X, line=2, cross=2))
wrong("polynomial_features", "no-constant")(lambda X: phi(X, drop=(0,)))
wrong("polynomial_features", "no-linear")(lambda X: phi(X, drop=(1, 2)))
wrong("polynomial_features", "no-cross")(lambda X: phi(X, drop=(4,)))
wrong("polynomial_features", "kernel")(lambda X: (1 + X @ X.T) ** 2)
wrong("polynomial_features", "shape")(lambda X: phi(X).T)


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
def centre_and_radius(w, b, sign=-1, half=0.5, root=np.sqrt, more=True, b_sign=-1):
    m = sign * half * np.array([w[0], w[1]]) / w[2]
    return m, root(abs((m[0]**2 + m[1]**2 if more else 0) + b_sign * b / w[2]))


right("task_2_6_circle")(lambda w, b: [[-w[0] / w[2] / 2, -w[1] / w[2] / 2], np.sqrt(w[0]**2 + w[1]**2 - 4 * w[2] * b)
                                       / abs(2 * w[2])])
wrong("task_2_6_circle", "centre-sign")(lambda w, b: centre_and_radius(w, b, sign=1))
wrong("task_2_6_circle", "no-half")(lambda w, b: centre_and_radius(w, b, half=1))
wrong("task_2_6_circle", "squared")(lambda w, b: centre_and_radius(w, b, root=lambda v: v))
wrong("task_2_6_circle", "b-only")(lambda w, b: centre_and_radius(w, b, more=False))
wrong("task_2_6_circle", "sign-of-b")(lambda w, b: centre_and_radius(w, b, b_sign=1))
wrong("task_2_6_circle", "w3-forgotten")(lambda w, b: centre_and_radius([w[0], w[1], 1.0], b))
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


# ---- Task 2.7
def gauss(A, B, sigma, sign=-1, power=2, scale=lambda s: 2 * s * s):
    d = np.linalg.norm(A[:, None] - B[None], axis=2)
    return np.exp(sign * d**power / scale(sigma))


def decided(T, X, y, alpha, b, sigma, *, weights=lambda a, y: a * y, b_sign=1, factor=1, **kernel):
    return gauss(T, X, sigma, **kernel) @ weights(alpha, y) * factor + b_sign * b


def variant(**parts):
    return lambda *arguments: decided(*arguments, **parts)


right("task_2_7_decision")(decided)
right("task_2_7_decision")(lambda T, X, y, alpha, b, sigma: Gaussian(sigma=sigma)(T, X) @ (alpha * y) + b)


@right("task_2_7_decision")
def with_loops(T, X, y, alpha, b, sigma):
    return [sum(a * s * np.exp(-sum((t - x) ** 2) / (2 * sigma**2)) for a, s, x in zip(alpha, y, X, strict=True)) + b
            for t in T]


wrong("task_2_7_decision", "plus")(variant(sign=1))
wrong("task_2_7_decision", "sigma-not-squared")(variant(scale=lambda s: 2 * s))
wrong("task_2_7_decision", "no-two")(variant(scale=lambda s: s * s))
wrong("task_2_7_decision", "four")(variant(scale=lambda s: (2 * s) ** 2))
wrong("task_2_7_decision", "distance")(variant(power=1))
wrong("task_2_7_decision", "without-y")(variant(weights=lambda a, y: a))
wrong("task_2_7_decision", "without-alpha")(variant(weights=lambda a, y: y))
wrong("task_2_7_decision", "without-b")(variant(b_sign=0))
wrong("task_2_7_decision", "b-sign")(variant(b_sign=-1))
wrong("task_2_7_decision", "prefactor")(
    lambda T, X, y, a, b, s: decided(T, X, y, a, b, s, factor=1 / np.sqrt(2 * np.pi * s * s)))
wrong("task_2_7_decision", "linear")(lambda T, X, y, a, b, s: T @ X.T @ (a * y) + b)
wrong("task_2_7_decision", "shape")(lambda T, X, y, a, b, s: decided(X, X, y, a, b, s))


def kernel_smo(X, y, C, sigma, steps, rng, *, K=gauss, keep=True, correct=True, times=1, same=False, box=1.0):
    n, K = len(y), K(X, X, sigma)
    alpha, f, b = np.zeros(n), np.zeros(n), 0.0
    for _ in range(steps // times):
        i, j = (0, n - 1) if same else rng.choice(n, 2, replace=False)
        step = one_step(i, j, alpha, y, K, f, box * C, b)
        if keep:
            alpha, f, b = step
    free = (alpha > 1e-8) & (alpha < C)
    return alpha, b - np.mean((f - y)[free]) if correct and free.any() else 0.0


def smo(**parts):
    return lambda *arguments: kernel_smo(*arguments, **parts)


right("task_2_7")(kernel_smo)


@right("task_2_7")
def by_svc(X, y, C, sigma, steps, rng):
    machine = SVC(Gaussian(sigma=sigma), C=C, tol=1e-6).fit(X, y)
    return machine.solutions_[0].alpha.tolist(), machine.intercept_


wrong("task_2_7", "linear")(smo(K=lambda A, B, s: A @ B.T))
wrong("task_2_7", "gram-with-labels")(lambda X, y, *rest: kernel_smo(
    X, y, *rest, K=lambda A, B, s: np.outer(y, y) * gauss(A, B, s)))
wrong("task_2_7", "sigma-not-squared")(smo(K=lambda A, B, s: gauss(A, B, s, scale=lambda s: 2 * s)))
wrong("task_2_7", "no-two")(smo(K=lambda A, B, s: gauss(A, B, s, scale=lambda s: s * s)))
wrong("task_2_7", "four")(smo(K=lambda A, B, s: gauss(A, B, s, scale=lambda s: 4 * s * s)))
wrong("task_2_7", "not-at-the-optimum")(smo(times=400))
wrong("task_2_7", "not-at-the-optimum")(smo(same=True))
wrong("task_2_7", "nothing-learned")(smo(keep=False))
wrong("task_2_7", "b")(smo(correct=False))
wrong("task_2_7", "box")(smo(box=5.0))
wrong("task_2_7", "parts")(lambda *arguments: kernel_smo(*arguments)[0])

def test_the_stored_accuracies_are_those_of_the_machines():
    assert {C: of_the_exercise(C)[1] for C in (1, 10)} == check.LIFTED


test_right, test_wrong, test_blank, test_enough = ANSWERS.tests({"task_2_6": (None, None)})
