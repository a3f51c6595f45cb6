"""Figures of chapter 12: who holds a band, promises beside the truth, shattered points, bounds, rules side by side."""
from collections.abc import Callable, Mapping, Sequence

import numpy as np
from matplotlib.axes import Axes
from matplotlib.colors import to_rgb
from matplotlib.figure import Figure

from svmcourse.shared import plotting as pl
from svmlib import SVC
from svmlib.bounds import margin_bound
from svmlib.kernels import Linear

SIDE, FAINT = 28, 0.2       # pixels of an image, and how much is seen of one that holds nothing
HELD, WRONG = pl.COLORS[0], pl.COLORS[1]


def _sheet(ax: Axes, X: np.ndarray, columns: int, ink: np.ndarray, strength: np.ndarray) -> None:
    """Images (n, 784) in rows, each in its ink (n, 3) and as strong (n,) as it is, on whatever paper the page has."""
    rows, cell = -(-len(X) // columns), SIDE + 2
    sheet = np.zeros((rows * cell, columns * cell, 4))
    for k, image in enumerate(X):
        r, c = k // columns * cell, k % columns * cell
        sheet[r:r + SIDE, c:c + SIDE, :3] = ink[k]
        sheet[r:r + SIDE, c:c + SIDE, 3] = strength[k] * np.clip(image.reshape(SIDE, SIDE), 0, 1)
    ax.imshow(sheet, interpolation="nearest")
    ax.set_axis_off()


def two_machines(X: np.ndarray, holds: Mapping[str, np.ndarray], columns: int = 12) -> Figure:
    """The same images once for each machine, strong where they hold (n,) its band and faint where they do not."""
    fig, axs = pl.axes(len(holds), width=9.0, height=2.5)
    for ax, (name, held) in zip(axs, holds.items(), strict=True):
        _sheet(ax, X, columns, np.zeros((len(X), 3)), np.where(held[:len(X)], 1.0, FAINT))
        ax.set_title(name)
    return fig


def coin_explorer(X: np.ndarray, labels: Mapping[float, np.ndarray], holds: Mapping[float, np.ndarray],
                  errors: Mapping[float, np.ndarray], columns: int = 10) -> Callable[[float], tuple[Figure, str]]:
    """A function draw(share): images in the colours of their labels, and beside them who holds, and the fresh error.

    All by the share of labels that were tossed: labels (n,) and holds (draws, n) whether a point holds the band, of
    which the first draw is shown; errors (draws,) on fresh points.
    """
    shares = 100 * np.array(list(holds))
    means = {"hold the band": np.array([100 * held.mean() for held in holds.values()]),
             "fresh ones misread": np.array([100 * e.mean() for e in errors.values()])}

    def draw(share: float) -> tuple[Figure, str]:
        fig, (left, right) = pl.axes(2, width=9.0, height=3.6, width_ratios=[1.25, 1])
        shown, held = len(X), holds[share][0]
        ink = np.where((labels[share][:shown] > 0)[:, None], to_rgb(pl.POSITIVE), to_rgb(pl.NEGATIVE))
        _sheet(left, X, columns, ink, np.where(held[:shown], 1.0, FAINT))
        for (name, values), color, marker in zip(means.items(), (HELD, WRONG), "os", strict=True):
            right.plot(shares, values, color=color, marker=marker, ms=4.5)
            right.plot(100 * share, values[list(holds).index(share)], marker, ms=11, color=color)
            at, (dx, dy), side = (-1, (0, -11), "top") if color == HELD else (-3, (-6, 4), "bottom")
            right.annotate(name, (shares[at], values[at]), xytext=(dx, dy), textcoords="offset points", ha="right",
                           va=side, color=color)
        right.plot(shares, 0 * shares, color=pl.GREY, lw=1.4, ls="--")
        right.annotate("training errors", (100, 0), xytext=(0, 3), textcoords="offset points", ha="right", va="bottom",
                       color=pl.GREY)
        right.set(xlabel="labels by coin, in %", ylabel="in %", ylim=(-4, 104))
        return fig, (f"Training errors: 0 of {len(held)}. {held.sum()} of {len(held)} digits hold the band, and "
                     f"{100 * errors[share][0]:.0f} % of the fresh ones are misread.")

    return draw


def promises(pairs: Sequence[tuple[int, int]], found: np.ndarray, named: int = 3) -> Figure:
    """One dot a pair of digits: what its machine promises and how often it errs, (n, 2); the largest are named."""
    fig, ax = pl.axes(width=6.3, height=4.6)
    promise, truth = 100 * found.T
    most = 1.08 * promise.max()
    ax.plot([0, most], [0, most], color=pl.INK, lw=1.4)
    ax.fill_between([0, most], [0, most], [most, most], color=pl.GREY, alpha=0.13, lw=0)
    ax.text(0.3 * most, 0.72 * most, "a broken promise\nwould lie up here", ha="center", color=pl.INK)
    ax.plot(promise, truth, "o", color=HELD, ms=6, mec="white", mew=0.7)
    shown = np.unique(np.r_[np.argsort(-truth)[:named], promise.argmax(), promise.argmin()])
    dots = np.column_stack([promise, truth])
    pl.label_points(ax, [f"{a} or {b}" for a, b in np.array(pairs)[shown]], dots[shown], dots, (0, most, 0, most))
    ax.set(xlabel="promised: points that hold the band, in % of 501", ylabel="true: errors on fresh digits, in %",
           xlim=(0, most), ylim=(0, most))
    return fig


def kept(pairs: np.ndarray, tossed: np.ndarray, named: Mapping[str, tuple[float, float]]) -> Figure:
    """What machines promise and how often they err, (n, 2) each: of pairs, by the share of tossed labels, by name."""
    fig, ax = pl.axes(width=6.3, height=4.2)
    ax.plot([0, 100], [0, 100], color=pl.INK, lw=1.4)
    ax.fill_between([0, 100], [0, 100], [100, 100], color=pl.GREY, alpha=0.13, lw=0)
    ax.text(30, 66, "a broken promise\nwould lie up here", ha="center", color=pl.INK)
    ax.plot(*100 * tossed.T, "s-", color=WRONG, ms=6, lw=1.2, label="labels by coin, more and more")
    ax.plot(*100 * pairs.T, "o", color=HELD, ms=5, mec="white", mew=0.6, label="pairs of digits")
    for name, at in named.items():
        ax.plot(*100 * np.array(at), "D", color=pl.INK, ms=7)
        beside = {"xytext": (-2, 10), "ha": "left"} if at[0] < 0.5 else {"xytext": (-10, 0), "ha": "right"}
        ax.annotate(name, 100 * np.array(at), textcoords="offset points", va="center", color=pl.INK, **beside)
    ax.set(xlabel="promised: hold the band, in %", ylabel="true: errors on fresh digits, in %",
           xlim=(0, 102), ylim=(-1.5, 80))
    pl.legend(ax, 2)
    return fig


def shattered(half: float) -> Figure:
    """Three points that lines can label at will, four that they cannot, and three that a fat band cannot.

    half: half the width of the fat band, for three points at equal distances on a circle of radius 1.
    """
    fig, axs = pl.axes(3, width=9.0, height=3.3, narrow=1)
    angles = np.pi / 2 + 2 * np.pi * np.arange(3) / 3
    three = np.column_stack([np.cos(angles), np.sin(angles)])
    four = np.array([[-0.75, -0.75], [0.75, 0.75], [-0.75, 0.75], [0.75, -0.75]])
    for alone in range(3):
        sign = np.where(np.arange(3) == alone, 1.0, -1.0)
        clf = SVC(Linear(), C=np.inf, tol=1e-8).fit(three, sign)
        _line(axs[0], clf.coef_[0], clf.intercept_[0], pl.INK)
    _line(axs[0], np.array([0.0, 1.0]), 1.15, pl.INK)                       # all three on one side
    axs[0].scatter(*three.T, s=90, c=pl.GREY, zorder=3)
    pl.points(axs[1], four, np.array([-1, -1, 1, 1]), size=90)
    for ends, color in ((four[:2], pl.NEGATIVE), (four[2:], pl.POSITIVE)):
        axs[1].plot(*ends.T, color=color, lw=1.2, ls=":")
    clf = SVC(Linear(), C=np.inf, tol=1e-8).fit(three, [1, -1, -1])
    pl.band(axs[2], clf.coef_[0], clf.intercept_[0], half, pl.COLORS[2])
    pl.points(axs[2], three, np.array([1, -1, -1]), size=90)
    middle = -clf.intercept_[0] / clf.coef_[0][1]
    for x, low, high, color in ((0.0, three[1, 1], three[0, 1], pl.INK),
                                (1.25, middle - half, middle + half, pl.COLORS[2])):
        axs[2].annotate("", (x, low), (x, high), arrowprops={"arrowstyle": "<->", "color": color, "shrinkA": 0,
                                                             "shrinkB": 0})
        axs[2].text(x - 0.08, middle + 0.2, f"{high - low:.1f}", color=color, ha="right")
    titles = "three points: any labels", "four points: not these", "a fat band: not even three"
    for ax, title in zip(axs, titles, strict=True):
        ax.set(title=title, xlim=(-1.45, 1.45), ylim=(-1.35, 1.35), xticks=[], yticks=[], aspect="equal")
        ax.spines[:].set_visible(False)
    return fig


def _line(ax: Axes, w: np.ndarray, b: float, color: str) -> None:
    """The line w'x + b = 0, right across."""
    foot, along = -b * w / (w @ w), np.array([-w[1], w[0]]) / np.linalg.norm(w)
    ax.plot(*np.array([foot - 9 * along, foot + 9 * along]).T, color=color, lw=1.4, zorder=1)


def before_the_exchange(X: np.ndarray, y: np.ndarray, C: float, limits: tuple[float, float, float, float]) -> Figure:
    """The linear machine of points that overlap, before anybody has exchanged one of them."""
    fig, ax = pl.axes(width=5.4, height=4.6)
    pl.machine(SVC(Linear(), C=C, tol=1e-6).fit(X, y), X, y, ax, limits)
    return fig


def sample_margins(ms: Sequence[int], margins: Mapping[str, np.ndarray], gamma: float) -> Figure:
    """Half widths of the widest band (draws, n_m) over m for several kinds of labels, beside 1 / sqrt(m) and gamma."""
    fig, ax = pl.axes(width=6.4, height=3.9)
    ax.plot(ms, 1 / np.sqrt(ms), color=pl.GREY, lw=1.2, ls="--", label="1 / √m")
    ax.axhline(gamma, color=pl.GREY, lw=1.2, ls=":", label="γ")
    for (name, values), color, marker in zip(margins.items(), (pl.COLORS[0], pl.COLORS[1]), "so", strict=False):
        ax.plot(ms, values.mean(axis=0), color=color, marker=marker, ms=6, label=name)
        ax.vlines(ms, values.min(axis=0), values.max(axis=0), color=color, lw=1.4)
    ax.set(xscale="log", yscale="log", xlabel="training points m", ylabel="margin of the sample", xticks=ms,
           xticklabels=[str(m) for m in ms])
    ax.set_yticks([0.03, 0.1, 0.3], ["0.03", "0.1", "0.3"])
    ax.minorticks_off()
    pl.legend(ax)
    return fig


def bound_explorer(errors: Mapping[tuple[float, int], np.ndarray], ms: Sequence[int],
                   delta: float = 0.05) -> Callable[[float, int], tuple[Figure, str]]:
    """A function draw(gamma, d): errors (draws, n_m) of the hard rule, beside both bounds for rho = 1."""
    def draw(gamma: float, d: int) -> tuple[Figure, str]:
        fig, ax = pl.axes(width=6.4, height=3.9)
        values = errors[gamma, d]
        bound = np.asarray(margin_bound(gamma, 1.0, np.asarray(ms), delta))
        with_bias = (4 / gamma + np.sqrt(np.log(1 / delta) / 2)) / np.sqrt(np.asarray(ms))
        ax.plot(ms, with_bias, color=pl.INK, lw=1.4, ls="--", label="bound, with a bias")
        ax.plot(ms, bound, color=pl.INK, lw=1.8, label="bound, without a bias")
        ax.fill_between([ms[0], ms[-1]], 1.0, 20.0, color=pl.GREY, alpha=0.15, lw=0)
        ax.text(ms[-1], 11.0, "above 1 a bound says nothing ", ha="right", color=pl.INK, fontsize=9.5)
        ax.plot(ms, values.T, "o", ms=4, color=pl.COLORS[0], alpha=0.5)
        ax.plot(ms, values.mean(axis=0), color=pl.COLORS[0], marker="s", label="measured, mean and draws")
        ax.set(xscale="log", ylim=(-0.004, 20), xlabel="training points m", ylabel="error",
               xticks=ms, xticklabels=[str(m) for m in ms])
        ax.set_yscale("symlog", linthresh=0.01)
        ax.set_yticks([0, 0.01, 0.1, 1, 10], ["0", "0.01", "0.1", "1", "10"])
        ax.minorticks_off()
        pl.legend(ax)
        text = (f"At m = {ms[-1]}: measured error {values[:, -1].mean():.3f}, bounds {bound[-1]:.2f} and "
                f"{with_bias[-1]:.2f}. They do not know d.")
        return fig, text

    return draw


def hinge_bounds(ms: Sequence[int], measured: Mapping[str, np.ndarray], bounds: Mapping[str, np.ndarray]) -> Figure:
    """Mean hinge loss (draws, n_m) of the soft rule over m, a panel each, below the bound of the theorem."""
    fig, panels = pl.axes(len(measured), width=4.2 * len(measured), height=3.6, sharey=True)
    for ax, (name, values) in zip(panels, measured.items(), strict=True):
        mean, half = values.mean(axis=0), 1.96 * values.std(axis=0, ddof=1) / len(values) ** 0.5
        ax.errorbar(ms, mean, half, color=pl.COLORS[0], marker="s", ms=4.5, capsize=3, label="measured")
        ax.plot(ms, bounds[name], color=pl.INK, marker="^", ms=4.5, label="bound")
        ax.set(xscale="log", xlabel="training points m", title=name, xticks=ms, xticklabels=[str(m) for m in ms])
        ax.minorticks_off()
    panels[0].set_ylim(0, 1.05 * max(values.max() for values in bounds.values()))
    panels[0].set_ylabel("expected hinge loss")
    pl.legend(panels[0])
    return fig


def rules(errors: Mapping[str, Mapping[str, np.ndarray]]) -> Figure:
    """Errors over draws, distribution -> rule -> array, as means with the range of the draws."""
    fig, panels = pl.axes(len(errors), width=2.35 * len(errors), height=3.0)
    for ax, (name, by_rule) in zip(panels, errors.items(), strict=True):
        for row, values in enumerate(by_rule.values()):
            color = pl.COLORS[0] if row == 0 else pl.GREY
            ax.plot([values.min(), values.max()], [row, row], color=color, lw=1.4, clip_on=False)
            ax.plot(values.mean(), row, "o", ms=7, color=color, clip_on=False)
        ax.set(title=name.replace("exponentials", "exponen-\ntials"), xlabel="error")
        pl.name_rows(ax, list(by_rule), shown=ax is panels[0])
        most = ax.get_xlim()[1]
        unit = 10 ** np.floor(np.log10(most))
        last = float(unit * (most // unit))
        ax.set_xticks([0, last], ["0", f"{last:.2g}"])
        ax.set_xticks([last / 2], minor=True)
        ax.set_xlim(min(0.0, ax.get_xlim()[0]), most)
    return fig
