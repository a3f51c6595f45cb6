"""What the workers of one run share: a lock, work that is done once for all, and an order in which none waits idle."""

from __future__ import annotations

import fcntl
import time
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


def folder_of(config: pytest.Config) -> Path:
    """A folder that all workers of a run share."""
    own = Path(config._tmp_path_factory.getbasetemp())      # type: ignore[attr-defined]
    return own.parent if hasattr(config, "workerinput") else own


def is_cell(item: pytest.Item) -> bool:
    """Whether an item is a cell that nbval executes."""
    return item.path.suffix == ".ipynb"


def say_executed(item: pytest.Item) -> None:
    """Note that the last cell of a notebook has run, right or wrong."""
    (folder_of(item.config) / f"{item.path.parent.name}-{item.path.stem}.executed").touch()


def wait_for_notebooks(session: pytest.Session, seconds: float = 900) -> None:
    """Wait until all notebooks of this run have been executed, whichever worker has them; at most so long."""
    folder, end = folder_of(session.config), time.monotonic() + seconds
    ahead = {folder / f"{item.path.parent.name}-{item.path.stem}.executed" for item in session.items if is_cell(item)}
    while time.monotonic() < end and not all(path.exists() for path in ahead):
        time.sleep(0.2)


def in_turn(items: list[pytest.Item]) -> list[pytest.Item]:
    """The tests in the order in which workers begin with them, each with a module or a class at a time.

    First the notebooks: what they show goes into the site.  Then the long ones that need no site, while the last
    notebooks run; then the largest group of tests that need the site: its worker builds, the others do all that needs
    no site, and only then follows what reads it.  Otherwise long and large groups come first.
    """
    scope = {item: item.nodeid.rsplit("::", 1)[0] for item in items}        # as xdist's loadscope has it
    size = Counter(scope.values())
    long = {scope[item] for item in items if item.get_closest_marker("long")}
    readers = {scope[item]: None for item in items if "site" in getattr(item, "fixturenames", ())}
    builder = max(readers, key=size.__getitem__, default=None)

    def turn(item: pytest.Item) -> tuple[int, bool, int]:
        """Its place, small first."""
        own = scope[item]
        place = 0 if is_cell(item) else 2 if own == builder else 4 if own in readers else 1 if own in long else 3
        return place, own not in long, -size[own]

    return sorted(items, key=turn)
