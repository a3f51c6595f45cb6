"""Predict boxes that take an answer: how an author writes one, that each is true, and the box in a browser."""

from __future__ import annotations

import html
import json
import re
import shutil
import subprocess
import sys
from importlib import import_module
from pathlib import Path
from typing import Any

import predicting
import pytest
from chapters import chapters
from docutils import nodes
from docutils.utils import new_document
from sphinx.errors import ExtensionError

ROOT = Path(__file__).resolve().parents[2]
BOX = re.compile(r"^:::\{admonition\} Predict\n:class: predict\n(.*?)^:::$", re.M | re.S)


# ---- what an author may write ---------------------------------------------------------------------------------------
@pytest.mark.parametrize(("text", "answer"), [
    ("4", {"number": 4, "within": 0, "unit": ""}),
    ("−0.5 ± 0.25", {"number": -0.5, "within": 0.25, "unit": ""}),
    ("33 ± 10 images", {"number": 33, "within": 10, "unit": "images"}),
    ("more | *fewer* | as many", {"choices": ["more", "fewer", "as many"], "right": 1}),
    ("0 and 3 | *1 and 3*", {"choices": ["0 and 3", "1 and 3"], "right": 1}),
    ("*3 < 4* | 4 < 3", {"choices": ["3 < 4", "4 < 3"], "right": 0}),
])
def test_an_answer_is_a_number_or_choices(text: str, answer: dict[str, Any]) -> None:
    assert predicting.parse(text) == answer


@pytest.mark.parametrize("text", ["", "fewer", "*fewer*", "more | fewer", "*more* | *fewer*", "*a* | a", "*a* | ",
                                  "4 ±"])
def test_anything_else_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="answer must be a number"):
        predicting.parse(text)


def document(comment: str, *classes: str) -> nodes.document:
    """A page with one box that ends with a comment."""
    page = new_document("page")
    page += nodes.admonition("", nodes.title("", "Predict"), nodes.paragraph("", "How many?"),
                             nodes.raw("", comment, format="html"), classes=list(classes))
    page.settings.env = type("Env", (), {"docname": "01_intuition"})
    return page


def test_the_comment_becomes_an_empty_element() -> None:
    page = document("<!-- answer: 33 ± 10 \"small\" images -->\n", "predict")
    predicting.Predictions(page).apply()
    [raw] = page.findall(nodes.raw)
    found = re.fullmatch(r'<div class="prediction(?: short-choices)?" data-answer="([^"]*)"></div>', raw.astext())
    assert found
    answer = json.loads(html.unescape(found[1]))
    assert (answer["number"], answer["unit"]) == (33, '"small" images')
    other = document("<!-- answer: 34 -->", "predict")
    predicting.Predictions(other).apply()
    assert answer["id"] not in other.astext()


def test_an_answer_elsewhere_or_no_answer_ends_the_build() -> None:
    with pytest.raises(ExtensionError, match=r"01_intuition: an answer must stand in a Predict box"):
        predicting.Predictions(document("<!-- answer: 4 -->", "note")).apply()
    with pytest.raises(ExtensionError, match=r"01_intuition: answer must be a number"):
        predicting.Predictions(document("<!-- answer: perhaps -->", "predict")).apply()
    page = document("<!-- another comment -->", "predict")
    predicting.Predictions(page).apply()
    assert page.astext().endswith("<!-- another comment -->")


def test_the_book_reads_a_chapters_box(tmp_path: Path) -> None:
    (tmp_path / "conf.py").write_text(
        f"import sys\nsys.path.insert(0, {str(ROOT / 'book/_ext')!r})\nextensions = ['myst_nb', 'predicting']\n"
        "myst_enable_extensions = ['amsmath', 'colon_fence', 'dollarmath', 'html_image']\nnb_execution_mode = 'off'\n",
        encoding="utf8")
    cells = json.loads((ROOT / "notebooks/04_soft_margin.ipynb").read_text(encoding="utf8"))["cells"]
    [box] = ["".join(cell["source"]) for cell in cells if cell["id"] == "knob-predict"]
    (tmp_path / "index.md").write_text(f"# A chapter\n\n{box}\n", encoding="utf8")
    done = subprocess.run([sys.executable, "-m", "sphinx", "-qW", "-b", "html", str(tmp_path), str(tmp_path / "out")],
                          capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    page = (tmp_path / "out/index.html").read_text(encoding="utf8")
    [data] = re.findall(r'<div class="prediction(?: short-choices)?" data-answer="([^"]*)"></div>\s*</div>', page)
    assert json.loads(html.unescape(data))["choices"][3] == "fewer, narrower"
    assert "<!-- answer" not in page


# ---- the answers, computed ------------------------------------------------------------------------------------------
def computed(chapter: str) -> list[float | str]:
    """The answers of a chapter, [] where nothing computes any."""
    name = chapter[3:]
    if not (ROOT / f"tests/course/{name}/predictions_{name}.py").exists():
        return []
    return list(import_module(f"course.{name}.predictions_{name}").answers())


def written(notebook: Path) -> list[dict[str, Any]]:
    """The answers in a chapter's Predict boxes."""
    cells = json.loads(notebook.read_text(encoding="utf8"))["cells"]
    text = "\n\n".join("".join(cell["source"]) for cell in cells if cell["cell_type"] == "markdown")
    inside = [found for box in BOX.findall(text) for found in predicting.COMMENT.findall(box)]
    assert len(inside) == text.count("<!-- answer:"), f"{notebook.name}: an answer outside a Predict box"
    return [predicting.parse(answer) for answer in inside]


@pytest.mark.parametrize("chapter", [chapter.stem for chapter in chapters().values()])
def test_every_answer_is_true(chapter: str) -> None:
    answers = written(ROOT / "notebooks" / f"{chapter}.ipynb")
    said = [answer["choices"][answer["right"]] if "choices" in answer else answer["number"] for answer in answers]
    assert said == computed(chapter)


def test_chapters_ask() -> None:
    assert sum(len(computed(chapter.stem)) for chapter in chapters().values()) >= 10


# ---- the box in a browser -------------------------------------------------------------------------------------------
def boxes(folder: Path, theme: str = "light") -> str:
    """A page with a box for a number and one for a choice; its address."""
    static = ROOT / "book/_static"
    style = "".join((static / name).read_text(encoding="utf8") for name in ("page.css", "blocks.css", "predict.css"))
    written_down = ("33 ± 10 images", "more | *fewer*")
    answers = [predicting.parse(text) | {"id": f"box{k}"} for k, text in enumerate(written_down)]
    asked = "".join(f'<div class="admonition predict"><p class="admonition-title">Predict</p><p>How many?</p>'
                    f'<div class="prediction" data-answer="{html.escape(json.dumps(answer))}"></div></div>'
                    for answer in answers)
    shutil.copy(static / "predict.js", folder)
    path = folder / f"{theme}.html"
    path.write_text(f"""<!doctype html><html lang="en" data-theme="{theme}"><meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1"><title>A chapter</title>
<style>{style} body {{ margin: 0; background: var(--pst-color-background); color: var(--pst-color-text-base); }}
.bd-article {{ max-width: 38rem; margin: 0 auto; padding: 0 16px; }}</style><main><article class="bd-article"><section>
<h1>A chapter</h1>{asked}<section id="summary"><h2>Summary</h2></section></section></article></main>
<script src="predict.js"></script></html>""", encoding="utf8")
    return path.as_uri()


@pytest.mark.browser
@pytest.mark.timeout(300)
def test_commit_then_see_and_it_is_kept(browser: Any, tmp_path: Path) -> None:
    address = boxes(tmp_path)
    context = browser.new_context(viewport={"width": 320, "height": 800})
    page = context.new_page()
    errors: list[str] = []
    page.on("pageerror", lambda error: errors.append(str(error)))
    page.goto(address)
    first, second = page.locator(".prediction").all()
    count = page.locator("#summary .predict-count")
    assert not count.is_visible()
    assert "33" not in first.inner_text()                                       # the truth is not seen before
    page.keyboard.press("Tab")                                                  # by keyboard: a number
    page.keyboard.press("Enter")
    assert first.locator("[role=status]").inner_text() == ""                    # nothing said, nothing committed
    page.keyboard.type("41")
    page.keyboard.press("Enter")
    assert first.locator("[role=status]").inner_text() == "You said 41 images. It is 33 images: near enough."
    assert count.inner_text() == ("Your predictions in this chapter: you were right in 1 of 1; 1 more waits for your "
                                  "answer.")
    second.get_by_label("more").click()                                         # by mouse: a choice
    second.get_by_role("button", name="Commit").click()
    assert second.locator("[role=status]").inner_text() == "You said: more. It is: fewer."
    assert count.inner_text() == "Your predictions in this chapter: you were right in 1 of 2."
    page.reload()
    assert count.inner_text() == "Your predictions in this chapter: you were right in 1 of 2."
    assert first.locator("input").input_value() == "41"
    assert first.locator("input").is_disabled()
    first.get_by_role("button", name="Ask me again").click()
    assert first.locator("[role=status]").inner_text() == ""
    first.locator("input").fill("44")
    first.get_by_role("button", name="Commit").click()
    assert first.locator("[role=status]").inner_text() == "You said 44 images. It is 33 images."
    assert count.inner_text() == "Your predictions in this chapter: you were right in 0 of 2."
    assert page.evaluate("document.documentElement.scrollWidth") == 320
    small = page.evaluate("""() => [...document.querySelectorAll('.prediction :is(label, button, input[type=number])')]
      .filter((e) => e.getBoundingClientRect().height < 24).length""")
    assert small == 0
    page.emulate_media(media="print")
    assert not first.locator("form").is_visible()
    assert not count.is_visible()
    assert errors == []
    context.close()


@pytest.mark.browser
@pytest.mark.timeout(300)
def test_a_browser_that_keeps_nothing_and_one_without_script(browser: Any, tmp_path: Path) -> None:
    context = browser.new_context()
    page = context.new_page()
    page.add_init_script("Storage.prototype.getItem = Storage.prototype.setItem = () => { throw new Error('no'); };")
    page.goto(boxes(tmp_path, "dark"))
    second = page.locator(".prediction").nth(1)
    second.get_by_label("fewer").click()
    second.get_by_role("button", name="Commit").click()
    assert second.locator("[role=status]").inner_text() == "You said: fewer. Right."
    context.close()
    silent = browser.new_context(java_script_enabled=False)
    page = silent.new_page()
    page.goto(boxes(tmp_path))
    assert page.locator(".prediction").first.bounding_box()["height"] == 0
    silent.close()
