"""Figures of the chapter on sequential minimal optimization."""
from typing import Any

import numpy as np
from matplotlib.figure import Figure

from svmcourse.shared import plotting as pl
from svmlib import DualProblem
from svmlib.kernels import Linear
from svmlib.solvers.smo_lab_sheet import one_step


class Plane:
    """A linear decision function from dual variables, with what `plotting.machine` wants to see."""

    def __init__(self, problem: DualProblem, alpha: np.ndarray, b: float) -> None:
        self.w, self.b = (alpha * problem.y) @ problem.X, b

    def decision_function(self, X: np.ndarray) -> np.ndarray:
        """w'x + b."""
        return X @ self.w + self.b


def segments(C: float = 1.0) -> Figure:
    """The two boxes of a step: alpha_i against alpha_j, with lines of constant gamma and their ends L and H."""
    fig, axs = pl.axes(2, width=8.4, height=3.7)
    for ax, s in zip(axs, (1, -1), strict=True):
        ax.add_patch(pl.plt.Rectangle((0, 0), C, C, fc="#F2F2F2", ec=pl.GREY))
        for k, gamma in enumerate((0.6, 1.4) if s > 0 else (0.35, -0.35)):
            L, H = (max(0, gamma - C), min(gamma, C)) if s > 0 else (max(0, -gamma), min(C, C - gamma))
            ends = np.array([[v, gamma - s * v] for v in (L, H)])
            ax.plot(*ends.T, color=pl.COLORS[k], lw=2.4, label=f"γ = {gamma:g}".replace("-", "−"))
            for (u, v), name in zip(ends, "LH", strict=True):
                ax.plot(u, v, "o", color=pl.COLORS[k])
                side = -1 if name == "L" else 1
                ax.annotate(name, (u, v), xytext=(13 * side, 3), textcoords="offset points", ha="center")
        ax.set(title=f"$y_i {'=' if s > 0 else '≠'} y_j$:  $\\alpha_j = \\gamma {'-' if s > 0 else '+'} \\alpha_i$",
               xlabel=r"$\alpha_i$", xlim=(-0.18, 1.18), ylim=(-0.1, 1.1), xticks=[0, C], yticks=[0, C],
               xticklabels=["0", "C"], yticklabels=["0", "C"])
        ax.set_aspect("equal")
        pl.legend(ax)
    axs[0].set_ylabel(r"$\alpha_j$")
    return fig


def dual_paths(paths: dict[str, np.ndarray], optimum: float) -> Figure:
    """Dual value over calls of one_step for several runs, with the optimum."""
    fig, ax = pl.axes(width=6.2, height=3.4)
    for k, (name, values) in enumerate(paths.items()):
        bends = np.flatnonzero(np.r_[True, np.diff(values, 2) != 0, True])      # most steps change nothing
        ax.plot(bends + 1, values[bends], color=pl.COLORS[k], label=name)
    ax.axhline(optimum, color=pl.INK, ls="--", lw=1.2, label="optimum")
    ax.set(xscale="log", xlabel="steps", ylabel="dual value W")
    pl.legend(ax, 3)
    return fig


def three_prices(X: np.ndarray, y: np.ndarray, fits: dict[float, tuple[DualProblem, Any]], least_squares: Any,
                 bayes: Any) -> Figure:
    """One panel a C: data, boundary and margins, support and margin vectors, least squares and the Bayes rule."""
    fig, axs = pl.axes(len(fits), width=9.6, height=3.9)
    limits = pl.close_up(X, share=0.8)
    x = np.array(limits[:2])
    for ax, (C, (problem, s)) in zip(axs, fits.items(), strict=True):
        pl.boundary(ax, Plane(problem, s.alpha, s.b).decision_function, limits)
        pl.points(ax, X, y)
        pl.mark(ax, X, s.support, s.free)
        pl.beyond(ax, X, y, limits)
        for (w, b), style, name in (((least_squares.coef_[0], least_squares.intercept_[0]), "-.", "least squares"),
                                    ((bayes.w, bayes.b), ":", "Bayes rule")):
            ax.plot(x, -(w[0] * x + b) / w[1], style, color=pl.COLORS[1 if name[0] == "l" else 0], lw=2.0, label=name)
        ax.set(title=f"C = {C:g}: {len(s.support)} SV, {len(s.free)} free", xlabel="$x_1$")
    axs[0].set_ylabel("$x_2$")
    handles, names = axs[0].get_legend_handles_labels()
    fig.legend(handles, names, loc="outside lower center", ncols=2)
    return fig


def your_machines(X: np.ndarray, y: np.ndarray, fits: dict[float, tuple[np.ndarray, float]]) -> Figure:
    """One panel a C for the student's own solver: fits holds alpha and b."""
    fig, axs = pl.axes(len(fits), width=3.2 * len(fits), height=3.3)
    for ax, (C, (alpha, b)) in zip(np.ravel(axs), fits.items(), strict=True):
        problem = DualProblem(Linear(), X, y, C=C)
        pl.boundary(ax, Plane(problem, np.asarray(alpha, float), float(b)).decision_function, pl.window(X))
        pl.points(ax, X, y)
        support = np.flatnonzero(np.asarray(alpha) > 1e-6 * C)
        pl.mark(ax, X, support, support[np.asarray(alpha)[support] < C * (1 - 1e-6)])
        ax.set(title=f"C = {C:g}: {len(support)} support vectors")
    return fig


def pair_step(X: np.ndarray, y: np.ndarray, pairs: list[list[int]], C: float) -> Figure:
    """The last of some steps of a linear machine: the pair among the points, its parabola, its segment."""
    problem = DualProblem(Linear(), X, y, C=C)
    alpha, f, b = np.zeros(len(y)), np.zeros(len(y)), 0.0
    for i, j in pairs:
        before, errors = alpha, f - y
        alpha, f, b = one_step(i, j, alpha, y, problem.K, f, C, b)
    fig, ((spare, above), (last, square)) = pl.axes(2, 2, width=6.4, height=4.2, width_ratios=[5, 3])
    spare.remove()
    last.remove()
    plane = fig.add_subplot(above.get_gridspec()[:, 0])
    limits = pl.window(X)
    pl.boundary(plane, Plane(problem, alpha, problem.bias(alpha)).decision_function, limits)
    pl.points(plane, X, y)
    pl.mark(plane, X, np.flatnonzero(alpha > 0), np.flatnonzero((alpha > 0) & (alpha < C)))
    plane.plot(*X[[i, j]].T, color=pl.COLORS[0], lw=2.2, zorder=2.5)
    plane.set(xlabel="$x_1$", ylabel="$x_2$")
    s = y[i] * y[j]
    gamma = s * before[i] + before[j]
    L, H = (max(0, gamma - C), min(gamma, C)) if s > 0 else (max(0, -gamma), min(C, C - gamma))
    slope, curvature = y[i] * (errors[j] - errors[i]), problem.K[i, i] + problem.K[j, j] - 2 * problem.K[i, j]
    a = np.linspace(L, H, 101)
    above.plot(a, slope * (a - before[i]) - 0.5 * curvature * (a - before[i]) ** 2, color=pl.INK)
    square.plot(a, gamma - s * a, color=pl.COLORS[0], lw=2.4)
    for ax, heights in ((above, (0, slope * (alpha[i] - before[i]) - 0.5 * curvature * (alpha[i] - before[i]) ** 2)),
                        (square, (before[j], alpha[j]))):
        ax.plot(before[i], heights[0], "o", mfc="white", mec=pl.INK)
        ax.plot(alpha[i], heights[1], "o", color=pl.INK)
        for end in (L, H):
            ax.axvline(end, color=pl.GREY, lw=0.8, ls=":")
        ax.set(xlim=(-0.1 * C, 1.1 * C))
    above.set(ylabel="gain", xticklabels=[])
    square.set(xlabel=r"$\alpha_i$", ylabel=r"$\alpha_j$", ylim=(-0.1 * C, 1.1 * C), xticks=[0, C], yticks=[0, C],
               xticklabels=["0", "C"], yticklabels=["0", "C"])
    return fig


def gaps(curves: dict[str, list[np.ndarray]], xlabel: str = "pairs changed") -> Figure:
    """Relative distance to the optimal dual value over pairs: the median of the runs, 10 to 90 % shaded."""
    fig, ax = pl.axes(width=6.4, height=3.8)
    for k, (name, runs) in enumerate(curves.items()):
        grid = np.unique(np.geomspace(1, max(len(r) for r in runs), 160).astype(int))
        table = np.array([r[np.minimum(grid, len(r)) - 1] for r in runs])
        ax.fill_between(grid, *np.quantile(table, [0.1, 0.9], axis=0), color=pl.COLORS[k], alpha=0.18, lw=0)
        ax.plot(grid, np.median(table, axis=0), color=pl.COLORS[k], label=name)
    ax.set(xscale="log", yscale="log", xlabel=xlabel, ylabel="(W* − W) / W*", ylim=(1e-9, 2))
    pl.legend(ax, 3)
    return fig
