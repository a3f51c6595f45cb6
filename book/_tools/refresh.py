"""Execute notebooks in place and store outputs that are the same at every run.

    make refresh                                      every notebook under notebooks/
    make refresh NB=notebooks/04_soft_margin.ipynb    one of them
"""

from __future__ import annotations

import copy
import os
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import nbformat
from nbclient import NotebookClient
from test_cells import alone, is_test

ROOT = Path(__file__).resolve().parents[2]
WORKERS = 2
# Nobody's own profile of IPython and matplotlibrc.
os.environ.update(IPYTHONDIR=str(ROOT / "_build" / "ipython"), MATPLOTLIBRC=os.devnull)
TIMEOUT = 900  # seconds for one cell
KERNEL = {"display_name": "Python 3 (ipykernel)", "language": "python", "name": "python3"}


def notebooks() -> list[Path]:
    """All notebooks of the book, in reading order."""
    return sorted(p for p in (ROOT / "notebooks").rglob("*.ipynb") if ".ipynb_checkpoints" not in p.parts)


def normalise(notebook: Any) -> Any:
    """Drop what differs from run to run: timestamps, widget models, the kernel's version; name what pictures show."""
    notebook.metadata = nbformat.from_dict({
        **{key: notebook.metadata[key] for key in ("mystnb", "celltoolbar") if key in notebook.metadata},
        "kernelspec": KERNEL, "language_info": {"name": "python"},
    })
    for cell in notebook.cells:
        if cell.cell_type != "code":
            continue
        cell.metadata.pop("execution", None)
        alt = cell.metadata.get("mystnb", {}).get("image", {}).get("alt")
        for output in cell.outputs:
            data = output.get("data", {})
            if alt and "image/png" in data:   # where nbconvert and its like look for it
                output.metadata.setdefault("image/png", {})["alt"] = alt
            if data.pop("application/vnd.jupyter.widget-view+json", None) is not None:
                output["data"] = {kind: data[kind] for kind in ("text/plain", "image/png") if kind in data}
        cell.outputs = merge_streams(cell.outputs)
    return notebook


def merge_streams(outputs: list[Any]) -> list[Any]:
    """Join neighbouring outputs of one stream: where a kernel cuts them is chance."""
    merged: list[Any] = []
    for output in outputs:
        before = merged[-1] if merged else None
        if before and output.output_type == before.output_type == "stream" and output.name == before.name:
            before.text += output.text
        else:
            merged.append(output)
    return merged


def settled(before: str, notebook: Any) -> str:
    """Text to store: as before where only timings differ, in cells that nbval does not compare."""
    kept = copy.deepcopy(notebook)
    old = {cell.id: cell.outputs for cell in nbformat.reads(before, as_version=4).cells if cell.cell_type == "code"}
    for cell in kept.cells:
        if "nbval-ignore-output" in cell.metadata.get("tags", []) and old.get(cell.id):
            cell.outputs = old[cell.id]
    same = nbformat.writes(kept) + "\n" == before
    return before if same else nbformat.writes(notebook) + "\n"


def refresh(path: Path) -> str:
    """Execute one notebook and write it if its text changed; return a line that says what happened."""
    before = path.read_text(encoding="utf8")
    notebook = nbformat.reads(before, as_version=4)
    start = time.perf_counter()
    tests = {cell.id: cell.source for cell in notebook.cells if is_test(cell)}
    for cell in notebook.cells:
        cell.source = alone(cell.source) if cell.id in tests else cell.source
    NotebookClient(notebook, timeout=TIMEOUT, kernel_name="python3", store_widget_state=False,
                   resources={"metadata": {"path": str(path.parent)}}).execute()
    for cell in notebook.cells:
        cell.source = tests.get(cell.id, cell.source)
    after = settled(before, normalise(notebook))
    if after != before:
        path.write_text(after, encoding="utf8")
    word = "unchanged" if after == before else "changed"
    return f"{path.relative_to(ROOT)}: {word}, {time.perf_counter() - start:.1f} s, {len(after) / 1000:.0f} kB"


def attempt(path: Path) -> tuple[bool, str]:
    """Refresh one notebook; a failure becomes a message so that the others still run."""
    try:
        return True, refresh(path)
    except Exception as error:  # any cell's exception, a dead kernel, a timeout
        return False, f"{path}: FAILED, file left as it was\n{error}"


def main(arguments: list[str]) -> int:
    """Refresh the named notebooks, or all; return 1 if one failed."""
    os.environ.pop("SVMLIB_STATIC", None)  # notebooks store the live form, which is small
    os.environ["PYTHONHASHSEED"] = "0"
    paths = [Path(argument).resolve() for argument in arguments] or notebooks()
    failed = 0
    with ThreadPoolExecutor(WORKERS) as pool:
        for done, line in pool.map(attempt, paths):
            print(line, flush=True)
            failed += not done
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
