"""The Python that the playground gives away, executed: its machine decides as the page's does."""
import json
from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest
from assets import install
from live_browser import ROOT
from planar_problems import kernel_of
from test_live_solver import node

import svmlib


def executed(program: str, capsys: pytest.CaptureFixture[str]) -> tuple[dict[str, Any], str]:
    """The names that a program leaves, and what it prints."""
    names: dict[str, Any] = {}
    capsys.readouterr()
    exec(compile(program, "exported.py", "exec"), names)    # ours: of exports.mjs
    return names, capsys.readouterr().out


def agrees(seeds: Sequence[int], capsys: pytest.CaptureFixture[str]) -> set[str]:
    """Compare decision values; the statuses that were met."""
    install(ROOT / "book" / "_npm")      # papaparse
    found = json.loads(node("exports.mjs", given=json.dumps(list(seeds))))
    for seed, page in zip(seeds, found, strict=True):
        f = np.array(page["f"])
        names, said = executed(page["python"], capsys)
        X, machine = names["X"], names["machine"]
        if isinstance(machine, svmlib.Solution):
            kernel = names.get("kernel") or kernel_of(page["kernel"])
            f_svmlib = kernel(X, X) @ (machine.alpha * names["y"]) + machine.b
        else:
            f_svmlib = machine.decision_function(X)
            assert "gap" in said
        assert abs(f_svmlib - f).max() < 1e-6, seed
        names, said = executed(page["scikit"], capsys)
        X, y, C, alpha = (names[name] for name in ("X", "y", "C", "alpha"))
        assert abs(names["decision"](X) - f).max() < 1e-6, seed
        assert (alpha >= 0).all() & (alpha <= C).all()
        assert abs(alpha @ y) < 1e-9 * alpha.sum()
        if page["status"] == "optimal":
            other = names["machine"].decision_function(X) - f
            if not ((alpha > 0) & (alpha < C)).any():       # then b may be anywhere in an interval
                other -= other.mean()
            assert abs(other).max() < 1e-3 * max(1, abs(f).max()), seed
            assert abs(names["primal"] - names["dual"]) < 1e-6 * names["dual"]
            assert f"gap {names['primal'] - names['dual']:.1e}" in said
        else:
            assert all("indefinite" in page[program] for program in ("python", "scikit"))
            assert "gap" not in said
    return {page["status"] for page in found}


def test_python_decides_as_the_page(capsys: pytest.CaptureFixture[str]) -> None:
    # Two columns; two directions and a polynomial; a typed kernel; a point that has been moved.
    agrees([0, 5, 9, 13], capsys)


@pytest.mark.thorough
@pytest.mark.filterwarnings("ignore::svmlib.NotPSDWarning")
def test_python_decides_as_the_page_a_hundred_times(capsys: pytest.CaptureFixture[str]) -> None:
    assert agrees(range(100), capsys) == {"optimal", "stationary"}
