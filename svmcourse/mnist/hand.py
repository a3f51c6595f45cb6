"""From strokes to the image that the canvas's machine reads; svmcourse/live/digits.js does the same in the page.

A drawing is a list of strokes, a stroke a list of points (x, y), y down, in any unit.  Its image is made as MNIST's
were: scaled to a box of 20 pixels, centred by its mass on 28 x 28, and, as the images that the machine has learnt,
deskewed.
"""
from collections.abc import Sequence

import numpy as np

from svmlib.data.digits import deskew

Strokes = Sequence[Sequence[Sequence[float]]] | np.ndarray

SIDE, BOX = 28, 20
#: Half the width of a line, and how wide its edge fades, in pixels of the image; chosen on training images that the
#: machine has not learnt.
PEN, FADES = 1.3, 1.5
#: What is drawn smaller than this part of the canvas is not blown up to the whole box: a dot stays one.
SMALLEST = 0.1
PIXELS = np.stack(np.meshgrid(np.arange(SIDE), np.arange(SIDE)), axis=-1).reshape(-1, 2).astype(float)


def seen(strokes: Strokes, pen: float = PEN, canvas: float = 1.0) -> np.ndarray:
    """The image (784,) of a drawing, 0 paper and 1 ink, row by row; blank where there is no stroke.

    pen: half the width of a line, in pixels, whatever the size of the drawing.  canvas: its side, in the unit of the
    drawing.

    >>> image = seen([[(0.2, 0.1), (0.8, 0.9)]]).reshape(28, 28)      # a slanted line is a 1
    >>> sorted(set(image[5:23].argmax(axis=1).tolist()))
    [13, 14]
    """
    lines = segments(strokes)
    if not len(lines):
        return np.zeros(SIDE**2)
    lines = fitted(lines, pen, canvas)
    image = ink(lines, pen)
    lines = lines + (SIDE - 1) / 2 - image @ PIXELS / image.sum()
    return deskew(ink(lines, pen)[None])[0]


def segments(strokes: Strokes) -> np.ndarray:
    """The straight pieces (m, 2, 2) of all strokes: from, to.  A point alone is a piece without length."""
    pieces = [np.stack([points[:-1], points[1:]], axis=1) if len(points) > 1 else np.stack([points, points], axis=1)
              for points in (np.asarray(stroke, float).reshape(-1, 2) for stroke in strokes) if len(points)]
    return np.concatenate([np.empty((0, 2, 2)), *pieces])


def fitted(lines: np.ndarray, pen: float, canvas: float) -> np.ndarray:
    """The same lines in the middle of the image, so large that with the width of the pen they fill the box."""
    low, high = lines.min(axis=(0, 1)), lines.max(axis=(0, 1))
    scale = (BOX - 2 * pen) / max(*(high - low), SMALLEST * canvas)
    return (lines - (low + high) / 2) * scale + (SIDE - 1) / 2


def ink(lines: np.ndarray, pen: float) -> np.ndarray:
    """Grey levels (784,): 1 inside the line, 0 outside, and between them over a width of FADES where its edge is."""
    (x, y), (dx, dy) = lines[:, 0].T, (lines[:, 1] - lines[:, 0]).T
    right, down = PIXELS[:, :1] - x, PIXELS[:, 1:] - y                          # (784, m) from the start of each piece
    part = np.clip((right * dx + down * dy) / np.maximum(dx**2 + dy**2, 1e-12), 0, 1)
    distance = np.sqrt(((right - part * dx) ** 2 + (down - part * dy) ** 2).min(axis=1))
    return np.clip(0.5 + (pen - distance) / FADES, 0, 1)
