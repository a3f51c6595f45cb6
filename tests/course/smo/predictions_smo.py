"""The answers of the Predict boxes of this chapter, computed."""
import numpy as np
import pytest


def answers() -> list[str]:
    """The answer of each box, in order."""
    return [why_two()]


def why_two() -> str:
    """A feasible point leaves the plane when one variable moves, and can stay in it when two do."""
    y = np.array([-1.0, 1, 1])
    alpha = np.array([0.5, 0.2, 0.3])
    one, two = np.eye(3)[0], np.array([1.0, 1, 0])
    assert y @ alpha == 0 != y @ (alpha + 0.1 * one)
    assert y @ (alpha + 0.1 * two) == pytest.approx(0, abs=1e-15)
    return "one alone would break Σ α y = 0"
