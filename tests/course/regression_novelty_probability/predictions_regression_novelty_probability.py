"""What the Predict boxes of this chapter ask, computed."""
import numpy as np
from sklearn.calibration import CalibratedClassifierCV
from sklearn.frozen import FrozenEstimator

from svmlib import SVC, SVR, OneClassSVM
from svmlib.data import load_mnist
from svmlib.kernels import Gaussian


def answers() -> list[float | str]:
    return [pulled_up(), turned_away(), fitted_to_the_training_points()]


def pulled_up() -> str:
    """The curve when one reading of eighty is taken out of the tube, and when it is taken on from there."""
    rng = np.random.default_rng(0)
    x, noise = np.sort(rng.uniform(-3, 3, 80)), rng.normal(size=80)
    y = np.sin(2 * x) + 0.2 * noise

    def curve(lift: float) -> np.ndarray:
        lifted = y + lift * (np.arange(80) == 40)
        return SVR(Gaussian(sigma=0.7), C=1, epsilon=0.2, tol=1e-9).fit(x[:, None], lifted).predict(x[:, None])

    out, further = abs(curve(1.0) - curve(0.0)).max(), abs(curve(30.0) - curve(1.0)).max()
    if out < 0.01:
        return "it stays where it is"
    return "it comes along a little, then stays" if further < 1e-3 * out else "it follows the point"


def turned_away() -> float:
    """Of a hundred fresh sevens, those outside of a machine of 500 others."""
    digits = load_mnist()
    machine = OneClassSVM(Gaussian(gamma=0.02), nu=0.05, tol=1e-6)
    machine.fit(digits.X_train[digits.y_train == 7][:500])
    return float(round(100 * np.mean(machine.predict(digits.X_test[digits.y_test == 7]) < 0)))


def fitted_to_the_training_points() -> str:
    """What is claimed against what is true, by the clouds of the chapter."""
    def clouds(seed: int, n: int) -> tuple[np.ndarray, np.ndarray]:
        rng = np.random.default_rng(seed)
        y = np.where(np.arange(n) % 2, 1, -1)
        X = rng.normal(size=(n, 20))
        X[:, :2] += y[:, None] * [0.8, 0.5]
        return X, y

    surplus = []
    for seed in range(5):
        (X, y), (Z, z) = clouds(seed, 200), clouds(500 + seed, 2000)
        platt = CalibratedClassifierCV(FrozenEstimator(SVC(Gaussian(gamma=0.05), C=10).fit(X, y))).fit(X, y)
        surplus.append(platt.predict_proba(Z).max(axis=1).mean() - platt.score(Z, z))
    return "too bold" if min(surplus) > 0.05 else "too timid" if max(surplus) < -0.05 else "about right"
