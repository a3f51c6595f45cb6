"""The build of a small book: changed code changes the page, a failing cell fails every build, nothing runs twice."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from pathlib import Path

import nbformat
import pytest

ROOT = Path(__file__).resolve().parents[2]
KERNEL_VALUE = "\n".join([
    "from svmlib.kernels import Gaussian",
    "print(f'the value is {Gaussian(sigma=1.0)([[0.0]], [[1.0]])[0, 0]:.4f}')",
])

pytestmark = [pytest.mark.slow, pytest.mark.timeout(900)]


@pytest.fixture
def book(tmp_path: Path) -> Path:
    """A book of one page and one chapter with the configuration, the hooks and the package of the whole."""
    for name in ("_config.yml", "requirements.txt", "pyproject.toml"):
        shutil.copy(ROOT / name, tmp_path)
    ignored = shutil.ignore_patterns("__pycache__", "node_modules")
    for name in ("svmlib", "book/_ext", "book/_static", "book/_templates", "book/_npm", "book/images"):
        shutil.copytree(ROOT / name, tmp_path / name, ignore=ignored)
    shutil.copy(ROOT / "book/references.bib", tmp_path / "book")
    if (ROOT / "book/_npm/node_modules").exists():
        (tmp_path / "book/_npm/node_modules").symlink_to(ROOT / "book/_npm/node_modules")
    (tmp_path / "book/_tools").mkdir()
    (tmp_path / "book/_tools/warm.py").write_text("# this chapter runs no compiled function\n")
    (tmp_path / "book/preface.md").write_text("# A small book\n\nOne chapter.\n")
    (tmp_path / "_toc.yml").write_text(
        "format: jb-book\nroot: book/preface\nchapters:\n  - file: notebooks/01_chapter\n")
    (tmp_path / "notebooks").mkdir()
    write_chapter(tmp_path, KERNEL_VALUE)
    return tmp_path


def write_chapter(book: Path, code: str) -> None:
    """The chapter: a heading and one cell."""
    cells = [nbformat.v4.new_markdown_cell("# A chapter"), nbformat.v4.new_code_cell(code)]
    kernel = {"name": "python3", "display_name": "Python 3", "language": "python"}
    notebook = nbformat.v4.new_notebook(cells=cells, metadata={"kernelspec": kernel})
    nbformat.write(notebook, book / "notebooks/01_chapter.ipynb")


def build(book: Path, environment: dict[str, str]) -> subprocess.CompletedProcess[str]:
    """Build as `make book` does."""
    return subprocess.run(
        [sys.executable, "-c", "from jupyter_book.cli.main import main; main()", "build", ".", "-W", "-n",
         "--keep-going"], cwd=book, env=environment, capture_output=True, text=True, timeout=800, check=False)


@pytest.fixture
def environment(book: Path, monkeypatch: pytest.MonkeyPatch) -> dict[str, str]:
    """An environment whose kernels import the small book's svmlib."""
    import os

    return {**os.environ, "PYTHONPATH": str(book), "PYTHONDONTWRITEBYTECODE": "1"}


def published(book: Path) -> str:
    """The number on the chapter's page."""
    page = (book / "_build/html/notebooks/01_chapter.html").read_text(encoding="utf8")
    return re.search(r"the value is (\d\.\d+)", page)[1]  # the source has a brace there


def served(book: Path) -> dict[str, bytes]:
    """Style sheet, script and fonts of the pages."""
    static = book / "_build/html/_static"
    return {path.name: path.read_bytes() for path in [*static.glob("bundle.*"), *static.rglob("*.woff2")]}


def edit(path: Path, old: str, new: str) -> None:
    """Change one line of a file."""
    text = path.read_text(encoding="utf8")
    assert text.count(old) == 1
    path.write_text(text.replace(old, new), encoding="utf8")


def test_a_changed_line_of_svmlib_changes_the_number_on_the_page(book: Path, environment: dict[str, str]) -> None:
    first = build(book, environment)
    assert first.returncode == 0, first.stdout + first.stderr
    assert "executing notebooks/01_chapter.ipynb" in first.stdout
    assert published(book) == "0.6065"  # exp(-1/2)

    before = served(book)
    again = build(book, environment)      # which writes no page
    assert again.returncode == 0
    assert "executing" not in again.stdout
    assert served(book) == before

    edit(book / "svmlib/kernels/vectors.py", "        np.exp(K, out=K)\n", "        np.exp(2 * K, out=K)\n")
    changed = build(book, environment)
    assert changed.returncode == 0
    assert published(book) == "0.3679"  # exp(-1)


def test_a_failing_cell_fails_every_build_until_it_is_mended(book: Path, environment: dict[str, str]) -> None:
    write_chapter(book, "raise RuntimeError('this cell is broken')")
    for _ in range(2):
        failed = build(book, environment)
        assert failed.returncode != 0
        assert "this cell is broken" in failed.stdout + failed.stderr
    write_chapter(book, KERNEL_VALUE)
    assert build(book, environment).returncode == 0
    assert published(book) == "0.6065"


def test_a_named_repository_gives_each_page_a_button_to_edit_it(book: Path, environment: dict[str, str]) -> None:
    (book / "notebooks/01_chapter.ipynb").unlink()
    (book / "_toc.yml").write_text("format: jb-book\nroot: book/preface\n")
    config = book / "_config.yml"
    line = re.search(r"# (repository_url: \S+) .*$", config.read_text(encoding="utf8"), flags=re.M)
    assert line
    button = 'href="https://github.com/name/course/edit/main/book/preface.md"'
    page = book / "_build/html/book/preface.html"
    for named in (False, True):
        if named:
            edit(config, line[0], line[1])
        done = build(book, environment)
        assert done.returncode == 0, done.stdout + done.stderr
        assert (button in page.read_text(encoding="utf8")) == named


def test_a_warning_fails_every_build(book: Path, environment: dict[str, str]) -> None:
    (book / "book/preface.md").write_text("# A small book\n\nSee {ref}`nowhere`.\n")
    for _ in range(2):
        failed = build(book, environment)
        assert failed.returncode != 0
        assert "nowhere" in failed.stdout + failed.stderr
