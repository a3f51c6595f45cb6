"""The steps on finished pages: in order, after good builds alone, and nowhere else."""
from __future__ import annotations

import re
from pathlib import Path
from types import SimpleNamespace

import bundling
import finishing
import front
import pytest

HOOKS = Path(__file__).resolve().parents[2] / "book" / "_ext"


@pytest.mark.parametrize(("error", "form", "taken"), [
    (None, "html", ["one", "two"]), (RuntimeError("a cell has failed"), "html", []), (None, "latex", [])])
def test_the_steps_of_a_good_build_are_taken_in_order(
        monkeypatch: pytest.MonkeyPatch, error: Exception | None, form: str, taken: list[str]) -> None:
    seen: list[str] = []
    steps = [lambda site, book, name=name: seen.append(f"{name} {site} {book.outdir}") for name in ("one", "two")]
    monkeypatch.setattr(finishing, "STEPS", steps)
    finishing.finish(SimpleNamespace(outdir="html", builder=SimpleNamespace(format=form)), error)
    assert seen == [f"{name} html html" for name in taken]


def test_what_reads_all_pages_comes_when_they_are_written() -> None:
    last = [bundling.put_together, bundling.trim_fonts, bundling.sign, front.print_sheet]
    assert finishing.STEPS[-len(last):] == last


def test_nothing_else_is_done_when_a_build_ends() -> None:
    """But what good and bad builds need: the word for the next one, and the end of KaTeX's process."""
    found = {path.stem: re.findall(r'connect\("build-finished", (\w+)(?:, priority=(\d+))?', path.read_text("utf8"))
             for path in HOOKS.glob("*.py")}
    hooks = {name: place for all_ in found.values() for name, place in all_}
    assert set(hooks) == {"finish", "repeat_warnings", "stop"}
    # The theme writes a style sheet when a build ends, at Sphinx's usual 500; that it has ended well is said at last.
    assert 500 < int(hooks["finish"]) < int(hooks["repeat_warnings"])
