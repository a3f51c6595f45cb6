"""The course to take along: the wheels of svmlib and svmcourse, and one archive with these and all notebooks.

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
#: The packages, and where the pyproject.toml of each stands.
PROJECTS = {"svmlib": ".", "svmcourse": "svmcourse"}
EPOCH = (2026, 1, 1, 0, 0, 0)  # the same archive from the same files
# chapters 13, 15, 16 and 17 read what was measured
READ = (*(f"benchmarks/results/{name}.csv" for name in ("searches", "grid_random", "mnist", "training_sets")), *(
    f"benchmarks/results/{name}.{kind}" for name in ("contest", "features", "linear", "results")
    for kind in ("csv", "json")))
README = """The course on support vector machines, to run here. It needs Python 3.11 or later and a network for pip.
1. Unpack, and open a terminal in this folder.
2. python3 -m venv .venv                                   (on Windows: py -m venv .venv)
3. .venv/bin/pip install -r requirements.txt               (on Windows: .venv\\Scripts\\pip ...)
4. .venv/bin/jupyter lab notebooks                         (start with {first})
"""
CHECK = """\
# This notebook runs on svmlib, and on svmcourse, which draws its figures.
import importlib.util

if importlib.util.find_spec("svmcourse") is None:
    raise SystemExit(
        "svmcourse is not installed here. In a terminal:\\n"
        "  pip install {named}\\n"
        "and restart the kernel. {where}"
    )
"""


def build_wheel(root: Path, target: Path, package: str = "svmlib") -> Path:
    """Build the wheel of svmlib or of svmcourse from a copy of its sources, so that nothing is left beside them."""
    with tempfile.TemporaryDirectory() as folder:
        copy = Path(folder)
        shutil.copytree(root / package, copy / package, ignore=shutil.ignore_patterns("__pycache__"))
        project = copy / PROJECTS[package]
        for name in (f"{PROJECTS[package]}/pyproject.toml", "README.md", "LICENSE", "NOTICE.md"):
            shutil.copy(root / name, project)
        if package == "svmcourse":
            put_answers(root, copy)
        code = ("import sys; from setuptools import build_meta; "
                "sys.stderr.write('WHEEL ' + build_meta.build_wheel(sys.argv[1]))")
        done = subprocess.run([sys.executable, "-c", code, str(target.resolve())], cwd=project, text=True,
                              capture_output=True, env={**os.environ, "SOURCE_DATE_EPOCH": "1767225600"}, check=False)
    if done.returncode:
        raise RuntimeError(f"the wheel of {package} cannot be built:\n{done.stderr[-2000:]}")
    return target / done.stderr.rpartition("WHEEL ")[2].split()[0]


def put_answers(root: Path, copy: Path) -> None:
    """Put what checks need of the solved notebooks into a copy of svmcourse; see `svmcourse/checking/sources.py`."""
    from svmcourse.checking.sources import exercises, folder_of, packed, written  # with matplotlib: a second

    for exercise in exercises(root):
        (copy / folder_of(exercise) / "answers.bin").write_bytes(packed(written(root, exercise)))


def build_wheels(root: Path, target: Path) -> list[Path]:
    """Both wheels, that which the other one needs first."""
    return [build_wheel(root, target, package) for package in PROJECTS]


def requirements(root: Path, wheels: list[Path]) -> str:
    """What the notebooks need: the wheels, the pins of the first two parts of requirements.txt."""
    pins, _, _ = (root / "requirements.txt").read_text(encoding="utf8").partition("# --- the book")
    lines = [line.partition("#")[0].strip() for line in pins.splitlines()]
    return "\n".join([*(f"./{wheel.name}" for wheel in wheels), *(line for line in lines if line)]) + "\n"


def to_install(names: list[str], address: str = "") -> str:
    """What stands behind `pip install` for wheels of these names, on a site of this address or in the own folder.

    >>> to_install(["svmlib-1.0.0-py3-none-any.whl"], "https://a.org/")
    '"svmlib @ https://a.org/kit/svmlib-1.0.0-py3-none-any.whl"'
    >>> to_install(["svmlib-1.0.0-py3-none-any.whl"])
    'svmlib-1.0.0-py3-none-any.whl'
    """
    if not address:
        return " ".join(names)
    return " ".join(f'"{name.partition("-")[0]} @ {address.rstrip("/")}/kit/{name}"' for name in names)


def with_check(notebook: dict[str, Any], wheels: list[Path], address: str = "") -> dict[str, Any]:
    """A notebook as it leaves the course: its first cell says what to install where svmcourse is missing."""
    named = to_install([wheel.name for wheel in wheels], address).replace('"', '\\"')
    where = "" if address else "The files are in the course's archive, and on its site in kit/."
    cell = {"cell_type": "code", "id": "needs-svmlib", "execution_count": 1, "outputs": [],
            "metadata": {"tags": ["remove-cell"], "jupyter": {"source_hidden": True}},
            "source": CHECK.format(named=named, where=where).splitlines(keepends=True)}
    return {**notebook, "cells": [cell, *notebook["cells"]]}


def notebook_text(notebook: dict[str, Any], wheels: list[Path], address: str = "") -> str:
    """The same as a file."""
    return json.dumps(with_check(notebook, wheels, address), indent=1, ensure_ascii=False) + "\n"


def make_kit(root: Path, target: Path, notebooks: dict[str, Any], address: str = "") -> tuple[list[Path], Path]:
    """Write the wheels and the archive, with these notebooks, into a folder; return them."""
    target.mkdir(parents=True, exist_ok=True)
    for old in (*target.glob("*.whl"), *target.glob("*.zip")):
        old.unlink()
    wheels = build_wheels(root, target)
    archive = target / f"{NAME}.zip"
    files: dict[str, bytes] = {
        "README.txt": README.format(first=min(notebooks)).encode(),
        **{wheel.name: wheel.read_bytes() for wheel in wheels},
        "requirements.txt": requirements(root, wheels).encode()}
    for name, notebook in notebooks.items():
        files[f"notebooks/{name}"] = notebook_text(notebook, wheels, address).encode()
    files.update((name, (root / name).read_bytes()) for name in READ if (root / name).exists())
    with zipfile.ZipFile(archive, "w", zipfile.ZIP_DEFLATED) as packed:
        for name, content in files.items():
            info = zipfile.ZipInfo(f"{NAME}/{name}", EPOCH)
            info.compress_type = zipfile.ZIP_DEFLATED
            info.external_attr = 0o644 << 16
            packed.writestr(info, content)
    return wheels, archive
