"""The day that the pages name is that of their sources, not of their build."""

from __future__ import annotations

import datetime
import html
import re
import subprocess
from pathlib import Path

import pytest
import yaml
from citing import day, footer, page_footer

ROOT = Path(__file__).resolve().parents[2]
WORK = yaml.safe_load((ROOT / "CITATION.cff").read_text(encoding="utf8"))


def test_the_day_is_that_of_the_sources(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("SOURCE_DATE_EPOCH", raising=False)
    assert day(tmp_path, "2026-03-04") == datetime.date(2026, 3, 4)        # no repository: that of the release
    subprocess.run(["git", "init", "-q"], cwd=tmp_path, check=True)
    monkeypatch.setenv("GIT_COMMITTER_DATE", "2025-02-01T12:00:00+0000")
    subprocess.run(["git", "-c", "user.name=a", "-c", "user.email=a@b", "commit", "-q", "--allow-empty", "-m", "x"],
                   cwd=tmp_path, check=True)
    assert day(tmp_path, "2026-03-04") == datetime.date(2025, 2, 1)
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "86400")
    assert day(tmp_path, "2026-03-04") == datetime.date(1970, 1, 2)


def test_a_course_with_an_address_is_cited_with_it() -> None:
    address = "https://course.example/svm/"
    assert footer(WORK, address, first="").count(address) == 2
    assert "url" not in footer(WORK, "", first="")
    assert 'href="../book/preface.html#cite"' in footer(WORK, address, first="../book/preface.html")


def bibtex(page: str) -> tuple[str, str, dict[str, str]]:
    """Kind, key and fields of the one entry on a page; AssertionError where it is not one."""
    block = re.search(r'<details id="cite-page".*?<pre>(.*?)</pre>', page, re.S)
    assert block is not None
    entry = re.fullmatch(r"@(\w+)\{([\w-]+),\n((?:  \w+ *= \{.*\},?\n)+)\}", html.unescape(block[1]))
    assert entry is not None, block[1]
    lines = entry[3].splitlines()
    assert all(line.endswith("},") for line in lines[:-1])
    assert lines[-1].endswith("}")
    fields = dict(re.fullmatch(r"  (\w+) *= \{(.*)\},?", line).groups() for line in lines)  # type: ignore[union-attr]
    assert all(value.count("{") == value.count("}") for value in fields.values())
    return entry[1], entry[2], {name: value.removeprefix("{").removesuffix("}") for name, value in fields.items()}


def test_a_chapter_is_cited_with_its_title_number_and_address() -> None:
    address = "https://course.example/notebooks/10_smo.html"
    page = page_footer(WORK, "notebooks/10_smo", "Sequential minimal optimization", address)
    kind, key, fields = bibtex(page)
    assert (kind, key) == ("incollection", "svmlib-smo")
    assert fields == {
        "author": "The svmlib authors", "title": "Sequential minimal optimization", "chapter": "10", "url": address,
        "booktitle": WORK["title"], "note": f"Version {WORK['version']}", "year": str(WORK["date-released"])[:4]}
    line = html.unescape(re.search("<p>(.*?)</p>", page)[1])  # type: ignore[index]
    assert line == (f"The svmlib authors ({fields['year']}). “Sequential minimal optimization.” Chapter 10 of "
                    f"{WORK['title']}, version {WORK['version']}. {address}")


def test_a_page_without_an_address_is_cited_without_one() -> None:
    page = page_footer(WORK, "book/fifteen_minutes", "C & σ", "")
    _, key, fields = bibtex(page)
    assert key == "svmlib-fifteen-minutes"
    assert fields["title"] == r"C \& σ"                 # as TeX wants it
    assert not {"url", "chapter", "langid"} & set(fields)
    assert "http" not in page


def test_a_german_page_is_cited_in_german() -> None:
    page = page_footer(WORK, "book/fuenfzehn_minuten", "In fünfzehn Minuten", "", "de")
    assert '<details id="cite-page" lang="de"><summary>Diese Seite zitieren</summary>' in page
    assert "„In fünfzehn Minuten“. In: " in page
    assert bibtex(page)[2]["langid"] == "ngerman"


@pytest.mark.parametrize("page", ["book/glossary", "notebooks/exercises/10_smo", "book/preface", "genindex"])
def test_what_is_no_chapter_is_cited_as_the_course(page: str) -> None:
    assert page_footer(WORK, page, "Title", "") == ""
