"""Tables on the page: of results, with raised digits that look alike, values that stay whole, words set as words; and
of words, whose cells know the heads of their columns, for phones that make a card of each row (blocks.css)."""

from __future__ import annotations

import html
import re

RESULTS = re.compile(r'<table[^>]*\bnumbers\b[^>]*>.*?</table>', re.S)
TABLE = re.compile(r'<table[^>]*?\bclass="([^"]*)"[^>]*>.*?</table>', re.S)
WORDY = 4          # words in a cell that ask for a line of their own
MARK = re.compile(r"<[^>]*>")
RAISED = re.compile("[⁻⁰¹²³⁴⁵⁶⁷⁸⁹]+")
LOWERED = str.maketrans("⁻⁰¹²³⁴⁵⁶⁷⁸⁹", "−0123456789")
EQUALS = re.compile(r"(?<=[^\s>]) ([=≈≤≥]) (?=[^\s<])")
ROW = re.compile(r"<tr[^>]*>.*?</tr>", re.S)
CELL = re.compile(r"<(t[hd])\b([^>]*)>(.*?)</\1>", re.S)
NUMBER = re.compile(r"[−+<>≤≥≈±·]?\s*[\d∞]")


def set_right(body: str) -> str:
    """Set the tables of results on a page.

    >>> set_right('<table class="numbers"><tr><th>σ = 2</th><td>3·10⁻¹⁴</td></tr></table>')
    '<table class="numbers"><tr><th>σ\\xa0=\\xa02</th><td>3·10<sup>−14</sup></td></tr></table>'
    """
    body = RESULTS.sub(lambda found: words_left(EQUALS.sub("\u00a0\\1\u00a0", raised(found[0]))), body)
    return TABLE.sub(lambda found: found[0] if "numbers" in found[1] else with_heads(found[0], found[1]), body)


def with_heads(table: str, classes: str) -> str:
    """Tell each cell the head of its column; tables of two columns, or of few words a cell, fit a phone as they are.

    >>> with_heads('<table class="t"><thead><tr><th>a</th><th>b</th><th>c</th></tr></thead>'
    ...            '<tr><td>1</td><td>2</td><td>to be or not to be</td></tr></table>', "t").partition("<tr><td>")[2]
    '1</td><td data-head="b">2</td><td data-head="c">to be or not to be</td></tr></table>'
    """
    head, _, rest = table.partition("</thead>")
    names = [html.escape(html.unescape(MARK.sub("", text)).strip()) for _, _, text in CELL.findall(head)]
    most = max((len(MARK.sub("", text).split()) for _, _, text in CELL.findall(rest)), default=0)
    if len(names) < 3 or len(ROW.findall(head)) != 1 or "katex" in head or most < WORDY:
        return table

    def told(row: re.Match[str]) -> str:
        heads = iter(names)
        return CELL.sub(lambda cell: (f'<{cell[1]}{cell[2]} data-head="{name}">{cell[3]}</{cell[1]}>'
                                      if (name := next(heads, "")) and name != names[0] else cell[0]), row[0])

    return head.replace(f'class="{classes}"', f'class="{classes} cards"', 1) + "</thead>" + ROW.sub(told, rest)


def raised(text: str) -> str:
    """Exponents in <sup>: of the raised digits the page's font has ¹²³ alone, and another font would set the others."""
    return RAISED.sub(lambda found: f"<sup>{found[0].translate(LOWERED)}</sup>", text)


def words_left(table: str) -> str:
    """Mark the columns without a number, which begin where their header begins."""
    rows = [[(tag, html.unescape(text).strip()) for tag, _, text in CELL.findall(row)] for row in ROW.findall(table)]
    columns = [[text for tag, text in column if tag == "td"] for column in zip(*rows, strict=False)]
    words = {k for k, column in enumerate(columns)
             if k and any(any(map(str.isalpha, text)) for text in column) and not any(map(NUMBER.match, column))}

    def marked(row: re.Match[str]) -> str:
        cells = iter(range(len(columns)))
        return CELL.sub(lambda cell: (f'<{cell[1]}{cell[2]} class="words">{cell[3]}</{cell[1]}>'
                                      if next(cells, None) in words else cell[0]), row[0])

    return ROW.sub(marked, table) if words else table
