"""Choosing hyperparameters by cross-validation: Algorithm 2.2 of the lab sheet, and random search (slides 43).

For every candidate p and every fold i: train on the other folds, store the accuracy A_i on fold i; A^p is the mean
over the k folds, and the largest A^p wins.  All candidates see the same folds; the winner is trained on all data.
"""
import warnings
from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from copy import deepcopy
from dataclasses import dataclass, field
from typing import Any

import joblib
import numpy as np
from joblib import Parallel, delayed
from sklearn.base import clone, is_outlier_detector, is_regressor
from sklearn.exceptions import FitFailedWarning
from sklearn.model_selection import ParameterGrid
from sklearn.utils.metaestimators import _safe_split
from sklearn.utils.validation import _num_samples, check_array, column_or_1d
from tqdm.auto import tqdm

from svmlib.validation import check_integer, is_itself, refuse_masked

Rng = int | np.random.Generator


def k_folds(y: Any, k: int = 5, rng: Rng = 0, stratified: bool = True) -> list[np.ndarray]:
    """Split the indices of y (n,) randomly into k parts of almost equal size: the D_1, …, D_k of Algorithm 2.2.

    stratified=True gives each part its share of each class.  Without it a part may hold more of one class, the rest
    then less, and a machine that can only guess the majority scores below one half.  rng: a seed or a Generator.

    >>> [sorted(fold.tolist()) for fold in k_folds([0, 0, 0, 1, 1, 1], k=3)]
    [[2, 5], [0, 4], [1, 3]]
    """
    y = _labels(y)
    n = len(y)
    check_integer(k, "k", 2, n, f"an integer from 2 to the {n} points of y")
    rng = np.random.default_rng(rng)
    groups = [np.flatnonzero(y == label) for label in np.unique(y)] if stratified else [np.arange(n)]
    dealt = np.concatenate([rng.permutation(group) for group in groups])      # one class after the other,
    return [dealt[i::k] for i in range(k)]                                    # dealt out like cards


def cross_validate(estimator: Any, X: Any, y: Any, folds: Sequence[np.ndarray]) -> np.ndarray:
    """Accuracies A_i (k,): each fold is predicted by a copy of the estimator that was trained on the other folds.

    estimator: any scikit-learn classifier.  X: points, strings, or a Gram matrix where the estimator takes one.
    y (n,): labels, in any container that scikit-learn takes.

    >>> from svmlib import SVC
    >>> X, y = np.array([[0.0], [0.1], [0.2], [1.0], [1.1], [1.2]]), np.array([-1, -1, -1, 1, 1, 1])
    >>> cross_validate(SVC(), X, y, k_folds(y, k=3))
    array([1., 1., 1.])
    """
    y = _checked(estimator, X, y)
    _check_folds(folds, len(y))
    machine, X = _copy(estimator, {}), _checked_once(estimator, X)
    return np.array([_accuracy(machine, *parts) for parts in _splits(machine, X, y, folds)])


@dataclass(frozen=True)
class SearchResult:
    """Every candidate with its accuracies, the best one, and the machine trained with it on all data.

    params: the candidates; accuracy (n_candidates, k): A_i of each, NaN where training failed; mean and std
    (n_candidates,) over the folds;
    best: index of the winner, the first of those that are tied; machine: the estimator refitted on all data.
    """

    params: list[dict[str, Any]]
    accuracy: np.ndarray
    folds: list[np.ndarray] = field(repr=False)
    machine: Any = field(repr=False)

    @property
    def mean(self) -> np.ndarray:
        """A^p, the mean accuracy (n_candidates,) of each candidate."""
        return self.accuracy.mean(axis=1)

    @property
    def std(self) -> np.ndarray:
        """Standard deviation (n_candidates,) over the folds."""
        return self.accuracy.std(axis=1)

    @property
    def best(self) -> int:
        """Index of the winner."""
        return _winners(self.mean)[0]

    @property
    def best_params(self) -> dict[str, Any]:
        """The winning parameters."""
        return self.params[self.best]

    @property
    def best_score(self) -> float:
        """Mean accuracy of the winner; optimistic, because it was chosen for being large."""
        return float(self.mean[self.best])

    @property
    def ties(self) -> list[dict[str, Any]]:
        """All candidates as good as the winner, the winner first; more than one says that the grid cannot decide."""
        return [self.params[i] for i in _winners(self.mean)]

    def surface(self, row: str, column: str) -> tuple[list[Any], list[Any], np.ndarray]:
        """Values of two parameters, and the mean accuracies (n_rows, n_columns) over them; NaN where not tried.

        Where further parameters vary, the best of them counts.
        """
        (rows, place), (columns, column_place) = (_distinct(self.params, name) for name in (row, column))
        table = np.full((len(rows), len(columns)), np.nan)
        for i, j, mean in zip(place, column_place, self.mean, strict=True):
            table[i, j] = np.fmax(table[i, j], mean)
        return rows, columns, table

    def __str__(self) -> str:
        """Table of all candidates; a star marks those that are tied for the first place."""
        top = set(_winners(self.mean))
        lines = [f"{'accuracy':>8}   {'std':>5}   parameters"]
        for i, p in enumerate(self.params):
            values = ", ".join(f"{name}={value!r}" for name, value in p.items())
            lines.append(f"{self.mean[i]:8.4f}   {self.std[i]:5.4f} {'*' if i in top else ' '} {values}")
        return "\n".join(lines)


def grid_search(estimator: Any, grid: Mapping[str, Sequence[Any]] | Sequence[Mapping[str, Sequence[Any]]], X: Any,
                y: Any, *, k: int = 5, rng: Rng = 0, stratified: bool = True, n_jobs: int | None = None,
                progress: bool = True) -> SearchResult:
    """Algorithm 2.2 of the lab sheet over all combinations of a grid.

    grid: name -> values, names as `set_params` takes them ("C", "kernel__sigma"); a list of grids is tried in turn.
    k, rng, stratified: as in `k_folds`.  n_jobs: as in joblib; a registered backend (threads, processes, a Dask
    cluster) is used where one is active.  progress: show a bar.

    A candidate that cannot be trained cannot win, and a FitFailedWarning says why; where none can, its error is raised.
    Raises ValueError for an estimator that is no classifier, and for bad labels.

    >>> from svmlib import SVC
    >>> from svmlib.kernels import Gaussian
    >>> X, y = np.array([[0.0], [1.0], [2.0], [3.0]] * 5), np.array([-1, 1, 1, -1] * 5)
    >>> search = grid_search(SVC(Gaussian(sigma=1.0)), {"kernel__sigma": [0.5, 50.0]}, X, y, progress=False)
    >>> search.best_params, search.best_score
    ({'kernel__sigma': 0.5}, 1.0)
    """
    y = _checked(estimator, X, y)
    candidates = list(ParameterGrid(grid))
    return _search(estimator, candidates, X, y, k_folds(y, k, rng, stratified), n_jobs, progress)


def random_search(estimator: Any, draw: Mapping[str, Any] | Sequence[Mapping[str, Any]], X: Any,
                  y: Any, *, n: int = 20, k: int = 5, rng: Rng = 0, stratified: bool = True, n_jobs: int | None = None,
                  progress: bool = True) -> SearchResult:
    """Cross-validate n random candidates (slides 43).

    draw: name -> a sequence of values, a scipy.stats distribution or a function rng -> value; of a list of such dicts
    each candidate takes one by chance.  The rest: `grid_search`.
    """
    check_integer(n, "n")
    choices = [draw] if isinstance(draw, Mapping) else list(draw)
    if not choices or not all(isinstance(choice, Mapping) for choice in choices):
        raise ValueError(f"draw must be a dict of sources, or a list of such dicts, got {draw!r}")
    y, rng = _checked(estimator, X, y), np.random.default_rng(rng)
    folds = k_folds(y, k, rng, stratified)
    drawn = (choices[int(rng.integers(len(choices))) if len(choices) > 1 else 0] for _ in range(n))
    candidates = [{name: _draw(name, source, rng) for name, source in choice.items()} for choice in drawn]
    return _search(estimator, candidates, X, y, folds, n_jobs, progress)


def _search(estimator: Any, candidates: list[dict[str, Any]], X: Any, y: Any, folds: list[np.ndarray],
            n_jobs: int | None, progress: bool) -> SearchResult:
    """Score all pairs of candidate and fold, then train the winner on everything."""
    if not candidates:
        raise ValueError("grid must hold at least one candidate")
    machines = [_copy(estimator, p) for p in candidates]
    splits = _splits(machines[0], _checked_once(estimator, X), y, folds)
    tasks = (delayed(_attempt)(machine, *parts) for parts in splits for machine in machines)
    scores = Parallel(n_jobs=n_jobs, return_as="generator")(tasks)
    bar = tqdm(scores, total=len(candidates) * len(folds), desc="cross-validation", disable=not progress, leave=False)
    tried = list(bar)
    accuracy = np.array([score for score, _ in tried]).reshape(len(folds), len(candidates)).T
    _say_what_failed(candidates, [error for _, error in tried])
    winner = machines[_winners(accuracy.mean(axis=1))[0]]
    return SearchResult(candidates, accuracy, folds, winner.fit(X, y))


def _splits(estimator: Any, X: Any, y: Any, folds: Sequence[np.ndarray]) -> Iterator[tuple[Any, Any, Any, Any]]:
    """For each fold the points and labels outside it, and those inside: rows, and of a Gram matrix columns too."""
    for fold in folds:
        others = np.setdiff1d(np.arange(_num_samples(X)), fold)
        yield *_safe_split(estimator, X, y, others), *_safe_split(estimator, X, y, fold, others)


def _has_door(machine: Any, X: Any) -> bool:
    """Whether a machine takes points that have been checked, in place of `fit` and `predict` of its own class."""
    return "_held_out" in vars(type(machine)) and type(X) is np.ndarray and X.ndim == 2 and X.dtype.kind in "fiu"


def _checked_once(estimator: Any, X: Any) -> Any:
    """Points, checked as scikit-learn does: once for all candidates and folds, where that spares each of them."""
    how = {"dtype": np.float64, "order": "C", "ensure_all_finite": False, "estimator": estimator}
    return check_array(X, **how) if _has_door(estimator, X) else X


def _copy(estimator: Any, params: dict[str, Any]) -> Any:
    """An estimator that is not fitted yet, with these parameters."""
    return clone(estimator).set_params(**clone(params, safe=False))


def _accuracy(machine: Any, outside: Any, labels: Any, inside: Any, truth: Any) -> float:
    """A_i: train a copy outside the fold, score it inside."""
    trained = deepcopy(machine)                       # of a small machine, `clone` takes longer than training
    if _has_door(machine, outside):
        return float(np.mean(trained._held_out(outside, labels, inside) == truth))
    return float(np.mean(trained.fit(outside, labels).predict(inside) == truth))


def _attempt(machine: Any, *parts: Any) -> tuple[float, Exception | None]:
    """A_i, or NaN and why there is none."""
    try:
        return _accuracy(machine, *parts), None
    except Exception as error:
        return np.nan, error


def _say_what_failed(candidates: list[dict[str, Any]], errors: list[Exception | None]) -> None:
    """Warn of each candidate that failed on a fold; errors: fold by fold.  Where all did, raise the first error."""
    first: dict[int, Exception] = {}
    for k, error in enumerate(errors):
        if error is not None:
            first.setdefault(k % len(candidates), error)
    if len(first) == len(candidates):
        raise next(error for error in errors if error is not None)
    for k, error in first.items():
        warnings.warn(f"{candidates[k]} cannot win, as training failed: {type(error).__name__}: {error}",
                      FitFailedWarning, stacklevel=4)


def _winners(mean: np.ndarray) -> list[int]:
    """Indices of the largest means, equal up to rounding."""
    return np.flatnonzero(mean >= np.nanmax(mean) - 1e-12).tolist()


def _distinct(params: list[dict[str, Any]], name: str) -> tuple[list[Any], list[int]]:
    """The values of one parameter, in the order in which they occur, sorted where they are numbers; places of all."""
    if any(name not in p for p in params):
        raise ValueError(f"{name!r} is not a parameter of this search; it has {sorted(params[0])}")
    keys = [p[name] if isinstance(p[name], Hashable) else joblib.hash(p[name]) for p in params]      # dicts, arrays
    values = {key: p[name] for key, p in zip(reversed(keys), reversed(params), strict=True)}
    order = list(dict.fromkeys(keys))
    if all(isinstance(v, (int, float, np.number)) for v in values.values()):
        order.sort()
    return [values[key] for key in order], [order.index(key) for key in keys]


def _draw(name: str, source: Any, rng: np.random.Generator) -> Any:
    """One random value of a parameter."""
    if hasattr(source, "rvs"):
        return source.rvs(random_state=rng)
    if isinstance(source, Callable):  # type: ignore[arg-type]
        return source(rng)
    if isinstance(source, (Sequence, np.ndarray)) and len(source) and not isinstance(source, str):
        return source[int(rng.integers(len(source)))]
    raise ValueError(f"draw[{name!r}] must be a sequence, a distribution or a function of rng, got {source!r}")


def _checked(estimator: Any, X: Any, y: Any) -> np.ndarray:
    """The labels (n,) of the points of X; raise unless the estimator is a classifier, as accuracies are measured."""
    for what, found in (("regressor", is_regressor), ("machine for novelties", is_outlier_detector)):
        if hasattr(estimator, "__sklearn_tags__") and found(estimator):
            raise ValueError(f"estimator must be a classifier, since accuracies are compared, got the {what} "
                             f"{estimator!r}; sklearn.model_selection.GridSearchCV takes any score")
    y = _labels(y)
    if len(y) != _num_samples(X):
        raise ValueError(f"y must have one label for each of the {_num_samples(X)} points of X, got {len(y)}")
    return y


def _labels(y: Any) -> np.ndarray:
    """Labels (n,) from whatever container or column they came in; none may be missing."""
    refuse_masked(y, "y")
    y = np.asarray(column_or_1d(y))
    lacking = np.isnan(y) if y.dtype.kind == "f" else [not is_itself(v) for v in y] if y.dtype.kind == "O" else []
    if np.any(lacking):
        raise ValueError(f"y must have a label for each point, but y[{int(np.argmax(lacking))}] is missing")
    try:
        np.unique(y)
    except TypeError as error:
        raise ValueError(f"y must hold labels of one kind: {error}") from None
    return y


def _check_folds(folds: Sequence[np.ndarray], n: int) -> None:
    """Raise unless the folds are disjoint parts of 0 … n-1 that cover it."""
    fine = hasattr(folds, "__len__") and len(folds) > 1 and all(
        not isinstance(fold, tuple) and np.ndim(fold) == 1 and len(fold) for fold in folds)
    if not fine or not np.array_equal(np.sort(np.concatenate(list(folds))), np.arange(n)):
        raise ValueError("folds must be at least two disjoint sets of indices, none of them empty, that together are "
                         f"0 … {n - 1}, as k_folds(y, k) gives them, got {folds!r:.80}")
