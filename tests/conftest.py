"""What all tests share."""

from __future__ import annotations

import signal


def pytest_configure() -> None:
    """Let Ctrl-C reach Python: a shell starts background jobs with the interrupt ignored, and tests send it."""
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)
