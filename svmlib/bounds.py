"""Why margins generalise: Theorems 15.7 and 15.8 of the lecture notes, and distributions on which to test them.

Glossary: m training points; |x| <= rho; gamma the margin of the distribution; delta the probability of bad luck;
lam the weight of |w|^2 in the soft rule min lam |w|^2 + (1/m) sum xi_i, which has no bias, so that C = 1 / (2 lam m).
"""
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike
from scipy.integrate import quad
from scipy.optimize import minimize_scalar

from svmlib.validation import check_integer, check_number


# ---- the theorems ------------------------------------------------------------------------------------------
def margin_bound(gamma: ArrayLike, rho: ArrayLike, m: ArrayLike, delta: ArrayLike) -> np.ndarray | float:
    """Theorem 15.7: with probability 1 - delta the hard rule errs at most (2 rho/gamma + sqrt(2 ln(2/delta))) / sqrt m.

    gamma in (0, rho], rho > 0, m >= 1, delta in (0, 1); arrays broadcast.  The dimension does not occur.  The notes
    state it with a bias; the homogeneous form is the one that is proved in the literature.

    >>> round(margin_bound(gamma=0.2, rho=1.0, m=400, delta=0.05), 3)
    0.636
    """
    _positive(gamma=gamma, rho=rho, delta=delta)
    _at_least_one(m)
    if np.any(np.asarray(gamma) > np.asarray(rho)):
        raise ValueError(f"gamma must be at most rho = {rho!r}: no point of norm rho is further from a line through 0, "
                         f"got {gamma!r}")
    if np.any(np.asarray(delta) >= 1):
        raise ValueError(f"delta must be a probability below 1, got {delta!r}")
    value = (2 * np.asarray(rho) / gamma + np.sqrt(2 * np.log(2 / np.asarray(delta)))) / np.sqrt(m)
    return float(value) if np.ndim(value) == 0 else value


def points_needed(gamma: float, rho: float, delta: float, error: float = 1.0) -> int:
    """Smallest m for which the bound of Theorem 15.7 is below `error`; with 1.0, the m from which it says anything.

    >>> points_needed(gamma=0.2, rho=1.0, delta=0.05)
    162
    """
    _positive(error=error)
    return int(np.floor((margin_bound(gamma, rho, 1, delta) / error) ** 2)) + 1


def lambda_star(B: ArrayLike, rho: ArrayLike, m: ArrayLike) -> np.ndarray | float:
    """Theorem 15.8: the lam = (rho / B) sqrt(2 / m) that makes lam B^2 + 2 rho^2 / (lam m) smallest.

    B > 0 bounds the length |w| of the competitors.

    >>> lambda_star(B=2.0, rho=1.0, m=200)
    0.05
    """
    _positive(B=B, rho=rho)
    _at_least_one(m)
    value = np.asarray(rho) / B * np.sqrt(2 / np.asarray(m))
    return float(value) if np.ndim(value) == 0 else value


def hinge_bound(B: ArrayLike, rho: ArrayLike, m: ArrayLike) -> np.ndarray | float:
    """Theorem 15.8: what the soft rule with `lambda_star` loses on average to the best |w| <= B: 2 rho B sqrt(2 / m).

    E L_hinge(w*) <= min over |w| <= B of L_hinge(w), plus this.  On the left the 0-1 error may
    stand, which is below the hinge loss; on the right it may not.

    >>> hinge_bound(B=2.0, rho=1.0, m=200)
    0.4
    """
    value = 2 * np.asarray(B) ** 2 * lambda_star(B, rho, m)
    return float(value) if np.ndim(value) == 0 else value


# ---- distributions -----------------------------------------------------------------------------------------
def hard_instance(rng: int | np.random.Generator, m: int, gamma: float, d: int) -> tuple[np.ndarray, np.ndarray]:
    """m points x = (gamma y, sqrt(1 - gamma^2) u) in d dimensions, u uniform on the unit sphere of the others.

    All have |x| = 1 and margin gamma for w = (1, 0, …), the only direction that tells anything.  Returns X (m, d),
    y (m,) in {-1, +1}; gamma in (0, 1], d >= 2.

    >>> X, y = hard_instance(rng=0, m=3, gamma=0.1, d=5)
    >>> np.linalg.norm(X, axis=1).round(6), bool(np.allclose(X[:, 0], 0.1 * y))
    (array([1., 1., 1.]), True)
    """
    check_number(gamma, "gamma", 0.0, 1.0, strict=True)
    check_integer(d, "d", 2)
    _at_least_one(m)
    rng = np.random.default_rng(rng)
    y = rng.choice([-1.0, 1.0], m)
    u = rng.standard_normal((m, d - 1))
    u *= np.sqrt(1 - gamma ** 2) / np.linalg.norm(u, axis=1, keepdims=True)
    return np.column_stack([gamma * y, u]), y


class DiscOptimum(NamedTuple):
    """The best w = (length, 0) on the noisy unit disc, and its expected hinge loss."""

    length: float
    loss: float


def best_on_noisy_disc(B: float, noise: float = 0.1, lam: float = 0.0) -> DiscOptimum:
    """The |w| <= B with the smallest expected hinge loss, plus lam |w|^2, on `svmlib.data.noisy_unit_disc`.

    The distribution is symmetric under x2 -> -x2 and the loss is convex, so some optimum has w = (t, 0).  With
    u = |x1|, of density (4 / pi) sqrt(1 - u^2), and noise p:  L(t) = E[(1 - p) max(0, 1 - t u) + p (1 + t u)],
    by quadrature.  The loss returned is L, without lam |w|^2.

    >>> best_on_noisy_disc(B=2.0).loss < best_on_noisy_disc(B=1.0).loss
    True
    """
    _positive(B=B)
    check_number(lam, "lam", 0.0)
    check_number(noise, "noise", 0.0, 0.5, expected="a probability in [0, 0.5]")

    def loss(t: float) -> float:
        """Expected hinge loss of w = (t, 0)."""
        def integrand(u: float) -> float:
            """Loss at |x1| = u, times the density."""
            return ((1 - noise) * max(0.0, 1 - t * u) + noise * (1 + t * u)) * 4 / np.pi * np.sqrt(1 - u * u)

        return quad(integrand, 0, 1, points=[1 / t] if t > 1 else None)[0]

    def cost(t: float) -> float:
        """What is minimised."""
        return loss(t) + lam * t * t

    inner = minimize_scalar(cost, bounds=(0.0, B), method="bounded", options={"xatol": 1e-9})
    length = min([float(inner.x), float(B)], key=cost)
    return DiscOptimum(length, loss(length))


def _positive(**values: ArrayLike) -> None:
    """Raise a ValueError that names the first argument that is not positive."""
    for name, value in values.items():
        if not (np.all(np.isfinite(value)) and np.all(np.asarray(value) > 0)):
            raise ValueError(f"{name} must be positive and finite, got {value!r}")


def _at_least_one(m: ArrayLike) -> None:
    """Raise a ValueError unless m counts at least one point."""
    if not np.all(np.asarray(m) >= 1):
        raise ValueError(f"m must be at least 1, got {m!r}")
