"""The errata page: each row is complete and has a short name; what matters is linked from the chapter that runs it."""
import re
from pathlib import Path

import nbformat
import pytest

ROOT = Path(__file__).resolve().parents[2]
ROW = re.compile(r"\(erratum-(?P<label>[a-z]+-\d+)\)=\n### \d+\. (?P<name>[^\n]+)\n\nWhere\n: (?P<where>.+?)\n\n"
                 r"Printed\n: (?P<printed>.+?)\n\nRight\n: (?P<right>.+?)\n\n"
                 r"Why \((?P<severity>A|B|C|trap|open|right)\)\n"
                 r": (?P<why>.+?)\n(?:\nRuns in\n: (?P<runs>.+?)\n)?(?:\n|$)", re.S)
PAGE = (ROOT / "book/errata.md").read_text(encoding="utf8")
ROWS = {row["label"]: row for row in ROW.finditer(PAGE)}


def linking(label: str) -> set[str]:
    """The chapters whose text links to an erratum."""
    return {path.stem for path in (ROOT / "notebooks").glob("*.ipynb")
            if any(f"<erratum-{label}>" in cell.source for cell in nbformat.read(path, as_version=4).cells)}


def test_every_row_has_its_five_parts():
    assert list(ROWS) == re.findall(r"^\(erratum-([a-z]+-\d+)\)=$", PAGE, flags=re.M)


def test_names_are_short_and_differ():
    names = [row["name"] for row in ROWS.values()]
    assert len(set(names)) == len(names)
    assert max(map(len, names)) <= 64


@pytest.mark.parametrize("label", [label for label, row in ROWS.items() if row["severity"] in "AB"])
def test_what_matters_runs_in_a_chapter_that_links_it(label):
    runs = ROWS[label]["runs"]
    assert runs, f"{label} has severity {ROWS[label]['severity']} and names no chapter"
    written = re.findall(r"notebooks/(\w+)`", runs)
    assert all((ROOT / f"notebooks/{name}.ipynb").exists() for name in written)
    assert not written or linking(label) & set(written), f"none of {written} links {label}"
