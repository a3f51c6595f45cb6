"""Live figures: points that one can take hold of, and the machine that is solved while they move.

`stage` makes the figure of the machine itself, `pairs` that of a rule for the pairs of SMO, `figure` one of any kind
that `register.js` names; README.md says how a kind is written.
"""
from svmcourse.live.making import figure, stage
from svmcourse.live.own_rule import pairs
from svmcourse.live.settings import points_state

__all__ = ["figure", "pairs", "points_state", "stage"]
