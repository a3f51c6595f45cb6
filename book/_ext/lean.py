"""Files no larger than the pages need: fonts with the letters of the book, the theme's styles for what it shows.

Both look at the finished site, so that nothing has to be listed by hand.  And pages say nothing twice, nor how to reach
a kernel on another host, which none does.
"""

from __future__ import annotations

import hashlib
import html
import re
import shutil
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

from sphinx.application import Sphinx

#: Letters that every font of the text keeps, on a page or not: what one types into the search, say.
ALWAYS = {chr(k) for k in (*range(0x20, 0x7F), *range(0xA0, 0x100))} | set("–—‘’“”…−€")
FEATURES = ["kern", "mark", "mkmk", "ccmp", "locl", "liga", "calt", "tnum", "lnum", "pnum"]
FORMULA = re.compile(r'class="katex-html".*?</span></span></span>(?!</span>)', re.S)
CONTENT = re.compile(r'content:\s*"([^"]*)"')
#: Style sheets of the theme, of its parts and of KaTeX; ours are short.
HEAVY = ("styles/*.css", "basic.css", "sphinx-design.min.css", "pygments.css", "mystnb.*.css", "proof.css",
         "katex/katex.css")
WORD = re.compile(r"-?[A-Za-z_][\w-]*")
CLASS = re.compile(r"\.((?:[\w-]|\\.)+)")


def slim_fonts(app: Sphinx, error: Exception | None) -> None:
    """Leave in each font the letters that the site shows; formulas and text are looked at apart."""
    if error is not None or app.builder.format != "html":
        return
    top = Path(app.outdir)
    text, formulas = letters_of(top)
    store = top.parent / ".fonts"
    store.mkdir(exist_ok=True)
    used = set()
    for folder, letters in (("fonts", text), ("katex/fonts", formulas)):
        for font in (top / "_static" / folder).glob("*.woff2"):
            wanted = letters & covered(font)
            key = hashlib.sha256(font.read_bytes() + "".join(sorted(wanted)).encode()).hexdigest()[:24]
            kept = store / f"{key}.woff2"
            used.add(kept)
            if not kept.exists():
                subset(font, wanted, kept)
            if kept.stat().st_size < font.stat().st_size:
                shutil.copy(kept, font)
    sign_fonts(top)
    for old in store.glob("*.woff2"):
        if old not in used:
            old.unlink()


def sign_fonts(top: Path) -> None:
    """Sign the addresses of fonts by what is in them, in style sheets and in pages that ask for them at once.

    A browser keeps a font by its address, and would go on without the letters that a new build brings.
    """
    signs = {font.name: hashlib.sha256(font.read_bytes()).hexdigest()[:8]
             for font in (top / "_static").glob("**/*.woff2")}

    def signed(found: re.Match[str]) -> str:
        """A font's name with its sign in place of an older one."""
        return f"{found[1]}?v={signs[found[1]]}" if found[1] in signs else found[0]

    for path in (*(top / "_static").glob("**/*.css"), *top.rglob("*.html")):
        before = path.read_text(encoding="utf8")
        after = re.sub(r"([\w-]+\.woff2)(?:\?v=[0-9a-f]+)?", signed, before)
        if after != before:
            path.write_text(after, encoding="utf8")


def letters_of(top: Path) -> tuple[set[str], set[str]]:
    """The letters in the text of a site, and those in its formulas."""
    text, formulas = set(ALWAYS), set()
    for page in (*top.glob("*.html"), *top.glob("book/*.html"), *top.glob("notebooks/**/*.html")):
        source = html.unescape(page.read_text(encoding="utf8"))
        text |= set(source)
        for found in FORMULA.findall(source):
            formulas |= set(found)
        for script in re.findall(r'<script type="application/json"[^>]*>(.*?)</script>', source, flags=re.S):
            formulas |= set(script)
    for script in top.glob("_static/**/*.js"):
        text |= set(script.read_text(encoding="utf8"))
    for style in top.glob("_static/**/*.css"):
        for words in CONTENT.findall(style.read_text(encoding="utf8")):
            text |= set(re.sub(r"\\([0-9a-f]{2,6}) ?", lambda m: chr(int(m[1], 16)), words))
    return text, formulas


def covered(font: Path) -> set[str]:
    """The letters of a font."""
    from fontTools.ttLib import TTFont

    with TTFont(font, lazy=True) as opened:
        return {chr(code) for code in opened.getBestCmap()}


def subset(font: Path, letters: set[str], target: Path) -> None:
    """Write a font with these letters alone."""
    from fontTools.subset import Options, Subsetter, load_font, save_font

    options = Options(flavor="woff2", layout_features=FEATURES, notdef_outline=True)
    with load_font(str(font), options) as opened:
        subsetter = Subsetter(options)
        subsetter.populate(text="".join(sorted(letters)))
        subsetter.subset(opened)
        save_font(opened, str(target), options)


def slim_styles(app: Sphinx, error: Exception | None) -> None:
    """Drop the theme's rules for classes that are on no page and in no script."""
    if error is not None or app.builder.format != "html":
        return
    top = Path(app.outdir)
    words: set[str] = set()
    for page in (*top.rglob("*.html"), *top.glob("_static/**/*.js")):
        source = page.read_text(encoding="utf8")
        if page.suffix == ".js":
            words |= set(WORD.findall(source))
        else:
            for names in set(re.findall(r'class=\\?"([^"\\]*)', source)):
                words |= set(names.split())
            for script in re.findall(r"<script>(.*?)</script>", source, flags=re.S):
                words |= set(WORD.findall(script))
    for pattern in HEAVY:
        for path in (top / "_static").glob(pattern):
            source = path.read_text(encoding="utf8")
            kept = pruned(source, frozenset(words))
            if len(kept) < len(source):
                path.write_text(kept, encoding="utf8")


def pruned(style: str, words: frozenset[str]) -> str:
    """A style sheet without the rules that need a class that is not among words.

    >>> pruned("a{b:c}.x .y,.x{b:c}@media print{.y{b:c}}.x:not(.y){b:c}", frozenset("x"))
    'a{b:c}.x{b:c}.x:not(.y){b:c}'
    """
    @cache
    def met(selector: str) -> bool:
        needed = re.sub(r":(?:not|is|where|has)\((?:[^()]|\([^()]*\))*\)", "", selector)
        return all(name.replace("\\", "") in words for name in CLASS.findall(needed))

    out = []
    for head, body in blocks(style):
        if body is None:
            out.append(head)
        elif head.startswith("@"):
            if head.startswith(("@media", "@supports", "@container", "@layer")):
                inner = pruned(body, words)
                if inner.strip():
                    out.append(f"{head}{{{inner}}}")
            else:
                out.append(f"{head}{{{body}}}")
        else:
            kept = [part for part in selectors(head) if met(part)]
            if kept:
                out.append(f"{','.join(kept)}{{{body}}}")
    return "".join(out)


def blocks(style: str) -> Iterator[tuple[str, str | None]]:
    """Rules as (head, body); what ends with a semicolon has no body."""
    style = re.sub(r"/\*.*?\*/", "", style, flags=re.S)
    start, depth, opened, quote, k = 0, 0, 0, "", 0
    while k < len(style):
        letter = style[k]
        if letter == "\\":
            k += 1
        elif quote:
            quote = "" if letter == quote else quote
        elif letter in "\"'":
            quote = letter
        elif letter == "{":
            opened = opened if depth else k
            depth += 1
        elif letter == "}":
            depth -= 1
            if depth == 0:
                yield style[start:opened].strip(), style[opened + 1:k]
                start = k + 1
        elif letter == ";" and depth == 0:
            yield style[start:k + 1].strip(), None
            start = k + 1
        k += 1


def selectors(head: str) -> list[str]:
    """The selectors of a rule."""
    found, depth, start = [], 0, 0
    for k, letter in enumerate(head):
        depth += {"(": 1, "[": 1, ")": -1, "]": -1}.get(letter, 0)
        if letter == "," and depth == 0:
            found.append(head[start:k].strip())
            start = k + 1
    return [*found, head[start:].strip()]


def drop_kernel(app: Sphinx, config: Any) -> None:
    """Jupyter Book loads sphinx-thebe on every site; without its listener pages do not describe a kernel elsewhere."""
    for listener in list(app.events.listeners["doctree-resolved"]):
        if listener.handler.__module__ == "sphinx_thebe":
            app.disconnect(listener.id)


def drop_viewport(app: Sphinx, pagename: str, templatename: str, context: dict[str, Any], doctree: Any) -> None:
    """Docutils names the viewport, and so does the theme."""
    context["metatags"] = re.sub(r'<meta name="viewport"[^>]*>\s*', "", context.get("metatags", ""))


def setup(app: Sphinx) -> dict[str, Any]:
    """Connect the hooks, after what else changes files."""
    app.connect("config-inited", drop_kernel)
    app.connect("html-page-context", drop_viewport)
    app.connect("build-finished", slim_styles, priority=970)
    app.connect("build-finished", slim_fonts, priority=980)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
