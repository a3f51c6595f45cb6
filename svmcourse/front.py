"""Three small pictures of what one can do after the course, for its first page."""
import numpy as np
from matplotlib.figure import Figure

from svmcourse.fifteen_minutes import ThreesAndEights
from svmcourse.mnist.figures import show, tile
from svmcourse.shared import plotting as pl
from svmlib import SVC
from svmlib.data import km40m2
from svmlib.dual import DualProblem
from svmlib.kernels import Gaussian
from svmlib.solvers import solve

WIDTH, HEIGHT = 2.9, 2.3      # inches: three stand beside each other


def boundary() -> Figure:
    """The W, whose boundary no line can be."""
    X, y = km40m2()
    fig, ax = pl.axes(width=WIDTH, height=HEIGHT)
    pl.machine(SVC(Gaussian(sigma=0.6), C=100).fit(X, y), X, y, ax, pl.window(X, pad=0.06))
    ax.set(xticks=[], yticks=[], xlabel="", ylabel="")
    return fig


def handwriting() -> Figure:
    """The threes and eights that press hardest on the boundary between them."""
    reader = ThreesAndEights()
    fig, ax = pl.axes(width=WIDTH, height=HEIGHT)
    show(ax, tile(reader.X[np.argsort(-reader.alpha)[:12]], columns=4, gap=6))
    return fig


def certificate() -> Figure:
    """What a solver has found so far and how good it can get at most, until the two meet."""
    X, y = km40m2()
    seen: list[tuple[int, float, float]] = []
    problem = DualProblem(Gaussian(sigma=0.6), X, y, C=100)
    for tol in np.geomspace(10, 1e-3, 25):
        found = solve(problem, "smo", tol=tol, newton=False)
        seen.append((found.n_iter, found.objective, found.objective + found.gap))
    steps, low, high = np.array(sorted(one for one in set(seen) if one[0] > 0 and one[1] > 0)).T     # for logarithms
    fig, ax = pl.axes(width=WIDTH, height=HEIGHT)
    ax.fill_between(steps, low, high, color=pl.GREY, alpha=0.18, lw=0)
    ax.plot(steps, high, color=pl.POSITIVE, lw=2)
    ax.plot(steps, low, color=pl.NEGATIVE, lw=2)
    ax.set(xlabel="steps of the solver", xscale="log", yscale="log", yticks=[], xticks=[],
           ylim=(low.min() / 1.4, high.max() * 2))
    ax.minorticks_off()
    ax.text(steps[-1], high.max(), "no machine\nis better", color=pl.POSITIVE, ha="right", va="top")
    return fig
