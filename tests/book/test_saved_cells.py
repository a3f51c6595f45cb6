"""A cell that prints a method is the text of a file in svmlib: who leaves the chapter and opens the file sees it again.

The metadata of such a cell say what it prints, "saves": ["solvers.smo.select_pair"].  The syntax trees are compared, so
that docstrings, type annotations, comments and a mark for the compiler may differ: a page has its text around it.
"""
from __future__ import annotations

import ast
import json
import re
from pathlib import Path
from typing import Any

import pytest
from chapters import chapters

ROOT = Path(__file__).resolve().parents[2]
#: Over each function that a chapter prints stands its chapter; decorators come between.
PRINTED = re.compile(r"^# printed in (\w+).*\n(?:@.*\n)*(?:def )?(\w+)", re.M)


def printed() -> dict[str, str]:
    """What svmlib says that a chapter prints, solvers.smo.select_pair, say, and the chapter."""
    files = sorted((ROOT / "svmlib" / "solvers").glob("*.py"))
    return {f"solvers.{file.stem}.{name}": chapter for file in files
            for chapter, name in PRINTED.findall(file.read_text(encoding="utf8"))}
#: What each chapter says that it prints, in its chapter.yml.
DECLARED = {chapter.stem: set(chapter.facts["prints"]) for chapter in chapters().values() if "prints" in chapter.facts}


def name_of(statement: ast.stmt) -> str:
    """The name that a statement defines, "" where it is none or several."""
    if isinstance(statement, (ast.FunctionDef, ast.ClassDef)):
        return statement.name
    targets = statement.targets if isinstance(statement, ast.Assign) else []
    return targets[0].id if len(targets) == 1 and isinstance(targets[0], ast.Name) else ""


class Plain(ast.NodeTransformer):
    """Leaves what runs: no docstrings, no annotations, no mark that says that numba may compile it."""

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.AST:
        """A function without what only the reader needs."""
        self.generic_visit(node)
        node.returns = None
        node.decorator_list = [mark for mark in node.decorator_list if ast.unparse(mark) != "register_jitable"]
        if ast.get_docstring(node) is not None and len(node.body) > 1:
            node.body = node.body[1:]
        return node

    def visit_arg(self, node: ast.arg) -> ast.AST:
        """An argument without its type."""
        node.annotation = None
        return node

    def visit_AnnAssign(self, node: ast.AnnAssign) -> ast.AST:
        """An assignment without its type."""
        return ast.Assign([node.target], node.value, lineno=node.lineno) if node.value else node


def definitions(source: str) -> dict[str, str]:
    """Each name that a source defines at its outermost level, with its syntax tree."""
    return {name_of(statement): ast.dump(Plain().visit(statement)) for statement in ast.parse(source).body}


def file_of(name: str) -> str:
    """The source of the module of solvers.smo.select_pair, say."""
    top = ROOT if name.startswith("svmcourse.") else ROOT / "svmlib"
    return (top / Path(*name.split(".")[:-1])).with_suffix(".py").read_text(encoding="utf8")


def complaints(cell: str, saves: list[str]) -> list[str]:
    """What is wrong with a cell that is to print these names and nothing else."""
    mine = definitions(cell)
    known = {name.split(".")[-1] for name in saves}
    found = [f"{name!r} is in the cell and not in its metadata" for name in sorted(set(mine) - known)]
    for name in saves:
        last = name.split(".")[-1]
        if mine.get(last) != definitions(file_of(name)).get(last):
            found.append(f"{name} is not what the cell prints")
    return found


def saved_cells() -> list[Any]:
    """Chapter, source and saved names of each cell that prints a method."""
    found = []
    for path in sorted((ROOT / "notebooks").glob("*.ipynb")):
        for cell in json.loads(path.read_text(encoding="utf8"))["cells"]:
            if "saves" in cell["metadata"]:
                found.append(pytest.param(path.stem, "".join(cell["source"]), cell["metadata"]["saves"],
                                          id=f"{path.stem}-{cell['id']}"))
    return found


@pytest.mark.parametrize(("chapter", "source", "saves"), saved_cells())
def test_a_cell_prints_what_its_file_holds(chapter, source, saves):
    assert complaints(source, saves) == []


def cells_of(chapter: str) -> list[str]:
    """The code of a chapter, cell by cell, without lines that are IPython's."""
    cells = json.loads((ROOT / "notebooks" / f"{chapter}.ipynb").read_text(encoding="utf8"))["cells"]
    sources = ["".join(cell["source"]) for cell in cells if cell["cell_type"] == "code"]
    return [re.sub(r"^[%!].*$", "", source, flags=re.M) for source in sources]


@pytest.mark.parametrize("name", printed())
def test_the_chapter_over_a_function_prints_it(name):
    module, _, last = name.rpartition(".")
    mine = definitions(file_of(name))[last]
    assert mine in [definitions(cell).get(last) for cell in cells_of(printed()[name])], module


def test_each_function_that_a_cell_says_it_prints_has_its_chapter_over_it():
    said = {name: cell.values[0] for cell in saved_cells() for name in cell.values[2]
            if name.startswith("solvers.")}
    assert said.items() <= printed().items()
    assert len(said) > 25


def test_what_a_chapter_says_that_it_prints_has_its_chapter_over_it():
    said = {name: stem for stem, names in DECLARED.items() for name in names if name.startswith("solvers.")}
    assert said.items() <= printed().items()
    assert len(said) > 25


def equations() -> dict[str, set[str]]:
    """Chapter -> the labels of its displayed equations."""
    found = {}
    for path in sorted((ROOT / "notebooks").glob("*.ipynb")):
        cells = json.loads(path.read_text(encoding="utf8"))["cells"]
        text = "\n".join("".join(cell["source"]) for cell in cells if cell["cell_type"] == "markdown")
        found[path.stem] = {a or b for a, b in re.findall(r"^\$\$ \(([\w-]+)\)|^:label: ([\w-]+)", text, re.M)}
    return found


NAMED = r"equations? ((?:[a-z]+(?:-[a-z]+)+(?:, | and | to |,? ?\n *)*)+)"


def test_an_equation_that_a_method_names_is_in_a_chapter():
    """And each file of a method names one of its chapter: who knows the page finds the line."""
    known = equations()
    for chapter in sorted(set(printed().values())):
        for module in {name.rpartition(".")[0] for name, of in printed().items() if of == chapter}:
            text = (ROOT / "svmlib" / Path(*module.split("."))).with_suffix(".py").read_text(encoding="utf8")
            named = {label for group in re.findall(NAMED, text) for label in re.findall(r"[a-z]+(?:-[a-z]+)+", group)}
            assert named <= set().union(*known.values()), module
            assert named & (known[chapter] | known["04_soft_margin"]), module


def test_a_cell_that_has_drifted_is_found():
    source = file_of("solvers.smo_lab_sheet.segment")
    tree = next(node for node in ast.parse(source).body if name_of(node) == "segment")
    cell, saves = ast.unparse(tree), ["solvers.smo_lab_sheet.segment"]
    assert complaints(cell, saves) == []
    assert complaints(cell.replace("gamma - C[j]", "gamma - C[i]"), saves) == [
        "solvers.smo_lab_sheet.segment is not what the cell prints"]
    assert complaints(cell + "\nextra = 1", saves) == ["'extra' is in the cell and not in its metadata"]
    assert complaints(cell.replace("segment", "ends"), saves)
