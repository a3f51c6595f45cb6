"""Live figures from Python: what they refuse, what the book's build gets of them, what the widget carries."""
import base64
import json
import re
from pathlib import Path
from typing import Any

import matplotlib.pyplot as plt
import numpy as np
import pytest
from live_browser import ROOT
from test_live_solver import node

from svmcourse import live
from svmcourse.live.settings import kernel_of, settings_of
from svmcourse.live.sources import FOLDER, joined
from svmlib import SVC
from svmlib.data import disc_and_annulus
from svmlib.kernels import Gaussian, Linear, Polynomial, Sigmoid

X, Y = disc_and_annulus(0, 30)
GOOD: dict[str, Any] = {"kernel": Gaussian(sigma=0.7), "C": 5.0, "alt": "Thirty points.", "name": "fig-x"}


@pytest.fixture
def static(monkeypatch: pytest.MonkeyPatch) -> None:
    """As in the book's build."""
    monkeypatch.setenv("SVMLIB_STATIC", "1")


def test_for_notebooks_the_modules_are_one_that_node_reads(tmp_path: Path) -> None:
    text = joined()
    (tmp_path / "widget.mjs").write_text(text, encoding="utf8")
    node("--check", str(tmp_path / "widget.mjs"))
    assert re.findall(r"^(?:import .*|export (?!default).*)$", text, re.M) == []
    pages = {"page.js", "page_german.js", "mounting.js", "german.js", "challenges.js", "digits_page.js"}
    pages |= {"typed.js", "own_kernel.js", "typed_kernels.js", "formula.js", "expression.js", "eigenvalue.js"}
    pages |= {"own_table.js", "table.js", "table_points.js"}    # a notebook has the reader's table in Python
    ours = {path.name for path in FOLDER.glob("*.js")} - pages
    first = {name: (FOLDER / name).read_text(encoding="utf8").splitlines()[0] for name in ours}
    assert [name for name, line in first.items() if line not in text] == []


@pytest.mark.parametrize("kernel", [Linear(), Gaussian(sigma=0.3), Polynomial(Q=3, a=0.5, b=2), Sigmoid(2.0, 1.0)])
def test_a_kernel_there_and_back(kernel: Any) -> None:
    settings = settings_of(kernel)
    assert settings_of(kernel_of(json.loads(json.dumps(settings)))) == settings
    assert np.array_equal(kernel_of(settings)(X, X), kernel(X, X))


@pytest.mark.parametrize(("changed", "message"), [
    ({"alt": " "}, "alt must say"), ({"name": "Fig x"}, "name must be"), ({"views": ["alfa"]}, "views must be among"),
    ({"controls": ["gamma"]}, "controls must be among"), ({"may": ["fly"]}, "may must be among"),
    ({"C": 0}, "C must be"), ({"C": np.inf}, "C must be finite"),
    ({"kernel": Gaussian(sigma=1.0, normalized=True)}, "kernel must be one of"),
    ({"kernel": Gaussian(1.0) + Linear()}, "kernel must be one of"), ({"alt": 5}, "alt must say"),
    ({"sets": {"one": (X, 0 * Y + 1)}}, "both classes"),
])
def test_bad_input_is_refused(changed: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        live.stage(X, Y, **{**GOOD, **changed})


def test_points_that_are_no_plane() -> None:
    with pytest.raises(ValueError, match=r"X must have shape \(n, 2\)"):
        live.stage(np.ones((4, 3)) * [[1], [2], [3], [4]], [1, 1, -1, -1], **GOOD)


def test_the_build_gets_picture_and_state(static: None) -> None:
    made = live.stage(X, Y, **GOOD, caption="A figure; $C$ is 5.")
    data = made._repr_mimebundle_()
    content = json.loads(re.fullmatch(r'<script type="application/vnd\.svmlib\+json">(.*)</script>',
                                      data["text/html"])[1])
    state = content["state"]
    assert content["kind"] == "live"
    assert np.array_equal(state["points"], X)
    assert (state["kernel"], state["C"], state["kind"]) == ({"name": "gaussian", "sigma": 0.7}, 5.0, "machine")
    support = len(SVC(kernel=Gaussian(sigma=0.7), C=5.0, tol=1e-8).fit(X, Y).support_)
    assert state["alt"].startswith(f"Thirty points. {support} of 30 points carry the boundary")
    assert all(svg.startswith("<") and "svg" in svg for svg, _, _ in content["forms"])
    assert base64.b64decode(data["image/png"]).startswith(b"\x89PNG")
    assert data["text/plain"] == "<live machine>"


def test_the_picture_has_rings_whose_area_is_alpha(static: None) -> None:
    from svmcourse.live.making import draw
    from svmlib import DualProblem, solve

    problem = DualProblem(Gaussian(sigma=0.7), X, Y, 5.0)
    solution = solve(problem, tol=1e-8)
    figure = draw(problem, solution, (-2, 2, -2, 2), 1.0, ["alpha"])
    rings = [c for c in figure.axes[0].collections if c.get_offsets().shape[0] in (len(solution.free),
                                                                                   len(solution.bounded))
             and c.get_facecolors().size == 0]
    sizes = np.sort(np.concatenate([ring.get_sizes() for ring in rings]))
    alpha = np.sort(solution.alpha[solution.support])
    assert np.allclose(sizes / sizes.max(), alpha / alpha.max())
    plt.close(figure)


def test_the_widget(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("SVMLIB_STATIC", raising=False)
    stage = live.stage(X, Y, **GOOD)
    assert repr(stage) == "<live machine>"
    data, metadata = stage._repr_mimebundle_()
    assert data["text/plain"] == "<live machine>"
    assert "application/vnd.jupyter.widget-view+json" in data
    assert metadata["image/png"]["alt"].startswith("Thirty points.")
    sent = stage.get_state(["X", "y", "kernel", "C"])
    assert sent == {"X": X.tolist(), "y": Y.tolist(), "kernel": {"name": "gaussian", "sigma": 0.7}, "C": 5.0}
    seen = []
    stage.observe(lambda change: seen.append(change["name"]), ["X", "kernel"])
    stage.set_state({"X": [[0.0, 1.0], *X.tolist()[1:]], "kernel": {"name": "polynomial", "Q": 3, "sigma": 0.7}})
    assert stage.X[0].tolist() == [0.0, 1.0]
    assert isinstance(stage.kernel, Polynomial)
    assert set(seen) == {"X", "kernel"}
    for name, value in (("X", np.ones((3, 3))), ("X", [[np.nan, 1]]), ("y", [0, 1]), ("C", -1)):
        with pytest.raises(ValueError, match=name):
            setattr(stage, name, value)


@pytest.mark.parametrize(("tex", "seen"), [
    (r"\sigma", "<i>σ</i>"), ("|w| < 2", "|<i>w</i>| &lt; 2"),
    (r"\alpha_i = C", "<i>α</i><sub><i>i</i></sub> = <i>C</i>"),
    (r"\Lambda_{ij}", "<i>Λ</i><sub><i>i</i><i>j</i></sub>"), (r"\lambda x^2", "<i>λ</i><i>x</i><sup>2</sup>"),
])
def test_mathematics_of_a_caption(tex: str, seen: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("SVMLIB_STATIC", raising=False)
    shown = live.stage(X, Y, **GOOD, caption=f"Here ${tex}$ *is* seen, and $C$ < 3.")._caption
    assert shown == f"Here {seen} <em>is</em> seen, and <i>C</i> &lt; 3."
    with pytest.raises(ValueError, match="caption must hold letters"):
        live.stage(X, Y, **GOOD, caption=r"$\frac12$")


def test_captions_of_the_book_are_letters() -> None:
    from svmcourse.live.widget import letters

    sources = [cell for path in (ROOT / "notebooks").glob("*.ipynb")
               for cell in json.loads(path.read_text(encoding="utf8"))["cells"] if cell["cell_type"] == "code"]
    texts = [re.sub(r'"\s*\n\s*"', "", "".join(cell["source"])) for cell in sources]
    captions = [text[text.find("caption"):] for text in texts if "live." in text and "caption" in text]
    mathematics = [part.replace("\\\\", "\\") for text in captions for part in re.findall(r"\$([^$]+)\$", text)]
    assert {"\\alpha_i", "\\sigma"} <= set(mathematics)
    assert not any("\\" in letters(part) for part in mathematics)


def test_a_figure_of_another_kind(static: None) -> None:
    figure, ax = plt.subplots()
    ax.plot([0, 1])
    made = live.figure("plank", {"forces": [1.0, -1.0]}, figure, alt="A plank.")
    assert made.state == {"forces": [1.0, -1.0], "kind": "plank", "alt": "A plank."}
    assert repr(made) == "<live plank>"
    with pytest.raises(ValueError, match="state must be finite"):
        live.figure("plank", {"forces": [np.nan]}, figure, alt="A plank.")


def test_every_script_is_in_the_wheel() -> None:
    import tomllib

    given = tomllib.loads((ROOT / "svmcourse" / "pyproject.toml").read_text())["tool"]["setuptools"]["package-data"]
    assert {"live/*.js", "live/*.css"} <= set(given["svmcourse"])
