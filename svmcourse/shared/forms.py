"""Answers in whatever form they come, brought to the few that a check knows: the rule of both judges.

In a notebook a check looks at the answer itself, and when a class is graded at what another process sends of it.  Both
apply `as_data` to it first, so that what is right at home is right there.
"""
import itertools
import sys
from collections import deque
from collections.abc import Callable, ItemsView, Iterator, KeysView, Mapping, Sequence, Set, ValuesView
from typing import Any

import numpy as np

MOST = 1_000_000            # values of a list
BYTES = 50_000_000          # of an array
DEEPEST = 6                 # lists in lists
DIGITS = 1_000              # bits of a whole number, nearly as large as a float can be
NAME = 80                   # letters of a name, and of what is said of a value


class Opaque:
    """A value that no check looks into; only its description is left."""

    def __init__(self, description: str) -> None:
        self.description = description

    def __repr__(self) -> str:
        return self.description

    def __array__(self, dtype: Any = None, copy: Any = None) -> np.ndarray:
        raise TypeError(self.description)


class Sparse(np.ndarray):
    """What scipy.sparse held: an array, of which a check can tell that a solver may not take it as it was."""


def as_data(value: Any, depth: int = 0) -> Any:  # noqa: PLR0911  one return a form
    """The value as None, a number, a text, an array, a function, or a tuple, list, set or dict of these; else Opaque.

    >>> from fractions import Fraction
    >>> as_data([Fraction(1, 4), range(2), {"K": np.array([1, 2.5], dtype=object)}])
    [0.25, [0, 1], {'K': array([1. , 2.5])}]
    """
    if value is None or value is Ellipsis or isinstance(value, (bool, float, str, Opaque)):
        return value
    if isinstance(value, int):
        return value if value.bit_length() < DIGITS else Opaque("a huge whole number")
    value = _plain(value)
    if isinstance(value, np.ndarray):
        return _array(value, depth)
    if isinstance(value, (tuple, list, set, dict)):
        if len(value) > MOST:
            return Opaque(f"more than {MOST:,} values")
        if depth >= DEEPEST:
            return Opaque("something nested too deeply")
        if isinstance(value, dict):
            return {_key(k): as_data(v, depth + 1) for k, v in value.items()}
        values = [as_data(v, depth + 1) for v in value]
        return tuple(values) if isinstance(value, tuple) else _set(values) if isinstance(value, set) else values
    if value is None or isinstance(value, (bool, int, float, str)) or callable(value):
        return value
    return Opaque(f"{_shown(value)}, of type {type(value).__name__[:NAME]}")


def described(value: Any) -> str:
    """What a value is, in words."""
    if isinstance(value, Opaque):
        return value.description
    if callable(value):
        return f"a function, {str(getattr(value, '__name__', 'without a name'))[:NAME]}"
    return f"{_shown(value)}, of type {type(value).__name__[:NAME]}"


def _shown(value: Any) -> str:
    """The beginning of its representation."""
    try:
        return repr(value)[:40]
    except Exception:
        return "something"


def _key(value: Any) -> Any:
    """A key of a dict as one that any check can look up."""
    plain = value.item() if isinstance(value, np.generic) else value
    return plain if isinstance(plain, (str, int, float, bool, tuple)) else repr(value)[:NAME]


def _set(values: list[Any]) -> Any:
    """The values without an order, where that is possible: what is named side by side cannot be taken of them."""
    try:
        return set(values)
    except TypeError:
        return values


def _array(array: np.ndarray, depth: int) -> Any:
    """An array of numbers or texts; one of objects as what these are."""
    if array.dtype.kind == "O":
        values = array.tolist()
        if array.ndim == 0:
            return as_data(values, depth + 1)
        plain = as_data(values, depth)
        try:
            made = np.array(plain)
        except (TypeError, ValueError):         # rows of several lengths
            return plain
        alike = made.dtype.kind in "biufc" or all(isinstance(v, str) for v in array.flat)
        return made if alike and made.shape == array.shape else plain
    if array.dtype.kind not in "biufcU" or array.nbytes > BYTES:
        return Opaque(f"an array of {array.dtype} and shape {array.shape}")
    return array


def _plain(value: Any) -> Any:  # noqa: PLR0911  one return a form
    """What holds numbers in another form, as an array or a number; what is gone through, as a list; all else as it is.

    What a generator raises while it is gone through is the answer's, and is raised here.
    """
    if isinstance(value, np.generic) and value.dtype.kind in "biuf":
        value = value.item()                                    # itself, where Python has none so long
    if isinstance(value, (np.ndarray, np.generic)):
        return value if isinstance(value, Sparse) else np.asarray(value)
    if isinstance(value, Set) and not isinstance(value, (KeysView, ItemsView)):
        return set(itertools.islice(value, MOST + 1))
    if isinstance(value, (range, deque, KeysView, ItemsView, ValuesView, Iterator)):
        return list(itertools.islice(value, MOST + 1))
    if isinstance(value, (bool, int, float, tuple, list, dict, type)):
        return value
    if isinstance(value, Mapping):
        return dict(value)
    if type(value).__module__.partition(".")[0] == "cvxopt" and "cvxopt" in sys.modules:
        return np.array(sys.modules["cvxopt"].matrix(value))
    for form in (_written_out, _of_library, _number):
        try:
            found = form(value)
        except Exception:           # the value's own code; another form may do
            continue
        if found is not None:
            return found
    if isinstance(value, Sequence) and not isinstance(value, (bytes, bytearray)):
        return list(itertools.islice(value, MOST + 1))
    return value


def _written_out(value: Any) -> Any:
    """Of scipy.sparse, pandas and polars."""
    method: Callable[[], Any] | None = getattr(value, "toarray", getattr(value, "to_numpy", None))
    if method is None:
        return None
    array = np.asarray(method())
    return array.view(Sparse) if hasattr(value, "toarray") else array


def _of_library(value: Any) -> Any:
    """What offers itself to NumPy as an array, or its memory."""
    if hasattr(value, "__array__") or hasattr(value, "__array_interface__"):
        return np.asarray(value)
    return None if isinstance(value, (bytes, bytearray)) else np.asarray(memoryview(value))


def _number(value: Any) -> Any:
    """A number of any kind, such as a Fraction."""
    if isinstance(value, complex):
        return np.asarray(value)
    return float(value) if hasattr(value, "__float__") else int(value) if hasattr(value, "__index__") else None
