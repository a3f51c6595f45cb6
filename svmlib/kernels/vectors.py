"""The kernels of the five sources: linear, polynomial, Gaussian, sigmoid, and what can be made of them.

Glossary: X (n, d) and Z (m, d) are points, one per row; a Gram block K (n, m) holds K[i, j] = k(x_i, z_j).
`k1 + k2`, `3 * k1`, `k1 * k2`, `k1 ** 2` and `k.map(phi)` are kernels again (module `svmlib.kernels.algebra`).
"""
import warnings
from typing import Any

import numpy as np
from scipy.sparse import issparse
from scipy.spatial.distance import cdist

from svmlib.kernels.algebra import Kernel
from svmlib.kernels.psd import NotPSDWarning
from svmlib.validation import as_points, check_integer, check_number, check_symmetric, stacklevel

__all__ = ["FEW", "Gaussian", "Linear", "Polynomial", "Precomputed", "Sigmoid"]

FEW = 16                   # coordinates up to which |x - z|^2 is summed up directly: faster there, and exact


class OfVectors(Kernel):
    """A kernel of points with coordinates, dense (n, d) or sparse (`scipy.sparse`, n points of d coordinates).

    A subclass defines `block`, or `of_products`, where its values follow from inner products of points: it then has
    blocks at the speed of matrix multiplication wherever solvers ask for them (with lengths, too, see `Gaussian`).
    """

    takes_sparse = True
    #: Whether the kernel depends on x - z only, so that the origin may be moved into the data.
    of_differences: bool = False

    @property
    def by_products(self) -> bool:
        """Whether blocks are of_products: not where a class between has a block that computes something else."""
        block = next(vars(parent) for parent in type(self).__mro__ if "block" in vars(parent))
        return "of_products" in vars(type(self)) and "of_products" in block

    def points(self, X: Any, name: str) -> Any:
        return as_points(X, name, sparse=True)

    def of_products(self, P: np.ndarray, x2: Any = None, z2: Any = None) -> np.ndarray:
        """Kernel values from inner products P = x'z, which they may overwrite; x2 (n,), z2 (m,): squared lengths."""
        raise TypeError(f"{type(self).__name__} does not follow from inner products")

    def condition(self, x2: float) -> float:
        """By how much the relative rounding error of an inner product may grow in of_products, for lengths^2 <= x2."""
        return 1.0

    def block(self, X: np.ndarray, Z: np.ndarray) -> np.ndarray:
        return self.of_products(inner(X, Z))

    def diagonal(self, X: np.ndarray) -> np.ndarray:
        return self.of_products(squared_lengths(X))


def inner(X: Any, Z: Any) -> np.ndarray:
    """Inner products x'z (n, m), a dense matrix also where both are sparse."""
    K = X @ Z.T
    return K.toarray() if issparse(K) else K


def amid(X: np.ndarray) -> np.ndarray:
    """A point (d,) amid the points X, the mean of a thousand or so: as the origin it keeps far data accurate."""
    return X[::max(1, len(X) // 1000)].mean(axis=0) if len(X) else np.zeros(X.shape[1])


def squared_lengths(X: Any) -> Any:
    """Squared lengths |x|^2 (n,)."""
    return X.multiply(X).sum(axis=1) if issparse(X) else np.vecdot(X, X)


def far(kernel: OfVectors, X: Any, Z: Any) -> bool:
    """Whether sparse points are so far off that distances from inner products are rounding errors: better dense ones.

    Where memory does not hold those, they stay, with a warning.
    """
    x2 = max(float(squared_lengths(points).max(initial=0.0)) for points in (X, Z))
    if 2.0 ** -53 * kernel.condition(x2) < 1e-9:
        return False
    if max(X.shape[0], Z.shape[0]) * X.shape[1] > 100_000_000:
        warnings.warn("these sparse points lie so far from the origin that their distances are partly rounding errors; "
                      "subtract a constant from their columns, or scale them", UserWarning, stacklevel=stacklevel())
        return False
    return True


class Linear(OfVectors):
    """Linear kernel k(x, z) = x' A z, with A = I where none is given (slides 33 and 39).

    A (d, d) must be symmetric; a PSD A gives a kernel, an indefinite one a `NotPSDWarning`.

    >>> Linear()([[1.0, 2.0]], [[3.0, 4.0]])
    array([[11.]])
    """

    def __init__(self, A: np.ndarray | None = None) -> None:
        self.A = A
        if A is not None:
            M = as_points(A, "A")
            if M.shape[0] != M.shape[1] or not np.allclose(M, M.T):
                raise ValueError(f"A must be a symmetric matrix, got shape {M.shape} and entries {M.tolist()}")
            if not self.psd:
                warnings.warn(f"Linear(A=...): A has the eigenvalue {np.linalg.eigvalsh(M)[0]:.3g}, "
                              "so x'Az is not a kernel", NotPSDWarning, stacklevel=stacklevel())

    @property
    def psd(self) -> bool:  # type: ignore[override]
        """A sum of squares unless A has a negative eigenvalue."""
        return self.A is None or bool(np.linalg.eigvalsh(self.A)[0] >= -1e-12 * np.abs(self.A).max())

    @property
    def is_inner_product(self) -> bool:  # type: ignore[override]
        """Where A is the identity; a subclass may compute something else."""
        return self.A is None and type(self) is Linear

    @property
    def by_products(self) -> bool:
        """Where A is the identity."""
        return self.A is None and super().by_products

    def of_products(self, P: np.ndarray, x2: Any = None, z2: Any = None) -> np.ndarray:
        return P

    def block(self, X: np.ndarray, Z: np.ndarray) -> np.ndarray:
        if self.A is None:
            return self.of_products(inner(X, Z))
        K = inner(X @ np.asarray(self.A, float), Z)
        return (K + K.T) / 2 if X is Z else K

    def diagonal(self, X: np.ndarray) -> np.ndarray:
        return super().diagonal(X) if self.A is None else (X * (X @ np.asarray(self.A, float))).sum(axis=1)


class Polynomial(OfVectors):
    """Polynomial kernel k(x, z) = (a x'z + b)^Q (report, equation 5.9).

    Q is a positive integer.  With a, b >= 0 it is PSD; a negative one gives a `NotPSDWarning`, because powers of
    x'z may then enter with negative weight (they do not with a = b = -1, Q = 2: that is (x'z + 1)^2).  The features
    of Q=2 are written out in `svmlib.kernels.feature_maps`.

    >>> Polynomial(Q=2)([[1.0, 2.0]], [[3.0, 4.0]])
    array([[144.]])
    """

    def __init__(self, Q: int = 2, a: float = 1.0, b: float = 1.0) -> None:
        self.Q, self.a, self.b = Q, a, b
        check_integer(Q, "Q")
        check_number(a, "a")
        check_number(b, "b")
        if a < 0 or b < 0:
            warnings.warn(f"Polynomial: a = {a:g}, b = {b:g}; with a negative one (a x'z + b)^Q may be indefinite",
                          NotPSDWarning, stacklevel=stacklevel())

    @property
    def psd(self) -> bool | None:  # type: ignore[override]
        """PSD for a, b >= 0; otherwise it depends on the points."""
        return True if self.a >= 0 and self.b >= 0 else None

    def of_products(self, P: np.ndarray, x2: Any = None, z2: Any = None) -> np.ndarray:
        P *= self.a
        P += self.b
        return power(P, self.Q)

    def condition(self, x2: float) -> float:
        return float(self.Q)


def power(K: np.ndarray, Q: int) -> np.ndarray:
    """K^Q by repeated squaring, several times faster than numpy's power."""
    if Q == 1:
        return K
    half = power(K, Q // 2)
    return half * half * K if Q % 2 else half * half


class Gaussian(OfVectors):
    """Gaussian kernel k(x, z) = exp(-|x - z|^2 / (2 sigma^2)) = exp(-gamma |x - z|^2), gamma = 1 / (2 sigma^2).

    Give exactly one of sigma (a length, > 0) and gamma (1 / length^2, > 0); both can then be read.
    normalized=True multiplies by 1 / sqrt(2 pi sigma^2), the prefactor of the programming sheet: a kernel c k with
    the bound C is the kernel k with the bound c C, so it changes what C means.

    >>> Gaussian(gamma=0.5)([[0.0]], [[1.0]]).round(4), Gaussian(sigma=2.0).gamma
    (array([[0.6065]]), 0.125)
    """

    psd = True
    strictly_positive = True
    of_differences = True

    def __init__(self, sigma: float | None = None, gamma: float | None = None, normalized: bool = False) -> None:
        if (sigma is None) == (gamma is None):
            raise ValueError(f"give exactly one of sigma and gamma, got sigma={sigma!r}, gamma={gamma!r}")
        check_number(sigma if gamma is None else gamma, "sigma" if gamma is None else "gamma", 0.0, strict=True)
        if sigma is not None and not 1e-150 < sigma < 1e150:
            raise ValueError(f"sigma must lie between 1e-150 and 1e150, so that sigma^2 is a number, got {sigma!r}")
        self._sigma, self._gamma, self.normalized = sigma, gamma, normalized

    @property
    def sigma(self) -> float:
        """Width sigma, in units of x."""
        return self._sigma if self._sigma is not None else float(np.sqrt(0.5 / self._gamma))  # type: ignore[operator]

    @property
    def gamma(self) -> float:
        """Rate gamma = 1 / (2 sigma^2)."""
        return self._gamma if self._gamma is not None else 0.5 / self._sigma ** 2  # type: ignore[operator]

    @property
    def factor(self) -> float:
        """The constant in front: 1, or 1 / sqrt(2 pi sigma^2) where normalized."""
        return 1.0 / np.sqrt(2 * np.pi * self.sigma ** 2) if self.normalized else 1.0

    def get_params(self, deep: bool = True) -> dict[str, Any]:
        """The arguments as given: of sigma and gamma, the one that was not given is None."""
        return {"sigma": self._sigma, "gamma": self._gamma, "normalized": self.normalized}

    def set_params(self, **params: Any) -> "Gaussian":
        """Set sigma or gamma (the other one is then forgotten) or normalized, return self."""
        unknown = set(params) - {"sigma", "gamma", "normalized"}
        if unknown:
            raise ValueError(f"Gaussian has no parameter {sorted(unknown)[0]!r}; it has sigma, gamma and normalized")
        new = self.get_params()
        if {"sigma", "gamma"} & set(params):
            new.update(sigma=None, gamma=None)
        type(self).__init__(self, **{**new, **params})
        return self

    def of_products(self, P: np.ndarray, x2: Any = None, z2: Any = None) -> np.ndarray:
        from svmlib.kernels.exponential import gaussian_of_products  # brings numba, which `import svmlib` need not

        rate = min(2.0 * self.gamma, float(np.finfo(P.dtype).max))
        gaussian_of_products(P, x2, z2, rate, self.factor)
        return P

    def condition(self, x2: float) -> float:
        return 1.0 + 4.0 * self.gamma * x2        # the absolute error of an exponent is the relative one of exp

    def block(self, X: Any, Z: Any) -> np.ndarray:
        same = X is Z
        if issparse(X) and issparse(Z) and far(self, X, Z):
            X = X.toarray()
            Z = X if same else Z.toarray()
        sparse = issparse(X) or issparse(Z)
        if X.shape[1] <= FEW and not sparse and type(self).of_products is Gaussian.of_products:
            K = cdist(X, Z, "sqeuclidean")
            K *= -self.gamma
            np.exp(K, out=K)
            return K * self.factor if self.normalized else K
        # Distances far from the origin would be differences of large numbers; sparse points stay, or would be dense.
        if not sparse:
            centre = amid(Z)
            X = X - centre
            Z = X if same else Z - centre
        K = self.of_products(inner(X, Z), squared_lengths(X), squared_lengths(Z))
        if same:
            K.flat[::len(K) + 1] = self.diagonal(X)
        return K

    def diagonal(self, X: np.ndarray) -> np.ndarray:
        return np.full(len(X), self.factor)


class Sigmoid(OfVectors):
    """Sigmoid kernel k(x, z) = tanh(kappa x'z - delta) (slides 40); not PSD, whatever kappa and delta.

    >>> Sigmoid(kappa=1.0, delta=1.0)([[0.0]]).round(4)
    array([[-0.7616]])
    """

    psd = False

    def __init__(self, kappa: float = 1.0, delta: float = 0.0) -> None:
        self.kappa, self.delta = kappa, delta
        check_number(kappa, "kappa")
        check_number(delta, "delta")

    def of_products(self, P: np.ndarray, x2: Any = None, z2: Any = None) -> np.ndarray:
        P *= self.kappa
        P -= self.delta
        return np.tanh(P, out=P)

    def condition(self, x2: float) -> float:
        return 1.0 + abs(self.kappa) * x2 + abs(self.delta)


class Precomputed(Kernel):
    """The Gram matrix itself instead of X: k(K) is K; to predict, give rows K(new points, training points)."""

    def block(self, X: np.ndarray, Z: np.ndarray) -> np.ndarray:
        if X is not Z:
            raise ValueError("a precomputed kernel has no blocks between two sets of points: give the rows themselves")
        if X.shape[0] != X.shape[1]:
            raise ValueError(f"X must be the square Gram matrix with kernel=Precomputed(), got shape {X.shape}")
        check_symmetric(X, "X must be a symmetric Gram matrix with kernel=Precomputed(); it")
        return X

    def diagonal(self, X: np.ndarray) -> np.ndarray:
        return self.block(X, X).diagonal().copy()
