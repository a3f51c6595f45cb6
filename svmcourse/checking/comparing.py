"""Compare an answer with the right one on the same cases, and say what is wrong with it."""
import copy
from collections.abc import Callable, Iterable, Sequence
from typing import Any

import numpy as np

from svmcourse.checking.results import Mistake, Wrong
from svmcourse.checking.values import as_array, as_number, as_parts, no_parts
from svmcourse.shared.forms import described

__all__ = ["close", "compare"]


def close(a: Any, b: Any, tol: float = 1e-6) -> bool:
    """Whether two answers, numbers or arrays or tuples of them, agree within tol of their size."""
    if isinstance(a, tuple):
        return len(a) == len(b) and all(close(x, z, tol) for x, z in zip(a, b, strict=True))
    a, b = np.asarray(a, float), np.asarray(b, float)
    if a.shape != b.shape:
        return False
    scale = max(1.0, float(np.abs(b[np.isfinite(b)]).max(initial=0.0)))
    return bool(np.allclose(a, b, rtol=0.0, atol=tol * scale, equal_nan=True))


def compare(answer: Callable[..., Any], cases: Iterable[tuple], right: Callable[..., tuple], parts: Sequence[str],
            mistakes: Sequence[Mistake] = (), tol: float = 1e-6, names: Sequence[str] = ()) -> None:
    """Call the student's function and the right one on the same cases; raise the `Wrong` that fits best.

    right(*case) gives one value for each of the parts, the names of what is returned; a mistake's variant likewise.
    A mistake is recognised when its variant gives what the student gives, on all cases.  names : of the arguments.
    """
    cases, name = list(cases), getattr(answer, "name", "your function")
    expected = [right(*copy.deepcopy(case)) for case in cases]
    got, changed = [], False
    for case, values in zip(cases, expected, strict=True):
        got.append(_parts_of(answer(*case), values, parts, name))
        changed = changed or getattr(answer, "changed", False)
    if close(tuple(got), tuple(expected), tol):
        if changed:
            raise Wrong("in-place", f"{name} gives the right values, but it changes its arguments in place.",
                        "Begin with a copy of it: .copy() makes one.")
        return
    for mistake in mistakes:
        if mistake.variant is not None:
            with np.errstate(all="ignore"):
                variant = [mistake.variant(*copy.deepcopy(case)) for case in cases]
            if close(tuple(got), tuple(variant), tol):
                raise mistake.wrong()
    raise _unknown(name, parts, cases, got, expected, tol, names)


def _parts_of(value: Any, expected: tuple, parts: Sequence[str], name: str) -> tuple:
    """What a function returned, as one float or array for each part."""
    if len(parts) == 1:
        value = (value,)
    elif np.ndim(expected[0]) and isinstance(value, np.ndarray) and value.ndim == 1 and value.dtype != object:
        raise no_parts(parts, name, f"one array, {described(value)}")                     # whatever its length
    else:
        if isinstance(value, np.ndarray) and value.ndim > 1:       # one row of numbers, or an array for each part
            value = value[0] if len(value) == 1 and not np.ndim(expected[0]) else tuple(value)
        value = as_parts(value, parts, name)
    return tuple(as_array(v, part, np.shape(e)) if np.ndim(e) else as_number(v, part)
                 for v, part, e in zip(value, parts, expected, strict=True))


def _unknown(name: str, parts: Sequence[str], cases: list, got: list, expected: list, tol: float,
             names: Sequence[str]) -> Wrong:
    """A mistake that nobody has met before: say which part is wrong, and whether sign or factor is, or where."""
    bad = [k for k in range(len(cases)) if not close(got[k], expected[k], tol)]
    part = next(p for p in range(len(parts)) if any(not close(got[k][p], expected[k][p], tol) for k in bad))
    fine = [parts[p] for p in range(len(parts)) if all(close(got[k][p], expected[k][p], tol) for k in bad)]
    said = f"Right: {', '.join(fine)}. " if fine else ""
    a = np.concatenate([np.ravel(got[k][part]) for k in range(len(cases))])
    b = np.concatenate([np.ravel(expected[k][part]) for k in range(len(cases))])
    top = np.abs(b).max()
    if np.abs(a).max(initial=0.0) <= 1e-12 * top and b.any():
        return Wrong("zero", f"{said}0 in every case: {parts[part]}.", "Is the result of your lines ever kept?")
    if close(-a, b, tol):
        return Wrong("sign", f"{said}Wrong sign in every case: {parts[part]}.")
    ratio = a[np.abs(b) > 1e-9 * top] / b[np.abs(b) > 1e-9 * top] if top > 0 else np.array([np.nan, 0.0])
    if np.ptp(ratio) < 1e-6 and np.isfinite(ratio).all() and close(a, ratio[0] * b, tol):
        return Wrong("factor", f"{said}In every case {ratio[0]:.4g} times what it should be: {parts[part]}.")
    smallest = min((k for k in bad if not close(got[k][part], expected[k][part], tol)), key=lambda k: _size(cases[k]))
    return Wrong("unknown", f"{said}Wrong in {len(bad)} of {len(cases)} tests of {name}: {parts[part]}. "
                 + _example(parts[part], cases[smallest], got[smallest][part], expected[smallest][part], tol, names),
                 "Go through this example by hand, and compare line by line.")


# ---- an example ------------------------------------------------------------------------------------------------------
FEW = 8                 # numbers of an array that is shown whole


def _size(case: tuple) -> int:
    """How many numbers a case has."""
    return sum(int(np.size(value)) for value in case)


def _example(part: str, case: tuple, got: Any, expected: Any, tol: float, names: Sequence[str]) -> str:
    """A case with what was got and expected; of an array the first entry that is wrong."""
    index: tuple[int, ...] = ()
    shape, where = np.shape(expected), ""
    if shape:
        scale = max(1.0, float(np.abs(expected[np.isfinite(expected)]).max(initial=0.0)))
        index = tuple(map(int, np.argwhere(~np.isclose(got, expected, 0.0, tol * scale, equal_nan=True))[0]))
        where, got, expected = f"[{', '.join(map(str, index))}]", got[index], expected[index]
    labels = names if len(names) == len(case) else [f"argument {k + 1}" for k in range(len(case))]
    given = ", ".join(_argument(*argument, shape, index) for argument in zip(labels, case, strict=True))
    return f"For {given}, {part}{where} should be {float(expected):.6g}; yours is {float(got):.6g}."


def _argument(name: str, value: Any, shape: tuple[int, ...], index: tuple[int, ...]) -> str:
    """An argument; of a large array the row that belongs to the entry of the result at `index`, else its shape."""
    if callable(value):
        return f"{name} = {getattr(value, '__name__', type(value).__name__)}"
    if not np.ndim(value):
        return f"{name} = {f'{value:.6g}' if isinstance(value, float) else str(value)[:40]}"
    array = np.asarray(value)
    if array.size > FEW:
        for k, length in zip(index, shape, strict=True):
            if len(array) == length and array[k].size <= FEW:
                return f"{name}[{k}] = {_short(array[k])}"
        return f"{name} of shape {array.shape}"
    return f"{name} = {_short(array)}"


def _short(array: np.ndarray) -> str:
    """A few numbers in one line."""
    return " ".join(np.array2string(array, precision=4, separator=", ", suppress_small=True).split()).replace("[ ", "[")
