"""Sphinx hook of the pictures: files for light, dark and phones, and numbered figures whose sliders choose among them.

Cells print what svmcourse.shared.pictures.parcel makes.  A transform turns each parcel into nodes, before Sphinx
numbers figures and collects labels; the HTML writer makes markup of them and writes the SVG files that it names.
"""

from __future__ import annotations

import hashlib
import html
import json
import posixpath
import re
from pathlib import Path
from typing import Any

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.transforms import SphinxTransform
from sphinx.util.docutils import SphinxTranslator

FOLDER = "frames"     # in the build's _images
PARCEL = re.compile(r'^<script type="application/vnd\.svmlib\+json">(.*)</script>\s*$', re.S)
ROOM = 48             # pixels of a narrow page beside a picture


class picture(nodes.General, nodes.Element):
    """A picture in its forms: `files` (name, width, height), `alt`."""


class slider_panel(nodes.General, nodes.Element):
    """Sliders, picture and text of a figure that moves: `content`, `files` of each frame."""


class Unpack(SphinxTransform):
    """Replace each parcel in a notebook's outputs by its nodes."""

    default_priority = 200  # before labels are collected (850)

    def apply(self, **kwargs: Any) -> None:
        """Look at every bundle of outputs."""
        sliders = 0
        for bundle in list(self.document.findall(_is_bundle)):
            content = _content(bundle)
            if content is None:
                continue
            if content["kind"] == "picture":
                image = next(iter(bundle.findall(nodes.image)), None)
                new: nodes.Element = picture(alt=image.get("alt", "") if image is not None else "")
                new["files"] = [(self.keep(svg), w, h) for svg, w, h in content["forms"]]
            else:
                sliders += 1
                new = self.figure(content, sliders)
            remember_png(new, bundle)
            bundle.replace_self(new)

    def keep(self, svg: str) -> str:
        """Store one SVG with the document; return the name of its file."""
        name = hashlib.sha256(svg.encode()).hexdigest()[:16] + ".svg"
        self.env.svmlib_frames.setdefault(self.env.docname, {})[name] = svg  # type: ignore[attr-defined]
        return name

    def figure(self, content: dict[str, Any], count: int) -> nodes.figure:
        """A figure that Sphinx numbers, with the panel and the caption in it."""
        panel = slider_panel(files=[[self.keep(svg) for svg in frame] for frame in content.pop("frames")])
        figure = nodes.figure("", panel, classes=["explore"])
        if content["name"]:
            figure["names"].append(nodes.fully_normalize_name(content["name"]))
            self.document.note_explicit_target(figure, figure)
        else:   # a number and a place, but no label
            figure["ids"].append(f"moving-figure-{count}")
        panel["content"], panel["key"] = content, figure["ids"][0]
        if content["caption"]:
            figure += nodes.caption(content["caption"], "", *_inline(content["caption"]))
        return figure


def remember_png(new: nodes.Element, bundle: nodes.Element) -> None:
    """Note on the picture where myst-nb has put its PNG, for those who take it away (reuse.py)."""
    image = next(iter(bundle.findall(nodes.image)), None)
    for shown in new.findall(lambda node: isinstance(node, nodes.Element) and "files" in node):
        shown["png"] = "" if image is None else image["uri"].removeprefix("/")


def _is_bundle(node: nodes.Node) -> bool:
    return isinstance(node, nodes.container) and node.get("nb_element") == "mime_bundle"


def _content(bundle: nodes.Element) -> dict[str, Any] | None:
    """What the parcel among these outputs holds, if there is one."""
    for raw in bundle.findall(nodes.raw):
        if match := PARCEL.match(raw.astext()):
            return dict(json.loads(match[1]))
    return None


def _inline(text: str) -> list[nodes.Node]:
    """Text with $mathematics$ and `code` as nodes."""
    found: list[nodes.Node] = []
    for part in re.split(r"(`[^`]+`|\$[^$]+\$)", text):
        if part[:1] == "$":
            found.append(nodes.math(part, part[1:-1]))
        elif part[:1] == "`":
            found.append(nodes.literal(part, part[1:-1]))
        elif part:
            found.append(nodes.Text(part))
    return found


def pictures_html(base: str, files: list[tuple[str, int, int]], alt: str, key: str = "") -> str:
    """The light and the dark picture, of which the style sheet shows one, each with its form for phones.

    They are lazy: the browser reads text and lays it out before it reads a drawing (page.js fetches the rest later).
    """
    (name, width, height), *narrow = files
    found = ""
    for theme in ("light", "dark"):
        mark = "#dark" if theme == "dark" else ""
        source = "".join(f'<source media="screen and (max-width: {width + ROOM}px)" srcset="{base}/{other}{mark}" '
                         f'width="{w}" height="{h}">' for other, w, h in narrow)
        found += (f'<picture class="{theme}-form">{source}<img class="dark-light" src="{base}/{name}{mark}" '
                  f'width="{width}" height="{height}" loading="lazy" alt="{html.escape(alt)}"></picture>')
    place = f' id="{key}"' if key else ""
    return f'<div class="drawn"{place}>{found}</div>'


def panel_html(base: str, key: str, files: list[list[str]], content: dict[str, Any]) -> str:
    """Controls (hidden until the script runs), picture, text, and the table of frames for the script."""
    start = files[content["frameOf"][content["default"]]]
    forms = [(name, *pixels) for name, pixels in zip(start, content["sizes"], strict=True)]
    status = content["texts"][content["default"]]
    alt = _sentence(content["alt"]) + f" At {content['setting']}" + (f": {status}" if status else ".")
    controls = "".join(_control(slider, f"{key}-{slider['name']}") for slider in content["sliders"])
    longest = html.escape(max(content["texts"], key=len).replace("`", ""))  # decides the height: the page keeps still
    text = (f'<div class="explore-status" data-longest="{longest}"><p class="explore-text" aria-live="polite">'
            f"{_code(status)}</p></div>" if longest else "")
    data = {"base": base, "files": files, "frameOf": content["frameOf"], "texts": content["texts"],
            "alt": _sentence(content["alt"]), "process": content["process"],
            "sliders": [{k: slider[k] for k in ("name", "label", "keys", "texts", "start")}
                        for slider in content["sliders"]]}
    table = json.dumps(data, ensure_ascii=False, separators=(",", ":")).replace("<", "\\u003c")
    return (f'<div class="explore-panel" style="--explore-width:{max(w for w, _ in content["sizes"])}px">'
            f'<div class="explore-controls" hidden>{controls}{_buttons(content["process"])}</div>'
            f'{pictures_html(base, forms, alt)}'
            f'<p class="explore-setting">{html.escape(content["setting"])}</p>{text}'
            f'<script type="application/json">{table}</script></div>')


def _control(slider: dict[str, Any], key: str) -> str:
    """A native slider under its label, which speaks the value and not the position; for two choices, buttons."""
    label, texts, start = html.escape(slider["label"]), slider["texts"], slider["start"]
    if len(texts) == 2:
        choices = "".join(
            f'<label><input type="radio" name="{key}" value="{k}" autocomplete="off"{" checked" if k == start else ""}>'
            f"<span>{html.escape(text)}</span></label>" for k, text in enumerate(texts))
        return f'<fieldset class="explore-choice"><legend>{label}</legend>{choices}</fieldset>'
    return (f'<div class="explore-slider"><label for="{key}">{label}</label>'
            f'<input id="{key}" type="range" min="0" max="{len(texts) - 1}" step="1" value="{start}" '
            f'autocomplete="off" aria-valuetext="{html.escape(texts[start])}">'
            f'<output for="{key}" aria-hidden="true">{html.escape(texts[start])}</output></div>')


def _buttons(process: str | None) -> str:
    """Play and steps for a process; a way back to the start for every figure."""
    names = [("play", "Play"), ("back", "Back"), ("step", "Step")] if process else []
    return '<div class="explore-buttons">' + "".join(
        f'<button type="button" data-does="{does}">{name}</button>'
        for does, name in [*names, ("reset", "Reset")]) + "</div>"


def _sentence(text: str) -> str:
    """Text that ends with a full stop."""
    return text if text.rstrip().endswith((".", "!", "?")) else text.rstrip() + "."


def _code(text: str) -> str:
    """Text with `code` marked."""
    return re.sub(r"`([^`]+)`", r"<code>\1</code>", html.escape(text, quote=False))


def _base(translator: SphinxTranslator, names: list[str]) -> str:
    """Write the files of a page that is being written; return the address of their folder from that page."""
    builder = translator.builder
    folder = Path(builder.outdir) / builder.imagedir / FOLDER  # type: ignore[attr-defined]
    folder.mkdir(parents=True, exist_ok=True)
    stored = {k: v for frames in builder.env.svmlib_frames.values() for k, v in frames.items()}
    for name in names:
        if not (folder / name).exists():
            (folder / name).write_text(stored[name], encoding="utf8")
    return posixpath.join(builder.imgpath, FOLDER)  # type: ignore[attr-defined]


def visit_picture(self: Any, node: picture) -> None:
    """Write the picture."""
    base = _base(self, [name for name, _, _ in node["files"]])
    self.body.append(pictures_html(base, node["files"], node["alt"], *node["ids"]))
    raise nodes.SkipNode


def visit_panel(self: Any, node: slider_panel) -> None:
    """Write the panel."""
    base = _base(self, [name for frame in node["files"] for name in frame])
    self.body.append(panel_html(base, node["key"], node["files"], node["content"]))
    raise nodes.SkipNode


def skip(self: Any, node: nodes.Element) -> None:
    """Leave out what only a page can show."""
    raise nodes.SkipNode


def begin(app: Sphinx, env: Any, docnames: list[str]) -> None:
    """Make room for the frames."""
    if not hasattr(env, "svmlib_frames"):
        env.svmlib_frames = {}


def forget(app: Sphinx, env: Any, docname: str) -> None:
    """Drop the frames of a page that is read again."""
    getattr(env, "svmlib_frames", {}).pop(docname, None)


def merge(app: Sphinx, env: Any, docnames: set[str], other: Any) -> None:
    """Take over the frames that another process has read."""
    env.svmlib_frames.update({name: other.svmlib_frames[name] for name in docnames if name in other.svmlib_frames})


def sweep(site: Path, book: Sphinx) -> None:
    """Remove the frames of older builds."""
    folder = site / "_images" / FOLDER
    if folder.is_dir():
        kept = {name for frames in book.env.svmlib_frames.values() for name in frames}  # type: ignore[attr-defined]
        for path in folder.iterdir():
            if path.name not in kept:
                path.unlink()


def setup(app: Sphinx) -> dict[str, Any]:
    """Connect the hook."""
    others = dict.fromkeys(("latex", "text", "man", "texinfo"), (skip, None))
    app.add_node(picture, html=(visit_picture, None), **others)
    app.add_node(slider_panel, html=(visit_panel, None), **others)
    app.add_css_file("explore.css")
    app.add_transform(Unpack)
    app.connect("env-before-read-docs", begin, priority=100)
    app.connect("env-purge-doc", forget)
    app.connect("env-merge-info", merge)
    return {"version": "1", "env_version": 1, "parallel_read_safe": True, "parallel_write_safe": True}
