"""Figures of the book: one palette, one meaning for every line, on every page.

Class -1 is a blue disc, class +1 an orange square; the boundary f = 0 is a solid black line, the margins f = -1
and f = +1 are dashed; a support vector wears a thin ring, a margin vector (0 < alpha < C) a thick one.  Each
colour has a contrast of 3 or more on paper, as has its partner (`svg.DARK`) on a dark page; they stay apart for
the colour-blind, and the shapes survive a black-and-white printer.
"""
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import matplotlib.pyplot as plt
import numpy as np
from IPython import get_ipython
from matplotlib.axes import Axes
from matplotlib.colors import ListedColormap
from matplotlib.figure import Figure
from matplotlib.patheffects import Normal, Stroke
from matplotlib.transforms import ScaledTranslation

from svmcourse.shared import pictures

__all__ = [
    "COLORS",
    "GREY",
    "INK",
    "NEGATIVE",
    "POSITIVE",
    "axes",
    "band",
    "beyond",
    "boundary",
    "close_up",
    "curve",
    "label_points",
    "legend",
    "machine",
    "mark",
    "name_rows",
    "points",
    "style",
    "window",
]

NEGATIVE, POSITIVE, INK, GREY = "#0072B2", "#D55E00", "#222222", "#767676"
#: For curves that are no class: green, purple, indigo, brown; then the two classes'.
COLORS = ("#07A35B", "#AC3472", "#4830AC", "#793C00", "#0072B2", "#D55E00")
REGION_COLORS = ("#DCEAF4", "#FBE6D6")
REGIONS = ListedColormap(REGION_COLORS)


def style() -> None:
    """Set matplotlib's defaults to those of the book, and how notebooks show figures.

    Called on import of `svmcourse`.  Letters are as large as a caption where 96 pixels are an inch.
    """
    plt.rcParams.update({
        "figure.dpi": 110, "savefig.dpi": 110, "figure.facecolor": "white", "axes.facecolor": "white",
        "figure.figsize": (6.0, 4.2), "figure.constrained_layout.use": True,
        "font.size": 11, "axes.titlesize": 11.5, "axes.labelsize": 11, "legend.fontsize": 10.5, "text.color": INK,
        "axes.spines.top": False, "axes.spines.right": False, "axes.edgecolor": GREY, "axes.labelcolor": INK,
        "xtick.color": GREY, "ytick.color": GREY, "axes.prop_cycle": plt.cycler(color=COLORS),
        "lines.linewidth": 1.8, "legend.frameon": False, "image.cmap": "cividis", "svg.hashsalt": "svmlib",
    })
    if (shell := get_ipython()) is not None:
        shell.display_formatter.mimebundle_formatter.for_type(Figure, pictures.bundle)
        shell.events.register("pre_run_cell", _drawn_once)


def _drawn_once(*_: object) -> None:
    """Keep pyplot from drawing each figure at the end of its cell: a notebook shows what `pictures.bundle` draws."""
    if "inline" in plt.get_backend():
        plt.uninstall_repl_displayhook()


def axes(columns: int = 1, rows: int = 1, width: float = 6.0, height: float | None = None,
         narrow: int | Callable[[], Figure] = 1, **kwargs: Any) -> tuple:
    """A new figure and its axes: `fig, ax = axes()`, `fig, (left, right) = axes(2)`; sizes in inches.

    On a page nothing is wider than 6.3 inches; on a phone the panels stand in as many columns as narrow says, or
    narrow draws another figure.
    """
    fig, axs = plt.subplots(rows, columns, figsize=(width, height or (4.2 if columns == 1 else 3.4) * rows), **kwargs)
    fig.narrow = narrow
    return fig, axs


def points(ax: Axes, X: np.ndarray, y: np.ndarray, size: float = 34, label: bool = False, alpha: float = 1.0) -> None:
    """Scatter the two classes of (X (n, 2), y (n,)); label=True names them for a legend."""
    for value, color, marker in ((-1, NEGATIVE, "o"), (1, POSITIVE, "s")):
        P = X[y == value]
        ax.scatter(P[:, 0], P[:, 1], s=size, c=color, marker=marker, edgecolors="white", linewidths=0.7, alpha=alpha,
                   zorder=3, label=f"class {'−' if value < 0 else '+'}1" if label else None)


def mark(ax: Axes, X: np.ndarray, support: Sequence[int] | np.ndarray, free: Sequence[int] | np.ndarray = (),
         size: float = 110, label: bool = False) -> None:
    """Ring the support vectors X[support] thinly and the margin vectors X[free] thickly; small rings are thinner."""
    thin = 0.6 if size < 80 else 1.0
    bounded = np.setdiff1d(support, free)
    for rows, width, name in ((bounded, 1.0, "support vector, α = C"), (np.asarray(free, int), 2.2, "margin vector")):
        if len(rows):
            ax.scatter(X[rows, 0], X[rows, 1], s=size, facecolors="none", edgecolors=INK, zorder=4,
                       linewidths=thin * width, label=name if label else None)


def window(X: np.ndarray, pad: float = 0.12) -> tuple[float, float, float, float]:
    """Limits (x0, x1, y0, y1) around the points, with a margin of pad times the extent."""
    low, high = X.min(axis=0), X.max(axis=0)
    extra = pad * np.where(high > low, high - low, 1.0)
    (x0, y0), (x1, y1) = low - extra, high + extra
    return float(x0), float(x1), float(y0), float(y1)


def close_up(X: np.ndarray, share: float = 0.9, pad: float = 0.08) -> tuple[float, float, float, float]:
    """Limits around the innermost share of the points, for data with long tails; `beyond` marks the others."""
    spread = np.abs(X - np.median(X, axis=0)).max(axis=1)
    return window(X[spread <= np.quantile(spread, share)], pad)


def beyond(ax: Axes, X: np.ndarray, y: np.ndarray, limits: tuple[float, float, float, float]) -> int:
    """Mark points outside of the limits by open signs on the edge of the picture; return how many there are."""
    x0, x1, y0, y1 = limits
    edge = np.clip(X, (x0, y0), (x1, y1))
    outside = (edge != X).any(axis=1)
    for value, color, marker in ((-1, NEGATIVE, "o"), (1, POSITIVE, "s")):
        P = edge[outside & (y == value)]
        ax.scatter(P[:, 0], P[:, 1], s=30, facecolors="white", edgecolors=color, linewidths=1.4, marker=marker,
                   zorder=3.5, clip_on=False)
    return int(outside.sum())


def label_points(ax: Axes, texts: Sequence[str], at: np.ndarray, keep_off: np.ndarray,
                 limits: tuple[float, float, float, float]) -> None:
    """Write a text beside each of the points at (m, 2), where it covers none of the points keep_off (k, 2).

    Of some thirty places about each point the one is taken that leaves the most room, on a phone and on a wide screen.
    """
    x0, x1, y0, y1 = limits
    scales = [pixels / max(x1 - x0, y1 - y0) for pixels in (250, 420)]           # pixels to a unit
    taken = [np.asarray(keep_off, float) * scale for scale in scales]
    boxes = [scale * np.array([[x0, y0], [x1, y1]]) for scale in scales]
    way = (0.35, 0.5, 0.65, 0.8)                                                 # parts of it to the text
    places = [(r * np.cos(t), 0.75 * r * np.sin(t)) for r in (34, 46, 60, 76) for t in np.radians(range(0, 360, 30))]
    for text, point in zip(texts, np.asarray(at, float), strict=True):
        half = np.array([3.9 * len(text), 8.0])
        room = [min(_room(point * scale + place, half, off, box)
                    + min(_room(point * scale + t * np.array(place), 0 * half, off, box) for t in way)
                    for scale, off, box in zip(scales, taken, boxes, strict=True)) - 0.05 * np.hypot(*place)
                for place in places]
        dx, dy = best = np.array(places[int(np.argmax(room))])
        ax.annotate(text, point, xytext=(0.75 * dx, 0.75 * dy), textcoords="offset points", ha="center", va="center",
                    fontsize=10, zorder=6, path_effects=[Stroke(linewidth=3, foreground="white"), Normal()],
                    arrowprops={"arrowstyle": "-", "color": INK, "lw": 0.7, "shrinkA": 0, "shrinkB": 4})
        around = [half * (a, b) for a in (-1, -0.5, 0, 0.5, 1) for b in (-1, 0, 1)]
        taken = [np.vstack([off, point * scale + best + around]) for scale, off in zip(scales, taken, strict=True)]


def _room(centre: np.ndarray, half: np.ndarray, taken: np.ndarray, box: np.ndarray) -> float:
    """Pixels between a text (its centre and half its size) and what is taken, at most 12; less outside of the box."""
    gaps = np.maximum(np.abs(taken - centre) - half, 0)
    inside = float(np.minimum(centre - half - box[0], box[1] - centre - half).min())
    return min(12.0, float(np.hypot(*gaps.T).min())) + 3 * min(0.0, inside)


def name_rows(ax: Axes, names: Sequence[str], shown: bool = True) -> None:
    """Name the rows 0, 1, ... of a dot plot, from the top, at the left of them; on a phone above them.

    shown=False is for a panel beside one that has the names; where panels are stacked, it shows its own.
    """
    for row, name in enumerate(names):
        ax.annotate(name, (0, row), xycoords=("axes fraction", "data"), xytext=(-6, 0), textcoords="offset points",
                    ha="right", va="center", gid=pictures.ROW, visible=shown)
    ax.set(yticks=[])
    if not ax.yaxis_inverted():
        ax.invert_yaxis()
    ax.spines["left"].set_visible(False)


def boundary(ax: Axes, f: Callable[[np.ndarray], np.ndarray], limits: tuple[float, float, float, float] | None = None,
             margins: bool = True, regions: bool = True, resolution: int = 161, color: str = INK,
             label: str | None = None) -> None:
    """Draw f = 0 (solid), f = -1 and +1 (dashed) and the two regions; f takes points (m, 2) to values (m,)."""
    x0, x1, y0, y1 = limits or (*ax.get_xlim(), *ax.get_ylim())
    u, v = np.meshgrid(np.linspace(x0, x1, resolution), np.linspace(y0, y1, resolution))
    F = np.asarray(f(np.column_stack([u.ravel(), v.ravel()]))).reshape(u.shape)
    if regions:
        ax.contourf(u, v, F, levels=[min(F.min(), 0) - 1, 0, max(F.max(), 0) + 1], cmap=REGIONS, zorder=0)
    levels, dashes = ([-1.0, 0.0, 1.0], ["dashed", "solid", "dashed"]) if margins else ([0.0], ["solid"])
    shown = [k for k, level in enumerate(levels) if F.min() < level < F.max()]
    if shown:
        kinds = [dashes[k] for k in shown]
        ax.contour(u, v, F, levels=[levels[k] for k in shown], colors=color, linestyles=kinds, zorder=2,
                   linewidths=[1.1 if kind == "dashed" else 1.9 for kind in kinds])
    if label:
        ax.plot([], [], color=color, label=label)
    ax.set(xlim=(x0, x1), ylim=(y0, y1))


def machine(clf: Any, X: np.ndarray, y: np.ndarray, ax: Axes | None = None,
            limits: tuple[float, float, float, float] | None = None, title: str | None = None, equal: bool = True,
            regions: bool = True, labels: bool = False, size: float = 34, ring: float = 110) -> Figure:
    """Draw a fitted binary machine on points in the plane: regions, boundary, margins, support and margin vectors.

    clf has decision_function and, where it is a support vector machine, solutions_.  size and ring are those of points
    and rings; where nearly all points wear one, small ones hide less, and ring=0 draws none.  Returns the figure.
    """
    X, y = np.asarray(X, float), np.asarray(y)
    fig, ax = axes(width=5.2, height=4.4) if ax is None else (ax.figure, ax)
    sign = np.where(y == np.unique(y)[-1], 1, -1)
    boundary(ax, clf.decision_function, limits or window(X), regions=regions)
    points(ax, X, sign, size, label=labels)
    if ring and hasattr(clf, "solutions_"):
        mark(ax, X, clf.solutions_[0].support, clf.solutions_[0].free, ring, label=labels)
    ax.set(xlabel="$x_1$", ylabel="$x_2$")
    if equal:
        ax.set_aspect("equal", adjustable="box")
    if title:
        ax.set_title(title)
    if labels:
        legend(ax)
    return fig


def band(ax: Axes, w: np.ndarray, b: float, half: float, color: str, label: str | None = None,
         span: float = 10.0) -> None:
    """Shade the band |w'x + b| / |w| <= half about a line in the plane, and draw the line."""
    w, b = np.asarray(w, float) / np.linalg.norm(w), float(b / np.linalg.norm(w))
    along, foot = np.array([-w[1], w[0]]), -b * w
    for shift, kind in ((0.0, "-"), (-half, "--"), (half, "--")):
        ends = np.array([foot + shift * w - span * along, foot + shift * w + span * along])
        middle = kind == "-"
        ax.plot(*ends.T, kind, color=color, lw=1.8 if middle else 1.0, label=label if middle else None, zorder=2)
    corners = [foot + s * half * w + t * span * along for s, t in ((-1, -1), (-1, 1), (1, 1), (1, -1))]
    ax.fill(*np.array(corners).T, color=color, alpha=0.13, lw=0, zorder=1)


def curve(x: Sequence[float] | np.ndarray, series: Mapping[str, Sequence[float] | np.ndarray],
          xlabel: str, ylabel: str, ax: Axes | None = None,
          logx: bool = False, logy: bool = False, marker: str = "o", title: str | None = None) -> Figure:
    """Plot named series over x, each with its own colour and marker; names stand in the legend."""
    fig, ax = axes(width=5.6, height=3.5) if ax is None else (ax.figure, ax)
    for k, (name, values) in enumerate(series.items()):
        ax.plot(x, values, marker=("o", "s", "^", "D", "v", "P")[k % 6] if marker else "", ms=4.5, label=name)
    ax.set(xlabel=xlabel, ylabel=ylabel, xscale="log" if logx else "linear", yscale="log" if logy else "linear")
    if title:
        ax.set_title(title)
    if len(series) > 1:
        legend(ax, 3)
    return fig


def legend(ax: Axes, columns: int = 2) -> None:
    """A legend below the axes, where it cannot cover data."""
    below = ax.transAxes + ScaledTranslation(0, -0.55, ax.figure.dpi_scale_trans)
    ax.legend(loc="upper center", bbox_to_anchor=(0.5, 0), bbox_transform=below, ncols=columns, handletextpad=0.4,
              columnspacing=1.4, borderaxespad=0)
