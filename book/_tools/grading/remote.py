"""The judge's end of the pipe: starts the sandbox, watches time and disk, and shows answers as values and functions."""
from __future__ import annotations

import base64
import contextlib
import functools
import json
import os
import pickle
import select
import shutil
import signal
import subprocess
import sys
import time
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np
import psutil

LARGEST = 100_000_000           # bytes of one answer
WAITS = 3.0                     # seconds by the clock for each second of the processor


@dataclass(frozen=True)
class Limits:
    """What a submission may use: processor seconds for a cell and in all, bytes of memory and of disk.

    A machine that is busy does not shorten anybody's time; WAITS times as long by the clock ends who only sleeps.
    """

    cell: float = 20.0
    total: float = 120.0
    memory: int = 4_000_000_000
    disk: int = 50_000_000


class Stopped(BaseException):      # so that no check takes it for an exception of the answer
    """The sandbox is gone: "timeout", "disk", "crash" or "forged"."""

    def __init__(self, why: str, message: str) -> None:
        super().__init__(message)
        self.why = why


class AnswerError(Exception):
    """A function of the submission raised; `described` says what, with its line."""

    def __init__(self, described: str) -> None:
        super().__init__(described)
        self.described = described


class Opaque:
    """A value that cannot cross the pipe; only its description does."""

    def __init__(self, description: str) -> None:
        self.description = description

    def __repr__(self) -> str:
        return self.description

    def __array__(self, dtype: Any = None, copy: Any = None) -> np.ndarray:
        raise TypeError(self.description)


@functools.cache
def isolation() -> tuple[str, ...]:
    """The command that cuts off network and other processes, or () where this system does not permit it."""
    for flags in (["--net", "--pid", "--fork", "--kill-child"],
                  ["--user", "--map-root-user", "--net", "--pid", "--fork", "--kill-child"]):
        command = ("unshare", *flags)
        if shutil.which("unshare"):
            tried = subprocess.run([*command, "true"], capture_output=True, check=False)
            if tried.returncode == 0:
                return command
    return ()


class Sandbox:
    """One submission's process, started at the first order, killed where it exceeds a limit."""

    def __init__(self, directory: Path, limits: Limits) -> None:
        self.directory, self.limits = directory, limits
        self.process: subprocess.Popen | None = None
        self.end, self.spent_before = time.monotonic() + WAITS * limits.total, 0.0
        self.buffer, self.count, self.before = b"", 0, 0

    def start(self) -> None:
        """Start it with an environment that holds nothing of ours."""
        compiled = os.environ.get("SVMLIB_GRADING_CACHE")          # what svmlib compiles, compiled once for all
        if compiled and not (self.directory / "numba").exists():
            shutil.copytree(compiled, self.directory / "numba")
        self.before = self.used()
        here, theirs = os.pipe(), os.pipe()
        # The last two name another processor, for which the code was compiled then.
        kept = ("PATH", "LANG", "LC_ALL", "PYTHONPATH", "OPENBLAS_CORETYPE", "NUMBA_CPU_NAME")
        environment = {name: os.environ[name] for name in kept if name in os.environ}
        environment |= {"HOME": str(self.directory), "TMPDIR": str(self.directory), "OMP_NUM_THREADS": "1",
                        "OPENBLAS_NUM_THREADS": "1", "SVMLIB_PROGRESS": "off", "PYTHONDONTWRITEBYTECODE": "1",
                        "IPYTHONDIR": str(self.directory), "MPLCONFIGDIR": str(self.directory), "PYTHONHASHSEED": "0",
                        "NUMBA_CACHE_DIR": str(self.directory / "numba")}
        limits = json.dumps({"memory": self.limits.memory, "disk": self.limits.disk // 2,
                             "cpu": int(self.limits.total) + 5})
        program = str(Path(__file__).with_name("sandbox.py"))
        command = [*isolation(), sys.executable, program, str(here[0]), str(theirs[1]), limits]
        self.process = subprocess.Popen(command, cwd=self.directory, env=environment, pass_fds=(here[0], theirs[1]),
                                        stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                                        start_new_session=True)
        os.close(here[0])
        os.close(theirs[1])
        self.orders, self.answers, self.buffer = here[1], theirs[0], b""

    def ask(self, seconds: float, **order: Any) -> dict[str, Any]:
        """Send an order and wait for its answer; raises Stopped where none comes."""
        if self.process is None:
            self.start()
            seconds += 30.0                                    # it imports first
        assert self.process is not None
        end, allowed = min(time.monotonic() + WAITS * seconds, self.end), self.spent() + seconds
        self.count += 1
        try:
            os.write(self.orders, json.dumps({**order, "id": self.count}).encode() + b"\n")
        except OSError:
            raise self.stop("crash", "the process had ended") from None
        while b"\n" not in self.buffer:
            left, spent = end - time.monotonic(), self.spent()
            if left <= 0 or spent > allowed or self.spent_before + spent > self.limits.total:
                raise self.stop("timeout", f"still running after {seconds:g} seconds")
            if select.select([self.answers], [], [], min(left, 0.25))[0]:
                piece = os.read(self.answers, 1 << 20)
                if not piece:
                    raise self.stop("crash", "Python itself ended: a crash, exit(), or too much memory")
                self.buffer += piece
            if len(self.buffer) > LARGEST:
                raise self.stop("crash", "an answer of more than 100 MB")
            if self.used() - self.before > self.limits.disk:
                raise self.stop("disk", f"more than {self.limits.disk / 1e6:g} MB of files")
        line, _, self.buffer = self.buffer.partition(b"\n")
        try:
            answer = json.loads(line)
        except ValueError:
            answer = None
        if not isinstance(answer, dict) or answer.get("id") != self.count or self.buffer:
            raise self.stop("forged", "something was written to the grader that is no answer")
        return answer

    def spent(self) -> float:
        """Processor seconds of the process and all that it started."""
        assert self.process is not None
        seconds = 0.0
        with contextlib.suppress(psutil.Error):
            top = psutil.Process(self.process.pid)
            for process in (top, *top.children(recursive=True)):
                with contextlib.suppress(psutil.Error):
                    seconds += sum(process.cpu_times()[:2])
        return seconds

    def used(self) -> int:
        """Bytes of the files that the submission wrote."""
        return sum(path.lstat().st_size for path in self.directory.rglob("*") if path.is_file())

    def stop(self, why: str = "", message: str = "") -> Stopped:
        """Kill the process and all that it started."""
        if self.process is not None:
            self.spent_before += self.spent()
            with contextlib.suppress(ProcessLookupError):
                os.killpg(self.process.pid, signal.SIGKILL)
            self.process.wait()
            os.close(self.orders)
            os.close(self.answers)
            self.process = None
        if why == "disk":
            for path in self.directory.iterdir():
                shutil.rmtree(path) if path.is_dir() else path.unlink()
        return Stopped(why, message)

    # ---- answers as values ---------------------------------------------------------------------------------------
    def decode(self, coded: Any, seconds: float) -> Any:  # noqa: PLR0911  one return a form
        """What `sandbox.encode` coded; anything else becomes Opaque."""
        match coded:
            case {"v": value} if value is None or isinstance(value, (bool, int, float, str)):
                return value
            case {"a": [str(kind), list(shape), str(raw)]} if np.dtype(kind).kind in "biufcU":
                return np.frombuffer(base64.b64decode(raw), np.dtype(kind)).reshape(shape).copy()
            case {"t": list(values)}:
                return tuple(self.decode(v, seconds) for v in values)
            case {"l": list(values)}:
                return [self.decode(v, seconds) for v in values]
            case {"d": list(pairs)}:
                return {_key(self.decode(k, seconds)): self.decode(v, seconds) for k, v in pairs}
            case {"f": [int(handle), str(name)]}:
                return Function(self, handle, name, seconds)
            case {"o": description}:
                return Opaque(str(description)[:200])
        return Opaque("something that is no answer")


def _key(value: Any) -> Any:
    """A key of a dict."""
    return value if isinstance(value, (str, int, float, bool, tuple)) else repr(value)


class Function:
    """A function of the submission, called in its process: arguments go there as copies, its value comes back as data.

    An array that it changed in place comes back too, and is then changed here, as by a call without a pipe.
    """

    def __init__(self, sandbox: Sandbox, handle: int, name: str, seconds: float) -> None:
        self.sandbox, self.handle, self.__name__, self.seconds = sandbox, handle, name, seconds

    def __deepcopy__(self, memo: Any) -> Function:
        return self

    def __call__(self, *arguments: Any, **named: Any) -> Any:
        # Unpickling can run code, so only the sandbox unpickles, and only what the judge wrote.
        sent = base64.b64encode(pickle.dumps((arguments, named))).decode()
        answer = self.sandbox.ask(self.seconds, do="call", handle=self.handle, arguments=sent)
        if "error" in answer:
            raise AnswerError(str(answer["error"])[:600])
        changed = answer.get("changed")
        for entry in changed if isinstance(changed, list) else []:
            match entry:
                case [int(k), coded] if 0 <= k < len(arguments) and isinstance(arguments[k], np.ndarray):
                    after = self.sandbox.decode(coded, self.seconds)
                    if isinstance(after, np.ndarray) and after.shape == arguments[k].shape:
                        arguments[k][...] = after.astype(arguments[k].dtype)
        return self.sandbox.decode(answer.get("value"), self.seconds)


def settings(limits: Limits) -> dict[str, Any]:
    """The limits, for a report."""
    return asdict(limits)
