"""A look at the scales of the data before a fit: features, or kernel values, of wildly different or huge size.

A compiled loop, because numpy's reductions of a narrow matrix cost more than the rest of a small fit's preparation.
"""
import warnings

import numpy as np

from svmlib.compilation import njit, soonest
from svmlib.kernels import Kernel, Precomputed
from svmlib.validation import stacklevel

FEW_NUMBERS = 10_000       # that plain Python looks at sooner than a compiler is done
SCALE_RATIO, SCALE_DIAGONAL = 1e4, 1e10      # ratio of the ranges of features, and kernel value, from which on to warn


@njit()
def _ranges(X):
    """Largest range of a column of X (n, d), and the smallest that is not 0 (the largest where there is none)."""
    low, high = X[0].copy(), X[0].copy()
    for i in range(1, len(X)):
        for j in range(len(low)):
            low[j] = min(low[j], X[i, j])
            high[j] = max(high[j], X[i, j])
    largest, smallest = 0.0, np.inf
    for j in range(len(low)):
        width = high[j] - low[j]
        largest = max(largest, width)
        if 0.0 < width < smallest:
            smallest = width
    return largest, min(smallest, largest)


def warn_of_scales(kernel: Kernel, X: np.ndarray) -> None:
    """Warn where features, or kernel values, have wildly different or huge scales."""
    if type(X) is not np.ndarray or X.ndim != 2 or isinstance(kernel, Precomputed):
        return
    largest, smallest = soonest(_ranges, X.size <= FEW_NUMBERS)(np.ascontiguousarray(X))
    if largest > SCALE_RATIO * smallest:
        what = f"the ranges of the features of X differ by a factor of {largest / smallest:.1e}"
    elif not kernel.strictly_positive and (top := float(np.maximum.reduce(kernel.diagonal(X)))) > SCALE_DIAGONAL:
        what = f"kernel values k(x, x) reach {top:.1e}"
    else:
        return
    warnings.warn(f"{what}; scale the features, e.g. with sklearn.preprocessing.StandardScaler", UserWarning,
                  stacklevel=stacklevel())
