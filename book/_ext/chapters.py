"""What is known of each chapter: the `chapter.yml` of its folder in svmcourse, where each fact stands once.

    python book/_ext/chapters.py            writes the parts and chapters of _toc.yml
    python book/_ext/chapters.py chosen     does so where course.yml chooses chapters, and nothing else

A chapter is `notebooks/NN_name.ipynb` and `svmcourse/name/`; NN is its `number`.  From these files come the order in
_toc.yml, descriptions and questions, the map of the first page, and for the tests what a chapter needs, introduces,
prints, and shows of the five sources.
"""

from __future__ import annotations

import re
import sys
from functools import cache
from pathlib import Path
from typing import Any

import yaml
from own import own
from sphinx.errors import ConfigError

ROOT = Path(__file__).resolve().parents[2]


class Chapter:
    """The facts of a chapter; `facts` holds what its chapter.yml says."""

    def __init__(self, path: Path) -> None:
        self.name, self.facts = path.parent.name, dict(yaml.safe_load(path.read_text(encoding="utf8")))
        self.number = int(self.facts["number"])
        self.stem = f"{self.number:02d}_{self.name}"        # of its notebook
        self.page = f"notebooks/{self.stem}"


@cache
def chapters(root: Path = ROOT) -> dict[str, Chapter]:
    """The chapters by their names, in the order of their numbers; {} where there are none."""
    found = sorted(map(Chapter, (root / "svmcourse").glob("*/chapter.yml")), key=lambda chapter: chapter.number)
    return {chapter.name: chapter for chapter in found}


def descriptions(root: Path) -> dict[str, dict[str, str]]:
    """Description and question of each chapter, by its page."""
    return {chapter.page: {word: chapter.facts[word] for word in ("description", "question")}
            for chapter in chapters(root).values()}


def introduced(kind: str, root: Path = ROOT) -> dict[str, Any]:
    """What chapters introduce of a kind, "words", "names" or "solvers", by their notebooks' names."""
    return {chapter.stem: facts[kind] for chapter in chapters(root).values()
            if kind in (facts := chapter.facts.get("introduces", {}))}


def contents(root: Path = ROOT) -> str:
    """The text of _toc.yml: the chapters by their parts, and what stands before and after these as it is.

    Those alone that course.yml lists, if it does.
    """
    chosen = own(root)["chapters"]
    if lost := set(chosen) - {chapter.number for chapter in chapters(root).values()}:
        raise ConfigError(f"course.yml: chapters: there is no {', '.join(map(str, sorted(lost)))}")
    head, *parts = re.split(r"(?m)^(?=  - caption: )", (root / "_toc.yml").read_text(encoding="utf8"))
    made: dict[str, str] = {}
    for chapter in chapters(root).values():
        if chosen and chapter.number not in chosen:
            continue
        part = chapter.facts["part"]
        made.setdefault(part, f"  - caption: {part}\n    numbered: true\n    chapters:\n")
        made[part] += (f"      - file: {chapter.page}\n        sections:\n"
                       f"          - file: notebooks/exercises/{chapter.stem}\n            title: Exercises\n")
    return head + "".join(made.values()) + "".join(part for part in parts if "\n    numbered: true\n" not in part)


if __name__ == "__main__" and (sys.argv[1:] != ["chosen"] or own(ROOT)["chapters"]):
    (ROOT / "_toc.yml").write_text(contents(), encoding="utf8")
