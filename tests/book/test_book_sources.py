"""The book's sources: links lead somewhere, addresses are well formed, the two classes have one colour each."""

from __future__ import annotations

import json
import re
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from svmcourse.shared import plotting

ROOT = Path(__file__).resolve().parents[2]
SOURCES = sorted([ROOT / "README.md", *(ROOT / "book").glob("*.md"), ROOT / "book/references.bib",
                  *(ROOT / "notebooks").glob("*.ipynb")])
MARKDOWN_LINK = re.compile(r"\]\(([^()\s]+(?:\([^()]*\)[^()\s]*)*)\)")
ADDRESS = re.compile(r"https?://[^\s)>\]}\"'`]+")


def prose(path: Path) -> str:
    """The text of a page; of a notebook its markdown cells."""
    text = path.read_text(encoding="utf8")
    if path.suffix != ".ipynb":
        return text
    return "\n".join("".join(cell["source"]) for cell in json.loads(text)["cells"] if cell["cell_type"] == "markdown")


def links(path: Path) -> list[str]:
    """The targets of the page's markdown links; code and formulas hold none."""
    text = re.sub(r"```.*?```|\$\$.*?\$\$", "", prose(path), flags=re.S)
    return MARKDOWN_LINK.findall(re.sub(r"`[^`\n]*`|\$[^$\n]+\$", "", text))


def bad_links(path: Path) -> list[str]:
    """Links to files that are not there (labels are the build's to resolve)."""
    bad = []
    for target in links(path):
        name = target.split("#")[0]
        if not name or target.startswith(("http://", "https://", "mailto:")):
            continue
        there = path.parent / name
        if not any(there.with_name(there.name + ending).exists() for ending in ("", ".md", ".ipynb")):
            bad.append(target)
    return bad


def bad_addresses(path: Path) -> list[str]:
    """Addresses of other hosts that are not https or have no host."""
    bad = []
    for address in (match.rstrip(".,;:") for match in ADDRESS.findall(prose(path))):
        parts = urlsplit(address)
        if parts.scheme != "https" or not re.fullmatch(r"([\w-]+\.)+[a-z]{2,}", parts.hostname or ""):
            bad.append(address)
    return bad


@pytest.mark.parametrize("path", SOURCES, ids=lambda path: path.name)
def test_links_lead_to_files_and_addresses_are_well_formed(path: Path) -> None:
    assert bad_links(path) == []
    assert bad_addresses(path) == []


def test_bad_links_and_addresses_are_seen(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text("[a](missing.md) [b](page.md#top) [c](#label) `[d](code.md)` $[e](math)$ "
                    "<http://example.org> https://nohost https://example.org/a_(b).")
    assert bad_links(page) == ["missing.md"]
    assert bad_addresses(page) == ["http://example.org", "https://nohost"]


def test_every_chapter_is_in_the_table_of_contents() -> None:
    toc = (ROOT / "_toc.yml").read_text(encoding="utf8")
    missing = [p.name for p in (ROOT / "notebooks").glob("*.ipynb") if f"notebooks/{p.stem}\n" not in toc]
    assert missing == []


@pytest.mark.parametrize(("variable", "colour"), [("--class-minus", plotting.NEGATIVE),
                                                  ("--class-plus", plotting.POSITIVE)])
def test_class_colours_of_the_site_are_those_of_the_figures(variable: str, colour: str) -> None:
    css = (ROOT / "book/_static/course.css").read_text(encoding="utf8")
    defined = re.findall(rf"{variable}:\s*(#[0-9a-fA-F]{{6}})", css)
    assert [value.lower() for value in defined] == [colour.lower()]
    assert f"var({variable})" in css
