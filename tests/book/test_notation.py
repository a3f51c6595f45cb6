"""The notation page says what each letter of a displayed equation means, in the book or in the chapter at hand."""
import re
from pathlib import Path

import nbformat
import pytest

ROOT = Path(__file__).resolve().parents[2]
PAGE = (ROOT / "book/notation.md").read_text(encoding="utf8")
NOTEBOOKS = sorted((ROOT / "notebooks").glob("[0-9]*.ipynb"))
GREEK = re.compile("alpha|beta|gamma|delta|(var)?epsilon|zeta|eta|(var)?theta|iota|kappa|lambda|mu|nu|xi|pi|rho|sigma|"
                   "ell|tau|upsilon|(var)?phi|chi|psi|omega|Gamma|Delta|Theta|Lambda|Xi|Pi|Sigma|Upsilon|Phi|Psi|Omega")
WORDS = re.compile(r"\\(?:text|mathrm|operatorname|begin|end|label|tag|ref|eqref)\*?\{[^{}]*\}")
SYMBOL = re.compile(r"\\([A-Za-z]+)|([A-Za-z])")


def letters(formula: str) -> set[str]:
    """The Latin letters, and the names of the Greek ones and of ℓ, in a formula; words in it do not count."""
    found = SYMBOL.findall(WORDS.sub(" ", formula))
    return {greek for greek, _ in found if GREEK.fullmatch(greek)} | {letter for _, letter in found if letter}


def rows(label: str) -> list[list[str]]:
    """The rows of the table below a label of the page, without the header."""
    table = PAGE.split(f"({label})=")[1].split("\n:::\n")[0]
    return [re.split(r"\n  - ", row.strip()) for row in table.split("\n* - ")[2:]]


def formulas(text: str) -> str:
    return " ".join(re.findall(r"\$([^$]+)\$", text))


EVERYWHERE = set().union(*(letters(formulas(symbol)) for symbol, _, _ in rows("symbols")))
LOCAL: dict[str, set[str]] = {}
for letter, chapters, _ in rows("local-letters"):
    for chapter in chapters.split(", "):
        LOCAL.setdefault(chapter, set()).update(letters(formulas(letter)))


def displayed(path: Path) -> dict[str, str]:
    """Cell id -> its displayed equations."""
    cells = nbformat.read(path, as_version=4).cells
    found = {cell.id: re.findall(r"\$\$(.*?)\$\$|```\{math\}\n(?::[^\n]*\n)*(.*?)```", cell.source, flags=re.S)
             for cell in cells if cell.cell_type == "markdown"}
    return {cell: " ".join(a + b for a, b in equations) for cell, equations in found.items() if equations}


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_letters_of_displayed_equations_are_on_the_page(path: Path) -> None:
    known = EVERYWHERE | LOCAL.get(path.stem[:2], set())
    unknown = {cell: sorted(letters(equations) - known) for cell, equations in displayed(path).items()}
    assert {cell: missing for cell, missing in unknown.items() if missing} == {}


def test_chapters_of_local_letters_exist() -> None:
    assert set(LOCAL) <= {path.stem[:2] for path in NOTEBOOKS} | {str(n) for n in range(10, 19)}


def test_a_letter_that_is_not_explained_is_seen() -> None:
    assert letters(r"\tfrac12 \omega_i^\top X \quad\text{where all is well}") - EVERYWHERE == {"omega", "X"}
    assert {"alpha", "w", "K", "phi"} <= EVERYWHERE
    assert "m" not in EVERYWHERE
    assert "m" in LOCAL["15"]
