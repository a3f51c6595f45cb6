"""Which submissions there are: files as students name them and as platforms export them.

A class's files are read as files of strangers: regular ones only, no link is followed, nothing that is there can stop
or hide another.  Whatever lies there is a submission or has a line that says why it is none.
"""
from __future__ import annotations

import io
import os
import re
import stat
import unicodedata
import zipfile
from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath

from exercises import STUB

from grading.submission import decoded, looks_like_a_notebook

LARGEST = 50_000_000            # bytes of a file
UNPACKED = 500_000_000          # bytes of all files in an archive
MEMBERS = 5_000                 # files in one
DEEPEST = 2                     # archives inside of each other: a class's, and in it a student's

#: What systems, nbgrader and our checks leave beside files; nobody hands it in.
LEFT_BEHIND = re.compile(r"\.DS_Store|\._.*|__MACOSX|Thumbs\.db|desktop\.ini|\.ipynb_checkpoints|\.git|~\$.*"
                         r"|timestamp\.txt|progress\.json", re.I)
#: How platforms write a student into the name of a folder or file; `person` tells apart two of the same name.
PLATFORMS = [re.compile(pattern) for pattern in (
    r"(?P<name>.+?)_(?P<person>\d+)_assignsubmission_.*",                  # Moodle
    r"(?P<name>[^_]+)(?:_LATE)?_(?P<person>\d{3,})_\d{3,}_.+",                    # Canvas
    r"(?P<person>\d+)-\d+ - (?P<name>.+?) - .*",                              # Brightspace
    r".+?_(?P<name>[^_]+)_attempt_[\d-]+(?:_.+)?(?P<person>)",                # Blackboard
)]
UNSEEN = re.compile("[\u00ad\u200b\u200e\u200f\u202a-\u202e\u2060\u2066-\u2069\ufeff]")     # and marks of direction
ENDINGS = re.compile(r"(\.(ipynb|json|txt))+$", re.I)
#: How browsers, Canvas, and systems number a file that is there again.
AGAIN = r"(?:\s*\(\d+\)|-\d{1,2}(?!\d)|[\s_-]*(?:Kopie|Copy)\s*\d*(?:\s*\(\d+\))?)"


@dataclass
class Submission:
    """A file that a student handed in: its content, or why there is none."""

    student: str
    exercise: str
    path: str                       # below the directory of the class
    content: bytes = b""
    refused: str = ""
    changed: float = 0.0            # when it was last written
    notes: list[str] = field(default_factory=list)
    person: str = ""                # the number that a platform gives to the student


@dataclass(frozen=True)
class File:
    """What lies below the directory of a class: its path there, its content, or why that was not read."""

    path: PurePosixPath
    content: bytes = b""
    refused: str = ""
    changed: float = 0.0


def find(top: Path, names: list[str]) -> tuple[list[Submission], list[str]]:
    """The submissions below a directory, one for each student and exercise, and what was passed over.

    names : of the exercises, such as "10_smo".
    """
    found: dict[tuple[str, str], list[Submission]] = defaultdict(list)
    passed: list[str] = []
    whose = Names(names)
    for file in files_below(top):
        meant = ".ipynb" in file.path.name.casefold()
        notebook = not file.refused and looks_like_a_notebook(file.content)
        exercise = whose.exercise(file) if meant or notebook else None
        if exercise is None:
            why = file.refused or ("it is no exercise of this book" if meant or notebook else "it is no notebook")
            passed.append(f"{shown(file.path)}: {why}")
            continue
        student, person = whose.student(file.path, exercise)
        found[student, exercise].append(Submission(student, exercise, shown(file.path), file.content, file.refused,
                                                   file.changed, [], person))
    files = [file for several in _without_repeats(found).values() for file in several]
    chosen = [_one_of(several) for _, several in sorted(_by_person(files).items())]
    _compare(chosen)
    return chosen, passed


# ---- whose it is, and which exercise ---------------------------------------------------------------------------------
class Names:
    """What the names of folders and files say: the exercise, and the student."""

    def __init__(self, names: list[str]) -> None:
        # Platforms and people write a blank or a hyphen for "_".
        self.patterns = {name: re.compile(r"(?<!\d)" + r"[\s_-]+".join(map(re.escape, name.split("_"))), re.I)
                         for name in names}

    def exercise(self, file: File) -> str | None:
        """The exercise that the file's name says, or a folder's, or whose checks the notebook imports."""
        for said in (file.path.name, *reversed(file.path.parent.parts)):
            for name, pattern in self.patterns.items():
                if pattern.search(said):
                    return name
        return None if file.refused else exercise_of(file.content, list(self.patterns))

    def student(self, path: PurePosixPath, exercise: str) -> tuple[str, str]:
        """The student's name, of the first folder that is no exercise or else of the file, and a platform's number."""
        stem = clean(ENDINGS.sub("", path.name))
        folders = [clean(re.sub(r"\.zip$", "", folder, flags=re.I)) for folder in path.parts[:-1]]
        for said in (*folders, stem):                           # a platform's archive may have any name
            name, person = by_platform(said)
            if name:
                return name, person
        rest = (self._without(folder, exercise) for folder in (*folders, stem))
        return next(filter(None, rest), stem), ""

    def _without(self, name: str, exercise: str) -> str:
        """A name without that of an exercise, and without what says that the file is there again."""
        for pattern in (self.patterns[exercise], *self.patterns.values()):
            name, count = re.subn(f"{pattern.pattern}{AGAIN}*", "", name, flags=re.I)
            if count:
                return name.strip("-_ ")
        return name


def by_platform(name: str) -> tuple[str, str]:
    """The student's name and number that a platform has put into the name of a folder or file, or nothing."""
    for pattern in PLATFORMS:
        if said := pattern.fullmatch(name):
            return clean(said["name"]), said["person"]
    return "", ""


def clean(name: str) -> str:
    """A name as all tables write it: composed letters (NFC), single blanks, none at the ends, nothing unprintable."""
    text = unicodedata.normalize("NFC", name.encode("utf8", "surrogateescape").decode("utf8", "replace"))
    text = UNSEEN.sub("", " ".join(text.split()))
    return "".join("\ufffd" if unicodedata.category(c) == "Cc" else c for c in text).strip()    # as escape sequences


def shown(path: PurePosixPath) -> str:
    """A path as text that can be written anywhere."""
    return "/".join(clean(part) for part in path.parts)


def exercise_of(content: bytes, names: list[str]) -> str | None:
    """The exercise whose checks a notebook imports."""
    text = decoded(content)
    return next((name for name in names if f"from svmcourse.{name[3:]} import checks as check" in text), None)


# ---- one of several --------------------------------------------------------------------------------------------------
def _without_repeats(found: dict[tuple[str, str], list[Submission]]) -> dict[tuple[str, str], list[Submission]]:
    """Give "Anna (1)" to Anna where there is one: a browser has numbered the second file."""
    for student, exercise in list(found):
        once = re.sub(r"\s*\(\d+\)$", "", student).strip("-_ ")
        if once != student and (once, exercise) in found:
            for file in found.pop((student, exercise)):
                file.student = once
                found[once, exercise].append(file)
    return found


def _by_person(files: list[Submission]) -> dict[tuple[str, str], list[Submission]]:
    """The files by student and exercise; two people of one name, whom a platform numbers, are two."""
    numbers: dict[tuple[str, str], set[str]] = defaultdict(set)
    for file in files:
        if file.person:
            numbers[file.student, file.exercise].add(file.person)
    several = {student for (student, _), persons in numbers.items() if len(persons) > 1}
    groups: dict[tuple[str, str], list[Submission]] = defaultdict(list)
    for file in files:
        if file.student in several and file.person:
            file.notes.append(f"look at the name: several are called {file.student}")
            file.student = f"{file.student} {file.person}"
        groups[file.student, file.exercise].append(file)
    return groups


def _one_of(files: list[Submission]) -> Submission:
    """Of several for the same exercise one without blanks, with its name, else the one written last; says which."""
    best = max(files, key=lambda file: (not file.refused, -decoded(file.content).count(STUB), _is_named(file),
                                        file.changed))
    others = ", ".join(file.path for file in files if file is not best)
    if others:
        best.notes.append(f"{len(files)} notebooks of this exercise: graded was {best.path}, not {others}")
    return best


def _is_named(file: Submission) -> bool:
    """Whether a file has the name of its exercise."""
    return ENDINGS.sub("", PurePosixPath(file.path).name).casefold() == file.exercise


def _compare(chosen: list[Submission]) -> None:
    """Note for the instructor which files are the same, byte for byte."""
    same: dict[tuple[str, bytes], list[Submission]] = {}
    for submission in chosen:
        if submission.content:
            same.setdefault((submission.exercise, submission.content), []).append(submission)
    for several in same.values():
        for submission in several if len(several) > 1 else ():
            others = ", ".join(other.student for other in several if other is not submission)
            submission.notes.append(f"look at the file: it is the same, byte for byte, as that of {others}")


# ---- what lies there -------------------------------------------------------------------------------------------------
def files_below(top: Path) -> Iterator[File]:
    """All that lies below a directory and is no folder, also inside of archives, in the order of the names."""
    closed: list[OSError] = []
    alone = [entry for entry in os.scandir(top) if not LEFT_BEHIND.fullmatch(entry.name)]
    for folder, folders, files in os.walk(top, followlinks=False, onerror=closed.append):
        inner = Path(folder).relative_to(top)
        empty = not folders and all(map(LEFT_BEHIND.fullmatch, files)) and folder != str(top)
        folders[:] = sorted(name for name in folders if not LEFT_BEHIND.fullmatch(name))
        for name in list(folders):
            if os.path.islink(os.path.join(folder, name)):
                yield File(PurePosixPath(inner / name), b"", "this is a link, which is not followed")
            elif name.casefold().endswith(".ipynb"):
                folders.remove(name)
                yield File(PurePosixPath(inner / name), b"", "this is a folder, not a notebook")
        if empty:
            yield File(PurePosixPath(inner), b"", "this folder is empty")
        for name in sorted(files):
            if not LEFT_BEHIND.fullmatch(name):
                path = os.path.join(folder, name)
                file = File(PurePosixPath(inner / name), *read(path), os.lstat(path).st_mtime)
                whole = len(alone) == 1 and len(file.path.parts) == 1           # an archive of the whole class
                yield from _opened(file, whole)
    for error in closed:
        yield File(PurePosixPath(os.path.relpath(error.filename, top)), b"",
                   f"this folder cannot be read: {error.strerror}")


def read(path: str) -> tuple[bytes, str]:
    """The content of a regular file, or why it was not read; no link is followed, nothing is waited for."""
    try:
        descriptor = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
    except OSError as error:
        if os.path.islink(path):
            return b"", "this is a link, which is not followed"
        return b"", f"this cannot be read: {error.strerror}"
    with open(descriptor, "rb") as file:
        about = os.fstat(descriptor)
        if not stat.S_ISREG(about.st_mode):
            return b"", "this is no regular file"
        if about.st_size > LARGEST:
            return b"", f"this has more than {LARGEST / 1e6:g} MB"
        return file.read(LARGEST), ""


def _opened(file: File, whole: bool = False, depth: int = 0) -> Iterator[File]:
    """The file, or what is in an archive: in a folder of the archive's name, unless it is that of the whole class."""
    if file.refused or not file.path.name.casefold().endswith(".zip"):
        other = re.search(r"\.(7z|rar|tar|tgz|gz|bz2|xz)$", file.path.name, re.I)
        yield File(file.path, file.content, "this kind of archive is not opened: unpack it") if other else file
        return
    if depth == DEEPEST:
        yield File(file.path, b"", "this archive lies in an archive in an archive")
        return
    try:
        with zipfile.ZipFile(io.BytesIO(file.content)) as archive:
            members = [one for one in archive.infolist() if not one.is_dir()]
            if len(members) > MEMBERS or sum(one.file_size for one in members) > UNPACKED:
                yield File(file.path, b"", f"this archive has more than {MEMBERS:,} files or {UNPACKED / 1e6:g} MB")
                return
            if not members:
                yield File(file.path, b"", "this archive is empty")
            for member in members:
                inner = PurePosixPath(*_inside(member))
                if not any(LEFT_BEHIND.fullmatch(part) for part in inner.parts):
                    path = inner if whole else file.path / inner
                    yield from _opened(File(path, *_unpacked(archive, member), file.changed), False, depth + 1)
    except (zipfile.BadZipFile, ValueError, NotImplementedError, EOFError, OSError) as error:
        yield File(file.path, b"", f"this archive cannot be opened: {error}")


def _inside(member: zipfile.ZipInfo) -> Iterable[str]:
    """The parts of a member's name; Macs write UTF-8 without saying so."""
    name = member.filename
    if not member.flag_bits & 0x800:
        try:
            name = name.encode("cp437").decode("utf8")
        except UnicodeError:
            name = member.filename
    return [part for part in re.split(r"[/\\]", name) if part not in ("", ".", "..")] or ["?"]


def _unpacked(archive: zipfile.ZipFile, member: zipfile.ZipInfo) -> tuple[bytes, str]:
    """The content of a member, or why it was not unpacked."""
    if member.flag_bits & 1:
        return b"", "this archive wants a password"
    if member.file_size > LARGEST:
        return b"", f"this has more than {LARGEST / 1e6:g} MB"
    try:
        with archive.open(member) as packed:
            content = packed.read(LARGEST + 1)          # whatever size the archive says that it has
    except Exception as error:
        return b"", f"this cannot be unpacked: {error}"
    return (b"", f"this has more than {LARGEST / 1e6:g} MB") if len(content) > LARGEST else (content, "")
