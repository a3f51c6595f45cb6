"""What only a browser sees of a page: six pages of different kinds closely, and all others at a glance.

A page whose text has changed since it was found good is visited closely; one that is as it was, not at all (seen.py).
`make test-all` visits all in all views, whatever has been seen before.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import browsing
import pytest
import visiting
from browsing import ALL, CLOSELY, MARKS, SITE
from seen import Record
from workers import alone

OTHERS = [page for page in ALL if page not in CLOSELY]
NOTEBOOKS = [page for page in ALL if page.startswith("notebooks/")]

pytestmark = [*MARKS, pytest.mark.long]
See = Callable[[str, str], dict[str, Any]]


@pytest.fixture(scope="module")
def record(site: Path) -> Record:
    """What has been seen before."""
    visits = [Path(str(module.__file__)) for module in (browsing, visiting)]
    return Record(site, SITE.parent / "seen", visits, Path(__file__).with_name("seen.txt"))


@pytest.fixture(scope="module")
def to_see(record: Record) -> dict[str, str]:
    """How the others are to be seen in this run."""
    return record.to_see(OTHERS)


@pytest.fixture(scope="class")
def see(browser: Any, address: str, run: Path, record: Record) -> Iterator[See]:
    """See a page, and what is wrong with it; at the end, one table of all visits, whoever made them."""
    context = browser.new_context(**visiting.LAPTOP)
    visits = {}

    def look(page: str, how: str) -> dict[str, Any]:
        """What is wrong with a page seen "in all views", "closely" or at a "glance"; nothing if it need not be."""
        if not how:
            return {}
        if how == "glance":
            notes = visiting.glance(context, address, page)
        else:
            views = visiting.VIEWS if how == "in all views" else visiting.APART
            notes = visits[page] = visiting.visit(browser, address, page, views)
        wrong = visiting.faults(page, notes)
        if not wrong:
            record.good(page)
        return wrong

    yield look
    context.close()
    with alone(run / "pages.lock"):
        rows = run / "pages.txt"
        with rows.open("a", encoding="utf8") as file:
            file.writelines(f"{visiting.row(page, notes)}\n" for page, notes in visits.items())
        seen_by_all = visiting.table(rows.read_text(encoding="utf8").splitlines())
        (SITE.parent / "pages.txt").write_text(seen_by_all, encoding="utf8")
        record.send(OTHERS)


class TestNotebooks:
    """Three of the six that are looked at closely in each run, in the two views that differ most."""

    @pytest.mark.parametrize("page", [page for page in CLOSELY if page in NOTEBOOKS])
    def test_closely(self, see: See, page: str) -> None:
        assert see(page, "closely") == {}


class TestPages:
    """The other three: a class is done by one worker, and there are two."""

    @pytest.mark.parametrize("page", [page for page in CLOSELY if page not in NOTEBOOKS])
    def test_closely(self, see: See, page: str) -> None:
        assert see(page, "closely") == {}


class TestOtherNotebooks:
    """The other chapters and exercises."""

    @pytest.mark.parametrize("page", [page for page in OTHERS if page in NOTEBOOKS])
    def test_as_far_as_they_have_changed(self, see: See, to_see: dict[str, str], page: str) -> None:
        assert see(page, to_see[page]) == {}


class TestOtherPages:
    """Reference, stories, and what the build adds."""

    @pytest.mark.parametrize("page", [page for page in OTHERS if page not in NOTEBOOKS])
    def test_as_far_as_they_have_changed(self, see: See, to_see: dict[str, str], page: str) -> None:
        assert see(page, to_see[page]) == {}


@pytest.mark.thorough
class TestAllNotebooks:
    """All chapters and exercises, in all views."""

    @pytest.mark.parametrize("page", [page for page in ALL if page in NOTEBOOKS])
    def test_in_all_views(self, see: See, page: str) -> None:
        assert see(page, "in all views") == {}


@pytest.mark.thorough
class TestAllPages:
    """All others, in all views."""

    @pytest.mark.parametrize("page", [page for page in ALL if page not in NOTEBOOKS])
    def test_in_all_views(self, see: See, page: str) -> None:
        assert see(page, "in all views") == {}
