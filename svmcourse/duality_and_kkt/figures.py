"""Figures of the chapter on duality and the KKT conditions."""
from collections.abc import Callable

import numpy as np
from matplotlib.figure import Figure

from svmcourse.shared import plotting as pl
from svmlib import DualProblem
from svmlib.kernels import Linear
from svmlib.solvers.smo_lab_sheet import one_step


def parabola(a: float) -> tuple[Figure, str]:
    """min w^2/2 subject to w >= 1: the Lagrangian of one multiplier a, and the dual function with its point at a."""
    w, aa = np.linspace(-0.6, 2.2, 71), np.linspace(0, 2.2, 56)     # w = 1 is among them
    fig, (left, right) = pl.axes(2, width=8.4, height=3.6, sharey=True)
    left.plot(w, w ** 2 / 2, color=pl.GREY, lw=1.4, label="$w^2/2$")
    left.plot(w[w >= 1], w[w >= 1] ** 2 / 2, color=pl.INK, lw=3, label="… where $w \\geq 1$")
    left.plot(w, w ** 2 / 2 - a * (w - 1), color=pl.COLORS[0], label="$L(w, a)$")
    left.plot(a, a - a ** 2 / 2, "o", color=pl.COLORS[0])
    left.set(xlabel="$w$", ylim=(-0.5, 2), xlim=(-0.6, 2.2))
    pl.legend(left, 3)
    right.plot(aa, aa - aa ** 2 / 2, color=pl.COLORS[1], label="$g(a) = \\min_w L(w, a)$")
    right.plot(a, a - a ** 2 / 2, "o", color=pl.COLORS[0])
    right.set(xlabel="$a$", xlim=(0, 2.2))
    for ax in (left, right):
        ax.axhline(0.5, color=pl.INK, ls="--", lw=1, label="$p^* = 1/2$" if ax is right else None)
    pl.legend(right, 2)
    g = a - a * a / 2
    return fig, f"The minimum of L over w is g({a:g}) = {g:.3f}, and p* = 0.5: a gap of {0.5 - g:.3f}"


def bounds_histogram(values: np.ndarray, p_star: float) -> Figure:
    """Dual values of random multipliers, and the primal optimum that none of them can pass."""
    fig, ax = pl.axes(width=6.0, height=3.0)
    ax.hist(values, bins=60, color=pl.COLORS[2])
    ax.axvline(p_star, color=pl.INK, ls="--", lw=1.6)
    ax.annotate("p*", (p_star, 1), xycoords=("data", "axes fraction"), xytext=(6, -14), textcoords="offset points")
    ax.set(xlabel="g(α)", ylabel="number of random α")
    return fig


def climb(X: np.ndarray, y: np.ndarray, steps: list[int]) -> Callable[[int], tuple[Figure, str]]:
    """A drawing function of the step: both bounds of the hard margin under exact steps on violating pairs, the line."""
    problem = DualProblem(Linear(), X, y, C=np.inf)
    alpha, f, b = np.zeros(len(y)), np.zeros(len(y)), 0.0
    lower, upper, kept, best = [], [], {}, np.inf
    for t in range(max(steps) + 1):
        value = problem.objective(alpha)
        best = min(best, value + problem.gap(alpha))
        lower.append(value)
        upper.append(best)
        if t in steps:
            kept[t] = alpha
        i, j = _most_violating(y, alpha, f)
        alpha, f, b = one_step(i, j, alpha, y, problem.K, f, np.inf, b)
    limits, top = pl.window(X, 0.12), 3 * lower[-1]

    def draw(step: int) -> tuple[Figure, str]:
        fig, (left, right) = pl.axes(2, width=8.6, height=3.9)
        a = kept[step]
        w, offset = (a * y) @ X, problem.bias(a) if a.any() else 0.0
        pl.boundary(left, lambda Z: Z @ w + offset, limits, resolution=2)   # a linear f needs no finer mesh
        pl.points(left, X, y)
        pl.mark(left, X, np.flatnonzero(a > 1e-9), np.flatnonzero(a > 1e-9))
        left.set(xlabel="$x_1$", ylabel="$x_2$")
        t = np.arange(step + 1)
        right.plot(t, np.minimum(upper[:step + 1], 1e6), color=pl.COLORS[1], label="primal value, best line so far")
        right.plot(t, lower[:step + 1], color=pl.COLORS[0], label="dual value g(α)")
        right.set(xlabel="exact steps on two multipliers", xlim=(0, max(steps)), ylim=(0, top))
        pl.legend(right, 1)
        above = "none yet" if np.isinf(upper[step]) else f"{upper[step]:.4f}"
        return fig, (f"After {step} steps: lower bound {lower[step]:.4f}, upper bound {above}; "
                     f"{np.sum(a > 1e-9)} points with α > 0.")

    return draw


def _most_violating(y: np.ndarray, alpha: np.ndarray, f: np.ndarray) -> tuple[int, int]:
    """The pair with the largest y - f that may still grow, and the smallest that may still fall, for C = inf."""
    ahead = (y - f).round(9)               # the two points of a step are tied after it: rounding must not choose
    up, low = np.flatnonzero((y > 0) | (alpha > 0)), np.flatnonzero((y < 0) | (alpha > 0))
    return int(up[np.argmax(ahead[up])]), int(low[np.argmin(ahead[low])])


def forces(X: np.ndarray, y: np.ndarray, alpha: np.ndarray) -> Figure:
    """The hard margin's band, and at each point with alpha > 0 an arrow of this length that pushes against its edge."""
    w = (alpha * y) @ X
    b, unit = float(np.mean((y - X @ w)[alpha > 0])), w / np.linalg.norm(w)
    fig, ax = pl.axes(width=5.6, height=5.2)
    x0, x1, y0, y1 = pl.window(X, 0.1)
    pl.band(ax, w, b, 1 / float(np.linalg.norm(w)), pl.INK, span=20.0)
    pl.points(ax, X, y, alpha=0.45)
    scale = 0.3 * min(x1 - x0, y1 - y0) / alpha.max()
    for k in np.flatnonzero(alpha > 0):
        tail = X[k] + y[k] * scale * alpha[k] * unit
        color = pl.POSITIVE if y[k] > 0 else pl.NEGATIVE
        ax.annotate("", X[k], tail, zorder=5, arrowprops={"arrowstyle": "-|>", "lw": 2.6, "color": color,
                                                         "shrinkA": 0, "shrinkB": 0, "mutation_scale": 16})
        ax.annotate(f"{alpha[k]:.1f}", tail, xytext=y[k] * 14 * unit, textcoords="offset points", ha="center",
                    va="center", fontsize=11, zorder=6)
    pl.points(ax, X[alpha > 0], y[alpha > 0], size=60)
    ax.set(xlabel="$x_1$", ylabel="$x_2$", xlim=(x0, x1), ylim=(y0, y1), aspect="equal")
    return fig


def three_points(X: np.ndarray, y: np.ndarray, alpha: np.ndarray) -> Figure:
    """The three-point example: the boundary, the margins, and alpha written at each point."""
    w = (alpha * y) @ X
    b = float(np.mean((y - X @ w)[alpha > 0]))
    fig, ax = pl.axes(width=4.8, height=3.4)
    pl.boundary(ax, lambda Z: Z @ w + b, (-0.8, 3.0, -0.7, 1.7))
    pl.points(ax, X, y, size=60)
    for x, a in zip(X, alpha, strict=True):
        ax.annotate(f"α = {a:g}", x, xytext=(9, 7), textcoords="offset points")
    ax.set(xlabel="$x_1$", ylabel="$x_2$")
    ax.set_aspect("equal")
    return fig
