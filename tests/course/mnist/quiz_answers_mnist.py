"""The quiz of this chapter, computed."""
import numpy as np

from svmlib import SVC
from svmlib.data import load_mnist
from svmlib.kernels import Gaussian
from svmlib.model_selection import k_folds
from svmlib.svc.multiclass import class_pairs, votes


def answers() -> list[list[bool]]:
    return [bound(), machines(), eight_votes(), paired(), size()]


def bound() -> list[bool]:
    """500 images at gamma = 0.01: the largest multiplier, and what C = 5 changes."""
    X, y, X_test, _ = load_mnist()
    rows = np.random.default_rng(0).choice(len(X), 500, replace=False)
    alpha, f = {}, {}
    for C in (5, 10, 100):
        machine = SVC(Gaussian(gamma=0.01), C=C, tol=1e-6).fit(X[rows], y[rows])
        alpha[C] = np.concatenate([s.alpha for s in machine.solutions_])
        f[C] = machine.pairwise_decision(X_test[:200])
    assert round(alpha[100].max(), 1) == 8.9
    assert np.allclose(f[10], f[100], atol=1e-4)
    changed = not np.allclose(f[5], f[100], atol=1e-3)
    return [changed, not changed, changed and np.allclose(alpha[5], alpha[100] / 2, atol=1e-3)]


def machines() -> list[bool]:
    """Count what a 5-fold search over nine candidates fits, and on how many images."""
    y = np.arange(500) % 10
    seen, fitted = set(), 0
    for _candidate in range(9):
        for fold in k_folds(y, k=5, rng=0):
            train = np.setdiff1d(np.arange(500), fold)
            seen.add(len(train))
            fitted += len(class_pairs(len(set(y[train]))))
    return [(seen, fitted) == choice for choice in (({400}, 2025), ({500}, 405), ({100}, 2025), ({400}, 450))]


def eight_votes() -> list[bool]:
    """Random votes of 45 machines on digit 0 that wins eight of its nine: is it read?"""
    rng = np.random.default_rng(0)
    f = rng.choice([-1.0, 1.0], size=(2000, 45))
    knows = [k for k, pair in enumerate(class_pairs(10)) if 0 in pair]
    f[:, knows] = 1.0
    f[np.arange(2000), rng.choice(knows, 2000)] = -1.0
    read = votes(f, 10).argmax(axis=1) == 0
    return [read.any() and not read.all(), not read.any(), bool(read.all())]


def paired() -> list[bool]:
    """The spread of gains less losses where each image is gained, lost or neither on its own."""
    rng = np.random.default_rng(0)
    draws = rng.multinomial(10_000, [0.0108, 0.0080, 1 - 0.0188], size=20_000)
    error = np.std(draws[:, 0] - draws[:, 1])
    return [abs(error - choice) < 0.5 for choice in (14, 33, 5)]


def size() -> list[bool]:
    error = {m: np.std(np.random.default_rng(0).binomial(m, 0.94, size=20_000) / m)
             for m in (56_000, 5_600, 1_000, 10_000)}
    return [abs(e - 0.001) < 0.0001 for e in error.values()]
