"""The contest of features of chapter 17: the exact Gaussian machine, and linear ones on random waves and landmarks."""
import time
from collections.abc import Callable, Sequence
from functools import cache
from typing import Any

import numpy as np
from sklearn.svm import LinearSVC

from svmlib import SVC
from svmlib.data import load_mnist
from svmlib.kernels import Gaussian
from svmlib.kernels.feature_maps import nystroem_features, random_features

EXACT, C = Gaussian(gamma=0.02), 10
N, SIZES, DRAWS = 4000, (100, 400, 1600), 5
KEY = ["draw", "features", "D"]                        # what names a machine; D = 0 stands for infinitely many


@cache
def digits() -> tuple[np.ndarray, ...]:
    """Training images, whether their digit is odd (1) or even (-1), and the same of the test images."""
    found = load_mnist()
    return (found.X_train, np.where(found.y_train % 2, 1, -1),
            found.X_test, np.where(found.y_test % 2, 1, -1))


def maps(X: np.ndarray, D: int, seed: int) -> dict[str, Callable[[np.ndarray], np.ndarray]]:
    """Two maps with D features, for training points X."""
    Z = np.random.default_rng(seed).permutation(X)[:D]
    return {"random waves": lambda T: random_features(T, D, gamma=EXACT.gamma, seed=seed),
            "landmarks": lambda T: nystroem_features(T, Z, EXACT)}


def one_draw(seed: int, sizes: Sequence[int] = SIZES) -> list[dict[str, Any]]:
    """A row for each machine trained on 4,000 digits.

    error: its share of wrong answers on 4,000 fresh ones; off: the root mean square error of the kernel values between
    500 of these; seconds: those of map and fit.
    """
    images, odd, fresh, odd_fresh = digits()
    some = np.random.default_rng(seed).permutation(len(images))[:N]
    X, y = images[some].astype(float), odd[some]
    some = np.random.default_rng(seed).permutation(len(fresh))[:N]
    T, t = fresh[some].astype(float), odd_fresh[some]
    pairs = np.triu_indices(500, 1)
    K = EXACT(T[:500])[pairs]
    rows = []

    def judge(name: str, D: int, machine: Any, phi: Callable[[np.ndarray], np.ndarray]) -> None:
        start = time.perf_counter()
        machine.fit(phi(X), y)
        spent = time.perf_counter() - start
        F = phi(T)
        off = np.sqrt(np.mean(((F[:500] @ F[:500].T)[pairs] - K) ** 2))
        rows.append({"draw": seed, "features": name, "D": D, "error": float(np.mean(machine.predict(F) != t)),
                     "off": float(off), "seconds": spent})

    judge("Gaussian", 0, SVC(EXACT, C=C), np.asarray)
    judge("pixels", X.shape[1], LinearSVC(C=0.1, dual=False), np.asarray)
    for D in sizes:
        for name, phi in maps(X, D, seed).items():
            judge(name, D, LinearSVC(C=C, dual=False), phi)
    return rows
