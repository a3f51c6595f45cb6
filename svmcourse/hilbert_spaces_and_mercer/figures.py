"""Figures of chapter 08: functions made of kernel sections, eigenfunctions of a Gaussian, a dual with two summits."""
import warnings
from collections.abc import Callable

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import Rectangle

from svmcourse.shared import plotting as pl
from svmlib import DualProblem, NotPSDWarning, solve
from svmlib.kernels import Kernel

ARROW = {"arrowstyle": "-|>", "shrinkA": 0, "shrinkB": 0}


FRUIT = ("lemon", "orange", "apple")


def judgements(K: np.ndarray) -> Figure:
    """What has been said of three fruits: a square of numbers (3, 3), with a question mark where K is nan."""
    fig, ax = pl.axes(width=3.6, height=2.8)
    for (i, j), value in np.ndenumerate(K):
        known = np.isfinite(value)
        colour = "white" if not known else pl.REGION_COLORS[int(value > 0)]
        ax.add_patch(Rectangle((j, i), 1, 1, facecolor=colour, edgecolor=pl.GREY))
        ax.text(j + 0.5, i + 0.5, f"{value:g}".replace("-", "−") if known else "?", ha="center", va="center", size=16,
                color=pl.INK if known else pl.GREY)
    middle = np.arange(3) + 0.5
    ax.set(xlim=(0, 3), ylim=(3, 0), aspect="equal")
    ax.set_xticks(middle, FRUIT)
    ax.set_yticks(middle, FRUIT)
    ax.xaxis.tick_top()
    ax.tick_params(length=0, labelcolor=pl.INK)
    ax.spines[:].set_visible(False)
    return fig


def fruit_arrows(matrices: dict[str, np.ndarray]) -> Figure:
    """Three fruits as arrows in the plane whose inner products are the entries of each matrix, of rank 2 or less."""
    fig, axs = pl.axes(len(matrices), width=9.0, height=2.6, narrow=2)
    for ax, (title, K) in zip(axs, matrices.items(), strict=True):
        _fruit(ax, K)
        ax.set_title(title)
    return fig


def _fruit(ax: Axes, K: np.ndarray) -> None:
    arrows = _arrows(K)
    for name, arrow, colour in zip(FRUIT, arrows, (pl.COLORS[3], pl.POSITIVE, pl.COLORS[0]), strict=True):
        ax.annotate("", arrow, (0, 0), arrowprops=ARROW | {"color": colour, "lw": 2.2})
        below = name == "lemon" and np.allclose(arrow, arrows[1])          # both are one arrow: two names for it
        ax.annotate(name, arrow, xytext=(0, -14 if below else 7), textcoords="offset points", ha="center", color=colour)
    ax.set(xlim=(-2.6, 5.4), ylim=(-1.1, 4.4), aspect="equal", xticks=[], yticks=[])
    ax.spines[:].set_visible(False)


def _arrows(K: np.ndarray) -> np.ndarray:
    """Rows (n, 2) with the inner products K (n, n); the second of them points to the right."""
    values, vectors = np.linalg.eigh(K)
    rows = vectors[:, -2:] * np.sqrt(np.maximum(values[-2:], 0))
    along = rows[1] / np.linalg.norm(rows[1])
    rows = rows @ np.array([[along[0], -along[1]], [along[1], along[0]]])
    return rows if rows[:, 1].sum() >= 0 else rows * [1, -1]


def sections(kernel: Kernel, centres: np.ndarray, coefficients: np.ndarray) -> Figure:
    """A function sum_i a_i k(., x_i) on the line: the sections with their weights (thin) and their sum (thick)."""
    grid = np.linspace(centres.min() - 2, centres.max() + 2, 401)[:, None]
    parts = kernel(grid, centres) * coefficients
    fig, ax = pl.axes(width=6.4, height=3.3)
    for i in range(parts.shape[1]):
        ax.plot(grid[:, 0], parts[:, i], color=pl.COLORS[0], lw=1.1, label="$a_i k(\\cdot, x_i)$" if i == 0 else None)
    ax.plot(grid[:, 0], parts.sum(axis=1), color=pl.INK, lw=2.4, label="$f$, their sum")
    ax.plot(centres[:, 0], np.zeros(len(centres)), "|", ms=12, mew=2, color=pl.POSITIVE, label="$x_i$")
    ax.set(xlabel="x")
    pl.legend(ax, columns=3)
    return fig


def eigenfunctions(grid: np.ndarray, values: np.ndarray, functions: np.ndarray) -> Figure:
    """The first eigenfunctions (n, m) on a grid (n,), and the eigenvalues on a logarithmic axis."""
    fig, (left, right) = pl.axes(2, width=8.8, height=4.4, gridspec_kw={"width_ratios": [1.9, 1]})
    upright = functions * np.sign(functions[-1])               # a sign is free: each ends above zero
    for k in range(5):
        left.plot(grid, upright[:, k], color=(pl.INK, *pl.COLORS)[k], ls=("-", "--", "-.", ":", (0, (5, 1, 1, 1)))[k],
                  label=f"$e_{k + 1}$")
    left.axhline(0, color=pl.GREY, lw=0.8)
    left.set(xlabel="x", title="the first five eigenfunctions")
    left.legend(loc="center left", bbox_to_anchor=(1, 0.5), handlelength=1.6, handletextpad=0.4, borderaxespad=0.2)
    right.semilogy(np.arange(1, len(values) + 1), values, "o", ms=5, color=pl.COLORS[0])
    right.set(xlabel="number", title="eigenvalues", ylim=(1e-12, 10))
    return fig


def two_summits(problem: DualProblem, first: np.ndarray, second: np.ndarray) -> Callable[[float], tuple[Figure, str]]:
    """A function draw(t) of the four-point example: a place between two summits, and where the solver
    goes from it.

    Left the dual value along the segment from the first summit (t = 0) to the second (t = 1); right a map of it over
    alpha_3 and alpha_4, with alpha_2 = 1 and alpha_1 = alpha_3 + alpha_4 - 1, grey where that is negative.
    """
    ts = np.linspace(0, 1, 101)
    line = np.array([problem.objective(first + t * (second - first)) for t in ts])
    u, v = np.meshgrid(np.linspace(0, 1, 121), np.linspace(0, 1, 121))
    height = np.array([problem.objective(np.array([a + b - 1, 1.0, a, b])) if a + b >= 1 else np.nan
                       for a, b in zip(u.ravel(), v.ravel(), strict=True)]).reshape(u.shape)

    def draw(t: float) -> tuple[Figure, str]:
        here = first + t * (second - first)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", NotPSDWarning)
            there = solve(problem, tol=1e-9, alpha0=here)
        fig, (left, right) = pl.axes(2, width=9.0, height=3.8)
        left.plot(ts, line, color=pl.INK)
        left.plot([0, 1], line[[0, -1]], "*", ms=13, mfc="white", mec=pl.INK, zorder=3)
        left.plot(t, problem.objective(here), "o", ms=9, color=pl.POSITIVE, zorder=4)
        left.set(xlabel="place t on the segment", ylabel="dual value W")
        right.contour(u, v, height, levels=np.linspace(2.3, 2.62, 17), colors=pl.GREY, linewidths=0.9)
        right.fill([0, 1, 0], [0, 0, 1], color=pl.GREY, alpha=0.25, lw=0, zorder=0)                # alpha_1 < 0
        right.plot([first[2], second[2]], [first[3], second[3]], color=pl.INK, lw=1.2)
        right.plot(*np.array([here[2:], there.alpha[2:]]).T, ls=":", lw=2, color=pl.POSITIVE)
        right.plot([first[2], second[2]], [first[3], second[3]], "*", ms=13, ls="", mfc="white", mec=pl.INK, zorder=3)
        right.plot(here[2], here[3], "o", ms=9, color=pl.POSITIVE, zorder=4)
        right.plot(there.alpha[2], there.alpha[3], "*", ms=15, color=pl.NEGATIVE, zorder=5)
        right.set(xlabel="$α_3$", ylabel="$α_4$", aspect="equal", xlim=(0.2, 1.04), ylim=(0.2, 1.04))
        return fig, (f"Here W\u00a0=\u00a0{problem.objective(here):.4f}; "
                     f"the solver climbs from here to W\u00a0=\u00a0{there.objective:.4f}.")

    return draw


def projection() -> Figure:
    """Why the representer theorem holds: a vector over the plane that the data span, and its shadow in the plane."""
    fig, ax = pl.axes(width=5.6, height=3.4)
    _project(ax)
    return fig


def recap(K: np.ndarray) -> Figure:
    """Both ideas of the chapter: numbers K (3, 3) that are inner products of arrows, and the shadow in the span."""
    fig, (left, right) = pl.axes(2, width=8.8, height=2.9, width_ratios=[4, 6.1])
    _fruit(left, K)
    _project(right)
    return fig


def _project(ax: Axes) -> None:
    right, back = np.array([1.0, 0.0]), np.array([0.5, 0.38])   # the plane, seen from the side
    corners = [a * right + b * back for a, b in ((-0.4, -0.6), (3.6, -0.6), (3.6, 1.7), (-0.4, 1.7))]
    ax.fill(*np.transpose(corners), color=pl.GREY, alpha=0.16, lw=0, zorder=0)
    w, up = 2.2 * right + 0.7 * back, np.array([0.0, 1.5])
    images = {"$φ(x_1)$": 1.1 * right - 0.3 * back, "$φ(x_2)$": 0.5 * right + 1.35 * back,
              "$φ(x_3)$": 3.2 * right - 0.55 * back}
    arrows = [(np.zeros(2), z, pl.GREY, 1.2) for z in images.values()]
    arrows += [(np.zeros(2), w, pl.INK, 2.4), (np.zeros(2), w + up, pl.COLORS[1], 2.4), (w, w + up, pl.COLORS[0], 2.0)]
    for start, end, color, lw in arrows:
        ax.annotate("", (end[0], end[1]), (start[0], start[1]), arrowprops=ARROW | {"lw": lw, "color": color})
    corner = 0.17
    ax.plot(*np.transpose([w - corner * right, w - corner * right + corner * up / 1.5, w + corner * up / 1.5]),
            color=pl.GREY, lw=1)
    names = {**images, "$w$, in the span": w, "$w^*$": w + up, "$v$, orthogonal to all $φ(x_i)$": w + 0.6 * up}
    for (text, z), shift in zip(names.items(), ((-4, -10), (5, 4), (5, -4), (7, 2), (5, 5), (7, 0)), strict=True):
        ax.annotate(text, (z[0], z[1]), xytext=shift, textcoords="offset points", ha="left", va="center", color=pl.INK)
    ax.set(aspect="equal", xlim=(-0.8, 5.3), ylim=(-0.4, 2.1))
    ax.axis("off")
