"""A book of one page and one chapter, with the configuration, hooks and package of the whole; built once a run."""
from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any, NamedTuple

import nbformat
import pytest
from workers import folder_of, once

ROOT = Path(__file__).resolve().parents[2]
PREFACE = ("See {numref}`fig-line`, {doc}`../notebooks/02_left_out`, {eq}`left-sum` and "
           "[the sum](../notebooks/02_left_out.ipynb).")
LEFT_OUT = "# Left out\n\n$$\n1 + 1 = 2\n$$ (left-sum)"        # a chapter that is not in the contents
# Of the number that a cell prints: exp(-z^2 / 2), here with z = 1.
VALUE = ("from svmlib.kernels import Gaussian\n"
         "print(f'the value is {Gaussian(sigma=1.0)([[0.0]], [[%s]])[0, 0]:.4f}')")
DRAW = """
from matplotlib.figure import Figure
from svmcourse import explore, plotting as pl

def line(C, side):
    fig, ax = pl.axes(width=5.6, height=3.0)
    ax.plot([0, 1], [0, C if side == "up" else -C], color=pl.NEGATIVE)
    ax.set(ylim=(-9, 9), xlabel="x")
    return fig, f"the line ends at {C if side == 'up' else -C:g}"

def walk(k):
    fig, axs = pl.axes(2, width=8.0, height=3.4)
    for ax in axs:
        ax.plot([0, 1], [0, min(k, 3)], color=pl.POSITIVE)
        ax.set(ylim=(0, 4))
    return fig, f"step {min(k, 3)} of 3"
"""
# A number, a fixed figure, and two that move.
CELLS: list[tuple[str, str, dict[str, Any]]] = [
    ("markdown", "# A chapter\n\nSee {numref}`fig-walk` and {numref}`fig-static`.", {}),
    ("code", VALUE % 1, {}),
    ("code", DRAW, {"tags": ["remove-cell"]}),
    ("code", "fig, ax = pl.axes()\nax.plot([0, 1], color=pl.INK);",
     {"mystnb": {"figure": {"caption": "Fixed.", "name": "fig-static"}, "image": {"alt": "A rising line."}}}),
    ("markdown", "\n\n".join(["Text between the figures."] * 40), {}),
    ("code", "explore(line, C=[1, 2, 4, 8], side=['up', 'down'], start={'C': 2, 'side': 'up'}, name='fig-line',\n"
     "        alt='A line from the origin', caption='The line over $C^2$ and `side`.')", {"tags": ["remove-input"]}),
    ("code", "explore(walk, k=[0, 1, 2, 3, 4, 5], start={'k': 1}, process='k', name='fig-walk',\n"
     "        alt='Two rising lines.', caption='A walk.')", {"tags": ["remove-input"]}),
    ("markdown", "\n\n".join(["Text after the figures."] * 40), {}),
]


# What its instructor calls it.
OWN = """title: Small machines
author: A. N. Other
institution: TU Somewhere
term: Winter 2026/27
licence: CC BY 4.0.
colour: "#7a1f5c"
imprint: https://example.org/imprint
"""


class First(NamedTuple):
    """What the first build of a run said and made."""

    book: Path      # the sources, which test_build.py changes
    site: Path      # a copy of the site, which nobody does
    failed: bool
    said: str


def first(config: pytest.Config) -> First:
    """The book of these cells: the worker that needs it first builds it, for all."""
    folder = folder_of(config)
    book, site = folder / "small_book", folder / "small_site"

    def work() -> str:
        """Build; copy the site."""
        book.mkdir()
        make(book, PREFACE, CELLS)
        done = build(book)
        if done.returncode == 0:
            shutil.copytree(book / "_build/html", site)
        return json.dumps([done.returncode != 0, done.stdout])

    failed, said = json.loads(once(folder / "small_book.json", work))
    return First(book, site, failed, said)


def make(book: Path, preface: str, cells: list[tuple[str, str, dict[str, Any]]]) -> None:
    """Lay the book out; what is not its own are links."""
    for name in ("_config.yml", "requirements.txt", "pyproject.toml"):
        shutil.copy(ROOT / name, book)
    for package in ("svmlib", "svmcourse"):
        (book / package).symlink_to(ROOT / package)
    (book / "book/_tools").mkdir(parents=True)
    for path in ROOT.glob("book/*"):
        if path.name != "_tools" and path.suffix != ".md":
            (book / "book" / path.name).symlink_to(path)
    for name in ("times.py", "labels.py"):
        (book / "book/_tools" / name).symlink_to(ROOT / "book/_tools" / name)
    (book / "book/_tools/warm.py").write_text("# this chapter runs no compiled function\n")
    (book / "course.yml").write_text(OWN, encoding="utf8")
    write_preface(book, preface)
    (book / "_toc.yml").write_text("format: jb-book\nroot: book/preface\nchapters:\n  - file: notebooks/01_chapter\n")
    (book / "notebooks").mkdir()
    write_chapter(book, cells)
    write_chapter(book, [("markdown", LEFT_OUT, {})], "02_left_out")


def write_preface(book: Path, text: str) -> None:
    """The page before the chapter."""
    (book / "book/preface.md").write_text(f"# A small book\n\n{text}\n", encoding="utf8")


def write_chapter(book: Path, cells: list[tuple[str, str, dict[str, Any]]], name: str = "01_chapter") -> None:
    """A chapter of these cells."""
    new = {"markdown": nbformat.v4.new_markdown_cell, "code": nbformat.v4.new_code_cell}
    kernel = {"name": "python3", "display_name": "Python 3", "language": "python"}
    nbformat.write(nbformat.v4.new_notebook(
        cells=[new[kind](source, metadata=metadata) for kind, source, metadata in cells],
        metadata={"kernelspec": kernel}), book / f"notebooks/{name}.ipynb")


def build(book: Path) -> subprocess.CompletedProcess[str]:
    """Build as `make book` does; the kernels import the book's own svmlib."""
    return subprocess.run(
        [sys.executable, "-c", "from jupyter_book.cli.main import main; main()", "build", ".", "-W", "-n",
         "--keep-going"], cwd=book, env={**os.environ, "PYTHONPATH": str(book), "PYTHONDONTWRITEBYTECODE": "1"},
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=800, check=False)
