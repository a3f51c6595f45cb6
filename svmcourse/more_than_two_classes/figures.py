"""Figures of chapter 14: regions of machines for more than two classes, and where their votes disagree."""
from collections.abc import Callable, Mapping, Sequence

import numpy as np
from matplotlib.axes import Axes
from matplotlib.colors import ListedColormap
from matplotlib.figure import Figure

from svmcourse.shared import plotting as pl
from svmlib import SVC
from svmlib.kernels import Kernel
from svmlib.svc.multiclass import votes

INKS = ("#0072B2", "#D55E00", "#007A59", "#A0457E")
PAPERS = ("#DCEAF4", "#FBE6D6", "#D9EFE7", "#F3E1EC")
MARKERS = ("o", "s", "^", "D")
SCHEMES = {"one-vs-one": "ovo", "one-vs-rest": "ovr"}


def classes(ax: Axes, X: np.ndarray, y: np.ndarray) -> None:
    """Scatter up to four classes 0, 1, 2, 3, each with its own colour and shape."""
    for c in np.unique(y):
        ax.scatter(X[y == c, 0], X[y == c, 1], s=30, color=INKS[c], marker=MARKERS[c], edgecolors="white",
                   linewidths=0.7, zorder=3)


def scatter(X: np.ndarray, y: np.ndarray) -> Figure:
    """Up to four classes of points in the plane, nothing else."""
    fig, ax = pl.axes(width=5.2, height=4.4)
    classes(ax, X, y)
    ax.set(xlabel="$x_1$", ylabel="$x_2$", aspect="equal")
    return fig


def ambiguous(clf: SVC, Z: np.ndarray) -> np.ndarray:
    """Mask of the points Z (m, d) on which the binary machines do not name one class.

    One-vs-one: two classes or more share the most votes.  One-vs-rest: no machine, or more than one, says "mine".
    """
    f = clf.pairwise_decision(Z)
    if clf.multiclass == "ovr":
        return (f > 0).sum(axis=1) != 1
    counts = votes(f, len(clf.classes_))
    return (counts == counts.max(axis=1, keepdims=True)).sum(axis=1) > 1


def regions(ax: Axes, clf: SVC, X: np.ndarray, y: np.ndarray, title: str = "") -> float:
    """Draw what clf predicts, and hatch where its machines disagree; returns the hatched share of the window."""
    x0, x1, y0, y1 = pl.window(X)
    u, v = np.meshgrid(np.linspace(x0, x1, 241), np.linspace(y0, y1, 241))
    Z = np.column_stack([u.ravel(), v.ravel()])
    k = len(clf.classes_)
    read = np.searchsorted(clf.classes_, clf.predict(Z)).reshape(u.shape)
    torn = ambiguous(clf, Z).reshape(u.shape)
    ax.pcolormesh(u, v, read, cmap=ListedColormap(PAPERS[:k]), vmin=-0.5, vmax=k - 0.5, shading="nearest", zorder=0)
    ax.contourf(u, v, torn, levels=[0.5, 1.5], colors="none", hatches=["////"], zorder=1)
    for c in range(k):
        ax.contour(u, v, read == c, levels=[0.5], colors=pl.INK, linewidths=1.2, zorder=2)
    classes(ax, X, y)
    ax.set(xlabel="$x_1$", ylabel="$x_2$", title=title, aspect="equal")
    return float(torn.mean())


def regions_explorer(X: np.ndarray, y: np.ndarray, kernel: Kernel) -> Callable[[str, float], tuple[Figure, str]]:
    """A function draw(scheme, C) of the regions of both schemes, with what they leave undecided."""
    def draw(scheme: str, C: float) -> tuple[Figure, str]:
        clf = SVC(kernel, C=C, multiclass=SCHEMES[scheme], tol=1e-6).fit(X, y)
        fig, ax = pl.axes(width=5.6, height=4.8)
        share = regions(ax, clf, X, y)
        errors = int(np.sum(clf.predict(X) != y))
        return fig, f"Undecided: {share:.1%} of the window. Training errors: {errors} of {len(y)}."

    return draw


def methods(scores: Mapping[str, Sequence[float]]) -> Figure:
    """Accuracy of several rules over draws: one dot a draw, a bar at the mean; names at the left."""
    fig, ax = pl.axes(width=6.4, height=0.42 * len(scores) + 1.0)
    for row, values in enumerate(scores.values()):
        ax.plot(values, np.full(len(values), row), "o", ms=4.5, color=pl.COLORS[0], alpha=0.6)
        ax.plot([np.mean(values)] * 2, [row - 0.3, row + 0.3], color=pl.INK, lw=2)
    ax.set(xlabel="accuracy")
    pl.name_rows(ax, list(scores))
    return fig


def side_by_side(X: np.ndarray, y: np.ndarray, kernel: Kernel, C: float) -> Figure:
    """The regions of both schemes beside each other."""
    fig, panels = pl.axes(2, width=9.2, height=4.2)
    for ax, (name, scheme) in zip(panels, SCHEMES.items(), strict=True):
        regions(ax, SVC(kernel, C=C, multiclass=scheme, tol=1e-6).fit(X, y), X, y, title=name)
    return fig
