"""What pages say of themselves: version and day, how to cite them, what they are; and no markup left over."""

from __future__ import annotations

import json
import re
from html import unescape
from pathlib import Path

import findable
import pytest
import yaml
from browsing import ALL, CHAPTERS, MARKS, PAGES, ROOT, STORIES
from test_citing import bibtex

pytestmark = MARKS


def test_pages_say_which_version_they_are_and_how_to_cite(site: Path) -> None:
    stamp = re.compile(r'Version ([\d.]+), <time class="built" datetime="(\d{4}-\d\d-\d\d)">(\d+ \w+ \d{4})</time>')
    said = {page: stamp.findall((site / f"{page}.html").read_text(encoding="utf8")) for page in ALL}
    assert all(len(found) == 1 for found in said.values()), said
    assert len({found[0] for found in said.values()}) == 1
    work = yaml.safe_load((ROOT / "CITATION.cff").read_text(encoding="utf8"))
    first = (site / f"{PAGES[0]}.html").read_text(encoding="utf8")
    for words in (f'Version {work["version"]}', work["title"], work["authors"][0]["name"], "@software{svmlib"):
        assert words in first
    assert f'href="../{PAGES[0]}.html#cite"' in (site / f"{CHAPTERS[0]}.html").read_text(encoding="utf8")


@pytest.mark.parametrize("page", [*CHAPTERS, *STORIES])
def test_a_chapter_says_how_to_cite_it(site: Path, page: str) -> None:
    html = (site / f"{page}.html").read_text(encoding="utf8")
    work = yaml.safe_load((ROOT / "CITATION.cff").read_text(encoding="utf8"))
    kind, _, fields = bibtex(html)
    title = unescape(re.search(r"<title>(.*?) (?:—|&#8212;)", html)[1])
    assert (kind, fields["booktitle"], fields["note"]) == ("incollection", work["title"], f"Version {work['version']}")
    assert fields["title"] == re.sub(r"^\d+\. ", "", title)
    assert fields.get("chapter", "") == (str(int(Path(page).name[:2])) if page in CHAPTERS else "")
    assert fields["year"] == str(work["date-released"])[:4]
    assert ("Diese Seite zitieren" in html) == (STORIES.get(page) == "de")


def test_pages_say_what_they_are_before_they_are_opened(site: Path) -> None:
    said = findable.described(ROOT)
    for page in PAGES:
        text = (site / f"{page}.html").read_text(encoding="utf8")
        tags = dict(re.findall(r'<meta property="(og:[\w:]+)" content="([^"]*)">', text))
        data = json.loads(re.findall(r'<script type="application/ld\+json">(.*?)</script>', text)[0])
        [described] = re.findall(r'<meta name="description" content="([^"]*)">', text)
        assert tags["og:description"] == described
        assert (site / page).parent.joinpath(tags["og:image"]).exists()
        assert data["@type"] == ("Course" if page == PAGES[0] else "LearningResource")
        assert data["name"] == unescape(tags["og:title"]) != ""
        if page in said:
            assert unescape(described) == data["description"] == said[page]["description"]


def test_no_markup_is_left_in_the_text(site: Path) -> None:
    """A directive that does not begin a line of its own stays where it is as text, and Sphinx says nothing."""
    left = re.compile(r":::|```|\{(?:eq|ref|numref|doc|term|cite\S*|prf:\w+|margin|admonition)\}")
    raw = {}
    for page in (*PAGES, "genindex", "prf-prf"):
        html = (site / f"{page}.html").read_text(encoding="utf8").partition('<article class="bd-article"')[2]
        text = re.sub(r"(?s)<(script|style|pre|code)\b.*?</\1>|<[^>]+>", " ", html)
        if found := left.findall(text):
            raw[page] = found
    assert raw == {}
