"""The hooks of book/_ext: which cells fold, what the search reads, how formulas and punctuation are set."""

from __future__ import annotations

import re
from pathlib import Path
from types import SimpleNamespace

import bundling
import coursemap
import formulas
import lean
import pages
import pdf
import pytest
import searching
from docutils import nodes
from docutils.utils import new_document


@pytest.fixture(autouse=True, scope="module")
def typesetter() -> None:
    formulas.TYPESETTER.npm = Path(__file__).resolve().parents[2] / "book" / "_npm"


@pytest.mark.parametrize(("code", "kind"), [
    ("import numpy as np\n\nfrom svmlib import SVC", "imports"),
    ("fig = draw.slacks(clf, X, y)", "call that draws"),
    ("explore(draw.slider, C=[1, 10], alt='a line')", "call that draws"),
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


def test_code_of_a_dark_page_is_dark_on_paper() -> None:
    style = pages.code_on_paper('html[data-theme="light"] .k{color:#123}\nhtml[data-theme="dark"] .k{color:#def}\n')
    on_paper = style.partition("@media not print")[0]
    assert "html .k{color:#123}" in on_paper
    assert "dark" not in on_paper
    assert 'html[data-theme="dark"] .k{color:#def}' in style


def test_the_longest_row_of_a_formula_decides_how_wide_it_is() -> None:
    short, long = r"\delta t", r"W(t) - W(0) = y_i t\,(y_i - y_j) - y_i t\,((K\beta)_i - (K\beta)_j) - \tfrac12 t^2"
    rows = formulas.set_formula(r"\begin{aligned} a &= " + long + r" \\ &= " + short + r" \end{aligned}", True)
    assert formulas.columns(rows) >= formulas.columns(formulas.set_formula(long, True)) * 0.9
    assert formulas.columns(rows) > formulas.LONG


def test_the_contents_of_the_printed_book_grow_over_more_sheets() -> None:
    parts = ["", *["part" if k % 6 == 0 else "" for k in range(90)]]
    starts = pdf.sheets_of_contents(parts)
    assert starts[0] == 0
    assert len(starts) >= 3
    assert all(sum(3 if part else 1 for part in parts[a:b]) <= 40
               for a, b in zip(starts, [*starts[1:], None], strict=True))


def test_punctuation_stays_with_its_formula() -> None:
    text = formulas.formulas_in(r'<p>with <span class="math notranslate nohighlight">\(C &lt; 1\)</span>, so</p>')
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


def test_figures_of_exercises_are_numbered_by_their_chapter() -> None:
    env = SimpleNamespace(toc_fignumbers={
        "notebooks/exercises/02_b": {"figure": {"fig-a": (7,), "fig-b": (8,)}},
        "notebooks/02_b": {"figure": {"x": (2, 1)}}})
    pages.number_exercises(None, env)
    assert env.toc_fignumbers == {
        "notebooks/exercises/02_b": {"figure": {"fig-a": ("E2", 1), "fig-b": ("E2", 2)}},
        "notebooks/02_b": {"figure": {"x": (2, 1)}}}


def test_texts_of_scripts_are_set_too() -> None:
    value = {"texts": [r'at <span class="math">\(C\)</span>', "no formula"], "frames": [1, None]}
    done = formulas.formulas_of(value)
    assert 'class="katex"' in done["texts"][0]
    assert done["texts"][1] == "no formula"
    assert done["frames"] == [1, None]


def test_a_formula_that_katex_cannot_read_is_an_error() -> None:
    with pytest.raises(ValueError, match="KaTeX"):
        formulas.set_formula(r"\frac{1")


@pytest.mark.parametrize(("minutes", "text"), [(45, "45 min"), (150, "2.5 h"), (705, "12 h")])
def test_times_to_plan_with(minutes: int, text: str) -> None:
    assert coursemap.hours(minutes) == text


def test_the_theme_keeps_the_rules_for_what_is_shown() -> None:
    style = ('@charset "utf-8";:root{--a:url("data:;{}")}.on,.off{a:b}.on .off{a:b}.on:not(.off){a:b}'
             "@media print{.off{a:b}}@media print{.on{a:b}.off{a:b}}@font-face{src:url(x)}p{content:\"}\"}")
    assert lean.pruned(style, frozenset({"on"})) == (
        '@charset "utf-8";:root{--a:url("data:;{}")}.on{a:b}.on:not(.off){a:b}'
        "@media print{.on{a:b}}@font-face{src:url(x)}p{content:\"}\"}")


def test_a_font_keeps_the_letters_asked_for(tmp_path: Path) -> None:
    npm = Path(__file__).resolve().parents[2] / "book" / "_npm"
    font = formulas.install(npm) / "katex" / "dist" / "fonts" / "KaTeX_AMS-Regular.woff2"
    lean.subset(font, {"R", "∄"}, tmp_path / "small.woff2")
    assert lean.covered(tmp_path / "small.woff2") == {"R", "∄"}
    assert (tmp_path / "small.woff2").stat().st_size < font.stat().st_size / 5


def test_a_font_with_other_letters_has_another_address_in_sheet_and_page(tmp_path: Path) -> None:
    static = tmp_path / "_static" / "fonts"
    static.mkdir(parents=True)
    (tmp_path / "book").mkdir()
    sheet, page = static / "fonts.css", tmp_path / "book" / "map.html"
    sheet.write_text("a{src:url(./text-400.woff2) format('woff2')}b{src:url(elsewhere.woff2)}")
    page.write_text('for (const href of ["../_static/fonts/text-400.woff2",])')
    seen = []
    for letters in (b"one", b"one", b"two"):   # a page that is not written anew is signed again
        (static / "text-400.woff2").write_bytes(letters)
        lean.sign_fonts(tmp_path)
        asked, named = (re.findall(r"text-400\.woff2\?v=\w+(?=\)|\")", path.read_text()) for path in (page, sheet))
        assert asked == named
        assert len(asked) == 1
        seen += asked
    assert seen[0] == seen[1] != seen[2]
    assert "elsewhere.woff2)" in sheet.read_text()


def test_search_has_the_names_of_code_once() -> None:
    assert searching.names_in("clf = SVC(); clf.fit(X)", "To fit is to choose.") == "SVC X clf"


PAGE = """<html data-content_root="../"><head><title>T</title>
  <link href="../_static/styles/theme.css?digest=1" rel="stylesheet" />
  <link rel="stylesheet" type="text/css" href="../_static/page.css?v=1" />
  <script src="../_static/documentation_options.js?v=1"></script>
  <script defer="defer" src="../_static/one.js?v=1"></script>
  <script data-x="y" defer="defer" src="../_static/design-tabs.js?v=1"></script>
  <script>DOCUMENTATION_OPTIONS.pagename = 'a';</script>
</head><body><script defer src="../_static/search/search.js"></script>
<script defer src="../_static/scripts/two.js"></script>
</body></html>"""


def test_a_bundle_holds_what_the_page_named_and_is_made_again(tmp_path: Path) -> None:
    """Imports and addresses are set right; a page of an earlier build follows its parts."""
    for name, text in {"documentation_options.js": "const DOCUMENTATION_OPTIONS = {};", "one.js": "one()",
                       "scripts/two.js": "two()\n//# sourceMappingURL=two.js.map", "basic.css": "b{c:url(file.png)}",
                       "styles/theme.css": '@charset "UTF-8";@import "../basic.css";t{c:url(../x.woff2?v=1)}',
                       "page.css": "p{c:url(\"data:image/svg+xml,%3Csvg\")}"}.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text)
    page = bundling.bundled(PAGE, tmp_path, {})
    (style,), (script,) = tmp_path.glob("bundle-*.css"), tmp_path.glob("bundle-*.js")
    assert style.read_text() == 'b{c:url(file.png)}t{c:url(x.woff2?v=1)}\np{c:url("data:image/svg+xml,%3Csvg")}'
    assert script.read_text() == "one();\ntwo()"
    assert page.index("const DOCUMENTATION_OPTIONS") < page.index(".pagename = 'a'") < page.index(style.name)
    assert "design-tabs" not in page
    assert "search/search.js" in page
    assert bundling.bundled(page, tmp_path, {}) == page
    (tmp_path / "page.css").write_text("p{new:1}")
    again = bundling.bundled(page, tmp_path, {})
    assert again != page
    (new,) = set(tmp_path.glob("bundle-*.css")) - {style}
    assert f"../_static/{new.name}" in again
