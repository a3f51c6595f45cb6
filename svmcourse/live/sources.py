"""The JavaScript of live figures as one module, for notebooks, whose Python has no bundler beside it.

Pages get a bundle from esbuild (book/_ext/live_figures.py).  Here the modules are only put one after the other: they
import nothing but each other, by name, and no two of them declare the same name (a test has node read the result).
"""
import re
from functools import cache
from pathlib import Path

FOLDER = Path(__file__).parent
IMPORT = re.compile(r'^import \{[^}]*\} from "\./([\w/-]+\.js)";\n', re.M)
EXPORT = re.compile(r"^export (?!default)", re.M)


@cache
def joined(entry: str = "widget.js") -> str:
    """A module with all that it imports, each file once, after what it needs itself.

    >>> "export default { render }" in joined(), "import {" in joined()
    (True, False)
    """
    parts: dict[str, str] = {}

    def visit(name: str) -> None:
        """Add a module behind those it imports."""
        text = (FOLDER / name).read_text(encoding="utf8")
        for needed in IMPORT.findall(text):
            if needed not in parts:
                visit(needed)
        parts[name] = EXPORT.sub("", IMPORT.sub("", text))

    visit(entry)
    return "\n".join(parts.values())


def style() -> str:
    """The style sheet."""
    return (FOLDER / "live.css").read_text(encoding="utf8")
