"""Grade the notebooks of a class: `python book/_tools/grade.py DIR [--out DIR] [--jobs 2]`, or `make grade DIR=...`.

DIR holds a folder for each student with the notebooks in it, at any depth, as nbgrader's `submitted/` does; or one
notebook a student.  Written are `feedback/STUDENT--EXERCISE.html`, `grades.csv` and `index.html` for the instructor.
A submission that has not changed since the last run, nor its checks, is not run again.
"""
from __future__ import annotations

import argparse
import hashlib
import json
import os
import re
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor, TimeoutError
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import nbformat
from pebble import ProcessPool

sys.path.insert(0, str(Path(__file__).resolve().parent))
from exercises import ROOT, SCHEME, kind, sources, write_release
from grading import report
from grading.judge import judge
from grading.remote import Limits, isolation, settings

HERE = Path(__file__).resolve().parent
GRACE = 90.0        # seconds that a judge may take beyond the limit of the submission


def submissions(top: Path, names: list[str]) -> list[tuple[str, str, Path]]:
    """Student, exercise and file of each submission below a directory."""
    found = []
    for path in sorted(top.rglob("*.ipynb")):
        inner = path.relative_to(top)
        if any(part.startswith(".") for part in inner.parts):
            continue
        exercise = next((name for name in names if name in path.stem), None) or exercise_of(path, names)
        if exercise is None:
            print(f"not graded, no exercise of this book: {inner}")
            continue
        student = inner.parts[0] if len(inner.parts) > 1 else path.stem.replace(exercise, "").strip("-_ ") or path.stem
        found.append((student, exercise, path))
    return found


def exercise_of(path: Path, names: list[str]) -> str | None:
    """The exercise whose checks a notebook imports."""
    text = path.read_text(encoding="utf8", errors="replace")
    return next((name for name in names if f"from svmlib.classroom.{name[3:]} import checks as check" in text), None)


def key_of(path: Path, release: Path, limits: Limits) -> str:
    """Fingerprint of all that decides the points of a submission."""
    digest = hashlib.sha256(json.dumps(settings(limits)).encode())
    classroom = ROOT / "svmlib" / "classroom"
    texts = ("checking/*.py", "*/checks*.py", "*/mistakes.txt")
    checks = sorted(file for pattern in texts for file in classroom.glob(pattern))
    for file in [path, release, *sources(), *checks, *sorted((HERE / "grading").glob("*.py"))]:
        digest.update(file.read_bytes())
    return digest.hexdigest()


def grade(judges: ProcessPool, path: Path, release: Path, result: Path, limits: Limits) -> dict[str, Any]:
    """The result of one submission, from the last run where nothing has changed."""
    key = key_of(path, release, limits)
    if result.exists():
        known = json.loads(result.read_text(encoding="utf8"))
        if known.get("hash") == key:
            return known
    try:
        outcome = judges.schedule(judge, args=[path, release, limits], timeout=limits.total + GRACE).result()
    except TimeoutError:
        outcome = nothing(release, "the judge had to be stopped")
    except Exception as error:          # a check of ours that raises, a process that ends
        outcome = nothing(release, f"the judge stopped: {type(error).__name__}: {error}")
    outcome["hash"] = key
    result.write_text(json.dumps(outcome), encoding="utf8")
    return outcome


def nothing(release: Path, why: str) -> dict[str, Any]:
    """The result of a submission that could not be judged: no points, and the reason."""
    cells = nbformat.read(release, as_version=4).cells
    tasks = [{"name": c.metadata.nbgrader.grade_id, "title": c.metadata.nbgrader.grade_id, "points": 0.0, "hint": "",
              "most": float(c.metadata.nbgrader.points), "key": "not-judged", "message": why}
             for c in cells if kind(c) in ("check", "open")]
    return {"tasks": tasks, "notes": [why], "seconds": 0.0, "network": "", "cells": []}


def grade_all(top: Path, out: Path, limits: Limits, jobs: int = 2) -> list[dict[str, Any]]:
    """Grade every submission below a directory and write the reports; returns the rows of the table."""
    releases = {path.stem: path for path in write_release(out / "release")}
    for folder in ("feedback", "results"):
        (out / folder).mkdir(parents=True, exist_ok=True)
    warm(out / "compiled")

    def one(item: tuple[str, str, Path]) -> dict[str, Any]:
        student, exercise, path = item
        name = re.sub(r'[\\/:*?"<>|\x00-\x1f]', "_", f"{student}--{exercise}")
        number = hashlib.sha256(str(path.relative_to(top)).encode()).hexdigest()[:8]
        result = grade(judges, path, releases[exercise], out / "results" / f"{number}.json", limits)
        page = out / "feedback" / f"{name}.html"
        page.write_text(report.feedback(student, exercise, result), encoding="utf8")
        reached, most, _ = report.points_of(result)
        print(f"{student}, {exercise}: {reached:g} of {most:g} ({result['seconds']:g} s)", flush=True)
        return {"student": student, "exercise": exercise, "result": result, "feedback": f"feedback/{name}.html"}

    # A judge imports the checks once, and then takes one submission after the other.
    with ThreadPoolExecutor(jobs) as pool, ProcessPool(jobs, context=get_context("spawn")) as judges:
        rows = list(pool.map(one, submissions(top, list(releases))))
    report.write_csv(out / "grades.csv", rows)
    network = "cut off" if isolation() else "NOT cut off, because this system does not permit it"
    graded = {row["exercise"] for row in rows}
    guide = report.guides({path.stem: schemes(path) for path in sources() if path.stem in graded})
    (out / "index.html").write_text(report.instructor(rows, network) + guide, encoding="utf8")
    return rows


def warm(directory: Path) -> None:
    """Compile what svmlib compiles, once for all submissions: each of them starts with a copy."""
    os.environ |= {"SVMLIB_GRADING_CACHE": str(directory.resolve()), "OMP_NUM_THREADS": "1",
                   "OPENBLAS_NUM_THREADS": "1", "SVMLIB_PROGRESS": "off"}       # for the judges, too
    if not directory.is_dir():
        directory.mkdir(parents=True)
        subprocess.run([sys.executable, str(HERE / "warm.py")], check=True, capture_output=True,
                       env={**os.environ, "NUMBA_CACHE_DIR": str(directory.resolve())})


def schemes(path: Path) -> list[tuple[str, str, float]]:
    """Name, marking guide and points of the open questions of a source."""
    return [(cell.metadata.nbgrader.grade_id, SCHEME.search(cell.source)[1], cell.metadata.nbgrader.points)
            for cell in nbformat.read(path, as_version=4).cells if kind(cell) == "open"]


def main(arguments: list[str]) -> None:
    """Grade, and say where the reports are."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("directory", type=Path)
    parser.add_argument("--out", type=Path, default=ROOT / "_build" / "grades")
    parser.add_argument("--jobs", type=int, default=2)
    for name, value in settings(Limits()).items():
        parser.add_argument(f"--{name}", type=type(value), default=value)
    given = parser.parse_args(arguments)
    if not given.directory.is_dir():
        parser.error(f"{given.directory} is no directory of submissions")
    limits = Limits(given.cell, given.total, given.memory, given.disk)
    rows = grade_all(given.directory, given.out, limits, given.jobs)
    print(f"\n{len(rows)} submissions graded. In {given.out}: index.html, grades.csv, feedback/")


if __name__ == "__main__":
    main(sys.argv[1:])
