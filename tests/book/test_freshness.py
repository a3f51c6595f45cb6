"""What must be executed after a change: the key under which a notebook's outputs are kept."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest
from freshness import Inputs, key_of, prepared

ROOT = Path(__file__).resolve().parents[2]
DOCUMENTS = sorted(path for path in [*(ROOT / "notebooks").rglob("*.ipynb"), *(ROOT / "book").glob("*.md")]
                   if ".ipynb_checkpoints" not in path.parts)


def keys(root: Path) -> dict[str, str | None]:
    """The key of each document of the book, with the package that lies below a root."""
    inputs_of_root = Inputs(root)
    found = {}
    for path in DOCUMENTS:
        text = path.read_text(encoding="utf8")
        found[path.relative_to(ROOT).with_suffix("").as_posix()] = key_of(path, inputs_of_root, text)
    return found


@pytest.fixture
def copied(tmp_path: Path) -> Path:
    """A copy of what notebooks depend on, in which one may change things."""
    shutil.copy(ROOT / "requirements.txt", tmp_path)
    shutil.copytree(ROOT / "benchmarks/results", tmp_path / "benchmarks/results")
    for package in ("svmlib", "svmcourse"):
        ignored = shutil.ignore_patterns("__pycache__", "*.gz", "*.npz")
        shutil.copytree(ROOT / package, tmp_path / package, ignore=ignored)
    return tmp_path


def changed(root: Path, *names: str) -> set[str]:
    """The documents whose key is another one after a line has been added to these files."""
    before = keys(root)
    for name in names:
        with (root / name).open("a", encoding="utf8") as file:
            file.write("\n# changed\n")
    after = keys(root)
    return {name for name in before if before[name] != after[name]}


def test_a_changed_figure_executes_its_chapter_and_who_draws_with_it(copied: Path) -> None:
    own = {"notebooks/12_why_margins_generalise", "notebooks/exercises/12_why_margins_generalise"}
    assert changed(copied, "svmcourse/why_margins_generalise/figures.py") == own
    assert changed(copied, "svmcourse/why_margins_generalise/questions.json") == own
    # Chapter 17 runs svmlib.solvers.smo, and draws with none of this.
    assert changed(copied, "svmcourse/smo/figures.py") == {"notebooks/10_smo", "notebooks/exercises/10_smo"}
    assert changed(copied, "svmcourse/quadratic_programming/figures.py") == {
        "notebooks/09_quadratic_programming", "notebooks/exercises/09_quadratic_programming",
        "notebooks/exercises/02_hard_margin", "notebooks/exercises/11_active_set"}
    assert changed(copied, "svmcourse/smo/chapter.yml") == set()
    assert {"book/fifteen_minutes", "notebooks/02_hard_margin"} <= changed(
        copied, "svmcourse/hard_margin/figures.py")


def test_what_was_measured_executes_who_reads_it(copied: Path) -> None:
    read = changed(copied, "benchmarks/results/results.csv")
    assert {"notebooks/16_when_should_i_use_one", "notebooks/17_svms_at_scale"} <= read
    assert "notebooks/10_smo" not in read


@pytest.mark.parametrize("name", ["svmlib/solvers/smo.py", "svmcourse/shared/plotting.py", "svmlib/data/xs_linear.csv"])
def test_what_all_share_executes_all(copied: Path, name: str) -> None:
    executed = {document for document, key in keys(copied).items() if key}
    assert changed(copied, name) == executed
    assert len(executed) >= 40


def test_another_version_of_a_package_that_they_run_on_executes_all(copied: Path) -> None:
    before = keys(copied)
    pins = copied / "requirements.txt"
    pins.write_text(pins.read_text(encoding="utf8").replace("numpy==", "numpy==1"), encoding="utf8")
    after = keys(copied)
    assert [name for name in before if before[name] and before[name] == after[name]] == []


def test_the_script_of_live_figures_and_the_tools_of_the_site_execute_nothing(copied: Path) -> None:
    assert changed(copied, "svmcourse/live/stage.js", "svmcourse/live/live.css",
                   "requirements.txt") == set()


def test_the_build_reads_no_cell_that_only_asserts_and_the_key(tmp_path: Path) -> None:
    def cell(source: str, *tags: str) -> dict[str, object]:
        return {"cell_type": "code", "source": source, "metadata": {"tags": list(tags)}, "outputs": [],
                "execution_count": 1}

    path = ROOT / "notebooks" / "12_why_margins_generalise.ipynb"
    text = json.dumps({"cells": [cell("x = 1"), cell("assert x == 1", "test")], "metadata": {}})
    read = json.loads(prepared(path, Inputs(ROOT), text))
    assert [c["source"] for c in read["cells"]] == ["x = 1"]
    assert read["metadata"]["kernelspec"]["inputs"] == key_of(path, Inputs(ROOT), text)
    page = "---\nkernelspec:\n  name: python3\n---\n\n```{code-cell}\nx = 1\n```\n"
    assert "kernelspec:\n  inputs: " in prepared(tmp_path / "page.md", Inputs(ROOT), page)
    assert prepared(tmp_path / "page.md", Inputs(ROOT), "# Only text\n") == "# Only text\n"
