"""How long a chapter takes to read and its exercises to solve: one formula, written into the notebooks.

    python book/_tools/times.py           write the times into the notebooks
    python book/_tools/times.py --show    print what each chapter's time is made of

The rates are those of an attentive first reading.  What is folded is not counted, but for proofs, which are there to
be read.  The map of the course takes its hours from here, and a test compares every notebook with the formula.
"""
from __future__ import annotations

import re
import sys
from pathlib import Path
from typing import Any

import nbformat

ROOT = Path(__file__).resolve().parents[2]
WORDS, LINES = 130, 8                   # a minute: words of running text, lines of code that are not folded
FIGURE, FORMULA, TABLE, PROOF, QUIZ = 0.75, 0.75, 2 / 3, 2.5, 6.0   # minutes each
STEP = 5                                # to how many minutes a time is rounded

BLOCK = re.compile(r"^(:{3,}|`{3,})\{([\w:]+)\}[^\n]*\n(.*?)^\1[ ]*$", re.M | re.S)
DISPLAYED = re.compile(r"\$\$.*?\$\$(?: \([\w-]+\))?", re.S)
CHAPTER_TIME = re.compile(r"(?m)^(You need [^\n]*?about )\d+( minutes)")
TASK_TIME = re.compile(r"(?m)^\*(\d+) points? · (?!about)[^*\n]*?(\d+) minutes\*")
TOTAL = re.compile(r"(?m)^\*\d+ points · about [^*\n]*\*$")
# what nobody reads
PLAIN = re.compile(r"(?:import|from) |(?:fig = )?(?:draw\.|explore\(|live\.(?:figure|pairs|stage)\()")
DRAWS = re.compile(r"\b(?:draw\.\w+|explore|live\.figure|live\.pairs|live\.stage)\(")


def parts(notebook: Any) -> dict[str, int]:
    """What of a chapter takes time: words, lines, figures, formulas, tables, proofs, and the quiz."""
    found = dict.fromkeys(("words", "lines", "figures", "formulas", "tables", "proofs", "quizzes"), 0)

    def read(text: str) -> str:
        """The text without what is folded; proofs and formulas are counted on the way."""
        def block(match: re.Match[str]) -> str:
            _, name, body = match.groups()
            if name in ("prf:proof", "math"):
                found["proofs" if name == "prf:proof" else "formulas"] += 1
                return ""
            folded = re.match(r":class:[^\n]*\bdropdown\b", body)
            return "" if folded else re.sub(r"^:\w[\w-]*:.*$", "", read(body), flags=re.M)

        text = BLOCK.sub(block, text)
        found["formulas"] += len(DISPLAYED.findall(text))
        return DISPLAYED.sub(" ", text)

    for cell in notebook.cells:
        tags = cell.metadata.get("tags", [])
        if cell.cell_type == "markdown":
            found["words"] += len(read(cell.source).split())
            continue
        if {"remove-cell", "test"} & set(tags):
            continue
        shown = {kind for output in cell.outputs for kind in output.get("data", {})}
        if "quiz(" in cell.source:
            found["quizzes"] += 1
        elif "image/png" in shown or DRAWS.search(cell.source):
            found["figures"] += 1
        elif "text/html" in shown:
            found["tables"] += 1
        folded = {"hide-input", "hide-cell", "remove-input"} & set(tags)
        if not folded and not PLAIN.match(cell.source):
            found["lines"] += len(cell.source.splitlines())
    return found


def of_chapter(notebook: Any) -> int:
    """The minutes that a chapter takes, rounded."""
    n = parts(notebook)
    minutes = (n["words"] / WORDS + n["lines"] / LINES + FIGURE * n["figures"] + FORMULA * n["formulas"]
               + TABLE * n["tables"] + PROOF * n["proofs"] + QUIZ * n["quizzes"])
    return STEP * round(minutes / STEP)


def of_tasks(notebook: Any) -> tuple[int, int]:
    """The points of all tasks of an exercise notebook, and their minutes."""
    text = "\n".join(cell.source for cell in notebook.cells if cell.cell_type == "markdown")
    tasks = TASK_TIME.findall(text)
    return sum(int(points) for points, _ in tasks), sum(int(minutes) for _, minutes in tasks)


def hours(minutes: int) -> str:
    """A time to plan with: minutes below an hour and a half, else hours.

    >>> hours(45), hours(150), hours(705)
    ('45 min', '2.5 h', '12 h')
    """
    if minutes < 90:
        return f"{minutes} min"
    return f"{round(minutes / 30) / 2:g} h" if minutes < 300 else f"{round(minutes / 60)} h"


def in_words(minutes: int) -> str:
    """A time for a sentence.

    >>> in_words(50), in_words(60), in_words(135)
    ('50 minutes', '1 hour', '2 hours 15 minutes')
    """
    whole, rest = divmod(minutes, 60)
    words = [f"{whole} hour{'s' if whole > 1 else ''}"] if whole else []
    return " ".join([*words, *([f"{rest} minutes"] if rest else [])])


def timed(notebook: Any, exercises: bool) -> Any:
    """The notebook with its time at the head."""
    if exercises:
        points, minutes = of_tasks(notebook)
        line = f"*{points} points · about {in_words(minutes)}*"
        first = notebook.cells[0]
        first.source = TOTAL.sub(line, first.source)
        return notebook
    minutes = of_chapter(notebook)
    for cell in notebook.cells[:3]:
        if cell.cell_type == "markdown":
            cell.source = CHAPTER_TIME.sub(rf"\g<1>{minutes}\g<2>", cell.source)
    return notebook


def main(arguments: list[str]) -> int:
    """Write the times, or show them."""
    for path in sorted((ROOT / "notebooks").glob("**/[0-9]*.ipynb")):
        before = path.read_text(encoding="utf8")
        notebook = nbformat.reads(before, as_version=4)
        if "--show" in arguments:
            if path.parent.name == "notebooks":
                print(f"{path.stem:40} {of_chapter(notebook):4} min  {parts(notebook)}")
            continue
        after = nbformat.writes(timed(notebook, path.parent.name == "exercises")) + "\n"
        if after != before:
            path.write_text(after, encoding="utf8")
            print(f"{path.relative_to(ROOT)}: its time is written")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
