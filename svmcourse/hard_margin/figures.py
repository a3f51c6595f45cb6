"""Figures of the chapter on the hard margin."""
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from scipy.spatial import ConvexHull

from svmcourse.shared import plotting as pl
from svmlib import SVC
from svmlib.kernels import Linear

ARROW = {"arrowstyle": "-|>", "lw": 1.6, "shrinkA": 0, "shrinkB": 0}


def trained(clf: Any, X: np.ndarray, y: np.ndarray) -> Figure:
    """A hard margin machine with its band and a legend."""
    fig, ax = pl.axes(width=5.6, height=5.2)
    pl.machine(clf, X, y, ax, pl.window(X, pad=0.08), labels=True)
    for points in ax.collections:
        if points.get_label() == "margin vector":           # its name where there are bounded ones, too
            points.set_label("on the edge")
    pl.legend(ax)
    return fig


def distance(w: np.ndarray, b: float, x: np.ndarray, on_plane: np.ndarray) -> Figure:
    """The distance of x from the line: to its foot, and as the projection of x minus any point of the line onto w."""
    w, x, q = np.asarray(w, float), np.asarray(x, float), np.asarray(on_plane, float)
    foot = x - (w @ x + b) / (w @ w) * w
    fig, ax = pl.axes(width=6.0, height=4.4)
    along = np.array([-w[1], w[0]]) / np.linalg.norm(w)
    ax.plot(*np.array([foot - 9 * along, foot + 9 * along]).T, color=pl.INK, lw=1.9)
    ax.plot(*np.array([x, foot]).T, color=pl.COLORS[0], lw=2.6, zorder=2)
    ax.annotate("", x, q, arrowprops={**ARROW, "color": pl.GREY})
    unit = q + w / np.linalg.norm(w)
    ax.annotate("", unit, q, arrowprops={**ARROW, "color": pl.COLORS[1], "lw": 2.2})
    _right_angle(ax, foot, along, w / np.linalg.norm(w))
    ax.plot(*np.array([x, foot, q]).T, "o", color=pl.INK, ms=5, zorder=4)
    middle = (x + foot) / 2
    ax.annotate("any $q$ with\n$f(q)=0$", q, xytext=(-13, -15), textcoords="offset points", ha="center", va="top")
    for text, at, shift in (("$x$", x, (8, 4)), ("foot $p$", foot, (-14, -24)), (r"$w/\|w\|$", unit, (-46, 0)),
                            (r"$|f(x)|\,/\,\|w\|$", middle, (12, -8))):
        ax.annotate(text, at, xytext=shift, textcoords="offset points", fontsize=11)
    ax.set(xlim=(-0.6, 5.4), ylim=(-0.4, 4.0), xlabel="$x_1$", ylabel="$x_2$", aspect="equal")
    return fig


def _right_angle(ax: Axes, corner: np.ndarray, u: np.ndarray, v: np.ndarray, size: float = 0.2) -> None:
    """Mark a right angle at a corner between the directions u and v."""
    ax.plot(*np.array([corner + size * u, corner + size * (u + v), corner + size * v]).T, color=pl.INK, lw=1.0)


def parameter_plane(x: np.ndarray, y: np.ndarray, w: float, b: float) -> Figure:
    """The hard margin problem of points on a line, in the plane of its unknowns (w, b): half planes and the optimum."""
    fig, (left, right) = pl.axes(2, width=9.0, height=3.9, width_ratios=[1, 1.15])
    grid = np.linspace(-0.6, 3.2, 200)
    W, B = np.meshgrid(grid, np.linspace(-7, 3, 200))
    feasible = np.min([yi * (W * xi + B) for xi, yi in zip(x, y, strict=True)], axis=0) >= 1
    right.contourf(W, B, feasible, levels=[0.5, 1.5], colors=["#E6E6E6"])
    for xi, yi in zip(x, y, strict=True):
        right.plot(grid, yi - xi * grid, color=pl.POSITIVE if yi > 0 else pl.NEGATIVE, lw=1.4)
        at = grid[-1] if yi - xi * grid[-1] > -6 else (yi + 6.0) / xi
        left_of = xi == x.max()   # of two steep lines beside each other each has its name on its outer side
        right.annotate(f"x = {xi:g}", (at, yi - xi * at), xytext=(-5 if left_of else 5, 0), fontsize=9.5,
                       textcoords="offset points", ha="right" if left_of else "left", va="center",
                       annotation_clip=False)
    right.plot(w, b, "*", color=pl.INK, ms=14, zorder=4)
    right.annotate(f"w = {w:g}, b = {b:g}".replace("-", "−"), (w, b), xytext=(3.15, 1.4), textcoords="data", ha="right",
                   va="center", arrowprops={"arrowstyle": "-", "color": pl.GREY, "lw": 0.8, "shrinkB": 7})
    right.axvline(0, color=pl.GREY, lw=0.8)
    right.set(xlabel="$w$", ylabel="$b$", xlim=(-0.6, 3.2), ylim=(-7, 3), title="unknowns: constraints and optimum")
    _points_on_a_line(left, np.asarray(x, float), np.asarray(y, float), w, b)
    return fig


def _points_on_a_line(ax: Axes, x: np.ndarray, y: np.ndarray, w: float, b: float) -> None:
    """Points of the line, f over them, and the band between f = -1 and f = +1."""
    t = np.array([x.min() - 1, x.max() + 1])
    ax.axhline(0, color=pl.GREY, lw=0.8)
    ax.plot(t, w * t + b, color=pl.INK, label="$f(x) = wx + b$")
    ax.axvspan((-1 - b) / w, (1 - b) / w, color=pl.GREY, alpha=0.13, lw=0)
    for level in (-1, 1):
        ax.axhline(level, color=pl.INK, lw=0.9, ls="--")
    pl.points(ax, np.column_stack([x, np.zeros_like(x)]), y, size=60)
    ax.set(xlabel="$x$", ylabel="$f$", xlim=tuple(t), ylim=(-3.4, 3.4), title="data, and the best line")


def with_and_without(X: np.ndarray, y: np.ndarray, last: int) -> Figure:
    """The machine of separable points with its band, and in grey the boundary without one of them, which is larger."""
    rest = np.arange(len(y)) != last
    limits = pl.window(X, pad=0.06)
    alone, clf = (SVC(Linear(), C=np.inf, tol=1e-8).fit(X[rows], y[rows]) for rows in (rest, slice(None)))
    fig, ax = pl.axes(width=5.4, height=5.0)
    pl.boundary(ax, alone.decision_function, limits, margins=False, regions=False, color=pl.GREY)
    pl.machine(clf, X, y, ax, limits)
    ax.scatter(*X[last], s=85, c=pl.POSITIVE if y[last] > 0 else pl.NEGATIVE, edgecolors="white", linewidths=0.7,
               zorder=3.5)
    return fig


def hulls(X: np.ndarray, y: np.ndarray, p: np.ndarray, q: np.ndarray) -> Figure:
    """The convex hulls of two classes, their closest points p (class +1) and q, and the band between these."""
    fig, ax = pl.axes(width=5.6, height=5.2)
    for value, color in ((-1, pl.NEGATIVE), (1, pl.POSITIVE)):
        P = X[y == value]
        corners = P[ConvexHull(P).vertices]
        ax.fill(*corners.T, facecolor=color, alpha=0.15, lw=0, zorder=1)
        ax.plot(*np.vstack([corners, corners[:1]]).T, color=color, lw=1.2, zorder=2)
    w = (p - q) / np.linalg.norm(p - q)
    along = np.array([-w[1], w[0]])
    for at, kind, width in (((p + q) / 2, "-", 1.9), (p, "--", 1.1), (q, "--", 1.1)):
        ax.plot(*np.array([at - 9 * along, at + 9 * along]).T, kind, color=pl.INK, lw=width, zorder=2)
    pl.points(ax, X, y)
    ax.plot(*np.array([p, q]).T, "o-", color=pl.COLORS[1], lw=3.0, ms=5, zorder=5)
    for name, at, side in (("$p$", p, 1), ("$q$", q, -1)):
        ax.annotate(name, at, xytext=side * 14 * w, textcoords="offset points", ha="center", fontsize=12,
                    zorder=6)
    x0, x1, y0, y1 = pl.window(X, pad=0.08)
    ax.set(xlim=(x0, x1), ylim=(y0, y1), xlabel="$x_1$", ylabel="$x_2$", aspect="equal")
    return fig


def two_lines(X: np.ndarray, y: np.ndarray, lines: dict[str, np.ndarray]) -> Figure:
    """Named lines (w1, w2, b) with their bands on the same points; the origin is marked."""
    fig, ax = pl.axes(width=6.4, height=4.6)
    for (name, v), color in zip(lines.items(), (pl.INK, pl.COLORS[1]), strict=False):
        w, b = v[:2], v[2]
        half = float((y * (X @ w + b)).min() / np.linalg.norm(w))
        pl.band(ax, w, b, half, color, label=f"{name}: half margin {half:.3f}", span=20.0)
    pl.points(ax, X, y)
    ax.plot(0, 0, "+", color=pl.INK, ms=12, mew=2)
    ax.annotate("origin", (0, 0), xytext=(0, 9), textcoords="offset points", ha="center", fontsize=9.5)
    x0, x1, y0, y1 = pl.window(np.vstack([X, [0.0, 0.0]]), pad=0.08)
    ax.set(xlim=(x0, x1), ylim=(y0, y1), xlabel="$x_1$", ylabel="$x_2$", aspect="equal")
    pl.legend(ax, columns=1)
    return fig
