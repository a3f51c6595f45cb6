"""A mistake is written as what it is: a changed line of the right answer.

`mistakes.txt` of a chapter has a section for each of its tasks, named like the task, and in it rows:

    [segment]
    gamma-sign | max(0, -gamma), min(C, C - gamma) => max(0, gamma), min(C, C + gamma)
        For different labels the sign of gamma is wrong in L and H.
        > Put alpha_j = gamma - s alpha_i with s = -1 into 0 <= alpha_j <= C and solve for alpha_i.

A row is the key, what the solution has, and what the student has in its place; below stand the message and, after >,
the hint.  A line that begins with => or ;; goes on with the change, after ;; in another place.  A key without a message
makes the mistake of that key in another way.  A key alone in its row has the words of a mistake that the check finds by
a condition, and raises as `Wrong("key")`.  The solution is the cell of the solved notebook that defines the function
which `check.segment(...)` gets; all places that hold the old text are changed, and \\n in a change ends a line.
"""
import ast
import functools
import inspect
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from svmcourse.checking.core import Answer, Task, compare, task
from svmcourse.checking.results import Mistake
from svmcourse.checking.sources import folder_of, sources_of

__all__ = ["Cases", "Row", "Solved", "compared", "draw_by", "generator", "generators", "judged", "read"]

Function = Callable[..., Any]
Cases = Iterable[tuple]


# ---- the table -------------------------------------------------------------------------------------------------------
@dataclass
class Row:
    """One way to make a mistake: where it is written, and what is changed, if anything; with the words of its key."""

    where: str
    key: str
    change: str
    message: str = ""
    hint: str = ""

    @property
    def changes(self) -> list[tuple[str, str]]:
        """What stands in the solution and what in its place, with \\n for the end of a line."""
        pairs = [tuple(part.strip().replace("\\n", "\n") for part in change.split("=>"))
                 for change in self.change.split(";;")]
        if any(len(pair) != 2 or not pair[0] or pair[0] == pair[1] for pair in pairs):
            raise ValueError(f"{self.where}: expected is a change, old => new, found {self.change!r}")
        return [(old, new) for old, new in pairs]


@functools.cache
def read(exercise: str) -> dict[str, list[Row]]:
    """The rows of each task of an exercise.

    Raises ValueError, with file, line, task and key, for a line that is not a section, a row, or the rest of one,
    and for a key that has no message, or two.
    """
    sections: dict[str, list[Row]] = {}
    name = ""
    for number, line in enumerate(sources_of(exercise).table.splitlines(), 1):
        where = f"{folder_of(exercise)}/mistakes.txt, line {number}"
        if not line.strip() or line.startswith("#"):
            continue
        if section := re.fullmatch(r"\[(\w+)\]", line):
            name = section[1]
            if name in sections:
                raise ValueError(f"{where}: a second section [{name}]")
            sections[name] = []
        elif name and (row := re.fullmatch(r"(\S+)(?: \| (.*))?", line)):
            sections[name].append(Row(f"{where}, {name}, {row[1]}", row[1], row[2] or ""))
        elif name and sections[name] and line.startswith(" "):
            _continue(sections[name][-1], line.strip())
        else:
            raise ValueError(f"{where}: expected is [task], key | old => new, or an indented line, found {line!r}")
    for rows in sections.values():
        _complete(rows)
    return sections


def _continue(row: Row, line: str) -> None:
    """Take in a line below a row: more of its change, its message or its hint."""
    if line.startswith(("=>", ";;")):
        row.change += f" {line}"
    elif row.hint:
        row.hint += f" {line}"
    elif line.startswith(">"):
        row.hint = line.removeprefix(">").strip()
    else:
        row.message = f"{row.message} {line}".strip()


def _complete(rows: list[Row]) -> None:
    """Give each row the words of its key."""
    words: dict[str, tuple[str, str]] = {}
    for row in rows:
        if bool(row.message) == (row.key in words):
            raise ValueError(f"{row.where}: {'a second' if row.message else 'no'} message for this key")
        row.message, row.hint = words.setdefault(row.key, (row.message, row.hint))


# ---- the solution and its changes ------------------------------------------------------------------------------------
class Solved:
    """A task: its mistakes and, where it asks for a function, the solution and by the rows of its table the wrong ones.

    >>> segment = Solved("10_smo", "segment")
    >>> segment.function()(0, 1, [0.25, 0.5], [1, 1], 1.0)
    (0, 0.75)
    >>> segment.rows[0].key, segment.function(segment.rows[0])(0, 1, [0.25, 0.5], [1, 1], 1.0)
    ('L-H-order', (0.75, 0))
    """

    def __init__(self, exercise: str, task: str) -> None:
        tables = read(exercise)
        if task not in tables:
            raise ValueError(f"{folder_of(exercise)}/mistakes.txt has no section [{task}]")
        self.exercise, self.task = exercise, task
        self.rows = [row for row in tables[task] if row.change]
        self.mistakes = list({row.key: Mistake(row.key, row.message, row.hint) for row in tables[task]}.values())

    @functools.cached_property
    def cells(self) -> tuple[str, list[str]]:
        """The name of the function that the check gets, and the cells up to the one that defines it."""
        cells = sources_of(self.exercise).cells
        called = re.search(rf"^check\.{self.task}\((\w+)", "\n".join(cells), re.M)
        defines = [k for k, cell in enumerate(cells) if called and re.search(rf"^def {called[1]}\(", cell, re.M)]
        if not called or not defines:
            raise ValueError(f"{self.exercise}: no cell defines a function for check.{self.task}(...)")
        return called[1], cells[:defines[-1] + 1]

    def function(self, row: Row | None = None) -> Function:
        """The solution, or what the row makes of it; raises ValueError where the row fits no line of the solution."""
        name, (*above, source) = self.cells
        for old, new in row.changes if row else ():
            if old not in source:
                raise ValueError(f"{row.where if row else ''}: the solution has no {old!r}")
            source = source.replace(old, new)
        scope: dict[str, Any] = {}
        try:
            module = ast.Module(_definitions([*above, source]), [])
            exec(compile(module, f"<{self.exercise}, {self.task}>", "exec"), scope)
        except SyntaxError as error:
            raise ValueError(f"{row.where if row else self.exercise}: {error}") from None
        return scope[name]

    def compare(self, answer: Function, cases: Cases, parts: Sequence[str],
                through: Callable[[Function], Function] = lambda function: function, tol: float = 1e-6) -> None:
        """Call the student's function and the solution on the cases; raise the `Wrong` that fits best.

        parts : names of what is returned.  through : gives a function that returns the same in one form, where an
        answer may have several, such as rows in any order.  tol : as in `core.compare`.
        """
        known = [Mistake(row.key, row.message, row.hint, self._variant(row, through, len(parts))) for row in self.rows]
        right = self.function()
        compare(through(answer), cases, as_tuple(through(right), len(parts)), parts, known, tol,
                list(inspect.signature(right).parameters))

    def _variant(self, row: Row, through: Callable[[Function], Function], count: int) -> Function:
        """A wrong function, made when it is first called; () where it stops, which no answer is."""
        made = functools.cache(lambda: as_tuple(through(self.function(row)), count))

        def values(*case: Any) -> tuple:
            function = made()
            try:
                return function(*case)
            except Exception:
                return ()

        return values


def _definitions(cells: list[str]) -> list[ast.stmt]:
    """Functions and classes of the cells, and the imports that these use; what cells compute is not run."""
    body = [node for cell in cells for node in ast.parse(cell).body]
    defined = [node for node in body if isinstance(node, (ast.FunctionDef, ast.ClassDef))]
    used = {name.id for node in defined for name in ast.walk(node) if isinstance(name, ast.Name)}
    imports = [node for node in body if isinstance(node, (ast.Import, ast.ImportFrom))
               and used & {(alias.asname or alias.name).partition(".")[0] for alias in node.names}]
    return [*imports, *defined]


def as_tuple(function: Function, count: int) -> Function:
    """The same function; what it returns is a tuple of `count` values, also where that is one."""
    def values(*case: Any) -> tuple:
        value = function(*case)
        return (value,) if count == 1 else tuple(value)

    return values


# ---- tasks -----------------------------------------------------------------------------------------------------------
def judged(chapter: str, title: str, seconds: float = 2.0,
           prepare: Callable[[], Any] | None = None) -> Callable[[Callable[..., str | None]], Task]:
    """Make a task of its check, as `core.task` does, with the mistakes of its section in the table."""
    def register(body: Callable[..., str | None]) -> Task:
        return task(chapter, title, Solved(chapter, body.__name__).mistakes, seconds, prepare)(body)

    return register


def compared(chapter: str, title: str, parts: Sequence[str], praise: str,
             through: Callable[[Function], Function] = lambda function: function, tol: float = 1e-6,
             prepare: Callable[[], Any] | None = None) -> Callable[[Callable[[], Cases]], Task]:
    """Make a task of a function that gives the cases on which the answer has to agree with the solution.

    The function has the name of the task's section, and says in its docstring what the student writes.  praise : what a
    right answer is told.  chapter, title, prepare : as for `core.task`; parts, through, tol : as for `Solved.compare`.
    """
    def register(cases: Callable[[], Cases]) -> Task:
        solved = Solved(chapter, cases.__name__)

        @functools.wraps(cases, [name for name in functools.WRAPPER_ASSIGNMENTS if name != "__annotations__"])
        def body(answer: Answer) -> str:
            solved.compare(answer, cases(), parts, through, tol)
            return praise

        return judged(chapter, title, prepare=prepare)(body)

    return register


_secret: list[int] = []


def draw_by(seed: int | None) -> None:
    """Draw other random cases from now on, those of the seed: so that answers to the usual ones are no solution."""
    _secret[:] = [] if seed is None else [seed]


def generator(k: int) -> np.random.Generator:
    """The source of the k-th random case: of the seed k or, where a class has a secret one, of both."""
    return np.random.default_rng([*_secret, k] if _secret else k)


def generators(count: int) -> Iterator[np.random.Generator]:
    """Sources of random cases, the same at every check: the generators of 0, 1, ..., count - 1."""
    return map(generator, range(count))
