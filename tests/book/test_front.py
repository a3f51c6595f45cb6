"""The first page, its map and paths, and what pages say to those who have not opened them."""

from __future__ import annotations

import json
import re
from itertools import combinations
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import findable
import front
import pytest
import yaml
from chapters import contents
from test_reader import CHAPTERS, needs

ROOT = Path(__file__).resolve().parents[2]
TOC = yaml.safe_load((ROOT / "_toc.yml").read_text(encoding="utf8"))
PAGES = [TOC["root"], *(chapter["file"] for part in TOC["parts"] for chapter in part["chapters"])]
DESCRIBED = findable.described(ROOT)
MAP = front.objects(ROOT)


def number(chapter: str) -> int:
    return int(chapter[:2])


def below(chapter: str) -> set[int]:
    """All that a chapter rests on."""
    found: set[int] = set()
    for needed in needs(chapter):
        found |= {number(needed)} | below(needed)
    return found


def test_every_chapter_is_on_the_map() -> None:
    assert list(MAP) == [number(chapter) for chapter in CHAPTERS]


@pytest.mark.parametrize("form", front.BOX)
def test_an_arrow_leads_to_what_needs_it(form: str) -> None:
    rests_on = {number(chapter): below(chapter) for chapter in CHAPTERS}
    assert [(a, b) for a, b in front.arrows(ROOT, form) if a not in rests_on[b]] == []
    reached = {end for arrow in front.arrows(ROOT, form) for end in arrow}
    assert reached == set(MAP), "a box without an arrow"


@pytest.mark.parametrize("form", front.BOX)
def test_boxes_of_the_map_have_places_of_their_own(form: str) -> None:
    (width, height) = front.BOX[form]
    for a, b in combinations(MAP, 2):
        (x0, y0), (x1, y1) = front.centre(MAP[a], form), front.centre(MAP[b], form)
        assert abs(x0 - x1) >= width or abs(y0 - y1) >= height, f"{a} and {b} overlap"


def test_the_contents_are_those_that_the_chapters_give() -> None:
    assert (ROOT / "_toc.yml").read_text(encoding="utf8") == contents(), "run book/_ext/chapters.py"


def test_every_page_is_described_in_its_own_words() -> None:
    assert sorted(DESCRIBED) == sorted(PAGES)
    texts = {page: about["description"] for page, about in DESCRIBED.items()}
    assert {page: text for page, text in texts.items() if not 60 <= len(text) <= findable.MOST} == {}
    assert len(set(texts.values())) == len(texts)
    asked = [about["question"] for page, about in DESCRIBED.items() if page != TOC["root"]]
    assert all(question.endswith("?") for question in asked)
    assert len(set(asked)) == len(asked)


def app_of(tmp_path: Path, base: str, found: tuple[str, ...] = ("book/preface", "book/glossary")) -> Any:
    """What findable sees of Sphinx, with a site of a few pages."""
    for name in found:
        (tmp_path / f"{name}.html").parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / f"{name}.html").write_text("<html></html>")
    (tmp_path / "_static").mkdir()
    return SimpleNamespace(
        srcdir=str(ROOT), outdir=str(tmp_path), builder=SimpleNamespace(format="html"),
        config=SimpleNamespace(html_baseurl=base, root_doc="book/preface", html_title="Support vector machines",
                               author="us"),
        env=SimpleNamespace(titles={}, found_docs=set(found)))


def test_the_front_door_has_a_title_and_says_where_it_leads(tmp_path: Path) -> None:
    findable.write_doors(tmp_path, app_of(tmp_path, ""))
    text = (tmp_path / "index.html").read_text(encoding="utf8")
    assert "<title>Support vector machines</title>" in text
    assert DESCRIBED["book/preface"]["description"] in text
    assert 'content="0; url=book/preface.html"' in text
    assert 'property="og:image" content="_static/card.png"' in text
    assert not (tmp_path / "sitemap.xml").exists(), "a map of the site needs its address"
    assert (tmp_path / findable.CARD).read_bytes()[16:24] == bytes.fromhex("000004b000000276")    # 1200 by 630
    assert "http" not in re.sub(r"http-equiv", "", text)


@pytest.mark.browser
@pytest.mark.parametrize("theme", ["light", "dark"])
def test_a_page_that_is_not_there_can_be_read(theme: str, browser: Any, tmp_path: Path) -> None:
    from axe_playwright_python.sync_playwright import Axe

    findable.write_doors(tmp_path, app_of(tmp_path, ""))
    tab = browser.new_page(color_scheme=theme)
    tab.goto((tmp_path / "404.html").as_uri())
    found = Axe().run(tab, options={"runOnly": ["wcag2a", "wcag2aa"]})
    assert [rule["id"] for rule in found.response["violations"]] == []
    tab.close()


def test_a_site_with_an_address_has_a_map_and_absolute_links(tmp_path: Path) -> None:
    base = "https://course.example/svm/"
    app = app_of(tmp_path, base)
    findable.write_doors(tmp_path, app)
    places = re.findall(r"<loc>([^<]*)</loc>", (tmp_path / "sitemap.xml").read_text(encoding="utf8"))
    assert places == [f"{base}book/glossary.html", f"{base}book/preface.html"]
    assert f"Sitemap: {base}sitemap.xml" in (tmp_path / "robots.txt").read_text()
    assert f'rel="canonical" href="{base}book/preface.html"' in (tmp_path / "index.html").read_text(encoding="utf8")
    assert f'href="{base}book/preface.html"' in (tmp_path / "404.html").read_text(encoding="utf8")
    about = DESCRIBED["book/glossary"]
    tags = findable.open_graph(app, "book/glossary", "Glossary", about)
    assert f'"og:url" content="{base}book/glossary.html"' in tags
    assert f'content="{base}_static/card.png"' in tags


def test_a_chapter_says_what_it_is_to_machines() -> None:
    app = SimpleNamespace(srcdir=str(ROOT), config=SimpleNamespace(
        html_baseurl="", root_doc="book/preface", html_title="The course", author="us"))
    page = f"notebooks/{CHAPTERS[3]}"
    data = json.loads(json.dumps(findable.structured(app, page, "Soft margin", DESCRIBED[page])))
    text = (ROOT / f"{page}.ipynb").read_text(encoding="utf8")
    minutes = re.search(r"about (\d+) minutes\.", text)
    assert minutes
    assert data["timeRequired"] == f"PT{minutes[1]}M"
    assert data["position"] == 4
    assert data["isPartOf"] == {"@type": "Course", "name": "The course"}
    assert "url" not in data


def test_a_description_of_exercises_is_short_enough() -> None:
    title = SimpleNamespace(astext=lambda: "A very long title of a chapter, " * 3)
    app = SimpleNamespace(env=SimpleNamespace(titles={f"notebooks/{chapter}": title for chapter in CHAPTERS}))
    for chapter in CHAPTERS:
        about = findable.of_page(app, f"notebooks/exercises/{chapter}", {})
        assert 60 <= len(about["description"]) <= findable.MOST
        assert about["question"].endswith(str(number(chapter)))


def test_the_address_of_the_site_is_one_setting() -> None:
    assert yaml.safe_load((ROOT / "_config.yml").read_text(encoding="utf8"))["html"]["baseurl"] == ""
