"""The answers of the Predict boxes of this chapter, computed."""
import numpy as np

from svmlib import SVC
from svmlib.kernels import Linear


def answers() -> list[str]:
    """The answer of each box, in order."""
    return [margin_that_changes(), borders_that_meet()]


def margin_that_changes() -> str:
    """Which margin of the line changes where w and b are ten times as large."""
    x, y, w, b = np.array([0.0, 1, 3, 4]), np.array([-1, -1, 1, 1]), 1.0, -2.0
    functional = [(y * c * (w * x + b)).min() for c in (1, 10)]
    geometric = [value / (c * w) for value, c in zip(functional, (1, 10), strict=True)]
    assert functional[0] != functional[1]
    assert geometric[0] == geometric[1]
    return "the functional margin"


def borders_that_meet() -> str:
    """The points on the margin."""
    x, y = np.array([[0.0], [1], [3], [4]]), np.array([-1.0, -1, 1, 1])
    machine = SVC(Linear(), C=np.inf).fit(x, y)
    on = np.isclose(y * machine.decision_function(x), 1, atol=1e-6)
    return " and ".join(f"{value:g}" for value in x[on, 0])
