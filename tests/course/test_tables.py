"""Tables: what the page, the notebook and a reader of plain text get."""
from __future__ import annotations

import xml.etree.ElementTree as ET

import pandas as pd
import pytest

from svmcourse import table
from svmcourse.shared.tables import number_text

ROWS = [{"solver": "qp <dense>", "n": 10, "gap": -1.5e-9}, {"solver": "smo", "n": 2000, "gap": float("nan")}]


def test_every_header_has_a_scope_and_every_row_its_cells() -> None:
    """A screen reader announces both headers of a cell; text is escaped."""
    tree = ET.fromstring(table(ROWS, caption="a < b")._repr_html_())
    assert [th.get("scope") for th in tree.iter("th")] == ["col"] * 3 + ["row"] * 2
    assert tree.find(".//caption").text == "a < b"
    assert [td.text for td in tree.iter("td")] == ["10", "−1.5·10⁻⁹", "2000", "–"]
    assert tree.find(".//tbody/tr/th").text == "qp <dense>"


def test_plain_text_is_aligned() -> None:
    """All lines of a column end in the same place."""
    lines = repr(table(ROWS, units={"n": "points"})).splitlines()
    assert lines[0].split("  ")[0] == "solver"
    assert "n in points" in lines[0]
    assert len({len(line) for line in lines}) == 1


def test_what_is_shown_is_what_was_given() -> None:
    """A DataFrame and a dict of columns give the same table, and the numbers stay available."""
    columns = {key: [row[key] for row in ROWS] for key in ROWS[0]}
    assert repr(table(columns)) == repr(table(ROWS)) == repr(table(pd.DataFrame(ROWS)))
    assert table(ROWS).data["n"].tolist() == [10, 2000]


@pytest.mark.parametrize("argument", ["formats", "units"])
def test_unknown_columns_are_named(argument: str) -> None:
    """A typing error in a column is an error, not a table without the format."""
    with pytest.raises(ValueError, match=f"{argument} names \\['gapp'\\]"):
        table(ROWS, **{argument: {"gapp": ".1f"}})


def test_numbers_are_set_for_people() -> None:
    """Minus signs, powers and words."""
    assert number_text(7.2, ".1e") == "7.2·10⁰"
    assert number_text(-0.52, "+.2f") == "−0.52"
    assert number_text(3, ".2f") == "3"
    assert number_text(0.0, ".1e") == "0"
    assert number_text(-0.001, ".2f") == "0.00"
    assert number_text(-1e-9, ".0%") == "0%"


def test_an_empty_corner_is_no_header() -> None:
    """A header cell without a name would be announced as nothing."""
    tree = ET.fromstring(table({"": ["a"], "b": [1]})._repr_html_())
    assert [th.text for th in tree.iter("th")] == ["b", "a"]
