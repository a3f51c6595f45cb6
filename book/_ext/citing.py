"""How to cite the course, and of which day it is; and a way to suggest an edit, where its repository is named."""

from __future__ import annotations

import datetime
import html
import os
import re
import subprocess
from pathlib import Path
from typing import Any

import yaml
from sphinx.application import Sphinx

BUILT = re.compile(r'<time class="built"[^>]*>[^<]*</time>')
BIBTEX = """@software{{svmlib,
  author  = {{{{{authors}}}}},
  title   = {{{{{title}}}}},
  version = {{{version}}},
  year    = {{{year}}}{address}
}}"""


def day(root: Path, released: str) -> datetime.date:
    """The day of the sources: SOURCE_DATE_EPOCH, or the last commit, or the last release."""
    if epoch := os.environ.get("SOURCE_DATE_EPOCH"):
        return datetime.datetime.fromtimestamp(int(epoch), datetime.UTC).date()
    try:
        done = subprocess.run(["git", "log", "-1", "--format=%cs"], cwd=root, capture_output=True, text=True,
                              check=False)
    except FileNotFoundError:
        return datetime.date.fromisoformat(released)
    return datetime.date.fromisoformat(done.stdout.strip() or released)


def footer(work: dict[str, Any], address: str, first: str) -> str:
    """Version and day; on the first page (`first` is ""), how to cite, else the way there."""
    version = f'Version {html.escape(str(work["version"]))}, <time class="built"></time>.'
    if first:
        return f'<p>{version} <a href="{first}#cite">Cite this course</a></p>'
    authors = " and ".join(person["name"] for person in work["authors"])
    year = str(work["date-released"])[:4]
    text = f'{authors} ({year}). {work["title"]}. Version {work["version"]}.' + (f" {address}" if address else "")
    entry = BIBTEX.format(authors=authors, title=work["title"], version=work["version"], year=year,
                          address=f",\n  url     = {{{address}}}" if address else "")
    return (f'<p>{version}</p><details id="cite"><summary>Cite this course</summary>'
            f"<p>{html.escape(text)}</p><pre>{html.escape(entry)}</pre></details>")


def add_footer(app: Sphinx, pagename: str, templatename: str, context: dict[str, Any], doctree: Any) -> None:
    """Put it under each page."""
    source = Path(app.srcdir) / "CITATION.cff"
    if source.exists():
        work = yaml.safe_load(source.read_text(encoding="utf8"))
        root = app.config.root_doc
        first = "" if pagename == root else app.builder.get_relative_uri(pagename, root)
        context["theme_extra_footer"] = context.get("theme_extra_footer", "") + footer(
            work, app.config.html_baseurl, first)


def date(app: Sphinx, error: Exception | None) -> None:
    """Write the day into all pages, those too that this build has left as they were."""
    source = Path(app.srcdir) / "CITATION.cff"
    if error is not None or app.builder.format != "html" or not source.exists():
        return
    released = str(yaml.safe_load(source.read_text(encoding="utf8"))["date-released"])
    built = day(Path(app.srcdir), released)
    stamp = f'<time class="built" datetime="{built.isoformat()}">{built.day} {built:%B %Y}</time>'
    for page in Path(app.outdir).rglob("*.html"):
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
    app.connect("build-finished", date, priority=940)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
