"""`python -m benchmarks [--short] [--only NAME]`: measure, then write results/ and figures.

NAME is a group (digits, small, tall, tables, dimensions, virtual, contest, features, searches, mnist,
linear) or a task, like
"one-vs-one 60000", which takes the place of its earlier figures where they are of the same machine; without --only all
groups run. The short form leaves out "virtual", which needs all 60,000 digits and some ten minutes, "contest", svmlib
beside other methods on real data, which takes half an hour, "features", a kernel machine made linear, which takes a
minute, "searches" and "mnist", those of chapters 13 and 15, where no time counts, and "linear", the tall tasks beside
LIBLINEAR.
Each task runs in a process of its own: in one that has used much memory before, new memory costs a short fit as much as
its work.
"""
from __future__ import annotations

import argparse
import csv
import json
import warnings
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path
from typing import Any

from benchmarks import contest, features, linear, machine, mnist_runs, searches, tasks, virtual
from benchmarks.figures import draw

RESULTS = Path(__file__).with_name("results")
#: Measurements with tables of their own, by the name of their group.
OTHERS = {"virtual": lambda: virtual.run(RESULTS / "virtual.csv"), "contest": lambda: contest.run(RESULTS),
          "features": lambda: features.run(RESULTS), "searches": lambda: searches.run(RESULTS / "searches.csv"),
          "mnist": lambda: mnist_runs.run(RESULTS / "mnist.csv"), "linear": lambda: linear.run(RESULTS)}


def main() -> None:
    """Run the chosen groups and keep what they gave, after each task."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parser.add_argument("--short", action="store_true", help="at most 10,000 digits: three minutes on two cores")
    parser.add_argument("--only", action="append", metavar="NAME",
                        help=f"one group ({', '.join([*tasks.groups(short=True), *OTHERS])}) or one task, like 3-vs-8 "
                             "(may be repeated)")
    options = parser.parse_args()
    known = {*OTHERS, *(name for pair in chosen(None, options.short) for name in pair)}
    if unknown := set(options.only or ()) - known:
        parser.error(f"--only names no group and no task: {', '.join(sorted(unknown))}")
    warnings.filterwarnings("ignore")
    about = {**machine.describe(), "form": "short" if options.short else "full"}
    rows: list[dict[str, Any]] = []
    table = rows
    for group, title in chosen(options.only, options.short):
        with ProcessPoolExecutor(1, get_context("spawn")) as process:
            new = process.submit(tasks.measure, group, title, options.short).result()
        rows += new
        for row in new:
            print(line(row), flush=True)
        if options.only:
            table, about["form"] = with_earlier(about, rows)
        if table:
            write(about, table)
    if table:
        draw(table, RESULTS)
    for name, run in OTHERS.items():
        if name in (options.only or ([] if options.short else OTHERS)):
            run()


def chosen(names: list[str] | None, short: bool) -> Iterator[tuple[str, str]]:
    """Group and name of each task that was asked for, by group or by name."""
    for group, titles in tasks.groups(short).items():
        for title in titles:
            if not names or group in names or title in names:
                yield group, title


def line(row: dict[str, Any]) -> str:
    """One row for the terminal."""
    return (f"{row['task']:28} {row['peer']:13} fit {row['fit_s']:8.4f} s ({row['fit_ratio']:6.1f}x, processor time "
            f"{row['fit_cpu_ratio']:6.1f}x)  predict {row['predict_s']:8.4f} s ({row['predict_ratio']:6.1f}x)  "
            f"accuracy {row['accuracy']:.4f}  SVs {row['support_vectors']:6d}  "
            f"objectives differ by {row['objective_difference']:.0e}, {row['predictions_that_differ']} predictions")


def with_earlier(about: dict[str, Any], rows: list[dict[str, Any]]) -> tuple[list[dict[str, Any]], str]:
    """The table of results/ with the tasks in rows replaced, and its form; no table where it is of another machine."""
    path = RESULTS / "results.json"
    if not path.exists():
        return rows, about["form"]
    earlier = json.loads(path.read_text())
    if any(earlier["machine"][key] != about[key] for key in ("processor", "cores", "python", "packages")):
        return [], about["form"]
    old, new = ({(row["task"], row["peer"]): row for row in some} for some in (earlier["rows"], rows))
    return list({**old, **new}.values()), earlier["machine"]["form"]


def write(about: dict[str, Any], rows: list[dict[str, Any]]) -> None:
    """Keep machine and table as JSON, and the table as CSV."""
    RESULTS.mkdir(exist_ok=True)
    (RESULTS / "results.json").write_text(json.dumps({"machine": about, "rows": rows}, indent=1) + "\n")
    with (RESULTS / "results.csv").open("w", newline="") as file:
        writer = csv.DictWriter(file, rows[0])
        writer.writeheader()
        writer.writerows(rows)


if __name__ == "__main__":
    main()
