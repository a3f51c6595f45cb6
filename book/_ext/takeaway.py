"""The site carries the course: wheels and archive in kit/, and notebooks to download that say what they need."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

from docutils import nodes
from editions import FOLDER, tool
from sphinx.application import Sphinx


def carry(site: Path, book: Sphinx) -> None:
    """Put the kit on the site, and editions for any Jupyter instead of the sources that Sphinx would offer."""
    root = Path(book.srcdir)
    if not (root / "book" / "_tools" / "kit.py").exists():
        return
    kit, editions = tool(book, "kit"), tool(book, "exercises")
    address = book.config.html_baseurl
    wheels, _ = kit.make_kit(root, site / "kit", editions.carried(address=address), address)
    for name, notebook in editions.carried(beside=False, address=address).items():
        text = kit.notebook_text(notebook, wheels, address)
        targets = [site / "_sources" / "notebooks" / name]
        if f"notebooks/{name}".startswith(FOLDER):
            targets.append(site / FOLDER / "student" / Path(name).name)
        for target in targets:
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_text(text, encoding="utf8")


def kit_role(name: str, rawtext: str, text: str, lineno: int, inliner: Any, options: Any = None,
             content: Any = None) -> tuple[list[nodes.Node], list[nodes.system_message]]:
    """A link to a file of the kit, from the page that names it."""
    env = inliner.document.settings.env
    up = "../" * env.docname.count("/")
    return [nodes.raw("", f'<a href="{up}kit/{text}" download>{text}</a>', format="html")], []


def name_wheels(app: Sphinx, docname: str, source: list[str]) -> None:
    """Write what pip takes where a page says WHEELS; without an address of the site, COURSE-ADDRESS stands in it."""
    if "WHEELS" in source[0]:
        kit = tool(app, "kit")
        names = []
        for package, folder in kit.PROJECTS.items():
            project = tomllib.loads((Path(app.srcdir) / folder / "pyproject.toml").read_text(encoding="utf8"))
            names.append(f"{package}-{project['project']['version']}-py3-none-any.whl")
        source[0] = source[0].replace("WHEELS", kit.to_install(names, app.config.html_baseurl or "COURSE-ADDRESS"))


def setup(app: Sphinx) -> dict[str, Any]:
    """Connect the hook."""
    app.add_role("kit", kit_role)
    app.connect("source-read", name_wheels)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
