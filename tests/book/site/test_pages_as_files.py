"""What holds on all pages and is a fact of files: each page is read once, without a browser, in seconds."""

from __future__ import annotations

import gzip
import json
import re
from collections import Counter
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import nbformat
import pytest
from browsing import ALL, CHAPTERS, MARKS, ROOT, STORIES
from complaints import COMPLAINTS, HOST, Site, addresses
from freshness import CACHE, inputs_of, prepared
from jupyter_cache import get_cache
from markup import Page
from test_downloads import edition, without_check

pytestmark = MARKS
HEAVIEST = {True: 600, False: 350}      # kB of a chapter before a slider moves, of another page
SEARCH = 400                            # kB of the search page, which holds the words of all others
#: What scripts, style sheets and pictures name and do not fetch: the name of SVG, homes of what scripts come from.
NAMED = ("//www.w3.org/", "//pydata-sphinx-theme.readthedocs.io/", "//clipboardjs.com/", "//creativecommons.org/")
Complaint = Callable[[Site, Page], list[str]]


@pytest.fixture(scope="module")
def files(site: Path) -> Site:
    """All pages, each read once."""
    return Site(site, [*ALL, "index", "404"], executed)


def executed(page: str) -> Any:
    """The notebook of a page, with the outputs that the build has taken from the cache."""
    path, kept = ROOT / f"{page}.ipynb", get_cache(ROOT / CACHE)
    notebook = nbformat.reads(prepared(path, inputs_of(ROOT), path.read_text(encoding="utf8")), as_version=4)
    return kept.get_cache_bundle(kept.match_cache_notebook(notebook).pk).nb


@pytest.mark.parametrize("complaint", COMPLAINTS, ids=lambda complaint: complaint.__name__)
def test_no_page_has(files: Site, complaint: Complaint) -> None:
    assert {name: found for name, page in files.pages.items() if (found := complaint(files, page))} == {}


def test_no_two_pages_have_the_same_title(files: Site) -> None:
    titles = Counter(files.pages[name].find("title")[0].text() for name in ALL)
    assert [title for title, count in titles.items() if count > 1] == []


def foreign(path: Path) -> list[str]:
    """Hosts that a script, a style sheet or a picture names, but for those of NAMED."""
    text = re.sub(r"/\*! Bundled license.*?\*/", "", path.read_text(encoding="utf8"), flags=re.S)      # only comments
    return [host for host in HOST.findall(text) if not host.partition(":")[2 if "://" in host else 0].startswith(NAMED)]


def test_scripts_styles_and_pictures_ask_no_other_host(site: Path) -> None:
    static, pictures = site / "_static", site / "_images"
    loaded = [static / "bundle.css", static / "bundle.js", static / "design-tabs.js", *static.glob("live/*.js"),
              static / "search" / "search.js", *static.glob("*.svg"), *pictures.rglob("*.svg")]
    assert {path.name: found for path in loaded if (found := foreign(path))} == {}


def test_pages_are_light(files: Site) -> None:
    """All that a page fetches by itself, as a server packs it, with the pictures further down that come later."""
    @cache
    def packed(path: Path) -> int:
        body = path.read_bytes()
        return min(len(body), len(gzip.compress(body, 6)))

    heavy = {}
    for name in ALL:
        page = files.pages[name]
        paths = {files.file(page, ""), *(files.file(page, address) for address in fetched(page))}
        weight = sum(map(packed, paths)) / 1000
        if weight > (SEARCH if name == "search" else HEAVIEST[name in CHAPTERS or name in STORIES]):
            heavy[name] = weight
    assert heavy == {}


def fetched(page: Page) -> list[str]:
    """What a wide and light page asks for: style sheet, scripts, fonts, pictures, what moves its figures."""
    found = [value for element, name, value in addresses(page)
             if (element.tag, name) in (("script", "src"), ("img", "src"))
             or (element.tag == "link" and element.get("rel") in ("stylesheet", "preload", "icon"))]
    found += [element.get("data-script") for element in page.elements if element.get("data-script")]
    return [address for address in found if not urlsplit(address).scheme]


@pytest.mark.parametrize("page", CHAPTERS)
def test_a_chapter_offers_its_notebook(files: Site, page: str) -> None:
    [button] = [link for link in files.pages[page].find("a") if link.has("btn-download-source-button")
                and link.get("href").endswith(".ipynb")]
    assert without_check(files.file(files.pages[page], button.get("href"))) == edition(page)


@pytest.mark.parametrize("page", CHAPTERS)
def test_each_call_of_explore_has_become_a_figure_with_sliders(files: Site, page: str) -> None:
    cells = json.loads((ROOT / f"{page}.ipynb").read_text(encoding="utf8"))["cells"]
    code = "\n".join("".join(cell["source"]) for cell in cells if cell["cell_type"] == "code")
    figures = [figure for figure in files.pages[page].find("figure") if figure.has("explore")]
    assert len(figures) == len(re.findall(r"\bexplore\(", code))


GOOD = """<!DOCTYPE html><html lang="en"><head><title>A page</title><meta name="viewport" content="width=device-width">
<script>document.documentElement.dataset.mode = "auto"</script><link rel="stylesheet" href="../style.css">
<link rel="preload" as="script" href="../bundle.js"></head><body><nav aria-label="Pages"><ul><li>
<a href="preface.html#here">Here</a></li></ul></nav><main><article class="bd-article"><h1>A page</h1>
<p id="here">Text</p><button title="Menu"></button><h2>Section</h2><figure class="explore" id="fig">
<label for="fig-C">C</label><input id="fig-C" type="range" max="2"><img src="../one.svg" alt="A line">
<script type="application/json">
{"base": "..", "files": [["one.svg"], ["two.svg"]], "frameOf": [0, 1, 1], "texts": ["a", "b", "c"], "sliders":
[{"name": "C", "label": "C", "keys": ["1", "2", "3"], "texts": ["1", "2", "3"], "start": 0}]}</script></figure>
</article></main></body></html>"""
FRAMES = {"one.svg": "<svg>one</svg>", "two.svg": "<svg>two</svg>"}
FAULTS = [
    ("fetched_from_elsewhere", 'src="../one.svg"', 'src="https://cdn.example.org/one.svg"'),
    ("fetched_from_elsewhere", 'href="../style.css"', 'href="//fonts.example.org/style.css"'),
    ("fetched_from_elsewhere", 'dataset.mode = "auto"', 'dataset.mode = fetch("https://example.org/mode")'),
    ("fetched_from_elsewhere", '<p id="here">', '<p id="here" style="background: url(http://example.org/x.png)">'),
    ("pictures_without_words", 'alt="A line"', 'alt=" "'),
    ("pictures_without_words", 'alt="A line"', 'alt="../_images/one.png"'),
    ("tex_left_over", ">Text<", r">An $\alpha$ in the text<"),
    ("tex_left_over", ">Text<", r">An \alpha in the text<"),
    ("tex_left_over", ">Text<", r">An \(a\) in the text<"),
    ("broken_links", "preface.html#here", "prefaec.html#here"),
    ("broken_links", "preface.html#here", "preface.html#there"),
    ("broken_links", 'src="../one.svg"', 'src="../three.svg"'),
    ("text_kept_waiting", '"auto"</script>', '"auto"</script><script src="../bundle.js"></script>'),
    ("text_kept_waiting", '"auto"</script>', '"auto"</script><link rel="stylesheet" href="../style.css">'),
    ("text_kept_waiting", '"auto"', '"' + 3000 * "a" + '"'),
    ("text_kept_waiting", ">Text<", "><script>for (let end = Date.now() + 3000; Date.now() < end;);</script><"),
    ("without_name", ">Here<", "> <"),
    ("without_name", 'title="Menu"', ""),
    ("without_name", 'for="fig-C"', ""),
    ("headings_out_of_order", "<h2>Section</h2>", "<h3>Section</h3>"),
    ("headings_out_of_order", "<h2>Section</h2>", "<h1>Section</h1>"),
    ("headings_out_of_order", "<h2>Section</h2>", "<h2></h2>"),
    ("parts_out_of_place", "main>", "div>"),
    ("parts_out_of_place", 'lang="en"', 'lang="de"'),
    ("parts_out_of_place", "</nav>", '</nav><nav aria-label="Pages"></nav>'),
    ("parts_out_of_place", "width=device-width", "width=device-width, user-scalable=no"),
    ("torn_markup", "</p>", ""),
    ("torn_markup", '<h2>Section', '<h2 id="here">Section'),
    ("torn_markup", '<p id="here">Text</p>', '<p id="here">Text</p><li>Text</li>'),
    ("torn_markup", 'title="Menu"', 'title="Menu" aria-controls="menu"'),
    ("idle_tab_stops", '<p id="here">', '<p id="here" tabindex="0">'),
    ("idle_tab_stops", 'title="Menu"', 'title="Menu" tabindex="2"'),
    ("idle_tab_stops", '<input id="fig-C"', '<input id="fig-C" tabindex="-1"'),
    ("frames_of_others", "[0, 1, 1]", "[1, 0, 1]"),
    ("frames_of_others", "[0, 1, 1]", "[0, 1]"),
    ("frames_of_others", "<svg>two</svg>", "<svg>one</svg>"),
    ("frames_of_others", '["a", "b", "c"]', '["a", "c", "b"]'),
    ("frames_of_others", 'src="../one.svg"', 'src="../two.svg"'),
    ("frames_of_others", 'max="2"', 'max="1"'),
]


def small(top: Path, before: str = "", after: str = "") -> Site:
    """A site of one page, in which something else stands in the place of what stood there."""
    files = {"book/preface.html": GOOD, "bundle.js": "", "style.css": "", **FRAMES}
    for path, text in ((top / "html" / name, text) for name, text in files.items()):
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text.replace(before, after) if before else text, encoding="utf8")
    table = json.loads(re.findall('json">(.*?)</script>', GOOD, re.S)[0])
    parcel = {"kind": "explore", "default": 0, "frames": [[svg] for svg in FRAMES.values()],
              **{name: table[name] for name in ("frameOf", "texts", "sliders")}}
    output = {"data": {"text/html": f'<script type="application/vnd.svmlib+json">{json.dumps(parcel)}</script>'}}
    return Site(top / "html", ["book/preface"], lambda page: {"cells": [{"outputs": [output]}]})


def wrong(site: Site) -> set[str]:
    """What is found in a small site."""
    return {complaint.__name__ for complaint in COMPLAINTS if complaint(site, site.pages["book/preface"])}


@pytest.mark.parametrize(("complaint", "before", "after"), FAULTS)
def test_each_fault_is_seen(tmp_path: Path, complaint: str, before: str, after: str) -> None:
    assert wrong(small(tmp_path)) == set()
    assert complaint in wrong(small(tmp_path, before, after))


def test_each_complaint_has_a_fault() -> None:
    assert {name for name, _, _ in FAULTS} == {complaint.__name__ for complaint in COMPLAINTS}


@pytest.mark.parametrize("text", ['fetch("https://example.org/a")', "@import '//example.org/b.css'",
                                  '<svg xmlns="http://www.w3.org/2000/svg"><image href="http://example.org/c.png"/>'])
def test_another_host_is_seen_in_a_file(tmp_path: Path, text: str) -> None:
    (tmp_path / "file").write_text(text.replace("example.org", "www.w3.org"), encoding="utf8")
    assert foreign(tmp_path / "file") == []
    (tmp_path / "file").write_text(text, encoding="utf8")
    assert len(foreign(tmp_path / "file")) == 1
