"""What is done with the pages once Sphinx has written them: one list, in its order.

A step is a function of (site, book): the folder of the pages, and what the build knows, its configuration and what is
on which page.  After a build that has failed none is taken.  What happens while a page is read, resolved or written
stands in the hooks of the other modules.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import bundling
import citing
import findable
import front
import reuse
import searching
import slider_figures
import takeaway
import theme
from sphinx.application import Sphinx

STEPS: list[Callable[[Path, Sphinx], None]] = [
    slider_figures.sweep,           # frames of older builds go
    searching.write_sections,       # what the search page looks through
    takeaway.carry,                 # the wheels, the archive, and notebooks to download
    reuse.write_figures,            # each figure as a plain SVG and a PNG
    theme.prune,                    # what no page loads goes
    findable.write_doors,           # index.html, 404.html, and a map of the site where it has an address
    citing.date,                    # the day, on all pages
    bundling.put_together,          # one style sheet and one script, of all that pages load
    bundling.trim_fonts,            # fonts with the letters of the book
    bundling.sign,                  # addresses of both that change with what is in them
    front.print_sheet,              # the cheat sheet on paper, with style and fonts
]


def finish(app: Sphinx, error: Exception | None) -> None:
    """Take the steps, one after the other."""
    if error is None and app.builder.format == "html":
        for step in STEPS:
            step(Path(app.outdir), app)


def setup(app: Sphinx) -> dict[str, Any]:
    """Connect them, before `execution` says that the build has ended well."""
    app.connect("build-finished", finish, priority=900)     # the theme writes its pygments.css when a build ends
    return {"parallel_read_safe": True, "parallel_write_safe": True}
