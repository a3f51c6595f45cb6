"""Pictures of the page: colours that everybody can tell apart, one file for two themes, a form for phones."""
from __future__ import annotations

import base64
import io
import itertools
import json
import re
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import matplotlib.pyplot as plt
import numpy as np
import pytest
from matplotlib._mathtext import Parser
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.text import Text
from PIL import Image

from svmcourse.shared import pictures
from svmcourse.shared import plotting as pl
from svmcourse.shared import svg as svg_module

PAPER, NIGHT = "#ffffff", svg_module.GROUND
MEANINGFUL = [*pl.COLORS, pl.INK, pl.GREY]
# What red, green and blue become without one kind of cone (Machado, Oliveira and Fernandes, 2009; severity 1).
EYES = {
    "all cones": np.eye(3),
    "protanopia": np.array([[0.152286, 1.052583, -0.204868], [0.114503, 0.786281, 0.099216],
                            [-0.003882, -0.048116, 1.051998]]),
    "deuteranopia": np.array([[0.367322, 0.860646, -0.227968], [0.280085, 0.672501, 0.047413],
                              [-0.011820, 0.042940, 0.968881]]),
    "tritanopia": np.array([[1.255528, -0.076749, -0.178779], [-0.078411, 0.930809, 0.147602],
                            [0.004733, 0.691367, 0.303900]]),
}


def linear(colour: str) -> np.ndarray:
    """Linear red, green and blue, after IEC 61966-2-1."""
    rgb = np.array([int(colour[k:k + 2], 16) for k in (1, 3, 5)]) / 255
    return np.where(rgb <= 0.04045, rgb / 12.92, ((rgb + 0.055) / 1.055) ** 2.4)


def contrast(a: str, b: str) -> float:
    """WCAG 2's ratio of luminances."""
    dark, light = sorted(float(linear(c) @ [0.2126, 0.7152, 0.0722]) for c in (a, b))
    return (light + 0.05) / (dark + 0.05)


def lab(rgb: np.ndarray) -> np.ndarray:
    """CIELAB (D65) of linear red, green and blue."""
    xyz = np.array([[0.4124, 0.3576, 0.1805], [0.2126, 0.7152, 0.0722], [0.0193, 0.1192, 0.9505]]) @ np.clip(rgb, 0, 1)
    t = xyz / [0.9505, 1.0, 1.089]
    f = np.where(t > 0.008856, np.cbrt(t), 7.787 * t + 16 / 116)
    return np.array([116 * f[1] - 16, 500 * (f[0] - f[1]), 200 * (f[1] - f[2])])


@pytest.mark.parametrize("colour", MEANINGFUL)
def test_colours_stand_out_on_paper_and_at_night(colour: str) -> None:
    assert contrast(colour, PAPER) >= 3
    assert contrast(svg_module.dark(colour), NIGHT) >= 3
    assert contrast(svg_module.dark(colour), "#121212") >= 3


@pytest.mark.parametrize("eye", EYES)
@pytest.mark.parametrize("night", [False, True])
def test_the_colour_blind_can_tell_colours_apart(eye: str, night: bool) -> None:
    colours = [svg_module.dark(c) if night else c for c in pl.COLORS]
    seen = [lab(EYES[eye] @ linear(c)) for c in colours]
    nearest = {(a, b): float(np.linalg.norm(seen[i] - seen[j]))
               for (i, a), (j, b) in itertools.combinations(enumerate(colours), 2)}
    assert min(nearest.values()) > 18, min(nearest, key=lambda pair: nearest[pair])


@pytest.mark.parametrize("region", [c.upper() for c in pl.REGION_COLORS])
def test_points_and_lines_stand_out_on_the_regions(region: str) -> None:
    for colour in (pl.NEGATIVE, pl.POSITIVE, pl.INK):
        assert contrast(colour, region) >= 3
        assert contrast(svg_module.dark(colour), svg_module.dark(region)) >= 3


@pytest.mark.parametrize("colour", ["#000000", "#ffffff", "#ededed", "#123456", "#767676"])
def test_dark_turns_lightness_over(colour: str) -> None:
    turned = svg_module.dark(colour)
    assert re.fullmatch("#[0-9a-f]{6}", turned)
    before, after = (svg_module._oklab(c)[0] for c in (colour, turned))
    assert (before - 0.58) * (after - 0.58) <= 0.02


@pytest.fixture
def figure() -> Any:
    fig, (left, right) = pl.axes(2, width=8.0, height=3.4, sharey=True)
    left.plot([0, 1], [0, 1], color=pl.NEGATIVE)
    left.set(xlabel="$x$", ylabel="height", title="one panel with a title that is far too long for its place")
    pl.points(right, np.array([[0.0, 0.5], [1.0, 0.5]]), np.array([-1, 1]))
    yield fig
    plt.close(fig)


def test_forms_are_wide_and_narrow_with_letters_of_one_size(figure: Any) -> None:
    (wide, w, _), (narrow, n, h) = pictures.forms(figure)
    assert (w, n) == (pictures.WIDE, pictures.NARROW)
    assert h > n                     # panels on top of each other
    for svg, width in ((wide, w), (narrow, n)):
        root = ElementTree.fromstring(svg)
        assert root.get("width") == str(width)
        points = float(root.get("viewBox").split()[2])
        assert points == pytest.approx(0.75 * width, abs=0.5)   # so that 11 points are 14.7 pixels
    assert "\n" in figure.axes[0].get_title()
    assert [ax.get_ylabel() for ax in figure.axes] == ["height", "height"]


def test_one_file_serves_both_themes(figure: Any) -> None:
    svg = svg_module.svg(figure)
    light, dark = re.search(r"<style>:root\{(.*?)\}:root:target\{(.*?)\}", svg).groups()
    for colour in (pl.NEGATIVE, pl.POSITIVE, "#ffffff"):
        (name,) = re.findall(rf"(--c\d+):{colour.lower()};", light)
        assert f"{name}:{svg_module.dark(colour)};" in dark
    body = svg.split("</style>", 1)[1]
    assert not re.search(r"#[0-9a-f]{6}", body)
    assert 'id="dark"' in svg


def test_an_svg_holds_nothing_that_changes_or_leads_elsewhere(figure: Any) -> None:
    texts = {svg_module.svg(figure) for _ in range(2)}
    assert len(texts) == 1
    (text,) = texts
    assert set(re.findall(r'"(https?:[^"]*)"', text)) <= {"http://www.w3.org/2000/svg", "http://www.w3.org/1999/xlink"}
    assert "metadata" not in text


def test_crowds_become_pixels() -> None:
    fig, ax = pl.axes()
    ax.plot(np.random.default_rng(0).normal(size=5000), np.zeros(5000), ".")
    assert "<image" in svg_module.svg(fig)
    assert len(svg_module.svg(fig)) < 60_000
    plt.close(fig)


def test_a_formula_is_parsed_once_for_all_frames(monkeypatch: Any) -> None:
    parsed, parse = [], Parser.parse

    def counted(self: Parser, text: str, *rest: Any) -> Any:
        parsed.append(text)
        return parse(self, text, *rest)

    monkeypatch.setattr(Parser, "parse", counted)
    for _ in range(3):
        fig, ax = pl.axes()
        ax.set_title(r"$\Vert w_{17} \Vert$")
        pictures.forms(fig)
    assert len(parsed) == 1


@pytest.mark.parametrize(("points", "kept"), [
    ([(0, 0), (1, 0), (2, 0), (3, 0)], [(0, 0), (3, 0)]),
    ([(0, 0), (1, 0), (1, 1), (1, 2), (0, 2)], [(0, 0), (1, 0), (1, 2), (0, 2)]),
    ([(0, 0), (2, 0), (1, 0)], [(0, 0), (2, 0), (1, 0)]),     # there and back
    ([(k, 0) for k in range(100)] + [(99, 9)], [(0, 0), (99, 0), (99, 9)]),
    ([(k, 0) for k in range(100)] + [(50, 0)], [(0, 0), (99, 0), (50, 0)]),
    ([(0, 0), (1, 1)], [(0, 0), (1, 1)]), ([(4, 2)], [(4, 2)]),
])
def test_straight_stretches_lose_their_middle(points: list[Any], kept: list[Any]) -> None:
    assert svg_module._straightened(points) == kept


def test_curves_keep_their_shape() -> None:
    t = np.linspace(0, 2 * np.pi, 2000)
    circle = [(100 + 80 * np.cos(s), 100 + 80 * np.sin(s)) for s in t]
    kept = np.array(svg_module._straightened(circle))
    assert len(kept) < 300
    ends = np.linalg.norm(kept - 100, axis=1)
    middles = np.linalg.norm((kept[1:] + kept[:-1]) / 2 - 100, axis=1)
    assert ends == pytest.approx(80)
    assert np.abs(middles - 80).max() < 0.06


def test_notebooks_store_twice_the_size_and_the_book_gets_its_forms(figure: Any, monkeypatch: Any) -> None:
    monkeypatch.delenv("SVMLIB_STATIC", raising=False)
    data, metadata = pictures.bundle(figure)
    assert set(data) == {"text/plain", "image/png"}
    image = Image.open(io.BytesIO(base64.b64decode(data["image/png"])))
    assert image.size == (2 * 768, 2 * 326)
    assert metadata["image/png"] == {"width": 768, "height": 326}
    monkeypatch.setenv("SVMLIB_STATIC", "1")
    data, metadata = pictures.bundle(figure)
    content = json.loads(re.sub("</?script[^>]*>", "", data["text/html"]))
    assert (content["kind"], len(content["forms"])) == ("picture", 2)
    width, height = content["forms"][0][1:]
    assert metadata["image/png"] == {"width": width, "height": height}
    assert width < 768
    assert Image.open(io.BytesIO(base64.b64decode(data["image/png"]))).width == 2 * width


@pytest.mark.parametrize("inches", [(5.206, 3.0), (6.0, 3.337), (3.0, 4.206), (9.0, 4.0), (2.003, 2.003)])
def test_what_one_takes_away_has_twice_the_pixels_of_the_page(inches: tuple[float, float]) -> None:
    """Whatever is lost where sizes are rounded."""
    fig, ax = plt.subplots(figsize=inches)
    ax.plot([0, 1])
    forms, png = pictures.forms_and_png(fig)
    _, width, height = forms[0]
    with Image.open(io.BytesIO(png)) as image:
        assert 2 * width <= image.width <= 2 * width + 6
        assert 2 * height <= image.height <= 2 * height + 6


def test_a_plain_picture_has_the_colours_of_the_page_and_no_variables() -> None:
    fig, ax = pl.axes()
    ax.plot([0, 1], color=pl.NEGATIVE)
    ax.imshow([[0, 1]])
    themed = pictures.forms(fig)[0][0]
    plain = svg_module.plain(themed)
    assert "var(" in themed
    assert [sign for sign in ("var(", ":target", 'id="dark"') if sign in plain] == []
    assert plain.count("#0072b2") == themed.count(f"var({re.search('(--c[0-9]+):#0072b2', themed)[1]})")
    assert len(ElementTree.fromstring(plain).findall(".//{*}image")) == 1


def extents(figure: Any) -> tuple[list[Any], list[list[Any]]]:
    """Boxes of the names of axes, and of the numbers below each panel, in pixels."""
    canvas = FigureCanvasAgg(figure)
    canvas.draw()
    renderer = canvas.get_renderer()
    names = [label.get_window_extent(renderer) for ax in figure.axes for label in (ax.xaxis.label, ax.yaxis.label)
             if label.get_text()]
    numbers = [sorted((label.get_window_extent(renderer) for label in ax.get_xticklabels() if label.get_text()),
                      key=lambda box: box.x0) for ax in figure.axes]
    return names, numbers


@pytest.mark.parametrize("panels", [1, 3])
def test_names_and_numbers_of_axes_keep_clear_of_each_other(panels: int) -> None:
    fig, axs = pl.axes(panels, width=3.2 * panels, height=3.2, squeeze=False)
    for ax in axs[0]:
        ax.plot([2500, 60_000], [0.0001, 0.0002])
        ax.set(xlabel="best score of the search, mean", ylabel="accuracy on other articles, mean")
        ax.set_xticks([2500, 5000, 10_000, 60_000], ["2,500", "5,000", "10,000", "60,000"])
    axs[0, -1].set_yticks([0, 1], ["a name of a row that is long", "another"])
    axs[0, -1].set_xlim(-0.3, 0.3)
    axs[0, -1].xaxis.set_major_locator(plt.MaxNLocator(7))
    axs[0, -1].xaxis.set_major_formatter("{x:.2f}")
    pictures.forms(fig)   # leaves the narrow form
    names, numbers = extents(fig)
    assert all(box.x0 >= -1 and box.x1 <= fig.bbox.width + 1 for box in names)
    assert all(box.y0 >= -1 and box.y1 <= fig.bbox.height + 1 for box in names)
    assert all(a.x1 <= b.x0 for boxes in numbers for a, b in itertools.pairwise(boxes))


def test_a_short_name_stays_in_one_line_and_an_authors_break_stays() -> None:
    fig, ax = pl.axes(width=4.0, height=3.0)
    ax.plot([0, 1])
    ax.set(xlabel="short", ylabel="broken\nby its author, wherever that may be, for reasons")
    pictures.forms(fig)
    assert ax.get_xlabel() == "short"
    assert ax.get_ylabel() == "broken\nby its author, wherever that may be, for reasons"


def test_on_a_phone_names_of_rows_stand_above_them_in_every_panel() -> None:
    fig, axs = pl.axes(2, width=6.0, height=3.0)
    names = ["one-vs-one, weighted by a long name", "another"]
    for ax in axs:
        ax.plot([0.8, 0.9], [0, 1], "o")
        pl.name_rows(ax, names, shown=ax is axs[0])
    assert [text.get_visible() for text in axs[1].texts] == [False, False]
    pictures.forms(fig)   # leaves the narrow form
    for ax in axs:
        assert ax.get_window_extent().width > 0.85 * fig.bbox.width
        assert [text.get_text() for text in ax.texts if text.get_visible()] == names
        for row, text in enumerate(ax.texts):
            box, (_, y) = text.get_window_extent(), ax.transData.transform((0.8, row))
            assert y + 4 < box.y0 < box.y1 <= fig.bbox.height
            assert -1 <= box.x0 < box.x1 <= fig.bbox.width + 1


@pytest.mark.parametrize("lines", [0, 1000])
def test_pale_colours_of_a_picture_in_a_picture_stay_apart(lines: int) -> None:
    """Also where lines of other colours, more than a palette holds, run across them."""
    pale = np.array([[220, 234, 244], [217, 239, 230], [251, 230, 214], [243, 223, 236]], np.uint8)
    grain = np.random.default_rng(0).integers(4, size=(400, 400))    # so many bytes that the palette is reduced
    picture = pale[grain]
    picture.reshape(-1, 3)[:lines] = np.random.default_rng(1).integers(256, size=(lines, 3))
    buffer = io.BytesIO()
    Image.fromarray(picture).save(buffer, "PNG")
    small = svg_module._fewer_colours(base64.b64encode(buffer.getvalue()).decode())
    with Image.open(io.BytesIO(base64.b64decode(small))) as image:
        assert np.array_equal(np.asarray(image.convert("RGB")).reshape(-1, 3)[lines:], picture.reshape(-1, 3)[lines:])


def inside(figure: Any) -> list[str]:
    """Texts of a figure that stick out of it."""
    renderer = FigureCanvasAgg(figure).get_renderer()
    whole = figure.bbox.padded(2)
    texts = [t for ax in figure.axes for t in (ax.title, ax.xaxis.label, ax.yaxis.label) if t.get_text()]
    boxes = {t.get_text(): t.get_window_extent(renderer) for t in texts}
    return [text for text, box in boxes.items()
            if box.x0 < whole.x0 or box.y0 < whole.y0 or box.x1 > whole.x1 or box.y1 > whole.y1]


def test_broken_titles_and_names_have_their_room_in_the_wide_form() -> None:
    fig, axs = pl.axes(3, width=9.6, height=3.4)
    for ax in axs:
        ax.set(title="a title of many words, 100 points", xlabel="the best score of the whole search",
               xlim=(0, 1), ylim=(0, 1), aspect="equal")
    pictures._fit(fig)
    fig.canvas.draw()
    assert any("\n" in ax.get_title() for ax in axs)
    assert inside(fig) == []
    plt.close(fig)


def test_a_legend_wider_than_its_panel_does_not_keep_it_narrow() -> None:
    fig, ax = pl.axes(width=6.4, height=3.8)
    for name in ("random", "KKT sweep", "second order", "with Newton steps"):
        ax.plot([0, 1], label=name)
    pl.legend(ax, 3)
    pictures._fit(fig)
    pictures._stack(fig, 1, np.inf)
    fig.canvas.draw()
    assert ax.get_position().width > 0.6
    plt.close(fig)


@pytest.mark.parametrize("most", ["Substring", "Subsequence"])
def test_parts_of_strings_are_listed_one_below_the_other(most: str) -> None:
    from svmcourse.kernels_for_strings import figures as strings
    from svmlib import kernels

    figure = strings.table_explorer(getattr(kernels, most)(), "BERT", "BEERE")(30)[0]
    for form in (figure, figure.narrow()):
        if form is not figure:
            inches, height = form.get_size_inches()
            form.set_size_inches(pictures.NARROW / 96, height * pictures.NARROW / 96 / inches)
        form.canvas.draw()
        renderer = FigureCanvasAgg(form).get_renderer()
        heights = [t.get_window_extent(renderer) for t in form.axes[-1].texts if t.get_position()[0] == 0]
        rows = sorted((box.y0, box.y1) for box in heights)
        assert all(a[1] <= b[0] + 4 for a, b in itertools.pairwise(rows)), rows
        plt.close(form)


def test_panels_of_a_figure_that_moves_are_large_enough_for_a_phone() -> None:
    from svmcourse.shared.frames import TALLEST
    from svmcourse.svms_at_scale import figures as scale
    from svmlib.data import disc_and_annulus
    from svmlib.kernels import Gaussian

    X, y = disc_and_annulus(seed=0)
    some = {"S": np.arange(9), "beta": np.where(np.arange(len(y)) < 5, y, 0.0), "b": 0.0, "violation": np.ones(len(y)),
            "worst": 1.0, "values": 9}
    figure, _ = scale.growth_explorer(X, y, Gaussian(sigma=1.0), [some, some])(1)
    pictures.forms(figure, TALLEST)   # leaves the narrow form
    figure.canvas.draw()
    heights = [ax.get_window_extent().height / figure.dpi * 96 for ax in figure.axes]
    assert min(heights) > 120, heights
    plt.close(figure)


def test_labels_cover_no_point_on_either_screen() -> None:
    from svmcourse.soft_margin import figures as soft_margin
    from svmlib import SVC
    from svmlib.data import blobs_with_intruders
    from svmlib.kernels import Linear

    X, y = blobs_with_intruders(seed=0)
    figure = soft_margin.slacks(SVC(Linear(), C=1).fit(X, y), X, y)

    def covered() -> list[str]:
        figure.canvas.draw()
        renderer = FigureCanvasAgg(figure).get_renderer()
        (ax,) = figure.axes
        places = ax.transData.transform(X)
        boxes = {text.get_text(): Text.get_window_extent(text, renderer) for text in ax.texts}  # without the arrows
        return [name for name, box in boxes.items() if any(box.contains(*place) for place in places)]

    assert len(figure.axes[0].texts) == 2
    assert covered() == []
    pictures.forms(figure)            # leaves the narrow form
    assert covered() == []
    plt.close(figure)


def test_live_figures_have_the_colours_of_still_ones():
    """Light and dark; css names them, as a live figure in a notebook has no other sheet."""
    sheet = Path(pl.__file__).parents[1].joinpath("live", "live.css").read_text(encoding="utf8")
    light, dark = (dict(re.findall(r"--live-([\w-]+): (#\w{6});", sheet[start:sheet.index("}", start)]))
                   for start in (sheet.index(".live-root {"), sheet.index(':is([data-theme="dark"]')))
    assert light == {"minus": pl.NEGATIVE.lower(), "plus": pl.POSITIVE.lower(),
                     "minus-wash": pl.REGION_COLORS[0].lower(), "plus-wash": pl.REGION_COLORS[1].lower(),
                     "bridge": pl.COLORS[1].lower(), "done": pl.COLORS[0].lower()}
    assert dark == {name: svg_module.DARK[colour] for name, colour in light.items()}
