"""Checks of chapter 18: the tube, its dual and its support, one class, and probabilities."""
from typing import Any

import numpy as np

from svmcourse.checking.core import Answer, Wrong, as_array, refuse
from svmcourse.checking.mistakes import Cases, Solved, compared, generator, generators, judged

CHAPTER = "18_regression_novelty_probability"


# ---- the tube --------------------------------------------------------------------------------------------------------
def readings(seed: int, n: int = 9) -> tuple[np.ndarray, np.ndarray, float]:
    """Targets, values of f above and below them, and epsilon."""
    rng = generator(seed)
    y = 3 * rng.normal(size=n)
    return y, y + rng.permutation(np.linspace(-1.3, 1.2, n)), (0.3, 0.5, 0.8)[seed]


@compared(CHAPTER, "The loss of the tube", ("the loss",), "free inside, linear outside.")
def tube_loss() -> Cases:
    """`tube_loss(y, f, epsilon)` returns the loss of each point."""
    return [readings(seed) for seed in range(3)]


DOUBLED = Solved(CHAPTER, "tube_problem")


@judged(CHAPTER, "The tube for a solver: each point twice")
def tube_problem(make: Answer) -> str:
    """`tube_problem(y, epsilon, C)` returns p, lo and hi, each (2 n,), upward copies first."""
    cases = [(readings(seed)[0], epsilon, C) for seed, (epsilon, C) in enumerate(((0.3, 1.0), (0.1, 5.0), (0.7, 0.5)))]
    n, first = len(cases[0][0]), make(*cases[0])
    if isinstance(first, (tuple, list)) and len(first) == 3 and all(np.size(part) == n for part in first):
        raise Wrong("not-doubled", "The arrays have one entry a point; each point is there twice.",
                    "np.concatenate or np.r_ of the upward and the downward copies.")
    DOUBLED.compare(make, cases, ("p", "lo", "hi"))
    return "nothing new has to be solved."


@compared(CHAPTER, "The regression function", ("f",), "a sum over the points that pull.")
def tube_predict() -> Cases:
    """`predict(K, pulls, b)` returns f at m points; K (m, n), pulls (2 n,): alpha, then alpha*."""
    for rng, (m, n) in zip(generators(3), ((4, 6), (7, 8), (3, 10)), strict=True):
        pulls = rng.uniform(0, 2, n) * (rng.random(n) < 0.7)
        up = rng.random(n) < 0.5
        yield rng.normal(size=(m, n)), np.r_[pulls * up, pulls * ~up], rng.normal() + 2


@compared(CHAPTER, "Inside, edge, outside", ("the kinds",), "those inside have no say.")
def tube_kinds() -> Cases:
    """`kinds(y, f, epsilon, tol)` returns 0, 1 or 2 for each point."""
    for rng, (epsilon, tol) in zip(generators(3), ((0.3, 1e-3), (1.0, 1e-2), (0.05, 1e-4)), strict=True):
        near = epsilon + tol * np.array([-0.7, 0.6, 0.4, -0.5])
        r = np.r_[near * [1, 1, -1, -1], 0.1 * tol, epsilon * np.array([0.2, -0.6, 0.7, 1.5, -1.4, 2.0, -3.0])]
        y = rng.normal(size=len(r))
        yield y, y - rng.permutation(r), epsilon, tol


# ---- one class -------------------------------------------------------------------------------------------------------
@judged(CHAPTER, "One class: with as few as possible")
def fewest(fill: Answer) -> str:
    """`fewest(n, nu)` returns alpha (n,), feasible, with as few positive entries as possible."""
    for n, nu in ((7, 0.5), (83, 0.1), (40, 0.25), (6, 1.0), (9, 0.05)):
        alpha, aim = as_array(fill(n, nu), "alpha", (n,)), nu * n
        total, positive = alpha.sum(), int(np.sum(alpha > 1e-9))
        refuse({"negative": alpha.min() < -1e-9, "above-one": alpha.max() > 1 + 1e-9})
        if abs(total - aim) > 1e-9 * n:
            refuse({key: abs(total - other) < 1e-9 * n for key, other in {
                "sum-one": 1.0, "nu-only": nu, "remainder-lost": np.floor(aim), "rounded-up": np.ceil(aim)}.items()})
            raise Wrong("sum", f"For n = {n} and nu = {nu:g} the alpha add up to {total:.4g}.", "nu n")
        if positive > np.ceil(aim):
            raise Wrong("uniform" if np.ptp(alpha) < 1e-9 else "too-many")
    return "nu n rounded up is the least number of support vectors, nu n rounded down the most that can be at 1."


# ---- probabilities ---------------------------------------------------------------------------------------------------
class Means:
    """A small machine to test with: the hyperplane halfway between the means of the classes."""

    def fit(self, X: Any, y: Any) -> "Means":
        """Keep the means."""
        X, y = np.asarray(X, float), np.asarray(y, float)
        plus, minus = X[y > 0].mean(axis=0), X[y < 0].mean(axis=0)
        self.w, self.b = plus - minus, (minus @ minus - plus @ plus) / 2
        return self

    def decision_function(self, X: Any) -> np.ndarray:
        """w'x + b of the rows of X."""
        return np.asarray(np.asarray(X, float) @ self.w + self.b)

    def predict(self, X: Any) -> np.ndarray:
        """Labels of the rows of X."""
        return np.where(self.decision_function(X) > 0, 1.0, -1.0)


@compared(CHAPTER, "Probabilities, first step: scores of points not seen", ("the scores",),
          "each score is as honest as that of a fresh point.")
def held_out() -> Cases:
    """`held_out(machine, X, y, folds)` returns f of each point by a machine that has not seen it."""
    for rng in generators(3):
        y = rng.permutation(np.repeat([-1.0, 1.0], 20))
        yield Means(), rng.normal(size=(40, 2)) + 0.4 * y[:, None], y, list(np.split(rng.permutation(40), 4))


@compared(CHAPTER, "Probabilities: Platt's two numbers", ("A", "B"),
          "two numbers turn scores into probabilities.", tol=2e-3)
def platt() -> Cases:
    """`platt(f, y)` returns A and B of P(y = +1) = 1 / (1 + exp(A f + B)) by maximum likelihood."""
    for rng, (a, b) in zip(generators(3), ((1.3, 0.4), (0.6, -0.7), (2.0, 0.9)), strict=True):
        f = 1.5 * rng.normal(size=80)
        yield f, np.where(rng.random(80) < 1 / (1 + np.exp(-a * f - b)), 1.0, -1.0)
