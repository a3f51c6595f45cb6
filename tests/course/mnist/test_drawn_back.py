"""Test images drawn again with the canvas's pen: their middle lines; of how they are read, the chapter plays a part."""
import csv

import numpy as np
import pytest

from svmcourse.mnist import drawn_back, hand
from svmlib.data import load_mnist


def table() -> list[dict[str, str]]:
    with drawn_back.FILE.open(newline="", encoding="utf8") as file:
        return list(csv.DictReader(file))


def test_a_thick_cross_becomes_two_lines() -> None:
    image = np.zeros((1, 28, 28))
    image[0, 4:24, 13:16] = image[0, 12:15, 4:24] = 1
    (lines,) = drawn_back.traced(image.reshape(1, 784))
    ends = lines.reshape(-1, 2)
    assert (np.abs(lines[:, 1] - lines[:, 0]).max(axis=1) <= 0.5).all()       # from a place to its neighbour
    assert np.abs(ends - [14, 13]).min(axis=1).max() < 0.8                    # each end is in the middle of a bar
    assert np.allclose([ends.min(axis=0), ends.max(axis=0)], [[5, 5], [22, 22]], atol=1.5)
    assert np.linalg.norm(lines[:, 1] - lines[:, 0], axis=1).sum() == pytest.approx(36, abs=5)


def test_a_drawing_that_is_traced_and_drawn_again_is_nearly_the_same() -> None:
    """The middle line of what the pen has drawn is the line that it has followed."""
    images = load_mnist().X_test[:10]
    once = np.array([hand.seen(lines, canvas=28) for lines in drawn_back.traced(images)])
    twice = np.array([hand.seen(lines, canvas=28) for lines in drawn_back.traced(once)])
    change, size = (np.sum((each - once) ** 2, axis=1) for each in (twice, 0))
    assert np.median(change / size) < 0.06


@pytest.mark.thorough
@pytest.mark.timeout(900)
def test_the_stored_table_is_what_is_measured() -> None:
    for row, again in zip(table(), drawn_back.measured(), strict=True):
        assert row["images"] == again["images"]
        assert abs(int(row["read"]) - int(again["read"])) <= 5
        assert abs(int(row["of the part"]) - int(again["of the part"])) <= 1
