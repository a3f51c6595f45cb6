"""Chapters and exercises in JupyterLab as it comes: text, formulas, hints that open, pictures before a cell has run;
a live figure in a running kernel: a drag reaches Python, Python reaches the figure.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import exercises
import nbformat
import pytest
from browsing import ROOT
from lab_server import jupyter_lab
from test_plain import RAW

pytestmark = [pytest.mark.browser, pytest.mark.long, pytest.mark.timeout(900)]
WAIT = 180_000
FOUND = """() => { const seen = s => [...document.querySelectorAll(`.jp-Notebook ${s}`)];
  return { text: seen('.jp-RenderedMarkdown').map(e => e.innerText).join('\\n'), formulas: seen('mjx-container').length,
    errors: seen('mjx-merror, [data-mjx-error]').length, pictures: seen('.jp-OutputArea-output img').length,
    folded: seen('details:not([open])').length, quotations: seen('blockquote').length,
    marks: seen('summary').map(e => getComputedStyle(e))
      .filter(s => s.display === 'list-item' && s.listStyleType.startsWith('disclosure')).length } }"""

LONG = 400_000
MAKE = """from svmcourse import live
from svmlib.kernels import Gaussian
X = [[-1.0, 0.0], [-0.5, 0.5], [-0.5, -0.8], [1.0, 0.0], [0.6, 0.7], [0.8, -0.6]]
stage = live.stage(X, [-1, -1, -1, 1, 1, 1], kernel=Gaussian(sigma=1.0), C=10.0, views=["alpha"], alt="six points",
                   limits=[-2, 2, -2, 2], controls=["kernel", "C", "sigma"], caption="Six points; $C$ is 10.")
stage"""
TELL = "print('python sees', stage.X.round(3).tolist(), stage.y.astype(int).tolist(), stage.C, stage.kernel)"
SET = """from svmlib.kernels import Polynomial
stage.X = stage.X - [[0, 1]] * 6
stage.C = 3
stage.kernel = Polynomial(Q=3)"""
RAN = "k => /\\[\\d+\\]/.test(document.querySelectorAll('.jp-Notebook .jp-CodeCell .jp-InputPrompt')[k].textContent)"
IDLE = "() => document.querySelector('.jp-Notebook-ExecutionIndicator')?.dataset.status === 'idle'"
FEWER = "with stage.hold_sync():\n    stage.X, stage.y = stage.X[1:], stage.y[1:]"


@pytest.fixture(scope="module")
def lab(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """JupyterLab on chapter 04, its exercises, and a notebook with a live figure; with nobody's settings."""
    top = tmp_path_factory.mktemp("lab")
    for name in ("04_soft_margin", "exercises/04_soft_margin"):
        target = top / "notebooks" / f"{name}.ipynb"
        target.parent.mkdir(parents=True, exist_ok=True)
        nbformat.write(exercises.for_lab(ROOT / "notebooks" / f"{name}.ipynb"), target)
    cells = [nbformat.v4.new_code_cell(code) for code in (MAKE, TELL, SET, FEWER, TELL)]
    nbformat.write(nbformat.v4.new_notebook(cells=cells, metadata={"kernelspec": {
        "name": "python3", "display_name": "Python 3", "language": "python"}}), top / "notebooks" / "pull.ipynb")
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


@pytest.mark.thorough           # test_plain.py has the text of all notebooks; the exercise below is seen in each run
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


# ---- a live figure in a running kernel -------------------------------------------------------------------------------
def run(tab: Any, cell: int) -> str:
    """Run one cell; what it prints."""
    here = tab.locator(".jp-Notebook .jp-CodeCell").nth(cell)
    here.locator(".jp-InputArea-editor").click()
    tab.keyboard.press("Control+Enter")
    # Jupyter shows [*] while a cell runs, then a number.
    tab.wait_for_function(RAN, arg=cell, timeout=LONG)
    tab.wait_for_timeout(500)
    output = here.locator(".jp-OutputArea-output")
    return output.last.inner_text() if output.count() else ""


def at(tab: Any, k: int) -> tuple[float, float]:
    """Where a point is on the screen."""
    box = tab.locator(".live-point .live-hit").nth(k).bounding_box()
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


@pytest.mark.parametrize("page", [
    pytest.param("lab/tree/pull.ipynb?reset", id="JupyterLab"),
    pytest.param("notebooks/pull.ipynb", id="Notebook 7", marks=pytest.mark.thorough)])
def test_both_sides_see_what_the_other_does(browser: Any, page: str, lab: str, tmp_path: Path) -> None:
    tab = browser.new_page(viewport={"width": 1200, "height": 1400})
    tab.set_default_timeout(LONG)
    errors: list[str] = []
    tab.on("pageerror", lambda error: errors.append(str(error))
           if page.startswith("lab") or "blob:" in (error.stack or "") else None)     # Notebook 7 has its own
    elsewhere: list[str] = []
    tab.on("request", lambda request: elsewhere.append(request.url)
           if not request.url.startswith((lab, "data:", "blob:", lab.replace("http", "ws"))) else None)
    tab.goto(f"{lab}/{page}", timeout=LONG)
    tab.wait_for_selector(".jp-Notebook .jp-CodeCell")
    tab.wait_for_function(IDLE, timeout=LONG)
    tab.wait_for_timeout(8000)                           # idle comes before the keys are listened to
    run(tab, 0)
    tab.wait_for_selector(".live-point")
    x, y = at(tab, 0)
    tab.mouse.move(x, y)
    tab.mouse.down()
    tab.mouse.move(x - 40, y - 60, steps=6)
    tab.mouse.up()
    tab.wait_for_timeout(1000)
    tab.screenshot(path=os.environ.get("SVMLIB_LOOK", str(tmp_path / "lab.png")))
    width = tab.locator(".live-plane").bounding_box()["width"]
    seen = run(tab, 1)
    assert "python sees" in seen
    first = json.loads(seen.split("python sees ")[1].split("]]")[0] + "]]")[0]
    assert abs(first[0] - (-1 - 40 * 4 / width)) < 0.05
    assert abs(first[1] - 60 * 4 / width) < 0.05
    before = at(tab, 3)
    run(tab, 2)                                          # Python moves all points down by 1, takes another kernel
    tab.wait_for_timeout(1000)
    after = at(tab, 3)
    assert abs(after[1] - before[1] - width / 4) < 3
    assert tab.locator(".live-root select").first.input_value() == "polynomial"
    run(tab, 3)
    tab.wait_for_timeout(1000)
    assert tab.locator(".live-point").count() == 5
    assert "Polynomial" in run(tab, 4)
    assert tab.locator(".jp-OutputArea-output.jp-mod-error, [data-mime-type*=stderr]").count() == 0
    tab.close()
    assert errors == []
    assert elsewhere == []
