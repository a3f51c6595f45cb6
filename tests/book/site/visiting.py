"""A glance at a page, or a close visit, wide and narrow, light and dark: what is seen there, and a table of it."""

from __future__ import annotations

import functools
import json
from collections.abc import Collection
from dataclasses import dataclass, field
from typing import Any

from browsing import ALL, CHAPTERS, DRAWN, PAGES, SHORTENED, STORIES, TOO_WIDE, Notes, fresh, violations, watch, whole

LAPTOP: dict[str, Any] = {"viewport": {"width": 1280, "height": 844}, "reduced_motion": "reduce"}
VIEWS = {"wide light": (1280, "light"), "narrow dark": (390, "dark"), "wide dark": (1280, "dark"),
         "narrow light": (390, "light")}
APART = ("wide light", "narrow dark")            # each width and each scheme once
AT_ONCE = {True: 2500, False: 5000}              # elements of a chapter or an exercise, of a page of tables
LATE = 2.0                                       # seconds until the text stands, of three loads the quickest
SLOWER = {True: 4, False: 2}                     # than this processor, on first visits: in all views, in two
MOVED = 0.05                                     # by how much a page may move when it comes
STILL = 0.1                                      # by how much a page may move when one comes to its last section
FIRST_TEXT = "performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? 99e3"
# All sections now; for a reader they come one by one.
AT_ONE_GO = "() => { document.documentElement.classList.add('whole'); return document.fonts.ready.then(() => 0); }"
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
})"""
# What a figure shows and says: file, value spoken, value shown, text; and how high it is.
STATE = """figure => { const slider = document.activeElement;
  const output = figure.querySelector(`output[for="${slider.id}"]`);
  return [[...figure.querySelectorAll('img')].filter(i => i.checkVisibility())
      .map(i => (i.currentSrc || i.src).replace(/.*\\/|#.*/g, '').slice(-120)).join(' '),
    slider.getAttribute('aria-valuetext'), (output ?? slider.nextElementSibling).value,
    figure.querySelector('.explore-text')?.textContent ?? '', Math.round(figure.getBoundingClientRect().height)]; }"""
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
# Captions of which words stand under the icon at their end.
COVERED = """() => [...document.querySelectorAll('.bd-article details.reuse')].map(offer => {
    const shown = offer.previousElementSibling, icon = offer.firstElementChild.getBoundingClientRect(), rim = 6;
    const caption = shown.matches('figcaption') ? shown : shown.querySelector('figcaption');
    const words = caption && document.createTreeWalker(caption, NodeFilter.SHOW_TEXT), range = document.createRange();
    const under = box => box.width > 1 && box.left < icon.right - rim && box.right > icon.left + rim &&
      box.top < icon.bottom - rim && box.bottom > icon.top + rim;
    while (words?.nextNode()) {
      range.selectNodeContents(words.currentNode);
      if (!words.currentNode.parentElement.closest('.katex-mathml') && [...range.getClientRects()].some(under))
        return 'covered: ' + caption.textContent.trim().slice(0, 40);
    }
  }).filter(Boolean)"""
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

    # at a glance
    no_alt: list[str] = field(default_factory=list)
    raw_math: list[str] = field(default_factory=list)
    cut_formulas: list[str] = field(default_factory=list)
    idle_stops: list[str] = field(default_factory=list)
    overflow: list[str] = field(default_factory=list)
    text: float = 0.0       # seconds
    # closely
    crowded: list[str] = field(default_factory=list)
    astray: list[Any] = field(default_factory=list)
    violations: dict[str, Any] = field(default_factory=dict)
    counts: dict[str, str] = field(default_factory=dict)
    sliders: int = 0
    dead_sliders: list[str] = field(default_factory=list)
    at_once: int = 0        # elements that are laid out before the script has come
    # The first visit, on a slow processor: seconds until text and until formulas stand.  Nothing is asserted of these:
    # they are the machine's as much as the page's.
    slow_text: float = 0.0
    slow_math: float = 0.0
    shift: float = 0.0
    movers: list[str] = field(default_factory=list)
    deep_shift: float = 0.0


def faults(page: str, notes: Visit) -> dict[str, Any]:
    """What should not be, by what it is about; {} of a page that is as it should be."""
    lists = ("foreign", "missing", "errors", "no_alt", "raw_math", "cut_formulas", "idle_stops", "overflow", "crowded",
             "astray", "violations", "dead_sliders")
    short = page.startswith("notebooks/") or page in STORIES
    bounds = {"text": LATE, "at_once": AT_ONCE[short], "shift": MOVED, "deep_shift": STILL}
    above = {name: getattr(notes, name) for name, most in bounds.items() if getattr(notes, name) > most}
    return {name: found for name in lists if (found := getattr(notes, name))} | above | (
        {"movers": notes.movers} if "shift" in above else {})


def glance(context: Any, address: str, page: str) -> Visit:
    """See what only a browser can see and what a change breaks easily: in a second or less."""
    notes = Visit()
    tab = looked_at(context, address, page, notes)
    tab.close()
    return notes


def looked_at(context: Any, address: str, page: str, notes: Visit) -> Any:
    """Note what stands on a page that has come, and whether it fits a laptop and a phone; the tab, on a phone."""
    url = f"{address}/{page}.html"
    tab = context.new_page()
    watch(tab, notes, address)
    for _ in range(3):      # another process may have had the processor
        tab.goto(url)
        tab.wait_for_function("window.bootstrap")
        notes.text = tab.evaluate(FIRST_TEXT) / 1000
        if notes.text <= LATE:
            break
    tab.evaluate(AT_ONE_GO)
    tab.evaluate(DRAWN)
    for name, seen in tab.evaluate(LOOK).items():
        setattr(notes, name, seen)
    notes.overflow = too_wide(tab, 390)
    return tab


def too_wide(tab: Any, width: int) -> list[str]:
    """What stands out of a window of some width."""
    tab.set_viewport_size({"width": width, "height": 900})
    tab.evaluate(DRAWN)
    return list(tab.evaluate(TOO_WIDE))


def visit(browser: Any, address: str, page: str, views: Collection[str]) -> Visit:
    """Visit a page as somebody who has seen nothing yet; then by a link to its last section."""
    notes, url = Visit(), f"{address}/{page}.html"
    tab = looked_at(browser.new_context(**LAPTOP), address, page, notes)
    whole(tab)
    tab.set_viewport_size(LAPTOP["viewport"])
    try_sliders(tab, notes, every=len(views) == len(VIEWS))
    notes.overflow += too_wide(tab, 320)
    notes.astray = [found for look in (ASTRAY, BROKEN) for found in tab.evaluate(look)] if page in PAGES else []
    notes.astray += tab.evaluate(COVERED)
    notes.overflow += too_wide(tab, 1440)
    notes.astray += tab.evaluate(COVERED)
    if page in (*CHAPTERS, "book/notation"):
        notes.crowded = tab.evaluate(WIDE)
    last = tab.evaluate("[...document.querySelectorAll('section[id]')].at(-1)?.id")
    examine(tab, notes, views)
    tab.context.close()
    notes.at_once = laid_out_at_once(browser, url)
    slower = SLOWER[len(views) == len(VIEWS)]
    measure(browser, url, slower, notes)
    if last:
        follow_a_link(browser, f"{url}#{last}", slower, notes)
    return notes


def examine(tab: Any, notes: Visit, views: Collection[str]) -> None:
    """Let axe look at a page in some views; formulas and code are shortened first, which only here is right."""
    tab.evaluate(SHORTENED)
    for kind in views:
        width, scheme = VIEWS[kind]
        tab.emulate_media(color_scheme=scheme)
        tab.set_viewport_size({"width": width, "height": 900})
        tab.wait_for_function(f"document.documentElement.dataset.theme === '{scheme}'")
        tab.evaluate(DRAWN)
        found = violations(tab)
        notes.counts[kind] = str(len(found))
        notes.violations |= {f"{rule} ({kind})": nodes for rule, nodes in found.items()}


def load(tab: Any, url: str, slower: int) -> None:
    """Open a page by a processor that is so many times slower, until text and formulas stand and the script has run."""
    processor = tab.context.new_cdp_session(tab)
    processor.send("Emulation.setCPUThrottlingRate", {"rate": slower})
    tab.goto(url, wait_until="load")
    tab.wait_for_function("window.set > 0 && window.bootstrap")
    processor.send("Emulation.setCPUThrottlingRate", {"rate": 1})
    tab.wait_for_timeout(200)


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


def measure(browser: Any, url: str, slower: int, notes: Visit) -> None:
    """Note the figures of a first visit; a page that moved is loaded once more: a busy processor may have done it."""
    for attempt in range(2):
        tab = fresh(browser)
        load(tab, url, slower)
        text = tab.evaluate(FIRST_TEXT)
        notes.slow_text, notes.slow_math = text / 1000, max(text, tab.evaluate("window.set")) / 1000
        moved, movers = tab.evaluate("[window.moved, window.movers]")
        tab.context.close()
        notes.shift = min(moved, notes.shift) if attempt else moved
        notes.movers += movers
        if notes.shift <= MOVED:
            break


def follow_a_link(browser: Any, url: str, slower: int, notes: Visit) -> None:
    """Come to the last section of a page by a link, on a phone, with nothing in store: does anything move?"""
    for attempt in range(2):                         # another process may have had the processor: then load once more
        tab = fresh(browser)
        tab.set_viewport_size({"width": 390, "height": 844})
        load(tab, url, slower)
        moved = tab.evaluate("window.moved")
        tab.context.close()
        notes.deep_shift = min(moved, notes.deep_shift) if attempt else moved
        if notes.deep_shift <= STILL:
            break


def try_sliders(tab: Any, notes: Visit, every: bool = True) -> None:
    """Move every slider by keyboard over its range: is what is seen, read and spoken that of the position?

    Not at every position: at its first two and its last.
    """
    for figure in tab.locator("figure.explore").element_handles():
        table = json.loads(figure.query_selector("script").text_content())
        lengths = [len(slider["texts"]) for slider in table["sliders"]]
        for number, slider in enumerate(table["sliders"]):
            handle = figure.query_selector(f"input[type=range][id$='-{slider['name']}']")
            if handle is None:      # buttons, for two choices
                continue
            notes.sliders += 1
            figure.query_selector("button[data-does=reset]").click()   # the others as the figure starts
            place, last = [other["start"] for other in table["sliders"]], int(handle.get_attribute("max"))
            handle.focus()
            seen, heights = [], set()
            keys = ["Home", *["ArrowRight"] * last] if every else ["Home", "ArrowRight", "End"]
            for k, key in zip(range(last + 1) if every else sorted({0, min(1, last), last}), keys, strict=False):
                tab.keyboard.press(key)
                place[number] = k
                point = functools.reduce(lambda at, axis: at * axis[0] + axis[1], zip(lengths, place, strict=True), 0)
                *state, height = figure.evaluate(STATE)
                heights.add(height)
                seen.append(state[0])
                value, text = slider["texts"][k], table["texts"][point].replace("`", "")
                meant = [table["files"][table["frameOf"][point]][0], value, value, text]
                if state != meant:
                    notes.dead_sliders.append(f"{slider['name']} at {k}: {state}, not {meant}")
            if len(set(seen)) < 2:
                notes.dead_sliders.append(f"{slider['name']}: one picture at {len(seen)} positions")
            if len(heights) > 1:
                notes.dead_sliders.append(f"{slider['name']}: the page jumps, heights {sorted(heights)}")


def row(page: str, notes: Visit) -> str:
    """The line of a page in the table of all visits."""
    return (f"{page:57}" + "".join(f"{notes.counts.get(kind, '–'):>4}" for kind in VIEWS) + f"{notes.at_once:>8}"
            f"{notes.text:>8.2f}{notes.slow_text:>8.2f}{notes.slow_math:>8.2f}{notes.shift:>8.3f}{notes.deep_shift:>8.3f}")


def table(rows: list[str]) -> str:
    """The rows in the order of the book, under a head."""
    head = (f"{'page':57}" + "".join(f"{''.join(w[0] for w in kind.split()):>4}" for kind in VIEWS)
            + f"{'at once':>8}{'text s':>8}{'slow':>8}{'math':>8}{'shift':>8}{'deep':>8}")
    note = ("axe: wide light, narrow dark, wide dark, narrow light; at once: elements laid out before the script; "
            "slow, math: seconds until text and formulas stand with the processor slowed down, four times in all views")
    return "\n".join([note, head, *sorted(rows, key=lambda row: ALL.index(row.split()[0]))]) + "\n"
