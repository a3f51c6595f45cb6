"""A finger on a live figure: it pulls a point in any direction while the page stays, elsewhere it scrolls; two zoom."""
import math
from pathlib import Path
from typing import Any

import pytest
from live_browser import write_page
from test_live_page import Page, state_of
from test_live_room import STATES

pytestmark = [pytest.mark.browser, pytest.mark.timeout(600)]
PHONE = {"viewport": {"width": 390, "height": 700}, "has_touch": True, "is_mobile": True}
PULL = 50    # pixels
# The grip of a plane that is nearest to its middle, where the page stands, and what browsers call off.
LOOK = """(plane, k) => { const middle = (box) => [box.x + box.width / 2, box.y + box.height / 2];
  const [px, py] = middle(plane.getBoundingClientRect()); const grips = [...plane.querySelectorAll('.live-grip')];
  const at = grips.map((grip) => middle(grip.querySelector('.live-hit').getBoundingClientRect()));
  const far = at.map(([x, y]) => Math.hypot(x - px, y - py));
  const i = k ?? far.indexOf(Math.min(...far));
  return { i, x: at[i][0], y: at[i][1], scroll: scrollY, cancelled: window.cancelled }; }"""


class Fingers:
    """Emulated touch on a page of the size of a phone, with something above and below the figure."""

    def __init__(self, browser: Any, address: str, wait: str = ".live-on .live-grip") -> None:
        path = Path(address.removeprefix("file://"))
        tall = "<div style='height: 900px'></div>"
        path.write_text(path.read_text(encoding="utf8").replace("</article>", f"{tall}</article>"), encoding="utf8")
        self.page = Page(browser, address, wait=wait, **PHONE)
        self.tab = self.page.tab
        self.session = self.page.context.new_cdp_session(self.tab)
        self.tab.evaluate("""() => { window.cancelled = 0;
          addEventListener('pointercancel', () => { window.cancelled += 1; }, true); }""")

    def send(self, kind: str, *places: tuple[float, float]) -> None:
        """One event of the protocol."""
        touches = [{"x": x, "y": y, "id": k} for k, (x, y) in enumerate(places)]
        self.session.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": touches})

    def draw(self, *fingers: tuple[tuple[float, float], tuple[float, float]], rest: int = 60) -> None:
        """Each finger from one place to another, in six moves; `rest` before they are lifted."""
        self.send("touchStart", *[start for start, _ in fingers])
        for k in range(1, 7):
            self.send("touchMove", *[(x + (u - x) * k / 6, y + (v - y) * k / 6) for (x, y), (u, v) in fingers])
            self.tab.wait_for_timeout(17)
        self.tab.wait_for_timeout(rest)

    def pull(self, plane: Any, angle: float) -> tuple[float, float]:
        """Pull the grip in the middle; by how much it follows.  The page must stay, and nothing be called off."""
        before = plane.evaluate(LOOK, None)
        x, y = before["x"], before["y"]
        self.draw(((x + 2, y + 2), (x + 2 + PULL * math.cos(angle), y + 2 - PULL * math.sin(angle))))
        after = plane.evaluate(LOOK, before["i"])
        self.send("touchEnd")
        self.tab.wait_for_timeout(30)
        for what in ("scroll", "cancelled"):
            assert after[what] == before[what], f"{what} at {math.degrees(angle):.0f} degrees"
        return after["x"] - x, y - after["y"]

    def show(self, plane: Any) -> None:
        """Bring a plane below the upper edge of the screen, with room to scroll."""
        plane.evaluate("(plane) => scrollTo(0, plane.getBoundingClientRect().top + scrollY - 120)")
        self.tab.wait_for_timeout(100)


def there_and_back(count: int) -> list[float]:
    """So many directions, each followed by its opposite."""
    return [turn + math.pi * (2 * k / count) for k in range(count // 2) for turn in (0.0, math.pi)]


def test_a_finger_pulls_scrolls_and_two_zoom(browser: Any, script: str, tmp_path: Path) -> None:
    hand = Fingers(browser, write_page(tmp_path, script, state_of(30)))
    plane = hand.tab.locator(".live-plane").first
    hand.show(plane)
    for angle in there_and_back(4):
        dx, dy = hand.pull(plane, angle)
        assert (dx, dy) == pytest.approx((PULL * math.cos(angle), PULL * math.sin(angle)), abs=2)
    free = hand.tab.evaluate("""() => { const { stage } = svmlibLive.figure(document.querySelector('.live-panel'));
      for (let px = 40; px < stage.width - 40; px += 7) for (let py = 100; py < stage.height - 40; py += 7)
        if (!stage.nearest(px, py, 28)) return [px, py]; }""")
    box = plane.bounding_box()
    x, y = box["x"] + free[0], box["y"] + free[1]
    before, count = hand.tab.evaluate("scrollY"), hand.page.value("points.length")
    hand.draw(((x, y), (x, y - 80)))                                    # over the empty plane
    hand.send("touchEnd")
    hand.tab.wait_for_timeout(200)
    assert hand.tab.evaluate("scrollY") > before + 40
    hand.show(plane)
    where = plane.evaluate(LOOK, None)                                   # a finger on a point, and another
    start = hand.page.point(where["i"])
    x, y = where["x"], where["y"]
    hand.draw(((x, y), (x - 40, y)), ((x + 60, y), (x + 140, y)), rest=200)
    hand.send("touchEnd")
    hand.tab.wait_for_timeout(200)
    assert hand.tab.evaluate("visualViewport.scale") > 1.3
    assert hand.page.point(where["i"]) == start
    assert hand.page.value("points.length") == count                    # and none of all this was a click
    assert hand.page.bad == []


@pytest.mark.thorough
@pytest.mark.parametrize("kind", [kind for kind in STATES if kind != "digits"])    # which is drawn on
def test_every_figure_in_sixteen_directions(kind: str, browser: Any, script: str, tmp_path: Path) -> None:
    more = {"rule": "second order", "step": 1} if kind == "pairs" else {}   # a pair that has room on its segment
    hand = Fingers(browser, write_page(tmp_path, script, {**STATES[kind], **more, "alt": "A figure."}))
    planes = hand.tab.locator(".live-plane:has(.live-grip)")
    assert planes.count() >= 1
    for k in range(planes.count()):
        hand.show(planes.nth(k))
        follows = [max(map(abs, hand.pull(planes.nth(k), angle))) for angle in there_and_back(16)]
        assert max(follows) > 0.6 * PULL * math.sqrt(0.5)                # some handles run along a line
    assert hand.page.bad == []
