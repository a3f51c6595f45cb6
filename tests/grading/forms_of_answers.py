"""Every form that an answer may have, and what both judges make of it: the one at home, and the one of a class.

SOURCE is a cell: it runs here, and behind the boundary.
"""
from __future__ import annotations

from typing import Any

import numpy as np

from svmcourse.shared.forms import Sparse

SOURCE = """
import array, collections, cvxopt, decimal, fractions, itertools, types, numpy as np, pandas as pd
from scipy import sparse
M = np.array([[1.0, 0.0, -2.0], [0.0, 3.5, 0.0]])
half = fractions.Fraction(1, 2)
a = collections.OrderedDict(a=1, b=2, c=3)
class Sized:
    def __array__(self, dtype=None, copy=None):
        return M
class Number:
    def __float__(self):
        return 2.5
forms = {
    "number": lambda: 2.5, "whole": lambda: 3, "truth": lambda: True, "text": lambda: "abc", "large": lambda: 2 ** 100,
    "np.float32": lambda: np.float32(2.5), "np.float64": lambda: np.float64(2.5), "np.int8": lambda: np.int8(3),
    "np.bool": lambda: np.bool_(True), "Fraction": lambda: 5 * half, "Decimal": lambda: decimal.Decimal("2.5"),
    "own number": lambda: Number(), "complex": lambda: 1j,
    "array": lambda: M, "int array": lambda: np.arange(1, 4), "object array": lambda: M.astype(object),
    "mixed objects": lambda: np.array([1, half * 4, np.float64(3)], dtype=object),
    "texts": lambda: np.array(["a", "b"]), "object texts": lambda: np.array(["a", "b"], dtype=object),
    "arrays in objects": lambda: ragged(),
    "matrix": lambda: np.matrix(M), "masked": lambda: np.ma.masked_array(M, M > 9), "own array": lambda: Sized(),
    "array.array": lambda: array.array("d", [1, 2, 3]), "memoryview": lambda: memoryview(array.array("i", [1, 2, 3])),
    "series": lambda: pd.Series([1, 2, 3]), "nullable": lambda: pd.Series([1, 2, 3], dtype="Int64"),
    "index": lambda: pd.Index([1, 2, 3]), "frame": lambda: pd.DataFrame(M),
    "csr": lambda: sparse.csr_matrix(M), "csc": lambda: sparse.csc_array(M), "coo": lambda: sparse.coo_array(M),
    "lil": lambda: sparse.lil_matrix(M), "cvxopt": lambda: cvxopt.matrix(M),
    "spmatrix": lambda: cvxopt.sparse(cvxopt.matrix(M)),
    "list": lambda: [1, 2, 3], "tuple": lambda: (1, 2, 3), "rows": lambda: M.tolist(), "UserList": lambda:
    collections.UserList([1, 2, 3]), "generator": lambda: (v for v in [1, 2, 3]), "map": lambda: map(int, [1, 2, 3]),
    "range": lambda: range(1, 4), "deque": lambda: collections.deque([1, 2, 3]), "values": lambda: dict(a).values(),
    "of ordered": lambda: a.values(), "keys": lambda: {1: 0, 2: 0, 3: 0}.keys(), "items": lambda: {1: 2, 3: 4}.items(),
    "zip": lambda: zip([1, 3], [2, 4]), "islice": lambda: itertools.islice(itertools.count(1), 3),
    "set": lambda: {1, 2, 3}, "frozenset": lambda: frozenset({1, 2, 3}), "named": lambda: Pair(1, M),
    "ordered": lambda: a, "UserDict": lambda: collections.UserDict(a), "mapping": lambda: types.MappingProxyType(a),
    "keyed by numbers": lambda: {np.int64(1): half}, "long list": lambda: [0.5] * 200_000,
    "inside": lambda: (cvxopt.matrix(M), iter([half]), {"K": sparse.eye(2)}), "deep": lambda: [[[[[[1]]]]]],
    "endless": lambda: itertools.count(), "too deep": lambda: [[[[[[[1]]]]]]], "bytes": lambda: b"abc",
    "huge": lambda: 10 ** 999, "day": lambda: np.datetime64("2020-01-01"), "object": lambda: Nothing(),
}
Pair = collections.namedtuple("Pair", "a b")
class Nothing:
    def __repr__(self):
        return "<nothing>"
def ragged():
    made = np.empty(2, dtype=object)
    made[:] = [np.ones(3), 2.0]
    return made
made = {name: make() for name, make in forms.items()}
"""
M = np.array([[1.0, 0.0, -2.0], [0.0, 3.5, 0.0]])
THREE = np.arange(1, 4)
EXPECTED: dict[str, Any] = {
    "number": 2.5, "whole": 3, "truth": True, "text": "abc", "large": 2 ** 100, "np.int8": 3, "np.bool": True,
    "complex": np.array(1j), "texts": np.array(["a", "b"]), "object texts": np.array(["a", "b"]),
    "arrays in objects": [np.ones(3), 2.0],
    **dict.fromkeys(("np.float32", "np.float64", "Fraction", "Decimal", "own number"), 2.5),
    **dict.fromkeys(("array", "object array", "matrix", "masked", "own array", "frame", "cvxopt", "spmatrix"), M),
    **dict.fromkeys(("csr", "csc", "coo", "lil"), M.view(Sparse)),
    **dict.fromkeys(("int array", "mixed objects", "array.array", "memoryview", "series", "nullable", "index"), THREE),
    **{name: [1, 2, 3] for name in ("list", "UserList", "generator", "map", "range", "deque", "values", "of ordered",
                                    "keys", "islice")},
    **{name: {1, 2, 3} for name in ("set", "frozenset")}, **{name: [(1, 2), (3, 4)] for name in ("items", "zip")},
    **{name: {"a": 1, "b": 2, "c": 3} for name in ("ordered", "UserDict", "mapping")}, "tuple": (1, 2, 3),
    "rows": M.tolist(),
    "named": (1, M), "keyed by numbers": {1: 0.5}, "long list": [0.5] * 200_000, "deep": [[[[[[1]]]]]],
    "inside": (M, [0.5], {"K": np.eye(2).view(Sparse)}),
}
#: What no judge looks into, and what is said of it.
REFUSED = {"endless": "more than 1,000,000 values", "bytes": "b'abc', of type bytes", "huge": "a huge whole number",
           "day": "an array of datetime64[D] and shape ()", "object": "<nothing>, of type Nothing"}


def same(a: Any, b: Any) -> bool:
    """Whether two answers are the same, in form too."""
    if isinstance(b, np.ndarray):
        return type(a) is type(b) and a.shape == b.shape and bool((a == b).all())
    if isinstance(b, dict):
        return isinstance(a, dict) and a.keys() == b.keys() and all(same(a[key], b[key]) for key in b)
    if isinstance(b, (list, tuple)):
        kind = tuple if isinstance(b, tuple) else list
        return isinstance(a, kind) and len(a) == len(b) and all(map(same, a, b))
    return isinstance(a, type(b)) and bool(a == b)
