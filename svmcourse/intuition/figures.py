"""Figures of the chapter on intuition: bands, lines that turn, least squares, images as points."""
from collections.abc import Callable, Mapping, Sequence

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from svmcourse.shared import plotting as pl
from svmlib import SVC
from svmlib.baselines import LeastSquares
from svmlib.kernels import Linear

WIDE, NARROW = pl.COLORS[0], pl.COLORS[1]


def _band(X: np.ndarray, y: np.ndarray, degrees: float) -> tuple[np.ndarray, float, float]:
    """Unit normal w at an angle, the bias b halfway between the classes, and the width of the band (< 0: none)."""
    w = np.array([np.cos(np.radians(degrees)), np.sin(np.radians(degrees))])
    t = X @ w
    low, high = t[y < 0].max(), t[y > 0].min()
    return w, float(-(low + high) / 2), float(high - low)


def _frame(ax: Axes, X: np.ndarray, pad: float = 0.08) -> None:
    """Fixed limits around the points, equal units, named axes."""
    x0, x1, y0, y1 = pl.window(X, pad)
    ax.set(xlim=(x0, x1), ylim=(y0, y1), xlabel="$x_1$", ylabel="$x_2$", aspect="equal")


def two_lines(X: np.ndarray, y: np.ndarray, *degrees: float) -> Figure:
    """Separating lines with normals at some angles, side by side, without their bands: nothing says which is better."""
    fig, axs = pl.axes(len(degrees), width=8.8, height=4.2)
    for ax, angle in zip(axs, degrees, strict=True):
        w, b, _ = _band(X, y, angle)
        pl.band(ax, w, b, 0.0, pl.INK)
        pl.points(ax, X, y)
        _frame(ax, X)
    return fig


def two_bands(X: np.ndarray, y: np.ndarray, narrow: float, wide: float) -> Figure:
    """Two separating lines with normals at two angles (degrees), side by side, each with its band."""
    fig, axs = pl.axes(2, width=8.8, height=4.4)
    for ax, degrees, color in zip(axs, (narrow, wide), (NARROW, WIDE), strict=True):
        w, b, width = _band(X, y, degrees)
        pl.band(ax, w, b, width / 2, color)
        pl.points(ax, X, y)
        _frame(ax, X)
        ax.set_title(f"width of the band {width:.2f}")
    return fig


def third_place(X: np.ndarray, y: np.ndarray, later: np.ndarray, wide: float, lucky: float) -> Figure:
    """The widest band (its normal at the angle wide) beside a line that leans, and points of +1 that come later."""
    fig, ax = pl.axes(width=6.0, height=4.4)
    for degrees, color, name in ((wide, WIDE, "widest band"), (lucky, NARROW, "another line")):
        w, b, width = _band(X, y, degrees)
        pl.band(ax, w, b, width / 2 if degrees == wide else 0.0, color, label=name)
    pl.points(ax, X, y)
    pl.points(ax, later, np.ones(len(later)), alpha=0.45)
    ax.collections[-1].set_label("points that come later")
    _frame(ax, np.vstack([X, later]))
    pl.legend(ax)
    return fig


def turned(X: np.ndarray, y: np.ndarray, degrees: float) -> Figure:
    """The line with its normal at an angle, halfway between the classes; the points that stop its band are ringed."""
    w, b, width = _band(X, y, degrees)
    fig, ax = pl.axes(width=5.2, height=5.0)
    pl.points(ax, X, y)
    _frame(ax, X)
    start = X.mean(axis=0) - (w @ X.mean(axis=0) + b) * w
    ax.annotate("", start + 1.6 * w, start, zorder=5,
                arrowprops={"arrowstyle": "-|>", "lw": 1.8, "color": pl.INK, "shrinkA": 0, "shrinkB": 0})
    pl.band(ax, w, b, max(width, 0.0) / 2, WIDE if width > 0 else pl.GREY)
    if width > 0:
        edge = np.flatnonzero(np.abs(np.abs(X @ w + b) - width / 2) < 1e-9)
        pl.mark(ax, X, edge, edge)
        if len(edge) == 2:      # the arrow from one to the other, whose shadow on the normal is the width
            ax.plot(*X[edge].T, ":", color=pl.INK, lw=1.5)
    return fig


def width_curve(degrees: np.ndarray, widths: np.ndarray) -> Figure:
    """Width of the band over the angle of the normal; where it is negative no line separates."""
    fig, ax = pl.axes(width=6.2, height=3.5)
    ax.axhline(0, color=pl.GREY, lw=0.8)
    good = np.flatnonzero(widths > 0)
    ax.axvspan(degrees[good[0]], degrees[good[-1]], color=WIDE, alpha=0.12, lw=0)
    ax.plot(degrees, widths, color=pl.INK)
    best = int(widths.argmax())
    ax.plot(degrees[best], widths[best], "o", color=WIDE, ms=8, zorder=4)
    ax.annotate(f"{widths[best]:.2f} at {degrees[best]:.0f}°", (degrees[best], widths[best]), xytext=(8, 5),
                textcoords="offset points")
    ax.set(xlabel="angle of the normal (°)", ylabel="width", ylim=(widths.min() - 0.2, widths.max() + 0.5),
           xlim=(degrees[0], degrees[-1]))
    return fig


def far_explorer(X: np.ndarray, y: np.ndarray, cloud: np.ndarray) -> Callable[[float], tuple[Figure, str]]:
    """A drawing function of a distance for `explore`: (X, y), and a cloud of class +1 moved so far along (1, 1)."""
    farthest = 13.0

    def draw(distance: float) -> tuple[Figure, str]:
        P = np.vstack([X, cloud + distance / np.sqrt(2)])
        labels = np.append(y, np.ones(len(cloud)))
        least, widest = LeastSquares().fit(P, labels), SVC(Linear(), C=np.inf, tol=1e-8).fit(P, labels)
        fig, ax = pl.axes(width=5.6, height=5.8)
        pl.points(ax, P, labels, size=22)
        w, b = widest.coef_[0], float(widest.intercept_[0])
        pl.band(ax, w, b, widest.margin_, pl.INK, label="widest band", span=30)
        v, c = least.coef_[0], float(least.intercept_[0])
        along = 30 * np.array([-v[1], v[0]]) / np.linalg.norm(v)
        foot = -c * v / (v @ v)
        ax.plot(*np.array([foot - along, foot + along]).T, "--", color=NARROW, lw=2.2, label="least squares")
        _frame(ax, np.array([[-3.5, -3.5], [farthest / np.sqrt(2), farthest / np.sqrt(2)]]), pad=0.02)
        pl.legend(ax)
        errors = [int(np.sum(m.predict(P) != labels)) for m in (least, widest)]
        return fig, (f"Errors among all {len(P)} points: least squares {errors[0]}, widest band {errors[1]}. "
                     f"Half margin of the widest band: {widest.margin_:.4f}.")

    return draw


def images(rows: np.ndarray, titles: list[str], w: np.ndarray) -> Figure:
    """Some images, given as rows of pixels, and the normal w shown as an image of its own."""
    side = round(np.sqrt(rows.shape[1]))
    fig, axs = pl.axes(len(rows) + 1, width=9.0, height=2.5, narrow=3)
    for ax, row, title in zip(axs, rows, titles, strict=False):
        ax.imshow(row.reshape(side, side), cmap="gray_r", vmin=0, vmax=1)
        ax.set_title(title)
    top = float(np.abs(w).max())
    shown = axs[-1].imshow(w.reshape(side, side), cmap="PuOr_r", vmin=-top, vmax=top)
    axs[-1].set_title("normal $w$")
    bar = fig.colorbar(shown, ax=axs[-1], location="bottom", shrink=0.85, ticks=[-0.7 * top, 0.7 * top])
    bar.ax.set_xticklabels([f"for {titles[0]}", f"for {titles[-1]}"])
    for ax in axs:
        ax.set(xticks=[], yticks=[])
    return fig


def errors_over_width(share: Mapping[str, np.ndarray], error: Mapping[str, np.ndarray], shown: Sequence[str],
                      bins: int = 10) -> Figure:
    """Test error of separating lines (dots) over their width as a share of the widest, with the mean of each bin.

    A panel for each source, on one scale.
    """
    fig, axs = pl.axes(len(shown), width=8.8, height=3.7, sharey=True)
    edges = np.linspace(0, 1, bins + 1)
    for ax, name in zip(axs, shown, strict=True):
        s, e = np.ravel(share[name]), 100 * np.ravel(error[name])
        ax.plot(s, e, ".", ms=2.5, alpha=0.3, color=pl.GREY)
        ax.plot([], [], ".", ms=8, color=pl.GREY, label="one separating line")   # as large as the other's sign
        which = np.clip(np.digitize(s, edges) - 1, 0, bins - 1)
        ax.plot((edges[1:] + edges[:-1]) / 2, [e[which == k].mean() for k in range(bins)], "o-", color=WIDE,
                label="mean")
        ax.set(xlabel="width of its band / width of the widest", xlim=(0, 1.01), title=name)
    axs[0].set(ylabel="error on new points (%)", ylim=(-0.5, None))
    fig.legend(*axs[0].get_legend_handles_labels(), loc="outside lower center", ncols=2)
    return fig
