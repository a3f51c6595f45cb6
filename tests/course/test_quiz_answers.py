"""The keyed answers of the quizzes, computed: a chapter's quiz_answers_*.py finds what is right."""
from importlib import import_module
from pathlib import Path

import pytest

from svmcourse import quiz

HERE = Path(__file__).parent


@pytest.mark.parametrize("chapter", sorted(path.parent.name for path in HERE.glob("*/quiz_answers_*.py")))
def test_the_key_is_what_is_computed(chapter: str) -> None:
    """answers() gives for each question the list of whether each choice holds."""
    module = import_module(f"course.{chapter}.quiz_answers_{chapter}")
    keyed = [[answer["correct"] for answer in question["answers"]] for question in quiz(chapter).questions]
    computed = [[bool(right) for right in choices] for choices in module.answers()]
    assert computed == keyed
