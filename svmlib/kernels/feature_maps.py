"""Feature maps that can be written out: phi with <phi(x), phi(z)> = k(x, z), or nearly so.

    polynomial_features    the distinct monomials of (a x'z + b)^Q          report (5.5)-(5.7) is d = 2, Q = 2
    tensor_features        all (d + 1)^k products of (1 + x'z)^k            lecture notes (7)
    gaussian_features      the Gaussian kernel up to a degree               lecture notes, 16.4; report (5.11) is 1-D
    paraboloid, cone       the plane lifted into space                      lab sheet, Task 2.6; slides 33
    random_features        the Gaussian kernel, by D random waves           Rahimi and Recht 2007
    nystroem_features      any kernel, through some points of the sample    Williams and Seeger 2001

Glossary: X (n, d) points, one per row; a map gives (n, D).  alpha = (alpha_1, ..., alpha_d) is a multi-index here:
x^alpha = x_1^alpha_1 ... x_d^alpha_d, |alpha| = alpha_1 + ... + alpha_d, alpha! = alpha_1! ... alpha_d!.
"""
from functools import reduce
from math import comb, factorial, prod
from typing import Any

import numpy as np
from sklearn.preprocessing import PolynomialFeatures

from svmlib.kernels.algebra import Kernel, as_kernel
from svmlib.kernels.vectors import Gaussian
from svmlib.validation import as_points, check_integer, check_number

MAX_FEATURE_BYTES = 2 * 1024 ** 3      # larger feature matrices are refused: that is what the kernel is for


def count_monomials(d: int, Q: int) -> int:
    """The number C(d + Q, Q) of distinct monomials of degree at most Q in d variables.

    >>> count_monomials(3, 3), count_tensor(3, 3)
    (20, 64)
    """
    return comb(check_integer(d, "d") + check_integer(Q, "Q", 0), Q)


def count_tensor(d: int, k: int) -> int:
    """The number (d + 1)^k of components of the map psi of the lecture notes (7), repetitions counted."""
    return (check_integer(d, "d") + 1) ** check_integer(k, "k", 0)


def monomials(d: int, Q: int) -> np.ndarray:
    """All multi-indices alpha with |alpha| <= Q: an integer array (C(d + Q, Q), d), by degree, then x_1 first.

    >>> monomials(2, 2).tolist()
    [[0, 0], [1, 0], [0, 1], [2, 0], [1, 1], [0, 2]]
    """
    _refuse_large(count_monomials(d, Q), d)
    return PolynomialFeatures(Q).fit(np.zeros((1, d))).powers_


def polynomial_features(X: Any, Q: int = 2, a: float = 1.0, b: float = 1.0) -> np.ndarray:
    """The map of (a x'z + b)^Q with one component for each monomial, X (n, d) -> (n, C(d + Q, Q)).

    phi_alpha(x) = sqrt(Q! / (alpha! (Q - |alpha|)!) a^|alpha| b^(Q - |alpha|)) x^alpha, in the order of `monomials`.
    For d = 2, Q = 2, a = b = 1 these are the six of the report (5.6).  a, b >= 0; b = 0 leaves the top degree only,
    the other components are 0.  Raises ValueError for bad arguments, MemoryError where the map has too many components.

    >>> x, z = polynomial_features([[1.0, 2.0], [3.0, 4.0]], Q=2)
    >>> x.round(3).tolist()                          # 1, sqrt(2) x1, sqrt(2) x2, x1^2, sqrt(2) x1 x2, x2^2
    [1.0, 1.414, 2.828, 1.0, 2.828, 4.0]
    >>> float(x @ z), (1 + 1 * 3 + 2 * 4) ** 2
    (144.0, 144)
    """
    X = as_points(X)
    check_integer(Q, "Q")
    check_number(a, "a", 0.0)
    check_number(b, "b", 0.0)
    _refuse_large(count_monomials(X.shape[1], Q), len(X))
    alpha = monomials(X.shape[1], Q)
    degree = alpha.sum(axis=1)
    ways = [factorial(Q) // (prod(map(factorial, row)) * factorial(Q - sum(row))) for row in alpha.tolist()]
    weight = np.sqrt(np.array(ways, dtype=np.float64) * float(a) ** degree * float(b) ** (Q - degree))
    return PolynomialFeatures(Q).fit_transform(X) * weight


def tensor_features(X: Any, k: int) -> np.ndarray:
    """The map psi of the lecture notes (7): all products x_(i_1) ... x_(i_k), x_0 = 1, X (n, d) -> (n, (d + 1)^k).

    Its kernel is (1 + x'z)^k.  Components are in lexicographic order of (i_1, ..., i_k) in {0, ..., d}^k; those that
    differ in the order of the factors only are equal, which `polynomial_features` puts together.

    >>> tensor_features([[3.0]], k=2)
    array([[1., 3., 3., 9.]])
    """
    X = as_points(X)
    _refuse_large(count_tensor(X.shape[1], check_integer(k, "k")), len(X))
    X1 = np.hstack([np.ones((len(X), 1)), X])
    psi = X1
    for _ in range(k - 1):
        psi = (psi[:, :, None] * X1[:, None, :]).reshape(len(X), -1)
    return psi


def gaussian_features(X: Any, sigma: float | None = None, gamma: float | None = None, degree: int = 10) -> np.ndarray:
    """The map of the Gaussian kernel, cut off after the given degree: X (n, d) -> (n, C(d + degree, degree)).

    phi_alpha(x) = (2 gamma)^(|alpha| / 2) / sqrt(alpha!) x^alpha exp(-gamma |x|^2), gamma = 1 / (2 sigma^2), in the
    order of `monomials`.  The factor (2 gamma)^(|alpha| / 2) = sigma^-|alpha| is missing in the lecture notes, which
    also print 2 sigma for 2 sigma^2 (errata 3 and 4); gamma = 1 in one dimension is the report (5.11).
    What is cut off is at most P(Poisson(2 gamma r^2) > degree) for |x|, |z| <= r.  Give exactly one of sigma and gamma.

    >>> phi = gaussian_features([[1.0], [2.0]], sigma=2.0, degree=12)
    >>> (phi @ phi.T).round(6)[0, 1], Gaussian(sigma=2.0)([[1.0]], [[2.0]]).round(6)[0, 0]
    (np.float64(0.882497), np.float64(0.882497))
    """
    X = as_points(X)
    gamma = Gaussian(sigma=sigma, gamma=gamma).gamma
    _refuse_large(count_monomials(X.shape[1], check_integer(degree, "degree", 0)), len(X))
    # One coordinate: (sqrt(2 gamma) x)^q / sqrt(q!) exp(-gamma x^2), each from the one before: no early overflow.
    powers = np.empty((degree + 1, *X.shape))
    powers[0] = np.exp(-gamma * X ** 2)
    for q in range(1, degree + 1):
        powers[q] = powers[q - 1] * np.sqrt(2 * gamma / q) * X
    alpha = monomials(X.shape[1], degree)
    return reduce(np.multiply, (powers[alpha[:, j], :, j] for j in range(X.shape[1]))).T


def random_features(X: Any, D: int, sigma: float | None = None, gamma: float | None = None,
                    seed: int = 0) -> np.ndarray:
    """D random waves whose inner products are the Gaussian kernel on average, X (n, d) -> (n, D).

    phi_k(x) = sqrt(2 / D) cos(omega_k'x + u_k), omega_k from N(0, 2 gamma I), u_k uniform on [0, 2 pi)
    (Rahimi and Recht 2007).  The error of an inner product has mean 0 and variance (1 - k^2 + k^4 / 2) / D, where k is
    the value of the kernel: at most 1 / D, whatever d.  The same seed gives the same map, for training points and for
    new ones.  Give exactly one of sigma and gamma.  Raises ValueError for bad arguments, MemoryError for too large a D.

    >>> x, z = random_features([[1.0, 2.0], [2.0, 2.0]], D=100_000, sigma=1.0)
    >>> bool(abs(x @ z - np.exp(-0.5)) < 4 / np.sqrt(100_000))
    True
    """
    X = as_points(X)
    gamma = Gaussian(sigma=sigma, gamma=gamma).gamma
    _refuse_large(check_integer(D, "D"), max(X.shape))
    rng = np.random.default_rng(check_integer(seed, "seed", 0))
    omega = rng.normal(0.0, np.sqrt(2 * gamma), (X.shape[1], D))
    return np.sqrt(2 / D) * np.cos(X @ omega + rng.uniform(0, 2 * np.pi, D))


def nystroem_features(X: Any, landmarks: Any, kernel: Kernel) -> np.ndarray:
    """The map through some landmarks z_1, ..., z_D: k(x, Z) k(Z, Z)^(-1/2), X (n, d) -> (n, at most D).

    Its inner product is k(x, Z) k(Z, Z)^+ k(Z, x'), which is exact where x or x' is a landmark, and never larger than
    k(x, x) where x = x' (Williams and Seeger 2001).  Directions in which k(Z, Z) vanishes up to rounding are left out.
    landmarks: (D, d), in general some of the training points.  kernel: any positive semidefinite one for points.
    Raises ValueError for bad arguments, MemoryError where the features or k(Z, Z) would be too large.

    >>> from svmlib.kernels import Gaussian
    >>> phi = nystroem_features([[0.0], [1.0], [2.0]], landmarks=[[0.0], [2.0]], kernel=Gaussian(sigma=1.0))
    >>> (phi @ phi.T - Gaussian(sigma=1.0)([[0.0], [1.0], [2.0]])).round(3) + 0
    array([[ 0.   ,  0.   ,  0.   ],
           [ 0.   , -0.352,  0.   ],
           [ 0.   ,  0.   ,  0.   ]])
    """
    X, Z = as_points(X), as_points(landmarks, "landmarks")
    kernel = as_kernel(kernel)
    if len(Z) == 0 or Z.shape[1] != X.shape[1]:
        raise ValueError(f"landmarks must be at least one point with as many columns as X, got shape {Z.shape} for "
                         f"{X.shape}")
    _refuse_large(len(Z), max(len(X), len(Z)))
    values, vectors = np.linalg.eigh(kernel(Z))
    keep = values > 1e-12 * values.max()
    return np.asarray(kernel(X, Z) @ (vectors[:, keep] / np.sqrt(values[keep])))


def paraboloid(X: Any) -> np.ndarray:
    """The map (t_1, t_2, t_1^2 + t_2^2) of the lab sheet, Task 2.6, X (n, d) -> (n, d + 1): circles become planar.

    >>> paraboloid([[1.0, 2.0]])
    array([[1., 2., 5.]])
    """
    X = as_points(X)
    return np.column_stack([X, np.vecdot(X, X)])


def cone(X: Any) -> np.ndarray:
    """The map (x, y, -sqrt(x^2 + y^2)) of slides 33, X (n, d) -> (n, d + 1).

    >>> cone([[3.0, 4.0]])
    array([[ 3.,  4., -5.]])
    """
    X = as_points(X)
    return np.column_stack([X, -np.linalg.norm(X, axis=1)])


def _refuse_large(D: int, n: int) -> None:
    """Raise a MemoryError for n rows of D components that do not fit."""
    if 8 * D * max(n, 1) > MAX_FEATURE_BYTES:
        raise MemoryError(f"the map has {D:,} components for each of {n:,} points, {8 * D * n / 1e9:.3g} GB; "
                          "use the kernel, which needs none of them")
