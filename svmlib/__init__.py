"""svmlib: support vector machines, one dual problem, many solvers, one certificate."""
from typing import TYPE_CHECKING, Any

from svmlib.dual import ConvergenceWarning, DualProblem, NotSeparableError, Solution
from svmlib.kernels import NotPSDWarning
from svmlib.solvers import solve

if TYPE_CHECKING:
    from svmlib.svc import SVC, SVR, OneClassSVM

__all__ = ["SVC", "SVR", "ConvergenceWarning", "DualProblem", "NotPSDWarning", "NotSeparableError", "OneClassSVM",
           "Solution", "solve"]
__version__ = "1.0.0"


def __getattr__(name: str) -> Any:
    """Import the estimators at first use: they bring scikit-learn's with them."""
    if name in ("SVC", "SVR", "OneClassSVM"):
        from svmlib import svc

        return getattr(svc, name)
    raise AttributeError(f"module 'svmlib' has no attribute {name!r}")
