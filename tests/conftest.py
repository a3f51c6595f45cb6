"""What all tests share."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import settings
from workers import in_turn

# The same random problems in each run: a commit is right or wrong, not lucky.  `make rounding` draws new ones.
settings.register_profile("same", derandomize=True, deadline=None)
settings.register_profile("new", deadline=None)
settings.load_profile(os.environ.get("HYPOTHESIS", "same"))
os.environ["MATPLOTLIBRC"] = os.devnull       # pictures as everywhere, whatever one has for one's own work
# No doctests in here, nor in tests/book/site/conftest.py, which as a module would have the same name.
collect_ignore_glob = ["*conftest.py"]


def pytest_configure(config: pytest.Config) -> None:
    """Let Ctrl-C reach Python: a shell starts background jobs with the interrupt ignored, and tests send it."""
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)
    config.option.loadscopereorder = False      # in_turn has put the tests in order


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Refuse ids with an address in them: they differ between the processes that share the tests, in their order."""
    unstable = [item.nodeid for item in items if " at 0x" in item.nodeid]
    if unstable:
        raise pytest.UsageError(f"give these tests ids of their own (ids=...): {unstable}")
    if hasattr(config, "workerinput"):          # of xdist
        items[:] = in_turn(items)


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    """A headless Chromium; without one the tests are skipped, but fail where CI=true.

    Each module has its own: in one process, Playwright cannot be started beside one that is open, and other modules do.
    """
    from browsing import ARGUMENTS, chromium

    path = chromium()
    if path is None:
        (pytest.fail if os.environ.get("CI") == "true" else pytest.skip)("no Chromium: name one in SVMLIB_CHROMIUM")
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=ARGUMENTS)
        yield browser
        browser.close()
