"""The answers of the Predict boxes of this chapter, computed."""
import numpy as np

from svmlib import SVC, DualProblem, solve
from svmlib.data import exponential_classes, xs_linear
from svmlib.kernels import Linear


def answers() -> list[float | str]:
    """The answer of each box, in order."""
    return [push_of_the_intruder(), dearer_slack(), spread_of_proposals(), better_steps()]


def push_of_the_intruder() -> float:
    """Its alpha in the hard margin; the intruder is the last point."""
    machine = SVC(Linear(), C=np.inf, tol=1e-6).fit(*xs_linear(outlier=True))
    return float(round(machine.solutions_[0].alpha[-1]))


def dearer_slack() -> str:
    """Its exponentials, cheap slack and expensive slack."""
    X, y = exponential_classes(seed=28)
    cheap, dear = (solve(DualProblem(Linear(), X, y, C=C), tol=1e-8) for C in (0.01, 1000))
    width = [1 / np.linalg.norm((s.alpha * y) @ X) for s in (cheap, dear)]
    return (f"{'fewer' if len(dear.support) < len(cheap.support) else 'more'}, "
            f"{'narrower' if width[1] < width[0] else 'wider'}")


def clouds() -> DualProblem:
    """Its two overlapping clouds."""
    rng, y = np.random.default_rng(1), np.repeat([-1.0, 1.0], 20)
    return DualProblem(Linear(), rng.normal(size=(40, 2)) + 0.8 * y[:, None], y, C=1.0)


def spread_of_proposals() -> float:
    """y - w'x over the fifteen support vectors of the clouds."""
    problem = clouds()
    solution = solve(problem, tol=1e-8)
    assert len(solution.support) == 15
    proposals = (problem.y - problem.times_K(problem.y * solution.alpha))[solution.support]
    return float(np.round(np.ptp(proposals), 1))


def better_steps() -> str:
    """Best costs after 20,000 subgradient steps on the clouds, without b."""
    problem, lam = clouds(), 1 / 80
    X, y = problem.X, problem.y

    def best(constant: float) -> float:
        w, least = np.zeros(2), np.inf
        for t in range(1, 20_001):
            s, short = constant or 2 / (t + 1), y * (X @ w) < 1
            w = (1 - s) * w + s / (2 * lam) * (y * short) @ X / len(y)
            least = min(least, lam * w @ w + np.maximum(0, 1 - y * (X @ w)).mean())
        return least

    return "one that shrinks" if best(0) < min(best(0.1), best(0.01)) else "a small constant"
