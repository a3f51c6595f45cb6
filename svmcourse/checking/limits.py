"""Run a check with a limit of time, so that an endless loop costs two seconds and not the session.

Where the system can fork, the check runs in a copy of the process: it can be killed whatever it does, its memory is
limited, and nothing that it changes or breaks is changed or broken here.  Elsewhere it runs in a thread, which is
told to stop and, if it does not listen, is left alone.
"""
import ctypes
import faulthandler
import io
import os
import signal
import sys
import threading
import time
import warnings
from collections.abc import Callable
from contextlib import redirect_stderr, redirect_stdout
from multiprocessing import Pipe
from multiprocessing.connection import Connection
from typing import Any

MEMORY = 2_000_000_000          # bytes that a check may take beyond what the session has
OWN = 3.0                       # seconds that a check may take before it calls an answer, on a busy machine
_channel: list[Connection] = []


def announce(name: str) -> None:
    """Say which function is called next, so that the report of an endless loop can name it."""
    if _channel:
        _channel[-1].send(("calling", name))


def run(check: Callable[[], Any], seconds: float) -> Any:
    """check(), or a pair (key, message) where it did not end well."""
    forks = sys.platform.startswith("linux") and hasattr(os, "fork")
    return (_in_child if forks else _in_thread)(check, seconds)


def _in_child(check: Callable[[], Any], seconds: float) -> Any:
    """In a forked process, killed at the limit."""
    here, there = Pipe(duplex=False)
    sys.stdout.flush()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)         # fork beside the threads of a notebook's kernel
        child = os.fork()
    if child == 0:
        _child(check, there)
    there.close()
    name, outcome = "your code", None
    end = time.monotonic() + seconds + OWN          # before the first call of an answer the time is the check's own
    try:
        while outcome is None:
            left = end - time.monotonic()
            if left <= 0 or not here.poll(left):
                return "timeout", f"{name} was still running after {seconds:g} seconds and was stopped."
            kind, value = here.recv()
            if kind == "calling":
                end = min(end, time.monotonic() + seconds) if name != "your code" else time.monotonic() + seconds
                name = value
            else:
                outcome = value
    except EOFError:
        return "crash", f"{name} ended Python itself: a crash, exit(), or too much memory."
    finally:
        os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)
        here.close()
    return outcome


def _child(check: Callable[[], Any], there: Connection) -> None:
    """What the forked process does; it never returns."""
    try:
        os.setpgid(0, 0)
        faulthandler.disable()                                      # a crash is reported in one sentence
        signal.signal(signal.SIGINT, signal.SIG_IGN)                # Ctrl-C belongs to the session
        _limit_memory()
        _channel.append(there)
        with redirect_stdout(io.StringIO()), redirect_stderr(io.StringIO()):
            there.send(("result", check()))
    except MemoryError:
        there.send(("result", ("memory", f"your code asked for more than {MEMORY / 1e9:g} GB of memory.")))
    finally:
        os._exit(0)


def _limit_memory() -> None:
    """Allow MEMORY bytes more than are in use now."""
    import resource

    with open("/proc/self/statm", encoding="ascii") as file:
        used = int(file.read().split()[0]) * resource.getpagesize()
    limit = resource.getrlimit(resource.RLIMIT_AS)[1]
    wanted = used + MEMORY
    resource.setrlimit(resource.RLIMIT_AS, (wanted if limit < 0 else min(wanted, limit), limit))


def _in_thread(check: Callable[[], Any], seconds: float) -> Any:
    """In a thread of this process, left behind at the limit."""
    outcome: list[Any] = []

    def work() -> None:
        try:
            outcome.append(check())
        except BaseException as error:
            outcome.append(("crash", f"your code stopped with {type(error).__name__}."))

    thread = threading.Thread(target=work, daemon=True)
    thread.start()
    thread.join(seconds)
    if not outcome:
        assert thread.ident is not None
        ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(thread.ident), ctypes.py_object(SystemExit))
        return "timeout", f"your code was still running after {seconds:g} seconds and was stopped."
    return outcome[0]
