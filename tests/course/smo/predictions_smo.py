"""The answers of the Predict boxes of this chapter, computed."""
import numpy as np
import pytest
from sklearn.svm import SVC

from svmcourse.smo.figures import Triangle
from svmlib import DualProblem, audit, solve
from svmlib.data import exponential_classes
from svmlib.kernels import Linear


def answers() -> list[float | str]:
    """The answer of each box, in order."""
    return [why_two(), steps_of_the_best_pairs(), steps_at_half_the_height(), draws_off_by_more_than_tol()]


def why_two() -> str:
    """A feasible point leaves the plane when one variable moves, and can stay in it when two do."""
    y = np.array([-1.0, 1, 1])
    alpha = np.array([0.5, 0.2, 0.3])
    one, two = np.eye(3)[0], np.array([1.0, 1, 0])
    assert y @ alpha == 0 != y @ (alpha + 0.1 * one)
    assert y @ (alpha + 0.1 * two) == pytest.approx(0, abs=1e-15)
    return "one alone would break Σ α y = 0"


def steps_of_the_best_pairs() -> float:
    """Until W is right to a millionth, the median of ten sets of exponentials at C = 100."""
    counts = []
    for seed in range(10):
        problem = DualProblem(Linear(), *exponential_classes(seed), C=100)
        best = solve(problem, "smo", tol=1e-10).objective
        run = solve(problem, "smo", tol=1e-6, newton=False, history=True)
        counts.append(next(k for k, state in enumerate(run.history, 1) if state["objective"] >= best * (1 - 1e-6)))
    return float(np.median(counts))


def steps_at_half_the_height() -> str:
    """Three points that hold the band, the orange ones half as high above the blue one."""
    high, low = (len(Triangle(h).pairs()) - 1 for h in (0.5, 0.25))
    return "as many" if low <= high else "twice as many" if low < 3 * high else "four times as many"


def draws_off_by_more_than_tol() -> float:
    """Of twenty draws, C = 100: those where scikit-learn's tolerance and its worst decision value differ so."""
    draws = [exponential_classes(seed) for seed in range(20)]
    off = [audit(SVC(C=100, tol=1e-3).fit(X, y), X, y, sharp=True).decision_bound for X, y in draws]
    return float(sum(value > 1e-3 for value in off))
