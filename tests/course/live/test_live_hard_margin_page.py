"""The figures of chapters 1 to 3 in Chromium: mouse, finger, keyboard, words, narrow and dark pages."""
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from live_browser import write_page

from svmcourse import live
from svmlib import SVC
from svmlib.data import separable_blobs, xs_linear
from svmlib.kernels import Linear

pytestmark = [pytest.mark.browser, pytest.mark.timeout(600)]
X, Y = separable_blobs(seed=0)
FORTY, LABELS = xs_linear()
WITH, OF_WITH = np.vstack([FORTY, [0.26, 0.05]]), np.append(LABELS, -1.0)
STATES: dict[str, dict[str, Any]] = {
    "turn": live.points_state(X, Y, kind="turn", angle=75),
    "unknowns": {"kind": "unknowns", "x": [0, 1, 3, 4], "labels": [-1, -1, 1, 1], "hand": [2.2, -4.2],
                 "limits": [-1, 5, -3.4, 3.4], "unknowns": [-0.6, 3.2, -7, 3]},
    "without": live.points_state(WITH, OF_WITH, kind="hard", shows=["without"], held=40),
    "hulls": live.points_state(FORTY, LABELS, kind="hard", shows=["hulls"]),
    "forces": live.points_state(*separable_blobs(seed=1), kind="hard", shows=["forces"]),
}
FIGURE = "svmlibLive.figure(document.querySelector('.live-panel'))"


@pytest.fixture
def shown(browser: Any, script: str, tmp_path: Path) -> Iterator[Any]:
    """A function that shows one of the figures; what goes wrong there fails the test."""
    bad: list[str] = []
    contexts = []

    def show(name: str, theme: str = "light", width: int = 1280, **options: Any) -> Any:
        contexts.append(browser.new_context(viewport={"width": width, "height": 1000}, **options))
        tab = contexts[-1].new_page()
        tab.on("pageerror", lambda error: bad.append(str(error)))
        tab.goto(write_page(tmp_path, script, {**STATES[name], "alt": "A figure."}, theme))
        tab.wait_for_selector(".live-on .live-grip", state="attached")
        return tab

    yield show
    for context in contexts:
        context.close()
    assert bad == []


def middle(tab: Any, selector: str) -> tuple[float, float]:
    """Where something is on the screen."""
    tab.locator(selector).first.scroll_into_view_if_needed()
    box = tab.locator(selector).first.bounding_box()
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def drag(tab: Any, selector: str, dx: float, dy: float) -> str:
    """Pull something by the mouse; what is said when it has come to rest."""
    x, y = middle(tab, selector)
    tab.mouse.move(x, y)
    tab.mouse.down()
    tab.mouse.move(x + dx, y + dy, steps=6)
    tab.mouse.up()
    return rest(tab)


def rest(tab: Any) -> str:
    """What the live region says when the figure has come to rest; on a busy machine it comes later."""
    for milliseconds in (700, *[200] * 20):
        tab.wait_for_timeout(milliseconds)
        if said := str(tab.locator(".live-said").text_content()):
            break
    return said


def test_the_arrow_turns_and_the_solver_shows_the_widest(shown: Any) -> None:
    tab = shown("turn", reduced_motion="reduce")
    assert "the band is" in drag(tab, ".live-grip .live-hit", 60, 40)
    assert "widest so far" in tab.locator(".live-over text").last.text_content()
    before = float(tab.locator(".live-grip").get_attribute("aria-valuenow"))
    tab.locator(".live-grip").focus()
    tab.keyboard.press("ArrowLeft")
    tab.keyboard.press("Shift+ArrowDown")
    assert float(tab.locator(".live-grip").get_attribute("aria-valuenow")) == pytest.approx(before + 0.8)
    tab.get_by_role("button", name="Turn to the widest").click()
    machine = SVC(Linear(), C=np.inf, tol=1e-8).fit(X, Y)
    assert f"solver's band is {2 * machine.margin_:.4g} wide, proved to be within" in rest(tab)
    best = np.degrees(np.arctan2(*machine.coef_[0][::-1]))
    assert float(tab.locator(".live-grip").get_attribute("aria-valuenow")) == pytest.approx(best, abs=0.06)


def test_a_point_of_the_line_takes_its_constraint_along(shown: Any) -> None:
    tab = shown("unknowns")
    said = drag(tab, ".live-point:nth-child(1) .live-hit", -30, 0)      # an outer point: the star stays
    assert "w = 1, b = −2, costs 0.5" in said
    assert "·10⁻" in said               # for an ear "10−16" is a range
    assert "10−" not in said
    star = tab.locator(".live-star").get_attribute("d")
    said = drag(tab, ".live-point:nth-child(2) .live-hit", 40, 0)       # an inner one: it does not
    assert "w = 1, b" not in said
    assert tab.locator(".live-star").get_attribute("d") != star
    tab.get_by_role("button", name="To the star").click()
    assert "Your (w, b) is allowed" in rest(tab)
    assert "is not allowed" in drag(tab, ".live-your-point", -40, 0)
    assert "No (w, b) satisfies all" in drag(tab, ".live-point:nth-child(2) .live-hit", 200, 0)


def test_a_point_far_off_changes_nothing_and_one_across_ends_it(shown: Any) -> None:
    tab = shown("without")
    before = tab.locator(".live-boundary").get_attribute("d")
    assert "Point 41 does not hold it" in drag(tab, ".live-marked .live-hit", -120, 0)
    assert tab.locator(".live-boundary").get_attribute("d") == tab.locator(".live-ghost").get_attribute("d") != before
    assert "No line separates" in drag(tab, ".live-marked .live-hit", 300, 0)
    tab.keyboard.press("Delete")
    assert "Point removed" in rest(tab)
    assert tab.locator(".live-point").count() == 40
    tab.get_by_role("button", name="Start again").click()
    assert "Point 41 holds it" in rest(tab)
    assert tab.locator(".live-boundary").get_attribute("d") == before


def test_bridge_and_band_stay_together(shown: Any) -> None:
    tab = shown("hulls")
    for dx, dy in ((-20, -50), (40, 30), (0, 60)):
        drag(tab, ".live-free .live-hit", dx, dy)
        bridge, length = tab.evaluate(f"[{FIGURE}.machine.bridge.length, {FIGURE}.machine.length]")
        assert bridge == pytest.approx(2 / length, rel=1e-6)
        assert tab.locator(".live-bridge").get_attribute("d")
    assert "hulls overlap" in drag(tab, ".live-free.live-plus .live-hit", -250, 0)
    assert not tab.locator(".live-bridge").get_attribute("d")


def test_the_plank_is_balanced_after_every_step(shown: Any) -> None:
    tab = shown("forces")
    tab.locator(".live-free.live-plus").focus()
    for key in ("ArrowRight", "ArrowDown", "ArrowDown", "Shift+ArrowRight", "ArrowDown"):
        tab.keyboard.press(key)
        assert "Class +1 pushes with" in rest(tab)
        rows = tab.locator(".live-table tbody tr").all_inner_texts()
        assert rows[-1].split() == ["sum", "0", "0"]
        assert len(rows) - 1 == tab.locator(".live-plank-view .live-force").count()
        assert len(rows) - 1 == tab.locator(".live-forces .live-force").count()


@pytest.mark.parametrize(("name", "selector"), [
    ("turn", ".live-grip .live-hit"), ("hulls", ".live-free .live-hit"),
    *(pytest.param(name, selector, marks=pytest.mark.thorough) for name, selector in (
        ("unknowns", ".live-your-point"), ("unknowns", ".live-point .live-hit"), ("forces", ".live-free .live-hit")))])
def test_by_finger(name: str, selector: str, shown: Any) -> None:
    tab = shown(name, width=390, has_touch=True, is_mobile=True)
    before = tab.locator(".live-proof").text_content()
    x, y = middle(tab, selector)
    finger = tab.context.new_cdp_session(tab)
    for k in range(6):
        finger.send("Input.dispatchTouchEvent", {"type": "touchMove" if k else "touchStart",
                                                 "touchPoints": [{"x": x + 8 * k, "y": y + 3 * k}]})
    finger.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
    rest(tab)
    assert abs(middle(tab, selector)[0] - x) > 5
    if selector != ".live-point .live-hit":             # which moves, and carries nothing: the line stays
        assert tab.locator(".live-proof").text_content() != before


@pytest.mark.parametrize(("name", "width", "theme"), [
    pytest.param(name, width, theme, marks=() if width == (320, 390)[k % 2] else pytest.mark.thorough)
    for k, name in enumerate(STATES) for width, theme in ((1280, "light"), (390, "dark"), (320, "light"))])
def test_accessible_and_no_wider_than_the_page(width: int, theme: str, name: str, shown: Any) -> None:
    from axe_playwright_python.sync_playwright import Axe

    tab = shown(name, theme, width)
    rest(tab)
    assert tab.evaluate("document.documentElement.scrollWidth") <= width
    found = Axe().run(tab, options={"runOnly": ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"]})
    assert [(rule["id"], rule["nodes"][0]["html"][:200]) for rule in found.response["violations"]] == []
    small = tab.evaluate("""() => [...document.querySelectorAll('.live-root :is(button, summary, .live-hit)')]
      .filter((e) => e.checkVisibility()).map((e) => e.getBoundingClientRect())
      .filter((box) => Math.min(box.width, box.height) < 24).length""")
    assert small == 0
