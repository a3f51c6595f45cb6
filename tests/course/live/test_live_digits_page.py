"""The canvas of chapter 15 in Chromium: by mouse, by keyboard, by finger; dark, on a phone, from a disk."""
from pathlib import Path
from typing import Any

import live_figures
import pytest
from live_browser import write_page
from test_live_room import STATES
from test_live_touch import Fingers

pytestmark = [pytest.mark.browser, pytest.mark.timeout(300)]
STATE = {"alt": "A canvas.", **STATES["digits"]}


def opened(browser: Any, folder: Path, script: str, width: int, theme: str) -> tuple[Any, list[str]]:
    """A page with the canvas, when the machine is there, and a list for what goes wrong."""
    tab = browser.new_page(viewport={"width": width, "height": 1600})
    bad: list[str] = []
    tab.on("pageerror", lambda error: bad.append(str(error)))
    tab.on("request", lambda asked: None if asked.url.startswith(("file:", "data:")) else bad.append(asked.url))
    tab.goto(write_page(folder, script, STATE, theme))
    tab.wait_for_selector(".live-on .live-framed")
    return tab, bad


def strokes(tab: Any, *lines: list[tuple[float, float]]) -> None:
    """Draw by mouse, in parts of the canvas."""
    box = tab.locator(".live-stage canvas").bounding_box()
    for line in lines:
        places = [(box["x"] + x * box["width"], box["y"] + y * box["height"]) for x, y in line]
        tab.mouse.move(*places[0])
        tab.mouse.down()
        for place in places[1:]:
            tab.mouse.move(*place, steps=4)
        tab.mouse.up()


def reads(tab: Any, words: str, spoken: bool = False) -> None:
    """Wait until the sentence begins so, and where it matters until it is spoken."""
    tab.wait_for_function("words => document.querySelector('.live-proof').textContent.startsWith(words)", arg=words)
    if spoken:
        tab.wait_for_function("words => document.querySelector('.live-said').textContent.startsWith(words)", arg=words)


@pytest.mark.parametrize(("width", "theme"), [(390, "dark"), pytest.param(1280, "light", marks=pytest.mark.thorough),
                                              pytest.param(320, "light", marks=pytest.mark.thorough)])
def test_a_digit_by_mouse_and_by_keyboard(browser: Any, script: str, tmp_path: Path, width: int, theme: str) -> None:
    tab, bad = opened(browser, tmp_path, script, width, theme)
    reads(tab, "It reads a 7: 9 votes. Next is 9 with 8.", spoken=True)
    strokes(tab, [(0.5, 0.15), (0.48, 0.5), (0.46, 0.85)])                  # the seven makes room for a one
    reads(tab, "It reads a 1: 9 votes.")
    assert tab.locator(".live-framed").count() == 9
    assert tab.locator(".live-choice select").input_value() == ""
    strokes(tab, [(0.46, 0.85), (0.46, 0.86)], [(0.2, 0.2), (0.25, 0.5), (0.75, 0.5)])
    reads(tab, "It reads a 4")                                            # and more strokes make a four of it
    tab.get_by_role("button", name="Clear").click()
    reads(tab, "Draw a digit.")
    assert tab.locator(".live-framed").count() == 0
    tab.locator(".live-choice select").select_option("an eight")
    reads(tab, "It reads an 8: 9 votes.", spoken=True)
    pen = tab.locator(".live-slider input")
    pen.focus()
    total = int(pen.get_attribute("max"))
    tab.keyboard.press("Home")
    reads(tab, "Draw a digit.")
    tab.keyboard.press("ArrowRight")
    tab.wait_for_selector(f'input[aria-valuetext="1 of {total} points"]')
    tab.keyboard.press("End")
    reads(tab, "It reads an 8: 9 votes.")
    assert tab.evaluate("document.documentElement.scrollWidth") == width
    assert bad == []
    tab.close()


def test_other_pages_load_neither_code_nor_machine(script: str) -> None:
    state = {**STATES["walls"], "alt": "A room."}
    assert "svmlibReader" not in script
    assert "data-apart" not in live_figures.panel_html(".", "figures.js", state, [("drawn.svg", 3, 2)], "")
    assert 'data-apart="digits"' in live_figures.panel_html(".", "figures.js", STATE, [("drawn.svg", 3, 2)], "")


@pytest.mark.thorough
def test_a_finger_draws_on_the_canvas_and_scrolls_beside_it(browser: Any, script: str, tmp_path: Path) -> None:
    hand = Fingers(browser, write_page(tmp_path, script, STATE), wait=".live-on .live-framed")
    hand.show(hand.tab.locator(".live-stage").first)
    box = hand.tab.locator(".live-stage canvas").bounding_box()
    top = hand.tab.evaluate("scrollY")
    x, y = box["x"] + 0.5 * box["width"], box["y"]
    hand.draw(((x, y + 0.15 * box["height"]), (x - 10, y + 0.85 * box["height"])))
    hand.send("touchEnd")
    reads(hand.tab, "It reads a 1")
    assert hand.tab.evaluate("[scrollY, cancelled]") == [top, 0]
    below = hand.tab.locator(".live-text").bounding_box()
    hand.draw(((x, below["y"]), (x, below["y"] - 150)))
    hand.send("touchEnd")
    assert hand.tab.evaluate("scrollY") > top + 50
    reads(hand.tab, "It reads a 1")
