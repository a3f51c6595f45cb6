"""What the story in fifteen minutes says of its figures."""
import re
from pathlib import Path

import numpy as np
import pytest

from svmcourse import fifteen_minutes as story
from svmlib import SVC
from svmlib.data import separable_blobs, xs_linear
from svmlib.dual import DualProblem
from svmlib.kernels import Gaussian, Linear
from svmlib.solvers import solve

ROOT = Path(__file__).resolve().parents[2]
PAGES = {"en": "fifteen_minutes", "de": "fuenfzehn_minuten"}
FIGURES = ("turn", "without", "forces", "price", "bowl", "hills", "knobs")


def state_of(name: str, monkeypatch: pytest.MonkeyPatch, **options: str) -> dict:
    """What a figure of the page starts from."""
    monkeypatch.setenv("SVMLIB_STATIC", "1")
    figure = getattr(story, name)(*(["the intruder"] if name == "price" else []), alt="To be seen", **options)
    return dict(figure.state)


def test_few_of_forty_points_hold_the_band() -> None:
    X, y = separable_blobs(seed=0)
    found = solve(DualProblem(Linear(), X, y, C=np.inf), tol=1e-8)
    alone = solve(DualProblem(Linear(), X[found.support], y[found.support], C=np.inf), tol=1e-8)
    assert len(X) == 40
    assert len(found.support) == 3
    assert np.isclose(alone.b, found.b, atol=1e-6)


def test_the_intruder_makes_the_band_a_slit() -> None:
    X, y = xs_linear(outlier=True)
    strict, lenient, without = (SVC(Linear(), C=C).fit(X[:n], y[:n]) for C, n in ((2000, 41), (10, 41), (2000, 40)))
    assert y[-1] < 0
    assert 4 * strict.margin_ < without.margin_ < 1.5 * lenient.margin_
    assert (lenient.predict(X) != y).tolist() == [False] * 40 + [True]


def test_the_second_bar_vanishes_when_the_five_are_let_go(monkeypatch: pytest.MonkeyPatch) -> None:
    state = state_of("knobs", monkeypatch)
    X, y, fresh, truth = (np.array(values) for values in (
        state["points"], state["labels"], state["fresh"]["points"], state["fresh"]["labels"]))
    as_shown = SVC(Gaussian(sigma=state["kernel"]["sigma"]), C=state["C"]).fit(X, y)
    assert (as_shown.predict(X) == y).all()
    assert (as_shown.predict(fresh) != truth).mean() > 0.05
    patient = SVC(Gaussian(sigma=0.25), C=10).fit(X, y)
    assert (patient.predict(fresh) == truth).all()
    assert (patient.predict(X) != y).sum() == 5


def test_digits_are_read_and_few_carry_the_boundary() -> None:
    reader = story.ThreesAndEights()
    said = reader.said("{carry} of {trained}, {right} % of {tests}")
    carry, trained, right, tests = map(int, re.findall(r"\d+", said))
    assert 2 * carry < trained == len(reader.X)
    assert right >= 97
    assert tests == reader.tests > 1900


@pytest.mark.parametrize("name", FIGURES)
def test_a_figure_is_german_where_the_page_is(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    assert "lang" not in state_of(name, monkeypatch)
    german = state_of(name, monkeypatch, lang="de")
    assert german["lang"] == "de"
    assert german["alt"] == "To be seen"


@pytest.mark.parametrize("lang", PAGES)
def test_every_part_of_the_story_leads_to_a_chapter(lang: str) -> None:
    text = (ROOT / f"book/{PAGES[lang]}.md").read_text(encoding="utf8")
    parts = re.split(r"^## ", text, flags=re.M)[1:]
    assert len(parts) == 9
    assert all("(../notebooks/" in part for part in parts[:-1])
    linked = {int(found) for found in re.findall(r"\(\.\./notebooks/(\d\d)_\w+\.ipynb\)", text)}
    assert linked >= set(range(1, 17)) - {9, 11}
    assert re.findall(r"^story\.(\w+)\(", text, flags=re.M) == list(FIGURES)
    assert re.findall(r'lang="(\w+)"', text) == ([] if lang == "en" else [lang] * len(FIGURES))
    assert not re.search(r"\$|\\", text.partition("# ")[2].replace("\\n", "")), "a formula"
