"""How exact kernel values are, for the bound of the duality gap: svmlib.dual.certificate."""
from typing import Any

from scipy.sparse import issparse

from svmlib.kernels.algebra import Kernel, Mapped, Scaled, Sum
from svmlib.kernels.vectors import FEW, Gaussian, OfVectors, Precomputed, amid, far, squared_lengths


def error_units(kernel: Kernel, X: Any) -> float:  # noqa: PLR0911  one return a form
    """How many units of 2^-53 sqrt(k(x, x) k(z, z)) a computed k(x, z) may be off for points X; of others a guess.

    >>> from svmlib.kernels.vectors import Linear
    >>> import numpy as np
    >>> error_units(Linear(), np.eye(4)), error_units(2.0 * Linear(), np.eye(4)), error_units(Precomputed(), np.eye(4))
    (12.0, 13.0, 0.0)
    """
    if isinstance(kernel, Sum):
        return 1.0 + error_units(kernel.k1, X) + error_units(kernel.k2, X)
    if isinstance(kernel, Scaled):
        return 1.0 + error_units(kernel.kernel, X)
    if isinstance(kernel, Mapped):
        return error_units(kernel.kernel, kernel.mapped(X))
    if isinstance(kernel, Precomputed):
        return 0.0                                             # the numbers themselves are the kernel
    if not isinstance(kernel, OfVectors):
        return 16.0
    if isinstance(kernel, Gaussian) and issparse(X) and far(kernel, X, X):
        X = X.toarray()
    if isinstance(kernel, Gaussian) and not issparse(X):
        if X.shape[1] <= FEW:                                  # by differences: t exp(-t) is never large
            return 8.0 + X.shape[1]
        X = X - amid(X)
    return float((8.0 + 2.0 * X.shape[1] ** 0.5) * kernel.condition(float(squared_lengths(X).max())))
