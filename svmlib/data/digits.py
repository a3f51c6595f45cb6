"""What one knows about handwritten digits beforehand: a slant and a shift by a pixel change nothing.

`deskew` takes the slant out; `virtual_support_vectors` teaches a machine shifts (DeCoste & Schölkopf 2002,
"Training invariant support vector machines").  Images are rows of side^2 pixels, 0 is paper, as in `svmlib.data.mnist`.
"""
from typing import Any

import numpy as np
from scipy import ndimage
from sklearn.base import clone

from svmlib.validation import check_integer

#: The eight shifts by one pixel, (dx, dy): right and down are positive.
NEIGHBOURS = [(dx, dy) for dy in (-1, 0, 1) for dx in (-1, 0, 1) if (dx, dy) != (0, 0)]
#: The twelve shifts with |dx| + |dy| <= 2: fewer errors than NEIGHBOURS, for twice the time.
WITHIN_TWO = [*NEIGHBOURS, (2, 0), (-2, 0), (0, 2), (0, -2)]


def deskew(images: Any) -> np.ndarray:
    """Shear each image so that its axis stands upright, and move its centre of mass to the middle.

    With m the centre of mass and S the covariance of the ink, pixel (x, y) of the result shows the point
    (m_x + (x - c) + s (y - c), m_y + (y - c)) of the image, s = S_xy / S_yy, c the middle; values between pixels are
    bilinear.  images (n, side^2): rows of pixels, 0 is paper.  Returns an array of the same shape and dtype,
    float64 where that is neither float32 nor float64.  Raises ValueError where a row is not a square image.

    >>> slanted = np.eye(9)                                  # a stroke from the top left to the bottom right
    >>> upright = deskew(slanted.reshape(1, 81)).reshape(9, 9)
    >>> upright.argmax(axis=1)[1:-1]
    array([4, 4, 4, 4, 4, 4, 4])
    """
    images, side = _square(images)
    return np.vstack([images[:0], *(_deskewed(images[i:i + 500], side) for i in range(0, len(images), 500))])


def shift(images: Any, dx: int, dy: int) -> np.ndarray:
    """Move each image by dx pixels to the right and dy pixels down; paper comes in at the other side.

    images (n, side^2); returns a new array of the same shape and dtype.

    >>> shift([[1.0, 0.0, 0.0, 2.0]], 1, 0)                  # 1 0  ->  0 1
    array([[0., 1., 0., 0.]])
    """
    images, side = _square(images)
    for name, d in (("dx", dx), ("dy", dy)):
        check_integer(d, name, 1 - side, side - 1, f"an integer below {side} in size")
    return ndimage.shift(images.reshape(-1, side, side), (0, dy, dx), order=0).reshape(images.shape)


def virtual_support_vectors(machine: Any, X: Any, y: Any,
                            shifts: list[tuple[int, int]] = NEIGHBOURS) -> tuple[np.ndarray, np.ndarray]:
    """Training set of the second fit: the support vectors of the first one, and their copies shifted by (dx, dy).

    The other points do not matter to the machine, and their shifted copies hardly would, so a ninth of the cost buys
    (almost) what shifting all of the training set would.  machine: fitted, with `support_`; X, y: what it was fitted
    to.  Returns X (m, side^2) and y (m,), m = n_SV (1 + number of shifts).
    """
    X, y = np.asarray(X), np.asarray(y)
    vectors, labels = X[machine.support_], y[machine.support_]
    moved = np.empty((1 + len(shifts), *vectors.shape), vectors.dtype)
    moved[0] = vectors
    for out, (dx, dy) in zip(moved[1:], shifts, strict=True):
        out[:] = shift(vectors, dx, dy)
    return moved.reshape(-1, X.shape[1]), np.tile(labels, len(moved))


def fit_virtual(machine: Any, X: Any, y: Any, shifts: list[tuple[int, int]] = NEIGHBOURS) -> Any:
    """Fit a machine, then a fresh copy of it to the virtual support vectors; returns the copy, fitted.

    machine: an SVC; it is left unfitted.  X (n, side^2), y (n,).  The paper's best machine on MNIST has upright images
    of length 1 and the kernel ((x'z + 1) / 2)^9:

        images = sklearn.preprocessing.normalize(deskew(X))
        machine = fit_virtual(SVC(Polynomial(Q=9, a=0.5, b=0.5), C=2.0), images, y)

    >>> from svmlib import SVC
    >>> from svmlib.kernels import Gaussian
    >>> rng = np.random.default_rng(0)
    >>> X, y = rng.random((20, 16)), np.repeat([0, 1], 10)
    >>> machine = fit_virtual(SVC(Gaussian(gamma=0.1), C=10.0), X, y)
    >>> machine.predict(X).shape
    (20,)
    """
    first = clone(machine).fit(X, y)
    return clone(machine).fit(*virtual_support_vectors(first, X, y, shifts))


def _square(images: Any) -> tuple[np.ndarray, int]:
    """Check images: rows of a square number of pixels, floating point."""
    images = np.asarray(images)
    side = int(np.sqrt(images.shape[-1])) if images.ndim == 2 else 0
    if images.ndim != 2 or side ** 2 != images.shape[1] or side == 0:
        raise ValueError(f"images must have shape (n, side^2), one image per row, got {images.shape}")
    return (images if images.dtype in (np.float32, np.float64) else images.astype(np.float64)), side


def _deskewed(images: np.ndarray, side: int) -> np.ndarray:
    """Deskew a few images at once."""
    pixels = np.arange(side, dtype=np.float64)
    ink = np.maximum(images.reshape(-1, side, side), 0.0).astype(np.float64)
    total = np.maximum(ink.sum(axis=(1, 2)), 1e-12)
    column, row = ink.sum(axis=1), ink.sum(axis=2)                       # marginal distributions of x and y
    mean_x, mean_y = column @ pixels / total, row @ pixels / total
    S_xy = np.einsum("nyx,y,x->n", ink, pixels, pixels, optimize=True) / total - mean_x * mean_y
    S_yy = row @ pixels ** 2 / total - mean_y ** 2
    slope = np.where(S_yy > 1e-9, S_xy / np.maximum(S_yy, 1e-9), 0.0)
    middle = (side - 1) / 2
    centred, blank = pixels - middle, total <= 1e-12
    y = np.where(blank, middle, mean_y)[:, None, None] + centred[:, None]
    x = np.where(blank, middle, mean_x)[:, None, None] + centred + slope[:, None, None] * centred[:, None]
    at = np.broadcast_arrays(np.arange(len(images))[:, None, None], y, x)
    out = ndimage.map_coordinates(images.reshape(-1, side, side), at, images.dtype, order=1, mode="grid-constant")
    out[np.abs(out) < np.abs(images).max(initial=0.0) / 512] = 0.0     # below the first of 256 grey levels: paper
    return out.reshape(len(images), -1)
