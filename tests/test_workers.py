"""Two workers and a site that takes long to build: one builds, the other does all else, both learn what came of it."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from workers import in_turn

HERE = Path(__file__).parent
LOG = """
def note(what):
    import os
    with open({log!r}, "a") as file:
        file.write(os.environ["PYTEST_XDIST_WORKER"] + " " + what + "\\n")
"""
BUILD = LOG + """
def build():
    import time
    note("begins to build")
    time.sleep({seconds})
    note("has built")
    return {reasons!r}
"""
TEST = LOG + """
import time
import pytest

@pytest.mark.parametrize("k", range({number}))
def test_it({needs}k):
    time.sleep(0.02)
    note({name!r})
"""
NOTEBOOKS = LOG + """
import time
import pytest
from workers import say_executed

class Cell(pytest.Item):
    def runtest(self):
        time.sleep(0.2)
        note("a cell")

class Notebook(pytest.File):
    def collect(self):
        return [Cell.from_parent(self, name=f"Cell {{k}}") for k in range(4)]

def pytest_collect_file(file_path, parent):
    return Notebook.from_parent(parent, path=file_path) if file_path.suffix == ".ipynb" else None

def pytest_runtest_teardown(item, nextitem):
    if nextitem is None or nextitem.parent is not item.parent:
        say_executed(item)
"""
MODULES = {"test_small": (3, ""), "test_large": (30, ""), "test_middle": (9, ""),
           "test_one_page": (2, "site, "), "test_every_page": (12, "site, "), "test_some_pages": (5, "site, ")}


def run_of(folder: Path, reasons: str, seconds: float) -> tuple[str, list[list[str]]]:
    """What pytest says of such a run, and who did what, in order; the conftests are those of this repository."""
    log = str(folder / "log")
    (folder / "tests").mkdir()
    shutil.copy(HERE / "conftest.py", folder / "tests")
    for name, (number, needs) in MODULES.items():
        room = folder / "tests" / "site" if needs else folder / "tests"
        room.mkdir(exist_ok=True)
        (room / f"{name}.py").write_text(TEST.format(log=log, number=number, needs=needs, name=name))
    (folder / "notebooks").mkdir()
    (folder / "notebooks" / "conftest.py").write_text(NOTEBOOKS.format(log=log))
    for name in ("one", "two", "three"):
        (folder / "notebooks" / f"{name}.ipynb").touch()
    own = (HERE / "book" / "site" / "conftest.py").read_text(encoding="utf8")
    (folder / "tests" / "site" / "conftest.py").write_text(
        own + BUILD.format(log=log, seconds=seconds, reasons=reasons), encoding="utf8")
    found = os.pathsep.join(str(HERE / name) for name in (".", "book", "book/site", "../book/_ext"))
    environment = {name: value for name, value in os.environ.items() if not name.startswith(("PYTEST_", "COV_"))}
    alone = {"PYTHONPATH": found, "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}       # the others take seconds to import
    command = [sys.executable, "-m", "pytest", "-p", "xdist", "-n", "2", "--dist", "loadscope",
               "-p", "no:cacheprovider", "-p", "no:warnings", f"--basetemp={folder / 'temporary'}",
               "tests", "notebooks"]
    done = subprocess.run(command, cwd=folder, env={**environment, **alone}, text=True, capture_output=True,
                          timeout=300, check=False)
    return done.stdout + done.stderr, [line.split(" ", 1) for line in Path(log).read_text().splitlines()]


@pytest.fixture(scope="module")
def told(tmp_path_factory: pytest.TempPathFactory) -> list[list[str]]:
    """Who did what where the site builds."""
    said, log = run_of(tmp_path_factory.mktemp("builds"), reasons="", seconds=4)
    assert "73 passed" in said, said
    return log


def test_the_site_is_built_once(told: list[list[str]]) -> None:
    what = [done for _, done in told]
    assert what.count("begins to build") == what.count("has built") == 1
    assert min(what.index(name) for name, (_, needs) in MODULES.items() if needs) > what.index("has built")


def test_notebooks_are_executed_before_it(told: list[list[str]]) -> None:
    what = [done for _, done in told]
    assert what.count("a cell") == 3 * 4
    assert "a cell" not in what[what.index("begins to build"):]


def test_nobody_waits_for_it_who_has_other_things_to_do(told: list[list[str]]) -> None:
    what = [done for _, done in told]
    begun, built = what.index("begins to build"), what.index("has built")
    [builder] = {who for who, done in told if done == "begins to build"}
    assert {who for who, done in told[begun + 1:built]} == {"gw0", "gw1"} - {builder}
    assert sum(not MODULES[done][1] for done in what if done in MODULES) == 30 + 9 + 3
    assert [done for done in what[built:] if done in MODULES and not MODULES[done][1]] == []
    assert {who for who, done in told if done == "test_every_page"} == {builder}     # the largest that reads the site


def test_large_groups_come_first(told: list[list[str]]) -> None:
    what = [done for _, done in told]
    first = sorted((name for name, (_, needs) in MODULES.items() if not needs), key=what.index)
    assert first == ["test_large", "test_middle", "test_small"]


class Stub:
    """As much of a test as its place in the order depends on."""

    def __init__(self, name: str, needs: str = "", long: bool = False) -> None:
        self.nodeid, self.path, self.fixturenames, self.long = f"{name}::test", Path(name), [needs], long

    def get_closest_marker(self, name: str) -> object:
        return self.long if name == "long" else None


def test_what_takes_long_begins_early() -> None:
    tests = [Stub("b.py"), Stub("b.py"), Stub("a.py", "site"), Stub("c.py", "site"), Stub("c.py", "site"),
             Stub("d.py", "site", long=True), Stub("e.py", long=True), Stub("f.ipynb")]
    order = [test.path.stem for test in in_turn(tests)]
    assert list(dict.fromkeys(order)) == ["f", "e", "c", "b", "d", "a"]


def test_a_build_that_fails_fails_all_with_its_reasons(tmp_path: Path) -> None:
    said, log = run_of(tmp_path, reasons="WARNING: a page is not there", seconds=1)
    assert "54 passed, 19 errors" in said, said
    assert len(re.findall("^WARNING: a page is not there", said, re.M)) == 19
    assert [done for _, done in log].count("begins to build") == 1
