"""The builds of a small book: changed code changes the page, a failing cell fails every build, nothing runs twice."""

from __future__ import annotations

import re
import shutil
from pathlib import Path
from typing import Any, NamedTuple

import pytest
import small_book
from nbformat.v4 import new_code_cell, new_markdown_cell
from small_book import ROOT

VALUE = ("from svmlib.kernels import Gaussian\n"
         "print(f'the value is {Gaussian(sigma=1.0)([[0.0]], [[%s]])[0, 0]:.4f}')")
EDIT = 'href="https://github.com/name/course/edit/main/book/preface.md"'

pytestmark = [pytest.mark.slow, pytest.mark.timeout(1800)]


class Built(NamedTuple):
    """What a build made."""

    failed: bool
    said: str
    number: str                     # on the chapter's page
    served: dict[str, bytes]        # style sheet, script and fonts
    preface: str                    # its page


def built(book: Path) -> Built:
    """Build, and look at what is there."""
    done, html = small_book.build(book), book / "_build/html"
    page = (html / "notebooks/01_chapter.html").read_text(encoding="utf8")
    number = re.search(r"the value is (\d\.\d+)", page)  # the source has a brace there
    return Built(done.returncode != 0, done.stdout, number[1] if number else "",
                 {path.name: path.read_bytes() for path in [*html.glob("_static/bundle.*"), *html.rglob("*.woff2")]},
                 (html / "book/preface.html").read_text(encoding="utf8"))


def chapter(code: str) -> list[Any]:
    """A heading and one cell."""
    return [new_markdown_cell("# A chapter"), new_code_cell(code)]


def edit(path: Path, old: str, new: str) -> None:
    """Change one line of a file."""
    text = path.read_text(encoding="utf8")
    assert text.count(old) == 1
    path.write_text(text.replace(old, new), encoding="utf8")


@pytest.fixture(scope="module")
def builds(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Built]:
    """What the builds of one book made, each after another change."""
    book = small_book.make(tmp_path_factory.mktemp("book"), "One chapter.", chapter(VALUE % 1))
    (book / "svmlib").unlink()
    shutil.copytree(ROOT / "svmlib", book / "svmlib", ignore=shutil.ignore_patterns("__pycache__"))
    made = {"first": built(book), "again": built(book)}
    edit(book / "svmlib/kernels/vectors.py", "        np.exp(K, out=K)\n", "        np.exp(2 * K, out=K)\n")
    made["changed"] = built(book)
    small_book.write_chapter(book, chapter("raise RuntimeError('this cell is broken')"))
    made |= {"broken": built(book), "still broken": built(book)}
    small_book.write_chapter(book, chapter(VALUE % 2))
    edit(book / "book/preface.md", "One chapter.", "See {ref}`nowhere`.")
    made |= {"warned": built(book), "still warned": built(book)}
    edit(book / "book/preface.md", "See {ref}`nowhere`.", "One chapter.")
    config = book / "_config.yml"
    line = re.search(r"# (repository_url: \S+) .*$", config.read_text(encoding="utf8"), flags=re.M)
    edit(config, line[0], line[1])
    return made | {"mended, and a repository is named": built(book)}


def test_a_changed_line_of_svmlib_changes_the_number_on_the_page(builds: dict[str, Built]) -> None:
    first, again, changed = builds["first"], builds["again"], builds["changed"]
    assert not first.failed, first.said
    assert "executing notebooks/01_chapter.ipynb" in first.said
    assert first.number == "0.6065"  # exp(-1/2)
    assert not again.failed, again.said      # which writes no page
    assert "executing" not in again.said
    assert again.served == first.served
    assert len(first.served) > 2
    assert not changed.failed, changed.said
    assert changed.number == "0.3679"  # exp(-1)


@pytest.mark.parametrize(("name", "reason"), [
    ("broken", "this cell is broken"), ("still broken", "this cell is broken"),
    ("warned", "nowhere"), ("still warned", "nowhere")])
def test_a_failing_cell_or_a_warning_fails_every_build(builds: dict[str, Built], name: str, reason: str) -> None:
    assert builds[name].failed
    assert reason in builds[name].said


def test_what_is_mended_builds(builds: dict[str, Built]) -> None:
    last = builds["mended, and a repository is named"]
    assert not last.failed, last.said
    assert last.number == "0.0183"  # exp(-4)


def test_a_named_repository_gives_each_page_a_button_to_edit_it(builds: dict[str, Built]) -> None:
    assert EDIT in builds["mended, and a repository is named"].preface
    assert EDIT not in builds["first"].preface
