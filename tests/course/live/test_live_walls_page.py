"""The room of chapter 11 in Chromium: buttons, mouse, keys; words and colours of a wall that would have to pull."""
from pathlib import Path
from typing import Any

import pytest
from live_browser import write_page
from test_live_hard_margin_page import drag, rest
from test_live_room import STATES

pytestmark = [pytest.mark.browser, pytest.mark.timeout(300)]


def test_hold_slide_let_go_by_button_mouse_and_key(browser: Any, script: str, tmp_path: Path) -> None:
    tab = browser.new_page(viewport={"width": 390, "height": 1000})
    bad: list[str] = []
    tab.on("pageerror", lambda error: bad.append(str(error)))
    tab.goto(write_page(tmp_path, script, {"alt": "A room.", **STATES["walls"]}, "dark"))
    tab.wait_for_selector(".live-on .live-grip", state="attached")
    proof = tab.locator(".live-proof")
    assert "hold walls 3 and 5: λ₃ = −2, λ₅ = −1. Wall 3 would have to pull" in proof.inner_text()
    assert tab.locator(".live-wall.live-pulls").count() == tab.locator(".live-push.live-pulls").count() == 2
    turn = tab.get_by_role("button", name="Take a turn")
    turn.click()
    assert "hold wall 5: λ₅ = −5. You can slide the whole way." in proof.inner_text()
    turn.click()
    assert "at (1, 0), 2.5 from the cross" in proof.inner_text()
    tab.get_by_role("button", name="To the end").click()
    assert "at (1.4, 1.7), 0.894 from the cross, and hold wall 1: λ₁ = 0.8. No wall pulls" in rest(tab)
    assert turn.is_disabled()
    assert tab.locator(".live-pulls").count() == 0
    assert tab.locator(".live-wall.live-held").count() == 1
    assert "You stand at" in drag(tab, ".live-grip .live-hit", 0, 170)      # into the room: wall 1 would have to pull
    assert "Wall 1 would have to pull: let go of it." in proof.inner_text()
    assert tab.locator(".live-wall.live-pulls").count() == 1
    turn.click()
    turn.click()
    assert "Nothing is in the way." in proof.inner_text()
    tab.locator(".live-grip").focus()
    tab.keyboard.press("ArrowLeft")
    assert "Nothing is in the way." in proof.inner_text()       # nothing is held: you follow the cross
    tab.get_by_role("button", name="Start again").click()
    assert "hold walls 3 and 5" in proof.inner_text()
    assert tab.evaluate("document.documentElement.scrollWidth") == 390
    assert bad == []
    tab.close()
