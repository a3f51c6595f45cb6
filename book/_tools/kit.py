"""The course to take along: svmlib's wheel, and one archive with all notebooks, the wheel and what they need.

The notebooks are the editions of book/_tools/exercises.py, which packs them: chapters in plain Markdown, exercises
to be solved.  `make kit` writes _build/kit; `make book` puts the same on the site.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tempfile
import zipfile
from pathlib import Path
from typing import Any

NAME = "svm-course"
EPOCH = (2026, 1, 1, 0, 0, 0)  # the same archive from the same files
ALSO = ("distributed",)  # chapter 17 starts a cluster
# chapters 13, 15, 16 and 17 read what was measured
READ = (*(f"benchmarks/results/{name}.csv" for name in ("searches", "grid_random", "mnist")), *(
    f"benchmarks/results/{name}.{kind}" for name in ("contest", "features", "linear", "results")
    for kind in ("csv", "json")))
README = """The course on support vector machines, to run here. It needs Python 3.11 or later and a network for pip.
1. Unpack, and open a terminal in this folder.
2. python3 -m venv .venv                                   (on Windows: py -m venv .venv)
3. .venv/bin/pip install -r requirements.txt               (on Windows: .venv\\Scripts\\pip ...)
4. .venv/bin/jupyter lab notebooks                         (start with 01_intuition.ipynb)
"""
CHECK = """\
# This notebook runs on svmlib, the package of the course.
import importlib.util

if importlib.util.find_spec("svmlib") is None:
    raise SystemExit(
        "svmlib is not installed here. In a terminal:\\n"
        "  pip install \\"{named}\\"\\n"
        "and restart the kernel. {where}"
    )
"""


def build_wheel(root: Path, target: Path) -> Path:
    """Build svmlib's wheel from a copy of its sources, so that nothing is left beside them."""
    with tempfile.TemporaryDirectory() as folder:
        copy = Path(folder)
        for name in ("pyproject.toml", "README.md", "LICENSE", "NOTICE.md", "book/_tools/pack_answers.py"):
            if (root / name).exists():
                (copy / name).parent.mkdir(parents=True, exist_ok=True)
                shutil.copy(root / name, copy / name)
        for name in ("svmlib", "notebooks/exercises"):
            shutil.copytree(root / name, copy / name, ignore=shutil.ignore_patterns("__pycache__"))
        code = ("import sys; from setuptools import build_meta; "
                "sys.stderr.write('WHEEL ' + build_meta.build_wheel(sys.argv[1]))")
        done = subprocess.run([sys.executable, "-c", code, str(target.resolve())], cwd=copy, text=True,
                              capture_output=True, env={**os.environ, "SOURCE_DATE_EPOCH": "1767225600"}, check=False)
    if done.returncode:
        raise RuntimeError(f"svmlib's wheel cannot be built:\n{done.stderr[-2000:]}")
    return target / done.stderr.rpartition("WHEEL ")[2].split()[0]


def requirements(root: Path, wheel: str) -> str:
    """What the notebooks need: the pins of the first two parts of requirements.txt, ALSO, and svmlib from its wheel."""
    pins, _, later = (root / "requirements.txt").read_text(encoding="utf8").partition("# --- the book")
    pins += "\n".join(line for line in later.splitlines() if line.partition("==")[0] in ALSO)
    lines = [line.partition("#")[0].strip() for line in pins.splitlines()]
    return "\n".join([f"./{wheel}", *(line for line in lines if line)]) + "\n"


def with_check(notebook: dict[str, Any], wheel: str) -> dict[str, Any]:
    """A notebook as it leaves the course: its first cell says what to install where svmlib is missing."""
    named = f"svmlib[classroom] @ {wheel}" if wheel.startswith("http") else f"{wheel}[classroom]"     # as pip has it
    where = "" if wheel.startswith("http") else "The file is in the course's archive, and on its site in kit/."
    cell = {"cell_type": "code", "id": "needs-svmlib", "execution_count": 1, "outputs": [],
            "metadata": {"tags": ["remove-cell"], "jupyter": {"source_hidden": True}},
            "source": CHECK.format(named=named, where=where).splitlines(keepends=True)}
    return {**notebook, "cells": [cell, *notebook["cells"]]}


def notebook_text(notebook: dict[str, Any], wheel: str) -> str:
    """The same as a file."""
    return json.dumps(with_check(notebook, wheel), indent=1, ensure_ascii=False) + "\n"


def make_kit(root: Path, target: Path, notebooks: dict[str, Any], address: str = "") -> tuple[Path, Path]:
    """Write the wheel and the archive, with these notebooks, into a folder; return both."""
    target.mkdir(parents=True, exist_ok=True)
    for old in (*target.glob("*.whl"), *target.glob("*.zip")):
        old.unlink()
    wheel = build_wheel(root, target)
    place = f"{address.rstrip('/')}/kit/{wheel.name}" if address else wheel.name
    archive = target / f"{NAME}.zip"
    files: dict[str, bytes] = {
        "README.txt": README.encode(), wheel.name: wheel.read_bytes(),
        "requirements.txt": requirements(root, wheel.name).encode()}
    for name, notebook in notebooks.items():
        files[f"notebooks/{name}"] = notebook_text(notebook, place).encode()
    files.update((name, (root / name).read_bytes()) for name in READ if (root / name).exists())
    with zipfile.ZipFile(archive, "w", zipfile.ZIP_DEFLATED) as packed:
        for name, content in files.items():
            info = zipfile.ZipInfo(f"{NAME}/{name}", EPOCH)
            info.compress_type = zipfile.ZIP_DEFLATED
            info.external_attr = 0o644 << 16
            packed.writestr(info, content)
    return wheel, archive
