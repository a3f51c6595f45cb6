"""Test images drawn again with the canvas's pen: along their middle lines, as a hand would trace them.

`python -m svmcourse.mnist.drawn_back` does so with all 10,000, in five ways, and stores how many are read; chapter 15
plays one in 400 of them again.
"""
import csv
from collections.abc import Callable
from pathlib import Path

import numpy as np
from scipy import ndimage

from svmcourse.mnist import hand, reader
from svmlib.data import load_mnist
from svmlib.data.digits import deskew

SIDE = 28
FILE = Path(__file__).with_name("drawn_back.csv")
PART = 400      # one image in so many is played again
LEAN = np.tan(np.deg2rad(20))
FINE = 2        # places to a pixel: of thin lines coarser ones make steps


def traced(images: np.ndarray) -> list[np.ndarray]:
    """The middle lines of images (n, 784) as short strokes (m, 2, 2), one array an image, in pixels."""
    fine = ndimage.zoom(images.reshape(-1, SIDE, SIDE), (1, FINE, FINE), order=1, grid_mode=True, mode="grid-constant")
    return [(pieces(middle) + 0.5) / FINE - 0.5
            for middle in thinned(fine > 0.5 * fine.max(axis=(1, 2), keepdims=True))]


def thinned(ink: np.ndarray) -> np.ndarray:
    """Take ink (n, h, w) from the edges of all lines until they are one pixel wide (Zhang & Suen 1984)."""
    ink = np.pad(ink, ((0, 0), (1, 1), (1, 1)))
    while True:                                             # until nothing is taken any more
        before = ink
        for first in (True, False):
            around = np.array([np.roll(ink, shift, axis=(1, 2)) for shift in
                               ((1, 0), (1, -1), (0, -1), (-1, -1), (-1, 0), (-1, 1), (0, 1), (1, 1))])
            north, _, east, _, south, _, west, _ = around
            count = around.sum(axis=0)
            turns = (~around & np.roll(around, -1, axis=0)).sum(axis=0)
            gaps = (~(north & east & south) & ~(east & south & west) if first
                    else ~(north & east & west) & ~(north & south & west))
            ink = ink & ~((count >= 2) & (count <= 6) & (turns == 1) & gaps)
        if (ink == before).all():
            return ink[:, 1:-1, 1:-1]


def pieces(middle: np.ndarray) -> np.ndarray:
    """A straight piece (2, 2) for each two neighbours of the ink (h, w); a pixel alone is a piece without length."""
    ink = np.pad(middle, 1)
    found = []
    for dy, dx in ((0, 1), (1, 0), (1, 1), (1, -1)):
        both = ink & np.roll(ink, (-dy, -dx), axis=(0, 1))
        if dy and dx:                                       # not where two other pieces go round the corner
            both &= ~np.roll(ink, -dy, axis=0) & ~np.roll(ink, -dx, axis=1)
        found.append((*both.nonzero(), dy, dx))
    alone = ink & (ndimage.convolve(ink.astype(int), np.ones((3, 3), int), mode="constant") == 1)
    found.append((*alone.nonzero(), 0, 0))
    return np.concatenate([np.stack([x, y, x + dx, y + dy], axis=1) for y, x, dy, dx in found]).reshape(-1, 2, 2) - 1.0


# ---- how they are read
def leaning(lines: np.ndarray) -> np.ndarray:
    """The same lines, leaning to the right by 20 degrees."""
    return np.stack([lines[..., 0] - LEAN * lines[..., 1], lines[..., 1]], axis=-1)


#: By name, what becomes of the middle lines (m, 2, 2) of an image of 28 x 28, and half the width of the pen.
HANDS: dict[str, tuple[Callable[[np.ndarray], np.ndarray], float]] = {
    "drawn again": (lambda lines: lines, hand.PEN),
    "in a corner, a third as large": (lambda lines: lines / 3, hand.PEN),
    "leaning to the right": (leaning, hand.PEN),
    "with half the pen": (lambda lines: lines, hand.PEN / 2),
    "with one and a half": (lambda lines: lines, hand.PEN * 1.5),
}


def right(images: np.ndarray, digits: np.ndarray) -> dict[str, np.ndarray]:
    """Which of some images (n, 784) are read as the digits that they are: as they are stored, and drawn in each way."""
    machine, lines = reader.stored(), traced(images)
    drawn = {"as stored": deskew(images)}
    for name, (change, pen) in HANDS.items():
        drawn[name] = np.array([hand.seen(change(each), pen, SIDE) for each in lines])
    return {name: machine.read(each) == digits for name, each in drawn.items()}


def measured() -> list[dict[str, int | str]]:
    """The table: of the 10,000 test images, and of one in PART, how many are read."""
    _, _, X, y = load_mnist()
    parts = [right(X[k:k + 500], y[k:k + 500]) for k in range(0, len(X), 500)]
    whole = {name: np.concatenate([part[name] for part in parts]) for name in parts[0]}
    return [{"images": name, "read": int(each.sum()), "of the part": int(each[::PART].sum())}
            for name, each in whole.items()]


if __name__ == "__main__":
    with FILE.open("w", newline="", encoding="utf8") as file:
        table = measured()
        writer = csv.DictWriter(file, list(table[0]), lineterminator="\n")
        writer.writeheader()
        writer.writerows(table)
