"""Figures that move: one drawing function, sliders in a running kernel and on the published page."""

import base64
import html
import os
import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import ipywidgets
from matplotlib import pyplot as plt

from svmcourse.shared import pictures
from svmcourse.shared.frames import Slider, StaticFigure, drawn, prose, setting_text, summary, value_text

# Parameters are called as in the code and shown as in the mathematics.
SYMBOLS = {
    "alpha": "α", "beta": "β", "gamma": "γ", "delta": "δ", "epsilon": "ε", "eta": "η", "theta": "θ",
    "kappa": "κ", "lambda_": "λ", "mu": "μ", "nu": "ν", "xi": "ξ", "rho": "ρ", "sigma": "σ",
}
MOST_SLIDERS = 3
MOST_FRAMES = 300  # about 8 MB of files; more is a film, not a figure

Label = str | tuple[str, str]


class LiveFigure(ipywidgets.VBox):
    """Sliders over a picture that the kernel draws anew at each move; two choices are buttons."""

    def __init__(self, draw: Callable[..., object], sliders: Sequence[Slider], alt: str, caption: str,
                 width: int | None = None, name: str = "", process: str | None = None) -> None:
        self._draw, self._sliders = draw, tuple(sliders)
        self.controls = {s.name: _control(s) for s in self._sliders}
        self.picture = ipywidgets.HTML()  # ipywidgets.Image has no alternative text
        self.text = ipywidgets.HTML()
        self._alt, self._width, self._png, self._size = alt, width, b"", (0, 0)
        for control in self.controls.values():
            control.observe(self._redraw, "value")
        self._redraw()
        captions = [ipywidgets.HTMLMath(prose(caption))] if caption else []
        super().__init__([*self.controls.values(), ipywidgets.HBox(self._buttons(process)), self.picture, self.text,
                          *captions])

    def _buttons(self, process: str | None) -> list[ipywidgets.Widget]:
        """Play, where a parameter is a process, and a way back to the start."""
        reset = ipywidgets.Button(description="Reset", layout=ipywidgets.Layout(width="6em"))
        reset.on_click(self.reset)
        if process is None or isinstance(self.controls[process], ipywidgets.ToggleButtons):
            return [reset]
        slider = self.controls[process]
        play = ipywidgets.Play(max=len(slider.options) - 1, value=slider.index, interval=900, show_repeat=False)
        ipywidgets.jslink((play, "value"), (slider, "index"))
        return [play, reset]

    def reset(self, button: object = None) -> None:
        """Go back to the first setting."""
        for slider in self._sliders:
            self.controls[slider.name].index = slider.start

    def _redraw(self, change: object = None) -> None:
        """Draw for the sliders' values; an error is shown under the picture and raised."""
        setting = {name: control.value for name, control in self.controls.items()}
        where = setting_text(self._sliders, setting)
        try:
            figure, text = drawn(self._draw(**setting), where)
        except Exception as error:
            self.text.value = prose(f"{type(error).__name__}: {error}")
            raise
        size = pictures.size(figure)
        self._png = pictures.png(figure, 1.5, 64)
        plt.close(figure)
        width = self._width or size[0]
        height = round(width * size[1] / size[0])
        self._size = width, height
        self._seen = self._alt + (f" At {where}: {text}" if text else f" At {where}.")
        self.picture.value = (f'<img width="{width}" height="{height}" alt="{html.escape(self._seen)}" '
                              f'src="data:image/png;base64,{base64.b64encode(self._png).decode()}">')
        self.text.value = prose(text)

    def __repr__(self) -> str:
        return summary(self._sliders)

    def _repr_mimebundle_(self, **kwargs: Any) -> tuple[dict[str, Any], dict[str, Any]]:
        """The widget, and the picture as it is now for a reader who does not run the notebook."""
        data = {**super()._repr_mimebundle_(**kwargs), "image/png": base64.b64encode(self._png).decode()}
        return data, {"image/png": {"width": self._size[0], "height": self._size[1], "alt": self._seen}}


def _control(slider: Slider) -> ipywidgets.Widget:
    """A slider, or buttons for two choices."""
    options = list(zip(slider.texts, slider.values, strict=True))
    if len(options) == 2:
        return ipywidgets.ToggleButtons(options=options, index=slider.start, description=slider.label)
    return ipywidgets.SelectionSlider(
        options=options, index=slider.start, description=slider.label, continuous_update=True,
        style={"description_width": "initial"}, layout=ipywidgets.Layout(width="30em", max_width="100%"))


def explore(draw: Callable[..., object], /, *, alt: str, caption: str = "",
            start: Mapping[str, Any] | None = None, width: int | None = None,
            labels: Mapping[str, Label] | None = None, name: str = "", process: str | None = None,
            **grids: Sequence[Any]) -> LiveFigure | StaticFigure:
    r"""Make a figure whose parameters the reader moves.

    In a running kernel it has ipywidgets sliders and `draw` runs at each move; the notebook's file keeps the
    first picture. In the book build (environment variable `SVMLIB_STATIC=1`) `draw` runs once at each grid
    point, and the page has a numbered figure with native sliders that choose among the pictures. An exception
    in `draw` is raised in both. Two values make buttons instead of a slider.

    Parameters
    ----------
    draw : called with one keyword argument for each grid; returns a matplotlib figure, always of the same
        size, or (figure, text). The text stands under the picture and follows the sliders; it says what the
        picture shows at this position, without TeX: "7 support vectors, 1/‖w‖ = 0.52".
    alt : what is to be seen, for readers who do not see it; setting and text are added to it.
    caption : stands under the figure; mathematics in it stands between dollar signs.
    start : first values, by name; the middle of a grid where none is given.
    width : in CSS pixels; the figure's own 96 to an inch if None. On a narrower screen it shrinks.
    labels : what to write at a slider, by name: a text, or (text, unit). Greek names get their letter.
    name : label of the figure in the book, for instance "fig-c-sigma", by which its text refers to it. It also begins
        the address of each position, `#fig-c-sigma?C=100&sigma=0.5`.
    process : the parameter that counts steps; the figure gets Play and step buttons for it. One called step or k
        is meant by itself; "" for none.
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
    if name and not re.fullmatch(r"[a-z][a-z0-9-]*", name):
        raise ValueError(f"name must be small letters, digits and hyphens, as in 'fig-c-sigma'; got {name!r}")
    if process is None:
        process = next((parameter for parameter in ("step", "k") if parameter in grids), "")
    if process and process not in grids:
        raise ValueError(f"process must be one of the parameters {list(grids)}, got {process!r}")
    kind = StaticFigure if os.environ.get("SVMLIB_STATIC") == "1" else LiveFigure
    return kind(draw, sliders, alt, caption, width, name, process or None)


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
