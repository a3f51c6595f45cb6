"""The answers of the Predict boxes of this chapter, computed."""
import numpy as np

from svmlib import DualProblem, solve
from svmlib.data import exponential_classes
from svmlib.kernels import Linear


def answers() -> list[str]:
    """The answer of each box, in order."""
    return [dearer_slack()]


def dearer_slack() -> str:
    """Its exponentials, cheap slack and expensive slack."""
    X, y = exponential_classes(seed=28)
    cheap, dear = (solve(DualProblem(Linear(), X, y, C=C), tol=1e-8) for C in (0.01, 1000))
    width = [1 / np.linalg.norm((s.alpha * y) @ X) for s in (cheap, dear)]
    return (f"{'fewer' if len(dear.support) < len(cheap.support) else 'more'}, "
            f"{'narrower' if width[1] < width[0] else 'wider'}")
