"""What an answer holds, as the number, array or parts that a check compares; says what is wrong with its form."""
from collections.abc import Sequence
from typing import Any

import numpy as np

from svmcourse.checking.results import Wrong
from svmcourse.shared.forms import as_data, described

__all__ = ["as_array", "as_number", "as_parts", "blank", "dense", "filled", "no_parts"]


def blank(name: str, variable: bool = False) -> Wrong:
    """Nothing there yet: a function that returns None, or a name that holds None."""
    if variable:
        return Wrong("blank", f"Still None: {name}. It is not written yet.", "Store your result under the given name.")
    return Wrong("blank", f"{name} gives nothing back: it is not written yet, or its return is missing.",
                 "Write your lines in the place of pass; a function ends with return.")


def filled(**answers: Any) -> None:
    """Raise `blank` with the names of those answers that are still None."""
    if missing := [name for name, value in answers.items() if value is None or value is Ellipsis]:
        raise blank(", ".join(missing), variable=True)


def as_number(value: Any, what: str) -> float:
    """The answer as a number, whatever holds it."""
    filled(**{what: value})
    try:
        array = np.asarray(value, dtype=float)
    except (TypeError, ValueError):
        raise Wrong("type", f"Expected is a number: {what}. Found: {described(value)}.") from None
    if array.size != 1:
        raise Wrong("type", f"Expected is one number: {what}. Found: {array.size} entries.")
    if not np.isfinite(array).all():
        raise Wrong("nan", f"{what}: {array.item()}. Expected is a finite number.",
                    "A mean over an empty set is NaN, and so is 0 / 0.")
    return float(array.item())


def as_parts(value: Any, names: Sequence[str], who: str) -> tuple:
    """What an answer gives side by side, in a tuple: of a tuple, list, vector or generator, or of a dict.

    A dict whose keys are the names may have them in any order, another one is taken as it stands.
    """
    if value is None or value is Ellipsis:
        raise blank(who)
    if isinstance(value, dict):
        value = [value[name] for name in names] if set(value) == set(names) else list(value.values())
    found = value
    value = as_data(value) if isinstance(value, set) else dense(value)
    if not isinstance(value, (tuple, list)) and not (isinstance(value, np.ndarray) and value.ndim == 1):
        raise no_parts(names, who, described(found))
    if len(value) != len(names):
        raise no_parts(names, who, f"{len(value)} values")
    return tuple(value)


def no_parts(names: Sequence[str], who: str, found: str) -> Wrong:
    """An answer that does not hold these values side by side."""
    return Wrong("parts", f"{who} should return {len(names)} values, {', '.join(names)}, but returned {found}.",
                 f"return {', '.join(names)}")


def dense(value: Any) -> Any:
    """The same numbers where a sparse matrix, a table, a dict or a generator holds them; all else as it is."""
    value = as_data(value)
    return list(value.values()) if isinstance(value, dict) else sorted(value) if isinstance(value, set) else value


def as_array(value: Any, what: str, shape: Sequence[int | None]) -> np.ndarray:
    """The answer as an array of floats; None in the shape allows any length.  A column serves as a vector."""
    filled(**{what: value})
    value = dense(value)
    try:
        array = np.asarray(value, dtype=float)
    except (TypeError, ValueError):
        raise Wrong("type", f"Expected is an array of numbers: {what}. Found: {described(value)}.") from None
    if len(shape) == 1 and array.ndim == 2 and 1 in array.shape:
        array = array.ravel()
    if array.ndim != len(shape) or not all(m in (None, n) for n, m in zip(array.shape, shape, strict=True)):
        back = array.shape[::-1]
        turned = array.ndim == len(shape) == 2 and all(m in (None, n) for n, m in zip(back, shape, strict=True))
        raise Wrong("shape", f"Shape {array.shape} of {what}; expected is {str(tuple(shape)).replace('None', 'any')}.",
                    "Rows and columns are exchanged: one point is one row." if turned else "")
    if not np.isfinite(array).all():
        raise Wrong("nan", f"NaN or infinity in {what}.", "A mean over an empty set is NaN, and so is 0 / 0.")
    return array
