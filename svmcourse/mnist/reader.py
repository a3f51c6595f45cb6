"""The machine behind the canvas: 45 machines on 2,000 training images, stored in `machine.bin` as the page loads it.

`python -m svmcourse.mnist.reader` trains them and stores what they need: the images that are support vectors, with 16
grey levels, their alpha, the 45 b.  The images have 16 grey levels when they are learnt, so nothing of them is lost.
"""
import gzip
import json
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import numpy as np

from svmlib import SVC
from svmlib.data import load_mnist
from svmlib.data.digits import deskew
from svmlib.kernels import Gaussian
from svmlib.svc.multiclass import class_pairs, votes

FILE = Path(__file__).with_name("machine.bin")
DRAWINGS = Path(__file__).with_name("drawings.json")
GAMMA, C = 0.02, 10.0
GREYS = 15              # levels above paper
STEPS = 2**16 - 1       # of an alpha between 0 and C
PAIRS = class_pairs(10)


@dataclass(frozen=True)
class Reader:
    """Support vectors (n, 784) by ascending digit (n,), their beta = y alpha in the 45 machines (45, n), b (45,)."""

    vectors: np.ndarray
    digits: np.ndarray
    beta: np.ndarray
    b: np.ndarray

    def kernel(self, images: np.ndarray) -> np.ndarray:
        """How much each image (m, 784) resembles each support vector, (m, n)."""
        return Gaussian(gamma=GAMMA)(images, self.vectors)

    def decision(self, images: np.ndarray) -> np.ndarray:
        """f of the 45 machines, (m, 45), positive for the first digit of `PAIRS`."""
        return self.kernel(images) @ self.beta.T + self.b

    def votes(self, images: np.ndarray) -> np.ndarray:
        """Votes of each digit, (m, 10)."""
        return votes(self.decision(images), 10)

    def read(self, images: np.ndarray) -> np.ndarray:
        """The digits read, (m,): that with most votes, of equals the smallest."""
        return self.votes(images).argmax(axis=1)

    def pushes(self, row: np.ndarray, digit: int, other: int) -> np.ndarray:
        """What each support vector adds to f of the machine of two digits, (n,), positive for the first.

        row (n,): of `kernel(images)`.
        """
        pair = PAIRS.index((min(digit, other), max(digit, other)))
        return (1 if digit < other else -1) * self.beta[pair] * row


def ranked(counts: np.ndarray) -> tuple[int, int]:
    """The digit with most votes and the next, of counts (10,); of equals the smaller first.

    >>> ranked(np.array([4, 9, 0, 8, 8, 3, 2, 5, 6, 0]))
    (1, 3)
    """
    first, second = np.argsort(-counts, kind="stable")[:2]
    return int(first), int(second)


# ---- trained and stored
def trained() -> Reader:
    """Train on the 2,000 images of the chapter, upright and with 16 grey levels."""
    X, y, _, _ = load_mnist()
    rng = np.random.default_rng(0)
    rng.choice(len(X), 500, replace=False)                          # as in the chapter, where others are drawn first
    rows = rng.choice(len(X), 2000, replace=False)
    images = np.rint(GREYS * deskew(X[rows]).clip(0, 1)) / GREYS
    machine = SVC(Gaussian(gamma=GAMMA), C=C, tol=1e-5).fit(images, y[rows])
    vectors, digits = images[machine.support_], y[rows][machine.support_]
    beta = np.zeros((len(PAIRS), len(digits)))
    for k, (p, q) in enumerate(PAIRS):                              # scikit-learn's layout: a row for each other digit
        beta[k, digits == p] = machine.dual_coef_[q - 1, digits == p]
        beta[k, digits == q] = machine.dual_coef_[p, digits == q]
    return Reader(vectors, digits, beta, machine.intercept_)


def packed(reader: Reader) -> bytes:
    """As the page loads it: a line of JSON; two pixels a byte; for each vector its nine alpha, two bytes each."""
    head = {"gamma": GAMMA, "C": C, "counts": np.bincount(reader.digits, minlength=10).tolist(),
            "b": [round(float(b), 7) for b in reader.b]}
    greys = np.rint(GREYS * reader.vectors).astype(np.uint8)
    alpha = np.stack([np.abs(reader.beta[machines_of(digit), i]) for i, digit in enumerate(reader.digits)])
    return gzip.compress(b"".join([
        json.dumps(head).encode() + b"\n", (16 * greys[:, ::2] + greys[:, 1::2]).tobytes(),
        np.rint(STEPS / C * alpha).astype("<u2").T.tobytes()]), 9, mtime=0)


def unpacked(data: bytes) -> Reader:
    """The machine in such bytes."""
    line, rest = gzip.decompress(data).split(b"\n", 1)
    head = json.loads(line)
    digits = np.repeat(np.arange(10), head["counts"])
    n = len(digits)
    pixels = np.frombuffer(rest, np.uint8, n * 392).reshape(n, 392)
    vectors = np.stack([pixels >> 4, pixels & 15], axis=2).reshape(n, 784) / GREYS
    alpha = np.frombuffer(rest, "<u2", 9 * n, n * 392).reshape(9, n) * (head["C"] / STEPS)
    beta = np.zeros((len(PAIRS), n))
    for i, digit in enumerate(digits.tolist()):
        own = machines_of(digit)
        beta[own, i] = alpha[:, i] * [1 if PAIRS[k][0] == digit else -1 for k in own]
    return Reader(vectors, digits, beta, np.array(head["b"]))


def machines_of(digit: int) -> list[int]:
    """The nine machines that know a digit."""
    return [k for k, pair in enumerate(PAIRS) if digit in pair]


@cache
def stored() -> Reader:
    """The machine of the page."""
    return unpacked(FILE.read_bytes())


def drawings() -> dict[str, list[list[list[float]]]]:
    """Some digits as strokes, by name: points (x, y) in parts of the canvas, y down."""
    return json.loads(DRAWINGS.read_text(encoding="utf8"))


if __name__ == "__main__":
    FILE.write_bytes(packed(trained()))
    print(f"{FILE.name}: {len(stored().digits)} support vectors, {FILE.stat().st_size:,} bytes")
