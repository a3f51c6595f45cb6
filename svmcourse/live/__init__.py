"""Live figures: points that one can take hold of, and the machine that is solved while they move.

`stage` makes the figure of the machine itself, `figure` one of any kind that `register.js` names; README.md says how
a kind is written.
"""
from svmcourse.live.making import figure, stage
from svmcourse.live.settings import points_state

__all__ = ["figure", "points_state", "stage"]
