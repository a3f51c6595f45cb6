"""Figures of the chapter on feature maps and the kernel trick."""
from collections.abc import Callable
from typing import Any

import numpy as np
from matplotlib.figure import Figure

from svmcourse.shared import plotting as pl


def integers(x: np.ndarray, y: np.ndarray) -> Figure:
    """Numbers on a line, each with its class."""
    fig, ax = pl.axes(width=6.3, height=1.1)
    ax.axhline(0, color=pl.GREY, lw=0.8)
    pl.points(ax, np.column_stack([x, np.zeros_like(x)]), y, size=60)
    ax.set(xlabel="$x$", xticks=x, yticks=[], ylim=(-1, 1))
    ax.spines["left"].set_visible(False)
    return fig


def integers_lifted(x: np.ndarray, y: np.ndarray, thresholds: dict[str, float]) -> Figure:
    """Numbers on a line, and the same numbers on the parabola (x, x^2) with horizontal lines at the thresholds."""
    fig, (low, high) = pl.axes(1, rows=2, width=6.3, height=3.8, height_ratios=[1, 4.5], sharex=True)
    pl.points(low, np.column_stack([x, np.zeros_like(x)]), y)
    low.set(yticks=[], ylim=(-1, 1), title="on the line: no threshold does it")
    low.spines["left"].set_visible(False)
    t = np.linspace(x.min(), x.max(), 200)
    high.plot(t, t ** 2, color=pl.GREY, lw=0.8)
    pl.points(high, np.column_stack([x, x ** 2]), y)
    for k, (name, value) in enumerate(thresholds.items()):
        high.axhline(value, color=pl.INK, ls=("--", "-")[k % 2], lw=1.4, label=name)
    high.set(xlabel="$x$", ylabel="$x^2$", title="on the parabola: a horizontal line does it")
    pl.legend(high, 2)
    return fig


def machines(named: dict[str, Any], X: np.ndarray, y: np.ndarray, circle: float | None = None,
             letter: str = "x") -> Figure:
    """Named machines on the same points, small, since many wear rings; a dotted circle marks the true boundary where
    one is given, and letter names the coordinates."""
    fig, axs = pl.axes(len(named), width=4.4 * len(named), height=3.9)
    t = np.linspace(0, 2 * np.pi, 200)
    for ax, (name, clf) in zip(np.atleast_1d(axs), named.items(), strict=True):
        pl.machine(clf, X, y, ax, (-2.25, 2.25, -2.25, 2.25), title=name, size=17, ring=42)
        ax.set(xlabel=f"${letter}_1$", ylabel=f"${letter}_2$")
        if circle:
            ax.plot(circle * np.cos(t), circle * np.sin(t), ":", color=pl.COLORS[0], lw=2.2, zorder=4.5)
    return fig


def lifted(X: np.ndarray, y: np.ndarray, clf: Any, surface: Callable[[np.ndarray], np.ndarray],
           lift: Callable[[np.ndarray], np.ndarray], zlabel: str) -> Callable[[float, float], tuple[Figure, str]]:
    """A drawing function of (azimuth, elevation): points lifted to a surface, and the plane that separates them.

    clf is a linear machine on the lifted points lift(X) (n, 3); surface(X) is their height.
    """
    (a, b, c), d = clf.coef_[0], clf.intercept_[0]
    Z = lift(X)
    u, v = np.meshgrid(np.linspace(-2, 2, 41), np.linspace(-2, 2, 41))
    height = surface(np.column_stack([u.ravel(), v.ravel()])).reshape(u.shape)
    height[np.hypot(u, v) > 2] = np.nan
    plane = -(a * u + b * v + d) / c
    angle = np.linspace(0, 2 * np.pi, 360)
    circle = np.column_stack([np.cos(angle), np.sin(angle)])
    radii = np.linspace(0, 2, 400)
    heights = np.array([surface(r * circle) for r in radii])                # (radius, angle)
    planes = np.array([-(r * circle @ [a, b] + d) / c for r in radii])
    met = heights[np.abs(heights - planes).argmin(axis=0), np.arange(360)]

    wrong = int(np.sum(np.sign(Z @ clf.coef_[0] + d) != y))

    def draw(azimuth: float, elevation: float) -> tuple[Figure, str]:
        fig, ax = pl.axes(width=5.6, height=4.8, subplot_kw={"projection": "3d", "computed_zorder": False})
        ax.plot_wireframe(u, v, height, color=pl.GREY, lw=0.35, rcount=20, ccount=20, zorder=1)
        below = Z @ clf.coef_[0] + d < 0 if c > 0 else Z @ clf.coef_[0] + d > 0
        seen_first = below if elevation > 0 else ~below
        for rows, order in ((seen_first, 2), (~seen_first, 4)):
            for value, color, marker in ((-1, pl.NEGATIVE, "o"), (1, pl.POSITIVE, "s")):
                P = Z[rows & (y == value)]
                ax.scatter(*P.T, s=22, c=color, marker=marker, edgecolors="white", linewidths=0.4, depthshade=False,
                           zorder=order)
        ax.plot_surface(u, v, plane, color=pl.COLORS[0], alpha=0.35, lw=0, zorder=3)
        ax.view_init(elev=elevation, azim=azimuth)
        from_above = elevation > 80
        ax.set(xlabel="$t_1$", ylabel="$t_2$", title="" if from_above else f"upwards: {zlabel}",
               zticks=() if from_above else (0, 2, 4), xlim=(-2, 2), ylim=(-2, 2), xticks=(-2, 0, 2), yticks=(-2, 0, 2))
        ax.set_box_aspect((1, 1, 0.9), zoom=0.9)
        seen = ("Seen from straight above, where the lift does not show: the disc and the ring." if from_above else
                f"Seen from {elevation:g}° above the ground.")
        return fig, (f"{seen} The plane has {wrong} of {len(y)} points on the wrong side; it meets the surface at "
                     f"heights from {met.min():.2f} to {met.max():.2f}.")

    return draw


def series(x: np.ndarray, exact: np.ndarray, partial: dict[int, np.ndarray]) -> Figure:
    """A Gaussian and the inner products of its feature map cut off at several degrees."""
    fig, ax = pl.axes(width=6.0, height=3.2)
    ax.plot(x, exact, color=pl.INK, lw=2.4, label="kernel")
    dashes = (":", "-.", "--", (0, (9, 2)))
    for k, (degree, values) in enumerate(partial.items()):
        ax.plot(x, values, color=pl.COLORS[k], ls=dashes[k % 4], label=f"degree ≤ {degree}")
    ax.set(xlabel="$x$", ylabel="$k(x, 2)$", ylim=(-0.1, 1.15))
    pl.legend(ax, 3)
    return fig


def hanging(X: np.ndarray, y: np.ndarray, clf: Any, surface: Callable[[np.ndarray], np.ndarray],
            lift: Callable[[np.ndarray], np.ndarray], zlabel: str, reach: float) -> Figure:
    """Points on a surface that falls from its top, seen from the side, with the plane of a linear machine on lift(X).

    surface(X) is the height over points X (n, 2); reach: half the width shown.
    """
    (a, b, c), d = clf.coef_[0], clf.intercept_[0]
    Z = lift(X)
    u, v = np.meshgrid(np.linspace(-reach, reach, 41), np.linspace(-reach, reach, 41))
    height = surface(np.column_stack([u.ravel(), v.ravel()])).reshape(u.shape)
    height[np.hypot(u, v) > reach] = np.nan
    fig, ax = pl.axes(width=5.2, height=4.2, subplot_kw={"projection": "3d", "computed_zorder": False})
    ax.plot_wireframe(u, v, height, color=pl.GREY, lw=0.35, rcount=20, ccount=20, zorder=1)
    ax.plot_surface(u, v, -(a * u + b * v + d) / c, color=pl.COLORS[0], alpha=0.35, lw=0, zorder=3)
    for value, color, marker in ((-1, pl.NEGATIVE, "o"), (1, pl.POSITIVE, "s")):
        P = Z[y == value]
        order = 4 if (P @ clf.coef_[0] + d)[0] * c > 0 else 2           # what lies above the plane hides it
        ax.scatter(*P.T, s=22, c=color, marker=marker, edgecolors="white", linewidths=0.4, depthshade=False,
                   zorder=order)
    ax.view_init(elev=12, azim=-50)
    whole = int(reach)
    ax.set_title(f"upwards: {zlabel}", y=0.88)
    ax.set(xlabel="$t_1$", ylabel="$t_2$", xlim=(-reach, reach), ylim=(-reach, reach),
           xticks=(-whole, 0, whole), yticks=(-whole, 0, whole), zticks=range(-whole, 1))
    ax.set_box_aspect((1, 1, 0.8), zoom=0.86)
    return fig
