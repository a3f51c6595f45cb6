"""What is stored in the notebooks: executed cells, no errors, alternative text, nothing that differs by run."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parents[2]
NOTEBOOKS = sorted(p for p in (ROOT / "notebooks").rglob("*.ipynb") if ".ipynb_checkpoints" not in p.parts)
WIDGET = "application/vnd.jupyter.widget-view+json"
HEAVIEST = 1_500_000  # bytes; frames belong in the built page


def code_cells(notebook: Path) -> list[dict[str, Any]]:
    """The code cells that hold code."""
    cells = json.loads(notebook.read_text(encoding="utf8"))["cells"]
    return [cell for cell in cells if cell["cell_type"] == "code" and "".join(cell["source"]).strip()]


def complaints(notebook: Path) -> list[str]:
    """Everything about a stored notebook that would make its tests or its page worthless.

    A cell without execution count is never compared by nbval; one with a stored error always passes.
    """
    found = []
    for number, cell in enumerate(code_cells(notebook), start=1):
        tags = cell["metadata"].get("tags", [])
        where = f"code cell {number}: {''.join(cell['source'])[:60]!r}"
        if cell["execution_count"] is None and "nbval-skip" not in tags:
            found.append(f"never executed, so nbval compares nothing: {where}")
        for output in cell["outputs"]:
            data = output.get("data", {})
            if output["output_type"] == "error" and "raises-exception" not in tags:
                found.append(f"an error is stored: {where}")
            if WIDGET in data:
                found.append(f"a widget's id is stored, it differs at each run (make refresh): {where}")
            stored = output.get("metadata", {}).get("image/png", {}).get("alt", "").strip()
            if "image/png" in data and not (stored and stored.startswith(alternative_text(cell))):
                found.append("a picture without alternative text, or with another than the cell's metadata has in "
                             f"mystnb.image.alt (make refresh): {where}")
        if "execution" in cell["metadata"]:
            found.append(f"timestamps are stored (make refresh): {where}")
    return found


def alternative_text(cell: dict[str, Any]) -> str:
    """What the cell's metadata says is to be seen in its figure."""
    return cell["metadata"].get("mystnb", {}).get("image", {}).get("alt", "").strip()


def name(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


@pytest.mark.parametrize("notebook", NOTEBOOKS, ids=name)
def test_stored_outputs_can_be_compared_and_published(notebook: Path) -> None:
    assert complaints(notebook) == []


@pytest.mark.parametrize("notebook", NOTEBOOKS, ids=name)
def test_notebook_is_small(notebook: Path) -> None:
    assert notebook.stat().st_size < HEAVIEST


@pytest.mark.parametrize(("change", "complaint"), [
    ({"execution_count": None}, "never executed"),
    ({"outputs": [{"output_type": "error", "ename": "E", "evalue": "", "traceback": []}]}, "an error is stored"),
    ({"outputs": [{"output_type": "display_data", "metadata": {}, "data": {"image/png": ""}}]},
     "without alternative text"),
    ({"outputs": [{"output_type": "display_data", "metadata": {}, "data": {WIDGET: {}}}]}, "a widget's id"),
    ({"metadata": {"execution": {}}}, "timestamps"),
])
def test_each_fault_is_seen(tmp_path: Path, change: dict[str, Any], complaint: str) -> None:
    cell = {"cell_type": "code", "source": ["1"], "metadata": {}, "execution_count": 1, "outputs": []}
    notebook = tmp_path / "n.ipynb"
    notebook.write_text(json.dumps({"cells": [cell]}))
    assert complaints(notebook) == []
    notebook.write_text(json.dumps({"cells": [cell | change]}))
    (found,) = complaints(notebook)
    assert complaint in found
