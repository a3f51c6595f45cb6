"""Figures of the chapter on sequential minimal optimization."""
import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from svmcourse.shared import plotting as pl
from svmlib import DualProblem, solve
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


def race(problem: DualProblem, walks: dict[str, np.ndarray], optimum: float) -> Figure:
    """W after each step of several walks, and the best there is."""
    fig, ax = pl.axes(width=6.2, height=3.4)
    for k, (name, values) in enumerate(walks.items()):
        ax.plot(values, color=pl.COLORS[k], label=name)
    ax.axhline(optimum, color=pl.INK, ls="--", lw=1.2, label="the best W")
    ax.set(xlabel="steps", ylabel="dual value W", xlim=(0, max(map(len, walks.values())) - 1), ylim=(0, None))
    pl.legend(ax, 3)
    return fig


def promise(tols: np.ndarray, off: dict[float, np.ndarray]) -> Figure:
    """How far the farthest decision value is from the optimum's over tol: for each C (draws, tols), with its range."""
    fig, ax = pl.axes(width=6.2, height=3.4)
    for k, (C, values) in enumerate(off.items()):
        ax.fill_between(tols, values.min(axis=0), values.max(axis=0), color=pl.COLORS[k], alpha=0.18, lw=0)
        ax.plot(tols, np.median(values, axis=0), color=pl.COLORS[k], label=f"C = {C:g}")
    ax.plot(tols, tols, color=pl.INK, ls="--", lw=1.2, label="tol itself")
    ax.set(xscale="log", yscale="log", xlabel="tol", ylabel="f is off by", xlim=(tols.max(), tols.min()))
    pl.legend(ax, 3)
    return fig


class Triangle:
    """A blue point and two orange ones at the height h above it: all three hold the band; alpha_1 = alpha_2 + alpha_3.

    >>> walk = Triangle(0.5).pairs()
    >>> len(walk) - 1, Triangle(0.5).optimum.round(2).tolist()
    (40, [4.52, 3.48])
    """

    def __init__(self, h: float) -> None:
        self.h, self.y = h, np.array([-1.0, 1.0, 1.0])
        self.X = np.array([[0.0, 0.0], [-1.0, h], [1.3, h]])
        self.problem = DualProblem(Linear(), self.X, self.y, C=1e6)
        sides = self.X[1:] - self.X[0]
        self.Q = sides @ sides.T                                    # W = 2 (a_2 + a_3) - 1/2 a'Qa
        self.optimum = np.linalg.solve(self.Q, [2.0, 2.0])

    def pairs(self) -> np.ndarray:
        """(alpha_2, alpha_3) after each step from 0: the pairs of second order, until they are right to 1e-6."""
        run = solve(self.problem, "smo", tol=1e-6, newton=False, max_iter=100_000, history="alpha")
        return np.array([np.zeros(3), *(state["alpha"] for state in run.history)])[:, 1:]

    def draw_ridge(self, ax: Axes, walk: np.ndarray, color: str, straight: bool = True) -> None:
        """Level lines of W over (alpha_2, alpha_3), a walk from 0, and the top."""
        most = 1.25 * self.optimum.max()
        u, v = np.meshgrid(*2 * [np.linspace(-0.06 * most, most, 201)])
        W = 2 * (u + v) - 0.5 * (self.Q[0, 0] * u**2 + 2 * self.Q[0, 1] * u * v + self.Q[1, 1] * v**2)
        shares = np.array([-2, -1, -0.25, 0.2, 0.5, 0.75, 0.9, 0.98])
        ax.contour(u, v, W, levels=shares * self.optimum.sum(), colors=pl.GREY, linewidths=0.8, linestyles="solid")
        if straight:
            ax.plot(*np.array([[0, 0], self.optimum]).T, color=pl.COLORS[2], lw=2, ls="--", label="one Newton step")
        ax.plot(*walk.T, "o-", color=color, lw=1.4, ms=3.2, label="pairs")
        ax.plot(*self.optimum, "*", color=pl.INK, ms=13, zorder=4)
        ax.set(xlabel=r"$\alpha_2$", ylabel=r"$\alpha_3$", xlim=(-0.06 * most, most), ylim=(-0.06 * most, most))
        ax.set_aspect("equal")


def zigzag(h: float) -> tuple[Figure, str]:
    """Three points that all hold the band, and beside them the walk of the best pairs over their multipliers."""
    triangle = Triangle(h)
    walk = triangle.pairs()
    fig, (plane, ridge) = pl.axes(2, width=9.0, height=4.3)
    w = triangle.problem.X.T @ (triangle.y * np.r_[triangle.optimum.sum(), triangle.optimum])
    pl.boundary(plane, lambda Z: Z @ w - 1, (-1.5, 1.8, -0.45, 1.45))
    pl.points(plane, triangle.X, triangle.y, size=60)
    plane.set(xlabel="$x_1$", ylabel="$x_2$")
    plane.set_aspect("equal")
    triangle.draw_ridge(ridge, walk, pl.COLORS[0])
    pl.legend(ridge, 2)
    return fig, f"Height {h:g}: the best pairs need {len(walk) - 1} steps, one Newton step does it at once."


def two_walks(h: float = 0.25) -> Figure:
    """The same ridge climbed by the best pairs, and in one step."""
    triangle = Triangle(h)
    fig, axs = pl.axes(2, width=8.0, height=4.0)
    walk = triangle.pairs()
    walks = {f"two at a time: {len(walk) - 1} steps": walk,
             "all three at once: 1 step": np.array([[0, 0], triangle.optimum])}
    for ax, (title, steps), color in zip(axs, walks.items(), (pl.COLORS[0], pl.COLORS[2]), strict=True):
        triangle.draw_ridge(ax, steps, color, straight=False)
        ax.set(title=title)
    return fig
