"""What the tests of live figures in browsers have in common: the bundle, and a page with one figure."""
import shutil
from pathlib import Path
from typing import Any

import live_figures

ROOT = Path(__file__).resolve().parents[3]


def bundle(entry: str = "page.js") -> str:
    """The page's script."""
    return live_figures.bundle(ROOT, ROOT / "book" / "_npm", entry=entry)


def write_page(folder: Path, script: str, state: dict[str, Any], theme: str = "light") -> str:
    """A page with one live figure, as the book's hook writes it, and the book's colours; returns its address."""
    style = "".join((ROOT / "book/_static" / name).read_text(encoding="utf8") for name in ("page.css", "course.css"))
    (folder / "figures.js").write_text(script, encoding="utf8")
    for control, name in (("typed", "typed"), ("table", "tables")):
        if control in state.get("controls", []):
            (folder / f"{name}.js").write_text(bundle(live_figures.SCRIPTS[name]), encoding="utf8")
    if state["kind"] in live_figures.APART:
        (folder / f"{state['kind']}.js").write_text(live_figures.brought(ROOT, state["kind"])
                                                    + bundle(live_figures.SCRIPTS[state["kind"]]), encoding="utf8")
    shutil.copy(ROOT / "book/_static/live.js", folder)
    (folder / "drawn.svg").write_text('<svg xmlns="http://www.w3.org/2000/svg" width="300" height="200"/>')
    room = live_figures.rooms(ROOT, [state])[0]
    panel = live_figures.panel_html(".", "figures.js", state, [("drawn.svg", 300, 200)], room)
    style += live_figures.bundle(ROOT, ROOT / "book" / "_npm", entry="live.css")
    path = folder / f"{theme}.html"
    path.write_text(f"""<!doctype html><html lang="en" data-theme="{theme}"><meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1"><title>A live figure</title>
<style>{style} body {{ margin: 0; background: var(--pst-color-background); color: var(--pst-color-text-base); }}
.bd-article {{ max-width: 38rem; margin: 0 auto; padding: 0 16px; }}</style>
<main><article class="bd-article"><h1>A page</h1><figure class="live" id="fig-pull">{panel}
<figcaption>Take a point and pull.<a class="headerlink" href="#fig-pull">#</a></figcaption></figure></article></main>
<script src="live.js"></script></html>""", encoding="utf8")
    return path.as_uri()
