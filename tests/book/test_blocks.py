"""The hooks of book/_ext: which cells fold, what the search reads, how formulas and punctuation are set."""

from __future__ import annotations

import io
import re
from pathlib import Path
from types import SimpleNamespace

import bundling
import columns
import fonts
import formulas
import pages
import pdf
import pytest
import searching
from docutils import nodes
from docutils.utils import new_document
from myst_nb.sphinx_ import HideCodeCellNode
from pygments.token import Token
from sphinx.errors import ExtensionError


@pytest.fixture(autouse=True, scope="module")
def typesetter() -> None:
    formulas.TYPESETTER.npm = Path(__file__).resolve().parents[2] / "book" / "_npm"


@pytest.mark.parametrize(("code", "kind"), [
    ("import numpy as np\n\nfrom svmlib import SVC", "imports"),
    ("fig = draw.slacks(clf, X, y)", "call that draws"),
    ("explore(draw.slider, C=[1, 10], alt='a line')", "call that draws"),
    ("live.figure('turn', {}, draw.turned(X, y, 75), alt='a line')", "call that draws"),
    ("draw.a(X)\nplt.show()", "call that draws"),
    ("import numpy as np\nX = np.ones(3)", None),
    ("clf = SVC().fit(X, y)\nfig = draw.slacks(clf, X, y)", None),
    ("", None),
    ("%matplotlib inline", None),
])
def test_cells_that_only_import_or_draw_are_folded(code: str, kind: str | None) -> None:
    assert pages.kind_of_cell(code) == kind


def test_an_author_who_has_said_what_to_do_with_a_cell_is_obeyed() -> None:
    cells = [{"cell_type": "code", "source": "import numpy", "metadata": {"tags": ["remove-cell"]}},
             {"cell_type": "code", "source": "import numpy", "metadata": {}}]
    pages.fold({"cells": cells})
    assert cells[0]["metadata"]["tags"] == ["remove-cell"]
    assert cells[1]["metadata"]["tags"] == ["hide-input"]


@pytest.mark.parametrize(("tex", "text"), [("x", "x"), (r"\sigma", "σ"), ("C = 10", "C = 10"), ("-1", "-1"),
                                           (r"\tfrac12\|w\|^2", "…"), (r"\alpha_i", "…")])
def test_search_keeps_letters_of_formulas_and_no_tex(tex: str, text: str) -> None:
    assert searching.letters(tex) == text


def test_imports_that_an_author_has_folded_have_their_name() -> None:
    cells = [{"cell_type": "code", "source": "import numpy", "metadata": {"tags": ["hide-input"]}}]
    pages.fold({"cells": cells})
    assert cells[0]["metadata"]["tags"] == ["hide-input"]
    assert cells[0]["metadata"]["mystnb"]["code_prompt_show"] == "Show the imports"


def test_the_longest_row_of_a_formula_decides_how_wide_it_is() -> None:
    short, long = r"\delta t", r"W(t) - W(0) = y_i t\,(y_i - y_j) - y_i t\,((K\beta)_i - (K\beta)_j) - \tfrac12 t^2"
    rows = formulas.set_formula(r"\begin{aligned} a &= " + long + r" \\ &= " + short + r" \end{aligned}", True)
    assert formulas.columns(rows) >= formulas.columns(formulas.set_formula(long, True)) * 0.9
    assert formulas.columns(rows) > formulas.LONG


def test_the_printed_book_has_the_exercises_behind_their_chapters() -> None:
    pages = [page for _, page in pdf.chapters()]
    assert pages[pages.index("notebooks/04_soft_margin") + 1] == "notebooks/exercises/04_soft_margin"
    assert len(pages) == len(set(pages)) > 36
    assert [part for part, _ in pdf.chapters() if part][:2] == ["The margin", "Kernels"]


def test_the_contents_of_the_printed_book_grow_over_more_sheets() -> None:
    parts = ["", *["part" if k % 6 == 0 else "" for k in range(90)]]
    starts = pdf.sheets_of_contents(parts)
    assert starts[0] == 0
    assert len(starts) >= 3
    assert all(sum(3 if part else 1 for part in parts[a:b]) <= 40
               for a, b in zip(starts, [*starts[1:], None], strict=True))


def test_punctuation_stays_with_its_formula() -> None:
    text = formulas.formulas_in(r'<p>with <span class="tex2jax_process">\(C &lt; 1\)</span>, so</p>')
    assert r"\(" not in text
    assert '<span class="after-formula">,</span></span></span></span></span> so</p>' in text
    assert "<math" in text


def test_no_line_ends_with_what_opens_a_formula_or_begins_with_percent() -> None:
    document = new_document("")
    document += nodes.paragraph("", "", nodes.Text("in 94 % of all, so “"), nodes.math("", "C = 1"),
                                nodes.Text("” is 5 %"), nodes.literal("", "7 % 2"))
    formulas.KeepPunctuation(document).run()
    before, formula, after, code = document[0].children
    assert (before.astext(), after.astext(), code.astext()) == ("in 94\u00a0% of all, so ", " is 5\u00a0%", "7 % 2")
    assert (formula["before"], formula["after"]) == ("“", "”")
    text = formulas.set_formula("C = 1", after="”", before="“")
    assert re.sub("<[^>]+>", "", text.partition('class="katex-html"')[2]).partition(">")[2] == "“C=1”"


@pytest.mark.parametrize("head", ['<th scope="col"></th>', '<th class="head"><p></p></th>'])
def test_an_empty_corner_heads_no_column(head: str) -> None:
    rest = '<th class="head"><p>mean</p></th><th scope="col">in s</th>'
    assert pages.CORNER.sub("<td></td>", head + rest) == "<td></td>" + rest


@pytest.mark.parametrize(("corner", "stub"), [("", 1), ("kernel", None)])
def test_a_column_below_an_empty_corner_heads_its_rows(corner: str, stub: int | None) -> None:
    def row(*texts: str) -> nodes.row:
        return nodes.row("", *(nodes.entry("", nodes.paragraph("", text)) for text in texts))

    table = nodes.tgroup("", nodes.colspec(), nodes.colspec(), nodes.thead("", row(corner, "error")),
                         nodes.tbody("", row("linear", "3 %")))
    pages.head_rows(table)
    assert [column.get("stub") for column in table.findall(nodes.colspec)] == [stub, None]


def test_figures_of_exercises_are_numbered_by_their_chapter() -> None:
    page, chapter = "notebooks/exercises/02_b", "notebooks/02_b"
    title = nodes.title("", "Exercises", secnumber=(2, 7))
    env = SimpleNamespace(
        toc_fignumbers={page: {"figure": {"fig-a": (7,), "fig-b": (8,)}}, chapter: {"figure": {"x": (2, 1)}}},
        toc_secnumbers={page: {"": (2, 7)}, chapter: {"": (2,)}},
        tocs={page: nodes.bullet_list()}, titles={page: title})
    pages.number_exercises(None, env)
    assert env.toc_fignumbers == {page: {"figure": {"fig-a": ("E2", 1), "fig-b": ("E2", 2)}},
                                  chapter: {"figure": {"x": (2, 1)}}}
    assert env.toc_secnumbers == {page: {}, chapter: {"": (2,)}}
    assert "secnumber" not in title


def test_texts_of_scripts_are_set_too() -> None:
    value = {"texts": [r'at <span class="tex2jax_process">\(C\)</span>', "no formula"], "frames": [1, None]}
    done = formulas.formulas_of(value)
    assert 'class="katex"' in done["texts"][0]
    assert done["texts"][1] == "no formula"
    assert done["frames"] == [1, None]


def test_a_formula_that_katex_cannot_read_is_an_error() -> None:
    with pytest.raises(ValueError, match="KaTeX"):
        formulas.set_formula(r"\frac{1")


def test_a_font_keeps_the_letters_asked_for(tmp_path: Path) -> None:
    npm = Path(__file__).resolve().parents[2] / "book" / "_npm"
    font = formulas.install(npm) / "katex" / "dist" / "fonts" / "KaTeX_AMS-Regular.woff2"
    fonts.subset(font, {"R", "∄"}, tmp_path / "small.woff2")
    assert fonts.covered(tmp_path / "small.woff2") == {"R", "∄"}
    assert (tmp_path / "small.woff2").stat().st_size < font.stat().st_size / 5


def test_a_file_with_other_content_has_another_address(tmp_path: Path) -> None:
    """A font's in the style sheet, and a font's and the bundle's in a page, which may be of an earlier build."""
    static = tmp_path / "_static" / "fonts"
    static.mkdir(parents=True)
    (tmp_path / "book").mkdir()
    sheet, page = static.parent / "bundle.css", tmp_path / "book" / "map.html"
    sheet.write_text("a{src:url(fonts/text-400.woff2)}b{src:url(elsewhere.woff2)}")
    page.write_text('for (const href of ["../_static/fonts/text-400.woff2",]) <link href="../_static/bundle.css">')
    seen = []
    for letters in (b"one", b"one", b"two"):
        (static / "text-400.woff2").write_bytes(letters)
        bundling.sign(tmp_path, None)
        asked, named = (re.findall(r"text-400\.woff2\?v=\w+(?=\)|\")", path.read_text()) for path in (page, sheet))
        assert asked == named
        seen.append((*asked, *re.findall(r"bundle\.css\?v=\w+(?=\">)", page.read_text())))
    assert seen[0] == seen[1]
    assert all(new != old for new, old in zip(seen[1], seen[2], strict=True))
    assert {len(addresses) for addresses in seen} == {2}
    assert "elsewhere.woff2)" in sheet.read_text()


def test_the_letters_of_a_site_are_those_of_its_pages_its_scripts_and_its_sheet(tmp_path: Path) -> None:
    static = tmp_path / "_static"
    static.mkdir()
    (static / "bundle.css").write_text('a{content:"○"}')
    (static / "page.js").write_text("show('□')")
    page = tmp_path / "a.html"
    page.write_text('<p>ő&lambda;</p><span class="katex-html" aria-hidden="true"><span><span>'
                    '<span>∑</span></span></span><span>∪</span></span>ж'
                    '<script type="application/json">"∄"</script>')
    text, of_formulas = fonts.letters_of(tmp_path, [page])
    assert set("○□őλ") <= text
    assert set("∑∪∄") <= of_formulas           # also what stands after spans that end together
    assert not set("őλж○") & of_formulas


def test_code_marks_what_is_coloured() -> None:
    tokens = [(Token.Keyword.Namespace, "import"), (Token.Text.Whitespace, " "), (Token.Name.Namespace, "numpy"),
              (Token.Name, "<x>"), (Token.Punctuation, ";"), (Token.Name.Function, "f")]
    out = io.StringIO()
    pages.QuietCode(nowrap=True).format(iter(tokens), out)
    assert out.getvalue() == '<span class="kn">import</span> numpy&lt;x&gt;;<span class="nf">f</span>\n'


def test_a_katex_that_writes_otherwise_stops_the_build(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(formulas.TYPESETTER, "ask", lambda tex, display: "<math></math>")
    for place in ("before", "after"):
        with pytest.raises(ExtensionError, match=r"KaTeX has changed.*span"):
            formulas.set_formula("unseen", **{place: "("})


def test_search_has_the_names_of_code_once() -> None:
    assert searching.names_in("clf = SVC(); clf.fit(X)", "To fit is to choose.") == "SVC X clf"



RESULTS = ('<table class="dataframe numbers"><thead><tr><th scope="col">kernel</th>'
           '<th scope="col">‖w‖²</th><th scope="col">status</th><th scope="col">errors</th></tr></thead><tbody>'
           '<tr><th scope="row">Gaussian, σ = 1</th>'
           '<td>8.2·10⁻³⁰⁸</td><td>done</td><td>none</td></tr>'
           '<tr><th scope="row">linear</th><td>1·10⁶</td><td>–</td><td>2</td></tr></tbody></table>')


def test_exponents_in_tables_are_of_one_font() -> None:
    """The page's font has ¹, ² and ³ and no other raised digit; text outside tables of results is left alone."""
    body = columns.set_right(f"<p>10⁻³</p>{RESULTS}")
    assert body.startswith("<p>10⁻³</p>")
    assert "8.2·10<sup>−308</sup>" in body
    assert "‖w‖<sup>2</sup>" in body
    assert not re.search("[⁻⁰¹²³⁴-⁹]", body.removeprefix("<p>10⁻³</p>"))


def test_a_value_in_a_table_keeps_its_name() -> None:
    assert "Gaussian, σ\u00a0=\u00a01<" in columns.set_right(RESULTS)


def test_columns_of_words_begin_at_the_left() -> None:
    """A column with a number in it stays a column of numbers, and the headers of rows are what they are."""
    body = columns.set_right(RESULTS)
    assert re.findall(r'class="words">([^<]*)<', body) == ["status", "done", "–"]
    assert re.sub(' class="words"', "", body) == columns.EQUALS.sub("\u00a0\\1\u00a0", columns.raised(RESULTS))


def folded_cell(code: str, prompt: str, *outputs: nodes.Node) -> nodes.container:
    source = nodes.container("", nodes.literal_block(code, code), nb_element="cell_code_source")
    fold = HideCodeCellNode("", source, prompt_show=f"Show the {prompt}", prompt_hide=f"Hide the {prompt}")
    return nodes.container("", fold, *outputs, nb_element="cell_code")


def test_neighbouring_folds_become_one() -> None:
    output = nodes.container("", nodes.paragraph("", "1"), nb_element="cell_code_output")
    shown = nodes.container("", nodes.container("", nb_element="cell_code_source"), nb_element="cell_code")
    document = new_document("page")
    document += [folded_cell("import a", "imports"), folded_cell("b = 1", "code"), folded_cell("c(b)", "call", output),
                 folded_cell("d = 1", "code"), nodes.paragraph("", "Words between."), folded_cell("e = 1", "imports"),
                 shown, folded_cell("f = 1", "imports"), folded_cell("g = 1", "imports")]
    pages.join_folds(document)
    folds = [(fold["prompt_show"], [code.astext() for code in fold]) for fold in document.findall(HideCodeCellNode)]
    assert folds == [("Show the code", ["import a", "b = 1", "c(b)"]), ("Show the code", ["d = 1"]),
                     ("Show the imports", ["e = 1"]), ("Show the imports", ["f = 1", "g = 1"])]
    assert document[0][1] is output


def test_folds_that_hold_their_outputs_are_joined_too_but_a_solution_stays_alone() -> None:
    document = new_document("page")
    measured, answer = folded_cell("b = 1", "code"), folded_cell("c = 1", "solution")
    measured[0] += nodes.container("", nb_element="cell_code_output")
    document += [folded_cell("a = 1", "code"), measured, folded_cell("e = 1", "code"), answer,
                 folded_cell("d = 1", "code")]
    pages.join_folds(document)
    folds = [(fold["prompt_show"], len(fold)) for fold in document.findall(HideCodeCellNode)]
    assert folds == [("Show the code", 4), ("Show the solution", 1), ("Show the code", 1)]
