"""The quiz of this chapter, computed."""
import numpy as np

from svmlib import SVC
from svmlib.baselines import LeastSquares
from svmlib.data import exponential_classes
from svmlib.kernels import Linear


def answers() -> list[list[bool]]:
    return [on_their_side(), gap(), two_crossings(), widest_band_can_lose()]


def on_their_side() -> list[bool]:
    points, labels = np.array([[1, 0], [0, 1], [1, 1], [0, 0]]), np.array([1, -1, 1, -1])
    return list(labels * (points @ [1, -2] + 1) > 0)


def gap() -> list[bool]:
    along = np.array([[1, 1], [2, 0], [-1, -1], [0, -2]]) @ [3, 4] / 5
    width = along[:2].min() - along[2:].max()
    return [np.isclose(width, choice) for choice in (2.6, 13, 2.8, 1.3)]


def crossings(far: float) -> tuple[float, float]:
    """Where the widest band's middle and the least-squares line are, for points -3, -1 | 2, far."""
    X, y = np.array([[-3.0], [-1.0], [2.0], [far]]), np.array([-1.0, -1.0, 1.0, 1.0])
    machines = SVC(Linear(), C=np.inf, tol=1e-10).fit(X, y), LeastSquares().fit(X, y)
    widest, least = (float(-m.intercept_[0] / m.coef_[0, 0]) for m in machines)
    return widest, least


def two_crossings() -> list[bool]:
    return [np.allclose(crossings(6.0), choice) for choice in ((0.5, 0.5), (0.5, 1.0), (1.0, 0.5))]


def widest_band_can_lose() -> list[bool]:
    """On separable samples of Task 2.2 the widest band loses against the mean of all separating lines in some."""
    angles = np.radians(np.arange(360))
    U = np.column_stack([np.cos(angles), np.sin(angles)])
    Z, z = exponential_classes(1_000_000, 4000)
    lost = separable = 0
    for seed in range(60):
        X, y = exponential_classes(seed, 20)
        low, high = (U @ X[y < 0].T).max(axis=1), (U @ X[y > 0].T).min(axis=1)
        good = np.flatnonzero(high > low)
        if len(good):
            error = np.mean(np.sign(Z @ U.T - (low + high) / 2) != z[:, None], axis=0)
            separable += 1
            lost += error[(high - low).argmax()] > error[good].mean()
    happens = separable >= 20 and lost > separable / 4
    return [not happens, happens, separable == 0]
