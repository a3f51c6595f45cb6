"""svmlib: support vector machines, one dual problem, many solvers, one certificate."""
from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from svmlib.auditing import Audit, audit
    from svmlib.dual import ConvergenceWarning, DualProblem, NotSeparableError, Solution
    from svmlib.kernels import NotPSDWarning
    from svmlib.solvers import solve
    from svmlib.svc import SVC, SVR, OneClassSVM

__all__ = ["SVC", "SVR", "Audit", "ConvergenceWarning", "DualProblem", "NotPSDWarning", "NotSeparableError",
           "OneClassSVM", "Solution", "audit", "solve"]
__version__ = "1.0.0"
FOLDERS = {"NotPSDWarning": "kernels", "solve": "solvers", **dict.fromkeys(("SVC", "SVR", "OneClassSVM"), "svc"),
           **dict.fromkeys(("Audit", "audit"), "auditing")}


def __getattr__(name: str) -> Any:
    """Import a public name from its folder at first use: scikit-learn and SciPy, which come with it, take a second."""
    if name not in __all__:
        raise AttributeError(f"module 'svmlib' has no attribute {name!r}")
    globals()[name] = value = getattr(import_module(f"svmlib.{FOLDERS.get(name, 'dual')}"), name)
    return value


def __dir__() -> list[str]:
    """The public names, those that have not been used yet too."""
    return sorted({*globals(), *__all__})
