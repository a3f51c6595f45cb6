"""Figures that move: the same call in a kernel and in the book build."""

from __future__ import annotations

import base64
import io
import json
import re
from html.parser import HTMLParser
from typing import Any

import pytest
from matplotlib.figure import Figure
from PIL import Image

from svmlib.classroom import explore
from svmlib.classroom.explore import LiveFigure
from svmlib.classroom.frames import StaticFigure, prose, value_text


def draw(C: float, sigma: float = 1.0) -> tuple[Figure, str]:
    """A line that depends on both parameters, and a text that says so."""
    fig = Figure(figsize=(3, 2))
    fig.subplots().plot([0, C], [0, sigma])
    return fig, f"slope {sigma / C:g}"


@pytest.fixture
def static(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SVMLIB_STATIC", "1")


@pytest.fixture
def live(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("SVMLIB_STATIC", raising=False)


class Elements(HTMLParser):
    """Start tags of a piece of HTML with their attributes."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.found: list[tuple[str, dict[str, Any]]] = []
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: Any) -> None:
        self.found.append((tag, dict(attrs)))

    def all(self, tag: str) -> list[dict[str, Any]]:
        return [attributes for name, attributes in self.found if name == tag]


def frames(html: str) -> dict[str, Any]:
    """The data that the page's script reads."""
    return json.loads(re.search(r'<script type="application/json">(.*?)</script>', html, re.S)[1])


def test_text_is_the_same_in_a_kernel_and_in_the_book(monkeypatch: pytest.MonkeyPatch) -> None:
    texts = set()
    for mode in ("", "1"):
        monkeypatch.setenv("SVMLIB_STATIC", mode)
        texts.add(repr(explore(draw, alt="a line", C=[1, 2, 3], sigma=[0.5, 1])))
    assert texts == {"<explore C[3] × σ[2]>"}


@pytest.mark.usefixtures("static")
def test_static_figure_holds_a_frame_and_a_text_for_each_setting() -> None:
    figure = explore(draw, alt="a line", C=[1, 2, 3], sigma=[0.5, 1], start={"C": 1})
    data = frames(figure._repr_mimebundle_()["text/html"])
    assert data["texts"] == ["slope 0.5", "slope 1", "slope 0.25", "slope 0.5", "slope 0.166667", "slope 0.333333"]
    assert len(data["frameOf"]) == 6
    assert data["frames"][data["frameOf"][1]] is None  # the start, C = 1 and σ = 1, is in the picture itself
    for frame in filter(None, data["frames"]):
        image = Image.open(io.BytesIO(base64.b64decode(frame)))
        assert (image.format, image.mode) == ("PNG", "P")


@pytest.mark.usefixtures("static")
def test_static_figure_stores_equal_frames_once() -> None:
    figure = explore(lambda C: Figure(figsize=(2, 2)), alt="nothing", C=list(range(10)))
    assert len(figure.pngs) == 1
    assert figure.frame_of == [0] * 10


@pytest.mark.usefixtures("static")
def test_static_figure_is_the_same_at_every_run() -> None:
    html = {explore(draw, alt="a line", C=[1, 2])._repr_mimebundle_()["text/html"] for _ in range(2)}
    assert len(html) == 1


@pytest.mark.usefixtures("static")
def test_static_figure_speaks_and_keeps_its_size() -> None:
    html = explore(draw, alt='a "line"', caption="With $C$ & more", labels={"C": ("price", " €")},
                   width=480, C=[1, 2, float("inf")])._repr_mimebundle_()["text/html"]
    elements = Elements(html)
    (picture,), (slider,) = elements.all("img"), elements.all("input")
    assert (picture["alt"], picture["width"], picture["height"]) == ('a "line"', "480", "320")
    assert slider["aria-label"] == "price"
    assert slider["aria-valuetext"] == "2 €"
    assert json.loads(slider["data-values"]) == ["1 €", "2 €", "∞ €"]
    assert (slider["min"], slider["max"], slider["value"]) == ("0", "2", "1")
    assert [label["for"] for label in elements.all("label")] == [slider["id"]]
    assert any(p.get("aria-live") == "polite" for p in elements.all("p"))
    assert "hidden" in next(d for d in elements.all("div") if d.get("class") == "explore-controls")
    assert "With <span class=\"tex2jax_process\">\\(C\\)</span> &amp; more" in html


@pytest.mark.usefixtures("static")
def test_static_figure_has_a_picture_for_formats_without_sliders() -> None:
    bundle = explore(draw, alt="a line", C=[1, 2, 3])._repr_mimebundle_()
    image = Image.open(io.BytesIO(base64.b64decode(bundle["image/png"])))
    assert image.size == (3 * 144, 2 * 144)
    assert bundle["text/plain"] == "<explore C[3]>"


@pytest.mark.usefixtures("static")
def test_kilobytes_is_what_the_page_gets() -> None:
    figure = explore(draw, alt="a line", C=[1, 2, 3], sigma=[1, 2])
    assert figure.kilobytes == pytest.approx(len(figure._repr_mimebundle_()["text/html"].encode()) / 1000)
    assert figure.kilobytes < 60


@pytest.mark.usefixtures("live")
def test_live_figure_draws_anew_at_each_move() -> None:
    figure = explore(draw, alt="a line", C=[1, 2, 3], sigma=[0.5, 1])
    assert isinstance(figure, LiveFigure)
    assert [control.description for control in figure.controls.values()] == ["C", "σ"]
    before = figure.picture.value
    assert 'alt="a line"' in before
    assert figure.text.value == "slope 0.5"
    figure.controls["C"].value = 1
    assert figure.picture.value != before
    assert figure.text.value == "slope 1"


def test_values_may_be_words(monkeypatch: pytest.MonkeyPatch) -> None:
    seen = []

    def drawn(loss: str) -> Figure:
        seen.append(loss)
        return Figure(figsize=(2, 2))

    monkeypatch.setenv("SVMLIB_STATIC", "1")
    explore(drawn, alt="losses", loss=["hinge", "squared"])
    assert seen == ["hinge", "squared"]


@pytest.mark.parametrize("mode", ["", "1"])
def test_an_error_in_draw_is_an_error_of_the_cell(monkeypatch: pytest.MonkeyPatch, mode: str) -> None:
    monkeypatch.setenv("SVMLIB_STATIC", mode)

    def broken(C: float) -> Figure:
        raise ArithmeticError(f"no figure at C = {C}")

    with pytest.raises(ArithmeticError, match="no figure at C"):
        explore(broken, alt="nothing", C=[1, 2])


@pytest.mark.usefixtures("live")
def test_an_error_after_a_move_is_raised_and_shown() -> None:
    def sometimes(C: float) -> Figure:
        if C == 3:
            raise ArithmeticError("no figure at C = 3")
        return Figure(figsize=(2, 2))

    figure = explore(sometimes, alt="nothing", C=[1, 2, 3])
    with pytest.raises(ArithmeticError):
        figure.controls["C"].value = 3
    assert "no figure at C = 3" in figure.text.value


@pytest.mark.parametrize(("arguments", "message"), [
    ({"alt": " ", "C": [1, 2]}, "alt"),
    ({"alt": "a"}, "one to 3 parameters"),
    ({"alt": "a", "a": [1, 2], "b": [1, 2], "c": [1, 2], "d": [1, 2]}, "one to 3 parameters"),
    ({"alt": "a", "C": [1]}, "C must list at least two values"),
    ({"alt": "a", "C": "12"}, "C must list at least two values"),
    ({"alt": "a", "C": [1.0, 1.0000001]}, "C lists values that read alike"),
    ({"alt": "a", "C": [1, 2], "start": {"C": 3}}, r"start\['C'\] must be one of \[1, 2\], got 3"),
    ({"alt": "a", "C": [1, 2], "start": {"D": 1}}, "start names"),
    ({"alt": "a", "C": [1, 2], "labels": {"D": "d"}}, "labels names"),
    ({"alt": "a", "C": [1, 2], "width": 5000}, "width"),
    ({"alt": "a", "C": [1, 2], "caption": None}, "caption"),
    ({"alt": "a", "a": range(20), "b": range(20)}, "400 frames"),
])
def test_a_bad_argument_is_named(arguments: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        explore(lambda **setting: Figure(), **arguments)


@pytest.mark.parametrize("drawn", [None, 3, (Figure(), 3)])
def test_draw_must_return_a_figure(drawn: object) -> None:
    with pytest.raises(ValueError, match="draw must return a matplotlib Figure"):
        explore(lambda C: drawn, alt="a", C=[1, 2])


def test_draw_must_be_a_function() -> None:
    with pytest.raises(ValueError, match="draw must be a function"):
        explore(Figure(), alt="a", C=[1, 2])


@pytest.mark.usefixtures("static")
def test_frames_must_have_one_size() -> None:
    with pytest.raises(ValueError, match=r"figures of one size, got .* at C = 2"):
        explore(lambda C: Figure(figsize=(C, 2)), alt="a", C=[1, 2])


@pytest.mark.parametrize("value", [0, 1, -3, 0.1, 1e-9, 12345678.0, 1e300])
def test_value_texts_read_back(value: float) -> None:
    assert float(value_text(value)) == pytest.approx(value, rel=1e-5)


def test_prose_keeps_html_out() -> None:
    assert prose("<script>1 < 2</script>") == "&lt;script&gt;1 &lt; 2&lt;/script&gt;"


def test_script_cannot_be_closed_by_a_text(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SVMLIB_STATIC", "1")
    figure = explore(lambda C: (Figure(figsize=(2, 2)), "</script><b>"), alt="a", C=[1, 2])
    assert isinstance(figure, StaticFigure)
    html = figure._repr_mimebundle_()["text/html"]
    assert html.count("</script>") == 1
    assert frames(html)["texts"] == ["</script><b>"] * 2
