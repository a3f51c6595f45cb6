"""Figures of chapter 16: support vector machines beside other methods, over several starts."""
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
from matplotlib.figure import Figure

from svmlib.classroom import plotting as pl


def lines(X: np.ndarray, y: np.ndarray, machines: Mapping[str, Sequence[Any]]) -> Figure:
    """Linear boundaries, name -> machines: several starts of one method share its colour and its dashes."""
    fig, ax = pl.axes(width=6.0, height=4.6)
    limits = pl.window(X)
    kinds = ("-", (0, (6, 2)), (0, (1, 1.5)))
    for k, (name, fitted) in enumerate(machines.items()):
        for run, m in enumerate(fitted):
            (w1, w2), b = m.coef_[0], m.intercept_[0]
            u = np.array(limits[:2]) if abs(w2) > abs(w1) else None
            v = np.array(limits[2:])
            ends = (u, -(w1 * u + b) / w2) if u is not None else (-(w2 * v + b) / w1, v)
            ax.plot(*ends, color=(pl.INK, pl.COLORS[0], pl.COLORS[1])[k], ls=kinds[k], lw=2.2 if k == 0 else 1.4,
                    label=name if run == 0 else None)
    pl.points(ax, X, y)
    ax.set(xlim=limits[:2], ylim=limits[2:], xlabel="$x_1$", ylabel="$x_2$", aspect="equal")
    pl.legend(ax, columns=3)
    return fig


def start_explorer(X: np.ndarray, y: np.ndarray,
                   methods: Mapping[str, Callable[[int], Any]]) -> Callable[[str, int], tuple[Figure, str]]:
    """A function draw(method, run): the regions that methods[method](run), fitted to the points, predicts.

    The points come in another order at each start.
    """
    def draw(method: str, run: int) -> tuple[Figure, str]:
        order = np.random.default_rng(run).permutation(len(y))
        m = methods[method](run).fit(X[order], y[order])
        fig, ax = pl.axes(width=5.6, height=4.4)
        pl.boundary(ax, m.decision_function, pl.window(X), margins=False)
        pl.points(ax, X, y)
        ax.set(xlabel="$x_1$", ylabel="$x_2$")
        errors = int(np.sum(m.predict(X) != y))
        return fig, f"{method}, start {run}: {errors} of {len(y)} training points on the wrong side."

    return draw


def spread(values: Mapping[str, np.ndarray], xlabel: str, percent: bool = True) -> Figure:
    """One row a method: a dot for each start and a bar at the mean."""
    fig, ax = pl.axes(width=6.4, height=0.42 * len(values) + 1.0)
    for row, v in enumerate(values.values()):
        ax.plot(100 * v if percent else v, np.full(len(v), row), "o", ms=5, color=pl.COLORS[0], alpha=0.55)
        ax.plot([(100 if percent else 1) * v.mean()] * 2, [row - 0.3, row + 0.3], color=pl.INK, lw=2)
    ax.set(xlabel=xlabel)
    ax.set_xlim(left=min(0.0, ax.get_xlim()[0]))
    pl.name_rows(ax, list(values))
    return fig


def times(rows: Mapping[str, tuple[float, float]]) -> Figure:
    """Seconds of the report and of today, name -> (report, today), on a logarithmic axis; NaN is left out."""
    fig, ax = pl.axes(width=6.4, height=0.42 * len(rows) + 1.2)
    for row, (report, today) in enumerate(rows.values()):
        ax.plot([report, today], [row, row], color=pl.GREY, lw=1, zorder=1)
        ax.plot(report, row, "s", ms=7, color=pl.INK, label="report, 2021" if row == 0 else None)
        ax.plot(today, row, "o", ms=7, color=pl.COLORS[0], label="this page" if row == 0 else None)
    ax.set(xlabel="seconds", xscale="log")
    pl.name_rows(ax, list(rows))
    ax.legend(loc="upper center", bbox_to_anchor=(0.5, -0.3), ncols=2)
    return fig
