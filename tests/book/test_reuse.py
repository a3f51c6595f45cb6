"""What stands under a figure: its files, its licence, its address, and a line that says where it comes from."""

from __future__ import annotations

import html
import io
import re
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any
from xml.etree import ElementTree

import matplotlib.pyplot as plt
import pytest
import reuse
import yaml
from docutils import nodes
from docutils.utils import new_document
from live_figures import live_panel
from PIL import Image
from slider_figures import picture, pictures_html, slider_panel

from svmcourse.shared import pictures
from svmcourse.shared import plotting as pl

ROOT = Path(__file__).resolve().parents[2]
WORK = yaml.safe_load((ROOT / "CITATION.cff").read_text(encoding="utf8"))
CHAPTER, GERMAN = "notebooks/06_gallery_of_kernels", "book/fuenfzehn_minuten"
STEM = "svm-06-gallery-of-kernels-three"


@pytest.fixture
def taken() -> Iterator[tuple[str, bytes]]:
    """The forms of a figure of two panels, with a picture of pixels, and its PNG."""
    fig, (left, right) = pl.axes(2)
    left.plot([0, 1], label="a line")
    right.imshow([[0, 1], [1, 0]])
    forms, png = pictures.forms_and_png(fig)
    yield forms[0][0], png
    plt.close("all")


@pytest.fixture
def app(tmp_path: Path) -> Any:
    """As much of Sphinx as the hook asks for: two pages, a figure with the number 6.3, no address."""
    (tmp_path / "CITATION.cff").write_text((ROOT / "CITATION.cff").read_text(encoding="utf8"), encoding="utf8")
    (tmp_path / "book").mkdir()
    (tmp_path / "book" / "pages.yml").write_text(f"{GERMAN}:\n  lang: de\n", encoding="utf8")
    titles = {CHAPTER: nodes.title("", "A gallery"), GERMAN: nodes.title("", "In Minuten")}
    env = SimpleNamespace(titles=titles, metadata=defaultdict(dict),
                          toc_fignumbers={CHAPTER: {"figure": {"fig-three": (6, 3)}}})
    return SimpleNamespace(srcdir=str(tmp_path), outdir=str(tmp_path / "html"), env=env,
                           builder=SimpleNamespace(format="html"), config=SimpleNamespace(html_baseurl=""))


def offered(app: Any, docname: str, shown: nodes.Element, taken: tuple[str, bytes],
            wrapped: bool = True) -> nodes.document:
    """The page with one figure, after the transform."""
    (Path(app.srcdir) / "made.png").write_bytes(taken[1])
    app.env.docname, app.env.svmlib_frames = docname, {docname: {"a.svg": taken[0]}}
    shown["png"] = "made.png"
    figure = nodes.figure("", shown, nodes.caption("", "What it shows"), ids=["fig-three"])
    document = new_document("page")
    document += [figure if wrapped else shown, nodes.paragraph("", "after")]
    document.settings.env = app.env
    transform = reuse.Offer(document)
    app.env.app = app
    transform.apply()
    return document


KINDS = {"still": lambda: picture(files=[("a.svg", 604, 340)], alt="A line"),
         "moving": lambda: slider_panel(files=[["b.svg"], ["a.svg"]],
                                        content={"frameOf": [0, 1], "default": 1, "alt": "A digit"}),
         "live": lambda: live_panel(files=[("a.svg", 604, 340)], state={"alt": "Points"})}


@pytest.mark.parametrize("kind", KINDS)
def test_each_kind_of_figure_offers_what_it_shows_first(app: Any, taken: tuple[str, bytes], kind: str) -> None:
    document = offered(app, CHAPTER, KINDS[kind](), taken)
    assert [type(child).__name__ for child in document] == ["figure", "use_this", "paragraph"]
    note = document[1]
    assert (note["key"], note["moves"], note["captioned"]) == ("fig-three", kind != "still", True)
    assert note["digits"] == (kind == "moving")          # said of it, and it has a picture in it
    assert app.env.metadata == {CHAPTER: {"figures": {"fig-three": (*taken, True)}}}


@pytest.mark.parametrize("page", ["book/playground", "notebooks/exercises/06_gallery_of_kernels", "book/preface"])
def test_other_pages_offer_nothing(app: Any, taken: tuple[str, bytes], page: str) -> None:
    assert len(offered(app, page, KINDS["still"](), taken)) == 2
    assert app.env.metadata == {}


def test_a_picture_that_is_in_no_figure_gets_a_name_of_its_own(app: Any, taken: tuple[str, bytes]) -> None:
    document = offered(app, CHAPTER, KINDS["still"](), taken, wrapped=False)
    assert [child["ids"] for child in document[:1]] == [["picture-1"]]
    assert document[1]["key"] == "picture-1"
    assert 'class="drawn" id="picture-1"' in pictures_html("..", [("a.svg", 9, 9)], "A line", *document[0]["ids"])


def test_a_book_that_names_no_authors_offers_nothing(app: Any, taken: tuple[str, bytes]) -> None:
    (Path(app.srcdir) / "CITATION.cff").unlink()
    assert len(offered(app, CHAPTER, KINDS["still"](), taken)) == 2


def test_the_line_names_figure_chapter_authors_and_licence(app: Any) -> None:
    line = reuse.credit(app, CHAPTER, "fig-three", captioned=True)
    year = str(WORK["date-released"])[:4]
    assert line == f"The svmlib authors ({year}). Figure 6.3 in “A gallery”, {WORK['title']}. CC BY 4.0."
    app.config.html_baseurl = "https://course.example/svm/"
    assert reuse.credit(app, CHAPTER, "fig-three", True) == f"{line} https://course.example/svm/{CHAPTER}.html#fig-three"
    assert "Bild in „In Minuten“" in reuse.credit(app, GERMAN, "fig-wenige", captioned=False)


@pytest.mark.parametrize(("base", "place"), [("", ""), ("https://a.example/", f"https://a.example/{CHAPTER}.html")])
def test_a_note_has_files_address_licence_and_credit(app: Any, base: str, place: str) -> None:
    app.config.html_baseurl = base
    node = reuse.use_this(key="fig-three", size=(1208, 680), moves=True, captioned=True, digits=False)
    note = reuse.note_html(app, CHAPTER, "../_images", node)
    assert re.findall('href="([^"]*)"', note) == [
        f"../_images/figures/{STEM}.svg", f"../_images/figures/{STEM}.png",
        f"{place}#fig-three", "https://creativecommons.org/licenses/by/4.0/"]
    assert "PNG, 1208 × 680 pixels" in note
    assert html.escape(reuse.credit(app, CHAPTER, "fig-three", True)) in note
    assert "as it starts" in note
    assert "MNIST" not in note
    ElementTree.fromstring(note.replace(" download>", ">"))


def test_pictures_of_digits_say_whose_they_are(app: Any) -> None:
    node = reuse.use_this(key="fig-three", size=(9, 9), moves=False, captioned=False, digits=True)
    for page in (CHAPTER, GERMAN):
        assert "MNIST" in reuse.note_html(app, page, "..", node)
        assert "CC BY-SA 3.0" in reuse.note_html(app, page, "..", node)


def test_the_files_are_plain_and_twice_as_fine(app: Any, taken: tuple[str, bytes]) -> None:
    folder = Path(app.outdir) / "_images" / "figures"
    folder.mkdir(parents=True)
    (folder / "svm-old.svg").write_text("of a figure that is gone")
    app.env.metadata[CHAPTER] = {"figures": {"fig-three": (*taken, True)}}
    reuse.write_figures(Path(app.outdir), app)
    assert {path.name for path in folder.iterdir()} == {f"{STEM}.svg", f"{STEM}.png"}
    svg = (folder / f"{STEM}.svg").read_text(encoding="utf8")
    root = ElementTree.fromstring(svg)
    assert "Figure 6.3 in “A gallery”" in root[0].text
    assert "var(" not in svg
    assert {"#0072b2", "#07a35b", pl.GREY} & set(re.findall("#[0-9a-f]{6}", svg)) == {"#07a35b", pl.GREY}
    with Image.open(folder / f"{STEM}.png") as image:
        assert image.size == (2 * int(root.get("width")), 2 * int(root.get("height")))


def test_size_of_a_png() -> None:
    buffer = io.BytesIO()
    Image.new("RGB", (123, 45)).save(buffer, "PNG")
    assert reuse.pixels(buffer.getvalue()) == (123, 45)


def test_the_licence_is_that_of_the_course() -> None:
    assert reuse.NAME in (ROOT / "LICENSE-text").read_text(encoding="utf8")
    assert reuse.NAME.replace(" ", "-") in WORK["license"]
    assert reuse.OF_DIGITS.split()[1] in (ROOT / "NOTICE.md").read_text(encoding="utf8").replace("by-sa", "BY-SA")
