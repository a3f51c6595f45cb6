"""Sphinx hooks of the book: fresh outputs, notebooks two at a time, nothing from another host."""

from __future__ import annotations

import hashlib
import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

from branching import branch
from freshness import CACHE, inputs_of, kernel_environment, key_of, prepared
from sphinx.application import Sphinx
from sphinx.util import logging
from unchanged import STAMP, key

LOGGER = logging.getLogger(__name__)
WORKERS = 2
KEPT = 150      # executed notebooks in the cache: some three of each, so that one can go back and forth


def look_key(root: Path) -> str:
    """Of hooks, templates, style, script and descriptions: where they change, Sphinx writes every page again."""
    digest = hashlib.sha256()
    for folder in ("book/_ext", "book/_templates", "book/_static", "book/_npm", "svmcourse/live"):
        for path in sorted((root / folder).rglob("*")):
            if path.is_file() and not {"node_modules", "__pycache__"} & set(path.parts):
                digest.update(path.read_bytes())
    for path in [root / "book" / "pages.yml", *sorted((root / "svmcourse").glob("*/chapter.yml"))]:
        digest.update(path.read_bytes() if path.exists() else b"")
    return digest.hexdigest()[:16]


def keep_outputs(app: Sphinx, config: Any) -> None:
    """One cache of outputs for the tests and for every edition of the book; the same kernels as everywhere."""
    config.course_look = look_key(Path(app.srcdir))
    config.course_sources = key(Path(app.srcdir))
    (Path(app.outdir).parent / STAMP).unlink(missing_ok=True)       # until this build has ended well
    config.nb_execution_cache_path = str(Path(app.srcdir) / CACHE)
    os.environ.update(kernel_environment())      # the kernels inherit it
    branch()


def outdated(app: Sphinx, env: Any, added: set[str], changed: set[str], removed: set[str]) -> list[str]:
    """Pages whose code uses something that has changed: Sphinx itself looks at the pages' own files alone."""
    inputs, before = inputs_of(Path(app.srcdir)), getattr(env, "course_keys", {})
    paths = {name: Path(env.doc2path(name)) for name in env.found_docs}
    keys = {name: key_of(path, inputs, path.read_text(encoding="utf8")) for name, path in paths.items()}
    keys["book/reference"] = inputs.package        # the signatures and docstrings
    env.course_keys = keys
    return [name for name in keys if name in before and keys[name] != before[name] and name in env.all_docs]


def prepare(app: Sphinx, docname: str, source: list[str]) -> None:
    """Give the parser the document as the cache of outputs knows it."""
    source[0] = prepared(Path(app.env.doc2path(docname)), inputs_of(Path(app.srcdir)), source[0])


def execute_ahead(app: Sphinx, env: Any, docnames: list[str]) -> None:
    """Execute the notebooks that have no cached outputs, two at a time; myst-nb then finds them cached.

    A notebook that fails is not cached: myst-nb meets the failure again and stops the build with it.
    """
    import nbformat
    from jupyter_cache import get_cache
    from jupyter_cache.base import CacheBundleIn
    from jupyter_cache.executors.utils import single_nb_execution

    root = Path(app.srcdir)
    cache = get_cache(app.config.nb_execution_cache_path)
    cache.change_cache_limit(KEPT)
    missing = []
    for docname in docnames:
        path = Path(env.doc2path(docname))
        if path.suffix == ".ipynb":
            notebook = nbformat.reads(prepared(path, inputs_of(root), path.read_text(encoding="utf8")), as_version=4)
            try:
                cache.match_cache_notebook(notebook)
            except KeyError:
                missing.append((path, notebook))
    if not missing:
        return
    subprocess.run([sys.executable, str(root / "book" / "_tools" / "warm.py")], check=True)

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
    """After a build with warnings, have the next one read every page again, and warn again; else say what it was of.

    Sphinx reads changed pages alone, so that with -W a second build would pass over what the first refused.
    """
    if error is not None or app._warncount:
        (Path(app.doctreedir) / "environment.pickle").unlink(missing_ok=True)
    elif app.builder.format == "html":
        (Path(app.outdir).parent / STAMP).write_text(app.config.course_sources, encoding="utf8")


def setup(app: Sphinx) -> dict[str, Any]:
    """Connect the hooks."""
    app.setup_extension("slider_figures")
    app.add_config_value("course_look", "", "html")
    app.add_config_value("course_sources", "", "")
    app.connect("config-inited", keep_outputs, priority=900)
    app.connect("env-get-outdated", outdated)
    app.connect("source-read", prepare)
    app.connect("env-before-read-docs", execute_ahead)
    app.connect("build-finished", repeat_warnings, priority=950)    # after all steps of `finishing`
    return {"parallel_read_safe": True, "parallel_write_safe": True}
