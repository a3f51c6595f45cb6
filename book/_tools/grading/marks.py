"""Points given by hand: a table beside the submissions that every run reads and adds lines to, and none overwrites.

A line is a student, an exercise, a task, the points, and what the student is to read.  Each open question that waits
has a line with no points yet; a line for a task with a check takes the place of what the check gave.
"""
from __future__ import annotations

import csv
import hashlib
import io
import os
from pathlib import Path
from typing import Any

from grading.collect import clean

COLUMNS = ("student", "exercise", "task", "points", "of", "comment", "answer")


def column(exercise: str, task: str) -> str:
    """The name of a task in tables: unique in the course."""
    return f"{exercise}.{task.removeprefix('check_')}"


def text_cell(text: str) -> str:
    """Text that a spreadsheet does not take for a formula."""
    return f"'{text}" if text[:1] in ("=", "+", "-", "@", "\t", "\r") else text


def read(path: Path) -> list[dict[str, str]]:
    """The lines of the table, as spreadsheets write it: with commas, semicolons or tabs, in any coding of theirs."""
    if not path.exists():
        return []
    text = decoded(path.read_bytes())
    if text.startswith("sep="):
        text = text.partition("\n")[2]
    first = text.partition("\n")[0]
    lines = csv.DictReader(io.StringIO(text, newline=""), delimiter=max(",;\t", key=first.count))
    lines.fieldnames = [name.strip().casefold() for name in lines.fieldnames or ()]
    missing = {"student", "exercise", "task", "points"} - set(lines.fieldnames)
    if missing:
        raise ValueError(f"{path} has no column {', '.join(sorted(missing))}: save it as CSV, with its first line")
    try:
        found = [{name: (line.get(name) or "").strip() for name in COLUMNS} for line in lines]
    except csv.Error as error:
        raise ValueError(f"{path}, line {lines.line_num}: {error}") from None
    return [{**line, "student": clean(line["student"])} for line in found if any(line.values())]


def decoded(content: bytes) -> str:
    """The text of a table: Excel writes UTF-8 with a mark, UTF-16 as "Unicode text", and else the ANSI of Windows."""
    if content.startswith((b"PK\3\4", b"\xd0\xcf\x11\xe0")):
        raise ValueError("It is a workbook, not a CSV file: save the table as CSV under the same name")
    if content.startswith((b"\xff\xfe", b"\xfe\xff")):
        return content.decode("utf-16", "replace")
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError:
        return content.decode("cp1252", "replace")


def merge(path: Path, rows: list[dict[str, Any]]) -> list[str]:
    """Put the points of the table into the results, and lines for what waits into the table; returns what is wrong.

    rows : those of `grade.grade_all`, changed here.  Lines that fit nothing are kept, and told.
    """
    lines, wrong = read(path), []
    known = {(text_cell(row["student"]), row["exercise"]): row for row in rows}
    given: dict[tuple[str, str, str], dict[str, str]] = {}
    for line in lines:
        key = (line["student"], line["exercise"], line["task"].removeprefix("check_"))
        where = f"{line['student']}, {line['exercise']}, {line['task']}"
        row = known.get(key[:2])
        tasks = {task["name"].removeprefix("check_"): task for task in row["result"]["tasks"]} if row else {}
        task = tasks.get(key[2])
        if row is None or task is None:
            wrong += [f"{where}: no such task was handed in"] if line["points"] else []
        elif key in given:
            wrong.append(f"{where}: a second line, which does not count")
        else:
            given[key] = line
            wrong += _take(line, task, row["result"], where)
    for row in rows:
        for task in row["result"]["tasks"]:
            key = (text_cell(row["student"]), row["exercise"], task["name"].removeprefix("check_"))
            if task["points"] is None and key not in given:
                lines.append(dict(zip(COLUMNS, (*key, "", f"{task['most']:g}", "", _print_of(row["result"], task)),
                                      strict=True)))
    _write(path, lines)
    return wrong


def _take(line: dict[str, str], task: dict[str, Any], result: dict[str, Any], where: str) -> list[str]:
    """Enter the points of a line; returns what is wrong with it."""
    if not line["points"]:
        return []
    try:
        points = float(line["points"].replace(",", "."))
    except ValueError:
        return [f"{where}: {line['points']!r} is no number of points"]
    if not 0 <= points <= task["most"]:
        return [f"{where}: {points:g} points of {task['most']:g}"]
    by_check = task["points"] is not None and task["key"] not in ("by hand", "check-error", "blank")
    if line["answer"] and line["answer"].removeprefix("#") != _print_of(result, task).removeprefix("#"):
        result["notes"].append(f"look at {task['name']}: the answer has changed since it was marked by hand")
    said = f" The check had said: {task['message']}" if by_check else ""
    shown = [cell["result"] for cell in result["cells"] if (cell["result"] or {}).get("name") == task["name"]]
    for entry in (task, *shown):
        entry.update(points=points, key="by hand", hint="", message=line["comment"] or f"Marked by hand.{said}")
    return []


def _print_of(result: dict[str, Any], task: dict[str, Any]) -> str:
    """A fingerprint of the answer that was marked."""
    sources = [cell["source"] for cell in result["cells"] if (cell["result"] or {}).get("name") == task["name"]]
    source = sources[0] if sources else ""
    return "#" + hashlib.sha256(source.encode("utf8", "replace")).hexdigest()[:10]      # or Excel reads 12e3456789


def _write(path: Path, lines: list[dict[str, str]]) -> None:
    """Write the table as a whole, or not at all."""
    order = sorted(lines, key=lambda line: (line["exercise"], line["task"], line["student"]))
    beside = path.with_name(path.name + ".new")
    with open(beside, "w", newline="", encoding="utf-8-sig") as file:
        writer = csv.DictWriter(file, COLUMNS)
        writer.writeheader()
        writer.writerows(order)
    os.replace(beside, path)
