"""What the book changes of the theme: each change is found in the theme as it is, and missed in one that is not."""

from __future__ import annotations

import re
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import assets
import bundling
import pydata_sphinx_theme
import pytest
import sphinx_book_theme
import theme
from pydata_sphinx_theme.pygments import get_pygments_stylesheet
from sphinx.errors import ExtensionError

NPM = Path(__file__).resolve().parents[2] / "book" / "_npm"
FOLDERS = [Path(package.__file__).parent / "theme" / package.__name__ / "static"
           for package in (pydata_sphinx_theme, sphinx_book_theme)]
CHANGES = [(name, k) for name, changes in theme.FILES.items() for k in range(len(changes))]


@pytest.fixture
def static(tmp_path: Path) -> Path:
    """The files of the theme that the book changes, as they are."""
    for name in theme.FILES:
        text = (get_pygments_stylesheet("a11y-high-contrast-light", "a11y-high-contrast-dark") if name == "pygments.css"
                else next(folder / name for folder in FOLDERS if (folder / name).exists()).read_text(encoding="utf8"))
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text, encoding="utf8")
    return tmp_path


def test_the_themes_files_are_changed(static: Path) -> None:
    text = {name: theme.changed_file(static, name) for name in theme.FILES}
    assert not re.search(r'content:"\\f\w+"|@font-face', "".join(text.values()))
    assert ".hide:not(:hover,:focus-within)" in text["styles/sphinx-book-theme.css"]
    assert "scrollWidth>" in text["scripts/pydata-sphinx-theme.js"]
    assert '["pre"' not in text["scripts/pydata-sphinx-theme.js"]


def test_code_of_a_dark_page_is_dark_on_the_screen_alone(static: Path) -> None:
    paper, _, screen = theme.changed_file(static, "pygments.css").partition("@media not print{")
    assert re.search(r"^html \.highlight \.k \{", paper, re.M)
    assert "theme" not in paper
    assert screen.startswith('html[data-theme="dark"] .highlight')
    assert "light" not in screen.replace(".highlight", "")
    assert screen.count("{") == screen.count("}") - 1


@pytest.mark.parametrize(("name", "k"), CHANGES)
def test_a_file_of_another_theme_stops_the_build(static: Path, name: str, k: int) -> None:
    pattern, _ = theme.FILES[name][k]
    text = (static / name).read_text(encoding="utf8")
    (static / name).write_text(re.sub(pattern, "", text), encoding="utf8")
    with pytest.raises(ExtensionError) as raised:
        theme.changed_file(static, name)
    assert name in str(raised.value)
    assert pattern in str(raised.value)


@pytest.mark.parametrize(("k", "found", "done", "other"), [
    (0, '<div class="citation" role="doc-biblioentry">', '<div class="citation" role="listitem">',
     '<div class="citation" role="note">'),
    (1, '<details class="admonition hide above-input">\n<summary aria-label="Toggle hidden content">',
     '<details class="admonition hide above-input">\n<summary>',
     '<details class="admonition hide above-input">\n<summary aria-label="More">'),
    (2, '<code class="docutils literal"><span class="pre">--quiet</span>',
     '<code class="docutils literal"><span class="pre option">--quiet</span>',
     '<code class="docutils literal"><span class="word">--quiet</span>'),
])
def test_a_page_of_another_theme_stops_the_build(k: int, found: str, done: str, other: str) -> None:
    assert theme.changed_text(found, "a", theme.BODY) == done
    for text in ("<p>nothing of it</p>", '<pre><span class="o">--</span></pre>'):
        assert theme.changed_text(text, "a", theme.BODY) == text
    with pytest.raises(ExtensionError, match=f"a has changed.*{theme.BODY[k][1]}"):
        theme.changed_text(other, "a", theme.BODY)


def changed(**given: Any) -> dict[str, Any]:
    def contents(kind: str) -> str:
        return f'<a class="x" href="#">{kind}</a><details><summary><i></i>'

    context = {"metatags": '<meta name="viewport" content="width=device-width" />\n<meta name="a" />',
               "generate_toctree_html": contents, **given}
    theme.change_page(SimpleNamespace(), "page", "page.html", context, SimpleNamespace())
    return context


def test_a_page_names_its_viewport_once_and_what_opens_its_contents() -> None:
    context = changed()
    assert context["metatags"] == '<meta name="a" />'
    assert context["generate_toctree_html"]("2. Soft") == (
        '<a class="x" href="#">2. Soft</a><details><summary aria-label="Pages of 2. Soft"><i></i>')
    assert context["generate_toctree_html"]("raw") == '<a class="x" href="#">raw</a><details><summary><i></i>'


def test_a_head_or_contents_of_another_theme_stop_the_build() -> None:
    with pytest.raises(ExtensionError, match=r"the head of page has changed.*viewport"):
        changed(metatags='<meta name="a" />')
    named = changed(generate_toctree_html=lambda kind: '<a href="#">x</a><details><summary class="y">')
    with pytest.raises(ExtensionError, match=r"the theme's contents has changed.*<summary>"):
        named["generate_toctree_html"]("x")


def test_formulas_of_another_make_stop_the_build(tmp_path: Path) -> None:
    katex = tmp_path / "katex" / "dist"
    katex.mkdir(parents=True)
    (katex / "katex.min.css").write_text("@font-face{src:url(fonts/a.woff2) format('woff2')}")
    with pytest.raises(ExtensionError, match=r"katex\.min\.css has changed"):
        assets.copy_katex(tmp_path, tmp_path)


def test_the_bundle_begins_and_ends_with_what_the_themes_macros_name() -> None:
    named = re.findall(r"_static/([\w./-]+)'", (FOLDERS[0] / "webpack-macros.html").read_text(encoding="utf8"))
    named = {*named} - {"scripts/fontawesome.js"} ^ {"styles/theme.css", "basic.css"}
    assert named == {*theme.FIRST, *theme.LAST}
    assert re.findall("@import[^;]*", (FOLDERS[0] / "styles" / "theme.css").read_text()) == ['@import "../basic.css"']


def bundle(**sheets: str) -> str:
    return bundling.bundled({"sheets": {f"{name}.css": text for name, text in sheets.items()}, "scripts": {},
                             "shown": ["on", "md:on", "--on"]}, NPM)["css"]


def test_the_sheet_keeps_the_rules_for_what_is_shown() -> None:
    style = bundle(a=r'@charset "utf-8";:root{--on:url("data:;{}")}.off,.none{a:b}.on .off{a:b}.on:not(.off){a:b}'
                     r".md\:on{a:c}"
                     "@media print{.off{a:b}}@media print{.on{a:d}.off{a:b}}@font-face{src:url(x)}p{content:\"}\"}"
                     ".md\\:off{a:e}@media (min-width:1px){.on{a:f}}")
    assert style == (r":root{--on:url(data:;{})}.on:not(.off){a:b}.md\:on{a:c}@media print{.on{a:d}}"
                     '@font-face{src:url(x)}p{content:"}"}@media (min-width:1px){.on{a:f}}')


def test_the_sheet_keeps_the_variables_that_are_read() -> None:
    style = bundle(a=":root{--a:#111;--b:#222;--on:#333;--c:#444}.off{color:var(--c)}", b="p{color:var(--a)}")
    assert style == ":root{--a:#111;--on:#333}p{color:var(--a)}"


def test_a_sheet_that_imports_another_or_cannot_be_read_stops_the_build() -> None:
    with pytest.raises(ExtensionError, match=r"a\.css imports another sheet"):
        bundle(a='@import "b.css";')
    with pytest.raises(ExtensionError, match="cannot be put together"):
        bundle(a="a{b:c}}}")


def test_the_bundle_reads_from_the_folder_of_static_files() -> None:
    task = {"sheets": {"styles/t.css": "t{c:url(../x.woff2?v=1)}", "p.css": 'p{c:url("data:image/svg+xml,%3Csvg")}'},
            "scripts": {"a.js": "const _far = (one) => one;", "b.js": "_far(two);"}, "shown": []}
    assert bundling.bundled(task, NPM) == {"css": "t{c:url(x.woff2?v=1)}p{c:url(data:image/svg+xml,%3Csvg)}",
                                           "js": "const _far=o=>o;_far(two);\n"}


def asset(name: str | None, priority: int = 500, **attributes: str) -> SimpleNamespace:
    return SimpleNamespace(filename=name, priority=priority, attributes=attributes)


def gathered(bundle: bundling.Bundle, body: str, *more: SimpleNamespace) -> dict[str, Any]:
    context = {"body": body, "css_files": [asset("_static/b.css"), asset("_static/a.css?digest=1", 200)],
               "script_files": [asset("_static/page.js"), asset("_static/documentation_options.js", 200), *more,
                                asset("_static/design-tabs.js"), asset(None, body="a = 1"), asset("https://x.org/y.js")]}
    bundle.gather(SimpleNamespace(), "a", "page.html", context, None)
    return context


def test_a_page_loads_what_it_alone_needs_beside_the_bundle() -> None:
    bundle = bundling.Bundle()
    context = gathered(bundle, "<p>")
    assert bundle.files == {"sheets": [*theme.FIRST, "a.css", "b.css"], "scripts": ["page.js", *theme.LAST]}
    assert (context["told"], context["css_files"]) == (["a = 1"], [])
    assert [script.filename for script in context["script_files"]] == ["https://x.org/y.js"]
    names = [script.filename for script in gathered(bundle, '<div class="sd-tab-set">')["script_files"]]
    assert names == ["_static/design-tabs.js", "https://x.org/y.js"]


def test_a_page_that_loads_something_else_stops_the_build() -> None:
    bundle = bundling.Bundle()
    gathered(bundle, "<p>")
    with pytest.raises(ExtensionError, match=r"a loads other files .*other\.js.* ALONE"):
        gathered(bundle, "<p>", asset("_static/other.js"))
