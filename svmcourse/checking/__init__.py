"""Checks of the exercises: one line a task, and a wrong answer gets its reason.

`from svmcourse.smo import checks as check` brings the checks of chapter 10; `check.task_2_1(one_step)` shows
whether the answer is right, and otherwise why not.  `progress()` shows what is solved.
"""
from importlib import import_module
from pathlib import Path
from typing import Any

from svmcourse.checking.records import Progress

__all__ = ["all_tasks", "progress"]


def all_tasks() -> dict[str, Any]:
    """Every task of the course by its name, such as "10_smo.task_2_1"."""
    from svmcourse.checking.core import TASKS

    for checks in Path(__file__).parents[1].glob("*/checks.py"):
        import_module(f"svmcourse.{checks.parent.name}.checks")
    return dict(sorted(TASKS.items()))


def progress() -> Progress:
    """Show which tasks of the course are solved, of all chapters.

    >>> progress().tasks["10_smo.task_2_1"].title
    'Task 2.1: one step'
    """
    return Progress(all_tasks())
