"""The quiz of this chapter, computed."""
import numpy as np
from sklearn.calibration import CalibratedClassifierCV
from sklearn.frozen import FrozenEstimator

from svmlib import SVC, SVR, OneClassSVM
from svmlib.kernels import Gaussian, Linear


def answers() -> list[list[bool]]:
    return [slope(), units(), too_few(), same_points(), turned_away()]


def slope() -> list[bool]:
    w = SVR(Linear(), C=1e3, epsilon=0.5, tol=1e-9).fit([[0.0], [2.0]], [1.0, 5.0]).coef_[0, 0]
    return [bool(np.isclose(w, choice)) for choice in (2, 1.5, 0, 2.5)]


def units() -> list[bool]:
    rng = np.random.default_rng(0)
    X = rng.uniform(-3, 3, (60, 1))
    y = np.sin(2 * X[:, 0]) + 0.2 * rng.normal(size=60)

    def f(y: np.ndarray, epsilon: float, C: float) -> np.ndarray:
        return SVR(Gaussian(sigma=1.0), C=C, epsilon=epsilon, tol=1e-8).fit(X, y).predict(X)

    old = f(y, 0.1, 1.0)
    return [np.allclose(f(10 * y, epsilon, C), 10 * old, atol=1e-4)
            for epsilon, C in ((1.0, 10.0), (1.0, 1.0), (0.1, 1.0), (1.0, 0.1))]


def too_few() -> list[bool]:
    """12 support vectors of 200: simple data and small or large nu do not explain it, since 0.1 n is never undercut."""
    rng = np.random.default_rng(0)
    kinds = {"simple": np.zeros((200, 2)), "normal": rng.normal(size=(200, 2)), "line": rng.random((200, 1))}
    fewest = {name: len(OneClassSVM(Gaussian(sigma=1.0), nu=0.1).fit(X).support_) for name, X in kinds.items()}
    bound = all(len(OneClassSVM(Gaussian(sigma=1.0), nu=nu).fit(kinds["normal"]).support_) >= nu * 200
                for nu in (0.05, 0.1, 0.5))
    return [fewest["simple"] <= 12, not bound, bound and min(fewest.values()) >= 20]


def same_points() -> list[bool]:
    """An overfitted machine, calibrated and checked on its own training points, and on fresh ones."""
    def sample(n: int, seed: int) -> tuple[np.ndarray, np.ndarray]:
        rng = np.random.default_rng(seed)
        y = np.where(np.arange(n) % 2, 1, -1)
        X = rng.normal(size=(n, 20))
        X[:, 0] += 0.8 * y
        return X, y

    X, y = sample(300, 0)
    Z, z = sample(3000, 1)
    machine = SVC(Gaussian(gamma=0.05), C=10).fit(X, y)
    platt = CalibratedClassifierCV(FrozenEstimator(machine)).fit(X, y)

    def off(X: np.ndarray, y: np.ndarray) -> float:
        return abs(platt.predict_proba(X).max(axis=1).mean() - np.mean(platt.predict(X) == y))

    fits_there, honest = off(X, y) < 0.02, off(Z, z) < 0.02
    overfits = machine.score(X, y) - machine.score(Z, z) > 0.1
    return [fits_there and honest, fits_there and not honest, fits_there and not overfits]


def turned_away() -> list[bool]:
    """Machines of 200 points with about 30 support vectors: how many of 1,000 fresh points are outside on average."""
    def cloud(seed: int, n: int) -> np.ndarray:
        rng = np.random.default_rng(seed)
        return rng.normal(size=(n, 2)) @ [[1, 0.6], [0, 0.8]]

    machines = [OneClassSVM(Gaussian(sigma=0.7), nu=0.05, tol=1e-6).fit(cloud(seed, 200)) for seed in range(10)]
    assert abs(np.mean([len(m.support_) for m in machines]) - 30) < 2
    away = 1000 * np.mean([np.mean(m.predict(cloud(1000 + k, 2000)) < 0) for k, m in enumerate(machines)])
    choices = np.array([50, 150, 0])
    return [bool(choice == choices[np.argmin(abs(choices - away))]) for choice in choices]
