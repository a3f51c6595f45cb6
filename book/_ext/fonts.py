"""Fonts with the letters that the site shows: it is looked at when it is finished, so that nothing has to be listed."""

from __future__ import annotations

import hashlib
import html
import re
import shutil
from collections.abc import Iterable, Iterator
from pathlib import Path

#: Letters that every font of the text keeps, on a page or not: what one types into the search, say.
ALWAYS = {chr(k) for k in (*range(0x20, 0x7F), *range(0xA0, 0x100))} | set("–—‘’“”…−€")
FEATURES = "kern,mark,mkmk,ccmp,locl,liga,calt,tnum,lnum,pnum"
FORMULA, SPAN = re.compile(r'<span class="katex-html"[^>]*>'), re.compile(r"<(/?)span\b")
TEXTS = re.compile(r'<script type="application/json"[^>]*>(.*?)</script>', re.S)


def slim(top: Path, pages: Iterable[Path]) -> None:
    """Leave in each font the letters that the site shows; formulas and text are looked at apart."""
    text, formulas = letters_of(top, pages)
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
    for old in set(store.glob("*.woff2")) - used:
        old.unlink()


def letters_of(top: Path, pages: Iterable[Path]) -> tuple[set[str], set[str]]:
    """The letters in the text of a site, and those in its formulas."""
    text, formulas = set(ALWAYS), set()
    for page in pages:
        source = html.unescape(page.read_text(encoding="utf8"))
        text |= set(source)
        formulas |= {letter for piece in (*formulas_in(source), *TEXTS.findall(source)) for letter in piece}
    for path in (top / "_static" / "bundle.css", *(top / "_static").rglob("*.js")):
        text |= set(path.read_text(encoding="utf8"))
    return text, formulas


def formulas_in(source: str) -> Iterator[str]:
    """Each formula of a page, to the end of its outermost span: between its parts, too, spans end together."""
    for start in FORMULA.finditer(source):
        depth = 1
        for tag in SPAN.finditer(source, start.end()):
            depth += -1 if tag[1] else 1
            if not depth:
                yield source[start.end():tag.start()]
                break


def covered(font: Path) -> set[str]:
    """The letters of a font."""
    from fontTools.ttLib import TTFont

    with TTFont(font, lazy=True) as opened:
        return {chr(code) for code in opened.getBestCmap()}


def subset(font: Path, letters: set[str], target: Path) -> None:
    """Write a font with these letters alone."""
    from fontTools.subset import main

    main([str(font), f"--unicodes={','.join(f'{ord(letter):x}' for letter in sorted(letters))}", "--flavor=woff2",
          "--notdef-outline", f"--layout-features={FEATURES}", f"--output-file={target}"])
