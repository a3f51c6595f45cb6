"""More than two classes from two: one-vs-one and one-vs-rest (lab sheet 2.4.1, slides 44).

Glossary: k classes are coded 0 … k-1; a pair (p, q), p < q, has y = +1 on class p and y = -1 on class q;
`values` (m, n_problems) holds the decision values of m points, one column a binary problem.
"""
from __future__ import annotations

from collections.abc import Callable, Iterable
from itertools import combinations
from typing import NamedTuple

import numpy as np
from joblib import Parallel, delayed

from svmlib.dual import DualProblem, Solution
from svmlib.kernels import Kernel, Precomputed

__all__ = ["Part", "coefficients", "libsvm_layout", "one_vs_one", "one_vs_rest", "pairs", "vote_confidence", "votes",
           "weighted_votes"]

#: Up to this many points the Gram matrix of all classes is formed once and shared by the binary problems.
SHARED_GRAM_POINTS = 2000


class Part(NamedTuple):
    """One binary problem of a multiclass machine: its training points, their labels, and its solution."""

    rows: np.ndarray
    y: np.ndarray
    solution: Solution


#: Solves a binary problem, given with its place in the order of `pairs` (or of the classes, one-vs-rest).
Solver = Callable[[DualProblem, int], Solution]


# ---- training --------------------------------------------------------------------------------------------
def pairs(k: int) -> list[tuple[int, int]]:
    """The k (k - 1) / 2 pairs of classes, in the order of every array over pairs.

    >>> pairs(3)
    [(0, 1), (0, 2), (1, 2)]
    """
    return list(combinations(range(k), 2))


def one_vs_one(kernel: Kernel, X: np.ndarray, codes: np.ndarray, k: int, C: np.ndarray, *,
               solve: Solver, n_jobs: int | None = None) -> list[Part]:
    """Train one machine for each pair of classes, on the points of these two alone.

    X (n, d), codes (n,) in 0 … k-1, C (n,) upper bounds of alpha; solve(problem, place) -> Solution.
    n_jobs as in joblib.  Returns k (k - 1) / 2 parts, ordered as `pairs(k)`.
    """
    members = [np.flatnonzero(codes == p) for p in range(k)]
    tasks = []
    for p, q in pairs(k):
        rows = np.sort(np.concatenate([members[p], members[q]]))
        tasks.append((rows, np.where(codes[rows] == p, 1.0, -1.0)))
    return _train(kernel, X, tasks, C, solve=solve, n_jobs=n_jobs)


def one_vs_rest(kernel: Kernel, X: np.ndarray, codes: np.ndarray, k: int, C: np.ndarray, *,
                solve: Solver, n_jobs: int | None = None) -> list[Part]:
    """Train one machine for each class, against all the others together; arguments as in `one_vs_one`."""
    every = np.arange(len(codes))
    return _train(kernel, X, [(every, np.where(codes == p, 1.0, -1.0)) for p in range(k)], C,
                  solve=solve, n_jobs=n_jobs)


def _train(kernel: Kernel, X: np.ndarray, tasks: Iterable[tuple[np.ndarray, np.ndarray]], C: np.ndarray,
           *, solve: Solver, n_jobs: int | None) -> list[Part]:
    """Solve the binary problems, in parallel where asked; threads do, because the inner loops release the GIL."""
    precomputed = isinstance(kernel, Precomputed)
    K = kernel._block(X, X) if precomputed or len(X) <= SHARED_GRAM_POINTS else None

    def train(place: int, rows: np.ndarray, y: np.ndarray) -> Part:
        """Cut one problem out of the whole and solve it."""
        every = len(rows) == len(X)
        K_rows = None if K is None else K if every else K[np.ix_(rows, rows)]
        problem = DualProblem(kernel, K_rows if precomputed else X if every else X[rows], y, C[rows], check=False)
        if K_rows is not None:
            problem.K = K_rows
        return Part(rows, y, solve(problem, place))

    if n_jobs in (None, 1):
        return [train(place, *task) for place, task in enumerate(tasks)]
    return Parallel(n_jobs=n_jobs, prefer="threads")(delayed(train)(place, *task) for place, task in enumerate(tasks))


def unfinished(problem: DualProblem, tol: float) -> Solution:
    """A usable answer without training, for the problems that an interrupt leaves over: the rule of the nearest mean.

    alpha = c / n_+ on class +1 and c / n_- on class -1 makes w = c (mean_+ - mean_-), here of 50 points a class.
    """
    some = np.concatenate([np.flatnonzero(problem.y == s)[:50] for s in (1.0, -1.0)])
    inner = DualProblem(problem.kernel, problem.X[some], problem.y[some], problem.C[some], check=False) \
        if not isinstance(problem.kernel, Precomputed) else None
    K = problem.X[np.ix_(some, some)] if inner is None else inner.K
    share = np.where(problem.y[some] > 0, 1.0 / np.sum(problem.y[some] > 0), 1.0 / np.sum(problem.y[some] < 0))
    beta = problem.y[some] * share
    length = max(float(beta @ K @ beta), 1e-300)                # |mean_+ - mean_-|^2; c = 2 / it puts f = ±1 there
    alpha = np.zeros(problem.n)
    alpha[some] = share * min(2.0 / length, float(np.min(problem.C[some] / share)))
    return problem.solution(alpha, solver="nearest mean", status="interrupted", n_iter=0, tol=tol)


# ---- from solutions to coefficients ------------------------------------------------------------------------
def coefficients(parts: list[Part], codes: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Gather the signed beta = y alpha of all problems over the union of their support vectors.

    Returns support (n_SV,), grouped by class and ascending within one, and W (n_problems, n_SV), so that
    the decision values are K(X, SV) W' + b.
    """
    if len(parts) == 1:
        beta = parts[0].y * parts[0].solution.alpha
        support = np.concatenate([(beta < 0).nonzero()[0], (beta > 0).nonzero()[0]])
        return support, beta[support][None, :]
    used = np.zeros(len(codes), dtype=bool)
    for part in parts:
        used[part.rows[part.solution.alpha > 0]] = True
    support = np.flatnonzero(used)
    support = support[np.argsort(codes[support], kind="stable")]
    place = np.zeros(len(codes), dtype=np.intp)
    place[support] = np.arange(len(support))
    W = np.zeros((len(parts), len(support)))
    for row, (rows, y, solution) in zip(W, parts, strict=True):
        own = solution.support
        row[place[rows[own]]] = y[own] * solution.alpha[own]
    return support, W


def libsvm_layout(W: np.ndarray, codes: np.ndarray, k: int) -> np.ndarray:
    """One-vs-one coefficients as libsvm and scikit-learn arrange them: (k - 1, n_SV).

    W (n_pairs, n_SV) as from `coefficients`, codes (n_SV,) the classes of the support vectors.  A support vector of
    class p takes part in k - 1 pairs; its column lists them by the other class, ascending.
    """
    out = np.zeros((k - 1, W.shape[1]))
    for row, (p, q) in zip(W, pairs(k), strict=True):
        out[q - 1, codes == p] = row[codes == p]
        out[p, codes == q] = row[codes == q]
    return out


# ---- from decision values to a class -----------------------------------------------------------------------
def votes(values: np.ndarray, k: int) -> np.ndarray:
    """Majority (lab sheet 2.4.1): each pair (p, q) gives one vote, to p where f > 0, to q elsewhere; (m, k) counts.

    `argmax` over the columns takes the lowest class where several are even, as libsvm does.

    >>> votes(np.array([[1.0, -2.0, -0.5]]), 3)
    array([[1, 0, 2]])
    """
    counts = np.zeros((len(values), k), dtype=np.intp)
    for column, (p, q) in zip(values.T, pairs(k), strict=True):
        counts[:, p] += column > 0
        counts[:, q] += column <= 0
    return counts


def weighted_votes(values: np.ndarray, k: int) -> np.ndarray:
    """Weighted votes (slides 44): each pair gives |f| to its winner, so a pair that is sure counts for more; (m, k).

    |f| is the distance from the hyperplane in units of the pair's own margin 1 / |w|.

    >>> weighted_votes(np.array([[1.0, -2.0, -0.5]]), 3)
    array([[1. , 0. , 2.5]])
    """
    sums = np.zeros((len(values), k))
    for column, (p, q) in zip(values.T, pairs(k), strict=True):
        sums[:, p] += np.maximum(column, 0.0)
        sums[:, q] += np.maximum(-column, 0.0)
    return sums


def vote_confidence(values: np.ndarray, k: int) -> np.ndarray:
    """Votes plus a fraction that orders equal counts: s / (3 (|s| + 1)) with s the sum of signed values; (m, k).

    This is scikit-learn's `decision_function_shape="ovr"`: the fraction stays inside (-1/3, 1/3), so that it never
    outweighs a vote.
    """
    s = np.zeros((len(values), k))
    for column, (p, q) in zip(values.T, pairs(k), strict=True):
        s[:, p] += column
        s[:, q] -= column
    return votes(values, k) + s / (3.0 * (np.abs(s) + 1.0))
