"""The answers of the Predict boxes of this chapter, computed."""
import numpy as np


def answers() -> list[str]:
    """The answer of each box, in order."""
    return [minimum_of_the_lagrangian()]


def minimum_of_the_lagrangian() -> str:
    """The least w²/2 + a (1 - w), against p* = 1/2."""
    w = np.linspace(-5, 5, 100_001)
    sides = ["below" if (w * w / 2 + a * (1 - w)).min() < 0.5 else "above" for a in (0.5, 2)]
    return f"{sides[0]} both times" if sides[0] == sides[1] else f"{sides[0]}, then {sides[1]}"
