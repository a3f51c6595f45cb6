"""Chapters and exercises in JupyterLab as it comes: text, formulas, hints that open, pictures before a cell has run."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import exercises
import nbformat
import pytest
from browsing import ROOT
from lab_server import jupyter_lab
from test_plain import RAW

pytestmark = [pytest.mark.browser, pytest.mark.slow, pytest.mark.timeout(600)]
WAIT = 180_000
FOUND = """() => { const seen = s => [...document.querySelectorAll(`.jp-Notebook ${s}`)];
  return { text: seen('.jp-RenderedMarkdown').map(e => e.innerText).join('\\n'), formulas: seen('mjx-container').length,
    errors: seen('mjx-merror, [data-mjx-error]').length, pictures: seen('.jp-OutputArea-output img').length,
    folded: seen('details:not([open])').length, quotations: seen('blockquote').length,
    marks: seen('summary').map(e => getComputedStyle(e))
      .filter(s => s.display === 'list-item' && s.listStyleType.startsWith('disclosure')).length } }"""


@pytest.fixture(scope="module")
def lab(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """JupyterLab on chapter 04 and its exercises, with nobody's settings."""
    top = tmp_path_factory.mktemp("lab")
    for name in ("04_soft_margin", "exercises/04_soft_margin"):
        target = top / "notebooks" / f"{name}.ipynb"
        target.parent.mkdir(parents=True, exist_ok=True)
        nbformat.write(exercises.for_lab(ROOT / "notebooks" / f"{name}.ipynb"), target)
    with jupyter_lab(top) as address:
        yield address


def shown(browser: Any, address: str, name: str) -> dict[str, Any]:
    """What JupyterLab makes of a notebook."""
    tab = browser.new_page(viewport={"width": 1200, "height": 1000})
    tab.set_default_timeout(WAIT)
    tab.goto(f"{address}/lab/tree/{name}.ipynb?reset", timeout=WAIT)
    tab.wait_for_selector(".jp-Notebook .jp-RenderedMarkdown h1")
    tab.wait_for_selector(".jp-Notebook mjx-container", state="attached")
    before: dict[str, Any] = {}
    for _ in range(60):                              # until nothing is added any more
        tab.wait_for_timeout(1500)
        after = tab.evaluate(FOUND)
        if after == before:
            break
        before = after
    tab.close()
    return after


def test_a_chapter_reads_as_on_the_page(browser: Any, lab: str) -> None:
    found = shown(browser, lab, "04_soft_margin")
    assert RAW.findall(found["text"]) == []
    for words in ("4. Soft margin and hinge loss", "Theorem 4.2 (The threshold)", "Fig. 4.1. The forty points",
                  "Fig. 4.3. Run the cell above", "Predict", "References"):
        assert words in found["text"], words
    assert "\\\\" not in found["text"]
    assert found["formulas"] > 150
    assert found["errors"] == 0
    assert found["pictures"] >= 6               # those that move too, as they are stored
    assert found["folded"] == found["marks"] > 5
    assert found["quotations"] >= 5


def test_an_exercise_has_hints_that_open(browser: Any, lab: str) -> None:
    found = shown(browser, lab, "exercises/04_soft_margin")
    assert RAW.findall(found["text"]) == []
    assert "4. Soft margin and hinge loss has the derivations" in found["text"]
    assert found["folded"] == found["marks"] >= 12
    assert found["errors"] == 0
