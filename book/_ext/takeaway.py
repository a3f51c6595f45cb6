"""The site carries the course: wheel and archive in kit/, and notebooks to download that say what they need."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from docutils import nodes
from editions import FOLDER, tool
from sphinx.application import Sphinx


def carry(app: Sphinx, error: Exception | None) -> None:
    """Put the kit on the site, and editions for any Jupyter instead of the sources that Sphinx would offer."""
    root, top = Path(app.srcdir), Path(app.outdir)
    if error is not None or app.builder.format != "html" or not (root / "book" / "_tools" / "kit.py").exists():
        return
    kit, editions = tool(app, "kit"), tool(app, "exercises")
    address = app.config.html_baseurl
    wheel, _ = kit.make_kit(root, top / "kit", editions.carried(address=address), address)
    place = f"{address.rstrip('/')}/kit/{wheel.name}" if address else wheel.name
    for name, notebook in editions.carried(beside=False, address=address).items():
        text = kit.notebook_text(notebook, place)
        targets = [top / "_sources" / "notebooks" / name]
        if f"notebooks/{name}".startswith(FOLDER):
            targets.append(top / FOLDER / "student" / Path(name).name)
        for target in targets:
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_text(text, encoding="utf8")


def kit_role(name: str, rawtext: str, text: str, lineno: int, inliner: Any, options: Any = None,
             content: Any = None) -> tuple[list[nodes.Node], list[nodes.system_message]]:
    """A link to a file of the kit, from the page that names it."""
    env = inliner.document.settings.env
    up = "../" * env.docname.count("/")
    return [nodes.raw("", f'<a href="{up}kit/{text}" download>{text}</a>', format="html")], []


def name_wheel(app: Sphinx, docname: str, source: list[str]) -> None:
    """Write the wheel's name where a page says WHEEL-NAME, and the site's address where it is known."""
    if "WHEEL-NAME" in source[0]:
        project = (Path(app.srcdir) / "pyproject.toml").read_text(encoding="utf8")
        version = re.search(r'^version = "([^"]+)"', project, flags=re.M)
        assert version
        source[0] = source[0].replace("WHEEL-NAME", f"svmlib-{version[1]}-py3-none-any.whl")
        if app.config.html_baseurl:
            source[0] = source[0].replace("COURSE-ADDRESS", app.config.html_baseurl.rstrip("/"))


def setup(app: Sphinx) -> dict[str, Any]:
    """Connect the hook."""
    app.add_role("kit", kit_role)
    app.connect("source-read", name_wheel)
    app.connect("build-finished", carry)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
