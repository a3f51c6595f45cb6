"""Kernels that branch off one process, the trunk, which has imported what all notebooks use: three seconds less each.

`branch()` has Jupyter start the kernels of this process so.  They are kernels as any other: each has a session, a
working directory and an environment of its own, and imports svmlib itself.
"""

from __future__ import annotations

import contextlib
import gc
import importlib
import json
import os
import signal
import subprocess
import sys
import threading
from functools import cache
from importlib.metadata import EntryPoint
from typing import Any

import psutil
from jupyter_client.provisioning import KernelProvisionerFactory, LocalProvisioner

SHARED = ("matplotlib.pyplot", "pandas", "scipy.optimize", "scipy.stats", "numba",
          "sklearn.svm", "sklearn.model_selection", "cvxopt", "ipywidgets", "anywidget", "PIL.Image",
          "ipykernel.ipkernel", "ipykernel.kernelapp", "ipykernel.zmqshell")
READ_AT_START = ("PYTHON", "OMP_", "OPENBLAS_", "NUMBA_", "MPL", "MATPLOTLIB", "IPYTHON", "JUPYTER", "XDG_",
                 "HOME", "TMP")     # variables of which something is kept at an import
BUSY = threading.Lock()


def serve() -> None:
    """The trunk: import what is shared, then start one kernel for each line of standard input and say its process."""
    os.environ["JPY_PARENT_PID"] = str(os.getpid())     # read at an import: a kernel ends with its parent
    for module in SHARED:
        importlib.import_module(module)
    gc.freeze()
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)       # nobody waits for the kernels
    for line in sys.stdin:
        if os.fork() == 0:
            return become(**json.loads(line))


def become(arguments: list[str], cwd: str, env: dict[str, str]) -> None:
    """Be a kernel: what another process has at its start, and what is drawn at random, is this one's own."""
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    signal.signal(signal.SIGINT, signal.default_int_handler)
    os.setsid()
    os.write(1, f"{os.getpid()}\n".encode())
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    os.dup2(2, 1)
    os.chdir(cwd)
    os.environ.clear()
    os.environ.update({**env, "JPY_PARENT_PID": str(os.getppid())})
    sys.argv[:] = ["ipykernel_launcher", *arguments]
    del sys.path[0]                                     # the folder of this file
    importlib.import_module("numpy").random.seed()
    importlib.import_module("ipykernel.kernelapp").launch_new_instance()


@cache
def trunk(start: frozenset[tuple[str, str]]) -> Any:
    """The trunk of this process for kernels with these variables."""
    env = {**{name: value for name, value in os.environ.items() if not name.startswith(READ_AT_START)}, **dict(start)}
    return subprocess.Popen([sys.executable, "-Xfrozen_modules=off", __file__], stdin=subprocess.PIPE, env=env,
                            stdout=subprocess.PIPE, text=True, start_new_session=True)


def kernel(arguments: list[str], cwd: Any, env: dict[str, str]) -> int:
    """Start a kernel; its process."""
    env = {"MPLBACKEND": "module://matplotlib_inline.backend_inline", **env}        # as ipykernel sets it
    with BUSY:
        of = trunk(frozenset((name, value) for name, value in env.items() if name.startswith(READ_AT_START)))
        of.stdin.write(json.dumps({"arguments": arguments, "cwd": str(cwd or os.getcwd()), "env": env}) + "\n")
        of.stdin.flush()
        return int(of.stdout.readline())


class Branch(psutil.Process):
    """A kernel's process, with what Jupyter asks of one that it has started itself."""

    stdin = stdout = stderr = None

    def poll(self) -> int | None:
        """None as long as it runs."""
        return None if self.is_running() else 0

    def send_signal(self, sig: int) -> None:
        """Send a signal, if there is still somebody."""
        with contextlib.suppress(psutil.NoSuchProcess):
            super().send_signal(sig)


class Branching(LocalProvisioner):
    """How Jupyter starts a kernel here; one that is not Python's own, as always."""

    async def launch_kernel(self, cmd: list[str], **kwargs: Any) -> Any:
        """Start a kernel by its command."""
        if "ipykernel_launcher" not in cmd:
            return await super().launch_kernel(cmd, **kwargs)
        self.cwd = kwargs.get("cwd")
        arguments = cmd[cmd.index("ipykernel_launcher") + 1:]
        self.pid = self.pgid = kernel(arguments, self.cwd, kwargs["env"])
        self.process = Branch(self.pid)
        return self.connection_info


def branch() -> None:
    """Have all kernels that Jupyter starts from this process branch off the trunk."""
    factory = KernelProvisionerFactory.instance()
    factory.provisioners["branch"] = EntryPoint("branch", "branching:Branching", factory.GROUP_NAME)
    factory.default_provisioner_name = "branch"


if __name__ == "__main__":
    with contextlib.suppress(KeyboardInterrupt):
        serve()
