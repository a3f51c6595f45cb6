"""The keyed answers of the quizzes, computed: quiz_answers_NN.py finds out which choices are right, without the key."""
from importlib import import_module
from pathlib import Path

import pytest

from svmlib.classroom import quiz

MODULES = sorted(path.stem for path in Path(__file__).parent.glob("quiz_answers_*.py"))


def test_every_chapter_has_its_answers() -> None:
    chapters = sorted(path.name[:2] for path in (Path(__file__).parents[2] / "notebooks").glob("[0-9][0-9]_*.ipynb"))
    assert [name[-2:] for name in MODULES] == chapters


@pytest.mark.parametrize("name", MODULES)
def test_the_key_is_what_is_computed(name: str) -> None:
    """CHAPTER names the questions; answers() gives for each question the list of whether each choice holds."""
    module = import_module(name)
    keyed = [[answer["correct"] for answer in question["answers"]] for question in quiz(module.CHAPTER).questions]
    computed = [[bool(right) for right in choices] for choices in module.answers()]
    assert computed == keyed
