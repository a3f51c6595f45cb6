"""What only a browser sees of a page: six pages of different kinds closely, and all others at a glance.

A page whose text has changed since it was found good is visited closely; one that is as it was, not at all.  `make
test-all` visits all closely, whatever has been seen before.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import browsing
import pytest
import visiting
from browsing import ALL, CHAPTERS, CLOSELY, MARKS, SITE
from seen import Record
from workers import alone

OTHERS = [page for page in ALL if page not in CLOSELY]

pytestmark = MARKS
See = Callable[[str, str], dict[str, Any]]


@pytest.fixture(scope="module")
def record(site: Path) -> Record:
    """What has been seen before."""
    return Record(site, SITE.parent / "seen", [Path(str(module.__file__)) for module in (browsing, visiting)])


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
        """What is wrong with a page that is visited "closely" or at a "glance"; nothing if it need not be seen."""
        if not how:
            return {}
        if how == "closely":
            notes = visits[page] = visiting.visit(browser, address, page)
        else:
            notes = visiting.glance(context, address, page)
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


class TestSix:
    """These are looked at closely in each run."""

    @pytest.mark.parametrize("page", CLOSELY)
    def test_closely(self, see: See, page: str) -> None:
        assert see(page, "closely") == {}


class TestOthers:
    """The others."""

    @pytest.mark.parametrize("page", OTHERS)
    def test_as_far_as_they_have_changed(self, see: See, to_see: dict[str, str], page: str) -> None:
        assert see(page, to_see[page]) == {}


@pytest.mark.thorough
class TestOtherChapters:
    """The other chapters take as long as all others together: two workers share them."""

    @pytest.mark.parametrize("page", [page for page in OTHERS if page in CHAPTERS])
    def test_closely(self, see: See, page: str) -> None:
        assert see(page, "closely") == {}


@pytest.mark.thorough
class TestOtherPages:
    """Exercises, reference, stories, and what the build adds."""

    @pytest.mark.parametrize("page", [page for page in OTHERS if page not in CHAPTERS])
    def test_closely(self, see: See, page: str) -> None:
        assert see(page, "closely") == {}
