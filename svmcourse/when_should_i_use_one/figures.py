"""Figures of chapter 16: support vector machines beside other methods, on real data and over several starts."""
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
from matplotlib.figure import Figure

from svmcourse.shared import plotting as pl
from svmcourse.when_should_i_use_one.contest import compare
from svmlib.baselines import geometric_margin

SVM_COLOR = pl.COLORS[2]
SHAPES = ("o", "s", "^")


# ---- real data -------------------------------------------------------------------------------------------------------
def contest(errors: Mapping[str, Mapping[str, np.ndarray]]) -> Figure:
    """Data set -> method -> error of each split: a dot at the mean with its standard error, a panel a set.

    A filled dot cannot be told from the best of its panel; a hollow one is behind by more than two standard errors.
    """
    fig, axs = pl.axes(3, rows=2, width=9.6, height=6.4)
    for k, (ax, (data, by_method)) in enumerate(zip(axs.flat, errors.items(), strict=True)):
        best = min(by_method.values(), key=lambda e: e.mean())
        for row, (method, e) in enumerate(by_method.items()):
            behind, deviation = compare(e, best)
            _, own = compare(e, np.zeros(len(e)))
            color = SVM_COLOR if method.startswith("SVM") else pl.INK
            ax.plot(100 * (e.mean() + np.array([-own, own])), [row, row], color=color, lw=1.4, zorder=2)
            ax.plot(100 * e.mean(), row, "o", ms=7, mew=1.4, mec=color, zorder=3,
                    mfc="white" if behind > 2 * deviation else color)
        ax.set(title=data, xlabel="test error in %")
        ax.set_xlim(left=0)
        pl.name_rows(ax, list(by_method), shown=k % 3 == 0)
    return fig


def scaling(errors: Mapping[str, Mapping[str, Mapping[str, float]]]) -> Figure:
    """Data set -> method -> form of the features -> mean error: one row a method, one mark a form."""
    fig, axs = pl.axes(len(errors), width=8.4, height=4.2)
    for k, (ax, (data, by_method)) in enumerate(zip(np.atleast_1d(axs), errors.items(), strict=True)):
        for row, by_form in enumerate(by_method.values()):
            values = 100 * np.array(list(by_form.values()))
            ax.plot([values.min(), values.max()], [row, row], color=pl.GREY, lw=1, zorder=1)
            for j, (form, value) in enumerate(zip(by_form, values, strict=True)):
                ax.plot(value, row, SHAPES[j], ms=7, color=(pl.COLORS[0], pl.COLORS[1], pl.INK)[j], zorder=4 - j,
                        label=form if row == 0 else None)
        ax.set(title=data, xlabel="test error in %")
        ax.set_xlim(left=0)
        pl.name_rows(ax, list(by_method), shown=k == 0)
    pl.legend(ax, 1)
    return fig


# ---- lines and networks without a margin -----------------------------------------------------------------------------
def lines(X: np.ndarray, y: np.ndarray, machines: Mapping[str, Sequence[Any]]) -> Figure:
    """Linear boundaries, name -> machines: the runs of one method share its colour and its dashes.

    A method with one line has its band shaded.
    """
    fig, ax = pl.axes(width=6.0, height=4.6)
    limits = pl.window(X)
    kinds = ("-", (0, (6, 2)), (0, (1, 1.5)))
    for k, (name, fitted) in enumerate(machines.items()):
        for run, m in enumerate(fitted):
            (w1, w2), b = m.coef_[0], m.intercept_[0]
            if len(fitted) == 1:
                half, across = geometric_margin(m.coef_[0], b, X, y), m.coef_[0] / np.hypot(w1, w2)
                middle, along = -b / np.hypot(w1, w2) * across, 99 * np.array([-across[1], across[0]])
                sides = np.array([[middle + side * half * across + end * along for end in (-side, side)]
                                  for side in (-1, 1)])
                ax.fill(*sides.reshape(4, 2).T, color=(pl.INK, pl.COLORS[0])[k], alpha=0.13, lw=0, zorder=0)
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
    """Seconds printed in 2021 and measured today, name -> (then, today), on a logarithmic axis; NaN is left out."""
    fig, ax = pl.axes(width=6.4, height=0.42 * len(rows) + 1.2)
    for row, (then, today) in enumerate(rows.values()):
        ax.plot([then, today], [row, row], color=pl.GREY, lw=1, zorder=1)
        ax.plot(then, row, "s", ms=7, color=pl.INK, label="printed in 2021" if row == 0 else None)
        ax.plot(today, row, "o", ms=7, color=pl.COLORS[0], label="this page" if row == 0 else None)
    ax.set(xlabel="seconds", xscale="log")
    ax.minorticks_off()
    pl.name_rows(ax, list(rows))
    ax.legend(loc="upper center", bbox_to_anchor=(0.5, -0.3), ncols=2)
    return fig
