"""Figures of chapter 16: the decision, eight methods on real data, what they keep, a rare class, and several starts."""
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import FancyBboxPatch, Rectangle

from svmcourse.shared import plotting as pl
from svmcourse.when_should_i_use_one.contest import compare
from svmlib.baselines import geometric_margin

SVM_COLOR = pl.COLORS[2]
SHAPES = ("o", "s", "^")


# ---- the decision ----------------------------------------------------------------------------------------------------
class Exit(NamedTuple):
    """A question, the method to take if the answer is no, and where the reason stands."""

    question: str
    method: str
    where: str


#: From the top; the answer yes leads to the next question, and at the end to `LAST`.
DECISION = (
    Exit("Is each example a\nlist of numbers?", "an SVM with a kernel\nfor strings or graphs", "chapter 7"),
    Exit("Examples of\nevery class?", "a one-class SVM", "chapter 18"),
    Exit("Fewer than\n100,000 of them?", "a linear SVM,\na deep network", "chapter 17"),
    Exit("Can all features\nshare one scale?", "a forest,\nboosted trees", "section 16.1"),
    Exit("Is an answer without\na probability enough?", "logistic regression", "section 16.5"),
    Exit("Must it be the same\nanswer tomorrow?", "any of the eight,\na network too", "section 16.1"),
)
LAST = (("a line first", "section 16.2"), ("then a Gaussian SVM", "section 16.4"),
        ("weights for a rare class", "section 16.3"))


def decision(narrow: bool = False) -> Figure:
    """Six questions from the top to the bottom; each no ends at the right with a method and where its reason stands."""
    width, step, column, leaf = (3.54, 0.86, 1.62, 1.92) if narrow else (6.29, 0.80, 2.5, 3.35)
    fig, ax = pl.axes(width=width, height=step * len(DECISION) + 1.02, narrow=lambda: decision(narrow=True))
    ax.set(xlim=(0, width), ylim=(step * len(DECISION) + 0.98, -0.04))
    ax.axis("off")
    arrow = {"arrowstyle": "-|>", "color": pl.GREY, "lw": 1.2, "shrinkA": 0, "shrinkB": 0}
    small = 9.0 if narrow else 11.0
    inside: dict[str, Any] = {"va": "center", "in_layout": False, "fontsize": small, "linespacing": 1.15}
    for k, (question, method, where) in enumerate(DECISION):
        middle = step * k + 0.29
        _box(ax, 0.03, middle, column, 0.56, pl.INK, "white")
        ax.text(0.03 + column / 2, middle, question, ha="center", **inside)
        ax.annotate("", (leaf - 0.04, middle), (column + 0.03, middle), arrowprops=arrow)
        ax.text((leaf + column) / 2, middle - 0.09, "no", ha="center", **{**inside, "fontsize": 9})
        ax.annotate("", (column / 2, middle + step - 0.28), (column / 2, middle + 0.28), arrowprops=arrow)
        ax.text(column / 2 + 0.1, middle + step / 2 + 0.01, "yes", **{**inside, "fontsize": 9})
        up = 0.085 * (1 + method.count("\n"))
        ax.text(leaf, middle - 0.09, method, weight="bold", **inside)
        ax.text(leaf, middle + up + 0.03, where, color=pl.GREY, **inside)
    _last(ax, step * len(DECISION) + 0.48, width, narrow, inside)
    return fig


def _last(ax: Axes, middle: float, width: float, narrow: bool, inside: dict[str, Any]) -> None:
    """Where the last yes leads: the methods of `LAST`, each with its section."""
    _box(ax, 0.03, middle, width - 0.06, 0.86, pl.POSITIVE, "#FBE6D6")
    for row, (method, where) in enumerate(LAST):
        y = middle + 0.25 * (row - 1)
        ax.text(0.16, y, method, weight="bold", **inside)
        ax.text(1.92 if narrow else 3.35, y, where, **inside)


def _box(ax: Axes, x: float, middle: float, width: float, height: float, edge: str, face: str) -> None:
    """A box with round corners from x on, about a height."""
    ax.add_patch(FancyBboxPatch((x + 0.06, middle - height / 2 + 0.06), width - 0.12, height - 0.12, ec=edge, fc=face,
                                lw=1.3, boxstyle="round,pad=0.06", zorder=2))


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


def differences(rows: Mapping[str, Sequence[tuple[float, float]]], narrow: bool = False) -> Figure:
    """Method -> (difference, standard error) on each data set: intervals of two standard errors about the differences.

    One that does not reach zero is coloured.
    """
    fig, ax = pl.axes(width=3.54 if narrow else 6.3, height=5.5 if narrow else 4.2,
                      narrow=lambda: differences(rows, narrow=True))
    for row, found in enumerate(rows.values()):
        for k, (d, error) in enumerate(found):
            clear = abs(d) > 2 * error
            color, at = pl.COLORS[1] if clear else pl.INK, row + 0.11 * (k - (len(found) - 1) / 2) + 0.2 * narrow
            ax.plot(100 * (d + np.array([-2, 2]) * error), [at, at], color=color, lw=2.4 if clear else 1.0, zorder=2)
            ax.plot(100 * d, at, "o", ms=6 if clear else 3.6, color=color, zorder=3)
    ax.axvline(0, color=pl.GREY, lw=1, zorder=0)
    ax.set(xlabel="errors in 100 answers," + ("\n" if narrow else " ") + "minus those of the Gaussian SVM")
    if not narrow:
        pl.name_rows(ax, list(rows))
        return fig
    for row, name in enumerate(rows):
        ax.text(0, row - 0.3, name, transform=ax.get_yaxis_transform(), va="center", fontsize=10.5, in_layout=False,
                bbox={"fc": "white", "ec": "none", "pad": 1})
    ax.set(yticks=[], ylim=(len(rows) - 0.35, -0.5))
    ax.spines["left"].set_visible(False)
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


# ---- what is kept ----------------------------------------------------------------------------------------------------
def kept(numbers: Mapping[str, int], narrow: bool = False) -> Figure:
    """Squares side by side, as large in area as there are numbers to keep."""
    sides = {name: np.sqrt(n / max(numbers.values())) for name, n in numbers.items()}
    room = 0.5
    width = sum(max(side, room) for side in sides.values()) + 0.16 * (len(sides) - 1)
    inches = 3.54 if narrow else 6.29
    fig, ax = pl.axes(width=inches, height=inches * 1.16 / width + 0.45, narrow=lambda: kept(numbers, narrow=True))
    left = 0.0
    for name, side in sides.items():
        across = max(side, room)
        ax.add_patch(Rectangle((left + (across - side) / 2, 0), side, side, lw=0,
                               color=SVM_COLOR if "SVM" in name else pl.INK))
        ax.text(left + across / 2, -0.05, f"{numbers[name]:,}", ha="center", va="top", weight="bold", in_layout=False)
        said = name.replace(" SVM", "\nSVM") if narrow else name
        ax.text(left + across / 2, side + 0.04, said, ha="center", va="bottom", in_layout=False,
                fontsize=8.5 if narrow else 11)
        left += across + 0.16
    ax.set(xlim=(0, width), ylim=(-0.2, 1.28), aspect="equal")
    ax.axis("off")
    return fig


# ---- one class is rare -----------------------------------------------------------------------------------------------
def lamps(rows: Mapping[str, np.ndarray], narrow: bool = False) -> Figure:
    """Name -> whether each of the rare is found: a row of lamps, those that are found alight."""
    fig, ax = pl.axes(width=3.54 if narrow else 6.29, height=0.78 * len(rows) + 0.1, narrow=lambda: lamps(rows, True))
    for row, (name, found) in enumerate(rows.items()):
        _shine(ax, np.arange(len(found)), np.full(len(found), 1.9 * row), found)
        ax.text(-0.45, 1.9 * row - 0.68, name, va="bottom", in_layout=False)
    ax.set(xlim=(-0.75, len(found) - 0.25), ylim=(1.9 * len(rows) - 1.1, -1.5))
    ax.axis("off")
    return fig


def _shine(ax: Axes, x: np.ndarray, y: np.ndarray, lit: np.ndarray) -> None:
    """Lamps at places, some of them alight."""
    ax.scatter(x[lit], y[lit], s=300, c="#FBE6D6", lw=0, zorder=2)
    ax.scatter(x[lit], y[lit], s=130, c=pl.POSITIVE, edgecolors=pl.POSITIVE, linewidths=1.4, zorder=3)
    ax.scatter(x[~lit], y[~lit], s=130, c="white", edgecolors=pl.INK, linewidths=1.4, zorder=3)


def rare_explorer(train: Callable[[float, float], Any], A: np.ndarray, a: np.ndarray, B: np.ndarray,
                  b: np.ndarray) -> Callable[[float, float], tuple[Figure, str]]:
    """A function draw(C, weight): what train(C, weight), fitted to A with labels a (1 rare, 0), says of B, labels b.

    Above a lamp for each of the rare, alight if it is found; below a dot for each of the others, coloured if it gives
    a false alarm.
    """
    def draw(C: float, weight: float) -> tuple[Figure, str]:
        m = train(C, weight).fit(A, a)
        said, push = m.predict(B), m[-1].solutions_[0].alpha[a == 1].sum()
        rare, others, n = said[b == 1] == 1, said[b == 0] == 1, np.sum(a == 1)
        alarms = f"{others.sum()} false alarm" + ("" if others.sum() == 1 else "s")
        text = (f"{np.mean(said == b):.0%} of the answers are right: {rare.sum()} of {len(rare)} tumours, {alarms}. "
                f"In training the {n} rare points push with {push:.1f}; they may push with {n * C * weight:.1f}.")
        return said_of_all(rare, others), text

    return draw


def said_of_all(rare: np.ndarray, others: np.ndarray, across: int = 45) -> Figure:
    """Lamps for the rare, dots for the others; what was called rare is coloured."""
    narrow = across < 45
    rows = -(-len(others) // across)
    fig, ax = pl.axes(width=3.54 if narrow else 6.29, height=0.95 + 0.152 * rows,
                      narrow=lambda: said_of_all(rare, others, 24))
    x = np.linspace(0, across - 1, len(rare))
    _shine(ax, x, np.zeros(len(rare)), rare)
    column, row = np.arange(len(others)) % across, np.arange(len(others)) // across
    for some, color, face in ((~others, pl.GREY, "white"), (others, pl.POSITIVE, pl.POSITIVE)):
        ax.scatter(column[some], 4.1 + row[some], s=22, c=face, edgecolors=color, linewidths=0.9, zorder=3)
    for y, name in ((-1.35, f"{len(rare)} malignant"), (3.3, f"{len(others)} benign")):
        ax.text(-0.6, y, name, va="bottom", in_layout=False)
    ax.set(xlim=(-1.2, across + 0.2), ylim=(4.1 + rows, -3.0))
    ax.axis("off")
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


def starts(X: np.ndarray, y: np.ndarray, machines: Mapping[str, Sequence[Any]]) -> Figure:
    """Name -> machines: a row of small pictures for each name, one for each of its machines."""
    def small(ax: Axes, m: Any) -> None:
        pl.boundary(ax, m.decision_function, pl.window(X), margins=False, resolution=121)
        pl.points(ax, X, y, size=9)
        ax.set(xticks=[], yticks=[])
        ax.spines[:].set_visible(False)

    def narrow() -> Figure:
        fig, axs = pl.axes(len(machines), rows=len(next(iter(machines.values()))), width=3.54, height=6.6)
        for column, (name, fitted) in zip(axs.T, machines.items(), strict=True):
            column[0].set_title(name)
            for ax, m in zip(column, fitted, strict=True):
                small(ax, m)
        return fig

    fig, axs = pl.axes(len(next(iter(machines.values()))), rows=len(machines), width=6.29, height=3.0, narrow=narrow)
    for row, (name, fitted) in zip(axs, machines.items(), strict=True):
        row[0].set_ylabel(name)
        for ax, m in zip(row, fitted, strict=True):
            small(ax, m)
    return fig


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
