"""The map of the course on its first page: parts, chapters and the time that each chapter says it takes."""

from __future__ import annotations

import html
import re
from pathlib import Path
from typing import Any

import yaml
from docutils import nodes
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective

MINUTES = re.compile(r"\babout (\d+) minutes")


class course_map(nodes.General, nodes.Element):
    """Where the map is to stand."""


class CourseMap(SphinxDirective):
    """`{course-map}`: the parts of _toc.yml in order."""

    def run(self) -> list[nodes.Node]:
        return [course_map()]


def note_minutes(app: Sphinx, doctree: nodes.document) -> None:
    """Remember how long a chapter takes."""
    times: dict[str, int] = getattr(app.env, "chapter_minutes", {})
    for paragraph in doctree.findall(nodes.paragraph):
        found = MINUTES.search(paragraph.astext())
        if found:
            times[app.env.docname] = int(found[1])
            break
    app.env.chapter_minutes = times  # type: ignore[attr-defined]


def hours(minutes: int) -> str:
    """A time to plan with: minutes below an hour and a half, else hours.

    >>> hours(45), hours(150), hours(705)
    ('45 min', '2.5 h', '12 h')
    """
    if minutes < 90:
        return f"{minutes} min"
    return f"{round(minutes / 30) / 2:g} h" if minutes < 300 else f"{round(minutes / 60)} h"


def draw(app: Sphinx, doctree: nodes.document, docname: str) -> None:
    """Put the map in its place."""
    for place in list(doctree.findall(course_map)):
        env, builder = app.env, app.builder
        times: dict[str, int] = getattr(env, "chapter_minutes", {})
        toc = yaml.safe_load((Path(app.srcdir) / "_toc.yml").read_text(encoding="utf8"))
        parts, total = [], 0
        for part in toc.get("parts", []):
            if not part.get("numbered"):
                continue
            rows, sum_of_part = [], 0
            for chapter in part["chapters"]:
                name = chapter["file"]
                number = ".".join(map(str, env.titles[name].get("secnumber", ())))
                sum_of_part += times.get(name, 0)
                address = builder.get_relative_uri(docname, name)
                time = f"<span>{hours(times[name])}</span>" if name in times else ""
                title = html.escape(env.titles[name].astext())
                rows.append(f'<li><b>{number}</b><a href="{address}">{title}</a>{time}</li>')
            total += sum_of_part
            name = html.escape(part["caption"])
            parts.append(f'<li><p>{name}<span>{hours(sum_of_part)}</span></p><ol>{"".join(rows)}</ol></li>')
        text = (f'<ol class="course-map">{"".join(parts)}</ol>'
                f'<p class="course-time">All of it takes about {hours(total)}.</p>')
        place.replace_self(nodes.raw("", text, format="html"))


def setup(app: Sphinx) -> dict[str, Any]:
    """Connect the directive."""
    app.add_node(course_map)
    app.add_directive("course-map", CourseMap)
    app.connect("doctree-read", note_minutes)
    app.connect("doctree-resolved", draw)
    return {"parallel_read_safe": False, "parallel_write_safe": True}
