"""Tables: rows of numbers with units and formats, on the page, in the notebook and for a reader of plain text."""
import html
import re
from collections.abc import Mapping
from numbers import Integral, Real
from typing import Any

import numpy as np
import pandas as pd

SUPERSCRIPT = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")


def number_text(value: Any, spec: str = ".3g") -> str:
    """Set one value for people: a true minus, powers of ten as powers, "–" where there is no number.

    spec is a format specification of Python; integers and texts stay as they are, unless spec fits them.

    >>> [number_text(v) for v in (-0.5248, 12, 1.3e-7, float("inf"), float("nan"), True, "qp")]
    ['−0.525', '12', '1.3·10⁻⁷', '∞', '–', 'yes', 'qp']
    >>> number_text(1234.5, ",.0f"), number_text(0.25, ".1%")
    ('1,234', '25.0%')
    """
    if isinstance(value, (bool, np.bool_)):
        return "yes" if value else "no"
    if value is None:
        return "–"
    if not isinstance(value, Real):
        return str(value)
    if isinstance(value, Integral):
        text = format(int(value), spec if spec[-1:] in "d,+" else "d")
    elif np.isnan(float(value)):
        return "–"
    elif np.isinf(float(value)):
        return "∞" if float(value) > 0 else "−∞"
    else:
        text = format(float(value), spec) if value else "0" if "e" in spec else format(0.0, spec)
    text = re.sub(r"^-(0(\.0*)?%?)$", r"\1", text)      # -0.00 is 0.00
    text = re.sub(r"e([+-]\d+)$", lambda m: "·10" + str(int(m[1])).translate(SUPERSCRIPT), text)
    return text.replace("-", "−")


class Table:
    """A table that shows itself: HTML with header cells, aligned plain text elsewhere; `data` is the DataFrame."""

    def __init__(self, data: pd.DataFrame, texts: pd.DataFrame, caption: str) -> None:
        self.data, self._texts, self.caption = data, texts, caption

    def __repr__(self) -> str:
        """Aligned columns; the caption above."""
        first, *rest = self._texts.columns
        columns = [[name, *self._texts[name]] for name in (first, *rest)]
        widths = [max(map(len, column)) for column in columns]
        lines = ["  ".join(cell.ljust(w) if k == 0 else cell.rjust(w)
                           for k, (cell, w) in enumerate(zip(row, widths, strict=True))).rstrip()
                 for row in zip(*columns, strict=True)]
        return "\n".join(([self.caption] if self.caption else []) + lines)

    def _repr_html_(self) -> str:
        """The first column holds the headers of the rows."""
        indexed = self._texts.set_index(self._texts.columns[0])
        name, indexed.index.name = indexed.index.name, None
        body = indexed.to_html(border=0, classes="numbers", justify="unset")
        corner = f'<th scope="col">{html.escape(str(name))}</th>' if name else "<td></td>"
        body = body.replace("<th></th>", corner, 1)
        head, rows = body.split("</thead>")
        head = head.replace("<th>", '<th scope="col">').replace(' style="text-align: unset;"', "")
        rows = rows.replace("<th>", '<th scope="row">')
        caption = f"<caption>{html.escape(self.caption)}</caption>" if self.caption else ""
        body = (head + "</thead>" + rows).replace("<thead>", caption + "<thead>", 1)
        return f'<div class="table-scroll">{body}</div>'


def table(data: Any, *, formats: Mapping[str, str] | str | None = None, units: Mapping[str, str] | None = None,
          caption: str = "") -> Table:
    """Show rows of results as a table; the first column names the rows.

    data: a list of dicts, one a row; a dict of columns; or a DataFrame.  formats: a format specification for all
    columns, or by column; three significant digits where none is given.  units: by column, written into the header.
    Raises ValueError where formats or units name a column that is not there.

    >>> table([{"solver": "qp", "time": 0.01234, "gap": 3e-9}, {"solver": "smo", "time": 0.00111, "gap": 2e-4}],
    ...       units={"time": "s"}, formats={"gap": ".0e"})
    solver  time in s     gap
    qp         0.0123  3·10⁻⁹
    smo       0.00111  2·10⁻⁴
    """
    frame = data.copy() if isinstance(data, pd.DataFrame) else pd.DataFrame(data)
    by_column = dict.fromkeys(frame.columns, formats) if isinstance(formats, str) else dict(formats or {})
    for argument, names in (("formats", by_column), ("units", units or {})):
        unknown = [name for name in names if name not in frame.columns]
        if unknown:
            raise ValueError(f"{argument} names {unknown}, but the columns are {list(frame.columns)}")
    texts = pd.DataFrame({
        f"{name} in {units[name]}" if units and name in units else str(name):
            [number_text(value, by_column.get(name) or ".3g") for value in frame[name].tolist()]
        for name in frame.columns})
    return Table(frame, texts, caption)
