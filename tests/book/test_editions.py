"""Every edition of an exercise comes from its source: nothing of a solution reaches a student, nothing else is lost."""
from __future__ import annotations

import ast
import zipfile

import exercises
import nbformat
import pytest
from exercises import ANSWER, BEGIN, SCHEME, STUB, kind
from test_cells import is_test

SOURCES = exercises.sources()


@pytest.fixture(params=SOURCES, ids=lambda path: path.stem)
def source(request):
    return nbformat.read(request.param, as_version=4)


def secret_lines(notebook):
    """Lines that only a solution has."""
    given, secret = set(), set()
    for cell in notebook.cells:
        if kind(cell) == "solution":
            kept = set(exercises.stub_of(cell.source).splitlines())
            given |= kept
            secret |= {line for line in exercises.solved(cell.source).splitlines() if len(line.strip()) > 12} - kept
        elif kind(cell) == "open":
            secret |= {line for line in cell.source.splitlines() if len(line) > 12}
        else:
            given |= set(cell.source.splitlines())
    return secret - given


def text_of(notebook):
    return "\n".join(cell.source for cell in notebook.cells)


def test_authors_forgot_nothing(source):
    assert exercises.complaints(source) == []


def test_solved_source_passes_its_checks(source):
    """The stored outputs, which nbval compares, say so."""
    for cell in source.cells:
        if kind(cell) == "check":
            (output,) = cell.outputs
            assert output.data["text/plain"].startswith("✓"), output.data["text/plain"]


def test_student_has_blanks_and_no_solution(source):
    """And no cell that only the tests run."""
    edition = exercises.student(source)
    for ours, theirs in zip([cell for cell in source.cells if not is_test(cell)], edition.cells, strict=True):
        if kind(ours) == "solution":
            assert STUB in theirs.source
            ast.parse(theirs.source)
        elif kind(ours) == "open":
            assert theirs.source == ANSWER
        else:
            assert theirs.source == ours.source
        assert kind(theirs) == kind(ours)
    text = text_of(edition)
    assert not [line for line in secret_lines(source) if line in text]
    assert BEGIN not in text
    assert "MARK SCHEME" not in text
    nbformat.validate(edition)


def test_release_asserts_its_checks_and_satisfies_nbgrader(source, tmp_path):
    from nbgrader.preprocessors import CheckCellMetadata
    from nbgrader.utils import compute_checksum

    edition = exercises.release(source)
    for cell in edition.cells:
        if kind(cell) == "check":
            assert cell.source.startswith("assert check.")
            assert cell.metadata.nbgrader.checksum == compute_checksum(cell)
        if kind(cell) != "plain":
            assert cell.metadata.deletable is False
        assert (cell.metadata.get("editable") is False) == bool(cell.metadata.get("nbgrader", {}).get("locked"))
    CheckCellMetadata().preprocess(edition, {})
    nbformat.validate(edition)


def test_a_release_says_how_to_begin(tmp_path):
    made = {path.name: path for path in exercises.write_beginning(tmp_path)}
    wheels = [name for name in made if name.endswith(".whl")]
    lines = made["requirements.txt"].read_text().splitlines()
    assert lines[:2] == [f"./{wheel}" for wheel in wheels]
    assert [wheel.partition("-")[0] for wheel in wheels] == ["svmlib", "svmcourse"]
    assert any(line.startswith("jupyterlab==") for line in lines)
    steps = made["README.txt"].read_text().splitlines()[1:]
    assert [step[:2] for step in steps] == ["1.", "2.", "3."]
    with zipfile.ZipFile(made[wheels[1]]) as packed:
        assert "svmcourse/soft_margin/checks.py" in packed.namelist()


def test_page_shows_questions_folds_solutions_and_no_machinery(source):
    page = exercises.page(source, "00_name")
    text = text_of(page)
    for mark in ("### BEGIN", "### END", "MARK SCHEME", "nbgrader"):
        assert mark not in text
    assert not any("nbgrader" in cell.metadata or kind(cell) != "plain" for cell in page.cells)
    assert 'href="student/00_name.ipynb"' in page.cells[0].source
    missing = [line for line in secret_lines(source) if line not in text and line not in guides(source)]
    assert missing == []
    for cell in page.cells:
        if cell.cell_type == "code" and any(line in cell.source for line in secret_lines(source)):
            assert "hide-cell" in cell.metadata.tags


def guides(notebook):
    return "\n".join(found[0] for cell in notebook.cells if (found := SCHEME.search(cell.source)))


def test_page_without_solutions(source):
    text = text_of(exercises.page(source, "00_name", solutions=False))
    assert not [line for line in secret_lines(source) if line in text]
    for cell in source.cells:
        if kind(cell) == "plain" and cell.cell_type == "markdown":
            assert [line for line in cell.source.splitlines() if line not in text] == []


def test_page_gives_the_code_that_the_words_do_not_say_before_the_hints():
    notebook = exercises.skeleton("99_nothing")
    task, solution = (next(cell for cell in notebook.cells if cell.id == name) for name in ("task-n", "solve-n"))

    def shown(words, given):
        task.source = words + "\n\n<details><summary>Hint 1</summary>\n\nWhere?\n\n</details>"
        solution.source = f"{given}{exercises.BEGIN}\n    return X\n    {exercises.END}"
        return "\n\n".join(cell.source for cell in exercises.page(notebook, "99_nothing").cells).split("Hint 1")[0]

    assert "def" not in shown("Write `answer(X)`.", "def answer(X):\n    ")
    assert "def answer(X):\n    ...\n```" in shown("Write it.", "def answer(X):\n    ")
    assert "def answer(X, y):\n    ..." in shown("Write `answer(X)`.", "def answer(X, y):\n    ")
    assert "    n = len(X)\n    ...\n```" in shown("Write `answer(X)`.", "def answer(X):\n    n = len(X)\n    ")
    assert "```" not in shown("Write it.", "")


def test_an_authors_mistakes_are_named():
    notebook = exercises.skeleton("99_nothing")
    assert exercises.complaints(notebook) == []
    by_id = {cell.id: cell for cell in notebook.cells}
    by_id["solve-n"].source = by_id["solve-n"].source.replace("### END SOLUTION", "")
    by_id["check-n"].source = "assert answer(1) == 1"
    by_id["check-n"].metadata.nbgrader.points = 0
    by_id["answer-m"].source = "no guide"
    by_id["answer-m"].metadata.nbgrader.grade_id = "task_n"
    found = "\n".join(exercises.complaints(notebook))
    for words in ("do not go in pairs", "no points", "a check is one call", "without a marking guide", "a second cell"):
        assert words in found


def test_lab_keeps_what_a_student_wrote(tmp_path):
    written = exercises.write_students(tmp_path)
    assert [path.name for path in written] == [path.name for path in SOURCES]
    written[0].write_text("my work")
    assert exercises.write_students(tmp_path) == []
    assert written[0].read_text() == "my work"


def test_in_the_lab_the_documents_fold_at_the_foot():
    path = SOURCES[0].parents[1] / "04_soft_margin.ipynb"
    assert text_of(nbformat.read(path, as_version=4)).count(":::{admonition} Where this comes from\n") == 1
    assert text_of(exercises.for_lab(path)).count("<summary>Where this comes from</summary>") == 1


@pytest.mark.parametrize("path", SOURCES, ids=lambda path: path.stem)
def test_in_the_lab_an_exercise_is_the_students(path, tmp_path):
    """In plain Markdown, and otherwise the same."""
    ours = exercises.student(nbformat.read(path, as_version=4))
    theirs = exercises.for_lab(path)
    cells = [cell for cell in theirs.cells if cell.id != "references"]
    for before, after in zip(ours.cells, cells, strict=True):
        assert before == after or before.cell_type == "markdown"
        assert (before.id, before.metadata) == (after.id, after.metadata)


def test_every_check_is_called_by_its_exercise(source):
    from svmcourse.checking import all_tasks

    chapter = next(path.stem for path in SOURCES if nbformat.read(path, as_version=4) == source)
    calls = [cell.source.strip() for cell in source.cells if kind(cell) == "check"]
    called = {call.removeprefix("check.").partition("(")[0] for call in calls}
    assert {f"{chapter}.{name}" for name in called} == {name for name in all_tasks() if name.startswith(chapter + ".")}
