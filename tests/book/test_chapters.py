"""The facts of a chapter stand in its folder: what is made of them follows, and nothing else has to be touched."""
from __future__ import annotations

import re
import shutil
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import findable
import front
import pytest
import yaml
from chapters import chapters, contents, introduced

ROOT = Path(__file__).resolve().parents[2]
NEW = """number: 19
part: At work
question: What comes after all this?
description: A chapter that is not there, but in a test. It has all that a chapter has to say of itself.
needs: [smo, mnist]
map:
  says: [what comes, after]
  wide: {at: [2, 4], after: [mnist]}
  narrow: {at: [1, 7], after: [mnist, smo]}
introduces:
  words: '\\bafterwards\\b'
  names: [Later]
  solvers: [later]
prints: [solvers.later.later]
sources:
  slides:
    "46: the end": [last, [final, "needle"]]
"""


@pytest.fixture
def copied(tmp_path: Path) -> Path:
    """What the facts of chapters stand in, and a chapter more."""
    for path in [ROOT / "_toc.yml", ROOT / "book/pages.yml", *(ROOT / "svmcourse").glob("*/chapter.yml")]:
        target = tmp_path / path.relative_to(ROOT)
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(path, target)
    (tmp_path / "svmcourse/afterwards").mkdir()
    (tmp_path / "svmcourse/afterwards/chapter.yml").write_text(NEW, encoding="utf8")
    return tmp_path


def listed(text: str) -> list[str]:
    """The chapters and their exercises in a _toc.yml."""
    numbered = [part for part in yaml.safe_load(text)["parts"] if part.get("numbered")]
    return [page for part in numbered for chapter in part["chapters"]
            for page in (chapter["file"], *(section["file"] for section in chapter["sections"]))]


def test_a_new_chapter_is_in_the_contents(copied: Path) -> None:
    before, after = (ROOT / "_toc.yml").read_text(encoding="utf8"), contents(copied)
    assert listed(after) == [*listed(before), "notebooks/19_afterwards", "notebooks/exercises/19_afterwards"]
    [part] = [part for part in yaml.safe_load(after)["parts"] if part["caption"] == "At work"]
    assert part["chapters"][-1]["file"] == "notebooks/19_afterwards"
    beside = re.compile(r"(?s)  - caption: At a glance.*")
    assert beside.findall(after) == beside.findall(before)


def test_a_new_chapter_is_described(copied: Path) -> None:
    assert set(findable.described(copied)) - set(findable.described(ROOT)) == {"notebooks/19_afterwards"}
    assert findable.described(copied)["notebooks/19_afterwards"]["question"] == "What comes after all this?"


@pytest.mark.parametrize(("form", "before"), [("wide", {15}), ("narrow", {10, 15})])
def test_a_new_chapter_is_on_the_map(copied: Path, form: str, before: set[int]) -> None:
    assert {a for a, b in front.arrows(copied, form) if b == 19} == before
    assert set(front.arrows(copied, form)) >= set(front.arrows(ROOT, form))
    seen: Any = SimpleNamespace(root=copied, files=front.objects(copied), address=lambda number: f"{number}.html",
                                title=lambda number: f"Title {number}")
    drawn = front.drawn(seen, form)
    assert re.findall(r'<a href="(\d+)\.html"', drawn) == [str(number) for number in range(1, 20)]
    assert 'aria-label="Chapter 19, Title 19: what comes after"' in drawn
    assert drawn.count("<path") - 1 == len(front.arrows(copied, form))      # one is the head of all


def test_what_a_new_chapter_introduces_prints_and_shows_is_known(copied: Path) -> None:
    assert introduced("words", copied)["19_afterwards"] == r"\bafterwards\b"
    assert introduced("names", copied)["19_afterwards"] == ["Later"]
    assert introduced("solvers", copied)["19_afterwards"] == ["later"]
    assert chapters(copied)["afterwards"].facts["prints"] == ["solvers.later.later"]
    assert chapters(copied)["afterwards"].facts["sources"]["slides"] == {"46: the end": ["last", ["final", "needle"]]}


def test_a_chapter_is_its_folder_and_its_notebooks() -> None:
    stems = [chapter.stem for chapter in chapters().values()]
    assert [chapter.number for chapter in chapters().values()] == list(range(1, len(stems) + 1))
    for folder in (ROOT / "notebooks", ROOT / "notebooks/exercises"):
        assert sorted(path.stem for path in folder.glob("*.ipynb")) == stems
    assert {path.name for path in (ROOT / "svmcourse").iterdir() if (path / "figures.py").exists()} == set(chapters())


def test_no_registry_of_chapters_is_kept_by_hand() -> None:
    """Pages, map, contents, inventory and the tables of the tests name no chapter of their own."""
    stems = {chapter.stem for chapter in chapters().values()}
    for name in ("book/pages.yml", "book/_ext/front.py", "book/_ext/findable.py", "tests/book/inventory.py",
                 "tests/book/test_reader.py", "tests/book/test_inventory.py", "tests/book/test_front.py"):
        text = (ROOT / name).read_text(encoding="utf8")
        assert not [stem for stem in stems if stem in text or f'"{stem[:2]}"' in text], name
