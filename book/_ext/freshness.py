"""Which notebooks must be executed: each is cached under what its outputs depend on.

That is the notebook itself, without the cells that only assert; the package; of `svmcourse` the modules and
folders that its code imports, and those import in turn; and what was measured, if it reads that.  So a changed figure
of chapter 9 executes chapter 9, its exercises, and those of 2 and 11, which draw with it; a changed solver executes
all.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
import sys
from collections.abc import Collection
from functools import cache
from pathlib import Path
from typing import Any

from pages import fold

COURSE = "svmcourse"
MEASURED = "benchmarks/results"
IMPORT = re.compile(r"^\s*(?:from|import)\s+(?:svmcourse|\.)[^\n(]*(?:\([^)]*\))?", re.M)
CELL = re.compile(r"^```\{code-cell\}[^\n]*\n(.*?)^```$", re.M | re.S)     # of a page in Markdown
CACHE = "_build/.jupyter_cache"     # of outputs, for the tests and for every edition of the book
# What the page runs itself, and what is said of it: no output of a cell holds any of it.
OF_THE_PAGE = {".js", ".css", ".yml"}


def kernel_environment() -> dict[str, str]:
    """How kernels run for the book: frames instead of widgets, the same numbers and pictures at every build.

    Whoever builds may have a profile of IPython and a matplotlibrc: they are for her own work.
    """
    threads = {name: os.environ.get(name, "1") for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS")}
    own = {"IPYTHONDIR": str(Path(__file__).resolve().parents[2] / "_build" / "ipython"), "MATPLOTLIBRC": os.devnull}
    return {"SVMLIB_STATIC": "1", "PYTHONHASHSEED": "0", **own, **threads}


def digest_of(paths: Collection[Path], root: Path, start: bytes = b"") -> str:
    """Fingerprint of the names and contents of files."""
    digest = hashlib.sha256(start)
    for path in sorted(paths):
        digest.update(path.relative_to(root).as_posix().encode())
        digest.update(path.read_bytes())
    return digest.hexdigest()[:16]


def files_of(folder: Path) -> list[Path]:
    """The files of a folder, or the file itself, that count for a cell's output."""
    found = [folder] if folder.is_file() else folder.rglob("*")
    return [p for p in found if p.is_file() and "__pycache__" not in p.parts and p.suffix not in OF_THE_PAGE]


class Inputs:
    """The package and the rooms of the course below a root, as they are now."""

    def __init__(self, root: Path) -> None:
        rooms = root / COURSE
        # What the site and the tests are made with changes no number on a page.
        pins = (root / "requirements.txt").read_text(encoding="utf8").partition("# --- the book")[0]
        self.package = digest_of(files_of(root / "svmlib"), root, (sys.version + pins).encode())
        parts = {path.stem: path for path in rooms.iterdir() if path.suffix == ".py" or path.is_dir()}
        self.measured = digest_of([*(root / MEASURED).glob("*.csv"), *(root / MEASURED).glob("*.json")], root)
        self.rooms = {name: digest_of(files_of(path), root) for name, path in parts.items() if files_of(path)}
        self.imports = {name: self.named("\n".join(path.read_text(encoding="utf8") for path in files_of(parts[name])
                                                   if path.suffix == ".py")) for name in self.rooms}

    def named(self, code: str) -> set[str]:
        """The rooms that code imports."""
        return {word for line in IMPORT.findall(code) for word in re.findall(r"\w+", line)} & set(self.rooms)

    def key(self, name: str, code: str) -> str:
        """Fingerprint for a document: of the package, what its code imports and reads, and the folder of its name."""
        found: set[str] = set()
        ahead = ({"__init__", name} & set(self.rooms)) | self.named(code)
        while ahead:
            found |= ahead
            ahead = {other for room in ahead for other in self.imports[room]} - found
        rooms = "".join(f"{room} {self.rooms[room]}" for room in sorted(found))
        measured = self.measured if MEASURED in code else ""
        return hashlib.sha256(f"{self.package} {measured} {rooms}".encode()).hexdigest()[:16]


@cache
def inputs_of(root: Path) -> Inputs:
    """What is there when a build or a test run begins."""
    return Inputs(root)


def key_of(path: Path, inputs: Inputs, text: str) -> str | None:
    """Fingerprint of what a document's outputs depend on beside its own text; None where nothing is executed."""
    if path.suffix == ".ipynb":
        cells = json.loads(text)["cells"]
        code = "\n".join("".join(cell["source"]) for cell in cells if cell["cell_type"] == "code")
    else:
        code = "\n".join(CELL.findall(text))
    return inputs.key(re.sub(r"^\d\d_", "", path.stem), code) if code else None


def prepared(path: Path, inputs: Inputs, text: str) -> str:
    """The text of a document as the build reads it; the cache of outputs knows it by this.

    The key stands with the kernel, the one part of a notebook's metadata by which jupyter-cache tells two apart.
    """
    key = key_of(path, inputs, text)
    if key is None:
        return text
    if path.suffix != ".ipynb":
        return re.sub(r"^kernelspec:\n", f"kernelspec:\n  inputs: {key}\n", text, count=1, flags=re.M)
    notebook: dict[str, Any] = json.loads(text)
    fold(notebook)
    notebook["metadata"].setdefault("kernelspec", {})["inputs"] = key
    return json.dumps(notebook)
