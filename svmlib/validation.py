"""Checks of what users pass in: points, strings, numbers.  Each raises a ValueError that names the argument."""
import os
import sys
from math import isfinite
from numbers import Integral, Real
from pathlib import Path
from typing import Any

import numpy as np
from scipy.sparse import csr_array, issparse

HERE = str(Path(__file__).parent) + os.sep


class SparseRows(csr_array):
    """A sparse matrix (n, d) as n points: rows that can be counted and cut, as those of an array."""

    def __len__(self) -> int:
        return int(self.shape[0])


def refuse_masked(value: Any, name: str) -> None:
    """Raise a ValueError for an array with masked entries: as a plain one it would show what stands behind the mask.

    >>> refuse_masked(np.ma.masked_greater([1.0, 99.0], 50.0), "y")
    Traceback (most recent call last):
    ValueError: y has 1 masked entry, which would count as any other; leave out those points, or fill the entries
    """
    if isinstance(value, np.ma.MaskedArray) and (hidden := int(np.ma.getmaskarray(value).sum())):
        entries = "entry" if hidden == 1 else "entries"
        raise ValueError(f"{name} has {hidden} masked {entries}, which would count as any other; leave out those "
                         "points, or fill the entries")


def as_points(X: Any, name: str = "X", sparse: bool = False) -> Any:
    """Return X as a finite float64 array (n, d), or raise a ValueError that names it.

    sparse: take a sparse matrix, too, and return SparseRows, its entries in order and
    each once, whatever form and order they came in.

    >>> as_points(csr_array([[0.0, 2.0]]), sparse=True).shape
    (1, 2)
    """
    if type(X) is not np.ndarray and issparse(X):
        if sparse:
            return _as_rows(X, name)
        raise ValueError(f"{name} must be a dense array, got a sparse matrix; give {name}.toarray()")
    refuse_masked(X, name)
    try:
        A = np.asarray(X)
    except ValueError as error:
        raise ValueError(f"{name} must be an array with one point per row, all of the same length: {error}") from None
    if A.dtype.kind not in "fiub":
        hint = "; for strings use a kernel of svmlib.kernels" if A.dtype.kind in "OUS" else ""
        raise ValueError(f"{name} must hold real numbers, got an array of {A.dtype}{hint}")
    if A.ndim != 2:
        raise ValueError(f"{name} must be two-dimensional, one point per row, got shape {A.shape}. Reshape your data: "
                         f"{name}.reshape(-1, 1) for one feature, {name}.reshape(1, -1) for one point")
    A = np.asarray(A, dtype=np.float64)
    if not all_finite(A):
        raise ValueError(f"{name} contains NaN or infinity; every entry must be a finite number")
    return A


def _as_rows(X: Any, name: str) -> SparseRows:
    """Check a sparse matrix; what is SparseRows has been checked."""
    if isinstance(X, SparseRows):
        return X
    if X.ndim != 2 or X.dtype.kind not in "fiub":
        raise ValueError(f"{name} must be a sparse matrix (n, d) of real numbers, got {X!r}")
    shared = X.format == "csr" and not X.has_canonical_format     # what is put in order is a copy
    rows = SparseRows(X, dtype=np.float64, copy=shared)
    rows.sum_duplicates()
    if not all_finite(rows.data):
        raise ValueError(f"{name} contains NaN or infinity; every entry must be a finite number")
    return rows


def all_finite(A: np.ndarray) -> bool:
    """Whether no entry is NaN or infinite; a finite sum of squares says so in one pass without a temporary array."""
    return isfinite(np.vdot(A, A)) or bool(np.isfinite(A).all())


def as_column(X: Any) -> Any:
    """A column of a table, or a table of one column of texts, as a one-dimensional array; anything else as it is."""
    if not isinstance(X, (str, bytes, list, tuple, np.ndarray)) and hasattr(X, "to_numpy"):
        X = X.to_numpy()
    alone = isinstance(X, np.ndarray) and X.ndim == 2 and X.shape[1] == 1 and X.dtype.kind in "OUST"
    return X[:, 0] if alone else X


def as_texts(y: Any) -> Any:
    """Labels of numpy's StringDType, which scikit-learn does not know, as an array of texts; others as they are.

    >>> as_texts(np.array(["a", "bc"], dtype=np.dtypes.StringDType()))
    array(['a', 'bc'], dtype='<U2')
    """
    if getattr(getattr(y, "dtype", None), "kind", "") != "T":
        return y
    if not all(isinstance(label, str) for label in y.ravel()):
        raise ValueError("y must have a label for each point, but some are missing")
    return np.array(y.tolist(), dtype=str)


def is_itself(value: Any) -> bool:
    """False of None, NaN, and the missing values of pandas."""
    try:
        return value is not None and bool(value == value)  # noqa: PLR0124 -- a missing value is not even itself
    except TypeError:
        return False


def as_strings(X: Any, name: str = "X") -> np.ndarray:
    """Return n strings as an object array (n,), from a list, an array, or a column of a table, or raise a ValueError.

    >>> as_strings(["BERT", ""])
    array(['BERT', ''], dtype=object)
    """
    if isinstance(X, (str, bytes)):
        raise ValueError(f"{name} must be a list of strings, got the single string {X!r}; give [{X!r}]")
    X = as_column(X)
    if np.ndim(X) != 1 if isinstance(X, np.ndarray) else not hasattr(X, "__iter__"):
        what = f"an array of shape {X.shape}" if isinstance(X, np.ndarray) else repr(X)
        raise ValueError(f"{name} must be a list or one-dimensional array of strings, got {what}")
    items = list(X)
    for i, item in enumerate(items):
        if not isinstance(item, str):
            raise ValueError(f"{name} must hold strings only, got {name}[{i}] = {item!r} of type {type(item).__name__}")
    out = np.empty(len(items), dtype=object)
    out[:] = [str(item) for item in items]
    return out


def as_objects(X: Any, name: str = "X") -> np.ndarray:
    """Return X as points (n, d) or as strings (n,), whichever it holds; for kernels that take both."""
    first = next(iter(X), None) if isinstance(X, (list, tuple)) else next(getattr(X, "flat", iter(())), None)
    return as_strings(X, name) if isinstance(first, str) else as_points(X, name)


def check_number(value: Any, name: str, low: float = -np.inf, high: float = np.inf, *, strict: bool = False,
                 kind: Any = Real, expected: str = "") -> None:
    """Raise a ValueError unless value is a finite number of a kind, low <= value <= high (low < value where strict).

    expected: what the message says should have been there, where its own words will not do.

    >>> check_number(0, "C", 0.0, strict=True)
    Traceback (most recent call last):
    ValueError: C must be a finite number > 0, got 0
    """
    if isinstance(value, bool) or not isinstance(value, kind) or not is_float(value) or not low <= value <= high \
            or (strict and value == low):
        above = "" if low == -np.inf else f" {'>' if strict else '>='} {low:g}"
        below = "" if high == np.inf else f" and <= {high:g}"
        raise ValueError(f"{name} must be {expected or 'a finite number' + above + below}, got {value!r}")


def is_float(value: Any) -> bool:
    """Whether a number is finite, also as a float64, which 10 ** 400 is not."""
    try:
        return isfinite(value)
    except OverflowError:
        return False


def check_integer(value: Any, name: str, low: int = 1, high: float = np.inf, expected: str = "") -> int:
    """Return value as an int; raise a ValueError as `check_number` unless it is an integer from low to high."""
    check_number(value, name, low, high, kind=Integral,
                 expected=expected or ("a positive integer" if low == 1 else f"an integer >= {low}"))
    return int(value)


def check_limits(tol: Any, max_iter: Any) -> None:
    """Raise a ValueError unless tol is positive and max_iter a positive integer, -1 or None."""
    check_number(tol, "tol", 0.0, strict=True, expected="a positive number")
    if max_iter is not None and not (isinstance(max_iter, Real) and max_iter == -1):
        whole = isinstance(max_iter, (float, np.floating)) and float(max_iter).is_integer()          # 1e4
        check_integer(int(max_iter) if whole else max_iter, "max_iter",
                      expected="a positive integer, -1 for no limit, or None")


def steps_allowed(max_iter: int | None, default: int) -> int:
    """How many steps a solver may take: -1 stands for no limit, as in scikit-learn, None for the solver's own.

    >>> steps_allowed(None, 100), steps_allowed(5, 100), steps_allowed(-1, 100) > 10 ** 15
    (100, 5, True)
    """
    return default if max_iter is None else sys.maxsize if max_iter == -1 else int(max_iter)


def as_signs(y: Any, n: int) -> np.ndarray:
    """Check signs: one of -1 and +1 for each point."""
    refuse_masked(y, "y")
    y = np.asarray(y)
    if y.shape != (n,):
        raise ValueError(f"y must have shape ({n},), one label for each row of X, got {y.shape}")
    if y.dtype.kind not in "fiub" or not np.all(np.abs(y.astype(float)) == 1):
        raise ValueError(f"y must hold the labels -1 and +1 only, got {list(dict.fromkeys(y.tolist()))[:5]}")
    return y.astype(np.float64)


def as_labels(y: Any, n: int) -> np.ndarray:
    """Check labels: signs, both present."""
    y = as_signs(y, n)
    if abs(y.sum()) == n:
        raise ValueError(f"y must hold both classes, got only {y[0]:+g}" if n else "y is empty")
    return y


def one_each(value: Any, name: str, n: int, expected: str) -> np.ndarray:
    """One number per point, from such an array or from one number; a copy."""
    refuse_masked(value, name)
    try:
        out = np.asarray(value)
    except ValueError:                                       # lists of several lengths
        out = np.array(None)
    if out.dtype.kind not in "fiu":
        raise ValueError(f"{name} must be {expected} or an array of {n}, got {value!r}")
    if out.shape not in ((), (n,)):
        raise ValueError(f"{name} must be a number or have shape ({n},), got shape {out.shape}")
    return np.full(n, out, dtype=np.float64) if out.ndim == 0 else out.astype(np.float64)


def as_bounds(C: Any, n: int) -> np.ndarray:
    """Check C: positive (inf allowed), a number or one per point."""
    C = one_each(C, "C", n, "a positive number")
    if not np.all(C > 0):                                    # also refuses NaN
        raise ValueError(f"C must be positive (np.inf for the hard margin), got {C.min()}")
    return C


def as_finite(value: Any, name: str, ndim: int) -> np.ndarray:
    """A finite vector or matrix, as ndim says, from an array or from a matrix of cvxopt, dense or sparse; a copy."""
    from cvxopt import matrix, spmatrix  # 20 ms that no other caller need wait for

    out = np.array(matrix(value) if isinstance(value, spmatrix) else value, dtype=np.float64)
    out = out.reshape(-1) if ndim == 1 else np.atleast_2d(out)
    if out.ndim != ndim or not np.isfinite(out).all():
        raise ValueError(f"{name} must be {'finite' if ndim == 1 else 'a finite matrix'}, got "
                         f"{out if ndim == 1 else f'shape {out.shape}'}")
    return out


def as_constraints(M: Any, v: Any, n: int, M_name: str, v_name: str,
                columns: bool = False) -> tuple[np.ndarray, np.ndarray]:
    """Constraints on n variables, each a row or a column of M, and their right-hand side v; none for None."""
    if (M is None) != (v is None):
        raise ValueError(f"give {M_name} and {v_name} together, or neither")
    M, v = (np.zeros((0, n)), np.zeros(0)) if M is None else (as_finite(M, M_name, 2), as_finite(v, v_name, 1))
    if columns and M.shape in ((0, n), (1, n)) and len(v) == len(M):        # one constraint may be given as a vector
        M = M.T
    shape = (n, len(v)) if columns else (len(v), n)
    if M.shape != shape:
        raise ValueError(f"{M_name} must have shape {shape}, one constraint per {'column' if columns else 'row'}, to "
                         f"fit {v_name}, got {M.shape}")
    return M, v


def check_symmetric(K: np.ndarray, what: str) -> None:
    """Raise a ValueError that starts with what unless K = K' up to rounding."""
    gap, size = np.abs(K - K.T).max(initial=0.0), np.abs(K).max(initial=0.0)
    if gap > 1e-8 * size and not (gap <= 1e-6 * size and is_single(K)):
        raise ValueError(f"{what} differs from its transpose by {gap:.3g}")


def as_kernel_values(K: Any, n: int, m: int, symmetric: bool) -> np.ndarray:
    """Check what a kernel function has returned for n and m points: real and finite numbers (n, m)."""
    K = np.asarray(K)
    if K.dtype.kind == "c":                                    # float64 would drop the imaginary part
        raise ValueError("the kernel function must return real numbers, got complex ones")
    K = np.asarray(K, dtype=np.float64)
    if K.shape != (n, m):
        raise ValueError(f"the kernel function must return an array of shape {(n, m)} for {n} and {m} points, got "
                         f"{K.shape}")
    if not np.isfinite(K).all():
        raise ValueError("the kernel function returned NaN or infinity")
    if symmetric:
        check_symmetric(K, "the kernel function must return a symmetric matrix for X with itself; it")
    return K


def is_single(K: np.ndarray) -> bool:
    """Whether a matrix has been computed in float32, and so has its rounding errors: it is that of such numbers.

    Integers below 2^24, which float32 holds exactly, have none.

    >>> [is_single(np.array([[value]])) for value in (float(np.float32(0.1)), 0.1, 3.0)]
    [True, False, False]
    """
    with np.errstate(over="ignore", under="ignore"):
        exact = all(np.array_equal(part.astype(np.float32), part) for part in (K[:1], K))
        return exact and not (np.abs(K).max(initial=0.0) < 2 ** 24 and np.array_equal(np.rint(K), K))


def stacklevel() -> int:
    """The `stacklevel` with which a warning of the calling function names the user's line, not one of svmlib."""
    level, frame = 1, sys._getframe(1)
    while frame.f_back is not None and frame.f_code.co_filename.startswith(HERE):
        level, frame = level + 1, frame.f_back
    return level
