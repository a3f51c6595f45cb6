"""Test images drawn again with the canvas's pen: along their middle lines, as a hand would trace them."""
import numpy as np
from scipy import ndimage

SIDE = 28
FINE = 2        # places to a pixel: of thin lines coarser ones make steps


def traced(images: np.ndarray) -> list[np.ndarray]:
    """The middle lines of images (n, 784) as short strokes (m, 2, 2), one array an image, in pixels."""
    fine = ndimage.zoom(images.reshape(-1, SIDE, SIDE), (1, FINE, FINE), order=1, grid_mode=True, mode="grid-constant")
    return [(pieces(middle) + 0.5) / FINE - 0.5
            for middle in thinned(fine > 0.5 * fine.max(axis=(1, 2), keepdims=True))]


def thinned(ink: np.ndarray) -> np.ndarray:
    """Take ink (n, h, w) from the edges of all lines until they are one pixel wide (Zhang & Suen 1984)."""
    ink = np.pad(ink, ((0, 0), (1, 1), (1, 1)))
    while True:
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
