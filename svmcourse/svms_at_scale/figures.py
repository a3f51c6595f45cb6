"""Figures of chapter 17: the growing working set, cost against n, the benchmark, features; and a kernel that counts."""
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import MaxNLocator, NullLocator

from svmcourse.shared import plotting as pl
from svmlib.kernels import Gaussian, Kernel


class CountingGaussian(Gaussian):
    """A Gaussian kernel that counts the values it computes, in the class attribute `values`."""

    values = 0

    def block(self, X: np.ndarray, Z: np.ndarray) -> np.ndarray:
        """As the Gaussian's; an empty block costs nothing."""
        CountingGaussian.values += len(X) * len(Z)
        return super().block(X, Z) if len(X) and len(Z) else np.zeros((len(X), len(Z)))


class _Machine:
    """A decision function from signed variables, with what `plotting.boundary` wants to see."""

    def __init__(self, kernel: Kernel, X: np.ndarray, beta: np.ndarray, b: float) -> None:
        self.kernel, self.b, self.some = kernel, b, np.flatnonzero(beta)
        self.X, self.beta = X[self.some], beta[self.some]

    def decision_function(self, Z: np.ndarray) -> np.ndarray:
        """sum_i beta_i k(x_i, z) + b."""
        return np.asarray(self.kernel(Z, self.X) @ self.beta + self.b)


def growth_explorer(X: np.ndarray, y: np.ndarray, kernel: Kernel,
                    rounds: Sequence[Mapping[str, Any]]) -> Callable[[int], tuple[Figure, str]]:
    """A drawing function of the round: S, its machine on all points, the violators, the support vectors.

    rounds: dicts with S, beta (n,), b, violation (n,), worst, add (indices) and values, as the chapter's `grow` keeps
    them.
    """
    limits = pl.window(X, pad=0.05)

    def draw(step: int) -> tuple[Figure, str]:
        r = rounds[step - 1]
        beta, S = r["beta"], r["S"]
        wrong = np.flatnonzero(r["violation"] > 1e-3)
        support = np.flatnonzero(beta)
        fig, (left, right) = pl.axes(2, width=9.6, height=4.6, gridspec_kw={"width_ratios": [1.25, 1]})
        pl.boundary(left, _Machine(kernel, X, beta, r["b"]).decision_function, limits)
        pl.points(left, X, y, size=9, alpha=0.3)
        for cloud in left.collections[-2:]:   # a thousand points are lighter as pixels, and drawn in half the time
            cloud.set_rasterized(True)
        pl.points(left, X[S], y[S], size=30)
        pl.mark(left, X, support, size=85)
        left.scatter(*X[wrong].T, s=26, c=pl.COLORS[0], marker="x", linewidths=1.1, zorder=3.5)
        left.set(xlabel="$x_1$", ylabel="$x_2$")
        left.set_aspect("equal", adjustable="box")
        for axis in (left.xaxis, left.yaxis):
            axis.set_major_locator(MaxNLocator(4, integer=True))
        _course(right, rounds, step)
        fig.legend(loc="outside lower center", ncols=3, handlelength=1.4, handletextpad=0.4, columnspacing=1.2)
        text = (f"Round {step}: S has {len(S)} points, {len(support)} of all {len(y)} have α > 0, {len(wrong)} violate "
                f"their condition, the worst pair by {r['worst']:.2g}. So far {r['values'] / len(y) ** 2:.1%} of K.")
        return fig, text

    return draw


def _course(ax: Axes, rounds: Sequence[Mapping[str, Any]], step: int) -> None:
    """Sizes over the rounds: working set, support vectors, violators, each with its sign among the points.

    The present round is marked.
    """
    t = np.arange(1, len(rounds) + 1)
    ax.plot(t, [np.sum(r["violation"] > 1e-3) for r in rounds], color=pl.COLORS[0], marker="x", ms=6, label="violators")
    ax.plot(t, [np.sum(r["beta"] != 0) for r in rounds], color=pl.INK, marker="o", ms=8, mfc="none",
            label="support vectors")
    ax.plot(t, [len(r["S"]) for r in rounds], color=pl.GREY, marker="o", ms=5, label="in S")
    ax.set(xlabel="round", ylabel="points")
    ax.axvline(step, color=pl.GREY, lw=1.2, ls="--", zorder=0)
    ax.set(ylim=(0, None))
    ax.xaxis.set_major_locator(MaxNLocator(integer=True))


def _n_axis(ax: Axes, n: Sequence[int] | np.ndarray) -> None:
    """A logarithmic axis that names the values of n, and no others."""
    ax.set(xscale="log", xlabel="n")
    ax.minorticks_off()
    ax.set_xticks(n, [f"{int(k):,}" for k in n])


def cost(counts: Mapping[str, tuple[np.ndarray, np.ndarray]], ylabel: str) -> Figure:
    """Counts (n_values, draws) against n on logarithmic axes, a series a name, with the fitted power law."""
    fig, ax = pl.axes(width=6.2, height=4.0)
    for k, (name, (n, values)) in enumerate(counts.items()):
        x, z = np.log(np.repeat(n, values.shape[1])), np.log(values.ravel())
        p, c = np.polyfit(x, z, 1)
        ax.plot(np.exp(x), values.ravel(), "os^D"[k], ms=5, color=pl.COLORS[k], alpha=0.6)
        ax.plot(n, np.exp(c) * n ** p, color=pl.COLORS[k], label=f"{name}: $n^{{{p:.2f}}}$")
    n = np.unique(np.concatenate([n for n, _ in counts.values()]))
    ax.plot(n, n.astype(float) ** 2, color=pl.GREY, lw=1.2, ls="--", label="all of K: $n^2$")
    ax.set(yscale="log", ylabel=ylabel)
    _n_axis(ax, n)
    pl.legend(ax, 3)
    return fig


def benchmark(results: pd.DataFrame) -> Figure:
    """Seconds of a fit against n, a line for each peer, and the ratio of the others to svmlib."""
    fig, (left, right) = pl.axes(2, width=9.2, height=3.7)
    ours = results[results.peer == "svmlib"].set_index("n").fit_s
    for k, peer in enumerate(("svmlib", "scikit-learn", "scikit-learn-intelex")):
        rows = results[results.peer == peer].set_index("n").fit_s
        style = {"color": pl.COLORS[k], "marker": "os^"[k], "ms": 5}
        left.plot(rows.index, rows, label=peer, **style)
        if peer != "svmlib":
            right.plot(rows.index, rows / ours, label=f"{peer} / svmlib", **style)
    left.set(yscale="log", ylabel="seconds of a fit")
    right.set(ylabel="times as long", ylim=(0, None))
    for ax in (left, right):
        _n_axis(ax, ours.index)
        pl.legend(ax, 2)
    return fig


def features(draws: pd.DataFrame) -> Figure:
    """Errors of linear machines on D features of two kinds, mean and range of the draws, between two grey lines.

    draws: a row for each machine, with the columns features, D and error (a share); the kinds "Gaussian" and "pixels"
    have one D each and become the grey lines.
    """
    fig, ax = pl.axes(width=6.6, height=4.0)
    kinds = ("random waves", "landmarks")
    for k, name in enumerate(kinds):
        found = 100 * draws[draws.features == name].groupby("D").error.agg(["mean", "min", "max"])
        reach = np.abs(found[["min", "max"]].T - found["mean"])
        ax.errorbar(found.index, found["mean"], reach, color=pl.COLORS[k], marker="os"[k], ms=6, lw=2, capsize=4,
                    label=name)
    sizes = np.unique(draws[draws.features.isin(kinds)].D)
    for name, text in (("pixels", "the pixels themselves"), ("Gaussian", "the exact Gaussian machine")):
        level = 100 * draws[draws.features == name].error.mean()
        ax.axhline(level, color=pl.GREY, lw=1.4, ls="--", zorder=0)
        ax.annotate(text, (sizes[0], level), xytext=(0, 4), textcoords="offset points", color=pl.GREY)
    ax.set(xscale="log", yscale="log", xlabel="features D", ylabel="error in %")
    for axis, ticks in ((ax.xaxis, sizes), (ax.yaxis, (2, 3, 5, 10, 20))):
        axis.set_minor_locator(NullLocator())
        axis.set_ticks(ticks, [f"{tick:,}" for tick in ticks])
    pl.legend(ax, 2)
    return fig
