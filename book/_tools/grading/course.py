"""What a submission sees of us: svmlib and what it compiles, and svmcourse without checks, mistakes and answers.

In the copy each chapter's `checks` has the names of its tasks and nothing else: here checks are made by the judge.
"""
from __future__ import annotations

import compileall
import hashlib
import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterable
from pathlib import Path

from numba.core.caching import _CacheLocator

from svmlib.compilation import STAMP

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[2]
#: What is copied of the packages; see `withheld` for what of that is not.
KINDS = {"svmlib": ("*.py", "data/*", "py.typed"),
         "svmcourse": ("*.py", "*/questions.json", "*/bugs.toml", "live/*.js", "live/*.css")}

CHECKING = '''\
"""While a class is graded, checks are made outside of this process."""


class Elsewhere:
    """A check: its result is in the report."""

    def __init__(self, name):
        self.name = name

    def __call__(self, *answers):
        print(f"{self.name}: the result is in the report")
        return self

    def __repr__(self):
        return ""


def progress():
    """Nothing is recorded here."""
'''
CHECKS = '''\
"""The tasks of a chapter; each is checked outside of this process."""
from svmcourse.checking import Elsewhere

'''


def withheld(path: Path) -> bool:
    """Whether a file of the packages, by its path, helps to check answers."""
    return path.parts[0] == "svmcourse" and (path.name.startswith("checks") or path.parent.name == "checking")


def parts() -> dict[str, Path]:
    """The files that are copied, by their paths."""
    found = {file.relative_to(ROOT): file for package, kinds in KINDS.items() for kind in kinds
             for file in (ROOT / package).rglob(kind) if file.is_file()}
    return {str(name): file for name, file in sorted(found.items()) if not withheld(name)}


def stubs() -> dict[str, str]:
    """What stands in the place of the checks, by its path."""
    made = {"svmcourse/checking/__init__.py": CHECKING}
    for file in sorted((ROOT / "svmcourse").glob("*/checks.py")):
        texts = "\n".join(part.read_text(encoding="utf8") for part in sorted(file.parent.glob("checks*.py")))
        tasks = sorted(set(re.findall(r"^@(?:judged|compared)\((?:.|\n)*?^def (\w+)\(", texts, re.M)))
        lines = [f'{name} = Elsewhere("{name}")' for name in tasks]
        made[f"svmcourse/{file.parent.name}/checks.py"] = CHECKS + "\n".join(lines) + "\n"
    return made


def fingerprint() -> str:
    """Of all that goes into the copy."""
    digest = hashlib.sha256(sys.version.encode())
    for name, file in [*parts().items(), ("sandbox.py", HERE / "sandbox.py")]:
        digest.update(name.encode() + b"\0" + file.read_bytes())
    digest.update(repr(stubs()).encode())
    return digest.hexdigest()


def make(out: Path) -> tuple[Path, Path]:
    """Write the copy, and compile what svmlib compiles, once for all submissions; returns both directories."""
    course, compiled, key = out / "course", out / "compiled", fingerprint()
    stamp = out / "course.key"
    if stamp.exists() and stamp.read_text() == key and course.is_dir() and compiled.is_dir():
        return course, compiled
    print("svmlib is compiled for the class, once: this takes a minute or two", flush=True)
    stamp.unlink(missing_ok=True)
    for old in (course, compiled):
        shutil.rmtree(old, ignore_errors=True)
    for name, file in parts().items():
        target = course / name
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy2(file, target)
    for name, text in stubs().items():
        target = course / name
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(text, encoding="utf8")
    shutil.copy2(HERE / "sandbox.py", course / "sandbox.py")
    compileall.compile_dir(course, quiet=1)
    _compile(course, compiled)
    _readable([course, compiled])
    stamp.write_text(key)
    return course, compiled


def _compile(course: Path, compiled: Path) -> None:
    """Fill the caches of numba and of matplotlib, as a submission finds them."""
    compiled.mkdir(parents=True)
    _take_over(course, compiled)
    with tempfile.TemporaryDirectory() as home:                 # whoever grades may have fonts that submissions lack
        environment = {**os.environ, "PYTHONPATH": str(course), "HOME": home, "OMP_NUM_THREADS": "1",
                       "OPENBLAS_NUM_THREADS": "1", "NUMBA_CACHE_DIR": str(compiled / "numba"),
                       "MPLCONFIGDIR": str(compiled / "matplotlib"), "SVMLIB_PROGRESS": "off"}
        for what in (["-c", "import matplotlib.font_manager"], [str(HERE.parent / "warm.py")]):
            done = subprocess.run([sys.executable, *what], check=False, capture_output=True, text=True,
                                  env=environment)
            if done.returncode:
                raise RuntimeError(f"svmlib could not be compiled for the class:\n{done.stderr[-2000:]}")


def _take_over(course: Path, compiled: Path) -> None:
    """Copy what numba has compiled of our svmlib to where it looks for that in the copy, which is then soon compiled.

    What is outdated does no harm: numba compares the times of the files, which the copy has kept, and
    svmlib.compilation what all of them hold.
    """
    place, own = _CacheLocator.get_suitable_cache_subpath, os.environ.get("NUMBA_CACHE_DIR")
    for folder in {Path(name).parent for name in parts()}:
        file = ROOT / folder / "__init__.py"
        ours = Path(own, place(file)) if own else file.with_name("__pycache__")
        theirs = compiled / "numba" / place(course / folder / "__init__.py")
        for cached in (*ours.glob("*.nb[ic]"), *ours.glob(STAMP)):
            theirs.mkdir(parents=True, exist_ok=True)
            shutil.copy2(cached, theirs)


def _readable(directories: Iterable[Path]) -> None:
    """Let another user read them, whatever the umask is: as root, submissions run as one."""
    for top in directories:
        for path in [top, *top.rglob("*")]:
            if not path.is_symlink():
                path.chmod(path.stat().st_mode | (0o555 if path.is_dir() else 0o444))
