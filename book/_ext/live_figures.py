"""Sphinx hook of the live figures (svmcourse.live): one script for all pages, and what stands there before it.

Cells print a parcel with the figure's state and its picture.  A transform makes a numbered figure of it, and the HTML
writer a panel: the picture, the room that the figure will take, the state as JSON, and the address of the script, which
esbuild bundles from the same modules that notebooks run.  book/_static/live.js loads it when a panel comes near.

The room is the figure's own elements, unseen (book/_npm/room.mjs), laid out by its own style sheet: when the figure
takes the place of the picture, nothing below it moves.
"""

from __future__ import annotations

import base64
import hashlib
import json
import posixpath
import subprocess
from pathlib import Path
from typing import Any

from assets import environment, install, node
from docutils import nodes
from slider_figures import Unpack, _base, _content, _inline, _is_bundle, pictures_html, remember_png, skip
from sphinx.application import Sphinx
from sphinx.errors import ExtensionError

SOURCES = Path("svmcourse/live")
FOLDER = "live"       # in the site's _static
# And the modules from which they are made.
SCRIPTS = {"figures": "page.js", "german": "page_german.js", "challenges": "challenges.js", "typed": "typed.js",
           "tables": "own_table.js", "digits": "digits_page.js"}
#: Kinds of figures with a script of their own, by that name, and what the script brings along.
APART = {"digits": ("svmlibReader", Path("svmcourse/mnist/machine.bin"))}


class live_panel(nodes.General, nodes.Element):
    """A live figure on a page: `state`, and the `files` of its picture."""


class UnpackLive(Unpack):
    """Replace the parcels of live figures, before those of other figures are looked at."""

    default_priority = 190

    def apply(self, **kwargs: Any) -> None:
        """Look at every bundle of outputs."""
        count = 0
        for bundle in list(self.document.findall(_is_bundle)):
            content = _content(bundle)
            if content is None or content["kind"] != "live":
                continue
            count += 1
            panel = live_panel(state=content["state"])
            panel["files"] = [(self.keep(svg), w, h) for svg, w, h in content["forms"]]
            broad = len(content["state"].get("views", [])) > 2
            figure = nodes.figure("", panel, classes=["live", "live-broad"] if broad else ["live"])
            if content["name"]:
                figure["names"].append(nodes.fully_normalize_name(content["name"]))
                self.document.note_explicit_target(figure, figure)
            else:
                figure["ids"].append(f"live-figure-{count}")
            if content["caption"]:
                figure += nodes.caption(content["caption"], "", *_inline(content["caption"]))
            remember_png(figure, bundle)
            bundle.replace_self(figure)


def panel_html(base: str, script: str, state: dict[str, Any], files: list[tuple[str, int, int]], room: str) -> str:
    """The room of the figure, the picture in it, and what the script needs to put the figure there."""
    data = json.dumps(state, ensure_ascii=False, separators=(",", ":")).replace("<", "\\u003c")
    asks = f' data-asks="{hashlib.sha256(state["ask"]["question"].encode()).hexdigest()[:8]}"' if "ask" in state else ""
    typed = " data-typed" if "typed" in state.get("controls", []) else ""      # it needs a second script
    apart = f' data-apart="{state["kind"]}"' if state["kind"] in APART else ""
    hides = "".join(f" live-no-{name}" for name in state.get("hides", []))
    return (f'<div class="live-panel{hides}" data-script="{script}"{asks}{typed}{apart}>'
            f'<div class="live-room" aria-hidden="true" inert>{room}</div>'
            f'<div class="live-drawn">{pictures_html(base, files, state["alt"])}</div>'
            f'<script type="application/json">{data}</script></div>')


def visit_panel(self: Any, node: live_panel) -> None:
    """Write the panel."""
    base = _base(self, [name for name, _, _ in node["files"]])
    if node is next(iter(self.document.findall(live_panel))):   # the page's first
        self.body.append(f"<style>{self.builder.app.live_style}</style>")
    room = rooms(Path(self.builder.app.srcdir), [node["state"]])[0]
    name = self.builder.app.live_script["german" if node["state"].get("lang") == "de" else "figures"]
    script = posixpath.normpath(posixpath.join(self.builder.imgpath, "..", "_static", name))
    self.body.append(panel_html(base, script, node["state"], node["files"], room))
    raise nodes.SkipNode


def rooms(top: Path, states: list[dict[str, Any]]) -> list[str]:
    """The elements of figures, drawn nowhere, which take as much room as the figures will.

    Raises ExtensionError where a figure cannot be made.
    """
    done = subprocess.run([*node(), str(top / "book" / "_npm" / "room.mjs"), str(top / SOURCES / "register.js")],
                          input=json.dumps(states), capture_output=True, text=True, env=environment(), check=False)
    if done.returncode:
        raise ExtensionError(f"no room for {', '.join(state['kind'] for state in states)}:\n{done.stderr}")
    return [wide if wide == narrow else f'<div class="live-wide">{wide}</div><div class="live-narrow">{narrow}</div>'
            for wide, narrow in json.loads(done.stdout)]


def bundle(source: Path, npm: Path, minify: bool = True, entry: str = "page.js") -> str:
    """The script of the live figures: all modules in one, for browsers that take no modules from files.  With
    entry="live.css", their style sheet; a script with a sheet of the same name brings that itself.

    Raises ExtensionError with what esbuild says.
    """
    done = subprocess.run(
        [*node(), str(install(npm) / "esbuild" / "bin" / "esbuild"), str(source / SOURCES / entry), "--bundle",
         "--format=iife", "--target=es2022", "--charset=utf8", "--log-level=warning",
         *(["--minify"] if minify else [])], capture_output=True, text=True, check=False,
        env={**environment(), "NODE_PATH": str(npm / "node_modules")})      # where papaparse is
    if done.returncode or done.stderr.strip():
        raise ExtensionError(f"esbuild could not bundle {entry}:\n{done.stderr}")
    sheet = source / SOURCES / entry.replace(".js", ".css")
    if not entry.endswith(".js") or not sheet.exists():
        return done.stdout
    style = json.dumps(bundle(source, npm, minify, sheet.name), ensure_ascii=False)
    put = f'document.body.append(Object.assign(document.createElement("style"), {{textContent: {style}}}));'
    return f"{done.stdout}{put}\n"


def brought(top: Path, script: str) -> str:
    """A file that a script brings along, as a text in a variable: pages that are read from a disk can load no other."""
    if script not in APART:
        return ""
    variable, file = APART[script]
    return f'globalThis.{variable}="{base64.b64encode((top / file).read_bytes()).decode()}";\n'


def bring_script(app: Sphinx) -> None:
    """Put the scripts into the site, under names that change with them, and keep the style sheet for the pages."""
    if app.builder.format != "html":
        return
    top = Path(app.srcdir)
    npm = top / "book" / "_npm"
    texts = {name: brought(top, name) + bundle(top, npm, entry=entry) for name, entry in SCRIPTS.items()}
    app.live_style = bundle(top, top / "book" / "_npm", entry="live.css")  # type: ignore[attr-defined]
    folder = Path(app.outdir) / "_static" / FOLDER
    folder.mkdir(parents=True, exist_ok=True)
    key = hashlib.sha256("".join(texts.values()).encode()).hexdigest()[:10]
    for old in folder.glob("*-*.js"):
        old.unlink()
    for name, text in texts.items():
        (folder / f"{name}-{key}.js").write_text(text, encoding="utf8")
    app.live_script = {name: f"{FOLDER}/{name}-{key}.js" for name in texts}  # type: ignore[attr-defined]


def setup(app: Sphinx) -> dict[str, Any]:
    """Connect the hook."""
    others = dict.fromkeys(("latex", "text", "man", "texinfo"), (skip, None))
    app.add_node(live_panel, html=(visit_panel, None), **others)
    app.add_transform(UnpackLive)
    app.connect("builder-inited", bring_script)
    return {"version": "1", "env_version": 1, "parallel_read_safe": True, "parallel_write_safe": True}
