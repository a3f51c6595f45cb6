"""Notebooks that leave the book are plain Markdown: no directive, no role, the numbers of the page, links that lead."""

from __future__ import annotations

import json
import posixpath
import re
from pathlib import Path
from typing import Any

import exercises
import nbformat
import plain
import pytest
from labels import Book
from test_cells import is_test

ROOT = Path(__file__).resolve().parents[2]
RAW = re.compile(r"^ *(?::{3,}|`{3,}\{).*$|^\([\w:-]+\)=|\{[\w:]+\}`|^:(?:label|class|name): ", re.M)
CODE = re.compile(r"^ *(`{3,})(?!\{)[^\n]*\n.*?^ *\1 *$", re.M | re.S)
CHAPTERS = sorted((ROOT / "notebooks").glob("*.ipynb"))
NOTEBOOKS = [*CHAPTERS, *exercises.sources()]
ADDRESS = "https://course.example/svm/"
SMALL = """# A title

(first-part)=
## A part

$$
a = b
$$ (small-equation)

:::{prf:theorem} On $a$
:label: small-theorem
By {eq}`small-equation`,

$$
\\begin{aligned} a &= b \\\\
b &= a \\end{aligned}
$$
:::

:::{prf:proof}
:class: dropdown
See {cite:t}`platt1998`.
:::

- a list
  :::{admonition} Small print
  :class: dropdown
  {ref}`a sheet <erratum-sheet-2>` and {doc}`04_soft_margin`
  :::

```python
x = "{eq}`left alone`"
```

{prf:ref}`small-theorem`, {ref}`first-part`, {term}`margin`, {cite:p}`platt1998,nocedal2006`
"""


def texts(notebook: Any) -> str:
    """Its Markdown."""
    return "\n\n".join(cell["source"] for cell in notebook["cells"] if cell["cell_type"] == "markdown")


@pytest.fixture(scope="module")
def small(tmp_path_factory: pytest.TempPathFactory) -> Book:
    """A book of one chapter with everything in it."""
    root = tmp_path_factory.mktemp("book")
    (root / "notebooks").mkdir()
    (root / "book").mkdir()
    (root / "book" / "references.bib").write_text((ROOT / "book" / "references.bib").read_text(encoding="utf8"))
    (root / "book" / "errata.md").write_text("# Errata\n\n(erratum-sheet-2)=\n## A sheet\n")
    for name, text in (("03_small", SMALL), ("04_soft_margin", "# Soft margin")):
        notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_markdown_cell(text)])
        nbformat.write(notebook, root / "notebooks" / f"{name}.ipynb")
    return Book(root)


def written(book: Book, beside: bool, address: str) -> str:
    """The small chapter."""
    notebook = nbformat.read(book.root / "notebooks" / "03_small.ipynb", as_version=4)
    link = plain.in_folder("notebooks/03_small", lambda aim: beside and aim.startswith("notebooks/"), address)
    return texts(plain.plain(notebook, book, "notebooks/03_small", link))


def test_every_form_has_its_plain_one(small: Book) -> None:
    text = written(small, beside=True, address="")
    for wanted in ("# 3. A title\n", "a = b \\tag{3.1}\n$$", "> **Theorem 3.1** (On $a$)\n>\n> By (3.1),",
                   "> $$ \\begin{aligned} a &= b \\\\ b &= a \\end{aligned} $$",
                   "<summary>Proof</summary>\n\nSee Platt (1998).", "  <summary>Small print</summary>",
                   "*a sheet* and [4. Soft margin](04_soft_margin.ipynb)", 'x = "{eq}`left alone`"',
                   "Theorem 3.1, “A part”, margin, [Platt 1998; Nocedal and Wright 2006]",
                   "## References\n\n- Jorge Nocedal and Stephen"):
        assert wanted in text, wanted
    assert RAW.findall(CODE.sub("", text)) == []


def test_links_lead_where_there_is_something(small: Book) -> None:
    assert "](" not in written(small, beside=False, address="")
    published = written(small, beside=False, address=ADDRESS)
    assert "[a sheet](https://course.example/svm/book/errata.html#erratum-sheet-2)" in published
    assert "[4. Soft margin](https://course.example/svm/notebooks/04_soft_margin.html)" in published


@pytest.mark.parametrize("text", [":::{figure} a.png\n:::", "{download}`a`", ":::{admonition} A\nnever closed"])
def test_what_has_no_plain_form_is_refused(small: Book, text: str) -> None:
    with pytest.raises(ValueError, match=r"no plain form|nothing closes"):
        plain.Writer(small, "notebooks/03_small", lambda page, anchor: "").text(text)


@pytest.mark.parametrize("beside", [True, False], ids=["kit", "download"])
@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: f"{path.parent.name}/{path.stem}")
def test_no_notebook_shows_markup(path: Path, beside: bool) -> None:
    edition = exercises.for_lab(path, beside=beside)
    nbformat.validate(edition)
    text = texts(edition)
    assert RAW.findall(CODE.sub("", text)) == []
    assert text.count("<details>") == text.count("</details>")
    page = path.relative_to(ROOT).as_posix()
    links = [aim for aim in re.findall(r"\]\(([^)\s]+)\)", re.sub(r"`[^`]*`|\$[^$]*\$", "", CODE.sub("", text)))
             if not aim.startswith("https:")]
    assert bool(links) <= beside
    for aim in links:
        assert (ROOT / posixpath.normpath(posixpath.join(posixpath.dirname(page), aim))).exists(), aim


@pytest.mark.parametrize("path", CHAPTERS, ids=lambda path: path.stem)
def test_a_chapter_keeps_its_code_and_its_outputs_without_cells_that_only_assert(path: Path) -> None:
    before = [cell for cell in json.loads(path.read_text(encoding="utf8"))["cells"]
              if cell["cell_type"] == "code" and not is_test(cell)]
    after = [cell for cell in exercises.for_lab(path).cells if cell.cell_type == "code"]
    assert [(cell["id"], "".join(cell["source"])) for cell in before] == [(cell.id, cell.source) for cell in after]
    assert [len(cell["outputs"]) for cell in before] == [len(cell.outputs) for cell in after]
    folded = {cell.id for cell in after if cell.metadata.get("jupyter", {}).get("source_hidden")}
    assert folded == {cell["id"] for cell in before
                      if {"remove-cell", "remove-input"} & set(cell["metadata"].get("tags", []))}
