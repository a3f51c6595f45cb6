"""Figures that move: one drawing function, sliders in a running kernel and on the published page."""

from __future__ import annotations

import base64
import html
import os
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import ipywidgets

from svmlib.classroom.frames import Slider, StaticFigure, prose, render, setting_text, summary, value_text

# Parameters are called as in the code and shown as in the mathematics.
SYMBOLS = {
    "alpha": "α", "beta": "β", "gamma": "γ", "delta": "δ", "epsilon": "ε", "eta": "η", "theta": "θ",
    "kappa": "κ", "lambda_": "λ", "mu": "μ", "nu": "ν", "xi": "ξ", "rho": "ρ", "sigma": "σ",
}
MOST_SLIDERS = 3
MOST_FRAMES = 300  # about 4 MB of page; more is a film, not a figure

Label = str | tuple[str, str]


class LiveFigure(ipywidgets.VBox):
    """Sliders over a picture that the kernel draws anew at each move."""

    def __init__(self, draw: Callable[..., object], sliders: Sequence[Slider], alt: str, caption: str,
                 width: int | None) -> None:
        self._draw, self._sliders = draw, tuple(sliders)
        self.controls = {
            s.name: ipywidgets.SelectionSlider(
                options=list(zip(s.texts, s.values, strict=True)), index=s.start, description=s.label,
                continuous_update=True, layout=ipywidgets.Layout(width="28em", max_width="100%"))
            for s in self._sliders
        }
        self.picture = ipywidgets.HTML()  # ipywidgets.Image has no alternative text
        self.text = ipywidgets.HTML()
        self._alt, self._width = html.escape(alt), width
        for control in self.controls.values():
            control.observe(self._redraw, "value")
        self._redraw()
        captions = [ipywidgets.HTMLMath(prose(caption))] if caption else []
        super().__init__([*self.controls.values(), self.picture, self.text, *captions])

    def _redraw(self, change: object = None) -> None:
        """Draw for the sliders' values; an error is shown under the picture and raised."""
        setting = {name: control.value for name, control in self.controls.items()}
        try:
            png, text, size = render(self._draw(**setting), setting_text(self._sliders, setting))
        except Exception as error:
            self.text.value = prose(f"{type(error).__name__}: {error}")
            raise
        width = self._width or size[0]
        height = round(width * size[1] / size[0])
        self.picture.value = (f'<img width="{width}" height="{height}" alt="{self._alt}" '
                              f'src="data:image/png;base64,{base64.b64encode(png).decode()}">')
        self.text.value = prose(text)

    def __repr__(self) -> str:
        return summary(self._sliders)


def explore(draw: Callable[..., object], /, *, alt: str, caption: str = "",
            start: Mapping[str, Any] | None = None, width: int | None = None,
            labels: Mapping[str, Label] | None = None, **grids: Sequence[Any]) -> LiveFigure | StaticFigure:
    r"""Make a figure whose parameters the reader moves.

    In a running kernel it has ipywidgets sliders and `draw` runs at each move. In the book build
    (environment variable `SVMLIB_STATIC=1`) `draw` runs once at each grid point and the page holds the
    pictures, with native sliders that choose among them. An exception in `draw` is raised in both.

    Parameters
    ----------
    draw : called with one keyword argument for each grid; returns a matplotlib figure, always of the same
        size, or (figure, text). The text stands under the picture and follows the sliders.
    alt : what is to be seen, for readers who do not see it.
    caption : stands under the figure; `$…$` is mathematics.
    start : first values, by name; the middle of a grid where none is given.
    width : in CSS pixels; the figure's own 96 to an inch if None. On a narrower screen it shrinks.
    labels : what to write at a slider, by name: a text, or (text, unit). Greek names get their letter.
    **grids : the values of each parameter, numbers or texts; one to three parameters.

    Returns
    -------
    An object that displays itself; the last expression of a cell is enough.

    Raises
    ------
    ValueError : an argument is missing, empty or does not fit the others; it names the argument.

    Examples
    --------
    >>> import matplotlib
    >>> matplotlib.use("agg")
    >>> from matplotlib.figure import Figure
    >>> def draw(C, sigma):
    ...     fig = Figure(figsize=(3, 2))
    ...     fig.subplots().plot([0, C], [0, sigma])
    ...     return fig, f"the slope is {sigma / C:g}"
    >>> explore(draw, alt="a line from the origin to (C, σ)", C=[1, 10, 100], sigma=[0.5, 1], start={"C": 10})
    <explore C[3] × σ[2]>
    """
    if not callable(draw):
        raise ValueError(f"draw must be a function that returns a figure, got {draw!r}")
    if not isinstance(alt, str) or not alt.strip():
        raise ValueError(f"alt must say what is to be seen in the figure, got {alt!r}")
    if not isinstance(caption, str):
        raise ValueError(f"caption must be a text, got {caption!r}")
    if width is not None and not 100 <= width <= 1200:
        raise ValueError(f"width must be None or between 100 and 1200 pixels, got {width!r}")
    sliders = _sliders(grids, start or {}, labels or {})
    kind = StaticFigure if os.environ.get("SVMLIB_STATIC") == "1" else LiveFigure
    return kind(draw, sliders, alt, caption, width)


def _sliders(grids: Mapping[str, Sequence[Any]], start: Mapping[str, Any],
             labels: Mapping[str, Label]) -> list[Slider]:
    """Check the grids against each other and make one slider of each."""
    if not 1 <= len(grids) <= MOST_SLIDERS:
        raise ValueError(f"explore needs one to {MOST_SLIDERS} parameters, as in C=[1, 10, 100]; got {list(grids)}")
    for argument, names in (("start", start), ("labels", labels)):
        unknown = [name for name in names if name not in grids]
        if unknown:
            raise ValueError(f"{argument} names {unknown}, but the parameters are {list(grids)}")
    sliders = [_slider(name, values, start, labels.get(name, SYMBOLS.get(name, name)))
               for name, values in grids.items()]
    frames = 1
    for slider in sliders:
        frames *= len(slider.values)
    if frames > MOST_FRAMES:
        raise ValueError(f"the grids {list(grids)} make {frames} frames; at most {MOST_FRAMES} fit on a page")
    return sliders


def _slider(name: str, values: Sequence[Any], start: Mapping[str, Any], label: Label) -> Slider:
    """Check one grid and its starting value."""
    if isinstance(values, str) or len(values) < 2:
        raise ValueError(f"{name} must list at least two values, got {values!r}")
    values = tuple(values)
    texts = [value_text(value) for value in values]
    if len(set(texts)) < len(texts):
        raise ValueError(f"{name} lists values that read alike: {texts}")
    text, unit = label if isinstance(label, tuple) else (label, "")
    if name not in start:
        return Slider(name, text, unit, values, len(values) // 2)
    if start[name] not in values:
        raise ValueError(f"start[{name!r}] must be one of {list(values)}, got {start[name]!r}")
    return Slider(name, text, unit, values, values.index(start[name]))
