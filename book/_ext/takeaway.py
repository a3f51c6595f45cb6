"""The site carries the course: wheel and archive in kit/, and downloads of chapters that say what they need."""

from __future__ import annotations

import importlib.util
from pathlib import Path
from typing import Any

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


def setup(app: Sphinx) -> dict[str, Any]:
    """Connect the hook."""
    app.connect("build-finished", carry)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
