"""Figures of the chapter on strings: words joined by their common parts, tables that fill entry by entry, languages."""
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from itertools import combinations, product
from typing import Any

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import Rectangle

from svmcourse.shared import plotting as pl
from svmlib.kernels.strings import StringKernel, Substring

HEAD = -1.35               # where the names of the columns of parts stand, above the first of them

Pair = tuple[tuple[int, ...], tuple[int, ...]]


# ---- tables and the parts behind their entries -------------------------------------------------------------
def prefixes(s: str) -> list[str]:
    """All prefixes of s, from the empty one to s.

    >>> Substring()(prefixes("BE"), prefixes("EB"))
    array([[1., 1., 1.],
           [1., 1., 2.],
           [1., 2., 3.]])
    """
    return [s[:i] for i in range(len(s) + 1)]


def common_suffixes(s: str, t: str) -> np.ndarray:
    """Table K_0 (m + 1, n + 1) of Example 16.13, the number of common suffixes of all prefixes of s and t.

    >>> common_suffixes("BE", "BEE")
    array([[1., 1., 1., 1.],
           [1., 2., 1., 1.],
           [1., 1., 3., 2.]])
    """
    K0 = np.ones((len(s) + 1, len(t) + 1))
    for (i, a), (j, b) in product(enumerate(s), enumerate(t)):
        if a == b:
            K0[i + 1, j + 1] = 1 + K0[i, j]
    return K0


def pairs(s: str, t: str, gaps: bool = True) -> list[Pair]:
    """All pairs (I, J) of index sets with s_I = t_J, positions from 1, shortest first; without gaps, substrings only.

    >>> pairs("BE", "EB")
    [((), ()), ((1,), (2,)), ((2,), (1,))]
    """
    def sets(word: str) -> list[tuple[int, ...]]:
        every = [I for p in range(len(word) + 1) for I in combinations(range(1, len(word) + 1), p)]
        return [I for I in every if gaps or not I or I[-1] - I[0] < len(I)]

    return [(I, J) for I in sets(s) for J in sets(t) if [s[i - 1] for i in I] == [t[j - 1] for j in J]]


def table_explorer(kernel: StringKernel, s: str, t: str) -> Callable[[int], tuple[Figure, str]]:
    """A function draw(entry) of the tables filled up to one entry, row by row from 1, and the parts counted there.

    The entry is outlined in the colour of class +1, the entries that the recursion adds up in that of class -1.
    """
    K, gaps = kernel(prefixes(s), prefixes(t)), not isinstance(kernel, Substring)
    columns, most = len(t) + 1, len(_found(s, t, gaps))
    grids = [("$K$", K)] if gaps else [("$K_0$", common_suffixes(s, t)), ("$K$", K)]

    def fill(axes: Sequence[Axes], i: int, j: int) -> int:
        """Draw the tables and the parts into these axes; returns the number of pairs."""
        used = _used(s, t, i, j)
        for ax, (name, values) in zip(axes, grids, strict=False):
            _grid(ax, name, values, s, t, (i, j), used.get(name, set()))
        return _parts(axes[-1], _found(s[:i], t[:j], gaps), most)

    def small(i: int, j: int) -> Figure:
        """The same on a phone: tables beside each other, the parts below them."""
        fig, axes = plt.subplot_mosaic([list(range(len(grids))), [-1] * len(grids)], figsize=(6.0, 6.4))
        fill(list(axes.values()), i, j)
        return fig

    def draw(entry: int) -> tuple[Figure, str]:
        i, j = divmod(entry - 1, columns)
        fig, axes = pl.axes(len(grids) + 1, width=3.1 * len(grids) + 3.4, height=2.9, narrow=lambda: small(i, j),
                            gridspec_kw={"width_ratios": [1.0] * len(grids) + [1.05]})
        count = fill(axes, i, j)
        row, column = s[:i] or "ε", t[:j] or "ε"
        return fig, f"K({row}, {column}) = {K[i, j]:g}: {count} pairs of index sets pick the same letters."

    def _used(s: str, t: str, i: int, j: int) -> dict[str, set[tuple[int, int]]]:
        """The entries that the recursion reads for (i, j), by table."""
        if i == 0 or j == 0:
            return {}
        matches = {(k - 1, j - 1) for k in range(1, i + 1) if s[k - 1] == t[j - 1]}
        return {"$K$": {(i, j - 1)} | matches} if gaps else {"$K$": {(i, j - 1)}, "$K_0$": matches}

    return draw


def _grid(ax: Axes, name: str, values: np.ndarray, s: str, t: str, at: tuple[int, int],
          summands: set[tuple[int, int]]) -> None:
    """One table over the prefixes of s and t, named by their last letters, empty after the entry `at`."""
    rows, columns = values.shape
    ax.set(xlim=(-1.6, columns - 0.4), ylim=(rows - 0.4, -1.1))
    ax.axis("off")
    # All texts are inside of the panel: layout need not measure them.
    inside: dict[str, Any] = {"ha": "center", "va": "center", "in_layout": False}
    ax.text(-1.0, -0.75, name, weight="bold", **inside)
    for j, letter in enumerate("ε" + t):
        ax.text(j, -0.75, letter, color=pl.GREY, **inside)
    for i, letter in enumerate("ε" + s):
        ax.text(-1.0, i, letter, color=pl.GREY, **inside)
    for i in range(rows):
        for j in range(columns):
            if (i, j) > at:
                continue
            current, summand = (i, j) == at, (i, j) in summands
            if current or summand:
                ax.add_patch(_cell(j, i, pl.POSITIVE if current else pl.NEGATIVE))
            ax.text(j, i, f"{values[i, j]:g}", weight="bold" if current else "normal", **inside)


def _cell(x: float, y: float, color: str) -> Rectangle:
    """The frame of one entry."""
    return Rectangle((x - 0.42, y - 0.42), 0.84, 0.84, fill=False, lw=1.8, ec=color)


def _found(s: str, t: str, gaps: bool) -> dict[str, list[str]]:
    """The common parts of two prefixes, each with its places in both."""
    found: dict[str, list[str]] = {}
    for I, J in pairs(s, t, gaps):
        part = "".join(s[i - 1] for i in I) or "ε"
        found.setdefault(part, []).append(f"{_digits(I)}|{_digits(J)}")
    return found


def _parts(ax: Axes, found: Mapping[str, Sequence[str]], most: int) -> int:
    """List common parts with their places, with room for the most there can be; returns the number of pairs."""
    ax.axis("off")
    ax.set(xlim=(0, 1), ylim=(most - 0.3, HEAD - 0.5))
    ax.text(0.0, HEAD, "part", color=pl.GREY, va="center")
    ax.text(0.24, HEAD, "positions in rows | columns", color=pl.GREY, va="center")
    for line, (part, places) in enumerate(found.items()):
        ax.text(0.0, line, part, va="center", weight="bold", in_layout=False)
        ax.text(0.24, line, "   ".join(places), va="center", in_layout=False)
    return sum(map(len, found.values()))


def _digits(I: tuple[int, ...]) -> str:
    """An index set as digits."""
    return "".join(map(str, I)) or "∅"


def joined(s: str, t: str, which: Sequence[Pair], columns: int) -> Figure:
    """Two words above each other, once for each pair of index sets, with lines between the letters that it picks.

    A phone shows them in the same order, three to a row.
    """
    rows = -(-len(which) // columns)
    fig, axs = pl.axes(columns, rows, width=1.45 * columns, height=1.25 * rows,
                       narrow=columns if columns <= 3 else lambda: joined(s, t, which, 3))
    for ax, pair in zip(np.ravel(axs), which, strict=False):
        _join(ax, s, t, pair)
    for ax in np.ravel(axs)[len(which):]:
        ax.axis("off")
    return fig


def _join(ax: Axes, s: str, t: str, pair: Pair) -> None:
    longer = max(len(s), len(t))
    for word, picked, height in ((s, pair[0], 1.0), (t, pair[1], 0.0)):
        start = (longer - len(word)) / 2
        for i, letter in enumerate(word, start=1):
            ax.text(start + i, height, letter, ha="center", va="center",
                    color=pl.POSITIVE if i in picked else pl.GREY, weight="bold" if i in picked else "normal")
    for i, j in zip(*pair, strict=True):
        ax.plot([(longer - len(s)) / 2 + i, (longer - len(t)) / 2 + j], [0.8, 0.2], color=pl.POSITIVE, lw=1.8)
    ax.set(xlim=(0.3, longer + 0.7), ylim=(-0.35, 1.35))
    ax.axis("off")


# ---- the languages -------------------------------------------------------------------------------------------
def decays(lams: Sequence[float], ahead: np.ndarray, others: Mapping[str, np.ndarray]) -> Figure:
    """Accuracy less that of substrings (draws, lams) over the decay: mean and range; others as levels."""
    fig, ax = pl.axes(width=6.0, height=3.6)
    ax.axhline(0, color=pl.INK, lw=1.2)
    ax.plot(lams, 100 * ahead.mean(axis=0), marker="o", color=pl.COLORS[0])
    ax.fill_between(lams, 100 * ahead.min(axis=0), 100 * ahead.max(axis=0), color=pl.COLORS[0], alpha=0.2, lw=0)
    for k, values in enumerate(others.values()):
        ax.axhline(100 * values.mean(), color=pl.INK, lw=1.2, ls=(":", "--", "-.", "-")[k % 4])
    for name, level in {"substrings": 0.0, **{name: 100 * values.mean() for name, values in others.items()}}.items():
        ax.annotate(name, (1.0, level), xytext=(4, 0), textcoords="offset points", va="center", fontsize=9.5,
                    annotation_clip=False)
    ax.set(xlabel="decay λ", ylabel="percentage points ahead", xlim=(0, 1))
    return fig


def accuracies(confusion: np.ndarray, names: Sequence[str]) -> Figure:
    """A confusion matrix of counts (k, k), true language by rows."""
    fig, ax = pl.axes(width=4.6, height=3.7)
    share = confusion / confusion.sum(axis=1, keepdims=True)
    ax.imshow(share, cmap="Blues", vmin=0, vmax=1)
    for (i, j), count in np.ndenumerate(confusion):
        ax.text(j, i, f"{count:.0f}", ha="center", va="center", color="white" if share[i, j] > 0.5 else pl.INK)
    ax.set(xticks=range(len(names)), yticks=range(len(names)), xticklabels=names, yticklabels=names,
           xlabel="predicted", ylabel="true")
    ax.spines[:].set_visible(False)
    ax.tick_params(length=0)
    return fig


def weights(values: Mapping[str, float], most: int = 10, names: tuple[str, str] = ("−1", "+1")) -> Figure:
    """The parts with the largest weights of a linear machine over parts, of either sign; ␣ stands for a space."""
    ranked = Counter(values).most_common()
    chosen = ranked[:most] + ranked[-most:]
    return _bars(chosen, names, 4.6, lambda: _bars(chosen, names, 7.4, 1))


def _bars(chosen: Sequence[tuple[str, float]], names: tuple[str, str], height: float,
          narrow: int | Callable[[], Figure]) -> Figure:
    """A bar for each part, its name on the other side of zero."""
    widest = max(abs(value) for _, value in chosen)
    fig, ax = pl.axes(width=6.0, height=height, narrow=narrow)
    for row, (part, value) in enumerate(chosen):
        ax.barh(row, value, color=pl.POSITIVE if value > 0 else pl.NEGATIVE, height=0.72)
        ax.text(-0.02 * np.sign(value) * widest, row, part.replace(" ", "␣"), va="center",
                ha="right" if value > 0 else "left", family="DejaVu Sans Mono", fontsize=9.5)
    ax.axvline(0, color=pl.INK, lw=1)
    for name, side, shift in ((f"← {names[0]}", "right", -8), (f"{names[1]} →", "left", 8)):
        ax.annotate(name, (0, 1), xycoords=("data", "axes fraction"), xytext=(shift, 4), textcoords="offset points",
                    ha=side, va="bottom")
    ax.set(yticks=[], xlabel="weight")
    ax.invert_yaxis()
    ax.spines["left"].set_visible(False)
    return fig
