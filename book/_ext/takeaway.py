"""The site carries the course: wheel and archive in kit/, and downloads of chapters that say what they need."""

from __future__ import annotations

import importlib.util
import re
from pathlib import Path
from typing import Any

from docutils import nodes
from sphinx.application import Sphinx


def carry(app: Sphinx, error: Exception | None) -> None:
    """Put the kit on the site, and the check for svmlib into the notebooks that the download buttons give."""
    root = Path(app.srcdir)
    tool = root / "book" / "_tools" / "kit.py"
    if error is not None or app.builder.format != "html" or not tool.exists():
        return
    spec = importlib.util.spec_from_file_location("kit", tool)
    assert spec
    assert spec.loader
    kit = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(kit)
    address = app.config.html_baseurl
    wheel, _ = kit.make_kit(root, Path(app.outdir) / "kit", address)
    place = f"{address.rstrip('/')}/kit/{wheel.name}" if address else wheel.name
    for page in (Path(app.outdir) / "_sources" / "notebooks").glob("*.ipynb"):
        page.write_text(kit.notebook_text(root / "notebooks" / page.name, place), encoding="utf8")


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
