"""Figures of the chapter on soft margins."""
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
from matplotlib.figure import Figure

from svmcourse.shared import plotting as pl
from svmlib import SVC, DualProblem, solve
from svmlib.kernels import Linear


def before_and_after(X: np.ndarray, y: np.ndarray, outlier: np.ndarray, machines: dict[str, Any]) -> Figure:
    """Named machines side by side on the same points; the outlier is labelled."""
    fig, axs = pl.axes(len(machines), width=9.0, height=3.6)
    x0, x1, y0, y1 = pl.window(np.vstack([X, outlier]), pad=0.08)
    limits = (x0, x1, y0 - 0.2 * (y1 - y0), y1)   # room for the name, where no point is
    for ax, (name, clf) in zip(np.atleast_1d(axs), machines.items(), strict=True):
        pl.machine(clf, X, y, ax, limits, title=name)
        ax.annotate("intruder", outlier, xytext=(0.2, y0 - 0.1 * (y1 - y0)), textcoords="data", fontsize=9.5, zorder=6,
                    ha="center", va="center",
                    bbox={"fc": "white", "ec": "none", "alpha": 0.85, "pad": 1.2},
                    arrowprops={"arrowstyle": "-", "color": pl.INK, "lw": 0.8})
    return fig


def slacks(clf: Any, X: np.ndarray, y: np.ndarray) -> Figure:
    """The points short of their margin, each joined to it by a line of length xi / |w|."""
    fig, ax = pl.axes(width=5.6, height=4.6)
    pl.machine(clf, X, y, ax)
    w, f = clf.coef_[0], clf.decision_function(X)
    xi = np.maximum(0.0, 1.0 - y * f)
    for i in np.flatnonzero(xi > 1e-6):
        foot = X[i] + y[i] * xi[i] * w / (w @ w)
        ax.plot(*np.array([X[i], foot]).T, color=pl.COLORS[0], lw=2.2, zorder=2.5, solid_capstyle="butt")
    wrong = np.flatnonzero(xi > 1)
    ways = [X[i] + t * y[i] * xi[i] * w / (w @ w) for i in np.flatnonzero(xi > 1e-6) for t in np.linspace(0, 1, 12)]
    pl.label_points(ax, [f"ξ = {xi[i]:.2f}" for i in wrong], X[wrong], np.vstack([X, ways]), pl.window(X))
    return fig


def price_of_slack(X: np.ndarray, y: np.ndarray, C: float, limits: tuple[float, float, float, float],
                   best: Any) -> Figure:
    """The linear soft margin machine on (X, y); best, a rule with w and b, is drawn as a dotted line."""
    fig, ax = pl.axes(width=5.4, height=4.6)
    pl.machine(SVC(Linear(), C=C, tol=1e-6).fit(X, y), X, y, ax, limits)
    x = np.array(limits[:2])
    ax.plot(x, -(best.w[0] * x + best.b) / best.w[1], ":", color=pl.COLORS[0], lw=2.2, zorder=2.5)
    return fig


def alpha_paths(X: np.ndarray, y: np.ndarray, C: float, most: float) -> Figure:
    """The machine for one C, and beside it every alpha for all C up to `most`."""
    fig, (left, right) = pl.axes(2, width=9.0, height=4.2)
    pl.machine(SVC(Linear(), C=C, tol=1e-6).fit(X, y), X, y, left, pl.window(X, pad=0.08))
    Cs = np.linspace(0, most, 161)
    paths = np.array([solve(DualProblem(Linear(), X, y, c), tol=1e-9).alpha if c else np.zeros(len(y)) for c in Cs])
    for i in np.flatnonzero(paths.max(axis=0) > 1e-6 * most):
        right.plot(Cs, paths[:, i], color=pl.POSITIVE if y[i] > 0 else pl.NEGATIVE, lw=1.6)
    right.fill_between(Cs, Cs, most, color=pl.GREY, alpha=0.13, lw=0)
    right.axvline(C, color=pl.INK, lw=1.4)
    right.text(0.66 * most, 0.7 * most, "$\\alpha = C$", ha="right")
    right.set(xlabel="$C$", ylabel="$\\alpha$", xlim=(0, most), ylim=(0, most))
    return fig


def losses() -> Figure:
    """Five losses over the functional margin y f: 0-1, hinge, squared hinge, logistic, squared."""
    t = np.linspace(-2.0, 3.0, 400)
    fig, ax = pl.axes(width=5.6, height=3.6)
    ax.step([-2, 0, 3], [1, 1, 0], where="pre", color=pl.GREY, lw=1.8, label="0–1", zorder=2)
    curves = {"hinge": np.maximum(0, 1 - t), "squared hinge": np.maximum(0, 1 - t) ** 2,
              "logistic": np.logaddexp(0, -t), "squared": (1 - t) ** 2}
    for (name, values), color, kind in zip(curves.items(), pl.COLORS, ("-", "--", "-.", ":"), strict=False):
        ax.plot(t, values, kind, color=color, lw=2.4 if kind == ":" else 1.8, label=name)
    ax.set(xlabel="functional margin  y f(x)", ylabel="loss", ylim=(-0.1, 4.2), xlim=(-2, 3))
    pl.legend(ax, 3)
    return fig


def _plane(w: np.ndarray, b: float) -> Callable[[np.ndarray], np.ndarray]:
    """The function f(x) = w'x + b of points (m, 2)."""
    return lambda Z: Z @ w + b


def loss_pulls(X: np.ndarray, y: np.ndarray, fits: Mapping[str, tuple[np.ndarray, float, np.ndarray]]) -> Figure:
    """One panel a loss: its line with the margins, and each point as large as its pull.

    fits holds w (2,), b and the pulls (n,), the slopes of the loss with a minus, by the name of the loss.  Areas are
    proportional to the pulls, on one scale for all panels.  A point whose pull is below 0 draws the line towards
    itself, because its loss grows with y f: it is open.  A cross marks a point without any pull.
    """
    fig, axs = pl.axes(2, rows=2, width=6.3, height=6.2, narrow=2)
    limits = pl.window(X, pad=0.08)
    for ax, (name, (w, b, pull)) in zip(np.ravel(axs), fits.items(), strict=True):
        pl.boundary(ax, _plane(w, b), limits)
        idle = np.abs(pull) < 1e-9
        for value, color, marker in ((-1, pl.NEGATIVE, "o"), (1, pl.POSITIVE, "s")):
            for away in (False, True):
                rows = (y == value) & ((pull < 0) == away) & ~idle
                ax.scatter(*X[rows].T, s=90 * np.abs(pull[rows]), c="none" if away else color, marker=marker,
                           edgecolors=color if away else "white", linewidths=1.3 if away else 0.5, zorder=3)
            ax.scatter(*X[idle & (y == value)].T, s=14, c=color, marker="x", linewidths=0.9, zorder=2.8)
        ax.set(title=name, xticks=[], yticks=[])
        ax.set_aspect("equal", adjustable="box")
    return fig


def counts_over_C(Cs: np.ndarray, table: dict[str, np.ndarray]) -> Figure:
    """Mean and range over seeds of several quantities, each in its own panel over C."""
    fig, axs = pl.axes(len(table), width=9.2, height=2.9)
    for ax, (name, values), color in zip(axs, table.items(), pl.COLORS, strict=False):
        ax.fill_between(Cs, values.min(axis=0), values.max(axis=0), color=color, alpha=0.15, lw=0)
        ax.plot(Cs, values.mean(axis=0), "o-", ms=3.5, color=color)
        ax.set(xscale="log", xlabel="C", title=name)
    return fig
