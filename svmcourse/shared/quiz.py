"""Quiz questions with feedback on every choice: plain HTML that needs no script, on paper or screen.

The choices are the browser's own disclosures.  jupyterquiz, whose form the questions have, writes a script and
fresh random names into every output: stored notebooks would differ at each run, and nothing would show without
JavaScript or in a notebook that is not trusted yet.
"""

import hashlib
import html
import json
import re
from collections.abc import Mapping, Sequence
from contextlib import suppress
from importlib.resources import files
from typing import Any

from svmcourse.shared.frames import prose

# The book brings its own stylesheet; a notebook shows the bare, usable form with these few rules.
STYLE = ("<style>.quiz ol{list-style:none;padding-left:0}.quiz summary{cursor:pointer;padding:.3em .5em}"
         ".quiz details p{margin:.2em 0 .6em 2em}</style>")


class Quiz:
    """Questions, each with choices that open to their feedback."""

    def __init__(self, questions: Sequence[Mapping[str, Any]]) -> None:
        self.questions = [_checked(question, f"questions[{i}]") for i, question in enumerate(questions)]
        if not self.questions:
            raise ValueError(f"questions must hold at least one question, got {questions!r}")

    def __repr__(self) -> str:
        count = len(self.questions)
        return f"<quiz with {count} question{'s' if count > 1 else ''}>"

    def _repr_html_(self) -> str:
        items = "".join(_question_html(question, i + 1) for i, question in enumerate(self.questions))
        return f'{STYLE}<section class="quiz" aria-label="Quiz">{items}</section>'


def quiz(questions: str | Sequence[Mapping[str, Any]]) -> Quiz:
    r"""Show quiz questions; a reader opens a choice and reads whether and why it is right.

    The questions have jupyterquiz's form, so they can move to and from it. The output holds no script and
    no random name: it works in JupyterLab, on the built page, from a file and with the keyboard, asks no
    other host for anything, and is the same at every run.

    Parameters
    ----------
    questions : the name of a chapter, whose questions stand in its folder of `svmcourse`, where a student who
        runs the notebook does not read the answers first; or a list of dicts with `question` (text; between dollar
        signs is mathematics, `` `…` `` code), `type` ("multiple_choice", or "many_choice" when several are right)
        and `answers`: dicts with `answer`, `correct` and `feedback`.

    Returns
    -------
    A Quiz that displays itself.

    Raises
    ------
    ValueError : a name that is no chapter, a question without text, with fewer than two answers, with no right or no
        wrong answer, with several right ones in a "multiple_choice", or an answer without feedback.

    Examples
    --------
    >>> quiz([{
    ...     "question": "When $C$ falls, what happens to the margin?",
    ...     "type": "multiple_choice",
    ...     "answers": [
    ...         {"answer": "It grows.", "correct": True, "feedback": "Slack costs less than $\\|w\\|$."},
    ...         {"answer": "It shrinks.", "correct": False, "feedback": "That is what a larger $C$ does."},
    ...     ]}])
    <quiz with 1 question>
    >>> quiz("intuition")
    <quiz with 4 questions>
    """
    return Quiz(_of_chapter(questions) if isinstance(questions, str) else questions)


def _of_chapter(name: str) -> list[dict[str, Any]]:
    """The questions of a chapter."""
    folders = files("svmcourse").iterdir()
    stored = {folder.name: file for folder in folders if (file := folder.joinpath("questions.json")).is_file()}
    if name not in stored:
        raise ValueError(f"questions must be a list or one of {', '.join(sorted(stored))}, got {name!r}")
    return json.loads(stored[name].read_text(encoding="utf-8"))


def _checked(question: Mapping[str, Any], where: str) -> Mapping[str, Any]:
    """Return the question if it can be asked; otherwise say what it lacks."""
    if not str(question.get("question", "")).strip():
        raise ValueError(f"{where}['question'] must be a text, got {question.get('question')!r}")
    kind = question.get("type", "multiple_choice")
    if kind not in ("multiple_choice", "many_choice"):
        raise ValueError(f"{where}['type'] must be 'multiple_choice' or 'many_choice', got {kind!r}")
    answers = question.get("answers", [])
    for i, answer in enumerate(answers):
        for key in ("answer", "feedback"):
            if not str(answer.get(key, "")).strip():
                raise ValueError(f"{where}['answers'][{i}][{key!r}] must be a text, got {answer.get(key)!r}")
        if not isinstance(answer.get("correct"), bool):
            raise ValueError(f"{where}['answers'][{i}]['correct'] must be True or False, "
                             f"got {answer.get('correct')!r}")
    right = sum(answer["correct"] for answer in answers)
    if right == 0 or right == len(answers):
        raise ValueError(f"{where}['answers'] must hold a right and a wrong answer, got {right} right of "
                         f"{len(answers)}")
    if kind == "multiple_choice" and right > 1:
        raise ValueError(f"{where} has {right} right answers; its type must be 'many_choice'")
    return question


def _question_html(question: Mapping[str, Any], number: int) -> str:
    """One question: each choice is a native disclosure that opens to its feedback."""
    many = question.get("type") == "many_choice"
    hint = ' <span class="quiz-hint">(more than one is right)</span>' if many else ""
    choices = "".join(_choice_html(answer) for answer in _shuffled(question))
    text = prose(str(question["question"]))
    return (f'<div class="quiz-question" role="group" aria-label="Question {number}">'
            f'<p class="quiz-text"><b>{number}.</b> {text}{hint}</p><ol>{choices}</ol></div>')


def _shuffled(question: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    """The choices in an order that says nothing of which is right and is the same at every run; numbers by size."""
    choices = list(question["answers"])
    with suppress(ValueError):
        return sorted(choices, key=lambda answer: float(str(answer["answer"]).strip(" $%.").replace("−", "-")))
    return sorted(choices, key=lambda answer: hashlib.sha256(
        f"{question['question']}|{answer['answer']}".encode()).digest())


def _choice_html(answer: Mapping[str, Any]) -> str:
    """One choice. The verdict is a word beside a sign, so it does not rest on colour."""
    kind, verdict = ("right", "✓ Right.") if answer["correct"] else ("wrong", "✗ Not so.")
    text = str(answer["answer"])
    # A choice that is nothing but a formula has no words to be announced by; its TeX is read instead.
    label = "" if re.sub(r"\$.+?\$", "", text).strip(" .,;") else f' aria-label="{html.escape(text.replace("$", ""))}"'
    return (f'<li><details class="quiz-{kind}"><summary{label}>{prose(text)}</summary>'
            f'<p><b>{html.escape(verdict)}</b> {prose(str(answer["feedback"]))}</p></details></li>')
