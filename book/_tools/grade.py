"""Grade the notebooks of a class: `python book/_tools/grade.py DIR`, or `make grade DIR=...`.

DIR holds a folder for each student with the notebooks in it, at any depth, as nbgrader's `submitted/` does; or one
notebook a student.  Written are `feedback/STUDENT--EXERCISE.html`, `grades.csv`, `totals.csv`, and `index.html` for the
instructor; points given by hand are read from DIR-marks.csv beside DIR, where each answer that waits gets a line.
DIR-seed.txt, beside it too, has the secret number by which checks draw the random cases of this class.
A submission that has not changed since the last run, nor its checks, is not run again.

Answers run behind a boundary of the system: bubblewrap, or --runtime podman or docker.  Where there is none nothing is
graded, unless --unconfined is given; every page then says so.
"""
from __future__ import annotations

import argparse
import contextlib
import hashlib
import json
import os
import re
import secrets
import sys
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor, TimeoutError
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import nbformat
from pebble import ProcessPool

sys.path.insert(0, str(Path(__file__).resolve().parent))
from exercises import ROOT, SCHEME, kind, sources, write_release
from grading import collect, course, marks, report, submission
from grading.boundary import IMAGE, RUNTIMES, Boundary
from grading.collect import Submission
from grading.judge import judge, prepare, unfit
from grading.remote import Limits, settings

HERE = Path(__file__).resolve().parent
GRACE = 90.0        # seconds of the processor that a judge may take beyond the limit of the submission
PATIENCE = 10.0     # as many times as long by the clock: a busy machine costs nobody points


def boundary_for(runtime: str, top: Path, out: Path, image: str = IMAGE) -> Boundary:
    """The boundary, with what a submission sees written to `out`; raises SystemExit where it does not hold."""
    copy, compiled = course.make(out)
    ours = (ROOT, *(ROOT / name for name in ("notebooks", "svmlib", "svmcourse", "tests", "book", "lab")))
    inside = (out / name for name in ("results", "feedback", "release", "grades.csv"))
    theirs = (top, out, *inside, marks_of(top), seed_of(top))
    boundary = Boundary(runtime, copy, compiled, tuple(path.resolve() for path in (*ours, *theirs)), image)
    if why := boundary.fault():
        raise SystemExit(
            f"Nothing was graded: there is no boundary to run answers behind. {why}.\n"
            "  On Debian or Ubuntu:  apt install bubblewrap libseccomp2\n"
            "  With an engine:       make grade DIR=... OPTIONS='--runtime podman'   (or docker)\n"
            "  Without any:          make grade DIR=... OPTIONS=--unconfined\n"
            "The last lets every answer read solutions and other submissions, and change results.")
    return boundary


def marks_of(top: Path) -> Path:
    """The table of points given by hand, beside the directory of the class."""
    return top.resolve().parent / f"{top.resolve().name}-marks.csv"


def seed_of(top: Path) -> Path:
    """The file with the secret number of the class, beside its directory."""
    return top.resolve().parent / f"{top.resolve().name}-seed.txt"


def tried(seed: int) -> list[str]:
    """Tasks whose own solution is not right on the cases of a seed, as another process finds."""
    with ProcessPool(1, context=get_context("spawn")) as pool:
        return pool.schedule(unfit, args=[seed]).result()


def secret_seed(top: Path, unfit: Callable[[int], list[str]] = tried) -> int:
    """The number by which the checks draw their random cases for this class: chosen once, and kept.

    Without it somebody who has recorded at home what is asked, and the right answers, could hand in that table.  A
    number whose cases are odd, as points that no line separates, is not taken: `unfit` names the tasks for which.
    """
    path = seed_of(top)
    if not path.exists():
        print("the cases of this class are drawn and tried, once", flush=True)
        drawn = (secrets.randbelow(2 ** 32) for _ in range(20))
        seed = next((seed for seed in drawn if not unfit(seed)), None)
        if seed is None:
            raise SystemExit("Nothing was graded: on other random cases some solutions of this course are not right.")
        path.touch(mode=0o600)
        path.write_text(f"{seed}\n\n"
                        "By this number the checks draw the random cases of this class. Students must not know it.\n"
                        "Keep it: a later run then gives the same points, and without it it asks for other cases.\n",
                        encoding="utf8")
    first = path.read_text(encoding="utf8").partition("\n")[0].strip()
    if not first.isdecimal():
        raise SystemExit(f"Nothing was graded: the first line of {path} is no whole number.")
    return int(first)


def common_key(limits: Limits, boundary: Boundary, seed: int) -> bytes:
    """Fingerprint of all that decides points beside a submission and its release."""
    said = [settings(limits), boundary.runtime, boundary.words, course.fingerprint(), seed]
    digest = hashlib.sha256(json.dumps(said).encode())
    texts = ("checking/*.py", "*/checks*.py", "*/mistakes.txt")
    checks = sorted(file for pattern in texts for file in (ROOT / "svmcourse").glob(pattern))
    for file in [*sources(), *checks, *sorted((HERE / "grading").glob("*.py"))]:
        digest.update(file.read_bytes())
    return digest.digest()


def grade(judges: ProcessPool, given: Submission, release: Path, result: Path, limits: Limits, boundary: Boundary,
          common: bytes) -> dict[str, Any]:
    """The result of one submission, from the last run where nothing has changed."""
    if given.refused:
        return nothing(release, f"Not read: {given.refused}.", boundary)
    key = hashlib.sha256(b"\0".join((common, release.read_bytes(), given.content))).hexdigest()
    with contextlib.suppress(OSError, ValueError):          # a file that was cut off is no result
        known = json.loads(result.read_text(encoding="utf8"))
        if isinstance(known, dict) and known.get("hash") == key:
            return known
    why = ""
    for _ in range(2):                  # an innocent one may have shared the machine with whoever stopped it
        try:
            asked = judges.schedule(judge, args=[given.content, release, limits, boundary, limits.total + GRACE],
                                    timeout=PATIENCE * (limits.total + GRACE))
            outcome = asked.result()
            break
        except submission.NoNotebook as error:
            outcome = nothing(release, f"Not read: {error}.", boundary)
            break
        except TimeoutError:
            why = "the judge had to be stopped"
        except Exception as error:      # a check of ours that raises, a process that ends
            why = f"the judge stopped: {type(error).__name__}: {str(error)[:500]}"
    else:                               # not stored: the next run tries again
        return nothing(release, f"This was not judged, since {why}, twice. Run this again, or mark it by hand.",
                       boundary, None)
    outcome["hash"] = key
    beside = result.with_suffix(".new")
    beside.write_text(json.dumps(outcome), encoding="utf8")
    os.replace(beside, result)
    return outcome


def nothing(release: Path, why: str, boundary: Boundary, points: float | None = 0.0) -> dict[str, Any]:
    """The result of a submission that was not judged, and the reason; points are None where the fault is ours."""
    cells = nbformat.read(release, as_version=4).cells
    tasks = [{"name": c.metadata.nbgrader.grade_id, "title": c.metadata.nbgrader.grade_id, "points": points, "hint": "",
              "most": float(c.metadata.nbgrader.points), "key": "not-judged", "message": why}
             for c in cells if kind(c) in ("check", "open")]
    return {"tasks": tasks, "notes": [submission.whole(why)], "seconds": 0.0, "boundary": boundary.words, "cells": []}


def grade_all(top: Path, out: Path, limits: Limits, jobs: int = 2, runtime: str = RUNTIMES[0],
              image: str = IMAGE) -> list[dict[str, Any]]:
    """Grade every submission below a directory and write the reports; returns the rows of the table."""
    top, out = top.resolve(), out.resolve()
    for folder in ("feedback", "results"):
        (out / folder).mkdir(parents=True, exist_ok=True)
    boundary = boundary_for(runtime, top, out, image)
    try:
        marks.read(marks_of(top))                               # rather now than when all has been graded
    except (OSError, ValueError) as error:
        raise SystemExit(f"Nothing was graded, since {marks_of(top)} cannot be read. {error}") from None
    releases = {path.stem: path for path in write_release(out / "release")}
    given, passed = collect.find(top, list(releases))
    for line in passed:
        print(f"not graded: {line}")
    seed = secret_seed(top)
    common, pages = common_key(limits, boundary, seed), Pages(out)

    def one(item: Submission) -> dict[str, Any]:
        release = releases[item.exercise]
        number = hashlib.sha256(item.path.encode()).hexdigest()[:32]
        try:
            result = grade(judges, item, release, out / "results" / f"{number}.json", limits, boundary, common)
            result["notes"] = item.notes + result["notes"]
        except Exception as error:
            why = f"This was not judged: {type(error).__name__}: {str(error)[:500]}."
            result = nothing(release, why, boundary, None)
        reached, most, _ = report.points_of(result)
        print(f"{item.student}, {item.exercise}: {reached:g} of {most:g} ({result['seconds']:g} s)", flush=True)
        return {"student": item.student, "exercise": item.exercise, "path": item.path, "result": result}

    os.environ |= {"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1", "SVMLIB_PROGRESS": "off"}
    # A judge imports the checks once, and then takes one submission after the other.
    with ThreadPoolExecutor(jobs) as pool, ProcessPool(jobs, context=get_context("spawn"), initializer=prepare,
                                                       initargs=[limits, seed]) as judges:
        rows = list(pool.map(one, given))
    wrong = marks.merge(marks_of(top), rows)
    for row in rows:
        row["feedback"] = pages.write(row)
    write_tables(out, rows, boundary, {"Files that were passed over": passed, "Marks by hand that do not count": wrong})
    return rows


class Pages:
    """The students' pages: each a file of its own, whatever the names are."""

    def __init__(self, out: Path) -> None:
        self.out, self.taken, self.lock = out, set(), threading.Lock()

    def write(self, row: dict[str, Any]) -> str:
        """Write the page of a row; its address below `out`."""
        student, exercise, result = row["student"], row["exercise"], row["result"]
        name = re.sub(r'[\\/:*?"<>|\x00-\x1f]', "_", student).strip(". ")[:60] + f"--{exercise}"
        with self.lock:
            if name.casefold() in self.taken:
                name += "--" + hashlib.sha256(row["path"].encode()).hexdigest()[:8]
            self.taken.add(name.casefold())
        try:
            text = report.feedback(student, exercise, result)
        except Exception as error:
            result["notes"].append(f"the notebook could not be shown: {type(error).__name__}")
            text = report.feedback(student, exercise, {**result, "cells": []})
        file = os.fsdecode(f"{name}.html".encode())             # as a system without UTF-8 writes it
        (self.out / "feedback" / file).write_text(text, encoding="utf8", errors="replace")
        return f"feedback/{name}.html"


def write_tables(out: Path, rows: list[dict[str, Any]], boundary: Boundary, told: dict[str, list[str]]) -> None:
    """Write the tables of points and the instructor's page; their columns are those of the exercises of the rows."""
    graded = {row["exercise"] for row in rows}
    used = [path for path in sources() if path.stem in graded]
    cells = {path.stem: [cell for cell in nbformat.read(path, as_version=4).cells if kind(cell) in ("check", "open")]
             for path in used}
    report.write_csv(out / "grades.csv", rows,
                     {name: [cell.metadata.nbgrader.grade_id for cell in of] for name, of in cells.items()})
    report.write_totals(out / "totals.csv", rows,
                        {name: float(sum(cell.metadata.nbgrader.points for cell in of)) for name, of in cells.items()})
    guide = report.guides({path.stem: schemes(path) for path in used})
    (out / "index.html").write_text(report.instructor(rows, boundary.words, told) + guide, encoding="utf8",
                                    errors="replace")


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
    parser.add_argument("--runtime", choices=RUNTIMES, default=RUNTIMES[0], help="what the boundary is made of")
    parser.add_argument("--image", default=IMAGE, help="for podman and docker: any image with a merged /usr")
    parser.add_argument("--unconfined", action="store_true", help="grade without a boundary; every page will say so")
    given = parser.parse_args(arguments)
    given.directory = given.directory.expanduser()
    if not given.directory.is_dir():
        parser.error(f"{given.directory} is no directory of submissions")
    for stream in (sys.stdout, sys.stderr):
        stream.reconfigure(errors="backslashreplace")
    limits = Limits(given.cell, given.total, given.memory, given.disk)
    runtime = "" if given.unconfined else given.runtime
    rows = grade_all(given.directory, given.out, limits, given.jobs, runtime, given.image)
    waiting = sum(task["points"] is None for row in rows for task in row["result"]["tasks"])
    print(f"\n{len(rows)} submissions graded. In {given.out}: index.html, grades.csv, totals.csv, feedback/")
    if waiting:
        print(f"{waiting} answers wait to be marked by hand, in {marks_of(given.directory)}; then run this again.")


if __name__ == "__main__":
    main(sys.argv[1:])
