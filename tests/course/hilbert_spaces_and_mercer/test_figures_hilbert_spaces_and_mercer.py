"""Figures of chapter 08: no word is printed over another, at any of the sizes of the page."""
import itertools

import matplotlib.pyplot as plt
import numpy as np
import pytest

from svmcourse.hilbert_spaces_and_mercer import figures
from svmcourse.shared.pictures import _shapes

ARROWS = np.array([[4.0, 2.0, 0.0], [2.0, 4.0, 2.0], [0.0, 2.0, 4.0]])


@pytest.mark.parametrize("draw", [figures.projection, lambda: figures.recap(ARROWS)])
def test_names_of_vectors_keep_off_each_other(draw):
    for shape in _shapes(draw(), np.inf):
        shape.canvas.draw()
        names = [t for t in shape.axes[-1].texts if t.get_text()]
        boxes = {t.get_text(): t.get_window_extent() for t in names}
        for (a, one), (b, other) in itertools.combinations(boxes.items(), 2):
            assert not one.overlaps(other), (a, b)
    plt.close("all")


def test_both_summits_are_marked():
    from svmlib import DualProblem
    from svmlib.kernels import Sigmoid

    problem = DualProblem(Sigmoid(kappa=1.0, delta=1.0), np.array([[1.2], [-1.1], [-2.3], [-1.1]]),
                          np.array([1.0, 1.0, -1.0, -1.0]), C=1.0)
    first, second = np.array([0.5, 1.0, 1.0, 0.5]), np.array([0.6, 1.0, 0.6, 1.0])
    fig, text = figures.two_summits(problem, first, second)(0.5)
    stars = [line.get_xydata() for line in fig.axes[1].lines
             if line.get_marker() == "*" and len(line.get_xydata()) == 2]
    np.testing.assert_allclose(stars, [[first[2:], second[2:]]])
    assert "W = " not in text
    assert text.count("W\u00a0=\u00a0") == 2
    plt.close(fig)
