"""The builds of a small book: changed code changes the page, a failing cell fails every build, nothing runs twice."""

from __future__ import annotations

import re
import shutil
from pathlib import Path
from types import SimpleNamespace
from typing import NamedTuple

import execution
import pytest
import small_book
from small_book import CELLS, PREFACE, ROOT
from unchanged import STAMP

EDIT = 'href="https://github.com/name/course/edit/main/book/preface.md"'
BROKEN = [CELLS[0], ("code", "raise RuntimeError('this cell is broken')", {})]

pytestmark = pytest.mark.timeout(1800)


class Built(NamedTuple):
    """What a build made."""

    failed: bool
    said: str
    number: str                     # on the chapter's page
    served: dict[str, bytes]        # style sheet, script and fonts
    preface: str                    # its page


def seen(html: Path, failed: bool, said: str) -> Built:
    """Look at what is there after a build."""
    page = (html / "notebooks/01_chapter.html").read_text(encoding="utf8")
    number = re.search(r"the value is (\d\.\d+)", page)  # the source has a brace there
    return Built(failed, said, number[1] if number else "",
                 {path.name: path.read_bytes() for path in [*html.glob("_static/bundle.*"), *html.rglob("*.woff2")]},
                 (html / "book/preface.html").read_text(encoding="utf8"))


def built(book: Path) -> Built:
    """Build once more."""
    done = small_book.build(book)
    return seen(book / "_build/html", done.returncode != 0, done.stdout)


def edit(path: Path, old: str, new: str) -> None:
    """Change one line of a file."""
    text = path.read_text(encoding="utf8")
    assert text.count(old) == 1
    path.write_text(text.replace(old, new), encoding="utf8")


@pytest.fixture(scope="module")
def first(request: pytest.FixtureRequest) -> small_book.First:
    """The book as all modules of this run see it."""
    first = small_book.first(request.config)
    assert not first.failed, first.said
    return first


@pytest.fixture(scope="module")
def builds(first: small_book.First) -> dict[str, Built]:
    """The first build, one with a failing cell, one with a warning and a repository named."""
    book, made = first.book, {"first": seen(first.site, first.failed, first.said)}
    small_book.write_chapter(book, BROKEN)
    made["broken"] = built(book)
    small_book.write_chapter(book, CELLS)
    small_book.write_preface(book, "See {ref}`nowhere`.")
    config = book / "_config.yml"
    line = re.search(r"# (repository_url: \S+) .*$", config.read_text(encoding="utf8"), flags=re.M)
    edit(config, line[0], line[1])
    return {**made, "warned": built(book)}


@pytest.fixture(scope="module")
def more(first: small_book.First, builds: dict[str, Built]) -> dict[str, Built]:
    """Further builds, each after another change or none; svmlib, which one of them changes, is a copy."""
    book, made = first.book, {"still warned": built(first.book)}
    small_book.write_preface(book, PREFACE)
    (book / "svmlib").unlink()
    shutil.copytree(ROOT / "svmlib", book / "svmlib", ignore=shutil.ignore_patterns("__pycache__"))
    made |= {"mended": built(book), "again": built(book)}
    edit(book / "svmlib/kernels/vectors.py", "        np.exp(K, out=K)\n", "        np.exp(2 * K, out=K)\n")
    made["changed"] = built(book)
    small_book.write_chapter(book, BROKEN)
    return {**made, "broken": built(book), "still broken": built(book)}


def test_a_cell_is_executed_and_what_it_prints_is_on_the_page(builds: dict[str, Built]) -> None:
    first = builds["first"]
    assert "executing notebooks/01_chapter.ipynb" in first.said
    assert first.number == "0.6065"  # exp(-1/2)
    assert len(first.served) > 2


def test_a_failing_cell_fails_the_build(builds: dict[str, Built]) -> None:
    assert builds["broken"].failed
    assert "this cell is broken" in builds["broken"].said


def test_a_warning_fails_the_build_which_executes_nothing_twice(builds: dict[str, Built]) -> None:
    warned = builds["warned"]
    assert warned.failed
    assert "nowhere" in warned.said
    assert "executing" not in warned.said
    assert warned.number == builds["first"].number


def test_a_named_repository_gives_each_page_a_button_to_edit_it(builds: dict[str, Built]) -> None:
    assert EDIT in builds["warned"].preface
    assert EDIT not in builds["first"].preface


@pytest.mark.parametrize(("error", "warnings", "good"), [
    (None, 0, True), (None, 1, False), (RuntimeError("a cell has failed"), 0, False)])
def test_after_a_build_that_failed_the_next_one_reads_every_page_again(tmp_path: Path, error: Exception | None,
                                                                      warnings: int, good: bool) -> None:
    known = tmp_path / "environment.pickle"     # by which Sphinx knows what it has read
    known.touch()
    app = SimpleNamespace(doctreedir=str(tmp_path), outdir=str(tmp_path / "html"), _warncount=warnings,
                          builder=SimpleNamespace(format="html"), config=SimpleNamespace(course_sources="a key"))
    execution.repeat_warnings(app, error)
    assert known.exists() is good
    assert (tmp_path / STAMP).exists() is good      # by which the next `make book` would do nothing


@pytest.mark.thorough
def test_a_changed_line_of_svmlib_changes_the_number_on_the_page(more: dict[str, Built]) -> None:
    changed = more["changed"]
    assert not changed.failed, changed.said
    assert "executing notebooks/01_chapter.ipynb" in changed.said
    assert changed.number == "0.3679"  # exp(-1)


@pytest.mark.thorough
def test_a_build_after_which_nothing_has_changed_writes_nothing(more: dict[str, Built]) -> None:
    mended, again = more["mended"], more["again"]
    assert not again.failed, again.said      # which writes no page
    assert "executing" not in again.said
    assert again.served == mended.served


@pytest.mark.thorough
@pytest.mark.parametrize(("name", "reason"), [
    ("broken", "this cell is broken"), ("still broken", "this cell is broken"), ("still warned", "nowhere")])
def test_a_failing_cell_or_a_warning_fails_every_build(more: dict[str, Built], name: str, reason: str) -> None:
    assert more[name].failed
    assert reason in more[name].said


@pytest.mark.thorough
def test_what_is_mended_builds(more: dict[str, Built]) -> None:
    assert not more["mended"].failed, more["mended"].said
    assert more["mended"].number == "0.6065"
