"""Print the built book into one PDF through Chromium: contents, page numbers, outline, links that stay inside.

    make pdf        writes _build/svm-course.pdf
"""

from __future__ import annotations

import functools
import html
import http.server
import io
import os
import shutil
import sys
import threading
from pathlib import Path
from typing import Any

import yaml
from pypdf import PdfReader, PdfWriter
from pypdf.generic import ArrayObject, NameObject

sys.path.append(str(Path(__file__).resolve().parents[1] / "_ext"))
from own import own

ROOT = Path(__file__).resolve().parents[2]
SITE = ROOT / "_build" / "html"
TARGET = ROOT / "_build" / "svm-course.pdf"
ARGUMENTS = ["--no-sandbox", "--disable-gpu", "--disable-background-networking"]
STYLE = """<meta charset="utf-8"><style>
@font-face { font-family: "Source Serif"; font-weight: 400;
  src: url(_static/fonts/source-serif-4-latin-400-normal.woff2); }
@page { size: A4; margin: 0 }
body { margin: 0; font: 10.5pt/1.5 "Source Serif", serif; color: #000 }
.sheet { box-sizing: border-box; position: relative; width: 210mm; height: 296mm; break-after: page; overflow: hidden }
.sheet:last-child { break-after: auto }
.foot { position: absolute; bottom: 11mm; left: 25mm; right: 25mm; display: flex; justify-content: space-between;
  font-size: 8.5pt; color: #444 }
.front { padding: 60mm 25mm }
.front h1 { font-size: 32pt; line-height: 1.1; margin: 0 0 8mm }
.list { padding: 20mm 25mm; font-size: 9.5pt; line-height: 1.25 }
.list h1 { font-size: 20pt; margin: 0 0 5mm }
.list p { margin: 0 0 .6mm; display: flex; gap: 3mm }
.list p.part { font-weight: 600; margin-top: 3mm }
.list span { flex: 1; border-bottom: 1px dotted #999; transform: translateY(-.4em) }
</style>"""


def chapters() -> list[tuple[str, str]]:
    """Parts and pages of _toc.yml: (part, page); the part stands at its first page."""
    toc = yaml.safe_load((ROOT / "_toc.yml").read_text(encoding="utf8"))
    pages = [("", toc["root"])]
    for part in toc["parts"]:
        files = [entry["file"] for chapter in part["chapters"] for entry in (chapter, *chapter.get("sections", []))]
        pages += [(part["caption"] if i == 0 else "", file) for i, file in enumerate(files)]
    return pages


def found_chromium() -> str | None:
    """Path of a Chromium, or None."""
    names = [os.environ.get("SVMLIB_CHROMIUM"), "chromium", "chromium-browser", "google-chrome"]
    return next((path for name in names if name and (path := shutil.which(name))), None)


def chromium() -> str:
    """Path of a Chromium."""
    found = found_chromium()
    if found is None:
        sys.exit("make pdf needs Chromium: install it, or name it in SVMLIB_CHROMIUM")
    return found


def serve(site: Path = SITE) -> tuple[http.server.ThreadingHTTPServer, str]:
    """A site on a local port."""
    class Quiet(http.server.SimpleHTTPRequestHandler):
        def log_message(self, format: str, *args: Any) -> None:
            pass

    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Quiet, directory=str(site)))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return server, f"http://127.0.0.1:{server.server_port}"


def print_page(browser: Any, url: str) -> tuple[str, bytes]:
    """Title and PDF of one page, with its headings as outline."""
    tab = browser.new_page(color_scheme="light")
    tab.goto(url)
    tab.wait_for_function("window.bootstrap")      # the page's script has run: it fills in addresses
    tab.evaluate("document.documentElement.dataset.theme = 'light'")
    tab.emulate_media(media="print")               # now: fonts that were there would be asked for again
    tab.evaluate("""() => { document.querySelectorAll('img[loading=lazy]').forEach(i => i.loading = 'eager');
        const waited = things => [...things].map(thing => (thing.load ?? thing.decode).call(thing).catch(() => 0));
        return Promise.all([...waited(document.fonts), ...waited(document.images)]).then(() => 0) }""")
    local = url.split("/", 3)[2]  # the page fills in its address; paper has none
    tab.evaluate("""local => { const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
        while (walker.nextNode()) { const text = walker.currentNode;
          text.data = text.data.replace(`http://${local}`, 'https://ADDRESS-OF-THE-COURSE'); } }""", local)
    title = tab.evaluate("document.querySelector('h1').cloneNode(true).textContent.replace(/#$/, '').trim()")
    printed = tab.pdf(prefer_css_page_size=True, print_background=True, outline=True, tagged=True)
    tab.close()
    return title, printed


def print_sheet(site: Path, page: str, target: Path) -> int:
    """Write one page of a site as a PDF; return how many sheets it takes."""
    from playwright.sync_api import sync_playwright

    server, address = serve(site)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium(), args=ARGUMENTS)
        _, printed = print_page(browser, f"{address}/{page}")
        browser.close()
    server.shutdown()
    reader = PdfReader(io.BytesIO(printed))
    writer = PdfWriter()
    writer.append(reader, import_outline=False)
    keep_links_inside(writer, address, {})
    writer.add_metadata({"/Title": f"{own(ROOT)['title']}: cheat sheet", "/Author": own(ROOT)["author"]})
    with target.open("wb") as file:
        writer.write(file)
    return len(reader.pages)


def sheets(browser: Any, address: str, inner: str) -> PdfReader:
    """Pages laid out by hand: front, contents, footers."""
    path = SITE / "_print.html"
    path.write_text(STYLE + inner, encoding="utf8")
    tab = browser.new_page()
    tab.goto(f"{address}/_print.html")
    tab.evaluate("document.fonts.ready.then(() => 0)")
    assert tab.evaluate("[...document.querySelectorAll('.sheet')].every(s => s.scrollHeight <= s.clientHeight + 1)"), (
        "the contents have outgrown their page")
    made = PdfReader(io.BytesIO(tab.pdf(prefer_css_page_size=True, print_background=True)))
    tab.close()
    path.unlink()
    return made


def sheets_of_contents(parts: list[str], most: float = 32) -> list[int]:
    """Where the sheets of the contents begin, of titles with the part that begins at each, or "".

    A part takes the room of two lines, and does not stand alone at the foot of a sheet.

    >>> sheets_of_contents(["one", "", "two", "", ""], most=5)
    [0, 2]
    """
    starts, room = [0], most
    for i, part in enumerate(parts):
        need = 3 if part else 1
        if room < need + (1 if part else 0):
            starts.append(i)
            room = most
        room -= need
    return starts


def contents(rows: list[tuple[str, str, int]]) -> str:
    """Front page and list of chapters with their first pages, on as many sheets as it needs."""
    lines = []
    for part, title, page in rows:
        head = f'<p class="part">{html.escape(part)}</p>' if part else ""
        lines.append(f"{head}<p>{html.escape(title)}<span></span>{page}</p>")
    starts = sheets_of_contents([part for part, _, _ in rows])
    lists = "".join(f'<div class="sheet list"><h1>Contents</h1>{"".join(lines[a:b])}</div>'
                    for a, b in zip(starts, [*starts[1:], None], strict=True))
    said = {word: html.escape(text) for word, text in own(ROOT).items() if isinstance(text, str)}
    whose = ", ".join(said[word] for word in ("author", "institution", "term") if said[word])
    what = said["subtitle"] or "An interactive course"
    return (f'<div class="sheet front"><h1>{said["title"]}</h1><p>{what}, printed. {whose}.</p><p>'
            f'Figures with sliders show one position; the pages of the course show all.</p></div>{lists}')


def keep_links_inside(writer: PdfWriter, address: str, first: dict[str, int]) -> None:
    """Let links between chapters lead to their pages in this file, and drop those that lead to the local server."""
    for page in writer.pages:
        kept = ArrayObject()
        for reference in page.get("/Annots") or []:
            annotation = reference.get_object()
            uri = annotation.get("/A", {}).get("/URI", "") if annotation.get("/Subtype") == "/Link" else ""
            if uri.startswith(address):
                name = uri.removeprefix(address + "/").partition("#")[0].removesuffix(".html")
                if name not in first:
                    continue
                annotation.pop("/A")
                annotation[NameObject("/Dest")] = ArrayObject(
                    [writer.pages[first[name] - 1].indirect_reference, NameObject("/Fit")])
            kept.append(reference)
        if "/Annots" in page:
            page[NameObject("/Annots")] = kept


def make(target: Path) -> int:
    """Write the book; return its number of pages."""
    from playwright.sync_api import sync_playwright

    server, address = serve()
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium(), args=ARGUMENTS)
        parts, rows, first, titles = [], [], {}, []
        begin = 2 + len(sheets_of_contents([part for part, _ in chapters()]))  # after front page and contents
        number = begin
        for part, page in chapters():
            title, printed = print_page(browser, f"{address}/{page}.html")
            reader = PdfReader(io.BytesIO(printed))
            assert title.split()[-1] in reader.pages[0].extract_text(), f"{page} was printed before its fonts came"
            parts.append(reader)
            rows.append((part, title, number))
            first[page] = number
            titles += [title] * len(reader.pages)
            number += len(reader.pages)
            print(f"{title}: {len(reader.pages)} pages", flush=True)
        front = sheets(browser, address, contents(rows))
        feet = sheets(browser, address, "".join(
            f'<div class="sheet"><div class="foot"><i>{html.escape(title)}</i><b>{i + begin}</b></div></div>'
            for i, title in enumerate(titles)))
        browser.close()
    server.shutdown()

    writer = PdfWriter()
    writer.append(front, import_outline=False)
    for (_, title, _), reader in zip(rows, parts, strict=True):
        writer.append(reader, outline_item=title, import_outline=True)
    for i, foot in enumerate(feet.pages[:len(titles)]):
        writer.pages[i + begin - 1].merge_page(foot)
    keep_links_inside(writer, address, first)
    assert len(front.pages) == begin - 1
    writer.add_metadata({"/Title": f"{own(ROOT)['title']}: an interactive course", "/Author": own(ROOT)["author"]})
    writer.compress_identical_objects()
    with target.open("wb") as file:
        writer.write(file)
    return len(writer.pages)


if __name__ == "__main__":
    if not (SITE / "index.html").exists():
        sys.exit("make pdf prints the built book: make book first")
    count = make(TARGET)
    print(f"{TARGET.relative_to(ROOT)}: {count} pages, {TARGET.stat().st_size / 1e6:.1f} MB")
