"""Sphinx hooks of the book: fresh outputs, notebooks two at a time, nothing from another host."""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

from pages import fold
from sphinx.application import Sphinx
from sphinx.util import logging

LOGGER = logging.getLogger(__name__)
WORKERS = 2


def inputs_key(root: Path) -> str:
    """Fingerprint of all that a notebook's output depends on beside the notebook itself."""
    digest = hashlib.sha256(sys.version.encode())
    # What the site and the tests are made with changes no number on a page.
    digest.update((root / "requirements.txt").read_text(encoding="utf8").partition("# --- the book")[0].encode())
    files = [p for p in (root / "svmlib").rglob("*") if p.is_file() and "__pycache__" not in p.parts]
    for path in sorted(files):
        digest.update(path.relative_to(root).as_posix().encode())
        digest.update(path.read_bytes())
    return digest.hexdigest()[:16]


def look_key(root: Path) -> str:
    """Fingerprint of hooks, templates and style: where they change, Sphinx writes every page again."""
    digest = hashlib.sha256()
    for folder in ("_ext", "_templates", "_static", "_npm"):
        for path in sorted((root / "book" / folder).rglob("*")):
            if path.is_file() and not {"node_modules", "__pycache__"} & set(path.parts):
                digest.update(path.read_bytes())
    return digest.hexdigest()[:16]


def keep_outputs_fresh(app: Sphinx, config: Any) -> None:
    """Give each state of svmlib, data and requirements its own execution cache.

    The cache that myst-nb keeps looks at a notebook's cells alone, and Sphinx re-reads changed notebooks
    alone; either would publish numbers of an older svmlib. Since `course_inputs` counts for Sphinx's
    environment, a new key makes it read every page again.
    """
    config.course_inputs = inputs_key(Path(app.srcdir))
    config.course_look = look_key(Path(app.srcdir))
    build = Path(app.outdir).parent
    cache = build / f".jupyter_cache-{config.course_inputs}"
    config.nb_execution_cache_path = str(cache)
    for old in build.glob(".jupyter_cache*"):
        if old != cache:
            shutil.rmtree(old, ignore_errors=True)
    # The kernels inherit these: frames instead of widgets, the same numbers and pictures at every build.
    os.environ.update(SVMLIB_STATIC="1", PYTHONHASHSEED="0")
    for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS"):
        os.environ.setdefault(name, "1")


def execute_ahead(app: Sphinx, env: Any, docnames: list[str]) -> None:
    """Execute the notebooks that have no cached outputs, two at a time; myst-nb then finds them cached.

    A notebook that fails is not cached: myst-nb meets the failure again and stops the build with it.
    """
    import nbformat
    from jupyter_cache import get_cache
    from jupyter_cache.base import CacheBundleIn
    from jupyter_cache.executors.utils import single_nb_execution

    cache = get_cache(app.config.nb_execution_cache_path)
    missing = []
    for docname in docnames:
        path = Path(env.doc2path(docname))
        if path.suffix == ".ipynb" and docname.startswith("notebooks/"):
            stored = json.loads(path.read_text(encoding="utf8"))
            fold(stored)
            notebook = nbformat.reads(json.dumps(stored), as_version=4)
            try:
                cache.match_cache_notebook(notebook)
            except KeyError:
                missing.append((path, notebook))
    if not missing:
        return
    subprocess.run([sys.executable, str(Path(app.srcdir) / "book" / "_tools" / "warm.py")], check=True)

    def run(item: tuple[Path, Any]) -> tuple[Path, Any, Any]:
        path, notebook = item
        LOGGER.info("executing %s", path.relative_to(app.srcdir))
        timeout = app.config.nb_execution_timeout
        return path, notebook, single_nb_execution(notebook, cwd=str(path.parent), allow_errors=False,
                                                   timeout=timeout, meta_override=True)

    with ThreadPoolExecutor(WORKERS) as pool:
        for path, notebook, result in pool.map(run, reversed(missing)):  # what takes longest comes late in the book
            if result.err is None:
                LOGGER.info("executed %s in %.1f s", path.relative_to(app.srcdir), result.time)
                bundle = CacheBundleIn(notebook, str(path), data={"execution_seconds": result.time})
                cache.cache_notebook_bundle(bundle, check_validity=False, overwrite=True)


def repeat_warnings(app: Sphinx, error: Exception | None) -> None:
    """After a build with warnings, have the next one read every page again, and warn again.

    Sphinx reads changed pages alone, so that with -W a second build would pass over what the first refused.
    """
    if error is not None or app._warncount:
        (Path(app.doctreedir) / "environment.pickle").unlink(missing_ok=True)


def setup(app: Sphinx) -> dict[str, Any]:
    """Connect the hooks."""
    app.setup_extension("slider_figures")
    app.add_config_value("course_inputs", "", "env")
    app.add_config_value("course_look", "", "html")
    app.connect("config-inited", keep_outputs_fresh, priority=900)
    app.connect("env-before-read-docs", execute_ahead)
    app.connect("build-finished", repeat_warnings, priority=950)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
