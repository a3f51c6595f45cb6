"""One style sheet and one script for all pages, with what they show and no more.

Each file costs a slow phone time of its own; with seventeen sheets and twelve scripts the first letter waits for them.
What the theme, its extensions and the book would have a page load one by one is put together once (lightningcss and
esbuild, in book/_npm/bundle.mjs); book/_templates/layout.html names the two files.
"""

from __future__ import annotations

import hashlib
import json
import re
import subprocess
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from assets import install, node
from fonts import slim
from sphinx.application import Sphinx
from sphinx.errors import ExtensionError
from theme import FIRST, LAST, changed_file

#: What some pages load by themselves, and a sign of them; what layout.html writes into all of them.
ALONE = {"design-tabs.js": "sd-tab-set"}
WRITTEN = "documentation_options.js"
WORD = re.compile(r"-{0,2}[A-Za-z_][\w-]*")


class Bundle:
    """What pages would load: names in _static by kind, in order; none, if this build has written no page."""

    def __init__(self) -> None:
        self.files: dict[str, list[str]] = {}

    def gather(self, app: Sphinx, pagename: str, templatename: str, context: dict[str, Any], doctree: Any) -> None:
        """Take what all pages load out of a page's context, and leave what it alone needs."""
        body = context.get("body", "")
        styles, scripts = (sorted(context[kind], key=lambda file: file.priority)
                           for kind in ("css_files", "script_files"))
        files = {"sheets": [*FIRST, *map(local, styles)],
                 "scripts": [*(name for name in map(local, scripts) if name not in (*ALONE, WRITTEN)), *LAST]}
        files = {kind: [name for name in names if name] for kind, names in files.items()}
        if self.files not in ({}, files):
            raise ExtensionError(f"{pagename} loads other files than the pages before: {files}. Name in ALONE of "
                                 "book/_ext/bundling.py what some pages load by themselves.")
        self.files = files
        context["told"] = [script.attributes["body"] for script in scripts if not script.filename]
        context["css_files"] = [style for style in styles if not local(style)]
        context["script_files"] = [script for script in scripts if script.filename and (
            not local(script) or any(local(script) == name and sign in body for name, sign in ALONE.items()))]


def put_together(site: Path, book: Sphinx) -> None:
    """Write the bundle, if this build has written a page."""
    static, bundle = site / "_static", book.bundle      # type: ignore[attr-defined]
    if bundle.files:
        task = {kind: {name: changed_file(static, name) for name in names} for kind, names in bundle.files.items()}
        made = bundled({**task, "shown": sorted(words(site))}, Path(book.srcdir) / "book" / "_npm")
        for kind, text in made.items():
            (static / f"bundle.{kind}").write_text(text, encoding="utf8")


def trim_fonts(site: Path, book: Sphinx) -> None:
    """Leave in the fonts what is shown."""
    slim(site, pages(site))


def local(file: Any) -> str:
    """The name of a style sheet or a script in _static; "" of one that is elsewhere, or written in the page."""
    name = str(file.filename or "").partition("?")[0]
    return name.removeprefix("_static/") if name.startswith("_static/") else ""


def bundled(task: dict[str, Any], npm: Path) -> dict[str, str]:
    """The style sheet ("css") and the script ("js") that book/_npm/bundle.mjs makes."""
    install(npm)
    done = subprocess.run([*node(), "bundle.mjs"], cwd=npm, input=json.dumps(task), capture_output=True, text=True,
                          encoding="utf8", check=False)
    if done.returncode:
        raise ExtensionError(f"style sheets and scripts cannot be put together: {done.stderr}")
    return dict(json.loads(done.stdout))


def pages(top: Path) -> list[Path]:
    """The pages of a site."""
    return [page for page in top.rglob("*.html") if top / "_static" not in page.parents]


def words(top: Path) -> set[str]:
    """Classes, ids and variables of the style that are on a page, and all words of scripts."""
    found: set[str] = set()
    for page in pages(top):
        source = page.read_text(encoding="utf8")
        for names in set(re.findall(r'(?:class|id)=\\?"([^"\\]*)', source)):
            found |= set(names.split())
        for script in (*re.findall(r"<script>(.*?)</script>", source, flags=re.S), *re.findall(r"var\(.*?\)", source)):
            found |= set(WORD.findall(script))
    for path in (top / "_static").rglob("*.js"):
        found |= set(WORD.findall(path.read_text(encoding="utf8")))
    return found


def sign(site: Path, book: Sphinx) -> None:
    """Sign the addresses of fonts in the style sheet, and theirs and the bundle's in all pages, by what is in them.

    A browser keeps a file by its address, and would go on without what a new build brings.
    """
    static = site / "_static"
    fonts = list(static.rglob("*.woff2"))
    rewrite([static / "bundle.css"], fonts)
    rewrite(pages(site), [*fonts, *static.glob("bundle.*")])


def rewrite(paths: Iterable[Path], files: Iterable[Path]) -> None:
    """Sign the addresses of files where others name them, in the place of an older sign."""
    signs = {file.name: hashlib.sha256(file.read_bytes()).hexdigest()[:8] for file in files}
    named = re.compile(rf"\b({'|'.join(map(re.escape, signs))})(?:\?v=[0-9a-f]+)?")
    for path in paths:
        before = path.read_text(encoding="utf8")
        after = named.sub(lambda found: f"{found[1]}?v={signs[found[1]]}", before)
        if after != before:
            path.write_text(after, encoding="utf8")


def setup(app: Sphinx) -> dict[str, Any]:
    """Connect the hook, after what else changes pages and files."""
    app.bundle = Bundle()       # type: ignore[attr-defined]
    app.connect("html-page-context", app.bundle.gather, priority=990)   # type: ignore[attr-defined]
    return {"parallel_read_safe": True, "parallel_write_safe": False}
