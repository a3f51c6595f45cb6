"""course.yml: an edition of one's own; a line that is missing means ours, and one that cannot be is named."""

from __future__ import annotations

import re
import shutil
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
import small_book
import yaml
from browsing import ROOT
from chapters import contents
from citing import work_of
from own import OURS, configure, own
from sphinx.errors import ConfigError


def course(folder: Path, text: str) -> Path:
    (folder / "course.yml").write_text(text, encoding="utf8")
    return folder


def test_the_file_that_comes_with_the_course_changes_nothing_and_names_all() -> None:
    assert own(ROOT) == OURS
    text = (ROOT / "course.yml").read_text(encoding="utf8")
    assert re.findall(r"(?m)^# (\w+):", text) == list(OURS)
    given = yaml.safe_load("\n".join(re.findall(r"(?m)^# (\w+: .*)$", text)))
    assert (given["title"], given["author"], given["licence"]) == tuple(OURS[w] for w in ("title", "author", "licence"))


@pytest.mark.parametrize(("text", "words"), [
    ("titel: A", "'titel' is none of title, subtitle"), ("- a", "must hold lines"), ("title: [a", "is no YAML"),
    ("title: [a]", "title must be text"), ("colour: blue", "six digits"),
    ("imprint: example.org", "imprint must begin"),
    ("logo: here.svg", "there is no file here.svg"), ("chapters: 4", "list of numbers"),
    ("chapters: [a]", "list of numbers"),
    ("chapters: [2, 77]", "there is no 77")])
def test_what_cannot_be_is_named(text: str, words: str, tmp_path: Path) -> None:
    (tmp_path / "svmcourse").symlink_to(ROOT / "svmcourse")
    shutil.copy(ROOT / "_toc.yml", tmp_path)
    with pytest.raises(ConfigError, match=re.escape(words)):
        contents(course(tmp_path, text))


def test_chosen_chapters_are_the_contents(tmp_path: Path) -> None:
    (tmp_path / "svmcourse").symlink_to(ROOT / "svmcourse")
    shutil.copy(ROOT / "_toc.yml", tmp_path)
    text = contents(course(tmp_path, "chapters: [10, 2]"))
    parts = yaml.safe_load(text)["parts"]
    assert [chapter["file"] for part in parts if part.get("numbered") for chapter in part["chapters"]] == [
        "notebooks/02_hard_margin", "notebooks/10_smo"]
    assert parts[2:] == yaml.safe_load((ROOT / "_toc.yml").read_text(encoding="utf8"))["parts"][5:]
    (tmp_path / "_toc.yml").write_text(text, encoding="utf8")
    assert contents(course(tmp_path, "")) == contents(ROOT)         # and back


def test_sphinx_and_citation_are_told(tmp_path: Path) -> None:
    shutil.copy(ROOT / "CITATION.cff", tmp_path)
    course(tmp_path, "title: A & B\nauthor: C\naddress: https://a.b/c\nterm: <2026>\n"
                     "repository: https://github.com/d/e\n")
    app: Any = SimpleNamespace(srcdir=str(tmp_path))
    config: Any = SimpleNamespace(html_theme_options={}, html_title="ours", author="ours", html_baseurl="")
    configure(app, config)
    assert (config.html_title, config.author, config.html_baseurl) == ("A & B", "C", "https://a.b/c/")
    assert config.html_theme_options["repository_url"] == "https://github.com/d/e"
    assert config.html_theme_options["extra_footer"].startswith("&lt;2026&gt;. Text CC BY")
    work = work_of(app)
    assert work["title"] == "A & B"
    assert [person["name"] for person in work["authors"]] == ["C", "The svmlib authors"]


def test_pages_are_called_what_it_says(request: pytest.FixtureRequest) -> None:
    first = small_book.first(request.config)
    assert not first.failed, first.said
    page = (first.site / "book/preface.html").read_text(encoding="utf8")
    foot = page[page.index("extra_footer") if "extra_footer" in page else page.rindex("<footer"):]
    assert "Small machines</title>" in page
    assert "TU Somewhere, Winter 2026/27. CC BY 4.0. MNIST by LeCun" in foot
    assert '<a href="https://example.org/imprint">Imprint</a>' in foot
    assert 'html[data-theme="light"] { --pst-color-primary: #7a1f5c;' in page
    assert 'content="Small machines"' in page                     # of a link's preview
    assert "Support vector machines" not in re.sub(r"(?s)<script.*?</script>", "", page)
