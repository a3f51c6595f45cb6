"""How a check works: run the answer with a limit of time, compare it, and say why it is wrong.

A chapter's module writes one function a task and marks it with `@task`; the function gets the student's answers,
functions among them wrapped in `Answer`, and raises `Wrong` where one is wrong.  Known mistakes are `Mistake`s: a key,
a message, a hint, and, where it is one, the wrong function itself, with whose values those of the student are compared.
"""
import copy
import functools
import inspect
import traceback
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from svmcourse.checking import limits, records
from svmcourse.checking.comparing import close, compare
from svmcourse.checking.results import CheckFailed, Mistake, Result, Wrong, refuse
from svmcourse.checking.values import as_array, as_number, as_parts, blank, dense, filled
from svmcourse.shared.forms import NAME, as_data, described

__all__ = ["TASKS", "Answer", "CheckFailed", "Mistake", "Result", "Task", "Wrong", "as_array", "as_number", "as_parts",
           "close", "compare", "dense", "filled", "refuse", "task"]


# ---- the student's answers -----------------------------------------------------------------------------------------
class Answer:
    """A function of the student: gets copies of its arguments; what it raises becomes a `Wrong`.

    `changed` says whether the last call changed an argument in place.
    """

    def __init__(self, function: Callable[..., Any], name: str) -> None:
        self.function, self.name, self.changed = function, str(name)[:NAME], False

    def __call__(self, *args: Any, **named: Any) -> Any:
        limits.announce(self.name)
        given = copy.deepcopy(args)
        try:
            value = as_data(self.function(*given, **copy.deepcopy(named)))     # also what a generator raises
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


def _what(error: BaseException) -> str:
    """An exception in words, with the line of the student's code where it happened."""
    if hasattr(error, "described"):                                # from a process of its own
        return str(error.described)
    line = ""
    for frame in traceback.extract_tb(error.__traceback__):
        if "/svmlib/" not in frame.filename and frame.line and "site-packages" not in frame.filename:
            line = f" in line {frame.lineno}, `{frame.line.strip()}`"
    return f"{type(error).__name__} ({str(error)[:300]}){line[:300]}"


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
            return self.body(*map(self._taken, answers, range(1, len(answers) + 1)))
        except Wrong as wrong:
            if wrong.message:
                raise
            raise {m.key: m for m in self.mistakes}[wrong.key].wrong() from None

    def _taken(self, answer: Any, k: int) -> Any:
        """The k-th answer as the check gets it; raises `Wrong` where a function is asked for and is not there."""
        if callable(answer):
            return Answer(answer, getattr(answer, "__name__", None) or f"answer {k}")
        answer = as_data(answer)
        if not (answer is None or answer is Ellipsis) and self.wanted[k - 1:k] in ([Answer], ["Answer"]):
            raise Wrong("no-function", f"Asked for is a function. Found: {described(answer)}.",
                        "Does a line below it store a result under the function's name, as in f = f(x)?")
        return answer

    @functools.cached_property
    def wanted(self) -> list[Any]:
        """What the check takes: `Answer` where it is a function."""
        parameters = inspect.signature(self.body, follow_wrapped=False).parameters
        return [parameter.annotation for parameter in parameters.values()]

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
