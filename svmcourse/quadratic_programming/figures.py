"""Figures of the chapter on quadratic programming."""
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import MaxNLocator

from svmcourse.shared import plotting as pl
from svmlib import DualProblem, Solution
from svmlib.solvers.central_path import newton

LOWER, UPPER = pl.COLORS[0], pl.COLORS[1]


def line(X: np.ndarray, y: np.ndarray, w: np.ndarray, b: float, support: np.ndarray) -> Figure:
    """Points in the plane, the line w'x + b = 0 with its margins, and rings around the margin vectors."""
    fig, ax = pl.axes(width=5.2, height=4.4)
    pl.boundary(ax, lambda Z: Z @ w + b, pl.window(X))
    pl.points(ax, X, y)
    pl.mark(ax, X, support, support)
    ax.set(xlabel="$x_1$", ylabel="$x_2$")
    ax.set_aspect("equal", adjustable="box")
    return fig


def central_path(Q: np.ndarray, centres: Sequence[np.ndarray], iterates: Sequence[np.ndarray]) -> Figure:
    """Level lines of W, central path and iterates over (alpha_2, alpha_3), where alpha_1 = alpha_2 + alpha_3."""
    fig, ax = pl.axes(width=5.6, height=4.6)
    u, v = np.meshgrid(np.linspace(0.3, 0.75, 121), np.linspace(0, 0.55, 121))
    a = np.stack([u + v, u, v], axis=-1)
    W = a.sum(axis=-1) - 0.5 * np.einsum("...i,ij,...j->...", a, Q, a)
    levels = np.r_[np.linspace(-2.0, 0.25, 16), 0.35, 0.42, 0.47]
    ax.contour(u, v, W, levels=levels, colors=pl.GREY, linewidths=0.7, linestyles="solid", alpha=0.7)
    path, dots = np.array(centres), np.array(iterates)
    ax.plot(path[:, 1], path[:, 2], color=LOWER, lw=2.4, label="central path", zorder=2)
    ax.plot(dots[:, 1], dots[:, 2], "o--", color=pl.INK, lw=0.8, ms=5, label="iterates", zorder=3)
    for k, (x, z) in enumerate(dots[:6, 1:]):
        ax.annotate(str(k), (x, z), xytext=(7, 4) if k < 3 else (-13, -3), textcoords="offset points",
                    fontsize=9.5)
    ax.plot(0.5, 0, "*", color=UPPER, ms=14, label="optimum", clip_on=False, zorder=4)
    ax.set(xlabel="$α_2$", ylabel="$α_3$", xlim=(0.3, 0.75), ylim=(0, 0.55))
    pl.legend(ax, 3)
    return fig


def iterations(problem: DualProblem, solution: Solution) -> Callable[[int], tuple[Figure, str]]:
    """A drawing function of the iteration k: the line, alpha between its bounds, and primal against dual value."""
    order, limits = np.argsort(solution.alpha, kind="stable"), pl.window(problem.X, pad=0.1)
    lines = [_best_line(problem, entry["alpha"]) for entry in solution.history]
    dual = np.array([entry["objective"] for entry in solution.history])
    primal = np.array([value for _, _, value in lines])

    def draw(k: int) -> tuple[Figure, str]:
        fig, axs = pl.axes(1, width=9.0, height=4.6)
        axs.remove()
        left, top, bottom = fig.subplot_mosaic([["line", "alpha"], ["line", "value"]], width_ratios=[1.15, 1]).values()
        w, b, _ = lines[k]
        pl.boundary(left, lambda Z: Z @ w + b, limits)
        pl.points(left, problem.X, problem.y)
        left.set(xlabel="$x_1$", ylabel="$x_2$")
        _alphas(top, solution.history[k]["alpha"][order], solution.alpha[order], float(problem.C[0]))
        shown = np.arange(k + 1)
        bottom.plot(shown, primal[:k + 1], "s-", ms=4, color=UPPER, label="primal")
        bottom.plot(shown, dual[:k + 1], "o-", ms=4, color=LOWER, label="dual")
        bottom.set(xlim=(-0.4, len(dual) - 0.6), ylim=(dual.min() - 4, 1.35 * primal.max() + 4))
        bottom.set(xlabel="iteration", ylabel="value")
        bottom.xaxis.set_major_locator(MaxNLocator(5, integer=True))
        bottom.legend(loc="upper right", ncols=2)
        wrong = int(np.sum(problem.y * (problem.X @ w + b) <= 0))
        return fig, (f"Iteration {k}: dual value {dual[k]:.4f}, primal value {primal[k]:.4f}, gap "
                     f"{primal[k] - dual[k]:.1e}; half margin {1 / np.linalg.norm(w):.2f}, {wrong} training errors.")

    return draw


def _alphas(ax: Axes, now: np.ndarray, final: np.ndarray, C: float) -> None:
    """Multipliers in the order of their final values, between dashed lines at 0 and C."""
    kinds = (("→ 0", final <= 0, pl.GREY), ("→ free", (final > 0) & (final < C), pl.COLORS[3]),
             ("→ C", final >= C, pl.INK))
    for bound in (0.0, C):
        ax.axhline(bound, color=pl.GREY, lw=0.9, ls="--")
    for name, rows, color in kinds:
        ax.plot(np.flatnonzero(rows), now[rows], "o", ms=4.5, color=color, label=name)
    ax.set(ylim=(-0.12 * C, 1.12 * C), yticks=[0, C], yticklabels=["0", "C"], xticks=[], ylabel="α")
    ax.legend(loc="lower left", bbox_to_anchor=(-0.05, 1.0), ncols=3, columnspacing=0.7, handletextpad=0)


def _best_line(problem: DualProblem, alpha: np.ndarray) -> tuple[np.ndarray, float, float]:
    """w of these multipliers, the b that is best for it, and the primal value: an upper bound at every iterate."""
    w = (alpha * problem.y) @ problem.X
    g = problem.X @ w
    candidates = problem.y - g                        # the hinge sum is piecewise linear in b, with its kinks here
    slack = np.maximum(0.0, 1.0 - problem.y * (g + candidates[:, None]))
    values = 0.5 * w @ w + slack @ problem.C
    best = int(values.argmin())
    return w, float(candidates[best]), float(values[best])


def pairs(history: Sequence[Mapping[str, Any]], shown: Sequence[int], support: np.ndarray) -> Figure:
    """alpha, in units of its largest, against z, both logarithmic, at some iterations; support vectors as diamonds."""
    fig, ax = pl.axes(width=5.8, height=4.6)
    ends = np.array([1e-11, 1e2])
    for k, color in zip(shown, (pl.COLORS[3], pl.COLORS[2], pl.COLORS[4]), strict=False):
        alpha, z = history[k]["x"] / history[k]["x"].max(), history[k]["z"]
        rest = np.setdiff1d(np.arange(len(alpha)), support)
        ax.plot(ends, np.median(alpha * z) / ends, color=color, lw=0.9, zorder=1)
        ax.scatter(alpha[rest], z[rest], s=20, color=color, alpha=0.75, lw=0, label=f"iteration {k}", zorder=2)
        ax.scatter(alpha[support], z[support], s=48, color=color, marker="D", edgecolors=pl.INK, lw=0.9, zorder=3)
    ax.scatter([], [], s=48, facecolors="none", edgecolors=pl.INK, marker="D", label="support vector")
    ax.plot(ends, ends, color=pl.INK, lw=1.2, label="equal")
    ax.axvline(1e-10 / history[-1]["x"].max(), color=pl.INK, lw=1.4, ls=":", label="$α = 10^{-10}$")
    ax.set(xscale="log", yscale="log", xlim=(1e-11, 1e2), ylim=(1e-11, 1e2), xlabel="α / largest α", ylabel="z")
    pl.legend(ax, 3)
    return fig


def time_against_n(seconds: Mapping[tuple[str, int], float]) -> Figure:
    """Seconds over n for each solver, with slope 3 beside the dense one for comparison."""
    fig, ax = pl.axes(width=5.8, height=4.2)
    names = list(dict.fromkeys(name for name, _ in seconds))
    for k, name in enumerate(names):
        ns = np.array([n for other, n in seconds if other == name])
        times = np.array([seconds[name, int(n)] for n in ns])
        ax.plot(ns, times, marker="os^"[k % 3], ms=5, color=pl.COLORS[k], label=name)
        if name == "dense":
            ax.plot(ns[-2:], times[-1] * 1.6 * (ns[-2:] / ns[-1]) ** 3, "--", color=pl.GREY, lw=1)
    ax.set(xscale="log", yscale="log", xlabel="n", ylabel="seconds")
    pl.legend(ax, 3)
    return fig


class ThreePoints:
    """(0, 0) of one class, (2, 0) and (2.5, 1.5) of the other: alpha_1 = alpha_2 + alpha_3, so two can be drawn.

    >>> ThreePoints().centre(1e-9)[0].round(4).tolist()
    [0.5, 0.5, 0.0]
    """

    def __init__(self) -> None:
        self.X, self.y = np.array([[0.0, 0.0], [2.0, 0.0], [2.5, 1.5]]), np.array([-1.0, 1.0, 1.0])
        self.Q = np.outer(self.y, self.y) * (self.X @ self.X.T)

    def centre(self, mu: float) -> tuple[np.ndarray, np.ndarray, float]:
        """alpha, z and b on the central path at mu: Newton's method, until it stands still."""
        point = np.array([1.0, 0.5, 0.5]), np.ones(3), 0.0
        for _ in range(100):
            point = newton(mu, *point, self.Q, self.y)
        return point


def central(mu: float) -> Figure:
    """The line in the plane, and the three points' multipliers on the central path, at one mu."""
    three, grid = ThreePoints(), np.geomspace(4.0, 1e-5, 60)
    path = np.array([three.centre(each)[0] for each in grid])
    alpha, _, b = three.centre(mu)
    w = (alpha * three.y) @ three.X
    fig, (plane, quadrant) = pl.axes(2, width=9.4, height=4.3)
    pl.boundary(plane, lambda Z: Z @ w + b, (-1.0, 3.4, -0.9, 2.2))
    pl.points(plane, three.X, three.y, size=60)
    plane.set(xlabel="$x_1$", ylabel="$x_2$")
    plane.set_aspect("equal")
    most = np.array([1.35, 0.75])
    u, v = np.meshgrid(np.linspace(0, most[0], 121), np.linspace(0, most[1], 121))
    a = np.stack([u + v, u, v], axis=-1)
    W = a.sum(axis=-1) - 0.5 * np.einsum("...i,ij,...j->...", a, three.Q, a)
    quadrant.contour(u, v, W, levels=[-6, -4, -2.5, -1.5, -0.8, -0.3, 0, 0.2, 0.35, 0.45], colors=pl.GREY,
                     linewidths=0.7, linestyles="solid")
    quadrant.plot(*path[:, 1:].T, color=LOWER, lw=2.4, label="central path")
    quadrant.plot(0.5, 0, "*", color=UPPER, ms=15, label="optimum", clip_on=False, zorder=4)
    quadrant.plot(*alpha[1:], "o", color=pl.INK, ms=10, label="here", clip_on=False, zorder=5)
    quadrant.spines[["left", "bottom"]].set_linewidth(2.5)
    quadrant.set(xlabel="$α_2$", ylabel="$α_3$", xlim=(0, most[0]), ylim=(0, most[1]))
    pl.legend(quadrant, 3)
    return fig
