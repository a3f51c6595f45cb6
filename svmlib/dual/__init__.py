"""The dual problem, its solutions, and the certificate that says how good each is."""
from svmlib.dual.gram import KernelPoints
from svmlib.dual.problem import BoxProblem, DualProblem
from svmlib.dual.solution import AT_BOUND, ConvergenceWarning, NotSeparableError, Solution

__all__ = ["AT_BOUND", "BoxProblem", "ConvergenceWarning", "DualProblem", "KernelPoints", "NotSeparableError",
           "Solution"]
