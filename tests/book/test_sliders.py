"""Figures with sliders on a built page: numbers, addresses, files, keyboard, phone, print, no script."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
import small_book

STATE = """id => { const f = document.getElementById(id);
  const seen = [...f.querySelectorAll('img')].filter((i) => i.checkVisibility());
  return {pictures: seen.map((i) => i.currentSrc), alt: seen.map((i) => i.alt),
    loaded: seen.every((i) => i.naturalWidth),
    said: [...f.querySelectorAll('input[type=range]')].map((i) => i.getAttribute('aria-valuetext')),
    chosen: [...f.querySelectorAll('input[type=radio]')].filter((i) => i.checked)
      .map((i) => i.nextElementSibling.textContent),
    text: f.querySelector('.explore-text').textContent, height: f.offsetHeight,
    width: Math.max(...seen.map((i) => i.getBoundingClientRect().right)), hash: location.hash}; }"""

pytestmark = [pytest.mark.browser, pytest.mark.timeout(600)]


@pytest.fixture(scope="module")
def page(request: pytest.FixtureRequest) -> Path:
    """The page of one chapter with one fixed figure and two that move."""
    first = small_book.first(request.config)
    assert not first.failed, first.said
    return first.site / "notebooks/01_chapter.html"


@pytest.fixture
def tab(browser: Any, request: pytest.FixtureRequest) -> Iterator[Any]:
    """A tab that notes what goes wrong and what is fetched; parameters are those of a browser context."""
    context = browser.new_context(**getattr(request, "param", {}))
    tab = context.new_page()
    tab.wrong, tab.asked = [], []
    tab.on("console", lambda m: tab.wrong.append(f"{m.text} {m.location['url']}") if m.type == "error" else None)
    tab.on("pageerror", lambda e: tab.wrong.append(str(e)))
    tab.on("request", lambda r: tab.asked.append(r.url))
    go = tab.goto
    if getattr(request, "param", {}).get("java_script_enabled", True):
        tab.goto = lambda url: (go(url), tab.wait_for_function("window.bootstrap"))     # the page's script is there
    yield tab
    assert tab.wrong == []
    assert [url for url in tab.asked if not url.startswith(("file:", "data:", "blob:"))] == []
    context.close()


def state(tab: Any, name: str) -> dict[str, Any]:
    """What a figure shows and says once its pictures are there."""
    tab.wait_for_function(f"id => ({STATE})(id).loaded", arg=name)
    return dict(tab.evaluate(STATE, name))


def address(tab: Any, hash: str) -> None:
    """Wait for the address of the page to follow."""
    tab.wait_for_function("hash => decodeURIComponent(location.hash) === hash", arg=hash, timeout=5000)


def test_figures_that_move_are_numbered_and_can_be_referred_to(page: Path) -> None:
    html = page.read_text(encoding="utf8")
    assert re.findall(r'<figure class="[^"]*explore[^"]*" id="([^"]+)"', html) == ["fig-line", "fig-walk"]
    numbers = re.findall(r'<span class="caption-number">(Fig\. [\d.]+) ?</span>', html)
    assert len(numbers) == 3
    assert f'href="#fig-walk"><span class="std std-numref">{numbers[2]}</span>' in html
    preface = (page.parents[1] / "book/preface.html").read_text(encoding="utf8")
    assert f'01_chapter.html#fig-line"><span class="std std-numref">{numbers[1]}</span>' in preface
    caption = re.search(r'id="fig-line".*?<figcaption>(.*?)</figcaption>', html, re.S)
    assert caption is not None
    assert "math notranslate" in caption[1] or "katex" in caption[1]
    assert '<span class="pre">side</span>' in caption[1]


def test_only_distinct_positions_have_frames_and_all_are_files(page: Path) -> None:
    html = page.read_text(encoding="utf8")
    named = set(re.findall(r"[0-9a-f]{16}\.svg", html))
    files = {path.name for path in (page.parents[1] / "_images/frames").iterdir()}
    assert files == named
    assert len(files) == 2 * (1 + 8 + 4)  # wide and narrow
    for path in (page.parents[1] / "_images/frames").iterdir():
        assert path.stat().st_size < 60_000
        ElementTree.parse(path)
    assert len(html) < 120_000


def test_frames_are_fetched_when_the_figure_comes_near(tab: Any, page: Path) -> None:
    tab.goto(page.as_uri())
    tab.wait_for_timeout(500)
    frames = [url for url in tab.asked if "/frames/" in url]
    assert len({url.split("#")[0] for url in frames}) == 3  # the first picture of each figure
    tab.locator("#fig-line").scroll_into_view_if_needed()
    tab.wait_for_timeout(500)
    assert len({url.split("#")[0] for url in tab.asked if "/frames/" in url}) > 5


def test_keys_move_picture_words_and_address(tab: Any, page: Path) -> None:
    tab.goto(page.as_uri())
    before = state(tab, "fig-line")
    assert before["said"] == ["2"]
    assert before["alt"] == ["A line from the origin. At C = 2, side = up: the line ends at 2"]
    entries = tab.evaluate("history.length")
    tab.locator("#fig-line input[type=range]").focus()
    tab.keyboard.press("End")
    after = state(tab, "fig-line")
    assert after["pictures"] != before["pictures"]
    assert (after["said"], after["text"]) == (["8"], "the line ends at 8")
    assert after["alt"] == ["A line from the origin. At C = 8, side = up: the line ends at 8"]
    address(tab, "#fig-line?C=8&side=up")
    tab.get_by_role("radio", name="down", exact=True).click()
    assert state(tab, "fig-line")["text"] == "the line ends at −8"
    address(tab, "#fig-line?C=8&side=down")
    assert tab.evaluate("history.length") == entries
    heights = {before["height"], after["height"], state(tab, "fig-line")["height"]}
    assert len(heights) == 1
    tab.locator("#fig-line").get_by_role("button", name="Reset").click()
    assert state(tab, "fig-line") | {"hash": ""} == before | {"hash": ""}
    address(tab, "#fig-line")


def test_two_choices_are_a_group_of_buttons(tab: Any, page: Path) -> None:
    tab.goto(page.as_uri())
    group = tab.locator("#fig-line").get_by_role("group", name="side")
    assert [group.get_by_role("radio", name=name, exact=True).is_checked() for name in ("up", "down")] == [True, False]
    group.get_by_role("radio", name="up", exact=True).focus()
    tab.keyboard.press("ArrowRight")
    assert state(tab, "fig-line")["chosen"] == ["down"]


@pytest.mark.parametrize("hash", ["#fig-line?C=8&side=down", "#fig-line?side=down&C=8.0&other=1"])
def test_an_address_leads_to_its_position(tab: Any, page: Path, hash: str) -> None:
    tab.goto(page.as_uri() + hash)
    shown = state(tab, "fig-line")
    assert (shown["said"], shown["chosen"], shown["text"]) == (["8"], ["down"], "the line ends at −8")
    tab.wait_for_function("() => { const t = document.getElementById('fig-line').getBoundingClientRect().top;"
                          " return t >= 0 && t < 200; }")


def test_an_address_that_names_no_position_leaves_the_figure_as_it_is(tab: Any, page: Path) -> None:
    tab.goto(page.as_uri() + "#fig-line?C=3&side=left")
    assert state(tab, "fig-line")["text"] == "the line ends at 2"
    tab.evaluate("location.hash = '#fig-line?C=4'")
    tab.wait_for_function("() => document.querySelector('#fig-line .explore-text').textContent.endsWith('4')")


def test_a_process_steps_plays_and_ends_where_nothing_changes(tab: Any, page: Path) -> None:
    tab.goto(page.as_uri())
    figure = tab.locator("#fig-walk")
    button = {name: figure.get_by_role("button", name=name, exact=True)
              for name in ("Play", "Pause", "Back", "Step", "Reset")}
    assert figure.locator("input").get_attribute("max") == "3"
    button["Step"].click()
    assert state(tab, "fig-walk")["text"] == "step 2 of 3"
    button["Back"].click()
    button["Back"].click()
    assert state(tab, "fig-walk")["text"] == "step 0 of 3"
    assert button["Back"].is_disabled()
    button["Play"].click()
    assert figure.locator(".explore-text").get_attribute("aria-live") == "off"
    assert button["Pause"].is_visible()
    tab.wait_for_function("() => document.querySelector('#fig-walk .explore-text').textContent === 'step 3 of 3'",
                          timeout=10_000)
    tab.wait_for_timeout(100)
    assert button["Play"].is_visible()
    assert button["Step"].is_disabled()
    assert figure.locator(".explore-text").get_attribute("aria-live") == "polite"
    address(tab, "#fig-walk?k=3")
    button["Reset"].click()
    assert state(tab, "fig-walk")["text"] == "step 1 of 3"


@pytest.mark.parametrize(("tab", "theme", "mark"), [({"color_scheme": "light"}, "light", False),
                                                    ({"color_scheme": "dark"}, "dark", True)], indirect=["tab"])
def test_each_theme_has_its_picture_and_paper_the_light_one(tab: Any, page: Path, theme: str, mark: bool) -> None:
    tab.goto(page.as_uri())
    assert tab.evaluate("document.documentElement.dataset.theme") == theme
    for name in ("fig-line", "fig-walk"):
        assert [url.endswith("#dark") for url in state(tab, name)["pictures"]] == [mark]
    tab.emulate_media(media="print")
    shown = state(tab, "fig-line")
    assert [url.endswith("#dark") for url in shown["pictures"]] == [False]
    assert tab.locator("#fig-line .explore-setting").is_visible()
    assert not tab.locator("#fig-line input").first.is_visible()


@pytest.mark.parametrize(("tab", "width"), [({"viewport": {"width": w, "height": 700}}, w) for w in (390, 320)],
                         indirect=["tab"])
def test_on_a_phone_panels_stack_and_stay_on_the_screen(tab: Any, page: Path, width: int) -> None:
    tab.goto(page.as_uri() + "#fig-walk?k=2")
    shown = state(tab, "fig-walk")
    assert shown["width"] <= width
    box = tab.locator("#fig-walk img:visible").bounding_box()
    assert 270 <= box["width"] <= 340
    assert 1.2 * box["width"] < box["height"] < 560
    slider = tab.locator("#fig-walk input").bounding_box()
    assert slider["width"] > 0.8 * box["width"]
    assert slider["y"] >= 0
    assert box["y"] + box["height"] <= 700
    assert tab.evaluate("document.documentElement.scrollWidth") <= width


@pytest.mark.parametrize("tab", [{"has_touch": True, "viewport": {"width": 390, "height": 700}}], indirect=True)
def test_touch_moves_a_slider(tab: Any, page: Path) -> None:
    tab.goto(page.as_uri() + "#fig-line?C=2")
    box = tab.locator("#fig-line input[type=range]").bounding_box()
    tab.touchscreen.tap(box["x"] + 0.98 * box["width"], box["y"] + box["height"] / 2)
    assert state(tab, "fig-line")["said"] == ["8"]


@pytest.mark.parametrize("tab", [{"java_script_enabled": False}], indirect=True)
def test_without_a_script_the_first_picture_and_its_setting_are_there(tab: Any, page: Path) -> None:
    tab.goto(page.as_uri())
    figure = tab.locator("#fig-line")
    assert figure.locator("img:visible").count() == 1
    assert figure.locator("img:visible").bounding_box()["height"] > 100
    assert figure.locator(".explore-setting").inner_text() == "C = 2, side = up"
    assert not figure.locator("input").first.is_visible()
    # The page asks for its fonts early, which a file is refused; the style sheet brings them.
    tab.wrong[:] = [message for message in tab.wrong if ".woff2" not in message]


@pytest.mark.parametrize("tab", [{"color_scheme": s} for s in ("light", "dark")], indirect=True)
def test_axe_finds_nothing_in_the_figures(tab: Any, page: Path) -> None:
    from axe_playwright_python.sync_playwright import Axe

    tab.goto(page.as_uri())
    found = Axe().run(tab, context={"include": [["figure"]]}).response["violations"]
    tab.wrong.clear()   # axe asks for the style sheets of a file, which a browser refuses
    assert {v["id"]: [n["html"] for n in v["nodes"]] for v in found} == {}
