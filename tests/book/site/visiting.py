"""One visit of a page, wide and narrow, light and dark: all that is seen and measured there, and a table of it."""

from __future__ import annotations

import gzip
from dataclasses import dataclass, field
from typing import Any

from browsing import (
    ALL,
    CLOSELY,
    DRAWN,
    SHORTENED,
    TOO_WIDE,
    Notes,
    fresh,
    local,
    violations,
    watch,
    whole,
)

KINDS = {"wide light": (1280, "light"), "narrow dark": (390, "dark"),      # the views of every page, and the others
         "wide dark": (1280, "dark"), "narrow light": (390, "light")}
MOVED = 0.05                                     # by how much a page may move when it comes
STILL = 0.1                                      # by how much a page may move when one comes to its last section
# What is to be seen in the page itself, gathered in one call.
LOOK = """() => ({
  no_alt: [...document.querySelectorAll('.bd-article img')]
    .filter(i => !(i.alt || '').trim() || /^(\\.\\.\\/)*_images\\//.test(i.alt)).map(i => i.src.slice(0, 80)),
  raw_math: [...document.querySelectorAll('.bd-article :is(p, li, td, figcaption, summary, h1, h2, h3)')]
    .map(p => p.innerText).filter(t => /\\\\[(a-z]|\\$[^$\\n]+\\$/.test(t)).slice(0, 3),
  idle_stops: [...document.querySelectorAll('.bd-article [tabindex="0"]')]
    .filter(e => e.scrollWidth <= e.clientWidth + 1 && !e.matches('figure *')).map(e => e.outerHTML.slice(0, 80)),
  cut_formulas: [...document.querySelectorAll('div.math.display .formula')]
    .filter(f => f.scrollWidth > f.clientWidth + 1).map(f => f.closest('[id]')?.id + ' ' + f.innerText.slice(0, 60)),
  download: document.querySelector("a.btn-download-source-button[href$='.ipynb']")?.href ?? null,
})"""
# One word for the pictures shown (frames differ in their ends: a PNG closes with its checksums), texts, height.
STATE = """figure => { const slider = document.activeElement;
  const output = figure.querySelector(`output[for="${slider.id}"]`);
  return [[...figure.querySelectorAll('img')].filter(i => i.checkVisibility())
      .map(i => (i.currentSrc || i.src).slice(-120) + i.src.length).join(' '),
    slider.getAttribute('aria-valuetext'), (output ?? slider.nextElementSibling).value,
    Math.round(figure.getBoundingClientRect().height)]; }"""
ASTRAY = """() => [...document.querySelectorAll('.bd-article details > summary')].filter(s => s.checkVisibility() &&
    getComputedStyle(s, '::before').position !== 'static').map(s => s.textContent.trim().slice(0, 40))"""
BROKEN = """() => [...document.querySelectorAll('.prev-next-title, .bd-article td code')].filter(text => {
    const words = document.createTreeWalker(text, NodeFilter.SHOW_TEXT), range = document.createRange();
    while (words.nextNode()) for (const word of words.currentNode.data.matchAll(/[\\w()=]+/g)) {
      range.setStart(words.currentNode, word.index);
      range.setEnd(words.currentNode, word.index + word[0].length);
      if (new Set([...range.getClientRects()].map(box => Math.round(box.top))).size > 1) return true;
    }
  }).map(text => text.textContent)"""
# What scrolls, and heads that stand aside of their column.
WIDE = """() => {
  const seen = [...document.querySelectorAll(`.bd-article :is(.formula, table, .table-wrapper, .table-scroll,
      .pst-scrollable-table-container, .output)`)].filter(block => block.checkVisibility());
  const name = block => block.textContent.trim().slice(0, 40);
  const side = cell => getComputedStyle(cell).textAlign;
  const aside = table => { const below = table.querySelector('tbody tr').children;
    return [...table.querySelectorAll('thead tr:last-child > *')].filter((head, i) =>
      head.textContent.trim() && side(head) !== side(below[i])); };
  return [
    ...[...document.querySelectorAll('table.numbers')].flatMap(aside).map(head => 'aside: ' + name(head)),
    ...seen.filter(block => block.scrollWidth > block.clientWidth + 1).map(block => 'scrolls: ' + name(block))];
}"""


@dataclass
class Visit(Notes):
    """What the visits of one page brought to light."""

    no_alt: list[str] = field(default_factory=list)
    overflow: list[str] = field(default_factory=list)
    crowded: list[str] = field(default_factory=list)
    astray: list[Any] = field(default_factory=list)
    violations: dict[str, Any] = field(default_factory=dict)
    counts: dict[str, str] = field(default_factory=dict)
    dead_sliders: list[str] = field(default_factory=list)
    sliders: int = 0
    raw_math: list[str] = field(default_factory=list)
    cut_formulas: list[str] = field(default_factory=list)
    idle_stops: list[str] = field(default_factory=list)
    download: str | None = None
    at_once: int = 0        # elements that are laid out before the script has come
    # The first visit, on a processor slowed down four times: seconds until text and until formulas stand.  Nothing is
    # asserted of these: they are the machine's as much as the page's.
    kilobytes: float = 0.0
    text: float = 0.0
    math: float = 0.0
    shift: float = 0.0
    movers: list[str] = field(default_factory=list)
    deep_shift: float = 0.0


def visit(browser: Any, address: str, page: str) -> Visit:
    """Visit a page as somebody who has seen nothing yet; then by a link to its last section."""
    notes, url, closely = Visit(), f"{address}/{page}.html", page in CLOSELY
    notes.at_once = laid_out_at_once(browser, url)
    tab = first_look(browser, address, url, notes)
    if closely:
        try_sliders(tab, notes)
    for width in (1440, 390, 320):
        tab.set_viewport_size({"width": width, "height": 900})
        tab.evaluate(DRAWN)
        notes.overflow += tab.evaluate(TOO_WIDE)
        notes.crowded += tab.evaluate(WIDE) if width == 1440 else []
    last = tab.evaluate("[...document.querySelectorAll('section[id]')].at(-1)?.id")
    examine(tab, notes, list(KINDS)[:4 if closely else 2])
    if closely:     # with nothing in store
        tab.context.close()
        tab = fresh(browser)
    if last:
        follow_a_link(tab, f"{url}#{last}", notes)
    tab.context.close()
    return notes


def first_look(browser: Any, address: str, url: str, notes: Visit) -> Any:
    """Note what the first load fetches, how long it takes and what stands there; the tab, once all has come."""
    bodies: list[Any] = []

    def watching(tab: Any) -> None:
        watch(tab, notes, address)
        tab.on("response", lambda r: bodies.append(r) if local(r.url, address) and r.status < 300 else None)

    tab = opened(browser, url, watching)
    notes.kilobytes = sum(packed(r.body()) for r in bodies) / 1000
    measure(browser, tab, url, notes)
    whole(tab)
    for name, seen in tab.evaluate(LOOK).items():
        setattr(notes, name, seen)
    return tab


def examine(tab: Any, notes: Visit, kinds: list[str]) -> None:
    """Let axe look at a page in some of its views; formulas and code are shortened first, which only here is right."""
    tab.evaluate(SHORTENED)
    for kind in kinds:
        width, scheme = KINDS[kind]
        tab.emulate_media(color_scheme=scheme)
        tab.set_viewport_size({"width": width, "height": 900})
        tab.wait_for_function(f"document.documentElement.dataset.theme === '{scheme}'")
        tab.evaluate(DRAWN)
        found = violations(tab)
        notes.counts[kind] = str(len(found))
        notes.violations |= {f"{rule} ({kind})": nodes for rule, nodes in found.items()}


def load(tab: Any, url: str) -> None:
    """Open a page by a processor slowed down four times, until text and formulas stand and the script has run."""
    processor = tab.context.new_cdp_session(tab)
    processor.send("Emulation.setCPUThrottlingRate", {"rate": 4})
    tab.goto(url, wait_until="load")
    tab.wait_for_function("window.set > 0 && window.bootstrap")
    processor.send("Emulation.setCPUThrottlingRate", {"rate": 1})
    tab.wait_for_timeout(200)


def opened(browser: Any, url: str, watching: Any = lambda tab: None) -> Any:
    """A tab on the first visit of a page."""
    tab = fresh(browser)
    watching(tab)
    load(tab, url)
    return tab


def times(tab: Any) -> tuple[float, float]:
    """Seconds until text, and until formulas stood."""
    text = tab.evaluate("performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? 99e3")
    return text / 1000, max(text, tab.evaluate("window.set")) / 1000


def laid_out_at_once(browser: Any, url: str) -> int:
    """How many elements stand before the script has come: the first screens, while sections further down wait."""
    tab = fresh(browser)
    tab.route("**/*.js*", lambda route: route.abort())
    tab.goto(url, wait_until="load")
    tab.evaluate(DRAWN)
    count: int = tab.evaluate("[...document.body.querySelectorAll('*')]"
                              ".filter(e => e.checkVisibility({contentVisibilityAuto: true})).length")
    tab.context.close()
    return count


def packed(body: bytes) -> int:
    """Bytes over the wire: a server compresses what gets smaller."""
    return min(len(body), len(gzip.compress(body, 6)))


def measure(browser: Any, tab: Any, url: str, notes: Visit) -> None:
    """Note the figures of a first visit; a page that moved is loaded once more: a busy processor may have done it."""
    notes.text, notes.math = times(tab)
    notes.shift, notes.movers = tab.evaluate("[window.moved, window.movers]")
    if notes.shift > MOVED:
        again = opened(browser, url)
        notes.shift = min(notes.shift, again.evaluate("window.moved"))
        notes.movers += again.evaluate("window.movers")
        again.context.close()


def follow_a_link(tab: Any, url: str, notes: Visit) -> None:
    """Come to the last section of a page by a link, on a phone: does anything move, and is anything out of place?"""
    tab.emulate_media(color_scheme="light")
    tab.set_viewport_size({"width": 390, "height": 844})
    for attempt in range(2):                         # another process may have had the processor: then load once more
        tab.goto("about:blank")
        load(tab, url)
        notes.deep_shift = min(tab.evaluate("window.moved"), notes.deep_shift if attempt else 1e9)
        if notes.deep_shift <= STILL:
            break
    tab.set_viewport_size({"width": 320, "height": 900})
    whole(tab)
    notes.astray = [found for look in (ASTRAY, BROKEN) for found in tab.evaluate(look)]


def try_sliders(tab: Any, notes: Visit) -> None:
    """Move every slider by keyboard over its whole range and see whether picture, value and text follow."""
    for figure in tab.locator("figure.explore").element_handles():
        for slider in figure.query_selector_all("input[type=range]"):
            notes.sliders += 1
            figure.query_selector("button[data-does=reset]").click()   # the others as the figure starts
            name, last = slider.get_attribute("aria-label"), int(slider.get_attribute("max"))
            slider.focus()
            tab.keyboard.press("Home")
            states = [figure.evaluate(STATE)]
            for _ in range(last):
                tab.keyboard.press("ArrowRight")
                states.append(figure.evaluate(STATE))
            pictures, spoken, shown, heights = (set(column) for column in zip(*states, strict=True))
            if len(pictures) < 2 or len(spoken) <= last or any(state[1] != state[2] for state in states):
                notes.dead_sliders.append(f"{name}: {len(pictures)} pictures, spoken {spoken}, shown {shown}")
            if len(heights) > 1:
                notes.dead_sliders.append(f"{name}: the page jumps, the figure is {sorted(heights)} pixels high")


def row(page: str, notes: Visit) -> str:
    """The line of a page in the table of all visits."""
    return (f"{page:57}" + "".join(f"{notes.counts.get(kind, '–'):>4}" for kind in KINDS) + f"{len(notes.foreign):>9}"
            f"{notes.kilobytes:>6.0f}{notes.at_once:>8}{notes.text:>8.2f}{notes.math:>8.2f}{notes.shift:>8.3f}"
            f"{notes.deep_shift:>8.3f}")


def table(rows: list[str]) -> str:
    """The rows in the order of the book, under a head."""
    head = (f"{'page':57}" + "".join(f"{''.join(w[0] for w in kind.split()):>4}" for kind in KINDS)
            + f"{'foreign':>9}{'kB':>6}{'at once':>8}{'text s':>8}{'math s':>8}{'shift':>8}{'deep':>8}")
    note = ("axe: wide light, narrow dark, wide dark, narrow light; at once: elements laid out before the script; "
            "times with the processor slowed down four times")
    return "\n".join([note, head, *sorted(rows, key=lambda row: ALL.index(row.split()[0]))]) + "\n"
