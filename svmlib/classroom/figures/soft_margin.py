"""Figures of the chapter on soft margins."""
from collections.abc import Callable
from typing import Any

import numpy as np
from matplotlib.figure import Figure

from svmlib import SVC
from svmlib.classroom import plotting as pl
from svmlib.kernels import Gaussian, Linear


def before_and_after(X: np.ndarray, y: np.ndarray, outlier: np.ndarray, machines: dict[str, Any]) -> Figure:
    """Named machines side by side on the same points; the outlier is ringed and labelled."""
    fig, axs = pl.axes(len(machines), width=9.0, height=3.6)
    x0, x1, y0, y1 = pl.window(np.vstack([X, outlier]), pad=0.08)
    limits = (x0, x1, y0 - 0.2 * (y1 - y0), y1)   # room for the name, where no point is
    for ax, (name, clf) in zip(np.atleast_1d(axs), machines.items(), strict=True):
        pl.machine(clf, X, y, ax, limits, title=name)
        ax.annotate("outlier", outlier, xytext=(0.2, y0 - 0.1 * (y1 - y0)), textcoords="data", fontsize=9.5, zorder=6,
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


def soft_explorer(X: np.ndarray, y: np.ndarray) -> Callable[[float], tuple[Figure, str]]:
    """A drawing function of C for `explore`: the linear soft margin machine on (X, y)."""
    limits = pl.close_up(X, share=0.8)

    def draw(C: float) -> tuple[Figure, str]:
        clf = SVC(Linear(), C=C, tol=1e-6).fit(X, y)
        s = clf.solutions_[0]
        fig, ax = pl.axes(width=5.4, height=4.6)
        pl.machine(clf, X, y, ax, limits)
        outside = pl.beyond(ax, X, y, limits)
        errors = int(np.sum(clf.predict(X) != y))
        return fig, (f"{len(s.support)} support vectors, {len(s.free)} of them on the margin; half margin 1/‖w‖ = "
                     f"{clf.margin_:.2f}; {errors} training errors. Open signs on the edge: {outside} points "
                     "beyond it.")

    return draw


def losses() -> Figure:
    """Hinge loss, squared hinge loss and 0-1 loss over the functional margin y f."""
    t = np.linspace(-2.0, 2.5, 400)
    fig, ax = pl.axes(width=5.6, height=3.4)
    ax.step([-2, 0, 2.5], [1, 1, 0], where="pre", color=pl.GREY, lw=1.8, label="0–1 loss", zorder=2)
    ax.plot(t, np.maximum(0, 1 - t), color=pl.COLORS[0], label="hinge loss  max(0, 1 − yf)")
    ax.plot(t, np.maximum(0, 1 - t) ** 2, color=pl.COLORS[1], ls="--", label="squared hinge loss")
    ax.set(xlabel="functional margin  y f(x)", ylabel="loss", ylim=(-0.1, 4.2), xlim=(-2, 2.5))
    pl.legend(ax, 3)
    return fig


def counts_over_C(Cs: np.ndarray, table: dict[str, np.ndarray]) -> Figure:
    """Mean and range over seeds of several quantities, each in its own panel over C."""
    fig, axs = pl.axes(len(table), width=9.2, height=2.9)
    for ax, (name, values), color in zip(axs, table.items(), pl.COLORS, strict=False):
        ax.fill_between(Cs, values.min(axis=0), values.max(axis=0), color=color, alpha=0.15, lw=0)
        ax.plot(Cs, values.mean(axis=0), "o-", ms=3.5, color=color)
        ax.set(xscale="log", xlabel="C", title=name)
    return fig


def kernel_outlier(X: np.ndarray, y: np.ndarray, sigmas: tuple[float, ...], C: float) -> Figure:
    """Gaussian machines with the sheet's prefactor on points with an outlier, one panel a sigma."""
    fig, axs = pl.axes(len(sigmas), width=9.0, height=3.3)
    for ax, sigma in zip(axs, sigmas, strict=True):
        clf = SVC(Gaussian(sigma=sigma, normalized=True), C=C, tol=1e-6).fit(X, y)
        pl.machine(clf, X, y, ax, title=f"σ = {sigma:g}")
    return fig
