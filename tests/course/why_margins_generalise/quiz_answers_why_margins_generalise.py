"""The quiz of this chapter, computed."""
import numpy as np

from svmlib import SVC
from svmlib.bounds import margin_bound
from svmlib.data import separable_blobs
from svmlib.kernels import Linear


def answers() -> list[list[bool]]:
    return [leave_one_out(), units(), points(), measured_margin(), curvature()]


def leave_one_out() -> list[bool]:
    """The mistakes of machines that lack one point, beside the support vectors of all, over separable samples."""
    wrong = held = count = 0
    for seed in range(6):
        X, y = separable_blobs(seed, 30, gap=0.05)
        whole = SVC(Linear(), C=np.inf, tol=1e-8).fit(X, y)
        others = [np.arange(30) != i for i in range(30)]
        missed = [i for i, rest in enumerate(others)
                  if SVC(Linear(), C=np.inf, tol=1e-8).fit(X[rest], y[rest]).predict(X[[i]])[0] != y[i]]
        assert set(missed) <= set(whole.support_.tolist())
        wrong, held, count = wrong + len(missed), held + len(whole.support_), count + 30
    assert wrong > 0
    return [bool(np.isclose(wrong, count / 30)), wrong <= 0.6 * held, wrong > 0.9 * held, False]


def units() -> list[bool]:
    ratio = margin_bound(0.2 * 100, 100.0, 50, 0.05) / margin_bound(0.2, 1.0, 50, 0.05)
    return [bool(np.isclose(ratio, choice)) for choice in (0.01, 1.0, 100.0)]


def points() -> list[bool]:
    return [bool(np.isclose(2 / 0.1 / m ** 0.5, 0.1)) for m in (400, 4000, 40_000, 400_000)]


def measured_margin() -> list[bool]:
    """A sample's half margin is above that of the distribution: x uniform on [-1, -.1] and [.1, 1]."""
    rng = np.random.default_rng(0)
    above = []
    for _ in range(20):
        y = np.repeat([-1.0, 1.0], 15)
        X = (y * rng.uniform(0.1, 1.0, 30))[:, None]
        above.append(SVC(Linear(), C=np.inf, tol=1e-8).fit(X, y).margin_ > 0.1)
    return [not all(above), all(above), False]


def curvature() -> list[bool]:
    """min of |w - x| + lam w^2 in one dimension: an exchanged point moves the solution by 2 / (2 lam) at most."""
    grid = np.linspace(-50, 50, 200_001)
    moves = [abs(grid[np.argmin(np.maximum(0, 1 - a * grid) + lam * grid ** 2)]
                 - grid[np.argmin(np.maximum(0, 1 + a * grid) + lam * grid ** 2)])
             for a, lam in ((1.0, 0.5), (0.05, 0.001), (0.02, 1e-9))]
    convex_anyway = np.all(np.diff(np.maximum(0, 1 - grid), 2) >= -1e-9)
    return [not convex_anyway, moves[0] <= 2.0 < moves[2], False]
