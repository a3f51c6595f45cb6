"""Lines that are given around an answer: what a check accepts must not break them."""
from __future__ import annotations

import ast

import numpy as np
import pytest

from svmcourse.checking import all_tasks
from svmcourse.checking.mistakes import Solved
from svmcourse.checking.sources import ROOT, exercises, sources_of


@pytest.mark.parametrize("exercise", exercises(ROOT))
def test_no_given_line_asks_whether_several_values_are_true(exercise):
    """`ends(...) or (None, None)` raises where the answer is an array; `is None` does not."""
    asked = [ast.unparse(node) for cell in sources_of(exercise).cells for node in ast.walk(ast.parse(cell))
             if isinstance(node, ast.BoolOp) and isinstance(node.op, ast.Or)
             and isinstance(node.values[0], (ast.Call, ast.Name)) and isinstance(node.values[-1], ast.Tuple)]
    assert not asked


@pytest.mark.parametrize("form", [tuple, list, np.array, iter], ids=["tuple", "list", "array", "iterator"])
def test_a_step_takes_the_ends_of_its_segment_in_any_form(form):
    step = Solved("10_smo", "task_2_1").function()
    ends = step.__globals__["segment"]
    step.__globals__["segment"] = lambda *given: form(ends(*given))
    told = all_tasks()["10_smo.task_2_1"].judge(step)
    assert told.passed, told
