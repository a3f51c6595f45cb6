"""One style sheet and one script for each page, asked for before anything else.

Each file costs a slow phone time of its own, and one sheet of the theme imports another; with seventeen sheets and
twelve scripts the first letter waits for them.  Looks at the finished site, after `lean`.
"""

from __future__ import annotations

import hashlib
import re
from pathlib import Path
from typing import Any

from sphinx.application import Sphinx

SHEET = re.compile(r'[ \t]*<link(?=[^>]*rel="stylesheet")[^>]*_static/(?!bundle-)([\w./-]+\.css)[^>]*>\n?')
SCRIPT = re.compile(r'[ \t]*<script(?=[^>]* defer)[^>]*_static/(?!search/|design-tabs|bundle-)([\w./-]+\.js)'
                    r'[^>]*></script>\n?')
TABS = re.compile(r"[ \t]*<script[^>]*_static/design-tabs\.js[^>]*></script>\n?")
#: What scripts are told about the page: a file and some lines in the page, which would wait for the style sheets.
OPTIONS = re.compile(r'[ \t]*<script src="[^"]*_static/documentation_options\.js[^"]*"></script>\n?'
                     r"|[ \t]*<script>(DOCUMENTATION_OPTIONS\..*?)</script>\n?", re.S)
#: Text and formulas first: the script comes when they have been drawn.  The search's own scripts need it before.
LATER = """<link rel="preload" as="script" fetchpriority="low" href="{}>
  <script>
    addEventListener("DOMContentLoaded", () => requestAnimationFrame(() => setTimeout(() => document.head.append(
      Object.assign(document.createElement("script"), { src: document.querySelector("link[as=script]").href })))));
  </script>"""
BUNDLED = re.compile(r'bundle-[0-9a-f]+\.\w+" data-parts="([^"]*)"')


def bundle_files(app: Sphinx, error: Exception | None) -> None:
    """Put what a page loads one by one into one sheet and one script.

    A page that this build has not written still names its bundle; its parts are bundled again, as they may be new.
    """
    if error is not None or app.builder.format != "html":
        return
    top = Path(app.outdir)
    made: dict[tuple[str, ...], str] = {}
    for page in (page for page in top.rglob("*.html") if top / "_static" not in page.parents):
        before = page.read_text(encoding="utf8")
        after = bundled(before, top / "_static", made)
        if after != before:
            page.write_text(after, encoding="utf8")
    for old in (top / "_static").glob("bundle-*"):
        if old.name not in made.values():
            old.unlink()


def bundled(page: str, static: Path, made: dict[tuple[str, ...], str]) -> str:
    """The page with one style sheet and one script; `made` holds the bundles that other pages have, too."""
    def named(parts: tuple[str, ...]) -> str:
        """A bundle's name, and what is in it for the next build."""
        return f'{bundle(parts, static, made)}" data-parts="{" ".join(parts)}"'

    page = BUNDLED.sub(lambda found: named(tuple(found[1].split())), page)
    sheets = tuple(SHEET.findall(page))
    if not sheets:
        return page
    scripts = tuple(SCRIPT.findall(page))
    root = re.search(r'data-content_root="([^"]*)"', page)
    base = f'{root[1] if root else "./"}_static'
    told = [(static / "documentation_options.js").read_text(encoding="utf8"), *filter(None, OPTIONS.findall(page))]
    tag = '<script defer src="{}></script>' if "_static/search/" in page else LATER
    head = f"""  <script>
    {"    ".join(line.strip() + chr(10) for line in told)}  </script>
  <link rel="stylesheet" href="{base}/{named(sheets)}>
  {tag.replace("{}", f"{base}/{named(scripts)}")}
"""
    first = SHEET.search(page)
    assert first
    rest = page[:first.start()] + "\0" + page[first.end():]
    for tag in (SHEET, SCRIPT, OPTIONS, *([] if "sd-tab-set" in page else [TABS])):
        rest = tag.sub("", rest)
    return rest.replace("\0", head)


def bundle(parts: tuple[str, ...], static: Path, made: dict[tuple[str, ...], str]) -> str:
    """The name of the file that holds these parts; written if it is new."""
    if parts not in made:
        join = ";\n" if parts[0].endswith(".js") else "\n"
        read = script if parts[0].endswith(".js") else sheet
        text = join.join(read(static / name, static) for name in parts)
        made[parts] = f"bundle-{hashlib.sha256(text.encode()).hexdigest()[:10]}{Path(parts[0]).suffix}"
        (static / made[parts]).write_text(text, encoding="utf8")
    return made[parts]


def script(path: Path, static: Path) -> str:
    """A script without the address of its map."""
    return re.sub(r"\n//# sourceMappingURL=.*", "", path.read_text(encoding="utf8"))


def sheet(path: Path, static: Path) -> str:
    """A style sheet as it reads from the folder `static`: imports written out, addresses set right."""
    text = re.sub(r'@charset "[^"]*";', "", path.read_text(encoding="utf8"))
    folder = path.parent

    def imported(found: re.Match[str]) -> str:
        """The sheet in place of its import."""
        return sheet((folder / found[1]).resolve(), static)

    def placed(found: re.Match[str]) -> str:
        """The address of a file beside the sheet."""
        name, _, sign = found[2].partition("?")
        return f'url({(folder / name).resolve().relative_to(static.resolve()).as_posix()}{"?" + sign if sign else ""})'

    if folder != static:
        text = re.sub(r"""url\((["']?)(?!data:|#|https?:)([\w./?=-]+)\1\)""", placed, text)
    return re.sub(r"""@import ["']([\w./-]+\.css)["'];""", imported, text)


def setup(app: Sphinx) -> dict[str, Any]:
    """Connect the hook, after what else changes files."""
    app.connect("build-finished", bundle_files, priority=990)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
