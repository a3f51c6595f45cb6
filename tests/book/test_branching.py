"""Kernels that branch off one process are kernels as any other."""

from __future__ import annotations

import asyncio
import subprocess
import sys
from pathlib import Path

import branching
import psutil

EXT = Path(__file__).resolve().parents[2] / "book" / "_ext"
AHEAD = f"""
import sys
sys.path.insert(0, {str(EXT)!r})
import branching, nbformat, os
from nbclient import NotebookClient
branching.branch()
def executed(*cells, path="/", **options):
    notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(cell) for cell in cells])
    NotebookClient(notebook, resources={{"metadata": {{"path": path}}}}, **options).execute()
    return ["".join(o.get("text", "") or o.data.get("text/plain", "") for o in cell.outputs) for cell in notebook.cells]
"""


def said(code: str) -> list[str]:
    """What a process prints that branches kernels off."""
    done = subprocess.run([sys.executable, "-c", AHEAD + code], capture_output=True, text=True, timeout=99, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout.splitlines()


def test_each_kernel_has_a_process_a_folder_an_environment_and_random_numbers_of_its_own():
    rows = said('''
os.environ["OF_TWO"] = "first"
look = ("import os, sys, signal; import numpy as np; from svmlib.classroom import plotting",
        "print(os.getpid(), os.getpgid(0), os.getcwd(), os.environ['OF_TWO'], np.random.rand(), hash('a'))",
        f"print({sys.path[0]!r} in sys.path, sys.argv[0])",
        "import subprocess; print(subprocess.run(['false']).returncode, signal.getsignal(signal.SIGINT).__name__)",
        "fig, ax = plotting.axes(); ax.plot([1, 2]); None")
first = executed(*look)
os.environ["OF_TWO"] = "second"
second = executed(*look, path="/tmp")
for k in range(1, 5):
    print(first[k].strip()); print(second[k].strip())
''')
    one, two = rows[0].split(), rows[1].split()
    assert one[0] == one[1] != two[0] == two[1]
    assert [one[2:4], two[2:4]] == [["/", "first"], ["/tmp", "second"]]
    assert one[4] != two[4]
    assert rows[2:4] == ["False ipykernel_launcher"] * 2
    assert rows[4:6] == ["1 default_int_handler"] * 2
    assert all(row.startswith("<Figure size") for row in rows[6:8])


def test_a_cell_that_takes_too_long_is_interrupted_and_a_dead_kernel_is_seen():
    rows = said('''
print(executed("import time",
               "try:\\n    time.sleep(60)\\nexcept KeyboardInterrupt:\\n    print('stopped')", "print(3)",
               timeout=2, interrupt_on_timeout=True))
try:
    executed("import os", "os.kill(os.getpid(), 9)")
except Exception as error:
    print(type(error).__name__)
''')
    assert rows == ["['', 'stopped\\n', '3\\n']", "DeadKernelError"]


def test_a_kernel_ends_with_the_process_that_asked_for_it():
    rows = said('''
from jupyter_client.manager import start_new_kernel
manager, client = start_new_kernel()
print(manager.provisioner.pid, manager.provisioner.process.ppid(), flush=True)
os._exit(0)
''')
    still = [psutil.Process(int(pid)) for pid in rows[0].split() if psutil.pid_exists(int(pid))]
    assert not psutil.wait_procs(still, timeout=20)[1]


def test_another_language_is_started_as_always(monkeypatch):
    asked = []

    async def usual(self, cmd, **kwargs):
        asked.append(cmd)

    monkeypatch.setattr(branching.LocalProvisioner, "launch_kernel", usual)
    asyncio.run(branching.Branching().launch_kernel(["R", "-e", "IRkernel::main()"], env={}))
    assert asked == [["R", "-e", "IRkernel::main()"]]
