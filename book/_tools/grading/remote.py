"""The judge's end of the pipe: starts the sandbox, watches its time, and shows answers as values and functions."""
from __future__ import annotations

import base64
import contextlib
import json
import os
import select
import signal
import subprocess
import sys
import tempfile
import time
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import cloudpickle
import numpy as np
import psutil

from grading.boundary import HOME, SIGSYS, Boundary
from svmcourse.shared.forms import DEEPEST, NAME, Opaque, Sparse

LARGEST = 100_000_000           # bytes of one answer
WAITS = 3.0                     # seconds by the clock for each second of the processor
LOOK = 0.25                     # seconds between two looks at what a process has used


@dataclass(frozen=True)
class Limits:
    """What a submission may use: processor seconds for a cell and in all, bytes of memory and of disk.

    A machine that is busy does not shorten anybody's time; WAITS times as long by the clock ends who only sleeps, and
    there what a process waits for a processor does not count.
    """

    cell: float = 20.0
    total: float = 120.0
    memory: int = 4_000_000_000
    disk: int = 50_000_000


class Stopped(BaseException):      # so that no check takes it for an exception of the answer
    """The sandbox is gone: "timeout", "crash", "refused" or "forged"."""

    def __init__(self, why: str, message: str) -> None:
        super().__init__(message)
        self.why = why


class AnswerError(Exception):
    """A function of the submission raised; `described` says what, with its line."""

    def __init__(self, described: str) -> None:
        super().__init__(described)
        self.described = described


class Sandbox:
    """One submission's process, started at the first order, ended where it exceeds a limit."""

    def __init__(self, boundary: Boundary, limits: Limits) -> None:
        self.boundary, self.limits = boundary, limits
        self.process: subprocess.Popen | None = None
        self.spent_before, self.passed_before = 0.0, 0.0        # in all: of the processor, and by the clock
        self.buffer, self.count = b"", 0

    def start(self) -> None:
        """Start it; raises Stopped where the time of the submission is over."""
        if self.passed_before > WAITS * self.limits.total or self.spent_before > self.limits.total:
            raise Stopped("timeout", f"all {self.limits.total:g} seconds of this notebook were used up")
        threads = 64 if os.geteuid() == 0 else 64 + 4 * len(psutil.pids())      # older systems count all of a user's
        limits = json.dumps({"memory": self.limits.memory, "disk": self.limits.disk, "cpu": int(self.limits.total) + 5,
                             "threads": threads, "compiled": str(self.boundary.compiled)})
        self.home = None if self.boundary.runtime else tempfile.TemporaryDirectory(ignore_cleanup_errors=True)
        self.process = self.boundary.start(
            [sys.executable, str(self.boundary.course / "sandbox.py"), limits], self.limits.memory, self.limits.disk,
            HOME if self.home is None else self.home.name, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL, bufsize=0)
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self.orders, self.answers, self.buffer = self.process.stdin.fileno(), self.process.stdout.fileno(), b""
        os.set_blocking(self.orders, False)

    def ask(self, seconds: float, **order: Any) -> dict[str, Any]:
        """Send an order and wait for its answer; raises Stopped where none comes."""
        if self.process is None:
            self.start()
            seconds += 30.0                                    # it imports first
        assert self.process is not None
        watch = Watch(self, seconds)
        self.count += 1
        try:
            self._send(json.dumps({**order, "id": self.count}).encode() + b"\n", watch)
            line = self._receive(watch)
        finally:
            self.passed_before += watch.passed()
        try:
            answer = json.loads(line)
        except (ValueError, RecursionError):
            answer = None
        if not isinstance(answer, dict) or answer.get("id") != self.count or self.buffer:
            raise self.stop("forged", "something was written to the grader that is no answer")
        return answer

    def _receive(self, watch: Watch) -> bytes:
        """Read a line; a process that does not write one is ended in time."""
        pieces = [self.buffer]
        size = len(self.buffer)
        while b"\n" not in pieces[-1]:
            if select.select([self.answers], [], [], watch.until_next())[0]:
                piece = os.read(self.answers, 1 << 20)
                if not piece:
                    raise self._ended()
                pieces.append(piece)
                size += len(piece)
                if size > LARGEST:
                    raise self.stop("crash", "an answer of more than 100 MB")
            if watch.over():
                raise self.stop("timeout", f"still running after {watch.seconds:g} seconds")
        line, _, self.buffer = b"".join(pieces).partition(b"\n")
        return line

    def _send(self, line: bytes, watch: Watch) -> None:
        """Write an order; a process that does not read it is ended in time."""
        while line:
            if not select.select([], [self.orders], [], watch.until_next())[1]:
                if watch.over():
                    raise self.stop("timeout", "it did not listen")
                continue
            try:
                line = line[os.write(self.orders, line):]
            except BlockingIOError:
                continue
            except OSError:
                raise self._ended() from None

    def _ended(self) -> Stopped:
        """It has ended by itself: why."""
        assert self.process is not None
        with contextlib.suppress(subprocess.TimeoutExpired):
            self.process.wait(timeout=60)
        if self.process.returncode in (128 + SIGSYS, -SIGSYS):
            return self.stop("refused", "the system ended it for a call that no answer needs")
        return self.stop("crash", "Python itself ended: a crash, exit(), or too much memory")

    def spent(self) -> float:
        """Processor seconds of the process and all that it started."""
        seconds = 0.0
        for process in self._processes():
            with contextlib.suppress(psutil.Error):
                seconds += sum(process.cpu_times()[:2])
        return seconds

    def starved(self) -> float:
        """Seconds that one of them was ready to run but had no processor, the most of all; Linux counts them."""
        waited = [0.0]
        for process in self._processes():
            with contextlib.suppress(OSError, ValueError, IndexError):
                waited.append(int(Path(f"/proc/{process.pid}/schedstat").read_text().split()[1]) / 1e9)
        return max(waited)

    def _processes(self) -> list[psutil.Process]:
        """The process and all that it started."""
        assert self.process is not None
        with contextlib.suppress(psutil.Error):
            top = psutil.Process(self.process.pid)
            return [top, *top.children(recursive=True)]
        return []

    def stop(self, why: str = "", message: str = "") -> Stopped:
        """Kill the process and all that it started."""
        if self.process is not None:
            self.spent_before += self.spent()
            self.boundary.end(self.process)
            with contextlib.suppress(ProcessLookupError):
                os.killpg(self.process.pid, signal.SIGKILL)
            self.process.wait()
            for stream in (self.process.stdin, self.process.stdout):
                assert stream is not None
                stream.close()
            self.process = None
            if self.home is not None:
                self.home.cleanup()
        return Stopped(why, message)

    # ---- answers as values ---------------------------------------------------------------------------------------
    def decode(self, coded: Any, seconds: float, depth: int = 0) -> Any:  # noqa: PLR0911  one return a form
        """What `sandbox.encode` coded; anything else becomes Opaque."""
        if depth > DEEPEST + 1:
            return Opaque("something nested too deeply")
        match coded:
            case {"v": value} if value is None or isinstance(value, (bool, int, float, str)):
                return value
            case {"a": [str(kind), list(shape), str(raw)]} if np.dtype(kind).kind in "biufcU":
                return np.frombuffer(base64.b64decode(raw), np.dtype(kind)).reshape(shape).copy()
            case {"z": array}:
                array = self.decode({"a": array}, seconds)
                return array.view(Sparse) if isinstance(array, np.ndarray) else array
            case {"t": list(values)}:
                return tuple(self.decode(v, seconds, depth + 1) for v in values)
            case {"l": list(values)}:
                return [self.decode(v, seconds, depth + 1) for v in values]
            case {"s": list(values)}:
                return set(map(_key, (self.decode(v, seconds, depth + 1) for v in values)))
            case {"d": list(pairs)}:
                return {_key(self.decode(k, seconds, depth + 1)): self.decode(v, seconds, depth + 1) for k, v in pairs}
            case {"f": [int(handle), str(name)]}:
                return Function(self, handle, name[:NAME], seconds)
            case {"o": description}:
                return Opaque(str(description)[:200])
        return Opaque("something that is no answer")


class Watch:
    """The time of one order: when to look, how long it has taken by the clock, whether it is over."""

    def __init__(self, sandbox: Sandbox, seconds: float) -> None:
        self.sandbox, self.seconds = sandbox, seconds
        self.start = time.monotonic()
        self.next, self.starved, self.ready = self.start + LOOK, 0.0, -1.0
        self.allowed = 0.0                                      # processor seconds at which it is over

    def until_next(self) -> float:
        """Seconds until the next look."""
        return max(0.0, self.next - time.monotonic())

    def passed(self) -> float:
        """Seconds by the clock, without those that it waited for a processor."""
        return max(0.0, time.monotonic() - self.start - self.starved)

    def over(self) -> bool:
        """Whether its time is over; who answers at once is not looked at, which takes longer."""
        if time.monotonic() < self.next:
            return False
        box = self.sandbox
        spent, ready = box.spent(), box.starved()
        self.ready = ready if self.ready < 0 else self.ready
        self.starved = max(self.starved, ready - self.ready)
        self.allowed = self.allowed or spent + self.seconds
        self.next = time.monotonic() + LOOK
        return (self.passed() > WAITS * self.seconds or spent > self.allowed
                or box.passed_before + self.passed() > WAITS * box.limits.total
                or box.spent_before + spent > box.limits.total)


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

    def __repr__(self) -> str:
        return f"<function {self.__name__}>"

    def __call__(self, *arguments: Any, **named: Any) -> Any:
        # Unpickling can run code, so only the sandbox unpickles, and only what the judge wrote.
        sent = base64.b64encode(_pickled((arguments, named))).decode()
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


def _pickled(values: Any) -> bytes:
    """Values for the sandbox; of the modules of checks, which it does not have, their classes go along."""
    for name, module in list(sys.modules.items()):
        if name.startswith("svmcourse.") and name.rpartition(".")[2].startswith("checks"):
            cloudpickle.register_pickle_by_value(module)
    return cloudpickle.dumps(values)


def settings(limits: Limits) -> dict[str, Any]:
    """The limits, for a report."""
    return asdict(limits)
