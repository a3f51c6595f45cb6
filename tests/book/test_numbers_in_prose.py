"""Each number in the text of a chapter is one that its code has or prints: a slip of the pen is seen.

A number of thirteen and more, or with decimals, must be found, rounded as it is written, among the numbers in the cells
of the chapter, those that only assert included, and in what they print; as a share, too, if it is a percentage.
"""

from __future__ import annotations

import re
from functools import cache

import pytest
from test_reader import CHAPTERS, CITATION, FOOT, cells

# What text is besides: formulas, code, directives, roles, links, comments, addresses; minutes, which test_times.py has.
ASIDE = re.compile(r"\$\$.*?\$\$|\$[^$]*\$|^```.*?^```|`[^`]*`|<!--.*?-->|\]\([^)]*\)|https?://\S+|^:\w[\w-]*:.*$"
                   r"|about \d+ minutes", re.S | re.M)
NUMBER = re.compile(r"(?<![\w.,])\d+(?:,\d{3})*(?:\.\d+)?(?!\w|[.,]\d)(?:(?=\s?(%)))?")
DIGITS = re.compile(r"\d+(?:,\d{3})*(?:\.\d+)?(?:e[-+]?\d+)?|\.\d+")
YEAR = re.compile(r"1[6-9]\d\d|20\d\d")
SMALLEST = 13           # below, a number is a word like others: two classes, ten digits
#: What no cell has, by chapter: facts of the world, what others found (with the source beside it), round products.
KNOWN = {
    "01": {"180", "784", "70,000"},
    "03": {"0.4186"},
    "05": {"0.61"},
    "06": {"24", "800"},
    "07": {"15"},
    "10": {"3.6", "29"},
    "11": {"4000"},
    "13": {"54,000"},
    "14": {"90"},
    "15": {"70", "82", "83", "104", "147", "238", "570", "60,000"},
    "16": {"29", "121", "179", "40,000"},
    "17": {"77,000"},
}


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


def unbound(chapter: str) -> list[tuple[str, str]]:
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
            digit = 0.5000001 * 10.0 ** -places
            if YEAR.fullmatch(digits) or (value < SMALLEST and not places):
                continue
            if not any(abs(x - v) <= digit / (1 if v == value else 100) for x in pool for v in near):
                lost.append((found[0], text[max(0, found.start() - 40):found.end() + 20].replace("\n", " ")))
    return lost


@pytest.mark.parametrize("chapter", CHAPTERS)
def test_numbers_of_the_text_come_from_cells(chapter: str) -> None:
    known = KNOWN.get(chapter[:2], set())
    lost = unbound(chapter)
    assert [words for number, words in lost if number not in known] == []
    assert known <= {number for number, _ in lost}, "a cell has it now: take it out of KNOWN"
