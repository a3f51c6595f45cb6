"""Matplotlib figures as pictures of a page: sharp at every size, in light and dark, wide and for a phone.

A picture is an SVG whose colours are variables: the file itself shows them light, `file.svg#dark` shows them dark,
so that one file serves both. A second file holds the narrow form: panels stacked, the same size of letters.
"""
import base64
import io
import json
import os
import warnings
from collections.abc import Iterator
from typing import Any

import matplotlib.pyplot as plt
import numpy as np
from IPython import get_ipython
from matplotlib.axes import Axes
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from matplotlib.gridspec import GridSpec, SubplotSpec
from matplotlib.layout_engine import ConstrainedLayoutEngine
from matplotlib.text import Annotation

from svmcourse.shared.lettering import halved, line_count, name_axes, narrowed, thin_numbers
from svmcourse.shared.once import remembered
from svmcourse.shared.sheet import measured, settled
from svmcourse.shared.svg import PIXELS_PER_INCH, SHARPNESS, size, svg

WIDE = 604            # CSS pixels, as wide as a column of text
NARROW = 340          # as wide as a phone's
ROW = "row"           # marks the name of a row, see `plotting.name_rows`


def bundle(figure: Figure, *_: object) -> tuple[dict[str, str], dict[str, dict[str, int]]]:
    """What a notebook shows of a figure: PNG, twice as fine as its size; in the book build also the page's forms.

    `svmcourse.shared.plotting.style` names it to IPython.  book/_ext/slider_figures.py puts the forms on the page.
    """
    if (shell := get_ipython()) is not None:  # what matplotlib has registered there would go before a bundle
        for formatter in shell.display_formatter.formatters.values():
            formatter.pop(Figure, None)
    data = {"text/plain": repr(figure)}
    if os.environ.get("SVMLIB_STATIC") == "1":
        made, fine = forms_and_png(figure)
        data["text/html"] = parcel({"kind": "picture", "forms": made})
        width, height = made[0][1:]
    else:
        (width, height), fine = size(figure), png(figure)
    return {**data, "image/png": base64.b64encode(fine).decode()}, {"image/png": {"width": width, "height": height}}


def parcel(content: dict[str, Any]) -> str:
    """Content for the book's Sphinx hook, as HTML that shows nothing."""
    text = json.dumps(content, ensure_ascii=False, separators=(",", ":")).replace("<", "\\u003c")
    return f'<script type="application/vnd.svmlib+json">{text}</script>'


def png(figure: Figure, sharpness: float = SHARPNESS, colours: int | None = 128) -> bytes:
    """The figure as it stands as PNG on paper, reduced to a palette: a third of the bytes, no visible difference.

    No tight bounding box: the picture keeps the size of the figure, so that nothing jumps.
    """
    from PIL import Image

    buffer, canvas, dpi = io.BytesIO(), figure.canvas, figure.dpi
    paper = FigureCanvasAgg(figure)
    figure.dpi = PIXELS_PER_INCH * sharpness
    with settled(figure):
        paper.draw()
    image = Image.fromarray(np.asarray(paper.buffer_rgba()))
    figure.dpi = dpi
    figure.set_canvas(canvas)
    if colours is not None:
        image = image.convert("RGB").quantize(colours, dither=Image.Dither.NONE)
    image.save(buffer, "PNG", optimize=colours is not None)
    return buffer.getvalue()


def forms(figure: Figure, tallest: float = np.inf) -> list[tuple[str, int, int]]:
    """The SVG of each form with its width and height in CSS pixels: wide, then narrow where the wide one is too wide.

    The narrow one is no higher than tallest.  The figure is laid out anew for each and closed.
    """
    return [(svg(shape), *size(shape)) for shape in _shapes(figure, tallest)]


def forms_and_png(figure: Figure, tallest: float = np.inf) -> tuple[list[tuple[str, int, int]], bytes]:
    """The forms, and the wide one as a PNG to take away, of twice its CSS pixels."""
    made, fine = [], b""
    for shape in _shapes(figure, tallest):
        width, height = size(shape)
        made.append((svg(shape), width, height))
        if not fine:   # a canvas drops parts of a pixel
            fine = png(shape, max((SHARPNESS * pixels + 0.01) / (PIXELS_PER_INCH * inches) for pixels, inches in
                                  zip((width, height), shape.get_size_inches(), strict=True)), 256)
    return made, fine


def _shapes(figure: Figure, tallest: float) -> Iterator[Figure]:
    """The figure laid out wide, then narrow where that is too wide; then it is closed."""
    grows = bool(np.isinf(tallest))   # frames of one figure are of one size, whatever breaks in one of them
    with settled(figure, _fit(figure, grows)):
        yield figure
    if size(figure)[0] > NARROW:
        plt.close(figure)
        changed, narrow = True, getattr(figure, "narrow", 1)
        if callable(narrow):   # the figure draws its narrow form itself
            figure = narrow()
            inches, height = figure.get_size_inches()
            figure.set_size_inches(NARROW / PIXELS_PER_INCH, height * NARROW / PIXELS_PER_INCH / inches)
        else:
            changed = _stack(figure, narrow, tallest / PIXELS_PER_INCH)
        with settled(figure, changed):
            yield figure
    plt.close(figure)


def _fit(figure: Figure, grows: bool = True) -> bool:
    """Make a figure as wide as the column, where it is wider; letters keep their size, and broken lines get room.

    Says whether something has changed since it was laid out.
    """
    inches, height = figure.get_size_inches()
    if (share := WIDE / PIXELS_PER_INCH / inches) < 1:
        figure.set_size_inches(WIDE / PIXELS_PER_INCH, height * share ** 0.7)
    _share_labels(figure)
    inches, height = figure.get_size_inches()
    broken, _, changed = _tame(figure)
    if grows and broken:
        figure.set_size_inches(inches, height + broken)
    return changed or bool(grows and broken)


def _share_labels(figure: Figure) -> None:
    """Where panels beside each other have one axis, the first of them numbers and names it."""
    first: dict[int, Axes] = {}
    for ax, spec in _placed(figure):
        left = first.setdefault(spec.rowspan.start, ax)
        alike = ax is not left and ax.axison and ax.get_ylabel() in ("", left.get_ylabel())
        if alike and _vertical(ax) == _vertical(left):
            ax.set_ylabel("")
            ax.tick_params(axis="y", labelleft=False)


def _vertical(ax: Axes) -> tuple[Any, ...]:
    """Limits and numbers of a panel's vertical axis."""
    return (*ax.get_ylim(), *ax.get_yticks(), *(label.get_text() for label in ax.get_yticklabels()))


def _stack(figure: Figure, columns: int, tallest: float) -> bool:
    """Stack the panels of a figure for a phone, in this many columns; says whether it must be laid out again."""
    inches, height = figure.get_size_inches()
    width = NARROW / PIXELS_PER_INCH
    placed = _placed(figure)
    grids = {id(spec.get_gridspec()) for _, spec in placed}
    if len(grids) == 1 and placed[0][1].get_gridspec().ncols > columns:
        height = _restack(figure, placed, columns, width)
    else:
        rows = [_lift_names(ax) for ax in figure.axes]
        below_each_other = max((spec.get_gridspec().nrows for _, spec in placed), default=1) > 1
        shrink = (width / inches) ** (0.25 if below_each_other else 0.6)
        height = max(rows) if len(placed) == 1 and max(rows) else height * shrink
    figure.set_size_inches(width, min(height, tallest))
    broken, rows_of_legends, changed = _tame(figure, titles=bool(np.isinf(tallest)))
    figure.set_size_inches(width, taller := min(height + broken + rows_of_legends, tallest))
    return changed or taller != min(height, tallest)


def _placed(figure: Figure) -> list[tuple[Axes, SubplotSpec]]:
    """The panels, each with its place in a table of panels; colour bars have none."""
    return [(ax, spec) for ax in figure.axes if (spec := ax.get_subplotspec()) is not None]


def _restack(figure: Figure, placed: list[tuple[Axes, SubplotSpec]], columns: int, width: float) -> float:
    """Give each panel its place in fewer columns; return the height in inches that they need."""
    rows = placed[0][1].get_gridspec().nrows
    full, tall = figure.get_size_inches()
    if any(len(spec.rowspan) > 1 or len(spec.colspan) > 1 for _, spec in placed):
        columns = 1
        order = sorted(range(len(placed)), key=lambda k: (placed[k][1].colspan.start, placed[k][1].rowspan.start))
        place = {k: (row, 0) for row, k in enumerate(order)}
    else:   # (r, c) of the table goes to block c // columns of rows
        place = {k: (spec.rowspan.start + rows * (spec.colspan.start // columns), spec.colspan.start % columns)
                 for k, (_, spec) in enumerate(placed)}
    heights = np.zeros(1 + max(row for row, _ in place.values()))
    for k, (row, _) in place.items():
        ax, box = placed[k][0], placed[k][1].get_position(figure)
        ratio = box.height * tall / (box.width * full)
        most = 1.05 if ax.get_aspect() != "auto" else 0.75
        own = _lift_names(ax) if columns == 1 else 0.0
        heights[row] = max(heights[row], own or width / columns * float(np.clip(ratio, 0.3, most)))
    grid = GridSpec(len(heights), columns, figure=figure, height_ratios=heights.tolist())
    for k, (ax, _) in enumerate(placed):
        ax.set_subplotspec(grid[place[k]])
    _repeat_labels([ax for k, (ax, _) in enumerate(placed) if place[k][1] == 0])
    if isinstance(layout := figure.get_layout_engine(), ConstrainedLayoutEngine):
        layout.set(h_pad=0.09)   # a title belongs to the panel below it
    return float(heights.sum()) + 0.22 * len(heights)


def _lift_names(ax: Axes) -> float:
    """Put the names of rows above them, so that the rows have the whole width; return the inches for that, or 0."""
    names = [text for text in ax.texts if isinstance(text, Annotation) and text.get_gid() == ROW]
    for row, text in enumerate(names):
        text.xy = (0, row - 0.5)
        text.set(x=0, y=0, ha="left", va="center", visible=True,
                 bbox={"fc": "white", "ec": "none", "pad": 1})
    if names:
        ax.set_ylim(len(names) - 0.6, -0.8)
    return 0.46 * len(names) + 0.8 if names else 0.0


def _repeat_labels(panels: list[Axes]) -> None:
    """Where one panel numbered and named the axis of its neighbours, each does it for itself now."""
    for ax in panels:
        if ax.axison and len(ax.get_yticks()):
            ax.tick_params(axis="y", labelleft=True)
    names = {_vertical(ax): ax.get_ylabel() for ax in panels if ax.get_ylabel()}
    for ax in panels:
        if ax.axison and not ax.get_ylabel():
            ax.set_ylabel(names.get(_vertical(ax), ""))


def _tame(figure: Figure, titles: bool = True) -> tuple[float, float, bool]:
    """Break titles, names of axes and legends that are wider than their place; let no numbers of an axis touch.

    Returns the inches that broken lines take, with titles or without, and those of legends of many rows; and whether
    the figure must be laid out again.
    """
    with measured(figure) as renderer:
        _lay_out(figure)
        before = _lettering(figure)
        room = figure.bbox.width
        specs = dict(_placed(figure))
        lines: dict[int, set[str]] = {}
        taken: dict[int, int] = {}
        for ax in figure.axes:
            alone = ax not in specs or specs[ax].get_gridspec().ncols == 1
            place = 0.9 * room if alone else 1.1 * specs[ax].get_position(figure).width * room
            words = ax.title.get_text().replace("\n", " ")
            ax.title.set_text(words)
            if words and ax.title.get_window_extent(renderer).width > place:
                ax.title.set_text(halved(words))
            row = specs[ax].rowspan.start if ax in specs else 0
            if titles and "\n" in ax.title.get_text():
                lines.setdefault(row, set()).add("title")
            if name_axes(ax, figure, renderer, np.inf if alone else place):
                lines.setdefault(row, set()).add("name")
            if (legend := ax.get_legend()) is not None:
                narrowed(legend, renderer, place)
                taken[row] = max(taken.get(row, 0), line_count(legend))
        for whole in figure.legends:
            narrowed(whole, renderer, 0.98 * room)
            taken[-1] = line_count(whole)
        if taken and _lettering(figure) != before:
            before = _lettering(figure)
            for _ in range(6):   # each round the panels grow above narrower legends
                widths = [ax.get_position().width for ax in figure.axes]
                _lay_out(figure)
                if np.allclose(widths, [ax.get_position().width for ax in figure.axes], atol=2e-3):
                    break
        for ax in figure.axes:
            thin_numbers(ax, renderer)
        changed = _lettering(figure) != before or _gives(figure)
    return 0.21 * sum(map(len, lines.values())), 0.21 * sum(rows - 1 for rows in taken.values()), changed


def _gives(figure: Figure) -> bool:
    """Whether laying out changes what it has measured: words at places in panels, several panels of fixed shape."""
    words = any(text.get_in_layout() for ax in figure.axes for text in ax.texts)
    return words or (len(figure.axes) > 1 and any(ax.get_aspect() != "auto" for ax in figure.axes))


def _lettering(figure: Figure) -> list[Any]:
    """What `_tame` may change of words, legends and numbers, on which the places of the panels depend."""
    legends: list[Any] = [*figure.legends, *(ax.get_legend() for ax in figure.axes)]
    return [[legend and legend._ncols for legend in legends],
            *((ax.get_title(), ax.get_xlabel(), ax.get_ylabel(), ax.xaxis.label.get_horizontalalignment(),
               locator := ax.xaxis.get_major_locator(), getattr(locator, "_nbins", None)) for ax in figure.axes)]


def _lay_out(figure: Figure) -> None:
    """Give each panel its place."""
    layout = figure.get_layout_engine()
    if _placed(figure) and layout is not None:
        with remembered(), warnings.catch_warnings():   # that there is no room, which is made afterwards
            warnings.simplefilter("ignore", UserWarning)
            layout.execute(figure)
