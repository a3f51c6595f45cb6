"""A fair contest on real data: eight methods, one pipeline, one search, the same folds for all.

Nothing is downloaded: the sets come with scikit-learn, or are part of the digits that svmlib ships.  Chapter 16 plays a
part of the contest, `python -m benchmarks --only contest` all of it.
"""
import warnings
from collections.abc import Callable
from functools import cache
from time import perf_counter
from typing import Any

import numpy as np
from scipy.stats import loguniform, randint, uniform
from sklearn import datasets
from sklearn.ensemble import HistGradientBoostingClassifier, RandomForestClassifier
from sklearn.gaussian_process import GaussianProcessClassifier
from sklearn.gaussian_process.kernels import RBF, ConstantKernel
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import RandomizedSearchCV, RepeatedStratifiedKFold, StratifiedKFold
from sklearn.neighbors import KNeighborsClassifier
from sklearn.neural_network import MLPClassifier
from sklearn.pipeline import Pipeline, make_pipeline
from sklearn.preprocessing import StandardScaler

from svmlib.data import load_mnist
from svmlib.kernels import Gaussian, Linear
from svmlib.svc import SVC

__all__ = ["FOLDS", "FORMS", "METHODS", "REPEATS", "SETS", "compare", "play", "real_set", "search", "splits"]

FOLDS, REPEATS, INNER, TRIES = 5, 2, 3, 12      # outer folds, how often they are drawn, inner folds, candidates


# ---- the data --------------------------------------------------------------------------------------------------------
def _diabetes() -> tuple[np.ndarray, np.ndarray]:
    """Whether the disease of 442 patients has gone further than that of the median patient after a year."""
    X, progress = datasets.load_diabetes(return_X_y=True, scaled=False)
    return X, (progress > np.median(progress)).astype(int)


def _digits() -> tuple[np.ndarray, np.ndarray]:
    """600 of the 1,797 digits of 8 x 8 pixels, drawn at random."""
    X, y = datasets.load_digits(return_X_y=True)
    some = np.random.default_rng(0).permutation(len(y))[:600]
    return X[some], y[some]


def _three_or_eight() -> tuple[np.ndarray, np.ndarray]:
    """600 threes and eights of MNIST, 28 x 28 pixels: the first of the training sample, whose order is random."""
    X, y, *_ = load_mnist()
    some = np.flatnonzero(np.isin(y, (3, 8)))[:600]
    return X[some].astype(float), y[some]


SETS: dict[str, Callable[[], tuple[np.ndarray, np.ndarray]]] = {
    "iris": lambda: datasets.load_iris(return_X_y=True),
    "wine": lambda: datasets.load_wine(return_X_y=True),
    "breast cancer": lambda: datasets.load_breast_cancer(return_X_y=True),
    "diabetes": _diabetes,
    "digits, 8 × 8": _digits,
    "3 or 8, 28 × 28": _three_or_eight,
}


@cache
def real_set(name: str) -> tuple[np.ndarray, np.ndarray]:
    """Points (n, d) and labels (n,) of one of `SETS`; the diabetes patients are labelled by the median.

    >>> X, y = real_set("wine")
    >>> X.shape, np.unique(y).tolist()
    ((178, 13), [0, 1, 2])
    """
    return SETS[name]()


def splits(y: np.ndarray) -> list[tuple[np.ndarray, np.ndarray]]:
    """The same (training, test) places for every method: five stratified folds, drawn twice.

    >>> [len(test) for _, test in splits(np.repeat([0, 1], 50))]
    [20, 20, 20, 20, 20, 20, 20, 20, 20, 20]
    """
    folds = RepeatedStratifiedKFold(n_splits=FOLDS, n_repeats=REPEATS, random_state=0)
    return list(folds.split(np.zeros(len(y)), y))


# ---- the methods -----------------------------------------------------------------------------------------------------
#: Name -> maker(d, v) of a machine and of what its search draws from.  d features of mean variance v: where the points
#: keep their units, the ranges of gamma and of length scales move with v, so that only *unequal* units can hurt.
METHODS: dict[str, Callable[[int, float], tuple[Any, dict[str, Any]]]] = {
    "SVM, linear": lambda d, v: (
        SVC(Linear()), {"C": loguniform(1e-3, 1e2)}),
    "SVM, Gaussian": lambda d, v: (
        SVC(Gaussian(gamma=1.0)),
        {"C": loguniform(1e-1, 1e3), "kernel__gamma": loguniform(0.03 / (d * v), 10 / (d * v))}),
    "logistic regression": lambda d, v: (
        LogisticRegression(max_iter=500), {"C": loguniform(1e-3, 1e2)}),
    "nearest neighbours": lambda d, v: (
        KNeighborsClassifier(), {"n_neighbors": randint(1, 31), "weights": ["uniform", "distance"]}),
    "random forest": lambda d, v: (
        RandomForestClassifier(n_estimators=100, random_state=0),
        {"max_features": uniform(0.05, 0.95), "min_samples_leaf": randint(1, 9)}),
    "gradient boosting": lambda d, v: (
        HistGradientBoostingClassifier(random_state=0, early_stopping=False),
        {"learning_rate": loguniform(0.02, 0.5), "max_leaf_nodes": randint(3, 32), "max_iter": randint(20, 101),
         "min_samples_leaf": randint(2, 21)}),
    "Gaussian process": lambda d, v: (
        GaussianProcessClassifier(ConstantKernel() * RBF(), optimizer=None),
        {"kernel__k1__constant_value": loguniform(1, 1e3),
         "kernel__k2__length_scale": loguniform(0.3 * (d * v) ** 0.5, 10 * (d * v) ** 0.5)}),
    "small network": lambda d, v: (
        MLPClassifier(solver="lbfgs", max_iter=100, random_state=0),
        {"hidden_layer_sizes": [(10,), (30,), (60,)], "alpha": loguniform(1e-4, 1e1)}),
}

FORMS = ("scaled", "raw", "raw, one × 1000")    # what is done to the features before a method sees them


def search(method: str, X: np.ndarray, seed: int, scaled: bool = True) -> RandomizedSearchCV:
    """A search, not yet fitted: twelve random candidates, three inner folds, the scaler inside the folds.

    >>> X, y = real_set("iris")
    >>> tuned = search("SVM, linear", X, seed=0).fit(X, y)
    >>> len(tuned.cv_results_["params"]), tuned.n_splits_
    (12, 3)
    """
    d = X.shape[1]
    machine, space = METHODS[method](d, 1.0 if scaled else float(X.var(axis=0).mean()))
    pipeline = make_pipeline(StandardScaler() if scaled else "passthrough", machine)
    name = pipeline.steps[-1][0]
    inner = StratifiedKFold(INNER, shuffle=True, random_state=seed)
    return RandomizedSearchCV(pipeline, {f"{name}__{key}": values for key, values in space.items()}, n_iter=TRIES,
                              cv=inner, random_state=seed)


# ---- the contest -----------------------------------------------------------------------------------------------------
def play(data: str, method: str, split: int, form: str = "scaled") -> dict[str, Any]:
    """One row: tune a method on the training part of a split, and measure it on the test part.

    error: share of the test part; fit_s: one training of the winner; predict_s: for the test part; size: numbers that
    the winner keeps.  In the form "raw, one × 1000" the split says which feature is measured in thousandths.

    >>> row = play("iris", "SVM, linear", 0)
    >>> row["data"], row["test_points"], 0 <= row["error"] < 0.2
    ('iris', 30, True)
    """
    X, y = real_set(data)
    if form == FORMS[2]:
        X = X * np.where(np.arange(X.shape[1]) == split % X.shape[1], 1000.0, 1.0)
    train, test = splits(y)[split]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")         # a candidate that does not converge is a bad candidate, no more
        tuned = search(method, X[train], split, form == "scaled").fit(X[train], y[train])
        began = perf_counter()
        said = tuned.predict(X[test])
    return {"data": data, "method": method, "form": form, "split": split, "n": len(train), "d": X.shape[1],
            "test_points": len(test), "error": float(np.mean(said != y[test])), "fit_s": float(tuned.refit_time_),
            "predict_s": perf_counter() - began, "size": size(tuned.best_estimator_, len(train)),
            "winner": ", ".join(f"{key.split('__', 1)[1]}={value:.3g}" if isinstance(value, float)
                                else f"{key.split('__', 1)[1]}={value}" for key, value in tuned.best_params_.items())}


def size(pipeline: Pipeline, n: int) -> int:
    """How many numbers a fitted machine must keep to predict: coordinates, coefficients, thresholds, leaves."""
    machine = pipeline[-1]
    if hasattr(machine, "coef_"):                          # a line for each pair of classes, or for each class
        parts = [machine.coef_, machine.intercept_]
    elif isinstance(machine, SVC):
        parts = [machine.support_vectors_, machine.dual_coef_, machine.intercept_]
    elif isinstance(machine, MLPClassifier):
        parts = [*machine.coefs_, *machine.intercepts_]
    elif isinstance(machine, (KNeighborsClassifier, GaussianProcessClassifier)):   # all points, and a number a class
        k = 1 if isinstance(machine, KNeighborsClassifier) or len(machine.classes_) == 2 else len(machine.classes_)
        parts = [np.empty((n, machine.n_features_in_ + k))]
    else:
        return _size_of_trees(machine)
    return sum(part.size for part in parts)


def _size_of_trees(machine: Any) -> int:
    """Feature, threshold and two children of each fork; the values of each leaf."""
    if isinstance(machine, RandomForestClassifier):
        trees = [(t.tree_.node_count, t.tree_.n_leaves, len(machine.classes_)) for t in machine.estimators_]
    else:
        trees = [(len(t.nodes), t.get_n_leaf_nodes(), 1) for stage in machine._predictors for t in stage]
    return sum(4 * (nodes - leaves) + leaves * values for nodes, leaves, values in trees)


def compare(a: Any, b: Any, folds: int = FOLDS) -> tuple[float, float]:
    """Mean difference a - b of errors on the same splits, and its standard error.

    Splits share most of their training points, so their errors are not independent draws; the variance over J splits
    is taken times 1/J + (test points)/(training points) in the place of 1/J (Nadeau and Bengio, 2003).

    >>> mean, error = compare([0.10, 0.14, 0.12, 0.12, 0.12], [0.10, 0.10, 0.10, 0.10, 0.10])
    >>> round(mean, 3), round(error, 4)
    (0.02, 0.0095)
    """
    d = np.asarray(a, float) - np.asarray(b, float)
    return float(d.mean()), float(np.sqrt(d.var(ddof=1) * (1 / len(d) + 1 / (folds - 1))))
