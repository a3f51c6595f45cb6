"""What is handed in, in whatever form, is graded or has a line that says why not.  Nothing is run here."""
from __future__ import annotations

import base64
import copy
import csv
import io
import json
import os
import re
import shlex
import shutil
import subprocess
import sys
import unicodedata
import zipfile

import a_class
import exercises
import forms_of_answers
import grade
import nbformat
import pytest
from graded import ROOT
from grading import collect, marks, report, sandbox, submission
from grading import judge as judges
from grading.boundary import Boundary
from grading.judge import OUTPUTS, Run, look_at, outputs_of, typed_in
from grading.remote import Function, Limits, Sandbox
from grading.submission import NoNotebook

from svmcourse.checking.core import Answer, Task, Wrong
from svmcourse.checking.mistakes import draw_by
from svmcourse.shared import forms
from svmcourse.soft_margin import checks

NAMES = [path.stem for path in exercises.sources()]
SOFT, SMO = "04_soft_margin", "10_smo"
NOTEBOOK = '{"cells": [], "nbformat": 4}'


def collected(top, files):
    """What is found of files, name -> content, by student and exercise; and what is passed over."""
    for name, content in files.items():
        path = top / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
    chosen, passed = collect.find(top, NAMES)
    return {(one.student, one.exercise): one for one in chosen}, passed


def packed(files):
    """The bytes of an archive."""
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w") as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    return made.getvalue()


# ---- names of files --------------------------------------------------------------------------------------------------
NFD = unicodedata.normalize("NFD", "Jörg")


@pytest.mark.parametrize(("name", "student"), [
    (f"Zoë/{SOFT}.ipynb", "Zoë"), (f"Zoë/{SOFT}/{SOFT}.ipynb", "Zoë"), (f"Zoë/week 4/mine/{SOFT}.ipynb", "Zoë"),
    (f"{SOFT}/Zoë/{SOFT}.ipynb", "Zoë"), (f"{SOFT}/Zoë.ipynb", "Zoë"), (f"{SOFT}/Zoë-{SOFT}.ipynb", "Zoë"),
    (f"Zoë-{SOFT}.ipynb", "Zoë"), (f"{SOFT}_Zoë.ipynb", "Zoë"), (f"group-1-{SOFT}.ipynb", "group-1"),
    (f"Zoë/{SOFT}.ipynb.txt", "Zoë"), (f"Zoë/{SOFT}.json", "Zoë"), (f"Zoë/{SOFT}.ipynb.json", "Zoë"),
    (f"Zoë/{SOFT}.IPYNB", "Zoë"), (f"Zoë/{SOFT}", "Zoë"), (f"Zoë/{SOFT}.txt", "Zoë"),
    ("Zoë/04 soft margin.ipynb", "Zoë"), ("Zoë/04-Soft-Margin.ipynb", "Zoë"), (f"Zoë/{SOFT} (1).ipynb", "Zoë"),
    (f"Zoë-{SOFT} (1).ipynb", "Zoë"),
    (f"Zoë-{SOFT}-1.ipynb", "Zoë"), (f"Zoë-{SOFT} - Kopie.ipynb", "Zoë"), (f"Zoë {SOFT} copy 2.ipynb", "Zoë"),
    (f"{NFD}/{SOFT}.ipynb", "Jörg"), (f"Müller /{SOFT}.ipynb", "Müller"), (f" Anna  Ó Sé-{SOFT}.ipynb", "Anna Ó Sé"),
    (f"Müller Anna_4711_assignsubmission_file_/{SOFT}.ipynb", "Müller Anna"),
    (f"Müller Anna_4711_assignsubmission_file_{SOFT}.ipynb", "Müller Anna"),
    (f"SVM-4-1234/Müller Anna_4711_assignsubmission_file_/{SOFT}.ipynb", "Müller Anna"),
    (f"okonkwoada_12345_678910_{SOFT}.ipynb", "okonkwoada"),
    (f"okonkwoada_LATE_12345_678910_{SOFT}-1.ipynb", "okonkwoada"),
    (f"4321-99 - Ada Okonkwo - Nov 3, 2026 1134 AM/{SOFT}.ipynb", "Ada Okonkwo"),
    (f"Week 4_aokonkwo_attempt_2026-11-03-10-00-00_{SOFT}.ipynb", "aokonkwo"),
    (f"a\x1b[31m\rb/{SOFT}.ipynb", "a\ufffd[31m b"), (f"x\u202ey\u200b/{SOFT}.ipynb", "xy"), (f"{SOFT}.ipynb", SOFT),
])
def test_the_student_is_found_in_every_name(name, student, tmp_path):
    found, passed = collected(tmp_path, {name: NOTEBOOK})
    assert list(found) == [(student, SOFT)]
    assert passed == []
    assert list(collected(tmp_path / "packed", {"class.zip": packed({name: NOTEBOOK})})[0]) == [(student, SOFT)]


def test_names_that_mean_one_student_are_one(tmp_path):
    found, _ = collected(tmp_path, {
        f"{NFD}/{SOFT}.ipynb": NOTEBOOK, f"Jörg/{SMO}.ipynb": NOTEBOOK, f"dup-{SOFT}.ipynb": NOTEBOOK,
        "dup (1).ipynb": json.dumps({"cells": [], "x": f"from svmcourse.{SOFT[3:]} import checks as check"})})
    assert set(found) == {("Jörg", SOFT), ("Jörg", SMO), ("dup", SOFT)}
    assert found["dup", SOFT].notes[0].startswith("2 notebooks of this exercise: graded was dup")


def test_names_that_mean_two_students_are_two(tmp_path):
    files = [f"Anna Müller_{k}_assignsubmission_file_/{SOFT}.ipynb" for k in (11, 12)]
    files += [f"group ({k}).ipynb" for k in (1, 2)]
    imports = json.dumps({"cells": [], "x": f"from svmcourse.{SOFT[3:]} import checks as check"})
    found, _ = collected(tmp_path, dict.fromkeys(files, imports))
    assert set(found) == {(name, SOFT) for name in ("Anna Müller 11", "Anna Müller 12", "group (1)", "group (2)")}
    assert found["Anna Müller 11", SOFT].notes[0] == "look at the name: several are called Anna Müller"


def test_of_several_one_that_is_filled_in_is_graded(tmp_path):
    blank = nbformat.writes(exercises.student(a_class.source(SOFT)))
    full = nbformat.writes(a_class.light())
    found, _ = collected(tmp_path, {f"Zoë/{SOFT}.ipynb": blank, f"Zoë/{SOFT} (1).ipynb": full})
    assert found["Zoë", SOFT].path == f"Zoë/{SOFT} (1).ipynb"
    assert f"not Zoë/{SOFT}.ipynb" in found["Zoë", SOFT].notes[0]


# ---- archives --------------------------------------------------------------------------------------------------------
def test_archives_are_opened(tmp_path):
    inner = packed({f"work/{SMO}.ipynb": NOTEBOOK})
    found, passed = collected(tmp_path, {
        "Zoë.zip": packed({f"{SOFT}.ipynb": NOTEBOOK, "__MACOSX/._x": b"", "notes.txt": "none"}),
        f"{SOFT}.ZIP": packed({f"Ada/{SOFT}.ipynb": NOTEBOOK}), "Ada/all.zip": inner,
        "SVM-1234.zip": packed({"Noor_12_assignsubmission_file_/mine.zip": inner})})
    assert set(found) == {("Zoë", SOFT), ("Ada", SOFT), ("Ada", SMO), ("Noor", SMO)}
    assert found["Noor", SMO].content == NOTEBOOK.encode()
    assert passed == ["Zoë.zip/notes.txt: it is no notebook"]


def test_names_in_archives_of_macs_are_read(tmp_path):
    made = bytearray(packed({f"Zoë/{SOFT}.ipynb": NOTEBOOK}))
    for at in (found.start() for found in re.finditer(rb"PK\x03\x04|PK\x01\x02", bytes(made))):
        made[at + (7 if made[at + 2] == 3 else 9)] &= ~0x08             # UTF-8, which it does not say
    assert set(collected(tmp_path, {"class.zip": bytes(made)})[0]) == {("Zoë", SOFT)}


def test_an_archive_that_is_too_much_stops_nothing(tmp_path, monkeypatch):
    monkeypatch.setattr(collect, "LARGEST", 10_000)
    monkeypatch.setattr(collect, "MEMBERS", 5)
    bomb = io.BytesIO()
    with zipfile.ZipFile(bomb, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr(f"{SOFT}.ipynb", bytes(1_000_000))
    nested = packed({f"{SOFT}.ipynb": NOTEBOOK})
    for _ in range(3):
        nested = packed({"in.zip": nested})
    locked = bytearray(packed({f"{SOFT}.ipynb": NOTEBOOK}))
    locked[locked.index(b"PK\x01\x02") + 8] |= 1
    found, passed = collected(tmp_path, {
        "bomb.zip": bomb.getvalue(), "cut.zip": bomb.getvalue()[:200], "deep.zip": nested, "empty.zip": packed({}),
        "many.zip": packed({f"{k}.txt": "" for k in range(9)}), "secret.zip": bytes(locked), "up.zip": packed(
            {f"../../Ada/{SOFT}.ipynb": NOTEBOOK})})
    assert {student: one.refused for (student, _), one in found.items()} == {
        "bomb": "this has more than 0.01 MB", "secret": "this archive wants a password", "up": ""}
    said = dict(line.split(": ", 1) for line in passed)
    assert said["deep.zip/in.zip/in.zip"] == "this archive lies in an archive in an archive"
    assert said["cut.zip"].startswith("this archive cannot be opened")
    assert said["many.zip"].startswith("this archive has more than 5 files")
    assert said["empty.zip"] == "this archive is empty"
    assert not (tmp_path.parent / "Ada").exists()


# ---- nothing is lost -------------------------------------------------------------------------------------------------
def test_whatever_lies_there_is_in_a_list(tmp_path):
    (tmp_path / "nobody").mkdir()
    (tmp_path / "gone").symlink_to("nowhere")
    files = {f"Zoë/{SOFT}.ipynb": "<html>", f"Zoë/{SMO}.py": "1", "Zoë/report.pdf": b"%PDF", "Zoë/.hidden": "",
             "x.rar": "Rar", "other.ipynb": NOTEBOOK, "table.json": "{}", "Zoë/.DS_Store": "",
             "Zoë/.ipynb_checkpoints/x.ipynb": NOTEBOOK}
    found, passed = collected(tmp_path, files)
    assert set(found) == {("Zoë", SOFT)}
    assert sorted(passed) == sorted([
        f"Zoë/{SMO}.py: it is no notebook", "Zoë/report.pdf: it is no notebook", "Zoë/.hidden: it is no notebook",
        "x.rar: this kind of archive is not opened: unpack it", "other.ipynb: it is no exercise of this book",
        "table.json: it is no notebook", "nobody: this folder is empty", "gone: this is a link, which is not followed"])


@pytest.mark.skipif(os.geteuid() == 0, reason="root reads every folder")
def test_a_folder_that_cannot_be_read_is_in_a_list(tmp_path):
    (tmp_path / "closed").mkdir(mode=0)
    assert collected(tmp_path, {})[1] == ["closed: this folder cannot be read: Permission denied"]


@pytest.mark.parametrize(("content", "words"), [
    (b"", "the file is empty"), (b"\0" * 50, "the file is empty"), (b"<!DOCTYPE html><p>", "it is a web page"),
    (b"version https://git-lfs.github.com/spec/v1\noid", "a pointer of Git LFS"), (b"%PDF-1.7", "it is a PDF"),
    (b"PK\3\4abc", "it is an archive"), (b'{"cells": [\n<<<<<<< HEAD\n1', "marks of a merge in git"),
    (b"[1]", "it has no cells"), (b'{"cells": 5}', "it has no cells"), (b'{"cells": [', "it is damaged or breaks off"),
    (b"[" * 100_000, "it is damaged"), (b'{"nbformat": 3, "worksheets": 7}', "it is damaged"),
], ids=lambda given: None if isinstance(given, str) else "")
def test_what_is_no_notebook_says_what_it_is(content, words):
    with pytest.raises(NoNotebook, match=f"this is no notebook: .*{words}"):
        submission.cells_of(content)


def test_what_is_no_notebook_has_one_line(tmp_path):
    nbformat.write(exercises.release(a_class.source(SOFT)), tmp_path / "release.ipynb")
    why = "Not read: this is no notebook: the file is empty."
    result = grade.nothing(tmp_path / "release.ipynb", why, Boundary("", tmp_path, tmp_path))
    row = {"student": "Zoë", "exercise": SOFT, "feedback": "x", "result": result}
    for page in (report.feedback("Zoë", SOFT, result), report.instructor([row], "", {})):
        assert page.count("the file is empty") == 1


# ---- a cell that is there again --------------------------------------------------------------------------------------
def rebuilt(notebook):
    """The cells that are run of a notebook, and what is said of them."""
    given = submission.cells_of(nbformat.writes(notebook).encode())
    return submission.rebuild(exercises.release(a_class.source(SOFT)), given)


def test_a_split_or_copied_cell_runs_as_in_jupyter():
    notebook = a_class.light()
    wanted = a_class.cell(notebook, "slack").source
    second = copy.deepcopy(a_class.cell(notebook, "slack"))
    second["id"] = "half"
    a_class.cell(notebook, "slack").source = "helper = 1"
    notebook.cells.insert(notebook.cells.index(a_class.cell(notebook, "slack")) + 1, second)
    cells, notes = rebuilt(notebook)
    sources = [cell.source for cell in cells if cell.cell_type == "code"]
    assert sources.index("helper = 1") + 1 == sources.index(wanted) < sources.index("assert check.slack(slack)")
    assert notes == ["the cell 'slack' is there again: that was run, too"]
    assert sum(cell.metadata.get("nbgrader", {}).get("grade_id") == "slack" for cell in cells) == 1


def test_a_split_answer_is_read_to_its_end_and_a_second_check_is_not():
    notebook = a_class.light()
    for name, text in (("open_question_C", "And because of that."), ("check_slack", "check.slack = None")):
        second = copy.deepcopy(a_class.cell(notebook, name))
        second.update(id=f"{name}-2", source=text)
        notebook.cells.append(second)
    cells, notes = rebuilt(notebook)
    assert notes == ["a second cell 'check_slack' was ignored"]
    names = [cell.metadata.get("nbgrader", {}).get("grade_id") for cell in cells]
    assert names.count("open_question_C") == names.count("check_slack") == 1
    assert cells[names.index("open_question_C")].source == "I measured it.\n\nAnd because of that."
    assert "check.slack = None" not in [cell.source for cell in cells]


# ---- the first error -------------------------------------------------------------------------------------------------
def test_an_answer_that_is_not_there_says_how_its_cell_ended(tmp_path):
    run = Run([], exercises.release(a_class.source(SOFT)), checks, Limits(), Boundary("", tmp_path, tmp_path))
    missing = "NameError (name 'slack' is not defined)"
    assert run.why_missing("slack", missing)[:2] == ("missing", "slack is not there: no cell defines it.")
    run.failed = [("cell 3", "import helpers", "ended with ModuleNotFoundError (No module named 'helpers')"),
                  ("cell 4", "def aid(x):\n    return y", "ended with SyntaxError (never closed) in line 1, `(`"),
                  ("slack", "\xa0def slack(w, b, X, y):", "was stopped: still running after 20 seconds")]
    assert run.why_missing("slack", missing)[:2] == (
        "cell-error", "slack is not there, since its cell was stopped: still running after 20 seconds")
    assert run.why_missing("aid", missing)[1].endswith("its cell ended with SyntaxError (never closed) in line 1, `(`")
    run.failed[2] = ("slack", "import torch", "ended with ModuleNotFoundError (No module named 'torch')")
    assert "the packages of the course, and no others" in run.why_missing("slack", missing)[2]
    assert run.helpers("slack stopped with NameError (name 'aid' is not defined) in line 2.").startswith(
        " aid is not there, since its cell ended with SyntaxError")
    assert run.helpers("slack stopped with ZeroDivisionError (x).") == run.helpers("") == ""


def test_the_instructors_page_counts_errors_by_what_they_are():
    def row(student, message, key="cell-error"):
        task = {"name": "slack", "title": "Slack", "points": 0.0, "most": 2.0, "key": key, "message": message,
                "hint": ""}
        return {"student": student, "exercise": SOFT, "feedback": "x",
                "result": {"tasks": [task], "notes": [], "cells": [], "boundary": "", "seconds": 0.0}}

    rows = [row("a", "TabError"), row("b", "TabError"), row("c", "EOFError"), row("d", "Not read", "not-judged")]
    page = report.instructor(rows, "", {})
    for line in ("<td>2</td><td>cell-error</td><td>TabError</td>", "<td>1</td><td>cell-error</td><td>EOFError</td>"):
        assert line in page
    assert "0 of 3 solved" in page


# ---- marks by hand ---------------------------------------------------------------------------------------------------
LINES = [["student", "exercise", "task", "points", "of", "comment", "answer"],
         ["Zoë Müller ", SOFT, "slack", "1,5", "2", "Schön – „fast“", "#12e3456789"]]


@pytest.mark.parametrize(("coding", "separator", "begin"), [
    ("utf-8-sig", ",", ""), ("utf-8", ";", ""), ("cp1252", ";", ""), ("utf-16", "\t", ""), ("cp1252", ";", "sep=;\r\n"),
])
def test_marks_are_read_as_spreadsheets_write_them(coding, separator, begin, tmp_path):
    table = io.StringIO(newline="")
    csv.writer(table, delimiter=separator).writerows([[name.title() for name in LINES[0]], LINES[1], [""] * 7])
    path = tmp_path / "marks.csv"
    path.write_bytes((begin + table.getvalue()).encode(coding))
    (line,) = marks.read(path)
    assert line == dict(zip(LINES[0], ["Zoë Müller", *LINES[1][1:]], strict=True))


@pytest.mark.parametrize(("content", "words"), [
    (packed({"xl/workbook.xml": "x"}), "It is a workbook"),
    (b"a;b\n1;2\n", "has no column exercise, points, student, task"),
], ids=["workbook", "columns"])
def test_marks_that_cannot_be_read_stop_before_anything_is_graded(content, words, tmp_path, monkeypatch):
    (tmp_path / "class").mkdir()
    (tmp_path / "class-marks.csv").write_bytes(content)
    monkeypatch.setattr(grade, "boundary_for", lambda *given: None)
    with pytest.raises(SystemExit, match=f"Nothing was graded, since .*class-marks.csv cannot be read.*{words}"):
        grade.grade_all(tmp_path / "class", tmp_path / "out", Limits())


def test_a_class_has_a_secret_number_that_stays(tmp_path):
    asked = []

    def third_time(seed):
        asked.append(seed)
        return ["01_intuition.widest"] * (len(asked) < 3)

    seed = grade.secret_seed(tmp_path / "class A", third_time)
    file = tmp_path / "class A-seed.txt"
    assert seed == asked[2] == grade.secret_seed(tmp_path / "class A") == int(file.read_text().splitlines()[0])
    assert file.stat().st_mode & 0o077 == 0
    assert grade.secret_seed(tmp_path / "class B", third_time) != seed
    with pytest.raises(SystemExit, match="on other random cases some solutions of this course are not right"):
        grade.secret_seed(tmp_path / "class C", lambda seed: ["01_intuition.widest"])
    assert not (tmp_path / "class C-seed.txt").exists()
    file.write_text("lost")
    with pytest.raises(SystemExit, match=r"the first line of .*class A-seed.txt is no whole number"):
        grade.secret_seed(tmp_path / "class A")


@pytest.fixture
def drawn():
    """Afterwards the checks draw their usual cases again."""
    yield
    draw_by(None)


@pytest.mark.thorough
def test_cases_on_which_a_solution_fails_are_not_taken(monkeypatch, drawn):
    assert judges.unfit(4242) == []
    monkeypatch.setattr(judges, "all_tasks", lambda: {"01_intuition.widest": Task("w", "w", "W", lambda answer: 1 / 0)})
    assert judges.unfit(4242) == ["01_intuition.widest"]


# ---- what takes long, and what takes room ----------------------------------------------------------------------------
@pytest.mark.parametrize("text", [
    "#" + "svmcourse " * 20_000, "# check" + " as check" * 40_000, "sys" + " " * 300_000,
    "# " + "check." * 50_000, "assert " * 40_000], ids=lambda text: text[:9])
@pytest.mark.timeout(60)                                # 0.1 s each; one that tries pairs of places took minutes
def test_a_long_line_holds_no_judge(text):
    look_at([nbformat.v4.new_code_cell(text)], checks)
    submission.bare(text), submission.defined(text)


def test_who_reads_the_checks_is_still_seen():
    for source, seen in (("from svmcourse.soft_margin import checks as check", False),
                         ("from svmcourse.checking import progress", False),
                         ("from svmcourse.checking.core import Task", True),
                         ("a = 1; import svmcourse.smo.checks_runs", True),
                         ("import svmcourse\ncheck(3)", False)):
        notes = look_at([nbformat.v4.new_code_cell(source)], checks)
        assert any("reads the checks" in note for note in notes) == seen, source


@pytest.mark.parametrize(("source", "typed"), [
    ("half_margins = [0.107, 0.021, 0.142]", True), ("a: float = 1.5\nhalf_margins = dict(hard=-a)", False),
    ("half_margins = np.array([0.1, 2])\nb = {'hard': -1e-3}", True), ("half_margins = None", False),
    ("# nothing", False), ("half_margins = [SVC(C=C).fit(X, y).margin_ / 2 for C in (1, 2)]", False),
    ("half_margins = (", False),
])
def test_results_that_are_typed_in_are_noted(source, typed):
    notebook = a_class.with_code(SOFT, aufgabe_4=source)
    notes = typed_in(notebook.cells, a_class.source(SOFT).cells)
    assert notes == ["look at aufgabe_4: its results are typed in, and not computed there"] * typed


def test_outputs_of_a_notebook_have_a_budget():
    picture = {"data": {"image/png": base64.b64encode(b"\x89PNG" + bytes(1_500_000)).decode()}}
    kept = outputs_of({"outputs": [picture] * 20})
    assert sum(len(one.get("data", {}).get("image/png", "")) for one in kept) <= OUTPUTS
    assert kept[-1]["text"] == "[more is left out: a report shows 10 MB of a notebook]"
    assert outputs_of({"outputs": [picture]}, 0) == kept[-1:]


# ---- where names are bytes -------------------------------------------------------------------------------------------
@pytest.mark.thorough       # a process that imports numba and more
def test_a_system_without_utf8_grades_everybody(tmp_path):
    """Where file names are ASCII, as in LC_ALL=C with Python's own way around that switched off."""
    code = ("import sys; sys.path[:0] = [{!r}]; from pathlib import Path; import grade\nfrom grading import collect\n"
            "top = Path(sys.argv[1]); (one,), passed = collect.find(top / 'in', ['04_soft_margin'])\n"
            "(top / 'feedback').mkdir()\n"
            "task = dict(name='a', title='a', points=1.0, most=1.0, key='solved', message='', hint='')\n"
            "result = dict(tasks=[task], notes=[], boundary='', cells=[])\n"
            "where = grade.Pages(top).write(dict(student=one.student, exercise='e', path=one.path, result=result))\n"
            "assert sys.getfilesystemencoding() == 'ascii'\n"
            "assert (one.student, where) == ('Zo\\xeb', 'feedback/Zo\\xeb--e.html')\n"
            ).format(str(ROOT / "book" / "_tools"))
    (tmp_path / "in" / "Zoë").mkdir(parents=True)
    (tmp_path / "in" / "Zoë" / f"{SOFT}.ipynb").write_text(NOTEBOOK)
    subprocess.run([sys.executable, "-c", code, str(tmp_path)], check=True,
                   env={**os.environ, "LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"})
    assert [path.name for path in (tmp_path / "feedback").iterdir()] == ["Zoë--e.html"]


@pytest.mark.skipif(shutil.which("make") is None, reason="there is no make")
@pytest.mark.parametrize(("target", "variable"), [("grade", "DIR"), ("refresh", "NB")])
@pytest.mark.parametrize("path", ["/x/SVM WS 26/submitted", "it's ü", 'a "b" $HOME `c` $(d) \\e', ""])
def test_a_path_reaches_a_target_of_make_as_it_is(target, variable, path):
    given = subprocess.run(["make", "--dry-run", "--silent", target, f"{variable}={path}"], cwd=ROOT, check=True,
                           capture_output=True, text=True).stdout.strip().splitlines()[-1]
    assert shlex.split(given)[2:] == [path] * bool(path)


# ---- forms of answers ------------------------------------------------------------------------------------------------
def test_both_judges_see_the_same_of_every_form(tmp_path):
    """At home as it is, in a class as JSON over a pipe, which test_grading.py sends through a boundary."""
    cell: dict = {}
    exec(forms_of_answers.SOURCE, cell)
    box = Sandbox(Boundary("", tmp_path, tmp_path), Limits())
    refused = {**forms_of_answers.REFUSED, "too deep": "[[[[[[something nested too deeply]]]]]]"}
    assert set(cell["forms"]) == set(forms_of_answers.EXPECTED) | set(refused)
    for name, make in cell["forms"].items():
        at_home = Answer(make, name)()
        in_class = Answer(lambda make=make: box.decode(json.loads(json.dumps(sandbox.encode(make()))), 1.0), name)()
        for got in (at_home, in_class):
            if name in refused:
                assert str(got) == refused[name]
            else:
                assert forms_of_answers.same(got, forms_of_answers.EXPECTED[name]), (name, got)


def test_a_generator_that_fails_says_so_to_both_judges():
    def answer():
        yield 1 / 0

    with pytest.raises(Wrong, match="ZeroDivisionError"):
        Answer(answer, "answer")()
    with pytest.raises(ZeroDivisionError):
        sandbox.encode(answer())


@pytest.mark.parametrize(("answer", "words"), [
    (3.5, "Asked for is a function. Found: 3.5, of type float."),
    ([1], "Asked for is a function. Found: [1], of type list."), (lambda *given: object, "a function, object"),
    (lambda *given: [Function(None, 0, "aid", 1.0)], "[<function aid>], of type list"),
    (lambda *given: forms.Opaque("an odd thing, of type Odd"), "Found: an odd thing, of type Odd."),
])
def test_what_is_no_answer_is_named_without_our_machinery(answer, words, tmp_path):
    result = checks.slack.judge(answer)
    assert not result.passed
    assert words in result.message
    for inside in ("Opaque", "grading", "Answer object", "The check itself"):
        assert inside not in result.message


def test_a_long_name_makes_no_long_message(tmp_path):
    def answer(w, b, X, y):
        raise ValueError("x" * 10_000_000)

    answer.__name__ = "f" * 8_000_000
    assert len(str(checks.slack.judge(answer))) < 1_000
    assert len(json.dumps(sandbox.encode(answer))) < 200
