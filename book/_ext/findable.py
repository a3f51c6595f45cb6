"""What those see who have not opened a page: search engines, link previews, and people who mistyped an address.

book/pages.yml describes every page but chapters, whose chapter.yml does.  From these come descriptions, Open Graph
titles with one picture for all, structured data (schema.org), and the language of a page.  The site gets an index.html
with a title, a 404.html that finds its way home from any depth, and, where _config.yml names an address (html,
baseurl), a sitemap and absolute addresses; without one, all addresses stay relative.

Own code instead of sphinxext-opengraph, sphinx-sitemap and sphinx-notfound-page: all three want to know the
address of the site at build time, and the first takes descriptions from the first lines of a page.
"""

from __future__ import annotations

import hashlib
import html
import io
import json
import re
import shutil
from pathlib import Path
from textwrap import fill
from typing import Any

import yaml
from chapters import descriptions
from coursemap import stored
from editions import tool
from freshness import inputs_of
from sphinx.application import Sphinx
from sphinx.errors import ExtensionError

MOST = 155                             # characters of a description that search engines show
CARD = "_static/card.png"              # the picture of a link
SIZE = (1200, 630)                     # of that picture, as link previews want it
LICENCE = "https://creativecommons.org/licenses/by/4.0/"
EXERCISES = re.compile(r"notebooks/exercises/(\w+)")


def described(top: Path) -> dict[str, dict[str, str]]:
    """What book/pages.yml and the chapters say, by page; {} of a book without."""
    path = top / "book" / "pages.yml"
    return yaml.safe_load(path.read_text(encoding="utf8")) | descriptions(top) if path.exists() else {}


def of_page(app: Sphinx, pagename: str, pages: dict[str, dict[str, str]]) -> dict[str, str]:
    """Description, question and language of a page; of exercises, from their chapter; {} of a page without any."""
    if found := EXERCISES.fullmatch(pagename):
        chapter = app.env.titles.get(f"notebooks/{found[1]}")
        number = int(found[1][:2])
        about = chapter.astext() if chapter is not None else f"chapter {number}"
        return {"description": shortened(f"{about}: exercises to solve in Python, each with hints, a check that says "
                                         "what is wrong with an answer, and a solution."),
                "question": f"Can you do it yourself? Chapter {number}"}
    return pages.get(pagename, {})


def shortened(text: str) -> str:
    """A text of at most MOST characters, ending with a word.

    >>> shortened("a word " * 40)[-8:], len(shortened("a word " * 40)) <= MOST
    ('a word …', True)
    """
    return text if len(text) <= MOST else text[:MOST - 1].rsplit(" ", 1)[0] + " …"


def address(app: Sphinx, pagename: str, target: str) -> str:
    """An address as others see it: absolute where the site's is known, else relative to the page."""
    base = app.config.html_baseurl
    return f"{base.rstrip('/')}/{target}" if base else "../" * pagename.count("/") + target


def open_graph(app: Sphinx, pagename: str, title: str, about: dict[str, str]) -> str:
    """The tags of which a link preview is made."""
    tags = {"og:type": "website" if pagename in (app.config.root_doc, "index") else "article", "og:title": title,
            "og:site_name": app.config.html_title, "og:description": about["description"],
            "og:image": address(app, pagename, CARD), "og:image:width": str(SIZE[0]), "og:image:height": str(SIZE[1]),
            "og:image:alt": "Two clouds of points, and the widest band between them",
            "og:locale": {"de": "de_DE"}.get(about.get("lang", ""), "en_GB")}
    if app.config.html_baseurl:
        tags["og:url"] = address(app, pagename, f"{pagename}.html")
    lines = [f'<meta property="{name}" content="{html.escape(text)}">' for name, text in tags.items()]
    return "\n  ".join([*lines, '<meta name="twitter:card" content="summary_large_image">'])


def structured(app: Sphinx, pagename: str, title: str, about: dict[str, str]) -> dict[str, Any]:
    """What a page is, in the words of schema.org: the course, a chapter, exercises, or something beside them."""
    times = tool(app, "times")
    authors = {"@type": "Organization", "name": app.config.author}
    data: dict[str, Any] = {
        "@context": "https://schema.org", "@type": "LearningResource", "name": title, "license": LICENCE,
        "description": about["description"], "inLanguage": about.get("lang", "en"), "isAccessibleForFree": True,
        "author": authors}
    if app.config.html_baseurl:
        data["url"] = address(app, pagename, f"{pagename}.html")
    if pagename == app.config.root_doc:
        minutes = sum(times.of_chapter(stored(app, name)) for name in app.env.found_docs if chapter(name))
        data |= {"@type": "Course", "provider": authors, "teaches": "Support vector machines",
                 "hasCourseInstance": {"@type": "CourseInstance", "courseMode": "Online",
                                       "courseWorkload": f"PT{round(minutes / 60)}H"}}
        return data
    data["isPartOf"] = {"@type": "Course", "name": app.config.html_title}
    if chapter(pagename):
        data |= {"learningResourceType": "chapter", "position": int(pagename.rpartition("/")[2][:2]),
                 "timeRequired": f"PT{times.of_chapter(stored(app, pagename))}M", "interactivityType": "mixed"}
    elif EXERCISES.fullmatch(pagename):
        data |= {"learningResourceType": "exercise", "interactivityType": "active",
                 "timeRequired": f"PT{times.of_tasks(stored(app, pagename))[1]}M"}
    return data


def chapter(pagename: str) -> bool:
    """Whether a page is a chapter."""
    return re.fullmatch(r"notebooks/\d\d_\w+", pagename) is not None


def describe(app: Sphinx, pagename: str, templatename: str, context: dict[str, Any], doctree: Any) -> None:
    """Give the template what stands in the head of a page, and its language."""
    pages = described(Path(app.srcdir))
    about = of_page(app, pagename, pages)
    if doctree is None or not about:
        return
    _, *beside = app.builder.relations.get(pagename, (None, None, None))
    for side, other in zip(("prev", "next"), beside, strict=True):
        context[f"{side}_question"] = of_page(app, other, pages).get("question", "") if other else ""
    if chapter(pagename):
        context["page_minutes"] = tool(app, "times").of_chapter(stored(app, pagename))
    if len(about["description"]) > MOST:
        raise ExtensionError(f"the description of {pagename} is longer than {MOST} characters")
    title = re.sub("<[^>]*>", "", html.unescape(context["title"]))
    context["page_description"] = about["description"]
    data = json.dumps(structured(app, pagename, title, about), ensure_ascii=False).replace("<", "\\u003c")
    context["page_head"] = (open_graph(app, pagename, title, about)
                            + f'\n  <script type="application/ld+json">{data}</script>')
    context["language"] = about.get("lang", context.get("language"))


FRAME = """<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{title}</title>
{head}
<style>
:root {{ color-scheme: light dark }}
html {{ background: Canvas; color: CanvasText }}
body {{ max-width: 34rem; margin: 15vh auto; padding: 0 1.2rem; font: 1.1rem/1.55 Georgia, serif }}
a {{ color: light-dark(#00598c, #7cc3ee) }}
input {{ font: inherit; padding: .3rem .6rem; max-width: 100%; box-sizing: border-box }}
</style>
</head>
<body>
{body}
</body>
</html>
"""
LOST = """<main>
<h1>This page is not here</h1>
<p>It may have moved, or the address has a slip in it. Nothing is lost:</p>
<ul>
<li><a href="{home}">The course, from its first page</a></li>
<li><a href="{short}">Support vector machines in fifteen minutes</a></li>
</ul>
<form action="{search}" role="search"><label for="q">Or search the book:</label><br>
<input id="q" name="q" type="search"></form>
</main>
<script>{script}</script>
"""
#: The page stands at any depth, wherever somebody has got lost: it asks which folder above is the site's.
HOMEWARD = """
(async () => {
  const parts = location.pathname.split("/").slice(1, -1);
  for (let k = parts.length; k >= 0; k -= 1) {
    const top = location.origin + "/" + parts.slice(0, k).map((part) => part + "/").join("");
    const found = await fetch(top + "_static/documentation_options.js", { method: "HEAD" }).catch(() => null);
    if (!found?.ok) continue;
    document.querySelectorAll("a").forEach((link) => { link.href = top + link.getAttribute("href"); });
    document.querySelector("form").action = top + "search.html";
    return;
  }
})();
"""


def write_doors(site: Path, book: Sphinx) -> None:
    """The picture of a link, index.html, 404.html, sitemap.xml and robots.txt."""
    if not (Path(book.srcdir) / "book" / "pages.yml").exists():
        return
    root, base, title = book.config.root_doc, book.config.html_baseurl, html.escape(book.config.html_title)
    (site / CARD).write_bytes(kept_card(book))
    about = of_page(book, root, described(Path(book.srcdir)))
    home = f"{root}.html"
    if about:
        head = (f'<meta name="description" content="{html.escape(about["description"])}">\n'
                f'<link rel="canonical" href="{address(book, "index", home)}">\n'
                f'<meta http-equiv="refresh" content="0; url={home}">\n'
                + open_graph(book, "index", book.config.html_title, about))
        body = (f'<main><h1>{title}</h1><p>{html.escape(about["description"])}</p>'
                f'<p><a href="{home}">To the course</a></p></main>')
        write(site / "index.html", FRAME.format(title=title, head=head, body=body))
    at = f"{base.rstrip('/')}/" if base else ""
    lost = LOST.format(home=f"{at}{home}", short=f"{at}book/fifteen_minutes.html", search=f"{at}search.html",
                       script="" if base else HOMEWARD)
    write(site / "404.html", FRAME.format(title=f"Not found: {title}", body=lost,
                                         head='<meta name="robots" content="noindex">'))
    if base:
        names = sorted(name for name in book.env.found_docs if (site / f"{name}.html").exists())
        rows = "".join(f"<url><loc>{html.escape(f'{at}{name}.html')}</loc></url>\n" for name in names)
        write(site / "sitemap.xml", '<?xml version="1.0" encoding="UTF-8"?>\n'
                                   f'<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n{rows}</urlset>\n')
        write(site / "robots.txt", f"User-agent: *\nAllow: /\nSitemap: {at}sitemap.xml\n")


def write(path: Path, text: str) -> None:
    """Write a file of the site."""
    path.write_text(text, encoding="utf8")


def kept_card(app: Sphinx) -> bytes:
    """The picture of a link, drawn again where what it is made of has changed."""
    inputs, title = inputs_of(Path(app.srcdir)), app.config.html_title
    mark = inputs.key("", "from svmcourse.shared import plotting") + title + Path(__file__).read_text(encoding="utf8")
    kept = Path(app.outdir).parent / ".cards" / f"{hashlib.sha256(mark.encode()).hexdigest()[:24]}.png"
    if not kept.exists():
        shutil.rmtree(kept.parent, ignore_errors=True)
        kept.parent.mkdir()
        kept.write_bytes(card(title))
    return kept.read_bytes()


def card(title: str) -> bytes:
    """The picture of a link: two clouds, the widest band between them, and the title."""
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    from svmcourse.shared import plotting
    from svmlib import SVC
    from svmlib.data import separable_blobs
    from svmlib.kernels import Linear

    X, y = separable_blobs(seed=0)
    machine = SVC(Linear(), C=10, tol=1e-6).fit(X, y)
    figure = Figure(figsize=(SIZE[0] / 100, SIZE[1] / 100), layout="none")
    FigureCanvasAgg(figure)
    ax = figure.add_axes((0, 0, 1, 1))
    across = SIZE[0] / SIZE[1] * 2.6 * 2
    limits = (-0.66 * across, 0.34 * across, -2.6, 2.6)
    plotting.machine(machine, X, y, ax, limits)
    ax.set(xlim=limits[:2], ylim=limits[2:])
    ax.set_axis_off()
    figure.text(0.05, 0.91, fill(title, 16), fontsize=44, fontweight="bold", color=plotting.INK, va="top")
    figure.text(0.05, 0.12, "Take a point and pull.", fontsize=26, color=plotting.INK)
    made = io.BytesIO()
    figure.savefig(made, format="png", dpi=100, bbox_inches=None, metadata={"Software": None})
    return made.getvalue()


def setup(app: Sphinx) -> dict[str, Any]:
    """Connect the hooks: after the pages' own description, before addresses are signed."""
    app.connect("html-page-context", describe, priority=910)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
