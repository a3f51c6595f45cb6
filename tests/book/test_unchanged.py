"""When make book has nothing to do: the site is that of the files as they are."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from unchanged import FOLDERS, ROOT, STAMP, key, sources, unchanged


@pytest.fixture
def book(tmp_path: Path) -> Path:
    """A book that has been built."""
    for name in ("book/_ext/hook.py", "book/preface.md", "notebooks/exercises/01.ipynb", "svmlib/data/points.csv",
                 "_toc.yml", "_build/html/index.html"):
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(name)
    (tmp_path / "_build" / STAMP).write_text(key(tmp_path))
    return tmp_path


def test_a_site_that_has_been_built_is_not_built_again(book: Path) -> None:
    assert unchanged(book, book / "_build")
    for name in ("book/_npm/node_modules/a.js", "svmlib/__pycache__/a.pyc", "svmlib/a.nbi", "_build/other"):
        path = book / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("made by a build")
    assert unchanged(book, book / "_build")


@pytest.mark.parametrize("name", ["book/_ext/hook.py", "book/preface.md", "notebooks/exercises/01.ipynb",
                                  "svmlib/data/points.csv", "_toc.yml", "book/new.md", "requirements.txt"])
def test_a_file_that_is_changed_or_new_or_gone_is_seen(book: Path, name: str) -> None:
    there = (book / name).exists()
    with (book / name).open("a") as file:
        file.write(" ")
    assert not unchanged(book, book / "_build")
    (book / name).unlink()
    assert unchanged(book, book / "_build") != there


def test_without_a_site_or_a_build_that_ended_well_it_is_built(book: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SVMLIB_SOLUTIONS", "0")
    assert not unchanged(book, book / "_build")
    monkeypatch.undo()
    (book / "_build" / "html" / "index.html").unlink()
    assert not unchanged(book, book / "_build")
    (book / "_build" / "html" / "index.html").touch()
    assert unchanged(book, book / "_build")
    (book / "_build" / STAMP).unlink()
    assert not unchanged(book, book / "_build")


def test_all_that_git_keeps_of_the_book_counts() -> None:
    listed = subprocess.run(["git", "ls-files", *FOLDERS], cwd=ROOT, capture_output=True, text=True, check=False)
    kept = {ROOT / name for name in listed.stdout.splitlines()}
    assert {path for path in kept if path.exists()} <= set(sources(ROOT))


def test_it_can_be_asked_as_a_command() -> None:
    asked = subprocess.run([sys.executable, str(ROOT / "book/_ext/unchanged.py"), "nowhere"], check=False)
    assert asked.returncode == 1
