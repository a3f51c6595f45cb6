"""What grading writes: feedback for each student, one CSV of points, one page for the instructor.

The pages are plain HTML without a script; whatever a student wrote is shown as text.
"""
from __future__ import annotations

import base64
import csv
import html
import re
from collections import Counter, defaultdict
from pathlib import Path
from typing import Any

STYLE = """<style>body{font:16px/1.5 sans-serif;max-width:60rem;margin:2rem auto;padding:0 1rem;color:#222}
pre{background:#f4f4f4;padding:.6rem;overflow-x:auto;font-size:14px;white-space:pre-wrap}img{max-width:100%}
table{border-collapse:collapse}td,th{border:1px solid #ccc;padding:.2rem .6rem;text-align:left;vertical-align:top}
.result{border-left:4px solid #b3470b;padding:.2rem .8rem;margin:.8rem 0;background:#fff7f2}
.right{border-color:#2a7d4f;background:#f3faf5}.hand{border-color:#777;background:#f4f4f4}</style>"""


def points_of(result: dict[str, Any]) -> tuple[float, float, float]:
    """Points reached, points that checks give at most, points that wait to be marked by hand."""
    checked = [t for t in result["tasks"] if t["points"] is not None]
    waiting = sum(t["most"] for t in result["tasks"] if t["points"] is None)
    return sum(t["points"] for t in checked), sum(t["most"] for t in checked), waiting


# ---- a student's page ------------------------------------------------------------------------------------------------
def feedback(name: str, exercise: str, result: dict[str, Any]) -> str:
    """The page for a student: points and reasons, then the notebook as it ran."""
    reached, most, waiting = points_of(result)
    by_hand = f"; {waiting:g} more are marked by hand" if waiting else ""
    parts = [_head(f"{exercise}: {name}"), f"<p><b>{reached:g} of {most:g} points</b>{by_hand}.</p>"]
    if result["notes"]:
        parts.append("<h2>What happened</h2><ul>"
                     + "".join(f"<li>{html.escape(note)}</li>" for note in result["notes"]
                               if not note.startswith("look at")) + "</ul>")
    parts += ["<h2>Tasks</h2>", *(_result(task) for task in result["tasks"]), "<h2>Your notebook</h2>"]
    for cell in result["cells"]:
        if cell["result"]:
            answer = f"<pre>{html.escape(cell['source'])}</pre>" if cell["type"] == "markdown" else ""
            parts.append(answer + _result(cell["result"]))
        elif cell["own"] and cell["type"] == "code":
            parts.append(f"<pre>{html.escape(cell['source'])}</pre>" + "".join(map(_output, cell["outputs"])))
    return "\n".join(parts)


def _result(task: dict[str, Any]) -> str:
    """A task: points, what is wrong, and the hint."""
    kind = "hand" if task["points"] is None else "right" if task["points"] else ""
    points = f"{'?' if task['points'] is None else format(task['points'], 'g')} of {task['most']:g}"
    hint = f"<br><i>Hint: {html.escape(task['hint'])}</i>" if task["hint"] else ""
    return (f'<div class="result {kind}"><b>{html.escape(task["title"])}: {points} points.</b> '
            f'{html.escape(task["message"])}{hint}</div>')


def _output(output: Any) -> str:
    """An output as text or picture; HTML of a student is never passed on."""
    data = output.get("data", {}) if isinstance(output, dict) else {}
    picture = data.get("image/png")
    if isinstance(picture, str) and re.fullmatch(r"[A-Za-z0-9+/=\s]+", picture):
        base64.b64decode(picture)
        return f'<img alt="Output of the cell" src="data:image/png;base64,{picture}">'
    text = output.get("text") or data.get("text/plain") or "" if isinstance(output, dict) else ""
    return f"<pre>{html.escape(str(text)[:5000])}</pre>" if text else ""


def _head(title: str) -> str:
    """The start of a page."""
    return (f'<!doctype html><html lang="en"><head><meta charset="utf-8"><title>{html.escape(title)}</title>{STYLE}'
            f"</head><body><h1>{html.escape(title)}</h1>")


# ---- points and the instructor's page --------------------------------------------------------------------------------
def write_csv(path: Path, rows: list[dict[str, Any]]) -> None:
    """A line a submission, a column a task; an empty field waits to be marked by hand."""
    names = sorted({(row["exercise"], task["name"]) for row in rows for task in row["result"]["tasks"]})
    with open(path, "w", newline="", encoding="utf-8-sig") as file:      # with a mark, for spreadsheets
        writer = csv.writer(file)
        writer.writerow(["student", "exercise", "points", "of", "by hand", *(task for _, task in names), "notes"])
        for row in rows:
            tasks = {task["name"]: task["points"] for task in row["result"]["tasks"]}
            values = ["" if tasks.get(task) is None or exercise != row["exercise"] else format(tasks[task], "g")
                      for exercise, task in names]
            points = [format(value, "g") for value in points_of(row["result"])]
            writer.writerow([_cell(row["student"]), row["exercise"], *points, *values,
                             _cell("; ".join(row["result"]["notes"]))])


def _cell(text: str) -> str:
    """Text that a spreadsheet does not take for a formula."""
    return f"'{text}" if text[:1] in ("=", "+", "-", "@") else text


def instructor(rows: list[dict[str, Any]], network: str) -> str:
    """Which mistake how often, who got how many points, what to look at, and how to mark open questions."""
    parts = [_head("Grading"), f"<p>{len(rows)} submissions. The network was {html.escape(network)}.</p>",
             "<h2>Which mistake how often</h2>"]
    by_task: dict[tuple[str, str], Counter] = defaultdict(Counter)
    messages, most = {}, Counter()
    for row in rows:
        for task in row["result"]["tasks"]:
            by_task[row["exercise"], task["title"]][task["key"]] += 1
            messages[task["title"], task["key"]] = task["message"]
            most[row["exercise"], task["title"]] += 1
    for (exercise, title), counts in by_task.items():
        solved = counts.pop("solved", 0)
        lines = "".join(f"<tr><td>{count}</td><td>{html.escape(key)}</td><td>{html.escape(messages[title, key])}</td>"
                        "</tr>" for key, count in counts.most_common())
        parts.append(f"<h3>{html.escape(exercise)}: {html.escape(title)}</h3><p>{solved} of {most[exercise, title]} "
                     f"solved.</p>" + (f"<table><tr><th>How often</th><th>Key</th><th>Message</th></tr>{lines}</table>"
                                       if lines else ""))
    parts.append("<h2>Submissions</h2><table><tr><th>Student</th><th>Exercise</th><th>Points</th><th>By hand</th>"
                 "<th>What happened</th></tr>")
    for row in rows:
        reached, of, waiting = points_of(row["result"])
        notes = "<br>".join(html.escape(note) for note in row["result"]["notes"])
        link = html.escape(row["feedback"], quote=True)
        parts.append(f'<tr><td><a href="{link}">{html.escape(row["student"])}</a></td>'
                     f'<td>{html.escape(row["exercise"])}</td>'
                     f"<td>{reached:g} of {of:g}</td><td>{waiting:g}</td><td>{notes}</td></tr>")
    parts.append("</table>")
    return "\n".join(parts)


def guides(schemes: dict[str, list[tuple[str, str, float]]]) -> str:
    """The marking guides of the open questions."""
    parts = ["<h2>How to mark the open questions</h2>"]
    for exercise, questions in schemes.items():
        for name, guide, points in questions:
            parts.append(f"<h3>{html.escape(exercise)}: {html.escape(name)} ({points:g} points)</h3>"
                         f"<pre>{html.escape(guide)}</pre>")
    return "\n".join(parts)
