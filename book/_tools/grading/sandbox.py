"""The process of one submission: runs cells, evaluates answers, calls functions, as it is told over a pipe.

What it may see and reach is decided by who starts it (`boundary.py`); here it limits its memory, the size of its files,
its processor time and its threads before it runs the first cell.  It holds no check and no points.
"""
from __future__ import annotations

import base64
import builtins
import contextlib
import importlib
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

SHOWN = ("text/plain", "image/png")             # forms of an output that a report shows
OUTPUTS = 10_000_000                            # letters of all outputs of a cell
NOTHING_TO_DO = ("matplotlib", "pip", "conda", "mamba", "uv", "pylab")      # magics that a notebook begins with
RAISES = ("time", "timeit", "prun", "run", "capture")                       # those that run code of the student's
handles: list[Any] = []


# ---- limits ----------------------------------------------------------------------------------------------------------
def limit(memory: int, disk: int, cpu: int, threads: int) -> None:
    """Set the limits of this process, for good."""
    for what, most in ((resource.RLIMIT_AS, memory), (resource.RLIMIT_FSIZE, disk), (resource.RLIMIT_CPU, cpu),
                       (resource.RLIMIT_CORE, 0), (resource.RLIMIT_NPROC, threads), (resource.RLIMIT_NOFILE, 256)):
        resource.setrlimit(what, (most, most))
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)              # a file that grows too large is an OSError


def take_compiled(directory: str) -> None:
    """Link what was compiled for the class into the own directory, where it may be added to."""
    for kind, there in (("numba", "NUMBA_CACHE_DIR"), ("matplotlib", "MPLCONFIGDIR")):
        for file in Path(directory, kind).rglob("*"):
            target = Path(os.environ[there], file.relative_to(Path(directory, kind)))
            if file.is_file() and not target.exists():
                target.parent.mkdir(parents=True, exist_ok=True)
                target.symlink_to(file)


# ---- values over the pipe --------------------------------------------------------------------------------------------
def encode(value: Any) -> Any:
    """A value as JSON that the judge can read without trust: no pickle goes in this direction."""
    from svmcourse.shared.forms import as_data

    return coded(as_data(value))


def coded(value: Any) -> Any:  # noqa: PLR0911  one return a form
    """What `as_data` gives, as JSON."""
    import numpy as np

    from svmcourse.shared.forms import Sparse

    if value is None or isinstance(value, (bool, int, float, str)):
        return {"v": value}
    if value is Ellipsis:
        return {"v": None}
    if isinstance(value, np.ndarray):
        raw = base64.b64encode(np.ascontiguousarray(value).tobytes()).decode()
        return {"z" if isinstance(value, Sparse) else "a": [value.dtype.str, list(value.shape), raw]}
    for kind, form in (("t", tuple), ("l", list), ("s", set)):
        if isinstance(value, form):
            return {kind: [coded(v) for v in value]}
    if isinstance(value, dict):
        return {"d": [[coded(k), coded(v)] for k, v in value.items()]}
    if callable(value):
        handles.append(value)
        return {"f": [len(handles) - 1, str(getattr(value, "__name__", "your function"))[:80]]}
    return {"o": repr(value)}


def described(error: BaseException) -> str:
    """An exception in words, with the line of a cell where it happened."""
    if isinstance(error, SyntaxError) and error.lineno:
        text = (error.text or "").strip()[:200]
        return f"{type(error).__name__} ({str(error.msg)[:300]}) in line {error.lineno}, `{text}`"
    line = ""
    for frame in traceback.extract_tb(error.__traceback__):
        if "<cell" in frame.filename or "ipython-input" in frame.filename:
            line = f" in line {frame.lineno}, `{linecache.getline(frame.filename, frame.lineno).strip()[:200]}`"
    return f"{type(error).__name__} ({str(error)[:300]}){line}"


# ---- what it is told -------------------------------------------------------------------------------------------------
def shell_of_cells() -> Any:
    """A shell that runs cells as a notebook does, in which `!` and `%` lose nothing of what stands below them."""
    from IPython.core.interactiveshell import InteractiveShell
    from IPython.utils.text import SList
    from traitlets.config import Config

    class Shell(InteractiveShell):
        """A shell without a system behind it."""

        def system(self, command: str) -> None:
            """What `!command` calls."""
            print(f"[not run while a class is graded: {command}]")

        system_raw = system_piped = system

        def getoutput(self, command: str, split: bool = True, depth: int = 0) -> Any:
            """What `name = !command` calls."""
            self.system(command)
            return SList() if split else ""

        def run_line_magic(self, magic_name: str, line: str, _stack_depth: int = 1) -> Any:
            """What `%name line` calls."""
            return self._quietly(magic_name, super().run_line_magic, line, _stack_depth + 2)

        def run_cell_magic(self, magic_name: str, line: str, cell: str) -> Any:
            """What `%%name` calls."""
            return self._quietly(magic_name, super().run_cell_magic, line, cell)

        def _quietly(self, name: str, magic: Any, *arguments: Any) -> Any:
            """Run a magic; one that cannot work here says so and is passed over."""
            if name in NOTHING_TO_DO:
                return None
            if name in RAISES:
                return magic(name, *arguments)
            try:
                return magic(name, *arguments)
            except Exception as error:
                print(f"[%{name} does nothing while a class is graded: {error}]")

        def showtraceback(self, *arguments: Any, **named: Any) -> None:
            """Errors go to the judge."""

    return Shell.instance(colors="nocolor", config=Config({"HistoryManager": {"enabled": False}}))


def run(shell: Any, code: str, name: str) -> dict[str, Any]:
    """Run a cell as a notebook does; its outputs in nbformat, and what went wrong."""
    from IPython.utils.capture import capture_output

    importlib.invalidate_caches()               # a module may have been written a moment ago
    with capture_output() as captured:
        compiled = shell.run_cell(code, store_history=False, cell_id=name)
    outputs: list[dict[str, Any]] = []
    room = OUTPUTS
    if captured.stdout:
        outputs.append({"output_type": "stream", "name": "stdout", "text": captured.stdout[:20_000]})
    for shown in captured.outputs[:50]:
        data = {kind: value for kind, value in shown.data.items() if kind in SHOWN and isinstance(value, (str, bytes))}
        data = {kind: base64.b64encode(v).decode() if isinstance(v, bytes) else v for kind, v in data.items()}
        room -= sum(map(len, data.values()))
        if room > 0:
            outputs.append({"output_type": "display_data", "data": data, "metadata": {}})
    if "matplotlib.pyplot" in sys.modules:
        outputs += figures()
    error = compiled.error_before_exec or compiled.error_in_exec
    return {"outputs": outputs, "error": None if error is None else described(error)}


def no_input(prompt: object = "") -> str:
    """What input() does here, where nobody is asked."""
    raise EOFError("input() gets no answer while a class is graded: store the value in the cell")


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
    try:
        if order["do"] == "run":
            return run(shell, order["code"], order["name"])
        if order["do"] == "evaluate":
            value = eval(compile(order["code"], "<answer>", "eval"), shell.user_ns)
            return {"value": encode(value)}
        sent = base64.b64decode(order["arguments"])
        (arguments, named), (given, _) = pickle.loads(sent), pickle.loads(sent)
        with contextlib.redirect_stdout(io.StringIO()):
            value = encode(handles[order["handle"]](*arguments, **named))
        changed = [[k, encode(a)] for k, (a, b) in enumerate(zip(arguments, given, strict=True))
                   if hasattr(a, "dtype") and not (a == b).all()]
        return {"value": value, "changed": changed}
    except NotImplementedError:     # what a task holds before it is solved: blank, not wrong
        return {"value": {"v": None}, "outputs": []}
    except BaseException as error:
        return {"error": described(error), "kind": type(error).__name__, "outputs": []}


def answered(shell: Any, order: dict[str, Any]) -> bytes:
    """The answer to an order, as a line."""
    try:
        answer = json.dumps({**obey(shell, order), "id": order["id"]})
    except Exception as error:
        answer = json.dumps({"error": f"an answer that cannot be written down ({type(error).__name__})",
                             "id": order["id"]})
    return answer.encode() + b"\n"


def main() -> None:
    """Read orders from where the input was, write answers to where the output was, until the pipe is closed."""
    orders, answers, nothing = os.dup(0), os.dup(1), os.open(os.devnull, os.O_RDWR)
    for stream in (0, 1, 2):
        os.dup2(nothing, stream)
    limits = json.loads(sys.argv[1])
    os.environ["MPLBACKEND"] = "agg"
    import numpy  # noqa: F401

    sys.path.insert(0, "")                      # as in a notebook: modules that its cells write
    builtins.input = no_input
    shell = shell_of_cells()
    take_compiled(limits.pop("compiled"))
    limit(**limits)
    with open(orders, "rb", closefd=False) as read, open(answers, "wb", closefd=False) as write:
        for line in read:
            write.write(answered(shell, json.loads(line)))
            write.flush()


if __name__ == "__main__":
    main()
