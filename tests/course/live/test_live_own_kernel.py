"""Kernels that a reader types: values, verdicts and Python against numpy, and what is no formula."""
import contextlib
import io
import json
import math
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from live_browser import bundle, write_page
from sklearn.svm import SVC
from test_live_page import Page, state_of
from test_live_solver import LIVE, node

LETTERS = {"a": 0.5, "b": 1.5, "s": 0.7, "σ": 0.8, "q": 3, "r": 2}
KERNELS = """
dot(x, z)
dot(x,z)+1
(dot(x, z) + b)^2
(a*dot(x, z) + b)**3
(1 + x1·z1)·(1 + x2·z2)
exp(−dist(x, z)^2 / (2·σ^2))
exp(-dist(x, z)^2)
exp(-s*dist(x, z))
exp(-abs(x1 - z1) - abs(x2 - z2))
exp(-(x1 - z1)^2)
exp(dot(x, z))
exp(a*dot(x, z)) * exp(-dist(x, z)**2)
1
.5e1
x1*z1
x2 z2 * 1
x1*z1*x2*z2
(x1 + x2)*(z1 + z2)
sin(x1)*sin(z1) + cos(x1)*cos(z1)
cos(x1 - z1)
cos(3*(x1 - z1))*cos(pi*(x2 - z2))
1/(1 + dist(x, z)^2)
1/sqrt(1 + dist(x, z)^2)
(1 + dist(x, z)^2/r)^-2
min(x1 + 3, z1 + 3)
min(x1 + 3, z1 + 3)*min(x2 + 3, z2 + 3)
max(0, 1 - abs(x1 - z1))
dot(x, x)*dot(z, z)
exp(-dot(x, x) - dot(z, z))
tanh(x1)*tanh(z1)
tanh(x1 + x2) * tanh(z1 + z2) + 0.1
dot(x, z)/sqrt((1 + dot(x, x))*(1 + dot(z, z)))
sqrt(dot(x, x))*sqrt(dot(z, z)) + dot(x, z)
abs(x1)*abs(z1) + abs(x2)*abs(z2)
log(2 + dot(x, x))*log(2 + dot(z, z))
2^(x1 + z1)
e^dot(x, z)
a^dist(x, z)
1 + dot(x, z) + dot(x, z)^2 - -dot(x, z)^4
+dot(z, x)
exp(-dist(z, x)^2) + a*dot(x, z)
q*exp(-2*dist(x, z)^2/q) + (x1*z1)^2
1/(10 - dot(x, z))
exp(-dist(x, z)^2)*x1*z1
1 + min(abs(x1), abs(z1))
""".replace("x2 z2 * 1", "x2 × z2 ⋅ 1").strip().splitlines()
NOT_KERNELS = """
-dot(x, z)
dist(x, z)
dist(x, z)^2
-dist(x, z)^2
-exp(-dist(x, z)^2)
tanh(2*dot(x, z) - 1)
dot(x, z) - 1
(dot(x, z) - 1)^3
-1
abs(x1 - z1)
x1 + z1
sin(x1 - z1)^2
max(x1, z1)
exp(dist(x, z)^2)
log(1 + dist(x, z))
dot(x, z)^2 - dot(x, x) - dot(z, z)
cos(dist(x, z)^2*4)
1 - dist(x, z)
""".strip().splitlines()
MALFORMED = {  # and the character, from 1, at which it goes wrong, with a word of what is said
    "": (1, "type a formula"),
    "   ": (1, "type a formula"),
    "dot(x, z": (9, "never closed"),
    "dot(x, z))": (10, "closes nothing"),
    "1 +": (4, "ends too early"),
    "* 2": (1, "something is missing"),
    "2 ** ": (5, "ends too early"),
    "1 + / 2": (5, "something is missing"),
    "exp": (4, "in brackets"),
    "exp()": (5, "missing before this bracket"),
    "exp(1, 2)": (1, "wants 1 argument"),
    "min(1)": (1, "wants 2 arguments"),
    "dot(x)": (6, "compares two points"),
    "dot(x1, z1)": (5, "compares two points"),
    "x*z": (1, "is a point"),
    "foo(x, z)": (1, "not known"),
    "2x1": (2, "product is written with *"),
    "1,5*dot(x, z)": (2, "decimals have a point"),
    "1/0": (2, "not a finite number"),
    "sqrt(-1)": (1, "not a finite number"),
    "1e999": (1, "too large"),
    "C*dot(x, z)": (1, "price of slack"),
    "a+b+c+d+f+g+h": (13, "the limit"),
    "1..2": (3, "something is missing"),
    "(" * 50 + "1" + ")" * 50: (42, "stand in each other"),
    "1" * 201: (201, "200 characters"),
    "dot(x, z) = 1": (11, "means nothing"),
    "x1 % z1": (4, "means nothing"),
    "1\u202e+2": (2, "U+202E"),
}
ATTACKS = [
    "<img src=x onerror=alert(1)>", "</script><script>alert(1)</script>", "alert(1)", "constructor", "__proto__",
    "constructor.constructor('x')()", "x1; import os", "`${alert(1)}`", "'+alert(1)+'", "\"\"\"\nimport os",
    "toString()", "valueOf(1)", "hasOwnProperty", "javascript:alert(1)", "x1[0]", "x1.constructor", "(() => 1)()",
    "exp.call(1)", "a=1", "process.exit(1)", "np.exp(1)", "__import__('os')", "x1 #", "x1 // y", "&lt;b&gt;",
]
ASYMMETRIC = {"x1": "(x, z)", "x1 - z1": "(x, z)", "x1*z2": "(x, z)", "dist(x, z) + 0.1*x2": "(x, z)"}
VALUELESS = {"1/dist(x, z)": "x = z = point 1", "log(dist(x, z))": "x = z = point 1", "sqrt(x1*z1)": "point",
             "log(x1)*log(z1)": "point"}
PROGRAM = """
import "%(live)s/typed.js";
import { gramMatrix } from "%(live)s/kernels.js";
import { faultOf, typedFormula } from "%(live)s/typed_kernels.js";
import { verdictOf } from "%(live)s/own_kernel.js";
import { solve } from "%(live)s/solver.js";
import { pythonOf } from "%(live)s/taking.js";
let text = "";
for await (const chunk of process.stdin) text += chunk;
const { texts, points, labels, letters } = JSON.parse(text);
console.log(JSON.stringify(texts.map((formula) => {
  const kernel = { name: "typed", text: formula, letters };
  try {
    typedFormula(kernel);
  } catch (error) {
    return { malformed: error.message, name: error.constructor.name, at: error.at };
  }
  const fault = faultOf(points, kernel);
  if (fault) return { fault };
  const solution = solve({ points, labels, kernel, C: 2 });
  return {
    K: [...gramMatrix(points, kernel)], ...verdictOf(points, kernel, solution.status),
    status: solution.status, objective: solution.objective, gap: solution.gap,
    python: pythonOf({ points, labels, kernel, C: 2 }),
  };
})));
"""
RNG = np.random.default_rng(11)
X = RNG.uniform(-2, 2, (16, 2)).round(3)
Y = np.where((X**2).sum(axis=1) > 2, 1, -1)


def asked(texts: list[str]) -> list[dict[str, Any]]:
    """What the page makes of the formulas."""
    given = {"texts": texts, "points": X.tolist(), "labels": Y.tolist(), "letters": LETTERS}
    return json.loads(node("--input-type=module", "-e", PROGRAM % {"live": LIVE.as_uri()}, given=json.dumps(given)))


@pytest.fixture(scope="module")
def found() -> dict[str, dict[str, Any]]:
    """The formulas that can be read, and what the page makes of them."""
    return dict(zip(KERNELS + NOT_KERNELS, asked(KERNELS + NOT_KERNELS), strict=True))


@cache
def by_python(text: str) -> np.ndarray:
    """The Gram matrix of a formula that Python's own parser reads."""
    for ours, theirs in [("^", "**"), ("−", "-"), ("·", "*"), ("×", "*"), ("⋅", "*")]:
        text = text.replace(ours, theirs)
    numpy = ["exp", "log", "sqrt", "abs", "tanh", "sin", "cos", "pi", "e"]
    names: dict[str, Any] = {name: getattr(np, name) for name in numpy}
    names |= {"min": min, "max": max, "dot": np.dot, "dist": math.dist, **LETTERS}
    code = compile(text, text, "eval")
    return np.array([[eval(code, {**names, "x": x, "z": z, "x1": x[0], "x2": x[1], "z1": z[0], "z2": z[1]})
                      for z in X] for x in X], dtype=float)


def exported(python: str) -> Any:
    """The function of an exported program."""
    names: dict[str, Any] = {}
    exec(python.split("\nX = ", maxsplit=1)[0], names)
    return names["kernel"]


def test_values_are_those_of_pythons_own_parser_and_of_the_export(found: dict[str, dict[str, Any]]) -> None:
    assert len(found) == len(KERNELS) + len(NOT_KERNELS) >= 60
    for text, page in found.items():
        assert "K" in page, (text, page)
        K, right = np.reshape(page["K"], (16, 16)), by_python(text)
        most = abs(right).max()
        np.testing.assert_allclose(K, right, rtol=0, atol=1e-12 * most, err_msg=text)
        np.testing.assert_allclose(exported(page["python"])(X, X), K, rtol=0, atol=1e-12 * most, err_msg=page["python"])
        assert exported(page["python"])(X[:3], X[:5]).shape == (3, 5)


def test_verdicts_are_those_of_numpy(found: dict[str, dict[str, Any]]) -> None:
    assert len(NOT_KERNELS) >= 15
    for text, page in found.items():
        least = np.linalg.eigvalsh(by_python(text)).min()
        assert abs(page["least"] - least) <= page["floor"] + 1e-14 * abs(least), text
        assert page["floor"] < 1e-9 * (1 + abs(np.array(page["K"])).max()), text
        assert page["isKernel"] == (least >= -page["floor"]) == (text in KERNELS), text
        start = "A kernel on these points" if text in KERNELS else "Not a kernel"
        assert page["words"].startswith(start), text
        unsure = text in NOT_KERNELS and page["status"] != "optimal"
        assert ("one of possibly several answers" in page["words"]) == unsure, text


def test_machines_of_kernels_are_proved(found: dict[str, dict[str, Any]]) -> None:
    for text in KERNELS:
        page = found[text]
        assert page["status"] == "optimal", text
        assert 0 <= page["gap"] <= 1e-6 * (1 + abs(page["objective"])), (text, page["gap"])
    assert sum(found[text]["status"] == "stationary" for text in NOT_KERNELS) > 10


@pytest.mark.parametrize("text", ["exp(−dist(x, z)^2 / (2·σ^2))", "(a*dot(x, z) + b)**3", "(1 + x1·z1)·(1 + x2·z2)"])
def test_the_export_runs_in_svmlib_and_scikit_learn(text: str, found: dict[str, dict[str, Any]]) -> None:
    page = found[text]
    names: dict[str, Any] = {}
    with contextlib.redirect_stdout(io.StringIO()):
        exec(page["python"], names)
    assert abs(names["machine"].solutions_[0].objective - page["objective"]) < 1e-6 * abs(page["objective"])
    theirs = SVC(kernel=names["kernel"], C=2, tol=1e-8).fit(X, Y)
    np.testing.assert_allclose(names["machine"].decision_function(X), theirs.decision_function(X), atol=1e-5)


def test_malformed_formulas_are_refused_at_their_place() -> None:
    assert len(MALFORMED) >= 20
    for (text, (at, words)), page in zip(MALFORMED.items(), asked(list(MALFORMED)), strict=True):
        assert page.get("name") == "ExpressionError", (text, page)
        assert page["malformed"].startswith(f"At character {at}: "), (text, page)
        assert page["at"] == at - 1
        assert words in page["malformed"], (text, page)


def test_no_code_is_read() -> None:
    for text, page in zip(ATTACKS, asked(ATTACKS), strict=True):
        assert page.get("name") == "ExpressionError", (text, page)


def test_where_a_formula_is_not_symmetric_or_has_no_value_is_said() -> None:
    for text, page in zip(ASYMMETRIC, asked(list(ASYMMETRIC)), strict=True):
        assert page["fault"].startswith("Not symmetric: k(x, z) is "), (text, page)
        assert "x = point 1 and z = point 2" in page["fault"], (text, page)
    for (text, where), page in zip(VALUELESS.items(), asked(list(VALUELESS)), strict=True):
        assert page["fault"].startswith("The formula has no finite value for "), (text, page)
        assert where in page["fault"]


def typed_page(browser: Any, folder: Path, theme: str = "light", width: int = 1280, n: int = 20) -> Page:
    """A page whose figure has a field for a kernel, and the formula of the Gaussian in it."""
    state = state_of(n, controls=["kernel", "C", "sigma", "typed", "export"])
    page = Page(browser, write_page(folder, bundle(), state, theme), viewport={"width": width, "height": 1000})
    page.tab.locator(".live-controls select").first.select_option("typed")
    page.rest()
    assert page.tab.locator(".live-formula").input_value() == "exp(-dist(x, z)^2 / (2*s^2))"
    return page


@pytest.mark.browser
def test_typed_on_a_page_by_keyboard_and_mouse(browser: Any, tmp_path: Path) -> None:
    page = typed_page(browser, tmp_path)
    tab, field = page.tab, page.tab.locator(".live-formula")
    field.fill("")
    field.press_sequentially("exp(-dist(x, z)) - a*dot(x, z)")
    page.rest()
    assert page.value("kernel.text") == "exp(-dist(x, z)) - a*dot(x, z)"
    assert tab.locator(".live-own-verdict").inner_text().startswith("Not a kernel, as these points show")
    assert "one of possibly several answers" in page.said
    tab.locator(".live-own input[type=range]").focus()
    for _ in range(60):
        tab.keyboard.press("ArrowLeft")
    page.rest()
    assert page.value("kernel.letters.a") == 0.025
    assert tab.locator(".live-own-verdict").inner_text().startswith("A kernel on these points")
    drawn = tab.locator(".live-boundary").first.get_attribute("d")
    for text, at in [("exp(-dist(x, z)) -", 19), (ATTACKS[0], 1), (ATTACKS[1], 1)]:
        field.fill(text)
        page.rest()
        assert tab.locator(".live-own-fault").inner_text().startswith(f"At character {at}: ")
        assert field.get_attribute("aria-invalid") == "true"
        assert tab.locator(".live-boundary").first.get_attribute("d") == drawn      # the last good picture
    assert tab.locator(".live-own :is(img, script)").count() == 0
    field.fill("x1")
    assert "Not symmetric: k(x, z) is " in tab.locator(".live-own-fault").inner_text()
    field.fill("a*dot(x, z) + 1")
    page.rest()
    assert field.get_attribute("aria-invalid") == "false"
    assert "#fig-pull?k=typed" in tab.url
    assert page.bad == []
    tab.reload()                    # the address brings it back
    tab.wait_for_selector(".live-on .live-point", state="attached")
    page.rest()
    assert tab.locator(".live-formula").input_value() == "a*dot(x, z) + 1"
    assert page.value("kernel.letters.a") == 0.025


@pytest.mark.browser
@pytest.mark.thorough
@pytest.mark.parametrize(("width", "theme"), [(1280, "light"), (320, "dark"), (390, "light")])
def test_the_field_is_accessible(width: int, theme: str, browser: Any, tmp_path: Path) -> None:
    from axe_playwright_python.sync_playwright import Axe

    page = typed_page(browser, tmp_path, theme, width)
    page.tab.locator(".live-formula").fill("tanh(dot(x, z)")
    found = Axe().run(page.tab, options={"runOnly": ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"]})
    assert [(rule["id"], rule["nodes"][0]["html"][:200]) for rule in found.response["violations"]] == []
    assert page.tab.evaluate("document.documentElement.scrollWidth") <= width
    assert page.bad == []
