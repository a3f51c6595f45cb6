"""The answers of the Predict boxes of this chapter, computed."""
import numpy as np
from sklearn.feature_selection import SelectKBest
from sklearn.model_selection import cross_val_score

from svmlib import SVC
from svmlib.data import disc_and_annulus
from svmlib.kernels import Gaussian, Linear
from svmlib.model_selection import cross_validate, k_folds


def answers() -> list[float | str]:
    """The answer of each box, in order."""
    return [errors_over_widths(), larger_price_at_a_wide_kernel(), foreseen_coins()]


def errors_over_widths() -> str:
    """Errors on the hundred and on fresh points, at the left of the figure, in the valley, at the right."""
    points, fresh = disc_and_annulus(seed=0), disc_and_annulus(seed=1000, n=1000)
    machines = [SVC(Gaussian(sigma=sigma), C=10).fit(*points) for sigma in (0.03, 0.7, 10)]
    left, middle, right = ([1 - m.score(*data) for data in (points, fresh)] for m in machines)
    assert middle[1] < min(left[1], right[1]) / 5
    assert min(right) > 0.2
    return "only the fresh error falls; in the end both rise" if left[0] == 0 else "both fall, then both rise"


def larger_price_at_a_wide_kernel() -> str:
    """Cross-validated accuracy at σ = 3, from the smallest C of the map to the largest."""
    points, labels = disc_and_annulus(seed=0)
    folds = k_folds(labels, k=5, rng=0)
    low, high = (np.mean(cross_validate(SVC(Gaussian(sigma=3.0), C=C), points, labels, folds)) for C in (0.01, 100))
    return "yes, a great deal" if high - low > 0.1 else "hardly" if high - low > -0.05 else "no, it hurts"


def foreseen_coins() -> float:
    """Twenty of a thousand columns of noise, chosen with all fifty tosses in sight; the mean of twenty draws, in %."""
    found = []
    for seed in range(20):
        rng = np.random.default_rng(seed)
        noise, toss = rng.normal(size=(50, 1000)), rng.permutation(50) % 2
        chosen = SelectKBest(k=20).fit_transform(noise, toss)
        found.append(cross_val_score(SVC(Linear()), chosen, toss, cv=5).mean())
    return round(100 * float(np.mean(found)))
