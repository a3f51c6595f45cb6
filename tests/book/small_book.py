"""A book of one page and one chapter, with the configuration, the hooks and the package of the whole."""
from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import nbformat

ROOT = Path(__file__).resolve().parents[2]


def make(book: Path, preface: str, cells: list[Any]) -> Path:
    """Lay the book out; what is not its own are links."""
    for name in ("_config.yml", "requirements.txt", "pyproject.toml"):
        shutil.copy(ROOT / name, book)
    (book / "svmlib").symlink_to(ROOT / "svmlib")
    (book / "book/_tools").mkdir(parents=True)
    for path in ROOT.glob("book/*"):
        if path.name != "_tools" and path.suffix != ".md":
            (book / "book" / path.name).symlink_to(path)
    (book / "book/_tools/times.py").symlink_to(ROOT / "book/_tools/times.py")
    (book / "book/_tools/warm.py").write_text("# this chapter runs no compiled function\n")
    (book / "book/preface.md").write_text(f"# A small book\n\n{preface}\n")
    (book / "_toc.yml").write_text("format: jb-book\nroot: book/preface\nchapters:\n  - file: notebooks/01_chapter\n")
    (book / "notebooks").mkdir()
    write_chapter(book, cells)
    return book


def write_chapter(book: Path, cells: list[Any]) -> None:
    """The chapter of these cells."""
    kernel = {"name": "python3", "display_name": "Python 3", "language": "python"}
    nbformat.write(nbformat.v4.new_notebook(cells=cells, metadata={"kernelspec": kernel}),
                   book / "notebooks/01_chapter.ipynb")


def build(book: Path) -> subprocess.CompletedProcess[str]:
    """Build as `make book` does; the kernels import the book's own svmlib."""
    return subprocess.run(
        [sys.executable, "-c", "from jupyter_book.cli.main import main; main()", "build", ".", "-W", "-n",
         "--keep-going"], cwd=book, env={**os.environ, "PYTHONPATH": str(book), "PYTHONDONTWRITEBYTECODE": "1"},
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=800, check=False)
