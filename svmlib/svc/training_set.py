"""What SVC makes of its arguments: checked points, coded labels, one bound C a point; and a word on their scales."""
import warnings
from dataclasses import dataclass
from numbers import Real
from typing import Any

import numpy as np
from scipy.sparse import issparse
from sklearn.utils.class_weight import compute_class_weight
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import assert_all_finite, check_consistent_length, column_or_1d, validate_data

from svmlib.kernels import Gaussian, Kernel, Precomputed
from svmlib.validation import as_column, as_texts, check_number, refuse_masked, stacklevel

ALONE = "no_validation"    # stands for y where points come without labels, as in scikit-learn's validate_data
NEGLIGIBLE = 1e-13         # of the largest weight of a class: a point below adds nothing that float64 could tell
SIGNS = np.array([-1.0, 1.0])        # labels y of the two classes of a binary problem
SCALE_RATIO, SCALE_DIAGONAL = 1e4, 1e10      # ratio of the ranges of features, and kernel value, from which on to warn


@dataclass
class TrainingSet:
    """Points X (n, d), labels as codes 0 … k-1 (n,), the k classes, weights (n,) or None.

    kept (n,): their indices among the points that fit was given; those of weight 0 are left out.
    """

    X: np.ndarray
    codes: np.ndarray
    classes: np.ndarray
    weight: np.ndarray | None
    kept: np.ndarray

    @classmethod
    def of(cls, kernel: Kernel | None, X: Any, y: np.ndarray, weight: Any) -> "TrainingSet":
        """Of points and labels that have been checked; weights as `fit` was given them."""
        classes, codes = _code(y)
        X, weight, kept = weighted(kernel, X, weight, codes)
        if len(kept) < len(y):
            classes, codes = _code(y[kept])
        if len(classes) < 2:
            raise ValueError(f"y must hold at least two classes, got one class only: {classes.tolist()}"
                             + (" (after points of weight 0 were left out)" if len(kept) < len(y) else ""))
        return cls(X, codes, classes, weight, kept)

    @property
    def signs(self) -> np.ndarray:
        """Labels in {-1, +1} of a binary problem."""
        return SIGNS.take(self.codes)

    def bounds(self, C: Any, class_weight: Any) -> Any:
        """Upper bounds of alpha (n,): C times class weight times sample weight."""
        if not (isinstance(C, Real) and np.inf == C):
            check_number(C, "C", 0.0, strict=True, expected="a positive number (np.inf for the hard margin)")
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


def checked(estimator: Any, kernel: Kernel | None, X: Any, y: Any = ALONE, *, reset: bool = True) -> tuple[Any, Any]:
    """Check points, and labels or targets where they are given, as scikit-learn does, and then as the kernel does.

    reset: of `fit`, which sets n_features_in_ and feature_names_in_ of the estimator; otherwise X must have as many.
    """
    refuse_masked(X, "X")
    refuse_masked(y, "y")
    if is_text(X) and y is not None:                                 # scikit-learn knows no points that are texts
        X, y = points(kernel, X), y if y is ALONE else column(y)
        if y is not ALONE and len(X) != len(y):
            raise ValueError(f"y must have one label for each of the {len(X)} strings of X, got {len(y)}")
        for name in ("n_features_in_", "feature_names_in_") if reset else ():
            estimator.__dict__.pop(name, None)
        return X, y
    if isinstance(kernel, Precomputed) and not reset:
        _check_rows(estimator, X)
    if issparse(X) and X.ndim == 2 and X.dtype.kind in "fiub":
        X = points(kernel, X)
    elif isinstance(X, (list, tuple, np.ndarray)) and (kind := np.asarray(X).dtype).kind in "UST":
        raise ValueError(f"X must hold numbers, got an array of {kind}; for strings give a list of them and a "
                         "kernel of svmlib.kernels")             # scikit-learn would read "1" as 1
    # Of no points there are no predictions; whether all numbers are finite, the kernel says, in our words.
    # An array that check_array would return as it is need not wait for it: that takes as long as a small fit's steps.
    gram = isinstance(kernel, Precomputed)
    as_is = (type(X) is np.ndarray and X.dtype == np.float64 and X.ndim == 2 and X.size > 0 and X.flags.c_contiguous
             and not gram)
    X = validate_data(estimator, X, None if y is None else ALONE, reset=reset, skip_check_array=as_is, dtype=np.float64,
                      order="C", accept_sparse="csr", ensure_all_finite=gram, ensure_min_samples=int(reset))
    if y is not ALONE:
        y = column(y)
        check_consistent_length(X, y)
    return points(kernel, X), y


def column(y: Any) -> np.ndarray:
    """Labels or targets (n,), none of them missing, from whatever container or column they came in."""
    y = as_texts(y)
    if type(y) is not np.ndarray or y.ndim != 1:                    # to look what else it is takes a small fit's time
        y = column_or_1d(y, warn=True)
    if y.dtype.kind == "c":                                         # astype would drop the imaginary part
        raise ValueError(f"y must hold real numbers, got an array of {y.dtype}")
    assert_all_finite(y, input_name="y")
    return y


def points(kernel: Kernel | None, X: Any) -> Any:
    """The points as the kernel takes them; None stands for a Gaussian kernel whose gamma the data have yet to give."""
    return (Gaussian(gamma=1.0) if kernel is None else kernel).points(X, "X")


def _check_rows(estimator: Any, X: Any) -> None:
    """Raise unless rows of a Gram matrix have a value for each training point."""
    K, n = np.asarray(X), estimator.n_features_in_
    if K.ndim == 2 and K.shape[1] != n and K.dtype.kind in "fiu" and np.isfinite(K).all():
        raise ValueError(f"X has {K.shape[1]} features, but {type(estimator).__name__} is expecting {n} features as "
                         "input: with a precomputed kernel a row of X holds the values of a new point with each of "
                         f"the {n} training points, k(X_new, X_train)")


def weighted(kernel: Kernel | None, X: Any, weight: Any,
             codes: np.ndarray | None = None) -> tuple[Any, np.ndarray | None, np.ndarray]:
    """Check sample weights: one number or n of them, finite, none negative, one positive at least, or None.

    Returns the points whose weight is not 0 nor negligible beside the largest of their class, as codes (n,) says, their
    weights, and their indices.
    """
    kept = np.arange(len(X))
    if weight is None:
        return X, None, kept
    refuse_masked(weight, "sample_weight")
    try:
        if np.asarray(weight).dtype.kind == "c":                            # float64 would drop the imaginary part
            raise TypeError
        weight = np.array(weight, dtype=np.float64)
    except (TypeError, ValueError):
        raise ValueError(f"sample_weight must hold numbers, got {weight!r}") from None
    if weight.shape not in ((), kept.shape):
        raise ValueError(f"sample_weight must have shape {kept.shape}, one weight for each point, got {weight.shape}")
    if not np.isfinite(weight).all() or weight.min() < 0:
        raise ValueError(f"sample_weight must be finite and not negative, got {weight.min():g}")
    if weight.max() == 0:
        raise ValueError("sample_weight must be positive for some points, got zeros only")
    weight = np.broadcast_to(weight, kept.shape)
    codes = np.zeros(len(weight), dtype=np.int8) if codes is None else codes
    largest = np.zeros(int(codes.max()) + 1)
    np.maximum.at(largest, codes, weight)
    counts = (weight > 0) & (weight >= NEGLIGIBLE * largest[codes])
    if not counts.all():
        kept = np.flatnonzero(counts)
        X, weight = X[np.ix_(kept, kept)] if isinstance(kernel, Precomputed) else X[kept], weight[kept]
    return X, weight, kept


def as_targets(y: Any) -> np.ndarray:
    """Check targets of a regression (n,): finite numbers."""
    try:
        y = np.asarray(y).astype(np.float64)
    except (TypeError, ValueError):
        raise ValueError(f"y must hold numbers, got an array of {np.asarray(y).dtype}") from None
    if not np.isfinite(y).all():
        raise ValueError("y contains NaN or infinity; every target must be a finite number")
    return y


def is_text(X: Any) -> bool:
    """Whether X is one string after the other: objects of a string kernel, not rows of numbers."""
    if isinstance(X, (str, bytes)):
        return True
    if isinstance(X, (list, tuple)):
        return len(X) > 0 and any(isinstance(x, str) for x in X)
    X = as_column(X)
    return getattr(X, "ndim", None) == 1 and any(isinstance(x, str) for x in X)


def _code(y: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Classes, sorted, and the code of each label; two numeric classes need no sorting."""
    if y.dtype.kind in "iuf":
        labels = sorted(set(y.tolist()))
        if len(labels) == 2 and labels[0] % 1 == labels[1] % 1 == 0:
            return np.array(labels, dtype=y.dtype), (y == labels[1]).view(np.int8)
    if y.dtype.kind == "O" and (other := [v for v in y if not isinstance(v, str)]):
        raise ValueError("Unknown label type: y must hold labels of one kind, got an array of objects, one of "
                         f"them {other[0]!r} of type {type(other[0]).__name__}; give y.astype(int) or y.astype(str)")
    check_classification_targets(y)
    classes, codes = np.unique(y, return_inverse=True)
    return classes, codes


def warn_of_scales(kernel: Kernel, X: np.ndarray) -> None:
    """Warn where features, or kernel values, have wildly different or huge scales."""
    if type(X) is not np.ndarray or X.ndim != 2 or isinstance(kernel, Precomputed):
        return
    features = np.ascontiguousarray(X.T)                  # numpy is slow on the columns of a narrow matrix
    ranges = features.max(axis=1) - features.min(axis=1)
    largest = ranges.max(initial=0.0)
    smallest = ranges[ranges > 0].min(initial=largest)
    if largest > SCALE_RATIO * smallest:
        what = f"the ranges of the features of X differ by a factor of {largest / smallest:.1e}"
    elif not kernel.strictly_positive and (top := float(np.maximum.reduce(kernel.diagonal(X)))) > SCALE_DIAGONAL:
        what = f"kernel values k(x, x) reach {top:.1e}"
    else:
        return
    warnings.warn(f"{what}; scale the features, e.g. with sklearn.preprocessing.StandardScaler", UserWarning,
                  stacklevel=stacklevel())
