"""Figures of chapter 18: band, tube and cap side by side, strange sevens, and what probabilities are worth."""
from collections.abc import Callable, Mapping, Sequence

import numpy as np
from matplotlib.axes import Axes
from matplotlib.colors import to_rgb
from matplotlib.figure import Figure
from matplotlib.patches import Circle

from svmcourse.regression_novelty_probability.sphere import globe, on_a_sphere, rings, seen_from
from svmcourse.shared import plotting as pl
from svmlib import SVC, SVR, OneClassSVM
from svmlib.kernels import Gaussian, Kernel, Linear

SIDE = 28                                       # pixels of a digit
WORDS = ("asks for f =", "pushes up to", "pushes sum to")
TRIPTYCH = (("Which side?", ("±1", "C", "0")), ("How much?", ("y ± ε", "C", "0")), ("One of ours?", ("0", "1", "νn")))


def three_questions(stacked: bool = False) -> Figure:
    """Band, tube and cap, each solved, and under each what its points ask for; stacked, for a phone, beside each."""
    rows, columns = (3, 2) if stacked else (2, 3)
    shape = {"width_ratios": (1.0, 1.05)} if stacked else {"height_ratios": (1.0, 0.42)}
    fig, axs = pl.axes(columns, rows, width=3.54 if stacked else 6.29, height=5.2 if stacked else 3.2,
                       narrow=lambda: three_questions(stacked=True), **shape)
    pictures, words = axs if not stacked else axs.T
    for ax, beside, picture, (title, values) in zip(pictures, words, (_band, _tube, _cap), TRIPTYCH, strict=True):
        picture(ax)
        ax.set(title=title, xticks=[], yticks=[], xlabel="", ylabel="")
        ax.spines[:].set_visible(False)
        beside.set(xlim=(0, 1), ylim=(-1.4, 3.4) if stacked else (-0.55, 2.55))
        beside.set_axis_off()
        for line, (word, value) in enumerate(zip(WORDS, values, strict=True)):
            beside.text(0.58, 2 - line, word, ha="right", va="center", color=pl.GREY)
            beside.text(0.63, 2 - line, value, ha="left", va="center", color=pl.INK, fontweight="bold")
    return fig


def _band(ax: Axes) -> None:
    """A soft margin in the plane."""
    rng = np.random.default_rng(5)
    y = np.repeat([-1.0, 1.0], 9)
    X = rng.normal(size=(18, 2)) * [0.55, 0.85] + y[:, None] * [1.05, 0.3]
    machine = SVC(Linear(), C=1, tol=1e-8).fit(X, y)
    pl.boundary(ax, machine.decision_function, (-2.4, 2.4, -2.1, 2.1))
    pl.points(ax, X, y, size=26)
    rings(ax, X[machine.support_], machine.dual_coef_[0])


def _tube(ax: Axes) -> None:
    """A regression on twenty readings."""
    rng = np.random.default_rng(1)
    x = np.linspace(-2, 2, 20)
    y = np.sin(1.7 * x) + 0.3 * rng.normal(size=20)
    machine = SVR(Gaussian(sigma=0.8), C=1, epsilon=0.35, tol=1e-8).fit(x[:, None], y)
    z = np.linspace(-2.3, 2.3, 201)
    f = machine.predict(z[:, None])
    ax.fill_between(z, f - 0.35, f + 0.35, color=pl.GREY, alpha=0.13, lw=0)
    ax.plot(z, f, color=pl.INK)
    for shift in (-0.35, 0.35):
        ax.plot(z, f + shift, "--", color=pl.INK, lw=1.1)
    ax.plot(x, y, "o", ms=4.5, color=pl.GREY, mec="white", mew=0.5, zorder=3)
    rings(ax, np.column_stack([x, y])[machine.support_], machine.dual_coef_[0])
    ax.set(xlim=(-2.4, 2.4), ylim=(-2.1, 2.1))


def _cap(ax: Axes) -> None:
    """A sphere and its cap, from above."""
    P, machine = on_a_sphere(n=40)
    globe(ax, P, machine, seen_from(machine.coef_[0], 38), ring=100)


def cap(P: np.ndarray, machine: OneClassSVM) -> Figure:
    """Points (P (n, 3)) on the unit sphere and the cap that a linear one-class machine cuts off, in two views."""
    fig, (left, right) = pl.axes(2, width=6.3, height=3.2, narrow=1)
    w = machine.coef_[0]
    globe(left, P, machine, seen_from(w, 38))
    up, height = w / np.linalg.norm(w), -float(machine.intercept_[0]) / np.linalg.norm(w)
    view = seen_from(w, 90)
    right.add_patch(Circle((0, 0), 1, fc=pl.GREY, alpha=0.10, lw=0))
    right.add_patch(Circle((0, 0), 1, fill=False, ec=pl.GREY, lw=1.2))
    arc = np.linspace(np.arcsin(height), np.pi - np.arcsin(height), 121)
    right.fill(np.cos(arc), np.sin(arc), color=pl.REGION_COLORS[0], lw=0, zorder=1)
    right.plot([-1.1, 1.1], [height, height], color=pl.INK, lw=1.6, zorder=2)
    at, out = np.column_stack([P @ view[0], P @ up]), machine.decision_function(P) < -1e-6
    right.plot(*at[~out].T, "o", ms=4.5, color=pl.GREY, mec="white", mew=0.5, zorder=3)
    right.plot(*at[out].T, "X", ms=6.5, color=pl.COLORS[1], mec="white", mew=0.5, zorder=3)
    right.annotate("", (0, height), (0, 0), arrowprops={"arrowstyle": "<->", "color": pl.INK, "lw": 1.2,
                                                        "shrinkA": 0, "shrinkB": 0}, zorder=5)
    right.plot(0, 0, "o", ms=4, color=pl.INK)
    right.text(0.06, 0.45 * height, "ρ / ‖w‖", va="center")
    right.text(1.1, height - 0.04, "f = 0", ha="right", va="top")
    left.set_title("from above")
    right.set(title="from the side", xlim=(-1.15, 1.15), ylim=(-1.1, 1.1), aspect="equal")
    for ax in (left, right):
        ax.set(xticks=[], yticks=[])
        ax.spines[:].set_visible(False)
    return fig


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


def two_curves(X: np.ndarray, y: np.ndarray, Z: np.ndarray, truth: np.ndarray,
               curves: Mapping[str, np.ndarray]) -> Figure:
    """Readings (X (n, 1), y (n,)), the truth at Z (m, 1), and what two methods make of the readings: name -> (m,)."""
    fig, ax = pl.axes(width=6.29, height=3.7)
    ax.plot(X[:, 0], y, "o", ms=4.5, color=pl.GREY, mec="white", mew=0.5, zorder=3)
    ax.plot(Z[:, 0], truth, color=pl.GREY, lw=1.4, ls=":", label="the truth")
    for (name, f), color, style in zip(curves.items(), (pl.COLORS[2], pl.COLORS[1]), ("-", "--"), strict=True):
        ax.plot(Z[:, 0], f, style, color=color, lw=2.2, label=name)
    ax.set(xlabel="$x$", ylabel="$y$")
    pl.legend(ax, 3)
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


def _digits(ax: Axes, X: np.ndarray, columns: int, color: str) -> None:
    """Images (n, 784) in rows, in ink on whatever paper the page has."""
    rows, cell = -(-len(X) // columns), SIDE + 2
    sheet = np.zeros((rows * cell, columns * cell, 4))
    sheet[..., :3] = to_rgb(color)
    for k, image in enumerate(X):
        r, c = k // columns * cell, k % columns * cell
        sheet[r:r + SIDE, c:c + SIDE, 3] = np.clip(image.reshape(SIDE, SIDE), 0, 1)
    ax.imshow(sheet, interpolation="nearest")
    ax.set_axis_off()


def rows_of_digits(groups: Mapping[str, np.ndarray], columns: int = 12) -> Figure:
    """Images (n, 784) under the name of their group, in rows; on a phone half as many in a row."""
    rows = [-(-len(X) // columns) for X in groups.values()]
    width = 6.29 if columns > 6 else 3.54
    fig, axs = pl.axes(1, len(groups), width=width, height=width / columns * sum(rows) + 0.35 * len(groups),
                       height_ratios=rows, narrow=lambda: rows_of_digits(groups, columns // 2))
    for ax, (name, X), color in zip(axs, groups.items(), (pl.INK, pl.COLORS[1]), strict=False):
        _digits(ax, X, columns, color)
        ax.set_title(name)
    return fig


def let_in(shares: np.ndarray, ours: int) -> Figure:
    """The share (10,) of the fresh images of each digit that is taken for one of ours."""
    fig, ax = pl.axes(width=6.29, height=3.0)
    bars = ax.bar(np.arange(10), 100 * shares, color=[pl.COLORS[0] if d == ours else pl.GREY for d in range(10)],
                  width=0.7)
    ax.bar_label(bars, [f"{100 * share:.0f}" for share in shares], padding=2, color=pl.INK)
    ax.set(xlabel="digit that was shown", ylabel="let in, in %", xticks=range(10), ylim=(0, 105))
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


def claims(f: np.ndarray, y: np.ndarray, sigmoids: Mapping[str, tuple[float, float]],
           curves: Mapping[str, tuple[np.ndarray, np.ndarray]]) -> Figure:
    """Left, the share of class +1 over f (m,) and sigmoids (A, B); right, what is claimed and what comes true.

    curves: name -> (claimed probabilities (k,), labels in {-1, +1} (k,)), as `_reliability` takes them.
    """
    fig, (left, right) = pl.axes(2, width=6.29, height=3.9)
    low, high = np.quantile(f, [0.002, 0.998])
    z = np.linspace(float(low), float(high), 201)
    for color, (name, (A, B)) in zip(pl.COLORS, sigmoids.items(), strict=False):
        left.plot(z, 1 / (1 + np.exp(A * z + B)), color=color, label=name)
    edges = np.quantile(f, np.linspace(0, 1, 16))
    which = np.clip(np.searchsorted(edges, f) - 1, 0, 14)
    left.plot([f[which == k].mean() for k in range(15)], [np.mean(y[which == k] > 0) for k in range(15)], "D", ms=5,
              color=pl.INK, label="fresh points", zorder=4)
    left.set(xlabel="$f(x)$", ylabel="share of class +1", ylim=(-0.02, 1.02), title="the S-curve")
    _reliability(right, curves)
    right.set_title("claimed and true")
    fig.legend(*left.get_legend_handles_labels(), loc="outside lower center", ncols=2)
    return fig


def _reliability(ax: Axes, curves: Mapping[str, tuple[np.ndarray, np.ndarray]], bins: int = 10) -> None:
    """How often class +1 comes true over what was claimed, in bins with 20 points or more; the diagonal is honest."""
    ax.plot([0, 1], [0, 1], color=pl.INK, lw=1.2)
    edges = np.linspace(0, 1, bins + 1)
    for color, marker, (p, y) in zip(pl.COLORS, "^Xo", curves.values(), strict=False):
        which = np.clip(np.digitize(p, edges) - 1, 0, bins - 1)
        kept = [b for b in range(bins) if np.sum(which == b) >= 20]
        ax.plot([p[which == b].mean() for b in kept], [np.mean(y[which == b] > 0) for b in kept], color=color,
                marker=marker, ms=6, clip_on=False)
    ax.set(xlabel="claimed", ylabel="share of class +1", xlim=(0, 1), ylim=(0, 1), aspect="equal")
