"""Chromium, and the page's script, for all tests of live figures."""
from collections.abc import Iterator
from typing import Any

import pytest
from live_browser import ARGUMENTS, bundle, chromium


@pytest.fixture(scope="module")
def script() -> str:
    """The page's script."""
    return bundle()


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    """Chromium."""
    path = chromium()
    if path is None:
        pytest.skip("no Chromium")
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        found = playwright.chromium.launch(executable_path=path, args=ARGUMENTS)
        yield found
        found.close()
