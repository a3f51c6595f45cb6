"""Figures of chapter 18: the three questions on a page and on a phone, the cap, rows of digits, claims."""
import matplotlib.pyplot as plt
import numpy as np
import pytest
from matplotlib.figure import Figure

from svmcourse.regression_novelty_probability import figures as draw
from svmcourse.shared.pictures import _shapes


def words(figure: Figure) -> set[str]:
    """All that is written in the panels, titles included."""
    return {text for ax in figure.axes for text in (ax.get_title(), *(t.get_text() for t in ax.texts)) if text}


def test_under_each_question_stand_its_three_lines_in_both_forms() -> None:
    for shape in _shapes(draw.three_questions(), np.inf):
        panels = [ax for ax in shape.axes if ax.get_title()]
        assert [ax.get_title() for ax in panels] == ["Which side?", "How much?", "One of ours?"]
        beside = [[t.get_text() for t in ax.texts] for ax in shape.axes if len(ax.texts) == 6]
        assert [lines[1::2] for lines in beside] == [["±1", "C", "0"], ["y ± ε", "C", "0"], ["0", "1", "νn"]]
        assert all(lines[::2] == ["asks for f =", "pushes up to", "pushes sum to"] for lines in beside)


def test_the_cap_is_that_of_the_machine() -> None:
    P, machine = draw.on_a_sphere()
    w, rho = machine.coef_[0], -machine.intercept_[0]
    fig = draw.cap(P, machine)
    left, right = fig.axes
    for ax, of_crosses in ((left, "X"), (right, "X")):
        [crosses] = [line for line in ax.lines if line.get_marker() == of_crosses]
        assert len(crosses.get_xdata()) == np.sum(P @ w < rho - 1e-6) == 5
    [cut] = [line for line in right.lines if len(line.get_xdata()) == 2]
    assert np.allclose(cut.get_ydata(), rho / np.linalg.norm(w))
    inside = next(line for line in right.lines if line.get_marker() == "o" and len(line.get_xdata()) > 1)
    assert len(inside.get_ydata()) == 55
    assert inside.get_ydata().min() > cut.get_ydata()[0] - 1e-6
    assert np.hypot(inside.get_xdata(), inside.get_ydata()).max() <= 1 + 1e-12
    plt.close(fig)


@pytest.mark.parametrize("n", [24, 20])
def test_rows_of_digits_hold_all_images_in_both_forms(n: int) -> None:
    rng = np.random.default_rng(0)
    X = (rng.random((n, 784)) < 0.2).astype(float)
    forms = _shapes(draw.rows_of_digits({"some": X[:12], "others": X}), np.inf)
    for shape, columns in zip(forms, (12, 6), strict=True):
        drawn = [ax.images[0].get_array() for ax in shape.axes]
        assert [int((sheet[..., 3] > 0).sum()) for sheet in drawn] == [int(X[:12].sum()), int(X.sum())]
        assert all(sheet.shape[1] == 30 * columns for sheet in drawn)


def test_diamonds_lie_on_the_curve_that_the_labels_follow() -> None:
    rng = np.random.default_rng(0)
    f = rng.normal(size=60_000)
    p = 1 / (1 + np.exp(-2 * f + 0.5))
    y = np.where(rng.random(60_000) < p, 1, -1)
    fig = draw.claims(f, y, {"true": (-2.0, 0.5), "flat": (-1.0, 0.0)}, {"true": (p, y), "flat": (p / 2 + 0.25, y)})
    left, right = fig.axes
    [diamonds] = [line for line in left.lines if line.get_marker() == "D"]
    at, share = diamonds.get_data()
    assert np.abs(share - 1 / (1 + np.exp(-2 * at + 0.5))).max() < 0.03
    honest, flat = (np.array(line.get_data()) for line in right.lines[1:])
    assert np.abs(honest[0] - honest[1]).max() < 0.03 < np.abs(flat[0] - flat[1]).max()
    plt.close(fig)
