"""The day that the pages name is that of their sources, not of their build."""

from __future__ import annotations

import datetime
import subprocess
from pathlib import Path

import pytest
import yaml
from citing import day, footer

ROOT = Path(__file__).resolve().parents[2]
WORK = yaml.safe_load((ROOT / "CITATION.cff").read_text(encoding="utf8"))


def test_the_day_is_that_of_the_sources(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("SOURCE_DATE_EPOCH", raising=False)
    assert day(tmp_path, "2026-03-04") == datetime.date(2026, 3, 4)        # no repository: that of the release
    subprocess.run(["git", "init", "-q"], cwd=tmp_path, check=True)
    monkeypatch.setenv("GIT_COMMITTER_DATE", "2025-02-01T12:00:00+0000")
    subprocess.run(["git", "-c", "user.name=a", "-c", "user.email=a@b", "commit", "-q", "--allow-empty", "-m", "x"],
                   cwd=tmp_path, check=True)
    assert day(tmp_path, "2026-03-04") == datetime.date(2025, 2, 1)
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "86400")
    assert day(tmp_path, "2026-03-04") == datetime.date(1970, 1, 2)


def test_a_course_with_an_address_is_cited_with_it() -> None:
    address = "https://course.example/svm/"
    assert footer(WORK, address, first="").count(address) == 2
    assert "url" not in footer(WORK, "", first="")
    assert 'href="../book/preface.html#cite"' in footer(WORK, address, first="../book/preface.html")
