"""Which tasks are solved: a file beside the notebooks, and a cell that shows it.  Nothing is sent anywhere."""
import html
import json
import os
import tempfile
from pathlib import Path
from typing import Any

FILE = "progress.json"


def place() -> Path | None:
    """The file: what SVMLIB_PROGRESS says ("off" for none), or progress.json in the directory of the notebook."""
    said = os.environ.get("SVMLIB_PROGRESS", "")
    return None if said == "off" else Path(said or FILE)


def solved() -> dict[str, Any]:
    """Names of the tasks that were solved; a file that cannot be read counts as empty."""
    path = place()
    try:
        stored = json.loads(path.read_text(encoding="utf8")) if path else {}
    except (OSError, ValueError):
        return {}
    return stored if isinstance(stored, dict) else {}


def record(task: Any, result: Any) -> None:
    """Keep a success; a failure takes none away.  A directory that cannot be written is no reason to fail a check."""
    path = place()
    known = solved()
    if path is None or not result.passed or task.name in known:
        return
    try:
        handle, temporary = tempfile.mkstemp(prefix=".progress-", dir=path.resolve().parent)
        with open(handle, "w", encoding="utf8") as file:
            json.dump({**known, task.name: "solved"}, file, indent=1)
        os.replace(temporary, path)
    except OSError:
        return


class Progress:
    """The tasks of the course, by chapter, and which of them are solved."""

    def __init__(self, tasks: dict[str, Any]) -> None:
        self.tasks, self.solved = tasks, solved()

    def _chapters(self) -> dict[str, list[tuple[str, bool]]]:
        """Chapter -> titles and whether they are solved."""
        chapters: dict[str, list[tuple[str, bool]]] = {}
        for name, task in self.tasks.items():
            chapters.setdefault(task.chapter, []).append((task.title, name in self.solved))
        return dict(sorted(chapters.items()))

    def __repr__(self) -> str:
        lines = [f"{sum(n in self.solved for n in self.tasks)} of {len(self.tasks)} tasks are solved."]
        for chapter, titles in self._chapters().items():
            lines += [chapter, *(f"  {'✓' if done else '·'} {title}" for title, done in titles)]
        return "\n".join(lines)

    def _repr_html_(self) -> str:
        parts = [f"<p><b>{sum(n in self.solved for n in self.tasks)} of {len(self.tasks)} tasks are solved.</b></p>"]
        for chapter, titles in self._chapters().items():
            done = sum(d for _, d in titles)
            rows = "".join(f"<li>{'✓' if d else '○'} {html.escape(t)}</li>" for t, d in titles)
            begun = " open" if 0 < done < len(titles) else ""
            parts.append(f"<details{begun}><summary>{html.escape(chapter)}: {done} of {len(titles)}</summary>"
                         f"<ul style='list-style:none'>{rows}</ul></details>")
        return "".join(parts)
