"""Figures of chapter 06: the floor is seen, words keep off the curves, rings hide nothing, the intruder has a name."""
import matplotlib.pyplot as plt
import numpy as np
from matplotlib.collections import PathCollection

from svmcourse.gallery_of_kernels import figures
from svmcourse.shared.pictures import _shapes
from svmlib import SVC
from svmlib.data import xs_kernel
from svmlib.kernels import Gaussian


def test_the_floor_is_seen_and_its_name_is_free():
    x, y = np.array([-1.9, -0.7, 0.4, 1.6, 2.6]), np.array([-1, 1, 1, -1, -1])
    clf = SVC(Gaussian(sigma=0.7), C=100, tol=1e-8).fit(x[:, None], y)
    for shape in _shapes(figures.bumps(x, y, clf), np.inf):
        shape.canvas.draw()
        ax = shape.axes[0]
        bumps = [line.get_ydata() for line in ax.lines if line.get_linestyle() == "--"]
        height = np.array([np.abs(line - clf.intercept_[0]) for line in bumps])
        assert len(bumps) == 5
        assert np.nanmin(height) > 0.005
        assert np.isnan(height).any(axis=1).all()
        [name] = [t for t in ax.texts if "floor" in t.get_text()]
        box = plt.Text.get_window_extent(name)
        curves = [ax.transData.transform(line.get_xydata()) for line in ax.lines if len(line.get_xydata()) > 2]
        points = ax.transData.transform(np.column_stack([x, np.zeros(5)]))
        for px, py in np.vstack([*curves, points]):
            assert not (box.x0 - 3 < px < box.x1 + 3 and box.y0 - 3 < py < box.y1 + 3)
    plt.close("all")


def test_the_intruder_has_a_name_and_rings_can_be_left_out():
    X, y = xs_kernel(outlier=True)
    clf = SVC(Gaussian(sigma=0.5), C=10).fit(X, y)
    fig = figures.side_by_side({"a": clf, "b": clf}, X, y, equal=True, ring=0, named={"intruder": -1})
    for ax in fig.axes:
        assert [t.get_text() for t in ax.texts] == ["intruder"]
        assert tuple(ax.texts[0].xy) == tuple(X[-1])
        assert not [c for c in ax.collections if isinstance(c, PathCollection) and not len(c.get_facecolors())]
    plt.close(fig)
