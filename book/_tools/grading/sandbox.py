"""The process of one submission: runs cells, evaluates answers, calls functions, as it is told over a pipe.

It limits itself before it runs the first cell: memory, size of files, processor time, and by an audit hook what may
be written and reached.  It is started without network where the system permits.  It holds no check and no points.
"""
from __future__ import annotations

import base64
import contextlib
import io
import json
import linecache
import os
import pickle
import resource
import signal
import sys
import traceback
from pathlib import Path
from typing import Any

FORBIDDEN = ("socket.connect", "socket.bind", "socket.getaddrinfo", "subprocess.Popen", "os.system", "os.fork",
             "os.forkpty", "os.posix_spawn", "os.exec", "os.kill", "os.killpg", "pty.spawn")
CHANGES = ("os.remove", "os.rename", "os.rmdir", "os.mkdir", "os.link", "os.symlink", "os.chmod", "os.chown",
           "os.truncate", "shutil.rmtree", "shutil.move", "shutil.copyfile")
handles: list[Any] = []


# ---- limits ----------------------------------------------------------------------------------------------------------
def limit(memory: int, disk: int, seconds: int) -> None:
    """Set the limits of this process, for good."""
    for what, most in ((resource.RLIMIT_AS, memory), (resource.RLIMIT_FSIZE, disk), (resource.RLIMIT_CPU, seconds),
                       (resource.RLIMIT_CORE, 0)):
        resource.setrlimit(what, (most, most))
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)              # a file that grows too large is an OSError


def guard(directory: Path) -> None:
    """Refuse to write outside of the directory, to reach the network, and to start or end processes."""
    inside = str(directory.resolve()) + os.sep

    def own(path: Any) -> bool:
        if isinstance(path, int):
            return True
        with contextlib.suppress(TypeError, ValueError):
            full = os.path.realpath(os.fsdecode(path))
            return full.startswith(inside) or full == inside[:-1] or full == "/dev/null"
        return False

    def hook(event: str, arguments: tuple) -> None:
        if event == "open":
            path, mode, flags = arguments
            writes = any(c in (mode or "") for c in "wax+") or (isinstance(flags, int) and flags & 3)
            if writes and not own(path):
                raise PermissionError(f"writing to {path} is not allowed here; write to the current directory")
        elif event in CHANGES and not own(arguments[0]):
            raise PermissionError(f"{event} of {arguments[0]} is not allowed here")
        elif event in FORBIDDEN:
            raise PermissionError(f"{event} is not allowed here")

    sys.addaudithook(hook)


# ---- values over the pipe ------------------------------------------------------------------------------------------
def encode(value: Any, depth: int = 0) -> Any:  # noqa: PLR0911  one return a form
    """A value as JSON that the judge can read without trust: no pickle goes in this direction."""
    import numpy as np

    if value is None or isinstance(value, (bool, int, float, str)):
        return {"v": value} if not isinstance(value, int) or abs(value) < 2 ** 63 else {"o": "a huge integer"}
    if value is Ellipsis:
        return {"v": None}
    if isinstance(value, np.generic):
        value = np.asarray(value)
    if type(value).__module__.partition(".")[0] in ("cvxopt", "pandas"):
        with contextlib.suppress(Exception):
            value = np.array(value)
    if isinstance(value, np.ndarray):
        if value.dtype.kind not in "biufcU" or value.nbytes > 50_000_000:
            return {"o": f"an array of {value.dtype} and shape {value.shape}"}
        raw = base64.b64encode(np.ascontiguousarray(value).tobytes()).decode()
        return {"a": [value.dtype.str, list(value.shape), raw]}
    if isinstance(value, (list, tuple)) and depth < 6 and len(value) < 100_000:
        return {"t" if isinstance(value, tuple) else "l": [encode(v, depth + 1) for v in value]}
    if isinstance(value, dict) and depth < 6:
        return {"d": [[encode(k, depth + 1), encode(v, depth + 1)] for k, v in value.items()]}
    if callable(value):
        handles.append(value)
        return {"f": [len(handles) - 1, str(getattr(value, "__name__", "your function"))]}
    return {"o": f"{value!r:.60}, of type {type(value).__name__}"}


def described(error: BaseException) -> str:
    """An exception in words, with the line of a cell where it happened."""
    line = ""
    for frame in traceback.extract_tb(error.__traceback__):
        if "<cell" in frame.filename or "ipython-input" in frame.filename:
            line = f" in line {frame.lineno}, `{linecache.getline(frame.filename, frame.lineno).strip()}`"
    return f"{type(error).__name__} ({str(error)[:300]}){line}"


# ---- what it is told -------------------------------------------------------------------------------------------------
def run(shell: Any, code: str, name: str) -> dict[str, Any]:
    """Run a cell as a notebook does; its outputs in nbformat, and what went wrong."""
    from IPython.utils.capture import capture_output

    with capture_output() as captured:
        compiled = shell.run_cell(code, store_history=False, cell_id=name)
    outputs: list[dict[str, Any]] = []
    if captured.stdout:
        outputs.append({"output_type": "stream", "name": "stdout", "text": captured.stdout[:20_000]})
    for shown in captured.outputs:
        data = {kind: value for kind, value in shown.data.items() if kind in ("text/plain", "text/html", "image/png")}
        data = {kind: base64.b64encode(v).decode() if isinstance(v, bytes) else v for kind, v in data.items()}
        outputs.append({"output_type": "display_data", "data": data, "metadata": {}})
    if "matplotlib.pyplot" in sys.modules:
        outputs += figures()
    error = compiled.error_before_exec or compiled.error_in_exec
    return {"outputs": outputs, "error": None if error is None else described(error)}


def figures() -> list[dict[str, Any]]:
    """The open figures as pictures; closes them."""
    import matplotlib.pyplot as plt

    found = []
    for number in plt.get_fignums():
        picture = io.BytesIO()
        with contextlib.suppress(Exception):
            plt.figure(number).savefig(picture, dpi=60, format="png")
            found.append({"output_type": "display_data", "metadata": {},
                          "data": {"image/png": base64.b64encode(picture.getvalue()).decode()}})
    plt.close("all")
    return found


def obey(shell: Any, order: dict[str, Any]) -> dict[str, Any]:
    """Carry out one order."""
    if order["do"] == "run":
        return run(shell, order["code"], order["name"])
    try:
        if order["do"] == "evaluate":
            value = eval(compile(order["code"], "<cell>", "eval"), shell.user_ns)
            return {"value": encode(value)}
        sent = base64.b64decode(order["arguments"])
        (arguments, named), (given, _) = pickle.loads(sent), pickle.loads(sent)
        with contextlib.redirect_stdout(io.StringIO()):
            value = handles[order["handle"]](*arguments, **named)
        changed = [[k, encode(a)] for k, (a, b) in enumerate(zip(arguments, given, strict=True))
                   if hasattr(a, "dtype") and not (a == b).all()]
        return {"value": encode(value), "changed": changed}
    except NotImplementedError:     # what a task holds before it is solved: blank, not wrong
        return {"value": {"v": None}}
    except BaseException as error:
        return {"error": described(error), "kind": type(error).__name__}


def main() -> None:
    """Read orders from one file descriptor, write answers to another, until the pipe is closed."""
    orders, answers = int(sys.argv[1]), int(sys.argv[2])
    limits = json.loads(sys.argv[3])
    os.environ["MPLBACKEND"] = "agg"
    import numpy  # noqa: F401
    from IPython.core.interactiveshell import InteractiveShell

    shell = InteractiveShell.instance(colors="nocolor")
    shell.history_manager.enabled = False
    shell.showtraceback = lambda *args, **kwargs: None         # errors go to the judge
    limit(limits["memory"], limits["disk"], limits["cpu"])
    guard(Path.cwd())
    with open(orders, "rb", closefd=False) as read, open(answers, "wb", closefd=False) as write:
        for line in read:
            order = json.loads(line)
            write.write(json.dumps({**obey(shell, order), "id": order["id"]}).encode() + b"\n")
            write.flush()


if __name__ == "__main__":
    main()
