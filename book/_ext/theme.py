"""What is changed of the theme and of what is under it: all of it stands here, and none of it fails in silence.

A new version of the theme may write something in another way.  Then the build stops and says which file it has looked
in, and for what.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from sphinx.application import Sphinx
from sphinx.errors import ExtensionError

#: A file in _static: what is looked for in it, and what takes its place.
FILES: dict[str, list[tuple[str, str]]] = {
    # Two thousand icons and their fonts: pages show ten, set in page.css.
    "styles/pydata-sphinx-theme.css": [
        (r'(?:\.fa-[\w-]+:{1,2}before,?)+\{content:"[^"]*"\}', ""),
        (r"@font-face\{[^}]*Font Awesome[^}]*\}", ""),
    ],
    "styles/sphinx-book-theme.css": [
        (r'content:"\\f\w+";font-family:Font Awesome\\ 6 Free;', ""),
        (r"\.hide:not\(:hover\)", ".hide:not(:hover,:focus-within)"),       # keys open the list of headings, too
    ],
    # It measures all that may scroll, and so lays out what is out of sight; page.js does it as a block comes near.
    "scripts/pydata-sphinx-theme.js": [
        (r'document\.querySelectorAll\(\["pre",[^\]]*\]\.join\(", "\)\)', "[]"),
    ],
    # The colours of code on a dark page end where the paper begins, whose colours are the light ones.
    "pygments.css": [
        (r'html\[data-theme="light"\]', "html"),
        (r'(?s)html\[data-theme="dark"\].*', r"@media not print{\g<0>}"),
    ],
}
#: Of the text of a page: what shows that it is there, what is looked for, and what takes its place.
BODY = [
    # As the role of the list around it demands.
    ('class="citation"', ' role="doc-biblioentry"', ' role="listitem"'),
    # The words that are seen are its name.
    (r'<details class="[^"]*\bhide\b', ' aria-label="Toggle hidden content"', ""),
    # An option stays on one line (page.css).
    (r"<code[^>]*>(?:<span[^>]*>[^<]*</span>\s*)*<span[^>]*>--", '<span class="pre">--', '<span class="pre option">--'),
]
#: What opens a chapter's pages in the contents: the theme gives it a picture alone.
TOGGLE = ("<details", r"(<a [^>]*>([^<]*)</a><details[^>]*>)<summary>", r'\1<summary aria-label="Pages of \2">')
#: Docutils names the viewport, and so does the theme.
VIEWPORT = r'<meta name="viewport"[^>]*>\s*'
#: What its macros name, before and after all other style sheets and scripts: webpack-macros.html of ours is empty.
FIRST = ("basic.css", "styles/pydata-sphinx-theme.css")
LAST = ("scripts/bootstrap.js", "scripts/pydata-sphinx-theme.js")
#: Files that no page loads: icons, and maps of scripts.
UNUSED = ("*.map", "fontawesome*.js*", "fa-*.*", "*/fontawesome/*.LICENSE.txt")


def must(pattern: str, new: str, text: str, where: str) -> str:
    """The text with what the pattern finds replaced by `new`; where it finds nothing, the build stops.

    >>> must("a+", "b", "caat", "cat.css")
    'cbt'
    >>> must("dog", "b", "caat", "cat.css")
    Traceback (most recent call last):
        ...
    sphinx.errors.ExtensionError: cat.css has changed: the book replaces dog there, and it is not found (book/_ext)
    """
    text, found = re.subn(pattern, new, text)
    if not found:
        raise ExtensionError(f"{where} has changed: the book replaces {pattern} there, and it is not found (book/_ext)")
    return text


def changed_file(static: Path, name: str) -> str:
    """The text of a file in _static as the pages have it."""
    text = (static / name).read_text(encoding="utf8")
    for pattern, new in FILES.get(name, []):
        text = must(pattern, new, text, name)
    return text


def changed_text(text: str, where: str, changes: list[tuple[str, str, str]]) -> str:
    """A piece of a page with what must be replaced where its sign is seen."""
    for sign, pattern, new in changes:
        if re.search(sign, text):
            text = must(pattern, new, text, where)
    return text


def change_page(app: Sphinx, pagename: str, templatename: str, context: dict[str, Any], doctree: Any) -> None:
    """Change what the theme's templates are given."""
    if "body" in context:
        context["body"] = changed_text(context["body"], f"the text of {pagename}", BODY)
    if doctree is not None:
        context["metatags"] = must(VIEWPORT, "", context["metatags"], f"the head of {pagename}")
    contents = context["generate_toctree_html"]
    context["generate_toctree_html"] = lambda kind, *args, **kwargs: (
        contents(kind, *args, **kwargs) if kind == "raw" else
        changed_text(str(contents(kind, *args, **kwargs)), "the theme's contents", [TOGGLE]))


def prune(site: Path, book: Sphinx) -> None:
    """Drop what no page loads."""
    for path in (path for pattern in UNUSED for path in (site / "_static").rglob(pattern)):
        path.unlink()


def setup(app: Sphinx) -> dict[str, Any]:
    """Connect the hooks."""
    app.connect("html-page-context", change_page, priority=900)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
