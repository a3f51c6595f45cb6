"""What SVC makes of its arguments: checked points, coded labels, one bound C a point.

Clean numpy arrays take a short way, because a fit of forty points costs less than scikit-learn's validation.
"""
from __future__ import annotations

from collections.abc import Callable
from copy import deepcopy
from dataclasses import dataclass
from numbers import Real
from types import NoneType
from typing import Any

import numpy as np
from scipy.sparse import issparse
from sklearn.utils.class_weight import compute_class_weight
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import column_or_1d, validate_data

from svmlib.kernels import Gaussian, Kernel, Precomputed


@dataclass
class TrainingSet:
    """Points X (n, d), labels as codes 0 … k-1 (n,), the k classes, and weights (n,) or None, without zero weights."""

    X: np.ndarray
    codes: np.ndarray
    classes: np.ndarray
    weight: np.ndarray | None
    kept: np.ndarray | None

    @classmethod
    def of(cls, estimator: Any, kernel: Kernel | None, X: Any, y: Any, weight: Any) -> TrainingSet:
        """Check the arguments of `fit`; also sets n_features_in_ and feature_names_in_ of the estimator."""
        X, y = _points_and_labels(estimator, kernel, X, y)
        classes, codes = _code(y)
        kept = None
        if weight is not None:
            weight = _weights(weight, len(X))
            if not weight.all():
                kept = np.flatnonzero(weight)
                X = X[np.ix_(kept, kept)] if isinstance(kernel, Precomputed) else X[kept]
                weight, y = weight[kept], y[kept]
                classes, codes = _code(y)
        if len(classes) < 2:
            raise ValueError(f"y must hold at least two classes, got one class only: {classes.tolist()}"
                             + (" (after points of weight 0 were left out)" if kept is not None else ""))
        return cls(X, codes, classes, weight, kept)

    @property
    def signs(self) -> np.ndarray:
        """Labels in {-1, +1} of a binary problem."""
        return 2.0 * self.codes - 1.0

    def original(self, rows: np.ndarray) -> np.ndarray:
        """Indices into the arrays that fit was given."""
        return rows if self.kept is None else self.kept[rows]

    def bounds(self, C: Any, class_weight: Any) -> Any:
        """Upper bounds of alpha (n,): C times class weight times sample weight."""
        if isinstance(C, bool) or not isinstance(C, (float, Real)) or not float(C) > 0:
            raise ValueError(f"C must be a positive number (np.inf for the hard margin), got {C!r}")
        C_i = np.full(len(self.codes), float(C))
        if class_weight is not None:
            C_i *= self._class_weights(class_weight)[self.codes]
        return C_i if self.weight is None else C_i * self.weight

    def _class_weights(self, class_weight: Any) -> np.ndarray:
        """Factor of each class (k,)."""
        if not isinstance(class_weight, dict) and class_weight != "balanced":
            raise ValueError(f'class_weight must be a dict, "balanced" or None, got {class_weight!r}')
        factors = compute_class_weight(class_weight, classes=self.classes, y=self.classes[self.codes],
                                       sample_weight=self.weight)
        if not np.all(factors > 0):
            raise ValueError(f"class_weight must be positive for each class, got {class_weight!r}")
        return factors


def points_to_predict(estimator: Any, kernel: Kernel, X: Any) -> np.ndarray:
    """Check points to predict: as many features as in fit."""
    if _is_clean(X) and not hasattr(estimator, "feature_names_in_"):
        X = kernel._points(X, "X")
        if X.shape[1] == getattr(estimator, "n_features_in_", None):
            return X
    if is_text(X):
        return kernel._points(X, "X")
    return kernel._points(validate_data(estimator, _prepare(X, kernel), reset=False, dtype=np.float64,
                                        accept_sparse="csr"), "X")


def frozen_copy(kernel: Kernel) -> Kernel:
    """A copy that later calls of set_params on the original do not reach; a fast one where it holds only numbers."""
    if not all(isinstance(value, (float, int, NoneType)) for value in kernel.__dict__.values()):
        return deepcopy(kernel)
    copy = object.__new__(type(kernel))
    copy.__dict__.update(kernel.__dict__)
    return copy


def default_gaussian(X: Any, weight: np.ndarray | None) -> Gaussian:
    """Gaussian kernel with gamma = 1 / (d var X), the "scale" of scikit-learn; a point of weight 2 counts as two."""
    if issparse(X):
        share = np.full(len(X), 1.0 / len(X)) if weight is None else weight / weight.sum()
        variance = share @ X.multiply(X).mean(axis=1) - (share @ X.mean(axis=1)) ** 2
    else:
        variance = X.var() if weight is None else _weighted_variance(X, weight)
    return Gaussian(gamma=float(1.0 / (X.shape[1] * variance)) if variance > 0 else 1.0)


def points_and_targets(estimator: Any, kernel: Kernel | None, X: Any, y: Any) -> tuple[np.ndarray, np.ndarray]:
    """Check points and targets of a regression: y (n,) finite numbers."""
    X, y = _points_and_labels(estimator, kernel, X, y)
    if (y := np.asarray(y)).dtype.kind not in "fiub":
        try:
            y = y.astype(np.float64)
        except (TypeError, ValueError):
            raise ValueError(f"y must hold numbers, got an array of {y.dtype}") from None
    if not np.isfinite(y).all():
        raise ValueError("y contains NaN or infinity; every target must be a finite number")
    return X, y.astype(np.float64)


def points_alone(estimator: Any, kernel: Kernel | None, X: Any) -> np.ndarray:
    """Check points without labels."""
    if is_text(X):
        return _points_and_labels(estimator, kernel, X, np.zeros(len(X)))[0]
    X = validate_data(estimator, _prepare(X, kernel), dtype=np.float64, order="C", accept_sparse="csr")
    return _check(kernel)(X, "X")


# ---- the pieces --------------------------------------------------------------------------------------------
def _is_clean(X: Any) -> bool:
    """Whether X is a plain float64 matrix, which the kernel itself can check."""
    return type(X) is np.ndarray and X.dtype == np.float64 and X.ndim == 2


def is_text(X: Any) -> bool:
    """Whether X is one string after the other: objects of a string kernel, not rows of numbers."""
    if isinstance(X, (str, bytes)):
        return True
    if isinstance(X, (list, tuple)):
        return len(X) > 0 and any(isinstance(x, str) for x in X)
    return getattr(X, "ndim", None) == 1 and any(isinstance(x, str) for x in X)


def _prepare(X: Any, kernel: Kernel | None) -> Any:
    """Check a sparse matrix; refuse a table of strings, which scikit-learn would read as numbers where it can."""
    if issparse(X) and X.ndim == 2 and X.dtype.kind in "fiub":
        return _check(kernel)(X, "X")
    if isinstance(X, (list, tuple, np.ndarray)) and (kind := np.asarray(X).dtype).kind in "US":
        raise ValueError(f"X must hold numbers, got an array of {kind}; for strings give a list of them and a kernel "
                         "of svmlib.kernels")
    return X


def _points_and_labels(estimator: Any, kernel: Kernel | None, X: Any, y: Any) -> tuple[np.ndarray, np.ndarray]:
    """Check X and y, the short way where both are plain arrays."""
    check = _check(kernel)
    if _is_clean(X) and type(y) is np.ndarray and y.ndim == 1 and 0 < len(y) == len(X) and X.shape[1] > 0:
        X = check(X, "X")
        estimator.n_features_in_ = X.shape[1]
        estimator.__dict__.pop("feature_names_in_", None)
    elif is_text(X) and y is not None:
        X, y = check(X, "X"), column_or_1d(y, warn=True)
        if len(X) != len(y):
            raise ValueError(f"y must have one label for each of the {len(X)} strings of X, got {len(y)}")
        for name in ("n_features_in_", "feature_names_in_"):
            estimator.__dict__.pop(name, None)
    else:
        X, y = validate_data(estimator, _prepare(X, kernel), y, dtype=np.float64, order="C", accept_sparse="csr")
        X = check(X, "X")
    return X, y


def _check(kernel: Kernel | None) -> Callable[[Any, str], Any]:
    """What checks points: the kernel, for it knows what it takes."""
    return Gaussian(gamma=1.0)._points if kernel is None else kernel._points


def _code(y: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Classes, sorted, and the code of each label; two numeric classes need no sorting."""
    if y.dtype.kind in "iuf":
        labels = sorted(set(y.tolist()))
        if len(labels) == 2 and all(float(label).is_integer() for label in labels):
            return np.array(labels, dtype=y.dtype), (y == labels[1]).view(np.int8)
    check_classification_targets(y)
    classes, codes = np.unique(y, return_inverse=True)
    return classes, codes


def _weights(weight: Any, n: int) -> np.ndarray:
    """Check sample weights: one number or n of them, finite, none negative, one positive at least."""
    try:
        weight = np.array(weight, dtype=np.float64)
    except (TypeError, ValueError):
        raise ValueError(f"sample_weight must hold numbers, got {weight!r}") from None
    if weight.shape not in ((), (n,)):
        raise ValueError(f"sample_weight must have shape ({n},), one weight for each point, got {weight.shape}")
    if not np.isfinite(weight).all() or weight.min() < 0:
        raise ValueError(f"sample_weight must be finite and not negative, got {weight.min():g}")
    if weight.max() == 0:
        raise ValueError("sample_weight must be positive for some points of each class, got zeros only")
    return weight if weight.ndim else np.full(n, float(weight))


def _weighted_variance(X: np.ndarray, weight: np.ndarray) -> float:
    """Variance of all entries of X, rows weighted."""
    mean = np.average(X.mean(axis=1), weights=weight)
    return float(np.average(((X - mean) ** 2).mean(axis=1), weights=weight))
