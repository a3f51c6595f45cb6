"""Whether the site that is there was built from the files that are there: `make book` then has nothing to do.

    python book/_ext/unchanged.py [_build]      ends with 0 where it was; imports nothing but Python's own library
"""

from __future__ import annotations

import hashlib
import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
FOLDERS = ("book", "notebooks", "svmlib", "svmcourse", "benchmarks/results")
NOT_READ = {"node_modules", "__pycache__", ".ipynb_checkpoints", "svmlib.egg-info"}
STAMP = ".built"        # beside the site
#: Of the environment: the edition, and the day that pages name.
SETTINGS = ("SVMLIB_SOLUTIONS", "SOURCE_DATE_EPOCH")


def last_commit(root: Path) -> str:
    """The day of the last commit, which pages name; "" without git."""
    try:
        return subprocess.run(["git", "log", "-1", "--format=%cs"], cwd=root, capture_output=True, text=True,
                              check=False).stdout.strip()
    except FileNotFoundError:
        return ""


def sources(root: Path) -> list[Path]:
    """All files that the book is made of, and those beside them: a README is in the wheel, a _toc.yml is the order."""
    found = [path for path in root.iterdir() if path.is_file()]
    for folder in FOLDERS:
        for top, inner, names in os.walk(root / folder, followlinks=True):
            inner[:] = [name for name in inner if name not in NOT_READ]
            found += [Path(top, name) for name in names if not name.endswith((".pyc", ".nbi", ".nbc"))]
    return sorted(found)


def key(root: Path) -> str:
    """Fingerprint of all that a build depends on."""
    digest = hashlib.sha256(f"{sys.version} {last_commit(root)} {[os.environ.get(name) for name in SETTINGS]}".encode())
    for path in sources(root):
        digest.update(f"{path.relative_to(root).as_posix()} {path.stat().st_size} ".encode())
        digest.update(path.read_bytes())
    return digest.hexdigest()


def unchanged(root: Path, build: Path) -> bool:
    """Whether the site below `build` is that of the files as they are."""
    stamp = build / STAMP
    return (build / "html" / "index.html").exists() and stamp.exists() and stamp.read_text() == key(root)


if __name__ == "__main__":
    sys.exit(not unchanged(ROOT, ROOT / (sys.argv[1] if len(sys.argv) > 1 else "_build")))
