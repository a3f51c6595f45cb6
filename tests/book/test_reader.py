"""What a reader of the chapters meets: each thing in its order, and no document that she does not own."""
from __future__ import annotations

import ast
import io
import json
import re
import tokenize
from functools import cache
from pathlib import Path

import nbformat
import pytest
from chapters import chapters, introduced

ROOT = Path(__file__).resolve().parents[2]
CHAPTERS = [chapter.stem for chapter in chapters().values()]

# The five documents, where a reader would meet them.  "report" and "slide" are words of their own, too.
DOCUMENTS = re.compile(r"\b[Ss]heets?\b|\bslides\b|\b[Ss]lide \d|\b[Tt]he slide\b|\b[Tt]he report\b|\breport's\b"
                       r"|\bReport,|\b[Ll]ecture notes\b|\bTasks? 2\.|\bAufgaben?\b|KM40M2|\bxs_|\b[Tt]he sources?\b"
                       r"|[Ee]rratum|[Ee]rrata")
FOOT = re.compile(r":::\{admonition\} Where this comes from\n:class: dropdown sources\n.*?\n:::", re.S)
CITATION = re.compile(r"\{cite(?::\w+)?\}`[^`]*`")

# What each chapter introduces.  Words of a text may look ahead in a paragraph that links the chapter; code may not.
WORDS, NAMES = introduced("words"), introduced("names")
SOLVERS = {name: chapter for chapter, names in introduced("solvers").items() for name in names}


@cache
def cells(chapter: str) -> list[nbformat.NotebookNode]:
    return nbformat.read(ROOT / f"notebooks/{chapter}.ipynb", as_version=4).cells


def words_of_code(code: str) -> str:
    """Comments and texts in code: what is read, not what is called."""
    lines = [line for line in code.splitlines(keepends=True) if not line.lstrip().startswith(("%", "!"))]
    tokens = tokenize.generate_tokens(io.StringIO("".join(lines)).readline)
    kinds = {tokenize.COMMENT, tokenize.STRING, getattr(tokenize, "FSTRING_MIDDLE", tokenize.STRING)}
    return "\n".join(token.string for token in tokens if token.type in kinds)


def read_in(cell: nbformat.NotebookNode) -> str:
    """What a reader sees of a cell, the table at the foot and citations left out."""
    if cell.cell_type == "markdown":
        return CITATION.sub("", FOOT.sub("", cell.source))
    if {"remove-cell", "test"} & set(cell.metadata.get("tags", [])):
        return ""
    outputs = [output.get("text", "") or "\n".join(str(text) for kind, text in output.get("data", {}).items()
                                                   if kind in ("text/plain", "text/html"))
               for output in cell.outputs]
    caption = json.dumps(cell.metadata.get("mystnb", {}), ensure_ascii=False)
    return "\n".join([words_of_code(cell.source), caption, *outputs])


@pytest.mark.parametrize("chapter", CHAPTERS)
def test_the_documents_stand_at_the_foot_of_a_chapter(chapter: str) -> None:
    found = {cell.id: sorted(set(DOCUMENTS.findall(read_in(cell)))) for cell in cells(chapter)}
    assert {cell: words for cell, words in found.items() if words} == {}
    feet = [cell.id for cell in cells(chapter) if cell.cell_type == "markdown" and FOOT.search(cell.source)]
    assert len(feet) == 1, f"{chapter} has no table of where it comes from, or several: {feet}"
    assert cells(chapter)[-1].id == feet[0]
    assert cells(chapter)[-1].source.rstrip().endswith(FOOT.findall(cells(chapter)[-1].source)[-1])


@pytest.mark.parametrize("chapter", CHAPTERS)
def test_quizzes_ask_about_the_subject(chapter: str) -> None:
    text = (ROOT / f"svmcourse/{chapter[3:]}/questions.json").read_text(encoding="utf8")
    assert sorted(set(DOCUMENTS.findall(text))) == []


def texts_in(path: Path) -> list[str]:
    """The strings of a module that are not docstrings."""
    tree = ast.parse(path.read_text(encoding="utf8"))
    said = {id(node.body[0].value) for node in ast.walk(tree)
            if isinstance(node, (ast.Module, ast.FunctionDef, ast.ClassDef)) and isinstance(node.body[0], ast.Expr)}
    return [node.value for node in ast.walk(tree)
            if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in said]


@pytest.mark.parametrize("chapter", CHAPTERS)
def test_pictures_name_no_document(chapter: str) -> None:
    texts = texts_in(ROOT / f"svmcourse/{chapter[3:]}/figures.py")
    assert [text for text in texts if DOCUMENTS.search(text)] == []


@pytest.mark.parametrize("chapter", CHAPTERS)
def test_exercises_have_one_word_for_a_task(chapter: str) -> None:
    notebook = nbformat.read(ROOT / f"notebooks/exercises/{chapter}.ipynb", as_version=4)
    assert [cell.id for cell in notebook.cells if "Aufgabe" in cell.source] == []


def needs(chapter: str) -> list[str]:
    """The chapters that "You need" names."""
    text = "\n".join(cell.source for cell in cells(chapter)[:3] if cell.cell_type == "markdown")
    sentence = re.search(r"^You need (.*?)\babout \d+ minutes\.", text, flags=re.M | re.S)
    assert sentence, f"{chapter} does not say what it needs"
    return re.findall(r"\{doc\}`(\w+)`", sentence[1])


@pytest.mark.parametrize("chapter", CHAPTERS)
def test_what_a_chapter_needs_comes_before_it(chapter: str) -> None:
    known = chapters()
    assert needs(chapter) == [known[name].stem for name in known[chapter[3:]].facts["needs"]]
    late = [name for name in needs(chapter) if CHAPTERS.index(name) >= CHAPTERS.index(chapter)]
    assert late == []
    assert chapter == CHAPTERS[0] or needs(chapter), "only the first chapter needs none"


def reading_paths() -> list[list[str]]:
    """The paths of the preface: the chapters that each names by number."""
    preface = (ROOT / "book/preface.md").read_text(encoding="utf8")
    lists = re.findall(r"^```\{reading-path\} [^\n]+\n:for: [^\n]+\n([\d\s]+)^```$", preface, flags=re.M)
    return [[next(name for name in CHAPTERS if int(name[:2]) == int(number)) for number in numbers.split()]
            for numbers in lists]


def test_reading_paths_hold_what_their_chapters_need() -> None:
    assert len(reading_paths()) == 3
    for path in reading_paths():
        assert path == sorted(path, key=CHAPTERS.index), "a path goes back"
        lacking = {chapter: set(needs(chapter)) - set(path[:k]) for k, chapter in enumerate(path)}
        assert {chapter: missing for chapter, missing in lacking.items() if missing} == {}


def later(chapter: str, other: str) -> bool:
    return CHAPTERS.index(chapter) < CHAPTERS.index(other)


@pytest.mark.parametrize("chapter", CHAPTERS)
def test_words_come_after_their_chapter_or_link_it(chapter: str) -> None:
    early = {}
    for cell in cells(chapter):
        text = FOOT.sub("", cell.source) if cell.cell_type == "markdown" else ""
        for paragraph in re.split(r"\n\s*\n", text):
            for home, words in WORDS.items():
                linked = re.search(rf"\{{doc\}}`(?:{home[:2]}|1[0-8])_", paragraph)
                if later(chapter, home) and not linked and (found := re.findall(words, paragraph)):
                    early.setdefault(cell.id, []).extend(found)
    assert early == {}


@pytest.mark.parametrize("chapter", CHAPTERS)
def test_code_uses_what_has_been_introduced(chapter: str) -> None:
    early = {}
    for cell in cells(chapter):
        if cell.cell_type != "code":
            continue
        tree = ast.parse(cell.source)
        used = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)}
        used |= {alias.name for node in ast.walk(tree) if isinstance(node, ast.ImportFrom) for alias in node.names}
        found = {name for home, names in NAMES.items() if later(chapter, home) for name in used & set(names)}
        texts = {str(node.value) for node in ast.walk(tree) if isinstance(node, ast.Constant)}
        found |= {name for name in texts & set(SOLVERS) if later(chapter, SOLVERS[name])}
        if found:
            early[cell.id] = sorted(found)
    assert early == {}


@cache
def homes() -> dict[str, str]:
    """Label of an equation, theorem or figure -> the chapter that has it."""
    found = {}
    for chapter in CHAPTERS:
        for cell in cells(chapter):
            labels = re.findall(r"\$\$ \(([\w-]+)\)|^:(?:label|name): ([\w-]+)|^\(([\w-]+)\)=$", cell.source, re.M)
            labels += [(name, "", "") for name in re.findall(r'\bname="(fig-[\w-]+)"', cell.source)]
            name = cell.metadata.get("mystnb", {}).get("figure", {}).get("name")
            found.update({label: chapter for triple in [*labels, (name or "", "", "")] for label in triple if label})
    return found


@pytest.mark.parametrize("chapter", CHAPTERS)
def test_formulas_and_theorems_of_later_chapters_are_not_used(chapter: str) -> None:
    early = {}
    for cell in cells(chapter):
        if cell.cell_type != "markdown":
            continue
        for paragraph in re.split(r"\n\s*\n", FOOT.sub("", cell.source)):
            for label in re.findall(r"\{(?:eq|numref|prf:ref)\}`(?:[^`<]*<)?([\w-]+)>?`", paragraph):
                home = homes().get(label)
                if home and CHAPTERS.index(home) > CHAPTERS.index(chapter) and f"{{doc}}`{home}`" not in paragraph:
                    early.setdefault(cell.id, []).append(f"{label} of {home}")
    assert early == {}
