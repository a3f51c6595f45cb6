"""The dual problem, its solutions, and the certificate that says how good each is."""
from svmlib.dual.problem import AT_BOUND, ConvergenceWarning, DualProblem, NotSeparableError, Solution

__all__ = ["AT_BOUND", "ConvergenceWarning", "DualProblem", "NotSeparableError", "Solution"]
