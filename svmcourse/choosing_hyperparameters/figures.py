"""Figures of chapter 13: the surface of cross-validation, the optimism of its maximum, grid against random search."""
from collections.abc import Callable, Mapping, Sequence

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from svmcourse.shared import plotting as pl
from svmlib import SVC
from svmlib.kernels import Gaussian


def surface_explorer(X: np.ndarray, y: np.ndarray, Cs: Sequence[float], sigmas: Sequence[float],
                     mean: np.ndarray) -> Callable[[float, float], tuple[Figure, str]]:
    """A function draw(C, sigma): the machine on all points, and its place on the surface mean (n_C, n_sigma)."""
    def draw(C: float, sigma: float) -> tuple[Figure, str]:
        clf = SVC(Gaussian(sigma=sigma), C=C, tol=1e-6).fit(X, y)
        fig, (left, right) = pl.axes(2, width=9.0, height=4.1, gridspec_kw={"width_ratios": [1.1, 1]})
        pl.machine(clf, X, y, ax=left)
        i, j = list(Cs).index(C), list(sigmas).index(sigma)
        _surface(right, Cs, sigmas, mean, (i, j))
        text = (f"Cross-validated accuracy {mean[i, j]:.2f}, on the training points {clf.score(X, y):.2f}; "
                f"{len(clf.support_)} support vectors.")
        return fig, text

    return draw


def _surface(ax: Axes, Cs: Sequence[float], sigmas: Sequence[float], mean: np.ndarray, at: tuple[int, int]) -> None:
    """The surface as a map with its numbers; the cell `at` is framed."""
    ax.imshow(mean, origin="lower", cmap="cividis", vmin=0.4, vmax=1.0, aspect="auto")
    for (i, j), value in np.ndenumerate(mean):
        ax.text(j, i, f"{value:.2f}".lstrip("0"), ha="center", va="center", fontsize=9.5, in_layout=False,
                color="white" if value < 0.75 else pl.INK)
    ax.plot(at[1], at[0], "s", ms=27, mfc="none", mec=pl.COLORS[1], mew=3)
    ax.set(xticks=range(len(sigmas)), yticks=range(len(Cs)), xticklabels=[f"{s:g}" for s in sigmas],
           yticklabels=[f"{C:g}" for C in Cs], xlabel="σ", ylabel="C", title="cross-validated accuracy")
    ax.spines[:].set_visible(False)
    ax.tick_params(length=0)


def rounds(k: int = 5) -> Figure:
    """The k rounds of cross-validation as strips: a row a round, the fold that is kept aside in colour."""
    fig, ax = pl.axes(width=6.4, height=0.42 * k + 0.5)
    for row in range(k):
        for fold in range(k):
            aside = fold == row
            ax.barh(row, 0.97, left=fold, height=0.72, color=pl.COLORS[0] if aside else pl.GREY,
                    alpha=1.0 if aside else 0.2)
            ax.text(fold + 0.485, row, "score" if aside else "train", ha="center", va="center", fontsize=9.5,
                    color="white" if aside else pl.INK)
    ax.set(xticks=np.arange(k) + 0.485, xticklabels=[f"fold {fold + 1}" for fold in range(k)], xlim=(0, k))
    ax.xaxis.tick_top()
    ax.tick_params(length=0)
    ax.spines[:].set_visible(False)
    pl.name_rows(ax, [f"$A_{row + 1}$" for row in range(k)])
    return fig


def promise_and_truth(scores: Mapping[str, np.ndarray]) -> Figure:
    """Best cross-validated score against accuracy on fresh points, arrays (draws, 2), a panel each."""
    fig, panels = pl.axes(len(scores), width=3.2 * len(scores), height=3.4, squeeze=False)
    for ax, (name, values) in zip(panels[0], scores.items(), strict=True):
        low, high = values.min() - 0.02, values.max() + 0.02
        ax.plot([low, high], [low, high], color=pl.GREY, lw=1.2, ls="--")
        ax.scatter(*values.T, s=26, color=pl.COLORS[0], alpha=0.7, linewidths=0)
        ax.set(xlabel="best score of the search", title=name, xlim=(low, high), ylim=(low, high), aspect="equal")
    panels[0, 0].set_ylabel("accuracy on fresh points")
    return fig


def gaps(differences: Mapping[str, np.ndarray], xlabel: str) -> Figure:
    """Differences over draws, one row a name: dots, and the mean with its 95 % interval."""
    fig, ax = pl.axes(width=6.4, height=0.55 * len(differences) + 1.0)
    for row, values in enumerate(differences.values()):
        jitter = np.array([-0.14, 0.0, 0.14, 0.07, -0.07])[np.argsort(np.argsort(values)) % 5]
        ax.plot(values, row + jitter, "o", ms=4, color=pl.COLORS[0], alpha=0.55)
        half = 1.96 * values.std(ddof=1) / len(values) ** 0.5
        ax.plot([values.mean() - half, values.mean() + half], [row, row], color=pl.INK, lw=3)
        ax.plot(values.mean(), row, "|", ms=16, mew=2, color=pl.INK)
    ax.axvline(0, color=pl.GREY, lw=1, ls="--", zorder=0)
    ax.set(xlabel=xlabel)
    pl.name_rows(ax, list(differences))
    return fig


def grid_and_random(grid: np.ndarray, random: np.ndarray) -> Figure:
    """Candidates (n, 2) of a grid and of random search, with their projections on the first axis as ticks."""
    fig, panels = pl.axes(2, width=7.4, height=3.2, sharex=True, sharey=True)
    for ax, P, name in zip(panels, (grid, random), ("grid", "random"), strict=True):
        ax.scatter(*P.T, s=36, color=pl.COLORS[0], zorder=3)
        ax.plot(P[:, 0], np.full(len(P), -0.08), "|", ms=12, mew=2, color=pl.COLORS[1])
        distinct = len(np.unique(P[:, 0].round(9)))
        ax.set(title=f"{name}: {distinct} different values", xlim=(0, 1), ylim=(-0.16, 1),
               xlabel="parameter that matters", xticks=[], yticks=[])
    panels[0].set_ylabel("parameter that does not")
    return fig
