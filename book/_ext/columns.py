"""Tables of results on the page: raised digits that look alike, values that stay whole, words set as words."""

from __future__ import annotations

import html
import re

RESULTS = re.compile(r'<table[^>]*\bnumbers\b[^>]*>.*?</table>', re.S)
RAISED = re.compile("[⁻⁰¹²³⁴⁵⁶⁷⁸⁹]+")
LOWERED = str.maketrans("⁻⁰¹²³⁴⁵⁶⁷⁸⁹", "−0123456789")
EQUALS = re.compile(r"(?<=[^\s>]) ([=≈≤≥]) (?=[^\s<])")
ROW = re.compile(r"<tr[^>]*>.*?</tr>", re.S)
CELL = re.compile(r"<(t[hd])([^>]*)>(.*?)</\1>", re.S)
NUMBER = re.compile(r"[−+<>≤≥≈±·]?\s*[\d∞]")


def set_right(body: str) -> str:
    """Set the tables of results on a page.

    >>> set_right('<table class="numbers"><tr><th>σ = 2</th><td>3·10⁻¹⁴</td></tr></table>')
    '<table class="numbers"><tr><th>σ\\xa0=\\xa02</th><td>3·10<sup>−14</sup></td></tr></table>'
    """
    return RESULTS.sub(lambda found: words_left(EQUALS.sub("\u00a0\\1\u00a0", raised(found[0]))), body)


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
