"""Checks of chapter 12: the bounds of the hard and the soft margin, and the measurements to hold against them."""

import numpy as np

from svmcourse.checking.mistakes import Cases, compared, generator, generators

CHAPTER = "12_why_margins_generalise"


# ---- the bound -------------------------------------------------------------------------------------------------------
@compared(CHAPTER, "The bound of the hard margin", ("the bound",), "without the dimension.")
def margin_bound() -> Cases:
    """`bound(gamma, rho, m, delta)` returns the bound of the homogeneous hard margin."""
    return [(0.2, 1.0, 400, 0.05), (0.5, 3.0, 90, 0.1), (0.04, 0.7, 5000, 0.01)]


@compared(CHAPTER, "Points until the bound says something", ("m",),
          "the bound is one for each distribution with this γ and ρ.")
def points_needed() -> Cases:
    """`points_needed(gamma, rho, delta, error)` returns the smallest m with a bound below error."""
    return [(0.2, 1.0, 0.05, 1.0), (0.5, 1.0, 0.05, 0.1), (0.13, 2.0, 0.1, 0.3), (0.5, 1.0, 0.05, 1.0)]


# ---- gamma and rho ---------------------------------------------------------------------------------------------------
@compared(CHAPTER, "γ and ρ", ("γ", "ρ"), "their ratio has no units.")
def margin_and_radius() -> Cases:
    """`margin_and_radius(w, b, X, y)` returns gamma and rho."""
    for seed, rng in enumerate(generators(3)):
        w, b, X = rng.normal(size=3) * 2, 0.7, rng.normal(size=(9, 3)) + 0.5
        f = X @ w + b
        y = np.where(f > 0, 1.0, -1.0)
        if seed == 2:
            y[np.argsort(np.abs(f))[3]] *= -1                               # a point on the wrong side
        yield w, b, X, y


# ---- measuring -------------------------------------------------------------------------------------------------------
def cloud(seed: int, n: int) -> tuple[np.ndarray, np.ndarray]:
    """Points of two classes that overlap, in the plane."""
    rng = generator(seed)
    y = rng.choice([-1.0, 1.0], n)
    return rng.normal(size=(n, 2)) + 0.7 * y[:, None], y


class Nearest:
    """The label of the nearest training point: no training errors, and many others."""

    def __init__(self, X: np.ndarray, y: np.ndarray) -> None:
        self.X, self.y = X, y

    def __call__(self, Z: np.ndarray) -> np.ndarray:
        return np.asarray(self.y[((Z[:, None] - self.X[None]) ** 2).sum(axis=2).argmin(axis=1)])


@compared(CHAPTER, "Errors on fresh points", ("the errors",), "each draw has its own training points and its own test.")
def fresh_errors() -> Cases:
    """`fresh_errors(train, draw, m, seeds)` returns an array with one share for each seed."""
    return [(Nearest, cloud, m, seeds) for m, seeds in ((20, [0, 1, 2, 3]), (40, [7, 5, 6]))]


@compared(CHAPTER, "Mean and interval", ("the mean", "the half width"), "a mean without it is half a number.")
def mean_and_interval() -> Cases:
    """`mean_and_interval(errors)` returns the mean and the half width of its 95 % interval."""
    return [(generator(n).beta(2, 9, n),) for n in (5, 8, 12)]


# ---- the soft margin -------------------------------------------------------------------------------------------------
@compared(CHAPTER, "The soft margin: which B", ("B", "λ"), "chosen without looking at the sample.")
def best_B() -> Cases:
    """`best_B(Bs, losses, rho, m)` returns B with the smallest bound, and lambda."""
    Bs = [0.5, 1.0, 2.0, 3.0, 4.0, 6.0, 8.0, 12.0, 16.0]
    losses = [0.4 + 0.6 / (1 + B) for B in Bs]
    return [(Bs, losses, 1.0, m) for m in (60, 300, 1500, 100_000)] + [(Bs, losses, 0.5, 500)]
