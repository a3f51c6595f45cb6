"""The site, built once in a run, on a local port; a browser."""

from __future__ import annotations

import functools
import http.server
import os
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from browsing import ARGUMENTS, CHAPTERS, ROOT, SITE, chromium
from unchanged import unchanged
from workers import folder_of, once, wait_for_notebooks


@pytest.fixture(scope="session")
def run(request: pytest.FixtureRequest) -> Path:
    """A folder that all workers of this run share."""
    return folder_of(request.config)


@pytest.fixture(scope="session")
def site(run: Path, request: pytest.FixtureRequest) -> Path:
    """The site, built if it is missing or older than its sources: by the worker that needs it first."""
    wait_for_notebooks(request.session)
    reasons = once(run / "site.txt", build)
    if reasons:
        pytest.fail(reasons, pytrace=False)
    return SITE


def build() -> str:
    """Why the book does not build; nothing where it does, or is built."""
    if unchanged(ROOT, SITE.parent):
        return ""
    command = [sys.executable, "-c", "from jupyter_book.cli.main import main; main()", "build", ".", "-W", "-n",
               "--keep-going"]
    try:
        built = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=3000, check=False)
    except subprocess.TimeoutExpired as late:
        return f"the book does not build: {late}"
    if built.returncode == 0:
        return ""
    lines = (built.stdout + built.stderr).splitlines()
    reasons = [line for line in lines if "WARNING" in line or "Error" in line] or lines[-20:]
    return "the book does not build:\n" + "\n".join(reasons[:12])


@pytest.fixture(scope="module")
def address(site: Path) -> Iterator[str]:
    """The site on a local port."""
    class Quiet(http.server.SimpleHTTPRequestHandler):
        def log_message(self, format: str, *args: Any) -> None:
            pass

    handler = functools.partial(Quiet, directory=str(site))
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    """A headless Chromium; without one the tests are skipped, but fail where CI=true.

    Each module has its own: in one process, Playwright cannot be started beside one that is open, and other modules do.
    """
    path = chromium()
    if path is None:
        reason = "no Chromium: install it, or name it in SVMLIB_CHROMIUM"
        if os.environ.get("CI") == "true":
            pytest.fail(reason)
        pytest.skip(reason)
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=ARGUMENTS)
        yield browser
        browser.close()


@pytest.fixture
def moving(site: Path) -> str:
    """The first chapter with a figure that moves."""
    figure = '<figure class="explore '
    page = next((p for p in CHAPTERS if figure in (site / f"{p}.html").read_text(encoding="utf8")), None)
    assert page is not None, "no chapter in _toc.yml has a figure that moves"
    return page
