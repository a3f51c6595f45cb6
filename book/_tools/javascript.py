"""Types and style of the JavaScript of the live figures: tsc over its JSDoc, then eslint.  `make lint` runs it."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "book" / "_ext"))

from assets import environment, install, node  # noqa: E402

LIVE = "svmcourse/live"


def main() -> int:
    """Run both; 0 where neither finds anything."""
    modules = install(ROOT / "book" / "_npm")
    commands = [
        [modules / "typescript" / "bin" / "tsc", "-p", f"{LIVE}/tsconfig.json"],
        [modules / "eslint" / "bin" / "eslint.js", "-c", "book/_npm/eslint.config.mjs", "--max-warnings=0",
         f"{LIVE}/*.js", "tests/course/live/*.mjs"],
    ]
    found = [subprocess.run([*node(), *map(str, command)], cwd=ROOT, env=environment(), check=False).returncode
             for command in commands]
    return int(any(found))


if __name__ == "__main__":
    sys.exit(main())
