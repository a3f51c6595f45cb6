"""Parts and chapters on the first page, with the hours that they take; what a chapter says under its title."""

from __future__ import annotations

import html
from pathlib import Path
from typing import Any

import nbformat
import yaml
from chapters import chapters
from docutils import nodes
from editions import tool
from sphinx.application import Sphinx
from sphinx.transforms.post_transforms import SphinxPostTransform
from sphinx.util.docutils import SphinxDirective


class course_map(nodes.General, nodes.Element):
    """Where the map is to stand."""


class CourseMap(SphinxDirective):
    """`{course-map}`: the parts of _toc.yml in order."""

    def run(self) -> list[nodes.Node]:
        return [course_map()]


def draw(app: Sphinx, doctree: nodes.document, docname: str) -> None:
    """Put the map in its place."""
    places = list(doctree.findall(course_map))
    if not places:
        return
    times, env, says = tool(app, "times"), app.env, subtitles(Path(app.srcdir))
    toc = yaml.safe_load((Path(app.srcdir) / "_toc.yml").read_text(encoding="utf8"))
    parts, reading, solving = [], 0, 0
    for part in toc.get("parts", []):
        if not part.get("numbered"):
            continue
        rows, of_part = [], 0
        for chapter in part["chapters"]:
            name = chapter["file"]
            minutes = times.of_chapter(stored(app, name))
            tasks = sum(times.of_tasks(stored(app, section["file"]))[1] for section in chapter.get("sections", []))
            of_part, solving = of_part + minutes, solving + tasks
            number = ".".join(map(str, env.titles[name].get("secnumber", ())))
            address = app.builder.get_relative_uri(docname, name)
            title = html.escape(env.titles[name].astext())
            below = f"<small>{html.escape(says[name])}</small>" if name in says else ""
            rows.append(f'<li><b>{number}</b><div><a href="{address}">{title}</a>{below}</div>'
                        f"<span>{times.hours(minutes)}</span></li>")
        reading += of_part
        name = html.escape(part["caption"])
        parts.append(f'<li><p>{name}<span>{times.hours(of_part)}</span></p><ol>{"".join(rows)}</ol></li>')
    text = (f'<ol class="course-map">{"".join(parts)}</ol><p class="course-time">Reading all of it takes about '
            f'{times.hours(reading)}, its exercises about {times.hours(solving)} more.</p>')
    for place in places:
        place.replace_self(nodes.raw("", text, format="html"))


def subtitles(top: Path) -> dict[str, str]:
    """The words of the map of ideas, by page: "the dual: a push per point"."""
    return {chapter.page: " ".join(chapter.facts["map"]["says"]) for chapter in chapters(top).values()}


class Subtitle(SphinxPostTransform):
    """Put them under the title of each chapter."""

    default_priority = 800
    formats = ("html",)

    def run(self, **kwargs: Any) -> None:
        words = subtitles(Path(self.app.srcdir)).get(self.env.docname)
        title = next(iter(self.document.findall(nodes.title)), None)
        if words and title is not None:
            title.parent.insert(1, nodes.paragraph("", words, classes=["subtitle"]))


def stored(app: Sphinx, docname: str) -> Any:
    """The notebook of a page, as it is stored."""
    return nbformat.read(Path(app.srcdir) / f"{docname}.ipynb", as_version=4)


def setup(app: Sphinx) -> dict[str, Any]:
    """Connect the directive."""
    app.add_node(course_map)
    app.add_directive("course-map", CourseMap)
    app.add_post_transform(Subtitle)
    app.connect("doctree-resolved", draw)
    return {"parallel_read_safe": False, "parallel_write_safe": True}
