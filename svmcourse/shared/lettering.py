"""Words and numbers of a figure that need more room than there is: broken, put into fewer columns, or left out."""
import itertools
import re
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import FixedLocator, MaxNLocator


def name_axes(ax: Axes, figure: Figure, renderer: Any, place: float) -> bool:
    """Break the names of a panel's axes where they are longer than there is room; say whether below it, too."""
    if not ax.axison or ax.name == "3d":
        return False
    box, whole = ax.get_position(), figure.bbox
    room = {ax.xaxis: min(place, 2 * whole.width * min((box.x0 + box.x1) / 2, 1 - (box.x0 + box.x1) / 2)),
            ax.yaxis: 2 * whole.height * min((box.y0 + box.y1) / 2, 1 - (box.y0 + box.y1) / 2)}
    for axis, most in room.items():
        words = axis.label.get_text().replace("\n", " ")
        if axis.label.get_text() in (words, halved(words)):   # not broken by its author
            axis.label.set_text(words)
            extent = axis.label.get_window_extent(renderer)
            if axis is ax.xaxis and place == np.inf and most < extent.width < box.x1 * whole.width:
                axis.label.set(x=1, horizontalalignment="right")
            elif words and (extent.width if axis is ax.xaxis else extent.height) > most:
                axis.label.set_text(halved(words))
    return "\n" in ax.get_xlabel()


def thin_numbers(ax: Axes, renderer: Any) -> None:
    """Leave out numbers of the lower axis where they touch each other."""
    if not ax.axison or ax.name == "3d":
        return

    def touch() -> bool:
        boxes = [label.get_window_extent(renderer) for label in ax.get_xticklabels()
                 if label.get_visible() and label.get_text()]
        boxes.sort(key=lambda box: box.x0)
        return any(a.x1 + 2 > b.x0 for a, b in itertools.pairwise(boxes))

    if touch() and isinstance(locator := ax.xaxis.get_major_locator(), MaxNLocator):
        for most in (4, 3, 2, 1):
            locator.set_params(nbins=most)
            if not touch():
                return
        low, high = sorted(ax.get_xlim())
        seen = [value for value in ax.get_xticks() if low <= value <= high]
        ax.xaxis.set_major_locator(FixedLocator([seen[0], seen[-1]]))
    elif touch() and isinstance(locator, FixedLocator):
        names = [label.get_text() for label in ax.get_xticklabels()]
        ax.set_xticks(ax.get_xticks(), [name if (len(names) - k) % 2 else "" for k, name in enumerate(names)])


def line_count(legend: Any) -> int:
    """How many lines a legend has."""
    return -(-len(legend.get_texts()) // legend._ncols)


def narrowed(legend: Any, renderer: Any, room: float) -> None:
    """Give a legend as many of its columns as fit; matplotlib lays it out once only, when it is made."""
    wanted = legend.wanted = getattr(legend, "wanted", legend._ncols)
    for columns in range(wanted, 0, -1):
        if columns != legend._ncols:
            legend.set_ncols(columns)
            legend._init_legend_box(legend.legend_handles, [text.get_text() for text in legend.get_texts()])
            legend._legend_box.set_offset(legend._findoffset)
        if legend.get_window_extent(renderer).width <= room:
            return


def halved(words: str) -> str:
    """Break a line near its middle, after a comma where there is one, not inside of mathematics.

    >>> halved("polynomial kernel, degree 4")
    'polynomial kernel,\\ndegree 4'
    """
    spaces = [m.start() for m in re.finditer(" ", words) if words[:m.start()].count("$") % 2 == 0]
    if not spaces:
        return words
    at = min(spaces, key=lambda k: abs(k - len(words) / 2) - (words[k - 1] in ",:;") * len(words) / 4)
    return words[:at] + "\n" + words[at + 1:]
