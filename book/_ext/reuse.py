"""Under each figure of a chapter: how to use it elsewhere, with files to take away, licence, address and a credit.

The pictures of a page are SVG files whose colours are variables, named by what is in them.  Those who take one away get
a plain SVG and a PNG of twice its size, under names that stay from build to build.  Pages link to them and load none.
"""

from __future__ import annotations

import html
import posixpath
import re
import struct
from pathlib import Path
from typing import Any

from citing import PAGES, credited, place_of, work_of
from docutils import nodes
from findable import LICENCE
from live_figures import live_panel
from slider_figures import picture, skip, slider_panel
from sphinx.application import Sphinx
from sphinx.transforms import SphinxTransform

FOLDER = "figures"    # in the build's _images
NAME = "CC BY 4.0"
DIGITS = re.compile(r"\bdigits?\b|handwritten|\bZiffern?\b")      # said of a figure with a picture of some in it
OF_DIGITS = "CC BY-SA 3.0"
WORDS = {
    "en": {"use": "Use this figure", "png": "PNG, {} × {} pixels", "address": "Address of this figure",
           "licence": "Licence:", "start": "The files show it as it starts.", "say": "Say where it comes from:",
           "credit": "{authors} ({year}). {figure} in “{title}”, {course}.", "figure": "Figure {}", "one": "Figure",
           "digits": f"Images of digits are from MNIST by LeCun, Cortes and Burges, {OF_DIGITS}."},
    "de": {"use": "Bild verwenden", "png": "PNG, {} × {} Pixel", "address": "Adresse dieses Bilds",
           "licence": "Lizenz:", "start": "Die Dateien zeigen den Anfang.", "say": "Sag dazu, woher es ist:",
           "credit": "{authors} ({year}). {figure} in „{title}“, {course}.", "figure": "Abbildung {}", "one": "Bild",
           "digits": f"Bilder von Ziffern sind aus MNIST von LeCun, Cortes und Burges, {OF_DIGITS}."},
}


class use_this(nodes.General, nodes.Element):
    """The disclosure under a figure: its `key`, whether it `moves`, is `captioned`, and shows `digits`."""


class Offer(SphinxTransform):
    """Put one under each figure of a page, and keep what its files are made of with what Sphinx knows of the page."""

    default_priority = 210  # when Unpack and UnpackLive have made figures

    def apply(self, **kwargs: Any) -> None:
        """Look at every picture; one that is in no figure gets a name."""
        if not PAGES.fullmatch(self.env.docname) or not work_of(self.app):   # nobody to name
            return
        kinds = (picture, slider_panel, live_panel)
        for count, shown in enumerate(list(self.document.findall(lambda node: isinstance(node, kinds))), 1):
            figure: Any = shown
            while figure is not None and not isinstance(figure, nodes.figure):
                figure = figure.parent
            figure = shown if figure is None else figure
            figure["ids"] = figure["ids"] or [f"picture-{count}"]
            files, said = shown["files"], figure.astext() + shown.get("alt", "")
            if isinstance(shown, slider_panel):
                content = shown["content"]
                name, said = files[content["frameOf"][content["default"]]][0], said + content["alt"]
            else:
                name, said = files[0][0], said + shown.get("state", {}).get("alt", "")
            svg = self.env.svmlib_frames[self.env.docname][name]  # type: ignore[attr-defined]
            png = (Path(self.app.srcdir) / shown["png"]).read_bytes()
            key, captioned = figure["ids"][0], any(isinstance(child, nodes.caption) for child in figure)
            self.env.metadata[self.env.docname].setdefault(FOLDER, {})[key] = svg, png, captioned
            figure.parent.insert(figure.parent.index(figure) + 1, use_this(
                key=key, size=pixels(png), moves=not isinstance(shown, picture),
                captioned=captioned, digits="<image" in svg and bool(DIGITS.search(said))))


def pixels(png: bytes) -> tuple[int, int]:
    """Width and height of a PNG, which stand at its beginning."""
    width, height = struct.unpack(">II", png[16:24])
    return width, height


def stem(docname: str, key: str) -> str:
    """The name of the files of a figure, which says whose it is when it lies among others.

    >>> stem("notebooks/06_gallery_of_kernels", "fig-degree")
    'svm-06-gallery-of-kernels-degree'
    """
    return f"svm-{docname.rpartition('/')[2].replace('_', '-')}-{key.removeprefix('fig-')}"


def credit(app: Sphinx, docname: str, key: str, captioned: bool) -> str:
    """The line that names a figure, its authors and its licence."""
    work, (title, address, lang) = work_of(app), place_of(app, docname)
    words, (authors, year) = WORDS[lang], credited(work)
    number = app.env.toc_fignumbers.get(docname, {}).get("figure", {}).get(key) if captioned else None
    figure = words["figure"].format(".".join(map(str, number))) if number else words["one"]
    line = words["credit"].format(authors=authors, year=year, figure=figure, title=title, course=work["title"])
    return f"{line} {NAME}." + (f" {address}#{key}" if address else "")


def note_html(app: Sphinx, docname: str, images: str, node: nodes.Element) -> str:
    """The disclosure: two files, the address, the licence, and the line to copy, whole at a click."""
    _, address, lang = place_of(app, docname)
    words, base = WORDS[lang], posixpath.join(images, FOLDER, stem(docname, node["key"]))
    more = " ".join(words[name] for name, said in (("start", node["moves"]), ("digits", node["digits"])) if said)
    line = credit(app, docname, node["key"], node["captioned"])
    return (f'<details class="reuse noprint"><summary title="{words["use"]}">{words["use"]}</summary><ul>'
            f'<li><a href="{base}.svg" download>SVG</a></li>'
            f'<li><a href="{base}.png" download>{words["png"].format(*node["size"])}</a></li>'
            f'<li><a href="{address}#{node["key"]}">{words["address"]}</a></li>'
            f'<li>{words["licence"]} <a href="{LICENCE}" rel="license">{NAME}</a></li></ul>'
            f'<p>{more} {words["say"]} <span class="reuse-credit">{html.escape(line)}</span></p></details>')


def visit(self: Any, node: use_this) -> None:
    """Write the disclosure."""
    self.body.append(note_html(self.builder.app, self.builder.current_docname, self.builder.imgpath, node))
    raise nodes.SkipNode


def write_figures(site: Path, book: Sphinx) -> None:
    """Write the files of all figures, and remove those of older builds."""
    from svmcourse.shared.svg import plain  # with matplotlib: two seconds of a build that draws nothing

    folder = site / "_images" / FOLDER
    folder.mkdir(parents=True, exist_ok=True)
    files: dict[str, bytes] = {}
    for docname, known in book.env.metadata.items():
        for key, (svg, png, captioned) in known.get(FOLDER, {}).items():
            name, line = stem(docname, key), html.escape(credit(book, docname, key, captioned))
            files[f"{name}.svg"] = plain(svg).replace(">", f"><desc>{line}</desc>", 1).encode()
            files[f"{name}.png"] = png
    for path in folder.iterdir():
        if path.name not in files:
            path.unlink()
    for name, content in files.items():
        (folder / name).write_bytes(content)


def setup(app: Sphinx) -> dict[str, Any]:
    """Connect the hooks."""
    app.add_node(use_this, html=(visit, None), **dict.fromkeys(("latex", "text", "man", "texinfo"), (skip, None)))
    app.add_transform(Offer)
    return {"version": "1", "env_version": 1, "parallel_read_safe": True, "parallel_write_safe": True}
