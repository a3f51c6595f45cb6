"""numba's cache on disk: code that is built into other code must not outlive its source."""
import importlib
import os
import pickle
import pkgutil
import re
import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from sklearn.base import clone

import svmlib
from svmlib import compilation
from svmlib.compilation import empty_if_outdated
from svmlib.engine.pairs import mixed_steps

COMPILED = pytest.mark.skipif(os.environ.get("NUMBA_DISABLE_JIT") == "1", reason="nothing is compiled")
# The smallest package that is compiled as svmlib is: a function in one module with that of another built in.
INNER = """
from svmlib.compilation import njit

@njit()
def inner(x):
    return 1.0 * x
"""
OUTER = """
from svmlib.compilation import njit
from svmlib.inner import inner

@njit()
def outer(x):
    return inner(x) + 1.0
"""
SMALL = "from svmlib.outer import outer; print(outer(1.0))"
WHOLE = """
import numpy as np
from svmlib.engine.gram_rows import RowsOnDemand
from svmlib.engine.row_kernels import row_kernel_of
from svmlib.kernels import Linear
rows = RowsOnDemand(row_kernel_of(Linear(), np.array([[1.0], [2.0]])), np.array([1.0, 4.0]))
print(rows.times(np.array([-1.0, 1.0])).tolist())
"""
FIT = """
from svmlib import SVC
from svmlib.data import xs_linear
print(SVC().fit(*xs_linear()).predict(xs_linear()[0][:10]).shape)
"""
CERTIFY = """
import numpy as np
from svmlib.dual.certificate import evaluate
y, C = np.array([-1.0, 1.0]), np.array([10.0, 10.0])
print(1.0 + evaluate(y, C, y, np.array([0.5, 0.5]), np.array([0.0, 2.0]), 0.0, False, np.empty(2))[3])
"""
ROOT = Path(__file__).resolve().parents[2]


def answer(program, folder, **environment):
    """What a program prints with the svmlib of a folder."""
    inherited = {name: value for name, value in os.environ.items() if name != "NUMBA_CACHE_DIR"}
    env = {**inherited, "PYTHONPATH": str(folder), "PYTHONDONTWRITEBYTECODE": "1", **environment}
    run = subprocess.run([sys.executable, "-c", program], cwd=folder, env=env, text=True, check=True,
                         stdout=subprocess.PIPE)
    return run.stdout.strip()


def test_a_folder_is_emptied_when_the_sources_have_changed(tmp_path):
    stored = [tmp_path / name for name in ("smo._rounds-142.py311.nbi", "smo._rounds-142.py311.1.nbc")]
    other = tmp_path / "smo.cpython-311.pyc"
    for current, kept in (("old", False), ("new", False), ("new", True)):
        for file in (*stored, other):
            file.touch()
        empty_if_outdated.__wrapped__(tmp_path, current)
        assert [file.exists() for file in stored] == [kept, kept]
        assert other.exists()


def test_a_folder_that_cannot_be_written_is_left_alone(tmp_path):
    empty_if_outdated.__wrapped__(tmp_path / "missing", "new")
    assert not (tmp_path / "missing").exists()


def assert_compiled_again(folder, elsewhere, program, before, module, line, changed, after):
    """A change of one line of a module changes what the program prints, and nothing else has it compiled again."""
    environment = {"NUMBA_CACHE_DIR": str(folder / "cache")} if elsewhere else {}
    assert answer(program, folder, **environment) == before
    cache = folder / "cache" if elsewhere else folder / "svmlib"
    stored = {file: file.stat().st_mtime_ns for file in cache.rglob("*.nbc")}
    assert stored
    assert answer(program, folder, **environment) == before
    assert stored == {file: file.stat().st_mtime_ns for file in cache.rglob("*.nbc")}        # taken from the disk
    text = (folder / "svmlib" / module).read_text()
    assert text.count(line) == 1
    (folder / "svmlib" / module).write_text(text.replace(line, changed))
    assert answer(program, folder, **environment) == after


@COMPILED
@pytest.mark.parametrize("elsewhere", [False, True])
def test_code_that_other_code_has_built_in_is_compiled_again_after_a_change(tmp_path, elsewhere):
    package = tmp_path / "svmlib"
    package.mkdir()
    shutil.copy(compilation.__file__, package)
    for name, text in (("__init__", ""), ("inner", INNER), ("outer", OUTER)):
        (package / f"{name}.py").write_text(text)
    assert_compiled_again(tmp_path, elsewhere, SMALL, "2.0", "inner.py", "1.0 * x", "3.0 * x", "4.0")


@COMPILED
@pytest.mark.thorough
@pytest.mark.parametrize("elsewhere", [False, True])
def test_svmlibs_own_code_is_compiled_again_after_a_change(tmp_path, elsewhere):
    shutil.copytree(Path(svmlib.__file__).parent, tmp_path / "svmlib",
                    ignore=shutil.ignore_patterns("*.nbi", "*.nbc", "svmlib-sources", "*.gz"))
    line = "out[l] += factor * x * z[l]"                        # add_all of gram_rows.py has this one inside
    assert_compiled_again(tmp_path, elsewhere, WHOLE, "[1.0, 2.0]", "engine/row_kernels.py", line,
                          line.replace("factor", "0.5 * factor"), "[0.5, 1.0]")


def compiled_functions():
    """All of svmlib, by name."""
    modules = (importlib.import_module(module.name) for module in pkgutil.walk_packages(svmlib.__path__, "svmlib."))
    return {f"{module.__name__}.{name}": function for module in modules for name, function in vars(module).items()
            if hasattr(function, "py_func") and function.__module__ == module.__name__}


def test_all_compiled_functions_are_declared_here():
    """Nobody calls numba's own decorators; where its parts are used, the module counts among the sources."""
    for file in sorted(Path(svmlib.__file__).parent.rglob("*.py")):
        text = file.read_text(encoding="utf8")
        assert file.name == "compilation.py" or not re.search(r"^\s*(import numba|from numba import)", text, re.M), file
        assert "njit" in text or not re.search(r"^\s*from numba", text, re.M), file


@COMPILED
def test_sums_in_any_order_are_built_into_the_function_that_needs_them():
    """Left to the linker, they come back from the cache with other rounding: who compiles would take another path."""
    functions, seen = compiled_functions(), 0
    for name, function in functions.items():
        python = function.py_func
        for used in (python.__globals__.get(word) for word in python.__code__.co_names):
            if "reassoc" in (getattr(used, "targetoptions", {}).get("fastmath") or ()):
                assert used.targetoptions.get("inline") == "always", f"{name} calls {used.__name__}"
                seen += 1
    assert seen > 10


SAME_BITS = """
import hashlib
import numpy as np
from svmlib import DualProblem, solve
from svmlib.kernels import Gaussian, Linear, Polynomial
rng = np.random.default_rng(0)
t, y = rng.uniform(0, np.pi, 1000), rng.permutation(np.repeat([-1.0, 1.0], 500))
X = np.where((y > 0)[:, None], np.c_[np.cos(t), np.sin(t)], np.c_[1 - np.cos(t), 0.5 - np.sin(t)])
X += 0.2 * rng.normal(size=X.shape)
for kernel, C, solver in ((Gaussian(gamma=1.0), 1.0, "smo"), (Gaussian(gamma=1.0), 100.0, "working_set"),
                          (Linear(), 100.0, "smo"), (Polynomial(Q=3), 100.0, "working_set")):
    print(hashlib.sha256(solve(DualProblem(kernel, X, y, C), solver).alpha.tobytes()).hexdigest())
"""


@COMPILED
@pytest.mark.thorough
def test_the_process_that_compiles_gets_the_bits_of_those_that_read_the_cache(tmp_path):
    env = {**os.environ, "NUMBA_CACHE_DIR": str(tmp_path), "OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"}
    first, second = (subprocess.run([sys.executable, "-c", SAME_BITS], env=env, text=True, check=True,
                                    stdout=subprocess.PIPE).stdout for _ in range(2))
    assert first == second


def cold(code, tmp_path, **variables):
    """Run a program with nothing compiled."""
    environment = {**os.environ, "NUMBA_CACHE_DIR": str(tmp_path), **variables}
    done = subprocess.run([sys.executable, "-c", code], check=False, env=environment, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


FIRST_FITS = """
import pickle
import numpy as np
from numba.core import event
from svmlib import SVC
from svmlib.kernels import Gaussian

class Compiled(event.Listener):
    names = []
    def on_start(self, e):
        self.names.append(e.data["dispatcher"].py_func.__name__)
    def on_end(self, e):
        pass

event.register("numba:compile", Compiled())
rng = np.random.default_rng(0)
fits = []
for n, C, kernel in ((40, 1.0, None), (200, 1.0, None), (200, 100.0, None), (200, np.inf, Gaussian(sigma=0.1))):
    X = rng.normal(size=(n, 2))
    y = np.where(X[:, 0] + 0.3 * rng.normal(size=n) > 0, 1, -1)
    fits.append((X, y, SVC(kernel, C=C, tol=1e-6).fit(X, y)))
X, y, _ = fits[0]
fits.append((X, y, SVC().fit(X, y)))
SVC().fit(X, np.arange(40) % 4)
assert not Compiled.names, Compiled.names
with open("fits.pickle", "wb") as file:
    pickle.dump(fits, file)
"""


@COMPILED
def test_a_first_small_fit_compiles_nothing(tmp_path, monkeypatch):
    """And it is the machine of a later one, from compiled loops, within the tolerance of both."""
    monkeypatch.setattr("svmlib.solvers.smo.is_cold", lambda function: False)             # here all is compiled
    cold(f"import os; os.chdir({str(tmp_path)!r})\n{FIRST_FITS}", tmp_path)
    fits = pickle.loads((tmp_path / "fits.pickle").read_bytes())
    for X, y, first in fits:
        later = clone(first).fit(X, y)
        assert (first.solutions_[0].status, later.solutions_[0].status) == ("optimal", "optimal")
        assert np.allclose(first.decision_function(X), later.decision_function(X), atol=1e-4)
    assert (first.support_ == later.support_).all()             # few steps: the same ones
    assert np.allclose(first.dual_coef_, later.dual_coef_, atol=1e-9)
    assert mixed_steps.overloads


@COMPILED
def test_many_first_small_fits_are_worth_a_compiler(tmp_path):
    cold("""
from sys import modules
import numpy as np
import svmlib.solvers.smo
from svmlib import SVC
from svmlib.engine.pairs import mixed_steps
taken = 0
rng = np.random.default_rng(0)
X, y = rng.normal(size=(60, 2)), rng.choice([-1, 1], 60)
modules["svmlib.solvers.smo"].FIRST_STEPS = iter(range(300))
for fits in range(50):
    machine = SVC().fit(X, y)
    if mixed_steps.overloads:
        break
    taken += machine.n_iter_[0]
assert 1 <= fits < 20, fits
assert taken <= 300 <= taken + machine.n_iter_[0]
assert machine.solutions_[0].status == "optimal"
""", tmp_path, NUMBA_OPT="0")                                   # what it compiles need not be fast


@pytest.mark.skipif(shutil.which("bwrap") is None, reason="needs bubblewrap")
def test_where_nothing_can_be_written_it_fits_all_the_same():
    closed = ["bwrap", "--ro-bind", "/", "/", "--dev", "/dev", "--proc", "/proc", "--tmpfs", "/tmp", "--setenv", "HOME",
              "/nowhere", "--unsetenv", "XDG_CACHE_HOME", "--unsetenv", "NUMBA_CACHE_DIR", "--chdir", str(ROOT)]
    run = subprocess.run([*closed, sys.executable, "-W", "error::UserWarning", "-c", FIT], capture_output=True,
                         text=True, check=False)
    assert (run.stdout.strip(), run.stderr) == ("(10,)", "")


@COMPILED
def test_numba_asks_no_user_to_report_anything(tmp_path):
    run = subprocess.run([sys.executable, "-c", CERTIFY], cwd=ROOT, capture_output=True, text=True, check=False,
                         env={**os.environ, "NUMBA_CACHE_DIR": str(tmp_path)})
    assert (run.stdout.strip(), run.stderr) == ("1.0", "")
    assert list(tmp_path.rglob("certificate.evaluate*.nbi"))
