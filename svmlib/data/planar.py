"""The data sets of the five sources: those they specify, drawn as told, and seeded ones for those they only name.

Each function returns points X (n, d) float and labels y (n,) float in {-1, +1}. Where a seed is asked for, an int
gives the same points every time; an np.random.Generator is used as it stands and moves on.
"""
import math
from typing import NamedTuple

import numpy as np

from svmlib.data.drawing import Data, Seed, draw_beside, generator, half_of, halves, shipped, uniform_where
from svmlib.validation import check_integer, check_number

__all__ = [
    "LinearRule", "blobs_with_intruders", "disc_and_annulus", "draw_km40m2",
    "draw_xs_kernel", "draw_xs_linear", "exponential_bayes_rule", "exponential_classes", "integers_beyond_two",
    "km40m2", "noisy_unit_disc", "ring", "separable_blobs", "three_point_example", "xs_kernel", "xs_linear",
]

# Task 2.2: the rates of the two exponential distributions; NumPy's scale is 1 / rate.
RATE_MINUS, RATE_PLUS = 4.0, 0.5


class LinearRule(NamedTuple):
    """The best linear rule sign(w'x + b) for a known distribution, and the share of points it gets right."""

    w: np.ndarray
    b: float
    accuracy: float


# ---- lab sheet

def exponential_classes(seed: Seed, n: int = 40) -> Data:
    """Task 2.2 of the lab sheet: both coordinates exponential, with rate 4 (class -1) and rate 0.5 (class +1).

    The first n/2 points are class -1, with mean 1/4; the others class +1, with mean 2.

    >>> X, y = exponential_classes(seed=0)
    >>> X.shape, float(y[:20].sum()), float(y[20:].sum())
    ((40, 2), -20.0, 20.0)
    """
    rng, half = generator(seed), half_of(n)
    X = np.concatenate([rng.exponential(1 / rate, (half, 2)) for rate in (RATE_MINUS, RATE_PLUS)])
    return X, halves(half)


def exponential_bayes_rule() -> LinearRule:
    """The Bayes rule of Task 2.2: +1 where x1 + x2 > t, with t = 2 ln(4 / 0.5) / (4 - 0.5) = ln 64 / 3.5.

    The log of the two densities' ratio is linear in x1 + x2, hence no rule at all beats this linear one.
    x1 + x2 is Gamma(2, rate) distributed: P(x1 + x2 <= t) = 1 - exp(-rate t) (1 + rate t).

    >>> rule = exponential_bayes_rule()
    >>> round(-rule.b, 5), round(rule.accuracy, 5)
    (1.18825, 0.9152)
    """
    t = 2 * math.log(RATE_MINUS / RATE_PLUS) / (RATE_MINUS - RATE_PLUS)
    above_minus, above_plus = (math.exp(-rate * t) * (1 + rate * t) for rate in (RATE_MINUS, RATE_PLUS))
    return LinearRule(np.ones(2), -t, (1 - above_minus + above_plus) / 2)


def disc_and_annulus(seed: Seed, n: int = 100) -> Data:
    """Task 2.6 of the lab sheet: n/2 points uniform in |t| < 1 (class -1), n/2 in 1 < |t| < 2 (class +1).

    Drawn by rejection from the squares around disc and annulus, as the task proposes.

    >>> X, y = disc_and_annulus(seed=0)
    >>> bool(((np.linalg.norm(X, axis=1) > 1) == (y > 0)).all())
    True
    """
    return ring(seed, n, gap=0.0)


# ---- report

def km40m2() -> Data:
    """Stand-in for the report's data set KM40M2-NN (section 6.6): 20 + 20 points along a W, in the plane.

    The report names the set but does not list it. These 40 points do what it says of its own: polynomial kernels
    separate them from degree 4 on; of the Gaussian ones gamma = 1 encloses class +1, gamma = 1.5 class -1.

    >>> X, y = km40m2()
    >>> X.shape, float(y.sum())
    ((40, 2), 0.0)
    """
    return shipped("km40m2")


def draw_km40m2(seed: Seed = 314, n: int = 40) -> Data:
    """Points like those of `km40m2`, for example to test on: n/2 above (+1) and n/2 below (-1) the quartic
    h(x) = 1.3 T4(x / 2), T4(u) = 8 u^4 - 8 u^2 + 1, at a vertical distance uniform in [0.35, 1.15].

    >>> bool(np.allclose(draw_km40m2()[0], km40m2()[0], rtol=0, atol=1e-12))
    True
    """
    rng, half = generator(seed), half_of(n)
    grid = np.tile(np.linspace(-2, 2, half), 2)
    x = np.clip(grid + rng.uniform(-0.08, 0.08, n), -2, 2)
    u2 = (x / 2) ** 2
    y = -halves(half)      # class +1 first, as in the file
    return np.column_stack([x, 1.3 * (8 * u2**2 - 8 * u2 + 1) + y * (0.35 + 0.8 * rng.random(n))]), y


def three_point_example() -> Data:
    """A point on the margin with alpha = 0: (0, 0) of class -1, (2, 0) and (2, 1) of class +1 (erratum report-7).

    >>> three_point_example()[1]
    array([-1.,  1.,  1.])
    """
    return np.array([[0.0, 0.0], [2.0, 0.0], [2.0, 1.0]]), np.array([-1.0, 1.0, 1.0])


def separable_blobs(seed: Seed, n: int = 40, gap: float = 0.3) -> Data:
    """Two Gaussian clouds that a line separates, as in figures 6.1 and 6.2 of the report.

    n/2 points each about (-1, -1) (class -1) and (1, 1) (class +1), standard deviation 0.8; only points at least
    gap beyond the line x1 + x2 = 0 on their side are kept, so the half margin 1 / |w| is gap or more.

    >>> X, y = separable_blobs(seed=0)
    >>> bool((y * X.sum(axis=1) / np.sqrt(2) >= 0.3).all())
    True
    """
    rng, half = generator(seed), half_of(n)
    check_number(gap, "gap", 0.0, 1.4, expected="a number in [0, 1.4], as the centres are sqrt(2) from the line")
    y = halves(half)
    X = np.empty((n, 2))
    for side in (-1.0, 1.0):
        # A point is kept with probability over 1/2 (its centre is on the right side), so 8 times are plenty.
        cloud = rng.normal(side, 0.8, (8 * half + 64, 2))
        X[y == side] = cloud[side * cloud.sum(axis=1) >= gap * math.sqrt(2)][:half]
    return X, y


def blobs_with_intruders(seed: Seed, n: int = 40) -> Data:
    """The clouds of `separable_blobs` and, as the last two points, one intruder in each: figure 6.3 of the report.

    Each intruder sits at the mean of the other class, so no line separates the n + 2 points.

    >>> X, y = blobs_with_intruders(seed=0)
    >>> X.shape, y[-2:]
    ((42, 2), array([-1.,  1.]))
    """
    X, y = separable_blobs(seed, n)
    return np.vstack([X, X[y > 0].mean(axis=0), X[y < 0].mean(axis=0)]), np.append(y, [-1.0, 1.0])


# ---- programming sheet

def xs_linear(outlier: bool = False) -> Data:
    """Stand-in for `xs_linear`, `ys_linear` of the programming sheet (Aufgabe 2): 20 + 20 separable points.

    The sheet's own file is not part of it. outlier=True appends Aufgabe 4's point (0.38, 0.05) of class -1;
    the data stay separable, with a fifth of the margin.

    >>> xs_linear()[0].shape, xs_linear(outlier=True)[0].shape
    ((40, 2), (41, 2))
    """
    return shipped("xs_linear", (0.38, 0.05) if outlier else None)


def draw_xs_linear(seed: Seed = 21, n: int = 40) -> Data:
    """Points like those of `xs_linear`: in the unit square, 0.08 or more from the line x1 = 0.3 + 0.3 x2.

    >>> bool(np.allclose(draw_xs_linear()[0], xs_linear()[0], rtol=0, atol=1e-12))
    True
    """
    return draw_beside(seed, n, lambda X: (X[:, 0] - 0.3 * X[:, 1] - 0.3) / math.hypot(1, 0.3))


def xs_kernel(outlier: bool = False) -> Data:
    """Stand-in for `xs_kernel`, `ys_kernel` of the programming sheet (Aufgabe 3): a disc (+1) in a square (-1).

    The sheet's own file is not part of it. outlier=True appends Aufgabe 4's point of class -1, the centre (0.5, 0.5).

    >>> xs_kernel()[0].shape, xs_kernel(outlier=True)[0].shape
    ((60, 2), (61, 2))
    """
    return shipped("xs_kernel", (0.5, 0.5) if outlier else None)


def draw_xs_kernel(seed: Seed = 1, n: int = 60) -> Data:
    """Points like those of `xs_kernel`: in the unit square, 0.08 or more from the circle about (0.5, 0.5), r = 0.3.

    >>> bool(np.allclose(draw_xs_kernel()[0], xs_kernel()[0], rtol=0, atol=1e-12))
    True
    """
    return draw_beside(seed, n, lambda X: 0.3 - np.hypot(X[:, 0] - 0.5, X[:, 1] - 0.5))


# ---- lecture notes and slides

def integers_beyond_two(radius: int = 6) -> Data:
    """Example 16.1 of the lecture notes: the integers from -radius to radius, +1 where |x| > 2.

    No threshold on x separates them; x -> (x, x^2) makes them linearly separable.

    >>> integers_beyond_two(3)[1]
    array([ 1., -1., -1., -1., -1., -1.,  1.])
    """
    check_integer(radius, "radius", 3, expected="an integer of at least 3, or all labels are -1")
    x = np.arange(-radius, radius + 1, dtype=float)
    return x[:, None], np.where(np.abs(x) > 2, 1.0, -1.0)


def noisy_unit_disc(seed: Seed, n: int, noise: float = 0.1) -> Data:
    """A distribution for Theorem 15.8 of the lecture notes: uniform on |x| < 1, label sign(x1), some flipped.

    noise : probability in [0, 1/2] that a label is flipped; no rule errs less often than that. The line x1 = 0
    goes through the origin, as in the theorem's homogeneous case, so n may be odd and classes unequal.

    >>> X, y = noisy_unit_disc(seed=0, n=1000)
    >>> abs(float((y != np.sign(X[:, 0])).mean()) - 0.1) < 0.03
    True
    """
    check_integer(n, "n")
    check_number(noise, "noise", 0.0, 0.5, expected="a probability in [0, 0.5]")
    rng = generator(seed)
    X = uniform_where(rng, int(n), 1.0, lambda r: r < 1)
    return X, np.where(X[:, 0] > 0, 1.0, -1.0) * np.where(rng.random(n) < noise, -1.0, 1.0)


def ring(seed: Seed, n: int = 100, gap: float = 0.5) -> Data:
    """A disc (-1) inside a ring (+1), which (x1, x2) -> (x1, x2, -|x|) makes linearly separable (slide 33).

    n/2 points uniform in |x| < 1, n/2 in 1 + gap < |x| < 2 + gap: unlike `disc_and_annulus`, with a gap between.

    >>> X, y = ring(seed=0)
    >>> bool((np.linalg.norm(X[y > 0], axis=1) > 1.5).all())
    True
    """
    check_number(gap, "gap", 0.0, 10.0)
    rng, half = generator(seed), half_of(n)
    disc = uniform_where(rng, half, 1.0, lambda r: r < 1)
    around = uniform_where(rng, half, 2 + gap, lambda r: (r > 1 + gap) & (r < 2 + gap))
    return np.concatenate([disc, around]), halves(half)
