"""Write the plane data sets that svmlib ships as CSV: `python book/_tools/make_csv.py [directory]`.

The files are shipped because NumPy does not promise the same random stream in every version.
"""

import sys
from pathlib import Path

import numpy as np

from svmlib.data import planar


def write_csv(path: Path, X: np.ndarray, y: np.ndarray) -> None:
    """Write points and labels as x1,x2,y; repr gives each float with as many digits as it needs, no more."""
    rows = [f"{float(x1)!r},{float(x2)!r},{int(label)}" for (x1, x2), label in zip(X, y, strict=True)]
    path.write_text("\n".join(["x1,x2,y", *rows]) + "\n", encoding="utf-8", newline="\n")


def main(arguments: list[str]) -> None:
    """Write the files to the directory named on the command line, else to svmlib/data."""
    directory = Path(arguments[0]) if arguments else Path(planar.__file__).parent
    for name in ("km40m2", "xs_linear", "xs_kernel"):
        write_csv(directory / f"{name}.csv", *getattr(planar, f"draw_{name}")())


if __name__ == "__main__":
    main(sys.argv[1:])
