"""Figures of chapter 13: errors over sigma, folds, the surface, scores that are too good, units, grid or random."""
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patheffects import Normal, Stroke

from svmcourse.shared import plotting as pl
from svmlib import SVC
from svmlib.baselines import geometric_margin
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


def valley(X: np.ndarray, y: np.ndarray, fresh: tuple[np.ndarray, np.ndarray], C: float, sigma: float,
           reach: tuple[float, float]) -> Figure:
    """The Gaussian machine for one sigma, and its errors on its own points and on fresh ones, at its place in reach."""
    fig, (left, right) = pl.axes(2, width=9.0, height=3.9)
    m = SVC(Gaussian(sigma=sigma), C=C).fit(X, y)
    pl.machine(m, X, y, left)
    for name, marker, color, data in (("training points", "s", pl.INK, (X, y)),
                                      ("fresh points", "o", pl.COLORS[0], fresh)):
        right.plot(sigma, 100 * (1 - m.score(*data)), marker, ms=8, color=color, label=name, zorder=3)
    right.axvline(sigma, color=pl.GREY, lw=1)
    right.set(xscale="log", xlabel="σ", ylabel="wrong, in %", xlim=(0.9 * reach[0], 1.1 * reach[1]), ylim=(-1.5, 50))
    pl.legend(right)
    return fig


def valley_draws(sigmas: Sequence[float], wrong: np.ndarray) -> Figure:
    """Errors (draws, sigmas, 2) on training points and on fresh ones over sigma: the mean, and all draws shaded."""
    fig, ax = pl.axes(width=6.6, height=3.6)
    for k, (name, style, color) in enumerate((("training points", "--", pl.INK), ("fresh points", "-", pl.COLORS[0]))):
        values = 100 * wrong[..., k]
        ax.fill_between(sigmas, values.min(axis=0), values.max(axis=0), color=color, alpha=0.15, lw=0)
        ax.plot(sigmas, values.mean(axis=0), style, marker="o", ms=4, color=color, label=name)
    ax.set(xscale="log", xlabel="σ", ylabel="wrong, in %", ylim=(-1.5, 50))
    pl.legend(ax)
    return fig


def folds_on_points(X: np.ndarray, y: np.ndarray, folds: Sequence[np.ndarray],
                    make: Callable[[], Any]) -> tuple[Figure, list[float]]:
    """One panel a fold: its points bold, those of the others pale, and the machine trained on the pale ones.

    Mistakes are ringed.  Returns the accuracies, too.
    """
    fig, panels = pl.axes(len(folds), width=9.4, height=2.0, narrow=2, sharex=True, sharey=True)
    scores = []
    for k, (ax, fold) in enumerate(zip(panels, folds, strict=True)):
        rest = np.setdiff1d(np.arange(len(y)), fold)
        m = make().fit(X[rest], y[rest])
        pl.boundary(ax, m.decision_function, pl.window(X), margins=False, regions=False)
        pl.points(ax, X[rest], y[rest], size=9, alpha=0.28)
        pl.points(ax, X[fold], y[fold], size=30)
        wrong = fold[m.predict(X[fold]) != y[fold]]
        pl.mark(ax, X, wrong, wrong, size=120)
        scores.append(m.score(X[fold], y[fold]))
        ax.set(title=f"fold {k + 1}: {len(fold) - len(wrong)} of {len(fold)}", xticks=[], yticks=[], aspect="equal")
        ax.spines[:].set_visible(False)
    return fig, scores


def best_of(best: np.ndarray, tries: Sequence[int]) -> Figure:
    """Best scores (draws, candidates) after 1, 2, ... candidates: their mean, the draws behind it, the truth, 50 %."""
    fig, ax = pl.axes(width=6.2, height=3.6)
    count = np.arange(1, best.shape[1] + 1)
    ax.plot(count, 100 * best.T, color=pl.GREY, lw=0.7, alpha=0.45)
    ax.plot(count, 100 * best.mean(axis=0), color=pl.COLORS[0], lw=2.6)
    for n in tries:
        value = 100 * best[:, n - 1].mean()
        ax.plot(n, value, "o", ms=7, color=pl.COLORS[0])
        ax.annotate(f"{value:.0f} %", (n, value), xytext=(0, 9), textcoords="offset points", ha="center", fontsize=11,
                    path_effects=[Stroke(linewidth=3, foreground="white"), Normal()], zorder=6)
    ax.axhline(50, color=pl.INK, lw=1.2, ls="--")
    ax.text(count[-1], 49, "the truth", ha="right", va="top")
    ax.set(xscale="log", xlabel="pairs of C and σ tried", ylabel="best score so far, in %", xticks=list(tries),
           xticklabels=[f"{n}" for n in tries])
    ax.minorticks_off()
    return fig


def draws(values: Mapping[str, np.ndarray], xlabel: str, truth: float = 0.0) -> Figure:
    """One row a name: a dot for each draw, and the mean with its 95 % interval; a dashed line at the truth."""
    fig, ax = pl.axes(width=6.4, height=0.55 * len(values) + 1.0)
    for row, found in enumerate(values.values()):
        jitter = np.array([-0.14, 0.0, 0.14, 0.07, -0.07])[np.argsort(np.argsort(found)) % 5]
        ax.plot(found, row + jitter, "o", ms=4, color=pl.COLORS[0], alpha=0.55)
        half = 1.96 * found.std(ddof=1) / len(found) ** 0.5
        ax.plot([found.mean() - half, found.mean() + half], [row, row], color=pl.INK, lw=3)
        ax.plot(found.mean(), row, "|", ms=16, mew=2, color=pl.INK)
    ax.axvline(truth, color=pl.GREY, lw=1, ls="--", zorder=0)
    ax.set(xlabel=xlabel)
    pl.name_rows(ax, list(values))
    return fig


def two_units(X: np.ndarray, y: np.ndarray, lines: Mapping[str, tuple[np.ndarray, float]]) -> Figure:
    """The same points with lines (w, b), name -> line, that machines found in different units, drawn in one."""
    fig, ax = pl.axes(width=6.0, height=4.4)
    limits = pl.window(X)
    for (name, (w, b)), color in zip(lines.items(), (pl.INK, pl.COLORS[1]), strict=True):
        pl.band(ax, w, b, geometric_margin(w, b, X, y), color, name)
    pl.points(ax, X, y)
    ax.set(xlim=limits[:2], ylim=limits[2:], xlabel="$x_1$", ylabel="$x_2$", aspect="equal")
    pl.legend(ax)
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
