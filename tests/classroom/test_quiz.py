"""Quizzes: the same HTML at every run, no script, and questions that can be answered."""

from __future__ import annotations

import copy
import json
from pathlib import Path
from typing import Any

import pytest

from svmlib.classroom import quiz

ROOT = Path(__file__).resolve().parents[2]
NOTEBOOKS, QUESTIONS = ROOT / "notebooks", ROOT / "svmlib/classroom/questions"

QUESTION: dict[str, Any] = {
    "question": "What does a smaller $C$ do to the margin & why?",
    "type": "multiple_choice",
    "answers": [
        {"answer": "It grows.", "correct": True, "feedback": "Slack costs less."},
        {"answer": "It `shrinks`.", "correct": False, "feedback": "A larger $C$ does that."},
    ],
}


def test_html_is_the_same_at_every_run_and_holds_no_script() -> None:
    first, second = quiz([QUESTION])._repr_html_(), quiz([copy.deepcopy(QUESTION)])._repr_html_()
    assert first == second
    assert "<script" not in first
    assert "http" not in first


def test_every_choice_is_a_native_disclosure_with_its_feedback() -> None:
    html = quiz([QUESTION, QUESTION])._repr_html_()
    assert html.count("<details") == html.count("<summary") == 4
    assert html.count("A larger") == 2
    assert "\\(C\\)" in html
    assert "margin &amp; why" in html
    assert "<code>shrinks</code>" in html


def test_repr_counts_questions() -> None:
    assert repr(quiz([QUESTION])) == "<quiz with 1 question>"
    assert repr(quiz([QUESTION] * 3)) == "<quiz with 3 questions>"


def test_several_right_answers_are_announced() -> None:
    question = copy.deepcopy(QUESTION) | {"type": "many_choice"}
    question["answers"].append({"answer": "Both.", "correct": True, "feedback": "Yes."})
    assert "more than one is right" in quiz([question])._repr_html_()
    assert "more than one" not in quiz([QUESTION])._repr_html_()


@pytest.mark.parametrize(("path", "value", "message"), [
    (("question",), " ", r"questions\[0\]\['question'\]"),
    (("type",), "numeric", "'numeric'"),
    (("answers", 0, "answer"), "", r"\['answers'\]\[0\]\['answer'\]"),
    (("answers", 1, "feedback"), "", r"\['answers'\]\[1\]\['feedback'\]"),
    (("answers", 1, "correct"), "no", "True or False"),
    (("answers", 0, "correct"), False, "a right and a wrong answer, got 0 right of 2"),
    (("answers", 1, "correct"), True, "got 2 right of 2"),
])
def test_a_question_that_cannot_be_asked_is_named(path: tuple[Any, ...], value: Any, message: str) -> None:
    question = copy.deepcopy(QUESTION)
    place: Any = question
    for key in path[:-1]:
        place = place[key]
    place[path[-1]] = value
    with pytest.raises(ValueError, match=message):
        quiz([question])


def test_two_right_answers_need_many_choice() -> None:
    question = copy.deepcopy(QUESTION)
    question["answers"].append({"answer": "Both.", "correct": True, "feedback": "Yes."})
    with pytest.raises(ValueError, match="many_choice"):
        quiz([question])


@pytest.mark.parametrize("notebook", sorted(NOTEBOOKS.glob("*.ipynb")), ids=lambda path: path.stem)
def test_a_chapter_asks_its_own_questions_and_shows_no_answer_in_its_source(notebook: Path) -> None:
    cells = [cell for cell in json.loads(notebook.read_text(encoding="utf-8"))["cells"] if cell["cell_type"] == "code"]
    calls = [cell for cell in cells if "quiz(" in "".join(cell["source"])]
    assert ["".join(cell["source"]) for cell in calls] == [f'quiz("{notebook.stem}")']
    stored = "".join(calls[0]["outputs"][0]["data"]["text/html"])
    assert stored == quiz(notebook.stem)._repr_html_()


def test_every_file_of_questions_belongs_to_a_chapter() -> None:
    assert {path.stem for path in QUESTIONS.glob("*")} == {path.stem for path in NOTEBOOKS.glob("*.ipynb")}


def test_a_name_without_questions_is_refused_with_those_that_exist() -> None:
    with pytest.raises(ValueError, match=r"one of 01_intuition, .*15_mnist, .*got 'nothing'"):
        quiz("nothing")


def test_a_quiz_needs_a_question() -> None:
    with pytest.raises(ValueError, match="at least one question"):
        quiz([])
