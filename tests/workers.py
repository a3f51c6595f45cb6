"""What the workers of one run share: a lock, work that is done once for all, and an order in which none waits idle."""

from __future__ import annotations

import fcntl
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest


@contextmanager
def alone(lock: Path) -> Iterator[None]:
    """One process at a time; the system lets the next one in, too, when a process dies."""
    with lock.open("w") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield


def once(outcome: Path, work: Callable[[], str]) -> str:
    """What work() says: the process that comes first does it and writes that down; the others wait, and read it."""
    with alone(outcome.with_suffix(".lock")):
        if not outcome.exists():
            outcome.write_text(work(), encoding="utf8")
        return outcome.read_text(encoding="utf8")


def in_turn(items: list[pytest.Item]) -> list[pytest.Item]:
    """The tests in the order in which workers begin with them, each with a module or a class at a time.

    The site is what takes longest to make.  So the largest group of tests that need it comes first: its worker builds,
    the others do all that needs no site, and only then follows what reads it.  Otherwise large groups come first.
    """
    scope = {item: item.nodeid.rsplit("::", 1)[0] for item in items}        # as xdist's loadscope has it
    size = Counter(scope.values())
    readers = {scope[item]: None for item in items if "site" in getattr(item, "fixturenames", ())}
    builder = max(readers, key=size.__getitem__, default=None)

    def turn(item: pytest.Item) -> tuple[int, int]:
        """Its place, small first."""
        place = 0 if scope[item] == builder else 2 if scope[item] in readers else 1
        return place, -size[scope[item]]

    return sorted(items, key=turn)
