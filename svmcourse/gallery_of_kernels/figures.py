"""Figures of the gallery of kernels."""
from collections.abc import Callable
from typing import Any

import numpy as np
from matplotlib.figure import Figure
from scipy.ndimage import label

from svmcourse.shared import plotting as pl
from svmlib import SVC
from svmlib.kernels import Gaussian, Kernel, Polynomial


def side_by_side(machines: dict[str, Any], X: np.ndarray, y: np.ndarray, width: float = 9.0,
                 height: float = 3.3, equal: bool = False, size: float = 34, ring: float = 110,
                 named: dict[str, int] | None = None) -> Figure:
    """Named machines on the same points, one panel each; named points are large, with their name beside them."""
    fig, axs = pl.axes(len(machines), width=width, height=height)
    for ax, (name, clf) in zip(axs, machines.items(), strict=True):
        limits = pl.window(X, pad=0.18)
        pl.machine(clf, X, y, ax, limits, title=name, equal=equal, size=size, ring=ring)
        if named:
            rows = list(named.values())
            pl.points(ax, X[rows], y[rows], 3.5 * size)
            pl.label_points(ax, list(named), X[rows], X, limits)
    return fig


def pieces(clf: Any, limits: tuple[float, float, float, float], resolution: int = 301) -> tuple[int, int]:
    """Number of connected regions of class -1 and of class +1 inside the window."""
    x0, x1, y0, y1 = limits
    u, v = np.meshgrid(np.linspace(x0, x1, resolution), np.linspace(y0, y1, resolution))
    F = clf.decision_function(np.column_stack([u.ravel(), v.ravel()])).reshape(u.shape)
    return int(label(F < 0)[1]), int(label(F > 0)[1])


def kernel_explorer(X: np.ndarray, y: np.ndarray, kernel: Callable[..., Kernel], C: float,
                    fresh: tuple[np.ndarray, np.ndarray], pad: float = 0.18) -> Callable[..., tuple[Figure, str]]:
    """A drawing function of the kernel's parameters for `explore`; fresh is a test set for the text below."""
    limits = pl.window(X, pad)

    def draw(**parameters: Any) -> tuple[Figure, str]:
        clf = SVC(kernel(**parameters), C=C).fit(X, y)
        fig, ax = pl.axes(width=5.6, height=4.4)
        pl.machine(clf, X, y, ax, limits, equal=False)
        minus, plus = pieces(clf, limits)
        return fig, (f"{np.sum(clf.predict(X) != y)} of {len(y)} training points wrong, "
                     f"{100 * np.mean(clf.predict(fresh[0]) != fresh[1]):.1f} % of fresh points wrong; "
                     f"{len(clf.support_)} support vectors; pieces of class −1: {minus}, of class +1: {plus}; "
                     f"b = {clf.intercept_[0]:+.2f}")

    return draw


def landscape(X: np.ndarray, y: np.ndarray, kernel: Kernel, C: float) -> Figure:
    """A machine on points in the unit square: points and boundary, f over the square, the Gram matrix by class."""
    clf = SVC(kernel, C=C).fit(X, y)
    fig, (left, right, last) = pl.axes(3, width=9.4, height=3.4)
    limits = pl.window(X, pad=0.06)
    pl.machine(clf, X, y, left, limits)
    t = np.linspace(limits[0], limits[1], 81)
    u, v = np.meshgrid(t, np.linspace(limits[2], limits[3], 81))
    f = clf.decision_function(np.column_stack([u.ravel(), v.ravel()])).reshape(u.shape)
    place = right.get_subplotspec()
    right.remove()
    hills = fig.add_subplot(place, projection="3d")
    hills.plot_wireframe(u, v, f, color=pl.GREY, lw=0.4, rcount=27, ccount=27)
    hills.contour(u, v, f, levels=[0], colors=pl.INK, linewidths=1.8)
    hills.view_init(elev=32, azim=-60)
    hills.set(title="$f$", xticks=(0, 1), yticks=(0, 1), zticks=(-1, 0, 1))
    order = np.argsort(y, kind="stable")
    last.imshow(kernel(X[order]), cmap="Greys", interpolation="nearest")
    last.set(title="Gram matrix", xticks=[], yticks=[])
    return fig


def bumps(x: np.ndarray, y: np.ndarray, clf: Any) -> Figure:
    """A Gaussian machine of one variable taken apart: a bump per support vector, the floor b, and their sum."""
    t = np.linspace(x.min() - 2.2, x.max() + 2.2, 601)
    alpha = clf.solutions_[0].alpha
    fig, ax = pl.axes(width=6.3, height=3.6)
    K = clf.kernel_(t[:, None], x[:, None])
    for k in np.flatnonzero(alpha):
        colour = pl.POSITIVE if y[k] > 0 else pl.NEGATIVE
        seen = np.where(K[:, k] > 0.03, K[:, k], np.nan)             # its tails would hide the floor
        ax.plot(t, clf.intercept_[0] + alpha[k] * y[k] * seen, "--", color=colour, lw=1.3)
    ax.axhline(0, color=pl.GREY, lw=0.8)
    ax.axhline(clf.intercept_[0], color=pl.INK, lw=1.6, ls=":", zorder=2.4)
    ax.annotate("the floor, $b$", (t[0] + 0.35, clf.intercept_[0]), xytext=(0.02, 0.86), textcoords="axes fraction",
                arrowprops={"arrowstyle": "-|>", "color": pl.INK, "lw": 0.9, "relpos": (0.1, 0), "shrinkB": 1})
    f = clf.decision_function(t[:, None])
    ax.plot(t, f, color=pl.INK, lw=2.4, zorder=2.5)
    ax.annotate("$f$, the sum", (t[f.argmax()], f.max()), xytext=(26, -5), textcoords="offset points", va="center")
    P = np.column_stack([x, np.zeros_like(x)])
    pl.points(ax, P, y, size=46)
    pl.mark(ax, P, np.flatnonzero(alpha), clf.solutions_[0].free)
    ax.set(xlabel="$x$", ylabel="$f(x)$", xlim=(t[0], t[-1]))
    return fig


def boundaries_and_grams(machines: dict[str, Any], X: np.ndarray, y: np.ndarray) -> Figure:
    """Named machines on the same points, and below each its Gram matrix with the points sorted by class.

    The more alike two points are, the more their square stands out from the page, be it light or dark.
    """
    fig, axs = pl.axes(len(machines), rows=2, width=9.4, height=5.0, narrow=lambda: grams_below(machines, X, y))
    for (name, clf), (top, below) in zip(machines.items(), axs.T, strict=True):
        _boundary_and_gram(clf, X, y, top, below, name)
    return fig


def grams_below(machines: dict[str, Any], X: np.ndarray, y: np.ndarray) -> Figure:
    """The same for a phone: a machine a row, its Gram matrix at its side."""
    fig, axs = pl.axes(2, rows=len(machines), width=4.2, height=2.1 * len(machines))
    for (name, clf), (left, right) in zip(machines.items(), axs, strict=True):
        _boundary_and_gram(clf, X, y, left, right, name)
    return fig


def _boundary_and_gram(clf: Any, X: np.ndarray, y: np.ndarray, plane: Any, gram: Any, name: str) -> None:
    pl.boundary(plane, clf.decision_function, pl.window(X, pad=0.06), margins=False)
    pl.points(plane, X, y, size=20)
    plane.set(title=name, xticks=[], yticks=[], aspect="equal")
    order = np.argsort(y, kind="stable")
    gram.imshow(clf.kernel_(X[order]), cmap="Greys", vmin=0, vmax=1, interpolation="nearest")
    gram.set(xticks=[], yticks=[])
    gram.spines[:].set_visible(True)


def profiles() -> Figure:
    """Kernels of one variable, k(x, 1) over x."""
    from svmlib.kernels import Kernel, Linear, Sigmoid

    x = np.linspace(-3, 3, 241)[:, None]
    z = np.array([[1.0]])
    fig, axs = pl.axes(2, rows=2, width=6.3, height=5.2, narrow=2)
    shown: dict[str, list[tuple[str, Kernel]]] = {
             "linear": [("", Linear())],
             "polynomial (xz + 1)$^Q$": [(f"Q = {Q}", Polynomial(Q=Q)) for Q in (2, 3, 4)],
             "Gaussian": [(f"σ = {s:g}", Gaussian(sigma=s)) for s in (0.3, 1.0, 2.0)],
             "sigmoid, δ = 1": [(f"κ = {k:g}", Sigmoid(kappa=k, delta=1.0)) for k in (0.5, 1.0, 3.0)]}
    room = dict(zip(list(shown)[1:], ((-10, 50), (-0.08, 1.75), (-1.08, 1.2)), strict=True))    # for the legends
    for ax, (title, kernels) in zip(axs.flat, shown.items(), strict=True):
        for name, k in kernels:
            ax.plot(x[:, 0], k(x, z)[:, 0], label=name)
        ax.set(title=title, xlabel="x")
        if title in room:
            ax.set_ylim(*room[title])
        if len(kernels) > 1:
            ax.legend(loc="upper left", handlelength=1.1, handletextpad=0.4, fontsize=9.5, borderaxespad=0.1,
                      labelspacing=0.25)
    for ax in axs[:, 0]:
        ax.set_ylabel("k(x, 1)")
    return fig


def window(X: np.ndarray, pad: float = 0.5) -> tuple[float, float, float, float]:
    """The window of the Gaussian explorer, in which `pieces` counts regions."""
    return pl.window(X, pad)
