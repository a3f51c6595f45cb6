"""What grading writes: feedback for each student, one CSV of points, one page for the instructor.

The pages are plain HTML without a script; whatever a student wrote is shown as text.
"""
from __future__ import annotations

import csv
import html
from collections import Counter, defaultdict
from pathlib import Path
from typing import Any

from grading.marks import column, text_cell

ERRORS = ("cell-error", "exception", "missing")     # keys whose messages differ

STYLE = """<style>body{font:16px/1.5 sans-serif;max-width:60rem;margin:2rem auto;padding:0 1rem;color:#222}
pre{background:#f4f4f4;padding:.6rem;overflow-x:auto;font-size:14px;white-space:pre-wrap}img{max-width:100%}
table{border-collapse:collapse}td,th{border:1px solid #ccc;padding:.2rem .6rem;text-align:left;vertical-align:top}
.result{border-left:4px solid #b3470b;padding:.2rem .8rem;margin:.8rem 0;background:#fff7f2}
.right{border-color:#2a7d4f;background:#f3faf5}.hand{border-color:#777;background:#f4f4f4}</style>"""


def points_of(result: dict[str, Any]) -> tuple[float, float, float]:
    """Points reached so far, points of the whole exercise, points that wait to be marked by hand."""
    tasks = result["tasks"]
    waiting = sum(task["most"] for task in tasks if task["points"] is None)
    return sum(task["points"] or 0.0 for task in tasks), sum(task["most"] for task in tasks), waiting


# ---- a student's page ------------------------------------------------------------------------------------------------
def feedback(name: str, exercise: str, result: dict[str, Any]) -> str:
    """The page for a student: points and reasons, then the notebook as it ran."""
    reached, most, waiting = points_of(result)
    by_hand = f"; {waiting:g} of them are still to be marked by hand" if waiting else ""
    parts = [_head(f"{exercise}: {name}"), _warning(result["boundary"]),
             f"<p><b>{reached:g} of {most:g} points</b>{by_hand}.</p>"]
    if notes := [note for note in result["notes"] if not note.startswith("look at")]:
        parts.append(_list("What happened", notes))
    if all(task["key"] == "not-judged" for task in result["tasks"]):        # one reason for all, said above
        return "\n".join(parts)
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


def _output(output: dict[str, Any]) -> str:
    """An output, as `judge.outputs_of` left it: a picture, or text."""
    if picture := output.get("data", {}).get("image/png"):
        return f'<img alt="Output of the cell" src="data:image/png;base64,{html.escape(picture, quote=True)}">'
    text = output.get("text", "")
    return f"<pre>{html.escape(text[:5000])}</pre>" if text else ""


def _list(heading: str, lines: list[str]) -> str:
    """A heading with a list."""
    items = "".join(f"<li>{html.escape(line)}</li>" for line in lines)
    return f"<h2>{html.escape(heading)}</h2><ul>{items}</ul>"


def _warning(boundary: str) -> str:
    """What a page says first where answers ran without a boundary."""
    return f'<p class="result"><b>{html.escape(boundary)}</b></p>' if boundary.startswith("UNCONFINED") else ""


def _head(title: str) -> str:
    """The start of a page."""
    return (f'<!doctype html><html lang="en"><head><meta charset="utf-8"><title>{html.escape(title)}</title>{STYLE}'
            f"</head><body><h1>{html.escape(title)}</h1>")


# ---- points and the instructor's page --------------------------------------------------------------------------------
def write_csv(path: Path, rows: list[dict[str, Any]], tasks: dict[str, list[str]]) -> None:
    """A line for each student and exercise, a column a task (chapter.task); an empty field waits to be marked by hand.

    tasks : those of each exercise, so that the columns depend on nothing that was handed in.
    """
    names = [(exercise, task) for exercise in tasks for task in tasks[exercise]]
    with open(path, "w", newline="", encoding="utf-8-sig", errors="replace") as file:    # with a mark, for spreadsheets
        writer = csv.writer(file)
        writer.writerow(["student", "exercise", "points", "of", "to mark by hand",
                         *(column(exercise, task) for exercise, task in names), "notes"])
        for row in rows:
            points = {task["name"]: task["points"] for task in row["result"]["tasks"]}
            values = ["" if points.get(task) is None or exercise != row["exercise"] else format(points[task], "g")
                      for exercise, task in names]
            writer.writerow([text_cell(row["student"]), row["exercise"],
                             *(format(value, "g") for value in points_of(row["result"])), *values,
                             text_cell("; ".join(row["result"]["notes"]))])


def write_totals(path: Path, rows: list[dict[str, Any]], most: dict[str, float]) -> None:
    """A line for each student: the points of each exercise, and of all; a second line says how many there are."""
    reached: dict[str, dict[str, float]] = defaultdict(dict)
    for row in rows:
        reached[row["student"]][row["exercise"]] = points_of(row["result"])[0]
    with open(path, "w", newline="", encoding="utf-8-sig", errors="replace") as file:
        writer = csv.writer(file)
        writer.writerow(["student", *most, "points"])
        writer.writerow(["of", *(format(value, "g") for value in most.values()), format(sum(most.values()), "g")])
        for student, points in reached.items():
            writer.writerow([text_cell(student), *(format(points[e], "g") if e in points else "" for e in most),
                             format(sum(points.values()), "g")])


def instructor(rows: list[dict[str, Any]], boundary: str, told: dict[str, list[str]]) -> str:
    """Which mistake how often, who got how many points, what to look at, and how to mark open questions.

    told : headings and lines of what else is to be said: files passed over, marks that fit nothing.
    """
    parts = [_head("Grading"), _warning(boundary), f"<p>{len(rows)} submissions. {html.escape(boundary)}</p>"]
    for heading, lines in told.items():
        if lines:
            parts.append(_list(heading, lines))
    parts.append("<h2>Which mistake how often</h2>")
    by_task: dict[tuple[str, str], Counter] = defaultdict(Counter)
    messages, most = {}, Counter()
    for row in rows:
        for task in row["result"]["tasks"]:
            if task["key"] == "not-judged":                     # of no task: "What happened" says it
                continue
            # An error is a mistake of its own; a mistake that is known has one message, or nearly.
            mistake = task["key"], task["message"][:160] if task["key"] in ERRORS else ""
            by_task[row["exercise"], task["title"]][mistake] += 1
            messages[row["exercise"], task["title"], mistake] = task["message"]
            most[row["exercise"], task["title"]] += 1
    for (exercise, title), counts in by_task.items():
        solved = counts.pop(("solved", ""), 0)
        lines = "".join(f"<tr><td>{count}</td><td>{html.escape(mistake[0])}</td>"
                        f"<td>{html.escape(messages[exercise, title, mistake])}</td></tr>"
                        for mistake, count in counts.most_common())
        parts.append(f"<h3>{html.escape(exercise)}: {html.escape(title)}</h3><p>{solved} of {most[exercise, title]} "
                     f"solved.</p>" + (f"<table><tr><th>How often</th><th>Key</th><th>Message</th></tr>{lines}</table>"
                                       if lines else ""))
    parts.append("<h2>Submissions</h2><table><tr><th>Student</th><th>Exercise</th><th>Points</th>"
                 "<th>To mark by hand</th><th>What happened</th></tr>")
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
