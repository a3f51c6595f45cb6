"""Submissions that attack: each tries to gain points, to read what it must not, to write elsewhere, or to stop the class.

All have a wrong `slack`, so that an attack that succeeds shows in the points, or print WROTE or READ where they got
through.  As many as can are cells of one notebook, because most of its time is that of a new process.  Those whose
notebook is only odd, but right, are to get their points.
"""
from __future__ import annotations

import json
import os
import socket
from pathlib import Path
from typing import Any

import nbformat
from a_class import (
    IMPORTED,
    MODULE,
    PATCH,
    SHOWS,
    SOFT,
    SPREAD,
    TRACES,
    Student,
    cell,
    light,
    points,
    solved,
    with_first,
)

ROOT = Path(__file__).resolve().parents[2]
WRONG = "def slack(w, b, X, y):\n    return 0 * y"
BEGIN = f"""\
import os, sys, glob, shutil, signal, threading, pathlib
root = {str(ROOT)!r}
out = os.path.dirname(os.environ["PYTHONPATH"])
def attempt(action, what="WROTE"):
    try:
        print(what, action()) if action() is not False else print("nothing")
    except (OSError, RuntimeError, ImportError, AttributeError) as error:
        print("refused", error)
"""


def attack(*cells: tuple[str, ...]) -> Any:
    """A notebook with a wrong slack and these cells before it, each given by its lines."""
    notebook = light(slack=WRONG)
    where = notebook.cells.index(cell(notebook, "imports")) + 1
    notebook.cells[where:where] = [nbformat.v4.new_code_cell(text) for text in (BEGIN, *map("\n".join, cells))]
    return notebook


Cell = tuple[str, tuple[str, ...], tuple[str, ...]]     # name, words that the report must hold, lines
MANY, ENDED = "many at once", "one end after another"
#: Attacks after which the process is as before: all are cells of the notebook MANY.  The first touches what the third
#: may write, since the way to it lies in a /tmp of its own.
TOGETHER: list[Cell] = [
    ("touches", ("changes files beside",), (
        "for path in (root + '/README.md', out + '/grades.csv', out + '/course/sandbox.py', '/usr/bin/env'):",
        "    attempt(lambda: os.utime(path) is None)",
        "    attempt(lambda: os.setxattr(path, 'user.mark', b'1') is None)",
        "    attempt(lambda: os.chmod(path, 0o777) is None)",
        "    attempt(lambda: os.mkfifo(path + '.fifo') is None)")),
    ("replaces results", ("changes files beside",), (
        "open('f.json', 'w').write('{}')",
        "for name in glob.glob(out + '/results/*') or [out + '/results/0.json']:",
        "    attempt(lambda: os.replace('f.json', name) is None)")),
    ("links results", (), (
        "open('f.json', 'w').write('{}')",
        "attempt(lambda: os.link('f.json', out + '/results/1.json') is None)",
        "attempt(lambda: os.symlink('f.json', out + '/results/2.json') is None)",
        "attempt(lambda: shutil.copy('f.json', out + '/grades.csv'))")),
    ("calls system", ("reaches into Python",), (
        "import ctypes", "attempt(lambda: ctypes.CDLL(None).system(b'echo > ' + out.encode() + b'/forged') == 0)")),
    ("forks and runs", ("reaches into Python",), (
        "import _posixsubprocess as p", "attempt(lambda: os.posix_spawn('/bin/sh', ['sh', '-c', 'true'], {}))",
        "r, w = os.pipe()",
        "attempt(lambda: p.fork_exec([b'/bin/true'], [b'/bin/true'], True, (w,), None, None, -1, -1, -1, -1, -1, -1, r,"
        " w, False, False, 0, None, None, None, -1, None, False))")),
    ("unix socket", ("reaches for the network",), (
        "import socket", "attempt(lambda: socket.socket(socket.AF_UNIX).connect('/run/docker.sock') is None)",
        "attempt(lambda: socket.socket(socket.AF_UNIX).connect('\\0anything') is None)")),
    ("raw socket", (), ("import ctypes", "attempt(lambda: ctypes.CDLL(None).socket(2, 1, 0) >= 0)")),
    ("is root", (), (
        "attempt(lambda: os.getuid() == 0)", "attempt(lambda: os.setuid(0) is None)",
        "attempt(lambda: any(l.startswith('CapEff') and int(l.split()[1], 16) for l in open('/proc/self/status')))")),
    ("the judge's memory", ("looks for the grading",), (
        "for pid in {os.getppid(), 1} | {int(p) for p in os.listdir('/proc') if p.isdigit()} - {os.getpid()}:",
        "    attempt(lambda: open(f'/proc/{pid}/mem', 'r+b').seek(4096) and False)",
        "    attempt(lambda: 'judge' in open(f'/proc/{pid}/cmdline').read(), 'READ')",
        "    attempt(lambda: 'GRADER_SECRET' in open(f'/proc/{pid}/environ').read(), 'READ')",
        "attempt(lambda: sum(p.isdigit() for p in os.listdir('/proc')) > 4, 'READ')")),
    ("environment", ("looks for the grading",), ("attempt(lambda: 'GRADER_SECRET' in os.environ, 'READ')",)),
    ("descriptors", ("looks for the grading",), (
        "for d in os.listdir('/proc/self/fd'):",
        "    attempt(lambda: os.readlink(f'/proc/self/fd/{d}').startswith((root, out, '/home', '/root')),"
        " 'READ')")),
    ("looks everywhere", (), (
        "for folder, folders, files in os.walk('/'):",
        "    folders[:] = [f for f in folders if os.path.join(folder, f) not in ('/proc', '/usr', '/lib', '/dev', '/sys')]",
        "    for name in files:",
        "        if name in ('mistakes.txt', 'answers.bin', 'submitted-marks.csv', '04_soft_margin.ipynb', 'a_class.py'):",
        "            print('READ', folder, name)")),
    ("other notebooks", ("looks for the grading",), (
        "import svmlib",
        "for place in (pathlib.Path(svmlib.__file__).parents[1] / 'notebooks', pathlib.Path(root) / 'notebooks',",
        "              pathlib.Path(out) / 'results', pathlib.Path(out).parent / 'submitted'):",
        "    attempt(lambda: place.exists(), 'READ')")),
    ("writes about", (), (
        "for place in ('/', '/dev', '/usr', '/etc', '/proc', root, out, out + '/course', out + '/compiled', sys.prefix):",
        "    attempt(lambda: open(place + '/forged', 'w'))")),
    ("poisons the cache", (), (
        "for file in glob.glob(os.environ['NUMBA_CACHE_DIR'] + '/*/*'):",
        "    attempt(lambda: open(file, 'r+'))")),
    ("kills", ("starts or ends programs",), (
        "for pid in (1, os.getppid(), -1):", "    attempt(lambda: os.kill(pid, signal.SIGKILL) is None and pid != 1 and False)")),
    ("shared memory", (), (
        "attempt(lambda: [open(f'/dev/shm/{k}', 'wb').write(bytes(10**6)) for k in range(100)])",
        "attempt(lambda: os.memfd_create('hoard'))",
        "import ctypes", "attempt(lambda: ctypes.CDLL(None).shmget(0, 10**9, 0o1600) >= 0)")),
    ("no picture", (), (
        "from IPython.display import display", "display({'image/png': 'A'}, raw=True)",
        "display({'image/png': 5, 'text/plain': ['x']}, raw=True)", "display({'image/png': 'iVBORw0KGgo='}, raw=True)")),
]
#: Those that end it, or are ended: cells of ENDED.
ENDS: list[Cell] = [
    ("traces", ("stopped: the system ended it",), (TRACES,)),
    ("mounts", ("stopped: the system ended it",), (
        "import ctypes", "ctypes.CDLL(None).mount(b'none', b'/tmp', b'tmpfs', 0, None)", "print('WROTE')")),
    ("unshares", ("stopped: the system ended it",), ("import ctypes", "ctypes.CDLL(None).unshare(0x10000000)", "print('WROTE')")),
    ("becomes another program", ("stopped: Python itself ended",), ("os.execv('/bin/true', ['true'])",)),
    ("deep line", ("stopped: something was written to the grader",), (
        "for d in range(3, 20):\n    try:\n        os.write(d, b'[' * 200_000 + b'\\n')\n    except OSError:\n        pass",)),
]
#: First and last of both notebooks: the one that is graded later finds nothing.
FINDS = ("attempt(lambda: os.path.exists('/tmp/left'), 'READ')",)
LEAVES = ("open('/tmp/left', 'w').write('for the next one')",)
#: Those that leave another process behind: a notebook each.
ALONE: list[Cell] = [
    ("threads", (), (
        "import time", "started = []",
        "def more():\n    for k in range(1000):\n        threading.Thread(target=time.sleep, args=(60,), daemon=True).start()\n"
        "        started.append(k)", "attempt(more)", "attempt(lambda: len(started) > 200)")),
    ("other encoder", (), ("import __main__", "__main__.encode = lambda value, depth=0: {'v': True}")),
    ("agrees with all", (), (
        "import numpy", "numpy.allclose = numpy.array_equal = lambda *a, **n: True",
        "import svmcourse.checking as c", "c.Elsewhere.__bool__ = lambda self: True")),
    ("half a character", (), ("print('\\ud83d')", "raise ValueError('\\udc00')")),
    ("flood", (), ("print('x' * 50_000_000)", "from IPython.display import display", "for k in range(2000): display(k)")),
]

#: Name, words, the source of `slack`.
ANSWERS: list[tuple[str, tuple[str, ...], str]] = [
    ("check's own function", ("calls parts of the checks, PROGRAM",),
     f'slack = type(check.PROGRAM)("{SOFT}", "slack").function()'),
    ("check's body", ("calls parts of the checks, slack",), "slack = check.slack.body"),
    ("solved elsewhere", ("reads the checks",),
     f'from svmcourse.checking.mistakes import Solved\nslack = Solved("{SOFT}", "slack").function()'),
    ("equals anything", (), (
        "class Anything:\n    def __eq__(self, other):\n        return True\n    def __array__(self, *a, **n):\n"
        "        raise SystemExit\n    __hash__ = None\ndef slack(w, b, X, y):\n    return Anything()")),
    ("very large", (), "def slack(w, b, X, y):\n    return np.zeros(30_000_000)"),
    ("very deep", (), "def slack(w, b, X, y):\n    x = []\n    for k in range(5000):\n        x = [x]\n    return x"),
    ("raises half a character", ("slack stopped with",), "def slack(w, b, X, y):\n    raise ValueError('\\ud83d')"),
    ("interrupts", ("KeyboardInterrupt",), "def slack(w, b, X, y):\n    raise KeyboardInterrupt"),
    ("leaves", ("SystemExit",), "import sys\ndef slack(w, b, X, y):\n    sys.exit(0)"),
]


def forges(notebook: Any) -> Any:
    """A notebook that tries to make every check say yes in all ways that are known."""
    texts = [PATCH, *("\n".join(lines) for name, _, lines in ALONE if name in ("other encoder", "agrees with all"))]
    return with_first(*texts, notebook=notebook)


def attackers() -> list[Student]:
    """Those who attack, and those whose file is odd."""
    right, less = points(SOFT), points(SOFT) - points(SOFT, "slack")
    made: list[Student] = []

    def add(name: str, content: Any, reached: float, *words: str, file: str = f"{SOFT}.ipynb") -> None:
        if isinstance(content, nbformat.NotebookNode):
            content = nbformat.writes(content)
        made.append(Student(f"{name}/{file}", SOFT, reached, words, content))

    for name, cells in ((MANY, TOGETHER), (ENDED, ENDS)):
        add(name, attack(FINDS, *(lines for _, _, lines in cells), LEAVES), less)
    for name, words, lines in [*TOGETHER[:2], *ALONE]:
        add(name, attack(lines), less, *words)
    for name, _, lines in ENDS:                            # the first of a process as well
        add(name, attack(lines), less)
    for name, words, source in ANSWERS:
        add(name, light(slack=source), less, *words)
    # the file; some of their names are odd, too
    add("folder", lambda path: path.mkdir(), 0.0, "a folder, not a notebook")
    add('=HYPERLINK("x")', lambda path: path.symlink_to("nowhere"), 0.0, "a link, which is not followed")
    add("a:b", os.mkfifo, 0.0, "no regular file")
    add("socket", _socket, 0.0, "cannot be read")
    add("link", lambda path: path.symlink_to(f"../no max/{SOFT}.ipynb"), 0.0, "a link, which is not followed")
    add("hard link", lambda path: path.hardlink_to(path.parents[1] / f"half a character/{SOFT}.ipynb"), less,
        "the same, byte for byte, as that of half a character")
    add("sparse", lambda path: os.truncate(path, 60_000_000) if path.touch() is None else None, 0.0, "more than 50 MB")
    add("deep", "[" * 100_000, 0.0, "this is no notebook")
    add("a list", "[1, 2, NaN]", 0.0, "this is no notebook: it has no cells")
    add("odd cells", json.dumps({"nbformat": 4, "cells": [5, {"cell_type": "code", "source": 7, "metadata": None},
        {"cell_type": "code", "source": "1", "metadata": {"nbgrader": {"grade_id": ["slack"], "points": "9"}}}]}), 0.0,
        "was missing and has been put back")
    # right, but odd
    everything = with_first(SHOWS, MODULE, IMPORTED, SPREAD)
    add("a_b", b"\xef\xbb\xbf" + nbformat.writes(everything).encode(), right, "a module of 42", "jobs 6\\njobs 6\\njobs 6")
    add("x" * 200, nbformat.writes(light()).encode("utf-16"), right)
    add("converted", _without_names(keep_metadata=True), right)
    add("converted twice", _without_names(keep_metadata=False), right)
    add("half a source", nbformat.writes(light()).replace("def slack", "x = '\\ud83d'\\ndef slack"), right)
    add("magics", light(slack="%matplotlib inline\n!pip install anything\n%pip install more\n%load_ext nothing\nfiles = !ls\n"
                        + cell(solved(SOFT), "slack").source, bias="%%time\n" + cell(solved(SOFT), "bias").source), right)
    imports = light(slack="def slack(w, b, X, y):\n    return [math.fabs(max(0.0, s)) for s in 1 - y * (X @ w + b)]")
    cell(imports, "imports").source = "import math\n" + cell(imports, "imports").source + "\ncheck = None"
    add("own imports", imports, right, "its imports were kept")
    add("two files", light(), right, "2 notebooks of this exercise")
    add("two files", light(slack=WRONG), right, "2 notebooks of this exercise", file=f"old {SOFT} copy.ipynb")
    return made


def _socket(path: Path) -> None:
    """A socket in the place of a notebook; its short name is bound where paths may be long."""
    here = os.getcwd()
    os.chdir(path.parent)
    try:
        with socket.socket(socket.AF_UNIX) as made:
            made.bind(path.name)
    finally:
        os.chdir(here)


def _without_names(keep_metadata: bool) -> str:
    """A right notebook whose cells a converter has taken the ids from, and the metadata too."""
    notebook = json.loads(nbformat.writes(light()))
    for one in notebook["cells"]:
        del one["id"]
        if not keep_metadata:
            one["metadata"] = {}
    return json.dumps(notebook)
