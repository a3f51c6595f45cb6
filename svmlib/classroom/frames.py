"""Pictures computed ahead of time, and the HTML figure whose sliders choose among them."""

from __future__ import annotations

import base64
import hashlib
import html
import io
import itertools
import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from matplotlib.figure import Figure

PIXELS_PER_INCH = 96  # CSS pixels to an inch of figure
SHARPNESS = 1.5       # stored pixels to a CSS pixel, so that text stays crisp on fine screens
COLOURS = 64          # palette of a stored frame: a quarter of the bytes, no visible difference


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


def value_text(value: Any) -> str:
    """Format one slider value.

    >>> [value_text(v) for v in (1, 0.05, 1e-6, 100000, float("inf"), "hinge")]
    ['1', '0.05', '1e-06', '100000', '∞', 'hinge']
    """
    if isinstance(value, str):
        return value
    number = float(value)
    if number == float("inf"):
        return "∞"
    return str(int(number)) if number.is_integer() and abs(number) < 1e6 else f"{number:g}"


def render(drawn: object, where: str, colours: int | None = None) -> tuple[bytes, str, tuple[int, int]]:
    """Turn what `draw` returned into PNG bytes, the line of text under it and the size in CSS pixels.

    `colours` quantises the picture to a palette of so many colours; None keeps all.
    Raises ValueError when `drawn` is neither a figure nor (figure, text).
    """
    from matplotlib import pyplot as plt

    figure, text = drawn if isinstance(drawn, tuple) and len(drawn) == 2 else (drawn, "")
    if not isinstance(figure, Figure) or not isinstance(text, str):
        raise ValueError(f"draw must return a matplotlib Figure or (Figure, str), got {drawn!r} at {where}")
    width, height = (round(PIXELS_PER_INCH * inches) for inches in figure.get_size_inches())
    buffer = io.BytesIO()
    # No tight bounding box: every frame keeps the size of the figure, so nothing jumps.
    figure.savefig(buffer, format="png", dpi=PIXELS_PER_INCH * SHARPNESS, bbox_inches=None,
                   metadata={"Software": None})
    plt.close(figure)
    return _quantise(buffer.getvalue(), colours), text, (width, height)


def _quantise(png: bytes, colours: int | None) -> bytes:
    """Reduce a PNG to a palette, without dithering: flat areas stay flat and compress well."""
    if colours is None:
        return png
    from PIL import Image

    buffer = io.BytesIO()
    with Image.open(io.BytesIO(png)) as image:
        image.convert("RGB").quantize(colours, dither=Image.Dither.NONE).save(buffer, "PNG", optimize=True)
    return buffer.getvalue()


class StaticFigure:
    """An explorable figure for a page without a kernel: all frames, native sliders, no widget runtime.

    Frames that are equal are stored once. `kilobytes` is what the figure adds to its page.
    """

    def __init__(self, draw: Callable[..., object], sliders: Sequence[Slider], alt: str, caption: str,
                 width: int | None) -> None:
        self.sliders, self.alt, self.caption = tuple(sliders), alt, caption
        self.pngs: list[bytes] = []
        self.frame_of: list[int] = []      # grid point, last slider fastest -> index into pngs
        self.texts: list[str] = []
        known: dict[bytes, int] = {}
        self.size = (0, 0)
        for setting in grid(self.sliders):
            where = setting_text(self.sliders, setting)
            png, text, size = render(draw(**setting), where, COLOURS)
            if self.pngs and size != self.size:
                raise ValueError(f"draw must return figures of one size, got {size} pixels at {where} "
                                 f"after {self.size}")
            self.size = size
            if png not in known:
                known[png] = len(self.pngs)
                self.pngs.append(png)
            self.frame_of.append(known[png])
            self.texts.append(text)
        if width is not None:
            self.size = width, round(width * self.size[1] / self.size[0])

    @property
    def default(self) -> int:
        """Grid index of the starting position."""
        index = 0
        for slider in self.sliders:
            index = index * len(slider.values) + slider.start
        return index

    @property
    def kilobytes(self) -> float:
        """Weight of the HTML in kB (1000 bytes), before compression."""
        return len(self._repr_mimebundle_()["text/html"].encode()) / 1000

    def __repr__(self) -> str:
        return summary(self.sliders)

    def _repr_mimebundle_(self, include: object = None, exclude: object = None) -> dict[str, str]:
        """HTML with sliders; the starting frame as PNG for formats that have none; a short text."""
        first = base64.b64encode(self.pngs[self.frame_of[self.default]]).decode()
        return {"text/plain": repr(self), "text/html": self._html(first), "image/png": first}

    def _html(self, first: str) -> str:
        """The figure: controls (hidden until the script runs), picture, line of text, caption, frames."""
        start = {s.name: s.values[s.start] for s in self.sliders}
        shown = self.frame_of[self.default]
        frames = [None if i == shown else base64.b64encode(png).decode() for i, png in enumerate(self.pngs)]
        data = json.dumps({"frames": frames, "frameOf": self.frame_of, "texts": self.texts},
                          separators=(",", ":")).replace("<", "\\u003c")
        key = hashlib.sha256((self.alt + self.caption + repr(self)).encode()).hexdigest()[:8]
        controls = "".join(_control(s, f"explore-{key}-{s.name}") for s in self.sliders)
        text = (f'<p class="explore-text" aria-live="polite">{prose(self.texts[self.default])}</p>'
                if any(self.texts) else "")
        caption = f"<figcaption>{prose(self.caption)}</figcaption>" if self.caption else ""
        return (
            f'<figure class="explore" style="--explore-width:{self.size[0]}px">'
            f'<div class="explore-controls" hidden>{controls}</div>'
            f'<div class="explore-picture"><img width="{self.size[0]}" height="{self.size[1]}" '
            f'alt="{html.escape(self.alt)}" src="data:image/png;base64,{first}"></div>'
            f'<p class="explore-setting">{html.escape(setting_text(self.sliders, start))}</p>'
            f'{text}{caption}<script type="application/json">{data}</script></figure>'
        )


def _control(slider: Slider, key: str) -> str:
    """One labelled native slider; it speaks the value, not the position."""
    texts = slider.texts
    widest = max(map(len, texts))
    return (
        f'<label for="{key}"><span>{html.escape(slider.label)}</span>'
        f'<input id="{key}" type="range" min="0" max="{len(texts) - 1}" step="1" value="{slider.start}" '
        f'autocomplete="off" aria-label="{html.escape(slider.label)}" '
        f'aria-valuetext="{html.escape(texts[slider.start])}" '
        f'data-start="{slider.start}" data-values="{html.escape(json.dumps(texts, ensure_ascii=False))}">'
        f'<output for="{key}" aria-hidden="true" style="min-width:{widest}ch">'
        f'{html.escape(texts[slider.start])}</output></label>'
    )


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
    r"""Escape text for HTML; $…$ becomes mathematics and `…` code.

    >>> prose("small $C < 1$ & `alpha`")
    'small <span class="tex2jax_process">\\(C &lt; 1\\)</span> &amp; <code>alpha</code>'
    """
    text = html.escape(text, quote=False)
    text = re.sub(r"(?<!\\)\$(.+?)(?<!\\)\$", r'<span class="tex2jax_process">\\(\1\\)</span>', text)
    return re.sub(r"`([^`]+)`", r"<code>\1</code>", text)
