"""Figures of the chapter on the active-set method."""
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from svmcourse.shared import plotting as pl
from svmlib import DualProblem

GREEN = pl.COLORS[0]


def _constraint_lines(ax: Axes, D: np.ndarray, delta: np.ndarray, held: Sequence[int]) -> None:
    """Draw the lines d_i'x = delta_i; those held as equations are thick and green."""
    for i, (d, value) in enumerate(zip(D.T, delta, strict=True)):
        along, foot = np.array([-d[1], d[0]]) / np.linalg.norm(d), value * d / (d @ d)
        ends = np.array([foot - 9 * along, foot + 9 * along])
        ax.plot(*ends.T, color=GREEN if i in held else pl.GREY, lw=3.2 if i in held else 1.0, zorder=1.5)


def _plane(ax: Axes, D: np.ndarray, delta: np.ndarray, centre: np.ndarray, held: Sequence[int]) -> None:
    """The feasible set (shaded), circles of equal objective about the centre, and the constraints with their names."""
    u, v = np.meshgrid(np.linspace(-0.8, 4.6, 271), np.linspace(-2.5, 3.1, 281))
    feasible = np.all(np.stack([u, v], axis=-1) @ D >= delta, axis=-1)
    ax.contourf(u, v, feasible, levels=[0.5, 1.5], colors=["#EDEDED"], zorder=0)
    distance = np.hypot(u - centre[0], v - centre[1])
    ax.contour(u, v, distance, levels=np.arange(0.4, 4.4, 0.4), colors=pl.COLORS[2], linewidths=0.7, zorder=1)
    ax.plot(*centre, "+", color=pl.COLORS[4], ms=10, mew=1.8, zorder=3)
    _constraint_lines(ax, D, delta, held)
    for i, place in enumerate([(0.72, 1.08), (3.1, 1.72), (3.25, 0.32), (-0.2, 0.5), (0.6, -0.22)]):
        ax.text(*place, str(i + 1), ha="center", va="center", zorder=5, fontsize=10,
                color="white" if i in held else pl.INK,
                bbox={"boxstyle": "circle,pad=0.2", "fc": GREEN if i in held else "white", "ec": pl.GREY, "lw": 0.8})
    ax.set(xlim=(-0.6, 4.4), ylim=(-0.7, 2.9), xlabel="$x_1$", ylabel="$x_2$")
    ax.set_aspect("equal", adjustable="box")


def room(A: np.ndarray, b: np.ndarray, D: np.ndarray, delta: np.ndarray, x: np.ndarray, held: Sequence[int]) -> Figure:
    """The room in the plane with the walls held at x, and what each pushes with: an arrow of half its lambda_i d_i.

    An arrow that points out of the room is the pull of a wall that should be let go.
    """
    centre, columns = np.linalg.solve(A, b), list(held)
    lam = np.linalg.lstsq(D[:, columns], A @ x - b, rcond=None)[0]
    fig, ax = pl.axes(width=6.2, height=4.8)
    _plane(ax, D, delta, centre, held)
    ax.plot(*np.array([x, centre]).T, ":", color=pl.INK, lw=1.4, zorder=2)
    for i, value in zip(columns, lam, strict=True):
        color = GREEN if value >= 0 else pl.COLORS[5]
        ax.annotate("", x + 0.5 * value * D[:, i], x, zorder=5, annotation_clip=False,
                    arrowprops={"arrowstyle": "-|>", "lw": 2.4, "color": color, "shrinkA": 0, "shrinkB": 0})
        ax.annotate(f"$\\lambda_{i + 1} = {value:.2g}$".replace("-", "−"), x + 0.5 * value * D[:, i],
                    xytext=(8 if D[0, i] else -58, -4), textcoords="offset points", annotation_clip=False)
    ax.plot(*x, "o", color=pl.INK, ms=9, mec="white", zorder=6, clip_on=False)
    ax.set(ylim=(-2.4, 2.9))
    return fig


def dual_explorer(problem: DualProblem, path: Sequence[tuple[np.ndarray, tuple[int, ...]]],
                  ) -> Callable[[int], tuple[Figure, str]]:
    """A drawing function of step for `explore`: line and multipliers of a linear machine along a `minimize_qp` path."""
    limits = pl.window(problem.X, pad=0.08)
    top = max(float(x.max()) for x, _ in path)

    def draw(step: int) -> tuple[Figure, str]:
        alpha, held = path[min(step, len(path) - 1)]
        free = np.setdiff1d(np.arange(problem.n), held)
        w = (alpha * problem.y) @ problem.X
        b = _halfway(problem.X @ w, problem.y)
        fig, (left, right) = pl.axes(2, width=8.8, height=3.9, width_ratios=[1.15, 1])
        pl.boundary(left, lambda Z: Z @ w + b, limits)
        pl.points(left, problem.X, problem.y)
        pl.mark(left, problem.X, free, free)
        left.set(xlabel="$x_1$", ylabel="$x_2$", title="line and free points")
        _multipliers(right, alpha, problem.y, top)
        gap = problem.gap(alpha, b)
        return fig, (f"{len(free)} free, {len(held)} held at α = 0; dual value {problem.objective(alpha):.3f}; "
                     + (f"primal value of the line drawn {problem.objective(alpha) + gap:.3f}" if np.isfinite(gap)
                        else "the normal does not separate the classes yet"))

    return draw


def _halfway(g: np.ndarray, y: np.ndarray) -> float:
    """The bias that puts the boundary halfway between the classes, given w'x at all points."""
    return -0.5 * float(g[y > 0].min() + g[y < 0].max())


def _multipliers(ax: Axes, alpha: np.ndarray, y: np.ndarray, top: float) -> None:
    """The multipliers as stems, on an axis that is linear below 0.1 and logarithmic above."""
    for value, color, marker in ((-1, pl.NEGATIVE, "o"), (1, pl.POSITIVE, "s")):
        rows = np.flatnonzero(y == value)
        ax.vlines(rows + 1, 0, alpha[rows], color=color, lw=1.4)
        ax.plot(rows + 1, alpha[rows], marker, color=color, ms=4.5)
    ax.axhline(0, color=pl.GREY, lw=0.8)
    ax.set_yscale("symlog", linthresh=0.1)
    ax.set(xlabel="point i", ylabel="$\\alpha_i$", ylim=(-0.02, 2 * top), title="multipliers",
           yticks=[0, 0.1, 1, 10, 100][:5 if top > 50 else 4])
    ax.set_yticklabels([f"{t:g}" for t in ax.get_yticks()])
    ax.minorticks_off()


def two_starts(clf: Any, X: np.ndarray, y: np.ndarray, runs: Mapping[str, Sequence[float]]) -> Figure:
    """A machine in the plane, and the dual value over the steps from two starts."""
    fig, (left, right) = pl.axes(2, width=9.0, height=3.8, width_ratios=[1.05, 1])
    pl.machine(clf, X, y, left, pl.window(X, pad=0.08), equal=False)
    left.set_title("the forty points")
    for k, (name, values) in enumerate(runs.items()):
        right.plot(np.arange(len(values)), values, "os"[k] + "-", ms=3.6, color=pl.COLORS[k], label=name)
    right.set(xlabel="step", ylabel="dual value", title="two starts, one optimum")
    pl.legend(right, 2)
    return fig


def timeline(runs: Mapping[str, Sequence[Sequence[int]]], n: int) -> Figure:
    """Which of n indices are held, step by step, for named runs: a row for an index, green where it is held.

    Rows that are free in the end stand at the top, below them the others, the latest held first.
    """
    fig, axs = pl.axes(len(runs), width=9.0, height=3.9)
    for ax, (name, sets) in zip(np.ravel(axs), runs.items(), strict=True):
        held = np.zeros((n, len(sets)), bool)
        for k, working in enumerate(sets):
            held[list(working), k] = True
        since = np.array([len(sets) - np.argmax(~row[::-1]) if not row.all() else -1 for row in held])
        order = np.argsort(-since, kind="stable")
        for place, row in enumerate(held[order]):
            turns = np.diff(np.r_[0, row, 0])
            starts, ends = np.flatnonzero(turns > 0), np.flatnonzero(turns < 0)
            ax.broken_barh(np.column_stack([starts - 0.5, ends - starts]), (place - 0.38, 0.76), color=GREEN, lw=0)
        ax.set(xlabel="step", ylabel="point, sorted", title=name, yticks=[],
               xlim=(-0.5, len(sets) - 0.5), ylim=(n - 0.4, -0.6))
    return fig


def prices(Cs: Sequence[float], kinds: Sequence[Sequence[int]], y: np.ndarray) -> Figure:
    """Where each point stands at all prices: kinds[k] (n,) holds from Cs[k] to Cs[k + 1], 0 for alpha = 0, 2 for C.

    A row a point, green where it is held at 0 and purple where it is held at C; where it is free there is a gap.
    """
    fig, ax = pl.axes(width=6.3, height=4.6)
    where, ends = np.array(kinds), np.asarray(Cs, float)
    for place, i in enumerate(np.lexsort((where[-1], -(where == 2).mean(axis=0)))):
        for kind, color in ((0, GREEN), (2, pl.COLORS[1])):
            turns = np.diff(np.r_[0, where[:, i] == kind, 0])
            starts, stops = ends[np.flatnonzero(turns > 0)], ends[np.flatnonzero(turns < 0)]
            ax.broken_barh(np.column_stack([starts, stops - starts]), (place - 0.38, 0.76), color=color, lw=0)
        ax.plot(0.62 * ends[0], place, "s" if y[i] > 0 else "o", ms=4, clip_on=False,
                color=pl.POSITIVE if y[i] > 0 else pl.NEGATIVE)
    ax.set(xscale="log", xlabel="$C$", yticks=[], xlim=(ends[0], ends[-1]),
           ylim=(where.shape[1] - 0.4, -0.6))
    ax.spines["left"].set_visible(False)
    return fig


def counts(sizes: Sequence[int], table: Mapping[str, Sequence[float]]) -> Figure:
    """Multiplications of a whole run over the number of points, one line a way to solve the step."""
    fig = pl.curve(sizes, table, "number of points n", "multiplications in a run", logx=True, logy=True)
    ax = fig.axes[0]
    ax.set_xticks(list(sizes), [str(n) for n in sizes])
    ax.minorticks_off()
    return fig
