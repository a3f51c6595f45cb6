"""Kernels by scikit-learn's names: kernel="rbf" with gamma, degree and coef0, beside the kernel objects of the book."""
import warnings
from typing import Any

import numpy as np
from scipy.sparse import issparse

from svmlib.kernels import Gaussian, Kernel, Linear, Polynomial, Precomputed, Sigmoid
from svmlib.validation import check_integer, check_number, stacklevel

#: Names of kernels, and the parameters that each of them uses.
NAMES: dict[str, tuple[str, ...]] = {"linear": (), "poly": ("gamma", "degree", "coef0"), "rbf": ("gamma",),
                                     "sigmoid": ("gamma", "coef0"), "precomputed": ()}
DEFAULTS: dict[str, Any] = {"gamma": "scale", "degree": 3, "coef0": 0.0}


def warn_of_unused(machine: Any) -> None:
    """Warn where gamma, degree or coef0 was set, and the kernel of the machine does not use it."""
    kernel = "rbf" if machine.kernel is None else machine.kernel
    used = NAMES.get(kernel, ()) if isinstance(kernel, str) else ()
    for name, default in DEFAULTS.items():
        value = getattr(machine, name)
        if name not in used and value is not default and value != default:
            whose = f'kernel="{kernel}", which uses ' + (" and ".join(used) or "none of gamma, degree and coef0") \
                if isinstance(kernel, str) else f"kernel={kernel!r}, which has its parameters in itself"
            warnings.warn(f"{name}={value!r} has no effect with {whose}", UserWarning, stacklevel=stacklevel())


def without_data(name: str | None) -> Kernel | None:
    """The kernel of a name that needs no number: "linear", "precomputed"; None where gamma may depend on the data.

    >>> without_data("linear"), without_data("rbf")
    (Linear(), None)
    """
    if name is not None and name not in NAMES:
        raise ValueError(f"kernel must be a svmlib kernel, a function of two sets of points, None, or one of "
                         f"{', '.join(map(repr, NAMES))}, got {name!r}")
    return {"linear": Linear, "precomputed": Precomputed}[name]() if name in ("linear", "precomputed") else None


def with_data(machine: Any, X: Any, weight: np.ndarray | None) -> Kernel:
    """The kernel "rbf" (also for None), "poly" or "sigmoid" of a machine that is fitted to X (n, d).

    "rbf" is exp(-gamma |x - z|^2), "poly" (gamma x'z + coef0)^degree, "sigmoid" tanh(gamma x'z + coef0).
    """
    gamma = rate(machine.gamma, X, weight)
    if machine.kernel is None or machine.kernel == "rbf":
        return Gaussian(gamma=gamma)
    check_number(machine.coef0, "coef0")
    if machine.kernel == "sigmoid":
        return Sigmoid(kappa=gamma, delta=-machine.coef0)
    return Polynomial(Q=check_integer(machine.degree, "degree"), a=gamma, b=machine.coef0)


def rate(gamma: Any, X: Any, weight: np.ndarray | None) -> float:
    """The number that gamma stands for: itself; "auto", 1 / d; "scale", 1 / (d var X), a point of weight 2 twice.

    >>> rate("auto", np.eye(4), None), rate("scale", np.array([[0.0], [2.0]]), None), rate(0.3, np.eye(2), None)
    (0.25, 1.0, 0.3)
    """
    if isinstance(gamma, str) and gamma == "scale":
        with np.errstate(over="ignore", divide="ignore", invalid="ignore"):
            variance = np.float64(spread(X, weight))
            gamma = 1.0 / (X.shape[1] * variance)
        if variance == 0:
            return 1.0
        if not 0 < gamma < np.inf:
            raise ValueError(f'gamma="scale" is 1 / (d var X), which is {gamma:g} for a variance of {variance:g}; '
                             "scale the features")
        return float(gamma)
    if isinstance(gamma, str) and gamma == "auto":
        return 1.0 / X.shape[1]
    check_number(gamma, "gamma", 0.0, strict=True, expected='"scale", "auto" or a number > 0')
    return float(gamma)


def spread(X: Any, weight: np.ndarray | None) -> float:
    """Variance of all entries of X, each with the weight (n,) of its point: the mean first, then what is left of it."""
    if not issparse(X) and weight is None:
        return float(X.var())
    share = np.full(X.shape[0], 1.0 / X.shape[0]) if weight is None else weight / weight.sum()
    mean = np.float64(share @ X.mean(axis=1))                   # which overflows to inf, where a float raises
    if not issparse(X):
        return float(share @ ((X - mean) ** 2).mean(axis=1))
    X = X.tocsr()
    held = np.diff(X.indptr)                                   # the entries that are not held are 0
    squares = np.repeat(share, held) @ (X.data - mean) ** 2 + share @ (X.shape[1] - held) * mean ** 2
    return float(squares / X.shape[1])
