"""More than two classes from two: one-vs-one and one-vs-rest (lab sheet 2.4.1, slides 44).

Glossary: k classes are coded 0 … k-1; a pair (p, q), p < q, has y = +1 on class p and y = -1 on class q;
`values` (m, n_problems) holds the decision values of m points, one column per binary problem.
"""
from dataclasses import replace
from itertools import combinations
from typing import NamedTuple

import numpy as np

from svmlib.dual import Solution


class BinaryMachine(NamedTuple):
    """One binary problem of a multiclass machine: its training points, their labels, and its solution."""

    rows: np.ndarray
    y: np.ndarray
    solution: Solution

    def ascending(self) -> "BinaryMachine":
        """The same machine, its points by ascending rows."""
        order = np.argsort(self.rows)
        solution = replace(self.solution, alpha=self.solution.alpha[order], C=self.solution.C[order])
        return BinaryMachine(self.rows[order], self.y[order], solution)


# ---- the binary problems -----------------------------------------------------------------------------------
def class_pairs(k: int) -> list[tuple[int, int]]:
    """The k (k - 1) / 2 pairs of classes, in the order of every array over pairs.

    >>> class_pairs(3)
    [(0, 1), (0, 2), (1, 2)]
    """
    return list(combinations(range(k), 2))


def binary_tasks(codes: np.ndarray, k: int, scheme: str) -> list[tuple[np.ndarray, np.ndarray]]:
    """Rows (m,), ascending, and labels y (m,) of each binary problem.

    codes (n,) in 0 … k-1.  scheme "ovr": each class against all the others together; else one-vs-one, each pair of
    classes on the points of these two alone, as `class_pairs(k)`.

    >>> [(rows.tolist(), y.tolist()) for rows, y in binary_tasks(np.array([0, 2, 1]), 3, "ovo")][1]
    ([0, 1], [1.0, -1.0])
    """
    return rest_tasks(codes, k) if scheme == "ovr" else pair_tasks(codes, class_pairs(k))


def rest_tasks(codes: np.ndarray, k: int) -> list[tuple[np.ndarray, np.ndarray]]:
    """As binary_tasks: each class against all the others."""
    return [(np.arange(len(codes)), np.where(codes == p, 1.0, -1.0)) for p in range(k)]


def pair_tasks(codes: np.ndarray, pairs: list[tuple[int, int]]) -> list[tuple[np.ndarray, np.ndarray]]:
    """As binary_tasks: some pairs of classes."""
    members = {p: np.flatnonzero(codes == p) for p in {p for pair in pairs for p in pair}}
    rows = [np.sort(np.concatenate([members[p], members[q]])) for p, q in pairs]
    return [(some, np.where(codes[some] == p, 1.0, -1.0)) for some, (p, _) in zip(rows, pairs, strict=True)]


# ---- from solutions to coefficients ------------------------------------------------------------------------
def coefficients(machines: list[BinaryMachine], codes: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Gather the signed beta = y alpha of all problems over the union of their support vectors.

    Returns support (n_SV,), grouped by class and ascending within one, and W (n_problems, n_SV), so that
    the decision values are K(X, SV) W' + b.
    """
    if len(machines) == 1:
        beta = machines[0].y * machines[0].solution.alpha
        support = beta.nonzero()[0]
        support = support[codes[support].argsort(kind="stable")]
        return support, beta[support][None, :]
    used = np.zeros(len(codes), dtype=bool)
    for machine in machines:
        used[machine.rows[machine.solution.alpha > 0]] = True
    support = np.flatnonzero(used)
    support = support[np.argsort(codes[support], kind="stable")]
    place = np.zeros(len(codes), dtype=np.intp)
    place[support] = np.arange(len(support))
    W = np.zeros((len(machines), len(support)))
    for row, (rows, y, solution) in zip(W, machines, strict=True):
        own = solution.support
        row[place[rows[own]]] = y[own] * solution.alpha[own]
    return support, W


# ---- from decision values to a class -----------------------------------------------------------------------
def votes(values: np.ndarray, k: int) -> np.ndarray:
    """Majority (lab sheet 2.4.1): each pair (p, q) gives one vote, to p where f > 0, to q elsewhere; (m, k) counts.

    `argmax` over the columns takes the lowest of the classes that are tied, as libsvm does.

    >>> votes(np.array([[1.0, -2.0, -0.5]]), 3)
    array([[1, 0, 2]])
    """
    first = values > 0
    return _collected(first, ~first, k)


def weighted_votes(values: np.ndarray, k: int) -> np.ndarray:
    """Weighted votes (slides 44): each pair gives |f| to its winner, so a pair that is sure counts for more; (m, k).

    |f| is the distance from the hyperplane in units of the pair's own margin 1 / |w|.

    >>> weighted_votes(np.array([[1.0, -2.0, -0.5]]), 3)
    array([[1. , 0. , 2.5]])
    """
    return _collected(np.maximum(values, 0.0), np.maximum(-values, 0.0), k)


def vote_confidence(values: np.ndarray, k: int) -> np.ndarray:
    """Votes plus a fraction that orders tied classes: s / (3 (|s| + 1)) with s the sum of signed values; (m, k).

    This is scikit-learn's `decision_function_shape="ovr"`: the fraction stays inside (-1/3, 1/3), so that it never
    outweighs a vote.
    """
    s = _collected(values, -values, k)
    return votes(values, k) + s / (3.0 * (np.abs(s) + 1.0))


def _collected(first: np.ndarray, second: np.ndarray, k: int) -> np.ndarray:
    """Sums (m, k) of what each class gets, as the first or the second class of its pairs, (m, n_pairs) each."""
    p, q = pair_indices(k)
    gains = np.zeros((k, k, len(first)), first.dtype)                # gains[p, q]: what p gets from its pair with q
    gains[p, q], gains[q, p] = first.T, second.T
    return gains.sum(axis=1).T


def pair_indices(k: int) -> tuple[np.ndarray, np.ndarray]:
    """The first classes of class_pairs(k), and the second ones."""
    return np.triu_indices(k, 1)
