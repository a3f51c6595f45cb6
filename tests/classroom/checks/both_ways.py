"""Test a chapter's checks both ways: right answers pass, blanks say so, each wrong answer gets its own message.

An answer is a function, or a tuple of values; wrong answers are listed as (key, answer).
"""
from __future__ import annotations

import re
from typing import Any

from svmlib.classroom.checks.core import Task


def judge(task: Task, answer: Any) -> Any:
    """What the check says to an answer, without limits of time."""
    return task.judge(*(answer if isinstance(answer, tuple) else (answer,)))


def assert_right(task: Task, answer: Any) -> None:
    result = judge(task, answer)
    assert result.passed, str(result)


def assert_blank(task: Task, answer: Any) -> None:
    result = judge(task, answer)
    assert (result.passed, result.key) == (False, "blank"), str(result)
    assert "not written yet" in result.message


def assert_wrong(task: Task, key: str, answer: Any) -> None:
    result = judge(task, answer)
    assert not result.passed
    assert result.key == key, str(result)
    message = {m.key: m.message for m in task.mistakes}.get(key)
    assert message is None or result.message == message


def assert_known(tasks: dict[str, Task], wrong: list[tuple[str, str, Any]], least: int = 4) -> None:
    """Each task has its share of wrong answers, with different keys."""
    for name in tasks:
        keys = {key for task, key, _ in wrong if task == name}
        assert len(keys) >= least, f"{name}: only {sorted(keys)}"


def name_of(answer: Any) -> str:
    """A stable test id."""
    return re.sub(r"\W+", "-", getattr(answer, "__name__", "values"))
