"""Reading by keyboard, in large letters, with a reader's own spacing, in light and dark."""

from __future__ import annotations

from typing import Any

from browsing import CHAPTERS, DRAWN, MARKS, TOO_WIDE, settle, violations

pytestmark = MARKS


def test_formulas_and_code_are_accessible(browser: Any, address: str) -> None:
    """On one page that has both and is short; elsewhere axe looks at one of each."""
    tab = browser.new_page()
    settle(tab, f"{address}/notebooks/exercises/02_hard_margin.html")
    assert min(tab.locator(place).count() for place in (".katex", "div.math.display", "pre span[class]")) > 0
    assert violations(tab) == {}
    tab.close()


def test_text_at_twice_its_size_fits(browser: Any, address: str) -> None:
    tab = browser.new_page(viewport={"width": 1280, "height": 900})
    for page in (*CHAPTERS[:2], "book/notation"):
        settle(tab, f"{address}/{page}.html")
        tab.add_style_tag(content="html { font-size: 200% }")
        tab.evaluate(DRAWN)
        assert tab.evaluate(TOO_WIDE) == []
    tab.close()


def test_what_grows_too_wide_becomes_a_tab_stop(browser: Any, address: str) -> None:
    """A reader's own spacing of letters makes formulas and tables wider, and their places neither wider nor higher."""
    tab = browser.new_page(viewport={"width": 390, "height": 900})
    settle(tab, f"{address}/{CHAPTERS[5]}.html")
    scrolling = """() => [...document.querySelectorAll('.bd-article :is(.formula, .table-scroll, .table-wrapper)')]
        .filter(block => block.checkVisibility() && block.scrollWidth > block.clientWidth + 1)
        .map(block => block.tabIndex)"""
    before = tab.evaluate(scrolling)
    tab.add_style_tag(content=".bd-article * { letter-spacing: .12em; word-spacing: .16em; }")
    tab.evaluate(DRAWN)
    after = tab.evaluate(scrolling)
    assert len(after) > len(before) > 0
    assert set(before) == set(after) == {0}
    tab.close()


def test_focus_is_seen(browser: Any, address: str) -> None:
    tab = browser.new_page(viewport={"width": 1280, "height": 900})
    settle(tab, f"{address}/{CHAPTERS[0]}.html")
    unseen = []
    for _ in range(40):
        tab.keyboard.press("Tab")
        seen = tab.evaluate("""() => { const e = document.activeElement, s = getComputedStyle(e);
            return [e.outerHTML.slice(0, 90), s.outlineStyle !== 'none' && parseFloat(s.outlineWidth) >= 1] }""")
        if not seen[1]:
            unseen.append(seen[0])
    assert unseen == []
    tab.close()


def test_the_list_of_sections_unfolds_for_the_keyboard(browser: Any, address: str) -> None:
    """It folds where a wide table needs its place; who comes to its links by keys sees them."""
    tab = browser.new_page(viewport={"width": 1280, "height": 900})
    settle(tab, f"{address}/book/notation.html")
    tab.evaluate("document.getElementById('if-you-have-the-course-documents').scrollIntoView()")
    tab.wait_for_selector(".bd-sidebar-secondary.hide")
    link = tab.locator(".bd-sidebar-secondary nav a").nth(2)
    shown = """link => { const box = link.getBoundingClientRect(), list = link.closest('.bd-sidebar-secondary');
        return link.checkVisibility({opacityProperty: true}) && box.bottom <= list.getBoundingClientRect().bottom; }"""
    assert not link.evaluate(shown)
    tab.keyboard.press("Tab")
    link.focus()
    tab.wait_for_function(shown, arg=link.element_handle())
    tab.close()


def test_the_colour_button_can_be_pressed_again(browser: Any, address: str) -> None:
    tab = browser.new_page(viewport={"width": 1440, "height": 900})
    settle(tab, f"{address}/{CHAPTERS[0]}.html")
    tab.locator(".theme-switch-button:visible").first.focus()
    modes = [tab.evaluate("document.documentElement.dataset.mode")]
    for _ in range(3):
        tab.keyboard.press("Enter")
        tab.wait_for_function("mode => document.documentElement.dataset.mode !== mode && "
                              "document.activeElement.classList.contains('theme-switch-button')", arg=modes[-1])
        modes.append(tab.evaluate("document.documentElement.dataset.mode"))
    assert len(set(modes)) == 3, modes          # light, dark, and what the system says
    assert modes[3] == modes[0]
    tab.close()
