"""Where right answers and mistakes come from: the solved notebook of an exercise, and the table of its chapter.

In the repository these are two texts, `notebooks/exercises/10_smo.ipynb` and `svmcourse/smo/mistakes.txt`.  The wheel
has neither: `book/_tools/kit.py` puts what checks need of both, packed, into `smo/answers.bin`, so that nobody who
looks for a figure or a hint meets the solutions.  That is a curtain and no lock: who solves exercises runs the checks,
and can take them apart.
"""
import functools
import json
import zlib
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parents[2]


class Sources(NamedTuple):
    """The code cells of a solved notebook, in their order, and the table of mistakes."""

    cells: list[str]
    table: str


def folder_of(exercise: str) -> str:
    """The folder of a chapter below the root of the repository: the name of its notebook without the number."""
    return f"svmcourse/{exercise[3:]}"


def written(root: Path, exercise: str) -> Sources:
    """What the repository says."""
    notebook = json.loads((root / "notebooks" / "exercises" / f"{exercise}.ipynb").read_text(encoding="utf8"))
    code = ["".join(cell["source"]) for cell in notebook["cells"] if cell["cell_type"] == "code"]
    table = root / folder_of(exercise) / "mistakes.txt"
    return Sources(code, table.read_text(encoding="utf8") if table.exists() else "")


def packed(sources: Sources) -> bytes:
    """The same as one file."""
    return zlib.compress(json.dumps(sources).encode(), 9)


@functools.cache
def sources_of(exercise: str, root: Path = ROOT) -> Sources:
    """The cells and the table of an exercise, such as "10_smo", from the repository or from an installed wheel."""
    binary = root / folder_of(exercise) / "answers.bin"
    if binary.exists():
        return Sources(*json.loads(zlib.decompress(binary.read_bytes())))
    try:
        return written(root, exercise)
    except FileNotFoundError as error:
        raise FileNotFoundError(
            f"svmcourse does not find the exercises of {exercise}, which its checks compare with. Install it from the "
            "wheel that `make kit` writes, or in a copy of the repository by `pip install -e svmcourse`.") from error


def exercises(root: Path) -> list[str]:
    """The exercises whose chapters have a table."""
    notebooks = (root / "notebooks" / "exercises").glob("[0-9][0-9]_*.ipynb")
    return sorted(path.stem for path in notebooks if (root / folder_of(path.stem) / "mistakes.txt").exists())
