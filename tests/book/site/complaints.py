"""What may be wrong with a page and is a fact of its file: each kind a function, which names what it finds."""

from __future__ import annotations

import itertools
import json
import math
import re
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit

from browsing import PAGES, STORIES
from markup import Element, Page, read

HOST = re.compile(r"""(?:https?:)?//[\w-]+(?:\.[\w-]+)+[^\s"'`)<\\]*""", re.I)
#: What a browser asks for by itself; a link it follows when it is told to.
FETCHED = ("src", "srcset", "poster", "data", "background", "ping", "manifest", "xlink:href", "action", "formaction")
#: Letters of all scripts and styles written into the head, and into the text, where outputs of cells bring some.
#: The style of live figures of all kinds has 20,200 (4,500 when packed): it keeps their places until the script comes.
IN_HEAD, IN_TEXT = {"script": 3000, "style": 0}, {"script": 0, "style": 21_000}
DATA = ("application/json", "application/ld+json")       # scripts that are not run
NEEDS = {"li": ("ul", "ol", "menu"), "dt": ("dl", "div"), "dd": ("dl", "div"), "td": ("tr",), "th": ("tr",),
         "tr": ("tbody", "thead", "tfoot", "table"), "summary": ("details",), "figcaption": ("figure",)}
REFERS = ("aria-labelledby", "aria-describedby", "aria-controls", "for")


class Site:
    """The pages of a built site, each read once."""

    def __init__(self, top: Path, names: list[str], executed: Callable[[str], Any]) -> None:
        self.top, self.pages = top, {name: read(top, name) for name in names}
        self.executed = executed        # the notebook of a page, with its outputs

    def file(self, page: Page, address: str) -> Path:
        """The file that an address on a page names."""
        path = unquote(urlsplit(address).path)
        return ((self.top / page.name).parent / path).resolve() if path else self.top / f"{page.name}.html"

    def page(self, path: Path) -> Page | None:
        """The page in a file."""
        inside = path.is_relative_to(self.top)
        return self.pages.get(path.relative_to(self.top).with_suffix("").as_posix()) if inside else None


def addresses(page: Page) -> Iterator[tuple[Element, str, str]]:
    """Each address on a page, with the element and the attribute that name it."""
    for element in page.elements:
        for name, value in element.attributes.items():
            if name == "srcset":
                yield from ((element, name, part.split()[0]) for part in value.split(","))
            elif name == "href" or name in FETCHED:
                yield element, name, value.strip()


def written(element: Element) -> str:
    """A script or a style that is written into the page; "" of one in a file, and of data."""
    return "" if "src" in element.attributes or element.get("type") in DATA else element.text(frozenset())


def fetched_from_elsewhere(site: Site, page: Page) -> list[str]:
    """What the page would have a browser ask of another host."""
    found = [f"{element.tag} {name}={value}" for element, name, value in addresses(page)
             if HOST.match(value) and (name != "href" or element.tag not in ("a", "area"))]
    texts = [(element.tag, written(element)) for element in page.find("script", "style")]
    texts += [("style", element.get("style")) for element in page.elements if "style" in element.attributes]
    found += [f"{tag}: {host}" for tag, text in texts for host in HOST.findall(text)]
    return found + [repr(element) for element in page.find("iframe", "object", "embed", "base")]


def pictures_without_words(site: Site, page: Page) -> list[str]:
    """Pictures without alternative text, or with the name of their file in its place."""
    return [repr(image) for image in page.article.find("img")
            if not image.get("alt").strip() or re.match(r"(\.\./)*_images/", image.get("alt"))]


def tex_left_over(site: Site, page: Page) -> list[str]:
    """TeX that stands in the text as it was typed."""
    said = (element.text(frozenset(["script", "style", "template", "annotation", "pre"]))
            for element in page.article.find("p", "li", "td", "figcaption", "summary", "h1", "h2", "h3"))
    return [text.strip() for text in said if re.search(r"\\[(a-z]|\$[^$\n]+\$", text)]


def broken_links(site: Site, page: Page) -> list[str]:
    """Addresses on this site that name no file, or no place on a page."""
    return [f"{element.tag} {name}={value}" for element, name, value in addresses(page) if not leads(site, page, value)]


def leads(site: Site, page: Page, address: str) -> bool:
    """Whether there is something at an address; other hosts are not asked."""
    parts = urlsplit(address)
    if parts.scheme or parts.netloc:
        return parts.scheme in ("", "http", "https", "mailto", "data")
    path = site.file(page, address)
    if not path.exists() or not parts.fragment:
        return path.exists()
    place = unquote(parts.fragment).partition("?")[0]       # then comes a position of the figure's sliders
    target = site.page(path)
    return place in target.places if target is not None else f'id="{place}"' in path.read_text(encoding="utf8")


def text_kept_waiting(site: Site, page: Page) -> list[str]:
    """What the text waits for: a second style sheet, scripts that are not deferred, long ones in the page itself."""
    if page.name in ("index", "404"):       # one only leads on, the other needs no other file
        return []
    [head] = page.find("head")
    sheets = [element for element in page.find("link") if "stylesheet" in element.get("rel")]
    found = [] if len(sheets) == 1 and head in sheets[0].above() else [f"style sheets {sheets}"]
    scripts = [element for element in page.find("script") if "src" in element.attributes]
    own = [element for element in scripts if "/search/" not in element.get("src")
           and "/design-tabs.js" not in element.get("src")]     # which some pages need, to be read at once
    found += [repr(element) for element in own if "defer" not in element.attributes]
    early = [element.get("href") for element in page.find("link") if element.get("as") == "script"]
    names = [Path(urlsplit(name).path).name for name in (*early, *(element.get("src") for element in own))]
    found += [] if names == ["bundle.js"] else [f"scripts {names}"]
    for tag in IN_HEAD:
        there = [e for e in page.find(tag) if not any(above.tag == "noscript" for above in e.above())]
        above = [element for element in there if head in element.above()]
        for most, elements in ((IN_HEAD, above), (IN_TEXT, set(there) - set(above))):
            length = sum(len(written(element)) for element in elements)
            found += [f"{length} letters of {tag}"] if length > most[tag] else []
    return found + [f"{element.tag} {name}" for element in page.elements for name in element.attributes
                    if name.startswith("on") and (element.tag, name) != ("button", "onclick")]


def without_name(site: Site, page: Page) -> list[str]:
    """Links, buttons and fields with no word for those who do not see them."""
    labelled = {element.get("for") for element in page.find("label") if element.text().strip()}

    def named(element: Element) -> bool:
        inside = [element, *element] if element.tag not in ("input", "select", "textarea") else [element]
        said = [inner.get(name) for inner in inside for name in ("aria-label", "aria-labelledby", "title", "alt")]
        said += [element.text()] if element.tag in ("a", "button", "summary") else []
        said += [above.text() for above in element.above() if above.tag == "label"]
        return element.get("id") in labelled or any(text.strip() for text in said)

    there = [element for element in page.find("a", "button", "summary", "input", "select", "textarea")
             if (element.tag != "a" or "href" in element.attributes) and element.get("type") not in ("hidden", "submit")
             and not any("inert" in above.attributes for above in element.above())]
    return [repr(element) for element in there if not named(element)]


def headings_out_of_order(site: Site, page: Page) -> list[str]:
    """Headings without a word, or deeper by more than one than the one before; none or several of the first rank."""
    headings = page.find("h1", "h2", "h3", "h4", "h5", "h6")
    ranks = [int(element.tag[1]) for element in headings]
    found = [] if ranks.count(1) == 1 else [f"{ranks.count(1)} headings h1"]
    found += [repr(heading) for heading in headings if not heading.text().strip(" #\n")]
    steps = zip(headings[1:], itertools.pairwise(ranks), strict=False)
    return found + [repr(below) for below, (before, rank) in steps if rank > before + 1]


def parts_out_of_place(site: Site, page: Page) -> list[str]:
    """One main part, which has the text; parts that lead on, told apart by names; language, title, room to enlarge."""
    found = [f"{count} × {part}" for part in ("html", "main", "title") if (count := len(page.find(part))) != 1]
    if found:
        return found
    [whole], [main], [title] = (page.find(part) for part in ("html", "main", "title"))
    found += [] if page.name not in PAGES or main in page.article.above() else ["the text is outside of main"]
    names = Counter(element.get("aria-label") or element.get("aria-labelledby") for element in page.find("nav"))
    found += [f"{count} × nav {name!r}" for name, count in names.items() if count > 1]
    language = whole.get("lang")
    found += [] if language == STORIES.get(page.name, "en") else [f"lang={language}"]
    found += [] if title.text().strip() else ["no title"]
    views = [element.get("content") for element in page.find("meta") if element.get("name") == "viewport"]
    return found + ([] if len(views) == 1 and not re.search("user-scalable|maximum-scale", views[0]) else [f"{views}"])


def torn_markup(site: Site, page: Page) -> list[str]:
    """Elements closed in a wrong order, ids used twice, parts of lists or tables elsewhere, names of nothing."""
    found = page.crossed + [f"id={name}" for name, count in Counter(page.ids).items() if count > 1]
    found += [f"{element.tag} in {element.parent.tag}" for element in page.elements
              if element.parent is not None and element.parent.tag not in NEEDS.get(element.tag, (element.parent.tag,))]
    found += [f"{child} in {element!r}" for element in page.find("ul", "ol") for child in element.children
              if (child.strip() if isinstance(child, str) else child.tag not in ("li", "script", "template"))]
    return found + [f"{name}={word}" for element in page.elements for name in REFERS
                    for word in element.get(name).split() if word not in page.places]


def idle_tab_stops(site: Site, page: Page) -> list[str]:
    """Elements where the keyboard stops for nothing or out of order (what scrolls gets its stop from the script), and
    controls at which it does not stop."""
    controls = ("a", "button", "input", "select", "summary", "textarea")
    return [repr(element) for element in page.elements if "tabindex" in element.attributes
            and (element.tag in controls if element.get("tabindex") == "-1" else
                 element.get("tabindex") != "0" or not element.get("role"))]


def frames_of_others(site: Site, page: Page) -> list[str]:
    """Positions of sliders that show another picture or text than the notebook has drawn for them."""
    figures = [element for element in page.find("figure") if element.has("explore")]
    drawn = parcels(site.executed(page.name)) if figures else []
    if len(figures) != len(drawn):
        return [f"{len(figures)} figures with sliders on the page, {len(drawn)} in the notebook"]
    return [f"{figure.get('id')}: {what}" for figure, parcel in zip(figures, drawn, strict=True)
            for what in astray(site, page, figure, parcel)]


def astray(site: Site, page: Page, figure: Element, parcel: dict[str, Any]) -> Iterator[str]:
    """What is wrong with a figure's table of frames, with its first picture, and with its controls."""
    [script] = figure.find("script")
    table = json.loads(script.text(frozenset()))
    lengths = [len(slider["texts"]) for slider in parcel["sliders"]]
    if not math.prod(lengths) == len(table["frameOf"]) == len(table["texts"]):
        yield f"{len(table['frameOf'])} pictures and {len(table['texts'])} texts for sliders of {lengths}"
        return
    for point, (here, there) in enumerate(zip(table["frameOf"], parcel["frameOf"], strict=True)):
        for name, svg in zip(table["files"][here], parcel["frames"][there], strict=True):
            path = site.file(page, f"{table['base']}/{name}")
            if not path.exists() or path.read_text(encoding="utf8") != svg:
                yield f"position {point} has {name}, which is not its picture"
    told = ("name", "label", "keys", "texts", "start")
    sliders = [{name: slider[name] for name in told} for slider in parcel["sliders"]]
    if (table["sliders"], table["texts"]) != (sliders, parcel["texts"]):
        yield f"it says {table['sliders']}, {table['texts']}, not {sliders}, {parcel['texts']}"
    shown = {Path(urlsplit(image.get("src")).path).name for image in figure.find("img")}
    if shown != {table["files"][table["frameOf"][parcel["default"]]][0]}:
        yield f"it starts with {shown}"
    controls = Counter(field.get("name") or field.get("id") for field in figure.find("input"))
    ranges = {field.get("id"): int(field.get("max")) + 1 for field in figure.find("input") if field.get("max")}
    if [ranges.get(name, count) for name, count in controls.items()] != lengths:
        yield f"controls {controls}, {ranges} for sliders of {lengths}"


def parcels(notebook: Any) -> list[dict[str, Any]]:
    """What the cells of an executed notebook have drawn for figures with sliders, in order."""
    sign = re.compile(r'\s*<script type="application/vnd\.svmlib\+json">(.*)</script>\s*', re.S)
    shown = [sign.fullmatch("".join(output.get("data", {}).get("text/html", "")))
             for cell in notebook["cells"] for output in cell.get("outputs", [])]
    return [content for match in shown if match and (content := json.loads(match[1]))["kind"] == "explore"]


COMPLAINTS: list[Callable[[Site, Page], list[str]]] = [
    fetched_from_elsewhere, pictures_without_words, tex_left_over, broken_links, text_kept_waiting, without_name,
    headings_out_of_order, parts_out_of_place, torn_markup, idle_tab_stops, frames_of_others]
