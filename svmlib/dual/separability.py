"""Can two classes be separated without error?  The question a hard margin has to ask first."""
from collections.abc import Callable

import numpy as np
from scipy.optimize import linprog

from svmlib.kernels import Kernel
from svmlib.threads import blas_limit

ROUNDING = 1e-9            # a margin, relative to the extent of the data, that is rounding


def separable(kernel: Kernel, X: np.ndarray, y: np.ndarray, gram: Callable[[], np.ndarray]) -> bool:
    """Whether some (w, b) has y_i (<w, phi(x_i)> + b) > 0 for all i, in the feature space of the kernel.

    X (n, d) points, y (n,) in {-1, +1}; gram() returns the Gram matrix where it is needed.

    >>> from svmlib.kernels import Gaussian, Linear
    >>> X, y = np.array([[0.0], [1.0], [2.0]]), np.array([1.0, -1.0, 1.0])
    >>> separable(Linear(), X, y, lambda: X @ X.T), separable(Gaussian(sigma=1.0), X, y, lambda: None)
    (False, True)
    """
    X = X if isinstance(X, np.ndarray) else X.toarray()
    if _contradictory(X, y):
        return False
    if kernel.strictly_positive:
        return True
    if kernel.is_inner_product:
        return _linearly_separable(X, y)
    with blas_limit():                                  # on matrices of this size, threads wait for each other
        return _linearly_separable(_coordinates(gram()), y)


def _contradictory(X: np.ndarray, y: np.ndarray) -> bool:
    """Whether some point occurs with both labels."""
    rows, group = np.unique(X, axis=0 if X.ndim == 2 else None, return_inverse=True)     # points or strings
    total = np.bincount(group.ravel(), weights=y, minlength=len(rows))
    return bool(np.any(np.abs(total) != np.bincount(group.ravel(), minlength=len(rows))))


def _coordinates(K: np.ndarray) -> np.ndarray:
    """Coordinates Phi (n, r) with Phi Phi' = K, without the directions that are rounding noise."""
    values, vectors = np.linalg.eigh((K + K.T) / 2)
    keep = values > 1e-13 * values[-1]
    return vectors[:, keep] * np.sqrt(values[keep])


def _linearly_separable(X: np.ndarray, y: np.ndarray) -> bool:
    """Linear program: the largest t <= 1 with y (Xw + b) >= t and |w_j| <= 1 on data scaled to a unit box."""
    X = X - X.mean(axis=0)
    scale = np.abs(X).max(axis=0)
    X = X[:, scale > 0] / scale[scale > 0]
    n, d = X.shape
    Z = np.column_stack([X, np.ones(n)])
    if _separates(Z, y, np.linalg.lstsq(Z, y, rcond=None)[0]):            # many features: least squares does it
        return True
    A = np.column_stack([-y[:, None] * X, -y, np.ones(n)])
    bounds = [(-1.0, 1.0)] * d + [(None, None), (None, 1.0)]
    answer = linprog(np.r_[np.zeros(d + 1), -1.0], A_ub=A, b_ub=np.zeros(n), bounds=bounds, method="highs")
    # The program is solved to a tolerance; the hyperplane that it returns either separates or it does not.
    return answer.status == 0 and _separates(Z, y, answer.x[:d + 1])


def _separates(Z: np.ndarray, y: np.ndarray, w: np.ndarray) -> bool:
    """Whether y Zw > 0, by more than rounding: an enormous w may turn the last digits of Z into a margin."""
    return bool(np.min(y * (Z @ w)) > ROUNDING * np.abs(w).max())
