"""LIBSVM's own files: a model as svm-train writes it, and points in its sparse format."""
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path
from typing import Any

import numpy as np
from scipy.sparse import csr_array, issparse
from sklearn.datasets import load_svmlight_file

from svmlib.auditing.estimators import as_codes, kernel_by_name
from svmlib.auditing.fitted import CLASSIFIERS, Fitted
from svmlib.auditing.matching import DIGITS, found
from svmlib.kernels import Precomputed
from svmlib.svc.training_set import as_targets, column, weighted
from svmlib.validation import SparseRows, check_number

TYPES = ("c_svc", "nu_svc", "one_class", "epsilon_svr", "nu_svr")
NUMBERS = {"nr_class": 1, "total_sv": 1, "rho": None, "label": None, "nr_sv": None, "degree": 1, "gamma": 1, "coef0": 1,
           "probA": None, "probB": None, "prob_density_marks": None}


@dataclass(eq=False)
class ModelFile:
    """What stands in a model of LIBSVM: coef (k - 1, m), vectors (m, d) sparse, or the numbers of points, from 1."""

    kind: str
    kernel: str
    header: dict[str, np.ndarray]
    coef: np.ndarray
    vectors: Any


def read_model(path: Any) -> ModelFile:
    """Read a file that svm-train, or svm_save_model, has written; a ValueError says which line it cannot read."""
    lines, header, words = _lines(path), {}, {}
    for number, line in enumerate(lines, 1):
        name, _, rest = line.partition(" ")
        if name.strip() == "SV":
            break
        if name in ("svm_type", "kernel_type"):
            words[name] = rest.strip()
        elif name in NUMBERS:
            header[name] = _numbers(path, number, rest)
        else:
            raise ValueError(f"{path} is not a model of LIBSVM: line {number} begins with {name!r}")
    else:
        raise ValueError(f"{path} is not a model of LIBSVM: it has no line SV")
    kind = words.get("svm_type", "")
    if kind not in TYPES:
        raise ValueError(f"{path} has svm_type {kind!r}, which is none of {', '.join(TYPES)}")
    for name in ("rho", "total_sv", "nr_class", *(("label", "nr_sv") if kind in CLASSIFIERS else ())):
        if name not in header:
            raise ValueError(f"{path} is not a model of LIBSVM: it has no line {name}")
    count = max(int(header["nr_class"][0]) - 1, 1) if kind in CLASSIFIERS else 1
    body = [line.split() for line in lines[number:] if line.strip()]
    if len(body) != int(header["total_sv"][0]):
        raise ValueError(f"{path} announces {int(header['total_sv'][0])} support vectors, but has {len(body)}: is it "
                         "whole?")
    coef = np.array([_numbers(path, number + i, " ".join(row[:count])) for i, row in enumerate(body, 1)])
    coef = coef.reshape(len(body), count).T
    kernel = words.get("kernel_type", "")
    if kernel == "precomputed":
        return ModelFile(kind, kernel, header, coef, np.array([int(row[count].partition(":")[2]) for row in body]))
    text = "\n".join(" ".join(["0", *row[count:]]) for row in body)
    return ModelFile(kind, kernel, header, coef, _sparse(path, text.encode())[0] if body else csr_array((0, 1)))


def read_data(path: Any, precomputed: bool = False) -> tuple[Any, np.ndarray]:
    """Points (n, d), sparse, and labels (n,) of a file in LIBSVM's format; the Gram matrix (n, n) where precomputed."""
    X, y = _sparse(path, "\n".join(_lines(path)).encode(), precomputed)
    if precomputed:
        X = X.toarray()
        if X.shape[1] != len(X) + 1 or not np.array_equal(X[:, 0], np.arange(1, len(X) + 1)):
            raise ValueError(f"{path} must hold a Gram matrix: label 0:number 1:K(x, x_1) … n:K(x, x_n) in "
                             "each line")
        X = X[:, 1:]
    return X, y


def of_file(path: Any, X: Any, y: Any, weight: Any, *, C: float | None, nu: float | None, epsilon: float | None,
            class_weight: Any) -> Fitted:
    """The arrays of a model file, with points and labels; what the file does not hold comes as the other arguments."""
    model = read_model(path)
    kernel = kernel_by_name(model.kernel, *(_one(model, name) for name in ("gamma", "degree", "coef0")))
    gram = isinstance(kernel, Precomputed)
    points = kernel.points(X if gram else _as_wide(X, model.vectors.shape[1]), "X")
    classes = codes = of_class = None
    if model.kind in CLASSIFIERS:
        classes = model.header["label"].astype(int)
        codes = as_codes(y, classes, len(points))
        of_class = np.repeat(np.arange(len(classes)), model.header["nr_sv"].astype(int))
    targets = (codes if codes is not None else np.zeros(len(points)) if model.kind == "one_class" else
               as_targets(column(y)))
    if len(targets) != len(points):
        raise ValueError(f"y must have one target for each of the {len(points)} points of X, got {len(targets)}")
    points, weight, kept = weighted(kernel, points, weight, codes)
    targets, codes = targets[kept], None if codes is None else codes[kept]
    vectors = model.vectors if gram else _as_wide(model.vectors, points.shape[1])
    support = model.vectors - 1 if gram else found(vectors, points, codes, of_class, DIGITS)
    fitted = Fitted(f"{Path(path).name}, {model.kind} with {kernel!r}", model.kind, kernel, points, targets, classes,
                    np.ones(len(kept)) if weight is None else weight, kept, model.coef, -model.header["rho"], support,
                    C=C, nu=nu, epsilon=epsilon, flipped=False, single=True)
    return _completed(fitted, class_weight)


def _completed(fitted: Fitted, class_weight: Any) -> Fitted:
    """The same with a C or nu that the file does not hold: given, or what the largest coefficient says."""
    size = np.abs(fitted.coef)
    for name in ("C", "nu", "epsilon"):
        if getattr(fitted, name) is not None:
            check_number(getattr(fitted, name), name, 0.0, strict=name != "epsilon")
    if class_weight is not None and (fitted.kind != "c_svc" or fitted.C is None):
        raise ValueError("class_weight needs C, and a model of the type c_svc")
    if fitted.kind == "c_svc" and fitted.C is None:
        assert fitted.classes is not None
        of_sv = fitted.y[fitted.support]
        largest = np.array([size[:, of_sv == code].max(initial=0.0) for code in range(len(fitted.classes))])
        fitted.C, fitted.weight = 1.0, fitted.weight * largest[fitted.y]
        shared = sum(int(np.sum(size[:, of_sv == code] >= (1 - 1e-9) * largest[code]))
                     for code in range(len(largest)))
        what = f"{largest[0]:.6g}" if np.ptp(largest) <= 1e-9 * largest.max() else ", ".join(
            f"{value:.6g} (class {label})" for value, label in zip(largest, fitted.classes, strict=True))
        fitted.notes.append(f"C, which the file does not hold, is taken to be the largest coefficient, {what}; "
                            f"{shared} coefficients are as large.")
    elif fitted.kind == "c_svc" and class_weight is not None:
        assert fitted.classes is not None
        fitted.weight = fitted.weight * np.array([float(class_weight.get(int(label), 1.0))
                                                  for label in fitted.classes])[fitted.y]
    elif fitted.kind in ("epsilon_svr", "nu_svr") and fitted.C is None:
        fitted.C = float((size[0] / fitted.weight[fitted.support]).max(initial=0.0)) or 1.0
        fitted.notes.append(f"C, which the file does not hold, is taken to be the largest coefficient, {fitted.C:.6g}.")
    elif fitted.kind == "one_class" and fitted.nu is None:
        fitted.notes.append(f"nu, which the file does not hold, is {size.sum() / fitted.weight.sum():.6g} by the sum "
                            "of the coefficients.")
    return fitted


def _one(model: ModelFile, name: str) -> Any:
    """A number of the header, or None."""
    return float(model.header[name][0]) if name in model.header else None


def _as_wide(X: Any, width: int) -> Any:
    """Points with columns of 0 up to a width, as the sparse format leaves out what is 0."""
    short = width - X.shape[1] if np.ndim(X) == 2 else 0
    if short <= 0:
        return X
    if issparse(X):
        X = csr_array(X)
        return SparseRows((X.data, X.indices, X.indptr), shape=(X.shape[0], width))
    return np.hstack([np.asarray(X, dtype=np.float64), np.zeros((len(X), short))])


def _lines(path: Any) -> list[str]:
    """The lines of a file of text."""
    try:
        return Path(path).read_text(encoding="utf-8").splitlines()
    except UnicodeDecodeError:
        raise ValueError(f"{path} is not a file of text") from None


def _numbers(path: Any, number: int, text: str) -> np.ndarray:
    """The numbers of a line."""
    try:
        return np.array([float(word) for word in text.split()])
    except ValueError as error:
        raise ValueError(f"{path}, line {number}: {error}") from None


def _sparse(path: Any, text: bytes, zero_based: bool = False) -> tuple[Any, np.ndarray]:
    """Points and labels of lines in the sparse format."""
    try:
        X, y = load_svmlight_file(BytesIO(text), zero_based=zero_based)
    except ValueError as error:
        raise ValueError(f"{path} is not in LIBSVM's format, label index:value …: {error}") from None
    X = csr_array(X)
    if max(*X.shape, X.nnz) < 2 ** 31:                              # scikit-learn's machines take no longer indices
        X.indices, X.indptr = X.indices.astype(np.int32), X.indptr.astype(np.int32)
    return X, y
