"""That a glance and a visit see what is wrong: on small pages with a fault each."""

from __future__ import annotations

import time
from typing import Any

import pytest
import visiting
from browsing import MARKS, ROOT
from slider_figures import panel_html

from svmcourse.shared.frames import Slider

pytestmark = MARKS
ADDRESS = "http://page.test"
GOOD = """<!DOCTYPE html><html lang="en"><title>A page</title><link rel="icon" href="data:,"><link rel="stylesheet"
href="/style.css"><body><main class="bd-main"><article class="bd-article"><h1>A page</h1><p>Text</p>
<div class="math display" id="f"><div class="formula" style="width: 300px; overflow: auto">a = b</div></div>
</article></main><script>window.bootstrap = 1</script></body></html>"""
FAULTS = [
    ("foreign", "a = b", 'a <img src="http://cdn.test/a.png" alt="a">'),
    ("missing", "a = b", 'a <img src="/missing.png" alt="a">'),
    ("errors", "window.bootstrap", "setTimeout(() => nothing.there); window.bootstrap"),
    ("no_alt", "a = b", 'a <img src="/a.png" alt="">'),
    ("raw_math", "Text", "An $\\alpha$ in the text"),
    ("cut_formulas", "a = b", '<div style="width: 400px">a = b</div>'),
    ("overflow", "<p>", '<p style="width: 500px">'),
    ("idle_stops", "<p>", '<p tabindex="0">'),
]


def seen(browser: Any, page: str, seconds: float = 0.0) -> dict[str, Any]:
    """What a glance sees on a page whose style sheet takes some time."""
    context = browser.new_context(**visiting.LAPTOP)

    def answer(route: Any) -> None:
        path = route.request.url.removeprefix(ADDRESS)
        if path == "/style.css":
            time.sleep(seconds)
        body = page if path == "/page.html" else ""
        route.fulfill(status=404 if path == "/missing.png" else 200, body=body,
                      content_type="text/css" if path == "/style.css" else "text/html")

    context.route("**/*", answer)
    found = visiting.faults("page", visiting.glance(context, ADDRESS, "page"))
    context.close()
    return found


@pytest.mark.parametrize(("fault", "before", "after"), FAULTS, ids=[fault for fault, _, _ in FAULTS])
def test_each_fault_is_seen_at_a_glance(browser: Any, fault: str, before: str, after: str) -> None:
    assert fault in seen(browser, GOOD.replace(before, after, 1))


def test_a_glance_sees_nothing_on_a_good_page(browser: Any) -> None:
    assert seen(browser, GOOD) == {}


def test_a_text_that_comes_late_is_seen(browser: Any) -> None:
    assert "text" in seen(browser, GOOD, seconds=visiting.LATE + 0.5)


@pytest.mark.parametrize(("before", "after", "dead"), [
    ("", "", False),
    ("frame = (where) => data.frameOf[point(where)]", "frame = (where) => 2 - data.frameOf[point(where)]", True),
    ("const line = data.texts[point(at)]", "const line = data.texts[0]", True),
])
@pytest.mark.parametrize("every", [True, False])
def test_a_slider_that_shows_another_position_is_seen(browser: Any, before: str, after: str, dead: bool,
                                                      every: bool) -> None:
    script = (ROOT / "book/_static/explore.js").read_text(encoding="utf8")
    assert before in script
    slider = Slider("C", "C", "", (1, 2, 3), 0)
    content = {"sliders": [{"name": "C", "label": "C", "keys": slider.keys, "texts": slider.texts, "start": 0}],
               "default": 0, "frameOf": [0, 1, 2], "texts": ["one", "two", "three"], "sizes": [(300, 200)],
               "alt": "A line", "setting": "C = 1", "process": None}
    panel = panel_html("/frames", "fig-line", [["a.svg"], ["b.svg"], ["c.svg"]], content)
    tab = browser.new_page()
    tab.route("**/*", lambda route: route.fulfill(content_type="image/svg+xml", body="<svg/>"))
    tab.set_content('<style>.dark-form { display: none }</style>'
                    f'<figure class="explore" id="fig-line">{panel}</figure>'
                    f"<script>{script.replace(before, after) if before else script}</script>")
    notes = visiting.Visit()
    visiting.try_sliders(tab, notes, every=every)
    tab.close()
    assert notes.sliders == 1
    assert bool(notes.dead_sliders) == dead, notes.dead_sliders
