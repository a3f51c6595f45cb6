"""Where a figure is laid out once and then drawn, for as many files as are made of it."""
import io
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from matplotlib.backends.backend_svg import FigureCanvasSVG, RendererSVG
from matplotlib.figure import Figure
from matplotlib.layout_engine import PlaceHolderLayoutEngine

from svmcourse.shared.once import remembered


class Sheet(FigureCanvasSVG):
    """A canvas that lays out and draws once; matplotlib's own draws all of a figure twice, to lay it out."""

    ruler = RendererSVG(1, 1, io.StringIO())  # remembers how large a text is, from frame to frame

    def get_renderer(self) -> RendererSVG:
        """What matplotlib measures letters with when it lays out."""
        return self.ruler

    def print_figure(self, filename: Any, dpi: Any = None, facecolor: Any = None, edgecolor: Any = None,
                     orientation: str = "portrait", format: str | None = None, *, metadata: Any = None,
                     **kwargs: Any) -> None:
        """What `Figure.savefig` calls."""
        figure = self.figure
        before, colours = figure.dpi, (figure.get_facecolor(), figure.get_edgecolor())
        with settled(figure):
            figure.set(dpi=dpi, facecolor=facecolor, edgecolor=edgecolor)
            with remembered():
                self.print_svg(filename, metadata=metadata)
        figure.set(dpi=before, facecolor=colours[0], edgecolor=colours[1])


@contextmanager
def measured(figure: Figure) -> Iterator[RendererSVG]:
    """Measure letters as an SVG has them for a while: in points, not in pixels."""
    canvas, dpi = figure.canvas, figure.dpi
    figure.dpi = Sheet(figure).fixed_dpi
    yield Sheet.ruler
    figure.dpi = dpi
    figure.set_canvas(canvas)


@contextmanager
def settled(figure: Figure, again: bool = True) -> Iterator[None]:
    """Lay the figure out, unless it need not be done again, and leave all at its place for a while."""
    layout = figure.get_layout_engine()
    if layout is None or isinstance(layout, PlaceHolderLayoutEngine):
        yield
        return
    if again and figure.axes:
        with measured(figure), remembered():
            layout.execute(figure)
    figure.set_layout_engine("none")
    yield
    figure.set_layout_engine(layout)
