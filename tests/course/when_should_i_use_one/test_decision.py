"""The decision of chapter 16: its endings name the places where the chapter's list and headings have them."""
from __future__ import annotations

import re
from pathlib import Path

import matplotlib.pyplot as plt
import nbformat
import numpy as np
import pytest

from svmcourse.when_should_i_use_one import figures as draw

NOTEBOOKS = Path(__file__).parents[3] / "notebooks"
CELLS = nbformat.read(NOTEBOOKS / "16_when_should_i_use_one.ipynb", as_version=4).cells
TEXT = "\n".join(cell.source for cell in CELLS if cell.cell_type == "markdown")


def place(target: str) -> str:
    """What a picture calls the chapter or the section that a link leads to."""
    if re.match(r"\d\d_", target):
        return f"chapter {int(target[:2])}"
    sections = re.findall(r"^(?:\(([\w-]+)\)=\n)?## ", TEXT, flags=re.M)
    return f"section 16.{1 + sections.index(target)}"


def test_each_ending_names_the_place_that_the_list_below_links() -> None:
    [answer] = [cell.source for cell in CELLS if cell.id == "answer"]
    linked = [place(target) for item in re.findall(r"^- .*$", answer, flags=re.M)
              for target in re.findall(r"\{(?:doc|ref)\}`([\w-]+)`", item)]
    assert linked == [ending.where for ending in draw.DECISION] + [where for _, where in draw.LAST]


@pytest.mark.parametrize("narrow", [False, True])
def test_the_picture_asks_every_question_and_no_word_leaves_it(narrow: bool) -> None:
    fig = draw.decision(narrow)
    fig.draw_without_rendering()
    [ax] = fig.axes
    words = [text.get_text() for text in ax.texts]
    for ending in draw.DECISION:
        assert {ending.question, ending.method, ending.where} <= set(words)
    assert (words.count("yes"), words.count("no")) == (len(draw.DECISION), len(draw.DECISION))
    boxes = [text.get_window_extent() for text in ax.texts if text.get_text()]
    assert min(box.x0 for box in boxes) >= 0
    assert max(box.x1 for box in boxes) <= fig.bbox.width
    inner = [box.shrunk(0.9, 0.7) for box in boxes]
    assert not [(a, b) for i, a in enumerate(inner) for b in inner[:i] if a.overlaps(b)]
    plt.close(fig)


def test_the_slider_figure_lights_what_the_machine_calls_rare() -> None:
    A, a = np.r_[np.linspace(-3, -1, 30), np.linspace(1, 3, 4)][:, None], np.repeat([0, 1], [30, 4])

    class Threshold:
        solutions_ = (type("Solution", (), {"alpha": np.full(34, 0.25)}),)


    class Machine(list):
        def fit(self, X: np.ndarray, y: np.ndarray) -> Machine:
            return self

        def predict(self, X: np.ndarray) -> np.ndarray:
            return (X[:, 0] > 1.5).astype(int)

    draws = draw.rare_explorer(lambda C, weight: Machine([Threshold()]), A, a, A, a)
    fig, text = draws(C=0.5, weight=2)
    assert text == ("97% of the answers are right: 3 of 4 tumours, 0 false alarms. In training the 4 rare points push "
                    "with 1.0; they may push with 4.0.")
    plt.close(fig)
