"""Quizzes: the same HTML at every run, no script, and questions that can be answered."""

from __future__ import annotations

import copy
import json
from pathlib import Path
from typing import Any

import pytest

from svmcourse import quiz

ROOT = Path(__file__).resolve().parents[2]
NOTEBOOKS, CLASSROOM = ROOT / "notebooks", ROOT / "svmcourse"

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


def test_choices_stand_in_an_order_of_their_own() -> None:
    turned = copy.deepcopy(QUESTION)
    turned["answers"].reverse()
    assert quiz([turned])._repr_html_() == quiz([QUESTION])._repr_html_()
    wrong = [{"answer": f"${x}$", "correct": False, "feedback": "no"} for x in ("-2", "0.5", "10")]
    numbers = QUESTION | {"answers": [*wrong[::-1], {"answer": "3 %", "correct": True, "feedback": "yes"}]}
    html = quiz([numbers])._repr_html_()
    places = [html.index(text) for text in ("\\(-2\\)", "\\(0.5\\)", "3 %", "\\(10\\)")]
    assert places == sorted(places)


def test_the_right_answer_stands_first_no_oftener_than_chance_has_it() -> None:
    htmls = [quiz([question])._repr_html_() for path in sorted(CLASSROOM.glob("*/questions.json"))
             for question in json.loads(path.read_text(encoding="utf8")) if question.get("type") != "many_choice"]
    first = sum(html.index("quiz-right") < html.index("quiz-wrong") for html in htmls)
    expected = sum(1 / html.count("<details") for html in htmls)
    assert abs(first - expected) < 3 * (expected * (1 - expected / len(htmls))) ** 0.5


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
    assert ["".join(cell["source"]) for cell in calls] == [f'quiz("{notebook.stem[3:]}")']
    stored = "".join(calls[0]["outputs"][0]["data"]["text/html"])
    assert stored == quiz(notebook.stem[3:])._repr_html_()


@pytest.mark.parametrize("notebook", sorted(NOTEBOOKS.glob("*.ipynb")), ids=lambda path: path.stem)
def test_a_quiz_has_a_heading(notebook: Path) -> None:
    cells = ["".join(cell["source"]) for cell in json.loads(notebook.read_text(encoding="utf-8"))["cells"]]
    at = next(k for k, source in enumerate(cells) if source.startswith("quiz("))
    assert cells[at - 1] == "## Check yourself"


def test_a_name_without_questions_is_refused_with_those_that_exist() -> None:
    with pytest.raises(ValueError, match=r"one of active_set, .*mnist, .*got 'nothing'"):
        quiz("nothing")


def test_a_quiz_needs_a_question() -> None:
    with pytest.raises(ValueError, match="at least one question"):
        quiz([])
