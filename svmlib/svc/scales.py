"""A look at the scales of the data before a fit: features, or kernel values, of wildly different or huge size."""
import warnings

import numpy as np

from svmlib.kernels import Kernel, Precomputed
from svmlib.validation import stacklevel

SCALE_RATIO, SCALE_DIAGONAL = 1e4, 1e10      # ratio of the ranges of features, and kernel value, from which on to warn


def warn_of_scales(kernel: Kernel, X: np.ndarray) -> None:
    """Warn where features, or kernel values, have wildly different or huge scales."""
    if type(X) is not np.ndarray or X.ndim != 2 or isinstance(kernel, Precomputed):
        return
    features = np.ascontiguousarray(X.T)                  # numpy is slow on the columns of a narrow matrix
    ranges = features.max(axis=1) - features.min(axis=1)
    largest = ranges.max(initial=0.0)
    smallest = ranges[ranges > 0].min(initial=largest)
    if largest > SCALE_RATIO * smallest:
        what = f"the ranges of the features of X differ by a factor of {largest / smallest:.1e}"
    elif not kernel.strictly_positive and (top := float(np.maximum.reduce(kernel.diagonal(X)))) > SCALE_DIAGONAL:
        what = f"kernel values k(x, x) reach {top:.1e}"
    else:
        return
    warnings.warn(f"{what}; scale the features, e.g. with sklearn.preprocessing.StandardScaler", UserWarning,
                  stacklevel=stacklevel())
