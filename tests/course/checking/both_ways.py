"""Test a chapter's checks both ways: right answers pass, blanks say so, each wrong answer gets its own message.

    ANSWERS = Answers(check)                                  # the chapter's module
    ANSWERS.right("task")(answer)                             # or as decorators
    ANSWERS.wrong("task", "key of the mistake")(answer)
    test_right, test_wrong, test_blank, test_enough = ANSWERS.tests({"another_task": (None, None)})

An answer is a function, or a tuple of values; the blanks of tasks that want values are given to `tests`.
"""
from __future__ import annotations

from collections.abc import Callable
from types import ModuleType
from typing import Any

import pytest

from svmcourse.checking.core import Task
from svmcourse.checking.mistakes import read


class Answers:
    """Answers to the tasks of a chapter as students write them, and the tests that come of them."""

    def __init__(self, check: ModuleType) -> None:
        self.tasks = {name: value for name, value in vars(check).items() if isinstance(value, Task)}
        self.tables = read(check.CHAPTER)
        self._right: list[tuple[str, Any]] = []
        self._wrong: list[tuple[str, str, Any]] = []

    def right(self, task: str) -> Callable[[Any], Any]:
        """Take in an answer that must pass."""
        return lambda answer: self._right.append((task, answer)) or answer

    def wrong(self, task: str, key: str) -> Callable[[Any], Any]:
        """Take in an answer that must get the message of this key."""
        return lambda answer: self._wrong.append((task, key, answer)) or answer

    def tests(self, blanks: dict[str, Any] | None = None, least: int = 4) -> tuple[Callable[..., None], ...]:
        """Four tests: right answers, wrong ones, blanks, and that each task has enough of both.

        Where mistakes of a task are changed lines, test_mistakes.py tries them, and one wrong answer is enough.
        """
        @pytest.mark.parametrize(("task", "answer"), self._right,
                                 ids=[f"{t}-{k}" for k, (t, _) in enumerate(self._right)])
        def test_right(task: str, answer: Any) -> None:
            result = judge(self.tasks[task], answer)
            assert result.passed, str(result)

        @pytest.mark.parametrize(("task", "key", "answer"), self._wrong,
                                 ids=[f"{t}-{k}-{n}" for n, (t, k, _) in enumerate(self._wrong)])
        def test_wrong(task: str, key: str, answer: Any) -> None:
            result = judge(self.tasks[task], answer)
            assert not result.passed, "passed"
            assert result.key == key, str(result)
            message = {m.key: m.message for m in self.tasks[task].mistakes}.get(key)
            assert message is None or result.message == message

        @pytest.mark.parametrize("task", self.tasks)
        def test_blank(task: str) -> None:
            result = judge(self.tasks[task], (blanks or {}).get(task, lambda *arguments: None))
            assert (result.passed, result.key) == (False, "blank"), str(result)
            assert "not written yet" in result.message

        def test_enough() -> None:
            assert {task for task, _ in self._right} == set(self.tasks)
            for name in self.tasks:
                keys = {key for task, key, _ in self._wrong if task == name}
                tried = any(row.change for row in self.tables.get(name, []))
                assert len(keys) >= (1 if tried else least), f"{name}: only {sorted(keys)}"

        return test_right, test_wrong, test_blank, test_enough


def judge(task: Task, answer: Any) -> Any:
    """What the check says to an answer, without limits of time."""
    return task.judge(*(answer if isinstance(answer, tuple) else (answer,)))
