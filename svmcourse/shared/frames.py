"""Pictures computed ahead of time, one for each position of a figure's sliders, and what the page says at each."""

import base64
import gc
import html
import itertools
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from matplotlib.figure import Figure

from svmcourse.shared import pictures
from svmcourse.shared.svg import HEAVY
from svmcourse.shared.tables import SUPERSCRIPT

TALLEST = 460  # CSS pixels of a picture on a phone, where sliders and picture should be seen together


@dataclass(frozen=True)
class Slider:
    """One parameter of an explorable figure: its values, how they read, where it starts."""

    name: str
    label: str
    unit: str
    values: tuple[Any, ...]
    start: int

    @property
    def texts(self) -> list[str]:
        """What the reader sees beside the slider, one text for each value."""
        return [value_text(value) + self.unit for value in self.values]

    @property
    def keys(self) -> list[str]:
        """What stands for the values in an address: C=0.05."""
        return [value if isinstance(value, str) else f"{float(value):g}" for value in self.values]


def value_text(value: Any) -> str:
    """Format one slider value for people.

    >>> [value_text(v) for v in (1, 0.05, -0.5, 1e-6, 100000, float("inf"), "hinge")]
    ['1', '0.05', '−0.5', '10⁻⁶', '100000', '∞', 'hinge']
    """
    if isinstance(value, str):
        return value
    number = float(value)
    if number == float("inf"):
        return "∞"
    return tidy(str(int(number)) if number.is_integer() and abs(number) < 1e6 else f"{number:g}")


def tidy(text: str) -> str:
    """Set the numbers of a line for people: a true minus, powers of ten as powers.

    >>> tidy("b = -0.52, gap 7.2e+00 of 1e-06, from 2.7e+03 to 3.5e-7")
    'b = −0.52, gap 7.2 of 10⁻⁶, from 2700 to 3.5·10⁻⁷'
    """
    def power(match: re.Match[str]) -> str:
        mantissa, exponent = match[1], int(match[2])
        if abs(exponent) <= 3:
            return f"{float(match[0]):g}"
        return ("" if mantissa == "1" else mantissa + "·") + "10" + str(exponent).translate(SUPERSCRIPT)

    text = re.sub(r"\b(\d+(?:\.\d+)?)e([+-]?\d+)\b", power, text)
    return re.sub(r"(?<![\w)\]])-(?=\d)", "−", text)


def drawn(result: object, where: str) -> tuple[Figure, str]:
    """What `draw` returned as figure and text.

    Raises ValueError when it is neither a figure nor (figure, text), or when the text holds TeX.
    """
    figure, text = result if isinstance(result, tuple) and len(result) == 2 else (result, "")
    if not isinstance(figure, Figure) or not isinstance(text, str):
        raise ValueError(f"draw must return a matplotlib Figure or (Figure, str), got {result!r} at {where}")
    if "$" in text:
        raise ValueError(f"the text under a figure is plain, as in 1/‖w‖ or α, got {text!r} at {where}")
    return figure, tidy(text)


class StaticFigure:
    """An explorable figure for a page without a kernel: all its pictures, drawn ahead of time.

    Pictures that are equal are stored once.  book/_ext/slider_figures.py makes files of them, and the numbered figure.
    """

    def __init__(self, draw: Callable[..., object], sliders: Sequence[Slider], alt: str, caption: str,
                 width: int | None = None, name: str = "", process: str | None = None) -> None:
        self.sliders, self.alt, self.caption = tuple(sliders), alt, caption
        self.name, self.process = name, process
        self.frames: list[list[str]] = []  # SVG of each form
        self.frame_of: list[int] = []      # grid point, last slider fastest -> index into frames
        self.texts: list[str] = []
        self.sizes: list[tuple[int, int]] = []
        known: dict[str, int] = {}
        first, heavy, self._png = (0, 0), False, b""
        gc.freeze()   # a figure is garbage that points at itself: what was there before need not be searched for each
        for point, setting in enumerate(grid(self.sliders)):
            where = setting_text(self.sliders, setting)
            figure, text = drawn(draw(**setting), where)
            if point and pictures.size(figure) != first:
                raise ValueError(f"draw must return figures of one size, got {pictures.size(figure)} pixels at {where} "
                                 f"after {first}")
            first = pictures.size(figure)
            setattr(figure, HEAVY, heavy)   # the frames of one figure are alike
            if point == self.default:
                made, self._png = pictures.forms_and_png(figure, TALLEST)
            else:
                made = pictures.forms(figure, TALLEST)
            heavy = getattr(figure, HEAVY)
            self.sizes = [(w, h) for _, w, h in made]
            if made[0][0] not in known:
                known[made[0][0]] = len(self.frames)
                self.frames.append([svg for svg, _, _ in made])
            self.frame_of.append(known[made[0][0]])
            self.texts.append(text)
        gc.unfreeze()
        if width is not None:
            w, h = self.sizes[0]
            self.sizes[0] = width, round(width * h / w)

    @property
    def default(self) -> int:
        """Grid index of the starting position."""
        index = 0
        for slider in self.sliders:
            index = index * len(slider.values) + slider.start
        return index

    @property
    def kilobytes(self) -> float:
        """Weight of all files in kB (1000 bytes), before compression."""
        return sum(len(svg.encode()) for frame in self.frames for svg in frame) / 1000

    def __repr__(self) -> str:
        return summary(self.sliders)

    def content(self) -> dict[str, Any]:
        """All that the page needs."""
        return {
            "kind": "explore", "name": self.name, "alt": self.alt, "caption": self.caption, "process": self.process,
            "sliders": [{"name": s.name, "label": s.label, "keys": s.keys, "texts": s.texts, "start": s.start}
                        for s in self.sliders],
            "setting": setting_text(self.sliders, {s.name: s.values[s.start] for s in self.sliders}),
            "default": self.default, "sizes": self.sizes, "frames": self.frames, "frameOf": self.frame_of,
            "texts": self.texts,
        }

    def _repr_mimebundle_(self, include: object = None, exclude: object = None) -> dict[str, str]:
        """The content for the book's hook; the starting picture for formats that have none; a short text."""
        return {"text/plain": repr(self), "text/html": pictures.parcel(self.content()),
                "image/png": base64.b64encode(self._png).decode()}


def grid(sliders: Sequence[Slider]) -> Iterator[dict[str, Any]]:
    """Every setting, the last slider running fastest."""
    for values in itertools.product(*(s.values for s in sliders)):
        yield {s.name: value for s, value in zip(sliders, values, strict=True)}


def summary(sliders: Sequence[Slider]) -> str:
    """The text/plain of an explorable figure, the same in a kernel and in the book."""
    return "<explore " + " × ".join(f"{s.label}[{len(s.values)}]" for s in sliders) + ">"


def setting_text(sliders: Sequence[Slider], setting: Mapping[str, Any]) -> str:
    """One setting in words: 'C = 1, σ = 0.5'."""
    return ", ".join(f"{s.label} = {value_text(setting[s.name])}{s.unit}" for s in sliders)


def prose(text: str) -> str:
    r"""Escape text for HTML; $…$ becomes mathematics, `…` code and *…* is stressed.

    Mathematics is marked as MathJax knows it in a notebook; the build of the book sets it where it finds the same mark.

    >>> prose("small $C < 1$ & `alpha`")
    'small <span class="tex2jax_process">\\(C &lt; 1\\)</span> &amp; <code>alpha</code>'
    >>> prose("*not* $w^*$, 2 * 3 * 4")
    '<em>not</em> <span class="tex2jax_process">\\(w^*\\)</span>, 2 * 3 * 4'
    """
    done = ""
    for part in re.split(r"((?<!\\)\$.+?(?<!\\)\$|`[^`]+`)", html.escape(text, quote=False)):
        if part[:1] == "$" and len(part) > 1:
            done += rf'<span class="tex2jax_process">\({part[1:-1]}\)</span>'
        elif part[:1] == "`":
            done += f"<code>{part[1:-1]}</code>"
        else:
            done += re.sub(r"(?<![\w*])\*([^\s*][^*]*)\*(?![\w*])", r"<em>\1</em>", part)
    return done
