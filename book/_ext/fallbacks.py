"""System fonts with the measures of the book's own, so that a page keeps its lines when these arrive.

Until a font has been loaded a system font shows the text.  CSS can scale one so that it is as wide and as high as
another (size-adjust, ascent-override).  How wide a system font is, is read off a free one of the same measures: Gelasio
has those of Georgia, Tinos of Times New Roman, Arimo of Arial, Cousine of Courier New.
"""
from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

# The book's family -> the system's families for it, the nearest first: twin on npm, names on the system.
TWINS = {
    "Source Serif": {"gelasio": ("Georgia", "Gelasio"), "tinos": ("Times New Roman", "Liberation Serif", "Tinos"),
                     "dejavu-serif": ("DejaVu Serif",)},
    "Source Sans": {"arimo": ("Arial", "Liberation Sans", "Arimo"), "dejavu-sans": ("DejaVu Sans",)},
    "Source Code": {"cousine": ("Courier New", "Liberation Mono", "Cousine"), "dejavu-mono": ("DejaVu Sans Mono",)},
}
# Of each family: weight and style in the book, the file that has it, the weight of the system's font.
FACES = {
    "Source Serif": [(400, "normal", "@fontsource/source-serif-4/files/source-serif-4-latin-400-normal", 400),
                     (600, "normal", "@fontsource/source-serif-4/files/source-serif-4-latin-600-normal", 700),
                     (400, "italic", "@fontsource/source-serif-4/files/source-serif-4-latin-400-italic", 400)],
    "Source Sans": [(weight, "normal", "@fontsource-variable/source-sans-3/files/source-sans-3-latin-wght-normal", twin)
                    for weight, twin in ((400, 400), (600, 700))],
    "Source Code": [(400, "normal", "@fontsource/source-code-pro/files/source-code-pro-latin-400-normal", 400)],
}


@dataclass(frozen=True)
class Measures:
    """Of a font, in units of its size: the mean width of a letter of the text, and how far a line reaches."""

    width: float
    ascent: float
    descent: float
    gap: float


def measures(file: Path, letters: Counter[str], weight: int | None = None) -> Measures:
    """Measure a font with the letters of a text; of a variable one, at a weight."""
    from fontTools.ttLib import TTFont
    from fontTools.varLib.instancer import instantiateVariableFont

    with TTFont(file) as opened:
        for table in {"GPOS", "GSUB", "GDEF"} & set(opened.keys()):     # nine tenths of the work, and no width
            del opened[table]
        font = instantiateVariableFont(opened, {"wght": weight}) if weight is not None and "fvar" in opened else opened
        names, widths, head, unit = font.getBestCmap(), font["hmtx"], font["hhea"], font["head"].unitsPerEm
        counted = {letter: n for letter, n in letters.items() if ord(letter) in names}
        total = sum(n * widths[names[ord(letter)]][0] for letter, n in counted.items())
        return Measures(total / sum(counted.values()) / unit, head.ascent / unit, -head.descent / unit,
                        head.lineGap / unit)


def stack(family: str) -> str:
    """The families that stand in for one, as a style sheet names them."""
    return ", ".join(f'"{family} as {names[0]}"' for names in TWINS[family].values())


def faces(modules: Path, text: str) -> Iterator[str]:
    """The rules that scale system fonts to the measures of the book's."""
    letters = Counter(text)
    for family, twins in TWINS.items():
        for weight, style, file, twin_weight in FACES[family]:
            own = measures(modules / f"{file}.woff2", letters, weight)
            for twin, names in twins.items():
                like = modules / "@fontsource" / twin / "files" / f"{twin}-latin-{twin_weight}-{style}.woff2"
                scale = own.width / measures(like, letters).width
                suffix = {700: " Bold", 400: ""}[twin_weight] + {"italic": " Italic", "normal": ""}[style]
                local = ", ".join(f'local("{name}{suffix}")' for name in names)
                yield (f'@font-face {{\n  font-family: "{family} as {names[0]}"; src: {local};\n'
                       f"  font-style: {style}; font-weight: {weight}; size-adjust: {scale:.2%};\n"
                       f"  ascent-override: {own.ascent / scale:.2%}; descent-override: {own.descent / scale:.2%}; "
                       f"line-gap-override: {own.gap / scale:.2%};\n}}")
