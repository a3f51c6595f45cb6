"""Figures of the chapter on handwritten digits: green is the true digit, purple what the machine read instead."""
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.collections import PolyCollection
from matplotlib.figure import Figure
from matplotlib.patches import Rectangle
from sklearn.model_selection import cross_val_score
from sklearn.svm import SVC as SklearnSVC

from svmcourse.shared import plotting as pl
from svmlib.kernels import Gaussian
from svmlib.model_selection import k_folds
from svmlib.svc.multiclass import class_pairs

TRUE, READ = pl.COLORS[:2]
SIDE = 28


def tile(X: np.ndarray, columns: int, gap: int = 3) -> np.ndarray:
    """One picture of many: images (n, 784) row by row in a table with gaps of blank pixels."""
    rows = -(-len(X) // columns)
    cell = SIDE + gap
    sheet = np.zeros((rows * cell + gap, columns * cell + gap))
    for k, image in enumerate(X):
        r, c = gap + k // columns * cell, gap + k % columns * cell
        sheet[r:r + SIDE, c:c + SIDE] = np.reshape(image, (SIDE, SIDE))
    return sheet


def show(ax: Axes, sheet: np.ndarray) -> None:
    """A sheet of digits without axes: ink on whatever paper the page has, which is seen through the blank pixels."""
    ink = np.zeros((*sheet.shape, 4))
    ink[..., 3] = np.clip(sheet, 0, 1)
    ax.imshow(ink, interpolation="nearest")
    ax.set_axis_off()


def one_of_each(X: np.ndarray, y: np.ndarray, rows: int) -> np.ndarray:
    """Indices of the first `rows` images of every digit, arranged so that column k of a table holds digit k."""
    return np.column_stack([np.flatnonzero(y == k)[:rows] for k in range(10)]).ravel()


def samples(X: np.ndarray, y: np.ndarray, rows: int = 4) -> Figure:
    """The first images of each digit, one column a digit."""
    fig, ax = pl.axes(width=7.2, height=round(7.2 * rows / 10, 1))
    show(ax, tile(X[one_of_each(X, y, rows)], columns=10))
    return fig


def before_and_after(before: np.ndarray, after: np.ndarray) -> Figure:
    """Images in one row and what became of them in the row below."""
    fig, ax = pl.axes(width=7.0, height=1.6)
    show(ax, tile(np.vstack([before, after]), columns=len(before)))
    return fig


def misread(X: np.ndarray, truth: np.ndarray, read: np.ndarray, rows: int = 5, columns: int = 12) -> Figure:
    """The first misread images; under each the true digit (green), an arrow, and what was read (purple)."""
    wrong, gap = np.flatnonzero(truth != read)[:rows * columns], 12
    fig, ax = pl.axes(width=9.0 * columns / 12, height=round(9.0 * rows / 12, 1),
                      narrow=lambda: misread(X, truth, read, rows * 2, columns // 2))
    show(ax, tile(X[wrong], columns, gap))
    for k, i in enumerate(wrong):
        x, y = (gap + index * (SIDE + gap) for index in (k % columns, k // columns))
        for shift, text, color in ((5, str(truth[i]), TRUE), (14, "→", pl.GREY), (23, str(read[i]), READ)):
            ax.text(x + shift, y + SIDE + 1, text, color=color, ha="center", va="top", fontsize=11, fontweight="bold",
                    in_layout=False)                              # it stands in the gap below its image
    return fig


def carriers(X: np.ndarray, digits: np.ndarray, alpha: np.ndarray, columns: int = 6) -> Figure:
    """Support vectors as the images that they are; under each its digit and its alpha."""
    gap, rows = 12, -(-len(X) // columns)
    fig, ax = pl.axes(width=1.15 * columns, height=round(1.2 * rows, 1), narrow=lambda: carriers(X, digits, alpha, 4))
    show(ax, tile(X, columns, gap))
    for k, (digit, a) in enumerate(zip(digits, alpha, strict=True)):
        x, y = (gap + index * (SIDE + gap) for index in (k % columns, k // columns))
        ax.text(x + SIDE / 2, y + SIDE + 1, f"{digit}: {a:.1f}", color=pl.INK, ha="center", va="top", fontsize=10.5)
    return fig


def heat(ax: Axes, table: np.ndarray, labels: tuple[Sequence[Any], Sequence[Any]], form: str = "{:.0f}",
         vmax: float | None = None, vmin: float | None = None, cmap: str = "Purples", size: float = 9.0) -> None:
    """A table as coloured cells with their numbers; NaN stays blank."""
    low = np.nanmin(table) if vmin is None else vmin
    high = np.nanmax(table) if vmax is None else vmax
    ax.imshow(table, cmap=cmap, vmin=low, vmax=high, aspect="auto")
    for (r, c), value in np.ndenumerate(table):
        if np.isfinite(value):
            dark = value > low + 0.6 * (high - low)
            ax.text(c, r, form.format(value), ha="center", va="center", fontsize=size, in_layout=False,
                    color="white" if dark else pl.INK)
    ax.set_yticks(range(len(labels[0])), labels[0])
    ax.set_xticks(range(len(labels[1])), labels[1])
    ax.tick_params(length=0, labelcolor=pl.INK)
    ax.spines[:].set_visible(False)


def confusion(matrix: np.ndarray) -> Figure:
    """Confusion matrix: true digit down, read digit across; the colours count the errors, the diagonal is framed."""
    fig, ax = pl.axes(width=6.4, height=5.2)
    errors = np.where(np.eye(len(matrix), dtype=bool), np.nan, matrix.astype(float))
    digits = range(len(matrix))
    heat(ax, errors, (digits, digits), vmin=0)
    for k, count in enumerate(np.diag(matrix)):
        ax.text(k, k, str(count), ha="center", va="center", fontsize=9 if count < 1000 else 7.5, fontweight="bold",
                color=TRUE)
        ax.add_patch(Rectangle((k - 0.46, k - 0.46), 0.92, 0.92, fill=False, ec=TRUE, lw=1.2))
    ax.set(xlabel="read", ylabel="true digit")
    return fig


def pair_tables(wrong: np.ndarray, support: np.ndarray, k: int = 10) -> Figure:
    """Two triangles over the pairs of digits: test errors of each machine in percent, and its support vectors."""
    fig, axs = pl.axes(2, width=9.4, height=4.2)
    for ax, values, title, form in ((axs[0], 100 * wrong, "test errors in %", "{:.1f}"),
                                    (axs[1], support, "support vectors", "{:.0f}")):
        table = np.full((k, k), np.nan)
        for value, (p, q) in zip(values, class_pairs(k), strict=True):
            table[p, q] = value
        heat(ax, table[:-1, 1:], (range(k - 1), range(1, k)), form, vmin=0)
        ax.set(title=title, xlabel="second digit of the pair", ylabel="first digit of the pair")
    return fig


def vote_bars(X: np.ndarray, truth: np.ndarray, counts: np.ndarray) -> Figure:
    """Images with the votes (n, k) that each digit got; true digit green, the winner, where another, purple."""
    across = 3
    blocks = -(-len(X) // across)
    fig, axs = pl.axes(across, 2 * blocks, width=6.3, height=2.4 * blocks, height_ratios=(1.0, 1.2) * blocks,
                       narrow=across)
    for ax in axs.flat[2 * len(X):]:
        ax.set_axis_off()
    for k, (image, t, row) in enumerate(zip(X, truth, counts, strict=True)):
        top, bottom = axs[2 * (k // across):2 * (k // across) + 2, k % across]
        top.imshow(image.reshape(SIDE, SIDE), cmap="Greys", vmin=0, vmax=1)
        top.set_axis_off()
        winner = int(row.argmax())
        colors = [TRUE if d == t else READ if d == winner else "#949494" for d in range(len(row))]
        bottom.bar(range(len(row)), row, color=colors)
        bottom.set(xticks=range(0, len(row), 3), ylim=(0, 9.4), yticks=(0, 3, 6, 9), ylabel="votes")
        bottom.set_title(f"true {t}, read {winner}", fontsize=11)
        bottom.tick_params(labelsize=10)
    return fig


def accuracy_over_gamma(gammas: Sequence[float], table: dict[int, np.ndarray]) -> Figure:
    """Accuracy over gamma for several training sizes: mean and range over seeds, the best mean ringed."""
    fig, ax = pl.axes(width=6.0, height=3.6)
    for (n, values), color, marker in zip(table.items(), (pl.COLORS[2], pl.COLORS[3], pl.INK), "os^", strict=False):
        mean = values.mean(axis=0)
        ax.fill_between(gammas, values.min(axis=0), values.max(axis=0), color=color, alpha=0.18, lw=0)
        ax.plot(gammas, mean, marker=marker, ms=5, color=color, label=f"n = {n:,}")
        ax.plot(gammas[mean.argmax()], mean.max(), "o", ms=13, mfc="none", mec=pl.INK, mew=1.6)
    ax.set(xscale="log", xlabel="γ", ylabel="accuracy")
    ax.set_xticks(gammas, [f"{g:g}" if i == 0 or g > 1.6 * gammas[i - 1] else "" for i, g in enumerate(gammas)])
    ax.minorticks_off()
    ax.legend(loc="lower center", ncols=len(table), bbox_to_anchor=(0.5, 1.0))
    return fig


class Grid:
    """One-vs-one machines at every point of a grid C x gamma, trained on Gram matrices that all C share.

    accuracy (n_C, n_gamma): mean over k_folds(y, 5, rng=0); read[C, gamma] (m,): what is read on fresh images;
    support and largest: number of support vectors and largest alpha.
    """

    def __init__(self, X: np.ndarray, y: np.ndarray, fresh: np.ndarray, C: Sequence[float], gamma: Sequence[float],
                 tol: float = 1e-4) -> None:
        self.n, self.C, self.gamma = len(y), list(C), list(gamma)
        self.accuracy = np.empty((len(self.C), len(self.gamma)))
        self.read, self.support, self.largest = {}, {}, {}
        folds = k_folds(y, 5, rng=0)
        splits = [(np.setdiff1d(np.arange(len(y)), fold), fold) for fold in folds]
        for j, g in enumerate(self.gamma):
            kernel = Gaussian(gamma=g)
            K, K_fresh = kernel(X), kernel(fresh, X)
            for i, c in enumerate(self.C):
                machine = SklearnSVC(kernel="precomputed", C=c, tol=tol)
                self.accuracy[i, j] = cross_val_score(machine, K, y, cv=splits).mean()
                self.read[c, g] = machine.fit(K, y).predict(K_fresh)
                self.support[c, g], self.largest[c, g] = len(machine.support_), np.abs(machine.dual_coef_).max()


def grid_explorer(results: Grid, fresh: np.ndarray, truth: np.ndarray,
                  rows: int = 7) -> Callable[[float, float], tuple[Figure, str]]:
    """A drawing function of (C, gamma) for `explore`: the surface of accuracies, and fresh digits, misread ones framed.

    fresh (m, 784), truth (m,): the images that `results` has read, and what they are.
    """
    shown = one_of_each(fresh, truth, rows)
    sheet = np.round(4 * tile(fresh[shown], columns=10)) / 4       # five greys: half the bytes of a frame

    def draw(C: float, gamma: float) -> tuple[Figure, str]:
        fig, (left, right) = pl.axes(2, width=9.6, height=4.0, width_ratios=(1.0, 1.25))
        i, j, read = results.C.index(C), results.gamma.index(gamma), results.read[C, gamma]
        heat(left, results.accuracy, ([f"{c:g}" for c in results.C], [f"{g:g}" for g in results.gamma]), "{:.2f}",
             cmap="Greens", size=10)
        left.add_patch(Rectangle((j - 0.47, i - 0.47), 0.94, 0.94, fill=False, ec=pl.COLORS[3], lw=3.2))
        left.set(xlabel="γ", ylabel="C", title="cross-validation accuracy")
        show(right, sheet)
        frame_errors(right, truth[shown], read[shown])
        right.set_title("fresh digits, misread ones framed")
        return fig, (f"Accuracy {results.accuracy[i, j]:.3f} in cross-validation, {np.mean(read == truth):.3f} on "
                     f"{len(truth):,} fresh images. Support vectors: {results.support[C, gamma]} of {results.n}. "
                     f"Largest α: {results.largest[C, gamma]:.3g}.")

    return draw


def frame_errors(ax: Axes, truth: np.ndarray, read: np.ndarray, columns: int = 10, gap: int = 3) -> None:
    """Frame the misread images on a sheet made by `tile` and write what was read into their corner."""
    wrong = np.flatnonzero(truth != read)
    corners = gap + (SIDE + gap) * np.column_stack([wrong % columns, wrong // columns])
    square = np.array([[0, 0], [1, 0], [1, 1], [0, 1]])
    frames, labels = corners[:, None] - 1.5 + (SIDE + 2) * square, corners[:, None] + (19.5, 16.5) + (9, 12) * square
    ax.add_collection(PolyCollection(list(frames), facecolors="none", edgecolors=READ, linewidths=2.2), autolim=False)
    ax.add_collection(PolyCollection(list(labels), facecolors=READ, edgecolors="none"), autolim=False)
    for k, (x, y) in zip(wrong, corners, strict=True):
        ax.text(x + SIDE - 4, y + SIDE - 5.5, str(read[k]), ha="center", va="center_baseline", fontsize=8.5,
                color="white", fontweight="bold", in_layout=False)
