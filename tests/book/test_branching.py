"""Kernels that branch off one process are kernels as any other."""

from __future__ import annotations

import asyncio
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import branching
import psutil
import pytest

EXT = Path(__file__).resolve().parents[2] / "book" / "_ext"
PARENT = f"""
import sys
sys.path.insert(0, {str(EXT)!r})
import branching, json, nbformat, os
from freshness import kernel_environment
from jupyter_client.manager import start_new_kernel
from nbclient import NotebookClient

branching.branch()
os.environ.update(kernel_environment())

def executed(*cells, path="/", **options):
    notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(cell) for cell in cells])
    NotebookClient(notebook, resources={{"metadata": {{"path": path}}}}, **options).execute()
    return ["".join(o.get("text", "") or o.data.get("text/plain", "") for o in c.outputs).strip()
            for c in notebook.cells]

look = ("import os, sys, signal, subprocess; import numpy as np; from svmcourse.shared import plotting",
        "print(os.getpid() == os.getpgid(0), os.getcwd(), os.environ['OF_TWO'], np.random.rand())",
        f"print({{sys.path[0]!r}} in sys.path, sys.argv[0], subprocess.run(['false']).returncode)",
        "fig, ax = plotting.axes(); ax.plot([1, 2]); None",
        "3; import matplotlib as mpl; print(mpl.rcParams['image.origin'])")
os.environ["OF_TWO"] = "first"
said = dict(first=executed(*look))
os.environ["OF_TWO"] = "second"
said["second"] = executed(*look, path="/tmp")
said["slow"] = executed("import time", "try:\\n    time.sleep(60)\\nexcept KeyboardInterrupt:\\n    print('stopped')",
                        "print(3)", timeout=2, interrupt_on_timeout=True)
try:
    executed("import os", "os.kill(os.getpid(), 9)")
except Exception as error:
    said["dead"] = type(error).__name__
manager, client = start_new_kernel()
said["left"] = [manager.provisioner.pid, manager.provisioner.process.ppid()]
said["trunk"] = manager.provisioner.process.parent().cmdline()[-1]
print(json.dumps(said), flush=True)
os._exit(0)
"""
HABITS = {".ipython/profile_default/ipython_config.py": "c.InteractiveShell.ast_node_interactivity = 'all'",
          ".config/matplotlib/matplotlibrc": "image.origin: lower"}


@pytest.fixture(scope="module")
def said(tmp_path_factory: pytest.TempPathFactory) -> Any:
    """What a process saw, of a user with habits, that had kernels branch off and ended without a word to the last."""
    home = tmp_path_factory.mktemp("home")
    for path, text in HABITS.items():
        (home / path).parent.mkdir(parents=True)
        (home / path).write_text(text, encoding="utf8")
    env = {**os.environ, "HOME": str(home)}
    for name in ("IPYTHONDIR", "MATPLOTLIBRC", "MPLCONFIGDIR", "XDG_CONFIG_HOME"):
        env.pop(name, None)
    done = subprocess.run([sys.executable, "-c", PARENT], capture_output=True, text=True, timeout=120, check=False,
                          env=env)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def test_each_has_a_process_a_folder_an_environment_and_random_numbers_of_its_own(said: Any) -> None:
    first, second = said["first"], said["second"]
    assert first[1].startswith("True / first 0.")
    assert second[1].startswith("True /tmp second 0.")
    assert first[1].split()[-1] != second[1].split()[-1]
    assert first[2] == second[2] == "False ipykernel_launcher 1"
    assert first[3] == second[3] == "<Figure size 660x462 with 1 Axes>"
    assert Path(said["trunk"]).name == "branching.py"


def test_what_one_has_for_ones_own_work_reaches_none(said: Any) -> None:
    assert said["first"][4] == "upper"


def test_a_cell_that_takes_too_long_is_interrupted_and_a_dead_kernel_is_seen(said: Any) -> None:
    assert said["slow"] == ["", "stopped", "3"]
    assert said["dead"] == "DeadKernelError"


def test_a_kernel_ends_with_the_process_that_asked_for_it(said: Any) -> None:
    still = [psutil.Process(pid) for pid in said["left"] if psutil.pid_exists(pid)]
    assert not psutil.wait_procs(still, timeout=20)[1]


def test_another_language_is_started_as_always(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = []

    async def usual(self: Any, cmd: list[str], **kwargs: Any) -> None:
        asked.append(cmd)

    monkeypatch.setattr(branching.LocalProvisioner, "launch_kernel", usual)
    asyncio.run(branching.Branching().launch_kernel(["R", "-e", "IRkernel::main()"], env={}))
    assert asked == [["R", "-e", "IRkernel::main()"]]
