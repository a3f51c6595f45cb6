"""The playground's challenges in a browser: each can be done, and what falls short of it is not taken for it."""
import json
import re
from collections.abc import Iterator
from typing import Any

import live_figures
import pytest
from live_browser import ROOT, bundle, write_page
from test_live_page import FIGURE

from svmlib import data

pytestmark = [pytest.mark.browser, pytest.mark.timeout(300)]
PLAYGROUND = (ROOT / "book/playground.md").read_text(encoding="utf8")
LIST = re.search(r":::\{container\} live-challenges\n(.*?):::", PLAYGROUND, re.S)
GOALS = re.findall(r"^\d+\. (.*)$", LIST[1], re.M) if LIST else []
SETS = {"the disc and the ring": data.disc_and_annulus(4, 40), "the W": data.km40m2(),
        "two clouds": data.separable_blobs(1), "two clouds and an intruder": data.blobs_with_intruders(1)}

# What a reader does to the machine `m`: first what is not yet enough, then what is.  The last lines of the clouds'
# points are class +1; `apart` is the point farthest from the boundary on its own side.
GAUSSIAN = "m.change({kernel: {name: 'gaussian', sigma: %s}})"
POLYNOMIAL = "m.change({kernel: {name: 'polynomial', Q: %s, a: 1, b: 1}})"
SPAN = ("const at = (c) => [0, 1].map((j) => m.points.filter((_, i) => m.labels[i] === c)"
        ".reduce((s, p) => s + p[j], 0) / m.labels.filter((l) => l === c).length);"
        "const [lo, hi] = [at(-1), at(1)]; const on = (t) => lo.map((v, j) => v + t * (hi[j] - v));"
        "const where = (f) => { let [a, b] = [0, 1]; for (let k = 0; k < 60; k += 1)"
        " { const c = (a + b) / 2; if (m.decision(on(c)) < f) a = c; else b = c; } return on(a); };")
APART = ("const apart = m.points.map((p, i) => [m.labels[i] * m.decision(p), i]).sort((a, b) => b[0] - a[0])[0][1];"
         "const out = m.points[apart].map((v) => 1.0 * v + 1.2 * m.labels[apart] / Math.SQRT2);")
XOR = "m.labels.splice(0, 4, -1, 1, 1, -1); "
STEPS: list[tuple[list[str], str]] = [
    ([SPAN + "m.add(where(0.9), 1)", SPAN + "m.add(where(0.9), 1); m.change({kernel: {name: 'gaussian', sigma: 0.05}})",
      SPAN + "m.add(where(2), -1)"], SPAN + "m.add(where(-0.4), 1)"),
    (["m.change({C: 1001})", SPAN + "m.add(where(-0.6), -1); m.add(where(0.6), 1)"], SPAN +
     "const [p, q] = [where(-0.6), where(0.6)];"
     "m.move(m.labels.indexOf(-1), p); m.move(m.labels.indexOf(1), q)"),
    ([APART + "m.move(apart, m.points[apart].map((v) => v + 0.1))",
      SPAN + "const [i] = m.support;"
      "m.move(i, m.points[i].map((v, j) => v + 1.5 * m.labels[i] * (hi[j] - lo[j])))"],
     APART + "m.move(apart, out)"),
    (["m.remove([0, 1].find((i) => !m.support.includes(i)))", "m.remove(m.support[0]); m.move(0, [-1, 0.5])"],
     "m.remove(m.support[0])"),
    ([GAUSSIAN % 5 + "; m.change({C: 0.01})"], "m.change({C: 1000}); " + GAUSSIAN % 0.6),
    ([GAUSSIAN % 0.4], "m.change({C: 1000}); " + GAUSSIAN % 0.02),
    (["m.change({C: 0.5})"], "m.change({C: 0.01})"),
    (["m.labels.splice(0, 4, -1, 1, 1, 1); m.change({})", XOR + POLYNOMIAL % 3,
      "m.change({points: [[-0.7, 0], [0.7, 0], [0, 0.006], [0, 1]], C: 1e4}); " + POLYNOMIAL % 2],  # separable
     XOR + "m.change({kernel: {...m.kernel, name: 'polynomial'}})"),          # as its choice does: Q = 2 by default
    ([GAUSSIAN % 0.68], GAUSSIAN % 0.65),                                    # b = -0.02 and 0.003
    ([POLYNOMIAL % 5], "m.change({kernel: {name: 'sigmoid', kappa: 1, delta: 1}})"),
]


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> str:
    """A playground with these challenges."""
    folder = tmp_path_factory.mktemp("challenges")
    sets = {name: {"points": X.round(4).tolist(), "labels": y.astype(int).tolist(), "limits": [-3, 3, -3, 3]}
            for name, (X, y) in SETS.items()}
    state = {"kind": "machine", "alt": "Points.", **sets["the disc and the ring"], "C": 10,
             "kernel": {"name": "gaussian", "sigma": 0.6}, "views": ["alpha"], "sets": sets,
             "controls": ["kernel", "C", "sigma", "Q"]}
    where = write_page(folder, bundle(), state)
    (folder / "figures.js").rename(folder / "figures-1.js")
    tasks = live_figures.bundle(ROOT, ROOT / "book" / "_npm", entry="challenges.js")
    (folder / "challenges-1.js").write_text(tasks, encoding="utf8")
    page = folder / "light.html"
    items = "".join(f"<li><p>{goal}</p></li>" for goal in GOALS)
    page.write_text(page.read_text(encoding="utf8").replace("figures.js", "figures-1.js").replace(
        "</article>", f'<div class="live-challenges"><ol>{items}</ol></div></article>'), encoding="utf8")
    return where


class Playground:
    """The page, and a reader's hands."""

    def __init__(self, browser: Any, address: str) -> None:
        self.tab = browser.new_context(viewport={"width": 1280, "height": 900}).new_page()
        self.bad: list[str] = []
        self.tab.on("pageerror", lambda error: self.bad.append(str(error)))
        self.tab.goto(address)
        self.tab.wait_for_selector(".live-chips")

    def start(self, k: int) -> None:
        self.tab.locator(".live-chips .live-button").nth(k).click()
        self.tab.wait_for_timeout(400)

    def do(self, step: str) -> str:
        """Change the machine, wait until words have followed, and read them."""
        self.tab.evaluate(f"() => {{ const m = {FIGURE}.machine; {step} }}")
        self.tab.wait_for_timeout(450)
        return str(self.tab.locator(".live-challenge-status").text_content())

    @property
    def solved(self) -> list[int]:
        return json.loads(self.tab.evaluate("localStorage.getItem('svmlib-challenges')") or "[]")


@pytest.fixture
def playground(browser: Any, address: str) -> Iterator[Playground]:
    page = Playground(browser, address)
    yield page
    assert page.bad == []
    page.tab.context.close()


@pytest.mark.parametrize("k", [0, 1, *(pytest.param(k, marks=pytest.mark.thorough) for k in range(2, 10))])
def test_a_challenge_can_be_done_and_not_by_less(k: int, playground: Playground) -> None:
    short, enough = STEPS[k]
    for step in short:
        playground.start(k)
        first = playground.do("")
        assert not first.startswith("Done"), "it is done before it has begun"
        assert not (said := playground.do(step)).startswith("Done"), step
        assert said
        assert playground.solved == []
    playground.start(k)
    assert playground.do(enough).startswith("Done")
    assert playground.solved == [k]
    assert "✓" in playground.tab.locator(".live-challenges li").nth(k).inner_text()
    marked = playground.tab.locator(".live-chips .live-chip-solved")
    assert [chip.inner_text() for chip in marked.all()] == [str(k + 1)]
    assert playground.tab.locator(".live-chips [aria-pressed=true]").inner_text() == str(k + 1)


def test_by_keyboard_alone_and_kept(playground: Playground) -> None:
    tab = playground.tab
    tab.locator(".live-chips .live-button").nth(3).focus()
    tab.keyboard.press("Enter")
    tab.wait_for_timeout(400)
    assert "A post with a ring" in tab.locator(".live-challenge-goal").inner_text()
    assert tab.evaluate("document.activeElement.classList.contains('live-point')")
    chooser = tab.get_by_label("points", exact=True)
    assert chooser.input_value() == "draw your own"          # these points are none of those that it offers
    tab.keyboard.press("Delete")
    tab.wait_for_timeout(400)
    assert tab.locator(".live-challenge-status").text_content().startswith("Done. Another post takes over")
    tab.get_by_role("button", name="Next").press("Enter")
    tab.wait_for_timeout(400)
    assert tab.locator(".live-challenge-goal").inner_text().startswith("Challenge 5 of 10. Get every training")
    assert chooser.input_value() == "the disc and the ring"
    tab.get_by_role("button", name="Leave").press("Enter")
    assert not tab.locator(".live-challenge").is_visible()
    assert tab.evaluate("document.activeElement.getAttribute('aria-label')") == "Start challenge 5"
    tab.reload()
    tab.wait_for_selector(".live-chips")
    assert tab.locator(".live-challenge-count").inner_text() == "You have solved 1 of 10."
    tab.emulate_media(media="print")
    assert not any(begin.is_visible() for begin in tab.locator(".live-chips .live-button").all())
    tab.emulate_media(media="screen")


def test_the_script_is_small_and_comes_where_it_is_needed() -> None:
    text = live_figures.bundle(ROOT, ROOT / "book" / "_npm", entry="challenges.js")
    assert len(text.encode()) < 30_000
    assert "challenges" not in bundle().replace("svmlibChallenges", "")


@pytest.mark.parametrize(("width", "theme"), [pytest.param(1280, "light", marks=pytest.mark.thorough), (390, "dark"),
                                              pytest.param(320, "light", marks=pytest.mark.thorough)])
def test_accessible(width: int, theme: str, browser: Any, address: str) -> None:
    from axe_playwright_python.sync_playwright import Axe

    page = Playground(browser, address)
    page.tab.set_viewport_size({"width": width, "height": 900})
    page.tab.evaluate(f"document.documentElement.dataset.theme = '{theme}'")
    page.start(0)
    found = Axe().run(page.tab, options={"runOnly": ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"]})
    assert [(rule["id"], rule["nodes"][0]["html"][:200]) for rule in found.response["violations"]] == []
    assert page.tab.evaluate("document.documentElement.scrollWidth") <= width
    chips = [chip.bounding_box() for chip in page.tab.locator(".live-chips .live-button").all()]
    assert len({chip["y"] for chip in chips}) == 1, "ten chips stand in one row"
    assert min(min(chip["width"], chip["height"]) for chip in chips) >= 24
    page.tab.context.close()


def test_the_page_has_a_sentence_for_each() -> None:
    assert len(GOALS) == 10
    source = (ROOT / "svmcourse/live/challenges.js").read_text(encoding="utf8")
    assert set(re.findall(r'sets\["([^"]+)"\]', source)) <= set(SETS)
    assert all(f'"{name}":' in PLAYGROUND for name in SETS)
