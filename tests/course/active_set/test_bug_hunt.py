"""The hunt of chapter 11: each broken solver looks right on easy data, and some data, its model answer, expose it."""
import tomllib
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from svmcourse.active_set import hunting
from svmcourse.active_set.hunting import bugs, hunt, naive, solver_of
from svmlib import DualProblem, solve
from svmlib.kernels import Gaussian, Linear

ROOT = Path(__file__).resolve().parents[3]
RNG, Y = np.random.default_rng(0), np.repeat([-1.0, 1.0], 20)
X = RNG.normal(size=(40, 2)) + 0.7 * Y[:, None]                    # two clouds that overlap
UNEQUAL = np.repeat([-1.0, 1.0], [10, 30])
OVERLAP = {"X": X, "y": Y, "C": 1.0}
#: What exposes each bug, and how.
ANSWERS: dict[int, tuple[dict[str, Any], str]] = {
    1: ({"X": np.vstack([X, X[:5]]), "y": np.r_[Y, -Y[:5]], "C": 1.0, "kernel": Linear()}, "has not ended"),
    2: (OVERLAP, "not feasible"),
    3: (OVERLAP, "the gap is"),
    4: (OVERLAP, "not feasible"),
    5: ({"X": [[1.0, 0.0], [-1.0, 0.0]], "y": [1, -1], "kernel": Linear()}, "has not ended"),
    6: ({"X": X, "y": Y, "C": 100.0, "kernel": Linear()}, "the gap is"),
    7: (OVERLAP, "the gap is"),
    8: (OVERLAP, "not feasible"),
    9: ({"X": RNG.normal(size=(40, 2)) + 0.7 * UNEQUAL[:, None], "y": UNEQUAL, "C": 1.0}, "the gap is"),
    10: ({"X": [[-2.0], [-0.1], [0.1], [8.0]], "y": [-1, -1, 1, 1], "C": 5.0, "kernel": Linear()}, "the gap is"),
    11: (OVERLAP, "has not ended"),
    12: ({"X": 1e-6 * X, "y": Y, "C": 1e12, "kernel": Linear()}, "has not ended")}


def test_there_are_twelve_and_each_changes_one_place() -> None:
    assert len(bugs()) == len(ANSWERS) == 12
    for bug in bugs():
        source = "\n\n".join(map(hunting.source, [*hunting.PARTS[bug.solver], hunting.quadratic_program.bias]))
        assert source.count(bug.old) == 1
        assert len(bug.hints) == 3


@pytest.mark.parametrize("k", ANSWERS)
def test_a_bug_looks_right_on_easy_data_and_is_exposed_by_its_model_answer(k: int) -> None:
    easy = hunt(k, *naive())
    assert not easy.exposed
    assert easy.violation < 1e-5
    assert easy.words.startswith(f"Bug {k} is not exposed, here it is right")
    given, how = ANSWERS[k]
    found = hunt(k, **given)
    assert found.exposed
    assert found.words.startswith(f"Bug {k} is exposed: ")
    assert how in found.words
    assert bugs()[k - 1].words in found.words
    assert bugs()[k - 1].new.partition("\n")[0] in found.words


@pytest.mark.parametrize("kind", hunting.PARTS)
def test_without_a_bug_the_solvers_are_right(kind: str) -> None:
    """The data that expose a bug expose nothing else: the same solver without it agrees with svmlib."""
    for k, (given, _) in ANSWERS.items():
        if bugs()[k - 1].solver == kind:
            C = given.get("C", 10.0)
            problem = DualProblem(given.get("kernel", Gaussian(sigma=1.0)), given["X"], given["y"], C=C)
            alpha, b, ended = solver_of(kind)(problem)
            best = solve(problem, "smo" if kind == "qp" else "qp", tol=1e-6).objective
            assert ended
            assert problem.objective(np.clip(alpha, 0, C)) == pytest.approx(best, rel=1e-5)
            assert problem.certificate(np.clip(alpha, 0, C), b=b).gap < 1e-4 * best


def test_easy_data_look_right_to_the_naive_eye() -> None:
    problem = DualProblem(Gaussian(sigma=1.0), *naive(), C=10.0)
    for bug in bugs():
        alpha, b, _ = solver_of(bug.solver, bug.old, bug.new)(problem)
        assert np.array_equal(np.sign(problem.K @ (problem.y * alpha) + b), problem.y)


def test_hints_get_plainer_and_stop_at_the_last(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hunting, "_tries", hunting.Counter())
    hints = bugs()[9].hints
    easy = dict(zip("Xy", naive(), strict=True))
    tries = [hunt(10, **given).words.partition("Hint: ")[2] for given in (easy, *[OVERLAP] * 4)]
    assert tries == [hints[0], *hints, hints[-1]]                 # the easy data, with which all begin, are no try
    assert hunt(8, *naive()).words.endswith(bugs()[7].hints[0])


def test_data_that_the_right_solver_fails_on_expose_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(hunting.STEPS, "smo", 3)
    found = hunt(6, **ANSWERS[6][0])
    assert not found.exposed
    assert found.words.startswith("Bug 6 cannot be judged by these data. ")
    assert "Of the solver without it, too, it has not ended after 3 steps" in found.words


@pytest.mark.timeout(60)
def test_a_bug_that_loops_ends_by_the_clock(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hunting, "SECONDS", 0.3)
    monkeypatch.setitem(hunting.STEPS, "smo", 10**12)
    found = hunt(5, **ANSWERS[5][0])
    assert found.words.startswith("Bug 5 is exposed: it was still running after 0.3 seconds.")


@pytest.mark.parametrize(("given", "argument"), [
    ({"k": 0}, "k"), ({"k": 13}, "k"), ({"k": 1.0}, "k"), ({"k": True}, "k"), ({"X": [[np.nan], [1.0]]}, "X"),
    ({"X": [1.0, 2.0, 3.0]}, "X"), ({"y": [1, 2]}, "y"), ({"y": [1, 1]}, "y"), ({"C": -1.0}, "C"), ({"C": np.inf}, "C"),
    ({"C": [1.0, 2.0]}, "C"), ({"kernel": 3}, "kernel"), ({"X": np.zeros((201, 1)), "y": np.r_[1, -np.ones(200)]}, "X"),
])
def test_an_argument_that_does_not_fit_is_named(given: dict[str, Any], argument: str) -> None:
    with pytest.raises((ValueError, TypeError), match=rf"^{argument} "):
        hunt(**{"k": 1, "X": [[0.0], [1.0]], "y": [-1, 1], **given})


def test_the_wheel_has_the_bugs() -> None:
    project = tomllib.loads((ROOT / "svmcourse/pyproject.toml").read_text(encoding="utf8"))
    assert "*/bugs.toml" in project["tool"]["setuptools"]["package-data"]["svmcourse"]
