"""svmlib as somebody gets it who has only its wheel: it imports quickly, works, and a type checker sees its types."""
import os
import re
import subprocess
import sys
import sysconfig
import tarfile
import tomllib
import zipfile
from pathlib import Path

import kit
import pytest
from setuptools import build_meta

import svmlib

ROOT = Path(__file__).resolve().parents[2]
SLOW = ("numpy", "scipy", "sklearn", "numba", "cvxopt", "matplotlib", "joblib")     # not for `import svmlib`

SCRIPT = '''
from sklearn.model_selection import GridSearchCV

import numpy as np

from svmlib import SVC, SVR, DualProblem, NotSeparableError, OneClassSVM, Solution, solve
from svmlib.data import load_mnist, xs_linear
from svmlib.kernels import Gaussian, Kernel, Linear, Polynomial, Subsequence
from svmlib.svc.multiclass import class_pairs


def boundary(kernel: Kernel, C: float) -> Solution:
    X, y = xs_linear()
    return solve(DualProblem(kernel, X, y, C=C), "smo")


kernel: Kernel = 2 * Linear() + Gaussian(sigma=1.0) * Polynomial(Q=2)
solution = boundary(kernel, 10.0)
gap: float = solution.gap
alpha: np.ndarray = solution.alpha
X, y = xs_linear()
machine = SVC(kernel="rbf", gamma="auto", C=2.0).fit(X, y)
labels: np.ndarray = machine.predict(X)
margin: float = machine.margin_
regression: np.ndarray = SVR(Gaussian(gamma=0.5), epsilon=0.2).fit(X, y).predict(X)
novel: np.ndarray = OneClassSVM(nu=0.2).fit(X).decision_function(X)
count: int = len(class_pairs(3))
K: np.ndarray = Subsequence(normalized=True)(["BERT"], ["BEERE"])
search = GridSearchCV(SVC(), {"C": [1, 10]})
try:
    SVC(Linear(), C=np.inf).fit(X, y)
except NotSeparableError as error:
    print(error)
'''
WRONG = {'SVC(gama=1.0)': "call-arg", 'SVC(C="10")': "arg-type", 'SVC(kernel=3)': "arg-type",
         'SVR(epsilon="a")': "arg-type", 'OneClassSVM(nu=[])': "arg-type", 'Gaussian(width=2.0)': "call-arg",
         'Subsequence(normalised=True)': "call-arg", 'solve(3, "smo")': "arg-type", 'solution.gab': "attr-defined",
         'm: int = SVC().fit(X, y).predict(X)': "assignment"}


@pytest.fixture(scope="module")
def wheel(tmp_path_factory):
    """The wheel of this repository."""
    return kit.build_wheel(ROOT, tmp_path_factory.mktemp("wheel"))


@pytest.fixture(scope="module")
def environment(tmp_path_factory, wheel):
    """An environment that holds the wheel and sees the dependencies, not this repository: its Python."""
    top = tmp_path_factory.mktemp("user")
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", top / "env"], check=True)
    python = top / "env" / "bin" / "python"
    site = Path(subprocess.run([python, "-c", "import sysconfig; print(sysconfig.get_path('purelib'))"], check=True,
                               capture_output=True, text=True).stdout.strip())
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(site)
    (site / "dependencies.pth").write_text(sysconfig.get_path("purelib") + "\n")
    return python


def run(environment, *command, folder, **variables):
    """What a command of the environment prints, its errors, too."""
    clean = {name: value for name, value in os.environ.items() if name not in ("PYTHONPATH", "MYPYPATH")}
    done = subprocess.run([environment, *command], cwd=folder, env={**clean, **variables}, capture_output=True,
                          text=True, check=False)
    return done.returncode, done.stdout + done.stderr


def test_the_wheel_works_without_the_repository(environment, tmp_path):
    (tmp_path / "user.py").write_text(SCRIPT + 'import svmlib\nprint(svmlib.__file__, "done")\n')
    code, printed = run(environment, "user.py", folder=tmp_path)
    assert code == 0, printed
    assert str(ROOT) not in printed
    assert printed.endswith("done\n")


def test_import_leaves_all_that_is_slow_for_later(environment, tmp_path):
    script = f"import sys, svmlib; print(*(name for name in sys.modules if name.split('.')[0] in {SLOW}))"
    code, printed = run(environment, "-c", script, folder=tmp_path)
    assert code == 0, printed
    assert printed.split() == []


def test_every_public_name_comes_at_its_first_use(environment, tmp_path):
    script = "import svmlib; print(*(n for n in svmlib.__all__ if n not in dir(svmlib) or not getattr(svmlib, n)))"
    code, printed = run(environment, "-c", script + "; from svmlib import *; svmlib.nothing", folder=tmp_path)
    assert code == 1
    assert printed.startswith("\n")
    assert printed.endswith("AttributeError: module 'svmlib' has no attribute 'nothing'\n")


def test_a_strict_type_checker_agrees_with_a_user(environment, tmp_path):
    lines = SCRIPT.strip().splitlines()
    (tmp_path / "user.py").write_text("\n".join([*lines, *WRONG]) + "\n")
    _, printed = run(sys.executable, "-m", "mypy", "--strict", "--python-executable", environment, "--cache-dir",
                     tmp_path / "cache", "--config-file", os.devnull, "user.py", folder=tmp_path)
    found = {int(line): kind for line, kind in re.findall(r"^user\.py:(\d+): error: .*\[([a-z-]+)\]$", printed, re.M)}
    known = {number for number, line in enumerate(lines, 1) if "sklearn" in line}      # which has no types
    at = {len(lines) + k: kind for k, kind in enumerate(WRONG.values(), 1)}
    assert {line: kind for line, kind in found.items() if line not in known} == at, printed


#: What `pip install svmlib` brings; each brings what it needs itself.
NEEDED = {"numpy", "scipy", "cvxopt", "numba", "scikit-learn", "joblib", "threadpoolctl", "tqdm", "pooch"}


def test_the_wheel_is_the_package_alone(wheel):
    """No class for lessons, no answer, and no extra that brings such."""
    with zipfile.ZipFile(wheel) as archive:
        names = archive.namelist()
        [about] = [archive.read(name).decode() for name in names if name.endswith(".dist-info/METADATA")]
    assert {re.split(r"/|-\d", name)[0] for name in names} == {"svmlib"}
    assert not [name for name in names if name.endswith((".js", ".css", ".json", ".bin", ".txt"))
                and ".dist-info/" not in name and not name.startswith("svmlib/data/")]
    assert set(re.findall(r"^Requires-Dist: ([\w-]+)", about, re.M)) == NEEDED
    assert "Provides-Extra" not in about


def test_the_course_needs_this_svmlib():
    """Both are released together."""
    library, course = (tomllib.loads((ROOT / folder / "pyproject.toml").read_text())["project"]
                       for folder in kit.PROJECTS.values())
    assert course["version"] == library["version"] == svmlib.__version__
    assert f"svmlib=={library['version']}" in course["dependencies"]


def test_source_archive_makes_the_same_package(wheel, tmp_path, monkeypatch):
    monkeypatch.chdir(ROOT)
    with tarfile.open(tmp_path / build_meta.build_sdist(str(tmp_path))) as archive:
        archive.extractall(tmp_path / "source", filter="data")
    (source,) = (tmp_path / "source").iterdir()
    ours, theirs = (set(zipfile.ZipFile(made).namelist()) for made in (wheel, kit.build_wheel(source, tmp_path)))
    assert ours == theirs
    assert "svmlib/py.typed" in ours
    assert {"svmlib/svc/by_name.py", "svmlib/svc/scikit_learn.py"} <= ours
