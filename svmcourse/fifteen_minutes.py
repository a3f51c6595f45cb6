"""The figures of the pages that tell the whole story in fifteen minutes, once for every language.

Each page brings its own words, written in its language: what is to be seen, and what one can do.
"""
from collections.abc import Sequence
from typing import Any

import numpy as np
from matplotlib.figure import Figure

from svmcourse import live
from svmcourse.duality_and_kkt import figures as duality
from svmcourse.feature_maps_and_the_kernel_trick import figures as features
from svmcourse.hard_margin import figures as margin
from svmcourse.intuition import figures as intuition
from svmcourse.live.making import StaticLive
from svmcourse.mnist import figures as digits
from svmlib import SVC
from svmlib.data import disc_and_annulus, km40m2, load_mnist, separable_blobs, xs_linear
from svmlib.data.planar import draw_xs_kernel
from svmlib.dual import DualProblem
from svmlib.kernels import Gaussian, Linear
from svmlib.kernels.feature_maps import paraboloid
from svmlib.solvers import solve

QUIET = ("proof", "facts", "text", "table")     # what a figure says to those who read the chapter
TRAINED = 600                                   # images of threes and eights


def _state(state: dict[str, Any], lang: str, hides: Sequence[str]) -> dict[str, Any]:
    """What a figure starts from, with its language and what it keeps to itself."""
    return {**state, "hides": list(hides), **({} if lang == "en" else {"lang": lang})}


def _plainly(figure: Any, alt: str) -> Any:
    """A machine on a page, whose words for those who do not see it are the page's and no more."""
    if isinstance(figure, StaticLive):
        figure.state["alt"] = alt
    return figure


def turn(*, lang: str = "en", **words: Any) -> Any:
    """Two clouds, and a line to turn by its normal."""
    X, y = separable_blobs(seed=0)
    state = live.points_state(X, y, pad=0.08, angle=75)
    return live.figure("turn", _state(state, lang, []), lambda: intuition.turned(X, y, 75), **words)


def without(*, lang: str = "en", **words: Any) -> Any:
    """The widest band, and the one without the point in one's hand."""
    X, y = separable_blobs(seed=0)
    holding = int(np.argmax(solve(DualProblem(Linear(), X, y, C=np.inf)).alpha))
    state = live.points_state(X, y, pad=0.08, shows=["without"])
    return live.figure("hard", _state(state, lang, QUIET), lambda: margin.with_and_without(X, y, holding), **words)


def forces(*, lang: str = "en", **words: Any) -> Any:
    """The band as a plank, and who presses on it."""
    X, y = separable_blobs(seed=1)
    alpha = solve(DualProblem(Linear(), X, y, C=np.inf), tol=1e-9).alpha
    state = live.points_state(X, y, pad=0.1, shows=["forces"])
    return live.figure("hard", _state(state, lang, QUIET), lambda: duality.forces(X, y, alpha), **words)


def price(intruder: str, *, lang: str = "en", **words: Any) -> Any:
    """One point on the wrong side, and what it may cost; the figure gives it the name `intruder`."""
    X, y = xs_linear(outlier=True)
    limits = (-0.05, 1.05, -0.05, 1.05)
    more = _state({"named": {"point": len(X) - 1, "name": intruder}, "ranges": {"C": {"least": 0.1, "most": 2000}}},
                  lang, QUIET)
    figure = live.stage(X, y, kernel=Linear(), C=2000, kind="price", views=[], limits=limits, ratio=0.85, may=["move"],
                        more=more, **words)
    return _plainly(figure, words["alt"])


def bowl(*, lang: str = "en", **words: Any) -> Any:
    """The disc and the ring on a bowl, and a plane to cut it with."""
    X, y = disc_and_annulus(seed=0)
    state = {"points": X.tolist(), "labels": y.astype(int).tolist(), "C": 10, "plane": {"h": 2.2, "p": 0.5, "q": -0.3}}

    def picture() -> Figure:
        lifted = SVC(Linear(), C=10, tol=1e-6).fit(paraboloid(X), y)
        return features.lifted(X, y, lifted, lambda T: (T**2).sum(axis=1), paraboloid, "$t_1^2 + t_2^2$")(-50, 25)[0]

    return live.figure("cut", _state(state, lang, ["proof"]), picture, **words)


def hills(*, lang: str = "en", **words: Any) -> Any:
    """The W, whose points raise hills and dig pits of a width that one sets."""
    X, y = km40m2()
    figure = live.stage(X.round(4), y, kernel=Gaussian(sigma=0.5), C=100, views=["landscape"], controls=["sigma"],
                        more=_state({"ranges": {"sigma": {"least": 0.05, "most": 3}}}, lang, QUIET), **words)
    return _plainly(figure, words["alt"])


def knobs(*, lang: str = "en", **words: Any) -> Any:
    """A disc with five wrong labels, and the errors on points that the machine has not seen."""
    X, y = draw_xs_kernel(seed=5, n=100)
    y[np.random.default_rng(5).choice(100, 5, replace=False)] *= -1
    fresh, truth = draw_xs_kernel(seed=6, n=1000)
    more = _state({"ranges": {"C": {"least": 0.1, "most": 1000}, "sigma": {"least": 0.02, "most": 2}},
                   "fresh": {"points": fresh.round(3).tolist(), "labels": truth.astype(int).tolist()}}, lang, QUIET)
    figure = live.stage(X.round(4), y, kernel=Gaussian(sigma=0.03), C=1000, kind="gallery", views=[],
                        controls=["C", "sigma"], may=["move", "toggle"], limits=(-0.05, 1.05, -0.05, 1.05), ratio=0.85,
                        more=more, **words)
    return _plainly(figure, words["alt"])


class ThreesAndEights:
    """A machine that tells handwritten threes from eights: how well it reads, and the images that carry it."""

    def __init__(self) -> None:
        X, digit, X_test, truth = load_mnist()
        rows = np.flatnonzero((digit == 3) | (digit == 8))[:TRAINED]
        tests = np.flatnonzero((truth == 3) | (truth == 8))
        self.X, self.digit = X[rows], digit[rows]
        machine = SVC(Gaussian(gamma=0.01), C=10, tol=1e-5).fit(self.X, self.digit)
        self.alpha = machine.solutions_[0].alpha
        self.trained, self.carry, self.tests = len(rows), len(machine.solutions_[0].support), len(tests)
        self.right = float((machine.predict(X_test[tests]) == truth[tests]).mean())
        away = [((X_test[tests] - self.X[self.digit == digit].mean(axis=0)) ** 2).sum(axis=1) for digit in (3, 8)]
        self.plain = float((np.where(away[0] < away[1], 3, 8) == truth[tests]).mean())

    def picture(self) -> Figure:
        """The twelve images that press hardest."""
        heavy = np.argsort(-self.alpha)[:12]
        return digits.carriers(self.X[heavy], self.digit[heavy], self.alpha[heavy])

    def said(self, text: str) -> str:
        """A text with {trained}, {carry}, {tests}, and in per cent {right} and {plain}, which is the nearest mean's."""
        return text.format(trained=self.trained, carry=self.carry, tests=self.tests, right=f"{100 * self.right:.0f}",
                           plain=f"{100 * self.plain:.0f}")
