"""Figures of chapter 12: bounds against measured errors, and rules against each other on several distributions."""
from collections.abc import Callable, Mapping, Sequence

import numpy as np
from matplotlib.figure import Figure

from svmcourse.shared import plotting as pl
from svmlib.bounds import margin_bound


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
