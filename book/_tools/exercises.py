"""The editions of an exercise, all made from one source: the solved notebook in `notebooks/exercises/`.

    python book/_tools/exercises.py lab              the students' notebooks into lab/exercises (kept where they exist)
    python book/_tools/exercises.py release [DIR]    nbgrader's course: DIR/source, DIR/release (_build/assignments);
                                                     beside the released notebooks the wheels and how to begin
    python book/_tools/exercises.py kit              the wheels and all notebooks in one archive, into _build/kit
    python book/_tools/exercises.py new NN_name      a skeleton with a task of each kind, to be filled

The page of the book is made by `book/_ext/editions.py` while the book is built, from the same functions.  So no
edition lies in the repository, and none can differ from its source.

The source is nbgrader's own form.  A cell is what its metadata say: a *solution* (code with ### BEGIN SOLUTION and
### END SOLUTION), a *check* (graded and locked, one line `check.task(answer)`), an *open question* (markdown, graded
and a solution: a model answer with a marking guide between === BEGIN MARK SCHEME === and === END MARK SCHEME ===),
or anything else, which every edition shows.
"""
from __future__ import annotations

import copy
import functools
import re
import sys
from pathlib import Path
from typing import Any

import nbformat

sys.path.append(str(Path(__file__).parent))  # the hooks of the book load this file from elsewhere
from kit import build_wheels, make_kit, requirements
from labels import Book
from plain import in_folder, plain
from test_cells import is_test, without_tests

ROOT = Path(__file__).resolve().parents[2]
SOURCES = ROOT / "notebooks" / "exercises"
BEGIN, END = "### BEGIN SOLUTION", "### END SOLUTION"
STUB = "pass  # Your code here."
SIGNATURE = re.compile(rf"def (\w+\([^)]*\)):\n +{re.escape(STUB)}")     # a stub that gives nothing else
HINTS = re.compile(r"(?:\s*<details><summary>.*?</details>)+\s*\Z", re.S)   # at the end of a task's words
ANSWER = "*Your answer here.*"
SCHEME = re.compile(r"\n*=== BEGIN MARK SCHEME ===\n(.*?)\n=== END MARK SCHEME ===\n*", re.S)
BEGINNING = """These lines set up the exercises, in this folder; Python 3.11 or later, and a network for pip.
1. python3 -m venv .venv                              (on Windows: py -m venv .venv)
2. .venv/bin/pip install -r requirements.txt          (on Windows: .venv\\Scripts\\pip ...)
3. .venv/bin/jupyter lab                              (open a notebook; each check says what is right)
"""
KERNEL = {"display_name": "Python 3 (ipykernel)", "language": "python", "name": "python3"}


def held() -> set[str]:
    """The pages that this edition holds: those of _toc.yml, and what stands outside of chapters."""
    return set(re.findall(r"(?m)^ *(?:- )?file: *(\S+)", (ROOT / "_toc.yml").read_text(encoding="utf8")))


def sources() -> list[Path]:
    """The solved notebooks, in reading order."""
    return [path for path in sorted(SOURCES.glob("[0-9][0-9]_*.ipynb")) if f"notebooks/exercises/{path.stem}" in held()]


def chapters() -> list[Path]:
    """The chapters, in reading order."""
    return [path for path in sorted((ROOT / "notebooks").glob("*.ipynb")) if f"notebooks/{path.stem}" in held()]


def kind(cell: Any) -> str:
    """What a cell is: solution, check, open, or plain."""
    grader = cell.metadata.get("nbgrader", {})
    if grader.get("solution"):
        return "open" if cell.cell_type == "markdown" else "solution"
    return "check" if grader.get("grade") else "plain"


# ---- code with and without its solution ------------------------------------------------------------------------------
def stub_of(source: str) -> str:
    """The code with a stub instead of each solution."""
    lines, inside = [], False
    for line in source.splitlines():
        mark = line.strip()
        if mark == BEGIN:
            inside = True
            lines.append(line[:len(line) - len(line.lstrip())] + STUB)
        elif mark == END:
            inside = False
        elif not inside:
            lines.append(line)
    return "\n".join(lines)


def solved(source: str) -> str:
    """The code without the marks."""
    return "\n".join(line for line in source.splitlines() if line.strip() not in (BEGIN, END))


def complaints(notebook: Any) -> list[str]:
    """What an author forgot: unbalanced marks, checks without points or of another form, two cells of one name."""
    found, names = [], set()
    for cell in notebook.cells:
        marks = [line.strip() for line in cell.source.splitlines() if line.strip() in (BEGIN, END)]
        grader = cell.metadata.get("nbgrader", {})
        where = f"cell {cell.get('id')}"
        if marks != [BEGIN, END] * (len(marks) // 2):
            found.append(f"{where}: its marks of a solution do not go in pairs")
        if bool(marks) != (kind(cell) == "solution"):
            found.append(f"{where}: marks of a solution and its metadata say different things")
        if kind(cell) in ("check", "open") and not grader.get("points", 0) > 0:
            found.append(f"{where}: no points")
        if kind(cell) == "check" and not re.fullmatch(r"check\.\w+\(.*\)", cell.source.strip(), re.S):
            found.append(f"{where}: a check is one call, check.task(answer)")
        if kind(cell) == "open" and not SCHEME.search(cell.source):
            found.append(f"{where}: an open question without a marking guide")
        if grader and grader.get("grade_id") in names:
            found.append(f"{where}: a second cell of the name {grader['grade_id']}")
        names.add(grader.get("grade_id"))
    return found


# ---- the editions ----------------------------------------------------------------------------------------------------
def student(notebook: Any) -> Any:
    """The student's notebook: blanks, no outputs but those that show what to reach."""
    edition = copy.deepcopy(notebook)
    without_tests(edition)
    edition.metadata = nbformat.from_dict({"kernelspec": KERNEL, "language_info": {"name": "python"}})
    for cell in edition.cells:
        if kind(cell) == "solution":
            cell.source = stub_of(cell.source)
        elif kind(cell) == "open":
            cell.source = ANSWER
        if cell.cell_type == "code":
            cell.execution_count = None
            if "target" not in cell.metadata.get("tags", []):
                cell.outputs = []
    return edition


def asserted(notebook: Any) -> Any:
    """The notebook with each check an assert: nbgrader's own autograder gives points where nothing is raised."""
    edition = copy.deepcopy(notebook)
    for cell in edition.cells:
        if kind(cell) == "check":
            cell.source = "assert " + cell.source.strip()
    return edition


def release(notebook: Any) -> Any:
    """nbgrader's release: the student's notebook, each check an assert, with nbgrader's checksums of locked cells.

    What counts cannot be deleted in Jupyter, and what is locked cannot be edited, as where nbgrader releases it.
    """
    from nbgrader.preprocessors import LockCells
    from nbgrader.utils import compute_checksum

    edition, _ = LockCells().preprocess(asserted(student(notebook)), {})
    for cell in edition.cells:
        if "nbgrader" in cell.metadata and (cell.metadata.nbgrader.get("locked") or kind(cell) != "plain"):
            cell.metadata.nbgrader["checksum"] = compute_checksum(cell)
    return edition


def show_given(cells: list[Any], given: str, name: str) -> None:
    """Put the code that a task gives between its words and its hints, if there is any that its words do not say."""
    task = cells[-1].source if cells[-1].cell_type == "markdown" else ""
    signature = SIGNATURE.fullmatch(given)
    if given == STUB or (signature and f"`{signature[1]}`" in task):
        return
    code, hints = f"```python\n{given.replace(STUB, '...')}\n```", HINTS.search(task)
    if hints:
        cells[-1].source = f"{task[:hints.start()]}\n\n{code}\n\n{hints[0].strip()}"
    else:
        cells.append(nbformat.v4.new_markdown_cell(code, id=f"{name}-given"))


def page(notebook: Any, name: str, solutions: bool = True) -> Any:
    """The page of the book: what is asked, and what is given, visible; the solution folded, or left out."""
    cells = []
    for cell in copy.deepcopy(notebook.cells):
        what = kind(cell)
        cell.metadata.pop("nbgrader", None)
        if what == "check" or is_test(cell) or "remove-cell" in cell.metadata.get("tags", []):
            continue
        if what == "solution":
            show_given(cells, stub_of(cell.source).strip(), cell.id)
            if not solutions:
                continue
            cell.source = solved(cell.source)
            cell.metadata["tags"] = [*cell.metadata.get("tags", []), "hide-cell"]
            cell.metadata["mystnb"] = {**cell.metadata.get("mystnb", {}), "code_prompt_show": "Show the solution",
                                       "code_prompt_hide": "Hide the solution"}
        elif what == "open":
            if not solutions:
                continue
            answer = SCHEME.sub("\n", cell.source).strip()
            cell.source = f"::::{{dropdown}} Show an answer\n{answer}\n::::"
        cells.append(cell)
    title = next(c for c in cells if c.cell_type == "markdown")
    title.source += (f'\n\n<p class="exercise-download"><a class="download" href="student/{name}.ipynb" download>'
                     "Download the notebook</a> to solve it, or run <code>make lab</code>.</p>")
    edition = copy.deepcopy(notebook)
    edition.cells = cells
    edition.metadata = nbformat.from_dict({**edition.metadata, "mystnb": {"execution_mode": "off"}})
    return edition


def readable(path: Path, beside: bool = False, address: str = "") -> Any:
    """A notebook as any Jupyter can show it.

    It leads to the other notebooks where they lie `beside` it, else to the published pages at `address`.
    """
    name = path.relative_to(ROOT).with_suffix("").as_posix()
    pages = held()
    link = in_folder(name, lambda aim: beside and aim.startswith("notebooks/"), address,
                     lambda aim: aim in pages or not aim.startswith("notebooks/"))
    notebook = nbformat.read(path, as_version=4)
    without_tests(notebook)
    return plain(notebook, book(), name, link)


def for_lab(path: Path, beside: bool = True, address: str = "") -> Any:
    """A chapter, or an exercise to be solved."""
    edition = readable(path, beside, address)
    return student(edition) if path.parent == SOURCES else edition


def carried(beside: bool = True, address: str = "") -> dict[str, Any]:
    """All notebooks that readers take along, by their names below notebooks/."""
    return {path.relative_to(ROOT / "notebooks").as_posix(): for_lab(path, beside, address)
            for path in [*chapters(), *sources()]}


@functools.cache
def book() -> Book:
    """Titles and numbers of the whole book."""
    return Book(ROOT)


# ---- commands --------------------------------------------------------------------------------------------------------
def write_students(directory: Path, keep: bool = True) -> list[Path]:
    """Write the students' notebooks; one that exists may hold work and is kept."""
    directory.mkdir(parents=True, exist_ok=True)
    written = []
    for path in sources():
        target = directory / path.name
        if not (keep and target.exists()):
            nbformat.write(for_lab(path), target)
            written.append(target)
    return written


def write_release(directory: Path) -> list[Path]:
    """Write nbgrader's release, a directory an assignment; refuses sources with mistakes."""
    written = []
    for path in sources():
        notebook = nbformat.read(path, as_version=4)
        if wrong := complaints(notebook):
            raise SystemExit(f"{path.name}:\n  " + "\n  ".join(wrong))
        target = directory / path.stem / path.name
        target.parent.mkdir(parents=True, exist_ok=True)
        nbformat.write(release(readable(path)), target)
        written.append(target)
    return written


def write_course(directory: Path) -> list[Path]:
    """Write a course as nbgrader wants it: solved sources with asserts, the release, and a configuration."""
    for path in sources():
        target = directory / "source" / path.stem / path.name
        target.parent.mkdir(parents=True, exist_ok=True)
        nbformat.write(asserted(readable(path)), target)
    (directory / "nbgrader_config.py").write_text(
        f'c = get_config()\nc.CourseDirectory.course_id = "svm"\nc.ClearSolutions.code_stub = {{"python": "{STUB}"}}\n'
        f'c.ClearSolutions.text_stub = "{ANSWER}"\n')
    return [*write_release(directory / "release"), *write_beginning(directory / "release")]


def write_beginning(directory: Path) -> list[Path]:
    """What students need beside the notebooks: the two wheels, the packages, and three lines of how to begin."""
    for old in directory.glob("*.whl"):
        old.unlink()
    wheels = build_wheels(ROOT, directory)
    files = {"requirements.txt": requirements(ROOT, wheels), "README.txt": BEGINNING}
    for name, text in files.items():
        (directory / name).write_text(text, encoding="utf8")
    return [*wheels, *(directory / name for name in files)]


def lab(directory: Path) -> None:
    """What `make lab` opens: the students' notebooks, and the chapters beside them."""
    written = write_students(directory / "exercises")
    for path in chapters():
        target = directory / path.name
        if not target.exists():
            nbformat.write(for_lab(path), target)
    print(f"exercises: {directory / 'exercises'} ({len(written)} new; yours are kept)")


def skeleton(name: str) -> Any:
    """A notebook with a task of each kind."""
    def graded(grade_id: str, kind: str, points: int = 0) -> dict[str, Any]:
        """nbgrader's metadata of a cell."""
        return {"nbgrader": {"schema_version": 3, "grade_id": grade_id, "grade": kind in ("check", "open"),
                             "solution": kind in ("solution", "open"), "locked": kind == "check", "task": False,
                             **({"points": points} if points else {})}}

    new = nbformat.v4
    hints = ("<details><summary>Hint 1</summary>\n\nWhere to look.\n\n</details>\n\n"
             "<details><summary>Hint 2</summary>\n\nAll but the line itself.\n\n</details>")
    cells = [
        new.new_markdown_cell(f"# Exercises: {name}\n\nWhat you will be able to do.", id="title"),
        new.new_code_cell("import numpy as np\n\n"
                          f"from svmcourse.{name[3:]} import checks as check", id="imports"),
        new.new_markdown_cell("## Task N: what\n\n*2 points · warm-up · 10 minutes*\n\nAim. Question.\n\n" + hints,
                              id="task-n"),
        new.new_code_cell(f"def answer(X):\n    {BEGIN}\n    return X\n    {END}", id="solve-n",
                          metadata=graded("task_n", "solution")),
        new.new_code_cell("check.task_n(answer)", id="check-n", metadata=graded("check_task_n", "check", 2)),
        new.new_markdown_cell("## Question\n\n*3 points · open · 15 minutes*\n\nWhy?", id="question-m"),
        new.new_markdown_cell("Model answer, with measurements.\n\n=== BEGIN MARK SCHEME ===\n1 point for …\n"
                              "=== END MARK SCHEME ===", id="answer-m", metadata=graded("open_m", "open", 3)),
        new.new_code_cell("from svmcourse.checking import progress\n\nprogress()", id="progress",
                          metadata={"tags": ["remove-cell", "nbval-ignore-output"]}),
    ]
    return new.new_notebook(cells=cells, metadata={"kernelspec": KERNEL, "language_info": {"name": "python"}})


def main(arguments: list[str]) -> None:
    """Run one command."""
    match arguments:
        case ["lab"]:
            lab(ROOT / "lab")
        case ["release", *where]:
            for path in write_course(Path(where[0]) if where else ROOT / "_build" / "assignments"):
                print(path)
        case ["kit"]:
            wheels, archive = make_kit(ROOT, ROOT / "_build" / "kit", carried())
            for made in (*wheels, archive):
                print(f"{made.relative_to(ROOT)}: {made.stat().st_size / 1000:.0f} kB")
        case ["new", name] if re.fullmatch(r"\d\d_\w+", name) and not (SOURCES / f"{name}.ipynb").exists():
            SOURCES.mkdir(exist_ok=True)
            nbformat.write(skeleton(name), SOURCES / f"{name}.ipynb")
        case _:
            sys.exit(__doc__)


if __name__ == "__main__":
    main(sys.argv[1:])
