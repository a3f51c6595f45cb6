"""How a check works: run the answer with a limit of time, compare it, and say why it is wrong.

A chapter's module writes one function a task and marks it with `@task`; the function gets the student's answers,
functions among them wrapped in `Answer`, and raises `Wrong` where one is wrong.  Known mistakes are `Mistake`s: a key,
a message, a hint, and, where it is one, the wrong function itself, with whose values those of the student are compared.
"""
import copy
import traceback
from collections.abc import Callable, Iterable, Iterator, KeysView, Sequence, ValuesView
from dataclasses import dataclass
from typing import Any

import numpy as np

from svmlib.classroom.checking import limits, records
from svmlib.classroom.checking.results import CheckFailed, Mistake, Result, Wrong, refuse

__all__ = ["TASKS", "Answer", "CheckFailed", "Mistake", "Result", "Task", "Wrong", "as_array", "as_number", "as_parts",
           "close", "compare", "dense", "filled", "refuse", "task"]


# ---- the student's answers -----------------------------------------------------------------------------------------
class Answer:
    """A function of the student: gets copies of its arguments; what it raises becomes a `Wrong`.

    `changed` says whether the last call changed an argument in place.
    """

    def __init__(self, function: Callable[..., Any], name: str) -> None:
        self.function, self.name, self.changed = function, name, False

    def __call__(self, *args: Any, **named: Any) -> Any:
        limits.announce(self.name)
        given = copy.deepcopy(args)
        try:
            value = self.function(*given, **copy.deepcopy(named))
            if isinstance(value, Iterator):                        # asked here, where its errors are known
                value = list(value)
        except NotImplementedError:
            raise blank(self.name) from None
        except Wrong:
            raise
        except Exception as error:
            raise Wrong("exception", f"{self.name} stopped with {_what(error)}.",
                        "Call it yourself with the same kind of arguments; look at the line that is named.") from None
        self.changed = any(isinstance(a, np.ndarray) and not (a == g).all() for a, g in zip(args, given, strict=True))
        if value is None:
            raise blank(self.name)
        return value


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


def _what(error: BaseException) -> str:
    """An exception in words, with the line of the student's code where it happened."""
    if hasattr(error, "described"):                                # from a process of its own
        return str(error.described)
    line = ""
    for frame in traceback.extract_tb(error.__traceback__):
        if "/svmlib/" not in frame.filename and frame.line and "site-packages" not in frame.filename:
            line = f" in line {frame.lineno}, `{frame.line.strip()}`"
    return f"{type(error).__name__} ({error}){line}"


def as_number(value: Any, what: str) -> float:
    """The answer as a number, whatever holds it."""
    filled(**{what: value})
    try:
        array = np.asarray(value, dtype=float)
    except (TypeError, ValueError):
        raise Wrong("type", f"Expected is a number: {what}. Found: {_kind(value)}.") from None
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
    value = dense(value)
    if not isinstance(value, (tuple, list)) and not (isinstance(value, np.ndarray) and value.ndim == 1):
        raise _no_parts(names, who, _kind(value))
    if len(value) != len(names):
        raise _no_parts(names, who, f"{len(value)} values")
    return tuple(value)


def _no_parts(names: Sequence[str], who: str, found: str) -> Wrong:
    """An answer that does not hold these values side by side."""
    return Wrong("parts", f"{who} should return {len(names)} values, {', '.join(names)}, but returned {found}.",
                 f"return {', '.join(names)}")


def dense(value: Any) -> Any:
    """The same numbers where a sparse matrix, a table, a dict or a generator holds them; all else as it is."""
    if written_out := getattr(value, "toarray", getattr(value, "to_numpy", None)):       # scipy.sparse, pandas
        return written_out()
    if type(value).__name__ == "spmatrix":
        from cvxopt import matrix

        return np.array(matrix(value))
    if isinstance(value, dict):
        return list(value.values())
    return list(value) if isinstance(value, (Iterator, KeysView, ValuesView)) else value


def as_array(value: Any, what: str, shape: Sequence[int | None]) -> np.ndarray:
    """The answer as an array of floats; None in the shape allows any length.  A column serves as a vector."""
    filled(**{what: value})
    value = dense(value)
    try:
        array = np.asarray(value, dtype=float)
    except (TypeError, ValueError):
        raise Wrong("type", f"Expected is an array of numbers: {what}. Found: {_kind(value)}.") from None
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


def _kind(value: Any) -> str:
    """What a value is, in words."""
    return f"{value!r:.40}, of type {type(value).__name__}"


# ---- comparing -----------------------------------------------------------------------------------------------------
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
            mistakes: Sequence[Mistake] = (), tol: float = 1e-6) -> None:
    """Call the student's function and the right one on the same cases; raise the `Wrong` that fits best.

    right(*case) gives one value for each of the parts, the names of what is returned; a mistake's variant likewise.
    A mistake is recognised when its variant gives what the student gives, on all cases.
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
    raise _unknown(name, parts, cases, got, expected, tol)


def _parts_of(value: Any, expected: tuple, parts: Sequence[str], name: str) -> tuple:
    """What a function returned, as one float or array for each part."""
    if len(parts) == 1:
        value = (value,)
    elif np.ndim(expected[0]) and isinstance(value, np.ndarray) and value.ndim == 1 and value.dtype != object:
        raise _no_parts(parts, name, f"one array, {_kind(value)}")                     # whatever its length
    else:
        if isinstance(value, np.ndarray) and value.ndim > 1:       # one row of numbers, or an array for each part
            value = value[0] if len(value) == 1 and not np.ndim(expected[0]) else tuple(value)
        value = as_parts(value, parts, name)
    return tuple(as_array(v, part, np.shape(e)) if np.ndim(e) else as_number(v, part)
                 for v, part, e in zip(value, parts, expected, strict=True))


def _unknown(name: str, parts: Sequence[str], cases: list, got: list, expected: list, tol: float) -> Wrong:
    """A mistake that nobody has met before: say which part is wrong, and whether sign or factor is."""
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
    return Wrong("unknown", f"{said}Wrong in {len(bad)} of {len(cases)} tests of {name}: {parts[part]}.",
                 "Go through the smallest example by hand, and compare line by line.")


# ---- tasks ---------------------------------------------------------------------------------------------------------
@dataclass(frozen=True)
class Task:
    """A task of an exercise: called with the student's answers it gives a `Result` and records a success."""

    name: str
    chapter: str
    title: str
    body: Callable[..., str | None]
    mistakes: tuple[Mistake, ...] = ()
    seconds: float = 2.0
    prepare: Callable[[], Any] | None = None

    def __call__(self, *answers: Any) -> Result:
        """Check the answers with the limit of time, in a process of their own where the system can fork."""
        try:
            if self.prepare is not None:
                self.prepare()
        except Exception as error:
            return self._ours(error)
        result = limits.run(lambda: self.judge(*answers), self.seconds)
        if not isinstance(result, Result):
            key, message = result
            result = Result(self.name, self.title, False, key, message,
                            "Does each loop end? What makes its condition false?" if key == "timeout" else "")
        records.record(self, result)
        return result

    def judge(self, *answers: Any) -> Result:
        """Check the answers here and now, without limits."""
        try:
            praise = self._praise(*answers)
        except Wrong as wrong:
            return Result(self.name, self.title, False, wrong.key, wrong.message, wrong.hint)
        except MemoryError:
            raise
        except Exception as error:
            return self._ours(error)
        return Result(self.name, self.title, True, "solved", praise or "solved.")

    def _praise(self, *answers: Any) -> str | None:
        """What a right answer is told; raises `Wrong`, with words, for another one."""
        try:
            return self.body(*(Answer(a, getattr(a, "__name__", None) or f"answer {k + 1}") if callable(a) else a
                               for k, a in enumerate(answers)))
        except Wrong as wrong:
            if wrong.message:
                raise
            raise {m.key: m for m in self.mistakes}[wrong.key].wrong() from None

    def _ours(self, error: Exception) -> Result:
        """An exception that is no answer's."""
        said = (f"The check itself stopped with {type(error).__name__} ({error}). "
                "That is a mistake of the check, not of yours.")
        return Result(self.name, self.title, False, "check-error", said,
                      "Does your answer have the form that the task asks for? Show this line to your teacher.")


TASKS: dict[str, Task] = {}


def task(chapter: str, title: str, mistakes: Sequence[Mistake] = (), seconds: float = 2.0,
         prepare: Callable[[], Any] | None = None) -> Callable[[Callable[..., str | None]], Task]:
    """Make a check of a function that takes the student's answers and raises `Wrong`.

    chapter : file name of the exercise, such as "10_smo".  title : what the student sees.  mistakes : those that the
    task knows.  seconds : limit for the answer.  prepare : what the check needs before it asks, such as test cases from
    a solver; keep it by `functools.cache`.
    """
    def register(body: Callable[..., str | None]) -> Task:
        name = f"{chapter}.{body.__name__}"
        TASKS[name] = Task(name, chapter, title, body, tuple(mistakes), seconds, prepare)
        return TASKS[name]

    return register
