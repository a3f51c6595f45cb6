"""The quiz of this chapter, computed."""
from itertools import product

import numpy as np

from svmlib import SVC
from svmlib.kernels import Linear
from svmlib.svc.multiclass import class_pairs


def answers() -> list[list[bool]]:
    return [letters(), vote_counts(), all_negative(), scaled()]


def letters() -> list[bool]:
    machines, size = len(class_pairs(26)), 2 * 100
    return [(machines, size) == choice for choice in ((26, 2600), (325, 200), (650, 200), (325, 2600))]


def vote_counts() -> list[bool]:
    """All outcomes of the six machines in which the true class, 0, wins its three."""
    possible = set()
    for wins in product((0, 1), repeat=6):
        counts = [0] * 4
        for (p, q), first in zip(class_pairs(4), wins, strict=True):
            counts[p if first else q] += 1
        if all(first for (p, q), first in zip(class_pairs(4), wins, strict=True) if p == 0):
            possible.add(tuple(sorted(counts, reverse=True)))
    return [choice in possible for choice in ((3, 3, 0, 0), (3, 2, 1, 0), (2, 2, 2, 0))]


def all_negative() -> list[bool]:
    """A point that no machine claims still gets a class: that of the largest value."""
    rng = np.random.default_rng(0)
    X = np.vstack([c + 0.3 * rng.normal(size=(20, 2)) for c in ([0, 3], [-2.6, -1.5], [2.6, -1.5])])
    m = SVC(Linear(), C=10, multiclass="ovr").fit(X, np.repeat([0, 1, 2], 20))
    Z = rng.uniform(-1, 1, (2000, 2))
    f = m.pairwise_decision(Z)
    none = (f < 0).all(axis=1)
    assert none.any()
    by_value, by_size = f[none].argmax(axis=1), np.abs(f[none]).argmax(axis=1)
    read = m.predict(Z[none])
    return [len(read) == 0, bool(np.all(read == by_value)), bool(np.all(read == by_size))]


def scaled() -> list[bool]:
    X, y = np.array([[0.0], [1.0], [2.0], [3.5]]), np.array([-1, -1, 1, 1])
    (f, w), (g, v) = ((m.decision_function(X), (2 * (m.solutions_[0].alpha.sum() - m.solutions_[0].objective)) ** 0.5)
                      for m in (SVC(Linear(), C=1.0, tol=1e-9).fit(X, y),
                                SVC(100 * Linear(), C=0.01, tol=1e-9).fit(X, y)))
    same, distance = np.allclose(f, g, atol=1e-5), float(np.median((g / v) / (f / w)))
    return [same and bool(np.isclose(distance, 1)), same and bool(np.isclose(distance, 10, rtol=1e-3)),
            not same and bool(np.isclose(distance, 1))]
