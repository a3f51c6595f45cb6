"""Figures that move: the same call in a kernel and in the book build."""

from __future__ import annotations

import base64
import io
import json
import re
from typing import Any
from xml.etree import ElementTree

import ipywidgets
import pytest
from matplotlib.figure import Figure
from PIL import Image

from svmcourse import explore
from svmcourse.shared import pictures
from svmcourse.shared.explore import LiveFigure
from svmcourse.shared.frames import Slider, StaticFigure, prose, tidy


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


def content(figure: Any) -> dict[str, Any]:
    """What the book's hook reads."""
    html = figure._repr_mimebundle_()["text/html"]
    return json.loads(re.fullmatch(r'<script type="application/vnd.svmlib\+json">(.*?)</script>', html, re.S)[1])


def test_text_is_the_same_in_a_kernel_and_in_the_book(monkeypatch: pytest.MonkeyPatch) -> None:
    texts = set()
    for mode in ("", "1"):
        monkeypatch.setenv("SVMLIB_STATIC", mode)
        texts.add(repr(explore(draw, alt="a line", C=[1, 2, 3], sigma=[0.5, 1])))
    assert texts == {"<explore C[3] × σ[2]>"}


@pytest.mark.usefixtures("static")
def test_each_setting_has_the_frame_that_is_drawn_for_it() -> None:
    def level(a: int, b: int) -> Figure:        # 0, 1, 1, 2: the frames of two settings are one
        fig = Figure(figsize=(3, 2))
        fig.subplots().plot([0, 1], [a + b, a + b])
        return fig

    data = content(explore(level, alt="a line", a=[0, 1], b=[0, 1]))
    own = [[form[0] for form in pictures.forms(level(a, b))] for a in (0, 1) for b in (0, 1)]
    assert [data["frames"][k] for k in data["frameOf"]] == own
    assert len(data["frames"]) == 3


@pytest.mark.usefixtures("static")
def test_static_figure_holds_a_frame_and_a_text_for_each_setting() -> None:
    data = content(explore(draw, alt="a line", C=[1, 2, 3], sigma=[0.5, 1], start={"C": 1}))
    assert data["texts"] == ["slope 0.5", "slope 1", "slope 0.25", "slope 0.5", "slope 0.166667", "slope 0.333333"]
    assert (data["default"], data["setting"]) == (1, "C = 1, σ = 1")
    assert data["sizes"] == [[288, 192]]                    # narrow enough for a phone as it is
    assert len(data["frameOf"]) == 6
    assert len(data["frames"]) == len(set(data["frameOf"]))
    for (svg,) in data["frames"]:
        ElementTree.fromstring(svg)


@pytest.mark.usefixtures("static")
def test_a_wide_figure_has_a_narrow_form_too() -> None:
    data = content(explore(lambda C: Figure(figsize=(9, 4)), alt="nothing", C=[1, 2]))
    (wide, _), (narrow, height) = data["sizes"]
    assert (wide, narrow) == (604, 340)
    assert height <= 460
    assert [len(frame) for frame in data["frames"]] == [2]


@pytest.mark.usefixtures("static")
def test_static_figure_stores_equal_frames_once() -> None:
    figure = explore(lambda C: Figure(figsize=(2, 2)), alt="nothing", C=list(range(10)))
    assert len(figure.frames) == 1
    assert figure.frame_of == [0] * 10


@pytest.mark.usefixtures("static")
def test_static_figure_is_the_same_at_every_run() -> None:
    html = {explore(draw, alt="a line", C=[1, 2])._repr_mimebundle_()["text/html"] for _ in range(2)}
    assert len(html) == 1


@pytest.mark.usefixtures("static")
def test_static_figure_says_what_the_page_shows() -> None:
    data = content(explore(draw, alt='a "line"', caption="With $C$ & more", labels={"C": ("price", " €")}, width=480,
                           name="fig-line", process="C", C=[1, 2, 1e-6, float("inf")]))
    assert [data[key] for key in ("alt", "caption", "name", "process")] == [
        'a "line"', "With $C$ & more", "fig-line", "C"]
    assert data["sliders"] == [{"name": "C", "label": "price", "keys": ["1", "2", "1e-06", "inf"],
                                "texts": ["1 €", "2 €", "10⁻⁶ €", "∞ €"], "start": 2}]
    assert data["sizes"] == [[480, 320]]


@pytest.mark.usefixtures("static")
def test_static_figure_has_a_picture_of_twice_its_pixels_to_take_away() -> None:
    bundle = explore(draw, alt="a line", C=[1, 2, 3])._repr_mimebundle_()
    assert Image.open(io.BytesIO(base64.b64decode(bundle["image/png"]))).size == (576, 384)
    assert bundle["text/plain"] == "<explore C[3]>"


@pytest.mark.usefixtures("static")
def test_kilobytes_is_what_the_files_weigh() -> None:
    figure = explore(draw, alt="a line", C=[1, 2, 3], sigma=[1, 2])
    assert figure.kilobytes == pytest.approx(sum(len(svg.encode()) for (svg,) in figure.frames) / 1000)
    assert figure.kilobytes < 12 * len(figure.frames)


@pytest.mark.usefixtures("live")
def test_a_notebook_that_is_not_run_shows_the_first_picture() -> None:
    data, metadata = explore(draw, alt="a < b", C=[1, 2, 3])._repr_mimebundle_()
    seen = metadata["image/png"].pop("alt")
    assert seen.startswith("a < b At C = 2")
    assert metadata == {"image/png": {"width": 288, "height": 192}}
    assert set(data) == {"text/plain", "image/png", "application/vnd.jupyter.widget-view+json"}
    assert Image.open(io.BytesIO(base64.b64decode(data["image/png"]))).size == (432, 288)


@pytest.mark.usefixtures("live")
def test_two_choices_are_buttons_and_a_process_plays() -> None:
    figure = explore(draw, alt="a line", C=[1, 2, 3], sigma=[0.5, 1], process="C")
    assert isinstance(figure.controls["sigma"], ipywidgets.ToggleButtons)
    (play,) = [w for row in figure.children if isinstance(row, ipywidgets.HBox) for w in row.children
               if isinstance(w, ipywidgets.Play)]
    assert (play.value, play.max) == (1, 2)
    figure.controls["C"].value = 3
    figure.controls["sigma"].value = 0.5
    figure.reset()
    assert [control.value for control in figure.controls.values()] == [2, 1]


@pytest.mark.usefixtures("live")
def test_live_figure_draws_anew_at_each_move() -> None:
    figure = explore(draw, alt="a line", C=[1, 2, 3], sigma=[0.5, 1])
    assert isinstance(figure, LiveFigure)
    assert [control.description for control in figure.controls.values()] == ["C", "σ"]
    before = figure.picture.value
    assert 'alt="a line At C = 2, σ = 1: slope 0.5"' in before
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
    ({"alt": "a", "C": [1, 2], "name": "Fig 1"}, "name must be small letters"),
    ({"alt": "a", "C": [1, 2], "process": "k"}, "process must be one of"),
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
def test_values_of_an_address_read_back(value: float) -> None:
    assert float(Slider("C", "C", "", (value, "x"), 0).keys[0]) == pytest.approx(value, rel=1e-5)


@pytest.mark.parametrize(("text", "expected"), [
    ("b = -0.52", "b = −0.52"), ("(-1.2, -3)", "(−1.2, −3)"), ("x-1 and 3-2", "x-1 and 3-2"),
    ("gap 7.2e+00", "gap 7.2"), ("gap 1e-06", "gap 10⁻⁶"), ("about 2.4e12", "about 2.4·10¹²"), ("three-2", "three-2"),
])
def test_numbers_are_set_for_people(text: str, expected: str) -> None:
    assert tidy(text) == expected


def test_a_text_with_tex_is_refused() -> None:
    with pytest.raises(ValueError, match="plain"):
        explore(lambda C: (Figure(figsize=(2, 2)), "margin $1/w$"), alt="a", C=[1, 2])


def test_prose_keeps_html_out() -> None:
    assert prose("<script>1 < 2</script>") == "&lt;script&gt;1 &lt; 2&lt;/script&gt;"


def test_script_cannot_be_closed_by_a_text(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SVMLIB_STATIC", "1")
    figure = explore(lambda C: (Figure(figsize=(2, 2)), "</script><b>"), alt="a", C=[1, 2])
    assert isinstance(figure, StaticFigure)
    assert figure._repr_mimebundle_()["text/html"].count("</script>") == 1
    assert content(figure)["texts"] == ["</script><b>"] * 2
