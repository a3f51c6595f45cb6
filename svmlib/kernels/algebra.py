"""What every kernel can do: be called on points, be checked, be added, scaled, multiplied and composed.

Glossary: X (n, d) and Z (m, d) are points, one per row; a Gram block K (n, m) holds K[i, j] = k(x_i, z_j).
A kernel is positive semidefinite (PSD) when K(X, X) has no negative eigenvalue for any X: then a feature map
phi exists, and the dual problem of the support vector machine is concave.
"""
import warnings
from collections.abc import Callable
from inspect import signature
from numbers import Real
from typing import TYPE_CHECKING, Any

import numpy as np

from svmlib.kernels.joining import joined
from svmlib.kernels.psd import NotPSDWarning, PSDReport
from svmlib.restoring import all_or_nothing
from svmlib.validation import as_kernel_values, as_objects, as_points, check_integer, check_number, stacklevel

if TYPE_CHECKING:
    class BaseEstimator:
        """What kernels take from scikit-learn's, which has no types: of the type Any, 2 * Linear() would be an int."""

        def get_params(self, deep: bool = True) -> dict[str, Any]: ...
        def set_params(self, **params: Any) -> Any: ...
else:
    from sklearn.base import BaseEstimator


class Kernel(BaseEstimator):
    """Base of all kernels: call it on points, add it, scale it, multiply it, compose it with a feature map.

    A subclass defines `block(X, Z)`, the Gram block of two checked float64 arrays, and may define `diagonal(X)`.
    The closure operations (slides 39) return kernels again: `k1 + k2`, `3 * k1`, `k1 * k2`, `k1 ** 2`, `k.map(phi)`.

    >>> from svmlib.kernels.vectors import Gaussian, Linear
    >>> k = 2 * Linear() + Gaussian(sigma=1.0)
    >>> k([[0.0], [1.0]]).round(3)
    array([[1.   , 0.607],
           [0.607, 3.   ]])
    """

    __array_ufunc__ = None          # so that np.float64(3) * k asks the kernel, not numpy

    #: True: PSD for every X.  False: known not to be.  None: unknown, look at the Gram matrix.
    psd: bool | None = None
    #: True: the Gram matrix of distinct points is regular, so any labelling of them can be separated.
    strictly_positive: bool = False
    #: Whether points may be a sparse matrix.
    takes_sparse: bool = False
    #: Whether k(x, z) = x'z, and nothing else: then K beta = X (X' beta), without K.
    is_inner_product: bool = False

    def __call__(self, X: Any, Z: Any = None) -> np.ndarray:
        """Gram block K[i, j] = k(x_i, z_j): X (n, d), Z (m, d) -> (n, m) float64; Z=None means Z = X."""
        X = self.points(X, "X")
        if Z is None:
            return self.block(X, X)
        Z = self.points(Z, "Z")
        if np.shape(X)[1:] != np.shape(Z)[1:]:
            raise ValueError(f"Z must have as many columns as X, got shape {np.shape(Z)} for {np.shape(X)}")
        return self.block(X, Z)

    def diag(self, X: Any) -> np.ndarray:
        """Values k(x_i, x_i): X (n, d) -> (n,), without the rest of the Gram matrix."""
        return self.diagonal(self.points(X, "X"))

    def is_psd(self, X: Any, tol: float = 1e-10) -> PSDReport:
        """Eigenvalue test of the Gram matrix of X: PSD when no eigenvalue is below -tol times the largest modulus.

        >>> from svmlib.kernels.vectors import Gaussian, Sigmoid
        >>> bool(Gaussian(sigma=1.0).is_psd([[0.0], [1.0]])), bool(Sigmoid(delta=1.0).is_psd([[0.0]]))
        (True, False)
        """
        K = self(X)
        eig = np.linalg.eigvalsh((K + K.T) / 2)
        return PSDReport(float(eig[0]), float(eig[-1]), tol * max(float(np.abs(eig).max()), 1e-300))

    def map(self, phi: Callable[[np.ndarray], np.ndarray]) -> "Mapped":
        """The kernel k(phi(x), phi(z)); phi takes points (n, d) to points (n, D)."""
        return Mapped(self, phi)

    def block(self, X: np.ndarray, Z: np.ndarray) -> np.ndarray:
        """Gram block of two checked sets of points."""
        raise TypeError(f"{type(self).__name__} does not define a Gram block")

    def diagonal(self, X: np.ndarray) -> np.ndarray:
        """Diagonal by single points; subclasses have something faster."""
        return np.array([self.block(X[i:i + 1], X[i:i + 1])[0, 0] for i in range(len(X))])

    def points(self, X: Any, name: str) -> Any:
        """Check one argument; kernels on other objects than points override this."""
        return as_points(X, name)

    def __add__(self, other: "Kernel | float") -> "Sum":
        return joined(Sum, self, as_kernel(other))

    __radd__ = __add__

    def __sub__(self, other: "Kernel | float") -> "Sum":
        return self + Scaled(as_kernel(other), -1.0)            # warns: a difference of kernels may not be one

    def __mul__(self, other: "Kernel | float") -> "Kernel":
        return Scaled(self, other) if isinstance(other, Real) else joined(Product, self, as_kernel(other))

    __rmul__ = __mul__

    def __pow__(self, Q: int) -> "Kernel":
        return Product(self ** half, self ** (int(Q) - half)) if (half := check_integer(Q, "Q") // 2) else self

    def _repr_mimebundle_(self, **kwargs: Any) -> dict[str, str]:
        """A kernel is shown by its repr, not by scikit-learn's diagram of an estimator."""
        return {"text/plain": repr(self)}

    def __repr__(self, N_CHAR_MAX: int = 700) -> str:
        defaults = {k: p.default for k, p in signature(type(self).__init__).parameters.items() if k != "self"}
        params = self.get_params(deep=False)
        given = {k: params[k] for k, default in defaults.items() if k in params and params[k] is not default
                 and not (isinstance(params[k], Real) and params[k] == default)}      # an array never is its default
        return f"{type(self).__name__}({', '.join(f'{k}={v!r}' for k, v in given.items())})"

    @all_or_nothing
    def set_params(self, **params: Any) -> "Kernel":
        """Set parameters by name, check them as the constructor does, return self."""
        super().set_params(**params)
        type(self)(**self.get_params(deep=False))
        return self


def check_kernels(**parts: Any) -> None:
    """Raise a ValueError that names the part which is not a kernel."""
    for name, part in parts.items():
        if not isinstance(part, Kernel):
            raise ValueError(f"{name} must be a svmlib kernel, got {part!r}")


class Sum(Kernel):
    """k1 + k2, whose features are those of both, side by side."""

    _joined: Callable[[np.ndarray, np.ndarray], np.ndarray] = np.add

    def __init__(self, k1: Kernel, k2: Kernel) -> None:
        self.k1, self.k2 = k1, k2
        check_kernels(k1=k1, k2=k2)

    @property
    def psd(self) -> bool | None:  # type: ignore[override]
        """PSD when both are; otherwise look at the Gram matrix."""
        return True if self.k1.psd and self.k2.psd else None

    @property
    def strictly_positive(self) -> bool:  # type: ignore[override]
        """A PSD summand cannot undo a strictly positive one."""
        return bool(self.psd) and (self.k1.strictly_positive or self.k2.strictly_positive)

    @property
    def takes_sparse(self) -> bool:  # type: ignore[override]
        """Where both do."""
        return self.k1.takes_sparse and self.k2.takes_sparse

    def block(self, X: np.ndarray, Z: np.ndarray) -> np.ndarray:
        return self._joined(self.k1.block(X, Z), self.k2.block(X, Z))

    def diagonal(self, X: np.ndarray) -> np.ndarray:
        return self._joined(self.k1.diagonal(X), self.k2.diagonal(X))

    def points(self, X: Any, name: str) -> Any:
        self.k1.points(X, name)                 # each refuses what it cannot take: strings and numbers never mix
        return self.k2.points(X, name)


class Product(Sum):
    """k1 * k2, whose features are all products of one of k1 and one of k2 (Schur)."""

    _joined = np.multiply

    @property
    def strictly_positive(self) -> bool:  # type: ignore[override]
        """The entrywise product of two positive definite matrices is positive definite."""
        return self.k1.strictly_positive and self.k2.strictly_positive


class Scaled(Kernel):
    """c k; a kernel for c >= 0, with features sqrt(c) phi.  A negative c gives a `NotPSDWarning`."""

    def __init__(self, kernel: Kernel, c: float) -> None:
        self.kernel, self.c = kernel, c
        check_kernels(kernel=kernel)
        check_number(c, "c")
        if c < 0:
            warnings.warn(f"Scaled: c = {c:g} < 0 turns the eigenvalues of a kernel negative",
                          NotPSDWarning, stacklevel=stacklevel())

    @property
    def psd(self) -> bool | None:  # type: ignore[override]
        """As the kernel for c >= 0; a negative multiple of a kernel is not one."""
        return self.kernel.psd if self.c >= 0 else (False if self.kernel.psd else None)

    @property
    def strictly_positive(self) -> bool:  # type: ignore[override]
        """As the kernel, for c > 0."""
        return self.c > 0 and self.kernel.strictly_positive

    @property
    def takes_sparse(self) -> bool:  # type: ignore[override]
        """As the kernel."""
        return self.kernel.takes_sparse

    def block(self, X: np.ndarray, Z: np.ndarray) -> np.ndarray:
        return self.c * self.kernel.block(X, Z)

    def diagonal(self, X: np.ndarray) -> np.ndarray:
        return self.c * self.kernel.diagonal(X)

    def points(self, X: Any, name: str) -> Any:
        return self.kernel.points(X, name)


class OfAnything(Kernel):
    """A kernel of points (n, d) or of n strings, whichever it is given."""

    def points(self, X: Any, name: str) -> np.ndarray:
        return as_objects(X, name)


class Mapped(OfAnything):
    """k(phi(x), phi(z)): another kernel behind a feature map phi, points (n, d) or n strings -> points (n, D).

    >>> from svmlib.kernels.vectors import Linear
    >>> Linear().map(lambda X: np.hstack([X, X ** 2]))([[2.0]], [[3.0]])
    array([[42.]])
    """

    def __init__(self, kernel: Kernel, phi: Callable[[np.ndarray], np.ndarray]) -> None:
        self.kernel, self.phi = kernel, phi
        check_kernels(kernel=kernel)
        if not callable(phi):
            raise ValueError(f"phi must be a function of points, got {phi!r}")

    @property
    def psd(self) -> bool | None:  # type: ignore[override]
        """As the outer kernel."""
        return self.kernel.psd

    def mapped(self, X: np.ndarray) -> np.ndarray:
        """phi(X), checked to be one row for each point."""
        F = self.kernel.points(self.phi(X), "phi(X)")
        if len(F) != len(X):
            raise ValueError(f"phi must give one row for each of the {len(X)} points, got {len(F)}")
        return F

    def block(self, X: np.ndarray, Z: np.ndarray) -> np.ndarray:
        F = self.mapped(X)
        return self.kernel.block(F, F if X is Z else self.mapped(Z))

    def diagonal(self, X: np.ndarray) -> np.ndarray:
        return self.kernel.diagonal(self.mapped(X))


class Constant(OfAnything):
    """k(x, z) = c >= 0: one constant feature sqrt(c)."""

    psd = True

    def __init__(self, c: float = 1.0) -> None:
        self.c = c
        check_number(c, "c", 0.0)

    def block(self, X: np.ndarray, Z: np.ndarray) -> np.ndarray:
        return np.full((len(X), len(Z)), float(self.c))

    def diagonal(self, X: np.ndarray) -> np.ndarray:
        return np.full(len(X), float(self.c))


class Function(OfAnything):
    """A user's function (n, d), (m, d) -> (n, m) as a kernel, or one of n and m strings; symmetric, and never NaN.

    >>> Function(lambda X, Z: X @ Z.T)([[2.0]], [[3.0]])
    array([[6.]])
    """

    def __init__(self, function: Callable[[np.ndarray, np.ndarray], np.ndarray]) -> None:
        self.function = function
        if not callable(function):
            raise ValueError(f"function must be callable with two sets of points, got {function!r}")

    def block(self, X: np.ndarray, Z: np.ndarray) -> np.ndarray:
        return as_kernel_values(self.function(X, Z), len(X), len(Z), symmetric=X is Z)


def as_kernel(kernel: Any) -> Kernel:
    """A Kernel as it is; a number >= 0 as a constant kernel; a function of two sets of points as a kernel."""
    if isinstance(kernel, Kernel):
        return kernel
    if isinstance(kernel, Real) and not isinstance(kernel, bool):
        return Constant(float(kernel))
    if callable(kernel) and not isinstance(kernel, type):
        return Function(kernel)
    raise ValueError(f"kernel must be a svmlib kernel or a function of two sets of points, got {kernel!r}")
