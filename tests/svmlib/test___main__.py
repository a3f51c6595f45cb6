"""`python -m svmlib`: that it is there; what it does stands in auditing/test_libsvm_files.py."""
import runpy
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
FOLDER = Path(__file__).parent / "auditing" / "libsvm"


def test_the_command_runs(monkeypatch, capsys):
    monkeypatch.setattr(sys, "argv", ["svmlib", "audit", str(FOLDER / "heart.model"), str(FOLDER / "heart_scale")])
    with pytest.raises(SystemExit) as end:
        runpy.run_path(str(ROOT / "svmlib" / "__main__.py"), run_name="__main__")
    assert end.value.code == 0
    assert capsys.readouterr().out.startswith("heart.model, c_svc with Gaussian(gamma=0.0769230769230769")
