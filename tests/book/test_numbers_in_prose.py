"""Each number in the text of a chapter is one that its code has or prints: a slip of the pen is seen.

A number of thirteen and more, or with decimals, must be found, rounded as it is written, among the numbers in the cells
of the chapter, those that only assert included, and in what they print; as a share, too, if it is a percentage.
"""

from __future__ import annotations

import re
from functools import cache

import pytest
from test_reader import CHAPTERS, CITATION, FOOT, cells

# What text is besides: formulas, code, directives, roles, links, comments, addresses; years.
ASIDE = re.compile(r"\$\$.*?\$\$|\$[^$]*\$|^```.*?^```|`[^`]*`|<!--.*?-->|\]\([^)]*\)|https?://\S+|^:\w[\w-]*:.*$|\b(?:1[6-9]|20)\d\d\b",
                   re.S | re.M)
NUMBER = re.compile(r"(?<![\w.,])\d+(?:,\d{3})*(?:\.\d+)?(?!\w|[.,]\d)(?:(?=\s?(%)))?")
DIGITS = re.compile(r"\d+(?:,\d{3})*(?:\.\d+)?(?:e[-+]?\d+)?|\.\d+")
SMALLEST = 13           # below, a number is a word like others: two classes, ten digits
#: Facts of the world that no cell computes.
"""Said of a public collection or by others, with the source beside it."""
KNOWN: dict[str, set[str]] = {}


@cache
def computed(chapter: str) -> set[float]:
    """The numbers in a chapter's code and in what it prints."""
    found = set()
    for cell in cells(chapter):
        if cell.cell_type == "code":
            texts = [cell.source, *(output.get("text", "") for output in cell.outputs)]
            texts += [re.sub(r"<[^>]*>", " ", str(data)) for output in cell.outputs
                      for kind, data in output.get("data", {}).items() if kind.startswith("text/")]
            found |= {float(number.replace(",", "")) for text in texts for number in DIGITS.findall(text)}
    return found


def unbound(chapter: str) -> list[str]:
    """The numbers of the text that no cell has, with the words around them."""
    lost = []
    pool = computed(chapter)
    for cell in cells(chapter):
        if cell.cell_type != "markdown":
            continue
        text = ASIDE.sub(" ", CITATION.sub(" ", FOOT.sub("", cell.source)))
        for found in NUMBER.finditer(text):
            digits = found[0].replace(",", "")
            value, places = float(digits), len(digits.partition(".")[2])
            near = {value, value / 100, 1 - value / 100} if found[1] else {value}
            fits = any(abs(x - v) <= 0.5000001 * 10.0 ** -places / (1 if v == value else 100) for x in pool for v in near)
            if (value >= SMALLEST or places) and not fits:
                lost.append(text[max(0, found.start() - 40):found.end() + 20].replace("\n", " "))
    return lost


@pytest.mark.parametrize("chapter", CHAPTERS)
def test_numbers_of_the_text_come_from_cells(chapter: str) -> None:
    assert unbound(chapter) == []
