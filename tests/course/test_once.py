"""A figure is the same with what is remembered while it is drawn as without, and asks matplotlib for less."""
from collections.abc import Callable
from typing import Any

import matplotlib.pyplot as plt
import numpy as np
import pytest
from matplotlib.axis import Axis
from matplotlib.backends.backend_svg import RendererSVG
from matplotlib.figure import Figure
from matplotlib.textpath import TextToPath

from svmcourse.shared import once, pictures
from svmcourse.shared import plotting as pl

WAVES = np.sin(np.linspace(0, 40, 90))


def panels() -> Figure:
    """Panels with names, formulas and legends; in the second one the numbers touch on a phone."""
    fig, axs = pl.axes(2, width=9)
    for k, ax in enumerate(axs.flat):
        ax.plot(1000.0 * WAVES ** (k + 1), label="the first of two curves")
        ax.plot(WAVES, label=r"$\alpha_i$")
        ax.set(title="a title that is longer than there is room for", xlabel="$x_1$", ylabel="a value")
        pl.legend(ax)
    return fig


def scales() -> Figure:
    """Logarithms with a second axis, and a panel with words for numbers and another one in it.

    (Not beside a picture of fixed shape: there matplotlib itself comes to one of several layouts.)
    """
    fig, (left, right) = plt.subplots(1, 2, figsize=(7, 3))
    left.loglog([1, 1e5], [1e-7, 3])
    left.secondary_xaxis("top")
    right.plot([1, 1e5], [1e8 + 1, 1e8 + 3])
    right.inset_axes((0.5, 0.5, 0.4, 0.4)).plot(WAVES)
    right.set(xticks=[0, 4e4, 8e4], xticklabels=["none", "two\nlines", "many"])
    return fig


def space() -> Figure:
    """A surface: an axis in space moves its numbers as it draws them; and one around a pole."""
    fig = plt.figure(figsize=(6.2, 3))
    fig.add_subplot(121, projection="3d").plot(WAVES, WAVES ** 2, WAVES ** 3)
    fig.add_subplot(122, projection="polar").plot(WAVES)
    return fig


def forgetful(monkeypatch: pytest.MonkeyPatch) -> None:
    """matplotlib as it is."""
    monkeypatch.setattr(Axis, "_update_ticks", once._update_ticks)
    monkeypatch.setattr(Axis, "_get_ticklabel_bboxes", once._label_boxes)
    monkeypatch.setattr(TextToPath, "get_text_width_height_descent", once._extent)
    monkeypatch.delattr(RendererSVG, "_get_font_height_metrics")


@pytest.mark.parametrize("figure", [panels, scales, space], ids=lambda figure: figure.__name__)
def test_pictures_are_the_same_to_the_last_character(figure: Callable[[], Figure],
                                                     monkeypatch: pytest.MonkeyPatch) -> None:
    """Wide and narrow; twice, the second time from what is known of letters."""
    made = [pictures.forms(figure()) for _ in range(2)]
    forgetful(monkeypatch)
    plain = pictures.forms(figure())
    assert len(plain) == 2
    assert made == [plain, plain]


def test_another_font_or_size_is_another_height(monkeypatch: pytest.MonkeyPatch) -> None:
    """What is remembered of letters belongs to the fonts that a generic name stands for at the time."""
    def titled(size: float, fonts: str) -> str:
        formulas = "stix" if "Serif" in fonts else "dejavusans"
        with plt.rc_context({"font.sans-serif": [fonts], "mathtext.fontset": formulas}):
            fig, ax = pl.axes(width=3, height=2)
            ax.set_title("two\nlines $x$", fontsize=size)
            return str(pictures.forms(fig)[0][0])

    settings = [(9.0, "DejaVu Sans"), (15.0, "DejaVu Sans"), (9.0, "DejaVu Serif")]
    made = [titled(*each) for each in settings]
    forgetful(monkeypatch)
    assert made == [titled(*each) for each in settings]
    assert len(set(made)) == 3


def test_ticks_are_looked_for_a_few_times_only(monkeypatch: pytest.MonkeyPatch) -> None:
    """A third as often as matplotlib does, or less."""
    def looked() -> int:
        count = 0

        def counting(self: Any) -> Any:
            nonlocal count
            count += 1
            return update(self)

        update = once._update_ticks
        with monkeypatch.context() as patch:
            patch.setattr(once, "_update_ticks", counting)
            pictures.forms(panels())
        return count

    few = looked()
    monkeypatch.setattr(Axis, "_update_ticks", lambda self: once._update_ticks(self))  # noqa: PLW0108 - which counts
    assert few <= looked() / 3


def test_a_limit_moved_between_two_drawings_moves_the_ticks() -> None:
    """Nothing is remembered from one layout to the next, nor after an error."""
    fig, ax = pl.axes(width=3, height=2)
    with pytest.raises(RuntimeError), once.remembered():
        raise RuntimeError
    assert not once._memories
    ax.set_xlim(0, 1)
    before = pictures.svg(fig)
    ax.xaxis.set_ticks([0.25, 0.5])
    assert pictures.svg(fig) != before
    with once.remembered():
        few = len(ax.xaxis._update_ticks())
        ax.set_xlim(0.4, 1)
        assert (few, len(ax.xaxis._update_ticks())) == (2, 1)
