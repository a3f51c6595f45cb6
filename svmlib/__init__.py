"""svmlib: support vector machines, one dual problem, many solvers, one certificate."""
from svmlib.dual import ConvergenceWarning, DualProblem, NotSeparableError, Solution
from svmlib.kernels import NotPSDWarning
from svmlib.solvers import solve

__all__ = ["SVC", "ConvergenceWarning", "DualProblem", "NotPSDWarning", "NotSeparableError", "Solution", "solve"]
__version__ = "1.0.0"


def __getattr__(name: str):
    """Import SVC at first use: it brings scikit-learn's estimators with it."""
    if name == "SVC":
        from svmlib.svc import SVC

        return SVC
    raise AttributeError(f"module 'svmlib' has no attribute {name!r}")
