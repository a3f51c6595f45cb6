"""What all tests share."""

from __future__ import annotations

import signal

import pytest


def pytest_configure() -> None:
    """Let Ctrl-C reach Python: a shell starts background jobs with the interrupt ignored, and tests send it."""
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Refuse ids with an address in them: they differ between the processes that share the tests."""
    unstable = [item.nodeid for item in items if " at 0x" in item.nodeid]
    if unstable:
        raise pytest.UsageError(f"give these tests ids of their own (ids=...): {unstable}")
