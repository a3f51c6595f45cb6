"""Each number in the text of a chapter is one that its code has or prints: a slip of the pen is seen.

A number of thirteen and more, or with decimals, must be found, rounded as it is written, among the numbers in the cells
of its section, those that only assert included, and in what they print; as a share, too, if it is a percentage.
Text is all that is read: boxes and proofs in any fence, numbers in formulas and in words, captions, alternative texts,
titles and comments in cells.  What is typed there does not vouch for itself.
"""

from __future__ import annotations

import ast
import html
import io
import re
import tokenize
from collections.abc import Iterable, Iterator

import nbformat
import pytest
from test_reader import CHAPTERS, CITATION, FOOT, cells

# What text is besides: code, roles, links, comments, options but those that are read, addresses; minutes, which
# test_times.py has.
ASIDE = re.compile(r"`[^`]*`|<!--.*?-->|\]\([^)]*\)|https?://\S+|^:(?!alt:|caption:)\w[\w-]*:[^\n]*$"
                   r"|about \d+ minutes", re.S | re.M)
FENCE = re.compile(r"^(`{3,}|~{3,})(\{[\w:-]+\})?(.*?)$(.*?)^\1(?![`~])", re.S | re.M)
NO_TEXT = {None, "{code}", "{code-block}", "{literalinclude}"}
FORMULA = re.compile(r"(?<!\\)(\$\$?)(?!\$)(.*?)(?<!\\)\1", re.S)
NUMBER = re.compile(r"(?<![\w.,])(?:\d+(?:,\d{3})*(?:\.\d+)?|\.\d+)(?!\w|[.,]\d)(?:(?=\s?(%|per ?cent)))?")
# In a formula indices, exponents and factors are no news; decimals are, and what all of it comes to.
NEWS = re.compile(r"(?<![\w.,])(?:\d+(?:,\d{3})*)?\.\d+(?:\s*%)?|(?:^|[=≈<>≤≥])\s*[-−]?\s*\d+(?:,\d{3})*(?:\s*%)?\s*$")
DIGITS = re.compile(r"\d+(?:,\d{3})*(?:\.\d+)?(?:e[-+]?\d+)?|\.\d+")
YEAR = re.compile(r"1[6-9]\d\d|20\d\d")
SMALLEST = 13           # below, a number is a word like others: two classes, ten digits

WORTH = {word: worth for worth, word in enumerate((
    "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve", "thirteen",
    "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen"), 1)}
WORTH |= {word: 10 * tens for tens, word in enumerate((
    "twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"), 2)}
POWERS = {"hundred": 100, "thousand": 1000, "million": 1_000_000}
IN_WORDS = re.compile(r"\b(?:{})\b(?:(?:-|\s+(?:and\s+)?)(?:{})\b)*".format("|".join(WORTH), "|".join(WORTH | POWERS)),
                      re.I)

#: What no cell of its section has, by chapter: facts of the world, what others found (with the source beside it), round
#: products, what an alternative text reads off its picture.
KNOWN = {
    "01": {"25", "70", "180", "720", "784", "70,000"},
    "02": {"37", "41", "300", "40000"},
    "03": {"0.4186", "12.5"},
    "04": {"37", "44", "500", "672", "1000", "1066"},
    "05": {"0.61", "0.9", "2.1", "16", "100", "186", "2,000", "40,000"},
    "06": {"0.011", "0.08", "0.26", "0.3", "0.35", "1.15", "1.6", "19", "24", "31", "35", "61", "800"},
    "07": {"13", "15", "50", "5,200,300"},
    "09": {"1.5", "2.5", "30"},
    "10": {"0.35", "0.6", "1.4", "3.6", "29", "50", "156", "160", "300", "330", "60000"},
    "11": {"1.4", "1.7", "13", "16.4", "17", "19", "32"},
    "12": {"0.014", "0.04", "0.054", "0.07", "0.23", "0.67", "0.9", "1.27", "1.6", "1.8", "1.96", "2.4", "16", "24",
            "26", "31", "37", "41", "90", "501", "784", "785"},
    "13": {"0.08", "25", "26", "80", "54,000"},
    "14": {"0.18", "0.8", "26", "90"},
    "15": {"2.7", "2.8", "6.4", "57", "60", "70", "80", "82", "83", "94", "104", "146", "147", "150", "163", "238",
            "400", "830", "1120", "9,500", "60,000"},
    "16": {"0.35", "0.7", "16.1", "16.2", "16.3", "16.4", "16.5", "17", "18", "29", "121", "357", "480", "600", "784",
            "40,000", "60000", "100,000"},
    "17": {"1.5", "3.2", "19", "37", "128", "384", "2,880", "10000", "77,000", "100,000"},
    "18": set(),
}


def spoken(words: str) -> int:
    """The number that words say: "sixty thousand" and "two hundred and five"."""
    total = group = 0
    for word in re.findall(r"[a-z]+", words.lower()):
        if word in WORTH:
            group += WORTH[word]
        elif word == "hundred":
            group *= 100
        elif word in POWERS:
            total, group = total + POWERS[word] * group, 0
    return total + group


def in_fence(found: re.Match[str]) -> str:
    """What is read of a fence: all of a box or a proof, fences in it included; nothing of code."""
    return " " if found[2] in NO_TEXT else FENCE.sub(in_fence, f"{found[3]}\n{found[4]}")


def in_formula(found: re.Match[str]) -> str:
    """The numbers of a formula that are news."""
    formula = found[2]
    for written, read in (("{,}", ","), ("\\,", ""), ("\\%", "%"), ("\\approx", "≈")):
        formula = formula.replace(written, read)
    return " ".join(["", *(news[0].lstrip("=≈<>≤≥ -−") for news in NEWS.finditer(formula)), ""])


def plain(text: str) -> str:
    """What a reader sees of Markdown, of a formula only its numbers; numbers in words are in digits."""
    text = FORMULA.sub(in_formula, ASIDE.sub(" ", FENCE.sub(in_fence, CITATION.sub(" ", FOOT.sub("", text)))))
    text = re.sub(r"(\d) (hundred|thousand|million)\b", r"\1", text)           # 186 million
    return IN_WORDS.sub(lambda found: str(spoken(found[0])), text)


def typed(cell: nbformat.NotebookNode) -> list[str]:
    """The texts in a code cell: strings with words in them, comments, its caption and its alternative text."""
    code = re.sub(r"^\s*[%!].*$", "", cell.source, flags=re.M)
    texts = [node.value for node in ast.walk(ast.parse(code))
             if isinstance(node, ast.Constant) and isinstance(node.value, str)]
    texts += [token.string for token in tokenize.generate_tokens(io.StringIO(code).readline)
              if token.type == tokenize.COMMENT]
    figure = cell.metadata.get("mystnb", {})
    texts += [figure.get("figure", {}).get("caption", ""), figure.get("image", {}).get("alt", "")]
    return [text for text in texts if re.search(r"[a-z]{2}", text)]


def shown(cell: nbformat.NotebookNode) -> list[str]:
    """What a code cell prints."""
    return [output.get("text", "") for output in cell.outputs] + [
        html.unescape(re.sub(r"<[^>]*>", " ", str(data))) for output in cell.outputs
        for kind, data in output.get("data", {}).items() if kind.startswith("text/")]


def sections(notebook: Iterable[nbformat.NotebookNode]) -> Iterator[tuple[list[str], list[nbformat.NotebookNode]]]:
    """The texts and the code cells from each heading of the second degree to the next."""
    texts: list[str] = []
    code: list[nbformat.NotebookNode] = []
    for cell in notebook:
        if cell.cell_type == "code":
            texts += map(plain, typed(cell))
            code.append(cell)
            continue
        rest, *begun = re.split(r"^(?=## )", cell.source, flags=re.M)
        texts.append(plain(rest))
        for text in begun:
            yield texts, code
            texts, code = [plain(text)], []
    yield texts, code


def computed(code: list[nbformat.NotebookNode]) -> set[float]:
    """The numbers in cells and in what they print, without those that are only typed as text."""
    words = sorted({text for cell in code for text in typed(cell) if re.search(r"\d", text)}, key=len, reverse=True)
    only_typed = re.compile("|".join(map(re.escape, words)) or "(?!)")
    texts = [only_typed.sub(" ", text) for cell in code for text in (cell.source, *shown(cell))]
    return {float(number.replace(",", "")) for text in texts
            for number in DIGITS.findall(re.sub(r"(?<=\d)_(?=\d)", "", text))}


def told(text: str) -> Iterator[tuple[str, str, bool]]:
    """The numbers of a text that are more than words, each with the words around it; whether it is a percentage."""
    for found in NUMBER.finditer(text):
        if "." in found[0] or (not YEAR.fullmatch(found[0]) and float(found[0].replace(",", "")) >= SMALLEST):
            yield found[0], text[max(0, found.start() - 40):found.end() + 20].replace("\n", " "), bool(found[1])


def has(pool: set[float], number: str, percent: bool) -> bool:
    """Whether a number is one of these, rounded as it is written."""
    value, digit = float(number.replace(",", "")), 0.5000001 * 10.0 ** -len(number.partition(".")[2])
    return any(abs(x - value) <= digit for x in pool) or (percent and any(
        abs(x - share) <= digit / 100 for x in pool for share in (value / 100, 1 - value / 100)))


def unbound(notebook: Iterable[nbformat.NotebookNode]) -> list[tuple[str, str]]:
    """The numbers of the text that no cell of their section has, with the words around them.

    A number that was said where its cell is may be repeated anywhere.
    """
    said, lost = set(), []
    for texts, code in sections(notebook):
        pool = computed(code)
        for number, words, percent in (found for text in texts for found in told(text)):
            if has(pool, number, percent):
                said.add(number)
            else:
                lost.append((number, words))
    return [(number, words) for number, words in lost if number not in said]


@pytest.mark.parametrize("chapter", CHAPTERS)
def test_numbers_of_the_text_come_from_cells(chapter: str) -> None:
    known = KNOWN.get(chapter[:2], set())
    lost = unbound(cells(chapter))
    assert [words for number, words in lost if number not in known] == []
    assert known <= {number for number, _ in lost}, "a cell has it now: take it out of KNOWN"


@pytest.mark.parametrize("text", [
    "That is 0.07.", "That is .07.", "That is $0.07$.", "That is $r \\approx .07$ here.", "$$r = 0.07$$",
    "That is 7.1 %.", "That is 7.1 per cent.", "That is $7.1\\,\\%$.", "There are 1,234.", "There are $n = 1{,}234$.",
    "There are $1234$.", "Seventeen of them.", "two hundred and five points", "Sixty thousand digits",
    "It is seventy-four.",
    "| r |\n|---|\n| 0.07 |", ":::{admonition} A trap\n:class: trap\nIt is 0.07.\n:::",
    "````{prf:proof}\n:class: dropdown\n```{admonition} Or\nIt is 0.07.\n```\n````",
    "```{figure} a.png\n:alt: A line at 0.07.\n:name: f\n```", "![a line at 0.07](a.png)"])
def test_a_slip_is_seen_however_a_number_is_written(text: str) -> None:
    code = nbformat.v4.new_code_cell("print(r, n)", outputs=[nbformat.v4.new_output(
        "stream", text="0.0707 1234 17 205 60000 74")])
    assert unbound([nbformat.v4.new_markdown_cell(text), code]) == []
    right = re.search(r"07|7\.1|1\{?,?\}?234|Seven|five|Sixty|four", text)
    slip = {"Seven": "Nine", "five": "six", "Sixty": "Ninety", "four": "five"}
    wrong = text[:right.start()] + slip.get(right[0], right[0][:-1] + "9") + text[right.end():]
    assert len(unbound([nbformat.v4.new_markdown_cell(wrong), code])) == 1
    assert len(unbound([nbformat.v4.new_markdown_cell(text), nbformat.v4.new_markdown_cell("## Next"), code])) == 1


@pytest.mark.parametrize("source", ["r = f()  # it is 0.07", "table(rows, caption='It is 0.07')", "r = f()"])
def test_what_is_typed_in_a_cell_does_not_vouch_for_itself(source: str) -> None:
    figure = {} if "0.07" in source else {"mystnb": {"figure": {"caption": "r"}, "image": {"alt": "It is 0.07."}}}
    output = nbformat.v4.new_output("display_data", {"text/html": "<caption>It is 0.07</caption>"})
    typing = nbformat.v4.new_code_cell(source, metadata=figure, outputs=[output] if "table" in source else [])
    assert [number for number, _ in unbound([typing])] == ["0.07"]
    assert unbound([typing, nbformat.v4.new_code_cell("assert abs(r - 0.0707) < 1e-4")]) == []
