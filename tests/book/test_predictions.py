"""Predict boxes that take an answer: how an author writes one, that each is true, and the box in a browser."""

from __future__ import annotations

import html
import json
import re
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import predicting
import pytest
from cvxopt import matrix, solvers
from docutils import nodes
from docutils.utils import new_document
from sphinx.errors import ExtensionError

from svmlib import SVC, DualProblem, solve
from svmlib.classroom.smo.figures import Triangle
from svmlib.data import draw_km40m2, exponential_classes, separable_blobs, xs_kernel
from svmlib.kernels import Gaussian, Linear, Polynomial

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
def images_that_hold_the_band() -> float:
    """Of chapter 1, from the table below the box, which nbval guards."""
    cells = json.loads((ROOT / "notebooks/01_intuition.ipynb").read_text(encoding="utf8"))["cells"]
    [cell] = [cell for cell in cells if cell["id"] == "digits-table"]
    heads, row = "".join(cell["outputs"][0]["data"]["text/plain"]).splitlines()[:2]
    return float(row.split()[re.split(r"  +", heads.strip()).index("hold the band")])


def margin_that_changes() -> str:
    """Of chapter 2: w and b ten times as large."""
    x, y, w, b = np.array([0.0, 1, 3, 4]), np.array([-1, -1, 1, 1]), 1.0, -2.0
    functional = [(y * c * (w * x + b)).min() for c in (1, 10)]
    geometric = [value / (c * w) for value, c in zip(functional, (1, 10), strict=True)]
    assert functional[0] != functional[1]
    assert geometric[0] == geometric[1]
    return "the functional margin"


def borders_that_meet() -> str:
    """Of chapter 2: the points on the margin."""
    x, y = np.array([[0.0], [1], [3], [4]]), np.array([-1.0, -1, 1, 1])
    machine = SVC(Linear(), C=np.inf).fit(x, y)
    on = np.isclose(y * machine.decision_function(x), 1, atol=1e-6)
    return " and ".join(f"{value:g}" for value in x[on, 0])


def minimum_of_the_lagrangian() -> str:
    """Of chapter 3: the least w²/2 + a (1 - w), against p* = 1/2."""
    w = np.linspace(-5, 5, 100_001)
    sides = ["below" if (w * w / 2 + a * (1 - w)).min() < 0.5 else "above" for a in (0.5, 2)]
    return f"{sides[0]} both times" if sides[0] == sides[1] else f"{sides[0]}, then {sides[1]}"


def dearer_slack() -> str:
    """Of chapter 4: its exponentials, cheap slack and expensive slack."""
    X, y = exponential_classes(seed=28)
    cheap, dear = (solve(DualProblem(Linear(), X, y, C=C), tol=1e-8) for C in (0.01, 1000))
    width = [1 / np.linalg.norm((s.alpha * y) @ X) for s in (cheap, dear)]
    return (f"{'fewer' if len(dear.support) < len(cheap.support) else 'more'}, "
            f"{'narrower' if width[1] < width[0] else 'wider'}")


def separates_the_quadrants() -> str:
    """Of chapter 5: which features."""
    X = np.random.default_rng(1).uniform(-2, 2, size=(100, 2))
    y = np.sign(X[:, 0] * X[:, 1])
    features = {"the line": X, "the circle": np.c_[X, (X**2).sum(axis=1)],
                "the conic section": np.c_[X, X**2, X[:, :1] * X[:, 1:]]}
    able = [name for name, Z in features.items() if SVC(Linear(), C=1e4).fit(Z, y).score(Z, y) == 1]
    [name] = able
    return name


def degree_of_a_w() -> float:
    """Of chapter 6: the least degree at which fresh points along a W are mostly right."""
    train, fresh = draw_km40m2(500), draw_km40m2(600, n=2000)
    wrong = [1 - SVC(Polynomial(Q=Q), C=1000).fit(*train).score(*fresh) for Q in (1, 2, 3, 4)]
    assert min(wrong[:3]) > 0.1 > 2 * wrong[3]
    return 4.0


def width_that_loses_the_disc() -> str:
    """Of chapter 6: at C = 10, with the factor in front, the width that gets most of the disc wrong."""
    X, y = xs_kernel(outlier=True)
    lost = [np.sum(SVC(Gaussian(sigma=s, normalized=True), C=10, tol=1e-6).fit(X, y).predict(X[y > 0]) < 0)
            for s in (0.125, 0.5, 2)]
    assert lost[:2] == [0, 0]
    assert lost[2] == np.sum(y > 0)
    return "2"


def impossible_fruit() -> str:
    """Of chapter 8: which wish no choice of the other similarities can meet, on a grid of these."""
    def possible(diagonal: tuple[float, ...], apples: tuple[float, ...]) -> bool:
        return any(np.linalg.eigvalsh([[s, 10, c], [10, s, -5], [c, -5, s]])[0] >= -1e-9
                   for s in diagonal for c in apples)

    every = tuple(range(-30, 31))
    able = {"k(x, x) = 1": possible((1,), every), "k(x, x) = 11": possible((11,), every),
            "k(lemon, apple) = 5": possible(every, (5,))}
    [name] = [name for name, can in able.items() if not can]
    return name


def pass_the_fixed_test() -> float:
    """Of chapter 9: alpha > 1e-10 after cvxopt with its own tolerances; its multipliers, then the count."""
    X, y = separable_blobs(seed=129)
    parts = np.outer(y, y) * (X @ X.T), -np.ones(40), -np.eye(40), np.zeros(40), y[None, :], np.zeros(1)
    alpha = np.ravel(solvers.qp(*map(matrix, parts), options={"show_progress": False})["x"])
    return float(np.sum(alpha > 1e-10))


def why_two() -> str:
    """Of chapter 10: a feasible point leaves the plane when one variable moves, and can stay in it when two do."""
    y = np.array([-1.0, 1, 1])
    alpha = np.array([0.5, 0.2, 0.3])
    one, two = np.eye(3)[0], np.array([1.0, 1, 0])
    assert y @ alpha == 0 != y @ (alpha + 0.1 * one)
    assert y @ (alpha + 0.1 * two) == pytest.approx(0, abs=1e-15)
    return "one alone would break Σ α y = 0"


def steps_of_the_best_pairs() -> float:
    """Of chapter 10: until W is right to a millionth, the median of ten sets of exponentials at C = 100."""
    counts = []
    for seed in range(10):
        problem = DualProblem(Linear(), *exponential_classes(seed), C=100)
        best = solve(problem, "smo", tol=1e-10).objective
        run = solve(problem, "smo", tol=1e-6, newton=False, history=True)
        counts.append(next(k for k, state in enumerate(run.history, 1) if state["objective"] >= best * (1 - 1e-6)))
    return float(np.median(counts))


def steps_at_half_the_height() -> str:
    """Of chapter 10: three points that hold the band, the orange ones half as high above the blue one."""
    high, low = (len(Triangle(h).pairs()) - 1 for h in (0.5, 0.25))
    return "as many" if low <= high else "twice as many" if low < 3 * high else "four times as many"


TRUTH: dict[str, list[Callable[[], float | str]]] = {
    "01_intuition": [images_that_hold_the_band], "02_hard_margin": [margin_that_changes, borders_that_meet],
    "03_duality_and_kkt": [minimum_of_the_lagrangian], "04_soft_margin": [dearer_slack],
    "05_feature_maps_and_the_kernel_trick": [separates_the_quadrants],
    "06_gallery_of_kernels": [degree_of_a_w, width_that_loses_the_disc],
    "08_hilbert_spaces_and_mercer": [impossible_fruit],
    "09_quadratic_programming": [pass_the_fixed_test],
    "10_smo": [why_two, steps_of_the_best_pairs, steps_at_half_the_height],
}


def written(notebook: Path) -> list[dict[str, Any]]:
    """The answers in a chapter's Predict boxes."""
    cells = json.loads(notebook.read_text(encoding="utf8"))["cells"]
    text = "\n\n".join("".join(cell["source"]) for cell in cells if cell["cell_type"] == "markdown")
    inside = [found for box in BOX.findall(text) for found in predicting.COMMENT.findall(box)]
    assert len(inside) == text.count("<!-- answer:"), f"{notebook.name}: an answer outside a Predict box"
    return [predicting.parse(answer) for answer in inside]


def test_every_answer_has_its_computation() -> None:
    counts = {path.stem: len(found) for path in sorted((ROOT / "notebooks").glob("[01]*.ipynb"))
              if (found := written(path))}
    assert counts == {chapter: len(all_) for chapter, all_ in TRUTH.items()}


@pytest.mark.parametrize("chapter", TRUTH)
def test_every_answer_is_true(chapter: str) -> None:
    for answer, compute in zip(written(ROOT / "notebooks" / f"{chapter}.ipynb"), TRUTH[chapter], strict=True):
        said = answer["choices"][answer["right"]] if "choices" in answer else answer["number"]
        assert said == compute(), compute.__name__


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
