"""What a check says: the mistakes that it knows, the wrong answer, and the result that a notebook shows."""
import html
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any


class Wrong(Exception):
    """An answer is wrong: the key of the mistake, what is wrong, and a hint.

    A key alone stands for the task's `Mistake` of this key, which has the words.
    """

    def __init__(self, key: str, message: str = "", hint: str = "") -> None:
        super().__init__(message)
        self.key, self.message, self.hint = key, message, hint


def refuse(met: Mapping[str, Any]) -> None:
    """Raise the first mistake of the task whose condition holds; met: key -> condition, the narrower ones first."""
    for key, holds in met.items():
        if holds:
            raise Wrong(key)


@dataclass(frozen=True)
class Mistake:
    """A mistake that people make: key, message, hint, and the function (or value) that makes it."""

    key: str
    message: str
    hint: str = ""
    variant: Any = None

    def wrong(self) -> Wrong:
        """The exception that reports it."""
        return Wrong(self.key, self.message, self.hint)


class CheckFailed(AssertionError):
    """An assert on a failed result; a notebook shows its text and no traceback."""

    def _render_traceback_(self) -> list[str]:
        return str(self).splitlines()


@dataclass(frozen=True)
class Result:
    """What a check found; shows itself.  Its truth is `passed`, or a `CheckFailed` with the reason."""

    task: str
    title: str
    passed: bool
    key: str
    message: str
    hint: str = ""

    def __bool__(self) -> bool:
        if not self.passed:
            raise CheckFailed(str(self))
        return True

    def __str__(self) -> str:
        hint = f"\n  Hint: {self.hint}" if self.hint else ""
        return f"{'✓' if self.passed else '✗'} {self.title}: {self.message}{hint}"

    __repr__ = __str__

    def _repr_html_(self) -> str:
        sign, colour = ("✓", "#2a7d4f") if self.passed else ("✗", "#b3470b")
        hint = (f"<details><summary>Hint</summary><p>{html.escape(self.hint)}</p></details>" if self.hint else "")
        return (f'<div class="check" role="status" style="border-left:4px solid {colour};padding:.3em .8em">'
                f"<b>{sign} {html.escape(self.title)}</b><p style='margin:.2em 0'>{html.escape(self.message)}</p>"
                f"{hint}</div>")
