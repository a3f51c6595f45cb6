"""The machines that are compared: svmlib, scikit-learn, and two optional peers where they can be imported.

scikit-learn-intelex and ThunderSVM are not in requirements.txt; `pip install scikit-learn-intelex` (x86 only) or a
ThunderSVM built for this machine adds their rows to the tables.
"""
from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from sklearn.svm import SVC as LibSVM

from svmlib import SVC, DualProblem
from svmlib.kernels import Gaussian, Kernel, Linear
from svmlib.svc.multiclass import class_pairs

Factory = Callable[[Kernel, float], Any]


def peers() -> dict[str, Factory]:
    """Name -> factory(kernel, C) of an unfitted machine, svmlib first."""
    found: dict[str, Factory] = {"svmlib": lambda kernel, C: SVC(kernel, C=C),
                                 "scikit-learn": lambda kernel, C: LibSVM(C=C, cache_size=2000, **arguments(kernel))}
    try:
        from sklearnex.svm import SVC as Intel

        found["scikit-learn-intelex"] = lambda kernel, C: Intel(C=C, cache_size=2000, **arguments(kernel))
    except ImportError:
        pass
    try:
        from thundersvm import SVC as Thunder

        found["ThunderSVM"] = lambda kernel, C: Thunder(C=C, **arguments(kernel))
    except (ImportError, OSError):
        pass
    return found


def arguments(kernel: Kernel) -> dict[str, Any]:
    """A kernel in scikit-learn's words."""
    if isinstance(kernel, Linear):
        return {"kernel": "linear"}
    if isinstance(kernel, Gaussian):
        return {"kernel": "rbf", "gamma": kernel.gamma}
    raise ValueError(f"kernel must be Linear or Gaussian here, got {kernel!r}")


def objectives(machine: Any, kernel: Kernel) -> np.ndarray:
    """Dual values of all binary problems of a fitted machine, each recomputed in float64 from dual_coef_."""
    V = np.asarray(machine.support_vectors_, dtype=np.float64)
    W = pair_coefficients(np.asarray(machine.dual_coef_), np.asarray(machine.n_support_))
    values = []
    for beta in W:
        used = np.flatnonzero(beta)
        b = beta[used]
        values.append(float(np.abs(b).sum() - 0.5 * b @ kernel(V[used]) @ b))
    return np.array(values)


def pair_coefficients(dual_coef: np.ndarray, n_support: np.ndarray) -> np.ndarray:
    """beta of each pair (n_pairs, n_SV) from libsvm's layout (k - 1, n_SV)."""
    k = len(n_support)
    if k == 2:
        return dual_coef
    ends = np.concatenate([[0], np.cumsum(n_support)])
    out = np.zeros((k * (k - 1) // 2, dual_coef.shape[1]))
    for row, (p, q) in zip(out, class_pairs(k), strict=True):
        row[ends[p]:ends[p + 1]] = dual_coef[q - 1, ends[p]:ends[p + 1]]
        row[ends[q]:ends[q + 1]] = dual_coef[p, ends[q]:ends[q + 1]]
    return out


def largest_gap(machine: Any, kernel: Kernel, X: np.ndarray, y: np.ndarray, C: float) -> float:
    """Duality gap relative to the dual value, the largest of all binary problems, in float64 on all their points."""
    classes, codes = np.unique(y, return_inverse=True)
    W = pair_coefficients(np.asarray(machine.dual_coef_), np.asarray(machine.n_support_))
    worst = 0.0
    for beta, (p, q) in zip(W, class_pairs(len(classes)), strict=True):
        rows = np.flatnonzero((codes == p) | (codes == q))
        signs = np.where(codes[rows] == (q if len(classes) == 2 else p), 1.0, -1.0)
        alpha = np.zeros(len(X))
        alpha[machine.support_] = np.abs(beta)
        problem = DualProblem(kernel, X[rows], signs, np.full(len(rows), C), check=False)
        worst = max(worst, problem.gap(alpha[rows]) / problem.objective(alpha[rows]))
    return worst
