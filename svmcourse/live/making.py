"""A live figure in its two forms: a widget where a kernel runs, a picture with its state where the book is built."""
import base64
import json
import os
import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.figure import Figure

from svmcourse.live.settings import settings_of, summary
from svmcourse.shared import pictures, plotting
from svmcourse.shared.frames import tidy
from svmlib.dual import DualProblem, Solution
from svmlib.kernels import Gaussian, Kernel
from svmlib.solvers import solve

VIEWS = ("alpha", "gram", "square", "section", "landscape")
CONTROLS = ("kernel", "C", "sigma", "Q", "a", "b", "kappa", "delta", "export", "typed", "table")
MAY = ("move", "add", "remove", "toggle")
ASKS = ("line", "point", "number")
LARGEST = 900          # area of the largest ring, in points^2; the others in proportion to alpha
EXACT = 1e-8           # KKT violation of the machine in the picture


class StaticLive:
    """A live figure for a page without a kernel: its picture and its state; book/_ext/live_figures.py places both."""

    def __init__(self, state: dict[str, Any], picture: Figure, caption: str, name: str) -> None:
        self.state, self.caption, self.name = state, caption, name
        self.forms, self._png = pictures.forms_and_png(picture)

    def __repr__(self) -> str:
        return summary(self.state)

    def _repr_mimebundle_(self, include: object = None, exclude: object = None) -> dict[str, str]:
        """The parcel for the book's hook, the picture for formats that have no page, a short text."""
        content = {"kind": "live", "state": self.state, "forms": self.forms, "caption": self.caption, "name": self.name}
        return {"text/plain": repr(self), "text/html": pictures.parcel(content),
                "image/png": base64.b64encode(self._png).decode()}


def figure(kind: str, state: Mapping[str, Any], picture: Figure | Callable[[], Figure], /, *, alt: str,
           caption: str = "", name: str = "", ask: Mapping[str, Any] | None = None,
           running: Mapping[str, Any] | None = None) -> Any:
    """Make a live figure of any kind.

    kind: its name in register.js.  state: what its JavaScript starts from, as JSON.  picture: what stands there before
    the script runs, without JavaScript and in print: a matplotlib figure, or a function that draws one.  alt: what is
    to be seen, for readers who do not see it.  caption: stands under the figure; mathematics in it stands between
    dollar signs.  name: label of the figure in the book, for instance "fig-plank".  ask: what the reader is asked
    first, for instance {"kind": "line", "question": "Draw where the line will be.", "setting": {"C": 100}}: a "line"
    that she draws, a "point" that she chooses or a "number" that she names; then the figure shows `setting`, and hers
    beside it.  running: more of the state, for a running kernel alone: what on a page comes with the kind's own script.

    Returns an object that displays itself.  In a running kernel it is a widget: its trait `setting` holds what the
    figure says has changed, and assigning a dict to it changes the figure.  Raises ValueError, naming the argument.
    """
    if not isinstance(alt, str) or not alt.strip():
        raise ValueError(f"alt must say what is to be seen in the figure, got {alt!r}")
    if name and not re.fullmatch(r"[a-z][a-z0-9-]*", name):
        raise ValueError(f"name must be small letters, digits and hyphens, as in 'fig-plank'; got {name!r}")
    if ask is not None and (ask.get("kind") not in ASKS or not str(ask.get("question", "")).strip()):
        raise ValueError(f"ask must have a kind among {', '.join(ASKS)} and a question, got {dict(ask)!r}")
    asked = {} if ask is None else {"ask": dict(ask)}
    try:
        whole = json.loads(json.dumps({**state, **asked, "kind": kind, "alt": alt}, allow_nan=False))
    except (TypeError, ValueError) as error:
        raise ValueError(f"state must be finite numbers, texts, lists and dicts of such: {error}") from None
    drawn = picture() if callable(picture) else picture
    if os.environ.get("SVMLIB_STATIC") == "1":
        return StaticLive(whole, drawn, caption, name)
    from svmcourse.live.widget import LiveFigure, LiveMachine

    whole |= running or {}
    png, size = pictures.png(drawn, 1.5, 64), pictures.size(drawn)
    plt.close(drawn)
    return (LiveMachine if kind == "machine" else LiveFigure)(whole, png, size, caption)


def stage(X: Any, y: Any, *, kernel: Kernel | None = None, C: float = 1.0, views: Sequence[str] = ("alpha",),
          controls: Sequence[str] = ("C",), limits: Sequence[float] | None = None, ratio: float = 1.0,
          may: Sequence[str] = MAY, sets: Mapping[str, tuple[Any, Any]] | None = None, kind: str = "machine",
          more: Mapping[str, Any] | None = None, picture: Callable[[], Figure] | None = None, alt: str,
          caption: str = "", name: str = "", ask: Mapping[str, Any] | None = None) -> Any:
    r"""The machine of points in the plane, which the reader can move.

    Parameters
    ----------
    X, y : points (n, 2) and labels (n,) in {-1, +1}.
    kernel : Linear(), Polynomial, Gaussian or Sigmoid; Gaussian(sigma=1) where None.
    C : upper bound of the alpha, positive and finite.
    views : what stands beside the plane: "alpha", bars that balance; "gram", the Gram matrix; "square", two of the
        alpha and the dual value over them; "section", f along a level line; "landscape", f as a surface.
    controls : "kernel", "C", and the kernels' parameters "sigma", "Q", "a", "b", "kappa", "delta", of which those of
        the present kernel are shown; "export", a link, Python and files to take away, and the address kept up to date;
        "typed", on a page, a kernel typed as a formula; "table", on a page, a table of the reader's
        own in place of the points.
    sets : other points to choose from, by name: {"the ring": (X, y)}.
    limits : x0, x1, y0, y1 of the plane; some room about the points where None.
    ratio : height of the plane over its width.
    may : what the reader can do to points: "move", "add", "remove", "toggle" (give it the other class).
    kind : "machine", or a kind of figure in register.js that is built on it.
    more : what such a kind wants to know besides, as JSON.
    picture : draws what stands there first; points, boundary and bars of the machine where None.
    alt, caption, name, ask : as for `figure`; a number is that of the support vectors.

    Returns
    -------
    An object that displays itself.  In a running kernel it is a widget with the traits X, y, kernel and C, which
    follow the reader's hand and can be set; of another kind, the trait `setting` holds points, labels, kernel and C.

    Raises
    ------
    ValueError : an argument does not fit; it names the argument.
    """
    kernel = Gaussian(sigma=1.0) if kernel is None else kernel
    problem = DualProblem(kernel, X, y, C)
    if problem.X.shape[1] != 2 or not np.isfinite(C):
        raise ValueError(f"X must have shape (n, 2) and C must be finite, got shape {problem.X.shape} and C={C}")
    for argument, given, known in (("views", views, VIEWS), ("controls", controls, CONTROLS), ("may", may, MAY)):
        if unknown := [each for each in given if each not in known]:
            raise ValueError(f"{argument} must be among {', '.join(known)}, got {unknown}")
    solution = solve(problem, tol=EXACT)
    shown = tuple(map(float, limits if limits is not None else plotting.window(problem.X, 0.14)))
    state = {"points": problem.X.tolist(), "labels": problem.y.astype(int).tolist(), "kernel": settings_of(kernel),
             "C": float(C), "limits": shown, "views": list(views), "controls": list(controls), "ratio": ratio,
             "may": {each: each in may for each in MAY}, **(more or {})}
    if sets is not None:
        state["sets"] = {title: _points(kernel, *data, C) for title, data in sets.items()}
    words = alt if not isinstance(alt, str) or not alt.strip() else tidy(
        f"{alt.rstrip('.')}. {len(solution.support)} of {problem.n} points carry the boundary; proved to be within "
        f"{solution.gap:.0e} of the optimum, {solution.objective:.4g}.")
    drawn = picture or (lambda: draw(problem, solution, shown, ratio, views))
    return figure(kind, state, drawn, alt=words, caption=caption, name=name, ask=ask)


def _points(kernel: Kernel, X: Any, y: Any, C: float) -> dict[str, Any]:
    """Points to choose, as JSON, to as many digits as a plane shows; checked as those of the figure."""
    problem = DualProblem(kernel, X, y, C)
    return {"points": problem.X.round(4).tolist(), "labels": problem.y.astype(int).tolist(),
            "limits": plotting.window(problem.X, 0.14)}


def draw(problem: DualProblem, solution: Solution, limits: Sequence[float], ratio: float,
         views: Sequence[str]) -> Figure:
    """The picture that stands for the figure: plane, rings whose area is alpha, and bars of alpha where it has them."""
    bars = "alpha" in views
    fig, axs = plotting.axes(1 + bars, width=6.2 if bars else 4.4, height=4.2 * ratio,
                             width_ratios=[5, 3] if bars else None)
    ax = axs[0] if bars else axs
    X, y, alpha = problem.X, problem.y, solution.alpha

    def f(points: np.ndarray) -> np.ndarray:
        return problem.kernel.block(points, X) @ (y * alpha) + solution.b

    x0, x1, y0, y1 = limits
    plotting.boundary(ax, f, (x0, x1, y0, y1))
    plotting.points(ax, X, y)
    for rows, width in ((solution.bounded, 1.0), (solution.free, 2.2)):
        if len(rows):
            ax.scatter(X[rows, 0], X[rows, 1], s=LARGEST * alpha[rows] / alpha.max(), facecolors="none",
                       edgecolors=plotting.INK, linewidths=width, zorder=4)
    ax.set(xlabel="$x_1$", ylabel="$x_2$")
    ax.set_aspect("equal", adjustable="box")
    if bars:
        for label, colour in ((1, plotting.POSITIVE), (-1, plotting.NEGATIVE)):
            mine = alpha[y == label]
            axs[1].bar((np.arange(len(mine)) + 0.5) / len(mine), label * mine, 0.8 / len(mine), color=colour)
        axs[1].axhline(0, color=plotting.INK, lw=2)
        axs[1].set(xticks=[], ylabel=r"$y\,\alpha$")
        axs[1].spines["bottom"].set_visible(False)
    return fig
