"""A shortened edition names the chapters that it leaves out, and links to none of them."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import exercises
import pytest
import small_book
import yaml
from browsing import ROOT


def test_what_is_left_out_is_named_and_not_linked(request: pytest.FixtureRequest) -> None:
    first = small_book.first(request.config)
    assert not first.failed, first.said
    html = (first.site / "book/preface.html").read_text(encoding="utf8")
    assert ", <em>Left out</em>, (2.1) of <em>Left out</em> and <em>the sum</em>." in html
    assert html.count("chapters of the whole course") == 1
    assert "02_left_out" not in re.sub(r"(?s)<script.*?</script>", "", html)
    assert "chapters of the whole course" not in (first.site / "notebooks/01_chapter.html").read_text(encoding="utf8")


def test_kit_lab_and_release_hold_what_the_contents_hold(monkeypatch: pytest.MonkeyPatch) -> None:
    assert len(exercises.chapters()) == len(exercises.sources()) == len(list((ROOT / "notebooks").glob("*.ipynb")))
    monkeypatch.setattr(exercises, "held", lambda: {"notebooks/04_soft_margin", "notebooks/exercises/04_soft_margin"})
    carried = exercises.carried(address="https://example.org")
    assert sorted(carried) == ["04_soft_margin.ipynb", "exercises/04_soft_margin.ipynb"]
    text = "".join("".join(cell.source) for notebook in carried.values() for cell in notebook.cells)
    assert "03_duality_and_kkt" not in text
    assert "3. Duality and the KKT conditions" in text


@pytest.mark.thorough
@pytest.mark.timeout(3000)
@pytest.mark.parametrize("numbers", [(2, 4, 6, 10), (1, 5, 15)], ids=["2 4 6 10", "1 5 15"])
def test_a_reduced_edition_builds_without_a_warning(numbers: tuple[int, ...], tmp_path: Path) -> None:
    """In a copy, with what the whole book has executed; all links lead somewhere, and the kit has shrunk, too."""
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, text=True, check=True).stdout
    for name in listed.rstrip("\0").split("\0"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / name, tmp_path / name, follow_symlinks=False)
    if (ROOT / "_build/.jupyter_cache").exists():
        shutil.copytree(ROOT / "_build/.jupyter_cache", tmp_path / "_build/.jupyter_cache")
    toc = yaml.safe_load((tmp_path / "_toc.yml").read_text(encoding="utf8"))
    for part in toc["parts"]:
        if part.get("numbered"):
            part["chapters"] = [c for c in part["chapters"] if int(Path(c["file"]).name[:2]) in numbers]
    toc["parts"] = [part for part in toc["parts"] if part["chapters"]]
    (tmp_path / "_toc.yml").write_text(yaml.safe_dump(toc, sort_keys=False), encoding="utf8")
    done = subprocess.run(
        [sys.executable, "-c", "from jupyter_book.cli.main import main; main()", "build", ".", "-W", "-n",
         "--keep-going"],
        cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout[-3000:] + done.stderr[-2000:]
    site = tmp_path / "_build/html"
    lost = {f"{page.relative_to(site)}: {aim}" for page in site.rglob("*.html") if "_static" not in page.parts
            for aim in re.findall(r'(?:href|src)="([^"#?]+)', page.read_text(encoding="utf8"))
            if not re.match(r"[a-z]+:|//|/", aim) and not (page.parent / aim).exists()}
    assert lost == set()
    with zipfile.ZipFile(site / "kit/svm-course.zip") as kit:
        packed = {int(Path(name).name[:2]) for name in kit.namelist() if name.endswith(".ipynb")}
    assert packed == set(numbers)
