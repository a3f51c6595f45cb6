"""How to cite the course or a page of it, and of which day it is; and a way to suggest an edit, where there is one."""

from __future__ import annotations

import datetime
import html
import os
import re
from pathlib import Path
from typing import Any

import yaml
from findable import described
from own import OURS, own
from sphinx.application import Sphinx
from unchanged import last_commit

#: The chapters, and the stories that one reads alone: what people cite, and whose figures they show.
PAGES = re.compile(r"(?:notebooks/(\d\d)_|book/(?=fifteen_minutes|fuenfzehn_minuten))(\w+)")
BUILT = re.compile(r'<time class="built"[^>]*>[^<]*</time>')
BIBTEX = """@software{{svmlib,
  author  = {{{{{authors}}}}},
  title   = {{{{{title}}}}},
  version = {{{version}}},
  year    = {{{year}}}{address}
}}"""


IN_BIBTEX = """@incollection{{svmlib-{key},
  author    = {{{{{authors}}}}},
  title     = {{{{{title}}}}},{more}
  booktitle = {{{{{course}}}}},
  note      = {{Version {version}}},
  year      = {{{year}}}
}}"""
#: The line for a page, and what opens it.
LINES = {"en": ("Cite this page", "{authors} ({year}). “{title}.” {chapter}{course}, version {version}."),
         "de": ("Diese Seite zitieren", "{authors} ({year}). „{title}“. In: {course}, Version {version}.")}


def day(root: Path, released: str) -> datetime.date:
    """The day of the sources: SOURCE_DATE_EPOCH, or the last commit, or the last release."""
    if epoch := os.environ.get("SOURCE_DATE_EPOCH"):
        return datetime.datetime.fromtimestamp(int(epoch), datetime.UTC).date()
    return datetime.date.fromisoformat(last_commit(root) or released)


def footer(work: dict[str, Any], address: str, first: str) -> str:
    """Version and day; on the first page (`first` is ""), how to cite, else the way there."""
    version = f'Version {html.escape(str(work["version"]))}, <time class="built"></time>.'
    if first:
        return f'<p>{version} <a href="{first}#cite">Cite this course</a></p>'
    authors, year = credited(work)
    text = f'{authors} ({year}). {work["title"]}. Version {work["version"]}.' + (f" {address}" if address else "")
    entry = BIBTEX.format(authors=authors, title=work["title"], version=work["version"], year=year,
                          address=f",\n  url     = {{{address}}}" if address else "")
    return (f'<p>{version}</p><details id="cite"><summary>Cite this course</summary>'
            f"<p>{html.escape(text)}</p><pre>{html.escape(entry)}</pre></details>")


def credited(work: dict[str, Any]) -> tuple[str, str]:
    """Who made a work, and in which year."""
    return " and ".join(person["name"] for person in work["authors"]), str(work["date-released"])[:4]


def page_footer(work: dict[str, Any], pagename: str, title: str, address: str, lang: str = "en") -> str:
    """How to cite a chapter or a story, in a line and for BibTeX."""
    found = PAGES.fullmatch(pagename)
    if found is None:
        return ""
    number = int(found[1] or 0)
    authors, year = credited(work)
    summary, line = LINES[lang]
    text = line.format(authors=authors, year=year, title=title, course=work["title"], version=work["version"],
                       chapter=f"Chapter {number} of " if number else "In ") + (f" {address}" if address else "")
    fields = {"chapter": f"{{{number}}}" if number else "", "url": f"{{{address}}}" if address else "",
              "langid": "{ngerman}" if lang == "de" else ""}
    entry = IN_BIBTEX.format(
        key=found[2].replace("_", "-"), authors=authors, title=re.sub(r"([&%#_])", r"\\\1", title),
        course=work["title"], version=work["version"], year=year,
        more="".join(f"\n  {name:9} = {value}," for name, value in fields.items() if value))
    return (f'<details id="cite-page" lang="{lang}"><summary>{summary}</summary>'
            f"<p>{html.escape(text)}</p><pre>{html.escape(entry)}</pre></details>")


def work_of(app: Sphinx) -> dict[str, Any]:
    """What CITATION.cff says; {} of a book without."""
    source, said = Path(app.srcdir) / "CITATION.cff", own(Path(app.srcdir))
    if not source.exists():
        return {}
    work = dict(yaml.safe_load(source.read_text(encoding="utf8")))
    if said["title"] != OURS["title"]:
        work["title"] = said["title"]
    if said["author"] != OURS["author"]:        # an edition has its editor's name before ours
        work["authors"] = [{"name": said["author"]}, *work["authors"]]
    return work


def place_of(app: Sphinx, pagename: str) -> tuple[str, str, str]:
    """Title, address ("" where the site has none) and language of a page."""
    base = app.config.html_baseurl.rstrip("/")
    return (app.env.titles[pagename].astext(), f"{base}/{pagename}.html" if base else "",
            described(Path(app.srcdir)).get(pagename, {}).get("lang", "en"))


def add_footer(app: Sphinx, pagename: str, templatename: str, context: dict[str, Any], doctree: Any) -> None:
    """Put it under each page."""
    if work := work_of(app):
        root = app.config.root_doc
        first = "" if pagename == root else app.builder.get_relative_uri(pagename, root)
        page = page_footer(work, pagename, *place_of(app, pagename)) if PAGES.fullmatch(pagename) else ""
        context["theme_extra_footer"] = context.get("theme_extra_footer", "") + footer(
            work, app.config.html_baseurl, first) + page


def date(site: Path, book: Sphinx) -> None:
    """Write the day into all pages, those too that this build has left as they were."""
    if not (work := work_of(book)):
        return
    built = day(Path(book.srcdir), str(work["date-released"]))
    stamp = f'<time class="built" datetime="{built.isoformat()}">{built.day} {built:%B %Y}</time>'
    for page in site.rglob("*.html"):
        before = page.read_text(encoding="utf8")
        after = BUILT.sub(stamp, before)
        if after != before:
            page.write_text(after, encoding="utf8")


def offer_edits(app: Sphinx, config: Any) -> None:
    """A repository in _config.yml is there to be used."""
    if config.html_theme_options.get("repository_url"):
        config.html_theme_options["use_edit_page_button"] = True


def setup(app: Sphinx) -> dict[str, Any]:
    """Connect the hooks."""
    app.connect("config-inited", offer_edits)
    app.connect("html-page-context", add_footer)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
