"""What is in a submission's file, and the cells to run.

The notebook that runs is rebuilt from the release: locked cells and checks are the release's, whatever was handed in;
only solutions and cells of the student's own come from the submission.
"""
from __future__ import annotations

import ast
import copy
import difflib
import json
import re
from typing import Any

import nbformat
from exercises import ANSWER, kind

MOST = 2_000                # cells of a notebook


class NoNotebook(ValueError):
    """A file that is no notebook, and why."""


# ---- what is in a file -----------------------------------------------------------------------------------------------
def decoded(content: bytes) -> str:
    """The text of a file in UTF-8, with a byte-order mark or without, UTF-16 or UTF-32; half characters become �."""
    text = content.decode(json.detect_encoding(content), "replace")
    return whole(text)


def whole(text: str) -> str:
    """Text without half characters (lone surrogates), which nothing can write."""
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")


def looks_like_a_notebook(content: bytes) -> bool:
    """Whether a file, whatever its name is, seems to be one."""
    text = decoded(content)
    return text.lstrip("\ufeff \t\r\n")[:1] == "{" and ('"cells"' in text or '"worksheets"' in text)


def loaded(content: bytes) -> dict[str, Any]:
    """The file's notebook as it stands there; raises NoNotebook, which says what the file is instead."""
    text = decoded(content)
    try:
        notebook = json.loads(text)
        if isinstance(notebook, dict) and ("worksheets" in notebook or notebook.get("nbformat") in (1, 2, 3)):
            notebook = nbformat.reads(json.dumps(notebook), as_version=4)
    except Exception as error:
        why = _instead(text) or f"it is damaged or breaks off ({type(error).__name__}: {str(error)[:200]})"
        raise NoNotebook(f"this is no notebook: {why}") from None
    if not isinstance(notebook, dict) or not isinstance(notebook.get("cells"), list):
        raise NoNotebook("this is no notebook: it has no cells")
    return notebook


def _instead(text: str) -> str:
    """What a file is that is not JSON, where that can be told."""
    begin = text[:1000].strip("\ufeff\ufffd\0 \t\r\n").casefold()
    if not begin:
        return "the file is empty"
    known = {"version https://git-lfs": "it is a pointer of Git LFS, without the file", "%pdf": "it is a PDF",
             "pk\x03": "it is an archive or an office document", "<?xml": "it is XML"}
    if said := next((words for start, words in known.items() if begin.startswith(start)), ""):
        return said
    if begin.startswith(("<!doctype html", "<html")):
        return "it is a web page"
    return "marks of a merge in git are left in it" if re.search(r"^<<<<<<< ", text, re.M) else ""


def cells_of(content: bytes) -> list[Any]:
    """The cells of a notebook with what counts of them; raises NoNotebook for another file.

    Taken are source, identity and points; whatever else a program has written or left out does not matter.
    """
    notebook = loaded(content)
    cells = []
    for cell in notebook["cells"][:MOST]:
        if isinstance(cell, dict) and (source := _source(cell)) is not None:
            metadata = cell.get("metadata")
            grader = metadata.get("nbgrader") if isinstance(metadata, dict) else None
            kept = {"grade_id": _text(grader.get("grade_id")), "grade": grader.get("grade") is True,
                    "points": grader.get("points")} if isinstance(grader, dict) else {}
            cells.append(nbformat.from_dict({"cell_type": cell["cell_type"], "id": _text(cell.get("id")),
                                             "source": source, "outputs": [],
                                             "metadata": {"nbgrader": kept} if kept else {}}))
    return cells


def _text(value: Any) -> str:
    """A name, or "" for anything else."""
    return whole(value) if isinstance(value, str) else ""


def _source(cell: dict[str, Any]) -> str | None:
    """The source of a code or markdown cell."""
    source = cell.get("source", "")
    if isinstance(source, list) and all(isinstance(line, str) for line in source):
        source = "".join(source)
    wanted = cell.get("cell_type") in ("code", "markdown", "raw")
    return whole(source) if wanted and isinstance(source, str) else None


# ---- the notebook that is run ----------------------------------------------------------------------------------------
def rebuild(release: Any, submitted: list[Any]) -> tuple[list[Any], list[str]]:
    """The cells to run, and what was changed that must not be."""
    notes: list[str] = []
    ours = {cell.metadata.nbgrader.grade_id: cell for cell in release.cells if "nbgrader" in cell.metadata}
    cells: list[Any] = []
    seen: set[str] = set()
    for name, cell in zip(_names(release, submitted), submitted, strict=True):
        if name not in ours:
            if cell.metadata.get("nbgrader", {}).get("grade"):
                notes.append(f"a graded cell of its own, {cell.metadata.nbgrader.grade_id!r}, was ignored")
            cells.append(_plain(cell))
        elif name in seen:
            cells += _repeated(ours[name], cell, name, cells, notes)
        else:
            seen.add(name)
            cells += _restored(ours[name], cell, name, notes)
    order = list(ours)
    for name in order:
        if name in seen:
            continue
        if kind(ours[name]) != "plain" or ours[name].metadata.nbgrader.get("locked"):
            notes.append(f"the cell {name!r} was missing and has been put back")
        before = [k for k, cell in enumerate(cells) if cell.metadata.get("nbgrader", {}).get("grade_id") in
                  order[:order.index(name)]]
        cells.insert(before[-1] + 1 if before else 0, copy.deepcopy(ours[name]))
    return cells, notes


def _names(release: Any, submitted: list[Any]) -> list[str]:
    """Which cell of the release each one is: by its name or id, else by its text, else by its place."""
    by_id = {cell.get("id"): cell.metadata.nbgrader.grade_id for cell in release.cells if "nbgrader" in cell.metadata}
    names = [cell.metadata.get("nbgrader", {}).get("grade_id") or by_id.get(cell.get("id"), "") for cell in submitted]
    missing = set(by_id.values()) - set(names)
    if not missing:
        return names
    mine, theirs = [bare(cell.source) for cell in release.cells], [bare(cell.source) for cell in submitted]
    for what, i, j, k, m in difflib.SequenceMatcher(None, mine, theirs, autojunk=False).get_opcodes():
        free = [n for n in range(k, m) if not names[n] and not submitted[n].metadata.get("nbgrader")]
        for offset, cell in enumerate(release.cells[i:j]):
            name = cell.metadata.get("nbgrader", {}).get("grade_id")
            if name not in missing:
                continue
            alike = [n for n in free if submitted[n].cell_type == cell.cell_type]
            if what == "equal":
                alike = [n for n in alike if n == k + offset]
            elif kind(cell) not in ("solution", "open"):
                continue
            wanted = defined(cell.source)
            best = next((n for n in alike if wanted & defined(submitted[n].source)), alike[0] if alike else None)
            if best is not None:
                names[best] = name
                free = [n for n in free if n > best]
    return names


def defined(source: str) -> set[str]:
    """The names that a cell defines."""
    return set(re.findall(r"^(?:def |class )?(\w+)(?: *=|\()", source, re.M))


def _repeated(ours: Any, theirs: Any, name: str, cells: list[Any], notes: list[str]) -> list[Any]:
    """What is run of a cell that is there again, because it was split or copied with its name.

    Code is run, as in Jupyter; the text of an answer goes on; a check is ours, and there once.
    """
    if kind(ours) == "open":
        first = next(cell for cell in cells if cell.metadata.get("nbgrader", {}).get("grade_id") == name)
        kept = [text for text in (first.source, theirs.source) if text.strip() not in ("", ANSWER)]
        first.source = "\n\n".join(dict.fromkeys(kept)) or ANSWER
        return []
    if kind(ours) == "check" or theirs.cell_type != "code":
        notes.append(f"a second cell {name!r} was ignored")
        return []
    notes.append(f"the cell {name!r} is there again: that was run, too")
    return [_plain(theirs)]


def _plain(cell: Any) -> Any:
    """A cell of the student's own."""
    kept = copy.deepcopy(cell)
    kept.metadata = nbformat.from_dict({})
    return kept


def _restored(ours: Any, theirs: Any, name: str, notes: list[str]) -> list[Any]:
    """Our cell, with the student's source where that is the solution; imports that were added follow in their own."""
    cell, most = copy.deepcopy(ours), ours.metadata.nbgrader.get("points")
    if theirs.metadata.get("nbgrader", {}).get("points", most) not in (most, None):
        notes.append(f"the points of {name!r} were changed")
    if kind(ours) in ("solution", "open"):
        cell.source = theirs.source
        return [cell]
    added = ""
    if bare(theirs.source) != bare(ours.source):
        added = _imports(theirs.source, ours.source) if cell.cell_type == "code" and kind(ours) == "plain" else ""
        notes.append(f"the cell {name!r} was changed and has been put back" + ("; its imports were kept" * bool(added)))
    return [cell, nbformat.v4.new_code_cell(added)] if added else [cell]


def _imports(theirs: str, ours: str) -> str:
    """The imports of a cell that another does not have."""
    from IPython.core.inputtransformer2 import TransformerManager

    try:
        known = {ast.unparse(node) for node in ast.parse(ours).body}
        nodes = ast.parse(TransformerManager().transform_cell(theirs)).body
        return "\n".join(text for node in nodes if isinstance(node, (ast.Import, ast.ImportFrom))
                         and (text := ast.unparse(node)) not in known)
    except (SyntaxError, ValueError, RuntimeError, MemoryError):       # IPython gives up at 500 magics
        return ""


def bare(source: str) -> str:
    """Source without what does not count: the assert of the release, blanks at the ends of lines."""
    lines = "\n".join(line.rstrip() for line in source.strip().splitlines())
    return re.sub(r"^assert\s+", "", lines)
