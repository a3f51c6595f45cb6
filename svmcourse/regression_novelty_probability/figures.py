"""Figures of chapter 18: the tube of a regression, the region of one class, and what probabilities are worth."""
from collections.abc import Callable, Mapping, Sequence

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from svmcourse.shared import plotting as pl
from svmlib import SVR, OneClassSVM
from svmlib.kernels import Kernel


def scatter(ax: Axes, X: np.ndarray, y: np.ndarray, support: Sequence[int] | np.ndarray = (),
            free: Sequence[int] | np.ndarray = ()) -> None:
    """Points (x, y) of a regression; thin rings on support vectors, thick ones on those with 0 < |beta| < C."""
    ax.plot(X[:, 0], y, "o", ms=4.5, color=pl.GREY, mec="white", mew=0.5, zorder=3)
    pl.mark(ax, np.column_stack([X[:, 0], y]), support, free)
    ax.set(xlabel="$x$", ylabel="$y$")


def tube(machine: SVR, X: np.ndarray, y: np.ndarray, ax: Axes | None = None) -> Figure | None:
    """The function of a fitted SVR in one variable, its tube, and who holds it in place."""
    fig, ax = pl.axes(width=6.4, height=3.9) if ax is None else (None, ax)
    z = np.linspace(X.min() - 0.2, X.max() + 0.2, 401)
    f = machine.predict(z[:, None])
    for sign in (-1, 1):
        ax.plot(z, f + sign * machine.epsilon, "--", color=pl.INK, lw=1.1)
    ax.fill_between(z, f - machine.epsilon, f + machine.epsilon, color=pl.GREY, alpha=0.13, lw=0)
    ax.plot(z, f, color=pl.INK)
    beta = np.zeros(len(X))
    beta[machine.support_] = machine.dual_coef_[0]
    free = np.flatnonzero((beta != 0) & (np.abs(beta) < machine.C * (1 - 1e-8)))
    scatter(ax, X, y, machine.support_, free)
    return fig


def region(ax: Axes, machine: OneClassSVM, X: np.ndarray, limits: tuple[float, float, float, float]) -> None:
    """Where f >= 0, with its edge, the training points and their rings."""
    x0, x1, y0, y1 = limits
    u, v = np.meshgrid(np.linspace(x0, x1, 161), np.linspace(y0, y1, 161))
    f = machine.decision_function(np.column_stack([u.ravel(), v.ravel()])).reshape(u.shape)
    ax.contourf(u, v, f, levels=[0.0, np.inf], colors=["#DCEAF4"], zorder=0)
    ax.contour(u, v, f, levels=[0.0], colors=pl.INK, linewidths=1.6, zorder=2)
    out = machine.decision_function(X) < -1e-6
    ax.plot(*X[~out].T, "o", ms=4.5, color=pl.GREY, mec="white", mew=0.5, zorder=3)
    ax.plot(*X[out].T, "X", ms=6.5, color=pl.COLORS[1], mec="white", mew=0.5, zorder=3)
    pl.mark(ax, X, machine.support_, machine.solution_.free)
    ax.set(xlabel="$x_1$", ylabel="$x_2$", aspect="equal", xlim=(x0, x1), ylim=(y0, y1))


def region_explorer(X: np.ndarray, kernel: Kernel) -> Callable[[float], tuple[Figure, str]]:
    """A function draw(nu) of the region of a one-class machine, with the two shares that nu bounds."""
    limits = pl.window(X, 0.15)

    def draw(nu: float) -> tuple[Figure, str]:
        machine = OneClassSVM(kernel, nu=nu, tol=1e-8).fit(X)
        fig, ax = pl.axes(width=5.4, height=4.6)
        region(ax, machine, X, limits)
        out = np.mean(machine.decision_function(X) < -1e-6)
        return fig, f"Outside: {out:.1%}. ν: {nu:.0%}. Support vectors: {len(machine.support_) / len(X):.1%}."

    return draw


def nu_property(nus: Sequence[float], shares: Mapping[str, Mapping[str, np.ndarray]]) -> Figure:
    """Shares over nu, a panel a distribution: name -> "support vectors", "outside" … -> values (n_nu, draws)."""
    fig, panels = pl.axes(len(shares), width=4.3 * len(shares), height=3.7, sharey=True)
    styles = {"support vectors": (pl.COLORS[0], "s"), "outside": (pl.COLORS[1], "X"),
              "fresh points outside": (pl.COLORS[2], "o")}
    for ax, (name, by_kind) in zip(panels, shares.items(), strict=True):
        ax.plot(nus, nus, color=pl.INK, lw=1.2, label="ν")
        for shift, (kind, values) in zip((-0.006, 0.0, 0.006), by_kind.items(), strict=True):
            color, marker = styles[kind]
            at = np.asarray(nus) + shift                                     # side by side, not on top of each other
            ax.plot(at, values.mean(axis=1), marker, ms=5.5, color=color, label=kind)
            ax.vlines(at, values.min(axis=1), values.max(axis=1), color=color, lw=1.4, alpha=0.7)
        ax.set(xlabel="ν", title=name)
    panels[0].set_ylabel("share of points")
    fig.legend(*panels[0].get_legend_handles_labels(), loc="outside lower center", ncols=4)
    return fig


def signed_values(values: Mapping[str, np.ndarray], bins: int = 40) -> Figure:
    """How y f is spread: name -> y_i f(x_i) (m,), a histogram each, on one axis; below 0 a point is misread."""
    fig, ax = pl.axes(width=6.4, height=3.4)
    everything = np.concatenate(list(values.values()))
    edges = np.linspace(everything.min(), everything.max(), bins + 1)
    for (name, v), color in zip(values.items(), (pl.COLORS[1], pl.COLORS[2]), strict=False):
        ax.hist(v, edges, weights=np.full(len(v), 1 / len(v)), color=color, alpha=0.25)
        ax.hist(v, edges, weights=np.full(len(v), 1 / len(v)), color=color, histtype="step", lw=1.8, label=name)
    ax.axvline(0, color=pl.INK, lw=1.2, ls="--")
    ax.set(xlabel="$y\\,f(x)$: right side of the boundary if positive", ylabel="share of the points")
    pl.legend(ax)
    return fig


def reliability(curves: Mapping[str, tuple[np.ndarray, np.ndarray]], bins: int = 10) -> Figure:
    """How often class +1 comes true over what was claimed: name -> (probabilities (m,), labels in {-1, +1} (m,))."""
    fig, ax = pl.axes(width=5.4, height=4.3)
    ax.plot([0, 1], [0, 1], color=pl.INK, lw=1.2)
    edges = np.linspace(0, 1, bins + 1)
    for color, marker, (name, (p, y)) in zip(pl.COLORS, "^Xo", curves.items(),
                                             strict=False):
        which = np.clip(np.digitize(p, edges) - 1, 0, bins - 1)
        kept = [b for b in range(bins) if np.sum(which == b) >= 20]
        ax.plot([p[which == b].mean() for b in kept], [np.mean(y[which == b] > 0) for b in kept], color=color,
                marker=marker, ms=6, label=name, clip_on=False)
    ax.set(xlabel="claimed probability of class +1", ylabel="share of class +1", xlim=(0, 1), ylim=(0, 1),
           aspect="equal")
    pl.legend(ax, columns=1)
    return fig
