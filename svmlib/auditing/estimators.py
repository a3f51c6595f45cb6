"""Fitted estimators as arrays: scikit-learn's, scikit-learn-intelex's, and those of svmlib; and plain numbers."""
import warnings
from typing import Any

import numpy as np
from scipy.sparse import issparse

from svmlib.auditing.fitted import CLASSIFIERS, Fitted
from svmlib.auditing.matching import placed
from svmlib.kernels import (
    Constant,
    Gaussian,
    Kernel,
    Linear,
    NotPSDWarning,
    Polynomial,
    Precomputed,
    Sigmoid,
    as_kernel,
)
from svmlib.svc.by_name import rate
from svmlib.svc.training_set import TrainingSet, as_targets, column, weighted
from svmlib.validation import as_bounds, check_number

KINDS = {"SVC": "c_svc", "NuSVC": "nu_svc", "SVR": "epsilon_svr", "NuSVR": "nu_svr", "OneClassSVM": "one_class"}
PARTS = ("support_", "dual_coef_", "intercept_")


def of_estimator(model: Any, X: Any, y: Any, weight: Any) -> Fitted:
    """The arrays of a fitted estimator, checked against the points and labels that it was trained with."""
    kind = next((KINDS[parent.__name__] for parent in type(model).__mro__ if parent.__name__ in KINDS), None)
    if kind is None:
        raise ValueError("model must be a fitted SVC, NuSVC, SVR, NuSVR or OneClassSVM, the path of a LIBSVM model, or "
                         f"(alpha, b, kernel, C), got {type(model).__name__}{inside(model)}")
    if lacking := [name for name in PARTS if not hasattr(model, name)]:
        raise ValueError(f"model is not fitted: this {type(model).__name__} has no {lacking[0]}; call fit first")
    shape = getattr(model, "shape_fit_", None)
    if shape is not None and len(shape) == 2 and np.ndim(X) == 2 and np.shape(X) != tuple(shape):
        raise ValueError(f"X must be the points that the model was fitted to, of shape {tuple(shape)}, got "
                         f"{np.shape(X)}")
    kernel = kernel_of(model, X)
    points = kernel.points(X, "X")
    if kind in CLASSIFIERS:
        codes = as_codes(y, model.classes_, len(points))
        targets = codes
    else:
        codes = None
        targets = np.zeros(len(points)) if kind == "one_class" else as_targets(_labels(y, len(points)))
    factor = factors(model, kernel, points, y, weight) if kind == "c_svc" else None
    points, weight, kept = weighted(kernel, points, weight, codes)
    targets = targets[kept]
    codes = None if codes is None else targets
    coef = model.dual_coef_.toarray() if issparse(model.dual_coef_) else np.asarray(model.dual_coef_, dtype=np.float64)
    of_class = None if codes is None else np.repeat(np.arange(len(model.classes_)), model.n_support_)
    support = placed(np.asarray(model.support_), getattr(model, "support_vectors_", None), points, kept, codes,
                     of_class, alone=isinstance(kernel, Precomputed))
    weight = np.ones(len(kept)) if weight is None else weight
    ours = hasattr(model, "kernel_")
    return Fitted(title_of(model), kind, kernel, points, targets, getattr(model, "classes_", None),
                  weight if factor is None else weight * factor[targets], kept, np.atleast_2d(coef),
                  np.atleast_1d(np.asarray(model.intercept_, dtype=np.float64)), support,
                  C=getattr(model, "C", None), nu=getattr(model, "nu", None), epsilon=_epsilon(model, kind),
                  tol=getattr(model, "tol", None), rest=ours and getattr(model, "multiclass", "") == "ovr",
                  single=not ours and type(model).__module__.startswith("sklearn."))


def inside(model: Any) -> str:
    """What to do where a machine stands in a pipeline, or in a search."""
    if hasattr(model, "steps"):
        return "; audit its last step, model[-1], on the points that it gets, model[:-1].transform(X)"
    if hasattr(model, "best_estimator_"):
        return "; audit model.best_estimator_"
    if hasattr(model, "coef_") and type(model).__name__.startswith("LinearSV"):
        return ", which keeps no dual variables"
    return ""


def title_of(model: Any) -> str:
    """How the machine is written, in one line."""
    return " ".join(repr(model).split())


def _epsilon(model: Any, kind: str) -> float | None:
    """Half the width of the tube, where it is a parameter."""
    return float(model.epsilon) if kind == "epsilon_svr" else None


def _labels(y: Any, n: int) -> np.ndarray:
    """Labels or targets, one for each point."""
    if y is None:
        raise ValueError("y must be the labels or targets that the model was fitted to, got None")
    y = column(y)
    if len(y) != n:
        raise ValueError(f"y must have one label for each of the {n} points of X, got {len(y)}")
    return y


def as_codes(y: Any, classes: np.ndarray, n: int) -> np.ndarray:
    """Labels (n,) as indices of the classes."""
    y = _labels(y, n)
    codes = np.full(n, -1)
    for code, label in enumerate(classes):
        codes[y == label] = code
    if (codes < 0).any():
        raise ValueError(f"y has the label {y[codes < 0].tolist()[0]!r}, which the model does not know; it "
                         f"was fitted to {classes.tolist()}")
    if lacking := set(range(len(classes))) - set(codes.tolist()):
        raise ValueError(f"y has no point of the class {classes.tolist()[min(lacking)]!r}, which the model was fitted "
                         "to")
    return codes


def factors(model: Any, kernel: Kernel, X: Any, y: Any, weight: Any) -> np.ndarray | None:
    """By what C is multiplied for each class (k,): scikit-learn keeps it, svmlib computes it from class_weight."""
    if (kept := getattr(model, "class_weight_", None)) is not None:
        return np.asarray(kept, dtype=np.float64)
    class_weight = getattr(model, "class_weight", None)
    if class_weight is None:
        return None
    data = TrainingSet.of(kernel, X, column(y), weight)
    alone = TrainingSet(data.X, data.codes, data.classes, None, data.kept)
    bounds = data.bounds(1.0, class_weight) / (1.0 if data.weight is None else data.weight)
    return np.array([bounds[alone.codes == code][0] for code in range(len(alone.classes))])


def kernel_of(model: Any, X: Any) -> Kernel:
    """The kernel of a fitted estimator: an object, a function, or a name with gamma, degree and coef0."""
    if isinstance(getattr(model, "kernel_", None), Kernel):
        return model.kernel_
    if not isinstance(model.kernel, str):
        return as_kernel(model.kernel)
    gamma = getattr(model, "_gamma", None)
    if gamma is None and model.kernel in ("rbf", "poly", "sigmoid"):
        gamma = rate(model.gamma, np.asarray(X.toarray() if issparse(X) else X, dtype=np.float64), None)
    return kernel_by_name(model.kernel, gamma, model.degree, model.coef0)


def kernel_by_name(name: str, gamma: Any, degree: Any, coef0: Any) -> Kernel:
    """LIBSVM's kernels: exp(-gamma |x - z|^2), (gamma x'z + coef0)^degree, tanh(gamma x'z + coef0), x'z, the matrix.

    >>> kernel_by_name("poly", 0.5, 3, 1.0)
    Polynomial(Q=3, a=0.5)
    """
    if name in ("linear", "precomputed"):
        return Linear() if name == "linear" else Precomputed()
    if name not in ("rbf", "poly", "polynomial", "sigmoid"):
        raise ValueError(f'model has the kernel {name!r}, which is none of "linear", "poly", "rbf", "sigmoid", '
                         '"precomputed" and functions of two sets of points')
    check_number(gamma, "gamma", 0.0)
    if (name == "rbf" and gamma == 0) or (name not in ("rbf", "sigmoid") and degree == 0):
        return Constant(1.0)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", NotPSDWarning)         # what it means on these points, the audit says
        return (Gaussian(gamma=float(gamma)) if name == "rbf" else
                Sigmoid(kappa=float(gamma), delta=-float(coef0)) if name == "sigmoid" else
                Polynomial(Q=int(degree), a=float(gamma), b=float(coef0)))


def of_numbers(model: tuple, X: Any, y: Any, weight: Any) -> Fitted:
    """The arrays of (alpha, b, kernel, C): alpha (n,) >= 0, y of two classes, y = +1 for the second one."""
    if len(model) != 4:
        raise ValueError(f"model must be (alpha, b, kernel, C), got {len(model)} things")
    alpha, b, kernel, C = model
    kernel = kernel_by_name(kernel, None, None, None) if isinstance(kernel, str) else as_kernel(kernel)
    points = kernel.points(X, "X")
    labels = _labels(y, len(points))
    classes = np.unique(labels)
    if len(classes) != 2:
        raise ValueError(f"y must hold two classes, got {len(classes)}")
    codes = as_codes(labels, classes, len(points))
    alpha = np.asarray(alpha, dtype=np.float64)
    if alpha.shape != (len(points),) or not np.isfinite(alpha).all():
        raise ValueError(f"alpha must be {len(points)} finite numbers, one for each point of X, got "
                         f"shape {alpha.shape}")
    check_number(b, "b")
    bounds = as_bounds(C, len(points))
    points, weight, kept = weighted(kernel, points, weight, codes)
    bounds = bounds[kept] if weight is None else bounds[kept] * weight
    hard = bool(np.isinf(bounds).any())
    if hard and not np.isinf(bounds).all():
        raise ValueError("C must be finite for all points or for none")
    codes, alpha = codes[kept], alpha[kept]
    return Fitted("(alpha, b, kernel, C)", "c_svc", kernel, points, codes, classes,
                  np.ones(len(kept)) if hard else bounds, kept, (np.where(codes == 1, 1.0, -1.0) * alpha)[None],
                  np.array([float(b)]), np.arange(len(kept)), C=np.inf if hard else 1.0)
