"""A reader's own table on a page: opened, dropped, chosen from, refused, taken back, and found in the address."""
import json
import shutil
import subprocess
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from live_browser import ROOT, bundle, write_page
from test_live_page import FIGURE, Page, state_of
from test_live_solver import NODE

pytestmark = pytest.mark.browser
# A header, decimal commas, three classes, three columns of numbers, one row with a hole, and what is no markup.
FLOWERS = ("Länge;Breite;Höhe;<img src=x onerror=alert(1)>\r\n"
           "5,1;3,5;1,4;setosa\r\n4,9;3,0;1,4;setosa\r\n;3,1;1,3;setosa\r\n7,0;3,2;4,7;versicolor\r\n"
           "6,4;3,2;4,5;versicolor\r\n6,3;3,3;6,0;virginica\r\n5,8;2,7;5,1;virginica\r\n")
DROP = """([text, name]) => {
  const brought = new DataTransfer();
  if (name) brought.items.add(new File([text], name, { type: "text/csv" }));
  else brought.setData("text/plain", text);
  const drop = new DragEvent("drop", { dataTransfer: brought, bubbles: true, cancelable: true });
  document.querySelector(".live-root").dispatchEvent(drop);
}"""


def table_page(browser: Any, folder: Path, theme: str = "light", width: int = 1280) -> Page:
    """A page whose figure takes tables."""
    state = state_of(20, controls=["kernel", "C", "sigma", "export", "table"])
    return Page(browser, write_page(folder, bundle(), state, theme), viewport={"width": width, "height": 1000})


def test_a_table_comes_and_goes(browser: Any, tmp_path: Path) -> None:
    page = table_page(browser, tmp_path)
    tab, before = page.tab, page.value("points")
    tab.get_by_role("button", name="Your own table…").press("Enter")
    panel = tab.locator(".live-own-table")
    panel.wait_for()
    assert tab.evaluate("document.activeElement.textContent") == "Open a file…"
    tab.locator(".live-own-table input[type=file]").set_input_files(
        files=[{"name": "flowers.csv", "mimeType": "text/csv", "buffer": FLOWERS.encode()}])
    page.rest()
    said = panel.inner_text()
    assert "flowers.csv" in said
    assert "1 row" in said                                      # is left out, and counted
    assert page.value("labels") == [1, 1, -1, -1, -1, -1]       # one class against the rest
    assert "at (5.1, 3.5)" in tab.locator(".live-point").first.get_attribute("aria-label")
    assert tab.locator(".live-root img").count() == 0
    panel.get_by_label("+1 is").select_option("virginica")
    panel.get_by_label("plane").select_option("variance")
    page.rest()
    assert page.value("labels") == [-1, -1, -1, -1, -1, 1, 1]       # a column with so many holes is in no direction
    panel.get_by_label("plane").select_option("columns")
    page.rest()
    points = page.value("points")
    address = tab.url
    assert "&n=L%C3%A4nge~Breite&" in address
    tab.evaluate(DROP, ["nothing here", "note.txt"])
    tab.locator(".live-table-problem").filter(has_text="The points are as they were.").wait_for()
    assert page.value("points") == points
    panel.get_by_role("button", name="Undo").click()
    page.rest()
    assert page.value("points") == before
    tab.evaluate(DROP, ["x\ty\tc\n1\t2\ta\n3\t1\tb\n2\t2\ta\n", ""])      # cells of a spreadsheet
    page.rest()
    assert page.value("labels") == [1, -1, 1]
    assert page.bad == []
    tab.goto("about:blank")
    tab.goto(address)                                           # where the table was in the address
    tab.wait_for_selector(".live-on .live-point", state="attached")
    page.rest()
    np.testing.assert_allclose(page.value("points"), points, atol=1e-12)
    assert "Breite" in tab.locator(".live-stage").inner_text()


@pytest.mark.thorough
@pytest.mark.parametrize(("width", "theme"), [(1280, "light"), (320, "dark"), (390, "light")])
def test_the_panel_is_accessible(width: int, theme: str, browser: Any, tmp_path: Path) -> None:
    from axe_playwright_python.sync_playwright import Axe

    page = table_page(browser, tmp_path, theme, width)
    page.tab.get_by_role("button", name="Your own table…").click()
    page.tab.locator(".live-own-table").wait_for()
    page.tab.evaluate(DROP, [FLOWERS, "flowers.csv"])
    page.rest()
    assert page.tab.evaluate(f"{FIGURE}.machine.points.length") == 6
    found = Axe().run(page.tab, options={"runOnly": ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"]})
    assert [(rule["id"], rule["nodes"][0]["html"][:200]) for rule in found.response["violations"]] == []
    assert page.tab.evaluate("document.documentElement.scrollWidth") <= width
    assert page.bad == []


PASTE = """text => {
  const clipboardData = new DataTransfer();
  clipboardData.setData("text/plain", text);
  const paste = new ClipboardEvent("paste", { clipboardData, bubbles: true, cancelable: true });
  document.querySelector(".live-own-table textarea").dispatchEvent(paste);
}"""


@pytest.mark.thorough
def test_by_finger_and_paste(browser: Any, tmp_path: Path) -> None:
    state = state_of(20, controls=["kernel", "C", "sigma", "typed", "export", "table"])
    page = Page(browser, write_page(tmp_path, bundle(), state), viewport={"width": 390, "height": 800}, has_touch=True,
                is_mobile=True)
    tab, panel = page.tab, page.tab.locator(".live-own-table")
    tab.get_by_role("button", name="Your own table…").tap()
    panel.wait_for()
    tab.evaluate(PASTE, FLOWERS.replace(";", "\t"))
    page.rest()
    assert page.value("labels") == [1, 1, -1, -1, -1, -1]
    panel.get_by_label("scale the columns").tap()
    page.rest()
    assert not panel.get_by_label("scale the columns").is_checked()
    tab.locator(".live-controls select").nth(0).select_option("typed")
    tab.locator(".live-formula").tap()
    tab.locator(".live-formula").fill("a*dot(x, z) + 1")
    page.rest()
    assert page.value("kernel.text") == "a*dot(x, z) + 1"
    panel.get_by_role("button", name="Close").tap()
    assert not panel.is_visible()
    assert page.bad == []


@pytest.mark.thorough
def test_firefox_takes_a_kernel_and_a_table(tmp_path: Path) -> None:
    path = next((found for name in ("firefox-esr", "firefox") if (found := shutil.which(name))), None)
    if path is None or not (ROOT / "book/_npm/node_modules/puppeteer-core").exists():
        pytest.skip("no Firefox")
    state = state_of(20, controls=["kernel", "C", "sigma", "typed", "export", "table"])
    done = subprocess.run([str(NODE), "firefox_own.mjs", path, write_page(tmp_path, bundle(), state), FLOWERS],
                          cwd=ROOT / "book/_npm", capture_output=True, text=True, timeout=400, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    found = json.loads(done.stdout)
    assert found["bad"] == []
    assert found["kernel"]["text"] == "dot(x, z) - a*exp(-dist(x, z))"
    assert found["verdict"].startswith("Not a kernel, as these points show")
    assert "flowers.csv" in found["said"]
    assert found["labels"] == [1, 1, -1, -1, -1, -1]
