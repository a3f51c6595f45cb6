"""course.yml: what an instructor calls this edition, in one file; everything that names the course asks here.

A line that is missing means ours.  A word that the file does not know, or a value of another kind, ends the build with
a message that names it.
"""

from __future__ import annotations

import colorsys
import html
import re
from pathlib import Path
from typing import Any

import yaml
from sphinx.application import Sphinx
from sphinx.errors import ConfigError

OURS: dict[str, Any] = {
    "title": "Support vector machines", "subtitle": "", "author": "The svmlib authors",
    "licence": "Text CC BY 4.0, code BSD 3-Clause.", "institution": "", "term": "", "logo": "", "colour": "",
    "imprint": "", "privacy": "", "repository": "", "address": "", "chapters": []}
LEADING = ("imprint", "privacy", "repository", "address")       # addresses
SOURCES = "MNIST by LeCun, Cortes and Burges, CC BY-SA 3.0."    # whatever the licence of an edition


def own(root: Path) -> dict[str, Any]:
    """All of course.yml, with ours where it says nothing; ConfigError names what it cannot be.

    >>> own(Path("nowhere"))["title"]
    'Support vector machines'
    """
    path = root / "course.yml"
    try:
        said = (yaml.safe_load(path.read_text(encoding="utf8")) if path.exists() else None) or {}
    except yaml.YAMLError as error:
        raise ConfigError(f"course.yml is no YAML: {error}") from error
    if not isinstance(said, dict):
        raise ConfigError('course.yml must hold lines such as "title: My course"')
    for word, value in said.items():
        if word not in OURS:
            raise ConfigError(f"course.yml: {word!r} is none of {', '.join(OURS)}")
        if value is None:
            continue
        if word == "chapters":
            if not (isinstance(value, list) and all(isinstance(number, int) for number in value)):
                raise ConfigError(f"course.yml: chapters must be a list of numbers such as [2, 4, 6], got {value!r}")
        elif not isinstance(value, str | int | float):
            raise ConfigError(f"course.yml: {word} must be text, got {value!r}")
        elif word == "colour" and not re.fullmatch(r"#[0-9a-fA-F]{6}", str(value)):
            raise ConfigError(f'course.yml: colour must be six digits such as "#14597f", in quotes, got {value!r}')
        elif word in LEADING and value and not re.match(r"https?://", str(value)):
            raise ConfigError(f"course.yml: {word} must begin with https://, got {value!r}")
        elif word == "logo" and value and not (root / str(value)).is_file():
            raise ConfigError(f"course.yml: logo: there is no file {value}")
    return {word: ours if said.get(word) is None else said[word] if word == "chapters" else str(said[word])
            for word, ours in OURS.items()}


def configure(app: Sphinx, config: Any) -> None:
    """Give Sphinx and the theme what they ask for; what _config.yml says itself stays where course.yml says nothing."""
    said, theme = own(Path(app.srcdir)), config.html_theme_options
    if said["title"] != OURS["title"]:
        config.html_title = config.project = said["title"]
    if said["author"] != OURS["author"]:
        config.author = said["author"]
    if said["address"]:
        config.html_baseurl = said["address"].rstrip("/") + "/"
    if said["repository"]:
        theme["repository_url"] = said["repository"]
    if said["logo"]:
        config.html_logo = said["logo"]
    theme["extra_footer"] = foot(said)


def foot(said: dict[str, Any]) -> str:
    """What stands at the foot of each page: whose edition it is, its licence, and what the law asks for.

    >>> foot(OURS | {"institution": "TU", "term": "Summer", "imprint": "https://a.b"}).split(SOURCES)
    ['TU, Summer. Text CC BY 4.0, code BSD 3-Clause. ', ' <a href="https://a.b">Imprint</a>']
    """
    whose = ", ".join(html.escape(said[word]) for word in ("institution", "term") if said[word])
    links = [f'<a href="{html.escape(said[word])}">{name}</a>' for word, name in
             (("imprint", "Imprint"), ("privacy", "Privacy")) if said[word]]
    return " ".join([*([whose + "."] if whose else []), html.escape(said["licence"]), SOURCES, *links])


def head(app: Sphinx, docname: str, source: list[str]) -> None:
    """The first page has the edition's title, and its subtitle under it."""
    if docname == app.config.root_doc:
        said = own(Path(app.srcdir))
        if said["title"] != OURS["title"]:
            source[0] = re.sub(rf"(?m)^# {OURS['title']}$", f"# {said['title']}", source[0], count=1)
        if said["subtitle"]:
            source[0] = re.sub(r"(?m)^(# .*)$", rf"\1\n\n*{said['subtitle']}*", source[0], count=1)


def colours(app: Sphinx, pagename: str, templatename: str, context: dict[str, Any], doctree: Any) -> None:
    """Links and buttons in the edition's colour; in the dark in a lighter shade of it."""
    if colour := own(Path(app.srcdir))["colour"]:
        lines = "".join(f'html[data-theme="{theme}"] {{ --pst-color-primary: {shade}; --pst-color-link: {shade}; }} '
                        for theme, shade in (("light", colour), ("dark", lighter(colour))))
        context["page_head"] = f"{context.get('page_head', '')}\n  <style>{lines.strip()}</style>"


def lighter(colour: str) -> str:
    """A shade of a colour that one can read on a dark page.

    >>> lighter("#00598c")
    '#8cd5ff'
    """
    hue, _, saturation = colorsys.rgb_to_hls(*(int(colour[i:i + 2], 16) / 255 for i in (1, 3, 5)))
    return "#" + "".join(f"{round(255 * part):02x}" for part in colorsys.hls_to_rgb(hue, 0.775, saturation))


def setup(app: Sphinx) -> dict[str, Any]:
    """Connect the hooks."""
    app.connect("config-inited", configure, priority=100)       # before those that read what is set here
    app.connect("source-read", head)
    app.connect("html-page-context", colours, priority=950)     # after `findable`, which begins page_head
    return {"parallel_read_safe": True, "parallel_write_safe": True}
