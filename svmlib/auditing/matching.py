"""Where the support vectors stand among the points: X must be the one that the machine was trained with."""
from typing import Any

import numpy as np
from scipy.sparse import issparse

DIGITS = 1e-7              # LIBSVM writes eight digits of a coordinate


def placed(support: np.ndarray, vectors: Any, X: Any, kept: np.ndarray, codes: np.ndarray | None,
           of_class: np.ndarray | None, alone: bool) -> np.ndarray:
    """Indices (m,) of the support vectors among the points X: as the machine says, or where they are found.

    vectors (m, d), or None; kept: indices of X among the points that fit was given, of which some weigh nothing;
    codes (n,), of_class (m,): classes of the points and of the vectors.  alone: there is nothing to compare.
    """
    blank = alone or vectors is None or np.shape(vectors)[0] == 0
    for rows in (np.searchsorted(kept, support), support):          # of all points, or of those that count
        there = len(rows) == 0 or (rows.max() < len(kept))
        if there and (blank or same(vectors, X, rows)) and (
                codes is None or of_class is None or np.array_equal(codes[rows], of_class)):
            return np.asarray(rows, dtype=np.intp)
    if not blank and np.ndim(X) == 2:
        return found(vectors, X, codes, of_class)
    if not blank:
        raise ValueError("X is not what the model was trained with: its support vectors are other strings")
    if support.max() >= len(kept):
        raise ValueError(f"X has {len(kept)} points, but the model has a support vector {support.max()}; give the "
                         "points that it was trained with")
    raise ValueError("y is not what the model was trained with: its support vectors are of other classes")


def same(vectors: Any, X: Any, rows: np.ndarray) -> bool:
    """Whether the points X[rows] are the vectors, number by number."""
    if np.shape(vectors)[1:] != np.shape(X)[1:]:
        raise ValueError(f"X has {np.shape(X)[1]} features, but the model was trained with {np.shape(vectors)[1]}")
    mine = X[rows]
    if issparse(vectors) or issparse(mine):
        return abs(as_rows(mine) - as_rows(vectors)).max() == 0 if len(rows) else True
    return bool(np.array_equal(mine, vectors))


def as_rows(X: Any) -> Any:
    """A matrix as a sparse one, of rows."""
    from scipy.sparse import csr_array

    return csr_array(X)


def found(vectors: Any, X: Any, codes: np.ndarray | None, of_class: np.ndarray | None,
          digits: float = 0.0) -> np.ndarray:
    """Indices (m,) of the points X (n, d) that are these vectors (m, d), each point once, of the vector's class.

    digits: relative difference that a coordinate may have.  They are looked for by one product with a random vector.

    >>> found(np.array([[2.0], [0.0]]), np.array([[0.0], [1.0], [2.0]]), None, None)
    array([2, 0])
    """
    at = np.random.default_rng(0).normal(size=X.shape[1])
    key, sought = X @ at, vectors @ at
    slack = (digits + 1e-12) * (abs(vectors) @ np.abs(at)) + 1e-300
    order = np.argsort(key, kind="stable")
    first = np.searchsorted(key[order], sought - slack, "left")
    last = np.searchsorted(key[order], sought + slack, "right")
    free, out = np.ones(len(key), dtype=bool), np.empty(len(sought), dtype=np.intp)
    for i, vector in enumerate(np.asarray(vectors.toarray() if issparse(vectors) else vectors)):
        near = np.sort(order[first[i]:last[i]])
        rows = X[near].toarray() if issparse(X) else X[near]
        near = near[np.all(np.abs(rows - vector) <= digits * np.abs(vector), axis=1)]
        mine = near[free[near] & (True if codes is None or of_class is None else codes[near] == of_class[i])]
        if not len(mine):
            if len(near) and codes is not None:
                raise ValueError(f"y is not what the model was trained with: its support vector {i} is point "
                                 f"{near[0]} of X, which has another label")
            raise ValueError(f"X is not what the model was trained with: its support vector {i} is not among the "
                             "points")
        out[i], free[mine[0]] = mine[0], False
    return out
