"""What matplotlib computes again and again while it lays out and draws a figure, computed once.

Half of the time that a figure took was this.  The pictures are the same to the last character, which a test compares.
"""
from collections.abc import Iterator
from contextlib import contextmanager
from functools import lru_cache
from typing import Any

import matplotlib as mpl
from matplotlib.axis import Axis
from matplotlib.backends.backend_svg import RendererSVG
from matplotlib.font_manager import FontProperties, fontManager, get_font
from matplotlib.mathtext import MathTextParser
from matplotlib.textpath import TextToPath

# matplotlib's cache of parsed formulas knows a parser by identity, and each renderer has its own: a formula would be
# parsed anew for each layout and each file.
MathTextParser.__hash__ = lambda self: hash(tuple(vars(self).values()))  # type: ignore[method-assign]
MathTextParser.__eq__ = lambda self, other: vars(self) == vars(other)  # type: ignore[method-assign]

_update_ticks, _label_boxes = Axis._update_ticks, Axis._get_ticklabel_bboxes  # type: ignore[attr-defined]
_extent = TextToPath.get_text_width_height_descent
_memories: list[dict[Axis, tuple[tuple[float, ...], list[Any], list[Any]]]] = []


@contextmanager
def remembered() -> Iterator[None]:
    """While a figure is laid out or drawn, an axis looks for its ticks again only where it has got another size."""
    _memories.append({})
    try:
        yield
    finally:
        _memories.pop()


def _place(axis: Axis) -> tuple[float, ...]:
    """All that changes while a figure is laid out and that the ticks of an axis depend on."""
    figure: Any = axis.get_figure(root=True)
    return (*axis.get_view_interval(), *axis.axes.bbox.bounds, figure.dpi)


def _ticks(self: Axis) -> list[Any]:
    """`Axis._update_ticks`; an axis in space turns its ticks as it draws them."""
    if not _memories or self.axes.name == "3d":
        return _update_ticks(self)
    known, place = _memories[-1], _place(self)
    if self not in known or known[self][0] != place:
        known[self] = place, _update_ticks(self), []
    return known[self][1]


def _boxes(self: Axis, ticks: list[Any], renderer: Any) -> Any:
    """`Axis._get_ticklabel_bboxes`."""
    place, known, boxes = _memories[-1].get(self, ((), None, [])) if _memories else ((), None, [])
    if known is not ticks or place != _place(self):
        return _label_boxes(self, ticks, renderer)
    if not boxes:
        boxes.append(_label_boxes(self, ticks, renderer))
    return boxes[0]


def _families(font: FontProperties) -> tuple[tuple[str, ...], ...]:
    """The fonts that generic names such as sans-serif stand for."""
    settings: Any = mpl.rcParams
    return tuple(tuple(settings.get(f"font.{name}", ())) for name in font.get_family())


@lru_cache(maxsize=1000)
def _font_heights(font: FontProperties, families: tuple[tuple[str, ...], ...]) -> tuple[float | None, ...]:
    """How far letters of a font reach above and below their line, and the gap between lines, in points."""
    face: Any = get_font(fontManager._find_fonts_by_props(font))
    for name, names in (("OS/2", ("sTypoAscender", "sTypoDescender", "sTypoLineGap")),
                        ("hhea", ("ascent", "descent", "lineGap"))):
        if (table := face.get_sfnt_table(name)) is not None:
            above, below, gap = (table[key] for key in names)
            scale = 1 / face.get_sfnt_table("head")["unitsPerEm"] * font.get_size_in_points()
            return above * scale, -below * scale, gap * scale
    return None, None, None   # matplotlib measures two letters


@lru_cache(maxsize=20_000)
def _text_extent(text: str, font: FontProperties, is_math: Any, families: tuple[tuple[str, ...], ...],
                 mathematics: str) -> tuple[float, float, float]:
    """`TextToPath.get_text_width_height_descent`, which is the same for each renderer."""
    return _extent(TextToPath(), text, font, is_math)


# A font can be changed after it has been asked for, so that a copy is remembered.
RendererSVG._get_font_height_metrics = lambda self, font: _font_heights(  # type: ignore[attr-defined]
    font.copy(), _families(font))
TextToPath.get_text_width_height_descent = lambda self, s, prop, ismath: _text_extent(  # type: ignore[method-assign]
    s, prop.copy(), ismath, _families(prop), mpl.rcParams["mathtext.fontset"])
Axis._update_ticks = _ticks  # type: ignore[attr-defined]
Axis._get_ticklabel_bboxes = _boxes  # type: ignore[attr-defined]
