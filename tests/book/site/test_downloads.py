"""What one takes home: the kit, its wheel, notebooks that run anywhere."""

from __future__ import annotations

import json
import os
import re
import shlex
import subprocess
import sys
import zipfile
from importlib.metadata import version
from pathlib import Path
from typing import Any

import exercises
import kit as kit_tool
import pytest
from browsing import CHAPTERS, MARKS, PAGES, ROOT, settle
from test_cells import is_test
from test_plain import CODE, RAW, texts

pytestmark = MARKS


def test_the_site_carries_the_course(site: Path) -> None:
    wheels = {path.name for path in (site / "kit").glob("*.whl")}
    assert {name.partition("-")[0] for name in wheels} == set(kit_tool.PROJECTS)
    with zipfile.ZipFile(site / "kit" / "svm-course.zip") as kit:
        names = {name.removeprefix("svm-course/") for name in kit.namelist()}
        readme = kit.read("svm-course/README.txt").decode()
        pins = kit.read("svm-course/requirements.txt").decode()
        carried = [json.loads(kit.read(name)) for name in kit.namelist() if name.endswith(".ipynb")]
    code = "".join("".join(cell["source"]) for notebook in carried for cell in notebook["cells"])
    read = set(kit_tool.READ)
    assert set(re.findall(r"benchmarks/results/[\w]+\.\w+", code)) <= read
    notebooks = {f"{page}.ipynb" for page in PAGES if page.startswith("notebooks/")}
    assert names == {"README.txt", "requirements.txt", *wheels, *notebooks} | read
    assert "\ndistributed==" not in pins      # nothing in the kit starts a cluster
    offered = [json.loads((site / folder / name).read_text(encoding="utf8"))
               for folder, names in (("_sources", notebooks), ("", students(notebooks))) for name in names]
    for notebook in (*carried, *offered):
        assert notebook["cells"][0]["id"] == "needs-svmlib"
        assert not any(is_test(cell) for cell in notebook["cells"])
        assert RAW.findall(CODE.sub("", texts(notebook))) == []
    assert len(readme.splitlines()) <= 5
    page = (site / "book" / "preface.html").read_text(encoding="utf8")
    assert all(name in page for name in wheels)
    assert "svm-course.zip" in page


TOOLS = ("pytest", "nbval")     # what runs the chapter here; a reader has Jupyter


@pytest.mark.thorough       # it installs all requirements
def test_the_kit_is_all_that_a_reader_needs(site: Path, tmp_path: Path) -> None:
    """In an empty environment: unpack, install, run a chapter."""
    with zipfile.ZipFile(site / "kit" / "svm-course.zip") as kit:
        kit.extractall(tmp_path)
    python = tmp_path / "venv" / "bin" / "python"
    nothing = {name: value for name, value in os.environ.items() if not name.startswith(("PYT", "VIRTUAL", "COV"))}
    for command in ([sys.executable, "-m", "venv", tmp_path / "venv"],
                    [python, "-m", "pip", "install", "--quiet", "-r", "requirements.txt"],
                    [python, "-m", "pip", "install", "--quiet", *(f"{name}=={version(name)}" for name in TOOLS)],
                    [python, "-m", "pytest", "-q", "--nbval", "notebooks/04_soft_margin.ipynb"]):
        done = subprocess.run(command, cwd=tmp_path / "svm-course", env=nothing, capture_output=True, text=True,
                              timeout=900, check=False)
        assert done.returncode == 0, f"{command}\n{done.stdout[-3000:]}{done.stderr[-2000:]}"
    assert " passed" in done.stdout


def students(notebooks: set[str]) -> set[str]:
    """Where the pages of exercises offer their notebooks."""
    return {f"notebooks/exercises/student/{Path(name).name}" for name in notebooks if "exercises/" in name}


def test_commands_name_this_site(browser: Any, address: str) -> None:
    tab = browser.new_page()
    settle(tab, f"{address}/book/preface.html")
    code = "\n".join(tab.locator("div.highlight").all_text_contents())
    assert all(f"{package} @ {address}/kit/{package}-" in code for package in kit_tool.PROJECTS)
    assert "COURSE-ADDRESS" not in code
    tab.close()
    [typed] = re.findall(r"^pip (install .*svmlib-.*)$", code, flags=re.M)
    command = [sys.executable, "-m", "pip", *shlex.split(typed), "--dry-run", "--no-deps", "--no-index"]
    tried = subprocess.run(command, capture_output=True, text=True, check=False)
    assert tried.returncode == 0, tried.stderr


def test_a_notebook_without_svmlib_says_what_to_install(site: Path) -> None:
    cell = json.loads((site / "_sources" / f"{CHAPTERS[0]}.ipynb").read_text(encoding="utf8"))["cells"][0]
    hidden = "import importlib.util\nimportlib.util.find_spec = lambda name: None\n"
    done = subprocess.run([sys.executable, "-c", hidden + "".join(cell["source"])], capture_output=True, text=True,
                          check=False)
    assert done.returncode == 1
    assert "Traceback" not in done.stderr
    [typed] = re.findall(r"^  pip (install .*)$", done.stderr, flags=re.M)
    command = [sys.executable, "-m", "pip", *shlex.split(typed), "--dry-run", "--no-deps", "--no-index"]
    tried = subprocess.run(command, cwd=site / "kit", capture_output=True, text=True, check=False)
    assert tried.returncode == 0, tried.stderr
    assert re.search(r"Would install svmcourse-\S+ svmlib-", tried.stdout)


def without_check(path: Path) -> Any:
    """A downloaded notebook without the cell that says what to install."""
    notebook = json.loads(path.read_text(encoding="utf8"))
    assert notebook["cells"].pop(0)["id"] == "needs-svmlib"
    return notebook


def edition(page: str) -> Any:
    """A chapter for any Jupyter, as a site without an address offers it."""
    return json.loads(json.dumps(exercises.for_lab(ROOT / f"{page}.ipynb", beside=False)))


def test_download_button_saves_the_notebook(browser: Any, address: str) -> None:
    page = CHAPTERS[0]
    tab = browser.new_page()
    settle(tab, f"{address}/{page}.html")
    tab.get_by_role("button", name="Download this page").click()
    with tab.expect_download() as started:
        tab.locator("a.btn-download-source-button[href$='.ipynb']").click()
    assert started.value.suggested_filename == Path(page).name + ".ipynb"
    assert without_check(Path(started.value.path())) == edition(page)
    tab.close()
