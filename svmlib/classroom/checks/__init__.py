"""Checks of the exercises: one line a task, and a wrong answer gets its reason.

`from svmlib.classroom.checks import smo as check` brings the checks of chapter 07; `check.task_2_1(one_step)` shows
whether the answer is right, and otherwise why not.  `progress()` shows what is solved.
"""
from importlib import import_module
from pkgutil import iter_modules
from typing import Any

from svmlib.classroom.checks.records import Progress

__all__ = ["all_tasks", "progress"]

#: Modules here that hold no tasks.
MACHINERY = ("core", "limits", "records")


def all_tasks() -> dict[str, Any]:
    """Every task of the course by its name, such as "07_smo.task_2_1"."""
    from svmlib.classroom.checks.core import TASKS

    for module in iter_modules(__path__):
        if module.name not in MACHINERY:
            import_module(f"{__name__}.{module.name}")
    return dict(sorted(TASKS.items()))


def progress() -> Progress:
    """Show which tasks of the course are solved, of all chapters.

    >>> progress().tasks["07_smo.task_2_1"].title
    'Task 2.1: one step'
    """
    return Progress(all_tasks())
